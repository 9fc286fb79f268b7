//! Memory that large stages leave free goes back to the system before the next one begins.
//!
//! The allocator of the GNU C library keeps pieces of less than some megabytes, so that a stage of many threads may leave
//! hundreds of bytes a point that the next cannot use. Cost: some milliseconds a gigabyte.

/// Below so many bytes it is not worth the time.
const MUCH: usize = 1 << 26;

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
