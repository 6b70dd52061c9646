//! The matches of this process: found in memory, or loaded from the database.

use std::sync::Arc;

use positions::{Position, Recorded};
use records::Digests;
use rows::{MatchId, game_of};
use store::Loaded;

use super::cache::Cache;
use super::live_match::LiveMatch;
use super::pages::Pages;
use crate::access::Lane;
use crate::error::Error;

/// How often loading is tried: a match may be removed or reduced while it is read, but only once.
const LOADS_MAX: usize = 3;

/// The matches of this process, and the database that they are read from. Cheap to clone.
#[derive(Clone)]
pub(crate) struct LiveMatches {
    pub cache: Arc<Cache>,
    pub pages: Pages,
}

impl LiveMatches {
    /// The match of a platform, if it is in memory and current.
    pub fn find(&self, platform: &str, match_id: MatchId) -> Option<Arc<LiveMatch>> {
        let found = self.cache.find(match_id).filter(|live| live.is_current(&self.pages.store));
        found.filter(|live| live.platform() == platform)
    }

    pub async fn load(&self, platform: &str, match_id: MatchId) -> Result<Arc<LiveMatch>, Error> {
        let loaded = self.load_whole(platform, match_id).await;
        loaded.inspect_err(|error| self.pages.tell_if_altered(match_id, error))
    }

    async fn load_whole(&self, platform: &str, match_id: MatchId) -> Result<Arc<LiveMatch>, Error> {
        let mut left = LOADS_MAX;
        loop {
            left -= 1;
            match self.try_load(platform, match_id).await {
                // While it was read, the match was reduced or deleted, or an epoch began.
                Err(Error::HistoryNotKept | Error::RecordWentBack { .. }) if left > 0 => {}
                // Entries are missing from a whole match, or present in a reduced one.
                Err(Error::HistoryNotKept) => {
                    return Err(Error::RecordAltered { position: Position::START.next() });
                }
                loaded => return loaded,
            }
        }
    }

    async fn try_load(&self, platform: &str, match_id: MatchId) -> Result<Arc<LiveMatch>, Error> {
        let (epoch, erasures) = (self.pages.store.log().epoch(), self.cache.erasures());
        let clock = self.pages.store.database().clock().clone();
        let loaded = self.pages.store.load(platform, match_id).await?;
        let loaded = loaded.ok_or(Error::NoSuchMatch)?;
        if loaded.row.last.as_ref().is_some_and(Recorded::is_stub) {
            let match_ids = [match_id];
            let reading = self.pages.store.kept_results(&match_ids);
            let kept =
                self.pages.budgets.in_lane(Lane::Lists, platform, reading).await?.remove(&match_id);
            let kept = kept.ok_or(Error::HistoryNotKept)?;
            let live = LiveMatch::reduced(loaded.row, kept, loaded.header, epoch, clock)?;
            return self.keep(live, erasures).await;
        }
        if game_of(&loaded.row).is_err() {
            self.check_origin(&loaded).await?;
        }
        let live = LiveMatch::new(loaded, epoch, clock)?;
        if live.is_long() {
            self.pages.budgets.in_lane(Lane::Lists, platform, live.restore(&self.pages)).await?;
        }
        // Kept only now, because a match that cannot be read must not appear to have no entries.
        live.refresh(&self.pages).await?;
        self.keep(live, erasures).await
    }

    /// Keeps a loaded match in memory. If players were erased since `erasures` was read, reads the
    /// seats again.
    async fn keep(&self, live: LiveMatch, erasures: u64) -> Result<Arc<LiveMatch>, Error> {
        let live = self.cache.add(live);
        if erasures != self.cache.erasures() {
            self.seat(&live).await?;
        }
        Ok(live)
    }

    /// Reads again who is seated.
    pub async fn seat(&self, live: &LiveMatch) -> Result<(), Error> {
        let finding = self.pages.store.find(live.platform(), live.id());
        let row = self.pages.budgets.in_lane(Lane::Writes, live.platform(), finding).await?;
        // The match may have been deleted and imported again since.
        let same = row.filter(|row| row.create_time == live.row().create_time);
        let Some(row) = same else {
            self.cache.forget(live.id());
            return Err(Error::NoSuchMatch);
        };
        if row.seated.len() == usize::from(live.seats()) {
            let contributed = self.pages.store.contributions(live.id());
            let contributed =
                self.pages.budgets.in_lane(Lane::Writes, live.platform(), contributed).await?;
            live.set_contributions(contributed);
        }
        live.set_seated(&row);
        Ok(())
    }

    /// Checks the row of a match of an unknown game against its first entry: the game may have been
    /// altered.
    async fn check_origin(&self, loaded: &Loaded) -> Result<(), Error> {
        let seed = loaded.seed.as_ref().ok_or(Error::HistoryNotKept)?;
        let digests = Digests::new(&loaded.row, seed)?;
        let first = self.pages.store.log().entries(loaded.row.match_id, Position::START, 1).await?;
        match first.first() {
            Some(first) if first.is_stub() => Err(Error::HistoryNotKept),
            Some(first) if !digests.is_genuine(digests.start(), first) => {
                Err(Error::RecordAltered { position: first.position })
            }
            _ => Ok(()),
        }
    }
}
