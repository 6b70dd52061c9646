//! The commands besides `serve`, one module each, and what they share.

pub mod act;
pub mod agents;
pub mod archive;
pub mod arena;
pub mod bench;
mod by_age;
pub mod completions;
pub mod create;
pub mod delete;
pub mod entries;
pub mod export;
pub mod game;
pub mod games;
pub mod import;
pub mod join;
pub mod leave;
pub mod load;
pub mod lobby;
pub mod matches;
pub mod migrate;
pub mod openapi;
pub mod order;
pub mod platform;
pub mod play;
pub mod player;
pub mod project;
pub mod replace;
pub mod replay;
pub mod retention;
pub mod rules;
pub mod seek;
pub mod sign_in;
pub mod simulate;
pub mod standings;
mod texts;
pub mod token;
pub mod undo;
pub mod verify;
pub mod view;
pub mod vote;
pub mod watch;

use std::ops::RangeInclusive;

use api::v1::event::Kind;
use api::v1::{Entry, GetEntryResponse, GetMatchResponse, Match};
use client::{Client, viewer};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::database::Database;
use crate::failure::Failure;
use crate::print;

/// A match and the viewer to show it to.
#[derive(clap::Args, Debug)]
pub struct ViewerArgs {
    /// The match: its name, its id, or the first four or more characters of a recent match's id
    #[arg(value_name = "MATCH")]
    name: String,
    /// Show what this seat sees, counted from 0 [default: what a spectator sees]
    #[arg(long, value_name = "N")]
    seat: Option<u32>,
    /// Show everything; only once the match is over
    #[arg(long, conflicts_with = "seat")]
    house: bool,
}

/// The `viewer` of a request that sees everything.
const HOUSE: &str = "house";

/// Which entries of a match to print, and how.
#[derive(clap::Args, Debug)]
pub struct EntryArgs {
    #[command(flatten)]
    viewer_args: ViewerArgs,
    /// Start after this position
    #[arg(long, value_name = "POSITION", default_value_t = 0)]
    after: i32,
    /// Print each entry as a line of JSON
    #[arg(long)]
    json: bool,
}

// The options of a command that also needs the database. A doc comment would replace the command's
// help.
#[derive(clap::Args)]
pub struct OnDatabase<A: clap::Args> {
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    args: A,
}

impl ViewerArgs {
    /// The match, and the `viewer` for requests.
    async fn find(&self, client: &Client) -> Result<(Match, String), Failure> {
        let found = client.fetch(&client.find(&self.name).await?).await?;
        check_seat(self.seat, found.seats.len() as u32)?;
        let viewer = if self.house { HOUSE.to_owned() } else { viewer(self.seat) };
        Ok((found, viewer))
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

/// Prints entries: sentences for people, lines of JSON for programs.
#[derive(Clone, Copy)]
struct Printer {
    json: bool,
}

impl Printer {
    fn print(self, entry: &Entry) -> Result<(), Failure> {
        if self.json {
            return Ok(print_entry(entry)?);
        }
        let head = format!("{:>4}  ", entry.position);
        Ok(print::line(&print::wrap(&head, &entry.text))?)
    }
}

/// Prints the same as `GET /v1/matches/{match}/entries/{position}` returns.
fn print_entry(entry: &Entry) -> std::io::Result<()> {
    print::json("GetEntryResponse", &GetEntryResponse { entry: Some(entry.clone()) })
}

/// Prints the same as `GET /v1/matches/{match}` returns.
fn print_match(it: &Match) -> std::io::Result<()> {
    print::json("GetMatchResponse", &GetMatchResponse { r#match: Some(it.clone()) })
}

/// The value of an option or a tag, as NAME=VALUE.
fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

/// A time in RFC 3339, to the second; empty if there is none.
fn time_of(time: Option<&prost_types::Timestamp>) -> String {
    let time = time.and_then(|time| OffsetDateTime::from_unix_timestamp(time.seconds).ok());
    time.and_then(|time| time.format(&Rfc3339).ok()).unwrap_or_default()
}

/// Whether this entry ends the match.
fn ends(entry: &Entry) -> bool {
    entry.events.iter().any(|event| matches!(event.kind, Some(Kind::Ended(_))))
}
