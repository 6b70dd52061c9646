//! The rate and latency of reads of tables from a running service.

use std::num::NonZero;
use std::slice;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use bytes::Bytes;
use contract::names::match_name;
use contract::v1::GetViewRequest;
use croupier_client::Refusal;
use futures::{StreamExt, TryStreamExt, stream};
use hdrhistogram::Histogram;
use prost::Message;
use serde::Serialize;
use store::Store;
use tokio::task::JoinSet;
use tonic::Status;
use tonic::metadata::{Ascii, MetadataValue};

use crate::connection::Connection;
use crate::parts::{self, Part};
use crate::plan::{self, Mix, Planned};
use crate::report::{CREATING, Error, Percentiles, Report, histogram, per_second, progress};
use crate::service::Service;
use crate::usage::{Cpu, Programs};

/// Read the tables of a running service's matches, as clients without a stream do
///
/// Prints a JSON object. The command fails if a response does not show the table after the last
/// action.
#[derive(clap::Args)]
pub struct Args {
    /// The games of the matches, in rotation [default: all games]
    #[arg(long = "game", value_name = "NAME")]
    games: Vec<String>,
    /// The number of matches to read, in rotation
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    matches: u64,
    /// The number of clients, each of which reads again once it has its response
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    clients: u64,
    /// The number of connections that the clients share
    #[arg(long, value_name = "N", default_value = "4")]
    connections: NonZero<usize>,
    /// The duration, in seconds
    #[arg(long, value_name = "S", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3600))]
    seconds: u64,
    /// Ask for texts in this language, such as `de` [default: no texts]
    #[arg(long, value_name = "LANG")]
    texts: Option<MetadataValue<Ascii>>,
}

#[derive(Serialize)]
struct Outcome {
    clients: u64,
    connections: usize,
    matches: u64,
    reads: u64,
    per_second: u64,
    latency_ms: Percentiles,
    cpu_us_per_read: Cpu,
    parts: Vec<Part>,
}

/// An encoded request, and the position that the response must show.
struct Read {
    request: Bytes,
    position: i64,
}

/// How far matches are played before the reads begin.
const ACTIONS: usize = 20;
/// The number of matches played concurrently before that.
const AT_ONCE: usize = 64;

pub async fn run(args: &Args, service: &Service, store: &Store) -> Result<Report, Error> {
    Ok(Report::json(&measure(args, service, store).await?))
}

async fn measure(args: &Args, service: &Service, store: &Store) -> Result<Outcome, Error> {
    let client = service.connect().await?;
    let bar = progress(CREATING, args.matches);
    let mix = Mix::of(&args.games, 0, None)?;
    let planned = plan::plan(&client, store, &mix, 0..args.matches, &bar).await?;
    bar.finish_and_clear();
    let mut connections =
        Connection::connect_all(slice::from_ref(service), args.connections.get()).await?;
    connections.iter_mut().for_each(|it| it.speak(args.texts.as_ref()));
    let begun = stream::iter(planned).map(|it| play(&connections[0], it)).buffer_unordered(AT_ONCE);
    let reads: Arc<[Read]> = begun.try_collect::<Vec<_>>().await.map_err(Refusal::from)?.into();

    let programs = Programs::find(slice::from_ref(service), store).await?;
    let length = Duration::from_secs(args.seconds);
    let until = Instant::now() + length;
    let done = Arc::new(AtomicU64::new(0));
    let mut clients = JoinSet::new();
    for (nth, connection) in (0..args.clients as usize).zip(connections.iter().cycle()) {
        let (connection, reads, done) = (connection.clone(), reads.clone(), done.clone());
        clients.spawn(read(connection, reads, nth, args.clients as usize, until, done));
    }
    let reading = async {
        let mut took_us = histogram();
        while let Some(read) = clients.join_next().await {
            took_us.add(read.expect("a client does not panic")?).expect("the same precision");
        }
        Ok::<_, Status>(took_us)
    };
    let (took_us, samples) =
        parts::sampled(&programs, length, || done.load(Relaxed), None, reading).await;
    let took_us = took_us.map_err(Refusal::from)?;
    Ok(Outcome {
        clients: args.clients,
        connections: args.connections.get(),
        matches: args.matches,
        reads: took_us.len(),
        per_second: per_second(took_us.len(), samples.took()),
        latency_ms: Percentiles::of_us(&took_us),
        cpu_us_per_read: samples.cpu(took_us.len()),
        parts: samples.parts(&[]),
    })
}

/// Plays the first [`ACTIONS`] of a match.
async fn play(connection: &Connection, it: Planned) -> Result<Read, Status> {
    let mut position = plan::position(0) - 1;
    for request in it.requests.into_iter().take(ACTIONS) {
        position = connection.submit(request).await?;
    }
    let request = GetViewRequest {
        name: match_name(it.match_id.0),
        viewer: "spectator".to_owned(),
        ..GetViewRequest::default()
    };
    Ok(Read { request: request.encode_to_vec().into(), position })
}

/// Reads one match after another, and returns how long each read took, in microseconds.
async fn read(
    connection: Connection,
    reads: Arc<[Read]>,
    first: usize,
    step: usize,
    until: Instant,
    done: Arc<AtomicU64>,
) -> Result<Histogram<u64>, Status> {
    let mut took_us = histogram();
    let mut nth = first;
    while Instant::now() < until {
        let Read { request, position } = &reads[nth % reads.len()];
        let began = Instant::now();
        let shown = connection.view(request.clone()).await?;
        if shown != *position {
            return Err(Status::data_loss(format!(
                "a response shows position {shown}, not {position}"
            )));
        }
        took_us.saturating_record(began.elapsed().as_micros() as u64);
        done.fetch_add(1, Relaxed);
        nth += step;
    }
    Ok(took_us)
}
