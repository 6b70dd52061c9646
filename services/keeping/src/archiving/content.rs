//! The object of a match: the packed content of its entries.

use std::io::{Read, Write};

use bytes::Bytes;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use positions::Recorded;
use rows::MatchId;

/// The content of an archived match's entries.
pub struct Content {
    /// By position: the request id and the body.
    entries: Vec<(Option<String>, Bytes)>,
}

/// The maximum unpacked size of an object in bytes. A larger match stays in the database.
const UNPACKED_MAX: u64 = 64 << 20;
/// The start of an object: its format and version.
const MAGIC: &[u8; 4] = b"CRO1";
impl Content {
    /// The number of entries.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        let of =
            |(id, body): &(Option<String>, Bytes)| id.as_ref().map_or(0, String::len) + body.len();
        size_of_val(&self.entries[..]) + self.entries.iter().map(of).sum::<usize>()
    }

    /// These rows with this content instead of their own.
    pub fn in_place_of(&self, rows: &[Recorded]) -> Vec<Recorded> {
        let restored = |row: &Recorded| {
            let mut row = Recorded { request_id: None, body: Bytes::new(), ..row.clone() };
            self.restore(&mut row);
            row
        };
        rows.iter().map(restored).collect()
    }

    /// Restores the content of a row.
    pub fn restore(&self, row: &mut Recorded) {
        let at = usize::try_from(row.position.0 - 1).ok();
        if let Some((request_id, body)) = at.and_then(|at| self.entries.get(at)) {
            (row.request_id, row.body) = (request_id.clone(), body.clone());
        }
    }
}

/// An object with the content of a match's entries; `None` if it is too large.
///
/// The request ids are grouped, and so are the bodies: similar bytes close to each other compress
/// best.
pub fn pack(match_id: MatchId, entries: &[Recorded]) -> Option<Bytes> {
    let mut plain = Vec::new();
    plain.extend_from_slice(match_id.0.as_bytes());
    put_number(&mut plain, entries.len());
    for entry in entries {
        let id = entry.request_id.as_deref();
        put_number(&mut plain, id.map_or(0, |id| id.len() + 1));
        plain.extend_from_slice(id.unwrap_or_default().as_bytes());
    }
    entries.iter().for_each(|entry| put_number(&mut plain, entry.body.len()));
    entries.iter().for_each(|entry| plain.extend_from_slice(&entry.body));
    if plain.len() as u64 > UNPACKED_MAX {
        return None;
    }
    let mut packing = DeflateEncoder::new(MAGIC.to_vec(), Compression::best());
    packing.write_all(&plain).expect("memory accepts what is written");
    Some(packing.finish().expect("memory accepts what is written").into())
}

/// The content that [`pack`] packed for this match.
pub(crate) fn unpack(match_id: MatchId, object: &[u8]) -> Option<Content> {
    let mut plain = Vec::new();
    let unpacking = DeflateDecoder::new(object.strip_prefix(MAGIC)?);
    unpacking.take(UNPACKED_MAX + 1).read_to_end(&mut plain).ok()?;
    let mut rest = Bytes::from(plain);
    if take(&mut rest, 16)? != match_id.0.as_bytes()[..] {
        return None;
    }
    let count = take_number(&mut rest)?;
    // Each entry has at least two numbers.
    let counted = (count <= rest.len() / 2).then_some(count)?;
    let mut ids = Vec::with_capacity(counted);
    for _ in 0..count {
        ids.push(match take_number(&mut rest)? {
            0 => None,
            length => Some(String::from_utf8(take(&mut rest, length - 1)?.to_vec()).ok()?),
        });
    }
    let mut lengths = Vec::with_capacity(counted);
    for _ in 0..count {
        lengths.push(take_number(&mut rest)?);
    }
    let bodies = lengths.into_iter().map(|length| take(&mut rest, length));
    let bodies: Vec<Bytes> = bodies.collect::<Option<_>>()?;
    rest.is_empty().then(|| Content { entries: ids.into_iter().zip(bodies).collect() })
}

/// Seven bits in each byte, the lowest first.
fn put_number(bytes: &mut Vec<u8>, mut number: usize) {
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take_number(rest: &mut Bytes) -> Option<usize> {
    let mut number = 0;
    for shift in (0..35).step_by(7) {
        let byte = take(rest, 1)?[0];
        number |= usize::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

fn take(rest: &mut Bytes, count: usize) -> Option<Bytes> {
    (count <= rest.len()).then(|| rest.split_to(count))
}

#[cfg(test)]
mod tests {
    use positions::Position;
    use time::OffsetDateTime;
    use uuid::Uuid;

    use super::*;

    fn recorded(position: i64, request_id: Option<&str>, body: &[u8]) -> Recorded {
        Recorded {
            position: Position(position),
            bucket_position: position,
            request_id: request_id.map(str::to_owned),
            create_time: OffsetDateTime::UNIX_EPOCH,
            body: Bytes::copy_from_slice(body),
            digest: None,
        }
    }

    fn sample() -> Vec<Recorded> {
        vec![
            recorded(1, Some("set-up"), b"dealt"),
            recorded(2, None, &[7; 300]),
            recorded(3, Some(""), b"over"),
        ]
    }

    const MATCH: MatchId = MatchId(Uuid::from_u128(7));

    #[test]
    fn an_object_gives_back_what_was_packed() {
        let entries = sample();
        let object = pack(MATCH, &entries).expect("it is small");
        let content = unpack(MATCH, &object).expect("it is whole");
        assert_eq!(content.in_place_of(&entries), entries);
        let mut beyond = recorded(4, None, b"");
        content.restore(&mut beyond);
        assert!(beyond.is_stub());
    }

    #[test]
    fn an_object_of_another_match_or_cut_off_is_refused() {
        let object = pack(MATCH, &sample()).expect("it is small");
        assert!(unpack(MatchId(Uuid::from_u128(8)), &object).is_none());
        for length in 0..object.len() {
            assert!(unpack(MATCH, &object[..length]).is_none(), "{length}");
        }
    }

    /// Sizes that an object claims do not allocate memory beyond its actual size.
    #[test]
    fn an_object_that_claims_too_much_is_refused() {
        let mut plain = MATCH.0.as_bytes().to_vec();
        put_number(&mut plain, u32::MAX as usize);
        let mut packing = DeflateEncoder::new(MAGIC.to_vec(), Compression::best());
        packing.write_all(&plain).unwrap();
        assert!(unpack(MATCH, &packing.finish().unwrap()).is_none());
    }
}
