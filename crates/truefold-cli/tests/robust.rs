//! What the surroundings may do to the tool: signals, missing threads and memory, damaged and hostile files, full disks.
#![cfg(target_os = "linux")]

mod running;
#[path = "running/signals.rs"]
mod signals;

use running::{done, truefold};
use signals::{is_ignored, stopping};
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use tempfile::TempDir;

/// A folder with 300 points of a swiss roll.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    done(folder.path(), &["generate", "swiss-roll", "--points", "300", "--output", "x.csv"]);
    folder
}

/// The tool after `before`, a line for the shell.
fn after(folder: &Path, before: &str, arguments: &str) -> Command {
    let tool = assert_cmd::cargo::cargo_bin("truefold");
    let mut command = Command::new("sh");
    command.current_dir(folder).args(["-c", &format!("{before}; exec {} {arguments}", tool.display())]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Standard error of a command that must fail with this status, and with one sentence.
fn refused(output: &Output, status: i32) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(status), "{text}");
    assert!(text.starts_with("error: ") && text.lines().count() == 1, "{text}");
    text
}

fn signal(child: &Child, name: &str) {
    // The tool must have begun to listen.
    std::thread::sleep(std::time::Duration::from_millis(600));
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
    std::thread::sleep(std::time::Duration::from_millis(100));
}

/// A run that waits for its points, gets the signal, and then the points.
fn interrupted(folder: &Path, before: &str, name: &str) -> Output {
    let mut child = after(folder, before, "neighbors - --k 4 --output n.csv").spawn().unwrap();
    signal(&child, name);
    let points = std::fs::read(folder.join("x.csv")).unwrap();
    // A run that has ended does not read them.
    let _ = child.stdin.take().unwrap().write_all(&points);
    child.wait_with_output().unwrap()
}

#[test]
fn signals_stop_a_run_unless_they_are_ignored() {
    let folder = folder();
    for (name, status, number) in [("-INT", 130, 2), ("-TERM", 143, 15), ("-HUP", 129, 1)] {
        // One that is ignored where these tests run stays so.
        if is_ignored(number) {
            assert!(interrupted(folder.path(), ":", name).status.success());
            std::fs::remove_file(folder.path().join("n.csv")).unwrap();
            continue;
        }
        let told = refused(&interrupted(folder.path(), ":", name), status);
        assert_eq!(told, "error: stopped before the end, as asked; nothing was written\n");
        assert!(!folder.path().join("n.csv").exists());
    }
    for (before, name) in [("trap '' HUP", "-HUP"), ("trap '' INT", "-INT")] {
        let output = interrupted(folder.path(), before, name);
        assert!(output.status.success(), "{before}: {}", String::from_utf8_lossy(&output.stderr));
        std::fs::remove_file(folder.path().join("n.csv")).unwrap();
    }
}

#[test]
fn generate_hears_the_first_interrupt() {
    let folder = folder();
    assert!(Command::new("mkfifo").arg(folder.path().join("pipe.csv")).status().unwrap().success());
    // Nobody reads from the pipe, so that it waits for ever.
    let child = after(folder.path(), ":", "generate plane --points 10 --output pipe.csv").spawn().unwrap();
    let (name, status) = stopping();
    signal(&child, name);
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(status));
}

#[test]
fn without_threads_the_tool_works_alone() {
    let folder = folder();
    let alone = |output: &str| {
        let arguments = format!("embed x.csv --method ltsa --k 10 --output {output}");
        // No system has room for such a stack.
        after(folder.path(), "export RUST_MIN_STACK=70000000000000", &arguments).output().unwrap()
    };
    let output = alone("alone.csv");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    done(folder.path(), &["embed", "x.csv", "--method", "ltsa", "--k", "10", "--output", "all.csv"]);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("alone.csv"), read("all.csv"));
}

#[test]
fn sizes_that_memory_does_not_hold_are_refused_before_they_are_taken() {
    let folder = folder();
    done(folder.path(), &["generate", "plane", "--points", "20000", "--output", "many.npy"]);
    let limited = |arguments: &str| after(folder.path(), "ulimit -v 900000", arguments).output().unwrap();
    let told = refused(&limited("embed many.npy --method isomap --output y.csv"), 1);
    assert!(told.contains("the table of distances among 20000 points needs about 1.6 GB of memory, but "), "{told}");
    assert!(told.ends_with("is available; use landmark-isomap\n"), "{told}");
    let told = refused(&limited("neighbors many.npy --k 19000 --output n.npy"), 1);
    assert!(told.contains("the search for 19000 neighbors of 20000 points needs about 1.5 GB of memory"), "{told}");
    let told = refused(&limited("embed many.npy --method sde --set rank=1000000000 --output y.csv"), 1);
    assert!(told.contains("a solution of 20000 columns for 20000 points needs about 154 GB of memory"), "{told}");
}

#[test]
fn whatever_the_limit_there_is_a_result_or_a_sentence() {
    let folder = folder();
    let rows: String = (0..400_000).map(|row| format!("{row},{},{}\n", row % 977, row % 83)).collect();
    std::fs::write(folder.path().join("long.csv"), rows).unwrap();
    // Below the size of the tool itself the system ends it before it begins.
    let own = assert_cmd::cargo::cargo_bin("truefold").metadata().unwrap().len() / 1000;
    for kilobytes in [own + 15_000, own + 30_000, own + 60_000, own + 150_000] {
        let before = format!("ulimit -v {kilobytes}");
        for command in ["neighbors long.csv --k 9 --output n.npy", "embed x.csv --method ltsa --output y.csv"] {
            let output = after(folder.path(), &before, command).output().unwrap();
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(matches!(output.status.code(), Some(0 | 1)), "{kilobytes} {command}: {:?} {told}", output.status);
            assert!(output.status.success() || told.starts_with("error: "), "{kilobytes} {command}: {told}");
        }
    }
}

#[test]
fn no_output_takes_the_place_of_an_input_and_several_come_together() {
    let folder = folder();
    let run = |arguments: &[&str]| truefold(folder.path(), arguments);
    done(folder.path(), &["neighbors", "x.csv", "--k", "8", "--output", "n.npy"]);
    let told = refused(&run(&["embed", "x.csv", "--method", "pca", "--neighbors", "n.npy", "--output", "n.npy"]), 1);
    assert!(told.contains("n.npy: is also another file of this command"), "{told}");
    let both = ["--per-point", "p.csv", "--figure", "p.csv"];
    refused(&run(&[&["suggest", "x.csv"][..], &both].concat()), 1);
    // The second output cannot be written in the end: the first does not appear.
    let output = run(&["generate", "plane", "--points", "50", "--output", "a.csv", "--truth", "/dev/full"]);
    assert!(!output.status.success() && !folder.path().join("a.csv").exists());
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("/dev/full"), "{told}");
    let names: Vec<_> = folder.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn a_comparison_of_which_nothing_is_left_fails() {
    let folder = folder();
    // All points but few are equal, so that no neighborhood spans a plane.
    std::fs::write(folder.path().join("line.csv"), (0..60).map(|at| format!("{at},0,0\n")).collect::<String>())
        .unwrap();
    let output = truefold(folder.path(), &["compare", "line.csv", "--methods", "hessian-eigenmaps", "--k", "5"]);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("no embedding could be made"), "{told}");
    let output = truefold(folder.path(), &["sweep", "line.csv", "--method", "hessian-eigenmaps", "--k", "5,6"]);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn numbers_of_any_size_have_their_neighbors_or_a_sentence() {
    let folder = folder();
    let rows = |far: &str| {
        let far = if far.is_empty() { String::new() } else { format!("{far},0\n") };
        (0..40).map(|at| format!("{},{}\n", at * 7 % 40, at * at % 11)).collect::<String>() + &far
    };
    let lists = |name: &str, text: String| {
        std::fs::write(folder.path().join(name), text).unwrap();
        truefold(folder.path(), &["neighbors", name, "--k", "3", "--output", "n.csv"])
    };
    assert!(lists("plain.csv", rows("")).status.success());
    let plain = std::fs::read_to_string(folder.path().join("n.csv")).unwrap();
    // One point far away changes the neighbors of no other.
    assert!(lists("far.csv", rows("1e165")).status.success());
    assert!(std::fs::read_to_string(folder.path().join("n.csv")).unwrap().starts_with(plain.trim_end()));
    let told = refused(&lists("farther.csv", rows("1e308")), 1);
    assert!(told.contains("row 41, column 1 holds a number of size 1e308, beside a row whose largest is"), "{told}");
    let huge: String = (0..60).map(|at| format!("{at}e200,{}e200,{}e200\n", at * 7 % 60, at * at % 13)).collect();
    std::fs::write(folder.path().join("huge.csv"), huge).unwrap();
    for command in ["suggest huge.csv", "denoise huge.csv --output d.csv", "compare huge.csv --methods pca --k 5"] {
        let told = refused(&truefold(folder.path(), &command.split(' ').collect::<Vec<_>>()), 1);
        assert!(told.contains("squares of numbers beyond 1e140 cannot be summed"), "{command}: {told}");
    }
}

#[test]
fn foreign_text_cannot_speak_to_the_terminal() {
    let folder = folder();
    let long = "y".repeat(100_000);
    std::fs::write(folder.path().join("bad.csv"), format!("1,2\n3,\u{1b}]0;title\u{7}\n5,{long}\n")).unwrap();
    let told = refused(&truefold(folder.path(), &["neighbors", "bad.csv", "--k", "1", "--output", "n.csv"]), 1);
    assert!(!told.trim_end().contains(char::is_control) && told.len() < 2000, "{told:?}");
    // Damaged pages end in one sentence, and the decoder's panics are not told.
    done(folder.path(), &["generate", "plane", "--points", "200", "--output", "p.parquet"]);
    let bytes = std::fs::read(folder.path().join("p.parquet")).unwrap();
    for at in (4..bytes.len()).step_by(bytes.len() / 60) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x41;
        std::fs::write(folder.path().join("d.parquet"), damaged).unwrap();
        let output = truefold(folder.path(), &["neighbors", "d.parquet", "--k", "3", "--output", "n.csv"]);
        if !output.status.success() {
            refused(&output, 1);
        }
    }
}
