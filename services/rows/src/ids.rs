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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_has_one_name() {
        let name = "matches/3e2a5eb9-7fa1-8a26-86ff-81518a0f21b4";
        let id = parse_match_name(name).expect("the name of a match");
        assert_eq!(match_name(id), name);
        for other in [
            "3e2a5eb9-7fa1-8a26-86ff-81518a0f21b4",
            "matches/3E2A5EB9-7FA1-8A26-86FF-81518A0F21B4",
            "matches/3e2a5eb97fa18a2686ff81518a0f21b4",
            "matches/3e2a5eb9",
            "",
        ] {
            assert_eq!(parse_match_name(other), None, "{other:?}");
        }
    }
}
