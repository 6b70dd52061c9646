//! Who calls, and what the caller may do. Authorization goes by grant, never by an id in the
//! request.

use std::sync::Arc;

use store::MatchId;
use table::{Seat, Viewer};

use crate::Error;
use crate::live::LiveMatch;

/// A caller whose credentials were checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    pub platform: String,
    pub grant: Grant,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Grant {
    /// Everything in the platform's matches, except the house's view before a match is revealed.
    Platform,
    /// What a seat's token may do, in each match in which this player has a seat.
    Player(Arc<str>),
    Seat(MatchId, Seat),
    Spectator(MatchId),
}

/// The viewer that a request names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestedViewer {
    /// The caller's own: the seat of a seat's or a player's token, otherwise a spectator.
    Own,
    Named(Viewer),
}

/// What a caller may do in a match that it may know of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Platform,
    Seat(Seat),
    Spectator,
}

impl Caller {
    /// Fails with [`Error::NoSuchMatch`] if the grant is for another match. Whether a player has a
    /// seat is seen once the match is there: see [`Caller::check_seated`].
    pub(crate) fn check_match(&self, match_id: MatchId) -> Result<(), Error> {
        match self.grant {
            Grant::Platform | Grant::Player(_) => Ok(()),
            Grant::Seat(granted, _) | Grant::Spectator(granted) if granted == match_id => Ok(()),
            Grant::Seat(..) | Grant::Spectator(_) => Err(Error::NoSuchMatch),
        }
    }

    /// Fails with [`Error::NoSuchMatch`] if the grant is that of a player who has no seat in it.
    pub(crate) fn check_seated(&self, live: &LiveMatch) -> Result<(), Error> {
        self.role(live).map(|_| ())
    }

    /// The player of a player's token.
    pub fn player(&self) -> Option<&str> {
        match &self.grant {
            Grant::Player(player) => Some(player),
            Grant::Platform | Grant::Seat(..) | Grant::Spectator(_) => None,
        }
    }

    /// The platform, if the caller is one. Fails with [`Error::PlatformOnly`] for other grants.
    pub fn platform(&self) -> Result<&str, Error> {
        match self.grant {
            Grant::Platform => Ok(&self.platform),
            Grant::Player(_) | Grant::Seat(..) | Grant::Spectator(_) => Err(Error::PlatformOnly),
        }
    }

    /// Fails unless the caller may read what concerns this player: the platform, or the player.
    pub(crate) fn check_player(&self, player: &str) -> Result<(), Error> {
        match &self.grant {
            Grant::Platform => Ok(()),
            Grant::Player(own) if **own == *player => Ok(()),
            Grant::Player(_) => Err(Error::OtherPlayer),
            Grant::Seat(..) | Grant::Spectator(_) => Err(Error::PlatformOnly),
        }
    }

    fn role(&self, live: &LiveMatch) -> Result<Role, Error> {
        match &self.grant {
            Grant::Platform => Ok(Role::Platform),
            Grant::Player(player) => live.seat_of(player).map(Role::Seat).ok_or(Error::NoSuchMatch),
            Grant::Seat(_, seat) => Ok(Role::Seat(*seat)),
            Grant::Spectator(_) => Ok(Role::Spectator),
        }
    }

    /// The seat of this match that acts: a platform must name one, a token has its own. Nobody acts
    /// for a bot.
    pub(crate) fn acting_seat(
        &self,
        live: &LiveMatch,
        requested: Option<Seat>,
    ) -> Result<Seat, Error> {
        let seat = live.check_seat(self.role(live)?.acting_seat(requested)?)?;
        if live.has_bot(seat) { Err(Error::BotSeat { seat }) } else { Ok(seat) }
    }

    /// The caller's own seat of this match; none if it has none.
    pub(crate) fn own_seat(&self, live: &LiveMatch) -> Option<Seat> {
        match self.role(live) {
            Ok(Role::Seat(seat)) => Some(seat),
            Ok(Role::Platform | Role::Spectator) | Err(_) => None,
        }
    }

    /// The viewer whose view of `live` the caller may read.
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

    /// Every caller may read as a spectator, who sees least, and, once the match is revealed, as
    /// the house.
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
    use uuid::Uuid;

    use super::*;
    use crate::fixtures::Played;

    const MATCH: MatchId = MatchId(Uuid::from_u128(1));
    const OTHER: MatchId = MatchId(Uuid::from_u128(2));

    fn caller(grant: Grant) -> Caller {
        Caller { platform: "acme".to_owned(), grant }
    }

    fn seat(number: usize) -> Seat {
        Seat::nth(number).expect("a table has more seats")
    }

    #[test]
    fn a_token_is_good_for_one_match() {
        for grant in [Grant::Seat(MATCH, seat(0)), Grant::Spectator(MATCH)] {
            assert!(caller(grant.clone()).check_match(MATCH).is_ok());
            assert!(matches!(caller(grant.clone()).check_match(OTHER), Err(Error::NoSuchMatch)));
            assert!(matches!(caller(grant).platform(), Err(Error::PlatformOnly)));
        }
        assert!(caller(Grant::Platform).check_match(OTHER).is_ok());
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
    fn a_player_reads_what_concerns_nobody_else() {
        let check = |grant, player| caller(grant).check_player(player);
        assert!(check(Grant::Platform, "ann").is_ok());
        assert!(check(Grant::Player("ann".into()), "ann").is_ok());
        assert!(matches!(check(Grant::Player("ann".into()), "bob"), Err(Error::OtherPlayer)));
        let seat = Grant::Seat(MATCH, seat(0));
        assert!(matches!(check(seat, "ann"), Err(Error::PlatformOnly)));
        assert!(matches!(check(Grant::Spectator(MATCH), "ann"), Err(Error::PlatformOnly)));
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
