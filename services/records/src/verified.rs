//! The verified part of a match, and what is missing to a proof.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use table::{Contribution, Entropy};

use crate::code::{Code, Problem};
use crate::players::PlayerCounts;

/// The verified part of a match so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    pub entries: i64,
    pub choices: u64,
    pub is_over: bool,
    pub has_seed: bool,
    pub seed_commitment: Vec<u8>,
    /// The seats' contributions to its chance.
    pub contributions: Vec<Contribution>,
    /// The players who took its seats.
    pub players: PlayerCounts,
    /// Whether retention removed its entries and kept its result.
    pub is_result_only: bool,
    /// The game, if this program does not know it.
    pub unknown_game: Option<String>,
    /// The game and the hash of the module that has its rules, if they are not compiled in.
    pub module: Option<(String, String)>,
    /// The modules that were kept of earlier or later versions of the rules, by which entries were
    /// decided: the game with the hash of each.
    pub kept: BTreeSet<String>,
    /// Whether its entries were recorded without digests, versions of rules and choices.
    pub is_without_proofs: bool,
    /// The first entry for which the rules have changed since.
    pub earlier: Option<Difference>,
    /// The first entry that was decided by rules that this program does not know yet.
    pub later: Option<i64>,
}

/// An entry that the rules of this program would decide differently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    pub position: i64,
    pub verb: String,
    /// The version of the rules under which it was decided.
    pub rules: u32,
    /// The recorded and the computed outcome, for people.
    pub reason: String,
}

impl Verified {
    /// The sources of its chance; `None` before the deal, and if its entries are gone.
    pub fn entropy(&self) -> Option<Entropy> {
        let is_dealt = self.entries > 0 && !self.is_result_only;
        is_dealt.then(|| Entropy::of(&self.contributions))
    }

    /// Why the match is not proven although nothing is wrong with it, each with the position from
    /// which on; empty if it is proven.
    pub(crate) fn gaps(&self) -> Vec<(Option<i64>, Problem)> {
        let mut gaps = Vec::new();
        let mut gap = |code: Code, position, reason: String| {
            gaps.push((position, code.because(reason)));
        };
        if self.is_result_only {
            let reason = "retention kept its result alone: nothing of it can be verified";
            gap(Code::ResultOnly, None, reason.to_owned());
            return gaps;
        }
        if let Some(game) = &self.unknown_game {
            let reason = match &self.module {
                None => format!("this program does not know the rules of {game:?}"),
                Some((_, module)) => {
                    format!(
                        "the module {module}, which has the rules of {game:?}, is not available"
                    )
                }
            };
            gap(Code::GameUnknown, None, reason);
        }
        if self.is_without_proofs {
            let reason = "it was recorded without digests and choices: nothing in it can be proven";
            gap(Code::NoProofs, Some(1), reason.to_owned());
        }
        if let Some(position) = self.later {
            let reason = "it was decided by a later version of the rules: use a newer release";
            gap(Code::RulesUnknown, Some(position), reason.to_owned());
        }
        if let Some(Difference { position, verb, rules, reason }) = &self.earlier {
            let reason = format!(
                "version {rules} of the rules decided {verb:?}, and these would decide it \
                 differently: {reason}"
            );
            gap(Code::RulesChanged, Some(*position), reason);
        }
        if !self.is_over {
            let reason = "it has not ended, or its end was cut off".to_owned();
            gap(Code::Unfinished, None, reason);
        }
        gaps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_has_sources_of_chance_once_it_is_dealt() {
        let verified =
            |entries, is_result_only| Verified { entries, is_result_only, ..Verified::default() };
        assert_eq!(verified(0, false).entropy(), None);
        assert_eq!(verified(1, false).entropy(), Some(Entropy::ServiceOnly));
        assert_eq!(verified(1, true).entropy(), None);
    }
}
