//! `croupier lobby`: matches with open seats.

use contract::v1::{ListOpenMatchesRequest, Match};

use super::matches::{limit, print_table};
use crate::client::{Client, Service, game_name};
use crate::failure::Failure;
use crate::print::print_match;

/// List the matches of the lobby that have open seats, newest first
#[derive(clap::Args)]
pub struct Args {
    /// The maximum number of matches to list
    #[arg(long, value_name = "N", default_value = "20", value_parser = limit)]
    limit: usize,
    /// Only matches of this game, such as `mountebank`
    #[arg(long)]
    game: Option<String>,
    /// Only matches with this number of seats
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    seats: u32,
    /// Print each match as a line of JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let client = Client::connect(service).await?;
    let mut request = ListOpenMatchesRequest {
        game: args.game.as_deref().map(game_name).unwrap_or_default(),
        seats: args.seats,
        ..ListOpenMatchesRequest::default()
    };
    let mut matches: Vec<Match> = Vec::new();
    loop {
        request.page_size = (args.limit - matches.len()).min(1000) as i32;
        let page = client.open_matches_page(&request).await?;
        matches.extend(page.matches);
        if page.next_page_token.is_empty() || matches.len() >= args.limit {
            break;
        }
        request.page_token = page.next_page_token;
    }
    if args.json {
        return Ok(matches.iter().try_for_each(print_match)?);
    }
    if matches.is_empty() {
        eprintln!(
            "croupier: no match waits for players; `croupier create GAME --lobby` creates one"
        );
        return Ok(());
    }
    print_table(&matches)
}
