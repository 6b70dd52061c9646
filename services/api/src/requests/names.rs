//! Resource names in the fields of requests.

use contract::names::{self, Misnamed};
use matches::{MatchId, Position};
use tonic::Status;
use uuid::Uuid;

use crate::error::invalid;

pub(crate) fn parse_match(field: &str, name: &str) -> Result<MatchId, Status> {
    in_field(field, name, names::match_id(name)).map(MatchId)
}

pub(crate) fn parse_entry(field: &str, name: &str) -> Result<(MatchId, Position), Status> {
    in_field(field, name, names::entry_id(name)).map(entry)
}

/// The entry of a receipt.
pub(crate) fn parse_receipt(field: &str, name: &str) -> Result<(MatchId, Position), Status> {
    in_field(field, name, names::receipt_id(name)).map(entry)
}

/// The match of a record.
pub(crate) fn parse_record(field: &str, name: &str) -> Result<MatchId, Status> {
    in_field(field, name, names::record_id(name)).map(MatchId)
}

pub(crate) fn parse_game<'n>(field: &str, name: &'n str) -> Result<&'n str, Status> {
    in_field(field, name, names::game_id(name))
}

/// The game of its rules.
pub(crate) fn parse_rules<'n>(field: &str, name: &'n str) -> Result<&'n str, Status> {
    in_field(field, name, names::rules_id(name))
}

pub(crate) fn parse_player<'n>(field: &str, name: &'n str) -> Result<&'n str, Status> {
    in_field(field, name, names::player_id(name))
}

pub(crate) fn parse_subscription<'n>(field: &str, name: &'n str) -> Result<&'n str, Status> {
    in_field(field, name, names::subscription_id(name))
}

pub(crate) fn parse_seek(field: &str, name: &str) -> Result<Uuid, Status> {
    in_field(field, name, names::seek_id(name))
}

pub(crate) fn parse_platform<'n>(field: &str, name: &'n str) -> Result<&'n str, Status> {
    in_field(field, name, names::platform_id(name))
}

pub(crate) fn parse_api_key<'n>(field: &str, name: &'n str) -> Result<&'n str, Status> {
    in_field(field, name, names::api_key_id(name))
}

pub(crate) fn parse_push_subscription(field: &str, name: &str) -> Result<Uuid, Status> {
    in_field(field, name, names::push_subscription_id(name))
}

pub(crate) fn parse_projection<'n>(field: &str, name: &'n str) -> Result<&'n str, Status> {
    in_field(field, name, names::projection_id(name))
}

fn entry((match_id, position): (Uuid, i64)) -> (MatchId, Position) {
    (MatchId(match_id), Position(position))
}

fn in_field<T>(field: &str, name: &str, parsed: Result<T, Misnamed>) -> Result<T, Status> {
    parsed.map_err(|misnamed| invalid(field, mistake(field, name, misnamed)))
}

fn mistake(field: &str, name: &str, misnamed: Misnamed) -> String {
    let Misnamed { form, example } = misnamed;
    if name.is_empty() {
        return format!("{field} is missing: it is a name of the form {form}, such as {example}");
    }
    let (collection, rest) = form.split_once('{').unwrap_or((form, ""));
    // What was given may be the id alone.
    let is_id = !name.contains('/') && rest.ends_with('}') && !rest.contains('/');
    match is_id && is_name(form, &format!("{collection}{name}")) {
        true => format!("{name:?} is {misnamed}: write {collection}{name}"),
        false => format!("{name:?} is {misnamed}"),
    }
}

/// Whether the text is a name of this form, among those of a collection and an id.
fn is_name(form: &str, text: &str) -> bool {
    match form {
        "matches/{uuid}" => names::match_id(text).is_ok(),
        "seeks/{uuid}" => names::seek_id(text).is_ok(),
        "pushSubscriptions/{uuid}" => names::push_subscription_id(text).is_ok(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "43e5f97f-b5a3-494a-b11b-af7cbe08b040";

    #[track_caller]
    fn check<T>(parsed: Result<T, Status>, message: &str) {
        let Err(status) = parsed else { panic!("it is no name") };
        assert_eq!(status.message(), message);
    }

    #[test]
    fn a_malformed_name_is_told_its_form_an_example_and_what_was_perhaps_meant() {
        let form = format!("not a name of the form matches/{{uuid}}, such as matches/{ID}");
        check(parse_match("name", "matches/123"), &format!("\"matches/123\" is {form}"));
        check(parse_match("name", "123"), &format!("\"123\" is {form}"));
        check(parse_match("name", ID), &format!("{ID:?} is {form}: write matches/{ID}"));
        let form = "not a name of the form games/{game}, such as games/mountebank";
        check(parse_game("game", "rigs"), &format!("\"rigs\" is {form}: write games/rigs"));
        check(
            parse_player("parent", ""),
            "parent is missing: it is a name of the form players/{player}, such as players/ada",
        );
        let form = "not a name of the form games/{game}/rules, such as games/mountebank/rules";
        check(parse_rules("name", "rigs"), &format!("\"rigs\" is {form}"));
    }
}
