//! Records that somebody changed who could compute checks, and in part digests.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use table::{Contribution, Event, Seat, Small};

use super::matches::{
    chance_of, changed, contributed, edited, headed, lines, name, short, stored, timed,
};
use super::{Cases, Expected, Piece, at, found, outside, pieces, proven, whole};
use crate::Code;
use crate::common::Played;

pub(super) fn add(cases: &mut Cases) {
    seeds_and_ends(cases);
    downgraded(cases);
    altered(cases);
    forged_bodies(cases);
    large_bodies(cases);
    contributions_out_of_place(cases);
    against_the_rules(cases);
}

/// The seed, the end, and the order of the entries.
fn seeds_and_ends(cases: &mut Cases) {
    let base = || short(2);
    let all = || lines(&base());
    let seed = hex::encode(base().seed);
    let mut other_seed = base();
    other_seed.seed[0] ^= 1;
    let other = hex::encode(other_seed.seed);
    cases.add("another seed", edited(all(), 1, &seed, &other), outside(Code::SeedWrong));
    other_seed.row.terms.seed_commitment = *blake3::hash(&other_seed.seed).as_bytes();
    let promised = headed(&base(), |head| {
        head.seed = Some(other.clone());
        head.seed_commitment = hex::encode(other_seed.row.terms.seed_commitment);
    });
    cases.add("another seed with its commitment", promised, at(1, Code::DigestWrong));
    other_seed.record();
    cases.add("another seed with all digests", lines(&other_seed), at(1, Code::ChoiceWrong));

    let unseeded = headed(&base(), |head| head.seed = None);
    cases.add("a match that ended, without its seed", unseeded, at(5, Code::SeedMissing));
    let secret = headed(&base(), |head| head.secret_seed = head.seed.take());
    cases.add("a match that ended, with a secret seed", secret, at(5, Code::SeedMissing));
    let both = headed(&base(), |head| head.secret_seed.clone_from(&head.seed));
    cases.add("a match with both seeds", both, outside(Code::LineInvalid));
    let cut = |reveals: bool| {
        let mut played = base();
        played.entries.pop();
        played.record();
        headed(&played, |head| {
            let seed = head.secret_seed.take();
            head.seed = seed.filter(|_| reveals);
        })
    };
    cases.add("a record that is cut, with its seed", cut(true), at(4, Code::EndMissing));
    cases.add("a record that is cut, without its seed", cut(false), whole(Code::Unfinished));
    let more = changed(base(), |entries| entries.push(entries[1].clone()));
    cases.add("an entry after the end of the match", lines(&more), at(5, Code::EntryAfterEnd));
    let twice = changed(base(), |entries| entries.push(entries[3].clone()));
    cases.add("a match that ends twice", lines(&twice), at(5, Code::EntryAfterEnd));
    cases.add(
        "an entry before the one before",
        lines(&timed(base(), 3, -8)),
        at(3, Code::TimeBackwards),
    );
    let mut early = base();
    early.row.create_time += time::Duration::seconds(1);
    early.record();
    cases.add("an entry before the creation", lines(&early), at(1, Code::TimeBackwards));
}

/// Entries without digests, versions of rules or choices.
fn downgraded(cases: &mut Cases) {
    let base = || short(2);
    let mut undigested = base();
    undigested.recorded[2].digest = None;
    cases.add("an entry without its digest", lines(&undigested), at(3, Code::ProofMissing));
    undigested.recorded.iter_mut().for_each(|it| it.digest = None);
    cases.add("a match without digests", lines(&undigested), at(1, Code::ProofMissing));
    let downgraded = |from: usize, keeps_choices: bool| {
        changed(base(), |entries| {
            for entry in &mut entries[from..] {
                entry.rules = 0;
                if !keeps_choices {
                    entry.choices.clear();
                }
            }
        })
    };
    let missing = |position| at(position, Code::ProofMissing);
    cases.add("a match without rules and choices", lines(&downgraded(0, false)), missing(1));
    cases.add("a match without rules", lines(&downgraded(0, true)), missing(1));
    cases.add("entries without rules", lines(&downgraded(2, false)), missing(3));
    let mut bare = downgraded(0, false);
    bare.recorded.iter_mut().for_each(|it| it.digest = None);
    cases.add("contributions without proofs", lines(&bare), missing(1));
    let mut later = changed(downgraded(0, false), |entries| {
        entries[0].events.retain(|it| !matches!(it, Event::Contributed(_)));
    });
    later.recorded[..3].iter_mut().for_each(|it| it.digest = None);
    cases.add("proofs in a later entry", lines(&later), missing(4));
}

/// What digests and choices notice.
fn altered(cases: &mut Cases) {
    let base = || short(2);
    let all = || lines(&base());
    for (name, from, to) in [
        (
            "another time",
            "\"create_time\":\"1970-01-01T00:00:07Z\"",
            "\"create_time\":\"1970-01-01T00:00:08Z\"",
        ),
        ("another request id", "\"request_id\":\"request-2\"", "\"request_id\":\"request-3\""),
        ("an empty request id", "\"request_id\":\"request-2\"", "\"request_id\":\"\""),
        ("no request id", "\"request_id\":\"request-2\",", ""),
        ("another digest", "\"digest\":\"", "\"digest\":\"00000000\",\"other\":\""),
    ] {
        if name == "another digest" {
            let mut other = base();
            other.recorded[1].digest = Some([7; 32].into());
            cases.add(name, lines(&other), at(2, Code::DigestWrong));
        } else {
            cases.add(name, edited(all(), 3, from, to), at(2, Code::DigestWrong));
        }
    }
    let mut swapped = base();
    swapped.recorded[1].body = base().recorded[2].body.clone();
    swapped.entries[1] = base().entries[2].clone();
    cases.add("the body of another entry", lines(&swapped), at(2, Code::DigestWrong));
    for (name, from, to) in [
        ("another platform", "\"platform\":\"acme\"", "\"platform\":\"rival\""),
        ("another option", "\"options\":{}", "\"options\":{\"talk\":\"on\"}"),
        ("another wait for the reveal", "\"reveal_wait_s\":0", "\"reveal_wait_s\":60"),
        ("no reveal", "\"reveal_wait_s\":0", "\"reveal_wait_s\":null"),
        ("three seats", "\"seats\":2", "\"seats\":3"),
    ] {
        cases.add(name, edited(all(), 1, from, to), at(1, Code::DigestWrong));
    }
    let players = edited(all(), 1, "\"player\":\"player 0\"", "\"player\":\"eve\"");
    cases.add("another player, whom no digest covers", players, proven());

    // The seventh choice draws the first card.
    let other_choice = changed(base(), |entries| {
        let choice = &mut entries[0].choices[6];
        choice.value = (choice.value + 1) % choice.bound;
    });
    cases.add("another choice", lines(&other_choice), at(1, Code::ChoiceWrong));
    let unseeded = headed(&other_choice, |head| head.seed = None);
    let case = cases.add("another choice, without the seed", unseeded, at(1, Code::RulesBroken));
    case.without_rules = Some(at(5, Code::SeedMissing));
    // The seed gives the same value below the next bound.
    let other_bound = changed(base(), |entries| entries[0].choices[0].bound += 1);
    let case =
        cases.add("a choice with another bound", lines(&other_bound), at(1, Code::RulesBroken));
    case.without_rules = Some(proven());
}

/// Stored entries that are not what the service writes, with right digests.
fn forged_bodies(cases: &mut Cases) {
    let mut add = |name: &str, position: usize, change: &dyn Fn(Vec<u8>) -> Vec<u8>, code: Code| {
        let played = stored(short(2), position, change);
        cases.add(name, lines(&played), at(position as i64, code));
    };
    let with = |more: &'static [u8]| move |body: Vec<u8>| [&body[..], more].concat();
    let invalid = Code::BodyInvalid;
    add("a body with an unknown field", 2, &with(&[0x40, 0x01]), invalid);
    add("a body with a field twice", 2, &with(&[0x30, 0x01]), invalid);
    add("a body that is cut", 2, &|body| body[..body.len() - 1].to_vec(), invalid);
    add("an empty body", 2, &|_| Vec::new(), Code::BodyDiffers);
    add("a body with fields out of order", 2, &|body| [&[0x30, 0x01], &body[..]].concat(), invalid);
    add("a body with a fixed field", 2, &with(&[0x0d, 0, 0, 0, 0]), invalid);
    add("a body with a group", 2, &with(&[0x3b, 0x3c]), invalid);
    add(
        "a body with a number that is too long",
        2,
        &|body| {
            let rules = body.iter().rposition(|&it| it == 0x30).expect("a version");
            [&body[..rules], &[0x30, 0x81, 0x00], &body[rules + 2..]].concat()
        },
        invalid,
    );
    add(
        "a body with a number of eleven bytes",
        2,
        &with(&[0x3a, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01]),
        invalid,
    );
    add(
        "a body with a version that is too large",
        2,
        &|body| {
            let rules = body.iter().rposition(|&it| it == 0x30).expect("a version");
            [&body[..rules], &[0x30, 0x80, 0x80, 0x80, 0x80, 0x10], &body[rules + 2..]].concat()
        },
        invalid,
    );
    add(
        "a body with a version of 0",
        4,
        &|body| {
            let rules = body.iter().rposition(|&it| it == 0x30).expect("a version");
            [&body[..rules], &[0x30, 0x00], &body[rules + 2..]].concat()
        },
        invalid,
    );
    let before_rules = |body: &[u8], event: &[u8]| {
        let at = body
            .iter()
            .position(|&it| it == 0x22)
            .unwrap_or_else(|| body.iter().rposition(|&it| it == 0x30).expect("a version"));
        [&body[..at], event, &body[at..]].concat()
    };
    add("an event of no kind", 2, &|body| before_rules(&body, &[0x22, 0x00]), invalid);
    add(
        "an event of two kinds",
        2,
        &|body| before_rules(&body, &[0x22, 0x04, 0x40, 0x01, 0x48, 0x01]),
        invalid,
    );
    add("an event that is cut", 2, &|body| before_rules(&body, &[0x22, 0x02, 0x82, 0x01]), invalid);
    add(
        "a verb that is not UTF-8",
        1,
        &|body| {
            let mut body = body;
            body[2] = 0xff;
            body
        },
        invalid,
    );
    add("choices of odd number", 4, &with(&[0x3a, 0x01, 0x02]), invalid);
    add("no choices, written", 4, &with(&[0x3a, 0x00]), invalid);
    add("a choice below 0", 4, &with(&[0x3a, 0x02, 0x00, 0x00]), Code::ChoiceInvalid);
    add("a choice that is its bound", 4, &with(&[0x3a, 0x02, 0x05, 0x05]), Code::ChoiceInvalid);
    add(
        "a choice with a bound of 33 bits",
        4,
        &with(&[0x3a, 0x06, 0x80, 0x80, 0x80, 0x80, 0x10, 0x00]),
        Code::ChoiceInvalid,
    );
    add(
        "a seat that the match does not have",
        4,
        &|body| {
            let mut body = body;
            assert_eq!(body[..2], [0x08, 0x00]);
            body[1] = 0x02;
            body
        },
        Code::BodyDiffers,
    );
    // The same, where the line says so too.
    let mut third = short(2);
    third.entries[3].seat = Seat::nth(2);
    third.record();
    cases.add("a third seat of two", lines(&third), at(4, Code::SeatUnknown));
}

/// More than any entry has, written as a repetition.
fn large_bodies(cases: &mut Cases) {
    let open = "EgRvcGVu";
    let rules = "MAE=";
    for (name, before, fill, times, after) in [
        ("too many events", open, "IgJAASICQAEiAkAB", 3334, rules),
        ("too many prompts", open, "KgAqACoA", 334, rules),
        ("too many choices", "EgRvcGVuMAE6pJwB", "AQABAAEA", 3334, ""),
    ] {
        let body = [before, &fill.repeat(times), after].concat();
        let body = BASE64_STANDARD.decode(&body).expect("base64");
        let played = stored(short(2), 1, |_| body);
        let mut content = pieces(lines(&played));
        let line = &lines(&played)[2];
        let whole = fill.repeat(times);
        let (begin, rest) = line.split_once(&whole).expect("its body repeats");
        let (begin, rest) = (begin.to_owned(), rest.to_owned());
        content[2] = Piece::Filled { before: begin, fill, times, after: rest };
        cases.add_pieces(name, content, at(1, Code::BodyInvalid));
    }
}

fn contributions_out_of_place(cases: &mut Cases) {
    let mut add = |name: &str, played: Played, position: i64| {
        cases.add(name, lines(&played), at(position, Code::ContributionInvalid));
    };
    let given = |seat: usize, length: usize| Contribution {
        seat: Seat::nth(seat).expect("a low seat"),
        bytes: vec![7; length].into(),
        after_commitment: true,
    };
    let event = |seat, length| Event::Contributed(Box::new(given(seat, length)));
    let late = changed(short(2), |entries| entries[1].events.insert(0, event(0, 16)));
    add("a contribution in a later entry", late, 2);
    let last = changed(short(2), |entries| entries[0].events.push(event(1, 16)));
    add("a contribution after other events", last, 1);
    let swapped = contributed(short(2), |all| all.swap(0, 1));
    add("contributions in another order", swapped, 1);
    add(
        "two contributions of a seat",
        contributed(short(2), |all| all.insert(0, all[0].clone())),
        1,
    );
    add("a contribution of a third seat", contributed(short(2), |all| all.push(given(2, 16))), 1);
    for length in [1, 15, 33] {
        let name = format!("a contribution of {length} bytes");
        add(&name, contributed(short(2), |all| all[0] = given(0, length)), 1);
    }
    // As stored: the event, its length, the seat, the contribution and the flag.
    let raw = |contribution: &[u8]| {
        let event = [&[0x92, 0x01, contribution.len() as u8], contribution].concat();
        let event = [&[0x22, event.len() as u8], &event[..]].concat();
        stored(short(2), 1, |body| [&body[..6], &event, &body[6..]].concat())
    };
    let bytes = [&[0x12, 0x10][..], &[7; 16]].concat();
    add("a contribution without bytes", raw(&[0x18, 0x01]), 1);
    add("a contribution with seat 0 written", raw(&[&[0x08, 0x00], &bytes[..]].concat()), 1);
    add("a contribution with a flag of 0", raw(&[&bytes[..], &[0x18, 0x00]].concat()), 1);
    add("a contribution with a flag of 2", raw(&[&bytes[..], &[0x18, 0x02]].concat()), 1);
    add("a contribution with an unknown field", raw(&[&bytes[..], &[0x20, 0x01]].concat()), 1);
    add("a contribution out of order", raw(&[&[0x18, 0x01], &bytes[..]].concat()), 1);
    add("a contribution of two parts", raw(&[&bytes[..], &bytes[..]].concat()), 1);
    let number = stored(short(2), 1, |body| {
        [&body[..6], &[0x22, 0x03, 0x90, 0x01, 0x07], &body[6..]].concat()
    });
    add("a contribution that is a number", number, 1);
    let other = contributed(short(2), |all| all[0].bytes = vec![9; 16].into());
    cases.add("another contribution", lines(&other), at(1, Code::ChoiceWrong));
    let none = contributed(short(2), Vec::clear);
    cases.add("a match without its contributions", lines(&none), at(1, Code::ChoiceWrong));
    // What it says about the order follows from nothing, but every digest covers it.
    let claimed = contributed(short(2), |all| all[0].after_commitment = false);
    let mut stale = claimed.clone();
    for (recorded, right) in stale.recorded.iter_mut().zip(&short(2).recorded) {
        recorded.digest = right.digest;
    }
    cases.add("another order of the commitment", lines(&stale), at(1, Code::DigestWrong));
}

/// What only a verifier that knows the rules finds; the digests are computed anew.
fn against_the_rules(cases: &mut Cases) {
    let mut add = |name: &str, played: Played, position: i64, code: Code| {
        let case = cases.add(name, lines(&played), at(position, code));
        case.without_rules = Some(proven());
    };
    let winner = |it: &mut Event| {
        if let Event::Ended { winners } = it {
            *winners = Seat::nth(0).into_iter().collect();
        }
    };
    let won = changed(short(2), |entries| entries[3].events.iter_mut().for_each(winner));
    add("another winner", won, 4, Code::RulesBroken);
    let silent = changed(short(2), |entries| _ = entries[1].prompts.pop());
    add("a prompt that is missing", silent, 2, Code::RulesBroken);
    let more = changed(short(2), |entries| entries[1].events.push(Event::RoundBegan(9)));
    add("an event too many", more, 2, Code::RulesBroken);
    let chance = chance_of(&short(2));
    let chosen = changed(short(2), |entries| {
        let made: usize = entries[..3].iter().map(|it| it.choices.len()).sum();
        let value = table::Chance::below(&mut chance.after(made as u64), 5) as u32;
        entries[3].choices.push(table::Choice { bound: 5, value });
    });
    add("a choice too many", chosen, 4, Code::RulesBroken);
    let body = short(2).recorded[3].body.clone();
    let at = body.iter().rposition(|&it| it == 0x30).expect("a version");
    let beyond = stored(short(2), 4, |body| {
        [&body[..at], &[0x22, 0x03, 0xca, 0x3e, 0x00], &body[at..]].concat()
    });
    add("an event of an unknown kind", beyond, 4, Code::BodyInvalid);
    let nested = stored(short(2), 4, |body| {
        [&body[..at], &[0x22, 0x06, 0x6a, 0x04, 0x08, 0x00, 0x10, 0x02], &body[at..]].concat()
    });
    add("an event in another encoding", nested, 4, Code::BodyInvalid);
    let cut = changed(short(2), |entries| {
        entries.truncate(1);
        entries[0].choices.clear();
        let ended = Event::Ended { winners: Seat::nth(1).into_iter().collect() };
        entries[0].events.push(ended);
    });
    let case = cases.add("an opening without its choices", lines(&cut), at_of(&cut, 1));
    case.without_rules = Some(proven());
    let mut crowded = short(2);
    crowded.row.seats = 8;
    crowded.record();
    let case =
        cases.add("seats that the game does not have", lines(&crowded), outside(Code::RulesBroken));
    case.without_rules = Some(proven());
}

fn at_of(played: &Played, position: i64) -> Expected {
    found(&name(played), &[(Some(position), Code::RulesBroken)])
}
