//! `croupier export`: matches, whole, into a file.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufReader, BufWriter, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use api::{hex, match_name};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use store::{MatchId, MatchRow, Position, Recorded, SeatRow, Store};
use table::{Entry, Event};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use uuid::Uuid;

use crate::client::{Failure, Service};
use crate::database::{Database, Record};
use crate::file::{EndLine, EntryLine, Header, Line, MatchLine, Reader, SeatLine, Writer};

/// Write matches into a file, whole, straight from the database
///
/// The file holds all that the record holds, secrets included, and is as secret as the database. It
/// can be told from (`croupier replay`) and imported into another service (`croupier import`).
/// Matches come in the order in which they were created; those that are not over come as they
/// stand.
#[derive(clap::Args)]
pub struct Args {
    /// One match, by its name or id
    #[arg(value_name = "MATCH", conflicts_with_all = ["platform", "after"])]
    name: Option<String>,
    /// All matches of a platform; all matches of every platform if neither it nor a match is named
    #[arg(long, value_name = "NAME")]
    platform: Option<String>,
    /// Write here, readable by the owner alone; a file that is there already is completed: what was
    /// cut off is written again, and what is new is added. To the standard output if not said
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Begin after this match, the cursor that an earlier export ended with
    #[arg(long, value_name = "MATCH")]
    after: Option<String>,
    /// Tell the seeds of matches that are not over, too: needed to play them on elsewhere
    #[arg(long)]
    seeds: bool,
    #[command(flatten)]
    database: Database,
}

/// Matches read at a time: their entries are some megabytes.
const PAGE: i64 = 64;

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let record = Record::open(&args.database, &service.data).await?;
    let exported = export(&args, &record.store).await;
    record.close().await;
    exported
}

async fn export(args: &Args, store: &Store) -> Result<(), Failure> {
    let mut after = args.after.clone();
    let output: Box<dyn Write> = match &args.out {
        None => Box::new(std::io::stdout().lock()),
        Some(path) => {
            let (file, last) = take_up(path).map_err(|failure| *failure)?;
            after = last.or(after);
            Box::new(file)
        }
    };
    let is_begun =
        args.out.as_ref().is_some_and(|path| path.metadata().is_ok_and(|it| it.len() > 0));
    let mut export = Export::new(store, BufWriter::new(output), args.seeds, !is_begun)?;
    match &args.name {
        Some(name) => export.one(match_id(name)?).await?,
        None => export.all(args.platform.as_deref(), after.as_deref()).await?,
    }
    export.writer.flush()?;
    let Export { matches, entries, last, .. } = export;
    let cursor = last.or(after).map(|last| format!("; resume with --after {last}"));
    let cursor = cursor.unwrap_or_default();
    eprintln!("croupier: {matches} matches, {entries} entries exported{cursor}");
    Ok(())
}

/// Opens a file to write behind its last whole match, and tells that match's name.
fn take_up(path: &Path) -> Result<(File, Option<String>), Box<Failure>> {
    let failed = |source| Box::new(Failure::Path { path: path.to_owned(), source });
    let mut options = OpenOptions::new();
    let options = options.read(true).write(true).create(true).truncate(false).mode(0o600);
    let mut file = options.open(path).map_err(failed)?;
    let wrong = |wrong| Box::new(Failure::File { path: path.to_owned(), wrong });
    let (mut bytes, mut last) = (0, None);
    if file.metadata().map_err(failed)?.len() > 0 {
        let mut reader = Reader::new(BufReader::new(&file)).map_err(wrong)?;
        bytes = reader.bytes;
        loop {
            match reader.read() {
                Ok(Some(Line::End(end))) => (bytes, last) = (reader.bytes, Some(end.name)),
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(_) if reader.is_cut_off => break,
                Err(error) => return Err(wrong(error)),
            }
        }
    }
    file.set_len(bytes).map_err(failed)?;
    file.seek(SeekFrom::End(0)).map_err(failed)?;
    Ok((file, last))
}

/// An export under way.
pub struct Export<'l, W> {
    store: &'l Store,
    writer: Writer<W>,
    /// Whether seeds are told of matches that are not over.
    seeds: bool,
    pub matches: usize,
    pub entries: usize,
    /// The last match that was written whole.
    last: Option<String>,
}

impl<'l, W: Write> Export<'l, W> {
    pub fn new(store: &'l Store, output: W, seeds: bool, begin: bool) -> Result<Self, Failure> {
        let mut writer = Writer::new(output);
        if begin {
            writer.write(&Line::Croupier(Header { version: crate::file::VERSION }))?;
        }
        Ok(Export { store, writer, seeds, matches: 0, entries: 0, last: None })
    }

    pub fn into_output(self) -> W {
        self.writer.into_output()
    }

    async fn one(&mut self, match_id: MatchId) -> Result<(), Failure> {
        let row = self.store.find_any(match_id).await?;
        let row = row.ok_or_else(|| Failure::Missing("there is no such match".to_owned()))?;
        self.write(vec![row]).await
    }

    /// The matches of one platform, or of all of them by name, oldest first.
    pub async fn all(&mut self, only: Option<&str>, after: Option<&str>) -> Result<(), Failure> {
        let mut platforms = self.store.platforms().await?;
        if let Some(only) = only {
            platforms.retain(|platform| platform == only);
            if platforms.is_empty() {
                return Err(Failure::Missing(format!("there is no platform {only:?}")));
            }
        }
        let mut from = None;
        if let Some(after) = after {
            let row = self.store.find_any(match_id(after)?).await?;
            let row = row.ok_or_else(|| Failure::Missing(format!("there is no match {after}")))?;
            platforms.retain(|platform| *platform >= row.platform);
            from = Some((row.create_time, row.match_id))
                .filter(|_| platforms.first() == Some(&row.platform));
        }
        for platform in platforms {
            let mut at = from.take();
            loop {
                let rows = self.store.oldest(&platform, at, PAGE).await?;
                let Some(last) = rows.last() else { break };
                at = Some((last.create_time, last.match_id));
                self.write(rows).await?;
            }
        }
        Ok(())
    }

    async fn write(&mut self, rows: Vec<MatchRow>) -> Result<(), Failure> {
        let ids: Vec<MatchId> = rows.iter().map(|row| row.match_id).collect();
        let mut entries = self.store.entries_of(&ids).await?;
        let seeds = self.store.seeds(&ids).await?;
        for row in rows {
            let entries = entries.remove(&row.match_id).unwrap_or_default();
            let seed = seeds.get(&row.match_id).copied();
            self.write_match(&row, seed, &entries)?;
        }
        Ok(())
    }

    fn write_match(
        &mut self,
        row: &MatchRow,
        seed: Option<[u8; 32]>,
        entries: &[Recorded],
    ) -> Result<(), Failure> {
        let game = games::find(&row.game);
        let game = game.ok_or_else(|| Failure::Missing(format!("no rules for {}", row.game)))?;
        let decoded = entries.iter().map(|it| Entry::decode(&it.body, game.layout()));
        let decoded = decoded.collect::<Result<Vec<_>, _>>();
        let decoded = decoded.map_err(|error| {
            Failure::Missing(format!("an entry of {} is none: {error}", match_name(row.match_id)))
        })?;
        let ends = |entry: &Entry| entry.events.iter().any(|it| matches!(it, Event::Ended { .. }));
        let is_over = decoded.last().is_some_and(ends);
        let line = match_line(row, seed.filter(|_| is_over || self.seeds))?;
        let name = line.name.clone();
        self.writer.write(&Line::Match(Box::new(line)))?;
        for (recorded, entry) in entries.iter().zip(&decoded) {
            self.writer.write(&Line::Entry(entry_line(recorded, entry)))?;
        }
        self.writer.write(&Line::End(EndLine { name: name.clone(), entries: entries.len() }))?;
        self.matches += 1;
        self.entries += entries.len();
        self.last = Some(name);
        Ok(())
    }
}

fn match_line(row: &MatchRow, seed: Option<[u8; 32]>) -> Result<MatchLine, Failure> {
    let options: BTreeMap<String, String> = serde_json::from_str(&row.options)
        .map_err(|error| Failure::Missing(format!("options are none: {error}")))?;
    let seat = |it: &SeatRow| SeatLine {
        seat: it.seat.try_into().expect("a match has few seats"),
        player: it.player.clone(),
        request_id: it.request_id.clone(),
        create_time: rfc3339(it.create_time),
    };
    Ok(MatchLine {
        name: match_name(row.match_id),
        platform: row.platform.clone(),
        game: row.game.clone(),
        seats: row.seats.try_into().expect("a match has few seats"),
        players: row.seated.iter().map(seat).collect(),
        options,
        request_digest: hex(&row.request_digest),
        seed_commitment: hex(&row.seed_commitment),
        seed: seed.map(|seed| hex(&seed)),
        reveal_wait_s: row.reveal_wait_s,
        create_time: rfc3339(row.create_time),
    })
}

fn entry_line(recorded: &Recorded, entry: &Entry) -> EntryLine {
    let Position(position) = recorded.position;
    EntryLine {
        position,
        seat: entry.seat.map(u8::from),
        verb: entry.verb.to_owned(),
        request_id: recorded.request_id.clone(),
        create_time: rfc3339(recorded.create_time),
        body: BASE64_STANDARD.encode(&recorded.body),
    }
}

fn rfc3339(time: OffsetDateTime) -> String {
    time.format(&Rfc3339).expect("times are of this era")
}

fn match_id(name: &str) -> Result<MatchId, Failure> {
    let id = Uuid::try_parse(name.strip_prefix("matches/").unwrap_or(name)).ok();
    id.map(MatchId).ok_or_else(|| Failure::Usage(format!("{name:?} is no name of a match")))
}
