//! Whose turn it is: notices, streams, webhooks and lists agree, and a host needs nothing else.

use std::collections::BTreeMap;
use std::time::Duration;

use contract::v1::*;
use futures::{StreamExt, stream};
use table::ChaCha;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::harness::*;
use crate::webhooks::{SECRET, allow, subscription};

/// The time within which a notice comes if somebody has a turn.
const NOTICE_WITHIN: Duration = Duration::from_secs(60);

/// A host of matches that calls the service for nothing but to answer notices of turns.
struct Host<'a> {
    client: &'a Client,
    players: Vec<String>,
    notices: mpsc::UnboundedReceiver<(u32, PlayerNotice)>,
    /// The streams of the players.
    _reading: JoinSet<()>,
    chance: ChaCha,
}

impl<'a> Host<'a> {
    async fn open(client: &'a Client, players: Vec<String>, seed: u64) -> Host<'a> {
        let (sender, notices) = mpsc::unbounded_channel();
        let mut reading = JoinSet::new();
        for (seat, player) in (0..).zip(&players) {
            let name = format!("players/{player}");
            let request = WatchPlayerRequest { name, live: true, ..WatchPlayerRequest::default() };
            let mut stream = client.stream(&request).await;
            let sender = sender.clone();
            reading.spawn(async move {
                // A stream may be silent; the host notices if all are.
                while let Ok(Some(batch)) = stream.next_within(2 * NOTICE_WITHIN).await {
                    for notice in batch.message.notices {
                        let _ = sender.send((seat, notice));
                    }
                }
            });
        }
        Host { client, players, notices, _reading: reading, chance: ChaCha::of([5; 32], seed) }
    }

    /// Plays this many matches at once to their end; returns the number of actions.
    async fn play(&mut self, game: &str, matches: usize) -> usize {
        let mut names = Vec::new();
        for _ in 0..matches {
            let (game, players) = (game.to_owned(), self.players.clone());
            let seats = players.len() as u32;
            let request = CreateMatchRequest { game, players, seats, ..<_>::default() };
            names.push(create(self.client, &request).await.name);
        }
        let (mut left, mut actions) = (matches, 0);
        while left > 0 {
            let Ok(next) = timeout(NOTICE_WITHIN, self.notices.recv()).await else {
                panic!("nobody is told of a turn: {:?}", self.waiting(&names).await);
            };
            let (seat, notice) = next.expect("streams go on");
            match notice.kind.expect("a kind") {
                player_notice::Kind::YourTurn(it) => {
                    let prompt = it.prompt.expect("a prompt");
                    assert_eq!((prompt.seat, prompt.asked_position), (seat, notice.position));
                    actions += usize::from(self.act(notice.r#match, &prompt).await);
                }
                player_notice::Kind::MatchEnded(_) => left -= usize::from(seat == 0),
                player_notice::Kind::MatchStarted(_) | player_notice::Kind::SeatTakenOver(_) => {}
            }
        }
        actions
    }

    /// Those of the matches that have not ended, with the seats that they wait for.
    async fn waiting(&self, names: &[String]) -> Vec<(String, i32, Vec<u32>)> {
        let mut waiting = Vec::new();
        for name in names {
            let it = get(self.client, name).await;
            if it.state() != MatchState::Ended {
                waiting.push((it.name, it.position, it.waiting_for));
            }
        }
        waiting
    }

    /// Acts once, unless the turn is over.
    async fn act(&mut self, name: String, prompt: &Prompt) -> bool {
        let seat = Some(prompt.seat);
        let listing = ListLegalActionsRequest { name: name.clone(), seat, ..<_>::default() };
        let legal = self.client.ask(&listing).await.expect("a list").actions;
        let Some(action) = choose(&legal, &mut self.chance) else { return false };
        let action = SubmitActionRequest {
            name,
            action: Some(action),
            seat,
            expected_prompt: Some(prompt.opened_position),
            ..SubmitActionRequest::default()
        };
        match self.client.ask(&action).await {
            Ok(_) => true,
            // An earlier notice was answered, and others acted meanwhile.
            Err(failure) if failure.reason == "PROMPT_MOVED" => false,
            Err(failure) => panic!("{failure:?}"),
        }
    }
}

fn people(prefix: &str, seats: u32) -> Vec<String> {
    (0..seats).map(|seat| format!("{prefix}{}", player(seat))).collect()
}

async fn games(client: &Client) -> Vec<Game> {
    let request = ListGamesRequest::default();
    client.ask(&request).await.expect("a list").games
}

#[tokio::test]
async fn a_host_driven_by_notices_alone_finishes_matches_of_every_game() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    for game in games(&client).await {
        let people = people(&game.name.replace('/', "-"), game.seats_min);
        let mut host = Host::open(&client, people, 0).await;
        assert!(host.play(&game.name, 1).await > 3, "{}", game.name);
    }
}

/// `MATCHES=1000 cargo nextest run --run-ignored only -E 'test(thousand_matches)' --no-capture`
#[tokio::test(flavor = "multi_thread")]
#[ignore = "it takes an hour"]
async fn a_host_driven_by_notices_alone_finishes_a_thousand_matches_of_every_game() {
    const AT_ONCE: usize = 20;
    const HOSTS: usize = 8;
    let matches = std::env::var("MATCHES").ok().and_then(|it| it.parse().ok()).unwrap_or(1000);
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    for game in games(&client).await {
        let all: Vec<u32> = (game.seats_min..=game.seats_max).collect();
        let hosts = (0..matches).step_by(AT_ONCE).enumerate().map(|(nth, wave)| {
            let people =
                people(&format!("{nth}-{}-", game.name.replace('/', "-")), all[nth % all.len()]);
            let (client, game) = (&client, &game.name);
            async move {
                let mut host = Host::open(client, people, nth as u64).await;
                host.play(game, AT_ONCE.min(matches - wave)).await
            }
        });
        let played: Vec<usize> = stream::iter(hosts).buffer_unordered(HOSTS).collect().await;
        let actions: usize = played.iter().sum();
        println!("{}: {matches} matches, {actions} actions", game.name);
    }
}

/// All entries of a stream, as many as the filter lets pass.
async fn streamed(client: &Client, filter: StreamFilter, count: usize) -> Vec<StreamedEntry> {
    let request = StreamEntriesRequest { filter: Some(filter), ..<_>::default() };
    let mut stream = client.stream(&request).await;
    let mut entries = Vec::new();
    while entries.len() < count {
        entries.extend(stream.next().await.expect("it goes on").expect("no end").message.entries);
    }
    entries
}

fn name_of(streamed: &StreamedEntry) -> String {
    streamed.entry.as_ref().expect("an entry").name.clone()
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort_unstable();
    names
}

/// After each entry, the match waits for those who were told of their turn and did not act since.
#[tokio::test]
async fn streams_and_lists_agree_on_whose_turn_it_is() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    for game in games(&client).await {
        let (seats, players) = (game.seats_min, people("", game.seats_min));
        let request =
            CreateMatchRequest { game: game.name.clone(), players, seats, ..<_>::default() };
        let it = create(&client, &request).await;
        let mut playing = Playing::of(&client, &it, 7);
        let mut waiting = vec![it.waiting_for.clone()];
        for _ in 0..40 {
            playing.steps(1).await;
            waiting.push(get(&client, &it.name).await.waiting_for);
        }
        let games = vec![game.name.clone()];
        let filter = StreamFilter { games, ..<_>::default() };
        let last = get(&client, &it.name).await.position as usize;
        let mut told: BTreeMap<u32, i32> = BTreeMap::new();
        for (streamed, waits_for) in streamed(&client, filter, last).await.iter().zip(waiting) {
            let entry = streamed.entry.as_ref().expect("an entry");
            entry.seat.iter().for_each(|seat| _ = told.remove(seat));
            assert!(streamed.turns.iter().all(|it| waits_for.contains(it)), "{}", entry.name);
            told.extend(streamed.turns.iter().map(|&seat| (seat, entry.position)));
            // A seat that others ask no longer has no turn.
            told.retain(|seat, _| waits_for.contains(seat));
            assert_eq!(told.keys().copied().collect::<Vec<_>>(), waits_for, "{}", entry.name);
        }
    }
}

#[tokio::test]
async fn whoever_takes_over_a_seat_is_told_of_the_turn_and_of_no_earlier_one() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 2, 3).await;
    playing.steps(9).await;
    let seat = playing.asked.expect("it goes on");
    let replace = ReplaceSeatRequest {
        name: playing.name.clone(),
        seat: Some(seat),
        player: "dora".to_owned(),
        absent: true,
        ..<_>::default()
    };
    let at = client.ask(&replace).await.expect("it may").entry.expect("an entry").position;
    let told = async |player: &str| {
        let name = format!("players/{player}");
        let request = WatchPlayerRequest { name, ..WatchPlayerRequest::default() };
        let mut stream = client.stream(&request).await;
        let (mut notices, mut last) = (Vec::new(), 0);
        while last < at {
            let message = stream.next().await.expect("it goes on").expect("no end").message;
            let positions = message.entries.iter().filter_map(|it| it.entry.as_ref());
            last = positions.map(|it| it.position).max().unwrap_or(last);
            notices.extend(message.notices);
        }
        notices
    };
    let turns = |notices: &[PlayerNotice]| -> Vec<i32> {
        let is_turn =
            |it: &&PlayerNotice| matches!(it.kind, Some(player_notice::Kind::YourTurn(_)));
        notices.iter().filter(is_turn).map(|it| it.position).collect()
    };
    assert_eq!(turns(&told("dora").await), [at], "only of what she is asked");
    let former = told(&player(seat)).await;
    assert!(turns(&former).iter().all(|it| *it < at), "{former:?}");
    let last = former.last().and_then(|it| it.kind.clone());
    assert_eq!(last, Some(player_notice::Kind::SeatTakenOver(SeatTakenOver {})));
}

#[tokio::test]
async fn streams_filter_by_what_happened_and_by_player() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let make = async |casual: bool, seed: u64| {
        let tags = [("cup".to_owned(), seed.to_string())].into();
        let request = CreateMatchRequest { casual: Some(casual), tags, ..new_match(2) };
        let mut playing = Playing::of(&client, &create(&client, &request).await, seed);
        playing.steps(6).await;
        playing.name
    };
    let resign = async |name: &str| {
        let request = ResignMatchRequest { name: name.to_owned(), seat: Some(0), ..<_>::default() };
        client.ask(&request).await.expect("any time");
    };
    let names = [make(false, 1).await, make(true, 2).await, make(false, 3).await];
    let [rated, casual, abandoned] = &names;
    resign(rated).await;
    resign(casual).await;
    client
        .ask(&EndMatchRequest { name: abandoned.clone(), ..<_>::default() })
        .await
        .expect("the platform may");
    let running = make(false, 4).await;
    let mut count = 0;
    for name in names.iter().chain([&running]) {
        count += get(&client, name).await.position as usize;
    }
    let all = streamed(&client, StreamFilter::default(), count).await;
    assert!(all.iter().all(|it| it.result.is_none()), "nobody asked for results");

    let check = async |happenings: &[Happening],
                       players: &[String],
                       keep: &dyn Fn(&StreamedEntry) -> bool| {
        let kept: Vec<String> = all.iter().filter(|it| keep(it)).map(name_of).collect();
        assert!(!kept.is_empty(), "{happenings:?}");
        let happenings = happenings.iter().map(|&it| it.into()).collect();
        let players = players.to_vec();
        let filter = StreamFilter { happenings, players, ..<_>::default() };
        let received = streamed(&client, filter, kept.len()).await;
        assert_eq!(sorted(received.iter().map(name_of).collect()), sorted(kept));
        received
    };
    let happened =
        |wanted: Happening| move |it: &StreamedEntry| it.happenings.contains(&i32::from(wanted));
    for one in [Happening::Started, Happening::Turn, Happening::Action, Happening::Abandoned] {
        check(&[one], &[], &happened(one)).await;
    }
    let is_start = |it: &StreamedEntry| it.entry.as_ref().is_some_and(|it| it.position == 1);
    check(&[Happening::Started], &[], &is_start).await;
    let of_seat_1 = |it: &StreamedEntry| it.turns.contains(&1);
    check(&[Happening::Turn], &[player(1)], &of_seat_1).await;
    let is_action = happened(Happening::Action);
    let by_seat_1 = |it: &StreamedEntry| {
        is_action(it) && it.entry.as_ref().is_some_and(|it| it.seat == Some(1))
    };
    check(&[Happening::Action], &[player(1)], &by_seat_1).await;

    let ended = happened(Happening::Ended);
    let ends = check(&[Happening::Ended], &[], &ended).await;
    assert_eq!(ends.len(), 2, "a casual match ends, too");
    let of_rated = |it: &StreamedEntry| ended(it) && name_of(it).starts_with(rated.as_str());
    let of_rated = check(&[Happening::Rated], &[], &of_rated).await;
    for (received, name) in ends.iter().chain(&of_rated).map(|it| (it, name_of(it))) {
        let it = received.result.clone().expect("a result");
        assert!(name.starts_with(&it.name));
        assert_eq!(it, get(&client, &it.name).await, "as it is read");
        assert_eq!((&it.winners[..], it.state()), (&[1][..], MatchState::Ended));
        assert!(it.tags.contains_key("cup"));
    }
    let either = |it: &StreamedEntry| ended(it) || happened(Happening::Abandoned)(it);
    check(&[Happening::Ended, Happening::Abandoned], &[], &either).await;
    let unknown = StreamFilter { happenings: vec![99], ..<_>::default() };
    let request = StreamEntriesRequest { filter: Some(unknown), ..<_>::default() };
    let failure = client.stream(&request).await.next().await.expect_err("nothing of the kind");
    failure.check(tonic::Code::InvalidArgument, "INVALID_REQUEST");
}

#[tokio::test]
async fn the_results_of_a_tournament_reach_an_endpoint_as_results() {
    let mut installation = Installation::open().await;
    allow(&mut installation.service, "1").await;
    let client = installation.client(Protocol::Grpc);
    let receiver = Receiver::open().await;
    let happenings = vec![Happening::Ended.into(), Happening::Abandoned.into()];
    let filter = StreamFilter {
        happenings: happenings.clone(),
        tags: vec!["cup=1".to_owned()],
        ..<_>::default()
    };
    let request = CreateSubscriptionRequest {
        filter: Some(filter.clone()),
        ..subscription("results", &receiver.url, SECRET)
    };
    let made = client.ask(&request).await.expect("it may").subscription.expect("it is made");
    assert_eq!(made.filter, Some(filter));
    let mut names = Vec::new();
    for (seed, cup) in ["1", "1", "2"].into_iter().enumerate() {
        let tags = [("cup".to_owned(), cup.to_owned())].into();
        let it = create(&client, &CreateMatchRequest { tags, ..new_match(2) }).await;
        let mut playing = Playing::of(&client, &it, seed as u64);
        playing.finish().await;
        names.push(it.name);
    }
    receiver.takes(2).await;
    let mut told = Vec::new();
    for message in receiver.received() {
        for entry in message.json()["data"]["entries"].as_array().expect("entries") {
            let result = &entry["result"];
            assert_eq!(result["state"], "MATCH_STATE_ENDED");
            let it = get(&client, result["name"].as_str().expect("a name")).await;
            assert_eq!(result["winners"], serde_json::json!(it.winners));
            assert_eq!(result["scores"], serde_json::json!(it.scores));
            assert_eq!(result["seats"][0]["player"], player(0));
            told.push(it.name);
        }
    }
    assert_eq!(sorted(told), sorted(names[..2].to_vec()), "of this cup, and each once");
}
