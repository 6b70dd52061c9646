//! The form of a hint, and counters of hints.

use std::time::Duration;

use database::Database;
use metrics::{Counter, counter};
use uuid::Uuid;

/// A counter: hints, by `way` (`notify` or `nats`) and `outcome` (`sent`, `failed`, `received`, or
/// `refused` because it was not one).
pub const HINTS: &str = "croupier_hints_total";

/// Hints within this time are sent as one: a thousand commits per second make at most two hundred
/// hints.
pub(super) const SEND_GAP: Duration = Duration::from_millis(5);
/// The wait after a failure.
pub(super) const RETRY: Duration = Duration::from_millis(500);

/// A hint as it is sent: `process:buckets`, in hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hint {
    pub process: Uuid,
    pub buckets: u64,
}

impl std::fmt::Display for Hint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{:x}", self.process.simple(), self.buckets)
    }
}

impl Hint {
    pub(super) fn parse(payload: &[u8]) -> Option<Self> {
        let (process, buckets) = str::from_utf8(payload).ok()?.split_once(':')?;
        let are_digits = buckets.bytes().all(|it| it.is_ascii_hexdigit());
        let buckets = u64::from_str_radix(buckets, 16).ok().filter(|_| are_digits)?;
        Some(Self { process: Uuid::try_parse(process).ok()?, buckets })
    }

    /// The buckets of a hint of another process; empty for this process's own.
    pub(super) fn of_other(self, process: Uuid) -> u64 {
        if self.process == process { 0 } else { self.buckets }
    }
}

/// The process and the database whose hints are exchanged.
#[derive(Clone, Copy)]
pub(super) struct Of<'a> {
    pub database: &'a Database,
    pub process: Uuid,
}

impl Of<'_> {
    pub(super) fn hint(&self, buckets: u64) -> Hint {
        Hint { process: self.process, buckets }
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
            let hint = Hint { process: Uuid::from_u128(7), buckets };
            assert_eq!(Hint::parse(hint.to_string().as_bytes()), Some(hint));
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
            format!("{process}:1:1"),
            format!("{process}:10000000000000000"),
        ] {
            assert_eq!(Hint::parse(payload.as_bytes()), None, "{payload}");
        }
        assert_eq!(Hint::parse(&[0xff; 40]), None);
    }
}
