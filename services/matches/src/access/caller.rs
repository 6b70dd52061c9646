//! Callers and their grants. Authorization follows from the caller's grant, never from an id in the
//! request.

use std::sync::Arc;

use accounts::Right;
use rows::MatchId;
use table::{Seat, Viewer};

use crate::error::Error;

/// A caller whose credentials were checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    pub platform: String,
    pub grant: Grant,
    /// `None` for the service itself.
    pub right: Option<CheckedRight>,
}

/// The right by which a caller calls. It held when it was checked, and may have ended since: what
/// is recorded by it is recorded only if the database knows of no end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedRight {
    pub right: Arc<Right>,
    /// It was checked against all that transactions before this one have ended.
    pub since: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Grant {
    /// Everything in the platform's matches, except the house's view before a match is revealed.
    Platform,
    /// The rights of a seat's token, in every match in which the player has a seat.
    Player(Arc<str>),
    Seat(MatchId, Seat),
    /// With a number that tells tokens apart.
    Spectator(MatchId, u64),
    /// Reading what it invites to, and taking a seat there. For every other call, there is no
    /// match.
    Guest(Arc<Invitation>),
}

/// What a guest is invited to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    pub match_id: MatchId,
    /// `None` for any open seat.
    pub seat: Option<Seat>,
    /// The player who invites.
    pub inviter: Option<String>,
}

/// The viewer that a request names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestedViewer {
    /// The caller's own: the seat of a seat's or a player's token, otherwise a spectator.
    Own,
    Named(Viewer),
}

impl Caller {
    /// The service itself, which does for a platform what is due.
    pub fn service(platform: &str) -> Caller {
        Caller { platform: platform.to_owned(), grant: Grant::Platform, right: None }
    }

    /// The right of a player's own token, for statements that write the player's id.
    pub(crate) fn right_of_player(&self) -> Option<String> {
        let right = self.right.as_ref().filter(|_| self.player().is_some());
        right.map(|it| it.right.to_sql())
    }

    /// Fails with [`Error::NoSuchMatch`] if the grant is for another match. Whether a player has a
    /// seat can be checked only once the match is loaded: see `Caller::check_seated`.
    pub(crate) fn check_match(&self, match_id: MatchId) -> Result<(), Error> {
        match self.grant {
            Grant::Platform | Grant::Player(_) => Ok(()),
            Grant::Seat(granted, _) | Grant::Spectator(granted, _) if granted == match_id => Ok(()),
            Grant::Seat(..) | Grant::Spectator(..) | Grant::Guest(_) => Err(Error::NoSuchMatch),
        }
    }

    /// What the caller is invited to. Fails with [`Error::InvitationOnly`] for other grants.
    pub(crate) fn invitation(&self) -> Result<&Arc<Invitation>, Error> {
        match &self.grant {
            Grant::Guest(invitation) => Ok(invitation),
            Grant::Platform | Grant::Player(_) | Grant::Seat(..) | Grant::Spectator(..) => {
                Err(Error::InvitationOnly)
            }
        }
    }

    /// The player of a player's token.
    pub fn player(&self) -> Option<&str> {
        match &self.grant {
            Grant::Player(player) => Some(player),
            Grant::Platform | Grant::Seat(..) | Grant::Spectator(..) | Grant::Guest(_) => None,
        }
    }

    /// The platform, if the caller is one. Fails with [`Error::PlatformOnly`] for other grants.
    pub fn platform(&self) -> Result<&str, Error> {
        match self.grant {
            Grant::Platform => Ok(&self.platform),
            Grant::Player(_) | Grant::Seat(..) | Grant::Spectator(..) | Grant::Guest(_) => {
                Err(Error::PlatformOnly)
            }
        }
    }

    /// Fails unless the caller is the platform or this player.
    pub(crate) fn check_player(&self, player: &str) -> Result<(), Error> {
        match &self.grant {
            Grant::Platform => Ok(()),
            Grant::Player(own) if **own == *player => Ok(()),
            Grant::Player(_) => Err(Error::OtherPlayer),
            Grant::Seat(..) | Grant::Spectator(..) | Grant::Guest(_) => Err(Error::PlatformOnly),
        }
    }
}

#[cfg(test)]
mod tests {
    use table::Small;
    use uuid::Uuid;

    use super::*;

    const MATCH: MatchId = MatchId(Uuid::from_u128(1));
    const OTHER: MatchId = MatchId(Uuid::from_u128(2));

    fn caller(grant: Grant) -> Caller {
        Caller { grant, ..Caller::service("acme") }
    }

    fn seat(number: usize) -> Seat {
        Seat::nth(number).expect("a table has more seats")
    }

    #[test]
    fn a_token_is_good_for_one_match() {
        let invitation = Invitation { match_id: MATCH, seat: None, inviter: None };
        let guest = caller(Grant::Guest(invitation.into()));
        assert!(matches!(guest.check_match(MATCH), Err(Error::NoSuchMatch)));
        assert!(matches!(guest.platform(), Err(Error::PlatformOnly)));
        for grant in [Grant::Seat(MATCH, seat(0)), Grant::Spectator(MATCH, 0)] {
            assert!(caller(grant.clone()).check_match(MATCH).is_ok());
            assert!(matches!(caller(grant.clone()).check_match(OTHER), Err(Error::NoSuchMatch)));
            assert!(matches!(caller(grant).platform(), Err(Error::PlatformOnly)));
        }
        assert!(caller(Grant::Platform).check_match(OTHER).is_ok());
    }

    #[test]
    fn a_player_reads_what_concerns_nobody_else() {
        let check = |grant, player| caller(grant).check_player(player);
        assert!(check(Grant::Platform, "ann").is_ok());
        assert!(check(Grant::Player("ann".into()), "ann").is_ok());
        assert!(matches!(check(Grant::Player("ann".into()), "bob"), Err(Error::OtherPlayer)));
        let seat = Grant::Seat(MATCH, seat(0));
        assert!(matches!(check(seat, "ann"), Err(Error::PlatformOnly)));
        assert!(matches!(check(Grant::Spectator(MATCH, 0), "ann"), Err(Error::PlatformOnly)));
    }
}
