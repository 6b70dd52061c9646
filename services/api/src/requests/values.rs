//! The values of fields, from the form in which the contract writes them.

use std::ops::RangeInclusive;
use std::time::Duration;

use clocks::{OnTimeout, TimeControl};
use contract::v1::{self, Reason, SubmitActionRequest};
use contract::{Action, names};
use games::Named;
use matches::{
    ActionOf, AsOf, Digest, Expected, Position, RequestedViewer, Reveal, Submission, TAGS_MAX, Tags,
};
use prost_types::{FieldMask, Timestamp};
use table::{Motion, Seat, Small, Viewer};
use time::OffsetDateTime;
use tonic::Status;
use webhooks::Secret;

use super::names::{parse_game, parse_match};
use crate::error::{Refused, invalid, of, of_field};

// === Texts ===

/// The text of a field; `None` if it is empty.
pub(crate) fn present(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}

/// Refuses a text in a field of this name that the database can neither store nor search for.
pub(crate) fn check_storable(field: &str, text: &str) -> Result<(), Status> {
    let rule = "a text contains the character U+0000, which is not allowed";
    if text.contains('\0') { Err(invalid(field, rule)) } else { Ok(()) }
}

/// What precedes the id in a player's resource name.
const PLAYERS: &str = "players/";

/// A player in a field that holds the platform's id of it, empty for none. A resource name would
/// be another player's id, of whom nothing is known.
pub(crate) fn parse_player_id(field: &str, id: String) -> Result<String, Status> {
    check_storable(field, &id)?;
    let Some(own) = id.strip_prefix(PLAYERS) else { return Ok(id) };
    let rule = format!("{field} holds the platform's id of a player: write {own:?}, not {id:?}");
    Err(invalid(field, rule))
}

/// Players in a list, as [`parse_player_id`].
pub(crate) fn parse_player_ids(field: &str, ids: Vec<String>) -> Result<Vec<String>, Status> {
    let ids = ids.into_iter().enumerate();
    ids.map(|(nth, id)| parse_player_id(&format!("{field}[{nth}]"), id)).collect()
}

/// Parses tags of the form `key=value`.
pub(crate) fn parse_tags(field: &str, asked: &[String]) -> Result<Tags, Status> {
    if asked.len() > TAGS_MAX {
        return Err(invalid(field, format!("a match has at most {TAGS_MAX} tags")));
    }
    let mut tags = Tags::new();
    for (nth, tag) in asked.iter().enumerate() {
        let invalid = |rule: String| invalid(&format!("{field}[{nth}]"), rule);
        let form = || invalid(format!("a tag has the form key=value, unlike {tag:?}"));
        let (key, value) = tag.split_once('=').ok_or_else(form)?;
        let other = tags.insert(key.to_owned(), value.to_owned());
        if other.is_some_and(|other| other != value) {
            return Err(invalid(format!("the tag {key:?} has two values")));
        }
    }
    Ok(tags)
}

/// A digest; `None` if the field is empty.
pub(crate) fn parse_digest(field: &str, digest: &[u8]) -> Result<Option<Digest>, Status> {
    if digest.is_empty() {
        return Ok(None);
    }
    let digest = Digest::try_from(digest).map_err(|error| invalid(field, error.to_string()))?;
    Ok(Some(digest))
}

/// The secret of a webhook; `None` if the text is empty.
pub(crate) fn secret_from(field: &'static str, text: &str) -> Result<Option<Secret>, Status> {
    if text.is_empty() {
        return Ok(None);
    }
    let secret = Secret::parse(text);
    secret.map(Some).map_err(|error| of(matches::Error::WebhookSecretInvalid { field, error }))
}

/// The commitment to a seed; `None` if the text is empty.
pub(crate) fn parse_commitment(field: &str, text: &str) -> Result<Option<[u8; 32]>, Status> {
    if text.is_empty() {
        return Ok(None);
    }
    let hash = blake3::Hash::from_hex(text);
    let rule = "a commitment is 64 hexadecimal digits";
    hash.map(|hash| Some(*hash.as_bytes())).map_err(|_| invalid(field, rule))
}

/// The fields that an update changes, which are some of `known`.
pub(crate) fn parse_mask(
    mask: Option<FieldMask>,
    known: &[&'static str],
) -> Result<Vec<&'static str>, Status> {
    let (field, listed) = ("update_mask", known.join(", "));
    let paths = mask.map(|mask| mask.paths).unwrap_or_default();
    if paths.is_empty() {
        return Err(invalid(field, format!("name the fields to change: {listed}")));
    }
    let find = |path: &String| {
        let known = known.iter().find(|it| **it == *path).copied();
        let rule = || format!("no field {path:?} can be changed; known: {listed}");
        known.ok_or_else(|| invalid(field, rule()))
    };
    paths.iter().map(find).collect()
}

// === Positions, times, seats and viewers ===

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

/// Parses the duration in a field of this name, which must be within the bounds; `None` if it is
/// absent.
pub(crate) fn parse_duration(
    field: &str,
    duration: Option<prost_types::Duration>,
    bounds: RangeInclusive<Duration>,
) -> Result<Option<Duration>, Status> {
    let Some(duration) = duration else { return Ok(None) };
    let duration = Duration::try_from(duration).ok().filter(|it| bounds.contains(it));
    let (least, most) = (bounds.start().as_secs_f64(), bounds.end().as_secs_f64());
    let rule = || invalid(field, format!("{field} must be {least}s to {most}s"));
    duration.map(Some).ok_or_else(rule)
}

/// Like [`parse_duration`], in seconds, without fractions.
pub(crate) fn parse_whole_seconds(
    field: &str,
    duration: Option<prost_types::Duration>,
    bounds: RangeInclusive<u32>,
) -> Result<Option<u32>, Status> {
    let Some(duration) = duration else { return Ok(None) };
    let seconds = whole_seconds(duration).ok_or_else(|| invalid(field, format!("{field} {WHOLE}")));
    let seconds = seconds?;
    let (least, most) = (bounds.start(), bounds.end());
    let rule = || invalid(field, format!("{field} must be {least}s to {most}s"));
    bounds.contains(&seconds).then_some(Some(seconds)).ok_or_else(rule)
}

const WHOLE: &str = "must be whole seconds, not negative, such as 90s";

fn whole_seconds(duration: prost_types::Duration) -> Option<u32> {
    u32::try_from(duration.seconds).ok().filter(|_| duration.nanos == 0)
}

/// The years of `google.protobuf.Timestamp`, which Postgres can store.
pub(crate) const YEARS: RangeInclusive<i32> = 1..=9999;

/// `seats/{seat}`, `spectator`, `house`, or the caller's default if empty.
pub(crate) fn parse_viewer(viewer: &str) -> Result<RequestedViewer, Status> {
    match viewer {
        "" => Ok(RequestedViewer::Own),
        names::SPECTATOR => Ok(RequestedViewer::Named(Viewer::Spectator)),
        names::HOUSE => Ok(RequestedViewer::Named(Viewer::House)),
        _ => {
            let seat = names::seat_number(viewer).ok().and_then(Seat::nth);
            let rule = "a viewer is seats/{seat}, spectator or house";
            let seat = seat.ok_or_else(|| invalid("viewer", rule))?;
            Ok(RequestedViewer::Named(Viewer::Seat(seat)))
        }
    }
}

/// The state to read: at a position, at a time, or the latest.
pub(crate) fn parse_as_of(position: Option<i32>, time: Option<Timestamp>) -> Result<AsOf, Status> {
    match (position, time) {
        (None, None) => Ok(AsOf::Latest),
        (Some(position), None) => Ok(AsOf::Position(position_of(position))),
        (None, Some(time)) => Ok(AsOf::Time(parse_time("read_time", time)?)),
        (Some(_), Some(_)) => Err(invalid("read_time", "set position or read_time, not both")),
    }
}

// === Games, actions and how matches are played ===

/// The game that a call of a platform is about.
pub(crate) fn found_game(game: &str, platform: Option<&str>) -> Result<Named, Status> {
    games::named(game, platform).ok_or_else(|| unknown_game(game).status())
}

/// The game that the field `game` of a filter names.
pub(crate) fn known_game(name: &str, platform: &str) -> Result<String, Status> {
    let game = parse_game("game", name)?;
    let known = games::named(game, Some(platform));
    let known = known.ok_or_else(|| unknown_game(game).field("game").status())?;
    Ok(known.0.name().to_owned())
}

fn unknown_game(game: &str) -> Refused {
    Refused::new(Reason::UnknownGame, format!("there is no game {game:?}"))
}

pub(crate) fn submission_from(request: SubmitActionRequest) -> Result<Submission, Status> {
    let action = request.action.and_then(action_from).ok_or_else(no_action);
    Ok(Submission {
        match_id: parse_match("name", &request.name)?,
        seat: parse_seat(request.seat)?,
        action: action?,
        expected: Expected {
            position: request.expected_position.map(position_of),
            prompt: request.expected_prompt.map(position_of),
        },
        request_id: present(request.request_id),
    })
}

fn no_action() -> Status {
    let message = "the action is empty: set the field of the match's game";
    of_field(Reason::MalformedAction, "action", message)
}

fn action_from(action: Action) -> Option<matches::Action> {
    let of = match action.game() {
        Some(game) => ActionOf::Game(game),
        None if action.is_of_every_game() => ActionOf::EveryGame,
        None if action.is_of_module() => ActionOf::Module,
        None => return None,
    };
    Some(matches::Action { of, body: action.body })
}

pub(crate) fn motion_from(motion: i32) -> Result<Motion, Status> {
    match v1::Motion::try_from(motion) {
        Ok(v1::Motion::EndWithoutResult) => Ok(Motion::EndWithoutResult),
        Ok(v1::Motion::Pause) => Ok(Motion::Pause),
        Ok(v1::Motion::Resume) => Ok(Motion::Resume),
        Ok(v1::Motion::Unspecified) => Err(invalid("motion", "a vote is for a motion")),
        Err(_) => Err(invalid("motion", format!("there is no motion {motion}"))),
    }
}

/// The time control that a request asks for.
pub(crate) fn time_control_from(it: v1::TimeControl) -> Result<TimeControl, matches::Error> {
    let bad = |reason: String| matches::Error::InvalidTimeControl(reason);
    let is_named = !it.preset.is_empty();
    if is_named && (v1::TimeControl { preset: it.preset.clone(), ..Default::default() }) != it {
        return Err(bad("a preset sets all other fields: leave them empty".to_owned()));
    }
    if is_named {
        return TimeControl::named(&it.preset).map_err(|error| bad(error.to_string()));
    }
    let on_timeout = match v1::OnTimeout::try_from(it.on_timeout) {
        Ok(v1::OnTimeout::Unspecified | v1::OnTimeout::Answer) => OnTimeout::Answer,
        Ok(v1::OnTimeout::Resign) => OnTimeout::Resign,
        Err(_) => return Err(bad("there is no such on_timeout".to_owned())),
    };
    let seconds = |name: &str, duration: Option<prost_types::Duration>| match duration {
        None => Ok(0),
        Some(it) => whole_seconds(it).ok_or_else(|| bad(format!("{name} {WHOLE}"))),
    };
    Ok(TimeControl {
        bank_s: seconds("bank", it.bank)?,
        increment_s: seconds("increment", it.increment)?,
        per_decision_s: seconds("per_decision", it.per_decision)?,
        on_timeout,
        resign_after: it.resign_after,
    })
}

/// The reveal that a request asks for.
pub(crate) fn reveal_from(
    reveal: i32,
    delay: Option<prost_types::Duration>,
) -> Result<Reveal, Status> {
    let delay_s = parse_whole_seconds("reveal_delay", delay, 0..=u32::MAX)?.unwrap_or(0);
    match (v1::Reveal::try_from(reveal), delay_s) {
        (Ok(v1::Reveal::Unspecified | v1::Reveal::AtEnd), 0) => Ok(Reveal::AtEnd),
        (Ok(v1::Reveal::Never), 0) => Ok(Reveal::Never),
        (Ok(v1::Reveal::AfterDelay), seconds) => Ok(Reveal::After(seconds)),
        (Ok(_), _) => Err(invalid("reveal_delay", "reveal_delay requires REVEAL_AFTER_DELAY")),
        (Err(_), _) => Err(invalid("reveal", "there is no such reveal")),
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use tonic::Code;

    use super::*;
    use crate::answers::values::tag_names;

    #[test]
    fn the_contract_has_a_field_for_the_actions_of_every_game() {
        let descriptors = contract::descriptors();
        let action = descriptors.get_message_by_name("croupier.v1.Action").expect("it is there");
        for game in games::GAMES {
            let of_game = Action::of(game.name(), Bytes::new());
            assert_eq!(of_game.game(), Some(game.name()));
            let field = action.get_field(of_game.field).expect("its field");
            let kind = field.kind();
            let message = kind.as_message().map(|message| message.full_name().to_owned());
            assert_eq!(message, Some(game.action_message()), "in croupier.v1.Action");
        }
        let fields = action.fields().len();
        assert_eq!(fields, games::GAMES.len() + 2, "a field of croupier.v1.Action has no game");
    }

    #[test]
    fn a_player_has_one_spelling() {
        let parsed = |id: &str| parse_player_id("player", id.to_owned()).ok();
        assert_eq!(parsed("ada"), Some("ada".to_owned()));
        assert_eq!(parsed(""), Some(String::new()), "no player");
        let refused = parse_player_ids("players", vec!["ada".into(), "players/u0".into()]);
        assert_eq!(
            refused.expect_err("a resource name").message(),
            "players[1] holds the platform's id of a player: write \"u0\", not \"players/u0\""
        );
    }

    #[test]
    fn an_update_names_the_fields_that_it_changes() {
        let parsed = |paths: &[&str]| {
            let mask = FieldMask { paths: paths.iter().map(|&it| it.to_owned()).collect() };
            parse_mask(Some(mask), &["lobby", "tags"]).map_err(|it| it.message().to_owned())
        };
        assert_eq!(parsed(&["tags", "lobby"]), Ok(vec!["tags", "lobby"]));
        assert_eq!(parsed(&[]), Err("name the fields to change: lobby, tags".to_owned()));
        let unknown = "no field \"seats\" can be changed; known: lobby, tags";
        assert_eq!(parsed(&["lobby", "seats"]), Err(unknown.to_owned()));
        assert!(parse_mask(None, &["lobby"]).is_err());
    }

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
