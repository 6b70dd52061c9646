//! Bots at the tables of the service: which matches wait for one, and what it does.
//!
//! A bot is asked like a player, and what it chooses is an action like any other. Any number of
//! processes may try: an action is bound to the position that it was chosen at, and its request id
//! follows from that position, so each decision is recorded once.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::num::NonZero;
use std::sync::{Arc, Mutex, Weak};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use bots::{Asked, Level};
use bytes::Bytes;
use games::{Game, WithRules, with_rules};
use metrics::counter;
use store::{MatchId, Position};
use table::{ChaCha, Chance, Observation, Rules, Seat, Small, Table, house_answer};
use time::OffsetDateTime;
use tokio::sync::{Notify, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::timeout_at;

use crate::create::random;
use crate::live::{Head, LiveMatch, PAGE_MAX};
use crate::play::{Action, Command, Vote, parse};
use crate::{Caller, Error, Expected, Grant, Matches, now};

/// Decisions of bots, by `level` and `outcome`.
pub const BOT_DECISIONS: &str = "croupier_bots_decisions_total";

#[derive(Clone, Copy, Debug)]
pub struct BotOptions {
    /// How many bots think at once, each on a thread of its own.
    pub threads: NonZero<usize>,
    /// How long a bot may think about a decision.
    pub think: Duration,
    /// How long after an entry a bot acts at the earliest.
    pub pace: Duration,
    /// How long other processes are left to ask the bots of matches that they play.
    pub patience: Duration,
}

impl Default for BotOptions {
    fn default() -> Self {
        let processors = available_parallelism().map_or(1, NonZero::get);
        BotOptions {
            threads: NonZero::new(processors / 2).unwrap_or(NonZero::<usize>::MIN),
            think: Duration::from_millis(200),
            pace: Duration::ZERO,
            patience: Duration::from_secs(1),
        }
    }
}

/// How often the database is asked for matches that wait for a bot. Those that this process plays
/// are known at once.
const SCAN_INTERVAL: Duration = Duration::from_secs(1);

/// How often matches that have ended are forgotten.
const FORGET_INTERVAL: Duration = Duration::from_secs(60);

/// Matches that are found at once.
const SCANNED_MAX: usize = 256;

/// Matches in the queue. Of more, those that wait for a bot are found in the database.
const QUEUE_MAX: usize = 10_000;

/// What bots know of their matches is kept for so many seats, and folded again for others.
const OBSERVATIONS_MAX: usize = 512;

// === The matches of this process that may wait for a bot ===

/// Matches in which something happened that may concern their bots.
#[derive(Default)]
pub(crate) struct BotQueue {
    state: Mutex<QueueState>,
    added: Notify,
}

#[derive(Default)]
struct QueueState {
    /// None while nobody plays for the bots: then nothing is queued.
    patience: Option<Duration>,
    /// By platform, the one whose turn is next first. None is empty.
    ready: VecDeque<(String, VecDeque<MatchId>)>,
    /// What is not to be tried before a time; the number makes keys differ.
    later: BTreeMap<(Instant, u64), (String, MatchId)>,
    /// Each match is queued once: since it is ready, or with its key in `later`.
    queued: HashMap<MatchId, Option<(Instant, u64)>>,
    added: u64,
}

impl BotQueue {
    fn serve(&self, patience: Duration) {
        self.state.lock().expect(LOCKED).patience = Some(patience);
    }

    /// Queues a match in which this process recorded something.
    pub fn add(&self, live: &LiveMatch, delay: Duration) {
        self.add_after(live, |_| delay);
    }

    /// Queues a match in which another process recorded something, and which asks its bots first.
    pub fn add_remote(&self, live: &LiveMatch) {
        self.add_after(live, |patience| patience);
    }

    fn add_after(&self, live: &LiveMatch, delay: impl Fn(Duration) -> Duration) {
        let mut state = self.state.lock().expect(LOCKED);
        let Some(patience) = state.patience else { return };
        let delay = delay(patience);
        state.added += 1;
        let key = (delay > Duration::ZERO).then(|| (Instant::now() + delay, state.added));
        match state.queued.get(&live.id()).copied() {
            None if state.queued.len() >= QUEUE_MAX => return,
            None => {}
            // What is due sooner counts.
            Some(Some(before)) if key.is_none_or(|key| key < before) => {
                state.later.remove(&before);
            }
            Some(_) => return,
        }
        state.queued.insert(live.id(), key);
        let queued = (live.platform().to_owned(), live.id());
        match key {
            None => state.push(queued),
            Some(key) => drop(state.later.insert(key, queued)),
        }
        drop(state);
        self.added.notify_one();
    }

    /// Queues a match that was found to wait.
    fn add_found(&self, BotDue { platform, match_id, .. }: BotDue) {
        let mut state = self.state.lock().expect(LOCKED);
        if state.queued.len() < QUEUE_MAX && !state.queued.contains_key(&match_id) {
            state.queued.insert(match_id, None);
            state.push((platform, match_id));
        }
    }

    /// The next matches, each platform's in turn.
    fn take(&self, most: usize) -> Vec<(String, MatchId)> {
        let mut state = self.state.lock().expect(LOCKED);
        let rest = state.later.split_off(&(Instant::now(), u64::MAX));
        let ripe = std::mem::replace(&mut state.later, rest);
        for it in ripe.into_values() {
            state.queued.insert(it.1, None);
            state.push(it);
        }
        let mut taken = Vec::new();
        while taken.len() < most {
            let Some((platform, mut matches)) = state.ready.pop_front() else { break };
            let match_id = matches.pop_front().expect("none is empty");
            state.queued.remove(&match_id);
            taken.push((platform.clone(), match_id));
            if !matches.is_empty() {
                state.ready.push_back((platform, matches));
            }
        }
        taken
    }

    /// Returns once there may be something to take.
    async fn woken(&self) {
        let added = self.added.notified();
        let next = {
            let state = self.state.lock().expect(LOCKED);
            match state.ready.is_empty() {
                true => state.later.keys().next().map(|key| key.0),
                false => return,
            }
        };
        match next {
            Some(at) => {
                let _ = timeout_at(at.into(), added).await;
            }
            None => added.await,
        }
    }
}

const LOCKED: &str = "nobody panics holding it";

impl QueueState {
    fn push(&mut self, (platform, match_id): (String, MatchId)) {
        match self.ready.iter_mut().find(|it| it.0 == platform) {
            Some((_, matches)) => matches.push_back(match_id),
            None => self.ready.push_back((platform, VecDeque::from([match_id]))),
        }
    }
}

// === Playing ===

/// Plays for the bots.
pub struct BotPlayers {
    matches: Matches,
    options: BotOptions,
    thinking: Arc<Semaphore>,
    known: Mutex<HashMap<(MatchId, Seat), Known>>,
    /// The position at which bots that need not act were asked last.
    asked: Mutex<HashMap<MatchId, Position>>,
    last_scan: Mutex<Option<Instant>>,
    last_forgetting: Mutex<Option<Instant>>,
}

/// What a bot knows of a match as of an entry.
#[derive(Clone)]
struct Known {
    /// Of the match in memory: the same match, read again, may have gone back.
    of: Weak<LiveMatch>,
    position: Position,
    observation: Arc<Observation>,
}

/// A match in which something may be up to a bot, and since when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotDue {
    pub platform: String,
    pub match_id: MatchId,
    pub since: OffsetDateTime,
}

impl BotPlayers {
    pub fn new(matches: Matches, options: BotOptions) -> BotPlayers {
        matches.0.live.bots.serve(options.patience);
        BotPlayers {
            matches,
            thinking: Arc::new(Semaphore::new(options.threads.get())),
            options,
            known: Mutex::default(),
            asked: Mutex::default(),
            last_scan: Mutex::default(),
            last_forgetting: Mutex::default(),
        }
    }

    /// Returns once there may be something due.
    pub async fn woken(&self) {
        self.matches.0.live.bots.woken().await;
    }

    /// What is due: at most what the threads can think about soon, so that nobody waits for long.
    /// Matches in `except` are left out as long as nothing happens in them after this time.
    pub async fn due(
        &self,
        most: usize,
        except: &[(MatchId, OffsetDateTime)],
    ) -> Result<Vec<BotDue>, Error> {
        let most = most.min(2 * self.options.threads.get());
        let store = &self.matches.0.store;
        if is_time(&self.last_forgetting, FORGET_INTERVAL) {
            store.forget_bots().await?;
        }
        let mut due = Vec::new();
        if is_time(&self.last_scan, SCAN_INTERVAL) {
            let patience = self.options.patience + self.options.think + self.options.pace;
            let before = now() - patience;
            let found = store.matches_waiting_for_bots(before, SCANNED_MAX, except).await?;
            let mut found = found.into_iter().map(|it| BotDue {
                platform: it.platform,
                match_id: it.match_id,
                since: it.update_time,
            });
            due.extend(found.by_ref().take(most));
            found.for_each(|it| self.matches.0.live.bots.add_found(it));
        }
        let since = now();
        for (platform, match_id) in self.matches.0.live.bots.take(most) {
            if due.iter().all(|it| it.match_id != match_id) {
                due.push(BotDue { platform, match_id, since });
            }
        }
        Ok(due)
    }

    /// Does what is up to the bots of a match, at most one entry. Returns false if another process
    /// was faster.
    pub async fn play(&self, platform: &str, match_id: MatchId) -> Result<bool, Error> {
        let caller = Caller { platform: platform.to_owned(), grant: Grant::Platform };
        let live = self.matches.live(&caller, match_id).await?;
        live.refresh(&self.matches.0.store).await?;
        let head = live.head();
        let Some(table) = head.table.clone().filter(|table| !table.ended()) else {
            return Ok(true);
        };
        let earliest = head.update_time.map(|time| time + self.options.pace - now());
        if let Some(wait) = earliest.and_then(|wait| Duration::try_from(wait).ok())
            && wait > Duration::ZERO
            && self.options.pace > Duration::ZERO
        {
            self.matches.0.live.bots.add(&live, wait);
            return Ok(true);
        }
        if let Some(vote) = agreement(&live, &table) {
            return self.record(&live, &head, Command::Vote(vote)).await;
        }
        if table.is_paused() {
            return Ok(true);
        }
        let asked = Asked::of(&table, |seat| live.has_bot(seat));
        if self.is_first(match_id, head.position) {
            for seat in asked.may {
                if let Some(done) = self.ask(&live, &head, seat, false).await? {
                    return Ok(done);
                }
            }
        }
        match asked.must {
            Some(seat) => Ok(self.ask(&live, &head, seat, true).await?.unwrap_or(false)),
            None => Ok(true),
        }
    }

    /// Whether the bots of a match that need not act were not asked at this position yet.
    fn is_first(&self, match_id: MatchId, position: Position) -> bool {
        let mut asked = self.asked.lock().expect(LOCKED);
        if asked.len() >= QUEUE_MAX {
            asked.clear();
        }
        asked.insert(match_id, position) != Some(position)
    }

    /// Asks a bot. None if it waits; otherwise whether its action was recorded.
    async fn ask(
        &self,
        live: &Arc<LiveMatch>,
        head: &Head,
        seat: Seat,
        must: bool,
    ) -> Result<Option<bool>, Error> {
        let seated = live.players().swap_remove(seat.index());
        let level = seated.and_then(|it| bots::find(it.bot()?));
        let name = level.map_or("unknown", |level| level.name);
        let count = |outcome: &'static str| {
            counter!(BOT_DECISIONS, "level" => name, "outcome" => outcome).increment(1);
        };
        let observation = self.observe(live, head, seat).await?;
        let failure = match self.think(live.game, level, observation.clone()).await {
            Ok(None) if !must => {
                count("waited");
                return Ok(None);
            }
            Ok(None) => "it chose nothing".to_owned(),
            Ok(Some(body)) => match self.act(live, head, seat, body).await {
                Ok(done) => {
                    count("acted");
                    return Ok(Some(done));
                }
                Err(error @ (Error::Refused { .. } | Error::MalformedAction(_))) => {
                    error.to_string()
                }
                Err(error) => return Err(error),
            },
            Err(failure) => failure,
        };
        count("failed");
        tracing::warn!(
            match.id = %live.id().0, entry.position = head.position.0, seat = u8::from(seat),
            level = name, failure, "a bot failed, so the house answers for it"
        );
        if !must {
            return Ok(None);
        }
        let answer = self.answer_of_house(live.game, observation).await;
        let answer = answer.ok_or_else(|| Error::Internal("the house has no answer".into()))?;
        self.act(live, head, seat, answer).await.map(Some)
    }

    /// What the seat was told up to the head.
    async fn observe(
        &self,
        live: &Arc<LiveMatch>,
        head: &Head,
        seat: Seat,
    ) -> Result<Arc<Observation>, Error> {
        let key = (live.id(), seat);
        let known = self.known.lock().expect(LOCKED).remove(&key).filter(|known| {
            known.of.upgrade().is_some_and(|of| Arc::ptr_eq(&of, live))
                && known.position <= head.position
        });
        let mut known = known.unwrap_or_else(|| Known {
            of: Arc::downgrade(live),
            position: Position::START,
            observation: Arc::new(Observation::new(live.game.layout(), live.seats(), seat)),
        });
        let observation = Arc::make_mut(&mut known.observation);
        while known.position < head.position {
            let entries =
                live.entries_after(&self.matches.0.store, known.position, PAGE_MAX).await?;
            let Some(last) = entries.last().map(|entry| entry.position) else {
                return Err(Error::Internal("the log has a gap".into()));
            };
            let told = entries.iter().filter(|entry| entry.position <= head.position);
            told.for_each(|entry| observation.hear(&entry.entry));
            known.position = last.min(head.position);
        }
        let observation = known.observation.clone();
        let mut all = self.known.lock().expect(LOCKED);
        if all.len() >= OBSERVATIONS_MAX {
            all.clear();
        }
        all.insert(key, known);
        Ok(observation)
    }

    /// What the bot chooses, or why it could not. It thinks on a thread of its own.
    async fn think(
        &self,
        game: &'static dyn Game,
        level: Option<Level>,
        observation: Arc<Observation>,
    ) -> Result<Option<Bytes>, String> {
        let level = level.ok_or("this release does not know its level")?;
        let time = self.options.think;
        let mut chance = own_chance();
        let thinking = self.on_thread(move || {
            let deadline = Instant::now() + time;
            level.choose(game, &observation, &mut || Instant::now() < deadline, &mut chance)
        });
        thinking.await.ok_or_else(|| "it panicked".to_owned())
    }

    async fn answer_of_house(
        &self,
        game: &'static dyn Game,
        observation: Arc<Observation>,
    ) -> Option<Bytes> {
        let answer = move || {
            with_rules(game, HouseAnswer { observation: &observation, chance: &mut own_chance() })
        };
        self.on_thread(answer).await?
    }

    /// None if it panics.
    async fn on_thread<T: Send + 'static>(
        &self,
        think: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let permit = self.thinking.clone().acquire_owned().await.expect("it is never closed");
        let thinking = spawn_blocking(move || {
            // Held until it is done, even if nobody waits for it any more.
            let _permit = permit;
            think()
        });
        thinking.await.ok()
    }

    async fn act(
        &self,
        live: &Arc<LiveMatch>,
        head: &Head,
        seat: Seat,
        body: Bytes,
    ) -> Result<bool, Error> {
        let action = Action { game: Some(live.game.name()), body };
        let command = Command::Act(seat, parse(live, &action)?);
        self.record(live, head, command).await
    }

    /// Records what was chosen at the head. Returns false if something else was recorded there.
    async fn record(
        &self,
        live: &Arc<LiveMatch>,
        head: &Head,
        command: Command,
    ) -> Result<bool, Error> {
        // It has a space, so no client can use it.
        let request_id = format!("bot {}", head.position.0);
        let expected = Expected { position: Some(head.position), prompt: None };
        match self.matches.accept(live, command, expected, Some(request_id)).await {
            Ok(_) => Ok(true),
            Err(Error::PositionMoved { .. } | Error::RequestIdReused) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// Bots agree to what all players agree to.
fn agreement(live: &LiveMatch, table: &Table) -> Option<Vote> {
    let (bots, players): (Vec<Seat>, Vec<Seat>) =
        table.contenders().partition(|&seat| live.has_bot(seat));
    let is_agreed = |motion| players.iter().all(|&seat| table.votes_for(seat, motion));
    let proposed = table.votes().iter().map(|vote| vote.1).filter(|&it| is_agreed(it));
    let missing = |motion| bots.iter().find(|&&seat| !table.votes_for(seat, motion));
    let mut votes =
        proposed.filter_map(|motion| Some(Vote { seat: *missing(motion)?, motion, on: true }));
    if players.is_empty() { None } else { votes.next() }
}

/// Not the chance of the match, which must tell nobody anything.
fn own_chance() -> ChaCha {
    ChaCha::of(random(), 0)
}

/// What the house answers for a seat that is away.
struct HouseAnswer<'a> {
    observation: &'a Observation,
    chance: &'a mut dyn Chance,
}

impl WithRules for HouseAnswer<'_> {
    type Output = Option<Bytes>;

    fn run<G: Rules>(self) -> Option<Bytes> {
        let (table, seat) = (self.observation.table(), self.observation.seat());
        house_answer::<G>(table, seat, self.chance).map(|answer| G::print(&answer))
    }
}

/// Whether so much time has passed since this was last true.
fn is_time(last: &Mutex<Option<Instant>>, interval: Duration) -> bool {
    let mut last = last.lock().expect(LOCKED);
    let is_time = last.is_none_or(|last| last.elapsed() >= interval);
    if is_time {
        *last = Some(Instant::now());
    }
    is_time
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::fixtures::Played;

    fn id(number: u128) -> MatchId {
        MatchId(Uuid::from_u128(number))
    }

    #[test]
    fn no_platform_waits_for_all_matches_of_another() {
        let queue = BotQueue::default();
        for (platform, number) in [("acme", 1), ("acme", 2), ("acme", 3), ("zeta", 4)] {
            queue.state.lock().expect(LOCKED).push((platform.to_owned(), id(number)));
        }
        let taken: Vec<MatchId> = queue.take(3).into_iter().map(|it| it.1).collect();
        assert_eq!(taken, [id(1), id(4), id(2)]);
        assert_eq!(queue.take(3), [("acme".to_owned(), id(3))]);
        assert_eq!(queue.take(3), []);
    }

    #[tokio::test]
    async fn a_match_is_queued_once_and_not_before_its_time() {
        let (queue, live) = (BotQueue::default(), Played::new().live());
        queue.add(&live, Duration::ZERO);
        assert_eq!(queue.take(9), [], "nobody plays for bots");
        queue.serve(Duration::from_millis(500));
        queue.add(&live, Duration::ZERO);
        queue.add(&live, Duration::ZERO);
        queue.woken().await;
        assert_eq!(queue.take(9).len(), 1);
        queue.add_remote(&live);
        assert_eq!(queue.take(9), [], "another process plays it first");
        queue.add(&live, Duration::ZERO);
        assert_eq!(queue.take(9).len(), 1, "this one is to play it now");
        assert_eq!(queue.take(9), []);
        queue.add_remote(&live);
        queue.add(&live, Duration::from_secs(3600));
        let began = Instant::now();
        while queue.take(9).is_empty() {
            queue.woken().await;
        }
        assert!(began.elapsed() < Duration::from_secs(60));
    }
}
