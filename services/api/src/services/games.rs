//! `GameService`: the games that can be played.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use answers::{game_of, layout_of, primer_of, refusals_of, rules_of};
use contract::v1::game_service_server::GameService;
use contract::v1::{
    self, GetGameRequest, GetGameResponse, GetRulesRequest, GetRulesResponse, ListGamesRequest,
    ListGamesResponse, Rules,
};
use games::Named;
use matches::Error;
use narration::Language;
use tonic::{Request, Response, Status};

use super::calls::Calls;
use crate::error::{invalid, of};
use crate::requests::language::language_or_english;
use crate::requests::names::{parse_game, parse_rules};
use crate::requests::pages::{foreign, page_size};
use crate::requests::values::found_game;

/// The default page size: more than there are games.
const PAGE_USUAL: usize = 100;

pub(crate) struct Games {
    pub calls: Calls,
}

#[tonic::async_trait]
impl GameService for Games {
    async fn list_games(
        &self,
        request: Request<ListGamesRequest>,
    ) -> Result<Response<ListGamesResponse>, Status> {
        let language = language_or_english(request.metadata(), &request.get_ref().language)?;
        let platform = self.calls.auth.platform_of(request.metadata()).await;
        let platform = platform.as_deref();
        let ListGamesRequest { page_size: size, page_token, language: _ } = request.into_inner();
        let size = page_size(size, PAGE_USUAL)?;
        // The token is the last game's name, so pages stay consistent when a game is added.
        if !page_token.is_empty() && games::named(&page_token, platform).is_none() {
            return Err(foreign());
        }
        let mut rest = games::offered(platform).into_iter().filter(|(name, _)| *name > page_token);
        let page: Vec<_> = rest.by_ref().take(size).collect();
        let last = rest.next().and(page.last());
        let next_page_token = last.map(|(name, _)| name.clone()).unwrap_or_default();
        let games = page.into_iter().map(|(_, game)| game_of(game, language)).collect();
        Ok(Response::new(ListGamesResponse { games, next_page_token }))
    }

    async fn get_game(
        &self,
        request: Request<GetGameRequest>,
    ) -> Result<Response<GetGameResponse>, Status> {
        let language = language_or_english(request.metadata(), &request.get_ref().language)?;
        let platform = self.calls.auth.platform_of(request.metadata()).await;
        let request = request.into_inner();
        let name = parse_game("name", &request.name)?;
        let game = self.found(name, request.module, platform.as_deref()).await?;
        let rules = Some(rules(game.clone(), language).await?);
        let game = v1::Game { rules, ..whole(game, language) };
        Ok(Response::new(GetGameResponse { game: Some(game) }))
    }

    async fn get_rules(
        &self,
        request: Request<GetRulesRequest>,
    ) -> Result<Response<GetRulesResponse>, Status> {
        let language = language_or_english(request.metadata(), &request.get_ref().language)?;
        let platform = self.calls.auth.platform_of(request.metadata()).await;
        let request = request.into_inner();
        let name = parse_rules("name", &request.name)?;
        let game = self.found(name, request.module, platform.as_deref()).await?;
        let rules = rules(game, language).await?;
        Ok(Response::new(GetRulesResponse { rules: Some(rules) }))
    }
}

impl Games {
    /// The game that a name has now, or that a module has.
    async fn found(
        &self,
        name: &str,
        module: String,
        platform: Option<&str>,
    ) -> Result<Named, Status> {
        let matches = &self.calls.matches;
        if module.is_empty() {
            return match games::named(name, platform) {
                Some(known) => Ok(known),
                // An operator may have added it a moment ago.
                None => match matches.rules_for(name, platform).await {
                    Err(Error::UnknownGame(_)) => found_game(name, platform),
                    added => added.map_err(of),
                },
            };
        }
        let game = matches.learn_for(&module, platform).await.map_err(of)?;
        match game.name() == name {
            true => Ok((game, Some(module))),
            false => Err(invalid("module", "the module is of another game")),
        }
    }
}

/// A game with its layout, without its rules. Every piece needs its title, so this is computed
/// once for each game that is compiled in.
fn whole((game, module): Named, language: Language) -> v1::Game {
    static WHOLE: LazyLock<HashMap<(&str, Language), OnceLock<v1::Game>>> = LazyLock::new(|| {
        let names = games::GAMES.iter().map(|it| it.name());
        let keys = names.flat_map(|name| Language::ALL.map(|language| (name, language)));
        keys.map(|key| (key, OnceLock::new())).collect()
    });
    let whole = || v1::Game {
        layout: Some(layout_of(game, language)),
        refusals: refusals_of(game, language),
        ..game_of((game, module.clone()), language)
    };
    match WHOLE.get(&(game.name(), language)).filter(|_| module.is_none()) {
        Some(computed) => computed.get_or_init(whole).clone(),
        None => whole(),
    }
}

/// The rules of a game, with the primer in a language.
async fn rules(game: Named, language: Language) -> Result<Rules, Status> {
    Ok(Rules { primer: primer_of(game.0, language), ..ruled(game).await? })
}

/// The rules of a game without their primer. Hundreds of tables are set up for them, so this is
/// computed on a thread for blocking work, and once for each game.
async fn ruled((game, module): Named) -> Result<Rules, Status> {
    /// By module; the empty name is that of all games that are compiled in.
    type Computed = BTreeMap<(String, &'static str), Arc<OnceLock<Rules>>>;
    static RULES: Mutex<Computed> = Mutex::new(BTreeMap::new());
    let key = (module.unwrap_or_default(), game.name());
    let computed =
        RULES.lock().expect("no holder of this lock panics").entry(key).or_default().clone();
    if let Some(rules) = computed.get() {
        return Ok(rules.clone());
    }
    let computing =
        tokio::task::spawn_blocking(move || computed.get_or_init(|| rules_of(game)).clone());
    computing.await.map_err(|error| of(Error::Internal(error.into())))
}
