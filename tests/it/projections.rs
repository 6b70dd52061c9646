//! Queries across matches: the answers follow from the record, whichever process projects it and
//! however often it is rebuilt.

use std::collections::BTreeMap;

use contract::v1::event::Kind;
use contract::v1::*;
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection};
use tokio::process::Command;
use tonic::Code;

use crate::harness::*;

pub const MODELS: [&str; 3] = ["matches", "players", "holdings"];
pub const TABLES: [&str; 6] =
    ["match_summaries", "leagues", "results", "standings", "opponents", "holdings"];

fn holdings_request(name: &str, consistency_token: String) -> ListHoldingsRequest {
    ListHoldingsRequest { parent: name.to_owned(), consistency_token, ..Default::default() }
}

// === Rebuilds ===

#[tokio::test]
async fn a_rebuilt_projection_equals_the_old_one_row_for_row() {
    let installation = Installation::open().await;
    // Two processes project while a third plays matches concurrently that end out of order.
    let _other = installation.serve("b").await;
    croupier(&installation, &["load", "--matches", "60", "--players", "12"]).await;
    let client = installation.client(Protocol::Grpc);
    let mut running = Playing::new(&client, 3, 1).await;
    running.steps(10).await;

    let mut database = installation.database().await;
    caught_up(&mut database).await;
    let live = rows(&mut database).await;
    assert_eq!(live["match_summaries"].lines().count(), 61);
    for model in MODELS {
        let said = croupier(&installation, &["project", "rebuild", model, "--json"]).await;
        assert!(said.contains("\"generation\":2"), "{said}");
    }
    let rebuilt = rows(&mut database).await;
    for table in TABLES {
        assert_eq!(live[table], rebuilt[table], "{table}");
    }
    let request = GetProjectionRequest { name: "projections/players".to_owned() };
    let it = client.ask(&request).await.expect("a projection").projection.expect("it is there");
    assert_eq!((it.generation, it.lag, it.behind_since_time), (2, 0, None));

    // The rebuilt projection continues from the old one's checkpoints.
    running.finish().await;
    caught_up(&mut database).await;
    let seated = rows(&mut database).await["results"].matches(&player(0)).count();
    assert_eq!(seated, 1);
}

#[tokio::test]
async fn a_row_altered_by_hand_is_found_and_rebuilt() {
    let installation = Installation::open().await;
    croupier(&installation, &["load", "--matches", "30", "--players", "9"]).await;
    let client = installation.client(Protocol::Grpc);
    Playing::new(&client, 3, 1).await.steps(10).await;
    let mut database = installation.database().await;
    caught_up(&mut database).await;
    let before = rows(&mut database).await;
    let verify = async |options: &[&str]| {
        let all = [&["verify", "--all", "--json"], options].concat();
        let done = program(&installation, &all).output().await.expect("it runs");
        let told: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
        let of = |it: &serde_json::Value| it["differing_rows"].as_u64().expect("a number");
        let compared = told["read_models"]["compared"].as_array().expect("a list");
        (done.status.code(), compared.iter().map(of).collect::<Vec<_>>())
    };
    assert_eq!(verify(&[]).await, (Some(0), vec![0, 0, 0]));

    // What is altered at once, and whether the models `matches`, `players` and `holdings` differ.
    let someone = "where player = (select min(player) from standings)";
    let rounds = [
        (
            vec![
                "update match_summaries set winners = '{2}' where winners = '{0}'".to_owned(),
                "update results set outcome = 0, rank = 2 where outcome = 1".to_owned(),
                "update holdings set pieces = array_append(pieces, 1)".to_owned(),
            ],
            [true, true, true],
        ),
        (
            vec![format!("update standings set mean = mean + 1000000 {someone}")],
            [false, true, false],
        ),
        (
            vec![
                "delete from match_summaries where winners is null".to_owned(),
                "update results set mean = mean + 1 where seat = 0".to_owned(),
                format!("update opponents set ahead = ahead + 1 {someone}"),
            ],
            [true, true, false],
        ),
    ];
    for (alterations, expected) in rounds {
        for alteration in &alterations {
            let altering = sqlx::raw_sql(AssertSqlSafe(alteration.clone()));
            let altered = altering.execute(&mut database).await.expect("it is altered");
            assert!(altered.rows_affected() > 0, "{alteration}");
        }
        let (status, found) = verify(&["--rebuild"]).await;
        let found: Vec<bool> = found.iter().map(|it| *it > 0).collect();
        assert_eq!((status, &found[..]), (Some(0), &expected[..]), "{alterations:?}");
        assert_eq!(rows(&mut database).await, before, "{alterations:?}");
    }
    let altered = "update results set points = points + 1 where outcome = 1";
    sqlx::raw_sql(altered).execute(&mut database).await.expect("it is altered");
    let (status, found) = verify(&[]).await;
    assert_eq!((status, found[0], found[1] > 0, found[2]), (Some(1), 0, true, 0));
}

#[tokio::test]
async fn a_failing_projection_delays_no_other() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut database = installation.database().await;
    let mut playing = Playing::new(&client, 2, 1).await;
    playing.steps(3).await;
    for table in ["holdings", "match_summaries"] {
        rename(&mut database, table, "elsewhere").await;
        playing.steps(3).await;
        let entry = playing.entries.last().expect("it was played").name.clone();
        let holdings = holdings_request(&playing.name, entry.clone());
        let matches = ListMatchesRequest { consistency_token: entry, ..Default::default() };
        match table {
            "holdings" => client.ask_in_step(&matches).await.map(drop),
            _ => client.ask_in_step(&holdings).await.map(drop),
        }
        .expect("the other model goes on");
        rename(&mut database, "elsewhere", table).await;
        client.ask_in_step(&holdings).await.expect("all of them are there");
        client.ask_in_step(&matches).await.expect("all of them are there");
    }
}

#[tokio::test]
async fn a_platform_is_told_of_its_own_lag_only() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let rival = client.holding(installation.platform("rival").await);
    let mut database = installation.database().await;
    let mut playing = Playing::new(&client, 2, 1).await;
    let progress = async |client: &Client| {
        let request = GetProjectionRequest { name: "projections/holdings".to_owned() };
        let it = client.ask(&request).await.expect("a projection").projection;
        let it = it.expect("it is there");
        (it.lag, it.behind_since_time.is_some())
    };
    caught_up(&mut database).await;
    rename(&mut database, "holdings", "elsewhere").await;
    playing.steps(5).await;
    assert_eq!(progress(&client).await, (5, true));
    assert_eq!(progress(&rival).await, (0, false), "it has no entry");
    Playing::new(&rival, 2, 2).await;
    assert_eq!(progress(&rival).await, (1, true));
    assert_eq!(progress(&client).await, (5, true));
    rename(&mut database, "elsewhere", "holdings").await;
}

#[tokio::test]
async fn a_rebuild_during_play_loses_nothing() {
    let installation = Installation::open().await;
    croupier(&installation, &["load", "--matches", "20", "--players", "12"]).await;
    let client = installation.client(Protocol::Grpc);
    let playing = async {
        for seed in 0..6 {
            let mut playing = Playing::new(&client.apart(), 2, seed).await;
            playing.steps(25).await;
        }
    };
    let rebuilding = async {
        for model in MODELS.into_iter().chain(["players", "matches"]) {
            croupier(&installation, &["project", "rebuild", model]).await;
        }
    };
    tokio::join!(playing, rebuilding);
    let mut database = installation.database().await;
    caught_up(&mut database).await;
    let live = rows(&mut database).await;
    let missed: i64 = sqlx::query_scalar(
        "select count(*)
         from (select bucket, match_id, max(position) as position from entries group by 1, 2) as last
         full join match_summaries using (bucket, match_id, position)
         where last.bucket is null or match_summaries.bucket is null",
    )
    .fetch_one(&mut database)
    .await
    .expect("a count");
    assert_eq!(missed, 0);
    for model in MODELS {
        croupier(&installation, &["project", "rebuild", model]).await;
    }
    let rebuilt = rows(&mut database).await;
    for table in TABLES {
        assert_eq!(live[table], rebuilt[table], "{table}");
    }
}

#[tokio::test]
async fn a_rebuild_stops_when_a_newer_one_overtakes_it() {
    let installation = Installation::open().await;
    croupier(&installation, &["load", "--matches", "20", "--players", "12"]).await;
    let mut database = installation.database().await;
    caught_up(&mut database).await;
    let live = rows(&mut database).await;
    // While a transaction holds the old tables, no rebuild can switch.
    let mut other = installation.database().await;
    let mut holding = other.begin().await.expect("a transaction");
    sqlx::query("select from checkpoints where model = 'players' for update")
        .execute(&mut *holding)
        .await
        .expect("they are locked");
    let rebuild = || {
        let mut command = program(&installation, &["project", "rebuild", "players", "--json"]);
        tokio::spawn(async move { command.output().await.expect("the program runs") })
    };
    let first = rebuild();
    until("the first is about to switch", async || {
        let waits: bool = sqlx::query_scalar(
            "select exists (
                 select
                 from pg_stat_activity
                 where wait_event_type = 'Lock' and query like '%generation <> $2%for update%'
             )",
        )
        .fetch_one(&mut database)
        .await
        .expect("an answer");
        waits.then_some(())
    })
    .await;
    let second = rebuild();
    let first = first.await.expect("it ends");
    assert!(!first.status.success());
    let said = String::from_utf8_lossy(&first.stderr).into_owned();
    assert!(said.contains("a newer rebuild has begun"), "{said}");
    assert!(!second.is_finished(), "the old one is still held");
    holding.rollback().await.expect("it is let go");
    let second = second.await.expect("it ends");
    let said = String::from_utf8_lossy(&second.stdout).into_owned();
    assert!(second.status.success() && said.contains("\"generation\":3"), "{said}");
    let rebuilt = rows(&mut database).await;
    for table in TABLES {
        assert_eq!(live[table], rebuilt[table], "{table}");
    }
    let left: i64 = sqlx::query_scalar("select count(*) from checkpoints where model = 'players'")
        .fetch_one(&mut database)
        .await
        .expect("a count");
    assert_eq!(left, 64, "nothing is left of the one that was overtaken");
}

#[tokio::test]
async fn a_late_result_is_settled_in_its_place() {
    let (installation, elsewhere) = (Installation::open().await, Installation::open().await);
    // It ends before the others begin and is ingested after them.
    let there = elsewhere.client(Protocol::Grpc);
    let mut late = Playing::new(&there, 2, 1).await;
    late.steps(3).await;
    // Seat 0 loses, whatever the cards: after a win that is shared, a mean may be as before.
    let resign = ResignMatchRequest { name: late.name.clone(), seat: Some(0), ..<_>::default() };
    there.ask(&resign).await.expect("any time");
    let path = elsewhere.folder.path().join("late");
    let path = path.to_str().expect("a plain path");
    croupier(&elsewhere, &["export", "--out", path]).await;
    let client = installation.client(Protocol::Grpc);
    let mut names = vec![late.name];
    for seed in [2, 3] {
        let mut playing = Playing::new(&client, 2, seed).await;
        playing.finish().await;
        names.push(playing.name);
    }
    let mut database = installation.database().await;
    caught_up(&mut database).await;
    let before = settled(&mut database).await;
    let order: Vec<_> = before.iter().map(|it| (it.0.clone(), it.1)).collect();
    let expected = [(&names[1], 1), (&names[1], 1), (&names[2], 2), (&names[2], 2)];
    assert_eq!(order, expected.map(|(name, played)| (name.clone(), played)));

    croupier(&installation, &["import", path]).await;
    caught_up(&mut database).await;
    let after = settled(&mut database).await;
    let order: Vec<_> = after.iter().map(|it| (it.0.clone(), it.1)).collect();
    let expected = (1..).zip(&names).flat_map(|(played, name)| vec![(name.clone(), played); 2]);
    assert_eq!(order, expected.collect::<Vec<_>>(), "each match counts from the one before it");
    for (before, after) in before.iter().zip(&after[2..]) {
        assert_ne!(before.2, after.2, "who had met before is rated otherwise");
    }
    let live = rows(&mut database).await;
    croupier(&installation, &["project", "rebuild", "players"]).await;
    let rebuilt = rows(&mut database).await;
    for table in TABLES {
        assert_eq!(live[table], rebuilt[table], "{table}");
    }
}

// === Filters ===

#[tokio::test]
async fn matches_are_found_by_every_filter() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest);
    // Seat 1 resigns, so there is one winner whatever the cards.
    let mut ended = Playing::new(&client, 2, 1).await;
    ended.steps(8).await;
    let resign =
        ResignMatchRequest { name: ended.name.clone(), seat: Some(1), ..Default::default() };
    let last = client.ask(&resign).await.expect("an entry").entry.expect("it is there");
    let mut running = Playing::new(&client, 3, 2).await;
    running.steps(5).await;
    let open = CreateMatchRequest { players: vec![player(3)], ..new_match(4) };
    let open = create(&client, &open).await;
    // From here on one match's end is ingested, and each query waits for the other.
    client
        .ask_in_step(&ListMatchesRequest { consistency_token: last.name, ..Default::default() })
        .await
        .expect("a list");
    let seen = running.entries.last().expect("it was played").name.clone();

    let found = async |request: ListMatchesRequest| {
        names(&client, &ListMatchesRequest { consistency_token: seen.clone(), ..request }).await
    };
    let all = ListMatchesRequest::default;
    let whole = [&*open.name, &*running.name, &*ended.name];
    assert_eq!(found(all()).await, whole);
    assert_eq!(
        found(ListMatchesRequest { oldest_first: true, ..all() }).await,
        [&*ended.name, &*running.name, &*open.name]
    );
    for (state, name) in [
        (MatchState::Open, &*open.name),
        (MatchState::Running, &*running.name),
        (MatchState::Ended, &*ended.name),
    ] {
        assert_eq!(found(ListMatchesRequest { state: state.into(), ..all() }).await, [name]);
    }
    let with = |seat| ListMatchesRequest { player: player(seat), ..all() };
    assert_eq!(found(with(0)).await, [&*running.name, &*ended.name]);
    assert_eq!(found(with(3)).await, [&*open.name], "a match that waits for players is found too");
    assert_eq!(
        found(ListMatchesRequest { opponent: player(2), ..with(0) }).await,
        [&*running.name]
    );

    let it = get(&client, &ended.name).await;
    let (winner, loser) = (0, 1);
    let outcome =
        |seat, outcome: Outcome| ListMatchesRequest { outcome: outcome.into(), ..with(seat) };
    assert_eq!(it.winners, [winner]);
    assert_eq!(found(outcome(winner, Outcome::Won)).await, [&*ended.name]);
    assert_eq!(found(outcome(loser, Outcome::Lost)).await, [&*ended.name]);
    assert!(found(outcome(loser, Outcome::Won)).await.is_empty());
    assert!(found(outcome(winner, Outcome::Shared)).await.is_empty());
    let won_by = |seat| ListMatchesRequest { winner: player(seat), ..all() };
    assert_eq!(found(won_by(winner)).await, [&*ended.name]);
    assert!(found(won_by(loser)).await.is_empty());

    let length = Some(it.position);
    let as_long = ListMatchesRequest { length_min: length, length_max: length, ..all() };
    assert_eq!(found(as_long).await, [&*ended.name]);
    let running = get(&client, &running.name).await;
    let since = ListMatchesRequest { from_create_time: running.create_time, ..all() };
    assert_eq!(found(since).await, [&*open.name, &*running.name]);
    let before = ListMatchesRequest { until_create_time: running.create_time, ..all() };
    assert_eq!(found(before).await, [&*ended.name]);
    let game = ListMatchesRequest { game: MOUNTEBANK.to_owned(), ..with(1) };
    assert_eq!(found(game).await, [&*running.name, &*ended.name]);

    let listed = client
        .ask_in_step(&ListMatchesRequest { consistency_token: seen, ..all() })
        .await
        .expect("a list")
        .matches;
    assert_eq!((listed[0].round, listed[0].turn), (None, None), "nothing was dealt");
    assert_eq!(listed[2].scores, it.scores);
    assert_eq!((listed[2].round, listed[2].turn), (it.round, it.turn));
}

#[tokio::test]
async fn pages_stay_consistent_while_matches_are_created() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::ConnectJson);
    let mut made = Vec::new();
    for _ in 0..7 {
        made.push(create(&client, &new_match(2)).await.name);
    }
    let mut request =
        ListMatchesRequest { page_size: 2, player: player(0), ..ListMatchesRequest::default() };
    let mut listed = Vec::new();
    loop {
        let page = client.ask(&request).await.expect("a page");
        listed.extend(page.matches.into_iter().map(|it| it.name));
        request.page_token = page.next_page_token;
        if request.page_token.is_empty() {
            break;
        }
        create(&client, &new_match(2)).await;
    }
    made.reverse();
    assert_eq!(listed, made, "none is skipped or repeated, and none is newer than the first page");
}

#[tokio::test]
async fn an_entry_name_as_consistency_token_includes_that_entry() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    for seed in 0..3 {
        let mut playing = Playing::new(&client, 2, seed).await;
        playing.finish().await;
        let seen = playing.entries.last().expect("it was played").name.clone();
        let (name, ended) = (format!("players/{}", player(0)), MatchState::Ended.into());
        let request = GetPlayerRequest { name, consistency_token: seen.clone() };
        let page = client.ask_in_step(&request).await;
        let page = page.expect("a player").player.expect("a page");
        assert_eq!(page.standings[0].played as u64, seed + 1);
        assert_eq!(page.opponents[0].played as u64, seed + 1);
        let request = ListMatchesRequest {
            state: ended,
            consistency_token: seen.clone(),
            ..ListMatchesRequest::default()
        };
        assert_eq!(names(&client, &request).await[0], playing.name);
        let request = holdings_request(&playing.name, seen);
        let holdings = client.ask_in_step(&request).await.expect("holdings").holdings;
        let points = get(&client, &playing.name).await.scores;
        let held: Vec<i32> = holdings.iter().map(|it| it.coins["token"]).collect();
        assert_eq!(held, points);
    }
    let request = ListStandingsRequest { parent: MOUNTEBANK.to_owned(), ..Default::default() };
    let standings = client.ask(&request).await.expect("standings").standings;
    assert_eq!(standings.len(), 2);
    assert!(standings[0].rating >= standings[1].rating);
    assert_eq!(standings[0].played, 3);
    let nobody = GetPlayerRequest { name: "players/nobody".to_owned(), ..Default::default() };
    refused(client.ask(&nobody).await, Code::NotFound, "PLAYER_NOT_FOUND");
}

#[tokio::test]
async fn a_stream_cursor_as_consistency_token_includes_what_it_passed() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let request = StreamEntriesRequest { live: true, ..Default::default() };
    let mut stream = client.stream(&request).await;
    let name = format!("players/{}", player(0));
    for seed in 0..3 {
        let mut playing = Playing::new(&client, 2, seed).await;
        playing.finish().await;
        let last = playing.entries.last().expect("it was played").name.clone();
        let seen = cursor_behind(&mut stream, &last).await;
        let state = MatchState::Ended.into();
        let request =
            ListMatchesRequest { state, consistency_token: seen.clone(), ..Default::default() };
        assert_eq!(names(&client, &request).await[0], playing.name);
        let page = client
            .ask_in_step(&GetPlayerRequest { name: name.clone(), consistency_token: seen.clone() })
            .await;
        let page = page.expect("a player").player.expect("a page");
        assert_eq!(page.standings[0].played as u64, seed + 1);
        let request = holdings_request(&playing.name, seen.clone());
        let whole = client.ask_in_step(&request).await.expect("holdings");
        assert_eq!((whole.holdings.len(), whole.next_page_token.as_str()), (2, ""));
        let request = ListHoldingsRequest { page_size: 1, ..request };
        let first = client.ask(&request).await.expect("the first page");
        let request = ListHoldingsRequest { page_token: first.next_page_token, ..request };
        let second = client.ask(&request).await.expect("the second page");
        assert_eq!([first.holdings, second.holdings].concat(), whole.holdings);
        assert_eq!(second.next_page_token, "");
        let parent = MOUNTEBANK.to_owned();
        let request =
            ListStandingsRequest { parent, consistency_token: seen, ..Default::default() };
        let standings = client.ask_in_step(&request).await.expect("standings").standings;
        assert_eq!(standings[0].played as u64, seed + 1);
    }
}

#[tokio::test]
async fn a_consistency_token_ahead_of_a_stalled_projection_is_refused() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut database = installation.database().await;
    // Like a stuck process that is ingesting into the model.
    let mut holding = database.begin().await.expect("a transaction");
    sqlx::query("select from checkpoints where model = 'matches' for update")
        .execute(&mut *holding)
        .await
        .expect("they are locked");
    let mut playing = Playing::new(&client, 2, 1).await;
    playing.steps(3).await;
    let entry = playing.entries.last().expect("it was played").name.clone();
    let mut stream = client.stream(&StreamEntriesRequest::default()).await;
    let cursor = cursor_behind(&mut stream, &entry).await;
    let asking = |seen: &str| ListMatchesRequest {
        consistency_token: seen.to_owned(),
        ..Default::default()
    };
    let (by_entry, by_cursor) = (asking(&entry), asking(&cursor));
    let (by_entry, by_cursor) = tokio::join!(client.ask(&by_entry), client.ask(&by_cursor));
    refused(by_entry, Code::Unavailable, "PROJECTION_BEHIND");
    refused(by_cursor, Code::Unavailable, "PROJECTION_BEHIND");
    let holdings = holdings_request(&playing.name, cursor.clone());
    client.ask_in_step(&holdings).await.expect("the other models go on");
    client.ask(&asking("")).await.expect("without a token there is no wait");
    holding.rollback().await.expect("they are free");
    for seen in [&entry, &cursor] {
        client.ask_in_step(&asking(seen)).await.expect("it is taken in by now");
    }

    // A cursor of another installation or platform is distinguished from one that is ahead.
    for wrong in ["x", "not a cursor!", &cursor[1..], &format!("{cursor}AAAA")] {
        refused(client.ask(&asking(wrong)).await, Code::InvalidArgument, "INVALID_CURSOR");
    }
    let theirs = client.holding(installation.platform("theirs").await);
    refused(theirs.ask(&asking(&cursor)).await, Code::InvalidArgument, "INVALID_CURSOR");
    let seat = client.holding(token(&client, &playing.name, Some(0)).await);
    refused(seat.ask(&holdings).await, Code::PermissionDenied, "PLATFORM_ONLY");
    sqlx::query("delete from entries").execute(&mut database).await.expect("gone");
    refused(client.ask(&asking(&cursor)).await, Code::DataLoss, "RECORD_WENT_BACK");
}

#[tokio::test]
async fn search_finds_what_reading_the_entries_would() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest);
    let mut running = Playing::new(&client, 2, 1).await;
    running.steps(30).await;
    let mut ended = Playing::new(&client, 2, 2).await;
    ended.finish().await;
    let all = SearchEntriesRequest { parent: MOUNTEBANK.to_owned(), ..Default::default() };

    // Ada's cons worth more than 8.
    let wanted = |entry: &&Entry| {
        let worth = |event: &Event| match &event.kind {
            Some(Kind::Announced(shown)) => {
                shown.announcement.starts_with("con/") && shown.value >= 9
            }
            _ => false,
        };
        entry.seat == Some(0) && entry.verb == "con" && entry.events.iter().any(worth)
    };
    let mut expected = Vec::new();
    for (name, viewer) in [(&*ended.name, "house"), (&*running.name, "spectator")] {
        let shown = entries(&client, name, viewer).await;
        expected.extend(shown.iter().filter(wanted).cloned());
    }
    let request = SearchEntriesRequest {
        player: player(0),
        verb: "con".to_owned(),
        announcement: "con".to_owned(),
        value_min: Some(9),
        ..all.clone()
    };
    assert_eq!(search(&client, request, 1).await, expected);

    // A card is found where a spectator sees it, and everywhere once the match has ended.
    let layout = games::find("mountebank").expect("a game").layout();
    for piece in layout.pieces().iter().step_by(5) {
        let names = |entry: &&Entry| {
            let name = |event: &Event| match &event.kind {
                Some(Kind::Moved(it)) => it.piece == piece.name,
                Some(Kind::Shown(it)) => it.piece == piece.name,
                _ => false,
            };
            entry.events.iter().any(name)
        };
        let mut expected = Vec::new();
        for (name, viewer) in [(&*ended.name, "house"), (&*running.name, "spectator")] {
            expected.extend(entries(&client, name, viewer).await.iter().filter(names).cloned());
        }
        let request = SearchEntriesRequest { piece: piece.name.clone(), ..all.clone() };
        assert_eq!(search(&client, request, 3).await, expected, "{}", piece.name);
    }
}

// === Tags ===

#[tokio::test]
async fn tags_are_private_to_their_platform() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let tags = |pairs: &[(&str, &str)]| -> std::collections::HashMap<String, String> {
        pairs.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect()
    };
    let cup =
        CreateMatchRequest { tags: tags(&[("event", "cup"), ("table", "7")]), ..new_match(2) };
    let it = create(&client, &cup).await;
    create(&client, &new_match(2)).await;
    assert_eq!(it.tags, cup.tags);
    let request = TagMatchRequest {
        name: it.name.clone(),
        set: tags(&[("table", "8"), ("stream", "yes = on")]),
        remove: vec!["never-there".to_owned()],
    };
    let tagged = client.ask(&request).await.expect("it is ours").r#match.expect("a match");
    let now = tags(&[("event", "cup"), ("table", "8"), ("stream", "yes = on")]);
    assert_eq!(tagged.tags, now);
    assert_eq!(get(&client, &it.name).await.tags, now);

    let with = |tags: &[&str]| ListMatchesRequest {
        tags: tags.iter().map(|&tag| tag.to_owned()).collect(),
        ..Default::default()
    };
    assert_eq!(names(&client, &with(&["event=cup", "stream=yes = on"])).await, [&*it.name]);
    assert!(names(&client, &with(&["event=cup", "table=7"])).await.is_empty());
    let looker = client.holding(token(&client, &it.name, Some(0)).await);
    assert!(get(&looker, &it.name).await.tags.is_empty(), "a player is told none");
    let tag = TagMatchRequest { name: it.name.clone(), ..Default::default() };
    refused(looker.ask(&tag).await, Code::PermissionDenied, "PLATFORM_ONLY");

    // Tags are bounded in number, also under races, and in size.
    let setting = (0..20).map(|n| {
        let (client, key) = (client.apart(), format!("more-{n}"));
        let set = tags(&[(&key, "")]);
        let request = TagMatchRequest { name: it.name.clone(), set, remove: Vec::new() };
        async move { client.ask(&request).await }
    });
    let set = futures::future::join_all(setting).await;
    assert_eq!(set.iter().filter(|set| set.is_ok()).count(), 13);
    for failure in set.into_iter().filter_map(Result::err) {
        refused::<()>(Err(failure), Code::FailedPrecondition, "TOO_MANY_TAGS");
    }
    assert_eq!(get(&client, &it.name).await.tags.len(), 16);
    for (key, value) in [("", "x"), ("Upper", "x"), (&"k".repeat(65), "x"), ("k", &"v".repeat(257))]
    {
        let request = TagMatchRequest { set: tags(&[(key, value)]), ..tag.clone() };
        refused(client.ask(&request).await, Code::InvalidArgument, "INVALID_TAG");
    }
}

// === Isolation and invalid queries ===

#[tokio::test]
async fn another_platform_finds_no_match() {
    let installation = Installation::open().await;
    let ours = installation.client(Protocol::Grpc);
    let theirs = ours.holding(installation.platform("theirs").await);
    let mut playing = Playing::new(&ours, 2, 1).await;
    playing.finish().await;
    let seen = playing.entries.last().expect("it was played").name.clone();
    let name = format!("players/{}", player(0));
    let page = GetPlayerRequest { name, consistency_token: seen.clone() };
    ours.ask_in_step(&page).await.expect("it is ours");

    let page = GetPlayerRequest { consistency_token: String::new(), ..page };
    refused(theirs.ask(&page).await, Code::NotFound, "PLAYER_NOT_FOUND");
    let request = ListMatchesRequest { player: player(0), ..Default::default() };
    assert!(names(&theirs, &request).await.is_empty());
    let request = ListMatchesRequest { consistency_token: seen, ..Default::default() };
    refused(theirs.ask(&request).await, Code::NotFound, "MATCH_NOT_FOUND");
    let request = ListStandingsRequest { parent: MOUNTEBANK.to_owned(), ..Default::default() };
    assert!(theirs.ask(&request).await.expect("an empty list").standings.is_empty());
    let request = SearchEntriesRequest { parent: MOUNTEBANK.to_owned(), ..Default::default() };
    assert!(theirs.ask(&request).await.expect("an empty list").entries.is_empty());
    let request = ListHoldingsRequest { parent: playing.name.clone(), ..Default::default() };
    refused(theirs.ask(&request).await, Code::NotFound, "MATCH_NOT_FOUND");
    let request = TagMatchRequest { name: playing.name.clone(), ..Default::default() };
    refused(theirs.ask(&request).await, Code::NotFound, "MATCH_NOT_FOUND");

    let seat = ours.holding(token(&ours, &playing.name, Some(0)).await);
    refused(seat.ask(&page).await, Code::PermissionDenied, "PLATFORM_ONLY");
    refused(
        seat.ask(&ListMatchesRequest::default()).await,
        Code::PermissionDenied,
        "PLATFORM_ONLY",
    );
}

#[tokio::test]
async fn invalid_queries_are_refused_with_a_reason() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    for _ in 0..3 {
        create(&client, &new_match(2)).await;
    }
    let all = ListMatchesRequest { page_size: 1, ..Default::default() };
    let token = client.ask(&all).await.expect("a page").next_page_token;
    assert!(!token.is_empty());
    let invalid = async |request: ListMatchesRequest, reason: &str| {
        refused(client.ask(&request).await, Code::InvalidArgument, reason);
    };
    for page_token in ["!", "AAAA", &token[..10], &format!("{token}AAAA")] {
        let request = ListMatchesRequest { page_token: page_token.to_owned(), ..all.clone() };
        invalid(request, "INVALID_PAGE_TOKEN").await;
    }
    let other_question =
        ListMatchesRequest { page_token: token.clone(), oldest_first: true, ..all.clone() };
    invalid(other_question, "INVALID_PAGE_TOKEN").await;
    for page_size in [-1, 1001] {
        invalid(ListMatchesRequest { page_size, ..all.clone() }, "INVALID_REQUEST").await;
    }
    let game = |game: &str| ListMatchesRequest { game: game.to_owned(), ..all.clone() };
    invalid(game("games/tiddlywinks"), "UNKNOWN_GAME").await;
    invalid(game("mountebank"), "INVALID_REQUEST").await;
    invalid(ListMatchesRequest { state: 77, ..all.clone() }, "INVALID_REQUEST").await;
    let nobodys = ListMatchesRequest { outcome: Outcome::Won.into(), ..all.clone() };
    invalid(nobodys, "INVALID_REQUEST").await;
    let untagged = ListMatchesRequest { tags: vec!["event".to_owned()], ..all.clone() };
    invalid(untagged, "INVALID_REQUEST").await;
    let seen =
        |seen: &str| ListMatchesRequest { consistency_token: seen.to_owned(), ..all.clone() };
    invalid(seen("matches/1"), "INVALID_REQUEST").await;
    let name = client.ask(&all).await.expect("a page").matches[0].name.clone();
    let ahead = seen(&format!("{name}/entries/99"));
    refused(client.ask(&ahead).await, Code::NotFound, "ENTRY_NOT_FOUND");

    let search = SearchEntriesRequest { parent: MOUNTEBANK.to_owned(), ..Default::default() };
    for wrong in [
        SearchEntriesRequest { verb: "cheat".to_owned(), ..search.clone() },
        SearchEntriesRequest { piece: "joker".to_owned(), ..search.clone() },
        SearchEntriesRequest { announcement: "lie".to_owned(), ..search.clone() },
    ] {
        refused(client.ask(&wrong).await, Code::InvalidArgument, "INVALID_REQUEST");
    }
    let standings = ListStandingsRequest {
        parent: MOUNTEBANK.to_owned(),
        page_token: token,
        ..Default::default()
    };
    refused(client.ask(&standings).await, Code::InvalidArgument, "INVALID_PAGE_TOKEN");
    let projection = GetProjectionRequest { name: "projections/secrets".to_owned() };
    refused(client.ask(&projection).await, Code::NotFound, "PROJECTION_NOT_FOUND");
}

// === Helpers ===

/// A command line of the program on the installation's database.
pub fn program(installation: &Installation, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
    command.args(arguments).args(["--database-url", &installation.postgres().url()]);
    command.kill_on_drop(true);
    command
}

/// Runs the program on the installation's database and returns its output.
pub async fn croupier(installation: &Installation, arguments: &[&str]) -> String {
    let output = program(installation, arguments).output().await.expect("the program runs");
    let said = |bytes| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{arguments:?}: {}", said(&output.stderr));
    said(&output.stdout)
}

/// Waits until every entry is ingested and every result is settled.
pub async fn caught_up(database: &mut PgConnection) {
    until("the projections catch up", async || {
        let is_caught_up: bool = sqlx::query_scalar(
            "select
                 (select count(*) from entries) * 3 = (
                     select sum(bucket_position)
                     from checkpoints
                     join projections using (model, generation)
                 )
                 and not exists (select from results where mean is null)",
        )
        .fetch_one(&mut *database)
        .await
        .expect("an answer");
        is_caught_up.then_some(())
    })
    .await;
}

pub async fn rename(database: &mut PgConnection, table: &str, to: &str) {
    let rename = format!("alter table {table} rename to {to}");
    sqlx::raw_sql(AssertSqlSafe(rename)).execute(database).await.expect("it is renamed");
}

/// The rows of every table of every model, as text.
pub async fn rows(database: &mut PgConnection) -> BTreeMap<&'static str, String> {
    let mut rows = BTreeMap::new();
    for table in TABLES {
        let query =
            format!("select string_agg(it::text, e'\\n' order by it::text) from {table} as it");
        let text = sqlx::query_scalar(AssertSqlSafe(query)).fetch_one(&mut *database).await;
        rows.insert(table, text.expect("there are rows"));
    }
    rows
}

/// Reads a stream until it contains an entry. Returns the cursor there.
async fn cursor_behind(stream: &mut Watch<StreamEntriesResponse>, name: &str) -> String {
    loop {
        let batch = stream.next().await.expect("it goes on").expect("it does not end").message;
        if batch.entries.iter().any(|it| it.entry.as_ref().expect("an entry").name == name) {
            return batch.cursor;
        }
    }
}

/// Every result in order: its match, its ordinal among the player's results, and the rating after
/// it.
async fn settled(database: &mut PgConnection) -> Vec<(String, i32, i64)> {
    sqlx::query_as(
        "select 'matches/' || match_id, played, mean
         from results
         order by end_time, match_id, seat",
    )
    .fetch_all(database)
    .await
    .expect("results")
}

async fn names(client: &Client, request: &ListMatchesRequest) -> Vec<String> {
    let answer = client.ask_in_step(request).await.unwrap_or_else(|error| panic!("{error:?}"));
    answer.matches.into_iter().map(|it| it.name).collect()
}

/// All pages of a search.
async fn search(client: &Client, mut request: SearchEntriesRequest, page_size: i32) -> Vec<Entry> {
    let mut found = Vec::new();
    loop {
        request.page_size = page_size;
        let page = client.ask(&request).await.unwrap_or_else(|error| panic!("{error:?}"));
        assert!(page.entries.len() <= page_size as usize);
        found.extend(page.entries);
        request.page_token = page.next_page_token;
        if request.page_token.is_empty() {
            return found;
        }
    }
}

#[track_caller]
fn refused<T: std::fmt::Debug>(answer: Result<T, Failure>, code: Code, reason: &str) {
    let failure = answer.expect_err("it is refused");
    assert_eq!((failure.code, failure.reason.as_str()), (code, reason), "{}", failure.message);
}
