//! `croupier export`: a match, whole, for programs.

use api::v1::MatchState;

use super::{HOUSE, Look, print_entry, print_match};
use crate::client::{Client, Failure, Service};

/// Write a match and its entries as lines of JSON
///
/// The first line is `{"match": …}`, each other `{"entry": …}`, in order: exactly what the REST interface answers for
/// them. Once the match is over everything is told, with the house's eyes, unless a seat is named; before that, what a
/// spectator may know, or the seat that is named.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    look: Look,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let client = Client::connect(service).await?;
    let (it, mut viewer) = args.look.find(&client).await?;
    if args.look.seat.is_none() && it.state() == MatchState::Ended {
        viewer = HOUSE.into();
    }
    print_match(&it)?;
    client
        .each_entry(&it.name, &viewer, |entry| match entry.position <= it.position {
            true => Ok(print_entry(entry)?),
            // Later than the match as the first line shows it.
            false => Ok(()),
        })
        .await
}
