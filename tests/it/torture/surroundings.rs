//! The surroundings of the matches: endpoints are sent every entry, matches that have ended are
//! archived, and another platform does its worst.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use contract::v1::*;
use sqlx::postgres::PgConnection;
use tokio::process::Command;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::audit;
use super::plan::Fault;
use super::round::Round;
use super::site::Node;
use crate::harness::{Client, PROGRAM, Received, Receiver, new_match};
use crate::webhooks::{Account, subscribe};

/// The endpoints are on this machine, and nobody waits for hours.
pub const ARGUMENTS: [&str; 3] = ["--allow-private-webhooks", "--webhook-wait-scale", "0.002"];

pub struct Surroundings {
    endpoints: Vec<Endpoint>,
    archive: PathBuf,
    /// Matches that were verified in earlier rounds, with their entries: they may be archived now.
    remembered: Mutex<VecDeque<(String, Vec<Entry>)>>,
}

/// An endpoint, and what it was sent.
struct Endpoint {
    id: &'static str,
    account: Arc<Mutex<Account>>,
    _receiver: Receiver,
}

/// Matches that are remembered.
const REMEMBERED: usize = 24;
/// How long after the faults everything must have been sent.
const SENT_WITHIN: Duration = Duration::from_secs(120);
/// The pause between two runs of the archive.
const ARCHIVING: Duration = Duration::from_secs(4);
/// Calls that the other platform has under way.
const CALLS: usize = 128;
/// The longest that it waits for one.
const CALL_MAX: Duration = Duration::from_secs(10);

impl Surroundings {
    pub async fn open(folder: &Path, client: &Client) -> Surroundings {
        let mut endpoints = Vec::new();
        for (id, is_bad) in [("good", false), ("bad", true)] {
            let account = Arc::new(Mutex::new(Account::default()));
            let noted = account.clone();
            let conduct = move |message: &Received| {
                noted.lock().expect("nobody panics holding it").conduct(message, is_bad)
            };
            let receiver = Receiver::forgetting(conduct).await;
            subscribe(client, id, &receiver).await;
            endpoints.push(Endpoint { id, account, _receiver: receiver });
        }
        let remembered = Mutex::default();
        Surroundings { endpoints, archive: folder.join("archive"), remembered }
    }

    pub fn remember(&self, name: String, entries: Vec<Entry>) {
        let mut remembered = self.remembered.lock().expect("nobody panics holding it");
        remembered.push_back((name, entries));
        if remembered.len() > REMEMBERED {
            remembered.pop_front();
        }
    }

    /// Every entry was sent in order, and archived matches are as they were.
    pub async fn look_over(&self, node: &Node, database: &mut PgConnection) -> Vec<String> {
        let mut findings = Vec::new();
        let last = "select 'matches/' || match_id, max(position)
                    from entries
                    join matches using (bucket, match_id)
                    where platform = 'local'
                    group by match_id";
        let last: Vec<(String, i64)> =
            sqlx::query_as(last).fetch_all(database).await.expect("rows");
        for endpoint in &self.endpoints {
            findings.extend(endpoint.look_over(&last).await);
        }
        let remembered = self.remembered.lock().expect("nobody panics holding it").clone();
        for (name, entries) in remembered {
            match audit::entries_of(node, name.clone()).await {
                Ok(now) if now == entries => {}
                Ok(now) => findings.push(format!(
                    "{name} had {} entries, and its {} differ now",
                    entries.len(),
                    now.len()
                )),
                Err(finding) => findings.push(format!("{name}: {finding}")),
            }
        }
        findings
    }
}

impl Endpoint {
    async fn look_over(&self, last: &[(String, i64)]) -> Vec<String> {
        let began = Instant::now();
        loop {
            let (missing, out_of_order) = {
                let account = self.account.lock().expect("nobody panics holding it");
                let is_missing =
                    |it: &&(String, i64)| account.last.get(&it.0).copied().unwrap_or(0) < it.1;
                (last.iter().filter(is_missing).count(), account.out_of_order)
            };
            let id = self.id;
            if out_of_order > 0 {
                return vec![format!("endpoint {id}: {out_of_order} messages out of order")];
            }
            if missing == 0 {
                return Vec::new();
            }
            if began.elapsed() > SENT_WITHIN {
                return vec![format!(
                    "endpoint {id}: {missing} of {} matches not sent",
                    last.len()
                )];
            }
            sleep(Duration::from_millis(100)).await;
        }
    }
}

/// Archives, and lets the other platform do its worst, until the faults end.
pub async fn strike(round: Arc<Round>) {
    let Some(surroundings) = &round.site.surroundings else { return };
    let mut calling = JoinSet::new();
    if round.plan.has(Fault::Neighbour) {
        let key = loop {
            match rival(&round).await {
                Some(key) => break key,
                None if round.calm.is_cancelled() => return,
                None => sleep(Duration::from_millis(100)).await,
            }
        };
        for number in 0..CALLS {
            calling.spawn(misbehave(round.clone(), key.clone(), number));
        }
        round.tally.struck(Fault::Neighbour);
    }
    while !round.calm.is_cancelled() {
        round.pause(ARCHIVING).await;
        let to = format!("file://{}", surroundings.archive.display());
        let mut command = Command::new(PROGRAM);
        command.args(["archive", "--older-than", "1s", "--to", &to, "--database-url"]);
        command.arg(round.site.postgres.url());
        // It fails while the database is down, and takes up where it was.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
        match timeout(CALL_MAX, command.status()).await {
            Ok(Ok(status)) if status.success() => round.tally.count("runs of the archive"),
            _ => round.tally.count("runs of the archive that failed"),
        }
    }
    calling.join_all().await;
}

/// A key of another platform.
async fn rival(round: &Round) -> Option<String> {
    let name = format!("rival-{}", round.number);
    let mut options = database::Options::new(round.site.postgres.options());
    options.query_connections = 3;
    let database = database::Database::connect(options).await.ok()?;
    let accounts = accounts::Accounts::new(&database);
    let (key, now) = (api::ApiKey::new(&name).expect("randomness"), crate::harness::now());
    let create = async {
        let _ = accounts.create_platform(&name, now).await;
        accounts.create_platform_key(&name, &key.key_id, key.hash().as_bytes(), now).await.ok()
    };
    let created = create.await;
    database.close().await;
    created.map(|_| key.to_string())
}

/// Asks for what is costly, over and over.
async fn misbehave(round: Arc<Round>, key: String, number: usize) {
    let mut dice = round.dice(&format!("rival {number}"));
    let mut own = None;
    while !round.calm.is_cancelled() {
        let client = round.site.any(&mut dice).client.holding(&key);
        let Some(name) = own.clone() else {
            let request = CreateMatchRequest {
                game: "games/rigs".to_owned(),
                request_id: format!("rival-{number}"),
                ..new_match(4)
            };
            let created = timeout(CALL_MAX, client.ask(&request)).await;
            own = created.ok().and_then(Result::ok).and_then(|it| it.r#match).map(|it| it.name);
            sleep(dice.within(Duration::from_millis(100))).await;
            continue;
        };
        let view = GetViewRequest { name, language: "en".to_owned(), ..Default::default() };
        let search = SearchEntriesRequest {
            parent: "games/rigs".to_owned(),
            page_size: 1000,
            ..Default::default()
        };
        let answer = match dice.one_in(4) {
            true => timeout(CALL_MAX, client.ask(&search)).await.map(|it| it.map(drop)),
            false => timeout(CALL_MAX, client.ask(&view)).await.map(|it| it.map(drop)),
        };
        match answer {
            Ok(Ok(())) => round.tally.operation("answers to the other platform"),
            Ok(Err(_)) => round.tally.count("refusals of the other platform"),
            Err(_) => round.tally.count("calls that the other platform gave up"),
        }
        if !matches!(answer, Ok(Ok(()))) {
            sleep(dice.within(Duration::from_millis(50))).await;
        }
    }
}
