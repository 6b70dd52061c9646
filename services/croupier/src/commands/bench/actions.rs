//! `croupier bench actions`: how many actions a running service takes, how long each waits, and
//! what it costs.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use projector::Model;
use serde::Serialize;
use store::Store;
use time::OffsetDateTime;
use tokio::task::JoinSet;
use tonic::Status;

use super::drive::{self, Playing, Run, Tally};
use super::plan::{self, Mix};
use super::record::{self, Batches, Checked, RawAppend};
use super::usage::{Cpu, Programs};
use super::wire::Wire;
use super::{Percentiles, bar};
use crate::client::{Client, Failure, Service};
use crate::database::Database;
use crate::print;

/// Play matches as fast as a running service takes them, and check that each acknowledged action is
/// in the record once
///
/// The matches are created through the service, and belong to the platform whose key is used. What
/// is sent is worked out before the clock starts, from the seeds in the database, so that the
/// clients cost little. The command fails if the record does not hold what was acknowledged.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    database: Database,
    /// The games to play, by turns; all of them if not said
    #[arg(long = "game", value_name = "NAME")]
    games: Vec<String>,
    /// How many matches are played at a time
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    matches: u64,
    /// How many clients share them
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    clients: u64,
    /// How many connections the clients share; one each, up to 4, if not said
    #[arg(long, value_name = "N")]
    connections: Option<NonZero<usize>>,
    /// Open loop: so many actions a second are due, answered or not; otherwise each client waits
    /// for its answer
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    rate: Option<u64>,
    /// Over a stream each client, with so many actions under way at a time; otherwise a call an
    /// action
    #[arg(long, value_name = "N", conflicts_with = "rate", value_parser = clap::value_parser!(u64).range(1..=1024))]
    stream: Option<u64>,
    /// For how long, if the matches last
    #[arg(long, value_name = "S", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3600))]
    seconds: u64,
    /// Play matches of so many remarks in Among Thieves instead: as long as one likes
    #[arg(long, value_name = "N", conflicts_with = "games")]
    talk: Option<usize>,
    /// Of what the choice of seats is made
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Print the outcome as an object of JSON
    #[arg(long)]
    json: bool,
}

/// What was measured. CPU is of one processor.
#[derive(Serialize)]
struct Outcome {
    clients: u64,
    connections: usize,
    matches: u64,
    /// Actions under way on each client's stream; null where each action is a call.
    stream: Option<u64>,
    /// Actions due a second; null in a closed loop.
    offered_per_second: Option<u64>,
    seconds: f64,
    acknowledged: u64,
    per_second: u64,
    latency_ms: Percentiles,
    /// The medians of each hundred positions of a match.
    p50_ms_by_hundred: Vec<f64>,
    refusals: BTreeMap<String, u64>,
    refusal_latency_ms: Percentiles,
    cpu_us_per_action: Cpu,
    service_memory_mb: Option<Memory>,
    /// How many entries the read models were behind when the last action was answered.
    projections_behind: BTreeMap<&'static str, i64>,
    batches: Batches,
    raw_append: RawAppend,
    record: Checked,
}

#[derive(Serialize)]
struct Memory {
    before: u64,
    after: u64,
}

/// How long the record is measured alone.
const RAW_TIME_MAX: Duration = Duration::from_secs(5);
/// A platform calls from a few processes, each of which has one connection for all that it does.
const CONNECTIONS_USUAL_MAX: u64 = 4;

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let store = args.database.open(&service.data).await?;
    let outcome = measure(&args, service, &store).await?;
    store.close().await;
    if args.json {
        print::line(&serde_json::to_string(&outcome).expect("an outcome has a JSON form"))?;
    } else {
        outcome.lines().iter().try_for_each(|line| print::line(line))?;
    }
    if outcome.record.is_sound() {
        Ok(())
    } else {
        Err(Failure::Missing("the record does not hold what was acknowledged".to_owned()))
    }
}

async fn measure(args: &Args, service: &Service, store: &Store) -> Result<Outcome, Failure> {
    let mix = Mix::of(&args.games, args.seed, args.talk)?;
    let client = Client::connect(service).await?;
    let usual = args.clients.min(CONNECTIONS_USUAL_MAX) as usize;
    let connections = args.connections.map_or(usual, NonZero::get);
    let bar = bar("creating {pos} of {len} matches {wide_bar}", args.matches);
    let planned = plan::plan(&client, store, &mix, args.matches, &bar).await?;
    bar.finish_and_clear();
    let wires = Wire::connect_all(service, connections).await?;
    let programs = Programs::find(service, store).await?;
    let before = programs.count();
    let began = Instant::now();
    let began_time = OffsetDateTime::now_utc();
    let run = Run::new(Duration::from_secs(args.seconds));
    let showing = tokio::spawn(show(run.clone()));
    let tally = drive(args, run, wires, planned).await.map_err(|status| client.failure(&status))?;
    let elapsed = began.elapsed();
    let after = programs.count();
    showing.abort();

    let mut projections_behind = BTreeMap::new();
    for name in Model::ALL.map(Model::name) {
        let projection = client.projection(&api::projection_name(name)).await?;
        projections_behind.insert(name, projection.lag);
    }
    let batches = record::batches(store, began_time).await?;
    let raw_time = Duration::from_secs(args.seconds).min(RAW_TIME_MAX);
    let raw_matches = args.matches.min(1000);
    let writers = (args.clients * args.stream.unwrap_or(1)).min(raw_matches);
    let postgres = programs.postgres.as_ref();
    let raw = record::raw_append(store, &mix, writers, raw_matches, raw_time, postgres).await?;

    let acknowledged = tally.took_us.len();
    Ok(Outcome {
        clients: args.clients,
        connections,
        matches: args.matches,
        stream: args.stream,
        offered_per_second: args.rate,
        seconds: elapsed.as_secs_f64(),
        acknowledged,
        per_second: (acknowledged as f64 / elapsed.as_secs_f64()) as u64,
        latency_ms: Percentiles::of(&tally.took_us),
        p50_ms_by_hundred: tally
            .by_position_us
            .iter()
            .map(|band| band.value_at_quantile(0.5) as f64 / 1e3)
            .collect(),
        refusals: tally.refusals.clone(),
        refusal_latency_ms: Percentiles::of(&tally.refused_us),
        cpu_us_per_action: after.cpu_since(&before, acknowledged),
        service_memory_mb: after
            .memory
            .zip(before.memory)
            .map(|(after, before)| Memory { before: before >> 20, after: after >> 20 }),
        projections_behind,
        batches,
        raw_append: raw,
        record: record::check(store, &tally).await?,
    })
}

async fn drive(
    args: &Args,
    run: Arc<Run>,
    wires: Vec<Wire>,
    planned: Vec<plan::Planned>,
) -> Result<Tally, Status> {
    let playing = planned.into_iter().map(Playing::new);
    if let Some(rate) = args.rate {
        let gap = Duration::from_secs(1) / u32::try_from(rate).unwrap_or(u32::MAX);
        return Ok(drive::open(run, wires, playing.collect(), gap).await);
    }
    let mut shares: Vec<Vec<Playing>> = (0..args.clients).map(|_| Vec::new()).collect();
    playing.zip((0..shares.len()).cycle()).for_each(|(it, nth)| shares[nth].push(it));
    let mut clients = JoinSet::new();
    for (share, wire) in shares.into_iter().zip(wires.iter().cycle()) {
        let (run, wire) = (run.clone(), wire.clone());
        match args.stream {
            Some(under_way) => {
                clients.spawn(drive::streamed(run, wire, share, under_way as usize));
            }
            None => _ = clients.spawn(async { Ok(drive::closed(run, wire, share).await) }),
        }
    }
    let mut tally = Tally::new();
    while let Some(client) = clients.join_next().await {
        tally.add(client.expect("a client ends in time")?);
    }
    Ok(tally)
}

/// Shows how it goes, until it is aborted.
async fn show(run: Arc<Run>) {
    if !std::io::stderr().is_terminal() {
        return;
    }
    let bar = bar("{elapsed} {msg}", 0);
    let (mut last, mut since) = (0, Instant::now());
    loop {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let (now, refused) = (run.acknowledged.load(Relaxed), run.refused.load(Relaxed));
        let rate = (now - last) as f64 / since.elapsed().as_secs_f64();
        bar.set_message(format!("{now} actions, {rate:.0}/s, {refused} refused"));
        (last, since) = (now, Instant::now());
    }
}

impl Outcome {
    fn lines(&self) -> Vec<String> {
        let times = |it: &Percentiles| {
            format!(
                "p50 {:.2}, p90 {:.2}, p99 {:.2}, p999 {:.2}, max {:.1} ms",
                it.p50, it.p90, it.p99, it.p999, it.max
            )
        };
        let us = |it: Option<f64>| it.map_or("not here".to_owned(), |it| format!("{it:.1} us"));
        let (cpu, raw, it) = (&self.cpu_us_per_action, &self.raw_append, &self.record);
        let mut lines = vec![
            format!(
                "{} actions/s: {} acknowledged in {:.1} s, by {} clients on {} connections, in {} matches",
                self.per_second,
                self.acknowledged,
                self.seconds,
                self.clients,
                self.connections,
                self.matches
            ),
            format!("  waited       {}", times(&self.latency_ms)),
            format!(
                "  CPU          service {}, Postgres {}, clients {:.1} us each",
                us(cpu.service),
                us(cpu.postgres),
                cpu.clients
            ),
            format!(
                "  batches      {} of {} entries on average, at most {}",
                self.batches.count, self.batches.mean, self.batches.max
            ),
            format!("  record alone {} entries/s, {}", raw.per_second, times(&raw.latency_ms)),
        ];
        if let (Some(first), [_, .., last]) =
            (self.p50_ms_by_hundred.first(), &self.p50_ms_by_hundred[..])
        {
            let from = (self.p50_ms_by_hundred.len() - 1) * drive::BAND;
            lines.push(format!(
                "  by position  p50 {first:.2} ms in the first hundred, {last:.2} ms in those after {from}"
            ));
        }
        let behind = self.projections_behind.iter().map(|(name, lag)| format!("{name} {lag}"));
        let behind = behind.collect::<Vec<_>>().join(", ");
        lines.push(format!("  read models  {behind} entries behind at the end"));
        if let Some(memory) = &self.service_memory_mb {
            lines.push(format!(
                "  memory       service {} MB before, {} MB after",
                memory.before, memory.after
            ));
        }
        if !self.refusals.is_empty() {
            let refusals = self.refusals.iter().map(|(reason, n)| format!("{reason} {n}"));
            let refusals = refusals.collect::<Vec<_>>().join(", ");
            lines.push(format!("  refused      {refusals}: {}", times(&self.refusal_latency_ms)));
        }
        lines.push(match it.is_sound() {
            true => format!("  record       {} acknowledged actions are there, each once", it.acknowledged),
            false => format!(
                "  record       WRONG: {} missing, {} doubled, {} unexplained, {} misplaced, {} matches with gaps",
                it.missing, it.doubled, it.unexplained, it.misplaced, it.gaps
            ),
        });
        lines
    }
}
