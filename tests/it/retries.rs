//! Retries: a repeated request takes effect once, and a request id reused for another request is
//! refused.

use contract::v1::*;
use futures::future::join_all;
use tonic::Code;

use crate::harness::*;

#[tokio::test]
async fn thirty_copies_of_one_request_become_one_entry_with_equal_answers() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 2, 41).await;
    for position in 2..6 {
        let request = playing.plan().await.expect("an answer").expect("the match goes on");
        let protocols = PROTOCOLS.iter().cycle().take(30);
        let clients: Vec<Client> = protocols.map(|it| client.speaking(*it).apart()).collect();
        let answers = join_all(clients.iter().map(|client| client.ask(&request))).await;
        let entries = answers.into_iter().map(|it| it.expect("accepted").entry.expect("an entry"));
        let entries: Vec<Entry> = entries.collect();
        assert!(entries.iter().all(|entry| *entry == entries[0]));
        assert_eq!(entries[0].position, position);
        playing.acknowledged(&request.request_id, entries[0].clone());
    }
    assert_eq!(get(&client, &playing.name).await.position, 5);
    let requests = recorded_requests(&mut installation.database().await, &playing.name).await;
    assert_eq!(requests[1..], playing.requests);
}

#[tokio::test]
async fn a_request_id_is_checked_first_and_never_expires() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::ConnectProto);
    let mut playing = Playing::new(&client, 2, 42).await;
    let first = playing.plan().await.expect("an answer").expect("the match goes on");
    let first = SubmitActionRequest { expected_position: Some(1), ..first };
    let entry = playing.submit(&first).await.expect("it is at this position");
    assert_eq!(client.ask(&first).await.expect("a retry").entry, Some(entry.clone()));
    playing.finish().await;
    assert_eq!(client.ask(&first).await.expect("a retry").entry, Some(entry));
    assert_eq!(get(&client, &playing.name).await.position, playing.entries.len() as i32 + 1);
}

#[tokio::test]
async fn a_request_id_used_for_another_request_is_refused() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest);
    let mut playing = Playing::new(&client, 2, 43).await;
    let first = playing.plan().await.expect("an answer").expect("the match goes on");
    playing.submit(&first).await.expect("accepted");
    let (name, request_id) = (first.name.clone(), first.request_id.clone());
    let action = another_action(&client, &first).await;
    let other_action = SubmitActionRequest { action, ..first.clone() };
    check_reused(client.ask(&other_action).await);
    let resign = ResignMatchRequest {
        name: name.clone(),
        seat: first.seat,
        request_id,
        ..ResignMatchRequest::default()
    };
    check_reused(client.ask(&resign).await);
    assert_eq!(get(&client, &name).await.position, 2, "nothing was recorded");
}

/// An action of the game other than this request's.
async fn another_action(
    client: &Client,
    request: &SubmitActionRequest,
) -> Option<contract::Action> {
    let seats = (0..2).map(|seat| ListLegalActionsRequest {
        name: request.name.clone(),
        seat: Some(seat),
        ..Default::default()
    });
    let mut actions = Vec::new();
    for asked in seats {
        actions.extend(client.ask(&asked).await.expect("an answer").actions);
    }
    let other = actions.into_iter().find(|legal| legal.action != request.action);
    other.expect("there is a choice").action
}

#[track_caller]
fn check_reused<T: std::fmt::Debug>(answer: Result<T, Failure>) {
    let failure = answer.expect_err("the id is taken");
    failure.check(Code::AlreadyExists, "REQUEST_ID_REUSED");
}

#[tokio::test]
async fn a_stale_position_is_refused_with_the_current_one() {
    let installation = Installation::open().await;
    for protocol in PROTOCOLS {
        let client = installation.client(protocol);
        let mut playing = Playing::new(&client, 2, 44).await;
        playing.steps(3).await;
        let next = playing.plan().await.expect("an answer").expect("the match goes on");
        for stale in [0, 3, 5] {
            let request = SubmitActionRequest { expected_position: Some(stale), ..next.clone() };
            let failure = client.ask(&request).await.expect_err("the match is at 4");
            failure.check(Code::Aborted, "POSITION_MOVED");
            assert_eq!(failure.facts["position"], "4");
        }
        let request = SubmitActionRequest { expected_position: Some(4), ..next };
        let entry = client.ask(&request).await.expect("accepted").entry;
        assert_eq!(entry.expect("an entry").position, 5);
    }
}

#[tokio::test]
async fn a_repeated_create_request_returns_the_same_match() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let request = CreateMatchRequest { request_id: "friday-7".to_owned(), ..new_match(2) };
    let first = create(&client, &request).await;
    for protocol in PROTOCOLS {
        assert_eq!(create(&client.speaking(protocol), &request).await, first);
    }
    check_reused(client.ask(&CreateMatchRequest { seats: 3, ..request.clone() }).await);
    let options = [("first-seat".to_owned(), "1".to_owned())].into();
    check_reused(client.ask(&CreateMatchRequest { options, ..request.clone() }).await);
    let other = client.holding(installation.platform("rival").await);
    assert_ne!(create(&other, &request).await.name, first.name, "another platform's own words");
    let unnamed = CreateMatchRequest { request_id: String::new(), ..request };
    assert_ne!(create(&client, &unnamed).await.name, create(&client, &unnamed).await.name);
}

#[tokio::test]
async fn one_of_eight_players_gets_the_last_seat() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    for (seat, refusal) in [(None, "MATCH_FULL"), (Some(2), "SEAT_TAKEN")] {
        let players = vec![player(0), player(1)];
        let open = create(&client, &CreateMatchRequest { players, ..new_match(3) }).await;
        let clients: Vec<Client> = (0..8).map(|_| client.apart()).collect();
        let asking = clients.iter().enumerate().map(async |(number, client)| {
            client.ask(&join(&open.name, &format!("guest-{number}"), seat)).await
        });
        let mut seated = 0;
        for answer in join_all(asking).await {
            match answer {
                Ok(joined) => {
                    seated += 1;
                    assert_eq!(joined.seat, 2);
                    assert_eq!(joined.r#match.expect("a match").state(), MatchState::Running);
                }
                Err(failure) => {
                    failure.check(Code::FailedPrecondition, refusal);
                }
            }
        }
        assert_eq!(seated, 1);
        let it = get(&client, &open.name).await;
        assert_eq!(it.position, 1, "it is dealt once");
        let winner = it.seats[2].player.clone();
        let again = client.ask(&join(&open.name, &winner, seat)).await;
        assert_eq!(again.expect("who sits may ask again").seat, 2);
    }
}

fn join(name: &str, player: &str, seat: Option<u32>) -> JoinMatchRequest {
    let (name, player) = (name.to_owned(), player.to_owned());
    JoinMatchRequest {
        name,
        player,
        seat,
        request_id: String::new(),
        ..JoinMatchRequest::default()
    }
}
