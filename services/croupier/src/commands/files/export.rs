//! `croupier export`: whole matches into a file.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{BufReader, BufWriter, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use records::{Line, Reader};
use store::Store;
use transfer::{Exporter, parse_match};

use crate::client::Service;
use crate::commands::making::module_file::in_folder;
use crate::failure::Failure;
use crate::print;
use crate::process::opening::DatabaseArgs;

/// Write whole matches into a file, directly from the database
///
/// The file holds the whole record, including hidden state and what was said in private, so keep it
/// as secret as the database.
/// `croupier replay` prints it, and `croupier import` imports it into another service. Matches are
/// in the order of their creation; a match that has not ended is exported up to its last entry.
/// Matches that `croupier retention` has reduced to their results are left out.
#[derive(clap::Args)]
pub struct Args {
    /// One match, by its name or id
    #[arg(value_name = "MATCH", conflicts_with_all = ["platform", "after"])]
    name: Option<String>,
    /// All matches of this platform [default: of every platform]
    #[arg(long, value_name = "NAME")]
    platform: Option<String>,
    /// Write to this file, which only its owner can read [default: standard output]. An existing
    /// file is continued: a match that was cut off is rewritten, and later ones are added. The
    /// others stay as they were, also players who were erased since: for these, write a new file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Continue after this match, which an earlier export printed at its end
    #[arg(long, value_name = "MATCH")]
    after: Option<String>,
    /// Include the seeds of matches that have not ended, so that they can be continued elsewhere
    #[arg(long)]
    seeds: bool,
    /// Write the modules that have the rules of the matches into this folder, each under its hash,
    /// for `croupier verify --module` and `croupier import --module`
    #[arg(long, value_name = "DIR")]
    modules: Option<PathBuf>,
    #[command(flatten)]
    database: DatabaseArgs,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    let open = args.database.open_alone(&service.data).await?;
    let exported = export(&args, &open.installation.store).await;
    open.close().await;
    exported
}

async fn export(args: &Args, store: &Store) -> Result<(), Failure> {
    let mut after = args.after.clone();
    let output: Box<dyn Write> = match &args.out {
        None => Box::new(std::io::stdout().lock()),
        Some(path) => {
            let (file, last) = resume(path).map_err(|failure| *failure)?;
            after = last.or(after);
            Box::new(file)
        }
    };
    let has_header =
        args.out.as_ref().is_some_and(|path| path.metadata().is_ok_and(|it| it.len() > 0));
    for ((game, rules), module) in store.kept_modules().await? {
        games::keep(&game, rules, &module);
    }
    let mut exporter = Exporter::new(store, BufWriter::new(output), args.seeds, !has_header)?;
    match &args.name {
        Some(name) => exporter.one(parse_match(name)?).await?,
        None => exporter.all(args.platform.as_deref(), after.as_deref()).await?,
    }
    exporter.flush()?;
    if let Some(folder) = &args.modules {
        save_modules(folder, &exporter.modules, store).await?;
    }
    let Exporter { matches, entries, results_only, last, .. } = exporter;
    let cursor = last.or(after).map(|last| format!("; resume with --after {last}"));
    let cursor = cursor.unwrap_or_default();
    let exported = print::matches_and_entries(matches, entries);
    eprintln!("croupier: {exported} exported{cursor}");
    if results_only > 0 {
        let results_only = print::count(results_only, "match", "matches");
        eprintln!("croupier: {results_only} left out: only results are kept");
    }
    Ok(())
}

/// Writes modules into a folder, except those that it has. What a module is named by is checked
/// where it is read.
async fn save_modules(
    folder: &Path,
    modules: &BTreeSet<String>,
    store: &Store,
) -> Result<(), Failure> {
    let failed = |path: PathBuf| |source| Failure::Path { path, source };
    fs::create_dir_all(folder).map_err(failed(folder.to_owned()))?;
    for module in modules {
        let path = in_folder(folder, module);
        if path.exists() {
            continue;
        }
        let Some(file) = store.module_file(module).await? else {
            return Err(Failure::Negative(format!("no module has the hash {module:?}")));
        };
        // Whole or not at all.
        let new = path.with_extension("new");
        let written = fs::write(&new, file).and_then(|()| fs::rename(&new, &path));
        written.map_err(failed(path))?;
    }
    eprintln!("croupier: the modules of these matches are in {}", folder.display());
    Ok(())
}

/// Opens a file for writing after its last complete match, and returns that match's name.
fn resume(path: &Path) -> Result<(File, Option<String>), Box<Failure>> {
    let failed = |source| Box::new(Failure::Path { path: path.to_owned(), source });
    let mut options = OpenOptions::new();
    let options = options.read(true).write(true).create(true).truncate(false).mode(0o600);
    let mut file = options.open(path).map_err(failed)?;
    let invalid = |error| Box::new(Failure::ArchiveFile { path: path.to_owned(), error });
    let (mut bytes, mut last) = (0, None);
    if file.metadata().map_err(failed)?.len() > 0 {
        let mut reader = Reader::new(BufReader::new(&file)).map_err(invalid)?;
        bytes = reader.bytes;
        loop {
            match reader.read() {
                Ok(Some(Line::End(end))) => (bytes, last) = (reader.bytes, Some(end.name)),
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(_) if reader.is_cut_off => break,
                Err(error) => return Err(invalid(error)),
            }
        }
    }
    file.set_len(bytes).map_err(failed)?;
    file.seek(SeekFrom::End(0)).map_err(failed)?;
    Ok((file, last))
}
