//! Histories of requests and answers, and whether they are linearizable: explained by a log to
//! which requests were added one by one, each between its call and its answer. Porcupine searches
//! for the explanation; here is the model. Each match is checked on its own, because matches are
//! independent.

use std::time::Duration;

use porcupine_rs::{CheckResult, Model, Operation, check_operations_timeout};

/// A request, by its number within its match. The set-up is number 0, and what the house did of its
/// own later has numbers from [`OF_HOUSE`] on.
pub type Number = u32;

/// No client asks so often.
pub const OF_HOUSE: Number = 1 << 31;

/// The time of a call or an answer, in nanoseconds since the campaign began.
pub type Time = i64;

/// A call and its outcome.
#[derive(Clone, Debug)]
pub struct Event {
    pub client: u32,
    pub call: Time,
    /// None if there was no answer, or one with an unknown outcome: the request may take effect at
    /// any time after its call.
    pub answer: Option<Time>,
    pub what: What,
}

impl Event {
    /// A position that the match had reached by the answer, and whether it was the head at some
    /// time since the call.
    fn shows(&self) -> Option<(i32, bool)> {
        match self.what {
            What::Head { position } => Some((position, true)),
            What::Behind { position } => Some((position, false)),
            What::Submit { outcome: Outcome::Moved(position), .. } => Some((position, true)),
            What::Submit { outcome: Outcome::At(position), .. } => Some((position, false)),
            What::Submit { .. } => None,
        }
    }

    fn leaves_open(&self, request: Number) -> bool {
        let open = Outcome::Unknown;
        matches!(self.what, What::Submit { number, outcome, .. } if number == request && outcome == open)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A request to record an action if the match is at `expected`, or wherever it is.
    Submit { number: Number, expected: Option<i32>, outcome: Outcome },
    /// A read of the last position.
    Head { position: i32 },
    /// The same while the database may be down: a position in memory, which the match has passed.
    Behind { position: i32 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is recorded at this position.
    At(i32),
    /// The match is not at the expected position, but at this one.
    Moved(i32),
    /// The rules refused it.
    Refused,
    /// The service answered that nothing was done.
    Nothing,
    /// The outcome is unknown.
    Unknown,
}

/// How long the search may take; it takes milliseconds unless there is no explanation.
const SEARCH_MAX: Duration = Duration::from_secs(20);

/// Checks the history of a match whose record, from the set-up on, is `log`. Returns what is wrong.
pub fn check(events: &[Event], log: &[Number]) -> Result<(), String> {
    let events = &with_house(events, log)[..];
    let end = events.iter().map(|event| event.answer.unwrap_or(event.call)).max().unwrap_or(0) + 1;
    let steps = events.iter().filter_map(|event| step_of(event, events, log, end));
    let whole = Operation {
        client_id: None,
        call_time: end,
        return_time: end,
        op: Step::Whole(log.to_vec()),
        metadata: None,
    };
    let steps: Vec<Operation<Log>> = steps.chain([whole]).collect();
    match check_operations_timeout(&steps, SEARCH_MAX) {
        CheckResult::Ok => Ok(()),
        CheckResult::Illegal => Err(format!("not linearizable:\n{}", story(events, log))),
        CheckResult::Unknown => Err(format!("no linearization was found within {SEARCH_MAX:?}")),
    }
}

/// The history with the entries of the house: requests that nobody answers.
fn with_house(events: &[Event], log: &[Number]) -> Vec<Event> {
    let of_house = |&number: &Number| {
        let what = What::Submit { number, expected: None, outcome: Outcome::Unknown };
        (number >= OF_HOUSE).then_some(Event { client: u32::MAX, call: 0, answer: None, what })
    };
    events.iter().cloned().chain(log.iter().filter_map(of_house)).collect()
}

/// The operation behind a call. A request of unknown outcome is looked up in the record: if it is
/// recorded, it took effect after its call; if not, it needs no explanation. So the search need not
/// guess, because the record is read last and nothing leaves it.
fn step_of(event: &Event, events: &[Event], log: &[Number], end: Time) -> Option<Operation<Log>> {
    let (mut call_time, mut return_time) = (event.call, event.answer.unwrap_or(end));
    let op = match event.what {
        What::Submit { number, expected, outcome } => match outcome {
            Outcome::At(position) => Step::Stands { number, expected, position },
            Outcome::Moved(position) => Step::Moved { number, expected, position },
            Outcome::Refused => Step::Absent { number },
            Outcome::Nothing => return None,
            Outcome::Unknown => {
                let index = log.iter().position(|recorded| *recorded == number)?;
                let position = index as i32 + 1;
                (call_time, return_time) = narrowed(event, events, number, position, end)?;
                Step::Stands { number, expected, position }
            }
        },
        What::Head { position } => Step::Head { position },
        What::Behind { position } => Step::Passed { position },
    };
    Some(Operation { client_id: Some(event.client), call_time, return_time, op, metadata: None })
}

/// When a request of unknown outcome can have taken its position: after the last call that saw an
/// earlier one, and before the first answer that saw this one or a later one. This excludes no
/// explanation, and saves the search from trying the others. Of several such calls of one request
/// the first one counts.
fn narrowed(
    event: &Event,
    events: &[Event],
    number: Number,
    position: i32,
    end: Time,
) -> Option<(Time, Time)> {
    let is_earlier = |other: &Event| other.call < event.call && other.leaves_open(number);
    if events.iter().any(is_earlier) {
        return None;
    }
    let (mut from, mut until) = (event.call, end);
    for other in events {
        match other.shows() {
            Some((head, _)) if head >= position => {
                until = until.min(other.answer.unwrap_or(end));
            }
            Some((_, true)) => from = from.max(other.call),
            _ => {}
        }
    }
    // Contradictions are left to the search.
    Some(if from <= until { (from, until) } else { (event.call, end) })
}

/// The model: a match is its log of requests.
#[derive(Clone, Debug)]
struct Log;

#[derive(Clone, Debug)]
enum Step {
    Stands { number: Number, expected: Option<i32>, position: i32 },
    Moved { number: Number, expected: Option<i32>, position: i32 },
    Absent { number: Number },
    Head { position: i32 },
    Passed { position: i32 },
    Whole(Vec<Number>),
}

impl Model for Log {
    type State = Vec<Number>;
    type Op = Step;
    type Metadata = ();

    /// A dealt match.
    fn init() -> Vec<Number> {
        vec![0]
    }

    fn step(log: &Vec<Number>, step: &Step) -> (bool, Vec<Number>) {
        let head = log.len() as i32;
        let has = |number: &Number| log.contains(number);
        let holds = match step {
            Step::Stands { number, expected, position } => {
                if log.get(*position as usize - 1) == Some(number) {
                    return (true, log.clone());
                }
                let is_next = *position == head + 1 && expected.is_none_or(|it| it == head);
                if !is_next || has(number) {
                    return (false, log.clone());
                }
                return (true, [&log[..], &[*number]].concat());
            }
            Step::Moved { number, expected, position } => {
                head == *position && *expected != Some(head) && !has(number)
            }
            Step::Absent { number } => !has(number),
            Step::Head { position } => head == *position,
            Step::Passed { position } => head >= *position,
            Step::Whole(whole) => log == whole,
        };
        (holds, log.clone())
    }
}

/// A history for people, in the order of calls.
fn story(events: &[Event], log: &[Number]) -> String {
    let mut events: Vec<&Event> = events.iter().collect();
    events.sort_by_key(|event| event.call);
    let lines = events.iter().map(|event| {
        let answer = event.answer.map_or("never".to_owned(), |answer| answer.to_string());
        format!("  {} to {answer}, client {}: {:?}\n", event.call, event.client, event.what)
    });
    format!("{}  the record: {log:?}", lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(call: Time, answer: Time, what: What) -> Event {
        Event { client: 1, call, answer: Some(answer), what }
    }

    fn submit(number: Number, outcome: Outcome) -> What {
        What::Submit { number, expected: None, outcome }
    }

    fn expecting(position: i32, number: Number, outcome: Outcome) -> What {
        What::Submit { number, expected: Some(position), outcome }
    }

    fn head(position: i32) -> What {
        What::Head { position }
    }

    #[track_caller]
    fn check_explained(events: &[Event], log: &[Number]) {
        check(events, log).unwrap_or_else(|wrong| panic!("{wrong}"));
    }

    #[track_caller]
    fn check_wrong(events: &[Event], log: &[Number]) {
        check(events, log).expect_err("nothing explains it");
    }

    #[test]
    fn sequential_requests_are_linearizable() {
        let one = event(1, 2, submit(1, Outcome::At(2)));
        let two = event(3, 4, expecting(2, 2, Outcome::At(3)));
        check_explained(&[one, two, event(5, 6, head(3))], &[0, 1, 2]);
    }

    #[test]
    fn concurrent_requests_may_take_effect_in_either_order() {
        let one = event(1, 9, submit(1, Outcome::At(3)));
        let two = event(2, 8, submit(2, Outcome::At(2)));
        check_explained(&[one, two, event(3, 7, head(1))], &[0, 2, 1]);
    }

    #[test]
    fn a_retry_with_the_same_position_is_accepted() {
        let lost = Event { answer: None, ..event(1, 0, submit(1, Outcome::Unknown)) };
        let retry = event(5, 6, submit(1, Outcome::At(2)));
        check_explained(&[lost, event(3, 4, head(2)), retry], &[0, 1]);
    }

    #[test]
    fn a_retry_after_all_answers_is_accepted() {
        let one = event(1, 2, submit(1, Outcome::At(2)));
        let again = Event { answer: None, ..event(5, 0, submit(1, Outcome::Unknown)) };
        check_explained(&[one, again], &[0, 1]);
    }

    #[test]
    fn an_unknown_outcome_may_take_effect_late_or_never() {
        let lost = Event { answer: None, ..event(1, 0, submit(1, Outcome::Unknown)) };
        check_explained(&[lost.clone(), event(3, 4, head(1))], &[0]);
        check_explained(&[lost, event(3, 4, head(1))], &[0, 1]);
    }

    #[test]
    fn a_request_recorded_twice_is_rejected() {
        let one = event(1, 2, submit(1, Outcome::At(2)));
        let again = event(3, 4, submit(1, Outcome::At(3)));
        check_wrong(&[one.clone(), again], &[0, 1, 1]);
        check_wrong(&[one], &[0, 1, 1]);
    }

    #[test]
    fn a_read_older_than_an_acknowledged_request_is_rejected() {
        let one = event(1, 2, submit(1, Outcome::At(2)));
        check_wrong(&[one.clone(), event(3, 4, head(1))], &[0, 1]);
        let behind = event(3, 4, What::Behind { position: 1 });
        check_explained(&[one, behind], &[0, 1]);
    }

    #[test]
    fn a_read_older_than_an_earlier_read_is_rejected() {
        let lost = Event { answer: None, ..event(1, 0, submit(1, Outcome::Unknown)) };
        check_wrong(&[lost, event(3, 4, head(2)), event(5, 6, head(1))], &[0, 1]);
    }

    #[test]
    fn a_read_of_a_position_never_reached_is_rejected() {
        check_wrong(&[event(1, 2, head(2))], &[0]);
        check_wrong(&[event(1, 2, What::Behind { position: 2 })], &[0]);
    }

    #[test]
    fn an_acknowledged_request_lost_or_misplaced_is_rejected() {
        let one = event(1, 2, submit(1, Outcome::At(2)));
        check_wrong(std::slice::from_ref(&one), &[0]);
        check_wrong(&[one], &[0, 2, 1]);
    }

    #[test]
    fn a_request_recorded_after_a_refusal_is_rejected() {
        check_wrong(&[event(1, 2, submit(1, Outcome::Nothing))], &[0, 1]);
        check_wrong(&[event(1, 2, submit(1, Outcome::Refused))], &[0, 1]);
    }

    #[test]
    fn a_request_refused_after_being_recorded_is_rejected() {
        let one = event(1, 2, submit(1, Outcome::At(2)));
        check_wrong(&[one, event(3, 4, submit(1, Outcome::Refused))], &[0, 1]);
    }

    #[test]
    fn an_accepted_expected_position_was_the_head() {
        let moved = event(3, 4, expecting(1, 2, Outcome::Moved(2)));
        let one = event(1, 2, submit(1, Outcome::At(2)));
        check_explained(&[one.clone(), moved.clone()], &[0, 1]);
        check_wrong(&[moved], &[0]);
        check_wrong(&[one.clone(), event(3, 4, expecting(2, 2, Outcome::Moved(2)))], &[0, 1]);
        check_wrong(&[one, event(3, 4, expecting(1, 2, Outcome::At(3)))], &[0, 1, 2]);
    }

    /// A request that was retried and never answered.
    #[test]
    fn many_unknown_outcomes_are_checked_quickly() {
        let lost = (0..200).map(|call| {
            let number = 1 + call as Number / 10;
            Event { answer: None, ..event(call, 0, submit(number, Outcome::Unknown)) }
        });
        let looks = (0..21).flat_map(|it| [0, 2, 4].map(|more| (1000 + 10 * it + more, it + 1)));
        let looks = looks.map(|(at, position)| event(at, at + 1, head(position as i32)));
        let mut events: Vec<Event> = lost.chain(looks).collect();
        let log: Vec<Number> = (0..=20).collect();
        check_explained(&events, &log);
        events.push(event(5000, 5001, head(20)));
        check_wrong(&events, &log);
    }

    /// As large as the largest match of a campaign, with every tenth outcome unknown.
    #[test]
    fn a_long_history_is_checked_quickly() {
        let events = (1..400).flat_map(|number| {
            let at = i64::from(number) * 10;
            let outcome = submit(number, Outcome::At(number as i32 + 1));
            let one = match number % 10 {
                0 => Event { answer: None, ..event(at, 0, submit(number, Outcome::Unknown)) },
                _ => event(at, at + 5, outcome),
            };
            let look = What::Behind { position: number as i32 - 9 };
            [one, event(at + 6, at + 7, look)]
        });
        let events: Vec<Event> = events.filter(|event| event.call > 100).collect();
        let log: Vec<Number> = (0..400).collect();
        let first =
            (1..10).map(|number| event(0, 100, submit(number, Outcome::At(number as i32 + 1))));
        let ten = Event { answer: None, ..event(100, 0, submit(10, Outcome::Unknown)) };
        check_explained(&first.chain([ten]).chain(events).collect::<Vec<_>>(), &log);
    }
}
