//! A clean stop: the first Ctrl-C, polite kill or closed terminal asks the run to end, the second ends it at once.
//!
//! A signal that whoever started the tool lets it ignore stays ignored, as `nohup` and shells that start jobs in the background
//! expect. The status of a stopped run is 128 and the number of the signal: 130 after Ctrl-C.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, OnceLock};

/// The status of a run that was asked to stop, unless a signal says more: that of Ctrl-C.
const INTERRUPTED: u8 = 130;

static ASKED: OnceLock<Arc<AtomicBool>> = OnceLock::new();
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// A flag that is raised when the tool is asked to stop.
pub(crate) fn asked_to_stop() -> Arc<AtomicBool> {
    let flag = ASKED.get_or_init(Arc::default);
    listen();
    Arc::clone(flag)
}

/// From here on the first signal ends the tool, where nobody looks at a flag.
pub(crate) fn end_at_once() {
    listen();
}

/// The status of a run that was asked to stop.
pub(crate) fn status() -> u8 {
    match SIGNAL.load(Ordering::Relaxed) {
        0 => INTERRUPTED,
        signal => u8::try_from(128 + signal).unwrap_or(INTERRUPTED),
    }
}

#[cfg(unix)]
fn listen() {
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        // SAFETY: both structures are plain data, of which all zeros are a valid state; the handler only writes to atomics
        // and may call `_exit`.
        unsafe {
            let mut before: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(signal, std::ptr::null(), &mut before) != 0 || before.sa_sigaction == libc::SIG_IGN {
                continue;
            }
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = raise as extern "C" fn(libc::c_int) as libc::sighandler_t;
            action.sa_flags = libc::SA_RESTART;
            // Where this fails, the signal ends the tool at once, which leaves no half-written file either.
            libc::sigaction(signal, &action, std::ptr::null_mut());
        }
    }
}

#[cfg(unix)]
extern "C" fn raise(signal: libc::c_int) {
    let first = SIGNAL.swap(signal, Ordering::Relaxed) == 0;
    match ASKED.get().filter(|_| first) {
        Some(flag) => flag.store(true, Ordering::Relaxed),
        // SAFETY: this may be called in a handler of signals.
        None => unsafe { libc::_exit(128 + signal) },
    }
}

#[cfg(not(unix))]
fn listen() {
    let _ = ctrlc::set_handler(|| {
        if ASKED.get().is_none_or(|flag| flag.swap(true, Ordering::Relaxed)) {
            std::process::exit(INTERRUPTED.into());
        }
    });
}
