use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicU64, Ordering},
};

use bytes::Bytes;
use games::{Beside, GAMES, Game, Refused, Wanted};
use modules::{Limits, Module};
use table::{
    ActionFilter, ChaCha, Chance, Contribution, Entry, LastAction, MatchChance, Motion, Seat,
    Small, Table, Viewer, invariants::key,
};

use crate::built;

/// Entries of each game, unless `ENTRIES` says otherwise.
const ENTRIES: u64 = 2_000;

#[test]
#[ignore = "needs what `.ci/modules` makes"]
fn every_game_as_a_module_decides_as_natively() {
    let entries = std::env::var("ENTRIES").map(|it| it.parse().expect("a number of entries"));
    let entries: u64 = entries.unwrap_or(ENTRIES);
    let all = AtomicU64::default();
    std::thread::scope(|scope| {
        for &native in GAMES {
            let all = &all;
            scope.spawn(move || {
                // Small instances, which are thrown away now and then.
                let limits =
                    Limits { instances: 2, tables: 40, compare_every: 5, ..Limits::default() };
                let module = built::module(native.name(), limits);
                let mut compared = Compared::default();
                let mut seed = 0;
                while compared.entries < entries {
                    for seats in native.seats() {
                        Both::open(native, &module, seats, seed).play(&mut compared);
                    }
                    seed += 1;
                }
                println!("{}: {compared:?}", native.name());
                let Compared { entries, refused, lists, obstacles, restored, .. } = compared;
                let counted = [refused, lists, obstacles, restored];
                assert!(counted.iter().all(|it| *it > 0), "{compared:?}");
                all.fetch_add(entries, Ordering::Relaxed);
            });
        }
    });
    println!("{} entries, 0 differing bytes", all.into_inner());
}

#[derive(Debug, Default)]
struct Compared {
    entries: u64,
    refused: u64,
    lists: u64,
    obstacles: u64,
    restored: u64,
    matches: u64,
    verbs: BTreeMap<String, u64>,
}

/// A match by native rules, and the same match by a module.
struct Both<'a> {
    native: &'static dyn Game,
    module: &'a Module,
    seats: u8,
    seed: u64,
    chance: MatchChance,
    choices: u64,
    /// Whatever was legal at some time in the match.
    pool: Vec<Bytes>,
    tables: (Table, Table),
    lasts: Option<(LastAction, LastAction)>,
    whim: ChaCha,
}

type Played = (Result<(Table, Entry), Refused>, Result<(Table, Entry), Refused>);

impl<'a> Both<'a> {
    fn open(native: &'static dyn Game, module: &'a Module, seats: u8, seed: u64) -> Both<'a> {
        let mut whim = ChaCha::of(key(seed), u64::from(seats));
        let mut given = BTreeMap::new();
        for option in native.options() {
            if whim.below(3) == 0 {
                let value = option.values[whim.below(option.values.len())];
                given.insert(option.name.to_owned(), value.to_owned());
            }
        }
        let checked = native.check_options(&given, seats);
        assert_eq!(module.check_options(&given, seats), checked);
        let none = || native.check_options(&BTreeMap::new(), seats).expect("the defaults fit");
        let options = checked.unwrap_or_else(|_| none());
        let contributions: Vec<Contribution> = (0..whim.below(3))
            .map(|nth| Contribution {
                seat: Seat::nth(nth % usize::from(seats)).expect("a seat"),
                bytes: vec![seed as u8; 16 + nth].into(),
                after_commitment: nth == 0,
            })
            .take(seats.into())
            .collect();
        let chance = MatchChance::new(&[7; 16], &key(seed), &contributions);
        let opened = native.open(seats, &options, &contributions, &mut chance.after(0));
        let opened = opened.expect("native rules open every match");
        let theirs = module.open(seats, &options, &contributions, &mut chance.after(0));
        let theirs = theirs.expect("a module opens every match");
        assert_eq!(theirs.1.encode(), opened.1.encode());
        assert_eq!(theirs.0.encode(), opened.0.encode());
        Both {
            native,
            module,
            seats,
            seed,
            chance,
            choices: opened.1.choices.len() as u64,
            pool: Vec::new(),
            tables: (opened.0, theirs.0),
            lasts: None,
            whim,
        }
    }

    fn play(mut self, compared: &mut Compared) {
        compared.matches += 1;
        compared.entries += 1;
        let most = 40 + self.whim.below(400);
        for _ in 0..most {
            if self.tables.0.ended() {
                break;
            }
            if self.whim.below(40) == 0 {
                // As after a restart: nothing is attached.
                let (layout, bytes) = (self.module.layout(), self.tables.1.encode());
                self.tables.1 = Table::decode(&bytes, layout, self.seats).expect("it was encoded");
                compared.restored += 1;
            }
            if self.whim.below(8) == 0 {
                self.list(compared);
            }
            let played = self.step();
            self.compare(played, compared);
        }
    }

    fn seat(&mut self) -> Seat {
        Seat::nth(self.whim.below(self.seats.into())).expect("a seat of the match")
    }

    fn chances(&self) -> (ChaCha, ChaCha) {
        (self.chance.after(self.choices), self.chance.after(self.choices))
    }

    fn step(&mut self) -> Played {
        let seat = self.seat();
        let (native, module) = (self.native, self.module);
        let (ours, theirs) = self.chances();
        let (mut ours, mut theirs) = (ours, theirs);
        match self.whim.below(200) {
            0 => (
                native.resign(&self.tables.0, seat, &mut ours),
                module.resign(&self.tables.1, seat, &mut theirs),
            ),
            1..4 => {
                let resigns = self.whim.below(4) == 0;
                (
                    native.time_out(&self.tables.0, seat, resigns, &mut ours),
                    module.time_out(&self.tables.1, seat, resigns, &mut theirs),
                )
            }
            4..6 => {
                let motion = [Motion::Pause, Motion::Resume][self.whim.below(2)];
                (native.order(&self.tables.0, motion), module.order(&self.tables.1, motion))
            }
            6..8 => (
                native.vote(&self.tables.0, seat, Motion::Resume, true),
                module.vote(&self.tables.1, seat, Motion::Resume, true),
            ),
            8..12 => {
                let (ours, theirs) = match &self.lasts {
                    Some((ours, theirs)) => (Some(ours), Some(theirs)),
                    None => (None, None),
                };
                (
                    native.take_back(&self.tables.0, ours, seat),
                    module.take_back(&self.tables.1, theirs, seat),
                )
            }
            12 => {
                let is_gone = self.whim.below(2) == 0;
                (
                    native.replace(&self.tables.0, seat, is_gone),
                    module.replace(&self.tables.1, seat, is_gone),
                )
            }
            13 => (
                native.add_time(&self.tables.0, &[(seat, 5)], &mut ours),
                module.add_time(&self.tables.1, &[(seat, 5)], &mut theirs),
            ),
            14..18 => {
                let decisions = native.layout().decisions();
                let name = decisions[self.whim.below(decisions.len())].name.clone();
                let decision = native.layout().decisions().iter().find(|it| it.name == name);
                let stand = table::Common::Stand {
                    decision: decision.expect("it is one of them").id,
                    on: self.whim.below(3) > 0,
                };
                self.act(seat, &games::print_common(&stand, native.layout()))
            }
            18 => self.act(seat, &games::say("Deal?")),
            19 if !self.pool.is_empty() => {
                let nth = self.whim.below(self.pool.len());
                let mut garbled = self.pool[nth].to_vec();
                if let Some(byte) = garbled.last_mut() {
                    *byte ^= 1 << self.whim.below(8);
                }
                self.act(seat, &garbled)
            }
            20..40 if !self.pool.is_empty() => {
                let nth = self.whim.below(self.pool.len());
                let action = self.pool[nth].clone();
                self.act(seat, &action)
            }
            _ => {
                let asked: Vec<Seat> = self.tables.0.live().map(|it| it.seat).collect();
                if asked.is_empty() || self.tables.0.is_paused() {
                    let order = Motion::Resume;
                    return (
                        native.order(&self.tables.0, order),
                        module.order(&self.tables.1, order),
                    );
                }
                let seat = asked[self.whim.below(asked.len())];
                let legal = native.legal(&self.tables.0, seat).expect("native rules list");
                let kinds = games::kinds_of(&legal);
                if kinds.is_empty() {
                    return self.act(seat, b"");
                }
                let verb = kinds[self.whim.below(kinds.len())].verb;
                let alike: Vec<_> = legal.iter().filter(|it| it.verb == verb).collect();
                let action = alike[self.whim.below(alike.len())].action.clone();
                if self.pool.len() < 100 {
                    self.pool.push(action.clone());
                }
                self.act(seat, &action)
            }
        }
    }

    fn act(&self, seat: Seat, action: &[u8]) -> Played {
        let (mut ours, mut theirs) = self.chances();
        (
            self.native.play(&self.tables.0, seat, action, &mut ours),
            self.module.play(&self.tables.1, seat, action, &mut theirs),
        )
    }

    fn list(&mut self, compared: &mut Compared) {
        let seat = self.seat();
        let pieces = self.native.layout().pieces();
        let filter = match self.whim.below(3) {
            0 => {
                let piece = pieces[self.whim.below(pieces.len())].piece;
                ActionFilter { pieces: [piece].into_iter().collect(), ..ActionFilter::default() }
            }
            1 => {
                let verbs = self.native.layout().verbs();
                let verb = Some(verbs[self.whim.below(verbs.len())].to_owned());
                ActionFilter { verb, ..ActionFilter::default() }
            }
            _ => ActionFilter::default(),
        };
        let ours = self.native.list(&self.tables.0, seat, &filter);
        let theirs = self.module.list(&self.tables.1, seat, &filter);
        assert_eq!(theirs, ours, "{} {}", self.native.name(), self.seed);
        // A seat's own table gives the same.
        let seen = self.tables.1.seen_by(Viewer::Seat(seat));
        assert_eq!(self.module.list(&seen, seat, &filter), ours);
        let [ours, theirs] = [self.native, self.module as &dyn Game].map(|game| {
            let legal = ours.as_deref().expect("native rules list");
            let wanted = Wanted { reasons: true, effects: true };
            Beside::of(game, &seen, seat, &filter, legal, wanted)
        });
        assert_eq!(theirs, ours, "{} {} {filter:?}", self.native.name(), self.seed);
        compared.obstacles += ours.obstacles.len() as u64;
        compared.lists += 1;
    }

    fn compare(&mut self, played: Played, compared: &mut Compared) {
        let (Seed { name, seats, seed }, entries) = (self.named(), compared.entries);
        match played {
            (Ok((after, entry)), Ok((theirs, their_entry))) => {
                assert_eq!(
                    their_entry.encode(),
                    entry.encode(),
                    "{name}, {seats} seats, seed {seed}, entry {entries}: {entry:?}"
                );
                assert_eq!(theirs.encode(), after.encode(), "{name} {seats} {seed} {entry:?}");
                self.choices += entry.choices.len() as u64;
                compared.entries += 1;
                *compared.verbs.entry(entry.verb.to_owned()).or_default() += 1;
                let (before, their_before) = std::mem::replace(&mut self.tables, (after, theirs));
                if !entry.is_aside() {
                    let last = |before, entry| LastAction { before, entry, age: 1 };
                    self.lasts = Some((last(before, entry), last(their_before, their_entry)));
                } else if let Some((ours, theirs)) = &mut self.lasts {
                    ours.age += 1;
                    theirs.age += 1;
                }
            }
            (Err(ours), Err(theirs)) => {
                assert_eq!(theirs, ours, "{name}, {seats} seats, seed {seed}");
                compared.refused += 1;
            }
            (ours, theirs) => panic!(
                "{name}, {seats} seats, seed {seed}: natively {:?}, as a module {:?}",
                ours.map(|it| it.1),
                theirs.map(|it| it.1)
            ),
        }
    }

    fn named(&self) -> Seed {
        Seed { name: self.native.name(), seats: self.seats, seed: self.seed }
    }
}

struct Seed {
    name: &'static str,
    seats: u8,
    seed: u64,
}
