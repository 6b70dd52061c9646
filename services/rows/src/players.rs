//! The players of a match, and those who were replaced.

use positions::Position;

use crate::bots::level_of;
use crate::columns::seats_of;
use crate::matches::MatchRow;
use crate::seats::{FormerPlayer, SeatRow};

/// The player of a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatedPlayer {
    /// The platform's id of the player.
    pub player: String,
    /// The name to show for the player, if one was given.
    pub display_name: Option<String>,
    /// Whether the player was erased, and `player` is a pseudonym.
    pub is_erased: bool,
    /// The former players of the seat, oldest first.
    pub before: Vec<PastPlayer>,
}

impl SeatedPlayer {
    /// The level of the bot that has the seat; `None` if a player has it.
    pub fn bot(&self) -> Option<&str> {
        level_of(&self.player)
    }
}

/// A former player of a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastPlayer {
    /// The entry with which the next player took over.
    pub until: Position,
    /// See [`SeatedPlayer::player`].
    pub player: String,
    pub display_name: Option<String>,
}

impl PastPlayer {
    /// The level of the bot that had the seat; `None` if a player had it.
    pub fn bot(&self) -> Option<&str> {
        level_of(&self.player)
    }
}

/// The players by seat; `None` if a seat is open.
pub fn players_of(row: &MatchRow) -> Vec<Option<SeatedPlayer>> {
    let mut players = vec![None; seats_of(row).into()];
    for SeatRow { seat, player, display_name, is_erased, before, .. } in &row.seated {
        let (player, display_name) = (player.clone(), display_name.clone());
        let past = |it: &FormerPlayer| PastPlayer {
            until: it.until,
            player: it.player.clone(),
            display_name: it.display_name.clone(),
        };
        let before = before.iter().map(past).collect();
        // If the number of seats was altered, the first entry of the match reveals it later.
        if let Some(seated) = players.get_mut(*seat as usize) {
            let is_erased = *is_erased;
            *seated = Some(SeatedPlayer { player, display_name, is_erased, before });
        }
    }
    players
}
