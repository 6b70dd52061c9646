//! `croupier replace`: seats another player on a seat.

use contract::v1::ReplaceSeatRequest;
use uuid::Uuid;

use crate::client::{Client, Service};
use crate::commands::arguments::check_seat;
use crate::failure::Failure;
use crate::print::{self, Printer};

/// Let another player take over a seat that has resigned, or whose player is gone
#[derive(clap::Args)]
pub struct Args {
    /// The match: its name, its id, or the first four or more characters of a recent match's id
    #[arg(value_name = "MATCH")]
    name: String,
    /// The seat, counted from 0
    seat: u32,
    /// The player who takes over the seat, by the platform's id
    player: String,
    /// The name to show for the player
    #[arg(long = "name", value_name = "NAME", default_value = "", hide_default_value = true)]
    display_name: String,
    /// The seat has not resigned, but its player is gone
    #[arg(long)]
    absent: bool,
    /// Print the entry and the match as a line of JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let client = Client::connect(service).await?;
    let it = client.fetch(&client.find(&args.name).await?).await?;
    check_seat(Some(args.seat), it.seats.len() as u32)?;
    let request = ReplaceSeatRequest {
        name: it.name,
        seat: Some(args.seat),
        player: args.player,
        display_name: args.display_name,
        absent: args.absent,
        request_id: Uuid::new_v4().to_string(),
        ..ReplaceSeatRequest::default()
    };
    let answer = client.replace(&request).await?;
    if args.json {
        return Ok(print::json("ReplaceSeatResponse", &answer)?);
    }
    Ok(Printer { json: false }.print(&answer.entry.ok_or(crate::client::Error::Empty)?)?)
}
