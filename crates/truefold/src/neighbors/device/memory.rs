//! Memory for a graphics processor, on both sides, given back when it is dropped.

use super::driver::{Address, Driver};
use crate::Result;
use std::ffi::c_void;
use std::ptr::null_mut;

/// Memory of the device, given back when it is dropped.
pub(super) struct Memory {
    driver: &'static Driver,
    pub(super) at: Address,
}

impl Memory {
    pub(super) fn new(driver: &'static Driver, bytes: usize) -> Result<Self> {
        let mut at = 0;
        // SAFETY: the pointer is to a number of this function.
        driver.check(unsafe { (driver.functions.allocate)(&mut at, bytes.max(16)) })?;
        Ok(Self { driver, at })
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: it was allocated by the same driver, and nothing refers to it any more.
        unsafe { (self.driver.functions.free)(self.at) };
    }
}

/// Memory of this side that copies read and write by themselves.
pub(super) struct Pinned {
    driver: &'static Driver,
    pub(super) at: *mut c_void,
}

impl Pinned {
    pub(super) fn new(driver: &'static Driver, bytes: usize) -> Result<Self> {
        let mut at = null_mut();
        // SAFETY: the pointer is to a pointer of this function; the memory is written once, so that all of it has a value.
        unsafe {
            driver.check((driver.functions.allocate_host)(&mut at, bytes.max(16), 0))?;
            std::ptr::write_bytes(at.cast::<u8>(), 0, bytes.max(16));
        }
        Ok(Self { driver, at })
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        // SAFETY: as for memory of the device.
        unsafe { (self.driver.functions.free_host)(self.at) };
    }
}
