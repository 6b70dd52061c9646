//! Reading across matches: what a platform is told of all of them, and how far there is to read.
//!
//! A reader stands at a position of each bucket and reads a window of each, so that what it skips
//! moves it on too and no read is long, however little it finds.

use crate::matches::buckets_of;
use crate::{BUCKETS, Bucket, Error, Heads, MatchId, Recorded, Store, Tags};
use sqlx::{FromRow, Row};
use std::sync::atomic::Ordering::Relaxed;
use tokio::sync::watch;
use uuid::Uuid;

/// A part of a bucket: its entries after a bucket position, up to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub bucket: Bucket,
    pub after: i64,
    pub until: i64,
}

/// Whose entries are read; empty lists ask for all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    pub platform: String,
    pub games: Vec<String>,
    /// Matches in which one of these sits.
    pub players: Vec<String>,
    /// Matches that have all of these as they are read.
    pub tags: Tags,
}

/// An entry of any match, with what it takes to read it.
#[derive(Clone, Debug)]
pub struct Streamed {
    pub bucket: Bucket,
    pub match_id: MatchId,
    pub game: String,
    pub recorded: Recorded,
}

/// The last entry of a match, and how long after its end the match is revealed; none is never.
#[derive(Clone, Debug)]
pub struct Last {
    pub match_id: MatchId,
    pub reveal_wait_s: Option<i64>,
    pub recorded: Recorded,
}

impl Store {
    /// The entries of the scope in these windows, by bucket, in the order of their commits.
    pub async fn windows(&self, windows: &[Window], scope: &Scope) -> Result<Vec<Streamed>, Error> {
        // `offset 0` keeps the planner to what is meant: walk each window, look each match up by
        // its key. Joined freely, it may read all matches there are.
        let rows = sqlx::query(
            "select e.bucket, e.match_id, m.game,
                 e.position, e.bucket_position, e.request_id, e.create_time, e.body
             from unnest($1::smallint[], $2::int8[], $3::int8[]) as w (bucket, after, until)
             cross join lateral (
                 select *
                 from entries
                 where entries.bucket = w.bucket
                     and entries.bucket_position > w.after
                     and entries.bucket_position <= w.until
                 offset 0
             ) as e
             cross join lateral (
                 select game
                 from matches
                 where matches.bucket = e.bucket
                     and matches.match_id = e.match_id
                     and matches.platform = $4
                     and (cardinality($5::text[]) = 0 or matches.game = any ($5))
                     and (
                         cardinality($6::text[]) = 0
                         or exists (
                             select
                             from seats
                             where seats.bucket = e.bucket
                                 and seats.match_id = e.match_id
                                 and seats.player = any ($6)
                         )
                     )
                     and (
                         cardinality($7::text[]) = 0
                         or not exists (
                             select *
                             from unnest($7, $8::text[]) as asked (key, value)
                             except all
                             select key, value
                             from match_tags
                             where match_tags.bucket = e.bucket
                                 and match_tags.match_id = e.match_id
                         )
                     )
                 offset 0
             ) as m
             order by e.bucket, e.bucket_position",
        )
        .bind(windows.iter().map(|it| it.bucket).collect::<Vec<_>>())
        .bind(windows.iter().map(|it| it.after).collect::<Vec<_>>())
        .bind(windows.iter().map(|it| it.until).collect::<Vec<_>>())
        .bind(&scope.platform)
        .bind(&scope.games)
        .bind(&scope.players)
        .bind(scope.tags.keys().collect::<Vec<_>>())
        .bind(scope.tags.values().collect::<Vec<_>>())
        .fetch_all(&self.pool)
        .await?;
        let streamed = rows.iter().map(|row| {
            Ok(Streamed {
                bucket: row.try_get("bucket")?,
                match_id: row.try_get("match_id")?,
                game: row.try_get("game")?,
                recorded: Recorded::from_row(row)?,
            })
        });
        Ok(streamed.collect::<Result<_, sqlx::Error>>()?)
    }

    /// The last entries of these matches, as far as they have one.
    pub async fn lasts(&self, match_ids: &[MatchId]) -> Result<Vec<Last>, Error> {
        let rows = sqlx::query(
            "select m.match_id, m.reveal_wait_s, last.*
             from unnest($1::smallint[], $2::uuid[]) as asked (bucket, match_id)
             join matches as m on m.bucket = asked.bucket and m.match_id = asked.match_id
             cross join lateral (
                 select position, bucket_position, request_id, create_time, body
                 from entries
                 where entries.bucket = m.bucket and entries.match_id = m.match_id
                 order by position desc
                 limit 1
             ) as last",
        )
        .bind(buckets_of(match_ids))
        .bind(match_ids)
        .fetch_all(&self.pool)
        .await?;
        let lasts = rows.iter().map(|row| {
            Ok(Last {
                match_id: row.try_get("match_id")?,
                reveal_wait_s: row.try_get("reveal_wait_s")?,
                recorded: Recorded::from_row(row)?,
            })
        });
        Ok(lasts.collect::<Result<_, sqlx::Error>>()?)
    }

    /// How far this process knows each bucket to have come.
    pub fn known_heads(&self) -> Heads {
        let mut heads = [0; BUCKETS];
        heads.iter_mut().zip(&self.shared.known).for_each(|(head, it)| *head = it.load(Relaxed));
        heads
    }

    /// Changes when this process comes to know of more entries; while anybody listens, that is at
    /// once, whichever process recorded them.
    pub fn news(&self) -> watch::Receiver<()> {
        self.shared.news.subscribe()
    }

    /// Which house this is: the same for every process on one record, and different for every
    /// record.
    pub async fn installation(&self) -> Result<Uuid, Error> {
        let asking = async || {
            sqlx::query_scalar("select installation_id from installation")
                .fetch_one(&self.pool)
                .await
        };
        Ok(*self.shared.installation.get_or_try_init(asking).await?)
    }
}
