//! A run: the seed, the threads, who hears of progress, and how to stop.

use crate::{Error, Result};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Hears how far a long computation has come. Calls come from any thread.
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

/// Says before each stage which of several tasks it belongs to.
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

/// Everything about a computation that does not change its meaning, plus the seed.
///
/// The same seed gives the same bits on any number of threads.
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
    progress: Arc<dyn Progress>,
    cancel: Arc<AtomicBool>,
}

impl Default for Run {
    fn default() -> Self {
        Self { seed: 0, pool: None, progress: Arc::new(Silent), cancel: Arc::new(AtomicBool::new(false)) }
    }
}

impl std::fmt::Debug for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Run").field("seed", &self.seed).field("threads", &self.threads()).finish_non_exhaustive()
    }
}

impl Run {
    /// Seed 0, all cores, silent.
    pub fn new() -> Self {
        Self::default()
    }

    /// The seed of everything random.
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Uses exactly this many threads.
    pub fn with_threads(mut self, threads: usize) -> Result<Self> {
        if threads == 0 || threads > 4096 {
            return Err(Error::parameter(
                "threads",
                threads,
                "is not between 1 and 4096",
                "leave it out to use every core",
            ));
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|cause| {
            Error::parameter("threads", threads, format!("cannot be started ({cause})"), "use fewer")
        })?;
        self.pool = Some(Arc::new(pool));
        Ok(self)
    }

    /// Reports progress to `progress`.
    pub fn with_progress(mut self, progress: Arc<dyn Progress>) -> Self {
        self.progress = progress;
        self
    }

    /// Stops with [`Error::Cancelled`] soon after `cancel` becomes true.
    pub fn with_cancel(mut self, cancel: Arc<AtomicBool>) -> Self {
        self.cancel = cancel;
        self
    }

    /// The same run for the inside of a stage: it reports nothing of its own.
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

    /// The number of threads that parallel loops use.
    pub fn threads(&self) -> usize {
        self.pool.as_ref().map_or_else(rayon::current_num_threads, |pool| pool.current_num_threads())
    }

    /// An error once the run has been asked to stop.
    pub fn check(&self) -> Result<()> {
        if self.cancel.load(Ordering::Relaxed) { Err(Error::Cancelled) } else { Ok(()) }
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

    /// What is not written once for each task: thread pools are much code, and there are many tasks to compile.
    fn enter(&self, task: &mut (dyn FnMut() + Send)) {
        match &self.pool {
            Some(pool) => pool.install(task),
            None => task(),
        }
    }

    /// Calls for each of `0..count` in parallel, until one answers false.
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
    /// The cuts depend on `size` alone, so what is summed per chunk has the same bits on any number of threads.
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
        // Slots are empty only where a chunk that failed stopped the others.
        slots.into_iter().filter_map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
    }
}

/// A stage of a run that is under way.
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
    fn results_come_in_order_and_no_failure_is_lost() {
        for threads in [1, 2, 8] {
            let run = Run::new().with_threads(threads).unwrap();
            let ends = run.chunks("ends", 1003, 10, |range| Ok(range.end)).unwrap();
            assert!(ends.len() == 101 && ends.is_sorted() && ends[100] == 1003);
            // The first, one in the middle before which some may not have begun, and the last.
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
