//! Commands: requests of seats, the platform and agents to record something.

use std::sync::Arc;

use bytes::Bytes;
use games::{ParsedAction, Refused};
use positions::Position;
use store::{Outage, Substitute};
use table::{ADD_TIME, Entry, Event, Motion, OPEN, RESIGN, Seat, TAKE_BACK, TIMEOUT, VOTE};
use time::OffsetDateTime;

use crate::error::Error;
use crate::live::LiveMatch;
use crate::matches::Matches;

/// The request id of the set-up, so that a match is dealt once. It contains a space, so no client
/// can use it.
pub(crate) const SET_UP_ID: &str = "set up";

/// A request to record something in a match.
pub(crate) enum Command {
    SetUp,
    Act(Seat, Box<dyn ParsedAction>),
    Resign(Seat),
    /// The time of the seat had run out by then.
    TimeOut(Seat, OffsetDateTime),
    /// Gives back the time of an outage to the seats that had to decide during it.
    Excuse(Outage),
    TakeBack(Seat),
    Vote(Vote),
    /// A motion carried out at once, as the platform orders.
    Order(Motion),
    Replace(Replacement),
}

/// Another player for a seat.
pub(crate) struct Replacement {
    pub seat: Seat,
    /// Whether the platform says that the seat's player is gone.
    pub is_gone: bool,
    pub substitute: Substitute,
}

/// A vote of a seat for a motion; `on` is false if the seat withdraws its vote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Vote {
    pub seat: Seat,
    pub motion: Motion,
    pub on: bool,
}

/// An action as a client sent it, with its message.
#[derive(Clone, Debug)]
pub struct Action {
    pub of: ActionOf,
    pub body: Bytes,
}

/// Which games have an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionOf {
    EveryGame,
    /// A game that is compiled in, by its name.
    Game(&'static str),
    /// A game that is a module: the message is in its JSON form, as a `google.protobuf.Struct`.
    Module,
    /// The game of the match, whichever it is, in its own message.
    Own,
}

/// Preconditions of an action; the empty ones are not checked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expected {
    /// The position of the match must be this one.
    pub position: Option<Position>,
    /// The seat's prompt must be the one that was opened at this position.
    pub prompt: Option<Position>,
}

impl Command {
    /// The seat that acts; `None` if the house does.
    pub fn seat(&self) -> Option<Seat> {
        match self {
            Command::SetUp | Command::Order(_) | Command::Replace(_) | Command::Excuse(_) => None,
            Command::Act(seat, _)
            | Command::Resign(seat)
            | Command::TakeBack(seat)
            | Command::TimeOut(seat, _) => Some(*seat),
            Command::Vote(vote) => Some(vote.seat),
        }
    }

    /// Whether this command recorded `entry`.
    pub fn is_recorded_by(&self, entry: &Entry) -> bool {
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
            Command::TimeOut(seat, _) => entry.seat == Some(*seat) && entry.verb == TIMEOUT,
            Command::Excuse(_) => entry.verb == ADD_TIME,
        }
    }
}

impl Matches {
    /// Asks the rules of a match something: see [`Budgets::by_rules`].
    ///
    /// [`Budgets::by_rules`]: crate::access::Budgets
    pub(crate) fn by_rules<T: Send + 'static>(
        &self,
        live: &LiveMatch,
        ask: impl FnOnce() -> T + Send + 'static,
    ) -> impl Future<Output = Result<T, Error>> {
        self.budgets().by_rules(live.platform(), live.game, ask)
    }

    /// An action as the rules of its match understand it.
    pub(crate) async fn parse(
        &self,
        live: &Arc<LiveMatch>,
        action: Action,
    ) -> Result<Box<dyn ParsedAction>, Error> {
        let its = live.clone();
        self.by_rules(live, move || parse(&its, &action)).await?
    }

    /// The same command by the rules of this match, which was read again since: see
    /// [`LiveMatch::is_dealt_by_others`].
    pub(super) async fn by_rules_of(
        &self,
        live: &Arc<LiveMatch>,
        command: Arc<Command>,
    ) -> Result<Arc<Command>, Error> {
        let Command::Act(seat, action) = &*command else { return Ok(command) };
        let (its, message) = (live.clone(), action.canonical());
        let parsed = self.by_rules(live, move || {
            its.game.parse(&message).map_err(|refused| refusal(&its, refused))
        });
        Ok(Arc::new(Command::Act(*seat, parsed.await??)))
    }
}

pub(super) fn parse(live: &LiveMatch, action: &Action) -> Result<Box<dyn ParsedAction>, Error> {
    let game = live.game.name();
    let from_form;
    let body = match action.of {
        ActionOf::EveryGame | ActionOf::Own => &action.body,
        ActionOf::Game(other) if other == game && !live.is_of_module() => &action.body,
        ActionOf::Game(other) => {
            let message = format!("the match is of {game}, but the action is of {other}");
            return Err(Error::MalformedAction(message));
        }
        ActionOf::Module if live.is_of_module() => {
            from_form = games::action_from_struct(live.game, &action.body)
                .map_err(Error::MalformedAction)?;
            &from_form
        }
        ActionOf::Module => {
            let message = format!("the game {game} is no module: use its own field");
            return Err(Error::MalformedAction(message));
        }
    };
    if games::is_common(body) != (action.of == ActionOf::EveryGame) {
        let message = "the action is not in the field of its kind".to_owned();
        return Err(Error::MalformedAction(message));
    }
    live.game.parse(body).map_err(|refused| refusal(live, refused))
}

/// The error of a refusal by the rules.
pub(crate) fn refusal(live: &LiveMatch, refused: Refused) -> Error {
    match refused {
        Refused::Malformed(message) => Error::MalformedAction(message),
        Refused::Table { reason, message, facts } => {
            Error::Refused { game: None, reason, message, facts }
        }
        Refused::Rules { reason, message, facts } => {
            Error::Refused { game: Some(live.game.name()), reason, message, facts }
        }
        Refused::Faulty { kind, message } => faulty(live, kind, message),
    }
}

/// The error of rules that do not do what the contract says, and the operator's news of it.
fn faulty(live: &LiveMatch, fault: &'static str, message: String) -> Error {
    let Some(module) = live.module() else { return Error::Internal(message.into()) };
    let game = live.game.name();
    tracing::warn!(match.id = %live.id().0, game, module, fault, "{message}");
    Error::ModuleFailed { game, fault, message }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{GAME, Played};

    #[test]
    fn an_action_of_another_game_is_malformed() {
        let played = Played::new();
        let live = played.live();
        let body = played.playout.steps[0].action.clone();
        for game in ["rigs", "grifters"] {
            let parsed =
                parse(&live, &Action { of: ActionOf::Game(game), body: body.clone() }).err();
            assert!(matches!(parsed, Some(Error::MalformedAction(_))));
        }
        let parsed =
            parse(&live, &Action { of: ActionOf::Game(GAME), body: Bytes::from_static(&[255]) })
                .err();
        assert!(matches!(parsed, Some(Error::MalformedAction(_))));
    }
}
