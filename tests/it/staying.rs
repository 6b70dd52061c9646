//! Actions taken back, pauses, agreed ends, and players who leave or take over.

use std::time::Duration;

use contract::v1::*;
use table::{ChaCha, Chance, Viewer};
use tokio::time::sleep;
use tonic::Code;

use crate::harness::*;
use crate::public_records::read;

fn of_game(game: &str, seats: u32) -> CreateMatchRequest {
    let players = (0..seats).map(player).collect();
    CreateMatchRequest { game: format!("games/{game}"), players, ..new_match(seats) }
}

pub fn take_back(name: &str, seat: u32) -> TakeBackRequest {
    TakeBackRequest { name: name.to_owned(), seat: Some(seat), ..<_>::default() }
}

fn vote(name: &str, seat: u32, motion: Motion) -> VoteMatchRequest {
    let name = name.to_owned();
    VoteMatchRequest { name, seat: Some(seat), motion: motion.into(), ..<_>::default() }
}

/// The table as a viewer sees it, but for what counts entries.
async fn seen(client: &Client, name: &str, viewer: &str) -> Table {
    let mut seen = view(client, name, viewer, None).await;
    (seen.position, seen.digest) = (0, Vec::new());
    for prompt in &mut seen.prompts {
        (prompt.opened_position, prompt.asked_position) = (0, 0);
    }
    seen
}

async fn seen_by_all(client: &Client, it: &Match) -> Vec<Table> {
    let seats = it.seats.iter().map(|seat| format!("seats/{}", seat.seat));
    let mut tables = Vec::new();
    for viewer in seats.chain(["spectator".to_owned()]) {
        tables.push(seen(client, &it.name, &viewer).await);
    }
    tables
}

/// The viewers who are told that they can take back an action.
async fn told_to_take_back(client: &Client, it: &Match) -> Vec<String> {
    let seats = it.seats.iter().map(|seat| format!("seats/{}", seat.seat));
    let mut told = Vec::new();
    for viewer in seats.chain(["spectator".to_owned()]) {
        let name = it.name.clone();
        let request =
            GetViewRequest { name, viewer: viewer.clone(), take_back: true, ..<_>::default() };
        if client.ask(&request).await.expect("a view").can_take_back {
            told.push(viewer);
        }
    }
    told
}

/// A legal action of a seat that is asked, at random.
pub async fn plan(client: &Client, name: &str, random: &mut ChaCha) -> SubmitActionRequest {
    let it = get(client, name).await;
    let seat = Some(it.waiting_for[random.below(it.waiting_for.len())]);
    let name = name.to_owned();
    let request = ListLegalActionsRequest { name: name.clone(), seat, ..<_>::default() };
    let legal = client.ask(&request).await.expect("an answer").actions;
    let action = choose(&legal, random);
    SubmitActionRequest { name, seat, action, ..<_>::default() }
}

/// Whether the record that anybody may read is what the rules give, and what the seed deals.
async fn check_whole(client: &Client, name: &str) {
    let it = get(client, name).await;
    let listed = entries(client, name, "house").await;
    Truth::of(&it, Viewer::House, &listed).check_deals(&it);
    check_record_of(client, name).await;
}

/// Whether the record that anybody may read is what the rules give, also where speech was erased.
async fn check_record_of(client: &Client, name: &str) {
    let record = read(client, name).await;
    let mut reader = records::Reader::new(record.as_bytes()).expect("an archive");
    let whole = records::read_match(&mut reader).expect("it is right").expect("a match");
    assert!(whole.verified.is_over && whole.verified.earlier.is_none());
}

/// Whether an action, such as to pass, left the table as it was. The one before it is then the last
/// that can be taken back.
fn changes_nothing(done: &Entry) -> bool {
    done.events.is_empty()
}

#[tokio::test]
async fn an_action_that_revealed_nothing_is_taken_back() {
    let installation = Installation::open().await;
    for (number, game) in (0..).zip(["rigs", "among-thieves", "grifters", "mountebank"]) {
        let client = installation.client(PROTOCOLS[number]);
        let it = create(&client, &of_game(game, 3)).await;
        let (mut random, mut taken, mut refused) = (ChaCha::of([7; 32], 1), 0, 0);
        for _ in 0..18 {
            let (before, head) = (seen_by_all(&client, &it).await, get(&client, &it.name).await);
            let action = plan(&client, &it.name, &mut random).await;
            let seat = action.seat.expect("it is planned for one");
            let done = client.ask(&action).await.expect("it is legal").entry.expect("an entry");
            if changes_nothing(&done) {
                continue;
            }
            let told = told_to_take_back(&client, &it).await;
            let other = take_back(&it.name, (seat + 1) % 3);
            let failure = client.ask(&other).await.expect_err("another seat acted");
            failure.check(Code::FailedPrecondition, "TAKE_BACK_NOTHING");
            match client.ask(&take_back(&it.name, seat)).await {
                Ok(answer) => {
                    assert_eq!(told, [format!("seats/{seat}")]);
                    assert!(told_to_take_back(&client, &it).await.is_empty());
                    let entry = answer.entry.expect("an entry");
                    let Some(event::Kind::TookBack(it_took)) = &entry.events[0].kind else {
                        panic!("{entry:?}");
                    };
                    assert_eq!((entry.verb.as_str(), entry.seat), ("undo", Some(seat)));
                    assert_eq!(it_took.position, done.position);
                    assert_eq!(seen_by_all(&client, &it).await, before, "after {done:?}");
                    let now = get(&client, &it.name).await;
                    assert_eq!((now.scores, now.waiting_for), (head.scores, head.waiting_for));
                    let again = client.ask(&take_back(&it.name, seat)).await.expect_err("once");
                    again.check(Code::FailedPrecondition, "TAKE_BACK_NOTHING");
                    client.ask(&action).await.expect("it is as legal as before");
                    taken += 1;
                }
                Err(failure) => {
                    assert!(told.is_empty(), "{told:?}");
                    assert_eq!(failure.code, Code::FailedPrecondition);
                    let reasons = ["TAKE_BACK_REVEALED", "TAKE_BACK_CHANCE", "MATCH_ENDED"];
                    assert!(reasons.contains(&failure.reason.as_str()), "{failure:?}");
                    if failure.reason == "TAKE_BACK_REVEALED" {
                        assert!(!failure.facts["to"].is_empty(), "{failure:?}");
                    }
                    refused += 1;
                }
            }
            if get(&client, &it.name).await.state() == MatchState::Ended {
                break;
            }
        }
        println!("{game}: {taken} taken back, {refused} not");
        assert!(refused > 0 && (taken > 0 || game == "mountebank"), "{game}");
        let ended = EndMatchRequest { name: it.name.clone(), ..<_>::default() };
        client.ask(&ended).await.expect("the platform may");
        check_whole(&client, &it.name).await;
    }
}

#[tokio::test]
async fn talk_and_votes_keep_nobody_from_taking_back() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest);
    let it = create(&client, &of_game("among-thieves", 3)).await;
    let mut random = ChaCha::of([7; 32], 1);
    let request_id = || "taken".to_owned();
    loop {
        let before = seen_by_all(&client, &it).await;
        let action = plan(&client, &it.name, &mut random).await;
        let seat = action.seat.expect("it is planned for one");
        let done = client.ask(&action).await.expect("it is legal").entry.expect("an entry");
        if changes_nothing(&done) {
            continue;
        }
        let say = r#""action":{"table":{"say":{"text":"Are you sure?"}}}"#;
        let say = format!(r#"{{"name":"{}","seat":{},{say}}}"#, it.name, (seat + 1) % 3);
        client.call("SubmitAction", &say).await.expect("there is talk");
        let wants = vote(&it.name, (seat + 2) % 3, Motion::Pause);
        client.ask(&wants).await.expect("it may vote");
        let taking = TakeBackRequest { request_id: request_id(), ..take_back(&it.name, seat) };
        let taken = client.ask(&taking).await;
        let withdraws = VoteMatchRequest { withdraw: true, ..wants };
        client.ask(&withdraws).await.expect("it votes for it");
        let Ok(taken) = taken else { continue };
        let entry = taken.entry.expect("an entry");
        let Some(event::Kind::TookBack(it_took)) = &entry.events[0].kind else {
            panic!("{entry:?}");
        };
        assert_eq!(it_took.position, done.position);
        assert_eq!(seen_by_all(&client, &it).await, before);
        // The same request again has the same answer, and nothing else happens.
        assert_eq!(client.ask(&taking).await.expect("a retry").entry, Some(entry));
        break;
    }
    let mine = entries(&client, &it.name, "seats/0").await;
    assert_eq!(mine.iter().filter(|entry| entry.verb == "undo").count(), 1);
}

#[tokio::test]
async fn a_match_rests_while_it_is_paused() {
    let installation = Installation::open().await;
    for protocol in PROTOCOLS {
        let client = installation.client(protocol);
        let it = create(&client, &of_game("among-thieves", 3)).await;
        let action = plan(&client, &it.name, &mut ChaCha::of([7; 32], 1)).await;
        for seat in 0..3 {
            assert!(!get(&client, &it.name).await.paused);
            client.ask(&vote(&it.name, seat, Motion::Pause)).await.expect("it may vote");
            let again = client.ask(&vote(&it.name, seat, Motion::Pause)).await;
            let reason = if seat == 2 { "MATCH_PAUSED" } else { "NOTHING_CHANGES" };
            again.expect_err("it voted").check(Code::FailedPrecondition, reason);
            let votes = get(&client, &it.name).await.votes;
            assert_eq!(votes.len() as u32, if seat == 2 { 0 } else { seat + 1 });
        }
        let now = get(&client, &it.name).await;
        assert!(now.paused && now.waiting_for.is_empty() && now.state() == MatchState::Running);
        let listed = async || {
            let request = ListMatchesRequest {
                consistency_token: format!("{}/entries/{}", now.name, now.position),
                ..<_>::default()
            };
            let matches = client.ask_in_step(&request).await.expect("a list").matches;
            matches.into_iter().find(|listed| listed.name == now.name).expect("it is listed")
        };
        assert_eq!(listed().await, now);
        let refused = client.ask(&action).await.expect_err("it is paused");
        refused.check(Code::FailedPrecondition, "MATCH_PAUSED");
        let refused = client.ask(&take_back(&it.name, 0)).await.expect_err("it is paused");
        refused.check(Code::FailedPrecondition, "MATCH_PAUSED");
        let legal =
            ListLegalActionsRequest { name: it.name.clone(), seat: action.seat, ..<_>::default() };
        assert_eq!(client.ask(&legal).await.expect("an answer").actions, []);
        let say = r#""action":{"table":{"say":{"text":"Back in a minute."}}}"#;
        let say = format!(r#"{{"name":"{}","seat":1,{say}}}"#, it.name);
        client.call("SubmitAction", &say).await.expect("talk goes on");
        let resume = ResumeMatchRequest {
            name: it.name.clone(),
            request_id: "on".to_owned(),
            ..<_>::default()
        };
        let resumed = client.ask(&resume).await.expect("the platform may").entry;
        assert_eq!(client.ask(&resume).await.expect("a retry").entry, resumed);
        assert_eq!(resumed.expect("an entry").seat, None);
        client.ask(&action).await.expect("it goes on");
    }
}

#[tokio::test]
async fn an_agreed_end_counts_for_nobody() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 3, 5).await;
    playing.steps(6).await;
    let resign = ResignMatchRequest { name: playing.name.clone(), seat: Some(1), ..<_>::default() };
    client.ask(&resign).await.expect("any time");
    let motion = Motion::EndWithoutResult;
    let refused = client.ask(&vote(&playing.name, 1, motion)).await.expect_err("it resigned");
    refused.check(Code::FailedPrecondition, "RESIGNED");
    client.ask(&vote(&playing.name, 0, motion)).await.expect("it may");
    assert_eq!(get(&client, &playing.name).await.state(), MatchState::Running);
    let last = client.ask(&vote(&playing.name, 2, motion)).await.expect("it may");
    let last = last.entry.expect("an entry");
    assert_eq!(
        last.events.last().expect("it ends").kind,
        Some(event::Kind::Abandoned(Abandoned {}))
    );
    let ended = get(&client, &playing.name).await;
    assert!(ended.abandoned && ended.winners.is_empty() && ended.state() == MatchState::Ended);
    check_whole(&client, &playing.name).await;
    let of_game = ListStandingsRequest {
        parent: "games/mountebank".to_owned(),
        seats: ended.seats.len() as u32,
        consistency_token: format!("{}/entries/{}", ended.name, ended.position),
        ..<_>::default()
    };
    assert_eq!(client.ask_in_step(&of_game).await.expect("an answer").standings, []);
    for outcome in [Outcome::Won, Outcome::Lost, Outcome::Shared] {
        let player = ended.seats[0].player.clone();
        let lost = ListMatchesRequest { player, outcome: outcome.into(), ..<_>::default() };
        assert_eq!(client.ask(&lost).await.expect("a list").matches, []);
    }
    let request = ListMatchesRequest { state: MatchState::Ended.into(), ..<_>::default() };
    assert_eq!(client.ask(&request).await.expect("a list").matches, [ended]);
}

fn replace(name: &str, seat: u32, player: &str) -> ReplaceSeatRequest {
    let (name, player) = (name.to_owned(), player.to_owned());
    ReplaceSeatRequest { name, seat: Some(seat), player, ..<_>::default() }
}

async fn say(client: &Client, name: &str, seat: u32, text: &str) {
    let say = format!(r#""action":{{"table":{{"say":{{"text":"{text}"}}}}}}"#);
    let say = format!(r#"{{"name":"{name}","seat":{seat},{say}}}"#);
    client.call("SubmitAction", &say).await.expect("there is talk");
}

async fn said(client: &Client, name: &str) -> Vec<String> {
    let texts = |entry: Entry| {
        let said = entry.events.into_iter().filter_map(|event| match event.kind {
            Some(event::Kind::Said(it)) => Some(it.text),
            _ => None,
        });
        said.collect::<Vec<_>>()
    };
    entries(client, name, "seats/0").await.into_iter().flat_map(texts).collect()
}

#[tokio::test]
async fn another_player_takes_over_a_seat() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let second = installation.serve("second").await;
    let other = second.client(Protocol::Rest);
    let it = create(&client, &of_game("among-thieves", 3)).await;
    assert_eq!(get(&other, &it.name).await, it, "it is in the memory of both processes");
    let (name, gone) = (it.name.clone(), it.seats[1].player.clone());
    let mut random = ChaCha::of([7; 32], 1);
    for _ in 0..4 {
        client.ask(&plan(&client, &name, &mut random).await).await.expect("it is legal");
    }
    say(&client, &name, 1, "I must go.").await;
    let old = client.holding(token(&client, &name, Some(1)).await);
    assert_eq!(said(&other, &name).await, ["I must go."]);
    view(&old, &name, "", None).await;
    let resign = ResignMatchRequest { name: name.clone(), seat: Some(1), ..<_>::default() };
    client.ask(&resign).await.expect("any time");
    for (seat, player, reason) in [
        (0, "dora", "NOT_RESIGNED"),
        (1, &*it.seats[0].player, "ALREADY_SEATED"),
        (1, &*gone, "ALREADY_SEATED"),
    ] {
        let refused = client.ask(&replace(&name, seat, player)).await.expect_err(reason);
        refused.check(Code::FailedPrecondition, reason);
    }
    let request = ReplaceSeatRequest { request_id: "sub".to_owned(), ..replace(&name, 1, "dora") };
    let answer = client.ask(&request).await.expect("the seat has resigned");
    let (entry, now) = (answer.entry.expect("an entry"), answer.r#match.expect("a match"));
    assert_eq!(entry.events[0].kind, Some(event::Kind::Replaced(Replaced { seat: 1 })));
    assert_eq!(client.ask(&request).await.expect("a retry").entry, Some(entry.clone()));
    let before = PastPlayer {
        player: gone.clone(),
        until_position: entry.position,
        ..PastPlayer::default()
    };
    assert_eq!((&*now.seats[1].player, &now.seats[1].players_before), ("dora", &vec![before]));
    assert!(view(&client, &name, "", None).await.resigned.is_empty());
    let refused = client.ask(&replace(&name, 2, &gone)).await.expect_err("they left");
    refused.check(Code::FailedPrecondition, "PLAYER_LEFT");
    // The one who left has no business there any more.
    until("the token is refused", async || {
        let request = GetViewRequest { name: name.clone(), ..<_>::default() };
        old.ask(&request).await.err().filter(|it| it.reason == "CREDENTIALS_REVOKED")
    })
    .await;
    let new = client.holding(token(&client, &name, Some(1)).await);
    view(&new, &name, "", None).await;
    say(&client, &name, 1, "Hello.").await;
    // A seat that has not resigned is taken over if the platform says that its player is gone.
    let absent = ReplaceSeatRequest { absent: true, ..replace(&name, 2, "emil") };
    client.ask(&absent).await.expect("the platform says so");
    for player in ["dora", &gone, "emil"] {
        let request = ListMatchesRequest { player: player.to_owned(), ..<_>::default() };
        let listed = client.ask(&request).await.expect("a list").matches;
        assert_eq!(listed, [get(&client, &name).await], "{player}");
    }

    // The other process knows the same, and the match goes on there.
    let client = other;
    assert_eq!(get(&client, &name).await.seats[1], now.seats[1]);
    assert_eq!(said(&client, &name).await, ["I must go.", "Hello."]);
    for _ in 0..4 {
        client.ask(&plan(&client, &name, &mut random).await).await.expect("it is legal");
    }
    // What they said goes with those who are erased, and nothing else.
    let erase = ErasePlayerRequest { name: format!("players/{gone}") };
    client.ask(&erase).await.expect("it is known");
    let seats = get(&client, &name).await.seats;
    assert!(seats[1].players_before[0].player.starts_with("erased-"));
    assert_eq!(seats[1].player, "dora");
    assert_eq!(said(&client, &name).await, ["", "Hello."]);
    for seat in [0, 2] {
        let resign = ResignMatchRequest { name: name.clone(), seat: Some(seat), ..<_>::default() };
        client.ask(&resign).await.expect("any time");
    }
    let ended = get(&client, &name).await;
    assert_eq!(ended.winners, [1]);
    check_record_of(&client, &name).await;
    let of_game = ListStandingsRequest {
        parent: "games/among-thieves".to_owned(),
        seats: ended.seats.len() as u32,
        consistency_token: format!("{}/entries/{}", ended.name, ended.position),
        ..<_>::default()
    };
    let standings = client.ask_in_step(&of_game).await.expect("an answer").standings;
    let mut rated: Vec<_> = standings.iter().map(|it| &*it.player).collect();
    rated.sort_unstable();
    let mut sat = ["dora", "emil", &*it.seats[0].player];
    sat.sort_unstable();
    assert_eq!(rated, sat);
}

/// Whether one of the words of a text is this name.
fn is_named(text: &str, name: &str) -> bool {
    text.split(|char: char| !char.is_alphanumeric()).any(|word| word.to_lowercase() == name)
}

#[tokio::test]
async fn texts_name_who_sat_there_then() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let players = ["ann", "bob"].map(str::to_owned).to_vec();
    let created = create(&client, &CreateMatchRequest { players, ..new_match(2) }).await;
    let name = created.name.clone();
    let stream =
        StreamEntriesRequest { language: "en".to_owned(), ..StreamEntriesRequest::default() };
    let mut stream = client.stream(&stream).await;
    let mut playing = Playing::of(&client, &created, 7);
    let mut until = Vec::new();
    for substitute in ["dan", "eve", ""] {
        playing.steps(6).await;
        if !substitute.is_empty() {
            let absent = ReplaceSeatRequest { absent: true, ..replace(&name, 0, substitute) };
            let answer = client.ask(&absent).await.expect("the platform says so");
            until.push(answer.entry.expect("an entry").position);
        }
    }
    let of = |position: i32| match () {
        () if position < until[0] => "ann",
        () if position < until[1] => "dan",
        () => "eve",
    };
    let check = |entry: &Entry| {
        let named = ["ann", "dan", "eve"].into_iter().filter(|it| is_named(&entry.text, it));
        let named: Vec<_> = named.collect();
        let is_own = entry.seat == Some(0) || until.contains(&entry.position);
        assert!(named.iter().all(|it| *it == of(entry.position)), "{}", entry.text);
        assert!(!is_own || !named.is_empty(), "{}", entry.text);
        usize::from(is_own)
    };
    let list = ListEntriesRequest {
        parent: name.clone(),
        viewer: "spectator".to_owned(),
        page_size: 1000,
        language: "en".to_owned(),
        ..ListEntriesRequest::default()
    };
    let listed = client.ask(&list).await.expect("a list").entries;
    assert!(listed.iter().map(check).sum::<usize>() > 6, "seat 0 has acted");
    // A stream that was open all the time, and the table as it was.
    let mut seen = 0;
    while seen < listed.len() {
        let batch = stream.next().await.expect("it goes on").expect("it does not end").message;
        for streamed in batch.entries {
            check(&streamed.entry.expect("an entry"));
            seen += 1;
        }
    }
    for position in [until[0] - 1, until[0], until[1]] {
        let request = GetViewRequest {
            name: name.clone(),
            viewer: "spectator".to_owned(),
            position: Some(position),
            language: "en".to_owned(),
            ..GetViewRequest::default()
        };
        let text = client.ask(&request).await.expect("a view").table.expect("a table").text;
        let named = ["ann", "dan", "eve"].into_iter().filter(|it| is_named(&text, it));
        assert_eq!(named.collect::<Vec<_>>(), [of(position)], "{text}");
    }
}

fn leave(name: &str, player: &str) -> LeaveMatchRequest {
    LeaveMatchRequest { name: name.to_owned(), player: player.to_owned(), ..<_>::default() }
}

#[tokio::test]
async fn a_player_leaves_a_match_that_waits_for_others() {
    let installation = Installation::open().await;
    let second = installation.serve("second").await;
    let (client, other) = (installation.client(Protocol::Grpc), second.client(Protocol::Rest));
    let players = (0..2).map(player).collect();
    let contributions = vec![vec![1; 16], vec![2; 16]];
    let request = CreateMatchRequest { players, contributions, ..new_match(3) };
    let it = create(&client, &request).await;
    assert_eq!(get(&other, &it.name).await, it, "it is in the memory of both processes");
    let old = client.holding(token(&client, &it.name, Some(1)).await);
    let left = client.ask(&leave(&it.name, &player(1))).await.expect("it is open");
    let left = left.r#match.expect("a match");
    assert_eq!((&*left.seats[1].player, left.state()), ("", MatchState::Open));
    for client in [&client, &other] {
        assert_eq!(get(client, &it.name).await, left);
        let again = client.ask(&leave(&it.name, &player(1))).await.expect_err("once");
        again.check(Code::FailedPrecondition, "PLAYER_NOT_SEATED");
    }
    until("the token is refused", async || {
        let request = GetMatchRequest { name: it.name.clone(), ..<_>::default() };
        old.ask(&request).await.err().filter(|it| it.reason == "CREDENTIALS_REVOKED")
    })
    .await;
    // A seat's token leaves for its own player, whose seat another one takes.
    let own = client.holding(token(&client, &it.name, Some(0)).await);
    let stranger = own.ask(&leave(&it.name, "dora")).await.expect_err("another player");
    stranger.check(Code::PermissionDenied, "NOT_YOUR_SEAT");
    own.ask(&leave(&it.name, "")).await.expect("its own seat");
    for name in ["dora", "emil", "fynn"] {
        let (player, name) = (name.to_owned(), it.name.clone());
        let join = JoinMatchRequest { name, player, ..<_>::default() };
        other.ask(&join).await.expect("a seat is open");
    }
    let dealt = get(&client, &it.name).await;
    assert_eq!((dealt.state(), dealt.entropy()), (MatchState::Running, Entropy::ServiceOnly));
    let late = client.ask(&leave(&it.name, "dora")).await.expect_err("it has started");
    late.check(Code::FailedPrecondition, "MATCH_STARTED");
}

#[tokio::test]
async fn the_role_that_serves_lets_players_come_and_go() {
    let mut installation = Installation::open().await;
    installation.restrict().await;
    let client = installation.client(Protocol::Grpc);
    // Before the deal.
    let open = CreateMatchRequest { players: vec![player(0)], lobby: true, ..new_match(2) };
    let it = create(&client, &open).await;
    client.ask(&contribute(&it.name)).await.expect("the seat contributes");
    client.ask(&leave(&it.name, &player(0))).await.expect("it is open");
    assert_eq!(dealt_without_the_first(&client, &it.name).await, Entropy::ServiceOnly);
    assert_eq!(
        client.ask(&ListOpenMatchesRequest::default()).await.expect("a list").matches,
        [],
        "and the row in the lobby is removed"
    );

    // A match with clocks, by the agents of the same process.
    let players = ["ann", "bob"].map(str::to_owned).to_vec();
    let per_decision = Some(contract::seconds(1));
    let time_control = Some(TimeControl { per_decision, resign_after: 9, ..<_>::default() });
    let timed = CreateMatchRequest { players, time_control, ..new_match(2) };
    let it = create(&client, &timed).await;
    let ann = client.holding(player_token(&client, "ann").await);
    let watching = WatchPlayerRequest { name: "players/ann".to_owned(), ..<_>::default() };
    let mut stream = ann.stream(&watching).await;
    assert!(stream.next().await.expect("it goes on").is_some());
    let timed_out = async || {
        let entries = entries(&client, &it.name, "spectator").await;
        entries.iter().any(|entry| entry.verb == "timeout").then_some(())
    };
    until("a timeout", timed_out).await;
    let name = it.name.clone();
    let pause = PauseMatchRequest { name: name.clone(), ..<_>::default() };
    client.ask(&pause).await.expect("the platform may");
    ann.ask(&vote(&name, 0, Motion::Resume)).await.expect("she votes");
    let resume = ResumeMatchRequest { name: name.clone(), ..<_>::default() };
    client.ask(&resume).await.expect("the platform may");
    let absent = ReplaceSeatRequest { absent: true, ..replace(&name, 0, "dan") };
    client.ask(&absent).await.expect("the platform says so");
    let failure = client.ask(&take_back(&name, 0)).await.expect_err("a seat was taken over");
    failure.check(Code::FailedPrecondition, "TAKE_BACK_NOTHING");
    let revoke = RevokePlayerTokensRequest { parent: "players/ann".to_owned() };
    client.ask(&revoke).await.expect("it is revoked");
    let end = EndMatchRequest { name, ..<_>::default() };
    client.ask(&end).await.expect("the platform may");

    // Seeks.
    let seek = |player: &str| CreateSeekRequest {
        player: player.to_owned(),
        game: "games/mountebank".to_owned(),
        seats: vec![2],
        ..<_>::default()
    };
    let cid = client.ask(&seek("cid")).await.expect("a seek").seek.expect("a seek");
    client.ask(&DeleteSeekRequest { name: cid.name, ..<_>::default() }).await.expect("it is open");
    let eve = client.ask(&seek("eve")).await.expect("a seek").seek.expect("a seek");
    client.ask(&seek("ann")).await.expect("a seek");
    until("both are seated", async || {
        let request = GetSeekRequest { name: eve.name.clone() };
        let it = client.ask(&request).await.expect("a seek").seek.expect("a seek");
        (it.state() == SeekState::Seated).then_some(())
    })
    .await;
    for player in ["ann", "eve"] {
        let erase = ErasePlayerRequest { name: format!("players/{player}") };
        assert!(client.ask(&erase).await.expect("it is done").erased);
    }
}

fn contribute(name: &str) -> ContributeEntropyRequest {
    let contribution = vec![7; 16];
    ContributeEntropyRequest {
        name: name.to_owned(),
        seat: Some(0),
        contribution,
        ..<_>::default()
    }
}

/// Two others take the seats; what the deal was made from.
async fn dealt_without_the_first(client: &Client, name: &str) -> Entropy {
    for number in [1, 2] {
        let (name, player) = (name.to_owned(), player(number));
        let join = JoinMatchRequest { name, player, ..<_>::default() };
        client.ask(&join).await.expect("a seat is open");
    }
    let dealt = get(client, name).await;
    assert_eq!(dealt.state(), MatchState::Running);
    dealt.entropy()
}

#[tokio::test]
async fn what_is_contributed_while_a_player_leaves_goes_with_the_player() {
    let installation = Installation::open().await;
    let second = installation.serve("second").await;
    let (a, b) = (installation.client(Protocol::Grpc), second.client(Protocol::Grpc));
    let first = || CreateMatchRequest { players: vec![player(0)], ..new_match(2) };
    // The one who leaves is first, and not done when the other begins.
    let it = create(&a, &first()).await;
    let mut database = installation.database().await;
    sqlx::raw_sql("begin").execute(&mut database).await.expect("it begins");
    let id = it.name.trim_start_matches("matches/");
    let leaving = "select leave_open_match(platform, match_id, $2)
                   from matches
                   where match_id = $1::uuid";
    let has_left: bool = sqlx::query_scalar(leaving)
        .bind(id)
        .bind(player(0))
        .fetch_one(&mut database)
        .await
        .expect("a match");
    assert!(has_left);
    let (client, request) = (a.clone(), contribute(&it.name));
    let contributing = tokio::spawn(async move { client.ask(&request).await });
    sleep(Duration::from_millis(200)).await;
    sqlx::raw_sql("commit").execute(&mut database).await.expect("it commits");
    let refused = contributing.await.expect("no panic").expect_err("nobody has the seat");
    refused.check(Code::FailedPrecondition, "SEAT_NOT_TAKEN");
    assert_eq!(dealt_without_the_first(&b, &it.name).await, Entropy::ServiceOnly);

    let (mut stayed, mut refused) = (0, 0);
    for number in 0..60 {
        let it = create(&a, &first()).await;
        let (asked, leaving) = (contribute(&it.name), leave(&it.name, &player(0)));
        let later = Duration::from_micros(number % 20 * 100);
        let leaves = async {
            sleep(later).await;
            b.ask(&leaving).await
        };
        let (contributed, left) = tokio::join!(a.ask(&asked), leaves);
        left.expect("the match is open");
        match contributed {
            Ok(_) => stayed += 1,
            Err(failure) => {
                refused += 1;
                failure.check(Code::FailedPrecondition, "SEAT_NOT_TAKEN");
            }
        }
        assert_eq!(dealt_without_the_first(&b, &it.name).await, Entropy::ServiceOnly);
    }
    println!("{stayed} contributed, {refused} were refused");
}

#[tokio::test]
async fn of_one_who_leaves_and_one_who_takes_the_last_seat_one_succeeds() {
    let installation = Installation::open().await;
    let second = installation.serve("second").await;
    let (a, b) = (installation.client(Protocol::Grpc), second.client(Protocol::Grpc));
    let (mut dealt, mut gone) = (0, 0);
    for number in 0..120 {
        let players = vec![player(0)];
        let it = create(&a, &CreateMatchRequest { players, ..new_match(2) }).await;
        if number % 2 == 0 {
            get(&b, &it.name).await;
        }
        let (name, player_1) = (it.name.clone(), player(1));
        let join = JoinMatchRequest { name, player: player_1, ..<_>::default() };
        let leaving = leave(&it.name, &player(0));
        // From together to far apart, whichever is first, on machines of any speed.
        let later = Duration::from_micros(50 << (number % 12));
        let leaves_first = number / 12 % 2 == 1;
        let leaves = async {
            sleep(if leaves_first { Duration::ZERO } else { later }).await;
            b.ask(&leaving).await
        };
        let joins = async {
            sleep(if leaves_first { later } else { Duration::ZERO }).await;
            a.ask(&join).await
        };
        let (joined, left) = tokio::join!(joins, leaves);
        joined.expect("a seat is open in any case");
        let (here, there) = (get(&a, &it.name).await, get(&b, &it.name).await);
        assert_eq!(here, there);
        match left {
            Ok(_) => {
                gone += 1;
                assert_eq!((here.state(), here.position), (MatchState::Open, 0));
                let seated = here.seats.iter().filter(|it| !it.player.is_empty());
                assert_eq!(seated.map(|it| &it.player).collect::<Vec<_>>(), [&player(1)]);
            }
            Err(failure) => {
                dealt += 1;
                failure.check(Code::FailedPrecondition, "MATCH_STARTED");
                assert_eq!((here.state(), here.position), (MatchState::Running, 1));
                assert!(here.seats.iter().all(|it| !it.player.is_empty()));
            }
        }
    }
    assert!(dealt > 0 && gone > 0, "{dealt} dealt, {gone} left");
    println!("{dealt} dealt, {gone} left");
}
