//! Finding a match: in memory, or loaded from the database.

use std::sync::Arc;

use store::{Loaded, MatchId, Position};

use super::LiveMatch;
use crate::budgets::Lane;
use crate::digests::Digests;
use crate::play::{Command, SET_UP_ID};
use crate::rows::{game_of, players_of};
use crate::{Caller, Error, Expected, Matches};

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
        let cached = self.0.live.find(match_id).filter(|live| live.is_current(&self.0.store));
        let cached = cached.filter(|live| live.platform() == caller.platform);
        let live = match cached {
            Some(live) => live,
            // Rare branches are boxed to keep this future small: there are many of it.
            None => Box::pin(self.load(&caller.platform, match_id)).await?,
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
        let epoch = self.0.store.epoch();
        let loaded = self.0.store.load(platform, match_id).await?;
        let loaded = loaded.ok_or(Error::NoSuchMatch)?;
        if game_of(&loaded.row.game).is_err() {
            self.check_origin(&loaded).await?;
        }
        let live = LiveMatch::new(loaded, epoch)?;
        if live.is_long() {
            self.in_lane(Lane::Lists, platform, live.restore(&self.0.store)).await?;
        }
        // Only then it is kept: a match that cannot be read must not seem to have no entries.
        live.refresh(&self.0.store).await?;
        Ok(self.0.live.add(live))
    }

    /// Fails if a match of an unknown game was created as another one: its first entry tells.
    async fn check_origin(&self, loaded: &Loaded) -> Result<(), Error> {
        let digests = Digests::of(loaded)?;
        let first = self.0.store.entries(loaded.row.match_id, Position::START, 1).await?;
        match first.first() {
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
            let finding = self.0.store.find(live.platform(), live.id());
            let row = self.in_lane(Lane::Writes, live.platform(), finding).await?;
            let players = players_of(&row.ok_or(Error::NoSuchMatch)?);
            if players.iter().all(Option::is_some) {
                let contributed = self.0.store.contributions(live.id());
                let contributed = self.in_lane(Lane::Writes, live.platform(), contributed).await?;
                live.set_contributions(contributed);
            }
            live.set_players(players);
        }
        if live.is_full() && live.position() == Position::START {
            self.accept(live, Command::SetUp, Expected::default(), Some(SET_UP_ID.to_owned()))
                .await?;
        }
        Ok(())
    }
}
