//! Races: two processes on one database receive concurrent requests. The keys of the record decide,
//! and nothing acknowledged is lost.

use contract::v1::*;
use tokio::join;
use tonic::Code;

use crate::harness::*;

/// Two processes, and a client of each.
async fn two() -> (Installation, Service, [Client; 2]) {
    let installation = Installation::open().await;
    let second = installation.serve("b").await;
    let clients = [installation.client(Protocol::Grpc), second.client(Protocol::Grpc)];
    // Both processes accept the platform's key; each keeps its own copy in its folder.
    (installation, second, clients)
}

#[tokio::test]
async fn one_of_two_actions_at_one_position_is_accepted() {
    let (installation, _second, [a, b]) = two().await;
    let mut pairs = 0;
    for seed in 20.. {
        let mut playing = Playing::new(&a, 4, seed).await;
        let request = WatchEntriesRequest { parent: playing.name.clone(), ..Default::default() };
        let mut watches = [a.watch(&request).await, b.watch(&request).await];
        let mut position = 1;
        while let Some([first, second]) = plan_two(&mut playing, [&a, &b], Some(position)).await {
            let (mine, theirs) = join!(a.ask(&first), b.ask(&second));
            let (accepted, request, refused) = match (mine, theirs) {
                (Ok(accepted), Err(refused)) => (accepted, first, refused),
                (Err(refused), Ok(accepted)) => (accepted, second, refused),
                both => panic!("at {position}: {both:?}"),
            };
            position += 1;
            check_moved(&refused, position);
            playing.acknowledged(&request.request_id, accepted.entry.expect("an entry"));
            pairs += 1;
        }
        check_record(&playing, &[&a, &b], &mut installation.database().await).await;
        let listed = entries(&a, &playing.name, "spectator").await;
        for watch in &mut watches {
            assert_eq!(watch.up_to(i32::MAX).await.expect("it ends well"), listed);
        }
        if pairs >= 300 {
            break;
        }
    }
}

#[tokio::test]
async fn concurrent_actions_are_accepted_or_refused_by_the_rules() {
    let (installation, _second, [a, b]) = two().await;
    let mut playing = Playing::new(&a, 2, 30).await;
    while let Some([first, second]) = plan_two(&mut playing, [&a, &b], None).await {
        let (mine, theirs) = join!(a.ask(&first), b.ask(&second));
        let mut accepted = Vec::new();
        for (request, answer) in [(first, mine), (second, theirs)] {
            match answer {
                Ok(answer) => accepted.push((request, answer.entry.expect("an entry"))),
                Err(refused) => assert_eq!(refused.code, Code::FailedPrecondition, "{refused:?}"),
            }
        }
        assert!(!accepted.is_empty(), "the first is accepted");
        accepted.sort_by_key(|(_, entry)| entry.position);
        for (request, entry) in accepted {
            playing.acknowledged(&request.request_id, entry);
        }
    }
    check_record(&playing, &[&a, &b], &mut installation.database().await).await;
}

#[tokio::test]
async fn a_watcher_at_one_process_sees_what_another_accepts() {
    let (_house, _second, [a, b]) = two().await;
    let mut playing = Playing::new(&a, 2, 31).await;
    let request = WatchEntriesRequest { parent: playing.name.clone(), ..Default::default() };
    let mut watch = b.watch(&request).await;
    let mut seen = watch.up_to(1).await.expect("the deal");
    while playing.step().await {
        let position = playing.entries.last().expect("an entry").position;
        seen.extend(watch.up_to(position).await.expect("it goes on"));
    }
    assert_eq!(seen, entries(&b, &playing.name, "spectator").await);
    assert!(watch.next().await.expect("it ends well").is_none());
}

#[tokio::test]
async fn a_match_requested_twice_concurrently_is_created_once() {
    let (_house, _second, [a, b]) = two().await;
    for number in 0..20 {
        let request = CreateMatchRequest { request_id: format!("friday-{number}"), ..new_match(2) };
        let (mine, theirs) = join!(create(&a, &request), create(&b, &request));
        assert_eq!((&mine.name, mine.position), (&theirs.name, 1));
        assert_eq!(mine, theirs);
    }
}

#[tokio::test]
async fn concurrent_joins_of_the_last_two_seats_deal_once() {
    let (_house, _second, [a, b]) = two().await;
    for _ in 0..20 {
        let open = create(&a, &CreateMatchRequest { players: Vec::new(), ..new_match(2) }).await;
        let join = |seat| JoinMatchRequest {
            name: open.name.clone(),
            player: player(seat),
            seat: None,
            request_id: String::new(),
            ..JoinMatchRequest::default()
        };
        let (first, second) = (join(0), join(1));
        let (mine, theirs) = join!(a.ask(&first), b.ask(&second));
        let (mine, theirs) = (mine.expect("a seat"), theirs.expect("the other seat"));
        assert_eq!(mine.seat + theirs.seat, 1);
        let (seen, also) = (get(&a, &open.name).await, get(&b, &open.name).await);
        assert_eq!((seen.position, seen.state()), (1, MatchState::Running));
        assert_eq!(seen, also);
    }
}

/// Two actions of the seat that must act, each with its own request id; none once the match has
/// ended.
async fn plan_two(
    playing: &mut Playing,
    clients: [&Client; 2],
    expected_position: Option<i32>,
) -> Option<[SubmitActionRequest; 2]> {
    let mut plans = Vec::new();
    for client in clients {
        playing.seats.fill(client.clone());
        let plan = playing.plan().await.expect("the service answers")?;
        plans.push(SubmitActionRequest { expected_position, ..plan });
    }
    plans.try_into().ok()
}

#[track_caller]
fn check_moved(refused: &Failure, position: i32) {
    refused.check(Code::Aborted, "POSITION_MOVED");
    assert_eq!(refused.facts["position"], position.to_string());
}
