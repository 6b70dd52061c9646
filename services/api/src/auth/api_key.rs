//! API keys of platforms.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;

/// The prefix by which people and scanners recognise an API key.
pub(super) const KEY_PREFIX: &str = "croupier";

/// An API key. It is shown to the platform once; only its hash is stored.
pub struct ApiKey {
    pub platform: String,
    pub key_id: String,
    pub secret: String,
}

impl ApiKey {
    /// A new key of 256 random bits.
    pub fn new(platform: &str) -> Result<ApiKey, getrandom::Error> {
        let (mut id, mut secret) = ([0; 6], [0; 32]);
        getrandom::fill(&mut id)?;
        getrandom::fill(&mut secret)?;
        let key_id = hex::encode(id);
        let secret = BASE64_URL_SAFE_NO_PAD.encode(secret);
        Ok(ApiKey { platform: platform.to_owned(), key_id, secret })
    }

    pub fn hash(&self) -> blake3::Hash {
        hash_of(&self.to_string())
    }
}

/// The stored hash of a key. It is the hash of the whole text, so that a key is recognised without
/// parsing.
pub(super) fn hash_of(key: &str) -> blake3::Hash {
    blake3::hash(key.as_bytes())
}

/// The text is not an API key.
#[derive(Debug, thiserror::Error)]
#[error("this is not an API key")]
pub struct NoKey;

impl std::str::FromStr for ApiKey {
    type Err = NoKey;

    fn from_str(text: &str) -> Result<ApiKey, NoKey> {
        let parts: Vec<&str> = text.splitn(4, '_').collect();
        let [KEY_PREFIX, platform, key_id, secret] = parts[..] else { return Err(NoKey) };
        let [platform, key_id, secret] = [platform, key_id, secret].map(str::to_owned);
        Ok(ApiKey { platform, key_id, secret })
    }
}

impl std::fmt::Display for ApiKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{KEY_PREFIX}_{}_{}_{}", self.platform, self.key_id, self.secret)
    }
}

#[cfg(test)]
mod fuzz {
    use bolero::check;

    use super::*;
    use crate::requests::fuzz::{Edit, edited};

    #[test]
    fn an_api_key_that_is_read_is_written_alike() {
        let example = "croupier_acme_0123456789ab_c2VjcmV0";
        check!().with_type::<Vec<Edit>>().for_each(|edits| {
            let text = edited(example, edits);
            if let Ok(key) = text.parse::<ApiKey>() {
                assert_eq!(key.to_string(), text);
            }
        });
    }
}
