//! The threads that all runs share, as many as the system grants.

use std::sync::mpsc::{Sender, channel};

/// Starts the threads that all runs share, up to `wanted` of them.
///
/// They are begun before their pool is built, since a pool of which one thread cannot be begun is lost, and there is only
/// one for the whole program.
pub(super) fn start_shared(wanted: usize) {
    let mut waiting: Vec<Sender<rayon::ThreadBuilder>> = (0..wanted).map_while(|_| begin_thread()).collect();
    let (settings, count) = (rayon::ThreadPoolBuilder::new(), waiting.len());
    // An error says that they run already, which is as good; those that wait then end.
    let _ = if waiting.is_empty() {
        settings.num_threads(1).use_current_thread().build_global()
    } else {
        let enter = move |thread| match waiting.pop().map(|sender| sender.send(thread)) {
            Some(Ok(())) => Ok(()),
            _ => Err(std::io::Error::other("a thread ended early")),
        };
        settings.num_threads(count).spawn_handler(enter).build_global()
    };
}

/// Begins a thread that waits for its part in a pool, if the system grants one.
fn begin_thread() -> Option<Sender<rayon::ThreadBuilder>> {
    let (sender, receiver) = channel::<rayon::ThreadBuilder>();
    let work = move || {
        if let Ok(thread) = receiver.recv() {
            thread.run();
        }
    };
    std::thread::Builder::new().spawn(work).ok().map(|_| sender)
}
