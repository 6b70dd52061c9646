//! The outcome of `croupier verify`, in words.

use indicatif::HumanCount;
use records::{Differs, LISTED_MAX, Tally, Wrong};

use crate::print;

/// Everything that a person must know about the result "verified". `all` is for a whole
/// installation.
pub fn lines(tally: &Tally, all: bool) -> Vec<String> {
    let mut lines: Vec<String> = tally.wrong.iter().map(wrong_line).collect();
    lines.extend(more("wrong", tally.wrong_matches, tally.wrong.len()));
    let differs = |it: &Differs| {
        let (name, first) = (&it.name, &it.first);
        let rules = match first.rules {
            0 => "rules without a version".to_owned(),
            rules => format!("version {rules} of the rules"),
        };
        format!("earlier rules: {name}, position {} ({rules}): {}", first.position, first.reason)
    };
    let under_way = tally.differences_under_way.iter();
    lines.extend(under_way.map(|it| match all {
        true => format!("UNDER WAY, {}", differs(it)),
        false => differs(it),
    }));
    lines.extend(tally.differences.iter().map(differs));
    let mut prose = vec![headline(tally)];
    prose.extend(remarks(tally));
    if tally.matches > 0 {
        prose.push(chance(tally));
        prose.extend(meaning(tally));
    }
    lines.extend(prose.iter().map(|it| print::wrap("", it)));
    lines
}

/// Why the command fails; `None` if it does not.
pub fn wrong(tally: &Tally, all: bool) -> Option<String> {
    let differing = tally.earlier_rules_under_way;
    match () {
        () if !tally.wrong.is_empty() => Some("something is wrong with the record".to_owned()),
        () if all && differing > 0 => Some(format!(
            "this release's rules would decide differently what was decided in {} under way",
            count(differing, "match", "matches")
        )),
        () => None,
    }
}

fn wrong_line(it: &Wrong) -> String {
    let places = [
        (!it.name.is_empty()).then(|| it.name.clone()),
        it.line.map(|line| format!("line {line}")),
        it.position.map(|position| format!("position {position}")),
        it.receipt.as_ref().map(|receipt| format!("receipt {receipt}")),
    ];
    let places: Vec<String> = places.into_iter().flatten().collect();
    format!("WRONG: {}: {}", places.join(", "), it.reason)
}

fn more(kind: &str, count: u64, listed: usize) -> Option<String> {
    (count > LISTED_MAX as u64)
        .then(|| format!("{kind}: {} matches, of which {listed} are listed", HumanCount(count)))
}

fn headline(tally: &Tally) -> String {
    let Tally { matches, entries, choices, verified, wrong_matches, .. } = *tally;
    let verified = match () {
        () if matches == 0 => "there is nothing to verify".to_owned(),
        () if verified == matches && tally.wrong.is_empty() => "all verified".to_owned(),
        () => format!("{} verified, {} wrong", HumanCount(verified), HumanCount(wrong_matches)),
    };
    format!(
        "{}, {}, {}: {verified}.",
        count(matches, "match", "matches"),
        count(entries, "entry", "entries"),
        count(choices, "random choice", "random choices"),
    )
}

/// Remarks on matches that are not fully verified or have not ended.
fn remarks(tally: &Tally) -> Vec<String> {
    let receipts = tally.receipts.len() as u64;
    let matches = |number| count(number, "match", "matches");
    let remarks = [
        (
            tally.under_way,
            format!("{} not over: verified as far as it goes.", matches(tally.under_way)),
        ),
        (
            tally.earlier_rules,
            format!(
                "{} decided in part by earlier rules, which these would decide differently: \
                 everything but those decisions is verified.",
                matches(tally.earlier_rules)
            ),
        ),
        (
            tally.later_rules,
            format!(
                "{} decided in part by rules that this release does not know: everything but those \
                 decisions is verified. Use a newer release.",
                matches(tally.later_rules)
            ),
        ),
        (
            tally.without_seed,
            format!(
                "{} without a seed, since it is not revealed: neither digests nor where the \
                 choices come from can be verified yet.",
                matches(tally.without_seed)
            ),
        ),
        (
            tally.results_only,
            format!(
                "{} of which only the result is kept: nothing of them can be verified.",
                matches(tally.results_only)
            ),
        ),
        (
            tally.without_digest,
            format!(
                "{} without a digest, of a release that knew none: nothing shows whether times and \
                 request ids of these were changed.",
                count(tally.without_digest, "entry", "entries")
            ),
        ),
        (
            receipts,
            format!("{} with the record.", count(receipts, "receipt agrees", "receipts agree")),
        ),
    ];
    remarks.into_iter().filter(|(number, _)| *number > 0).map(|(_, text)| text).collect()
}

fn chance(tally: &Tally) -> String {
    let alone = tally.matches - tally.results_only - tally.shared;
    match (tally.shared, alone) {
        (0, _) => "Chance came from the service alone: no seat contributed to it.".to_owned(),
        (shared, 0) => format!("Chance was shared by the seats in {}.", all_of(shared)),
        (shared, alone) => format!(
            "Chance was shared by the seats in {} and came from the service alone in {}.",
            count(shared, "match", "matches"),
            HumanCount(alone)
        ),
    }
}

fn all_of(matches: u64) -> String {
    if matches == 1 { "the match".to_owned() } else { format!("all {}", HumanCount(matches)) }
}

fn meaning(tally: &Tally) -> Vec<String> {
    if tally.verified == 0 {
        return Vec::new();
    }
    let mut lines = vec![
        "Verified means: the seed is the one that the service committed itself to, every random \
         choice follows from it and from what the seats contributed, every digest follows from \
         what was recorded, and this release's rules lead from every action to exactly the \
         recorded events and prompts."
            .to_owned(),
    ];
    lines.push(
        "It does not say who the players are: their names, and when they took their seats, are in \
         no digest."
            .to_owned(),
    );
    if tally.receipts.is_empty() {
        lines.push(
            "Nor does it say that nothing was rewritten as a whole, or is missing at the end: only \
             a receipt or a digest that somebody kept shows that."
                .to_owned(),
        );
    }
    lines
}

fn count(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", HumanCount(number), if number == 1 { one } else { many })
}
