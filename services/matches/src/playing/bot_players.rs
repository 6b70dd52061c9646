//! Playing for the bots that have seats.
//!
//! A bot submits actions as a player does. Any number of processes may play for a bot: its action
//! expects the position that it was chosen at, and its request id follows from that position, so
//! each decision is recorded once (`tests/it/bots.rs` checks it while processes are killed).

use std::collections::HashMap;
use std::num::NonZero;
use std::sync::{Arc, Mutex, Weak};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use bots::{Asked, Level, agreement};
use bytes::Bytes;
use database::pace;
use games::Game;
use metrics::counter;
use positions::Position;
use rows::MatchId;
use table::{Observation, Seat, Small};
use time::OffsetDateTime;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::accepting::{Action, ActionOf, Command, Expected, Vote};
use crate::access::Caller;
use crate::error::Error;
use crate::live::{Head, LiveMatch, QUEUE_MAX};
use crate::matches::Matches;
use crate::random::own_chance;

/// A counter: decisions of bots, by `level` and `outcome`.
pub const BOT_DECISIONS: &str = "croupier_bots_decisions_total";

#[derive(Clone, Copy, Debug)]
pub struct BotOptions {
    /// How many bots think at once, each on a thread of its own.
    pub threads: NonZero<usize>,
    /// How long a bot may think about a decision.
    pub think: Duration,
    /// The shortest time between an entry and a bot's action.
    pub pace: Duration,
    /// How long this process leaves the bots of a match to the process in which it is played.
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

/// How often the database is asked for matches that wait for a bot. Matches of this process are
/// known at once.
const SCAN_INTERVAL: Duration = Duration::from_secs(1);

/// How often ended matches are removed from the list of matches with bots.
const FORGET_INTERVAL: Duration = Duration::from_secs(60);

/// The maximum number of matches that one scan finds.
const SCANNED_MAX: usize = 256;

/// The part of its time that a bot thinks at most, in fifths. The rest is for the end of what it
/// had begun, so that its answer comes when the whole time is over.
const THINKING_FIFTHS: u32 = 4;

/// The part of the time for thinking after which a bot answers that does not search: more than it
/// needs.
const QUICK_PART: u32 = 10;

/// Observations of this many seats are kept in memory; others are folded again.
const OBSERVATIONS_MAX: usize = 512;

/// Plays for the bots of all matches.
pub struct BotPlayers {
    matches: Matches,
    options: BotOptions,
    thinking: Arc<Semaphore>,
    known: Mutex<HashMap<(MatchId, Seat), Known>>,
    /// The position at which the bots that may act, but need not, were last asked.
    asked: Mutex<HashMap<MatchId, Position>>,
    /// Choices whose time has not come yet.
    chosen: Mutex<HashMap<MatchId, Chosen>>,
    last_scan: Mutex<Option<Instant>>,
    last_forgetting: Mutex<Option<Instant>>,
}

/// A bot's choice. It is recorded at a time that depends only on its level, since how fast a bot
/// knows what to do tells what it can do: with one legal action there is nothing to think about.
struct Chosen {
    position: Position,
    seat: Seat,
    body: Bytes,
    due: Instant,
}

/// A bot's observation of a match, up to an entry.
#[derive(Clone)]
struct Known {
    /// The match in memory that it was folded from: if it was loaded again, the record may have
    /// gone back.
    of: Weak<LiveMatch>,
    position: Position,
    observation: Arc<Observation>,
}

/// A match that may wait for a bot, and since when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotDue {
    pub platform: String,
    pub match_id: MatchId,
    pub since: OffsetDateTime,
}

impl BotPlayers {
    pub fn new(matches: Matches, options: BotOptions) -> BotPlayers {
        matches.0.bots.serve(options.patience);
        BotPlayers {
            matches,
            thinking: Arc::new(Semaphore::new(options.threads.get())),
            options,
            known: Mutex::default(),
            asked: Mutex::default(),
            chosen: Mutex::default(),
            last_scan: Mutex::default(),
            last_forgetting: Mutex::default(),
        }
    }

    /// Returns once there may be something due.
    pub async fn woken(&self) {
        self.matches.0.bots.woken().await;
    }

    /// The matches that wait for a bot: at most as many as the threads can handle soon. A match in
    /// `except` is left out unless it has changed since that time.
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
        if is_time(&self.last_scan, pace::longest_pause(SCAN_INTERVAL)) {
            let patience = self.options.patience + self.options.think + self.options.pace;
            let before = self.matches.now() - patience;
            let found = store.matches_waiting_for_bots(before, SCANNED_MAX, except).await?;
            let mut found = found.into_iter().map(|it| BotDue {
                platform: it.platform,
                match_id: it.match_id,
                since: it.update_time,
            });
            due.extend(found.by_ref().take(most));
            found.for_each(|it| self.matches.0.bots.add_found(it.platform, it.match_id));
        }
        let since = self.matches.now();
        for (platform, match_id) in self.matches.0.bots.take(most) {
            if due.iter().all(|it| it.match_id != match_id) {
                due.push(BotDue { platform, match_id, since });
            }
        }
        Ok(due)
    }

    /// Lets the bots of a match act, with at most one entry. Returns false if another process was
    /// faster.
    pub async fn play(&self, platform: &str, match_id: MatchId) -> Result<bool, Error> {
        let live = self.matches.live(&Caller::service(platform), match_id).await?;
        live.refresh(&self.matches.0.live.pages).await?;
        let head = live.head();
        let Some(table) = head.table.clone().filter(|table| !table.ended()) else {
            return Ok(true);
        };
        let earliest = head.update_time.map(|time| time + self.options.pace - self.matches.now());
        if let Some(wait) = earliest.and_then(|wait| Duration::try_from(wait).ok())
            && wait > Duration::ZERO
            && self.options.pace > Duration::ZERO
        {
            self.matches.0.bots.add(&live, wait);
            return Ok(true);
        }
        if let Some((seat, motion)) = agreement(&table, |seat| live.has_bot(seat)) {
            let vote = Vote { seat, motion, on: true };
            return self.record(&live, &head, Command::Vote(vote)).await;
        }
        if table.is_paused() {
            return Ok(true);
        }
        let asked = Asked::of(&table, |seat| live.has_bot(seat));
        let mut free = Instant::now();
        if let Some(seat) = self.seat_of_chosen(match_id, head.position) {
            let must = asked.must == Some(seat);
            if let Some(done) = self.ask(&live, &head, seat, must, &mut free).await? {
                return Ok(done);
            }
        }
        if self.is_first(match_id, head.position) {
            for seat in asked.may {
                if let Some(done) = self.ask(&live, &head, seat, false, &mut free).await? {
                    return Ok(done);
                }
            }
        }
        match asked.must {
            Some(seat) => Ok(self.ask(&live, &head, seat, true, &mut free).await?.unwrap_or(false)),
            None => Ok(true),
        }
    }

    /// The seat of a choice for this position that waits for its time.
    fn seat_of_chosen(&self, match_id: MatchId, position: Position) -> Option<Seat> {
        let mut chosen = self.chosen.lock().expect(LOCKED);
        chosen.retain(|&id, it| id != match_id || it.position == position);
        chosen.get(&match_id).map(|it| it.seat)
    }

    /// Whether this is the first time that the bots which need not act are asked at this position.
    fn is_first(&self, match_id: MatchId, position: Position) -> bool {
        let mut asked = self.asked.lock().expect(LOCKED);
        if asked.len() >= QUEUE_MAX {
            asked.clear();
        }
        asked.insert(match_id, position) != Some(position)
    }

    /// Asks a bot. Returns `None` if it waits, otherwise whether its action was recorded or, before
    /// its time, kept. `free` is when the bot that was asked before would have answered.
    async fn ask(
        &self,
        live: &Arc<LiveMatch>,
        head: &Head,
        seat: Seat,
        must: bool,
        free: &mut Instant,
    ) -> Result<Option<bool>, Error> {
        let seated = live.players().swap_remove(seat.index());
        let level = seated.and_then(|it| bots::find(live.game_of_bots(), it.bot()?));
        let name = level.map_or("unknown", |level| level.name);
        let count = |outcome: &'static str| {
            counter!(BOT_DECISIONS, "level" => name, "outcome" => outcome).increment(1);
        };
        let observation = self.observe(live, head, seat).await?;
        let kept = self.chosen.lock().expect(LOCKED).remove(&live.id());
        let kept = kept.filter(|it| (it.position, it.seat) == (head.position, seat));
        let (choice, due) = match kept {
            Some(it) => (Ok(Some(it.body)), it.due),
            None => {
                let (choice, begun) = self.think(live, level, observation.clone()).await;
                let time = match level {
                    Some(level) if level.searches => self.options.think,
                    _ => self.options.think / QUICK_PART,
                };
                (choice, begun.max(*free) + time)
            }
        };
        *free = due;
        let failure = match choice {
            Ok(None) if !must => {
                count("waited");
                return Ok(None);
            }
            Ok(None) => "it chose nothing".to_owned(),
            Ok(Some(body)) if Instant::now() < due => {
                let chosen = Chosen { position: head.position, seat, body, due };
                let mut all = self.chosen.lock().expect(LOCKED);
                if all.len() >= QUEUE_MAX {
                    all.clear();
                }
                all.insert(live.id(), chosen);
                drop(all);
                self.matches.0.bots.add(live, due.saturating_duration_since(Instant::now()));
                return Ok(Some(true));
            }
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
        let answer = self.answer_of_house(live, observation).await;
        let answer = answer.ok_or_else(|| Error::Internal("the house has no answer".into()))?;
        self.act(live, head, seat, answer).await.map(Some)
    }

    /// The seat's observation up to the head.
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
            observation: Arc::new(Observation::new(
                live.game_of_bots().layout(),
                live.seats(),
                seat,
            )),
        });
        let observation = Arc::make_mut(&mut known.observation);
        let pages = &self.matches.0.live.pages;
        live.tell(pages, observation, known.position, head.position).await?;
        known.position = head.position;
        let observation = known.observation.clone();
        let mut all = self.known.lock().expect(LOCKED);
        if all.len() >= OBSERVATIONS_MAX {
            all.clear();
        }
        all.insert(key, known);
        Ok(observation)
    }

    /// The bot's choice, or why there is none, and when it began to think. Computed on a thread of
    /// its own.
    async fn think(
        &self,
        live: &LiveMatch,
        level: Option<Level>,
        observation: Arc<Observation>,
    ) -> (Result<Option<Bytes>, String>, Instant) {
        let now = Instant::now();
        let Some(level) = level else {
            return (Err("this release does not know its level".to_owned()), now);
        };
        let time = self.options.think * THINKING_FIFTHS / 5;
        let mut chance = own_chance();
        let game = live.game_of_bots();
        let thinking = self.on_thread(live, game, move || {
            let begun = Instant::now();
            let mut budget = || begun.elapsed() < time;
            let choice = level.choose(game, &observation, &mut budget, &mut chance);
            (choice.map_err(|refused| refused.to_string()), begun)
        });
        thinking.await.unwrap_or_else(|| (Err("it panicked".to_owned()), now))
    }

    async fn answer_of_house(
        &self,
        live: &LiveMatch,
        observation: Arc<Observation>,
    ) -> Option<Bytes> {
        let game = live.game;
        let answer = move || {
            let (table, seat) = (observation.table(), observation.seat());
            game.answer_for_house(table, seat, &mut own_chance())
        };
        self.on_thread(live, game, answer).await?.ok()?
    }

    /// Returns `None` if it panics.
    async fn on_thread<T: Send + 'static>(
        &self,
        live: &LiveMatch,
        game: &'static dyn Game,
        think: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let permit = self.thinking.clone().acquire_owned().await.expect("it is never closed");
        if game.is_suspect() {
            return self.matches.budgets().by_suspect_rules(live.platform(), think).await.ok();
        }
        let thinking = spawn_blocking(move || {
            // Held until the work is done, even if its caller has given up.
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
        let action = Action { of: ActionOf::Own, body };
        let command = Command::Act(seat, self.matches.parse(live, action).await?);
        self.record(live, head, command).await
    }

    /// Records a command that was chosen at the head. Returns false if something else was recorded
    /// there.
    async fn record(
        &self,
        live: &Arc<LiveMatch>,
        head: &Head,
        command: Command,
    ) -> Result<bool, Error> {
        // It contains a space, so no client can use it.
        let request_id = format!("bot {}", head.position.0);
        let expected = Expected { position: Some(head.position), prompt: None };
        match self.matches.accept(live, None, command, expected, Some(request_id)).await {
            Ok(_) => Ok(true),
            Err(Error::PositionMoved { .. } | Error::RequestIdReused) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

const LOCKED: &str = "nobody panics holding it";

/// Whether `interval` has passed since this last returned true.
fn is_time(last: &Mutex<Option<Instant>>, interval: Duration) -> bool {
    let mut last = last.lock().expect(LOCKED);
    let is_time = last.is_none_or(|last| last.elapsed() >= interval);
    if is_time {
        *last = Some(Instant::now());
    }
    is_time
}
