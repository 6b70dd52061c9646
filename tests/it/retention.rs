//! Deletion of matches that wait for players, and retention: of matches that ended long ago only
//! the result is kept.

use std::time::Duration;

use contract::v1::*;
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection};
use tokio::time::sleep;
use tonic::Code;

use crate::files::{done, export, failure, import};
use crate::harness::*;
use crate::projections::{MODELS, TABLES, caught_up, croupier, program, rows};

/// A match of two seats, one of them taken.
async fn waiting(client: &Client, request_id: &str) -> Match {
    let players = vec![player(0)];
    let tags = [("event".to_owned(), "cup".to_owned())].into();
    let request_id = request_id.to_owned();
    create(client, &CreateMatchRequest { players, tags, request_id, ..new_match(2) }).await
}

fn delete(name: &str) -> DeleteMatchRequest {
    DeleteMatchRequest { name: name.to_owned(), ..<_>::default() }
}

fn get_of(name: &str) -> GetMatchRequest {
    GetMatchRequest { name: name.to_owned(), ..<_>::default() }
}

fn id_of(name: &str) -> &str {
    name.strip_prefix("matches/").expect("the name of a match")
}

#[track_caller]
fn refused<T: std::fmt::Debug>(answer: Result<T, Failure>, code: Code, reason: &str) {
    answer.expect_err("it is refused").check(code, reason);
}

async fn count(database: &mut PgConnection, query: String) -> i64 {
    let query = sqlx::query_scalar(AssertSqlSafe(query));
    query.fetch_one(database).await.expect("an answer")
}

/// The rows that any table has of a match, but for the note that it was deleted.
async fn rows_of(database: &mut PgConnection, name: &str) -> i64 {
    let tables: Vec<String> = sqlx::query_scalar(
        "select table_name::text
         from information_schema.columns
         join information_schema.tables using (table_schema, table_name)
         where table_schema = 'public' and column_name = 'match_id' and table_type = 'BASE TABLE'
             and table_name <> 'deleted_matches'",
    )
    .fetch_all(&mut *database)
    .await
    .expect("tables");
    assert!(tables.len() > 10, "{tables:?}");
    let mut found = 0;
    for table in tables {
        let id = id_of(name);
        found +=
            count(database, format!("select count(*) from {table} where match_id = '{id}'")).await;
    }
    found
}

// === Deletion ===

#[tokio::test]
async fn a_deleted_match_is_gone_everywhere() {
    let installation = Installation::open().await;
    let second = installation.serve("b").await;
    let (a, b) = (installation.client(Protocol::Grpc), second.client(Protocol::Grpc));
    let mut database = installation.database().await;
    for protocol in PROTOCOLS {
        let here = a.speaking(protocol);
        let request_id = format!("night-in-{protocol:?}");
        let it = waiting(&a, &request_id).await;
        let seat = token(&a, &it.name, Some(0)).await;
        let revoke = RevokeTokensRequest { parent: it.name.clone(), seat: Some(1) };
        a.ask(&revoke).await.expect("a platform may");
        // The other process has it in memory, and somebody waits there for its start.
        assert_eq!(get(&b, &it.name).await, it);
        let mut watch =
            b.watch(&WatchEntriesRequest { parent: it.name.clone(), ..<_>::default() }).await;
        sleep(Duration::from_millis(100)).await;

        here.ask(&delete(&it.name)).await.expect("it waits for players");
        refused(here.ask(&delete(&it.name)).await, Code::NotFound, "MATCH_NOT_FOUND");
        let again = DeleteMatchRequest { allow_missing: true, ..delete(&it.name) };
        here.ask(&again).await.expect("it may be gone");
        for client in [&a, &b, &b.holding(&seat)] {
            refused(client.ask(&get_of(&it.name)).await, Code::NotFound, "MATCH_NOT_FOUND");
        }
        let join = JoinMatchRequest { name: it.name.clone(), player: player(1), ..<_>::default() };
        refused(b.ask(&join).await, Code::NotFound, "MATCH_NOT_FOUND");
        let tag = TagMatchRequest { name: it.name.clone(), ..<_>::default() };
        refused(b.ask(&tag).await, Code::NotFound, "MATCH_NOT_FOUND");
        for client in [&a, &b] {
            let listed = client.ask(&ListMatchesRequest::default()).await.expect("a list");
            assert!(listed.matches.iter().all(|other| other.name != it.name));
        }
        refused(watch.next().await, Code::NotFound, "MATCH_NOT_FOUND");
        assert_eq!(rows_of(&mut database, &it.name).await, 0);
        // A late retry of the request that created it does not bring it back.
        let again = CreateMatchRequest { request_id, ..new_match(2) };
        refused(b.ask(&again).await, Code::FailedPrecondition, "MATCH_DELETED");
    }
}

#[tokio::test]
async fn a_match_that_has_started_cannot_be_deleted() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest);
    let mut playing = Playing::new(&client, 2, 1).await;
    let not_open = (Code::FailedPrecondition, "MATCH_STARTED");
    refused(client.ask(&delete(&playing.name)).await, not_open.0, not_open.1);
    playing.finish().await;
    refused(client.ask(&delete(&playing.name)).await, not_open.0, not_open.1);
    check_record(&playing, &[&client], &mut installation.database().await).await;

    // Another platform's match, and no match, are the same to it.
    let rival = client.holding(installation.platform("rival").await);
    let open = waiting(&client, "").await;
    refused(rival.ask(&delete(&open.name)).await, Code::NotFound, "MATCH_NOT_FOUND");
    let missing = DeleteMatchRequest { allow_missing: true, ..delete(&open.name) };
    rival.ask(&missing).await.expect("to a stranger it is missing");
    assert_eq!(get(&client, &open.name).await.name, open.name, "and it is still there");
    assert_eq!(get(&client, &open.name).await, open);

    let address = format!("--address=http://127.0.0.1:{}", installation.service.port());
    let key = format!("--key={}", installation.service.key());
    assert!(failure(&["delete", &playing.name, &address, &key]).await.contains("no open seat"));
    let said = done(&["delete", &open.name, &address, &key]).await;
    assert_eq!(said, format!("{} is deleted\n", open.name));
}

#[tokio::test]
async fn of_joins_and_deletions_one_succeeds() {
    let installation = Installation::open().await;
    let second = installation.serve("b").await;
    let (a, b) = (installation.client(Protocol::Grpc), second.client(Protocol::Grpc));
    let mut database = installation.database().await;
    let (mut dealt, mut gone) = (0, 0);
    for number in 0..120 {
        let it = waiting(&a, "").await;
        let name = &it.name;
        // Now and then both processes have it in memory.
        if number % 2 == 0 {
            get(&b, name).await;
        }
        let join = |seat: u32| JoinMatchRequest {
            name: name.clone(),
            player: player(seat),
            ..<_>::default()
        };
        let tag = TagMatchRequest {
            name: name.clone(),
            set: [("stage".to_owned(), number.to_string())].into(),
            ..<_>::default()
        };
        let (first, last, doomed) = (join(1), join(2), delete(name));
        // From together to far apart, whichever is first, on machines of any speed.
        let later = Duration::from_micros(50 << (number % 12));
        let is_doomed_first = number / 12 % 2 == 1;
        let deleting = async {
            sleep(if is_doomed_first { Duration::ZERO } else { later }).await;
            (a.ask(&doomed).await, b.ask(&doomed).await)
        };
        let joining = async {
            sleep(if is_doomed_first { later } else { Duration::ZERO }).await;
            tokio::join!(a.ask(&first), b.ask(&last), b.ask(&tag))
        };
        let ((mine, theirs, tagged), deleted) = tokio::join!(joining, deleting);
        let is_seated = mine.is_ok() || theirs.is_ok();
        let is_deleted = deleted.0.is_ok() || deleted.1.is_ok();
        assert!(is_seated != is_deleted, "{mine:?} {theirs:?} {deleted:?}");
        assert!(!(deleted.0.is_ok() && deleted.1.is_ok()), "it was deleted twice");
        for failure in [mine.err(), theirs.err(), tagged.err()].into_iter().flatten() {
            let is_known = ["MATCH_NOT_FOUND", "MATCH_FULL"]
                .iter()
                .any(|reason| format!("{failure:?}").contains(reason));
            assert!(is_known, "{failure:?}");
        }
        if is_deleted {
            gone += 1;
            for client in [&a, &b] {
                refused(client.ask(&get_of(name)).await, Code::NotFound, "MATCH_NOT_FOUND");
            }
            assert_eq!(rows_of(&mut database, name).await, 0);
        } else {
            dealt += 1;
            let (here, there) = (get(&a, name).await, get(&b, name).await);
            assert_eq!((here.position, here.state()), (1, MatchState::Running));
            assert_eq!(here.name, there.name);
            let mut playing = Playing::of(&b, &there, number);
            assert!(playing.step().await, "it can be played");
        }
    }
    assert!(dealt > 0 && gone > 0, "{dealt} dealt, {gone} deleted");
    // No entry is of a match that is not there.
    let orphans =
        "select count(*) from entries where match_id not in (select match_id from matches)";
    assert_eq!(count(&mut database, orphans.to_owned()).await, 0);
    println!("{dealt} dealt, {gone} deleted");
}

#[tokio::test]
async fn the_role_that_serves_deletes_only_what_was_never_dealt() {
    let mut installation = Installation::open().await;
    let mut database = installation.database().await;
    for statement in ["create role serving login", "create schema evil authorization serving"] {
        sqlx::raw_sql(statement).execute(&mut database).await.expect("it is valid");
    }
    let owner = installation.postgres().url();
    done(&["migrate", "--grant", "serving", "--database-url", &owner]).await;
    installation.service.kill().await;
    let serving = owner.replacen("user=croupier", "user=serving", 1);
    assert_ne!(serving, owner);
    let service = Service::start(&installation.folder.path().join("b"), Some(&serving)).await;
    let client = service.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 2, 1).await;
    playing.finish().await;
    let full = waiting(&client, "").await;
    let open = waiting(&client, "").await;
    client.ask(&delete(&open.name)).await.expect("the service may");

    let mut role = PgConnection::connect(&serving).await.expect("it may");
    for refused in [
        "delete from matches",
        "delete from seats",
        "delete from seeds",
        "delete from deleted_matches",
        "insert into deleted_matches (bucket, match_id) select bucket, match_id from matches",
        "insert into kept_results (bucket, match_id, position, start_time, end_time, body)
         select bucket, match_id, 1, now(), now(), '' from matches",
        "update entries set body = ''",
        "create or replace function delete_open_match(text, uuid) returns boolean
         language sql return true",
    ] {
        let answer = sqlx::raw_sql(AssertSqlSafe(refused)).execute(&mut role).await;
        assert!(answer.is_err(), "{refused}");
    }
    // Nor with tables of its own in place of the real ones.
    let tricks = "set search_path = evil, pg_temp, public;
        create table evil.seats (bucket smallint, match_id uuid);
        create temp table entries (bucket smallint, match_id uuid)";
    sqlx::raw_sql(tricks).execute(&mut role).await.expect("these are its own");
    let deletes = |name: &str| {
        let (platform, id) = ("local", id_of(name));
        format!("select public.delete_open_match('{platform}', '{id}')")
    };
    let query = deletes(&playing.name);
    let played: bool =
        sqlx::query_scalar(AssertSqlSafe(query)).fetch_one(&mut role).await.expect("an answer");
    assert!(!played, "a played match was deleted");
    check_record(&playing, &[&client], &mut database).await;
    // It can do what it is for, so the check above means something.
    let query = deletes(&full.name);
    let waited: bool =
        sqlx::query_scalar(AssertSqlSafe(query)).fetch_one(&mut role).await.expect("an answer");
    assert!(waited);

    let denied = failure(&["retention", "--ended", "1s", "--database-url", &serving]).await;
    assert!(denied.contains("the role that owns the tables"), "{denied}");
}

// === Retention ===

/// Waits until what has just happened is a second old.
async fn aged() {
    sleep(Duration::from_millis(1100)).await;
}

/// Matches as they are kept: an unrevealed one has hidden places.
struct Kept {
    at_end: Playing,
    never: Playing,
    later: Playing,
    running: Playing,
}

async fn of_every_reveal(client: &Client) -> Kept {
    let revealed = async |reveal: Reveal, reveal_delay_s: Option<u32>, seed| {
        let reveal_delay = reveal_delay_s.map(contract::seconds);
        let tags = [("event".to_owned(), "cup".to_owned())].into();
        let request =
            CreateMatchRequest { reveal: reveal.into(), reveal_delay, tags, ..new_match(3) };
        Playing::of(client, &create(client, &request).await, seed)
    };
    let mut kept = Kept {
        at_end: revealed(Reveal::AtEnd, None, 1).await,
        never: revealed(Reveal::Never, None, 2).await,
        later: revealed(Reveal::AfterDelay, Some(1000), 3).await,
        running: revealed(Reveal::AtEnd, None, 4).await,
    };
    for it in [&mut kept.at_end, &mut kept.never, &mut kept.later] {
        it.finish().await;
    }
    kept.running.steps(6).await;
    kept
}

async fn receipt(client: &Client, name: &str, position: i32) -> Receipt {
    let name = format!("{name}/entries/{position}/receipt");
    let answer = client.ask(&GetReceiptRequest { name }).await.expect("a receipt");
    let receipt = answer.receipt.expect("it is there");
    // The signature is as of the time of asking.
    Receipt { jws: String::new(), ..receipt }
}

async fn retain(installation: &Installation, arguments: &[&str]) -> serde_json::Value {
    let said = croupier(installation, &[&["retention", "--json"], arguments].concat()).await;
    serde_json::from_str(&said).expect("JSON")
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "one story, step by step")]
async fn of_an_ended_match_the_result_is_kept() {
    let installation = Installation::open().await;
    let second = installation.serve("b").await;
    let clients = [installation.client(Protocol::Grpc), second.client(Protocol::Rest)];
    let client = &clients[0];
    let mut kept = of_every_reveal(client).await;
    let mut database = installation.database().await;
    caught_up(&mut database).await;
    let before = rows(&mut database).await;
    let url = installation.postgres().url();
    export(&installation, &installation.folder.path().join("before"), &["--seeds"]).await;
    let reduced = [&kept.at_end, &kept.never];
    let (mut matches, mut receipts, mut views) = (Vec::new(), Vec::new(), Vec::new());
    for it in reduced {
        for client in &clients {
            matches.push(get(client, &it.name).await);
        }
        let last = matches.last().expect("one").position;
        receipts.push((receipt(client, &it.name, 2).await, receipt(client, &it.name, last).await));
        views.push(view(client, &it.name, "spectator", None).await);
    }
    let whole = view(client, &kept.at_end.name, "house", None).await;
    let page = async |client: &Client| {
        let request = ListMatchesRequest { state: MatchState::Ended.into(), ..<_>::default() };
        client.ask(&request).await.expect("a list").matches
    };
    let listed = page(client).await;

    // A rehearsal changes nothing.
    aged().await;
    let rehearsed = retain(&installation, &["--ended", "1s", "--idle", "1s", "--dry-run"]).await;
    assert_eq!((&rehearsed["reduced"], &rehearsed["unrevealed"]), (&2.into(), &1.into()));
    assert_eq!(rehearsed["idle"], serde_json::json!([kept.running.name]));
    assert_eq!(entries(client, &kept.at_end.name, "house").await.len() as i32, matches[0].position);
    let told = retain(&installation, &["--ended", "1h"]).await;
    assert_eq!(told["reduced"], 0, "they are not old enough");
    let told = retain(&installation, &["--ended", "1s"]).await;
    assert_eq!((&told["reduced"], &told["unsound"]), (&2.into(), &serde_json::json!([])));
    assert_eq!((&told["entries"], &told["bytes"]), (&rehearsed["entries"], &rehearsed["bytes"]));
    let again = retain(&installation, &["--ended", "1s"]).await;
    assert_eq!((&again["reduced"], &again["entries"]), (&0.into(), &0.into()));

    // Nothing of what was played is left in the database.
    for it in reduced {
        let id = id_of(&it.name);
        let whole = format!(
            "select count(*) from entries
             where match_id = '{id}' and (body <> '' or request_id is not null)"
        );
        assert_eq!(count(&mut database, whole).await, 0);
        for table in ["seeds", "match_snapshots"] {
            let left = format!("select count(*) from {table} where match_id = '{id}'");
            assert_eq!(count(&mut database, left).await, 0, "{table}");
        }
    }

    // Every process forgets it within seconds, and knows the result.
    let gone = (Code::FailedPrecondition, "HISTORY_NOT_KEPT");
    for client in &clients {
        for it in reduced {
            let list = ListEntriesRequest { parent: it.name.clone(), ..<_>::default() };
            until("the entries are forgotten", async || client.ask(&list).await.err()).await;
            refused(client.ask(&list).await, gone.0, gone.1);
            let entry =
                GetEntryRequest { name: format!("{}/entries/1", it.name), ..<_>::default() };
            refused(client.ask(&entry).await, gone.0, gone.1);
            let past =
                GetViewRequest { name: it.name.clone(), position: Some(1), ..<_>::default() };
            refused(client.ask(&past).await, gone.0, gone.1);
            let diff =
                DiffViewsRequest { name: it.name.clone(), from_position: 1, ..<_>::default() };
            refused(client.ask(&diff).await, gone.0, gone.1);
        }
        for it in reduced {
            let (parent, client) = (it.name.clone(), client.speaking(Protocol::Grpc));
            let watch = WatchEntriesRequest { parent: parent.clone(), ..<_>::default() };
            refused(client.watch(&watch).await.next().await, gone.0, gone.1);
            let replay = ReplayEntriesRequest { parent, ..<_>::default() };
            refused(client.stream(&replay).await.next().await, gone.0, gone.1);
            let record = ReadRecordRequest { name: format!("{}/record", it.name) };
            refused(client.stream(&record).await.next().await, gone.0, gone.1);
        }
    }
    let without_seed = |it: &Match| Match { seed: String::new(), ..it.clone() };
    // Also a process that never had them in memory.
    let third = installation.serve("c").await;
    let fresh = third.client(Protocol::Rest);
    for client in clients.iter().chain([&fresh]) {
        until("the seed is forgotten", async || {
            get(client, &kept.at_end.name).await.seed.is_empty().then_some(())
        })
        .await;
        for (nth, it) in reduced.into_iter().enumerate() {
            assert_eq!(get(client, &it.name).await, without_seed(&matches[2 * nth]));
            assert_eq!(view(client, &it.name, "spectator", None).await, views[nth]);
            let last = matches[2 * nth].position;
            assert_eq!(receipt(client, &it.name, 2).await, receipts[nth].0);
            assert_eq!(receipt(client, &it.name, last).await, receipts[nth].1);
            let none =
                GetReceiptRequest { name: format!("{}/entries/{}/receipt", it.name, last + 1) };
            refused(client.ask(&none).await, Code::NotFound, "ENTRY_NOT_FOUND");
            let watch = WatchEntriesRequest {
                parent: it.name.clone(),
                after_position: last,
                ..<_>::default()
            };
            let client = client.speaking(Protocol::Grpc);
            assert!(client.watch(&watch).await.next().await.expect("it ends well").is_none());
            let late =
                ResignMatchRequest { name: it.name.clone(), seat: Some(0), ..<_>::default() };
            refused(client.ask(&late).await, Code::FailedPrecondition, "MATCH_ENDED");
        }
        assert_eq!(view(client, &kept.at_end.name, "house", None).await, whole);
        let seat = view(client, &kept.never.name, "seats/0", None).await;
        assert_eq!(seat.places, views[1].places, "a seat sees what everyone sees");
        let mut listed_now = page(client).await;
        let mut expected: Vec<Match> = listed.clone();
        let is_reduced = |it: &Match| reduced.iter().any(|kept| kept.name == it.name);
        for it in expected.iter_mut().filter(|it| is_reduced(it)) {
            it.seed = String::new();
        }
        listed_now.sort_by(|one, other| one.name.cmp(&other.name));
        expected.sort_by(|one, other| one.name.cmp(&other.name));
        assert_eq!(listed_now, expected);
        let search = SearchEntriesRequest { parent: MOUNTEBANK.to_owned(), ..<_>::default() };
        let found = client.ask(&search).await.expect("what is left").entries;
        let is_found = |it: &Playing| found.iter().any(|entry| entry.name.starts_with(&it.name));
        assert!(is_found(&kept.later) && !reduced.into_iter().any(is_found));
    }
    // What is left to be revealed is whole.
    check_dense(
        &entries(client, &kept.later.name, "spectator").await,
        kept.later.requests.len() as i32 + 1,
    );

    // The read models are as they were, also when they are made anew.
    assert_eq!(rows(&mut database).await, before);
    for model in MODELS {
        croupier(&installation, &["project", "rebuild", model]).await;
    }
    let rebuilt = rows(&mut database).await;
    for table in TABLES {
        assert_eq!(rebuilt[table], before[table], "{table}");
    }

    // Others go on, and so does the projection.
    kept.running.finish().await;
    caught_up(&mut database).await;
    check_record(&kept.running, &[&clients[0], &clients[1]], &mut database).await;

    // Files leave it out, and say so; an older file of it is no damage.
    let out = installation.folder.path().join("after");
    let text = export(&installation, &out, &["--seeds"]).await;
    assert!(text.contains(&kept.later.name) && text.contains(&kept.running.name));
    assert!(
        !reduced.iter().any(|it| text.contains(&format!("\"match\":{{\"name\":\"{}", it.name)))
    );
    let alone = ["export", &kept.at_end.name, "--database-url", &url];
    assert!(failure(&alone).await.contains("only the result"));
    import(&installation, &installation.folder.path().join("before")).await;
    import(&installation, &out).await;
    assert_eq!(get(client, &kept.at_end.name).await, without_seed(&matches[0]));
}

#[tokio::test]
async fn streams_and_subscriptions_pass_what_is_not_kept() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let name = "subscriptions/mail".to_owned();
    let subscribe = CreateSubscriptionRequest { name: name.clone(), ..<_>::default() };
    client.ask(&subscribe).await.expect("it is new");
    let stream = StreamEntriesRequest { heartbeat: Some(contract::seconds(1)), ..<_>::default() };
    let mut old = Playing::new(&client, 2, 1).await;
    let mut running = client.stream(&stream).await;
    let first = running.next().await.expect("it goes on").expect("an entry").message;
    old.finish().await;
    let mut fresh = Playing::new(&client, 2, 2).await;
    fresh.steps(4).await;
    aged().await;
    assert_eq!(retain(&installation, &["--ended", "1s"]).await["reduced"], 1);
    fresh.steps(4).await;
    let expected = entries(&client, &fresh.name, "spectator").await;

    // From the beginning, from a cursor among what is not kept any more, and as a subscription.
    for cursor in [String::new(), first.cursor] {
        let mut stream = client.stream(&StreamEntriesRequest { cursor, ..stream.clone() }).await;
        let mut received = Vec::new();
        while received.len() < expected.len() {
            let batch = stream.next().await.expect("it goes on").expect("no end").message;
            assert!(batch.unreadable.is_empty());
            received.extend(batch.entries.into_iter().map(|it| it.entry.expect("an entry")));
        }
        assert_eq!(received, expected);
    }
    let consume = ConsumeSubscriptionRequest {
        name: name.clone(),
        heartbeat: Some(contract::seconds(1)),
        ..<_>::default()
    };
    let mut consumer = client.stream(&consume).await;
    let mut received = 0;
    let mut cursor = String::new();
    while received < expected.len() {
        let batch = consumer.next().await.expect("it goes on").expect("no end").message;
        received += batch.entries.len();
        cursor = batch.cursor;
    }
    assert_eq!(received, expected.len());
    client.ask(&AcknowledgeEntriesRequest { name, cursor }).await.expect("acknowledged");
    // The stream that was open all the time goes on, too.
    let last = expected.last().expect("an entry").name.clone();
    loop {
        let batch = running.next().await.expect("it goes on").expect("no end").message;
        if batch.entries.iter().any(|it| it.entry.as_ref().expect("an entry").name == last) {
            break;
        }
    }
}

#[tokio::test]
async fn a_run_that_is_killed_is_continued_by_the_next() {
    let installation = Installation::open().await;
    croupier(&installation, &["load", "--matches", "40", "--players", "8"]).await;
    let client = installation.client(Protocol::Grpc);
    let mut database = installation.database().await;
    caught_up(&mut database).await;
    let before = rows(&mut database).await;
    let mut open = Vec::new();
    for _ in 0..30 {
        open.push(waiting(&client, "").await.name);
    }
    aged().await;
    let is_split = "select count(*) from (
            select match_id,
                bool_or(body = '') <> bool_and(body = '') as is_torn,
                bool_and(body = '') as is_reduced
            from entries
            group by match_id
        ) as it
        where is_torn
            or is_reduced <> exists (select from kept_results where kept_results.match_id = it.match_id)
            or is_reduced = exists (select from seeds where seeds.match_id = it.match_id)";
    let mut unfinished = 0;
    for kill in 0..12 {
        let mut run = program(&installation, &["retention", "--open", "1s", "--ended", "1s"])
            .spawn()
            .expect("it runs");
        sleep(Duration::from_millis(20 + 15 * kill)).await;
        unfinished += i32::from(run.try_wait().expect("a child").is_none());
        run.kill().await.expect("it is killed");
        assert_eq!(count(&mut database, is_split.to_owned()).await, 0, "after kill {kill}");
    }
    assert!(unfinished > 0, "each run had ended before it was killed");
    retain(&installation, &["--open", "1s", "--ended", "1s"]).await;
    // Loaded matches are as if they had been played over some time; a few end in the future.
    let whole = "select count(*) from (
            select match_id
            from entries
            group by match_id
            having bool_or(body <> '') and max(create_time) < now() - interval '10 s'
        ) as it";
    assert_eq!(count(&mut database, whole.to_owned()).await, 0);
    let reduced = "select count(*) from kept_results";
    assert!(count(&mut database, reduced.to_owned()).await > 20);
    for name in open {
        assert_eq!(rows_of(&mut database, &name).await, 0);
    }
    assert_eq!(rows(&mut database).await, before);
}

#[tokio::test]
async fn of_several_runs_at_once_one_reduces_each_match() {
    let installation = Installation::open().await;
    croupier(&installation, &["load", "--matches", "60", "--players", "8"]).await;
    aged().await;
    let runs = [(); 3].map(|()| retain(&installation, &["--ended", "1s"]));
    let runs = futures::future::join_all(runs).await;
    let sum: i64 = runs.iter().map(|it| it["reduced"].as_i64().expect("a number")).sum();
    let mut database = installation.database().await;
    let kept = count(&mut database, "select count(*) from kept_results".to_owned()).await;
    assert!(kept > 30, "{kept}");
    assert_eq!(kept, sum);
}

#[tokio::test]
async fn what_is_altered_is_not_reduced() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 2, 1).await;
    playing.finish().await;
    let mut other = Playing::new(&client, 2, 2).await;
    other.finish().await;
    let mut database = installation.database().await;
    let alter = format!(
        "update entries set request_id = 'other' where match_id = '{}' and position = 3",
        id_of(&playing.name)
    );
    sqlx::raw_sql(AssertSqlSafe(alter)).execute(&mut database).await.expect("the owner may");
    aged().await;
    let arguments = ["retention", "--ended", "1s", "--json"];
    let output = program(&installation, &arguments).output().await.expect("it runs");
    assert!(!output.status.success());
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        (&told["reduced"], &told["unsound"][0]["match"]),
        (&1.into(), &playing.name[..].into())
    );
    let reason = told["unsound"][0]["reason"].as_str().expect("a text");
    assert!(reason.contains("entry 3") && reason.contains("altered"), "{reason}");

    // Entries that were emptied by hand are no result.
    let empty = format!(
        "update entries set body = '', request_id = null where match_id = '{}'",
        id_of(&playing.name)
    );
    sqlx::raw_sql(AssertSqlSafe(empty)).execute(&mut database).await.expect("the owner may");
    let second = installation.serve("b").await;
    let fresh = second.client(Protocol::Grpc);
    refused(fresh.ask(&get_of(&playing.name)).await, Code::DataLoss, "RECORD_ALTERED");
}

#[tokio::test]
async fn bad_rules_are_refused() {
    let installation = Installation::open().await;
    let url = installation.postgres().url();
    let refusal = async |arguments: &[&str]| {
        failure(&[&["retention", "--database-url", &url], arguments].concat()).await
    };
    assert!(refusal(&[]).await.contains("--open"));
    for wrong in ["30", "0d", "-1d", "0.5s", "3x", "d", "99999999999999999999d"] {
        let ended = format!("--ended={wrong}");
        let said = refusal(&[&ended]).await;
        assert!(said.contains("such as 90s") || said.contains("from 1s"), "{wrong}: {said}");
    }
    assert!(refusal(&["--open", "1d", "--platform", "nobody"]).await.contains("no platform"));
}

#[tokio::test]
async fn a_reduced_entry_takes_a_fraction_of_the_disk() {
    let installation = Installation::open().await;
    croupier(&installation, &["load", "--matches", "60", "--players", "8"]).await;
    let mut database = installation.database().await;
    // Of the loaded matches, a few end in the future.
    let of_the_future = "delete from entries
        where match_id in (
            select match_id from entries group by match_id having max(create_time) > now()
        )";
    sqlx::raw_sql(of_the_future).execute(&mut database).await.expect("the owner may");
    let mut measure = async || {
        until_old_rows_are_removable(&mut database).await;
        sqlx::raw_sql("vacuum full entries, kept_results, seeds")
            .execute(&mut database)
            .await
            .expect("the owner may");
        let bytes = "select sum(pg_total_relation_size(it))::int8
             from unnest(array['entries', 'kept_results', 'seeds']::regclass[]) as it";
        let bytes = count(&mut database, bytes.to_owned()).await;
        let entries = count(&mut database, "select count(*) from entries".to_owned()).await;
        (bytes as f64 / entries as f64, entries)
    };
    let (before, entries) = measure().await;
    aged().await;
    let told = retain(&installation, &["--ended", "1s"]).await;
    let (after, _) = measure().await;
    println!("{entries} entries: {before:.0} bytes an entry before, {after:.0} after; {told}");
    assert!(after < before * 0.8, "{before} {after}");
}
