//! How a match ended for one of its players.

/// The outcome of a match for one of its players. Its number is stored in the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[repr(i16)]
pub enum Outcome {
    Lost = 0,
    Won = 1,
    /// Won together with others.
    Shared = 2,
}
