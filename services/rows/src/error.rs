//! Why rows cannot be read.

use positions::Position;

/// The module that has the rules of a match is not loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the module {module} is not available")]
pub struct NoModule {
    pub module: String,
}

/// Why rows cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Only the result of the match is kept.
    #[error("only the result of the match is kept")]
    HistoryNotKept,
    /// This release cannot read an entry, or, if there is no position, does not know the game.
    #[error("the match cannot be read by this release")]
    Unreadable { position: Option<Position>, source: Box<dyn std::error::Error + Send + Sync> },
    /// A row is not the one that was recorded.
    #[error("the match's record was altered at position {}", position.0)]
    Altered { position: Position },
}
