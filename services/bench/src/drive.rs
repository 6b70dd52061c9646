//! The clients: each plays its share of the matches in rotation and keeps count.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use rows::MatchId;
use tokio::sync::mpsc;
use tonic::{Code, Status};

use crate::connection::{self, Connection};
use crate::plan::{self, Planned};
use crate::report::{histogram, rough_histogram};

/// The state that all clients of a run share.
pub(crate) struct Run {
    pub(crate) until: Instant,
    pub(crate) acknowledged: AtomicU64,
    pub(crate) refused: AtomicU64,
    /// Matches to replace those that have ended, if any do.
    supply: Option<Mutex<mpsc::Receiver<Planned>>>,
}

/// The counts of a client.
pub(crate) struct Tally {
    /// The time from when an action is due to its response, in microseconds. In a closed loop an
    /// action is due when it is sent.
    pub(crate) took_us: Histogram<u64>,
    /// The same by position, one histogram for each [`BAND`] positions.
    pub(crate) by_position_us: Vec<Histogram<u64>>,
    /// The same for refusals.
    pub(crate) refused_us: Histogram<u64>,
    /// The number of refusals by reason.
    pub(crate) refusals: BTreeMap<String, u64>,
    /// For each match: how many of its actions were acknowledged, counted from the first, and
    /// whether the outcome of the next is unknown.
    pub(crate) played: Vec<(MatchId, usize, bool)>,
    /// Actions acknowledged at a wrong position.
    pub(crate) misplaced: u64,
}

/// Positions that share a histogram: enough for a median.
pub(crate) const BAND: usize = 100;

/// A match in progress.
pub(crate) struct Playing {
    planned: Planned,
    /// The number of acknowledged actions.
    done: usize,
    /// Whether the outcome of the next action is unknown.
    in_doubt: bool,
}

impl Playing {
    pub(crate) fn new(planned: Planned) -> Playing {
        Playing { planned, done: 0, in_doubt: false }
    }

    fn is_over(&self) -> bool {
        self.done == self.planned.requests.len()
    }
}

impl Run {
    pub(crate) fn new(time: Duration) -> Arc<Run> {
        Run::with(time, None)
    }

    /// The same with matches to replace those that have ended.
    pub(crate) fn endless(time: Duration, supply: mpsc::Receiver<Planned>) -> Arc<Run> {
        Run::with(time, Some(Mutex::new(supply)))
    }

    fn with(time: Duration, supply: Option<Mutex<mpsc::Receiver<Planned>>>) -> Arc<Run> {
        let (acknowledged, refused) = (AtomicU64::new(0), AtomicU64::new(0));
        Arc::new(Run { until: Instant::now() + time, acknowledged, refused, supply })
    }

    /// A match to replace one that has ended, if one is ready.
    fn another(&self) -> Option<Playing> {
        let mut supply = self.supply.as_ref()?.try_lock().ok()?;
        supply.try_recv().ok().map(Playing::new)
    }

    /// Whether a client without a match may get one soon.
    fn goes_on(&self) -> bool {
        self.supply.is_some() && Instant::now() < self.until
    }
}

impl Tally {
    pub(crate) fn new() -> Tally {
        Tally {
            took_us: histogram(),
            by_position_us: Vec::new(),
            refused_us: histogram(),
            refusals: BTreeMap::new(),
            played: Vec::new(),
            misplaced: 0,
        }
    }

    pub(crate) fn add(&mut self, other: Tally) {
        self.took_us.add(other.took_us).expect("both have the same precision");
        let bands = self.by_position_us.len().max(other.by_position_us.len());
        self.by_position_us.resize_with(bands, rough_histogram);
        for (band, other) in self.by_position_us.iter_mut().zip(other.by_position_us) {
            band.add(other).expect("both have the same precision");
        }
        self.refused_us.add(other.refused_us).expect("both have the same precision");
        other
            .refusals
            .into_iter()
            .for_each(|(reason, n)| *self.refusals.entry(reason).or_default() += n);
        self.played.extend(other.played);
        self.misplaced += other.misplaced;
    }

    /// Records the response to a match's next action. Returns how long to pause the match.
    fn note(
        &mut self,
        run: &Run,
        it: &mut Playing,
        due: Instant,
        response: Result<i64, Status>,
    ) -> Duration {
        let took_us = due.elapsed().as_micros() as u64;
        match response {
            Ok(position) => {
                self.took_us.saturating_record(took_us);
                let band = it.done / BAND;
                let bands = self.by_position_us.len().max(band + 1);
                self.by_position_us.resize_with(bands, rough_histogram);
                self.by_position_us[band].saturating_record(took_us);
                self.misplaced += u64::from(position != plan::position(it.done));
                (it.done, it.in_doubt) = (it.done + 1, false);
                run.acknowledged.fetch_add(1, Relaxed);
                Duration::ZERO
            }
            Err(status) => {
                let (reason, delay) = connection::reason(&status);
                // Only these guarantee that nothing was recorded.
                it.in_doubt |= status.code() != Code::FailedPrecondition && reason != "OVERLOADED";
                self.refused_us.saturating_record(took_us);
                *self.refusals.entry(reason).or_default() += 1;
                run.refused.fetch_add(1, Relaxed);
                delay.unwrap_or(PAUSE)
            }
        }
    }

    /// Keeps the part of a match that is checked. Its requests are dropped.
    fn over(&mut self, it: Playing) {
        self.played.push((it.planned.match_id, it.done, it.in_doubt));
    }

    fn end(mut self, matches: impl IntoIterator<Item = Playing>) -> Tally {
        matches.into_iter().for_each(|it| self.over(it));
        self
    }
}

/// The pause after a refusal that names no delay.
const PAUSE: Duration = Duration::from_millis(20);

/// A client that sends its next action once the previous one was answered. It ends when the time is
/// up or its matches have ended.
pub(crate) async fn closed(
    run: Arc<Run>,
    connection: Connection,
    mut matches: Vec<Playing>,
) -> Tally {
    let (mut tally, wanted) = (Tally::new(), matches.len());
    let mut nth = 0;
    while Instant::now() < run.until && (!matches.is_empty() || run.goes_on()) {
        if matches.len() < wanted {
            matches.extend(run.another());
        }
        if matches.is_empty() {
            tokio::time::sleep(PAUSE).await;
            continue;
        }
        nth %= matches.len();
        let it = &mut matches[nth];
        if it.is_over() {
            tally.over(matches.swap_remove(nth));
            continue;
        }
        let due = Instant::now();
        let response = connection.submit(it.planned.requests[it.done].clone()).await;
        let pause = tally.note(&run, it, due, response);
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
        nth += 1;
    }
    tally.end(matches)
}

/// A client with a stream, on which up to `in_flight` actions, each of a different match, await
/// their outcomes.
pub(crate) async fn streamed(
    run: Arc<Run>,
    connection: Connection,
    matches: Vec<Playing>,
    in_flight: usize,
) -> Result<Tally, Status> {
    let (messages, sent) = mpsc::channel(1);
    let mut outcomes = connection.play(sent).await?;
    let mut tally = Tally::new();
    let (mut waiting, wanted) = (HashMap::new(), matches.len());
    let mut free = VecDeque::from(matches);
    let mut index = 0;
    loop {
        let mut next: Vec<Playing> = Vec::new();
        while free.len() + waiting.len() < wanted
            && let Some(another) = run.another()
        {
            free.push_back(another);
        }
        while Instant::now() < run.until
            && waiting.len() + next.len() < in_flight
            && next.len() < MESSAGE_MAX
            && let Some(it) = free.pop_front()
        {
            if it.is_over() { tally.over(it) } else { next.push(it) }
        }
        if !next.is_empty() {
            let actions = next.iter().map(|it| &it.planned.requests[it.done]);
            let closed = |_| Status::unavailable("the stream is closed");
            messages.send(connection::message(actions)).await.map_err(closed)?;
        }
        let due = Instant::now();
        for it in next {
            waiting.insert(index, (it, due));
            index += 1;
        }
        if waiting.is_empty() && run.goes_on() {
            tokio::time::sleep(PAUSE).await;
            continue;
        }
        if waiting.is_empty() {
            return Ok(tally.end(free));
        }
        for (index, response) in outcomes.next().await? {
            let unknown = || Status::internal("an outcome of an action that was not sent");
            let (mut it, due) = waiting.remove(&index).ok_or_else(unknown)?;
            tally.note(&run, &mut it, due, response);
            free.push_back(it);
        }
    }
}

/// The maximum number of actions in one message.
const MESSAGE_MAX: usize = 256;

/// Clients that send an action every `gap`, whether or not earlier ones were answered. A match is
/// skipped while its action is unanswered, and after a refusal for the delay that it names.
pub(crate) async fn open(
    run: Arc<Run>,
    connections: Vec<Connection>,
    matches: Vec<Playing>,
    gap: Duration,
) -> Tally {
    let (free, mut freed) = mpsc::unbounded_channel();
    matches.into_iter().for_each(|it| free.send(it).expect("the receiver is open"));
    let tally = Arc::new(Mutex::new(Tally::new()));
    let mut sending = tokio::task::JoinSet::new();
    let (mut over, mut due, mut missing) = (Vec::new(), Instant::now(), 0);
    for connection in connections.iter().cycle() {
        due += gap;
        tokio::time::sleep_until(due.into()).await;
        while sending.try_join_next().is_some() {}
        if Instant::now() >= run.until {
            break;
        }
        while missing > 0
            && let Some(another) = run.another()
        {
            free.send(another).expect("the receiver is open");
            missing -= 1;
        }
        let next = tokio::time::timeout_at(run.until.into(), freed.recv()).await;
        let Ok(Some(mut it)) = next else { break };
        if it.is_over() {
            tally.lock().expect("no thread panics while it holds the lock").over(it);
            missing += 1;
            continue;
        }
        let (run, connection) = (run.clone(), connection.clone());
        let (tally, free) = (tally.clone(), free.clone());
        sending.spawn(async move {
            let response = connection.submit(it.planned.requests[it.done].clone()).await;
            let pause = tally
                .lock()
                .expect("no thread panics while it holds the lock")
                .note(&run, &mut it, due, response);
            if !pause.is_zero() {
                tokio::time::sleep_until((Instant::now() + pause).min(run.until).into()).await;
            }
            let _ = free.send(it);
        });
    }
    while sending.join_next().await.is_some() {}
    freed.close();
    while let Ok(it) = freed.try_recv() {
        over.push(it);
    }
    let tally = std::mem::replace(
        &mut *tally.lock().expect("no thread panics while it holds the lock"),
        Tally::new(),
    );
    tally.end(over)
}
