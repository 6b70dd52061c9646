//! `croupier token`: credentials for players, who must not have the platform's key.

use clap::Subcommand;
use contract::v1::{CreatePlayerTokenRequest, CreateTokenRequest};
use prost_types::Timestamp;

use crate::client::{Client, Service};
use crate::commands::arguments::check_seat;
use crate::failure::Failure;
use crate::print::{self, time_of};

/// Create a token for a player, or for a seat or the spectators of a match, and print it
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    holder: Holder,
    /// The lifetime in seconds [default: the service's]
    #[arg(
        long,
        value_name = "SECONDS",
        global = true,
        default_value_t = 0,
        hide_default_value = true
    )]
    lifetime: u32,
    /// Print the token as a line of JSON
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Holder {
    /// For all matches of a player
    Player {
        /// The player, by the platform's id
        player: String,
    },
    /// For one match
    Match {
        /// The match: its name, its id, or the first four or more characters of a recent match's id
        #[arg(value_name = "MATCH")]
        name: String,
        /// The seat, counted from 0 [default: a spectator's]
        #[arg(long, value_name = "N")]
        seat: Option<u32>,
    },
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let client = Client::connect(service).await?;
    let lifetime = (args.lifetime > 0).then(|| contract::seconds(args.lifetime));
    match &args.holder {
        Holder::Player { player } => {
            let parent = contract::names::player_name(player);
            let request = CreatePlayerTokenRequest { parent, lifetime };
            let answer = client.create_player_token(&request).await?;
            if args.json {
                return Ok(print::json("CreatePlayerTokenResponse", &answer)?);
            }
            tell(&answer.token, answer.expire_time.as_ref())
        }
        Holder::Match { name, seat } => {
            let it = client.fetch(&client.find(name).await?).await?;
            check_seat(*seat, it.seats.len() as u32)?;
            let request = CreateTokenRequest { parent: it.name, seat: *seat, lifetime };
            let answer = client.create_token(&request).await?;
            if args.json {
                return Ok(print::json("CreateTokenResponse", &answer)?);
            }
            tell(&answer.token, answer.expire_time.as_ref())
        }
    }
}

fn tell(token: &str, expires: Option<&Timestamp>) -> Result<(), Failure> {
    print::line(token)?;
    eprintln!("It is valid until {}. Use it as CROUPIER_KEY.", time_of(expires));
    Ok(())
}
