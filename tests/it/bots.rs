//! Seats that the service plays itself.

use std::time::Duration;

use contract::v1::*;
use table::{ChaCha, Chance, Viewer};
use tokio::time::sleep;
use tonic::Code;

use crate::files;
use crate::harness::*;
use crate::public_records::read;

/// A match of Mountebank with a player where there is no bot.
fn with_bots(bots: &[&str]) -> CreateMatchRequest {
    let player_of = |(seat, bot): (u32, &&str)| match *bot {
        "" => player(seat),
        _ => String::new(),
    };
    CreateMatchRequest {
        players: (0..).zip(bots).map(player_of).collect(),
        bots: bots.iter().map(|&bot| bot.to_owned()).collect(),
        ..new_match(bots.len() as u32)
    }
}

/// A service whose bots think that long, in milliseconds.
async fn thinking(time: &'static str) -> Installation {
    let mut installation = Installation::open().await;
    installation.service.restart_with(&["--bot-think-ms", time]).await;
    installation
}

fn bots_of(it: &Match) -> Vec<&str> {
    it.seats.iter().map(|seat| seat.bot.as_str()).collect()
}

async fn ended(client: &Client, name: &str) -> Match {
    until("the end", async || {
        Some(get(client, name).await).filter(|it| it.state() == MatchState::Ended)
    })
    .await
}

/// Each entry of a bot was chosen at the entry before it, and everything is as the rules give it.
async fn check_decisions(client: &Client, installation: &Installation, name: &str) -> Vec<String> {
    let it = get(client, name).await;
    let listed = entries(client, name, "house").await;
    check_dense(&listed, it.position);
    Truth::of(&it, Viewer::House, &listed).check_deals(&it);
    let record = read(client, name).await;
    let mut reader = records::Reader::new(record.as_bytes()).expect("an archive");
    records::read_match(&mut reader).expect("it is right").expect("a match");
    let requests = recorded_requests(&mut installation.database().await, name).await;
    for (entry, request) in listed.iter().zip(&requests).skip(1) {
        let seat = &it.seats[entry.seat.expect("a seat acted") as usize];
        let of_bot = format!("bot {}", entry.position - 1);
        assert_eq!(*request == of_bot, !seat.bot.is_empty(), "{request} of {seat:?}");
    }
    requests
}

/// Plays a random action for a seat whenever it must act; a request that fails is sent again.
struct Person {
    client: Client,
    name: String,
    seat: u32,
    random: ChaCha,
    sent: Vec<String>,
}

impl Person {
    fn new(client: Client, it: &Match, seat: u32) -> Person {
        // From where it begins, so that no two of a match use the same request ids.
        let random = ChaCha::of([5; 32], it.position as u64);
        Person { client, name: it.name.clone(), seat, random, sent: Vec::new() }
    }

    /// Acts if it must. Returns the match as it was before.
    async fn act(&mut self) -> Match {
        let it = get(&self.client, &self.name).await;
        if !it.waiting_for.contains(&self.seat) {
            sleep(Duration::from_millis(5)).await;
            return it;
        }
        let (name, seat) = (self.name.clone(), Some(self.seat));
        let request = ListLegalActionsRequest { name: name.clone(), seat, ..<_>::default() };
        let legal = self.client.ask(&request).await.expect("an answer").actions;
        let Some(action) = choose(&legal, &mut self.random) else { return it };
        let request_id = format!("own-{}", self.random.below(1 << 30));
        let action = SubmitActionRequest {
            name,
            seat,
            action: Some(action),
            request_id: request_id.clone(),
            ..<_>::default()
        };
        match self.client.ask(&action).await {
            Ok(_) => self.sent.push(request_id),
            // A bot that need not act was faster.
            Err(failure) => assert_eq!(failure.code, Code::FailedPrecondition, "{failure:?}"),
        }
        it
    }
}

#[tokio::test]
async fn a_person_plays_three_bots_to_the_end_while_a_process_is_killed() {
    let mut installation = Installation::open().await;
    let second = installation.serve("b").await;
    let (first, other) =
        (installation.client(Protocol::Grpc), second.client(Protocol::ConnectJson));
    let it = create(&first, &with_bots(&["", "random", "heuristic", "search"])).await;
    assert_eq!(bots_of(&it), ["", "random", "heuristic", "search"]);
    assert!(it.seats[1].player.is_empty() && it.seats[1].display_name == "Basil");
    let mut person = Person::new(first, &it, 0);
    while person.act().await.position < 12 {}
    installation.service.kill().await;
    person.client = other.clone();
    while person.act().await.state() != MatchState::Ended {}
    let requests = check_decisions(&other, &installation, &it.name).await;
    let own: Vec<&String> = requests.iter().filter(|it| it.starts_with("own-")).collect();
    assert_eq!(own, person.sent.iter().collect::<Vec<_>>(), "each once");
    assert!(requests.iter().filter(|it| it.starts_with("bot ")).count() > 20);
    let mut database = installation.database().await;
    assert_eq!(check_keys(&mut database).await, Vec::<String>::new());

    // Nobody is told the id under which the record has a bot, and no bot has a rating.
    for protocol in [Protocol::Rest, Protocol::Grpc] {
        let client = other.speaking(protocol);
        let request = GetMatchRequest { name: it.name.clone(), ..<_>::default() };
        let body = client.receive(&request).await.expect("it is there").body;
        let told = String::from_utf8_lossy(&body);
        assert!(!told.contains("\u{1}bot") && !told.contains("\\u0001"), "{told}");
    }
    let standings = until("the result", async || {
        let request =
            ListStandingsRequest { parent: MOUNTEBANK.to_owned(), seats: 4, ..<_>::default() };
        let standings = other.ask(&request).await.expect("standings").standings;
        Some(standings).filter(|it| !it.is_empty())
    })
    .await;
    assert_eq!(standings.len(), 1, "{standings:?}");
    assert_eq!(standings[0].player, player(0));
}

#[tokio::test]
async fn a_table_of_bots_plays_to_its_end_and_its_series_goes_on() {
    let installation = thinking("20").await;
    let client = installation.client(Protocol::Grpc);
    for (game, seats) in [("mountebank", 2), ("among-thieves", 3), ("grifters", 2)] {
        let bots = ["heuristic", "random", "search"].map(str::to_owned)[..seats].to_vec();
        let request = CreateMatchRequest {
            game: format!("games/{game}"),
            players: Vec::new(),
            bots,
            ..new_match(seats as u32)
        };
        let it = create(&client, &request).await;
        ended(&client, &it.name).await;
        check_decisions(&client, &installation, &it.name).await;
    }
    let first = create(&client, &with_bots(&["heuristic", "random"])).await;
    ended(&client, &first.name).await;
    let follow = |bots: &[&str]| CreateMatchRequest {
        previous: first.name.clone(),
        bots: bots.iter().map(|&bot| bot.to_owned()).collect(),
        ..CreateMatchRequest::default()
    };
    let failure = client.ask(&follow(&["heuristic", "search"])).await.expect_err("another bot");
    failure.check(Code::InvalidArgument, "SERIES_MISMATCH");
    let next = create(&client, &follow(&["random", "heuristic"])).await;
    assert_eq!(bots_of(&next), ["random", "heuristic"]);
    ended(&client, &next.name).await;
    let last = CreateMatchRequest { previous: next.name.clone(), ..<_>::default() };
    if let Ok(created) = client.ask(&last).await {
        assert_eq!(bots_of(&created.r#match.expect("a match")), ["random", "heuristic"]);
    }
}

#[tokio::test]
async fn a_bot_takes_over_a_seat_and_a_player_takes_it_back() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::ConnectProto);
    let it = create(&client, &new_match(2)).await;
    let mut playing = Playing::of(&client, &it, 1);
    playing.steps(3).await;
    let replace = |bot: &str, player: &str| ReplaceSeatRequest {
        name: it.name.clone(),
        seat: Some(1),
        player: player.to_owned(),
        bot: bot.to_owned(),
        absent: !bot.is_empty(),
        ..<_>::default()
    };
    let answer = client.ask(&replace("heuristic", "")).await.expect("the platform may");
    let now = answer.r#match.expect("a match");
    assert_eq!((bots_of(&now), &*now.seats[1].player), (vec!["", "heuristic"], ""));
    assert_eq!(now.seats[1].players_before[0].player, player(1));
    let mut person = Person::new(client.clone(), &it, 0);
    let from = now.position;
    while person.act().await.position < from + 8 {}
    let by_bot = entries(&client, &it.name, "spectator").await;
    let by_bot = by_bot.iter().filter(|it| it.position > from && it.seat == Some(1)).count();
    assert!(by_bot > 0, "the bot acts");

    let answer = client.ask(&replace("", "dora")).await.expect("a bot is gone at once");
    let now = answer.r#match.expect("a match");
    assert_eq!((bots_of(&now), &*now.seats[1].player), (vec!["", ""], "dora"));
    let before = &now.seats[1].players_before;
    assert_eq!((&*before[1].bot, &*before[1].player), ("heuristic", ""));
    sleep(Duration::from_millis(300)).await;
    let moved = get(&client, &it.name).await.position;
    let again = client.ask(&replace("heuristic", "")).await.expect("bots come back");
    assert_eq!(again.r#match.expect("a match").position, moved + 1, "nobody acted for dora");
    while person.act().await.state() != MatchState::Ended {}
}

#[tokio::test]
async fn nobody_acts_for_a_bot() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let it = create(&client, &with_bots(&["", "random"])).await;
    let name = it.name.clone();
    let check = |refused: Result<(), Failure>, code, reason| {
        refused.expect_err("it is refused").check(code, reason);
    };
    let resign = ResignMatchRequest { name: name.clone(), seat: Some(1), ..<_>::default() };
    check(client.ask(&resign).await.map(drop), Code::FailedPrecondition, "BOT_SEAT");
    let vote = VoteMatchRequest {
        name: name.clone(),
        seat: Some(1),
        motion: Motion::Pause.into(),
        ..<_>::default()
    };
    check(client.ask(&vote).await.map(drop), Code::FailedPrecondition, "BOT_SEAT");
    let token = CreateTokenRequest { parent: name.clone(), seat: Some(1), lifetime: None };
    check(client.ask(&token).await.map(drop), Code::FailedPrecondition, "BOT_SEAT");
    let open = create(&client, &with_bots(&["", "random", ""])).await;
    let join = JoinMatchRequest {
        name: open.name.clone(),
        player: "dora".to_owned(),
        seat: Some(1),
        ..<_>::default()
    };
    let full = client.ask(&join).await.map(drop);
    assert!(full.is_err(), "it is taken");
    for bot in ["genius", "Search"] {
        let refused = client.ask(&with_bots(&["", bot])).await.expect_err("no such bot");
        refused.check(Code::InvalidArgument, "UNKNOWN_BOT");
        assert!(refused.message.contains("random, heuristic, search"), "{refused:?}");
    }
    let both =
        CreateMatchRequest { players: vec![player(0), player(1)], ..with_bots(&["", "random"]) };
    check(client.ask(&both).await.map(drop), Code::InvalidArgument, "INVALID_REQUEST");
    let many = CreateMatchRequest { seats: 2, ..with_bots(&["", "random", "random"]) };
    check(client.ask(&many).await.map(drop), Code::InvalidArgument, "INVALID_REQUEST");
    let false_bot = CreateMatchRequest {
        players: vec![player(0), "\u{1}bot search 0000000000000000".to_owned()],
        ..new_match(2)
    };
    check(client.ask(&false_bot).await.map(drop), Code::InvalidArgument, "INVALID_REQUEST");
}

/// In every game, whoever follows the suggestions plays on, and nobody is helped against people.
#[tokio::test]
async fn suggestions_are_legal_and_only_against_bots() {
    let installation = thinking("20").await;
    let client = installation.client(Protocol::Grpc);
    let games = client.ask(&ListGamesRequest::default()).await.expect("a list").games;
    let mut estimates = 0;
    for game in &games {
        let mut bots = vec!["heuristic".to_owned(); game.seats_min as usize];
        bots[0] = String::new();
        let request = CreateMatchRequest {
            game: game.name.clone(),
            players: vec![player(0)],
            seats: game.seats_min,
            bots,
            ..<_>::default()
        };
        let name = create(&client, &request).await.name;
        let mut acted = 0;
        while acted < 5 {
            let asked = async || Some(get(&client, &name).await).filter(|it| it.waiting_for == [0]);
            until("the person's turn", asked).await;
            let language = "en".to_owned();
            let request = SuggestActionsRequest {
                name: name.clone(),
                seat: Some(0),
                position: None,
                language,
            };
            let answer = client.ask(&request).await.expect("suggestions");
            assert!((1..=3).contains(&answer.suggestions.len()), "{}: {answer:?}", game.name);
            let known = answer.suggestions.iter().filter_map(|it| it.estimate);
            known.clone().for_each(|it| assert!((0.0..=1.0).contains(&it), "{it}"));
            estimates += known.count();
            let best = answer.suggestions.into_iter().find_map(|it| it.action).expect("an action");
            assert!(!best.label.is_empty(), "{best:?}");
            let action = SubmitActionRequest {
                name: name.clone(),
                seat: Some(0),
                action: best.action,
                expected_position: Some(answer.position),
                ..<_>::default()
            };
            match client.ask(&action).await {
                Ok(_) => acted += 1,
                // Who is waited for may be told late, so that a bot is the next to act.
                Err(failure) => failure.check(Code::Aborted, "POSITION_MOVED"),
            }
        }
    }
    assert!(estimates > 0, "nothing was compared");
    let it = create(&client, &with_bots(&["", "random", ""])).await;
    let request = SuggestActionsRequest { name: it.name, seat: Some(0), ..<_>::default() };
    let refused = client.ask(&request).await.expect_err("a person plays, too");
    refused.check(Code::FailedPrecondition, "SUGGESTIONS_AGAINST_PEOPLE");
}

#[tokio::test]
async fn bots_have_names_of_their_own() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let shown = |it: &Match| -> Vec<String> {
        it.seats.iter().map(|seat| seat.display_name.clone()).collect()
    };
    let named = |names: &[&str]| names.iter().map(|&it| it.to_owned()).collect::<Vec<_>>();
    let made = async |display_names: &[&str]| {
        let display_names = named(display_names);
        let request =
            CreateMatchRequest { display_names, ..with_bots(&["", "random", "heuristic"]) };
        client.ask(&request).await.map(|it| it.r#match.expect("a match"))
    };
    assert_eq!(shown(&made(&[]).await.expect("a match")), ["", "Basil", "Clara"]);
    // A name that a person has is no bot's.
    assert_eq!(shown(&made(&["BASIL"]).await.expect("a match")), ["BASIL", "Clara", "Dexter"]);
    let it = made(&["Ann", "Marvin"]).await.expect("a match");
    assert_eq!(shown(&it), ["Ann", "Marvin", "Clara"]);
    let failure = made(&["Ann", "ann"]).await.expect_err("nobody could tell them apart");
    failure.check(Code::InvalidArgument, "INVALID_REQUEST");

    // They keep their names in the next match, on other seats, too.
    client.ask(&EndMatchRequest { name: it.name.clone(), ..<_>::default() }).await.expect("it may");
    let next = CreateMatchRequest {
        previous: it.name.clone(),
        players: vec![String::new(), player(0)],
        bots: named(&["random", "", "heuristic"]),
        ..<_>::default()
    };
    assert_eq!(shown(&create(&client, &next).await), ["Marvin", "Ann", "Clara"]);

    let replace = ReplaceSeatRequest {
        name: get(&client, &it.name).await.next,
        display_name: "Zaphod".to_owned(),
        bot: "random".to_owned(),
        absent: true,
        seat: Some(1),
        ..<_>::default()
    };
    let now = client.ask(&replace).await.expect("it may").r#match.expect("a match");
    assert_eq!(shown(&now), ["Marvin", "Zaphod", "Clara"]);
}

#[tokio::test]
async fn bots_agree_to_what_all_players_want() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest);
    let it = create(&client, &with_bots(&["", "", "random"])).await;
    let vote = |seat, motion: Motion| VoteMatchRequest {
        name: it.name.clone(),
        seat: Some(seat),
        motion: motion.into(),
        ..<_>::default()
    };
    let is_paused = async || get(&client, &it.name).await.paused;
    client.ask(&vote(0, Motion::Pause)).await.expect("a vote");
    sleep(Duration::from_millis(300)).await;
    assert!(!is_paused().await, "one player does not want to");
    client.ask(&vote(1, Motion::Pause)).await.expect("a vote");
    until("a pause", async || is_paused().await.then_some(())).await;
    for seat in 0..2 {
        client.ask(&vote(seat, Motion::Resume)).await.expect("a vote");
    }
    until("the end of the pause", async || (!is_paused().await).then_some(())).await;
}

#[tokio::test]
async fn bots_go_on_where_their_match_is_imported() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let it = create(&client, &with_bots(&["", "heuristic", "random"])).await;
    let mut person = Person::new(client, &it, 0);
    while person.act().await.position < 10 {}
    let other = Installation::open().await;
    let path = installation.folder.path().join("all");
    files::export(&installation, &path, &["--seeds"]).await;
    files::import(&other, &path).await;
    let client = other.client(Protocol::Grpc);
    let it = get(&client, &it.name).await;
    let mut person = Person::new(client, &it, 0);
    while person.act().await.state() != MatchState::Ended {}
    let now = get(&person.client, &it.name).await;
    assert_eq!(bots_of(&now), ["", "heuristic", "random"]);
}

#[tokio::test]
async fn bots_that_think_delay_no_person() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    for _ in 0..8 {
        create(&client, &with_bots(&["search", "search"])).await;
    }
    let mut playing = Playing::new(&client, 2, 3).await;
    let began = tokio::time::Instant::now();
    playing.steps(40).await;
    let each = began.elapsed() / 40;
    // Behind the bots, it would wait for all of them to think.
    assert!(each < Duration::from_secs(1), "an action took {each:?}");
}

#[tokio::test]
async fn how_long_a_bot_takes_tells_nothing_of_its_hand() {
    let installation = thinking("60").await;
    let client = installation.client(Protocol::Grpc);
    let mut gaps = Vec::new();
    for _ in 0..2 {
        let created =
            client.ask(&with_bots(&["search", "search", "search"])).await.expect("created");
        let name = created.r#match.expect("a match").name;
        ended(&client, &name).await;
        let listed = entries(&client, &name, "house").await;
        let times = listed.iter().map(|it| it.create_time.expect("a time"));
        let millis = times.map(|it| it.seconds * 1000 + i64::from(it.nanos) / 1_000_000);
        let millis: Vec<i64> = millis.collect();
        gaps.extend(millis.windows(2).map(|pair| pair[1] - pair[0]));
    }
    // With one legal action there is nothing to think about, and yet it takes as long. The
    // database's time is known to a few milliseconds.
    let least = gaps.iter().min().expect("they acted");
    assert!(*least >= 50, "{gaps:?}");
}

/// After a match, whoever played it learns at each decision what else there was, and nothing about
/// a match that goes on.
#[tokio::test]
async fn a_match_that_ended_is_reviewed_at_each_decision() {
    let installation = thinking("20").await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 2, 1).await;
    playing.steps(8).await;
    let name = playing.name.clone();
    let at = |position: Option<i32>| SuggestActionsRequest {
        name: name.clone(),
        seat: Some(0),
        position,
        language: "en".to_owned(),
    };
    for position in [None, Some(1)] {
        let refused = client.ask(&at(position)).await.expect_err("it goes on");
        refused.check(Code::FailedPrecondition, "SUGGESTIONS_AGAINST_PEOPLE");
    }
    let resign = ResignMatchRequest { name: name.clone(), seat: Some(1), ..<_>::default() };
    client.ask(&resign).await.expect("any time");
    let entries = entries(&client, &name, "house").await;
    let seat = client.holding(token(&client, &name, Some(0)).await);
    let mut decisions = 0;
    for own in entries.iter().filter(|it| it.seat == Some(0)) {
        decisions += 1;
        let answer = seat.ask(&at(Some(own.position - 1))).await.expect("suggestions");
        assert_eq!(answer.position, own.position - 1);
        assert!((1..=4).contains(&answer.suggestions.len()), "{answer:?}");
        let taken: Vec<&Suggestion> = answer.suggestions.iter().filter(|it| it.taken).collect();
        let [taken] = taken[..] else { panic!("it did one thing: {answer:?}") };
        let action = taken.action.as_ref().expect("it did something");
        assert_eq!(action.verb, own.verb);
        assert!(!action.label.is_empty(), "{action:?}");
    }
    assert!(decisions >= 3, "{decisions} decisions");
    let last = entries.last().expect("entries").position;
    let after = seat.ask(&at(Some(last))).await.expect("nothing is asked any more");
    assert_eq!(after.suggestions, []);
    let refused = seat.ask(&at(Some(last + 1))).await.expect_err("there is none");
    refused.check(Code::OutOfRange, "POSITION_AHEAD");
    let refused = seat.ask(&at(Some(0))).await.expect_err("nothing was dealt");
    refused.check(Code::InvalidArgument, "INVALID_REQUEST");
    let rival = client.holding(token(&client, &name, Some(1)).await);
    let refused = rival.ask(&at(Some(1))).await.expect_err("another's seat");
    refused.check(Code::PermissionDenied, "NOT_YOUR_SEAT");
}
