//! Playing many matches over one stream: the actions of a match in order, different matches
//! concurrently.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use futures::future::BoxFuture;
use futures::stream::FuturesUnordered;
use futures::{FutureExt, StreamExt};
use rows::{MatchId, RedactedEntry};
use table::Seat;

use super::submit::Submission;
use crate::access::{Caller, OpenStream, StreamKind};
use crate::error::Error;
use crate::matches::Matches;

/// The outcome of the submission with this number.
pub struct Submitted {
    pub number: i64,
    pub match_id: MatchId,
    /// The seat that the submission named.
    pub seat: Option<Seat>,
    pub entry: Result<RedactedEntry, Error>,
}

/// Takes submissions and returns their outcomes.
///
/// Its owner must keep polling [`ActionStream::outcomes`]: otherwise submissions in flight make no
/// progress, and they block other seats of the same matches. When the stream is dropped,
/// submissions in flight complete, and waiting ones are discarded.
pub struct ActionStream {
    matches: Matches,
    caller: Arc<Caller>,
    in_flight: FuturesUnordered<BoxFuture<'static, (MatchId, Submitted)>>,
    /// For each match with a submission in flight, the submissions that wait for it.
    waiting: HashMap<MatchId, VecDeque<(i64, Submission)>>,
    len: usize,
    _open: OpenStream,
}

impl ActionStream {
    /// Fails if the caller has too many open streams.
    pub fn new(matches: &Matches, caller: Caller) -> Result<ActionStream, Error> {
        Ok(ActionStream {
            _open: matches.open_stream(&caller, StreamKind::ManyMatches)?,
            matches: matches.clone(),
            caller: Arc::new(caller),
            in_flight: FuturesUnordered::new(),
            waiting: HashMap::new(),
            len: 0,
        })
    }

    /// The caller's right was checked again.
    pub fn checked(&mut self, caller: &Caller) {
        if *caller != *self.caller {
            self.caller = Arc::new(caller.clone());
        }
    }

    pub fn submit(&mut self, number: i64, submission: Submission) {
        self.len += 1;
        match self.waiting.get_mut(&submission.match_id) {
            Some(waiting) => waiting.push_back((number, submission)),
            None => {
                self.waiting.insert(submission.match_id, VecDeque::new());
                self.start(number, submission);
            }
        }
    }

    /// How many submissions have no outcome yet.
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Waits for an outcome, and returns all that are ready by then; empty only if nothing is in
    /// flight. Cancel-safe.
    pub async fn outcomes(&mut self) -> Vec<Submitted> {
        let mut outcomes = Vec::new();
        let mut next = self.in_flight.next().await;
        while let Some((match_id, outcome)) = next {
            outcomes.push(outcome);
            self.start_next(match_id);
            next = self.in_flight.next().now_or_never().flatten();
        }
        self.len -= outcomes.len();
        outcomes
    }

    fn start_next(&mut self, match_id: MatchId) {
        match self.waiting.get_mut(&match_id).and_then(VecDeque::pop_front) {
            Some((number, submission)) => self.start(number, submission),
            None => drop(self.waiting.remove(&match_id)),
        }
    }

    fn start(&mut self, number: i64, submission: Submission) {
        let (matches, caller) = (self.matches.clone(), self.caller.clone());
        let submitting = async move {
            let Submission { match_id, seat, .. } = submission;
            let entry = matches.submit(&caller, submission).await;
            (match_id, Submitted { number, match_id, seat, entry })
        };
        self.in_flight.push(submitting.boxed());
    }
}
