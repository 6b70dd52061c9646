//! The feed of a platform: following the record, and queueing turns.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use deliveries::{Leased, NewTurn, PushFeed};
use positions::{Bucket, Position};
use rows::MatchId;
use table::{Event, Seat};
use tokio::task::JoinSet;
use tokio::time::Instant;
use uuid::Uuid;

use super::shared::Shared;
use crate::error::Error;
use crate::feeds::assignment::Assignment;
use crate::feeds::filter::EntryFilter;
use crate::feeds::log_reader::{Found, LogReader, ReadWindow};
use crate::happening::Happening;

/// The shortest time between two reads of the record.
const READ_INTERVAL: Duration = Duration::from_millis(250);

/// The bucket positions that one read covers.
const REACH: usize = 1024;

/// How often the position is stored while there are no turns.
const STORE_INTERVAL: Duration = Duration::from_secs(5);

/// How long a platform waits after an error.
pub(super) const ERROR_WAIT: Duration = Duration::from_secs(1);

/// How long a turn waits: a player at the table answers before, and is not told.
pub const TURN_WAIT: Duration = Duration::from_secs(10);

/// Follows the record for the browsers of a platform, and tells them.
pub(super) struct Pusher {
    pub shared: Arc<Shared>,
    pub platform: String,
    pub consumer: String,
    /// `None` while another process holds the feed.
    pub reader: Option<LogReader>,
    /// The messages that are being sent, and the browsers they are for.
    pub sending: JoinSet<Uuid>,
    pub busy: HashSet<Uuid>,
    pub next_renewal: Instant,
    pub next_read: Instant,
    next_store: Instant,
    /// When queued turns are next looked at, and when at the earliest.
    pub next_send: Instant,
    pub earliest_send: Instant,
    /// The registrations until the last renewal. Another one may let turns be told sooner.
    registrations: i64,
}

impl Pusher {
    pub fn new(shared: Arc<Shared>, platform: &str) -> Pusher {
        let now = Instant::now();
        Pusher {
            shared,
            platform: platform.to_owned(),
            consumer: Uuid::new_v4().to_string(),
            reader: None,
            sending: JoinSet::new(),
            busy: HashSet::new(),
            next_renewal: now,
            next_read: now,
            next_store: now,
            next_send: now,
            earliest_send: now,
            registrations: 0,
        }
    }

    pub fn is_behind(&self) -> bool {
        let heads = self.shared.matches.0.store.log().high_water_marks();
        self.reader.as_ref().is_some_and(|it| !it.assignment.windows(&heads, REACH).is_empty())
    }

    /// Begins or renews the lease. Returns true if nobody needs the feed any more.
    pub async fn renew(&mut self) -> Result<bool, Error> {
        let (matches, platform) = (&self.shared.matches, &self.platform);
        let deliveries = &matches.0.deliveries;
        let leasing = deliveries.lease_push(platform, &self.consumer);
        let leased = matches.in_lane_of_streams(platform, leasing).await?;
        let Some(PushFeed { marks, term, registrations, is_needed }) = leased else {
            self.reader = None;
            return Ok(false);
        };
        if !is_needed {
            let closing = deliveries.close_push(platform, &self.consumer, registrations);
            return matches.in_lane_of_streams(platform, closing).await;
        }
        if self.registrations != registrations {
            (self.registrations, self.next_send) = (registrations, Instant::now());
        }
        if self.reader.is_none() {
            let lease = |bucket: Bucket| {
                let acknowledged = marks[bucket.index()];
                Leased { bucket, acknowledged, term }
            };
            let leased: Vec<Leased> = Bucket::all().map(lease).collect();
            let happenings = vec![Happening::Turn, Happening::Ended, Happening::Abandoned];
            let filter = EntryFilter { happenings, ..EntryFilter::default() };
            let assignment = Assignment::new(&leased);
            let mut reader = LogReader::new(matches, platform, filter, assignment, Duration::MAX);
            match reader.identify().await {
                // The reader is where the record still holds.
                Ok(()) | Err(Error::RecordWentBack { .. }) => {}
                Err(error) => return Err(error),
            }
            let now = Instant::now();
            (self.reader, self.next_read, self.next_send) = (Some(reader), now, now);
        }
        Ok(false)
    }

    /// Reads what is new, and queues its turns.
    pub async fn follow(&mut self) -> Result<(), Error> {
        let (matches, platform) = (&self.shared.matches, &self.platform);
        let Some(reader) = &mut self.reader else { return Ok(()) };
        reader.check_epoch().await?;
        let heads = matches.0.store.log().high_water_marks();
        let windows = reader.assignment.windows(&heads, REACH);
        if windows.is_empty() {
            return Ok(());
        }
        self.next_read = Instant::now() + READ_INTERVAL;
        let read = reader.read_windows(&windows).await?;
        let (turns, ended) = turns_in(&read);
        let mut at = reader.assignment.at();
        read.iter().for_each(|it| at[it.bucket.index()] = it.until);
        let is_quiet = turns.is_empty() && ended.is_empty();
        if !is_quiet || self.next_store <= Instant::now() {
            let turns = self.shared.with_players(platform, turns).await?;
            let wait = self.shared.scaled(TURN_WAIT);
            let deliveries = &matches.0.deliveries;
            let term = matches.term();
            let queueing =
                deliveries.queue_turns(platform, &self.consumer, &at, term, &turns, wait);
            if !matches.in_lane_of_streams(platform, queueing).await? {
                // Another process holds the feed.
                self.reader = None;
                return Ok(());
            }
            self.next_store = Instant::now() + STORE_INTERVAL;
            if !turns.is_empty() {
                self.next_send = self.next_send.min(Instant::now() + wait);
            }
            if !ended.is_empty() {
                let forgetting = deliveries.delete_push_of(platform, &ended);
                matches.in_lane_of_streams(platform, forgetting).await?;
            }
        }
        for ReadWindow { bucket, until, .. } in read {
            reader.assignment.set(bucket, until);
        }
        Ok(())
    }
}

/// The last turn of each seat, and the matches that ended.
fn turns_in(read: &[ReadWindow]) -> (HashMap<(MatchId, Seat), Position>, Vec<MatchId>) {
    let (mut turns, mut ended) = (HashMap::new(), Vec::new());
    for (_, found) in read.iter().flat_map(|it| &it.found) {
        let Found::Entry(it) = found else { continue };
        let (entry, match_id) = (&it.entry.entry, it.entry.match_id);
        if entry.winners().is_some() || entry.events.contains(&Event::Abandoned) {
            ended.push(match_id);
        }
        turns.extend(entry.turns().iter().map(|seat| ((match_id, seat), it.entry.position)));
    }
    (turns, ended)
}

impl Shared {
    /// Turns with the present players of their seats.
    async fn with_players(
        &self,
        platform: &str,
        turns: HashMap<(MatchId, Seat), Position>,
    ) -> Result<Vec<NewTurn>, Error> {
        let match_ids: HashSet<MatchId> = turns.keys().map(|(match_id, _)| *match_id).collect();
        if match_ids.is_empty() {
            return Ok(Vec::new());
        }
        let match_ids: Vec<MatchId> = match_ids.into_iter().collect();
        let reading = self.matches.0.store.seated(platform, &match_ids);
        let seated = self.matches.in_lane_of_streams(platform, reading).await?;
        let turn = |(match_id, seat, player)| {
            let seat = u8::try_from(seat).ok()?;
            let position = turns.get(&(match_id, Seat::try_from(seat).ok()?))?.0;
            Some(NewTurn { match_id, seat, player, position })
        };
        Ok(seated.into_iter().filter_map(turn).collect())
    }
}
