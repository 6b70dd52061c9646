//! `croupier import`: matches from a file into a database.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use api::match_name;
use archive::{AT_ONCE, Deals, Importer, Reader, WholeMatch, read_match};
use client::Service;
use futures::StreamExt;
use futures::stream::FuturesUnordered;
use store::Store;

use crate::database::Database;
use crate::failure::Failure;

/// Import the matches of a file, directly into the database
///
/// Each match is verified before it is recorded: every entry decodes and applies, no entry reveals
/// what is hidden, and every deal follows from the seed if the file has it. Matches that exist
/// already are skipped and partial ones are completed, so an interrupted import can be repeated.
#[derive(clap::Args)]
pub struct Args {
    /// A file written by `croupier export`
    file: PathBuf,
    /// The platform of the imported matches, created if it does not exist [default: the one in the
    /// file]
    #[arg(long, value_name = "NAME")]
    platform: Option<String>,
    /// Verify the file without recording anything
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    database: Database,
}

/// The matches of an import by the result of their verification.
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
        each_match(&args, async |it| {
            tally.count(&it);
            Ok(())
        })
        .await?;
        tally.print("verified");
        return Ok(());
    }
    let open = args.database.open_alone(&service.data).await?;
    let imported = import(&args, &open.store).await;
    open.close().await;
    imported
}

async fn each_match(
    args: &Args,
    mut each: impl AsyncFnMut(WholeMatch) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let path = &args.file;
    let file = File::open(path).map_err(|source| Failure::Path { path: path.clone(), source })?;
    let invalid = |error| Failure::ArchiveFile { path: path.clone(), error };
    let mut reader = Reader::new(BufReader::new(file)).map_err(invalid)?;
    while let Some(it) = read_match(&mut reader).map_err(invalid)? {
        each(it).await?;
    }
    Ok(())
}

async fn import(args: &Args, store: &Store) -> Result<(), Failure> {
    let importer = Importer::new(store);
    let mut tally = Tally::default();
    let imported = import_all(args, &importer, &mut tally).await;
    importer.finish().await;
    tally.print("imported");
    imported
}

async fn import_all(
    args: &Args,
    importer: &Importer<'_>,
    tally: &mut Tally,
) -> Result<(), Failure> {
    let mut importing = FuturesUnordered::new();
    each_match(args, async |mut it| {
        if let Some(platform) = &args.platform {
            it.row.platform.clone_from(platform);
        }
        tally.count(&it);
        importing.push(async move { importer.import(&it).await });
        if importing.len() >= AT_ONCE
            && let Some(is_new) = importing.next().await
        {
            tally.known += usize::from(!is_new?);
        }
        Ok(())
    })
    .await?;
    while let Some(is_new) = importing.next().await {
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

    fn print(&self, done: &str) {
        let Tally { matches, entries, verified, earlier, unchecked, known } = self;
        eprintln!(
            "croupier: {matches} matches, {entries} entries {done}: {verified} with every deal verified, \
             {earlier} played under earlier rules, {unchecked} without a seed; {known} existed already"
        );
    }
}
