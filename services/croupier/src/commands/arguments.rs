//! Arguments that several commands share: a match and its viewer, numbers of seats, pairs.

use std::ops::RangeInclusive;

use contract::v1::Match;

use crate::client::{Client, viewer};
use crate::failure::Failure;

/// A match and the viewer to show it to.
#[derive(clap::Args, Debug)]
pub struct ViewerArgs {
    /// The match: its name, its id, or the first four or more characters of a recent match's id
    #[arg(value_name = "MATCH")]
    pub name: String,
    /// Show what this seat sees, counted from 0 [default: what a spectator sees]
    #[arg(long, value_name = "N")]
    pub seat: Option<u32>,
    /// Show everything; only once the match has ended
    #[arg(long, conflicts_with = "seat")]
    pub house: bool,
}

/// The `viewer` of a request that sees everything.
const HOUSE: &str = "house";

/// The entries of a match to print, and their format.
#[derive(clap::Args, Debug)]
pub struct EntryArgs {
    #[command(flatten)]
    pub viewer_args: ViewerArgs,
    /// Start after this position
    #[arg(long, value_name = "POSITION", default_value_t = 0)]
    pub after: i32,
    /// Print each entry as a line of JSON
    #[arg(long)]
    pub json: bool,
}

impl ViewerArgs {
    /// The match, and the `viewer` for requests.
    pub async fn find(&self, client: &Client) -> Result<(Match, String), Failure> {
        let found = client.fetch(&client.find(&self.name).await?).await?;
        check_seat(self.seat, found.seats.len() as u32)?;
        let viewer = if self.house { HOUSE.to_owned() } else { viewer(self.seat) };
        Ok((found, viewer))
    }
}

pub fn check_seat(seat: Option<u32>, seats: u32) -> Result<(), Failure> {
    match seat {
        Some(seat) if seat >= seats => Err(Failure::Usage(format!(
            "there is no seat {seat}: the match has {seats}, counted from 0"
        ))),
        _ => Ok(()),
    }
}

pub fn check_seats(
    title: &str,
    played_with: RangeInclusive<u32>,
    seats: u32,
) -> Result<(), Failure> {
    if played_with.contains(&seats) {
        return Ok(());
    }
    let (min, max) = (played_with.start(), played_with.end());
    Err(Failure::Usage(format!("{title} is played with {min} to {max} seats, not {seats}")))
}

/// The value of an option or a tag, as NAME=VALUE.
pub fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}
