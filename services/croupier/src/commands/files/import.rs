//! `croupier import`: matches from a file into a database.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use matches::operators::{Act, Operator, Who};
use records::{Answer, Block, Blocks, Code, Misread, WholeMatch, read_block};
use rows::match_name;
use store::Store;
use transfer::{AT_ONCE, Importer};

use crate::client::Service;
use crate::commands::making::module_file::{Installed, install};
use crate::failure::Failure;
use crate::print;
use crate::process::acts;
use crate::process::opening::DatabaseArgs;

/// Import the matches of a file, directly into the database
///
/// Each match is verified before it is recorded: every entry decodes and applies, no entry reveals
/// hidden information, and every deal follows from the seed. A match that is wrong, or that this
/// release cannot record, is named and left out; the others are imported, and then the command
/// fails. Existing matches are skipped and partial ones are completed, so an interrupted import can
/// be repeated. A match that has not ended cannot be continued without its seed, so it is left out
/// too: export it with --seeds.
#[derive(clap::Args)]
pub struct Args {
    /// A file written by `croupier export`
    file: PathBuf,
    /// The platform of the imported matches, created if it does not exist [default: the one in the
    /// file]
    #[arg(long, value_name = "NAME")]
    platform: Option<String>,
    /// Verify the file without recording anything. As with `croupier verify`, the exit status is 3
    /// if nothing is wrong but not everything is proven
    #[arg(long)]
    check: bool,
    /// A module that has the rules of matches: a file, or a folder that `croupier export --modules`
    /// wrote; repeatable. It is recorded too, and gets no new matches
    #[arg(long = "module", value_name = "FILE")]
    modules: Vec<PathBuf>,
    #[command(flatten)]
    database: DatabaseArgs,
}

/// The size of matches that are imported at the same time, in bytes of the file. A larger match is
/// imported alone.
const BYTES_MAX: usize = 64 << 20;

/// The matches of a file by the result of their verification.
#[derive(Default)]
struct Tally {
    matches: u64,
    entries: u64,
    proven: u64,
    under_way: u64,
    /// Not proven for other reasons.
    unproven: u64,
    wrong: u64,
    /// Matches that this release cannot read or record.
    left_out: u64,
}

/// How many of them were recorded.
#[derive(Default)]
struct Imported {
    matches: u64,
    entries: u64,
    known: u64,
    without_seed: u64,
    /// Matches that contradict what is recorded already.
    refused: u64,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let mut modules = Vec::new();
    for path in &args.modules {
        modules.extend(install(path, args.database.module_compiler())?);
    }
    if args.check {
        let mut tally = Tally::default();
        each_match(&args, &mut tally, async |_, _| Ok(())).await?;
        tally.print();
        tally.end()?;
        return match tally.under_way + tally.unproven {
            0 => Ok(()),
            _ => Err(Failure::NotProven("not everything is proven".to_owned())),
        };
    }
    let open = args.database.open_alone(&service.data).await?;
    let imported = async {
        let store = &open.installation.store;
        for it in &modules {
            bring(it, store).await?;
        }
        import(&args, store).await
    };
    let imported = imported.await;
    open.close().await;
    imported
}

/// Records a module, for the matches of which it has the rules.
async fn bring(it: &Installed, store: &Store) -> Result<(), Failure> {
    let Installed { file, hash, game, rules } = it;
    let operator = Operator::new(store.database(), Who::CommandLine);
    let act = Act::KeepModule { game, module: hash };
    #[expect(clippy::disallowed_methods, reason = "it is carried out by an operator")]
    let is_new = match games::find(game) {
        Some(_) => {
            let keeping = store.keep_module(game, *rules, file);
            operator.carry_out_if(act, keeping, |it| *it).await?
        }
        None => {
            let bringing = store.bring_module(game, *rules, file);
            operator.carry_out_if(act, bringing, |it| *it).await?
        }
    };
    if is_new {
        eprintln!("croupier: recorded the module {hash} of {game}");
    }
    Ok(())
}

/// Calls `each` with every match that can be recorded, and its size in the file.
async fn each_match(
    args: &Args,
    tally: &mut Tally,
    mut each: impl AsyncFnMut(WholeMatch, usize) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let path = &args.file;
    let file = File::open(path).map_err(|source| Failure::Path { path: path.clone(), source })?;
    let invalid = |error| Failure::ArchiveFile { path: path.clone(), error };
    let mut blocks = Blocks::new(BufReader::new(file)).map_err(invalid)?;
    while let Some(block) = blocks.read().map_err(invalid)? {
        if let Some(it) = tally.read(&block) {
            each(it, block.bytes.len()).await?;
        }
    }
    Ok(())
}

async fn import(args: &Args, store: &Store) -> Result<(), Failure> {
    // Each match is played again by its own rules.
    for it in store.modules().await? {
        let _ = store.learn(&it.hash).await;
    }
    for ((game, rules), module) in store.kept_modules().await? {
        games::keep(&game, rules, &module);
    }
    let importer = Importer::new(store);
    let (mut tally, mut imported) = (Tally::default(), Imported::default());
    let importing = import_all(args, &importer, &mut tally, &mut imported);
    let act = Act::Import { file: &args.file };
    let outcome = acts::carry_out(store.database(), act, importing).await;
    importer.finish().await;
    tally.print();
    let Imported { matches, entries, known, without_seed, refused } = imported;
    let imported = print::matches_and_entries(matches, entries);
    eprintln!("croupier: {imported} imported; {known} existed already");
    outcome?;
    tally.end()?;
    if refused > 0 {
        return Err(left_out(refused, "in contradiction to what is recorded already"));
    }
    if without_seed > 0 {
        let reason = "not over, and without a seed in the file; export it with --seeds";
        return Err(left_out(without_seed, reason));
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
    let mut bytes_of_all = 0;
    each_match(args, tally, async |mut it, bytes| {
        if let Some(platform) = &args.platform {
            it.move_to(platform);
        }
        while importing.len() >= AT_ONCE
            || !importing.is_empty() && bytes_of_all + bytes > BYTES_MAX
        {
            let Some((outcome, bytes)) = importing.next().await else { break };
            bytes_of_all -= bytes;
            imported.count(outcome)?;
        }
        bytes_of_all += bytes;
        importing.push(async move { (importer.import(&it).await, bytes) });
        Ok(())
    })
    .await?;
    while let Some((outcome, _)) = importing.next().await {
        imported.count(outcome)?;
    }
    Ok(())
}

/// Fails because of matches that were left out.
fn left_out(number: u64, reason: &str) -> Failure {
    Failure::Negative(format!("{} left out: {reason}", print::count(number, "match", "matches")))
}

impl Imported {
    fn count(&mut self, outcome: Result<Option<usize>, transfer::Error>) -> Result<(), Failure> {
        match outcome {
            Ok(Some(entries)) => {
                self.matches += 1;
                self.entries += entries as u64;
            }
            Ok(None) => self.known += 1,
            Err(transfer::Error::NoSeed(name)) => {
                self.without_seed += 1;
                eprintln!("croupier: {name} is left out");
            }
            Err(error) if error.is_of_match() => {
                self.refused += 1;
                eprintln!("croupier: left out: {error}");
            }
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }
}

impl Tally {
    /// The match of a block, if it can be recorded. Names it if it is wrong or not proven.
    fn read(&mut self, block: &Block) -> Option<WholeMatch> {
        self.matches += 1;
        let it = match read_block(block) {
            Ok(it) => it,
            Err(misread) => {
                self.leave_out(&misread);
                return None;
            }
        };
        self.entries += it.entries.len() as u64;
        let gaps = it.gaps();
        let under_way = |code: Code| code == Code::Unfinished;
        match &gaps[..] {
            [] => self.proven += 1,
            [(_, gap)] if under_way(gap.code) => self.under_way += 1,
            _ => self.unproven += 1,
        }
        let name = match_name(it.row.match_id);
        for (position, gap) in gaps.iter().filter(|(_, gap)| !under_way(gap.code)) {
            let place = position.map(|it| format!(", position {it}")).unwrap_or_default();
            eprintln!("croupier: not proven: {name}{place}: {gap} [{}]", gap.code);
        }
        // Digests would be recorded with it, as if it had always had them.
        if it.verified.is_without_proofs && !it.entries.is_empty() {
            self.unproven -= 1;
            self.left_out += 1;
            return None;
        }
        Some(it)
    }

    fn leave_out(&mut self, misread: &Misread) {
        let code = misread.problem.code;
        match code.answer() {
            Answer::Wrong => {
                self.wrong += 1;
                eprintln!("croupier: WRONG: {misread} [{code}]");
            }
            Answer::NotProven | Answer::Proven => {
                self.left_out += 1;
                eprintln!("croupier: left out: {misread} [{code}]");
            }
        }
    }

    fn print(&self) {
        let Tally { matches, entries, proven, under_way, unproven, wrong, left_out } = self;
        let read = print::matches_and_entries(*matches, *entries);
        eprintln!(
            "croupier: {read} read: {proven} proven, {under_way} under way, {unproven} not proven, \
             {wrong} wrong, {left_out} that cannot be recorded"
        );
    }

    /// Fails if matches were left out.
    fn end(&self) -> Result<(), Failure> {
        match (self.wrong, self.left_out) {
            (0, 0) => Ok(()),
            (0, unrecordable) => Err(left_out(unrecordable, "the record cannot hold them")),
            (wrong, _) => Err(left_out(wrong, "wrong")),
        }
    }
}
