//! The seats' contributions to the chance of a match before the deal.

use database::Error;
use positions::Bucket;
use rows::{Contributed, MatchId};

use crate::Store;
use crate::loading::contributions_of;

impl Store {
    /// Records the contribution of a player's seat, unless it has one. Returns its current
    /// contribution; `None` if the player does not have the seat.
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
        let (recorded,) = self.database().write_returning_at(Bucket::of(match_id), query).await?;
        Ok(recorded)
    }

    /// The seats' contributions, in the order of the seats.
    pub async fn contributions(&self, match_id: MatchId) -> Result<Vec<Contributed>, Error> {
        let (database, match_ids) = (self.database(), [match_id]);
        let found = contributions_of(database, database.readers(), &match_ids);
        let mut found = database.within(Bucket::of(match_id), found).await?;
        Ok(found.remove(&match_id).unwrap_or_default())
    }

    /// The secret from which precommitted seeds are derived. `fresh` is stored if there is none.
    pub async fn seed_key(&self, fresh: &[u8; 32]) -> Result<[u8; 32], Error> {
        let read = || {
            sqlx::query_scalar::<_, Vec<u8>>("select secret from seed_keys where bucket = 0")
                .fetch_optional(self.pool())
        };
        let secret = match read().await? {
            Some(secret) => Some(secret),
            None => {
                let query = sqlx::query("insert into seed_keys (secret) values ($1)");
                self.database().add(query.bind(&fresh[..])).await?;
                read().await?
            }
        };
        let secret = secret.ok_or(sqlx::Error::RowNotFound)?;
        Ok(secret.try_into().expect("a check constraint makes secrets 32 bytes long"))
    }
}
