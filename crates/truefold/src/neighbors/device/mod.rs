//! All pairs on a graphics processor: candidates in half precision on its tensor cores, proven in double precision here; and
//! the leaves of the approximate search, in single precision with the bits of the processor (`leaves.rs`).
//!
//! The device gives each row a short list with lower bounds of all that is not in it (`operands.rs` has the bound, `scan.cu` the
//! kernel). Values are summed by the code that sums them everywhere, and the bounds tell whether a list holds all neighbors
//! (`proof.rs`); so the lists are those of the processor, bit for bit, ties by row. Rows without a proof go through a
//! further pass, and at last to the processor (`passes.rs`). Cost: n^2 q products on the device.

mod driver;
#[cfg(test)]
mod emulated;
#[cfg(test)]
mod emulated_convert;
#[cfg(test)]
mod emulated_leaves;
mod gpu;
mod gpu_convert;
mod gpu_leaves;
mod leaves;
#[cfg(test)]
mod leaves_tests;
mod memory;
mod operands;
mod passes;
mod proof;
mod resident;
#[cfg(test)]
mod resident_tests;
mod scanner;
#[cfg(test)]
mod tests;

use super::shortlist::Emit;
use super::{Algorithm, Norm, Reach, Space, Tiles};
use crate::error::Advice;
use crate::{Device, Error, Result, Run};
use driver::Driver;
use gpu::Gpu;
pub(super) use leaves::RemoteLeaves;
use operands::Operands;
use passes::Passes;
use std::cell::Cell;
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Duration;

/// The kernels in the driver's language, made by `cargo xtask kernels` from the files beside them; the driver reads up to the zero.
const SCAN: &str = concat!(include_str!("scan.ptx"), "\0");
const LEAVES: &str = concat!(include_str!("leaves.ptx"), "\0");
const CONVERT: &str = concat!(include_str!("convert.ptx"), "\0");

impl Device {
    /// The graphics processor that a search would use and its driver's version of CUDA, or what is missing.
    ///
    /// ```
    /// use truefold::Device;
    ///
    /// match Device::found() {
    ///     Ok((name, version)) => assert!(!name.is_empty() && version.contains('.')),
    ///     Err(error) => assert!(error.to_string().starts_with("device = gpu cannot be used: ")),
    /// }
    /// ```
    pub fn found() -> Result<(String, String)> {
        Driver::get().map(|driver| (driver.name.clone(), driver.version.clone()))
    }

    /// This device, unless it is missing.
    ///
    /// ```
    /// use truefold::Device;
    ///
    /// assert_eq!(Device::Auto.or_missing(), Ok(Device::Auto));
    /// assert_eq!(Device::Gpu.or_missing().is_ok(), Device::found().is_ok());
    /// ```
    pub fn or_missing(self) -> Result<Self> {
        if self == Self::Gpu {
            Driver::get()?;
        }
        Ok(self)
    }
}

/// The error of a device that cannot be used.
fn missing(what: &str) -> Error {
    Error::parameter("device", "gpu", format!("cannot be used: {what}"), advice())
}

fn advice() -> Advice {
    Advice::change("device", "choose auto or cpu for {device}")
}

/// The error of a device with so many free bytes where more are needed.
fn too_little(free: usize) -> Error {
    let advice = Advice::change("device", "choose cpu for {device}, or free memory of the device");
    let why = format!("has {free} free bytes of memory, which is too little for this search");
    Error::parameter("device", "gpu", why, advice)
}

/// An error unless a device can make such a search.
pub(super) fn check(algorithm: Algorithm, reach: Reach, space: &Space) -> Result<()> {
    let why = match (algorithm, reach, space.norm()) {
        (Algorithm::Tree, _, _) => "cannot be used with this {algorithm}: a tree is searched on the processor",
        (_, Reach::Within(_), _) => {
            "cannot be used with {radius}: only a number of nearest neighbors is searched there"
        }
        (_, _, Norm::Absolutes) => {
            "cannot be used with this {metric}: distances there are euclidean, cosine or correlation"
        }
        _ if space.dim() > Tiles::MOST_DIM => "cannot be used for so many coordinates",
        _ => return Ok(()),
    };
    Err(Error::parameter("device", "gpu", why, advice()))
}

/// Nanoseconds of work on all threads from which a device is worth the copies: more than it takes to begin.
const WORTH: f64 = 1.5e9;

/// Whether all pairs, of so many nanoseconds on one thread, are better searched on a device, and there is one.
pub(super) fn is_better(space: &Space, reach: Reach, by_pairs: f64, run: &Run) -> bool {
    check(Algorithm::Brute, reach, space).is_ok() && is_worth(by_pairs, run.threads()) && Driver::get().is_ok()
}

fn is_worth(nanoseconds: f64, threads: usize) -> bool {
    nanoseconds / threads as f64 > WORTH
}

/// All pairs on a device.
pub(super) struct Remote<'a> {
    space: &'a Space<'a>,
    /// Whether the processor takes over in silence where the device fails.
    lenient: bool,
}

impl<'a> Remote<'a> {
    /// With the device that there is, or an error.
    pub(super) fn new(space: &'a Space<'a>) -> Result<Self> {
        Driver::get()?;
        Ok(Self { space, lenient: false })
    }

    /// The same where the processor serves as well.
    pub(super) fn or_processor(space: &'a Space<'a>) -> Self {
        Self { space, lenient: true }
    }

    /// Gives `emit` the lists that the device proves; the rows that it does not, or nothing where all are left to the processor.
    pub(super) fn each_nearest(&self, k: usize, emit: Emit, run: &Run) -> Result<Option<Vec<u32>>> {
        let Some(_turn) = Turn::wait(self.lenient, run)? else { return Ok(None) };
        match on_device(self.space, k, emit, run) {
            Err(error) if self.lenient && error != Error::Cancelled => Ok(None),
            found => found.map(Some),
        }
    }

    pub(super) fn space(&self) -> &'a Space<'a> {
        self.space
    }
}

/// One search at a time has the device.
static BUSY: Mutex<()> = Mutex::new(());

thread_local! {
    /// Whether a search of this thread has the device: while it waits for its tasks it may begin another search.
    static HERE: Cell<bool> = const { Cell::new(false) };
}

/// How long a search waits before it looks again whether the device is free.
const PAUSE: Duration = Duration::from_millis(2);

/// The device, for as long as this lives.
struct Turn {
    _busy: MutexGuard<'static, ()>,
}

impl Turn {
    /// The device once it is free; nothing where the processor is to do the work instead: a search within a search, or one
    /// that need not wait.
    fn wait(lenient: bool, run: &Run) -> Result<Option<Self>> {
        if HERE.get() {
            return Ok(None);
        }
        let busy = loop {
            match BUSY.try_lock() {
                Ok(busy) => break busy,
                Err(TryLockError::Poisoned(busy)) => break busy.into_inner(),
                Err(TryLockError::WouldBlock) if lenient => return Ok(None),
                Err(TryLockError::WouldBlock) => {
                    run.check()?;
                    std::thread::sleep(PAUSE);
                }
            }
        };
        HERE.set(true);
        Ok(Some(Self { _busy: busy }))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        HERE.set(false);
    }
}

/// Gives `emit` the lists that the device proves; the rows that it does not.
fn on_device(space: &Space, k: usize, emit: Emit, run: &Run) -> Result<Vec<u32>> {
    let gpu = Gpu::new(usize::MAX)?;
    Passes::new(Operands::new(space, run)?, gpu, k).each_nearest(emit, run)
}
