//! The read models. Each is a type that implements [`read_model::ReadModel`], in a file or a folder
//! of its own with its tables, its writes and its queries. A line in the list below makes it a
//! [`Model`], which is ingested, rebuilt, waited for and measured.

mod holdings;
mod matches;
mod players;
pub(crate) mod read_model;

use sqlx::PgConnection;

use self::read_model::{Compared, ReadModel};
use crate::fold::MatchState;
use crate::waiting::{Awaitable, Unsettled};

pub use self::holdings::Holding;
pub use self::matches::{Cursor, Filter, FoundMatch, PublicState, State, StoredState};
pub use self::players::{
    League, Opponent, Outcome, Player, Pool, RatingChange, RatingCursor, Standing, StandingCursor,
};

/// Declares [`Model`] from the types that are read models.
macro_rules! models {
    ($($(#[$doc:meta])* $name:ident($model:ty),)*) => {
        /// A read model.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Model {
            $($(#[$doc])* $name,)*
        }

        impl Model {
            pub const ALL: [Model; [$(Model::$name),*].len()] = [$(Model::$name),*];

            /// The name of the model in checkpoints and in the contract.
            pub fn name(self) -> &'static str {
                match self {
                    $(Model::$name => <$model>::NAME,)*
                }
            }

            /// The model's tables, in the order in which they are locked.
            pub(crate) fn tables(self) -> &'static [&'static str] {
                match self {
                    $(Model::$name => <$model>::TABLES,)*
                }
            }

            /// See [`ReadModel::COMPARED`].
            pub(crate) fn compared(self) -> &'static [Compared] {
                match self {
                    $(Model::$name => <$model>::COMPARED,)*
                }
            }

            /// See [`ReadModel::COMPARED_SETTLED`].
            pub(crate) fn compared_settled(self) -> &'static [Compared] {
                match self {
                    $(Model::$name => <$model>::COMPARED_SETTLED,)*
                }
            }

            /// See [`ReadModel::write`].
            pub(crate) async fn write(
                self,
                connection: &mut PgConnection,
                matches: &[&MatchState],
            ) -> Result<(), sqlx::Error> {
                match self {
                    $(Model::$name => <$model>::write(connection, matches).await,)*
                }
            }

            /// See [`ReadModel::settle`].
            pub(crate) async fn settle(
                self,
                connection: &mut PgConnection,
            ) -> Result<(), sqlx::Error> {
                match self {
                    $(Model::$name => <$model>::settle(connection).await,)*
                }
            }

            /// The model's properties that waiting for it needs.
            pub(crate) fn awaitable(self) -> Awaitable {
                let unsettled: Unsettled = match self {
                    $(Model::$name => <$model>::unsettled,)*
                };
                Awaitable { name: self.name(), unsettled }
            }
        }
    };
}

models! {
    /// The public state of each match.
    Matches(matches::Summaries),
    /// Results, standings, and players' records against each other.
    Players(players::Players),
    /// The holdings of each seat.
    Holdings(holdings::Holdings),
}

impl Model {
    pub fn from_name(name: &str) -> Option<Model> {
        Self::ALL.into_iter().find(|model| model.name() == name)
    }
}
