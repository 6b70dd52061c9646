//! Platforms, their API keys, and the keys that sign tokens.

use crate::{Bucket, Error, Store};
use time::OffsetDateTime;

/// A secret with which the service signs tokens.
#[derive(Clone)]
pub struct TokenKey {
    pub key_id: i16,
    pub secret: [u8; 32],
    pub create_time: OffsetDateTime,
}

/// A secret that signs receipts.
#[derive(Clone)]
pub struct ReceiptKey {
    pub key_id: i16,
    /// An Ed25519 key as PKCS #8.
    pub secret: Vec<u8>,
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

    /// The hash of a platform's key; none if the key is unknown or revoked.
    pub async fn platform_key(
        &self,
        platform: &str,
        key_id: &str,
    ) -> Result<Option<[u8; 32]>, Error> {
        let hash: Option<Vec<u8>> = sqlx::query_scalar(
            "select hash
             from platform_keys
             where bucket = $1 and platform = $2 and key_id = $3 and revoke_time is null",
        )
        .bind(Bucket::of_platform(platform))
        .bind(platform)
        .bind(key_id)
        .fetch_optional(&self.pool)
        .await?;
        Ok(hash.map(|hash| hash.try_into().expect("a check constraint makes hashes 32 bytes long")))
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
             set revoke_time = $4
             where bucket = $1 and platform = $2 and key_id = $3 and revoke_time is null",
        )
        .bind(Bucket::of_platform(platform))
        .bind(platform)
        .bind(key_id)
        .bind(revoke_time);
        let revoked = self.write(query).await?;
        Ok(revoked.rows_affected() == 1)
    }

    /// All token keys, newest first: the newest one signs, all of them verify. If there are none
    /// yet, `first` becomes the secret of the first, unless another process is faster; then that
    /// process's key is returned.
    pub async fn token_keys(
        &self,
        first: &[u8; 32],
        create_time: OffsetDateTime,
    ) -> Result<Vec<TokenKey>, Error> {
        let keys = self.find_token_keys().await?;
        if !keys.is_empty() {
            return Ok(keys);
        }
        self.create_token_key(1, first, create_time).await?;
        self.find_token_keys().await
    }

    /// Adds a token key, which signs from now on if its id is the highest. Returns false if the id
    /// is taken.
    pub async fn create_token_key(
        &self,
        key_id: i16,
        secret: &[u8; 32],
        create_time: OffsetDateTime,
    ) -> Result<bool, Error> {
        let query = sqlx::query(
            "insert into token_keys (key_id, secret, create_time)
             values ($1, $2, $3)
             on conflict do nothing",
        )
        .bind(key_id)
        .bind(&secret[..])
        .bind(create_time);
        let created = self.write(query).await?;
        Ok(created.rows_affected() == 1)
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
        let created = sqlx::query(
            "insert into receipt_keys (key_id, secret, create_time)
             values ($1, $2, $3)
             on conflict do nothing",
        )
        .bind(key_id)
        .bind(secret)
        .bind(create_time)
        .execute(&self.pool)
        .await?;
        Ok(created.rows_affected() == 1)
    }

    async fn find_token_keys(&self) -> Result<Vec<TokenKey>, Error> {
        let keys: Vec<(i16, Vec<u8>, OffsetDateTime)> = sqlx::query_as(
            "select key_id, secret, create_time
             from token_keys
             where bucket = 0
             order by key_id desc",
        )
        .fetch_all(&self.pool)
        .await?;
        let keys = keys.into_iter().map(|(key_id, secret, create_time)| {
            let secret = secret.try_into().expect("a check constraint makes secrets 32 bytes long");
            TokenKey { key_id, secret, create_time }
        });
        Ok(keys.collect())
    }
}
