//! What is served to anyone: checkpoints, tiles, leaves and proofs.

use database::{Database, Pool};
use records::LeafKind;
use rows::MatchId;
use sqlx::Row;
use time::OffsetDateTime;
use tlog::{
    Checkpoint, Hash, Proof, Range, Succession, TileId, TilePath, Tiles, VerifierKey, consistency,
    empty_root, inclusion,
};

use crate::Error;
use crate::checkpoints::{CheckpointRow, newest};
use crate::logs::{LogRow, Logs};
use crate::sealing::{leaf_hashes, leaves, roots};

/// Reads the log that was begun last, cheap to clone.
#[derive(Clone)]
pub struct Reader {
    logs: Logs,
}

/// How a log stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The matches whose opening it does not have yet.
    pub leaves_waiting: u64,
    /// When the oldest of them was created.
    pub oldest: Option<OffsetDateTime>,
    /// When the newest checkpoint was signed.
    pub signed: Option<OffsetDateTime>,
    /// When the one was signed that is told, for which enough witnesses cosigned it.
    pub told: Option<OffsetDateTime>,
}

/// The newest checkpoint of a log.
struct Newest {
    log: LogRow,
    size: u64,
    note: String,
}

impl Reader {
    pub fn new(database: &Database) -> Reader {
        Reader { logs: Logs::new(database) }
    }

    /// The key that verifies checkpoints; `None` without a log.
    pub async fn key(&self) -> Result<Option<VerifierKey>, Error> {
        Ok(self.logs.newest().await?.map(|it| it.verifier()))
    }

    /// Which log followed which, by statements one after the other; empty if there was only one.
    pub async fn successions(&self) -> Result<String, Error> {
        let mut logs = self.logs.list().await?;
        logs.reverse();
        let mut statements = String::new();
        for pair in logs.windows(2) {
            let [old, new] = pair else { continue };
            let signed = newest(self.logs.database.pool(), old, 0).await?;
            let (size, root) = signed.map_or((0, empty_root()), |it| (it.size, it.root));
            let last = Checkpoint { origin: old.origin.clone(), size, root };
            let succession = Succession { last, next: new.verifier() };
            statements.push_str(&succession.sign(&old.key(), &new.key()).to_string());
        }
        Ok(statements)
    }

    /// The newest checkpoint, a signed note; `None` without a log.
    pub async fn checkpoint(&self) -> Result<Option<String>, Error> {
        Ok(self.newest().await?.map(|it| it.note))
    }

    /// The bytes of a tile or a bundle of leaves; `None` if no checkpoint has so many leaves.
    pub async fn tile(&self, path: TilePath) -> Result<Option<Vec<u8>>, Error> {
        let Some(newest) = self.newest().await? else { return Ok(None) };
        let id = path.id();
        let whole = TileId::in_tree(id.level, id.index, newest.size);
        if whole.is_none_or(|it| it.width < id.width) {
            return Ok(None);
        }
        let pool = self.logs.database.pool();
        let bytes = match path {
            TilePath::Hashes(id) => hashes(pool, newest.log.log, id).await?.concat(),
            TilePath::Entries(id) => {
                let first = id.index * 256;
                let range = first..first + u64::from(id.width);
                let mut bytes = Vec::new();
                for leaf in leaves(pool, newest.log.log, range).await? {
                    let length = u16::try_from(leaf.len()).expect("the table checks its length");
                    bytes.extend_from_slice(&length.to_be_bytes());
                    bytes.extend_from_slice(&leaf);
                }
                bytes
            }
        };
        Ok(Some(bytes))
    }

    /// That the tree of `size` leaves continues that of `old`; `None` if no checkpoint has so many.
    pub async fn consistency(&self, old: u64, size: u64) -> Result<Option<Vec<Hash>>, Error> {
        let Some(newest) = self.newest().await?.filter(|it| it.size >= size) else {
            return Ok(None);
        };
        let Some(parts) = consistency(old, size) else { return Ok(None) };
        let pool = self.logs.database.pool();
        Ok(Some(prove(pool, &newest.log, size, &parts).await?))
    }

    /// That the log has the leaves of a match, each if it does: its opening and its end.
    pub async fn proofs(&self, match_id: MatchId) -> Result<[Option<Proof>; 2], Error> {
        let opened = self.proof(match_id, LeafKind::Opened).await?;
        let closed = match opened.is_some() {
            true => self.proof(match_id, LeafKind::Closed).await?,
            false => None,
        };
        Ok([opened, closed])
    }

    /// How the log stands, for its operator; `None` without a log, and once it has ended.
    pub async fn standing(&self) -> Result<Option<Standing>, Error> {
        let Some(log) = self.logs.newest().await?.filter(|it| it.end_time.is_none()) else {
            return Ok(None);
        };
        let pool = self.logs.database.pool();
        let signed = newest(pool, &log, 0).await?;
        let told = newest(pool, &log, log.cosigners).await?;
        let (waiting, oldest): (i64, Option<OffsetDateTime>) = sqlx::query_as(
            "select count(*), min(create_time)
             from transparency_pending
             join matches using (bucket, match_id)
             where not is_opened",
        )
        .fetch_one(pool)
        .await?;
        let (signed, told) = (signed.map(|it| it.sign_time), told.map(|it| it.sign_time));
        Ok(Some(Standing { leaves_waiting: waiting.cast_unsigned(), oldest, signed, told }))
    }

    /// That the log has a leaf of a match; `None` if it does not, or not yet.
    pub async fn proof(&self, match_id: MatchId, kind: LeafKind) -> Result<Option<Proof>, Error> {
        let Some(newest) = self.newest().await? else { return Ok(None) };
        let pool = self.logs.database.pool();
        let row = sqlx::query(
            "select leaf_index, leaf
             from transparency_leaves
             where bucket = 0 and log = $1 and match_hash = $2 and kind = $3",
        )
        .bind(newest.log.log)
        .bind(&records::match_hash(match_id)[..])
        .bind(i16::from(kind.number()))
        .fetch_optional(pool)
        .await?;
        let Some(row) = row else { return Ok(None) };
        let index = row.try_get::<i64, _>("leaf_index")?.cast_unsigned();
        let Some(parts) = inclusion(index, newest.size) else { return Ok(None) };
        let hashes = prove(pool, &newest.log, newest.size, &parts).await?;
        let leaf = row.try_get("leaf")?;
        Ok(Some(Proof { leaf, index, hashes, note: newest.note }))
    }

    async fn newest(&self) -> Result<Option<Newest>, Error> {
        let Some(log) = self.logs.newest().await? else { return Ok(None) };
        let found = newest(self.logs.database.pool(), &log, log.cosigners).await?;
        let Some(CheckpointRow { size, note, cosigned, .. }) = found else { return Ok(None) };
        let note = note + &cosigned;
        Ok(Some(Newest { log, size, note }))
    }
}

/// The hashes of these parts of a tree.
pub(crate) async fn prove(
    pool: &Pool,
    log: &LogRow,
    size: u64,
    parts: &[Range],
) -> Result<Vec<Hash>, Error> {
    let mut tiles = Tiles::default();
    for id in Tiles::needed(size, parts) {
        tiles.add(id, hashes(pool, log.log, id).await?);
    }
    tiles.hashes(parts).ok_or_else(|| Error::Altered { origin: log.origin.clone() })
}

/// The hashes of a tile: those of a row if it is full, or else of its parts.
async fn hashes(pool: &Pool, log: i16, id: TileId) -> Result<Vec<Hash>, Error> {
    let full: Option<Vec<u8>> = sqlx::query_scalar(
        "select hashes
         from transparency_tiles
         where bucket = 0 and log = $1 and level = $2 and tile_index = $3",
    )
    .bind(log)
    .bind(i16::from(id.level))
    .bind(id.index.cast_signed())
    .fetch_optional(pool)
    .await?;
    if let Some(bytes) = full {
        let hashes = bytes.chunks_exact(32).take(id.width.into());
        return Ok(hashes.map(|it| it.try_into().expect("it has 32 bytes")).collect());
    }
    let first = id.index * 256;
    let range = first..first + u64::from(id.width);
    match id.level {
        0 => leaf_hashes(pool, log, range).await,
        level => roots(pool, log, i16::from(level) - 1, range).await,
    }
}
