//! Memory that the system does not give ends the call with an exception, and never the interpreter.
//!
//! Sizes that data or options decide are checked before by the library, which can say more. This is for what remains, where an
//! allocator may neither return nothing nor unwind. A reserve is given away at the first such moment, and every call under way is
//! told to stop, which it does at its next step. Where the reserve is not enough, the thread of the call that asks waits until there is
//! memory; Python goes on in the meantime, and what the call holds stays taken until then. Python's own threads have the reserve alone.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use std::time::Duration;

/// The bytes of the reserve: addresses, of which no page is ever used.
const RESERVE: Layout = match Layout::from_size_align(32 << 20, 4096) {
    Ok(layout) => layout,
    Err(_) => unreachable!(),
};

/// How often a thread that waits asks again.
const AGAIN: Duration = Duration::from_millis(20);

static HELD: AtomicPtr<u8> = AtomicPtr::new(null_mut());
static WAITS: AtomicU64 = AtomicU64::new(0);

struct Reserved;

#[global_allocator]
static MEMORY: Reserved = Reserved;

// SAFETY: every block comes from the system and goes back there.
unsafe impl GlobalAlloc for Reserved {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are those that the system's allocator asks for; so below.
        given(|| unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        given(|| unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above; a block that could not be resized is as it was.
        given(|| unsafe { System.realloc(place, layout, size) })
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(place, layout) }
    }
}

#[inline(always)]
fn given(ask: impl Fn() -> *mut u8) -> *mut u8 {
    let place = ask();
    if place.is_null() { missing(&ask) } else { place }
}

#[cold]
fn missing(ask: &dyn Fn() -> *mut u8) -> *mut u8 {
    if truefold::memory::may_fail() {
        return null_mut();
    }
    truefold::memory::tell_short();
    give_away();
    let mut place = ask();
    if place.is_null() && truefold::Run::is_worker() {
        WAITS.fetch_add(1, Ordering::Release);
        while place.is_null() {
            std::thread::sleep(AGAIN);
            place = ask();
        }
    }
    place
}

/// Gives the reserve back to the system.
fn give_away() {
    let held = HELD.swap(null_mut(), Ordering::AcqRel);
    if !held.is_null() {
        // SAFETY: it was taken with this layout, and nobody else has it.
        unsafe { System.dealloc(held, RESERVE) };
    }
}

/// Takes the reserve, where it is not there and the system gives it.
pub fn hold_reserve() {
    if !HELD.load(Ordering::Acquire).is_null() {
        return;
    }
    // SAFETY: the layout is not empty.
    let taken = unsafe { System.alloc(RESERVE) };
    if let Err(_another) = HELD.compare_exchange(null_mut(), taken, Ordering::AcqRel, Ordering::Acquire)
        && !taken.is_null()
    {
        // SAFETY: as above.
        unsafe { System.dealloc(taken, RESERVE) };
    }
}

/// How often a thread had to wait for memory so far.
pub fn waits() -> u64 {
    WAITS.load(Ordering::Acquire)
}
