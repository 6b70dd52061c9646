//! A coordinator and two workers with the extension Citus, if it is installed: matches of every
//! game, whatever else asks the database for something in its own way, [nodes](nodes) that fail,
//! come, and give others their buckets, and nodes that are [restored](restore) to one moment.

mod nodes;
mod restore;

use std::fs;
use std::time::Instant;

use contract::v1::*;
use tempfile::TempDir;
use test_database::Citus;
use tonic::Code;

use super::Drill;
use crate::files::{done, export, failure, run};
use crate::harness::*;
use crate::push::registration_of_nobody;
use crate::transparency::{ORIGIN, grown, page};

/// Matches of each game.
const MATCHES: u64 = 2;

/// A cluster with two processes: one calls the coordinator, the other one a worker.
pub(super) struct Cluster {
    clients: [Client; 2],
    pub processes: [Service; 2],
    urls: [String; 2],
    pub citus: Citus,
    folder: TempDir,
}

/// The role that serves, which owns nothing.
const SERVING: &str = "croupier_serving";

/// The address for that role.
fn serving(url: &str) -> String {
    url.replace("croupier@", &format!("{SERVING}@"))
}

impl Cluster {
    /// A cluster, and a drill on it. Where there can be none, the drill's line says why.
    async fn drill(name: &'static str) -> Option<(Drill, Cluster)> {
        Cluster::drill_with(name, 3).await
    }

    /// The same with as many servers, of which the first three are nodes.
    async fn drill_with(name: &'static str, servers: usize) -> Option<(Drill, Cluster)> {
        let drill = Drill::begin(name);
        match Cluster::open_with(servers).await {
            Ok(cluster) => Some((drill, cluster)),
            Err(why) => {
                drill.skip(why.leak());
                None
            }
        }
    }

    /// Says why if there is none.
    pub async fn open_with(servers: usize) -> Result<Cluster, String> {
        let citus = Citus::start(servers).await?;
        citus.join_first(3).await;
        let folder = new_folder();
        let urls = [citus.url_of(&[0, 1, 2]), citus.url_of(&[1, 2, 0])];
        let refused = failure(&on(&urls[1], &["project"])).await;
        assert!(refused.contains("run `croupier migrate` first"), "{refused}");
        citus.create_role(SERVING).await;
        done(&on(&urls[0], &["migrate", "--grant", SERVING])).await;
        let one = Service::start(&folder.path().join("one"), Some(&serving(&urls[0]))).await;
        let other = Service::start(&folder.path().join("other"), Some(&serving(&urls[1]))).await;
        let here = one.client(Protocol::Grpc);
        let there = other.client(Protocol::Grpc).holding(one.key());
        Ok(Cluster { clients: [here, there], processes: [one, other], urls, citus, folder })
    }

    /// A third process, with the API key of the first one.
    async fn begin_process(&self) -> Service {
        let [first, third] = ["one", "third"].map(|it| self.folder.path().join(it));
        fs::create_dir(&third).expect("a folder");
        fs::copy(first.join("local.key"), third.join("local.key")).expect("a key");
        Service::start(&third, Some(&serving(&self.urls[0]))).await
    }

    pub async fn close(self) {
        for process in self.processes {
            process.stop().await;
        }
        self.citus.stop();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes minutes: make citus"]
async fn every_game_on_citus() {
    let Some((mut drill, cluster)) = Cluster::drill("Citus: every game").await else { return };
    assert_eq!(done(&on(&cluster.urls[0], &["migrate"])).await, "the tables are up to date\n");
    done(&on(&cluster.urls[1], &["migrate", "--check"])).await;
    let clients = &cluster.clients;
    let games = clients[0].ask(&ListGamesRequest::default()).await.expect("games").games;
    let mut played = Vec::new();
    for game in &games {
        for seed in 0..MATCHES {
            let players = (0..game.seats_min).map(player).collect();
            let (game, seats) = (game.name.clone(), game.seats_min);
            let request = CreateMatchRequest { game, seats, players, ..new_match(seats) };
            let it = create(&clients[seed as usize % 2], &request).await;
            played.push(Playing::of(&clients[0], &it, seed));
        }
    }
    let watch = WatchEntriesRequest { parent: played[0].name.clone(), ..<_>::default() };
    let mut watching = clients[1].watch(&watch).await;
    let began = Instant::now();
    for playing in &mut played {
        let mut turn = 0;
        loop {
            playing.seats.fill(clients[turn % 2].clone());
            if !playing.step().await {
                break;
            }
            turn += 1;
        }
    }
    drill.figure("played_ms", began.elapsed().as_millis() as u64);
    let last = played[0].entries.last().expect("it was played").position;
    let seen = watching.up_to(last).await.expect("it is told");
    check_dense(&seen, last);
    let mut database = cluster.citus.nodes[0].connect().await;
    let mut entries = 0;
    for playing in &played {
        check_record(playing, &clients.each_ref(), &mut database).await;
        entries += playing.entries.len();
    }
    assert_eq!(check_keys(&mut database).await, [""; 0]);
    done(&on(&cluster.urls[1], &["verify", "--all"])).await;
    drill.figure("matches", played.len());
    drill.figure("entries", entries);
    drop(database);
    cluster.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes minutes: make citus"]
async fn every_call_and_command_on_citus() {
    let Some((mut drill, cluster)) = Cluster::drill("Citus: every call and command").await else {
        return;
    };
    let [here, there] = &cluster.clients;
    done(&on(&cluster.urls[0], &["transparency", "begin", ORIGIN])).await;
    let log = cluster.processes[1].client(Protocol::Rest);
    until("a checkpoint", async || page(&log, "/log/checkpoint").await).await;
    let mut played = Vec::new();
    for seed in 0..4 {
        played.push(Playing::new(here, 2, seed).await);
        played[seed as usize].finish().await;
    }
    grown(&log, 8).await;
    let began = Instant::now();
    ask_for_everything(here, "edda").await;
    ask_for_everything(there, "egon").await;
    drill.figure("calls_ms", began.elapsed().as_millis() as u64);
    let began = Instant::now();
    drill.figure("lists", list_by_each_pair(there).await);
    drill.figure("lists_ms", began.elapsed().as_millis() as u64);
    let began = Instant::now();
    let erase = ErasePlayerRequest { name: format!("players/{}", player(0)) };
    here.ask(&erase).await.expect("it begins");
    until("the player is erased", async || {
        let erased =
            async |playing: &Playing| get(there, &playing.name).await.seats[0].player != player(0);
        for playing in &played {
            if !erased(playing).await {
                return None;
            }
        }
        Some(())
    })
    .await;
    drill.figure("erased_ms", began.elapsed().as_millis() as u64);
    let elsewhere = Installation::open().await;
    Playing::new(&elsewhere.client(Protocol::Grpc), 2, 1).await.finish().await;
    let of_others = cluster.folder.path().join("of-others");
    export(&elsewhere, &of_others, &["--seeds"]).await;
    let [archive, exported] = ["archive", "exported"].map(|it| cluster.folder.path().join(it));
    let (archive, exported) =
        (format!("file://{}", archive.display()), exported.display().to_string());
    let published = cluster.folder.path().join("published");
    let to_published = format!("file://{}", published.display());
    let of_others = of_others.display().to_string();
    for arguments in [
        &["transparency", "publish", "--to", &to_published][..],
        &["platform", "suspend", "local"],
        &["platform", "resume", "local"],
        &["platform", "rotate-token-keys"],
        &["platform", "rotate-receipt-keys"],
        &["platform", "limits", "local", "--matches-per-s", "0"],
        &["retention", "--open", "1s", "--ended", "52w"],
        &["export", "--seeds", "--platform", "local", "--out", &exported],
        &["archive", "--older-than", "1s", "--to", &archive],
        &["verify", "--all"],
        &["import", "--platform", "guest", &of_others],
        &["retention", "--platform", "local", "--ended", "1s"],
    ] {
        for url in &cluster.urls {
            let began = Instant::now();
            let said = done(&on(url, arguments)).await;
            eprintln!("{arguments:?} took {:?}: {said}", began.elapsed());
        }
    }
    assert!(std::fs::read(published.join("checkpoint")).is_ok_and(|it| !it.is_empty()));
    for url in &cluster.urls {
        // What retention has reduced to its result cannot be proven any more.
        let verified = String::from_utf8(run(&on(url, &["verify", "--all"])).await.stdout);
        let verified = verified.expect("text");
        assert!(verified.contains("0 wrong"), "{verified}");
    }
    drill.figure("matches", played.len());
    cluster.close().await;
}

/// The arguments of a command on a database.
fn on<'a>(url: &'a str, arguments: &[&'a str]) -> Vec<&'a str> {
    [arguments, &["--database-url", url]].concat()
}

/// Lists matches by each pair of filters, two pages of each, and returns how many pages there were.
async fn list_by_each_pair(client: &Client) -> usize {
    let filters: [fn(&mut ListMatchesRequest); 16] = [
        |_| {},
        |it| it.player = player(0),
        |it| it.opponent = player(1),
        |it| it.winner = player(0),
        |it| (it.player, it.outcome) = (player(0), Outcome::Won.into()),
        |it| (it.player, it.outcome) = (player(0), Outcome::Lost.into()),
        |it| it.waiting_for_player = player(0),
        |it| it.tags = vec!["table=1".to_owned(), "round=2".to_owned()],
        |it| it.state = MatchState::Open.into(),
        |it| it.state = MatchState::Running.into(),
        |it| it.state = MatchState::Ended.into(),
        |it| MOUNTEBANK.clone_into(&mut it.game),
        |it| (it.length_min, it.length_max) = (Some(3), Some(1000)),
        |it| it.until_create_time = Some(prost_types::Timestamp { seconds: 1 << 33, nanos: 0 }),
        |it| it.by_deadline = true,
        |it| it.oldest_first = true,
    ];
    let mut pages = 0;
    for (nth, one) in filters.iter().enumerate() {
        for other in &filters[nth..] {
            let mut list = ListMatchesRequest { page_size: 2, ..<_>::default() };
            one(&mut list);
            other(&mut list);
            for _ in 0..2 {
                match client.ask(&list).await {
                    Ok(page) => list.page_token = page.next_page_token,
                    // Two of the filters may exclude each other.
                    Err(failure) if failure.code == Code::InvalidArgument => break,
                    Err(failure) => panic!("{list:?}: {failure:?}"),
                }
                pages += 1;
                if list.page_token.is_empty() {
                    break;
                }
            }
        }
    }
    pages
}

/// Searches, results, ratings, and who looks for a match.
async fn ask_for_results(client: &Client, ann: &str, seeker: &str) {
    let search = || SearchEntriesRequest { parent: MOUNTEBANK.to_owned(), ..<_>::default() };
    let searches = [
        SearchEntriesRequest { verb: "resign".to_owned(), ..search() },
        SearchEntriesRequest { player: ann.to_owned(), ..search() },
        SearchEntriesRequest { player: ann.to_owned(), round: Some(1), ..search() },
    ];
    for search in searches {
        let found = client.ask(&search).await;
        found.unwrap_or_else(|failure| panic!("{search:?}: {failure:?}"));
    }
    let name = format!("players/{ann}");
    let player = GetPlayerRequest { name: name.clone(), ..<_>::default() };
    client.ask(&player).await.expect("a player");
    let standings = ListStandingsRequest {
        parent: MOUNTEBANK.to_owned(),
        seats: 2,
        clock_class: ClockClass::Untimed.into(),
        page_size: 1,
        ..<_>::default()
    };
    client.ask(&standings).await.expect("standings");
    let changes = ListRatingChangesRequest {
        parent: name,
        game: MOUNTEBANK.to_owned(),
        seats: 2,
        clock_class: ClockClass::Untimed.into(),
        page_size: 1,
        ..<_>::default()
    };
    client.ask(&changes).await.expect("ratings");
    let seek = CreateSeekRequest {
        player: seeker.to_owned(),
        game: MOUNTEBANK.to_owned(),
        seats: vec![2],
        ..<_>::default()
    };
    client.ask(&seek).await.expect("a seek");
    client.ask(&ListSeeksRequest::default()).await.expect("seeks");
    client.ask(&ListOpenMatchesRequest::default()).await.expect("the lobby");
    client.ask(&ListSubscriptionsRequest::default()).await.expect("subscriptions");
    client.ask(&ListApiKeysRequest::default()).await.expect("keys");
}

/// Tags, a match that is left, deleted, and whose seat is taken over.
async fn ask_for_everything(client: &Client, seeker: &str) {
    let ann = player(0);
    ask_for_results(client, &ann, seeker).await;
    let own = client.holding(player_token(client, &ann).await);
    own.ask(&ListMatchesRequest::default()).await.expect("a player's own list");
    let pushed = own.ask(&registration_of_nobody()).await.expect("it is registered");

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

    let listed = own.ask(&ListPushSubscriptionsRequest::default()).await.expect("a list");
    assert_eq!(listed.push_subscriptions, pushed.push_subscription.clone().as_slice());
    let name = pushed.push_subscription.expect("it is told").name;
    own.ask(&DeletePushSubscriptionRequest { name }).await.expect("it is gone");

    let players = vec![ann, String::new()];
    let open = create(client, &CreateMatchRequest { players, ..new_match(2) }).await;
    let leave = LeaveMatchRequest { name: open.name.clone(), player: player(0), ..<_>::default() };
    client.ask(&leave).await.expect("the player leaves");
    let delete = DeleteMatchRequest { name: open.name, allow_missing: false };
    client.ask(&delete).await.expect("it is deleted");
}
