//! The cost of a transparency log: of its leaves, its tiles and its proofs.

use std::hint::black_box;
use std::time::{Duration, Instant};

use futures::{StreamExt, TryStreamExt, stream};
use games::Game;
use records::{Leaf, LeafKind, Opened, match_hash};
use rows::MatchId;
use serde::Serialize;
use store::Store;
use tlog::{Checkpoint, Frontier, Hash, Proof, SigningKey, TileId, TilePath, inclusion, leaf_hash};
use transparency::{Appender, Logs, Reader};
use uuid::Uuid;

use crate::playout::new_match;
use crate::report::{Error, Report, per_second};

/// Append leaves to a transparency log, make its tiles anew and verify proofs, on a temporary
/// database
///
/// Prints a JSON object.
#[derive(clap::Args)]
pub struct Args {
    /// The number of matches that are created, each of which has a leaf to come
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    matches: u64,
    /// The number of matches, opened and closed, whose tiles are made anew in memory
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    anew: u64,
    /// The number of proofs that are read and verified
    #[arg(long, value_name = "N", default_value_t = 1000)]
    proofs: usize,
}

#[derive(Serialize)]
struct Outcome {
    leaves: u64,
    /// From the database to a signed checkpoint.
    appended_per_second: u64,
    /// Read from the database, and hashed to tiles again.
    read_again_per_second: u64,
    /// How long it takes to make the tiles of `--anew` matches.
    anew_matches: u64,
    anew_s: f64,
    /// With the leaf and the checkpoint, without witnesses: of this log, and of one of `--anew`.
    proof_bytes: usize,
    anew_proof_bytes: usize,
    proof_read_ms: f64,
    proof_check_ms: f64,
}

/// Matches that are created side by side.
const AT_ONCE: usize = 16;

/// The leaves of a bundle.
const BUNDLE: u64 = 256;

const ORIGIN: &str = "bench.example/log";

/// Needs an empty store.
#[expect(clippy::disallowed_methods, reason = "the database is temporary and has no operator")]
pub async fn run(args: &Args, store: &Store) -> Result<Report, Error> {
    schema::migrate(store.database()).await?;
    Logs::new(store.database()).begin(ORIGIN, false).await?;
    let matches: Vec<MatchId> = (0..args.matches).map(|_| MatchId(Uuid::new_v4())).collect();
    let creating = stream::iter(&matches).map(Ok::<_, Error>);
    creating.try_for_each_concurrent(AT_ONCE, |id| create(store, *id)).await?;

    let began = Instant::now();
    Appender::new(store.database()).catch_up().await?;
    let appending = began.elapsed();

    let reader = Reader::new(store.database());
    let began = Instant::now();
    let leaves = read_again(&reader, args.matches).await?;
    let reading = began.elapsed();

    let began = Instant::now();
    let mut proofs = Vec::new();
    for id in matches.iter().take(args.proofs) {
        proofs.extend(reader.proof(*id, LeafKind::Opened).await?);
    }
    let proving = began.elapsed();
    let key = reader.key().await?.ok_or(Error::NoLeaves)?;
    let began = Instant::now();
    if proofs.is_empty() || proofs.iter().any(|proof| proof.verify(&key).is_err()) {
        return Err(Error::NoLeaves);
    }
    let checking = began.elapsed();
    let each_ms = |time: Duration| time.as_secs_f64() * 1e3 / proofs.len() as f64;

    let began = Instant::now();
    let root = anew(args.anew);
    let making = began.elapsed();
    Ok(Report::json(&Outcome {
        leaves,
        appended_per_second: per_second(leaves, appending),
        read_again_per_second: per_second(leaves, reading),
        anew_matches: args.anew,
        anew_s: making.as_secs_f64(),
        proof_bytes: proofs.iter().map(|it| it.to_string().len()).max().unwrap_or_default(),
        anew_proof_bytes: proof_of(args.anew, root).to_string().len(),
        proof_read_ms: each_ms(proving),
        proof_check_ms: each_ms(checking),
    }))
}

async fn create(store: &Store, id: MatchId) -> Result<(), Error> {
    let game: &'static dyn Game = games::GAMES[0];
    let seats = *game.seats().start();
    let seed = *blake3::hash(id.0.as_bytes()).as_bytes();
    store.create(&new_match(id, "bench", game, seats, seed)).await?;
    Ok(())
}

/// Reads all leaves in bundles, as a monitor does, and makes their tiles.
async fn read_again(reader: &Reader, size: u64) -> Result<u64, Error> {
    let mut frontier = Frontier::default();
    for index in 0..size.div_ceil(BUNDLE) {
        let id = TileId::in_tree(0, index, size).ok_or(Error::NoLeaves)?;
        let bundle = reader.tile(TilePath::Entries(id)).await?.ok_or(Error::NoLeaves)?;
        for leaf in tlog::parse_entries(&bundle).ok_or(Error::NoLeaves)? {
            black_box(frontier.push(leaf_hash(&leaf)));
        }
    }
    Ok(frontier.size())
}

/// A leaf of a match of two seats.
fn leaf(nth: u64) -> Vec<u8> {
    let mut id = [0; 16];
    id[..8].copy_from_slice(&nth.to_le_bytes());
    Leaf::Opened(Opened {
        match_hash: match_hash(MatchId(Uuid::from_bytes(id))),
        time_us: nth.cast_signed(),
        digest: [2; 32],
        seed_commitment: [3; 32],
        platform: None,
        players: vec![Some([4; 32]), Some([5; 32])],
    })
    .bytes()
}

/// Makes the tiles of so many matches, with two leaves each, and returns the hash of the tree.
fn anew(matches: u64) -> Hash {
    let mut frontier = Frontier::default();
    for nth in 0..matches * 2 {
        black_box(frontier.push(leaf_hash(&leaf(nth))));
    }
    frontier.root()
}

/// A proof in a log of so many matches, for its size.
fn proof_of(matches: u64, root: Hash) -> Proof {
    let size = matches * 2;
    let key = SigningKey::new(ORIGIN, &[7; 32]).expect("it is a name");
    let note = Checkpoint { origin: ORIGIN.to_owned(), size, root }.sign(&key, 1_793_872_900);
    let hashes = inclusion(0, size).map_or(0, |parts| parts.len());
    Proof { leaf: leaf(0), index: 0, hashes: vec![root; hashes], note: note.to_string() }
}
