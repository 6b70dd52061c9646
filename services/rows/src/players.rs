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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot_id;
    use crate::fixtures::{former, match_of, seat};

    #[test]
    fn players_are_found_by_seat_with_those_before_them() {
        let before = vec![former(5, &bot_id("search", 1), None), former(8, "dan", None)];
        let display_name = Some("Ann".to_owned());
        let ann = SeatRow { before, display_name, is_erased: true, ..seat(2, "ann") };
        let seated = vec![seat(0, &bot_id("random", 2)), ann, seat(3, "altered")];
        let players = players_of(&match_of(3, seated));
        let [Some(bot), None, Some(ann)] = &players[..] else { panic!("{players:?}") };
        assert_eq!((bot.bot(), bot.is_erased, &bot.before[..]), (Some("random"), false, &[][..]));
        assert_eq!((ann.bot(), ann.is_erased, &*ann.player), (None, true, "ann"));
        assert_eq!(ann.display_name.as_deref(), Some("Ann"));
        let before: Vec<_> = ann.before.iter().map(|it| (it.until, it.bot())).collect();
        assert_eq!(before, [(Position(5), Some("search")), (Position(8), None)]);
    }
}
