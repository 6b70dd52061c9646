//! The rules as guests, natively: the messages of the contract give the entries of native rules.
//! What is compiled to WebAssembly is tested with the host, in `services/modules`.

use std::collections::BTreeMap;

use croupier_game::{About, Guest, table};
use games::{GAMES, Game, WithRules, with_rules};
use minds::{Iterations, Mind};
use prost::Message;
use table::{
    ChaCha, Chance, Entry, MatchChance, Observation, Rules, Seat, Small, Table, Viewer,
    contract as pb, invariants::key,
};

const ABOUT: About = About { words: &[], rules_page: "", actions: &[], action_message: "" };

/// Entries of each game and number of seats.
const ENTRIES: usize = 400;

#[test]
fn a_guest_answers_with_the_entries_of_native_rules() {
    for &game in GAMES {
        for seats in game.seats() {
            let compared = with_rules(game, Comparing { game, seats }).expect("a built-in game");
            assert!(compared >= ENTRIES, "{}: {compared}", game.name());
        }
    }
}

struct Comparing {
    game: &'static dyn Game,
    seats: u8,
}

impl WithRules for Comparing {
    type Output = usize;

    fn run<G: Rules>(self) -> usize {
        let (mut compared, mut seed) = (0, 0);
        while compared < ENTRIES {
            let mut both = Both::<G>::open(self.game, self.seats, seed);
            while compared < ENTRIES && both.step() {
                compared += 1;
            }
            seed += 1;
        }
        compared
    }
}

struct Both<G> {
    game: &'static dyn Game,
    guest: Guest<G>,
    seats: u8,
    table: Table,
    handle: u32,
    chance: MatchChance,
    whim: ChaCha,
    /// By seat.
    known: Vec<Observation>,
}

impl<G: Rules> Both<G> {
    fn open(game: &'static dyn Game, seats: u8, seed: u64) -> Both<G> {
        let options = game.check_options(&BTreeMap::new(), seats).expect("the defaults fit");
        let chance = MatchChance::new(&[2; 16], &key(seed), &[]);
        let opened = game.open(seats, &options, &[], &mut chance.after(0));
        let (table, entry) = opened.expect("native rules open every match");
        let options = options.iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
        let request = pb::OpenRequest {
            seats: seats.into(),
            options: options.collect(),
            contributions: Vec::new(),
        };
        let mut guest = Guest::<G>::new(ABOUT);
        let answer: pb::OpenResponse =
            call(&mut guest, pb::Method::Open, &request, &mut chance.after(0));
        let advance = advance(answer.outcome).expect("it opens");
        assert_eq!(advance.entry, entry.encode());
        let handle = advance.table;
        let mut known = Observation::each(G::layout(), seats);
        known.iter_mut().for_each(|it| it.hear(&entry));
        let whim = ChaCha::of(key(seed), 9);
        Both { game, guest, seats, table, handle, chance, whim, known }
    }

    /// Returns whether the match goes on.
    fn step(&mut self) -> bool {
        let asked: Vec<Seat> = self.table.live().map(|it| it.seat).collect();
        if self.table.ended() || asked.is_empty() {
            return false;
        }
        let seat = asked[self.whim.below(asked.len())];
        let number = u32::from(u8::from(seat));
        let legal = self.game.legal(&self.table, seat).expect("native rules list");
        let seen = self.table.seen_by(Viewer::Seat(seat));
        let request = pb::ListRequest {
            view: Some(pb::View { seats: self.seats.into(), table: seen.encode_view() }),
            seat: number,
            ..pb::ListRequest::default()
        };
        let listed: pb::ListResponse = self.call(pb::Method::List, &request);
        let listed = listed.actions.iter().map(|it| (&it.verb[..], &it.action, it.is_example));
        assert!(listed.eq(legal.iter().map(|it| (it.verb, &it.action, it.open_ended))));
        if legal.is_empty() {
            return false;
        }
        let action = legal[self.whim.below(legal.len())].action.clone();
        let parsed: pb::ParseResponse =
            self.call(pb::Method::Parse, &pb::ParseRequest { action: action.clone() });
        assert_eq!(parsed.canonical, action);
        let mut chance = self.chance.after(self.table.choices().into());
        let played = self.game.play(&self.table, seat, &action, &mut chance);
        let (after, entry) = played.expect("it is legal");
        let request = pb::ActRequest { table: self.handle, seat: number, action };
        let answer: pb::ActResponse = self.call(pb::Method::Act, &request);
        let advance = advance(answer.outcome).expect("it is legal");
        assert_eq!(Entry::encode(&entry), advance.entry);
        let request = pb::SnapshotRequest { table: advance.table };
        let snapshot: pb::SnapshotResponse = self.call(pb::Method::Snapshot, &request);
        assert_eq!(snapshot.table, after.encode());
        let tables = vec![self.handle];
        self.known.iter_mut().for_each(|it| it.hear(&entry));
        self.choose(seat.index());
        let _: pb::ReleaseResponse = self.call(pb::Method::Release, &pb::ReleaseRequest { tables });
        (self.table, self.handle) = (after, advance.table);
        if self.whim.below(20) == 0 {
            let table = self.table.encode_view();
            let view = Some(pb::View { seats: self.seats.into(), table });
            let restored: pb::RestoreResponse =
                self.call(pb::Method::Restore, &pb::RestoreRequest { view });
            self.handle = restored.table;
        }
        true
    }

    /// A seat's observation travels whole, and the guest chooses as the mind does at home.
    fn choose(&mut self, nth: usize) {
        let known = &self.known[nth];
        let described = known.describe();
        let layout = G::layout();
        let again = Observation::described(&described, layout).expect("it was described");
        assert_eq!(again.describe(), described);
        let mind = Mind::ALL[self.whim.below(Mind::ALL.len())];
        let request = pb::ChooseRequest {
            level: mind.name().to_owned(),
            observation: Some(described),
            iterations: 3,
            advises: false,
        };
        let mut chance = ChaCha::of(key(3), 7);
        let ours = mind.choose::<G>(known, &mut Iterations(3), &mut chance);
        let mut chance = ChaCha::of(key(3), 7);
        let theirs: pb::ChooseResponse =
            call(&mut self.guest, pb::Method::Choose, &request, &mut chance);
        assert_eq!(theirs.action, ours.map(|it| G::print(&it)), "{} {mind:?}", G::NAME);
    }

    fn call<A: Message + Default>(&mut self, method: pb::Method, request: &impl Message) -> A {
        let mut chance = self.chance.after(self.table.choices().into());
        call(&mut self.guest, method, request, &mut chance)
    }
}

fn call<G: Rules, A: Message + Default>(
    guest: &mut Guest<G>,
    method: pb::Method,
    request: &impl Message,
    chance: &mut dyn Chance,
) -> A {
    let mut answer = Vec::new();
    guest.answer(method as u32, &request.encode_to_vec(), chance, &mut || true, &mut answer);
    A::decode(&answer[..]).expect("it is an answer")
}

fn advance(outcome: Option<pb::Outcome>) -> Option<pb::Advance> {
    match outcome?.kind? {
        pb::outcome::Kind::Advance(advance) => Some(advance),
        pb::outcome::Kind::Refusal(_) => None,
    }
}
