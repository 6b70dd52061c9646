//! Budgets: how much of the shared capacity each platform and each seat may use.
//!
//! Limits hold for each process. Operators change them for each platform; the defaults are far
//! above what a platform needs. They count calls. What a call costs is shared in turns: CPU time by
//! [`Workers`], and the connections of the database by [`Lane`]s.

use std::collections::HashMap;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, RwLock};
use std::thread::available_parallelism;
use std::time::Duration;

use accounts::Accounts;
use database::pace;
use games::Game;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultDirectRateLimiter, DefaultKeyedRateLimiter, NotUntil, Quota, RateLimiter};
use tokio::sync::Notify;
use tokio::time::timeout;

use super::caller::{Caller, Grant};
use super::company::Company;
use super::counts::{Counted, CountedKey, Counts, QUOTA_DELAY, count, quota};
use super::fair::{Cost, FairSlots, Sizes, Slot};
use super::holder::Holder;
use super::limits::{
    IMPORTS_PER_H, Limits, MATCHES_BURST_S, SEAT_ACTIONS_BURST_S, SEAT_CALLS_BURST_S,
    SPECTATOR_CALLS_BURST_S,
};
use super::workers::{Kind, Payer, Workers};
use crate::error::Error;

/// The budgets of every platform that has called this process. Cheap to clone.
#[derive(Clone)]
pub struct Budgets(Arc<Inner>);

struct Inner {
    platforms: RwLock<HashMap<String, Arc<Budget>>>,
    /// Notified when a platform calls for the first time.
    joined: Notify,
    company: Company,
    /// Calls under way while several platforms call, besides actions and streams.
    calls: FairSlots,
    actions: FairSlots,
    /// By [`Lane`].
    lanes: [FairSlots; 4],
    workers: Workers,
    /// For rules that are suspect.
    suspects: Workers,
    pictures: Workers,
    /// Streams that hold a part of the past: those of players, and all others.
    past: [FairSlots; 2],
}

/// A lane: queries of one kind share a part of the readers' connections, so that no kind can take
/// all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Streams of a platform's entries, and subscriptions.
    Streams,
    /// Lists, searches and read models.
    Lists,
    /// Writes besides actions: matches, seats, tags.
    Writes,
    /// Many entries of the record at a time: the past of matches, searches, and streams that catch
    /// up. They rest between queries, because nobody waits for the past as for an action.
    History,
}

/// Actions in flight at once, of all matches: about a tenth of a second's work, so an admitted
/// action is answered soon.
const IN_FLIGHT: Sizes = Sizes { slots: 2048, each_max: 1920, cost: Cost::Each };

/// Streams of many matches that hold a part of the past for their clients: some hundred kilobytes
/// each, so these are some ten megabytes.
const PAST: Sizes = Sizes { slots: 64, each_max: 48, cost: Cost::Held };

/// The sizes of the lanes, given the number of connections. If there are enough, some are left for
/// the few queries outside the lanes: limits, and the progress of read models.
fn lanes(connections: u32) -> [Sizes; 4] {
    let part = |of_fourteen: usize, cost: Cost| {
        let slots = (connections as usize * of_fourteen / 14).max(1);
        // No platform may hold all of them.
        Sizes { slots, each_max: (slots - 1).max(1), cost }
    };
    let (streams, lists, writes, history) = (3, 4, 4, 2);
    [
        part(streams, Cost::Held),
        part(lists, Cost::Held),
        part(writes, Cost::Held),
        part(history, Cost::HeldAndRested),
    ]
}

/// How many queries of one platform may wait in a lane: a tenth of a second's work if they are
/// short.
const LANE_CALLS_MAX: usize = 512;

/// How long a call waits to begin, and for its lane: a little longer than the timeout for a
/// connection, which the queries before it may be waiting for.
const WAIT: Duration = Duration::from_secs(2);

/// Calls under way at once, while several platforms call: enough to keep the threads that serve
/// connections at work, and few enough that another platform's call is soon done.
fn calls() -> Sizes {
    let processors = available_parallelism().map_or(1, NonZero::get);
    Sizes { slots: 16 * processors, each_max: 12 * processors, cost: Cost::Each }
}

/// How often limits are read: soon enough for an operator who watches.
const REFRESH_INTERVAL: Duration = Duration::from_secs(2);

impl Budgets {
    /// Budgets of callers that share this number of connections.
    pub fn new(connections: u32) -> Budgets {
        Budgets(Arc::new(Inner {
            platforms: RwLock::default(),
            joined: Notify::new(),
            company: Company::new(),
            calls: FairSlots::new(calls()),
            actions: FairSlots::new(IN_FLIGHT),
            lanes: lanes(connections).map(FairSlots::new),
            workers: Workers::new(Kind::work()),
            suspects: Workers::new(Kind::suspects()),
            pictures: Workers::new(Kind::pictures()),
            past: [(); 2].map(|()| FairSlots::new(PAST)),
        }))
    }

    /// Admits a call whose caller is known. Fails if the platform or the seat calls too often.
    pub fn admit(&self, caller: &Caller) -> Result<(), Error> {
        pace::note_use();
        let budget = self.of(&caller.platform);
        self.0.company.note(budget.number);
        let rates = budget.rates();
        check("calls_per_s", rates.limits.calls_per_s, rates.calls.check())?;
        match Holder::of(&caller.grant) {
            None => Ok(()),
            Some(holder @ Holder::Spectator(..)) => {
                let checked = rates.spectator_calls.check_key(&holder);
                check("spectator_calls_per_s", rates.limits.spectator_calls_per_s, checked)
            }
            Some(holder) => {
                let checked = rates.seat_calls.check_key(&holder);
                check("seat_calls_per_s", rates.limits.seat_calls_per_s, checked)
            }
        }
    }

    /// Waits until a call may begin, other than an action or a stream. The call holds the slot, if
    /// there is one, until it is answered.
    pub async fn begin(&self, caller: &Caller) -> Result<Option<Slot>, Error> {
        if !self.0.company.is_shared() {
            return Ok(None);
        }
        let slot = self.0.calls.acquire(self.of(&caller.platform).number, usize::MAX);
        let slot = timeout(WAIT, slot).await.map_err(|_| waited_in_vain())?;
        slot.map(Some).map_err(|_| Error::Overloaded)
    }

    /// Reads the limits that operators set. Does not end by itself.
    pub(crate) async fn follow_limits(&self, accounts: &Accounts) {
        loop {
            if let Err(error) = self.refresh(accounts).await {
                tracing::debug!(%error, "the limits of platforms cannot be read, trying again");
            }
            tokio::select! {
                () = self.0.joined.notified() => {}
                () = pace::pause(REFRESH_INTERVAL) => {}
            }
        }
    }

    async fn refresh(&self, accounts: &Accounts) -> Result<(), database::Error> {
        let known: Vec<(String, Arc<Budget>)> = {
            let platforms = self.0.platforms.read().expect("no holder of this lock panics");
            platforms.iter().map(|(name, budget)| (name.clone(), budget.clone())).collect()
        };
        let names: Vec<String> = known.iter().map(|(name, _)| name.clone()).collect();
        let rows = accounts.platform_limits(&names).await?;
        let set: HashMap<&str, Limits> =
            rows.iter().map(|row| (row.platform.as_str(), Limits::of(row))).collect();
        for (name, budget) in &known {
            budget.refresh(set.get(name.as_str()).cloned().unwrap_or_default());
        }
        Ok(())
    }

    /// How much of a limit the platform uses in this process now; `None` if that is not counted.
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

    /// Counts a stream of the caller that opens.
    pub(crate) fn open_stream(
        &self,
        caller: &Caller,
        kind: StreamKind,
    ) -> Result<OpenStream, Error> {
        self.of(&caller.platform).open(&caller.grant, kind)
    }

    /// Waits for a slot of the platform among the actions in flight.
    pub(crate) async fn action_slot(&self, platform: &str) -> Result<Slot, Error> {
        pace::note_use();
        let budget = self.of(platform);
        let value = budget.rates().limits.actions_max;
        let acquiring = self.0.actions.acquire(budget.number, value as usize);
        let full = |_| Error::QuotaExceeded { limit: "actions_max", value, delay: QUOTA_DELAY };
        acquiring.await.map_err(full)
    }

    /// Waits for a slot of the platform among the streams that hold a part of the past. Streams of
    /// players have slots of their own, so that they cannot hold up those of the platform.
    pub(crate) async fn past(&self, platform: &str, of_player: bool) -> Result<Slot, Error> {
        let slots = &self.0.past[usize::from(of_player)];
        let entered = slots.acquire(self.of(platform).number, usize::MAX).await;
        entered.map_err(|_full| Error::Overloaded)
    }

    /// Runs a query of a platform in its lane. The query must not enter a lane itself.
    pub(crate) async fn in_lane<T, E: Into<Error>>(
        &self,
        lane: Lane,
        platform: &str,
        query: impl Future<Output = Result<T, E>>,
    ) -> Result<T, Error> {
        let entering = self.enter(lane, platform, LANE_CALLS_MAX);
        let entered = timeout(WAIT, entering).await;
        let _place = entered.map_err(|_| waited_in_vain())??;
        query.await.map_err(Into::into)
    }

    /// Runs a query of an open stream in a lane. It waits without a timeout.
    pub(crate) async fn in_lane_patiently<T, E: Into<Error>>(
        &self,
        lane: Lane,
        platform: &str,
        query: impl Future<Output = Result<T, E>>,
    ) -> Result<T, Error> {
        let _place = self.enter(lane, platform, usize::MAX).await?;
        query.await.map_err(Into::into)
    }

    /// Does work that needs more than about a tenth of a millisecond of CPU time, where it delays
    /// no other call. A platform that has used much waits for those that have used less, and within
    /// a platform the tokens take turns. A piece of work takes a few milliseconds at most.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        caller: &Caller,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        self.0.workers.run(self.payer_of(caller), work).await
    }

    /// Draws, where it delays no other work.
    pub(crate) async fn draw<T: Send + 'static>(
        &self,
        caller: &Caller,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        self.0.pictures.run(self.payer_of(caller), work).await
    }

    /// Like [`Budgets::work`], for a platform's stream, which waits without a timeout.
    pub(crate) async fn work_patiently<T: Send + 'static>(
        &self,
        platform: &str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        self.0.workers.run_for_stream(self.payer(platform), work).await
    }

    /// Asks rules something, for a platform. Those that failed lately, or took long, are asked
    /// where they delay no other call, and those of one platform after another.
    pub(crate) async fn by_rules<T: Send + 'static>(
        &self,
        platform: &str,
        game: &'static dyn Game,
        ask: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        if !game.is_suspect() {
            return Ok(ask());
        }
        self.apart(platform, ask).await
    }

    /// Asks rules what may take long, for a platform, where rules are asked that are suspect.
    pub(crate) async fn apart<T: Send + 'static>(
        &self,
        platform: &str,
        ask: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        Box::pin(self.0.suspects.run(self.payer(platform), ask)).await
    }

    /// Asks rules that are suspect, for a bot, which waits without a timeout.
    pub(crate) async fn by_suspect_rules<T: Send + 'static>(
        &self,
        platform: &str,
        ask: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        self.0.suspects.run_for_stream(self.payer(platform), ask).await
    }

    fn payer_of(&self, caller: &Caller) -> Payer {
        let holder = Holder::of(&caller.grant);
        Payer { platform: self.of(&caller.platform).number, holder }
    }

    /// The platform as a whole.
    fn payer(&self, platform: &str) -> Payer {
        Payer { platform: self.of(platform).number, holder: None }
    }

    /// Waits for a place in a lane.
    async fn enter(&self, lane: Lane, platform: &str, calls_max: usize) -> Result<Slot, Error> {
        let lane = &self.0.lanes[lane as usize];
        let entered = lane.acquire(self.of(platform).number, calls_max).await;
        entered.map_err(|_full| Error::Overloaded)
    }
}

/// The error of a call that waited for others in vain.
fn waited_in_vain() -> Error {
    match database::is_up() {
        true => Error::Overloaded,
        // Those before it wait for connections.
        false => Error::DatabaseUnavailable { unknown: false },
    }
}

/// The budget of one platform: its usage and its limits.
pub(crate) struct Budget {
    /// Platforms are numbered in the order of their first calls.
    number: usize,
    rates: RwLock<Arc<Rates>>,
    watches: Arc<AtomicUsize>,
    streams: Arc<AtomicUsize>,
    /// Streams by the holder of their token.
    holder_streams: Counts<Holder>,
    /// Consumers by subscription.
    consumers: Counts<String>,
}

/// Limits, and the meters of those that are rates.
struct Rates {
    limits: Limits,
    calls: DefaultDirectRateLimiter,
    actions: DefaultDirectRateLimiter,
    matches: DefaultDirectRateLimiter,
    seat_calls: DefaultKeyedRateLimiter<Holder>,
    spectator_calls: DefaultKeyedRateLimiter<Holder>,
    seat_actions: DefaultKeyedRateLimiter<Holder>,
    /// By player.
    imports: DefaultKeyedRateLimiter<String>,
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
            spectator_calls: RateLimiter::keyed(quota(
                limits.spectator_calls_per_s,
                SPECTATOR_CALLS_BURST_S,
            )),
            seat_actions: RateLimiter::keyed(quota(
                limits.seat_actions_per_s,
                SEAT_ACTIONS_BURST_S,
            )),
            imports: RateLimiter::keyed(Quota::per_hour(
                NonZero::new(IMPORTS_PER_H).unwrap_or(NonZero::<u32>::MIN),
            )),
            limits,
        }
    }
}

/// The kinds of streams that have limits of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StreamKind {
    OneMatch,
    ManyMatches,
}

/// An open stream, counted until this is dropped.
pub(crate) struct OpenStream {
    _of_platform: Counted,
    _of_holder: Option<CountedKey<Holder>>,
    _held: pace::Held,
}

impl Budget {
    fn new(number: usize) -> Budget {
        Budget {
            number,
            rates: RwLock::new(Arc::new(Rates::new(Limits::default()))),
            watches: Arc::default(),
            streams: Arc::default(),
            holder_streams: Counts::default(),
            consumers: Counts::default(),
        }
    }

    fn rates(&self) -> Arc<Rates> {
        self.rates.read().expect("no holder of this lock panics").clone()
    }

    /// Replaces the meters only if the limits have changed: new meters start from zero.
    fn refresh(&self, limits: Limits) {
        let rates = self.rates();
        if rates.limits != limits {
            let new = Arc::new(Rates::new(limits));
            *self.rates.write().expect("no holder of this lock panics") = new;
        } else {
            // Forgets seats that have not called for a while.
            rates.seat_calls.retain_recent();
            rates.spectator_calls.retain_recent();
            rates.seat_actions.retain_recent();
            rates.imports.retain_recent();
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

    /// Counts a match of a device that a player gives.
    pub fn check_import(&self, grant: &Grant, player: &str) -> Result<(), Error> {
        if *grant != Grant::Platform {
            let checked = self.rates().imports.check_key(&player.to_owned());
            check("imports_per_h", IMPORTS_PER_H, checked)?;
        }
        self.check_match()
    }

    /// Fails if a seat with this many entries in its match may not add another one.
    pub fn check_seat_entries(&self, count: u32) -> Result<(), Error> {
        quota("seat_entries_max", self.rates().limits.seat_entries_max, count as usize)
    }

    /// Fails if a platform with this many subscriptions may not have another one.
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
        let of_holder = match Holder::of(grant) {
            None => None,
            Some(holder @ Holder::Spectator(..)) => {
                let max = limits.spectator_streams_max;
                Some(self.holder_streams.add(holder, "spectator_streams_max", max)?)
            }
            Some(holder) => {
                let max = limits.seat_streams_max;
                Some(self.holder_streams.add(holder, "seat_streams_max", max)?)
            }
        };
        Ok(OpenStream { _of_platform: of_platform, _of_holder: of_holder, _held: pace::hold() })
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

#[cfg(test)]
mod tests {
    use futures::FutureExt;
    use rows::MatchId;
    use table::{Seat, Small};
    use uuid::Uuid;

    use super::*;

    fn seat_caller(seat: usize) -> Caller {
        let seat = Seat::nth(seat).expect("a table has more seats");
        Caller { grant: Grant::Seat(MatchId(Uuid::nil()), seat), ..Caller::service("acme") }
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
    fn the_tokens_of_spectators_have_limits_of_their_own() {
        let budgets = Budgets::new(14);
        let limits =
            Limits { spectator_calls_per_s: 1, spectator_streams_max: 1, ..Limits::default() };
        budgets.of("acme").refresh(limits);
        let spectator = |token| {
            let grant = Grant::Spectator(MatchId(Uuid::nil()), token);
            Caller { grant, ..Caller::service("acme") }
        };
        for _ in 0..SPECTATOR_CALLS_BURST_S {
            assert!(budgets.admit(&spectator(1)).is_ok());
        }
        assert_eq!(exceeded(budgets.admit(&spectator(1))), "spectator_calls_per_s");
        assert!(budgets.admit(&spectator(2)).is_ok(), "spectators do not starve each other");
        assert!(budgets.admit(&seat_caller(0)).is_ok());
        let open = |token| budgets.open_stream(&spectator(token), StreamKind::OneMatch);
        let held = open(1);
        assert!(held.is_ok());
        assert_eq!(exceeded(open(1)), "spectator_streams_max");
        assert!(open(2).is_ok());
    }

    #[tokio::test]
    async fn streams_that_hold_the_past_leave_slots_to_others() {
        let budgets = Budgets::new(14);
        let past = async |platform, of_player| {
            let entering = budgets.past(platform, of_player);
            entering.now_or_never().and_then(Result::ok)
        };
        let mut held = Vec::new();
        while let Some(slot) = past("acme", true).await {
            held.push(slot);
        }
        assert_eq!(held.len(), PAST.each_max, "the rest waits");
        assert!(past("acme", false).await.is_some(), "the streams of its players hold none of it");
        assert!(past("rival", true).await.is_some());
        held.pop();
        assert!(past("acme", true).await.is_some());
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
}
