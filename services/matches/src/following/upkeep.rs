//! The tasks that follow changes by other processes, apart from new entries.

use crate::matches::Matches;

impl Matches {
    /// Follows changes by other processes, apart from new entries: the record may lose entries,
    /// matches are removed, and operators set limits and add games. Ends when the service stops, or
    /// if any of these tasks panics: without them a process would show removed data and apply
    /// outdated limits.
    pub async fn upkeep(self) {
        tokio::select! {
            () = self.0.drain.cancelled() => {}
            () = self.follow_losses() => {}
            () = self.follow_removals() => {}
            () = self.0.store.follow_modules() => {}
            () = self.0.budgets.follow_limits(&self.0.accounts) => {}
        }
    }
}
