//! Keys of operators, with which they call what changes the whole installation.
//!
//! A revoked key is refused at once, so each call asks the database. One with a key that was there
//! asks for this key; all others wait for one read a second, so guesses cost no query each.

use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use accounts::Accounts;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use ring::digest::{SHA256, digest};
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until};

/// The prefix by which people and scanners recognise a key of an operator. No key of a platform
/// begins like this.
pub(super) const OPERATOR_PREFIX: &str = "croupier-operator_";

/// A key of an operator. It is shown once; only a hash of its proof is stored.
pub struct OperatorKey {
    pub key_id: String,
    secret: String,
}

impl OperatorKey {
    /// A new key of 256 random bits.
    pub fn new() -> Result<OperatorKey, getrandom::Error> {
        let (mut id, mut secret) = ([0; 6], [0; 32]);
        getrandom::fill(&mut id)?;
        getrandom::fill(&mut secret)?;
        let secret = BASE64_URL_SAFE_NO_PAD.encode(secret);
        Ok(OperatorKey { key_id: hex::encode(id), secret })
    }

    /// What the database stores.
    pub fn proof_hash(&self) -> [u8; 32] {
        hash_of(&proof_of(&self.to_string()))
    }
}

impl std::fmt::Display for OperatorKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{OPERATOR_PREFIX}{}_{}", self.key_id, self.secret)
    }
}

/// What proves to the database that a caller has the key.
pub(super) fn proof_of(key: &str) -> [u8; 32] {
    *blake3::hash(key.as_bytes()).as_bytes()
}

fn hash_of(proof: &[u8; 32]) -> [u8; 32] {
    digest(&SHA256, proof).as_ref().try_into().expect("SHA-256 has 32 bytes")
}

/// The shortest time between two reads.
const PAUSE_MIN: Duration = Duration::from_secs(1);

/// The keys that are not revoked.
#[derive(Default)]
pub(super) struct OperatorKeys {
    /// The hashes of the keys that the last read found.
    known: RwLock<Vec<[u8; 32]>>,
    /// When the last read began.
    began: Mutex<Option<Instant>>,
}

impl OperatorKeys {
    /// The id of the key that this proves, as of a read that began after this call.
    pub async fn key_id(
        &self,
        proof: &[u8; 32],
        accounts: &Accounts,
    ) -> Result<Option<String>, database::Error> {
        let hash = hash_of(proof);
        if !self.is_known(&hash) {
            self.read(accounts).await?;
        }
        match self.is_known(&hash) {
            true => accounts.operator_key_of(&hash).await,
            false => Ok(None),
        }
    }

    fn is_known(&self, hash: &[u8; 32]) -> bool {
        self.known.read().unwrap_or_else(PoisonError::into_inner).contains(hash)
    }

    /// Reads the keys, unless a read began after this call.
    async fn read(&self, accounts: &Accounts) -> Result<(), database::Error> {
        let called = Instant::now();
        let mut began = self.began.lock().await;
        if began.is_some_and(|began| began >= called) {
            return Ok(());
        }
        if let Some(began) = *began {
            sleep_until(began + PAUSE_MIN).await;
        }
        *began = Some(Instant::now());
        let proofs = accounts.operator_proofs().await?;
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = proofs;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_of_an_operator_is_none_of_a_platform() {
        let key = OperatorKey::new().expect("the system has randomness");
        assert!(key.to_string().parse::<crate::auth::ApiKey>().is_err());
        let again = OperatorKey::new().expect("the system has randomness");
        assert_ne!(key.proof_hash(), again.proof_hash());
        assert_eq!(key.proof_hash(), hash_of(&proof_of(&key.to_string())));
    }
}
