//! What was signed of a log.

use sqlx::{PgExecutor, Row};
use time::OffsetDateTime;
use tlog::Hash;

use crate::Error;
use crate::logs::LogRow;

/// A checkpoint that was signed.
pub(crate) struct CheckpointRow {
    pub size: u64,
    pub root: Hash,
    pub sign_time: OffsetDateTime,
    /// The signed note, without cosignatures.
    pub note: String,
    /// The lines of its cosignatures.
    pub cosigned: String,
}

/// The newest checkpoint of a log that so many witnesses have cosigned.
pub(crate) async fn newest(
    executor: impl PgExecutor<'_>,
    log: &LogRow,
    cosigners: i16,
) -> Result<Option<CheckpointRow>, Error> {
    let row = sqlx::query(
        "select size, root, sign_time, note, cosigned
         from transparency_checkpoints
         where bucket = 0 and log = $1 and cosigners >= $2
         order by size desc
         limit 1",
    )
    .bind(log.log)
    .bind(cosigners)
    .fetch_optional(executor)
    .await?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(CheckpointRow {
        size: row.try_get::<i64, _>("size")?.cast_unsigned(),
        root: hash(row.try_get("root")?),
        sign_time: row.try_get("sign_time")?,
        note: row.try_get("note")?,
        cosigned: row.try_get("cosigned")?,
    }))
}

pub(crate) fn hash(bytes: Vec<u8>) -> Hash {
    bytes.try_into().expect("the table checks its length")
}
