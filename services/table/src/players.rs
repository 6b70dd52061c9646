//! Commitments to the players of seats, so that digests cover who sat where without saying it.
//!
//! `docs/verify.md` defines the bytes. The key of a seat is stored apart and is deleted when its
//! player is erased: until somebody has the key, and once it is gone, no guess of a player can be
//! confirmed.

use std::fmt;

use crate::Seat;

const COMMITMENT: &str = "croupier 2026-11 player of a seat";

/// The length of a commitment.
pub const PLAYER_COMMITMENT_BYTES: usize = 32;

/// The player of a seat, without saying who it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PlayerCommitment {
    pub seat: Seat,
    pub commitment: [u8; PLAYER_COMMITMENT_BYTES],
}

impl PlayerCommitment {
    /// Commits to the player of a seat of this match with the key of the seat.
    pub fn new(match_id: &[u8; 16], seat: Seat, key: &[u8; 32], player: &str) -> PlayerCommitment {
        let mut hash = blake3::Hasher::new_derive_key(COMMITMENT);
        // The player comes last, so no two seats have the same bytes.
        hash.update(match_id).update(&[seat.into()]).update(key).update(player.as_bytes());
        PlayerCommitment { seat, commitment: *hash.finalize().as_bytes() }
    }
}

impl fmt::Debug for PlayerCommitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlayerCommitment of {:?}", self.seat)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Small;

    #[test]
    fn each_part_of_it_changes_a_commitment() {
        let seat = |nth| Seat::nth(nth).expect("a low seat");
        let commitments = [
            PlayerCommitment::new(&[1; 16], seat(0), &[2; 32], "ann"),
            PlayerCommitment::new(&[2; 16], seat(0), &[2; 32], "ann"),
            PlayerCommitment::new(&[1; 16], seat(1), &[2; 32], "ann"),
            PlayerCommitment::new(&[1; 16], seat(0), &[3; 32], "ann"),
            PlayerCommitment::new(&[1; 16], seat(0), &[2; 32], "bob"),
            PlayerCommitment::new(&[1; 16], seat(0), &[2; 32], ""),
        ]
        .map(|it| it.commitment);
        for (n, commitment) in commitments.iter().enumerate() {
            assert!(!commitments[..n].contains(commitment), "{n}");
        }
    }
}
