//! What each platform and each seat may use of what all share.
//!
//! Limits hold per process. The defaults are far above what a platform needs and far below what
//! would leave nothing to others; an operator changes them for each platform.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, RwLock};
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultDirectRateLimiter, DefaultKeyedRateLimiter, NotUntil, Quota, RateLimiter};
use std::num::NonZero;
use store::{LimitsRow, MatchId, Store};
use table::Seat;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::fair::{FairSlots, Sizes, Slot};
use crate::{Caller, Error, Grant, Matches};

/// The limits of a platform and of the seats in its matches. Each is at least 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Calls a second: a unary call, the opening of a stream, or a message of `Play`.
    pub calls_per_s: u32,
    /// Actions and resignations a second.
    pub actions_per_s: u32,
    /// Actions that are being recorded or wait for it.
    pub actions_max: u32,
    /// Matches created a second, on average over [`MATCHES_BURST_S`].
    pub matches_per_s: u32,
    /// Open streams of single matches: `WatchEntries` and `ReplayEntries`.
    pub watches_max: u32,
    /// Open streams of many matches: `StreamEntries`, `WatchPlayer`, `ConsumeSubscription` and
    /// `Play`.
    pub streams_max: u32,
    pub subscriptions_max: u32,
    /// Consumers of one subscription. There are 64 buckets, so more would have nothing to do.
    pub consumers_max: u32,
    /// Calls a second with one seat's or one player's tokens, on average over
    /// [`SEAT_CALLS_BURST_S`].
    pub seat_calls_per_s: u32,
    /// Actions a second with one seat's or one player's tokens, on average over
    /// [`SEAT_ACTIONS_BURST_S`].
    pub seat_actions_per_s: u32,
    /// Open streams of one seat's or one player's tokens.
    pub seat_streams_max: u32,
    /// Entries that one seat may add to its match. What it says counts as well as what it plays.
    pub seat_entries_max: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            calls_per_s: 100_000,
            actions_per_s: 100_000,
            actions_max: 8192,
            matches_per_s: 2000,
            watches_max: 20_000,
            streams_max: 512,
            subscriptions_max: 100,
            consumers_max: 64,
            seat_calls_per_s: 100,
            seat_actions_per_s: 10,
            seat_streams_max: 16,
            seat_entries_max: 10_000,
        }
    }
}

/// A platform may create the matches of so many seconds at once, such as those of a tournament.
const MATCHES_BURST_S: u32 = 10;

/// A program at the table plays a whole match at once.
const SEAT_CALLS_BURST_S: u32 = 10;

/// As many actions as a seat has in a long match, and no more than that without a pause.
const SEAT_ACTIONS_BURST_S: u32 = 30;

/// A limit of a platform, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedLimit {
    /// As a refusal names it.
    pub name: &'static str,
    pub value: u32,
    /// Whether an operator has set it; otherwise it is the default.
    pub is_set: bool,
}

impl Limits {
    /// Each limit by its name.
    pub fn named(row: &LimitsRow) -> [NamedLimit; 12] {
        let it = Limits::of(row);
        [
            ("calls_per_s", it.calls_per_s, row.calls_per_s),
            ("actions_per_s", it.actions_per_s, row.actions_per_s),
            ("actions_max", it.actions_max, row.actions_max),
            ("matches_per_s", it.matches_per_s, row.matches_per_s),
            ("watches_max", it.watches_max, row.watches_max),
            ("streams_max", it.streams_max, row.streams_max),
            ("subscriptions_max", it.subscriptions_max, row.subscriptions_max),
            ("consumers_max", it.consumers_max, row.consumers_max),
            ("seat_calls_per_s", it.seat_calls_per_s, row.seat_calls_per_s),
            ("seat_actions_per_s", it.seat_actions_per_s, row.seat_actions_per_s),
            ("seat_streams_max", it.seat_streams_max, row.seat_streams_max),
            ("seat_entries_max", it.seat_entries_max, row.seat_entries_max),
        ]
        .map(|(name, value, set)| NamedLimit { name, value, is_set: set.is_some() })
    }

    /// The limits that were set, and the defaults for the rest.
    pub fn of(row: &LimitsRow) -> Limits {
        let usual = Limits::default();
        let or = |set: Option<i32>, usual: u32| {
            set.and_then(|set| u32::try_from(set).ok()).filter(|set| *set > 0).unwrap_or(usual)
        };
        Limits {
            calls_per_s: or(row.calls_per_s, usual.calls_per_s),
            actions_per_s: or(row.actions_per_s, usual.actions_per_s),
            actions_max: or(row.actions_max, usual.actions_max),
            matches_per_s: or(row.matches_per_s, usual.matches_per_s),
            watches_max: or(row.watches_max, usual.watches_max),
            streams_max: or(row.streams_max, usual.streams_max),
            subscriptions_max: or(row.subscriptions_max, usual.subscriptions_max),
            consumers_max: or(row.consumers_max, usual.consumers_max),
            seat_calls_per_s: or(row.seat_calls_per_s, usual.seat_calls_per_s),
            seat_actions_per_s: or(row.seat_actions_per_s, usual.seat_actions_per_s),
            seat_streams_max: or(row.seat_streams_max, usual.seat_streams_max),
            seat_entries_max: or(row.seat_entries_max, usual.seat_entries_max),
        }
    }
}

/// The budgets of every platform that has called this process. Cheap to clone.
#[derive(Clone)]
pub struct Budgets(Arc<Inner>);

struct Inner {
    platforms: RwLock<HashMap<String, Arc<Budget>>>,
    /// Notified when a platform calls for the first time.
    joined: Notify,
    actions: FairSlots,
    /// By [`Lane`].
    lanes: [FairSlots; 3],
}

/// Queries of one kind share a part of the readers' connections, so that no kind can take all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Streams of a platform's entries, and subscriptions.
    Streams,
    /// Lists, searches and read models.
    Lists,
    /// Writes besides actions: matches, seats, tags.
    Writes,
}

/// Actions in flight at once, of all matches: about a tenth of a second's work, so an admitted
/// action is answered soon.
const IN_FLIGHT: Sizes = Sizes { slots: 2048, each_max: 1920 };

/// By [`Lane`], of so many connections. If there are enough, some are left to queries outside the
/// lanes, of which few run at once: limits, and how far the read models are.
fn lanes(connections: u32) -> [Sizes; 3] {
    let part = |of_fourteen: usize| {
        let slots = (connections as usize * of_fourteen / 14).max(1);
        // So that no platform has all of them.
        Sizes { slots, each_max: (slots - 1).max(1) }
    };
    [part(3), part(4), part(4)]
}

/// Queries of one platform that may wait in a lane: a tenth of a second's work of short ones.
const LANE_CALLS_MAX: usize = 512;

/// How long a call waits for its lane: a little longer than the queries before it wait for a
/// connection if there is none to be had.
const LANE_WAIT: Duration = Duration::from_secs(2);

/// How often limits are read: soon enough for an operator who watches.
const REFRESH_INTERVAL: Duration = Duration::from_secs(2);

/// How long a caller waits that has too many streams or subscriptions: one of its own must end.
const QUOTA_DELAY: Duration = Duration::from_secs(1);

impl Budgets {
    /// Budgets of callers that share so many connections.
    pub fn new(connections: u32) -> Budgets {
        Budgets(Arc::new(Inner {
            platforms: RwLock::default(),
            joined: Notify::new(),
            actions: FairSlots::new(IN_FLIGHT),
            lanes: lanes(connections).map(FairSlots::new),
        }))
    }

    /// Admits a call whose caller is known. Fails if the platform or the seat calls too often.
    pub fn admit(&self, caller: &Caller) -> Result<(), Error> {
        let rates = self.of(&caller.platform).rates();
        check("calls_per_s", rates.limits.calls_per_s, rates.calls.check())?;
        if let Some(holder) = Holder::of(&caller.grant) {
            let checked = rates.seat_calls.check_key(&holder);
            check("seat_calls_per_s", rates.limits.seat_calls_per_s, checked)?;
        }
        Ok(())
    }

    /// Reads what operators set, until `drain` is cancelled.
    pub async fn run(self, store: Store, drain: CancellationToken) {
        loop {
            if let Err(error) = self.refresh(&store).await {
                tracing::debug!(%error, "the limits of platforms cannot be read, trying again");
            }
            tokio::select! {
                () = drain.cancelled() => return,
                () = self.0.joined.notified() => {}
                () = tokio::time::sleep(REFRESH_INTERVAL) => {}
            }
        }
    }

    async fn refresh(&self, store: &Store) -> Result<(), store::Error> {
        let known: Vec<(String, Arc<Budget>)> = {
            let platforms = self.0.platforms.read().expect("no holder of this lock panics");
            platforms.iter().map(|(name, budget)| (name.clone(), budget.clone())).collect()
        };
        let names: Vec<String> = known.iter().map(|(name, _)| name.clone()).collect();
        let rows = store.platform_limits(&names).await?;
        let set: HashMap<&str, Limits> =
            rows.iter().map(|row| (row.platform.as_str(), Limits::of(row))).collect();
        for (name, budget) in &known {
            budget.refresh(set.get(name.as_str()).cloned().unwrap_or_default());
        }
        Ok(())
    }

    /// How much of a limit the platform uses in this process now; none if that is not counted.
    pub(crate) fn used(&self, platform: &str, limit: &str) -> Option<usize> {
        let budget = self.of(platform);
        match limit {
            "actions_max" => Some(self.0.actions.count(budget.number)),
            "watches_max" => Some(budget.watches.load(Relaxed)),
            "streams_max" => Some(budget.streams.load(Relaxed)),
            _ => None,
        }
    }

    pub(crate) fn of(&self, platform: &str) -> Arc<Budget> {
        let platforms = self.0.platforms.read().expect("no holder of this lock panics");
        if let Some(budget) = platforms.get(platform) {
            return budget.clone();
        }
        drop(platforms);
        let mut platforms = self.0.platforms.write().expect("no holder of this lock panics");
        let number = platforms.len();
        let budget = platforms.entry(platform.to_owned());
        let budget = budget.or_insert_with(|| Arc::new(Budget::new(number))).clone();
        self.0.joined.notify_one();
        budget
    }

    /// Waits for a place in a lane.
    async fn enter(&self, lane: Lane, platform: &str, calls_max: usize) -> Result<Slot, Error> {
        let lane = &self.0.lanes[lane as usize];
        let entered = lane.acquire(self.of(platform).number, calls_max).await;
        entered.map_err(|_full| Error::Overloaded)
    }
}

/// What one platform uses, and may use.
pub(crate) struct Budget {
    /// Platforms are numbered as they first call.
    number: usize,
    rates: RwLock<Arc<Rates>>,
    watches: Arc<AtomicUsize>,
    streams: Arc<AtomicUsize>,
    /// Streams by seat.
    seat_streams: Counts<Holder>,
    /// Consumers by subscription.
    consumers: Counts<String>,
}

/// Limits, and the meters that enforce those of them that are rates.
struct Rates {
    limits: Limits,
    calls: DefaultDirectRateLimiter,
    actions: DefaultDirectRateLimiter,
    matches: DefaultDirectRateLimiter,
    seat_calls: DefaultKeyedRateLimiter<Holder>,
    seat_actions: DefaultKeyedRateLimiter<Holder>,
}

impl Rates {
    fn new(limits: Limits) -> Rates {
        let quota = |per_s: u32, burst_s: u32| {
            let count = |count: u32| NonZero::new(count).unwrap_or(NonZero::<u32>::MIN);
            Quota::per_second(count(per_s)).allow_burst(count(per_s.saturating_mul(burst_s)))
        };
        Rates {
            calls: RateLimiter::direct(quota(limits.calls_per_s, 1)),
            actions: RateLimiter::direct(quota(limits.actions_per_s, 1)),
            matches: RateLimiter::direct(quota(limits.matches_per_s, MATCHES_BURST_S)),
            seat_calls: RateLimiter::keyed(quota(limits.seat_calls_per_s, SEAT_CALLS_BURST_S)),
            seat_actions: RateLimiter::keyed(quota(
                limits.seat_actions_per_s,
                SEAT_ACTIONS_BURST_S,
            )),
            limits,
        }
    }
}

/// Whom the limits of a seat hold for: all tokens of a seat together, or all of a player.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Holder {
    Seat(MatchId, Seat),
    Player(Arc<str>),
}

impl Holder {
    fn of(grant: &Grant) -> Option<Holder> {
        match grant {
            Grant::Seat(match_id, seat) => Some(Holder::Seat(*match_id, *seat)),
            Grant::Player(player) => Some(Holder::Player(player.clone())),
            Grant::Platform | Grant::Spectator(_) => None,
        }
    }
}

/// A kind of stream, as far as limits distinguish them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StreamKind {
    OneMatch,
    ManyMatches,
}

/// An open stream, counted until this is dropped.
pub(crate) struct OpenStream {
    _of_platform: Counted,
    _of_seat: Option<CountedKey<Holder>>,
}

impl Budget {
    fn new(number: usize) -> Budget {
        Budget {
            number,
            rates: RwLock::new(Arc::new(Rates::new(Limits::default()))),
            watches: Arc::default(),
            streams: Arc::default(),
            seat_streams: Counts::default(),
            consumers: Counts::default(),
        }
    }

    fn rates(&self) -> Arc<Rates> {
        self.rates.read().expect("no holder of this lock panics").clone()
    }

    /// Meters begin anew when the limits change, and only then.
    fn refresh(&self, limits: Limits) {
        let rates = self.rates();
        if rates.limits != limits {
            let new = Arc::new(Rates::new(limits));
            *self.rates.write().expect("no holder of this lock panics") = new;
        } else {
            // Seats that have been quiet long enough are forgotten.
            rates.seat_calls.retain_recent();
            rates.seat_actions.retain_recent();
        }
    }

    /// Counts an action.
    pub fn check_action(&self, grant: &Grant) -> Result<(), Error> {
        let rates = self.rates();
        check("actions_per_s", rates.limits.actions_per_s, rates.actions.check())?;
        if let Some(holder) = Holder::of(grant) {
            let checked = rates.seat_actions.check_key(&holder);
            check("seat_actions_per_s", rates.limits.seat_actions_per_s, checked)?;
        }
        Ok(())
    }

    /// Counts a match to create.
    pub fn check_match(&self) -> Result<(), Error> {
        let rates = self.rates();
        check("matches_per_s", rates.limits.matches_per_s, rates.matches.check())
    }

    /// Fails if a seat that has added this many entries to its match may add no more.
    pub fn check_seat_entries(&self, count: u32) -> Result<(), Error> {
        quota("seat_entries_max", self.rates().limits.seat_entries_max, count as usize)
    }

    /// Fails if a platform with this many subscriptions may have no more.
    pub fn check_subscriptions(&self, count: usize) -> Result<(), Error> {
        quota("subscriptions_max", self.rates().limits.subscriptions_max, count)
    }

    /// Counts a stream that opens.
    pub fn open(&self, grant: &Grant, kind: StreamKind) -> Result<OpenStream, Error> {
        let limits = &self.rates().limits;
        let of_platform = match kind {
            StreamKind::OneMatch => count("watches_max", limits.watches_max, &self.watches),
            StreamKind::ManyMatches => count("streams_max", limits.streams_max, &self.streams),
        }?;
        let of_seat = match Holder::of(grant) {
            Some(holder) => {
                let max = limits.seat_streams_max;
                Some(self.seat_streams.add(holder, "seat_streams_max", max)?)
            }
            None => None,
        };
        Ok(OpenStream { _of_platform: of_platform, _of_seat: of_seat })
    }

    /// Counts a consumer of a subscription in this process.
    pub fn consume(&self, subscription: &str) -> Result<CountedKey<String>, Error> {
        let max = self.rates().limits.consumers_max;
        self.consumers.add(subscription.to_owned(), "consumers_max", max)
    }
}

fn check<At: governor::clock::Reference>(
    limit: &'static str,
    value: u32,
    checked: Result<(), NotUntil<At>>,
) -> Result<(), Error>
where
    DefaultClock: Clock<Instant = At>,
{
    checked.map_err(|until| {
        let delay = until.wait_time_from(DefaultClock::default().now());
        Error::RateLimitExceeded { limit, value, delay }
    })
}

fn quota(limit: &'static str, value: u32, used: usize) -> Result<(), Error> {
    if used < value as usize {
        return Ok(());
    }
    Err(Error::QuotaExceeded { limit, value, delay: QUOTA_DELAY })
}

/// Counts one more until the result is dropped, unless there are `value` already.
fn count(limit: &'static str, value: u32, used: &Arc<AtomicUsize>) -> Result<Counted, Error> {
    let counted = Counted(used.clone());
    quota(limit, value, used.fetch_add(1, Relaxed))?;
    Ok(counted)
}

struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// How many there are by key. Keys without any are not kept.
struct Counts<Key>(Arc<Mutex<HashMap<Key, usize>>>);

/// Counts one until it is dropped.
pub(crate) struct CountedKey<Key: Eq + Hash> {
    counts: Arc<Mutex<HashMap<Key, usize>>>,
    key: Key,
}

impl<Key> Default for Counts<Key> {
    fn default() -> Self {
        Counts(Arc::default())
    }
}

impl<Key: Clone + Eq + Hash> Counts<Key> {
    fn add(&self, key: Key, limit: &'static str, value: u32) -> Result<CountedKey<Key>, Error> {
        let mut counts = self.0.lock().expect("no holder of this lock panics");
        quota(limit, value, counts.get(&key).copied().unwrap_or(0))?;
        *counts.entry(key.clone()).or_default() += 1;
        Ok(CountedKey { counts: self.0.clone(), key })
    }
}

impl<Key: Eq + Hash> Drop for CountedKey<Key> {
    fn drop(&mut self) {
        let mut counts = self.counts.lock().expect("no holder of this lock panics");
        if let Some(count) = counts.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.key);
            }
        }
    }
}

impl Matches {
    pub fn budgets(&self) -> &Budgets {
        &self.0.budgets
    }

    /// Counts a stream of the caller that opens.
    pub(crate) fn open_stream(
        &self,
        caller: &Caller,
        kind: StreamKind,
    ) -> Result<OpenStream, Error> {
        self.0.budgets.of(&caller.platform).open(&caller.grant, kind)
    }

    /// Waits for a slot of the platform among the actions in flight.
    pub(crate) async fn action_slot(&self, platform: &str) -> Result<Slot, Error> {
        let budget = self.0.budgets.of(platform);
        let value = budget.rates().limits.actions_max;
        let acquiring = self.0.budgets.0.actions.acquire(budget.number, value as usize);
        let full = |_| Error::QuotaExceeded { limit: "actions_max", value, delay: QUOTA_DELAY };
        acquiring.await.map_err(full)
    }

    /// Runs a query of a platform in its lane. The query must not enter a lane itself.
    pub(crate) async fn in_lane<T, E: Into<Error>>(
        &self,
        lane: Lane,
        platform: &str,
        query: impl Future<Output = Result<T, E>>,
    ) -> Result<T, Error> {
        let entering = self.0.budgets.enter(lane, platform, LANE_CALLS_MAX);
        let entered = tokio::time::timeout(LANE_WAIT, entering).await;
        let _place = entered.map_err(|_| Error::DatabaseUnavailable { unknown: false })??;
        query.await.map_err(Into::into)
    }

    /// Runs a query of an open stream, which waits for its lane as long as others are before it.
    pub(crate) async fn in_lane_of_streams<T, E: Into<Error>>(
        &self,
        platform: &str,
        query: impl Future<Output = Result<T, E>>,
    ) -> Result<T, Error> {
        let _place = self.0.budgets.enter(Lane::Streams, platform, usize::MAX).await?;
        query.await.map_err(Into::into)
    }
}

#[cfg(test)]
mod tests {
    use table::Small;
    use uuid::Uuid;

    use super::*;

    fn seat_caller(seat: usize) -> Caller {
        let seat = Seat::nth(seat).expect("a table has more seats");
        Caller { platform: "acme".to_owned(), grant: Grant::Seat(MatchId(Uuid::nil()), seat) }
    }

    fn exceeded<T>(result: Result<T, Error>) -> &'static str {
        match result.err() {
            Some(Error::RateLimitExceeded { limit, delay, .. }) => {
                assert!(delay > Duration::ZERO);
                limit
            }
            Some(Error::QuotaExceeded { limit, .. }) => limit,
            _ => "",
        }
    }

    #[test]
    fn a_seat_that_calls_too_often_is_refused_and_no_other() {
        let budgets = Budgets::new(14);
        let limits = Limits { seat_calls_per_s: 1, ..Limits::default() };
        budgets.of("acme").refresh(limits);
        for _ in 0..SEAT_CALLS_BURST_S {
            assert!(budgets.admit(&seat_caller(0)).is_ok());
        }
        assert_eq!(exceeded(budgets.admit(&seat_caller(0))), "seat_calls_per_s");
        assert!(budgets.admit(&seat_caller(1)).is_ok());
    }

    #[test]
    fn the_streams_of_a_platform_and_of_a_seat_are_counted_while_they_are_open() {
        let budgets = Budgets::new(14);
        let budget = budgets.of("acme");
        let limits = Limits { streams_max: 2, seat_streams_max: 1, ..Limits::default() };
        budget.refresh(limits);
        let open = |grant: Grant, kind| budget.open(&grant, kind);
        let seat = || seat_caller(0).grant;
        let streams = [0, 1].map(|_| open(Grant::Platform, StreamKind::ManyMatches));
        assert!(streams.iter().all(Result::is_ok));
        assert_eq!(exceeded(open(seat(), StreamKind::ManyMatches)), "streams_max");
        let watch = open(seat(), StreamKind::OneMatch).expect("the seat's first");
        assert_eq!(exceeded(open(seat(), StreamKind::OneMatch)), "seat_streams_max");
        assert!(open(seat_caller(1).grant, StreamKind::OneMatch).is_ok());
        drop((watch, streams));
        assert!(open(seat(), StreamKind::ManyMatches).is_ok(), "what was refused counts no more");
    }

    #[test]
    fn a_limit_that_is_not_set_is_the_default() {
        let set = LimitsRow { streams_max: Some(7), ..LimitsRow::default() };
        assert_eq!(Limits::of(&set), Limits { streams_max: 7, ..Limits::default() });
    }
}
