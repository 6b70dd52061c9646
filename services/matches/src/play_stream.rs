//! Playing many matches over one line: the actions of each in order, the matches side by side.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use futures::future::BoxFuture;
use futures::stream::FuturesUnordered;
use futures::{FutureExt, StreamExt};
use store::{MatchId, Position};
use table::Seat;

use crate::{Action, Caller, Error, Matches, RedactedEntry};

/// An action that a seat takes.
#[derive(Clone, Debug)]
pub struct Submission {
    pub match_id: MatchId,
    /// None for a seat token's own.
    pub seat: Option<Seat>,
    pub action: Action,
    pub expected: Option<Position>,
    pub request_id: Option<String>,
}

/// What became of the submission that was numbered so.
pub struct Submitted {
    pub number: i64,
    pub entry: Result<RedactedEntry, Error>,
}

/// Where submissions are handed in and outcomes taken out. Whoever holds it must keep asking for
/// [`ActionStream::outcomes`]: only then does what is under way go on, and other seats of the same
/// matches wait for it. If it is dropped, what is under way is carried through, and what had to
/// wait is not begun.
pub struct ActionStream {
    matches: Matches,
    caller: Arc<Caller>,
    under_way: FuturesUnordered<BoxFuture<'static, (MatchId, Submitted)>>,
    /// Of the matches that have something under way: what has to wait for it.
    waiting: HashMap<MatchId, VecDeque<(i64, Submission)>>,
    len: usize,
}

impl ActionStream {
    pub fn new(matches: &Matches, caller: Caller) -> ActionStream {
        ActionStream {
            matches: matches.clone(),
            caller: Arc::new(caller),
            under_way: FuturesUnordered::new(),
            waiting: HashMap::new(),
            len: 0,
        }
    }

    pub fn submit(&mut self, number: i64, submission: Submission) {
        self.len += 1;
        match self.waiting.get_mut(&submission.match_id) {
            Some(waiting) => waiting.push_back((number, submission)),
            None => {
                self.waiting.insert(submission.match_id, VecDeque::new());
                self.begin(number, submission);
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

    /// Waits for outcomes and returns all that are known by then, which are none only if nothing is
    /// under way. It may be cancelled without a loss.
    pub async fn outcomes(&mut self) -> Vec<Submitted> {
        let mut outcomes = Vec::new();
        let mut next = self.under_way.next().await;
        while let Some((match_id, outcome)) = next {
            outcomes.push(outcome);
            self.go_on(match_id);
            next = self.under_way.next().now_or_never().flatten();
        }
        self.len -= outcomes.len();
        outcomes
    }

    fn go_on(&mut self, match_id: MatchId) {
        match self.waiting.get_mut(&match_id).and_then(VecDeque::pop_front) {
            Some((number, submission)) => self.begin(number, submission),
            None => drop(self.waiting.remove(&match_id)),
        }
    }

    fn begin(&mut self, number: i64, submission: Submission) {
        let (matches, caller) = (self.matches.clone(), self.caller.clone());
        let submitting = async move {
            let match_id = submission.match_id;
            let entry = matches.submit(&caller, submission).await;
            (match_id, Submitted { number, entry })
        };
        self.under_way.push(submitting.boxed());
    }
}
