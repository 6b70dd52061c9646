//! The form of a hint, and counters of hints.

use std::time::Duration;

use database::Database;
use metrics::{Counter, counter};
use positions::Term;
use uuid::Uuid;

use crate::terms::Terms;

/// A counter: hints, by `way` (`notify` or `nats`) and `outcome` (`sent`, `failed`, `received`, or
/// `refused` because it was not one).
pub const HINTS: &str = "croupier_hints_total";

/// Hints within this time are sent as one: a thousand commits per second make at most two hundred
/// hints.
pub(super) const SEND_GAP: Duration = Duration::from_millis(5);
/// The wait after a failure.
pub(super) const RETRY: Duration = Duration::from_millis(500);

/// A hint as it is sent: `process:buckets:term`, in hexadecimal digits. A release that knows no
/// terms sends none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hint {
    pub process: Uuid,
    pub buckets: u64,
    /// The term of the sender's database.
    pub term: Term,
}

impl std::fmt::Display for Hint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{:x}:{:x}", self.process.simple(), self.buckets, self.term.0)
    }
}

impl Hint {
    pub(super) fn parse(payload: &[u8]) -> Option<Self> {
        let (process, rest) = str::from_utf8(payload).ok()?.split_once(':')?;
        let (buckets, term) = rest.split_once(':').unwrap_or((rest, "0"));
        let number = |text: &str| {
            let are_digits = text.bytes().all(|it| it.is_ascii_hexdigit());
            u64::from_str_radix(text, 16).ok().filter(|_| are_digits)
        };
        let term = Term(number(term)?.try_into().ok()?);
        Some(Self { process: Uuid::try_parse(process).ok()?, buckets: number(buckets)?, term })
    }

    /// The buckets of a hint of another process; empty for this process's own.
    fn of_other(self, process: Uuid) -> u64 {
        if self.process == process { 0 } else { self.buckets }
    }
}

/// The process and the database whose hints are exchanged.
#[derive(Clone, Copy)]
pub(super) struct Of<'a> {
    pub database: &'a Database,
    pub terms: &'a Terms,
    pub process: Uuid,
}

impl Of<'_> {
    pub(super) fn hint(&self, buckets: u64) -> Hint {
        Hint { process: self.process, buckets, term: self.terms.current() }
    }

    /// The buckets of a hint that was received; empty for this process's own. A hint is no proof of
    /// a term, since others may publish on the same servers.
    pub(super) fn take(&self, hint: Hint) -> u64 {
        self.terms.met(hint.term, false);
        hint.of_other(self.process)
    }
}

/// The hints of one way, by outcome.
pub(super) struct Counts {
    pub sent: Counter,
    pub failed: Counter,
    received: Counter,
    refused: Counter,
}

impl Counts {
    pub(super) fn of(way: &'static str) -> Self {
        let of = |outcome: &'static str| counter!(HINTS, "way" => way, "outcome" => outcome);
        Self {
            sent: of("sent"),
            failed: of("failed"),
            received: of("received"),
            refused: of("refused"),
        }
    }

    /// The hint of a payload that was received.
    pub(super) fn received(&self, payload: &[u8]) -> Option<Hint> {
        let hint = Hint::parse(payload);
        let outcome = if hint.is_some() { &self.received } else { &self.refused };
        outcome.increment(1);
        hint
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hints::ChangedBuckets;

    #[test]
    fn a_hint_is_read_as_it_was_sent() {
        for buckets in [0, 1, 0xf0, ChangedBuckets::ALL] {
            let hint = Hint { process: Uuid::from_u128(7), buckets, term: Term(1_795_359_784) };
            assert_eq!(Hint::parse(hint.to_string().as_bytes()), Some(hint));
            let earlier = hint.to_string();
            let earlier = earlier.rsplit_once(':').expect("it has a term").0;
            let parsed = Hint::parse(earlier.as_bytes());
            assert_eq!(parsed, Some(Hint { term: Term::UNKNOWN, ..hint }));
        }
    }

    #[test]
    fn what_is_not_a_hint_is_refused() {
        let process = Uuid::from_u128(7).simple().to_string();
        for payload in [
            String::new(),
            process.clone(),
            "7:1".to_owned(),
            format!("{process}:"),
            format!("{process}:+1"),
            format!("{process}:1:"),
            format!("{process}:1:-1"),
            format!("{process}:1:1:1"),
            format!("{process}:1:ffffffffffffffff"),
            format!("{process}:10000000000000000"),
        ] {
            assert_eq!(Hint::parse(payload.as_bytes()), None, "{payload}");
        }
        assert_eq!(Hint::parse(&[0xff; 40]), None);
    }
}
