//! Matches that are proven, and matches in which something is missing to a proof.

use std::collections::BTreeMap;

use rows::{Follows, MatchId};
use table::{Event, MatchChance, Motion, Table, Viewer};
use uuid::Uuid;

use super::matches::{
    changed, contributed, contributions, edited, ended, headed, lines, name, short, timed,
};
use super::{Cases, Piece, at, found, outside, pieces, proven, whole};
use crate::common::Played;
use crate::{Code, LINE_BYTES_MAX};

pub(super) fn add(cases: &mut Cases) {
    whole_matches(cases);
    spellings(cases);
    series(cases);
    not_proven(cases);
}

fn whole_matches(cases: &mut Cases) {
    let base = short(2);
    cases.add("a match with contributions", lines(&base), proven());
    cases.add("a match without contributions", lines(&short(1)), proven());
    let unordered =
        contributed(short(2), |all| all.iter_mut().for_each(|it| it.after_commitment = false));
    cases.add("contributions that came with the request", lines(&unordered), proven());
    let mixed = contributed(short(2), |all| all[0].after_commitment = false);
    cases.add("one contribution that came with the request", lines(&mixed), proven());
    let one = {
        // The choices follow from the contributions, so the match is played again.
        let mut again = short(2);
        let given = vec![contributions(&again.entries[0])[1].clone()];
        let game = games::find("mountebank").expect("a game");
        let chance = MatchChance::new(again.row.match_id.0.as_bytes(), &again.seed, &given);
        let options = game.check_options(&BTreeMap::new(), 2).expect("defaults");
        let opened = game.open(2, &options, &given, &mut chance.after(0));
        again.entries = vec![opened.expect("native rules open every match").1];
        ended(&mut again);
        again
    };
    cases.add("a contribution of seat 1 alone", lines(&one), proven());

    let same_time = timed(short(2), 3, -7);
    cases.add("two entries of the same time", lines(&same_time), proven());
    let mut late = short(2);
    late.row.create_time = late.recorded[0].create_time;
    late.record();
    cases.add("a creation at the time of the first entry", lines(&late), proven());
    let mut hidden = short(2);
    hidden.row.terms.reveal_wait_s = None;
    hidden.record();
    cases.add("a match that is never revealed", lines(&hidden), proven());
    let abandoned = {
        let mut played = short(2);
        played.entries.pop();
        let game = games::find("mountebank").expect("a game");
        let mut table = Table::new(game.layout(), 2, Viewer::House);
        played.entries.iter().for_each(|entry| table.apply(entry));
        let order = game.order(&table, Motion::EndWithoutResult).expect("the platform may");
        changed(played, |entries| entries.push(order.1))
    };
    cases.add("a match that ended without a result", lines(&abandoned), proven());
    let nobody = headed(&base, |head| head.players.clear());
    cases.add("a match without players", nobody, proven());
}

/// Spellings that readers accept, up to the longest line.
fn spellings(cases: &mut Cases) {
    let base = short(2);
    let with_more = |line: usize, begin: &str| {
        edited(lines(&base), line, begin, &format!("{begin}\"more\":{{\"a\":[null,-7]}},"))
    };
    cases.add("an unknown field of a match", with_more(1, "{\"match\":{"), proven());
    cases.add("an unknown field of an entry", with_more(3, "{\"entry\":{"), proven());
    cases.add("an unknown field of an end", with_more(6, "{\"end\":{"), proven());
    let header = edited(lines(&base), 0, "\"version\":1", "\"version\":1,\"more\":true");
    cases.add("an unknown field of the header", header, proven());
    let end = &lines(&base)[6];
    let count = format!(",\"entries\":{}", base.entries.len());
    let moved = edited(lines(&base), 6, &count, "");
    let moved = edited(moved, 6, "{\"end\":{", &format!("{{\"end\":{{{},", &count[1..]));
    assert_ne!(&moved[6], end);
    cases.add("fields in another order", moved, proven());
    let escaped = edited(lines(&base), 1, "\"acme\"", "\"\\u0061cm\\u0065\"");
    cases.add("a text with escapes", escaped, proven());
    let null = edited(lines(&base), 2, "\"verb\"", "\"seat\":null,\"request_id\":null,\"verb\"");
    cases.add("null for a field that may be absent", null, proven());
    // The check takes the place of a brace.
    let room = LINE_BYTES_MAX - (lines(&base)[1].len() - 1 + 28 + 1);
    let filled = |times: usize| {
        let mut content = pieces(lines(&base));
        let line = &lines(&base)[1];
        let (before, after) = line.split_at("{\"match\":{".len());
        let more = ["\"more\":\"", "\","];
        content[1] = Piece::Filled {
            before: before.to_owned() + more[0],
            fill: "x",
            times: times - more.concat().len(),
            after: more[1].to_owned() + after,
        };
        content
    };
    cases.add_pieces("a line that is as long as any", filled(room), proven());
    cases.add_pieces("a line that is longer", filled(room + 1), outside(Code::LineTooLong));
    let nested = |depth: usize| {
        let list = "[".repeat(depth) + &"]".repeat(depth);
        edited(lines(&base), 1, "{\"match\":{", &format!("{{\"match\":{{\"more\":{list},"))
    };
    cases.add("nesting as deep as any", nested(30), proven());
    cases.add("deeper nesting", nested(31), outside(Code::LineInvalid));
}

fn series(cases: &mut Cases) {
    let mut following = short(2);
    following.row.terms.follows = Some(Follows {
        previous: MatchId(Uuid::from_u128(0x0192_8f3c_0000_7000_8000_0000_0000_0001)),
        number: 3,
        wins: vec![1, 0],
        best_of: Some(5),
    });
    following.record();
    let follows = r#"{"previous":"matches/01928f3c-0000-7000-8000-000000000001","number":3,"wins":[1,0],"best_of":5}"#;
    let with_follows = |played: &Played, text: &str| {
        let begin = "{\"match\":{";
        edited(lines(played), 1, begin, &format!("{begin}\"follows\":{text},"))
    };
    cases.add("a match of a series", with_follows(&following, follows), proven());
    for (name, from, to) in [
        ("a series with the wins of three seats", "[1,0]", "[1,0,0]"),
        ("a series with more wins than matches", "[1,0]", "[2,1]"),
        ("a series with fewer than no wins", "[1,0]", "[1,-1]"),
        ("a series of no match", "\"best_of\":5", "\"best_of\":0"),
        ("a series whose number is too large", "\"number\":3", "\"number\":2147483648"),
    ] {
        let text = follows.replacen(from, to, 1);
        cases.add(name, with_follows(&following, &text), outside(Code::LineInvalid));
    }
    let other = follows.replacen("\"number\":3", "\"number\":4", 1);
    cases.add(
        "another number in a series",
        with_follows(&following, &other),
        at(1, Code::DigestWrong),
    );
}

fn not_proven(cases: &mut Cases) {
    let base = short(2);
    let of = |all: &[(Option<i64>, Code)]| found(&name(&base), all);
    let running = || {
        let mut played = short(2);
        played.entries.pop();
        played.record();
        played
    };
    let unfinished = || whole(Code::Unfinished);
    cases.add("a match under way with its secret seed", lines(&running()), unfinished());
    let unseeded = headed(&running(), |head| head.secret_seed = None);
    cases.add("a match under way without its seed", unseeded.clone(), unfinished());
    let mut open = short(2);
    open.entries.clear();
    open.record();
    cases.add(
        "a match that was not dealt",
        headed(&open, |head| head.secret_seed = None),
        unfinished(),
    );
    let bare = |mut played: Played| {
        for entry in &mut played.entries {
            (entry.rules, entry.choices) = (0, Vec::new());
            entry.events.retain(|it| !matches!(it, Event::Contributed(_)));
        }
        played.record();
        played.recorded.iter_mut().for_each(|it| it.digest = None);
        played
    };
    let no_proofs = (Some(1), Code::NoProofs);
    cases.add("a match without proofs", lines(&bare(short(2))), of(&[no_proofs]));
    let both = of(&[no_proofs, (None, Code::Unfinished)]);
    cases.add("a match under way without proofs", lines(&bare(running())), both);
    let later = |played: Played, from: usize| {
        changed(played, |entries| entries[from..].iter_mut().for_each(|it| it.rules = 99))
    };
    cases.add("rules of version 99", lines(&later(short(2), 0)), at(1, Code::RulesUnknown));
    cases.add(
        "rules of version 99 at the end",
        lines(&later(short(2), 3)),
        at(4, Code::RulesUnknown),
    );
    let both = of(&[(Some(3), Code::RulesUnknown), (None, Code::Unfinished)]);
    cases.add("rules of version 99 in a match under way", lines(&later(running(), 2)), both);
    let mut unknown = short(2);
    unknown.row.game = "chess".to_owned();
    unknown.record();
    cases.add("a game that is not known", lines(&unknown), whole(Code::GameUnknown));
    let wrong = edited(lines(&unknown), 3, "\"verb\":\"", "\"verb\":\"x");
    cases.add("a wrong entry of a game that is not known", wrong, at(2, Code::BodyDiffers));
    let game = games::find("among-thieves").expect("a game");
    let mut earlier = Played::new(game, *game.seats().start(), 2, 3);
    earlier.entries.iter_mut().for_each(|it| it.rules = 1);
    assert!(earlier.entries[1].prompts.pop().is_some());
    earlier.record();
    let of_earlier = |all: &[(Option<i64>, Code)]| found(&name(&earlier), all);
    let both = of_earlier(&[(Some(2), Code::RulesChanged), (None, Code::Unfinished)]);
    let case = cases.add("rules that were changed since", lines(&earlier), both);
    case.without_rules = Some(of_earlier(&[(None, Code::Unfinished)]));

    cases.add("a file of no match", lines(&base)[..1].to_vec(), outside(Code::NoMatch));
    let later = edited(lines(&base), 0, "\"version\":1", "\"version\":2");
    cases.add("a file of a later version", later, outside(Code::VersionUnknown));
    let later = r#"{"croupier":{"version":10,"encoding":"cbor"},"digest":""#.to_owned() + "00\"}\n";
    let content = vec![Piece::Raw(later.into_bytes()), Piece::Raw(vec![0xa1, 0xff, b'\n'])];
    cases.add_pieces("a later version with another form", content, outside(Code::VersionUnknown));
    let mut twice = lines(&base);
    twice.push(lines(&base)[0].replacen("\"version\":1", "\"version\":2", 1));
    twice.extend(lines(&short(1))[1..].iter().cloned());
    cases.add("a later version within a file", twice, outside(Code::VersionUnknown));
}
