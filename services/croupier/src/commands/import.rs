//! `croupier import`: matches out of a file, into a database.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use api::match_name;
use futures::StreamExt;
use futures::stream::FuturesUnordered;
use store::{Append, Bucket, Draft, MatchRow, Position, Recorded, Store, append};
use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;

use crate::client::{Failure, Service};
use crate::database::{Database, Record};
use crate::file::{Deals, Reader, WholeMatch, read_match};

/// Take the matches of a file over, straight into the database
///
/// Each match is checked before anything of it is recorded: every entry decodes and folds, nobody
/// is told what they may not see, and where the seed is in the file every deal is played again. A
/// match that is there already is passed over, one that is there in part is completed, so an import
/// that was interrupted is started again.
#[derive(clap::Args)]
pub struct Args {
    /// What `croupier export` wrote
    file: PathBuf,
    /// The platform that gets the matches; the one they had if not said. It is made if it is not
    /// there
    #[arg(long, value_name = "NAME")]
    platform: Option<String>,
    /// Check the file, and record nothing
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    database: Database,
}

/// Matches taken at once: entries of one match follow each other, so many matches together make
/// full batches.
pub const TAKEN_AT_ONCE: usize = 128;

/// What was found and done.
#[derive(Default)]
struct Tally {
    matches: usize,
    entries: usize,
    verified: usize,
    earlier: usize,
    unchecked: usize,
    known: usize,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    if args.check {
        let mut tally = Tally::default();
        while_matches(&args, async |it| {
            tally.count(&it);
            Ok(())
        })
        .await?;
        tally.tell("checked");
        return Ok(());
    }
    let record = Record::open(&args.database, &service.data).await?;
    let imported = import(&args, &record.store).await;
    record.close().await;
    imported
}

async fn while_matches(
    args: &Args,
    mut each: impl AsyncFnMut(WholeMatch) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let path = &args.file;
    let file = File::open(path).map_err(|source| Failure::Path { path: path.clone(), source })?;
    let wrong = |wrong| Failure::File { path: path.clone(), wrong };
    let mut reader = Reader::new(BufReader::new(file)).map_err(wrong)?;
    while let Some(it) = read_match(&mut reader).map_err(wrong)? {
        each(it).await?;
    }
    Ok(())
}

async fn import(args: &Args, store: &Store) -> Result<(), Failure> {
    let importer = Importer::new(store);
    let mut tally = Tally::default();
    let imported = take_all(args, &importer, &mut tally).await;
    importer.finish().await;
    tally.tell("imported");
    imported
}

async fn take_all(args: &Args, importer: &Importer<'_>, tally: &mut Tally) -> Result<(), Failure> {
    let mut taking = FuturesUnordered::new();
    while_matches(args, async |mut it| {
        if let Some(platform) = &args.platform {
            it.row.platform.clone_from(platform);
        }
        tally.count(&it);
        taking.push(async move { importer.take(&it).await });
        if taking.len() >= TAKEN_AT_ONCE
            && let Some(is_new) = taking.next().await
        {
            tally.known += usize::from(!is_new?);
        }
        Ok(())
    })
    .await?;
    while let Some(is_new) = taking.next().await {
        tally.known += usize::from(!is_new?);
    }
    Ok(())
}

impl Tally {
    fn count(&mut self, it: &WholeMatch) {
        self.matches += 1;
        self.entries += it.entries.len();
        match it.verified.deals {
            Deals::Verified => self.verified += 1,
            Deals::Unchecked => self.unchecked += 1,
            Deals::Earlier { position } => {
                self.earlier += 1;
                let name = match_name(it.row.match_id);
                eprintln!(
                    "croupier: {name} was played under earlier rules from position {position} on"
                );
            }
        }
    }

    fn tell(&self, done: &str) {
        let Tally { matches, entries, verified, earlier, unchecked, known } = self;
        eprintln!(
            "croupier: {matches} matches, {entries} entries {done}: every deal verified in {verified}, \
             played under earlier rules {earlier}, without a seed {unchecked}; {known} were there already"
        );
    }
}

/// Records matches, through the same writer as the service.
pub struct Importer<'l> {
    store: &'l Store,
    handle: append::Handle,
    settled: CancellationToken,
    writing: tokio::task::JoinHandle<()>,
}

impl<'l> Importer<'l> {
    pub fn new(store: &'l Store) -> Importer<'l> {
        let writer = append::Service::new(store, append::Options::default());
        let (handle, settled) = (writer.handle(), CancellationToken::new());
        let writing = tokio::spawn(writer.run(settled.clone()));
        Importer { store, handle, settled, writing }
    }

    /// Records a match, and says whether there was anything new about it.
    pub async fn take(&self, it: &WholeMatch) -> Result<bool, Failure> {
        let name = match_name(it.row.match_id);
        let Some(seed) = it.seed else {
            return Err(Failure::Missing(format!(
                "{name} is not over and its seed is not in the file: export it with --seeds"
            )));
        };
        self.store.create_platform(&it.row.platform, OffsetDateTime::now_utc()).await?;
        let is_new = self.store.create_copy(&it.row, &seed).await?;
        let mut there = Vec::new();
        if !is_new {
            let known = self.store.find_any(it.row.match_id).await?;
            if !known.is_some_and(|known| is_same(&known, &it.row)) {
                return Err(Failure::Missing(format!(
                    "{name} is there already, and is another match"
                )));
            }
            let mut entries = self.store.entries_of(&[it.row.match_id]).await?;
            there = entries.remove(&it.row.match_id).unwrap_or_default();
        }
        if !there.iter().zip(&it.entries).all(|(there, it)| there.body == it.body) {
            return Err(Failure::Missing(format!("{name} is there already, and went another way")));
        }
        for recorded in it.entries.iter().skip(there.len()) {
            self.record(it, recorded, &name).await?;
        }
        Ok(is_new || there.len() < it.entries.len())
    }

    async fn record(
        &self,
        it: &WholeMatch,
        recorded: &Recorded,
        name: &str,
    ) -> Result<(), Failure> {
        let draft = Draft {
            match_id: it.row.match_id,
            position: recorded.position,
            request_id: recorded.request_id.clone(),
            create_time: recorded.create_time,
            body: recorded.body.clone(),
        };
        match self.handle.append(draft).await? {
            Append::Recorded => Ok(()),
            Append::Conflict => {
                let Position(position) = recorded.position;
                Err(Failure::Missing(format!(
                    "{name} went on here, at position {position}, while it was imported"
                )))
            }
        }
    }

    pub async fn finish(self) {
        self.settled.cancel();
        let _ = self.writing.await;
    }
}

/// Whether two rows are of one match, whoever's it is and however Postgres orders its options.
fn is_same(one: &MatchRow, other: &MatchRow) -> bool {
    (&one.platform, &one.game, one.seats) == (&other.platform, &other.game, other.seats)
        && one.seed_commitment == other.seed_commitment
        && Bucket::of(one.match_id) == Bucket::of(other.match_id)
}
