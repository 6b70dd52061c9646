//! The verification of a file that arrives in pieces, in memory that the limits of a match bound.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use tlog::Proof;

use crate::blocks::{Block, Pieces};
use crate::check::verify_block;
use crate::code::Code;
use crate::known::Known;
use crate::line::LineError;
use crate::logbook::Logbook;
use crate::outcome::{Finding, Outcome, Source, Tally};
use crate::receipt::{Keys, Receipt};
use crate::text::unhex;

/// What somebody kept about matches, as text.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Kept {
    /// The name of the file in findings.
    pub source: Option<String>,
    /// The match that a service was asked for, if the record is its answer.
    #[serde(rename = "match")]
    pub asked: Option<String>,
    /// With `asked`: whether the match may not have ended.
    pub may_be_unfinished: bool,
    /// The commitment that the service published before the match began, in hexadecimal.
    pub commitment: Option<String>,
    /// By seat, in hexadecimal.
    pub contributions: BTreeMap<u8, String>,
    /// As `GetReceipt` returns them, or the bare JWS.
    pub receipts: Vec<String>,
    /// The public keys for the receipts, a JSON Web Key Set.
    pub keys: Option<Value>,
    /// The verifier key of the transparency log, for the proofs that were kept, here and in answers
    /// of `GetReceipt`.
    pub log_key: Option<String>,
    /// Proofs that the log has matches, each a `tlog-proof`.
    pub proofs: Vec<String>,
    /// Those that were kept before one's own contribution to the chance of the match was sent.
    pub first_proofs: Vec<String>,
}

/// A verification under way.
pub struct Verification {
    pieces: Pieces,
    source: Source<Tally>,
    known: Known,
    log: Option<Logbook>,
    refused: Vec<Finding>,
    /// Why nothing after it is read.
    error: Option<LineError>,
}

impl Verification {
    /// Fails if the commitment, a contribution or the keys are not what they should be.
    pub fn new(kept: &Kept) -> Result<Verification, String> {
        let (known, refused) = kept.known()?;
        let log = kept.log(&known)?;
        let source = match &kept.asked {
            Some(name) => Source::answer(Tally::default(), name, kept.may_be_unfinished),
            None => Source::file(Tally::default(), kept.source.as_deref().unwrap_or("record")),
        };
        let pieces = Pieces::default();
        Ok(Verification { pieces, source, known, log, refused, error: None })
    }

    /// Takes the next piece of the file.
    pub fn take(&mut self, piece: &[u8]) {
        if self.error.is_some() {
            return;
        }
        let Verification { pieces, source, known, log, error, .. } = self;
        *error = pieces.take(piece, |block| source.add(verify(&block, known, log.as_mut()))).err();
    }

    /// What was verified so far.
    pub fn tally(&self) -> &Tally {
        self.source.tally()
    }

    /// Ends the file.
    pub fn finish(self) -> Tally {
        let Verification { pieces, mut source, known, mut log, refused, error } = self;
        let read = match error {
            Some(error) => Err(error),
            None => pieces.end(|block| source.add(verify(&block, &known, log.as_mut()))),
        };
        let mut tally = source.end(read);
        tally.log = log.map(Logbook::report);
        tally.close(&known);
        tally.list(&refused);
        tally
    }
}

fn verify(block: &Block, known: &Known, log: Option<&mut Logbook>) -> Outcome {
    let mut outcome = verify_block(block, known);
    if let Some(log) = log {
        log.compare_block(block, known, &mut outcome);
    }
    outcome
}

impl Kept {
    /// Compares the receipts with each other, without a record.
    pub fn compare_receipts(&self) -> Result<Tally, String> {
        let (known, refused) = self.known()?;
        let mut tally = Tally::default();
        tally.compare_receipts(&known);
        tally.list(&refused);
        Ok(tally)
    }

    /// The same with verified signatures, and why receipts are refused.
    fn known(&self) -> Result<(Known, Vec<Finding>), String> {
        let commitment = self.commitment.as_deref().map(commitment).transpose()?;
        let contributions = self.contributions.iter().map(|(&seat, text)| {
            let bytes =
                unhex(text).map_err(|error| format!("contribution of seat {seat}: {error}"));
            Ok((seat, bytes?))
        });
        let contributions = contributions.collect::<Result<BTreeMap<_, _>, String>>()?;
        let (receipts, refused) = self.receipts()?;
        Ok((Known::new(receipts, contributions).with_commitment(commitment), refused))
    }

    /// The proofs that were kept of the log, if its key was.
    fn log(&self, known: &Known) -> Result<Option<Logbook>, String> {
        let Some(key) = &self.log_key else { return Ok(None) };
        let key = key.trim().parse().map_err(|error| format!("the key of the log: {error}"))?;
        let mut log = Logbook::new(key, false);
        for (texts, came_first) in [(&self.proofs, false), (&self.first_proofs, true)] {
            for text in texts {
                let proof = Proof::parse(text).ok_or("a proof that was kept cannot be read")?;
                log.keep(proof, came_first);
            }
        }
        let of_receipts = known.receipts().flat_map(|it| &it.proofs);
        of_receipts.for_each(|proof| log.keep(proof.clone(), false));
        Ok(Some(log))
    }

    fn receipts(&self) -> Result<(Vec<Receipt>, Vec<Finding>), String> {
        let (mut receipts, mut refused) = (Vec::new(), Vec::new());
        if self.receipts.is_empty() {
            return Ok((receipts, refused));
        }
        let keys =
            self.keys.as_ref().ok_or("receipts are verified with keys, and there are none")?;
        let keys =
            Keys::parse(&keys.to_string()).map_err(|reason| format!("the keys: {reason}"))?;
        for (number, text) in (1..).zip(&self.receipts) {
            let source = format!("receipt {number}");
            match keys.verify(text, &source) {
                Ok(receipt) => receipts.push(receipt),
                Err(reason) => {
                    refused.push(Finding::of_source(&source, Code::ReceiptInvalid, reason));
                }
            }
        }
        Ok((receipts, refused))
    }
}

/// A commitment in hexadecimal.
pub fn commitment(text: &str) -> Result<Vec<u8>, String> {
    let bytes = unhex(text).ok().filter(|bytes| bytes.len() == 32);
    bytes.ok_or_else(|| "a commitment is 64 hexadecimal digits".to_owned())
}
