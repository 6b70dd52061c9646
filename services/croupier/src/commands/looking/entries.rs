//! `croupier entries`: the entries of a match so far.

use crate::client::{Client, Service};
use crate::commands::arguments::EntryArgs;
use crate::failure::Failure;
use crate::print::Printer;

/// Print what has happened in a match so far
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    entries: EntryArgs,
}

pub async fn run(Args { entries }: Args, service: &Service) -> Result<(), Failure> {
    let client = Client::connect(service).await?;
    let client = if entries.json { client.for_programs(service) } else { client };
    let (it, viewer) = entries.viewer_args.find(&client).await?;
    let printer = Printer { json: entries.json };
    client
        .each_entry(&it.name, &viewer, |entry| match entry.position > entries.after {
            true => Ok::<_, Failure>(printer.print(entry)?),
            false => Ok(()),
        })
        .await
}
