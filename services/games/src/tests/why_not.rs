use std::collections::BTreeMap;

use table::hidden::{Change, Hidden};
use table::invariants::{chance, key};
use table::{ActionFilter, ChaCha, Event, Piece, Seat, Set, Table, Viewer, foreseeable};

use super::games;
use crate::attempts::attempts;
use crate::why_not::{Beside, Wanted, changes};
use crate::{Game, Playout, Refused, Step};

const ALL: Wanted = Wanted { reasons: true, effects: true };

/// Of so many steps of a match, one is looked at.
const EVERY: usize = 3;

/// Matches at the fewest and at the most seats.
fn steps(game: &dyn Game) -> impl Iterator<Item = Step> {
    let seats = game.seats();
    let matches = [*seats.start(), *seats.end()].into_iter().flat_map(|it| [(it, 1), (it, 2)]);
    matches.flat_map(move |(seats, seed)| {
        let options = game.check_options(&BTreeMap::new(), seats).expect("the defaults fit");
        let Playout { steps, .. } = game.playout(seats, &options, &chance(seed));
        steps.into_iter().step_by(EVERY)
    })
}

/// What is told about a prompt, and about some pieces that the seat sees.
fn told(game: &dyn Game, seen: &Table, seat: Seat) -> Vec<(ActionFilter, Beside)> {
    let pieces = game.layout().pieces().iter().map(|row| row.piece);
    let pieces: Vec<Piece> = pieces.filter(|&it| seen.at(it).is_some()).collect();
    let step = pieces.len().div_ceil(4).max(1);
    let pieces = pieces.into_iter().step_by(step).map(Set::one);
    let about = pieces.chain([Set::EMPTY]).map(|pieces| ActionFilter { verb: None, pieces });
    let verbs = game.layout().verbs().iter().step_by(3);
    let kinds = verbs.map(|it| ActionFilter { verb: Some((*it).to_owned()), pieces: Set::EMPTY });
    let told = about.chain(kinds).map(|filter| {
        let legal = game.list(seen, seat, &filter).expect("native rules list");
        let beside = Beside::of(game, seen, seat, &filter, &legal, ALL);
        (filter, beside)
    });
    told.collect()
}

/// The refusals of everything that is tried about a kind.
fn tried(
    game: &dyn Game,
    step: &Step,
    seen: &Table,
    pieces: &Set,
    mut each: impl FnMut(&str, Option<Refused>),
) -> usize {
    let mut count = 0;
    for action in attempts(game, seen, step.seat, pieces, |_| false) {
        count += 1;
        if let Ok(action) = game.parse(&action) {
            let played = action.play(&step.before, step.seat, &mut ChaCha::of(key(7), 7));
            each(action.verb(), played.err());
        }
    }
    count
}

fn reason(refused: &Refused) -> &'static str {
    match refused {
        Refused::Rules { reason, .. } | Refused::Table { reason, .. } => reason,
        Refused::Malformed(_) | Refused::Faulty { .. } => "",
    }
}

#[test]
fn reasons_and_effects_are_true_of_the_real_table() {
    for game in games() {
        let (mut reasons, mut effects) = (BTreeMap::<&str, usize>::new(), 0);
        for step in steps(game) {
            let seen = step.before.seen_by(Viewer::Seat(step.seat));
            for (filter, beside) in told(game, &seen, step.seat) {
                let at = || format!("{game:?}: {filter:?} {beside:?}\n{:?}", step.before);
                let count = tried(game, &step, &seen, &filter.pieces, |verb, refused| {
                    let obstacle = beside.obstacles.iter().find(|it| it.verb == Some(verb));
                    if let Some(obstacle) = obstacle {
                        let really = refused.as_ref().map(reason);
                        assert_eq!(really, Some(reason(&obstacle.refusal)), "{}", at());
                    }
                });
                assert!(count <= 64 * 12, "{count} attempts");
                for obstacle in &beside.obstacles {
                    *reasons.entry(reason(&obstacle.refusal)).or_default() += 1;
                }
                let legal = game.list(&seen, step.seat, &filter).expect("native rules list");
                for (legal, told) in legal.iter().zip(&beside.effects) {
                    assert!(beside.obstacles.iter().all(|it| it.verb != Some(legal.verb)));
                    let mut chance = ChaCha::of(key(8), 8);
                    let played = game.play(&step.before, step.seat, &legal.action, &mut chance);
                    let (_, entry) = played.expect("it is legal");
                    let really = changes(&foreseeable(&entry, &seen), &seen);
                    assert!(
                        told.iter().all(|it| really.contains(it)),
                        "{told:?} {really:?} {}",
                        at()
                    );
                    effects += told.len();
                }
            }
        }
        println!("{game:?}: {reasons:?}, {effects} effects");
        assert!(!reasons.is_empty() && effects > 0, "{game:?}: {reasons:?}, {effects} effects");
    }
}

#[test]
fn in_two_worlds_that_a_seat_cannot_tell_apart_reasons_and_effects_are_the_same() {
    let (mut compared, mut leaks) = (0, 0);
    for game in games() {
        let mut random = ChaCha::of(key(3), 3);
        for step in steps(game) {
            let seen = step.before.seen_by(Viewer::Seat(step.seat));
            let hidden = Hidden::of(game.layout(), seen.seat_count() as u8);
            let changes = (0..3).flat_map(|_| hidden.changes(&step.before, &mut random));
            for change in changes
                .collect::<Vec<_>>()
                .into_iter()
                .filter(|it: &Change| it.is_hidden_from(&seen))
            {
                let Some(before) = change.on(&step.before) else { continue };
                let twin = before.seen_by(Viewer::Seat(step.seat));
                let [here, there] = [&seen, &twin].map(|it| told(game, it, step.seat));
                assert_eq!(here, there, "{game:?}: {change:?}\n{:?}", step.before);
                compared += 1;
                leaks +=
                    usize::from(leaky(game, &step.before, &step) != leaky(game, &before, &step));
            }
        }
    }
    println!("{compared} compared, {leaks} leaks if the real table is used");
    assert!(compared > 200, "only {compared} were compared");
    assert!(leaks > 0, "the comparison would not notice what a real table tells");
}

/// What actions would do on the real table, to its end.
fn leaky(game: &dyn Game, table: &Table, step: &Step) -> Vec<Vec<Event>> {
    let seen = table.seen_by(Viewer::Seat(step.seat));
    let legal = game.legal(&seen, step.seat).expect("native rules list");
    let effects = legal.iter().take(20).map(|legal| {
        let played = game.play(table, step.seat, &legal.action, &mut ChaCha::of(key(8), 8));
        played.expect("it is legal").1.seen_by(seen.viewer(), game.layout()).events
    });
    effects.collect()
}

#[test]
fn a_full_hand_is_the_reason_why_nobody_draws() {
    let game = crate::find("mountebank").expect("it is one");
    let mut full = 0;
    for step in steps(game) {
        let seen = step.before.seen_by(Viewer::Seat(step.seat));
        let legal = game.legal(&seen, step.seat).expect("native rules list");
        if legal.iter().any(|it| it.verb != "con") {
            continue;
        }
        let beside = Beside::of(game, &seen, step.seat, &ActionFilter::default(), &legal, ALL);
        let told: Vec<_> =
            beside.obstacles.iter().map(|it| (it.verb, reason(&it.refusal))).collect();
        assert_eq!(told, [(Some("draw"), "HAND_FULL"), (Some("take"), "HAND_FULL")]);
        full += 1;
    }
    assert!(full > 0);
}
