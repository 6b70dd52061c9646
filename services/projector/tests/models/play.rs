//! Matches to try statements on.

use bytes::Bytes;
use event_log::{Draft, Epoch, Premise};
use positions::{Digest, Position};
use rows::{MatchId, NewMatch, Tags, Terms};
use std::time::Duration;

/// The `n`th match, with the tag `table` of that number.
pub fn new_match(match_id: MatchId, n: usize) -> NewMatch {
    NewMatch {
        match_id,
        platform: "acme".to_owned(),
        game: "mountebank".to_owned(),
        seats: 2,
        players: vec![Some("ann".to_owned()), Some("ben".to_owned())],
        display_names: Vec::new(),
        contributions: Vec::new(),
        after_commitment: false,
        speech_keys: Vec::new(),
        tags: Tags::from([("table".to_owned(), n.to_string())]),
        display_name: None,
        request_digest: vec![1],
        seed: [7; 32],
        terms: Terms { seed_commitment: [8; 32], reveal_wait_s: Some(0), ..Terms::default() },
        create_time: test_database::now() + Duration::from_secs(n as u64),
    }
}

/// An entry decided on the one before it.
pub fn draft(match_id: MatchId, position: i64) -> Draft {
    Draft {
        stream: match_id,
        position: Position(position),
        request_id: None,
        create_time: test_database::now(),
        body: Bytes::from_static(b"body"),
        before: Some(digest(match_id, position - 1)).filter(|_| position > 1),
        digest: digest(match_id, position),
        epoch: Epoch::default(),
        companion: None,
        premise: Premise::default(),
    }
}

fn digest(match_id: MatchId, position: i64) -> Digest {
    Digest::from(*blake3::keyed_hash(&[position as u8; 32], match_id.0.as_bytes()).as_bytes())
}
