//! The games that can be played.

use std::collections::HashMap;
use std::sync::Arc;

use contract::v1::{Game, GetGameRequest, GetRulesRequest, ListGamesRequest, Match, Rules};
use tokio::sync::Mutex;

use crate::call::Call;
use crate::calls::Calls;
use crate::names::named;
use crate::pages::Pages;
use crate::refusal::Refusal;

/// The games that can be played. A client asks once for each.
#[derive(Clone)]
pub struct Games {
    calls: Calls,
    known: Arc<Mutex<Known>>,
}

/// The games that were read, by name and module.
type Known = HashMap<(String, String), Arc<Game>>;

impl Games {
    pub(crate) fn new(calls: &Calls) -> Games {
        Games { calls: calls.clone(), known: Arc::default() }
    }

    /// All games, without their layouts.
    pub fn list(&self) -> Pages<ListGamesRequest> {
        Pages::new(&self.calls, ListGamesRequest::default())
    }

    /// A game with its layout. It is read once.
    pub async fn get(&self, name: &str) -> Result<Arc<Game>, Refusal> {
        self.get_of(name, "").await
    }

    /// The game of a match, which keeps the module that it was created with.
    pub async fn of_match(&self, it: &Match) -> Result<Arc<Game>, Refusal> {
        self.get_of(&it.game, &it.module).await
    }

    async fn get_of(&self, name: &str, module: &str) -> Result<Arc<Game>, Refusal> {
        let key = (named("games", name), module.to_owned());
        if let Some(game) = self.known.lock().await.get(&key) {
            return Ok(game.clone());
        }
        self.read(key).await
    }

    /// The same, read again, as after an upgrade of the service.
    pub async fn refresh(&self, name: &str) -> Result<Arc<Game>, Refusal> {
        self.read((named("games", name), String::new())).await
    }

    pub(crate) async fn read(&self, key: (String, String)) -> Result<Arc<Game>, Refusal> {
        let (name, module) = key.clone();
        let request = GetGameRequest { name, module, ..GetGameRequest::default() };
        let answer = self.calls.call(request).await?;
        let game = Arc::new(answer.game.ok_or_else(Refusal::incomplete)?);
        self.known.lock().await.insert(key, game.clone());
        Ok(game)
    }

    /// The rules of a game.
    pub fn rules(&self, name: &str) -> Call<GetRulesRequest, Rules> {
        let name = format!("{}/rules", named("games", name));
        let request = GetRulesRequest { name, ..GetRulesRequest::default() };
        Call::new(&self.calls, request, |answer| answer.rules)
    }
}
