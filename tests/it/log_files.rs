//! The transparency log as files: what `croupier transparency publish` writes, anyone can serve.

use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::archiving::{CREDENTIALS, S3};
use crate::files::{done, run};
use crate::harness::*;
use crate::transparency::{DROP_LAST, ORIGIN, begin, file, grown, operate, page, seen, set, text};

/// A server of the files in a folder, and nothing else.
struct Static {
    _server: Child,
    address: String,
}

impl Static {
    async fn start(folder: &Path) -> Static {
        let mut server = Command::new("setpriv");
        server.args(["--pdeathsig", "KILL", "--", "python3", "-u", "-m", "http.server", "0"]);
        server.args(["--bind", "127.0.0.1", "--directory"]).arg(folder);
        server.stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
        let mut server = server.spawn().expect("it runs");
        let mut lines = BufReader::new(server.stdout.take().expect("its output")).lines();
        let line = timeout(PATIENCE, lines.next_line()).await.expect("it starts");
        let line = line.expect("text").expect("a line");
        let address = line.split(['(', ')']).nth(1).expect("an address").to_owned();
        Static { _server: server, address: address.trim_end_matches('/').to_owned() }
    }
}

/// What `publish` says, or why it refused.
async fn publish(installation: &Installation, to: &str, s3: &S3) -> Result<Value, String> {
    let mut command = Command::new(PROGRAM);
    command.args(["transparency", "publish", "--to", to, "--json"]);
    command.args(["--database-url", &installation.postgres().url()]);
    command.envs(CREDENTIALS).env("AWS_ENDPOINT_URL", &s3.endpoint);
    let output = command.output().await.expect("it runs");
    match output.status.success() {
        true => Ok(serde_json::from_slice(&output.stdout).expect("it is JSON")),
        false => Err(String::from_utf8(output.stderr).expect("text")),
    }
}

#[tokio::test]
async fn a_monitor_follows_a_log_by_its_files_alone() {
    let mut installation = Installation::open().await;
    begin(&installation).await;
    let (client, s3) = (installation.client(Protocol::Rest), S3::start().await);
    let folder = file(&installation, "files");
    std::fs::create_dir(&folder).expect("it is created");
    let served = Static::start(&folder).await;
    let places = [format!("file://{}/log", folder.display()), "s3://cold/log".to_owned()];
    let published = async |installation: &Installation, size: u64, new: u64| {
        for place in &places {
            let said = publish(installation, place, &s3).await;
            assert_eq!(said, Ok(json!({ "origin": ORIGIN, "size": size, "new": new })), "{place}");
        }
    };
    let url = format!("{}/log", served.address);
    let state = file(&installation, "files.json");
    let look = ["monitor", &url, "--json", "--state", state.to_str().expect("a plain path")];
    let seen = async || {
        let output = run(&look).await;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let json = serde_json::from_slice(&output.stdout);
        let seen: Value = json.unwrap_or_else(|_| panic!("the monitor said: {said}"));
        (output.status.code(), seen["size"].as_u64(), seen["new"].as_u64())
    };

    for _ in 0..3 {
        create(&client, &new_match(2)).await;
    }
    grown(&client, 3).await;
    published(&installation, 3, 3).await;
    assert_eq!(seen().await, (Some(0), Some(3), Some(3)));
    let partial = folder.join("log/tile/entries/000.p/3");
    assert!(partial.exists());

    // Full tiles replace those that were partial.
    let open = new_match(2);
    futures::future::join_all((0..254).map(|_| create(&client, &open))).await;
    grown(&client, 257).await;
    published(&installation, 257, 254).await;
    published(&installation, 257, 0).await;
    assert!(!partial.exists());
    installation.service.kill().await;
    assert_eq!(seen().await, (Some(0), Some(257), Some(254)), "without the service");
}

#[tokio::test]
async fn a_log_that_does_not_continue_its_files_leaves_them_as_they_are() {
    let (installation, client) = seen().await;
    let folder = file(&installation, "published");
    let to = format!("file://{}", folder.display());
    operate(&installation, &["publish", "--to", &to]).await;
    let checkpoint = || std::fs::read_to_string(folder.join("checkpoint")).expect("it is there");
    let before = checkpoint();
    assert_eq!(before.lines().nth(1), Some("3"));
    let bundle = std::fs::read(folder.join("tile/entries/000.p/3")).expect("it is there");
    let served = page(&client, "/log/tile/entries/000.p/3").await;
    assert_eq!(Some(bundle), served);
    assert_eq!(
        std::fs::read_to_string(folder.join("key")).ok(),
        Some(text(&client, "/log/key").await)
    );

    let mut database = installation.database().await;
    set(&mut database, DROP_LAST).await;
    until("a checkpoint of fewer leaves", async || {
        let note = text(&client, "/log/checkpoint").await;
        (note.lines().nth(1) != Some("3")).then_some(())
    })
    .await;
    let url = installation.postgres().url();
    let publish = ["transparency", "publish", "--to", &to, "--database-url", &url];
    let output = run(&publish).await;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("does not continue the 3 leaves"), "{said}");
    assert_eq!((output.status.code(), checkpoint()), (Some(1), before));

    // Nor does another log write over this one.
    done(&["transparency", "end", "--database-url", &url]).await;
    done(&["transparency", "begin", "play.example/log-2", "--database-url", &url]).await;
    let said = until("a checkpoint of the other log", async || {
        let output = run(&publish).await;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        (!said.contains("not continue") && !said.contains("no checkpoint")).then_some(said)
    })
    .await;
    assert!(said.contains("has another log, play.example/log"), "{said}");
}
