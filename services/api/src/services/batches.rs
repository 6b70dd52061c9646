//! Streams of entries of many matches, which resume after a cursor.

use std::ops::RangeInclusive;
use std::time::Duration;

use contract::v1::{RecordWentBack, StreamedEntry, UnreadableEntry};
use futures::{StreamExt, stream};
use matches::{BatchStream, Error, MatchId, Position, StreamError, StreamStart, StreamTiming};
use tonic::Status;

use super::streaming::Answers;
use crate::answers::texts::Texts;
use crate::answers::values::{match_name, wire_position};
use crate::answers::went_back::went_back_of;
use crate::error::{invalid, of, resumable};
use crate::requests::cursors::Cursors;
use crate::requests::values::parse_duration;

/// The default heartbeat: shorter than the idle timeout of common proxies.
const HEARTBEAT_USUAL: Duration = Duration::from_secs(15);

/// The default timeout of a send: long enough for a client that pauses to write to its database.
const SEND_TIMEOUT_USUAL: Duration = Duration::from_secs(30);

/// The shortest and the longest heartbeat and send timeout.
const WAITS: RangeInclusive<Duration> = Duration::from_secs(1)..=Duration::from_secs(300);

/// A batch of a stream in its sent form.
pub(super) struct SentBatch<'b> {
    pub recorded: &'b [matches::StreamedEntry],
    /// The same entries.
    pub entries: Vec<StreamedEntry>,
    pub unreadable: Vec<UnreadableEntry>,
    pub went_back: Option<RecordWentBack>,
    /// Where the stream resumes after this batch.
    pub cursor: String,
}

pub(super) fn start(cursors: &Cursors, cursor: &str, live: bool) -> Result<StreamStart, Status> {
    match (cursor, live) {
        ("", false) => Ok(StreamStart::Beginning),
        ("", true) => Ok(StreamStart::Now),
        (cursor, false) => Ok(StreamStart::After(Box::new(cursors.read("cursor", cursor)?))),
        (_, true) => Err(invalid("live", "set a cursor or live, not both")),
    }
}

pub(super) fn timing(
    heartbeat: Option<prost_types::Duration>,
    send_timeout: Option<prost_types::Duration>,
) -> Result<StreamTiming, Status> {
    let heartbeat = parse_duration("heartbeat", heartbeat, WAITS)?;
    let take_wait = parse_duration("send_timeout", send_timeout, WAITS)?;
    Ok(StreamTiming {
        heartbeat: heartbeat.unwrap_or(HEARTBEAT_USUAL),
        take_wait: take_wait.unwrap_or(SEND_TIMEOUT_USUAL),
    })
}

/// The batches as answers, each made of one batch.
pub(super) fn answers<T: Send + 'static>(
    stream: BatchStream,
    cursors: Cursors,
    texts: Texts,
    message: impl Fn(SentBatch<'_>) -> T + Copy + Send + Sync + 'static,
) -> Answers<T> {
    let next = move |(mut stream, cursors, mut texts): (BatchStream, Cursors, Texts)| async move {
        let answer = match stream.next().await? {
            Ok(batch) => {
                let unreadable = batch.unreadable.iter().map(unreadable_of).collect();
                let went_back = batch.went_back.as_ref().map(went_back_of);
                let cursor = cursors.write(&batch.at);
                texts.streamed(batch.entries).await.map(|(recorded, entries)| {
                    let recorded = &recorded;
                    message(SentBatch { recorded, entries, unreadable, went_back, cursor })
                })
            }
            Err(StreamError { error, at }) => Err(resumable(error, cursors.write(&at))),
        };
        Some((answer, (stream, cursors, texts)))
    };
    Box::pin(stream::unfold((stream, cursors, texts), next))
}

fn unreadable_of(&(match_id, position): &(MatchId, Position)) -> UnreadableEntry {
    UnreadableEntry { r#match: match_name(match_id), position: wire_position(position) }
}

/// The refusal of a cursor, with the cursor to resume after, if there is one.
pub(super) fn refusal(error: Error, cursors: &Cursors) -> Status {
    match error {
        Error::RecordWentBack { resume: Some(ref resume), .. } => {
            let cursor = cursors.write(resume);
            resumable(error, cursor)
        }
        other => of(other),
    }
}
