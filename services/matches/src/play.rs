//! Accepting an action: it is parsed once, decided on the newest table, made durable, then applied.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use games::{ParsedAction, Refused};
use store::{Append, Digest, Draft, MatchId, Outage, Position, Substitute, look_alike};
use table::{
    ADD_TIME, Entry, Event, LastAction, Motion, OPEN, RESIGN, SAY, STAND, Seat, Small, TAKE_BACK,
    TIMEOUT, Table, VOTE, Viewer,
};
use time::OffsetDateTime;
use tokio::time::timeout;

use crate::create::{self, bot_level, check_player, speech_key};
use crate::detached::Detached;
use crate::display_names;
use crate::live::{Head, LiveMatch, RequestStatus};
use crate::queries::Source;
use crate::rows::RecordedEntry;
use crate::{Caller, Error, Expected, Matches, RedactedEntry, Submission, Summary, now, timeouts};

/// Each lost attempt means that another entry was accepted, so the match makes progress either way.
/// A request that loses this many in a row is refused: the match is too busy.
const ATTEMPTS_MAX: usize = 32;

/// How long an action waits for earlier ones of its match. Longer than one append may take, so that
/// only a real queue is shed.
const TURN_WAIT: Duration = Duration::from_secs(6);

/// Request ids are chosen by clients: a UUID or the number of a chat message fits.
const REQUEST_ID_BYTES_MAX: usize = 64;

/// How many entries are read for the last action of a seat: most often nobody has talked since, and
/// what lies further back than the last of these cannot be taken back.
const LOOKING_BACK: [i64; 2] = [8, 64];

/// The request id of the set-up, so that it happens once. It has a space, so no client can use it.
pub(crate) const SET_UP_ID: &str = "set up";

/// An action as a client sent it, with its message.
#[derive(Clone, Debug)]
pub struct Action {
    /// The game of the message; none for an action of every game.
    pub game: Option<&'static str>,
    pub body: Bytes,
}

/// What a caller wants recorded.
pub(crate) enum Command {
    SetUp,
    Act(Seat, Box<dyn ParsedAction>),
    Resign(Seat),
    /// The time of the seat has run out.
    TimeOut(Seat),
    /// Gives back the time of an outage to those who had to decide in it.
    Excuse(Outage),
    TakeBack(Seat),
    Vote(Vote),
    /// What the platform orders.
    Order(Motion),
    Replace(Replacement),
}

/// Another player for a seat.
pub(crate) struct Replacement {
    seat: Seat,
    /// Whether the platform says that its player is gone.
    is_gone: bool,
    substitute: Substitute,
}

/// A player who takes over a seat.
#[derive(Clone, Debug)]
pub struct NewSubstitute {
    /// Empty for a bot.
    pub player: String,
    /// Empty if none is given.
    pub display_name: String,
    /// The level of the bot that takes over instead; empty for a player.
    pub bot: String,
    pub seat: Seat,
    /// Whether the seat's player is gone, so that the seat need not have resigned.
    pub is_gone: bool,
    pub request_id: Option<String>,
}

/// A vote of a seat for a motion; off if it withdraws one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Vote {
    pub seat: Seat,
    pub motion: Motion,
    pub on: bool,
}

impl Matches {
    /// Accepts an action, once, and returns its entry as the seat sees it.
    pub async fn submit(
        &self,
        caller: &Caller,
        submission: Submission,
    ) -> Result<RedactedEntry, Error> {
        self.budgets().of(&caller.platform).check_action(&caller.grant)?;
        let Submission { match_id, seat, action, expected, request_id } = submission;
        let live = self.live(caller, match_id).await?;
        let seat = caller.acting_seat(&live, seat)?;
        let command = Command::Act(seat, parse(&live, &action)?);
        self.accept_for_seat(&live, command, seat, expected, request_id).await
    }

    /// Resigns a seat.
    pub async fn resign(
        &self,
        caller: &Caller,
        match_id: MatchId,
        seat: Option<Seat>,
        request_id: Option<String>,
    ) -> Result<RedactedEntry, Error> {
        self.budgets().of(&caller.platform).check_action(&caller.grant)?;
        let live = self.live(caller, match_id).await?;
        let seat = caller.acting_seat(&live, seat)?;
        let expected = Expected::default();
        self.accept_for_seat(&live, Command::Resign(seat), seat, expected, request_id).await
    }

    /// Takes back the last action of a seat.
    pub async fn take_back(
        &self,
        caller: &Caller,
        match_id: MatchId,
        seat: Option<Seat>,
        expected: Expected,
        request_id: Option<String>,
    ) -> Result<RedactedEntry, Error> {
        self.budgets().of(&caller.platform).check_action(&caller.grant)?;
        let live = self.live(caller, match_id).await?;
        let seat = live.check_seat(caller.acting_seat(&live, seat)?)?;
        self.accept_for_seat(&live, Command::TakeBack(seat), seat, expected, request_id).await
    }

    /// Votes for a motion, or withdraws the vote. It is carried with the last vote that it takes.
    pub async fn vote(
        &self,
        caller: &Caller,
        match_id: MatchId,
        seat: Option<Seat>,
        motion: Motion,
        on: bool,
        request_id: Option<String>,
    ) -> Result<RedactedEntry, Error> {
        self.budgets().of(&caller.platform).check_action(&caller.grant)?;
        let live = self.live(caller, match_id).await?;
        let seat = live.check_seat(caller.acting_seat(&live, seat)?)?;
        let command = Command::Vote(Vote { seat, motion, on });
        self.accept_for_seat(&live, command, seat, Expected::default(), request_id).await
    }

    /// Does at once what the seats could vote for.
    pub async fn order(
        &self,
        caller: &Caller,
        match_id: MatchId,
        motion: Motion,
        request_id: Option<String>,
    ) -> Result<RedactedEntry, Error> {
        caller.platform()?;
        self.budgets().of(&caller.platform).check_action(&caller.grant)?;
        check_request_id(request_id.as_deref())?;
        let live = self.live(caller, match_id).await?;
        let expected = Expected::default();
        let entry = self.accept(&live, Command::Order(motion), expected, request_id).await?;
        Ok(RedactedEntry::of(&live, &entry, Viewer::Spectator))
    }

    /// Seats another player on a seat whose player has resigned, or is gone. Returns the entry as a
    /// spectator sees it.
    pub async fn replace(
        &self,
        caller: &Caller,
        match_id: MatchId,
        new: NewSubstitute,
    ) -> Result<(RedactedEntry, Summary), Error> {
        caller.platform()?;
        self.budgets().of(&caller.platform).check_action(&caller.grant)?;
        let NewSubstitute { player, display_name, bot, seat, is_gone, request_id } = new;
        check_request_id(request_id.as_deref())?;
        let level = Some(bot).filter(|bot| !bot.is_empty());
        let level = level.map(|bot| bot_level("bot", &bot)).transpose()?;
        match level {
            Some(_) if !player.is_empty() || !display_name.is_empty() => {
                return Err(Error::invalid("bot", "a bot has no player and no name of its own"));
            }
            Some(_) => {}
            None => check_player("player", &player)?,
        }
        let display_name = display_names::parse("display_name", &display_name)?;
        let live = self.live(caller, match_id).await?;
        let seat = live.check_seat(seat)?;
        let (player, display_name) = match level {
            None => (player, display_name),
            Some(level) => {
                // Before a bot sits there: otherwise a process that ends in between leaves a bot
                // for which nobody plays.
                self.0.store.note_bots(live.platform(), match_id).await?;
                let (id, name) = create::bot(level, seat);
                (id, Some(name))
            }
        };
        let is_gone = is_gone || live.has_bot(seat);
        let speech_key = (level.is_none() && live.talk() != "off").then(speech_key);
        let number = u8::from(seat).into();
        let substitute = Substitute { seat: number, player, display_name, speech_key };
        let command = Command::Replace(Replacement { seat, is_gone, substitute });
        let entry = self.accept(&live, command, Expected::default(), request_id).await?;
        let entry = RedactedEntry::of(&live, &entry, Viewer::Spectator);
        let summary = self.get(caller, match_id).await.map_err(Error::after_write)?;
        Ok((entry, summary))
    }

    async fn accept_for_seat(
        &self,
        live: &Arc<LiveMatch>,
        command: Command,
        seat: Seat,
        expected: Expected,
        request_id: Option<String>,
    ) -> Result<RedactedEntry, Error> {
        check_request_id(request_id.as_deref())?;
        let entry = self.accept(live, command, expected, request_id).await?;
        Ok(RedactedEntry::of(live, &entry, Viewer::Seat(seat)))
    }

    /// Accepts a command. It completes even if the caller drops this future.
    pub(crate) async fn accept(
        &self,
        live: &Arc<LiveMatch>,
        command: Command,
        expected: Expected,
        request_id: Option<String>,
    ) -> Result<Arc<RecordedEntry>, Error> {
        let (matches, mut live) = (self.clone(), live.clone());
        let accepting = async move {
            loop {
                let request_id = request_id.clone();
                let accepted = matches.accept_in_turn(&live, &command, expected, request_id).await;
                if let Err(Error::RecordWentBack { .. }) = accepted {
                    // What this match was read from is lost; the record says what holds.
                    live = Box::pin(matches.load(live.platform(), live.id())).await?;
                    continue;
                }
                if live.has_ended() {
                    matches.0.live.ended(&live);
                } else if accepted.is_ok() && live.has_bots() {
                    matches.0.live.bots.add(&live, Duration::ZERO);
                }
                return accepted;
            }
        };
        Detached::new(accepting).await?
    }

    async fn accept_in_turn(
        &self,
        live: &LiveMatch,
        command: &Command,
        expected: Expected,
        request_id: Option<String>,
    ) -> Result<Arc<RecordedEntry>, Error> {
        // Callers queued on one match hold no slot of the global limit until their turn comes.
        let _queued = live.queue.try_acquire().map_err(|_| Error::Overloaded)?;
        let turn = async { (live.writing.lock().await, self.action_slot(live.platform()).await) };
        let (_writing, slot) = timeout(TURN_WAIT, turn).await.map_err(|_| Error::Overloaded)?;
        let _slot = slot?;
        for _ in 0..ATTEMPTS_MAX {
            match self.attempt(live, command, expected, request_id.as_deref()).await? {
                Attempt::Recorded(entry) | Attempt::Repeated(entry) => return Ok(entry),
                Attempt::Conflict => {}
            }
        }
        Err(Error::Overloaded)
    }

    async fn attempt(
        &self,
        live: &LiveMatch,
        command: &Command,
        expected: Expected,
        request_id: Option<&str>,
    ) -> Result<Attempt, Error> {
        if !live.is_current(&self.0.store) {
            return Err(Error::RecordWentBack { position: None, marks: None });
        }
        let head = match live.request_status(command.seat(), request_id) {
            RequestStatus::New(head) => head,
            RequestStatus::Recorded(position) => {
                return Box::pin(self.repeat(live, position, command)).await;
            }
        };
        if let Command::Act(seat, _) | Command::TakeBack(seat) | Command::Vote(Vote { seat, .. }) =
            command
        {
            let budget = self.budgets().of(live.platform());
            budget.check_seat_entries(live.acted(*seat))?;
        }
        let last = match command {
            Command::TakeBack(seat) => self.last_action(live, &head, *seat).await?,
            _ => None,
        };
        match decide(live, &head, command, expected, last.as_ref()) {
            Ok(decision) => {
                drop(head);
                self.record(live, decision, request_id).await
            }
            // A refusal, too, must be decided on the newest table, and another process may have
            // moved the match on.
            Err(refused) => {
                Box::pin(live.refresh(&self.0.store)).await?;
                if live.position() == head.position { Err(refused) } else { Ok(Attempt::Conflict) }
            }
        }
    }

    /// The last entry up to the head that was more than an aside, if this seat made it.
    async fn last_action(
        &self,
        live: &LiveMatch,
        head: &Head,
        seat: Seat,
    ) -> Result<Option<LastAction>, Error> {
        for count in LOOKING_BACK {
            let after = Position((head.position.0 - count).max(0));
            let entries = live.entries_after(&self.0.store, after, count as usize).await?;
            let mut entries = entries.iter().rev().filter(|it| it.position <= head.position);
            let Some(last) = entries.find(|it| !it.entry.is_aside()) else { continue };
            if last.entry.seat != Some(seat) {
                return Ok(None);
            }
            let before = Position(last.position.0 - 1);
            let before = self.table_at(live, Source::Memory, before).await?;
            let age = u32::try_from(head.position.0 - last.position.0 + 1).unwrap_or(u32::MAX);
            return Ok(Some(LastAction { before, entry: last.entry.clone(), age }));
        }
        Ok(None)
    }

    /// Answers a request that was recorded before.
    async fn repeat(
        &self,
        live: &LiveMatch,
        position: Position,
        command: &Command,
    ) -> Result<Attempt, Error> {
        let before = Position(position.0 - 1);
        let recorded = live.entries_after(&self.0.store, before, 1).await?.pop();
        let recorded = recorded.ok_or_else(|| Error::Internal("the log has a gap".into()))?;
        if command.is_recorded_by(&recorded.entry) {
            Ok(Attempt::Repeated(recorded))
        } else {
            Err(Error::RequestIdReused)
        }
    }

    async fn record(
        &self,
        live: &LiveMatch,
        decision: Decision,
        request_id: Option<&str>,
    ) -> Result<Attempt, Error> {
        let Decision { position, entry, after, before, not_before, substitute } = decision;
        let create_time = now().max(not_before);
        let request_id = request_id.map(str::to_owned);
        let mut entry = RecordedEntry { position, create_time, request_id, entry, digest: None };
        live.seal(position, &mut entry.entry)?;
        let body = entry.entry.encode();
        let digest = live.digest(before, &entry, &body);
        entry.digest = Some(digest);
        let entry = Arc::new(entry);
        let draft = Draft {
            match_id: live.id(),
            position,
            request_id: entry.request_id.clone(),
            create_time,
            body,
            before: Some(before).filter(|_| position != Position::START.next()),
            digest,
            epoch: live.epoch(),
            substitute: substitute.clone(),
        };
        match self.0.writer.append(draft).await {
            Ok(Append::Recorded) => {
                substitute.iter().for_each(|it| live.substitute(position, it));
                live.apply_decided(entry.clone(), after);
                live.save_snapshots(&self.0.store);
                Ok(Attempt::Recorded(entry))
            }
            Ok(Append::Conflict) => {
                Box::pin(live.refresh(&self.0.store)).await?;
                Ok(Attempt::Conflict)
            }
            Err(error) => Err(error.into()),
        }
    }
}

enum Attempt {
    Recorded(Arc<RecordedEntry>),
    /// The same request was recorded before.
    Repeated(Arc<RecordedEntry>),
    /// Another entry was accepted in between: decide again.
    Conflict,
}

/// An entry to record at `position`, and the table after it.
struct Decision {
    position: Position,
    entry: Entry,
    after: Arc<Table>,
    /// The digest of the head it was decided on.
    before: Digest,
    /// The time of that head: times never go back within a match, although clocks do.
    not_before: OffsetDateTime,
    /// Who takes over a seat.
    substitute: Option<Box<Substitute>>,
}

impl Command {
    /// The seat that acts; none for the house.
    fn seat(&self) -> Option<Seat> {
        match self {
            Command::SetUp | Command::Order(_) | Command::Replace(_) | Command::Excuse(_) => None,
            Command::Act(seat, _)
            | Command::Resign(seat)
            | Command::TakeBack(seat)
            | Command::TimeOut(seat) => Some(*seat),
            Command::Vote(vote) => Some(vote.seat),
        }
    }

    /// Whether `entry` is what this command records.
    fn is_recorded_by(&self, entry: &Entry) -> bool {
        match self {
            Command::SetUp => entry.seat.is_none() && entry.verb == OPEN,
            Command::Act(seat, action) => {
                entry.seat == Some(*seat) && entry.records(&action.canonical())
            }
            Command::Resign(seat) => entry.seat == Some(*seat) && entry.verb == RESIGN,
            Command::TakeBack(seat) => entry.seat == Some(*seat) && entry.verb == TAKE_BACK,
            Command::Vote(Vote { seat, motion, on }) => {
                let voted = Event::Voted { seat: *seat, motion: *motion, on: *on };
                entry.verb == VOTE && entry.events.first() == Some(&voted)
            }
            Command::Order(motion) => entry.seat.is_none() && entry.verb == motion.verb(),
            Command::Replace(Replacement { seat, .. }) => {
                entry.events.first() == Some(&Event::Replaced { seat: *seat })
            }
            Command::TimeOut(seat) => entry.seat == Some(*seat) && entry.verb == TIMEOUT,
            Command::Excuse(_) => entry.verb == ADD_TIME,
        }
    }
}

pub(crate) fn parse(live: &LiveMatch, action: &Action) -> Result<Box<dyn ParsedAction>, Error> {
    let game = live.game.name();
    if let Some(other) = action.game.filter(|it| *it != game) {
        let message = format!("the match is of {game}, but the action is of {other}");
        return Err(Error::MalformedAction(message));
    }
    if games::is_common(&action.body) != action.game.is_none() {
        let message = "the action is not in the field of its kind".to_owned();
        return Err(Error::MalformedAction(message));
    }
    live.game.parse(&action.body).map_err(|refused| refusal(live, refused))
}

/// How often a seat may talk, or declare standing answers, until a turn, phase or round begins.
/// Every such entry is kept for good and sent to everyone.
const ASIDES_MAX: u8 = 40;

/// Refuses talk where the match has none, and more of it than the match allows.
fn check_aside(live: &LiveMatch, head: &Head, command: &Command) -> Result<(), Error> {
    let Command::Act(seat, action) = command else { return Ok(()) };
    let has_limit = match action.verb() {
        SAY => match live.talk() {
            "off" => return Err(Error::TalkOff),
            talk => talk != "unlimited",
        },
        verb => verb == STAND,
    };
    let asides = head.table.as_ref().map_or(0, |table| table.asides(*seat));
    if has_limit && asides >= ASIDES_MAX {
        return Err(Error::TooManyAsides { most: ASIDES_MAX });
    }
    Ok(())
}

/// Decides a command on the head as this process knows it.
fn decide(
    live: &LiveMatch,
    head: &Head,
    command: &Command,
    expected: Expected,
    last: Option<&LastAction>,
) -> Result<Decision, Error> {
    if expected.position.is_some_and(|expected| expected != head.position) {
        return Err(Error::PositionMoved { position: head.position });
    }
    if expected.prompt.is_some() {
        let prompt = command.seat().and_then(|seat| head.prompt(seat));
        if prompt != expected.prompt {
            return Err(Error::PromptMoved { prompt });
        }
    }
    check_aside(live, head, command)?;
    let position = head.position.next();
    // Read once: the first entry tells exactly what its chance follows from.
    let before_deal;
    let (contributions, choices) = match &head.table {
        Some(table) => (table.contributions(), table.choices()),
        None => {
            before_deal = live.contributions();
            (&before_deal[..], 0)
        }
    };
    let mut chance = live.chance(contributions, choices);
    let decided = match (command, &head.table) {
        (Command::SetUp, None) => {
            let options = live.game.check_options(&live.options, live.seats());
            let options = options.map_err(|error| Error::Internal(error.into()))?;
            Ok(live.game.open(live.seats(), &options, contributions, &mut chance))
        }
        (Command::SetUp, Some(_)) => {
            return Err(Error::Internal("the match is already set up".into()));
        }
        (_, None) => return Err(Error::NotStarted),
        (Command::Act(seat, action), Some(table)) => action.play(table, *seat, &mut chance),
        (Command::Resign(seat), Some(table)) => live.game.resign(table, *seat, &mut chance),
        (Command::TakeBack(seat), Some(table)) => live.game.take_back(table, last, *seat),
        (Command::Vote(Vote { seat, motion, on }), Some(table)) => {
            live.game.vote(table, *seat, *motion, *on)
        }
        (Command::Order(motion), Some(table)) => live.game.order(table, *motion),
        (Command::Replace(it), Some(table)) => {
            check_substitute(live, it)?;
            live.game.replace(table, it.seat, it.is_gone)
        }
        (Command::TimeOut(seat), Some(table)) => {
            let clocks = timeouts::check_due(head, *seat, now())?;
            live.game.time_out(table, *seat, clocks.resigns(*seat), &mut chance)
        }
        (Command::Excuse(outage), Some(table)) => {
            let added = timeouts::time_lost(head, *outage)?;
            live.game.add_time(table, &added, &mut chance)
        }
    };
    let (after, entry) = decided.map_err(|refused| refusal(live, refused))?;
    let not_before = head.update_time.unwrap_or(live.row().create_time);
    let substitute = match command {
        Command::Replace(it) => Some(Box::new(it.substitute.clone())),
        _ => None,
    };
    let (after, before) = (Arc::new(after), head.digest);
    Ok(Decision { position, entry, after, before, not_before, substitute })
}

/// Refuses a player who sits in the match, who has left it, or who could be taken for one who sits
/// there.
fn check_substitute(live: &LiveMatch, it: &Replacement) -> Result<(), Error> {
    let Substitute { player, display_name, .. } = &it.substitute;
    for (seat, seated) in live.players().into_iter().enumerate() {
        let (Some(seat), Some(seated)) = (Seat::nth(seat), seated) else { continue };
        if seated.player == *player {
            return Err(Error::AlreadySeated { seat });
        }
        if seated.before.iter().any(|past| past.player == *player) {
            return Err(Error::PlayerLeft);
        }
        let names = (&*seated.player, seated.display_name.as_deref());
        if seat != it.seat && look_alike((player, display_name.as_deref()), names) {
            return Err(Error::DisplayNameTaken);
        }
    }
    Ok(())
}

fn refusal(live: &LiveMatch, refused: Refused) -> Error {
    match refused {
        Refused::Malformed(message) => Error::MalformedAction(message),
        Refused::Table { reason, message, facts } => {
            Error::Refused { game: None, reason, message, facts }
        }
        Refused::Rules { reason, message, facts } => {
            Error::Refused { game: Some(live.game.name()), reason, message, facts }
        }
    }
}

pub(crate) fn check_request_id(request_id: Option<&str>) -> Result<(), Error> {
    let fits = |id: &str| {
        (1..=REQUEST_ID_BYTES_MAX).contains(&id.len())
            && id.bytes().all(|byte| byte.is_ascii_graphic())
    };
    if request_id.is_none_or(fits) {
        Ok(())
    } else {
        let rule =
            format!("a request_id must have 1 to {REQUEST_ID_BYTES_MAX} visible ASCII characters");
        Err(Error::invalid("request_id", rule))
    }
}

#[cfg(test)]
mod tests {
    use games::Step;

    use super::*;
    use crate::fixtures::{GAME, Played};

    /// The command of a recorded step.
    fn command(live: &LiveMatch, step: &Step) -> Command {
        let action = Action { game: Some(GAME), body: step.action.clone() };
        Command::Act(step.seat, parse(live, &action).expect("a recorded action parses"))
    }

    #[test]
    fn deciding_a_whole_match_reproduces_it_from_its_seed() {
        let played = Played::new();
        let live = played.live();
        let mut command_of_entry = vec![(Command::SetUp, &played.playout.opening.1)];
        for step in &played.playout.steps {
            command_of_entry.push((command(&live, step), &step.entry));
        }
        for (position, (command, entry)) in (1..).zip(command_of_entry) {
            let decision = decide(&live, &live.head(), &command, Expected::default(), None)
                .expect("it is legal");
            assert_eq!(decision.position, Position(position));
            assert_eq!(decision.entry, *entry);
            assert!(command.is_recorded_by(entry));
            live.apply_decided(Arc::new(played.recorded(position)), decision.after);
        }
        assert_eq!(live.position(), Position(played.last()));
    }

    #[test]
    fn talk_does_not_change_what_is_drawn_next() {
        let played = Played::new();
        let uses_chance = |step: &&Step| !step.entry.choices.is_empty();
        let at = played.playout.steps.iter().position(|step| uses_chance(&step));
        let at = at.expect("something is drawn");
        let drawing = &played.playout.steps[at];
        let decide_after = |asides: &[&str]| {
            let live = played.live();
            live.apply((1..=at as i64 + 1).map(|position| Arc::new(played.recorded(position))));
            for text in asides {
                let head = live.head();
                let table = head.table.expect("the match is dealt");
                let mut chance = live.chance(table.contributions(), table.choices());
                let said = live.game.play(&table, drawing.seat, &games::say(text), &mut chance);
                let (after, entry) = said.expect("it is a text");
                let entry =
                    RecordedEntry { position: head.position.next(), entry, ..played.recorded(1) };
                live.apply_decided(Arc::new(entry), Arc::new(after));
            }
            let command = command(&live, drawing);
            let decided = decide(&live, &live.head(), &command, Expected::default(), None);
            decided.expect("it is legal").entry
        };
        let drawn = decide_after(&[]);
        assert_eq!(drawn, drawing.entry);
        let after_talk = decide_after(&["Well?", "Go on."]);
        assert_eq!((after_talk.events, after_talk.choices), (drawn.events, drawn.choices));
    }

    #[test]
    fn a_command_recognizes_its_own_entry_only() {
        let played = Played::new();
        let live = played.live();
        let [first, second] = [&played.playout.steps[0], &played.playout.steps[1]];
        assert!(!command(&live, first).is_recorded_by(&second.entry));
        assert!(!Command::Resign(first.seat).is_recorded_by(&first.entry));
        assert!(!Command::SetUp.is_recorded_by(&first.entry));
        let Command::Act(_, action) = command(&live, first) else { unreachable!() };
        let of_other_seat = Command::Act(Seat::try_from(u8::from(first.seat) + 1).unwrap(), action);
        assert!(!of_other_seat.is_recorded_by(&first.entry), "the same action of another seat");
        let other = Entry { action: second.entry.action.clone(), ..first.entry.clone() };
        assert!(!command(&live, first).is_recorded_by(&other), "another action of the same seat");
        live.apply([Arc::new(played.recorded(1))]);
        let resign = Command::Resign(first.seat);
        let resigned = decide(&live, &live.head(), &resign, Expected::default(), None)
            .expect("any seat may resign");
        assert!(resign.is_recorded_by(&resigned.entry));
    }

    #[test]
    fn an_expected_position_must_be_the_head() {
        let played = Played::new();
        let live = played.live();
        live.apply([Arc::new(played.recorded(1))]);
        let command = command(&live, &played.playout.steps[0]);
        let decide = |position| {
            let expected = Expected { position: Some(Position(position)), prompt: None };
            decide(&live, &live.head(), &command, expected, None)
        };
        assert!(decide(1).is_ok());
        for expected in [0, 2] {
            let moved = decide(expected).err();
            assert!(matches!(moved, Some(Error::PositionMoved { position: Position(1) })));
        }
    }

    #[test]
    fn a_match_is_played_only_between_its_set_up_and_its_end() {
        let played = Played::new();
        let live = played.live();
        let first = command(&live, &played.playout.steps[0]);
        let decide = |command: &Command| {
            decide(&live, &live.head(), command, Expected::default(), None).err()
        };
        assert!(matches!(decide(&first), Some(Error::NotStarted)));
        live.apply((1..=played.last()).map(|position| Arc::new(played.recorded(position))));
        assert!(matches!(decide(&Command::SetUp), Some(Error::Internal(_))));
        let refused = decide(&first);
        assert!(matches!(refused, Some(Error::Refused { game: None, reason: "MATCH_ENDED", .. })));
    }

    #[test]
    fn an_action_of_another_game_is_malformed() {
        let played = Played::new();
        let live = played.live();
        let body = played.playout.steps[0].action.clone();
        for game in ["rigs", "grifters"] {
            let parsed = parse(&live, &Action { game: Some(game), body: body.clone() }).err();
            assert!(matches!(parsed, Some(Error::MalformedAction(_))));
        }
        let parsed =
            parse(&live, &Action { game: Some(GAME), body: Bytes::from_static(&[255]) }).err();
        assert!(matches!(parsed, Some(Error::MalformedAction(_))));
    }

    #[test]
    fn request_ids_are_visible_ascii_of_bounded_length() {
        assert!(check_request_id(None).is_ok());
        assert!(check_request_id(Some(&"r".repeat(REQUEST_ID_BYTES_MAX))).is_ok());
        for id in ["", SET_UP_ID, "é", &"r".repeat(REQUEST_ID_BYTES_MAX + 1)] {
            assert!(check_request_id(Some(id)).is_err(), "{id:?}");
        }
    }
}
