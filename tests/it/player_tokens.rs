//! A player's token does what a seat's token does, in every match of the player and in no other;
//! one stream tells the player everything that happens there, each thing once.

use std::collections::BTreeMap;
use std::time::Duration;

use contract::v1::*;
use table::{ChaCha, Chance};
use tokio::time::timeout;
use tonic::Code;

use crate::grants::requests;
use crate::harness::*;
use crate::projections::caught_up;

/// What the contract says is thirty seconds.
const REFUSED_WITHIN: Duration = Duration::from_secs(15);

fn of_players(players: &[&str]) -> CreateMatchRequest {
    let players: Vec<String> = players.iter().map(|it| (*it).to_owned()).collect();
    CreateMatchRequest { players, ..new_match(2) }
}

fn watching(player: &str) -> WatchPlayerRequest {
    WatchPlayerRequest { name: format!("players/{player}"), ..Default::default() }
}

/// Plays with the tokens of the players.
async fn with_players(key: &Client, it: &Match, seed: u64) -> Playing {
    let mut playing = Playing::of(key, it, seed);
    for (seat, client) in it.seats.iter().zip(&mut playing.seats) {
        *client = key.holding(player_token(key, &seat.player).await);
    }
    playing
}

/// What a stream told, by match.
#[derive(Clone, Debug, Default, PartialEq)]
struct Told {
    entries: BTreeMap<String, Vec<StreamedEntry>>,
    notices: BTreeMap<String, Vec<PlayerNotice>>,
}

impl Told {
    fn add(&mut self, message: WatchPlayerResponse) {
        for streamed in message.entries {
            let name = &streamed.entry.as_ref().expect("an entry").name;
            let of = name.split("/entries/").next().expect("a name").to_owned();
            self.entries.entry(of).or_default().push(streamed);
        }
        for notice in message.notices {
            self.notices.entry(notice.r#match.clone()).or_default().push(notice);
        }
    }

    fn count(&self) -> usize {
        self.entries.values().map(Vec::len).sum()
    }

    fn entries(&self, name: &str) -> Vec<Entry> {
        let streamed = self.entries[name].iter();
        streamed.map(|it| it.entry.clone().expect("an entry")).collect()
    }

    fn kinds(&self, name: &str) -> Vec<player_notice::Kind> {
        self.notices[name].iter().map(|it| it.kind.clone().expect("a kind")).collect()
    }
}

/// What a stream tells until it has told so many entries.
async fn told(client: &Client, request: &WatchPlayerRequest, until: usize) -> Told {
    told_by(&mut client.stream(request).await, until).await
}

#[tokio::test]
async fn one_token_plays_in_every_match_of_its_player() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let ann = key.holding(player_token(&key, "ann").await);
    let mut played = Vec::new();
    // Ann has another seat in each.
    for (number, players) in [["ann", "bob"], ["cid", "ann"]].iter().enumerate() {
        let it = create(&key, &of_players(players)).await;
        let mut playing = with_players(&key, &it, number as u64).await;
        playing.steps(12).await;
        let acted = playing.entries.iter().map(|entry| entry.seat.expect("a seat acts"));
        assert!(acted.collect::<Vec<_>>().contains(&(number as u32)), "ann has acted");
        played.push(playing);
    }
    // Both are asked in turn, and holdings should not change in between.
    caught_up(&mut installation.database().await).await;
    for (own, playing) in played.iter().enumerate() {
        let name = &playing.name;
        let seat = key.holding(token(&key, name, Some(own as u32)).await);
        for protocol in PROTOCOLS {
            same_answers(&seat.speaking(protocol), &ann.speaking(protocol), name).await;
        }
        let request = format!(r#"{{"name":"{name}","seat":{},"viewer":"{}"}}"#, 1 - own, "");
        let failure = ann.call("ListLegalActions", &request.replace(r#","viewer":"""#, "")).await;
        failure.expect_err("another's seat").check(Code::PermissionDenied, "NOT_YOUR_SEAT");
    }
}

/// Two clients are told the same, in every call that reads the match.
async fn same_answers(one: &Client, other: &Client, name: &str) {
    for viewer in ["", "spectator", "seats/0", "seats/1", "house"] {
        let viewer = viewer.to_owned();
        let (parent, name) = (name.to_owned(), name.to_owned());
        let (own, language) = (viewer.clone(), "en".to_owned());
        same(one, other, &GetMatchRequest { name: name.clone(), viewer: own, language }).await;
        let view = GetViewRequest { name: name.clone(), viewer: viewer.clone(), ..<_>::default() };
        same(one, other, &view).await;
        let past = GetViewRequest { position: Some(3), ..view };
        same(one, other, &past).await;
        let entry = format!("{name}/entries/4");
        let entry = GetEntryRequest { name: entry, viewer: viewer.clone(), ..<_>::default() };
        same(one, other, &entry).await;
        let from_position = 2;
        let diff =
            DiffViewsRequest { name, viewer: viewer.clone(), from_position, ..<_>::default() };
        same(one, other, &diff).await;
        let list = ListEntriesRequest { parent, viewer, ..<_>::default() };
        same(one, other, &list).await;
    }
    let name = name.to_owned();
    let legal = ListLegalActionsRequest { name: name.clone(), ..<_>::default() };
    same(one, other, &legal).await;
    let holdings = ListHoldingsRequest { parent: name, ..<_>::default() };
    same(one, other, &holdings).await;
}

async fn same<R: Rpc>(one: &Client, other: &Client, request: &R)
where
    R::Answer: PartialEq + std::fmt::Debug,
{
    match (one.ask(request).await, other.ask(request).await) {
        (Ok(one), Ok(other)) => assert!(one == other, "{}: {one:?} {other:?}", R::METHOD),
        (Err(one), Err(other)) => {
            assert_eq!(one.response.bytes(), other.response.bytes(), "{}", R::METHOD);
        }
        (one, other) => panic!("{}: {one:?} {other:?}", R::METHOD),
    }
}

#[tokio::test]
async fn matches_of_others_do_not_exist_for_a_player() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let theirs = create(&key, &of_players(&["bob", "cid"])).await.name;
    let open = create(&key, &of_players(&["bob"])).await.name;
    let none = "matches/00000000-0000-4000-8000-000000000000";
    for protocol in STREAMING {
        // A player may make only so many calls a second.
        let ann = player_token(&key, &format!("ann-{protocol:?}")).await;
        let client = key.holding(ann).speaking(protocol);
        for (number, (rpc, request)) in requests(none).into_iter().enumerate() {
            let expected = match client.call(rpc, &request).await {
                Ok(_) => {
                    let own = ["ListMatches", "ListOpenMatches", "ListSeeks", "GetPushKey"];
                    assert!(own.contains(&rpc), "{rpc} of no match");
                    continue;
                }
                Err(failure) => failure,
            };
            let is_told = [("PLATFORM_ONLY", Code::PermissionDenied)].iter().chain(&[
                ("MATCH_NOT_FOUND", Code::NotFound),
                ("OTHER_PLAYER", Code::PermissionDenied),
                ("INVITATION_ONLY", Code::PermissionDenied),
                ("SEEK_NOT_FOUND", Code::NotFound),
                ("PUSH_SUBSCRIPTION_NOT_FOUND", Code::NotFound),
            ]);
            let mut is_told = is_told.filter(|it| it.0 == expected.reason);
            assert_eq!(is_told.next().map(|it| it.1), Some(expected.code), "{rpc}: {expected:?}");
            for name in [&theirs, &open] {
                let (_, request) = requests(name).swap_remove(number);
                let failure = client.call(rpc, &request).await.expect_err("not hers");
                let bytes = |it: &Failure| it.response.bytes();
                assert_eq!(bytes(&failure), bytes(&expected), "{rpc} in {protocol:?}");
            }
        }
        let failure = client.stream(&watching("bob")).await.next().await.expect_err("not hers");
        failure.check(Code::PermissionDenied, "OTHER_PLAYER");
    }
}

#[tokio::test]
async fn a_stream_tells_a_player_everything_once() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let ann = key.holding(player_token(&key, "ann").await);
    let mut stream = ann.stream(&watching("ann")).await;
    let mut live = Told::default();
    let mut played = Vec::new();
    for (number, players) in [["ann", "bob"], ["cid", "ann"]].iter().enumerate() {
        let it = create(&key, &of_players(players)).await;
        played.push(with_players(&key, &it, 40 + number as u64).await);
    }
    let others = create(&key, &of_players(&["bob", "cid"])).await;
    let mut others = with_players(&key, &others, 42).await;
    while played[0].step().await {
        played[1].steps(1).await;
        others.steps(1).await;
    }
    // She joins while the stream is open.
    let joined = create(&key, &of_players(&["", "bob"])).await.name;
    let join =
        JoinMatchRequest { name: joined.clone(), player: "ann".to_owned(), ..<_>::default() };
    key.ask(&join).await.expect("a seat");
    let mut all = BTreeMap::new();
    for (name, own) in [(&played[0].name, 0), (&played[1].name, 1), (&joined, 0)] {
        let seat = key.holding(token(&key, name, Some(own)).await);
        all.insert(name.clone(), entries(&seat, name, "").await);
    }
    let count = all.values().map(Vec::len).sum();
    while live.count() < count {
        live.add(stream.next().await.expect("it goes on").expect("it does not end").message);
    }
    for (name, entries) in &all {
        assert_eq!(live.entries(name), *entries);
    }
    assert_eq!(live.entries.len(), 3, "nothing of the others");
    for protocol in STREAMING {
        for client in [&key, &ann] {
            let again = told(&client.speaking(protocol), &watching("ann"), count).await;
            assert_eq!(again, live, "{protocol:?}");
        }
    }
    check_notices(&live, &played[0].name, 0);
    check_notices(&live, &played[1].name, 1);
    cut(&ann, "ann", &live).await;
}

/// The notices are those that the entries imply.
fn check_notices(told: &Told, name: &str, own: u32) {
    let (entries, kinds) = (told.entries(name), told.kinds(name));
    let starts = kinds.iter().filter(|it| matches!(it, player_notice::Kind::MatchStarted(_)));
    assert_eq!(starts.count(), 1);
    let turn = |it: &player_notice::Kind| match it {
        player_notice::Kind::YourTurn(it) => it.prompt.clone(),
        player_notice::Kind::MatchStarted(_)
        | player_notice::Kind::MatchEnded(_)
        | player_notice::Kind::SeatTakenOver(_) => None,
    };
    let turns: Vec<Prompt> = kinds.iter().filter_map(turn).collect();
    let mut asked = Vec::new();
    for entry in &entries {
        let is_asked = |it: &&Prompt| it.seat == own && it.asked_position == entry.position;
        asked.extend(entry.prompts.iter().filter(is_asked).rfind(|it| !it.optional).cloned());
    }
    assert_eq!(turns, asked);
    assert!(turns.len() > 3, "she had turns");
    let ended = entries.iter().flat_map(|it| &it.events).find_map(|it| match &it.kind {
        Some(event::Kind::Ended(ended)) => Some(ended.winners.contains(&own)),
        _ => None,
    });
    let told = kinds.iter().find_map(|it| match it {
        player_notice::Kind::MatchEnded(it) => Some(it.won),
        player_notice::Kind::MatchStarted(_)
        | player_notice::Kind::YourTurn(_)
        | player_notice::Kind::SeatTakenOver(_) => None,
    });
    assert_eq!(told, ended);
}

/// A stream that is cut again and again, and resumed after its last cursor, tells what a stream
/// that is not cut tells.
async fn cut(client: &Client, player: &str, all: &Told) {
    let mut chance = ChaCha::of([3; 32], 1);
    for protocol in STREAMING {
        let (mut received, mut cursor) = (Told::default(), String::new());
        while received.count() < all.count() {
            let request = WatchPlayerRequest { cursor: cursor.clone(), ..watching(player) };
            // A browser resumes by itself.
            let (client, request) = match protocol {
                Protocol::Events if !cursor.is_empty() => {
                    (client.with_header("last-event-id", &cursor), watching(player))
                }
                _ => (client.clone(), request),
            };
            let mut stream = client.speaking(protocol).stream(&request).await;
            for _ in 0..chance.below(3) {
                if received.count() == all.count() {
                    break;
                }
                let batch = stream.next().await.expect("it goes on").expect("it does not end");
                cursor = batch.message.cursor.clone();
                received.add(batch.message);
            }
        }
        assert_eq!(received, *all, "{protocol:?}");
    }
}

#[tokio::test]
async fn a_cursor_is_good_for_one_player() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    create(&key, &of_players(&["ann", "bob"])).await;
    let mut stream = key.stream(&watching("ann")).await;
    let cursor = stream.next().await.expect("it goes on").expect("the deal").message.cursor;
    for request in [
        WatchPlayerRequest { cursor: cursor.clone(), ..watching("bob") },
        WatchPlayerRequest { cursor: "nonsense".to_owned(), ..watching("ann") },
    ] {
        let failure = key.stream(&request).await.next().await.expect_err("not its cursor");
        failure.check(Code::InvalidArgument, "INVALID_CURSOR");
    }
    let request = StreamEntriesRequest { cursor: cursor.clone(), ..<_>::default() };
    let failure = key.stream(&request).await.next().await.expect_err("not its cursor");
    failure.check(Code::InvalidArgument, "INVALID_CURSOR");
    let both = WatchPlayerRequest { cursor, live: true, ..watching("ann") };
    let failure = key.stream(&both).await.next().await.expect_err("not both");
    failure.check(Code::InvalidArgument, "INVALID_REQUEST");
}

/// The failure that ends a stream; what comes before it is skipped.
async fn ended(stream: &mut Watch<WatchPlayerResponse>) -> Failure {
    let ending = async {
        loop {
            match stream.next().await {
                Ok(Some(_)) => {}
                Ok(None) => panic!("it ended without an error"),
                Err(failure) => return failure,
            }
        }
    };
    timeout(REFUSED_WITHIN, ending).await.expect("it ends in time")
}

#[tokio::test]
async fn revoked_tokens_of_a_player_are_refused_everywhere_and_no_others() {
    let installation = Installation::open().await;
    let other = installation.serve("b").await;
    let key = installation.client(Protocol::Grpc);
    let it = create(&key, &of_players(&["ann", "bob"])).await;
    let [ann, bob] = [player_token(&key, "ann").await, player_token(&key, "bob").await];
    let seat = token(&key, &it.name, Some(0)).await;
    let there = other.client(Protocol::Grpc);
    let mut streams = [
        key.holding(&ann).stream(&watching("ann")).await,
        there.holding(&ann).stream(&watching("ann")).await,
    ];
    let revoke = RevokePlayerTokensRequest { parent: "players/ann".to_owned() };
    key.ask(&revoke).await.expect("it is revoked");
    for stream in &mut streams {
        ended(stream).await.check(Code::Unauthenticated, "CREDENTIALS_REVOKED");
    }
    let request = GetMatchRequest { name: it.name.clone(), ..<_>::default() };
    for client in [&key, &there] {
        let failure = client.holding(&ann).ask(&request).await.expect_err("it is revoked");
        failure.check(Code::Unauthenticated, "CREDENTIALS_REVOKED");
        let again = player_token(client, "ann").await;
        for valid in [&again, &bob, &seat] {
            client.holding(valid).ask(&request).await.expect("it is valid");
        }
    }
    // A process that starts later knows it too.
    let third = installation.serve("c").await;
    let failure =
        third.client(Protocol::Grpc).holding(&ann).ask(&request).await.expect_err("it is revoked");
    failure.check(Code::Unauthenticated, "CREDENTIALS_REVOKED");
}

#[tokio::test]
async fn the_stream_and_the_tokens_of_an_erased_player_end() {
    let installation = Installation::open().await;
    let other = installation.serve("b").await;
    let [key, there] = [&installation.service, &other].map(|it| it.client(Protocol::Grpc));
    let it = create(&key, &of_players(&["ann", "bob"])).await;
    let ann = player_token(&key, "ann").await;
    let mut streams = [
        key.stream(&watching("ann")).await,
        key.holding(&ann).stream(&watching("ann")).await,
        there.stream(&watching("ann")).await,
        there.holding(&ann).stream(&watching("ann")).await,
    ];
    let mut others = key.stream(&watching("bob")).await;
    let erase = ErasePlayerRequest { name: "players/ann".to_owned() };
    assert!(key.ask(&erase).await.expect("it is done").erased);
    for stream in &mut streams {
        ended(stream).await.check(Code::FailedPrecondition, "PLAYER_ERASED");
    }
    let request = GetMatchRequest { name: it.name.clone(), ..<_>::default() };
    let failure = key.holding(&ann).ask(&request).await.expect_err("she was erased");
    failure.check(Code::Unauthenticated, "CREDENTIALS_REVOKED");
    // Somebody of the same name is another player, who has no seat yet.
    let new = key.holding(player_token(&key, "ann").await);
    new.ask(&request).await.expect_err("no seat").check(Code::NotFound, "MATCH_NOT_FOUND");
    let next = create(&key, &of_players(&["ann", "bob"])).await.name;
    let entries = told(&new, &watching("ann"), 1).await.entries;
    assert_eq!(entries.into_keys().collect::<Vec<_>>(), [next]);
    assert!(others.next().await.expect("it goes on").is_some());
}

#[tokio::test]
async fn a_player_lists_what_waits_for_the_player() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let ann = key.holding(player_token(&key, "ann").await);
    let control = |per_decision_s| {
        let per_decision = Some(contract::seconds(per_decision_s));
        Some(TimeControl { per_decision, ..<_>::default() })
    };
    let mut last = String::new();
    let (mut waiting, mut deadlines) = (Vec::new(), Vec::new());
    for number in 0..7 {
        let options = [("first-seat".to_owned(), (number % 2).to_string())].into();
        let time_control = if number == 3 { None } else { control(3600 - 100 * number) };
        let tags = [("league".to_owned(), "spring".to_owned())].into();
        let players = of_players(&["ann", "bob"]).players;
        let new = CreateMatchRequest { options, time_control, players, tags, ..new_match(2) };
        let it = create(&key, &new).await;
        if number % 2 == 0 {
            waiting.insert(0, it.name.clone());
        }
        if number != 3 {
            deadlines.insert(0, it.name.clone());
        }
        last = format!("{}/entries/1", it.name);
    }
    let others = create(&key, &of_players(&["bob", "cid"])).await;
    let list = ListMatchesRequest {
        page_size: 2,
        consistency_token: last.clone(),
        ..ListMatchesRequest::default()
    };
    let waits = ListMatchesRequest { waiting_for_player: "ann".to_owned(), ..list.clone() };
    let soonest = ListMatchesRequest { by_deadline: true, ..list.clone() };
    let of_ann = ListMatchesRequest { player: "ann".to_owned(), ..soonest.clone() };
    for protocol in PROTOCOLS {
        let (key, ann) = (key.speaking(protocol), ann.speaking(protocol));
        assert_eq!(names(&listed(&ann, &waits).await), waiting);
        assert_eq!(names(&listed(&key, &waits).await), waiting);
        assert_eq!(names(&listed(&ann, &soonest).await), deadlines);
        assert_eq!(names(&listed(&key, &of_ann).await), deadlines);
        assert_eq!(names(&listed(&key, &soonest).await), deadlines, "the others have no clocks");
        let all = listed(&ann, &list).await;
        assert_eq!(all.len(), 7, "and not {}", others.name);
        assert!(all.iter().all(|it| it.tags.is_empty()), "tags are the platform's");
        for request in [
            ListMatchesRequest { player: "bob".to_owned(), ..list.clone() },
            ListMatchesRequest { waiting_for_player: "bob".to_owned(), ..list.clone() },
        ] {
            let failure = ann.ask(&request).await.expect_err("another player");
            failure.check(Code::PermissionDenied, "OTHER_PLAYER");
        }
        let tags = vec!["league=spring".to_owned()];
        let failure = ann.ask(&ListMatchesRequest { tags, ..list.clone() }).await;
        failure.expect_err("the platform's").check(Code::PermissionDenied, "PLATFORM_ONLY");
        let token = format!("{}/entries/1", others.name);
        let foreign = ListMatchesRequest { consistency_token: token, ..list.clone() };
        let failure = ann.ask(&foreign).await.expect_err("not hers");
        failure.check(Code::NotFound, "MATCH_NOT_FOUND");
        let both = ListMatchesRequest { oldest_first: true, ..soonest.clone() };
        let failure = key.ask(&both).await.expect_err("two orders");
        failure.check(Code::InvalidArgument, "INVALID_REQUEST");
    }
    // Once she has acted, the match waits for her no more.
    let mut playing = with_players(&key, &get(&key, &waiting[0]).await, 3).await;
    while playing.asked == Some(0) {
        playing.steps(1).await;
    }
    let now = listed(&ann, &waits).await;
    assert_eq!(names(&now), waiting[1..]);
}

async fn listed(client: &Client, request: &ListMatchesRequest) -> Vec<Match> {
    let (mut request, mut listed) = (request.clone(), Vec::new());
    loop {
        let page = client.ask_in_step(&request).await.unwrap_or_else(|error| panic!("{error:?}"));
        listed.extend(page.matches);
        request.page_token = page.next_page_token;
        if request.page_token.is_empty() {
            return listed;
        }
    }
}

fn names(matches: &[Match]) -> Vec<String> {
    matches.iter().map(|it| it.name.clone()).collect()
}

fn replacing(name: &str, player: &str) -> ReplaceSeatRequest {
    let (name, player) = (name.to_owned(), player.to_owned());
    ReplaceSeatRequest { name, seat: Some(0), player, absent: true, ..<_>::default() }
}

/// What an open stream tells until it has told so many entries.
async fn told_by(stream: &mut Watch<WatchPlayerResponse>, until: usize) -> Told {
    let mut told = Told::default();
    while told.count() < until {
        told.add(stream.next().await.expect("it goes on").expect("it does not end").message);
    }
    told
}

#[tokio::test]
async fn who_takes_over_a_seat_is_told_the_match_from_its_start() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let it = create(&key, &of_players(&["ann", "bob"])).await;
    let dan = key.holding(player_token(&key, "dan").await);
    let ann = key.holding(player_token(&key, "ann").await);
    let mut stream = dan.stream(&watching("dan")).await;
    let mut hers = ann.stream(&watching("ann")).await;
    let mut playing = with_players(&key, &it, 7).await;
    playing.steps(9).await;
    let seat = key.holding(token(&key, &it.name, Some(0)).await);
    let before = entries(&seat, &it.name, "").await;
    let replaced = key.ask(&replacing(&it.name, "dan")).await.expect("he takes over");
    let request = GetMatchRequest { name: it.name.clone(), ..<_>::default() };
    ann.ask(&request).await.expect_err("she has left").check(Code::NotFound, "MATCH_NOT_FOUND");
    playing.seats[0] = dan.clone();
    playing.steps(5).await;
    let seat = key.holding(token(&key, &it.name, Some(0)).await);
    let all = entries(&seat, &it.name, "").await;
    let live = told_by(&mut stream, all.len()).await;
    assert_eq!(live.entries(&it.name), all);
    cut(&dan, "dan", &live).await;

    // Who was replaced is told so, and nothing of that match any more.
    let next = create(&key, &of_players(&["ann", "bob"])).await;
    let replaced = replaced.entry.expect("an entry");
    let hers = told_by(&mut hers, before.len() + 2).await;
    assert_eq!(hers.entries(&it.name)[..before.len()], before);
    let last = hers.entries(&it.name).pop().expect("the last one");
    assert_eq!((last.position, &last.events), (replaced.position, &replaced.events));
    assert_eq!(hers.entries(&next.name).len(), 1);
    cut(&ann, "ann", &hers).await;

    // One who had taken over is told the match from its start up to that, again whenever it asks.
    key.ask(&replacing(&it.name, "eve")).await.expect("she takes over");
    playing.seats[0] = key.holding(player_token(&key, "eve").await);
    playing.steps(3).await;
    let last = create(&key, &of_players(&["dan", "bob"])).await;
    let told = told_by(&mut stream, 2).await;
    assert_eq!(told.entries(&it.name)[0].position, all.len() as i32 + 1);
    assert_eq!(told.entries(&last.name).len(), 1);
    let mut whole = live;
    for (name, entries) in told.entries {
        whole.entries.entry(name).or_default().extend(entries);
    }
    for (name, notices) in told.notices {
        whole.notices.entry(name).or_default().extend(notices);
    }
    cut(&dan, "dan", &whole).await;
}
