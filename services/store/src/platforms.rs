//! Platforms and their API keys.

use crate::{Bucket, Error, Store};
use time::OffsetDateTime;

/// A secret that signs receipts.
#[derive(Clone)]
pub struct ReceiptKey {
    pub key_id: i16,
    /// An Ed25519 key as PKCS #8.
    pub secret: Vec<u8>,
}

/// An API key, for people: what is known of it besides its hash.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct ApiKeyRow {
    pub key_id: String,
    pub create_time: OffsetDateTime,
    pub revoke_time: Option<OffsetDateTime>,
}

impl Store {
    /// Returns false if there is a platform of this name already.
    pub async fn create_platform(
        &self,
        platform: &str,
        create_time: OffsetDateTime,
    ) -> Result<bool, Error> {
        let query = sqlx::query(
            "insert into platforms (bucket, platform, create_time)
             values ($1, $2, $3)
             on conflict do nothing",
        )
        .bind(Bucket::of_platform(platform))
        .bind(platform)
        .bind(create_time);
        let created = self.write(query).await?;
        Ok(created.rows_affected() == 1)
    }

    /// Adds a key, of which only the hash is stored, to a platform. Returns false if the platform
    /// is unknown or the key's id is taken.
    pub async fn create_platform_key(
        &self,
        platform: &str,
        key_id: &str,
        hash: &[u8; 32],
        create_time: OffsetDateTime,
    ) -> Result<bool, Error> {
        let query = sqlx::query(
            "insert into platform_keys (bucket, platform, key_id, hash, create_time)
             select bucket, platform, $3, $4, $5
             from platforms
             where bucket = $1 and platform = $2
             on conflict do nothing",
        )
        .bind(Bucket::of_platform(platform))
        .bind(platform)
        .bind(key_id)
        .bind(&hash[..])
        .bind(create_time);
        let created = self.write(query).await?;
        Ok(created.rows_affected() == 1)
    }

    /// Returns false if there is no such key, or it is revoked already.
    pub async fn revoke_platform_key(
        &self,
        platform: &str,
        key_id: &str,
        revoke_time: OffsetDateTime,
    ) -> Result<bool, Error> {
        let query = sqlx::query(
            "update platform_keys
             set revoke_time = $4, changed_in = pg_current_xact_id()
             where bucket = $1 and platform = $2 and key_id = $3 and revoke_time is null",
        )
        .bind(Bucket::of_platform(platform))
        .bind(platform)
        .bind(key_id)
        .bind(revoke_time);
        let revoked = self.write(query).await?;
        Ok(revoked.rows_affected() == 1)
    }

    /// When the platform was added; none if it is unknown.
    pub async fn platform_create_time(
        &self,
        platform: &str,
    ) -> Result<Option<OffsetDateTime>, Error> {
        let create_time = sqlx::query_scalar(
            "select create_time
             from platforms
             where bucket = $1 and platform = $2",
        )
        .bind(Bucket::of_platform(platform))
        .bind(platform)
        .fetch_optional(&self.pool)
        .await?;
        Ok(create_time)
    }

    /// The newest of a platform's keys, newest first.
    pub async fn list_platform_keys(
        &self,
        platform: &str,
        limit: i64,
    ) -> Result<Vec<ApiKeyRow>, Error> {
        let keys = sqlx::query_as(
            "select key_id, create_time, revoke_time
             from platform_keys
             where bucket = $1 and platform = $2
             order by create_time desc, key_id
             limit $3",
        )
        .bind(Bucket::of_platform(platform))
        .bind(platform)
        .bind(limit)
        .fetch_all(&self.pool)
        .await?;
        Ok(keys)
    }

    /// All keys that sign receipts, newest first: the newest one signs.
    pub async fn receipt_keys(&self) -> Result<Vec<ReceiptKey>, Error> {
        let keys: Vec<(i16, Vec<u8>)> = sqlx::query_as(
            "select key_id, secret
             from receipt_keys
             where bucket = 0
             order by key_id desc",
        )
        .fetch_all(&self.pool)
        .await?;
        Ok(keys.into_iter().map(|(key_id, secret)| ReceiptKey { key_id, secret }).collect())
    }

    /// Adds a key, which signs receipts from now on if its id is the highest. Returns false if the
    /// id is taken.
    pub async fn create_receipt_key(
        &self,
        key_id: i16,
        secret: &[u8],
        create_time: OffsetDateTime,
    ) -> Result<bool, Error> {
        let query = sqlx::query(
            "insert into receipt_keys (key_id, secret, create_time)
             values ($1, $2, $3)
             on conflict do nothing",
        )
        .bind(key_id)
        .bind(secret)
        .bind(create_time);
        let created = self.write(query).await?;
        Ok(created.rows_affected() == 1)
    }
}
