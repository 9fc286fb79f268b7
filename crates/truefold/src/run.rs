//! A run: the seed, the threads, where neighbors are searched, the progress report, and how to stop.

mod threads;

use crate::error::{Advice, Bound};
use crate::memory::{self, share_addresses};
use crate::{Device, Error, Result};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Chunks whose results are held at a time where work goes in waves.
const CHUNKS_OF_A_WAVE: usize = 256;

/// Receives the progress of a long computation. Calls come from any thread.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicU64, Ordering};
/// use truefold::{Progress, Run};
///
/// #[derive(Default)]
/// struct Steps(AtomicU64);
///
/// impl Progress for Steps {
///     fn begin(&self, _stage: &str, _total: u64) {}
///     fn advance(&self, steps: u64) {
///         self.0.fetch_add(steps, Ordering::Relaxed);
///     }
///     fn end(&self) {}
/// }
///
/// let steps = Arc::new(Steps::default());
/// let run = Run::new().with_progress(steps.clone());
/// run.chunks("work", 100, 10, |_| Ok(()))?;
/// assert_eq!(steps.0.load(Ordering::Relaxed), 100);
/// # Ok::<(), truefold::Error>(())
/// ```
pub trait Progress: Send + Sync {
    /// A stage of `total` steps begins.
    fn begin(&self, stage: &str, total: u64);
    /// `steps` more steps of the stage are done.
    fn advance(&self, steps: u64);
    /// The stage is over.
    fn end(&self);
}

struct Silent;

impl Progress for Silent {
    fn begin(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
    fn end(&self) {}
}

/// Puts the name of a task before the names of its stages.
struct Named {
    task: String,
    inner: Arc<dyn Progress>,
}

impl Progress for Named {
    fn begin(&self, stage: &str, total: u64) {
        self.inner.begin(&format!("{}: {stage}", self.task), total);
    }
    fn advance(&self, steps: u64) {
        self.inner.advance(steps);
    }
    fn end(&self) {
        self.inner.end();
    }
}

/// How a computation is run: the seed, the threads, where neighbors are searched, the progress report, and how to stop it.
///
/// Only the seed changes results: the same seed gives the same bits on any number of threads and on any device.
///
/// ```
/// use truefold::Run;
///
/// let run = Run::new().with_seed(7).with_threads(2)?;
/// let squares: Vec<usize> = run.chunks("squares", 10, 4, |range| Ok(range.map(|i| i * i).collect::<Vec<_>>()))?.concat();
/// assert_eq!(squares[9], 81);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Clone)]
pub struct Run {
    seed: u64,
    pool: Option<Arc<rayon::ThreadPool>>,
    device: Device,
    progress: Arc<dyn Progress>,
    cancel: Arc<AtomicBool>,
    /// How often memory had been short when it was made.
    shortages: u64,
}

impl Default for Run {
    fn default() -> Self {
        Self {
            seed: 0,
            pool: None,
            device: Device::default(),
            progress: Arc::new(Silent),
            cancel: Arc::new(AtomicBool::new(false)),
            shortages: memory::times(),
        }
    }
}

impl std::fmt::Debug for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Run").field("seed", &self.seed).field("threads", &self.threads()).finish_non_exhaustive()
    }
}

impl Run {
    /// Seed 0, all cores, no progress report.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same, after starting the threads that all runs without threads of their own share: as many as the system
    /// grants, and if it grants none, the calling thread works alone. Programs call it once, before all else.
    ///
    /// Without this, threads are started when they are needed first, and one that cannot be started is a panic.
    ///
    /// ```
    /// assert!(truefold::Run::started().threads() >= 1);
    /// ```
    pub fn started() -> Self {
        share_addresses();
        let asked = std::env::var("RAYON_NUM_THREADS").ok().and_then(|text| text.parse().ok());
        let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        threads::start_shared(asked.filter(|&asked| asked > 0).unwrap_or_else(cores));
        Self::default()
    }

    /// With this seed for everything random.
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// With exactly this many threads.
    pub fn with_threads(mut self, threads: usize) -> Result<Self> {
        if threads == 0 || threads > 4096 {
            let advice = Advice::leave_out("threads", "leave {threads} out to use every core");
            return Err(Error::parameter("threads", threads, Bound::Within(1.0, 4096.0), advice));
        }
        share_addresses();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|cause| {
            let advice = Advice::change("threads", "choose fewer {threads}");
            Error::parameter("threads", threads, format!("cannot be started ({cause})"), advice)
        })?;
        self.pool = Some(Arc::new(pool));
        Ok(self)
    }

    /// With all pairs searched on this device, in every search of the run that asks for no other.
    ///
    /// [`Device::Gpu`] takes every search whose k nearest are found by all pairs or approximately, small ones too, and is an
    /// error where there is none; what a device does not do, such as a search within a radius, by a tree or for new points,
    /// stays on the processor.
    ///
    /// ```
    /// use truefold::{Device, Run};
    ///
    /// assert_eq!(Run::new().device(), Device::Auto);
    /// assert_eq!(Run::new().with_device(Device::Cpu).device(), Device::Cpu);
    /// ```
    #[must_use]
    pub fn with_device(self, device: Device) -> Self {
        Self { device, ..self }
    }

    /// With progress reported to `progress`.
    pub fn with_progress(self, progress: Arc<dyn Progress>) -> Self {
        Self { progress, ..self }
    }

    /// Stops with [`Error::Cancelled`] soon after `cancel` becomes true.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicBool, Ordering};
    /// use truefold::{Error, Run};
    ///
    /// let cancel = Arc::new(AtomicBool::new(false));
    /// let run = Run::new().with_cancel(cancel.clone());
    /// assert!(run.check().is_ok());
    /// cancel.store(true, Ordering::Relaxed);
    /// assert_eq!(run.check(), Err(Error::Cancelled));
    /// ```
    pub fn with_cancel(self, cancel: Arc<AtomicBool>) -> Self {
        Self { cancel, ..self }
    }

    /// The same run for work inside a stage: it reports no stages.
    pub(crate) fn quiet(&self) -> Self {
        Self { progress: Arc::new(Silent), ..self.clone() }
    }

    /// The same run for one of several tasks: its stages are reported under the name of the task.
    pub fn within(&self, task: String) -> Self {
        Self { progress: Arc::new(Named { task, inner: Arc::clone(&self.progress) }), ..self.clone() }
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Where neighbors are searched.
    pub fn device(&self) -> Device {
        self.device
    }

    /// The number of threads that parallel loops use.
    pub fn threads(&self) -> usize {
        self.pool.as_ref().map_or_else(rayon::current_num_threads, |pool| pool.current_num_threads())
    }

    /// Whether the calling thread is one of a pool, as those that runs start for their work are.
    ///
    /// ```
    /// use truefold::Run;
    ///
    /// assert!(!Run::is_worker());
    /// assert!(Run::new().with_threads(1)?.install(Run::is_worker));
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn is_worker() -> bool {
        rayon::current_thread_index().is_some()
    }

    /// An error once the run has been asked to stop, or an allocator has told that memory is short.
    pub fn check(&self) -> Result<()> {
        if self.cancel.load(Ordering::Relaxed) { Err(Error::Cancelled) } else { memory::check_since(self.shortages) }
    }

    /// Runs `task` on the threads of this run.
    pub fn install<T: Send>(&self, task: impl FnOnce() -> T + Send) -> T {
        let (mut task, mut result) = (Some(task), None);
        self.enter(&mut || result = task.take().map(|task| task()));
        match result {
            Some(result) => result,
            None => unreachable!("a pool runs what it is given"),
        }
    }

    /// Compiled once, not once for each task: entering a thread pool is much code, and there are many kinds of task.
    fn enter(&self, task: &mut (dyn FnMut() + Send)) {
        match &self.pool {
            Some(pool) => pool.install(task),
            None => task(),
        }
    }

    /// Calls `task` for each of `0..count` in parallel, until one call returns false.
    fn parallel(&self, count: usize, task: &(dyn Fn(usize) -> bool + Sync)) {
        self.enter(&mut || {
            let _ = (0..count).into_par_iter().try_for_each(|index| task(index).then_some(()));
        });
    }

    /// Begins a stage; it ends when the guard is dropped.
    pub fn stage(&self, name: &str, total: usize) -> Stage<'_> {
        self.progress.begin(name, total as u64);
        Stage { run: self }
    }

    /// Works on `0..total` in parallel, `size` indices at a time, as one stage; the results come back in order.
    ///
    /// Chunks depend on `size` alone, so sums over a chunk have the same bits on any number of threads.
    pub fn chunks<T: Send>(
        &self,
        stage: &str,
        total: usize,
        size: usize,
        work: impl Fn(Range<usize>) -> Result<T> + Send + Sync,
    ) -> Result<Vec<T>> {
        let size = size.max(1);
        let stage = self.stage(stage, total);
        let slots: Vec<Mutex<Option<Result<T>>>> = (0..total.div_ceil(size)).map(|_| Mutex::new(None)).collect();
        self.parallel(slots.len(), &|chunk| {
            let range = chunk * size..((chunk + 1) * size).min(total);
            let steps = range.len();
            let done = self.check().and_then(|()| work(range));
            let is_done = done.is_ok();
            if is_done {
                stage.advance(steps);
            }
            *slots[chunk].lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
            is_done
        });
        // A slot is empty only if a failed chunk stopped the others.
        slots.into_iter().filter_map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
    }

    /// The same in waves: what the chunks of one wave made goes to `take`, in order, before the next begins, so that only
    /// so much is held at a time.
    pub(crate) fn waves<T: Send>(
        &self,
        stage: &str,
        total: usize,
        size: usize,
        work: impl Fn(Range<usize>) -> Result<T> + Send + Sync,
        mut take: impl FnMut(T),
    ) -> Result<()> {
        let (progress, quiet) = (self.stage(stage, total), self.quiet());
        for wave in (0..total).step_by(CHUNKS_OF_A_WAVE * size) {
            let length = (CHUNKS_OF_A_WAVE * size).min(total - wave);
            let made = quiet.chunks(stage, length, size, |range| work(wave + range.start..wave + range.end))?;
            made.into_iter().for_each(&mut take);
            progress.advance(length);
        }
        Ok(())
    }

    /// The same, where each index has `width` places of `out` to write to.
    pub(crate) fn chunks_into<O: Send, T: Send>(
        &self,
        stage: &str,
        (out, width): (&mut [O], usize),
        size: usize,
        work: impl Fn(Range<usize>, &mut [O]) -> Result<T> + Send + Sync,
    ) -> Result<Vec<T>> {
        let (size, total) = (size.max(1), out.len() / width);
        let parts: Vec<Mutex<&mut [O]>> = out.chunks_mut(size * width).map(Mutex::new).collect();
        self.chunks(stage, total, size, |range| {
            let mut part = parts[range.start / size].lock().unwrap_or_else(PoisonError::into_inner);
            work(range, &mut part)
        })
    }
}

/// A stage of a run; it ends when it is dropped.
#[must_use = "the stage ends when this is dropped"]
pub struct Stage<'a> {
    run: &'a Run,
}

impl Stage<'_> {
    /// `steps` more steps are done.
    pub fn advance(&self, steps: usize) {
        self.run.progress.advance(steps as u64);
    }
}

impl Drop for Stage<'_> {
    fn drop(&mut self) {
        self.run.progress.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waves_hand_over_all_chunks_in_order() {
        let (total, size) = (3 * CHUNKS_OF_A_WAVE * 2 + 5, 2);
        let mut seen = Vec::new();
        Run::new().waves("test", total, size, |range| Ok(range.collect::<Vec<_>>()), |part| seen.extend(part)).unwrap();
        assert!(seen.into_iter().eq(0..total));
        assert!(Run::new().waves("test", total, size, |_| Err::<(), _>(Error::Cancelled), |()| {}).is_err());
    }

    #[test]
    fn results_come_in_order_and_no_failure_is_lost() {
        for threads in [1, 2, 8] {
            let run = Run::new().with_threads(threads).unwrap();
            let ends = run.chunks("ends", 1003, 10, |range| Ok(range.end)).unwrap();
            assert!(ends.len() == 101 && ends.is_sorted() && ends[100] == 1003);
            // The first chunk; one in the middle, before which others may not have begun; and the last.
            for wrong in [0, 57, 100] {
                let work = |range: Range<usize>| {
                    if range.start == 10 * wrong { Err(Error::Cancelled) } else { Ok(range.start) }
                };
                assert!(matches!(run.chunks("one fails", 1003, 10, work), Err(Error::Cancelled)));
            }
            assert_eq!(run.install(rayon::current_num_threads), threads);
        }
        assert!(Run::new().chunks("nothing", 0, 10, |_| Ok(())).unwrap().is_empty());
    }
}
