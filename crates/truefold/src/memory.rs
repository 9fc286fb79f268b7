//! The memory that is really there, asked before much of it is taken; and memory that goes back between large stages.
//!
//! What a process may still take is the least of what the machine has free (`MemAvailable` and free swap), what the limits of
//! the process leave of its address space and its data (`ulimit -v`, `ulimit -d`), and what its control groups leave
//! (version 1 and 2, each with all above it, where pages of files count as free). Linux tells all this as text; elsewhere
//! nothing is known and nothing is refused.
//!
//! The allocator of the GNU C library keeps small pieces, in the tool large ones too (its `allocator`), so that a stage of many
//! threads may leave hundreds of bytes a point that the next cannot use.
//!
//! It also reserves 64 MB of addresses for every thread that asks for memory, and where a limit does not leave these, it takes a page
//! for every small piece: some megabytes of small pieces then end what needs little. So where the address space is limited, threads
//! share what the C library reserves (`share_addresses`).
//!
//! What a stage needs is estimated from below ([`Need`]): what it must hold at one moment, not every list that comes and
//! goes, so that nothing is refused that would have ended. What still fails is the allocator's to tell: that of the tool ends it with
//! a sentence, that of the Python package ends the calls under way ([`tell_short`]). Cost: some milliseconds a
//! gigabyte to give back, 0.1 ms to ask.

mod shortage;
mod system;

use crate::error::{Advice, Text};
use crate::{Error, Result};
use std::path::Path;
use std::sync::OnceLock;
use system::System;

pub(crate) use shortage::{check_since, fallibly, times};
pub use shortage::{listed, may_fail, tell_short};

/// Below so many bytes it is not worth the time to give back.
const MUCH: usize = 1 << 26;
/// Below so many bytes nobody asks.
const LITTLE: f64 = (1 << 22) as f64;

/// What gives back the free memory that an allocator of the program keeps.
static GIVE_BACK: OnceLock<fn()> = OnceLock::new();

/// Names what gives back the free memory that an allocator of the program's own keeps; it is called before anything is refused for
/// want of memory. The first one stays.
///
/// ```
/// truefold::memory::give_back_with(|| ());
/// ```
pub fn give_back_with(give_back: fn()) {
    GIVE_BACK.get_or_init(|| give_back);
}

/// An error if `task` needs more memory than there is.
pub(crate) fn check(task: impl Into<Text>, bytes: f64, advice: impl Into<Advice>) -> Result<()> {
    if bytes < little() {
        return Ok(());
    }
    let is_short = |available: Option<u64>| available.filter(|&available| bytes > available as f64);
    if is_short(available()).is_none() {
        return Ok(());
    }
    // What the allocator keeps counts as taken until it is given back.
    give_back();
    match is_short(available()) {
        Some(available) => Err(refused(task, bytes, Some(available), advice)),
        None => Ok(()),
    }
}

/// Below so many bytes nobody asks; under a limit of a test every byte counts.
fn little() -> f64 {
    #[cfg(test)]
    if tests::stated().is_some() {
        return 0.0;
    }
    LITTLE
}

/// What a stage holds at one moment, at the least, in bytes: for each point, and for each member of a neighborhood.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Need {
    /// Bytes for each point.
    pub a_point: f64,
    /// Bytes for each member of a neighborhood.
    pub a_member: f64,
}

impl Need {
    /// So many bytes for each point, and for each member of a neighborhood.
    ///
    /// ```
    /// use truefold::memory::Need;
    ///
    /// assert_eq!(Need::of(16.0, 8.0).bytes(1000, 13_000), 120_000.0);
    /// ```
    pub const fn of(a_point: f64, a_member: f64) -> Self {
        Self { a_point, a_member }
    }

    /// An error if `task` needs more for so many points and members than there is.
    pub(crate) fn check(self, task: impl Into<Text>, (points, members): (usize, usize)) -> Result<()> {
        let advice =
            if self.a_member > 0.0 { "give fewer points, or choose a smaller {k}" } else { "give fewer points" };
        check(task, self.bytes(points, members), Advice::change("k", advice))
    }

    /// The bytes for so many points, whose neighborhoods have so many members in all.
    pub fn bytes(self, points: usize, members: usize) -> f64 {
        self.a_point * points as f64 + self.a_member * members as f64
    }
}

/// An empty list with room for `len` values, or an error where the memory for it is not there.
pub(crate) fn room<T>(len: usize, task: impl Into<Text>, advice: impl Into<Advice>) -> Result<Vec<T>> {
    let mut list = Vec::new();
    let bytes = len as f64 * size_of::<T>() as f64;
    let (task, advice) = (task.into(), advice.into());
    check(task.clone(), bytes, advice.clone())?;
    if fallibly(|| list.try_reserve_exact(len)).is_err() {
        return Err(refused(task, bytes, available(), advice));
    }
    Ok(list)
}

/// Room for `len` more values of a list, or an error where the memory for it is not there.
#[cfg(any(feature = "csv", test))]
pub(crate) fn extend<T>(list: &mut Vec<T>, len: usize, told: impl FnOnce() -> (Text, Advice)) -> Result<()> {
    if fallibly(|| list.try_reserve(len)).is_ok() {
        return Ok(());
    }
    let bytes = (list.len() + len) as f64 * size_of::<T>() as f64;
    let (task, advice) = told();
    Err(refused(task, bytes, available(), advice))
}

/// A list of `len` copies of `value`, or an error where the memory for it is not there.
pub(crate) fn filled<T: Clone>(
    value: T,
    len: usize,
    task: impl Into<Text>,
    advice: impl Into<Advice>,
) -> Result<Vec<T>> {
    let mut list = room(len, task, advice)?;
    list.resize(len, value);
    Ok(list)
}

fn refused(task: impl Into<Text>, bytes: f64, available: Option<u64>, advice: impl Into<Advice>) -> Error {
    Error::Memory { task: task.into(), needed: bytes as u64, available, advice: Box::new(advice.into()) }
}

/// The bytes that this process may still take, where that is known.
pub(crate) fn available() -> Option<u64> {
    #[cfg(test)]
    if let Some(stated) = tests::stated() {
        return Some(stated);
    }
    if cfg!(target_os = "linux") { System(Path::new("/")).available() } else { None }
}

/// The addresses that the C library reserves for a thread.
const ARENA: u64 = 64 << 20;
/// No more than this share of the addresses left is reserved for threads.
const RESERVED: u64 = 8;
/// From so many threads on nobody asks: more have memory of their own only on machines of many cores.
const ENOUGH: u64 = 64;

/// Has threads share what the C library reserves for each, where a limit leaves few addresses; before threads are started.
pub(crate) fn share_addresses() {
    let left = if cfg!(target_os = "linux") { System(Path::new("/")).space() } else { None };
    if let Some(most) = left.map(reserved_at_most).filter(|&most| most < ENOUGH) {
        reserve_for(most as i32);
    }
}

/// For how many threads addresses may be reserved where so many bytes of them are left.
fn reserved_at_most(left: u64) -> u64 {
    (left / (RESERVED * ARENA)).max(1)
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)]
fn reserve_for(threads: i32) {
    /// `M_ARENA_MAX` of malloc.h.
    const ARENAS: i32 = -8;
    unsafe extern "C" {
        fn mallopt(name: i32, value: i32) -> i32;
    }
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        // SAFETY: the function takes two numbers and says from how many reserves later allocations are served; it takes the lock of
        // the allocator, and what has been allocated stays as it is.
        unsafe {
            mallopt(ARENAS, threads);
        }
    });
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn reserve_for(_threads: i32) {}

/// Gives all free memory back that allocators keep.
pub(crate) fn give_back() {
    trim();
    if let Some(give_back) = GIVE_BACK.get() {
        give_back();
    }
}

/// Gives free memory back after a stage that used about `bytes` of it for a while.
pub(crate) fn release(bytes: usize) {
    if bytes >= MUCH {
        trim();
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)]
fn trim() {
    unsafe extern "C" {
        fn malloc_trim(pad: usize) -> i32;
    }
    // SAFETY: the function may be called at any time and from any thread; it only returns pages that are free.
    unsafe {
        malloc_trim(0);
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn trim() {}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::cell::Cell;

    thread_local! {
        static STATED: Cell<Option<u64>> = const { Cell::new(None) };
    }

    /// What is there by the word of the test that runs on this thread.
    pub(super) fn stated() -> Option<u64> {
        STATED.get()
    }

    /// What `work` gives where there are `bytes` of memory by the word of a test: threads of its own do not hear it.
    pub(crate) fn under<T>(bytes: u64, work: impl FnOnce() -> T) -> T {
        STATED.set(Some(bytes));
        let made = work();
        STATED.set(None);
        made
    }

    /// The bytes that `work` says it needs where there are none.
    pub(crate) fn needed_by<T>(work: impl FnOnce() -> Result<T>) -> u64 {
        match under(0, work) {
            Err(Error::Memory { needed, .. }) => needed,
            Err(other) => panic!("another error: {other}"),
            Ok(_) => panic!("no memory was asked for"),
        }
    }

    /// Fails unless the first that `work` asks for are `bytes`, and it goes on beyond that where there are so many.
    pub(crate) fn asks_for<T>(bytes: u64, work: impl Fn() -> Result<T>) {
        assert_eq!(needed_by(&work), bytes);
        match under(bytes, &work) {
            Err(Error::Memory { needed, .. }) => assert!(needed > bytes, "{needed} of {bytes}"),
            Err(other) => panic!("another error: {other}"),
            Ok(_) => {}
        }
    }

    #[test]
    fn lists_grow_as_far_as_memory_goes() {
        let mut list = vec![1_u64];
        let told = || ("reading".into(), Advice::change("k", "choose less"));
        extend(&mut list, 10, told).unwrap();
        assert!(list.capacity() >= 11 && list == [1]);
        let error = extend(&mut list, isize::MAX as usize / 16, told).unwrap_err();
        assert!(matches!(error, Error::Memory { needed, .. } if needed > 1 << 60), "{error}");
        assert!(list == [1]);
    }

    #[test]
    fn what_no_machine_has_is_refused_in_one_sentence() {
        if available().is_none() {
            return;
        }
        check("this", 1e6, "do less").unwrap();
        let told = check("this", 1e18, "do less").unwrap_err().to_string();
        assert!(
            told.starts_with("this needs about 1,000,000,000 GB of memory, but ") && told.ends_with("; do less"),
            "{told}"
        );
        assert!(matches!(filled(0.0_f64, 1 << 50, "this", "do less"), Err(Error::Memory { .. })));
        assert!(matches!(room::<f64>(1 << 50, "this", "do less"), Err(Error::Memory { .. })));
        assert_eq!(filled(1_u8, 3, "this", "do less").unwrap(), [1; 3]);
    }

    #[test]
    fn few_threads_have_addresses_of_their_own_where_few_are_left() {
        assert_eq!([0, 40 << 20, 400 << 20, 3000 << 20, 64 << 30].map(reserved_at_most), [1, 1, 1, 5, 128]);
    }
}
