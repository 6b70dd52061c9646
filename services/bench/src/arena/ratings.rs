//! Elo ratings of a few players who met often, all fitted at once.

use std::f64::consts::LN_10;

/// The scores of the players against each other.
#[derive(Clone, Debug)]
pub(super) struct Pairwise {
    players: usize,
    /// By player and opponent: wins, and half of the draws, each with its weight.
    scored: Vec<f64>,
}

/// A rating, and half of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rating {
    pub(super) elo: f64,
    pub(super) margin: f64,
}

/// The Elo advantage that corresponds to odds of ten to one.
const TEN_TO_ONE: f64 = 400.0;

/// Standard deviations on each side of a 95 % interval.
const DEVIATIONS: f64 = 1.96;

/// The maximum number of steps: more than Newton's method ever took.
const STEPS: usize = 60;

impl Pairwise {
    pub(super) fn new(players: usize) -> Pairwise {
        Pairwise { players, scored: vec![0.0; players * players] }
    }

    /// `share` is 1 for a win, 0.5 for a draw, and 0 for a loss.
    pub(super) fn add(&mut self, player: usize, opponent: usize, share: f64, weight: f64) {
        self.scored[player * self.players + opponent] += share * weight;
        self.scored[opponent * self.players + player] += (1.0 - share) * weight;
    }

    fn scored(&self, player: usize, opponent: usize) -> f64 {
        self.scored[player * self.players + opponent]
    }

    /// The most likely ratings, which average 0. Each pair that met gets one additional draw:
    /// otherwise a player who never lost would be infinitely better.
    pub(super) fn ratings(&self) -> Vec<Rating> {
        let all = self.with_a_draw_each();
        let mut strength = vec![0.0; self.players];
        for _ in 0..STEPS {
            let (gradient, spread) = all.derivatives(&strength);
            let step = times(&spread, &gradient);
            let length = step.iter().fold(0.0, |longest: f64, it| longest.max(it.abs()));
            // Newton's method may overshoot from the start, where all are equal.
            let scale = if length > 1.0 { 1.0 / length } else { 1.0 };
            strength.iter_mut().zip(&step).for_each(|(strength, step)| *strength += scale * step);
            if length < 1e-12 {
                break;
            }
        }
        let (_, spread) = all.derivatives(&strength);
        let points = TEN_TO_ONE / LN_10;
        let rating = |player: usize| Rating {
            elo: points * strength[player],
            margin: points * DEVIATIONS * spread[player][player].max(0.0).sqrt(),
        };
        (0..self.players).map(rating).collect()
    }

    fn with_a_draw_each(&self) -> Pairwise {
        let mut all = self.clone();
        for player in 0..self.players {
            for opponent in 0..player {
                if self.scored(player, opponent) + self.scored(opponent, player) > 0.0 {
                    all.add(player, opponent, 0.5, 1.0);
                }
            }
        }
        all
    }

    /// The gradient of the likelihood, and the covariance: the inverse of the information matrix
    /// among strengths that average 0.
    fn derivatives(&self, strength: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let n = self.players;
        let mut gradient = vec![0.0; n];
        let mut information = vec![vec![0.0; n]; n];
        for player in 0..n {
            for opponent in (0..n).filter(|&it| it != player) {
                let met = self.scored(player, opponent) + self.scored(opponent, player);
                let wins = 1.0 / (1.0 + (strength[opponent] - strength[player]).exp());
                gradient[player] += self.scored(player, opponent) - met * wins;
                information[player][player] += met * wins * (1.0 - wins);
                information[player][opponent] -= met * wins * (1.0 - wins);
            }
        }
        // The common offset of all strengths is undetermined, so it is fixed at 0.
        let common = 1.0 / n as f64;
        information.iter_mut().flatten().for_each(|it| *it += common);
        let mut spread = inverse(information);
        spread.iter_mut().flatten().for_each(|it| *it -= common);
        (gradient, spread)
    }
}

fn times(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    let row = |row: &Vec<f64>| row.iter().zip(vector).map(|(a, b)| a * b).sum();
    matrix.iter().map(row).collect()
}

/// The inverse of a symmetric positive definite matrix, by elimination.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = matrix.len();
    for (nth, row) in matrix.iter_mut().enumerate() {
        row.extend((0..n).map(|it| if it == nth { 1.0 } else { 0.0 }));
    }
    for column in 0..n {
        let pivot = matrix[column][column];
        matrix[column].iter_mut().for_each(|it| *it /= pivot);
        let eliminated = matrix[column].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|(nth, _)| *nth != column) {
            let factor = row[column];
            row.iter_mut().zip(&eliminated).for_each(|(it, by)| *it -= factor * by);
        }
    }
    matrix.into_iter().map(|row| row[n..].to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(pairwise: &mut Pairwise, player: usize, opponent: usize, wins: u32, losses: u32) {
        (0..wins).for_each(|_| pairwise.add(player, opponent, 1.0, 1.0));
        (0..losses).for_each(|_| pairwise.add(player, opponent, 0.0, 1.0));
    }

    #[test]
    fn three_wins_in_four_are_191_points_apart() {
        let mut pairwise = Pairwise::new(2);
        met(&mut pairwise, 0, 1, 30_000, 10_000);
        let [better, worse] = pairwise.ratings()[..] else { panic!("two players") };
        assert!((better.elo - worse.elo - 190.85).abs() < 0.1, "{better:?} {worse:?}");
        assert!((better.elo + worse.elo).abs() < 1e-9, "they average 0");
    }

    #[test]
    fn the_interval_is_that_of_a_share_of_wins() {
        let mut pairwise = Pairwise::new(2);
        met(&mut pairwise, 0, 1, 200, 200);
        // The difference of the two has twice the margin of each.
        let margin = 2.0 * pairwise.ratings()[0].margin;
        let expected = 400.0 / LN_10 * 1.96 / (401.0_f64 * 0.25).sqrt();
        assert!((margin - expected).abs() < 0.01, "{margin} {expected}");
    }

    #[test]
    fn who_never_lost_has_a_finite_rating_and_a_wide_interval() {
        let mut pairwise = Pairwise::new(2);
        met(&mut pairwise, 0, 1, 400, 0);
        let [best, _] = pairwise.ratings()[..] else { panic!("two players") };
        assert!(best.elo > 400.0 && best.elo < 700.0, "{best:?}");
        assert!(best.margin > 100.0, "{best:?}");
    }

    #[test]
    fn ratings_agree_with_chains_of_results() {
        let mut pairwise = Pairwise::new(3);
        met(&mut pairwise, 0, 1, 3_000, 1_000);
        met(&mut pairwise, 1, 2, 3_000, 1_000);
        let ratings = pairwise.ratings();
        assert!((ratings[0].elo - ratings[2].elo - 381.7).abs() < 1.0, "{ratings:?}");
    }

    #[test]
    fn those_who_met_nobody_are_average() {
        assert_eq!(Pairwise::new(1).ratings()[0].elo, 0.0);
    }
}
