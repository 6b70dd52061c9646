//! `croupier watch`: a match as it happens.

use client::{Client, Retry, Service};
use contract::v1::{MatchState, StreamedEntry};
use tonic::Status;

use crate::commands::arguments::ViewerArgs;
use crate::failure::Failure;
use crate::print::{self, Printer, ends};

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
    let printer = Printer { json };
    let mut watch = Watch {
        client,
        name: it.name,
        viewer,
        printer,
        after,
        over: false,
        retry: Retry::default(),
    };
    while !watch.over {
        if let Err(status) = watch.follow().await? {
            watch.retry.after(status).await.map_err(|status| watch.client.error(&status))?;
        }
    }
    Ok(())
}

/// Follows a player until the stream ends for good, such as by an erasure.
async fn watch_player(client: Client, player: &str, json: bool) -> Result<(), Failure> {
    let (name, mut cursor, mut retry) =
        (contract::names::player_name(player), String::new(), Retry::default());
    loop {
        let status = match client.watch_player(&name, &cursor).await {
            Err(status) => status,
            Ok(mut stream) => {
                retry.reset();
                loop {
                    match stream.message().await {
                        Ok(Some(message)) => {
                            for streamed in &message.entries {
                                print_streamed(streamed, json)?;
                            }
                            cursor = message.cursor;
                        }
                        Ok(None) => break Status::unavailable("the stream ended early"),
                        Err(status) => break status,
                    }
                }
            }
        };
        retry.after(status).await.map_err(|status| client.error(&status))?;
    }
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

struct Watch {
    client: Client,
    name: String,
    viewer: String,
    printer: Printer,
    /// The position printed last, after which a broken stream is resumed.
    after: i32,
    over: bool,
    retry: Retry,
}

impl Watch {
    /// Prints the entries of one stream, until it breaks or the match has ended.
    async fn follow(&mut self) -> Result<Result<(), Status>, Failure> {
        let mut stream = match self.client.watch(&self.name, self.after, &self.viewer).await {
            Ok(stream) => stream,
            Err(status) => return Ok(Err(status)),
        };
        self.retry.reset();
        loop {
            match stream.message().await {
                Ok(Some(response)) => {
                    for entry in &response.entries {
                        self.printer.print(entry)?;
                        self.after = entry.position;
                        self.over |= ends(entry);
                    }
                }
                Ok(None) if self.over || self.has_ended().await? => return Ok(Ok(())),
                Ok(None) => return Ok(Err(Status::unavailable("the stream ended early"))),
                Err(status) => return Ok(Err(status)),
            }
        }
    }

    async fn has_ended(&mut self) -> Result<bool, Failure> {
        self.over = self.client.fetch(&self.name).await?.state() == MatchState::Ended;
        Ok(self.over)
    }
}
