//! The names that texts show for the players of a match.

use positions::Position;
use table::{Seat, Small};

use crate::MatchId;
use crate::players::SeatedPlayer;

/// The name to show for a player of a match.
#[derive(Clone, Debug)]
pub struct ShownName {
    pub match_id: MatchId,
    pub seat: i16,
    /// The position of the entry with which another player took over; `None` for the current
    /// player.
    pub until: Option<Position>,
    pub name: String,
}

/// The names to show by seat: the display name, or the player's id if there is none; `None` if the
/// seat is open. Once a match has started, its cast changes only with an entry that replaces a
/// player, and when a player is erased.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cast {
    names: Vec<Option<String>>,
    /// The former players, in the order in which they left each seat.
    former: Vec<Former>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Former {
    seat: Seat,
    /// The entry with which another player took over.
    until: Position,
    name: String,
}

impl Cast {
    pub fn of(players: Vec<Option<SeatedPlayer>>) -> Cast {
        let mut cast = Cast::default();
        for (player, seat) in players.into_iter().zip(Seat::all()) {
            let shown = player.map(|SeatedPlayer { player, display_name, before, .. }| {
                cast.former.extend(before.into_iter().map(|it| Former {
                    seat,
                    until: it.until,
                    name: it.display_name.unwrap_or(it.player),
                }));
                display_name.unwrap_or(player)
            });
            cast.names.push(shown);
        }
        cast
    }

    /// The current players.
    pub fn names(&self) -> Vec<Option<&str>> {
        self.names.iter().map(Option::as_deref).collect()
    }

    /// The players at an entry.
    pub fn names_at(&self, position: Position) -> Vec<Option<&str>> {
        let mut names = self.names();
        // In reverse, so that the first player to leave after the entry is set last.
        for former in self.former.iter().rev().filter(|it| it.until > position) {
            names[former.seat.index()] = Some(&former.name);
        }
        names
    }

    /// The entry since which the seats have had the players of `position`; 0 if those are the first
    /// players.
    pub fn since(&self, position: Position) -> Position {
        let before = self.former.iter().map(|it| it.until).filter(|until| *until <= position);
        before.max().unwrap_or(Position::START)
    }

    pub fn add(&mut self, row: ShownName) {
        let seat = usize::try_from(row.seat).ok().and_then(Seat::nth);
        let seat = seat.expect("a match has few seats");
        self.names.resize(self.names.len().max(seat.index() + 1), None);
        match row.until {
            Some(until) => self.former.push(Former { seat, until, name: row.name }),
            None => self.names[seat.index()] = Some(row.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::players::PastPlayer;

    #[test]
    fn a_player_without_a_display_name_is_shown_by_id() {
        let seated = |player: &str, display_name: Option<&str>| {
            let (player, display_name) = (player.to_owned(), display_name.map(str::to_owned));
            Some(SeatedPlayer { player, display_name, is_erased: false, before: Vec::new() })
        };
        let cast = Cast::of(vec![seated("u1", Some("Ann")), None, seated("u2", None)]);
        assert_eq!(cast.names(), [Some("Ann"), None, Some("u2")]);
    }

    #[test]
    fn who_sat_there_then_is_shown() {
        let past = |until, name: &str| PastPlayer {
            until: Position(until),
            player: name.to_owned(),
            display_name: None,
        };
        let eve = SeatedPlayer {
            player: "eve".to_owned(),
            display_name: Some("Eve".to_owned()),
            is_erased: false,
            before: vec![past(5, "ann"), past(9, "dan")],
        };
        let bob = SeatedPlayer {
            player: "bob".to_owned(),
            display_name: None,
            is_erased: false,
            before: vec![past(7, "cid")],
        };
        let cast = Cast::of(vec![Some(eve), Some(bob)]);
        let mut read = Cast::default();
        for (seat, until, name) in [
            (1, None, "bob"),
            (0, Some(5), "ann"),
            (0, Some(9), "dan"),
            (0, None, "Eve"),
            (1, Some(7), "cid"),
        ] {
            let (match_id, name) = (MatchId(Uuid::from_u128(1)), name.to_owned());
            read.add(ShownName { match_id, seat, until: until.map(Position), name });
        }
        for (position, names, since) in [
            (1, ["ann", "cid"], 0),
            (4, ["ann", "cid"], 0),
            (5, ["dan", "cid"], 5),
            (7, ["dan", "bob"], 7),
            (8, ["dan", "bob"], 7),
            (9, ["Eve", "bob"], 9),
            (99, ["Eve", "bob"], 9),
        ] {
            for cast in [&cast, &read] {
                assert_eq!(cast.names_at(Position(position)), names.map(Some), "{position}");
                assert_eq!(cast.since(Position(position)), Position(since));
            }
        }
    }
}
