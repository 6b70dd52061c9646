//! Why a command ends early, in words for the person at the terminal.

use std::io::{self, ErrorKind};
use std::path::PathBuf;

use matches::operators::OfAct;

use crate::process::opening::{self, OwnPostgresError};

#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The command line is invalid.
    #[error("{0}")]
    Usage(String),
    /// The command ran and its outcome is negative.
    #[error("{0}")]
    Negative(String),
    /// The command ran, and nothing is wrong, but not everything is proven.
    #[error("{0}")]
    NotProven(String),
    /// The person at the terminal interrupted the command.
    #[error("interrupted")]
    Interrupted,
    #[error(transparent)]
    Client(#[from] crate::client::Error),
    #[error(transparent)]
    Transfer(#[from] transfer::Error),
    #[error("{}, {error}", path.display())]
    ArchiveFile { path: PathBuf, error: records::LineError },
    #[error(transparent)]
    Bench(#[from] bench::Error),
    #[error("the output cannot be written")]
    Output(#[from] io::Error),
    #[error("cannot use {}", path.display())]
    Path { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Opening(#[from] opening::Error),
    #[error(transparent)]
    Postgres(#[from] OwnPostgresError),
    #[error("the database query failed")]
    Database(#[from] database::Error),
    #[error("the record cannot be read")]
    Log(#[from] event_log::Error),
    #[error(transparent)]
    Archiving(#[from] keeping::archiving::RunError),
    #[error(transparent)]
    Objects(#[from] keeping::objects::ObjectsError),
    #[error("the database cannot be brought up to date")]
    Schema(#[from] schema::Error),
    #[error("the system provides no random numbers")]
    Random(#[from] getrandom::Error),
    #[error("the keys of the installation cannot be made")]
    Keys(#[from] crate::process::keys::Error),
    #[error(transparent)]
    NoRandomness(#[from] api::NoRandomness),
    #[error(transparent)]
    Serve(#[from] crate::serve::Error),
    #[error(transparent)]
    Listen(#[from] crate::process::listen::Error),
    #[error("the projections cannot be updated")]
    Projector(#[from] projector::Error),
    #[error(transparent)]
    Ended(#[from] crate::process::vital::Ended),
    #[error(transparent)]
    Transparency(#[from] transparency::Error),
    /// A file is no module.
    #[error(transparent)]
    Module(#[from] modules::compiling::CompileError),
    /// A module is no game.
    #[error(transparent)]
    Load(#[from] modules::LoadError),
    /// The agent spoke another protocol, or broke off.
    #[error("the agent cannot be served")]
    Agent(#[source] mcp::StdioError),
    #[error("the program's threads cannot be started")]
    Threads(#[source] io::Error),
}

/// Sentences may have facts, so the log of acts has none.
impl OfAct for Failure {
    fn reason(&self) -> Option<&'static str> {
        match self {
            Failure::Database(error)
            | Failure::Log(event_log::Error::Database(error))
            | Failure::Schema(schema::Error::Database(error))
            | Failure::Projector(projector::Error::Database(error))
            | Failure::Transparency(transparency::Error::Database(error))
            | Failure::Transfer(transfer::Error::Database(error))
            | Failure::Archiving(keeping::archiving::RunError::Log(event_log::Error::Database(
                error,
            ))) => error.reason(),
            Failure::Interrupted => Some("INTERRUPTED"),
            _ => Some("FAILED"),
        }
    }
}

impl Failure {
    pub fn is_usage(&self) -> bool {
        match self {
            Failure::Usage(_)
            | Failure::Transfer(transfer::Error::MatchName(_))
            | Failure::Bench(bench::Error::Arena(_) | bench::Error::UnknownGame { .. }) => true,
            Failure::Client(error) => error.is_usage(),
            Failure::Negative(_)
            | Failure::NotProven(_)
            | Failure::Interrupted
            | Failure::Transfer(_)
            | Failure::ArchiveFile { .. }
            | Failure::Bench(_)
            | Failure::Output(_)
            | Failure::Path { .. }
            | Failure::Database(_)
            | Failure::Postgres(_)
            | Failure::Opening(_)
            | Failure::Log(_)
            | Failure::Archiving(_)
            | Failure::Objects(_)
            | Failure::Schema(_)
            | Failure::Random(_)
            | Failure::Keys(_)
            | Failure::NoRandomness(_)
            | Failure::Serve(_)
            | Failure::Listen(_)
            | Failure::Projector(_)
            | Failure::Ended(_)
            | Failure::Transparency(_)
            | Failure::Module(_)
            | Failure::Load(_)
            | Failure::Agent(_)
            | Failure::Threads(_) => false,
        }
    }

    /// Whether the program that read the output has closed it.
    pub fn is_closed_output(&self) -> bool {
        let (Failure::Output(error) | Failure::Transfer(transfer::Error::Output(error))) = self
        else {
            return false;
        };
        error.kind() == ErrorKind::BrokenPipe
    }
}
