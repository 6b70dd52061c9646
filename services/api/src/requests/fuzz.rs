//! Random input for every name and token. `make fuzz` runs these for longer.

use bolero::check;
use contract::v1::ListMatchesRequest;
use matches::{Digest, MatchId, Position, RequestedViewer};
use prost_types::Timestamp;
use time::OffsetDateTime;
use tonic::Status;
use uuid::Uuid;

use super::names::{parse_entry, parse_match, parse_player};
use super::pages::{ListQuery, entries_token, parse_entries_token};
use super::values::{YEARS, parse_tags, parse_time, parse_viewer};
use crate::answers::values::{match_name, tag_names, viewer_name};

/// Replaces, inserts, removes or doubles a character.
pub(crate) type Edit = (u16, u8, char);

pub(crate) fn edited(example: &str, edits: &[Edit]) -> String {
    let mut text: Vec<char> = example.chars().collect();
    for &(at, how, character) in edits.iter().take(8) {
        let at = usize::from(at) % (text.len() + 1);
        match how % 4 {
            0 if at < text.len() => text[at] = character,
            1 if at < text.len() => drop(text.remove(at)),
            2 if at < text.len() => text.insert(at, text[at]),
            _ => text.insert(at, character),
        }
    }
    text.into_iter().collect()
}

fn check_refused<T>(read: Result<T, Status>) -> Option<T> {
    read.map_err(|status| assert_eq!(status.code(), tonic::Code::InvalidArgument)).ok()
}

#[test]
fn a_name_that_is_read_is_written_alike() {
    let names = [
        "matches/00000000-0000-4000-8000-000000000000",
        "matches/00000000-0000-4000-8000-000000000000/entries/17",
        "seats/3",
        "players/jane",
    ];
    check!().with_type::<(u8, Vec<Edit>)>().for_each(|(example, edits)| {
        let text = edited(names[usize::from(*example) % names.len()], edits);
        if let Some(id) = check_refused(parse_match("name", &text)) {
            assert_eq!(match_name(id), text);
        }
        if let Some((id, position)) = check_refused(parse_entry("name", &text)) {
            assert_eq!(::answers::entry_name(id, position), text);
        }
        if let Some(player) = check_refused(parse_player("name", &text)) {
            assert_eq!(contract::names::player_name(player), text);
        }
        if let Some(RequestedViewer::Named(viewer)) = check_refused(parse_viewer(&text)) {
            assert_eq!(viewer_name(viewer), text);
        }
        if let Some(tags) = check_refused(parse_tags("tags", std::slice::from_ref(&text))) {
            assert_eq!(tag_names(&tags), [text]);
        }
    });
}

#[test]
fn a_time_that_is_read_is_written_alike() {
    check!().with_type::<(i64, u8, i32)>().for_each(|&(seconds, shift, nanos)| {
        // Most seconds of 64 bits are too far away.
        let seconds = seconds >> (shift % 64);
        let read = parse_time("time", Timestamp { seconds, nanos });
        if let Some(time) = check_refused(read) {
            assert_eq!(time.unix_timestamp(), seconds);
            assert!(YEARS.contains(&time.year()));
        }
    });
}

#[test]
fn a_page_token_that_was_not_issued_is_refused() {
    let request = ListMatchesRequest::default();
    let query = ListQuery::new(Uuid::from_u128(7), "acme", &request);
    let id = MatchId(Uuid::from_u128(1));
    let time = OffsetDateTime::UNIX_EPOCH;
    let tokens = [
        query.matches_token((time, id)),
        query.entries_token((time, id, Position(3))),
        query.standings_token(&(1500, "jane".to_owned())),
        entries_token(id, Position(3), Some(Digest::from([7; 32]))),
    ];
    check!().with_type::<(u8, Vec<Edit>)>().for_each(|(example, edits)| {
        let genuine = &tokens[usize::from(*example) % tokens.len()];
        let token = edited(genuine, edits);
        let accepted = [
            check_refused(query.parse_matches_token(&token)).flatten().is_some(),
            check_refused(query.parse_entries_token(&token)).flatten().is_some(),
            check_refused(query.parse_standings_token(&token)).flatten().is_some(),
        ];
        assert!(!accepted.contains(&true) || token == *genuine);
        if let Some((position, _)) = check_refused(parse_entries_token(&token, id)) {
            assert!(position.0 > 0 || token.is_empty());
        }
    });
}
