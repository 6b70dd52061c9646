//! Cursors: positions in a stream of many matches, as text.
//!
//! A cursor consists of a check of 8 bytes, a bit for each bucket with entries, and the position in
//! each of those as a variable-length number: about 200 bytes for a million entries. The check is a
//! keyed hash of the rest. Its key is derived from the installation, the platform and the purpose,
//! so a cursor is refused everywhere else. This detects mistakes, not forgery: a forged cursor
//! gives access to nothing that its platform may not see.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use matches::Heads;
use tonic::{Code, Status};
use uuid::Uuid;

use crate::error::status;
use crate::v1::Reason;

const CHECK_BYTES: usize = 8;

/// Writes and reads the cursors of one purpose.
pub(crate) struct Cursors([u8; 32]);

impl Cursors {
    /// The cursors of a platform's whole stream.
    pub fn of_stream(installation: Uuid, platform: &str) -> Cursors {
        Cursors::new(installation, &[platform])
    }

    /// The cursors that a subscription's consumers acknowledge.
    pub fn of_subscription(installation: Uuid, platform: &str, subscription: &str) -> Cursors {
        Cursors::new(installation, &[platform, subscription])
    }

    fn new(installation: Uuid, purpose: &[&str]) -> Cursors {
        let mut key = blake3::Hasher::new_derive_key("croupier: cursor of a stream");
        key.update(installation.as_bytes());
        for part in purpose {
            key.update(&(part.len() as u64).to_le_bytes());
            key.update(part.as_bytes());
        }
        Cursors(*key.finalize().as_bytes())
    }

    pub fn write(&self, at: &Heads) -> String {
        let begun = (0..).zip(at).filter(|(_, at)| **at != 0);
        let bits = begun.clone().fold(0_u64, |bits, (bucket, _)| bits | 1 << bucket);
        let mut body = bits.to_le_bytes().to_vec();
        begun.for_each(|(_, at)| write_number(at.unsigned_abs(), &mut body));
        let mut bytes = self.check(&body).to_vec();
        bytes.extend(body);
        BASE64_URL_SAFE_NO_PAD.encode(bytes)
    }

    pub fn read(&self, cursor: &str) -> Result<Heads, Status> {
        self.try_read(cursor).ok_or_else(foreign)
    }

    fn try_read(&self, cursor: &str) -> Option<Heads> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(cursor).ok()?;
        let (check, body) = bytes.split_first_chunk::<CHECK_BYTES>()?;
        if *check != self.check(body) {
            return None;
        }
        let (bits, mut numbers) = body.split_first_chunk::<8>()?;
        let bits = u64::from_le_bytes(*bits);
        let mut at: Heads = std::array::from_fn(|_| 0);
        for (bucket, at) in at.iter_mut().enumerate() {
            if bits & 1 << bucket != 0 {
                *at = read_number(&mut numbers)?.try_into().ok()?;
            }
        }
        numbers.is_empty().then_some(at)
    }

    fn check(&self, body: &[u8]) -> [u8; CHECK_BYTES] {
        let hash = blake3::keyed_hash(&self.0, body);
        *hash.as_bytes().first_chunk().expect("a hash has 32 bytes")
    }
}

fn write_number(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

fn foreign() -> Status {
    let message = "the cursor was not issued by this service for this purpose; start without one";
    status(Code::InvalidArgument, Reason::InvalidCursor, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cursors() -> Cursors {
        Cursors::of_stream(Uuid::from_u128(7), "ours")
    }

    #[test]
    fn a_cursor_is_read_as_it_was_written() {
        let mut at: Heads = std::array::from_fn(|_| 0);
        assert_eq!(cursors().read(&cursors().write(&at)).expect("its own"), at);
        for (number, bucket) in [0, 1, 127, 128, 300, i64::MAX].into_iter().zip((0..64).step_by(12))
        {
            at[bucket] = number;
        }
        assert_eq!(cursors().read(&cursors().write(&at)).expect("its own"), at);
        at.fill(1_000_000);
        assert!(cursors().write(&at).len() < 300);
    }

    #[test]
    fn a_cursor_of_another_installation_platform_or_subscription_is_refused() {
        let cursor = cursors().write(&[5; 64]);
        let others = [
            Cursors::of_stream(Uuid::from_u128(8), "ours"),
            Cursors::of_stream(Uuid::from_u128(7), "theirs"),
            Cursors::of_subscription(Uuid::from_u128(7), "ours", "mail"),
        ];
        for other in others {
            assert_eq!(other.read(&cursor).expect_err("foreign").code(), Code::InvalidArgument);
        }
    }

    #[test]
    fn an_altered_cursor_is_refused() {
        let cursor = cursors().write(&[300; 64]);
        for at in 0..cursor.len() {
            let mut altered = cursor.clone().into_bytes();
            altered[at] = if altered[at] == b'A' { b'B' } else { b'A' };
            let altered = String::from_utf8(altered).expect("ASCII");
            assert!(cursors().read(&altered).is_err(), "altered at {at}");
            assert!(cursors().read(&cursor[..at]).is_err(), "cut at {at}");
        }
    }

    #[test]
    fn fuzz_a_cursor_that_was_not_issued_is_refused() {
        use crate::names::fuzz::{Edit, edited};
        let genuine = cursors().write(&std::array::from_fn(|bucket| 7 << bucket.min(40)));
        bolero::check!().with_type::<Vec<Edit>>().for_each(|edits| {
            let cursor = edited(&genuine, edits);
            match cursors().read(&cursor) {
                Ok(_) => assert_eq!(cursor, genuine),
                Err(status) => assert_eq!(status.code(), Code::InvalidArgument),
            }
        });
    }
}
