//! The read models, a file each: which tables a model has, and its rows of a match as it stands.

mod holdings;
mod players;
mod summaries;

use sqlx::PgConnection;

use crate::fold::Folded;

/// A read model, rebuilt and switched as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Model {
    /// How each match stands.
    Matches,
    /// Results, standings, and who met whom.
    Players,
    /// What lies before each seat.
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

    pub fn named(name: &str) -> Option<Model> {
        Self::ALL.into_iter().find(|model| model.name() == name)
    }

    /// Its tables, in the order in which they are locked.
    pub(crate) fn tables(self) -> &'static [&'static str] {
        match self {
            Model::Matches => &["match_summaries"],
            Model::Players => &["leagues", "results", "standings", "opponents"],
            Model::Holdings => &["holdings"],
        }
    }

    /// Writes the rows of these matches as they stand. Writing them again changes nothing.
    pub(crate) async fn write(
        self,
        connection: &mut PgConnection,
        matches: &[&Folded],
    ) -> Result<(), sqlx::Error> {
        match self {
            Model::Matches => summaries::write(connection, matches).await,
            Model::Players => players::write(connection, matches).await,
            Model::Holdings => holdings::write(connection, matches).await,
        }
    }

    /// Does what is to be done when all entries there are were taken in.
    pub(crate) async fn settle(self, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        match self {
            Model::Players => players::settle(connection).await,
            Model::Matches | Model::Holdings => Ok(()),
        }
    }
}

/// An array within an array, which `unnest` would take apart: as text.
fn array(numbers: &[impl ToString]) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    format!("{{{}}}", numbers.join(","))
}
