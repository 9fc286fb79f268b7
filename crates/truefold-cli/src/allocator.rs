//! Memory that the system does not give ends the tool with a sentence and status 1, not with an abort.
//!
//! Sizes that data or options decide are checked before by the library, which can say more. This is for what remains.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;

/// The system's memory; what it does not give is told.
pub(crate) struct Told;

#[global_allocator]
static MEMORY: Told = Told;

// SAFETY: all calls go to the system's allocator as they are; where that fails, the process ends.
unsafe impl GlobalAlloc for Told {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are those that the system's allocator asks for.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        given(unsafe { System.realloc(place, layout, size) }, size)
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(place, layout) }
    }
}

/// Lets the GNU C library keep free memory for what comes next. By itself it takes every larger list from
/// the system, which clears each page first. The library gives memory back between its large stages. Other libraries, musl
/// among them, have no such settings; versions of the GNU library before 2.35 take at most 32 megabytes.
pub(crate) fn keep_free_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: both settings may be made at any moment.
    unsafe {
        if libc::mallopt(libc::M_MMAP_THRESHOLD, i32::MAX) == 1 || libc::mallopt(libc::M_MMAP_THRESHOLD, 1 << 25) == 1 {
            // Nothing by itself: the library asks for it.
            libc::mallopt(libc::M_TRIM_THRESHOLD, -1);
        }
    }
}

#[inline(always)]
fn given(place: *mut u8, bytes: usize) -> *mut u8 {
    if place.is_null() {
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
