//! `croupier bench export`: how fast history is read, measured where it runs.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use futures::StreamExt;
use games::Game;
use matches::{
    AsOf, Caller, EntryFilter, Grant, Matches, RequestedViewer, Sink, StreamStart, StreamTiming,
};
use serde::Serialize;
use store::{MatchId, MatchRow, Position, Recorded, Store, follow};
use table::{Chance, Entry, invariants};
use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::client::Failure;
use crate::commands::export::Export;
use crate::commands::import::{Importer, TAKEN_AT_ONCE};
use crate::commands::load;
use crate::file::{Deals, Verified, WholeMatch};
use crate::postgres::{Options, Postgres};
use crate::print;

/// Import, export and stream matches and look back at them, on a database of its own
#[derive(clap::Args)]
pub struct Args {
    /// How many matches to measure on
    #[arg(long, value_name = "N", default_value_t = 1000)]
    matches: u64,
    /// How many reads of past positions
    #[arg(long, value_name = "N", default_value_t = 2000)]
    views: usize,
}

/// What was measured. Rates are entries a second, times milliseconds.
#[derive(Serialize)]
struct Outcome {
    matches: u64,
    entries: usize,
    import_per_second: u64,
    export_per_second: u64,
    export_bytes_per_entry: usize,
    stream_per_second: u64,
    view_p50_ms: f64,
    view_p99_ms: f64,
    view_max_ms: f64,
}

/// Whose matches they are.
const PLATFORM: &str = "bench";

pub async fn run(args: Args) -> Result<(), Failure> {
    let folder = std::env::temp_dir().join(format!("croupier-bench-{}", Uuid::new_v4().simple()));
    let outcome = measure_in(&folder, &args).await;
    let _ = fs::remove_dir_all(&folder);
    Ok(print::line(&serde_json::to_string(&outcome?).expect("an outcome has a JSON form"))?)
}

async fn measure_in(folder: &Path, args: &Args) -> Result<Outcome, Failure> {
    let postgres = Postgres::start(folder.join("postgres"), Options::default()).await?;
    let outcome = measure(args, &postgres).await;
    postgres.stop().await;
    outcome
}

async fn measure(args: &Args, postgres: &Postgres) -> Result<Outcome, Failure> {
    let store = Store::connect(store::Options::new(postgres.options())).await?;
    store.migrate().await?;
    let (entries, importing) = import(&store, args.matches).await?;

    let began = Instant::now();
    let mut export = Export::new(&store, Counted(0), false, true)?;
    export.all(Some(PLATFORM), None).await?;
    let exporting = began.elapsed();
    let bytes = export.into_output().0;

    let matches = open_matches(&store).await?;
    let streaming = stream(&matches, entries).await?;
    let mut views = views(&matches, &store, args.views).await?;
    views.sort_unstable();
    let millis = |part: usize| views[(views.len() - 1) * part / 100].as_secs_f64() * 1000.0;
    store.close().await;
    Ok(Outcome {
        matches: args.matches,
        entries,
        import_per_second: rate(entries, importing),
        export_per_second: rate(entries, exporting),
        export_bytes_per_entry: bytes / entries.max(1),
        stream_per_second: rate(entries, streaming),
        view_p50_ms: millis(50),
        view_p99_ms: millis(99),
        view_max_ms: millis(100),
    })
}

fn rate(entries: usize, time: Duration) -> u64 {
    (entries as f64 / time.as_secs_f64()) as u64
}

/// Plays matches of all games by turns, at random, and records them.
async fn import(store: &Store, matches: u64) -> Result<(usize, Duration), Failure> {
    let played: Vec<WholeMatch> = (0..matches).map(played).collect();
    let entries = played.iter().map(|it| it.entries.len()).sum();
    let importer = Importer::new(store);
    let began = Instant::now();
    let taken = futures::stream::iter(&played).map(|it| importer.take(it));
    let taken: Vec<_> = taken.buffer_unordered(TAKEN_AT_ONCE).collect().await;
    taken.into_iter().collect::<Result<Vec<_>, _>>()?;
    let importing = began.elapsed();
    importer.finish().await;
    Ok((entries, importing))
}

fn played(seed: u64) -> WholeMatch {
    let game: &'static dyn Game = games::GAMES[seed as usize % games::GAMES.len()];
    let seats = *game.seats().start();
    let decoded = load::play(game, seats, seed);
    let now = OffsetDateTime::now_utc();
    let now = now.replace_nanosecond(0).expect("a whole second");
    let recorded = |(position, entry): (i64, &Entry)| Recorded {
        position: Position(position),
        bucket_position: 0,
        request_id: Some(position.to_string()),
        create_time: now,
        body: entry.encode(),
    };
    let key = invariants::key(seed);
    WholeMatch {
        row: MatchRow {
            match_id: MatchId(Uuid::new_v4()),
            platform: PLATFORM.to_owned(),
            game: game.name().to_owned(),
            seats: seats.into(),
            options: "{}".to_owned(),
            request_digest: Vec::new(),
            seed_commitment: blake3::hash(&key).as_bytes().to_vec(),
            reveal_wait_s: Some(0),
            create_time: now,
            seated: (0..seats)
                .map(|seat| store::SeatRow {
                    seat: seat.into(),
                    player: format!("player {seat}"),
                    request_id: None,
                    create_time: now,
                })
                .collect(),
            last: None,
        },
        game,
        seed: Some(key),
        entries: (1..).zip(&decoded).map(recorded).collect(),
        decoded,
        verified: Verified { is_over: true, deals: Deals::Verified },
    }
}

/// The use cases over this log, without a port.
async fn open_matches(store: &Store) -> Result<Matches, Failure> {
    let sink = Sink::new(&matches::Options::default());
    let writer = store::append::Service::new(store, store::append::Options::default());
    let follower = follow::Service::new(store, follow::Options::default(), |_, _| {}).await?;
    let drain = CancellationToken::new();
    let reader = projector::Reader::new(store, projector::Handle::default());
    Ok(Matches::new(store.clone(), writer.handle(), follower.handle(), reader, sink, drain))
}

fn caller() -> Caller {
    Caller { platform: PLATFORM.to_owned(), grant: Grant::Platform }
}

async fn stream(matches: &Matches, entries: usize) -> Result<Duration, Failure> {
    let wait = Duration::from_secs(60);
    let timing = StreamTiming { heartbeat: wait, take_wait: wait };
    let began = Instant::now();
    let mut stream =
        matches.stream(&caller(), EntryFilter::default(), StreamStart::Beginning, timing).await?;
    let mut told = 0;
    while told < entries {
        let batch = stream.next().await.expect("it goes on").map_err(|broken| broken.error)?;
        told += batch.entries.len();
    }
    Ok(began.elapsed())
}

/// How long reads of random positions of random matches take, cold reads included.
async fn views(matches: &Matches, store: &Store, count: usize) -> Result<Vec<Duration>, Failure> {
    let rows = store.oldest(PLATFORM, None, 200).await?;
    let mut chance = table::ChaCha::of(invariants::key(1), 1);
    let mut times = Vec::new();
    for _ in 0..count {
        let row = &rows[chance.below(rows.len())];
        let last = row.last.as_ref().expect("it was played").position.0;
        let at = Position(1 + chance.below(usize::try_from(last).expect("few entries")) as i64);
        let began = Instant::now();
        matches.view(&caller(), row.match_id, RequestedViewer::Own, AsOf::Position(at)).await?;
        times.push(began.elapsed());
    }
    Ok(times)
}

/// Counts what is written, and forgets it.
pub struct Counted(usize);

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
