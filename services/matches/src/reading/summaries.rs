//! Summaries of matches: of one, and of lists of them.

use std::collections::HashMap;

use database::OfNodes;
use futures::StreamExt;
use positions::Recorded;
use projector::{ConsistencyToken, Cursor, Filter, FoundMatch, Model};
use rows::{MatchId, Tags};
use table::Viewer;

use crate::access::{Caller, Lane, RequestedViewer};
use crate::error::Error;
use crate::live::LiveMatch;
use crate::matches::Matches;
use crate::request::check_tags;
use crate::summary::Summary;

/// How many matches are loaded at once for one list: as many as one query reads.
const LOADS_MAX: usize = 64;

pub struct SummaryPage {
    pub summaries: Vec<Summary>,
    /// Where the next page begins, if there is one.
    pub next: Option<Cursor>,
    /// How many buckets are missing because their nodes of the database cannot be reached.
    pub unreachable: usize,
}

impl Matches {
    pub async fn get(&self, caller: &Caller, match_id: MatchId) -> Result<Summary, Error> {
        let live = self.current_or_open(caller, match_id).await?;
        self.summary_with_notes(caller, &live).await
    }

    /// The summary of a match as a viewer gets it.
    pub async fn get_as(
        &self,
        caller: &Caller,
        match_id: MatchId,
        viewer: Viewer,
    ) -> Result<Summary, Error> {
        let live = self.current_or_open(caller, match_id).await?;
        // Everyone who may read the match may see it as a spectator does, before joining it too.
        if viewer != Viewer::Spectator {
            caller.viewer(&live, RequestedViewer::Named(viewer))?;
        }
        let summary = self.summary_with_notes(caller, &live).await?;
        Ok(Summary { tags: Tags::new(), ..summary })
    }

    /// The summary of a match that the caller has just changed. It is dealt if all its seats are
    /// taken now.
    pub(crate) async fn changed(
        &self,
        caller: &Caller,
        match_id: MatchId,
    ) -> Result<Summary, Error> {
        let live = self.live(caller, match_id).await.map_err(Error::after_write)?;
        self.summary_with_notes(caller, &live).await.map_err(Error::after_write)
    }

    /// A platform's matches that pass a filter, in the filter's order; with a player's token, only
    /// those of the player.
    pub async fn list(
        &self,
        caller: &Caller,
        filter: &Filter,
        consistency_token: Option<ConsistencyToken>,
        after: Option<Cursor>,
        limit: usize,
    ) -> Result<SummaryPage, Error> {
        let filter = &of_caller(caller, filter)?;
        let platform = caller.platform.as_str();
        check_tags("tags", &filter.tags)?;
        self.wait_for_model(caller, Model::Matches, consistency_token).await?;
        let found = self.0.projector.find(platform, filter, after, limit);
        let OfNodes { found, away } = self.in_lane(Lane::Lists, platform, found).await?;
        let last = found.last().filter(|_| found.len() == limit);
        let next = last.map(|last| (last.listed_time, last.match_id));
        let mut summaries = self.summaries(caller, found).await?;
        // The read model may lag behind the summaries.
        summaries.retain(|it| filter.state.is_none_or(|state| it.state == state));
        if let Some(player) = &filter.waiting_for {
            summaries.retain(|it| it.seat_of(player).is_some_and(|at| it.now.waiting_for.has(at)));
        }
        if caller.platform().is_err() {
            summaries.iter_mut().for_each(|it| it.tags = Tags::new());
        }
        Ok(SummaryPage { summaries, next, unreachable: away.len() })
    }

    /// The summaries of matches that were found, each equal to what [`Matches::get`] returns.
    async fn summaries(
        &self,
        caller: &Caller,
        found: Vec<FoundMatch>,
    ) -> Result<Vec<Summary>, Error> {
        let ids: Vec<MatchId> = found.iter().map(|found| found.match_id).collect();
        let platform = caller.platform.as_str();
        let under_way = ids.iter().copied().filter(|it| self.is_under_way_in_memory(platform, *it));
        let mut under_way = self.live_summaries(platform, under_way.collect()).await;
        under_way.retain(|_, summary| summary.is_ok());
        let read: Vec<MatchId> =
            ids.iter().copied().filter(|it| !under_way.contains_key(it)).collect();
        let store = &self.0.store;
        let reading = async {
            Ok::<_, database::Error>((store.find_all(&read).await?, store.notes(&ids).await?))
        };
        let (rows, mut notes) = self.in_lane(Lane::Lists, &caller.platform, reading).await?;
        let mut rows: HashMap<_, _> = rows.into_iter().map(|row| (row.match_id, row)).collect();
        // The read model lags behind the log for a moment; under load it does so for many matches.
        let is_behind = |found: &&FoundMatch| {
            let row = rows.get(&found.match_id);
            row.is_some_and(|row| {
                let last = row.last.as_ref();
                found.position != last.map(|last| last.position)
                    // The read model is older than the end of the match.
                    || last.is_some_and(Recorded::is_stub) && !found.state.has_ended()
            })
        };
        let behind: Vec<MatchId> =
            found.iter().filter(is_behind).map(|found| found.match_id).collect();
        let mut behind = self.live_summaries(&caller.platform, behind).await;
        let mut summaries = Vec::new();
        for FoundMatch { match_id, state, .. } in found {
            if let Some(summary) = under_way.remove(&match_id) {
                let notes = notes.remove(&match_id).unwrap_or_default();
                summaries.push(summary?.with_notes(notes));
                continue;
            }
            let Some(row) = rows.remove(&match_id) else { continue };
            let next = row.next;
            // One match never makes the list of the others fail.
            let mut summary = match behind.remove(&match_id) {
                None => Summary::of_row(row, state),
                // It was deleted just now.
                Some(Err(Error::NoSuchMatch)) => continue,
                Some(Err(
                    Error::MatchUnreadable { .. }
                    | Error::RecordAltered { .. }
                    | Error::RecordWentBack { .. }
                    | Error::HistoryNotKept
                    | Error::ArchiveNotGiven
                    | Error::ArchiveUnavailable
                    | Error::ArchiveDamaged,
                )) => Summary::unreadable(row, state),
                Some(summary) => summary?,
            };
            summary.row.next = next;
            let notes = notes.remove(&match_id).unwrap_or_default();
            summaries.push(summary.with_notes(notes));
        }
        let now = self.now();
        let revealed = summaries.iter().filter(|summary| summary.is_revealed(now));
        let revealed: Vec<_> = revealed.map(|it| it.row.match_id).collect();
        if revealed.is_empty() {
            return Ok(summaries);
        }
        let seeds = self.in_lane(Lane::Lists, &caller.platform, store.seeds(&revealed)).await?;
        summaries.iter_mut().for_each(|it| it.seed = seeds.get(&it.row.match_id).copied());
        Ok(summaries)
    }

    /// Whether a match costs no query: its players are known, and no match can follow it yet.
    fn is_under_way_in_memory(&self, platform: &str, match_id: MatchId) -> bool {
        let live = self.0.live.cache.peek(match_id);
        live.is_some_and(|it| it.platform() == platform && it.is_full() && !it.has_ended())
    }

    /// Summaries from the matches themselves, which the caller may list: also those in which the
    /// caller's seat has another player by now. Those not in memory are loaded together: the store
    /// reads the matches of concurrent callers in one query.
    async fn live_summaries(
        &self,
        platform: &str,
        match_ids: Vec<MatchId>,
    ) -> HashMap<MatchId, Result<Summary, Error>> {
        let summary = async |match_id| {
            let live = self.live_of(platform, match_id).await?;
            self.0.live.refresh_or_stale(&live).await?;
            Ok(live.summary())
        };
        let summaries = futures::stream::iter(match_ids);
        let summaries = summaries.map(async |match_id| (match_id, summary(match_id).await));
        summaries.buffer_unordered(LOADS_MAX).collect().await
    }

    /// The platform's matches after they ended, as the platform reads them. Those that cannot be
    /// read are left out.
    pub(crate) async fn results(
        &self,
        platform: &str,
        match_ids: &[MatchId],
    ) -> Result<HashMap<MatchId, Summary>, Error> {
        let notes = self.0.store.notes(match_ids);
        let mut notes = self.in_lane_of_streams(platform, notes).await?;
        let found = self.live_summaries(platform, match_ids.to_vec()).await;
        let found = found.into_iter().filter_map(|(match_id, found)| {
            let notes = notes.remove(&match_id).unwrap_or_default();
            Some((match_id, found.ok()?.with_notes(notes)))
        });
        Ok(found.collect())
    }

    /// The summary of a match with its name, and with its tags if the caller is its platform. While
    /// the database is unavailable, both are as this process last read them.
    pub(crate) async fn summary_with_notes(
        &self,
        caller: &Caller,
        live: &LiveMatch,
    ) -> Result<Summary, Error> {
        let next = self.next_of(live).await?;
        let mut summary = live.summary();
        summary.row.next = next;
        let match_ids = [live.id()];
        let notes = self.0.store.notes(&match_ids);
        match self.in_lane(Lane::Lists, &caller.platform, notes).await {
            Ok(mut notes) => live.set_notes(notes.remove(&live.id()).unwrap_or_default()),
            Err(Error::DatabaseUnavailable { .. }) => {}
            Err(error) => return Err(error),
        }
        let mut summary = summary.with_notes(live.notes());
        if caller.platform().is_err() {
            summary.tags = Tags::new();
        }
        Ok(summary)
    }

    /// The match that follows this one, if any. The database is asked only once this match has
    /// ended, and only until there is one. While the database is unavailable, it is the one that
    /// this process knows.
    pub(crate) async fn next_of(&self, live: &LiveMatch) -> Result<Option<MatchId>, Error> {
        if !live.has_ended() || live.next().is_some() {
            return Ok(live.next());
        }
        let finding = self.0.store.next_match(live.platform(), live.id());
        match self.in_lane(Lane::Lists, live.platform(), finding).await {
            Ok(Some(next)) => live.set_next(next),
            Ok(None) | Err(Error::DatabaseUnavailable { .. }) => {}
            Err(error) => return Err(error),
        }
        Ok(live.next())
    }
}

/// Restricts a filter to what the caller may list: players find only their own matches, and not by
/// the platform's tags.
fn of_caller(caller: &Caller, filter: &Filter) -> Result<Filter, Error> {
    let Some(own) = caller.player() else {
        return caller.platform().map(|_| filter.clone());
    };
    if !filter.tags.is_empty() {
        return Err(Error::PlatformOnly);
    }
    let named = [&filter.player, &filter.waiting_for];
    named.into_iter().flatten().try_for_each(|player| caller.check_player(player))?;
    Ok(Filter { player: Some(own.to_owned()), ..filter.clone() })
}
