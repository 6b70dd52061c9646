//! The read models: each names its tables and writes their rows for a match.

mod holdings;
mod players;
mod summaries;

use sqlx::PgConnection;

use crate::match_cache::MatchState;

pub use players::Outcome;

/// A read model. It is rebuilt, and replaced, as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Model {
    /// The state of each match.
    Matches,
    /// Results, standings, and players' records against each other.
    Players,
    /// What each seat holds.
    Holdings,
}

impl Model {
    pub const ALL: [Model; 3] = [Model::Matches, Model::Players, Model::Holdings];

    pub fn name(self) -> &'static str {
        match self {
            Model::Matches => "matches",
            Model::Players => "players",
            Model::Holdings => "holdings",
        }
    }

    pub fn from_name(name: &str) -> Option<Model> {
        Self::ALL.into_iter().find(|model| model.name() == name)
    }

    /// The model's tables, in the order in which they are locked.
    pub(crate) fn tables(self) -> &'static [&'static str] {
        match self {
            Model::Matches => &["match_summaries"],
            Model::Players => &["leagues", "results", "standings", "opponents"],
            Model::Holdings => &["holdings"],
        }
    }

    /// Writes the rows of these matches. Writing them again changes nothing.
    pub(crate) async fn write(
        self,
        connection: &mut PgConnection,
        matches: &[&MatchState],
    ) -> Result<(), sqlx::Error> {
        match self {
            Model::Matches => summaries::write(connection, matches).await,
            Model::Players => players::write(connection, matches).await,
            Model::Holdings => holdings::write(connection, matches).await,
        }
    }

    /// Updates the rows that depend on the results of several matches. Called when all entries are
    /// ingested.
    pub(crate) async fn settle(self, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        match self {
            Model::Players => players::settle(connection).await,
            Model::Matches | Model::Holdings => Ok(()),
        }
    }
}

/// A Postgres array as text, because `unnest` would flatten an array of arrays.
fn array_text(numbers: &[impl ToString]) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    format!("{{{}}}", numbers.join(","))
}
