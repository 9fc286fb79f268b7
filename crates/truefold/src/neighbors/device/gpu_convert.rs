//! Operands of rows that lie on the graphics processor already, made there by the kernel of `convert.cu`.

use super::driver::{Address, Driver, Handle};
use super::memory::Memory;
use super::operands::Raw;
use super::scanner::TILE;
use crate::{Precision, Result};
use std::ffi::c_void;
use std::ptr::null_mut;

/// Threads of a block of the kernel, and its rows.
const THREADS: u32 = 256;
const ROWS: usize = 32;

/// What the kernel is given; the same as in `convert.cu`.
#[repr(C)]
struct Task {
    rows: Address,
    mean: Address,
    units: Address,
    ids: Address,
    operands: [Address; 3],
    scale: f64,
    ratio: f64,
    share: f64,
    kind: u32,
    dim: u32,
    stride: u32,
    count: u32,
}

/// What all conversions of a pass share, on the device.
pub(super) struct Held {
    driver: &'static Driver,
    mean: Memory,
    units: Option<Memory>,
    /// The numbers of the rows of a piece, for each room.
    ids: [Memory; 2],
}

impl Held {
    /// For pieces of so many rows; sent by way of a stream.
    pub(super) fn new(driver: &'static Driver, raw: &Raw, piece: usize, stream: Handle) -> Result<Self> {
        let units: Option<Vec<[f64; 3]>> = raw.units.map(|units| units.iter().map(|unit| unit.numbers()).collect());
        let held = Self {
            driver,
            mean: Memory::new(driver, size_of_val(raw.mean))?,
            units: units.as_ref().map(|units| Memory::new(driver, size_of_val(&units[..]))).transpose()?,
            ids: [Memory::new(driver, piece * 4)?, Memory::new(driver, piece * 4)?],
        };
        held.send(held.mean.at, raw.mean, stream)?;
        if let (Some(to), Some(units)) = (&held.units, &units) {
            held.send(to.at, units, stream)?;
        }
        // Conversions of either queue read it.
        // SAFETY: the stream is alive.
        driver.check(unsafe { (driver.functions.stream_synchronize)(stream) })?;
        Ok(held)
    }

    /// Makes operands of these rows, up to the end of the last tile, at these addresses: both halves, and terms.
    pub(super) fn convert(
        &self,
        raw: &Raw,
        (ids, side): (&[u32], usize),
        (operands, stride): ([Address; 3], usize),
        stream: Handle,
    ) -> Result<()> {
        self.send(self.ids[side].at, ids, stream)?;
        let mut task = Task {
            rows: raw.address,
            mean: self.mean.at,
            units: self.units.as_ref().map_or(0, |units| units.at),
            ids: self.ids[side].at,
            operands,
            scale: raw.scale,
            ratio: raw.bound.ratio,
            share: raw.bound.share,
            kind: kind_of(raw.precision),
            dim: raw.dim as u32,
            stride: stride as u32,
            count: ids.len() as u32,
        };
        let mut arguments = [(&raw mut task).cast::<c_void>()];
        let blocks = ids.len().next_multiple_of(TILE) / ROWS;
        // SAFETY: the kernel takes one task, which it copies when it is launched; every address in it has the room that the plan
        // says, the rows lie where their owner said, and what a row writes is its own.
        self.driver.check(unsafe {
            (self.driver.functions.launch)(
                self.driver.convert,
                blocks as u32,
                1,
                1,
                THREADS,
                1,
                1,
                0,
                stream,
                arguments.as_mut_ptr(),
                null_mut(),
            )
        })
    }

    /// Sends numbers; copies from memory that is not pinned have read it when they return.
    fn send<T>(&self, to: Address, from: &[T], stream: Handle) -> Result<()> {
        let (call, bytes) = (&self.driver.functions, size_of_val(from));
        // SAFETY: callers give addresses with room for so many bytes.
        self.driver.check(unsafe { (call.copy_to)(to, from.as_ptr().cast(), bytes, stream) })
    }
}

/// How the kernel calls a precision.
fn kind_of(precision: Precision) -> u32 {
    match precision {
        Precision::Double => 0,
        Precision::Single => 1,
        Precision::Half => 2,
        Precision::Byte => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_task_has_the_layout_of_the_kernel() {
        let source = include_str!("convert.cu");
        let task = &source[source.find("struct Task {").unwrap()..];
        let names: Vec<&str> = task[..task.find("};").unwrap()]
            .lines()
            .filter_map(|line| line.split(';').next().filter(|_| line.contains(';'))?.split([' ', '*']).next_back())
            .collect();
        assert_eq!(names.join(" "), "rows mean units ids high low terms scale ratio share kind dim stride count");
        assert_eq!(size_of::<Task>(), 10 * 8 + 4 * 4);
        assert_eq!(std::mem::offset_of!(Task, scale), 56);
        // The kernel's kinds are in the order of this list.
        let kinds = [Precision::Double, Precision::Single, Precision::Half, Precision::Byte];
        assert_eq!(kinds.map(kind_of), [0, 1, 2, 3]);
        assert!(source.contains("0 double, 1 single, 2 half precision, 3 bytes"));
    }
}
