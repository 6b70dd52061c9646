//! Who plays: the names that texts show for the players of a match.

use std::collections::HashMap;
use std::sync::Arc;

use games::Game;
use store::{MatchId, Position, ShownName};
use table::{Seat, Small};

use crate::budgets::Lane;
use crate::live::LiveMatch;
use crate::rows::SeatedPlayer;
use crate::{Caller, Error, Matches, Summary};

/// The names to show by seat: the display name or, without one, the player's id; none where a seat
/// is open. A match that has started has all its players, so its cast changes only by an entry that
/// replaces one of them, and when one is erased: see [`Matches::erasures`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cast {
    names: Vec<Option<String>>,
    /// Who sat there before, in the order in which they left each seat.
    former: Vec<Former>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Former {
    seat: Seat,
    /// Of the entry by which another player took over.
    until: Position,
    name: String,
}

impl Cast {
    fn of(players: Vec<Option<SeatedPlayer>>) -> Cast {
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

    /// Those who sit there now.
    pub fn names(&self) -> Vec<Option<&str>> {
        self.names.iter().map(Option::as_deref).collect()
    }

    /// Those who sat there at an entry.
    pub fn names_at(&self, position: Position) -> Vec<Option<&str>> {
        let mut names = self.names();
        // The last one to be set is the first to leave after it.
        for former in self.former.iter().rev().filter(|it| it.until > position) {
            names[former.seat.index()] = Some(&former.name);
        }
        names
    }

    /// Since which entry those sit there who sat there at an entry; 0 for the first ones.
    pub fn since(&self, position: Position) -> Position {
        let before = self.former.iter().map(|it| it.until).filter(|until| *until <= position);
        before.max().unwrap_or(Position::START)
    }

    fn add(&mut self, row: ShownName) {
        let seat = usize::try_from(row.seat).ok().and_then(Seat::nth);
        let seat = seat.expect("a match has few seats");
        self.names.resize(self.names.len().max(seat.index() + 1), None);
        match row.until {
            Some(until) => self.former.push(Former { seat, until, name: row.name }),
            None => self.names[seat.index()] = Some(row.name),
        }
    }
}

impl Summary {
    pub fn cast(&self) -> Cast {
        Cast::of(self.players.clone())
    }

    /// The seat of a player; none if the player has none. A pseudonym is nobody's id.
    pub fn seat_of(&self, player: &str) -> Option<Seat> {
        let is_it = |it: &SeatedPlayer| it.player == player && !it.is_erased;
        Seat::nth(self.players.iter().position(|it| it.as_ref().is_some_and(is_it))?)
    }
}

impl Matches {
    /// The casts of matches that the caller may read. Those of matches in memory cost no query; for
    /// others, a stream waits for its place among the queries. Matches that the caller may not
    /// read, or that have no players, are left out; a player asks for those of entries that the
    /// player was told.
    pub async fn casts(
        &self,
        caller: &Caller,
        match_ids: &[MatchId],
        is_stream: bool,
    ) -> Result<HashMap<MatchId, Cast>, Error> {
        let (mut casts, unknown) = self.casts_in_memory(caller, match_ids);
        if !unknown.is_empty() {
            casts.extend(self.recorded_casts(caller, &unknown, is_stream).await?);
        }
        Ok(casts)
    }

    /// The casts as they are recorded. A stream may be told that a player takes over a seat before
    /// the match in memory knows who.
    pub async fn recorded_casts(
        &self,
        caller: &Caller,
        match_ids: &[MatchId],
        is_stream: bool,
    ) -> Result<HashMap<MatchId, Cast>, Error> {
        let may_read = |it: &MatchId| caller.check_match(*it).is_ok();
        let match_ids: Vec<MatchId> = match_ids.iter().copied().filter(may_read).collect();
        let platform = &caller.platform;
        let reading = self.0.store.shown_names(platform, &match_ids);
        let found = match is_stream {
            true => self.in_lane_of_streams(platform, reading).await?,
            false => self.in_lane(Lane::Lists, platform, reading).await?,
        };
        let mut casts: HashMap<MatchId, Cast> = HashMap::new();
        for row in found {
            casts.entry(row.match_id).or_default().add(row);
        }
        Ok(casts)
    }

    /// The game and the cast of a match that the caller may read, if it is in memory.
    pub fn cast_in_memory(
        &self,
        caller: &Caller,
        match_id: MatchId,
    ) -> Option<(&'static dyn Game, Cast)> {
        let live = self.in_memory(caller, match_id)?;
        Some((live.game, Cast::of(live.players())))
    }

    /// The caller's own seat in a match, if the caller has one and the match is in memory.
    pub fn own_seat_in_memory(&self, caller: &Caller, match_id: MatchId) -> Option<Seat> {
        caller.own_seat(&*self.in_memory(caller, match_id)?)
    }

    fn in_memory(&self, caller: &Caller, match_id: MatchId) -> Option<Arc<LiveMatch>> {
        caller.check_match(match_id).ok()?;
        let live = self.0.live.peek(match_id).filter(|live| live.platform() == caller.platform)?;
        caller.check_seated(&live).is_ok().then_some(live)
    }

    /// The casts that need no query, and the matches that do.
    fn casts_in_memory(
        &self,
        caller: &Caller,
        match_ids: &[MatchId],
    ) -> (HashMap<MatchId, Cast>, Vec<MatchId>) {
        let (mut casts, mut unknown) = (HashMap::new(), Vec::new());
        for &match_id in match_ids {
            match self.in_memory(caller, match_id).filter(|live| live.is_full()) {
                Some(live) => drop(casts.insert(match_id, Cast::of(live.players()))),
                None => unknown.push(match_id),
            }
        }
        (casts, unknown)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::rows::PastPlayer;

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
