//! A request to create a match.

use std::collections::BTreeMap;

use clocks::TimeControl;
use rows::{MatchId, Reveal, Tags};

#[derive(Clone, Debug, Default)]
pub struct NewMatch {
    pub game: String,
    pub seats: u32,
    /// By seat, from seat 0; an empty or missing id leaves the seat open.
    pub players: Vec<String>,
    /// The names to show for `players` and `bots`, by seat; empty or missing for none.
    pub display_names: Vec<String>,
    /// The levels of bots by seat; empty or missing for no bot.
    pub bots: Vec<String>,
    /// The contributions of the seats of `players` to the chance of the match, in the same order;
    /// empty or missing for none.
    pub contributions: Vec<Vec<u8>>,
    /// The commitment that was published for the request id.
    pub seed_commitment: Option<[u8; 32]>,
    pub options: BTreeMap<String, String>,
    /// The time control; `None` for a match without clocks.
    pub time_control: Option<TimeControl>,
    pub tags: Tags,
    pub request_id: Option<String>,
    pub reveal: Reveal,
    /// The match that it follows. Then game, seats, players, options and display names default to
    /// those of that match.
    pub previous: Option<MatchId>,
    /// Whether it is listed in the lobby, where players may join it themselves.
    pub lobby: bool,
    /// Whether its result does not count for ratings; `None` for no, or as in the match before.
    pub casual: Option<bool>,
}
