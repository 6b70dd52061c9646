//! Cursors: positions in a stream of many matches, as text.
//!
//! A cursor holds the term in which it was made, the buckets that its reader reads, the position in
//! each, and the first bytes of the digest of the entry there, so that a cursor of a record that
//! went back is recognized. All platforms share the buckets, so a cursor is encrypted and always of
//! the same size, and discloses nothing about other platforms to its holder
//! (`every_cursor_has_the_same_size`). Its key is derived from the installation, the platform and
//! the purpose, so the cursor is refused everywhere else, and after any alteration
//! (`a_cursor_of_another_installation_platform_or_subscription_is_refused`,
//! `an_altered_cursor_is_refused`). No caller is told the id of the installation, so a cursor that
//! can be read proves what it says.
//!
//! See `docs/decisions/0042-cursors-have-a-position-per-bucket.md`.

use aes_gcm_siv::aead::{AeadInPlace, KeyInit};
use aes_gcm_siv::{Aes256GcmSiv, Nonce};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use contract::v1::Reason;
use matches::{BUCKETS, Bookmark, Claims, DigestStart, Term};
use tonic::Status;
use uuid::Uuid;

use crate::error::of_field;

/// Bytes of a position: enough for a million million entries in a bucket.
const POSITION_BYTES: usize = 5;

const BUCKET_BYTES: usize = POSITION_BYTES + size_of::<DigestStart>();

/// Bytes of a term, the seconds since 1970, and of a set of buckets.
const TERM_BYTES: usize = 4;
const SET_BYTES: usize = size_of::<u64>();

/// The bytes of all buckets: the whole cursor of a release that knew no terms.
const MARKS_BYTES: usize = BUCKETS * BUCKET_BYTES;

/// What the cipher appends.
const TAG_BYTES: usize = 16;

/// Writes and reads the cursors of one purpose.
pub(crate) struct Cursors(Aes256GcmSiv);

impl Cursors {
    /// The cursors of a platform's whole stream.
    pub fn of_stream(installation: Uuid, platform: &str) -> Cursors {
        Cursors::new(installation, &[platform])
    }

    /// The cursors that a subscription's consumers acknowledge.
    pub fn of_subscription(installation: Uuid, platform: &str, subscription: &str) -> Cursors {
        Cursors::new(installation, &[platform, subscription])
    }

    /// The cursors of a player's stream.
    pub fn of_player(installation: Uuid, platform: &str, player: &str) -> Cursors {
        Cursors::new(installation, &[platform, "players", player])
    }

    fn new(installation: Uuid, purpose: &[&str]) -> Cursors {
        let mut key = blake3::Hasher::new_derive_key("croupier 2026-11 cursor of a stream");
        key.update(installation.as_bytes());
        for part in purpose {
            key.update(&(part.len() as u64).to_le_bytes());
            key.update(part.as_bytes());
        }
        Cursors(Aes256GcmSiv::new(key.finalize().as_bytes().into()))
    }

    pub fn write(&self, at: &Bookmark) -> String {
        let mut bytes = Vec::with_capacity(MARKS_BYTES + TERM_BYTES + SET_BYTES + TAG_BYTES);
        for mark in &at.marks {
            bytes.extend(&mark.position.to_le_bytes()[..POSITION_BYTES]);
            bytes.extend(mark.digest_start());
        }
        bytes.extend(&at.term.0.to_le_bytes()[..TERM_BYTES]);
        bytes.extend(at.buckets.to_le_bytes());
        self.0.encrypt_in_place(&nonce(), &[], &mut bytes).expect("a cursor is short");
        BASE64_URL_SAFE_NO_PAD.encode(bytes)
    }

    pub fn read(&self, field: &str, cursor: &str) -> Result<Claims, Status> {
        self.try_read(cursor).ok_or_else(|| foreign(field))
    }

    fn try_read(&self, cursor: &str) -> Option<Claims> {
        let mut bytes = BASE64_URL_SAFE_NO_PAD.decode(cursor).ok()?;
        self.0.decrypt_in_place(&nonce(), &[], &mut bytes).ok()?;
        let (of_marks, rest) = bytes.split_at_checked(MARKS_BYTES)?;
        let (term, buckets) = match rest.split_at_checked(TERM_BYTES) {
            None if rest.is_empty() => (Term::UNKNOWN, Bookmark::ALL),
            None => return None,
            Some((term, buckets)) => {
                (Term(number_of(term)), u64::from_le_bytes(buckets.try_into().ok()?))
            }
        };
        let mut marks = [(0, DigestStart::default()); BUCKETS];
        for (mark, bytes) in marks.iter_mut().zip(of_marks.chunks_exact(BUCKET_BYTES)) {
            let (position, start) = bytes.split_at(POSITION_BYTES);
            *mark = (number_of(position), start.try_into().ok()?);
        }
        Some(Claims { term, buckets, marks })
    }
}

/// A number of fewer than eight bytes.
fn number_of(bytes: &[u8]) -> i64 {
    let mut number = [0; 8];
    number[..bytes.len()].copy_from_slice(bytes);
    i64::from_le_bytes(number)
}

/// The cipher tolerates a reused nonce: equal positions give equal cursors, which reveals nothing
/// else.
fn nonce() -> Nonce {
    Nonce::default()
}

fn foreign(field: &str) -> Status {
    let message = "the cursor was not issued by this service for this purpose; start without one";
    of_field(Reason::InvalidCursor, field, message)
}

#[cfg(test)]
mod tests {
    use matches::{Digest, Mark};
    use tonic::Code;

    use super::*;

    fn cursors() -> Cursors {
        Cursors::of_stream(Uuid::from_u128(7), "ours")
    }

    const TERM: Term = Term(1_795_359_784);

    fn all(position: i64) -> Bookmark {
        let marks = [Mark::new(position, Some(Digest::from([9; 32]))); BUCKETS];
        Bookmark::of_all(TERM, marks)
    }

    #[test]
    fn a_cursor_is_read_as_it_was_written() {
        let mut at = Bookmark { term: TERM, buckets: 0b1011, marks: [Mark::default(); BUCKETS] };
        let claims =
            |at: &Bookmark| Claims { term: TERM, buckets: 0b1011, ..Claims::of_marks(&at.marks) };
        assert_eq!(cursors().read("cursor", &cursors().write(&at)).expect("its own"), claims(&at));
        let positions = [0, 1, 255, 256, 300, (1 << 40) - 1];
        for (n, position) in positions.into_iter().enumerate() {
            at.marks[n * 12] = Mark::new(position, Some(Digest::from([n as u8 + 1; 32])));
        }
        assert_eq!(cursors().read("cursor", &cursors().write(&at)).expect("its own"), claims(&at));
    }

    #[test]
    fn every_cursor_has_the_same_size() {
        let first = Bookmark::of_all(Term(1), [Mark::default(); BUCKETS]);
        let first = cursors().write(&first);
        assert_eq!(first.len(), cursors().write(&all(1_000_000_000)).len());
        assert_eq!(first.len(), 720);
    }

    /// A platform may have stored one.
    #[test]
    fn a_cursor_of_a_release_that_knew_no_terms_is_read() {
        let mut bytes = Vec::new();
        for mark in &all(300).marks {
            bytes.extend(&mark.position.to_le_bytes()[..POSITION_BYTES]);
            bytes.extend(mark.digest_start());
        }
        cursors().0.encrypt_in_place(&nonce(), &[], &mut bytes).expect("it is short");
        let cursor = BASE64_URL_SAFE_NO_PAD.encode(bytes);
        assert_eq!(cursor.len(), 704);
        let read = cursors().read("cursor", &cursor).expect("its own");
        assert_eq!(read, Claims::of_marks(&all(300).marks));
    }

    #[test]
    fn a_cursor_of_another_installation_platform_or_subscription_is_refused() {
        let cursor = cursors().write(&all(5));
        let others = [
            Cursors::of_stream(Uuid::from_u128(8), "ours"),
            Cursors::of_stream(Uuid::from_u128(7), "theirs"),
            Cursors::of_subscription(Uuid::from_u128(7), "ours", "mail"),
            Cursors::of_player(Uuid::from_u128(7), "ours", "mail"),
        ];
        for other in others {
            assert_eq!(
                other.read("cursor", &cursor).expect_err("foreign").code(),
                Code::InvalidArgument
            );
        }
    }

    #[test]
    fn an_altered_cursor_is_refused() {
        let cursor = cursors().write(&all(300));
        for at in 0..cursor.len() {
            let mut altered = cursor.clone().into_bytes();
            altered[at] = if altered[at] == b'A' { b'B' } else { b'A' };
            let altered = String::from_utf8(altered).expect("ASCII");
            assert!(cursors().read("cursor", &altered).is_err(), "altered at {at}");
            assert!(cursors().read("cursor", &cursor[..at]).is_err(), "cut at {at}");
        }
    }

    #[test]
    fn fuzz_a_cursor_that_was_not_issued_is_refused() {
        use crate::requests::fuzz::{Edit, edited};
        let genuine = cursors().write(&all(7));
        bolero::check!().with_type::<Vec<Edit>>().for_each(|edits| {
            let cursor = edited(&genuine, edits);
            match cursors().read("cursor", &cursor) {
                Ok(_) => assert_eq!(cursor, genuine),
                Err(status) => assert_eq!(status.code(), Code::InvalidArgument),
            }
        });
    }
}
