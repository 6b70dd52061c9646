//! Who sat where: the players of the match's line are those that its entries commit to.
//!
//! The first entry commits to the player of each seat, and an entry by which another player takes
//! over a seat to that player. The line of a match has the key of each player, without which no
//! commitment can be checked: an erasure deletes it.

use rows::{MatchId, SeatRow, SpeechKey};
use serde::{Deserialize, Serialize};
use table::{PlayerCommitment, SEATS_MAX, Small};

use crate::body::Body;
use crate::code::{Code, Problem, ensure};

/// The players who took seats, by what is known about them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerCounts {
    /// They are those that the entries commit to.
    pub proven: u64,
    /// They were erased since, so their commitments cannot be checked.
    pub erased: u64,
    /// No entry commits to them: it is not covered who they were.
    pub not_covered: u64,
}

/// Compares the players of a match with the commitments of its entries.
#[derive(Default)]
pub(crate) struct Players {
    match_id: [u8; 16],
    /// The players of each seat, in order; none of a seat that the line does not have.
    seats: [Vec<Player>; SEATS_MAX],
    /// The index of the current player of each seat.
    now: [usize; SEATS_MAX],
    pub(crate) counts: PlayerCounts,
}

struct Player {
    player: String,
    key: Option<SpeechKey>,
    is_erased: bool,
    /// The entry with which the next player took over; `None` for the last one.
    until: Option<i64>,
}

impl Players {
    pub(crate) fn new(match_id: MatchId, seated: &[SeatRow]) -> Players {
        let mut players = Players { match_id: *match_id.0.as_bytes(), ..Players::default() };
        for it in seated {
            let seat = usize::try_from(it.seat).ok().and_then(|nth| players.seats.get_mut(nth));
            let Some(seat) = seat else { continue };
            *seat = it
                .before
                .iter()
                .map(|it| Player {
                    player: it.player.clone(),
                    key: it.speech_key,
                    is_erased: it.is_erased,
                    until: Some(it.until.0),
                })
                .collect();
            seat.push(Player {
                player: it.player.clone(),
                key: it.speech_key,
                is_erased: it.is_erased,
                until: None,
            });
        }
        players
    }

    /// Verifies the players who take seats with the entry at this position.
    pub(crate) fn next(&mut self, position: i64, body: &Body<'_>) -> Result<(), Problem> {
        let begun: Vec<usize> = match body.replaced {
            _ if position == 1 => (0..SEATS_MAX).collect(),
            Some(seat) => vec![self.replace(position, seat)?],
            None => Vec::new(),
        };
        let of_begun = |it: &PlayerCommitment| begun.contains(&it.seat.index());
        ensure(body.players.iter().all(of_begun), Code::BodyInvalid, || {
            "it commits to the player of a seat that nobody takes with it".to_owned()
        })?;
        for seat in begun {
            let commitment = body.players.iter().find(|it| it.seat.index() == seat);
            self.compare(seat, commitment)?;
        }
        Ok(())
    }

    /// Goes on to the next player of a seat, who takes over at this position.
    fn replace(&mut self, position: i64, seat: u64) -> Result<usize, Problem> {
        let nth = usize::try_from(seat).ok().filter(|nth| *nth < SEATS_MAX);
        let until =
            nth.and_then(|nth| self.seats[nth].get(self.now[nth])).and_then(|player| player.until);
        let Some(nth) = nth.filter(|_| until == Some(position)) else {
            let reason = format!("its line does not say who took over seat {seat} with this entry");
            return Err(Code::PlayerDiffers.because(reason));
        };
        self.now[nth] += 1;
        Ok(nth)
    }

    /// Compares the current player of a seat with the commitment, if there is one.
    fn compare(
        &mut self,
        seat: usize,
        commitment: Option<&PlayerCommitment>,
    ) -> Result<(), Problem> {
        let player = self.seats[seat].get(self.now[seat]);
        let differs =
            |reason: &str| Err(Code::PlayerDiffers.because(format!("seat {seat}: {reason}")));
        let (count, commitment) = match (player, commitment) {
            (None, None) => return Ok(()),
            (Some(_), None) => (&mut self.counts.not_covered, None),
            (None, Some(_)) => return differs("its player is not in the line of the match"),
            (Some(Player { key: None, is_erased: true, .. }), Some(_)) => {
                (&mut self.counts.erased, None)
            }
            (Some(Player { key: None, .. }), Some(_)) => {
                return differs("the key of its player is gone, who was not erased");
            }
            (Some(Player { key: Some(key), player, .. }), Some(recorded)) => {
                let of = PlayerCommitment::new(&self.match_id, recorded.seat, &key.0, player);
                (&mut self.counts.proven, Some((of, recorded)))
            }
        };
        if commitment.is_some_and(|(of, recorded)| of != *recorded) {
            return differs("its player is another one than the entry commits to");
        }
        *count += 1;
        Ok(())
    }

    /// Fails if the line has players who took over a seat with no entry.
    pub(crate) fn check_end(&self) -> Result<(), Problem> {
        for (nth, (players, now)) in self.seats.iter().zip(self.now).enumerate() {
            ensure(now + 1 >= players.len(), Code::PlayerDiffers, || {
                format!("seat {nth}: the line has a player who took over with no entry")
            })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_takes_over_a_seat_that_no_table_has() {
        for seat in [SEATS_MAX as u64, u64::MAX] {
            let body = Body { replaced: Some(seat), ..Body::default() };
            let problem = Players::default().next(2, &body).expect_err("there is no such seat");
            assert_eq!(problem.code, Code::PlayerDiffers);
        }
    }
}
