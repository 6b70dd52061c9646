//! Appending leaves to the tree and signing it, in one transaction.

use std::collections::HashSet;

use database::is_unique_violation;
use records::{Leaf, LeafKind};
use sqlx::postgres::PgConnection;
use sqlx::{Connection, PgExecutor};
use time::{Duration, OffsetDateTime};
use tlog::{Checkpoint, Frontier, FullTile, Hash, leaf_hash};

use crate::Error;
use crate::checkpoints::{hash, newest};
use crate::logs::LogRow;

/// How long a checkpoint is the newest before it is signed again, with the time of then.
pub(crate) const REFRESH: Duration = Duration::seconds(60);

/// Of the lock that one appender at a time has. Nothing depends on it but wasted work: the keys of
/// the leaves decide.
const LOCK: i64 = 0x7472_616e_7370;

/// The outcome of an attempt to append.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sealed {
    /// The log has the leaves.
    Done {
        /// Whether this attempt signed a checkpoint.
        is_signed: bool,
    },
    /// Another process is appending.
    Busy,
}

/// Appends the leaves that the log does not have, and signs the tree. Without new leaves it is
/// signed again if the last time is long ago.
pub(crate) async fn seal(
    connection: &mut PgConnection,
    log: &LogRow,
    leaves: &[&Leaf],
    now: OffsetDateTime,
) -> Result<Sealed, Error> {
    match try_seal(connection, log, leaves, now).await {
        Err(Error::Database(database::Error::Fault(source))) if is_unique_violation(&source) => {
            Ok(Sealed::Busy)
        }
        sealed => sealed,
    }
}

async fn try_seal(
    connection: &mut PgConnection,
    log: &LogRow,
    leaves: &[&Leaf],
    now: OffsetDateTime,
) -> Result<Sealed, Error> {
    let mut transaction = connection.begin().await?;
    let is_alone: bool = sqlx::query_scalar("select pg_try_advisory_xact_lock($1)")
        .bind(LOCK)
        .fetch_one(&mut *transaction)
        .await?;
    if !is_alone {
        return Ok(Sealed::Busy);
    }
    let last = newest(&mut *transaction, log, 0).await?;
    let is_fresh = last.as_ref().is_some_and(|it| now < it.sign_time + REFRESH);
    let new = unknown(&mut transaction, log, leaves).await?;
    if new.is_empty() && is_fresh {
        return Ok(Sealed::Done { is_signed: false });
    }
    let size = last.as_ref().map_or(0, |it| it.size);
    let altered = || Error::Altered { origin: log.origin.clone() };
    let mut frontier = frontier(&mut transaction, log, size).await?.ok_or_else(altered)?;
    if last.as_ref().is_some_and(|it| it.root != frontier.root()) {
        return Err(altered());
    }
    let full = append(&mut transaction, log, &mut frontier, &new).await?;
    write_tiles(&mut transaction, log, &full).await?;
    // After a failover, the clock of the next server may be behind.
    let time = last.map_or(now, |it| it.sign_time.max(now));
    sign(&mut transaction, log, &frontier, time).await?;
    transaction.commit().await?;
    Ok(Sealed::Done { is_signed: true })
}

/// The right edge of a tree of this size; `None` if leaves or tiles are missing.
async fn frontier(
    connection: &mut PgConnection,
    log: &LogRow,
    size: u64,
) -> Result<Option<Frontier>, Error> {
    let mut levels = Vec::new();
    for (level, width) in Frontier::widths(size).into_iter().enumerate() {
        let end = size >> (8 * level);
        let range = (end - width)..end;
        levels.push(match level {
            0 => leaf_hashes(&mut *connection, log.log, range).await?,
            _ => roots(&mut *connection, log.log, level as i16 - 1, range).await?,
        });
    }
    Ok(Frontier::new(size, levels))
}

/// The hashes of these leaves.
pub(crate) async fn leaf_hashes(
    executor: impl PgExecutor<'_>,
    log: i16,
    range: std::ops::Range<u64>,
) -> Result<Vec<Hash>, Error> {
    let leaves = leaves(executor, log, range).await?;
    Ok(leaves.iter().map(|leaf| leaf_hash(leaf)).collect())
}

/// These leaves in their order.
pub(crate) async fn leaves(
    executor: impl PgExecutor<'_>,
    log: i16,
    range: std::ops::Range<u64>,
) -> Result<Vec<Vec<u8>>, Error> {
    let leaves = sqlx::query_scalar(
        "select leaf
         from transparency_leaves
         where bucket = 0 and log = $1 and leaf_index >= $2 and leaf_index < $3
         order by leaf_index",
    )
    .bind(log)
    .bind(range.start.cast_signed())
    .bind(range.end.cast_signed())
    .fetch_all(executor)
    .await?;
    Ok(leaves)
}

/// The hashes of these full tiles.
pub(crate) async fn roots(
    executor: impl PgExecutor<'_>,
    log: i16,
    level: i16,
    range: std::ops::Range<u64>,
) -> Result<Vec<Hash>, Error> {
    let roots: Vec<Vec<u8>> = sqlx::query_scalar(
        "select root
         from transparency_tiles
         where bucket = 0 and log = $1 and level = $2 and tile_index >= $3 and tile_index < $4
         order by tile_index",
    )
    .bind(log)
    .bind(level)
    .bind(range.start.cast_signed())
    .bind(range.end.cast_signed())
    .fetch_all(executor)
    .await?;
    Ok(roots.into_iter().map(hash).collect())
}

/// Those of the leaves that the log does not have, in their order.
async fn unknown<'l>(
    connection: &mut PgConnection,
    log: &LogRow,
    leaves: &[&'l Leaf],
) -> Result<Vec<&'l Leaf>, Error> {
    if leaves.is_empty() {
        return Ok(Vec::new());
    }
    let hashes: Vec<Vec<u8>> = leaves.iter().map(|it| it.match_hash().to_vec()).collect();
    let known: Vec<(Vec<u8>, i16)> = sqlx::query_as(
        "select match_hash, kind
         from transparency_leaves
         where bucket = 0 and log = $1 and match_hash = any($2)",
    )
    .bind(log.log)
    .bind(hashes)
    .fetch_all(connection)
    .await?;
    let known: HashSet<(Vec<u8>, i16)> = known.into_iter().collect();
    let has = |it: &Leaf, kind| known.contains(&(it.match_hash().to_vec(), kind));
    // Of a match that an earlier log opened, this one says nothing.
    let opened = LeafKind::Opened.number().into();
    let may_be = |it: &Leaf| kind(it) == opened || has(it, opened);
    let is_new = |it: &&&Leaf| !has(it, kind(it)) && may_be(it);
    Ok(leaves.iter().filter(is_new).copied().collect())
}

/// The kind of a leaf, as the tables have it.
fn kind(leaf: &Leaf) -> i16 {
    leaf.kind().number().into()
}

/// Appends the leaves, and returns the tiles that they complete.
async fn append(
    connection: &mut PgConnection,
    log: &LogRow,
    frontier: &mut Frontier,
    leaves: &[&Leaf],
) -> Result<Vec<FullTile>, Error> {
    let bytes: Vec<Vec<u8>> = leaves.iter().map(|it| it.bytes()).collect();
    let indices = (frontier.size()..).take(leaves.len());
    sqlx::query(
        "insert into transparency_leaves (bucket, log, leaf_index, match_hash, kind, leaf)
         select 0::smallint, $1, its.*
         from unnest($2::int8[], $3::bytea[], $4::smallint[], $5::bytea[]) as its",
    )
    .bind(log.log)
    .bind(indices.map(u64::cast_signed).collect::<Vec<_>>())
    .bind(leaves.iter().map(|it| it.match_hash().to_vec()).collect::<Vec<_>>())
    .bind(leaves.iter().map(|it| kind(it)).collect::<Vec<_>>())
    .bind(&bytes)
    .execute(connection)
    .await?;
    Ok(bytes.iter().flat_map(|leaf| frontier.push(leaf_hash(leaf))).collect())
}

async fn write_tiles(
    connection: &mut PgConnection,
    log: &LogRow,
    full: &[FullTile],
) -> Result<(), Error> {
    if full.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "insert into transparency_tiles (bucket, log, level, tile_index, hashes, root)
         select 0::smallint, $1, its.*
         from unnest($2::smallint[], $3::int8[], $4::bytea[], $5::bytea[]) as its",
    )
    .bind(log.log)
    .bind(full.iter().map(|it| i16::from(it.level)).collect::<Vec<_>>())
    .bind(full.iter().map(|it| it.index.cast_signed()).collect::<Vec<_>>())
    .bind(full.iter().map(|it| it.hashes.concat()).collect::<Vec<_>>())
    .bind(full.iter().map(|it| it.root.to_vec()).collect::<Vec<_>>())
    .execute(connection)
    .await?;
    Ok(())
}

async fn sign(
    connection: &mut PgConnection,
    log: &LogRow,
    frontier: &Frontier,
    time: OffsetDateTime,
) -> Result<(), Error> {
    let (size, root) = (frontier.size(), frontier.root());
    let checkpoint = Checkpoint { origin: log.origin.clone(), size, root };
    let note = checkpoint.sign(&log.key(), time.unix_timestamp().try_into().unwrap_or_default());
    sqlx::query(
        "insert into transparency_checkpoints (log, size, root, sign_time, note)
         values ($1, $2, $3, $4, $5)
         on conflict (bucket, log, size) do update
         set sign_time = excluded.sign_time, note = excluded.note",
    )
    .bind(log.log)
    .bind(size.cast_signed())
    .bind(&root[..])
    .bind(time)
    .bind(note.to_string())
    .execute(connection)
    .await?;
    Ok(())
}
