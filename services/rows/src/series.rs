//! The score of a series: matches that follow each other, with the same players.
//!
//! A match stores the score that it takes over when it is created, so its score depends only on its
//! own record.

use table::{Seat, Small};

use crate::MatchId;
use crate::columns::{game_of, seats_of};
use crate::matches::MatchRow;
use crate::terms::Follows;

/// The score of a series, after this match if it has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// The number of this match, counted from 1.
    pub number: u32,
    /// How many matches each seat of this match has won alone.
    pub wins: Vec<u32>,
    /// The series is won by winning more than half of this number of matches; `None` if it is
    /// open-ended.
    pub best_of: Option<u32>,
    /// The seat that has won the series.
    pub winner: Option<Seat>,
}

impl Series {
    /// The score after a stored match with these winners.
    pub fn of(row: &MatchRow, winners: &[Seat]) -> Series {
        let seats = seats_of(row);
        let best_of = game_of(row).ok().and_then(|game| game.best_of(seats));
        Series::after(best_of, seats, row.terms.follows.as_ref(), winners)
    }

    /// The score after a match with these winners, which are empty before its end. `best_of` is the
    /// game's; a match that follows another has its own.
    fn after(
        best_of: Option<u8>,
        seats: u8,
        follows: Option<&Follows>,
        winners: &[Seat],
    ) -> Series {
        let (number, mut wins, best_of) = match follows {
            Some(it) => {
                let wins: Vec<u32> = it.wins.iter().map(|&it| positive(it)).collect();
                (positive(it.number), wins, it.best_of.map(positive))
            }
            None => (1, vec![0; seats.into()], best_of.map(u32::from)),
        };
        if let [winner] = winners
            && let Some(wins) = wins.get_mut(usize::from(u8::from(*winner)))
        {
            *wins += 1;
        }
        let decides =
            |wins: &u32| best_of.is_some_and(|best_of| u64::from(*wins) * 2 > best_of.into());
        let winner = wins.iter().position(decides).and_then(Seat::nth);
        Series { number, wins, best_of, winner }
    }

    /// The score that the next match takes over. `moved` has, for each seat of this match, the seat
    /// of the same player in the next one.
    pub fn follows(&self, previous: MatchId, moved: &[Seat]) -> Follows {
        let mut wins = vec![0; moved.len()];
        for (seat, won) in moved.iter().zip(&self.wins) {
            wins[usize::from(u8::from(*seat))] = stored(*won);
        }
        let (number, best_of) = (stored(self.number + 1), self.best_of.map(stored));
        Follows { previous, number, wins, best_of }
    }
}

/// Constraints of the tables and checks of files keep the numbers of a series positive.
fn positive(stored: i32) -> u32 {
    stored.try_into().unwrap_or_default()
}

fn stored(number: u32) -> i32 {
    number.try_into().unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn seat(n: usize) -> Seat {
        Seat::nth(n).expect("a table has more seats")
    }

    const PREVIOUS: MatchId = MatchId(Uuid::nil());

    /// Mountebank with two seats, once for each list of winners; seats change after each match.
    fn score(matches: &[&[usize]]) -> Series {
        let game = games::find("mountebank").expect("a game");
        let mut follows = None;
        let mut series = None;
        for winners in matches {
            let winners: Vec<Seat> = winners.iter().map(|&it| seat(it)).collect();
            let after = Series::after(game.best_of(2), 2, follows.as_ref(), &winners);
            follows = Some(after.follows(PREVIOUS, &[seat(1), seat(0)]));
            series = Some(after);
        }
        series.expect("there is a match")
    }

    /// §8.2
    #[test]
    fn two_wins_decide_the_best_of_three() {
        let series = |number, wins: [u32; 2], winner| {
            let wins = wins.to_vec();
            Series { number, wins, best_of: Some(3), winner }
        };
        assert_eq!(score(&[&[]]), series(1, [0, 0], None));
        assert_eq!(score(&[&[0]]), series(1, [1, 0], None));
        assert_eq!(score(&[&[0], &[]]), series(2, [0, 1], None), "the score follows the player");
        assert_eq!(score(&[&[0], &[1]]), series(2, [0, 2], Some(seat(1))));
        assert_eq!(score(&[&[0], &[0], &[0]]), series(3, [2, 1], Some(seat(0))));
        assert_eq!(score(&[&[0], &[0], &[0, 1]]), series(3, [1, 1], None), "a shared win");
        assert_eq!(score(&[&[0], &[0], &[0, 1], &[1]]), series(4, [1, 2], Some(seat(1))));
    }

    #[test]
    fn half_of_an_even_number_of_matches_decides_nothing() {
        let winner = |best_of, wins| {
            let (number, best_of) = (wins + 1, Some(best_of));
            let follows = Follows { previous: PREVIOUS, number, wins: vec![wins, 0], best_of };
            Series::after(None, 2, Some(&follows), &[]).winner
        };
        assert_eq!([winner(2, 1), winner(4, 2), winner(6, 3)], [None; 3]);
        assert_eq!([winner(2, 2), winner(4, 3), winner(6, 4)], [Some(seat(0)); 3]);
    }

    #[test]
    fn a_series_without_a_length_goes_on() {
        let game = games::find("rigs").expect("a game");
        let mut follows = None;
        for number in 1..=9 {
            let series = Series::after(game.best_of(3), 3, follows.as_ref(), &[seat(2)]);
            assert_eq!((series.number, &series.wins[..]), (number, &[0, 0, number][..]));
            assert_eq!((series.best_of, series.winner), (None, None));
            follows = Some(series.follows(PREVIOUS, &[seat(0), seat(1), seat(2)]));
        }
    }
}
