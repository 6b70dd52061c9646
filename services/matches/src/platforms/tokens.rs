//! Tokens of a platform's seats and players: whether they may be issued, and revoking them.

use accounts::{PlayerRevocation, TokenRevocation};
use rows::MatchId;
use table::{Seat, Small};

use crate::access::{Caller, Grant, Lane};
use crate::detached::Detached;
use crate::error::Error;
use crate::matches::Matches;
use crate::request::check_player;

impl Matches {
    /// Whether the right of a caller still holds, as the database knows it now.
    pub async fn right_holds(&self, caller: &Caller) -> Result<bool, Error> {
        let Some(it) = &caller.right else { return Ok(true) };
        self.in_lane(Lane::Lists, &caller.platform, self.0.accounts.right_holds(&it.right)).await
    }

    /// Fails unless the caller may issue tokens for this match, for `seat` or for a spectator.
    /// Returns the seat's player; `None` if the seat is open.
    pub async fn may_grant(
        &self,
        caller: &Caller,
        match_id: MatchId,
        seat: Option<Seat>,
    ) -> Result<Option<String>, Error> {
        caller.platform()?;
        let live = self.live(caller, match_id).await?;
        let seat = seat.map(|seat| live.check_seat(seat)).transpose()?;
        if let Some(seat) = seat.filter(|seat| live.has_bot(*seat)) {
            return Err(Error::BotSeat { seat });
        }
        let seated = seat.and_then(|seat| live.players().swap_remove(usize::from(u8::from(seat))));
        Ok(seated.map(|it| it.player))
    }

    /// Like [`Matches::may_grant`], where the holder of a seat also may: for the seat of its own
    /// player in the match that follows.
    pub async fn may_grant_to_own(
        &self,
        caller: &Caller,
        match_id: MatchId,
        seat: Option<Seat>,
    ) -> Result<Option<String>, Error> {
        let Grant::Seat(own_match, own_seat) = caller.grant else {
            return self.may_grant(caller, match_id, seat).await;
        };
        let (live, _) = self.current(caller, own_match).await?;
        if self.next_of(&live).await? != Some(match_id) {
            return Err(Error::PlatformOnly);
        }
        let own = live.players().swap_remove(own_seat.index()).filter(|it| !it.is_erased);
        let own = own.ok_or(Error::PlayerNotSeated)?.player;
        let following = self.live_of(&caller.platform, match_id).await?;
        match seat.is_some() && following.seat_of(&own) == seat {
            true => Ok(Some(own)),
            false => Err(Error::NotYourSeat),
        }
    }

    /// The number that tokens minted now for a player carry. The player need not have a seat yet.
    pub async fn player_token_number(&self, caller: &Caller, player: &str) -> Result<i64, Error> {
        let platform = caller.platform()?;
        check_player("parent", player)?;
        let reading = self.0.accounts.player_token_number(platform, player);
        self.in_lane(Lane::Lists, platform, reading).await
    }

    /// Revokes all tokens minted for a player so far.
    pub async fn revoke_player_tokens(
        &self,
        caller: &Caller,
        player: &str,
    ) -> Result<PlayerRevocation, Error> {
        let platform = caller.platform()?;
        check_player("parent", player)?;
        let (platform, player) = (platform.to_owned(), player.to_owned());
        let (matches, caller) = (self.clone(), caller.clone());
        Detached::new(async move {
            let operator = matches.operator(&caller);
            let revoking = operator.revoke_player_tokens(&platform, &player);
            matches.in_lane(Lane::Writes, &platform, revoking).await
        })
        .await?
    }

    /// Revokes all tokens of a match minted so far, or those of a seat, which the caller may grant.
    /// The number [`accounts::INVITATIONS`] stands for all invitations. Returns `None` if there is
    /// no such match.
    pub async fn revoke_tokens(
        &self,
        caller: &Caller,
        match_id: MatchId,
        seat: Option<u8>,
    ) -> Result<Option<TokenRevocation>, Error> {
        let (matches, caller) = (self.clone(), caller.clone());
        Detached::new(async move {
            let revoking =
                matches.operator(&caller).revoke_tokens(&caller.platform, match_id, seat).await;
            Ok(revoking?)
        })
        .await?
    }
}
