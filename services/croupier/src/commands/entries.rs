//! `croupier entries`: what has happened in a match so far.

use super::{Printer, Stretch};
use crate::client::{Client, Failure, Service};

/// Tell what has happened in a match so far
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    stretch: Stretch,
}

pub async fn run(Args { stretch }: Args, service: &Service) -> Result<(), Failure> {
    let client = Client::connect(service).await?;
    let (it, viewer) = stretch.viewer_args.find(&client).await?;
    let mut printer = Printer::of(&client, &it, stretch.json).await?;
    client
        .each_entry(&it.name, &viewer, |entry| match entry.position > stretch.after {
            true => printer.print(entry),
            false => Ok(()),
        })
        .await
}
