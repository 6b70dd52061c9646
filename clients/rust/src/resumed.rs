//! Streams that are opened again, after what was received, when the connection or the service is
//! lost.

use std::time::Duration;
use std::vec;

use contract::v1::{
    ConsumeSubscriptionRequest, ConsumeSubscriptionResponse, Entry, ReplayEntriesRequest,
    ReplayEntriesResponse, StreamEntriesRequest, StreamEntriesResponse, WatchEntriesRequest,
    WatchEntriesResponse, WatchPlayerRequest, WatchPlayerResponse,
};
use contract::{InWords, ServerStreaming};
use tokio::time::Instant;
use tonic::Streaming;

use crate::backoff::Backoff;
use crate::calls::{Calls, next_of};
use crate::credentials::Header;
use crate::refusal::Refusal;

/// The longest pause before a stream is opened again that the service did not ask for.
const PAUSE_MAX: Duration = Duration::from_secs(10);

/// The request of a stream that resumes.
pub trait Resume: ServerStreaming {
    /// Whether the stream is over when the service ends it without an error.
    const ENDS: bool;

    /// Moves the request behind what was received.
    fn received(&mut self, answer: &Self::Answer);

    /// Takes note of where a refusal says to resume.
    fn refused(&mut self, _refusal: &Refusal) {}
}

macro_rules! resume_after_an_entry {
    ($($Request:ty => $Answer:ty),*) => {$(
        impl Resume for $Request {
            const ENDS: bool = true;

            fn received(&mut self, answer: &$Answer) {
                self.after_position = answer.position;
                self.after_digest.clone_from(&answer.digest);
            }
        }
    )*};
}

resume_after_an_entry! {
    WatchEntriesRequest => WatchEntriesResponse,
    ReplayEntriesRequest => ReplayEntriesResponse
}

macro_rules! resume_after_a_cursor {
    ($($Request:ty => $Answer:ty),*) => {$(
        impl Resume for $Request {
            const ENDS: bool = false;

            fn received(&mut self, answer: &$Answer) {
                self.cursor.clone_from(&answer.cursor);
                // Only a stream without a cursor may begin with new entries.
                self.live = false;
            }

            fn refused(&mut self, refusal: &Refusal) {
                if let Some(cursor) = refusal.fact("cursor").filter(|_| self.cursor.is_empty()) {
                    self.cursor = cursor.to_owned();
                    self.live = false;
                }
            }
        }
    )*};
}

resume_after_a_cursor! {
    StreamEntriesRequest => StreamEntriesResponse,
    WatchPlayerRequest => WatchPlayerResponse
}

/// The service knows what was acknowledged.
impl Resume for ConsumeSubscriptionRequest {
    const ENDS: bool = false;

    fn received(&mut self, _answer: &ConsumeSubscriptionResponse) {}
}

/// The messages of a stream, one by one: `while let Some(it) = stream.next().await? { … }`.
///
/// It is opened again, after what was received, when the connection or the service is lost, with
/// longer and longer pauses of up to 10 seconds, and when the credentials have expired and a
/// function fetches others. It ends with the service's last message, and fails with a refusal that
/// no repetition would cure. Dropping it closes it.
#[must_use = "a stream is read by `next`"]
pub struct Resumed<R: Resume> {
    calls: Calls,
    request: R,
    stream: Option<Streaming<R::Answer>>,
    /// The credentials with which it was opened.
    bearer: Option<Header>,
    backoff: Backoff,
    /// When it is opened again.
    pause_until: Option<Instant>,
    is_renewed: bool,
    is_over: bool,
}

impl<R: Resume> Resumed<R> {
    pub(crate) fn new(calls: &Calls, request: R) -> Resumed<R> {
        Resumed {
            calls: calls.clone(),
            request,
            stream: None,
            bearer: None,
            backoff: Backoff::new(PAUSE_MAX),
            pause_until: None,
            is_renewed: false,
            is_over: false,
        }
    }

    /// Changes the request, before the stream is opened.
    pub fn with(mut self, change: impl FnOnce(&mut R)) -> Resumed<R> {
        change(&mut self.request);
        self
    }

    /// The request with which the stream would be resumed now: after what was received.
    pub fn request(&self) -> &R {
        &self.request
    }

    /// Whether the stream is open.
    pub fn is_connected(&self) -> bool {
        self.stream.is_some()
    }

    /// The next message; none at the end. Cancelled, it loses nothing.
    pub async fn next(&mut self) -> Result<Option<R::Answer>, Refusal> {
        while !self.is_over {
            if let Some(until) = self.pause_until {
                tokio::time::sleep_until(until).await;
                self.pause_until = None;
            }
            let refusal = match self.message().await {
                Ok(Some(answer)) => {
                    self.backoff.reset();
                    self.is_renewed = false;
                    self.request.received(&answer);
                    return Ok(Some(answer));
                }
                Ok(None) => {
                    self.stream = None;
                    self.is_over = R::ENDS;
                    self.pause_until = Some(Instant::now() + self.backoff.next(None));
                    continue;
                }
                Err(refusal) => refusal,
            };
            self.stream = None;
            // The second refusal of credentials is final.
            if !self.is_renewed && self.calls.renew(&refusal, self.bearer.as_ref()).await {
                self.is_renewed = true;
                continue;
            }
            if !refusal.is_retryable() {
                self.is_over = true;
                return Err(refusal);
            }
            self.request.refused(&refusal);
            self.calls.note(Some(&refusal));
            let pause = self.backoff.next(refusal.retry_after());
            self.pause_until = Some(Instant::now() + pause);
        }
        Ok(None)
    }

    async fn message(&mut self) -> Result<Option<R::Answer>, Refusal> {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            None => {
                self.bearer = self.calls.bearer().await?;
                let stream = self.calls.open(self.request.clone()).await?;
                self.stream.insert(stream)
            }
        };
        next_of(stream).await
    }
}

impl<R: Resume + InWords> Resumed<R> {
    /// Sets the language of its texts, as a BCP 47 tag such as `de`, instead of that of the client.
    pub fn language(self, language: &str) -> Resumed<R> {
        self.with(|request| request.set_language(language))
    }
}

/// A message with entries of one match.
pub trait HasEntries {
    /// The entries, in order. Fails if the message tells that the record went back.
    fn into_entries(self) -> Result<Vec<Entry>, Refusal>;
}

impl HasEntries for WatchEntriesResponse {
    fn into_entries(self) -> Result<Vec<Entry>, Refusal> {
        match self.went_back {
            None => Ok(self.entries),
            Some(_) => Err(Refusal::went_back(self.position)),
        }
    }
}

impl HasEntries for ReplayEntriesResponse {
    fn into_entries(self) -> Result<Vec<Entry>, Refusal> {
        Ok(self.entries)
    }
}

/// The entries of a match, each once and in order, across restarts of the service and lost
/// connections: `while let Some(entry) = entries.next().await? { … }`.
#[must_use = "a stream is read by `next`"]
pub struct Entries<R: Resume> {
    messages: Resumed<R>,
    received: vec::IntoIter<Entry>,
}

impl<R: Resume<Answer: HasEntries>> Entries<R> {
    pub(crate) fn new(calls: &Calls, request: R) -> Entries<R> {
        Entries { messages: Resumed::new(calls, request), received: Vec::new().into_iter() }
    }

    /// Changes the request, before the stream is opened.
    pub fn with(mut self, change: impl FnOnce(&mut R)) -> Entries<R> {
        self.messages = self.messages.with(change);
        self
    }

    /// Whether the stream is open.
    pub fn is_connected(&self) -> bool {
        self.messages.is_connected()
    }

    /// The next entry; none once the match has ended. Cancelled, it loses nothing.
    pub async fn next(&mut self) -> Result<Option<Entry>, Refusal> {
        loop {
            if let Some(entry) = self.received.next() {
                return Ok(Some(entry));
            }
            let Some(message) = self.messages.next().await? else { return Ok(None) };
            self.received = message.into_entries()?.into_iter();
        }
    }
}

impl<R: Resume<Answer: HasEntries> + InWords> Entries<R> {
    /// Sets the language of its texts, as a BCP 47 tag such as `de`, instead of that of the client.
    pub fn language(self, language: &str) -> Entries<R> {
        self.with(|request| request.set_language(language))
    }
}
