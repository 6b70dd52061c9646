//! One-time codes that are exchanged for a session.

use std::time::Duration;

use database::Error;
use positions::Bucket;
use sqlx::postgres::PgConnection;
use time::OffsetDateTime;

use crate::Accounts;

/// The sign-in that a code grants.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct SignIn {
    pub platform: String,
    /// The API key that made the code.
    pub key_id: String,
}

impl Accounts {
    /// Stores a code by its hash, to be exchanged once. Returns when it expires.
    pub async fn create_sign_in(
        &self,
        hash: &[u8; 32],
        sign_in: &SignIn,
        lifetime: Duration,
    ) -> Result<OffsetDateTime, Error> {
        let query = sqlx::query_as(
            "insert into sign_ins (bucket, hash, platform, key_id, expire_time)
             values ($1, $2, $3, $4, now() + $5 * interval '1 second')
             returning expire_time",
        )
        .bind(Bucket::of_hash(hash))
        .bind(&hash[..])
        .bind(&sign_in.platform)
        .bind(&sign_in.key_id)
        .bind(lifetime.as_secs_f64());
        let (expire_time,) =
            self.database().write_returning_at(Bucket::of_hash(hash), query).await?;
        Ok(expire_time)
    }

    /// Consumes the code with this hash. Returns `None` if it does not exist, was used or has
    /// expired.
    pub async fn take_sign_in(&self, hash: &[u8; 32]) -> Result<Option<SignIn>, Error> {
        let query = sqlx::query_as(
            "with taken as (
                 delete from sign_ins
                 where bucket = $1 and hash = $2
                 returning platform, key_id, expire_time
             )
             select platform, key_id
             from taken
             where expire_time > now()",
        )
        .bind(Bucket::of_hash(hash))
        .bind(&hash[..]);
        self.database().write_returning_any_at(Bucket::of_hash(hash), query).await
    }
}

/// Removes expired codes.
pub(crate) async fn remove_past_sign_ins(connection: &mut PgConnection) -> Result<(), Error> {
    sqlx::query("delete from sign_ins where expire_time < now()").execute(connection).await?;
    Ok(())
}
