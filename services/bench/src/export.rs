//! The speed of import, export, streaming and reads at past positions.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use accounts::Accounts;
use event_log::follow;
use futures::StreamExt;
use games::Game;
use matches::{
    AsOf, Caller, EntryFilter, Matches, RequestedViewer, Sink, StreamStart, StreamTiming,
};
use positions::{Digest, Position, Recorded};
use records::{Verified, WholeMatch};
use rows::{MatchId, MatchRow};
use serde::Serialize;
use store::Store;
use table::{Chance, Entry, invariants};
use tokio_util::sync::CancellationToken;
use transfer::{AT_ONCE, Exporter, Importer};
use uuid::Uuid;

use crate::clock::now;
use crate::playout::{play, terms};
use crate::report::{Error, Report, per_second};

/// Import, export and stream matches and read their past positions, on a temporary database
///
/// Prints a JSON object.
#[derive(clap::Args)]
pub struct Args {
    /// The number of matches
    #[arg(long, value_name = "N", default_value_t = 1000)]
    matches: u64,
    /// The number of reads of past positions
    #[arg(long, value_name = "N", default_value_t = 2000)]
    views: usize,
}

/// Rates are entries per second.
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

/// The platform of the matches.
const PLATFORM: &str = "bench";

/// Needs an empty store: other matches would be exported and streamed too.
pub async fn run(args: &Args, store: &Store) -> Result<Report, Error> {
    schema::migrate(store.database()).await?;
    let (entries, importing) = import(store, args.matches).await?;

    let began = Instant::now();
    let mut exporter = Exporter::new(store, ByteCount(0), false, true)?;
    exporter.all(Some(PLATFORM), None).await?;
    let exporting = began.elapsed();
    let bytes = exporter.into_output().0;

    let matches = open_matches(store).await?;
    let streaming = stream(&matches, entries).await?;
    let mut views = views(&matches, store, args.views).await?;
    views.sort_unstable();
    let millis = |part: usize| views[(views.len() - 1) * part / 100].as_secs_f64() * 1000.0;
    let rate = |time| per_second(entries as u64, time);
    Ok(Report::json(&Outcome {
        matches: args.matches,
        entries,
        import_per_second: rate(importing),
        export_per_second: rate(exporting),
        export_bytes_per_entry: bytes / entries.max(1),
        stream_per_second: rate(streaming),
        view_p50_ms: millis(50),
        view_p99_ms: millis(99),
        view_max_ms: millis(100),
    }))
}

/// Plays random matches of all games in rotation, and imports them.
async fn import(store: &Store, matches: u64) -> Result<(usize, Duration), Error> {
    let played: Vec<WholeMatch> = (0..matches).map(played).collect();
    let entries = played.iter().map(|it| it.entries.len()).sum();
    let importer = Importer::new(store);
    let began = Instant::now();
    let imports = futures::stream::iter(&played).map(|it| importer.import(it));
    let imports: Vec<_> = imports.buffer_unordered(AT_ONCE).collect().await;
    imports.into_iter().collect::<Result<Vec<_>, _>>()?;
    let importing = began.elapsed();
    importer.finish().await;
    Ok((entries, importing))
}

fn played(seed: u64) -> WholeMatch {
    let game: &'static dyn Game = games::GAMES[seed as usize % games::GAMES.len()];
    let seats = *game.seats().start();
    let (match_id, key) = (MatchId(Uuid::new_v4()), invariants::key(seed));
    let decoded = play(game, seats, match_id, &key);
    let now = now().replace_nanosecond(0).expect("a whole second");
    let recorded = |(position, entry): (i64, &Entry)| Recorded {
        position: Position(position),
        bucket_position: 0,
        request_id: Some(position.to_string()),
        create_time: now,
        body: entry.encode(),
        digest: Some(Digest::from(*blake3::hash(&position.to_le_bytes()).as_bytes())),
    };
    WholeMatch {
        row: MatchRow {
            match_id,
            platform: PLATFORM.to_owned(),
            game: game.name().to_owned(),
            seats: seats.into(),
            terms: terms(&key),
            request_digest: Vec::new(),
            next: None,
            is_in_lobby: false,
            display_name: None,
            create_time: now,
            seated: (0..seats)
                .map(|seat| rows::SeatRow {
                    seat: seat.into(),
                    player: format!("player {seat}"),
                    display_name: None,
                    request_id: None,
                    create_time: now,
                    speech_key: None,
                    is_erased: false,
                    before: Vec::new(),
                })
                .collect(),
            last: None,
        },
        game,
        seed: Some(key),
        entries: (1..).zip(&decoded).map(recorded).collect(),
        decoded,
        verified: Verified { is_over: true, has_seed: true, ..Verified::default() },
    }
}

/// The use cases on this store, without a server.
async fn open_matches(store: &Store) -> Result<Matches, Error> {
    let sink = Sink::new(&matches::Options::default());
    let writer =
        event_log::append::Service::new(store.log(), event_log::append::Options::default());
    let follower = follow::Service::new(store.log(), follow::Options::default(), |_, _| {}).await?;
    let drain = CancellationToken::new();
    let reader = projector::Reader::new(store, projector::Handle::default());
    let accounts = Accounts::new(store.database());
    Ok(Matches::new(
        store.clone(),
        accounts,
        writer.handle(),
        follower.handle(),
        reader,
        sink,
        drain,
    ))
}

fn caller() -> Caller {
    Caller::service(PLATFORM)
}

async fn stream(matches: &Matches, entries: usize) -> Result<Duration, Error> {
    let wait = Duration::from_secs(60);
    let timing = StreamTiming { heartbeat: wait, take_wait: wait };
    let began = Instant::now();
    let mut stream =
        matches.stream(&caller(), EntryFilter::default(), StreamStart::Beginning, timing).await?;
    let mut received = 0;
    while received < entries {
        let batch =
            stream.next().await.expect("the stream has no end").map_err(|ended| ended.error)?;
        received += batch.entries.len();
    }
    Ok(began.elapsed())
}

/// The times of reads at random positions of random matches, including those not in memory.
async fn views(matches: &Matches, store: &Store, count: usize) -> Result<Vec<Duration>, Error> {
    let rows = store.oldest(PLATFORM, None, 200).await?;
    let mut chance = table::ChaCha::of(invariants::key(1), 1);
    let mut times = Vec::new();
    for _ in 0..count {
        let row = &rows[chance.below(rows.len())];
        let last = row.last.as_ref().expect("every match has entries").position.0;
        let at = Position(
            1 + chance.below(usize::try_from(last).expect("a match has few entries")) as i64,
        );
        let began = Instant::now();
        matches.view(&caller(), row.match_id, RequestedViewer::Own, AsOf::Position(at)).await?;
        times.push(began.elapsed());
    }
    Ok(times)
}

/// Counts the bytes written, and discards them.
struct ByteCount(usize);

impl Write for ByteCount {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
