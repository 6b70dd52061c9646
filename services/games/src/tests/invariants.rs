use std::collections::BTreeMap;

use table::Sight;

use super::{games, variable};
use crate::Game;

/// Matches played for each game and number of seats, unless `CROUPIER_MATCHES` says otherwise.
const MATCHES: u64 = 60;

#[test]
fn every_game_keeps_the_invariants_at_every_number_of_seats() {
    let matches = variable("CROUPIER_MATCHES").map(|it| it.parse().expect("a number of matches"));
    std::thread::scope(|scope| {
        for game in games() {
            scope.spawn(move || {
                game.seats().for_each(|seats| {
                    play(game, seats, matches.unwrap_or(MATCHES));
                })
            });
        }
    });
}

fn play(game: &dyn Game, seats: u8, matches: u64) {
    let (mut actions, mut refused, mut swaps, mut garbled, mut resigned) = (0, 0, 0, 0, 0);
    let (mut amounts, mut counts, mut asides, mut stood, mut taken_back) = (0, 0, 0, 0, 0);
    let mut final_actions = BTreeMap::<String, usize>::new();
    let mut reached = Reached::default();
    for seed in 0..matches {
        let played = game.check_invariants(seats, seed).unwrap_or_else(|broken| panic!("{broken}"));
        actions += played.actions;
        refused += played.refused;
        swaps += played.swaps;
        amounts += played.amounts;
        counts += played.counts;
        garbled += played.garbled;
        resigned += played.resigned;
        asides += played.asides;
        stood += played.stood;
        taken_back += played.taken_back;
        for (reason, count) in played.final_actions {
            *final_actions.entry(reason).or_default() += count;
        }
        reached.add("verb", played.verbs);
        reached.add("decision", played.decisions);
        reached.add("announcement", played.announcements);
    }
    let name = game.name();
    println!(
        "{name}, {seats} seats: {actions} actions, {refused} refused, {swaps} swaps, \
         {amounts} amounts, {counts} counts, {garbled} garbled, {resigned} resigned, \
         {asides} asides, {stood} standing answers, {taken_back} taken back, others not: \
         {final_actions:?}; {reached:?}"
    );
    // An invariant that was hardly checked proves nothing.
    let mut checked = vec![refused, swaps, garbled, resigned, asides, taken_back];
    if game.layout().decisions().iter().any(|decision| game.may_stand(decision.id)) {
        checked.push(stood);
    }
    if has_private_purses(game, seats) {
        checked.push(amounts);
    }
    if has_screens(game, seats) {
        checked.push(counts);
    }
    let enough = matches < MATCHES || checked.iter().all(|&times| times > 10);
    assert!(enough, "{name}, {seats} seats: too few checks: {checked:?}");
    println!("{name}, {seats} seats: never reached: {:?}", reached.missed(game));
}

/// How often random play reached what a layout names, by kind and name.
#[derive(Debug, Default)]
struct Reached(BTreeMap<(&'static str, String), usize>);

impl Reached {
    fn add(&mut self, kind: &'static str, counts: BTreeMap<String, usize>) {
        for (name, count) in counts {
            *self.0.entry((kind, name)).or_default() += count;
        }
    }

    /// The names of the layout that no match reached.
    fn missed(&self, game: &dyn Game) -> Vec<String> {
        let layout = game.layout();
        let may_stand = layout.decisions().iter().any(|it| game.may_stand(it.id));
        let verbs = layout.verbs().iter().filter(|it| may_stand || **it != table::STAND);
        let verbs = verbs.map(|it| ("verb", it.to_string()));
        let decisions = layout.decisions().iter().map(|it| ("decision", it.name.to_string()));
        let announcements =
            layout.announcements().iter().map(|it| ("announcement", it.name.to_string()));
        verbs
            .chain(decisions)
            .chain(announcements)
            .filter(|named| !self.0.contains_key(named))
            .map(|(kind, name)| format!("{kind} {name}"))
            .collect()
    }
}

/// Of two seats, the one that acts sees one of the two purses.
const SEATS_THAT_HIDE: u8 = 3;

fn has_private_purses(game: &dyn Game, seats: u8) -> bool {
    let layout = game.layout();
    let is_private = |place: &table::PlaceRow| {
        let is_held = |purse: &table::PurseRow| purse.place == place.id && !purse.is_bank;
        place.sight != Sight::All && layout.purses().iter().any(is_held)
    };
    seats >= SEATS_THAT_HIDE && layout.places_of(seats).any(is_private)
}

fn has_screens(game: &dyn Game, seats: u8) -> bool {
    let is_screen = |place: &table::PlaceRow| matches!(place.sight, Sight::Screened(_));
    seats >= SEATS_THAT_HIDE && game.layout().places_of(seats).any(is_screen)
}
