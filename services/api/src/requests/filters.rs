//! Filters of lists, searches and streams.

use contract::v1::{
    self, ListMatchesRequest, MatchState, Outcome, SearchEntriesRequest, StreamFilter,
};
use matches::{EntryFilter, Filter, Happening, Search, State};
use tonic::Status;

use super::names::parse_game;
use super::values::{
    check_storable, found_game, known_game, parse_player_id, parse_player_ids, parse_tags,
    parse_time, present,
};
use crate::error::invalid;

/// The maximum number of terms of a filter. Clients apply longer filters themselves.
const FILTER_MAX: usize = 100;

/// The maximum length of a term: that of a player's id.
const FILTER_VALUE_BYTES_MAX: usize = 128;

/// A request's page token, and the request without the fields that differ from page to page.
pub(crate) fn split_page(mut request: ListMatchesRequest) -> (String, ListMatchesRequest) {
    let token = std::mem::take(&mut request.page_token);
    let (consistency_token, language) = Default::default();
    (token, ListMatchesRequest { page_size: 0, consistency_token, language, ..request })
}

pub(crate) fn filter_of(request: ListMatchesRequest, platform: &str) -> Result<Filter, Status> {
    let outcome = outcome_of(request.outcome)?;
    if outcome.is_some() && request.player.is_empty() {
        return Err(invalid("outcome", "an outcome is that of a player: set the player too"));
    }
    if !request.opponent.is_empty() && request.opponent == request.player {
        return Err(invalid("opponent", "a player is not their own opponent"));
    }
    if request.by_deadline && request.oldest_first {
        return Err(invalid(
            "oldest_first",
            "a list has one order: set by_deadline or oldest_first",
        ));
    }
    Ok(Filter {
        game: present(request.game).map(|game| known_game(&game, platform)).transpose()?,
        state: state_of(request.state)?,
        player: present(parse_player_id("player", request.player)?),
        opponent: present(parse_player_id("opponent", request.opponent)?),
        winner: present(parse_player_id("winner", request.winner)?),
        outcome,
        from: request
            .from_create_time
            .map(|time| parse_time("from_create_time", time))
            .transpose()?,
        until: request
            .until_create_time
            .map(|time| parse_time("until_create_time", time))
            .transpose()?,
        length_min: request.length_min.map(i64::from),
        length_max: request.length_max.map(i64::from),
        tags: parse_tags("tags", &request.tags)?,
        waiting_for: present(parse_player_id("waiting_for_player", request.waiting_for_player)?),
        oldest_first: request.oldest_first,
        by_deadline: request.by_deadline,
    })
}

fn state_of(state: i32) -> Result<Option<State>, Status> {
    match MatchState::try_from(state) {
        Ok(MatchState::Unspecified) => Ok(None),
        Ok(MatchState::Open) => Ok(Some(State::Open)),
        Ok(MatchState::Running) => Ok(Some(State::Running)),
        Ok(MatchState::Ended) => Ok(Some(State::Ended)),
        Err(_) => Err(invalid("state", format!("there is no state {state}"))),
    }
}

fn outcome_of(outcome: i32) -> Result<Option<matches::Outcome>, Status> {
    match Outcome::try_from(outcome) {
        Ok(Outcome::Unspecified) => Ok(None),
        Ok(Outcome::Won) => Ok(Some(matches::Outcome::Won)),
        Ok(Outcome::Shared) => Ok(Some(matches::Outcome::Shared)),
        Ok(Outcome::Lost) => Ok(Some(matches::Outcome::Lost)),
        Err(_) => Err(invalid("outcome", format!("there is no outcome {outcome}"))),
    }
}

/// The search by terms of the game; terms that the game does not have are refused.
pub(crate) fn search_of(request: SearchEntriesRequest, platform: &str) -> Result<Search, Status> {
    let name = parse_game("parent", &request.parent)?;
    let (game, _) = found_game(name, Some(platform))?;
    let layout = game.layout();
    let lacks =
        |kind: &'static str, term: &str| invalid(kind, format!("{name} has no {kind} {term:?}"));
    let verb = present(request.verb);
    if let Some(verb) = verb.as_deref().filter(|verb| layout.verb(verb).is_none()) {
        return Err(lacks("verb", verb));
    }
    let piece = present(request.piece);
    let piece = piece.map(|piece| layout.piece_named(&piece).ok_or_else(|| lacks("piece", &piece)));
    let announcement = present(request.announcement);
    let is_announcement = |wanted: &str| {
        layout.announcements().iter().any(|announcement| {
            announcement.name == wanted
                || announcement.name.split_once('/').is_some_and(|(it, _)| it == wanted)
        })
    };
    if let Some(announcement) =
        announcement.as_deref().filter(|announcement| !is_announcement(announcement))
    {
        return Err(lacks("announcement", announcement));
    }
    Ok(Search {
        game,
        player: present(parse_player_id("player", request.player)?),
        verb,
        piece: piece.transpose()?,
        round: request.round,
        announcement,
        value_min: request.value_min,
        value_max: request.value_max,
    })
}

/// The entries that a stream or a subscription asks for.
pub(crate) fn stream_filter_of(
    filter: Option<StreamFilter>,
    is_whole: bool,
) -> Result<EntryFilter, Status> {
    stream_filter_in("", filter, is_whole)
}

/// Like [`stream_filter_of`], of a field within the field that the prefix names.
pub(crate) fn stream_filter_in(
    prefix: &str,
    filter: Option<StreamFilter>,
    is_whole: bool,
) -> Result<EntryFilter, Status> {
    let its = |field: &str| format!("{prefix}filter{field}");
    let StreamFilter { games, verbs, players, tags, happenings } = filter.unwrap_or_default();
    let values = games.len() + verbs.len() + players.len() + tags.len() + happenings.len();
    if values > FILTER_MAX {
        return Err(invalid(&its(""), format!("a filter has at most {FILTER_MAX} values")));
    }
    for (field, values) in [(its(".verbs"), &verbs), (its(".players"), &players)] {
        for (nth, value) in values.iter().enumerate() {
            let field = format!("{field}[{nth}]");
            if value.len() > FILTER_VALUE_BYTES_MAX {
                let rule =
                    format!("a value of a filter has at most {FILTER_VALUE_BYTES_MAX} bytes");
                return Err(invalid(&field, rule));
            }
            check_storable(&field, value)?;
        }
    }
    let players = parse_player_ids(&its(".players"), players)?;
    let games = games
        .iter()
        .enumerate()
        .map(|(nth, game)| parse_game(&its(&format!(".games[{nth}]")), game).map(str::to_owned));
    let (games, tags) = (games.collect::<Result<_, _>>()?, parse_tags(&its(".tags"), &tags)?);
    let mut wanted: Vec<Happening> = Vec::new();
    for happening in happenings.into_iter().map(|it| happening(&its(".happenings"), it)) {
        let happening = happening?;
        if !wanted.contains(&happening) {
            wanted.push(happening);
        }
    }
    Ok(EntryFilter { games, verbs, players, happenings: wanted, tags, is_whole })
}

fn happening(field: &str, number: i32) -> Result<Happening, Status> {
    match v1::Happening::try_from(number) {
        Ok(v1::Happening::Started) => Ok(Happening::Started),
        Ok(v1::Happening::Turn) => Ok(Happening::Turn),
        Ok(v1::Happening::Action) => Ok(Happening::Action),
        Ok(v1::Happening::Ended) => Ok(Happening::Ended),
        Ok(v1::Happening::Abandoned) => Ok(Happening::Abandoned),
        Ok(v1::Happening::Rated) => Ok(Happening::Rated),
        Ok(v1::Happening::Unspecified) | Err(_) => {
            let rule = format!("nothing that happens has the number {number}");
            Err(invalid(field, rule))
        }
    }
}
