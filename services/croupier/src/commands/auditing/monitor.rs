//! `croupier monitor`: follows the transparency log of a service from outside.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tlog::{Edge, NoteError, Signed, VerifierKey};

use super::clock::now;
use super::following::{Aborts, Expected, Found, PlatformAborts, State, What};
use super::remote::Remote;
use crate::client::Service;
use crate::commands::duration;
use crate::failure::Failure;
use crate::print;

/// The platforms that are told line by line, without `--json`.
const PLATFORMS_MAX: usize = 20;

/// Follow the transparency log of a service from outside
///
/// Each look verifies that the log is signed, that it continues what an earlier look saw, that all
/// its leaves are those of its tree, that their times fit those of the checkpoints, and that
/// matches that were opened are closed. There are three answers, each with an exit status:
/// everything holds (0), the service contradicts itself (1), or something is not as it should be
/// without a contradiction, such as a late leaf (3). Contradictory checkpoints are kept: they prove
/// it to anyone.
#[derive(clap::Args)]
pub struct Args {
    /// Where the log is, such as https://play.example/log
    #[arg(value_name = "URL")]
    url: String,
    /// What an earlier look saw is in this file; the first look makes it
    #[arg(long, value_name = "FILE", default_value = "croupier-log.json")]
    state: PathBuf,
    /// The verifier key of the log [default: that of the state, or that which the service names at
    /// the first look]
    #[arg(long, value_name = "KEY")]
    log_key: Option<VerifierKey>,
    /// The verifier key of a witness that cosigns the log; repeatable
    #[arg(long = "witness", value_name = "KEY")]
    witnesses: Vec<VerifierKey>,
    /// How many of the witnesses must have cosigned the newest checkpoint [default: all]
    #[arg(long, value_name = "N", requires = "witnesses")]
    witnesses_needed: Option<usize>,
    /// Read all leaves again, also those of earlier looks
    #[arg(long)]
    from_start: bool,
    /// Look again and again, with this wait in between, until something is wrong
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    every: Option<Duration>,
    /// How long a leaf may be late
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, default_value = "5m")]
    late: Duration,
    /// How long a match may be under way
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, default_value = "30d")]
    under_way: Duration,
    /// How old the newest checkpoint may be
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, default_value = "5m")]
    stale: Duration,
    /// Print each look as a line of JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    fn expected(&self) -> Expected {
        Expected {
            late_s: seconds(self.late),
            under_way_s: seconds(self.under_way),
            stale_s: seconds(self.stale),
        }
    }
}

/// What a look shows.
#[derive(Default, Serialize)]
struct Look {
    answer: &'static str,
    origin: String,
    /// The logs that it follows and of which an earlier look saw the first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    follows: Vec<String>,
    /// The number of leaves.
    size: u64,
    /// Those that the look before did not see.
    new: u64,
    opened: u64,
    closed: u64,
    under_way: usize,
    /// Matches that came to no result, over the whole log.
    aborts: Aborts,
    /// The same by platform, the one with the most matches first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    platforms: Vec<PlatformAborts>,
    /// Leaves that were late, or dated back, by more than `--late`, over all looks.
    late: u64,
    /// When the newest checkpoint was signed.
    #[serde(skip_serializing_if = "Option::is_none")]
    checkpoint_time: Option<String>,
    findings: Vec<Found>,
    /// Signed checkpoints that contradict each other.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    evidence: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence_file: Option<PathBuf>,
}

pub async fn run(args: Args, service: &Service) -> Result<(), Failure> {
    loop {
        let look = match look(&args, service).await {
            Err(Failure::NotProven(reason)) => Look::of_nothing(reason),
            looked => looked?,
        };
        if args.json {
            print::line(&serde_json::to_string(&look).expect("a look has a JSON form"))?;
        } else {
            lines(&look).iter().try_for_each(|line| print::line(line))?;
        }
        if look.findings.iter().any(|it| it.code.is_wrong()) {
            return Err(Failure::Negative("the log contradicts itself".to_owned()));
        }
        match args.every {
            Some(wait) => tokio::time::sleep(wait).await,
            None if look.findings.is_empty() => return Ok(()),
            None => {
                let said = "not everything is as it should be".to_owned();
                return Err(Failure::NotProven(said));
            }
        }
    }
}

impl Look {
    /// The look at a log that is away, of which nothing is said.
    fn of_nothing(reason: String) -> Look {
        let findings = vec![What::Unreadable.because(reason)];
        Look { answer: "NOT_PROVEN", findings, ..Look::default() }
    }
}

async fn look(args: &Args, service: &Service) -> Result<Look, Failure> {
    let before = read_state(&args.state)?;
    let kept = before.as_ref().map(|it| it.key.parse::<VerifierKey>()).transpose();
    let kept = kept.map_err(|it| Failure::Negative(format!("{}: {it}", args.state.display())))?;
    let given = args.log_key.clone();
    let remote = Remote::reach(service, &args.url, kept.clone().or_else(|| given.clone())).await?;
    if let Some((given, kept)) = given.as_ref().zip(kept.as_ref())
        && given != kept
        && !Remote::reach(service, &args.url, Some(given.clone())).await?.leads_to(kept)
    {
        let said = format!("{} is the state of another log", args.state.display());
        return Err(Failure::Usage(said));
    }
    let state = before.unwrap_or_else(|| State::of(remote.key.to_string()));
    let key = kept.as_ref().unwrap_or(&remote.key);
    let mut last = match state.note.is_empty() {
        true => None,
        false => Some(Signed::verify(&state.note, key).map_err(|it| {
            Failure::Negative(format!("{}: its checkpoint: {it}", args.state.display()))
        })?),
    };
    let mut seen = Seen { state, size: last.as_ref().map_or(0, size), ..Seen::default() };
    let follows = remote.followed.iter().map(|(it, _)| it.last.origin.clone()).collect();
    if let Some((end, statement)) = remote.followed.first() {
        let ended = State::compare_end(last.as_ref(), &end.last);
        seen = Seen { state: State::of(remote.key.to_string()), found: ended, ..Seen::default() };
        seen.evidence.extend(last.take().map(|it| it.note.to_string()));
        seen.evidence.push(statement.clone());
    }
    if seen.found.iter().any(|it| it.code.is_wrong()) {
        // Nothing else is read of a service that contradicts itself.
    } else if let Err(reason) = seen.read(&remote, last.as_ref(), args).await {
        seen.found.push(What::Unreadable.because(reason));
    }
    let is_wrong = seen.found.iter().any(|it| it.code.is_wrong());
    if !is_wrong && seen.newest.is_some() {
        write_state(&args.state, &seen.state)?;
    }
    let evidence_file = match is_wrong && !seen.evidence.is_empty() {
        true => Some(write_evidence(&args.state, &seen.evidence)?),
        false => None,
    };
    let Seen { state, size, newest, new, found, evidence } = seen;
    Ok(Look {
        answer: match () {
            () if is_wrong => "WRONG",
            () if !found.is_empty() => "NOT_PROVEN",
            () => "PROVEN",
        },
        origin: remote.key.name().to_owned(),
        follows,
        size,
        new,
        opened: state.opened,
        closed: state.closed,
        under_way: state.under_way(),
        aborts: state.aborts(now(), &args.expected()),
        platforms: state.aborts_by_platform(now(), &args.expected()),
        late: state.late,
        checkpoint_time: newest.or(last).and_then(|it| it.time).map(rfc3339),
        findings: found,
        evidence: if is_wrong { evidence } else { Vec::new() },
        evidence_file,
    })
}

/// What was seen so far.
#[derive(Default)]
struct Seen {
    /// As it is after this look, if nothing is wrong.
    state: State,
    size: u64,
    newest: Option<Signed>,
    new: u64,
    found: Vec<Found>,
    evidence: Vec<String>,
}

impl Seen {
    /// Fails if the log cannot be read.
    async fn read(
        &mut self,
        remote: &Remote,
        last: Option<&Signed>,
        args: &Args,
    ) -> Result<(), String> {
        let expected = args.expected();
        let newest = match remote.checkpoint().await? {
            Ok(newest) => newest,
            Err((note, error)) => {
                let is_signed = !matches!(error, NoteError::NotANote);
                if !is_signed {
                    return Err(error.to_string());
                }
                self.found.push(What::SignatureWrong.because(error.to_string()));
                self.evidence.push(note);
                return Ok(());
            }
        };
        self.evidence.extend(last.map(|it| it.note.to_string()));
        self.evidence.push(newest.note.to_string());
        let differing_from_last = State::compare(last, &newest);
        let is_other = !differing_from_last.is_empty();
        self.found.extend(differing_from_last);
        if is_other {
            return Ok(());
        }
        let (from, to) = (last.map_or(0, size), size(&newest));
        if args.from_start && from > 0 {
            let leaves = remote.leaves(0, from).await?;
            let mut edge = Edge::default();
            leaves.iter().for_each(|leaf| edge.push(tlog::leaf_hash(leaf)));
            if last.is_some_and(|it| it.checkpoint.root != edge.root()) {
                self.found.push(differing(remote, &leaves, &newest).await?);
                return Ok(());
            }
        }
        let leaves = remote.leaves(from, to).await?;
        match self.state.append(last, &newest, &leaves, &expected) {
            Some((state, found)) => {
                self.found.extend(found);
                self.found.extend(unwitnessed(&newest, args));
                self.found.extend(state.overdue(&newest, now(), &expected));
                (self.state, self.size, self.new) = (state, to, to - from);
                self.newest = Some(newest);
            }
            None => {
                let found = match last {
                    Some(last) => parted(remote, last, &newest).await?,
                    None => differing(remote, &leaves, &newest).await?,
                };
                self.found.push(found);
            }
        }
        Ok(())
    }
}

/// That too few of the witnesses cosigned a checkpoint.
fn unwitnessed(newest: &Signed, args: &Args) -> Option<Found> {
    let has = |key: &&VerifierKey| newest.note.cosignature(key).is_ok_and(|it| it.is_some());
    let (found, needed) = (
        args.witnesses.iter().filter(has).count(),
        args.witnesses_needed.unwrap_or(args.witnesses.len()),
    );
    let reason = || format!("{found} of {needed} witnesses cosigned the newest checkpoint");
    (found < needed).then(|| What::Unwitnessed.because(reason()))
}

/// Why leaves do not lead from one checkpoint to the next: it is of another history, or they are
/// not those that were signed.
async fn parted(remote: &Remote, last: &Signed, newest: &Signed) -> Result<Found, String> {
    let (from, to) = (size(last), size(newest));
    let parts = tlog::consistency(from, to).expect("it was compared");
    let proof = remote.hashes(to, &parts).await?;
    let (old, new) = ((from, &last.checkpoint.root), (to, &newest.checkpoint.root));
    Ok(match tlog::verify_consistency(old, new, &proof) {
        true => What::LeavesDiffer.because(format!("leaves from {from} on are not those signed")),
        false => What::HistoryChanged.because(format!(
            "the checkpoint of {to} leaves does not continue that of {from}: it is of another history"
        )),
    })
}

/// Which of the first leaves is not the one that was signed, or that the tiles are not either.
async fn differing(remote: &Remote, leaves: &[Vec<u8>], newest: &Signed) -> Result<Found, String> {
    let hashes = remote.leaf_hashes(size(newest)).await?;
    let mut edge = Edge::default();
    hashes.iter().for_each(|hash| edge.push(*hash));
    if edge.root() != newest.checkpoint.root {
        let reason = "the tiles are not those of the checkpoint";
        return Ok(What::LeavesDiffer.because(reason));
    }
    let index = leaves.iter().zip(&hashes).position(|(leaf, hash)| tlog::leaf_hash(leaf) != *hash);
    let reason = match index {
        Some(index) => format!("the leaf at {index} is not the one that was signed"),
        None => "the leaves are not those that were seen".to_owned(),
    };
    Ok(Found { index: index.map(|it| it as u64), ..What::LeavesDiffer.because(reason) })
}

fn parse_duration(text: &str) -> Result<Duration, String> {
    let seconds = duration::seconds(text);
    seconds.map(Duration::from_secs).ok_or_else(|| "not a duration such as 5m".to_owned())
}

fn size(signed: &Signed) -> u64 {
    signed.checkpoint.size
}

fn seconds(duration: Duration) -> i64 {
    duration.as_secs().try_into().unwrap_or(i64::MAX / 4_000_000)
}

fn lines(look: &Look) -> Vec<String> {
    let Look { origin, size, new, opened, closed, under_way, aborts, late, .. } = look;
    let mut lines: Vec<String> = Vec::new();
    for before in &look.follows {
        lines.push(format!("The log {before} has ended, and its key says which one follows."));
    }
    for it in &look.findings {
        let kind = if it.code.is_wrong() { "WRONG" } else { "not as it should be" };
        let at = it.index.map(|index| format!("leaf {index}: ")).unwrap_or_default();
        let code = serde_json::to_value(it.code).expect("a code has a JSON form");
        let code = code.as_str().unwrap_or_default().to_owned();
        lines.push(format!("{kind}: {at}{} [{code}]", it.reason));
    }
    if let Some(path) = &look.evidence_file {
        lines.push(format!("The signed checkpoints are in {}.", path.display()));
    }
    if origin.is_empty() {
        return lines;
    }
    let time = look.checkpoint_time.as_ref().map(|it| format!(", checkpoint of {it}"));
    lines.push(format!(
        "{origin}: {size} leaves, {new} of them new; {opened} matches opened, {closed} closed, \
         {under_way} under way{}.",
        time.unwrap_or_default()
    ));
    lines.push(format!("{} {late} leaves were late.", without_result(aborts)));
    for it in look.platforms.iter().take(PLATFORMS_MAX) {
        lines.push(format!("Platform {}: {}", it.platform, without_result(&it.aborts)));
    }
    if let Some(more) = look.platforms.len().checked_sub(PLATFORMS_MAX).filter(|it| *it > 0) {
        lines.push(format!("{more} more platforms, which --json tells."));
    }
    lines
}

fn without_result(Aborts { unclosed, not_won, deleted, of, rate }: &Aborts) -> String {
    format!(
        "No result in {:.1} % of {of} matches: {unclosed} not closed in time, {not_won} closed \
         without a winner, {deleted} deleted before the deal.",
        rate * 100.0
    )
}

fn read_state(path: &Path) -> Result<Option<State>, Failure> {
    match fs::read_to_string(path) {
        Ok(text) => serde_json::from_str(&text).map(Some).map_err(|error| {
            Failure::Negative(format!("{} is not a state: {error}", path.display()))
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(Failure::Path { path: path.to_owned(), source }),
    }
}

/// Replaces the state as a whole.
fn write_state(path: &Path, state: &State) -> Result<(), Failure> {
    let failed = |source| Failure::Path { path: path.to_owned(), source };
    let text = serde_json::to_string(state).expect("a state has a JSON form");
    let new = path.with_extension("new");
    fs::write(&new, text).map_err(failed)?;
    fs::rename(&new, path).map_err(failed)
}

/// Keeps the checkpoints beside the state.
fn write_evidence(state: &Path, evidence: &[String]) -> Result<PathBuf, Failure> {
    let path = state.with_extension("evidence");
    let failed = |source| Failure::Path { path: path.clone(), source };
    fs::write(&path, evidence.join("\n")).map_err(failed)?;
    Ok(path)
}

fn rfc3339(time: u64) -> String {
    let time = OffsetDateTime::from_unix_timestamp(time.try_into().unwrap_or_default());
    time.ok().and_then(|it| it.format(&Rfc3339).ok()).unwrap_or_default()
}
