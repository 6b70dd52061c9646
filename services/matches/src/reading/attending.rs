//! Being at a match, and who else is.

use rows::MatchId;
use table::Seat;

use crate::access::Caller;
use crate::attendance::{Present, Rematch};
use crate::error::Error;
use crate::matches::Matches;

impl Matches {
    /// Notes that a seat is at a match, and returns who is, as far as this process knows. A
    /// platform may name a seat, a token has its own.
    pub async fn attend(
        &self,
        caller: &Caller,
        match_id: MatchId,
        requested: Option<Seat>,
        rematch: Rematch,
    ) -> Result<Present, Error> {
        let live = self.live(caller, match_id).await?;
        let seat = match requested {
            None => caller.own_seat(&live),
            Some(_) => Some(caller.acting_seat(&live, requested)?),
        };
        Ok(self.0.attendance.attend(match_id, seat.map(|seat| (seat, rematch))))
    }
}
