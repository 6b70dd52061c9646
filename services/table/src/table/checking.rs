//! Comparisons and checks of tables, for taking back and for the invariants.

use super::fold::{Table, UNSEEN};
use crate::{CoinId, Piece, PlaceId, Prompt, Small, Viewers};

impl Table {
    /// The viewers who were shown each piece in a place that they do not see.
    pub(crate) fn shown(&self) -> &[(Piece, Viewers)] {
        &self.shown
    }

    /// Whether it equals another table of the match, except for the ages of prompts, votes, and the
    /// counts of talk and choices.
    pub(crate) fn is_as(&self, other: &Table) -> bool {
        let ageless = |prompts: &[Prompt]| prompts.iter().map(|prompt| prompt.ageless()).collect();
        let comparable = Table {
            prompts: ageless(&self.prompts),
            asides: other.asides,
            votes: other.votes.clone(),
            choices: other.choices,
            ..self.clone()
        };
        comparable == Table { prompts: ageless(&other.prompts), ..other.clone() }
    }

    /// This table without standing answers.
    pub(crate) fn with_nobody_standing(&self) -> Table {
        Table { standing: Vec::new(), ..self.clone() }
    }
}

// === For the invariants ===

impl Table {
    /// By coin: its sum over the table, which must be 0.
    pub(crate) fn balance(&self) -> Vec<i32> {
        let mut sums = vec![0; self.layout.coins().len()];
        for (purse, &amount) in self.layout.purses().iter().zip(&self.coins) {
            sums[self.layout.coins.row(purse.coin)] += amount;
        }
        sums
    }
    /// A purse below 0 that is not a bank.
    pub(crate) fn overdrawn(&self) -> Option<(PlaceId, CoinId)> {
        let mut purses = self.layout.purses().iter().zip(&self.coins);
        let (purse, _) = purses.find(|(purse, amount)| **amount < 0 && !purse.is_bank)?;
        Some((purse.place, purse.coin))
    }
    /// The number of open offers, and of what they offer.
    pub(crate) fn offered(&self) -> usize {
        self.offers.iter().map(|it| 1 + it.give.len() + it.take.len()).sum()
    }
    pub(crate) fn piece_count(&self) -> usize {
        let unseen: usize = self.unseen.iter().map(|it| usize::from(it.2)).sum();
        self.at.iter().filter(|&&at| at != UNSEEN).count() + unseen
    }
    /// The house's table with two pieces swapped. A viewer who sees neither cannot distinguish the
    /// two tables if the pieces are [`alike`](Layout::alike).
    pub(crate) fn swapped(&self, p: Piece, q: Piece) -> Table {
        let mut other = self.clone();
        other.detach();
        // Every field is named, so that a new one does not compile until its pieces are swapped.
        let Table {
            at,
            shown,
            // The house sees every piece, and names a piece in an offer only if everyone may know.
            unseen: _,
            offers: _,
            layout: _,
            viewer: _,
            seats: _,
            coins: _,
            marks: _,
            round: _,
            phase: _,
            turn: _,
            prompts: _,
            scores: _,
            score_parts: _,
            resigned: _,
            standing: _,
            asides: _,
            votes: _,
            is_paused: _,
            contributions: _,
            choices: _,
            winners: _,
            attachment: _,
        } = &mut other;

        at.swap(p.index(), q.index());
        for (piece, _) in shown.iter_mut() {
            *piece = match *piece {
                it if it == p => q,
                it if it == q => p,
                it => it,
            };
        }
        shown.sort_unstable_by_key(|(piece, _)| *piece);
        other
    }
}
