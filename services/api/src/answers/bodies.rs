//! The bodies of webhooks, and what browsers are told: messages of the contract, as REST would
//! write them.

use std::collections::BTreeSet;

use contract::json_of;
use contract::names::subscription_name;
use contract::v1::{self, UnreadableEntry, WebhookData};
use matches::{
    PushNotice, StreamedEntry, WebhookEntries, WebhookMessage, WebhookTest, WebhookWentBack,
};
use narration::{Language, Titles};
use prost_types::Timestamp;
use time::OffsetDateTime;

use super::entries::{entry_of, streamed_of};
use super::matches::match_of;
use super::texts::summary_text;
use super::values::{match_name, number, timestamp, wire_position};
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

/// The longest text of a message to a browser, in bytes. With everything else it fits into the
/// length to which messages are padded.
const TEXT_BYTES_MAX: usize = 300;

/// The matches that the text of a message names.
const NAMED_MAX: usize = 3;

/// The matches that a message lists. Each takes about a hundred bytes.
const LISTED_MAX: usize = 8;

/// What a browser is told.
pub fn push_of(notice: &PushNotice) -> Vec<u8> {
    let language = Language::of(&notice.language).unwrap_or(Language::ENGLISH);
    let title = notice.turns.iter().find_map(|it| it.summary.game());
    let matches: BTreeSet<_> = notice.turns.iter().map(|it| it.summary.row.match_id).collect();
    let title = title.map(|game| Titles::of(game, language).waiting(matches.len()));
    let text = |it: &matches::PushTurn| {
        let text = summary_text(language, Some(it.seat), &it.summary)?;
        let name = it.summary.row.display_name.as_ref();
        Some(name.map_or_else(|| text.clone(), |name| format!("{name}. {text}")))
    };
    let texts: Vec<String> =
        notice.turns.iter().take(NAMED_MAX).filter_map(text).map(|it| shortened(&it)).collect();
    let turns = notice.turns.iter().take(LISTED_MAX).map(|it| v1::PushTurn {
        r#match: match_name(it.summary.row.match_id),
        seat: number(it.seat),
        position: wire_position(it.position),
    });
    let message = v1::PushMessage {
        r#type: "turn".to_owned(),
        title: title.unwrap_or_default(),
        body: texts.join("\n"),
        tag: notice.tag.clone(),
        language: language.tag().to_owned(),
        turns: turns.collect(),
    };
    let json = json_of("PushMessage", &message);
    match json.len() > webhooks::PADDED_BYTES {
        true => {
            let message = v1::PushMessage { body: String::new(), ..message };
            json_of("PushMessage", &message).into_bytes()
        }
        false => json.into_bytes(),
    }
}

/// A text of bounded length.
fn shortened(text: &str) -> String {
    if text.len() <= TEXT_BYTES_MAX {
        return text.to_owned();
    }
    format!("{}…", &text[..text.floor_char_boundary(TEXT_BYTES_MAX)])
}
