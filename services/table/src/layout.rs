//! A game's table before anything happens on it: its places, pieces, purses, marks and other terms,
//! by number and by name.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    marker::PhantomData,
    ops::Index,
};

use crate::{
    AnnouncementId, Argument, BackId, COMMON_VERBS, CoinId, Component, DecisionId, Discloses,
    Display, FacetValue, Look, MarkId, MarkKind, MarkValue, PIECES_MAX, Piece, PieceRow, PlaceId,
    Plan, Purse, Seat, Set, Sight, Small, Viewers,
    ids::{Id, kind},
    names::{self, Names, Numbered},
};

/// A place and who sees it.
#[derive(Debug)]
pub struct PlaceRow {
    pub id: PlaceId,
    /// Such as `hand/2`.
    pub name: String,
    pub arguments: Vec<Argument>,
    /// The seat it belongs to, if any. Matches with fewer seats do not have it.
    pub seat: Option<Seat>,
    pub sight: Sight,
    pub display: Display,
}

/// A place that can hold coins of a kind.
#[derive(Debug)]
pub struct PurseRow {
    pub place: PlaceId,
    pub coin: CoinId,
    pub is_bank: bool,
}

/// A term of the game: a coin, mark, decision, announcement or back.
#[derive(Debug)]
pub struct Term<Id> {
    pub id: Id,
    /// Such as `con/moons`.
    pub name: String,
    pub arguments: Vec<Argument>,
}

impl<Id> Term<Id> {
    /// The name without the arguments, such as `con`.
    pub fn case(&self) -> &str {
        case(&self.name)
    }
}

impl PlaceRow {
    /// The name without the arguments, such as `hand`.
    pub fn case(&self) -> &str {
        case(&self.name)
    }
    /// The piece that it belongs to, such as the plot of a spot.
    pub fn piece(&self) -> Option<Piece> {
        self.arguments.iter().find_map(Argument::piece)
    }
    /// The value that it belongs to, such as a suit.
    pub fn value(&self) -> Option<&str> {
        self.arguments.iter().find_map(Argument::value)
    }
}

fn case(name: &str) -> &str {
    name.split('/').next().unwrap_or_default()
}

/// The values of a mark.
#[derive(Clone, Copy, Debug)]
pub enum Values<'a> {
    Number,
    /// 0 stands for none; 1 is the first of these.
    OneOf(&'a [MarkValue]),
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
    verbs: Vec<&'static str>,
    phases: &'static [&'static str],
    palette: &'static [(&'static str, Look)],

    // By row: precomputed for the functions that every event calls.
    viewers: Vec<Viewers>,
    counters: Vec<Viewers>,
    /// By place, then coin: the row of the purse, or [`NO_PURSE`].
    purse: Vec<u16>,
    backs_of: Vec<BackId>,
    /// The pieces of each layer, the lowest first.
    pub(crate) layers: Vec<Set>,

    /// By mark: its kind and its values.
    values: Vec<(MarkKind, Option<Vec<MarkValue>>)>,
    /// By announcement, and by coin: whether it discloses what is hidden.
    disclosing_announcements: Vec<bool>,
    disclosing_coins: Vec<bool>,
    /// By announcement: what its value counts for in a score.
    scoring: Vec<i32>,
    /// By piece: the first of its copies.
    first_copies: Vec<Piece>,
    /// See [`Layout::value_names`].
    value_names: BTreeSet<String>,
    place_by_name: BTreeMap<String, PlaceId>,
    piece_by_name: BTreeMap<String, Piece>,
}

pub(crate) const NO_PURSE: u16 = u16::MAX;

impl Layout {
    /// Panics if a plan gives two places or two pieces the same name.
    pub fn of<P, C, M, D, A, B>(plan: Plan<P, C, M, D, A, B>) -> Layout
    where
        P: Small + Into<PlaceId>,
        C: Small + Into<CoinId> + 'static,
        M: Small + Into<MarkId>,
        D: Small + Into<DecisionId>,
        A: Small + Into<AnnouncementId> + 'static,
        B: Small + Into<BackId>,
    {
        let pieces = plan.catalogue.rows;
        assert!(pieces.len() <= PIECES_MAX);
        let names: Vec<String> = pieces.iter().map(|row| row.name.clone()).collect();
        let places = Family::of(|place: P| PlaceRow {
            id: place.into(),
            name: place.spell(&names),
            arguments: place.arguments(&names),
            seat: place.seat(),
            sight: (plan.sight)(place),
            display: (plan.display)(place),
        });
        let (purse, purses) = number_purses(plan.purse);
        Layout {
            viewers: places.rows.iter().map(|row| row.sight.viewers()).collect(),
            counters: places.rows.iter().map(|row| row.sight.counters()).collect(),
            purse,
            purses,
            backs_of: pieces.iter().map(|row| row.back).collect(),
            layers: layers(&pieces),
            coins: terms::<C, _>(&names),
            marks: terms::<M, _>(&names),
            values: M::all().map(plan.mark).map(|it| (it.kind, (it.values)(&names))).collect(),
            decisions: terms::<D, _>(&names),
            disclosing_announcements: marked(plan.discloses.iter().filter_map(|it| match *it {
                Discloses::Announcement(announcement) => Some(announcement),
                Discloses::Coin(_) => None,
            })),
            disclosing_coins: marked(plan.discloses.iter().filter_map(|it| match *it {
                Discloses::Coin(coin) => Some(coin),
                Discloses::Announcement(_) => None,
            })),
            scoring: A::all().map(plan.score).collect(),
            announcements: terms::<A, _>(&names),
            backs: terms::<B, _>(&names),
            verbs: verbs(plan.verbs),
            phases: plan.phases,
            palette: plan.palette,
            place_by_name: by_name(places.rows.iter().map(|row| (&row.name, row.id))),
            piece_by_name: by_name(pieces.iter().map(|row| (&row.name, row.piece))),
            first_copies: Vec::new(),
            value_names: BTreeSet::new(),
            places,
            pieces,
        }
        .with_copies()
        .with_value_names()
    }

    /// Finds the copies of each card.
    fn with_copies(mut self) -> Layout {
        let of_places = self.places.rows.iter().filter_map(PlaceRow::piece);
        let of_marks =
            self.marks.rows.iter().filter_map(|it| it.arguments.iter().find_map(Argument::piece));
        let own: BTreeSet<Piece> = of_places.chain(of_marks).collect();
        let mut firsts: Vec<Piece> = Vec::new();
        let mut first_copies = Vec::new();
        for row in &self.pieces {
            let first = firsts.iter().copied().find(|first| {
                let other = &self.pieces[first.index()];
                !own.contains(first)
                    && (&other.words, &other.facets, other.back, other.layer)
                        == (&row.words, &row.facets, row.back, row.layer)
            });
            if first.is_none() {
                firsts.push(row.piece);
            }
            first_copies.push(first.unwrap_or(row.piece));
        }
        self.first_copies = first_copies;
        self
    }

    fn with_value_names(mut self) -> Layout {
        let facets = self.pieces.iter().flat_map(|row| &row.facets);
        let facets = facets.flat_map(|facet| match &facet.value {
            FacetValue::Values(values) => values.as_slice(),
            FacetValue::Number(_) => &[],
        });
        let values = self.values.iter().filter_map(|(_, values)| values.as_ref()).flatten();
        let marks = values.filter_map(|value| value.argument.value());
        let places = self.places().iter().flat_map(|row| &row.arguments);
        let arguments = places
            .chain(arguments(self.coins()))
            .chain(arguments(self.marks()))
            .chain(arguments(self.backs()));
        let named = arguments.filter_map(Argument::value);
        let all = facets.map(String::as_str).chain(marks).chain(named);
        self.value_names = all.map(str::to_owned).collect();
        self
    }
}

/// A layout that was described by a message and checked.
pub(crate) struct Parts {
    pub(crate) places: Family<kind::Place, PlaceRow>,
    pub(crate) coins: Family<kind::Coin>,
    pub(crate) marks: Family<kind::Mark>,
    pub(crate) values: Vec<(MarkKind, Option<Vec<MarkValue>>)>,
    pub(crate) decisions: Family<kind::Decision>,
    pub(crate) announcements: Family<kind::Announcement>,
    pub(crate) backs: Family<kind::Back>,
    pub(crate) pieces: Vec<PieceRow>,
    pub(crate) purses: Vec<PurseRow>,
    pub(crate) verbs: Vec<&'static str>,
    pub(crate) phases: &'static [&'static str],
    pub(crate) palette: &'static [(&'static str, Look)],
    pub(crate) disclosing_announcements: Vec<bool>,
    pub(crate) disclosing_coins: Vec<bool>,
    pub(crate) scoring: Vec<i32>,
}

impl Layout {
    /// Panics if two places or two pieces have the same name.
    pub(crate) fn of_parts(parts: Parts) -> Layout {
        let mut purse = vec![NO_PURSE; parts.places.len() * parts.coins.len()];
        for (row, it) in parts.purses.iter().enumerate() {
            let place = parts.places.row(it.place) * parts.coins.len();
            purse[place + parts.coins.row(it.coin)] = row as u16;
        }
        let Parts { places, pieces, .. } = parts;
        Layout {
            viewers: places.rows.iter().map(|row| row.sight.viewers()).collect(),
            counters: places.rows.iter().map(|row| row.sight.counters()).collect(),
            purse,
            purses: parts.purses,
            backs_of: pieces.iter().map(|row| row.back).collect(),
            layers: layers(&pieces),
            coins: parts.coins,
            marks: parts.marks,
            values: parts.values,
            decisions: parts.decisions,
            disclosing_announcements: parts.disclosing_announcements,
            disclosing_coins: parts.disclosing_coins,
            scoring: parts.scoring,
            announcements: parts.announcements,
            backs: parts.backs,
            verbs: verbs(&parts.verbs),
            phases: parts.phases,
            palette: parts.palette,
            place_by_name: by_name(places.rows.iter().map(|row| (&row.name, row.id))),
            piece_by_name: by_name(pieces.iter().map(|row| (&row.name, row.piece))),
            first_copies: Vec::new(),
            value_names: BTreeSet::new(),
            places,
            pieces,
        }
        .with_copies()
        .with_value_names()
    }

    /// The kinds of action without those of every game.
    pub(crate) fn own_verbs(&self) -> &[&'static str] {
        &self.verbs[COMMON_VERBS.len()..]
    }

    pub(crate) fn palette(&self) -> &'static [(&'static str, Look)] {
        self.palette
    }

    pub(crate) fn mark_meaning(&self, mark: MarkId) -> (MarkKind, Option<&[MarkValue]>) {
        let (kind, values) = &self.values[self.marks.row(mark)];
        (*kind, values.as_deref())
    }
}

fn layers(pieces: &[PieceRow]) -> Vec<Set> {
    let mut layers = BTreeMap::<u8, Set>::new();
    pieces.iter().for_each(|row| layers.entry(row.layer).or_default().add(row.piece));
    layers.into_values().collect()
}

/// The verbs of every game, then the game's own. No two kinds of actions share a verb.
fn verbs(own: &[&'static str]) -> Vec<&'static str> {
    let common = own.iter().find(|verb| COMMON_VERBS.contains(verb));
    assert!(common.is_none(), "the verb {common:?} is one of every game");
    COMMON_VERBS.iter().chain(own).copied().collect()
}

impl Sight {
    fn viewers(self) -> Viewers {
        match self {
            Sight::All => Viewers::ALL,
            Sight::Only(seat) | Sight::Screened(seat) => Viewers::only(seat),
            Sight::Nobody => Viewers::NOBODY,
        }
    }

    /// The viewers who can count the pieces, whether or not they see them.
    fn counters(self) -> Viewers {
        match self {
            Sight::All | Sight::Only(_) | Sight::Nobody => Viewers::ALL,
            Sight::Screened(seat) => Viewers::only(seat),
        }
    }
}

/// By row of an enum: whether it is among `these`.
fn marked<T: Small>(these: impl Iterator<Item = T>) -> Vec<bool> {
    let mut marked = vec![false; T::COUNT];
    these.for_each(|it| marked[it.index()] = true);
    marked
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

fn terms<T, K>(pieces: &[String]) -> Family<K>
where
    T: Small + Into<Id<K>>,
{
    Family::of(|own: T| Term {
        id: own.into(),
        name: own.spell(pieces),
        arguments: own.arguments(pieces),
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
    /// By case of the game's own enum: its first row. A last element marks the end, so that the
    /// rows of a case end where those of the next begin.
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

    /// `first` has the first row of each case, and the number of all rows.
    pub(crate) fn of_rows(first: Vec<u16>, rows: Vec<Row>) -> Self {
        Family { first, rows, kind: PhantomData }
    }

    pub(crate) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The row of an id. An id of another game leads to a panic or to a wrong row.
    #[inline]
    pub(crate) fn row(&self, id: Id<K>) -> usize {
        let number = id.number();
        usize::from(self.first[usize::from(number & 63)] + (number >> 6))
    }

    /// The id behind a number that may come from anywhere.
    #[inline]
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
    /// The places of a match with this number of seats.
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
    /// The kinds of action, by name.
    pub fn verbs(&self) -> &[&'static str] {
        &self.verbs
    }
    /// The phases: the first has number 1.
    pub fn phases(&self) -> &'static [&'static str] {
        self.phases
    }
    /// How a value is drawn, if it has a color and a symbol.
    pub fn look(&self, value: &str) -> Option<Look> {
        self.palette.iter().find(|(name, _)| *name == value).map(|(_, look)| *look)
    }
    /// The values that facets, places, coins, marks and backs name, such as suits, by name.
    pub fn value_names(&self) -> BTreeSet<&str> {
        self.value_names.iter().map(String::as_str).collect()
    }
    /// One of those values.
    pub fn value_named(&self, name: &str) -> Option<&str> {
        self.value_names.get(name).map(String::as_str)
    }
    /// The names of facets.
    pub fn facet_names(&self) -> BTreeSet<&'static str> {
        self.pieces.iter().flat_map(|row| &row.facets).map(|facet| facet.name).collect()
    }
}

fn arguments<Id>(terms: &[Term<Id>]) -> impl Iterator<Item = &Argument> {
    terms.iter().flat_map(|term| &term.arguments)
}

// === From ids to names and back ===
//
// Ids inside entries and tables were checked when they were decoded; these functions may panic for
// an id of another game.

impl Layout {
    pub fn place_name(&self, place: PlaceId) -> &str {
        &self.places[place].name
    }
    pub fn place(&self, place: PlaceId) -> &PlaceRow {
        &self.places[place]
    }
    pub fn coin_term(&self, coin: CoinId) -> &Term<CoinId> {
        &self.coins[coin]
    }
    pub fn mark_term(&self, mark: MarkId) -> &Term<MarkId> {
        &self.marks[mark]
    }
    pub fn decision_term(&self, decision: DecisionId) -> &Term<DecisionId> {
        &self.decisions[decision]
    }
    pub fn announcement_term(&self, announcement: AnnouncementId) -> &Term<AnnouncementId> {
        &self.announcements[announcement]
    }
    pub fn back_term(&self, back: BackId) -> &Term<BackId> {
        &self.backs[back]
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
    /// The piece with that name, if it is of that kind.
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
        let (_, values) = &self.values[self.marks.row(mark)];
        values.as_deref().map_or(Values::Number, Values::OneOf)
    }
    pub fn mark_kind(&self, mark: MarkId) -> MarkKind {
        self.values[self.marks.row(mark)].0
    }
    /// The named value of a mark; `None` if it is a number or unset.
    pub fn mark_value(&self, mark: MarkId, value: i16) -> Option<&MarkValue> {
        let Values::OneOf(values) = self.mark_values(mark) else { return None };
        values.get(usize::try_from(value).ok()?.checked_sub(1)?)
    }
    pub fn decision_name(&self, decision: DecisionId) -> &str {
        &self.decisions[decision].name
    }
    pub fn announcement_name(&self, announcement: AnnouncementId) -> &str {
        &self.announcements[announcement].name
    }
    pub fn back_name(&self, back: BackId) -> &str {
        &self.backs[back].name
    }
    /// The layout's own copy of a verb; `None` if the game has no such verb.
    pub fn verb(&self, name: &str) -> Option<&str> {
        self.verbs.iter().copied().find(|verb| *verb == name)
    }
}

// === What tables, redaction and decoding read ===

impl Layout {
    /// The row of a place.
    #[inline]
    pub(crate) fn row_of(&self, place: PlaceId) -> usize {
        self.places.row(place)
    }
    #[inline]
    pub fn viewers(&self, place: PlaceId) -> Viewers {
        self.viewers[self.places.row(place)]
    }
    /// The viewers who can count the pieces in a place: all who see it, and usually everyone.
    #[inline]
    pub fn counters(&self, place: PlaceId) -> Viewers {
        self.counters[self.places.row(place)]
    }
    /// Whether the rules disclose something hidden with this announcement.
    pub fn discloses_with(&self, announcement: AnnouncementId) -> bool {
        self.disclosing_announcements[self.announcements.row(announcement)]
    }
    /// What an announcement with this value adds to the score of its seat.
    pub fn score_points(&self, announcement: AnnouncementId, value: i16) -> i32 {
        self.scoring[self.announcements.row(announcement)] * i32::from(value)
    }
    /// Whether the announcement tells a part of a score.
    pub fn is_score_part(&self, announcement: AnnouncementId) -> bool {
        self.scoring[self.announcements.row(announcement)] != 0
    }
    /// The first of the copies of a card, which nobody can tell apart by their faces. A piece that
    /// has places or marks of its own is a copy of none.
    pub fn first_copy(&self, piece: Piece) -> Piece {
        self.first_copies[piece.index()]
    }
    /// Whether any card has copies.
    pub fn has_copies(&self) -> bool {
        let mut pieces = self.pieces.iter();
        pieces.any(|row| self.first_copies[row.piece.index()] != row.piece)
    }
    /// Whether the rules disclose something hidden with private payments of such coins.
    pub fn discloses_in(&self, coin: CoinId) -> bool {
        self.disclosing_coins[self.coins.row(coin)]
    }
    #[inline]
    pub fn back(&self, piece: Piece) -> BackId {
        self.backs_of[piece.index()]
    }
    /// Whether two pieces cannot be distinguished while they are face down.
    pub fn alike(&self, p: Piece, q: Piece) -> bool {
        let layer = |piece: Piece| self.pieces[piece.index()].layer;
        self.back(p) == self.back(q) && layer(p) == layer(q)
    }
    /// The row of the purse for such coins in a place, if the game declares one.
    #[inline]
    pub(crate) fn purse(&self, place: PlaceId, coin: CoinId) -> Option<usize> {
        let row = self.places.row(place) * self.coins.len();
        let purse = self.purse[row + self.coins.row(coin)];
        (purse != NO_PURSE).then_some(purse.into())
    }
    /// Whether a place is the bank of such coins.
    pub fn is_bank(&self, place: PlaceId, coin: CoinId) -> bool {
        self.purse(place, coin).is_some_and(|purse| self.purses[purse].is_bank)
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

impl Names for Layout {
    fn name(&self, of: Numbered, number: u16) -> Option<&str> {
        match of {
            Numbered::Place => self.places.get(Id::numbered(number)).map(|it| &it.name[..]),
            Numbered::Coin => self.coins.get(Id::numbered(number)).map(|it| &it.name[..]),
            Numbered::Mark => self.marks.get(Id::numbered(number)).map(|it| &it.name[..]),
            Numbered::Decision => self.decisions.get(Id::numbered(number)).map(|it| &it.name[..]),
            Numbered::Announcement => {
                self.announcements.get(Id::numbered(number)).map(|it| &it.name[..])
            }
            Numbered::Back => self.backs.get(Id::numbered(number)).map(|it| &it.name[..]),
            Numbered::Piece => self.pieces.get(usize::from(number)).map(|it| &it.name[..]),
        }
    }
}

/// Runs `write`, whose debug output uses the names of a layout.
pub fn with_names<T>(layout: &'static Layout, write: impl FnOnce() -> T) -> T {
    names::with(layout, write)
}

impl<C: Component> Set<C> {
    /// Their names, separated by spaces, for messages.
    pub fn names(&self, layout: &Layout) -> String {
        let names: Vec<&str> = self.iter().map(|it| layout.piece_name(it)).collect();
        names.join(" ")
    }
}

/// A game has one layout, and tables of the same game share it.
impl PartialEq for Layout {
    fn eq(&self, other: &Layout) -> bool {
        std::ptr::eq(self, other)
    }
}

/// The layout in its frozen form: a line for each number, with its name and its viewers. Published
/// lines never change and are never removed, because old logs hold these numbers.
impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.places() {
            let sight = match row.sight {
                Sight::All => "seen by all".to_string(),
                Sight::Only(seat) => format!("seen by seat {seat}"),
                Sight::Nobody => "seen by nobody".to_string(),
                Sight::Screened(seat) => format!("seen by seat {seat}, count hidden"),
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
        self.verbs.iter().try_for_each(|verb| writeln!(f, "verb {verb}"))?;
        for it in self.announcements().iter().filter(|it| self.discloses_with(it.id)) {
            writeln!(f, "discloses announcement {}", it.name)?;
        }
        for it in self.coins().iter().filter(|it| self.discloses_in(it.id)) {
            writeln!(f, "discloses coin {}", it.name)?;
        }
        Ok(())
    }
}

fn write_terms<K: Copy>(
    f: &mut fmt::Formatter<'_>,
    kind: &str,
    terms: &[Term<Id<K>>],
) -> fmt::Result {
    terms.iter().try_for_each(|it| writeln!(f, "{kind} {} {}", it.id.number(), it.name))
}
