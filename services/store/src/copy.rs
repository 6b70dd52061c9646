//! Copying matches from one installation to another: reading and writing everything that the record
//! has of them.

use crate::bots::has_bots;
use crate::matches::{buckets_of, key_bytes, keys_of};
use crate::shards::{Group, groups};
use crate::{Bucket, Error, FormerPlayer, MatchId, MatchRow, Recorded, Seed, Store};
use sqlx::{FromRow, Row};
use std::collections::HashMap;
use time::OffsetDateTime;

/// The outcome of [`Store::create_copy`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copied {
    Copied,
    /// There is a match of this id already.
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
    /// The names of all platforms, sorted.
    pub async fn platforms(&self) -> Result<Vec<String>, Error> {
        let names = sqlx::query_scalar("select platform from platforms order by platform");
        Ok(names.fetch_all(&self.pool).await?)
    }

    /// All entries of these matches, by match, in order.
    pub async fn entries_of(
        &self,
        match_ids: &[MatchId],
    ) -> Result<HashMap<MatchId, Vec<Recorded>>, Error> {
        let mut rows = Vec::new();
        let is_sharded = self.is_sharded().await?;
        for Group { is_of_one, of } in groups(match_ids.to_vec(), is_sharded, |&it| Bucket::of(it))
        {
            let query = match is_of_one {
                true => sqlx::query(select_whole_matches!("$3")),
                false => sqlx::query(select_whole_matches!("asked.bucket")),
            };
            let query = query.bind(buckets_of(&of)).bind(&of);
            let query = if is_of_one { query.bind(Bucket::of(of[0])) } else { query };
            rows.append(&mut query.fetch_all(&self.pool).await?);
        }
        let mut entries: HashMap<MatchId, Vec<Recorded>> = HashMap::new();
        for row in &rows {
            entries.entry(row.try_get("match_id")?).or_default().push(Recorded::from_row(row)?);
        }
        let rows = entries
            .iter_mut()
            .flat_map(|(&match_id, rows)| rows.iter_mut().map(move |row| (match_id, row)));
        self.restore_all(rows).await?;
        Ok(entries)
    }

    /// A match of any platform.
    pub async fn find_any(&self, match_id: MatchId) -> Result<Option<MatchRow>, Error> {
        let platform: Option<String> =
            sqlx::query_scalar("select platform from matches where bucket = $1 and match_id = $2")
                .bind(Bucket::of(match_id))
                .bind(match_id)
                .fetch_optional(&self.pool)
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
                     (bucket, match_id, platform, game, seats, options, request_digest, seed_commitment, create_time, reveal_wait_s,
                      previous_match_id, series_number, series_wins, series_best_of)
                 values ($1, $2, $3, $4, $5, $6::jsonb, $7, $8, $9, $10, $16, $17, $18, $19)
                 on conflict do nothing
                 returning bucket, match_id, create_time
             ), seated as (
                 insert into seats
                     (bucket, match_id, seat, player, request_id, create_time,
                      display_name, display_name_key, is_erased, platform, match_create_time)
                 select copied.bucket, copied.match_id, its.*, $3, copied.create_time
                 from copied
                 cross join unnest($12::int2[], $13::text[], $14::text[], $15::timestamptz[], $20::text[], $21::text[], $22::boolean[]) as its
             ), keyed as (
                 insert into speech_keys (bucket, match_id, seat, key)
                 select bucket, match_id, seat, key
                 from copied
                 cross join unnest($12::int2[], $23::bytea[]) as its (seat, key)
                 where key is not null
             ), left_by as (
                 insert into former_players
                     (bucket, match_id, seat, until_position, player, display_name, speech_key,
                      is_erased, platform, match_create_time)
                 select copied.bucket, copied.match_id, its.*, $3, copied.create_time
                 from copied
                 cross join unnest($24::int2[], $25::int8[], $26::text[], $27::text[], $28::bytea[], $29::boolean[]) as its
             ), followed as (
                 insert into next_matches (bucket, match_id, platform, next_match_id)
                 select bucket_of($16), $16, $3, match_id
                 from copied
                 where $16 is not null
             ), with_bots as (
                 insert into bot_matches (bucket, match_id, platform)
                 select bucket, match_id, $3
                 from copied
                 where $30
             )
             insert into seeds (bucket, match_id, seed)
             select bucket, match_id, $11
             from copied",
        )
        .bind(Bucket::of(row.match_id))
        .bind(row.match_id)
        .bind(&row.platform)
        .bind(&row.game)
        .bind(row.seats)
        .bind(&row.options)
        .bind(&row.request_digest)
        .bind(&row.seed_commitment)
        .bind(row.create_time)
        .bind(row.reveal_wait_s)
        .bind(&seed[..])
        .bind(row.seated.iter().map(|it| it.seat).collect::<Vec<_>>())
        .bind(row.seated.iter().map(|it| it.player.as_str()).collect::<Vec<_>>())
        .bind(row.seated.iter().map(|it| it.request_id.as_deref()).collect::<Vec<_>>())
        .bind(row.seated.iter().map(|it| it.create_time).collect::<Vec<OffsetDateTime>>())
        .bind(row.follows.as_ref().map(|it| it.previous))
        .bind(row.follows.as_ref().map(|it| it.number))
        .bind(row.follows.as_ref().map(|it| &it.wins))
        .bind(row.follows.as_ref().and_then(|it| it.best_of))
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
        .bind(has_bots(row.seated.iter().map(|it| it.player.as_str())));
        match self.write(query).await {
            Ok(copied) if copied.rows_affected() == 1 => Ok(Copied::Copied),
            Ok(_) => Ok(Copied::Exists),
            Err(error) => {
                let next = self.other_next(error, &row.platform, row.follows.as_ref()).await?;
                Ok(Copied::PreviousFollowed(next))
            }
        }
    }
}
