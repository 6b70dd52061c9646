//! Draws and dice, from a stream of random numbers that the caller passes in.
//!
//! `docs/verify.md` defines, byte for byte, how a match's chance follows from its seed and its
//! seats' contributions.

use bytes::Bytes;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::Seat;

/// The secret of a match that determines all its draws and dice. It is stored apart from the log
/// and published only after the match has ended; then anyone can deal the match again and compare.
pub type Seed = [u8; 32];

/// The contribution of a seat to the chance of its match before the deal. A service that commits to
/// the seed before it knows a contribution cannot choose a seed that suits it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contribution {
    pub seat: Seat,
    /// [`CONTRIBUTION_BYTES_MIN`] to [`CONTRIBUTION_BYTES_MAX`] bytes.
    pub bytes: Bytes,
    /// Whether the commitment to the seed could be read before the seat contributed.
    pub after_commitment: bool,
}

/// The sources of a match's chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entropy {
    /// The seed that the service chose.
    ServiceOnly,
    /// The seed, and what seats contributed after the service had committed itself to it.
    Shared,
    /// The seed, and what seats contributed, but some of them before they could know a commitment:
    /// the service may have chosen the seed to suit them.
    SharedOrderNotProven,
}

impl Entropy {
    /// The sources of the chance of a match that was dealt with these contributions.
    pub fn of(contributions: &[Contribution]) -> Entropy {
        match contributions {
            [] => Entropy::ServiceOnly,
            all if all.iter().all(|it| it.after_commitment) => Entropy::Shared,
            _ => Entropy::SharedOrderNotProven,
        }
    }
}

/// The minimum length of a contribution: fewer bytes could be tried out.
pub const CONTRIBUTION_BYTES_MIN: usize = 16;

/// The maximum length of a contribution: that of a seed, since more bytes add no chance.
pub const CONTRIBUTION_BYTES_MAX: usize = 32;

/// The choices that an entry makes at most: the invariants check that matches stay far below it,
/// and a reader of records from strangers refuses more.
pub const CHOICES_MAX: usize = 10_000;

/// A random choice as it is recorded: each value below the bound was equally likely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    pub bound: u32,
    pub value: u32,
}

/// For entries that draw nothing.
pub(crate) struct NoChance;

impl Chance for NoChance {
    fn below(&mut self, _limit: usize) -> usize {
        unreachable!("the entry is made without chance")
    }
}

/// The chance of a match: from its seed and all contributions.
#[derive(Clone)]
pub struct MatchChance(Seed);

const KEY: &str = "croupier 2026-11 chance of a match";

impl MatchChance {
    /// `contributions` are in the order of their seats.
    pub fn new(match_id: &[u8; 16], seed: &Seed, contributions: &[Contribution]) -> MatchChance {
        let mut key = blake3::Hasher::new_derive_key(KEY);
        key.update(match_id);
        key.update(seed);
        for Contribution { seat, bytes, after_commitment: _ } in contributions {
            key.update(&[u8::from(*seat), bytes.len() as u8]);
            key.update(bytes);
        }
        MatchChance(*key.finalize().as_bytes())
    }

    /// The chance of the next action, after this many choices in the match. Entries that draw
    /// nothing, such as talk, do not change what is drawn next.
    pub fn after(&self, choices: u64) -> ChaCha {
        ChaCha::of(self.0, choices)
    }
}

/// A source of random numbers.
pub trait Chance {
    /// A number in `0..limit`, each equally likely. `limit` is at least 1 and fits 32 bits.
    fn below(&mut self, limit: usize) -> usize;
}

/// The chance of one action: a numbered stream of a key. Since each action has a stream of its own,
/// a match can be resumed or checked from anywhere, and a refused action uses up nothing.
pub struct ChaCha(ChaCha8Rng);

impl ChaCha {
    pub fn of(key: Seed, number: u64) -> ChaCha {
        let mut stream = ChaCha8Rng::from_seed(key);
        stream.set_stream(number);
        ChaCha(stream)
    }
}

impl Chance for ChaCha {
    fn below(&mut self, limit: usize) -> usize {
        // Lemire's method: unbiased, and one multiplication in the usual case.
        let limit = limit as u32;
        let mut wide = u64::from(self.0.next_u32()) * u64::from(limit);
        if (wide as u32) < limit {
            let floor = limit.wrapping_neg() % limit;
            while (wide as u32) < floor {
                wide = u64::from(self.0.next_u32()) * u64::from(limit);
            }
        }
        (wide >> 32) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Small;

    const MATCHES: u64 = 4_000;
    const BOUND: usize = 8;

    fn random_bytes(number: u64) -> [u8; 32] {
        let mut random = ChaCha::of([3; 32], number);
        std::array::from_fn(|_| random.below(256) as u8)
    }

    fn first_choice(match_id: &[u8; 16], seed: &Seed, contributions: &[Contribution]) -> usize {
        MatchChance::new(match_id, seed, contributions).after(0).below(BOUND)
    }

    /// The seed of a dishonest service: the first of 1,000 that gives its favourite the card it
    /// wants, as far as it can know before it commits.
    fn ground_seed(match_id: &[u8; 16], number: u64) -> Seed {
        let mut seeds = (0..1_000).map(|nth| random_bytes(number * 1_000 + nth));
        let suits = |seed: &Seed| first_choice(match_id, seed, &[]) == 0;
        seeds.find(suits).expect("one of 1,000 seeds suits")
    }

    /// How far the first choices of many matches are from equally frequent: the chi-squared
    /// statistic with 7 degrees of freedom, which exceeds 24.3 once in a thousand times.
    fn deviation(contributions: impl Fn(u64) -> Vec<Contribution>) -> f64 {
        let mut counts = [0_u32; BOUND];
        for number in 0..MATCHES {
            let match_id = u128::from(number).to_be_bytes();
            let seed = ground_seed(&match_id, number);
            counts[first_choice(&match_id, &seed, &contributions(number))] += 1;
        }
        let expected = MATCHES as f64 / BOUND as f64;
        counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum()
    }

    #[test]
    fn a_service_that_chooses_its_seeds_moves_nothing_once_an_honest_seat_contributes() {
        let seat = |nth| Seat::nth(nth).expect("a table has more seats");
        let honest = |number: u64| Contribution {
            seat: seat(1),
            bytes: Bytes::copy_from_slice(&random_bytes(u64::MAX - number)),
            after_commitment: true,
        };
        let accomplice = Contribution { seat: seat(0), ..honest(0) };
        assert!(deviation(|_| Vec::new()) > 10_000.0, "alone it gets what it wants");
        assert!(deviation(|number| vec![honest(number)]) < 24.3);
        assert!(deviation(|number| vec![accomplice.clone(), honest(number)]) < 24.3);
    }

    #[test]
    fn whose_a_contribution_is_and_where_it_ends_matters() {
        let contribution = |seat, bytes: &'static [u8]| Contribution {
            seat: Seat::nth(seat).expect("a table has more seats"),
            bytes: Bytes::from_static(bytes),
            after_commitment: true,
        };
        let contributions = [
            vec![],
            vec![contribution(0, b"ab")],
            vec![contribution(1, b"ab")],
            vec![contribution(0, b"a"), contribution(1, b"b")],
            vec![contribution(0, b"ab"), contribution(1, b"b")],
        ];
        let keys = contributions.map(|it| MatchChance::new(&[1; 16], &[2; 32], &it).0);
        for (nth, key) in keys.iter().enumerate() {
            assert!(!keys[..nth].contains(key), "{nth}");
        }
        assert_ne!(MatchChance::new(&[0; 16], &[2; 32], &[]).0, keys[0], "of another match");
    }
}
