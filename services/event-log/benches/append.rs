//! Measures throughput and latency of appends: with 1, 64 and 256 callers, each of which appends to
//! its own streams as fast as it is answered, divided among one, two and four writers on one
//! database: first independently, then with a preferred writer.
//!
//! Run `DATABASE_URL=postgres://… cargo bench --manifest-path services/event-log/Cargo.toml`. The
//! benchmark creates its own database on that server and drops it at the end.

#![expect(clippy::disallowed_methods, reason = "these tasks end with the bench")]

use event_log::append::{self, Append, Draft, Listening, Premise};
use event_log::{Database, Digest, Epoch, Log, Options, Position, StreamId, Tables};
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Executor};
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

const TABLES: Tables = Tables {
    entries: "entries",
    stream: "stream",
    buckets: "buckets",
    writers: "writers",
    terms: "terms",
    servers: "servers",
    header: None,
    companion: None,
    rights: None,
};
const CALLERS: [usize; 3] = [1, 64, 256];
const PROCESSES: [usize; 3] = [1, 2, 4];
const ROUND: Duration = Duration::from_secs(5);
/// The size of a usual entry.
const BODY: &[u8] = &[7; 60];

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = std::env::var("DATABASE_URL")
        .map_err(|_| "set DATABASE_URL to the URL of a Postgres server")?;
    let server: PgConnectOptions = url.parse()?;
    let database = format!("append_{}", Uuid::new_v4().simple());
    let mut connection = server.connect().await?;
    connection.execute(AssertSqlSafe(format!("create database {database}"))).await?;
    let measured = measure(server.database(&database)).await;
    connection.execute(AssertSqlSafe(format!("drop database {database} with (force)"))).await?;
    measured
}

async fn measure(database: PgConnectOptions) -> Result<(), Box<dyn std::error::Error>> {
    let mut processes = Vec::new();
    let mut connection = database.connect().await?;
    connection.execute(AssertSqlSafe(TABLES.creation())).await?;
    connection.execute(AssertSqlSafe(TABLES.creation_of_terms())).await?;
    for _ in 0..PROCESSES[PROCESSES.len() - 1] {
        let database = Database::connect(database::Options::new(database.clone())).await?;
        processes.push(Log::new(&database, Options::new(TABLES)));
    }
    for with_peers in [false, true] {
        println!("{}", if with_peers { "with a preferred writer" } else { "each writes itself" });
        for count in PROCESSES {
            for callers in CALLERS {
                round(&processes[..count], callers, with_peers).await?;
            }
        }
    }
    for process in processes {
        process.database().close().await;
    }
    Ok(())
}

/// Measures a number of callers, divided among these processes.
async fn round(
    processes: &[Log],
    callers: usize,
    with_peers: bool,
) -> Result<(), Box<dyn std::error::Error>> {
    let drain = CancellationToken::new();
    let (mut writers, mut services) = (Vec::new(), Vec::new());
    for log in processes {
        let mut service = append::Service::new(log, append::Options::default());
        if with_peers {
            let listener = TcpListener::bind("127.0.0.1:0").await?;
            let address = listener.local_addr()?.to_string();
            service = service.with_peers(Some(Listening { listener, address }));
        }
        writers.push(service.handle());
        services.push(tokio::spawn(service.run(drain.clone())));
    }
    // Until they have found each other.
    tokio::time::sleep(if with_peers { Duration::from_secs(3) } else { Duration::ZERO }).await;
    let end = Instant::now() + ROUND;
    let mut playing = Vec::new();
    for (_, writer) in (0..callers.max(processes.len())).zip(writers.iter().cycle()) {
        playing.push(tokio::spawn(play(writer.clone(), end)));
    }
    let mut waits = Vec::new();
    for caller in playing {
        waits.extend(caller.await.expect("a caller does not panic"));
    }
    waits.sort_unstable();
    let percentile = |percent: usize| waits[(waits.len() - 1) * percent / 100];
    let sum = |count: fn(append::Statistics) -> u64| {
        writers.iter().map(|writer| count(writer.statistics())).sum::<u64>()
    };
    let (batches, conflicts) =
        (sum(|statistics| statistics.batches), sum(|statistics| statistics.conflicts));
    println!(
        "{} x {callers:>3} callers: {:>7} entries/s, p50 {:>9.1?}, p99 {:>9.1?}, {} entries a batch, {conflicts} of {} batches refused",
        processes.len(),
        waits.len() as u64 / ROUND.as_secs(),
        percentile(50),
        percentile(99),
        waits.len() as u64 / batches.max(1),
        batches + conflicts,
    );
    drain.cancel();
    for service in services {
        service.await.expect("the writer does not panic");
    }
    Ok(())
}

async fn play(writer: append::Handle, end: Instant) -> Vec<Duration> {
    let mut waits = Vec::new();
    let (mut stream, mut position) = (StreamId(Uuid::new_v4()), Position::START);
    let mut before = None;
    while Instant::now() < end {
        let (began, create_time) = (Instant::now(), test_database::now());
        // As much work as the service does for an entry.
        let digest = blake3::keyed_hash(&[7; 32], &position.0.to_le_bytes());
        let digest = Digest::from(*blake3::keyed_hash(digest.as_bytes(), BODY).as_bytes());
        let draft = Draft {
            stream,
            position: position.next(),
            request_id: Some(format!("request-{}", position.0)),
            create_time,
            body: BODY.into(),
            before,
            digest,
            epoch: Epoch::default(),
            companion: None,
            premise: Premise::default(),
        };
        assert_eq!(writer.append(draft).await, Ok(Append::Recorded));
        waits.push(began.elapsed());
        (position, before) = (position.next(), Some(digest));
        if position.0 == 200 {
            (stream, position, before) = (StreamId(Uuid::new_v4()), Position::START, None);
        }
    }
    waits
}
