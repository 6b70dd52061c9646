//! `croupier vote`: votes for a motion.

use contract::v1::{Motion, VoteMatchRequest};
use uuid::Uuid;

use crate::client::{Client, Service};
use crate::commands::arguments::check_seat;
use crate::failure::Failure;
use crate::print::Printer;

/// Vote for a motion, which is carried once every seat that has not resigned votes for it
#[derive(clap::Args)]
pub struct Args {
    /// The match: its name, its id, or the first four or more characters of a recent match's id
    #[arg(value_name = "MATCH")]
    name: String,
    /// End the match without a result, pause it, or resume it
    #[arg(value_enum)]
    motion: For,
    /// The seat, counted from 0; not needed with a token of a seat or a player
    #[arg(long, value_name = "N")]
    seat: Option<u32>,
    /// Withdraw the vote
    #[arg(long)]
    withdraw: bool,
    /// Print the entry as a line of JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum For {
    End,
    Pause,
    Resume,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let Args { name, motion, seat, withdraw, json } = args;
    let client = Client::connect(service).await?;
    let it = client.fetch(&client.find(&name).await?).await?;
    check_seat(seat, it.seats.len() as u32)?;
    let motion = match motion {
        For::End => Motion::EndWithoutResult,
        For::Pause => Motion::Pause,
        For::Resume => Motion::Resume,
    };
    let request = VoteMatchRequest {
        name: it.name,
        seat,
        motion: motion.into(),
        withdraw,
        request_id: Uuid::new_v4().to_string(),
        ..VoteMatchRequest::default()
    };
    Ok(Printer { json }.print(&client.vote(&request).await?)?)
}
