//! Who calls, and what the caller may do. Authorization goes by grant, never by an id in the
//! request.

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grant {
    /// Everything in the platform's matches, except the house's view before a match is revealed.
    Platform,
    Seat(MatchId, Seat),
    Spectator(MatchId),
}

/// The viewer that a request names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestedViewer {
    /// The caller's own: the seat of a seat token, otherwise a spectator.
    Own,
    Named(Viewer),
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

    /// The platform, if the caller is one. Fails with [`Error::PlatformOnly`] for other grants.
    pub fn platform(&self) -> Result<&str, Error> {
        match self.grant {
            Grant::Platform => Ok(&self.platform),
            Grant::Seat(..) | Grant::Spectator(_) => Err(Error::PlatformOnly),
        }
    }

    /// The seat that acts: a platform must name one, a seat token has its own.
    pub(crate) fn acting_seat(&self, requested: Option<Seat>) -> Result<Seat, Error> {
        match (self.grant, requested) {
            (Grant::Platform, Some(seat)) => Ok(seat),
            (Grant::Platform, None) => Err(Error::SeatMissing),
            (Grant::Seat(_, own), None) => Ok(own),
            (Grant::Seat(_, own), Some(seat)) if seat == own => Ok(own),
            (Grant::Seat(..) | Grant::Spectator(_), _) => Err(Error::NotYourSeat),
        }
    }

    /// The viewer whose view of `live` the caller may read.
    pub(crate) fn viewer(
        &self,
        live: &LiveMatch,
        requested: RequestedViewer,
    ) -> Result<Viewer, Error> {
        let viewer = self.permitted_viewer(requested, || live.check_revealed())?;
        live.check_viewer(viewer)?;
        Ok(viewer)
    }

    /// Every caller may read as a spectator, who sees least, and, once the match is revealed, as
    /// the house.
    fn permitted_viewer(
        &self,
        requested: RequestedViewer,
        check_revealed: impl FnOnce() -> Result<(), Error>,
    ) -> Result<Viewer, Error> {
        use RequestedViewer::{Named, Own};
        match (self.grant, requested) {
            (Grant::Seat(_, own), Own) => Ok(Viewer::Seat(own)),
            (Grant::Platform | Grant::Spectator(_), Own) => Ok(Viewer::Spectator),
            (_, Named(Viewer::Spectator)) => Ok(Viewer::Spectator),
            (_, Named(Viewer::House)) => check_revealed().map(|()| Viewer::House),
            (Grant::Platform, Named(Viewer::Seat(seat))) => Ok(Viewer::Seat(seat)),
            (Grant::Seat(_, own), Named(Viewer::Seat(seat))) if seat == own => {
                Ok(Viewer::Seat(own))
            }
            (Grant::Seat(..) | Grant::Spectator(_), Named(Viewer::Seat(_))) => {
                Err(Error::NotYourSeat)
            }
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
        Caller { platform: "acme".to_owned(), grant }
    }

    fn seat(number: usize) -> Seat {
        Seat::nth(number).expect("a table has more seats")
    }

    #[test]
    fn a_token_is_good_for_one_match() {
        for grant in [Grant::Seat(MATCH, seat(0)), Grant::Spectator(MATCH)] {
            assert!(caller(grant).check_match(MATCH).is_ok());
            assert!(matches!(caller(grant).check_match(OTHER), Err(Error::NoSuchMatch)));
            assert!(matches!(caller(grant).platform(), Err(Error::PlatformOnly)));
        }
        assert!(caller(Grant::Platform).check_match(OTHER).is_ok());
    }

    #[test]
    fn a_platform_names_the_acting_seat_and_a_token_has_its_own() {
        let acting = |grant, requested| caller(grant).acting_seat(requested).ok();
        assert_eq!(acting(Grant::Platform, Some(seat(1))), Some(seat(1)));
        assert_eq!(acting(Grant::Platform, None), None);
        assert_eq!(acting(Grant::Seat(MATCH, seat(1)), None), Some(seat(1)));
        assert_eq!(acting(Grant::Seat(MATCH, seat(1)), Some(seat(1))), Some(seat(1)));
        assert_eq!(acting(Grant::Seat(MATCH, seat(1)), Some(seat(0))), None);
        assert_eq!(acting(Grant::Spectator(MATCH), None), None);
        assert_eq!(acting(Grant::Spectator(MATCH), Some(seat(0))), None);
    }

    #[test]
    fn a_grant_limits_the_viewer() {
        use RequestedViewer::{Named, Own};
        let (own, other) = (Viewer::Seat(seat(1)), Viewer::Seat(seat(0)));
        let token = Grant::Seat(MATCH, seat(1));
        let viewer = |grant, requested| {
            caller(grant).permitted_viewer(requested, || Err(Error::NotEnded)).ok()
        };
        assert_eq!(viewer(token, Own), Some(own));
        assert_eq!(viewer(token, Named(own)), Some(own));
        assert_eq!(viewer(token, Named(other)), None);
        assert_eq!(viewer(Grant::Platform, Own), Some(Viewer::Spectator));
        assert_eq!(viewer(Grant::Platform, Named(other)), Some(other));
        assert_eq!(viewer(Grant::Spectator(MATCH), Own), Some(Viewer::Spectator));
        assert_eq!(viewer(Grant::Spectator(MATCH), Named(other)), None);
        for grant in [Grant::Platform, token, Grant::Spectator(MATCH)] {
            assert_eq!(viewer(grant, Named(Viewer::Spectator)), Some(Viewer::Spectator));
            assert_eq!(viewer(grant, Named(Viewer::House)), None, "before the match is revealed");
            let revealed = caller(grant).permitted_viewer(Named(Viewer::House), || Ok(()));
            assert_eq!(revealed.ok(), Some(Viewer::House));
        }
    }
}
