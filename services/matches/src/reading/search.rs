//! Searching the entries of a platform.
//!
//! Events are not indexed. A search reads the platform's matches, newest first, and redacts entries
//! for its viewer (a spectator, or the house once a match is revealed) before it compares them, so
//! it reveals no more than reading does. The work for one page is bounded: a page may be short or
//! empty without being the last.
//!
//! See `docs/decisions/0040-entries-are-not-indexed-by-content.md`.

use std::sync::Arc;

use games::Game;
use positions::{Position, Recorded};
use projector::{ConsistencyToken, Filter, Model};
use records::{Checked, Digests};
use rows::{MatchId, MatchRow, RecordedEntry, RedactedEntry, Seed, is_revealed, speech_keys_of};
use table::{Entry, Event, Face, OfferItem, Piece, Seat, Small, SpeechKeys, Viewer};
use time::OffsetDateTime;

use crate::access::{Caller, Lane};
use crate::error::Error;
use crate::live::PAGE_MAX;
use crate::matches::Matches;

/// The filter of a search. Fields are combined with AND; a field that is `None` is ignored.
#[derive(Clone, Debug)]
pub struct Search {
    pub game: &'static dyn Game,
    /// The player who acted.
    pub player: Option<String>,
    pub verb: Option<String>,
    /// A piece that an event names.
    pub piece: Option<Piece>,
    /// The round in which the action was taken.
    pub round: Option<u32>,
    /// An announcement, by its whole name, such as `con/suns`, or by the first part of it.
    pub announcement: Option<String>,
    /// The minimum and maximum of the announced value.
    pub value_min: Option<i32>,
    pub value_max: Option<i32>,
}

/// The end of a page: the match, by its place in the list of matches, and the last entry searched.
pub type SearchCursor = (OffsetDateTime, MatchId, Position);

pub struct SearchPage {
    pub entries: Vec<RedactedEntry>,
    /// Matches of this page that cannot be read. Some or all of their entries are missing.
    pub unreadable: Vec<MatchId>,
    /// Where the next page begins, if there is one.
    pub next: Option<SearchCursor>,
}

/// Entries read for one page: some tenths of a second's work.
const READ_MAX: usize = 20_000;

/// Matches listed at a time.
const MATCHES_MAX: usize = 50;

/// After every entry of a match.
const END: Position = Position(i64::MAX);

impl Matches {
    /// A platform's entries that a search selects: newest match first, each match in order.
    pub async fn search(
        &self,
        caller: &Caller,
        search: Search,
        consistency_token: Option<ConsistencyToken>,
        after: Option<SearchCursor>,
        limit: usize,
    ) -> Result<SearchPage, Error> {
        let (platform, search) = (caller.platform()?, &Arc::new(search));
        self.wait_for_model(caller, Model::Matches, consistency_token).await?;
        let filter = Filter {
            game: Some(search.game.name().to_owned()),
            player: search.player.clone(),
            ..Filter::default()
        };
        let mut page = Page { entries: Vec::new(), unreadable: Vec::new(), limit, read: 0 };
        let mut at = after;
        if let Some((create_time, match_id, position)) = at.filter(|(.., at)| *at != END) {
            let row = self.in_lane(Lane::Lists, platform, self.0.store.find(platform, match_id));
            let row = row.await?.filter(|row| row.game == search.game.name());
            let position = match row {
                // It was deleted since.
                None => END,
                Some(row) => {
                    let seeds = async { self.0.store.seeds(&[match_id]).await };
                    let seeds = self.in_lane(Lane::Lists, platform, seeds).await?;
                    let seed = seeds.get(&match_id);
                    self.search_match(search, &row, seed, position, &mut page).await?
                }
            };
            at = Some((create_time, match_id, position));
        }
        while !page.is_full() {
            let after = at.map(|(create_time, match_id, _)| (create_time, match_id));
            let found = self.0.projector.find(platform, &filter, after, MATCHES_MAX);
            let found = self.in_lane(Lane::Lists, platform, found).await?.whole()?;
            if found.is_empty() {
                return Ok(page.ending(None));
            }
            let ids: Vec<MatchId> = found.iter().map(|found| found.match_id).collect();
            let store = &self.0.store;
            let reading = async {
                Ok::<_, database::Error>((store.find_all(&ids).await?, store.seeds(&ids).await?))
            };
            let (rows, seeds) = self.in_lane(Lane::Lists, platform, reading).await?;
            // `find_all` keeps the order of `ids`.
            for row in rows {
                let seed = seeds.get(&row.match_id);
                let searching = self.search_match(search, &row, seed, Position::START, &mut page);
                let position = searching.await?;
                at = Some((row.create_time, row.match_id, position));
                if page.is_full() {
                    break;
                }
            }
        }
        Ok(page.ending(at))
    }

    /// Searches a match's entries after a position, and returns the last position searched. A match
    /// that cannot be read or was altered is listed as unreadable.
    async fn search_match(
        &self,
        search: &Arc<Search>,
        row: &MatchRow,
        seed: Option<&Seed>,
        after: Position,
        page: &mut Page,
    ) -> Result<Position, Error> {
        let is_stub = row.last.as_ref().is_some_and(Recorded::is_stub);
        let searched = match self.try_search_match(search, row, seed, after, page).await {
            // No entries are kept that could be found.
            Err(Error::HistoryNotKept) if is_stub && seed.is_none() => Ok(END),
            // The match was reduced to its result just now, or altered.
            Err(Error::HistoryNotKept) => {
                Box::pin(self.0.live.load(&row.platform, row.match_id)).await.map(|_| END)
            }
            searched => searched,
        };
        match searched {
            Err(
                error @ (Error::MatchUnreadable { .. }
                | Error::RecordAltered { .. }
                | Error::ArchiveNotGiven
                | Error::ArchiveUnavailable
                | Error::ArchiveDamaged),
            ) => {
                self.0.live.pages.tell_if_altered(row.match_id, &error);
                page.unreadable.push(row.match_id);
                Ok(END)
            }
            searched => searched,
        }
    }

    async fn try_search_match(
        &self,
        search: &Arc<Search>,
        row: &MatchRow,
        seed: Option<&Seed>,
        after: Position,
        page: &mut Page,
    ) -> Result<Position, Error> {
        let Some(search) = MatchSearch::new(search, row, self.now())? else { return Ok(END) };
        // Rounds are counted from the start, so entries at or before `after` are read, too.
        let seed = seed.ok_or(Error::HistoryNotKept)?;
        let digests = Digests::new(row, seed)?;
        let mut reading =
            Reading { search, keys: speech_keys_of(row), at: digests.start(), digests, round: 0 };
        let (platform, pages) = (&row.platform, &self.0.live.pages);
        // A match that is longer by now is read to the end that it had.
        let last = row.last.as_ref().map_or(Position::START, |last| last.position);
        loop {
            let left = usize::try_from(last.0 - reading.at.position.0).unwrap_or(0);
            let rows = pages.rows(platform, row.match_id, reading.at.position, left.min(PAGE_MAX));
            let rows = if left == 0 { Vec::new() } else { rows.await? };
            let (count, room) = (rows.len(), page.limit - page.entries.len());
            page.read += count;
            let reading_on = pages.work(platform, count, move || reading.page(&rows, after, room));
            let (read_on, found, end) = reading_on.await??;
            page.entries.extend(found);
            match end {
                Some(end) => return Ok(end),
                None if count < PAGE_MAX => return Ok(END),
                None => reading = read_on,
            }
        }
    }
}

/// The reading of a match for a search, page by page.
struct Reading {
    search: MatchSearch,
    keys: SpeechKeys,
    digests: Digests,
    at: Checked,
    round: u32,
}

impl Reading {
    /// Searches a page. Returns what was found after a position, and where the search ended if
    /// there was no room for more.
    fn page(
        mut self,
        rows: &[Recorded],
        after: Position,
        room: usize,
    ) -> Result<(Reading, Vec<RedactedEntry>, Option<Position>), rows::Error> {
        let mut found = Vec::new();
        for row in rows {
            let recorded = self.digests.next(&mut self.at, row, self.search.search.game)?;
            let recorded = recorded.opened(&self.keys)?;
            let redacted = self.search.redact(&recorded);
            let at = recorded.position;
            if at > after && self.search.selects(&redacted.entry, self.round) {
                found.push(redacted);
                if found.len() == room {
                    return Ok((self, found, Some(at)));
                }
            }
            self.round = recorded.entry.round_begun().map_or(self.round, u32::from);
        }
        Ok((self, found, None))
    }
}

struct Page {
    entries: Vec<RedactedEntry>,
    unreadable: Vec<MatchId>,
    limit: usize,
    read: usize,
}

impl Page {
    fn ending(self, next: Option<SearchCursor>) -> SearchPage {
        SearchPage { entries: self.entries, unreadable: self.unreadable, next }
    }

    fn is_full(&self) -> bool {
        self.entries.len() >= self.limit || self.read >= READ_MAX
    }
}

/// A search of one match.
struct MatchSearch {
    search: Arc<Search>,
    match_id: MatchId,
    viewer: Viewer,
    /// The seat of the player searched for.
    seat: Option<Seat>,
}

impl MatchSearch {
    /// Returns `None` if the match is not dealt yet, or if the player searched for has no seat in
    /// it.
    fn new(
        search: &Arc<Search>,
        row: &MatchRow,
        now: OffsetDateTime,
    ) -> Result<Option<MatchSearch>, Error> {
        let Some(last) = &row.last else { return Ok(None) };
        let last = RecordedEntry::decode(last, search.game)?;
        let is_revealed_at = |end| is_revealed(row.terms.reveal_wait_s, end, now);
        let is_revealed = last.end_time().is_some_and(is_revealed_at);
        let viewer = if is_revealed { Viewer::House } else { Viewer::Spectator };
        let (match_id, search) = (row.match_id, search.clone());
        let Some(player) = &search.player else {
            return Ok(Some(MatchSearch { search, match_id, viewer, seat: None }));
        };
        let seated = row.seated.iter().find(|seated| seated.player == *player);
        let seat = seated.and_then(|seated| Seat::nth(usize::try_from(seated.seat).ok()?));
        Ok(seat.map(|seat| MatchSearch { search, match_id, viewer, seat: Some(seat) }))
    }

    fn redact(&self, recorded: &RecordedEntry) -> RedactedEntry {
        RedactedEntry::redact(self.match_id, self.search.game, recorded, self.viewer)
    }

    /// Whether the search selects an entry, given its redacted form.
    fn selects(&self, redacted: &Entry, round: u32) -> bool {
        let search = &self.search;
        let some_event = |selects: &dyn Fn(&Event) -> bool| redacted.events.iter().any(selects);
        self.seat.is_none_or(|seat| redacted.seat == Some(seat))
            && search.verb.as_ref().is_none_or(|verb| redacted.verb == verb)
            && search.round.is_none_or(|searched| searched == round)
            && search.piece.is_none_or(|piece| some_event(&|event| names_piece(event, piece)))
            && (!search.has_announcement() || some_event(&|event| search.selects_announced(event)))
    }
}

impl Search {
    fn has_announcement(&self) -> bool {
        self.announcement.is_some() || self.value_min.is_some() || self.value_max.is_some()
    }

    fn selects_announced(&self, event: &Event) -> bool {
        let Event::Announced { announcement, value, .. } = *event else { return false };
        let name = self.game.layout().announcement_name(announcement);
        let is_named = |searched: &String| {
            name == searched || name.split_once('/').is_some_and(|(first, _)| first == searched)
        };
        self.announcement.as_ref().is_none_or(is_named)
            && self.value_min.is_none_or(|min| i32::from(value) >= min)
            && self.value_max.is_none_or(|max| i32::from(value) <= max)
    }
}

/// Whether a redacted event names a piece.
fn names_piece(event: &Event, piece: Piece) -> bool {
    let is_of = |item: &OfferItem| match item {
        OfferItem::Piece { piece: offered, .. } => *offered == piece,
        OfferItem::Coins { .. } => false,
    };
    match event {
        Event::Moved { what, .. } | Event::Shown { what, .. } => *what == Face::Up(piece),
        Event::Offered(offer) => offer.give.iter().chain(&offer.take).any(is_of),
        Event::Gathered { .. }
        | Event::Paid { .. }
        | Event::Marked { .. }
        | Event::Rolled { .. }
        | Event::Announced { .. }
        | Event::Said { .. }
        | Event::Stood { .. }
        | Event::Contributed(_)
        | Event::RoundBegan(_)
        | Event::PhaseBegan(_)
        | Event::TurnBegan(_)
        | Event::OfferClosed { .. }
        | Event::Scored { .. }
        | Event::Resigned { .. }
        | Event::TimedOut { .. }
        | Event::TimeAdded { .. }
        | Event::Ended { .. }
        | Event::TookBack { .. }
        | Event::Voted { .. }
        | Event::Paused { .. }
        | Event::Resumed { .. }
        | Event::Abandoned
        | Event::Replaced { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use rows::{SeatRow, Terms};

    use super::*;
    use crate::fixtures::{GAME, Played};

    fn all() -> Search {
        Search {
            game: games::find(GAME).expect("the registry lists it"),
            player: None,
            verb: None,
            piece: None,
            round: None,
            announcement: None,
            value_min: None,
            value_max: None,
        }
    }

    fn in_match(search: &Search, row: &MatchRow) -> Option<MatchSearch> {
        let now = OffsetDateTime::UNIX_EPOCH + time::Duration::days(1);
        MatchSearch::new(&Arc::new(search.clone()), row, now).expect("the row is valid")
    }

    #[test]
    fn a_match_is_searched_as_a_spectator_until_it_is_revealed() {
        let (played, all) = (Played::new(), all());
        let viewer = |row: &MatchRow| in_match(&all, row).map(|search| search.viewer);
        assert_eq!(viewer(&MatchRow { last: None, ..played.row_at(1) }), None);
        assert_eq!(viewer(&played.row_at(played.last() - 1)), Some(Viewer::Spectator));
        let ended = played.row_at(played.last());
        assert_eq!(viewer(&ended), Some(Viewer::House));
        let terms = Terms { reveal_wait_s: None, ..ended.terms.clone() };
        assert_eq!(viewer(&MatchRow { terms, ..ended }), Some(Viewer::Spectator));
    }

    #[test]
    fn a_player_selects_the_entries_of_their_seat() {
        let played = Played::new();
        let row = played.row_at(played.last());
        let search = Search { player: Some("player-1".to_owned()), ..all() };
        let search = in_match(&search, &row).expect("the player has a seat");
        let steps = &played.playout.steps;
        for step in steps {
            assert_eq!(search.selects(&step.entry, 1), u8::from(step.seat) == 1);
        }
        let others: Vec<SeatRow> = row.seated.iter().filter(|it| it.seat != 1).cloned().collect();
        let search = Search { player: Some("player-1".to_owned()), ..all() };
        assert!(in_match(&search, &MatchRow { seated: others, ..row }).is_none());
    }

    #[test]
    fn every_field_narrows_a_search() {
        let played = Played::new();
        let row = played.row_at(played.last());
        let count = |search: Search| {
            let search = in_match(&search, &row).expect("it is dealt");
            let entries = played.entries();
            entries.iter().filter(|entry| search.selects(entry, 1)).count()
        };
        let every = played.entries().len();
        assert_eq!(count(all()), every);
        assert_eq!(count(Search { round: Some(1), ..all() }), every);
        assert_eq!(count(Search { round: Some(2), ..all() }), 0);
        let verb = played.playout.steps[0].entry.verb;
        let of_verb = played.entries().iter().filter(|entry| entry.verb == verb).count();
        assert_eq!(count(Search { verb: Some(verb.to_owned()), ..all() }), of_verb);
        assert!(of_verb < every);
        let cons = count(Search { announcement: Some("con".to_owned()), ..all() });
        assert!((1..every).contains(&cons), "the match has {cons} cons");
        let con = |value_min, value_max| {
            let announcement = Some("con".to_owned());
            count(Search { announcement, value_min, value_max, ..all() })
        };
        assert_eq!(con(Some(i32::MIN), Some(i32::MAX)), cons);
        assert_eq!(con(Some(i32::MAX), None) + con(None, Some(i32::MIN)), 0);
        assert_eq!(count(Search { announcement: Some("co".to_owned()), ..all() }), 0);
    }

    #[test]
    fn a_piece_selects_only_entries_that_show_it_to_the_viewer() {
        let played = Played::new();
        let game = all().game;
        let hidden = played.entries().into_iter().find_map(|entry| {
            entry.events.iter().find_map(|event| match event {
                Event::Moved { what: Face::Up(piece), .. } => {
                    let redacted = event.seen_by(Viewer::Spectator, game.layout());
                    let is_hidden = !names_piece(&redacted, *piece);
                    is_hidden.then_some((*piece, entry))
                }
                _ => None,
            })
        });
        let (piece, entry) = hidden.expect("cards are drawn in secret");
        let search = Search { piece: Some(piece), ..all() };
        let recorded = RecordedEntry { entry: entry.clone(), ..played.recorded(1) };
        let selects = |position| {
            let search = in_match(&search, &played.row_at(position)).expect("it is dealt");
            search.selects(&search.redact(&recorded).entry, 0)
        };
        assert!(!selects(played.last() - 1), "a spectator does not see it");
        assert!(selects(played.last()), "once revealed, everyone does");
    }
}
