//! Broken files given to the tool as a user gives them: it ends with a result or with one sentence.

use crate::draw::Draw;
use crate::target::{TARGETS, Target};
use crate::worker::save;
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How many runs, and how many of them ended with a result.
#[derive(Debug, Default)]
pub struct Runs {
    pub runs: u64,
    pub results: u64,
    pub findings: u64,
}

/// The seconds that a run may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// Runs the tool on broken files of all kinds.
pub fn run(tool: &Path, folder: &Path, seed: u64, count: u64, time: Duration) -> Result<Runs> {
    let (folder, findings) = (folder.join("through-tool"), folder.join("findings"));
    std::fs::create_dir_all(&folder)?;
    let seeds: Vec<Vec<Vec<u8>>> = TARGETS.iter().map(|target| (target.seeds)(target)).collect::<Result<_>>()?;
    let good = folder.join("good.npy");
    std::fs::write(&good, &seeds[2][0])?;
    let (mut draw, mut done, end) = (Draw::new(seed), Runs::default(), Instant::now() + time);
    while done.runs < count && Instant::now() < end {
        let at = draw.below(TARGETS.len() - 1);
        let target = &TARGETS[at];
        let input = target.next(&mut draw, &seeds[at]);
        let path = folder.join(format!("broken.{}", target.ending));
        std::fs::write(&path, &input)?;
        done.runs += 1;
        match once(tool, target, &path, &good, &folder, &mut draw)? {
            Ok(result) => done.results += u64::from(result),
            Err(what) => {
                done.findings += 1;
                save(&findings, target, &input, &format!("through the tool: {what}"))?;
            }
        }
    }
    Ok(done)
}

/// One run: whether there was a result, or what was wrong.
fn once(
    tool: &Path,
    target: &Target,
    broken: &Path,
    good: &Path,
    folder: &Path,
    draw: &mut Draw,
) -> Result<Result<bool, String>> {
    let (broken, good) = (broken.to_string_lossy(), good.to_string_lossy());
    let made = folder.join("made.npy");
    let made = made.to_string_lossy();
    let words: Vec<&str> = match target.name {
        "models" => vec!["transform", &broken, &good, "--output", &made],
        "neighbor lists" => vec!["measure", &good, &good, "--neighbors", &broken],
        "sparse" | "triplets" => vec!["neighbors", &broken, "--metric", "precomputed", "--k", "1", "--output", &made],
        _ => match draw.below(4) {
            0 => vec!["measure", &broken, &good, "--k", "3"],
            1 => vec!["measure", &good, &broken, "--k", "3"],
            2 => vec!["suggest", &broken],
            _ => vec!["embed", &broken, "--method", "pca", "--k", "2", "--dim", "1", "--output", &made],
        },
    };
    let mut child = Command::new(tool)
        .args(&words)
        .args(["--threads", "1"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .context("the tool did not start")?;
    let Some(mut errors) = child.stderr.take() else { bail!("the tool has no standard error") };
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        std::io::Read::read_to_end(&mut errors, &mut text).map(|_| text)
    });
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if start.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Ok(Err(format!("{words:?} took too long")));
        }
        std::thread::sleep(Duration::from_micros(500));
    };
    let text = reader.join().map_err(|_| anyhow::anyhow!("reading the messages panicked"))??;
    Ok(judged(status.code(), &String::from_utf8_lossy(&text)).map_err(|what| format!("{words:?}: {what}")))
}

/// Whether there was a result, by the exit status and the messages.
fn judged(status: Option<i32>, text: &str) -> Result<bool, String> {
    let errors = text.lines().filter(|line| line.starts_with("error: ")).count();
    let strange = text.chars().any(|letter| letter.is_control() && letter != '\n');
    match status {
        Some(0) if !strange && errors == 0 => Ok(true),
        Some(1 | 2) if !strange && errors == 1 && text.lines().count() == 1 => Ok(false),
        _ => Err(format!("status {status:?}, messages {text:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::judged;

    #[test]
    fn a_result_or_one_sentence() {
        assert!(judged(Some(0), "").unwrap());
        assert!(!judged(Some(1), "error: x.csv: is empty\n").unwrap());
        for (status, text) in [
            (Some(101), "thread 'main' panicked\n"),
            (None, ""),
            (Some(1), ""),
            (Some(1), "thread panicked\nerror: is damaged\n"),
            (Some(1), "error: \u{1b}[2J\n"),
        ] {
            assert!(judged(status, text).is_err(), "{text:?}");
        }
    }
}
