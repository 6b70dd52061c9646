//! Archived matches: what was played in them is in an object store, and everything answers as
//! before, whatever happens to those who archive.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use contract::v1::*;
use database::Database;
use event_log::Log;
use keeping::archiving::{Archive, Archived, ColdStore};
use positions::Position;
use rows::MatchId;
use serde_json::Value;
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Row};
use store::RECORD;
use table::{ChaCha, Chance};
use tokio::process::{Child, Command};
use tokio::time::sleep;
use tonic::Code;
use uuid::Uuid;

use crate::files::{export, failure, run};
use crate::harness::*;
use crate::projections::{MODELS, caught_up, croupier, program, rows};
use crate::public_records::read;

const VIEWERS: [&str; 4] = ["house", "spectator", "seats/0", "seats/1"];

fn folder(installation: &Installation) -> PathBuf {
    installation.folder.path().join("cold")
}

pub fn url(installation: &Installation) -> String {
    format!("file://{}", folder(installation).display())
}

/// The option that names the archive, for as long as the process lives.
fn option(url: &str) -> &'static str {
    Box::leak(format!("--archive={url}").into_boxed_str())
}

/// Waits until what has just happened is a second old.
pub async fn aged() {
    sleep(Duration::from_millis(1100)).await;
}

/// Archives what is a second old.
pub async fn archive(installation: &Installation, more: &[&str]) -> Value {
    let to = url(installation);
    let arguments = ["archive", "--json", "--older-than", "1s", "--to", &to];
    let said = croupier(installation, &[&arguments[..], more].concat()).await;
    serde_json::from_str(&said).expect("JSON")
}

async fn count(database: &mut PgConnection, query: &str) -> i64 {
    let query = sqlx::query_scalar(AssertSqlSafe(query.to_owned()));
    query.fetch_one(database).await.expect("an answer")
}

const ARCHIVED: &str = "select count(*) from archived_matches where hash is not null";

/// The files under a folder, but for the one by which an archive is known.
fn objects(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.path() {
            path if path.is_dir() => found.extend(objects(&path)),
            path if path.ends_with("archive") => {}
            // A file that a killed program had begun: no object yet.
            path if path.to_string_lossy().contains('#') => {}
            path => found.push(path),
        }
    }
    found
}

/// The object of a match.
pub async fn object(installation: &Installation, name: &str) -> PathBuf {
    let id = Uuid::try_parse(name.strip_prefix("matches/").expect("a match")).expect("an id");
    let row = sqlx::query("select object from archived_matches where match_id = $1").bind(id);
    let row = row.fetch_one(&mut installation.database().await).await.expect("it is archived");
    folder(installation).join(row.get::<String, _>(0))
}

/// Ended matches, revealed or not, with something said in each.
pub async fn ended(client: &Client, count: u64) -> Vec<String> {
    let mut names = Vec::new();
    for seed in 0..count {
        let reveal = if seed % 2 == 0 { Reveal::AtEnd } else { Reveal::Never };
        let options = [("talk".to_owned(), "on".to_owned())].into();
        let request = CreateMatchRequest { reveal: reveal.into(), options, ..new_match(2) };
        let created = create(client, &request).await;
        let say = format!(
            r#"{{"name":"{}","seat":0,"requestId":"talk","action":{{"table":{{"say":{{"to":[1],"text":"Psst {seed}"}}}}}}}}"#,
            created.name
        );
        client.call("SubmitAction", &say).await.expect("it is said");
        let mut playing = Playing::of(client, &get(client, &created.name).await, seed);
        playing.finish().await;
        names.push(created.name);
    }
    names
}

/// What everybody is told of a match, by every read there is: entries, a replay and the record, and
/// the view and the receipt at each third position.
async fn told(client: &Client, name: &str) -> Vec<String> {
    let it = get(client, name).await;
    let options = BTreeMap::from_iter(it.options.clone());
    let without_options = Match { options: Default::default(), ..it.clone() };
    let mut told = vec![format!("{without_options:?} {options:?}")];
    // Nobody sees the whole of a match that is never revealed.
    let is_revealed = it.reveal() != Reveal::Never;
    for viewer in VIEWERS.into_iter().filter(|viewer| is_revealed || *viewer != "house") {
        let listed = entries(client, name, viewer).await;
        told.push(format!("{listed:?}"));
        for position in (1..=it.position).step_by(3) {
            told.push(format!("{:?}", view(client, name, viewer, Some(position)).await));
        }
        let (parent, viewer) = (name.to_owned(), viewer.to_owned());
        let replay = ReplayEntriesRequest { parent, viewer, ..<_>::default() };
        let mut replay = client.speaking(Protocol::Grpc).stream(&replay).await;
        while let Some(batch) = replay.next().await.expect("it is replayed") {
            told.push(format!("{:?}", batch.message));
        }
    }
    for position in (1..=it.position).step_by(3) {
        let receipt = GetReceiptRequest { name: format!("{name}/entries/{position}/receipt") };
        let receipt = client.ask(&receipt).await.expect("a receipt").receipt.expect("a receipt");
        // The signature is as of the time of asking.
        told.push(format!("{:?}", Receipt { jws: String::new(), ..receipt }));
    }
    if !it.seed.is_empty() {
        told.push(read(&client.speaking(Protocol::Grpc), name).await);
    }
    told
}

/// So many entries of the platform after a cursor, as its stream sends them.
async fn streamed(client: &Client, cursor: &str, count: usize) -> Vec<StreamedEntry> {
    let request = StreamEntriesRequest { cursor: cursor.to_owned(), ..<_>::default() };
    let mut stream = client.stream(&request).await;
    let mut entries = Vec::new();
    while entries.len() < count {
        let batch = stream.next().await.expect("it goes on").expect("it does not end");
        assert_eq!(batch.message.unreadable, []);
        entries.extend(batch.message.entries);
    }
    // Buckets are read concurrently.
    entries.sort_by(|one, other| format!("{one:?}").cmp(&format!("{other:?}")));
    entries
}

/// The cursor after the first entries of the stream, and their number.
async fn early_cursor(client: &Client) -> (String, usize) {
    let mut stream = client.stream(&StreamEntriesRequest::default()).await;
    let first = stream.next().await.expect("it goes on").expect("there are entries");
    (first.message.cursor, first.message.entries.len())
}

async fn searched(client: &Client) -> String {
    let parent = MOUNTEBANK.to_owned();
    let search = SearchEntriesRequest { parent, page_size: 1000, ..<_>::default() };
    let found = client.ask(&search).await.expect("a page");
    assert_eq!(found.unreadable_matches, Vec::<String>::new());
    format!("{:?}", found.entries)
}

/// `croupier verify --all`, which must find nothing wrong. Matches that were reduced to their
/// results are not proven.
async fn verified(installation: &Installation) -> Value {
    let archive = url(installation);
    let verify = ["verify", "--all", "--json", "--archive", &archive];
    let output = program(installation, &verify).output().await.expect("the program runs");
    let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let reduced = told["unproven_counts"]["RESULT_ONLY"].as_u64().unwrap_or_default();
    let status = if reduced > 0 { 3 } else { 0 };
    assert_eq!((output.status.code(), &told["wrong"]), (Some(status), &serde_json::json!([])));
    told
}

#[tokio::test]
async fn an_archived_match_answers_as_before() {
    let mut installation = Installation::open().await;
    let mut second = installation.serve("b").await;
    let archive_of = option(&url(&installation));
    fs::create_dir_all(folder(&installation)).expect("a folder");
    installation.service.restart_with(&[archive_of]).await;
    let a = installation.client(Protocol::Grpc);
    let b = second.client(Protocol::Rest);
    let mut database = installation.database().await;
    let names = ended(&a, 4).await;
    let mut running = Playing::new(&a, 2, 9).await;
    running.steps(6).await;
    caught_up(&mut database).await;

    let mut before = Vec::new();
    for name in &names {
        before.push(told(&a, name).await);
    }
    let recorded = count(&mut database, "select count(*) from entries").await as usize;
    let (all, (cursor, early)) = (streamed(&a, "", recorded).await, early_cursor(&a).await);
    let (later, found) = (streamed(&a, &cursor, recorded - early).await, searched(&a).await);
    let read_models = rows(&mut database).await;
    let files = installation.folder.path().to_owned();
    let exported = export(&installation, &files.join("before"), &["--seeds"]).await;
    let checked = croupier(&installation, &["verify", "--all", "--json"]).await;
    let checked: Value = serde_json::from_str(&checked).expect("JSON");

    // A rehearsal changes nothing, nor does a run for older matches.
    aged().await;
    let rehearsed = archive(&installation, &["--dry-run"]).await;
    assert_eq!(
        (&rehearsed["archived"], rehearsed["unsound"].as_array().map(Vec::len)),
        (&4.into(), Some(0))
    );
    assert_eq!(objects(&folder(&installation)), Vec::<PathBuf>::new());
    let to = url(&installation);
    croupier(&installation, &["archive", "--older-than", "1h", "--to", &to]).await;
    assert_eq!(count(&mut database, ARCHIVED).await, 0);

    let archived = archive(&installation, &[]).await;
    assert_eq!((&archived["archived"], &archived["removed"]), (&4.into(), &serde_json::json!([])));
    for figure in ["entries", "bytes", "object_bytes"] {
        assert_eq!(archived[figure], rehearsed[figure], "{figure}");
    }
    assert_eq!(objects(&folder(&installation)).len(), 4);
    let again = archive(&installation, &["--sweep"]).await;
    assert_eq!((&again["archived"], &again["removed"]), (&0.into(), &serde_json::json!([])));
    // In the database only the last entry of each says anything.
    let whole = "select count(*)
        from entries
        join archived_matches as its using (bucket, match_id)
        where entries.position < its.position and (body <> '' or request_id is not null)";
    assert_eq!(count(&mut database, whole).await, 0);
    let digests = "select count(*) from entries where digest is null";
    assert_eq!(count(&mut database, digests).await, 0);

    // A process that has the matches in memory, and one that never had.
    second.restart_with(&[archive_of]).await;
    for client in [&a, &b] {
        for (name, before) in names.iter().zip(&before) {
            let after = told(client, name).await;
            assert_eq!(after.len(), before.len());
            for (one, other) in before.iter().zip(&after) {
                assert_eq!(one, other);
            }
        }
        assert_eq!(streamed(client, "", recorded).await, all);
        assert_eq!(streamed(client, &cursor, recorded - early).await, later);
        assert_eq!(searched(client).await, found);
    }
    running.finish().await;

    // A read model is folded from the archive, too.
    caught_up(&mut database).await;
    let now = rows(&mut database).await;
    for model in MODELS {
        croupier(&installation, &["project", "rebuild", model, archive_of]).await;
    }
    assert_eq!(rows(&mut database).await, now);
    assert_eq!(now.len(), read_models.len());

    // Files and verification.
    let again = export(&installation, &files.join("after"), &["--seeds", archive_of]).await;
    for name in &names {
        let part = |text: &str| {
            let begin = text.find(&format!(r#"{{"match":{{"name":"{name}""#)).expect("it is there");
            let end = text[begin..].find(r#"{"end":"#).expect("it ends");
            text[begin..begin + end].to_owned()
        };
        assert_eq!(part(&exported), part(&again));
    }
    let checked_again = verified(&installation).await;
    for figure in ["matches", "service_only", "wrong_matches"] {
        assert_eq!(checked_again[figure], checked[figure], "{figure}");
    }
    // One was under way before.
    let unproven = (&checked["not_proven"], &checked_again["not_proven"]);
    assert_eq!(unproven, (&1.into(), &0.into()));
}

#[tokio::test]
async fn without_the_archive_only_archived_matches_fail() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let names = ended(&client, 2).await;
    aged().await;
    archive(&installation, &[]).await;
    let young = ended(&client, 1).await.remove(0);
    let of_young = told(&client, &young).await;
    let fails = async |client: &Client, code: Code, reason: &str| {
        for name in &names {
            let list = ListEntriesRequest { parent: name.clone(), ..<_>::default() };
            client.ask(&list).await.expect_err("it cannot be read").check(code, reason);
            let past = GetViewRequest { name: name.clone(), position: Some(2), ..<_>::default() };
            client.ask(&past).await.expect_err("it cannot be read").check(code, reason);
        }
        assert_eq!(told(client, &young).await, of_young);
        // Lists need nothing of it.
        let listed = client.ask(&ListMatchesRequest::default()).await.expect("a list").matches;
        assert_eq!(listed.len(), 3);
        let search = SearchEntriesRequest { parent: MOUNTEBANK.to_owned(), ..<_>::default() };
        let found = client.ask(&search).await.expect("a page");
        assert_eq!(found.unreadable_matches.len(), 2);
        let mut stream = client.stream(&StreamEntriesRequest::default()).await;
        loop {
            match stream.next().await {
                Ok(batch) => drop(batch.expect("it does not end well")),
                Err(failure) => break failure.check(code, reason),
            }
        }
    };

    // Archived by a release that did not note the place.
    let mut database = installation.database().await;
    let forget = "delete from archive_place";
    sqlx::raw_sql(forget).execute(&mut database).await.expect("it is forgotten");
    installation.service.restart_with(&[]).await;
    fails(&client, Code::FailedPrecondition, "ARCHIVE_NOT_GIVEN").await;
    let log = log_tail(&installation.service.folder);
    assert!(log.contains("name it with --archive"), "{log}");
    for command in [&["verify", "--all"][..], &["export"]] {
        let database = installation.postgres().url();
        let said = failure(&[command, &["--database-url", &database]].concat()).await;
        assert!(said.contains("an archive that nobody named"), "{said}");
    }

    // The place is not there, as when a volume is not mounted; and then it is.
    let archive_of = option(&url(&installation));
    installation.service.restart_with(&[archive_of]).await;
    let (cold, away) = (folder(&installation), installation.folder.path().join("away"));
    fs::rename(&cold, &away).expect("it is moved");
    fails(&client, Code::Unavailable, "ARCHIVE_UNAVAILABLE").await;
    fs::remove_dir_all(&cold).ok();
    fs::rename(&away, &cold).expect("it is moved back");
    for name in &names {
        assert!(entries(&client, name, "seats/0").await.len() > 5);
    }
}

#[tokio::test]
async fn running_processes_find_the_archive_wherever_it_is_moved() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let name = ended(&client, 1).await.remove(0);
    let known = entries(&client, &name, "seats/0").await;
    aged().await;
    archive(&installation, &[]).await;
    // Each has read nothing of the match, and was started before there was an archive.
    let (mut here, mut there) = (installation.serve("b").await, installation.serve("c").await);
    let clients = [here.client(Protocol::Rest), there.client(Protocol::Rest)];
    let clients = clients.map(|it| it.holding(installation.service.key()));
    assert_eq!(entries(&clients[0], &name, "seats/0").await, known);

    let (cold, moved) = (folder(&installation), installation.folder.path().join("moved"));
    let to = format!("file://{}", moved.display());
    let database = installation.postgres().url();
    let arguments = ["archive", "--older-than", "1s", "--database-url", &database, "--to", &to];
    let said = failure(&arguments).await;
    assert!(said.contains(&url(&installation)) && said.contains("--moved"), "{said}");
    let said = failure(&[&arguments[..], &["--moved"]].concat()).await;
    assert!(said.contains("copy them first"), "{said}");
    fs::remove_dir_all(&moved).expect("it is empty");
    fs::rename(&cold, &moved).expect("it is moved");
    croupier(&installation, &["archive", "--older-than", "1s", "--to", &to, "--moved"]).await;
    assert_eq!(entries(&clients[1], &name, "seats/0").await, known);
    let checked = croupier(&installation, &["verify", "--all", "--json"]).await;
    let checked: Value = serde_json::from_str(&checked).expect("JSON");
    assert_eq!((&checked["matches"], &checked["wrong_matches"]), (&1.into(), &0.into()));
    for service in [&mut here, &mut there] {
        service.kill().await;
    }
}

#[tokio::test]
async fn nobody_else_can_read_an_archive() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    ended(&client, 2).await;
    aged().await;
    // Whatever the umask would allow.
    let to = url(&installation);
    let run = program(&installation, &["archive", "--older-than", "1s", "--to", &to]);
    let mut shell = Command::new("sh");
    shell.args(["-c", "umask 0; exec \"$@\"", "sh"]).arg(run.as_std().get_program());
    shell.args(run.as_std().get_args()).stdout(Stdio::null());
    assert!(shell.status().await.expect("it runs").success());
    let closed = modes(&folder(&installation));
    assert!(closed.len() > 4, "{closed:?}");
    assert!(closed.values().all(|mode| [0o700, 0o600].contains(mode)), "{closed:?}");

    // As an earlier release left them.
    for (path, mode) in &closed {
        let open = if *mode == 0o600 { 0o644 } else { 0o755 };
        fs::set_permissions(path, Permissions::from_mode(open)).expect("they are ours");
    }
    let mended = archive(&installation, &[]).await;
    // The folder itself was there before, or may hold other things.
    assert_eq!(mended["mended"], closed.len() - 1);
    let mut expected = closed.clone();
    expected.insert(folder(&installation), 0o755);
    assert_eq!(modes(&folder(&installation)), expected);
    assert_eq!(archive(&installation, &[]).await["mended"], 0);
}

/// The modes of everything in a folder.
fn modes(path: &Path) -> BTreeMap<PathBuf, u32> {
    let metadata = fs::symlink_metadata(path).expect("it is there");
    let mut found = BTreeMap::from([(path.to_owned(), metadata.permissions().mode() & 0o7777)]);
    if metadata.is_dir() {
        for entry in fs::read_dir(path).expect("it can be read").flatten() {
            found.extend(modes(&entry.path()));
        }
    }
    found
}

#[tokio::test]
async fn an_altered_object_is_found() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let names = ended(&client, 3).await;
    aged().await;
    archive(&installation, &[]).await;
    let archive_of = option(&url(&installation));
    let [altered, gone, whole] = &names[..] else { panic!("three were played") };
    let path = object(&installation, altered).await;
    let bytes = fs::read(&path).expect("an object");
    let path_gone = object(&installation, gone).await;
    let bytes_gone = fs::read(&path_gone).expect("an object");
    fs::remove_file(&path_gone).expect("it is removed");
    for at in [0, bytes.len() / 2, bytes.len()] {
        let mut changed = bytes.clone();
        if at == bytes.len() {
            changed.push(0)
        } else {
            changed[at] ^= 1
        }
        fs::write(&path, changed).expect("it is altered");
        installation.service.restart_with(&[archive_of]).await;
        for name in [altered, gone] {
            let list = ListEntriesRequest { parent: name.clone(), ..<_>::default() };
            let refused = client.ask(&list).await.expect_err("it was altered");
            refused.check(Code::DataLoss, "ARCHIVE_DAMAGED");
        }
        entries(&client, whole, "seats/0").await;
    }
    let database = installation.postgres().url();
    let verify = ["verify", "--all", "--json", "--database-url", &database, archive_of];
    let output = run(&verify).await;
    assert!(!output.status.success());
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(found["wrong_matches"], 2);
    for name in [altered, gone] {
        assert!(found["wrong"].to_string().contains(name.as_str()), "{found}");
    }
    // Streams pass it and go on.
    let length = get(&client, whole).await.position as usize;
    // The last entry of each match is in the database.
    let sent = streamed(&client, "", length + 2).await;
    let of = |name: &String| sent.iter().filter(|it| format!("{it:?}").contains(name)).count();
    assert_eq!((of(whole), of(altered), of(gone)), (length, 1, 1));

    fs::write(&path, bytes).expect("it is as it was");
    fs::write(&path_gone, bytes_gone).expect("it is as it was");
    verified(&installation).await;
    for name in &names {
        assert!(entries(&client, name, "seats/0").await.len() > 5);
    }

    // Nor does it help to alter what the database says of the object.
    let cold = ColdStore::open(&url(&installation)).expect("it is there");
    let options = database::Options::new(installation.postgres().options());
    let connected = Database::connect(options).await.expect("it connects");
    let archive = Archive::new(&connected, Some(cold));
    let options =
        event_log::Options { cold: Some(Arc::new(archive)), ..event_log::Options::new(RECORD) };
    let log = Log::new(&connected, options);
    let id = MatchId(altered.strip_prefix("matches/").unwrap().parse().expect("an id"));
    let mut rows = log.entries(id, Position::START, 1000).await.expect("they are restored");
    let mut body = rows[2].body.to_vec();
    let last = body.len() - 1;
    body[last] ^= 1;
    rows[2].body = Bytes::from(body);
    let packed = keeping::archiving::pack(id, &rows).expect("it is small");
    let forged = Archived::new(id, Position(rows.len() as i64), String::new(), &packed);
    fs::write(&path, &packed).expect("it is altered");
    sqlx::query("update archived_matches set bytes = $2, hash = $3 where match_id = $1")
        .bind(id.0)
        .bind(forged.bytes)
        .bind(&forged.hash[..])
        .execute(&mut installation.database().await)
        .await
        .expect("it is altered");
    installation.service.restart_with(&[archive_of]).await;
    let list = ListEntriesRequest { parent: altered.clone(), ..<_>::default() };
    let refused = client.ask(&list).await.expect_err("it was altered");
    refused.check(Code::DataLoss, "RECORD_ALTERED");
    failure(&["verify", "--all", "--database-url", &database, archive_of]).await;
    connected.close().await;
}

#[tokio::test]
async fn runs_that_are_killed_lose_and_double_nothing() {
    let mut installation = Installation::open().await;
    croupier(&installation, &["load", "--matches", "100", "--players", "12"]).await;
    let client = installation.client(Protocol::Grpc);
    let archive_of = option(&url(&installation));
    fs::create_dir_all(folder(&installation)).expect("a folder");
    installation.service.restart_with(&[archive_of]).await;
    let mut database = installation.database().await;
    aged().await;
    let files = installation.folder.path().to_owned();
    let before = export(&installation, &files.join("before"), &["--seeds"]).await;
    let listed = client.ask(&ListMatchesRequest { page_size: 100, ..<_>::default() }).await;
    let names: Vec<String> =
        listed.expect("a list").matches.into_iter().map(|it| it.name).take(20).collect();
    let mut known = Vec::new();
    for name in &names {
        known.push(entries(&client, name, "house").await);
    }

    let to = url(&installation);
    let arguments = ["archive", "--older-than", "1s", "--to", &to];
    let mut chance = ChaCha::of([5; 32], 0);
    let (mut killed, mut done_at_last) = (0, false);
    while !done_at_last {
        let mut run =
            program(&installation, &arguments).stdout(Stdio::null()).spawn().expect("it runs");
        // Each time a little later: it is killed early on a fast machine, and comes to an end on a
        // slow one.
        let wait = Duration::from_millis(30 + 15 * killed + chance.below(50) as u64);
        // Readers that know nothing, and others, while it runs.
        let nth = chance.below(names.len());
        let reading = async { entries(&client, &names[nth], "house").await };
        let (ended, read) = tokio::join!(tokio::time::timeout(wait, run.wait()), reading);
        assert_eq!(read, known[nth]);
        match ended {
            Ok(status) => {
                assert!(status.expect("a child").success());
                done_at_last = true;
            }
            Err(_) => {
                run.kill().await.expect("it is killed");
                killed += 1;
                if killed > 60 {
                    done_at_last = program(&installation, &arguments)
                        .status()
                        .await
                        .expect("it runs")
                        .success();
                }
            }
        }
    }
    assert!(killed > 3, "it was killed {killed} times only");
    let after = export(&installation, &files.join("after"), &["--seeds", archive_of]).await;
    assert!(after == before, "the export is another one");
    let checked = verified(&installation).await;
    assert_eq!(checked["wrong_matches"], 0);
    installation.service.restart_with(&[archive_of]).await;
    for (name, known) in names.iter().zip(&known) {
        assert_eq!(entries(&client, name, "house").await, *known);
    }
    // What the killed runs left is found, and nothing else.
    archive(&installation, &["--sweep"]).await;
    let archived = count(&mut database, ARCHIVED).await;
    assert!(archived > 50, "{archived}");
    assert_eq!(objects(&folder(&installation)).len() as i64, archived);
    let swept = export(&installation, &files.join("swept"), &["--seeds", archive_of]).await;
    assert!(swept == before, "the export is another one");
}

#[tokio::test]
async fn of_several_runs_at_once_one_archives_each_match() {
    let installation = Installation::open().await;
    croupier(&installation, &["load", "--matches", "60", "--players", "8"]).await;
    let files = installation.folder.path().to_owned();
    let before = export(&installation, &files.join("before"), &["--seeds"]).await;
    aged().await;
    let runs = [
        archive(&installation, &[]),
        archive(&installation, &[]),
        archive(&installation, &["--sweep"]),
    ];
    let runs = futures::future::join_all(runs).await;
    let sum: i64 = runs.iter().map(|it| it["archived"].as_i64().expect("a number")).sum();
    let mut database = installation.database().await;
    assert_eq!(count(&mut database, ARCHIVED).await, sum);
    archive(&installation, &["--sweep"]).await;
    let archived = count(&mut database, ARCHIVED).await;
    assert_eq!(objects(&folder(&installation)).len() as i64, archived);
    let archive_of = option(&url(&installation));
    let after = export(&installation, &files.join("after"), &["--seeds", archive_of]).await;
    assert!(after == before, "the export is another one");
    verified(&installation).await;
}

#[tokio::test]
async fn a_match_is_reduced_while_it_is_archived() {
    let installation = Installation::open().await;
    croupier(&installation, &["load", "--matches", "60", "--players", "8"]).await;
    aged().await;
    fs::create_dir_all(folder(&installation)).expect("a folder");
    let archive_of = option(&url(&installation));
    let retention = ["retention", "--ended", "1s", archive_of];
    tokio::join!(
        archive(&installation, &[]),
        archive(&installation, &["--sweep"]),
        croupier(&installation, &retention),
        croupier(&installation, &retention),
    );
    // What was archived after its result had been kept is removed by the next run.
    archive(&installation, &["--sweep"]).await;
    let mut database = installation.database().await;
    let archived = count(&mut database, ARCHIVED).await;
    assert_eq!(objects(&folder(&installation)).len() as i64, archived);
    let both = "select count(*) from archived_matches join kept_results using (match_id)";
    assert_eq!(count(&mut database, both).await, 0);
    assert!(count(&mut database, "select count(*) from kept_results").await > 30);
    verified(&installation).await;
}

#[tokio::test]
async fn what_is_reduced_to_its_result_leaves_the_archive() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let names = ended(&client, 3).await;
    let mut database = installation.database().await;
    aged().await;
    archive(&installation, &[]).await;
    let archive_of = option(&url(&installation));

    // Archived by a release that did not note the place: they cannot be read, so they are left.
    let forget = "delete from archive_place";
    sqlx::raw_sql(forget).execute(&mut database).await.expect("it is forgotten");
    let retention = ["retention", "--ended", "1s"];
    let said =
        failure(&[&retention[..], &["--database-url", &installation.postgres().url()]].concat())
            .await;
    assert!(said.contains("3 matches left alone"), "{said}");
    assert_eq!(count(&mut database, "select count(*) from kept_results").await, 0);

    let told = croupier(&installation, &[&retention[..], &["--json", archive_of]].concat()).await;
    let told: Value = serde_json::from_str(&told).expect("JSON");
    assert_eq!((&told["reduced"], &told["objects"]), (&3.into(), &3.into()));
    assert_eq!(objects(&folder(&installation)), Vec::<PathBuf>::new());
    assert_eq!(count(&mut database, "select count(*) from archived_matches").await, 0);
    installation.service.restart_with(&[archive_of]).await;
    for name in &names {
        let list = ListEntriesRequest { parent: name.clone(), ..<_>::default() };
        let gone = client.ask(&list).await.expect_err("it is gone");
        gone.check(Code::FailedPrecondition, "HISTORY_NOT_KEPT");
    }
    assert_eq!(archive(&installation, &[]).await["archived"], 0);

    // One that was reduced while somebody archived it: as the statement of that one leaves it.
    let name = ended(&client, 1).await.remove(0);
    aged().await;
    archive(&installation, &[]).await;
    let path = object(&installation, &name).await;
    let bytes = fs::read(&path).expect("an object");
    let row: (i16, Uuid, String, i64, i64, Vec<u8>) = sqlx::query_as(
        "select bucket, match_id, object, position, bytes, hash from archived_matches",
    )
    .fetch_one(&mut database)
    .await
    .expect("a row");
    croupier(&installation, &[&retention[..], &[archive_of]].concat()).await;
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(&path, bytes).expect("it is there again");
    sqlx::query(
        "insert into archived_matches (bucket, match_id, object, position, bytes, hash)
         values ($1, $2, $3, $4, $5, $6)",
    )
    .bind(row.0)
    .bind(row.1)
    .bind(row.2)
    .bind(row.3)
    .bind(row.4)
    .bind(row.5)
    .execute(&mut database)
    .await
    .expect("it is there again");
    installation.service.restart_with(&[archive_of]).await;
    let list = ListEntriesRequest { parent: name.clone(), ..<_>::default() };
    let gone = client.ask(&list).await.expect_err("it is gone");
    gone.check(Code::FailedPrecondition, "HISTORY_NOT_KEPT");
    let swept = archive(&installation, &[]).await;
    assert_eq!(swept["removed"].as_array().map(Vec::len), Some(1));
    assert_eq!(objects(&folder(&installation)), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn an_erased_player_is_erased_from_the_archive() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let name = ended(&client, 1).await.remove(0);
    aged().await;
    archive(&installation, &[]).await;
    let archive_of = option(&url(&installation));
    installation.service.restart_with(&[archive_of]).await;
    let says =
        async |text: &str| format!("{:?}", entries(&client, &name, "seats/1").await).contains(text);
    assert!(says("Psst 0").await);
    // Nobody is named in an object, and nobody can read there what was said.
    let object = fs::read(object(&installation, &name).await).expect("an object");
    let mut plain = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::DeflateDecoder::new(&object[4..]), &mut plain)
        .expect("it is packed so");
    for secret in [&*player(0), &player(1), "Psst"] {
        assert!(!plain.windows(secret.len()).any(|it| it == secret.as_bytes()), "{secret}");
    }
    let erasing = ErasePlayerRequest { name: format!("players/{}", player(0)) };
    assert!(client.ask(&erasing).await.expect("a platform may").erased);
    let archive_of = option(&url(&installation));
    installation.service.restart_with(&[archive_of]).await;
    assert!(!says("Psst 0").await);
    assert!(!format!("{:?}", get(&client, &name).await).contains(&player(0)));
    verified(&installation).await;
}

/// A server that speaks S3, from PyPI.
pub struct S3 {
    _server: Child,
    pub endpoint: String,
}

pub const CREDENTIALS: [(&str, &str); 3] =
    [("AWS_ACCESS_KEY_ID", "cold"), ("AWS_SECRET_ACCESS_KEY", "cold"), ("AWS_REGION", "us-east-1")];

impl S3 {
    pub async fn start() -> S3 {
        let python = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.tools/venv/bin/python");
        let script = "
import sys, time
import boto3
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address='127.0.0.1', port=0, verbose=False)
server.start()
host, port = server.get_host_and_port()
endpoint = f'http://{host}:{port}'
boto3.client('s3', endpoint_url=endpoint).create_bucket(Bucket='cold')
print(endpoint, flush=True)
while True:
    time.sleep(60)
";
        let mut server = Command::new("setpriv");
        server.args(["--pdeathsig", "KILL", "--", python, "-c", script]);
        server.envs(CREDENTIALS).env("AWS_DEFAULT_REGION", "us-east-1");
        server.stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
        let mut server = server.spawn().expect("`.ci/install python` installs it");
        let stdout = server.stdout.take().expect("it is piped");
        let mut lines = tokio::io::AsyncBufReadExt::lines(tokio::io::BufReader::new(stdout));
        let line = tokio::time::timeout(PATIENCE, lines.next_line()).await.expect("it starts");
        let endpoint = line.expect("text").expect("`.ci/install python` installs moto");
        S3 { _server: server, endpoint }
    }
}

#[tokio::test]
async fn an_archive_may_be_in_s3() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let names = ended(&client, 2).await;
    let mut before = Vec::new();
    for name in &names {
        before.push(told(&client, name).await);
    }
    aged().await;
    let s3 = S3::start().await;
    let endpoint = s3.endpoint.clone();
    let with_s3 = |mut command: Command| {
        command.envs(CREDENTIALS).env("AWS_ENDPOINT_URL", &endpoint);
        command
    };
    let to = "s3://cold/old/matches";
    let arguments = ["archive", "--json", "--older-than", "1s", "--to", to, "--sweep"];
    let output = with_s3(program(&installation, &arguments)).output().await.expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let told_of: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&told_of["archived"], &told_of["removed"]), (&2.into(), &serde_json::json!([])));

    let verify = ["verify", "--all", "--archive", to];
    let verified = with_s3(program(&installation, &verify)).status().await.expect("it runs");
    assert!(verified.success());
    let mut second = installation.serve("b").await;
    let environment = [("CROUPIER_ARCHIVE", to), ("AWS_ENDPOINT_URL", &*s3.endpoint)];
    let environment = environment.into_iter().chain(CREDENTIALS);
    second.environment = environment.map(|(name, value)| (name, value.to_owned())).collect();
    second.restart_with(&[]).await;
    let cold = second.client(Protocol::Rest);
    for (name, before) in names.iter().zip(&before) {
        assert_eq!(told(&cold, name).await, *before);
    }
    // It goes away; who has read the match before still has it.
    drop(s3);
    for name in &names {
        entries(&cold, name, "seats/0").await;
    }
    second.restart_with(&[]).await;
    for name in &names {
        let list = ListEntriesRequest { parent: name.clone(), ..<_>::default() };
        let refused = cold.ask(&list).await.expect_err("it is not there");
        refused.check(Code::Unavailable, "ARCHIVE_UNAVAILABLE");
    }
}
