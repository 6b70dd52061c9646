//! `ModuleService`: operators install and retire games that are modules.

use std::pin::Pin;
use std::time::Duration;

use contract::names::{game_name, module_name, platform_name};
use contract::v1::module_service_server::ModuleService;
use contract::v1::*;
use futures::stream;
use matches::{Error, MODULE_BYTES, ModuleRow, NewGame, Progress, too_large};
use tokio::sync::watch;
use tokio::time::sleep;
use tonic::{Request, Response, Status, Streaming};

use super::calls::Calls;
use super::streaming::Answers;
use crate::answers::values::timestamp;
use crate::error::{DOMAIN, invalid, of};
use crate::requests::names::{parse_game, parse_platform};
use crate::requests::pages::{foreign, page_size};

/// The default page size.
const PAGE_USUAL: usize = 100;

/// The random matches for each number of seats: by default, and at most.
const MATCHES_USUAL: u32 = 50;
const MATCHES_MAX: u32 = 10_000;

/// The seconds of a trial: by default, and at most.
const TRIAL_USUAL: Duration = Duration::from_secs(30);
const TRIAL_MAX: Duration = Duration::from_secs(300);

/// The platforms that a game may be limited to.
const PLATFORMS_MAX: usize = 1000;

/// How often a client is told of the progress.
const TOLD_EVERY: Duration = Duration::from_millis(250);

pub(crate) struct Modules {
    pub calls: Calls,
}

#[tonic::async_trait]
impl ModuleService for Modules {
    type InstallGameStream = Answers<InstallGameResponse>;

    async fn install_game(
        &self,
        request: Request<Streaming<InstallGameRequest>>,
    ) -> Result<Response<Self::InstallGameStream>, Status> {
        // Before anything of the module is read.
        let operator = self.calls.auth.operator(request.metadata()).await?;
        let parts = request.into_inner();
        let (progress, told) = watch::channel(Progress::default());
        let matches = self.calls.matches.clone();
        let installing = Box::pin(async move {
            let new = received(parts).await?;
            matches.install_game(operator, new, progress).await.map_err(of)
        });
        let stages = Stages { installing, told, is_first: true };
        Ok(Response::new(Box::pin(stream::unfold(Some(stages), Stages::next))))
    }

    async fn retire_game(
        &self,
        request: Request<RetireGameRequest>,
    ) -> Result<Response<RetireGameResponse>, Status> {
        let operator = self.calls.auth.operator(request.metadata()).await?;
        let request = request.into_inner();
        let game = parse_game("name", &request.name)?;
        let rows = self.calls.matches.retire_game(&operator, game).await.map_err(of)?;
        let newest = rows.into_iter().next();
        let newest = newest.ok_or_else(|| of(Error::Internal("there is no module".into())))?;
        Ok(Response::new(RetireGameResponse { module: Some(module_of(newest)) }))
    }

    async fn list_modules(
        &self,
        request: Request<ListModulesRequest>,
    ) -> Result<Response<ListModulesResponse>, Status> {
        self.calls.auth.operator(request.metadata()).await?;
        let request = request.into_inner();
        let size = page_size(request.page_size, PAGE_USUAL)?;
        let mut rows = self.calls.matches.modules().await.map_err(of)?;
        if !request.page_token.is_empty() {
            let last = rows.iter().position(|it| it.hash == request.page_token);
            rows.drain(..=last.ok_or_else(foreign)?);
        }
        let is_last = rows.len() <= size;
        rows.truncate(size);
        let last = rows.last().filter(|_| !is_last);
        let next_page_token = last.map(|it| it.hash.clone()).unwrap_or_default();
        let modules = rows.into_iter().map(module_of).collect();
        Ok(Response::new(ListModulesResponse { modules, next_page_token }))
    }
}

/// The game that a client sends in parts.
async fn received(mut parts: Streaming<InstallGameRequest>) -> Result<NewGame, Status> {
    let next = async |parts: &mut Streaming<InstallGameRequest>| {
        parts.message().await.map_err(|status| DOMAIN.adopt(status))
    };
    let first = next(&mut parts).await?.unwrap_or_default();
    let mut new = new_game(first)?;
    while let Some(part) = next(&mut parts).await? {
        let InstallGameRequest { module, platforms, matches, trial_duration } = part;
        if !platforms.is_empty() || matches != 0 || trial_duration.is_some() {
            return Err(invalid("module", "only the first message has more than a part"));
        }
        if new.file.len() + module.len() > MODULE_BYTES {
            return Err(of(too_large()));
        }
        new.file.extend(module);
    }
    if new.file.is_empty() {
        return Err(invalid("module", "the module is missing"));
    }
    Ok(new)
}

fn new_game(first: InstallGameRequest) -> Result<NewGame, Status> {
    let InstallGameRequest { module, platforms, matches, trial_duration } = first;
    if platforms.len() > PLATFORMS_MAX {
        let rule = format!("a game is for {PLATFORMS_MAX} platforms at most, or for all");
        return Err(invalid("platforms", rule));
    }
    let named = platforms.iter().enumerate();
    let platforms = named
        .map(|(nth, it)| parse_platform(&format!("platforms[{nth}]"), it).map(str::to_owned))
        .collect::<Result<_, _>>()?;
    if matches > MATCHES_MAX {
        return Err(invalid("matches", format!("a trial has {MATCHES_MAX} matches at most")));
    }
    let matches = if matches == 0 { MATCHES_USUAL } else { matches };
    let time = trial_duration.map_or(Ok(TRIAL_USUAL), |it| {
        let time = Duration::try_from(it).ok();
        let time = time.filter(|it| (Duration::from_secs(1)..=TRIAL_MAX).contains(it));
        time.ok_or_else(|| invalid("trial_duration", "a trial takes 1 to 300 seconds"))
    })?;
    Ok(NewGame { file: module, platforms, matches: matches.into(), time })
}

type Installing = Pin<Box<dyn Future<Output = Result<ModuleRow, Status>> + Send>>;

/// What a client is told while a game is installed. That goes on if the client goes away.
struct Stages {
    installing: Installing,
    told: watch::Receiver<Progress>,
    is_first: bool,
}

impl Stages {
    async fn next(
        stages: Option<Stages>,
    ) -> Option<(Result<InstallGameResponse, Status>, Option<Stages>)> {
        let mut stages = stages?;
        let pause = if stages.is_first { Duration::ZERO } else { TOLD_EVERY };
        stages.is_first = false;
        let news = async {
            sleep(pause).await;
            // The trial may have ended, and its outcome is next.
            if stages.told.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
            *stages.told.borrow_and_update()
        };
        let stage = tokio::select! {
            biased;
            installed = &mut stages.installing => {
                let stage = installed.map(|it| install_game_response::Stage::Module(module_of(it)));
                return Some((stage.map(response), None));
            }
            progress = news => install_game_response::Stage::Progress(progress_of(progress)),
        };
        Some((Ok(response(stage)), Some(stages)))
    }
}

fn response(stage: install_game_response::Stage) -> InstallGameResponse {
    InstallGameResponse { stage: Some(stage) }
}

fn progress_of(it: Progress) -> InstallProgress {
    let number = |it: u64| u32::try_from(it).unwrap_or(u32::MAX);
    InstallProgress {
        matches: number(it.matches),
        matches_max: number(it.of),
        actions: number(it.actions),
    }
}

fn module_of(it: ModuleRow) -> Module {
    let state = match it.state() {
        matches::ModuleState::Offered => ModuleState::Offered,
        matches::ModuleState::Replaced => ModuleState::Replaced,
        matches::ModuleState::Retired => ModuleState::Retired,
        matches::ModuleState::Kept => ModuleState::Kept,
    };
    Module {
        name: module_name(&it.hash),
        game: game_name(&it.game),
        rules_version: u32::try_from(it.rules).unwrap_or_default(),
        size_bytes: it.bytes,
        state: state.into(),
        install_time: Some(timestamp(it.install_time)),
        retire_time: it.retire_time.map(timestamp),
        platforms: it.platforms.unwrap_or_default().iter().map(|it| platform_name(it)).collect(),
    }
}
