//! What is derived from all matches of a platform.

use contract::v1::{GetProjectionRequest, ListStandingsRequest, Projection, SearchEntriesRequest};

use crate::call::Call;
use crate::calls::Calls;
use crate::names::named;
use crate::pages::Pages;

/// Search, standings and projections.
#[derive(Clone)]
pub struct History(Calls);

impl History {
    pub(crate) fn new(calls: &Calls) -> History {
        History(calls.clone())
    }

    /// Searches the entries of a game's matches: the newest match first, in order within each.
    pub fn search(&self, game: &str, filter: SearchEntriesRequest) -> Pages<SearchEntriesRequest> {
        let parent = named("games", game);
        Pages::new(&self.0, SearchEntriesRequest { parent, ..filter })
    }

    /// Lists the players of a pool of a game by rating, highest first: by default of matches with
    /// the fewest seats and without clocks.
    pub fn standings(&self, game: &str, pool: ListStandingsRequest) -> Pages<ListStandingsRequest> {
        let parent = named("games", game);
        Pages::new(&self.0, ListStandingsRequest { parent, ..pool })
    }

    /// The state of a projection, such as `matches`, and how far it is behind.
    pub fn projection(&self, name: &str) -> Call<GetProjectionRequest, Projection> {
        let request = GetProjectionRequest { name: named("projections", name) };
        Call::new(&self.0, request, |answer| answer.projection)
    }
}
