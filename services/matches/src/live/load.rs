//! Finding a match: in memory, or loaded from the database.

use std::sync::Arc;

use store::{Loaded, MatchId, Position, Recorded};

use super::LiveMatch;
use crate::budgets::Lane;
use crate::digests::Digests;
use crate::play::{Command, SET_UP_ID};
use crate::rows::game_of;
use crate::{Caller, Error, Expected, Matches};

/// How often a match is read while it is being removed: it is removed once.
const LOADS_MAX: usize = 3;

impl Matches {
    /// The match, dealt if all its seats are taken. A match that was in memory may lack entries of
    /// other processes; [`LiveMatch::refresh`] reads them.
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

    /// What a caller may know of an error of loading a match: nothing if it is a player without a
    /// seat.
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

    /// The match of a platform, dealt if all its seats are taken, whoever asks.
    pub(crate) async fn live_of(
        &self,
        platform: &str,
        match_id: MatchId,
    ) -> Result<Arc<LiveMatch>, Error> {
        let cached = self.0.live.find(match_id).filter(|live| live.is_current(&self.0.store));
        let cached = cached.filter(|live| live.platform() == platform);
        let live = match cached {
            Some(live) => live,
            // Rare branches are boxed to keep this future small: there are many of it.
            None => Box::pin(self.load(platform, match_id)).await?,
        };
        if !live.is_full() || live.position() == Position::START {
            Box::pin(self.deal_if_full(&live)).await?;
        }
        Ok(live)
    }

    pub(crate) async fn load(
        &self,
        platform: &str,
        match_id: MatchId,
    ) -> Result<Arc<LiveMatch>, Error> {
        for _ in 0..LOADS_MAX {
            match self.try_load(platform, match_id).await {
                // It was reduced to its result, or deleted, while it was read.
                Err(Error::HistoryNotKept) => {}
                loaded => return loaded,
            }
        }
        // Entries are missing although the match is kept whole, or the other way round.
        Err(Error::RecordAltered { position: Position::START.next() })
    }

    async fn try_load(&self, platform: &str, match_id: MatchId) -> Result<Arc<LiveMatch>, Error> {
        let (epoch, erasures) = (self.0.store.epoch(), self.0.live.erasures());
        let loaded = self.0.store.load(platform, match_id).await?;
        let loaded = loaded.ok_or(Error::NoSuchMatch)?;
        if loaded.row.last.as_ref().is_some_and(Recorded::is_stub) {
            let match_ids = [match_id];
            let reading = self.0.store.kept_results(&match_ids);
            let kept = self.in_lane(Lane::Lists, platform, reading).await?.remove(&match_id);
            let kept = kept.ok_or(Error::HistoryNotKept)?;
            let live = LiveMatch::reduced(loaded.row, kept, epoch)?;
            return self.keep(live, erasures).await;
        }
        if game_of(&loaded.row.game).is_err() {
            self.check_origin(&loaded).await?;
        }
        let live = LiveMatch::new(loaded, epoch)?;
        if live.is_long() {
            self.in_lane(Lane::Lists, platform, live.restore(&self.0.store)).await?;
        }
        // Only then it is kept: a match that cannot be read must not seem to have no entries.
        live.refresh(&self.0.store).await?;
        self.keep(live, erasures).await
    }

    /// Keeps a match in memory that was read since so many erasures.
    async fn keep(&self, live: LiveMatch, erasures: u64) -> Result<Arc<LiveMatch>, Error> {
        let live = self.0.live.add(live);
        if erasures != self.0.live.erasures() {
            self.seat(&live).await?;
        }
        Ok(live)
    }

    /// Reads again who is seated.
    pub(crate) async fn seat(&self, live: &LiveMatch) -> Result<(), Error> {
        let finding = self.0.store.find(live.platform(), live.id());
        let row = self.in_lane(Lane::Writes, live.platform(), finding).await?;
        // A copy of a deleted match may have been imported since.
        let same = row.filter(|row| row.create_time == live.row().create_time);
        let Some(row) = same else {
            self.0.live.forget(live.id());
            return Err(Error::NoSuchMatch);
        };
        if row.seated.len() == usize::from(live.seats()) {
            let contributed = self.0.store.contributions(live.id());
            let contributed = self.in_lane(Lane::Writes, live.platform(), contributed).await?;
            live.set_contributions(contributed);
        }
        live.set_seated(&row);
        Ok(())
    }

    /// Fails if a match of an unknown game was created as another one: its first entry tells.
    async fn check_origin(&self, loaded: &Loaded) -> Result<(), Error> {
        let digests = Digests::of(loaded)?;
        let first = self.0.store.entries(loaded.row.match_id, Position::START, 1).await?;
        match first.first() {
            Some(first) if first.is_stub() => Err(Error::HistoryNotKept),
            Some(first) if !digests.is_genuine(digests.start(), first) => {
                Err(Error::RecordAltered { position: first.position })
            }
            _ => Ok(()),
        }
    }

    /// Deals the match once its last seat is taken. The first caller to notice does so: usually the
    /// player who took the seat, or any later one if the service stopped in between. The set-up's
    /// request id lets it happen once.
    async fn deal_if_full(&self, live: &Arc<LiveMatch>) -> Result<(), Error> {
        if !live.is_full() {
            self.seat(live).await?;
        }
        if live.is_full() && live.position() == Position::START {
            self.accept(live, Command::SetUp, Expected::default(), Some(SET_UP_ID.to_owned()))
                .await?;
        }
        Ok(())
    }
}
