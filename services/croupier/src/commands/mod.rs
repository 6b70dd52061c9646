//! What the `croupier` command does besides serving, a file each.

pub mod bench;
pub mod entries;
pub mod export;
pub mod import;
pub mod load;
pub mod matches;
pub mod platform;
pub mod play;
pub mod player;
pub mod project;
pub mod replay;
pub mod simulate;
pub mod standings;
pub mod view;
pub mod watch;

use std::ops::RangeInclusive;

use api::v1::event::Kind;
use api::v1::{Entry, GetEntryResponse, GetMatchResponse, Match};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::client::{Client, Failure, viewer};
use crate::narration::Narrator;
use crate::narration::vocabulary::Vocabulary;
use crate::print;

/// Which match, and through whose eyes.
#[derive(clap::Args, Debug)]
pub struct ViewerArgs {
    /// The match: its name, its id, or at least four characters with which the id of a recent match
    /// begins
    #[arg(value_name = "MATCH")]
    name: String,
    /// Look from this seat, counted from 0; otherwise as a spectator
    #[arg(long, value_name = "N")]
    seat: Option<u32>,
    /// Look with the house's eyes, which see everything: once the match is over
    #[arg(long, conflicts_with = "seat")]
    house: bool,
}

/// The viewer that sees everything, as requests spell it.
const HOUSE: &str = "house";

/// How much of a match's story, and how it is told.
#[derive(clap::Args, Debug)]
pub struct Stretch {
    #[command(flatten)]
    viewer_args: ViewerArgs,
    /// Begin after this position
    #[arg(long, value_name = "POSITION", default_value_t = 0)]
    after: i32,
    /// Print each entry as a line of JSON
    #[arg(long)]
    json: bool,
}

impl ViewerArgs {
    /// The match, and the viewer as requests spell it; a spectator where no seat is named.
    async fn find(&self, client: &Client) -> Result<(Match, String), Failure> {
        let it = client.fetch(&client.find(&self.name).await?).await?;
        check_seat(self.seat, it.seats.len() as u32)?;
        let viewer = if self.house { HOUSE.to_owned() } else { viewer(self.seat) };
        Ok((it, viewer))
    }
}

fn check_seat(seat: Option<u32>, seats: u32) -> Result<(), Failure> {
    match seat {
        Some(seat) if seat >= seats => Err(Failure::Usage(format!(
            "there is no seat {seat}: the match has {seats}, counted from 0"
        ))),
        _ => Ok(()),
    }
}

fn check_seats(title: &str, played_with: RangeInclusive<u32>, seats: u32) -> Result<(), Failure> {
    if played_with.contains(&seats) {
        return Ok(());
    }
    let (min, max) = (played_with.start(), played_with.end());
    Err(Failure::Usage(format!("{title} is played with {min} to {max} seats, not {seats}")))
}

/// Prints entries as they come: a story for people, lines of JSON for programs.
struct Printer {
    json: bool,
    narrator: Narrator,
}

impl Printer {
    fn new(vocabulary: Vocabulary, json: bool) -> Printer {
        Printer { json, narrator: Narrator::new(vocabulary) }
    }

    /// For a match that is there already: asks for what its story needs.
    async fn of(client: &Client, it: &Match, json: bool) -> Result<Printer, Failure> {
        Ok(Printer::new(Vocabulary::new(&client.game(&it.game).await?, it), json))
    }

    fn print(&mut self, entry: &Entry) -> Result<(), Failure> {
        if self.json {
            return Ok(print_entry(entry)?);
        }
        Ok(print::line(&print::wrap(
            &format!("{:>4}  ", entry.position),
            &self.narrator.narrate(entry),
        ))?)
    }
}

/// Prints what `GET /v1/matches/{match}/entries/{position}` answers.
fn print_entry(entry: &Entry) -> std::io::Result<()> {
    print::json("GetEntryResponse", &GetEntryResponse { entry: Some(entry.clone()) })
}

/// Prints what `GET /v1/matches/{match}` answers.
fn print_match(it: &Match) -> std::io::Result<()> {
    print::json("GetMatchResponse", &GetMatchResponse { r#match: Some(it.clone()) })
}

/// A game's resource name, however it was typed.
fn game_name(game: &str) -> String {
    api::game_name(game.trim_start_matches("games/"))
}

/// A time as people read it, to the second; empty if there is none.
fn time_of(time: Option<&prost_types::Timestamp>) -> String {
    let time = time.and_then(|time| OffsetDateTime::from_unix_timestamp(time.seconds).ok());
    time.and_then(|time| time.format(&Rfc3339).ok()).unwrap_or_default()
}

/// Whether a match is over after this entry.
fn ends(entry: &Entry) -> bool {
    entry.events.iter().any(|event| matches!(event.kind, Some(Kind::Ended(_))))
}
