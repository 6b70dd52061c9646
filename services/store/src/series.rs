//! Series: matches that follow each other.

use database::{Error, is_unique_violation};
use positions::Bucket;
use rows::{Follows, MatchId};

use crate::Store;

impl Store {
    /// The match of a platform that follows one of its matches.
    pub async fn next_match(
        &self,
        platform: &str,
        match_id: MatchId,
    ) -> Result<Option<MatchId>, Error> {
        let next = sqlx::query_scalar(
            "select next_match_id
             from next_matches
             where bucket = $1 and match_id = $2 and platform = $3",
        )
        .bind(Bucket::of(match_id))
        .bind(match_id)
        .bind(platform)
        .fetch_optional(self.at(Bucket::of(match_id)))
        .await?;
        Ok(next)
    }

    /// The match whose row refused that another one follows the same match. Fails with `error` if
    /// that was not the reason.
    pub(crate) async fn other_next(
        &self,
        error: Error,
        platform: &str,
        follows: Option<&Follows>,
    ) -> Result<MatchId, Error> {
        match (&error, follows) {
            (Error::Fault(source), Some(follows)) if is_unique_violation(source) => {
                self.next_match(platform, follows.previous).await?.ok_or(error)
            }
            _ => Err(error),
        }
    }
}
