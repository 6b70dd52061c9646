//! Names, numbers and times, in the form in which the contract writes them.

pub(crate) use ::answers::{
    match_name, number, timestamp, viewer_name, wire_digest, wire_position,
};
use contract::names;
use matches::{MatchId, Position, Tags, Term};

pub(crate) fn receipt_name(MatchId(match_id): MatchId, Position(position): Position) -> String {
    names::receipt_name(match_id, position)
}

/// A term on the wire, where JSON reads it as a number.
pub(crate) fn wire_term(term: Term) -> u32 {
    u32::try_from(term.0).unwrap_or(u32::MAX)
}

/// Tags of the form `key=value`, as requests name them.
pub(crate) fn tag_names(tags: &Tags) -> Vec<String> {
    tags.iter().map(|(key, value)| format!("{key}={value}")).collect()
}
