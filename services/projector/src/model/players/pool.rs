//! Pools of ratings: matches that are alike enough for their players to be compared.

use clocks::{ClockClass, TimeControl};

use crate::fold::MatchState;

/// The matches in which a rating counts: of one game, with as many seats and such clocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pool {
    pub game: String,
    pub seats: u8,
    pub clock: ClockClass,
}

impl Pool {
    pub(super) fn of(state: &MatchState) -> Pool {
        Pool {
            game: state.row.game.clone(),
            seats: u8::try_from(state.row.seats).unwrap_or_default(),
            clock: ClockClass::of(TimeControl::of(&state.row.terms.options)),
        }
    }

    /// The text of the tables' column `game`.
    pub fn key(&self) -> String {
        let Pool { game, seats, clock } = self;
        format!("{game} {seats} {}", clock.name())
    }

    /// `None` for rows of releases that rated each game as a whole.
    pub fn of_key(key: &str) -> Option<Pool> {
        let mut parts = key.split(' ');
        let [game, seats, clock] = [parts.next()?, parts.next()?, parts.next()?];
        let clock = ClockClass::named(clock).filter(|_| parts.next().is_none())?;
        Some(Pool { game: game.to_owned(), seats: seats.parse().ok()?, clock })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_back() {
        for clock in ClockClass::ALL {
            let pool = Pool { game: "among-thieves".to_owned(), seats: 4, clock };
            assert_eq!(Pool::of_key(&pool.key()), Some(pool));
        }
        let daily = Pool { game: "rigs".to_owned(), seats: 2, clock: ClockClass::Daily };
        assert_eq!(daily.key(), "rigs 2 daily", "rows have these");
        for key in ["rigs", "rigs 2", "rigs two daily", "rigs 2 weekly", "rigs 2 daily 1", ""] {
            assert_eq!(Pool::of_key(key), None, "{key:?}");
        }
    }

    #[test]
    fn the_pool_of_a_match_follows_from_its_row() {
        let state = MatchState::sample("rigs", None, vec![]);
        assert_eq!(Pool::of(&state).key(), "rigs 3 untimed");
    }
}
