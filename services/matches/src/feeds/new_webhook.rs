//! The endpoint of a new webhook, and the secrets that sign its messages.

use webhooks::{Endpoint, Secret};

use crate::error::Error;

/// The webhook of a new subscription.
#[derive(Clone, Debug)]
pub struct NewWebhook {
    pub endpoint: Endpoint,
    /// The secret that signs messages; `None` to let the service make one.
    pub secret: Option<Secret>,
}

impl NewWebhook {
    /// The URL, the secret, and whether the secret was made here.
    pub(crate) fn signed(&self) -> Result<(&str, Secret, bool), Error> {
        let (secret, is_made) = secret_or_new(self.secret.clone())?;
        Ok((self.endpoint.as_str(), secret, is_made))
    }
}

/// The stored secrets. A constraint of the table guarantees their length.
pub(crate) fn secrets_of(stored: Vec<Vec<u8>>) -> Vec<Secret> {
    stored.into_iter().filter_map(|bytes| Secret::from_bytes(bytes).ok()).collect()
}

/// The secret of a request, or a new one, and whether it is new.
pub(crate) fn secret_or_new(secret: Option<Secret>) -> Result<(Secret, bool), Error> {
    match secret {
        Some(secret) => Ok((secret, false)),
        None => match Secret::new() {
            Ok(secret) => Ok((secret, true)),
            Err(error) => Err(Error::Internal(error.into())),
        },
    }
}
