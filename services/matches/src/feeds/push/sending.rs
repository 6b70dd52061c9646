//! Sending what is queued, and handling the outcome.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use bytes::Bytes;
use database::jittered;
use deliveries::{PushRow, QueuedTurn};
use metrics::counter;
use positions::Position;
use rows::{MatchId, seat_of};
use table::{Seat, Small};
use time::OffsetDateTime;
use tokio::time::{Instant, sleep};
use webhooks::{BrowserKeys, PushMessage};

use super::message::{PushNotice, PushTurn};
use super::pusher::{ERROR_WAIT, Pusher};
use super::shared::Shared;
use crate::error::Error;
use crate::quiet::QuietHours;

/// A counter: messages to browsers, by outcome.
pub const PUSH_MESSAGES: &str = "croupier_push_messages_total";

/// The shortest time between two looks at the queue, in which several messages end.
const SEND_INTERVAL: Duration = Duration::from_millis(100);

/// A browser gets at most one message in this time.
const PAUSE: Duration = Duration::from_secs(60);

/// How long a push service keeps a message for a browser that is away.
const LIFETIME: Duration = Duration::from_secs(24 * 3600);

/// The pauses after the first failure, the second, and so on; the last one is repeated.
const BACKOFF_S: [u64; 5] = [10, 60, 5 * 60, 30 * 60, 2 * 3600];

/// The longest pause that a push service can ask for.
const BACKOFF_MAX: Duration = Duration::from_secs(2 * 3600);

/// A browser is forgotten when messages to it have failed for this long.
const GIVE_UP: Duration = Duration::from_secs(3 * 24 * 3600);

/// What is due for a browser.
struct Due {
    row: PushRow,
    turns: Vec<(MatchId, Seat, Position)>,
    attempts: i32,
    failing: Option<Duration>,
    /// When its quiet hours end, if it is within them.
    quiet_until: Option<OffsetDateTime>,
}

/// The turns of a browser, as its queue has them.
type Turns = Vec<(MatchId, i16, i64)>;

impl Pusher {
    /// Begins to send what is due, as much as may be sent at a time.
    pub async fn send_due(&mut self) -> Result<(), Error> {
        let (matches, platform) = (self.shared.matches.clone(), self.platform.clone());
        let deliveries = &matches.0.deliveries;
        self.earliest_send = Instant::now() + SEND_INTERVAL;
        let reading = deliveries.queued_turns(&platform);
        let queued = matches.in_lane_of_streams(&platform, reading).await?;
        let next = queued.iter().map(|it| it.wait_s).find(|wait_s| *wait_s > 0.0);
        let next = next.map(Duration::from_secs_f64).unwrap_or(Duration::MAX);
        let mut due: Vec<Due> = Vec::new();
        let is_due = |it: &QueuedTurn| it.wait_s <= 0.0 && !self.busy.contains(&it.row.push_id);
        for it in queued.into_iter().filter(is_due) {
            // Those of a browser follow each other.
            if due.last().is_none_or(|last| last.row.push_id != it.row.push_id) {
                due.push(Due::of(&it));
            }
            if let Some(last) = due.last_mut() {
                last.add(&it);
            }
        }
        let (quiet, due): (Vec<Due>, Vec<Due>) =
            due.into_iter().partition(|it| it.quiet_until.is_some());
        let held: Vec<_> = quiet.iter().filter_map(|it| Some((&it.row, it.quiet_until?))).collect();
        if !held.is_empty() {
            let holding = deliveries.hold_push(&platform, &held);
            matches.in_lane_of_streams(&platform, holding).await?;
        }
        let room = self.shared.options.per_platform.saturating_sub(self.sending.len());
        let mut is_rest = !held.is_empty() || due.len() > room;
        let due: Vec<Due> = due.into_iter().take(room).collect();
        let holding = match due.is_empty() {
            true => Vec::new(),
            false => {
                let rights: Vec<&str> = due.iter().map(|it| &*it.row.caller_right).collect();
                let asking = deliveries.push_rights_hold(&rights);
                matches.in_lane_of_streams(&platform, asking).await?
            }
        };
        for (due, holds) in due.into_iter().zip(holding) {
            let push_id = due.row.push_id;
            if !holds {
                let forgetting = deliveries.delete_push(&platform, push_id, None, None);
                matches.in_lane_of_streams(&platform, forgetting).await?;
                is_rest = true;
                continue;
            }
            self.busy.insert(push_id);
            let shared = self.shared.clone();
            self.sending.spawn(async move {
                shared.tell(due).await;
                push_id
            });
        }
        // A message that ends also makes the queue be looked at.
        self.next_send = match is_rest {
            true => self.earliest_send,
            false => Instant::now() + next.min(Duration::from_secs(3600)),
        };
        Ok(())
    }
}

impl Due {
    fn of(it: &QueuedTurn) -> Due {
        let failing = it.failing_s.map(|it| Duration::from_secs_f64(it.max(0.0)));
        let quiet_until = QuietHours::of(&it.row).and_then(|quiet| quiet.until(it.read_time));
        let (row, turns, attempts) = (it.row.clone(), Vec::new(), it.attempts);
        Due { row, turns, attempts, failing, quiet_until }
    }

    fn add(&mut self, it: &QueuedTurn) {
        self.turns.push((it.turn_match_id, seat_of(it.seat), Position(it.position)));
    }
}

impl Shared {
    /// Tells a browser what is due, unless it is over.
    async fn tell(self: Arc<Shared>, due: Due) {
        let _slot = self.slots.acquire().await;
        if let Err(error) = self.try_to_tell(&due).await {
            tracing::debug!(%error, "a browser is not told, trying again");
            sleep(ERROR_WAIT).await;
        }
    }

    async fn try_to_tell(&self, due: &Due) -> Result<(), Error> {
        let Due { row, turns, attempts, failing, .. } = due;
        let (mut asked, mut over) = (Vec::new(), Turns::new());
        for &(match_id, seat, position) in turns {
            match self.asked(row, match_id, seat, position).await? {
                Some(turn) => asked.push(turn),
                None => over.push((match_id, u8::from(seat).into(), position.0)),
            }
        }
        if !over.is_empty() {
            self.settle(row, &over, None).await?;
        }
        if asked.is_empty() {
            return Ok(());
        }
        let told: Turns = asked
            .iter()
            .map(|it| (it.summary.row.match_id, u8::from(it.seat).into(), it.position.0))
            .collect();
        let tag = tag_of(row, &told);
        let notice = PushNotice { language: row.language.clone(), tag, turns: asked };
        let content = (self.content)(&notice);
        let keys = BrowserKeys::new(row.p256dh.clone(), row.auth.clone());
        let body = keys.map_err(|error| Error::Internal(error.into()))?.encrypt(&content);
        let body = Bytes::from(body.map_err(|error| Error::Internal(error.into()))?);
        let message = PushMessage { body, topic: notice.tag, lifetime: LIFETIME };
        let (key, contact) = (self.key().await?, self.options.contact.as_deref());
        let now = self.matches.now().into();
        let attempt = self.sender.push(&row.endpoint, &message, key, contact, now).await;
        let has_ended =
            attempt.is_unsubscribed() || failing.is_some_and(|it| it >= self.scaled(GIVE_UP));
        let outcome = match &attempt.failure {
            None => "taken",
            Some(_) if has_ended => "gone",
            Some(_) => "failed",
        };
        counter!(PUSH_MESSAGES, "outcome" => outcome).increment(1);
        match outcome {
            "taken" => {
                let pause = Some(self.scaled(PAUSE));
                // Otherwise it would be told again.
                while let Err(error) = self.settle(row, &told, pause).await {
                    tracing::debug!(%error, "what a browser was told is not noted, trying again");
                    sleep(ERROR_WAIT).await;
                }
                Ok(())
            }
            "gone" => {
                let deliveries = &self.matches.0.deliveries;
                let deleting = deliveries.delete_push(&row.platform, row.push_id, None, None);
                self.matches.in_lane_of_streams(&row.platform, deleting).await.map(drop)
            }
            _ => {
                let step = BACKOFF_S.get(*attempts as usize).or(BACKOFF_S.last());
                let step = jittered(Duration::from_secs(*step.expect("not empty")));
                let asked = attempt.retry_after.unwrap_or_default().min(BACKOFF_MAX);
                let wait = self.scaled(step.max(asked));
                let deliveries = &self.matches.0.deliveries;
                let failing = deliveries.fail_push(&row.platform, row.push_id, wait);
                self.matches.in_lane_of_streams(&row.platform, failing).await
            }
        }
    }

    async fn settle(
        &self,
        row: &PushRow,
        turns: &Turns,
        pause: Option<Duration>,
    ) -> Result<(), Error> {
        let deliveries = &self.matches.0.deliveries;
        let settling = deliveries.settle_turns(&row.platform, row.push_id, turns, pause);
        self.matches.in_lane_of_streams(&row.platform, settling).await
    }

    /// The turn, if the seat was last asked at this position, has not answered since, and is still
    /// the player's.
    async fn asked(
        &self,
        row: &PushRow,
        match_id: MatchId,
        seat: Seat,
        position: Position,
    ) -> Result<Option<PushTurn>, Error> {
        let live = match self.matches.live_of(&row.platform, match_id).await {
            Ok(live) => live,
            Err(
                Error::NoSuchMatch
                | Error::MatchUnreadable { .. }
                | Error::RecordAltered { .. }
                | Error::HistoryNotKept,
            ) => return Ok(None),
            Err(error) => return Err(error),
        };
        self.matches.0.live.refresh(&live).await?;
        let head = live.head();
        let Some(table) = &head.table else { return Ok(None) };
        let ago = u32::try_from(head.position.0 - position.0).ok();
        let mut prompts = table.prompts().iter();
        let is_asked = ago.is_some()
            && prompts
                .any(|it| it.seat == seat && it.must && it.asked.is_some() && it.asked == ago);
        let players = live.players();
        let player = players.get(seat.index()).and_then(Option::as_ref);
        let is_own = player.is_some_and(|it| it.player == row.player && !it.is_erased);
        let turn = || PushTurn { seat, position, summary: live.summary() };
        Ok((is_asked && is_own).then(turn))
    }
}

/// The tag of a message, which is its topic, too: about one match, or about several. It tells the
/// push service nothing but that messages are about the same.
fn tag_of(row: &PushRow, turns: &Turns) -> String {
    let mut hasher =
        blake3::Hasher::new_derive_key("croupier 2026-11 tag of a message to a browser");
    hasher.update(row.push_id.as_bytes());
    if let [(match_id, ..)] = turns[..] {
        hasher.update(match_id.0.as_bytes());
    }
    BASE64_URL_SAFE_NO_PAD.encode(&hasher.finalize().as_bytes()[..24])
}
