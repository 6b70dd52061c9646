//! The log of operators' acts: rows that are written once, each with a digest of itself and of the
//! digest before it in its bucket. See `docs/decisions/0104-acts-are-logged-before-and-after.md`.

use database::Error;
use positions::{BUCKETS, Bucket, Digest};
use time::OffsetDateTime;
use tokio::sync::Mutex;
use uuid::Uuid;

use crate::Accounts;

/// A row to be added: an act that begins, or how it ended.
#[derive(Clone, Debug)]
pub struct NewAct<'a> {
    pub act_id: Uuid,
    pub is_outcome: bool,
    /// `None` for an act on the whole installation.
    pub platform: Option<&'a str>,
    pub kind: &'a str,
    /// The actor and the object, or the outcome, as JSON.
    pub body: &'a str,
}

/// An act, with how it ended.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct ActRow {
    pub act_id: Uuid,
    pub platform: Option<String>,
    pub kind: String,
    pub body: String,
    pub create_time: OffsetDateTime,
    pub digest: Digest,
    /// `None` while nobody has told how it ended.
    pub outcome: Option<String>,
    pub end_time: Option<OffsetDateTime>,
}

/// Which acts to list. Both are combined with AND.
#[derive(Clone, Copy, Debug, Default)]
pub struct ActFilter<'a> {
    pub platform: Option<&'a str>,
    pub kind: Option<&'a str>,
}

/// What is wrong with the rows of a bucket, from this number on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenChain {
    pub bucket: Bucket,
    pub number: i64,
    pub fault: ChainFault,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainFault {
    /// The row of this number is missing.
    Missing,
    /// The row, or one before it, is not the one that was written.
    Altered,
    /// The row tells how an act ended that has no row.
    NeverBegun,
}

/// The last row of a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActsHead {
    pub bucket: Bucket,
    pub number: i64,
    pub digest: Digest,
}

/// What a check found.
#[derive(Clone, Debug, Default)]
pub struct CheckedActs {
    pub rows: u64,
    /// One of each bucket that has rows.
    pub heads: Vec<ActsHead>,
    pub broken: Vec<BrokenChain>,
}

/// A whole row.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
struct Row {
    number: i64,
    act_id: Uuid,
    is_outcome: bool,
    platform: Option<String>,
    kind: String,
    body: String,
    create_time: OffsetDateTime,
    digest: Digest,
}

const KEY: &str = "croupier 2026-11 digests of operators' acts";

/// The digest before the first row of a bucket.
const START: [u8; 32] = [0; 32];

/// The length that stands for no platform.
const NO_PLATFORM: u32 = u32::MAX;

/// How often a number is tried that another process takes first.
const ATTEMPTS_MAX: u32 = 100;

/// The rows that a check reads at once.
const CHECK_ROWS: i64 = 1000;

/// Tasks of a process take their turns, so that only processes race for a number.
static TURNS: [Mutex<()>; BUCKETS] = [const { Mutex::const_new(()) }; BUCKETS];

impl NewAct<'_> {
    /// All acts of a platform are in its bucket, so an act on it needs no other node.
    fn bucket(&self) -> Bucket {
        bucket_of(self.platform)
    }
}

fn bucket_of(platform: Option<&str>) -> Bucket {
    platform.map_or(Bucket::all().next().expect("there are buckets"), Bucket::of_name)
}

impl Row {
    /// The digest that the row has if nobody changed it.
    fn computed(&self, bucket: Bucket, before: &[u8; 32]) -> Digest {
        let mut hash = blake3::Hasher::new_derive_key(KEY);
        hash.update(before);
        hash.update(&i16::from(bucket).to_le_bytes());
        hash.update(&self.number.to_le_bytes());
        hash.update(self.act_id.as_bytes());
        hash.update(&[u8::from(self.is_outcome)]);
        let micros = self.create_time.unix_timestamp_nanos() / 1000;
        hash.update(&i64::try_from(micros).expect("microseconds of an i64").to_le_bytes());
        let length = self.platform.as_ref().map_or(NO_PLATFORM, |it| it.len() as u32);
        hash.update(&length.to_le_bytes());
        hash.update(self.platform.as_deref().unwrap_or_default().as_bytes());
        hash.update(&(self.kind.len() as u32).to_le_bytes());
        hash.update(self.kind.as_bytes());
        hash.update(self.body.as_bytes());
        Digest::from(*hash.finalize().as_bytes())
    }
}

impl Accounts {
    /// Adds a row, once: a repetition changes nothing. Returns its digest.
    pub async fn add_act(&self, new: &NewAct<'_>) -> Result<Digest, Error> {
        let bucket = new.bucket();
        let _turn = TURNS[bucket.index()].lock().await;
        for _ in 0..ATTEMPTS_MAX {
            if let Some(digest) = self.added_act(bucket, new).await? {
                return Ok(digest);
            }
            let head: Option<(i64, Digest)> = sqlx::query_as(
                "select number, digest
                 from acts
                 where bucket = $1
                 order by number desc
                 limit 1",
            )
            .bind(bucket)
            .fetch_optional(self.database().at(bucket))
            .await?;
            let (last, before) = head.map_or((0, START), |(number, it)| (number, *it.as_bytes()));
            // As the database stores it.
            let now = self.database().clock().now();
            let micros = now.microsecond() * 1000;
            let row = Row {
                number: last + 1,
                act_id: new.act_id,
                is_outcome: new.is_outcome,
                platform: new.platform.map(str::to_owned),
                kind: new.kind.to_owned(),
                body: new.body.to_owned(),
                create_time: now.replace_nanosecond(micros).expect("a second has them"),
                digest: Digest::from(START),
            };
            let digest = row.computed(bucket, &before);
            let adding = sqlx::query(
                "insert into acts
                     (bucket, number, act_id, is_outcome, platform, kind, body, create_time, digest)
                 values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            )
            .bind(bucket)
            .bind(row.number)
            .bind(row.act_id)
            .bind(row.is_outcome)
            .bind(row.platform)
            .bind(row.kind)
            .bind(row.body)
            .bind(row.create_time)
            .bind(digest);
            if self.database().add_at(bucket, adding).await? {
                return Ok(digest);
            }
        }
        Err(Error::Busy)
    }

    /// The digest of a row that was added already.
    async fn added_act(&self, bucket: Bucket, new: &NewAct<'_>) -> Result<Option<Digest>, Error> {
        let finding = sqlx::query_scalar(
            "select digest
             from acts
             where bucket = $1 and act_id = $2 and is_outcome = $3",
        )
        .bind(bucket)
        .bind(new.act_id)
        .bind(new.is_outcome);
        Ok(finding.fetch_optional(self.database().at(bucket)).await?)
    }

    /// A page of acts, those begun last first, after the one of this time and id.
    pub async fn list_acts(
        &self,
        filter: ActFilter<'_>,
        after: Option<(OffsetDateTime, Uuid)>,
        limit: i64,
    ) -> Result<Vec<ActRow>, Error> {
        let (time, act_id) = after.unzip();
        let listing = |restriction| {
            sqlx::query_as(sqlx::AssertSqlSafe(format!(
                "select its.act_id, its.platform, its.kind, its.body, its.create_time, its.digest,
                     ended.body as outcome, ended.create_time as end_time
                 from acts as its
                 left join acts as ended
                     on ended.bucket = its.bucket
                     and ended.act_id = its.act_id
                     and ended.is_outcome
                 where not its.is_outcome
                     and ($1::timestamptz is null or (its.create_time, its.act_id) < ($1, $2))
                     and ($3::text is null or its.kind = $3)
                     {restriction}
                 order by its.create_time desc, its.act_id desc
                 limit $4"
            )))
            .bind(time)
            .bind(act_id)
            .bind(filter.kind.map(str::to_owned))
            .bind(limit)
        };
        let Some(platform) = filter.platform else {
            return Ok(listing("").fetch_all(self.database().pool_of_all()).await?);
        };
        let bucket = Bucket::of_name(platform);
        let listing = listing("and its.bucket = $5 and its.platform = $6");
        let listing = listing.bind(bucket).bind(platform.to_owned());
        Ok(listing.fetch_all(self.database().at(bucket)).await?)
    }

    /// Whether a row has this digest.
    pub async fn has_act(&self, digest: Digest) -> Result<bool, Error> {
        let finding = sqlx::query("select 1 from acts where digest = $1 limit 1").bind(digest);
        Ok(finding.fetch_optional(self.database().pool_of_all()).await?.is_some())
    }

    /// Computes the digests of all rows again. It reports the first fault of each bucket: what
    /// follows cannot be judged. Rows that are missing at the end of a bucket are not noticed;
    /// their digests are in the logs of processes, for [`Accounts::has_act`].
    pub async fn check_acts(&self) -> Result<CheckedActs, Error> {
        let mut checked = CheckedActs::default();
        for bucket in Bucket::all() {
            self.check_bucket_of_acts(bucket, &mut checked).await?;
        }
        Ok(checked)
    }

    async fn check_bucket_of_acts(
        &self,
        bucket: Bucket,
        checked: &mut CheckedActs,
    ) -> Result<(), Error> {
        let mut begun = std::collections::HashSet::new();
        let (mut last, mut before) = (0, START);
        loop {
            let rows: Vec<Row> = sqlx::query_as(
                "select number, act_id, is_outcome, platform, kind, body, create_time, digest
                 from acts
                 where bucket = $1 and number > $2
                 order by number
                 limit $3",
            )
            .bind(bucket)
            .bind(last)
            .bind(CHECK_ROWS)
            .fetch_all(self.database().at(bucket))
            .await?;
            let are_last = rows.len() < CHECK_ROWS as usize;
            for row in rows {
                let fault = if row.number != last + 1 {
                    Some(ChainFault::Missing)
                } else if row.computed(bucket, &before) != row.digest
                    || bucket_of(row.platform.as_deref()) != bucket
                {
                    Some(ChainFault::Altered)
                } else if row.is_outcome && !begun.remove(&row.act_id) {
                    Some(ChainFault::NeverBegun)
                } else {
                    None
                };
                if let Some(fault) = fault {
                    checked.broken.push(BrokenChain { bucket, number: last + 1, fault });
                    return Ok(());
                }
                if !row.is_outcome {
                    begun.insert(row.act_id);
                }
                checked.rows += 1;
                (last, before) = (row.number, *row.digest.as_bytes());
            }
            if are_last {
                break;
            }
        }
        if last > 0 {
            checked.heads.push(ActsHead { bucket, number: last, digest: Digest::from(before) });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> Row {
        Row {
            number: 3,
            act_id: Uuid::from_u128(7),
            is_outcome: false,
            platform: Some("a".to_owned()),
            kind: "bc".to_owned(),
            body: "d".to_owned(),
            create_time: OffsetDateTime::UNIX_EPOCH,
            digest: Digest::from(START),
        }
    }

    #[test]
    fn a_row_has_another_digest_for_each_part_of_it() {
        let bucket = Bucket::of_name("a");
        let other = Bucket::all().find(|it| *it != bucket).expect("there are many");
        let later = OffsetDateTime::UNIX_EPOCH + std::time::Duration::from_micros(1);
        let text = str::to_owned;
        let rows = [
            row(),
            Row { number: 4, ..row() },
            Row { act_id: Uuid::from_u128(8), ..row() },
            Row { is_outcome: true, ..row() },
            Row { platform: None, ..row() },
            Row { platform: Some(text("ab")), kind: text("c"), ..row() },
            Row { kind: text("b"), body: text("cd"), ..row() },
            Row { body: text("e"), ..row() },
            Row { create_time: later, ..row() },
        ];
        let mut digests: Vec<_> = rows.iter().map(|it| it.computed(bucket, &START)).collect();
        digests.push(row().computed(other, &START));
        digests.push(row().computed(bucket, &[1; 32]));
        for (n, digest) in digests.iter().enumerate() {
            assert!(!digests[..n].contains(digest), "{n}");
        }
    }
}
