//! The parameters of a match: fixed at its creation, and covered by its digests.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use table::{CASUAL, DEVICE, MODULE};

use crate::MatchId;
use crate::ids::bare;

/// The parameters of a match, besides its platform, its game, its seats and the time. The database
/// stores them as one JSON object.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    pub options: BTreeMap<String, String>,
    /// A hash of the seed, published before the first card: after the match it proves that every
    /// deal came from that seed.
    #[serde(with = "hex::serde")]
    pub seed_commitment: [u8; 32],
    /// How long after its end the match is fully revealed; `None` for never.
    pub reveal_wait_s: Option<i64>,
    /// The score that it takes over from the match that it follows, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follows: Option<Follows>,
}

/// The data that a match takes over from the one that it follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Follows {
    #[serde(with = "bare")]
    pub previous: MatchId,
    /// The match's number in the series. The first match, which follows none, counts as 1.
    pub number: i32,
    /// The matches of the series won before this one, by seat of this match.
    pub wins: Vec<i32>,
    /// The length of the series: winning more than half of this many matches decides it; `None` if
    /// it has no end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best_of: Option<i32>,
}

impl Terms {
    /// Whether the match's result does not count for ratings.
    pub fn is_casual(&self) -> bool {
        self.options.contains_key(CASUAL)
    }

    /// Whether a player's own device dealt the match. Nothing is played in it here.
    pub fn is_of_device(&self) -> bool {
        self.options.contains_key(DEVICE)
    }

    /// The hash of the module that has the match's rules; `None` if they are compiled in.
    pub fn module(&self) -> Option<&str> {
        self.options.get(MODULE).map(String::as_str)
    }

    /// From the column of this name. Terms that cannot be read were altered; placeholder terms
    /// replace them, with which no digest matches.
    pub fn of_column(column: serde_json::Value) -> Self {
        serde_json::from_value(column).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn options_say_what_a_match_is() {
        let with = |option: &str, value: &str| Terms {
            options: BTreeMap::from([(option.to_owned(), value.to_owned())]),
            ..Terms::default()
        };
        let said = |it: Terms| (it.is_casual(), it.is_of_device(), it.module().map(str::to_owned));
        assert_eq!(said(Terms::default()), (false, false, None));
        assert_eq!(said(with(CASUAL, "")), (true, false, None));
        assert_eq!(said(with(DEVICE, "")), (false, true, None));
        assert_eq!(said(with(MODULE, "c0ffee")), (false, false, Some("c0ffee".to_owned())));
    }

    #[test]
    fn terms_are_read_from_their_column_or_are_nobodys() {
        let terms = Terms { seed_commitment: [7; 32], reveal_wait_s: Some(60), ..Terms::default() };
        let column = serde_json::to_value(&terms).expect("terms have a JSON form");
        assert_eq!(Terms::of_column(column), terms);
        assert_eq!(Terms::of_column(json!({"options": 7})), Terms::default());
    }
}
