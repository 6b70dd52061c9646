//! Draws and dice: from a stream of numbers that the caller passes in.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// The secret of a match that determines all its draws and dice. It is kept apart from the log and
/// published only once the match has ended; then anyone can deal the match again and compare.
pub type Seed = [u8; 32];

/// A source of random numbers.
pub trait Chance {
    /// A number in `0..limit`, each equally likely. `limit` is at least 1 and fits 32 bits.
    fn below(&mut self, limit: usize) -> usize;
}

/// The chance of one action: the stream of the match's seed with the number of the action's
/// position. Since each position has its own stream, a match can be resumed or checked from
/// anywhere, and a refused action uses up nothing.
pub struct ChaCha(ChaCha8Rng);

impl ChaCha {
    pub fn of(seed: Seed, position: u64) -> ChaCha {
        let mut stream = ChaCha8Rng::from_seed(seed);
        stream.set_stream(position);
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
