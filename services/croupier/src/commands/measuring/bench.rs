//! `croupier bench`: measurements of a running service.

use std::fs;
use std::path::{Path, PathBuf};

use bench::{
    Report, actions, export, idle, neighbours, push, queries, reads, timeouts, transparency,
    watchers,
};
use clap::Subcommand;
use games::Game;
use uuid::Uuid;

use crate::client::{self, Service};
use crate::commands::making::module_file::load;
use crate::failure::Failure;
use crate::print;
use crate::process::installation::{self, Installation};
use crate::process::opening::{OnDatabase, start_postgres};

/// Measure the service
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    measurement: Measurement,
}

#[derive(Subcommand)]
enum Measurement {
    Actions(OnDatabase<Actions>),
    Reads(OnDatabase<reads::Args>),
    Watchers(OnDatabase<watchers::Args>),
    Neighbours(OnDatabase<neighbours::Args>),
    Idle(OnDatabase<idle::Args>),
    Push(push::Args),
    Queries(queries::Args),
    Timeouts(OnDatabase<timeouts::Args>),
    Export(export::Args),
    Transparency(transparency::Args),
}

#[derive(clap::Args)]
struct Actions {
    #[command(flatten)]
    args: actions::Args,
    /// The file of a module that the service has; play its matches instead, repeatable
    #[arg(long = "module", value_name = "FILE", conflicts_with_all = ["games", "talk"])]
    modules: Vec<PathBuf>,
}

impl Actions {
    /// The games of the modules.
    fn games(&self, compiler: Option<&Path>) -> Result<Vec<&'static dyn Game>, Failure> {
        let game = |file: &PathBuf| -> Result<&'static dyn Game, Failure> {
            Ok(Box::leak(Box::new(load(file, compiler)?)))
        };
        self.modules.iter().map(game).collect()
    }
}

pub async fn run(Args { measurement }: Args, service: &Service) -> Result<(), Failure> {
    let called = || service.for_bench();
    let report = match measurement {
        Measurement::Actions(OnDatabase { database, args: it }) => {
            let (called, modules) = (called()?, it.games(database.module_compiler())?);
            let installation = database.open(&service.data).await?;
            let measured = actions::run(&it.args, modules, &called, &installation.store).await;
            close(&installation, measured).await
        }
        Measurement::Reads(OnDatabase { database, args }) => {
            let called = called()?;
            let installation = database.open(&service.data).await?;
            close(&installation, reads::run(&args, &called, &installation.store).await).await
        }
        Measurement::Watchers(OnDatabase { database, args }) => {
            let called = called()?;
            let installation = database.open(&service.data).await?;
            close(&installation, watchers::run(&args, &called, &installation.store).await).await
        }
        Measurement::Neighbours(OnDatabase { database, args }) => {
            let called = called()?;
            let installation = database.open(&service.data).await?;
            close(&installation, neighbours::run(&args, &called, &installation.store).await).await
        }
        Measurement::Timeouts(OnDatabase { database, args }) => {
            let called = called()?;
            let installation = database.open(&service.data).await?;
            close(&installation, timeouts::run(&args, &called, &installation.store).await).await
        }
        Measurement::Idle(OnDatabase { database, args }) => {
            let called = called()?;
            let installation = database.open(&service.data).await?;
            let finding = idle::Idle::find(&called, &installation.store).await;
            match close(&installation, finding).await {
                Ok(found) => Ok(found.run(&args).await),
                Err(error) => Err(error),
            }
        }
        Measurement::Push(args) => push::run(&args, &called()?).await,
        Measurement::Queries(args) => queries::run(&args, &called()?).await,
        Measurement::Export(args) => {
            return show(measure(async |it| export::run(&args, &it.store).await).await?);
        }
        Measurement::Transparency(args) => {
            return show(measure(async |it| transparency::run(&args, &it.store).await).await?);
        }
    };
    show(report.map_err(|error| of_calls(error, service))?)
}

/// Failures of calls, in the words of other commands.
fn of_calls(error: bench::Error, service: &Service) -> Failure {
    match error {
        bench::Error::Connect(error) => Failure::Client(client::Error::of_connecting(error)),
        bench::Error::Refused(refusal) => {
            Failure::Client(client::Error::of_refusal(refusal, &service.address))
        }
        error => Failure::Bench(error),
    }
}

async fn close<T>(installation: &Installation, result: T) -> T {
    installation.close().await;
    result
}

/// Runs the measurement on a Postgres of its own in a temporary folder.
async fn measure(
    run: impl AsyncFnOnce(&Installation) -> Result<Report, bench::Error>,
) -> Result<Report, Failure> {
    let folder = std::env::temp_dir().join(format!("croupier-bench-{}", Uuid::new_v4().simple()));
    let report = measure_in(&folder, run).await;
    let _ = fs::remove_dir_all(&folder);
    report
}

async fn measure_in(
    folder: &Path,
    run: impl AsyncFnOnce(&Installation) -> Result<Report, bench::Error>,
) -> Result<Report, Failure> {
    let postgres = start_postgres(folder).await?;
    let options = installation::Options::new(database::Options::new(postgres.options()));
    let report = match Installation::open(options).await {
        Ok(it) => close(&it, run(&it).await).await.map_err(Failure::from),
        Err(error) => Err(error.into()),
    };
    postgres.stop().await;
    report
}

/// Prints a report. Fails if it names a fault of the service.
pub(super) fn show(report: Report) -> Result<(), Failure> {
    report.lines.iter().try_for_each(|line| print::line(line))?;
    report.fault.map_or(Ok(()), |fault| Err(Failure::Negative(fault.to_owned())))
}
