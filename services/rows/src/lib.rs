//! The rows of the record about a match, besides its entries, and their meaning: types and
//! functions without a database.
//!
//! In reading order:
//!
//! 1. [`MatchId`] names a match, whose entries are one stream of the log. [`Terms`] are its
//!    parameters, [`SeatRow`] is a seat with its current and earlier players, [`MatchRow`] is the
//!    whole, and [`KeptResult`] is what remains of a match that was reduced to its result.
//!    [`bot_id`] and [`look_alike`] interpret players' ids and names.
//! 2. [`RecordedEntry`] is a decoded entry, and [`RedactedEntry`] is an entry as one viewer may see
//!    it.
//! 3. [`SeatedPlayer`], [`Cast`], [`Series`] and [`Reveal`] are the columns' players, names, scores
//!    and secrecy.

mod bots;
mod cast;
mod columns;
mod entry;
mod error;
#[cfg(test)]
mod fixtures;
mod ids;
mod kept;
mod matches;
mod names;
mod players;
mod redacted;
mod reveal;
mod seats;
mod secrets;
mod series;
mod terms;

pub use bots::{BOT_MARK, bot_id, level_of};
pub use cast::{Cast, ShownName};
pub use columns::{
    contributions_of, deciding_game_of, game_of, rules_of, seat_of, seats_of, speech_keys,
    speech_keys_of,
};
pub use entry::{RecordedEntry, may_replace, version_of};
pub use error::{Error, NoModule};
pub use ids::{MatchId, match_name, parse_match_name};
pub use kept::KeptResult;
pub use matches::{MatchRow, NewMatch, TAGS_MAX, Tags};
pub use names::{Named, is_plain, look_alike, name_key};
pub use players::{PastPlayer, SeatedPlayer, players_of};
pub use redacted::{RedactedEntry, Stamp};
pub use reveal::{DELAY_MAX_S, Reveal, is_revealed, reveal_time};
pub use seats::{Contributed, FormerPlayer, HeldKey, SeatRow};
pub use secrets::{Seed, SpeechKey};
pub use series::Series;
pub use terms::{Follows, Terms};
