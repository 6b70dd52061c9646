//! What happens to the matches in memory when the record went back: those that were read from it
//! before are given up, and everyone who waits for them is woken to read again.

use std::sync::Arc;

use store::{MatchId, Position, Store};
use tokio_util::sync::CancellationToken;

use crate::live::LiveMatches;

/// Match names in one line of the log.
const NAMED_MAX: usize = 20;

/// Waits until the record goes back; then wakes the watchers of all matches in memory and logs
/// which of them lost entries. Ends when the service stops.
pub(crate) async fn report(store: Store, live: Arc<LiveMatches>, drain: CancellationToken) {
    let mut epochs = store.epochs();
    while let Some(Ok(())) = drain.run_until_cancelled(epochs.changed()).await {
        let known: Vec<_> = (live.all().iter())
            .map(|live| {
                let head = live.head();
                live.wake();
                (live.id(), head.position, head.digest)
            })
            .filter(|(_, position, _)| *position > Position::START)
            .collect();
        let heads: Vec<(MatchId, Position)> = known.iter().map(|it| (it.0, it.1)).collect();
        let Ok(stored) = store.digests(&heads).await else { continue };
        let is_lost = |it: &&(MatchId, Position, store::Digest)| {
            // An entry without a digest is there, so nothing after it is missing.
            !stored.get(&it.0).is_some_and(|digest| digest.is_none_or(|digest| digest == it.2))
        };
        let lost: Vec<String> = known.iter().filter(is_lost).map(|it| it.0.0.to_string()).collect();
        if !lost.is_empty() {
            tracing::error!(
                matches.count = lost.len(),
                matches.ids = lost[..lost.len().min(NAMED_MAX)].join(" "),
                "these matches lost entries that their players were told"
            );
        }
    }
}
