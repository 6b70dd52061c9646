//! The lobby: matches with open seats, listed for players who want to join.

use database::OfNodes;
use projector::{Cursor, StoredState};
use rows::MatchId;
use store::LobbyFilter;

use crate::access::{Caller, Lane};
use crate::error::Error;
use crate::matches::Matches;
use crate::reading::SummaryPage;
use crate::summary::Summary;

impl Matches {
    /// The matches of the lobby that have open seats, newest first. A platform and its players may
    /// list them.
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
            Ok::<_, database::Error>((listed, away, store.find_all(&ids).await?, tags))
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
            let tags = tags.remove(&row.match_id).unwrap_or_default();
            let summary = Summary::of_row(row, StoredState::default());
            // Nobody could join a match of a game that this release does not know.
            if !summary.is_unreadable {
                summaries.push(Summary { tags, ..summary });
            }
        }
        Ok(SummaryPage { summaries, next, unreachable: away.len() })
    }
}
