//! Fills a store with random matches, as data for queries and measurements.

use std::time::Duration;

use accounts::Accounts;
use event_log::{AppendError, Draft, Epoch, Premise, append};
use futures::{StreamExt, TryStreamExt, stream};
use games::GAMES;
use positions::Position;
use records::{Chain, Digested};
use rows::{MatchId, NewMatch, Tags};
use store::{Created, Store};
use table::{ChaCha, Chance, Entry, invariants};
use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::playout::{new_match, play};
use crate::record::PLATFORM;
use crate::report::{Error, Report, progress};

/// Fill the database with random matches of every game, played to their ends
///
/// The matches are written to the event store directly. The same seed gives the same matches, and
/// none is written twice. They belong to the platform `local`, and their creation times lead up to
/// the present.
#[derive(clap::Args)]
pub struct Args {
    /// The number of matches, up to a million
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    matches: u64,
    /// The number of players; some play more often than others
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(8..=1_000_000))]
    players: u64,
    /// The seed of the matches
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
}

/// Matches written concurrently. Their entries together fit the writer's queue.
const MATCHES_AT_ONCE: usize = 8;
/// Entries of one match written concurrently.
const ENTRIES_AT_ONCE: usize = 500;
/// The time between the creation of two matches, and between two entries of a match.
const MATCH_PAUSE: Duration = Duration::from_secs(10);
const ENTRY_PAUSE: Duration = Duration::from_secs(1);
/// The number of tournaments, which are the values of a tag.
const EVENTS: u64 = 20;

pub async fn run(args: &Args, store: &Store) -> Result<Report, Error> {
    schema::migrate(store.database()).await?;
    #[expect(clippy::disallowed_methods, reason = "it is a part of loading")]
    Accounts::new(store.database())
        .create_platform(PLATFORM, store.database().clock().now())
        .await?;
    let drain = CancellationToken::new();
    let writer = append::Service::new(store.log(), append::Options::default());
    let now = store.database().clock().now();
    let loader = Loader { store, writer: writer.handle(), now };
    #[expect(clippy::disallowed_methods, reason = "loading without it fails")]
    let writing = tokio::spawn(writer.run(drain.clone()));
    let bar = progress(
        "{bar:40} {human_pos} of {human_len} matches, {per_sec}, {eta} left",
        args.matches,
    );
    let entries = stream::iter(0..args.matches)
        .map(|nth| loader.load(args, nth))
        .buffer_unordered(MATCHES_AT_ONCE)
        .inspect(|_| bar.inc(1))
        .try_fold(0, async |sum, entries| Ok(sum + entries))
        .await;
    bar.finish_and_clear();
    drain.cancel();
    let _ = writing.await;
    let line = format!("{} matches, {} new entries", args.matches, entries?);
    Ok(Report { lines: vec![line], fault: None })
}

struct Loader<'s> {
    store: &'s Store,
    writer: append::Handle,
    now: OffsetDateTime,
}

impl Loader<'_> {
    /// Writes the n-th match, or its missing entries. Returns the number of new entries.
    async fn load(&self, args: &Args, nth: u64) -> Result<u64, Error> {
        let game = GAMES[nth as usize % GAMES.len()];
        let seed = args.seed.wrapping_mul(1_000_003).wrapping_add(nth);
        let mut chance = ChaCha::of(invariants::key(seed), 0);
        let (least, most) = game.seats().into_inner();
        let seats = least + chance.below(usize::from(most - least) + 1) as u8;
        let before = MATCH_PAUSE * u32::try_from(args.matches - nth).unwrap_or(u32::MAX);
        let (match_id, key) = (MatchId(id(args, nth)), invariants::key(seed));
        let new = NewMatch {
            players: players(args.players, seats, &mut chance),
            tags: Tags::from([("event".to_owned(), format!("cup-{}", nth % EVENTS))]),
            create_time: self.now - before,
            ..new_match(match_id, PLATFORM, game, seats, key)
        };
        let after = match self.store.create(&new).await? {
            Created::Created | Created::PreviousFollowed(_) | Created::SeekEnded => 0,
            Created::Repeated(row) => row.last.map_or(0, |last| last.position.0),
            // Only matches with open seats are deleted, and deletions are permanent.
            Created::Deleted => return Ok(0),
        };
        let playing = tokio::task::spawn_blocking({
            let (match_id, seed) = (new.match_id, new.seed);
            move || play(game, seats, match_id, &seed)
        });
        let entries = playing.await.expect("a random match is played to its end");
        let mut drafts = drafts(&new, &entries, self.store.log().epoch());
        drafts.retain(|draft| draft.position.0 > after);
        for drafts in drafts.chunks(ENTRIES_AT_ONCE) {
            self.append(drafts).await?;
        }
        Ok(drafts.len() as u64)
    }

    /// Appends consecutive entries concurrently, then retries in order those that were not
    /// recorded.
    async fn append(&self, drafts: &[Draft]) -> Result<(), Error> {
        let appends = drafts.iter().map(|draft| self.writer.append(draft.clone()));
        let answers = futures::future::join_all(appends).await;
        for (draft, answer) in drafts.iter().zip(answers) {
            let mut answer = answer;
            while !matches!(answer, Ok(append::Append::Recorded)) {
                match answer {
                    Err(
                        error @ (AppendError::Closed
                        | AppendError::Invalid
                        | AppendError::Refused
                        | AppendError::Full),
                    ) => {
                        return Err(error.into());
                    }
                    Ok(_) | Err(AppendError::Busy | AppendError::Unknown) => {
                        tokio::time::sleep(Duration::from_millis(20)).await;
                    }
                }
                answer = self.writer.append(draft.clone()).await;
            }
        }
        Ok(())
    }
}

/// The same options give the same ids.
fn id(args: &Args, nth: u64) -> Uuid {
    let mut hash = blake3::Hasher::new_derive_key("croupier: match of a load");
    [args.seed, args.players, nth].iter().for_each(|number| _ = hash.update(&number.to_le_bytes()));
    let bytes = hash.finalize();
    let half = bytes.as_bytes()[..16].try_into().expect("a hash has 32 bytes");
    uuid::Builder::from_custom_bytes(half).into_uuid()
}

/// Distinct players, low numbers more often than high ones.
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

/// The entries as drafts, the first of them at position 1.
fn drafts(new: &NewMatch, entries: &[Entry], epoch: Epoch) -> Vec<Draft> {
    let mut digests = Chain::new(new.into(), &new.seed);
    let mut before = None;
    let draft = |(entry, position): (&Entry, i64)| {
        let since = ENTRY_PAUSE * u32::try_from(position).unwrap_or(u32::MAX);
        let (body, create_time) = (entry.encode(), new.create_time + since);
        let (stream, position, request_id) = (new.match_id, Position(position), None);
        let seat = entry.seat.map(u8::from);
        let digest =
            digests.next(Digested { position, create_time, seat, request_id: None, body: &body });
        let before = before.replace(digest);
        let (companion, premise) = (None, Premise::default());
        Draft {
            stream,
            position,
            request_id,
            create_time,
            body,
            before,
            digest,
            epoch,
            companion,
            premise,
        }
    };
    entries.iter().zip(1..).map(draft).collect()
}
