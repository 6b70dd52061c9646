//! The games that can be played.

use std::collections::HashMap;
use std::sync::Arc;

use contract::v1::{Game, GetGameRequest, GetRulesRequest, ListGamesRequest, Rules};
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
    known: Arc<Mutex<HashMap<String, Arc<Game>>>>,
}

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
        let name = named("games", name);
        if let Some(game) = self.known.lock().await.get(&name) {
            return Ok(game.clone());
        }
        self.refresh(&name).await
    }

    /// The same, read again, as after an upgrade of the service.
    pub async fn refresh(&self, name: &str) -> Result<Arc<Game>, Refusal> {
        let name = named("games", name);
        let request = GetGameRequest { name: name.clone(), ..GetGameRequest::default() };
        let answer = self.calls.call(request).await?;
        let game = Arc::new(answer.game.ok_or_else(Refusal::incomplete)?);
        self.known.lock().await.insert(name, game.clone());
        Ok(game)
    }

    /// The rules of a game.
    pub fn rules(&self, name: &str) -> Call<GetRulesRequest, Rules> {
        let name = format!("{}/rules", named("games", name));
        let request = GetRulesRequest { name, ..GetRulesRequest::default() };
        Call::new(&self.calls, request, |answer| answer.rules)
    }
}
