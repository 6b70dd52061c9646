//! Finding matches, and the secrets of some.

use std::cmp::Reverse;
use std::collections::HashMap;

use database::Error;
use positions::{Bucket, Position};
use rows::{HeldKey, MatchId, MatchRow, Seed, ShownName, SpeechKey};
use time::OffsetDateTime;

use crate::found::{Found, select_matches};
use crate::loading::{Loaded, seed_of};
use crate::of_matches::OfMatches;
use crate::{Store, Unknown, of_matches};

/// The row of a [`ShownName`].
type NameRow = (MatchId, i16, Option<Position>, String);

/// The match of the bucket `$1` that has the id `$2`.
pub(crate) const FIND_ONE: &str = select_matches!("$1", "where bucket = $1 and match_id = $2");

const FIND_ALL: OfMatches = OfMatches {
    any: select_matches!(
        "m.bucket",
        "where (bucket, match_id) in (select * from unnest($1::smallint[], $2::uuid[]))"
    ),
    one: select_matches!("any($1)", "where bucket = any($1) and match_id = any($2)"),
};

const SEEDS: OfMatches = of_matches!(
    "select match_id, seed
     from seeds
     where",
    ""
);

impl Store {
    /// A platform's match. A match of another platform takes the same query and gives the same
    /// answer as an unknown one, so a platform cannot detect that it exists.
    pub async fn find(&self, platform: &str, match_id: MatchId) -> Result<Option<MatchRow>, Error> {
        let row: Option<Found> = sqlx::query_as(select_matches!(
            "$1",
            "where bucket = $1 and match_id = $2 and platform = $3"
        ))
        .bind(Bucket::of(match_id))
        .bind(match_id)
        .bind(platform)
        .fetch_optional(self.at(Bucket::of(match_id)))
        .await?;
        let row = row.map(|Found(row)| row);
        self.learn_all(Unknown::among(row.iter().map(|it| it.terms.module()))).await;
        Ok(row)
    }

    /// A platform's match with its secrets. A match that was reduced to its result has no secrets
    /// and an empty last entry.
    pub async fn load(&self, platform: &str, match_id: MatchId) -> Result<Option<Loaded>, Error> {
        let loaded = self.load_batched((platform.to_owned(), match_id)).await?;
        if let Some(it) = &loaded {
            self.learn_all(Unknown::among([it.row.terms.module()].into_iter())).await;
            self.learn_version_of(&it.row).await?;
        }
        Ok(loaded)
    }

    /// These matches, newest first. Unknown ones are left out.
    pub async fn find_all(&self, match_ids: &[MatchId]) -> Result<Vec<MatchRow>, Error> {
        let found: Vec<Found> = FIND_ALL.read(self.database(), match_ids, None).await?;
        let mut rows: Vec<MatchRow> = found.into_iter().map(|Found(row)| row).collect();
        rows.sort_by_key(|row| Reverse((row.create_time, row.match_id)));
        self.learn_all(Unknown::among(rows.iter().map(|it| it.terms.module()))).await;
        Ok(rows)
    }

    /// A platform's matches, oldest first, after the given one.
    pub async fn oldest(
        &self,
        platform: &str,
        after: Option<(OffsetDateTime, MatchId)>,
        limit: i64,
    ) -> Result<Vec<MatchRow>, Error> {
        let (time, match_id) = after.unzip();
        let page: Vec<MatchId> = sqlx::query_scalar(
            "select match_id
             from matches
             where platform = $1
                 and (create_time, match_id)
                     > (coalesce($2::timestamptz, '-infinity'), coalesce($3::uuid, '00000000-0000-0000-0000-000000000000'))
             order by create_time, match_id
             limit $4",
        )
        .bind(platform)
        .bind(time)
        .bind(match_id)
        .bind(limit)
        .fetch_all(self.pool_of_all())
        .await?;
        let mut rows = self.find_all(&page).await?;
        rows.reverse();
        Ok(rows)
    }

    /// The names to show for the players of these matches of a platform, and for the earlier
    /// players in the order in which they left.
    pub async fn shown_names(
        &self,
        platform: &str,
        match_ids: &[MatchId],
    ) -> Result<Vec<ShownName>, Error> {
        let of_seats = of_matches!(
            "select match_id, seat, null::int8 as until, coalesce(display_name, player) as name
             from seats
             where",
            "and platform = $3"
        );
        let of_former = of_matches!(
            "select match_id, seat, until_position as until, coalesce(display_name, player) as name
             from former_players
             where",
            "and platform = $3"
        );
        let mut names: Vec<NameRow> =
            of_former.read(self.database(), match_ids, Some(platform)).await?;
        names.sort_by_key(|(_, _, until, _)| *until);
        names.append(&mut of_seats.read(self.database(), match_ids, Some(platform)).await?);
        let name = |(match_id, seat, until, name)| ShownName { match_id, seat, until, name };
        Ok(names.into_iter().map(name).collect())
    }

    /// The present players of these matches of a platform, by seat.
    pub async fn seated(
        &self,
        platform: &str,
        match_ids: &[MatchId],
    ) -> Result<Vec<(MatchId, i16, String)>, Error> {
        let of_seats =
            of_matches!("select match_id, seat, player from seats where", "and platform = $3");
        of_seats.read(self.database(), match_ids, Some(platform)).await
    }

    /// The secret seeds of these matches. Only for matches that are revealed, and for operators.
    pub async fn seeds(&self, match_ids: &[MatchId]) -> Result<HashMap<MatchId, Seed>, Error> {
        let seeds: Vec<(MatchId, Vec<u8>)> = SEEDS.read(self.database(), match_ids, None).await?;
        Ok(seeds.into_iter().map(|(match_id, seed)| (match_id, seed_of(seed))).collect())
    }

    /// The keys that open the speech of these matches, each with its match.
    pub async fn speech_keys(
        &self,
        match_ids: &[MatchId],
    ) -> Result<Vec<(MatchId, HeldKey)>, Error> {
        let held = of_matches!(
            "select match_id, seat, key, false
             from speech_keys
             where",
            ""
        );
        let formerly_held = of_matches!(
            "select match_id, seat, speech_key, true
             from former_players
             where",
            ""
        );
        let mut keys: Vec<(MatchId, i16, Option<Vec<u8>>, bool)> =
            held.read(self.database(), match_ids, None).await?;
        keys.append(&mut formerly_held.read(self.database(), match_ids, None).await?);
        let key = |(match_id, seat, key, is_former): (MatchId, i16, Option<Vec<u8>>, bool)| {
            (match_id, HeldKey { seat, key: key.map(speech_key), is_former })
        };
        Ok(keys.into_iter().map(key).collect())
    }
}

fn speech_key(column: Vec<u8>) -> SpeechKey {
    SpeechKey(column.try_into().expect("a check constraint makes keys 32 bytes long"))
}
