//! Whole matches: each protocol plays them from the first seat to the last point, and every deal is
//! verified afterwards.

use contract::v1::match_service_client::MatchServiceClient;
use contract::v1::*;
use table::Viewer;

use crate::harness::*;

#[tokio::test]
async fn grpc_plays_whole_matches() {
    play_whole_matches(Protocol::Grpc).await;
}

#[tokio::test]
async fn grpc_web_plays_whole_matches() {
    play_whole_matches(Protocol::GrpcWeb).await;
}

#[tokio::test]
async fn connect_plays_whole_matches_in_json() {
    play_whole_matches(Protocol::ConnectJson).await;
}

#[tokio::test]
async fn connect_plays_whole_matches_in_protobuf() {
    play_whole_matches(Protocol::ConnectProto).await;
}

#[tokio::test]
async fn rest_plays_whole_matches() {
    play_whole_matches(Protocol::Rest).await;
}

/// Two named seats; three seats joined one by one and played with tokens; four seats, one of them
/// open.
async fn play_whole_matches(protocol: Protocol) {
    let installation = Installation::open().await;
    let client = installation.client(protocol);

    let two = Playing::new(&client, 2, 1).await;
    check_whole(&client, two).await;

    let open = CreateMatchRequest { players: Vec::new(), ..new_match(3) };
    let three = create(&client, &open).await;
    assert_eq!(three.state(), MatchState::Open);
    assert_eq!(three.position, 0);
    for seat in [1, 0, 2] {
        let joined = join(&client, &three.name, seat).await;
        assert_eq!(joined.seats[seat as usize].player, player(seat));
    }
    let three = Playing::of(&client, &get(&client, &three.name).await, 2);
    check_whole(&client, three.with_tokens().await).await;

    let mut players: Vec<String> = (0..4).map(player).collect();
    players[2].clear();
    let four = create(&client, &CreateMatchRequest { players, ..new_match(4) }).await;
    assert_eq!(four.state(), MatchState::Open);
    let four = join(&client, &four.name, 2).await;
    assert_eq!(four.state(), MatchState::Running, "the last seat was taken");
    check_whole(&client, Playing::of(&client, &four, 3)).await;
}

async fn join(client: &Client, name: &str, seat: u32) -> Match {
    let request = JoinMatchRequest {
        name: name.to_owned(),
        player: player(seat),
        seat: Some(seat),
        request_id: String::new(),
        ..JoinMatchRequest::default()
    };
    let joined = client.ask(&request).await.expect("the seat is open");
    assert_eq!(joined.seat, seat);
    joined.r#match.expect("a match")
}

/// Plays to the end, then compares all answers about the match with one another and with the rules.
async fn check_whole(client: &Client, mut playing: Playing) {
    let before = get(client, &playing.name).await;
    assert_eq!((before.position, before.seed.as_str()), (1, ""));
    playing.finish().await;

    let it = get(client, &playing.name).await;
    assert_eq!(it.state(), MatchState::Ended);
    assert_eq!(it.position, playing.entries.last().expect("it was played").position);
    assert_eq!(
        (&it.seed_commitment, &it.create_time),
        (&before.seed_commitment, &before.create_time)
    );
    assert!(it.waiting_for.is_empty());
    assert_eq!(it.seats.len(), it.scores.len());
    let best = it.scores.iter().max().expect("there are seats");
    assert!(it.winners.iter().all(|&winner| it.scores[winner as usize] == *best));
    assert!(!it.winners.is_empty());

    let listed = entries(client, &it.name, "house").await;
    check_dense(&listed, it.position);
    let truth = Truth::of(&it, Viewer::House, &listed);
    truth.check_deals(&it);
    for viewer in ["house", "spectator", "seats/0"] {
        let table = view(client, &it.name, viewer, None).await;
        assert_eq!((table.position, table.viewer.as_str()), (it.position, viewer));
        assert_eq!(table.scores, it.scores);
        assert_eq!(table.ended.expect("it has ended").winners, it.winners);
    }
    for listed in &playing.entries {
        let viewer = format!("seats/{}", listed.seat.expect("a seat acted"));
        let request =
            GetEntryRequest { name: listed.name.clone(), viewer, ..GetEntryRequest::default() };
        let again = client.ask(&request).await.expect("it was recorded").entry.expect("an entry");
        assert_eq!(&again, listed, "as its author received it at once");
    }
}

#[tokio::test]
async fn every_game_is_played_with_the_fewest_and_most_seats() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    for game in games::GAMES {
        for seats in [*game.seats().start(), *game.seats().end()] {
            let name = format!("games/{}", game.name());
            let request = CreateMatchRequest { game: name, ..new_match(seats.into()) };
            let it = create(&client, &request).await;
            check_whole(&client, Playing::of(&client, &it, 6)).await;
        }
    }
}

#[tokio::test]
async fn the_generated_client_works() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let playing = Playing::new(&key, 2, 4).await;
    let address = format!("http://127.0.0.1:{}", installation.service.port());
    let mut client = MatchServiceClient::connect(address).await.expect("it answers");
    let request = GetMatchRequest { name: playing.name.clone(), ..GetMatchRequest::default() };
    let refused = client.get_match(request.clone()).await.expect_err("without a key");
    assert_eq!(refused.code(), tonic::Code::Unauthenticated);
    let mut request = tonic::Request::new(request);
    let bearer =
        format!("Bearer {}", installation.service.key()).parse().expect("a header's value");
    request.metadata_mut().insert("authorization", bearer);
    let answer = client.get_match(request).await.expect("with a key").into_inner();
    assert_eq!(answer.r#match, Some(get(&key, &playing.name).await));
}

#[tokio::test]
async fn a_view_is_the_fold_of_its_viewers_entries() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest);
    let mut playing = Playing::new(&client, 3, 5).await;
    playing.steps(25).await;
    let it = get(&client, &playing.name).await;
    let layout = games::find("mountebank").expect("a game").layout();
    for (viewer, expected) in
        [("spectator", Viewer::Spectator), ("seats/1", Viewer::Seat(1.try_into().expect("a seat")))]
    {
        let truth = Truth::of(&it, expected, &entries(&client, &it.name, viewer).await);
        for (position, folded) in (1..).zip(&truth.tables) {
            let seen = view(&client, &it.name, viewer, Some(position)).await;
            let seen: Vec<_> =
                seen.places.into_iter().map(|spot| (spot.place, spot.pieces)).collect();
            let folded = folded.places().map(|seen| {
                let pieces = seen.pieces.iter().map(|piece| layout.piece_name(piece).to_owned());
                (seen.place.name.clone(), pieces.collect::<Vec<_>>())
            });
            let folded: Vec<_> = folded.collect();
            for (place, pieces) in &seen {
                assert!(folded.contains(&(place.clone(), pieces.clone())), "{place} at {position}");
            }
            let count =
                |spots: &[(String, Vec<String>)]| spots.iter().map(|it| it.1.len()).sum::<usize>();
            assert_eq!(count(&seen), count(&folded), "at {position}");
        }
    }
}

#[tokio::test]
async fn a_listed_match_equals_the_match_itself() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    create(&client, &CreateMatchRequest { players: vec![player(1)], ..new_match(3) }).await;
    let mut running = Playing::new(&client, 3, 7).await;
    running.steps(7).await;
    let mut ended = Playing::new(&client, 2, 8).await;
    ended.finish().await;
    let given_up = create(&client, &new_match(2)).await.name;
    let resign = ResignMatchRequest { name: given_up, seat: Some(0), ..Default::default() };
    client.ask(&resign).await.expect("any time");
    let listed = client.ask(&ListMatchesRequest::default()).await.expect("a page").matches;
    assert_eq!(listed.len(), 4);
    for it in listed {
        assert_eq!(it, get(&client, &it.name).await);
    }
}

/// Whatever the read model has taken in by then.
#[tokio::test]
async fn a_match_that_has_just_ended_is_not_listed_as_running() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    for _ in 0..20 {
        let name = create(&client, &new_match(2)).await.name;
        let resign = ResignMatchRequest { name, seat: Some(0), ..Default::default() };
        client.ask(&resign).await.expect("any time");
        let running =
            ListMatchesRequest { state: MatchState::Running.into(), ..Default::default() };
        let listed = client.ask(&running).await.expect("a page").matches;
        assert_eq!(listed.iter().find(|it| it.state() != MatchState::Running), None);
    }
}
