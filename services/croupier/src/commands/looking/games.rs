//! `croupier games`: the games that can be played.

use contract::v1::Game;

use crate::client::{Client, Service, short_game_name};
use crate::failure::Failure;
use crate::print;

/// List the games
#[derive(clap::Args)]
pub struct Args {
    /// Print the list as a line of JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let client = Client::connect(service).await?;
    let answer = client.games().await?;
    if args.json {
        return Ok(print::json("ListGamesResponse", &answer)?);
    }
    let head = ["NAME", "TITLE", "SEATS", "LANGUAGES"].map(str::to_owned).to_vec();
    let rows = std::iter::once(head).chain(answer.games.iter().map(row)).collect::<Vec<_>>();
    let mut lines = print::table(&rows).into_iter();
    lines.next().map_or(Ok(()), |head| print::line(&head))?;
    for (line, game) in lines.zip(&answer.games) {
        print::line(&line)?;
        print::line(&print::wrap("    ", &game.description))?;
    }
    Ok(print::line("\n`croupier game NAME` describes one, `croupier rules NAME` has its rules.")?)
}

fn row(game: &Game) -> Vec<String> {
    let name = short_game_name(&game.name).to_owned();
    vec![name, game.title.clone(), seats(game), game.languages.join(", ")]
}

/// The numbers of seats, such as `2-4`.
pub(super) fn seats(game: &Game) -> String {
    match (game.seats_min, game.seats_max) {
        (min, max) if min == max => min.to_string(),
        (min, max) => format!("{min}-{max}"),
    }
}
