//! The parts of a catalogue: people with a skill and a text, jobs with a team and a reward.

use table::{Origin, Small};

use super::vocabulary::{Colour, Skill};

/// The people and the jobs of one game, with each row's origin.
pub struct Cards {
    pub ringleaders: [PersonRow; RINGLEADERS],
    pub specialists: [PersonRow; SPECIALISTS],
    pub stacks: [Stack; Colour::COUNT],
}

pub const RINGLEADERS: usize = 3;
pub const SPECIALISTS: usize = 16;

pub struct PersonRow {
    pub name: &'static str,
    /// `None` for a person who shows any one skill.
    pub skill: Option<Skill>,
    pub text: &'static [Effect],
    /// The origins of its name, its skill and its text.
    pub origins: [Origin; 3],
}

/// The jobs of one colour, from the lowest number to the highest.
pub struct Stack {
    /// §2.2 The minimum number of seats that plays with this stack.
    pub players: usize,
    pub jobs: [JobRow; 4],
}

pub struct JobRow {
    pub name: &'static str,
    /// The required number of each skill, in the order of [`Skill`].
    pub team: [u8; Skill::COUNT],
    pub reward: &'static [Effect],
    /// The origins of its name, its team and its reward.
    pub origins: [Origin; 3],
    /// The origins of its colour, its number in the stack, and its minimum number of players.
    pub stack_origins: [Origin; 3],
}

/// One part of a text. An effect that resolves another card's text or allows another play comes
/// last in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Draws this many cards and keeps one.
    DrawAndKeep(u8),
    Draw(u8),
    /// Steals from the Coffers.
    Steal(u8),
    /// Steals from the Coffers; the amount depends on whether the seat has completed any job.
    StealByJobs {
        without: u8,
        with: u8,
    },
    /// Steals from the Coffers for each skill shown in the hideout.
    StealBySkills,
    /// Steals from one opponent.
    Rob(u8),
    RobRichest(u8),
    /// Steals from each opponent, or another amount from a single one.
    RobEach {
        each: u8,
        only: u8,
    },
    AdvanceTime,
    SecondCaper,
    TeamUp,
    Duplicate,
    TakeBack,
    Abduct,
    Exchange,
    SwapJobs,
}

pub const fn rob_each(amount: u8) -> Effect {
    Effect::RobEach { each: amount, only: amount }
}

pub const fn person(
    name: &'static str,
    skill: Option<Skill>,
    text: &'static [Effect],
    origins: [Origin; 3],
) -> PersonRow {
    PersonRow { name, skill, text, origins }
}

/// A job whose colour, number and minimum number of players are inferred.
pub const fn job(
    name: &'static str,
    team: [u8; Skill::COUNT],
    reward: &'static [Effect],
    origins: [Origin; 3],
) -> JobRow {
    JobRow { name, team, reward, origins, stack_origins: [Origin::Design; 3] }
}

impl JobRow {
    pub const fn with_stack_origins(self, stack_origins: [Origin; 3]) -> JobRow {
        JobRow { stack_origins, ..self }
    }
}
