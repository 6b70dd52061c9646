//! Removing matches: deleting those that were never dealt, and forgetting what other processes
//! deleted or reduced to its result.

use std::sync::Arc;
use std::time::Duration;

use store::{Deletion, MatchId, RemovalReader, Store};
use table::Small;
use tokio_util::sync::CancellationToken;

use crate::budgets::Lane;
use crate::create::check_player;
use crate::detached::Detached;
use crate::live::LiveMatches;
use crate::{Caller, Error, Matches, Summary};

/// How often a process reads what others removed, and so for how long it may still show it.
const READ_EVERY: Duration = Duration::from_secs(2);

impl Matches {
    /// Deletes a match that was never dealt and has an open seat. It completes even if the caller
    /// drops this future.
    pub async fn delete(&self, caller: &Caller, match_id: MatchId) -> Result<(), Error> {
        let (matches, caller) = (self.clone(), caller.clone());
        Detached::new(async move { matches.delete_whole(&caller, match_id).await }).await?
    }

    /// Frees the seat of a player in a match that was never dealt and has an open seat: a platform
    /// names the player, a token has its own. It completes even if the caller drops this future.
    pub async fn leave(
        &self,
        caller: &Caller,
        match_id: MatchId,
        player: Option<String>,
    ) -> Result<Summary, Error> {
        let (matches, caller) = (self.clone(), caller.clone());
        Detached::new(async move { matches.leave_whole(&caller, match_id, player).await }).await?
    }

    async fn leave_whole(
        &self,
        caller: &Caller,
        match_id: MatchId,
        player: Option<String>,
    ) -> Result<Summary, Error> {
        let live = self.live(caller, match_id).await?;
        let player = match (caller.platform().is_ok(), player) {
            (true, None) => {
                return Err(Error::invalid("player", "the player who leaves is missing"));
            }
            (true, Some(player)) => player,
            (false, given) => {
                let seat = caller.acting_seat(&live, None)?;
                let own = live.players().swap_remove(seat.index()).map(|it| it.player);
                let own = own.ok_or(Error::PlayerNotSeated)?;
                if given.is_some_and(|given| given != own) {
                    return Err(Error::NotYourSeat);
                }
                own
            }
        };
        check_player("player", &player)?;
        let leaving = self.0.store.leave_open(&caller.platform, match_id, &player);
        let has_left = self.in_lane(Lane::Writes, &caller.platform, leaving).await?;
        self.seat(&live).await.map_err(Error::after_write)?;
        if has_left {
            return Ok(self.summary(&live));
        }
        match live.players().into_iter().flatten().any(|it| it.player == player) {
            true => Err(Error::Started),
            false => Err(Error::PlayerNotSeated),
        }
    }

    async fn delete_whole(&self, caller: &Caller, match_id: MatchId) -> Result<(), Error> {
        let platform = caller.platform()?;
        let deleting = self.0.store.delete_open(platform, match_id);
        match self.in_lane(Lane::Writes, platform, deleting).await? {
            Deletion::Deleted => {
                self.0.live.forget(match_id);
                Ok(())
            }
            Deletion::NotOpen => Err(Error::Started),
            Deletion::NoSuchMatch => Err(Error::NoSuchMatch),
        }
    }
}

/// Forgets what was removed from the record, by whichever process, until the service stops.
pub(crate) async fn follow(store: Store, live: Arc<LiveMatches>, drain: CancellationToken) {
    let mut reader = None;
    // A match may have been read before its removal, and added to memory after it was forgotten.
    let mut before: Vec<MatchId> = Vec::new();
    loop {
        match read(&store, &mut reader).await {
            Ok(removed) => {
                before.iter().chain(&removed).for_each(|&match_id| live.forget(match_id));
                before = removed;
            }
            // Another attempt follows, and misses nothing.
            Err(error) => tracing::debug!(%error, "cannot read which matches were removed"),
        }
        let pause = tokio::time::sleep(READ_EVERY);
        if drain.run_until_cancelled(pause).await.is_none() {
            return;
        }
    }
}

async fn read(
    store: &Store,
    reader: &mut Option<RemovalReader>,
) -> Result<Vec<MatchId>, store::Error> {
    match reader {
        Some(reader) => {
            let removed = reader.read().await?;
            Ok(removed.deleted.into_iter().chain(removed.reduced).collect())
        }
        None => {
            *reader = Some(store.removals().await?);
            Ok(Vec::new())
        }
    }
}
