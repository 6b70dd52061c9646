//! What all tasks that tell browsers have in common.

use std::time::Duration;

use tokio::sync::{OnceCell, Semaphore};
use webhooks::{Sender, SenderKey};

use super::message::PushContent;
use crate::error::Error;
use crate::matches::Matches;

#[derive(Clone, Debug)]
pub struct PushOptions {
    /// Messages that a process sends at a time, and those of one platform among them.
    pub per_process: usize,
    pub per_platform: usize,
    /// A factor for all waits; less than 1 in tests.
    pub wait_scale: f64,
    /// A URI at which push services reach the operator.
    pub contact: Option<String>,
}

impl Default for PushOptions {
    fn default() -> Self {
        PushOptions { per_process: 256, per_platform: 64, wait_scale: 1.0, contact: None }
    }
}

pub(super) struct Shared {
    pub matches: Matches,
    pub sender: Sender,
    pub content: PushContent,
    pub options: PushOptions,
    pub slots: Semaphore,
    key: OnceCell<SenderKey>,
}

impl Shared {
    pub fn new(
        matches: &Matches,
        sender: Sender,
        content: PushContent,
        options: PushOptions,
    ) -> Shared {
        let (matches, slots) = (matches.clone(), Semaphore::new(options.per_process));
        Shared { matches, sender, content, options, slots, key: OnceCell::new() }
    }

    pub fn scaled(&self, wait: Duration) -> Duration {
        wait.mul_f64(self.options.wait_scale)
    }

    /// The key that signs for push services. It never changes.
    pub async fn key(&self) -> Result<&SenderKey, Error> {
        let reading = async {
            let found = self.matches.0.deliveries.push_key().await?;
            let found = found.ok_or_else(|| Error::Internal("there is no key".into()))?;
            SenderKey::from_pkcs8(&found).map_err(|error| Error::Internal(error.into()))
        };
        self.key.get_or_try_init(|| reading).await
    }
}
