//! The commands in the documentation: all are command lines that the tool takes, and those of the tutorials print what is shown.

use assert_cmd::Command;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The Markdown files of a folder.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|ending| ending == "md")).collect();
    pages.sort();
    pages
}

/// Commands of a page that follow a prompt, each with the lines below it up to the next.
fn sessions(page: &Path) -> Vec<(String, Vec<String>)> {
    let text = std::fs::read_to_string(page).unwrap();
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            found.push((command.to_owned(), Vec::new()));
        } else if let Some((_, lines)) = found.last_mut().filter(|_| inside) {
            lines.push(line.to_owned());
        }
    }
    found
}

/// The words of a command of the tool, without a comment.
fn words(command: &str) -> Option<Vec<String>> {
    let command = command.split("  #").next().unwrap_or(command);
    let words: Vec<String> = command.split_whitespace().map(|word| word.trim_matches('\'').to_owned()).collect();
    (words.first()? == "truefold").then_some(words)
}

#[test]
fn every_command_is_one_that_the_tool_takes() {
    let mut count = 0;
    for page in [pages(&root()), pages(&root().join("docs")), pages(&root().join("docs/tutorials"))].concat() {
        for (command, _) in sessions(&page) {
            let Some(words) = words(&command) else { continue };
            // Placeholders of options that are only alluded to.
            if command.contains("...") || words.contains(&"|".to_owned()) {
                continue;
            }
            count += 1;
            if let Err(problem) = truefold_cli::check(&words) {
                let about_itself = matches!(problem.kind(), clap::error::ErrorKind::DisplayHelp);
                assert!(about_itself, "{}: `{command}`: {problem}", page.display());
            }
        }
    }
    assert!(count > 40, "{count}");
}

/// Whether lines are as shown, where `...` stands for any number of lines.
fn is_as_shown(lines: &[&str], shown: &[&str]) -> bool {
    match shown {
        [] => lines.is_empty(),
        ["...", rest @ ..] => (0..=lines.len()).any(|skipped| is_as_shown(&lines[skipped..], rest)),
        [first, rest @ ..] => lines.first() == Some(first) && is_as_shown(&lines[1..], rest),
    }
}

/// Another processor may round otherwise.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn tutorials_print_what_they_show() {
    let mut count = 0;
    for page in pages(&root().join("docs/tutorials")) {
        let folder = tempfile::tempdir().unwrap();
        for (command, shown) in sessions(&page) {
            let words = words(&command).unwrap_or_else(|| panic!("`{command}` is not the tool's"));
            let mut tool = Command::cargo_bin("truefold").unwrap();
            let output = tool.current_dir(folder.path()).args(&words[1..]).output().unwrap();
            let text = [output.stdout, output.stderr].concat();
            let text = String::from_utf8(text).unwrap();
            assert!(output.status.success(), "{}: `{command}`: {text}", page.display());
            let lines: Vec<&str> = text.lines().collect();
            let shown: Vec<&str> = shown.iter().map(String::as_str).collect();
            assert!(is_as_shown(&lines, &shown), "{}: `{command}` printed\n{text}", page.display());
            count += 1;
        }
    }
    assert!(count > 12, "{count}");
}

#[test]
fn dots_stand_for_lines() {
    assert!(is_as_shown(&["a", "b", "c"], &["...", "b", "..."]) && is_as_shown(&[], &["..."]));
    assert!(!is_as_shown(&["a", "b"], &["a"]) && !is_as_shown(&["a"], &["...", "b"]));
}
