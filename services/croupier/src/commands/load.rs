//! `croupier load`: a record full of matches, to try things out on.

use std::collections::BTreeMap;
use std::time::Duration;

use futures::{StreamExt, TryStreamExt, stream};
use games::{GAMES, Game, Playout};
use indicatif::{ProgressBar, ProgressStyle};
use store::{AppendError, Created, Draft, MatchId, NewMatch, Position, Store, Tags, append};
use table::{ChaCha, Chance, Entry, invariants};
use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::client::{Failure, Service};
use crate::database::Database;
use crate::print;
use crate::serve::LOCAL;

/// Fill the record with matches of every game, played at random to their ends
///
/// They go straight into the log, through its writer. The same seed gives the same matches, and
/// none is put in twice. They belong to the platform `local`, and are dated back, one after the
/// other, to the present.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    database: Database,
    /// How many matches, up to a million
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    matches: u64,
    /// How many players share them; some play more often than others
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(8..=1_000_000))]
    players: u64,
    /// Of what the matches are made
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
}

/// Matches at a time. Their entries together fit the writer's queue.
const MATCHES_AT_ONCE: usize = 8;
/// A match's entries at a time.
const ENTRIES_AT_ONCE: usize = 500;
/// Between the beginnings of two matches, and of two entries of a match.
const MATCH_PAUSE: Duration = Duration::from_secs(10);
const ENTRY_PAUSE: Duration = Duration::from_secs(1);
/// Tournaments that the matches are shared out among, by a tag.
const EVENTS: u64 = 20;

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let store = args.database.open(&service.data).await?;
    store.migrate().await?;
    store.create_platform(LOCAL, OffsetDateTime::now_utc()).await?;
    let drain = CancellationToken::new();
    let writer = append::Service::new(&store, append::Options::default());
    let loader =
        Loader { store: store.clone(), writer: writer.handle(), now: OffsetDateTime::now_utc() };
    let writing = tokio::spawn(writer.run(drain.clone()));
    let style = "{bar:40} {human_pos} of {human_len} matches, {per_sec}, {eta} to go";
    let style = ProgressStyle::with_template(style).expect("the template is sound");
    let bar = ProgressBar::new(args.matches).with_style(style);
    let entries = stream::iter(0..args.matches)
        .map(|nth| loader.load(&args, nth))
        .buffer_unordered(MATCHES_AT_ONCE)
        .inspect(|_| bar.inc(1))
        .try_fold(0, async |sum, entries| Ok(sum + entries))
        .await;
    bar.finish_and_clear();
    drain.cancel();
    let _ = writing.await;
    store.close().await;
    Ok(print::line(&format!("{} matches, {} new entries", args.matches, entries?))?)
}

struct Loader {
    store: Store,
    writer: append::Handle,
    now: OffsetDateTime,
}

impl Loader {
    /// Puts the nth match in, unless it is there; returns how many entries that took.
    async fn load(&self, args: &Args, nth: u64) -> Result<u64, Failure> {
        let game = GAMES[nth as usize % GAMES.len()];
        let seed = args.seed.wrapping_mul(1_000_003).wrapping_add(nth);
        let mut chance = ChaCha::of(invariants::key(seed), 0);
        let (least, most) = game.seats().into_inner();
        let seats = least + chance.below(usize::from(most - least) + 1) as u8;
        let before = MATCH_PAUSE * u32::try_from(args.matches - nth).unwrap_or(u32::MAX);
        let new = NewMatch {
            match_id: MatchId(id(args, nth)),
            platform: LOCAL.to_owned(),
            game: game.name().to_owned(),
            seats: seats.into(),
            players: players(args.players, seats, &mut chance),
            options: "{}".to_owned(),
            tags: Tags::from([("event".to_owned(), format!("cup-{}", nth % EVENTS))]),
            request_digest: Vec::new(),
            seed: invariants::key(seed),
            seed_commitment: *blake3::hash(&invariants::key(seed)).as_bytes(),
            reveal_wait_s: Some(0),
            create_time: self.now - before,
        };
        let after = match self.store.create(&new).await? {
            Created::Created => 0,
            Created::Repeated(row) => row.last.map_or(0, |last| last.position.0),
        };
        let playing = tokio::task::spawn_blocking(move || play(game, seats, seed));
        let entries = playing.await.expect("a match at random is played to its end");
        let drafts: Vec<Draft> = entries
            .iter()
            .zip(1..)
            .filter(|(_, position)| *position > after)
            .map(|(entry, position)| draft(&new, position, entry))
            .collect();
        for drafts in drafts.chunks(ENTRIES_AT_ONCE) {
            self.append(drafts).await?;
        }
        Ok(drafts.len() as u64)
    }

    /// Hands in entries that follow one another, all at once; those that were not recorded again,
    /// in order.
    async fn append(&self, drafts: &[Draft]) -> Result<(), Failure> {
        let appends = drafts.iter().map(|draft| self.writer.append(draft.clone()));
        let answers = futures::future::join_all(appends).await;
        for (draft, answer) in drafts.iter().zip(answers) {
            let mut answer = answer;
            while !matches!(answer, Ok(append::Append::Recorded)) {
                match answer {
                    Err(AppendError::Closed | AppendError::Invalid | AppendError::Full) => {
                        return Err(Failure::Missing("the log takes no more entries".to_owned()));
                    }
                    _ => tokio::time::sleep(Duration::from_millis(20)).await,
                }
                answer = self.writer.append(draft.clone()).await;
            }
        }
        Ok(())
    }
}

/// The same match of the same load has the same id.
fn id(args: &Args, nth: u64) -> Uuid {
    let mut hash = blake3::Hasher::new_derive_key("croupier: match of a load");
    [args.seed, args.players, nth].iter().for_each(|number| _ = hash.update(&number.to_le_bytes()));
    let bytes = hash.finalize();
    let half = bytes.as_bytes()[..16].try_into().expect("a hash has 32 bytes");
    uuid::Builder::from_custom_bytes(half).into_uuid()
}

/// Different players, low numbers more often than high ones.
fn players(count: u64, seats: u8, chance: &mut ChaCha) -> Vec<Option<String>> {
    let mut seated: Vec<usize> = Vec::new();
    while seated.len() < seats.into() {
        let player = chance.below(count as usize).min(chance.below(count as usize));
        if !seated.contains(&player) {
            seated.push(player);
        }
    }
    seated.into_iter().map(|player| Some(format!("player-{player}"))).collect()
}

/// The entries of a match that is played at random to its end.
pub(super) fn play(game: &'static dyn Game, seats: u8, seed: u64) -> Vec<Entry> {
    let options = game.check_options(&BTreeMap::new(), seats);
    let options = options.expect("the defaults fit any number of seats");
    let Playout { opening, steps } = game.playout(seats, &options, invariants::key(seed));
    std::iter::once(opening.1).chain(steps.into_iter().map(|step| step.entry)).collect()
}

fn draft(new: &NewMatch, position: i64, entry: &Entry) -> Draft {
    let since = ENTRY_PAUSE * u32::try_from(position).unwrap_or(u32::MAX);
    Draft {
        match_id: new.match_id,
        position: Position(position),
        request_id: None,
        create_time: new.create_time + since,
        body: entry.encode(),
    }
}
