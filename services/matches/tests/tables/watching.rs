//! Watching the clocks of matches, with a clock that the test sets.

use std::time::Instant;

use database::clock::Answer;
use event_log::{append, follow};
use matches::{Matches, Options, Sink};
use sqlx::postgres::PgConnection;
use test_database::TestDatabase;
use time::Duration;
use tokio_util::sync::CancellationToken;

use crate::installation::Installation;

const SECOND: Duration = Duration::SECOND;

/// A process, and a connection that looks at what it writes.
struct Process {
    matches: Matches,
    database: PgConnection,
    _test: TestDatabase,
}

impl Process {
    async fn start() -> Process {
        let test = TestDatabase::shared().await;
        let installation = Installation::migrated(test.options.clone()).await;
        let Installation { store, accounts, .. } = &installation;
        let writer = append::Service::new(store.log(), append::Options::default());
        let follower = follow::Service::new(store.log(), follow::Options::default(), |_, _| {});
        let follower = follower.await.expect("it reads the log");
        let projector = projector::Reader::new(store, projector::Handle::default());
        let matches = Matches::new(
            store.clone(),
            accounts.clone(),
            writer.handle(),
            follower.handle(),
            projector,
            Sink::new(&Options::default()),
            CancellationToken::new(),
        );
        Process { matches, database: test.connect().await, _test: test }
    }

    /// Tells the process that the database answered this long ago that its clock is `off`.
    fn hear(&self, ago: Duration, off: Duration) {
        let at = Instant::now() - ago.unsigned_abs();
        let time = test_database::now() - ago + off;
        let answer = Answer { asked: at, answered: at, time, machine: time };
        self.matches.database().clock().observe(answer);
    }

    /// Lets the time step forward, as this process sees it, and settle.
    fn step(&self, by: Duration) {
        self.hear(4 * SECOND, -by);
        self.hear(3 * SECOND, Duration::ZERO);
    }

    /// Watches once the time is known: on a busy machine it may be forgotten again in between.
    async fn watch(&self) {
        for _ in 0..20 {
            self.hear(Duration::ZERO, Duration::ZERO);
            match self.matches.watch_clocks().await {
                Err(matches::Error::TimeUnknown) => {}
                watched => return watched.map(drop).expect("the database answers"),
            }
        }
        panic!("the time is never known");
    }

    /// Another process has last noted its presence so long ago.
    async fn noted(&mut self, ago: Duration) {
        let noting = "insert into presence (beat_time)
             select now() - $1 * interval '1 second'
             on conflict (bucket) do update set beat_time = excluded.beat_time";
        let noting = sqlx::query(noting).bind(ago.as_seconds_f64());
        noting.execute(&mut self.database).await.expect("a row");
    }

    /// How long ago somebody last noted its presence, in seconds.
    async fn beat_age_s(&mut self) -> f64 {
        let age = "select extract(epoch from now() - beat_time)::float8 from presence";
        sqlx::query_scalar(age).fetch_one(&mut self.database).await.expect("a row")
    }

    /// Checks how long the recorded outages are: as long as this, and a moment.
    async fn check_outages(&mut self, expected_s: &[i64]) {
        let outages = "select extract(epoch from end_time - begin_time)::float8
             from outages order by end_time";
        let outages: Vec<f64> =
            sqlx::query_scalar(outages).fetch_all(&mut self.database).await.expect("rows");
        assert_eq!(outages.len(), expected_s.len(), "{outages:?}");
        for (found, &expected) in outages.iter().zip(expected_s) {
            assert!((expected as f64..expected as f64 + 60.0).contains(found), "{outages:?}");
        }
    }
}

#[tokio::test]
async fn an_outage_is_found_before_anything_is_decided() {
    let mut process = Process::start().await;
    process.noted(3600 * SECOND).await;
    process.watch().await;
    process.check_outages(&[3600]).await;
    assert!(process.beat_age_s().await < 60.0);
}

#[tokio::test]
async fn a_gap_as_short_as_a_restart_is_no_outage() {
    let mut process = Process::start().await;
    process.noted(SECOND).await;
    process.watch().await;
    process.check_outages(&[]).await;
}

/// The race of a note that is fresh by one clock and old by the other.
#[tokio::test]
async fn what_was_noted_before_a_step_is_noted_again() {
    let mut process = Process::start().await;
    process.step(600 * SECOND);
    process.noted(600 * SECOND).await;
    process.watch().await;
    process.check_outages(&[600]).await;
    process.watch().await;
    process.check_outages(&[600]).await;
    // A step that is shorter than an outage, a moment later.
    process.noted(8 * SECOND).await;
    process.step(7 * SECOND);
    process.watch().await;
    process.check_outages(&[600, 8]).await;
}

#[tokio::test]
async fn what_this_process_alone_did_not_see_is_no_outage() {
    let mut process = Process::start().await;
    process.step(600 * SECOND);
    process.noted(SECOND).await;
    process.watch().await;
    process.check_outages(&[]).await;
}

#[tokio::test]
async fn nothing_is_noted_while_the_time_is_not_known() {
    let mut process = Process::start().await;
    process.noted(60 * SECOND).await;
    process.matches.database().clock().doubt();
    let unknown = process.matches.watch_clocks().await;
    assert!(matches!(unknown, Err(matches::Error::TimeUnknown)));
    process.watch().await;
    // Just after a step.
    process.hear(Duration::ZERO, 30 * SECOND);
    let unknown = process.matches.watch_clocks().await;
    assert!(matches!(unknown, Err(matches::Error::TimeUnknown)));
    process.check_outages(&[60]).await;
}

#[tokio::test]
async fn a_process_whose_time_the_database_contradicts_notes_nothing() {
    for off in [3_600, -3_600] {
        let mut process = Process::start().await;
        process.noted(60 * SECOND).await;
        // All its answers agree with each other, and the database was set since.
        process.hear(3 * SECOND, Duration::seconds(off));
        process.hear(Duration::ZERO, Duration::seconds(off));
        let refused = process.matches.watch_clocks().await;
        assert!(matches!(refused, Err(matches::Error::TimeUnknown)), "{off}");
        process.check_outages(&[]).await;
        assert!(process.beat_age_s().await > 59.0);
        assert!(process.matches.database().clock().reading().is_none(), "it asks again");
    }
}

#[tokio::test]
async fn outages_are_found_after_the_databases_clock_was_set_back() {
    let mut process = Process::start().await;
    process.noted(-86_400 * SECOND).await;
    process.watch().await;
    assert!(
        (0.0..60.0).contains(&process.beat_age_s().await),
        "the time ahead is no longer believed"
    );
    process.check_outages(&[]).await;
}
