//! Data that somebody kept about matches, to compare with the record.

use std::collections::BTreeMap;

use rows::MatchId;

use crate::receipt::{Differs, Receipt};

/// Facts about matches that the record must confirm.
#[derive(Clone, Default)]
pub struct Known {
    /// By match and position.
    receipts: BTreeMap<MatchId, BTreeMap<i64, Vec<Receipt>>>,
    /// By seat.
    contributions: BTreeMap<u8, Vec<u8>>,
    /// The commitment as published before the match began.
    commitment: Option<Vec<u8>>,
}

impl Known {
    pub fn new(receipts: Vec<Receipt>, contributions: BTreeMap<u8, Vec<u8>>) -> Known {
        let mut known = Known { contributions, ..Known::default() };
        for receipt in receipts {
            let of_match = known.receipts.entry(receipt.match_id).or_default();
            of_match.entry(receipt.position).or_default().push(receipt);
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

    /// Every receipt.
    pub fn receipts(&self) -> impl Iterator<Item = &Receipt> {
        self.receipts.values().flat_map(BTreeMap::values).flatten()
    }

    /// For each entry with receipts that contradict each other: the first one that contradicts one
    /// before it, preferably of the same term.
    pub(crate) fn contradictions(&self) -> impl Iterator<Item = (&Receipt, Differs)> {
        self.receipts.values().flat_map(BTreeMap::values).filter_map(|of_entry| {
            let before = |nth: usize| of_entry[..nth].iter();
            let mut differing = of_entry.iter().enumerate().flat_map(|(nth, receipt)| {
                before(nth).filter_map(move |it| Some((receipt, receipt.differs(it)?)))
            });
            let first = differing.next()?;
            let in_one_term = |it: &(&Receipt, Differs)| it.1 == Differs::InOneTerm;
            Some(std::iter::once(first).chain(differing).find(in_one_term).unwrap_or(first))
        })
    }

    /// The receipts for an entry.
    pub(crate) fn at(&self, match_id: MatchId, position: i64) -> &[Receipt] {
        let of_match = self.receipts.get(&match_id);
        of_match.and_then(|it| it.get(&position)).map_or(&[], Vec::as_slice)
    }

    /// The receipts for entries of a match after a position.
    pub(crate) fn after(&self, match_id: MatchId, position: i64) -> impl Iterator<Item = &Receipt> {
        let of_match = self.receipts.get(&match_id);
        of_match.into_iter().flat_map(move |it| it.range(position + 1..)).flat_map(|(_, it)| it)
    }

    /// By seat.
    pub(crate) fn contributions(&self) -> &BTreeMap<u8, Vec<u8>> {
        &self.contributions
    }
}
