//! Clocks that are wrong: of a machine, of the database, or of both. No match is lost by it, and
//! somebody is told within seconds.
//!
//! A [`FakeClock`] says by how much the time of day is off, at any moment; the monotonic clock goes
//! on as it should, unless a machine is to be suspended.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use contract::v1::*;
use rustix::process::Signal;
use tokio::time::sleep;

use super::Drill;
use crate::harness::*;
use crate::metering::{figure, scrape};

/// Matches whose seats wait for each other when the clock goes wrong.
const MATCHES: usize = 12;
/// The time for a decision in these matches. Nobody loses one of them within it.
const DECISION: Duration = Duration::from_secs(30);
/// For how long the matches are watched: shorter than a decision, although servers start slowly.
const WATCHED: Duration = Duration::from_secs(20);
/// Within this time somebody must be told.
const NOTICED: Duration = Duration::from_secs(5);

/// A program that serves. `CLOCKS_OF` names another, to see that the drills notice.
fn program() -> PathBuf {
    std::env::var("CLOCKS_OF").unwrap_or_else(|_| PROGRAM.to_owned()).into()
}

async fn start(folder: &Path, database: Option<&str>, clock: Option<&FakeClock>) -> Service {
    let environment = clock.map(FakeClock::environment).unwrap_or_default();
    Service::start_in(&program(), folder, database, &[], environment).await
}

/// Matches in which a seat that does not decide in time resigns.
pub async fn matches(client: &Client, count: usize, decision: Duration) -> Vec<String> {
    let per_decision = Some(contract::duration(decision));
    let mut control = TimeControl { per_decision, ..TimeControl::default() };
    control.set_on_timeout(OnTimeout::Resign);
    let new = CreateMatchRequest { time_control: Some(control), ..new_match(2) };
    let mut names = Vec::new();
    for _ in 0..count {
        names.push(create(client, &new).await.name);
    }
    names
}

async fn has_timeout(client: &Client, name: &str) -> bool {
    entries(client, name, "spectator").await.iter().any(|it| it.verb == "timeout")
}

/// Plays one decision of a match.
async fn act(client: &Client, name: &str, seed: u64) {
    let mut playing = Playing::of(client, &get(client, name).await, seed);
    assert!(playing.step().await);
}

/// Watches the matches for a while, and counts those that were lost. Half of them are played on,
/// so that clocks stop and start under the wrong time.
async fn lost(client: &Client, names: &[String], until: Instant) -> usize {
    let mut turn = 0;
    while Instant::now() < until {
        for (nth, name) in names.iter().enumerate().filter(|(nth, _)| nth % 2 == 0) {
            if get(client, name).await.state() == MatchState::Running {
                act(client, name, (turn * 100 + nth) as u64).await;
            }
        }
        turn += 1;
        sleep(Duration::from_millis(500)).await;
    }
    let mut lost = 0;
    for name in names {
        lost += usize::from(has_timeout(client, name).await);
    }
    lost
}

/// How long after `since` the service's log said this; `None` if it never does.
async fn noticed_after(service: &Service, words: &str, since: Instant) -> Option<Duration> {
    let end = Instant::now().max(since) + 2 * NOTICED;
    while Instant::now() < end {
        let log = fs::read_to_string(service.folder.join("service.txt")).unwrap_or_default();
        if log.contains(words) {
            return Some(since.elapsed());
        }
        sleep(Duration::from_millis(20)).await;
    }
    None
}

const MACHINE_IS_OFF: &str = "the clock of this machine is";
const DATABASE_MOVED: &str = "the clock of the database moved";

/// Writes what happened, and checks it.
fn check(mut drill: Drill, lost: usize, noticed: Option<Duration>) {
    drill.figure("matches", MATCHES);
    drill.figure("matches_lost_on_time_wrongly", lost);
    drill.figure("noticed_after_s", noticed.map(|it| (it.as_secs_f64() * 100.0).round() / 100.0));
    assert_eq!(lost, 0, "matches were lost on a wrong clock");
    let noticed = noticed.expect("it is told in the log");
    assert!(noticed < NOTICED, "it was told after {noticed:?}");
}

/// Time still runs out: matches are not merely never decided.
async fn check_that_time_runs_out(client: &Client) {
    let names = matches(client, 2, Duration::from_secs(2)).await;
    for name in names {
        until("a timeout", async || has_timeout(client, &name).await.then_some(())).await;
    }
}

enum Change {
    Set(&'static str),
    /// It is a fifth too fast: a drill cannot wait for a real clock.
    Drift,
}

/// When a clock that is a fifth too fast is two seconds ahead.
const OFF_BY_TWO_SECONDS: Duration = Duration::from_secs(10);

pub const NO_FAKETIME: &str = "libfaketime is not installed: .ci/install faketime";

/// The clock of a process is set while the database's is right, or drifts from the start.
async fn machine(name: &'static str, change: Change) {
    let drill = Drill::begin(name);
    let installation = Installation::open().await;
    let folder = installation.folder.path();
    let Some(clock) = FakeClock::right(folder, "clock") else { return drill.skip(NO_FAKETIME) };
    let url = installation.postgres().url();
    // The only process whose agents decide is the one that is wrong.
    let Installation { mut service, postgres, folder } = installation;
    service.kill().await;
    let mut since = Instant::now();
    if let Change::Drift = change {
        clock.set("+0 x1.2");
        since += OFF_BY_TWO_SECONDS;
    }
    let mut wrong = start(&folder.path().join("wrong"), Some(&url), Some(&clock)).await;
    let client = wrong.client(Protocol::Grpc);
    let names = matches(&client, MATCHES, DECISION).await;
    let began = Instant::now();
    if let Change::Set(offset) = change {
        sleep(Duration::from_secs(2)).await;
        clock.set(offset);
        since = Instant::now();
    }
    let noticed = noticed_after(&wrong, MACHINE_IS_OFF, since).await;
    let lost = lost(&client, &names, began + WATCHED).await;
    check_that_time_runs_out(&client).await;
    if noticed.is_some() {
        let page = scrape(&wrong.metrics().await).await;
        let ahead = figure(&page, "croupier_clock_ahead_seconds", &[]).expect("a gauge");
        assert!(ahead.abs() > 2.0, "{ahead}");
    }
    check(drill, lost, noticed);
    drop((postgres, folder));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes a minute: make drills"]
async fn a_machine_a_day_ahead() {
    machine("the clock of a process is set a day ahead", Change::Set("+1d")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes a minute: make drills"]
async fn a_machine_an_hour_behind() {
    machine("the clock of a process is set back by an hour", Change::Set("-1h")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes a minute: make drills"]
async fn a_machine_that_drifts() {
    machine("the clock of a process is a fifth too fast", Change::Drift).await;
}

/// Of two processes on one database, the clock of one is ahead from the start.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes a minute: make drills"]
async fn a_process_a_minute_ahead_of_another() {
    let drill = Drill::begin("a process is a minute ahead of another");
    let installation = Installation::open().await;
    let folder = installation.folder.path();
    let Some(clock) = FakeClock::right(folder, "clock") else { return drill.skip(NO_FAKETIME) };
    clock.set("+60");
    let url = installation.postgres().url();
    let Installation { mut service, postgres, folder } = installation;
    service.kill().await;
    let began = Instant::now();
    let wrong = start(&folder.path().join("wrong"), Some(&url), Some(&clock)).await;
    let noticed = noticed_after(&wrong, MACHINE_IS_OFF, began).await;
    let right = start(&folder.path().join("right"), Some(&url), None).await;
    let client = right.client(Protocol::Grpc);
    let names = matches(&client, MATCHES, DECISION).await;
    let began = Instant::now();
    let lost = lost(&wrong.client(Protocol::Grpc), &names, began + WATCHED).await;
    check_that_time_runs_out(&client).await;
    check(drill, lost, noticed);
    drop((postgres, folder));
}

/// The clock of the database is set, and that of the process on its machine; another process is on
/// a machine whose clock is right.
async fn database(name: &'static str, offset: &str) {
    let mut drill = Drill::begin(name);
    let folder = new_folder();
    let Some(clock) = FakeClock::right(folder.path(), "clock") else {
        return drill.skip(NO_FAKETIME);
    };
    let near = start(&folder.path().join("near"), None, Some(&clock)).await;
    let socket = crate::connecting::host(&folder.path().join("near/postgres/socket"));
    let url = format!("postgres://croupier@{socket}/postgres");
    let far = start(&folder.path().join("far"), Some(&url), None).await;
    let client = near.client(Protocol::Grpc);
    let names = matches(&client, MATCHES, DECISION).await;
    let began = Instant::now();
    // Just noted: the next note is not due for a while.
    sleep(Duration::from_secs(2)).await;
    clock.set(offset);
    let set = Instant::now();
    let near_noticed = noticed_after(&near, DATABASE_MOVED, set);
    let far_noticed = noticed_after(&far, DATABASE_MOVED, set);
    let (near_noticed, far_noticed) = tokio::join!(near_noticed, far_noticed);
    let client = far.client(Protocol::Grpc);
    let lost = lost(&client, &names, began + WATCHED).await;
    check_that_time_runs_out(&client).await;
    let it = get(&client, &names[1]).await;
    let given_back = it.clocks.expect("it has clocks").paused_for_outage;
    drill.figure("time_given_back_s", std_of(given_back).as_secs());
    check(drill, lost, near_noticed.zip(far_noticed).map(|(near, far)| near.max(far)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes a minute: make drills"]
async fn a_database_a_day_ahead() {
    // Also what a machine that was suspended for a day is like, seen from inside.
    database("the clocks of the database and a process are set a day ahead", "+1d").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes a minute: make drills"]
async fn a_database_an_hour_behind() {
    database("the clocks of the database and a process are set back by an hour", "-1h").await;
}

/// One of two processes is suspended with its machine, clocks and all. What it records when it goes
/// on must not bear the time at which it stopped.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes a minute: make drills"]
async fn a_suspended_machine() {
    let mut drill = Drill::begin("one of two machines is suspended for a decision's time");
    let installation = Installation::open().await;
    let folder = installation.folder.path();
    let Some(mut clock) = FakeClock::right(folder, "clock") else { return drill.skip(NO_FAKETIME) };
    clock.suspends = true;
    let url = installation.postgres().url();
    let Installation { mut service, postgres, folder } = installation;
    service.kill().await;
    let other = start(&folder.path().join("other"), Some(&url), None).await;
    let suspended = start(&folder.path().join("suspended"), Some(&url), Some(&clock)).await;
    let there = suspended.client(Protocol::Grpc);
    let client = other.client(Protocol::Grpc);
    let names = matches(&there, MATCHES, DECISION).await;
    let mut playing = Vec::new();
    for (name, seed) in names.iter().zip(0..) {
        playing.push(Playing::of(&there, &get(&there, name).await, seed));
    }
    let began = Instant::now();
    sleep(Duration::from_secs(2)).await;
    suspended.stop().await;
    let away = DECISION - Duration::from_secs(8);
    sleep(away).await;
    clock.set(&format!("-{}", away.as_secs()));
    suspended.signal(Signal::CONT);
    let resumed = Instant::now();
    // The requests that waited for the machine: each seat decides in time, by the other's clock.
    let steps = futures::future::join_all(playing.iter_mut().map(Playing::step)).await;
    assert!(steps.iter().all(|it| *it), "each is accepted");
    drill.figure("first_actions_after_s", resumed.elapsed().as_secs_f64());
    assert!(began.elapsed() < DECISION, "they were in time");
    let noticed = noticed_after(&suspended, DATABASE_MOVED, resumed).await;
    sleep(Duration::from_secs(12)).await;
    let mut lost = 0;
    for name in &names {
        lost += usize::from(has_timeout(&client, name).await);
    }
    check(drill, lost, noticed);
    drop((postgres, folder));
}
