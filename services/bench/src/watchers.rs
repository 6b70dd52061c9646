//! How soon watchers of a running service receive entries, and how much memory idle streams need.

use std::slice;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use contract::names::match_name;
use croupier_client::Refusal;
use hdrhistogram::Histogram;
use serde::Serialize;
use store::Store;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tonic::Status;

use crate::clock::now;
use crate::connection::{Connection, Recorded, Watch};
use crate::drive::{self, Playing, Run};
use crate::plan::{self, Mix, Planned};
use crate::report::{CREATING, Error, Percentiles, Report, histogram, per_second, progress};
use crate::service::Service;
use crate::usage::Program;

/// Watch matches of a running service while they are played: one with many watchers, and others in
/// which nothing happens
///
/// Prints a JSON object. The command fails if a watcher misses an entry or receives one twice.
#[derive(clap::Args)]
pub struct Args {
    /// The number of watchers of one match
    #[arg(long, value_name = "N", default_value_t = 1000)]
    watchers: u64,
    /// The number of watchers of matches in which nothing happens
    #[arg(long, value_name = "N", default_value_t = 9000)]
    idle: u64,
    /// The number of connections that the watchers share
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=1000))]
    connections: u64,
    /// Actions per second in matches without watchers
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    rate: u64,
    /// Actions per second in the watched match
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    watched_rate: u64,
    /// The duration, in seconds
    #[arg(long, value_name = "S", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3600))]
    seconds: u64,
}

#[derive(Serialize)]
struct Outcome {
    watchers: u64,
    idle: u64,
    actions_per_second: u64,
    /// Entries of the watched match.
    entries: u64,
    delivered_per_second: u64,
    /// The time from an action's acceptance until a watcher has read its entry, including the
    /// commit.
    delivery_ms: Percentiles,
    /// Null if the service does not run on this machine.
    kilobytes_per_idle_watcher: Option<f64>,
}

/// Matches in which nothing happens.
const IDLE_MATCHES: u64 = 100;
/// Matches that are played without watchers.
const PLAYED_MATCHES: u64 = 500;
/// The pause before a count, for work in progress to finish.
const REST: Duration = Duration::from_secs(1);

pub async fn run(args: &Args, service: &Service, store: &Store) -> Result<Report, Error> {
    let client = service.connect().await?;
    let mix = Mix::of(&[], 0, None)?;
    let bar = progress(CREATING, IDLE_MATCHES + PLAYED_MATCHES);
    let mut played = plan::plan(&client, store, &mix, 0..PLAYED_MATCHES, &bar).await?;
    let waiting = plan::plan(&client, store, &mix, 0..IDLE_MATCHES, &bar).await?;
    bar.finish_and_clear();
    // The longest match is watched, so that it lasts.
    played.sort_by_key(|it| it.requests.len());
    let watched = played.pop().expect("PLAYED_MATCHES is not 0");
    let connections =
        Connection::connect_all(slice::from_ref(service), args.connections as usize).await?;
    let outcome = measure(args, service, &connections, watched, played, waiting).await;
    let outcome = outcome.map_err(Refusal::from)?;
    Ok(Report::json(&outcome))
}

async fn measure(
    args: &Args,
    service: &Service,
    connections: &[Connection],
    watched: Planned,
    played: Vec<Planned>,
    waiting: Vec<Planned>,
) -> Result<Outcome, Status> {
    let program = Program::of(service);
    tokio::time::sleep(REST).await;
    let before = program.as_ref().map(Program::memory);
    let idle = wait(connections, &waiting, args.idle).await?;
    tokio::time::sleep(REST).await;
    let after = program.as_ref().map(Program::memory);

    let name = match_name(watched.match_id.0);
    let received = Arc::new(Received::new());
    let (stop, mut watchers) = (CancellationToken::new(), JoinSet::new());
    for connection in connections.iter().cycle().take(args.watchers as usize) {
        let watch = connection.watch(&name).await?;
        watchers.spawn(receive(watch, received.clone(), stop.clone()));
    }
    // The measurement starts once every watcher has received the opening.
    while received.openings.load(Relaxed) < args.watchers {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let time = Duration::from_secs(args.seconds);
    let began = Instant::now();
    let gap = |rate: u64| Duration::from_secs(1) / rate as u32;
    let all = |it: Vec<Planned>| it.into_iter().map(Playing::new).collect();
    let (run, others) = (Run::new(time), Run::new(time));
    let (one, many) = tokio::join!(
        drive::open(run, connections.to_vec(), all(vec![watched]), gap(args.watched_rate)),
        drive::open(others, connections.to_vec(), all(played), gap(args.rate)),
    );
    let elapsed = began.elapsed();
    let entries = one.took_us.len();
    tokio::time::sleep(REST).await;
    stop.cancel();
    while let Some(watcher) = watchers.join_next().await {
        let last = watcher.expect("a watcher does not panic")?;
        if last != plan::position(entries as usize) - 1 {
            return Err(Status::data_loss(format!(
                "a watcher received {last} of {entries} entries"
            )));
        }
    }
    drop(idle);
    let delivery_us = received.after_us.lock().expect(LOCKED).clone();
    Ok(Outcome {
        watchers: args.watchers,
        idle: args.idle,
        actions_per_second: per_second(entries + many.took_us.len(), elapsed),
        entries,
        delivered_per_second: per_second(delivery_us.len(), elapsed),
        delivery_ms: Percentiles::of_us(&delivery_us),
        kilobytes_per_idle_watcher: after.zip(before).map(|(after, before)| {
            (after.saturating_sub(before) as f64 / 1024.0 / args.idle.max(1) as f64 * 10.0).round()
                / 10.0
        }),
    })
}

/// Opens `count` streams on these matches, and reads the entries so far. The streams stay open
/// until the result is dropped.
async fn wait(
    connections: &[Connection],
    matches: &[Planned],
    count: u64,
) -> Result<JoinSet<()>, Status> {
    let mut idle = JoinSet::new();
    let places = connections.iter().cycle().zip(matches.iter().cycle());
    for (connection, it) in places.take(count as usize) {
        let mut watch = connection.watch(&match_name(it.match_id.0)).await?;
        watch.next().await?;
        idle.spawn(async move { while let Ok(Some(_)) = watch.next().await {} });
    }
    Ok(idle)
}

/// The state of all watchers.
struct Received {
    after_us: Mutex<Histogram<u64>>,
    /// How many watchers have received the opening.
    openings: AtomicU64,
}

impl Received {
    fn new() -> Received {
        Received { after_us: Mutex::new(histogram()), openings: AtomicU64::new(0) }
    }

    fn note(&self, entry: &Recorded) {
        let decided = entry.create_time.and_then(|it| SystemTime::try_from(it).ok());
        let after = decided.and_then(|it| SystemTime::from(now()).duration_since(it).ok());
        let us = after.unwrap_or_default().as_micros() as u64;
        self.after_us.lock().expect(LOCKED).saturating_record(us);
    }
}

/// Receives entries until it is stopped, and returns the last position. Fails if an entry was
/// missing or received twice.
async fn receive(
    mut watch: Watch,
    received: Arc<Received>,
    stop: CancellationToken,
) -> Result<i64, Status> {
    let mut last = 0;
    loop {
        let next = tokio::select! {
            next = watch.next() => next?,
            () = stop.cancelled() => return Ok(last),
        };
        let Some(entries) = next else { return Ok(last) };
        for entry in entries {
            if entry.position != last + 1 {
                return Err(Status::data_loss(format!("received {} after {last}", entry.position)));
            }
            last = entry.position;
            if last == OPENING {
                received.openings.fetch_add(1, Relaxed);
            } else {
                received.note(&entry);
            }
        }
    }
}

const LOCKED: &str = "no thread panics while it holds the lock";

/// The position of the opening, which is older than the watch and so not measured.
const OPENING: i64 = 1;
