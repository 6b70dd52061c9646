//! Resource names: each kind has one spelling and one parser, here.

use std::fmt::Display;
use std::str::FromStr;

use uuid::Uuid;

const MATCHES: &str = "matches/";
const ENTRIES: &str = "/entries/";
const RECEIPT: &str = "/receipt";
const RECORD: &str = "/record";
const GAMES: &str = "games/";
const RULES: &str = "/rules";
const PLAYERS: &str = "players/";
const SEEKS: &str = "seeks/";
const SUBSCRIPTIONS: &str = "subscriptions/";
const PUSH_SUBSCRIPTIONS: &str = "pushSubscriptions/";
const PLATFORMS: &str = "platforms/";
const API_KEYS: &str = "apiKeys/";
const MODULES: &str = "modules/";
const PROJECTIONS: &str = "projections/";
const SEATS: &str = "seats/";

/// The viewer that sees what everyone may see.
pub const SPECTATOR: &str = "spectator";

/// The viewer that sees everything.
pub const HOUSE: &str = "house";

/// The text is not a name of this form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a name of the form {form}, such as {example}")]
pub struct Misnamed {
    /// The form, with a placeholder in braces for each id.
    pub form: &'static str,
    /// A name of this form.
    pub example: &'static str,
}

const fn misnamed(form: &'static str, example: &'static str) -> Misnamed {
    Misnamed { form, example }
}

const OF_MATCH: Misnamed =
    misnamed("matches/{uuid}", "matches/43e5f97f-b5a3-494a-b11b-af7cbe08b040");
const OF_ENTRY: Misnamed = misnamed(
    "matches/{uuid}/entries/{position}",
    "matches/43e5f97f-b5a3-494a-b11b-af7cbe08b040/entries/7",
);
const OF_RECEIPT: Misnamed = misnamed(
    "matches/{uuid}/entries/{position}/receipt",
    "matches/43e5f97f-b5a3-494a-b11b-af7cbe08b040/entries/7/receipt",
);
const OF_RECORD: Misnamed =
    misnamed("matches/{uuid}/record", "matches/43e5f97f-b5a3-494a-b11b-af7cbe08b040/record");
const OF_GAME: Misnamed = misnamed("games/{game}", "games/mountebank");
const OF_RULES: Misnamed = misnamed("games/{game}/rules", "games/mountebank/rules");
const OF_PLAYER: Misnamed = misnamed("players/{player}", "players/ada");
const OF_SUBSCRIPTION: Misnamed = misnamed("subscriptions/{subscription}", "subscriptions/mail");
const OF_SEEK: Misnamed = misnamed("seeks/{uuid}", "seeks/43e5f97f-b5a3-494a-b11b-af7cbe08b040");
const OF_PUSH_SUBSCRIPTION: Misnamed =
    misnamed("pushSubscriptions/{uuid}", "pushSubscriptions/43e5f97f-b5a3-494a-b11b-af7cbe08b040");
const OF_PLATFORM: Misnamed = misnamed("platforms/{platform}", "platforms/acme");
const OF_API_KEY: Misnamed = misnamed("apiKeys/{key}", "apiKeys/4c1f0a9be2d7");
const OF_PROJECTION: Misnamed = misnamed("projections/{projection}", "projections/matches");
const OF_SEAT: Misnamed = misnamed("seats/{seat}", "seats/0");

// === Names ===

/// `matches/{match}`.
pub fn match_name(match_id: Uuid) -> String {
    format!("{MATCHES}{}", match_id.hyphenated())
}

/// `matches/{match}/entries/{position}`.
pub fn entry_name(match_id: Uuid, position: i64) -> String {
    format!("{MATCHES}{}{ENTRIES}{position}", match_id.hyphenated())
}

/// `matches/{match}/entries/{position}/receipt`.
pub fn receipt_name(match_id: Uuid, position: i64) -> String {
    entry_name(match_id, position) + RECEIPT
}

/// `games/{game}`.
pub fn game_name(game: &str) -> String {
    format!("{GAMES}{game}")
}

/// `games/{game}/rules`.
pub fn rules_name(game: &str) -> String {
    format!("{GAMES}{game}{RULES}")
}

/// `players/{player}`.
pub fn player_name(player: &str) -> String {
    format!("{PLAYERS}{player}")
}

/// `subscriptions/{subscription}`.
pub fn subscription_name(subscription: &str) -> String {
    format!("{SUBSCRIPTIONS}{subscription}")
}

/// `platforms/{platform}`.
pub fn platform_name(platform: &str) -> String {
    format!("{PLATFORMS}{platform}")
}

/// `modules/{module}`.
pub fn module_name(module: &str) -> String {
    format!("{MODULES}{module}")
}

/// `acts/{act}`.
pub fn act_name(act_id: Uuid) -> String {
    format!("acts/{}", act_id.hyphenated())
}

/// `apiKeys/{key}`.
pub fn api_key_name(key_id: &str) -> String {
    format!("{API_KEYS}{key_id}")
}

/// `pushSubscriptions/{push_subscription}`.
pub fn push_subscription_name(push_id: Uuid) -> String {
    format!("{PUSH_SUBSCRIPTIONS}{}", push_id.hyphenated())
}

/// `seeks/{seek}`.
pub fn seek_name(seek_id: Uuid) -> String {
    format!("{SEEKS}{}", seek_id.hyphenated())
}

/// `projections/{projection}`.
pub fn projection_name(projection: &str) -> String {
    format!("{PROJECTIONS}{projection}")
}

/// `seats/{seat}`: the viewer that sees what a seat sees.
pub fn seat_name(seat: impl Display) -> String {
    format!("{SEATS}{seat}")
}

// === Parsers ===

/// The id in `matches/{match}`.
pub fn match_id(name: &str) -> Result<Uuid, Misnamed> {
    name.strip_prefix(MATCHES).and_then(uuid).ok_or(OF_MATCH)
}

/// The match and the position in `matches/{match}/entries/{position}`.
pub fn entry_id(name: &str) -> Result<(Uuid, i64), Misnamed> {
    let parsed = name.strip_prefix(MATCHES).and_then(|rest| {
        let (id, position) = rest.split_once(ENTRIES)?;
        Some((uuid(id)?, number(position)?))
    });
    parsed.ok_or(OF_ENTRY)
}

/// The match and the position in `matches/{match}/entries/{position}/receipt`.
pub fn receipt_id(name: &str) -> Result<(Uuid, i64), Misnamed> {
    let entry = name.strip_suffix(RECEIPT).and_then(|entry| entry_id(entry).ok());
    entry.ok_or(OF_RECEIPT)
}

/// The id in `matches/{match}/record`.
pub fn record_id(name: &str) -> Result<Uuid, Misnamed> {
    let match_id = name.strip_suffix(RECORD).and_then(|name| match_id(name).ok());
    match_id.ok_or(OF_RECORD)
}

/// The id in `games/{game}`.
pub fn game_id(name: &str) -> Result<&str, Misnamed> {
    id(name, GAMES).ok_or(OF_GAME)
}

/// The id in `games/{game}/rules`.
pub fn rules_id(name: &str) -> Result<&str, Misnamed> {
    let game = name.strip_suffix(RULES).and_then(|name| id(name, GAMES));
    game.ok_or(OF_RULES)
}

/// The id in `players/{player}`.
pub fn player_id(name: &str) -> Result<&str, Misnamed> {
    id(name, PLAYERS).ok_or(OF_PLAYER)
}

/// The id in `subscriptions/{subscription}`.
pub fn subscription_id(name: &str) -> Result<&str, Misnamed> {
    id(name, SUBSCRIPTIONS).ok_or(OF_SUBSCRIPTION)
}

/// The id in `seeks/{seek}`.
pub fn seek_id(name: &str) -> Result<Uuid, Misnamed> {
    name.strip_prefix(SEEKS).and_then(uuid).ok_or(OF_SEEK)
}

/// The id in `pushSubscriptions/{push_subscription}`.
pub fn push_subscription_id(name: &str) -> Result<Uuid, Misnamed> {
    name.strip_prefix(PUSH_SUBSCRIPTIONS).and_then(uuid).ok_or(OF_PUSH_SUBSCRIPTION)
}

/// The id in `platforms/{platform}`.
pub fn platform_id(name: &str) -> Result<&str, Misnamed> {
    id(name, PLATFORMS).ok_or(OF_PLATFORM)
}

/// The id in `apiKeys/{key}`.
pub fn api_key_id(name: &str) -> Result<&str, Misnamed> {
    id(name, API_KEYS).ok_or(OF_API_KEY)
}

/// The id in `projections/{projection}`.
pub fn projection_id(name: &str) -> Result<&str, Misnamed> {
    name.strip_prefix(PROJECTIONS).ok_or(OF_PROJECTION)
}

/// The number in `seats/{seat}`.
pub fn seat_number<N: FromStr + ToString>(name: &str) -> Result<N, Misnamed> {
    name.strip_prefix(SEATS).and_then(number).ok_or(OF_SEAT)
}

/// Accepts only ids that a database can store and search for.
fn id<'n>(name: &'n str, collection: &str) -> Option<&'n str> {
    name.strip_prefix(collection).filter(|id| !id.is_empty() && !id.contains('\0'))
}

/// Accepts only the form in which ids are returned, so that each match has one name.
fn uuid(text: &str) -> Option<Uuid> {
    let id = Uuid::try_parse(text).ok()?;
    (id.hyphenated().to_string() == text).then_some(id)
}

/// Accepts only the form in which numbers are returned: no plus sign and no leading zeros.
fn number<N: FromStr + ToString>(text: &str) -> Option<N> {
    text.parse::<N>().ok().filter(|number| number.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_a_form_is_a_name_of_it() {
        assert!(match_id(OF_MATCH.example).is_ok());
        assert!(entry_id(OF_ENTRY.example).is_ok());
        assert!(receipt_id(OF_RECEIPT.example).is_ok());
        assert!(record_id(OF_RECORD.example).is_ok());
        assert!(game_id(OF_GAME.example).is_ok());
        assert!(rules_id(OF_RULES.example).is_ok());
        assert!(player_id(OF_PLAYER.example).is_ok());
        assert!(subscription_id(OF_SUBSCRIPTION.example).is_ok());
        assert!(seek_id(OF_SEEK.example).is_ok());
        assert!(push_subscription_id(OF_PUSH_SUBSCRIPTION.example).is_ok());
        assert!(platform_id(OF_PLATFORM.example).is_ok());
        assert!(api_key_id(OF_API_KEY.example).is_ok());
        assert!(projection_id(OF_PROJECTION.example).is_ok());
        assert!(seat_number::<u8>(OF_SEAT.example).is_ok());
    }
}
