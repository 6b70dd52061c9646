//! Calls about games.

use contract::names::rules_name;
use contract::v1::{
    Game, GetGameRequest, GetRulesRequest, ListGamesRequest, ListGamesResponse, Match, Rules,
};

use crate::client::calling::Client;
use crate::client::error::Error;
use crate::client::names::{game_name, short_game_name};

impl Client {
    /// All games by name, without their layouts.
    pub async fn games(&self) -> Result<ListGamesResponse, Error> {
        let request = ListGamesRequest { page_size: 1000, ..ListGamesRequest::default() };
        self.call_in_words(&request).await
    }

    /// `game` is a name such as `mountebank` or `games/mountebank`. The error for an unknown game
    /// lists the games, here and in every other call.
    pub async fn game(&self, game: &str) -> Result<Game, Error> {
        self.game_of_module(game, "").await
    }

    /// The game of a match, which keeps the module that it was created with.
    pub async fn game_of(&self, it: &Match) -> Result<Game, Error> {
        self.game_of_module(&it.game, &it.module).await
    }

    async fn game_of_module(&self, game: &str, module: &str) -> Result<Game, Error> {
        let (name, module) = (game_name(game), module.to_owned());
        let request = GetGameRequest { name, module, ..GetGameRequest::default() };
        let response = self.of_game(&request.name, self.call_in_words(&request).await).await?;
        response.game.ok_or(Error::Empty)
    }

    /// The rules of a game, named as in [`Client::game`].
    pub async fn rules(&self, game: &str) -> Result<Rules, Error> {
        let request = GetRulesRequest {
            name: rules_name(short_game_name(game)),
            ..GetRulesRequest::default()
        };
        let response = self.of_game(&game_name(game), self.call_in_words(&request).await).await?;
        response.rules.ok_or(Error::Empty)
    }

    /// The outcome of a call about a game: the error for an unknown one lists the games.
    pub(super) async fn of_game<T>(
        &self,
        game: &str,
        outcome: Result<T, Error>,
    ) -> Result<T, Error> {
        let Err(error) = outcome else { return outcome };
        // The invalid field may be the name of the game, such as an empty one.
        if game.is_empty() || !(error.is("UNKNOWN_GAME") || error.is("INVALID_REQUEST")) {
            return Err(error);
        }
        let known = self.games().await?.games;
        let known: Vec<&str> = known.iter().map(|game| short_game_name(&game.name)).collect();
        match known.contains(&short_game_name(game)) {
            true => Err(error),
            false => Err(Error::unknown_game(short_game_name(game), known)),
        }
    }
}
