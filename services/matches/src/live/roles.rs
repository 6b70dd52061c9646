//! The role of a caller in a match: the seat for which it acts, and the views that it may read.

use table::{Entry, Event, Seat, Viewer};

use super::live_match::LiveMatch;
use crate::access::{Caller, Grant, RequestedViewer};
use crate::error::Error;

/// The role of a caller in a match that it may know of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Platform,
    Seat(Seat),
    Spectator,
}

/// A caller's hold on a seat while it follows a match: it ends when the seat passes to another.
pub(crate) struct Hold {
    seat: Seat,
    /// Who has the seat; `None` while it is open.
    player: Option<String>,
    /// Whether the caller's token is one of the seat. Otherwise it is a player's.
    is_of_seat: bool,
}

impl Hold {
    /// Whether the seat is still the same player's, or still open.
    pub fn holds(&mut self, live: &LiveMatch) -> bool {
        let player = live.player_of(self.seat);
        if self.player.is_none() {
            self.player = player;
            return true;
        }
        self.player == player
    }

    /// What its end means for the caller's token.
    pub fn ended(&self) -> Error {
        if self.is_of_seat { Error::RightEnded } else { Error::NoSuchMatch }
    }

    /// Whether the seat passes to another with this entry.
    pub fn ends_with(&self, entry: &Entry) -> bool {
        entry.events.iter().any(|it| *it == Event::Replaced { seat: self.seat })
    }
}

impl Caller {
    /// The caller's hold on its seat; `None` if it reads by no seat.
    pub(crate) fn hold(&self, live: &LiveMatch) -> Option<Hold> {
        let seat = self.own_seat(live)?;
        let is_of_seat = matches!(self.grant, Grant::Seat(..));
        Some(Hold { seat, player: live.player_of(seat), is_of_seat })
    }

    /// Fails with [`Error::NoSuchMatch`] if the caller is a player without a seat in the match.
    pub(crate) fn check_seated(&self, live: &LiveMatch) -> Result<(), Error> {
        self.role(live).map(|_| ())
    }

    fn role(&self, live: &LiveMatch) -> Result<Role, Error> {
        match &self.grant {
            Grant::Platform => Ok(Role::Platform),
            Grant::Player(player) => live.seat_of(player).map(Role::Seat).ok_or(Error::NoSuchMatch),
            Grant::Seat(_, seat) => Ok(Role::Seat(*seat)),
            Grant::Spectator(..) => Ok(Role::Spectator),
            Grant::Guest(_) => Err(Error::NoSuchMatch),
        }
    }

    /// The seat that the caller acts for: a platform must name it, a token has its own. Nobody may
    /// act for a bot.
    pub(crate) fn acting_seat(
        &self,
        live: &LiveMatch,
        requested: Option<Seat>,
    ) -> Result<Seat, Error> {
        let seat = live.check_seat(self.role(live)?.acting_seat(requested)?)?;
        if live.has_bot(seat) { Err(Error::BotSeat { seat }) } else { Ok(seat) }
    }

    /// The caller's own seat in this match, if it has one.
    pub(crate) fn own_seat(&self, live: &LiveMatch) -> Option<Seat> {
        match self.role(live) {
            Ok(Role::Seat(seat)) => Some(seat),
            Ok(Role::Platform | Role::Spectator) | Err(_) => None,
        }
    }

    /// The viewer whose view of `live` the caller gets.
    pub(crate) fn viewer(
        &self,
        live: &LiveMatch,
        requested: RequestedViewer,
    ) -> Result<Viewer, Error> {
        let viewer = self.role(live)?.permitted_viewer(requested, || live.check_revealed())?;
        live.check_viewer(viewer)?;
        Ok(viewer)
    }
}

impl Role {
    fn acting_seat(self, requested: Option<Seat>) -> Result<Seat, Error> {
        match (self, requested) {
            (Role::Platform, Some(seat)) => Ok(seat),
            (Role::Platform, None) => Err(Error::SeatMissing),
            (Role::Seat(own), None) => Ok(own),
            (Role::Seat(own), Some(seat)) if seat == own => Ok(own),
            (Role::Seat(_) | Role::Spectator, _) => Err(Error::NotYourSeat),
        }
    }

    /// Every caller may read as a spectator and, once the match is revealed, as the house.
    fn permitted_viewer(
        self,
        requested: RequestedViewer,
        check_revealed: impl FnOnce() -> Result<(), Error>,
    ) -> Result<Viewer, Error> {
        use RequestedViewer::{Named, Own};
        match (self, requested) {
            (Role::Seat(own), Own) => Ok(Viewer::Seat(own)),
            (Role::Platform | Role::Spectator, Own) => Ok(Viewer::Spectator),
            (_, Named(Viewer::Spectator)) => Ok(Viewer::Spectator),
            (_, Named(Viewer::House)) => check_revealed().map(|()| Viewer::House),
            (Role::Platform, Named(Viewer::Seat(seat))) => Ok(Viewer::Seat(seat)),
            (Role::Seat(own), Named(Viewer::Seat(seat))) if seat == own => Ok(Viewer::Seat(own)),
            (Role::Seat(_) | Role::Spectator, Named(Viewer::Seat(_))) => Err(Error::NotYourSeat),
        }
    }
}

#[cfg(test)]
mod tests {
    use table::Small;

    use super::*;
    use crate::fixtures::Played;

    fn caller(grant: Grant) -> Caller {
        Caller { grant, ..Caller::service("acme") }
    }

    fn seat(number: usize) -> Seat {
        Seat::nth(number).expect("a table has more seats")
    }

    #[test]
    fn a_players_token_is_good_for_the_matches_of_the_player() {
        let live = Played::new().live();
        let token = |player: &str| caller(Grant::Player(player.into()));
        assert!(matches!(token("player-1").role(&live), Ok(Role::Seat(own)) if own == seat(1)));
        assert!(matches!(token("nobody").check_seated(&live), Err(Error::NoSuchMatch)));
        assert!(matches!(token("nobody").acting_seat(&live, None), Err(Error::NoSuchMatch)));
        let own = RequestedViewer::Own;
        assert!(matches!(token("nobody").viewer(&live, own), Err(Error::NoSuchMatch)));
        assert_eq!(token("player-1").acting_seat(&live, None).ok(), Some(seat(1)));
        assert!(matches!(token("player-1").platform(), Err(Error::PlatformOnly)));
        live.forget(seat(1), "player-1");
        let erased = token("player-1").check_seated(&live);
        assert!(matches!(erased, Err(Error::NoSuchMatch)), "a pseudonym is nobody's name");
    }

    #[test]
    fn a_platform_names_the_acting_seat_and_a_token_has_its_own() {
        let acting = |role: Role, requested| role.acting_seat(requested).ok();
        assert_eq!(acting(Role::Platform, Some(seat(1))), Some(seat(1)));
        assert_eq!(acting(Role::Platform, None), None);
        assert_eq!(acting(Role::Seat(seat(1)), None), Some(seat(1)));
        assert_eq!(acting(Role::Seat(seat(1)), Some(seat(1))), Some(seat(1)));
        assert_eq!(acting(Role::Seat(seat(1)), Some(seat(0))), None);
        assert_eq!(acting(Role::Spectator, None), None);
        assert_eq!(acting(Role::Spectator, Some(seat(0))), None);
    }

    #[test]
    fn a_grant_limits_the_viewer() {
        use RequestedViewer::{Named, Own};
        let (own, other) = (Viewer::Seat(seat(1)), Viewer::Seat(seat(0)));
        let token = Role::Seat(seat(1));
        let viewer =
            |role: Role, requested| role.permitted_viewer(requested, || Err(Error::NotEnded)).ok();
        assert_eq!(viewer(token, Own), Some(own));
        assert_eq!(viewer(token, Named(own)), Some(own));
        assert_eq!(viewer(token, Named(other)), None);
        assert_eq!(viewer(Role::Platform, Own), Some(Viewer::Spectator));
        assert_eq!(viewer(Role::Platform, Named(other)), Some(other));
        assert_eq!(viewer(Role::Spectator, Own), Some(Viewer::Spectator));
        assert_eq!(viewer(Role::Spectator, Named(other)), None);
        for role in [Role::Platform, token, Role::Spectator] {
            assert_eq!(viewer(role, Named(Viewer::Spectator)), Some(Viewer::Spectator));
            assert_eq!(viewer(role, Named(Viewer::House)), None, "before the match is revealed");
            let revealed = role.permitted_viewer(Named(Viewer::House), || Ok(()));
            assert_eq!(revealed.ok(), Some(Viewer::House));
        }
    }
}
