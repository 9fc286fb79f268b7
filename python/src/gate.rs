//! The gate for every long call: it runs without the interpreter's lock, reports progress and stops at Ctrl-C.
//!
//! The work runs on a thread of its own while the calling thread looks after Python: a few times a second it lets
//! pending signals raise and hands progress to Python. An exception there, Ctrl-C's above all, asks the work to stop. A
//! stage that does not stop soon is left to run to its end in the background, so the work owns all that it uses.
//!
//! Work of which a thread waits for memory is left likewise.
//!
//! Threads are those of the call, not of the process: a child that is forked later finds none of them missing.

use crate::{errors, memory};
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use truefold::{Device, Progress, Run};

/// How often the calling thread looks after Python.
const TICK: Duration = Duration::from_millis(50);
/// How long work that was asked to stop is waited for.
const PATIENCE: Duration = Duration::from_millis(600);

/// What a call says about its run: seed, threads and who hears of progress, `report(stage, total, done)`; and the device of
/// its searches, where it has any.
#[derive(FromPyObject)]
pub enum Settings {
    On(u64, Option<usize>, Option<Py<PyAny>>, String),
    Plain(u64, Option<usize>, Option<Py<PyAny>>),
}

impl Settings {
    /// The run, and who hears of its progress.
    fn run(&self) -> truefold::Result<(Run, Option<&Py<PyAny>>)> {
        let (seed, threads, report, device) = match self {
            Self::On(seed, threads, report, device) => (seed, threads, report, device.parse::<Device>()?),
            Self::Plain(seed, threads, report) => (seed, threads, report, Device::Auto),
        };
        let threads = threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |count| count.get()));
        let run = Run::new().with_seed(*seed).with_threads(threads)?.with_device(device.or_missing()?);
        Ok((run, report.as_ref()))
    }
}

/// Calls the library.
pub fn call<T: Send + 'static>(
    py: Python<'_>,
    settings: &Settings,
    work: impl FnOnce(&Run) -> truefold::Result<T> + Send + 'static,
) -> PyResult<T> {
    memory::hold_reserve();
    let (cancel, watch) = (Arc::new(AtomicBool::new(false)), Arc::new(Watch::default()));
    let (run, report) = settings.run().map_err(|error| errors::to_python(py, &error))?;
    let (mut run, waits) = (run.with_cancel(Arc::clone(&cancel)), memory::waits());
    if report.is_some() {
        run = run.with_progress(Arc::<Watch>::clone(&watch));
    }
    let ((sender, mut receiver), of_call) = (sync_channel(1), run.clone());
    let begun = std::thread::Builder::new().name("truefold".to_owned()).spawn(move || {
        let outcome = catch_unwind(AssertUnwindSafe(|| run.install(|| work(&run))));
        // After Ctrl-C the call may have returned already.
        let _ = sender.send(outcome);
    });
    begun.map_err(|cause| errors::no_thread(&cause))?;
    let mut stopped: Option<(PyErr, Instant)> = None;
    loop {
        let message;
        (message, receiver) = py.detach(move || (receiver.recv_timeout(TICK), receiver));
        match (message, stopped.take()) {
            (Ok(_), Some((error, _))) => return Err(error),
            (Ok(Ok(outcome)), None) => return outcome.map_err(|error| errors::to_python(py, &error)),
            (Ok(Err(payload)), None) => return Err(errors::defect(payload.as_ref())),
            (Err(RecvTimeoutError::Disconnected), _) => return Err(errors::defect(&"the work ended without a result")),
            (Err(RecvTimeoutError::Timeout), Some((error, since))) if since.elapsed() > PATIENCE => return Err(error),
            (Err(RecvTimeoutError::Timeout), Some(stop)) => stopped = Some(stop),
            (Err(RecvTimeoutError::Timeout), None) => {
                let is_stuck = memory::waits() > waits;
                let memory =
                    if is_stuck { of_call.check().map_err(|error| errors::to_python(py, &error)) } else { Ok(()) };
                let looked = memory.and_then(|()| py.check_signals()).and_then(|()| match report {
                    Some(report) => watch.tell(py, report),
                    None => Ok(()),
                });
                if let Err(error) = looked {
                    cancel.store(true, Ordering::Relaxed);
                    stopped = Some((error, Instant::now()));
                }
            }
        }
    }
}

/// The stage under way, as the last to begin told it.
#[derive(Default)]
struct Watch {
    stage: Mutex<Option<(String, u64)>>,
    done: AtomicU64,
}

impl Watch {
    fn tell(&self, py: Python<'_>, report: &Py<PyAny>) -> PyResult<()> {
        let stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match stage {
            Some((name, total)) => report.call1(py, (name, total, self.done.load(Ordering::Relaxed))).map(|_| ()),
            None => Ok(()),
        }
    }

    fn set(&self, stage: Option<(String, u64)>) {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = stage;
        self.done.store(0, Ordering::Relaxed);
    }
}

impl Progress for Watch {
    fn begin(&self, stage: &str, total: u64) {
        self.set(Some((stage.to_owned(), total)));
    }

    fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Ordering::Relaxed);
    }

    fn end(&self) {
        self.set(None);
    }
}
