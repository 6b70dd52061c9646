//! The rate, latency and cost of actions on a running service.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use croupier_client::Refusal;
use games::Game;
use projector::Model;
use serde::Serialize;
use store::Store;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tonic::Status;
use tonic::metadata::{Ascii, MetadataValue};

use crate::behind::{self, Behind};
use crate::connection::Connection;
use crate::drive::{self, Playing, Run, Tally};
use crate::parts::{self, Part};
use crate::plan::{self, Mix};
use crate::record::{self, Batches, Checked, RawAppend};
use crate::report::{CREATING, Error, Percentiles, Report, per_second, progress};
use crate::service::Service;
use crate::usage::{Cpu, Programs};

/// Play matches as fast as a running service accepts actions, and check that each acknowledged
/// action is recorded exactly once
///
/// The matches are created through the service and belong to the platform of the API key. All
/// requests are computed before the clock starts, from the seeds in the database, so the clients
/// need little CPU. The command fails if an acknowledged action is missing or recorded twice.
#[derive(clap::Args)]
pub struct Args {
    /// The games to play, in rotation [default: all games]
    #[arg(long = "game", value_name = "NAME")]
    games: Vec<String>,
    /// The number of matches to play concurrently
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    matches: u64,
    /// The number of clients that share the matches
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    clients: u64,
    /// The number of connections that the clients share [default: one each, up to 4]
    #[arg(long, value_name = "N")]
    connections: Option<NonZero<usize>>,
    /// The address of a further process on the same database, repeatable; the connections take
    /// turns
    #[arg(long, value_name = "URL")]
    also: Vec<String>,
    /// Open loop: send this many actions per second, whether or not earlier ones were answered.
    /// Without it, each client waits for the response
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    rate: Option<u64>,
    /// Use one stream per client, with this many actions in flight. Without it, each action is a
    /// call
    #[arg(long, value_name = "N", conflicts_with = "rate", value_parser = clap::value_parser!(u64).range(1..=1024))]
    stream: Option<u64>,
    /// The duration, in seconds, unless the matches end earlier. In a run of more than a minute, a
    /// match that has ended is replaced by a new one, which costs the clients some CPU
    #[arg(long, value_name = "S", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3600))]
    seconds: u64,
    /// Instead of playing, make this many remarks per match of Among Thieves, for long matches
    #[arg(long, value_name = "N", conflicts_with = "games")]
    talk: Option<usize>,
    /// The seed for the number of seats of each match
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Ask for texts in this language, such as `de` [default: no texts]
    #[arg(long, value_name = "LANG")]
    texts: Option<MetadataValue<Ascii>>,
    /// Print the outcome as a JSON object
    #[arg(long)]
    json: bool,
}

/// CPU times are in terms of one processor.
#[derive(Serialize)]
struct Outcome {
    clients: u64,
    connections: usize,
    matches: u64,
    /// Actions in flight on each client's stream; null where each action is a call.
    stream: Option<u64>,
    /// Actions sent per second; null in a closed loop.
    offered_per_second: Option<u64>,
    seconds: f64,
    acknowledged: u64,
    per_second: u64,
    latency_ms: Percentiles,
    /// The median latency for each hundred positions of a match.
    p50_ms_by_hundred: Vec<f64>,
    refusals: BTreeMap<String, u64>,
    refusal_latency_ms: Percentiles,
    cpu_us_per_action: Cpu,
    service_memory_mb: Option<Memory>,
    /// The lag of each projection after the last response, in entries.
    projections_behind: BTreeMap<&'static str, i64>,
    read_models_behind: Behind,
    batches: Batches,
    parts: Vec<Part>,
    raw_append: RawAppend,
    /// The rate of the run as a share of the store's rate without the service.
    share_of_raw_append: f64,
    bare_commit_p50_ms: f64,
    record: Checked,
}

#[derive(Serialize)]
struct Memory {
    before: u64,
    after: u64,
}

/// In longer runs, matches that have ended are replaced.
const REPLACED_AFTER_S: u64 = 60;
/// The maximum time for which the store is measured without the service.
const RAW_TIME_MAX: Duration = Duration::from_secs(5);
/// A platform normally calls from a few processes, each with one connection.
const CONNECTIONS_DEFAULT_MAX: u64 = 4;

/// Plays games that are modules instead of those of the arguments, if there are any.
pub async fn run(
    args: &Args,
    modules: Vec<&'static dyn Game>,
    service: &Service,
    store: &Store,
) -> Result<Report, Error> {
    let outcome = measure(args, modules, service, store).await?;
    let fault = (!outcome.record.is_sound())
        .then_some("the acknowledged actions are not those that were recorded");
    let report = Report::json(&outcome);
    let lines = if args.json { report.lines } else { outcome.lines() };
    Ok(Report { lines, fault })
}

async fn measure(
    args: &Args,
    modules: Vec<&'static dyn Game>,
    service: &Service,
    store: &Store,
) -> Result<Outcome, Error> {
    let compiled_in = Mix::of(&args.games, args.seed, args.talk)?;
    let mut mix = compiled_in.clone();
    if !modules.is_empty() {
        mix.games = modules;
    }
    let client = service.connect().await?;
    let further = args.also.iter().cloned().map(|address| Service { address, ..service.clone() });
    let services: Vec<Service> = std::iter::once(service.clone()).chain(further).collect();
    let default = args.clients.min(CONNECTIONS_DEFAULT_MAX.max(services.len() as u64)) as usize;
    let count = args.connections.map_or(default, NonZero::get);
    let bar = progress(CREATING, args.matches);
    let planned = plan::plan(&client, store, &mix, 0..args.matches, &bar).await?;
    bar.finish_and_clear();
    let mut connections = Connection::connect_all(&services, count).await?;
    connections.iter_mut().for_each(|it| it.speak(args.texts.as_ref()));
    let programs = Programs::find(&services, store).await?;
    let length = Duration::from_secs(args.seconds);
    let (planned_later, supply) = mpsc::channel(1);
    let run = match args.seconds > REPLACED_AFTER_S {
        true => Run::endless(length, supply),
        false => {
            drop(supply);
            Run::new(length)
        }
    };
    #[expect(clippy::disallowed_methods, reason = "it ends with the measurement")]
    let showing = tokio::spawn(show(run.clone()));
    let acknowledged = || run.acknowledged.load(Relaxed);
    let driving = async {
        tokio::select! {
            tally = drive(args, run.clone(), connections, planned) => tally,
            never = plan::supply(&client, store, &mix, args.matches, planned_later) => match never {},
        }
    };
    // On several nodes each question about the lag takes a statement for each shard.
    let is_one = store.database().nodes().await?.len() < 2;
    let asked = is_one.then_some(&client);
    let driving = parts::sampled(&programs, length, acknowledged, asked, driving);
    let ((tally, samples), behind) = behind::sampled(store, driving).await?;
    let tally = tally.map_err(Refusal::from)?;
    showing.abort();

    let mut projections_behind = BTreeMap::new();
    for name in Model::ALL.map(Model::name) {
        let projection = client.history().projection(name).await?;
        projections_behind.insert(name, projection.lag.into());
    }
    let batches = record::batches(store, samples.began_time()).await?;
    let raw_time = Duration::from_secs(args.seconds).min(RAW_TIME_MAX);
    let raw_matches = args.matches.min(1000);
    let writers = (args.clients * args.stream.unwrap_or(1)).min(raw_matches);
    let postgres = programs.postgres.as_deref();
    let bare_commit_p50_ms = record::bare_commit_ms(store).await?;
    let raw =
        record::raw_append(store, &compiled_in, writers, raw_matches, raw_time, postgres).await?;

    let acknowledged = tally.took_us.len();
    let rate = per_second(acknowledged, samples.took());
    Ok(Outcome {
        clients: args.clients,
        connections: count,
        matches: args.matches,
        stream: args.stream,
        offered_per_second: args.rate,
        seconds: samples.took().as_secs_f64(),
        acknowledged,
        per_second: rate,
        latency_ms: Percentiles::of_us(&tally.took_us),
        p50_ms_by_hundred: tally
            .by_position_us
            .iter()
            .map(|band| band.value_at_quantile(0.5) as f64 / 1e3)
            .collect(),
        refusals: tally.refusals.clone(),
        refusal_latency_ms: Percentiles::of_us(&tally.refused_us),
        cpu_us_per_action: samples.cpu(acknowledged),
        service_memory_mb: samples
            .memory()
            .map(|(before, after)| Memory { before: before >> 20, after: after >> 20 }),
        projections_behind,
        read_models_behind: behind,
        batches: Batches::of(&batches),
        parts: samples.parts(&batches),
        share_of_raw_append: rate as f64 / raw.per_second.max(1) as f64,
        raw_append: raw,
        bare_commit_p50_ms,
        record: record::check(store, &tally).await?,
    })
}

async fn drive(
    args: &Args,
    run: Arc<Run>,
    connections: Vec<Connection>,
    planned: Vec<plan::Planned>,
) -> Result<Tally, Status> {
    let playing = planned.into_iter().map(Playing::new);
    if let Some(rate) = args.rate {
        let gap = Duration::from_secs(1) / u32::try_from(rate).unwrap_or(u32::MAX);
        return Ok(drive::open(run, connections, playing.collect(), gap).await);
    }
    let mut shares: Vec<Vec<Playing>> = (0..args.clients).map(|_| Vec::new()).collect();
    playing.zip((0..shares.len()).cycle()).for_each(|(it, nth)| shares[nth].push(it));
    let mut clients = JoinSet::new();
    for (share, connection) in shares.into_iter().zip(connections.iter().cycle()) {
        let (run, connection) = (run.clone(), connection.clone());
        match args.stream {
            Some(in_flight) => {
                clients.spawn(drive::streamed(run, connection, share, in_flight as usize));
            }
            None => _ = clients.spawn(async { Ok(drive::closed(run, connection, share).await) }),
        }
    }
    let mut tally = Tally::new();
    while let Some(client) = clients.join_next().await {
        tally.add(client.expect("a client does not panic")?);
    }
    Ok(tally)
}

/// Shows the progress until it is aborted.
async fn show(run: Arc<Run>) {
    if !std::io::stderr().is_terminal() {
        return;
    }
    let bar = progress("{elapsed} {msg}", 0);
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
        let us = |it: Option<f64>| it.map_or("not local".to_owned(), |it| format!("{it:.1} us"));
        let (cpu, raw, it) = (&self.cpu_us_per_action, &self.raw_append, &self.record);
        let mut lines = vec![
            format!(
                "{} actions/s: {} acknowledged in {:.1} s from {} clients on {} connections in {} matches",
                self.per_second,
                self.acknowledged,
                self.seconds,
                self.clients,
                self.connections,
                self.matches
            ),
            format!("  latency      {}", times(&self.latency_ms)),
            format!(
                "  CPU          service {}, Postgres {}, clients {:.1} us per action",
                us(cpu.service),
                us(cpu.postgres),
                cpu.clients
            ),
            format!(
                "  batches      {}, with {} entries on average and {} at most",
                self.batches.count, self.batches.mean, self.batches.max
            ),
            format!("  store alone  {} entries/s, {}", raw.per_second, times(&raw.latency_ms)),
            format!(
                "  ratios       {:.2} of the store's rate, {:.1} times a bare commit's p50 of {:.2} ms",
                self.share_of_raw_append,
                self.latency_ms.p50 / self.bare_commit_p50_ms,
                self.bare_commit_p50_ms
            ),
        ];
        if let (Some(first), [_, .., last]) =
            (self.p50_ms_by_hundred.first(), &self.p50_ms_by_hundred[..])
        {
            let from = (self.p50_ms_by_hundred.len() - 1) * drive::BAND;
            lines.push(format!(
                "  by position  p50 {first:.2} ms in the first hundred, {last:.2} ms after position {from}"
            ));
        }
        let behind = self.projections_behind.iter().map(|(name, lag)| format!("{name} {lag}"));
        let behind = behind.collect::<Vec<_>>().join(", ");
        lines.push(format!("  projections  {behind} entries behind at the end"));
        let behind = &self.read_models_behind;
        lines.push(format!(
            "  read models  {:.1} s behind in the median, {:.1} s at most, {:.1} s at the start, {:.1} s at the end",
            behind.p50_s, behind.max_s, behind.first_s, behind.last_s
        ));
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
        lines.extend(parts::lines(&self.parts));
        lines.push(match it.is_sound() {
            true => format!("  recorded     all {} acknowledged actions, each once", it.acknowledged),
            false => format!(
                "  recorded     WRONG: {} missing, {} duplicated, {} unexplained, {} misplaced, {} matches with gaps",
                it.missing, it.doubled, it.unexplained, it.misplaced, it.gaps
            ),
        });
        lines
    }
}
