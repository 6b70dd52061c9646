//! The alerts of `deploy/alerts.yml` that a process can tell by itself, without a Prometheus.
//!
//! What happened is remembered; whether a condition holds is looked at only while somebody asks.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use agents::LATE;
use api::meter::{REFUSALS, REQUESTS};
use contract::{duration, v1};
use database::NODE_UP;
use database::clock::{AHEAD, KNOWN, STEPS};
use event_log::{ENTRIES_LOST, LATER_TERMS, WENT_BACK};
use matches::ACTIONS_SHED;
use metrics::Key;
use time::OffsetDateTime;
use transparency::Standing;
use transparency::meter::WITNESS_UP;

use crate::process::told::{Happened, Told, label};

const NOW: Duration = Duration::ZERO;
const TEN_MINUTES: Duration = Duration::from_secs(600);
const HOUR: Duration = Duration::from_secs(3600);

/// A condition that nobody looked at for so long is not known to have held meanwhile.
const PAUSE_MAX: Duration = Duration::from_secs(60);

pub struct Alert {
    /// Its name in `deploy/alerts.yml`.
    pub name: &'static str,
    /// How long its condition must hold before it fires.
    lasts: Duration,
    condition: Condition,
}

enum Condition {
    /// It happened within this time.
    Occurred(Counted, Duration),
    /// It happens more often than so many times a second.
    IsFrequent(Counted, f64),
    Holds(fn(&Reading<'_>) -> bool),
}

/// A counter, and which of its series count.
struct Counted(&'static str, fn(&Key) -> bool);

/// What a process knows about itself and its database.
pub struct Reading<'a> {
    pub told: &'a Told,
    /// For how many seconds each read model is behind; `None` if the database did not answer.
    pub lags: Option<&'a [f64]>,
    pub unreadable: Option<i64>,
    pub log: Option<&'a Standing>,
    /// The free share of the disk of the service's own Postgres.
    pub free: Option<f64>,
    pub now: OffsetDateTime,
}

impl Reading<'_> {
    fn levels(&self, name: &'static str) -> impl Iterator<Item = f64> {
        self.told.levels_of(name).map(|(_, level)| level)
    }

    fn is_older(&self, time: impl Fn(&Standing) -> Option<OffsetDateTime>, seconds: i64) -> bool {
        let time = self.log.and_then(time);
        time.is_some_and(|time| (self.now - time).whole_seconds() > seconds)
    }
}

fn any(_: &Key) -> bool {
    true
}

fn is_for(key: &Key, reasons: &[&str]) -> bool {
    label(key, "reason").is_some_and(|reason| reasons.contains(&reason))
}

const fn occurred(
    name: &'static str,
    metric: &'static str,
    counts: fn(&Key) -> bool,
    within: Duration,
) -> Alert {
    Alert { name, lasts: NOW, condition: Condition::Occurred(Counted(metric, counts), within) }
}

const fn is_frequent(
    name: &'static str,
    metric: &'static str,
    counts: fn(&Key) -> bool,
    per_second: f64,
    lasts_s: u64,
) -> Alert {
    let condition = Condition::IsFrequent(Counted(metric, counts), per_second);
    Alert { name, lasts: Duration::from_secs(lasts_s), condition }
}

const fn holds(name: &'static str, holds: fn(&Reading<'_>) -> bool, lasts_s: u64) -> Alert {
    Alert { name, lasts: Duration::from_secs(lasts_s), condition: Condition::Holds(holds) }
}

/// The numbers are those of `deploy/alerts.yml`.
pub const ALERTS: [Alert; 25] = [
    holds("CroupierDatabaseDown", |it| it.lags.is_none(), 60),
    holds("CroupierDatabaseNodeDown", |it| it.levels(NODE_UP).any(|up| up == 0.0), 60),
    occurred("CroupierRecordWentBack", WENT_BACK, any, HOUR),
    occurred("CroupierEntriesLost", ENTRIES_LOST, any, HOUR),
    occurred("CroupierLaterTermMet", LATER_TERMS, any, HOUR),
    occurred(
        "CroupierRecordAltered",
        REFUSALS,
        |key| is_for(key, &["RECORD_ALTERED", "RECEIPT_CONTRADICTS"]),
        HOUR,
    ),
    occurred("CroupierDatabaseFull", REFUSALS, |key| is_for(key, &["DATABASE_FULL"]), TEN_MINUTES),
    holds("CroupierDiskFillsUp", |it| it.free.is_some_and(|free| free < 0.05), 900),
    occurred(
        "CroupierArchiveFails",
        REFUSALS,
        |key| label(key, "reason").is_some_and(|reason| reason.starts_with("ARCHIVE_")),
        HOUR,
    ),
    occurred(
        "CroupierInternalErrors",
        REQUESTS,
        |key| label(key, "code") == Some("INTERNAL"),
        TEN_MINUTES,
    ),
    holds("CroupierClockWrong", |it| it.levels(AHEAD).any(|ahead| ahead.abs() > 2.0), 0),
    occurred(
        "CroupierDatabaseClockMoved",
        STEPS,
        |key| label(key, "clock") == Some("database"),
        TEN_MINUTES,
    ),
    holds("CroupierTimeUnknown", |it| it.levels(KNOWN).any(|known| known == 0.0), 60),
    is_frequent("CroupierActionsShed", ACTIONS_SHED, any, 1.0, 120),
    holds(
        "CroupierProjectionBehind",
        |it| it.lags.is_some_and(|lags| lags.iter().any(|&lag| lag > 60.0)),
        300,
    ),
    holds("CroupierAgentsLate", |it| it.levels(LATE).any(|late| late > 30.0), 300),
    holds("CroupierWebhooksFail", |it| it.told.webhooks_fail, 1800),
    holds("CroupierLogBehind", |it| it.is_older(|log| log.oldest, 60), 120),
    holds("CroupierLogStands", |it| it.is_older(|log| log.signed, 90), 120),
    holds(
        "CroupierLogWithheld",
        |it| it.is_older(|log| log.told, 90) && !it.is_older(|log| log.signed, 90),
        120,
    ),
    holds("CroupierMatchesUnreadable", |it| it.unreadable.is_some_and(|count| count > 0), 900),
    holds("CroupierWitnessAway", |it| it.levels(WITNESS_UP).any(|up| up == 0.0), 600),
    occurred("CroupierModuleFails", REFUSALS, |key| is_for(key, &["MODULE_FAILED"]), TEN_MINUTES),
    is_frequent(
        "CroupierInvalidCredentials",
        REFUSALS,
        |key| is_for(key, &["CREDENTIALS_INVALID", "TOO_MANY_INVALID_CREDENTIALS"]),
        10.0,
        600,
    ),
    is_frequent(
        "CroupierLimitsReached",
        REFUSALS,
        |key| is_for(key, &["RATE_LIMIT_EXCEEDED", "QUOTA_EXCEEDED"]),
        1.0,
        600,
    ),
];

impl Alert {
    /// Whether it is about an occurrence that a series counts.
    pub fn counts(&self, key: &Key) -> bool {
        match &self.condition {
            Condition::Occurred(it, _) | Condition::IsFrequent(it, _) => {
                it.0 == key.name() && (it.1)(key)
            }
            Condition::Holds(_) => false,
        }
    }
}

/// The conditions that held when they were last looked at.
#[derive(Default)]
pub struct Alarms {
    since: BTreeMap<&'static str, Instant>,
    /// When it was looked at, and what had happened by then for each alert.
    last: Option<(Instant, Vec<Happened>)>,
}

impl Alarms {
    pub fn look(&mut self, reading: &Reading<'_>) -> Vec<v1::Alert> {
        let now = Instant::now();
        if self.last.as_ref().is_some_and(|(then, _)| now.duration_since(*then) > PAUSE_MAX) {
            self.since.clear();
        }
        let happened = &reading.told.happened;
        let mut alerts = Vec::new();
        for (nth, alert) in ALERTS.iter().enumerate() {
            let it = happened[nth];
            let begun = match &alert.condition {
                Condition::Occurred(_, within) => {
                    it.last.filter(|last| now.duration_since(*last) < *within)
                }
                Condition::IsFrequent(_, per_second) => {
                    let is_frequent = self.last.as_ref().is_some_and(|(then, before)| {
                        let seconds = now.duration_since(*then).as_secs_f64();
                        (it.count - before[nth].count) as f64 > per_second * seconds
                    });
                    self.since(alert.name, is_frequent, now)
                }
                Condition::Holds(holds) => self.since(alert.name, holds(reading), now),
            };
            let Some(begun) = begun else { continue };
            let age = now.duration_since(begun);
            alerts.push(v1::Alert {
                name: alert.name.to_owned(),
                age: Some(duration(age)),
                firing: age >= alert.lasts,
            });
        }
        self.last = Some((now, happened.clone()));
        alerts
    }

    /// Since when a condition has held without a break, as far as it was looked at.
    fn since(&mut self, name: &'static str, holds: bool, now: Instant) -> Option<Instant> {
        if !holds {
            self.since.remove(name);
            return None;
        }
        Some(*self.since.entry(name).or_insert(now))
    }
}

#[cfg(test)]
mod tests {
    use metrics::Label;

    use super::*;
    use crate::process::totals::Totals;

    /// The alerts that compare processes or releases, or need more of the past than is kept.
    const OF_PROMETHEUS: [&str; 6] = [
        "CroupierDown",
        "CroupierTermBegan",
        "CroupierAppendsSlow",
        "CroupierAppendsFail",
        "CroupierCacheTooSmall",
        "CroupierMixedReleases",
    ];

    #[test]
    fn every_alert_of_the_file_is_told_as_late_as_there_or_needs_a_prometheus() {
        let mut found = BTreeMap::new();
        for rule in include_str!("../../../../deploy/alerts.yml").split("- alert: ").skip(1) {
            let name = rule.lines().next().expect("a name").trim();
            let lasts = rule.lines().find_map(|line| line.trim().strip_prefix("for: "));
            let seconds = lasts.map_or(0, |text| {
                let (number, unit) = text.split_at(text.len() - 1);
                let unit_s = match unit {
                    "m" => 60,
                    "h" => 3600,
                    _ => panic!("{text}"),
                };
                number.parse::<u64>().expect("a number") * unit_s
            });
            found.insert(name, Duration::from_secs(seconds));
        }
        for name in OF_PROMETHEUS {
            assert!(found.remove(name).is_some(), "{name} is in the file");
        }
        let own: BTreeMap<_, _> = ALERTS.iter().map(|it| (it.name, it.lasts)).collect();
        assert_eq!(own, found);
    }

    fn count(totals: &Totals, name: &'static str, label: (&'static str, &'static str), by: u64) {
        let key = Key::from_parts(name, vec![Label::new(label.0, label.1)]);
        totals.counters(&key).iter().for_each(|it| it.increment(by));
    }

    fn look(alarms: &mut Alarms, totals: &Totals, lags: Option<&[f64]>) -> Vec<(String, bool)> {
        let told = totals.told();
        let (unreadable, log, free) = (Some(0), None, Some(0.5));
        let now = OffsetDateTime::UNIX_EPOCH;
        let reading = Reading { told: &told, lags, unreadable, log, free, now };
        alarms.look(&reading).into_iter().map(|it| (it.name, it.firing)).collect()
    }

    #[test]
    fn an_occurrence_fires_at_once_and_a_condition_after_it_has_lasted() {
        let (totals, mut alarms) = (Totals::default(), Alarms::default());
        let fine = [1.0];
        count(&totals, WENT_BACK, ("", ""), 0);
        count(&totals, REFUSALS, ("reason", "NOT_YOUR_TURN"), 9);
        count(&totals, REQUESTS, ("code", "OK"), 9);
        assert_eq!(look(&mut alarms, &totals, Some(&fine)), [], "nothing happened");
        count(&totals, REFUSALS, ("reason", "ARCHIVE_DAMAGED"), 1);
        count(&totals, REQUESTS, ("code", "INTERNAL"), 1);
        let happened =
            ["CroupierArchiveFails", "CroupierInternalErrors"].map(|it| (it.to_owned(), true));
        assert_eq!(look(&mut alarms, &totals, Some(&fine)), happened);
        assert_eq!(totals.told().failed, 1, "it is a call that failed, too");
        let [archive, internal] = happened;
        let pending = ("CroupierDatabaseDown".to_owned(), false);
        assert_eq!(look(&mut alarms, &totals, None), [pending, archive.clone(), internal.clone()]);
        // As if it had been looked at for a minute.
        let begun = alarms.since.get_mut("CroupierDatabaseDown").expect("it holds");
        *begun -= Duration::from_secs(60);
        let firing = ("CroupierDatabaseDown".to_owned(), true);
        assert_eq!(look(&mut alarms, &totals, None), [firing, archive.clone(), internal.clone()]);
        assert_eq!(look(&mut alarms, &totals, Some(&fine)), [archive, internal], "it answers");
    }

    #[test]
    fn what_is_frequent_is_told_by_its_rate() {
        let (totals, mut alarms) = (Totals::default(), Alarms::default());
        count(&totals, ACTIONS_SHED, ("", ""), 500);
        assert_eq!(look(&mut alarms, &totals, Some(&[])), [], "nothing is known of before");
        let (then, _) = alarms.last.as_mut().expect("it was looked at");
        *then -= Duration::from_secs(50);
        count(&totals, ACTIONS_SHED, ("", ""), 40);
        assert_eq!(look(&mut alarms, &totals, Some(&[])), [], "fewer than one a second");
        let (then, _) = alarms.last.as_mut().expect("it was looked at");
        *then -= Duration::from_secs(50);
        count(&totals, ACTIONS_SHED, ("", ""), 60);
        let pending = ("CroupierActionsShed".to_owned(), false);
        assert_eq!(look(&mut alarms, &totals, Some(&[])), [pending]);
    }

    #[test]
    fn webhooks_fail_until_one_is_taken() {
        let (totals, mut alarms) = (Totals::default(), Alarms::default());
        let fails = [("CroupierWebhooksFail".to_owned(), false)];
        let attempts = matches::WEBHOOK_ATTEMPTS;
        count(&totals, attempts, ("outcome", "taken"), 1);
        assert_eq!(look(&mut alarms, &totals, Some(&[])), []);
        std::thread::sleep(Duration::from_millis(5));
        count(&totals, attempts, ("outcome", "failed"), 1);
        assert_eq!(look(&mut alarms, &totals, Some(&[])), fails);
        std::thread::sleep(Duration::from_millis(5));
        count(&totals, attempts, ("outcome", "taken"), 1);
        assert_eq!(look(&mut alarms, &totals, Some(&[])), []);
    }
}
