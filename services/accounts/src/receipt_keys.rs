//! The keys that sign receipts.

use database::Error;

use crate::Accounts;

/// A secret that signs receipts.
#[derive(Clone)]
pub struct ReceiptKey {
    /// An Ed25519 key as PKCS #8.
    pub secret: Vec<u8>,
    /// The id under which receipts name it that a release signed which knew no thumbprints.
    pub former_id: Option<String>,
}

impl Accounts {
    /// All keys that sign receipts, newest first: the newest one signs.
    pub async fn receipt_keys(&self) -> Result<Vec<ReceiptKey>, Error> {
        let keys: Vec<(Vec<u8>, Option<String>)> = sqlx::query_as(
            "select secret, former_id
             from receipt_keys
             where bucket = 0
             order by key_id desc",
        )
        .fetch_all(self.pool())
        .await?;
        Ok(keys.into_iter().map(|(secret, former_id)| ReceiptKey { secret, former_id }).collect())
    }

    /// Adds a key, if there is none yet. If another process is faster, its key is kept.
    pub async fn create_first_receipt_key(&self, secret: &[u8]) -> Result<(), Error> {
        let query = sqlx::query(
            "insert into receipt_keys (key_id, secret, create_time)
             values (1, $1, now())",
        );
        self.database().add(query.bind(secret)).await.map(drop)
    }

    /// Adds a key, which signs receipts from now on. The public halves of all stay published.
    pub async fn rotate_receipt_keys(&self, secret: &[u8]) -> Result<(), Error> {
        // If another process takes the number, one of both fails.
        let next: i16 = sqlx::query_scalar(
            "select (coalesce(max(key_id), 0) + 1)::smallint from receipt_keys where bucket = 0",
        )
        .fetch_one(self.pool())
        .await?;
        let query = sqlx::query(
            "insert into receipt_keys (key_id, secret, create_time)
             values ($1, $2, now())",
        );
        self.database().write(query.bind(next).bind(secret)).await.map(drop)
    }
}
