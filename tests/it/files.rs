//! Files: matches exported from one installation, read without a service, and imported into
//! another.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use contract::v1::ListMatchesRequest;
use records::{EntryLine, Header, Line, Reader, VERSION, Writer, read_match};
use table::{Layout, Viewer};

use crate::harness::*;

/// Runs the program to its end.
pub async fn run(arguments: &[&str]) -> Output {
    let arguments: Vec<String> = arguments.iter().map(|&it| it.to_owned()).collect();
    let run = move || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
        command.args(arguments).stdin(Stdio::null()).env_remove("RUST_LOG");
        command.output().expect("the program runs")
    };
    tokio::task::spawn_blocking(run).await.expect("it ends")
}

/// The output of a run that succeeds.
pub async fn done(arguments: &[&str]) -> String {
    let output = run(arguments).await;
    let said = String::from_utf8_lossy(&output.stderr);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "croupier {arguments:?} said: {said}\n{text}");
    text
}

/// The error output of a failing run.
pub async fn failure(arguments: &[&str]) -> String {
    let output = run(arguments).await;
    assert!(!output.status.success(), "croupier {arguments:?} was to fail");
    String::from_utf8(output.stderr).expect("text")
}

pub async fn export(installation: &Installation, path: &Path, more: &[&str]) -> String {
    let url = installation.postgres().url();
    let out = path.to_str().expect("a plain path");
    let arguments = ["export", "--database-url", &url, "--out", out];
    done(&[&arguments[..], more].concat()).await;
    fs::read_to_string(path).expect("it was written")
}

pub async fn import(installation: &Installation, path: &Path) {
    let url = installation.postgres().url();
    done(&["import", "--database-url", &url, path.to_str().expect("a plain path")]).await;
}

fn file(installation: &Installation, name: &str) -> PathBuf {
    installation.folder.path().join(name)
}

/// An installation with two ended matches and a running one.
pub async fn played() -> (Installation, Vec<Playing>) {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut matches = Vec::new();
    for seed in 0..3 {
        let mut playing = Playing::new(&client, 2, seed).await;
        if seed == 2 {
            playing.steps(6).await;
        } else {
            playing.finish().await;
        }
        matches.push(playing);
    }
    (installation, matches)
}

#[tokio::test]
async fn export_import_export_is_the_identity() {
    let (installation, mut matches) = played().await;
    let text = export(&installation, &file(&installation, "all"), &["--seeds"]).await;
    let other = Installation::open().await;
    import(&other, &file(&installation, "all")).await;
    import(&other, &file(&installation, "all")).await;
    assert_eq!(export(&other, &file(&other, "all"), &["--seeds"]).await, text);

    let (ours, theirs) = (installation.client(Protocol::Grpc), other.client(Protocol::Grpc));
    for it in &matches {
        let there = get(&theirs, &it.name).await;
        assert_eq!(there, get(&ours, &it.name).await);
        for viewer in ["spectator", "seats/0"] {
            assert_eq!(
                entries(&theirs, &it.name, viewer).await,
                entries(&ours, &it.name, viewer).await
            );
        }
    }
    let running = matches.last_mut().expect("one is running");
    running.seats.fill(theirs.clone());
    running.finish().await;
    let it = get(&theirs, &running.name).await;
    let listed = entries(&theirs, &it.name, "house").await;
    Truth::of(&it, Viewer::House, &listed).check_deals(&it);
}

#[tokio::test]
async fn a_running_match_keeps_its_seed_secret() {
    let (installation, matches) = played().await;
    let text = export(&installation, &file(&installation, "all"), &[]).await;
    assert_eq!(text.matches("\"seed\":").count(), 2);
    let other = Installation::open().await;
    let (url, all) = (other.postgres().url(), file(&installation, "all"));
    let all = all.to_str().expect("a plain path");
    let said = failure(&["import", "--database-url", &url, all]).await;
    assert!(said.contains(&matches[2].name) && said.contains("--seeds"), "{said}");
    assert!(
        said.contains("croupier: 2 matches,") && said.contains("1 match left out: not over"),
        "{said}"
    );
    let theirs = other.client(Protocol::Grpc);
    let listed = theirs.ask(&ListMatchesRequest::default()).await.expect("a list").matches;
    assert_eq!(listed.len(), 2, "those that are over are there");
}

/// Digests cover the platform, so they are computed again.
#[tokio::test]
async fn matches_can_be_imported_for_another_platform() {
    let (installation, matches) = played().await;
    let all = file(&installation, "all");
    export(&installation, &all, &["--seeds"]).await;
    let other = Installation::open().await;
    let (url, all) = (other.postgres().url(), all.to_str().expect("a plain path"));
    let key = other.platform("guest").await;
    done(&["import", "--database-url", &url, "--platform", "guest", all]).await;
    let guest = other.client(Protocol::Grpc).holding(key);
    let ours = installation.client(Protocol::Grpc);
    for it in &matches {
        assert_eq!(get(&guest, &it.name).await.position, get(&ours, &it.name).await.position);
        let (here, there) = (
            entries(&ours, &it.name, "spectator").await,
            entries(&guest, &it.name, "spectator").await,
        );
        assert_ne!(here[0].digest, there[0].digest);
    }
    other
        .client(Protocol::Grpc)
        .ask(&contract::v1::GetMatchRequest {
            name: matches[0].name.clone(),
            ..contract::v1::GetMatchRequest::default()
        })
        .await
        .expect_err("the guest's");
    export(&other, &file(&other, "again"), &["--seeds"]).await;
    let again = file(&other, "again");
    let checked = run(&["import", "--check", again.to_str().expect("a plain path")]).await;
    let said = String::from_utf8(checked.stderr).expect("text");
    // One is under way.
    assert_eq!(checked.status.code(), Some(3), "{said}");
    assert!(said.contains("2 proven, 1 under way, 0 not proven, 0 wrong"), "{said}");
}

#[tokio::test]
async fn an_interrupted_export_is_completed() {
    let (installation, _) = played().await;
    let whole = export(&installation, &file(&installation, "whole"), &[]).await;
    for part in [0, 1, 30, whole.len() / 3, whole.len() / 2, whole.len() - 1, whole.len()] {
        let path = file(&installation, "part");
        fs::write(&path, &whole[..part]).expect("a file");
        if (1..80).contains(&part) && !whole[..part].contains('\n') {
            // Without a complete first line this may be any file.
            let url = installation.postgres().url();
            let out = path.to_str().expect("a plain path");
            let said = failure(&["export", "--database-url", &url, "--out", out]).await;
            assert!(said.contains("line 1"), "{said}");
            continue;
        }
        assert_eq!(export(&installation, &path, &[]).await, whole, "completed from {part} bytes");
    }
    let first = whole.lines().find(|line| line.starts_with("{\"end\"")).expect("a match ends");
    let name = first.split('"').nth(5).expect("its name").to_owned();
    let rest = export(&installation, &file(&installation, "rest"), &["--after", &name]).await;
    let begun = whole.find(first).expect("it is there") + first.len() + 1;
    let header = whole.lines().next().expect("a first line");
    assert_eq!(rest, format!("{header}\n{}", &whole[begun..]));
}

#[tokio::test]
async fn a_forged_file_is_refused_with_the_line_number() {
    let (installation, _) = played().await;
    let text = export(&installation, &file(&installation, "all"), &[]).await;
    let lines: Vec<&str> = text.lines().collect();
    let doctored = async |name: &str, lines: &[String], wanted: &str| {
        let path = file(&installation, name);
        fs::write(&path, lines.iter().map(|line| format!("{line}\n")).collect::<String>())
            .expect("a file");
        let path = path.to_str().expect("a plain path");
        for command in [&["import", "--check", path][..], &["replay", "--match", "none", path]] {
            let said = failure(command).await;
            assert!(said.contains(wanted), "{name}: {said}, not {wanted}");
        }
    };
    let own = || lines.iter().map(|&line| line.to_owned()).collect::<Vec<String>>();

    let mut altered = own();
    altered[9] = altered[9].replacen("\"position\":8", "\"position\":9", 1);
    assert_ne!(altered[9], lines[9]);
    doctored("altered", &altered, "line 10: its check is wrong").await;
    let mut lost = own();
    lost.remove(4);
    doctored("lost", &lost, "line 5: its check is wrong").await;
    doctored("cut", &own()[..7], "line 8: the file was cut off within matches/").await;
    doctored(
        "foreign",
        &["{}".to_owned()],
        "line 1: it is not a file of records: its first line is not a header",
    )
    .await;
    doctored("empty", &[], "line 1: the file is empty").await;

    // Recomputed checksums do not help a forger: the contents contradict each other.
    let forged = async |name: &str, forge: &dyn Fn(&mut Line), wanted: &str| {
        let lines = forged(&text, forge);
        doctored(name, &lines.lines().map(str::to_owned).collect::<Vec<_>>(), wanted).await;
    };
    let gap = |line: &mut _| {
        if let Line::Entry(entry) = line
            && entry.position == 4
        {
            entry.position = 5;
        }
    };
    forged("gap", &gap, "line 6: position 4 is next, not 5").await;
    let body = |line: &mut _| {
        if let Line::Entry(entry) = line
            && entry.position == 3
        {
            entry.body = "/////w==".to_owned();
        }
    };
    forged("body", &body, "line 5: its body is not an entry").await;
    let verb = |line: &mut _| {
        if let Line::Entry(entry) = line
            && entry.position == 3
        {
            entry.verb = "open".to_owned();
        }
    };
    forged("verb", &verb, "line 5: its seat or verb differs from its body").await;
    let seed = |line: &mut _| {
        if let Line::Match(it) = line {
            it.seed = Some("00".repeat(32));
        }
    };
    forged("seed", &seed, "line 2: the seed does not match its commitment").await;

    let timed = async |name: &str, time: &str, wanted: &str| {
        let time = |line: &mut _| {
            if let Line::Entry(entry) = line
                && entry.position == 3
            {
                entry.create_time = time.to_owned();
            }
        };
        forged(name, &time, wanted).await;
    };
    let altered = "its digest is wrong: this entry, one before it, or what the match was created";
    timed("earlier", "2026-01-01T00:00:00Z", "line 5: its time is before that of the entry").await;
    timed("later", "2100-01-01T00:00:00Z", &format!("line 5: {altered}")).await;
    let promise = |line: &mut _| {
        if let Line::Match(it) = line {
            it.reveal_wait_s = None;
        }
    };
    forged("promise", &promise, &format!("line 3: {altered}")).await;
}

/// One that is wrong, one without proofs, and one that is not.
#[tokio::test]
async fn matches_that_are_wrong_are_named_and_the_others_imported() {
    let (installation, mut matches) = played().await;
    matches[2].finish().await;
    let text = export(&installation, &file(&installation, "all"), &[]).await;
    let in_file = |it: &Playing| text.find(&it.name).expect("it is there");
    matches.sort_by_key(in_file);
    let [bare, right, wrong] = &matches[..] else { panic!("three matches") };
    let at = std::cell::RefCell::new(String::new());
    let forged = forged(&text, &|line| match line {
        Line::Match(it) => at.replace(it.name.clone()).clear(),
        Line::Entry(entry) if *at.borrow() == wrong.name && entry.position == 3 => {
            entry.verb = "open".to_owned();
        }
        Line::Entry(entry) if *at.borrow() == bare.name => {
            entry.digest = None;
            alter(entry, |it| {
                (it.rules, it.choices, it.players) = (0, Vec::new(), Vec::new());
            });
        }
        _ => {}
    });
    let other = Installation::open().await;
    let (url, path) = (other.postgres().url(), file(&other, "forged"));
    fs::write(&path, &forged).expect("a file");
    let path = path.to_str().expect("a plain path");
    for import in [&["import", "--check", path][..], &["import", "--database-url", &url, path]] {
        let output = run(import).await;
        let said = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(1), "{said}");
        let named = format!("WRONG: {}, position 3, line ", wrong.name);
        assert!(said.contains(&named) && said.contains("[BODY_DIFFERS]"), "{said}");
        let unproven = format!("not proven: {}, position 1: ", bare.name);
        assert!(said.contains(&unproven) && said.contains("[NO_PROOFS]"), "{said}");
        assert!(!said.contains(&right.name), "{said}");
        let tally = "1 proven, 0 under way, 0 not proven, 1 wrong, 1 that cannot be recorded";
        assert!(said.contains(tally), "{said}");
        assert!(said.contains("1 match left out: wrong"), "{said}");
        if import.len() > 3 {
            assert!(said.contains("croupier: 1 match, "), "{said}");
        }
    }
    let theirs = other.client(Protocol::Grpc);
    let listed = theirs.ask(&ListMatchesRequest::default()).await.expect("a list").matches;
    let names: Vec<&str> = listed.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, [&right.name]);

    // A match that was played on elsewhere does not stop the others either.
    let all = file(&installation, "all");
    let all = all.to_str().expect("a plain path");
    let id = right.name.trim_start_matches("matches/");
    sqlx::query("update entries set body = body || '\\x00' where match_id = $1::text::uuid and position = 2")
        .bind(id)
        .execute(&mut other.database().await)
        .await
        .expect("the database answers");
    let output = run(&["import", "--database-url", &url, all]).await;
    let said = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains(&format!("left out: {} exists already", right.name)), "{said}");
    assert!(said.contains("croupier: 2 matches, "), "{said}");
}

#[tokio::test]
async fn a_file_with_all_secrets_shows_each_viewer_its_own_view() {
    let (installation, matches) = played().await;
    let running = &matches[2];
    let text = export(&installation, &file(&installation, "all"), &["--seeds"]).await;
    let all = file(&installation, "all");
    let all = all.to_str().expect("a plain path");
    let mut listed = Vec::new();
    let mut reader = Reader::new(text.as_bytes()).expect("a file");
    while let Some(it) = read_match(&mut reader).expect("a match") {
        if running.name.ends_with(&it.row.match_id.0.to_string()) {
            listed = it.decoded;
        }
    }
    assert_eq!(listed.len(), 7);
    let (address, key) =
        (format!("http://127.0.0.1:{}", installation.service.port()), installation.service.key());
    let service = ["--address", &address, "--key", &key, "entries", &running.name, "--json"];
    let replay = ["replay", "--json", "--match", &running.name, all];
    let seat = |number: u8| Viewer::Seat(number.try_into().expect("a seat"));
    for (viewer, arguments) in
        [(seat(0), &["--seat", "0"][..]), (seat(1), &["--seat", "1"]), (Viewer::Spectator, &[])]
    {
        let knowledge = Knowledge::of(viewer, mountebank(), &listed);
        let replayed_as = if arguments.is_empty() { &["--spectator"][..] } else { arguments };
        let lines = done(&[&replay, replayed_as].concat()).await;
        assert_eq!(lines, done(&[&service, arguments].concat()).await, "as from the service");
        for (line, known) in lines.lines().zip(&knowledge.within[1..]) {
            let leaked = &named(line.as_bytes(), mountebank()) - known;
            assert!(leaked.is_empty(), "{viewer:?} is told of {leaked:?}: {line}");
        }
        for (at, known) in (0..).zip(&knowledge.after).skip(1).step_by(3) {
            let at: i32 = at;
            let drawn = done(&[&replay, replayed_as, &["--at", &at.to_string()]].concat()).await;
            let leaked = &named(drawn.as_bytes(), mountebank()) - known;
            assert!(leaked.is_empty(), "{viewer:?} sees {leaked:?} at {at}: {drawn}");
        }
    }
    // The same search finds what only the house sees of the deal: two hands of five.
    let deal = done(&replay).await;
    let deal = deal.lines().next().expect("a deal");
    let open = &Knowledge::of(Viewer::Spectator, mountebank(), &listed).within[1];
    assert_eq!((&named(deal.as_bytes(), mountebank()) - open).len(), 10);
}

fn mountebank() -> &'static Layout {
    games::find("mountebank").expect("a game").layout()
}

/// The file with altered lines and recomputed checksums.
pub fn forged(text: &str, forge: &dyn Fn(&mut Line)) -> String {
    let mut reader = Reader::new(text.as_bytes()).expect("a file");
    let mut output = Vec::new();
    let mut writer = Writer::new(&mut output);
    writer.write(&Line::Croupier(Header { version: VERSION })).expect("memory takes it");
    while let Some(mut line) = reader.read().expect("a line") {
        forge(&mut line);
        writer.write(&line).expect("memory takes it");
    }
    String::from_utf8(output).expect("text")
}

/// Alters the body of a Mountebank entry.
fn alter(line: &mut EntryLine, how: impl FnOnce(&mut table::Entry)) {
    let body = BASE64_STANDARD.decode(&line.body).expect("base64");
    let mut entry = table::Entry::decode(&body, mountebank()).expect("an entry");
    how(&mut entry);
    line.body = BASE64_STANDARD.encode(entry.encode());
}

#[tokio::test]
async fn a_file_is_narrated_and_drawn_without_a_service() {
    let (installation, matches) = played().await;
    export(&installation, &file(&installation, "all"), &[]).await;
    let all = file(&installation, "all");
    let all = all.to_str().expect("a plain path");
    let client = installation.client(Protocol::Rest);
    let (address, key) =
        (format!("http://127.0.0.1:{}", installation.service.port()), installation.service.key());
    let service = ["--address", &address, "--key", &key];
    for it in &matches[..2] {
        for seat in [["--seat", "0"], ["--seat", "1"]] {
            let replay = ["replay", "--match", &it.name, all];
            let listed = done(&[&replay[..], &seat].concat()).await;
            let entries = ["entries", &it.name];
            assert_eq!(listed, done(&[&service[..], &entries, &seat].concat()).await);
            for at in ["1", "7"] {
                let drawn = done(&[&replay[..], &seat, &["--at", at, "--json"]].concat()).await;
                let drawn: serde_json::Value = serde_json::from_str(&drawn).expect("JSON");
                let view = ["view", &it.name, "--at", at, "--json"];
                let seen = done(&[&service[..], &view, &seat].concat()).await;
                assert_eq!(drawn, serde_json::from_str::<serde_json::Value>(&seen).expect("JSON"));
            }
        }
    }
    let last = get(&client, &matches[0].name).await.position;
    let beyond = (last + 1).to_string();
    let said = failure(&["replay", all, "--at", &beyond]).await;
    assert!(said.contains(&format!("the match has 1 to {last}")), "{said}");
    let said = failure(&["replay", all, "--seat", "2"]).await;
    assert!(said.contains("there is no seat 2"), "{said}");
}

/// By default the command uses a data folder whose service may be running.
#[tokio::test]
async fn a_running_services_private_database_can_be_exported() {
    let folder = new_folder();
    copy_cluster(&folder.path().join("postgres")).await;
    let service = Service::start(folder.path(), None).await;
    let client = service.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 2, 1).await;
    playing.finish().await;
    let data = folder.path().to_str().expect("a plain path");
    let running = done(&["export", "--data", data]).await;
    assert!(running.contains(&playing.name));
    let position = get(&client, &playing.name).await.position;
    assert_eq!(running.lines().count() as i32, position + 3);
    let request = ListMatchesRequest::default();
    assert_eq!(client.ask(&request).await.expect("it goes on").matches.len(), 1);
}
