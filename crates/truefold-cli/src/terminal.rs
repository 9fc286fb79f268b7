//! What only a terminal gets: the progress bar and colors.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::{Arc, Mutex, PoisonError};
use truefold::Progress;

/// A bar on standard error that shows the stage under way.
pub(crate) struct Bar(Mutex<Option<ProgressBar>>);

impl Bar {
    /// A bar, if standard error is a terminal.
    pub(crate) fn on_terminal() -> Option<Arc<Self>> {
        std::io::stderr().is_terminal().then(|| Arc::new(Self(Mutex::new(None))))
    }

    fn with(&self, act: impl FnOnce(&mut Option<ProgressBar>)) {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Progress for Bar {
    fn begin(&self, stage: &str, total: u64) {
        self.with(|bar| {
            let fresh = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(10));
            if let Ok(style) = ProgressStyle::with_template("{msg:<24} [{bar:30}] {percent:>3} % {eta}") {
                fresh.set_style(style.progress_chars("=> "));
            }
            fresh.set_message(stage.to_owned());
            *bar = Some(fresh);
        });
    }

    fn advance(&self, steps: u64) {
        self.with(|bar| {
            if let Some(bar) = bar {
                bar.inc(steps);
            }
        });
    }

    fn end(&self) {
        self.with(|bar| {
            if let Some(bar) = bar.take() {
                bar.finish_and_clear();
            }
        });
    }
}

/// `text` in bold where standard output is a terminal that wants it.
pub(crate) fn bold(text: &str) -> String {
    let plain = !std::io::stdout().is_terminal() || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if plain { text.to_owned() } else { format!("\u{1b}[1m{text}\u{1b}[0m") }
}

/// `text` with control characters, which labels and names of files may hold, written as what they are; lines and bold stay.
pub(crate) fn tamed(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(letter) = rest.chars().next() {
        let mark = ["\u{1b}[1m", "\u{1b}[0m"].into_iter().find(|mark| rest.starts_with(mark));
        let length = mark.map_or(letter.len_utf8(), str::len);
        if mark.is_some() || !letter.is_control() || letter == '\n' {
            out.push_str(&rest[..length]);
        } else {
            out.extend(letter.escape_default());
        }
        rest = &rest[length..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_and_bold_reach_the_terminal() {
        assert_eq!(tamed("\u{1b}[1ma\u{1b}[0m\nb"), "\u{1b}[1ma\u{1b}[0m\nb");
        assert_eq!(tamed("\u{1b}]0;title\u{7}\rx"), "\\u{1b}]0;title\\u{7}\\rx");
    }
}
