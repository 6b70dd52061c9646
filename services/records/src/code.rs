//! The three answers of a verification, and the codes of their reasons, as `docs/verify.md` lists
//! them. Every verifier uses the same codes: `tests/vectors/cases.json` has cases with the expected
//! ones.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The answer about a match, or about several together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Answer {
    /// Everything that a record can show was verified.
    Proven,
    /// Nothing is known to be wrong, but not everything was verified: a [`Code`] says why.
    NotProven,
    /// The service cannot have recorded this, or it contradicts what somebody kept.
    Wrong,
}

/// Why a record is wrong, or not proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Code {
    // === The record is not proven ===
    /// The file is of a later version of the format.
    VersionUnknown,
    /// There is no match in the file.
    NoMatch,
    /// The match is larger than [`MATCH_BYTES_MAX`](crate::MATCH_BYTES_MAX).
    TooLarge,
    /// Retention kept the result of the match and removed its entries.
    ResultOnly,
    /// This program does not know the game.
    GameUnknown,
    /// It was recorded without digests, versions of rules and choices.
    NoProofs,
    /// Some of it was decided by rules that this program does not know yet.
    RulesUnknown,
    /// Some of it was decided by earlier rules, and these would decide it differently.
    RulesChanged,
    /// The match has not ended.
    Unfinished,
    /// The service signed receipts for an entry with different digests, and not in one term.
    ReceiptTermsDiffer,
    /// The transparency log, or what was kept of it, does not have the match.
    LogMissing,

    // === The lines are wrong ===
    Empty,
    NotARecord,
    LineCut,
    LineTooLong,
    CheckMissing,
    CheckWrong,
    LineInvalid,
    LineMisplaced,
    MatchCut,
    PositionWrong,
    EndWrong,

    // === What the lines say is wrong ===
    EntryAfterEnd,
    TimeBackwards,
    BodyInvalid,
    BodyDiffers,
    SeatUnknown,
    SeedWrong,
    SeedMissing,
    EndMissing,
    ProofMissing,
    DigestWrong,
    ContributionInvalid,
    ChoiceInvalid,
    ChoiceWrong,
    /// Somebody else is named as a seat's player than the one that an entry commits to.
    PlayerDiffers,
    /// Only a verifier with the rules finds this.
    RulesBroken,

    // === It differs from what was kept or asked for ===
    OtherMatch,
    /// A record that had to be complete is of a match that has not ended.
    Incomplete,
    CommitmentDiffers,
    ContributionDiffers,
    ReceiptInvalid,
    ReceiptDiffers,
    ReceiptBeyondEnd,
    ReceiptOfOtherMatch,
    /// The service signed two receipts for an entry, in one term, with different digests.
    ReceiptsContradict,
    /// The transparency log says something else of the match.
    LogDiffers,
    /// A proof that the log has the match does not hold.
    LogProofInvalid,
    /// The log signed two checkpoints that are not of one history.
    LogContradicts,

    // === It cannot be read ===
    Unreadable,
    /// The content of an entry is gone from the database, and not by retention.
    ContentMissing,
    /// This program failed on it.
    ProgramFailed,
}

impl Code {
    /// The answer to which this reason leads: not proven, or wrong.
    pub fn answer(self) -> Answer {
        match self {
            Code::VersionUnknown
            | Code::NoMatch
            | Code::TooLarge
            | Code::ResultOnly
            | Code::GameUnknown
            | Code::NoProofs
            | Code::RulesUnknown
            | Code::RulesChanged
            | Code::Unfinished
            | Code::ReceiptTermsDiffer
            | Code::LogMissing => Answer::NotProven,
            Code::Empty
            | Code::NotARecord
            | Code::LineCut
            | Code::LineTooLong
            | Code::CheckMissing
            | Code::CheckWrong
            | Code::LineInvalid
            | Code::LineMisplaced
            | Code::MatchCut
            | Code::PositionWrong
            | Code::EndWrong
            | Code::EntryAfterEnd
            | Code::TimeBackwards
            | Code::BodyInvalid
            | Code::BodyDiffers
            | Code::SeatUnknown
            | Code::SeedWrong
            | Code::SeedMissing
            | Code::EndMissing
            | Code::ProofMissing
            | Code::DigestWrong
            | Code::ContributionInvalid
            | Code::ChoiceInvalid
            | Code::ChoiceWrong
            | Code::PlayerDiffers
            | Code::RulesBroken
            | Code::OtherMatch
            | Code::Incomplete
            | Code::CommitmentDiffers
            | Code::ContributionDiffers
            | Code::ReceiptInvalid
            | Code::ReceiptDiffers
            | Code::ReceiptBeyondEnd
            | Code::ReceiptOfOtherMatch
            | Code::ReceiptsContradict
            | Code::LogDiffers
            | Code::LogProofInvalid
            | Code::LogContradicts
            | Code::Unreadable
            | Code::ContentMissing
            | Code::ProgramFailed => Answer::Wrong,
        }
    }

    /// This code with a sentence for people. It may quote what a stranger wrote, so it is cut.
    pub(crate) fn because(self, reason: impl Into<String>) -> Problem {
        let mut reason = reason.into();
        if let Some((end, _)) = reason.char_indices().nth(REASON_CHARS_MAX) {
            reason.truncate(end);
            reason.push('…');
        }
        Problem { code: self, reason }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

const REASON_CHARS_MAX: usize = 1_000;

/// Why the verification of a match stops.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Problem {
    pub code: Code,
    /// For people.
    pub reason: String,
}

/// Fails with this reason unless the condition holds.
pub(crate) fn ensure(
    holds: bool,
    code: Code,
    reason: impl FnOnce() -> String,
) -> Result<(), Problem> {
    if holds { Ok(()) } else { Err(code.because(reason())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_shown_as_documents_write_it() {
        assert_eq!(Code::VersionUnknown.to_string(), "VERSION_UNKNOWN");
    }
}
