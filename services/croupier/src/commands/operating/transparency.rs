//! `croupier transparency`: the transparency logs of the installation.

use clap::Subcommand;
use database::Database;
use matches::operators::Act;
use serde_json::json;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tlog::VerifierKey;
use transparency::{LogRow, Logs, Reader, WitnessRow};

use super::publishing;
use crate::client::Service;
use crate::failure::Failure;
use crate::print;
use crate::process::acts;
use crate::process::opening::{DatabaseArgs, refuse_pending};

/// List the transparency logs of the installation, begin one, or end the current one
///
/// In a log, anyone can see which matches were opened and how they were closed, by hashes alone,
/// and notices what is left out, dated back or changed later. `croupier monitor` watches it.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    operation: Option<Operation>,
    /// Print each log as a line of JSON
    #[arg(long, global = true)]
    json: bool,
    #[command(flatten)]
    database: DatabaseArgs,
}

#[derive(Subcommand)]
enum Operation {
    /// Begin a log of the matches that are created from now on. All processes must run this release
    Begin {
        /// A name that no other log has, best its address without `https://`, such as
        /// play.example/log
        #[arg(value_name = "NAME")]
        origin: String,
        /// Put a pseudonym of the match's platform into each leaf, so that anyone can count aborted
        /// matches by platform. It also shows how many matches each of them has
        #[arg(long)]
        tell_platforms: bool,
    },
    /// Ask a witness to cosign checkpoints from now on
    AddWitness {
        /// Where it is asked, without `/add-checkpoint`
        url: String,
        /// Its verifier key
        #[arg(value_name = "KEY")]
        witness: VerifierKey,
    },
    /// Ask a witness no longer
    RemoveWitness {
        /// Its verifier key
        #[arg(value_name = "KEY")]
        witness: VerifierKey,
    },
    /// Tell a checkpoint of the current log only once so many witnesses have cosigned it
    Require {
        #[arg(value_name = "N")]
        cosigners: u8,
    },
    /// Write the log as files: checkpoint, tiles and leaves, to be served from anywhere
    ///
    /// Whoever serves the destination serves the log, also while the service is away. Only what is
    /// not there yet is written, the checkpoint last. A log that does not continue what was
    /// published there is refused.
    Publish(publishing::Args),
    /// End the current log; what it has is served until another one begins
    End,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let open = args.database.open_as_it_is(&service.data).await?;
    let done = carry_out(&args, open.installation.database()).await;
    open.close().await;
    done
}

#[expect(clippy::disallowed_methods, reason = "they are carried out by an operator")]
async fn carry_out(args: &Args, database: &Database) -> Result<(), Failure> {
    refuse_pending(database).await?;
    let logs = Logs::new(database);
    match &args.operation {
        Some(Operation::Begin { origin, tell_platforms }) => {
            let beginning = logs.begin(origin, *tell_platforms);
            acts::carry_out(database, Act::BeginLog { origin }, beginning).await?;
        }
        Some(Operation::End) => {
            acts::carry_out(database, Act::EndLog, logs.end()).await?;
        }
        Some(Operation::AddWitness { url, witness }) => {
            let row = WitnessRow { key: witness.clone(), url: url.clone() };
            let act = Act::ChangeWitnesses { witness: witness.name() };
            acts::carry_out(database, act, logs.add_witness(&row)).await?;
        }
        Some(Operation::RemoveWitness { witness }) => {
            let act = Act::ChangeWitnesses { witness: witness.name() };
            acts::carry_out(database, act, logs.remove_witness(witness)).await?;
        }
        Some(Operation::Require { cosigners }) => {
            let requiring = logs.require((*cosigners).into());
            acts::carry_out(database, Act::RequireWitnesses, requiring).await?;
        }
        Some(Operation::Publish(publishing)) => {
            return publishing::run(publishing, &Reader::new(database), args.json).await;
        }
        None => {}
    }
    let list = logs.list().await?;
    if list.is_empty() && !args.json {
        print::line("There is no log. `croupier transparency begin NAME` begins one.")?;
    }
    for log in &list {
        print::line(&line(log, args.json))?;
    }
    Ok(())
}

fn line(log: &LogRow, is_json: bool) -> String {
    let (origin, key) = (&log.origin, log.verifier().to_string());
    let begin_time = rfc3339(log.begin_time);
    let end_time = log.end_time.map(rfc3339);
    match (is_json, end_time) {
        (true, end_time) => json!({
            "origin": origin, "key": key, "begin_time": begin_time, "end_time": end_time,
            "tells_platforms": log.tells_platforms,
        })
        .to_string(),
        (false, None) => format!("{origin}  since {begin_time}  {key}"),
        (false, Some(end_time)) => format!("{origin}  {begin_time} to {end_time}  {key}"),
    }
}

fn rfc3339(time: OffsetDateTime) -> String {
    time.format(&Rfc3339).expect("times are within RFC 3339")
}
