//! Erased players: nothing is left of who they were and what they said, and everything else stays.

use std::fs;
use std::path::{Path, PathBuf};

use contract::v1::event::Kind;
use contract::v1::*;
use records::{Reader, WholeMatch, read_match};
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection};
use tonic::Code;

use crate::files::{done, export, import};
use crate::harness::*;
use crate::projections::{caught_up, croupier, rows};
use crate::public_records::{public, read};

/// Who is erased, as nothing else in the database is called.
const PERSON: &str = "mildred-4711";
const DISPLAY_NAME: &str = "Mildred Quicksilver";
const ALOUD: &str = "Everybody shall hear my marmalade secret";
const ASIDE: &str = "Nobody but you shall hear of the trombone";

fn erasing(player: &str) -> ErasePlayerRequest {
    ErasePlayerRequest { name: format!("players/{player}") }
}

async fn erase(client: &Client, player: &str) -> bool {
    client.ask(&erasing(player)).await.expect("a platform may").erased
}

/// A match with talk between the person, who sits on seat 0, and another player.
fn with_person(request_id: &str) -> CreateMatchRequest {
    CreateMatchRequest {
        players: vec![PERSON.to_owned(), player(1)],
        display_names: vec![DISPLAY_NAME.to_owned(), String::new()],
        options: [("talk".to_owned(), "on".to_owned())].into(),
        tags: [("host".to_owned(), PERSON.to_owned())].into(),
        request_id: request_id.to_owned(),
        ..new_match(2)
    }
}

/// Says something, to everyone or to some.
async fn say(
    client: &Client,
    name: &str,
    seat: u32,
    to: &[u32],
    text: &str,
) -> Result<(), Failure> {
    let request = format!(
        r#"{{"name":"{name}","seat":{seat},"requestId":"{}","action":{{"table":{{"say":{{"to":{to:?},"text":"{text}"}}}}}}}}"#,
        text.len()
    );
    client.call("SubmitAction", &request).await.map(drop)
}

/// What a viewer is told that was said.
fn said(entries: &[Entry]) -> Vec<Said> {
    let of = |entry: &Entry| match &entry.events[..] {
        [Event { kind: Some(Kind::Said(said)) }] => Some(said.clone()),
        _ => None,
    };
    entries.iter().filter_map(of).collect()
}

async fn standings(client: &Client) -> Vec<Standing> {
    let parent = MOUNTEBANK.to_owned();
    let request = ListStandingsRequest { parent, ..ListStandingsRequest::default() };
    client.ask(&request).await.expect("a list").standings
}

async fn execute(database: &mut PgConnection, statement: &str) {
    until("it is executed", async || {
        let statement = sqlx::raw_sql(AssertSqlSafe(statement.to_owned()));
        match statement.execute(&mut *database).await {
            // What rewrites the catalogue may meet a session that begins.
            Err(error) if is_deadlock(&error) => None,
            done => Some(done.expect("it is valid")),
        }
    })
    .await;
}

fn is_deadlock(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code());
    code.is_some_and(|code| code == "40P01")
}

/// Every file under a folder that contains one of these texts, with the text.
fn found_in(folder: &Path, texts: &[&str]) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("it can be read").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(found_in(&path, texts));
        } else if let Ok(bytes) = fs::read(&path) {
            let has = |text: &str| bytes.windows(text.len()).any(|it| it == text.as_bytes());
            let those = texts.iter().filter(|text| has(text));
            found.extend(those.map(|text| (path.clone(), text.to_string())));
        }
    }
    found
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "one story, step by step")]
async fn nothing_of_an_erased_player_is_left_anywhere() {
    let installation = Installation::open().await;
    let rest = installation.client(Protocol::Rest);
    let client = installation.client(Protocol::Grpc);
    let mut database = installation.database().await;
    croupier(&installation, &["load", "--matches", "20", "--players", "8"]).await;
    let mut names = Vec::new();
    for (nth, client) in [&client, &rest, &client].into_iter().enumerate() {
        let created = create(client, &with_person(&format!("match {nth}").replace(' ', "-"))).await;
        say(client, &created.name, 0, &[], ALOUD).await.expect("to all");
        say(client, &created.name, 0, &[1], ASIDE).await.expect("to one");
        say(client, &created.name, 1, &[], "Well said!").await.expect("by another");
        let mut playing = Playing::of(client, &created, nth as u64);
        // The last one goes on.
        if nth < 2 {
            playing.finish().await
        } else {
            playing.steps(4).await
        }
        names.push(created.name);
    }
    let (ended, running) = (&names[0], &names[2]);
    let filter = StreamFilter { players: vec![PERSON.to_owned()], ..<_>::default() };
    let subscription = CreateSubscriptionRequest {
        name: "subscriptions/hers".to_owned(),
        filter: Some(filter),
        ..<_>::default()
    };
    client.ask(&subscription).await.expect("it is new");
    caught_up(&mut database).await;

    // Before: they are found, but for the words, which nobody can read in the database.
    let all = [PERSON, DISPLAY_NAME, ALOUD, ASIDE];
    let base = installation.folder.path().join("database/cluster/base");
    execute(&mut database, "checkpoint").await;
    let found = found_in(&base, &all);
    for text in all {
        let is_found = found.iter().any(|it| it.1 == text);
        assert_eq!(is_found, [PERSON, DISPLAY_NAME].contains(&text), "{text}");
    }
    let viewers = ["seats/0", "seats/1", "spectator", "house"];
    let mut before = Vec::new();
    for viewer in viewers {
        before.push(entries(&client, ended, viewer).await);
    }
    assert_eq!(
        said(&before[0]).iter().map(|it| &*it.text).collect::<Vec<_>>(),
        [ALOUD, ASIDE, "Well said!"]
    );
    let receipt = async |entry: &Entry| {
        let request = GetReceiptRequest { name: format!("{}/receipt", entry.name) };
        client.ask(&request).await.expect("a receipt").receipt.expect("a receipt").digest
    };
    let last = before[0].last().expect("it was played").clone();
    let digest = receipt(&last).await;
    let rated = standings(&client).await;
    let results = rows(&mut database).await;

    assert!(erase(&client, PERSON).await);
    for client in [&client, &rest] {
        assert!(!erase(client, PERSON).await, "there is nothing to erase any more");
        assert!(!erase(client, "nobody").await);
    }

    // Matches and entries: as before, but for the person and her words.
    let seats = get(&client, ended).await.seats;
    let pseudonym = seats[0].player.clone();
    assert!(pseudonym.starts_with("erased-") && pseudonym.len() > 30, "{pseudonym}");
    assert_eq!((&*seats[0].display_name, &*seats[1].player), ("", &*player(1)));
    for name in &names {
        let it = get(&rest, name).await;
        assert_eq!((&it.seats[0].player, &it.tags["host"]), (&pseudonym, &pseudonym));
    }
    for (viewer, before) in viewers.iter().zip(&before) {
        let after = entries(&client, ended, viewer).await;
        assert_eq!(after.len(), before.len());
        for (one, other) in before.iter().zip(&after) {
            assert_eq!(
                (&one.digest, &one.verb, &one.prompts),
                (&other.digest, &other.verb, &other.prompts)
            );
            if said(std::slice::from_ref(one)).is_empty() {
                assert_eq!(one, other, "{viewer}");
            }
        }
        let heard = said(&after);
        let is_told = *viewer != "spectator";
        assert_eq!((heard[0].erased, heard[0].everyone, &*heard[0].text), (true, true, ""));
        assert_eq!((heard[1].erased, &*heard[1].text), (is_told, ""), "{viewer}");
        assert_eq!((heard[2].erased, &*heard[2].text), (false, "Well said!"));
    }
    assert_eq!(receipt(&last).await, digest);

    // Results: the same of everyone, and the same again when they are rebuilt.
    let as_she_was = |text: &String| text.replace(&pseudonym, PERSON);
    let now = rows(&mut database).await;
    for (table, rows) in &results {
        let mut lines: Vec<String> =
            now[table].lines().map(|it| as_she_was(&it.to_owned())).collect();
        lines.sort();
        let mut expected: Vec<&str> = rows.lines().collect();
        expected.sort_unstable();
        assert_eq!(lines, expected, "{table}");
    }
    let mut renamed = standings(&client).await;
    for it in &mut renamed {
        it.player = as_she_was(&it.player);
    }
    let by_name = |mut list: Vec<Standing>| {
        list.sort_by(|one, other| one.player.cmp(&other.player));
        list
    };
    assert_eq!(by_name(renamed), by_name(rated));
    croupier(&installation, &["project", "rebuild", "players"]).await;
    assert_eq!(rows(&mut database).await, now);
    let gone = GetPlayerRequest { name: format!("players/{PERSON}"), ..<_>::default() };
    client.ask(&gone).await.expect_err("she is gone").check(Code::NotFound, "PLAYER_NOT_FOUND");
    let request = GetSubscriptionRequest { name: "subscriptions/hers".to_owned() };
    let kept = client.ask(&request).await.expect("it is there").subscription.expect("it");
    assert_eq!(kept.filter.expect("a filter").players, std::slice::from_ref(&pseudonym));

    // The running match goes on; the seat says nothing any more, and a retry is a retry.
    let refused = say(&client, running, 0, &[], "Are you still there?").await;
    refused.expect_err("erased").check(Code::FailedPrecondition, "PLAYER_ERASED");
    say(&client, running, 0, &[], ALOUD).await.expect("it was said before");
    say(&client, running, 1, &[], "She is gone.").await.expect("others talk on");
    let it = get(&client, running).await;
    let mut playing = Playing::of(&client, &it, 9);
    playing.asked = it.waiting_for.first().copied();
    playing.finish().await;

    // Not a byte of the database, the log or a new file has her.
    until_old_rows_are_removable(&mut database).await;
    execute(&mut database, "vacuum (full, analyze)").await;
    execute(&mut database, "vacuum full pg_statistic").await;
    execute(&mut database, "checkpoint").await;
    assert_eq!(found_in(&base, &all), []);
    assert_eq!(found_in(&installation.service.folder, &all), []);
    let file = installation.folder.path().join("all.jsonl");
    let text = export(&installation, &file, &["--seeds"]).await;
    assert!(all.iter().all(|it| !text.contains(it)) && text.contains(&pseudonym));

    // The file verifies, replays, and is imported with what is left of the talk.
    let id = ended.trim_start_matches("matches/");
    let path = file.to_str().expect("a plain path");
    let replayed = done(&["replay", path, "--match", id]).await;
    assert!(replayed.contains("that has been erased") && replayed.contains("Well said!"));
    let other = Installation::open().await;
    import(&other, &file).await;
    let copied = entries(&other.client(Protocol::Grpc), ended, "house").await;
    assert_eq!(said(&copied), said(&entries(&client, ended, "house").await));

    // Who comes back is somebody new.
    let again = create(&client, &with_person("again")).await;
    assert_eq!((&*again.seats[0].player, &*again.seats[0].display_name), (PERSON, DISPLAY_NAME));
    say(&client, &again.name, 0, &[], ALOUD).await.expect("she may talk");
    assert_eq!(said(&entries(&rest, &again.name, "spectator").await)[0].text, ALOUD);
    assert_eq!(get(&client, ended).await.seats[0].player, pseudonym);
}

#[tokio::test]
async fn other_processes_and_open_streams_forget_within_seconds() {
    let installation = Installation::open().await;
    let other = installation.serve("b").await;
    let (client, remote) = (installation.client(Protocol::Grpc), other.client(Protocol::Grpc));
    let created = create(&remote, &with_person("match")).await;
    say(&remote, &created.name, 0, &[], ALOUD).await.expect("to all");
    let english = remote.with_header("accept-language", "en");
    let parent = created.name.clone();
    let watching = WatchEntriesRequest { parent, ..WatchEntriesRequest::default() };
    let mut watch = english.watch(&watching).await;
    let told = watch.up_to(2).await.expect("it is told");
    assert!(told[1].text.contains(DISPLAY_NAME) && told[1].text.contains(ALOUD), "{told:?}");

    assert!(erase(&client, PERSON).await);
    until("the other process forgets the player", async || {
        let it = get(&remote, &created.name).await;
        it.seats[0].player.starts_with("erased-").then_some(())
    })
    .await;
    let told = entries(&remote, &created.name, "seats/1").await;
    assert_eq!((said(&told)[0].erased, &*said(&told)[0].text), (true, ""));
    // A stream that has known her.
    say(&remote, &created.name, 1, &[0], ASIDE).await.expect("others talk on");
    let told = watch.up_to(3).await.expect("it is told");
    let mut playing = Playing::of(&remote, &get(&remote, &created.name).await, 3);
    playing.steps(6).await;
    let more = watch.up_to(9).await.expect("it is told");
    let texts: Vec<&str> = told.iter().chain(&more).map(|it| &*it.text).collect();
    assert!(texts.iter().all(|text| !text.contains(DISPLAY_NAME)), "{texts:?}");
    assert!(texts.iter().any(|text| text.contains("Erased-")), "{texts:?}");
    // The seat is silent there, too.
    let refused = say(&remote, &created.name, 0, &[], "Hello?").await;
    refused.expect_err("erased").check(Code::FailedPrecondition, "PLAYER_ERASED");
}

#[tokio::test]
async fn an_erasure_that_a_crash_interrupts_is_carried_out_at_the_next_start() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut database = installation.database().await;
    let created = create(&client, &with_person("match")).await;
    say(&client, &created.name, 0, &[], ALOUD).await.expect("to all");
    Playing::of(&client, &created, 5).finish().await;
    caught_up(&mut database).await;

    // The work stands half way at a table that somebody has locked.
    let mut holder = installation.database().await;
    let mut lock = holder.begin().await.expect("a transaction");
    let locked = sqlx::raw_sql("lock table standings in access exclusive mode");
    locked.execute(&mut *lock).await.expect("it is free");
    let calling = client.clone();
    let call = tokio::spawn(async move { calling.ask(&erasing(PERSON)).await });
    const WAITING: &str = "select pid from pg_stat_activity
         where wait_event_type = 'Lock' and query like '%erase_player%'";
    let backend: i32 = until("the work has begun", async || {
        sqlx::query_scalar(WAITING).fetch_optional(&mut database).await.expect("an answer")
    })
    .await;
    installation.service.kill().await;
    let failed = call.await.expect("it ends").expect_err("nobody answers");
    assert!(failed.is_of_connection(), "{failed:?}");
    // The crash of the machine: no session goes on by itself.
    let end = format!("select pg_terminate_backend({backend}, 5000)");
    execute(&mut database, &end).await;
    lock.rollback().await.expect("it is released");

    let left = "select (select count(*) from erasures where player is not null),
         (select count(*) from seats where player = 'mildred-4711'),
         (select count(*) from standings where player = 'mildred-4711')";
    let count = async |database: &mut PgConnection| -> (i64, i64, i64) {
        sqlx::query_as(left).fetch_one(database).await.expect("counts")
    };
    assert_eq!(count(&mut database).await, (1, 1, 1), "claimed, and not carried out");
    installation.service.start_again().await;
    until("it is carried out", async || (count(&mut database).await == (0, 0, 0)).then_some(()))
        .await;
    until("the service has forgotten", async || {
        let it = get(&client, &created.name).await;
        it.seats[0].player.starts_with("erased-").then_some(())
    })
    .await;
    let told = entries(&client, &created.name, "seats/1").await;
    assert_eq!((said(&told)[0].erased, &*said(&told)[0].text), (true, ""));
    assert!(!erase(&client, PERSON).await, "it was done");
}

#[tokio::test]
async fn a_file_has_the_keys_of_what_was_said() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let created = create(&client, &with_person("match")).await;
    say(&client, &created.name, 0, &[1], ASIDE).await.expect("to one");
    let file = installation.folder.path().join("one.jsonl");
    let text = export(&installation, &file, &["--seeds"]).await;
    assert!(text.contains("speech_key") && !text.contains(ASIDE));
    let replayed = done(&["replay", file.to_str().expect("a plain path")]).await;
    assert!(replayed.contains(ASIDE), "{replayed}");

    let other = Installation::open().await;
    import(&other, &file).await;
    let imported = other.client(Protocol::Grpc);
    assert_eq!(said(&entries(&imported, &created.name, "seats/1").await)[0].text, ASIDE);
    assert!(erase(&imported, PERSON).await);
    assert!(said(&entries(&imported, &created.name, "seats/1").await)[0].erased);
    assert_eq!(said(&entries(&client, &created.name, "seats/1").await)[0].text, ASIDE);
}

/// A record that was read over the API, verified whole.
fn verified(record: &str) -> WholeMatch {
    let mut reader = Reader::new(record.as_bytes()).expect("an archive");
    let whole = read_match(&mut reader).expect("it is right").expect("a match");
    assert!(whole.verified.is_over);
    let verified = &whole.verified;
    assert!(verified.has_seed && verified.earlier.is_none() && verified.later.is_none());
    whole
}

#[tokio::test]
async fn a_record_has_the_keys_of_what_was_said_by_those_who_were_not_erased() {
    let installation = Installation::open().await;
    let second = installation.serve("b").await;
    let clients = [installation.client(Protocol::Grpc), second.client(Protocol::Grpc)];
    let client = &clients[0];
    let created = create(client, &with_person("match")).await;
    say(client, &created.name, 0, &[], ALOUD).await.expect("to all");
    say(client, &created.name, 1, &[0], ASIDE).await.expect("to one");
    let resign = ResignMatchRequest { name: created.name.clone(), seat: Some(0), ..<_>::default() };
    client.ask(&resign).await.expect("it resigns");
    let keys = |record: &str| -> Vec<bool> {
        let row = verified(record).row;
        row.seated.iter().map(|it| it.speech_key.is_some()).collect()
    };
    let file = |name| installation.folder.path().join(name);
    let exported = public(&export(&installation, &file("before"), &[&created.name]).await);
    for client in &clients {
        let record = read(client, &created.name).await;
        assert_eq!(record, exported);
        assert_eq!(keys(&record), [true, true]);
        assert!(record.contains(PERSON) && !record.contains(ALOUD) && !record.contains(ASIDE));
    }
    let entries_before = verified(&exported).entries;

    assert!(erase(client, PERSON).await);
    let exported = public(&export(&installation, &file("after"), &[&created.name]).await);
    for client in &clients {
        let record = read(client, &created.name).await;
        assert_eq!(record, exported);
        assert_eq!(keys(&record), [false, true]);
        assert!(!record.contains(PERSON) && !record.contains(DISPLAY_NAME));
        assert_eq!(verified(&record).entries, entries_before, "no row has changed");
    }
    // Receipts and entries are checked by the same digests as before.
    for client in &clients {
        let last = entries_before.len();
        let name = format!("{}/entries/{last}/receipt", created.name);
        client.ask(&GetReceiptRequest { name }).await.expect("a receipt");
        assert_eq!(entries(client, &created.name, "house").await.len(), last);
    }
}
