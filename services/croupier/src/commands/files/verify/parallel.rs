//! Work on every processor, with the results in order.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Jobs for each worker that are waiting, under way, or done before an earlier one. Together with
/// [`BYTES_MAX`] they bound the memory in use.
const JOBS_MAX: usize = 64;

/// Their sizes together. A larger job is done while there is no other.
const BYTES_MAX: usize = 128 << 20;

/// The queue to which a source hands over its jobs.
pub(super) struct Queue<'a, J> {
    jobs: Sender<(usize, J)>,
    next: usize,
    load: &'a Load,
}

/// The jobs whose results have not been passed on.
struct Load {
    now: Mutex<Now>,
    changed: Condvar,
    jobs_max: usize,
}

struct Now {
    jobs: usize,
    bytes: usize,
    workers: usize,
}

impl<J> Queue<'_, J> {
    /// Waits until there is room for a job of this size. Returns false if no worker is left.
    pub(super) fn push(&mut self, job: J, bytes: usize) -> bool {
        if !self.load.add(bytes) {
            return false;
        }
        let number = self.next;
        self.next += 1;
        self.jobs.send((number, job)).is_ok()
    }
}

impl Load {
    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, bytes: usize) -> bool {
        let is_full = |now: &mut Now| {
            let is_over = now.jobs >= self.jobs_max || now.bytes + bytes > BYTES_MAX;
            now.workers > 0 && now.jobs > 0 && is_over
        };
        let waited = self.changed.wait_while(self.now(), is_full);
        let mut now = waited.unwrap_or_else(PoisonError::into_inner);
        now.jobs += 1;
        now.bytes += bytes;
        now.workers > 0
    }

    fn change(&self, change: impl FnOnce(&mut Now)) {
        change(&mut self.now());
        self.changed.notify_all();
    }
}

/// A worker, until it ends, even if it panics.
struct Worker<'a>(&'a Load);

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        self.0.change(|now| now.workers -= 1);
    }
}

/// Runs `source` and as many workers as there are processors, each in a thread, and passes the
/// results to `sink` in the order of the jobs, in this thread. A result tells the size of its job.
/// Returns what the source returns.
pub(super) fn in_order<J: Send, R: Send, S: Send>(
    source: impl FnOnce(&mut Queue<'_, J>) -> S + Send,
    work: impl Fn(J) -> (R, usize) + Sync,
    mut sink: impl FnMut(R),
) -> S {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let now = Mutex::new(Now { jobs: 0, bytes: 0, workers });
    let load = &Load { now, changed: Condvar::new(), jobs_max: workers * JOBS_MAX };
    let (jobs, waiting) = channel();
    let (results, done) = channel();
    let waiting = Mutex::new(waiting);
    thread::scope(|scope| {
        let source = scope.spawn(move || source(&mut Queue { jobs, next: 0, load }));
        for _ in 0..workers {
            let (results, waiting, work) = (results.clone(), &waiting, &work);
            scope.spawn(move || {
                let _worker = Worker(load);
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
            while let Some((result, bytes)) = early.remove(&next) {
                next += 1;
                sink(result);
                load.change(|now| (now.jobs, now.bytes) = (now.jobs - 1, now.bytes - bytes));
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
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_jobs() {
        let mut results = Vec::new();
        let source = |queue: &mut Queue<'_, u64>| (0..200).all(|it| queue.push(it, 0));
        let work = |it: u64| {
            thread::sleep(std::time::Duration::from_micros(it * 7919 % 100));
            (it * 2, 0)
        };
        assert!(in_order(source, work, |it| results.push(it)));
        assert_eq!(results, (0..200).map(|it| it * 2).collect::<Vec<_>>());
    }

    /// The first job takes longest, and all others wait for it to be passed on.
    #[test]
    fn jobs_wait_while_many_or_large_ones_are_not_passed_on() {
        let workers = thread::available_parallelism().map_or(1, usize::from);
        for (bytes, most) in [(0, workers * JOBS_MAX), (BYTES_MAX / 4, 4), (2 * BYTES_MAX, 1)] {
            let (now, peak) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let source = |queue: &mut Queue<'_, usize>| {
                for it in 0..3 * workers * JOBS_MAX {
                    // Counted first, because its result may be passed on before `push` returns.
                    peak.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    queue.push(it, bytes);
                }
            };
            let work = |it: usize| {
                if it == 0 {
                    thread::sleep(std::time::Duration::from_millis(20));
                }
                (it, bytes)
            };
            in_order(source, work, |_| _ = now.fetch_sub(1, Ordering::SeqCst));
            // The one that waits to be pushed is among them.
            let peak = peak.into_inner();
            assert!(peak <= most + 1, "{peak} jobs of {bytes} bytes, at most {most}");
        }
    }
}
