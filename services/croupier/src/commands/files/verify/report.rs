//! The outcome of `croupier verify`, in words.

use indicatif::HumanCount;
use records::{Answer, Code, Finding, LISTED_MAX, Tally};

use crate::failure::Failure;
use crate::print::{self, count};

/// Everything that a person must know about the answer. `all` is for a whole installation,
/// `of_receipts` for receipts without a record.
pub fn lines(tally: &Tally, all: bool, of_receipts: bool) -> Vec<String> {
    let mut lines: Vec<String> = tally.wrong.iter().map(|it| finding("WRONG", it)).collect();
    lines.extend(more("wrong", tally.wrong_matches, tally.wrong.len()));
    // Of a whole installation, some matches are always under way.
    let unproven = tally.unproven.iter().filter(|it| !(all && it.code == Code::Unfinished));
    lines.extend(unproven.map(|it| finding("not proven", it)));
    lines.extend(more("not proven", tally.not_proven, tally.unproven.len()));
    if of_receipts {
        let alike = tally.wrong.is_empty() && tally.unproven.is_empty();
        let said = if alike { "The receipts do not contradict each other. " } else { "" };
        let said = format!("{said}Receipts alone prove nothing about a record.");
        lines.push(print::wrap("", &said));
        return lines;
    }
    let mut prose = vec![headline(tally)];
    prose.extend(modules(tally));
    prose.extend(remarks(tally));
    prose.extend(chance(tally));
    prose.extend(players(tally));
    prose.extend(meaning(tally));
    lines.extend(prose.iter().map(|it| print::wrap("", it)));
    lines
}

/// How the command ends: it fails unless everything is proven. Matches under way are no failure of
/// a whole installation, and neither is that there are no matches.
pub fn end(tally: &Tally, all: bool) -> Result<(), Failure> {
    let differing = tally.unfinished_with_changed_rules;
    match tally.answer() {
        Answer::Wrong => Err(Failure::Negative("something is wrong with the record".to_owned())),
        _ if all && differing > 0 => Err(Failure::Negative(format!(
            "this release's rules would decide differently what was decided in {} under way",
            count(differing, "match", "matches")
        ))),
        Answer::NotProven if !(all && is_only_under_way(tally)) => {
            Err(Failure::NotProven("not everything is proven".to_owned()))
        }
        Answer::NotProven | Answer::Proven => Ok(()),
    }
}

fn is_only_under_way(tally: &Tally) -> bool {
    tally.unproven_counts.keys().all(|code| *code == Code::Unfinished)
}

fn finding(kind: &str, it: &Finding) -> String {
    let is_named_twice = it.source.as_ref().is_some_and(|source| *source == it.name);
    let places = [
        it.source.clone().filter(|_| !is_named_twice),
        it.line.map(|line| format!("line {line}")),
        (!it.name.is_empty()).then(|| it.name.clone()),
        it.position.map(|position| format!("position {position}")),
        it.receipt.as_ref().map(|receipt| format!("receipt {receipt}")),
    ];
    let places: Vec<String> = places.into_iter().flatten().collect();
    format!("{kind}: {}: {} [{}]", places.join(", "), it.reason, it.code)
}

fn more(kind: &str, count: u64, listed: usize) -> Option<String> {
    (count > LISTED_MAX as u64)
        .then(|| format!("{kind}: {} matches, of which {listed} are listed", HumanCount(count)))
}

fn headline(tally: &Tally) -> String {
    let Tally { matches, entries, choices, proven, not_proven, wrong_matches, .. } = *tally;
    let answer = match () {
        () if matches == 0 => "there is nothing to verify".to_owned(),
        () if proven == matches && tally.wrong.is_empty() => "all proven".to_owned(),
        () => format!(
            "{} proven, {} not proven, {} wrong",
            HumanCount(proven),
            HumanCount(not_proven),
            HumanCount(wrong_matches)
        ),
    };
    format!(
        "{}, {}, {}: {answer}.",
        count(matches, "match", "matches"),
        count(entries, "entry", "entries"),
        count(choices, "random choice", "random choices"),
    )
}

/// Why matches are not proven, by reason.
fn remarks(tally: &Tally) -> Vec<String> {
    let mut remarks: Vec<String> = tally
        .unproven_counts
        .iter()
        .filter_map(|(code, number)| {
            let of = count(*number, "match", "matches");
            Some(match code {
                Code::Unfinished => format!("{of} under way: verified as far as they go."),
                Code::RulesChanged => format!(
                    "{of} decided in part by earlier rules, which these would decide differently: \
                     after the first such entry no action is decided again."
                ),
                Code::RulesUnknown | Code::GameUnknown => format!(
                    "{of} decided by rules that this release does not know: use a newer release."
                ),
                Code::NoProofs => format!("{of} recorded without digests and choices."),
                Code::ResultOnly => format!(
                    "{of} of which only the result is kept: nothing of them can be verified."
                ),
                Code::TooLarge => format!("{of} too large to be verified."),
                _ => return None,
            })
        })
        .collect();
    let receipts = tally.receipts.len() as u64;
    if receipts > 0 {
        let agree = count(receipts, "receipt agrees", "receipts agree");
        remarks.push(format!("{agree} with the record."));
    }
    remarks
}

/// By whose rules matches were played, if not by those of this program.
fn modules(tally: &Tally) -> impl Iterator<Item = String> {
    tally.modules.iter().map(|(module, number)| {
        let of = count(*number, "match", "matches");
        format!("{of} by the rules of the module {module}.")
    })
}

/// Where chance came from.
fn chance(tally: &Tally) -> Vec<String> {
    let Tally { shared, shared_unordered, service_only, .. } = *tally;
    let matches = |number| count(number, "match", "matches");
    let sentences = [
        (shared, format!("Chance was shared by the seats in {}.", matches(shared))),
        (
            shared_unordered,
            format!(
                "Chance was shared by the seats in {}, but the order is not proven: contributions \
                 came with the request that created the match, so the service may have chosen the \
                 seed to suit them.",
                matches(shared_unordered)
            ),
        ),
        (
            service_only,
            format!(
                "Chance came from the service alone in {}: no seat contributed to it.",
                matches(service_only)
            ),
        ),
    ];
    sentences.into_iter().filter(|(number, _)| *number > 0).map(|(_, text)| text).collect()
}

/// Who sat where.
fn players(tally: &Tally) -> Vec<String> {
    let Tally { players_proven, players_erased, players_not_covered, .. } = *tally;
    let players = |number| count(number, "player", "players");
    let sentences = [
        (
            players_proven,
            format!(
                "The entries commit to {} of seats, and the record names the same.",
                players(players_proven)
            ),
        ),
        (
            players_erased,
            format!(
                "{} erased since: who sat there cannot be verified any more.",
                players(players_erased)
            ),
        ),
        (
            players_not_covered,
            format!(
                "{} to whom no entry commits, as under earlier releases: who sat there is not \
                 covered.",
                players(players_not_covered)
            ),
        ),
    ];
    sentences.into_iter().filter(|(number, _)| *number > 0).map(|(_, text)| text).collect()
}

/// What a proof means, and what it leaves open.
fn meaning(tally: &Tally) -> Vec<String> {
    if tally.proven == 0 {
        return Vec::new();
    }
    let mut lines = vec![
        "Proven means: the seed is the one that the service committed itself to, every random \
         choice follows from it and from what the seats contributed, every digest follows from \
         what was recorded, and the rules lead from every action to exactly the recorded events and \
         prompts, up to the end of the match."
            .to_owned(),
    ];
    lines.push(
        "It does not say what the players are called: their display names, and when they took \
         their seats, are in no digest."
            .to_owned(),
    );
    let unanchored = tally.proven.saturating_sub(tally.anchored);
    if unanchored > 0 {
        lines.push(format!(
            "Nor does it say that nothing was rewritten as a whole: only a receipt for the last \
             entry shows that, and there is none for {}.",
            count(unanchored, "match", "matches")
        ));
    }
    lines
}
