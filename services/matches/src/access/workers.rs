//! Threads for work that needs much CPU time, shared fairly.
//!
//! A thread that serves connections runs the tasks of thousands of calls, and each waits while
//! another one computes. So work of more than about a tenth of a millisecond is done here, a piece
//! at a time, for the platform that has used the least CPU time (`turns`).
//!
//! See `docs/decisions/0058-what-a-call-costs-is-what-it-pays.md`.

use std::any::Any;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use tokio::sync::oneshot;
use tokio::time::timeout;
use tracing::Span;

use super::holder::Holder;
use super::turns::Turns;
use crate::error::Error;

/// The threads, and the work that waits for them. Cheap to clone.
#[derive(Clone)]
pub(super) struct Workers(Arc<Handle>);

/// Ends the threads when it is dropped.
struct Handle(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    /// Notified of each piece of work.
    pushed: Condvar,
    kind: Kind,
}

/// What threads are for.
pub(super) struct Kind {
    name: &'static str,
    threads_max: usize,
    /// How much the threads yield to those that serve connections and record actions.
    nice: i32,
    /// Pieces of work of one platform that may wait or be under way.
    platform_max: usize,
    /// How long a call waits for its work. Streams wait longer.
    wait: Duration,
}

struct State {
    turns: Turns<Option<Holder>, Work>,
    /// Threads are started when there is work for them.
    threads: usize,
    idle: usize,
    is_closed: bool,
}

/// Who pays for a piece of work.
#[derive(Clone, Debug)]
pub(super) struct Payer {
    /// The platform's number.
    pub platform: usize,
    /// `None` for the platform itself.
    pub holder: Option<Holder>,
}

type Work = Box<dyn Piece>;

/// A piece of work of any kind.
trait Piece: Send {
    /// Whether somebody still waits for it.
    fn is_wanted(&self) -> bool;
    fn run(self: Box<Self>);
}

struct PieceOf<F, T> {
    work: F,
    result: oneshot::Sender<thread::Result<T>>,
    /// Of the call, for lines in the log.
    span: Span,
}

impl<F: FnOnce() -> T + Send, T: Send> Piece for PieceOf<F, T> {
    fn is_wanted(&self) -> bool {
        !self.result.is_closed()
    }

    fn run(self: Box<Self>) {
        let PieceOf { work, result, span } = *self;
        // The caller may have given up in the meantime.
        let _ = result.send(span.in_scope(|| catch_unwind(AssertUnwindSafe(work))));
    }
}

/// The same of one token: few enough that other tokens of the platform find room.
const HOLDER_MAX: usize = 128;

impl Kind {
    /// Work of the service's own code, a few milliseconds at most. A platform may have some tenths
    /// of a second of it waiting, and waits long enough for the queues of a few others.
    pub fn work() -> Kind {
        Kind {
            name: "work",
            threads_max: half_of_processors(),
            nice: 5,
            platform_max: 1024,
            wait: Duration::from_secs(2),
        }
    }

    /// Pictures: each takes some hundredths of a second, and many may be asked for at once.
    pub fn pictures() -> Kind {
        Kind {
            name: "pictures",
            threads_max: half_of_processors(),
            nice: 10,
            platform_max: 64,
            wait: Duration::from_secs(5),
        }
    }

    /// Rules that failed lately, or took long: a call of them may take some tenths of a second, and
    /// gets a tenth of what others get on a busy machine. A call waits shorter than most clients.
    pub fn suspects() -> Kind {
        Kind {
            name: "suspects",
            threads_max: half_of_processors(),
            nice: 10,
            platform_max: 128,
            wait: Duration::from_secs(5),
        }
    }
}

fn half_of_processors() -> usize {
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    (processors / 2).max(1)
}

impl Workers {
    pub fn new(kind: Kind) -> Workers {
        let turns = Turns::new();
        let state = State { turns, threads: 0, idle: 0, is_closed: false };
        let shared = Shared { state: Mutex::new(state), pushed: Condvar::new(), kind };
        Workers(Arc::new(Handle(Arc::new(shared))))
    }

    /// Runs a piece of work, and charges the payer for its CPU time. Fails with
    /// [`Error::Overloaded`] if the payer has too much waiting, or if it waits too long.
    pub async fn run<T: Send + 'static>(
        &self,
        payer: Payer,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let result = self.push(payer, work)?;
        let wait = self.0.0.kind.wait;
        done(timeout(wait, result).await.map_err(|_| Error::Overloaded)?)
    }

    /// Like [`Workers::run`], for a stream: it waits without a timeout and is never refused. The
    /// number of streams is limited.
    pub async fn run_for_stream<T: Send + 'static>(
        &self,
        payer: Payer,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        done(self.push_up_to(usize::MAX, payer, work)?.await)
    }

    fn push<T: Send + 'static>(
        &self,
        payer: Payer,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<oneshot::Receiver<thread::Result<T>>, Error> {
        self.push_up_to(self.0.0.kind.platform_max, payer, work)
    }

    fn push_up_to<T: Send + 'static>(
        &self,
        platform_max: usize,
        Payer { platform, holder }: Payer,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<oneshot::Receiver<thread::Result<T>>, Error> {
        let (send, result) = oneshot::channel();
        let piece = PieceOf { work, result: send, span: Span::current() };
        self.0.0.push(platform_max, platform, holder, Box::new(piece))?;
        Ok(result)
    }
}

fn done<T>(result: Result<thread::Result<T>, oneshot::error::RecvError>) -> Result<T, Error> {
    let panicked = |_: Box<dyn Any + Send>| Error::Internal("the work panicked".into());
    result.map_err(|_| Error::ShuttingDown)?.map_err(panicked)
}

impl Shared {
    fn push(
        self: &Arc<Self>,
        platform_max: usize,
        platform: usize,
        holder: Option<Holder>,
        work: Work,
    ) -> Result<(), Error> {
        let mut state = self.lock();
        let is_full = |state: &State| {
            state.turns.count(platform) >= platform_max
                || holder.is_some() && state.turns.count_of(platform, &holder) >= HOLDER_MAX
        };
        if is_full(&state) {
            // Callers that gave up no longer count.
            state.turns.retain(platform, |work| work.is_wanted());
            if is_full(&state) {
                return Err(Error::Overloaded);
            }
        }
        state.turns.push(platform, holder, work);
        if state.idle == 0 && state.threads < self.kind.threads_max {
            state.threads += 1;
            self.start();
        }
        drop(state);
        self.pushed.notify_one();
        Ok(())
    }

    fn start(self: &Arc<Self>) {
        let shared = self.clone();
        let name = self.kind.name.to_owned();
        let started = thread::Builder::new().name(name).spawn(move || {
            // On Linux this affects only this thread. Working works without it.
            let _ = rustix::process::nice(shared.kind.nice);
            while let Some((platform, work)) = shared.next() {
                let began = cpu_time();
                if work.is_wanted() {
                    work.run();
                }
                shared.lock().turns.finish(platform, cpu_time().saturating_sub(began));
            }
        });
        started.expect("the system has resources for a thread");
    }

    /// Waits for work; `None` once there will be no more.
    fn next(&self) -> Option<(usize, Work)> {
        let mut state = self.lock();
        loop {
            if let Some(next) = state.turns.next(|_| true) {
                return Some(next);
            }
            if state.is_closed {
                return None;
            }
            state.idle += 1;
            state = self.pushed.wait(state).expect("no holder of this lock panics");
            state.idle -= 1;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no holder of this lock panics")
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        self.0.pushed.notify_all();
    }
}

/// The CPU time of this thread.
fn cpu_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec.unsigned_abs() as u32)
}

#[cfg(test)]
mod tests {
    use std::panic::resume_unwind;
    use std::sync::mpsc;

    use futures::future::join_all;

    use super::*;

    /// With one thread.
    fn workers() -> Workers {
        Workers::new(Kind { threads_max: 1, ..Kind::work() })
    }

    fn of(platform: usize) -> Payer {
        Payer { platform, holder: None }
    }

    /// Uses this much CPU time.
    fn spin(time: Duration) {
        let began = cpu_time();
        while cpu_time().saturating_sub(began) < time {
            std::hint::black_box(());
        }
    }

    #[tokio::test]
    async fn a_neighbour_goes_before_a_queue() {
        let workers = workers();
        let (begin, begins) = mpsc::channel::<()>();
        let order = Arc::new(Mutex::new(Vec::new()));
        let note = |platform: usize, ms: u64| {
            let order = order.clone();
            move || {
                spin(Duration::from_millis(ms));
                order.lock().expect("no holder panics").push(platform);
            }
        };
        // Everything is queued before anything but this begins.
        let first = workers.run(of(0), move || begins.recv().expect("the sender is held"));
        let costly = (0..20).map(|_| workers.run(of(0), note(0, 2)));
        let cheap = (0..5).map(|_| workers.run(of(1), note(1, 0)));
        let (first, costly, cheap) = (first, join_all(costly), join_all(cheap));
        let beginning = async {
            tokio::task::yield_now().await;
            begin.send(()).expect("the receiver is held");
        };
        let (first, costly, cheap, ()) = tokio::join!(first, costly, cheap, beginning);
        first.expect("it runs");
        costly.into_iter().chain(cheap).for_each(|done| done.expect("it runs"));
        let order = order.lock().expect("no holder panics");
        let last_cheap = order.iter().rposition(|it| *it == 1).expect("it ran");
        let costly_before = order[..last_cheap].iter().filter(|it| **it == 0).count();
        assert!(costly_before <= 1, "{order:?}");
    }

    #[tokio::test]
    async fn work_that_nobody_waits_for_is_not_done() {
        let workers = workers();
        let (begin, begins) = mpsc::channel::<()>();
        let held = workers.push(of(0), move || begins.recv()).expect("there is room");
        drop(workers.push(of(0), || panic!("it was given up")).expect("there is room"));
        let (done, is_done) = mpsc::channel();
        let last = workers.push(of(0), move || done.send(7)).expect("there is room");
        begin.send(()).expect("the receiver is held");
        assert!(held.await.expect("it ran").expect("it did not panic").is_ok());
        assert!(last.await.expect("it ran").expect("it did not panic").is_ok());
        assert_eq!(is_done.try_recv(), Ok(7));
    }

    #[tokio::test]
    async fn a_panic_becomes_an_error_and_the_thread_works_on() {
        let workers = workers();
        // Like a panic, but no backtrace is printed, for which a busy machine needs seconds.
        let panicked = workers.run(of(0), || resume_unwind(Box::new("a mistake"))).await;
        assert!(matches!(panicked, Err::<(), _>(Error::Internal(_))));
        assert_eq!(workers.run(of(0), || 7).await.ok(), Some(7));
    }

    #[tokio::test]
    async fn a_full_queue_refuses_its_platform_and_no_other() {
        let workers = workers();
        let (begin, begins) = mpsc::channel::<()>();
        let mut held = vec![workers.push(of(0), move || _ = begins.recv())];
        held.extend((1..Kind::work().platform_max).map(|_| workers.push(of(0), || {})));
        assert!(held.iter().all(Result::is_ok));
        assert!(matches!(workers.push(of(0), || {}), Err(Error::Overloaded)));
        assert!(workers.push(of(1), || {}).is_ok());
        assert!(workers.push_up_to(usize::MAX, of(0), || {}).is_ok(), "a stream is not refused");
        // What was given up makes room.
        held.truncate(8);
        assert!(workers.push(of(0), || {}).is_ok());
        drop(begin);
    }

    #[tokio::test]
    async fn one_token_leaves_room_for_the_others_of_its_platform() {
        let workers = workers();
        let (begin, begins) = mpsc::channel::<()>();
        let player = |name: &str| Payer { platform: 0, holder: Some(Holder::Player(name.into())) };
        let mut held = vec![workers.push(of(1), move || _ = begins.recv())];
        while held.len() <= HOLDER_MAX {
            held.push(workers.push(player("ann"), || {}));
        }
        assert!(held.iter().all(Result::is_ok));
        assert!(matches!(workers.push(player("ann"), || {}), Err(Error::Overloaded)));
        assert!(workers.push(player("bob"), || {}).is_ok());
        drop(begin);
    }
}
