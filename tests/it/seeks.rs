//! Players find matches by themselves: in the lobby, or by a seek that the service answers. Whoever
//! races, a player is seated once, and nobody after the seek was deleted.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use contract::v1::*;
use table::{ChaCha, Chance};
use tokio::task::JoinSet;
use tokio::time::sleep;
use tonic::Code;

use crate::harness::*;

fn seeking(player: &str) -> CreateSeekRequest {
    let (player, game) = (player.to_owned(), MOUNTEBANK.to_owned());
    CreateSeekRequest { player, game, seats: vec![2], ..CreateSeekRequest::default() }
}

async fn seek(client: &Client, request: &CreateSeekRequest) -> Seek {
    let created = client.ask_in_a_rush(request).await.unwrap_or_else(|error| panic!("{error:?}"));
    created.seek.expect("a seek")
}

async fn found(client: &Client, name: &str) -> Seek {
    let request = GetSeekRequest { name: name.to_owned() };
    client.ask(&request).await.expect("it is there").seek.expect("a seek")
}

/// The match of a seek, once its player is seated.
async fn seated(client: &Client, name: &str) -> String {
    until("the player is seated", async || {
        Some(found(client, name).await).filter(|it| it.state() == SeekState::Seated)
    })
    .await
    .r#match
}

#[tokio::test]
async fn players_who_seek_the_same_are_seated_together() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let [ann, bob] = [player_token(&key, "ann").await, player_token(&key, "bob").await];
    let [ann, bob] = [ann, bob].map(|token| key.holding(token));
    let watching = WatchPlayerRequest { name: "players/ann".to_owned(), ..<_>::default() };
    let mut stream = ann.stream(&watching).await;
    let time_control = Some(TimeControl { preset: "daily".to_owned(), ..<_>::default() });
    let options: std::collections::HashMap<_, _> =
        [("first-seat".to_owned(), "1".to_owned())].into();
    let request = CreateSeekRequest {
        player: String::new(),
        display_name: "Ann".to_owned(),
        seats: vec![3, 2],
        options: options.clone(),
        time_control,
        request_id: "s-1".to_owned(),
        ..seeking("ann")
    };
    let hers = seek(&ann, &request).await;
    assert_eq!((hers.state(), &hers.player[..], hers.rating), (SeekState::Open, "ann", 0.0));
    assert_eq!(seek(&ann, &request).await, hers, "it is the same request");
    let other = CreateSeekRequest { seats: vec![2], ..request.clone() };
    let failure = ann.ask(&other).await.expect_err("another request");
    failure.check(Code::AlreadyExists, "REQUEST_ID_REUSED");
    let second = CreateSeekRequest { request_id: String::new(), ..request.clone() };
    let failure = ann.ask(&second).await.expect_err("she has one");
    failure.check(Code::AlreadyExists, "SEEK_EXISTS");
    // Other options are another pool.
    let apart = seek(&key, &seeking("cid")).await;
    let his = CreateSeekRequest {
        display_name: "Bob".to_owned(),
        seats: vec![2, 4],
        // Each player has request ids of its own.
        ..request.clone()
    };
    let his = seek(&bob, &his).await;
    let name = seated(&ann, &hers.name).await;
    assert_eq!(seated(&bob, &his.name).await, name);
    assert_eq!(found(&key, &apart.name).await.state(), SeekState::Open);
    let it = get(&ann, &name).await;
    let players: BTreeSet<(&str, &str)> =
        it.seats.iter().map(|seat| (&seat.player[..], &seat.display_name[..])).collect();
    assert_eq!(players, BTreeSet::from([("ann", "Ann"), ("bob", "Bob")]));
    assert_eq!(it.options["first-seat"], "1");
    assert_eq!(it.time_control.map(|it| it.preset).as_deref(), Some("daily"));
    assert_eq!(seek(&ann, &request).await.r#match, name, "a late retry seeks nothing new");
    let started = loop {
        let batch = stream.next().await.expect("it goes on").expect("it does not end");
        if let Some(first) = batch.message.notices.into_iter().next() {
            break first;
        }
    };
    assert_eq!(started.r#match, name);
    assert!(matches!(started.kind, Some(player_notice::Kind::MatchStarted(_))));
    // He may seek again, and his seeks are not hers to see.
    let again = seek(&key, &seeking("bob")).await;
    for protocol in PROTOCOLS {
        let ann = ann.speaking(protocol);
        for rpc in ["GetSeek", "DeleteSeek"] {
            let request = format!(r#"{{"name":"{}"}}"#, again.name);
            let failure = ann.call(rpc, &request).await.expect_err("not hers");
            failure.check(Code::NotFound, "SEEK_NOT_FOUND");
        }
        let failure = ann.ask(&seeking("bob")).await.expect_err("not hers");
        failure.check(Code::PermissionDenied, "OTHER_PLAYER");
        let listed = ann.ask(&ListSeeksRequest::default()).await.expect("a page").seeks;
        assert_eq!(listed, []);
    }
}

#[tokio::test]
async fn a_seek_that_no_match_can_answer_is_refused() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Rest);
    let no_time = Some(TimeControl::default());
    for (request, reason) in [
        (CreateSeekRequest { seats: Vec::new(), ..seeking("ann") }, "INVALID_REQUEST"),
        (CreateSeekRequest { seats: vec![2, 2], ..seeking("ann") }, "INVALID_REQUEST"),
        (CreateSeekRequest { seats: vec![2, 99], ..seeking("ann") }, "INVALID_REQUEST"),
        (CreateSeekRequest { player: String::new(), ..seeking("ann") }, "INVALID_REQUEST"),
        (CreateSeekRequest { game: "games/none".to_owned(), ..seeking("ann") }, "UNKNOWN_GAME"),
        (CreateSeekRequest { rating_distance: Some(-1.0), ..seeking("ann") }, "INVALID_REQUEST"),
        (CreateSeekRequest { rating_widening_per_s: 1e9, ..seeking("ann") }, "INVALID_REQUEST"),
        (CreateSeekRequest { time_control: no_time, ..seeking("ann") }, "INVALID_TIME_CONTROL"),
        (
            CreateSeekRequest { display_name: "a\nb".to_owned(), ..seeking("ann") },
            "INVALID_REQUEST",
        ),
    ] {
        let failure = key.ask(&request).await.expect_err("it is refused");
        failure.check(Code::InvalidArgument, reason);
    }
}

const SEEKERS: usize = 200;

#[tokio::test]
async fn seeks_race_with_their_deletions() {
    let installation = Installation::open().await;
    let other = installation.serve("b").await;
    let clients = [&installation.service, &other].map(|it| it.client(Protocol::Grpc));
    let mut seekers = JoinSet::new();
    for number in 0..SEEKERS {
        let client = clients[number % 2].clone();
        let mut chance = ChaCha::of([8; 32], number as u64);
        seekers.spawn(async move {
            let player = format!("player-{number}");
            sleep(Duration::from_millis(chance.below(1500) as u64)).await;
            let it = seek(&client, &seeking(&player)).await;
            let mut is_deleted = false;
            if number % 3 == 0 {
                sleep(Duration::from_millis(chance.below(700) as u64)).await;
                let deletion = DeleteSeekRequest { name: it.name.clone(), ..<_>::default() };
                match client.ask_in_a_rush(&deletion).await {
                    Ok(_) => is_deleted = true,
                    Err(failure) => failure.check(Code::FailedPrecondition, "SEEK_SEATED"),
                }
            }
            (player, it.name, is_deleted)
        });
    }
    let seekers = seekers.join_all().await;
    let deleted = seekers.iter().filter(|it| it.2).count();
    assert!((1..SEEKERS / 3).contains(&deleted), "{deleted} deletions came first");
    // All who can be: at most one is left over.
    let key = &clients[0];
    until("nobody is left who can be seated", async || {
        let open = key.ask(&ListSeeksRequest::default()).await.expect("a page").seeks;
        (open.len() <= (SEEKERS - deleted) % 2).then_some(())
    })
    .await;
    let mut by_match = BTreeMap::<String, BTreeSet<String>>::new();
    for (player, name, is_deleted) in &seekers {
        let it = found(key, name).await;
        assert_eq!(it.state() == SeekState::Deleted, *is_deleted, "{player}");
        if it.state() == SeekState::Seated {
            by_match.entry(it.r#match).or_default().insert(player.clone());
        }
    }
    let list = ListMatchesRequest { page_size: 1000, ..<_>::default() };
    let matches = key.ask(&list).await.expect("a page").matches;
    let created: BTreeMap<String, BTreeSet<String>> = matches
        .into_iter()
        .map(|it| (it.name, it.seats.into_iter().map(|seat| seat.player).collect()))
        .collect();
    assert_eq!(
        created, by_match,
        "each match has the players of its seeks, and each seek one match"
    );
    let players: usize = created.values().map(BTreeSet::len).sum();
    let all: BTreeSet<&String> = created.values().flatten().collect();
    assert_eq!((players, all.len()), (SEEKERS - deleted - (SEEKERS - deleted) % 2, players));
}

#[tokio::test]
async fn an_erased_player_seeks_nothing_more() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let played = CreateMatchRequest { players: vec!["ann".to_owned()], ..new_match(2) };
    create(&key, &played).await;
    let named = CreateSeekRequest { display_name: "Ann".to_owned(), ..seeking("ann") };
    let hers = seek(&key, &named).await;
    let erase = ErasePlayerRequest { name: "players/ann".to_owned() };
    assert!(key.ask(&erase).await.expect("it is done").erased);
    seek(&key, &seeking("bob")).await;
    sleep(Duration::from_secs(2)).await;
    let left = found(&key, &hers.name).await;
    assert_eq!((left.state(), &left.display_name[..]), (SeekState::Deleted, ""));
    assert!(left.player.starts_with("erased-"), "{}", left.player);
}

#[tokio::test]
async fn players_join_matches_of_the_lobby_and_no_others() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let open =
        |lobby| CreateMatchRequest { lobby, players: vec!["bob".to_owned()], ..new_match(2) };
    let closed = create(&key, &open(false)).await.name;
    let listed = create(&key, &open(true)).await.name;
    let three = create(&key, &CreateMatchRequest { seats: 3, ..open(true) }).await.name;
    let ann = key.holding(player_token(&key, "ann").await);
    let cid = key.holding(player_token(&key, "cid").await);
    let list = async |client: &Client, seats| {
        let (mut request, mut names) = (
            ListOpenMatchesRequest { page_size: 1, seats, ..ListOpenMatchesRequest::default() },
            Vec::new(),
        );
        loop {
            let page = client.ask(&request).await.expect("a page");
            names.extend(page.matches.into_iter().map(|it| it.name));
            request.page_token = page.next_page_token;
            if request.page_token.is_empty() {
                return names;
            }
        }
    };
    for client in [&key, &ann] {
        for protocol in PROTOCOLS {
            let client = client.speaking(protocol);
            assert_eq!(list(&client, 0).await, [three.clone(), listed.clone()]);
            assert_eq!(list(&client, 3).await, std::slice::from_ref(&three));
        }
    }
    let join = |name: &str| JoinMatchRequest { name: name.to_owned(), ..<_>::default() };
    assert_eq!(get(&ann, &listed).await.state(), MatchState::Open, "an open one may be looked at");
    let all = key.ask(&ListMatchesRequest::default()).await.expect("a list").matches;
    for (name, is_in_lobby) in [(&closed, false), (&listed, true), (&three, true)] {
        let found = all.iter().find(|it| it.name == *name).expect("it is listed");
        assert_eq!((found.lobby, get(&key, name).await.lobby), (is_in_lobby, is_in_lobby));
    }
    let failure = ann.ask(&join(&closed)).await.expect_err("it is not in the lobby");
    failure.check(Code::NotFound, "MATCH_NOT_FOUND");
    let for_other = JoinMatchRequest { player: "cid".to_owned(), ..join(&listed) };
    let failure = ann.ask(&for_other).await.expect_err("another player");
    failure.check(Code::PermissionDenied, "OTHER_PLAYER");
    // The other calls know no match in which she has no seat.
    let view = GetViewRequest { name: listed.clone(), ..<_>::default() };
    ann.ask(&view).await.expect_err("no seat").check(Code::NotFound, "MATCH_NOT_FOUND");
    let joined = ann.ask(&join(&listed)).await.expect("a seat");
    let started = joined.r#match.expect("a match");
    assert_eq!((joined.seat, started.state(), started.lobby), (1, MatchState::Running, false));
    assert_eq!(ann.ask(&join(&listed)).await.expect("her seat").seat, 1, "it may be repeated");
    let failure = cid.ask(&join(&listed)).await.expect_err("it has started");
    failure.check(Code::NotFound, "MATCH_NOT_FOUND");
    assert_eq!(list(&cid, 0).await, std::slice::from_ref(&three));
    key.ask(&DeleteMatchRequest { name: three, ..<_>::default() }).await.expect("it is deleted");
    assert_eq!(list(&cid, 0).await, Vec::<String>::new());
    let mut database = installation.database().await;
    let left: i64 = sqlx::query_scalar("select count(*) from lobby")
        .fetch_one(&mut database)
        .await
        .expect("a count");
    assert_eq!(left, 0, "who lists the lobby tidies it");
}
