//! What a transparency log shows of matches.

use serde::{Deserialize, Serialize};

/// What the log shows of all matches together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogReport {
    pub origin: String,
    /// Matches whose opening is in it.
    pub opened: u64,
    /// Those whose end is in it.
    pub closed: u64,
    /// Those whose opening was in it before the deal, as a kept proof shows.
    pub opened_before_deal: u64,
    pub chance: ChanceOrder,
    /// The first of them.
    pub matches: Vec<LoggedMatch>,
}

/// Where the chance of matches comes from, told by the order of the log alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChanceOrder {
    /// No seat contributed.
    pub service_only: u64,
    /// Seats contributed, and who verifies kept a proof that the log had the commitment to the seed
    /// before that person's own contribution was sent.
    pub order_proven: u64,
    /// Seats contributed, and there is no such proof.
    pub order_not_proven: u64,
}

/// What the log shows of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoggedMatch {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opened_index: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_index: Option<u64>,
    /// When the first checkpoint among the proofs of the opening was signed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoint_time: Option<String>,
    /// What stands for its platform in the log, in hexadecimal, if the log tells platforms apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub platform: Option<String>,
    /// The seats whose players the opening commits to.
    pub players: usize,
}
