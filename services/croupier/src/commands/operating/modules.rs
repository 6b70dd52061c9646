//! `croupier game add`, `list`, `save` and `retire`: the games of an installation that are modules.
//! They work on the database, as the role that owns its tables, or, with a key of an operator, by
//! calls of a service.

use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use accounts::Accounts;
use contract::names::platform_name;
use contract::v1::{self, InstallGameRequest};
use games::Game;
use matches::operators::{Act, Operator, Who};
use modules::admission::Admission;
use modules::compiling::Compiler;
use modules::{Limits, Module};
use serde_json::json;
use store::{ModuleRow, ModuleState, Store, module_hash};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::client::{self, Client, Service, short_game_name};
use crate::commands::making::check::{progress_bar, show_progress, try_out};
use crate::commands::making::module_file::read;
use crate::failure::Failure;
use crate::print;
use crate::process::opening::{DatabaseArgs, refuse_pending};

/// Try a module, and offer its game to every platform, or to some
///
/// The module passes the trial of `croupier game check`, or it is not added. Matches that are
/// created from then on have its rules; matches of an earlier module of the game keep theirs.
/// Running services need no restart. With a key of an operator, the service at `--address` does
/// it all; otherwise this program does, on the database.
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
    /// A platform that the game is for; repeatable. To others it does not exist [default: all]
    #[arg(long = "platform", value_name = "NAME")]
    platforms: Vec<String>,
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
    /// A key of an operator, as `croupier operator key` prints it: asks the service instead of the
    /// database
    #[arg(long, env = "CROUPIER_OPERATOR_KEY", hide_env_values = true, value_name = "KEY")]
    operator_key: Option<String>,
    /// A file that contains the key
    #[arg(
        long,
        env = "CROUPIER_OPERATOR_KEY_FILE",
        value_name = "FILE",
        conflicts_with = "operator_key"
    )]
    operator_key_file: Option<PathBuf>,
    /// Print each module as a line of JSON
    #[arg(long)]
    json: bool,
}

impl At {
    /// A client with the key of an operator, if there is one.
    async fn client(&self, service: &Service) -> Result<Option<Client>, Failure> {
        let key = match (&self.operator_key, &self.operator_key_file) {
            (Some(key), _) => key.clone(),
            (None, Some(path)) => {
                let read = fs::read_to_string(path);
                read.map_err(|source| Failure::Path { path: path.clone(), source })?
            }
            (None, None) => return Ok(None),
        };
        Ok(Some(Client::connect_as(service, key.trim().to_owned()).await?))
    }
}

pub async fn add(args: AddArgs, service: &Service) -> Result<(), Failure> {
    let file = read(&args.file)?;
    if let Some(client) = args.at.client(service).await? {
        return add_by(&client, &args, &file).await;
    }
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
    let platforms = Some(&*args.platforms).filter(|it| !it.is_empty());
    on_installation(&args.at.database, service, async |store, operator| {
        let there = Accounts::new(store.database()).list_platforms().await?;
        for platform in &args.platforms {
            if !there.iter().any(|it| it.platform == *platform) {
                return Err(Failure::Negative(format!("there is no platform {platform:?}")));
            }
        }
        #[expect(clippy::disallowed_methods, reason = "it is carried out by an operator")]
        let adding = store.install_module(name, rules, &file, platforms);
        operator.carry_out(Act::AddModule { game: name, module: &hash }, adding).await?;
        show(args.at.json, store, |it| it.hash == hash).await
    })
    .await
}

/// Lets a service add a module.
async fn add_by(client: &Client, args: &AddArgs, file: &[u8]) -> Result<(), Failure> {
    let first = InstallGameRequest {
        platforms: args.platforms.iter().map(|it| platform_name(it)).collect(),
        matches: u32::try_from(args.matches).unwrap_or(u32::MAX),
        trial_duration: Some(contract::duration(Duration::from_secs(args.time_s))),
        ..<_>::default()
    };
    let bar = progress_bar();
    let added = client.install_game(first, file, |it| {
        show_progress(&bar, it.matches.into(), it.matches_max.into(), it.actions.into());
    });
    let added = added.await;
    bar.finish_and_clear();
    show_told(args.at.json, [added?])
}

/// Prints what a service told.
fn show_told(is_json: bool, told: impl IntoIterator<Item = v1::Module>) -> Result<(), Failure> {
    for it in told {
        print::line(&line(&row_of(it)?, is_json))?;
    }
    Ok(())
}

fn row_of(it: v1::Module) -> Result<ModuleRow, Failure> {
    let state = it.state();
    let time = |it: &prost_types::Timestamp| {
        let seconds = OffsetDateTime::from_unix_timestamp(it.seconds).ok();
        seconds.map(|time| time + Duration::from_nanos(it.nanos.unsigned_abs().into()))
    };
    let install_time = it.install_time.as_ref().and_then(time).ok_or(client::Error::Empty)?;
    let retire_time = it.retire_time.as_ref().and_then(time);
    let platforms: Vec<String> =
        it.platforms.iter().map(|it| it.trim_start_matches("platforms/").to_owned()).collect();
    Ok(ModuleRow {
        hash: it.name.trim_start_matches("modules/").to_owned(),
        game: short_game_name(&it.game).to_owned(),
        rules: i32::try_from(it.rules_version).unwrap_or(i32::MAX),
        bytes: it.size_bytes,
        install_time,
        retire_time: if state == v1::ModuleState::Kept { Some(install_time) } else { retire_time },
        platforms: Some(platforms).filter(|it| !it.is_empty()),
        is_newest: state == v1::ModuleState::Offered,
    })
}

pub async fn list(args: ListArgs, service: &Service) -> Result<(), Failure> {
    if let Some(client) = args.at.client(service).await? {
        return show_told(args.at.json, client.modules().await?);
    }
    on_installation(&args.at.database, service, async |store, _| {
        show(args.at.json, store, |_| true).await
    })
    .await
}

pub async fn retire(args: RetireArgs, service: &Service) -> Result<(), Failure> {
    let game = args.game.trim_start_matches("games/");
    if let Some(client) = args.at.client(service).await? {
        return show_told(args.at.json, [client.retire_game(game).await?]);
    }
    on_installation(&args.at.database, service, async |store, operator| {
        #[expect(clippy::disallowed_methods, reason = "it is carried out by an operator")]
        let retiring = store.retire_game(game);
        let act = Act::RetireGame { game };
        if operator.carry_out_if(act, retiring, |it| *it > 0).await? == 0 {
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
    modules.iter().filter(|it| is_wanted(it)).try_for_each(|it| print::line(&line(it, is_json)))?;
    Ok(())
}

fn line(it: &ModuleRow, is_json: bool) -> String {
    let ModuleRow { hash, game, rules, bytes, install_time, retire_time, platforms, .. } = it;
    let (install_time, retire_time) = (rfc3339(*install_time), retire_time.map(rfc3339));
    let state = it.state();
    if is_json {
        let module = json!({
            "game": game,
            "module": hash,
            "rules_version": rules,
            "bytes": bytes,
            "offered": state == ModuleState::Offered,
            "kept": state == ModuleState::Kept,
            "install_time": install_time,
            "retire_time": retire_time,
            "platforms": platforms,
        });
        return module.to_string();
    }
    let state = match state {
        ModuleState::Offered => "offered".to_owned(),
        ModuleState::Replaced => "replaced".to_owned(),
        ModuleState::Retired => format!("retired {}", retire_time.unwrap_or_default()),
        ModuleState::Kept => "kept".to_owned(),
    };
    let only = platforms.as_ref().map(|it| format!("  only for {}", it.join(", ")));
    let only = only.unwrap_or_default();
    format!("{game}  rules {rules}  {hash}  {bytes} bytes  added {install_time}  {state}{only}")
}

fn rfc3339(time: OffsetDateTime) -> String {
    time.format(&Rfc3339).expect("times are within RFC 3339")
}
