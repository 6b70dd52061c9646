//! A match with its clients' requests and answers, as the audit checks them.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use contract::v1::*;
use tokio::time::timeout;
use tonic::Code;

use super::history::{Event, Number, Outcome, Time, What};
use super::plan::Dice;
use super::round::Round;
use super::site::Node;
use crate::harness::{Client, Failure, Rpc};

/// A running match.
pub struct Table {
    pub round: Arc<Round>,
    /// The match as created.
    pub made: Match,
    pub is_over: AtomicBool,
    next: AtomicU32,
    pub observed: Mutex<Observations>,
}

/// Everything that clients received of a match.
#[derive(Default)]
pub struct Observations {
    pub events: Vec<Event>,
    /// Requests that became an entry, as returned to the seat that acted.
    pub acknowledged: Vec<(Number, Entry)>,
    /// Received entries from the first on, by viewer; whether to the end.
    pub accounts: Vec<Account>,
    pub views: Vec<contract::v1::Table>,
}

pub struct Account {
    pub viewer: String,
    pub entries: Vec<Entry>,
    pub is_whole: bool,
}

/// How long clients wait for an answer: some receive the service's own refusal while the database
/// is down, others have left before.
pub const PATIENCES: [Duration; 3] =
    [Duration::from_secs(1), Duration::from_secs(3), Duration::from_secs(9)];

/// The connection's own error if it finds no process. Such a request counts as unanswered.
const NOBODY: &str = "tcp connect error";

/// A request to record an action.
#[derive(Clone)]
pub struct Wish {
    pub number: Number,
    pub seat: u32,
    pub what: Demand,
    pub expected: Option<i32>,
}

/// What a client wants recorded.
#[derive(Clone)]
pub enum Demand {
    Action(contract::Action),
    TakeBack,
    Resignation,
}

impl Wish {
    /// Sends it to a process, once.
    pub async fn send(&self, client: &Client, name: String) -> Result<Entry, Failure> {
        let (seat, request_id) = (Some(self.seat), self.number.to_string());
        let entry = match self.what.clone() {
            Demand::Action(action) => {
                let (action, expected_position) = (Some(action), self.expected);
                let expected_prompt = None;
                let request = SubmitActionRequest {
                    name,
                    action,
                    seat,
                    expected_position,
                    request_id,
                    expected_prompt,
                    ..SubmitActionRequest::default()
                };
                client.ask(&request).await?.entry
            }
            Demand::TakeBack => {
                let request =
                    TakeBackRequest { name, seat, request_id, ..TakeBackRequest::default() };
                client.ask(&request).await?.entry
            }
            Demand::Resignation => {
                let request =
                    ResignMatchRequest { name, seat, request_id, ..ResignMatchRequest::default() };
                client.ask(&request).await?.entry
            }
        };
        Ok(entry.expect("an entry"))
    }
}

/// An answer, with the times of call and answer.
pub struct Call<T> {
    pub call: Time,
    pub answer: Time,
    /// None if the client left first.
    pub said: Option<Result<T, Failure>>,
}

impl Table {
    pub fn new(round: Arc<Round>, made: Match) -> Table {
        let (is_over, next) = (AtomicBool::new(false), AtomicU32::new(1));
        Table { round, made, is_over, next, observed: Mutex::default() }
    }

    pub fn name(&self) -> String {
        self.made.name.clone()
    }

    /// Whether its clients have anything left to do.
    pub fn goes_on(&self) -> bool {
        !self.is_over.load(Relaxed) && !self.round.end.is_cancelled()
    }

    /// A number for a new request.
    pub fn number(&self) -> Number {
        self.next.fetch_add(1, Relaxed)
    }

    /// A random viewer.
    pub fn viewer(&self, dice: &mut Dice) -> String {
        let seats = self.made.seats.len();
        match dice.below(seats + 1) {
            it if it == seats => "spectator".to_owned(),
            seat => format!("seats/{seat}"),
        }
    }

    pub fn observe(&self, take: impl FnOnce(&mut Observations)) {
        take(&mut self.observed.lock().expect("nobody panics holding it"));
    }

    /// Waits for an answer for a limited time.
    pub async fn call<T>(
        &self,
        patience: Duration,
        asking: impl Future<Output = Result<T, Failure>>,
    ) -> Call<T> {
        let (is_quiet, call) = (self.round.quiet.is_cancelled(), self.round.site.now());
        let said = timeout(patience, asking).await.ok();
        let answer = self.round.site.now();
        if is_quiet {
            let took = (answer - call) / 1_000_000;
            self.round.tally.at_most("longest call when it was quiet, in ms", took as usize);
        }
        Call { call, answer, said }
    }

    /// Sends a read. None if there is no answer now.
    pub async fn look<R: Rpc>(
        &self,
        dice: &mut Dice,
        client: &Client,
        request: &R,
    ) -> Option<(Call<()>, R::Answer)> {
        let asking = client.ask(request);
        let Call { call, answer, said } = self.call(*dice.pick(&PATIENCES), asking).await;
        match said? {
            Ok(told) => Some((Call { call, answer, said: None }, told)),
            Err(failure) => {
                self.was_refused(call, &failure);
                None
            }
        }
    }

    /// Notes a refused read or a broken stream whose cause is not allowed.
    pub fn was_refused(&self, call: Time, failure: &Failure) {
        // A process serving from memory may know less than another showed.
        let is_behind = failure.reason == "POSITION_AHEAD";
        if is_behind && self.round.site.was_troubled(call, self.round.site.now()) {
            self.round.tally.count("refused because a process was behind");
            return;
        }
        match Said::of(failure) {
            Said::Wrong(wrong) => {
                self.wrong(format!("a read was refused, or a stream broke: {wrong}"));
            }
            Said::Outcome(Outcome::Nothing) => self.round.tally.count("reads refused for now"),
            Said::Outcome(_) => {}
        }
    }

    /// Notes and returns the outcome of a request.
    pub fn was_told(&self, client: u32, wish: &Wish, call: Call<Entry>) -> Outcome {
        let outcome = match call.said {
            None => Outcome::Unknown,
            Some(Ok(entry)) => {
                let position = entry.position;
                self.observe(|observed| observed.acknowledged.push((wish.number, entry)));
                Outcome::At(position)
            }
            Some(Err(failure)) => self.outcome_of(&failure, wish),
        };
        self.round.tally.submitted(outcome);
        let answer = (outcome != Outcome::Unknown).then_some(call.answer);
        let what = What::Submit { number: wish.number, expected: wish.expected, outcome };
        self.observe(|observed| {
            observed.events.push(Event { client, call: call.call, answer, what })
        });
        outcome
    }

    fn outcome_of(&self, failure: &Failure, wish: &Wish) -> Outcome {
        if failure.code == Code::ResourceExhausted {
            self.round.tally.count("told that the disk is full, or the service busy");
        }
        if failure.message.contains(NOBODY) {
            self.round.tally.count("sent to a process that was not there");
        }
        match Said::of(failure) {
            Said::Outcome(outcome) => outcome,
            Said::Wrong(wrong) => {
                self.wrong(format!("request {} was refused: {wrong}", wish.number));
                Outcome::Unknown
            }
        }
    }

    /// Notes that an answer showed the match at this position.
    pub fn was_at(&self, client: u32, position: i32, Call { call, answer, .. }: Call<()>) {
        self.round.tally.operation("looked");
        let what = What::Head { position };
        self.observe(|observed| {
            observed.events.push(Event { client, call, answer: Some(answer), what })
        });
    }

    pub fn wrong(&self, finding: String) {
        self.round.wrong(format!("{}: {finding}", self.made.name));
    }
}

/// Marks a request as unanswered by a process while it is alive.
pub struct InFlight<'a> {
    node: &'a Node,
    key: (String, Number),
}

impl InFlight<'_> {
    pub fn of<'a>(node: &'a Node, table: &Table, number: Number) -> InFlight<'a> {
        let key = (table.name(), number);
        node.in_flight.lock().expect("nobody panics holding it").insert(key.clone());
        InFlight { node, key }
    }
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.node.in_flight.lock().expect("nobody panics holding it").remove(&self.key);
    }
}

/// What a failed call says about its effect.
#[derive(Debug)]
pub enum Said {
    Outcome(Outcome),
    /// An answer that is never allowed.
    Wrong(String),
}

impl Said {
    pub fn of(failure: &Failure) -> Said {
        if failure.domain.is_empty() {
            // Not the service's answer: the connection failed.
            return Said::Outcome(Outcome::Unknown);
        }
        let position = || failure.facts.get("position").and_then(|text| text.parse().ok());
        Said::Outcome(match (failure.code, failure.reason.as_str()) {
            (Code::Aborted, "POSITION_MOVED") => match position() {
                Some(position) => Outcome::Moved(position),
                None => return Said::Wrong("no position in POSITION_MOVED".to_owned()),
            },
            (Code::Unavailable, "OUTCOME_UNKNOWN")
            | (Code::ResourceExhausted, "DATABASE_FULL")
            | (Code::DeadlineExceeded, "DEADLINE_EXCEEDED") => Outcome::Unknown,
            (Code::Unavailable, "DATABASE_UNAVAILABLE" | "SHUTTING_DOWN") => Outcome::Nothing,
            (Code::ResourceExhausted, "OVERLOADED" | "RATE_LIMIT_EXCEEDED" | "QUOTA_EXCEEDED") => {
                match failure.retry_ms {
                    Some(1..) => Outcome::Nothing,
                    _ => return Said::Wrong("a refusal does not say when to try again".to_owned()),
                }
            }
            (Code::FailedPrecondition, _) => Outcome::Refused,
            (code, reason) => {
                return Said::Wrong(format!("{code:?}, {reason}, {}", failure.message));
            }
        })
    }

    /// Whether the answer is never allowed.
    pub fn wrong(self) -> Option<String> {
        match self {
            Said::Wrong(wrong) => Some(wrong),
            Said::Outcome(_) => None,
        }
    }
}
