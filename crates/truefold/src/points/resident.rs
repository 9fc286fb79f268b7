//! Numbers of a table that lie in the memory of a graphics processor too.

use super::Points;
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// The numbers of a table in the memory of a graphics processor, row by row and in the same precision, and what keeps them there.
///
/// [`Resident::new`] makes one, [`Points::with_resident`] gives it to the table: a search on the device then reads the rows there
/// instead of sending them.
#[derive(Clone)]
pub struct Resident {
    address: u64,
    _owner: Arc<dyn Any + Send + Sync>,
}

impl Resident {
    /// At this address, as long as the owner lives.
    pub(crate) fn at(address: u64, owner: Arc<dyn Any + Send + Sync>) -> Self {
        Self { address, _owner: owner }
    }

    /// Where the first number lies.
    ///
    /// ```no_run
    /// # fn address(resident: truefold::Resident) -> u64 {
    /// resident.address()
    /// # }
    /// ```
    pub fn address(&self) -> u64 {
        self.address
    }
}

impl fmt::Debug for Resident {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Resident").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Points {
    /// With the same numbers in the memory of a graphics processor, where a search on the device reads them.
    ///
    /// # Safety
    ///
    /// As many numbers as the table has lie there, in the same order and precision, and they stay the same as long as the
    /// table or a copy of it lives.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use truefold::{Points, Resident};
    ///
    /// let points = Points::new(2, 1, vec![0.0, 1.0])?;
    /// // An array of another library that lies on the device, where there is one; nothing is at this address.
    /// let points = match unsafe { Resident::new(64, None, Arc::new(())) } {
    ///     Ok(resident) => unsafe { points.with_resident(resident) },
    ///     Err(_) => points,
    /// };
    /// assert!(points.resident().is_none());
    /// # Ok::<(), truefold::Error>(())
    /// ```
    #[must_use]
    pub unsafe fn with_resident(mut self, resident: Resident) -> Self {
        self.resident = Some(resident);
        self
    }

    /// The same numbers in the memory of a graphics processor, if they lie there.
    pub fn resident(&self) -> Option<&Resident> {
        self.resident.as_ref()
    }
}
