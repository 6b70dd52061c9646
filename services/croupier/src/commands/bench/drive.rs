//! The clients: each plays its share of the matches, an action of each in turn, and keeps count.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use store::MatchId;
use tokio::sync::mpsc;
use tonic::{Code, Status};

use super::plan::{self, Planned};
use super::wire::{self, Wire};
use super::{histogram, rough_histogram};

/// What all clients of a run have in common.
pub struct Run {
    pub until: Instant,
    pub acknowledged: AtomicU64,
    pub refused: AtomicU64,
}

/// What a client has to tell at the end.
pub struct Tally {
    /// From an action's being due to its answer, in microseconds; in a closed loop it is due when
    /// it is sent.
    pub took_us: Histogram<u64>,
    /// The same by position: of each [`BAND`] of them.
    pub by_position_us: Vec<Histogram<u64>>,
    /// The same of refusals.
    pub refused_us: Histogram<u64>,
    /// By reason.
    pub refusals: BTreeMap<String, u64>,
    /// Of each match: how many of its actions were acknowledged, which are its first, and whether
    /// the fate of one more is unknown.
    pub played: Vec<(MatchId, usize, bool)>,
    /// Acknowledged at another position than they ought to be.
    pub misplaced: u64,
}

/// Positions that are looked at together: enough for a median.
pub const BAND: usize = 100;

/// A match under way.
pub struct Playing {
    planned: Planned,
    /// How many actions were acknowledged.
    done: usize,
    /// Whether the outcome of the next is unknown.
    in_doubt: bool,
}

impl Playing {
    pub fn new(planned: Planned) -> Playing {
        Playing { planned, done: 0, in_doubt: false }
    }

    fn is_over(&self) -> bool {
        self.done == self.planned.requests.len()
    }
}

impl Run {
    pub fn new(time: Duration) -> Arc<Run> {
        let (acknowledged, refused) = (AtomicU64::new(0), AtomicU64::new(0));
        Arc::new(Run { until: Instant::now() + time, acknowledged, refused })
    }
}

impl Tally {
    pub fn new() -> Tally {
        Tally {
            took_us: histogram(),
            by_position_us: Vec::new(),
            refused_us: histogram(),
            refusals: BTreeMap::new(),
            played: Vec::new(),
            misplaced: 0,
        }
    }

    pub fn add(&mut self, other: Tally) {
        self.took_us.add(other.took_us).expect("both are as precise");
        let bands = self.by_position_us.len().max(other.by_position_us.len());
        self.by_position_us.resize_with(bands, rough_histogram);
        for (band, other) in self.by_position_us.iter_mut().zip(other.by_position_us) {
            band.add(other).expect("both are as precise");
        }
        self.refused_us.add(other.refused_us).expect("both are as precise");
        other
            .refusals
            .into_iter()
            .for_each(|(reason, n)| *self.refusals.entry(reason).or_default() += n);
        self.played.extend(other.played);
        self.misplaced += other.misplaced;
    }

    /// Notes an answer to a match's next action that was due then. Says how long to leave the match
    /// alone.
    fn note(
        &mut self,
        run: &Run,
        it: &mut Playing,
        due: Instant,
        answer: Result<i64, Status>,
    ) -> Duration {
        let took_us = due.elapsed().as_micros() as u64;
        match answer {
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
                let (reason, delay) = wire::reason(&status);
                // Only these say that nothing was recorded.
                it.in_doubt |= status.code() != Code::FailedPrecondition && reason != "OVERLOADED";
                self.refused_us.saturating_record(took_us);
                *self.refusals.entry(reason).or_default() += 1;
                run.refused.fetch_add(1, Relaxed);
                delay.unwrap_or(PAUSE)
            }
        }
    }

    fn end(mut self, matches: impl IntoIterator<Item = Playing>) -> Tally {
        self.played
            .extend(matches.into_iter().map(|it| (it.planned.match_id, it.done, it.in_doubt)));
        self
    }
}

/// After a refusal that does not say how long.
const PAUSE: Duration = Duration::from_millis(20);

/// A client that sends its next action when it has the answer to the one before. It ends when its
/// time is up or its matches are over.
pub async fn closed(run: Arc<Run>, wire: Wire, mut matches: Vec<Playing>) -> Tally {
    let (mut tally, mut over) = (Tally::new(), Vec::new());
    let mut nth = 0;
    while Instant::now() < run.until && !matches.is_empty() {
        nth %= matches.len();
        let it = &mut matches[nth];
        if it.is_over() {
            over.push(matches.swap_remove(nth));
            continue;
        }
        let due = Instant::now();
        let answer = wire.submit(it.planned.requests[it.done].clone()).await;
        let pause = tally.note(&run, it, due, answer);
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
        nth += 1;
    }
    tally.end(matches.into_iter().chain(over))
}

/// A client with a stream, on which up to `under_way` actions wait for their outcomes, each of
/// another match.
pub async fn streamed(
    run: Arc<Run>,
    wire: Wire,
    matches: Vec<Playing>,
    under_way: usize,
) -> Result<Tally, Status> {
    let (messages, sent) = mpsc::channel(1);
    let mut outcomes = wire.play(sent).await?;
    let mut tally = Tally::new();
    let (mut over, mut waiting) = (Vec::new(), HashMap::new());
    let mut free = VecDeque::from(matches);
    let mut index = 0;
    loop {
        let mut next: Vec<Playing> = Vec::new();
        while Instant::now() < run.until
            && waiting.len() + next.len() < under_way
            && next.len() < MESSAGE_MAX
            && let Some(it) = free.pop_front()
        {
            if it.is_over() { over.push(it) } else { next.push(it) }
        }
        if !next.is_empty() {
            let actions = next.iter().map(|it| &it.planned.requests[it.done]);
            let gone = |_| Status::unavailable("the stream is closed");
            messages.send(wire::message(actions)).await.map_err(gone)?;
        }
        let due = Instant::now();
        for it in next {
            waiting.insert(index, (it, due));
            index += 1;
        }
        if waiting.is_empty() {
            return Ok(tally.end(free.into_iter().chain(over)));
        }
        for (index, answer) in outcomes.next().await? {
            let unasked = || Status::internal("an outcome of an action that was not sent");
            let (mut it, due) = waiting.remove(&index).ok_or_else(unasked)?;
            tally.note(&run, &mut it, due, answer);
            free.push_back(it);
        }
    }
}

/// Actions in one message.
const MESSAGE_MAX: usize = 256;

/// Clients that send an action every `gap`, whether or not the ones before were answered. A match
/// whose action is not answered yet waits for its next turn; so does one that was refused, for as
/// long as the refusal says.
pub async fn open(run: Arc<Run>, wires: Vec<Wire>, matches: Vec<Playing>, gap: Duration) -> Tally {
    let (free, mut freed) = mpsc::unbounded_channel();
    matches.into_iter().for_each(|it| free.send(it).expect("the other end is here"));
    let tally = Arc::new(Mutex::new(Tally::new()));
    let mut sending = tokio::task::JoinSet::new();
    let (mut over, mut due) = (Vec::new(), Instant::now());
    for wire in wires.iter().cycle() {
        due += gap;
        tokio::time::sleep_until(due.into()).await;
        while sending.try_join_next().is_some() {}
        if Instant::now() >= run.until {
            break;
        }
        let next = tokio::time::timeout_at(run.until.into(), freed.recv()).await;
        let Ok(Some(mut it)) = next else { break };
        if it.is_over() {
            over.push(it);
            continue;
        }
        let (run, wire, tally, free) = (run.clone(), wire.clone(), tally.clone(), free.clone());
        sending.spawn(async move {
            let answer = wire.submit(it.planned.requests[it.done].clone()).await;
            let noted =
                tally.lock().expect("nobody panics holding it").note(&run, &mut it, due, answer);
            if !noted.is_zero() {
                tokio::time::sleep_until((Instant::now() + noted).min(run.until).into()).await;
            }
            let _ = free.send(it);
        });
    }
    while sending.join_next().await.is_some() {}
    freed.close();
    while let Ok(it) = freed.try_recv() {
        over.push(it);
    }
    let tally =
        std::mem::replace(&mut *tally.lock().expect("nobody panics holding it"), Tally::new());
    tally.end(over)
}
