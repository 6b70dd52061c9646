//! Verification of matches of other releases, and of facts that somebody kept.

use std::collections::BTreeMap;

use crate::common::{Played, choose};
use games::Game;
use positions::Recorded;
use records::{Known, Outcome, Tally, verify_rows};
use table::{ChaCha, Entry, Event, MatchChance, SpeechKeys, Table, Viewer};

fn mountebank() -> &'static dyn Game {
    games::find("mountebank").expect("a game")
}

fn played() -> Played {
    Played::new(mountebank(), 2, 2, 2000)
}

fn verify(played: &Played, recorded: &[Recorded]) -> Outcome {
    verify_rows(&played.row, Some(played.seed), recorded, &Known::default())
}

fn wrong(outcome: &Outcome) -> (Option<i64>, &str) {
    let [wrong] = &outcome.wrong[..] else { panic!("one thing is wrong: {:?}", outcome.wrong) };
    (wrong.position, &wrong.reason)
}

/// The same actions, decided as before versions of rules existed: chance was numbered by position,
/// and neither choices nor digests were recorded.
fn earlier_release() -> Played {
    let mut played = Played::new(mountebank(), 2, 1, 1);
    let (game, mut random) = (mountebank(), ChaCha::of([7; 32], 5));
    let options = game.check_options(&BTreeMap::new(), 2).expect("the defaults");
    let chance = |position| ChaCha::of(played.seed, position);
    let (mut table, opening) = game.open(2, &options, &[], &mut chance(1));
    let mut entries = vec![opening];
    while !table.ended() {
        let (seat, action) = choose(game, &table, &mut random);
        let played = game.play(&table, seat, &action, &mut chance(entries.len() as u64 + 1));
        let (after, entry) = played.expect("it is legal");
        table = after;
        entries.push(entry);
    }
    for entry in &mut entries {
        (entry.rules, entry.choices) = (0, Vec::new());
    }
    played.entries = entries;
    played.record();
    played.recorded.iter_mut().for_each(|it| it.digest = None);
    played
}

#[test]
fn a_match_of_a_release_without_versions_is_dealt_by_position() {
    let played = earlier_release();
    let outcome = verify(&played, &played.recorded);
    assert_eq!(outcome.wrong, []);
    assert_eq!((&outcome.verified.earlier, outcome.verified.choices), (&None, 0));
    assert_eq!(outcome.verified.without_digest, played.entries.len() as i64);
}

/// A rule was changed since: a con now has another announcement, and so another entry.
#[test]
fn an_entry_of_earlier_rules_is_named_and_not_wrong() {
    let mut played = earlier_release();
    let con = played.entries.iter().position(|it| it.verb == "con").expect("somebody cons");
    let worth = played.entries[con].events.iter_mut().find_map(|event| match event {
        Event::Announced { value, .. } => Some(value),
        _ => None,
    });
    *worth.expect("a con is worth something") += 1;
    played.record();
    let outcome = verify(&played, &played.recorded);
    assert_eq!(outcome.wrong, []);
    let earlier = outcome.verified.earlier.as_ref().expect("it differs");
    assert_eq!((earlier.position, &*earlier.verb, earlier.rules), (con as i64 + 1, "con", 0));
    assert!(earlier.reason.contains("where the rules give"), "{}", earlier.reason);
    let mut tally = Tally::default();
    tally.add(&outcome);
    assert_eq!((tally.verified, tally.earlier_rules, tally.earlier_rules_under_way), (0, 1, 0));
    assert_eq!(tally.differences.len(), 1);

    // A violation of all rules is an error under any version.
    let place = |name| mountebank().layout().place_named(name).expect("a place");
    let gathered = Event::Gathered { from: place("hand/0"), to: place("discard") };
    played.entries[2].events.push(gathered);
    played.record();
    let outcome = verify(&played, &played.recorded);
    let reason = "its redacted form does not lead to the table that a viewer sees";
    assert_eq!(wrong(&outcome), (Some(3), reason));
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
    assert_eq!((&outcome.wrong[..], outcome.verified.later), (&[][..], Some(4)));
    let mut tally = Tally::default();
    tally.add(&outcome);
    assert_eq!((tally.verified, tally.later_rules), (0, 1));

    // Everything else is still verified.
    let is_open = |entry: &Entry| entry.choices.first().is_some_and(|it| it.bound > 1);
    let at = played.entries.iter().rposition(is_open).expect("chance decides something");
    assert!(at > 3);
    let choice = &mut played.entries[at].choices[0];
    choice.value = (choice.value + 1) % choice.bound;
    played.record();
    let (position, reason) = {
        let outcome = verify(&played, &played.recorded);
        let (position, reason) = wrong(&outcome);
        (position, reason.to_owned())
    };
    assert_eq!(position, Some(at as i64 + 1));
    assert!(reason.contains("does not follow from the seed and the contributions"), "{reason}");
}

#[test]
fn a_match_without_its_seed_is_verified_as_far_as_that_goes() {
    let mut played = played();
    let verify =
        |played: &Played| verify_rows(&played.row, None, &played.recorded, &Known::default());
    let outcome = verify(&played);
    assert!(outcome.wrong.is_empty() && !outcome.verified.has_seed);
    let mut tally = Tally::default();
    tally.add(&outcome);
    assert_eq!((tally.verified, tally.without_seed), (0, 1));
    // The rules need no seed: the choices are recorded.
    played.entries[4].prompts.pop();
    played.record();
    assert_eq!(wrong(&verify(&played)).0, Some(5));
}

/// Speech is sealed, and the key is gone.
#[test]
fn erased_speech_is_verified_all_the_same() {
    let game = games::find("among-thieves").expect("a game with talk");
    let mut played = Played::new(game, *game.seats().start(), 1, 1);
    let options = game.check_options(&BTreeMap::new(), *game.seats().start()).expect("defaults");
    let chance = MatchChance::new(played.row.match_id.0.as_bytes(), &played.seed, &[]);
    let seats = *game.seats().start();
    let (mut table, _) = game.open(seats, &options, &[], &mut chance.after(0));
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
    assert!(outcome.wrong.is_empty() && outcome.is_result_only);
    let mut tally = Tally::default();
    tally.add(&outcome);
    assert_eq!((tally.matches, tally.verified, tally.results_only), (1, 0, 1));
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
fn a_digest_may_lack_only_where_releases_knew_none() {
    let mut recorded = played().recorded;
    recorded[0].digest = None;
    assert_eq!(wrong(&verify(&played(), &recorded)), (Some(1), "it has no digest"));

    let played = earlier_release();
    let with_digests = {
        let mut again = played.clone();
        again.record();
        again.recorded
    };
    let mut recorded = with_digests.clone();
    recorded[..3].clone_from_slice(&played.recorded[..3]);
    assert_eq!(verify(&played, &recorded).verified.without_digest, 3);
    recorded[5].digest = None;
    let outcome = verify(&played, &recorded);
    assert_eq!(wrong(&outcome), (Some(6), "it has no digest, but the entry before it has one"));
}

#[test]
fn a_match_that_the_rules_contradict_is_folded_to_its_end() {
    let mut played = played();
    for entry in &mut played.entries {
        (entry.rules, entry.choices) = (0, Vec::new());
    }
    played.record();
    let outcome = verify(&played, &played.recorded);
    assert_eq!(outcome.wrong, []);
    assert_eq!(outcome.verified.earlier.as_ref().map(|it| it.position), Some(1));
    let folded = played.entries.iter().fold(
        Table::new(mountebank().layout(), 2, table::Viewer::House),
        |mut table, entry: &Entry| {
            table.apply(entry);
            table
        },
    );
    assert_eq!(outcome.verified.is_over, folded.ended());
}
