//! A game's declaration of its table: the catalogue, the sight and purses of each place, the
//! meaning of marks, and how everything is drawn.

use std::{fmt, marker::PhantomData};

use crate::{Argument, BackId, Piece, PlaceId, Seat, Small};

/// A game's table as declared: one enum each for places, coins, marks, decisions, announcements and
/// backs, and functions over them. The functions match every case, so a new case does not compile
/// until it has a meaning and viewers.
///
/// Its words (titles, sentences, the texts of cards) are in its Fluent files, under the names
/// declared here: `docs/add-a-game.md` lists the keys, and a test names every one that is missing,
/// unused or misspelt.
pub struct Plan<P, C: 'static, M, D, A: 'static, B> {
    pub catalogue: Catalogue,
    /// The viewers who see the faces of pieces and the number of coins in a place, and who can
    /// count the pieces.
    pub sight: fn(P) -> Sight,
    /// Whether a place can hold such coins.
    pub purse: fn(P, C) -> Purse,
    /// The role of a place, and how it is drawn.
    pub display: fn(P) -> Display,
    /// The meaning of a mark's values. Narration mentions a mark only if the game's words have a
    /// sentence for it.
    pub mark: fn(M) -> Meaning,
    /// What discloses hidden information by the rules. Apart from these, only a piece turned up, a
    /// payment aloud and the final points may depend on what viewers cannot see.
    pub discloses: &'static [Discloses<C, A>],
    /// Whether an announcement tells a part of its seat's score: 1 if its value is added, -1 if it
    /// is taken off, 0 if it is no part. The parts of a score add up to it.
    pub score: fn(A) -> i32,
    /// The kinds of action.
    pub verbs: &'static [&'static str],
    /// The phases of a round or turn, in the order of their numbers: the first is 1.
    pub phases: &'static [&'static str],
    /// The colors and symbols of values, such as suits, by their names.
    pub palette: &'static [(&'static str, Look)],
    /// The enums of decisions, announcements and backs, which need only their names.
    pub terms: PhantomData<fn() -> (D, B)>,
}

/// The viewers who see the faces of the pieces, and the number of coins, in a place. Everyone can
/// count the pieces, unless a screen hides them.
///
/// No place has an order, not even a visible one. If a rule needs one, as for the top card of a
/// discard pile, give that card a place of its own, or number the places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    All,
    Only(Seat),
    /// A pile that is face down. Its order is decided by chance as pieces are drawn.
    Nobody,
    /// A place behind a screen: only this seat sees into it, and only this seat can count its
    /// contents. Others do see when a piece that they can count comes from there or goes there.
    Screened(Seat),
}

/// Whether a place can hold coins of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purse {
    /// The place never holds such coins.
    None,
    /// Holds what was paid into it, never less than 0.
    Held,
    /// The source and sink of coins. It goes below 0, so that each kind of coin sums to 0 over the
    /// table.
    Bank,
}

/// How the rules disclose hidden information.
#[derive(Clone, Copy, Debug)]
pub enum Discloses<C, A> {
    /// Announcements of this kind, to everyone.
    Announcement(A),
    /// Private payments of such coins, to viewers who see one of the purses: a seat counts what
    /// another gives it, or notes what another has.
    Coin(C),
}

/// The role of a place, and how it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Display {
    pub role: Role,
    pub arrangement: Arrangement,
    /// Where it is drawn among the places of its seat, or among the common ones: lower numbers
    /// first, equal numbers side by side.
    pub order: u8,
}

impl Display {
    pub const fn of(role: Role, arrangement: Arrangement, order: u8) -> Display {
        Display { role, arrangement, order }
    }
}

/// The role of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The pieces that a seat holds.
    Hand,
    /// A pile to draw from.
    Deck,
    /// A pile of used pieces.
    Discard,
    /// Pieces laid out for everyone, to choose from.
    Row,
    /// A part of a board, or of a piece that others are put on.
    Board,
    /// Pieces in front of a seat, or in play.
    Area,
    /// Coins of a seat, of a pot, or of another holder.
    Purse,
    /// The source and sink of coins.
    Bank,
    /// Out of the game. It need not be drawn.
    Box,
}

/// How the pieces of a place lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    Pile,
    Fan,
    Row,
    Grid,
}

/// How a value is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// As `#rrggbb`.
    pub color: &'static str,
    /// One or two characters; may be empty.
    pub symbol: &'static str,
}

impl Look {
    pub const fn of(color: &'static str, symbol: &'static str) -> Look {
        Look { color, symbol }
    }
}

/// The meaning of a mark's values.
pub struct Meaning {
    pub kind: MarkKind,
    pub(crate) values: fn(&[String]) -> Option<Vec<MarkValue>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// 1 for true, 0 for false.
    Flag,
    /// A count.
    Counter,
    /// A step on a short track.
    Track,
    /// A value of one of the game's own small types, or none.
    Reference,
    /// Bookkeeping of the rules, which people need not see.
    Hidden,
}

/// A value of a mark that is not a number.
#[derive(Clone, Debug)]
pub struct MarkValue {
    pub name: String,
    /// The seat, piece or value that it names.
    pub argument: Argument,
}

impl Meaning {
    /// 1 for true, 0 for false.
    pub const FLAG: Meaning = Meaning::number(MarkKind::Flag);
    /// A count.
    pub const COUNTER: Meaning = Meaning::number(MarkKind::Counter);
    /// A step on a short track.
    pub const TRACK: Meaning = Meaning::number(MarkKind::Track);
    /// Bookkeeping of the rules, which people need not see.
    pub const HIDDEN: Meaning = Meaning::number(MarkKind::Hidden);

    const fn number(kind: MarkKind) -> Meaning {
        Meaning { kind, values: |_| None }
    }

    /// A value of one of the game's own small types, or none.
    pub const fn one_of<T: Small>() -> Meaning {
        Meaning {
            kind: MarkKind::Reference,
            values: |pieces| {
                let value =
                    |it: T| MarkValue { name: it.spell(pieces), argument: it.argument(pieces) };
                Some(T::all().map(value).collect())
            },
        }
    }

    /// The same values, as bookkeeping that people need not see.
    pub const fn hidden(self) -> Meaning {
        Meaning { kind: MarkKind::Hidden, values: self.values }
    }
}

/// The pieces of a game in the order of their numbers, built row by row.
#[derive(Default)]
pub struct Catalogue {
    pub(crate) rows: Vec<PieceRow>,
}

/// The origin of a row of a catalogue.
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
        let name: String = name.into();
        let words = name.split('/').next().unwrap_or_default().to_owned();
        self.rows.push(PieceRow {
            piece,
            name,
            words,
            start: start.into(),
            back: back.into(),
            layer: 0,
            origin,
            title_origin: origin,
            text_origin: origin,
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
    /// The name of its title and text in the game's words, which copies of a card share.
    pub words: String,
    pub start: PlaceId,
    /// Its back, which everyone sees while it is face down.
    pub back: BackId,
    /// In a pile, lower layers are drawn before higher ones.
    pub layer: u8,
    pub origin: Origin,
    /// The origins of its title and its text, if they differ from that of the piece.
    pub title_origin: Origin,
    pub text_origin: Origin,
    /// Its properties in the catalogue, such as its suits.
    pub facets: Vec<Facet>,
}

/// A property on the face of a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facet {
    pub name: &'static str,
    pub value: FacetValue,
    /// Its origin, if it differs from that of the piece.
    pub origin: Option<Origin>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FacetValue {
    Number(i32),
    /// Values by name, such as suits, in order and with repetitions.
    Values(Vec<String>),
}

impl From<&str> for FacetValue {
    fn from(value: &str) -> Self {
        FacetValue::Values(vec![value.to_owned()])
    }
}

impl From<Vec<&str>> for FacetValue {
    fn from(values: Vec<&str>) -> Self {
        FacetValue::Values(values.into_iter().map(str::to_owned).collect())
    }
}

macro_rules! numbers {
    ($($Type:ty),*) => {$(
        impl From<$Type> for FacetValue {
            fn from(number: $Type) -> Self {
                FacetValue::Number(number.try_into().expect("facets are small numbers"))
            }
        }
    )*};
}
numbers!(u8, u32, i32, usize);

/// As one text: values are separated by spaces.
impl fmt::Display for FacetValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FacetValue::Number(number) => number.fmt(f),
            FacetValue::Values(values) => f.write_str(&values.join(" ")),
        }
    }
}

impl PieceRow {
    pub fn layer(&mut self, layer: u8) -> &mut Self {
        self.layer = layer;
        self
    }
    /// Shares its title and text with other copies of a card. The name must begin with `words`.
    pub fn copy_of(&mut self, words: &str) -> &mut Self {
        self.words = words.to_owned();
        self
    }
    pub fn facet(&mut self, name: &'static str, value: impl Into<FacetValue>) -> &mut Self {
        self.facets.push(Facet { name, value: value.into(), origin: None });
        self
    }
    /// A facet of another origin than the piece.
    pub fn facet_from(
        &mut self,
        origin: Origin,
        name: &'static str,
        value: impl Into<FacetValue>,
    ) -> &mut Self {
        self.facets.push(Facet { name, value: value.into(), origin: Some(origin) });
        self
    }
    pub fn title_from(&mut self, origin: Origin) -> &mut Self {
        self.title_origin = origin;
        self
    }
    pub fn text_from(&mut self, origin: Origin) -> &mut Self {
        self.text_origin = origin;
        self
    }
    /// Whether a facet has this value.
    pub fn shows(&self, facet: &str, value: impl Into<FacetValue>) -> bool {
        let value = value.into();
        self.facets.iter().any(|it| it.name == facet && it.value == value)
    }
    /// The origin of a facet; `None` if the piece has no such facet.
    pub fn origin_of(&self, facet: &str) -> Option<Origin> {
        let found = self.facets.iter().find(|it| it.name == facet)?;
        Some(found.origin.unwrap_or(self.origin))
    }
    /// Its suffix among copies of a card, such as `2`; often empty.
    pub fn copy(&self) -> &str {
        let rest = self.name.strip_prefix(&self.words).unwrap_or_default();
        rest.trim_start_matches(['/', '-'])
    }
}
