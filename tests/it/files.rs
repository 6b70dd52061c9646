//! Files: matches taken out of one house, read without any, and taken over by another.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use api::v1::*;

use crate::harness::*;

/// Runs the program to its end.
async fn run(arguments: &[&str]) -> Output {
    let arguments: Vec<String> = arguments.iter().map(|&it| it.to_owned()).collect();
    let run = move || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
        command.args(arguments).stdin(Stdio::null()).env_remove("RUST_LOG");
        command.output().expect("the program runs")
    };
    tokio::task::spawn_blocking(run).await.expect("it ends")
}

async fn done(arguments: &[&str]) -> String {
    let output = run(arguments).await;
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "croupier {arguments:?} said: {said}");
    String::from_utf8(output.stdout).expect("text")
}

/// What it says when it fails.
async fn failure(arguments: &[&str]) -> String {
    let output = run(arguments).await;
    assert!(!output.status.success(), "croupier {arguments:?} was to fail");
    String::from_utf8(output.stderr).expect("text")
}

async fn export(house: &House, path: &Path, more: &[&str]) -> String {
    let url = house.postgres().url();
    let out = path.to_str().expect("a plain path");
    let arguments = ["export", "--database-url", &url, "--out", out];
    done(&[&arguments[..], more].concat()).await;
    fs::read_to_string(path).expect("it was written")
}

async fn import(house: &House, path: &Path) {
    let url = house.postgres().url();
    done(&["import", "--database-url", &url, path.to_str().expect("a plain path")]).await;
}

fn file(house: &House, name: &str) -> PathBuf {
    house.folder.path().join(name)
}

/// A house with two matches that are over and one that is not.
async fn played() -> (House, Vec<Playing>) {
    let house = House::open().await;
    let client = house.client(Protocol::Grpc);
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
    (house, matches)
}

#[tokio::test]
async fn what_is_exported_imported_and_exported_again_is_the_same() {
    let (house, mut matches) = played().await;
    let text = export(&house, &file(&house, "all"), &["--seeds"]).await;
    let other = House::open().await;
    import(&other, &file(&house, "all")).await;
    import(&other, &file(&house, "all")).await;
    assert_eq!(export(&other, &file(&other, "all"), &["--seeds"]).await, text);

    let (ours, theirs) = (house.client(Protocol::Grpc), other.client(Protocol::Grpc));
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
    let told = entries(&theirs, &it.name, "house").await;
    Truth::of(&it, table::Viewer::House, &told).check_deals(&it);
}

#[tokio::test]
async fn a_match_that_is_not_over_keeps_its_seed() {
    let (house, matches) = played().await;
    let text = export(&house, &file(&house, "all"), &[]).await;
    assert_eq!(text.matches("\"seed\":").count(), 2);
    let other = House::open().await;
    let (url, all) = (other.postgres().url(), file(&house, "all"));
    let all = all.to_str().expect("a plain path");
    let said = failure(&["import", "--database-url", &url, all]).await;
    assert!(said.contains(&matches[2].name) && said.contains("--seeds"), "{said}");
}

#[tokio::test]
async fn an_export_that_was_cut_off_is_completed() {
    let (house, _) = played().await;
    let whole = export(&house, &file(&house, "whole"), &[]).await;
    for part in [0, 1, 30, whole.len() / 3, whole.len() / 2, whole.len() - 1, whole.len()] {
        let path = file(&house, "part");
        fs::write(&path, &whole[..part]).expect("a file");
        if (1..80).contains(&part) && !whole[..part].contains('\n') {
            // Not even the first line is there: this may be anybody's file.
            let url = house.postgres().url();
            let out = path.to_str().expect("a plain path");
            let said = failure(&["export", "--database-url", &url, "--out", out]).await;
            assert!(said.contains("line 1"), "{said}");
            continue;
        }
        assert_eq!(export(&house, &path, &[]).await, whole, "completed from {part} bytes");
    }
    let first = whole.lines().find(|line| line.starts_with("{\"end\"")).expect("a match ends");
    let name = first.split('"').nth(5).expect("its name").to_owned();
    let rest = export(&house, &file(&house, "rest"), &["--after", &name]).await;
    let begun = whole.find(first).expect("it is there") + first.len() + 1;
    let header = whole.lines().next().expect("a first line");
    assert_eq!(rest, format!("{header}\n{}", &whole[begun..]));
}

#[tokio::test]
async fn a_doctored_file_is_refused_at_its_line() {
    let (house, _) = played().await;
    let text = export(&house, &file(&house, "all"), &[]).await;
    let lines: Vec<&str> = text.lines().collect();
    let doctored = async |name: &str, lines: &[String], wanted: &str| {
        let path = file(&house, name);
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
    doctored("altered", &altered, "line 10: its check does not fit").await;
    let mut lost = own();
    lost.remove(4);
    doctored("lost", &lost, "line 5: its check does not fit").await;
    doctored("cut", &own()[..7], "line 8: the file was cut off within matches/").await;
    doctored("foreign", &["{}".to_owned()], "line 1: it is no line of such a file").await;
    doctored("empty", &[], "line 1: the file is empty").await;

    // Whoever computes the checks anew is found out by what the lines say.
    let forged = async |name: &str, forge: &dyn Fn(&mut croupier::file::Line), wanted: &str| {
        let mut reader = croupier::file::Reader::new(text.as_bytes()).expect("a file");
        let mut output = Vec::new();
        let mut writer = croupier::file::Writer::new(&mut output);
        let version = croupier::file::VERSION;
        let header = croupier::file::Line::Croupier(croupier::file::Header { version });
        writer.write(&header).expect("memory takes it");
        while let Some(mut line) = reader.read().expect("a line") {
            forge(&mut line);
            writer.write(&line).expect("memory takes it");
        }
        let lines = String::from_utf8(output).expect("text");
        doctored(name, &lines.lines().map(str::to_owned).collect::<Vec<_>>(), wanted).await;
    };
    use croupier::file::Line::{Entry, Match};
    let gap = |line: &mut _| {
        if let Entry(entry) = line
            && entry.position == 4
        {
            entry.position = 5;
        }
    };
    forged("gap", &gap, "line 6: position 4 comes next, not 5").await;
    let body = |line: &mut _| {
        if let Entry(entry) = line
            && entry.position == 3
        {
            entry.body = "/////w==".to_owned();
        }
    };
    forged("body", &body, "line 5: its body is no entry of mountebank").await;
    let verb = |line: &mut _| {
        if let Entry(entry) = line
            && entry.position == 3
        {
            entry.verb = "open".to_owned();
        }
    };
    forged("verb", &verb, "line 5: it says another seat or verb than its body").await;
    let seed = |line: &mut _| {
        if let Match(it) = line {
            it.seed = Some("00".repeat(32));
        }
    };
    forged("seed", &seed, "line 2: the seed is not the one that was committed to").await;
}

#[tokio::test]
async fn a_file_is_told_and_drawn_without_a_service() {
    let (house, matches) = played().await;
    export(&house, &file(&house, "all"), &[]).await;
    let all = file(&house, "all");
    let all = all.to_str().expect("a plain path");
    let client = house.client(Protocol::Rest);
    let (address, key) =
        (format!("http://127.0.0.1:{}", house.service.port()), house.service.key());
    let service = ["--address", &address, "--key", &key];
    for it in &matches[..2] {
        for seat in [["--seat", "0"], ["--seat", "1"]] {
            let replay = ["replay", "--match", &it.name, all];
            let told = done(&[&replay[..], &seat].concat()).await;
            let entries = ["entries", &it.name];
            assert_eq!(told, done(&[&service[..], &entries, &seat].concat()).await);
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

/// The default: a data folder, whose service may be running.
#[tokio::test]
async fn a_running_services_own_database_is_exported_from() {
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
    assert_eq!(running.lines().count() as i64, position + 3);
    let request = ListMatchesRequest::default();
    assert_eq!(client.ask(&request).await.expect("it goes on").matches.len(), 1);
}
