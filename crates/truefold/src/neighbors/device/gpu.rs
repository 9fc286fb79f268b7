//! A graphics processor as a scanner: memory, copies, and the kernel.
//!
//! Each of two streams does its work in order; events let lists wait for the scan before, and the room for a piece for its copy.

use super::driver::{Address, Current, Driver, Handle};
use super::gpu_convert::Held;
use super::memory::{Memory, Pinned};
use super::operands::{Raw, STEP, Slab};
use super::scanner::{Batch, Chunk, Lists, Plan, Scanner, TILE, Taken, Target};
use crate::Result;
use std::ffi::c_void;
use std::ptr::{null_mut, slice_from_raw_parts, slice_from_raw_parts_mut};

/// Threads of a block of the kernel.
const THREADS: u32 = 128;
/// Blocks that a multiprocessor works on at a time.
const BLOCKS: usize = 2;
/// Bytes of the kernel's ring: four steps of both operands.
pub(super) const RING_BYTES: usize = 4 * 2 * TILE * STEP * 2;
/// Entries are written after an event, without times.
const WITHOUT_TIMES: u32 = 2;
/// A number that no row has.
const NOBODY: u32 = u32::MAX;

/// Operands of some rows on the device: their halves one after the other, and their terms.
struct Place {
    halves: Memory,
    terms: Memory,
    rows: usize,
}

impl Place {
    fn new(driver: &'static Driver, plan: &Plan, rows: usize) -> Result<Self> {
        Ok(Self {
            halves: Memory::new(driver, rows * plan.stride * 2 * plan.halves.count())?,
            terms: Memory::new(driver, rows * 8)?,
            rows,
        })
    }
}

/// Room for a piece on this side.
struct Side {
    halves: Pinned,
    terms: Pinned,
    sent: Handle,
}

/// Lists of a batch on both sides.
struct Batched {
    rows: Option<Place>,
    ids: Memory,
    growing: Memory,
    handed: Memory,
    here: Pinned,
    scanned: Handle,
    handed_over: Handle,
    count: usize,
    among_columns: Option<usize>,
}

/// What the kernel is given; the same as in `scan.cu`.
#[repr(C)]
struct Task {
    rows: [Address; 3],
    columns: [Address; 3],
    lists: [Address; 6],
    ids: Address,
    first_column: u32,
    tiles: u32,
    steps: u32,
    parts: u32,
    capacity: u32,
    keep: u32,
    last: u32,
}

/// A graphics processor.
pub(super) struct Gpu {
    driver: &'static Driver,
    streams: [Handle; 2],
    plan: Option<Plan>,
    places: Vec<Place>,
    sides: Vec<Side>,
    batched: Vec<Batched>,
    held: Option<Held>,
    limit: usize,
    /// The last to be dropped: memory is given back in the same context.
    _current: Current<'static>,
}

impl Gpu {
    /// On the first device; at most `limit` bytes of its memory are used.
    pub(super) fn new(limit: usize) -> Result<Self> {
        let driver = Driver::get()?;
        let current = driver.enter()?;
        let mut streams = [null_mut(); 2];
        for stream in &mut streams {
            // SAFETY: the handle goes to this function.
            driver.check(unsafe { (driver.functions.stream_create)(stream, 1) })?;
        }
        Ok(Self {
            driver,
            streams,
            plan: None,
            places: Vec::new(),
            sides: Vec::new(),
            batched: Vec::new(),
            held: None,
            limit,
            _current: current,
        })
    }

    fn plan(&self) -> Plan {
        match self.plan {
            Some(plan) => plan,
            None => unreachable!("a plan is opened before anything is sent"),
        }
    }

    fn event(&self) -> Result<Handle> {
        let mut event = null_mut();
        // SAFETY: the handle goes to this function.
        self.driver.check(unsafe { (self.driver.functions.event_create)(&mut event, WITHOUT_TIMES) })?;
        Ok(event)
    }

    fn record(&self, event: Handle, queue: usize) -> Result<()> {
        // SAFETY: both handles are alive.
        self.driver.check(unsafe { (self.driver.functions.event_record)(event, self.streams[queue]) })
    }

    fn wait(&self, event: Handle) -> Result<()> {
        // SAFETY: the handle is alive.
        self.driver.check(unsafe { (self.driver.functions.event_synchronize)(event) })
    }

    fn copy_to(&self, to: Address, from: *const c_void, bytes: usize, queue: usize) -> Result<()> {
        // SAFETY: callers give addresses with room for so many bytes on both sides, which live until the copy has ended.
        self.driver.check(unsafe { (self.driver.functions.copy_to)(to, from, bytes, self.streams[queue]) })
    }

    /// Lets go of all room.
    fn close(&mut self) {
        // SAFETY: nothing is in use once all work has ended; a failure has been reported by the work itself.
        unsafe { (self.driver.functions.synchronize)() };
        for event in self.sides.iter().map(|side| side.sent).chain(self.batched.iter().flat_map(Batched::events)) {
            // SAFETY: the event was created by the same driver and is not used again.
            unsafe { (self.driver.functions.event_destroy)(event) };
        }
        self.places.clear();
        self.sides.clear();
        self.batched.clear();
        self.held = None;
    }

    /// Where operands go.
    fn place(&self, target: Target) -> &Place {
        match target {
            Target::Columns(place) => &self.places[place],
            Target::Rows(lists) => match &self.batched[lists].rows {
                Some(rows) => rows,
                None => unreachable!("rows are sent where the plan has a place for them"),
            },
        }
    }

    /// The addresses of operands from row `first` on: both halves, and terms.
    fn operands(&self, place: &Place, first: usize) -> [Address; 3] {
        let (width, half) = (self.plan().stride * 2, place.rows * self.plan().stride * 2);
        let low = if self.plan().halves.count() == 2 { place.halves.at + (half + first * width) as u64 } else { 0 };
        [place.halves.at + (first * width) as u64, low, place.terms.at + (first * 8) as u64]
    }
}

impl Batched {
    fn events(&self) -> [Handle; 2] {
        [self.scanned, self.handed_over]
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        self.close();
        for stream in self.streams {
            // SAFETY: all its work has ended.
            unsafe { (self.driver.functions.stream_destroy)(stream) };
        }
    }
}

impl Scanner for Gpu {
    fn free(&self) -> Result<usize> {
        let (mut free, mut total) = (0, 0);
        // SAFETY: the pointers are to numbers of this function.
        self.driver.check(unsafe { (self.driver.functions.memory_info)(&mut free, &mut total) })?;
        // What an earlier plan holds is given back before the next is opened.
        let held = self.plan.map_or(0, |plan| plan.bytes());
        Ok((free + held).min(self.limit))
    }

    fn wave(&self) -> usize {
        self.driver.multiprocessors * BLOCKS * TILE
    }

    fn open(&mut self, plan: &Plan) -> Result<()> {
        self.close();
        self.plan = Some(*plan);
        let driver = self.driver;
        for _ in 0..plan.places {
            self.places.push(Place::new(driver, plan, plan.columns)?);
        }
        for _ in 0..2 {
            let halves = Pinned::new(driver, plan.piece * plan.stride * 2 * plan.halves.count())?;
            self.sides.push(Side { halves, terms: Pinned::new(driver, plan.piece * 8)?, sent: self.event()? });
        }
        for _ in 0..plan.lists {
            let rows = plan.own_rows.then(|| Place::new(driver, plan, plan.batch)).transpose()?;
            self.batched.push(Batched {
                rows,
                ids: Memory::new(driver, plan.batch * 4)?,
                growing: Memory::new(driver, plan.batch * (8 + 8 * plan.capacity()))?,
                handed: Memory::new(driver, plan.batch * (8 + 8 * plan.handed()))?,
                here: Pinned::new(driver, plan.batch * (8 + 8 * plan.handed()))?,
                scanned: self.event()?,
                handed_over: self.event()?,
                count: 0,
                among_columns: None,
            });
        }
        Ok(())
    }

    fn stage(&mut self, side: usize) -> Result<Slab<'_>> {
        let (plan, side) = (self.plan(), &self.sides[side]);
        self.wait(side.sent)?;
        let numbers = plan.piece * plan.stride;
        let low = if plan.halves.count() == 2 { numbers } else { 0 };
        // SAFETY: the memory has room for these, every bit pattern is a number, and the copy that read it has ended.
        unsafe {
            Ok(Slab {
                high: &mut *slice_from_raw_parts_mut(side.halves.at.cast(), numbers),
                low: &mut *slice_from_raw_parts_mut(side.halves.at.cast::<u16>().add(numbers), low),
                terms: &mut *slice_from_raw_parts_mut(side.terms.at.cast(), plan.piece),
            })
        }
    }

    fn send(&mut self, side: usize, queue: usize, (target, first): (Target, usize), count: usize) -> Result<()> {
        let plan = self.plan();
        let (to, side, bytes) = (self.operands(self.place(target), first), &self.sides[side], count * plan.stride * 2);
        self.copy_to(to[0], side.halves.at, bytes, queue)?;
        if plan.halves.count() == 2 {
            // SAFETY: the second halves follow all of the first.
            let low = unsafe { side.halves.at.cast::<u16>().add(plan.piece * plan.stride) };
            self.copy_to(to[1], low.cast(), bytes, queue)?;
        }
        self.copy_to(to[2], side.terms.at, count * 8, queue)?;
        self.record(side.sent, queue)
    }

    fn hold(&mut self, raw: &Raw) -> Result<()> {
        self.held = Some(Held::new(self.driver, raw, self.plan().piece, self.streams[0])?);
        Ok(())
    }

    fn convert(&mut self, raw: &Raw, rows: &Taken) -> Result<&[[f32; 2]]> {
        let (plan, stream, side) = (self.plan(), self.streams[rows.queue], &self.sides[rows.side]);
        let Some(held) = &self.held else { unreachable!("rows are held before operands are made of them") };
        let to = self.operands(self.place(rows.target.0), rows.target.1);
        self.wait(side.sent)?;
        held.convert(raw, (rows.ids, rows.side), (to, plan.stride), stream)?;
        let bytes = rows.ids.len() * 8;
        // SAFETY: both sides have so many bytes; they are read again after the event.
        self.driver.check(unsafe { (self.driver.functions.copy_from)(side.terms.at, to[2], bytes, stream) })?;
        self.record(side.sent, rows.queue)?;
        self.wait(side.sent)?;
        // SAFETY: the memory has room for these, every bit pattern is a number, and the copy that wrote it has ended.
        Ok(unsafe { &*slice_from_raw_parts(side.terms.at.cast(), rows.ids.len()) })
    }

    fn begin(&mut self, lists: usize, queue: usize, batch: &Batch) -> Result<()> {
        let size = self.plan().batch;
        let padded = batch.ids.len().next_multiple_of(TILE);
        let (mut ids, mut thresholds) = (batch.ids.to_vec(), batch.thresholds.to_vec());
        ids.resize(padded, NOBODY);
        // Nothing is below it, so what fills up the last tile has empty lists.
        thresholds.resize(padded, f32::NEG_INFINITY);
        let batched = &mut self.batched[lists];
        (batched.count, batched.among_columns) = (batch.ids.len(), batch.among_columns);
        let (to, growing) = (batched.ids.at, batched.growing.at);
        self.copy_to(to, ids.as_ptr().cast(), padded * 4, queue)?;
        self.copy_to(growing, thresholds.as_ptr().cast(), padded * 4, queue)?;
        // SAFETY: the counts follow the thresholds of a full batch. Copies from memory that is not pinned have read it when
        // they return, so the vectors may go.
        self.driver
            .check(unsafe { (self.driver.functions.fill)(growing + (size * 4) as u64, 0, padded, self.streams[queue]) })
    }

    fn scan(&mut self, chunk: &Chunk) -> Result<()> {
        let (plan, stream) = (self.plan(), self.streams[chunk.queue]);
        let batched = &self.batched[chunk.lists];
        let rows = match (&batched.rows, batched.among_columns) {
            (_, Some(first)) => self.operands(&self.places[0], first),
            (Some(rows), None) => self.operands(rows, 0),
            (None, None) => unreachable!("rows have a place or are among the columns"),
        };
        let parts = |at: Address| [0, 4, 8].map(|offset| at + (offset * plan.batch) as u64);
        let ([a, b, c], [d, e, f]) = (parts(batched.growing.at), parts(batched.handed.at));
        let mut task = Task {
            rows,
            columns: self.operands(&self.places[chunk.place], 0),
            lists: [a, b, c, d, e, f],
            ids: batched.ids.at,
            first_column: chunk.first as u32,
            tiles: chunk.count.div_ceil(TILE) as u32,
            steps: (plan.stride / STEP) as u32,
            parts: if plan.halves.count() == 2 { 3 } else { 1 },
            capacity: plan.capacity() as u32,
            keep: plan.keep as u32,
            last: u32::from(chunk.last),
        };
        let mut arguments = [(&raw mut task).cast::<c_void>()];
        let (call, blocks) = (&self.driver.functions, batched.count.div_ceil(TILE) as u32);
        // Lists may have grown, and columns may still be on their way, on the other queue.
        for event in self.sides.iter().map(|side| side.sent).chain([batched.scanned]) {
            // SAFETY: both handles are alive; an event that was never recorded is not waited for.
            self.driver.check(unsafe { (call.stream_wait_event)(stream, event, 0) })?;
        }
        // SAFETY: the kernel takes one task, which it copies when it is launched; every address in it has the room that the
        // plan says, and what a row writes is its own.
        self.driver.check(unsafe {
            (call.launch)(
                self.driver.scan,
                blocks,
                1,
                1,
                THREADS,
                1,
                1,
                RING_BYTES as u32,
                stream,
                arguments.as_mut_ptr(),
                null_mut(),
            )
        })?;
        self.record(batched.scanned, chunk.queue)?;
        if chunk.last {
            let bytes = plan.batch * (8 + 8 * plan.handed());
            // SAFETY: both sides have so many bytes; they are read again after the event.
            self.driver.check(unsafe { (call.copy_from)(batched.here.at, batched.handed.at, bytes, stream) })?;
            self.record(batched.handed_over, chunk.queue)?;
        }
        Ok(())
    }

    fn lists(&mut self, lists: usize) -> Result<Lists<'_>> {
        let (plan, batched) = (self.plan(), &self.batched[lists]);
        self.wait(batched.handed_over)?;
        let width = plan.handed();
        // SAFETY: the memory has this layout, every bit pattern is a number, and the copy that wrote it has ended.
        unsafe {
            let at = batched.here.at.cast::<u32>();
            Ok(Lists {
                thresholds: &*slice_from_raw_parts(at.cast::<f32>(), batched.count),
                counts: &*slice_from_raw_parts(at.add(plan.batch), batched.count),
                entries: &*slice_from_raw_parts(at.add(2 * plan.batch).cast(), batched.count * width),
                width,
            })
        }
    }
}
