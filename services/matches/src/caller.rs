//! Who asks, and what that entitles to. Authorization is by grant, never by an id in a request's
//! body.

use store::MatchId;
use table::{Seat, Viewer};

use crate::Error;

/// Somebody whose credentials were checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    pub platform: String,
    pub grant: Grant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grant {
    /// Everything in the platform's matches but the house's eyes.
    Platform,
    Seat(MatchId, Seat),
    Spectator(MatchId),
}

/// Whose eyes a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The caller's own: a seat token's seat, otherwise a spectator.
    Own,
    Of(Viewer),
}

impl Caller {
    /// Fails with [`Error::NoSuchMatch`] if the grant is for another match.
    pub(crate) fn check_match(&self, match_id: MatchId) -> Result<(), Error> {
        match self.grant {
            Grant::Platform => Ok(()),
            Grant::Seat(granted, _) | Grant::Spectator(granted) if granted == match_id => Ok(()),
            Grant::Seat(..) | Grant::Spectator(_) => Err(Error::NoSuchMatch),
        }
    }

    /// Fails with [`Error::PlatformOnly`] for anybody else.
    pub fn platform(&self) -> Result<&str, Error> {
        match self.grant {
            Grant::Platform => Ok(&self.platform),
            Grant::Seat(..) | Grant::Spectator(_) => Err(Error::PlatformOnly),
        }
    }

    /// The seat that acts. A platform says which; a token has its own.
    pub(crate) fn acting_seat(&self, wanted: Option<Seat>) -> Result<Seat, Error> {
        match (self.grant, wanted) {
            (Grant::Platform, Some(seat)) => Ok(seat),
            (Grant::Platform, None) => Err(Error::SeatMissing),
            (Grant::Seat(_, own), None) => Ok(own),
            (Grant::Seat(_, own), Some(seat)) if seat == own => Ok(own),
            (Grant::Seat(..) | Grant::Spectator(_), _) => Err(Error::NotYourSeat),
        }
    }

    /// The eyes through which the caller looks. Everyone may look as a spectator, who sees least,
    /// and, once the match is revealed, as the house.
    pub(crate) fn viewer(
        &self,
        wanted: Wanted,
        revealed: Result<(), Error>,
    ) -> Result<Viewer, Error> {
        match (self.grant, wanted) {
            (Grant::Seat(_, own), Wanted::Own) => Ok(Viewer::Seat(own)),
            (Grant::Platform | Grant::Spectator(_), Wanted::Own) => Ok(Viewer::Spectator),
            (_, Wanted::Of(Viewer::Spectator)) => Ok(Viewer::Spectator),
            (_, Wanted::Of(Viewer::House)) => revealed.map(|()| Viewer::House),
            (Grant::Platform, Wanted::Of(viewer)) => Ok(viewer),
            (Grant::Seat(_, own), Wanted::Of(Viewer::Seat(seat))) if seat == own => {
                Ok(Viewer::Seat(own))
            }
            (Grant::Seat(..) | Grant::Spectator(_), Wanted::Of(Viewer::Seat(_))) => {
                Err(Error::NotYourSeat)
            }
        }
    }
}
