//! `croupier bench watchers`: how soon those who watch are told, and what those cost who wait.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use hdrhistogram::Histogram;
use serde::Serialize;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tonic::Status;

use super::drive::{self, Playing, Run};
use super::plan::{self, Mix, Planned};
use super::usage::Program;
use super::wire::{Recorded, Watch, Wire};
use super::{Percentiles, bar, histogram};
use crate::client::{Client, Failure, Service};
use crate::database::Database;
use crate::print;

/// Watch matches of a running service while they are played: one of them with many eyes, others in
/// which nothing happens
///
/// Prints an object of JSON. The command fails if a watcher misses an entry, or is told one twice.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    database: Database,
    /// How many watch one match
    #[arg(long, value_name = "N", default_value_t = 1000)]
    watchers: u64,
    /// How many watch matches in which nothing happens
    #[arg(long, value_name = "N", default_value_t = 9000)]
    idle: u64,
    /// Over how many connections
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=1000))]
    connections: u64,
    /// Actions a second in matches that nobody watches
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    rate: u64,
    /// Actions a second in the match that is watched
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    watched_rate: u64,
    /// For how long
    #[arg(long, value_name = "S", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3600))]
    seconds: u64,
}

/// What was measured.
#[derive(Serialize)]
struct Outcome {
    watchers: u64,
    idle: u64,
    actions_per_second: u64,
    /// In the match that is watched.
    entries: u64,
    told_per_second: u64,
    /// From an entry's decision to its being read by a watcher; the commit is in between.
    told_after_ms: Percentiles,
    /// Null where the service does not run on this machine.
    kilobytes_per_idle_watcher: Option<f64>,
}

/// Matches in which nothing happens.
const IDLE_MATCHES: u64 = 100;
/// Matches that are played and not watched.
const PLAYED_MATCHES: u64 = 500;
/// How long what was counted has to settle.
const REST: Duration = Duration::from_secs(1);

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let store = args.database.open(&service.data).await?;
    let client = Client::connect(service).await?;
    let mix = Mix::of(&[], 0, None)?;
    let bar = bar("creating {pos} of {len} matches {wide_bar}", IDLE_MATCHES + PLAYED_MATCHES);
    let mut played = plan::plan(&client, &store, &mix, PLAYED_MATCHES, &bar).await?;
    let waiting = plan::plan(&client, &store, &mix, IDLE_MATCHES, &bar).await?;
    bar.finish_and_clear();
    store.close().await;
    // The longest, so that it lasts.
    played.sort_by_key(|it| it.requests.len());
    let watched = played.pop().expect("some are played");
    let wires = Wire::connect_all(service, args.connections as usize).await?;
    let outcome = measure(&args, service, &wires, watched, played, waiting).await;
    let outcome = outcome.map_err(|status| client.failure(&status))?;
    Ok(print::line(&serde_json::to_string(&outcome).expect("an outcome has a JSON form"))?)
}

async fn measure(
    args: &Args,
    service: &Service,
    wires: &[Wire],
    watched: Planned,
    played: Vec<Planned>,
    waiting: Vec<Planned>,
) -> Result<Outcome, Status> {
    let program = Program::of(service);
    tokio::time::sleep(REST).await;
    let before = program.as_ref().map(Program::memory);
    let idle = wait(wires, &waiting, args.idle).await?;
    tokio::time::sleep(REST).await;
    let after = program.as_ref().map(Program::memory);

    let match_id = watched.match_id;
    let told = Arc::new(Phrase::new());
    let (stop, mut watchers) = (CancellationToken::new(), JoinSet::new());
    for wire in wires.iter().cycle().take(args.watchers as usize) {
        watchers.spawn(listen(wire.watch(match_id).await?, told.clone(), stop.clone()));
    }
    // Everybody has been told of the deal before anything is measured.
    while told.dealt.load(Relaxed) < args.watchers {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let time = Duration::from_secs(args.seconds);
    let began = Instant::now();
    let gap = |rate: u64| Duration::from_secs(1) / rate as u32;
    let all = |it: Vec<Planned>| it.into_iter().map(Playing::new).collect();
    let (run, others) = (Run::new(time), Run::new(time));
    let (one, many) = tokio::join!(
        drive::open(run, wires.to_vec(), all(vec![watched]), gap(args.watched_rate)),
        drive::open(others, wires.to_vec(), all(played), gap(args.rate)),
    );
    let elapsed = began.elapsed().as_secs_f64();
    let entries = one.took_us.len();
    tokio::time::sleep(REST).await;
    stop.cancel();
    while let Some(watcher) = watchers.join_next().await {
        let last = watcher.expect("a watcher ends when it is told to")?;
        if last != plan::position(entries as usize) - 1 {
            return Err(Status::data_loss(format!("a watcher was told up to {last} of {entries}")));
        }
    }
    drop(idle);
    let told_after_us = told.after_us.lock().expect("nobody panics holding it").clone();
    Ok(Outcome {
        watchers: args.watchers,
        idle: args.idle,
        actions_per_second: ((entries + many.took_us.len()) as f64 / elapsed) as u64,
        entries,
        told_per_second: (told_after_us.len() as f64 / elapsed) as u64,
        told_after_ms: Percentiles::of(&told_after_us),
        kilobytes_per_idle_watcher: after.zip(before).map(|(after, before)| {
            (after.saturating_sub(before) as f64 / 1024.0 / args.idle.max(1) as f64 * 10.0).round()
                / 10.0
        }),
    })
}

/// Opens streams on these matches by turns, and reads what there is; they are open as long as they
/// are held.
async fn wait(wires: &[Wire], matches: &[Planned], count: u64) -> Result<JoinSet<()>, Status> {
    let mut idle = JoinSet::new();
    for (wire, it) in wires.iter().cycle().zip(matches.iter().cycle()).take(count as usize) {
        let mut watch = wire.watch(it.match_id).await?;
        watch.next().await?;
        idle.spawn(async move { while let Ok(Some(_)) = watch.next().await {} });
    }
    Ok(idle)
}

/// What all watchers were told.
struct Phrase {
    after_us: Mutex<Histogram<u64>>,
    /// How many have heard of the deal.
    dealt: AtomicU64,
}

impl Phrase {
    fn new() -> Phrase {
        Phrase { after_us: Mutex::new(histogram()), dealt: AtomicU64::new(0) }
    }

    fn note(&self, entry: &Recorded) {
        let decided = entry.create_time.and_then(|it| SystemTime::try_from(it).ok());
        let after = decided.and_then(|it| SystemTime::now().duration_since(it).ok());
        let us = after.unwrap_or_default().as_micros() as u64;
        self.after_us.lock().expect("nobody panics holding it").saturating_record(us);
    }
}

/// Listens until it is told to stop, and returns the last position it was told of. Fails if one was
/// left out or told twice.
async fn listen(
    mut watch: Watch,
    told: Arc<Phrase>,
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
                return Err(Status::data_loss(format!("told of {} after {last}", entry.position)));
            }
            last = entry.position;
            if last == DEAL {
                told.dealt.fetch_add(1, Relaxed);
            } else {
                told.note(&entry);
            }
        }
    }
}

/// The position of the deal, which was long ago when somebody begins to watch.
const DEAL: i64 = 1;
