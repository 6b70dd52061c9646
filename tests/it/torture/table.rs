//! A match that is played: what its clients asked and what they were told, as it will be looked
//! over.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use api::v1::*;
use tokio::time::timeout;
use tonic::Code;

use super::history::{Event, Number, Outcome, Time, What};
use super::plan::Dice;
use super::round::Round;
use super::site::Node;
use crate::harness::{Client, Failure, Rpc};

/// A match under way.
pub struct Table {
    pub round: Arc<Round>,
    /// As it was when it was created.
    pub made: Match,
    pub is_over: AtomicBool,
    next: AtomicU32,
    pub heard: Mutex<Heard>,
}

/// All that anybody was told of a match.
#[derive(Default)]
pub struct Heard {
    pub events: Vec<Event>,
    /// Requests that became an entry, as the seat that acted was told.
    pub acknowledged: Vec<(Number, Entry)>,
    /// Accounts from the first entry on, by viewer; whether to the end.
    pub accounts: Vec<Account>,
    pub views: Vec<api::v1::Table>,
}

pub struct Account {
    pub viewer: String,
    pub entries: Vec<Entry>,
    pub is_whole: bool,
}

/// How long clients wait for an answer: some hear what the service says of a database that is away,
/// others have left by then.
pub const PATIENCES: [Duration; 3] =
    [Duration::from_secs(1), Duration::from_secs(3), Duration::from_secs(9)];

/// What the connection says if it finds nobody to talk to. It is not relied on: such a request
/// counts as any other without answer.
const NOBODY: &str = "tcp connect error";

/// What a client wants recorded.
#[derive(Clone)]
pub struct Wish {
    pub number: Number,
    pub seat: u32,
    /// It is given up if there is none.
    pub action: Option<api::Action>,
    pub expected: Option<i32>,
}

impl Wish {
    /// Sends it to a process, once.
    pub async fn send(&self, client: &Client, name: String) -> Result<Entry, Failure> {
        let (seat, request_id) = (Some(self.seat), self.number.to_string());
        let entry = match self.action.clone() {
            Some(action) => {
                let (action, expected_position) = (Some(action), self.expected);
                let request =
                    SubmitActionRequest { name, action, seat, expected_position, request_id };
                client.ask(&request).await?.entry
            }
            None => {
                let request = ResignMatchRequest { name, seat, request_id };
                client.ask(&request).await?.entry
            }
        };
        Ok(entry.expect("an entry"))
    }
}

/// What was heard, and when.
pub struct Call<T> {
    pub call: Time,
    pub answer: Time,
    /// None if the client left before.
    pub said: Option<Result<T, Failure>>,
}

impl Table {
    pub fn new(round: Arc<Round>, made: Match) -> Table {
        let (is_over, next) = (AtomicBool::new(false), AtomicU32::new(1));
        Table { round, made, is_over, next, heard: Mutex::default() }
    }

    pub fn name(&self) -> String {
        self.made.name.clone()
    }

    /// Whether there is anything left to do for its clients.
    pub fn goes_on(&self) -> bool {
        !self.is_over.load(Relaxed) && !self.round.end.is_cancelled()
    }

    /// A number for a request that was never made.
    pub fn number(&self) -> Number {
        self.next.fetch_add(1, Relaxed)
    }

    /// Somebody's eyes.
    pub fn viewer(&self, dice: &mut Dice) -> String {
        let seats = self.made.seats.len();
        match dice.below(seats + 1) {
            it if it == seats => "spectator".to_owned(),
            seat => format!("seats/{seat}"),
        }
    }

    pub fn hear(&self, take: impl FnOnce(&mut Heard)) {
        take(&mut self.heard.lock().expect("nobody panics holding it"));
    }

    /// Waits for an answer, so long and no longer.
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

    /// Asks something that changes nothing. None if there is no answer now.
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

    /// Notes that a look was refused, or that a stream broke, if it is for something that must not
    /// be.
    pub fn was_refused(&self, call: Time, failure: &Failure) {
        // A process that has to serve from memory knows less than was seen elsewhere.
        let is_behind = failure.reason == "POSITION_AHEAD";
        if is_behind && self.round.site.was_troubled(call, self.round.site.now()) {
            self.round.tally.count("refused because a process was behind");
        } else if let Some(wrong) = Said::of(failure).wrong() {
            self.wrong(format!("a look was refused, or a stream broke: {wrong}"));
        }
    }

    /// Notes what came of a request, and says it.
    pub fn was_told(&self, client: u32, wish: &Wish, call: Call<Entry>) -> Outcome {
        let outcome = match call.said {
            None => Outcome::Unknown,
            Some(Ok(entry)) => {
                let position = entry.position;
                self.hear(|heard| heard.acknowledged.push((wish.number, entry)));
                Outcome::At(position)
            }
            Some(Err(failure)) => self.outcome_of(&failure, wish),
        };
        self.round.tally.submitted(outcome);
        let answer = (outcome != Outcome::Unknown).then_some(call.answer);
        let what = What::Submit { number: wish.number, expected: wish.expected, outcome };
        self.hear(|heard| heard.events.push(Event { client, call: call.call, answer, what }));
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

    /// Notes that the match was said to be at this position.
    pub fn was_at(&self, client: u32, position: i32, Call { call, answer, .. }: Call<()>) {
        self.round.tally.operation("looked");
        let what = What::Head { position };
        self.hear(|heard| heard.events.push(Event { client, call, answer: Some(answer), what }));
    }

    pub fn wrong(&self, finding: String) {
        self.round.wrong(format!("{}: {finding}", self.made.name));
    }
}

/// That a process has a request and has not answered, while it lives.
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

/// What a call that failed says of what was done.
#[derive(Debug)]
pub enum Said {
    Outcome(Outcome),
    /// Nothing that it may say.
    Wrong(String),
}

impl Said {
    pub fn of(failure: &Failure) -> Said {
        if failure.domain.is_empty() {
            // Not the service's own words: the connection broke, or there was none.
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
            (Code::ResourceExhausted, "OVERLOADED") => match failure.retry_ms {
                Some(1..) => Outcome::Nothing,
                _ => return Said::Wrong("OVERLOADED does not say when to try again".to_owned()),
            },
            (Code::FailedPrecondition, _) => Outcome::Refused,
            (code, reason) => {
                return Said::Wrong(format!("{code:?}, {reason}, {}", failure.message));
            }
        })
    }

    /// Whether it is something that is never to be said.
    pub fn wrong(self) -> Option<String> {
        match self {
            Said::Wrong(wrong) => Some(wrong),
            Said::Outcome(_) => None,
        }
    }
}
