//! The names of matches.

pub use positions::StreamId as MatchId;
use uuid::Uuid;

/// The resource name of a match, `matches/{match}`.
pub fn match_name(match_id: MatchId) -> String {
    format!("matches/{}", match_id.0)
}

/// The match with this resource name, which must be in canonical form.
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
