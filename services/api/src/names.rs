//! Resource names, viewers, times and page tokens: each type has one parser and one spelling, here.

use std::ops::RangeInclusive;
use std::str::FromStr;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use matches::{
    AsOf, Cursor, MatchId, Position, RequestedViewer, SearchCursor, SeekCursor, StandingCursor,
    TAGS_MAX, Tags,
};
use prost::Message;
use prost_types::Timestamp;
use table::{Seat, Small, Viewer};
use time::OffsetDateTime;
use tonic::Status;
use uuid::Uuid;

use crate::error::{invalid, of_field};
use crate::v1::Reason;

// === Resource names ===

/// `matches/{match}`.
pub fn match_name(match_id: MatchId) -> String {
    match_id.name()
}

/// `matches/{match}/entries/{position}`.
pub(crate) fn entry_name(match_id: MatchId, position: Position) -> String {
    format!("{MATCHES}{}{ENTRIES}{}", match_id.0, position.0)
}

/// `games/{game}`.
pub fn game_name(game: &str) -> String {
    format!("{GAMES}{game}")
}

/// `games/{game}/rules`.
pub(crate) fn rules_name(game: &str) -> String {
    format!("{GAMES}{game}{RULES}")
}

/// `players/{player}`.
pub fn player_name(player: &str) -> String {
    format!("{PLAYERS}{player}")
}

/// `subscriptions/{subscription}`.
pub(crate) fn subscription_name(subscription: &str) -> String {
    format!("{SUBSCRIPTIONS}{subscription}")
}

/// `platforms/{platform}`.
pub(crate) fn platform_name(platform: &str) -> String {
    format!("platforms/{platform}")
}

/// `apiKeys/{key}`.
pub(crate) fn api_key_name(key_id: &str) -> String {
    format!("apiKeys/{key_id}")
}

/// `seeks/{seek}`.
pub(crate) fn seek_name(seek_id: Uuid) -> String {
    format!("{SEEKS}{}", seek_id.hyphenated())
}

/// `projections/{projection}`.
pub fn projection_name(projection: &str) -> String {
    format!("{PROJECTIONS}{projection}")
}

/// The match of this name.
pub fn match_id(name: &str) -> Option<MatchId> {
    name.strip_prefix(MATCHES).and_then(parse_uuid)
}

pub(crate) fn parse_match(field: &str, name: &str) -> Result<MatchId, Status> {
    match_id(name).ok_or_else(|| misnamed(field, name, "matches/{match}"))
}

/// The commitment to a seed; none if the text is empty.
pub(crate) fn parse_commitment(field: &str, text: &str) -> Result<Option<[u8; 32]>, Status> {
    if text.is_empty() {
        return Ok(None);
    }
    let hash = blake3::Hash::from_hex(text);
    let rule = "a commitment is 64 hexadecimal digits";
    hash.map(|hash| Some(*hash.as_bytes())).map_err(|_| invalid(field, rule))
}

pub(crate) fn parse_entry(field: &str, name: &str) -> Result<(MatchId, Position), Status> {
    let parsed = name.strip_prefix(MATCHES).and_then(|rest| {
        let (id, position) = rest.split_once(ENTRIES)?;
        Some((parse_uuid(id)?, Position(parse_number(position)?)))
    });
    parsed.ok_or_else(|| misnamed(field, name, "matches/{match}/entries/{position}"))
}

/// The entry of a receipt.
pub(crate) fn parse_receipt(field: &str, name: &str) -> Result<(MatchId, Position), Status> {
    let entry = name.strip_suffix(RECEIPT).and_then(|entry| parse_entry(field, entry).ok());
    entry.ok_or_else(|| misnamed(field, name, "matches/{match}/entries/{position}/receipt"))
}

/// The match of a record.
pub(crate) fn parse_record(field: &str, name: &str) -> Result<MatchId, Status> {
    let its_match = name.strip_suffix(RECORD).and_then(match_id);
    its_match.ok_or_else(|| misnamed(field, name, "matches/{match}/record"))
}

/// `matches/{match}/entries/{position}/receipt`.
pub(crate) fn receipt_name(match_id: MatchId, position: Position) -> String {
    format!("{}{RECEIPT}", entry_name(match_id, position))
}

pub(crate) fn parse_game<'n>(field: &str, name: &'n str) -> Result<&'n str, Status> {
    parse_id(name, GAMES).ok_or_else(|| misnamed(field, name, "games/{game}"))
}

/// The game of its rules.
pub(crate) fn parse_rules<'n>(field: &str, name: &'n str) -> Result<&'n str, Status> {
    let game = name.strip_suffix(RULES).and_then(|name| parse_id(name, GAMES));
    game.ok_or_else(|| misnamed(field, name, "games/{game}/rules"))
}

pub(crate) fn parse_player<'n>(field: &str, name: &'n str) -> Result<&'n str, Status> {
    parse_id(name, PLAYERS).ok_or_else(|| misnamed(field, name, "players/{player}"))
}

pub(crate) fn parse_subscription<'n>(field: &str, name: &'n str) -> Result<&'n str, Status> {
    parse_id(name, SUBSCRIPTIONS)
        .ok_or_else(|| misnamed(field, name, "subscriptions/{subscription}"))
}

pub(crate) fn parse_seek(field: &str, name: &str) -> Result<Uuid, Status> {
    let parsed = name.strip_prefix(SEEKS).and_then(parse_uuid);
    parsed.map(|MatchId(id)| id).ok_or_else(|| misnamed(field, name, "seeks/{seek}"))
}

pub(crate) fn parse_projection<'n>(field: &str, name: &'n str) -> Result<&'n str, Status> {
    name.strip_prefix(PROJECTIONS).ok_or_else(|| misnamed(field, name, "projections/{projection}"))
}

const MATCHES: &str = "matches/";
const ENTRIES: &str = "/entries/";
const RECEIPT: &str = "/receipt";
const RECORD: &str = "/record";
const GAMES: &str = "games/";
const RULES: &str = "/rules";
const PLAYERS: &str = "players/";
const SEEKS: &str = "seeks/";
const SUBSCRIPTIONS: &str = "subscriptions/";
const PROJECTIONS: &str = "projections/";

fn parse_id<'n>(name: &'n str, collection: &str) -> Option<&'n str> {
    name.strip_prefix(collection).filter(|id| !id.is_empty() && is_storable(id))
}

/// Whether the database can store the text and search for it.
fn is_storable(text: &str) -> bool {
    !text.contains('\0')
}

/// Refuses a text in a field of this name that the database can neither store nor search for.
pub(crate) fn check_storable(field: &str, text: &str) -> Result<(), Status> {
    let rule = "a text contains the character U+0000, which is not allowed";
    if is_storable(text) { Ok(()) } else { Err(invalid(field, rule)) }
}

/// The text of a field, none if it is empty.
pub(crate) fn storable(field: &str, text: String) -> Result<Option<String>, Status> {
    check_storable(field, &text)?;
    Ok(Some(text).filter(|text| !text.is_empty()))
}

/// Accepts only the form in which ids are returned, so that each match has one name.
fn parse_uuid(text: &str) -> Option<MatchId> {
    let id = Uuid::try_parse(text).ok()?;
    (id.hyphenated().to_string() == text).then_some(MatchId(id))
}

/// Accepts only the form in which numbers are returned: no plus sign and no leading zeros.
fn parse_number<N: FromStr + ToString>(text: &str) -> Option<N> {
    text.parse::<N>().ok().filter(|number| number.to_string() == text)
}

fn misnamed(field: &str, name: &str, form: &str) -> Status {
    invalid(field, format!("{name:?} is not a name of the form {form}"))
}

// === Positions, times, seats and viewers ===

/// A position on the wire, where JSON and TypeScript read it as a number.
pub fn wire_position(position: Position) -> i32 {
    position.0.try_into().expect("a match has fewer than 2^31 entries")
}

/// A position from the wire.
pub(crate) fn position_of(position: i32) -> Position {
    Position(position.into())
}

pub(crate) fn parse_seat(seat: Option<u32>) -> Result<Option<Seat>, Status> {
    let small =
        |seat| Seat::nth(seat as usize).ok_or_else(|| invalid("seat", "there is no such seat"));
    seat.map(small).transpose()
}

/// Parses the time in a field of this name. As for every `google.protobuf.Timestamp`, the years are
/// 1 to 9999.
pub(crate) fn parse_time(field: &str, time: Timestamp) -> Result<OffsetDateTime, Status> {
    let seconds = OffsetDateTime::from_unix_timestamp(time.seconds).ok();
    let nanos = u32::try_from(time.nanos).ok();
    let time = seconds.zip(nanos).and_then(|(time, nanos)| time.replace_nanosecond(nanos).ok());
    let time = time.filter(|time| YEARS.contains(&time.year()));
    time.ok_or_else(|| invalid(field, format!("{field} must be in the years 1 to 9999")))
}

/// Postgres stores more, but not every time that can be written.
const YEARS: RangeInclusive<i32> = 1..=9999;

/// `seats/{seat}`, `spectator`, `house`, or the caller's default if empty.
pub(crate) fn parse_viewer(viewer: &str) -> Result<RequestedViewer, Status> {
    match viewer {
        "" => Ok(RequestedViewer::Own),
        "spectator" => Ok(RequestedViewer::Named(Viewer::Spectator)),
        "house" => Ok(RequestedViewer::Named(Viewer::House)),
        _ => {
            let seat = viewer.strip_prefix("seats/").and_then(parse_number);
            let seat =
                seat.and_then(Seat::nth).map(|seat| RequestedViewer::Named(Viewer::Seat(seat)));
            let rule = "a viewer is seats/{seat}, spectator or house";
            seat.ok_or_else(|| invalid("viewer", rule))
        }
    }
}

pub(crate) fn viewer_name(viewer: Viewer) -> String {
    match viewer {
        Viewer::House => "house".to_owned(),
        Viewer::Spectator => "spectator".to_owned(),
        Viewer::Seat(seat) => format!("seats/{seat}"),
    }
}

/// The state to read: at a position, at a time, or the latest.
pub(crate) fn parse_as_of(position: Option<i32>, time: Option<Timestamp>) -> Result<AsOf, Status> {
    match (position, time) {
        (None, None) => Ok(AsOf::Latest),
        (Some(position), None) => Ok(AsOf::Position(position_of(position))),
        (None, Some(time)) => Ok(AsOf::Time(parse_time("time", time)?)),
        (Some(_), Some(_)) => Err(invalid("time", "set a position or a time, not both")),
    }
}

// === Tags ===

/// Parses tags of the form `key=value`.
pub(crate) fn parse_tags(field: &str, asked: &[String]) -> Result<Tags, Status> {
    if asked.len() > TAGS_MAX {
        return Err(invalid(field, format!("a match has at most {TAGS_MAX} tags")));
    }
    let mut tags = Tags::new();
    for tag in asked {
        let tag =
            tag.split_once('=').ok_or_else(|| invalid(field, "a tag has the form key=value"))?;
        let other = tags.insert(tag.0.to_owned(), tag.1.to_owned());
        if other.is_some_and(|other| other != tag.1) {
            return Err(invalid(field, format!("the tag {:?} has two values", tag.0)));
        }
    }
    Ok(tags)
}

/// Tags of the form `key=value`, as [`parse_tags`] reads them.
pub(crate) fn tag_names(tags: &Tags) -> Vec<String> {
    tags.iter().map(|(key, value)| format!("{key}={value}")).collect()
}

// === Pages ===

/// A page's size: as requested, or `usual` for 0. At most 1000, so that a page is one message.
pub(crate) fn page_size(asked: i32, usual: usize) -> Result<usize, Status> {
    match usize::try_from(asked) {
        Ok(0) => Ok(usual),
        Ok(size @ 1..=1000) => Ok(size),
        _ => {
            let rule = "page_size must be 1 to 1000, or 0 for the default";
            Err(invalid("page_size", rule))
        }
    }
}

/// The token of a page of a match's entries. It contains the match, so that a token of another
/// match is refused.
pub(crate) fn entries_token(match_id: MatchId, after: Position) -> String {
    let mut bytes = match_id.0.as_bytes().to_vec();
    bytes.extend(after.0.to_be_bytes());
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

pub(crate) fn parse_entries_token(token: &str, match_id: MatchId) -> Result<Position, Status> {
    if token.is_empty() {
        return Ok(Position(0));
    }
    let bytes = decode::<24>(token)?;
    let (id, after) = bytes.split_at(16);
    let after = i64::from_be_bytes(after.try_into().expect("8 of 24 bytes"));
    if id == match_id.0.as_bytes() && after > 0 { Ok(Position(after)) } else { Err(foreign()) }
}

/// A list request of a platform. It has a key of its own, by which its page tokens are checked: all
/// others are refused, those of other queries and those that nobody issued.
pub(crate) struct ListQuery([u8; 32]);

const CHECK_BYTES: usize = 16;

impl ListQuery {
    /// `request` must be without the fields that may differ from page to page, such as the page's
    /// size and token.
    pub fn new(installation: Uuid, platform: &str, request: &impl Message) -> ListQuery {
        let mut hash = blake3::Hasher::new_derive_key("croupier: key of page tokens");
        hash.update(installation.as_bytes());
        hash.update(&(platform.len() as u64).to_le_bytes());
        hash.update(platform.as_bytes());
        hash.update(std::any::type_name_of_val(request).as_bytes());
        hash.update(&request.encode_to_vec());
        ListQuery(*hash.finalize().as_bytes())
    }

    fn token(&self, parts: &[&[u8]]) -> String {
        let content = parts.concat();
        BASE64_URL_SAFE_NO_PAD.encode([&self.check(&content)[..], &content].concat())
    }

    fn check(&self, content: &[u8]) -> [u8; CHECK_BYTES] {
        let hash = blake3::keyed_hash(&self.0, content);
        *hash.as_bytes().first_chunk().expect("a hash has 32 bytes")
    }

    /// The content of a token of this query; none for the first page.
    fn parse(&self, token: &str) -> Result<Option<Vec<u8>>, Status> {
        if token.is_empty() {
            return Ok(None);
        }
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(token).map_err(|_| foreign())?;
        let (check, content) = bytes.split_first_chunk().ok_or_else(foreign)?;
        if *check == self.check(content) { Ok(Some(content.to_vec())) } else { Err(foreign()) }
    }

    pub fn matches_token(&self, cursor: Cursor) -> String {
        self.token(&[&cursor_bytes(cursor)])
    }

    pub fn parse_matches_token(&self, token: &str) -> Result<Option<Cursor>, Status> {
        let Some(rest) = self.parse(token)? else { return Ok(None) };
        Ok(Some(cursor_of(&rest.try_into().map_err(|_| foreign())?)?))
    }

    pub fn seeks_token(&self, (time, seek_id): SeekCursor) -> String {
        self.token(&[&cursor_bytes((time, MatchId(seek_id)))])
    }

    pub fn parse_seeks_token(&self, token: &str) -> Result<Option<SeekCursor>, Status> {
        Ok(self.parse_matches_token(token)?.map(|(time, MatchId(seek_id))| (time, seek_id)))
    }

    pub fn entries_token(&self, (time, match_id, position): SearchCursor) -> String {
        self.token(&[&cursor_bytes((time, match_id)), &position.0.to_be_bytes()])
    }

    pub fn parse_entries_token(&self, token: &str) -> Result<Option<SearchCursor>, Status> {
        let Some(rest) = self.parse(token)? else { return Ok(None) };
        let (cursor, position) = rest.split_first_chunk().ok_or_else(foreign)?;
        let (time, match_id) = cursor_of(cursor)?;
        let position = i64::from_be_bytes(position.try_into().map_err(|_| foreign())?);
        Ok(Some((time, match_id, Position(position))))
    }

    pub fn standings_token(&self, (rating, player): &StandingCursor) -> String {
        self.token(&[&rating.to_be_bytes(), player.as_bytes()])
    }

    pub fn parse_standings_token(&self, token: &str) -> Result<Option<StandingCursor>, Status> {
        let Some(rest) = self.parse(token)? else { return Ok(None) };
        let (rating, player) = rest.split_first_chunk().ok_or_else(foreign)?;
        let player = String::from_utf8(player.to_vec()).map_err(|_| foreign())?;
        Ok(Some((i64::from_be_bytes(*rating), player)))
    }
}

fn cursor_bytes((time, match_id): Cursor) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[..16].copy_from_slice(&time.unix_timestamp_nanos().to_be_bytes());
    bytes[16..].copy_from_slice(match_id.0.as_bytes());
    bytes
}

fn cursor_of(bytes: &[u8; 32]) -> Result<Cursor, Status> {
    let (time, match_id) = bytes.split_at(16);
    let time = i128::from_be_bytes(time.try_into().expect("16 of 32 bytes"));
    let time = OffsetDateTime::from_unix_timestamp_nanos(time).map_err(|_| foreign())?;
    Ok((time, MatchId(Uuid::from_slice(match_id).expect("16 of 32 bytes"))))
}

fn decode<const N: usize>(token: &str) -> Result<[u8; N], Status> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(token).map_err(|_| foreign())?;
    bytes.try_into().map_err(|_| foreign())
}

/// The token of a page of attempts, of which the last began then.
pub(crate) fn deliveries_token((time, delivery): (OffsetDateTime, Uuid)) -> String {
    let mut bytes = delivery.as_bytes().to_vec();
    bytes.extend(time.unix_timestamp_nanos().to_le_bytes());
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

pub(crate) fn parse_deliveries_token(token: &str) -> Result<(OffsetDateTime, Uuid), Status> {
    let parse = || {
        let bytes: [u8; 32] = BASE64_URL_SAFE_NO_PAD.decode(token).ok()?.try_into().ok()?;
        let (delivery, nanos) = bytes.split_at(16);
        let nanos = i128::from_le_bytes(nanos.try_into().ok()?);
        let time = OffsetDateTime::from_unix_timestamp_nanos(nanos).ok()?;
        Some((time, Uuid::from_slice(delivery).ok()?))
    };
    parse().ok_or_else(foreign)
}

pub(crate) fn foreign() -> Status {
    let message = "the page token does not belong to this list; start at the first page";
    of_field(Reason::InvalidPageToken, "page_token", message)
}

#[cfg(test)]
mod tests {
    use tonic::Code;

    use super::*;

    #[test]
    fn a_tag_is_a_key_and_a_value() {
        let parsed = |tags: &[&str]| {
            let tags: Vec<String> = tags.iter().map(|&tag| tag.to_owned()).collect();
            parse_tags("tags", &tags).map(|tags| tag_names(&tags)).map_err(|refused| refused.code())
        };
        let asked = ["event=cup", "note=a = b", "table="];
        assert_eq!(
            parsed(&asked),
            Ok(asked.map(str::to_owned).to_vec()),
            "the first equals sign separates"
        );
        assert_eq!(parsed(&["event=cup", "event=cup"]), Ok(vec!["event=cup".to_owned()]));
        assert_eq!(parsed(&["event"]), Err(Code::InvalidArgument));
        assert_eq!(parsed(&["event=cup", "event=league"]), Err(Code::InvalidArgument));
        assert_eq!(parsed(&["event=cup"; TAGS_MAX + 1]), Err(Code::InvalidArgument));
    }
}

/// Random input for every name and token. `make fuzz` runs these for longer.
#[cfg(test)]
pub(crate) mod fuzz {
    use bolero::check;

    use super::*;

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
                assert_eq!(entry_name(id, position), text);
            }
            if let Some(player) = check_refused(parse_player("name", &text)) {
                assert_eq!(player_name(player), text);
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
        let request = crate::v1::ListMatchesRequest::default();
        let query = ListQuery::new(Uuid::from_u128(7), "acme", &request);
        let id = MatchId(Uuid::from_u128(1));
        let time = OffsetDateTime::UNIX_EPOCH;
        let tokens = [
            query.matches_token((time, id)),
            query.entries_token((time, id, Position(3))),
            query.standings_token(&(1500, "jane".to_owned())),
            entries_token(id, Position(3)),
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
            if let Some(position) = check_refused(parse_entries_token(&token, id)) {
                assert!(position.0 > 0 || token.is_empty());
            }
        });
    }
}
