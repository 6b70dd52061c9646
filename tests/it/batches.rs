//! Batches of matches: all of them are created, or none.

use contract::v1::*;
use tonic::Code;

use crate::harness::*;

fn batch(requests: Vec<CreateMatchRequest>) -> BatchCreateMatchesRequest {
    BatchCreateMatchesRequest { requests, ..<_>::default() }
}

fn pairing(round: &str, table: u32) -> CreateMatchRequest {
    let players = vec![format!("p{}", 2 * table), format!("p{}", 2 * table + 1)];
    let request_id = format!("{round}-{table}");
    CreateMatchRequest { players, request_id, ..new_match(2) }
}

async fn count(client: &Client) -> usize {
    let request = ListMatchesRequest { page_size: 1000, ..<_>::default() };
    client.ask(&request).await.expect("a list").matches.len()
}

#[tokio::test]
async fn a_batch_is_created_as_a_whole_and_once() {
    let installation = Installation::open().await;
    for (nth, protocol) in PROTOCOLS.into_iter().enumerate() {
        let client = installation.client(protocol);
        let round = format!("round-{nth}");
        let open = CreateMatchRequest { players: Vec::new(), ..pairing(&round, 9) };
        let mut requests: Vec<_> = (0..8).map(|table| pairing(&round, table)).collect();
        requests.push(open);
        let before = count(&client).await;
        let request = batch(requests.clone());
        let created = client.ask(&request).await.expect("it is created").matches;
        assert_eq!(created.len(), 9);
        for (it, request) in created.iter().zip(&requests) {
            let players: Vec<_> = it.seats.iter().map(|it| it.player.clone()).collect();
            match request.players.is_empty() {
                true => assert_eq!(it.state(), MatchState::Open),
                false => {
                    assert_eq!((it.state(), it.position), (MatchState::Running, 1));
                    assert_eq!(players, request.players);
                }
            }
            assert_eq!(get(&client, &it.name).await.name, it.name);
        }
        let again = client.ask(&request).await.expect("it is repeated").matches;
        let names = |list: &[Match]| list.iter().map(|it| it.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&again), names(&created));
        assert_eq!(count(&client).await, before + 9);
    }
}

#[tokio::test]
async fn of_a_batch_with_a_mistake_nothing_is_created() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    create(&client, &pairing("one", 3)).await;
    let of = |last: CreateMatchRequest| {
        let requests = (0..3).map(|table| pairing("one", table));
        batch(requests.chain([last]).collect())
    };
    let refused = async |last: CreateMatchRequest, code: Code, reason: &str| {
        let refused = client.ask(&of(last)).await.expect_err("it is refused");
        refused.check(code, reason);
        assert!(refused.message.starts_with("requests[3]"), "{}", refused.message);
        assert_eq!(count(&client).await, 1);
    };
    let unknown = CreateMatchRequest { game: "games/nim".to_owned(), ..pairing("one", 4) };
    refused(unknown, Code::InvalidArgument, "UNKNOWN_GAME").await;
    // What creates a match otherwise is found only by the database.
    let other = CreateMatchRequest { lobby: true, ..pairing("one", 3) };
    refused(other, Code::AlreadyExists, "REQUEST_ID_REUSED").await;

    let many = batch((0..501).map(|_| CreateMatchRequest::default()).collect());
    let failure = client.ask(&many).await.expect_err("too many, and none is valid");
    assert_eq!(failure.code, Code::InvalidArgument);
    let whole = client.ask(&of(pairing("one", 3))).await.expect("the last exists already");
    assert_eq!((whole.matches.len(), count(&client).await), (4, 4));
}
