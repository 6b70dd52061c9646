//! The transparency log: what it has, over crashes and with several processes, and what outsiders
//! find when an owner of the database tampers with it.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use contract::v1::*;
use http::{Request, StatusCode};
use http_body_util::Full;
use records::Leaf;
use ring::digest::{SHA256, digest};
use ring::signature::{ED25519, UnparsedPublicKey};
use serde_json::{Value, json};
use sqlx::postgres::PgConnection;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::join;
use tokio::process::{Child, Command};

use crate::files::{done, export, run};
use crate::harness::*;

pub const ORIGIN: &str = "play.example/log";

/// Begins a log, and waits until the service has signed its first checkpoint.
pub async fn begin(installation: &Installation) {
    let url = installation.postgres().url();
    done(&["transparency", "begin", ORIGIN, "--database-url", &url]).await;
    let client = installation.client(Protocol::Rest);
    until("a checkpoint", async || page(&client, "/log/checkpoint").await).await;
}

/// A page of the log; `None` if there is none.
pub async fn page(client: &Client, path: &str) -> Option<Vec<u8>> {
    let request = Request::get(path).body(Full::default()).expect("a request");
    let response = client.send(request).await.ok()?;
    (response.status == StatusCode::OK).then(|| response.body.to_vec())
}

pub async fn text(client: &Client, path: &str) -> String {
    let page = page(client, path).await.unwrap_or_else(|| panic!("{path} is there"));
    String::from_utf8(page).expect("text")
}

/// A log, read without the code of the service.
pub struct Served {
    size: usize,
    leaves: Vec<Vec<u8>>,
}

impl Served {
    /// Verifies the signature of the checkpoint, and that the leaves are those of its tree.
    async fn read(client: &Client) -> Served {
        let note = text(client, "/log/checkpoint").await;
        let (signed, signatures) = note.split_once("\n\n").expect("a signed note");
        let signed = format!("{signed}\n");
        let lines: Vec<&str> = signed.lines().collect();
        let [origin, size, root] = lines[..] else { panic!("{note}") };
        assert_eq!(origin, ORIGIN);
        let vkey = text(client, "/log/key").await;
        let key = BASE64_STANDARD.decode(vkey.trim().splitn(3, '+').last().expect("a key"));
        let key = key.expect("it is base64");
        let first = signatures.lines().next().expect("a signature");
        let signature = first.strip_prefix(&format!("— {ORIGIN} ")).expect("the log signs first");
        let signature = BASE64_STANDARD.decode(signature).expect("it is base64");
        let public = UnparsedPublicKey::new(&ED25519, &key[1..]);
        public.verify(signed.as_bytes(), &signature[4..]).expect("the log signed it");

        let size: usize = size.parse().expect("a number");
        let mut leaves = Vec::new();
        for bundle in 0..size.div_ceil(256) {
            let width = (size - bundle * 256).min(256);
            let partial = if width < 256 { format!(".p/{width}") } else { String::new() };
            let path = format!("/log/tile/entries/{bundle:03}{partial}");
            let bytes = page(client, &path).await.unwrap_or_else(|| panic!("{path} is there"));
            let mut rest = &bytes[..];
            while let Some((length, after)) = rest.split_first_chunk::<2>() {
                let (leaf, after) = after.split_at(u16::from_be_bytes(*length).into());
                leaves.push(leaf.to_vec());
                rest = after;
            }
        }
        assert_eq!(leaves.len(), size);
        let hashes: Vec<Vec<u8>> = leaves.iter().map(|it| sha256(&[&[0], it])).collect();
        assert_eq!(BASE64_STANDARD.encode(tree_hash(&hashes)), root, "{note}");
        Served { size, leaves }
    }

    fn parsed(&self) -> Vec<Leaf> {
        self.leaves.iter().map(|it| Leaf::parse(it).expect("a leaf")).collect()
    }
}

/// The hash of a tree, by the definition of RFC 6962.
fn tree_hash(leaves: &[Vec<u8>]) -> Vec<u8> {
    match leaves {
        [] => sha256(&[]),
        [leaf] => leaf.clone(),
        _ => {
            let half = leaves.len().next_power_of_two() / 2;
            sha256(&[&[1], &tree_hash(&leaves[..half]), &tree_hash(&leaves[half..])])
        }
    }
}

fn sha256(parts: &[&[u8]]) -> Vec<u8> {
    digest(&SHA256, &parts.concat()).as_ref().to_vec()
}

/// Waits until the log has so many leaves, and reads it.
pub async fn grown(client: &Client, size: usize) -> Served {
    until("the leaves", async || {
        let note = page(client, "/log/checkpoint").await?;
        let note = String::from_utf8(note).ok()?;
        let found: usize = note.lines().nth(1)?.parse().ok()?;
        (found >= size).then_some(())
    })
    .await;
    let served = Served::read(client).await;
    assert_eq!(served.size, size);
    served
}

#[tokio::test]
async fn a_log_may_tell_platforms_apart_and_then_monitors_count_aborts_by_platform() {
    let installation = Installation::open().await;
    let (url, client) = (installation.postgres().url(), installation.client(Protocol::Rest));
    let begin = ["transparency", "begin", ORIGIN, "--tell-platforms", "--json"];
    let told = done(&[&begin[..], &["--database-url", &url]].concat()).await;
    let told: Value = serde_json::from_str(&told).expect("JSON");
    assert_eq!(told["tells_platforms"], json!(true), "{told}");
    until("a checkpoint", async || page(&client, "/log/checkpoint").await).await;
    let other = client.holding(installation.platform("other").await);
    let mut names = Vec::new();
    for client in [&client, &client, &other] {
        names.push(create(client, &new_match(2)).await.name);
    }
    let end = EndMatchRequest { name: names[2].clone(), ..EndMatchRequest::default() };
    other.ask(&end).await.expect("a platform ends its matches");
    let served = grown(&client, 4).await;
    let tag = |name: &String| {
        let its = |leaf: &Leaf| match leaf {
            Leaf::Opened(it) if it.match_hash == records::match_hash(id(name)) => it.platform,
            _ => None,
        };
        let found: Option<records::PlatformTag> = served.parsed().iter().find_map(its);
        found.expect("its leaf has a tag")
    };
    let tags: Vec<_> = names.iter().map(tag).collect();
    assert_eq!(tags[0], tags[1]);
    assert_ne!(tags[0], tags[2]);
    let (seen, status) = look(&installation, &[]).await;
    assert_eq!(status, Some(0), "{seen}");
    let platforms = seen["platforms"].as_array().expect("two platforms");
    assert_eq!(platforms.len(), 2, "{seen}");
    assert_eq!(platforms[0]["platform"], json!(hex::encode(tags[2])), "{seen}");
    let counted = |it: &Value| (it["not_won"].clone(), it["of"].clone(), it["rate"].clone());
    assert_eq!(counted(&platforms[0]), (json!(1), json!(1), json!(1.0)), "{seen}");
    assert_eq!(counted(&platforms[1]), (json!(0), json!(0), json!(0.0)), "{seen}");
    // A platform finds its own tag in the proof of any of its matches, and verifiers tell it.
    let record = file(&installation, "record");
    export(&installation, &record, &[&names[2]]).await;
    let log = format!("http://127.0.0.1:{}/log", installation.service.port());
    let arguments = ["verify", record.to_str().expect("a path"), "--log", &log, "--json"];
    let verified: Value = serde_json::from_str(&done(&arguments).await).expect("JSON");
    let first = &verified["log"]["matches"][0];
    assert_eq!(first["platform"], json!(hex::encode(tags[2])), "{verified}");
}

fn id(name: &str) -> rows::MatchId {
    rows::MatchId(name.trim_start_matches("matches/").parse().expect("a match"))
}

pub fn file(installation: &Installation, name: &str) -> PathBuf {
    installation.folder.path().join(name)
}

pub async fn set(database: &mut PgConnection, sql: &'static str) {
    sqlx::raw_sql(sql).execute(database).await.expect("an owner may do anything");
}

/// A look of the monitor: what it prints as JSON, and its exit status.
pub async fn look(installation: &Installation, more: &[&str]) -> (Value, Option<i32>) {
    let url = format!("http://127.0.0.1:{}/log", installation.service.port());
    let state = file(installation, "monitor.json");
    let state = state.to_str().expect("a plain path");
    let arguments = ["monitor", &url, "--state", state, "--json"];
    let output = run(&[&arguments[..], more].concat()).await;
    let said = String::from_utf8_lossy(&output.stderr);
    let json = serde_json::from_slice(&output.stdout);
    (json.unwrap_or_else(|_| panic!("the monitor said: {said}")), output.status.code())
}

/// The codes of what a look found.
pub fn codes(look: &Value) -> Vec<&str> {
    let found = look["findings"].as_array().expect("a list");
    found.iter().map(|it| it["code"].as_str().expect("a code")).collect()
}

#[tokio::test]
async fn each_match_is_opened_and_closed_once_over_crashes_of_several_processes() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Rest);
    let before = create(&client, &new_match(2)).await;
    begin(&installation).await;
    let mut other = installation.serve("b").await;
    let theirs = other.client(Protocol::Grpc);
    let open = CreateMatchRequest { players: vec![player(0)], ..new_match(2) };
    let open = create(&theirs, &open).await;
    let (mut first, mut second) =
        (Playing::new(&client, 2, 1).await, Playing::new(&theirs, 2, 2).await);
    let mut running = Playing::new(&client, 2, 3).await;
    let finish = async |playing: &mut Playing| while playing.patient_step().await {};
    let killing = async {
        for nth in 0..4 {
            tokio::time::sleep(Duration::from_millis(900)).await;
            let killed = if nth % 2 == 0 { &mut installation.service } else { &mut other };
            killed.kill().await;
            killed.start_again().await;
        }
    };
    join!(finish(&mut first), finish(&mut second), killing);
    running.steps(3).await;
    theirs.ask(&DeleteMatchRequest { name: open.name.clone(), ..<_>::default() }).await.unwrap();

    // Of four matches three are closed, and the one from before is not there.
    let served = grown(&client, 7).await;
    let leaves = served.parsed();
    let kinds: BTreeSet<([u8; 32], bool)> =
        leaves.iter().map(|it| (*it.match_hash(), matches!(it, Leaf::Opened(_)))).collect();
    assert_eq!(kinds.len(), 7, "each once");
    let has = |name: &str, kind| kinds.contains(&(records::match_hash(id(name)), kind));
    for (name, is_closed) in
        [(&first.name, true), (&second.name, true), (&running.name, false), (&open.name, true)]
    {
        assert!(has(name, true), "{name} is opened");
        assert_eq!(has(name, false), is_closed, "{name}");
    }
    assert!(!has(&before.name, true));

    let mut database = installation.database().await;
    for leaf in &leaves {
        match leaf {
            Leaf::Opened(it) => {
                let all = it.match_hash == records::match_hash(id(&open.name));
                let seated = it.players.iter().flatten().count();
                assert_eq!(seated, if all { 1 } else { 2 });
            }
            Leaf::Closed(it) if it.position > 0 => {
                let found: Vec<(Vec<u8>, i64)> = sqlx::query_as(
                    "select digest, (extract(epoch from create_time) * 1000000)::int8
                     from entries
                     where position = $1 and digest = $2",
                )
                .bind(it.position)
                .bind(&it.digest[..])
                .fetch_all(&mut database)
                .await
                .expect("rows");
                assert_eq!(found, [(it.digest.to_vec(), it.time_us)]);
            }
            Leaf::Closed(it) => assert_eq!(it.end, records::End::Deleted),
        }
    }
    let left: Vec<bool> = sqlx::query_scalar("select is_opened from transparency_pending")
        .fetch_all(&mut database)
        .await
        .expect("rows");
    assert_eq!(left, [true], "only the match under way has a leaf to come");
    let (look, status) = look(&installation, &[]).await;
    assert_eq!((status, &look["answer"]), (Some(0), &json!("PROVEN")), "{look}");
    assert_eq!((&look["opened"], &look["closed"]), (&json!(4), &json!(3)), "{look}");
}

#[tokio::test]
async fn a_verified_match_is_compared_with_the_log_and_with_kept_proofs() {
    let mut installation = Installation::open().await;
    // The role that serves may do all that the log needs.
    installation.restrict().await;
    begin(&installation).await;
    let client = installation.client(Protocol::Rest);
    let open = CreateMatchRequest { players: vec![player(0)], ..new_match(2) };
    let open = create(&client, &open).await;
    let proof = format!("/log/proof/opened/{}", open.name.trim_start_matches("matches/"));
    let early = until("a proof", async || page(&client, &proof).await).await;
    // Times of checkpoints are whole seconds.
    tokio::time::sleep(Duration::from_secs(2)).await;
    let join = JoinMatchRequest { name: open.name.clone(), player: player(1), ..<_>::default() };
    client.ask(&join).await.expect("a seat is open");
    let mut playing = Playing::of(&client, &get(&client, &open.name).await, 5);
    playing.finish().await;
    grown(&client, 2).await;

    let all = file(&installation, "all");
    export(&installation, &all, &[]).await;
    let (all, url) = (all.to_str().expect("a path"), installation.service.port());
    let url = format!("http://127.0.0.1:{url}");
    let told = done(&["verify", all, "--log", &url, "--json"]).await;
    let told: Value = serde_json::from_str(&told).expect("it is JSON");
    assert_eq!(told["answer"], json!("PROVEN"), "{told}");
    assert_eq!((&told["log"]["opened"], &told["log"]["closed"]), (&json!(1), &json!(1)));
    assert_eq!(told["log"]["opened_before_deal"], json!(0), "{told}");
    let of = &told["log"]["matches"][0];
    assert_eq!((&of["opened_index"], &of["closed_index"]), (&json!(0), &json!(1)), "{told}");
    assert_eq!((&of["name"], &of["players"]), (&json!(open.name), &json!(1)), "{told}");
    let said = done(&["verify", all, "--log", &url]).await;
    assert!(said.contains("is in the log play.example/log: opened at 0, closed at 1;"), "{said}");

    // Whoever kept a proof from before the deal shows the order.
    let key = text(&client, "/log/key").await;
    let late = page(&client, &proof.replace("opened", "closed")).await.expect("it has ended");
    let kept = file(&installation, "kept.tlog-proof");
    std::fs::write(&kept, [&early[..], &late].concat()).expect("a file");
    let kept = kept.to_str().expect("a path");
    let by_file = ["verify", all, "--log", kept, "--log-key", key.trim(), "--json"];
    let told: Value = serde_json::from_str(&done(&by_file).await).expect("it is JSON");
    assert_eq!(told["log"]["opened_before_deal"], json!(1), "{told}");
    std::fs::write(kept, &early).expect("a file");
    let output = run(&by_file).await;
    let told: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(
        (output.status.code(), &told["unproven"][0]["code"]),
        (Some(3), &json!("LOG_MISSING"))
    );

    // The record is proven by itself, and is not the one that the log has.
    let other = Installation::open().await;
    let theirs = other.client(Protocol::Rest);
    begin(&other).await;
    let mut database = other.database().await;
    set(&mut database, HIDE).await;
    let mut playing = Playing::new(&theirs, 2, 6).await;
    playing.finish().await;
    set(&mut database, "update matches set create_time = create_time - interval '1 second'").await;
    set(&mut database, SHOW).await;
    grown(&theirs, 2).await;
    set(&mut database, "update matches set create_time = create_time + interval '1 second'").await;
    let record = file(&other, "one");
    export(&other, &record, &[]).await;
    let record = record.to_str().expect("a path");
    let (told, status) = verified(&other, record).await;
    assert_eq!((status, &told["wrong"][0]["code"]), (Some(1), &json!("LOG_DIFFERS")), "{told}");
    set(&mut database, "update transparency_leaves set leaf = leaf || '\\x00'::bytea").await;
    let (told, status) = verified(&other, record).await;
    assert_eq!(
        (status, &told["wrong"][0]["code"]),
        (Some(1), &json!("LOG_PROOF_INVALID")),
        "{told}"
    );
}

/// A file of records, compared with the log of a service: the outcome and the exit status.
pub async fn verified(installation: &Installation, record: &str) -> (Value, Option<i32>) {
    let url = format!("http://127.0.0.1:{}", installation.service.port());
    let output = run(&["verify", record, "--log", &url, "--json"]).await;
    let told = serde_json::from_slice(&output.stdout).expect("it is JSON");
    (told, output.status.code())
}

/// An owner lets the log miss what is created from now on.
pub const HIDE: &str = "update transparency_logs set end_time = now()";

/// And adds the newest match.
const SHOW: &str = "update transparency_logs set end_time = null;
    insert into transparency_pending (bucket, match_id)
    select bucket, match_id from matches order by create_time desc limit 1";

/// And adds it as if it were older than all others.
pub const BACK: &str = "update transparency_logs set end_time = null;
    update matches set create_time = create_time - interval '1 hour'
    where match_id = (select match_id from matches order by create_time desc limit 1);
    insert into transparency_pending (bucket, match_id)
    select bucket, match_id from matches order by create_time limit 1";

/// An installation with a log of some leaves, which the monitor has seen.
pub async fn seen() -> (Installation, Client) {
    let installation = Installation::open().await;
    begin(&installation).await;
    let client = installation.client(Protocol::Rest);
    for _ in 0..3 {
        create(&client, &new_match(2)).await;
    }
    grown(&client, 3).await;
    let (seen, status) = look(&installation, &[]).await;
    assert_eq!((status, &seen["size"]), (Some(0), &json!(3)), "{seen}");
    (installation, client)
}

/// An owner gives the first match another time.
pub const ALTER: &str = "update transparency_leaves
    set leaf = overlay(leaf placing '\\x00000000'::bytea from 35) where leaf_index = 0";

#[tokio::test]
async fn an_altered_leaf_is_found_and_nothing_is_signed_on_top() {
    let (mut installation, client) = seen().await;
    let mut database = installation.database().await;
    set(&mut database, ALTER).await;
    let (again, status) = look(&installation, &[]).await;
    assert_eq!((status, codes(&again)), (Some(0), vec![]), "no leaf is new: {again}");
    let (whole, status) = look(&installation, &["--from-start"]).await;
    assert_eq!((status, codes(&whole)), (Some(1), vec!["LEAVES_DIFFER"]), "{whole}");
    create(&client, &new_match(2)).await;
    until("it is noticed", async || {
        installation.service.log().contains("are not those that were signed").then_some(())
    })
    .await;
    installation.service.kill().await;
}

/// The database loses the newest leaf, and what was signed of it.
pub const DROP_LAST: &str = "delete from transparency_leaves where leaf_index >= 2;
    delete from transparency_checkpoints where size > 2";

#[tokio::test]
async fn a_log_that_went_back_is_found() {
    let (installation, _) = seen().await;
    let mut database = installation.database().await;
    set(&mut database, DROP_LAST).await;
    until("a checkpoint of two leaves", async || {
        let (look, status) = look(&installation, &[]).await;
        (status == Some(1) && codes(&look) == ["WENT_BACK"]).then_some(())
    })
    .await;
}

/// An owner makes another history, in which the first match was never there.
pub const FORGE: &str = "delete from transparency_checkpoints;
    delete from transparency_leaves;
    delete from transparency_pending
    where match_id = (select match_id from matches order by create_time limit 1);
    update transparency_pending set is_opened = false";

#[tokio::test]
async fn a_second_history_is_found_and_proven_by_its_checkpoints() {
    let (installation, client) = seen().await;
    let mut database = installation.database().await;
    set(&mut database, FORGE).await;
    for _ in 0..2 {
        create(&client, &new_match(2)).await;
    }
    let served = grown(&client, 4).await;
    assert_eq!(served.size, 4);
    let (look, status) = look(&installation, &[]).await;
    assert_eq!((status, codes(&look)), (Some(1), vec!["HISTORY_CHANGED"]), "{look}");
    let evidence = look["evidence"].as_array().expect("both checkpoints");
    let sizes: Vec<&str> =
        evidence.iter().map(|it| it.as_str().and_then(|it| it.lines().nth(1)).unwrap()).collect();
    assert_eq!(sizes, ["3", "4"]);
    let kept = std::fs::read_to_string(file(&installation, "monitor.evidence")).expect("a file");
    assert_eq!(kept.matches(&format!("— {ORIGIN} ")).count(), 4, "{kept}");
}

#[tokio::test]
async fn a_match_that_was_left_out_or_dated_back_is_found() {
    let (installation, client) = seen().await;
    let mut database = installation.database().await;
    set(&mut database, HIDE).await;
    let mut playing = Playing::new(&client, 2, 7).await;
    playing.finish().await;
    set(&mut database, "update transparency_logs set end_time = null").await;
    let record = file(&installation, "record");
    export(&installation, &record, &[&playing.name]).await;
    let (told, status) = verified(&installation, record.to_str().expect("a path")).await;
    let code = &told["unproven"][0]["code"];
    assert_eq!((status, code), (Some(3), &json!("LOG_MISSING")), "{told}");

    // It is added later, as if it had always been there.
    set(&mut database, BACK).await;
    grown(&client, 5).await;
    let (look, status) = look(&installation, &[]).await;
    assert_eq!((status, codes(&look)), (Some(3), vec!["LEAF_LATE"]), "{look}");
}

/// `croupier transparency`, on the database of an installation.
pub async fn operate(installation: &Installation, arguments: &[&str]) {
    let url = installation.postgres().url();
    done(&[&["transparency"], arguments, &["--database-url", &url]].concat()).await;
}

/// A witness of the log, its address, and its verifier key.
pub async fn witness(installation: &Installation) -> (Child, String, String) {
    let key = text(&installation.client(Protocol::Rest), "/log/key").await;
    let folder = file(installation, "witness");
    let mut command = Command::new(PROGRAM);
    command.args([
        "witness",
        "witness.example",
        "--listen",
        "127.0.0.1:0",
        "--log-key",
        key.trim(),
    ]);
    command.arg("--folder").arg(folder).stdout(Stdio::piped()).kill_on_drop(true);
    let mut child = command.spawn().expect("it runs");
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let mut line = async || lines.next_line().await.expect("text").expect("a line");
    let (key, said) = (line().await, line().await);
    let url = said.rsplit(' ').next().expect("an address").to_owned();
    (child, url, key)
}

#[tokio::test]
async fn a_witness_cosigns_one_history() {
    let mut installation = Installation::open().await;
    begin(&installation).await;
    let client = installation.client(Protocol::Rest);
    create(&client, &new_match(2)).await;
    grown(&client, 1).await;
    let (_witness, url, key) = witness(&installation).await;
    operate(&installation, &["add-witness", &url, &key]).await;
    operate(&installation, &["require", "1"]).await;
    for _ in 0..2 {
        create(&client, &new_match(2)).await;
    }
    grown(&client, 3).await;
    let note = text(&client, "/log/checkpoint").await;
    assert!(note.contains("\n— witness.example "), "{note}");
    let asked = ["--witness", &key];
    let (seen, status) = look(&installation, &asked).await;
    assert_eq!((status, &seen["size"]), (Some(0), &json!(3)), "{seen}");

    // Another history is signed, and neither cosigned nor told.
    let mut database = installation.database().await;
    set(&mut database, FORGE).await;
    create(&client, &new_match(2)).await;
    let signed = "select size from transparency_checkpoints order by size desc limit 1";
    until("another history", async || {
        let size: Option<i64> =
            sqlx::query_scalar(signed).fetch_optional(&mut database).await.expect("rows");
        size.filter(|size| *size == 3)
    })
    .await;
    until("it is refused", async || {
        installation.service.log().contains("it answered with the status 422").then_some(())
    })
    .await;
    assert_eq!(page(&client, "/log/checkpoint").await, None);
    let (seen, status) = look(&installation, &asked).await;
    assert_eq!((status, codes(&seen)), (Some(3), vec!["UNREADABLE"]), "{seen}");
    operate(&installation, &["require", "0"]).await;
    let (seen, status) = look(&installation, &asked).await;
    assert_eq!((status, codes(&seen)), (Some(1), vec!["TWO_FACES"]), "{seen}");

    // A service that is away contradicts nothing.
    installation.service.kill().await;
    let (seen, status) = look(&installation, &asked).await;
    assert_eq!((status, codes(&seen)), (Some(3), vec!["UNREADABLE"]), "{seen}");
}
