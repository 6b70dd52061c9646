//! Removing matches: deleting those that were never dealt, and forgetting what other processes
//! deleted or reduced to its result.

use std::sync::Arc;
use std::time::Duration;

use store::{Deletion, MatchId, RemovalReader, Store};
use tokio_util::sync::CancellationToken;

use crate::budgets::Lane;
use crate::detached::Detached;
use crate::live::LiveMatches;
use crate::{Caller, Error, Matches};

/// How often a process reads what others removed, and so for how long it may still show it.
const READ_EVERY: Duration = Duration::from_secs(2);

impl Matches {
    /// Deletes a match that was never dealt and has an open seat. It completes even if the caller
    /// drops this future.
    pub async fn delete(&self, caller: &Caller, match_id: MatchId) -> Result<(), Error> {
        let (matches, caller) = (self.clone(), caller.clone());
        Detached::new(async move { matches.delete_whole(&caller, match_id).await }).await?
    }

    async fn delete_whole(&self, caller: &Caller, match_id: MatchId) -> Result<(), Error> {
        let platform = caller.platform()?;
        let deleting = self.0.store.delete_open(platform, match_id);
        match self.in_lane(Lane::Writes, platform, deleting).await? {
            Deletion::Deleted => {
                self.0.live.forget(match_id);
                Ok(())
            }
            Deletion::NotOpen => Err(Error::Started),
            Deletion::NoSuchMatch => Err(Error::NoSuchMatch),
        }
    }
}

/// Forgets what was removed from the record, by whichever process, until the service stops.
pub(crate) async fn follow(store: Store, live: Arc<LiveMatches>, drain: CancellationToken) {
    let mut reader = None;
    // A match may have been read before its removal, and added to memory after it was forgotten.
    let mut before: Vec<MatchId> = Vec::new();
    loop {
        match read(&store, &mut reader).await {
            Ok(removed) => {
                before.iter().chain(&removed).for_each(|&match_id| live.forget(match_id));
                before = removed;
            }
            // Another attempt follows, and misses nothing.
            Err(error) => tracing::debug!(%error, "cannot read which matches were removed"),
        }
        let pause = tokio::time::sleep(READ_EVERY);
        if drain.run_until_cancelled(pause).await.is_none() {
            return;
        }
    }
}

async fn read(
    store: &Store,
    reader: &mut Option<RemovalReader>,
) -> Result<Vec<MatchId>, store::Error> {
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
