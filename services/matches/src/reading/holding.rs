//! Whether the record still has what a reader of a match was told.

use positions::{Bucket, Digest, Position, Term};

use crate::error::Error;
use crate::live::LiveMatch;
use crate::matches::Matches;
use crate::went_back::went_back_to;

/// An entry that a reader has, after which it continues.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub position: Position,
    /// Its digest; `None` at the start, and if the reader does not tell it.
    pub digest: Option<Digest>,
}

impl Known {
    /// The entry after which a request continues.
    pub fn of_request(position: Position, digest: Option<Digest>) -> Result<Known, Error> {
        if position < Position::START {
            return Err(Error::invalid("after_position", "after_position must not be negative"));
        }
        if position == Position::START && digest.is_some() {
            let rule = "after_digest is that of an entry, and there is none at position 0";
            return Err(Error::invalid("after_digest", rule));
        }
        Ok(Known { position, digest })
    }
}

impl Matches {
    /// Fails unless the record has the entry, if its digest is known. The error has the last
    /// position that surely is the same.
    pub(super) async fn check_known(&self, live: &LiveMatch, known: Known) -> Result<(), Error> {
        if known.digest.is_none() || self.holds(live, known).await? {
            return Ok(());
        }
        Err(went_back_to(self.last_unchanged(live, known.position).await?))
    }

    /// Whether the match has an entry.
    pub(super) async fn holds(&self, live: &LiveMatch, known: Known) -> Result<bool, Error> {
        if known.position > live.position() {
            return Ok(false);
        }
        // Entries of earlier releases have no digests.
        let there = self.digest_at(live, known.position).await?;
        Ok(there.zip(known.digest).is_none_or(|(there, known)| there == known))
    }

    /// The digest of an entry; `None` at the start.
    pub(super) async fn digest_at(
        &self,
        live: &LiveMatch,
        at: Position,
    ) -> Result<Option<Digest>, Error> {
        let head = live.head();
        if at == Position::START || at == head.position {
            return Ok(Some(head.digest).filter(|_| at != Position::START));
        }
        let entry = live.entries_after(&self.0.live.pages, Position(at.0 - 1), 1).await;
        let entry = match entry {
            Ok(mut entries) => entries.pop(),
            Err(error) => return Err(self.0.live.explain(live, error).await),
        };
        Ok(entry.filter(|entry| entry.position == at).and_then(|entry| entry.digest))
    }

    /// The last entry before a position that the record has had in every term, for a reader that
    /// was told another entry at that position, in a term that is not known.
    pub(super) async fn last_unchanged(
        &self,
        live: &LiveMatch,
        position: Position,
    ) -> Result<Position, Error> {
        let log = self.0.store.log();
        let shared = log.changed_since(Term::UNKNOWN).shared[Bucket::of(live.id()).index()];
        // Without a term that explains the loss, it is not known how far the histories agree.
        if shared == i64::MAX {
            return Ok(Position::START);
        }
        let last = log.last_within(live.id(), shared).await?;
        Ok(if last < position { last } else { Position::START })
    }

    /// The last entry before a position that is the same in a match as it was in memory. If that
    /// entry is no longer in memory, the last one that surely is.
    pub(super) async fn last_shared(
        &self,
        live: &LiveMatch,
        before: &LiveMatch,
        position: Position,
    ) -> Result<Position, Error> {
        let mut last = live.position().min(Position(position.0 - 1));
        while let Some(told) = before.recent_digest(last) {
            if self.digest_at(live, last).await? == told {
                return Ok(last);
            }
            last = Position(last.0 - 1);
        }
        self.last_unchanged(live, last.next()).await
    }
}
