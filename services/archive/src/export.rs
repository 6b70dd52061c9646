//! Writing matches from a store into an archive.

use std::collections::BTreeMap;
use std::io::{self, Write};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use store::{Follows, FormerPlayer, MatchId, MatchRow, Position, Recorded, SeatRow, Store, hex};
use table::Entry;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use uuid::Uuid;

use crate::error::Error;
use crate::line::{
    EndLine, EntryLine, FollowsLine, Header, Line, MatchLine, PastPlayerLine, SeatLine, VERSION,
    Writer,
};

/// Matches read at a time: their entries are some megabytes.
const PAGE: i64 = 64;

/// An export in progress.
pub struct Exporter<'s, W> {
    store: &'s Store,
    writer: Writer<W>,
    /// Whether to write the seeds of matches that are not over.
    seeds: bool,
    pub matches: usize,
    pub entries: usize,
    /// Matches that were left out, because only their results are kept.
    pub results_only: usize,
    /// The name of the last match written.
    pub last: Option<String>,
}

impl<'s, W: Write> Exporter<'s, W> {
    /// `seeds` adds the seeds of matches that are not over; `header` writes the first line of the
    /// archive.
    pub fn new(store: &'s Store, output: W, seeds: bool, header: bool) -> Result<Self, Error> {
        let mut writer = Writer::new(output);
        if header {
            writer.write(&header_line())?;
        }
        Ok(Exporter { store, writer, seeds, matches: 0, entries: 0, results_only: 0, last: None })
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }

    pub fn into_output(self) -> W {
        self.writer.into_output()
    }

    pub async fn one(&mut self, match_id: MatchId) -> Result<(), Error> {
        let row = self.store.find_any(match_id).await?;
        let row = row.ok_or_else(|| Error::UnknownMatch(match_id.name()))?;
        self.write(vec![row]).await?;
        match self.results_only {
            0 => Ok(()),
            _ => Err(Error::ResultOnly(match_id.name())),
        }
    }

    /// Writes the matches of one platform, or of every platform in the order of their names; oldest
    /// first. `after` is the name of a match to continue after. Matches of which only the result is
    /// kept are left out, and counted.
    pub async fn all(&mut self, only: Option<&str>, after: Option<&str>) -> Result<(), Error> {
        let mut platforms = self.store.platforms().await?;
        if let Some(only) = only {
            platforms.retain(|platform| platform == only);
            if platforms.is_empty() {
                return Err(Error::UnknownPlatform(only.to_owned()));
            }
        }
        let mut from = None;
        if let Some(after) = after {
            let row = self.store.find_any(parse_match(after)?).await?;
            let row = row.ok_or_else(|| Error::UnknownMatch(after.to_owned()))?;
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

    async fn write(&mut self, rows: Vec<MatchRow>) -> Result<(), Error> {
        let ids: Vec<MatchId> = rows.iter().map(|row| row.match_id).collect();
        // Seeds first: a match that is reduced to its result in between then lacks both.
        let seeds = self.store.seeds(&ids).await?;
        let mut entries = self.store.entries_of(&ids).await?;
        for row in rows {
            let entries = entries.remove(&row.match_id).unwrap_or_default();
            if entries.iter().any(Recorded::is_stub) {
                self.results_only += 1;
                continue;
            }
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
    ) -> Result<(), Error> {
        let game = games::find(&row.game);
        let game = game.ok_or_else(|| Error::UnknownGame(row.game.clone()))?;
        let decoded = entries.iter().map(|it| Entry::decode(&it.body, game.layout()));
        let decoded = decoded.collect::<Result<Vec<_>, _>>();
        let decoded = decoded.map_err(|error| Error::Entry {
            name: row.match_id.name(),
            reason: error.to_string(),
        })?;
        let is_over = decoded.last().is_some_and(|entry| entry.winners().is_some());
        self.writer.write(&match_line(row, seed.filter(|_| is_over || self.seeds))?)?;
        for (recorded, entry) in entries.iter().zip(&decoded) {
            self.writer.write(&entry_line(recorded, entry))?;
        }
        self.writer.write(&end_line(row.match_id, entries.len()))?;
        self.matches += 1;
        self.entries += entries.len();
        self.last = Some(row.match_id.name());
        Ok(())
    }
}

/// The first line of an archive.
pub fn header_line() -> Line {
    Line::Croupier(Header { version: VERSION })
}

/// The line that starts a match.
pub fn match_line(row: &MatchRow, seed: Option<[u8; 32]>) -> Result<Line, Error> {
    let line = all_of_match(row, seed)?;
    Ok(Line::Match(Box::new(line)))
}

/// The line that starts a match whose record is told to others than its platform: it lacks what
/// only the platform has a use for.
pub fn public_match_line(row: &MatchRow, seed: [u8; 32]) -> Result<Line, Error> {
    let mut line = all_of_match(row, Some(seed))?;
    line.request_digest = None;
    line.players.iter_mut().for_each(|seat| seat.request_id = None);
    Ok(Line::Match(Box::new(line)))
}

/// The line that ends a match of so many entries.
pub fn end_line(match_id: MatchId, entries: usize) -> Line {
    Line::End(EndLine { name: match_id.name(), entries })
}

fn all_of_match(row: &MatchRow, seed: Option<[u8; 32]>) -> Result<MatchLine, Error> {
    let options: BTreeMap<String, String> = serde_json::from_str(&row.options)
        .map_err(|source| Error::Options { name: row.match_id.name(), source })?;
    let seat = |it: &SeatRow| SeatLine {
        seat: it.seat.try_into().expect("a match has few seats"),
        player: it.player.clone(),
        display_name: it.display_name.clone(),
        request_id: it.request_id.clone(),
        create_time: rfc3339(it.create_time),
        speech_key: it.speech_key.map(|key| hex(&key.0)),
        erased: it.is_erased,
        before: it.before.iter().map(past_player_line).collect(),
    };
    Ok(MatchLine {
        name: row.match_id.name(),
        platform: row.platform.clone(),
        game: row.game.clone(),
        seats: row.seats.try_into().expect("a match has few seats"),
        players: row.seated.iter().map(seat).collect(),
        options,
        request_digest: Some(hex(&row.request_digest)),
        seed_commitment: hex(&row.seed_commitment),
        seed: seed.map(|seed| hex(&seed)),
        reveal_wait_s: row.reveal_wait_s,
        follows: row.follows.as_ref().map(follows_line),
        create_time: rfc3339(row.create_time),
    })
}

fn past_player_line(it: &FormerPlayer) -> PastPlayerLine {
    PastPlayerLine {
        until: it.until.0,
        player: it.player.clone(),
        display_name: it.display_name.clone(),
        speech_key: it.speech_key.map(|key| hex(&key.0)),
        erased: it.is_erased,
    }
}

fn follows_line(it: &Follows) -> FollowsLine {
    let (number, wins, best_of) = (it.number, it.wins.clone(), it.best_of);
    FollowsLine { previous: it.previous.name(), number, wins, best_of }
}

pub fn entry_line(recorded: &Recorded, entry: &Entry) -> Line {
    let Position(position) = recorded.position;
    Line::Entry(EntryLine {
        position,
        seat: entry.seat.map(u8::from),
        verb: entry.verb.to_owned(),
        request_id: recorded.request_id.clone(),
        create_time: rfc3339(recorded.create_time),
        body: BASE64_STANDARD.encode(&recorded.body),
        digest: recorded.digest.map(|digest| digest.to_string()),
    })
}

fn rfc3339(time: OffsetDateTime) -> String {
    time.format(&Rfc3339).expect("times are of this era")
}

/// The match of a name such as `matches/{match}`, or of a bare id.
pub fn parse_match(name: &str) -> Result<MatchId, Error> {
    let id = Uuid::try_parse(name.strip_prefix("matches/").unwrap_or(name)).ok();
    id.map(MatchId).ok_or_else(|| Error::MatchName(name.to_owned()))
}
