//! The lobby: matches that wait for players, listed for those who want to join.

use std::sync::Arc;

use projector::{Cursor, FoundMatch};
use store::{LobbyFilter, MatchId, OfNodes};

use crate::budgets::Lane;
use crate::live::LiveMatch;
use crate::queries::{SummaryPage, summary_of_row};
use crate::{Caller, Error, Matches};

impl Matches {
    /// The matches of the lobby that have open seats, newest first: for a platform, and for its
    /// players.
    pub async fn open_matches(
        &self,
        caller: &Caller,
        filter: &LobbyFilter,
        after: Option<Cursor>,
        limit: usize,
    ) -> Result<SummaryPage, Error> {
        if caller.player().is_none() {
            caller.platform()?;
        }
        let platform = caller.platform.as_str();
        let store = &self.0.store;
        let reading = async {
            let OfNodes { found: listed, away } =
                store.lobby(platform, filter, after, limit as i64).await?;
            let ids: Vec<MatchId> = listed.iter().map(|it| it.match_id).collect();
            let tags = match caller.platform() {
                Ok(_) => store.tags(&ids).await?,
                Err(_) => Default::default(),
            };
            Ok::<_, store::Error>((listed, away, store.find_all(&ids).await?, tags))
        };
        let (listed, away, rows, mut tags) = self.in_lane(Lane::Lists, platform, reading).await?;
        let last = listed.last().filter(|_| listed.len() == limit);
        let next = last.map(|last| (last.create_time, last.match_id));
        let past: Vec<MatchId> =
            listed.iter().filter(|it| it.is_past).map(|it| it.match_id).collect();
        if !past.is_empty() {
            // If this fails, the next list removes them.
            let leaving = self.in_lane(Lane::Writes, platform, store.leave_lobby(&past)).await;
            if let Err(error) = leaving {
                tracing::debug!(%error, "matches that were dealt are still in the lobby");
            }
        }
        let mut summaries = Vec::new();
        for row in rows {
            if row.last.is_some() || row.seated.len() >= usize::try_from(row.seats).unwrap_or(0) {
                continue;
            }
            // Nobody could join a match of a game that this release does not know.
            let found = undealt(row.match_id, row.create_time);
            let Ok(summary) = summary_of_row(&row, &found) else { continue };
            let tags = tags.remove(&row.match_id).unwrap_or_default();
            summaries.push(crate::Summary { tags, ..summary });
        }
        Ok(SummaryPage { summaries, next, unreachable: away.len() })
    }

    /// As [`Matches::live`]; for a player's token also a match of the lobby that has an open seat.
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
}

/// What a read model knows of a match that was not dealt.
fn undealt(match_id: MatchId, create_time: time::OffsetDateTime) -> FoundMatch {
    FoundMatch {
        match_id,
        create_time,
        listed_time: create_time,
        position: None,
        round: None,
        turn: None,
        scores: None,
        winners: None,
        contributions: None,
        clocks: None,
        is_paused: None,
        votes: None,
    }
}
