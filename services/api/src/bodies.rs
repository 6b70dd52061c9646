//! The bodies of webhooks: messages of the contract, as REST would write them.

use std::time::SystemTime;

use matches::{PushPart, Test};
use prost_types::Timestamp;

use crate::descriptors::json_of;
use crate::names::{match_name, subscription_name, wire_position};
use crate::render::{entry_of, streamed_of, timestamp};
use crate::v1::{UnreadableEntry, WebhookData, WebhookMessage};

/// The entries of a match.
pub fn entries(part: &PushPart) -> Vec<u8> {
    let entries = part.entries.iter().map(|entry| streamed_of(entry, entry_of(entry))).collect();
    let r#match = match_name(part.match_id);
    let unreadable = part.unreadable.iter().map(|&position| UnreadableEntry {
        r#match: r#match.clone(),
        position: wire_position(position),
    });
    let time = part.entries.last().map(|entry| timestamp(entry.create_time));
    let data = WebhookData {
        subscription: subscription_name(&part.subscription),
        entries,
        unreadable: unreadable.collect(),
    };
    body("entries", time.unwrap_or_else(|| SystemTime::now().into()), data)
}

/// A message that says nothing.
pub(crate) fn test(test: &Test) -> Vec<u8> {
    let subscription = subscription_name(&test.subscription);
    let data = WebhookData { subscription, ..WebhookData::default() };
    body("test", timestamp(test.time), data)
}

fn body(r#type: &str, time: Timestamp, data: WebhookData) -> Vec<u8> {
    let message =
        WebhookMessage { r#type: r#type.to_owned(), timestamp: Some(time), data: Some(data) };
    json_of("WebhookMessage", &message).into_bytes()
}
