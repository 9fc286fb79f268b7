//! Arrays of other libraries in the memory of the graphics processor.

use super::driver::Driver;
use super::missing;
use crate::{Resident, Result};
use std::any::Any;
use std::sync::Arc;

impl Resident {
    /// Numbers at this address of the graphics processor that searches use, which live there as long as their owner; an error
    /// if there is no such device, or if its memory is not what lies there.
    ///
    /// With the handle of a stream, what was asked of it before is waited for: 1 is the default stream of the device, 2 that of
    /// the thread. The context is the primary one, which PyTorch and CuPy use.
    ///
    /// # Safety
    ///
    /// The stream, if there is one, is alive.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use truefold::Resident;
    ///
    /// let error = unsafe { Resident::new(64, None, Arc::new(())) }.unwrap_err().to_string();
    /// assert!(error.starts_with("device = gpu cannot be used: "), "{error}");
    /// ```
    pub unsafe fn new(address: u64, stream: Option<u64>, owner: Arc<dyn Any + Send + Sync>) -> Result<Self> {
        // SAFETY: as the caller says.
        unsafe { Self::by(Driver::get()?, address, stream, owner) }
    }

    /// The same by a driver.
    ///
    /// # Safety
    ///
    /// As above.
    pub(super) unsafe fn by(
        driver: &Driver,
        address: u64,
        stream: Option<u64>,
        owner: Arc<dyn Any + Send + Sync>,
    ) -> Result<Self> {
        let _current = driver.enter()?;
        if !driver.holds(address) {
            return Err(missing(&format!("no memory of {} lies at address {address:#x}", driver.name)));
        }
        if let Some(stream) = stream {
            let stream = std::ptr::with_exposed_provenance_mut(stream as usize);
            // SAFETY: the stream is alive, as the caller says.
            driver.check(unsafe { (driver.functions.stream_synchronize)(stream) })?;
        }
        Ok(Self::at(address, owner))
    }
}
