//! Arguments that an arena refuses.

/// Why an arena cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    #[error("{title} is played with {least} to {most} seats, not {seats}")]
    Seats { title: &'static str, least: u8, most: u8, seats: u8 },
    #[error("there is no level `{level}`; the levels are: {levels}")]
    Level { level: String, levels: String },
    #[error("a level is named more than once, so each of the {seats} seats needs one: {named}")]
    Lineup { seats: u8, named: usize },
    #[error(transparent)]
    Option(#[from] table::BadOption),
}
