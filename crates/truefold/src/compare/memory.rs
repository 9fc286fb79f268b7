//! The most memory that the process held over a span of time, where the system tells it.
//!
//! Linux keeps the largest resident set of a process since it was last asked to forget it, by writing 5 to
//! `/proc/self/clear_refs` (proc(5)). It is that of the whole process: the data and what other threads do count too. What
//! earlier methods left to the allocator is given back before. Elsewhere, and where the file may not be written, there is no
//! figure.

use crate::memory::give_back;
use std::fs::OpenOptions;
use std::io::Write;

/// A span of time whose peak is kept.
pub(super) struct Peak(());

impl Peak {
    /// Begins a span, or nothing where the system keeps no peak that can be reset.
    pub(super) fn begin() -> Option<Self> {
        let mut file = OpenOptions::new().write(true).open("/proc/self/clear_refs").ok()?;
        give_back();
        file.write_all(b"5").ok().map(|()| Self(()))
    }

    /// The peak since the span began, in bytes.
    pub(super) fn end(self) -> Option<u64> {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kilobytes * 1024)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_block_shows_in_its_span() {
        let Some(span) = Peak::begin() else { return };
        let block = vec![1_u8; 96 << 20];
        let peak = span.end().unwrap();
        assert!(peak >= std::hint::black_box(&block).len() as u64);
    }
}
