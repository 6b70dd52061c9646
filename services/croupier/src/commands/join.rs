//! `croupier join`: a seat at a match.

use api::v1::JoinMatchRequest;
use client::{Client, Service};
use uuid::Uuid;

use super::check_seat;
use super::create::print_match_and_next;
use super::texts::Texts;
use crate::failure::Failure;
use crate::print;

/// Seat a player at a match; it starts when the last open seat is taken
#[derive(clap::Args)]
pub struct Args {
    /// The match: its name, its id, or the first four or more characters of a recent match's id
    #[arg(value_name = "MATCH")]
    name: String,
    /// The player, by the platform's id
    player: String,
    /// The seat, counted from 0 [default: any open one]
    #[arg(long, value_name = "N")]
    seat: Option<u32>,
    /// The name to show for the player
    #[arg(long = "name", value_name = "NAME", default_value = "", hide_default_value = true)]
    display_name: String,
    /// Print the seat and the match as a line of JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let client = Client::connect(service).await?;
    let it = client.fetch(&client.find(&args.name).await?).await?;
    check_seat(args.seat, it.seats.len() as u32)?;
    let request = JoinMatchRequest {
        name: it.name,
        player: args.player,
        seat: args.seat,
        display_name: args.display_name,
        request_id: Uuid::new_v4().to_string(),
        ..JoinMatchRequest::default()
    };
    let answer = client.join(&request).await?;
    if args.json {
        return Ok(print::json("JoinMatchResponse", &answer)?);
    }
    let it = answer.r#match.ok_or(client::Error::Empty)?;
    let game = client.game(&it.game).await?;
    let texts = Texts::new(&game, &it);
    print::line(&format!("{} has seat {}.\n", texts.player(answer.seat), answer.seat))?;
    print_match_and_next(&texts, &game, &it, &service.command())
}
