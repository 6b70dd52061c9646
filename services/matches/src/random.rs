//! Random bytes of the operating system, from which seeds, keys and ids are made.

use table::ChaCha;

/// Chance for what must not draw from the chance of a match, which is secret.
pub(crate) fn own_chance() -> ChaCha {
    ChaCha::of(random(), 0)
}

pub(crate) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system provides randomness");
    bytes
}
