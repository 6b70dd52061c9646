//! The leaves that are due: of matches that were created, and of those that have ended since.

use std::collections::HashMap;

use positions::{Bucket, Digest, Position};
use records::{Closed, Leaf, Opened};
use rows::{MatchId, MatchRow, SeatRow, SpeechKey, Terms};
use sqlx::postgres::{PgConnection, PgRow};
use sqlx::types::Json;
use sqlx::{FromRow, Row};
use time::OffsetDateTime;

use crate::Error;
use crate::logs::LogRow;

/// The leaf of a match that is due.
pub(crate) struct Due {
    pub match_id: MatchId,
    pub leaf: Leaf,
}

/// The matches whose opening is due, up to `most`.
pub(crate) async fn opened(
    connection: &mut PgConnection,
    log: &LogRow,
    most: i64,
) -> Result<Vec<Due>, Error> {
    let rows = sqlx::query(
        "select match_id, platform, game, seats, create_time, terms
         from transparency_pending
         join matches using (bucket, match_id)
         where not is_opened
         limit $1",
    )
    .bind(most)
    .fetch_all(&mut *connection)
    .await?;
    let mut rows = rows.iter().map(as_created).collect::<Result<Vec<_>, _>>()?;
    // In the order of their creation, as far as they are due together.
    rows.sort_by_key(|it| (it.create_time, it.match_id));
    let ids: Vec<MatchId> = rows.iter().map(|it| it.match_id).collect();
    let mut seated = seated(connection, &ids).await?;
    for row in &mut rows {
        row.seated = seated.remove(&row.match_id).unwrap_or_default();
    }
    let due = |row: &MatchRow| {
        let opened = Opened { platform: log.platform_tag(&row.platform), ..Opened::of(row) };
        Due { match_id: row.match_id, leaf: Leaf::Opened(opened) }
    };
    Ok(rows.iter().map(due).collect())
}

/// The matches whose opening the log has and whose end is due, up to `most` of each kind.
pub(crate) async fn closed(
    connection: &mut PgConnection,
    log: &LogRow,
    most: i64,
) -> Result<Vec<Due>, Error> {
    let mut due = ended(connection, most).await?;
    due.append(&mut deleted(connection, log, most).await?);
    due.sort_by_key(|it| (it.leaf.time_us(), it.match_id));
    Ok(due)
}

async fn ended(connection: &mut PgConnection, most: i64) -> Result<Vec<Due>, Error> {
    let ended: Vec<(MatchId, Position, bool)> = sqlx::query_as(
        "select match_id, position, cardinality(winners) > 0
         from transparency_pending
         join match_summaries using (bucket, match_id)
         where is_opened and winners is not null
         limit $1",
    )
    .bind(most)
    .fetch_all(&mut *connection)
    .await?;
    let ids: Vec<MatchId> = ended.iter().map(|it| it.0).collect();
    let positions: Vec<Position> = ended.iter().map(|it| it.1).collect();
    // The read model says where to look; the leaf is of the record.
    let entries: Vec<(MatchId, Position, OffsetDateTime, Option<Vec<u8>>)> = sqlx::query_as(
        "select match_id, position, create_time, digest
         from entries
         where bucket = any($1) and match_id = any($2) and position = any($3)",
    )
    .bind(buckets(&ids))
    .bind(&ids)
    .bind(positions)
    .fetch_all(&mut *connection)
    .await?;
    let found: HashMap<(MatchId, Position), _> = entries
        .into_iter()
        .map(|(id, position, time, digest)| ((id, position), (time, digest)))
        .collect();
    let due = |&(match_id, position, is_won): &(MatchId, Position, bool)| {
        let (time, digest) = found.get(&(match_id, position))?;
        let digest = Digest::try_from(digest.as_deref()?).ok()?;
        let leaf = Leaf::Closed(Closed::ended(match_id, position, digest, *time, is_won));
        Some(Due { match_id, leaf })
    };
    Ok(ended.iter().filter_map(due).collect())
}

async fn deleted(
    connection: &mut PgConnection,
    log: &LogRow,
    most: i64,
) -> Result<Vec<Due>, Error> {
    let deleted: Vec<(MatchId, OffsetDateTime)> = sqlx::query_as(
        "select match_id, delete_time
         from transparency_pending
         join deleted_matches using (bucket, match_id)
         where is_opened
         limit $1",
    )
    .bind(most)
    .fetch_all(&mut *connection)
    .await?;
    let hashes: Vec<_> =
        deleted.iter().map(|(match_id, _)| records::match_hash(*match_id).to_vec()).collect();
    let leaves: Vec<Vec<u8>> = sqlx::query_scalar(
        "select leaf
         from transparency_leaves
         where bucket = 0 and log = $1 and kind = 1 and match_hash = any($2)",
    )
    .bind(log.log)
    .bind(hashes)
    .fetch_all(connection)
    .await?;
    let opened = leaves.iter().filter_map(|leaf| match Leaf::parse(leaf) {
        Some(Leaf::Opened(opened)) => Some((opened.match_hash, opened)),
        _ => None,
    });
    let opened: HashMap<[u8; 32], Opened> = opened.collect();
    let due = |&(match_id, time): &(MatchId, OffsetDateTime)| {
        let opened = opened.get(&records::match_hash(match_id))?;
        Some(Due { match_id, leaf: Leaf::Closed(Closed::deleted(opened, time)) })
    };
    Ok(deleted.iter().filter_map(due).collect())
}

/// Notes that the log has these leaves. It may be repeated.
pub(crate) async fn settle(connection: &mut PgConnection, due: &[Due]) -> Result<(), Error> {
    let of = |is_opened: bool| -> Vec<MatchId> {
        let its = due.iter().filter(|it| matches!(it.leaf, Leaf::Opened(_)) == is_opened);
        its.map(|it| it.match_id).collect()
    };
    let (opened, closed) = (of(true), of(false));
    sqlx::query(
        "update transparency_pending
         set is_opened = true
         where bucket = any($1) and match_id = any($2)",
    )
    .bind(buckets(&opened))
    .bind(&opened)
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "delete from transparency_pending
         where bucket = any($1) and match_id = any($2)",
    )
    .bind(buckets(&closed))
    .bind(&closed)
    .execute(&mut *connection)
    .await?;
    Ok(())
}

/// Forgets the matches that were deleted before the log had them: nobody was told of them.
pub(crate) async fn forget_deleted(connection: &mut PgConnection) -> Result<(), Error> {
    sqlx::query(
        "delete from transparency_pending as its
         using deleted_matches as gone
         where its.bucket = gone.bucket and its.match_id = gone.match_id and not is_opened",
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// The buckets of these matches. Never none, which would name every node.
fn buckets(ids: &[MatchId]) -> Vec<Bucket> {
    let mut buckets: Vec<Bucket> = ids.iter().map(|it| Bucket::of(*it)).collect();
    buckets.sort();
    buckets.dedup();
    match buckets.is_empty() {
        true => Bucket::all().take(1).collect(),
        false => buckets,
    }
}

fn as_created(row: &PgRow) -> Result<MatchRow, sqlx::Error> {
    let terms: Json<Terms> = row.try_get("terms")?;
    Ok(MatchRow {
        match_id: row.try_get("match_id")?,
        platform: row.try_get("platform")?,
        game: row.try_get("game")?,
        seats: row.try_get("seats")?,
        create_time: row.try_get("create_time")?,
        terms: terms.0,
        request_digest: Vec::new(),
        next: None,
        is_in_lobby: false,
        display_name: None,
        seated: Vec::new(),
        last: None,
    })
}

/// Who sits where.
async fn seated(
    connection: &mut PgConnection,
    ids: &[MatchId],
) -> Result<HashMap<MatchId, Vec<SeatRow>>, Error> {
    let rows = sqlx::query(
        "select seats.match_id, seats.seat, player, seats.create_time, is_erased, key
         from seats
         left join speech_keys as its on its.bucket = seats.bucket
             and its.match_id = seats.match_id
             and its.seat = seats.seat
             and its.bucket = any($1)
         where seats.bucket = any($1) and seats.match_id = any($2)",
    )
    .bind(buckets(ids))
    .bind(ids)
    .fetch_all(connection)
    .await?;
    let mut seated: HashMap<MatchId, Vec<SeatRow>> = HashMap::new();
    for row in &rows {
        let Keyed { match_id, seat } = Keyed::from_row(row)?;
        seated.entry(match_id).or_default().push(seat);
    }
    Ok(seated)
}

/// A seat, and the match that it is in.
struct Keyed {
    match_id: MatchId,
    seat: SeatRow,
}

impl FromRow<'_, PgRow> for Keyed {
    fn from_row(row: &PgRow) -> Result<Keyed, sqlx::Error> {
        let key: Option<Vec<u8>> = row.try_get("key")?;
        let seat = SeatRow {
            seat: row.try_get("seat")?,
            player: row.try_get("player")?,
            display_name: None,
            request_id: None,
            create_time: row.try_get("create_time")?,
            speech_key: key.and_then(|it| it.try_into().ok()).map(SpeechKey),
            is_erased: row.try_get("is_erased")?,
            before: Vec::new(),
        };
        Ok(Keyed { match_id: row.try_get("match_id")?, seat })
    }
}
