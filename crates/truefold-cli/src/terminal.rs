//! What only a terminal gets: the progress bar, colors, and a clean stop at Ctrl-C.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
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

/// A flag that the first Ctrl-C (or a polite kill) raises; the second ends the program at once.
pub(crate) fn interrupted() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    // Without a handler Ctrl-C ends the program at once, which leaves no half-written file either.
    let _ = ctrlc::set_handler(move || {
        if raised.swap(true, Ordering::Relaxed) {
            std::process::exit(1);
        }
    });
    flag
}

/// `text` in bold where standard output is a terminal that wants it.
pub(crate) fn bold(text: &str) -> String {
    let plain = !std::io::stdout().is_terminal() || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if plain { text.to_owned() } else { format!("\u{1b}[1m{text}\u{1b}[0m") }
}
