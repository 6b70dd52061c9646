//! The secrets that sign messages.

use std::fmt;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use standardwebhooks::Webhook;

const PREFIX: &str = "whsec_";

/// The minimum and maximum length of a secret in bytes, by Standard Webhooks.
const BYTES_MIN: usize = 24;
const BYTES_MAX: usize = 64;

/// The length of a generated secret in bytes.
const BYTES_USUAL: usize = 32;

/// The secret that signs the messages of an endpoint. Only `to_text` discloses it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Vec<u8>);

/// The error for a text that is not a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a secret is `{PREFIX}` and the base64 of {BYTES_MIN} to {BYTES_MAX} bytes")]
pub struct SecretError;

impl Secret {
    pub fn new() -> Result<Secret, getrandom::Error> {
        let mut bytes = vec![0; BYTES_USUAL];
        getrandom::fill(&mut bytes)?;
        Ok(Secret(bytes))
    }

    pub fn parse(text: &str) -> Result<Secret, SecretError> {
        let encoded = text.strip_prefix(PREFIX).ok_or(SecretError)?;
        let bytes = BASE64_STANDARD.decode(encoded).map_err(|_| SecretError)?;
        Secret::from_bytes(bytes)
    }

    pub fn from_bytes(bytes: Vec<u8>) -> Result<Secret, SecretError> {
        if (BYTES_MIN..=BYTES_MAX).contains(&bytes.len()) {
            Ok(Secret(bytes))
        } else {
            Err(SecretError)
        }
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The secret in its textual form.
    pub fn to_text(&self) -> String {
        format!("{PREFIX}{}", BASE64_STANDARD.encode(&self.0))
    }

    /// The signature of a message, as in the header. The body must be UTF-8.
    pub(crate) fn sign(&self, id: &str, timestamp: i64, body: &[u8]) -> Option<String> {
        let webhook = Webhook::from_bytes(self.0.clone()).ok()?;
        webhook.sign(id, timestamp, body).ok()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_read_as_it_is_written_and_shown_to_nobody_else() {
        let secret = Secret::new().expect("randomness");
        assert_eq!(Secret::parse(&secret.to_text()), Ok(secret.clone()));
        assert!(!format!("{secret:?}").contains(&secret.to_text()[PREFIX.len()..]));
    }

    #[test]
    fn a_secret_has_a_prefix_and_enough_bytes() {
        let of = |bytes: usize| format!("{PREFIX}{}", BASE64_STANDARD.encode(vec![7; bytes]));
        assert!(Secret::parse(&of(BYTES_MIN)).is_ok() && Secret::parse(&of(BYTES_MAX)).is_ok());
        let wrong = [of(BYTES_MIN - 1), of(BYTES_MAX + 1), of(32).replace(PREFIX, "")];
        for text in wrong.iter().map(String::as_str).chain(["", "whsec_", "whsec_!", "secret"]) {
            assert_eq!(Secret::parse(text), Err(SecretError), "{text}");
        }
    }
}
