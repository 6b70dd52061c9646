//! Verification of records: every digest, the commitment to the seed and every random choice, and
//! by the rules of this release every action. `docs/verify.md` of the service says what it proves,
//! and lists the [`Code`]s of what is wrong or not proven.

use std::io::Cursor;

use contract::names::match_id;
use records::Blocks;
pub use records::{
    Answer, Code, Finding, Keys, Known, LineError, Outcome, PlayerCounts, Problem, Receipt,
    Verified, unhex, verify_block,
};

use crate::croupier::Croupier;
use crate::match_handle::MatchHandle;
use crate::refusal::Refusal;

/// Why nothing was verified.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The service refused, such as a record that is not revealed yet.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A line is not one of a record.
    #[error("the record cannot be read")]
    Record(#[from] LineError),
    /// The keys are no JSON Web Key Set for Ed25519.
    #[error("the service publishes keys that cannot be read: {0}")]
    Keys(String),
    /// What was kept of a log is not what it should be.
    #[error("what was kept of the log cannot be used: {0}")]
    Kept(String),
}

/// Verifies a match of the service that has ended and is revealed, with what was kept from before
/// and during it. The match is what the service says if [`Outcome::answer`] is [`Answer::Proven`].
/// A record of a match that has not ended is wrong: the service tells none.
pub async fn verify_match(handle: &MatchHandle, known: &Known) -> Result<Outcome, VerifyError> {
    let outcomes = verify_record(&handle.record().await?, known)?;
    let is_one = outcomes.len() == 1;
    let mut outcome = outcomes.into_iter().next().unwrap_or_default();
    outcome.expect(handle.name(), false);
    if !is_one && outcome.wrong.is_empty() {
        let reason = "the service answered with several matches".to_owned();
        outcome.add(None, None, Problem { code: Code::OtherMatch, reason });
    }
    for receipt in known.receipts().filter(|it| match_id(handle.name()) != Ok(it.match_id.0)) {
        let reason = format!("{}: the receipt is for another match", receipt.source);
        let problem = Problem { code: Code::ReceiptOfOtherMatch, reason };
        outcome.add(None, Some(receipt.position), problem);
    }
    Ok(outcome)
}

/// Verifies the matches in the text of a file of records.
pub fn verify_record(record: &str, known: &Known) -> Result<Vec<Outcome>, LineError> {
    let mut blocks = Blocks::new(Cursor::new(record))?;
    let mut outcomes = Vec::new();
    while let Some(block) = blocks.read()? {
        outcomes.push(verify_block(&block, known));
    }
    Ok(outcomes)
}

/// The keys with which the service signs receipts.
pub async fn fetch_keys(croupier: &Croupier) -> Result<Keys, VerifyError> {
    Keys::parse(&croupier.keys().await?).map_err(VerifyError::Keys)
}
