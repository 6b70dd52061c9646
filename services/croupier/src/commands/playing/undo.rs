//! `croupier undo`: takes back an action.

use contract::v1::TakeBackRequest;
use uuid::Uuid;

use crate::client::{Client, Service};
use crate::commands::arguments::check_seat;
use crate::failure::Failure;
use crate::print::Printer;

/// Take back the last action of a seat, unless it revealed something or involved chance
#[derive(clap::Args)]
pub struct Args {
    /// The match: its name, its id, or the first four or more characters of a recent match's id
    #[arg(value_name = "MATCH")]
    name: String,
    /// The seat, counted from 0; not needed with a token of a seat or a player
    #[arg(long, value_name = "N")]
    seat: Option<u32>,
    /// Print the entry as a line of JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(Args { name, seat, json }: Args, service: &Service) -> Result<(), Failure> {
    let client = Client::connect(service).await?;
    let it = client.fetch(&client.find(&name).await?).await?;
    check_seat(seat, it.seats.len() as u32)?;
    let request_id = Uuid::new_v4().to_string();
    let request = TakeBackRequest { name: it.name, seat, request_id, ..TakeBackRequest::default() };
    Ok(Printer { json }.print(&client.take_back(&request).await?)?)
}
