//! Bots on seats: their levels, ids and names.

use table::Seat;

use crate::error::Error;
use crate::random::random;

/// Checks the name of a level in a field of a request.
pub(crate) fn bot_level(field: &'static str, name: &str) -> Result<&'static str, Error> {
    let level = bots::find(name).map(|level| level.name);
    level.ok_or_else(|| Error::UnknownBot { field, bot: name.to_owned() })
}

/// The id and the display name of a new bot on a seat.
pub(crate) fn new_bot(level: &str, seat: Seat) -> (String, String) {
    (rows::bot_id(level, u64::from_le_bytes(random())), format!("Bot {seat} ({level})"))
}
