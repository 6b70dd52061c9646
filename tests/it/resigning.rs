//! Resignation ends a match of two; in a larger match the house plays for the seat.

use contract::v1::*;
use table::Viewer;
use tonic::Code;

use crate::harness::*;

#[tokio::test]
async fn with_two_seats_a_resignation_ends_the_match() {
    let installation = Installation::open().await;
    for protocol in PROTOCOLS {
        let client = installation.client(protocol);
        let mut playing = Playing::new(&client, 2, 81).await.with_tokens().await;
        playing.steps(5).await;
        let request = resign(&playing.name, 1);
        let entry =
            playing.seats[1].ask(&request).await.expect("any time").entry.expect("an entry");
        assert_eq!((entry.verb.as_str(), entry.seat, entry.position), ("resign", Some(1), 7));
        let again = playing.seats[1].ask(&request).await.expect("a retry").entry;
        assert_eq!(again, Some(entry));
        let it = get(&client, &playing.name).await;
        assert_eq!((it.state(), it.position), (MatchState::Ended, 7));
        assert_eq!(it.winners, [0]);
        let other_request = ResignMatchRequest { request_id: "another".to_owned(), ..request };
        let failure = playing.seats[1].ask(&other_request).await.expect_err("it is over");
        failure.check(Code::FailedPrecondition, "MATCH_ENDED");
        let listed = entries(&client, &it.name, "house").await;
        Truth::of(&it, Viewer::House, &listed).check_deals(&it);
    }
}

#[tokio::test]
async fn with_three_seats_the_house_plays_for_the_one_that_resigned() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest);
    let mut playing = Playing::new(&client, 3, 82).await;
    playing.steps(6).await;
    let left = playing.asked.expect("the match goes on");
    let leaving = resign(&playing.name, left);
    let entry = client.ask(&leaving).await.expect("any time").entry.expect("an entry");
    assert!(entry.prompts.iter().all(|prompt| prompt.seat != left), "its turn was played for it");
    playing.acknowledged(&leaving.request_id, entry);

    let twice =
        ResignMatchRequest { request_id: "twice".to_owned(), ..resign(&playing.name, left) };
    let failure = client.ask(&twice).await.expect_err("it left");
    failure.check(Code::FailedPrecondition, "RESIGNED");
    assert_eq!(view(&client, &playing.name, "", None).await.resigned, [left]);
    let legal = ListLegalActionsRequest {
        name: playing.name.clone(),
        seat: Some(left),
        ..Default::default()
    };
    assert!(client.ask(&legal).await.expect("an answer").actions.is_empty());

    while playing.step().await {
        assert_ne!(playing.asked, Some(left), "nobody waits for it");
    }
    check_record(&playing, &[&client], &mut installation.database().await).await;
    let it = get(&client, &playing.name).await;
    assert!(!it.winners.contains(&left));
}

#[tokio::test]
async fn with_three_seats_two_resignations_end_the_match() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 3, 83).await;
    playing.steps(4).await;
    for seat in [0, 2] {
        client.ask(&resign(&playing.name, seat)).await.expect("any time");
    }
    let it = get(&client, &playing.name).await;
    assert_eq!((it.state(), it.winners.as_slice()), (MatchState::Ended, &[1][..]));
    let listed = entries(&client, &it.name, "house").await;
    check_dense(&listed, 7);
    Truth::of(&it, Viewer::House, &listed).check_deals(&it);
}

fn resign(name: &str, seat: u32) -> ResignMatchRequest {
    let request_id = format!("leaving-{seat}");
    ResignMatchRequest {
        name: name.to_owned(),
        seat: Some(seat),
        request_id,
        ..ResignMatchRequest::default()
    }
}
