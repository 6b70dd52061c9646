//! Matches folded from their entries.
//!
//! A cache keeps them from one page of entries to the next. A match that is not cached is read
//! again from the record, so the cache affects speed only.

use std::collections::{HashMap, HashSet};

use clocks::Clocks;
use games::Game;
use store::{Bucket, KeptResult, MatchId, MatchRow, Position, Recorded, Store};
use table::{Entry, Table, Viewer};
use time::OffsetDateTime;

use crate::{Error, Unreadable};

/// A match as it stands after one of its entries.
pub(crate) struct MatchState {
    /// Without its players, who may be erased at any time: they are read when they are written.
    pub row: MatchRow,
    pub game: &'static dyn Game,
    /// As the house sees it. What a model publishes must be redacted first.
    pub table: Table,
    /// None in a match without clocks.
    pub clocks: Option<Clocks>,
    pub position: Position,
    /// Of the first entry.
    pub start_time: OffsetDateTime,
    /// Of the last entry.
    pub update_time: OffsetDateTime,
    /// Whether only its result is kept. Then it is as after its last entry from the start.
    is_reduced: bool,
    /// The last page with entries of this match.
    page: u64,
}

/// Matches in memory, by id.
#[derive(Default)]
pub(crate) struct MatchCache {
    matches: HashMap<MatchId, MatchState>,
    /// Counts the pages.
    page: u64,
}

/// Matches cached at most: some 40 MB.
const MATCHES_MAX: usize = 32_768;

/// Entries read at a time when a match is folded from its beginning.
const PAGE: i64 = 500;

const MISSING: &str = "the entry is missing";

impl MatchCache {
    /// Applies a page of entries and returns the matches they belong to, by id. Matches that cannot
    /// be read are returned apart, and affect no other.
    pub async fn apply(
        &mut self,
        store: &Store,
        entries: &[(MatchId, Recorded)],
    ) -> Result<Applied<'_>, Error> {
        let mut firsts: HashMap<MatchId, Position> = HashMap::new();
        for (match_id, entry) in entries {
            firsts.entry(*match_id).or_insert(entry.position);
            // It was reduced to its result since it was cached.
            if entry.is_stub() && self.matches.get(match_id).is_some_and(|it| !it.is_reduced) {
                self.matches.remove(match_id);
            }
        }
        let mut unreadable = self.fetch(store, &firsts).await?;
        self.page += 1;
        for (match_id, entry) in entries {
            let Some(state) = self.matches.get_mut(match_id) else { continue };
            state.page = self.page;
            if let Err(source) = state.apply(entry) {
                self.matches.remove(match_id);
                unreadable.push(source);
            }
        }
        let mut touched: Vec<_> =
            firsts.keys().filter_map(|match_id| self.matches.get(match_id)).collect();
        touched.sort_unstable_by_key(|state| state.row.match_id);
        Ok(Applied { matches: touched, unreadable })
    }

    /// Drops matches that have ended, and if there are too many, those without entries for longest.
    pub fn sweep(&mut self) {
        self.matches.retain(|_, state| !state.table.ended());
        if self.matches.len() > MATCHES_MAX {
            self.keep_most_recent(MATCHES_MAX / 4 * 3);
        }
    }

    /// Keeps at most `count` matches.
    fn keep_most_recent(&mut self, count: usize) {
        let mut pages: Vec<u64> = self.matches.values().map(|state| state.page).collect();
        pages.sort_unstable_by(|one, other| other.cmp(one));
        if let Some(&too_old) = pages.get(count) {
            self.matches.retain(|_, state| state.page > too_old);
        }
    }

    pub fn clear(&mut self) {
        self.matches.clear();
    }

    /// Brings each match to the position before its first entry of a page. Returns those that
    /// cannot be read, and drops them.
    async fn fetch(
        &mut self,
        store: &Store,
        firsts: &HashMap<MatchId, Position>,
    ) -> Result<Vec<Unreadable>, Error> {
        let is_usable = |match_id: &MatchId, first: &Position| {
            self.matches.get(match_id).is_some_and(|it| it.is_reduced || it.position < *first)
        };
        let missing: Vec<MatchId> =
            firsts.iter().filter(|(id, first)| !is_usable(id, first)).map(|(id, _)| *id).collect();
        missing.iter().for_each(|match_id| drop(self.matches.remove(match_id)));
        let rows = store.find_all(&missing).await?;
        self.matches
            .extend(rows.into_iter().filter_map(|row| Some((row.match_id, MatchState::new(row)?))));
        let mut unreadable = Vec::new();
        self.complete_reduced(store, &missing, &mut unreadable).await?;
        let has_failed: HashSet<MatchId> = unreadable.iter().map(|it| it.match_id).collect();
        for (&match_id, &first) in firsts.iter().filter(|it| !has_failed.contains(it.0)) {
            let Some(state) = self.matches.get_mut(&match_id) else {
                unreadable.push(Unreadable::of_unknown_game(match_id));
                continue;
            };
            if state.is_reduced {
                continue;
            }
            let is_earlier = |entry: &Recorded| entry.position < first;
            if let Err(source) = state.read(store, is_earlier).await? {
                self.matches.remove(&match_id);
                unreadable.push(source);
            }
        }
        Ok(unreadable)
    }

    /// Completes those of these matches of which only the result is kept.
    async fn complete_reduced(
        &mut self,
        store: &Store,
        match_ids: &[MatchId],
        unreadable: &mut Vec<Unreadable>,
    ) -> Result<(), Error> {
        let is_reduced = |it: &MatchState| it.row.last.as_ref().is_some_and(Recorded::is_stub);
        let reduced: Vec<MatchId> = (match_ids.iter().copied())
            .filter(|match_id| self.matches.get(match_id).is_some_and(is_reduced))
            .collect();
        let mut kept = store.kept_results(&reduced).await?;
        for match_id in reduced {
            let Some(mut state) = self.matches.remove(&match_id) else { continue };
            match state.complete(kept.remove(&match_id)) {
                Ok(()) => drop(self.matches.insert(match_id, state)),
                Err(source) => unreadable.push(source),
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

impl MatchState {
    pub fn bucket(&self) -> Bucket {
        Bucket::of(self.row.match_id)
    }

    /// The match before its first entry; none if its game is unknown.
    pub fn new(row: MatchRow) -> Option<MatchState> {
        let game = games::find(&row.game)?;
        let seats = row.seats.try_into().ok()?;
        Some(MatchState {
            game,
            table: Table::new(game.layout(), seats, Viewer::House),
            clocks: clocks_of(&row.options, seats),
            position: Position::START,
            start_time: row.create_time,
            update_time: row.create_time,
            is_reduced: false,
            page: 0,
            row: MatchRow { seated: Vec::new(), ..row },
        })
    }

    /// When the time of a seat runs out; none if no clock runs.
    pub fn deadline(&self) -> Option<OffsetDateTime> {
        Some(self.clocks.as_ref()?.next()?.0)
    }

    /// Makes it the match after its last entry, as far as it is kept.
    pub fn complete(&mut self, kept: Option<KeptResult>) -> Result<(), Unreadable> {
        let (match_id, position) = (self.row.match_id, Position::START.next());
        let unreadable = |reason: String| Unreadable { match_id, position, reason };
        let kept = kept.ok_or_else(|| unreadable(MISSING.to_owned()))?;
        let seats = self.table.seat_count() as u8;
        let table = Table::decode_kept(&kept.table, self.game.layout(), seats);
        self.table = table.map_err(|source| unreadable(source.to_string()))?;
        self.clocks = None;
        self.position = kept.position;
        (self.start_time, self.update_time) = (kept.start_time, kept.end_time);
        self.is_reduced = true;
        Ok(())
    }

    /// Applies the recorded entries after this state's position, as long as they pass `until`.
    pub async fn read(
        &mut self,
        store: &Store,
        until: impl Fn(&Recorded) -> bool,
    ) -> Result<Result<(), Unreadable>, Error> {
        loop {
            let page = store.entries(self.row.match_id, self.position, PAGE).await?;
            let applied = page.iter().take_while(|it| until(it)).try_for_each(|it| self.apply(it));
            if applied.is_err() || page.len() < PAGE as usize || !page.last().is_some_and(&until) {
                return Ok(applied);
            }
        }
    }

    fn apply(&mut self, recorded: &Recorded) -> Result<(), Unreadable> {
        let match_id = self.row.match_id;
        let next = self.position.next();
        if self.is_reduced && recorded.position <= self.position {
            return Ok(());
        }
        if recorded.position != next {
            return Err(Unreadable { match_id, position: next, reason: MISSING.to_owned() });
        }
        let entry = Entry::decode(&recorded.body, self.game.layout());
        let entry = entry.map_err(|source| Unreadable {
            match_id,
            position: next,
            reason: source.to_string(),
        })?;
        self.table.apply(&entry);
        if let Some(clocks) = &mut self.clocks {
            clocks.apply(&entry, recorded.create_time, &self.table);
        }
        if self.position == Position::START {
            self.start_time = recorded.create_time;
        }
        (self.position, self.update_time) = (recorded.position, recorded.create_time);
        Ok(())
    }

    /// A match of three players after these events.
    #[cfg(test)]
    pub fn sample(game: &str, reveal_wait_s: Option<i64>, events: Vec<table::Event>) -> MatchState {
        let row = MatchRow {
            match_id: MatchId(sqlx::types::Uuid::from_u128(7)),
            platform: "ours".to_owned(),
            game: game.to_owned(),
            seats: 3,
            options: "{}".to_owned(),
            request_digest: Vec::new(),
            seed_commitment: Vec::new(),
            reveal_wait_s,
            follows: None,
            next: None,
            is_in_lobby: false,
            create_time: OffsetDateTime::UNIX_EPOCH,
            seated: Vec::new(),
            last: None,
        };
        let mut state = MatchState::new(row).unwrap();
        state.table.apply(&Entry {
            rules: 1,
            choices: Vec::new(),
            seat: None,
            verb: table::OPEN,
            action: None,
            events,
            prompts: Vec::new(),
        });
        state
    }
}

/// The clocks of a match with these options, before it is dealt.
fn clocks_of(options: &str, seats: u8) -> Option<Clocks> {
    // Most matches have none.
    let options = options.contains(table::TIME_CONTROL).then(|| serde_json::from_str(options))?;
    Clocks::of(&options.ok()?, seats)
}

#[cfg(test)]
mod tests {
    use sqlx::types::Uuid;

    use super::*;

    #[test]
    fn too_many_matches_go_by_recency() {
        let mut cache = MatchCache::default();
        // Two of each page.
        for number in 0..10 {
            let mut state = MatchState::sample("mountebank", None, Vec::new());
            state.page = number / 2;
            cache.matches.insert(MatchId(Uuid::from_u128(number.into())), state);
        }
        cache.keep_most_recent(10);
        assert_eq!(cache.matches.len(), 10);
        cache.keep_most_recent(5);
        let mut pages: Vec<u64> = cache.matches.values().map(|state| state.page).collect();
        pages.sort_unstable();
        assert_eq!(pages, [3, 3, 4, 4]);
    }
}
