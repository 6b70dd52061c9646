//! Taking a seat.

use std::sync::Arc;

use rows::{MatchId, level_of};
use store::{Place, Seating};
use table::{Seat, Small};

use super::bots::{bot_id, bot_level, bot_name};
use super::speech::speech_key;
use crate::access::{Caller, Lane};
use crate::detached::Detached;
use crate::error::Error;
use crate::live::LiveMatch;
use crate::matches::Matches;
use crate::request::{check_contribution, check_player, check_request_id, display_names};
use crate::summary::Summary;

/// A player to be seated.
#[derive(Clone, Debug)]
pub struct NewPlayer {
    /// Empty to seat the player of the caller's token, or a bot.
    pub player: String,
    /// The name to show for the player; empty for none. A bot then gets one.
    pub display_name: String,
    /// The level of the bot to seat instead; empty for a player.
    pub bot: String,
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

/// A player, and the seat that the player is to take.
pub(super) struct Seated<'a> {
    pub player: &'a str,
    pub display_name: Option<&'a str>,
    pub requested: Option<Seat>,
    pub contribution: Option<&'a [u8]>,
    pub request_id: Option<&'a str>,
    /// The right by which the player takes the seat, if the player does so.
    pub right: Option<String>,
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
        if !new.bot.is_empty() {
            return self.seat_bot(caller, match_id, new).await;
        }
        let player = match caller.player() {
            Some(own) if new.player.is_empty() => own,
            Some(_) | None => &new.player,
        };
        caller.check_player(player)?;
        check_player("player", player)?;
        let display_name = display_names::parse("display_name", &new.display_name)?;
        let request_id = new.request_id.as_deref();
        check_request_id(request_id)?;
        let live = self.live_or_open(caller, match_id).await?;
        let seated = Seated {
            player,
            display_name: display_name.as_deref(),
            requested: new.seat,
            contribution: check_contribution("contribution", &new.contribution)?,
            request_id,
            right: caller.right_of_player(),
        };
        let (seat, is_new) = self.take_seat(&live, &seated).await?;
        if let Some(contribution) = seated.contribution.filter(|_| !is_new) {
            self.add_contribution(caller, match_id, (seat, player), contribution).await?;
        }
        let summary = self.changed(caller, match_id).await?;
        Ok(Joined { seat, summary })
    }

    /// Seats a player at an open seat. Returns the seat, and whether the player has just taken it.
    pub(super) async fn take_seat(
        &self,
        live: &Arc<LiveMatch>,
        new: &Seated<'_>,
    ) -> Result<(Seat, bool), Error> {
        let requested = new.requested.map(|seat| live.check_seat(seat)).transpose()?;
        let place = Place {
            requested: requested.map(|seat| u8::from(seat).into()),
            contribution: new.contribution,
            request_id: new.request_id,
            speech_key: Some(speech_key()),
            right: new.right.as_deref(),
        };
        let named = (new.player, new.display_name);
        let taking = self.0.store.take_seat(live.id(), named, place, self.now());
        let (row, is_new) = match self.in_lane(Lane::Writes, live.platform(), taking).await? {
            Seating::Taken(row) => (row, true),
            Seating::AlreadySeated(row) => (row, false),
            Seating::Occupied => return Err(Error::SeatTaken),
            Seating::Full => return Err(Error::MatchFull),
            Seating::NameTaken => return Err(Error::DisplayNameTaken),
            Seating::NoSuchSeat => return Err(Error::NoSuchMatch),
            Seating::RightEnded => return Err(Error::RightEnded),
        };
        let seat = usize::try_from(row.seat).ok().and_then(Seat::nth);
        Ok((seat.expect("a match has few seats"), is_new))
    }

    async fn seat_bot(
        &self,
        caller: &Caller,
        match_id: MatchId,
        new: &NewPlayer,
    ) -> Result<Joined, Error> {
        let platform = caller.platform()?;
        if !new.player.is_empty() {
            return Err(Error::invalid("bot", "a seat has a bot or a player, not both"));
        }
        if !new.contribution.is_empty() {
            return Err(Error::invalid("contribution", "a bot contributes nothing"));
        }
        let no_seat = || Error::invalid("seat", "name the seat that the bot takes");
        let seat = new.seat.ok_or_else(no_seat)?;
        let display_name = display_names::parse("display_name", &new.display_name)?;
        let request_id = new.request_id.as_deref();
        check_request_id(request_id)?;
        let live = self.live(caller, match_id).await?;
        let level = bot_level("bot", &new.bot, live.game_of_bots())?;
        let seat = live.check_seat(seat)?;
        // Listed before the bot is seated: otherwise, if this process ends in between, nobody would
        // play for the bot.
        let noting = self.0.store.note_bots(platform, match_id);
        self.in_lane(Lane::Writes, platform, noting).await?;
        let seated = live.players();
        let people = seated.iter().flatten();
        let people = people.map(|it| (&*it.player, it.display_name.as_deref()));
        let display_name = display_name.unwrap_or_else(|| bot_name(seat, people));
        let (player, display_name) = (bot_id(level), Some(&*display_name));
        let seated = Seated {
            player: &player,
            display_name,
            requested: Some(seat),
            contribution: None,
            request_id,
            right: None,
        };
        match self.take_seat(&live, &seated).await {
            Err(Error::SeatTaken) if request_id.is_some() => {
                self.check_repeated(caller, match_id, seat, request_id).await?;
            }
            taken => _ = taken?,
        }
        let summary = self.changed(caller, match_id).await?;
        Ok(Joined { seat, summary })
    }

    /// Fails unless this request has seated the bot that has the seat.
    async fn check_repeated(
        &self,
        caller: &Caller,
        match_id: MatchId,
        seat: Seat,
        request_id: Option<&str>,
    ) -> Result<(), Error> {
        let finding = self.0.store.find(&caller.platform, match_id);
        let row = self.in_lane(Lane::Lists, &caller.platform, finding).await?;
        let number = i16::from(u8::from(seat));
        let seated = row.into_iter().flat_map(|row| row.seated).find(|it| it.seat == number);
        let is_it = seated.is_some_and(|it| {
            it.request_id.as_deref() == request_id && level_of(&it.player).is_some()
        });
        if is_it { Ok(()) } else { Err(Error::SeatTaken) }
    }
}
