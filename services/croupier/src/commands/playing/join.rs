//! `croupier join`: seats a player or a bot.

use contract::v1::JoinMatchRequest;
use uuid::Uuid;

use crate::client::{Client, Service};
use crate::commands::arguments::check_seat;
use crate::failure::Failure;
use crate::print::{self, Texts, print_match_and_next};

/// Seat a player or a bot at a match; it starts when the last open seat is taken
#[derive(clap::Args)]
pub struct Args {
    /// The match: its name, its id, or the first four or more characters of a recent match's id
    #[arg(value_name = "MATCH")]
    name: String,
    /// The player, by the platform's id
    #[arg(required_unless_present = "bot")]
    player: Option<String>,
    /// The seat, counted from 0 [default: any open one]
    #[arg(long, value_name = "N")]
    seat: Option<u32>,
    /// Seat a bot of this level instead
    #[arg(long, value_name = "LEVEL", conflicts_with = "player", requires = "seat")]
    bot: Option<String>,
    /// The name to show for the player
    #[arg(long = "name", value_name = "NAME", default_value = "", hide_default_value = true)]
    display_name: String,
    /// Contribute to the chance of the match: `random`, or 16 to 32 bytes in hexadecimal. The
    /// contribution is printed: with it, `croupier verify` shows after the match that it counted
    #[arg(long, value_name = "BYTES", value_parser = contribution)]
    contribute: Option<Contribution>,
    /// Print the seat and the match as a line of JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone)]
struct Contribution(Vec<u8>);

fn contribution(text: &str) -> Result<Contribution, String> {
    if text == "random" {
        let mut bytes = vec![0; 32];
        getrandom::fill(&mut bytes).expect("the system provides randomness");
        return Ok(Contribution(bytes));
    }
    let bytes = records::unhex(text).ok().filter(|bytes| (16..=32).contains(&bytes.len()));
    bytes.map(Contribution).ok_or_else(|| "write random, or 16 to 32 bytes in hexadecimal".into())
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let client = Client::connect(service).await?;
    let it = client.fetch(&client.find(&args.name).await?).await?;
    check_seat(args.seat, it.seats.len() as u32)?;
    let request = JoinMatchRequest {
        name: it.name,
        player: args.player.unwrap_or_default(),
        bot: args.bot.unwrap_or_default(),
        seat: args.seat,
        display_name: args.display_name,
        contribution: args.contribute.as_ref().map(|it| it.0.clone()).unwrap_or_default(),
        request_id: Uuid::new_v4().to_string(),
        ..JoinMatchRequest::default()
    };
    let answer = client.join(&request).await?;
    if args.json {
        return Ok(print::json("JoinMatchResponse", &answer)?);
    }
    let it = answer.r#match.ok_or(crate::client::Error::Empty)?;
    let game = client.game_of(&it).await?;
    let texts = Texts::new(&game, &it);
    print::line(&format!("{} has a seat: --seat {}\n", texts.player(answer.seat), answer.seat))?;
    if let Some(Contribution(bytes)) = args.contribute {
        let (seat, bytes, commitment) = (answer.seat, hex::encode(&bytes), &it.seed_commitment);
        print::line(&format!(
            "It contributes {bytes} to the chance. Verify the match once it has ended:\n"
        ))?;
        let command = service.command();
        print::line(&format!(
            "    {command} verify {} --contribution {seat}={bytes} --commitment {commitment}\n",
            it.name
        ))?;
    }
    Ok(print_match_and_next(&texts, &game, &it, &service.command())?)
}
