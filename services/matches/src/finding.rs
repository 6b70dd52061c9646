//! Finding the match of a request: in memory or loaded, dealt if all its seats are taken, and
//! hidden from callers who may not know of it.

use std::sync::Arc;

use positions::Position;
use rows::MatchId;

use crate::accepting::{Command, Expected, SET_UP_ID};
use crate::access::{Caller, Lane};
use crate::error::Error;
use crate::live::{LiveMatch, Source};
use crate::matches::Matches;

impl Matches {
    /// The match, dealt if all its seats are taken. If it was in memory, it may lack entries of
    /// other processes; [`LiveMatch::refresh`](crate::live::LiveMatch::refresh) reads them.
    ///
    /// Matches of other platforms and matches that do not exist take the same path: a query that
    /// finds no row.
    pub(crate) async fn live(
        &self,
        caller: &Caller,
        match_id: MatchId,
    ) -> Result<Arc<LiveMatch>, Error> {
        caller.check_match(match_id)?;
        let live = match self.live_of(&caller.platform, match_id).await {
            Ok(live) => live,
            Err(error) => return Err(Box::pin(self.hidden(caller, match_id, error)).await),
        };
        caller.check_seated(&live)?;
        Ok(live)
    }

    /// The error of loading a match as the caller may know it: a player without a seat only learns
    /// that there is no such match.
    async fn hidden(&self, caller: &Caller, match_id: MatchId, error: Error) -> Error {
        let tells = matches!(
            error,
            Error::MatchUnreadable { .. }
                | Error::RecordAltered { .. }
                | Error::HistoryNotKept
                | Error::ArchiveNotGiven
                | Error::ArchiveUnavailable
                | Error::ArchiveDamaged
        );
        let Some(player) = caller.player().filter(|_| tells) else { return error };
        let finding = self.0.store.find(&caller.platform, match_id);
        match self.in_lane(Lane::Lists, &caller.platform, finding).await {
            Ok(Some(row)) if row.seated.iter().any(|it| it.player == player) => error,
            Ok(_) => Error::NoSuchMatch,
            Err(unavailable) => unavailable,
        }
    }

    /// The match of a platform, dealt if all its seats are taken. Checks no grant.
    pub(crate) async fn live_of(
        &self,
        platform: &str,
        match_id: MatchId,
    ) -> Result<Arc<LiveMatch>, Error> {
        let live = match self.0.live.find(platform, match_id) {
            Some(live) => live,
            // Rare branches are boxed to keep this future small.
            None => Box::pin(self.0.live.load(platform, match_id)).await?,
        };
        if !live.is_full() || live.position() == Position::START {
            Box::pin(self.deal_if_full(&live)).await?;
        }
        Ok(live)
    }

    /// Like [`Matches::live`]. A player's token also finds matches of the lobby that have an open
    /// seat.
    pub(crate) async fn live_or_open(
        &self,
        caller: &Caller,
        match_id: MatchId,
    ) -> Result<Arc<LiveMatch>, Error> {
        match self.live(caller, match_id).await {
            Err(Error::NoSuchMatch) if caller.player().is_some() => {}
            live => return live,
        }
        let finding = self.0.store.is_in_lobby(&caller.platform, match_id);
        if !self.in_lane(Lane::Lists, &caller.platform, finding).await? {
            return Err(Error::NoSuchMatch);
        }
        let live = self.live_of(&caller.platform, match_id).await?;
        if live.is_full() { Err(Error::NoSuchMatch) } else { Ok(live) }
    }

    /// [`Matches::live`] with what other processes recorded, and where it was read: in memory while
    /// the database is unavailable.
    ///
    /// If what was in memory is no longer the record, the match is found again: a caller who has
    /// not said what it knows was told nothing that could have gone back.
    pub(crate) async fn current(
        &self,
        caller: &Caller,
        match_id: MatchId,
    ) -> Result<(Arc<LiveMatch>, Source), Error> {
        let live = self.live(caller, match_id).await?;
        if let Some(source) = self.catch_up(&live).await? {
            return Ok((live, source));
        }
        let live = Box::pin(self.live(caller, match_id)).await?;
        let source = self.0.live.refresh_or_stale(&live).await?;
        Ok((live, source))
    }

    /// [`Matches::live_or_open`], likewise.
    pub(crate) async fn current_or_open(
        &self,
        caller: &Caller,
        match_id: MatchId,
    ) -> Result<Arc<LiveMatch>, Error> {
        let live = self.live_or_open(caller, match_id).await?;
        if self.catch_up(&live).await?.is_some() {
            return Ok(live);
        }
        let live = Box::pin(self.live_or_open(caller, match_id)).await?;
        self.0.live.refresh_or_stale(&live).await?;
        Ok(live)
    }

    /// Refreshes a match. Returns nothing if it is no longer what the record has.
    async fn catch_up(&self, live: &LiveMatch) -> Result<Option<Source>, Error> {
        match self.0.live.refresh_or_stale(live).await {
            Ok(Source::Record) | Err(Error::RecordWentBack { .. })
                if !live.is_current(&self.0.store) =>
            {
                Ok(None)
            }
            source => source.map(Some),
        }
    }

    /// Deals the match once its last seat is taken. Usually the player who took that seat comes
    /// here first; if the service stopped in between, it is the next caller. The set-up's request
    /// id lets it happen once (`concurrent_joins_of_the_last_two_seats_deal_once` in
    /// `tests/it/races.rs`).
    async fn deal_if_full(&self, live: &Arc<LiveMatch>) -> Result<(), Error> {
        if !live.is_full() {
            self.0.live.seat(live).await?;
        }
        if live.is_full() && live.position() == Position::START {
            let id = Some(SET_UP_ID.to_owned());
            self.accept(live, None, Command::SetUp, Expected::default(), id).await?;
        }
        Ok(())
    }
}
