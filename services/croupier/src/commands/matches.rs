//! `croupier matches`: which matches there are.

use api::v1::{Match, MatchState};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::print_match;
use crate::client::{Client, Failure, Service};
use crate::print;

/// List matches, newest first
#[derive(clap::Args)]
pub struct Args {
    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// Print each match as a line of JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let client = Client::connect(service).await?;
    let matches = newest(&client, args.limit).await?;
    if args.json {
        return Ok(matches.iter().try_for_each(print_match)?);
    }
    if matches.is_empty() {
        eprintln!("croupier: no matches yet; `croupier play` plays one");
        return Ok(());
    }
    let head =
        ["NAME", "GAME", "STATE", "PLAYERS", "POSITION", "CREATED"].map(str::to_owned).to_vec();
    let rows: Vec<_> = std::iter::once(head).chain(matches.iter().map(row)).collect();
    Ok(print::table(&rows).iter().try_for_each(|row| print::line(row))?)
}

/// Matches a page may hold.
const PAGE_MAX: usize = 1000;

async fn newest(client: &Client, limit: usize) -> Result<Vec<Match>, Failure> {
    let mut matches = Vec::new();
    let mut token = String::new();
    while matches.len() < limit {
        let wanted = (limit - matches.len()).min(PAGE_MAX);
        let page = client.matches_page(wanted as i32, &token).await?;
        matches.extend(page.matches);
        if page.next_page_token.is_empty() {
            break;
        }
        token = page.next_page_token;
    }
    Ok(matches)
}

fn row(it: &Match) -> Vec<String> {
    let state = match it.state() {
        MatchState::Open => "open",
        MatchState::Running => "running",
        MatchState::Ended => "ended",
        MatchState::Unspecified => "",
    };
    let player = |seat: &api::v1::Seat| {
        if seat.player.is_empty() { "-".into() } else { seat.player.clone() }
    };
    let players: Vec<String> = it.seats.iter().map(player).collect();
    vec![
        it.name.clone(),
        it.game.trim_start_matches("games/").to_owned(),
        state.to_owned(),
        players.join(", "),
        it.position.to_string(),
        created(it),
    ]
}

fn created(it: &Match) -> String {
    let seconds = it.create_time.as_ref().map_or(0, |time| time.seconds);
    let time = OffsetDateTime::from_unix_timestamp(seconds).ok();
    time.and_then(|time| time.format(&Rfc3339).ok()).unwrap_or_default()
}
