//! The names of matches.

pub use positions::StreamId as MatchId;
use uuid::Uuid;

/// `matches/{match}`, as the match is called wherever it is named.
pub fn match_name(match_id: MatchId) -> String {
    format!("matches/{}", match_id.0)
}

/// The match of a name, in the one way in which it is written.
pub fn parse_match_name(name: &str) -> Option<MatchId> {
    let id = name.strip_prefix("matches/").and_then(|id| Uuid::try_parse(id).ok()).map(MatchId);
    id.filter(|&id| match_name(id) == name)
}

/// For `#[serde(with = "…")]`: the bare id.
pub(crate) mod bare {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use uuid::Uuid;

    use super::MatchId;

    pub fn serialize<S: Serializer>(id: &MatchId, serializer: S) -> Result<S::Ok, S::Error> {
        id.0.serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<MatchId, D::Error> {
        Uuid::deserialize(deserializer).map(MatchId)
    }
}
