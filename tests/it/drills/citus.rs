//! A coordinator and two workers with the extension Citus, if it is installed: matches of every
//! game, and whatever else asks the database for something in its own way.

use contract::v1::*;
use test_database::Citus;

use super::Drill;
use crate::files::{done, failure};
use crate::harness::*;

/// Matches of each game.
const MATCHES: u64 = 2;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes minutes: make citus"]
async fn a_cluster_of_citus() {
    let mut drill = Drill::begin("a cluster of Citus");
    let citus = match Citus::start(3).await {
        Ok(citus) => citus,
        Err(why) => return drill.skip(why.leak()),
    };
    citus.join().await;
    let folder = new_folder();
    let urls = [0, 1].map(|node| citus.url(node));
    let refused = failure(&on(&urls[1], &["project"])).await;
    assert!(refused.contains("run `croupier migrate` first"), "{refused}");
    done(&on(&urls[0], &["migrate"])).await;
    assert_eq!(done(&on(&urls[0], &["migrate"])).await, "the tables are up to date\n");
    done(&on(&urls[1], &["migrate", "--check"])).await;

    // One process calls the coordinator, the other one a worker.
    let one = Service::start(&folder.path().join("one"), Some(&urls[0])).await;
    let other = Service::start(&folder.path().join("other"), Some(&urls[1])).await;
    let here = one.client(Protocol::Grpc);
    let there = other.client(Protocol::Grpc).holding(one.key());
    let games = here.ask(&ListGamesRequest::default()).await.expect("games").games;
    let mut played = Vec::new();
    for game in &games {
        for seed in 0..MATCHES {
            let players = (0..game.seats_min).map(player).collect();
            let (game, seats) = (game.name.clone(), game.seats_min);
            let request = CreateMatchRequest { game, seats, players, ..new_match(seats) };
            let it = create([&here, &there][seed as usize % 2], &request).await;
            played.push(Playing::of(&here, &it, seed));
        }
    }
    let watch = WatchEntriesRequest { parent: played[0].name.clone(), ..<_>::default() };
    let mut watching = there.watch(&watch).await;
    for playing in &mut played {
        let mut turn = 0;
        loop {
            playing.seats.fill([&here, &there][turn % 2].clone());
            if !playing.step().await {
                break;
            }
            turn += 1;
        }
    }
    let last = played[0].entries.last().expect("it was played").position;
    let seen = watching.up_to(last).await.expect("it is told");
    check_dense(&seen, last);
    let mut database = citus.nodes[0].connect().await;
    let mut entries = 0;
    for playing in &played {
        check_record(playing, &[&here, &there], &mut database).await;
        entries += playing.entries.len();
    }
    assert_eq!(check_keys(&mut database).await, [""; 0]);
    for client in [&here, &there] {
        ask_for_everything(client).await;
    }
    for url in &urls {
        for arguments in [
            &["platform", "suspend", "local"][..],
            &["platform", "resume", "local"],
            &["platform", "rotate-token-keys"],
            &["retention", "--open", "1s", "--ended", "52w"],
            &["verify", "--all"],
        ] {
            done(&on(url, arguments)).await;
        }
    }
    drill.figure("matches", played.len());
    drill.figure("entries", entries);
    for service in [one, other] {
        service.stop().await;
    }
    citus.stop();
}

/// The arguments of a command on a database.
fn on<'a>(url: &'a str, arguments: &[&'a str]) -> Vec<&'a str> {
    [arguments, &["--database-url", url]].concat()
}

/// Lists of every kind, tags, a match that is left, deleted, and whose seat is taken over.
async fn ask_for_everything(client: &Client) {
    let (ann, bob) = (player(0), player(1));
    let lists = [
        ListMatchesRequest { player: ann.clone(), ..<_>::default() },
        ListMatchesRequest { player: ann.clone(), opponent: bob.clone(), ..<_>::default() },
        ListMatchesRequest { winner: ann.clone(), ..<_>::default() },
        ListMatchesRequest { waiting_for_player: ann.clone(), by_deadline: true, ..<_>::default() },
        ListMatchesRequest { player: ann.clone(), outcome: Outcome::Won.into(), ..<_>::default() },
        ListMatchesRequest { tags: vec!["table=1".to_owned()], ..<_>::default() },
        ListMatchesRequest { state: MatchState::Running.into(), ..<_>::default() },
        ListMatchesRequest {
            state: MatchState::Ended.into(),
            oldest_first: true,
            ..<_>::default()
        },
        ListMatchesRequest { game: MOUNTEBANK.to_owned(), ..<_>::default() },
    ];
    for list in lists {
        let listed = client.ask(&list).await;
        listed.unwrap_or_else(|failure| panic!("{list:?}: {failure:?}"));
    }
    let own = client.holding(player_token(client, &ann).await);
    own.ask(&ListMatchesRequest::default()).await.expect("a player's own list");

    let running = create(client, &new_match(2)).await;
    let set = [("table".to_owned(), "1".to_owned())].into();
    let tag = TagMatchRequest { name: running.name.clone(), set, ..<_>::default() };
    client.ask(&tag).await.expect("it is tagged");
    let set = [("round".to_owned(), "2".to_owned())].into();
    let remove = vec!["table".to_owned()];
    let tag = TagMatchRequest { name: running.name.clone(), set, remove };
    let tagged = client.ask(&tag).await.expect("it is tagged").r#match.expect("a match");
    assert_eq!(tagged.tags.into_iter().collect::<Vec<_>>(), [("round".to_owned(), "2".to_owned())]);
    let replace = ReplaceSeatRequest {
        name: running.name.clone(),
        seat: Some(1),
        player: "dora".to_owned(),
        absent: true,
        ..<_>::default()
    };
    client.ask(&replace).await.expect("the seat is taken over");
    client.ask(&RevokeTokensRequest { parent: running.name, seat: Some(0) }).await.expect("it is");

    let players = vec![ann, String::new()];
    let open = create(client, &CreateMatchRequest { players, ..new_match(2) }).await;
    let leave = LeaveMatchRequest { name: open.name.clone(), player: player(0), ..<_>::default() };
    client.ask(&leave).await.expect("the player leaves");
    let delete = DeleteMatchRequest { name: open.name, allow_missing: false };
    client.ask(&delete).await.expect("it is deleted");
}
