//! Shared chance: the service commits itself to a seed, then the seats contribute, then the match
//! is dealt from all of it. So nobody chooses the deal, not even the service.

use store::MatchId;
use table::{CONTRIBUTION_BYTES_MAX, Seat, Small};

use crate::budgets::Lane;
use crate::create::{derived_id, random};
use crate::detached::Detached;
use crate::play::check_request_id;
use crate::{Caller, Error, Matches, Summary};

/// The commitment to the seed of a match that is to be created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commitment {
    pub match_id: MatchId,
    pub seed_commitment: [u8; 32],
}

const SEED: &str = "croupier 2026-11 seed of a match";

impl Matches {
    /// The commitment to the seed of the match that this request id will create, if that request
    /// asks for it.
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

    /// The seed of a match whose commitment was told beforehand.
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

    /// Adds to the chance of a match what its seat contributes. It completes even if the caller
    /// drops this future.
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
            let contribution = check("contribution", &contribution)?;
            let contribution = contribution.ok_or_else(|| too_short("contribution"))?;
            let player = live.players().swap_remove(seat.index()).ok_or(Error::SeatNotTaken)?;
            let by = (seat, player.player.as_str());
            matches.add_contribution(&caller, match_id, by, contribution).await?;
            let live = matches.live(&caller, match_id).await?;
            matches.summary_with_tags(&caller, &live).await
        };
        Detached::new(contributing).await?
    }

    /// Records a contribution, and makes sure that the match is or will be dealt from it.
    pub(crate) async fn add_contribution(
        &self,
        caller: &Caller,
        match_id: MatchId,
        (seat, player): (Seat, &str),
        contribution: &[u8],
    ) -> Result<(), Error> {
        let is_dealt_from = async || {
            let live = self.live(caller, match_id).await?;
            self.refresh_or_stale(&live).await?;
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
        // The player has just left, or is somebody else by now.
        let recorded = recorded.ok_or(Error::SeatNotTaken)?;
        if recorded != contribution {
            return Err(Error::ContributionFixed);
        }
        // If a seat is still open, whoever takes it deals from what is recorded now. If none is,
        // somebody may have dealt without it, and only the record can tell.
        match is_dealt_from().await.map_err(Error::after_write)? {
            Some(false) => Err(Error::ContributionTooLate),
            Some(true) | None => Ok(()),
        }
    }
}

/// The contribution in a field of a request; none if it is empty.
pub(crate) fn check<'a>(
    field: &'static str,
    contribution: &'a [u8],
) -> Result<Option<&'a [u8]>, Error> {
    match contribution.len() {
        0 => Ok(None),
        1..=CONTRIBUTION_BYTES_MAX => Ok(Some(contribution)),
        count => Err(Error::invalid(
            field,
            format!("a contribution has {CONTRIBUTION_BYTES_MAX} bytes at most, not {count}"),
        )),
    }
}

fn too_short(field: &'static str) -> Error {
    Error::invalid(field, format!("a contribution has 1 to {CONTRIBUTION_BYTES_MAX} bytes"))
}
