//! Verification of matches of other releases, and of facts that somebody kept.

use std::collections::BTreeMap;
use std::io::Cursor;

use crate::common::{Played, choose, seated, text_of};
use games::Game;
use positions::{Position, Recorded};
use records::{
    Answer, Blocks, Chain, Code, Creation, Digested, Known, Line, Outcome, Tally, verify_block,
    verify_rows,
};
use rows::{FormerPlayer, SeatRow, match_name};
use table::{ChaCha, Choice, Entry, Event, MatchChance, SpeechKeys, Table, Viewer};

fn mountebank() -> &'static dyn Game {
    games::find("mountebank").expect("a game")
}

fn played() -> Played {
    Played::new(mountebank(), 2, 2, 2000)
}

fn verify(played: &Played, recorded: &[Recorded]) -> Outcome {
    verify_rows(&played.row, Some(played.seed), recorded, &Known::default())
}

fn unproven(outcome: &Outcome) -> Vec<(Option<i64>, Code)> {
    assert_eq!(outcome.wrong, []);
    outcome.unproven.iter().map(|it| (it.position, it.code)).collect()
}

fn wrong(outcome: &Outcome) -> (Option<i64>, &str) {
    let [wrong] = &outcome.wrong[..] else { panic!("one thing is wrong: {:?}", outcome.wrong) };
    (wrong.position, &wrong.reason)
}

/// The same match, as it would be recorded without versions of rules, choices and digests.
fn without_proofs(mut played: Played) -> Played {
    for entry in &mut played.entries {
        (entry.rules, entry.choices) = (0, Vec::new());
        entry.events.retain(|it| !matches!(it, Event::Contributed(_)));
    }
    played.record();
    played.recorded.iter_mut().for_each(|it| it.digest = None);
    played
}

#[test]
fn a_match_without_proofs_is_folded_and_not_proven() {
    let played = without_proofs(played());
    let outcome = verify(&played, &played.recorded);
    assert_eq!(unproven(&outcome), [(Some(1), Code::NoProofs)]);
    assert_eq!(outcome.verified.entries, played.entries.len() as i64);
    assert!(outcome.verified.is_over);

    // What no rules allow is wrong all the same.
    let mut played = played;
    let place = |name| mountebank().layout().place_named(name).expect("a place");
    let gathered = Event::Gathered { from: place("hand/0"), to: place("discard") };
    played.entries[2].events.push(gathered);
    let played = without_proofs(played);
    let reason = "its redacted form does not lead to the table that a viewer sees";
    assert_eq!(wrong(&verify(&played, &played.recorded)), (Some(3), reason));
}

/// A match of version 1 of the rules of a game that has a later version now.
fn of_earlier_rules() -> Played {
    let game = games::find("among-thieves").expect("a game");
    assert!(game.rules_version() > 1);
    let mut played = Played::new(game, *game.seats().start(), 1, 2000);
    assert!(played.is_over());
    played.entries.iter_mut().for_each(|it| it.rules = 1);
    played.record();
    played
}

#[test]
fn earlier_rules_that_gave_the_same_are_no_difference() {
    let played = of_earlier_rules();
    let outcome = verify(&played, &played.recorded);
    assert_eq!((outcome.answer(), &outcome.verified.earlier), (Answer::Proven, &None));
}

#[test]
fn an_entry_of_earlier_rules_is_named_and_not_wrong() {
    let mut played = of_earlier_rules();
    let announced = |it: &mut Event| match it {
        Event::Announced { value, .. } => {
            *value += 1;
            true
        }
        _ => false,
    };
    let has_announced = |it: &mut Entry| it.events.iter_mut().any(announced);
    let at = played.entries.iter_mut().position(has_announced).expect("something is announced");
    played.record();
    let outcome = verify(&played, &played.recorded);
    assert_eq!(unproven(&outcome), [(Some(at as i64 + 1), Code::RulesChanged)]);
    let earlier = outcome.verified.earlier.as_ref().expect("it differs");
    assert_eq!((earlier.position, earlier.rules), (at as i64 + 1, 1));
    assert_eq!(earlier.verb, played.entries[at].verb);
    assert!(earlier.reason.contains("where the rules give"), "{}", earlier.reason);
    let mut tally = Tally::default();
    tally.add(&outcome);
    assert_eq!((tally.not_proven, tally.unfinished_with_changed_rules), (1, 0));
    assert_eq!(tally.answer(), Answer::NotProven);
}

/// On a table that they did not make, the rules might not end.
#[test]
fn the_rules_do_not_run_after_an_entry_that_they_do_not_give() {
    let mut played = of_earlier_rules();
    let count = played.entries.len();
    for (n, entry) in played.entries.iter_mut().enumerate() {
        entry.rules = if n < count / 2 { 1 } else { 2 };
    }
    assert!(played.entries[1].prompts.pop().is_some());
    assert!(played.entries[count - 2].prompts.pop().is_some());
    played.record();
    let outcome = verify(&played, &played.recorded);
    assert_eq!(unproven(&outcome), [(Some(2), Code::RulesChanged)]);
    assert_eq!(outcome.verified.entries, count as i64);
}

#[test]
fn a_difference_under_the_same_version_is_wrong() {
    let mut played = played();
    let at = played.entries.iter().rposition(|it| it.events.len() > 1).expect("much happens");
    played.entries[at].events.pop();
    played.record();
    let outcome = verify(&played, &played.recorded);
    let (position, reason) = wrong(&outcome);
    assert_eq!(position, Some(at as i64 + 1));
    assert!(reason.starts_with("the rules lead to something else: "), "{reason}");
    assert!(reason.contains("is nothing more, where the rules give"), "{reason}");
}

#[test]
fn a_timeout_before_its_time_is_wrong() {
    let mut played = played();
    let mut table = Table::new(mountebank().layout(), 2, Viewer::House);
    table.apply(&played.entries[0]);
    let asked = table.live().find(|prompt| prompt.must).expect("somebody must decide").seat;
    let contributions = table.contributions().to_vec();
    let match_id = played.row.match_id;
    let chance = MatchChance::new(match_id.0.as_bytes(), &played.seed, &contributions);
    let mut chance = chance.after(table.choices().into());
    let timeout = mountebank().time_out(&table, asked, false, &mut chance);
    played.entries.truncate(1);
    played.entries.push(timeout.expect("the match waits for the seat").1);
    for (options, expected) in [
        (
            BTreeMap::from([("time-control".to_owned(), "0 0 60 0 answer".to_owned())]),
            "the time of the seat runs out at 1970-01-01 0:01",
        ),
        (BTreeMap::new(), "no time of its seat can run out"),
    ] {
        played.row.terms.options = options;
        played.record();
        let outcome = verify(&played, &played.recorded);
        let (position, reason) = wrong(&outcome);
        assert_eq!(position, Some(2));
        assert!(reason.starts_with(expected), "{reason}");
    }
}

/// A newer release decided the rest of the match.
#[test]
fn rules_that_are_not_known_yet_are_named() {
    let mut played = played();
    for entry in &mut played.entries[3..] {
        entry.rules = mountebank().rules_version() + 1;
    }
    played.record();
    let outcome = verify(&played, &played.recorded);
    assert_eq!(unproven(&outcome), [(Some(4), Code::RulesUnknown)]);
    let mut tally = Tally::default();
    tally.add(&outcome);
    assert_eq!((tally.proven, tally.not_proven), (0, 1));

    // Everything else is still verified.
    let is_open = |entry: &Entry| entry.choices.first().is_some_and(|it| it.bound > 1);
    let at = played.entries.iter().rposition(is_open).expect("chance decides something");
    assert!(at > 3);
    let choice = &mut played.entries[at].choices[0];
    choice.value = (choice.value + 1) % choice.bound;
    played.record();
    let outcome = verify(&played, &played.recorded);
    let (position, reason) = wrong(&outcome);
    assert_eq!(position, Some(at as i64 + 1));
    assert!(reason.contains("does not follow from the seed and the contributions"), "{reason}");
}

/// A newer release may have pieces that this one does not know.
#[test]
fn entries_of_later_rules_that_cannot_be_read_are_chained_all_the_same() {
    let mut played = played();
    for entry in &mut played.entries[3..] {
        entry.rules = mountebank().rules_version() + 1;
    }
    played.record();
    // Before the prompts: an event of a kind that does not exist yet.
    let body = Entry { prompts: Vec::new(), ..played.entries[3].clone() }.encode();
    let version = mountebank().rules_version() as u8 + 1;
    let rules = body.windows(2).rposition(|it| it == [0x30, version]).expect("it has a version");
    let event = [0x22, 0x04, 0xca, 0x3e, 0x01, 0x00];
    played.recorded[3].body = [&body[..rules], &event, &body[rules..]].concat().into();
    digest_again(&mut played);
    let outcome = verify(&played, &played.recorded);
    assert_eq!(unproven(&outcome), [(Some(4), Code::RulesUnknown)]);
    assert_eq!(outcome.verified.entries, played.entries.len() as i64);
    played.recorded[5].create_time += std::time::Duration::from_secs(1);
    let outcome = verify(&played, &played.recorded);
    assert_eq!((wrong(&outcome).0, outcome.wrong[0].code), (Some(6), Code::DigestWrong));
}

/// Computes the digests of the bodies as they are now.
fn digest_again(played: &mut Played) {
    let mut digests = Chain::new(Creation::from(&played.row), &played.seed);
    for (recorded, entry) in played.recorded.iter_mut().zip(&played.entries) {
        recorded.digest = Some(digests.next(Digested::of(recorded, entry.seat.map(u8::from))));
    }
}

/// The outcome for the file of a match without its seed.
fn verify_unseeded(played: &Played) -> Outcome {
    let mut lines = played.lines();
    let Line::Match(head) = &mut lines[0] else { panic!("a match") };
    (head.seed, head.secret_seed) = (None, None);
    let mut blocks = Blocks::new(Cursor::new(text_of(&lines))).expect("a file");
    let block = blocks.read().expect("lines").expect("a match");
    verify_block(&block, &Known::default())
}

#[test]
fn a_match_without_its_seed_is_verified_as_far_as_that_goes() {
    let mut played = Played::new(mountebank(), 2, 2, 20);
    assert!(!played.is_over());
    let outcome = verify_unseeded(&played);
    assert_eq!(unproven(&outcome), [(None, Code::Unfinished)]);
    assert!(!outcome.verified.has_seed);
    // The rules need no seed: the choices are recorded.
    played.entries[4].prompts.pop();
    played.record();
    assert_eq!(wrong(&verify_unseeded(&played)).0, Some(5));
    // The store has the seed of every match that has entries.
    let outcome = verify_rows(&played.row, None, &played.recorded, &Known::default());
    assert_eq!(outcome.wrong[0].code, Code::SeedMissing);
}

/// Somebody wrote into the database that another player has taken over the seat since.
#[test]
fn a_player_who_took_over_with_no_entry_is_wrong() {
    let mut played = played();
    played.seat_players();
    assert_eq!(verify(&played, &played.recorded).wrong, []);
    let until = Position(played.recorded.len() as i64 + 1);
    let SeatRow { player, speech_key, .. } =
        std::mem::replace(&mut played.row.seated[0], seated(0, "mallory"));
    let (display_name, is_erased) = (None, false);
    let former = FormerPlayer { until, player, display_name, speech_key, is_erased };
    played.row.seated[0].before.push(former);
    let outcome = verify(&played, &played.recorded);
    assert_eq!(outcome.name, match_name(played.row.match_id));
    let [wrong] = &outcome.wrong[..] else { panic!("{:?}", outcome.wrong) };
    assert_eq!((wrong.position, wrong.code), (Some(until.0), Code::PlayerDiffers));
}

/// Speech is sealed, and the key is gone.
#[test]
fn erased_speech_is_verified_all_the_same() {
    let game = games::find("among-thieves").expect("a game with talk");
    let mut played = Played::new(game, *game.seats().start(), 1, 1);
    let options = game.check_options(&BTreeMap::new(), *game.seats().start()).expect("defaults");
    let chance = MatchChance::new(played.row.match_id.0.as_bytes(), &played.seed, &[]);
    let seats = *game.seats().start();
    let opened = game.open(seats, &options, &[], &mut chance.after(0));
    let (mut table, _) = opened.expect("native rules open every match");
    let (mut random, mut keys) = (ChaCha::of([7; 32], 6), SpeechKeys::default());
    table.seats().for_each(|seat| keys.insert(seat, [1; 32]));
    for position in 2..6 {
        let (seat, mut action) = choose(game, &table, &mut random);
        if position == 3 {
            action = games::say("I draw nothing");
        }
        let mut chance = chance.after(table.choices().into());
        let (after, mut entry) = game.play(&table, seat, &action, &mut chance).expect("legal");
        table = after;
        entry.seal(position, &keys);
        played.entries.push(entry);
    }
    played.record();
    assert!(played.entries[2].verb == "say" && played.recorded[2].body.len() > 30);
    let outcome = verify(&played, &played.recorded);
    assert_eq!((&outcome.wrong[..], &outcome.verified.earlier), (&[][..], &None));
    assert_eq!(outcome.verified.entries, 5);

    // An entry that is sealed is held to the rules and to the one encoding all the same.
    let body = &played.recorded[2].body;
    let rules = [0x30, game.rules_version() as u8];
    let mut doubled = played.clone();
    doubled.recorded[2].body = [&body[..], &rules].concat().into();
    let outcome = verify_unseeded(&doubled);
    assert_eq!(wrong(&outcome), (Some(3), "its body is not in the canonical encoding"));
    let mut more = played.clone();
    more.entries[2].events.push(Event::RoundBegan(9));
    more.record();
    assert!(wrong(&verify(&more, &more.recorded)).1.contains("where the rules give nothing more"));

    // Other sealed bytes are noticed without the key.
    let mut altered = played.recorded.clone();
    let mut body = altered[2].body.to_vec();
    let middle = body.len() / 2;
    body[middle] ^= 1;
    altered[2].body = body.into();
    assert_eq!(wrong(&verify(&played, &altered)).0, Some(3));
}

/// Retention removed the entries of a match, and kept its result and its digests.
#[test]
fn a_match_whose_result_alone_is_kept_is_named() {
    let played = played();
    let mut recorded = played.recorded.clone();
    recorded.iter_mut().for_each(|it| it.body = Default::default());
    let outcome = verify(&played, &recorded);
    assert_eq!(unproven(&outcome), [(None, Code::ResultOnly)]);
    let mut tally = Tally::default();
    tally.add(&outcome);
    assert_eq!((tally.matches, tally.entries, tally.not_proven), (1, 0, 1));
}

#[test]
fn a_contribution_that_somebody_gave_must_be_in_the_record() {
    let played = played();
    let given = |seat: u8| {
        let contributed = played.entries[0].events.iter().filter_map(|event| match event {
            Event::Contributed(it) => Some(it),
            _ => None,
        });
        contributed.filter(|it| u8::from(it.seat) == seat).map(|it| it.bytes.to_vec()).next()
    };
    let of_zero = given(0).expect("an even match has contributions");
    let verify = |contributions: &[(u8, Vec<u8>)]| {
        let known = Known::new(Vec::new(), contributions.iter().cloned().collect());
        verify_rows(&played.row, Some(played.seed), &played.recorded, &known)
    };
    assert_eq!(verify(&[(0, of_zero.clone())]).wrong, []);
    let other = verify(&[(0, [&of_zero[..], &[1]].concat())]);
    assert!(wrong(&other).1.contains("another contribution of seat 0 than you gave"));
    let nobody = verify(&[(5, of_zero)]);
    assert!(wrong(&nobody).1.contains("no contribution of seat 5"));
}

#[test]
fn proofs_are_there_in_every_entry_or_in_none() {
    let missing = |played: &Played, recorded: &[Recorded], position: i64| {
        let outcome = verify(played, recorded);
        assert_eq!(wrong(&outcome).0, Some(position), "{outcome:?}");
        assert_eq!(outcome.wrong[0].code, Code::ProofMissing);
    };
    let whole = played();
    for at in [0, 5] {
        let mut recorded = whole.recorded.clone();
        recorded[at].digest = None;
        missing(&whole, &recorded, at as i64 + 1);
    }
    // The fields for rules and choices are left out, and the digests are computed anew.
    let mut bare = without_proofs(played());
    bare.record();
    missing(&bare, &bare.recorded, 1);
    let mut later = played();
    (later.entries[7].rules, later.entries[7].choices) = (0, Vec::new());
    later.record();
    missing(&later, &later.recorded, 8);
    // Proofs after entries that have none.
    let bare = without_proofs(played());
    let recorded = [&bare.recorded[..3], &whole.recorded[3..]].concat();
    missing(&whole, &recorded, 4);
}

/// Without the seed nothing but the rules contradicts it.
#[test]
fn what_the_rules_give_instead_is_told() {
    let verify = |change: &dyn Fn(&mut Entry)| {
        let mut played = played();
        let entry = &mut played.entries[4];
        change(entry);
        played.record();
        let outcome = verify_unseeded(&played);
        let (position, reason) = wrong(&outcome);
        assert_eq!(position, Some(5));
        reason.to_owned()
    };
    let reason = verify(&|it| _ = it.prompts.pop());
    assert!(
        reason.contains(" the prompts are []") && reason.contains("rules give [seat "),
        "{reason}"
    );
    let reason = verify(&|it| it.choices.push(Choice { bound: 5, value: 0 }));
    assert!(reason.contains("has choices that the rules do not make"), "{reason}");
    let reason = verify(&|it| it.events.push(Event::RoundBegan(9)));
    assert!(reason.contains("where the rules give nothing more"), "{reason}");

    // The rules choose among as many as there are.
    let mut played = played();
    let is_open = |entry: &Entry| entry.choices.first().is_some_and(|it| it.bound > 1);
    let at = played.entries.iter().rposition(is_open).expect("chance decides something");
    played.entries[at].choices[0].bound += 1;
    played.record();
    let outcome = verify_unseeded(&played);
    let (position, reason) = wrong(&outcome);
    assert_eq!(position, Some(at as i64 + 1));
    assert!(reason.contains("where the rules choose among"), "{reason}");
}

#[test]
fn a_commitment_that_was_told_beforehand_must_be_in_the_record() {
    let played = played();
    let verify = |commitment: &[u8]| {
        let known = Known::new(Vec::new(), BTreeMap::new());
        let known = known.with_commitment(Some(commitment.to_vec()));
        verify_rows(&played.row, Some(played.seed), &played.recorded, &known)
    };
    assert_eq!(verify(&played.row.terms.seed_commitment).wrong, []);
    let other = verify(&[7; 32]);
    let reason = "the record has another commitment than the one you were told";
    assert_eq!(wrong(&other), (None, reason));
}
