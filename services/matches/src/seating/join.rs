//! Taking a seat.

use rows::MatchId;
use store::{Place, Seating};
use table::{Seat, Small};

use super::speech::speech_key;
use crate::access::{Caller, Lane};
use crate::detached::Detached;
use crate::error::Error;
use crate::matches::Matches;
use crate::request::{check_contribution, check_player, check_request_id, display_names};
use crate::summary::Summary;

/// A player to be seated.
#[derive(Clone, Debug)]
pub struct NewPlayer {
    /// Empty to seat the player of the caller's token.
    pub player: String,
    /// The name to show for the player; empty for none.
    pub display_name: String,
    /// The seat's contribution to the chance of the match; empty for none.
    pub contribution: Vec<u8>,
    /// The requested seat; `None` for any open one.
    pub seat: Option<Seat>,
    pub request_id: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Joined {
    pub seat: Seat,
    pub summary: Summary,
}

impl Matches {
    /// Seats a player, and deals the match if this was its last open seat. Completes even if the
    /// caller drops this future.
    pub async fn join(
        &self,
        caller: &Caller,
        match_id: MatchId,
        new: NewPlayer,
    ) -> Result<Joined, Error> {
        let (matches, caller) = (self.clone(), caller.clone());
        Detached::new(async move { matches.join_whole(&caller, match_id, &new).await }).await?
    }

    async fn join_whole(
        &self,
        caller: &Caller,
        match_id: MatchId,
        new: &NewPlayer,
    ) -> Result<Joined, Error> {
        let player = match caller.player() {
            Some(own) if new.player.is_empty() => own,
            Some(_) | None => &new.player,
        };
        caller.check_player(player)?;
        let platform = caller.platform.as_str();
        check_player("player", player)?;
        let display_name = display_names::parse("display_name", &new.display_name)?;
        let request_id = new.request_id.as_deref();
        check_request_id(request_id)?;
        let live = self.live_or_open(caller, match_id).await?;
        let requested = new.seat.map(|seat| live.check_seat(seat)).transpose()?;
        let requested = requested.map(|seat| u8::from(seat).into());
        let named = (player, display_name.as_deref());
        let contribution = check_contribution("contribution", &new.contribution)?;
        let speech_key = Some(speech_key());
        let right = caller.right_of_player();
        let right = right.as_deref();
        let place = Place { requested, contribution, request_id, speech_key, right };
        let taking = self.0.store.take_seat(match_id, named, place, self.now());
        let mut contributes_later = None;
        let seat = match self.in_lane(Lane::Writes, platform, taking).await? {
            Seating::Taken(row) => row.seat,
            Seating::AlreadySeated(row) => {
                contributes_later = contribution;
                row.seat
            }
            Seating::Occupied => return Err(Error::SeatTaken),
            Seating::Full => return Err(Error::MatchFull),
            Seating::NameTaken => return Err(Error::DisplayNameTaken),
            Seating::NoSuchSeat => return Err(Error::NoSuchMatch),
            Seating::RightEnded => return Err(Error::RightEnded),
        };
        let seat = usize::try_from(seat).ok().and_then(Seat::nth).expect("a match has few seats");
        if let Some(contribution) = contributes_later {
            self.add_contribution(caller, match_id, (seat, player), contribution).await?;
        }
        let summary = self.changed(caller, match_id).await?;
        Ok(Joined { seat, summary })
    }
}
