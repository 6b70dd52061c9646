//! Following the record when it goes back: watchers of matches in memory are woken to read again,
//! and matches that lost entries are logged.

use positions::{Digest, Position};
use rows::MatchId;

use crate::matches::Matches;

/// The maximum number of match ids in one line of the log.
const NAMED_MAX: usize = 20;

impl Matches {
    /// Whenever the record goes back, wakes the watchers of all matches in memory and logs which of
    /// them lost entries. Does not end by itself.
    pub(super) async fn follow_losses(&self) {
        let mut epochs = self.0.store.log().epochs();
        while epochs.changed().await.is_ok() {
            self.report_losses().await;
        }
    }

    async fn report_losses(&self) {
        let known: Vec<_> = (self.0.live.cache.all().iter())
            .map(|live| {
                let head = live.head();
                live.wake();
                (live.id(), head.position, head.digest)
            })
            .filter(|(_, position, _)| *position > Position::START)
            .collect();
        let heads: Vec<(MatchId, Position)> = known.iter().map(|it| (it.0, it.1)).collect();
        let Ok(stored) = self.0.store.log().digests(&heads).await else { return };
        let is_lost = |it: &&(MatchId, Position, Digest)| {
            // An entry without a digest is still there, so nothing was lost.
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
