//! Counts of the levels over many matches.

use super::playing::{self, Thinking};
use super::ratings::Pairwise;

/// The counts of a level.
#[derive(Clone, Copy, Default)]
pub(super) struct Counts {
    pub seats: usize,
    pub wins: f64,
    pub points: i64,
    pub thinking: Thinking,
}

/// Wilson's 95 % interval of a share.
pub(super) fn interval(wins: f64, of: f64) -> (f64, f64) {
    const Z: f64 = 1.96;
    if of == 0.0 {
        return (0.0, 1.0);
    }
    let share = wins / of;
    let middle = (share + Z * Z / (2.0 * of)) / (1.0 + Z * Z / of);
    let half = Z * (share * (1.0 - share) / of + Z * Z / (4.0 * of * of)).sqrt();
    let half = half / (1.0 + Z * Z / of);
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

pub(super) fn count(levels: &[usize], result: &playing::Result, counts: &mut [Counts]) {
    let winners = result.won.iter().filter(|&&won| won).count();
    for (seat, &level) in levels.iter().enumerate() {
        let counts = &mut counts[level];
        counts.seats += 1;
        counts.points += i64::from(result.points[seat]);
        if result.won[seat] {
            counts.wins += 1.0 / winners as f64;
        }
    }
}

/// Compares each two seats with different levels by their ranks: winners first, then by points.
pub(super) fn compare(levels: &[usize], result: &playing::Result, pairwise: &mut Pairwise) {
    let rank =
        |seat: usize| (result.won[seat], if result.won[seat] { 0 } else { result.points[seat] });
    // A match among n seats counts as n - 1 comparisons, since the others are partly redundant.
    let weight = 2.0 / levels.len() as f64;
    for seat in 0..levels.len() {
        for other in (0..seat).filter(|&other| levels[other] != levels[seat]) {
            let share = match rank(seat).cmp(&rank(other)) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Less => 0.0,
            };
            pairwise.add(levels[seat], levels[other], share, weight);
        }
    }
}

pub(super) fn total(counts: impl Iterator<Item = Counts>) -> Counts {
    counts.fold(Counts::default(), |sum, it| Counts {
        seats: sum.seats + it.seats,
        wins: sum.wins + it.wins,
        points: sum.points + it.points,
        thinking: Thinking {
            decisions: sum.thinking.decisions + it.thinking.decisions,
            time: sum.thinking.time + it.thinking.time,
            refused: sum.thinking.refused + it.thinking.refused,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_those_of_winners_and_then_of_points() {
        let result = |points: [i32; 3], won: [bool; 3]| playing::Result {
            points: points.into(),
            won: won.into(),
        };
        let mut pairwise = Pairwise::new(3);
        compare(&[0, 1, 2], &result([3, 9, 5], [true, false, false]), &mut pairwise);
        let elo: Vec<f64> = pairwise.ratings().iter().map(|it| it.elo).collect();
        assert!(elo[0] > elo[1] && elo[1] > elo[2], "{elo:?}");
    }

    #[test]
    fn the_interval_of_a_share_is_wilsons() {
        let (low, high) = interval(380.0, 400.0);
        assert!((low - 0.924).abs() < 0.001 && (high - 0.967).abs() < 0.001, "{low} {high}");
        assert_eq!(interval(0.0, 0.0), (0.0, 1.0));
    }
}
