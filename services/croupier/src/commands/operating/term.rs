//! `croupier term`: the terms of the installation.

use clap::Subcommand;
use event_log::{Began, Log};
use matches::operators::Act;
use serde_json::json;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::client::Service;
use crate::failure::Failure;
use crate::print;
use crate::process::acts;
use crate::process::opening::{DatabaseArgs, refuse_pending};

/// List the terms of the installation, or begin another one
///
/// A term begins by itself when a standby is promoted, when a backup is restored, when the tables
/// are on another server, and when recorded entries are gone. Platforms are then told that entries
/// they were sent may be void.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    operation: Option<Operation>,
    /// Print each term as a line of JSON
    #[arg(long, global = true)]
    json: bool,
    #[command(flatten)]
    database: DatabaseArgs,
}

#[derive(Subcommand)]
enum Operation {
    /// Begin another term: for a database whose server does not show that it went back, such as a
    /// data folder that was copied without its write-ahead log
    Raise {
        /// Entries that were recorded before this time were not lost, such as
        /// 2026-01-31T18:00:00Z [default: any entry may be lost]
        #[arg(long, value_name = "TIME", value_parser = time)]
        since: Option<OffsetDateTime>,
    },
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let open = args.database.open_as_it_is(&service.data).await?;
    let done = carry_out(&args, open.installation.store.log()).await;
    open.close().await;
    done
}

async fn carry_out(args: &Args, log: &Log) -> Result<(), Failure> {
    refuse_pending(log.database()).await?;
    if let Some(Operation::Raise { since }) = args.operation {
        #[expect(clippy::disallowed_methods, reason = "it is carried out by an operator")]
        let raising = log.raise_term(since);
        acts::carry_out(log.database(), Act::RaiseTerm, raising).await?;
    }
    for began in &*log.list_terms().await? {
        print::line(&line(began, args.json))?;
    }
    Ok(())
}

fn line(began: &Began, is_json: bool) -> String {
    let Began { term, reason, begin_time, void_since, .. } = began;
    let begin_time = rfc3339(*begin_time);
    if !is_json {
        return format!("{term}  since {begin_time}: {reason}");
    }
    let void_since_time = void_since.map(rfc3339);
    json!({
        "term": term.0,
        "begin_time": begin_time,
        "reason": reason,
        "void_since_time": void_since_time,
    })
    .to_string()
}

fn time(text: &str) -> Result<OffsetDateTime, String> {
    let wrong = |_| "not a time such as 2026-01-31T18:00:00Z".to_owned();
    OffsetDateTime::parse(text, &Rfc3339).map_err(wrong)
}

fn rfc3339(time: OffsetDateTime) -> String {
    time.format(&Rfc3339).expect("times are within RFC 3339")
}
