//! What a seat knows of a match, and samples of the hidden state: whole tables that the seat cannot
//! distinguish from the real one.

// A wildcard arm would assume that seats learn nothing from future variants.
#![deny(clippy::wildcard_enum_match_arm)]

use crate::{
    BackId, Chance, CoinId, Entry, Event, Face, Layout, OfferItem, Piece, PlaceId, Prompt, Rules,
    Seat, Set, Small, Table, Viewer, Viewers, contract as pb, stored::Undecodable,
};

/// A seat's knowledge of a match: everything it was told, and nothing else.
///
/// It is built from entries only, and redacts each of them. A viewer's table drops a piece that the
/// viewer no longer sees; an observation keeps its possible places.
#[derive(Clone, PartialEq)]
pub struct Observation {
    seat: Seat,
    /// The table as the seat sees it.
    table: Table,
    /// By row of a place: every piece that may be there, as far as the seat knows.
    may_hold: Vec<Set>,
    /// By purse: payments in minus payments out, as far as the seat was told.
    told: Vec<i32>,
    /// Pairs of purses with payments of unknown amounts between them, sorted.
    untold: Vec<(usize, usize)>,
    /// How often the seat has taken a kind of action since the phase or round began, or the
    /// turn in a game without phases.
    taken: Vec<(&'static str, u32)>,
}

impl Observation {
    /// The observation of each seat of a match before the opening.
    pub fn each(layout: &'static Layout, seats: u8) -> Vec<Observation> {
        let seats_of_match = (0..seats.into()).filter_map(Seat::nth);
        seats_of_match.map(|seat| Observation::new(layout, seats, seat)).collect()
    }

    /// A seat's observation before the opening, with every piece in its starting place.
    pub fn new(layout: &'static Layout, seats: u8, seat: Seat) -> Observation {
        let mut may_hold = vec![Set::EMPTY; layout.places().len()];
        for row in layout.pieces() {
            may_hold[layout.row_of(row.start)].add(row.piece);
        }
        Observation {
            seat,
            table: Table::new(layout, seats, Viewer::Seat(seat)),
            may_hold,
            told: vec![0; layout.purses().len()],
            untold: Vec::new(),
            taken: Vec::new(),
        }
    }

    /// What a seat knows from its table alone, without its memory of how the match came there: an
    /// unseen piece may be in any place. Of hidden purses the table tells nothing, so each holds
    /// `coins`, or what its seat offers if that is more.
    ///
    /// Panics unless the table is as a seat sees it.
    pub fn of_view(seen: &Table, coins: i32) -> Observation {
        let (layout, Viewer::Seat(seat)) = (seen.layout(), seen.viewer()) else {
            panic!("a seat's table is asked for");
        };
        let all: Set = layout.pieces().iter().map(|row| row.piece).collect();
        let mut observation = Observation {
            seat,
            table: seen.clone(),
            may_hold: vec![all; layout.places().len()],
            told: seen.purses().to_vec(),
            untold: Vec::new(),
            taken: Vec::new(),
        };
        for (nth, purse) in layout.purses().iter().enumerate() {
            if !purse.is_bank && !layout.viewers(purse.place).has(seen.viewer()) {
                observation.told[nth] = coins.max(observation.promised(nth));
            }
        }
        observation
    }

    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// The table as the seat sees it.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Applies the next entry of the match, redacted or not.
    pub fn hear(&mut self, entry: &Entry) {
        let entry = entry.seen_by(Viewer::Seat(self.seat), self.table.layout());
        self.table.detach();
        for event in &entry.events {
            self.remember(event);
            self.table.apply_event(event);
        }
        self.table.prompts = entry.prompts;
        if entry.seat == Some(self.seat) {
            match self.taken.iter_mut().find(|it| it.0 == entry.verb) {
                Some((_, times)) => *times += 1,
                None => self.taken.push((entry.verb, 1)),
            }
        }
        let layout = self.table.layout();
        if entry.events.iter().any(|it| begins(it, layout)) {
            self.taken.clear();
        }
    }

    /// How often the seat has taken a kind of action since the phase or round began, or the turn in
    /// a game without phases.
    pub fn taken(&self, verb: &str) -> u32 {
        self.taken.iter().find(|it| it.0 == verb).map_or(0, |it| it.1)
    }

    /// Whether the seat can rule out that a piece is in a place.
    pub fn rules_out(&self, piece: Piece, place: PlaceId) -> bool {
        !self.may_hold[self.table.layout().row_of(place)].has(piece)
    }

    /// `event` has not been applied to the table yet.
    fn remember(&mut self, event: &Event) {
        match *event {
            Event::Moved { what: Face::Up(piece), from: _, to } => self.locate(piece, to),
            Event::Moved { what: Face::Down(back), from, to } => {
                let left = self.may_leave(from, back);
                self.add(to, left);
            }
            Event::Moved { what: Face::Uncounted, from, to } => {
                let left = *self.held(from);
                self.add(to, left);
            }
            Event::Gathered { from, to } => {
                let gathered = std::mem::take(self.held(from));
                self.add(to, gathered);
            }
            Event::Shown { what: Face::Up(piece), at, to: _ } => self.locate(piece, at),
            Event::Paid { coin, from, to, amount, aloud: _ } => self.pay(coin, from, to, amount),
            Event::Shown { what: Face::Down(_) | Face::Uncounted, at: _, to: _ }
            | Event::Marked { .. }
            | Event::Rolled { .. }
            | Event::Announced { .. }
            | Event::RoundBegan(_)
            | Event::PhaseBegan(_)
            | Event::TurnBegan(_)
            | Event::Offered(_)
            | Event::OfferClosed { .. }
            | Event::Said { .. }
            | Event::Stood { .. }
            | Event::Contributed(_)
            | Event::Scored { .. }
            | Event::Resigned { .. }
            | Event::TimedOut { .. }
            | Event::TimeAdded { .. }
            | Event::Ended { .. }
            | Event::TookBack { .. }
            | Event::Voted { .. }
            | Event::Paused { .. }
            | Event::Resumed { .. }
            | Event::Abandoned
            | Event::Replaced { .. } => {}
        }
    }

    fn held(&mut self, place: PlaceId) -> &mut Set {
        &mut self.may_hold[self.table.layout().row_of(place)]
    }

    fn add(&mut self, place: PlaceId, pieces: Set) {
        let held = self.held(place);
        *held = held.or(&pieces);
    }

    fn locate(&mut self, piece: Piece, place: PlaceId) {
        let it = Set::one(piece);
        self.may_hold.iter_mut().for_each(|held| *held = held.without(&it));
        self.add(place, it);
    }

    /// The pieces with this back, one of which may be leaving a place.
    ///
    /// Lower layers of a pile are drawn first: a piece can leave only if the pieces that may be
    /// there, from its layer on up, suffice for the number in the place.
    fn may_leave(&self, from: PlaceId, back: BackId) -> Set {
        let layout = self.table.layout();
        let here = self.may_hold[layout.row_of(from)];
        let here: Vec<Piece> = here.iter().filter(|&it| layout.back(it) == back).collect();
        if layout.viewers(from) != Viewers::NOBODY {
            return here.into_iter().collect();
        }
        let count = self.table.unseen_at(from, back);
        let layer = |piece: Piece| layout.pieces()[piece.index()].layer;
        let reaches = |low: u8| here.iter().filter(|&&it| layer(it) >= low).count() >= count;
        here.iter().copied().filter(|&it| reaches(layer(it))).collect()
    }

    fn pay(&mut self, coin: CoinId, from: PlaceId, to: PlaceId, amount: Option<u32>) {
        let layout = self.table.layout();
        let (Some(from), Some(to)) = (layout.purse(from, coin), layout.purse(to, coin)) else {
            return;
        };
        match amount {
            Some(amount) => {
                self.told[from] = self.told[from].wrapping_sub(amount as i32);
                self.told[to] = self.told[to].wrapping_add(amount as i32);
            }
            None => {
                let pair = (from.min(to), from.max(to));
                if let Err(at) = self.untold.binary_search(&pair) {
                    self.untold.insert(at, pair);
                }
            }
        }
    }
}

// === As a message of the contract ===

impl Observation {
    /// The observation as a message of the contract.
    pub fn describe(&self) -> pb::Observation {
        let view =
            pb::View { seats: self.table.seat_count() as u32, table: self.table.encode_view() };
        let may_hold = self.may_hold.iter().map(|it| it.to_bytes().to_vec().into());
        let untold = self.untold.iter().flat_map(|&(one, other)| [one as u32, other as u32]);
        let taken = self.taken.iter().map(|&(verb, times)| (verb.to_owned(), times));
        pb::Observation {
            seat: u8::from(self.seat).into(),
            view: Some(view),
            may_hold: may_hold.collect(),
            told: self.told.clone(),
            untold: untold.collect(),
            taken: taken.collect(),
        }
    }

    /// The observation that a message describes, of a match with this layout.
    pub fn described(
        it: &pb::Observation,
        layout: &'static Layout,
    ) -> Result<Observation, Undecodable> {
        let out_of_range =
            |what| move |number: usize| Undecodable::OutOfRange { what, number: number as i64 };
        let view = it.view.as_ref().ok_or(Undecodable::Missing("table"))?;
        let seats = u8::try_from(view.seats)
            .map_err(|_| out_of_range("number of seats")(view.seats as usize))?;
        let table = Table::decode_view(&view.table, layout, seats)?;
        let seat = Seat::nth(it.seat as usize).filter(|it| table.viewer() == Viewer::Seat(*it));
        let seat = seat.ok_or_else(|| out_of_range("seat")(it.seat as usize))?;
        let may_hold = it.may_hold.iter().map(|bytes| {
            let bytes = bytes[..].try_into().map_err(|_| out_of_range("set")(bytes.len()))?;
            Ok::<_, Undecodable>(Set::of_bytes(bytes))
        });
        let may_hold = may_hold.collect::<Result<Vec<Set>, _>>()?;
        let (places, purses) = (layout.places().len(), layout.purses().len());
        if may_hold.len() != places {
            return Err(out_of_range("number of places")(may_hold.len()));
        }
        if it.told.len() != purses {
            return Err(out_of_range("number of purses")(it.told.len()));
        }
        let (pairs, rest) = it.untold.as_chunks::<2>();
        let purse = |&number: &u32| match number as usize {
            number if number < purses && rest.is_empty() => Ok(number),
            number => Err(out_of_range("purse")(number)),
        };
        let untold = pairs.iter().map(|[one, other]| Ok((purse(one)?, purse(other)?)));
        let mut untold = untold.collect::<Result<Vec<_>, Undecodable>>()?;
        untold.sort_unstable();
        let taken = it.taken.iter().map(|(verb, &times)| {
            let known = layout.verb(verb);
            Ok((known.ok_or_else(|| Undecodable::NoSuchVerb(verb.clone()))?, times))
        });
        let taken = taken.collect::<Result<_, Undecodable>>()?;
        Ok(Observation { seat, table, may_hold, told: it.told.clone(), untold, taken })
    }
}

/// Whether a phase or round begins, or a turn in a game that has no phases.
fn begins(event: &Event, layout: &Layout) -> bool {
    let is_turn = matches!(event, Event::TurnBegan(_));
    is_turn && layout.phases().is_empty()
        || matches!(event, Event::PhaseBegan(_) | Event::RoundBegan(_))
}

// === Whole tables ===

/// How many tables are sampled, at most, until one is consistent. Almost always the first is.
const SAMPLES_MAX: usize = 64;

impl Observation {
    /// A random whole table that the seat cannot distinguish from the real one and on which every
    /// seat that must act can act: a prompt is evidence of its seat's hand.
    pub fn imagine<G: Rules>(&self, chance: &mut dyn Chance) -> Table {
        self.imagine_where(&|whole, seat| !G::legal(whole, seat).is_empty(), chance)
    }

    /// The same by rules that say whether a seat can act.
    pub fn imagine_where(
        &self,
        can_act: &dyn Fn(&Table, Seat) -> bool,
        chance: &mut dyn Chance,
    ) -> Table {
        let mut whole = self.sample(chance);
        for _ in 1..SAMPLES_MAX {
            if self.others_can_act(&whole, can_act) {
                break;
            }
            whole = self.sample(chance);
        }
        whole
    }

    /// Whether the other seats that must act can.
    fn others_can_act(&self, whole: &Table, can_act: &dyn Fn(&Table, Seat) -> bool) -> bool {
        let is_asked =
            |it: &&Prompt| it.must && it.seat != self.seat && !whole.resigned().has(it.seat);
        let mut asked = whole.live().filter(is_asked);
        whole.is_paused() || asked.all(|it| can_act(whole, it.seat))
    }

    /// A random whole table that, redacted for the seat, equals what the seat sees.
    pub fn sample(&self, chance: &mut dyn Chance) -> Table {
        let mut whole = self.table.imagined();
        let unknown: Vec<Piece> = self.table.unplaced().collect();
        let mut backs: Vec<BackId> = unknown.iter().map(|&it| whole.layout().back(it)).collect();
        backs.sort_unstable();
        backs.dedup();
        for back in backs {
            let pieces = unknown.iter().copied().filter(|&it| whole.layout().back(it) == back);
            self.place(back, pieces.collect(), &mut whole, chance);
        }
        self.fill_purses(&mut whole, chance);
        whole
    }

    /// Places the pieces with one back whose places the seat does not know.
    fn place(&self, back: BackId, pieces: Vec<Piece>, whole: &mut Table, chance: &mut dyn Chance) {
        let layout = whole.layout();
        let counted = self.table.unseen_with(back);
        let spots = counted.map(|(place, count)| Spots {
            may_hold: self.may_hold[layout.row_of(place)],
            left: count,
            held: Vec::new(),
        });
        let mut spots: Vec<Spots> = spots.collect();
        // The remaining pieces are in places that the seat cannot count.
        let screened: Vec<PlaceId> = self.table.uncounted().collect();
        let left = pieces.len() - spots.iter().map(|it| it.left).sum::<usize>().min(pieces.len());
        let may_hold = screened.iter().map(|&it| self.may_hold[layout.row_of(it)]);
        let may_hold = may_hold.fold(Set::EMPTY, |all, it| all.or(&it));
        spots.push(Spots { may_hold, left, held: Vec::new() });

        let choices = |piece: Piece| spots.iter().filter(|it| it.may_hold.has(piece)).count();
        let mut pieces: Vec<(usize, Piece)> =
            pieces.into_iter().map(|it| (choices(it), it)).collect();
        pieces.sort_unstable();
        for (_, piece) in pieces {
            assign(piece, &mut spots, chance);
        }
        let (behind_screens, counted) = spots.split_last().expect("one was pushed");
        let places = self.table.unseen_with(back).map(|(place, _)| place);
        for (place, spots) in places.zip(counted) {
            spots.held.iter().for_each(|&piece| whole.put_down(piece, place));
        }
        for &piece in &behind_screens.held {
            let open = screened.iter().filter(|&&place| !self.rules_out(piece, place));
            let open: Vec<PlaceId> = open.copied().collect();
            let open = if open.is_empty() { &screened } else { &open };
            whole.put_down(piece, open[chance.below(open.len())]);
        }
    }

    /// Fills the purses that the seat does not see. Of purses connected by unknown payments, the
    /// seat knows only the sum, which is divided at random.
    fn fill_purses(&self, whole: &mut Table, chance: &mut dyn Chance) {
        let layout = whole.layout();
        let viewer = Viewer::Seat(self.seat);
        let is_hidden = |purse: &usize| !layout.viewers(layout.purses()[*purse].place).has(viewer);
        let mut open: Vec<usize> = (0..layout.purses().len()).filter(is_hidden).collect();
        open.iter().for_each(|&purse| whole.coins[purse] = self.told[purse]);
        open.retain(|purse| self.untold.iter().any(|pair| pair.0 == *purse || pair.1 == *purse));
        while let Some(first) = open.pop() {
            let mut group = vec![first];
            while let Some(at) = open.iter().position(|it| self.are_tied(*it, &group)) {
                group.push(open.swap_remove(at));
            }
            self.share(&group, whole, chance);
        }
    }

    fn are_tied(&self, purse: usize, group: &[usize]) -> bool {
        let pair = |other: &usize| (purse.min(*other), purse.max(*other));
        group.iter().any(|other| self.untold.binary_search(&pair(other)).is_ok())
    }

    fn share(&self, group: &[usize], whole: &mut Table, chance: &mut dyn Chance) {
        let layout = whole.layout();
        let (banks, held): (Vec<usize>, Vec<usize>) =
            group.iter().partition(|&&purse| layout.purses()[purse].is_bank);
        let total: i32 = group.iter().map(|&purse| self.told[purse]).sum();
        let least: Vec<i32> = held.iter().map(|&purse| self.promised(purse)).collect();
        if let [bank, others @ ..] = &banks[..] {
            others.iter().for_each(|&bank| whole.coins[bank] = 0);
            for (&purse, &least) in held.iter().zip(&least) {
                whole.coins[purse] = self.told[purse].max(least);
            }
            let held: i32 = held.iter().map(|&purse| whole.coins[purse]).sum();
            whole.coins[*bank] = total - held;
            return;
        }
        // Open offers set a minimum per purse; all divisions of the other coins are equally likely.
        let spare = (total - least.iter().sum::<i32>()).max(0);
        let cut = |_| chance.below(spare as usize + 1) as i32;
        let mut cuts: Vec<i32> = held.iter().skip(1).map(cut).collect();
        cuts.sort_unstable();
        cuts.push(spare);
        let mut before = 0;
        for ((&purse, least), cut) in held.iter().zip(least).zip(cuts) {
            whole.coins[purse] = least + cut - before;
            before = cut;
        }
    }

    /// The minimum that a purse holds, because its seat offers that much.
    fn promised(&self, purse: usize) -> i32 {
        let layout = self.table.layout();
        let items = self.table.offers().iter().flat_map(|offer| &offer.give);
        let promised = items.map(|item| match *item {
            OfferItem::Coins { coin, from, amount, .. }
                if layout.purse(from, coin) == Some(purse) =>
            {
                amount as i32
            }
            OfferItem::Coins { .. } | OfferItem::Piece { .. } => 0,
        });
        promised.max().unwrap_or(0)
    }
}

/// Room for unknown pieces in a place, or behind all screens together.
struct Spots {
    may_hold: Set,
    left: usize,
    held: Vec<Piece>,
}

/// Gives a piece a random free spot where it may be. If there is none, it moves other pieces.
fn assign(piece: Piece, spots: &mut [Spots], chance: &mut dyn Chance) {
    let is_open = |it: &Spots| it.left > 0 && it.may_hold.has(piece);
    let open: usize = spots.iter().filter(|it| is_open(it)).map(|it| it.left).sum();
    if open > 0 {
        let mut nth = chance.below(open);
        for spot in spots.iter_mut().filter(|it| is_open(it)) {
            match nth.checked_sub(spot.left) {
                Some(rest) => nth = rest,
                None => {
                    spot.left -= 1;
                    spot.held.push(piece);
                    return;
                }
            }
        }
    }
    if !make_room(piece, spots, &mut vec![false; spots.len()]) {
        // There is no matching only if the rules took a piece out of a pile without drawing it.
        let spot = spots.iter_mut().find(|it| it.left > 0).expect("as many spots as pieces");
        spot.left -= 1;
        spot.held.push(piece);
    }
}

/// Finds an augmenting path of the matching. Returns whether the piece got a spot.
fn make_room(piece: Piece, spots: &mut [Spots], tried: &mut [bool]) -> bool {
    for n in 0..spots.len() {
        if tried[n] || !spots[n].may_hold.has(piece) {
            continue;
        }
        tried[n] = true;
        if spots[n].left > 0 {
            spots[n].left -= 1;
            spots[n].held.push(piece);
            return true;
        }
        for held in 0..spots[n].held.len() {
            let other = spots[n].held[held];
            if make_room(other, spots, tried) {
                spots[n].held[held] = piece;
                return true;
            }
        }
    }
    false
}
