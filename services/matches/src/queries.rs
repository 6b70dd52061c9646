//! Queries about a match: its summary, a seat's legal actions, the table as a viewer sees it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use clocks::{Clocks, TimeControl};
use futures::StreamExt;
use games::{Game, Legal, LegalKind};
use projector::{Cursor, Filter, FoundMatch, Model, State};
use store::{MatchId, MatchRow, OfNodes, Position, Recorded, SNAPSHOT_INTERVAL, Tags};
use table::{
    ActionFilter, Contribution, Entry, Layout, Motion, Seat, Seats, Set, Small, Table, Viewer,
    top_layer,
};
use time::OffsetDateTime;

use crate::budgets::Lane;
use crate::live::{LiveMatch, PAGE_MAX};
use crate::rows::{
    RecordedEntry, SeatedPlayer, contributions_of, game_of, options_of, players_of, seats_of,
};
use crate::tags::check_tags;
use crate::{
    Caller, ConsistencyToken, Error, Matches, RequestedViewer, Reveal, Series, now, reveal,
};

/// Matches loaded at once for one list: as many as one query reads.
const LOADS_MAX: usize = 64;

/// The public state of a match.
#[derive(Clone, Debug)]
pub struct Summary {
    pub match_id: MatchId,
    pub game: String,
    pub state: State,
    /// By seat; none where a seat is open.
    pub players: Vec<Option<SeatedPlayer>>,
    pub options: BTreeMap<String, String>,
    pub position: Position,
    pub create_time: OffsetDateTime,
    pub update_time: Option<OffsetDateTime>,
    pub waiting_for: Vec<Seat>,
    /// None before the deal.
    pub round: Option<u8>,
    pub turn: Option<Seat>,
    pub scores: Vec<i32>,
    /// None in a match without clocks, and before the deal.
    pub clocks: Option<Clocks>,
    pub winners: Vec<Seat>,
    /// Empty for callers other than the platform.
    pub tags: Tags,
    pub seed_commitment: Vec<u8>,
    /// What the seats contributed to the chance of the match; none before the deal.
    pub contributions: Vec<Contribution>,
    /// Only once the match is revealed.
    pub seed: Option<[u8; 32]>,
    pub reveal: Reveal,
    pub previous: Option<MatchId>,
    pub next: Option<MatchId>,
    /// The score of its series, as if there were one.
    pub series: Series,
    /// This release cannot read the match, so what its entries tell is as the read model last knew
    /// it.
    pub is_unreadable: bool,
    pub is_paused: bool,
    /// Whether players find it and may join it.
    pub is_in_lobby: bool,
    /// Of seats, for what has not happened yet.
    pub votes: Vec<(Seat, Motion)>,
}

impl Summary {
    fn is_revealed(&self) -> bool {
        let end = self.update_time.filter(|_| self.state == State::Ended);
        !self.is_unreadable && reveal::check(self.reveal.wait_s(), end).is_ok()
    }
}

pub struct SummaryPage {
    pub summaries: Vec<Summary>,
    /// Where the next page begins, if there is one.
    pub next: Option<Cursor>,
    /// How many buckets are missing, because their nodes of the database are away.
    pub unreachable: usize,
}

pub struct LegalActions {
    pub game: &'static dyn Game,
    pub seat: Seat,
    pub position: Position,
    pub actions: Vec<Legal>,
    pub kinds: Vec<LegalKind>,
}

/// Which legal actions to list, by public names: those that pass every part.
#[derive(Clone, Debug, Default)]
pub struct LegalFilter {
    /// The kind of action.
    pub verb: Option<String>,
    /// The pieces that an action names, all of them.
    pub pieces: Vec<String>,
}

/// The most pieces that one filter names: more than any action does.
const FILTER_PIECES_MAX: usize = 16;

impl LegalFilter {
    fn of_layout(&self, layout: &Layout) -> Result<ActionFilter, Error> {
        if self.pieces.len() > FILTER_PIECES_MAX {
            return Err(Error::invalid(
                "pieces",
                format!("a filter names {FILTER_PIECES_MAX} pieces at most"),
            ));
        }
        let mut pieces = Set::EMPTY;
        for name in &self.pieces {
            let piece = layout.piece_named(name);
            pieces.add(
                piece.ok_or_else(|| {
                    Error::invalid("pieces", format!("there is no piece {name:?}"))
                })?,
            );
        }
        if let Some(verb) = self.verb.as_ref().filter(|verb| layout.verb(verb).is_none()) {
            return Err(Error::invalid("verb", format!("the game has no verb {verb:?}")));
        }
        Ok(ActionFilter { verb: self.verb.clone(), pieces })
    }
}

/// The state of a match to read.
#[derive(Clone, Copy, Debug)]
pub enum AsOf {
    Latest,
    /// After the entry at this position.
    Position(Position),
    /// After every entry accepted by this time.
    Time(OffsetDateTime),
}

/// Where the entries of a match are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Record,
    /// The database is unavailable.
    Memory,
}

pub struct View {
    pub match_id: MatchId,
    pub game: &'static dyn Game,
    pub viewer: Viewer,
    pub position: Position,
    pub table: Table,
    /// Of a table of now, in a match with clocks.
    pub clocks: Option<Arc<Clocks>>,
}

impl Matches {
    pub async fn get(&self, caller: &Caller, match_id: MatchId) -> Result<Summary, Error> {
        let live = self.live_or_open(caller, match_id).await?;
        self.refresh_or_stale(&live).await?;
        self.summary_with_tags(caller, &live).await
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
        // The read model found them as they were a moment ago.
        summaries.retain(|it| filter.state.is_none_or(|state| it.state == state));
        if let Some(player) = &filter.waiting_for {
            summaries
                .retain(|it| it.seat_of(player).is_some_and(|at| it.waiting_for.contains(&at)));
        }
        if caller.platform().is_err() {
            summaries.iter_mut().for_each(|it| it.tags = Tags::new());
        }
        Ok(SummaryPage { summaries, next, unreachable: away.len() })
    }

    /// The summary of each match found, equal to what [`Matches::get`] returns.
    async fn summaries(
        &self,
        caller: &Caller,
        found: Vec<FoundMatch>,
    ) -> Result<Vec<Summary>, Error> {
        let ids: Vec<MatchId> = found.iter().map(|found| found.match_id).collect();
        let store = &self.0.store;
        let reading =
            async { Ok::<_, store::Error>((store.find_all(&ids).await?, store.tags(&ids).await?)) };
        let (rows, mut tags) = self.in_lane(Lane::Lists, &caller.platform, reading).await?;
        let mut rows: HashMap<_, _> = rows.into_iter().map(|row| (row.match_id, row)).collect();
        // The read model is behind the log for a moment, at the busiest times for many matches.
        let is_behind = |found: &&FoundMatch| {
            let row = rows.get(&found.match_id);
            row.is_some_and(|row| {
                let last = row.last.as_ref();
                found.position != last.map(|last| last.position)
                    // The read model is older than the end of the match.
                    || last.is_some_and(Recorded::is_stub) && found.winners.is_none()
            })
        };
        let behind: Vec<MatchId> =
            found.iter().filter(is_behind).map(|found| found.match_id).collect();
        let mut behind = self.live_summaries(caller, behind).await;
        let mut summaries = Vec::new();
        for found in found {
            let Some(row) = rows.remove(&found.match_id) else { continue };
            let tags = tags.remove(&found.match_id).unwrap_or_default();
            let next = row.next;
            let summary = match behind.remove(&found.match_id) {
                Some(summary) => summary,
                None => summary_of_row(&row, &found),
            };
            let summary = match summary {
                Err(Error::MatchUnreadable { .. } | Error::RecordAltered { .. }) => {
                    summary_of_unreadable(row, found)
                }
                summary => summary?,
            };
            summaries.push(Summary { tags, next, ..summary });
        }
        let revealed = summaries.iter().filter(|summary| summary.is_revealed());
        let revealed: Vec<_> = revealed.map(|it| it.match_id).collect();
        let seeds = self.in_lane(Lane::Lists, &caller.platform, store.seeds(&revealed)).await?;
        summaries.iter_mut().for_each(|it| it.seed = seeds.get(&it.match_id).copied());
        Ok(summaries)
    }

    /// Summaries from the matches themselves. Those not in memory are loaded together: the store
    /// reads the matches of concurrent callers in one query.
    async fn live_summaries(
        &self,
        caller: &Caller,
        match_ids: Vec<MatchId>,
    ) -> HashMap<MatchId, Result<Summary, Error>> {
        let summary = async |match_id| {
            let live = self.live(caller, match_id).await?;
            self.refresh_or_stale(&live).await?;
            Ok(self.summary(&live))
        };
        let summaries = futures::stream::iter(match_ids);
        let summaries = summaries.map(async |match_id| (match_id, summary(match_id).await));
        summaries.buffer_unordered(LOADS_MAX).collect().await
    }

    /// What a seat may do, computed from that seat's own view.
    pub async fn legal(
        &self,
        caller: &Caller,
        match_id: MatchId,
        seat: Option<Seat>,
        filter: &LegalFilter,
    ) -> Result<LegalActions, Error> {
        let live = self.live(caller, match_id).await?;
        let seat = caller.acting_seat(&live, seat)?;
        let filter = filter.of_layout(live.game.layout())?;
        self.refresh_or_stale(&live).await?;
        let head = live.head();
        let table = head.table.ok_or(Error::NotStarted)?;
        let actions = live.game.list(&table.seen_by(Viewer::Seat(seat)), seat, &filter);
        let kinds = games::kinds_of(&actions);
        Ok(LegalActions { game: live.game, seat, position: head.position, actions, kinds })
    }

    /// The table as the viewer sees it.
    pub async fn view(
        &self,
        caller: &Caller,
        match_id: MatchId,
        requested: RequestedViewer,
        as_of: AsOf,
    ) -> Result<View, Error> {
        let live = self.live(caller, match_id).await?;
        let source = self.refresh_or_stale(&live).await?;
        let viewer = caller.viewer(&live, requested)?;
        self.view_at(&live, source, viewer, "position", as_of).await
    }

    /// The table as the viewer sees it, at two points.
    pub async fn views(
        &self,
        caller: &Caller,
        match_id: MatchId,
        requested: RequestedViewer,
        points: [AsOf; 2],
    ) -> Result<[View; 2], Error> {
        let live = self.live(caller, match_id).await?;
        let source = self.refresh_or_stale(&live).await?;
        let viewer = caller.viewer(&live, requested)?;
        let [from, to] = points;
        let from = self.view_at(&live, source, viewer, "from_position", from).await?;
        let to = self.view_at(&live, source, viewer, "to_position", to).await?;
        // Clocks are of now, and so no difference between the two.
        Ok([from, to].map(|view| View { clocks: None, ..view }))
    }

    /// `field` is the one of the request that holds the position.
    async fn view_at(
        &self,
        live: &LiveMatch,
        source: Source,
        viewer: Viewer,
        field: &'static str,
        as_of: AsOf,
    ) -> Result<View, Error> {
        let head = live.head();
        let table = head.table.ok_or(Error::NotStarted)?;
        let position = match as_of {
            AsOf::Latest => head.position,
            AsOf::Position(position) => position,
            AsOf::Time(time) => self.position_at(live, time).await?,
        };
        let table = match position {
            Position(..=0) => {
                return Err(Error::invalid(field, "positions are counted from 1"));
            }
            ahead if ahead > head.position => {
                return Err(Error::PositionAhead { position: head.position });
            }
            last if last == head.position => table,
            past => Arc::new(self.table_at(live, source, past).await?),
        };
        let is_now = position == head.position;
        Ok(View {
            match_id: live.id(),
            clocks: head.clocks.filter(|_| is_now),
            game: live.game,
            viewer,
            position,
            table: table.seen_by(viewer),
        })
    }

    /// The position of the last entry accepted by `time`.
    async fn position_at(&self, live: &LiveMatch, time: OffsetDateTime) -> Result<Position, Error> {
        let now = now();
        if time > now {
            return Err(Error::TimeAhead { now });
        }
        let first = self.0.store.first_after(live.id(), time);
        match self.in_lane(Lane::Lists, live.platform(), first).await? {
            None => Ok(live.position()),
            Some((Position(1), start)) => Err(Error::TimeBeforeStart { start }),
            // Entries accepted since this read began are later than `time`, too.
            Some((next, _)) => Ok(Position(next.0 - 1).min(live.position())),
        }
    }

    /// The table at an earlier position: a fold of the log, from the last snapshot before. Rules
    /// are not run again.
    pub(crate) async fn table_at(
        &self,
        live: &LiveMatch,
        source: Source,
        position: Position,
    ) -> Result<Table, Error> {
        let mut start = None;
        if position.0 >= SNAPSHOT_INTERVAL {
            let finding = live.snapshot_before(&self.0.store, position);
            start = self.in_lane(Lane::Lists, live.platform(), finding).await?;
        }
        if live.is_reduced() {
            return Err(Error::HistoryNotKept);
        }
        let (mut at, mut table) = match start {
            Some((snapshot, table)) => (snapshot.position, table),
            None => {
                let table = Table::new(live.game.layout(), live.seats(), Viewer::House);
                (Position::START, table)
            }
        };
        while at < position {
            let left = usize::try_from(position.0 - at.0).unwrap_or(PAGE_MAX).min(PAGE_MAX);
            let page = self.entries_of(live, source, at, left).await?;
            at = page.last().ok_or_else(|| Error::Internal("the log has a gap".into()))?.position;
            page.iter().for_each(|recorded| table.apply(&recorded.entry));
        }
        Ok(table)
    }

    /// Applies what other processes recorded. While the database is unavailable, a match in memory
    /// is served as it is.
    pub(crate) async fn refresh_or_stale(&self, live: &LiveMatch) -> Result<Source, Error> {
        match self.refresh(live).await {
            Err(Error::DatabaseUnavailable { .. }) if live.position() > Position::START => {
                Ok(Source::Memory)
            }
            other => other.map(|()| Source::Record),
        }
    }

    /// Applies what other processes recorded.
    pub(crate) async fn refresh(&self, live: &LiveMatch) -> Result<(), Error> {
        match live.refresh(&self.0.store).await {
            Ok(_) => Ok(()),
            Err(error) => Err(self.explain(live, error).await),
        }
    }

    /// What an error of reading a match in memory comes to. If the record differs from it, or lacks
    /// the content of entries, the record was altered, or it went back, or the match was reduced to
    /// its result: reading it whole tells.
    pub(crate) async fn explain(&self, live: &LiveMatch, error: Error) -> Error {
        let is_doubtful = match &error {
            Error::RecordWentBack { .. } => live.is_refuted(),
            Error::HistoryNotKept => !live.is_reduced(),
            _ => false,
        };
        if !is_doubtful {
            return error;
        }
        match Box::pin(self.load(live.platform(), live.id())).await {
            Err(altered @ Error::RecordAltered { .. }) => altered,
            _ => error,
        }
    }

    /// Up to `limit` entries after `after`. The past is read from the record even where it is in
    /// memory, so that an alteration is noticed.
    pub(crate) async fn entries_of(
        &self,
        live: &LiveMatch,
        source: Source,
        after: Position,
        limit: usize,
    ) -> Result<Vec<Arc<RecordedEntry>>, Error> {
        let page = match source {
            Source::Record => live.recorded_after(&self.0.store, after, limit).await,
            Source::Memory => live.entries_after(&self.0.store, after, limit).await,
        };
        match page {
            Err(error) => Err(self.explain(live, error).await),
            page => page,
        }
    }

    pub(crate) fn summary(&self, live: &LiveMatch) -> Summary {
        let head = live.head();
        let table = head.table.as_deref();
        let winners = table.and_then(Table::winners);
        let waits = table.filter(|table| !table.is_paused());
        let must = waits.into_iter().flat_map(|table| table.live().filter(|prompt| prompt.must));
        let follows = live.row().follows.as_ref();
        let state = state(table.is_some(), winners);
        let winners: Vec<Seat> = winners.map(|it| it.iter().collect()).unwrap_or_default();
        Summary {
            match_id: live.id(),
            game: live.game.name().to_owned(),
            state,
            players: live.players(),
            options: live.options.clone(),
            position: head.position,
            create_time: live.row().create_time,
            update_time: head.update_time,
            waiting_for: seats_once(must.map(|prompt| prompt.seat)),
            round: table.map(Table::round),
            turn: table.map(Table::turn),
            scores: table.map(|table| table.scores().to_vec()).unwrap_or_default(),
            clocks: head.clocks.as_deref().filter(|_| table.is_some()).cloned(),
            series: Series::of(live.row(), &winners),
            previous: follows.map(|it| it.previous),
            next: live.next(),
            winners,
            tags: Tags::new(),
            seed_commitment: live.row().seed_commitment.clone(),
            contributions: table.map(|it| it.contributions().to_vec()).unwrap_or_default(),
            seed: live.seed().copied().filter(|_| live.check_revealed().is_ok()),
            reveal: Reveal::from_wait_s(live.row().reveal_wait_s),
            is_unreadable: false,
            is_paused: table.is_some_and(Table::is_paused),
            is_in_lobby: table.is_none() && live.row().is_in_lobby,
            votes: table.map(|table| table.votes().to_vec()).unwrap_or_default(),
        }
    }
}

/// The filter as far as the caller may list: a player only finds the player's own matches, and not
/// by the platform's tags.
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

/// A summary from a match's last entry and, for what that entry does not record, from the read
/// model after the same entry. So a list reads one entry per match, not all of them.
pub(crate) fn summary_of_row(row: &MatchRow, found: &FoundMatch) -> Result<Summary, Error> {
    if let Some(last) = row.last.as_ref().filter(|last| last.is_stub()) {
        return Ok(summary_of_reduced(row, found, last));
    }
    let game = game_of(&row.game)?;
    let last = row.last.as_ref().map(|last| RecordedEntry::decode(last, game)).transpose()?;
    let entry = last.as_ref().map(|last| &last.entry);
    let winners = entry.and_then(Entry::winners);
    let prompts = entry.map_or(&[][..], |entry| &entry.prompts);
    let top = top_layer(prompts);
    let must = prompts.iter().filter(|prompt| prompt.must && prompt.layer == top);
    let state = state(entry.is_some(), winners);
    let winners: Vec<Seat> = winners.map(|it| it.iter().collect()).unwrap_or_default();
    Ok(Summary {
        match_id: row.match_id,
        game: row.game.clone(),
        state,
        players: players_of(row),
        options: options_of(row)?,
        position: last.as_ref().map_or(Position::START, |last| last.position),
        create_time: row.create_time,
        update_time: last.as_ref().map(|last| last.create_time),
        waiting_for: seats_once(must.filter(|_| found.is_paused != Some(true)).map(|it| it.seat)),
        round: found.round.and_then(|round| round.try_into().ok()),
        turn: found.turn.and_then(|turn| Seat::nth(usize::try_from(turn).ok()?)),
        scores: found.scores.clone().unwrap_or_default(),
        clocks: clocks_found(row, found),
        tags: Tags::new(),
        series: Series::of(row, &winners),
        previous: row.follows.as_ref().map(|it| it.previous),
        next: row.next,
        winners,
        seed_commitment: row.seed_commitment.clone(),
        contributions: contributions_found(found),
        seed: None,
        reveal: Reveal::from_wait_s(row.reveal_wait_s),
        is_unreadable: false,
        is_paused: found.is_paused.unwrap_or_default(),
        is_in_lobby: row.is_in_lobby && entry.is_none(),
        votes: votes_found(found),
    })
}

/// The summary of a match of which only the result is kept, from the read model after its end.
fn summary_of_reduced(row: &MatchRow, found: &FoundMatch, last: &Recorded) -> Summary {
    let end = last.create_time;
    let summary = summary_of_unreadable(row.clone(), found.clone());
    Summary { update_time: Some(end), is_unreadable: false, ..summary }
}

/// The summary of a match that cannot be read: what its row tells, and what the read model includes
/// of its entries.
fn summary_of_unreadable(row: MatchRow, found: FoundMatch) -> Summary {
    let (has_ended, contributions) = (found.winners.is_some(), contributions_found(&found));
    let votes = votes_found(&found);
    let winners = found.winners.unwrap_or_default().into_iter();
    let winners: Vec<Seat> =
        winners.filter_map(|seat| Seat::nth(usize::try_from(seat).ok()?)).collect();
    Summary {
        match_id: row.match_id,
        state: match (row.last.is_some(), has_ended) {
            (false, _) => State::Open,
            (true, false) => State::Running,
            (true, true) => State::Ended,
        },
        players: players_of(&row),
        options: options_of(&row).unwrap_or_default(),
        position: row.last.as_ref().map_or(Position::START, |last| last.position),
        create_time: row.create_time,
        update_time: row.last.as_ref().map(|last| last.create_time),
        waiting_for: Vec::new(),
        round: found.round.and_then(|round| round.try_into().ok()),
        turn: found.turn.and_then(|turn| Seat::nth(usize::try_from(turn).ok()?)),
        scores: found.scores.unwrap_or_default(),
        clocks: None,
        tags: Tags::new(),
        series: Series::of(&row, &winners),
        previous: row.follows.as_ref().map(|it| it.previous),
        next: row.next,
        winners,
        seed: None,
        reveal: Reveal::from_wait_s(row.reveal_wait_s),
        is_unreadable: true,
        is_paused: found.is_paused.unwrap_or_default(),
        is_in_lobby: row.is_in_lobby && row.last.is_none(),
        votes,
        game: row.game,
        seed_commitment: row.seed_commitment,
        contributions,
    }
}

/// As the read model knows them.
fn votes_found(found: &FoundMatch) -> Vec<(Seat, Motion)> {
    let (votes, _) = found.votes.as_deref().unwrap_or_default().as_chunks::<2>();
    let vote = |&[seat, motion]: &[i16; 2]| {
        let seat = Seat::nth(usize::try_from(seat).ok()?)?;
        Some((seat, Motion::numbered(motion.try_into().ok()?)?))
    };
    votes.iter().filter_map(vote).collect()
}

/// As the read model knows them.
fn contributions_found(found: &FoundMatch) -> Vec<Contribution> {
    let by_seat = (0..).zip(found.contributions.iter().flatten().cloned());
    contributions_of(by_seat.filter(|(_, bytes)| !bytes.is_empty()).collect())
}

fn clocks_found(row: &MatchRow, found: &FoundMatch) -> Option<Clocks> {
    let stored = found.clocks.as_deref()?;
    Clocks::decode_told(stored, TimeControl::of(&options_of(row).ok()?)?, seats_of(row))
}

fn state(dealt: bool, winners: Option<Seats>) -> State {
    match (dealt, winners) {
        (false, _) => State::Open,
        (true, None) => State::Running,
        (true, Some(_)) => State::Ended,
    }
}

/// Seats in order, each once.
fn seats_once(seats: impl Iterator<Item = Seat>) -> Vec<Seat> {
    let mut seats: Vec<Seat> = seats.collect();
    seats.sort_unstable();
    seats.dedup();
    seats
}
