//! Bots: seats that the service plays itself.

use database::Error;
use positions::Bucket;
use rows::{BOT_MARK, MatchId, level_of};
use time::OffsetDateTime;

use crate::Store;

/// A part of the statement that creates a match, for a match with bots. Expects the platform as
/// `$3`.
pub(crate) const BOTS_SEATED: &str = ", with_bots as (
                 insert into bot_matches (bucket, match_id, platform)
                 select bucket, match_id, $3
                 from created
             )";

pub(crate) fn has_bots<'a>(mut players: impl Iterator<Item = &'a str>) -> bool {
    players.any(|player| level_of(player).is_some())
}

/// A match that waits for a bot.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct BotMatch {
    pub platform: String,
    pub match_id: MatchId,
    /// The time of its last entry.
    pub update_time: OffsetDateTime,
}

impl Store {
    /// Records that a match may have a bot.
    pub async fn note_bots(&self, platform: &str, match_id: MatchId) -> Result<(), Error> {
        let noting = sqlx::query(
            "insert into bot_matches (bucket, match_id, platform)
             values ($1, $2, $3)
             on conflict do nothing",
        )
        .bind(Bucket::of(match_id))
        .bind(match_id)
        .bind(platform);
        self.database().write_at(Bucket::of(match_id), noting).await.map(drop)
    }

    /// Matches that have waited since before this time for a bot that must decide. Longest first,
    /// platforms in turn; without those in `except`, unless they have newer entries.
    pub async fn matches_waiting_for_bots(
        &self,
        before: OffsetDateTime,
        most: usize,
        except: &[(MatchId, OffsetDateTime)],
    ) -> Result<Vec<BotMatch>, Error> {
        if !self.database().may_have("bot_matches", "true").await {
            return Ok(Vec::new());
        }
        let (failed, failed_at): (Vec<MatchId>, Vec<OffsetDateTime>) =
            except.iter().copied().unzip();
        let waiting = sqlx::query_as(
            "select platform, match_id, update_time
             from (
                 select its.platform, its.match_id, now.update_time,
                     row_number() over (partition by its.platform order by now.update_time) as turn
                 from bot_matches as its
                 join match_summaries as now using (bucket, match_id)
                 where now.winners is null
                     and not now.is_paused
                     and now.update_time < $1
                     and not exists (
                         select 1
                         from unnest($3::uuid[], $5::timestamptz[]) as failed (match_id, update_time)
                         where failed.match_id = its.match_id
                             and failed.update_time = now.update_time
                     )
                     and exists (
                         select 1
                         from seats
                         where seats.bucket = its.bucket
                             and seats.match_id = its.match_id
                             and seats.seat = any(now.waiting)
                             and starts_with(seats.player, $4)
                     )
             ) as due
             order by turn, update_time
             limit $2",
        )
        .bind(before)
        .bind(i64::try_from(most).unwrap_or(i64::MAX))
        .bind(failed)
        .bind(BOT_MARK)
        .bind(failed_at)
        .fetch_all(self.pool_of_all())
        .await?;
        Ok(waiting)
    }

    /// Removes the records of matches that have ended or no longer exist.
    pub async fn forget_bots(&self) -> Result<(), Error> {
        let forgetting = sqlx::query(
            "delete from bot_matches as its
             where exists (
                 select 1
                 from match_summaries as now
                 where now.bucket = its.bucket
                     and now.match_id = its.match_id
                     and now.winners is not null
             ) or exists (
                 select 1
                 from deleted_matches as gone
                 where gone.bucket = its.bucket and gone.match_id = its.match_id
             )",
        );
        self.database().write(forgetting).await.map(drop)
    }
}
