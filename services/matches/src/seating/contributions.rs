//! Shared chance: the service commits to a seed, then the seats contribute, then the match is dealt
//! from the seed and all contributions. If a seat contributed after it knew the commitment, nobody
//! can choose the deal, not even the service.

use rows::MatchId;
use table::{Seat, Small};

use crate::access::{Caller, Lane};
use crate::detached::Detached;
use crate::error::Error;
use crate::matches::Matches;
use crate::random::random;
use crate::request::{check_request_id, derived_id, require_contribution};
use crate::summary::Summary;

/// The commitment to the seed of a match that is not created yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commitment {
    pub match_id: MatchId,
    pub seed_commitment: [u8; 32],
}

const SEED: &str = "croupier 2026-11 seed of a match";

impl Matches {
    /// The commitment to the seed of the match that this request id will create, if that request
    /// names the commitment.
    pub async fn commit_seed(
        &self,
        caller: &Caller,
        request_id: &str,
    ) -> Result<Commitment, Error> {
        let platform = caller.platform()?;
        check_request_id(Some(request_id))?;
        let match_id = MatchId(derived_id(platform, request_id));
        let seed = self.committed_seed(platform, match_id).await?;
        Ok(Commitment { match_id, seed_commitment: *blake3::hash(&seed).as_bytes() })
    }

    /// The seed of a match whose commitment was published before its creation.
    pub(crate) async fn committed_seed(
        &self,
        platform: &str,
        match_id: MatchId,
    ) -> Result<[u8; 32], Error> {
        let fresh = random();
        let key = self.in_lane(Lane::Writes, platform, self.0.store.seed_key(&fresh)).await?;
        let mut seed = blake3::Hasher::new_derive_key(SEED);
        seed.update(&key);
        seed.update(match_id.0.as_bytes());
        Ok(*seed.finalize().as_bytes())
    }

    /// Adds a seat's contribution to the chance of a match. Completes even if the caller drops this
    /// future.
    pub async fn contribute(
        &self,
        caller: &Caller,
        match_id: MatchId,
        seat: Option<Seat>,
        contribution: Vec<u8>,
    ) -> Result<Summary, Error> {
        let (matches, caller) = (self.clone(), caller.clone());
        let contributing = async move {
            let live = matches.live(&caller, match_id).await?;
            let seat = caller.acting_seat(&live, seat)?;
            let contribution = require_contribution("contribution", &contribution)?;
            let player = live.players().swap_remove(seat.index()).ok_or(Error::SeatNotTaken)?;
            let by = (seat, player.player.as_str());
            matches.add_contribution(&caller, match_id, by, contribution).await?;
            matches.changed(&caller, match_id).await
        };
        Detached::new(contributing).await?
    }

    /// Records a contribution. Fails if the match was or will be dealt without it.
    pub(crate) async fn add_contribution(
        &self,
        caller: &Caller,
        match_id: MatchId,
        (seat, player): (Seat, &str),
        contribution: &[u8],
    ) -> Result<(), Error> {
        let is_dealt_from = async || {
            let (live, _) = self.current(caller, match_id).await?;
            let its = |it: &table::Contribution| it.seat == seat && it.bytes == contribution;
            let dealt = live.head().table.map(|table| table.contributions().iter().any(its));
            Ok::<_, Error>(dealt)
        };
        if let Some(is_dealt_from) = is_dealt_from().await? {
            return if is_dealt_from { Ok(()) } else { Err(Error::ContributionTooLate) };
        }
        let number = seat.index() as i16;
        let contributing = self.0.store.contribute(match_id, number, player, contribution);
        let recorded = self.in_lane(Lane::Writes, &caller.platform, contributing).await?;
        // The player has just left, or the seat has another player.
        let recorded = recorded.ok_or(Error::SeatNotTaken)?;
        if recorded != contribution {
            return Err(Error::ContributionFixed);
        }
        // The last seat may have been taken in the meantime.
        match is_dealt_from().await.map_err(Error::after_write)? {
            Some(false) => Err(Error::ContributionTooLate),
            Some(true) | None => Ok(()),
        }
    }
}
