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

    /// The ids of the keys that are not revoked, with the hashes of their proofs.
    pub async fn operator_proofs(&self) -> Result<Vec<(String, Vec<u8>)>, Error> {
        let query = sqlx::query_as(
            "select key_id, proof_hash
             from operator_keys
             where bucket = 0 and revoke_time is null",
        );
        Ok(query.fetch_all(self.database().pool()).await?)
    }
}
