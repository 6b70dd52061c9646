//! Games that are modules: operators install and retire them by calls.
//!
//! A module is compiled and tried on a thread of its own, at a low priority, one at a time in a
//! process. Nothing is written before it has passed, and one statement writes it.

use std::collections::BTreeSet;
use std::time::Duration;

use games::Game;
use modules::admission::{Admission, Progress};
use modules::compiling::CompileError;
use modules::{BadDescription, Compiled, Limits, LoadError, Module};
use store::{ModuleRow, module_hash};
use table::contract::MODULE_BYTES_MAX;
use tokio::sync::{oneshot, watch};

use crate::detached::Detached;
use crate::error::Error;
use crate::matches::Matches;
use crate::operators::{Act, Operator, Who};

/// The bytes of a module at most.
pub const MODULE_BYTES: usize = MODULE_BYTES_MAX;

/// How much a trial leaves to all else: it gets a third of what a call gets. With the lowest
/// priority it would not end on a machine that is full.
const NICE: i32 = 5;

/// How long compiling may take. The compiler limits its own CPU time to a minute.
const COMPILING_MAX: Duration = Duration::from_secs(300);

/// A key of an operator, which was accepted. The database asks for the proof before it changes
/// anything, so a key that was revoked since changes nothing.
#[derive(Clone)]
pub struct OperatorCaller {
    pub key_id: String,
    pub proof: [u8; 32],
}

/// A game to install.
pub struct NewGame {
    /// The module.
    pub file: Vec<u8>,
    /// The platforms that it is for; empty for all.
    pub platforms: Vec<String>,
    /// The random matches of the trial for each number of seats.
    pub matches: u64,
    /// The time of the trial. With less, there are fewer matches.
    pub time: Duration,
}

impl Matches {
    /// Tries a module, and offers its game from then on. Completes even if the caller drops this
    /// future.
    pub async fn install_game(
        &self,
        operator: OperatorCaller,
        new: NewGame,
        progress: watch::Sender<Progress>,
    ) -> Result<ModuleRow, Error> {
        let turn = self.0.installing.clone().try_acquire_owned();
        let turn = turn.map_err(|_| Error::Overloaded)?;
        let matches = self.clone();
        let installing = async move {
            let installed = matches.install(&operator, new, progress).await;
            drop(turn);
            installed
        };
        Detached::new(installing).await?
    }

    async fn install(
        &self,
        operator: &OperatorCaller,
        new: NewGame,
        progress: watch::Sender<Progress>,
    ) -> Result<ModuleRow, Error> {
        let platforms = self.known_platforms(new.platforms).await?;
        let hash = module_hash(&new.file);
        let unavailable = |error: CompileError| {
            tracing::warn!(error = &error as &dyn std::error::Error, "no module can be tried");
            Error::ModuleUnavailable { module: hash.clone() }
        };
        let mut compiler = self.0.store.module_compiler().map_err(unavailable)?;
        compiler.patience = COMPILING_MAX;
        let admission = Admission { matches: new.matches, seats: None, seed: 0, time: new.time };
        let (done, tried) = oneshot::channel();
        let file = new.file.clone();
        let trial = move || {
            // The compiler inherits it.
            let _ = rustix::process::setpriority_process(None, NICE);
            let compiled = compiler.compile(&file).map_err(Refused::Compile);
            let tried = compiled.and_then(|it| try_out(it, admission, &progress));
            let _ = done.send(tried);
        };
        let thread = std::thread::Builder::new().name("trial of a module".to_owned());
        thread.spawn(trial).map_err(|error| Error::Internal(error.into()))?;
        let tried = tried.await.map_err(|_| Error::Internal("the trial panicked".into()))?;
        let Tried { game, rules, compiled } = tried.map_err(|refused| match refused {
            Refused::Compile(error @ (CompileError::Run(_) | CompileError::NoCompiler)) => {
                unavailable(error)
            }
            Refused::Compile(error) => Error::ModuleRefused {
                fault: match error {
                    CompileError::TooLarge(_) => TOO_LARGE,
                    _ => NO_MODULE,
                },
                message: format!("this is no module of a game: {}", chain(&error)),
            },
            Refused::Load(error) => Error::ModuleRefused {
                fault: match error {
                    LoadError::Description(BadDescription::Contract(_)) => "CONTRACT",
                    _ => NO_MODULE,
                },
                message: format!("this is no module of a game: {}", chain(&error)),
            },
            Refused::NameTaken(game) => Error::GameNameTaken(game),
            Refused::NotAdmitted { fault, message } => Error::ModuleRefused { fault, message },
        })?;

        #[expect(clippy::disallowed_methods, reason = "it is carried out by an operator")]
        let adding =
            self.0.store.install_module_by(&operator.proof, &game, rules, new.file, platforms);
        let act = Act::AddModule { game: &game, module: &hash };
        if !self.as_operator(operator).carry_out_if(act, adding, |it| *it).await? {
            return Err(Error::RightEnded);
        }
        tracing::info!(module = hash, "an operator installed the game {game}");
        self.0.store.keep_code(&hash, &compiled);
        if let Err(error) = self.0.store.learn(&hash).await {
            tracing::warn!(error = &error as &dyn std::error::Error, "it is not loaded yet");
        }
        // This process lists it at once.
        self.0.store.offered_module(&game, None).await?;
        let rows = self.0.store.modules().await?;
        let row = rows.into_iter().find(|it| it.hash == hash);
        row.ok_or_else(|| Error::Internal("an installed module is not there".into()))
    }

    /// Ends new matches of a game; those that there are go on. Returns its modules, those added
    /// last first.
    pub async fn retire_game(
        &self,
        operator: &OperatorCaller,
        game: &str,
    ) -> Result<Vec<ModuleRow>, Error> {
        let (matches, by, its_game) = (self.clone(), operator.clone(), game.to_owned());
        let retiring = Detached::new(async move {
            let act = Act::RetireGame { game: &its_game };
            #[expect(clippy::disallowed_methods, reason = "it is carried out by an operator")]
            let retiring = matches.0.store.retire_game_by(&by.proof, &its_game);
            let is_changed = |it: &Option<i64>| it.is_some_and(|it| it > 0);
            matches.as_operator(&by).carry_out_if(act, retiring, is_changed).await
        });
        match retiring.await?? {
            None => return Err(Error::RightEnded),
            Some(0) => return Err(Error::GameNotOffered(game.to_owned())),
            Some(_) => {}
        }
        // This process lists it no longer.
        self.0.store.offered_module(game, None).await?;
        let mut rows = self.0.store.modules().await?;
        rows.retain(|it| it.game == game);
        Ok(rows)
    }

    /// All modules, those added last first.
    pub async fn modules(&self) -> Result<Vec<ModuleRow>, Error> {
        Ok(self.0.store.modules().await?)
    }

    pub(crate) fn as_operator<'a>(&self, operator: &'a OperatorCaller) -> Operator<'a> {
        Operator::new(self.database(), Who::Key(&operator.key_id))
    }

    /// The named platforms, each once; `None` for all.
    async fn known_platforms(&self, named: Vec<String>) -> Result<Option<Vec<String>>, Error> {
        if named.is_empty() {
            return Ok(None);
        }
        let there = self.0.accounts.list_platforms().await?;
        let there: BTreeSet<String> = there.into_iter().map(|it| it.platform).collect();
        for (index, platform) in named.iter().enumerate() {
            if !there.contains(platform) {
                let rule = format!("there is no platform {platform:?}");
                return Err(Error::InvalidItem { field: "platforms", index, rule });
            }
        }
        let once: BTreeSet<String> = named.into_iter().collect();
        Ok(Some(once.into_iter().collect()))
    }
}

const NO_MODULE: &str = "NO_MODULE";
const TOO_LARGE: &str = "TOO_LARGE";

/// The refusal of a module that is larger than one may be.
pub fn too_large() -> Error {
    let message = format!("a module has {MODULE_BYTES_MAX} bytes at most");
    Error::ModuleRefused { fault: TOO_LARGE, message }
}

/// A module that may be installed.
struct Tried {
    game: String,
    rules: u32,
    compiled: Compiled,
}

enum Refused {
    Compile(CompileError),
    Load(LoadError),
    NameTaken(String),
    NotAdmitted { fault: &'static str, message: String },
}

fn try_out(
    compiled: Compiled,
    admission: Admission,
    progress: &watch::Sender<Progress>,
) -> Result<Tried, Refused> {
    let limits = Limits { instances: 1, ..Limits::default() };
    let module = Module::load(&compiled, limits).map_err(Refused::Load)?;
    let (game, rules) = (module.name().to_owned(), module.rules_version());
    if games::find(&game).is_some() {
        return Err(Refused::NameTaken(game));
    }
    let report = admission.run(&module, &mut |it| _ = progress.send_replace(it));
    match report.failure {
        None => Ok(Tried { game, rules, compiled }),
        Some(found) => Err(Refused::NotAdmitted {
            fault: found.reason.name(),
            message: format!(
                "{game} is not admitted, because this must hold: {}; `croupier game check` shows \
                 where it does not",
                found.reason.sentence()
            ),
        }),
    }
}

/// An error with its causes.
fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |it| it.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
