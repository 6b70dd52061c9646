//! `croupier migrate`: brings the database's tables up to date, as the role that owns them.

use matches::operators::{Act, Who};
use schema::Migration;

use crate::client::Service;
use crate::failure::Failure;
use crate::print;
use crate::process::acts;
use crate::process::built_in::{self, Kept};
use crate::process::installation::Installation;
use crate::process::keys;
use crate::process::opening::DatabaseArgs;

/// Bring the database's tables up to date, while services of this release or the previous one run
///
/// Every release also runs on the tables of the next one: migrate first, then replace one process
/// after the other. Services apply migrations themselves unless they start with --without-migration
/// or their role lacks the rights.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    database: DatabaseArgs,
    /// Only list what is pending; fails if anything is
    #[arg(long, conflicts_with = "grant")]
    check: bool,
    /// Then grant this role the rights to serve: it may add rows to the record but never change or
    /// delete one, and it owns no table
    #[arg(long, value_name = "ROLE")]
    grant: Option<String>,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let open = args.database.open_as_it_is(&service.data).await?;
    let done = migrate(&args, &open.installation).await;
    open.close().await;
    done
}

async fn migrate(args: &Args, installation: &Installation) -> Result<(), Failure> {
    let database = installation.database();
    if args.check {
        let pending = schema::pending(database).await?;
        show("pending", &pending)?;
        return match pending.len() {
            0 => Ok(schema::check_places(database).await?),
            1 => Err(Failure::Negative("1 migration is pending".to_owned())),
            many => Err(Failure::Negative(format!("{many} migrations are pending"))),
        };
    }
    show("applied", &schema::migrate(database).await?)?;
    keys::make(installation).await?;
    if let Some(role) = &args.grant {
        #[expect(clippy::disallowed_methods, reason = "it is carried out by an operator")]
        let granting = schema::grant(database, role);
        if !acts::carry_out(database, Act::Grant { role }, granting).await? {
            return Err(Failure::Negative(format!("the database has no role {role:?}")));
        }
        print::line(&format!("the role {role} may serve"))?;
    }
    keep_modules(args, installation).await
}

/// Keeps the rules of this release, by which later ones finish its matches.
async fn keep_modules(args: &Args, installation: &Installation) -> Result<(), Failure> {
    let compiler = args.database.module_compiler();
    let outcome = built_in::keep(&installation.store, Who::CommandLine, compiler).await?;
    for Kept { game, rules, module } in outcome.kept {
        print::line(&format!("kept: version {rules} of the rules of {game}, {module}"))?;
    }
    if let Some((_, reason)) = outcome.lacking.first() {
        let games: Vec<&str> = outcome.lacking.iter().map(|it| it.0).collect();
        eprintln!("croupier: the rules of {} are not kept: {reason}", games.join(", "));
    }
    Ok(())
}

fn show(what: &str, migrations: &[Migration]) -> Result<(), Failure> {
    for Migration { version, description } in migrations {
        print::line(&format!("{what}: {version:04} {description}"))?;
    }
    if migrations.is_empty() {
        print::line("the tables are up to date")?;
    }
    Ok(())
}
