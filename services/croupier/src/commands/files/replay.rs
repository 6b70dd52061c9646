//! `croupier replay`: a match from a file, printed or drawn without a service.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use clap::ArgGroup;
use contract::v1::{Entry, GetViewResponse};
use matches::{Position, RedactedEntry, View};
use narration::{Language, Narrator};
use records::{Reader, WholeMatch, read_match};
use table::{Seat, Small, Table, Viewer};

use crate::commands::arguments::check_seat;
use crate::failure::Failure;
use crate::print::{self, Printer};

/// Print a match from a file, or draw its table at a position; needs no service and no database
#[derive(clap::Args)]
#[command(group = ArgGroup::new("viewer").args(["seat", "spectator"]))]
pub struct Args {
    /// A file written by `croupier export`
    file: PathBuf,
    /// The match: its name, its id or the start of its id [default: the first in the file]
    #[arg(long = "match", value_name = "MATCH")]
    name: Option<String>,
    /// Draw the table at this position instead of printing the entries
    #[arg(long, value_name = "POSITION")]
    at: Option<i32>,
    /// Show what this seat sees, counted from 0 [default: everything]
    #[arg(long, value_name = "N")]
    seat: Option<u32>,
    /// Show what a spectator sees
    #[arg(long)]
    spectator: bool,
    /// Print what the service would return, as lines of JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let it = find(args)?;
    check_seat(args.seat, it.row.seats.unsigned_abs().into())?;
    let seat = args.seat.and_then(|seat| Seat::nth(seat as usize));
    let viewer = match seat {
        Some(seat) => Viewer::Seat(seat),
        None if args.spectator => Viewer::Spectator,
        None => Viewer::House,
    };
    match args.at {
        Some(at) => draw_table(args, &it, viewer, at.into()),
        None => print_entries(args, &it, viewer),
    }
}

/// The match in the file. It and everything before it are verified.
fn find(args: &Args) -> Result<WholeMatch, Failure> {
    let path = &args.file;
    let file = File::open(path).map_err(|source| Failure::Path { path: path.clone(), source })?;
    let invalid = |error| Failure::ArchiveFile { path: path.clone(), error };
    let mut reader = Reader::new(BufReader::new(file)).map_err(invalid)?;
    let wanted = args.name.as_deref().unwrap_or_default();
    let wanted = wanted.strip_prefix("matches/").unwrap_or(wanted);
    while let Some(it) = read_match(&mut reader).map_err(invalid)? {
        if it.row.match_id.0.to_string().starts_with(wanted) {
            return Ok(it);
        }
    }
    Err(Failure::Negative(format!("{} has no such match", path.display())))
}

fn print_entries(args: &Args, it: &WholeMatch, viewer: Viewer) -> Result<(), Failure> {
    let (printer, narrator) = (Printer { json: args.json }, narrator(it, viewer));
    for (recorded, entry) in it.entries.iter().zip(&it.decoded) {
        let redacted = RedactedEntry {
            match_id: it.row.match_id,
            game: it.game,
            position: recorded.position,
            create_time: recorded.create_time,
            viewer,
            entry: entry.seen_by(viewer, it.game.layout()),
            digest: recorded.digest,
        };
        let text = if args.json { String::new() } else { narrator.entry(&redacted.entry) };
        printer.print(&Entry { text, ..api::entry_of(&redacted) })?;
    }
    Ok(())
}

fn draw_table(args: &Args, it: &WholeMatch, viewer: Viewer, at: i64) -> Result<(), Failure> {
    let count = it.entries.len();
    let upto = usize::try_from(at).ok().filter(|at| (1..=count).contains(at));
    let upto = upto.ok_or_else(|| {
        Failure::Usage(format!("there is no position {at}: the match has 1 to {count}"))
    })?;
    let seats = it.row.seats.try_into().expect("the number of seats was verified");
    let mut table = Table::new(it.game.layout(), seats, viewer);
    for entry in &it.decoded[..upto] {
        table.apply(&entry.seen_by(viewer, it.game.layout()));
    }
    let view = View {
        match_id: it.row.match_id,
        game: it.game,
        viewer,
        position: Position(at),
        digest: it.entries[upto - 1].digest,
        table,
        clocks: None,
    };
    let text = narrator(it, viewer).table(&view.table);
    let table = api::view_of(&view);
    if args.json {
        let answer = GetViewResponse { table: Some(table), can_take_back: false };
        return Ok(print::json("GetViewResponse", &answer)?);
    }
    Ok(print::line(&print::columns(&text))?)
}

/// The narrator in the language of the person at the terminal.
fn narrator(it: &WholeMatch, viewer: Viewer) -> Narrator {
    let mut names = vec![None; it.row.seats.unsigned_abs().into()];
    for seated in &it.row.seated {
        let name = seated.display_name.as_ref().unwrap_or(&seated.player);
        names[usize::from(seated.seat.unsigned_abs())] = Some(name.as_str());
    }
    let reader = if let Viewer::Seat(seat) = viewer { Some(seat) } else { None };
    let language = Language::of(&crate::client::language()).unwrap_or(Language::ENGLISH);
    Narrator::new(it.game, language, &names, reader)
}
