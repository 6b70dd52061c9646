//! Fault injection: one task for the database, and one for each process.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use sqlx::postgres::PgConnection;
use tokio::time::{sleep, timeout};

use super::history::Number;
use super::plan::{Dice, Fault, OF_POSTGRES, OF_SERVICES};
use super::round::Round;
use super::rush;
use super::site::{Node, Site, Stopped, family};
use crate::harness::{FakeClock, PATIENCE, Service};

/// Injects faults into the database repeatedly.
pub async fn strike_postgres(round: Arc<Round>) {
    let kinds = round.plan.only(&OF_POSTGRES);
    let mut dice = round.dice("postgres");
    while !kinds.is_empty() {
        round.pause(dice.within(round.plan.pause)).await;
        if round.calm.is_cancelled() {
            return;
        }
        // Slow faults are rare if there are others.
        let takes_long = !round.plan.has(Fault::KillPostgres) || dice.one_in(3);
        match dice.pick(&kinds) {
            Fault::StopPostgres if takes_long => stop_postgres(&round, &mut dice).await,
            Fault::FillDisk if takes_long => fill_disk(&round).await,
            Fault::FillWal if takes_long => fill_wal(&round).await,
            _ => kill_postgres(&round).await,
        }
    }
}

async fn kill_postgres(round: &Round) {
    let site = &round.site;
    let Some(server) = site.postgres.pid() else { return };
    let _trouble = site.trouble();
    kill_process(Pid::from_raw(server).expect("a process"), Signal::KILL).expect("it runs");
    round.tally.struck(Fault::KillPostgres);
    let began = Instant::now();
    while site.postgres.pid().is_none_or(|another| another == server) {
        assert!(began.elapsed() < 4 * PATIENCE, "nobody starts Postgres again");
        sleep(Duration::from_millis(5)).await;
    }
    site.database_again().await;
    round.tally.at_most("longest restart of Postgres, in ms", began.elapsed().as_millis() as usize);
}

/// Stops all of Postgres, or some of its backends.
async fn stop_postgres(round: &Round, dice: &mut Dice) {
    let site = &round.site;
    let Some(server) = site.postgres.pid().and_then(Pid::from_raw) else { return };
    let _trouble = site.trouble();
    let mut processes = family(server);
    if dice.one_in(2) {
        processes.remove(0);
        processes.retain(|_| dice.one_in(2));
    }
    let stopped = Stopped::new(processes, round.plan.freeze);
    round.tally.struck(Fault::StopPostgres);
    round.pause(freeze(round, dice)).await;
    drop(stopped);
    site.database_again().await;
}

/// How long a disk stays full: longer than the service retries before it reports it.
const FULL: Duration = Duration::from_secs(8);

async fn fill_disk(round: &Round) {
    let Some(disk) = &round.site.tables else { return };
    let _trouble = round.site.trouble();
    disk.fill().expect("it can be filled");
    round.tally.struck(Fault::FillDisk);
    round.pause(FULL).await;
    disk.clear();
}

/// Postgres cannot run without its write-ahead log: it ends, and restarts fail until there is
/// space.
async fn fill_wal(round: &Round) {
    let site = &round.site;
    let Some(disk) = &site.cluster else { return };
    let _trouble = site.trouble();
    disk.fill().expect("it can be filled");
    round.tally.struck(Fault::FillWal);
    use_up_wal(site).await;
    round.pause(FULL).await;
    disk.clear();
    site.database_again().await;
}

/// Makes Postgres use up the log segments it has preallocated, until it needs another one.
async fn use_up_wal(site: &Site) {
    let Some(mut database) = site.database().await else { return };
    let use_up = "select pg_logical_emit_message(false, 'torture', ''), pg_switch_wal()";
    while sqlx::raw_sql(use_up).execute(&mut database).await.is_ok() {}
}

/// Kills the NATS server repeatedly; leaves it running.
pub async fn strike_nats(round: Arc<Round>) {
    let Some(mut nats) = round.site.nats.lock().await.take() else { return };
    let mut dice = round.dice("nats");
    while !round.calm.is_cancelled() {
        round.pause(dice.within(2 * round.plan.pause)).await;
        nats.kill().await;
        round.tally.struck(Fault::KillNats);
        round.pause(dice.within(round.plan.pause)).await;
        nats.start_again().await;
    }
    *round.site.nats.lock().await = Some(nats);
}

/// Injects faults into one process repeatedly; returns it running.
pub async fn strike_service(round: Arc<Round>, index: usize, mut service: Service) -> Service {
    let kinds = round.plan.only(&OF_SERVICES);
    let node = round.site.nodes[index].clone();
    let mut dice = round.dice(&format!("service {}", node.name));
    while !kinds.is_empty() {
        round.pause(dice.within(round.plan.pause)).await;
        if round.calm.is_cancelled() {
            break;
        }
        match dice.pick(&kinds) {
            Fault::StopService => stop_service(&round, &mut dice, &service).await,
            Fault::EndService => end_service(&round, &node, &mut service).await,
            Fault::Overload => rush::come(&round, &node).await,
            Fault::KillBetween => kill_between(&round, &node, &mut service).await,
            _ => kill_service(&round, &mut service).await,
        }
        if !service.is_running() {
            round.pause(dice.within(round.plan.pause / 4)).await;
            start_again(&round, &node, &mut service, &mut dice).await;
        }
    }
    service
}

async fn kill_service(round: &Round, service: &mut Service) {
    service.kill().await;
    round.tally.struck(Fault::KillService);
}

async fn stop_service(round: &Round, dice: &mut Dice, service: &Service) {
    let _stopped = Stopped::new(vec![service.pid()], round.plan.freeze);
    round.tally.struck(Fault::StopService);
    round.pause(freeze(round, dice)).await;
}

/// A random duration up to the maximum.
fn freeze(round: &Round, dice: &mut Dice) -> Duration {
    match dice.one_in(2) {
        true => round.plan.freeze,
        false => dice.within(round.plan.freeze),
    }
}

/// How long a process may take to stop: it waits for the database, and for clients that keep their
/// streams open.
const END_MAX: Duration = Duration::from_secs(30);

async fn end_service(round: &Round, node: &Node, service: &mut Service) {
    service.signal(Signal::TERM);
    round.tally.struck(Fault::EndService);
    if !service.ends_within(END_MAX).await {
        round.wrong(format!("process {} did not end within {END_MAX:?}", node.name));
        service.kill().await;
    }
}

/// Replaces a process that has ended, however long the database is down.
async fn start_again(round: &Round, node: &Node, service: &mut Service, dice: &mut Dice) {
    service.arguments = round.site.arguments.clone();
    service.environment.clear();
    if round.plan.has(Fault::DropHints) && dice.one_in(2) {
        service.arguments.retain(|it| *it != "--hints" && !it.starts_with("nats:"));
        service.arguments.push("--without-hints");
        round.tally.struck(Fault::DropHints);
    }
    if round.plan.has(Fault::WrongClock) && dice.one_in(2) {
        let name = format!("clock-{}", node.name);
        if let Some(clock) = FakeClock::right(&round.site.path(""), &name) {
            clock.set(dice.pick::<&str>(&["+1d", "-1h", "+60", "-5", "+0 x1.1"]));
            service.environment = clock.environment();
            round.tally.struck(Fault::WrongClock);
        }
    }
    let began = Instant::now();
    while !service.try_start_again().await {
        assert!(began.elapsed() < 6 * PATIENCE, "process {} does not start again", node.name);
        sleep(Duration::from_millis(100)).await;
    }
    node.moved(service);
}

/// Kills a process that has committed an action and not answered it. A lock blocks its insert, so
/// that the process can be stopped while its statement waits in the database. Then the lock is
/// released, the statement commits, and the stopped process is killed before it answers.
async fn kill_between(round: &Round, node: &Node, service: &mut Service) {
    let committed = match timeout(Duration::from_secs(5), commit_behind(round, node, service)).await
    {
        Ok(Some(committed)) => committed,
        // The database failed meanwhile, or there was no request.
        Ok(None) | Err(_) => 0,
    };
    service.kill().await;
    match committed {
        0 => round.tally.struck(Fault::KillService),
        more => {
            round.tally.struck(Fault::KillBetween);
            round.tally.add("requests committed and never answered by a process", more);
        }
    }
}

/// Leaves the process stopped and returns how many of its unanswered requests are committed.
async fn commit_behind(round: &Round, node: &Node, service: &Service) -> Option<usize> {
    let mut holder = round.site.database().await?;
    let lock =
        "begin; set local lock_timeout = '1s'; lock table entries in share row exclusive mode";
    sqlx::raw_sql(lock).execute(&mut holder).await.ok()?;
    wait_for_writers(&mut holder, node).await?;
    service.stop().await;
    let asked = node.in_flight.lock().expect("nobody panics holding it").clone();
    sqlx::raw_sql("commit").execute(&mut holder).await.ok()?;
    let began = Instant::now();
    loop {
        let committed = committed(&mut holder, &asked).await?;
        if committed > 0 || began.elapsed() > Duration::from_millis(500) {
            return Some(committed);
        }
        sleep(Duration::from_millis(5)).await;
    }
}

/// Waits until statements wait for the lock, and the process has had its requests long enough for
/// one to be its own.
async fn wait_for_writers(holder: &mut PgConnection, node: &Node) -> Option<()> {
    let waiting =
        "select count(*) from pg_locks where relation = 'entries'::regclass and not granted";
    for _ in 0..40 {
        let before = node.in_flight.lock().expect("nobody panics holding it").clone();
        sleep(Duration::from_millis(25)).await;
        let waiting: i64 = sqlx::query_scalar(waiting).fetch_one(&mut *holder).await.ok()?;
        let now = node.in_flight.lock().expect("nobody panics holding it").clone();
        if waiting > 0 && !before.is_disjoint(&now) {
            return Some(());
        }
    }
    None
}

/// How many of these requests are recorded.
async fn committed(
    database: &mut PgConnection,
    asked: &BTreeSet<(String, Number)>,
) -> Option<usize> {
    let names = asked.iter().map(|it| it.0.trim_start_matches("matches/").to_owned());
    let (names, numbers): (Vec<_>, Vec<_>) =
        names.zip(asked.iter().map(|it| it.1.to_string())).unzip();
    let count = "select count(*) from entries
                 join unnest($1::text[], $2::text[]) as asked (match_id, request_id)
                     on entries.match_id = asked.match_id::uuid
                     and entries.request_id = asked.request_id";
    let count = sqlx::query_scalar(count).bind(names).bind(numbers).fetch_one(database).await;
    count.ok().map(|count: i64| count as usize)
}
