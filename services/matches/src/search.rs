//! Searching entries: what a reader could find by reading every match.
//!
//! There is no index of what entries say. A search reads the matches in question, newest first,
//! with the eyes of a reader (a spectator's, or the house's once a match is revealed), and looks at
//! nothing but what these eyes see. So it can never tell more than reading does. How much it reads
//! for a page is bounded; a page may be short, or empty, and still not be the last.

use games::Game;
use projector::{Filter, Model};
use store::{MatchId, MatchRow, Position};
use table::{Entry, Event, Face, OfferItem, Piece, Seat, Small, Viewer};
use time::OffsetDateTime;

use crate::live::PAGE_MAX;
use crate::rows::RecordedEntry;
use crate::{Caller, ConsistencyToken, Error, Matches, RedactedEntry, reveal};

/// What to look for; what is none is not asked about.
#[derive(Clone, Debug)]
pub struct Search {
    pub game: &'static dyn Game,
    /// Who acted.
    pub player: Option<String>,
    pub verb: Option<String>,
    /// A piece that an event names.
    pub piece: Option<Piece>,
    /// The round in which the action was taken.
    pub round: Option<u32>,
    /// What was told: the whole name, such as `con/suns`, or its first part.
    pub announcement: Option<String>,
    /// The value that was told.
    pub value_min: Option<i32>,
    pub value_max: Option<i32>,
}

/// Where a page ended: the match, by which it is listed, and the last entry looked at.
pub type SearchCursor = (OffsetDateTime, MatchId, Position);

pub struct SearchPage {
    pub entries: Vec<RedactedEntry>,
    /// Where the next page begins, if there is one.
    pub next: Option<SearchCursor>,
}

/// Entries read for a page: some tenths of a second.
const READ_MAX: usize = 20_000;

/// Matches listed at a time.
const MATCHES_MAX: usize = 50;

/// After every entry of a match.
const END: Position = Position(i64::MAX);

impl Matches {
    /// A platform's entries that a search asks for, of the newest match first, in each match in
    /// order.
    pub async fn search(
        &self,
        caller: &Caller,
        search: &Search,
        consistency_token: Option<ConsistencyToken>,
        after: Option<SearchCursor>,
        limit: usize,
    ) -> Result<SearchPage, Error> {
        let platform = caller.platform()?;
        self.wait_for(caller, Model::Matches, consistency_token).await?;
        let filter = Filter {
            game: Some(search.game.name().to_owned()),
            player: search.player.clone(),
            ..Filter::default()
        };
        let mut page = Page { entries: Vec::new(), limit, read: 0 };
        let mut at = after;
        if let Some((create_time, match_id, position)) = at.filter(|(_, _, it)| *it != END) {
            let row = self.0.store.find(platform, match_id).await?.ok_or(Error::NoSuchMatch)?;
            let position = self.search_match(search, &row, position, &mut page).await?;
            at = Some((create_time, match_id, position));
        }
        while !page.is_full() {
            let after = at.map(|(create_time, match_id, _)| (create_time, match_id));
            let found = self.0.projector.find(platform, &filter, after, MATCHES_MAX).await?;
            if found.is_empty() {
                return Ok(SearchPage { entries: page.entries, next: None });
            }
            let ids: Vec<MatchId> = found.iter().map(|found| found.match_id).collect();
            // They come in the order in which they were found.
            for row in self.0.store.find_all(&ids).await? {
                let position = self.search_match(search, &row, Position::START, &mut page).await?;
                at = Some((row.create_time, row.match_id, position));
                if page.is_full() {
                    break;
                }
            }
        }
        Ok(SearchPage { entries: page.entries, next: at })
    }

    /// Looks at a match's entries after a position; returns how far it looked.
    async fn search_match(
        &self,
        search: &Search,
        row: &MatchRow,
        after: Position,
        page: &mut Page,
    ) -> Result<Position, Error> {
        let Some(looker) = Looker::of(search, row)? else { return Ok(END) };
        let (mut at, mut round) = (Position::START, 0);
        loop {
            let rows = self.0.store.entries(row.match_id, at, PAGE_MAX as i64).await?;
            page.read += rows.len();
            for recorded in &rows {
                let placed = RecordedEntry::decode(recorded, search.game)?;
                let redacted = placed.entry.seen_by(looker.viewer, search.game.layout());
                at = placed.position;
                if at > after && looker.wants(&redacted, round) {
                    page.entries.push(RedactedEntry {
                        match_id: row.match_id,
                        game: search.game,
                        position: placed.position,
                        create_time: placed.create_time,
                        entry: redacted,
                    });
                    if page.entries.len() == page.limit {
                        return Ok(at);
                    }
                }
                round = round_after(&placed.entry).unwrap_or(round);
            }
            if rows.len() < PAGE_MAX {
                return Ok(END);
            }
        }
    }
}

struct Page {
    entries: Vec<RedactedEntry>,
    limit: usize,
    read: usize,
}

impl Page {
    fn is_full(&self) -> bool {
        self.entries.len() >= self.limit || self.read >= READ_MAX
    }
}

fn round_after(entry: &Entry) -> Option<u32> {
    let mut rounds = entry.events.iter().filter_map(|event| match event {
        Event::RoundBegan(round) => Some(u32::from(*round)),
        _ => None,
    });
    rounds.next_back()
}

/// Who looks at a match's entries, and for what.
struct Looker<'a> {
    search: &'a Search,
    viewer: Viewer,
    /// The seat of the player who is looked for.
    seat: Option<Seat>,
}

impl<'a> Looker<'a> {
    /// None if the player who is looked for does not sit there, or if nothing was dealt yet.
    fn of(search: &'a Search, row: &MatchRow) -> Result<Option<Looker<'a>>, Error> {
        let Some(last) = &row.last else { return Ok(None) };
        let last = RecordedEntry::decode(last, search.game)?;
        let is_revealed = reveal::check(row.reveal_wait_s, last.end_time()).is_ok();
        let viewer = if is_revealed { Viewer::House } else { Viewer::Spectator };
        let Some(player) = &search.player else {
            return Ok(Some(Looker { search, viewer, seat: None }));
        };
        let seated = row.seated.iter().find(|seated| seated.player == *player);
        let seat = seated.and_then(|seated| Seat::nth(usize::try_from(seated.seat).ok()?));
        Ok(seat.map(|seat| Looker { search, viewer, seat: Some(seat) }))
    }

    /// Whether an entry, as these eyes see it, is looked for.
    fn wants(&self, entry: &Entry, round: u32) -> bool {
        let Search { verb, piece, round: wanted_round, .. } = self.search;
        let redacted = self.search.filters_announcements();
        self.seat.is_none_or(|seat| entry.seat == Some(seat))
            && verb.as_ref().is_none_or(|verb| entry.verb == verb)
            && wanted_round.is_none_or(|wanted| wanted == round)
            && piece.is_none_or(|piece| entry.events.iter().any(|event| names(event, piece)))
            && (!redacted || entry.events.iter().any(|event| self.search.announced(event)))
    }
}

impl Search {
    fn filters_announcements(&self) -> bool {
        self.announcement.is_some() || self.value_min.is_some() || self.value_max.is_some()
    }

    fn announced(&self, event: &Event) -> bool {
        let Event::Announced { announcement, value, .. } = *event else { return false };
        let name = self.game.layout().announcement_name(announcement);
        let is_called = |wanted: &String| {
            name == wanted || name.split_once('/').is_some_and(|(first, _)| first == wanted)
        };
        self.announcement.as_ref().is_none_or(is_called)
            && self.value_min.is_none_or(|min| i32::from(value) >= min)
            && self.value_max.is_none_or(|max| i32::from(value) <= max)
    }
}

/// Whether an event names a piece to whoever reads it.
fn names(event: &Event, piece: Piece) -> bool {
    let of_term =
        |term: &OfferItem| matches!(term, OfferItem::Piece { piece: it, .. } if *it == piece);
    match event {
        Event::Moved { what, .. } | Event::Shown { what, .. } => *what == Face::Up(piece),
        Event::Offered(offer) => offer.give.iter().chain(&offer.take).any(of_term),
        _ => false,
    }
}
