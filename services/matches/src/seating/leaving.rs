//! Leaving a match, and deleting one, before the deal.

use rows::MatchId;
use store::Deletion;
use table::Small;

use crate::access::{Caller, Lane};
use crate::detached::Detached;
use crate::error::Error;
use crate::matches::Matches;
use crate::request::check_player;
use crate::summary::Summary;

impl Matches {
    /// Deletes a match that has an open seat and so was never dealt. Completes even if the caller
    /// drops this future.
    pub async fn delete(&self, caller: &Caller, match_id: MatchId) -> Result<(), Error> {
        let (matches, caller) = (self.clone(), caller.clone());
        Detached::new(async move { matches.delete_whole(&caller, match_id).await }).await?
    }

    /// Frees the seat of a player in a match that has an open seat and so was never dealt. A
    /// platform must name the player, a token has its own. Completes even if the caller drops this
    /// future.
    pub async fn leave(
        &self,
        caller: &Caller,
        match_id: MatchId,
        player: Option<String>,
    ) -> Result<Summary, Error> {
        let (matches, caller) = (self.clone(), caller.clone());
        Detached::new(async move { matches.leave_whole(&caller, match_id, player).await }).await?
    }

    async fn leave_whole(
        &self,
        caller: &Caller,
        match_id: MatchId,
        player: Option<String>,
    ) -> Result<Summary, Error> {
        let live = self.live(caller, match_id).await?;
        let player = match (caller.platform().is_ok(), player) {
            (true, None) => {
                return Err(Error::invalid("player", "the player who leaves is missing"));
            }
            (true, Some(player)) => player,
            (false, given) => {
                let seat = caller.acting_seat(&live, None)?;
                let own = live.players().swap_remove(seat.index()).map(|it| it.player);
                let own = own.ok_or(Error::PlayerNotSeated)?;
                if given.is_some_and(|given| given != own) {
                    return Err(Error::NotYourSeat);
                }
                own
            }
        };
        check_player("player", &player)?;
        let leaving = self.0.store.leave_open(&caller.platform, match_id, &player);
        let has_left = self.in_lane(Lane::Writes, &caller.platform, leaving).await?;
        self.0.live.seat(&live).await.map_err(Error::after_write)?;
        if has_left {
            return Ok(live.summary());
        }
        match live.players().into_iter().flatten().any(|it| it.player == player) {
            true => Err(Error::Started),
            false => Err(Error::PlayerNotSeated),
        }
    }

    async fn delete_whole(&self, caller: &Caller, match_id: MatchId) -> Result<(), Error> {
        let platform = caller.platform()?;
        let deleting = self.0.store.delete_open(platform, match_id);
        match self.in_lane(Lane::Writes, platform, deleting).await? {
            Deletion::Deleted => {
                self.0.live.cache.forget(match_id);
                Ok(())
            }
            Deletion::NotOpen => Err(Error::Started),
            Deletion::NoSuchMatch => Err(Error::NoSuchMatch),
        }
    }
}
