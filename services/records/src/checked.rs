//! Detects rows of a match that differ from what was recorded. Reads of a match's entries pass its
//! rows through [`Digests::next`] (`tests/it/alterations.rs` alters rows of every kind).
//!
//! A page of old entries is checked from the row before it, whose digest covers everything before;
//! a receipt and a record are checked from the start. Reads across matches, such as the streams of
//! a platform and the projector, know no seeds and do not check digests.
//!
//! A match that was reduced to its result has neither its seed nor the content of its entries, so
//! no digest of it can be recomputed. In any other match, an entry without content was altered.
//!
//! Digests do not cover data that may change without changing the match: an entry's bucket
//! position, the digest of the request that created the match, players' display names, and tags. Of
//! the players they cover commitments, which only a verifier compares with the seats.

use games::Game;
use positions::{Digest, Position, Recorded};
use rows::{Error, MatchRow, RecordedEntry, Seed};
use table::Seat;

use crate::creation::Creation;
use crate::digest::{DigestKey, Digested};

/// Computes and checks the digests of one match's entries.
#[derive(Clone)]
pub struct Digests {
    key: DigestKey,
    created: Digest,
}

/// The end of the entries of a match that were checked so far.
#[derive(Clone, Copy, Debug)]
pub struct Checked {
    pub position: Position,
    /// The digest of the entry at this position; before the first entry, that of the match as it
    /// was created.
    pub digest: Digest,
    /// Whether any entry so far is stored with its digest. Only the first entries of a match can
    /// have been recorded before digests existed, so no digest may be missing after the first one.
    pub has_digests: bool,
}

impl Digests {
    /// Fails if the seed does not match the seed commitment.
    pub fn new(row: &MatchRow, seed: &Seed) -> Result<Digests, Error> {
        if *blake3::hash(seed).as_bytes() != row.terms.seed_commitment {
            return Err(Error::Altered { position: Position::START });
        }
        let key = DigestKey::new(row.match_id, seed);
        Ok(Digests { key, created: Creation::from(row).digest() })
    }

    /// The digests of a match of which only the result is kept. Without its seed no digest can be
    /// computed, so no entry passes.
    pub fn of_reduced(row: &MatchRow) -> Digests {
        let key = DigestKey::new(row.match_id, &Seed::default());
        Digests { key, created: Creation::from(row).digest() }
    }

    /// Before the first entry.
    pub fn start(&self) -> Checked {
        Checked { position: Position::START, digest: self.created, has_digests: false }
    }

    /// The digest of an entry, given the one before it.
    pub fn digest(&self, before: Digest, entry: &RecordedEntry, body: &[u8]) -> Digest {
        let digested = Digested {
            position: entry.position,
            create_time: entry.create_time,
            seat: entry.entry.seat.map(u8::from),
            request_id: entry.request_id.as_deref(),
            body,
        };
        self.key.digest(before, digested)
    }

    /// The digest of a row in which this seat acted, given the digest before it.
    pub fn digest_of_row(&self, before: Digest, seat: Option<Seat>, row: &Recorded) -> Digest {
        self.key.digest(before, Digested::of(row, seat.map(u8::from)))
    }

    /// Decodes the row after `at` and advances `at`. Fails if the row was altered. Speech in it
    /// stays sealed: digests cover the sealed form, so they stay valid without the key.
    pub fn next(
        &self,
        at: &mut Checked,
        row: &Recorded,
        game: &'static dyn Game,
    ) -> Result<RecordedEntry, Error> {
        let position = at.position.next();
        let altered = Error::Altered { position };
        if row.position != position {
            return Err(altered);
        }
        let entry = match RecordedEntry::decode(row, game) {
            Ok(entry) => entry,
            // Retention may have removed the content. Loading the whole match shows whether it did.
            Err(Error::HistoryNotKept) => return Err(Error::HistoryNotKept),
            // If a later release recorded it, its digest is still right.
            Err(error) => return Err(if self.is_genuine(*at, row) { error } else { altered }),
        };
        let digest = self.digest(at.digest, &entry, &row.body);
        if !is_stored(*at, row, digest) {
            return Err(altered);
        }
        let has_digests = at.has_digests || row.digest.is_some();
        *at = Checked { position, digest, has_digests };
        Ok(RecordedEntry { digest: Some(digest), ..entry })
    }

    /// Whether a row after `at` that cannot be decoded is unaltered. Only the seat that acted is
    /// unknown, so every seat is tried.
    pub fn is_genuine(&self, at: Checked, row: &Recorded) -> bool {
        let of_seat =
            |seat| is_stored(at, row, self.key.digest(at.digest, Digested::of(row, seat)));
        row.position == at.position.next() && (of_seat(None) || (0..u8::MAX).map(Some).any(of_seat))
    }
}

/// Whether the row after `at` is stored with this digest, or validly without one.
fn is_stored(at: Checked, row: &Recorded, digest: Digest) -> bool {
    row.digest.map_or(!at.has_digests, |stored| stored == digest)
}
