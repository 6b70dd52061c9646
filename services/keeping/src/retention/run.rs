//! A run over the matches of some platforms.

use event_log::Error;
use futures::StreamExt;
use games::Game;
use positions::{Position, Recorded};
use records::{Chain, Creation, Digested};
use rows::{KeptResult, MatchId, MatchRow, Seed, is_revealed};
use store::{Deletion, Store, Unknown};
use table::{Entry, Table, Viewer};
use time::{Duration, OffsetDateTime};

use super::statements::{AgedMatch, Retention};
use crate::archiving::{Archiving, ColdStore, remove_reduced};
use crate::ended::has_ended;

/// The number of matches that one query examines.
const PAGE: i64 = 500;

/// The maximum number of entries of the matches that one statement reduces, unless a single match
/// has more.
const BATCH_ENTRIES_MAX: i64 = 5_000;

/// The number of matches that are read concurrently.
const READS_MAX: usize = 8;

/// The number of entries of a match that are read at a time.
const READ: i64 = 500;

/// The minimum age of the matches of each kind; `None` leaves that kind alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rules {
    /// For matches with open seats, since their creation: these are deleted.
    pub open: Option<Duration>,
    /// For ended matches, since their end: only their results are kept.
    pub ended: Option<Duration>,
    /// For running matches, since their last entry: these are only listed in the outcome.
    pub idle: Option<Duration>,
}

/// The effects of a run, or of a dry run if it were real.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Matches examined.
    pub seen: u64,
    pub deleted: u64,
    pub reduced: u64,
    /// The entries of the reduced matches, and the bytes freed.
    pub entries: u64,
    pub bytes: u64,
    /// Objects of archived matches that were removed.
    pub objects: u64,
    /// Matches that are old enough and wait for their reveal.
    pub unrevealed: u64,
    /// Running matches that are old enough.
    pub idle: Vec<MatchId>,
    /// Matches that were left alone because their record is not sound.
    pub unsound: Vec<(MatchId, String)>,
}

/// A run over the matches of some platforms.
pub struct Run<'s> {
    store: &'s Store,
    retention: Retention,
    /// The store of archived matches, if configured.
    objects: Option<ColdStore>,
    rules: Rules,
    /// Whether the run changes nothing.
    is_rehearsal: bool,
    now: OffsetDateTime,
    /// The matches to reduce next, with the number of their entries.
    batch: Vec<(MatchId, i64)>,
    pub outcome: Outcome,
}

/// An ended match, ready to be reduced.
struct Ended {
    kept: KeptResult,
    /// The bytes of all its entries.
    bytes: u64,
}

impl<'s> Run<'s> {
    pub fn new(
        store: &'s Store,
        retention: Retention,
        objects: Option<ColdStore>,
        rules: Rules,
        is_rehearsal: bool,
    ) -> Self {
        let now = store.database().clock().now();
        let outcome = Outcome::default();
        Run { store, retention, objects, rules, is_rehearsal, now, batch: Vec::new(), outcome }
    }

    /// Applies the rules to every match of these platforms. `progress` is called after each page.
    pub async fn all(
        &mut self,
        platforms: &[String],
        progress: impl Fn(&Outcome),
    ) -> Result<(), Error> {
        let rules = self.rules;
        let youngest = [rules.open, rules.ended, rules.idle].into_iter().flatten().min();
        let Some(youngest) = youngest else { return Ok(()) };
        // All changes of a match are after its creation.
        let until = self.now - youngest;
        for platform in platforms {
            let mut at = None;
            loop {
                let page = self.retention.aged(platform, until, at, PAGE).await?;
                let Some(last) = page.last() else { break };
                at = Some((last.create_time, last.match_id));
                for it in &page {
                    self.apply(platform, it).await?;
                }
                self.reduce().await?;
                progress(&self.outcome);
            }
        }
        if !self.is_rehearsal {
            self.retention.delete_late_snapshots().await?;
            if let Some(objects) = &self.objects {
                let mut archiving = Archiving::on(self.store.database()).await?;
                let removed = remove_reduced(&mut archiving, objects).await;
                archiving.close().await;
                self.outcome.objects += removed?.len() as u64;
            }
        }
        Ok(())
    }

    pub async fn close(self) {
        self.retention.close().await;
    }

    async fn apply(&mut self, platform: &str, it: &AgedMatch) -> Result<(), Error> {
        self.outcome.seen += 1;
        let is_older = |time: OffsetDateTime, age: Option<Duration>| {
            age.is_some_and(|age| time < self.now - age)
        };
        let Some(last) = &it.last else {
            if it.has_open_seat && is_older(it.create_time, self.rules.open) {
                self.delete(platform, it.match_id).await?;
            }
            return Ok(());
        };
        let is_due = is_older(last.create_time, self.rules.ended);
        let is_idle = is_older(last.create_time, self.rules.idle);
        if last.is_stub() || !(is_due || is_idle) {
            return Ok(());
        }
        self.store.learn_all(Unknown::among([it.terms.module()].into_iter())).await;
        match has_ended(&it.game, it.terms.module(), last) {
            Err(reason) => self.outcome.unsound.push((it.match_id, reason)),
            Ok(false) if is_idle => self.outcome.idle.push(it.match_id),
            Ok(true) if is_due && !self.is_final(it.terms.reveal_wait_s, last) => {
                self.outcome.unrevealed += 1;
            }
            Ok(true) if is_due => self.add(it.match_id, last.position).await?,
            Ok(_) => {}
        }
        Ok(())
    }

    /// Whether a match that ended with this entry has been revealed, if it ever will be.
    fn is_final(&self, reveal_wait_s: Option<i64>, last: &Recorded) -> bool {
        reveal_wait_s.is_none() || is_revealed(reveal_wait_s, last.create_time, self.now)
    }

    async fn delete(&mut self, platform: &str, match_id: MatchId) -> Result<(), Error> {
        if !self.is_rehearsal
            && self.store.delete_open(platform, match_id).await? != Deletion::Deleted
        {
            return Ok(());
        }
        self.outcome.deleted += 1;
        Ok(())
    }

    async fn add(&mut self, match_id: MatchId, last: Position) -> Result<(), Error> {
        let waiting: i64 = self.batch.iter().map(|it| it.1).sum();
        if !self.batch.is_empty() && waiting + last.0 > BATCH_ENTRIES_MAX {
            self.reduce().await?;
        }
        self.batch.push((match_id, last.0));
        Ok(())
    }

    /// Reduces the matches of the batch.
    async fn reduce(&mut self) -> Result<(), Error> {
        let batch: Vec<MatchId> =
            std::mem::take(&mut self.batch).into_iter().map(|it| it.0).collect();
        if batch.is_empty() {
            return Ok(());
        }
        let rows = self.store.find_all(&batch).await?;
        let seeds = self.store.seeds(&batch).await?;
        let (store, now) = (self.store, self.now);
        let reading = rows.iter().map(|row| read(store, row, seeds.get(&row.match_id), now));
        let mut reading = futures::stream::iter(reading).buffered(READS_MAX);
        let (mut results, mut bytes, mut unsound) = (Vec::new(), 0, Vec::new());
        let mut rows = rows.iter();
        while let Some(read) = reading.next().await {
            let match_id = rows.next().expect("one was read for each").match_id;
            match read? {
                Ok(ended) => {
                    bytes += ended.bytes;
                    results.push(ended.kept);
                }
                Err(reason) => unsound.push((match_id, reason)),
            }
        }
        if !unsound.is_empty() {
            // Another run may have reduced a match while it was read.
            let match_ids: Vec<MatchId> = unsound.iter().map(|it| it.0).collect();
            let reduced = self.store.kept_results(&match_ids).await?;
            unsound.retain(|(match_id, _)| !reduced.contains_key(match_id));
            self.outcome.unsound.append(&mut unsound);
        }
        if self.is_rehearsal {
            self.outcome.reduced += results.len() as u64;
            self.outcome.entries +=
                results.iter().map(|it| it.position.0.unsigned_abs()).sum::<u64>();
            self.outcome.bytes += bytes;
            return Ok(());
        }
        let reduced = self.retention.reduce(&results).await?;
        self.outcome.reduced += reduced.matches.unsigned_abs();
        self.outcome.entries += reduced.entries.unsigned_abs();
        self.outcome.bytes += bytes;
        Ok(())
    }
}

/// Folds a match to its end and compares every digest, since evidence of an alteration must not be
/// removed. The inner error is the reason why the record is not sound.
async fn read(
    store: &Store,
    row: &MatchRow,
    seed: Option<&Seed>,
    now: OffsetDateTime,
) -> Result<Result<Ended, String>, Error> {
    let (game, seed) = match (rows::game_of(row).ok(), seed) {
        (Some(game), Some(seed)) => (game, seed),
        (None, _) => return Ok(Err(format!("no rules for {:?}", row.game))),
        (_, None) => return Ok(Err("it has no seed".to_owned())),
    };
    let mut fold = match Fold::new(row, game, seed) {
        Ok(fold) => fold,
        Err(reason) => return Ok(Err(reason)),
    };
    loop {
        let page = match store.log().entries(row.match_id, fold.at, READ).await {
            Ok(page) => page,
            // The other matches can still be reduced.
            Err(error @ Error::Cold(_)) => return Ok(Err(error.to_string())),
            Err(error) => return Err(error),
        };
        for recorded in &page {
            if let Err(reason) = fold.apply(recorded) {
                return Ok(Err(format!("entry {}: {reason}", fold.at.next().0)));
            }
        }
        if page.len() < READ as usize {
            return Ok(fold.finish(row, now));
        }
    }
}

struct Fold {
    game: &'static dyn Game,
    table: Table,
    digests: Chain,
    at: Position,
    start_time: OffsetDateTime,
    last: Option<Recorded>,
    bytes: u64,
}

impl Fold {
    fn new(row: &MatchRow, game: &'static dyn Game, seed: &Seed) -> Result<Fold, String> {
        let seats = row.seats.try_into().map_err(|_| "it has too many seats".to_owned())?;
        Ok(Fold {
            game,
            table: Table::new(game.layout(), seats, Viewer::House),
            digests: Chain::new(Creation::from(row), seed),
            at: Position::START,
            start_time: row.create_time,
            last: None,
            bytes: 0,
        })
    }

    fn apply(&mut self, recorded: &Recorded) -> Result<(), String> {
        if recorded.position != self.at.next() {
            return Err("the entry is missing".to_owned());
        }
        let entry = Entry::decode(&recorded.body, self.game.layout());
        let entry = entry.map_err(|error| error.to_string())?;
        let digest = self.digests.next(Digested::of(recorded, entry.seat.map(u8::from)));
        if recorded.digest.is_some_and(|stored| stored != digest) {
            return Err("its digest is wrong, so the record was altered".to_owned());
        }
        self.table.apply(&entry);
        if self.at == Position::START {
            self.start_time = recorded.create_time;
        }
        self.at = recorded.position;
        let request_id = recorded.request_id.as_ref().map_or(0, String::len);
        self.bytes += (recorded.body.len() + request_id) as u64;
        self.last = Some(recorded.clone());
        Ok(())
    }

    /// The result to keep: the whole final table if everyone may read it, otherwise its public
    /// part.
    fn finish(self, row: &MatchRow, now: OffsetDateTime) -> Result<Ended, String> {
        let last = self.last.filter(|_| self.table.ended()).ok_or("it has not ended")?;
        let end_time = last.create_time;
        let is_public = is_revealed(row.terms.reveal_wait_s, end_time, now);
        let viewer = if is_public { Viewer::House } else { Viewer::Spectator };
        let kept = KeptResult {
            match_id: row.match_id,
            position: last.position,
            digest: last.digest,
            start_time: self.start_time,
            end_time,
            table: self.table.seen_by(viewer).encode(),
        };
        Ok(Ended { kept, bytes: self.bytes })
    }
}
