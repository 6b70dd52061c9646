//! A match in play: whom it asks, what that seat may do, and what follows.

use std::collections::BTreeMap;

use table::{
    Entry, MatchChance, Options, Rules, Seat, Seats, Small, Table, Viewer, advance, open, play,
};

use crate::error::Fault;

/// What a match is played by.
#[derive(Clone)]
pub struct Terms {
    pub seats: u8,
    pub options: Options,
    /// Those that were given, as a record has them.
    pub given: BTreeMap<String, String>,
    /// Whether seats are asked that need not act.
    pub asks_optional: bool,
    /// The longest list of legal actions that is offered; what is beyond is left out.
    pub actions_max: usize,
    /// After so many actions a match is given up.
    pub steps_max: u32,
}

/// The secret of a match, and its id.
#[derive(Clone, Copy)]
pub struct Secret {
    pub match_id: [u8; 16],
    pub seed: [u8; 32],
}

const SEED: &str = "croupier gym 2026-11 seed of a match";
const ID: &str = "croupier gym 2026-11 id of a match";

impl Secret {
    /// The secret of a match by a seed that people write: the `episode` of a stream of matches.
    pub fn of(seed: u64, stream: u64, episode: u64) -> Secret {
        let numbers = [seed, stream, episode].map(u64::to_le_bytes).concat();
        let id = blake3::derive_key(ID, &numbers);
        let mut match_id: [u8; 16] = id[..16].try_into().expect("it is long enough");
        // A UUID of version 8, whose other bits are free.
        match_id[6] = match_id[6] & 0x0f | 0x80;
        match_id[8] = match_id[8] & 0x3f | 0x80;
        Secret { match_id, seed: blake3::derive_key(SEED, &numbers) }
    }

    pub fn chance(&self) -> MatchChance {
        MatchChance::new(&self.match_id, &self.seed, &[])
    }
}

/// A match in play.
pub struct Played<G: Rules> {
    /// The house's.
    pub table: Table,
    chance: MatchChance,
    /// The seat that is asked; `None` after the end.
    pub asked: Option<Seat>,
    /// Whether that seat may wait: then index 0 stands for it, before the legal actions.
    pub may_wait: bool,
    /// The legal actions of the seat that is asked.
    pub legal: Vec<G::Action>,
    /// The seats with an optional prompt that were asked since the match last got an answer that it
    /// waited for.
    heard: Seats,
    pub steps: u32,
}

impl<G: Rules> Clone for Played<G> {
    fn clone(&self) -> Self {
        Played {
            table: self.table.clone(),
            chance: self.chance.clone(),
            asked: self.asked,
            may_wait: self.may_wait,
            legal: self.legal.clone(),
            heard: self.heard,
            steps: self.steps,
        }
    }
}

/// Tables in whose memory seats are shown theirs: one for each seat. They are the only thing that
/// observations and legal actions are read from.
#[derive(Clone)]
pub struct Shown(Vec<Table>);

impl Shown {
    pub fn new<G: Rules>(seats: u8) -> Shown {
        let seats_of_match = Seat::all().take(seats.into());
        let table = |seat| Table::new(G::layout(), seats, Viewer::Seat(seat));
        Shown(seats_of_match.map(table).collect())
    }

    /// What the seat sees of the house's table.
    pub fn of(&mut self, table: &Table, seat: Seat) -> &Table {
        let seen = &mut self.0[seat.index()];
        table.show_to(seen);
        seen
    }

    /// What was shown last to the seat.
    pub fn last(&self, seat: Seat) -> &Table {
        &self.0[seat.index()]
    }
}

/// What a seat did.
pub enum Did<A> {
    /// It left an optional prompt alone.
    Waited,
    Acted(A),
}

impl<G: Rules> Played<G> {
    pub fn new(terms: &Terms, secret: &Secret, shown: &mut Shown) -> Played<G> {
        let chance = secret.chance();
        let (table, _) = open::<G>(terms.seats, &terms.options, &[], &mut chance.after(0));
        Played::at(table, chance, terms, shown)
    }

    /// A match that goes on from a table of the house.
    pub fn at(table: Table, chance: MatchChance, terms: &Terms, shown: &mut Shown) -> Played<G> {
        let mut played = Played {
            table,
            chance,
            asked: None,
            may_wait: false,
            legal: Vec::new(),
            heard: Seats::default(),
            steps: 0,
        };
        played.ask(terms, shown);
        played
    }

    /// Takes over from another match how far it is, and who was asked since.
    pub fn go_on_as(&mut self, other: &Played<G>, terms: &Terms, shown: &mut Shown) {
        (self.heard, self.steps) = (other.heard, other.steps);
        self.ask(terms, shown);
    }

    /// How many indices the seat that is asked can choose from.
    pub fn count(&self) -> usize {
        self.legal.len() + usize::from(self.may_wait)
    }

    pub fn is_over(&self, terms: &Terms) -> bool {
        self.asked.is_none() || self.steps >= terms.steps_max
    }

    pub fn check(&self, index: i64) -> Result<(Seat, usize), Fault> {
        let seat = self.asked.ok_or(Fault::Ended)?;
        let known = usize::try_from(index).ok().filter(|it| *it < self.count());
        let illegal = || Fault::IllegalAction { index, seat, count: self.count() };
        Ok((seat, known.ok_or_else(illegal)?))
    }

    /// The seat that is asked chooses.
    pub fn act(
        &mut self,
        index: i64,
        terms: &Terms,
        shown: &mut Shown,
    ) -> Result<Did<G::Action>, Fault> {
        let (seat, index) = self.check(index)?;
        let did = match index.checked_sub(usize::from(self.may_wait)) {
            None => {
                self.heard.add(seat);
                Did::Waited
            }
            Some(nth) => {
                let action = self.legal.swap_remove(nth);
                self.carry_out(seat, &action)?;
                Did::Acted(action)
            }
        };
        self.steps += 1;
        self.ask(terms, shown);
        Ok(did)
    }

    /// Plays an action of a seat, whoever is asked. Call [`ask`](Played::ask) afterwards.
    pub fn carry_out(&mut self, seat: Seat, action: &G::Action) -> Result<(), Fault> {
        let is_optional = self.table.prompt(seat).is_some_and(|it| !it.must);
        let mut chance = self.chance.after(self.table.choices().into());
        let advanced = advance::<G>(&mut self.table, seat, action, &mut chance);
        advanced.map_err(|refused| Fault::Refused(refused.to_string()))?;
        match is_optional {
            true => self.heard.add(seat),
            false => self.heard = Seats::default(),
        }
        Ok(())
    }

    /// Finds the seat that is asked next. Seats that need not act are asked first, each once for a
    /// decision that the match waits for; then those that must, clockwise from the turn.
    pub fn ask(&mut self, terms: &Terms, shown: &mut Shown) {
        (self.asked, self.may_wait) = (None, false);
        self.legal.clear();
        if self.table.ended() {
            return;
        }
        let (mut has_must, mut has_optional) = (false, false);
        self.table.live().for_each(|it| {
            has_must |= it.must;
            has_optional |= !it.must;
        });
        // If the match waits for nobody, whoever may act has to.
        if has_optional && (terms.asks_optional || !has_must) {
            for seat in self.table.from(self.table.turn()) {
                let is_asked = self.table.prompt(seat).is_some_and(|it| !it.must);
                if !is_asked || has_must && self.heard.has(seat) {
                    continue;
                }
                let mut legal = G::legal(shown.of(&self.table, seat), seat);
                if !legal.is_empty() {
                    legal.truncate(terms.actions_max - usize::from(has_must));
                    (self.asked, self.may_wait, self.legal) = (Some(seat), has_must, legal);
                    return;
                }
            }
        }
        let mut from_turn = self.table.from(self.table.turn());
        let must = from_turn.find(|&seat| self.table.prompt(seat).is_some_and(|it| it.must));
        if let Some(seat) = must {
            self.legal = G::legal(shown.of(&self.table, seat), seat);
            self.legal.truncate(terms.actions_max);
            self.asked = Some(seat);
        }
    }
}

/// Plays the actions of a match again, and records them. Returns the entries and the last table.
pub fn recorded<G: Rules>(
    terms: &Terms,
    secret: &Secret,
    actions: &[(Seat, G::Action)],
) -> Result<(Vec<Entry>, Table), Fault> {
    let chance = secret.chance();
    let opened = open::<G>(terms.seats, &terms.options, &[], &mut chance.after(0));
    let (mut table, first) = opened;
    let mut entries = vec![first];
    for (seat, action) in actions {
        let mut chance = chance.after(table.choices().into());
        let played = play::<G>(&table, *seat, action, &mut chance);
        let (after, entry) = played.map_err(|it| Fault::Refused(it.to_string()))?;
        table = after;
        entries.push(entry);
    }
    Ok((entries, table))
}
