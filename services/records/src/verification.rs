//! The verification of a file that arrives in pieces, in memory that the limits of a match bound.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::blocks::Pieces;
use crate::check::verify_block;
use crate::code::Code;
use crate::known::Known;
use crate::line::LineError;
use crate::outcome::{Finding, Source, Tally};
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
}

/// A verification under way.
pub struct Verification {
    pieces: Pieces,
    source: Source<Tally>,
    known: Known,
    refused: Vec<Finding>,
    /// Why nothing after it is read.
    error: Option<LineError>,
}

impl Verification {
    /// Fails if the commitment, a contribution or the keys are not what they should be.
    pub fn new(kept: &Kept) -> Result<Verification, String> {
        let (known, refused) = kept.known()?;
        let source = match &kept.asked {
            Some(name) => Source::answer(Tally::default(), name, kept.may_be_unfinished),
            None => Source::file(Tally::default(), kept.source.as_deref().unwrap_or("record")),
        };
        Ok(Verification { pieces: Pieces::default(), source, known, refused, error: None })
    }

    /// Takes the next piece of the file.
    pub fn take(&mut self, piece: &[u8]) {
        if self.error.is_some() {
            return;
        }
        let Verification { pieces, source, known, error, .. } = self;
        *error = pieces.take(piece, |block| source.add(verify_block(&block, known))).err();
    }

    /// What was verified so far.
    pub fn tally(&self) -> &Tally {
        self.source.tally()
    }

    /// Ends the file.
    pub fn finish(self) -> Tally {
        let Verification { pieces, mut source, known, refused, error } = self;
        let read = match error {
            Some(error) => Err(error),
            None => pieces.end(|block| source.add(verify_block(&block, &known))),
        };
        let mut tally = source.end(read);
        tally.close(&known);
        tally.list(&refused);
        tally
    }
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
