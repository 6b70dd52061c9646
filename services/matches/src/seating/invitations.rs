//! Guests who are invited to a match, and take a seat there with a name of their own.

use std::fmt::Write;
use std::sync::Arc;

use rows::MatchId;
use table::{Seat, Small};

use super::join::Seated;
use crate::access::{Caller, Grant, Invitation, Lane};
use crate::detached::Detached;
use crate::error::Error;
use crate::matches::Matches;
use crate::request::{check_contribution, display_names};
use crate::summary::Summary;

/// A guest who accepts an invitation.
#[derive(Clone, Debug)]
pub struct NewGuest {
    /// The secret from which the id of the guest's player is derived.
    pub key: String,
    pub display_name: String,
    /// The requested seat; `None` for that of the invitation, or any open one.
    pub seat: Option<Seat>,
    /// The seat's contribution to the chance of the match; empty for none.
    pub contribution: Vec<u8>,
}

/// A guest who has a seat.
#[derive(Clone, Debug)]
pub struct SeatedGuest {
    pub match_id: MatchId,
    pub seat: Seat,
    /// The numbers of revocations that a token for the seat carries.
    pub revocations: [i32; 2],
    pub summary: Summary,
}

/// As long as 128 random bits in base64, so that nobody guesses a guest's key.
const KEY_MIN: usize = 22;
const KEY_MAX: usize = 64;

impl Matches {
    /// Fails unless the caller may invite guests to this match.
    pub async fn may_invite(&self, caller: &Caller, invitation: &Invitation) -> Result<(), Error> {
        caller.platform()?;
        let live = self.live(caller, invitation.match_id).await?;
        if live.is_full() {
            return Err(Error::MatchFull);
        }
        if let Some(inviter) = &invitation.inviter
            && live.seat_of(inviter).is_none()
        {
            return Err(Error::invalid("inviter", "this player has no seat in the match"));
        }
        if let Some(seat) = invitation.seat {
            let seat = live.check_seat(seat)?;
            if live.players()[seat.index()].is_some() {
                return Err(Error::SeatTaken);
            }
        }
        Ok(())
    }

    /// What a guest is invited to, and its match, which has open seats.
    pub async fn invitation(&self, caller: &Caller) -> Result<(Arc<Invitation>, Summary), Error> {
        let invitation = caller.invitation()?.clone();
        let live = self.live_of(&caller.platform, invitation.match_id).await?;
        if live.is_full() {
            return Err(Error::MatchFull);
        }
        let summary = self.summary_with_notes(caller, &live).await?;
        Ok((invitation, summary))
    }

    /// Seats a guest, and deals the match if this was its last open seat. Completes even if the
    /// caller drops this future.
    pub async fn accept_invitation(
        &self,
        caller: &Caller,
        new: NewGuest,
    ) -> Result<SeatedGuest, Error> {
        let (matches, caller) = (self.clone(), caller.clone());
        Detached::new(async move { matches.accept_whole(&caller, &new).await }).await?
    }

    async fn accept_whole(&self, caller: &Caller, new: &NewGuest) -> Result<SeatedGuest, Error> {
        let player = guest_id(&caller.platform, &new.key)?;
        let display_name = display_names::parse("display_name", &new.display_name)?;
        let unnamed = || Error::invalid("display_name", "a guest has a name");
        let display_name = display_name.ok_or_else(unnamed)?;
        let contribution = check_contribution("contribution", &new.contribution)?;
        let invitation = caller.invitation()?;
        if invitation.seat.is_some() && new.seat.is_some() && invitation.seat != new.seat {
            return Err(Error::invalid("seat", "the invitation is for another seat"));
        }
        let match_id = invitation.match_id;
        let live = self.live_of(&caller.platform, match_id).await?;
        let seated = Seated {
            player: &player,
            display_name: Some(&display_name),
            requested: invitation.seat.or(new.seat),
            contribution,
            request_id: None,
            right: caller.right.as_ref().map(|it| it.right.to_sql()),
        };
        let (seat, is_new) = self.take_seat(&live, &seated).await?;
        // From here on the guest acts as the holder of the seat.
        let guest = Caller { grant: Grant::Seat(match_id, seat), ..caller.clone() };
        if let Some(contribution) = contribution.filter(|_| !is_new) {
            self.add_contribution(&guest, match_id, (seat, &player), contribution).await?;
        }
        let summary = self.changed(&guest, match_id).await?;
        let revocations = self.0.accounts.token_revocations(match_id, Some(u8::from(seat)));
        let revocations = revocations.await.map_err(|error| Error::from(error).after_write())?;
        // Checked after the revocations were read, so that a token is refused if the guest has lost
        // the seat in the meantime.
        let finding = self.0.store.find(&caller.platform, match_id);
        let row = self.in_lane(Lane::Lists, &caller.platform, finding).await;
        let row = row.map_err(Error::after_write)?.ok_or(Error::NoSuchMatch)?;
        let number = i16::from(u8::from(seat));
        let is_seated = row.seated.iter().any(|it| it.seat == number && it.player == player);
        match is_seated {
            true => Ok(SeatedGuest { match_id, seat, revocations, summary }),
            false => Err(Error::RightEnded),
        }
    }
}

/// The id of a guest's player. It does not disclose the key.
fn guest_id(platform: &str, key: &str) -> Result<String, Error> {
    if !(KEY_MIN..=KEY_MAX).contains(&key.len()) || !key.bytes().all(|it| it.is_ascii_graphic()) {
        let rule = format!(
            "a guest's key has {KEY_MIN} to {KEY_MAX} visible ASCII characters, chosen at random"
        );
        return Err(Error::invalid("guest_key", rule));
    }
    let mut hash = blake3::Hasher::new_derive_key("croupier 2026-11 player of a guest");
    hash.update(&(platform.len() as u64).to_le_bytes());
    hash.update(platform.as_bytes());
    hash.update(key.as_bytes());
    let mut id = "guest-".to_owned();
    hash.finalize().as_bytes()[..10].iter().for_each(|byte| _ = write!(id, "{byte:02x}"));
    Ok(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guest_is_the_same_player_in_each_match_of_a_platform_and_no_other() {
        let id = |platform, key: &str| guest_id(platform, key).expect("a key");
        let key = "k".repeat(KEY_MIN);
        assert_eq!(id("acme", &key), id("acme", &key));
        assert_ne!(id("acme", &key), id("rival", &key));
        assert_ne!(id("acme", &key), id("acme", &"l".repeat(KEY_MIN)));
        assert!(!id("acme", &key).contains(&key));
        for key in ["k".repeat(KEY_MIN - 1), "k".repeat(KEY_MAX + 1), " ".repeat(KEY_MIN)] {
            assert!(guest_id("acme", &key).is_err(), "{key:?}");
        }
    }
}
