//! `croupier verify --all`: the whole record of an installation, with the rules of this release.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use positions::{BUCKETS, Bucket};
use records::{Code, Known, Outcome, Problem, Tally, verify_rows};
use rows::MatchId;
use serde::{Deserialize, Serialize};
use store::{Scanned, Store};
use tokio::runtime::Runtime;
use uuid::Uuid;

use super::parallel::{Queue, in_order};
use super::read_models::{self, ReadModels};
use crate::client::Service;
use crate::failure::Failure;
use crate::process::installation::Installation;
use crate::process::opening::DatabaseArgs;
use crate::process::threads;

/// The progress, and the results so far.
#[derive(Serialize, Deserialize)]
struct State {
    of: Subject,
    /// The last match that was verified; all before it in the order of buckets were verified too.
    last: Option<Uuid>,
    tally: Tally,
}

/// The subject of verification, and the rules. A state of another subject cannot be continued.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Subject {
    installation: Uuid,
    platform: Option<String>,
    release: String,
    rules: BTreeMap<String, u32>,
}

/// The interval at which the state is saved.
const SAVE_EVERY: Duration = Duration::from_secs(1);

/// Verifies every match, or those of one platform. Of all platforms, also compares the read models,
/// and may rebuild them. With a file for its state, it continues from there.
pub fn verify(
    database: &DatabaseArgs,
    service: &Service,
    platform: Option<&str>,
    state: Option<&Path>,
    rebuild: bool,
    known: &Known,
) -> Result<(Tally, ReadModels), Failure> {
    let runtime = threads::runtime().map_err(Failure::Threads)?;
    let open = runtime.block_on(database.open_as_it_is(&service.data))?;
    let verified = verify_all(platform, state, &runtime, &open.installation, known);
    let verified = verified.and_then(|tally| {
        let read_models = match platform {
            Some(_) => Ok(ReadModels::not_compared("they are of all platforms")),
            None => runtime.block_on(read_models::compare(&open.installation, rebuild)),
        };
        Ok((tally, read_models?))
    });
    runtime.block_on(open.close());
    verified
}

fn verify_all(
    platform: Option<&str>,
    state: Option<&Path>,
    runtime: &Runtime,
    installation: &Installation,
    known: &Known,
) -> Result<Tally, Failure> {
    runtime.block_on(check_platform(installation, platform))?;
    let of = Subject {
        installation: runtime.block_on(installation.database().installation())?,
        platform: platform.map(str::to_owned),
        release: api::VERSION.to_owned(),
        rules: games::GAMES.iter().map(|it| (it.name().to_owned(), it.rules_version())).collect(),
    };
    let file = state.map(StateFile::new);
    let mut state = match &file {
        Some(file) => file.load(of)?,
        None => State { of, last: None, tally: Tally::default() },
    };
    let (bar, last) = (bar(), state.last.map(MatchId));
    let source = |queue: &mut Queue<'_, Scanned>| {
        let push = |it: Scanned| {
            let bytes = bytes_of(&it);
            queue.push(it, bytes)
        };
        runtime.block_on(scan(&installation.store, platform, last, &bar, push))
    };
    let work = |it: Scanned| {
        let mut outcome = verify_rows(&it.row, it.seed, &it.entries, known);
        if let Some(damaged) = &it.damaged {
            let reason = damaged.to_string();
            outcome.add(None, None, Problem { code: Code::ContentMissing, reason });
        }
        ((it.row.match_id, outcome), bytes_of(&it))
    };
    let (mut saved, mut failed) = (Instant::now(), None);
    let sink = |(match_id, outcome): (MatchId, Outcome)| {
        state.tally.add(&outcome);
        state.last = Some(match_id.0);
        if let Some(file) = &file
            && saved.elapsed() > SAVE_EVERY
        {
            failed = file.save(&state).err();
            saved = Instant::now();
        }
    };
    let read = in_order(source, work, sink);
    bar.finish_and_clear();
    if let Some(failed) = failed {
        return Err(failed);
    }
    if let Some(file) = &file {
        match &read {
            Ok(()) => file.remove()?,
            Err(_) => file.save(&state)?,
        }
    }
    read.map(|()| state.tally)
}

/// The size of a match, as far as it varies.
fn bytes_of(it: &Scanned) -> usize {
    it.entries.iter().map(|entry| entry.body.len()).sum()
}

async fn check_platform(
    installation: &Installation,
    platform: Option<&str>,
) -> Result<(), Failure> {
    let Some(platform) = platform else { return Ok(()) };
    if installation.accounts.platforms().await?.iter().any(|it| it == platform) {
        return Ok(());
    }
    Err(transfer::Error::UnknownPlatform(platform.to_owned()).into())
}

/// Reads every match after the last one, in the order of buckets.
async fn scan(
    store: &Store,
    platform: Option<&str>,
    last: Option<MatchId>,
    bar: &ProgressBar,
    mut each: impl FnMut(Scanned) -> bool,
) -> Result<(), Failure> {
    let mut scan = store.scan().await?;
    let first = last.map_or(0, |last| Bucket::of(last).index());
    let mut after = last;
    for bucket in Bucket::all().skip(first) {
        bar.set_position(bucket.index() as u64);
        loop {
            let page = scan.page(bucket, after, platform).await?;
            let Some(last) = page.last() else { break };
            after = Some(last.row.match_id);
            for it in page {
                each(it);
            }
        }
        after = None;
    }
    Ok(())
}

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} bucket {pos} of {len}, {eta} left");
    // On standard error, and only if that is a terminal.
    ProgressBar::new(BUCKETS as u64).with_style(style.expect("the template is valid"))
}

/// The file of the state.
struct StateFile<'a>(&'a Path);

impl StateFile<'_> {
    fn new(path: &Path) -> StateFile<'_> {
        StateFile(path)
    }

    /// The state to continue, or a new one.
    fn load(&self, of: Subject) -> Result<State, Failure> {
        let text = match fs::read_to_string(self.0) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok(State { of, last: None, tally: Tally::default() });
            }
            Err(error) => return Err(self.failed(error)),
        };
        let path = self.0.display();
        let state: State = serde_json::from_str(&text)
            .map_err(|_| Failure::Usage(format!("{path} is not a state of this command")))?;
        if state.of != of {
            return Err(Failure::Usage(format!(
                "{path} is of another release, installation or platform: remove it to begin anew"
            )));
        }
        Ok(state)
    }

    /// Replaces the file atomically, so that it is valid whenever the program is killed.
    fn save(&self, state: &State) -> Result<(), Failure> {
        let mut new: PathBuf = self.0.to_owned();
        new.as_mut_os_string().push(".new");
        let text = serde_json::to_vec(state).expect("a state has a JSON form");
        fs::write(&new, text).and_then(|()| fs::rename(&new, self.0)).map_err(|it| self.failed(it))
    }

    fn remove(&self) -> Result<(), Failure> {
        match fs::remove_file(self.0) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(self.failed(error)),
            _ => Ok(()),
        }
    }

    fn failed(&self, source: io::Error) -> Failure {
        Failure::Path { path: self.0.to_owned(), source }
    }
}
