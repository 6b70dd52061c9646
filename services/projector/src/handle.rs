//! How readers wake the projector of their process.

use std::sync::Arc;

use tokio::sync::Notify;

/// Wakes the projector of this process.
#[derive(Clone, Default)]
pub struct Handle {
    wake: Arc<Notify>,
}

impl Handle {
    /// Ends the projector's pause, because a reader waits for the newest entries.
    pub fn wake(&self) {
        self.wake.notify_one();
    }

    /// Waits until a reader wakes the projector.
    pub(crate) async fn woken(&self) {
        self.wake.notified().await;
    }
}
