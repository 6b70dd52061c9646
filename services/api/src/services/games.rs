//! `GameService`: the games that can be played.

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use contract::v1::game_service_server::GameService;
use contract::v1::{
    self, GetGameRequest, GetGameResponse, GetRulesRequest, GetRulesResponse, ListGamesRequest,
    ListGamesResponse, Rules,
};
use games::Game;
use matches::Error;
use narration::Language;
use tonic::{Request, Response, Status};

use crate::answers::games::{game_of, layout_of, refusals_of};
use crate::answers::rules::{primer_of, rules_of};
use crate::error::of;
use crate::requests::language::language_or_english;
use crate::requests::names::{parse_game, parse_rules};
use crate::requests::pages::{foreign, page_size};
use crate::requests::values::found_game;

/// The default page size: more than there are games.
const PAGE_USUAL: usize = 100;

pub(crate) struct Games;

#[tonic::async_trait]
impl GameService for Games {
    async fn list_games(
        &self,
        request: Request<ListGamesRequest>,
    ) -> Result<Response<ListGamesResponse>, Status> {
        let language = language_or_english(request.metadata(), &request.get_ref().language)?;
        let ListGamesRequest { page_size: size, page_token, language: _ } = request.into_inner();
        let size = page_size(size, PAGE_USUAL)?;
        let mut games = games::GAMES.to_vec();
        games.sort_by_key(|game| game.name());
        // The token is the last game's name, so pages stay consistent when a game is added.
        if !page_token.is_empty() && games::find(&page_token).is_none() {
            return Err(foreign());
        }
        let mut rest = games.into_iter().filter(|game| game.name() > page_token.as_str());
        let page: Vec<_> = rest.by_ref().take(size).collect();
        let last = rest.next().and(page.last());
        let next_page_token = last.map(|game| game.name().to_owned()).unwrap_or_default();
        let games = page.into_iter().map(|game| game_of(game, language)).collect();
        Ok(Response::new(ListGamesResponse { games, next_page_token }))
    }

    async fn get_game(
        &self,
        request: Request<GetGameRequest>,
    ) -> Result<Response<GetGameResponse>, Status> {
        let language = language_or_english(request.metadata(), &request.get_ref().language)?;
        let request = request.into_inner();
        let game = found_game(parse_game("name", &request.name)?)?;
        let rules = Some(rules(game, language).await?);
        let game = v1::Game { rules, ..whole(game, language) };
        Ok(Response::new(GetGameResponse { game: Some(game) }))
    }

    async fn get_rules(
        &self,
        request: Request<GetRulesRequest>,
    ) -> Result<Response<GetRulesResponse>, Status> {
        let language = language_or_english(request.metadata(), &request.get_ref().language)?;
        let request = request.into_inner();
        let rules = rules(found_game(parse_rules("name", &request.name)?)?, language).await?;
        Ok(Response::new(GetRulesResponse { rules: Some(rules) }))
    }
}

/// A game with its layout, without its rules. Every piece needs its title, so this is computed
/// once for each game that is compiled in.
fn whole(game: &'static dyn Game, language: Language) -> v1::Game {
    static WHOLE: LazyLock<HashMap<(&str, Language), OnceLock<v1::Game>>> = LazyLock::new(|| {
        let names = games::GAMES.iter().map(|it| it.name());
        let keys = names.flat_map(|name| Language::ALL.map(|language| (name, language)));
        keys.map(|key| (key, OnceLock::new())).collect()
    });
    let whole = || v1::Game {
        layout: Some(layout_of(game, language)),
        refusals: refusals_of(game, language),
        ..game_of(game, language)
    };
    match WHOLE.get(&(game.name(), language)) {
        Some(computed) => computed.get_or_init(whole).clone(),
        None => whole(),
    }
}

/// The rules of a game, with the primer in a language.
async fn rules(game: &'static dyn Game, language: Language) -> Result<Rules, Status> {
    Ok(Rules { primer: primer_of(game, language), ..ruled(game).await? })
}

/// The rules of a game without their primer. Hundreds of tables are set up for them, so this is
/// computed on a thread for blocking work, and once for each game that is compiled in.
async fn ruled(game: &'static dyn Game) -> Result<Rules, Status> {
    static RULES: LazyLock<HashMap<&str, OnceLock<Rules>>> =
        LazyLock::new(|| games::GAMES.iter().map(|it| (it.name(), OnceLock::new())).collect());
    let computed = RULES.get(game.name());
    if let Some(rules) = computed.and_then(OnceLock::get) {
        return Ok(rules.clone());
    }
    let computing = tokio::task::spawn_blocking(move || match computed {
        Some(computed) => computed.get_or_init(|| rules_of(game)).clone(),
        None => rules_of(game),
    });
    computing.await.map_err(|error| of(Error::Internal(error.into())))
}
