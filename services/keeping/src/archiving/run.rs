//! A run over the whole record, or over the matches of a platform.

use event_log::{ColdError, Error};
use futures::StreamExt;
use positions::{Bucket, Recorded};
use records::{Known, verify_rows};
use rows::{MatchId, MatchRow, Seed};
use store::{Store, Unknown};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::archived::Archived;
use super::cold_store::ColdStore;
use super::content::pack;
use super::place::place;
use super::statements::{ArchiveCandidate, ArchiveState, Archiving, Verified};
use crate::ended::has_ended;

/// The number of matches that one query examines.
const PAGE: i64 = 500;

/// The maximum number of entries that one statement empties, unless a single match has more. It is
/// small, so that the next statements reuse the space that one frees.
const BATCH_ENTRIES_MAX: i64 = 2_000;

/// The number of matches that are written and verified concurrently.
const AT_ONCE: usize = 8;

/// The table is vacuumed after this many entries were emptied, or after a twentieth of it if that
/// is more.
const VACUUM_AFTER: i64 = 20_000;

/// The number of archive objects that one query looks up.
const LISTED: usize = 1_000;

/// Which matches to archive.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The minimum age, since the end of a match.
    pub older_than: Duration,
    /// `None`: every platform.
    pub platform: Option<String>,
    pub vacuum: bool,
    /// Whether the objects of the place before were copied to this one.
    pub is_moved: bool,
    /// Whether to look for objects that no match needs.
    pub sweep: bool,
}

/// The effects of a run, or of a dry run if it were real.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Matches examined.
    pub seen: u64,
    pub archived: u64,
    /// The entries of the archived matches, the bytes freed in the rows, and the bytes of the
    /// objects.
    pub entries: u64,
    pub bytes: u64,
    pub object_bytes: u64,
    /// Objects that were removed: of matches that were reduced to their results, and of runs that
    /// did not finish.
    pub removed: Vec<String>,
    /// Files and folders of the archive that other users could read until now.
    pub mended: u64,
    /// Matches that were left alone because their record is not sound.
    pub unsound: Vec<(MatchId, String)>,
    /// The size of the table of entries on disk with its indexes, in bytes, before and after.
    pub table_bytes: (i64, i64),
}

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Log(#[from] Error),
    #[error(
        "the archive of this installation is {before}: archive there, or copy its objects to the \
         new place first and name that with --moved"
    )]
    OtherPlace { before: String },
    #[error("the objects of this installation are not in the new place: copy them first")]
    NotCopied,
    #[error("another run archives to another place")]
    Raced,
}

impl From<ColdError> for RunError {
    fn from(error: ColdError) -> Self {
        Self::Log(error.into())
    }
}

impl From<database::Error> for RunError {
    fn from(error: database::Error) -> Self {
        Self::Log(error.into())
    }
}

/// A run over the whole record.
pub struct Run<'s> {
    store: &'s Store,
    archiving: Archiving,
    /// `None` if the run changes nothing.
    cold: Option<ColdStore>,
    installation: Uuid,
    rules: Rules,
    until: OffsetDateTime,
    /// The matches to archive next, with the number of their entries.
    batch: Vec<(ArchiveCandidate, i64)>,
    /// The number of entries emptied since the last vacuum.
    emptied: i64,
    /// The number of emptied entries after which to vacuum.
    vacuum_after: i64,
    pub outcome: Outcome,
}

/// An object that holds the content of a match's rows.
struct Stored {
    verified: Verified,
    entries: u64,
    /// The bytes of the rows that will be emptied.
    bytes: u64,
    /// An object of a run that did not finish.
    before: Option<String>,
}

impl<'s> Run<'s> {
    /// Without an archive, nothing is changed.
    pub async fn new(
        store: &'s Store,
        archiving: Archiving,
        cold: Option<ColdStore>,
        rules: Rules,
    ) -> Result<Self, Error> {
        let installation = store.database().installation().await?;
        let until = store.database().clock().now() - rules.older_than;
        Ok(Run {
            store,
            archiving,
            cold,
            installation,
            rules,
            until,
            batch: Vec::new(),
            emptied: 0,
            vacuum_after: VACUUM_AFTER,
            outcome: Outcome::default(),
        })
    }

    /// Archives every match that is due. `progress` is called after each page.
    pub async fn all(&mut self, progress: impl Fn(&Outcome)) -> Result<(), RunError> {
        if let Some(cold) = self.cold.clone() {
            self.name_place(&cold).await?;
        }
        let (bytes, rows) = self.archiving.table_size().await?;
        self.outcome.table_bytes = (bytes, bytes);
        self.vacuum_after = VACUUM_AFTER.max(rows / 20);
        for bucket in Bucket::all() {
            self.bucket(bucket, &progress).await?;
        }
        if let Some(cold) = self.cold.clone() {
            let removed = remove_reduced(&mut self.archiving, &cold).await?;
            self.outcome.removed.extend(removed);
            if self.rules.sweep {
                self.sweep(&cold).await?;
            }
        }
        if self.emptied > 0 {
            self.vacuum().await?;
        }
        self.outcome.table_bytes.1 = self.archiving.table_size().await?.0;
        Ok(())
    }

    /// Tells every process where the objects are, before the first row is emptied. Objects that are
    /// elsewhere would be lost to them, so the place changes only once they were copied.
    async fn name_place(&mut self, cold: &ColdStore) -> Result<(), RunError> {
        let url = cold.url().trim_end_matches('/');
        let before = place(self.store.database()).await?;
        if let Some(before) = before.clone().filter(|before| before != url) {
            if !self.rules.is_moved {
                return Err(RunError::OtherPlace { before });
            }
            if !cold.is_signed(self.installation).await? {
                return Err(RunError::NotCopied);
            }
        }
        self.outcome.mended = cold.sign(self.installation).await?;
        let named = self.archiving.name_place(url, before.as_deref()).await?;
        if named { Ok(()) } else { Err(RunError::Raced) }
    }

    pub async fn close(self) {
        self.archiving.close().await;
    }

    async fn bucket(&mut self, bucket: Bucket, progress: &impl Fn(&Outcome)) -> Result<(), Error> {
        let platform = self.rules.platform.clone();
        let mut after = None;
        loop {
            // All changes of a match are after its creation.
            let reading =
                self.archiving.candidates(bucket, platform.as_deref(), self.until, after, PAGE);
            let page = reading.await?;
            let Some(last) = page.last() else { return Ok(()) };
            after = Some(last.match_id);
            self.store.learn_all(Unknown::among(page.iter().map(|it| it.module.as_deref()))).await;
            for it in page {
                self.outcome.seen += 1;
                if let Some(entries) = self.due(&it) {
                    self.add(bucket, it, entries).await?;
                }
            }
            self.archive(bucket).await?;
            progress(&self.outcome);
        }
    }

    /// The number of entries of a match that should be archived, otherwise `None`.
    fn due(&mut self, it: &ArchiveCandidate) -> Option<i64> {
        let last = it.last.as_ref()?;
        let is_whole = it.state != ArchiveState::Archived && !last.is_stub();
        // The last entry keeps its content.
        if !is_whole || last.position.0 < 2 || last.create_time >= self.until {
            return None;
        }
        match has_ended(&it.game, it.module.as_deref(), last) {
            Ok(has_ended) => has_ended.then_some(last.position.0),
            Err(reason) => {
                self.outcome.unsound.push((it.match_id, reason));
                None
            }
        }
    }

    async fn add(
        &mut self,
        bucket: Bucket,
        it: ArchiveCandidate,
        entries: i64,
    ) -> Result<(), Error> {
        let waiting: i64 = self.batch.iter().map(|it| it.1).sum();
        if !self.batch.is_empty() && waiting + entries > BATCH_ENTRIES_MAX {
            self.archive(bucket).await?;
        }
        self.batch.push((it, entries));
        Ok(())
    }

    /// Archives the matches of the batch, all of one bucket.
    async fn archive(&mut self, bucket: Bucket) -> Result<(), Error> {
        let batch: Vec<ArchiveCandidate> =
            std::mem::take(&mut self.batch).into_iter().map(|it| it.0).collect();
        if batch.is_empty() {
            return Ok(());
        }
        let names: Vec<(MatchId, String)> = batch
            .iter()
            .map(|it| (it.match_id, ColdStore::new_name(self.installation, it.match_id)))
            .collect();
        let ids: Vec<MatchId> = match &self.cold {
            Some(_) => self.archiving.begin(bucket, &names).await?,
            None => batch.iter().map(|it| it.match_id).collect(),
        };
        let rows = self.store.find_all(&ids).await?;
        let seeds = self.store.seeds(&ids).await?;
        let mut entries = self.store.entries_of(&ids).await?;
        let mut storing = Vec::new();
        for row in rows {
            let match_id = row.match_id;
            let candidate = batch.iter().find(|it| it.match_id == match_id);
            let name = names.iter().find(|it| it.0 == match_id);
            let (Some(candidate), Some((_, name))) = (candidate, name) else { continue };
            let entries = entries.remove(&match_id).unwrap_or_default();
            let seed = seeds.get(&match_id).copied();
            let before = candidate.state.clone();
            let (cold, name) = (self.cold.clone(), name.clone());
            storing.push(async move {
                let outcome = store_match(cold, row, seed, entries, name.clone(), before).await;
                (match_id, name, outcome)
            });
        }
        let mut storing = futures::stream::iter(storing).buffer_unordered(AT_ONCE);
        let mut stored: Vec<Stored> = Vec::new();
        while let Some((match_id, object, outcome)) = storing.next().await {
            match outcome {
                Ok(Ok(it)) => stored.push(it),
                Ok(Err(reason)) => self.leave(match_id, &object, Ok(reason)).await?,
                Err(error) => self.leave(match_id, &object, Err(error)).await?,
            }
        }
        drop(storing);
        self.finish(bucket, stored).await
    }

    /// Leaves alone a match that could not be stored. This is not an error if another run archived
    /// or reduced the match in the meantime, which explains missing rows or a missing object.
    async fn leave(
        &mut self,
        match_id: MatchId,
        object: &str,
        problem: Result<String, Error>,
    ) -> Result<(), Error> {
        let is_ours = self.cold.is_none() || self.archiving.is_ours(match_id, object).await?;
        if is_ours {
            self.outcome.unsound.push((match_id, problem?));
        }
        match &self.cold {
            Some(cold) => Ok(cold.remove(object).await?),
            None => Ok(()),
        }
    }

    async fn finish(&mut self, bucket: Bucket, stored: Vec<Stored>) -> Result<(), Error> {
        let verified: Vec<Verified> = stored.iter().map(|it| it.verified.clone()).collect();
        let Some(cold) = self.cold.clone() else {
            self.outcome.archived += stored.len() as u64;
            self.outcome.entries += stored.iter().map(|it| it.entries).sum::<u64>();
            self.count(&stored);
            return Ok(());
        };
        let emptied = self.archiving.finish(bucket, &verified).await?;
        let is_done = |it: &Stored| emptied.matches.contains(&it.verified.archived.match_id);
        let (done, left): (Vec<Stored>, Vec<Stored>) = stored.into_iter().partition(is_done);
        self.outcome.archived += done.len() as u64;
        self.outcome.entries += emptied.entries.unsigned_abs();
        self.count(&done);
        // Another run was faster, so these objects will never be read.
        let ours = left.iter().map(|it| it.verified.archived.object.clone());
        let before = done.iter().chain(&left).filter_map(|it| it.before.clone());
        for object in ours.chain(before) {
            cold.remove(&object).await?;
            self.outcome.removed.push(object);
        }
        self.emptied += emptied.entries;
        if self.emptied >= self.vacuum_after {
            self.vacuum().await?;
        }
        Ok(())
    }

    fn count(&mut self, stored: &[Stored]) {
        self.outcome.bytes += stored.iter().map(|it| it.bytes).sum::<u64>();
        let objects = stored.iter().map(|it| it.verified.archived.bytes.unsigned_abs());
        self.outcome.object_bytes += objects.sum::<u64>();
    }

    async fn vacuum(&mut self) -> Result<(), Error> {
        if self.rules.vacuum {
            self.archiving.vacuum().await?;
        }
        self.emptied = 0;
        Ok(())
    }

    /// Removes objects that no row names.
    async fn sweep(&mut self, cold: &ColdStore) -> Result<(), Error> {
        let mut names = cold.names(self.installation).chunks(LISTED);
        while let Some(named) = names.next().await {
            let named: Vec<(MatchId, String)> = named.into_iter().collect::<Result<_, _>>()?;
            for orphan in self.archiving.orphans(named).await? {
                cold.remove(&orphan).await?;
                self.outcome.removed.push(orphan);
            }
        }
        Ok(())
    }
}

/// Removes the objects of matches that were reduced to their results, and returns their names.
///
/// The row is removed last, so that until then the next run finds the object. It makes no
/// difference whether a match was reduced before or during its archiving.
pub async fn remove_reduced(
    archiving: &mut Archiving,
    cold: &ColdStore,
) -> Result<Vec<String>, Error> {
    let mut removed = Vec::new();
    for bucket in Bucket::all() {
        for (match_id, object) in archiving.reduced(bucket).await? {
            cold.remove(&object).await?;
            archiving.forget(match_id, &object).await?;
            removed.push(object);
        }
    }
    Ok(removed)
}

/// Writes an object, reads it back and verifies its content. The inner error is the reason why the
/// match is left alone.
async fn store_match(
    cold: Option<ColdStore>,
    row: MatchRow,
    seed: Option<Seed>,
    entries: Vec<Recorded>,
    object: String,
    before: ArchiveState,
) -> Result<Result<Stored, String>, Error> {
    let match_id = row.match_id;
    let Some(last) = entries.last().cloned() else {
        return Ok(Err("its entries are gone".to_owned()));
    };
    let count = entries.len() as u64;
    let emptied = &entries[..entries.len() - 1];
    let said = |it: &Recorded| it.body.len() + it.request_id.as_ref().map_or(0, String::len);
    let bytes = emptied.iter().map(said).sum::<usize>() as u64;
    let Some(packed) = pack(match_id, &entries) else {
        return Ok(Err("it is too large for an object".to_owned()));
    };
    let archived = Archived::new(match_id, last.position, object, &packed);
    let restored = match &cold {
        None => entries,
        Some(cold) => {
            cold.put(&archived.object, packed).await?;
            let content = match cold.fetch(&archived).await {
                Ok(content) => content,
                Err(error @ ColdError::Damaged { .. }) => {
                    return Ok(Err(format!(
                        "it was read back otherwise than it was written: {error}"
                    )));
                }
                Err(error) => return Err(error.into()),
            };
            content.in_place_of(&entries)
        }
    };
    let verifying = tokio::task::spawn_blocking(move || {
        let outcome = verify_rows(&row, seed, &restored, &Known::default());
        (outcome.wrong.into_iter().next(), outcome.verified.is_over)
    });
    match verifying.await.expect("a panic becomes something wrong") {
        (Some(wrong), _) => return Ok(Err(wrong.reason)),
        (None, false) => return Ok(Err("it has not ended".to_owned())),
        (None, true) => {}
    }
    let before = match before {
        ArchiveState::Begun(object) => Some(object),
        ArchiveState::None | ArchiveState::Archived => None,
    };
    let verified = Verified { archived, digest: last.digest };
    Ok(Ok(Stored { verified, entries: count - 1, bytes, before }))
}
