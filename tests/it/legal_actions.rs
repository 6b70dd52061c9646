//! Lists of legal actions: what they say about themselves, and filters.

use std::collections::BTreeSet;

use contract::v1::*;
use tonic::Code;

use crate::harness::*;

const COMPLETE_JOB: &str = "complete-job";

/// Matches begun in search of a hand with more teams than are listed unasked. Most have one.
const MATCHES_MAX: u64 = 60;

#[tokio::test]
async fn a_filter_lists_the_actions_that_a_truncated_list_leaves_out() {
    let installation = Installation::open().await;
    for (protocol, first) in [(Protocol::Grpc, 0), (Protocol::Rest, MATCHES_MAX)] {
        let client = installation.client(protocol);
        let (playing, seat) = with_many_teams(&client, first).await;
        let list = async |verb: &str, pieces: &[&str]| {
            let request = ListLegalActionsRequest {
                name: playing.name.clone(),
                seat: Some(seat),
                verb: verb.to_owned(),
                pieces: pieces.iter().map(|name| (*name).to_owned()).collect(),
                copies: true,
                ..ListLegalActionsRequest::default()
            };
            client.ask(&request).await.expect("an answer")
        };
        let unasked = list("", &[]).await;
        assert_eq!(list("", &[]).await, unasked, "the list of a position does not change");
        check_kinds(&unasked);
        let examples: Vec<_> = unasked.actions.iter().filter(|it| it.open_ended).collect();
        assert!(examples.iter().all(|it| it.verb == COMPLETE_JOB));

        let table = view(&client, &playing.name, &format!("seats/{seat}"), None).await;
        let pieces = |place: &str| {
            let found = table.places.iter().filter(|it| it.place.starts_with(place));
            found.flat_map(|it| it.pieces.clone()).collect::<Vec<String>>()
        };
        let (mut listed, mut narrowed) = (Vec::new(), 0);
        for job in pieces("jobs/") {
            let by_job = list(COMPLETE_JOB, &[&job]).await;
            check_kinds(&by_job);
            let named: Vec<_> = examples.iter().filter(|it| names(it, &job)).collect();
            if by_job.kinds.iter().any(|kind| kind.complete) {
                assert!(
                    named.iter().all(|it| by_job.actions.iter().any(|one| one.action == it.action))
                );
                assert!(named.is_empty() || named.len() < by_job.actions.len());
            }
            for card in pieces(&format!("hand/{seat}")).iter().filter(|_| !named.is_empty()) {
                let by_card = list("", &[&job, card]).await;
                check_kinds(&by_card);
                assert!(by_card.actions.iter().all(|it| names(it, &job) && names(it, card)));
                narrowed += 1;
            }
            listed.extend(by_job.actions);
        }
        assert!(narrowed > 0);

        // What was left out is accepted.
        let left_out =
            |it: &&LegalAction| !unasked.actions.iter().any(|one| one.action == it.action);
        let more = listed.iter().find(left_out).expect("the unasked list left some out");
        let submit = SubmitActionRequest {
            name: playing.name.clone(),
            action: more.action.clone(),
            seat: Some(seat),
            ..SubmitActionRequest::default()
        };
        let entry = client.ask(&submit).await.expect("it is legal").entry.expect("an entry");
        assert_eq!(entry.verb, COMPLETE_JOB);
    }
}

/// Cards that nobody can tell apart are listed once, and long lists come in steps.
#[tokio::test]
async fn actions_have_short_labels_and_say_what_they_are_about() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest);
    let (playing, seat) = with_many_teams(&client, 0).await;
    let list = async |language: &str, copies: bool| {
        let request = ListLegalActionsRequest {
            name: playing.name.clone(),
            seat: Some(seat),
            language: language.to_owned(),
            copies,
            ..ListLegalActionsRequest::default()
        };
        client.ask(&request).await.expect("an answer")
    };
    for language in ["en", "de", "fr"] {
        let (told, all) = (list(language, false).await, list(language, true).await);
        let labels: BTreeSet<&str> =
            told.actions.iter().map(|it| it.short_label.as_str()).collect();
        assert_eq!(labels.len(), told.actions.len(), "{labels:?}");
        assert!(labels.iter().all(|it| (1..=40).contains(&it.chars().count())), "{labels:?}");
        let copied: BTreeSet<&str> = all.actions.iter().map(|it| it.label.as_str()).collect();
        assert!(told.actions.len() <= all.actions.len() && copied.len() <= all.actions.len());
        for action in told.actions.iter().filter(|it| it.verb == COMPLETE_JOB) {
            assert!(action.pieces.len() > 1 && names(action, &action.pieces[1]), "{action:?}");
        }
        assert!(all.actions.len() <= 60 || !all.groups.is_empty());
        let mut grouped = Vec::new();
        all.groups.iter().for_each(|it| indexes(it, &mut grouped));
        grouped.sort_unstable();
        let listed = if all.groups.is_empty() { 0 } else { all.actions.len() as u32 };
        assert_eq!(grouped, (0..listed).collect::<Vec<_>>());
    }
    let silent = list("", true).await;
    let texts = silent.actions.iter().map(|it| format!("{}{}", it.label, it.short_label));
    assert!(texts.collect::<String>().is_empty());
    assert!(silent.groups.iter().all(|it| it.title.is_empty()));
}

fn indexes(group: &LegalActionGroup, found: &mut Vec<u32>) {
    assert!(group.title.chars().count() <= 40 && !group.title.is_empty(), "{group:?}");
    found.extend(&group.actions);
    group.groups.iter().for_each(|it| indexes(it, found));
}

#[tokio::test]
async fn filters_of_unknown_names_are_refused_and_others_keep_kinds_apart() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::ConnectJson);
    let it = create(&client, &new_match(2)).await;
    let seat = it.waiting_for.first().copied();
    let request = |verb: &str, pieces: Vec<String>| ListLegalActionsRequest {
        name: it.name.clone(),
        seat,
        verb: verb.to_owned(),
        pieces,
        ..ListLegalActionsRequest::default()
    };
    let all = client.ask(&request("", Vec::new())).await.expect("an answer");
    check_kinds(&all);
    assert!(all.kinds.iter().all(|kind| kind.complete), "{:?}", all.kinds);
    for kind in &all.kinds {
        let alike = client.ask(&request(&kind.verb, Vec::new())).await.expect("an answer");
        assert_eq!(alike.kinds, std::slice::from_ref(kind));
        assert!(alike.actions.iter().all(|it| it.verb == kind.verb));
    }
    let passes = client.ask(&request("pass", Vec::new())).await.expect("a verb of the game");
    assert_eq!((passes.actions, passes.kinds), (Vec::new(), Vec::new()));
    for refused in [
        request("sing", Vec::new()),
        request("", vec!["jack".to_owned()]),
        request("", vec!["author".to_owned(); 17]),
    ] {
        let failure = client.ask(&refused).await.expect_err("no such name");
        failure.check(Code::InvalidArgument, "INVALID_REQUEST");
    }
}

/// A running match in which a seat can complete a job with more teams than are listed unasked.
async fn with_many_teams(client: &Client, first: u64) -> (Playing, u32) {
    for seed in first..first + MATCHES_MAX {
        let request = CreateMatchRequest { game: "games/grifters".to_owned(), ..new_match(2) };
        let mut playing = Playing::of(client, &create(client, &request).await, seed);
        while let Some(seat) = playing.asked {
            let (name, seat) = (playing.name.clone(), Some(seat));
            let request = ListLegalActionsRequest { name, seat, ..Default::default() };
            let legal = client.ask(&request).await.expect("an answer");
            if legal.kinds.iter().any(|kind| !kind.complete) {
                return (playing, seat.expect("it is asked"));
            }
            playing.step().await;
        }
    }
    panic!("no hand in {MATCHES_MAX} matches has so many teams");
}

/// The kinds sum up the actions.
#[track_caller]
fn check_kinds(legal: &ListLegalActionsResponse) {
    let listed: u32 = legal.kinds.iter().map(|kind| kind.listed).sum();
    assert_eq!(listed as usize, legal.actions.len());
    for kind in &legal.kinds {
        let mut alike = legal.actions.iter().filter(|it| it.verb == kind.verb).peekable();
        assert!(alike.peek().is_some(), "{} has no action", kind.verb);
        assert_eq!(kind.complete, alike.all(|it| !it.open_ended), "{}", kind.verb);
    }
}

/// Whether an action names a piece.
fn names(legal: &LegalAction, piece: &str) -> bool {
    let body = &legal.action.as_ref().expect("an action").body;
    body.windows(piece.len()).any(|it| it == piece.as_bytes())
}
