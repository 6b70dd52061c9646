//! `croupier rules`: the rules of a game.

use contract::v1::{GetRulesResponse, Rules};

use crate::client::{Client, Service};
use crate::failure::Failure;
use crate::print;

/// Print the rules of a game, with the service's rulings where the rulebook is silent
#[derive(clap::Args)]
pub struct Args {
    /// The game, such as `mountebank`
    game: String,
    /// Print only the rulings
    #[arg(long, conflicts_with = "json")]
    rulings: bool,
    /// Print the rules as a line of JSON, with the set-up by number of seats
    #[arg(long)]
    json: bool,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let client = Client::connect(service).await?;
    let rules = client.rules(&args.game).await?;
    if args.json {
        let answer = GetRulesResponse { rules: Some(rules) };
        return Ok(print::json("GetRulesResponse", &answer)?);
    }
    if args.rulings {
        return print_rulings(&rules);
    }
    Ok(print::line(rules.page.trim_end())?)
}

fn print_rulings(rules: &Rules) -> Result<(), Failure> {
    let paragraphs = rules.sections.iter().flat_map(|section| &section.paragraphs);
    for it in paragraphs.filter(|it| !it.ruling.is_empty()) {
        print::line(&format!("{} {}\n", it.number, it.ruling.replace('\n', " ")))?;
    }
    Ok(())
}
