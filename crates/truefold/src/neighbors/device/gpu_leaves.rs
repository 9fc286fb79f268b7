//! A graphics processor that looks at leaves: rows that stay there, two batches under way, and the kernel.

use super::driver::{Address, Current, Driver, Handle};
use super::leaves::{Batch, Found, Held, Pairing, WIDEST, check_room};
use super::memory::{Memory, Pinned};
use crate::Result;
use std::ffi::c_void;
use std::ptr::{null_mut, slice_from_raw_parts};

/// Threads of a block of the kernel, and its rows.
const THREADS: u32 = 256;
const HIGH: usize = 32;
/// Bytes of the values of a block.
pub(super) const VALUE_BYTES: usize = HIGH * WIDEST * 4;
/// Bytes of rows that are sent together, about.
const PIECE: usize = 64 << 20;

/// What the kernel is given; the same as in `leaves.cu`.
#[repr(C)]
struct Task {
    rows: Address,
    squares: Address,
    ids: Address,
    reaches: Address,
    starts: Address,
    counts: Address,
    links: Address,
    stride: u32,
    room: u32,
    doubtful: f32,
}

/// One batch on both sides: who is in it, and what was found.
struct Side {
    stream: Handle,
    /// Rows, reaches and starts, of a full batch each.
    asked: Memory,
    /// Counts, then links.
    made: Memory,
    here: Pinned,
    count: usize,
}

/// A graphics processor that holds rows.
pub(super) struct GpuLeaves {
    driver: &'static Driver,
    rows: Memory,
    squares: Memory,
    sides: Vec<Side>,
    batch: usize,
    room: usize,
    stride: usize,
    doubtful: f32,
    /// The last to be dropped: memory is given back in the same context.
    _current: Current<'static>,
}

impl GpuLeaves {
    /// On the first device, with these rows sent there.
    pub(super) fn new(held: &Held) -> Result<Self> {
        let driver = Driver::get()?;
        let current = driver.enter()?;
        let (mut free, mut total) = (0, 0);
        // SAFETY: the pointers are to numbers of this function.
        driver.check(unsafe { (driver.functions.memory_info)(&mut free, &mut total) })?;
        check_room(held, free)?;
        let (count, stride) = (held.rows.squares.len(), held.stride());
        let mut leaves = Self {
            driver,
            rows: Memory::new(driver, count * stride * 4)?,
            squares: Memory::new(driver, count * 4)?,
            sides: Vec::new(),
            batch: held.batch,
            room: held.room,
            stride,
            doubtful: held.doubtful,
            _current: current,
        };
        for _ in 0..2 {
            let [asked, made] = [leaves.asked_bytes(), leaves.made_bytes()];
            let (asked, made, here) =
                (Memory::new(driver, asked)?, Memory::new(driver, made)?, Pinned::new(driver, made)?);
            let mut stream = null_mut();
            // SAFETY: the handle goes to this function.
            driver.check(unsafe { (driver.functions.stream_create)(&mut stream, 1) })?;
            leaves.sides.push(Side { stream, asked, made, here, count: 0 });
        }
        leaves.hold(held)?;
        Ok(leaves)
    }

    /// Bytes of rows, reaches and starts of a batch; a leaf has a point at the least, and the end is one more.
    fn asked_bytes(&self) -> usize {
        12 * self.batch + 4
    }

    fn made_bytes(&self) -> usize {
        self.batch * (8 + 8 * self.room)
    }

    /// Sends all rows, filled up with zeros.
    fn hold(&self, held: &Held) -> Result<()> {
        let (rows, stride) = (held.rows, self.stride);
        let piece = (PIECE / (4 * stride)).max(1);
        let mut filled = Vec::new();
        for (number, part) in rows.values.chunks(piece * rows.dim).enumerate() {
            filled.clear();
            filled.resize(part.len() / rows.dim * stride, 0.0_f32);
            let pairs = filled.chunks_exact_mut(stride).zip(part.chunks_exact(rows.dim));
            pairs.for_each(|(to, from)| to[..rows.dim].copy_from_slice(from));
            self.send(self.rows.at + (number * piece * stride * 4) as u64, &filled, 0)?;
        }
        self.send(self.squares.at, rows.squares, 0)?;
        self.wait(0)
    }

    /// Sends numbers of four bytes; copies from memory that is not pinned have read it when they return.
    fn send<T>(&self, to: Address, from: &[T], side: usize) -> Result<()> {
        let (call, bytes) = (&self.driver.functions, size_of_val(from));
        // SAFETY: callers give addresses with room for so many bytes.
        self.driver.check(unsafe { (call.copy_to)(to, from.as_ptr().cast(), bytes, self.sides[side].stream) })
    }

    /// Waits for all work of a side.
    fn wait(&self, side: usize) -> Result<()> {
        // SAFETY: the stream is alive.
        self.driver.check(unsafe { (self.driver.functions.stream_synchronize)(self.sides[side].stream) })
    }
}

impl Drop for GpuLeaves {
    fn drop(&mut self) {
        for side in &self.sides {
            // SAFETY: nothing is in use once all work has ended; a failure has been reported by the work itself.
            unsafe {
                (self.driver.functions.stream_synchronize)(side.stream);
                (self.driver.functions.stream_destroy)(side.stream);
            }
        }
    }
}

impl Pairing for GpuLeaves {
    fn start(&mut self, number: usize, batch: &Batch) -> Result<()> {
        self.sides[number].count = batch.ids.len();
        let side = &self.sides[number];
        let [ids, reaches, starts] = [0, 4, 8].map(|bytes| side.asked.at + (bytes * self.batch) as u64);
        self.send(ids, batch.ids, number)?;
        self.send(reaches, batch.reaches, number)?;
        self.send(starts, batch.starts, number)?;
        let links = side.made.at + (8 * self.batch) as u64;
        let mut task = Task {
            rows: self.rows.at,
            squares: self.squares.at,
            ids,
            reaches,
            starts,
            counts: side.made.at,
            links,
            stride: self.stride as u32,
            room: self.room as u32,
            doubtful: self.doubtful,
        };
        let mut arguments = [(&raw mut task).cast::<c_void>()];
        let (call, leaves) = (&self.driver.functions, batch.starts.len() as u32 - 1);
        // SAFETY: the kernel takes one task, which it copies when it is launched; every address in it has room for a batch.
        // What was found is read again when the stream has ended.
        unsafe {
            self.driver.check((call.launch)(
                self.driver.leaves,
                (WIDEST / HIGH) as u32,
                leaves,
                1,
                THREADS,
                1,
                1,
                VALUE_BYTES as u32,
                side.stream,
                arguments.as_mut_ptr(),
                null_mut(),
            ))?;
            let bytes = self.batch * 8 + side.count * 8 * self.room;
            self.driver.check((call.copy_from)(side.here.at, side.made.at, bytes, side.stream))
        }
    }

    fn found(&mut self, number: usize) -> Result<Found<'_>> {
        self.wait(number)?;
        let (side, room) = (&self.sides[number], self.room);
        // SAFETY: the memory has this layout, every bit pattern is a number, and the copy that wrote it has ended.
        unsafe {
            let at = side.here.at.cast::<u8>();
            Ok(Found {
                counts: &*slice_from_raw_parts(at.cast(), side.count),
                links: &*slice_from_raw_parts(at.add(8 * self.batch).cast(), side.count * room),
                room,
            })
        }
    }
}
