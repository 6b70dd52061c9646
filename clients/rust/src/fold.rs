//! The fold of the entries that a viewer receives, which gives the table as the service shows it.
//! `docs/decisions/0055-rust-client-folds-by-the-layout.md` says why it is one of its own.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use contract::names::{HOUSE, seat_number};
use contract::v1::event::Kind;
use contract::v1::{
    Arrangement, Ended, Entry, Event, Game, Layout, Marked, Moved, Place, PlaceContents, Purse,
    ScorePart, Sight, StandingAnswer, Table, Unseen,
};

/// An entry that cannot be applied to a table: read the view at its position instead.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum FoldError {
    /// The game was listed, and only a game that was read alone has a layout.
    #[error("the game has no layout: read it with `games().get`")]
    NoLayout,
    /// An entry is missing before this one.
    #[error("the entry at {position} does not follow {after}")]
    Gap {
        /// The position of the entry.
        position: i32,
        /// The position of the table.
        after: i32,
    },
    /// A later release of the service recorded it.
    #[error("an event is of a kind that this release does not know")]
    UnknownEvent,
    /// The layout is that of an earlier release of the service.
    #[error("the layout has no {what} {name:?}")]
    Unknown {
        /// What is unknown, such as `piece`.
        what: &'static str,
        /// Its name.
        name: String,
    },
}

/// A game's layout, by names and numbers, on which entries are folded.
pub struct Fold {
    layout: Layout,
    places: Rows,
    pieces: Rows,
    backs: Rows,
    coins: Rows,
    marks: Rows,
    /// By piece: its back.
    back: Vec<usize>,
}

/// The names of a list of the layout, and their rows.
struct Rows {
    what: &'static str,
    rows: HashMap<String, usize>,
}

impl Rows {
    fn of<'a>(what: &'static str, names: impl Iterator<Item = &'a String>) -> Rows {
        Rows { what, rows: names.cloned().zip(0..).collect() }
    }

    fn row(&self, name: &str) -> Result<usize, FoldError> {
        let unknown = || FoldError::Unknown { what: self.what, name: name.to_owned() };
        self.rows.get(name).copied().ok_or_else(unknown)
    }
}

impl Fold {
    /// The board of a game, which needs its layout.
    pub fn of(game: &Game) -> Result<Fold, FoldError> {
        let layout = game.layout.clone().ok_or(FoldError::NoLayout)?;
        let backs = Rows::of("back", layout.backs.iter().map(|it| &it.name));
        let back = layout.pieces.iter().map(|it| backs.row(&it.back)).collect::<Result<_, _>>()?;
        Ok(Fold {
            places: Rows::of("place", layout.places.iter().map(|it| &it.name)),
            pieces: Rows::of("piece", layout.pieces.iter().map(|it| &it.name)),
            coins: Rows::of("coin", layout.coins.iter().map(|it| &it.name)),
            marks: Rows::of("mark", layout.marks.iter().map(|it| &it.name)),
            backs,
            back,
            layout,
        })
    }

    /// The table before the first entry: every piece in its starting place, no coin paid. The
    /// viewer is `seats/{seat}`, `spectator` or `house`.
    pub fn empty_table(
        &self,
        match_name: &str,
        seats: usize,
        viewer: &str,
    ) -> Result<Table, FoldError> {
        let table = Table {
            r#match: match_name.to_owned(),
            viewer: viewer.to_owned(),
            scores: vec![0; seats],
            ..Table::default()
        };
        let mut folding = Folding::new(self, table)?;
        for (piece, row) in self.layout.pieces.iter().enumerate() {
            let start = self.places.row(&row.start)?;
            folding.lay(Face::Up(piece), start);
        }
        Ok(folding.finish())
    }

    /// The table after an entry. It equals `GetView` at the entry's position for the same viewer,
    /// without texts and without the times of prompts, which are told of now only.
    pub fn apply(&self, table: &Table, entry: &Entry) -> Result<Table, FoldError> {
        if entry.position != table.position + 1 {
            let (position, after) = (entry.position, table.position);
            return Err(FoldError::Gap { position, after });
        }
        let mut folding = Folding::new(self, table.clone())?;
        entry.events.iter().try_for_each(|event| folding.apply(event))?;
        let mut table = folding.finish();
        table.position = entry.position;
        table.digest.clone_from(&entry.digest);
        table.prompts = entry.prompts.clone();
        Ok(plain(table))
    }

    /// The place, piece or other row of a number of this board.
    fn place(&self, place: usize) -> &Place {
        &self.layout.places[place]
    }
}

/// A table as a fold gives it: without texts, and without the times of prompts.
pub(crate) fn plain(mut table: Table) -> Table {
    table.text.clear();
    let purses = table.places.iter_mut().flat_map(|place| &mut place.purses);
    purses.for_each(|purse| purse.text.clear());
    table.score_parts.iter_mut().for_each(|part| part.title.clear());
    let items = table.offers.iter_mut().flat_map(|it| it.give.iter_mut().chain(&mut it.take));
    items.for_each(|item| item.text.clear());
    for prompt in &mut table.prompts {
        prompt.text.clear();
        prompt.opened_time = None;
        prompt.deadline = None;
    }
    table
}

/// A piece as the viewer knows it: face up, face down, or any number of unknown ones.
#[derive(Clone, Copy)]
enum Face {
    Up(usize),
    Down(usize),
    Uncounted,
}

/// What lies in a place that an entry touches, by row.
#[derive(Default)]
struct Contents {
    pieces: BTreeSet<usize>,
    unseen: BTreeMap<usize, i64>,
    purses: BTreeMap<usize, i32>,
}

/// The state between two tables.
struct Folding<'a> {
    board: &'a Fold,
    table: Table,
    is_house: bool,
    seat: Option<u32>,
    /// By piece: its place, if the viewer knows it.
    at: HashMap<usize, usize>,
    /// By place: what is there now, if an event touched it.
    touched: BTreeMap<usize, Contents>,
    /// By place: what was there before.
    before: BTreeMap<usize, PlaceContents>,
    marks: Option<BTreeMap<usize, i32>>,
}

impl<'a> Folding<'a> {
    fn new(board: &'a Fold, mut table: Table) -> Result<Folding<'a>, FoldError> {
        let (mut at, mut before) = (HashMap::new(), BTreeMap::new());
        for contents in std::mem::take(&mut table.places) {
            let place = board.places.row(&contents.place)?;
            for piece in &contents.pieces {
                at.insert(board.pieces.row(piece)?, place);
            }
            before.insert(place, contents);
        }
        let is_house = table.viewer == HOUSE;
        let seat = seat_number(&table.viewer).ok();
        let touched = BTreeMap::new();
        Ok(Folding { board, table, is_house, seat, at, touched, before, marks: None })
    }

    fn apply(&mut self, event: &Event) -> Result<(), FoldError> {
        let table = &mut self.table;
        match event.kind.as_ref().ok_or(FoldError::UnknownEvent)? {
            Kind::Moved(it) => {
                let (from, to) = (self.place(&it.from)?, self.place(&it.to)?);
                let what = self.face(it)?;
                self.lift(what, from);
                self.lay(what, to);
            }
            Kind::Gathered(it) => {
                let (from, to) = (self.place(&it.from)?, self.place(&it.to)?);
                self.gather(from, to);
            }
            Kind::Shown(it) if it.piece.is_empty() => {}
            Kind::Shown(it) => {
                let (piece, at) = (self.board.pieces.row(&it.piece)?, self.place(&it.at)?);
                self.show(piece, at);
            }
            Kind::Paid(it) => {
                let coin = self.board.coins.row(&it.coin)?;
                let amount = it.amount.unwrap_or_default() as i32;
                for (place, change) in [(&it.from, amount.wrapping_neg()), (&it.to, amount)] {
                    let place = self.place(place)?;
                    self.pay(coin, place, change);
                }
            }
            Kind::Marked(it) => self.mark(it)?,
            Kind::RoundBegan(round) => table.round = *round,
            Kind::PhaseBegan(phase) => table.phase = *phase,
            Kind::TurnBegan(seat) => table.turn = *seat,
            Kind::Offered(offer) => table.offers.push(offer.clone()),
            Kind::OfferClosed(by) => table.offers.retain(|offer| offer.by != *by),
            Kind::Announced(it) if it.points != 0 => {
                let (seat, part) = (it.seat, it.announcement.clone());
                table.score_parts.retain(|other| (other.seat, &other.part) != (seat, &part));
                let points = it.points;
                table.score_parts.push(ScorePart { seat, part, points, ..ScorePart::default() });
            }
            Kind::Scored(it) => {
                if let Some(score) = table.scores.get_mut(it.seat as usize) {
                    *score = it.points;
                }
            }
            Kind::Resigned(seat) => {
                if let Err(at) = table.resigned.binary_search(seat) {
                    table.resigned.insert(at, *seat);
                }
            }
            Kind::Replaced(it) => {
                table.resigned.retain(|seat| *seat != it.seat);
                table.standing.retain(|standing| standing.seat != it.seat);
            }
            Kind::Stood(it) => {
                let (seat, decision) = (it.seat, it.decision.clone());
                let answer = StandingAnswer { seat, decision };
                table.standing.retain(|standing| *standing != answer);
                if it.on {
                    table.standing.push(answer);
                }
            }
            Kind::Ended(ended) => self.end(ended.clone()),
            Kind::Abandoned(_) => self.end(Ended::default()),
            // What is told, and changes nothing on the table.
            Kind::Rolled(_)
            | Kind::Announced(_)
            | Kind::Said(_)
            | Kind::Contributed(_)
            | Kind::TimedOut(_)
            | Kind::TimeAdded(_)
            | Kind::TookBack(_)
            | Kind::Voted(_)
            | Kind::Paused(_)
            | Kind::Resumed(_) => {}
        }
        Ok(())
    }

    fn place(&self, name: &str) -> Result<usize, FoldError> {
        self.board.places.row(name)
    }

    fn face(&self, it: &Moved) -> Result<Face, FoldError> {
        Ok(match (it.piece.is_empty(), it.back.is_empty()) {
            (false, _) => Face::Up(self.board.pieces.row(&it.piece)?),
            (true, false) => Face::Down(self.board.backs.row(&it.back)?),
            (true, true) => Face::Uncounted,
        })
    }

    fn end(&mut self, ended: Ended) {
        self.table.ended = Some(ended);
        self.table.offers.clear();
    }

    fn mark(&mut self, it: &Marked) -> Result<(), FoldError> {
        let rows = &self.board.marks;
        if self.marks.is_none() {
            let marks = self.table.marks.iter().map(|it| Ok((rows.row(&it.mark)?, it.value)));
            self.marks = Some(marks.collect::<Result<_, FoldError>>()?);
        }
        let row = rows.row(&it.mark)?;
        self.marks.get_or_insert_default().insert(row, it.value);
        Ok(())
    }

    fn lay(&mut self, what: Face, to: usize) {
        match what {
            Face::Up(piece) if self.sees(to) => self.put(piece, to),
            Face::Up(piece) => self.count(to, self.board.back[piece], 1),
            Face::Down(back) => self.count(to, back, 1),
            Face::Uncounted => {}
        }
    }

    fn lift(&mut self, what: Face, from: usize) {
        match what {
            Face::Up(piece) if self.at.get(&piece) == Some(&from) => self.take(piece),
            Face::Up(piece) => self.count(from, self.board.back[piece], -1),
            Face::Down(back) => {
                // Any of the pieces that were shown here may have left.
                self.forget(from);
                self.count(from, back, -1);
            }
            Face::Uncounted => self.forget(from),
        }
    }

    fn gather(&mut self, from: usize, to: usize) {
        if !(self.sees(from) && self.sees(to)) {
            self.forget(from);
        }
        for piece in self.pieces_in(from) {
            self.take(piece);
            self.lay(Face::Up(piece), to);
        }
        for (back, count) in std::mem::take(&mut self.contents(from).unseen) {
            self.count(to, back, count);
        }
    }

    /// A viewer remembers a shown piece until an unseen piece leaves its place.
    fn show(&mut self, piece: usize, at: usize) {
        if !self.is_house && self.at.get(&piece) != Some(&at) {
            self.count(at, self.board.back[piece], -1);
            self.put(piece, at);
        }
    }

    /// Turns the pieces that were shown in a place back into unseen ones.
    fn forget(&mut self, place: usize) {
        if self.sees(place) {
            return;
        }
        for piece in self.pieces_in(place) {
            self.take(piece);
            self.count(place, self.board.back[piece], 1);
        }
    }

    fn pieces_in(&mut self, place: usize) -> Vec<usize> {
        self.contents(place).pieces.iter().copied().collect()
    }

    fn put(&mut self, piece: usize, place: usize) {
        self.take(piece);
        self.at.insert(piece, place);
        self.contents(place).pieces.insert(piece);
    }

    fn take(&mut self, piece: usize) {
        if let Some(place) = self.at.remove(&piece) {
            self.contents(place).pieces.remove(&piece);
        }
    }

    fn count(&mut self, place: usize, back: usize, change: i64) {
        if self.counts(place) {
            *self.contents(place).unseen.entry(back).or_default() += change;
        }
    }

    fn pay(&mut self, coin: usize, place: usize, change: i32) {
        let name = &self.board.layout.coins[coin].name;
        let has_purse = self.board.place(place).purses.iter().any(|it| it.coin == *name);
        if has_purse && self.sees(place) {
            let amount = self.contents(place).purses.entry(coin).or_default();
            *amount = amount.wrapping_add(change);
        }
    }

    fn sees(&self, place: usize) -> bool {
        let place = self.board.place(place);
        match place.sight() {
            _ if self.is_house => true,
            Sight::All => true,
            Sight::Seat => place.seen_by.is_some() && place.seen_by == self.seat,
            Sight::Nobody | Sight::Unspecified => false,
        }
    }

    fn counts(&self, place: usize) -> bool {
        let place = self.board.place(place);
        let is_own = place.seen_by.is_some() && place.seen_by == self.seat;
        self.is_house || !place.count_hidden || is_own
    }

    /// What lies in a place, open for changes. Names that the table has are those of the board:
    /// they came from it, or from the service by the same layout.
    fn contents(&mut self, place: usize) -> &mut Contents {
        let (board, before) = (self.board, &self.before);
        self.touched.entry(place).or_insert_with(|| {
            let Some(before) = before.get(&place) else { return Contents::default() };
            let row = |rows: &Rows, name: &String| rows.row(name).ok();
            let unseen = before.unseen.iter();
            let purses = before.purses.iter();
            Contents {
                pieces: before.pieces.iter().filter_map(|it| row(&board.pieces, it)).collect(),
                unseen: unseen
                    .filter_map(|it| Some((row(&board.backs, &it.back)?, it.count.into())))
                    .collect(),
                purses: purses
                    .filter_map(|it| Some((row(&board.coins, &it.coin)?, it.amount)))
                    .collect(),
            }
        })
    }

    /// The table that the events led to.
    fn finish(mut self) -> Table {
        let seats = self.table.scores.len();
        let mut places = Vec::new();
        for (row, place) in self.board.layout.places.iter().enumerate() {
            if place.seat.is_some_and(|seat| seat as usize >= seats) {
                continue;
            }
            let count_hidden = !self.counts(row);
            let contents = match (self.touched.get(&row), self.before.remove(&row)) {
                (Some(touched), _) => self.rendered(place, touched, count_hidden),
                (None, Some(before)) => before,
                (None, None) => self.rendered(place, &Contents::default(), count_hidden),
            };
            let PlaceContents { pieces, unseen, purses, .. } = &contents;
            let is_empty = pieces.is_empty() && unseen.is_empty() && purses.is_empty();
            if count_hidden || !is_empty {
                places.push(contents);
            }
        }
        self.table.places = places;
        if let Some(marks) = self.marks {
            let name = |row: usize| self.board.layout.marks[row].name.clone();
            let set = marks.into_iter().filter(|(_, value)| *value != 0);
            self.table.marks = set.map(|(row, value)| Marked { mark: name(row), value }).collect();
        }
        self.table
    }

    fn rendered(&self, place: &Place, contents: &Contents, count_hidden: bool) -> PlaceContents {
        let layout = &self.board.layout;
        let unseen = contents.unseen.iter().filter(|(_, count)| **count != 0);
        let purses = contents.purses.iter().filter(|(_, amount)| **amount != 0);
        PlaceContents {
            place: place.name.clone(),
            pieces: contents.pieces.iter().map(|it| layout.pieces[*it].name.clone()).collect(),
            unseen: unseen
                .map(|(back, count)| Unseen {
                    back: layout.backs[*back].name.clone(),
                    count: *count as u32,
                })
                .collect(),
            purses: purses
                .map(|(coin, amount)| Purse {
                    coin: layout.coins[*coin].name.clone(),
                    amount: *amount,
                    ..Purse::default()
                })
                .collect(),
            count_hidden,
            top: self.top(place, &contents.pieces).unwrap_or_default(),
        }
    }

    /// The piece on top of a pile that everyone sees, if layers tell which it is.
    fn top(&self, place: &Place, pieces: &BTreeSet<usize>) -> Option<String> {
        let is_pile = place.arrangement() == Arrangement::Pile && place.sight() == Sight::All;
        let rows = &self.board.layout.pieces;
        let first = pieces.iter().filter(|_| is_pile).min_by_key(|it| rows[**it].layer)?;
        let layer = rows[*first].layer;
        let is_alone = pieces.iter().filter(|it| rows[**it].layer == layer).count() == 1;
        is_alone.then(|| rows[*first].name.clone())
    }
}
