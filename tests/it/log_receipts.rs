//! Receipts with proofs of the transparency log: what players keep, and what contradicts it.

use std::path::Path;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use contract::v1::*;
use croupier_client::keeping::{Complaint, Keeper};
use croupier_client::{Croupier, Options};
use ring::signature::Ed25519KeyPair;
use serde_json::{Value, json};
use sqlx::postgres::PgConnection;

use crate::files::{done, export, run};
use crate::harness::*;
use crate::transparency::{FORGE, ORIGIN, begin, file, grown, look, operate, page, set, text};

const ANN: &[u8] = b"sixteen from ann";

pub fn connect(installation: &Installation) -> Croupier {
    let address = format!("http://127.0.0.1:{}", installation.service.port());
    let credentials = installation.service.key().into();
    Croupier::connect(&address, Options { credentials, ..Options::default() }).expect("an address")
}

/// An open match of ann, who has not contributed yet.
pub fn open_match() -> CreateMatchRequest {
    CreateMatchRequest { players: vec![player(0)], ..new_match(2) }
}

fn contributing(name: &str) -> ContributeEntropyRequest {
    ContributeEntropyRequest {
        name: name.to_owned(),
        seat: Some(0),
        contribution: ANN.to_vec(),
        ..ContributeEntropyRequest::default()
    }
}

async fn receipt(client: &Client, name: &str, position: i32) -> Receipt {
    let name = format!("{name}/entries/{position}/receipt");
    let answer = client.ask(&GetReceiptRequest { name }).await.expect("the entry is there");
    answer.receipt.expect("a receipt")
}

/// Joins, and plays to the end.
async fn play(client: &Client, name: &str) -> i32 {
    let join = JoinMatchRequest { name: name.to_owned(), player: player(1), ..<_>::default() };
    client.ask(&join).await.expect("a seat is open");
    let mut playing = Playing::of(client, &get(client, name).await, 5);
    playing.finish().await;
    get(client, name).await.position
}

/// What `croupier verify` tells as JSON.
async fn verified(arguments: &[&str]) -> Value {
    let output = run(&[&["verify"], arguments, &["--json"]].concat()).await;
    let said = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("verify said: {said}"))
}

fn path(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

#[tokio::test]
async fn a_receipt_has_the_proofs_of_the_log_and_verify_compares_them() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest);
    let mut before = Playing::new(&client, 2, 1).await;
    before.steps(2).await;
    let none = receipt(&client, &before.name, 1).await;
    assert_eq!((&*none.opened_proof, &*none.closed_proof), ("", ""), "there is no log");
    begin(&installation).await;
    let none = receipt(&client, &before.name, 1).await;
    assert_eq!(none.opened_proof, "", "the log began later");

    let open = create(&client, &open_match()).await;
    let last = play(&client, &open.name).await;
    let kept = until("both proofs", async || {
        let it = receipt(&client, &open.name, last).await;
        (!it.opened_proof.is_empty() && !it.closed_proof.is_empty()).then_some(it)
    })
    .await;
    let (record, of_receipt) = (file(&installation, "record"), file(&installation, "receipt"));
    export(&installation, &record, &[&open.name]).await;
    let answer = |opened: &str| {
        let Receipt { jws, closed_proof, .. } = &kept;
        json!({"receipt": {"jws": jws, "openedProof": opened, "closedProof": closed_proof}})
    };
    std::fs::write(&of_receipt, answer(&kept.opened_proof).to_string()).expect("a file");
    let key = text(&client, "/log/key").await;
    let address = format!("http://127.0.0.1:{}", installation.service.port());
    let arguments = [path(&record), "--receipt", path(&of_receipt), "--address", &address];
    let with_key = [&arguments[..], &["--log-key", key.trim()]].concat();
    let told = verified(&with_key).await;
    assert_eq!(told["answer"], json!("PROVEN"), "{told}");
    assert_eq!((&told["log"]["opened"], &told["log"]["closed"]), (&json!(1), &json!(1)), "{told}");
    let said = done(&[&["verify"], &arguments[..]].concat()).await;
    assert!(said.contains("--log-key verifies"), "{said}");

    // A proof that does not hold, one of another match, and another key.
    let broken = kept.opened_proof.replace("index 0", "index 1");
    std::fs::write(&of_receipt, answer(&broken).to_string()).expect("a file");
    let told = verified(&with_key).await;
    assert_eq!(told["wrong"][0]["code"], json!("LOG_PROOF_INVALID"), "{told}");
    let other = create(&client, &open_match()).await;
    let id = other.name.trim_start_matches("matches/");
    let proof = format!("/log/proof/opened/{id}");
    until("its opening", async || page(&client, &proof).await).await;
    let theirs = text(&client, &proof).await;
    std::fs::write(&of_receipt, answer(&theirs).to_string()).expect("a file");
    let told = verified(&with_key).await;
    assert_eq!(told["wrong"][0]["code"], json!("RECEIPT_INVALID"), "{told}");
    let strange = tlog::SigningKey::new("play.example/log", &[7; 32]).expect("a name").verifier();
    std::fs::write(&of_receipt, answer(&kept.opened_proof).to_string()).expect("a file");
    let told = verified(&[&arguments[..], &["--log-key", &strange.to_string()]].concat()).await;
    assert_eq!(told["wrong"][0]["code"], json!("LOG_PROOF_INVALID"), "{told}");
}

#[tokio::test]
async fn the_order_of_shared_chance_is_proven_by_a_proof_from_before_the_contribution() {
    let installation = Installation::open().await;
    begin(&installation).await;
    let (client, croupier) = (installation.client(Protocol::Rest), connect(&installation));
    let chance = |told: &Value| -> Vec<u64> {
        let of = |name: &str| told["log"]["chance"][name].as_u64().expect("a number");
        ["service_only", "order_proven", "order_not_proven"].map(of).to_vec()
    };
    let alone = create(&client, &open_match()).await;
    play(&client, &alone.name).await;
    let shared = create(&client, &open_match()).await;
    let mut keeper = Keeper::default();
    let wait = Duration::from_secs(60);
    let complaints = keeper.await_opening(&croupier, &shared, wait).await.expect("it answers");
    assert_eq!(complaints, []);
    assert!(keeper.matches[&shared.name].came_first);
    client.ask(&contributing(&shared.name)).await.expect("it is not dealt yet");
    play(&client, &shared.name).await;
    let key = text(&client, "/log/key").await;
    let log = format!("http://127.0.0.1:{}", installation.service.port());
    grown(&client, 4).await;
    let kept = file(&installation, "kept.tlog-proof");
    let id = shared.name.trim_start_matches("matches/");
    let closed = text(&client, &format!("/log/proof/closed/{id}")).await;
    let opened = &keeper.matches[&shared.name].opened_proof;
    std::fs::write(&kept, format!("{opened}{closed}")).expect("a file");
    let (record, other) = (file(&installation, "shared"), file(&installation, "alone"));
    export(&installation, &record, &[&shared.name]).await;
    export(&installation, &other, &[&alone.name]).await;
    let mine = format!("0={}", hex::encode(ANN));
    let by_file = [path(&record), "--log", path(&kept), "--log-key", key.trim()];
    let told = verified(&[&by_file[..], &["--contribution", &mine]].concat()).await;
    assert_eq!((&told["answer"], chance(&told)), (&json!("PROVEN"), vec![0, 1, 0]), "{told}");
    // A proof that came with a receipt came after the deal, whatever its checkpoint says.
    let of_receipt = file(&installation, "receipt");
    let jws = receipt(&client, &shared.name, 1).await.jws;
    let answer = json!({"receipt": {"jws": jws, "openedProof": opened}});
    std::fs::write(&of_receipt, answer.to_string()).expect("a file");
    let by_receipt = [path(&record), "--receipt", path(&of_receipt), "--address", &log];
    let more = ["--log-key", key.trim(), "--contribution", &mine];
    assert_eq!(chance(&verified(&[&by_receipt[..], &more].concat()).await), [0, 0, 1]);
    // Nobody else knows when it was sent, and a proof from now says nothing of then.
    assert_eq!(chance(&verified(&by_file).await), [0, 0, 1]);
    let now = text(&client, &format!("/log/proof/opened/{id}")).await;
    std::fs::write(&kept, format!("{now}{closed}")).expect("a file");
    let asked = [path(&record), "--log", &log, "--contribution", &mine];
    assert_eq!(chance(&verified(&asked).await), [0, 0, 1]);
    assert_eq!(chance(&verified(&[path(&other), "--log", &log]).await), [1, 0, 0]);
    let said = done(&[&["verify"], &asked[..]].concat()).await;
    assert!(said.contains("shared, and the order is not proven"), "{said}");
}

/// What a keeper finds.
fn codes(complaints: &[Complaint]) -> Vec<String> {
    complaints.iter().map(|it| it.finding.code.to_string()).collect()
}

/// A receipt for the same entry with another digest, signed by the key of the installation.
async fn another(database: &mut PgConnection, jws: &str) -> String {
    let [header, payload, _] = jws.split('.').collect::<Vec<_>>()[..] else { panic!("{jws}") };
    let payload = BASE64_URL_SAFE_NO_PAD.decode(payload).expect("it is base64");
    let mut statement: Value = serde_json::from_slice(&payload).expect("it is JSON");
    statement["digest"] = json!("07".repeat(32));
    let payload = BASE64_URL_SAFE_NO_PAD.encode(statement.to_string());
    let secret: Vec<u8> = sqlx::query_scalar("select secret from receipt_keys")
        .fetch_one(database)
        .await
        .expect("a key");
    let key = Ed25519KeyPair::from_pkcs8(&secret).expect("it is a key");
    let signed = format!("{header}.{payload}");
    let signature = BASE64_URL_SAFE_NO_PAD.encode(key.sign(signed.as_bytes()));
    format!("{signed}.{signature}")
}

#[tokio::test]
async fn what_contradicts_a_kept_receipt_or_checkpoint_is_complained_of_with_both() {
    let installation = Installation::open().await;
    begin(&installation).await;
    let (client, croupier) = (installation.client(Protocol::Rest), connect(&installation));
    let mut playing = Playing::new(&client, 2, 3).await;
    playing.steps(3).await;
    create(&client, &new_match(2)).await;
    grown(&client, 2).await;
    let mut keeper = Keeper::default();
    let asked = async |keeper: &mut Keeper, name: &str| {
        keeper.look(&croupier, &get(&client, name).await).await.expect("it answers")
    };
    assert_eq!(codes(&asked(&mut keeper, &playing.name).await), [""; 0]);
    let first = keeper.checkpoint.clone();
    assert!(first.starts_with("play.example/log\n2\n"), "{first}");
    assert!(!keeper.matches[&playing.name].opened_proof.is_empty());
    // The log goes on.
    create(&client, &new_match(2)).await;
    grown(&client, 3).await;
    assert_eq!(codes(&asked(&mut keeper, &playing.name).await), [""; 0]);
    assert!(keeper.checkpoint.starts_with("play.example/log\n3\n"), "{}", keeper.checkpoint);

    // The key signs another receipt for the entry, as an owner may who changes the record.
    let mut database = installation.database().await;
    let mut other = keeper.clone();
    let kept = other.matches.get_mut(&playing.name).expect("it was kept");
    kept.receipt = another(&mut database, &kept.receipt).await;
    let complaints = asked(&mut other, &playing.name).await;
    assert_eq!(codes(&complaints), ["RECEIPTS_CONTRADICT"]);
    assert_eq!(complaints[0].evidence[0], other.matches[&playing.name].receipt);
    assert_ne!(complaints[0].evidence[1], complaints[0].evidence[0]);

    // An owner makes another history of the log.
    set(&mut database, FORGE).await;
    for _ in 0..3 {
        create(&client, &new_match(2)).await;
    }
    let other = create(&client, &open_match()).await;
    grown(&client, 6).await;
    let wait = Duration::from_secs(60);
    let complaints = keeper.await_opening(&croupier, &other, wait).await.expect("it answers");
    assert_eq!(codes(&complaints), ["LOG_CONTRADICTS"]);
    let sizes: Vec<_> =
        complaints[0].evidence.iter().map(|it| it.lines().nth(1).unwrap()).collect();
    assert_eq!(sizes, ["3", "6"]);
    assert!(!keeper.matches[&other.name].came_first);
    assert!(keeper.checkpoint.starts_with("play.example/log\n3\n"), "the first is kept");
}

#[tokio::test]
async fn another_log_is_followed_if_the_key_of_the_first_says_so_and_otherwise_it_is_wrong() {
    let installation = Installation::open().await;
    begin(&installation).await;
    let (client, croupier) = (installation.client(Protocol::Rest), connect(&installation));
    let (mut keeper, wait) = (Keeper::default(), Duration::from_secs(60));
    let first = create(&client, &open_match()).await;
    keeper.await_opening(&croupier, &first, wait).await.expect("it answers");
    let (seen, status) = look(&installation, &[]).await;
    assert_eq!((status, &seen["size"]), (Some(0), &json!(1)), "{seen}");
    let old = text(&client, "/log/key").await;

    operate(&installation, &["end"]).await;
    operate(&installation, &["begin", "play.example/log-2"]).await;
    let second = create(&client, &open_match()).await;
    until("the next log", async || {
        let note = String::from_utf8(page(&client, "/log/checkpoint").await?).ok()?;
        note.starts_with("play.example/log-2\n1\n").then_some(())
    })
    .await;
    let (seen, status) = look(&installation, &[]).await;
    assert_eq!((status, &seen["origin"]), (Some(0), &json!("play.example/log-2")), "{seen}");
    assert_eq!((&seen["follows"], &seen["size"]), (&json!([ORIGIN]), &json!(1)), "{seen}");
    // Whoever names the first key is led here, too.
    let (seen, status) = look(&installation, &["--log-key", old.trim()]).await;
    assert_eq!((status, &seen["new"]), (Some(0), &json!(0)), "{seen}");
    let complaints = keeper.await_opening(&croupier, &second, wait).await.expect("it answers");
    assert_eq!(codes(&complaints), [""; 0]);
    assert!(keeper.log_key.starts_with("play.example/log-2+"), "{}", keeper.log_key);
    assert!(keeper.checkpoint.starts_with("play.example/log-2\n1\n"), "{}", keeper.checkpoint);

    // A key that is replaced without a word.
    let replace = "update transparency_logs set secret = sha256(secret) where end_time is null";
    set(&mut installation.database().await, replace).await;
    let third = create(&client, &open_match()).await;
    until("another key signs", async || {
        let (look, _) = look(&installation, &[]).await;
        crate::transparency::codes(&look).contains(&"SIGNATURE_WRONG").then_some(())
    })
    .await;
    let complaints = keeper.await_opening(&croupier, &third, wait).await.expect("it answers");
    assert_eq!(codes(&complaints), ["LOG_PROOF_INVALID"]);
}
