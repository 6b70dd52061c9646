//! The matches of a device, and what a host asks of them.

use std::collections::BTreeMap;

use contract::names;
use rows::MatchId;
use serde::Deserialize;

use crate::played::Played;
use crate::refusal::Refusal;

/// The matches of a device, as long as the host holds them.
#[derive(Default)]
pub struct Device {
    pub(crate) matches: BTreeMap<MatchId, Played>,
}

/// What comes with every request.
#[derive(Clone, Debug, Deserialize)]
pub struct Call {
    /// The rpc, such as `croupier.v1.MatchService/GetView`.
    pub path: String,
    /// As in `Accept-Language`; without it, answers have no texts.
    #[serde(default)]
    pub language: String,
    /// In milliseconds since 1970.
    pub now_ms: i64,
    /// Random bytes for bots, in hexadecimal.
    #[serde(with = "hex::serde")]
    pub chance: [u8; 32],
    /// How many iterations a search may take.
    pub iterations: u32,
}

/// What a bot is given to think with.
#[derive(Clone, Debug, Deserialize)]
pub struct Thought {
    /// The match, as `matches/{match}`.
    pub name: String,
    /// In milliseconds since 1970.
    pub now_ms: i64,
    /// Random bytes, in hexadecimal.
    #[serde(with = "hex::serde")]
    pub chance: [u8; 32],
    /// How many iterations a search may take.
    pub iterations: u32,
}

impl Device {
    pub(crate) fn found(&self, name: &str) -> Result<&Played, Refusal> {
        self.matches.get(&match_id(name)?).ok_or_else(Refusal::not_found)
    }

    pub(crate) fn found_mut(&mut self, name: &str) -> Result<&mut Played, Refusal> {
        self.matches.get_mut(&match_id(name)?).ok_or_else(Refusal::not_found)
    }
}

/// The id in the name of a match.
pub fn match_id(name: &str) -> Result<MatchId, Refusal> {
    let id = names::match_id(name);
    id.map(MatchId).map_err(|error| Refusal::invalid("name", error.to_string()))
}
