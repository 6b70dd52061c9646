//! `croupier verify`: verifies matches.

mod installation;
mod logged;
mod parallel;
mod read_models;
mod report;

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};
use records::{
    Answer, Blocks, Code, Finding, Keys, Known, LineError, Loggable, Outcome, Receipt, Report,
    Source, Tally, verify_block,
};
use serde::Serialize;
use tlog::VerifierKey;

use self::logged::Log;
use self::parallel::{Queue, in_order};
use self::read_models::ReadModels;
use crate::client::{Client, Service};
use crate::commands::making::module_file;
use crate::failure::Failure;
use crate::print;
use crate::process::opening::DatabaseArgs;
use crate::process::threads;

/// Verify matches: digests, commitments, every random choice, and, with this release's rules, every
/// action and its consequences
///
/// A match comes from a file, from the service, or straight from the database. There are three
/// answers, each with an exit status: everything is proven (0), something is wrong (1), or nothing
/// is known to be wrong, but not everything is proven (3). A match that has not ended is verified
/// as far as it goes, and not proven. So is one that was played under an earlier version of its
/// game's rules, if this release's rules would decide something differently.
#[derive(clap::Args)]
pub struct Args {
    /// Files written by `croupier export`, `-` for standard input, or matches of the service by
    /// name or id, once they have ended and are revealed
    #[arg(value_name = "FILE|MATCH", required_unless_present_any = ["all", "receipts"],
        conflicts_with = "all")]
    what: Vec<String>,
    /// Verify the whole record of an installation, straight from its database: before a new release
    /// is deployed, run its own `croupier verify --all`, which also fails if the new rules would
    /// decide something differently in a running match. That some matches are under way is no
    /// failure then. The read models behind lists and standings are compared with the record
    #[arg(long)]
    all: bool,
    /// With --all: rebuild the read models that differ from the record
    #[arg(long, requires = "all", conflicts_with = "platform")]
    rebuild: bool,
    /// With --all: only the matches of this platform
    #[arg(long, value_name = "NAME", requires = "all")]
    platform: Option<String>,
    /// With --all: save the progress in this file, and continue from there when started again. The
    /// file is removed at the end
    #[arg(long, value_name = "FILE", requires = "all", conflicts_with = "receipts")]
    state: Option<PathBuf>,
    /// A receipt of one of the matches, as `GetReceipt` returns it or the bare JWS; repeatable. It
    /// shows whether the record was changed or cut short after the receipt was issued. Without
    /// files and matches, receipts are compared with each other alone
    #[arg(long = "receipt", value_name = "FILE")]
    receipts: Vec<PathBuf>,
    /// The public keys for the receipts, as a JSON Web Key Set [default: those that the service
    /// currently publishes]
    #[arg(long, value_name = "FILE", requires = "receipts")]
    keys: Option<PathBuf>,
    /// The contribution of a seat to the chance of the match, in hexadecimal; repeatable
    #[arg(long = "contribution", value_name = "SEAT=HEX", value_parser = contribution,
        conflicts_with = "all")]
    contributions: Vec<(u8, Vec<u8>)>,
    /// The commitment of the match that you were told before it began, in hexadecimal
    #[arg(long, value_name = "HEX", value_parser = commitment, conflicts_with = "all")]
    commitment: Option<Commitment>,
    /// The transparency log that must have the matches: its address, or a file of proofs that were
    /// kept, as the service gives them at `/log/proof/opened/ID` and `/log/proof/closed/ID`. With
    /// --contribution, the proofs in a file are those from before you contributed
    #[arg(long, value_name = "URL|FILE", conflicts_with = "all")]
    log: Option<String>,
    /// The verifier key of the log [default: that which the service names; a file needs it, and so
    /// do the proofs in receipts]
    #[arg(long, value_name = "KEY", conflicts_with = "all")]
    log_key: Option<VerifierKey>,
    /// A match of the service may be unfinished. Without this, a record that has no end is wrong,
    /// because the service tells none before the match has ended
    #[arg(long, conflicts_with = "all")]
    unfinished: bool,
    /// A module that has the rules of matches: a file, or a folder that `croupier export --modules`
    /// wrote; repeatable. Those of an installation are found in its database
    #[arg(long = "module", value_name = "FILE", conflicts_with = "all")]
    modules: Vec<PathBuf>,
    /// Print the outcome as a JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: DatabaseArgs,
}

pub fn run(args: &Args, service: &Service) -> Result<(), Failure> {
    let is_of_receipts = args.what.is_empty() && !args.all;
    if is_of_receipts && args.receipts.len() < 2 {
        let said = "give files or matches to verify, or receipts to compare".to_owned();
        return Err(Failure::Usage(said));
    }
    for path in &args.modules {
        module_file::install(path, args.database.module_compiler())?;
    }
    let contributions = args.contributions.iter().cloned().collect();
    let (receipts, refused) = receipts(args, service)?;
    let commitment = args.commitment.as_ref().map(|it| it.0.clone());
    let known = Known::new(receipts, contributions).with_commitment(commitment);
    let mut log = open_log(args, service, &known)?;
    let (mut tally, mut read_models) = (Tally::default(), None);
    if args.all {
        let (verified, compared) = installation::verify(
            &args.database,
            service,
            args.platform.as_deref(),
            args.state.as_deref(),
            args.rebuild,
            &known,
        )?;
        (tally, read_models) = (verified, Some(compared));
    } else {
        for what in &args.what {
            let log = log.as_mut();
            read(what, args.unfinished, service, &known, log, &mut tally)?;
        }
    }
    let is_of_one = !args.contributions.is_empty() || args.commitment.is_some();
    if is_of_one && tally.matches != 1 {
        let matches = tally.matches;
        return Err(Failure::Usage(format!(
            "--contribution and --commitment are about one match, and here are {matches}"
        )));
    }
    if is_of_receipts {
        tally.compare_receipts(&known);
    } else {
        tally.close(&known);
    }
    tally.list(&refused);
    tally.log = log.map(Log::report);
    if args.json {
        let told = Told { report: Report::from(&tally), read_models: read_models.as_ref() };
        print::line(&serde_json::to_string(&told).expect("a tally has a JSON form"))?;
    } else {
        let mut lines = report::lines(&tally, args.all, is_of_receipts);
        lines.extend(tally.log.iter().flat_map(logged::lines));
        lines.extend(unverified(&known, args));
        lines.extend(read_models.iter().flat_map(ReadModels::lines));
        lines.iter().try_for_each(|line| print::line(line))?;
    }
    report::end(&tally, args.all)?;
    match read_models.is_some_and(|it| it.differ()) {
        true => Err(Failure::Negative("a read model differs from the record".to_owned())),
        false => Ok(()),
    }
}

/// What `--json` prints.
#[derive(Serialize)]
struct Told<'a> {
    #[serde(flatten)]
    report: Report<'a>,
    /// Of a whole installation.
    #[serde(skip_serializing_if = "Option::is_none")]
    read_models: Option<&'a ReadModels>,
}

/// The log that is named, or whose proofs are in receipts.
fn open_log(args: &Args, service: &Service, known: &Known) -> Result<Option<Log>, Failure> {
    let mut log = match (&args.log, &args.log_key) {
        (Some(at), key) => Log::open(at, key.clone(), service)?,
        (None, Some(key)) if !args.receipts.is_empty() => Log::of_receipts(key.clone()),
        (None, Some(_)) => {
            let said = "--log-key is for --log, or for the proofs in receipts".to_owned();
            return Err(Failure::Usage(said));
        }
        (None, None) => return Ok(None),
    };
    log.keep(known);
    Ok(Some(log))
}

/// That receipts have proofs which nothing verifies.
fn unverified(known: &Known, args: &Args) -> Option<String> {
    let has_proofs = known.receipts().any(|it| !it.proofs.is_empty());
    (has_proofs && args.log.is_none() && args.log_key.is_none()).then(|| {
        "The receipts have proofs of a transparency log, which --log-key verifies.".to_owned()
    })
}

/// Verifies the matches of a file, or a match of the service.
fn read(
    what: &str,
    may_be_unfinished: bool,
    service: &Service,
    known: &Known,
    log: Option<&mut Log>,
    tally: &mut Tally,
) -> Result<(), Failure> {
    let path = Path::new(what);
    if what == "-" {
        file(io::stdin(), None, known, log, Source::file(tally, what));
    } else if path.exists() {
        let failed = |source| Failure::Path { path: path.to_owned(), source };
        let input = File::open(path).map_err(failed)?;
        let bytes = input.metadata().map_err(failed)?.len();
        file(input, Some(bytes), known, log, Source::file(tally, what));
    } else if names_match(what) {
        let runtime = threads::runtime().map_err(Failure::Threads)?;
        let (name, record) = runtime.block_on(fetch(what, service))?;
        let answer = Source::answer(tally, &name, may_be_unfinished);
        file(io::Cursor::new(record), None, known, log, answer);
    } else {
        let said = format!("there is no file {what}, and it is not the name of a match");
        return Err(Failure::Usage(said));
    }
    Ok(())
}

/// Whether this may be the name of a match or the start of its id.
fn names_match(what: &str) -> bool {
    let id = what.strip_prefix("matches/").unwrap_or(what);
    !id.is_empty() && id.chars().all(|it| it.is_ascii_hexdigit() || it == '-')
}

/// The name of a match of the service, and its record.
async fn fetch(what: &str, service: &Service) -> Result<(String, Vec<u8>), Failure> {
    let client = Client::connect(service).await?;
    let name = client.find(what).await?;
    let record = client.record(&name).await?;
    Ok((name, record.into_bytes()))
}

/// Verifies a file of records on every processor. An error of the file itself ends it.
fn file(
    input: impl Read + Send,
    bytes: Option<u64>,
    known: &Known,
    mut log: Option<&mut Log>,
    mut tallied: Source<&mut Tally>,
) {
    let is_logged = log.is_some();
    let bar = bar(bytes);
    let source = |queue: &mut Queue<'_, _>| -> Result<(), LineError> {
        let mut blocks = Blocks::new(BufReader::with_capacity(1 << 20, bar.wrap_read(input)))?;
        while let Some(block) = blocks.read()? {
            let bytes = block.bytes.len();
            queue.push(block, bytes);
        }
        Ok(())
    };
    let work = |block: records::Block| {
        let outcome = verify_block(&block, known);
        let is_compared = is_logged && outcome.answer() != Answer::Wrong;
        let loggable = if is_compared { Loggable::of(&block) } else { None };
        ((outcome, loggable), block.bytes.len())
    };
    let read = in_order(source, work, |(mut outcome, loggable): (Outcome, Option<Loggable>)| {
        if let Some((log, loggable)) = log.as_mut().zip(loggable.as_ref()) {
            log.compare(loggable, known, &mut outcome);
        }
        tallied.add(outcome);
    });
    bar.finish_and_clear();
    tallied.end(read);
}

fn bar(bytes: Option<u64>) -> ProgressBar {
    // On standard error, and only if that is a terminal.
    let (bar, style) = match bytes {
        Some(bytes) => (
            ProgressBar::new(bytes),
            "{bar:40} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left",
        ),
        None => (ProgressBar::new_spinner(), "{spinner} {bytes} read, {bytes_per_sec}"),
    };
    bar.with_style(ProgressStyle::with_template(style).expect("the template is valid"))
}

/// The receipts that the service signed, and the reasons why others are refused.
fn receipts(args: &Args, service: &Service) -> Result<(Vec<Receipt>, Vec<Finding>), Failure> {
    let (mut receipts, mut refused) = (Vec::new(), Vec::new());
    if args.receipts.is_empty() {
        return Ok((receipts, refused));
    }
    let (text, source) = match &args.keys {
        Some(path) => (read_text(path)?, path.display().to_string()),
        None => {
            let keys = service.public_keys();
            let text = threads::runtime().map_err(Failure::Threads)?.block_on(keys)?;
            (text, service.address.clone())
        }
    };
    let keys = Keys::parse(&text);
    let keys = keys.map_err(|reason| Failure::Negative(format!("{source}: {reason}")))?;
    for path in &args.receipts {
        let source = path.display().to_string();
        match keys.verify(&read_text(path)?, &source) {
            Ok(receipt) => receipts.push(receipt),
            Err(reason) => {
                refused.push(Finding::of_source(&source, Code::ReceiptInvalid, reason));
            }
        }
    }
    Ok((receipts, refused))
}

fn read_text(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|source| Failure::Path { path: path.to_owned(), source })
}

#[derive(Clone)]
struct Commitment(Vec<u8>);

fn commitment(text: &str) -> Result<Commitment, String> {
    records::commitment(text).map(Commitment)
}

/// A contribution, as SEAT=HEX.
fn contribution(text: &str) -> Result<(u8, Vec<u8>), String> {
    let (seat, bytes) = text.split_once('=').ok_or("write SEAT=HEX")?;
    let seat = seat.parse().map_err(|_| format!("{seat:?} is not the number of a seat"))?;
    Ok((seat, records::unhex(bytes)?))
}
