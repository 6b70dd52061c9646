//! Entries, tables and games as messages of the contract, with names in place of numbers. The input
//! is already redacted; nothing here decides what a viewer sees.

#![deny(clippy::wildcard_enum_match_arm)]

use std::ops::RangeInclusive;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use clocks::{Clock, Clocks, OnTimeout, TimeControl};
use games::Game;
use matches::{
    LegalActions, PastPlayer, Position, RedactedEntry, Reveal, SeatedPlayer, Seek, Series, State,
    Summary, View, opened_at,
};
use prost_types::Timestamp;
use store::hex;
use table::{
    Arrangement, Choice, Contribution, DecisionId, Event, Face, Layout, Motion, Offer, OfferItem,
    Piece, PlaceSeen, Prompt, Seat, Sight, Small, Speech, Viewer, Viewers, top_layer,
};
use time::OffsetDateTime;
use tonic::Status;

use crate::action::Action;
use crate::descriptors::{TABLE, game_of_field};
use crate::error::invalid;
use crate::names::{
    entry_name, game_name, match_name, player_name, projection_name, rules_name, seek_name,
    viewer_name, wire_position,
};
use crate::v1::{self, event::Kind};

// === Matches ===

pub fn match_of(mut summary: Summary) -> v1::Match {
    let time_control = TimeControl::take_from(&mut summary.options);
    let seats = summary.players.into_iter().zip(0..);
    let state = match summary.state {
        State::Open => v1::MatchState::Open,
        State::Running => v1::MatchState::Running,
        State::Ended => v1::MatchState::Ended,
    };
    let (reveal, reveal_delay_s) = match summary.reveal {
        Reveal::AtEnd => (v1::Reveal::AtEnd, 0),
        Reveal::After(seconds) => (v1::Reveal::AfterDelay, seconds),
        Reveal::Never => (v1::Reveal::Never, 0),
    };
    let entropy = match (&summary.state, summary.contributions.is_empty()) {
        (State::Open, _) => v1::Entropy::Unspecified,
        (State::Running | State::Ended, true) => v1::Entropy::ServiceOnly,
        (State::Running | State::Ended, false) => v1::Entropy::Shared,
    };
    let mut seats: Vec<v1::Seat> = seats.map(|(player, seat)| seat_of(seat, player)).collect();
    for Contribution { seat, bytes } in summary.contributions {
        if let Some(seat) = seats.get_mut(seat.index()) {
            seat.contribution = bytes.into();
        }
    }
    let is_in_series = summary.previous.is_some() || summary.next.is_some();
    v1::Match {
        name: match_name(summary.match_id),
        game: game_name(&summary.game),
        state: state.into(),
        seats,
        entropy: entropy.into(),
        options: summary.options.into_iter().collect(),
        position: wire_position(summary.position),
        create_time: Some(timestamp(summary.create_time)),
        update_time: summary.update_time.map(timestamp),
        waiting_for: summary.waiting_for.into_iter().map(number).collect(),
        scores: summary.scores,
        abandoned: summary.state == State::Ended && summary.winners.is_empty(),
        paused: summary.is_paused,
        lobby: summary.is_in_lobby,
        votes: summary.votes.into_iter().map(vote_of).collect(),
        winners: summary.winners.into_iter().map(number).collect(),
        seed_commitment: hex(&summary.seed_commitment),
        seed: summary.seed.map(|seed| hex(&seed)).unwrap_or_default(),
        tags: summary.tags.into_iter().collect(),
        round: summary.round.map(Into::into),
        turn: summary.turn.map(number),
        reveal: reveal.into(),
        reveal_delay_s,
        previous: summary.previous.map(match_name).unwrap_or_default(),
        next: summary.next.map(match_name).unwrap_or_default(),
        series: is_in_series.then(|| series_of(summary.series)),
        time_control: time_control.map(time_control_of),
        clocks: summary.clocks.as_ref().map(clocks_of),
        unreadable: summary.is_unreadable,
        ..v1::Match::default()
    }
}

fn time_control_of(it: TimeControl) -> v1::TimeControl {
    let on_timeout = match it.on_timeout {
        OnTimeout::Answer => v1::OnTimeout::Answer,
        OnTimeout::Resign => v1::OnTimeout::Resign,
    };
    v1::TimeControl {
        preset: it.preset().unwrap_or_default().to_owned(),
        bank_s: it.bank_s,
        increment_s: it.increment_s,
        per_decision_s: it.per_decision_s,
        on_timeout: on_timeout.into(),
        resign_after: it.resign_after,
    }
}

/// The time control that a request asks for.
pub(crate) fn time_control_from(it: v1::TimeControl) -> Result<TimeControl, matches::Error> {
    let bad = |reason: String| matches::Error::InvalidTimeControl(reason);
    let is_named = !it.preset.is_empty();
    if is_named && (v1::TimeControl { preset: it.preset.clone(), ..Default::default() }) != it {
        return Err(bad("a preset sets all other fields: leave them empty".to_owned()));
    }
    if is_named {
        return TimeControl::named(&it.preset).map_err(|error| bad(error.to_string()));
    }
    let on_timeout = match v1::OnTimeout::try_from(it.on_timeout) {
        Ok(v1::OnTimeout::Unspecified | v1::OnTimeout::Answer) => OnTimeout::Answer,
        Ok(v1::OnTimeout::Resign) => OnTimeout::Resign,
        Err(_) => return Err(bad("there is no such on_timeout".to_owned())),
    };
    let v1::TimeControl { bank_s, increment_s, per_decision_s, resign_after, .. } = it;
    Ok(TimeControl { bank_s, increment_s, per_decision_s, on_timeout, resign_after })
}

/// A player who looks for a match.
pub(crate) fn seek_of(seek: Seek) -> v1::Seek {
    let state = match (seek.is_open, seek.match_id) {
        (true, _) => v1::SeekState::Open,
        (false, Some(_)) => v1::SeekState::Seated,
        (false, None) => v1::SeekState::Deleted,
    };
    let mut options = seek.options;
    let time_control = TimeControl::take_from(&mut options);
    v1::Seek {
        name: seek_name(seek.seek_id),
        player: seek.player,
        display_name: seek.display_name.unwrap_or_default(),
        game: game_name(&seek.game),
        seats: seek.seats,
        options: options.into_iter().collect(),
        time_control: time_control.map(time_control_of),
        rating_distance: seek.distance,
        rating_widening_per_s: seek.widening,
        rating: seek.rating,
        create_time: Some(timestamp(seek.create_time)),
        state: state.into(),
        r#match: seek.match_id.map(match_name).unwrap_or_default(),
    }
}

fn clocks_of(clocks: &Clocks) -> v1::Clocks {
    let ms = |duration: Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    let clock_of = |(nth, clock): (usize, &Clock)| {
        let seat = Seat::nth(nth)?;
        Some(v1::Clock {
            seat: number(seat),
            bank_ms: ms(clock.bank),
            running_since: clock.running_since.map(timestamp),
            deadline: clocks.deadline(seat).map(timestamp),
            timeouts: clock.timeouts,
        })
    };
    v1::Clocks {
        clocks: clocks.seats().iter().enumerate().filter_map(clock_of).collect(),
        paused_for_outage_ms: ms(clocks.excused()),
    }
}

fn seat_of(seat: u32, player: Option<SeatedPlayer>) -> v1::Seat {
    let Some(player) = player else {
        return v1::Seat { seat, ..v1::Seat::default() };
    };
    let bot = player.bot().map(str::to_owned);
    let SeatedPlayer { player, display_name, is_erased: _, before } = player;
    let level = |bot: Option<&str>| bot.unwrap_or_default().to_owned();
    let past = |it: PastPlayer| v1::PastPlayer {
        bot: level(it.bot()),
        player: if it.bot().is_some() { String::new() } else { it.player },
        display_name: it.display_name.unwrap_or_default(),
        until_position: wire_position(it.until),
    };
    v1::Seat {
        seat,
        player: if bot.is_some() { String::new() } else { player },
        display_name: display_name.unwrap_or_default(),
        contribution: Vec::new(),
        players_before: before.into_iter().map(past).collect(),
        bot: bot.unwrap_or_default(),
    }
}

fn series_of(series: Series) -> v1::Series {
    let Series { number, wins, best_of, winner } = series;
    v1::Series { number, wins, best_of, winner: winner.map(self::number) }
}

/// The reveal that a request asks for.
pub(crate) fn reveal_from(reveal: i32, delay_s: u32) -> Result<Reveal, Status> {
    match (v1::Reveal::try_from(reveal), delay_s) {
        (Ok(v1::Reveal::Unspecified | v1::Reveal::AtEnd), 0) => Ok(Reveal::AtEnd),
        (Ok(v1::Reveal::Never), 0) => Ok(Reveal::Never),
        (Ok(v1::Reveal::AfterDelay), seconds) => Ok(Reveal::After(seconds)),
        (Ok(_), _) => Err(invalid("reveal_delay_s", "reveal_delay_s requires REVEAL_AFTER_DELAY")),
        (Err(_), _) => Err(invalid("reveal", "there is no such reveal")),
    }
}

pub(crate) fn legal_of(legal: LegalActions) -> v1::ListLegalActionsResponse {
    let game = legal.game.name();
    let actions = legal.actions.into_iter().map(|it| v1::LegalAction {
        verb: it.verb.to_owned(),
        action: Some(Action::of(game, it.action)),
        open_ended: it.open_ended,
        ..v1::LegalAction::default()
    });
    let kinds = legal.kinds.into_iter().map(|kind| v1::LegalActionKind {
        verb: kind.verb.to_owned(),
        listed: kind.listed as u32,
        complete: kind.is_complete,
    });
    v1::ListLegalActionsResponse {
        position: wire_position(legal.position),
        actions: actions.collect(),
        kinds: kinds.collect(),
    }
}

/// The domain's action; its game is the one of the field.
pub(crate) fn action_from(action: Action) -> Option<matches::Action> {
    let game = match action.field {
        TABLE => None,
        field => Some(game_of_field(field)?),
    };
    Some(matches::Action { game, body: action.body })
}

fn action_of(game: &dyn Game, body: Bytes) -> Action {
    if games::is_common(&body) {
        Action::of_every_game(body)
    } else {
        Action::of(game.name(), body)
    }
}

pub fn view_of(view: &View) -> v1::Table {
    let (table, layout) = (&view.table, view.table.layout());
    let places = table.places().map(|seen| v1::PlaceContents {
        place: seen.place.name.clone(),
        pieces: seen.pieces.iter().map(|piece| layout.piece_name(piece).to_owned()).collect(),
        unseen: seen.unseen.iter().map(|&(back, count)| unseen(layout, back, count)).collect(),
        purses: seen
            .purses
            .iter()
            .filter(|(_, amount)| *amount != 0)
            .map(|&(coin, amount)| v1::Purse {
                coin: layout.coin_name(coin).to_owned(),
                amount,
                ..v1::Purse::default()
            })
            .collect(),
        count_hidden: !seen.is_counted,
        top: top_of(layout, &seen).map(|it| layout.piece_name(it).to_owned()).unwrap_or_default(),
    });
    let is_empty = |place: &v1::PlaceContents| {
        place.pieces.is_empty() && place.unseen.is_empty() && place.purses.is_empty()
    };
    // A place whose pieces the viewer cannot count is always there, so that its absence tells
    // nothing.
    let is_drawn = |place: &v1::PlaceContents| place.count_hidden || !is_empty(place);
    let marks = table.marks().filter(|(_, value)| *value != 0);
    v1::Table {
        r#match: match_name(view.match_id),
        viewer: viewer_name(view.viewer),
        position: wire_position(view.position),
        places: places.filter(is_drawn).collect(),
        marks: marks
            .map(|(mark, value)| v1::Marked {
                mark: layout.mark_name(mark).to_owned(),
                value: value.into(),
            })
            .collect(),
        round: table.round().into(),
        phase: table.phase().into(),
        turn: number(table.turn()),
        prompts: timed_prompts_of(view),
        offers: table.offers().iter().map(|offer| offer_of(layout, offer)).collect(),
        scores: table.scores().to_vec(),
        resigned: table.resigned().iter().map(number).collect(),
        ended: table.winners().map(|it| v1::Ended { winners: it.iter().map(number).collect() }),
        standing: table.standing().iter().map(|&it| standing_of_seat(layout, it)).collect(),
        ..v1::Table::default()
    }
}

/// The prompts of a table, with their deadlines.
fn timed_prompts_of(view: &View) -> Vec<v1::Prompt> {
    let (table, layout) = (&view.table, view.table.layout());
    let mut prompts = prompts_of(layout, table.prompts(), view.position);
    let Some(clocks) = &view.clocks else { return prompts };
    let top = top_layer(table.prompts());
    for (prompt, told) in table.prompts().iter().zip(&mut prompts) {
        if prompt.must && prompt.layer == top {
            let clock = clocks.seats().get(prompt.seat.index());
            told.opened_time = clock.and_then(|it| it.running_since).map(timestamp);
            told.deadline = clocks.deadline(prompt.seat).map(timestamp);
        }
    }
    prompts
}

/// The piece on top of a pile that everyone sees, if layers tell which it is.
fn top_of(layout: &Layout, seen: &PlaceSeen) -> Option<Piece> {
    let is_pile =
        seen.place.display.arrangement == Arrangement::Pile && seen.place.sight == Sight::All;
    let layer = |piece: &Piece| layout.pieces()[piece.index()].layer;
    let first = seen.pieces.iter().filter(|_| is_pile).min_by_key(layer)?;
    let is_alone = seen.pieces.iter().filter(|it| layer(it) == layer(&first)).count() == 1;
    is_alone.then_some(first)
}

fn standing_of_seat(layout: &Layout, (seat, decision): (Seat, DecisionId)) -> v1::StandingAnswer {
    let decision = layout.decision_name(decision).to_owned();
    v1::StandingAnswer { seat: number(seat), decision }
}

fn unseen(layout: &Layout, back: table::BackId, count: usize) -> v1::Unseen {
    let count = count.try_into().expect("a table has fewer than 2^32 pieces");
    v1::Unseen { back: layout.back_name(back).to_owned(), count }
}

// === Entries ===

pub fn entry_of(redacted: &RedactedEntry) -> v1::Entry {
    let (layout, entry) = (redacted.game.layout(), &redacted.entry);
    v1::Entry {
        name: entry_name(redacted.match_id, redacted.position),
        position: wire_position(redacted.position),
        create_time: Some(timestamp(redacted.create_time)),
        seat: entry.seat.map(number),
        verb: entry.verb.to_owned(),
        action: entry.action.clone().map(|body| action_of(redacted.game, body)),
        events: entry.events.iter().map(|it| event_of(layout, it, redacted.position)).collect(),
        prompts: prompts_of(layout, &entry.prompts, redacted.position),
        digest: redacted.digest.map(|digest| digest.as_bytes().to_vec()).unwrap_or_default(),
        rules_version: entry.rules,
        choices: entry.choices.iter().map(choice_of).collect(),
        ..v1::Entry::default()
    }
}

/// An event of the entry at `position`.
fn event_of(layout: &Layout, event: &Event, position: Position) -> v1::Event {
    let place = |place| layout.place_name(place).to_owned();
    let kind = match *event {
        Event::Moved { what, from, to } => {
            let (piece, back) = face_of(layout, what);
            Kind::Moved(v1::Moved { piece, back, from: place(from), to: place(to) })
        }
        Event::Gathered { from, to } => {
            Kind::Gathered(v1::Gathered { from: place(from), to: place(to) })
        }
        Event::Shown { what, at, to } => {
            let (piece, back) = face_of(layout, what);
            Kind::Shown(shown(piece, back, place(at), to))
        }
        Event::Paid { coin, from, to, amount, aloud: _ } => {
            let coin = layout.coin_name(coin).to_owned();
            Kind::Paid(v1::Paid { coin, from: place(from), to: place(to), amount })
        }
        Event::Marked { mark, value } => {
            let mark = layout.mark_name(mark).to_owned();
            Kind::Marked(v1::Marked { mark, value: value.into() })
        }
        Event::Rolled { seat, value } => {
            Kind::Rolled(v1::Rolled { seat: number(seat), value: value.into() })
        }
        Event::Announced { announcement, seat, value } => {
            let announcement = layout.announcement_name(announcement).to_owned();
            Kind::Announced(v1::Announced { announcement, seat: number(seat), value: value.into() })
        }
        Event::RoundBegan(round) => Kind::RoundBegan(round.into()),
        Event::PhaseBegan(phase) => Kind::PhaseBegan(phase.into()),
        Event::TurnBegan(seat) => Kind::TurnBegan(number(seat)),
        Event::Offered(ref offer) => Kind::Offered(offer_of(layout, offer)),
        Event::OfferClosed { by } => Kind::OfferClosed(number(by)),
        Event::Scored { seat, points } => Kind::Scored(v1::Scored { seat: number(seat), points }),
        Event::Resigned { seat } => Kind::Resigned(number(seat)),
        Event::TimedOut { seat } => Kind::TimedOut(number(seat)),
        Event::TimeAdded { seat, ms } => Kind::TimeAdded(v1::TimeAdded { seat: number(seat), ms }),
        Event::Ended { winners } => {
            Kind::Ended(v1::Ended { winners: winners.iter().map(number).collect() })
        }
        Event::TookBack { age } => Kind::TookBack(v1::TookBack {
            position: wire_position(Position(position.0 - i64::from(age))),
        }),
        Event::Voted { seat, motion, on } => {
            let motion = motion_of(motion).into();
            Kind::Voted(v1::Voted { seat: number(seat), motion, on })
        }
        Event::Paused { by } => Kind::Paused(v1::Paused { seat: by.map(number) }),
        Event::Resumed { by } => Kind::Resumed(v1::Resumed { seat: by.map(number) }),
        Event::Abandoned => Kind::Abandoned(v1::Abandoned {}),
        Event::Replaced { seat } => Kind::Replaced(v1::Replaced { seat: number(seat) }),
        Event::Said { seat, ref speech } => Kind::Said(said(seat, speech.as_deref())),
        Event::Contributed(ref it) => Kind::Contributed(v1::Contributed {
            seat: number(it.seat),
            contribution: it.bytes.to_vec(),
        }),
        Event::Stood { seat, decision, on } => {
            let decision = layout.decision_name(decision).to_owned();
            Kind::Stood(v1::Stood { seat: number(seat), decision, on })
        }
    };
    v1::Event { kind: Some(kind) }
}

fn vote_of((seat, motion): (Seat, Motion)) -> v1::Vote {
    v1::Vote { seat: number(seat), motion: motion_of(motion).into() }
}

pub(crate) fn motion_of(motion: Motion) -> v1::Motion {
    match motion {
        Motion::EndWithoutResult => v1::Motion::EndWithoutResult,
        Motion::Pause => v1::Motion::Pause,
        Motion::Resume => v1::Motion::Resume,
    }
}

fn choice_of(it: &Choice) -> v1::Choice {
    v1::Choice { bound: it.bound, value: it.value }
}

/// The piece's name if it is face up, otherwise the name of its back; neither if the viewer cannot
/// count the pieces.
fn face_of(layout: &Layout, face: Face) -> (String, String) {
    match face {
        Face::Up(piece) => (layout.piece_name(piece).to_owned(), String::new()),
        Face::Down(back) => (String::new(), layout.back_name(back).to_owned()),
        Face::Uncounted => (String::new(), String::new()),
    }
}

fn shown(piece: String, back: String, at: String, to: Viewers) -> v1::Shown {
    let (seats, everyone) = audience(to);
    v1::Shown { piece, back, at, seats, everyone }
}

fn said(seat: Seat, speech: Option<&Speech>) -> v1::Said {
    let Some(Speech { to, text, sealed: _ }) = speech else {
        return v1::Said { seat: number(seat), ..v1::Said::default() };
    };
    let (mut seats, everyone) = audience(*to);
    seats.retain(|&it| it != number(seat));
    let erased = text.is_none();
    let text = text.as_ref().map(|text| text.as_str().to_owned()).unwrap_or_default();
    v1::Said { seat: number(seat), text, seats, everyone, erased }
}

/// The seats among these viewers, or whether everyone is among them.
fn audience(to: Viewers) -> (Vec<u32>, bool) {
    let everyone = to.has(Viewer::Spectator);
    (if everyone { Vec::new() } else { to.seats().iter().map(number).collect() }, everyone)
}

/// The prompts after the entry at `position`.
fn prompts_of(layout: &Layout, prompts: &[Prompt], position: Position) -> Vec<v1::Prompt> {
    let prompt_of = |prompt: &Prompt| v1::Prompt {
        seat: number(prompt.seat),
        decision: layout.decision_name(prompt.decision).to_owned(),
        optional: !prompt.must,
        layer: prompt.layer.into(),
        opened_position: wire_position(opened_at(prompt, position)),
        ..v1::Prompt::default()
    };
    prompts.iter().map(prompt_of).collect()
}

fn offer_of(layout: &Layout, offer: &Offer) -> v1::Offer {
    let items = |items: &[OfferItem]| items.iter().map(|item| item_of(layout, item)).collect();
    v1::Offer {
        by: number(offer.by),
        to: number(offer.to),
        give: items(&offer.give),
        take: items(&offer.take),
    }
}

fn item_of(layout: &Layout, item: &OfferItem) -> v1::OfferItem {
    match *item {
        OfferItem::Piece { piece, to } => v1::OfferItem {
            piece: layout.piece_name(piece).to_owned(),
            to: layout.place_name(to).to_owned(),
            ..v1::OfferItem::default()
        },
        OfferItem::Coins { coin, from, to, amount } => v1::OfferItem {
            piece: String::new(),
            coin: layout.coin_name(coin).to_owned(),
            amount,
            from: layout.place_name(from).to_owned(),
            to: layout.place_name(to).to_owned(),
        },
    }
}

// === Across matches ===

pub(crate) fn player_of(player: &str, page: matches::Player) -> v1::Player {
    let standing = |league: matches::League| standing_of(&league.game, league.standing);
    let opponents = page.opponents.into_iter().map(|it| v1::Opponent {
        player: player_name(&it.opponent),
        played: it.played.unsigned_abs(),
        ahead: it.ahead.unsigned_abs(),
        behind: it.behind.unsigned_abs(),
        level: it.level.unsigned_abs(),
    });
    v1::Player {
        name: player_name(player),
        standings: page.leagues.into_iter().map(standing).collect(),
        opponents: opponents.collect(),
    }
}

pub(crate) fn standing_of(game: &str, standing: matches::Standing) -> v1::Standing {
    let whole = |millionths: i64| millionths as f64 / 1e6;
    v1::Standing {
        player: player_name(&standing.player),
        game: game_name(game),
        rating: whole(standing.rating),
        mean: whole(standing.mean),
        deviation: whole(standing.deviation),
        played: standing.played.unsigned_abs(),
        won: standing.won.unsigned_abs(),
        shared: standing.shared.unsigned_abs(),
        last_end_time: Some(timestamp(standing.last_end_time)),
    }
}

pub(crate) fn projection_of(it: matches::Projection) -> v1::Projection {
    v1::Projection {
        name: projection_name(it.model.name()),
        generation: it.generation.unsigned_abs(),
        lag: it.lag,
        behind_since: it.behind_since.map(timestamp),
        rebuilding_generation: it.rebuilding.map(|(generation, _)| generation.unsigned_abs()),
        rebuilding_lag: it.rebuilding.map_or(0, |(_, lag)| lag),
    }
}

pub(crate) fn holding_of(it: matches::Holding) -> v1::Holding {
    v1::Holding {
        seat: it.seat.unsigned_abs().into(),
        pieces: it.pieces.unsigned_abs(),
        coins: it.coins.into_iter().collect(),
        position: wire_position(it.position),
    }
}

pub(crate) fn streamed_of(entry: &RedactedEntry, told: v1::Entry) -> v1::StreamedEntry {
    v1::StreamedEntry {
        entry: Some(told),
        game: game_name(entry.game.name()),
        viewer: viewer_name(entry.viewer),
    }
}

/// What an entry means for the player for whose seat it was redacted.
pub(crate) fn notices_of(streamed: &v1::StreamedEntry) -> Vec<v1::PlayerNotice> {
    use v1::player_notice::Kind as Notice;
    let Some(entry) = &streamed.entry else { return Vec::new() };
    let own: Option<u32> = streamed.viewer.strip_prefix("seats/").and_then(|it| it.parse().ok());
    let mut kinds = Vec::new();
    if entry.position == 1 {
        kinds.push(Notice::MatchStarted(v1::MatchStarted {}));
    }
    let is_new = |prompt: &&v1::Prompt| {
        Some(prompt.seat) == own && !prompt.optional && prompt.opened_position == entry.position
    };
    for prompt in entry.prompts.iter().filter(is_new) {
        kinds.push(Notice::YourTurn(v1::YourTurn { prompt: Some(prompt.clone()) }));
    }
    for event in &entry.events {
        if let Some(Kind::Ended(ended)) = &event.kind {
            let won = own.is_some_and(|seat| ended.winners.contains(&seat));
            kinds.push(Notice::MatchEnded(v1::MatchEnded { won }));
        }
    }
    let of_match = entry.name.split("/entries/").next().unwrap_or_default();
    let notice = |kind| v1::PlayerNotice {
        r#match: of_match.to_owned(),
        position: entry.position,
        kind: Some(kind),
    };
    kinds.into_iter().map(notice).collect()
}

// === Games ===

pub(crate) fn rules_of(game: &dyn Game) -> v1::Rules {
    let page = game.rules_page();
    let best_of =
        game.seats().filter_map(|seats| Some((seats.into(), game.best_of(seats)?.into())));
    v1::Rules {
        name: rules_name(game.name()),
        page: page.0.to_owned(),
        sections: page.sections().into_iter().map(section_of).collect(),
        set_ups: games::set_ups(game).into_iter().map(set_up_of).collect(),
        best_of: best_of.collect(),
    }
}

fn section_of(section: games::Section) -> v1::RulesSection {
    let ends_match = section.is_about_end();
    let paragraphs = section.paragraphs.into_iter().map(|it| v1::RulesParagraph {
        number: it.number.to_owned(),
        text: it.text,
        ruling: it.ruling,
    });
    v1::RulesSection {
        number: section.number,
        title: section.title.to_owned(),
        paragraphs: paragraphs.collect(),
        ends_match,
    }
}

fn set_up_of(set_up: games::SetUp) -> v1::SetUp {
    let coin = |(coin, amounts): (String, RangeInclusive<i32>)| v1::CoinSetUp {
        coin,
        amount_min: *amounts.start(),
        amount_max: *amounts.end(),
    };
    let places = set_up.places.into_iter().map(|it| v1::PlaceSetUp {
        place: it.place,
        pieces_min: *it.pieces.start(),
        pieces_max: *it.pieces.end(),
        coins: it.coins.into_iter().map(coin).collect(),
    });
    v1::SetUp {
        seats: set_up.seats.into(),
        options: set_up.options.into_iter().collect(),
        places: places.collect(),
    }
}

// === Shared ===

pub(crate) fn number(seat: Seat) -> u32 {
    u8::from(seat).into()
}

pub(crate) fn timestamp(time: OffsetDateTime) -> Timestamp {
    Timestamp::from(SystemTime::from(time))
}
