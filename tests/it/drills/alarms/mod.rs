//! Every alert of `deploy/alerts.yml` is fired once, by a fault that an operator lives through. A
//! real Prometheus scrapes the program and evaluates the rules, an hour of which passes in a minute
//! ([`rules`]). Before the faults no alert fires, although the service is busy.
//!
//! [`FAULTS`] names the fault of each alert. An alert without one fails a test, and one that its
//! fault does not fire fails the drill. The faults are made in groups that share processes:
//! [`record`], [`rows`], [`machines`], [`load`], [`log`] and [`cluster`].

mod cluster;
mod load;
mod log;
mod machines;
mod prometheus;
mod record;
mod rows;
mod rules;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use prometheus::Prometheus;
use rules::RULES;
use serde_json::json;
use tokio::time::sleep;

use super::Drill;

/// Each alert, and the fault that fires it.
const FAULTS: [(&str, &str); 31] = [
    ("CroupierDown", "a process is killed"),
    ("CroupierDatabaseNodeDown", "a node of a cluster is killed"),
    ("CroupierDatabaseDown", "the primary is killed"),
    ("CroupierTimeUnknown", "the primary is killed"),
    ("CroupierRecordWentBack", "a standby that lacks entries is promoted"),
    ("CroupierEntriesLost", "a standby that lacks entries is promoted"),
    ("CroupierTermBegan", "a standby that lacks entries is promoted"),
    ("CroupierLaterTermMet", "a process on the old primary is shown a token of the new term"),
    ("CroupierRecordAltered", "an entry is altered by hand"),
    ("CroupierAgentsLate", "the time runs out in a match that cannot be read"),
    ("CroupierMatchesUnreadable", "an entry is one of a later release"),
    ("CroupierArchiveFails", "an object is removed from the archive"),
    ("CroupierInternalErrors", "a table of a read model is renamed"),
    ("CroupierProjectionBehind", "a table of a read model is renamed"),
    ("CroupierClockWrong", "the clock of the database is set"),
    ("CroupierDatabaseClockMoved", "the clock of the database is set"),
    ("CroupierDatabaseFull", "the disk is filled"),
    ("CroupierDiskFillsUp", "the disk is filled"),
    ("CroupierMixedReleases", "the previous release serves beside this one"),
    ("CroupierActionsShed", "many players act while the database stalls again and again"),
    ("CroupierAppendsSlow", "the database stalls again and again"),
    ("CroupierAppendsFail", "connections to the database break again and again"),
    ("CroupierCacheTooSmall", "many matches are read with little memory for them"),
    ("CroupierWebhooksFail", "an endpoint refuses everything"),
    ("CroupierInvalidCredentials", "keys are guessed"),
    ("CroupierModuleFails", "a module traps"),
    ("CroupierLimitsReached", "a platform calls more often than it may"),
    ("CroupierLogBehind", "a leaf of the transparency log is altered by hand"),
    ("CroupierLogStands", "a leaf of the transparency log is altered by hand"),
    ("CroupierLogWithheld", "the only witness is killed"),
    ("CroupierWitnessAway", "the only witness is killed"),
];

/// How soon an alert must fire. The slowest waits until a checkpoint is a minute and a half old.
const FIRES_WITHIN: Duration = Duration::from_secs(150);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes some minutes: make drills"]
async fn every_alert_is_fired_by_its_fault() {
    let drill = Drill::begin("every alert is fired by its fault");
    if Prometheus::program().is_none() {
        return drill.skip("Prometheus is not installed: .ci/install prometheus");
    }
    let mut alarms = Alarms::new(drill);
    load::busy(&mut alarms).await;
    record::failover(&mut alarms).await;
    rows::altered(&mut alarms).await;
    machines::clocks(&mut alarms).await;
    machines::disk(&mut alarms).await;
    load::stalls(&mut alarms).await;
    load::callers(&mut alarms).await;
    log::withheld(&mut alarms).await;
    cluster::node(&mut alarms).await;
    alarms.check();
}

#[test]
fn every_alert_has_a_fault() {
    assert_eq!(BTreeSet::from(FAULTS.map(|(alert, _)| alert)), rules::alerts(RULES));
}

/// What became of the alerts.
struct Alarms {
    drill: Drill,
    /// After how many seconds.
    fired: BTreeMap<&'static str, f64>,
    /// Those that their fault has not fired.
    silent: Vec<&'static str>,
    skipped: BTreeMap<&'static str, &'static str>,
}

/// Alerts that do not fire before a fault, and must fire by it.
struct Expected {
    alerts: &'static [&'static str],
    since: Instant,
}

impl Expected {
    /// Call this just before the fault.
    fn now(prometheus: &Prometheus, alerts: &'static [&'static str]) -> Expected {
        for alert in alerts {
            assert!(!prometheus.is_firing(alert), "{alert} fires before its fault");
        }
        Expected { alerts, since: Instant::now() }
    }
}

impl Alarms {
    fn new(drill: Drill) -> Alarms {
        Alarms { drill, fired: BTreeMap::new(), silent: Vec::new(), skipped: BTreeMap::new() }
    }

    /// Waits until all of them have fired.
    async fn fire(&mut self, prometheus: &Prometheus, Expected { alerts, since }: Expected) {
        for alert in alerts {
            let fired = loop {
                let fired = prometheus.fired_since(since, alert);
                if fired.is_some() || since.elapsed() > FIRES_WITHIN {
                    break fired;
                }
                sleep(Duration::from_millis(50)).await;
            };
            let Some(at) = fired else {
                self.silent.push(alert);
                continue;
            };
            let seconds = ((at - since).as_secs_f64() * 10.0).round() / 10.0;
            assert!(self.fired.insert(alert, seconds).is_none(), "{alert} has one fault");
        }
        self.drill.figure("fired_after_s", json!(self.fired));
    }

    /// The fault of these alerts cannot be made here.
    fn skip(&mut self, alerts: &[&'static str], reason: &'static str) {
        self.skipped.extend(alerts.iter().map(|alert| (*alert, reason)));
        self.drill.figure("skipped", json!(self.skipped));
    }

    /// Every alert has fired, but for those whose fault cannot be made here.
    fn check(mut self) {
        let silent = FAULTS.iter().filter(|(alert, _)| self.silent.contains(alert));
        assert_eq!(silent.collect::<Vec<_>>(), [&("", ""); 0], "they do not fire by their faults");
        let told: BTreeSet<&str> = self.fired.keys().chain(self.skipped.keys()).copied().collect();
        assert_eq!(told, rules::alerts(RULES));
        if !self.skipped.is_empty() {
            self.drill.skip_in_part();
        }
    }
}
