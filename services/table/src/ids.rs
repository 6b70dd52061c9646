//! Small things with numbers: seats, pieces, places, and what a game's own enums are to the table.

/// A type with few values, numbered from 0. Games write enums with [`small!`](crate::small); the
/// table and the log keep the numbers.
pub trait Small: Copy + Eq + std::fmt::Debug + 'static {
    const COUNT: usize;

    /// Its number among all values, without gaps: the table's own rows.
    fn index(self) -> usize;

    fn nth(index: usize) -> Option<Self>;

    /// The number kept in the log: the case in the low six bits, its argument above. Cases are
    /// added at the end and bounds may grow without any number changing; small numbers take one
    /// byte.
    fn code(self) -> u16 {
        self.index() as u16
    }

    /// The value behind a number that may come from anywhere.
    fn decode(code: u16) -> Option<Self> {
        Self::nth(code.into())
    }

    /// Its public name, such as `hand/2`. A handle is called as the piece it stands for.
    fn spell(self, pieces: &[String]) -> String;

    /// The seat it belongs to, if it belongs to one.
    fn seat(self) -> Option<Seat> {
        None
    }

    fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..Self::COUNT).filter_map(Self::nth)
    }
}

/// Cases a [`small!`](crate::small) enum may have: six bits of the number.
pub const CASES_MAX: usize = 64;

/// Values the arguments of one case may have: the other ten bits.
pub const ARGUMENTS_MAX: usize = 1024;

/// Declares an enum of units and tuples of small things as [`Small`]:
/// `small! { pub enum Place { Deck, Hand(Seat), Spots(Plot, Resource) } }`.
///
/// New cases go to the end. The second argument's bound is fixed for good, the first one's may
/// grow.
#[macro_export]
macro_rules! small {
    ($(#[$meta:meta])* $vis:vis enum $Name:ident {
        $($(#[$note:meta])* $Case:ident $(($($Part:ty),+))?),* $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $vis enum $Name { $($(#[$note])* $Case $(($($Part),+))?),* }

        #[allow(
            unused_assignments,
            unused_variables,
            unused_mut,
            reason = "the last case has none after it"
        )]
        impl $crate::Small for $Name {
            const COUNT: usize = {
                let cases: &[&str] = &[$(stringify!($Case)),*];
                assert!(cases.len() <= $crate::CASES_MAX);
                0 $(+ 1 $($(* <$Part as $crate::Small>::COUNT)+)?)*
            };

            #[inline]
            fn index(self) -> usize {
                let mut base = 0;
                $($crate::small!(@index self base $Name $Case $($($Part),+)?);)*
                unreachable!("every case is numbered")
            }

            fn nth(mut index: usize) -> Option<Self> {
                $($crate::small!(@nth index $Name $Case $($($Part),+)?);)*
                None
            }

            #[inline]
            fn code(self) -> u16 {
                let mut case = 0;
                $($crate::small!(@code self case $Name $Case $($($Part),+)?);)*
                unreachable!("every case is numbered")
            }

            #[inline]
            fn decode(code: u16) -> Option<Self> {
                let (case, part) = (code & 63, usize::from(code >> 6));
                let mut n = 0;
                $($crate::small!(@decode case part n $Name $Case $($($Part),+)?);)*
                None
            }

            fn spell(self, pieces: &[String]) -> String {
                $($crate::small!(@spell self pieces $Name $Case $($($Part),+)?);)*
                unreachable!("every case is named")
            }

            fn seat(self) -> Option<$crate::Seat> {
                $($crate::small!(@seat self $Name $Case $($($Part),+)?);)*
                None
            }
        }
    };
    (@index $me:ident $base:ident $N:ident $C:ident) => {
        if let $N::$C = $me { return $base; }
        $base += 1;
    };
    (@index $me:ident $base:ident $N:ident $C:ident $A:ty) => {
        if let $N::$C(a) = $me { return $base + $crate::Small::index(a); }
        $base += <$A as $crate::Small>::COUNT;
    };
    (@index $me:ident $base:ident $N:ident $C:ident $A:ty, $B:ty) => {
        if let $N::$C(a, b) = $me {
            let row = $crate::Small::index(a) * <$B as $crate::Small>::COUNT;
            return $base + row + $crate::Small::index(b);
        }
        $base += <$A as $crate::Small>::COUNT * <$B as $crate::Small>::COUNT;
    };
    (@nth $i:ident $N:ident $C:ident) => {
        if $i == 0 { return Some($N::$C); }
        $i -= 1;
    };
    (@nth $i:ident $N:ident $C:ident $A:ty) => {
        if $i < <$A as $crate::Small>::COUNT { return $crate::Small::nth($i).map($N::$C); }
        $i -= <$A as $crate::Small>::COUNT;
    };
    (@nth $i:ident $N:ident $C:ident $A:ty, $B:ty) => {
        let (a, b) = (<$A as $crate::Small>::COUNT, <$B as $crate::Small>::COUNT);
        if $i < a * b {
            return Some($N::$C($crate::Small::nth($i / b)?, $crate::Small::nth($i % b)?));
        }
        $i -= a * b;
    };
    (@code $me:ident $case:ident $N:ident $C:ident) => {
        if let $N::$C = $me { return $case; }
        $case += 1;
    };
    (@code $me:ident $case:ident $N:ident $C:ident $A:ty) => {
        const { assert!(<$A as $crate::Small>::COUNT <= $crate::ARGUMENTS_MAX) };
        if let $N::$C(a) = $me { return ($crate::Small::index(a) as u16) << 6 | $case; }
        $case += 1;
    };
    (@code $me:ident $case:ident $N:ident $C:ident $A:ty, $B:ty) => {
        const {
            let count = <$A as $crate::Small>::COUNT * <$B as $crate::Small>::COUNT;
            assert!(count <= $crate::ARGUMENTS_MAX);
        };
        if let $N::$C(a, b) = $me {
            let b_count = <$B as $crate::Small>::COUNT as u16;
            let part = $crate::Small::index(a) as u16 * b_count + $crate::Small::index(b) as u16;
            return part << 6 | $case;
        }
        $case += 1;
    };
    (@decode $case:ident $part:ident $n:ident $N:ident $C:ident) => {
        if $case == $n { return ($part == 0).then_some($N::$C); }
        $n += 1;
    };
    (@decode $case:ident $part:ident $n:ident $N:ident $C:ident $A:ty) => {
        if $case == $n { return $crate::Small::nth($part).map($N::$C); }
        $n += 1;
    };
    (@decode $case:ident $part:ident $n:ident $N:ident $C:ident $A:ty, $B:ty) => {
        if $case == $n {
            let b = <$B as $crate::Small>::COUNT;
            return Some($N::$C($crate::Small::nth($part / b)?, $crate::Small::nth($part % b)?));
        }
        $n += 1;
    };
    (@spell $me:ident $pieces:ident $N:ident $C:ident) => {
        if let $N::$C = $me { return $crate::kebab(stringify!($C)); }
    };
    (@spell $me:ident $pieces:ident $N:ident $C:ident $A:ty) => {
        if let $N::$C(a) = $me {
            let a = $crate::Small::spell(a, $pieces);
            return format!("{}/{a}", $crate::kebab(stringify!($C)));
        }
    };
    (@spell $me:ident $pieces:ident $N:ident $C:ident $A:ty, $B:ty) => {
        if let $N::$C(a, b) = $me {
            let (a, b) = ($crate::Small::spell(a, $pieces), $crate::Small::spell(b, $pieces));
            return format!("{}/{a}/{b}", $crate::kebab(stringify!($C)));
        }
    };
    (@seat $me:ident $N:ident $C:ident) => {};
    (@seat $me:ident $N:ident $C:ident $A:ty) => {
        if let $N::$C(a) = $me { return $crate::Small::seat(a); }
    };
    (@seat $me:ident $N:ident $C:ident $A:ty, $B:ty) => {
        if let $N::$C(a, b) = $me { return $crate::Small::seat(a).or($crate::Small::seat(b)); }
    };
}

/// `AceOfSuns` as it is written in public: `ace-of-suns`.
#[doc(hidden)]
pub fn kebab(name: &str) -> String {
    heck::ToKebabCase::to_kebab_case(name)
}

/// Lets a game's own words be handed to the table: `vocabulary!(Place => PlaceId, Ask => AskId)`.
#[macro_export]
macro_rules! vocabulary {
    ($($Word:ident => $Id:ident),* $(,)?) => {$(
        impl From<$Word> for $crate::$Id {
            #[inline]
            fn from(word: $Word) -> Self {
                $crate::$Id::coded($crate::Small::code(word))
            }
        }
    )*};
}

/// Declares typed handles for ranges of the catalogue: `components! { pub Plot: 0..27, pub Karma:
/// 27..72 }`. A plot is then never taken for a karma card, and a piece that is neither does not
/// become one.
#[macro_export]
macro_rules! components {
    ($($(#[$note:meta])* $vis:vis $Name:ident: $from:literal..$to:literal),* $(,)?) => {$(
        $(#[$note])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
    )*};
}

/// A kind of piece: a row of the catalogue, known to be of one range.
pub trait Component: Small + Into<Piece> {
    /// The first of its rows.
    const FIRST: usize;

    #[inline]
    fn piece(self) -> Piece {
        Piece((Self::FIRST + self.index()) as u8)
    }

    /// The handle of a piece; none if it is of another kind.
    #[inline]
    fn of(piece: Piece) -> Option<Self> {
        piece.index().checked_sub(Self::FIRST).and_then(Self::nth)
    }
}

/// A component of the game: its row in the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Piece(pub(crate) u8);

/// Pieces a catalogue may hold. R.I.G.S., the largest known game, has 171.
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
}

impl Component for Piece {
    const FIRST: usize = 0;
}

/// A seat at the table, counted from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seat(pub(crate) u8);

/// Seats any table may have: Among Thieves takes the most players.
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
#[error("there is no seat {0}: seats are counted from 0, and a table has {SEATS_MAX} at most")]
pub struct NoSuchSeat(pub u8);

/// A number below `N`, for places that are numbered: `Night(Seat, Upto<3>)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Upto<const N: usize>(u8);

impl<const N: usize> Upto<N> {
    /// For numbers written in the rules; one from outside comes through [`Small::nth`].
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
}

macro_rules! id {
    ($($(#[$meta:meta])* $Name:ident),* $(,)?) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $Name(pub(crate) u16);

        impl $Name {
            /// The number in the log, stable for good.
            pub fn number(self) -> u16 {
                self.0
            }
            /// The value of the game's own type; none if it is of another game.
            #[inline]
            pub fn to<T: Small>(self) -> Option<T> {
                T::decode(self.0)
            }
            #[doc(hidden)]
            #[inline]
            pub const fn coded(code: u16) -> Self {
                $Name(code)
            }
        }
    )*};
}

id! {
    /// Where pieces and coins lie.
    PlaceId,
    /// A kind of thing that is counted rather than told apart.
    CoinId,
    /// A small value on the table: a flag, a counter, who is chosen.
    MarkId,
    /// What a seat is asked to decide.
    DecisionId,
    /// Something said.
    AnnouncementId,
    /// What everyone can see of a piece that lies face down.
    BackId,
}

/// Who is looking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// The service itself, which sees everything.
    House,
    Seat(Seat),
    Spectator,
}

impl Viewer {
    /// Everyone but the house.
    pub fn guests(seats: u8) -> impl Iterator<Item = Viewer> + Clone {
        Seat::all().take(seats.into()).map(Viewer::Seat).chain([Viewer::Spectator])
    }
}

/// A set of viewers. The house is in every one.
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
