//! Resource names, viewers and page tokens: what was typed becomes what it means, here and nowhere else.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use matches::{Cursor, MatchId, Moment, Position, Wanted};
use prost_types::Timestamp;
use table::{Seat, Small, Viewer};
use time::OffsetDateTime;
use tonic::{Code, Status};
use uuid::Uuid;

use crate::error::{invalid, status};
use crate::v1::Reason;

pub(crate) fn match_name(match_id: MatchId) -> String {
    format!("matches/{}", match_id.0)
}

pub(crate) fn entry_name(match_id: MatchId, position: Position) -> String {
    format!("matches/{}/entries/{}", match_id.0, position.0)
}

pub(crate) fn game_name(game: &str) -> String {
    format!("games/{game}")
}

/// The match of `matches/{match}`.
pub(crate) fn parse_match(name: &str) -> Result<MatchId, Status> {
    let id = name.strip_prefix("matches/").and_then(parse_uuid);
    id.ok_or_else(|| invalid(format!("{name:?} is not a name of the form matches/{{match}}")))
}

/// The match and position of `matches/{match}/entries/{position}`.
pub(crate) fn parse_entry(name: &str) -> Result<(MatchId, Position), Status> {
    let parsed = name.strip_prefix("matches/").and_then(|rest| {
        let (id, position) = rest.split_once("/entries/")?;
        Some((parse_uuid(id)?, Position(position.parse().ok()?)))
    });
    let form = "matches/{match}/entries/{position}";
    parsed.ok_or_else(|| invalid(format!("{name:?} is not a name of the form {form}")))
}

/// The game of `games/{game}`.
pub(crate) fn parse_game(name: &str) -> Result<&str, Status> {
    let game = name.strip_prefix("games/").filter(|game| !game.is_empty());
    game.ok_or_else(|| invalid(format!("{name:?} is not a name of the form games/{{game}}")))
}

/// Only the one form in which ids are given out, so that a match has one name.
fn parse_uuid(text: &str) -> Option<MatchId> {
    let id = Uuid::try_parse(text).ok()?;
    (id.hyphenated().to_string() == text).then_some(MatchId(id))
}

pub(crate) fn parse_seat(seat: Option<u32>) -> Result<Option<Seat>, Status> {
    let small = |seat| Seat::nth(seat as usize).ok_or_else(|| invalid("there is no such seat"));
    seat.map(small).transpose()
}

/// `seats/{seat}`, `spectator`, `house`, or the caller's own eyes if empty.
pub(crate) fn parse_viewer(viewer: &str) -> Result<Wanted, Status> {
    match viewer {
        "" => Ok(Wanted::Own),
        "spectator" => Ok(Wanted::Of(Viewer::Spectator)),
        "house" => Ok(Wanted::Of(Viewer::House)),
        _ => {
            let seat = viewer.strip_prefix("seats/").and_then(|seat| seat.parse().ok());
            let seat = seat.and_then(Seat::nth).map(|seat| Wanted::Of(Viewer::Seat(seat)));
            seat.ok_or_else(|| invalid("a viewer is seats/{seat}, spectator or house"))
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

/// When to look: at a position, at a time, or now.
pub(crate) fn parse_moment(
    position: Option<i64>,
    time: Option<Timestamp>,
) -> Result<Moment, Status> {
    match (position, time) {
        (None, None) => Ok(Moment::Last),
        (Some(position), None) => Ok(Moment::At(Position(position))),
        (None, Some(time)) => {
            let time = OffsetDateTime::from_unix_timestamp(time.seconds).ok().and_then(|seconds| {
                seconds.replace_nanosecond(u32::try_from(time.nanos).ok()?).ok()
            });
            time.map(Moment::Time).ok_or_else(|| invalid("that is no time"))
        }
        (Some(_), Some(_)) => Err(invalid("say a position or a time, not both")),
    }
}

/// The subscription of `subscriptions/{subscription}`.
pub(crate) fn parse_subscription(name: &str) -> Result<&str, Status> {
    let subscription = name.strip_prefix("subscriptions/").filter(|it| !it.is_empty());
    let form = "subscriptions/{subscription}";
    subscription.ok_or_else(|| invalid(format!("{name:?} is not a name of the form {form}")))
}

pub(crate) fn subscription_name(subscription: &str) -> String {
    format!("subscriptions/{subscription}")
}

/// A page's size: what was asked for, or `usual`, up to 1000 so that a page is sent in one piece.
pub(crate) fn page_size(asked: i32, usual: usize) -> Result<usize, Status> {
    match usize::try_from(asked) {
        Ok(0) => Ok(usual),
        Ok(size @ 1..=1000) => Ok(size),
        _ => Err(invalid("page_size is 1 to 1000, or 0 for the usual size")),
    }
}

/// Where a page of a match's entries begins. The token says of which match, so that one of another is refused.
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

/// Where a page of a platform's matches begins. The token carries a check of the platform it was made for.
pub(crate) fn matches_token(platform: &str, (time, match_id): Cursor) -> String {
    let mut bytes = platform_check(platform).to_vec();
    bytes.extend(time.unix_timestamp_nanos().to_be_bytes());
    bytes.extend(match_id.0.as_bytes());
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

pub(crate) fn parse_matches_token(token: &str, platform: &str) -> Result<Option<Cursor>, Status> {
    if token.is_empty() {
        return Ok(None);
    }
    let bytes = decode::<40>(token)?;
    let (check, rest) = bytes.split_at(8);
    let (time, match_id) = rest.split_at(16);
    let time = i128::from_be_bytes(time.try_into().expect("16 of 40 bytes"));
    let time = OffsetDateTime::from_unix_timestamp_nanos(time).map_err(|_| foreign())?;
    let match_id = MatchId(Uuid::from_slice(match_id).expect("16 of 40 bytes"));
    if check == platform_check(platform) { Ok(Some((time, match_id))) } else { Err(foreign()) }
}

fn platform_check(platform: &str) -> [u8; 8] {
    let hash = blake3::derive_key("croupier: page token of a platform", platform.as_bytes());
    hash[..8].try_into().expect("8 of 32 bytes")
}

fn decode<const N: usize>(token: &str) -> Result<[u8; N], Status> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(token).map_err(|_| foreign())?;
    bytes.try_into().map_err(|_| foreign())
}

pub(crate) fn foreign() -> Status {
    let message = "the page token is not one that this list gave; begin at the first page";
    status(Code::InvalidArgument, Reason::InvalidPageToken, message)
}
