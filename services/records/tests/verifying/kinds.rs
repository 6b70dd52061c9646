//! Random matches in which everything happens that is recorded: each entry is one that the rules
//! give, of whatever kind it is.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::{Played, choose};
use clocks::Clocks;
use games::{GAMES, Game, Refused};
use records::{Known, verify_rows};
use table::{ChaCha, Chance, Entry, Event, LastAction, MatchChance, Motion, Seat, Table, Viewer};

/// Matches of each game.
const MATCHES: u64 = 6;

/// Entries of a match.
const ENTRIES: usize = 150;

/// A minute for each decision. There are 20 seconds from each entry to the next, so a timeout may
/// be recorded in the very moment in which the time runs out.
const TIME_CONTROL: &str = "0 0 60 0 answer";
const STEP_S: u32 = 20;

struct Playing {
    game: &'static dyn Game,
    whims: ChaCha,
    chance: MatchChance,
    played: Played,
    table: Table,
    last: Option<LastAction>,
    clocks: Clocks,
}

impl Playing {
    fn new(game: &'static dyn Game, number: u64) -> Playing {
        let mut played = Played::new(game, *game.seats().end(), number, 1);
        played.step_s = STEP_S;
        let options = BTreeMap::from([("time-control".to_owned(), TIME_CONTROL.to_owned())]);
        let seats = *game.seats().end();
        let table = Table::new(game.layout(), seats, Viewer::House);
        let clocks = Clocks::of(&options, seats).expect("a time control");
        played.row.terms.options = options;
        let opening = played.entries.pop().expect("it was opened");
        let contributions: Vec<_> = opening
            .events
            .iter()
            .filter_map(|it| match it {
                Event::Contributed(it) => Some((**it).clone()),
                _ => None,
            })
            .collect();
        let match_id = played.row.match_id;
        let chance = MatchChance::new(match_id.0.as_bytes(), &played.seed, &contributions);
        let whims = ChaCha::of([7; 32], number);
        let mut playing = Playing { game, whims, chance, played, table, last: None, clocks };
        let mut after = playing.table.clone();
        after.apply(&opening);
        playing.record(after, opening);
        playing
    }

    fn record(&mut self, after: Table, entry: Entry) {
        let position = self.played.entries.len() as i64 + 1;
        self.clocks.apply(&entry, self.played.time(position), &after);
        self.played.entries.push(entry.clone());
        let before = std::mem::replace(&mut self.table, after);
        match &mut self.last {
            Some(last) if entry.is_aside() => last.age += 1,
            last => *last = Some(LastAction { before, entry, age: 1 }),
        }
    }

    /// Something at random; refused if it cannot happen now.
    fn attempt(&mut self) -> Result<(Table, Entry), Refused> {
        let Playing { game, whims, table, .. } = self;
        let seats: Vec<Seat> = table.seats().collect();
        let seat = seats[whims.below(seats.len())];
        let motions = [Motion::Pause, Motion::Resume, Motion::EndWithoutResult];
        let mut chance = self.chance.after(table.choices().into());
        let now = self.played.time(self.played.entries.len() as i64 + 1);
        if let Some((deadline, seat)) = self.clocks.next()
            && deadline <= now
        {
            return game.time_out(table, seat, whims.below(8) == 0, &mut chance);
        }
        match whims.below(24) {
            0 | 1 => game.play(table, seat, &games::say("Well, well."), &mut chance),
            2..=5 => {
                let by = self.last.as_ref().and_then(|it| it.entry.seat).unwrap_or(seat);
                game.take_back(table, self.last.as_ref(), by)
            }
            6 => game.vote(table, seat, motions[whims.below(3)], whims.below(4) > 0),
            7 => game.order(table, motions[whims.below(2)]),
            8 => game.replace(table, seat, true),
            9 => game.add_time(table, &[(seat, 1 + whims.below(9_000) as u32)], &mut chance),
            10 if whims.below(6) == 0 => game.resign(table, seat, &mut chance),
            _ if table.is_paused() => game.order(table, Motion::Resume),
            _ => {
                let (seat, action) = choose(*game, table, whims);
                game.play(table, seat, &action, &mut chance)
            }
        }
    }

    /// A match of at most so many entries, with right digests.
    fn played(mut self) -> Played {
        while !self.table.ended() && self.played.entries.len() < ENTRIES {
            if let Ok((after, entry)) = self.attempt() {
                self.record(after, entry);
            }
        }
        self.played.seat_players();
        self.played
    }
}

#[test]
fn entries_of_every_kind_are_those_that_the_rules_give() {
    let mut verbs = BTreeSet::new();
    let mut late = 0;
    for &game in GAMES {
        for number in 0..MATCHES {
            let played = Playing::new(game, number).played();
            let known = Known::default();
            let outcome = verify_rows(&played.row, Some(played.seed), &played.recorded, &known);
            assert_eq!(outcome.wrong, [], "{}, match {number}", game.name());
            assert_eq!(outcome.verified.earlier, None, "{}, match {number}", game.name());
            assert_eq!(outcome.verified.entries, played.entries.len() as i64);
            let players: usize = played.row.seated.iter().map(|it| 1 + it.before.len()).sum();
            assert_eq!(outcome.verified.players.proven, players as u64);
            verbs.extend(played.entries.iter().map(|it| it.verb));
            let took_back_late = |it: &&Entry| {
                it.events.iter().any(|it| matches!(it, Event::TookBack { age } if *age > 1))
            };
            late += played.entries.iter().filter(took_back_late).count();
        }
    }
    for verb in [
        table::OPEN,
        table::SAY,
        table::TAKE_BACK,
        table::VOTE,
        table::PAUSE,
        table::RESUME,
        table::REPLACE,
        table::ADD_TIME,
        table::RESIGN,
        table::TIMEOUT,
    ] {
        assert!(verbs.contains(verb), "there is no {verb}: {verbs:?}");
    }
    assert!(late > 5, "{late} actions were taken back after asides");
}

/// A vote counts for the seat that gave it.
#[test]
fn a_vote_in_the_name_of_another_seat_is_no_entry() {
    let game = games::find("mountebank").expect("a game");
    let mut played = Playing::new(game, 0).played;
    let mut table = Table::new(game.layout(), *game.seats().end(), Viewer::House);
    table.apply(&played.entries[0]);
    let [voter, other] = [0, 1].map(|nth| table.seats().nth(nth).expect("two seats"));
    let vote = game.vote(&table, voter, Motion::Pause, true).expect("it may vote").1;
    played.entries.push(Entry { seat: Some(other), ..vote });
    played.record();
    let outcome = verify_rows(&played.row, Some(played.seed), &played.recorded, &Known::default());
    let reason = outcome.wrong[0].reason.as_str();
    assert!(reason.contains("the rules know no entry such as"), "{reason}");
}
