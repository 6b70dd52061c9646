//! Messages to endpoints.

use std::collections::{HashMap, VecDeque};

use deliveries::{DeliveredPart, DeliveryRow, SubscriptionRow};
use event_log::Began;
use positions::{Bucket, Digest, Mark, Position};
use rows::MatchId;
use time::OffsetDateTime;
use uuid::Uuid;
use webhooks::Attempt;

use crate::feeds::batches::StreamedEntry;
use crate::feeds::log_reader::Found;
use crate::went_back::RecordWentBack;

/// A message to an endpoint. A new kind is a variant here and a body in `api`; all else that sends,
/// signs, repeats and lists messages knows none.
#[derive(Clone, Debug)]
pub enum WebhookMessage {
    Entries(WebhookEntries),
    WentBack(WebhookWentBack),
    Test(WebhookTest),
}

/// Entries of one match, in order.
#[derive(Clone, Debug)]
pub struct WebhookEntries {
    id: String,
    pub subscription: String,
    pub entries: Vec<StreamedEntry>,
    /// Entries among them that this release cannot read.
    pub unreadable: Vec<Position>,
    pub(super) part: DeliveredPart,
}

/// Entries that the endpoint was sent may be void.
#[derive(Clone, Debug)]
pub struct WebhookWentBack {
    id: String,
    pub subscription: String,
    /// When the term began.
    pub time: OffsetDateTime,
    pub went_back: RecordWentBack,
}

/// An empty message, to try an endpoint.
#[derive(Clone, Debug)]
pub struct WebhookTest {
    id: String,
    pub subscription: String,
    pub time: OffsetDateTime,
}

/// Writes the body of a message, which is made at this time: JSON.
pub type Body = fn(&WebhookMessage, OffsetDateTime) -> Vec<u8>;

impl WebhookMessage {
    /// The `type` of the message, as the contract names it.
    pub fn kind(&self) -> &'static str {
        match self {
            WebhookMessage::Entries(_) => "entries",
            WebhookMessage::WentBack(_) => "record.went_back",
            WebhookMessage::Test(_) => "test",
        }
    }

    /// The id, which is the same in every attempt.
    pub(super) fn id(&self) -> &str {
        match self {
            WebhookMessage::Entries(it) => &it.id,
            WebhookMessage::WentBack(it) => &it.id,
            WebhookMessage::Test(it) => &it.id,
        }
    }

    /// How many entries it has, including unreadable ones.
    pub(super) fn entries(&self) -> usize {
        match self {
            WebhookMessage::Entries(it) => it.entries.len() + it.unreadable.len(),
            WebhookMessage::WentBack(_) | WebhookMessage::Test(_) => 0,
        }
    }

    /// The part of the stream that it covers, if any.
    pub(super) fn part(&self) -> Option<DeliveredPart> {
        match self {
            WebhookMessage::Entries(it) => Some(it.part),
            WebhookMessage::WentBack(_) | WebhookMessage::Test(_) => None,
        }
    }

    /// The row of an attempt to send it; attempts are counted from 1.
    pub(super) fn delivery(&self, number: u32, attempt: Attempt) -> DeliveryRow {
        let Attempt { time, duration, status, failure, answer, retry_after: _ } = attempt;
        DeliveryRow {
            delivery: Uuid::new_v4(),
            attempt_time: time.into(),
            duration,
            message: self.id().to_owned(),
            part: self.part(),
            entries: self.entries(),
            attempt: number,
            status,
            failure: failure.map(|it| it.to_string()),
            answer,
        }
    }
}

impl WebhookEntries {
    pub fn match_id(&self) -> MatchId {
        self.part.match_id
    }
}

impl WebhookWentBack {
    pub(super) fn new(
        row: &SubscriptionRow,
        generation: i32,
        began: &Began,
        went_back: RecordWentBack,
    ) -> WebhookWentBack {
        let mut hasher = hasher_of(row, generation);
        hasher.update(b"record.went_back").update(&began.term.0.to_le_bytes());
        let (id, subscription) = (id_of(&hasher), row.subscription.clone());
        WebhookWentBack { id, subscription, time: began.begin_time, went_back }
    }
}

impl WebhookTest {
    pub(super) fn new(subscription: &str, time: OffsetDateTime) -> WebhookTest {
        let id = format!("test_{}", Uuid::new_v4().simple());
        WebhookTest { id, subscription: subscription.to_owned(), time }
    }
}

/// The messages of a window: one for each match, in the order in which they begin.
pub(super) fn messages(
    row: &SubscriptionRow,
    generation: i32,
    bucket: Bucket,
    after: Mark,
    found: Vec<(Mark, Found)>,
) -> VecDeque<WebhookEntries> {
    let mut messages: VecDeque<WebhookEntries> = VecDeque::new();
    let mut known: HashMap<MatchId, usize> = HashMap::new();
    let mut before = after.position;
    for (mark, found) in found {
        let (match_id, position) = match &found {
            Found::Entry(it) => (it.entry.match_id, it.entry.position),
            Found::Unreadable(match_id, position) => (*match_id, *position),
        };
        let index = *known.entry(match_id).or_insert_with(|| {
            let (first, last) = (position, position);
            messages.push_back(WebhookEntries {
                id: String::new(),
                subscription: row.subscription.clone(),
                entries: Vec::new(),
                unreadable: Vec::new(),
                part: DeliveredPart { bucket, after: before, match_id, first, last },
            });
            messages.len() - 1
        });
        let message = &mut messages[index];
        message.part.last = position;
        match found {
            Found::Entry(entry) => message.entries.push(*entry),
            Found::Unreadable(_, position) => message.unreadable.push(position),
        }
        before = mark.position;
    }
    for message in &mut messages {
        let last = message.entries.last().and_then(|it| it.entry.digest);
        message.id = message_id(row, generation, &message.part, last);
    }
    messages
}

/// The id of a message follows from its entries, so every process gives it the same id. `last` is
/// the digest of its last entry, which covers all entries before it: after the record went back,
/// other entries at the same positions are in a message with another id.
fn message_id(
    row: &SubscriptionRow,
    generation: i32,
    part: &DeliveredPart,
    last: Option<Digest>,
) -> String {
    let mut hasher = hasher_of(row, generation);
    let DeliveredPart { match_id, first: Position(first), last: Position(until), .. } = *part;
    hasher.update(match_id.0.as_bytes());
    hasher.update(&first.to_le_bytes()).update(&until.to_le_bytes());
    hasher.update(last.as_ref().map_or(&[], |digest| &digest.as_bytes()[..]));
    id_of(&hasher)
}

/// Hashes what the ids of all messages of a subscription depend on.
fn hasher_of(row: &SubscriptionRow, generation: i32) -> blake3::Hasher {
    let mut hasher = blake3::Hasher::new_derive_key("croupier 2026-11 id of a webhook's message");
    for name in [&row.platform, &row.subscription] {
        hasher.update(&(name.len() as u64).to_le_bytes());
        hasher.update(name.as_bytes());
    }
    // Included because a subscription may be deleted and created again.
    let created = row.create_time.unix_timestamp_nanos().to_le_bytes();
    hasher.update(&created).update(&generation.to_le_bytes());
    hasher
}

fn id_of(hasher: &blake3::Hasher) -> String {
    format!("msg_{}", &hasher.finalize().to_hex()[..32])
}
