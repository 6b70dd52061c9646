//! All that follows what others change besides adding entries.

use crate::matches::Matches;

impl Matches {
    /// Follows what others change besides adding entries: the record may lose some, matches are
    /// removed, and operators set limits. Ends when the service stops, or with a panic in any of
    /// these: a process without them shows what is gone, and keeps to limits that no longer hold.
    pub async fn upkeep(self) {
        tokio::select! {
            () = self.0.drain.cancelled() => {}
            () = self.follow_losses() => {}
            () = self.follow_removals() => {}
            () = self.0.budgets.follow_limits(&self.0.accounts) => {}
        }
    }
}
