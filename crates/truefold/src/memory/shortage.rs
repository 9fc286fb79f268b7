//! What an allocator of the program says where it finds no memory, and what runs make of it.
//!
//! A list that cannot grow ends the process, and an allocator may neither return nothing nor unwind in place of that. What it can do
//! is give a reserve away and tell the runs under way: each stops at its next check, with an error that people can read.

use crate::error::Advice;
use crate::{Error, Result};
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

/// How often memory was short so far.
static TIMES: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static MAY_FAIL: Cell<bool> = const { Cell::new(false) };
}

/// Tells every run under way that memory is short: it ends with [`Error::OutOfMemory`] where it looks next whether it is to stop. An
/// allocator of the program calls this; it takes no memory itself.
///
/// ```standalone_crate
/// use truefold::{Error, Run};
///
/// let before = Run::new();
/// truefold::memory::tell_short();
/// assert!(matches!(before.check(), Err(Error::OutOfMemory { .. })));
/// assert!(Run::new().check().is_ok());
/// ```
pub fn tell_short() {
    TIMES.fetch_add(1, Ordering::Release);
}

/// Whether the library copes with memory that this thread does not get now: an allocator may return nothing then.
///
/// ```
/// assert!(!truefold::memory::may_fail());
/// ```
pub fn may_fail() -> bool {
    MAY_FAIL.get()
}

/// What `work` gives, which copes with memory that is not there.
pub(crate) fn fallibly<T>(work: impl FnOnce() -> T) -> T {
    let before = MAY_FAIL.replace(true);
    let made = work();
    MAY_FAIL.set(before);
    made
}

/// So many values as a list, or an error where the memory for it is not there.
///
/// ```
/// assert_eq!(truefold::memory::listed(3, 1..4)?, [1, 2, 3]);
/// assert!(truefold::memory::listed(1 << 60, 1_u64..).is_err());
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn listed<T>(count: usize, values: impl Iterator<Item = T>) -> Result<Vec<T>> {
    let mut list = Vec::new();
    fallibly(|| list.try_reserve_exact(count)).map_err(|_| ran_out())?;
    list.extend(values.take(count));
    Ok(list)
}

/// How often memory was short so far: what a run remembers of its beginning.
pub(crate) fn times() -> u64 {
    TIMES.load(Ordering::Acquire)
}

/// An error if memory was short since then.
pub(crate) fn check_since(then: u64) -> Result<()> {
    if times() == then { Ok(()) } else { Err(ran_out()) }
}

fn ran_out() -> Error {
    let advice = Advice::change("k", "give fewer points, choose a smaller {k}, or give more memory");
    Error::OutOfMemory { advice: Box::new(advice) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_copes_may_fail() {
        assert!(!may_fail());
        assert!(fallibly(|| fallibly(may_fail) && may_fail()));
        assert!(!may_fail());
        assert!(fallibly(|| std::thread::spawn(|| !may_fail()).join().unwrap()));
    }

    #[test]
    fn running_out_is_told_in_one_sentence() {
        let told = listed(usize::MAX, std::iter::repeat(1_u8)).unwrap_err().to_string();
        assert_eq!(told, "memory ran out before the end; give fewer points, choose a smaller k, or give more memory");
    }
}
