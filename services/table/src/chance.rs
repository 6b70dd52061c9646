//! Draws and dice: from a stream of numbers that the caller passes in.
//!
//! `docs/verify.md` says byte for byte how a match's chance follows from its seed and from what the
//! seats contribute to it.

use bytes::Bytes;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::Seat;

/// The secret of a match that determines all its draws and dice. It is kept apart from the log and
/// published only once the match has ended; then anyone can deal the match again and compare.
pub type Seed = [u8; 32];

/// What a seat contributes to the chance of its match before the deal. The service committed itself
/// to the seed before it knew any of them, so it could not choose a seed that suits them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contribution {
    pub seat: Seat,
    /// 1 to [`CONTRIBUTION_BYTES_MAX`] bytes.
    pub bytes: Bytes,
}

/// As many bytes as a seed has: more cannot add to the chance.
pub const CONTRIBUTION_BYTES_MAX: usize = 32;

/// A random choice as it is recorded: each value below the bound was equally likely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    pub bound: u32,
    pub value: u32,
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
        for Contribution { seat, bytes } in contributions {
            key.update(&[u8::from(*seat), bytes.len() as u8]);
            key.update(bytes);
        }
        MatchChance(*key.finalize().as_bytes())
    }

    /// The chance of the action that comes after so many choices of the match. What uses no chance,
    /// such as talk, does not change what is drawn next.
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
