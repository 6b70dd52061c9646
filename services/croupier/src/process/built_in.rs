//! The modules of the built-in games, which a release keeps in the database: the next release
//! finishes the matches of this one by them, if it has other rules.

use std::path::{Path, PathBuf};
use std::time::Duration;

use database::Error;
use games::{GAMES, Game};
use matches::operators::{Act, Operator, Who};
use modules::compiling::Compiler;
use modules::{Limits, Module};
use store::{Store, module_hash};
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

/// How long a service runs before it keeps them, so that its start is not slowed.
const WAIT: Duration = Duration::from_secs(60);

/// A module that was kept.
pub struct Kept {
    pub game: &'static str,
    pub rules: u32,
    /// The hash of the module.
    pub module: String,
}

/// The outcome of [`keep`].
#[derive(Default)]
pub struct Outcome {
    pub kept: Vec<Kept>,
    /// The games that have no module, each with the reason.
    pub lacking: Vec<(&'static str, String)>,
}

/// Keeps a module of each built-in game whose version of the rules has none. They are beside the
/// compiler, where packages and `.ci/modules` leave them.
pub async fn keep(store: &Store, who: Who<'_>, compiler: Option<&Path>) -> Result<Outcome, Error> {
    let (there, mut outcome) = (store.kept_modules().await?, Outcome::default());
    // Otherwise each start of a process would add acts that fail.
    let may_keep = OnceCell::new();
    for &game in GAMES {
        let (name, rules) = (game.name(), game.rules_version());
        if there.contains_key(&(name.to_owned(), rules)) {
            continue;
        }
        let compiler = compiler.map(Path::to_owned);
        let reading = spawn_blocking(move || read(game, compiler.as_deref()));
        let file = match reading.await.unwrap_or_else(|error| Err(error.to_string())) {
            Ok(file) => file,
            Err(reason) => {
                outcome.lacking.push((name, reason));
                continue;
            }
        };
        let may_keep = may_keep.get_or_try_init(|| store.may_keep_modules()).await?;
        if !may_keep {
            outcome.lacking.push((name, "this role may add no modules".to_owned()));
            continue;
        }
        let module = module_hash(&file);
        #[expect(clippy::disallowed_methods, reason = "it is carried out by an operator")]
        let keeping = store.keep_module(name, rules, &file);
        let operator = Operator::new(store.database(), who);
        let act = Act::KeepModule { game: name, module: &module };
        if operator.carry_out_if(act, keeping, |it| *it).await? {
            outcome.kept.push(Kept { game: name, rules, module });
        }
    }
    Ok(outcome)
}

/// The file of a game's module, which has the version of the rules that is compiled in.
fn read(game: &dyn Game, compiler: Option<&Path>) -> Result<Vec<u8>, String> {
    let compiler = Compiler::find(compiler).map_err(|error| error.to_string())?;
    let path: PathBuf = compiler.program.with_file_name(game.name().replace('-', "_"));
    let path = path.with_extension("wasm");
    let file = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let compiled = compiler.compile(&file).map_err(|error| error.to_string())?;
    let limits = Limits { instances: 1, ..Limits::default() };
    let module = Module::load(&compiled, limits).map_err(|error| error.to_string())?;
    let (name, rules) = (module.name(), module.rules_version());
    match (name, rules) == (game.name(), game.rules_version()) {
        true => Ok(file),
        false => Err(format!("{} has version {rules} of the rules of {name}", path.display())),
    }
}

/// Keeps them once a service has run for a while, and says so.
pub async fn keep_later(store: &Store, compiler: Option<&Path>) {
    sleep(WAIT).await;
    match keep(store, Who::Service, compiler).await {
        Ok(Outcome { kept, lacking }) => {
            for Kept { game, rules, module } in kept {
                tracing::info!(module, "kept the module of version {rules} of the rules of {game}");
            }
            for (game, reason) in lacking {
                tracing::debug!(game, reason, "no module of the rules is kept");
            }
        }
        Err(error) => {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, "the modules of the built-in games are not kept");
        }
    }
}
