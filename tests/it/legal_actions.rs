//! Lists of legal actions: what they say about themselves, and filters.

use std::collections::{BTreeMap, BTreeSet};

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

/// What a seat is told about an action that is not legal is what it is told if it tries.
#[tokio::test]
async fn a_reason_is_what_the_action_is_refused_with() {
    let installation = Installation::open().await;
    for (nth, game) in games::GAMES.iter().enumerate() {
        let game = *game;
        let protocol = [Protocol::Grpc, Protocol::Rest, Protocol::ConnectJson][nth % 3];
        let client = installation.client(protocol);
        let seats = u32::from(*game.seats().start());
        let name = format!("games/{}", game.name());
        let created = create(&client, &CreateMatchRequest { game: name, ..new_match(seats) }).await;
        let mut playing = Playing::of(&client, &created, 11).with_tokens().await;
        let mut told = Told::default();
        for language in ["en", "de", "fr"].into_iter().cycle().take(12) {
            let Some(seat) = playing.asked else { break };
            let client = playing.seats[seat as usize].clone();
            let list = async |verb: &str, pieces: Vec<String>, seat: u32| {
                let request = ListLegalActionsRequest {
                    name: playing.name.clone(),
                    seat: Some(seat),
                    verb: verb.to_owned(),
                    pieces,
                    reasons: true,
                    effects: true,
                    language: language.to_owned(),
                    ..ListLegalActionsRequest::default()
                };
                playing.seats[seat as usize].ask(&request).await.expect("an answer")
            };
            let legal = list("", Vec::new(), seat).await;
            assert_eq!(list("", Vec::new(), seat).await, legal, "the same at the same position");
            let table = view(&client, &playing.name, &format!("seats/{seat}"), None).await;
            let (mut lists, mut unnamed) = (vec![legal], Vec::new());
            for piece in table.places.iter().filter_map(|it| it.pieces.first()).take(3) {
                lists.push(list("", vec![piece.clone()], seat).await);
            }
            for verb in game.layout().verbs().iter().step_by(3) {
                unnamed.push(list(verb, Vec::new(), seat).await);
            }
            for listed in lists.iter().chain(&unnamed) {
                told.check(game.name(), listed);
            }
            for obstacle in unnamed.iter().chain(&lists[..1]).flat_map(|it| &it.obstacles) {
                if let Some(failure) =
                    tried((&client, seat), game.name(), &playing.name, obstacle, language).await
                {
                    told.tried += 1;
                    let localized = failure.localized.as_deref().map(|it| &*it.1);
                    assert_eq!(
                        (&*failure.domain, &failure.reason),
                        (&*obstacle.domain, &obstacle.reason)
                    );
                    assert_eq!(failure.message, obstacle.message);
                    assert_eq!(localized, Some(&*obstacle.text), "{obstacle:?}");
                    assert!(obstacle.facts.iter().all(|it| failure.facts.get(it.0) == Some(it.1)));
                }
            }
            for other in
                (0..seats).filter(|it| table.prompts.iter().all(|prompt| prompt.seat != *it))
            {
                let [obstacle] = &list("", Vec::new(), other).await.obstacles[..] else {
                    panic!("nothing is legal for one reason");
                };
                assert_eq!((&*obstacle.verb, &*obstacle.reason), ("", "NOT_ASKED"));
                assert!(!obstacle.text.is_empty());
            }
            playing.step().await;
        }
        println!("{}: {told:?}", game.name());
        assert!(told.obstacles > 0 && told.effects > 0, "{}: {told:?}", game.name());
    }
}

#[derive(Debug, Default)]
struct Told {
    obstacles: usize,
    effects: usize,
    tried: usize,
}

impl Told {
    fn check(&mut self, game: &str, listed: &ListLegalActionsResponse) {
        for obstacle in &listed.obstacles {
            assert!(listed.kinds.iter().all(|kind| kind.verb != obstacle.verb), "{listed:?}");
            assert!(!obstacle.text.is_empty() && !obstacle.message.is_empty(), "{obstacle:?}");
            assert_eq!(obstacle.domain, format!("games/{game}"));
        }
        self.obstacles += listed.obstacles.len();
        for effect in listed.actions.iter().flat_map(|it| &it.effects) {
            assert!(effect.change != 0 && effect.text.contains(": "), "{effect:?}");
            assert!(effect.mark.is_empty() != effect.place.is_empty(), "{effect:?}");
            self.effects += 1;
        }
    }
}

/// Tries an action of the obstacle's kind that names nothing, unless it has to name something.
async fn tried(
    (client, seat): (&Client, u32),
    game: &str,
    name: &str,
    obstacle: &Obstacle,
    language: &str,
) -> Option<Failure> {
    let action = serde_json::json!({ camel(game): { camel(&obstacle.verb): {} } });
    let request = serde_json::json!({
        "name": name, "seat": seat, "action": action, "language": language
    });
    let failure =
        client.call("SubmitAction", &request.to_string()).await.expect_err("it is not legal");
    (failure.reason != "MALFORMED_ACTION").then_some(failure)
}

fn camel(kebab: &str) -> String {
    let mut words = kebab.split('-');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |text, word| text + &word[..1].to_uppercase() + &word[1..])
}

#[tokio::test]
async fn a_full_hand_is_told_as_the_reason_why_nobody_draws() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest);
    let it = create(&client, &new_match(2)).await;
    let (name, mut asked) = (it.name, it.waiting_for[0]);
    let list = async |seat: u32, language: &str| {
        let request = ListLegalActionsRequest {
            name: name.clone(),
            seat: Some(seat),
            reasons: true,
            language: language.to_owned(),
            ..ListLegalActionsRequest::default()
        };
        client.ask(&request).await.expect("an answer")
    };
    loop {
        let actions = list(asked, "").await.actions;
        let Some(draw) = actions.into_iter().find(|it| it.verb == "draw") else { break };
        let (name, action) = (name.clone(), draw.action);
        let submit = SubmitActionRequest { name, action, seat: Some(asked), ..<_>::default() };
        let entry = client.ask(&submit).await.expect("it is legal").entry.expect("an entry");
        asked = entry.prompts[0].seat;
    }
    for (language, text) in [
        ("", ""),
        ("en", "A hand holds at most 7 cards"),
        ("de", "Eine Hand hat höchstens 7 Karten"),
        ("fr", "Une main compte 7 cartes au plus"),
    ] {
        let told = list(asked, language).await.obstacles;
        let verbs: Vec<&str> = told.iter().map(|it| &*it.verb).collect();
        assert_eq!(verbs, ["draw", "take"], "{told:?}");
        for obstacle in &told {
            assert_eq!((&*obstacle.reason, &*obstacle.text), ("HAND_FULL", text));
            assert_eq!(obstacle.message, "a hand holds at most 7 cards");
            assert_eq!(obstacle.facts.get("cards_max").map(String::as_str), Some("7"));
            let failure = tried((&client, asked), "mountebank", &name, obstacle, language).await;
            let localized = failure.and_then(|it| Some(it.localized?.1));
            let is_draw = obstacle.verb == "draw";
            assert_eq!(localized, (is_draw && !language.is_empty()).then(|| text.to_owned()));
        }
    }
}

/// What was certain before an action has happened after it.
#[tokio::test]
async fn a_con_wins_what_was_told_before_it() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 2, 5).await;
    let mut cons = 0;
    while let Some(seat) = playing.asked {
        let name = playing.name.clone();
        let request = ListLegalActionsRequest {
            name,
            seat: Some(seat),
            effects: true,
            ..ListLegalActionsRequest::default()
        };
        let legal = client.ask(&request).await.expect("an answer").actions;
        let viewer = format!("seats/{seat}");
        let before = view(&client, &playing.name, &viewer, None).await;
        let Some(con) = legal.iter().rfind(|it| it.verb == "con") else {
            assert!(playing.step().await);
            continue;
        };
        let submit = SubmitActionRequest {
            name: playing.name.clone(),
            action: con.action.clone(),
            seat: Some(seat),
            request_id: format!("con-{cons}"),
            ..SubmitActionRequest::default()
        };
        playing.submit(&submit).await.expect("it is legal");
        let after = view(&client, &playing.name, &viewer, None).await;
        let purses = |table: &Table| {
            let all = table.places.iter();
            let all = all.flat_map(|it| it.purses.iter().map(|one| (it.place.clone(), one.amount)));
            all.filter(|it| it.0 != "supply").collect::<BTreeMap<_, _>>()
        };
        let (before, after) = (purses(&before), purses(&after));
        // An empty purse is not listed.
        let of = |purses: &BTreeMap<String, i32>, place: &str| {
            purses.get(place).map_or(0, |it| i64::from(*it))
        };
        let places: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        let changed = places.into_iter().map(|it| (it.clone(), of(&after, it) - of(&before, it)));
        let changed: BTreeMap<_, _> = changed.filter(|it| it.1 != 0).collect();
        let told = con.effects.iter().filter(|it| it.mark.is_empty());
        let told: BTreeMap<_, _> =
            told.map(|it| (it.place.clone(), i64::from(it.change))).collect();
        assert_eq!(told, changed, "{con:?}");
        assert!(con.effects.iter().all(|it| it.text.is_empty()), "no language was asked for");
        cons += 1;
    }
    assert!(cons > 3, "only {cons} cons");
}
