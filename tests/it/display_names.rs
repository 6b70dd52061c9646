//! Display names: given with a seat, shown to those who may see the match, and kept.

use contract::v1::*;
use tokio::join;
use tonic::Code;

use crate::files::{export, import};
use crate::harness::*;

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&it| it.to_owned()).collect()
}

/// A match of two players with these names.
fn named(names: &[&str]) -> CreateMatchRequest {
    CreateMatchRequest { display_names: texts(names), ..new_match(2) }
}

fn names_of(it: &Match) -> Vec<&str> {
    it.seats.iter().map(|seat| seat.display_name.as_str()).collect()
}

fn joining(name: &str, player: &str, display_name: &str) -> JoinMatchRequest {
    JoinMatchRequest {
        name: name.to_owned(),
        player: player.to_owned(),
        display_name: display_name.to_owned(),
        ..JoinMatchRequest::default()
    }
}

async fn join(client: &Client, name: &str, player: &str, display_name: &str) -> Match {
    let joined = client.ask(&joining(name, player, display_name)).await.expect("a seat is open");
    joined.r#match.expect("a match")
}

async fn resign(client: &Client, name: &str, seat: u32) {
    let request = ResignMatchRequest { name: name.to_owned(), seat: Some(seat), ..<_>::default() };
    client.ask(&request).await.expect("any seat may resign");
}

#[tokio::test]
async fn every_answer_with_seats_has_the_display_names() {
    let mut installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let mut names = Vec::new();
    for protocol in PROTOCOLS {
        let client = key.speaking(protocol);
        let created = create(&client, &named(&["Ottoline \u{1f98a}", "B. <Bart> O'Neil"])).await;
        assert_eq!(names_of(&created), ["Ottoline \u{1f98a}", "B. <Bart> O'Neil"], "{protocol:?}");
        assert_eq!(get(&client, &created.name).await, created);
        let seat = client.holding(token(&client, &created.name, Some(1)).await);
        assert_eq!(get(&seat, &created.name).await.seats, created.seats);
        let spectator = client.holding(token(&client, &created.name, None).await);
        assert_eq!(get(&spectator, &created.name).await.seats, created.seats);
        let tag = TagMatchRequest { name: created.name.clone(), ..TagMatchRequest::default() };
        let tagged = client.ask(&tag).await.expect("accepted").r#match.expect("a match");
        assert_eq!(tagged, created);

        let players = vec![player(0)];
        let display_names = texts(&["Ottoline"]);
        let open = CreateMatchRequest { players, display_names, ..new_match(2) };
        let open = create(&client, &open).await;
        assert_eq!(names_of(&open), ["Ottoline", ""]);
        let joined = join(&client, &open.name, &player(1), "Bart").await;
        assert_eq!(
            (names_of(&joined), joined.state()),
            (vec!["Ottoline", "Bart"], MatchState::Running)
        );
        // Joining again returns the seat as it was taken.
        assert_eq!(join(&client, &open.name, &player(1), "Simpson").await, joined);
        names.extend([created, joined]);
    }
    installation.service.kill().await;
    installation.service.start_again().await;
    let client = installation.client(Protocol::Rest);
    let page = client.ask(&ListMatchesRequest::default()).await.expect("a page");
    assert_eq!(page.matches.len(), names.len());
    for it in &names {
        assert_eq!(get(&client, &it.name).await, *it, "read from the database");
        assert!(page.matches.contains(it));
    }
}

#[tokio::test]
async fn a_display_name_is_a_line_of_plain_text_that_no_other_seat_shows() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let long = "\u{fc}".repeat(65);
    let bad = ["\n", " ", "a\nb", "a\tb", "a\u{202e}b", "\u{200b}", "a\u{7}", &long];
    for protocol in PROTOCOLS {
        let client = key.speaking(protocol);
        let refused = async |request: &CreateMatchRequest| {
            let refused = client.ask(request).await.expect_err("it is not valid");
            refused.check(Code::InvalidArgument, "INVALID_REQUEST");
            let field = &refused.facts["field"];
            assert!(field.starts_with("display_names["), "{field}: {}", refused.message);
        };
        let open = CreateMatchRequest { players: Vec::new(), ..new_match(3) };
        let open = create(&client, &open).await.name;
        for name in bad {
            refused(&named(&["Ann", name])).await;
            let failure = client.ask(&joining(&open, "u1", name)).await.expect_err("not valid");
            failure.check(Code::InvalidArgument, "INVALID_REQUEST");
            assert_eq!(failure.facts["field"], "display_name");
        }
        refused(&named(&["Ann", "ANN"])).await;
        refused(&named(&[&player(1).to_uppercase()])).await;
        refused(&named(&["Ann", "Bob", "Cid"])).await;
        refused(&CreateMatchRequest { players: Vec::new(), ..named(&["Ann"]) }).await;
        create(&client, &named(&[&player(0), &"\u{fc}".repeat(64)])).await;

        join(&client, &open, "u1", "Ann B").await;
        for (player, name) in [("u2", "ann  b"), ("ann b", ""), ("u2", "U1"), ("Ann B", "Cid")] {
            let failure = client.ask(&joining(&open, player, name)).await.expect_err("taken");
            failure.check(Code::FailedPrecondition, "DISPLAY_NAME_TAKEN");
        }
        let it = join(&client, &open, "u2", "Ann C").await;
        assert_eq!(names_of(&it), ["Ann B", "Ann C", ""]);
    }
}

#[tokio::test]
async fn a_retry_has_the_same_display_names() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let with_id =
        |request: CreateMatchRequest| CreateMatchRequest { request_id: "r".into(), ..request };
    let first = create(&client, &with_id(named(&["Ann", "Bob"]))).await;
    assert_eq!(create(&client, &with_id(named(&["Ann", "Bob"]))).await, first);
    for other in [named(&["Ann", "Cid"]), named(&["Ann"]), new_match(2)] {
        let refused = client.ask(&with_id(other)).await.expect_err("it is another request");
        refused.check(Code::AlreadyExists, "REQUEST_ID_REUSED");
    }
}

#[tokio::test]
async fn players_keep_their_names_in_the_next_match() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest);
    let first = create(&client, &named(&["Ann", ""])).await;
    resign(&client, &first.name, 0).await;
    let follow = |previous: &Match, players: &[u32], names: &[&str]| CreateMatchRequest {
        previous: previous.name.clone(),
        players: players.iter().map(|&seat| player(seat)).collect(),
        display_names: texts(names),
        ..CreateMatchRequest::default()
    };
    let moved = create(&client, &follow(&first, &[1, 0], &[])).await;
    assert_eq!(names_of(&moved), ["", "Ann"], "the name goes with its player");
    resign(&client, &moved.name, 0).await;
    let refused = client.ask(&follow(&moved, &[], &["Bob", "Ann"])).await.expect_err("of whom?");
    refused.check(Code::InvalidArgument, "INVALID_REQUEST");
    assert_eq!(refused.facts["field"], "display_names");
    let renamed = create(&client, &follow(&moved, &[1, 0], &["Bob", ""])).await;
    assert_eq!(names_of(&renamed), ["Bob", ""], "as the request says");

    let elsewhere = create(&client, &named(&["Ann", "Bob"])).await;
    resign(&client, &elsewhere.name, 1).await;
    let same = create(&client, &follow(&elsewhere, &[], &[])).await;
    assert_eq!(names_of(&same), ["Ann", "Bob"], "with everything else");
}

#[tokio::test]
async fn display_names_are_exported_and_imported() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let it = create(&client, &named(&["Ann \"A\" \u{1f98a}", ""])).await;
    let open = CreateMatchRequest { players: vec![player(0)], ..named(&["Ann"]) };
    let open = create(&client, &open).await;
    let path = installation.folder.path().join("names");
    let text = export(&installation, &path, &["--seeds"]).await;
    assert_eq!(text.matches("\"display_name\":").count(), 2, "absent where there is none: {text}");
    let other = Installation::open().await;
    import(&other, &path).await;
    import(&other, &path).await;
    let there = other.client(Protocol::Grpc);
    assert_eq!(get(&there, &it.name).await, it);
    assert_eq!(export(&other, &other.folder.path().join("names"), &["--seeds"]).await, text);
    let taken = there.ask(&joining(&open.name, "u1", "ANN")).await.expect_err("it is taken");
    taken.check(Code::FailedPrecondition, "DISPLAY_NAME_TAKEN");
}

#[tokio::test]
async fn two_processes_show_the_same_names() {
    let installation = Installation::open().await;
    let second = installation.serve("b").await;
    let (a, b) = (installation.client(Protocol::Grpc), second.client(Protocol::Grpc));
    for number in 0..8 {
        let open = CreateMatchRequest { players: Vec::new(), ..new_match(2) };
        let open = create(&a, &open).await.name;
        assert_eq!(names_of(&get(&b, &open).await), ["", ""], "both have it in memory");
        // One of them gets the name, the other player takes another.
        let (mine, theirs) = (joining(&open, "u1", "Ann"), joining(&open, "u2", "ann"));
        let (name, other) = match join!(a.ask(&mine), b.ask(&theirs)) {
            (Ok(_), Err(refused)) => (("Ann", "u2"), refused),
            (Err(refused), Ok(_)) => (("ann", "u1"), refused),
            both => panic!("{number}: {both:?}"),
        };
        other.check(Code::FailedPrecondition, "DISPLAY_NAME_TAKEN");
        let (name, player) = name;
        let joined = join(&b, &open, player, "Bob").await;
        assert_eq!(names_of(&joined), [name, "Bob"]);
        for client in [&a, &b] {
            assert_eq!(get(client, &open).await, joined);
        }
    }
}

/// The previous release knows no names: it seats players as it did, and this one deals.
#[tokio::test]
async fn the_previous_release_seats_players_beside_named_ones() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let open = CreateMatchRequest { players: vec![player(0)], ..named(&["Ann"]) };
    let open = create(&client, &open).await.name;
    let mut database = installation.database().await;
    let seated = sqlx::query(
        "insert into seats
             (bucket, match_id, seat, player, request_id, create_time, platform, match_create_time)
         select bucket, match_id, 1, 'bob', null, now(), platform, create_time
         from matches
         on conflict do nothing",
    );
    let seated = seated.execute(&mut database).await.expect("its statement is still valid");
    assert_eq!(seated.rows_affected(), 1);
    let it = get(&client, &open).await;
    assert_eq!((names_of(&it), it.state()), (vec!["Ann", ""], MatchState::Running));
}

#[tokio::test]
async fn nobody_else_learns_a_display_name() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let it = create(&key, &named(&["Mortimer Quill", ""])).await;
    let rival = key.holding(installation.platform("rival").await);
    let theirs = create(&rival, &new_match(2)).await;
    let seat = rival.holding(token(&rival, &theirs.name, Some(0)).await);
    let elsewhere = create(&key, &new_match(2)).await;
    let stranger = key.holding(token(&key, &elsewhere.name, Some(0)).await);
    for protocol in PROTOCOLS {
        for client in [&rival, &seat, &stranger] {
            let client = client.speaking(protocol);
            let get = GetMatchRequest { name: it.name.clone(), ..GetMatchRequest::default() };
            let join = joining(&it.name, "u1", "Mortimer Quill");
            let follow =
                CreateMatchRequest { previous: it.name.clone(), ..CreateMatchRequest::default() };
            let answers = [
                client.receive(&get).await,
                client.receive(&join).await,
                client.receive(&follow).await,
                client.receive(&ListMatchesRequest::default()).await,
            ];
            for answer in answers {
                let bytes = answer.expect("an answer").bytes();
                let text = String::from_utf8_lossy(&bytes);
                assert!(!text.contains("Quill"), "{protocol:?}: {text}");
            }
        }
    }
    // A name that is written down goes no further: neither to the log nor to the metrics.
    let log = log_tail(&installation.folder.path().join("a"));
    assert!(!log.contains("Quill"), "{log}");
}
