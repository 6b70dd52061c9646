//! Tokens: their content and their signatures.

use std::sync::Arc;

use accounts::{INVITATIONS, PlayerHash, Subject};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use matches::{Grant, Invitation, MatchId, Term};
use serde::{Deserialize, Serialize};
use table::Seat;
use tonic::Status;
use uuid::Uuid;

use super::refusals::invalid;
use super::signatures;
use crate::error::of;

/// The signed content of a token.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Claims {
    pub platform: String,
    /// `None` for the token of a player or a session.
    #[serde(rename = "match", default, skip_serializing_if = "Option::is_none")]
    match_id: Option<Uuid>,
    /// For a player's token: the player, and the number of revocation that was current.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    player: Option<(Arc<str>, i64)>,
    /// Whether it is the token of a session, for the whole platform.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    session: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    invitation: Option<Invited>,
    /// `None` for a spectator.
    seat: Option<u8>,
    /// Whether the seat had no player. Such a token shows what a spectator sees and cannot act: it
    /// must not become the token of a player who joins later.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    open: bool,
    /// The id of the API key that minted it; absent in tokens of older releases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Arc<str>>,
    /// How many revocations of its match and of its seat preceded it.
    #[serde(default)]
    revocations: [i32; 2],
    /// The term of the installation in which it was minted; unknown in tokens of older releases.
    #[serde(default, skip_serializing_if = "is_unknown")]
    pub term: i64,
    pub exp: u64,
}

/// What an invitation invites to. Apart from the other claims, so that no earlier release takes an
/// invitation for a spectator's token.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Invited {
    #[serde(rename = "match")]
    match_id: Uuid,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seat: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    inviter: Option<String>,
}

fn is_unknown(term: &i64) -> bool {
    !Term(*term).is_known()
}

/// A token to mint.
pub(crate) enum NewToken {
    Match {
        match_id: MatchId,
        /// `None` for a spectator.
        seat: Option<Seat>,
        is_open: bool,
        revocations: [i32; 2],
    },
    Player {
        player: String,
        number: i64,
    },
    Invitation {
        invitation: Invitation,
        /// How many revocations of its match, and of invitations to it, preceded it.
        revocations: [i32; 2],
    },
    Session,
}

impl Claims {
    /// `key` is the id of the API key that mints the token, and `exp` its expiry in seconds since
    /// 1970.
    pub fn new(
        new: &NewToken,
        platform: String,
        key: Option<Arc<str>>,
        term: Term,
        exp: u64,
    ) -> Claims {
        let of_nobody = Claims {
            platform,
            match_id: None,
            player: None,
            session: false,
            invitation: None,
            seat: None,
            open: false,
            key,
            revocations: [0, 0],
            term: term.0,
            exp,
        };
        match new {
            NewToken::Match { match_id, seat, is_open, revocations } => Claims {
                match_id: Some(match_id.0),
                seat: seat.map(u8::from),
                open: *is_open,
                revocations: *revocations,
                ..of_nobody
            },
            NewToken::Player { player, number } => {
                Claims { player: Some((player.as_str().into(), *number)), ..of_nobody }
            }
            NewToken::Invitation { invitation, revocations } => {
                let Invitation { match_id, seat, inviter } = invitation.clone();
                let (match_id, seat) = (match_id.0, seat.map(u8::from));
                let invitation = Some(Invited { match_id, seat, inviter });
                Claims { invitation, revocations: *revocations, ..of_nobody }
            }
            NewToken::Session => Claims { session: true, ..of_nobody },
        }
    }

    pub fn grant(&self) -> Result<(Grant, Subject), Status> {
        match (self.match_id.map(MatchId), &self.player, &self.invitation, self.session) {
            (Some(match_id), None, None, false) => {
                let (seat, revocations) = (self.seat, self.revocations);
                let grant = match seat {
                    Some(seat) if !self.open => {
                        Grant::Seat(match_id, seat.try_into().map_err(|_| invalid())?)
                    }
                    // Tokens that expire in the same second are equal.
                    Some(_) | None => Grant::Spectator(match_id, self.exp),
                };
                Ok((grant, Subject::Match { match_id, seat, revocations }))
            }
            (None, Some((player, number)), None, false) => {
                let hash = PlayerHash::of(&self.platform, player);
                let subject = Subject::Player { player: hash, number: *number };
                Ok((Grant::Player(player.clone()), subject))
            }
            (None, None, Some(Invited { match_id, seat, inviter }), false) => {
                let (match_id, revocations) = (MatchId(*match_id), self.revocations);
                let own = seat.map(Seat::try_from).transpose().map_err(|_| invalid())?;
                let invitation = Invitation { match_id, seat: own, inviter: inviter.clone() };
                let subject = Subject::Match { match_id, seat: Some(INVITATIONS), revocations };
                Ok((Grant::Guest(invitation.into()), subject))
            }
            (None, None, None, true) => Ok((Grant::Platform, Subject::Platform)),
            _ => Err(invalid()),
        }
    }
}

pub(super) fn signed(claims: &Claims, key_id: i16, secret: &[u8; 32]) -> Result<String, Status> {
    let header = Header { kid: Some(key_id.to_string()), ..Header::new(Algorithm::HS256) };
    let token = signatures::encode(&header, claims, &EncodingKey::from_secret(secret));
    token.map_err(|error| of(matches::Error::Internal(error.into())))
}

/// The id of the key that signed a token, from its unverified header.
pub(super) fn signed_by(token: &str) -> Result<i16, Status> {
    let header = jsonwebtoken::decode_header(token).map_err(|_| invalid())?;
    header.kid.and_then(|kid| kid.parse().ok()).ok_or_else(invalid)
}

/// The content of a token that was signed with this secret. It may have expired.
pub(super) fn claims_of(token: &str, secret: &[u8; 32]) -> Result<Claims, Status> {
    let mut rules = Validation::new(Algorithm::HS256);
    // By the time of this machine.
    rules.validate_exp = false;
    let decoded = signatures::decode::<Claims>(token, &DecodingKey::from_secret(secret), &rules);
    Ok(decoded.map_err(|_| invalid())?.claims)
}

#[cfg(test)]
mod fuzz {
    use bolero::check;
    use tonic::Code;

    use super::*;
    use crate::requests::fuzz::{Edit, edited};

    #[test]
    fn a_token_that_is_not_as_it_was_minted_is_refused() {
        let secret = [7; 32];
        let genuine = Claims {
            platform: "acme".to_owned(),
            match_id: Some(Uuid::from_u128(1)),
            player: None,
            session: false,
            invitation: None,
            seat: Some(1),
            open: false,
            key: Some("k1".into()),
            revocations: [0, 2],
            term: 1_795_359_784,
            exp: 253_402_300_799,
        };
        let token = signed(&genuine, 3, &secret).expect("it is signed");
        check!().with_type::<Vec<Edit>>().for_each(|edits| {
            let edited = edited(&token, edits);
            let read = signed_by(&edited).and_then(|_| claims_of(&edited, &secret));
            match read {
                Ok(claims) => assert_eq!((&edited, claims), (&token, genuine.clone())),
                Err(status) => assert_eq!(status.code(), Code::Unauthenticated),
            }
        });
    }
}
