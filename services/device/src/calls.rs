//! The calls of the contract that a table makes, answered from the matches of the device.

use answers::{
    Legals, Seen, game_of, layout_of, match_name, motion_of, number, page_of, primer_of,
    refusals_of, timestamp, told_entry, told_legal, told_table, wire_position,
};
use bots::{Iterations, suggest};
use contract::names::{self, game_name};
use contract::{Action, v1};
use games::{Beside, Game, Legal, Wanted, kinds_of};
use narration::{Language, Narrator, Standing};
use positions::Position;
use prost::Message;
use rows::RedactedEntry;
use table::{ChaCha, KEPT_OPTIONS, Motion, Seat, Seats, Table, Viewer, waiting_for};

use crate::device::{Call, Device, match_id};
use crate::listing::{filter_of, listed};
use crate::played::{Command, New, Played};
use crate::refusal::Refusal;
use crate::thinking::observed;

/// The most suggestions of a hint.
const SUGGESTIONS_MAX: usize = 3;

/// The chance of hints, apart from that of bots.
const HINTS: u64 = u64::MAX;

/// The next entries of a stream.
pub struct Watched {
    /// The position of the last one.
    pub position: i32,
    /// Whether no more will follow.
    pub has_ended: bool,
    /// A `WatchEntriesResponse`.
    pub message: Vec<u8>,
}

impl Device {
    /// Deals a match. Returns its name.
    pub fn deal(&mut self, new: New) -> Result<String, Refusal> {
        let played = Played::deal(new)?;
        let name = match_name(played.row.match_id);
        self.matches.insert(played.row.match_id, played);
        Ok(name)
    }

    /// Lets a match go, which its record keeps.
    pub fn drop_match(&mut self, name: &str) -> Result<(), Refusal> {
        let id = match_id(name)?;
        self.matches.remove(&id).map(|_| ()).ok_or_else(Refusal::not_found)
    }

    /// Answers a call: a message of the contract for a message of the contract.
    pub fn call(&mut self, call: &Call, message: &[u8]) -> Result<Vec<u8>, Refusal> {
        let language = Language::accepted(&call.language);
        let path = call.path.rsplit_once('/').map_or("", |(_, method)| method);
        match path {
            "ListGames" => Ok(list_games(language)),
            "GetGame" => answered(message, |it| get_game(it, language)),
            "GetMatch" => answered(message, |it| self.get_match(it, language)),
            "GetView" => answered(message, |it| self.get_view(it, language)),
            "ListLegalActions" => answered(message, |it| self.list_legal_actions(it, language)),
            "SuggestActions" => answered(message, |it| self.suggest_actions(it, language, call)),
            "SubmitAction" => answered(message, |it| self.submit_action(it, language, call)),
            "ResignMatch" => answered(message, |it: v1::ResignMatchRequest| {
                let command = |seat| Ok(Command::Resign(seat));
                let entry = self.record_of(&it.name, it.seat, command, language, call)?;
                Ok(v1::ResignMatchResponse { entry: Some(entry) })
            }),
            "TakeBack" => answered(message, |it: v1::TakeBackRequest| {
                let command = |seat| Ok(Command::TakeBack(seat));
                let entry = self.record_of(&it.name, it.seat, command, language, call)?;
                Ok(v1::TakeBackResponse { entry: Some(entry) })
            }),
            "VoteMatch" => answered(message, |it: v1::VoteMatchRequest| {
                let motion = motion_from(it.motion)?;
                let command = |seat| Ok(Command::Vote(seat, motion, !it.withdraw));
                let entry = self.record_of(&it.name, it.seat, command, language, call)?;
                Ok(v1::VoteMatchResponse { entry: Some(entry) })
            }),
            "ListEntries" => answered(message, |it: v1::ListEntriesRequest| {
                let entries = self.entries(&it.parent, it.after_position, &it.viewer, language)?;
                Ok(v1::ListEntriesResponse { entries, next_page_token: String::new() })
            }),
            "ReadRecord" => answered(message, |it: v1::ReadRecordRequest| {
                let name = it.name.strip_suffix("/record").unwrap_or_default();
                let lines = self.record(name)?.lines().map(str::to_owned).collect();
                Ok(v1::ReadRecordResponse { lines })
            }),
            _ => Err(Refusal::new("unimplemented", "", "a device does not answer this call")),
        }
    }

    /// The next entries of a stream: those after a position, or as its first message says.
    pub fn watch(
        &self,
        call: &Call,
        message: &[u8],
        after: Option<i32>,
    ) -> Result<Watched, Refusal> {
        let language = Language::accepted(&call.language);
        let request = decoded::<v1::WatchEntriesRequest>(message)?;
        let after = after.unwrap_or(request.after_position);
        let entries = self.entries(&request.parent, after, &request.viewer, language)?;
        let (position, digest) = match entries.last() {
            Some(last) => (last.position, last.digest.clone()),
            None => (after, request.after_digest),
        };
        let has_ended = self.found(&request.parent)?.table.ended();
        let answer = v1::WatchEntriesResponse { entries, position, digest, ..Default::default() };
        Ok(Watched { position, has_ended, message: answer.encode_to_vec() })
    }

    // === Reading ===

    fn get_match(
        &self,
        request: v1::GetMatchRequest,
        language: Language,
    ) -> Result<v1::GetMatchResponse, Refusal> {
        let played = self.found(&request.name)?;
        Ok(v1::GetMatchResponse { r#match: Some(match_of(played, language)) })
    }

    fn get_view(
        &self,
        request: v1::GetViewRequest,
        language: Language,
    ) -> Result<v1::GetViewResponse, Refusal> {
        let played = self.found(&request.name)?;
        let viewer = viewer_of(played, &request.viewer)?;
        let position = request.position.map_or(played.position(), |it| Position(it.into()));
        check_position(position, played)?;
        let table = played.table_at(position).seen_by(viewer);
        let seen = Seen {
            match_id: played.row.match_id,
            game: played.game,
            viewer,
            position,
            digest: played.entries[position.0 as usize - 1].digest,
            table: &table,
            clocks: None,
        };
        let told = told_table(&narrator(played, language, reader(viewer)), &seen);
        let is_now = position == played.position();
        let can_take_back = request.take_back
            && matches!(viewer, Viewer::Seat(seat) if is_now && played.can_take_back(seat));
        Ok(v1::GetViewResponse { table: Some(told), can_take_back })
    }

    fn list_legal_actions(
        &self,
        request: v1::ListLegalActionsRequest,
        language: Language,
    ) -> Result<v1::ListLegalActionsResponse, Refusal> {
        let played = self.found(&request.name)?;
        let seat = acting(played, request.seat)?;
        let filter = filter_of(played.game, &request.verb, &request.pieces)?;
        let table = played.table.seen_by(Viewer::Seat(seat));
        let actions = listed(played.game, &table, seat, &filter, request.copies)?;
        let wanted = Wanted { reasons: request.reasons, effects: request.effects };
        let beside = Beside::of(played.game, &table, seat, &filter, &actions, wanted);
        Ok(legals(played, seat, &table, &actions, &beside, language))
    }

    fn suggest_actions(
        &mut self,
        request: v1::SuggestActionsRequest,
        language: Language,
        call: &Call,
    ) -> Result<v1::SuggestActionsResponse, Refusal> {
        let played = self.found_mut(&request.name)?;
        let seat = acting(played, request.seat)?;
        if request.position.is_some_and(|it| Position(it.into()) != played.position()) {
            let message = "a device suggests actions at the latest position only";
            return Err(Refusal::new("unimplemented", "", message));
        }
        let (game, mut chance) = (played.game, ChaCha::of(call.chance, HINTS));
        let observation = observed(played, seat);
        let found = suggest(game, observation, &mut Iterations(call.iterations), &mut chance);
        let mut found = found.map_err(|it| Refusal::of_rules(game.name(), it))?;
        found.truncate(SUGGESTIONS_MAX);
        let actions: Vec<Legal> = found.iter().filter_map(|it| it.action.clone()).collect();
        let table = played.table.seen_by(Viewer::Seat(seat));
        let told = legals(played, seat, &table, &actions, &Beside::default(), language);
        let mut told = (told.position, told.actions.into_iter());
        let suggestions = found.iter().map(|it| v1::Suggestion {
            action: it.action.as_ref().and_then(|_| told.1.next()),
            estimate: it.estimate.map(f64::from),
            taken: false,
        });
        let suggestions = suggestions.collect();
        Ok(v1::SuggestActionsResponse { position: told.0, suggestions })
    }

    fn entries(
        &self,
        name: &str,
        after: i32,
        viewer: &str,
        language: Language,
    ) -> Result<Vec<v1::Entry>, Refusal> {
        let played = self.found(name)?;
        let viewer = viewer_of(played, viewer)?;
        let narrator = narrator(played, language, reader(viewer));
        let after = usize::try_from(after).unwrap_or_default().min(played.entries.len());
        let entries = played.entries[after..].iter();
        Ok(entries.map(|it| told(played, it, viewer, &narrator)).collect())
    }

    // === Acting ===

    fn submit_action(
        &mut self,
        request: v1::SubmitActionRequest,
        language: Language,
        call: &Call,
    ) -> Result<v1::SubmitActionResponse, Refusal> {
        let v1::SubmitActionRequest { name, action, seat, expected_position, .. } = request;
        let played = self.found(&name)?;
        let (position, seated) = (played.position(), acting(played, seat)?);
        if expected_position.is_some_and(|it| Position(it.into()) != position) {
            let message = format!("the match is at position {}", position.0);
            return Err(moved("POSITION_MOVED", message, "position", Some(position)));
        }
        if let Some(expected) = request.expected_prompt {
            let opened = |prompt: &table::Prompt| Position(position.0 - i64::from(prompt.age));
            let prompt = played.table.prompt(seated).map(opened);
            if prompt != Some(Position(expected.into())) {
                let message = "the prompt of the seat is another one by now";
                return Err(moved("PROMPT_MOVED", message.to_owned(), "prompt", prompt));
            }
        }
        let game = played.game;
        let action = action.ok_or_else(|| Refusal::invalid("action", "the action is missing"))?;
        let command = |seat| Ok(Command::Act(seat, parsed(game, &action)?));
        let entry = self.record_of(&name, seat, command, language, call)?;
        Ok(v1::SubmitActionResponse { entry: Some(entry) })
    }

    /// Carries out a command of a seat, and tells its entry.
    fn record_of(
        &mut self,
        name: &str,
        seat: Option<u32>,
        command: impl FnOnce(Seat) -> Result<Command, Refusal>,
        language: Language,
        call: &Call,
    ) -> Result<v1::Entry, Refusal> {
        let played = self.found_mut(name)?;
        let seat = acting(played, seat)?;
        let recorded = command(seat).and_then(|it| played.carry_out(&it, call.now_ms));
        let narrator = narrator(played, language, Some(seat));
        match recorded {
            Ok(_) => {
                let last = played.entries.last().expect("one was recorded");
                Ok(told(played, last, Viewer::Seat(seat), &narrator))
            }
            Err(refusal) => Err(in_words(refusal, &narrator)),
        }
    }
}

/// Reads the request, and writes the answer.
fn answered<Q: Message + Default, A: Message>(
    message: &[u8],
    answer: impl FnOnce(Q) -> Result<A, Refusal>,
) -> Result<Vec<u8>, Refusal> {
    answer(decoded(message)?).map(|it| it.encode_to_vec())
}

fn decoded<Q: Message + Default>(message: &[u8]) -> Result<Q, Refusal> {
    Q::decode(message)
        .map_err(|error| Refusal::new("invalid_argument", "MALFORMED_MESSAGE", error.to_string()))
}

// === Games ===

fn list_games(language: Language) -> Vec<u8> {
    let mut games: Vec<_> = games::GAMES.iter().map(|&it| game_of((it, None), language)).collect();
    games.sort_by(|one, other| one.name.cmp(&other.name));
    v1::ListGamesResponse { games, next_page_token: String::new() }.encode_to_vec()
}

fn get_game(
    request: v1::GetGameRequest,
    language: Language,
) -> Result<v1::GetGameResponse, Refusal> {
    let name = names::game_id(&request.name);
    let name = name.map_err(|error| Refusal::invalid("name", error.to_string()))?;
    let game = games::find(name);
    let game = game
        .ok_or_else(|| Refusal::new("invalid_argument", "UNKNOWN_GAME", "there is no such game"))?;
    let rules = v1::Rules { primer: primer_of(game, language), ..page_of(game) };
    let game = v1::Game {
        layout: Some(layout_of(game, language)),
        refusals: refusals_of(game, language),
        rules: Some(rules),
        ..game_of((game, None), language)
    };
    Ok(v1::GetGameResponse { game: Some(game) })
}

// === Requests ===

/// The seat that acts: that of the person, unless the request names one.
fn acting(played: &Played, seat: Option<u32>) -> Result<Seat, Refusal> {
    let seats = || played.table.seats();
    let found = match seat {
        Some(named) => seats().find(|&it| number(it) == named),
        None => seats().find(|&it| played.bot(it).is_none()),
    };
    let found = found.filter(|&it| played.bot(it).is_none());
    found.ok_or_else(|| Refusal::invalid("seat", "no person has this seat"))
}

fn viewer_of(played: &Played, viewer: &str) -> Result<Viewer, Refusal> {
    match viewer {
        "" => acting(played, None).map(Viewer::Seat),
        names::SPECTATOR => Ok(Viewer::Spectator),
        names::HOUSE if played.table.ended() => Ok(Viewer::House),
        names::HOUSE => {
            let message = "the match has not ended, so it is not told in full";
            Err(Refusal::new("failed_precondition", "MATCH_NOT_ENDED", message))
        }
        seat => {
            let number = names::seat_number::<u32>(seat);
            let number = number.map_err(|error| Refusal::invalid("viewer", error.to_string()))?;
            // After the end everything is told anyway.
            match played.table.ended() {
                true => {
                    let seat = played.table.seats().find(|&it| self::number(it) == number);
                    let seat = seat.ok_or_else(|| Refusal::invalid("viewer", "no such seat"))?;
                    Ok(Viewer::Seat(seat))
                }
                false => acting(played, Some(number)).map(Viewer::Seat),
            }
        }
    }
}

fn check_position(position: Position, played: &Played) -> Result<(), Refusal> {
    match position {
        Position(..=0) => Err(Refusal::invalid("position", "positions are counted from 1")),
        it if it > played.position() => {
            let message = format!("the match is at position {}", played.position().0);
            Err(moved("POSITION_AHEAD", message, "position", Some(played.position())))
        }
        _ => Ok(()),
    }
}

/// The action, if it is of the game, or of every game, as its field says.
pub(crate) fn parsed(
    game: &dyn Game,
    action: &Action,
) -> Result<Box<dyn games::ParsedAction>, Refusal> {
    let is_of_kind = match action.game() {
        Some(of) => of == game.name() && !games::is_common(&action.body),
        None => action.is_of_every_game() && games::is_common(&action.body),
    };
    if !is_of_kind {
        let message = format!("the match is of {}, and the action is not", game.name());
        return Err(Refusal::new("invalid_argument", "MALFORMED_ACTION", message));
    }
    game.parse(&action.body).map_err(|it| Refusal::of_rules(game.name(), it))
}

pub(crate) fn motion_from(motion: i32) -> Result<Motion, Refusal> {
    let all = [Motion::EndWithoutResult, Motion::Pause, Motion::Resume];
    let found = all.into_iter().find(|&it| i32::from(motion_of(it)) == motion);
    found.ok_or_else(|| Refusal::invalid("motion", format!("there is no motion {motion}")))
}

fn moved(reason: &str, message: String, fact: &str, to: Option<Position>) -> Refusal {
    let facts = to.map(|it| (fact.to_owned(), it.0.to_string())).into_iter().collect();
    Refusal { facts, ..Refusal::new("failed_precondition", reason, message) }
}

// === Answers ===

fn reader(viewer: Viewer) -> Option<Seat> {
    match viewer {
        Viewer::Seat(seat) => Some(seat),
        Viewer::Spectator | Viewer::House => None,
    }
}

fn narrator(played: &Played, language: Language, reader: Option<Seat>) -> Narrator {
    Narrator::new(played.game, language, &played.cast().names(), reader)
}

fn in_words(refusal: Refusal, narrator: &Narrator) -> Refusal {
    let facts = refusal.facts.iter().map(|(name, fact)| (&**name, &**fact));
    let told = narrator.refusal(&refusal.reason, facts);
    Refusal { told: told.map(|it| Box::new((narrator.language().tag(), it))), ..refusal }
}

fn told(
    played: &Played,
    entry: &rows::RecordedEntry,
    viewer: Viewer,
    narrator: &Narrator,
) -> v1::Entry {
    let redacted = RedactedEntry::redact(played.row.match_id, played.game, entry, viewer);
    told_entry(narrator, &redacted)
}

fn legals(
    played: &Played,
    seat: Seat,
    table: &Table,
    actions: &[Legal],
    beside: &Beside,
    language: Language,
) -> v1::ListLegalActionsResponse {
    let (game, position, kinds) = (played.game, played.position(), kinds_of(actions));
    let legals = Legals { game, position, actions, kinds: &kinds, table, beside };
    told_legal(&narrator(played, language, Some(seat)), &legals)
}

fn match_of(played: &Played, language: Language) -> v1::Match {
    let Played { row, table, .. } = played;
    let state = if table.ended() { v1::MatchState::Ended } else { v1::MatchState::Running };
    let waiting = waiting_for(table.prompts(), table.is_paused());
    let own = table.seats().find(|&it| played.bot(it).is_none());
    let seats = table.seats().zip(&row.seated).map(|(seat, it)| v1::Seat {
        seat: number(seat),
        player: if played.bot(seat).is_some() { String::new() } else { it.player.clone() },
        display_name: it.display_name.clone().unwrap_or_default(),
        bot: played.bot(seat).unwrap_or_default().to_owned(),
        ..v1::Seat::default()
    });
    let mut options = row.terms.options.clone();
    KEPT_OPTIONS.iter().for_each(|it| drop(options.remove(*it)));
    let summary = narrator(played, language, own).summary(&Standing {
        open: 0,
        waiting_for: waiting,
        scores: table.scores().to_vec(),
        round: Some(table.round()),
        turn: Some(table.turn()),
        winners: table.winners(),
    });
    let vote = |&(seat, motion)| v1::Vote { seat: number(seat), motion: motion_of(motion).into() };
    v1::Match {
        name: match_name(row.match_id),
        game: game_name(&row.game),
        state: state.into(),
        seats: seats.collect(),
        entropy: v1::Entropy::ServiceOnly.into(),
        options: options.into_iter().collect(),
        position: wire_position(played.position()),
        create_time: Some(timestamp(row.create_time)),
        update_time: played.recorded.last().map(|it| timestamp(it.create_time)),
        waiting_for: waiting.iter().map(number).collect(),
        scores: table.scores().to_vec(),
        abandoned: table.winners().is_some_and(Seats::is_empty),
        paused: table.is_paused(),
        casual: true,
        from_device: true,
        votes: table.votes().iter().map(vote).collect(),
        winners: table.winners().into_iter().flat_map(Seats::iter).map(number).collect(),
        seed_commitment: hex::encode(row.terms.seed_commitment),
        seed: if table.ended() { hex::encode(played.seed) } else { String::new() },
        round: Some(table.round().into()),
        turn: Some(number(table.turn())),
        reveal: v1::Reveal::AtEnd.into(),
        summary,
        ..v1::Match::default()
    }
}
