//! The matches of a platform, or those of a player.

use contract::v1::{
    BatchCreateMatchesRequest, CommitSeedRequest, CommitSeedResponse, CreateMatchRequest,
    ListMatchesRequest, ListOpenMatchesRequest, Match,
};

use crate::call::Call;
use crate::calls::Calls;
use crate::names::named;
use crate::pages::Pages;

/// The matches of a platform, or those of a player's token.
#[derive(Clone)]
pub struct Matches(Calls);

impl Matches {
    pub(crate) fn new(calls: &Calls) -> Matches {
        Matches(calls.clone())
    }

    /// Creates a match, once. A short name such as `mountebank` will do for the game.
    pub fn create(&self, request: CreateMatchRequest) -> Call<CreateMatchRequest, Match> {
        let game = named("games", &request.game);
        let request = CreateMatchRequest { game, ..request };
        Call::new(&self.0, request, |answer| answer.r#match)
    }

    /// Creates up to 500 matches, such as a round of a tournament: all of them or none. Returns
    /// them in the same order. Short names such as `mountebank` will do for the games.
    pub fn batch_create(
        &self,
        mut requests: Vec<CreateMatchRequest>,
    ) -> Call<BatchCreateMatchesRequest, Vec<Match>> {
        for request in &mut requests {
            request.game = named("games", &request.game);
        }
        let request = BatchCreateMatchesRequest { requests, ..Default::default() };
        Call::new(&self.0, request, |answer| Some(answer.matches))
    }

    /// The commitment to the seed of a match before it is created: create it with this request id
    /// and this `seed_commitment`.
    pub fn commit_seed(&self, request_id: &str) -> Call<CommitSeedRequest, CommitSeedResponse> {
        let request_id = request_id.to_owned();
        Call::new(&self.0, CommitSeedRequest { request_id }, Some)
    }

    /// Lists matches, the newest first. Filters are combined with AND.
    pub fn list(&self, filter: ListMatchesRequest) -> Pages<ListMatchesRequest> {
        let game = named("games", &filter.game);
        Pages::new(&self.0, ListMatchesRequest { game, ..filter })
    }

    /// Lists the matches of the lobby, the newest first.
    pub fn list_open(&self, filter: ListOpenMatchesRequest) -> Pages<ListOpenMatchesRequest> {
        let game = named("games", &filter.game);
        Pages::new(&self.0, ListOpenMatchesRequest { game, ..filter })
    }
}
