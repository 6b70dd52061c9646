//! Read models: what is folded from the log to answer questions across matches.
//!
//! Begin with `migrations/0002_projections.sql`: its tables say what there is and what keeps it
//! right. Every model is made from universal tables and events, so it holds for every game there
//! will ever be. Read in this order: what a model is ([`Model`]), matches folded from the log
//! ([`fold`]), how a model takes entries in ([`take`]), when it does ([`Service`]), how it is made
//! anew ([`rebuild`]), and what is asked of it ([`Reader`]).

mod fold;
mod model;
mod read;
mod rebuild;
mod run;
mod take;

pub use model::Model;
pub use read::{
    ConsistencyToken, Cursor, Filter, Found, Holding, League, Opponent, Outcome, Player,
    Projection, Reader, Standing, StandingCursor, State,
};
pub use rebuild::{Rebuilt, rebuild};
pub use run::{Handle, Options, Service};

use store::{MatchId, Position};

/// Why a read model could not be taken further, or asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Store(#[from] store::Error),
    /// It is not passed over: a model that left an entry out would be wrong for good.
    #[error("the entry at {} of the match {} cannot be read", position.0, match_id.0)]
    Undecodable { match_id: MatchId, position: Position, source: table::stored::Undecodable },
    #[error("the match {} has entries, but was never created or is of a game that is not known here", .0.0)]
    NoSuchMatch(MatchId),
    #[error("the projection {} cannot be written", model.name())]
    Unwritten { model: Model, source: store::Error },
    #[error("another rebuild has begun since")]
    Overtaken,
    #[error("readers did not let go of the old tables in time; nothing was switched")]
    Held,
}

impl From<sqlx::Error> for Error {
    fn from(source: sqlx::Error) -> Self {
        Error::Store(source.into())
    }
}
