//! Why matches cannot be exported or imported.

use std::io;

/// Why matches cannot be exported or imported.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{0:?} is not the name of a match")]
    MatchName(String),
    #[error("there is no match {0}")]
    UnknownMatch(String),
    #[error("there is no platform {0:?}")]
    UnknownPlatform(String),
    #[error("only the result of {0} is kept, so there is nothing to export")]
    ResultOnly(String),
    #[error("this program does not know the game {0:?}")]
    UnknownGame(String),
    #[error("an entry of {name} cannot be decoded: {reason}")]
    Entry { name: String, reason: String },
    #[error("{0} is not over and its seed is not in the file: export it with --seeds")]
    NoSeed(String),
    #[error("{0} is not over, and only its device goes on with it")]
    UnfinishedOnDevice(String),
    #[error("another match named {0} exists already")]
    OtherMatch(String),
    #[error("{name} follows a match that another one follows here: {next}")]
    PreviousFollowed { name: String, next: String },
    #[error("{0} exists already and has different entries")]
    OtherEntries(String),
    #[error("{name} was played on here during the import, at position {position}")]
    Conflict { name: String, position: i64 },
    #[error("the file cannot be written")]
    Output(#[from] io::Error),
    #[error("an entry cannot be recorded")]
    Append(#[from] event_log::AppendError),
    #[error("the database query failed")]
    Database(#[from] database::Error),
    #[error("the record cannot be read")]
    Log(#[from] event_log::Error),
}

impl Error {
    /// Whether it is about one match of a file, so that others can be imported.
    pub fn is_of_match(&self) -> bool {
        match self {
            Error::NoSeed(_)
            | Error::UnfinishedOnDevice(_)
            | Error::OtherMatch(_)
            | Error::PreviousFollowed { .. }
            | Error::OtherEntries(_)
            | Error::Conflict { .. } => true,
            Error::MatchName(_)
            | Error::UnknownMatch(_)
            | Error::UnknownPlatform(_)
            | Error::ResultOnly(_)
            | Error::UnknownGame(_)
            | Error::Entry { .. }
            | Error::Output(_)
            | Error::Append(_)
            | Error::Database(_)
            | Error::Log(_) => false,
        }
    }
}
