//! Verifies one match, from its lines or its rows, against what somebody knows about it.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use positions::{Digest, Recorded};
use rows::{MatchId, MatchRow, Seed, match_name};

use crate::blocks::Block;
use crate::code::{Code, Problem};
use crate::creation::Creation;
use crate::known::Known;
use crate::line::Checks;
use crate::outcome::{Finding, Outcome};
use crate::read::{Reading, begin, failed, no_match};
use crate::receipt::Receipt;
use crate::verify::Verifier;

/// Verifies the match of a block.
pub fn verify_block(block: &Block, known: &Known) -> Outcome {
    let mut outcome = Outcome::default();
    let verify = AssertUnwindSafe(|| lines(block, known, &mut outcome));
    if let Err(panic) = catch_unwind(verify) {
        outcome.add(None, None, failed(&*panic));
    }
    outcome
}

fn lines(block: &Block, known: &Known, outcome: &mut Outcome) {
    let mut checks = Checks::default();
    let mut reading: Option<Reading> = None;
    let mut last = block.line;
    for (number, text) in block.lines() {
        last = number;
        let Some(open) = &mut reading else {
            let begun = text.and_then(|text| begin(&mut checks, text));
            match begun {
                Ok(begun) => {
                    begun.name.clone_into(&mut outcome.name);
                    reading = Some(begun);
                }
                Err(problem) => return outcome.add(Some(number), None, problem),
            }
            continue;
        };
        let position = open.verified().entries + 1;
        let line = text.and_then(|text| checks.parse(text));
        match line.and_then(|line| open.take(line)) {
            Ok(ControlFlow::Continue((recorded, _))) => {
                compare(outcome, known, open.match_id(), &recorded, recorded.digest);
            }
            Ok(ControlFlow::Break(())) => {
                outcome.verified = open.verified().clone();
                return finish(outcome, open.match_id(), known);
            }
            Err(problem) => {
                return stop(outcome, open, Some(number), Some(position), problem, known);
            }
        }
    }
    let Some(reading) = &reading else { return outcome.add(Some(last), None, no_match()) };
    let problem = block.too_large().unwrap_or_else(|| reading.cut_off());
    let position = reading.verified().entries + 1;
    stop(outcome, reading, Some(last + 1), Some(position), problem, known);
}

/// Records a problem after which a match cannot be verified further.
fn stop(
    outcome: &mut Outcome,
    reading: &Reading,
    line: Option<usize>,
    position: Option<i64>,
    problem: Problem,
    known: &Known,
) {
    outcome.add(line, position, problem);
    outcome.verified = reading.verified().clone();
    for receipt in known.after(reading.match_id(), outcome.verified.entries) {
        let reason = "the record is not verified up to the entry of the receipt";
        outcome.contradict(receipt, Code::ReceiptDiffers.because(reason));
    }
}

/// Compares an entry with the receipts for it.
fn compare(
    outcome: &mut Outcome,
    known: &Known,
    match_id: MatchId,
    recorded: &Recorded,
    digest: Option<Digest>,
) {
    for receipt in known.at(match_id, recorded.position.0) {
        match receipt.compare(recorded, digest) {
            Ok(()) => {
                outcome.receipts.push(receipt.source.clone());
                outcome.anchored = recorded.position.0;
            }
            Err(problem) => outcome.contradict(receipt, problem),
        }
    }
}

/// Compares a whole match with what somebody knows about it, and tells what is not proven.
fn finish(outcome: &mut Outcome, match_id: MatchId, known: &Known) {
    let entries = outcome.verified.entries;
    for receipt in known.after(match_id, entries) {
        outcome.contradict(receipt, receipt.beyond(entries));
    }
    if known.commitment().is_some_and(|it| it != outcome.verified.seed_commitment) {
        let reason = "the record has another commitment than the one you were told";
        outcome.add(None, None, Code::CommitmentDiffers.because(reason));
    }
    for (&seat, bytes) in known.contributions() {
        let recorded = outcome.verified.contributions.iter().find(|it| u8::from(it.seat) == seat);
        let reason = match recorded {
            Some(recorded) if recorded.bytes == *bytes => continue,
            Some(_) => format!("the record has another contribution of seat {seat} than you gave"),
            None => format!("the record has no contribution of seat {seat}"),
        };
        outcome.add(None, Some(1), Code::ContributionDiffers.because(reason));
    }
    for (position, problem) in outcome.verified.gaps() {
        outcome.add(None, position, problem);
    }
}

/// Verifies a match as the store has it.
pub fn verify_rows(
    row: &MatchRow,
    seed: Option<Seed>,
    entries: &[Recorded],
    known: &Known,
) -> Outcome {
    let mut outcome = Outcome { name: match_name(row.match_id), ..Outcome::default() };
    let verify = AssertUnwindSafe(|| rows(row, seed, entries, known, &mut outcome));
    match catch_unwind(verify) {
        Ok(Ok(())) => {}
        Ok(Err((position, problem))) => outcome.add(None, position, problem),
        Err(panic) => outcome.add(None, None, failed(&*panic)),
    }
    outcome
}

fn rows(
    row: &MatchRow,
    seed: Option<Seed>,
    entries: &[Recorded],
    known: &Known,
    outcome: &mut Outcome,
) -> Result<(), (Option<i64>, Problem)> {
    // Retention empties all entries of a match in one statement.
    if entries.last().is_some_and(Recorded::is_stub) {
        outcome.verified.entries = entries.len() as i64;
        outcome.verified.is_result_only = true;
        outcome.verified.seed_commitment = row.terms.seed_commitment.to_vec();
        // Their digests are kept.
        for recorded in entries {
            compare(outcome, known, row.match_id, recorded, recorded.digest);
        }
        finish(outcome, row.match_id, known);
        return Ok(());
    }
    let game = games::rules_of(&row.game, row.terms.module());
    let verifier = Verifier::new(game, Creation::from(row), &row.seated, seed);
    let mut verifier = verifier.map_err(|problem| (None, problem))?;
    if seed.is_none() {
        let reason = "its seed is missing, which is there as long as its entries are";
        return Err((None, Code::SeedMissing.because(reason)));
    }
    for recorded in entries {
        let checked = if recorded.is_stub() {
            Err(Code::ContentMissing.because("what the entry says is gone"))
        } else {
            verifier.next(recorded, None)
        };
        match checked {
            Ok(checked) => compare(outcome, known, row.match_id, recorded, checked.digest),
            Err(problem) => {
                outcome.verified = verifier.finish();
                return Err((Some(recorded.position.0), problem));
            }
        }
    }
    let ended = verifier.check_end();
    outcome.verified = verifier.finish();
    ended.map_err(|problem| (Some(outcome.verified.entries + 1), problem))?;
    finish(outcome, row.match_id, known);
    Ok(())
}

impl Outcome {
    fn contradict(&mut self, receipt: &Receipt, problem: Problem) {
        self.wrong.push(Finding {
            name: match_name(receipt.match_id),
            position: Some(receipt.position),
            receipt: Some(receipt.source.clone()),
            ..Finding::of(problem)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rules that fail on a record that somebody forged must not end the program.
    #[test]
    fn a_panic_is_something_that_is_wrong_with_the_match() {
        let panics: [(&dyn Fn(), &str); 3] = [
            (&|| panic!("seat {} is unknown", 7), "seat 7 is unknown"),
            (&|| panic!("no such seat"), "no such seat"),
            (&|| std::panic::panic_any(7), "a panic"),
        ];
        for (panics, says) in panics {
            let panic = catch_unwind(AssertUnwindSafe(panics)).expect_err("it panics");
            let problem = failed(&*panic);
            assert_eq!(problem.code, Code::ProgramFailed);
            assert_eq!(problem.reason, format!("this program failed on it: {says}"));
        }
    }
}
