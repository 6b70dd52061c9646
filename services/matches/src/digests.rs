//! Whether the rows of a match are the ones that were recorded. Nothing else decides this: every
//! read of a match's entries passes its rows through [`Digests::next`].
//!
//! A page of old entries is checked from the row before it, whose digest stands for everything
//! before; a receipt and a record are checked from the start. Reads across matches, such as the
//! streams of a platform and the projector, know no seeds and do not check digests.
//!
//! A match that was reduced to its result has neither its seed nor the content of its entries, so
//! nothing of it can be computed again. Entries without content in any other match were altered.
//!
//! No digest covers what can change without changing the match: an entry's place in its bucket, the
//! digest of the request that created the match, who has which seat, and tags.

use std::collections::BTreeMap;

use games::Game;
use store::{Digest, DigestKey, Digested, Loaded, MatchRow, Position, Recorded, Seed};
use table::Seat;

use crate::Error;
use crate::rows::{RecordedEntry, options_of};

/// Computes and checks the digests of one match's entries.
pub(crate) struct Digests {
    key: DigestKey,
    created: Digest,
}

/// Where the checked entries of a match end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Checked {
    pub position: Position,
    /// Of the entry at this position; before the first, of the match as it was created.
    pub digest: Digest,
    /// Whether any entry so far is stored with its digest. Releases that knew no digests recorded
    /// the first entries of a match or none, so from the first digest on none may be missing.
    pub has_digests: bool,
}

impl Digests {
    /// Fails if the seed is not the one that the match committed to.
    pub fn new(
        row: &MatchRow,
        options: &BTreeMap<String, String>,
        seed: &Seed,
    ) -> Result<Digests, Error> {
        if blake3::hash(seed).as_bytes()[..] != row.seed_commitment[..] {
            return Err(Error::RecordAltered { position: Position::START });
        }
        let key = DigestKey::new(row.match_id, seed);
        Ok(Digests { key, created: Digest::of_match(row.creation(), options) })
    }

    /// Of a match as it was loaded. Fails also if it has no seed.
    pub fn of(loaded: &Loaded) -> Result<Digests, Error> {
        let seed = loaded.seed.ok_or(Error::HistoryNotKept)?;
        Digests::new(&loaded.row, &options_of(&loaded.row)?, &seed)
    }

    /// Of a match of which only the result is kept. Without its seed no digest can be computed, so
    /// no entry passes.
    pub fn of_reduced(row: &MatchRow, options: &BTreeMap<String, String>) -> Digests {
        let key = DigestKey::new(row.match_id, &Seed::default());
        Digests { key, created: Digest::of_match(row.creation(), options) }
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
        self.key.digest(before, row.digested(seat.map(u8::from)))
    }

    /// Decodes the row after `at`, if it is the one that was recorded there, and moves `at` on.
    /// What was said in it is not opened: digests cover the sealed form, so they outlast its key.
    pub fn next(
        &self,
        at: &mut Checked,
        row: &Recorded,
        game: &'static dyn Game,
    ) -> Result<RecordedEntry, Error> {
        let position = at.position.next();
        let altered = Error::RecordAltered { position };
        if row.position != position {
            return Err(altered);
        }
        let entry = match RecordedEntry::decode(row, game) {
            Ok(entry) => entry,
            // Retention may have removed its content. Whether it did, the match as a whole tells.
            Err(Error::HistoryNotKept) => return Err(Error::HistoryNotKept),
            // A later release may have recorded it; then its digest is right nevertheless.
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

    /// Whether the row after `at` is the one that was recorded there, although it cannot be
    /// decoded: only the seat that acted is not known, and it is one of few.
    pub fn is_genuine(&self, at: Checked, row: &Recorded) -> bool {
        let of_seat = |seat| is_stored(at, row, self.key.digest(at.digest, row.digested(seat)));
        row.position == at.position.next() && (of_seat(None) || (0..u8::MAX).map(Some).any(of_seat))
    }
}

/// Whether the row after `at` is stored with this digest, or may be stored without one.
fn is_stored(at: Checked, row: &Recorded, digest: Digest) -> bool {
    row.digest.map_or(!at.has_digests, |stored| stored == digest)
}
