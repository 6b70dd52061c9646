//! Who plays: the names that texts show for the players of a match.

use std::collections::HashMap;
use std::sync::Arc;

use games::Game;
use store::MatchId;
use table::{Seat, Small};

use crate::budgets::Lane;
use crate::live::LiveMatch;
use crate::rows::SeatedPlayer;
use crate::{Caller, Error, Matches, Summary};

/// The names to show by seat: the display name or, without one, the player's id; none where a seat
/// is open. A match that has started has all its players, so its cast changes only when one of them
/// is erased: see [`Matches::erasures`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cast(Vec<Option<String>>);

impl Cast {
    fn of(players: Vec<Option<SeatedPlayer>>) -> Cast {
        let shown = |it: SeatedPlayer| it.display_name.unwrap_or(it.player);
        Cast(players.into_iter().map(|player| player.map(shown)).collect())
    }

    pub fn names(&self) -> Vec<Option<&str>> {
        self.0.iter().map(Option::as_deref).collect()
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
        if unknown.is_empty() {
            return Ok(casts);
        }
        let platform = &caller.platform;
        let reading = self.0.store.shown_names(platform, &unknown);
        let found = match is_stream {
            true => self.in_lane_of_streams(platform, reading).await?,
            false => self.in_lane(Lane::Lists, platform, reading).await?,
        };
        add(&mut casts, found);
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
                None if caller.check_match(match_id).is_ok() => unknown.push(match_id),
                None => {}
            }
        }
        (casts, unknown)
    }
}

fn add(casts: &mut HashMap<MatchId, Cast>, found: Vec<(MatchId, i16, String)>) {
    for (match_id, seat, name) in found {
        let Cast(names) = casts.entry(match_id).or_default();
        let seat = usize::try_from(seat).ok().and_then(table::Seat::nth);
        let seat = seat.expect("a match has few seats").index();
        names.resize(names.len().max(seat + 1), None);
        names[seat] = Some(name);
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

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
    fn rows_of_seats_become_casts() {
        let (one, other) = (MatchId(Uuid::from_u128(1)), MatchId(Uuid::from_u128(2)));
        let row = |match_id, seat, name: &str| (match_id, seat, name.to_owned());
        let mut casts = HashMap::new();
        add(&mut casts, vec![row(one, 1, "Bob"), row(other, 0, "Cid"), row(one, 0, "Ann")]);
        assert_eq!(casts[&one].names(), [Some("Ann"), Some("Bob")]);
        assert_eq!(casts[&other].names(), [Some("Cid")]);
    }
}
