//! The holders of tokens, each of which has limits of its own.

use std::sync::Arc;

use rows::MatchId;
use table::Seat;

use super::caller::Grant;

/// The holder of some limits: all tokens of a seat together, all tokens of a player, one token of
/// spectators of a match, or all invitations to a match.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Holder {
    Seat(MatchId, Seat),
    Player(Arc<str>),
    /// With the number that tells tokens apart: a platform may give one to each spectator.
    Spectator(MatchId, u64),
    Guests(MatchId),
}

impl Holder {
    /// `None` for a platform.
    pub fn of(grant: &Grant) -> Option<Holder> {
        match grant {
            Grant::Seat(match_id, seat) => Some(Holder::Seat(*match_id, *seat)),
            Grant::Player(player) => Some(Holder::Player(player.clone())),
            Grant::Spectator(match_id, token) => Some(Holder::Spectator(*match_id, *token)),
            Grant::Guest(invitation) => Some(Holder::Guests(invitation.match_id)),
            Grant::Platform => None,
        }
    }
}
