//! `croupier leave`: frees a seat.

use contract::v1::LeaveMatchRequest;

use crate::client::{Client, Service};
use crate::failure::Failure;
use crate::print::{Texts, print_match, print_match_and_next};

/// Free the seat of a player in a match that still waits for players; in a match that has started,
/// resign instead
#[derive(clap::Args)]
pub struct Args {
    /// The match: its name, its id, or the first four or more characters of a recent match's id
    #[arg(value_name = "MATCH")]
    name: String,
    /// The player, by the platform's id; not needed with a token of a seat or a player
    #[arg(default_value = "", hide_default_value = true)]
    player: String,
    /// Print the match as a line of JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(Args { name, player, json }: Args, service: &Service) -> Result<(), Failure> {
    let client = Client::connect(service).await?;
    let name = client.find(&name).await?;
    let request = LeaveMatchRequest { name, player, ..LeaveMatchRequest::default() };
    let it = client.leave(&request).await?;
    if json {
        return Ok(print_match(&it)?);
    }
    let game = client.game_of(&it).await?;
    Ok(print_match_and_next(&Texts::new(&game, &it), &game, &it, &service.command())?)
}
