//! Work on every processor, with the results in order.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Jobs that wait for each worker. They bound the memory in use.
const WAITING: usize = 4;

/// The queue to which a source hands over its jobs.
pub(super) struct Queue<J>(SyncSender<(usize, J)>, usize);

impl<J> Queue<J> {
    /// Waits for a free place. Returns false if no worker is left.
    pub(super) fn push(&mut self, job: J) -> bool {
        let number = self.1;
        self.1 += 1;
        self.0.send((number, job)).is_ok()
    }
}

/// Runs `source` and as many workers as there are processors, each in a thread, and passes the
/// results to `sink` in the order of the jobs, in this thread. Returns what the source returns.
pub(super) fn in_order<J: Send, R: Send, S: Send>(
    source: impl FnOnce(&mut Queue<J>) -> S + Send,
    work: impl Fn(J) -> R + Sync,
    mut sink: impl FnMut(R),
) -> S {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let (jobs, waiting) = sync_channel(workers * WAITING);
    let (results, done) = channel();
    let waiting = Mutex::new(waiting);
    thread::scope(|scope| {
        let source = scope.spawn(move || source(&mut Queue(jobs, 0)));
        for _ in 0..workers {
            let (results, waiting, work) = (results.clone(), &waiting, &work);
            scope.spawn(move || {
                while let Some((number, job)) = take(waiting) {
                    if results.send((number, work(job))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(results);
        let (mut next, mut early) = (0, BTreeMap::new());
        for (number, result) in done {
            early.insert(number, result);
            while let Some(result) = early.remove(&next) {
                next += 1;
                sink(result);
            }
        }
        source.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn take<T>(waiting: &Mutex<Receiver<T>>) -> Option<T> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_jobs() {
        let mut results = Vec::new();
        let source = |queue: &mut Queue<u64>| (0..200).all(|it| queue.push(it));
        let work = |it: u64| {
            thread::sleep(std::time::Duration::from_micros(it * 7919 % 100));
            it * 2
        };
        assert!(in_order(source, work, |it| results.push(it)));
        assert_eq!(results, (0..200).map(|it| it * 2).collect::<Vec<_>>());
    }
}
