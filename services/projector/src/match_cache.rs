//! Matches read from the record and folded.
//!
//! The cache keeps them from one page of entries to the next. A match that is not cached is read
//! again, so the cache affects speed only.

use std::collections::{HashMap, HashSet};

use positions::{Position, Recorded};
use rows::MatchId;
use store::Store;

use crate::error::Error;
use crate::fold::{MatchState, Unreadable};

/// Matches in memory, by id.
#[derive(Default)]
pub(crate) struct MatchCache {
    matches: HashMap<MatchId, Cached>,
    /// The number of pages so far.
    page: u64,
}

struct Cached {
    state: MatchState,
    /// The last page with entries of the match.
    page: u64,
}

/// Matches cached at most: some 40 MB.
const MATCHES_MAX: usize = 32_768;

/// Entries read at a time when a match is folded from its beginning.
const PAGE: i64 = 500;

impl MatchCache {
    /// Applies a page of entries and returns the matches they belong to, by id. Matches that cannot
    /// be read are returned separately, and affect no other.
    pub async fn apply(
        &mut self,
        store: &Store,
        entries: &[(MatchId, Recorded)],
    ) -> Result<Applied<'_>, Error> {
        let mut firsts: HashMap<MatchId, Position> = HashMap::new();
        for (match_id, entry) in entries {
            firsts.entry(*match_id).or_insert(entry.position);
            // The match was reduced to its result since it was cached.
            if entry.is_stub() && self.matches.get(match_id).is_some_and(|it| !it.state.is_reduced)
            {
                self.matches.remove(match_id);
            }
        }
        let mut unreadable = self.fetch(store, &firsts).await?;
        self.page += 1;
        for (match_id, entry) in entries {
            let Some(cached) = self.matches.get_mut(match_id) else { continue };
            cached.page = self.page;
            if let Err(source) = cached.state.apply(entry) {
                self.matches.remove(match_id);
                unreadable.push(source);
            }
        }
        let touched = firsts.keys().filter_map(|match_id| self.matches.get(match_id));
        let mut touched: Vec<_> = touched.map(|cached| &cached.state).collect();
        touched.sort_unstable_by_key(|state| state.row.match_id);
        Ok(Applied { matches: touched, unreadable })
    }

    /// Drops matches that have ended and, if there are too many, the least recently active ones.
    pub fn sweep(&mut self) {
        self.matches.retain(|_, cached| !cached.state.table.ended());
        if self.matches.len() > MATCHES_MAX {
            self.keep_most_recent(MATCHES_MAX / 4 * 3);
        }
    }

    /// Keeps at most `count` matches.
    fn keep_most_recent(&mut self, count: usize) {
        let mut pages: Vec<u64> = self.matches.values().map(|cached| cached.page).collect();
        pages.sort_unstable_by(|one, other| other.cmp(one));
        if let Some(&too_old) = pages.get(count) {
            self.matches.retain(|_, cached| cached.page > too_old);
        }
    }

    pub fn clear(&mut self) {
        self.matches.clear();
    }

    /// Brings each match to the position before its first entry of a page. A cached match is
    /// already there and costs no query. Returns those that cannot be read, and drops them.
    async fn fetch(
        &mut self,
        store: &Store,
        firsts: &HashMap<MatchId, Position>,
    ) -> Result<Vec<Unreadable>, Error> {
        let is_usable = |match_id: &MatchId, first: &Position| {
            let state = self.matches.get(match_id).map(|cached| &cached.state);
            state.is_some_and(|it| it.is_reduced || it.position < *first)
        };
        let missing: Vec<MatchId> =
            firsts.iter().filter(|(id, first)| !is_usable(id, first)).map(|(id, _)| *id).collect();
        missing.iter().for_each(|match_id| drop(self.matches.remove(match_id)));
        let rows = store.find_all(&missing).await?;
        for state in rows.into_iter().filter_map(MatchState::new) {
            self.matches.insert(state.row.match_id, Cached { state, page: self.page });
        }
        let mut unreadable = Vec::new();
        self.complete_reduced(store, &missing, &mut unreadable).await?;
        let has_failed: HashSet<MatchId> = unreadable.iter().map(|it| it.match_id).collect();
        for (&match_id, &first) in firsts.iter().filter(|it| !has_failed.contains(it.0)) {
            let Some(Cached { state, .. }) = self.matches.get_mut(&match_id) else {
                unreadable.push(Unreadable::of_unknown_game(match_id));
                continue;
            };
            if state.is_reduced || state.position.next() >= first {
                continue;
            }
            let is_earlier = |entry: &Recorded| entry.position < first;
            if let Err(source) = read_on(state, store, is_earlier).await? {
                self.matches.remove(&match_id);
                unreadable.push(source);
            }
        }
        Ok(unreadable)
    }

    /// Skips to the end of those matches of which only the result is kept.
    async fn complete_reduced(
        &mut self,
        store: &Store,
        match_ids: &[MatchId],
        unreadable: &mut Vec<Unreadable>,
    ) -> Result<(), Error> {
        let is_reduced = |it: &Cached| it.state.row.last.as_ref().is_some_and(Recorded::is_stub);
        let reduced: Vec<MatchId> = (match_ids.iter().copied())
            .filter(|match_id| self.matches.get(match_id).is_some_and(is_reduced))
            .collect();
        let mut kept = store.kept_results(&reduced).await?;
        for match_id in reduced {
            let Some(cached) = self.matches.get_mut(&match_id) else { continue };
            if let Err(source) = cached.state.complete(kept.remove(&match_id)) {
                self.matches.remove(&match_id);
                unreadable.push(source);
            }
        }
        Ok(())
    }
}

/// The matches of a page of entries.
pub(crate) struct Applied<'a> {
    pub matches: Vec<&'a MatchState>,
    pub unreadable: Vec<Unreadable>,
}

/// Reads a match up to a bucket position.
pub(crate) async fn read(
    store: &Store,
    match_id: MatchId,
    checkpoint: i64,
) -> Result<Result<MatchState, Unreadable>, Error> {
    let row = store.find_all(&[match_id]).await?.pop();
    let Some(mut state) = row.and_then(MatchState::new) else {
        return Ok(Err(Unreadable::of_unknown_game(match_id)));
    };
    if state.row.last.as_ref().is_some_and(Recorded::is_stub) {
        let kept = store.kept_results(&[match_id]).await?.remove(&match_id);
        return Ok(state.complete(kept).map(|()| state));
    }
    let read = read_on(&mut state, store, |entry| entry.bucket_position <= checkpoint).await?;
    Ok(read.map(|()| state))
}

/// Applies the recorded entries after the position of `state`, as long as they pass `until`.
async fn read_on(
    state: &mut MatchState,
    store: &Store,
    until: impl Fn(&Recorded) -> bool,
) -> Result<Result<(), Unreadable>, Error> {
    loop {
        let page = store.log().entries(state.row.match_id, state.position, PAGE).await?;
        let applied = page.iter().take_while(|it| until(it)).try_for_each(|it| state.apply(it));
        if applied.is_err() || page.len() < PAGE as usize || !page.last().is_some_and(&until) {
            return Ok(applied);
        }
    }
}

#[cfg(test)]
mod tests {
    use sqlx::types::Uuid;

    use super::*;

    #[test]
    fn too_many_matches_go_by_recency() {
        let mut cache = MatchCache::default();
        // Two matches of each page.
        for number in 0..10 {
            let state = MatchState::sample("mountebank", None, Vec::new());
            let match_id = MatchId(Uuid::from_u128(number.into()));
            cache.matches.insert(match_id, Cached { state, page: number / 2 });
        }
        cache.keep_most_recent(10);
        assert_eq!(cache.matches.len(), 10);
        cache.keep_most_recent(5);
        let mut pages: Vec<u64> = cache.matches.values().map(|cached| cached.page).collect();
        pages.sort_unstable();
        assert_eq!(pages, [3, 3, 4, 4]);
    }
}
