//! Writing matches from a store into a file of records.

use std::collections::BTreeSet;
use std::io::{self, Write};

use accounts::Accounts;
use positions::{Position, Recorded};
use records::{Writer, end_line, entry_line, header_line, match_line};
use rows::{MatchId, MatchRow, match_name};
use store::Store;
use table::Entry;
use uuid::Uuid;

use crate::error::Error;

/// Matches read at a time: their entries are some megabytes.
const PAGE: i64 = 64;

/// An export in progress.
pub struct Exporter<'s, W> {
    store: &'s Store,
    accounts: Accounts,
    writer: Writer<W>,
    /// Whether to write the seeds of matches that have not ended.
    seeds: bool,
    pub matches: u64,
    pub entries: u64,
    /// The number of matches that were left out because only their results are kept.
    pub results_only: u64,
    /// The name of the last match written.
    pub last: Option<String>,
    /// The modules that have the rules of what was written, by hash.
    pub modules: BTreeSet<String>,
}

impl<'s, W: Write> Exporter<'s, W> {
    /// `seeds` adds the seeds of matches that have not ended; `header` writes the first line of the
    /// file.
    pub fn new(store: &'s Store, output: W, seeds: bool, header: bool) -> Result<Self, Error> {
        let mut writer = Writer::new(output);
        if header {
            writer.write(&header_line())?;
        }
        let accounts = Accounts::new(store.database());
        Ok(Exporter {
            store,
            accounts,
            writer,
            seeds,
            matches: 0,
            entries: 0,
            results_only: 0,
            last: None,
            modules: BTreeSet::new(),
        })
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }

    pub fn into_output(self) -> W {
        self.writer.into_output()
    }

    pub async fn one(&mut self, match_id: MatchId) -> Result<(), Error> {
        let row = self.store.find_any(match_id).await?;
        let row = row.ok_or_else(|| Error::UnknownMatch(match_name(match_id)))?;
        self.write(vec![row]).await?;
        match self.results_only {
            0 => Ok(()),
            _ => Err(Error::ResultOnly(match_name(match_id))),
        }
    }

    /// Writes the matches of one platform, or of every platform in the order of their names; oldest
    /// first. `after` is the name of a match to continue after. Matches of which only the result is
    /// kept are left out and counted.
    pub async fn all(&mut self, only: Option<&str>, after: Option<&str>) -> Result<(), Error> {
        let mut platforms = self.accounts.platforms().await?;
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
        // Reads seeds first: a match that is reduced to its result in between then lacks both.
        let seeds = self.store.seeds(&ids).await?;
        let mut entries = self.store.entries_of(&ids).await?;
        for row in rows {
            let mut entries = entries.remove(&row.match_id).unwrap_or_default();
            // The players were read with the last entry of then. Later entries may be of others.
            let last = row.last.as_ref().map_or(Position::START, |last| last.position);
            entries.retain(|it| it.position <= last);
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
        let game = games::rules_of(&row.game, row.terms.module());
        let game = game.ok_or_else(|| Error::UnknownGame(row.game.clone()))?;
        let decoded = entries.iter().map(|it| Entry::decode(&it.body, game.layout()));
        let decoded = decoded.collect::<Result<Vec<_>, _>>();
        let decoded = decoded.map_err(|error| Error::Entry {
            name: match_name(row.match_id),
            reason: error.to_string(),
        })?;
        self.modules.extend(row.terms.module().map(str::to_owned));
        self.modules.extend(decoded.iter().filter_map(|it| games::kept(&row.game, it.rules)));
        let is_over = decoded.last().is_some_and(|entry| entry.winners().is_some());
        let seed = seed.filter(|_| is_over || self.seeds);
        self.writer.write(&match_line(row, seed, is_over))?;
        for (recorded, entry) in entries.iter().zip(&decoded) {
            self.writer.write(&entry_line(recorded, entry))?;
        }
        self.writer.write(&end_line(row.match_id, entries.len()))?;
        self.matches += 1;
        self.entries += entries.len() as u64;
        self.last = Some(match_name(row.match_id));
        Ok(())
    }
}

/// Parses a name such as `matches/{match}`, or a bare id.
pub fn parse_match(name: &str) -> Result<MatchId, Error> {
    let id = Uuid::try_parse(name.strip_prefix("matches/").unwrap_or(name)).ok();
    id.map(MatchId).ok_or_else(|| Error::MatchName(name.to_owned()))
}
