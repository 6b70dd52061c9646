//! What is told when the record went back.

use contract::v1::{MatchWentBack, RecordWentBack};

use super::values::{match_name, timestamp, wire_digest, wire_position, wire_term};

pub(crate) fn went_back_of(it: &matches::RecordWentBack) -> RecordWentBack {
    let matches = it.matches.iter().map(|it| MatchWentBack {
        r#match: match_name(it.match_id),
        position: wire_position(it.position),
        digest: wire_digest(it.digest),
    });
    RecordWentBack {
        term: wire_term(it.term),
        matches: matches.collect(),
        since_time: it.void_since.map(timestamp),
        complete: it.is_complete,
    }
}
