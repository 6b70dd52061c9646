//! Why a module cannot be used, or a call to it failed.

use table::{Violation, stored::Undecodable};

use crate::description::BadDescription;

/// Why a call to a module failed. Nothing changed, and the instance is gone, with its tables: they
/// are restored in another one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Fault {
    #[error("it computed longer than a call may")]
    TooLong,
    #[error("it used more memory than a module may")]
    TooMuchMemory,
    #[error("it used more stack than a call may")]
    StackOverflow,
    #[error("it made more random choices than an entry may, or one that is none")]
    BadChoice,
    #[error("it drew chance where there is none")]
    NoChance,
    #[error("it asked for a budget where there is none")]
    NoBudget,
    #[error("it trapped: {0}")]
    Trapped(String),
    #[error("its answer is too large")]
    AnswerTooLarge,
    #[error("its answer lies outside of its memory")]
    AnswerOutside,
    #[error("its answer is no message of the contract")]
    NoMessage,
    #[error("its answer lacks the {0}")]
    Lacks(&'static str),
    #[error("its answer names the {what} {name:?}, which its description does not")]
    Undescribed { what: &'static str, name: String },
    #[error("its entry cannot be read: {0}")]
    Unreadable(String),
    #[error("its entry is not of this action: the {0} differs")]
    OtherEntry(&'static str),
    #[error("its entry cannot be: {0}")]
    Impossible(#[from] Violation),
    #[error("its answer names a table that is not new")]
    TableNotNew,
    #[error("its table differs from that of the host")]
    TableDiffers,
}

impl Fault {
    /// The kind of fault, for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            Fault::TooLong => "TOO_LONG",
            Fault::TooMuchMemory => "TOO_MUCH_MEMORY",
            Fault::StackOverflow => "STACK_OVERFLOW",
            Fault::BadChoice | Fault::NoChance | Fault::NoBudget => "BAD_CHOICE",
            Fault::Trapped(_) => "TRAPPED",
            Fault::AnswerTooLarge => "ANSWER_TOO_LARGE",
            Fault::AnswerOutside | Fault::NoMessage | Fault::Lacks(_) => "BAD_ANSWER",
            Fault::Undescribed { .. } => "UNDESCRIBED",
            Fault::Unreadable(_) | Fault::OtherEntry(_) | Fault::Impossible(_) => {
                "IMPOSSIBLE_ENTRY"
            }
            Fault::TableNotNew | Fault::TableDiffers => "TABLE_DIFFERS",
        }
    }
}

impl From<Undecodable> for Fault {
    fn from(error: Undecodable) -> Fault {
        Fault::Unreadable(error.to_string())
    }
}

/// Why a module cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("the compiled code is of other settings, or of another version of wasmtime")]
    OtherEngine(#[source] wasmtime::Error),
    #[error("the module imports what no host has")]
    Imports(#[source] wasmtime::Error),
    #[error("the module does not export {0}")]
    Exports(&'static str),
    #[error("the module cannot start: {0}")]
    Start(Fault),
    #[error("the module cannot describe its game: {0}")]
    Describe(Fault),
    #[error("the description of the game cannot be used")]
    Description(#[from] BadDescription),
}
