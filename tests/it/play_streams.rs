//! Action streams: many actions over one stream, each answered as if submitted alone.

use std::collections::BTreeMap;

use contract::v1::match_service_client::MatchServiceClient;
use contract::v1::play_outcome::Outcome;
use contract::v1::*;
use futures::future::join_all;
use prost::Message;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Request, Status, Streaming};
use tonic_types::StatusExt;

use crate::harness::*;

/// An action stream and the outcomes received on it.
struct ActionStream {
    /// None once the client has closed its side.
    actions: Option<mpsc::Sender<PlayRequest>>,
    outcomes: Streaming<PlayResponse>,
    known: BTreeMap<i64, Outcome>,
}

impl ActionStream {
    async fn open(installation: &Installation, token: &str) -> ActionStream {
        let address = format!("http://127.0.0.1:{}", installation.service.port());
        let mut client = MatchServiceClient::connect(address).await.expect("it serves");
        let (actions, sent) = mpsc::channel(8);
        let mut request = Request::new(ReceiverStream::new(sent));
        let bearer = format!("Bearer {token}").parse().expect("a token is ASCII");
        request.metadata_mut().insert("authorization", bearer);
        let outcomes = client.play(request).await.expect("it opens").into_inner();
        ActionStream { actions: Some(actions), outcomes, known: BTreeMap::new() }
    }

    async fn send(&self, actions: Vec<SubmitActionRequest>) {
        let stream = self.actions.as_ref().expect("our side is open");
        stream.send(PlayRequest { actions }).await.expect("somebody listens");
    }

    /// Receives until this many outcomes are known.
    async fn receive(&mut self, count: usize) -> Result<&BTreeMap<i64, Outcome>, Status> {
        while self.known.len() < count {
            let next = timeout(PATIENCE, self.outcomes.message()).await.expect("it comes in time");
            let next = next?.expect("the line does not end before");
            for it in next.outcomes {
                let before = self.known.insert(it.index, it.outcome.expect("an outcome"));
                assert_eq!(before, None, "each is told once");
            }
        }
        Ok(&self.known)
    }

    /// Closes the client's side. Returns all outcomes and the stream's status.
    async fn end(mut self) -> (BTreeMap<i64, Outcome>, Result<(), Status>) {
        self.actions = None;
        let end = loop {
            match timeout(PATIENCE, self.outcomes.message()).await.expect("it ends in time") {
                Ok(Some(next)) => {
                    let told = next.outcomes.into_iter();
                    self.known.extend(told.map(|it| (it.index, it.outcome.expect("an outcome"))));
                }
                Ok(None) => break Ok(()),
                Err(status) => break Err(status),
            }
        };
        (self.known, end)
    }
}

#[track_caller]
fn entry(outcome: &Outcome) -> &Entry {
    match outcome {
        Outcome::Entry(entry) => entry,
        Outcome::Error(error) => panic!("{error:?}"),
    }
}

#[track_caller]
fn check_error(outcome: &Outcome, code: Code, reason: &str) {
    let Outcome::Error(error) = outcome else { panic!("{outcome:?}") };
    let details = error.encode_to_vec().into();
    check_status(&Status::with_details(error.code.into(), &error.message, details), code, reason);
}

#[track_caller]
fn check_status(status: &Status, code: Code, reason: &str) {
    let info = status.get_details_error_info().expect("a typed error");
    assert_eq!((status.code(), info.reason.as_str()), (code, reason));
}

#[tokio::test]
async fn one_stream_plays_many_matches_each_in_order() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut matches = Vec::new();
    for seed in 0..12 {
        matches.push(Playing::new(&client, 2 + (seed % 3) as u32, 200 + seed).await);
    }
    let mut stream = ActionStream::open(&installation, &installation.service.key()).await;
    let mut sent = 0;
    loop {
        let plans = join_all(matches.iter_mut().map(Playing::plan)).await;
        let plans = plans.into_iter().map(|plan| plan.expect("an answer"));
        let (going, actions): (Vec<usize>, Vec<SubmitActionRequest>) =
            plans.enumerate().filter_map(|(nth, plan)| Some((nth, plan?))).unzip();
        if actions.is_empty() {
            break;
        }
        stream.send(actions.clone()).await;
        let known = stream.receive(sent + actions.len()).await.expect("the line holds");
        for (index, (nth, action)) in (sent as i64..).zip(going.into_iter().zip(&actions)) {
            matches[nth].acknowledged(&action.request_id, entry(&known[&index]).clone());
        }
        sent += actions.len();
    }
    assert!(sent > 300, "{sent} actions");
    let (known, end) = stream.end().await;
    end.expect("it ends when we do");
    assert_eq!(known.len(), sent);
    let mut database = installation.database().await;
    for playing in &matches {
        check_record(playing, &[&client], &mut database).await;
    }
}

#[tokio::test]
async fn actions_of_one_match_are_accepted_in_sending_order() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 2, 220).await;
    let mut stream = ActionStream::open(&installation, &installation.service.key()).await;
    let first = playing.plan().await.expect("an answer").expect("the match goes on");
    // The same action again returns the same entry; an action for the position that it took and an
    // action for no match are refused.
    let stale = SubmitActionRequest {
        expected_position: Some(1),
        request_id: "late".to_owned(),
        ..first.clone()
    };
    let nowhere = SubmitActionRequest { name: "matches/nowhere".to_owned(), ..first.clone() };
    let unknown = SubmitActionRequest {
        name: "matches/00000000-0000-4000-8000-000000000000".to_owned(),
        ..first.clone()
    };
    let nothing = SubmitActionRequest { action: None, ..first.clone() };
    let actions = vec![first.clone(), first.clone(), stale, nowhere, unknown, nothing, first];
    stream.send(actions).await;
    let known = stream.receive(7).await.expect("refusals end nothing").clone();
    let accepted = entry(&known[&0]);
    assert_eq!(accepted.position, 2);
    assert_eq!((entry(&known[&1]), entry(&known[&6])), (accepted, accepted));
    check_error(&known[&2], Code::Aborted, "POSITION_MOVED");
    check_error(&known[&3], Code::InvalidArgument, "INVALID_REQUEST");
    check_error(&known[&4], Code::NotFound, "MATCH_NOT_FOUND");
    check_error(&known[&5], Code::InvalidArgument, "MALFORMED_ACTION");
    playing.acknowledged("first", accepted.clone());
    let next = playing.plan().await.expect("an answer").expect("the match goes on");
    stream.send(vec![next]).await;
    assert_eq!(entry(&stream.receive(8).await.expect("it goes on")[&7]).position, 3);
    stream.end().await.1.expect("it ends when we do");
    assert_eq!(get(&client, &playing.name).await.position, 3);
}

#[tokio::test]
async fn an_empty_or_oversized_message_ends_the_stream_after_earlier_actions() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    for count in [0, 257] {
        let mut playing = Playing::new(&client, 2, 230).await;
        let first = playing.plan().await.expect("an answer").expect("the match goes on");
        let stream = ActionStream::open(&installation, &installation.service.key()).await;
        stream.send(vec![first.clone()]).await;
        stream.send(vec![SubmitActionRequest::default(); count]).await;
        let (known, end) = stream.end().await;
        assert_eq!(entry(&known[&0]).position, 2);
        check_status(
            &end.expect_err("that is no message"),
            Code::InvalidArgument,
            "INVALID_REQUEST",
        );
    }
}

#[tokio::test]
async fn a_seat_token_plays_its_own_seat_over_a_stream() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 2, 240).await;
    let other = Playing::new(&client, 2, 241).await;
    let own = playing.plan().await.expect("an answer").expect("the match goes on");
    let seat = own.seat.expect("a plan says who acts");
    let mut stream =
        ActionStream::open(&installation, &token(&client, &playing.name, Some(seat)).await).await;
    let foreign = SubmitActionRequest { seat: Some(1 - seat), ..own.clone() };
    let elsewhere = SubmitActionRequest { name: other.name, ..own.clone() };
    stream.send(vec![foreign, elsewhere, SubmitActionRequest { seat: None, ..own }]).await;
    let known = stream.receive(3).await.expect("refusals end nothing");
    check_error(&known[&0], Code::PermissionDenied, "NOT_YOUR_SEAT");
    check_error(&known[&1], Code::NotFound, "MATCH_NOT_FOUND");
    assert_eq!(entry(&known[&2]).seat, Some(seat));
}

#[tokio::test]
async fn actions_of_a_vanished_client_are_recorded_at_most_once() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut matches = Vec::new();
    for seed in 0..20 {
        matches.push(Playing::new(&client, 2, 250 + seed).await);
    }
    for _ in 0..5 {
        let plans = join_all(matches.iter_mut().map(Playing::plan)).await;
        let actions: Vec<SubmitActionRequest> =
            plans.into_iter().filter_map(|plan| plan.expect("an answer")).collect();
        let stream = ActionStream::open(&installation, &installation.service.key()).await;
        stream.send(actions.clone()).await;
        drop(stream);
        // Whether or not it was received, the same request takes effect once.
        for (playing, action) in matches.iter_mut().zip(&actions) {
            playing.submit(action).await.expect("it is sent again");
        }
    }
    let mut database = installation.database().await;
    for mut playing in matches {
        playing.finish().await;
        check_record(&playing, &[&client], &mut database).await;
    }
}

#[tokio::test]
async fn a_client_that_does_not_read_blocks_nobody_else() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 2, 280).await;
    let stream = ActionStream::open(&installation, &installation.service.key()).await;
    let again = playing.plan().await.expect("an answer").expect("the match goes on");
    playing.submit(&again).await.expect("accepted");
    let line_end = stream.actions.clone().expect("our side is open");
    let flood = tokio::spawn(async move {
        let message = PlayRequest { actions: vec![again; 256] };
        while line_end.send(message.clone()).await.is_ok() {}
    });
    playing.finish().await;
    assert_eq!(get(&client, &playing.name).await.state(), MatchState::Ended);
    assert!(!flood.is_finished(), "no more is taken until outcomes are read");
    flood.abort();
}

#[tokio::test]
async fn a_stopping_service_answers_accepted_actions_and_ends_the_stream() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 2, 290).await;
    let action = playing.plan().await.expect("an answer").expect("the match goes on");
    let mut stream = ActionStream::open(&installation, &installation.service.key()).await;
    stream.send(vec![action]).await;
    stream.receive(1).await.expect("it is told");
    installation.service.signal(rustix::process::Signal::TERM);
    let end = stream.outcomes.message().await.expect_err("the service stops");
    check_status(&end, Code::Unavailable, "SHUTTING_DOWN");
    assert!(installation.service.ended().await.success());
}
