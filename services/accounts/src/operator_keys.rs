//! The keys of operators, with which they call what changes the whole installation.

use database::Error;
use time::OffsetDateTime;

use crate::Accounts;

/// A key of an operator, for people, without its hash.
#[derive(Clone, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub struct OperatorKeyRow {
    pub key_id: String,
    pub create_time: OffsetDateTime,
    pub revoke_time: Option<OffsetDateTime>,
}

impl Accounts {
    /// Adds a key, of which only the SHA-256 hash of its proof is stored. The role that serves may
    /// not.
    pub async fn create_operator_key(
        &self,
        key_id: &str,
        proof_hash: &[u8; 32],
        create_time: OffsetDateTime,
    ) -> Result<(), Error> {
        let query = sqlx::query(
            "insert into operator_keys (bucket, key_id, proof_hash, create_time)
             values (0, $1, $2, $3)",
        )
        .bind(key_id)
        .bind(&proof_hash[..])
        .bind(create_time);
        self.database().write(query).await?;
        Ok(())
    }

    /// Returns false if there is no such key or it is already revoked.
    pub async fn revoke_operator_key(
        &self,
        key_id: &str,
        revoke_time: OffsetDateTime,
    ) -> Result<bool, Error> {
        let query = sqlx::query(
            "update operator_keys
             set revoke_time = $2
             where bucket = 0 and key_id = $1 and revoke_time is null",
        )
        .bind(key_id)
        .bind(revoke_time);
        Ok(self.database().write(query).await?.rows_affected() == 1)
    }

    /// The keys, oldest first.
    pub async fn operator_keys(&self) -> Result<Vec<OperatorKeyRow>, Error> {
        let query = sqlx::query_as(
            "select key_id, create_time, revoke_time
             from operator_keys
             where bucket = 0
             order by create_time, key_id",
        );
        Ok(query.fetch_all(self.database().pool()).await?)
    }

    /// The SHA-256 hashes of the proofs of the keys that are not revoked.
    pub async fn operator_proofs(&self) -> Result<Vec<[u8; 32]>, Error> {
        let query = sqlx::query_scalar(
            "select proof_hash
             from operator_keys
             where bucket = 0 and revoke_time is null",
        );
        Ok(query.fetch_all(self.database().pool()).await?)
    }

    /// The id of the key whose proof has this hash; `None` if it was revoked, or there is none.
    pub async fn operator_key_of(&self, proof_hash: &[u8; 32]) -> Result<Option<String>, Error> {
        let query = sqlx::query_scalar(
            "select key_id
             from operator_keys
             where bucket = 0 and proof_hash = $1 and revoke_time is null",
        );
        let key_id = query.bind(&proof_hash[..]).fetch_optional(self.database().pool()).await?;
        Ok(key_id)
    }
}
