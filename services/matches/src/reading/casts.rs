//! The casts of matches: the names that texts show for the players.

use std::collections::HashMap;
use std::sync::Arc;

use games::Game;
use rows::{Cast, MatchId};
use table::Seat;

use crate::access::{Caller, Lane};
use crate::error::Error;
use crate::live::LiveMatch;
use crate::matches::Matches;

impl Matches {
    /// The casts of matches that the caller may read; other matches, and those without players, are
    /// left out. A full match in memory costs no query. A stream queues for its lane without a
    /// timeout. Whether a player has a seat is not checked: a player only asks about entries that
    /// the player was sent.
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

    /// The casts as they are recorded. A stream may send the entry by which a player takes over a
    /// seat before the match in memory knows the player.
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
        let live =
            self.0.live.cache.peek(match_id).filter(|live| live.platform() == caller.platform)?;
        caller.check_seated(&live).is_ok().then_some(live)
    }

    /// The casts that need no query, and the matches that need one.
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
