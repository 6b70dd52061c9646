//! Copies matches from one installation to another: reads and writes their whole record.

use std::collections::HashMap;

use database::{Error, Group, groups};
use event_log::Error as LogError;
use positions::{Bucket, Recorded, buckets_of};
use rows::{FormerPlayer, MatchId, MatchRow, Seed};
use sqlx::types::Json;
use sqlx::{FromRow, Row};
use time::OffsetDateTime;

use crate::Store;
use crate::bots::has_bots;
use crate::columns::{key_bytes, keys_of};

/// The outcome of [`Store::create_copy`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copied {
    Copied,
    /// A match with this id exists.
    Exists,
    /// Another match follows the one that this match follows. Nothing was created.
    PreviousFollowed(MatchId),
}

/// Reads all entries of matches. `offset 0` makes the planner read each match by its index.
macro_rules! select_whole_matches {
    ($bucket:literal) => {
        concat!(
            "select e.match_id, e.position, e.bucket_position, e.request_id, e.create_time, e.body, e.digest
             from unnest($1::smallint[], $2::uuid[]) as asked (bucket, match_id)
             cross join lateral (
                 select *
                 from entries
                 where entries.bucket = ",
            $bucket,
            " and entries.match_id = asked.match_id
                 order by position
                 offset 0
             ) as e"
        )
    };
}

impl Store {
    /// All entries of these matches, by match, in order.
    pub async fn entries_of(
        &self,
        match_ids: &[MatchId],
    ) -> Result<HashMap<MatchId, Vec<Recorded>>, LogError> {
        let mut rows = Vec::new();
        let is_sharded = self.database().is_sharded().await?;
        for Group { is_of_one, of } in groups(match_ids.to_vec(), is_sharded, |&it| Bucket::of(it))
        {
            let query = match is_of_one {
                true => sqlx::query(select_whole_matches!("$3")),
                false => sqlx::query(select_whole_matches!("asked.bucket")),
            };
            let query = query.bind(buckets_of(&of)).bind(&of);
            let query = if is_of_one { query.bind(Bucket::of(of[0])) } else { query };
            rows.append(&mut query.fetch_all(self.at(Bucket::of(of[0]))).await?);
        }
        let mut entries: HashMap<MatchId, Vec<Recorded>> = HashMap::new();
        for row in &rows {
            entries.entry(row.try_get("match_id")?).or_default().push(Recorded::from_row(row)?);
        }
        let rows = entries
            .iter_mut()
            .flat_map(|(&match_id, rows)| rows.iter_mut().map(move |row| (match_id, row)));
        self.log().restore_all(rows).await?;
        Ok(entries)
    }

    /// A match of any platform.
    pub async fn find_any(&self, match_id: MatchId) -> Result<Option<MatchRow>, Error> {
        let platform: Option<String> =
            sqlx::query_scalar("select platform from matches where bucket = $1 and match_id = $2")
                .bind(Bucket::of(match_id))
                .bind(match_id)
                .fetch_optional(self.at(Bucket::of(match_id)))
                .await?;
        match platform {
            Some(platform) => self.find(&platform, match_id).await,
            None => Ok(None),
        }
    }

    /// Creates a match as another installation recorded it, without its entries.
    pub async fn create_copy(&self, row: &MatchRow, seed: &Seed) -> Result<Copied, Error> {
        let former = row.seated.iter().flat_map(|it| it.before.iter().map(|was| (it.seat, was)));
        let former: Vec<(i16, &FormerPlayer)> = former.collect();
        let query = sqlx::query(
            "with copied as (
                 insert into matches
                     (bucket, match_id, platform, game, seats, create_time, terms, request_digest)
                 values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8)
                 on conflict do nothing
                 returning bucket, match_id, create_time
             ), seated as (
                 insert into seats
                     (bucket, match_id, seat, player, request_id, create_time,
                      display_name, display_name_key, is_erased, platform, match_create_time)
                 select copied.bucket, copied.match_id, its.*, $3, copied.create_time
                 from copied
                 cross join unnest($10::int2[], $11::text[], $12::text[], $13::timestamptz[], $14::text[], $15::text[], $16::boolean[]) as its
             ), keyed as (
                 insert into speech_keys (bucket, match_id, seat, key)
                 select bucket, match_id, seat, key
                 from copied
                 cross join unnest($10::int2[], $17::bytea[]) as its (seat, key)
                 where key is not null
             ), left_by as (
                 insert into former_players
                     (bucket, match_id, seat, until_position, player, display_name, speech_key,
                      is_erased, platform, match_create_time)
                 select copied.bucket, copied.match_id, its.*, $3, copied.create_time
                 from copied
                 cross join unnest($18::int2[], $19::int8[], $20::text[], $21::text[], $22::bytea[], $23::boolean[]) as its
             ), followed as (
                 insert into next_matches (bucket, match_id, platform, next_match_id)
                 select bucket_of($24), $24, $3, match_id
                 from copied
                 where $24 is not null
             ), with_bots as (
                 insert into bot_matches (bucket, match_id, platform)
                 select bucket, match_id, $3
                 from copied
                 where $25
             )
             insert into seeds (bucket, match_id, seed)
             select bucket, match_id, $9
             from copied",
        )
        .bind(Bucket::of(row.match_id))
        .bind(row.match_id)
        .bind(&row.platform)
        .bind(&row.game)
        .bind(row.seats)
        .bind(row.create_time)
        .bind(Json(&row.terms))
        .bind(&row.request_digest)
        .bind(&seed[..])
        .bind(row.seated.iter().map(|it| it.seat).collect::<Vec<_>>())
        .bind(row.seated.iter().map(|it| it.player.as_str()).collect::<Vec<_>>())
        .bind(row.seated.iter().map(|it| it.request_id.as_deref()).collect::<Vec<_>>())
        .bind(row.seated.iter().map(|it| it.create_time).collect::<Vec<OffsetDateTime>>())
        .bind(row.seated.iter().map(|it| it.display_name.as_deref()).collect::<Vec<_>>())
        .bind(keys_of(row.seated.iter().map(|it| it.display_name.as_deref())))
        .bind(row.seated.iter().map(|it| it.is_erased).collect::<Vec<_>>())
        .bind(key_bytes(row.seated.iter().map(|it| &it.speech_key)))
        .bind(former.iter().map(|(seat, _)| *seat).collect::<Vec<_>>())
        .bind(former.iter().map(|(_, it)| it.until).collect::<Vec<_>>())
        .bind(former.iter().map(|(_, it)| it.player.as_str()).collect::<Vec<_>>())
        .bind(former.iter().map(|(_, it)| it.display_name.as_deref()).collect::<Vec<_>>())
        .bind(key_bytes(former.iter().map(|(_, it)| &it.speech_key)))
        .bind(former.iter().map(|(_, it)| it.is_erased).collect::<Vec<_>>())
        .bind(row.terms.follows.as_ref().map(|it| it.previous))
        .bind(!row.terms.is_of_device() && has_bots(row.seated.iter().map(|it| &*it.player)));
        match self.database().write_at(Bucket::of(row.match_id), query).await {
            Ok(copied) if copied.rows_affected() == 1 => Ok(Copied::Copied),
            Ok(_) => Ok(Copied::Exists),
            Err(error) => {
                let next =
                    self.other_next(error, &row.platform, row.terms.follows.as_ref()).await?;
                Ok(Copied::PreviousFollowed(next))
            }
        }
    }
}
