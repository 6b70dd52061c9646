//! Verifies one match, from its lines or its rows, against what somebody knows about it.

use std::any::Any;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use positions::{Digest, Recorded};
use rows::{MatchId, MatchRow, Seed, match_name};

use crate::blocks::{BLOCK_MAX, Block};
use crate::creation::Creation;
use crate::known::Known;
use crate::line::{Checks, Line};
use crate::outcome::{Outcome, Wrong};
use crate::read::{NO_MATCH, Reading};
use crate::receipt::Receipt;
use crate::verify::Verifier;

/// Verifies the match of a block.
pub fn verify_block(block: &Block, known: &Known) -> Outcome {
    let mut outcome = Outcome::default();
    let verify = AssertUnwindSafe(|| lines(block, known, &mut outcome));
    if let Err(panic) = catch_unwind(verify) {
        outcome.fail(&*panic);
    }
    outcome
}

fn lines(block: &Block, known: &Known, outcome: &mut Outcome) {
    let mut checks = Checks::default();
    let mut reading: Option<Reading> = None;
    let mut last = block.line;
    for (number, text) in block.lines() {
        last = number;
        let position = reading.as_ref().map(|it| it.verified().entries + 1);
        let line = match text.and_then(|text| checks.parse(text)) {
            Ok(line) => line,
            Err(reason) => return stop(outcome, reading, Some(number), position, reason, known),
        };
        let Some(open) = &mut reading else {
            let begun = match line {
                Line::Match(head) => {
                    head.name.clone_into(&mut outcome.name);
                    Reading::begin(*head)
                }
                Line::Croupier(_) | Line::Entry(_) | Line::End(_) => Err(NO_MATCH.to_owned()),
            };
            match begun {
                Ok(begun) => reading = Some(begun),
                Err(reason) => return outcome.add(Some(number), None, reason),
            }
            continue;
        };
        match open.take(line) {
            Ok(ControlFlow::Continue((recorded, _))) => {
                let match_id = open.match_id();
                compare(outcome, known.of(match_id), &recorded, recorded.digest);
            }
            Ok(ControlFlow::Break(())) => {
                outcome.verified = open.verified().clone();
                return finish(outcome, open.match_id(), known);
            }
            Err(reason) => return stop(outcome, reading, Some(number), position, reason, known),
        }
    }
    let cut_off = reading.as_ref().map_or_else(|| NO_MATCH.to_owned(), Reading::cut_off);
    let reason = if block.is_cut {
        format!("the match has more than {} MB", BLOCK_MAX >> 20)
    } else {
        cut_off
    };
    let position = reading.as_ref().map(|it| it.verified().entries + 1);
    stop(outcome, reading, Some(last + 1), position, reason, known);
}

/// Records an error after which a match cannot be verified further.
fn stop(
    outcome: &mut Outcome,
    reading: Option<Reading>,
    line: Option<usize>,
    position: Option<i64>,
    reason: String,
    known: &Known,
) {
    outcome.add(line, position, reason);
    let Some(reading) = reading else { return };
    outcome.verified = reading.verified().clone();
    let entries = outcome.verified.entries;
    for receipt in known.of(reading.match_id()).iter().filter(|it| it.position > entries) {
        let reason = "the record is wrong before the entry of the receipt".to_owned();
        outcome.contradict(receipt, reason);
    }
}

/// Compares an entry with the receipts for it.
fn compare(
    outcome: &mut Outcome,
    receipts: &[Receipt],
    recorded: &Recorded,
    digest: Option<Digest>,
) {
    for receipt in receipts.iter().filter(|it| it.position == recorded.position.0) {
        match receipt.compare(recorded, digest) {
            Ok(()) => outcome.receipts.push(receipt.source.clone()),
            Err(reason) => outcome.contradict(receipt, reason),
        }
    }
}

/// Compares a whole match with what somebody knows about it.
fn finish(outcome: &mut Outcome, match_id: MatchId, known: &Known) {
    let entries = outcome.verified.entries;
    for receipt in known.of(match_id).iter().filter(|it| it.position > entries) {
        outcome.contradict(receipt, receipt.beyond(entries));
    }
    if known.commitment().is_some_and(|it| it != outcome.verified.seed_commitment) {
        let reason = "the record has another commitment than the one you were told".to_owned();
        outcome.add(None, None, reason);
    }
    for (&seat, bytes) in known.contributions() {
        let recorded = outcome.verified.contributions.iter().find(|it| u8::from(it.seat) == seat);
        let reason = match recorded {
            Some(recorded) if recorded.bytes == *bytes => continue,
            Some(_) => format!("the record has another contribution of seat {seat} than you gave"),
            None => format!("the record has no contribution of seat {seat}"),
        };
        outcome.add(None, Some(1), reason);
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
        Ok(Err((position, reason))) => outcome.add(None, position, reason),
        Err(panic) => outcome.fail(&*panic),
    }
    outcome
}

fn rows(
    row: &MatchRow,
    seed: Option<Seed>,
    entries: &[Recorded],
    known: &Known,
    outcome: &mut Outcome,
) -> Result<(), (Option<i64>, String)> {
    // Retention empties all entries of a match in one statement.
    if entries.last().is_some_and(Recorded::is_stub) {
        outcome.is_result_only = true;
        outcome.verified.entries = entries.len() as i64;
        // Their digests are kept.
        for recorded in entries {
            compare(outcome, known.of(row.match_id), recorded, recorded.digest);
        }
        finish(outcome, row.match_id, known);
        return Ok(());
    }
    let game = games::find(&row.game)
        .ok_or_else(|| (None, format!("this program does not know the game {:?}", row.game)))?;
    let mut verifier =
        Verifier::new(game, Creation::from(row), seed).map_err(|reason| (None, reason))?;
    for recorded in entries {
        if recorded.is_stub() {
            outcome.verified = verifier.finish();
            return Err((Some(recorded.position.0), "what the entry says is gone".to_owned()));
        }
        match verifier.next(recorded) {
            Ok(checked) => compare(outcome, known.of(row.match_id), recorded, checked.digest),
            Err(reason) => {
                outcome.verified = verifier.finish();
                return Err((Some(recorded.position.0), reason));
            }
        }
    }
    outcome.verified = verifier.finish();
    finish(outcome, row.match_id, known);
    Ok(())
}

impl Outcome {
    fn fail(&mut self, panic: &(dyn Any + Send)) {
        self.add(None, None, format!("this program failed on it: {}", message(panic)));
    }

    fn contradict(&mut self, receipt: &Receipt, reason: String) {
        self.wrong.push(Wrong {
            name: match_name(receipt.match_id),
            line: None,
            position: Some(receipt.position),
            receipt: Some(receipt.source.clone()),
            reason,
        });
    }
}

/// The message of a panic.
fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic")
}
