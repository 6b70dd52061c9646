//! The outcome of verification, for one match and for all together.

use serde::{Deserialize, Serialize};

use rows::match_name;

use crate::known::Known;
use crate::verify::{Difference, Verified};

/// The outcome of verifying one match.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// `matches/{match}`; empty if the lines do not name it.
    pub name: String,
    /// What was verified before the first error.
    pub verified: Verified,
    pub wrong: Vec<Wrong>,
    /// Whether retention removed its entries and kept its result, so nothing can be verified.
    pub is_result_only: bool,
    /// The receipts that agree with it, by their sources.
    pub receipts: Vec<String>,
}

/// Evidence that a match is not what the service recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wrong {
    /// `matches/{match}`; empty if it is not known.
    #[serde(rename = "match")]
    pub name: String,
    /// The line of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<i64>,
    /// The file of the receipt that shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<String>,
    pub reason: String,
}

/// A match in which this program's rules decide something differently than was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Differs {
    #[serde(rename = "match")]
    pub name: String,
    /// The first such entry.
    #[serde(flatten)]
    pub first: Difference,
}

/// The outcomes of many matches. Serialized, it is what `croupier verify --json` prints.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub matches: u64,
    pub entries: u64,
    pub choices: u64,
    /// Matches of which everything was verified.
    pub verified: u64,
    /// Matches that have not ended. They are verified as far as they go.
    pub under_way: u64,
    /// Matches to whose chance seats contributed. In the others it came from the service alone.
    pub shared: u64,
    /// Matches in which this program's rules decide something differently, because an earlier
    /// version of the rules decided it. They have no other errors.
    pub earlier_rules: u64,
    /// Those of them that have not ended.
    pub earlier_rules_under_way: u64,
    /// Matches decided in part by rules that this program does not know. Everything but the rules
    /// is verified.
    pub later_rules: u64,
    /// Matches whose seed is not revealed: neither digests nor choices are verified.
    pub without_seed: u64,
    /// Matches of which only the result is kept: nothing of them can be verified.
    pub results_only: u64,
    /// Entries recorded before digests existed.
    pub without_digest: u64,
    /// The receipts that agree with the record.
    pub receipts: Vec<String>,
    pub wrong_matches: u64,
    /// The first [`LISTED_MAX`].
    pub wrong: Vec<Wrong>,
    /// The first [`LISTED_MAX`] matches of `earlier_rules` that have ended.
    pub differences: Vec<Differs>,
    /// The first [`LISTED_MAX`] matches of `earlier_rules_under_way`.
    pub differences_under_way: Vec<Differs>,
}

/// The maximum number listed of each kind.
pub const LISTED_MAX: usize = 1000;

impl Outcome {
    pub fn add(&mut self, line: Option<usize>, position: Option<i64>, reason: String) {
        let name = self.name.clone();
        self.wrong.push(Wrong { name, line, position, receipt: None, reason });
    }
}

impl Tally {
    pub fn add(&mut self, it: &Outcome) {
        let Verified { entries, choices, is_over, has_seed, .. } = it.verified;
        self.matches += 1;
        if it.is_result_only {
            self.results_only += 1;
            self.receipts.extend(it.receipts.iter().cloned());
            self.wrong_matches += u64::from(!it.wrong.is_empty());
            self.list(&it.wrong);
            return;
        }
        self.entries += entries.unsigned_abs();
        self.choices += choices;
        self.under_way += u64::from(!is_over);
        self.shared += u64::from(!it.verified.contributions.is_empty());
        self.without_seed += u64::from(!has_seed);
        self.without_digest += it.verified.without_digest.unsigned_abs();
        self.receipts.extend(it.receipts.iter().cloned());
        self.later_rules += u64::from(it.verified.later.is_some());
        if !it.wrong.is_empty() {
            self.wrong_matches += 1;
            self.list(&it.wrong);
            return;
        }
        if let Some(first) = &it.verified.earlier {
            self.earlier_rules += 1;
            self.earlier_rules_under_way += u64::from(!is_over);
            let list =
                if is_over { &mut self.differences } else { &mut self.differences_under_way };
            if list.len() < LISTED_MAX {
                list.push(Differs { name: it.name.clone(), first: first.clone() });
            }
        } else if has_seed && it.verified.later.is_none() && it.verified.without_digest == 0 {
            self.verified += 1;
        }
    }

    /// Refuses receipts that belong to none of the matches. Call it after the last match.
    pub fn close(&mut self, known: &Known) {
        for receipt in known.receipts() {
            let is_it = |source: &String| *source == receipt.source;
            let contradicts = self.wrong.iter().filter_map(|it| it.receipt.as_ref()).any(is_it);
            if !contradicts && !self.receipts.iter().any(is_it) {
                let name = match_name(receipt.match_id);
                let reason = format!("the receipt is for another match: {name} is not here");
                let (receipt, position) = (Some(receipt.source.clone()), Some(receipt.position));
                self.list(&[Wrong { name, position, receipt, reason, ..Wrong::default() }]);
            }
        }
    }

    /// Adds errors outside of matches.
    pub fn list(&mut self, wrong: &[Wrong]) {
        let room = LISTED_MAX.saturating_sub(self.wrong.len());
        self.wrong.extend(wrong.iter().take(room).cloned());
    }
}
