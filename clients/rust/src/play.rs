//! Actions of many matches over one stream.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use contract::v1::play_outcome::Outcome as Told;
use contract::v1::{Entry, PlayOutcome, PlayRequest, PlayResponse, SubmitActionRequest};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::time::Instant;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::Streaming;

use crate::backoff::Backoff;
use crate::calls::{Calls, next_of};
use crate::credentials::Header;
use crate::refusal::Refusal;

/// The longest pause before the stream is opened again that the service did not ask for.
const PAUSE_MAX: Duration = Duration::from_secs(10);
/// The most actions of a message.
const MESSAGE_ACTIONS_MAX: usize = 256;

/// Actions of many matches over one stream: the same as calls, at a fraction of their cost.
///
/// When the connection or the service is lost, the stream is opened again and every action without
/// an outcome is sent again, in the same order and with the same request id, so that each happens
/// once. Actions of one match are processed in the order in which they were submitted. Keep a few
/// in flight and call [`next`](Play::next) for their outcomes: those that are submitted wait in
/// memory until the service reads them.
pub struct Play {
    calls: Calls,
    stream: Option<Open>,
    /// The actions without an outcome, by ticket.
    waiting: BTreeMap<u64, SubmitActionRequest>,
    /// The outcomes that were received and not told yet.
    outcomes: VecDeque<PlayOutcome>,
    submitted: u64,
    bearer: Option<Header>,
    backoff: Backoff,
    pause_until: Option<Instant>,
    is_renewed: bool,
}

/// The ticket of an action, and its entry once that is recorded.
pub type Outcome = (u64, Result<Entry, Refusal>);

/// A stream that is open.
struct Open {
    requests: UnboundedSender<PlayRequest>,
    answers: Streaming<PlayResponse>,
    /// By index in this stream: the ticket of the action.
    tickets: Vec<u64>,
}

impl Open {
    fn send(&mut self, actions: impl Iterator<Item = (u64, SubmitActionRequest)>) {
        let (tickets, actions): (Vec<u64>, Vec<SubmitActionRequest>) = actions.unzip();
        self.tickets.extend(tickets);
        for actions in actions.chunks(MESSAGE_ACTIONS_MAX) {
            // A stream that has ended says so when its answers are read.
            let _ = self.requests.send(PlayRequest { actions: actions.to_vec() });
        }
    }
}

impl Play {
    /// Opens nothing yet.
    pub(crate) fn new(calls: &Calls) -> Play {
        Play {
            calls: calls.clone(),
            stream: None,
            waiting: BTreeMap::new(),
            outcomes: VecDeque::new(),
            submitted: 0,
            bearer: None,
            backoff: Backoff::new(PAUSE_MAX),
            pause_until: None,
            is_renewed: false,
        }
    }

    /// Submits an action, and returns a ticket with which its outcome comes. An action without a
    /// request id is given one.
    pub fn submit(&mut self, mut action: SubmitActionRequest) -> u64 {
        self.calls.identify(&mut action);
        let ticket = self.submitted;
        self.submitted += 1;
        if let Some(stream) = &mut self.stream {
            stream.send([(ticket, action.clone())].into_iter());
        }
        self.waiting.insert(ticket, action);
        ticket
    }

    /// How many actions have no outcome yet.
    pub fn in_flight(&self) -> usize {
        self.waiting.len()
    }

    /// The next outcome, with the ticket of its action; none if no action is in flight. Outcomes
    /// of different matches come in any order. Cancelled, it loses nothing.
    ///
    /// Fails with a refusal of the stream itself that no repetition would cure.
    pub async fn next(&mut self) -> Result<Option<Outcome>, Refusal> {
        loop {
            while let Some(outcome) = self.outcomes.pop_front() {
                if let Some(told) = self.told(outcome)? {
                    return Ok(Some(told));
                }
            }
            if self.waiting.is_empty() {
                return Ok(None);
            }
            if let Some(until) = self.pause_until {
                tokio::time::sleep_until(until).await;
                self.pause_until = None;
            }
            match self.answer().await {
                Ok(Some(answer)) => {
                    self.backoff.reset();
                    self.is_renewed = false;
                    self.outcomes.extend(answer.outcomes);
                }
                Ok(None) => self.lose(None),
                Err(refusal) => {
                    if !self.is_renewed && self.calls.renew(&refusal, self.bearer.as_ref()).await {
                        self.is_renewed = true;
                        self.stream = None;
                        continue;
                    }
                    if !refusal.is_retryable() {
                        self.stream = None;
                        return Err(refusal);
                    }
                    self.calls.note(Some(&refusal));
                    self.lose(Some(&refusal));
                }
            }
        }
    }

    async fn answer(&mut self) -> Result<Option<PlayResponse>, Refusal> {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            None => {
                self.bearer = self.calls.bearer().await?;
                let (requests, sent) = unbounded_channel();
                let answers = self.calls.open_both(UnboundedReceiverStream::new(sent)).await?;
                let mut stream = Open { requests, answers, tickets: Vec::new() };
                stream.send(self.waiting.iter().map(|(ticket, it)| (*ticket, it.clone())));
                self.stream.insert(stream)
            }
        };
        next_of(&mut stream.answers).await
    }

    /// Opens the stream again after a pause.
    fn lose(&mut self, refusal: Option<&Refusal>) {
        self.stream = None;
        let pause = self.backoff.next(refusal.and_then(Refusal::retry_after));
        self.pause_until = Some(Instant::now() + pause);
    }

    /// What is told of an outcome; nothing if it is unknown, because then the action is sent again.
    fn told(&mut self, outcome: PlayOutcome) -> Result<Option<Outcome>, Refusal> {
        let index = usize::try_from(outcome.index).ok();
        let tickets = self.stream.as_ref().map(|it| &it.tickets);
        let ticket = index.zip(tickets).and_then(|(index, it)| it.get(index).copied());
        let ticket = ticket.ok_or_else(Refusal::incomplete)?;
        let outcome = match outcome.outcome.ok_or_else(Refusal::incomplete)? {
            Told::Entry(entry) => Ok(entry),
            Told::Error(error) => Err(Refusal::from(error)),
        };
        if let Err(refusal) = &outcome
            && refusal.is_retryable()
        {
            self.repeat(refusal);
            return Ok(None);
        }
        self.waiting.remove(&ticket);
        Ok(Some((ticket, outcome)))
    }

    /// Sends everything without an outcome again on a new stream, so that the order of a match's
    /// actions stays: those that were recorded are answered with their entries.
    fn repeat(&mut self, refusal: &Refusal) {
        self.outcomes.clear();
        self.lose(Some(refusal));
    }
}
