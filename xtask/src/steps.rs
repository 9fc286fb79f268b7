//! Steps of a chore: each has a title and a time, and the first that fails ends the chore.

use anyhow::{Context, Result, bail};
use std::time::{Duration, Instant};

/// How a step ended when it did not fail.
pub enum Outcome {
    /// It succeeded.
    Done,
    /// This machine lacks something it needs; the reason.
    Skipped(String),
}

/// The steps so far.
pub struct Steps {
    ended: Vec<(&'static str, Duration, Option<String>)>,
    strict: bool,
}

impl Steps {
    /// No step yet. If the environment variable `CI` is set, a skipped step is a failure.
    pub fn new() -> Self {
        Self { ended: Vec::new(), strict: std::env::var_os("CI").is_some_and(|value| !value.is_empty()) }
    }

    /// Runs a step.
    pub fn run(&mut self, title: &'static str, step: impl FnOnce() -> Result<Outcome>) -> Result<()> {
        println!("\n== {title}");
        let start = Instant::now();
        let outcome = step().with_context(|| format!("step failed: {title}"))?;
        let reason = match outcome {
            Outcome::Done => None,
            Outcome::Skipped(reason) if self.strict => {
                bail!("step failed: {title}: {reason} (with CI set nothing may be skipped)")
            }
            Outcome::Skipped(reason) => {
                println!("skipped: {title}: {reason}");
                Some(reason)
            }
        };
        self.ended.push((title, start.elapsed(), reason));
        Ok(())
    }

    /// Prints every step with its seconds.
    pub fn summarize(&self) {
        let width = self.ended.iter().map(|(title, ..)| title.chars().count()).max().unwrap_or(0).max(5);
        println!("\n{:<width$}  seconds", "step");
        for (title, time, skipped) in &self.ended {
            let note = if skipped.is_some() { "  skipped" } else { "" };
            println!("{title:<width$}  {:>7.1}{note}", time.as_secs_f64());
        }
        let total: Duration = self.ended.iter().map(|(_, time, _)| time).sum();
        println!("{:<width$}  {:>7.1}", "total", total.as_secs_f64());
    }
}
