//! Signals that stop a run, wherever the tests run.

/// Whether this process ignores a signal, and with it all that it starts.
pub fn is_ignored(signal: u32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// A signal that stops a run, as an option of `kill`, and the status that the run ends with: an interrupt, or where these tests
/// run with interrupts ignored another one.
pub fn stopping() -> (&'static str, i32) {
    if is_ignored(2) { ("-TERM", 143) } else { ("-INT", 130) }
}
