//! `croupier watch`: a match as it happens.

use contract::v1::StreamedEntry;

use crate::client::{Client, Service};
use crate::commands::arguments::ViewerArgs;
use crate::failure::Failure;
use crate::print::{self, Printer};

/// Print what has happened in a match and what happens next, until the match has ended
///
/// With --player, print what happens in all matches of a player, as the player sees it, until the
/// command is interrupted.
#[derive(clap::Args)]
pub struct Args {
    /// The match: its name, its id, or the first four or more characters of a recent match's id
    #[arg(value_name = "MATCH", required_unless_present = "player")]
    name: Option<String>,
    /// All matches of this player, by the platform's id
    #[arg(long, value_name = "PLAYER", conflicts_with_all = ["name", "seat", "house", "after"])]
    player: Option<String>,
    /// Show what this seat sees, counted from 0 [default: what a spectator sees]
    #[arg(long, value_name = "N")]
    seat: Option<u32>,
    /// Show everything; only once the match has ended
    #[arg(long, conflicts_with = "seat")]
    house: bool,
    /// Start after this position
    #[arg(long, value_name = "POSITION", default_value_t = 0)]
    after: i32,
    /// Print each entry as a line of JSON
    #[arg(long)]
    json: bool,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let Args { name, player, seat, house, after, json } = args;
    let client = Client::connect(service).await?;
    let client = if json { client.for_programs(service) } else { client };
    if let Some(player) = player {
        return watch_player(client, &player, json).await;
    }
    let viewer_args = ViewerArgs { name: name.unwrap_or_default(), seat, house };
    let (it, viewer) = viewer_args.find(&client).await?;
    let (printer, mut stream) = (Printer { json }, client.watch(&it.name, after, &viewer));
    while let Some(message) = stream.next().await? {
        if message.went_back.is_some() {
            print::went_back(message.position);
        }
        message.entries.iter().try_for_each(|entry| printer.print(entry))?;
    }
    Ok(())
}

/// Follows a player until the stream ends for good, such as by an erasure.
async fn watch_player(client: Client, player: &str, json: bool) -> Result<(), Failure> {
    let mut stream = client.watch_player(&contract::names::player_name(player));
    while let Some(message) = stream.next().await? {
        for its in message.went_back.iter().flat_map(|it| &it.matches) {
            print::match_went_back(&its.r#match, its.position);
        }
        message.entries.iter().try_for_each(|streamed| print_streamed(streamed, json))?;
    }
    Ok(())
}

/// Prints an entry of any match: as a stream over REST returns it, or as a sentence.
fn print_streamed(streamed: &StreamedEntry, json: bool) -> Result<(), Failure> {
    if json {
        return Ok(print::json("StreamedEntry", streamed)?);
    }
    let Some(entry) = &streamed.entry else { return Ok(()) };
    let of_match = entry.name.split("/entries/").next().unwrap_or_default();
    let id = of_match.trim_start_matches("matches/");
    let head = format!("{}  {:>4}  ", id.get(..8).unwrap_or(id), entry.position);
    Ok(print::line(&print::wrap(&head, &entry.text))?)
}
