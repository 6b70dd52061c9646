//! `croupier delete`: deletes a match that waits for players.

use contract::v1::DeleteMatchRequest;

use crate::client::{Client, Service};
use crate::failure::Failure;
use crate::print;

/// Delete a match that waits for players; one that has started cannot be deleted
#[derive(clap::Args)]
pub struct Args {
    /// The match: its name, its id, or the first four or more characters of a recent match's id
    #[arg(value_name = "MATCH")]
    name: String,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let client = Client::connect(service).await?;
    let name = client.find(&args.name).await?;
    client.delete(&DeleteMatchRequest { name: name.clone(), ..<_>::default() }).await?;
    Ok(print::line(&format!("{name} is deleted"))?)
}
