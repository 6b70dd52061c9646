//! What a game's table is before anything happens on it: places, pieces, purses and words, by
//! number and by name.

use std::collections::BTreeMap;

use crate::{
    AnnouncementId, BackId, CoinId, Component, DecisionId, MarkId, PIECES_MAX, Piece, PlaceId,
    Seat, Small, Viewers,
    rules::{OPEN, RESIGN},
};

/// A game's table as the game declares it. The functions take the game's own words and name every
/// case, so that a new word must say what it means and who sees it.
pub struct Plan<P, C, M, A, T, B> {
    pub catalogue: Catalogue,
    /// Who sees the faces of pieces and the number of coins in a place.
    pub sight: fn(P) -> Sight,
    /// Whether such coins can lie in a place.
    pub purse: fn(P, C) -> Purse,
    /// What each coin, mark, prompt and back is, in a sentence for people who draw the table. The
    /// sentence of a coin that is a degree, such as honor, begins with `How`: it is gained and
    /// lost.
    pub coin: fn(C) -> &'static str,
    pub mark: fn(M) -> Meaning,
    pub decision: fn(A) -> &'static str,
    pub back: fn(B) -> &'static str,
    /// What is told, with `{seat}`, `{value}` and `{argument}` to be filled in.
    pub announcement: fn(T) -> &'static str,
    /// The kinds of action and what they do.
    pub verbs: &'static [(&'static str, &'static str)],
}

/// Who sees the faces of the pieces, and the number of coins, in a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    All,
    Only(Seat),
    /// A pile lying face down: an unordered set, whose order is decided as it is drawn from.
    Nobody,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purse {
    /// Such coins never lie here.
    None,
    /// Holds what it was paid; never less than nothing.
    Held,
    /// Where coins come from and return to. Goes below zero, so that each coin sums to zero over
    /// the table.
    Bank,
}

/// What a mark's value stands for.
pub struct Meaning {
    pub description: &'static str,
    values: fn(&[String]) -> Option<Vec<String>>,
}

impl Meaning {
    /// A number of something, or a flag that is 0 or 1.
    pub const fn number(description: &'static str) -> Meaning {
        Meaning { description, values: |_| None }
    }
    /// One of a game's own small things, or nothing.
    pub const fn one_of<T: Small>(description: &'static str) -> Meaning {
        Meaning {
            description,
            values: |pieces| Some(T::all().map(|it| it.spell(pieces)).collect()),
        }
    }
}

/// The pieces of a game in the order of their numbers, built row by row.
#[derive(Default)]
pub struct Catalogue {
    rows: Vec<PieceRow>,
}

/// Where a row of a catalogue comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Stated in the printed rulebook.
    Printed,
    /// A public fact about the printed game.
    PublicFact,
    /// Our own proposal, until the printed one is known.
    Design,
}

impl Origin {
    /// Its public name.
    pub fn name(self) -> &'static str {
        match self {
            Origin::Printed => "printed",
            Origin::PublicFact => "public-fact",
            Origin::Design => "design",
        }
    }
}

impl Catalogue {
    /// Adds the next piece, lying at `start` until it is moved. Its name is unique in the game.
    pub fn add(
        &mut self,
        name: impl Into<String>,
        start: impl Into<PlaceId>,
        back: impl Into<BackId>,
        origin: Origin,
    ) -> &mut PieceRow {
        let piece =
            Piece::nth(self.rows.len()).expect("a catalogue holds PIECES_MAX pieces at most");
        self.rows.push(PieceRow {
            piece,
            name: name.into(),
            start: start.into(),
            back: back.into(),
            layer: 0,
            origin,
            facets: Vec::new(),
        });
        self.rows.last_mut().expect("a row was added")
    }
}

/// A piece, as a client needs it to draw it.
#[derive(Debug)]
pub struct PieceRow {
    pub piece: Piece,
    pub name: String,
    pub start: PlaceId,
    /// What everyone sees of it while it lies face down.
    pub back: BackId,
    /// In a pile, lower layers are drawn before higher ones.
    pub layer: u8,
    pub origin: Origin,
    /// What the catalogue says of it, such as its suits.
    pub facets: Vec<(&'static str, String)>,
}

impl PieceRow {
    pub fn layer(&mut self, layer: u8) -> &mut Self {
        self.layer = layer;
        self
    }
    pub fn facet(&mut self, name: &'static str, value: impl ToString) -> &mut Self {
        self.facets.push((name, value.to_string()));
        self
    }
}

#[derive(Debug)]
pub struct PlaceRow {
    pub id: PlaceId,
    /// Such as `hand/2`.
    pub name: String,
    /// Whose place it is, if it is a seat's. A match with fewer seats has no use for it.
    pub seat: Option<Seat>,
    pub sight: Sight,
}

#[derive(Debug)]
pub struct PurseRow {
    pub place: PlaceId,
    pub coin: CoinId,
    pub is_bank: bool,
}

/// A word of the game: what it is called in public, and what it means.
#[derive(Debug)]
pub struct Term<Id> {
    pub id: Id,
    pub name: String,
    /// A sentence; for what is told, the phrase with `{seat}` and `{value}` to be filled in.
    pub description: String,
}

/// The values of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values<'a> {
    Number,
    /// 0 is nothing, 1 the first of these.
    OneOf(&'a [String]),
}

/// A game's table: one per game, for good. Built once, never stored with a match.
pub struct Layout {
    place: Numbers,
    coin: Numbers,
    mark: Numbers,
    decision: Numbers,
    announcement: Numbers,
    back: Numbers,
    viewers: Vec<Viewers>,
    /// By place, then coin: which purse of the table it is; [`NO_PURSE`] where such coins never
    /// lie.
    purse: Vec<u16>,
    backs_of: Vec<BackId>,
    pub(crate) layers: Vec<u8>,

    places: Vec<PlaceRow>,
    pieces: Vec<PieceRow>,
    purses: Vec<PurseRow>,
    coins: Vec<Term<CoinId>>,
    marks: Vec<Term<MarkId>>,
    values: Vec<Option<Vec<String>>>,
    decisions: Vec<Term<DecisionId>>,
    announcements: Vec<Term<AnnouncementId>>,
    backs: Vec<Term<BackId>>,
    verbs: Vec<Term<()>>,

    place_by_name: BTreeMap<String, PlaceId>,
    piece_by_name: BTreeMap<String, Piece>,
}

pub(crate) const NO_PURSE: u16 = u16::MAX;

impl Layout {
    /// Panics where a plan names two things alike: a mistake that no game gets past its first test
    /// with.
    pub fn of<P, C, M, A, T, B>(plan: Plan<P, C, M, A, T, B>) -> Layout
    where
        P: Small + Into<PlaceId>,
        C: Small + Into<CoinId>,
        M: Small + Into<MarkId>,
        A: Small + Into<DecisionId>,
        T: Small + Into<AnnouncementId>,
        B: Small + Into<BackId>,
    {
        let pieces = plan.catalogue.rows;
        assert!(pieces.len() <= PIECES_MAX);
        let names: Vec<String> = pieces.iter().map(|row| row.name.clone()).collect();
        let sight = plan.sight;
        let places: Vec<PlaceRow> = P::all()
            .map(|place| PlaceRow {
                id: place.into(),
                name: place.spell(&names),
                seat: place.seat(),
                sight: sight(place),
            })
            .collect();
        let (purse, purses) = number_purses(plan.purse);
        let house_verbs = [
            (OPEN, "The house lays out the opening."),
            (
                RESIGN,
                "Gives up: the house answers for the seat from now on, and the seat does not win.",
            ),
        ];
        let verbs = house_verbs.iter().chain(plan.verbs);
        Layout {
            place: Numbers::of::<P>(),
            coin: Numbers::of::<C>(),
            mark: Numbers::of::<M>(),
            decision: Numbers::of::<A>(),
            announcement: Numbers::of::<T>(),
            back: Numbers::of::<B>(),
            viewers: places.iter().map(|row| row.sight.viewers()).collect(),
            purse,
            purses,
            backs_of: pieces.iter().map(|row| row.back).collect(),
            layers: pieces.iter().map(|row| row.layer).collect(),
            coins: words(&names, |coin| (plan.coin)(coin).into()),
            marks: words(&names, |mark| (plan.mark)(mark).description.into()),
            values: M::all().map(|mark| ((plan.mark)(mark).values)(&names)).collect(),
            decisions: words(&names, |decision| (plan.decision)(decision).into()),
            announcements: words(&names, |announcement: T| {
                let name = announcement.spell(&names);
                let argument = name.split_once('/').map_or("", |(_, argument)| argument);
                (plan.announcement)(announcement).replace("{argument}", argument)
            }),
            backs: words(&names, |back| (plan.back)(back).into()),
            verbs: verbs
                .map(|&(name, description)| Term {
                    id: (),
                    name: name.into(),
                    description: description.into(),
                })
                .collect(),
            place_by_name: by_name(places.iter().map(|row| (&row.name, row.id))),
            piece_by_name: by_name(pieces.iter().map(|row| (&row.name, row.piece))),
            places,
            pieces,
        }
    }
}

impl Sight {
    fn viewers(self) -> Viewers {
        match self {
            Sight::All => Viewers::ALL,
            Sight::Only(seat) => Viewers::only(seat),
            Sight::Nobody => Viewers::NOBODY,
        }
    }
}

fn number_purses<P, C>(purse: fn(P, C) -> Purse) -> (Vec<u16>, Vec<PurseRow>)
where
    P: Small + Into<PlaceId>,
    C: Small + Into<CoinId>,
{
    let (mut numbers, mut rows) = (Vec::new(), Vec::new());
    for (place, coin) in P::all().flat_map(|place| C::all().map(move |coin| (place, coin))) {
        let kind = purse(place, coin);
        numbers.push(if kind == Purse::None { NO_PURSE } else { rows.len() as u16 });
        if kind != Purse::None {
            rows.push(PurseRow {
                place: place.into(),
                coin: coin.into(),
                is_bank: kind == Purse::Bank,
            });
        }
    }
    (numbers, rows)
}

fn words<W: Small + Into<Id>, Id>(
    pieces: &[String],
    description: impl Fn(W) -> String,
) -> Vec<Term<Id>> {
    W::all()
        .map(|it| Term { id: it.into(), name: it.spell(pieces), description: description(it) })
        .collect()
}

fn by_name<'a, T>(rows: impl Iterator<Item = (&'a String, T)>) -> BTreeMap<String, T> {
    let mut names = BTreeMap::new();
    for (name, row) in rows {
        assert!(names.insert(name.clone(), row).is_none(), "{name} is named twice");
    }
    names
}

// === What a client needs to draw the table ===

impl Layout {
    pub fn places(&self) -> &[PlaceRow] {
        &self.places
    }
    /// The places of a match with so many seats.
    pub fn places_of(&self, seats: u8) -> impl Iterator<Item = &PlaceRow> {
        self.places.iter().filter(move |row| row.seat.is_none_or(|seat| u8::from(seat) < seats))
    }
    pub fn pieces(&self) -> &[PieceRow] {
        &self.pieces
    }
    pub fn purses(&self) -> &[PurseRow] {
        &self.purses
    }
    pub fn coins(&self) -> &[Term<CoinId>] {
        &self.coins
    }
    pub fn marks(&self) -> &[Term<MarkId>] {
        &self.marks
    }
    pub fn decisions(&self) -> &[Term<DecisionId>] {
        &self.decisions
    }
    pub fn announcements(&self) -> &[Term<AnnouncementId>] {
        &self.announcements
    }
    pub fn backs(&self) -> &[Term<BackId>] {
        &self.backs
    }
    pub fn verbs(&self) -> &[Term<()>] {
        &self.verbs
    }
}

// === From numbers to names and back ===
//
// Numbers inside entries and tables were checked when they were decoded; for one of another game
// these panic.

impl Layout {
    pub fn place_name(&self, place: PlaceId) -> &str {
        &self.places[self.place.row(place.0)].name
    }
    pub fn place_named(&self, name: &str) -> Option<PlaceId> {
        self.place_by_name.get(name).copied()
    }
    pub fn piece_name(&self, piece: impl Into<Piece>) -> &str {
        &self.pieces[piece.into().index()].name
    }
    pub fn piece_named(&self, name: &str) -> Option<Piece> {
        self.piece_by_name.get(name).copied()
    }
    /// The piece of that name, if it is of that kind.
    pub fn named<C: Component>(&self, name: &str) -> Option<C> {
        self.piece_named(name).and_then(C::of)
    }
    pub fn coin_name(&self, coin: CoinId) -> &str {
        &self.coins[self.coin.row(coin.0)].name
    }
    pub fn mark_name(&self, mark: MarkId) -> &str {
        &self.marks[self.mark.row(mark.0)].name
    }
    pub fn mark_values(&self, mark: MarkId) -> Values<'_> {
        self.values[self.mark.row(mark.0)].as_deref().map_or(Values::Number, Values::OneOf)
    }
    /// What a value of a mark names; none for a number.
    pub fn mark_value(&self, mark: MarkId, value: i16) -> Option<&str> {
        let Values::OneOf(names) = self.mark_values(mark) else { return None };
        let nth = usize::try_from(value).ok().and_then(|value| value.checked_sub(1));
        Some(nth.and_then(|nth| names.get(nth)).map_or("nothing", String::as_str))
    }
    pub fn decision_name(&self, decision: DecisionId) -> &str {
        &self.decisions[self.decision.row(decision.0)].name
    }
    pub fn announcement_name(&self, announcement: AnnouncementId) -> &str {
        &self.announcements[self.announcement.row(announcement.0)].name
    }
    /// What is told, with `{seat}` and `{value}` to be filled in.
    pub fn announcement_phrase(&self, announcement: AnnouncementId) -> &str {
        &self.announcements[self.announcement.row(announcement.0)].description
    }
    pub fn back_name(&self, back: BackId) -> &str {
        &self.backs[self.back.row(back.0)].name
    }
    /// The layout's own copy of a verb; none if the game has no such verb.
    pub fn verb(&self, name: &str) -> Option<&str> {
        self.verbs.iter().map(|verb| verb.name.as_str()).find(|verb| *verb == name)
    }
}

// === What the table, the redaction and the decoder ask ===

impl Layout {
    #[inline]
    pub fn viewers(&self, place: PlaceId) -> Viewers {
        self.viewers[self.place.row(place.0)]
    }
    #[inline]
    pub fn back(&self, piece: Piece) -> BackId {
        self.backs_of[piece.index()]
    }
    /// Whether two pieces cannot be told apart while they lie face down.
    pub fn alike(&self, p: Piece, q: Piece) -> bool {
        self.back(p) == self.back(q) && self.layers[p.index()] == self.layers[q.index()]
    }
    #[inline]
    pub(crate) fn mark_row(&self, mark: MarkId) -> usize {
        self.mark.row(mark.0)
    }
    #[inline]
    pub(crate) fn coin_row(&self, coin: CoinId) -> usize {
        self.coin.row(coin.0)
    }
    /// The purse for such coins in a place, if the game declares one.
    #[inline]
    pub(crate) fn purse(&self, place: PlaceId, coin: CoinId) -> Option<usize> {
        let row = self.place.row(place.0) * self.coin.count;
        let purse = self.purse[row + self.coin.row(coin.0)];
        (purse != NO_PURSE).then_some(purse.into())
    }
    /// The purses of a place, in the order of their coins.
    pub(crate) fn purses_at(&self, place: PlaceId) -> impl Iterator<Item = usize> {
        let row = self.place.row(place.0) * self.coin.count;
        let purses = self.purse[row..row + self.coin.count].iter();
        purses.filter(|&&purse| purse != NO_PURSE).map(|&purse| purse.into())
    }

    // Numbers from outside become ids here, or nothing.

    pub(crate) fn piece(&self, number: u32) -> Option<Piece> {
        let number = number as usize;
        (number < self.pieces.len()).then(|| Piece::nth(number)).flatten()
    }
    pub(crate) fn place(&self, number: u32) -> Option<PlaceId> {
        self.place.code(number).map(PlaceId)
    }
    pub(crate) fn coin(&self, number: u32) -> Option<CoinId> {
        self.coin.code(number).map(CoinId)
    }
    pub(crate) fn mark(&self, number: u32) -> Option<MarkId> {
        self.mark.code(number).map(MarkId)
    }
    pub(crate) fn decision(&self, number: u32) -> Option<DecisionId> {
        self.decision.code(number).map(DecisionId)
    }
    pub(crate) fn announcement(&self, number: u32) -> Option<AnnouncementId> {
        self.announcement.code(number).map(AnnouncementId)
    }
}

/// A game has one layout, so tables of the same game share it.
impl PartialEq for Layout {
    fn eq(&self, other: &Layout) -> bool {
        std::ptr::eq(self, other)
    }
}

/// From the numbers of the log to rows without gaps.
struct Numbers {
    /// By case: its first row. One more at the end, so that a case's rows are between two.
    first: Vec<u16>,
    count: usize,
}

impl Numbers {
    fn of<T: Small>() -> Numbers {
        let mut first = Vec::new();
        for (row, code) in T::all().map(T::code).enumerate() {
            if usize::from(code & 63) == first.len() {
                first.push(row as u16);
            }
        }
        first.push(T::COUNT as u16);
        Numbers { first, count: T::COUNT }
    }

    #[inline]
    fn row(&self, code: u16) -> usize {
        usize::from(self.first[usize::from(code & 63)] + (code >> 6))
    }

    fn code(&self, number: u32) -> Option<u16> {
        let code = u16::try_from(number).ok()?;
        let case = usize::from(code & 63);
        let rows = self.first.get(case + 1)? - self.first[case];
        (code >> 6 < rows).then_some(code)
    }
}

/// The layout as it is frozen: one line for each number, what it is called, and who sees it. Lines
/// may be added to what was ever published, never changed or removed, for old logs hold these
/// numbers.
impl std::fmt::Display for Layout {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for row in &self.places {
            let sight = match row.sight {
                Sight::All => "seen by all".to_string(),
                Sight::Only(seat) => format!("seen by seat {seat}"),
                Sight::Nobody => "seen by nobody".to_string(),
            };
            writeln!(f, "place {} {}: {sight}", row.id.0, row.name)?;
        }
        for row in &self.pieces {
            let (start, back) = (self.place_name(row.start), self.back_name(row.back));
            writeln!(
                f,
                "piece {} {}: back {back}, starts at {start}, layer {}",
                row.piece.0, row.name, row.layer
            )?;
        }
        for row in &self.purses {
            let (place, coin) = (self.place_name(row.place), self.coin_name(row.coin));
            writeln!(f, "purse {place} {coin}: {}", if row.is_bank { "bank" } else { "held" })?;
        }
        let coins = self.coins.iter().map(|it| ("coin", it.id.0, &it.name));
        let marks = self.marks.iter().map(|it| ("mark", it.id.0, &it.name));
        let decisions = self.decisions.iter().map(|it| ("decision", it.id.0, &it.name));
        let announcements = self.announcements.iter().map(|it| ("announcement", it.id.0, &it.name));
        let backs = self.backs.iter().map(|it| ("back", it.id.0, &it.name));
        for (kind, number, name) in
            coins.chain(marks).chain(decisions).chain(announcements).chain(backs)
        {
            writeln!(f, "{kind} {number} {name}")?;
        }
        self.verbs.iter().try_for_each(|verb| writeln!(f, "verb {}", verb.name))
    }
}
