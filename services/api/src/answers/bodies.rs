//! The bodies of webhooks: messages of the contract, as REST would write them.

use contract::json_of;
use contract::names::subscription_name;
use contract::v1::{self, UnreadableEntry, WebhookData};
use matches::{StreamedEntry, WebhookEntries, WebhookMessage, WebhookTest, WebhookWentBack};
use prost_types::Timestamp;
use time::OffsetDateTime;

use super::entries::{entry_of, streamed_of};
use super::matches::match_of;
use super::values::{match_name, timestamp, wire_position};
use super::went_back::went_back_of;

/// The body of a message of any kind.
pub fn body_of(message: &WebhookMessage, now: OffsetDateTime) -> Vec<u8> {
    let (time, data) = match message {
        WebhookMessage::Entries(entries) => entries_of(entries, now),
        WebhookMessage::WentBack(notice) => notice_of(notice),
        WebhookMessage::Test(test) => test_of(test),
    };
    let (r#type, timestamp, data) = (message.kind().to_owned(), Some(time), Some(data));
    json_of("WebhookMessage", &v1::WebhookMessage { r#type, timestamp, data }).into_bytes()
}

/// The entries of a match.
fn entries_of(it: &WebhookEntries, now: OffsetDateTime) -> (Timestamp, WebhookData) {
    let entries = it.entries.iter().map(|StreamedEntry { entry, result, .. }| {
        let result = result.clone().map(|it| match_of(*it));
        streamed_of(entry, entry_of(entry), result)
    });
    let entries = entries.collect();
    let r#match = match_name(it.match_id());
    let unreadable = it.unreadable.iter().map(|&position| UnreadableEntry {
        r#match: r#match.clone(),
        position: wire_position(position),
    });
    let time = it.entries.last().map(|it| timestamp(it.entry.create_time));
    let data = WebhookData {
        subscription: subscription_name(&it.subscription),
        entries,
        unreadable: unreadable.collect(),
        went_back: None,
    };
    (time.unwrap_or_else(|| timestamp(now)), data)
}

/// A notice that entries are void.
fn notice_of(it: &WebhookWentBack) -> (Timestamp, WebhookData) {
    let went_back = went_back_of(&it.went_back);
    let subscription = subscription_name(&it.subscription);
    let data = WebhookData { subscription, went_back: Some(went_back), ..WebhookData::default() };
    (timestamp(it.time), data)
}

/// A test message, which has no entries.
fn test_of(it: &WebhookTest) -> (Timestamp, WebhookData) {
    let subscription = subscription_name(&it.subscription);
    (timestamp(it.time), WebhookData { subscription, ..WebhookData::default() })
}
