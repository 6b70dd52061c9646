//! The keys that sign receipts.

use database::Error;
use time::OffsetDateTime;

use crate::Accounts;

/// A secret that signs receipts.
#[derive(Clone)]
pub struct ReceiptKey {
    pub key_id: i16,
    /// An Ed25519 key as PKCS #8.
    pub secret: Vec<u8>,
}

impl Accounts {
    /// All keys that sign receipts, newest first: the newest one signs.
    pub async fn receipt_keys(&self) -> Result<Vec<ReceiptKey>, Error> {
        let keys: Vec<(i16, Vec<u8>)> = sqlx::query_as(
            "select key_id, secret
             from receipt_keys
             where bucket = 0
             order by key_id desc",
        )
        .fetch_all(self.pool())
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
        let created = self.database().write(query).await?;
        Ok(created.rows_affected() == 1)
    }
}
