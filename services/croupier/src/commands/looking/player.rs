//! `croupier player`: a player's results, or the player's erasure.

use contract::v1::{ErasePlayerRequest, GetPlayerRequest, Opponent, Standing};

use super::standings::{head, row};
use crate::client::{Client, Service};
use crate::failure::Failure;
use crate::print;

/// Show a player's results by game and against other players, or erase the player
#[derive(clap::Args)]
pub struct Args {
    /// The player, by the platform's id
    #[arg(value_name = "PLAYER")]
    player: String,
    /// Erase the player permanently: a random pseudonym replaces the id, and the player's messages
    /// become unreadable
    #[arg(long)]
    erase: bool,
    /// Print the answer as a line of JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let client = Client::connect(service).await?;
    let name = contract::names::player_name(&args.player);
    if args.erase {
        return erase(&args, &client, name).await;
    }
    let answer =
        client.player(&GetPlayerRequest { name, consistency_token: String::new() }).await?;
    if args.json {
        return Ok(print::json("GetPlayerResponse", &answer)?);
    }
    let player = answer.player.ok_or(crate::client::Error::Empty)?;
    if player.standings.is_empty() {
        eprintln!("croupier: no match of {} is over yet", args.player);
        return Ok(());
    }
    let pool = |it: &Standing| {
        let class = it.clock_class().as_str_name().trim_start_matches("CLOCK_CLASS_");
        let game = it.game.trim_start_matches("games/");
        format!("{game}, {} seats, {}", it.seats, class.to_lowercase())
    };
    let pools = player.standings.iter().map(|it| row(pool(it), it));
    let rows: Vec<_> = std::iter::once(head("GAME")).chain(pools).collect();
    print::table(&rows).iter().try_for_each(|row| print::line(row))?;
    print::line("")?;
    let columns = ["AGAINST", "PLAYED", "AHEAD", "BEHIND", "LEVEL"].map(str::to_owned).to_vec();
    let met = player.opponents.iter().map(against);
    let rows: Vec<_> = std::iter::once(columns).chain(met).collect();
    Ok(print::table(&rows).iter().try_for_each(|row| print::line(row))?)
}

async fn erase(args: &Args, client: &Client, name: String) -> Result<(), Failure> {
    let answer = client.erase_player(&ErasePlayerRequest { name }).await?;
    if args.json {
        return Ok(print::json("ErasePlayerResponse", &answer)?);
    }
    Ok(print::line(match answer.erased {
        true => "the player is erased",
        false => "there is no such player, so nothing was erased",
    })?)
}

fn against(it: &Opponent) -> Vec<String> {
    let counts = [it.played, it.ahead, it.behind, it.level];
    let name = it.player.clone();
    std::iter::once(name).chain(counts.iter().map(u32::to_string)).collect()
}
