//! Memory that the system does not give ends the tool with a sentence and status 1, not with an abort.
//!
//! Sizes that data or options decide are checked before by the library, which can say more. This is for what remains. Where
//! the library copes with missing memory, the allocator returns nothing.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;

#[cfg(target_os = "linux")]
mod pool;

/// The memory of the tool: large blocks from a pool where there is one, the rest from the system; what is not there is told.
pub(crate) struct Told;

#[global_allocator]
static MEMORY: Told = Told;

// SAFETY: a block goes back to where it came from, which its layout alone decides; where there is none, the process ends or, where the
// library copes with that, nothing is returned.
unsafe impl GlobalAlloc for Told {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if large::is(layout) {
            return given(large::take(layout, false), layout.size());
        }
        // SAFETY: the caller's promises are those that the system's allocator asks for.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if large::is(layout) {
            return given(large::take(layout, true), layout.size());
        }
        // SAFETY: as above.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller promises that the size is one of a layout.
        let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        // SAFETY: as above; both blocks hold what is copied, and the old one came from here.
        unsafe {
            match (large::is(layout), large::is(wanted)) {
                (false, false) => given(System.realloc(place, layout, size), size),
                (true, true) => given(large::resize(place, layout, size), size),
                _ => {
                    let new = self.alloc(wanted);
                    if !new.is_null() {
                        std::ptr::copy_nonoverlapping(place, new, layout.size().min(size));
                        self.dealloc(place, layout);
                    }
                    new
                }
            }
        }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { if large::is(layout) { large::keep(place, layout) } else { System.dealloc(place, layout) } }
    }
}

/// Large blocks, where the system can move pages.
#[cfg(target_os = "linux")]
mod large {
    use super::pool::{LARGE, Pool};
    use std::alloc::Layout;
    use std::ptr::{null_mut, write_bytes};
    use std::sync::{Mutex, MutexGuard, PoisonError};

    static POOL: Mutex<Pool> = Mutex::new(Pool::new());

    fn pool() -> MutexGuard<'static, Pool> {
        POOL.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline(always)]
    pub(super) fn is(layout: Layout) -> bool {
        layout.size() >= LARGE && layout.align() <= LARGE / 4
    }

    #[cold]
    pub(super) fn take(layout: Layout, zeroed: bool) -> *mut u8 {
        let Some(block) = pool().take(layout.size()) else { return null_mut() };
        if zeroed {
            // SAFETY: the block begins with so many bytes.
            unsafe { write_bytes(block.start, 0, block.used.min(layout.size())) };
        }
        block.start
    }

    #[cold]
    pub(super) unsafe fn resize(place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promises.
        unsafe { pool().resize(place, layout.size(), size) }.unwrap_or(null_mut())
    }

    #[cold]
    pub(super) unsafe fn keep(place: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises.
        unsafe { pool().keep(place, layout.size()) }
    }

    pub(super) fn give_back() {
        pool().give_back();
    }
}

/// No large blocks: all are the system's.
#[cfg(not(target_os = "linux"))]
mod large {
    use std::alloc::Layout;
    use std::ptr::null_mut;

    pub(super) const fn is(_: Layout) -> bool {
        false
    }

    pub(super) const fn take(_: Layout, _: bool) -> *mut u8 {
        null_mut()
    }

    pub(super) const unsafe fn resize(_: *mut u8, _: Layout, _: usize) -> *mut u8 {
        null_mut()
    }

    pub(super) const unsafe fn keep(_: *mut u8, _: Layout) {}

    pub(super) const fn give_back() {}
}

/// Lets free memory stay with the process until the library looks for memory: every page that the system hands out anew is
/// cleared first. Large blocks stay in a pool; smaller ones stay with the GNU C library where it is told so.
pub(crate) fn keep_free_memory() {
    truefold::memory::give_back_with(large::give_back);
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: both settings may be made at any moment.
    unsafe {
        if libc::mallopt(libc::M_MMAP_THRESHOLD, 1 << 25) == 1 {
            // Nothing by itself: the library asks for it.
            libc::mallopt(libc::M_TRIM_THRESHOLD, -1);
        }
    }
}

#[inline(always)]
fn given(place: *mut u8, bytes: usize) -> *mut u8 {
    if place.is_null() && !truefold::memory::may_fail() {
        tell(bytes);
    }
    place
}

/// Says how much was asked for and ends, without asking for memory again.
#[cold]
#[inline(never)]
fn tell(bytes: usize) {
    let mut text = [0; 160];
    let mut rest = &mut text[..];
    let _ = writeln!(
        rest,
        "error: the memory is not enough: {bytes} bytes more were needed; give fewer points or neighbors, or more memory"
    );
    let left = rest.len();
    let length = text.len() - left;
    #[cfg(unix)]
    // SAFETY: the bytes are there, and both calls may be made at any moment.
    unsafe {
        libc::write(2, text.as_ptr().cast(), length);
        libc::_exit(1);
    }
    #[cfg(not(unix))]
    {
        let _ = std::io::stderr().write_all(&text[..length]);
        std::process::exit(1);
    }
}
