//! How the table of a seat is written as numbers, by the layout of its game. No game has code here.
//!
//! Seats are relative: 0 is the seat that looks, 1 the next one clockwise. The places and marks of
//! seats turn with them, so a seat sees its own hand in the same numbers wherever it sits.

use std::collections::{BTreeMap, BTreeSet};

use games::Game;
use table::{
    Argument, BackId, CoinId, Layout, OfferItem, PlaceId, PurseRow, Seat, Small, Table, Term,
    Values, Viewer, Viewers,
};

use crate::planes::{Kind, Planes};

/// Raised with each change of what the numbers of an observation or of features mean.
const FORMAT: u32 = 1;

/// A cell that an observation does not have.
const NO_CELL: u32 = u32::MAX;

/// Writes the tables of matches of one game with one number of seats.
pub struct Encoder {
    pub game: &'static dyn Game,
    pub layout: &'static Layout,
    pub seats: u8,
    pub planes: Planes,
    /// A hash of the planes, of the features and of the layout: equal versions, equal meanings.
    pub version: String,
    views: Vec<View>,
    decisions: Numbers,
    backs: Numbers,
    coins: Numbers,
    offsets: Offsets,
}

/// The layout as one seat looks at it.
pub struct View {
    seat: u8,
    /// By number of a place: its relative place, counted from 1; 0 for one of no seat here.
    pub places: Vec<u16>,
    /// By number of a place: where its unseen pieces are counted, or [`NO_CELL`].
    hidden: Vec<u32>,
    /// By purse of the layout: its cell, or [`NO_CELL`].
    purses: Vec<u32>,
    /// By mark of the layout: its cell, or [`NO_CELL`]; and its values, if they name seats.
    marks: Vec<(u32, Option<Vec<i16>>)>,
}

/// By number of an id: its row in the layout.
struct Numbers(Vec<u16>);

impl Numbers {
    fn of(ids: impl Iterator<Item = u16>) -> Numbers {
        let mut rows = Vec::new();
        for (row, number) in ids.enumerate() {
            let number = usize::from(number);
            rows.resize(rows.len().max(number + 1), 0);
            rows[number] = row as u16;
        }
        Numbers(rows)
    }

    fn row(&self, number: u16) -> usize {
        self.0[usize::from(number)].into()
    }
}

/// Where each plane begins.
struct Offsets {
    seat: usize,
    time: usize,
    decisions: usize,
    must: usize,
    interrupted: usize,
    scores: usize,
    resigned: usize,
    winners: usize,
    ended: usize,
    offered_to: usize,
    gives: usize,
    takes: usize,
    offered: usize,
}

/// What of a layout belongs to a match with this number of seats.
pub struct Parts {
    /// The places, and the number of the relative place of each by seat that looks.
    pub places: Turned,
    pub marks: Turned,
}

/// Rows of a layout, and how they turn with the seats.
pub struct Turned {
    pub names: Vec<String>,
    /// By seat that looks, then by row of the layout: the relative row among `names`.
    pub rows: Vec<Vec<Option<usize>>>,
}

impl Turned {
    fn of<'a>(seats: u8, rows: impl Iterator<Item = (&'a str, &'a [Argument])> + Clone) -> Turned {
        let is_here = |arguments: &[Argument]| {
            arguments.iter().filter_map(Argument::seat).all(|it| u8::from(it) < seats)
        };
        let key = |name: &str, arguments: &[Argument], by: u8| {
            let case = name.split('/').next().unwrap_or_default();
            let arguments: Vec<_> =
                arguments.iter().map(|it| turned_argument(it, by, seats)).collect();
            format!("{case} {arguments:?}")
        };
        let here = rows.clone().filter(|(_, arguments)| is_here(arguments));
        let numbers: BTreeMap<String, usize> = here
            .clone()
            .enumerate()
            .map(|(nth, (name, arguments))| (key(name, arguments, 0), nth))
            .collect();
        let turn = |by: u8| {
            let row = |(name, arguments): (&str, &[Argument])| {
                let found = is_here(arguments).then(|| numbers.get(&key(name, arguments, by)));
                found.flatten().copied()
            };
            rows.clone().map(row).collect()
        };
        Turned {
            names: here.map(|(name, _)| name.to_owned()).collect(),
            rows: (0..seats).map(turn).collect(),
        }
    }
}

fn turned_argument(it: &Argument, by: u8, seats: u8) -> Argument {
    match it.seat() {
        Some(seat) => Argument::Seat(relative(seat, by, seats)),
        None => it.clone(),
    }
}

/// A seat as the seat `by` counts it.
pub fn relative(seat: Seat, by: u8, seats: u8) -> Seat {
    let nth = (u8::from(seat) + seats - by) % seats;
    Seat::nth(nth.into()).expect("it is a seat of the match")
}

impl Parts {
    pub fn of(layout: &'static Layout, seats: u8) -> Parts {
        let places = layout.places().iter().map(|it| (&it.name[..], &it.arguments[..]));
        let marks = layout.marks().iter().map(|it| (&it.name[..], &it.arguments[..]));
        Parts { places: Turned::of(seats, places), marks: Turned::of(seats, marks) }
    }
}

fn names<Id>(terms: &[Term<Id>]) -> Vec<String> {
    terms.iter().map(|it| it.name.clone()).collect()
}

fn pairs(of: &[String], and: &[String]) -> Vec<String> {
    of.iter().flat_map(|one| and.iter().map(move |other| format!("{one} {other}"))).collect()
}

impl Encoder {
    /// `features` describes the features of actions, for the version.
    pub fn new(game: &'static dyn Game, seats: u8, parts: &Parts, features: &str) -> Encoder {
        let layout = game.layout();
        let mut planes = Planes::default();
        let all_seats: Vec<String> = (0..seats).map(|it| format!("seat {it}")).collect();
        let place_names = &parts.places.names;
        let pieces: Vec<String> = layout.pieces().iter().map(|it| it.name.clone()).collect();
        let (backs, coins) = (names(layout.backs()), names(layout.coins()));

        planes.add("pieces", Kind::Category, pieces.clone(), place_names);
        // Places into which not everyone sees. They turn into each other.
        let is_hidden = |place: PlaceId| layout.viewers(place) != Viewers::ALL;
        let hidden: BTreeSet<usize> = (0..layout.places().len())
            .filter(|row| is_hidden(layout.places()[*row].id))
            .filter_map(|row| parts.places.rows[0][row])
            .collect();
        let hidden_names: Vec<String> =
            hidden.iter().map(|row| place_names[*row].clone()).collect();
        let unseen = planes.add("unseen", Kind::Count, pairs(&hidden_names, &backs), &[]);

        let purses: Vec<(usize, CoinId)> = layout
            .purses()
            .iter()
            .filter_map(|it| purse(layout, it, &parts.places.rows[0]))
            .collect();
        let purse_names = purses
            .iter()
            .map(|(place, coin)| format!("{} {}", place_names[*place], layout.coin_name(*coin)));
        let purse_names: Vec<String> = purse_names.collect();
        let coins_at = planes.add("coins", Kind::Number, purse_names, &[]);
        let marks = planes.add("marks", Kind::Number, parts.marks.names.clone(), &[]);
        let time = ["round", "phase", "turn", "paused"].map(str::to_owned).to_vec();
        let seat = planes.add("seat", Kind::Category, vec!["seat".into()], &all_seats);
        let time = planes.add("time", Kind::Number, time, &[]);
        let decisions = names(layout.decisions());
        let decision = planes.add("decisions", Kind::Category, all_seats.clone(), &decisions);
        let must = planes.add("must", Kind::Flag, all_seats.clone(), &[]);
        let interrupted = planes.add("interrupted", Kind::Category, all_seats.clone(), &decisions);
        let scores = planes.add("scores", Kind::Number, all_seats.clone(), &[]);
        let resigned = planes.add("resigned", Kind::Flag, all_seats.clone(), &[]);
        let winners = planes.add("winners", Kind::Flag, all_seats.clone(), &[]);
        let ended = planes.add("ended", Kind::Flag, vec!["ended".into()], &[]);
        let to = pairs(&all_seats, &all_seats);
        let offered_to = planes.add("offers", Kind::Count, to, &[]);
        let gives = planes.add("gives", Kind::Count, pairs(&all_seats, &coins), &[]);
        let takes = planes.add("takes", Kind::Count, pairs(&all_seats, &coins), &[]);
        let sides = pairs(&all_seats, &["gives".into(), "takes".into()]);
        let offered = planes.add("offered", Kind::Category, pieces, &sides);
        let offsets = Offsets {
            seat,
            time,
            decisions: decision,
            must,
            interrupted,
            scores,
            resigned,
            winners,
            ended,
            offered_to,
            gives,
            takes,
            offered,
        };

        let mut described = format!("format {FORMAT}\n{} of {seats}\n", game.name());
        planes.describe(&mut described);
        described += features;
        described += &layout.to_string();
        let version = blake3::hash(described.as_bytes()).to_hex()[..16].to_owned();

        let first = (unseen, coins_at, marks);
        let cells = ViewCells { hidden: &hidden, purses: &purses, first };
        Encoder {
            game,
            layout,
            seats,
            version,
            views: (0..seats).map(|by| View::of(layout, (by, seats), parts, &cells)).collect(),
            decisions: Numbers::of(layout.decisions().iter().map(|it| it.id.number())),
            backs: Numbers::of(layout.backs().iter().map(|it| it.id.number())),
            coins: Numbers::of(layout.coins().iter().map(|it| it.id.number())),
            offsets,
            planes,
        }
    }

    pub fn view(&self, seat: Seat) -> &View {
        &self.views[seat.index()]
    }

    /// Writes what the viewer of a table sees. `out` has a number for each cell of the planes. The
    /// house looks as seat 0 does, and sees everything.
    pub fn encode(&self, seen: &Table, out: &mut [i32]) {
        let viewer = match seen.viewer() {
            Viewer::Seat(seat) => seat,
            Viewer::House | Viewer::Spectator => Seat::default(),
        };
        let view = self.view(viewer);
        let at = &self.offsets;
        let pieces = self.layout.pieces().len();
        out[pieces..].fill(0);
        for (cell, row) in out.iter_mut().zip(self.layout.pieces()) {
            *cell = seen.at(row.piece).map_or(0, |it| view.place(it).into());
        }
        for &(place, back, count) in seen.unseen() {
            let cell = view.hidden[usize::from(place.number())];
            if cell != NO_CELL {
                out[cell as usize + self.back(back)] = count.into();
            }
        }
        for (&cell, coins) in view.purses.iter().zip(seen.purses()) {
            if cell != NO_CELL {
                out[cell as usize] = *coins;
            }
        }
        for ((cell, values), (_, value)) in view.marks.iter().zip(seen.marks()) {
            if *cell != NO_CELL {
                out[*cell as usize] = turned_value(values.as_deref(), value).into();
            }
        }
        let relative = |seat: Seat| relative(seat, view.seat, self.seats).index();
        out[at.seat] = i32::from(view.seat) + 1;
        out[at.time] = seen.round().into();
        out[at.time + 1] = seen.phase().into();
        out[at.time + 2] = relative(seen.turn()) as i32;
        out[at.time + 3] = seen.is_paused().into();
        let top = table::top_layer(seen.prompts());
        for prompt in seen.prompts() {
            let (seat, decision) = (relative(prompt.seat), self.decision(prompt.decision.number()));
            if prompt.layer == top {
                out[at.decisions + seat] = decision;
                out[at.must + seat] = prompt.must.into();
            } else {
                out[at.interrupted + seat] = decision;
            }
        }
        for (seat, &score) in seen.seats().zip(seen.scores()) {
            out[at.scores + relative(seat)] = score;
        }
        for seat in seen.resigned().iter() {
            out[at.resigned + relative(seat)] = 1;
        }
        if let Some(winners) = seen.winners() {
            out[at.ended] = 1;
            winners.iter().for_each(|seat| out[at.winners + relative(seat)] = 1);
        }
        for offer in seen.offers() {
            let by = relative(offer.by);
            out[at.offered_to + by * usize::from(self.seats) + relative(offer.to)] += 1;
            self.encode_items(&offer.give, (by, 0), at.gives, out);
            self.encode_items(&offer.take, (by, 1), at.takes, out);
        }
    }

    /// One side of an offer: that of the seat (0), or of the one to which it is made (1).
    fn encode_items(&self, items: &[OfferItem], of: (usize, usize), at: usize, out: &mut [i32]) {
        let (by, side) = of;
        for item in items {
            match *item {
                OfferItem::Piece { piece, to: _ } => {
                    out[self.offsets.offered + piece.index()] = (by * 2 + side) as i32 + 1;
                }
                OfferItem::Coins { coin, amount, .. } => {
                    let coin = self.coins.row(coin.number());
                    out[at + by * self.layout.coins().len() + coin] += amount as i32;
                }
            }
        }
    }

    fn back(&self, back: BackId) -> usize {
        self.backs.row(back.number())
    }

    fn decision(&self, number: u16) -> i32 {
        self.decisions.row(number) as i32 + 1
    }
}

/// The cells of a match that views share: places with unseen pieces, purses, and where the cells
/// of unseen pieces, of purses and of marks begin.
struct ViewCells<'a> {
    hidden: &'a BTreeSet<usize>,
    purses: &'a [(usize, CoinId)],
    first: (usize, usize, usize),
}

impl View {
    fn of(
        layout: &'static Layout,
        (by, seats): (u8, u8),
        parts: &Parts,
        cells: &ViewCells<'_>,
    ) -> View {
        let ViewCells { hidden, purses, first: (unseen, coins_at, marks) } = *cells;
        let backs = layout.backs();
        let (places, turned) = (layout.places(), &parts.places.rows[usize::from(by)]);
        let numbers = places.iter().map(|it| usize::from(it.id.number()) + 1).max();
        let mut view = View {
            seat: by,
            places: vec![0; numbers.unwrap_or_default()],
            hidden: vec![NO_CELL; numbers.unwrap_or_default()],
            purses: Vec::new(),
            marks: Vec::new(),
        };
        for (row, place) in places.iter().enumerate() {
            let Some(to) = turned[row] else { continue };
            let number = usize::from(place.id.number());
            view.places[number] = to as u16 + 1;
            if let Some(nth) = hidden.iter().position(|it| *it == to) {
                view.hidden[number] = (unseen + nth * backs.len()) as u32;
            }
        }
        for it in layout.purses() {
            let relative = purse(layout, it, turned);
            let nth = relative.and_then(|own| purses.iter().position(|it| *it == own));
            view.purses.push(nth.map_or(NO_CELL, |nth| (coins_at + nth) as u32));
        }
        for (row, mark) in layout.marks().iter().enumerate() {
            let to = parts.marks.rows[usize::from(by)][row];
            let cell = to.map_or(NO_CELL, |to| (marks + to) as u32);
            view.marks.push((cell, turned_values(layout.mark_values(mark.id), by, seats)));
        }
        view
    }

    /// The relative place, counted from 1.
    pub fn place(&self, place: PlaceId) -> u16 {
        self.places[usize::from(place.number())]
    }
}

/// The relative place of a purse and its coin; `None` if it is of no seat here.
fn purse(layout: &Layout, it: &PurseRow, rows: &[Option<usize>]) -> Option<(usize, CoinId)> {
    let row = layout.places().iter().position(|place| place.id == it.place)?;
    Some((rows[row]?, it.coin))
}

/// By value of a mark that names seats: the value for the seat that looks.
fn turned_values(values: Values<'_>, by: u8, seats: u8) -> Option<Vec<i16>> {
    let Values::OneOf(values) = values else { return None };
    let here = |seat: Seat| u8::from(seat) < seats;
    let turn = |nth: usize| {
        let turned = turned_argument(&values[nth].argument, by, seats);
        let found = values.iter().position(|it| it.argument == turned);
        found.unwrap_or(nth) as i16 + 1
    };
    let names_seats = values.iter().any(|it| it.argument.seat().is_some());
    names_seats.then(|| {
        (0..values.len())
            .map(|nth| match values[nth].argument.seat() {
                Some(seat) if here(seat) => turn(nth),
                _ => nth as i16 + 1,
            })
            .collect()
    })
}

fn turned_value(values: Option<&[i16]>, value: i16) -> i16 {
    let turned = values.and_then(|it| it.get(usize::try_from(value).ok()?.checked_sub(1)?));
    turned.copied().unwrap_or(value)
}
