//! A Prometheus that scrapes services and evaluates the rules.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::Request;
use http_body_util::Full;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use super::rules::{RULES, hastened};
use crate::harness::*;

/// How often services are scraped. They must answer within this time.
pub const EVERY: Duration = Duration::from_millis(500);
/// The same while the database is away: an answer then takes two seconds.
pub const PATIENTLY: Duration = Duration::from_secs(3);

/// How often the state of the alerts is noted.
const NOTE_INTERVAL: Duration = Duration::from_millis(100);

/// How long Prometheus may take to scrape what it is told to: it waits for some seconds itself.
const TARGET_WAIT: Duration = Duration::from_secs(30);

/// The alerts that fire, from each moment on at which others did.
type Changes = Arc<Mutex<Vec<(Instant, BTreeSet<String>)>>>;

pub struct Prometheus {
    client: Client,
    folder: PathBuf,
    /// The ports of metrics, by instance.
    targets: BTreeMap<&'static str, u16>,
    changes: Changes,
    noting: JoinHandle<()>,
    _child: Child,
}

impl Prometheus {
    /// Its program; `None` where it is not installed.
    pub fn program() -> Option<PathBuf> {
        let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tools");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::env::split_paths(&path).chain([installed]);
        folders.map(|it| it.join("prometheus")).find(|it| it.is_file())
    }

    /// Starts it in a folder of its own.
    pub async fn start(parent: &Path, every: Duration) -> Prometheus {
        let folder = parent.join("prometheus");
        fs::create_dir(&folder).expect("a folder");
        fs::write(folder.join("alerts.yml"), hastened(RULES)).expect("a file");
        fs::write(folder.join("prometheus.yml"), configuration(every)).expect("a file");
        fs::write(folder.join("targets.json"), "[]").expect("a file");
        let program = Prometheus::program().expect("it is installed");
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "KILL", "--"]).arg(program).current_dir(&folder);
        command.args(["--config.file=prometheus.yml", "--storage.tsdb.path=data"]);
        command.arg("--web.listen-address=127.0.0.1:0");
        command.stdin(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().expect("the program runs");
        let mut lines = BufReader::new(child.stderr.take().expect("it is piped")).lines();
        let port = until("it says where", async || {
            let line = lines.next_line().await.expect("its log can be read").expect("it goes on");
            let (_, address) = line.split_once("\"Listening on\" address=")?;
            address.trim().rsplit(':').next()?.parse::<u16>().ok()
        })
        .await;
        // Its further log output is not needed, but the pipe must stay open.
        tokio::spawn(async move { while lines.next_line().await.is_ok_and(|it| it.is_some()) {} });
        let client = Client::new(&Port::new(port.into()), Protocol::Rest, "").anonymous();
        until("it serves", async || ask(&client, "alerts").await).await;
        let changes = Changes::default();
        let noting = tokio::spawn(note(client.clone(), changes.clone()));
        Prometheus { client, folder, targets: BTreeMap::new(), changes, noting, _child: child }
    }

    /// Scrapes a service, and returns when it does. After a restart, it must be told again.
    pub async fn scrape(&mut self, instance: &'static str, service: &mut Service) {
        let port = service.metrics().await.port();
        self.targets.insert(instance, port);
        let target = |(instance, port): (&&str, &u16)| json!({"targets": [address(*port)], "labels": {"instance": instance}});
        let targets = Value::Array(self.targets.iter().map(target).collect());
        let new = self.folder.join("targets.new");
        fs::write(&new, targets.to_string()).expect("a file");
        fs::rename(new, self.folder.join("targets.json")).expect("it is replaced whole");
        let scraped = async {
            while !self.is_scraped(port).await {
                sleep(NOTE_INTERVAL).await;
            }
        };
        timeout(TARGET_WAIT, scraped).await.unwrap_or_else(|_| panic!("{instance}: not in time"));
    }

    async fn is_scraped(&self, port: u16) -> bool {
        let answer = ask(&self.client, "targets").await.unwrap_or_default();
        let targets = answer["activeTargets"].as_array().into_iter().flatten();
        let url = format!("http://{}/metrics", address(port));
        targets.into_iter().any(|it| it["scrapeUrl"] == url && it["health"] == "up")
    }

    /// The alerts that have fired so far.
    pub fn fired(&self) -> BTreeSet<String> {
        let changes = self.changes.lock().expect("no panic");
        changes.iter().flat_map(|(_, firing)| firing.clone()).collect()
    }

    /// Whether an alert fires now.
    pub fn is_firing(&self, alert: &str) -> bool {
        let changes = self.changes.lock().expect("no panic");
        changes.last().is_some_and(|(_, firing)| firing.contains(alert))
    }

    /// When an alert fired that did not fire at this time.
    pub fn fired_since(&self, time: Instant, alert: &str) -> Option<Instant> {
        let changes = self.changes.lock().expect("no panic");
        let mut later = changes.iter().filter(|(at, _)| *at >= time);
        later.find(|(_, firing)| firing.contains(alert)).map(|(at, _)| *at)
    }
}

impl Drop for Prometheus {
    fn drop(&mut self) {
        self.noting.abort();
    }
}

fn configuration(every: Duration) -> String {
    let every = every.as_millis();
    format!(
        "global: {{scrape_interval: {every}ms, scrape_timeout: {every}ms, evaluation_interval: 250ms}}
rule_files: [alerts.yml]
scrape_configs:
  - job_name: croupier
    file_sd_configs: [{{files: [targets.json], refresh_interval: 1s}}]
"
    )
}

fn address(port: u16) -> String {
    format!("127.0.0.1:{port}")
}

/// What its API answers.
async fn ask(client: &Client, what: &str) -> Option<Value> {
    let request: Request<Full<Bytes>> =
        Request::get(format!("/api/v1/{what}")).body(Full::default()).expect("a request");
    let response = client.send(request).await.ok().filter(|it| it.status == 200)?;
    let mut answer: Value = serde_json::from_slice(&response.body).expect("JSON");
    Some(answer["data"].take())
}

/// Notes which alerts fire.
async fn note(client: Client, changes: Changes) {
    loop {
        if let Some(answer) = ask(&client, "alerts").await {
            let alerts = answer["alerts"].as_array().expect("alerts").iter();
            let firing = alerts.filter(|it| it["state"] == "firing");
            let name = |it: &Value| it["labels"]["alertname"].as_str().expect("a name").to_owned();
            let firing: BTreeSet<String> = firing.map(name).collect();
            let mut changes = changes.lock().expect("no panic");
            if changes.last().map(|it| &it.1) != Some(&firing) {
                changes.push((Instant::now(), firing));
            }
        }
        sleep(NOTE_INTERVAL).await;
    }
}
