//! Deciding a command on the head of a match. Nothing is written here.

use std::sync::Arc;

use positions::{Digest, Position};
use rows::look_alike;
use store::Substitute;
use table::{Entry, LastAction, SAY, STAND, Seat, Small, Table};
use time::OffsetDateTime;

use super::clocks::{check_due, time_lost};
use super::command::{Command, Expected, Replacement, Vote, refusal};
use crate::error::Error;
use crate::live::{Head, LiveMatch};

/// An entry to record at `position`, and the table after it.
pub(super) struct Decision {
    pub position: Position,
    pub entry: Entry,
    pub after: Arc<Table>,
    /// The digest of the head that it was decided on.
    pub before: Digest,
    /// The time of that head, or the deadline that has passed. Times never go back within a match,
    /// even if the database's clock does.
    pub not_before: OffsetDateTime,
    /// The player who takes over a seat.
    pub substitute: Option<Box<Substitute>>,
}

/// How often a seat may talk, or declare standing answers, until the next turn, phase or round
/// begins. Every such entry is kept for good and sent to everyone.
const ASIDES_MAX: u8 = 40;

/// Refuses talk in a match without talk, and more asides than are allowed.
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

/// Decides a command on the head that this process knows.
pub(super) fn decide(
    live: &LiveMatch,
    head: &Head,
    command: &Command,
    expected: Expected,
    last: Option<&LastAction>,
) -> Result<Decision, Error> {
    if let Some(expected) = expected.position.filter(|expected| *expected != head.position) {
        return Err(Error::PositionMoved { position: head.position, expected });
    }
    if expected.prompt.is_some() {
        let prompt = command.seat().and_then(|seat| head.prompt(seat));
        if prompt != expected.prompt {
            return Err(Error::PromptMoved { prompt });
        }
    }
    check_aside(live, head, command)?;
    let position = head.position.next();
    // Read once, because the first entry must record exactly the contributions that its chance
    // follows from.
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
            let options = live.game.check_options(live.options(), live.seats());
            let options = options.map_err(|error| Error::Internal(error.into()))?;
            live.game.open(live.seats(), &options, contributions, &mut chance)
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
        (Command::TimeOut(seat, now), Some(table)) => {
            let clocks = check_due(head, *seat, *now)?;
            live.game.time_out(table, *seat, clocks.resigns(*seat), &mut chance)
        }
        (Command::Excuse(outage), Some(table)) => {
            let added = time_lost(head, *outage)?;
            live.game.add_time(table, &added, &mut chance)
        }
    };
    let (after, entry) = decided.map_err(|refused| refusal(live, refused))?;
    let last = head.update_time.unwrap_or(live.row().create_time);
    let deadline = match command {
        Command::TimeOut(seat, _) => head.clocks.as_ref().and_then(|it| it.deadline(*seat)),
        _ => None,
    };
    let not_before = deadline.map_or(last, |deadline| deadline.max(last));
    let substitute = match command {
        Command::Replace(it) => Some(Box::new(it.substitute.clone())),
        _ => None,
    };
    let (after, before) = (Arc::new(after), head.digest);
    Ok(Decision { position, entry, after, before, not_before, substitute })
}

/// Refuses a player who is seated, was replaced before, or could be mistaken for another seated
/// player.
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

#[cfg(test)]
mod tests {
    use games::Step;

    use super::*;
    use crate::accepting::command::{Action, ActionOf, parse};
    use crate::fixtures::Played;
    use rows::RecordedEntry;

    /// The command of a recorded step.
    fn command(live: &LiveMatch, step: &Step) -> Command {
        let action = Action { of: ActionOf::Own, body: step.action.clone() };
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
        for (expected, message) in [
            (0, "the match has moved past position 0, to position 1"),
            (2, "the match is at position 1 and has not reached 2"),
        ] {
            let moved = decide(expected).err().expect("it is another position");
            assert!(matches!(moved, Error::PositionMoved { position: Position(1), .. }));
            assert_eq!(moved.to_string(), message);
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
}
