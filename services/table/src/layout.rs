//! A game's table before anything happens on it: its places, pieces, purses, marks and other terms,
//! by number and by name.

use std::{collections::BTreeMap, fmt, marker::PhantomData, ops::Index};

use crate::{
    AnnouncementId, BackId, CoinId, Component, DecisionId, MarkId, PIECES_MAX, Piece, PlaceId,
    Seat, Small, Viewers,
    ids::{Id, kind},
    rules::{OPEN, RESIGN, SAY, STAND},
};

/// A game's table as the game declares it: an enum each for places, coins, marks, decisions,
/// announcements and backs, and functions over them. The functions match every case, so a new case
/// does not compile until it has a meaning and viewers.
///
/// # The narrated story
///
/// The command-line client narrates a match from the layout and the events alone, so names and
/// order matter to its readers:
///
/// - Place names are read aloud: `hand/2` is "Ada's hand", `spots/1/plot-7` is "Bruno's spots of
///   plot 7". Pieces that go to a place called `discard`, or `…-discard`, are discarded.
/// - Coins from or to a bank come from or go to nowhere: "Ada gets 3 credits".
/// - Events in a row that move pieces between the same two places, pay the same coins from the same
///   place, show pieces in the same place, or roll dice for the same seat are narrated as one. So
///   deal all cards of one hand before the next. In the opening, the order does not matter.
/// - An announcement that begins with `{seat}`, about the seat that acts, opens the sentence of
///   that action. Otherwise the action's verb does.
/// - Marks are not narrated.
pub struct Plan<P, C, M, D, A, B> {
    pub catalogue: Catalogue,
    /// Who sees the faces of pieces and the number of coins in a place.
    pub sight: fn(P) -> Sight,
    /// Whether a place can hold such coins.
    pub purse: fn(P, C) -> Purse,
    /// What a coin is, in a sentence for people who draw the table. The sentence of a coin that
    /// measures something, such as honor, begins with `How`: seats gain and lose it.
    pub coin: fn(C) -> &'static str,
    /// What a mark means, and what its values stand for. Setting a mark is not narrated: announce
    /// what players should read.
    pub mark: fn(M) -> Meaning,
    /// What a seat decides, in a sentence.
    pub decision: fn(D) -> &'static str,
    /// What a back looks like, in a sentence.
    pub back: fn(B) -> &'static str,
    /// What an announcement reads, with `{seat}`, `{value}` and `{argument}` as placeholders.
    pub announcement: fn(A) -> &'static str,
    /// The kinds of action and what they do.
    pub verbs: &'static [(&'static str, &'static str)],
}

/// Who sees the faces of the pieces, and the number of coins, in a place.
///
/// No place has an order, not even one that everyone sees. Where a rule needs an order, as for the
/// top card of a discard pile, give that card a place of its own, or number the places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    All,
    Only(Seat),
    /// A pile that is face down. Its order is decided by chance as pieces are drawn.
    Nobody,
}

/// Whether a place can hold coins of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purse {
    /// The place never holds such coins.
    None,
    /// Holds what was paid into it, and never less than 0.
    Held,
    /// Where coins come from and return to. Goes below 0, so that each coin sums to 0 over the
    /// table.
    Bank,
}

/// What the values of a mark stand for.
pub struct Meaning {
    pub description: &'static str,
    values: fn(&[String]) -> Option<Vec<String>>,
}

impl Meaning {
    /// A number of something, or a flag that is 0 or 1.
    pub const fn number(description: &'static str) -> Meaning {
        Meaning { description, values: |_| None }
    }
    /// A value of one of the game's own small types, or nothing.
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
    /// Our own design, until the printed one is known.
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
    /// Adds the next piece, which is at `start` until it is moved. Its name is unique in the game.
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
    /// What everyone sees of it while it is face down.
    pub back: BackId,
    /// In a pile, lower layers are drawn before higher ones.
    pub layer: u8,
    pub origin: Origin,
    /// Its properties in the catalogue, such as its suits.
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

/// A place and who sees it.
#[derive(Debug)]
pub struct PlaceRow {
    pub id: PlaceId,
    /// Such as `hand/2`.
    pub name: String,
    /// The seat it belongs to, if any. Matches with fewer seats do not have it.
    pub seat: Option<Seat>,
    pub sight: Sight,
}

/// A place that can hold coins of a kind.
#[derive(Debug)]
pub struct PurseRow {
    pub place: PlaceId,
    pub coin: CoinId,
    pub is_bank: bool,
}

/// A term of the game: a coin, mark, decision, announcement, back or verb.
#[derive(Debug)]
pub struct Term<Id> {
    pub id: Id,
    pub name: String,
    /// A sentence. For an announcement, what it reads, with `{seat}` and `{value}` as placeholders.
    pub description: String,
}

/// The values of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values<'a> {
    Number,
    /// 0 is nothing, 1 the first of these.
    OneOf(&'a [String]),
}

/// A game's table: one per game, built once and never stored with a match.
pub struct Layout {
    pub(crate) places: Family<kind::Place, PlaceRow>,
    pub(crate) coins: Family<kind::Coin>,
    pub(crate) marks: Family<kind::Mark>,
    pub(crate) decisions: Family<kind::Decision>,
    pub(crate) announcements: Family<kind::Announcement>,
    pub(crate) backs: Family<kind::Back>,
    pieces: Vec<PieceRow>,
    purses: Vec<PurseRow>,
    verbs: Vec<Term<()>>,

    // By row, for the functions that every event calls.
    viewers: Vec<Viewers>,
    /// By place, then coin: the row of the purse, or [`NO_PURSE`].
    purse: Vec<u16>,
    backs_of: Vec<BackId>,
    pub(crate) layers: Vec<u8>,

    /// By mark: the names of its values.
    values: Vec<Option<Vec<String>>>,
    place_by_name: BTreeMap<String, PlaceId>,
    piece_by_name: BTreeMap<String, Piece>,
}

pub(crate) const NO_PURSE: u16 = u16::MAX;

impl Layout {
    /// Panics if a plan gives two places or two pieces the same name.
    pub fn of<P, C, M, D, A, B>(plan: Plan<P, C, M, D, A, B>) -> Layout
    where
        P: Small + Into<PlaceId>,
        C: Small + Into<CoinId>,
        M: Small + Into<MarkId>,
        D: Small + Into<DecisionId>,
        A: Small + Into<AnnouncementId>,
        B: Small + Into<BackId>,
    {
        let pieces = plan.catalogue.rows;
        assert!(pieces.len() <= PIECES_MAX);
        let names: Vec<String> = pieces.iter().map(|row| row.name.clone()).collect();
        let places = Family::of(|place: P| PlaceRow {
            id: place.into(),
            name: place.spell(&names),
            seat: place.seat(),
            sight: (plan.sight)(place),
        });
        let announcements = terms(&names, |announcement: A| {
            let name = announcement.spell(&names);
            let argument = name.split_once('/').map_or("", |(_, argument)| argument);
            (plan.announcement)(announcement).replace("{argument}", argument)
        });
        let (purse, purses) = number_purses(plan.purse);
        Layout {
            viewers: places.rows.iter().map(|row| row.sight.viewers()).collect(),
            purse,
            purses,
            backs_of: pieces.iter().map(|row| row.back).collect(),
            layers: pieces.iter().map(|row| row.layer).collect(),
            coins: terms(&names, |coin| (plan.coin)(coin).into()),
            marks: terms(&names, |mark| (plan.mark)(mark).description.into()),
            values: M::all().map(|mark| ((plan.mark)(mark).values)(&names)).collect(),
            decisions: terms(&names, |decision| (plan.decision)(decision).into()),
            announcements,
            backs: terms(&names, |back| (plan.back)(back).into()),
            verbs: COMMON_VERBS.iter().chain(plan.verbs).map(verb).collect(),
            place_by_name: by_name(places.rows.iter().map(|row| (&row.name, row.id))),
            piece_by_name: by_name(pieces.iter().map(|row| (&row.name, row.piece))),
            places,
            pieces,
        }
    }
}

/// The verbs of every game.
const COMMON_VERBS: [(&str, &str); 4] = [
    (OPEN, "The house lays out the opening."),
    (RESIGN, "Gives up: the house answers for the seat from now on, and the seat does not win."),
    (SAY, "Says something to everyone, or to some seats in private. It is not binding."),
    (STAND, "Lets the house answer a decision from now on, as if the seat were away, or not."),
];

fn verb(&(name, description): &(&str, &str)) -> Term<()> {
    Term { id: (), name: name.into(), description: description.into() }
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

fn terms<T, K>(pieces: &[String], description: impl Fn(T) -> String) -> Family<K>
where
    T: Small + Into<Id<K>>,
{
    Family::of(|own: T| Term {
        id: own.into(),
        name: own.spell(pieces),
        description: description(own),
    })
}

fn by_name<'a, T>(rows: impl Iterator<Item = (&'a String, T)>) -> BTreeMap<String, T> {
    let mut names = BTreeMap::new();
    for (name, row) in rows {
        assert!(names.insert(name.clone(), row).is_none(), "{name} is named twice");
    }
    names
}

// === Families: all places, all coins, and so on ===

/// All rows of one kind, found by id.
pub(crate) struct Family<K, Row = Term<Id<K>>> {
    /// By case of the game's own enum: its first row. One more at the end, so that the rows of a
    /// case end where those of the next one begin.
    first: Vec<u16>,
    rows: Vec<Row>,
    kind: PhantomData<K>,
}

impl<K, Row> Family<K, Row> {
    fn of<T: Small>(row: impl Fn(T) -> Row) -> Self {
        let mut first = Vec::new();
        for (row, code) in T::all().map(T::code).enumerate() {
            if usize::from(code & 63) == first.len() {
                first.push(row as u16);
            }
        }
        first.push(T::COUNT as u16);
        Family { first, rows: T::all().map(row).collect(), kind: PhantomData }
    }

    /// The row of an id. Panics, or gives a row of another id, if the id is of another game.
    #[inline]
    pub(crate) fn row(&self, id: Id<K>) -> usize {
        let number = id.number();
        usize::from(self.first[usize::from(number & 63)] + (number >> 6))
    }

    /// The id behind a number that may come from anywhere.
    pub(crate) fn id(&self, number: u32) -> Option<Id<K>> {
        let number = u16::try_from(number).ok()?;
        let case = usize::from(number & 63);
        let rows = self.first.get(case + 1)? - self.first[case];
        (number >> 6 < rows).then(|| Id::numbered(number))
    }

    pub(crate) fn get(&self, id: Id<K>) -> Option<&Row> {
        let id = self.id(id.number().into())?;
        Some(&self[id])
    }

    fn len(&self) -> usize {
        self.rows.len()
    }
}

impl<K, Row> Index<Id<K>> for Family<K, Row> {
    type Output = Row;
    #[inline]
    fn index(&self, id: Id<K>) -> &Row {
        &self.rows[self.row(id)]
    }
}

// === What a client needs to draw the table ===

impl Layout {
    pub fn places(&self) -> &[PlaceRow] {
        &self.places.rows
    }
    /// The places of a match with so many seats.
    pub fn places_of(&self, seats: u8) -> impl Iterator<Item = &PlaceRow> {
        let places = self.places.rows.iter();
        places.filter(move |row| row.seat.is_none_or(|seat| u8::from(seat) < seats))
    }
    pub fn pieces(&self) -> &[PieceRow] {
        &self.pieces
    }
    pub fn purses(&self) -> &[PurseRow] {
        &self.purses
    }
    pub fn coins(&self) -> &[Term<CoinId>] {
        &self.coins.rows
    }
    pub fn marks(&self) -> &[Term<MarkId>] {
        &self.marks.rows
    }
    pub fn decisions(&self) -> &[Term<DecisionId>] {
        &self.decisions.rows
    }
    pub fn announcements(&self) -> &[Term<AnnouncementId>] {
        &self.announcements.rows
    }
    pub fn backs(&self) -> &[Term<BackId>] {
        &self.backs.rows
    }
    pub fn verbs(&self) -> &[Term<()>] {
        &self.verbs
    }
}

// === From ids to names and back ===
//
// Ids inside entries and tables were checked when they were decoded; these functions may panic for
// an id of another game.

impl Layout {
    pub fn place_name(&self, place: PlaceId) -> &str {
        &self.places[place].name
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
        &self.coins[coin].name
    }
    pub fn mark_name(&self, mark: MarkId) -> &str {
        &self.marks[mark].name
    }
    pub fn mark_values(&self, mark: MarkId) -> Values<'_> {
        self.values[self.marks.row(mark)].as_deref().map_or(Values::Number, Values::OneOf)
    }
    /// The name of a mark's value; none if the value is a number.
    pub fn mark_value(&self, mark: MarkId, value: i16) -> Option<&str> {
        let Values::OneOf(names) = self.mark_values(mark) else { return None };
        let nth = usize::try_from(value).ok().and_then(|value| value.checked_sub(1));
        Some(nth.and_then(|nth| names.get(nth)).map_or("nothing", String::as_str))
    }
    pub fn decision_name(&self, decision: DecisionId) -> &str {
        &self.decisions[decision].name
    }
    pub fn announcement_name(&self, announcement: AnnouncementId) -> &str {
        &self.announcements[announcement].name
    }
    /// What an announcement reads, with `{seat}` and `{value}` as placeholders.
    pub fn announcement_phrase(&self, announcement: AnnouncementId) -> &str {
        &self.announcements[announcement].description
    }
    pub fn back_name(&self, back: BackId) -> &str {
        &self.backs[back].name
    }
    /// The layout's own copy of a verb; none if the game has no such verb.
    pub fn verb(&self, name: &str) -> Option<&str> {
        self.verbs.iter().map(|verb| verb.name.as_str()).find(|verb| *verb == name)
    }
}

// === What tables, redaction and decoding read ===

impl Layout {
    #[inline]
    pub fn viewers(&self, place: PlaceId) -> Viewers {
        self.viewers[self.places.row(place)]
    }
    #[inline]
    pub fn back(&self, piece: Piece) -> BackId {
        self.backs_of[piece.index()]
    }
    /// Whether two pieces cannot be distinguished while they are face down.
    pub fn alike(&self, p: Piece, q: Piece) -> bool {
        self.back(p) == self.back(q) && self.layers[p.index()] == self.layers[q.index()]
    }
    /// The row of the purse for such coins in a place, if the game declares one.
    #[inline]
    pub(crate) fn purse(&self, place: PlaceId, coin: CoinId) -> Option<usize> {
        let row = self.places.row(place) * self.coins.len();
        let purse = self.purse[row + self.coins.row(coin)];
        (purse != NO_PURSE).then_some(purse.into())
    }
    /// The rows of a place's purses, in the order of their coins.
    pub(crate) fn purses_at(&self, place: PlaceId) -> impl Iterator<Item = usize> {
        let row = self.places.row(place) * self.coins.len();
        let purses = self.purse[row..row + self.coins.len()].iter();
        purses.filter(|&&purse| purse != NO_PURSE).map(|&purse| purse.into())
    }
    /// The piece behind a number that may come from anywhere.
    pub(crate) fn piece(&self, number: u32) -> Option<Piece> {
        let number = number as usize;
        (number < self.pieces.len()).then(|| Piece::nth(number)).flatten()
    }
}

/// A game has one layout, and tables of the same game share it.
impl PartialEq for Layout {
    fn eq(&self, other: &Layout) -> bool {
        std::ptr::eq(self, other)
    }
}

/// The layout in its frozen form: a line for each number, with its name and who sees it. Published
/// lines never change and are never removed, because old logs hold these numbers.
impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.places() {
            let sight = match row.sight {
                Sight::All => "seen by all".to_string(),
                Sight::Only(seat) => format!("seen by seat {seat}"),
                Sight::Nobody => "seen by nobody".to_string(),
            };
            writeln!(f, "place {} {}: {sight}", row.id.number(), row.name)?;
        }
        for PieceRow { piece, name, start, back, layer, .. } in &self.pieces {
            let (start, back) = (self.place_name(*start), self.back_name(*back));
            let number = piece.0;
            writeln!(f, "piece {number} {name}: back {back}, starts at {start}, layer {layer}")?;
        }
        for row in &self.purses {
            let (place, coin) = (self.place_name(row.place), self.coin_name(row.coin));
            writeln!(f, "purse {place} {coin}: {}", if row.is_bank { "bank" } else { "held" })?;
        }
        write_terms(f, "coin", self.coins())?;
        write_terms(f, "mark", self.marks())?;
        write_terms(f, "decision", self.decisions())?;
        write_terms(f, "announcement", self.announcements())?;
        write_terms(f, "back", self.backs())?;
        self.verbs.iter().try_for_each(|verb| writeln!(f, "verb {}", verb.name))
    }
}

fn write_terms<K: Copy>(
    f: &mut fmt::Formatter<'_>,
    kind: &str,
    terms: &[Term<Id<K>>],
) -> fmt::Result {
    terms.iter().try_for_each(|it| writeln!(f, "{kind} {} {}", it.id.number(), it.name))
}
