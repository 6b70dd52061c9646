//! Entries as one viewer sees them, one or a page, and the stamps that identify entries.

use positions::{Digest, Position, Term};
use rows::{MatchId, RedactedEntry, Stamp};
use store::Signable;

use super::holding::Known;
use crate::access::{Caller, Lane, RequestedViewer};
use crate::error::Error;
use crate::matches::Matches;

impl Matches {
    pub async fn entry(
        &self,
        caller: &Caller,
        match_id: MatchId,
        requested: RequestedViewer,
        position: Position,
    ) -> Result<RedactedEntry, Error> {
        if position.0 < 1 {
            return Err(Error::NoSuchEntry);
        }
        let before = Position(position.0 - 1);
        let mut page = self.entries(caller, match_id, requested, before, None, 1).await?;
        page.pop().ok_or(Error::NoSuchEntry)
    }

    /// The stamp of an entry, even if its content is not kept. A receipt may be signed for it,
    /// because the record is checked from the start of the match up to the entry, as far as it is
    /// kept.
    pub async fn stamp(
        &self,
        caller: &Caller,
        match_id: MatchId,
        position: Position,
    ) -> Result<Stamp, Error> {
        let (live, _) = self.current(caller, match_id).await?;
        match live.stamp(&self.0.live.pages, position).await {
            // The match was reduced in the meantime, which keeps the stamps.
            Err(Error::HistoryNotKept) => {
                let live = Box::pin(self.0.live.load(live.platform(), match_id)).await?;
                live.stamp(&self.0.live.pages, position).await
            }
            stamp => stamp,
        }
    }

    /// Notes that a receipt is signed for an entry, which the caller then does: its digest, and the
    /// term to sign it in. Fails if another digest was signed for it in that term.
    pub async fn note_receipt(
        &self,
        caller: &Caller,
        entry: &Stamp,
    ) -> Result<(Digest, Term), Error> {
        let Stamp { match_id, position, .. } = *entry;
        let digest = entry.digest.ok_or(Error::NoDigest)?;
        let noting = self.0.store.note_receipt(match_id, position, digest);
        match self.in_lane(Lane::Lists, &caller.platform, noting).await? {
            Signable::Digest(term) => Ok((digest, term)),
            Signable::Gone => Err(Error::RecordWentBack { position: None, resume: None }),
            Signable::Contradicts(signed, term) => {
                tracing::error!(
                    match.id = %match_id.0,
                    entry.position = position.0,
                    entry.digest = %digest,
                    receipt.digest = %signed,
                    receipt.term = term.0,
                    "match {} was changed after a receipt was signed for entry {}: no second \
                     receipt is signed",
                    match_id.0,
                    position.0
                );
                Err(Error::ReceiptContradicts { position })
            }
        }
    }

    /// Up to `limit` entries after `after`, in order. Fails if the entry there has another digest
    /// than `after_digest`.
    pub async fn entries(
        &self,
        caller: &Caller,
        match_id: MatchId,
        requested: RequestedViewer,
        after: Position,
        after_digest: Option<Digest>,
        limit: usize,
    ) -> Result<Vec<RedactedEntry>, Error> {
        let known = Known::of_request(after, after_digest)?;
        let (live, source) = self.current(caller, match_id).await?;
        let viewer = caller.viewer(&live, requested)?;
        self.check_known(&live, known).await?;
        let page = self.0.live.entries_of(&live, source, after, limit).await?;
        Ok(page.iter().map(|entry| live.redact(entry, viewer)).collect())
    }
}
