//! `croupier import`: matches from a file into a database.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use client::Service;
use futures::StreamExt;
use futures::stream::FuturesUnordered;
use matches::operators::{Act, Operator, Who};
use records::{Difference, Reader, WholeMatch, read_match};
use rows::match_name;
use store::Store;
use transfer::{AT_ONCE, Importer};

use crate::failure::Failure;
use crate::process::opening::DatabaseArgs;

/// Import the matches of a file, directly into the database
///
/// Each match is verified before it is recorded: every entry decodes and applies, no entry reveals
/// hidden information, and every deal follows from the seed if the file has it. Existing matches
/// are skipped and partial ones are completed, so an interrupted import can be repeated. A match
/// that has not ended and whose seed is not in the file cannot be continued: it is left out, and
/// the command fails after it has imported the others.
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
    database: DatabaseArgs,
}

/// The matches of a file by the result of their verification.
#[derive(Default)]
struct Tally {
    matches: usize,
    entries: usize,
    verified: usize,
    earlier: usize,
    unchecked: usize,
}

/// How many of them were recorded.
#[derive(Default)]
struct Imported {
    matches: usize,
    entries: usize,
    known: usize,
    left_out: usize,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    if args.check {
        let mut tally = Tally::default();
        each_match(&args, async |it| {
            tally.count(&it);
            Ok(())
        })
        .await?;
        tally.print();
        return Ok(());
    }
    let open = args.database.open_alone(&service.data).await?;
    let imported = import(&args, &open.installation.store).await;
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
    let (mut tally, mut imported) = (Tally::default(), Imported::default());
    let importing = import_all(args, &importer, &mut tally, &mut imported);
    let act = Act::Import { file: &args.file };
    let outcome = Operator::new(store.database(), Who::CommandLine).carry_out(act, importing).await;
    importer.finish().await;
    tally.print();
    let Imported { matches, entries, known, left_out } = imported;
    eprintln!("croupier: {matches} matches, {entries} entries imported; {known} existed already");
    outcome?;
    if left_out > 0 {
        return Err(Failure::Negative(format!(
            "{left_out} matches are left out: they are not over, and their seeds are not in the \
             file; export it with --seeds"
        )));
    }
    Ok(())
}

async fn import_all(
    args: &Args,
    importer: &Importer<'_>,
    tally: &mut Tally,
    imported: &mut Imported,
) -> Result<(), Failure> {
    let mut importing = FuturesUnordered::new();
    each_match(args, async |mut it| {
        tally.count(&it);
        if let Some(platform) = &args.platform {
            it.move_to(platform);
        }
        importing.push(async move { importer.import(&it).await });
        if importing.len() >= AT_ONCE
            && let Some(outcome) = importing.next().await
        {
            imported.count(outcome)?;
        }
        Ok(())
    })
    .await?;
    while let Some(outcome) = importing.next().await {
        imported.count(outcome)?;
    }
    Ok(())
}

impl Imported {
    fn count(&mut self, outcome: Result<Option<usize>, transfer::Error>) -> Result<(), Failure> {
        match outcome {
            Ok(Some(entries)) => {
                self.matches += 1;
                self.entries += entries;
            }
            Ok(None) => self.known += 1,
            Err(transfer::Error::NoSeed(name)) => {
                self.left_out += 1;
                eprintln!("croupier: {name} is left out");
            }
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }
}

impl Tally {
    fn count(&mut self, it: &WholeMatch) {
        self.matches += 1;
        self.entries += it.entries.len();
        match &it.verified.earlier {
            Some(Difference { position, .. }) => {
                self.earlier += 1;
                let name = match_name(it.row.match_id);
                eprintln!(
                    "croupier: {name} was played under earlier rules from position {position} on"
                );
            }
            None if it.seed.is_none() => self.unchecked += 1,
            None => self.verified += 1,
        }
    }

    fn print(&self) {
        let Tally { matches, entries, verified, earlier, unchecked } = self;
        eprintln!(
            "croupier: {matches} matches, {entries} entries read: {verified} with every deal verified, \
             {earlier} played under earlier rules, {unchecked} without a seed"
        );
    }
}
