//! What the seats of a match contribute to its chance before the deal.

use crate::of_matches;
use crate::{Error, MatchId, Store};
use sqlx::postgres::PgPool;
use std::collections::HashMap;

/// The contribution of a seat: 1 to 32 bytes.
pub type Contributed = (i16, Vec<u8>);

impl Store {
    /// Records the contribution of a player's seat, unless it has one. Returns the one that it has
    /// now; none if the player does not have the seat.
    pub async fn contribute(
        &self,
        match_id: MatchId,
        seat: i16,
        player: &str,
        contribution: &[u8],
    ) -> Result<Option<Vec<u8>>, Error> {
        let query = sqlx::query_as("select contribute_to_match($1, $2, $3, $4)")
            .bind(match_id)
            .bind(seat)
            .bind(player)
            .bind(contribution);
        let (recorded,) = self.write_returning(query).await?;
        Ok(recorded)
    }

    /// What the seats of a match have contributed, in the order of the seats.
    pub async fn contributions(&self, match_id: MatchId) -> Result<Vec<Contributed>, Error> {
        let mut of_matches = of_matches(&self.pool, self.is_sharded().await?, &[match_id]).await?;
        Ok(of_matches.remove(&match_id).unwrap_or_default())
    }

    /// The secret that seeds told beforehand are derived from. `fresh` becomes it if there is none.
    pub async fn seed_key(&self, fresh: &[u8; 32]) -> Result<[u8; 32], Error> {
        let read = || {
            sqlx::query_scalar::<_, Vec<u8>>("select secret from seed_keys where bucket = 0")
                .fetch_optional(&self.pool)
        };
        let secret = match read().await? {
            Some(secret) => Some(secret),
            None => {
                let query = "insert into seed_keys (secret) values ($1) on conflict do nothing";
                self.write(sqlx::query(query).bind(&fresh[..])).await?;
                read().await?
            }
        };
        let secret = secret.ok_or(sqlx::Error::RowNotFound)?;
        Ok(secret.try_into().expect("a check constraint makes secrets 32 bytes long"))
    }
}

/// What the seats of these matches have contributed, in the order of the seats.
pub(crate) async fn of_matches(
    pool: &PgPool,
    is_sharded: bool,
    match_ids: &[MatchId],
) -> Result<HashMap<MatchId, Vec<Contributed>>, sqlx::Error> {
    let statement = of_matches!(
        "select match_id, seat, contribution
         from contributions
         where",
        "order by match_id, seat"
    );
    let rows: Vec<(MatchId, i16, Vec<u8>)> =
        statement.read(pool, is_sharded, match_ids, None).await?;
    let mut of_matches: HashMap<MatchId, Vec<Contributed>> = HashMap::new();
    for (match_id, seat, contribution) in rows {
        of_matches.entry(match_id).or_default().push((seat, contribution));
    }
    Ok(of_matches)
}
