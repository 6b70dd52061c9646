//! `croupier bench reads`: how fast tables are read.

use std::num::NonZero;
use std::sync::Arc;
use std::time::{Duration, Instant};

use api::match_name;
use api::v1::GetViewRequest;
use bytes::Bytes;
use futures::{StreamExt, TryStreamExt, stream};
use hdrhistogram::Histogram;
use prost::Message;
use serde::Serialize;
use store::Store;
use tokio::task::JoinSet;
use tonic::Status;

use super::plan::{self, Mix, Planned};
use super::usage::{Cpu, Programs};
use super::wire::Wire;
use super::{Percentiles, bar, histogram};
use crate::client::{Client, Failure, Service};
use crate::database::Database;
use crate::print;

/// Look at the tables of a running service's matches, as those do who play or watch without a
/// stream
///
/// Prints an object of JSON. The command fails if a table is not shown as it stands after the last
/// action.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    database: Database,
    /// How many matches are looked at by turns
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    matches: u64,
    /// How many clients look, each again when it has its answer
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    clients: u64,
    /// How many connections they share
    #[arg(long, value_name = "N", default_value = "4")]
    connections: NonZero<usize>,
    /// For how long
    #[arg(long, value_name = "S", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3600))]
    seconds: u64,
}

/// What was measured.
#[derive(Serialize)]
struct Outcome {
    clients: u64,
    connections: usize,
    matches: u64,
    reads: u64,
    per_second: u64,
    latency_ms: Percentiles,
    cpu_us_per_look: Cpu,
}

/// A look, encoded, and the position at which the table is to be shown.
struct Read {
    request: Bytes,
    position: i64,
}

/// How far matches are played before the reads begin.
const ACTIONS: usize = 20;
/// Matches played at a time meanwhile.
const AT_ONCE: usize = 64;

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let store = args.database.open(&service.data).await?;
    let outcome = measure(&args, service, &store).await?;
    store.close().await;
    Ok(print::line(&serde_json::to_string(&outcome).expect("an outcome has a JSON form"))?)
}

async fn measure(args: &Args, service: &Service, store: &Store) -> Result<Outcome, Failure> {
    let client = Client::connect(service).await?;
    let bar = bar("creating {pos} of {len} matches {wide_bar}", args.matches);
    let planned = plan::plan(&client, store, &Mix::of(&[], 0, None)?, args.matches, &bar).await?;
    bar.finish_and_clear();
    let wires = Wire::connect_all(service, args.connections.get()).await?;
    let begun = stream::iter(planned).map(|it| begin(&wires[0], it)).buffer_unordered(AT_ONCE);
    let reads: Arc<[Read]> =
        begun.try_collect::<Vec<_>>().await.map_err(|status| client.failure(&status))?.into();

    let programs = Programs::find(service, store).await?;
    let before = programs.count();
    let began = Instant::now();
    let until = began + Duration::from_secs(args.seconds);
    let mut clients = JoinSet::new();
    for (nth, wire) in (0..args.clients as usize).zip(wires.iter().cycle()) {
        clients.spawn(read(wire.clone(), reads.clone(), nth, args.clients as usize, until));
    }
    let mut took_us = histogram();
    while let Some(looked) = clients.join_next().await {
        let looked = looked.expect("a client ends in time");
        let its = looked.map_err(|status| client.failure(&status))?;
        took_us.add(its).expect("both are as precise");
    }
    let elapsed = began.elapsed();
    Ok(Outcome {
        clients: args.clients,
        connections: args.connections.get(),
        matches: args.matches,
        reads: took_us.len(),
        per_second: (took_us.len() as f64 / elapsed.as_secs_f64()) as u64,
        latency_ms: Percentiles::of(&took_us),
        cpu_us_per_look: programs.count().cpu_since(&before, took_us.len()),
    })
}

/// Plays a match for a while.
async fn begin(wire: &Wire, it: Planned) -> Result<Read, Status> {
    let mut position = plan::position(0) - 1;
    for request in it.requests.into_iter().take(ACTIONS) {
        position = wire.submit(request).await?;
    }
    let request = GetViewRequest {
        name: match_name(it.match_id),
        viewer: "spectator".to_owned(),
        ..GetViewRequest::default()
    };
    Ok(Read { request: request.encode_to_vec().into(), position })
}

/// Looks at one match after the other, and returns how long each look took, in microseconds.
async fn read(
    wire: Wire,
    reads: Arc<[Read]>,
    first: usize,
    step: usize,
    until: Instant,
) -> Result<Histogram<u64>, Status> {
    let mut took_us = histogram();
    let mut nth = first;
    while Instant::now() < until {
        let Read { request, position } = &reads[nth % reads.len()];
        let asked = Instant::now();
        let seen = wire.view(request.clone()).await?;
        if seen != *position {
            return Err(Status::data_loss(format!(
                "a table is shown at {seen}, not at {position}"
            )));
        }
        took_us.saturating_record(asked.elapsed().as_micros() as u64);
        nth += step;
    }
    Ok(took_us)
}
