//! Types with few values, each of which has a number: a game's own enums, pieces, seats and the ids
//! of the log; and sets of seats and viewers.

use std::{fmt, marker::PhantomData};

use crate::names::{self, Numbered};

/// A type with few values, numbered from 0. Games write enums with [`small!`](crate::small); tables
/// and the log keep only the numbers.
pub trait Small: Copy + Eq + fmt::Debug + 'static {
    const COUNT: usize;

    /// Its number among all values, without gaps: a row of the layout.
    fn index(self) -> usize;

    fn nth(index: usize) -> Option<Self>;

    /// Its number in the log: the case in the low six bits, the arguments above. Cases are added at
    /// the end and bounds may grow without changing any number; small numbers take one byte.
    fn code(self) -> u16 {
        self.index() as u16
    }

    /// The value of a number that may come from anywhere.
    fn decode(code: u16) -> Option<Self> {
        Self::nth(code.into())
    }

    /// Its public name, such as `hand/2`. A component has the name of its piece.
    fn spell(self, pieces: &[String]) -> String;

    /// The seat it belongs to, if any.
    fn seat(self) -> Option<Seat> {
        None
    }

    /// Its meaning as an argument of a case: a seat, a piece, a number, or a named value.
    fn argument(self, pieces: &[String]) -> Argument {
        Argument::Value(self.spell(pieces))
    }

    /// The arguments of its case, in order.
    fn arguments(self, _pieces: &[String]) -> Vec<Argument> {
        Vec::new()
    }

    fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..Self::COUNT).filter_map(Self::nth)
    }
}

/// The meaning of an argument of a case: `spots/plot-7/ore` names a piece and a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    Seat(Seat),
    Piece(Piece),
    /// A case of another enum of the game, by its name.
    Value(String),
    Number(u8),
}

impl Argument {
    pub fn seat(&self) -> Option<Seat> {
        if let Argument::Seat(seat) = self { Some(*seat) } else { None }
    }
    pub fn piece(&self) -> Option<Piece> {
        if let Argument::Piece(piece) = self { Some(*piece) } else { None }
    }
    pub fn value(&self) -> Option<&str> {
        if let Argument::Value(value) = self { Some(value) } else { None }
    }
}

// === Enums of a game ===

/// Declares an enum as [`Small`]. Its cases have up to two arguments, which are small too:
/// `small! { pub enum Place { Deck, Hand(Seat), Spots(Plot, Resource) } }`.
///
/// New cases go to the end. The bound of a first argument may grow; that of a second one may not.
#[macro_export]
macro_rules! small {
    ($(#[$meta:meta])* $vis:vis enum $Name:ident {
        $($(#[$note:meta])* $Case:ident $(($A:ty $(, $B:ty)?))?),* $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $vis enum $Name { $($(#[$note])* $Case $(($A $(, $B)?))?),* }

        impl $crate::ids::Cases for $Name {
            const CASES: &'static [$crate::ids::Case] =
                &[$($crate::ids::Case::of::<($($A, $($B)?)?)>(stringify!($Case))),*];

            #[inline]
            fn split(self) -> (usize, usize) {
                enum Number { $($Case),* }
                match self {
                    $($Name::$Case $(($crate::argument!(a $A) $(, $crate::argument!(b $B))?))? => {
                        let arguments = ($($crate::argument!(a $A), $($crate::argument!(b $B))?)?);
                        (Number::$Case as usize, $crate::Small::index(arguments))
                    })*
                }
            }

            #[inline]
            fn join(case: usize, arguments: usize) -> Option<Self> {
                enum Number { $($Case),* }
                $(if case == Number::$Case as usize {
                    let ($($crate::argument!(a $A), $($crate::argument!(b $B))?)?) =
                        $crate::Small::nth(arguments)?;
                    return Some($Name::$Case $(
                        ($crate::argument!(a $A) $(, $crate::argument!(b $B))?)
                    )?);
                })*
                None
            }
        }
    };
}

/// An identifier for each repetition of a type, in [`small!`](crate::small).
#[doc(hidden)]
#[macro_export]
macro_rules! argument {
    ($name:ident $Type:ty) => {
        $name
    };
}

/// The maximum number of cases of an enum: six bits of the number.
pub const CASES_MAX: usize = 64;

/// The maximum number of values of one case's arguments: the other ten bits.
pub const ARGUMENTS_MAX: usize = 1024;

/// The code that [`small!`](crate::small) generates for an enum. Everything else follows from it.
#[doc(hidden)]
pub trait Cases: Copy + Eq + fmt::Debug + 'static {
    const CASES: &'static [Case];

    /// By case: the index of its first value. One more at the end holds the count of all values.
    const FIRST: &'static [u16; CASES_MAX + 1] = &first_values(Self::CASES);

    /// The number of the case, and the index of the arguments among all arguments of the case.
    fn split(self) -> (usize, usize);

    fn join(case: usize, arguments: usize) -> Option<Self>;
}

/// A case of an enum.
#[doc(hidden)]
pub struct Case {
    name: &'static str,
    count: usize,
    spell: fn(usize, &[String]) -> String,
    seat: fn(usize) -> Option<Seat>,
    arguments: fn(usize, &[String]) -> Vec<Argument>,
}

impl Case {
    /// A case whose arguments are the tuple `A`.
    pub const fn of<A: Small>(name: &'static str) -> Case {
        assert!(A::COUNT <= ARGUMENTS_MAX);
        Case {
            name,
            count: A::COUNT,
            spell: |nth, pieces| A::nth(nth).map_or_else(String::new, |it| it.spell(pieces)),
            seat: |nth| A::nth(nth).and_then(A::seat),
            arguments: |nth, pieces| A::nth(nth).map_or_else(Vec::new, |it| it.arguments(pieces)),
        }
    }
}

const fn first_values(cases: &[Case]) -> [u16; CASES_MAX + 1] {
    assert!(cases.len() <= CASES_MAX);
    let mut first = [0; CASES_MAX + 1];
    let mut case = 0;
    while case < cases.len() {
        first[case + 1] = first[case] + cases[case].count as u16;
        case += 1;
    }
    first
}

impl<T: Cases> Small for T {
    const COUNT: usize = T::FIRST[T::CASES.len()] as usize;

    #[inline]
    fn index(self) -> usize {
        let (case, arguments) = self.split();
        usize::from(T::FIRST[case]) + arguments
    }

    #[inline]
    fn nth(index: usize) -> Option<Self> {
        if Self::COUNT == T::CASES.len() {
            return T::join(index, 0);
        }
        let case = (0..T::CASES.len()).rfind(|&case| usize::from(T::FIRST[case]) <= index)?;
        T::join(case, index - usize::from(T::FIRST[case]))
    }

    #[inline]
    fn code(self) -> u16 {
        let (case, arguments) = self.split();
        (arguments << 6 | case) as u16
    }

    #[inline]
    fn decode(code: u16) -> Option<Self> {
        T::join(usize::from(code & 63), usize::from(code >> 6))
    }

    fn spell(self, pieces: &[String]) -> String {
        let (case, arguments) = self.split();
        let Case { name, spell, .. } = &T::CASES[case];
        heck::ToKebabCase::to_kebab_case(*name) + &spell(arguments, pieces)
    }

    fn seat(self) -> Option<Seat> {
        let (case, arguments) = self.split();
        (T::CASES[case].seat)(arguments)
    }

    fn arguments(self, pieces: &[String]) -> Vec<Argument> {
        let (case, arguments) = self.split();
        (T::CASES[case].arguments)(arguments, pieces)
    }
}

// The arguments of a case, as one value. Their names follow that of the case: `/2`, `/plot-7/ore`.

impl Small for () {
    const COUNT: usize = 1;
    #[inline]
    fn index(self) -> usize {
        0
    }
    #[inline]
    fn nth(index: usize) -> Option<Self> {
        (index == 0).then_some(())
    }
    fn spell(self, _: &[String]) -> String {
        String::new()
    }
}

impl<A: Small> Small for (A,) {
    const COUNT: usize = A::COUNT;
    #[inline]
    fn index(self) -> usize {
        self.0.index()
    }
    #[inline]
    fn nth(index: usize) -> Option<Self> {
        A::nth(index).map(|a| (a,))
    }
    fn spell(self, pieces: &[String]) -> String {
        format!("/{}", self.0.spell(pieces))
    }
    fn seat(self) -> Option<Seat> {
        self.0.seat()
    }
    fn arguments(self, pieces: &[String]) -> Vec<Argument> {
        vec![self.0.argument(pieces)]
    }
}

impl<A: Small, B: Small> Small for (A, B) {
    const COUNT: usize = A::COUNT * B::COUNT;
    #[inline]
    fn index(self) -> usize {
        self.0.index() * B::COUNT + self.1.index()
    }
    #[inline]
    fn nth(index: usize) -> Option<Self> {
        Some((A::nth(index / B::COUNT)?, B::nth(index % B::COUNT)?))
    }
    fn spell(self, pieces: &[String]) -> String {
        format!("/{}/{}", self.0.spell(pieces), self.1.spell(pieces))
    }
    fn seat(self) -> Option<Seat> {
        self.0.seat().or(self.1.seat())
    }
    fn arguments(self, pieces: &[String]) -> Vec<Argument> {
        vec![self.0.argument(pieces), self.1.argument(pieces)]
    }
}

/// Converts a game's own enums to the ids of the log: `vocabulary!(Place => PlaceId)`.
#[macro_export]
macro_rules! vocabulary {
    ($($Own:ident => $Id:ident),* $(,)?) => {$(
        impl From<$Own> for $crate::$Id {
            #[inline]
            fn from(own: $Own) -> Self {
                $crate::$Id::of(own)
            }
        }
    )*};
}

// === Ids of the log ===

/// The number, in the log, of a value of a game's own enum. `K` is the kind of the enum, so that a
/// coin is never taken for a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id<K> {
    number: u16,
    kind: PhantomData<K>,
}

/// The kind of thing that an id numbers.
pub trait Kind {
    /// The type of such ids.
    const ID: &'static str;
    const NUMBERED: Numbered;
}

macro_rules! kinds {
    ($($(#[$meta:meta])* $Id:ident = $Kind:ident;)*) => {$(
        $(#[$meta])*
        pub type $Id = Id<kind::$Kind>;

        impl Kind for kind::$Kind {
            const ID: &'static str = stringify!($Id);
            const NUMBERED: Numbered = Numbered::$Kind;
        }
    )*

    /// The kinds of ids. They have no values.
    pub mod kind {$(
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $Kind {}
    )*}};
}

kinds! {
    /// Where pieces and coins are.
    PlaceId = Place;
    /// A kind of coin, such as money.
    CoinId = Coin;
    /// A small value on the table: a flag, a counter, a chosen seat.
    MarkId = Mark;
    /// A decision that a seat is asked to make.
    DecisionId = Decision;
    /// An announcement.
    AnnouncementId = Announcement;
    /// The back of a piece that lies face down.
    BackId = Back;
}

impl<K> Id<K> {
    #[inline]
    pub fn of(own: impl Small) -> Self {
        Id::numbered(own.code())
    }
    #[inline]
    pub(crate) const fn numbered(number: u16) -> Self {
        Id { number, kind: PhantomData }
    }
    /// The number in the log, which never changes.
    #[inline]
    pub fn number(self) -> u16 {
        self.number
    }
    /// The value of the game's own enum; `None` if the id belongs to another game.
    #[inline]
    pub fn to<T: Small>(self) -> Option<T> {
        T::decode(self.number)
    }
}

impl<K: Kind> fmt::Debug for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match names::name(K::NUMBERED, self.number) {
            Some(name) => f.write_str(name),
            None => write!(f, "{}({})", K::ID, self.number),
        }
    }
}

// === Pieces ===

/// A piece of the game: its row in the catalogue.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Piece(pub(crate) u8);

/// The maximum number of pieces in a catalogue. R.I.G.S., the largest known game, has 171.
pub const PIECES_MAX: usize = 256;

impl Small for Piece {
    const COUNT: usize = PIECES_MAX;
    #[inline]
    fn index(self) -> usize {
        self.0.into()
    }
    #[inline]
    fn nth(index: usize) -> Option<Self> {
        u8::try_from(index).ok().map(Piece)
    }
    fn spell(self, pieces: &[String]) -> String {
        pieces.get(self.index()).cloned().unwrap_or_else(|| self.0.to_string())
    }
    fn argument(self, _: &[String]) -> Argument {
        Argument::Piece(self)
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match names::name(Numbered::Piece, self.0.into()) {
            Some(name) => f.write_str(name),
            None => write!(f, "Piece({})", self.0),
        }
    }
}

/// A kind of piece: a range of the catalogue.
pub trait Component: Small + Into<Piece> {
    /// The first row of the range.
    const FIRST: usize;

    #[inline]
    fn piece(self) -> Piece {
        Piece((Self::FIRST + self.index()) as u8)
    }

    /// The component of a piece; `None` if the piece is of another kind.
    #[inline]
    fn of(piece: Piece) -> Option<Self> {
        piece.index().checked_sub(Self::FIRST).and_then(Self::nth)
    }
}

impl Component for Piece {
    const FIRST: usize = 0;
}

/// Declares types for ranges of the catalogue: `components! { pub Plot: 0..27, pub Karma: 27..72
/// }`. The compiler then distinguishes plots from karma cards, and [`Component::of`] checks the
/// range of a piece.
#[macro_export]
macro_rules! components {
    ($($(#[$note:meta])* $vis:vis $Name:ident: $from:literal..$to:literal),* $(,)?) => {$(
        $(#[$note])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $vis struct $Name(u8);

        impl $crate::Small for $Name {
            const COUNT: usize = $to - $from;
            #[inline]
            fn index(self) -> usize {
                self.0.into()
            }
            fn nth(index: usize) -> Option<Self> {
                (index < <Self as $crate::Small>::COUNT).then_some($Name(index as u8))
            }
            fn spell(self, pieces: &[String]) -> String {
                $crate::Small::spell($crate::Piece::from(self), pieces)
            }
            fn argument(self, _: &[String]) -> $crate::Argument {
                $crate::Argument::Piece(self.into())
            }
        }
        impl $crate::Component for $Name {
            const FIRST: usize = $from;
        }
        impl From<$Name> for $crate::Piece {
            #[inline]
            fn from(it: $Name) -> Self {
                $crate::Component::piece(it)
            }
        }
        impl std::fmt::Debug for $Name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(&$crate::Piece::from(*self), f)
            }
        }
    )*};
}

// === Seats ===

/// A seat at the table, counted from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seat(pub(crate) u8);

/// The maximum number of seats of a table. Among Thieves takes the most players.
pub const SEATS_MAX: usize = 8;

impl Small for Seat {
    const COUNT: usize = SEATS_MAX;
    #[inline]
    fn index(self) -> usize {
        self.0.into()
    }
    #[inline]
    fn nth(index: usize) -> Option<Self> {
        (index < SEATS_MAX).then_some(Seat(index as u8))
    }
    fn spell(self, _: &[String]) -> String {
        self.to_string()
    }
    fn seat(self) -> Option<Seat> {
        Some(self)
    }
    fn argument(self, _: &[String]) -> Argument {
        Argument::Seat(self)
    }
}

impl std::fmt::Display for Seat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl From<Seat> for u8 {
    fn from(seat: Seat) -> u8 {
        seat.0
    }
}

impl TryFrom<u8> for Seat {
    type Error = NoSuchSeat;
    fn try_from(number: u8) -> Result<Self, NoSuchSeat> {
        Seat::nth(number.into()).ok_or(NoSuchSeat(number))
    }
}

#[derive(Debug, PartialEq, thiserror::Error)]
#[error("there is no seat {0}: seats are counted from 0, and a table has at most {SEATS_MAX}")]
pub struct NoSuchSeat(pub u8);

/// A number below `N`, for places that are numbered: `Night(Seat, Upto<3>)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Upto<const N: usize>(u8);

impl<const N: usize> Upto<N> {
    /// For constants; use [`Small::nth`] for numbers from outside.
    pub const fn new(number: u8) -> Self {
        assert!((number as usize) < N, "the number is not below its bound");
        Upto(number)
    }
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl<const N: usize> Small for Upto<N> {
    const COUNT: usize = N;
    #[inline]
    fn index(self) -> usize {
        self.0.into()
    }
    #[inline]
    fn nth(index: usize) -> Option<Self> {
        (index < N).then_some(Upto(index as u8))
    }
    fn spell(self, _: &[String]) -> String {
        self.0.to_string()
    }
    fn argument(self, _: &[String]) -> Argument {
        Argument::Number(self.0)
    }
}

// === Viewers ===

/// Who sees a table: the service acting in a match, a seat, or a spectator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// Sees everything.
    House,
    Seat(Seat),
    Spectator,
}

impl Viewer {
    /// Every viewer except the house.
    pub fn guests(seats: u8) -> impl Iterator<Item = Viewer> + Clone {
        Seat::all().take(seats.into()).map(Viewer::Seat).chain([Viewer::Spectator])
    }
}

/// A set of viewers, which always includes the house.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Viewers(pub(crate) u16);

const HOUSE_BIT: u16 = 15;
const SPECTATOR_BIT: u16 = 14;

impl Viewers {
    pub const NOBODY: Viewers = Viewers(1 << HOUSE_BIT);
    pub const ALL: Viewers = Viewers(u16::MAX);

    pub fn only(seat: Seat) -> Self {
        Viewers(1 << seat.0 | Self::NOBODY.0)
    }

    #[inline]
    pub fn has(self, viewer: Viewer) -> bool {
        let bit = match viewer {
            Viewer::House => HOUSE_BIT,
            Viewer::Spectator => SPECTATOR_BIT,
            Viewer::Seat(seat) => u16::from(seat.0),
        };
        self.0 >> bit & 1 != 0
    }

    /// The seats among them.
    pub fn seats(self) -> Seats {
        Seats(self.0 as u8)
    }

    pub fn and(self, other: Viewers) -> Viewers {
        Viewers(self.0 & other.0)
    }

    pub fn or(self, other: Viewers) -> Viewers {
        Viewers(self.0 | other.0)
    }

    /// These viewers except the others. The house is always included.
    pub(crate) fn without(self, other: Viewers) -> Viewers {
        Viewers(self.0 & !other.0 | Self::NOBODY.0)
    }

    pub fn within(self, other: Viewers) -> bool {
        self.0 & !other.0 == 0
    }
}

/// A set of seats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seats(pub(crate) u8);

impl Seats {
    pub fn has(self, seat: Seat) -> bool {
        self.0 >> seat.0 & 1 != 0
    }
    pub fn add(&mut self, seat: Seat) {
        self.0 |= 1 << seat.0;
    }
    pub fn remove(&mut self, seat: Seat) {
        self.0 &= !(1 << seat.0);
    }
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
    pub fn iter(self) -> impl Iterator<Item = Seat> + Clone {
        Seat::all().filter(move |&seat| self.has(seat))
    }
}

impl FromIterator<Seat> for Seats {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        let mut set = Seats::default();
        seats.into_iter().for_each(|seat| set.add(seat));
        set
    }
}
