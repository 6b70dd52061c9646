//! Data that somebody kept about matches, to compare with the record.

use std::collections::BTreeMap;

use rows::MatchId;

use crate::receipt::Receipt;

/// Facts about matches that the record must confirm.
#[derive(Default)]
pub struct Known {
    receipts: BTreeMap<MatchId, Vec<Receipt>>,
    /// By seat.
    contributions: BTreeMap<u8, Vec<u8>>,
    /// The commitment as published before the match began.
    commitment: Option<Vec<u8>>,
}

impl Known {
    pub fn new(receipts: Vec<Receipt>, contributions: BTreeMap<u8, Vec<u8>>) -> Known {
        let mut known = Known { contributions, ..Known::default() };
        for receipt in receipts {
            known.receipts.entry(receipt.match_id).or_default().push(receipt);
        }
        known
    }

    /// Adds the commitment to the seed that the service published before the match began.
    pub fn with_commitment(self, commitment: Option<Vec<u8>>) -> Known {
        Known { commitment, ..self }
    }

    pub(crate) fn commitment(&self) -> Option<&[u8]> {
        self.commitment.as_deref()
    }

    /// Every receipt, in any order.
    pub fn receipts(&self) -> impl Iterator<Item = &Receipt> {
        self.receipts.values().flatten()
    }

    pub(crate) fn of(&self, match_id: MatchId) -> &[Receipt] {
        self.receipts.get(&match_id).map_or(&[], Vec::as_slice)
    }

    /// By seat.
    pub(crate) fn contributions(&self) -> &BTreeMap<u8, Vec<u8>> {
        &self.contributions
    }
}
