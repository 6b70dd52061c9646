//! What actions are about, and long lists of them in groups.

use std::collections::BTreeSet;

use prost_reflect::Kind;
use table::{Viewer, invariants::chance};

use super::{games, none};
use crate::{About, By, Game, Group, Legal, UNGROUPED_MAX, copies, groups, messages};

/// The lists of legal actions of a match at random, each with what the acting seat sees.
fn lists(game: &dyn Game, seats: u8, seed: u64) -> Vec<(table::Table, Vec<Legal>)> {
    let options = game.check_options(&Default::default(), seats).expect("they fit");
    let steps = game.playout(seats, &options, &chance(seed)).steps.into_iter();
    let list = |step: crate::Step| {
        let seen = step.before.seen_by(Viewer::Seat(step.seat));
        let legal = game.legal(&seen, step.seat).expect("native rules list");
        (seen, legal)
    };
    steps.map(list).collect()
}

/// So that clients can name players, and know amounts, without parsing labels.
#[test]
fn every_number_of_an_action_says_what_it_holds() {
    let holds =
        messages().pool().get_extension_by_name("croupier.table.v1.holds").expect("an option");
    let mut problems = Vec::new();
    for game in games() {
        let package = game.action_message().replace(".Action", "");
        let own = messages()
            .pool()
            .all_messages()
            .filter(|it| it.parent_file().package_name() == package);
        for field in own.flat_map(|it| it.fields().collect::<Vec<_>>()) {
            let is_number = matches!(field.kind(), Kind::Uint32);
            if is_number && !field.options().has_extension(&holds) {
                problems.push(format!("{} does not say what it holds", field.full_name()));
            }
        }
    }
    none(problems);
}

#[test]
fn groups_cover_long_lists_exactly() {
    let mut long = 0;
    for game in games() {
        for seats in [*game.seats().start(), *game.seats().end()] {
            for (seen, legal) in lists(game, seats, u64::from(seats)) {
                let abouts: Vec<_> = legal.iter().map(|it| About::of(game, &it.action)).collect();
                let groups = groups(&seen, &legal, &abouts);
                assert_eq!(groups.is_empty(), legal.len() <= UNGROUPED_MAX, "{}", game.name());
                if groups.is_empty() {
                    continue;
                }
                long += 1;
                let mut found = Vec::new();
                groups.iter().for_each(|group| walk(group, &mut found));
                found.sort_unstable();
                assert_eq!(found, (0..legal.len()).collect::<Vec<_>>(), "{}", game.name());
                let verbs: BTreeSet<&str> = legal.iter().map(|it| it.verb).collect();
                let first = groups.iter().map(|group| match group.by {
                    By::Verb(verb) => verb,
                    by => panic!("the first step is the kind of action, not {by:?}"),
                });
                assert_eq!(first.collect::<BTreeSet<_>>(), verbs);
            }
        }
    }
    assert!(long > 20, "only {long} lists were long");
}

fn walk(group: &Group, found: &mut Vec<usize>) {
    assert_ne!(group.groups.is_empty(), group.actions.is_empty(), "{group:?}");
    found.extend(&group.actions);
    group.groups.iter().for_each(|it| walk(it, found));
}

/// A list without copies has an action for each one that it leaves out.
#[test]
fn copies_of_a_card_in_one_place_are_interchangeable() {
    let mut left_out = 0;
    for game in games() {
        for (seen, legal) in lists(game, *game.seats().end(), 2) {
            let layout = game.layout();
            for (nth, first) in copies(game, &seen, &legal).into_iter().enumerate() {
                let Some(first) = first else { continue };
                left_out += 1;
                assert!(first < nth && legal[first].verb == legal[nth].verb);
                let [one, other] = [first, nth].map(|it| About::of(game, &legal[it].action));
                let spelled = |about: &About| {
                    let piece = |&it: &table::Piece| (layout.first_copy(it), seen.at(it));
                    let mut pieces: Vec<_> = about.pieces.iter().map(piece).collect();
                    pieces.sort_unstable();
                    pieces
                };
                assert_eq!(spelled(&one), spelled(&other), "{}", game.name());
                assert_ne!(one.pieces, other.pieces, "{}", game.name());
            }
        }
    }
    assert!(left_out > 100, "only {left_out} actions were left out");
}
