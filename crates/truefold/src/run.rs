//! A run: the seed, the threads, who hears of progress, and how to stop.

use crate::{Error, Result};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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
        match &self.pool {
            Some(pool) => pool.install(task),
            None => task(),
        }
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
        self.install(|| {
            (0..total.div_ceil(size))
                .into_par_iter()
                .map(|chunk| {
                    self.check()?;
                    let range = chunk * size..((chunk + 1) * size).min(total);
                    let steps = range.len();
                    let done = work(range)?;
                    stage.advance(steps);
                    Ok(done)
                })
                .collect()
        })
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
