//! The identity of an entry: its stream, and its position there.

use uuid::Uuid;

/// The id of a stream: of all entries that are numbered together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "postgres", derive(sqlx_macros::Type), sqlx(transparent))]
pub struct StreamId(pub Uuid);

/// The place of an entry within its stream, counted from 1. [`Position::START`] is before the first
/// entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "postgres", derive(sqlx_macros::Type), sqlx(transparent))]
pub struct Position(pub i64);

impl Position {
    pub const START: Self = Self(0);

    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_entry_has_position_1_and_each_one_more_than_the_one_before() {
        let first = Position::START.next();
        assert_eq!(
            (first, first.next(), first.next().next()),
            (Position(1), Position(2), Position(3))
        );
    }
}
