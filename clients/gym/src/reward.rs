//! What a match is worth to its seats.

use table::{Small, Table};

/// How the result of a match becomes numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reward {
    /// At the end: 1 for a sole winner, less if several share it, and -1/(n-1) for each loser. The
    /// seats' rewards sum to 0.
    Win,
    /// At the end: from 1 for the first to -1 for the last in even steps, by victory and then by
    /// score. Ties share the mean.
    Placement,
    /// With each action: what the public score of the seat grew by.
    Score,
}

impl Reward {
    pub const NAMES: &'static str = "win, placement, score";

    pub fn named(name: &str) -> Option<Reward> {
        match name {
            "win" => Some(Reward::Win),
            "placement" => Some(Reward::Placement),
            "score" => Some(Reward::Score),
            _ => None,
        }
    }

    /// What each seat gets for what led from scores `before` to this table.
    pub fn write(self, before: &[i32], table: &Table, out: &mut [f32]) {
        let Some(winners) = table.winners() else {
            match self {
                Reward::Score => grown(before, table.scores(), out),
                Reward::Win | Reward::Placement => out.fill(0.0),
            }
            return;
        };
        match self {
            Reward::Score => grown(before, table.scores(), out),
            // A match without a result.
            _ if winners.is_empty() => out.fill(0.0),
            Reward::Win => {
                let (seats, won) = (out.len() as f32, winners.len() as f32);
                for (seat, out) in table.seats().zip(out) {
                    let share = if winners.has(seat) { 1.0 / won } else { 0.0 };
                    *out = (share - 1.0 / seats) * seats / (seats - 1.0);
                }
            }
            Reward::Placement => {
                let key = |nth: usize| {
                    let seat = table.seats().nth(nth).expect("it is a seat of the match");
                    let is_out = table.resigned().has(seat);
                    (winners.has(seat), !is_out, table.scores()[seat.index()])
                };
                let count = out.len();
                for (nth, out) in out.iter_mut().enumerate() {
                    let (mut better, mut equal) = (0, 0);
                    for other in (0..count).filter(|it| *it != nth) {
                        better += u8::from(key(other) > key(nth));
                        equal += u8::from(key(other) == key(nth));
                    }
                    let place = f32::from(better) + f32::from(equal) / 2.0;
                    *out = 1.0 - 2.0 * place / (count - 1) as f32;
                }
            }
        }
    }
}

fn grown(before: &[i32], after: &[i32], out: &mut [f32]) {
    for ((out, before), after) in out.iter_mut().zip(before).zip(after) {
        *out = (after - before) as f32;
    }
}
