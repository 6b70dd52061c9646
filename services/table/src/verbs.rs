//! The verbs of every game, and the motions that seats vote for or the platform orders.

/// The verb of every match's first entry.
pub const OPEN: &str = "open";

/// The verb of resigning, in every game.
pub const RESIGN: &str = "resign";

/// The verb of a timeout, in every game.
pub const TIMEOUT: &str = "timeout";

/// The verb of adding time, in every game.
pub const ADD_TIME: &str = "add-time";

/// The verb of talk, in every game.
pub const SAY: &str = "say";

/// The verb of declaring a standing answer, in every game.
pub const STAND: &str = "stand";

/// The verb of taking back an action, in every game. Some have a `take-back` of their own.
pub const TAKE_BACK: &str = "undo";

/// The verb of voting for a [`Motion`], in every game.
pub const VOTE: &str = "vote";

/// The verbs of the platform's orders, in every game.
pub const ABANDON: &str = "abandon";
pub const PAUSE: &str = "pause";
pub const RESUME: &str = "resume";
pub const REPLACE: &str = "replace";

/// The verbs of every game.
pub const COMMON_VERBS: [&str; 12] =
    [OPEN, RESIGN, SAY, STAND, TIMEOUT, ADD_TIME, TAKE_BACK, VOTE, ABANDON, PAUSE, RESUME, REPLACE];

/// A motion that the seats can vote for. It is carried by the votes of all seats that have not
/// resigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    EndWithoutResult,
    Pause,
    Resume,
}

impl Motion {
    /// Its number where it is stored.
    pub fn number(self) -> u32 {
        match self {
            Motion::EndWithoutResult => 1,
            Motion::Pause => 2,
            Motion::Resume => 3,
        }
    }

    pub fn numbered(number: u32) -> Option<Motion> {
        let all = [Motion::EndWithoutResult, Motion::Pause, Motion::Resume];
        all.into_iter().find(|it| it.number() == number)
    }

    /// The verb of the entry with which the platform orders it.
    pub fn verb(self) -> &'static str {
        match self {
            Motion::EndWithoutResult => ABANDON,
            Motion::Pause => PAUSE,
            Motion::Resume => RESUME,
        }
    }

    /// The motion that the platform orders by an entry of this verb.
    pub fn ordered_by(verb: &str) -> Option<Motion> {
        let all = [Motion::EndWithoutResult, Motion::Pause, Motion::Resume];
        all.into_iter().find(|it| it.verb() == verb)
    }
}
