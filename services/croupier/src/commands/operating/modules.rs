//! `croupier game add`, `list`, `save` and `retire`: the games of an installation that are modules.
//! They work on the database, as the role that owns its tables.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use games::Game;
use matches::operators::{Act, Operator, Who};
use modules::admission::Admission;
use modules::compiling::Compiler;
use modules::{Limits, Module};
use serde_json::json;
use store::{ModuleRow, Store, module_hash};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::client::Service;
use crate::commands::making::check::try_out;
use crate::commands::making::module_file::read;
use crate::failure::Failure;
use crate::print;
use crate::process::opening::{DatabaseArgs, refuse_pending};

/// Try a module, and offer its game to every platform
///
/// The module passes the trial of `croupier game check`, or it is not added. Matches that are
/// created from then on have its rules; matches of an earlier module of the game keep theirs.
/// Running services need no restart.
#[derive(clap::Args)]
pub struct AddArgs {
    /// The module, a file of WebAssembly
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The number of matches of the trial for each number of seats
    #[arg(long, value_name = "M", default_value_t = 50)]
    matches: u64,
    /// The seconds for all matches of the trial; with less, fewer are played
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    time_s: u64,
    #[command(flatten)]
    at: At,
}

/// List the modules of the installation, those added last first
#[derive(clap::Args)]
pub struct ListArgs {
    #[command(flatten)]
    at: At,
}

/// Offer a game no longer: its matches go on, and no new ones are created
#[derive(clap::Args)]
pub struct RetireArgs {
    /// The game, such as `pebbles`
    #[arg(value_name = "GAME")]
    game: String,
    #[command(flatten)]
    at: At,
}

/// Write a module to a file, such as to verify matches without the installation
#[derive(clap::Args)]
pub struct SaveArgs {
    /// The hash of the module, as `croupier game list` prints it
    #[arg(value_name = "MODULE")]
    module: String,
    /// The file, which must not exist yet
    #[arg(value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    database: DatabaseArgs,
}

#[derive(clap::Args)]
struct At {
    #[command(flatten)]
    database: DatabaseArgs,
    /// Print each module as a line of JSON
    #[arg(long)]
    json: bool,
}

pub async fn add(args: AddArgs, service: &Service) -> Result<(), Failure> {
    let file = read(&args.file)?;
    let compiled = Compiler::find(args.at.database.module_compiler())?.compile(&file)?;
    let module = Module::load(&compiled, Limits { instances: 1, ..Limits::default() })?;
    let name = module.name();
    if games::find(name).is_some() {
        return Err(Failure::Negative(format!("{name} is the name of a game of this program")));
    }
    let admission = Admission {
        matches: args.matches,
        seats: None,
        seed: 0,
        time: Duration::from_secs(args.time_s),
    };
    if let Some(found) = try_out(&module, &admission).failure {
        return Err(Failure::Negative(format!(
            "{name} is not admitted: {}. `croupier game check {}` tells more",
            found.reason.name(),
            args.file.display()
        )));
    }
    let rules = module.rules_version();
    let hash = module_hash(&file);
    on_installation(&args.at.database, service, async |store, operator| {
        #[expect(clippy::disallowed_methods, reason = "it is carried out by an operator")]
        let adding = store.install_module(name, rules, &file);
        operator.carry_out(Act::AddModule { game: name, module: &hash }, adding).await?;
        show(args.at.json, store, |it| it.hash == hash).await
    })
    .await
}

pub async fn list(args: ListArgs, service: &Service) -> Result<(), Failure> {
    on_installation(&args.at.database, service, async |store, _| {
        show(args.at.json, store, |_| true).await
    })
    .await
}

pub async fn retire(args: RetireArgs, service: &Service) -> Result<(), Failure> {
    let game = args.game.trim_start_matches("games/");
    on_installation(&args.at.database, service, async |store, operator| {
        #[expect(clippy::disallowed_methods, reason = "it is carried out by an operator")]
        let retiring = store.retire_game(game);
        if operator.carry_out(Act::RetireGame { game }, retiring).await? == 0 {
            return Err(Failure::Negative(format!("no module of a game {game:?} is offered")));
        }
        show(args.at.json, store, |it| it.game == game).await
    })
    .await
}

pub async fn save(args: SaveArgs, service: &Service) -> Result<(), Failure> {
    on_installation(&args.database, service, async |store, _| {
        let Some(file) = store.module_file(&args.module).await? else {
            let module = &args.module;
            return Err(Failure::Negative(format!("no module has the hash {module:?}")));
        };
        let written = File::create_new(&args.out).and_then(|mut it| it.write_all(&file));
        written.map_err(|source| Failure::Path { path: args.out.clone(), source })
    })
    .await
}

async fn on_installation(
    database: &DatabaseArgs,
    service: &Service,
    work: impl AsyncFnOnce(&Store, Operator<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let open = database.open_as_it_is(&service.data).await?;
    let done = async {
        refuse_pending(open.installation.database()).await?;
        let operator = Operator::new(open.installation.database(), Who::CommandLine);
        work(&open.installation.store, operator).await
    };
    let done = done.await;
    open.close().await;
    done
}

async fn show(
    is_json: bool,
    store: &Store,
    is_wanted: impl Fn(&ModuleRow) -> bool,
) -> Result<(), Failure> {
    let modules = store.modules().await?;
    let mut newest: Vec<&str> = Vec::new();
    for it in &modules {
        let is_newest = !newest.contains(&&*it.game);
        newest.push(&it.game);
        if is_wanted(it) {
            print::line(&line(it, is_newest && it.retire_time.is_none(), is_json))?;
        }
    }
    Ok(())
}

/// A module; the one that new matches get is offered.
fn line(it: &ModuleRow, is_offered: bool, is_json: bool) -> String {
    let ModuleRow { hash, game, rules, bytes, install_time, retire_time } = it;
    let (install_time, retire_time) = (rfc3339(*install_time), retire_time.map(rfc3339));
    if is_json {
        let module = json!({
            "game": game,
            "module": hash,
            "rules_version": rules,
            "bytes": bytes,
            "offered": is_offered,
            "kept": it.is_kept(),
            "install_time": install_time,
            "retire_time": retire_time,
        });
        return module.to_string();
    }
    let state = match (is_offered, retire_time) {
        _ if it.is_kept() => "kept".to_owned(),
        (true, _) => "offered".to_owned(),
        (false, Some(time)) => format!("retired {time}"),
        (false, None) => "replaced".to_owned(),
    };
    format!("{game}  rules {rules}  {hash}  {bytes} bytes  added {install_time}  {state}")
}

fn rfc3339(time: OffsetDateTime) -> String {
    time.format(&Rfc3339).expect("times are within RFC 3339")
}
