//! Series: matches that follow each other, with the same players.

use std::collections::HashMap;

use contract::v1::*;
use records::Line;
use tokio::join;
use tonic::Code;

use crate::files::{export, failure, forged, import};
use crate::harness::*;

/// The next match of a series, with everything as in the one before.
fn next_of(previous: &str) -> CreateMatchRequest {
    CreateMatchRequest { previous: previous.to_owned(), ..Default::default() }
}

/// The match after a seat has resigned; with two seats, the other one wins.
async fn resign(client: &Client, name: &str, seat: u32) -> Match {
    let request = ResignMatchRequest { name: name.to_owned(), seat: Some(seat), ..<_>::default() };
    client.ask(&request).await.expect("any seat may resign");
    get(client, name).await
}

fn series(number: u32, wins: [u32; 2], winner: Option<u32>) -> Option<Series> {
    Some(Series { number, wins: wins.to_vec(), best_of: Some(3), winner })
}

fn players_of(it: &Match) -> Vec<&str> {
    it.seats.iter().map(|seat| seat.player.as_str()).collect()
}

async fn listed(client: &Client) -> HashMap<String, Match> {
    let page = client.ask(&ListMatchesRequest::default()).await.expect("a page");
    page.matches.into_iter().map(|it| (it.name.clone(), it)).collect()
}

/// Each match equals the one in the list, and a seat's token reads the same of the series.
async fn check_listed(client: &Client, names: &[&str]) {
    let listed = listed(client).await;
    for &name in names {
        let it = get(client, name).await;
        assert_eq!(it, listed[name]);
        let seat = client.holding(token(client, name, Some(0)).await);
        let seen = get(&seat, name).await;
        assert_eq!((seen.previous, seen.next, seen.series), (it.previous, it.next, it.series));
    }
}

async fn play_series(protocol: Protocol) {
    let mut installation = Installation::open().await;
    let client = installation.client(protocol);
    let options = [("first-seat".to_owned(), "0".to_owned())].into();
    let first = create(&client, &CreateMatchRequest { options, ..new_match(2) }).await;
    assert_eq!((first.previous.as_str(), first.next.as_str(), first.series), ("", "", None));
    let mut playing = Playing::of(&client, &get(&client, &first.name).await, 1);
    playing.steps(3).await;
    let first = resign(&client, &first.name, 0).await;
    assert_eq!((&first.winners[..], first.series), (&[1][..], None), "it is no series yet");

    // The players change seats: the score and the first turn follow them.
    let players = vec![player(1), player(0)];
    let second = create(&client, &CreateMatchRequest { players, ..next_of(&first.name) }).await;
    assert_eq!((second.game.as_str(), second.state()), (MOUNTEBANK, MatchState::Running));
    assert_eq!(players_of(&second), [player(1), player(0)]);
    assert_eq!(second.previous, first.name);
    assert_eq!(second.options["first-seat"], "0", "the winner of the first match");
    assert_eq!(second.turn, Some(0));
    assert_eq!(second.series, series(2, [1, 0], None));
    let first = get(&client, &first.name).await;
    assert_eq!((&first.next, first.series), (&second.name, series(1, [0, 1], None)));
    check_listed(&client, &[&first.name, &second.name]).await;

    installation.service.kill().await;
    installation.service.start_again().await;
    let client = installation.client(protocol);
    check_listed(&client, &[&first.name, &second.name]).await;
    let second = resign(&client, &second.name, 0).await;
    assert_eq!(second.series, series(2, [1, 1], None));

    let third = create(&client, &next_of(&second.name)).await;
    assert_eq!(players_of(&third), [player(1), player(0)], "as in the match before");
    assert_eq!((third.options["first-seat"].as_str(), third.turn), ("1", Some(1)));
    let mut playing = Playing::of(&client, &get(&client, &third.name).await, 2);
    playing.steps(4).await;
    let third = resign(&client, &third.name, 1).await;
    assert_eq!(third.series, series(3, [2, 1], Some(0)));
    let listed = entries(&client, &third.name, "house").await;
    Truth::of(&third, table::Viewer::House, &listed).check_deals(&third);

    let refused = client.ask(&next_of(&third.name)).await.expect_err("it is decided");
    refused.check(Code::FailedPrecondition, "SERIES_DECIDED");
    assert_eq!(refused.facts["winner"], "0");
    check_listed(&client, &[&first.name, &second.name, &third.name]).await;
}

#[tokio::test]
async fn grpc_plays_a_best_of_three() {
    play_series(Protocol::Grpc).await;
}

#[tokio::test]
async fn rest_plays_a_best_of_three() {
    play_series(Protocol::Rest).await;
}

#[tokio::test]
async fn only_an_ended_match_is_followed_by_its_own_players() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let running = create(&client, &new_match(2)).await;
    let open = create(&client, &CreateMatchRequest { players: Vec::new(), ..new_match(2) }).await;
    for name in [&running.name, &open.name] {
        let refused = client.ask(&next_of(name)).await.expect_err("it has not ended");
        refused.check(Code::FailedPrecondition, "MATCH_NOT_ENDED");
    }
    let ended = resign(&client, &running.name, 1).await;
    let others = vec![player(0), player(2)];
    let mismatches = [
        CreateMatchRequest { game: "games/rigs".to_owned(), ..next_of(&ended.name) },
        CreateMatchRequest { seats: 3, ..next_of(&ended.name) },
        CreateMatchRequest { players: others, ..next_of(&ended.name) },
        CreateMatchRequest { players: vec![player(0)], ..next_of(&ended.name) },
        CreateMatchRequest { players: vec![player(0); 2], ..next_of(&ended.name) },
    ];
    for request in mismatches {
        let refused = client.ask(&request).await.expect_err("it is another table");
        refused.check(Code::InvalidArgument, "SERIES_MISMATCH");
    }
    let options = [("first-seat".to_owned(), "random".to_owned())].into();
    let asked = CreateMatchRequest { options, request_id: "r".to_owned(), ..next_of(&ended.name) };
    let next = create(&client, &asked).await;
    assert_eq!(next.options["first-seat"], "random", "the creator decides");
    assert_eq!(create(&client, &asked).await.name, next.name, "a retry");
    let other = CreateMatchRequest { request_id: "r".to_owned(), ..next_of(&ended.name) };
    let refused = client.ask(&other).await.expect_err("another request");
    refused.check(Code::AlreadyExists, "REQUEST_ID_REUSED");
    let alone = CreateMatchRequest { request_id: "r".to_owned(), ..new_match(2) };
    let refused = client.ask(&alone).await.expect_err("another request");
    refused.check(Code::AlreadyExists, "REQUEST_ID_REUSED");
    let refused = client.ask(&next_of(&ended.name)).await.expect_err("there is one");
    refused.check(Code::FailedPrecondition, "MATCH_FOLLOWED");
    assert_eq!(refused.facts["next"], next.name);
    assert_eq!(listed(&client).await.len(), 3, "nothing else was created");
}

#[tokio::test]
async fn a_foreign_match_to_follow_looks_like_no_match() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let rival = key.holding(installation.platform("rival").await);
    let theirs = create(&rival, &new_match(2)).await;
    let theirs = resign(&rival, &theirs.name, 0).await.name;
    let none = "matches/00000000-0000-4000-8000-000000000000";
    for protocol in PROTOCOLS {
        let client = key.speaking(protocol);
        let mut answers = Vec::new();
        for name in [none, &theirs] {
            let refused = client.ask(&next_of(name)).await.expect_err("not to be found");
            refused.check(Code::NotFound, "MATCH_NOT_FOUND");
            answers.push((refused.message, refused.response.bytes()));
        }
        assert_eq!(answers[0], answers[1]);
        let get = GetMatchRequest { name: none.to_owned(), ..GetMatchRequest::default() };
        let unknown = client.ask(&get).await.expect_err("there is none");
        assert_eq!((unknown.message, unknown.response.bytes()), answers[0], "{protocol:?}");
    }
    let next = create(&rival, &next_of(&theirs)).await;
    assert_eq!(next.previous, theirs);
}

/// A game whose rulebook tells nothing of a next match: the wins are counted, chance begins.
#[tokio::test]
async fn a_series_of_any_game_counts_wins() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    for game in games::GAMES.iter().filter(|game| game.name() != "mountebank") {
        let seats = u32::from(*game.seats().start());
        let game = format!("games/{}", game.name());
        let mut it = create(&client, &CreateMatchRequest { game, ..new_match(seats) }).await;
        for number in 2..=4 {
            for seat in 1..seats {
                resign(&client, &it.name, seat).await;
            }
            it = create(&client, &next_of(&it.name)).await;
            let series = it.series.expect("it follows a match");
            assert_eq!((series.number, series.best_of, series.winner), (number, None, None));
            let mut wins = vec![0; seats as usize];
            wins[0] = number - 1;
            assert_eq!(series.wins, wins);
            let first = it.options.get("first-seat").map_or("random", String::as_str);
            assert_eq!(first, "random");
        }
    }
}

#[tokio::test]
async fn a_series_is_exported_and_imported() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let first = create(&client, &new_match(2)).await;
    resign(&client, &first.name, 0).await;
    let second = create(&client, &next_of(&first.name)).await;
    let path = installation.folder.path().join("series");
    let text = export(&installation, &path, &["--seeds"]).await;
    let follows = format!(r#""follows":{{"previous":"{}","number":2"#, first.name);
    assert!(text.contains(&follows), "{text}");

    let other = Installation::open().await;
    import(&other, &path).await;
    import(&other, &path).await;
    let there = other.client(Protocol::Grpc);
    assert_eq!(export(&other, &other.folder.path().join("series"), &["--seeds"]).await, text);
    for name in [&first.name, &second.name] {
        assert_eq!(get(&there, name).await, get(&client, name).await);
    }
    let second = resign(&there, &second.name, 0).await;
    assert_eq!(second.series, series(2, [0, 2], Some(1)), "it is played on");

    // The score is part of what the digests cover.
    let forge = |line: &mut Line| {
        if let Line::Match(it) = line
            && let Some(follows) = &mut it.follows
        {
            follows.wins = vec![1, 0];
        }
    };
    std::fs::write(&path, forged(&text, &forge)).expect("a file");
    let said = failure(&["import", "--check", path.to_str().expect("a plain path")]).await;
    assert!(said.contains("its digest is wrong"), "{said}");

    // Elsewhere, another match may follow the first one by now.
    let alone = Installation::open().await;
    let first_only = alone.folder.path().join("first");
    export(&installation, &first_only, &[&first.name]).await;
    import(&alone, &first_only).await;
    let elsewhere = alone.client(Protocol::Grpc);
    assert_eq!(get(&elsewhere, &first.name).await.next, "");
    let other = create(&elsewhere, &next_of(&first.name)).await;
    std::fs::write(&path, &text).expect("a file");
    let url = alone.postgres().url();
    let path = path.to_str().expect("a plain path");
    let said = failure(&["import", "--database-url", &url, path]).await;
    assert!(said.contains(&second.name) && said.contains(&other.name), "{said}");
}

/// The key of the record decides, not a lock in one process.
#[tokio::test]
async fn of_two_matches_that_follow_one_at_once_one_is_created() {
    let installation = Installation::open().await;
    let second = installation.serve("b").await;
    let (a, b) = (installation.client(Protocol::Grpc), second.client(Protocol::Grpc));
    for number in 0..20 {
        let it = create(&a, &new_match(2)).await;
        resign(&b, &it.name, number % 2).await;
        let request = |client: &str| CreateMatchRequest {
            request_id: format!("{client}-{number}"),
            ..next_of(&it.name)
        };
        let (mine, theirs) = (request("a"), request("b"));
        let (created, refused) = match join!(a.ask(&mine), b.ask(&theirs)) {
            (Ok(created), Err(refused)) | (Err(refused), Ok(created)) => (created, refused),
            both => panic!("{both:?}"),
        };
        refused.check(Code::FailedPrecondition, "MATCH_FOLLOWED");
        let created = created.r#match.expect("a match");
        assert_eq!(refused.facts["next"], created.name);
        for client in [&a, &b] {
            assert_eq!(get(client, &it.name).await.next, created.name);
            let seen = get(client, &created.name).await;
            assert_eq!((seen.position, &seen.series), (1, &created.series));
        }

        // Now both have won a match.
        resign(&a, &created.name, 1 - number % 2).await;
        let same = CreateMatchRequest { request_id: format!("{number}"), ..next_of(&created.name) };
        let (mine, theirs) = join!(create(&a, &same), create(&b, &same));
        assert_eq!(mine, theirs, "a retry");
    }
}
