//! Following the removals of other processes: matches deleted, or reduced to their results.

use std::time::Duration;

use database::pace;
use rows::MatchId;
use store::{RemovalReader, Store};

use crate::matches::Matches;

/// How often a process that is used reads removals, and thus how long it may still show a removed
/// match.
const READ_EVERY: Duration = Duration::from_secs(2);

impl Matches {
    /// Forgets matches that any process removed from the record. Does not end by itself.
    pub(super) async fn follow_removals(&self) {
        let cache = &self.0.live.cache;
        let mut reader = None;
        // Forgets each match twice: it may have been read before its removal and added to memory
        // after it was first forgotten.
        let mut before: Vec<MatchId> = Vec::new();
        loop {
            match read(&self.0.store, &mut reader).await {
                Ok(removed) => {
                    before.iter().chain(&removed).for_each(|&match_id| cache.forget(match_id));
                    before = removed;
                }
                // The next attempt reads what this one missed.
                Err(error) => tracing::debug!(%error, "cannot read which matches were removed"),
            }
            pace::pause(READ_EVERY).await;
        }
    }
}

async fn read(
    store: &Store,
    reader: &mut Option<RemovalReader>,
) -> Result<Vec<MatchId>, database::Error> {
    match reader {
        Some(reader) => {
            let removed = reader.read().await?;
            Ok(removed.deleted.into_iter().chain(removed.reduced).collect())
        }
        None => {
            *reader = Some(store.removals().await?);
            Ok(Vec::new())
        }
    }
}
