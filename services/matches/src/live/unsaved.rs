//! Unwritten snapshots, and their stored form.

use std::sync::Arc;

use bytes::Bytes;
use clocks::Clocks;
use positions::{Digest, Position};
use store::{SNAPSHOT_INTERVAL, Snapshot};
use table::{SNAPSHOT_VERSION, Table};
use time::OffsetDateTime;

/// A snapshot that is not written yet.
pub(super) struct Unsaved {
    pub position: Position,
    pub create_time: OffsetDateTime,
    pub digest: Digest,
    pub table: Arc<Table>,
    pub acted: Vec<u32>,
    pub clocks: Option<Arc<Clocks>>,
    /// The requests since the previous snapshot.
    pub requests: Vec<(u128, Position)>,
}

/// The stored size of a request in a snapshot: its key, and its distance from the previous
/// snapshot.
const REQUEST_BYTES: usize = 18;

impl Unsaved {
    pub fn encode(&self) -> Snapshot {
        Snapshot {
            position: self.position,
            create_time: self.create_time,
            digest: self.digest,
            version: SNAPSHOT_VERSION,
            table: self.table.encode(),
            acted: self.acted.iter().map(|&count| count.try_into().unwrap_or(i32::MAX)).collect(),
            requests: encode_requests(&self.requests, self.position),
            clocks: self.clocks.as_ref().map(|clocks| clocks.encode().into()),
        }
    }
}

fn encode_requests(requests: &[(u128, Position)], at: Position) -> Bytes {
    let mut bytes = Vec::with_capacity(requests.len() * REQUEST_BYTES);
    for (digest, position) in requests {
        let distance = position.0 - (at.0 - SNAPSHOT_INTERVAL) - 1;
        let distance = u16::try_from(distance).expect("it is less than an interval");
        bytes.extend_from_slice(&digest.to_le_bytes());
        bytes.extend_from_slice(&distance.to_le_bytes());
    }
    bytes.into()
}

/// The requests of a snapshot, with their positions.
pub(super) fn decode_requests(
    bytes: &[u8],
    at: Position,
) -> impl Iterator<Item = (u128, Position)> + '_ {
    let (requests, _) = bytes.as_chunks::<REQUEST_BYTES>();
    requests.iter().filter_map(move |request| {
        let (digest, distance) = request.split_first_chunk()?;
        let distance = i64::from(u16::from_le_bytes(distance.try_into().ok()?));
        let position = Position(at.0 - SNAPSHOT_INTERVAL + 1 + distance);
        Some((u128::from_le_bytes(*digest), position))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_requests_of_a_snapshot_keep_their_positions() {
        let at = Position(3 * SNAPSHOT_INTERVAL);
        let first = Position(2 * SNAPSHOT_INTERVAL + 1);
        let requests = [(u128::MAX, first), (7, Position(first.0 + 100)), (1 << 99, at)];
        let bytes = encode_requests(&requests, at);
        assert_eq!(bytes.len(), 3 * REQUEST_BYTES);
        assert_eq!(decode_requests(&bytes, at).collect::<Vec<_>>(), requests);
    }
}
