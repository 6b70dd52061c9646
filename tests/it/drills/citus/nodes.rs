//! Nodes of a cluster while matches are played: a worker that is killed, one that hangs, the
//! coordinator, a group of shards that moves, and a node that is added. What was acknowledged is
//! compared with the record afterwards.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use contract::v1::*;
use rustix::process::Pid;
use sqlx::AssertSqlSafe;
use sqlx::postgres::PgConnection;
use test_database::Citus;
use tonic::Code;

use super::{Cluster, on};
use crate::drills::Drill;
use crate::drills::crowd::Crowd;
use crate::files::{done, failure};
use crate::harness::*;
use crate::lifecycle::read_page;
use crate::metering::{figure as figure_of, scrape};
use crate::torture::site::{Stopped, family};

/// Players at the same time while nodes fail.
const PLAYERS: u64 = 4;
/// How long calls are tried in each state of the cluster.
const LOOK: Duration = Duration::from_secs(15);
/// A node that does not answer delays calls at most for so long, before it is found to be away.
const NOTICED: Duration = Duration::from_secs(7);
/// No other call takes longer once the node is known to be away. It is generous: the machine has
/// other work, and this is no release build.
const USUAL: Duration = Duration::from_secs(3);
/// Reasons of what needs a node that is away.
const OF_NODE: [&str; 2] = ["DATABASE_UNAVAILABLE", "OUTCOME_UNKNOWN"];
/// The reason of what waits for a connection that calls to the node have taken, until it is found
/// to be away.
const BEHIND_OTHERS: &str = "OVERLOADED";

/// How often a process reads the places of the buckets, and more.
const PLACES_READ: Duration = Duration::from_secs(15);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes minutes: make citus"]
async fn a_node_of_citus_is_killed() {
    let Some((mut drill, mut cluster)) = Cluster::drill("Citus: streams across nodes").await else {
        return;
    };
    let [here, there] = cluster.clients.clone();
    let clients = [&here, &there];
    let monitors = Monitors::of(&mut cluster).await;
    let delays = delays(&here, &there).await;
    drill.figure("entries", delays.len());
    drill.figure("p50_ms", delays[delays.len() / 2]);
    drill.figure("p99_ms", delays[delays.len() * 99 / 100]);
    // By polling alone it is half a second.
    assert!(delays[delays.len() / 2] < 400.0, "a process hears of entries of another");
    drop(drill);

    let crowd = Crowd::gather_on(&[here.clone(), there.clone()], PLAYERS).await;
    crowd.play_on(60).await;

    let mut drill = Drill::begin("Citus: keys are rotated under load");
    for keys in ["rotate-token-keys", "rotate-receipt-keys"] {
        done(&on(&cluster.urls[1], &["platform", keys])).await;
    }
    let acknowledged = crowd.acknowledged();
    crowd.play_on(60).await;
    drill.figure("acknowledged", crowd.acknowledged() - acknowledged);
    drop(drill);

    let mut drill = Drill::begin("Citus: a worker is killed");
    let mut waiting = Waiting::on(&clients, &cluster.citus).await;
    let mut erasing = Erasing::on(&clients).await;
    monitors.check_whole(&mut drill).await;
    cluster.citus.nodes[2].lose();
    erasing.check_unknown(&mut drill).await;
    monitors.check_away(&mut drill, 2).await;
    check_others(&mut drill, &clients, Some(&waiting)).await;
    erasing.check_refused(&mut drill, &cluster).await;
    let third = cluster.begin_process().await;
    let list = ListMatchesRequest::default();
    let listed = third.client(Protocol::Rest).ask(&list).await.expect("the other nodes answer");
    assert!(listed.unreachable > 0, "{listed:?}");
    third.stop().await;
    cluster.citus.nodes[2].start().await;
    until_whole(&mut drill, &clients).await;
    monitors.check_whole(&mut drill).await;
    waiting.go_on(&mut drill).await;
    erasing.go_on(&mut drill).await;
    crowd.play_on(60).await;
    account(drill, crowd, cluster).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes minutes: make citus"]
async fn a_node_of_citus_hangs() {
    let Some((mut drill, mut cluster)) = Cluster::drill("Citus: a worker hangs").await else {
        return;
    };
    let [here, there] = cluster.clients.clone();
    let clients = [&here, &there];
    let monitors = Monitors::of(&mut cluster).await;
    let crowd = Crowd::gather_on(&[here.clone(), there.clone()], PLAYERS).await;
    crowd.play_on(60).await;
    let mut waiting = Waiting::on(&clients, &cluster.citus).await;
    let server = Pid::from_raw(cluster.citus.nodes[2].pid()).expect("a process");
    let mut erasing = Erasing::on(&clients).await;
    monitors.check_whole(&mut drill).await;
    let hanging = Stopped::new(family(server), 3 * PATIENCE);
    erasing.check_unknown(&mut drill).await;
    monitors.check_away(&mut drill, 2).await;
    check_others(&mut drill, &clients, Some(&waiting)).await;
    erasing.check_refused(&mut drill, &cluster).await;
    drop(hanging);
    until_whole(&mut drill, &clients).await;
    monitors.check_whole(&mut drill).await;
    waiting.go_on(&mut drill).await;
    erasing.go_on(&mut drill).await;
    crowd.play_on(60).await;
    account(drill, crowd, cluster).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes minutes: make citus"]
async fn the_coordinator_of_citus_is_killed() {
    let Some((mut drill, mut cluster)) = Cluster::drill("Citus: the coordinator is killed").await
    else {
        return;
    };
    let [here, there] = cluster.clients.clone();
    let clients = [&here, &there];
    let monitors = Monitors::of(&mut cluster).await;
    let crowd = Crowd::gather_on(&[here.clone(), there.clone()], PLAYERS).await;
    crowd.play_on(60).await;
    let began = Instant::now();
    cluster.citus.nodes[0].lose();
    monitors.check_away(&mut drill, 0).await;
    check_others(&mut drill, &clients, None).await;
    // What every node has can be changed by all together only.
    let revoke = RevokePlayerTokensRequest { parent: format!("players/{}", player(0)) };
    for client in clients {
        let began = Instant::now();
        let refused = client.ask(&revoke).await.expect_err("a node is away");
        assert!(OF_NODE.contains(&&*refused.reason), "{refused:?}");
        assert!(began.elapsed() < NOTICED, "{:?}", began.elapsed());
    }
    crowd.play_on(60).await;
    drill.figure("gap_ms", crowd.longest_gap(began).as_millis() as u64);
    cluster.citus.nodes[0].start().await;
    monitors.check_whole(&mut drill).await;
    for client in clients {
        until("the tokens are revoked", async || client.ask(&revoke).await.ok()).await;
    }
    crowd.play_on(60).await;
    account(drill, crowd, cluster).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it takes minutes: make citus"]
async fn shards_of_citus_move_and_a_node_is_added() {
    let Some((mut drill, cluster)) = Cluster::drill_with("Citus: a shard group is moved", 4).await
    else {
        return;
    };
    let [here, there] = cluster.clients.clone();
    let crowd = Crowd::gather_on(&[here.clone(), there.clone()], PLAYERS).await;
    crowd.play_on(60).await;
    let mut coordinator = cluster.citus.nodes[0].connect().await;
    let began = Instant::now();
    let moving = "select citus_move_shard_placement(
             shardid, from_place.nodename, from_place.nodeport, to_place.nodename,
             to_place.nodeport, 'force_logical'
         )
         from (
             select shardid, nodename, nodeport
             from pg_dist_shard_placement
             join pg_dist_shard using (shardid)
             where logicalrelid = 'buckets'::regclass and nodename = $1
             order by shardid
             limit 1
         ) as from_place
         join pg_dist_node as to_place on to_place.nodename = $2";
    let [from, to] = [2, 1].map(|node| cluster.citus.nodes[node].host.clone());
    let moved = sqlx::query(moving).bind(from).bind(to).execute(&mut coordinator).await;
    moved.expect("it is moved");
    drill.figure("moved_ms", began.elapsed().as_millis() as u64);
    crowd.play_on(100).await;
    drill.figure("gap_ms", crowd.longest_gap(began).as_millis() as u64);
    drop(drill);

    let mut drill = Drill::begin("Citus: a node is added, and shards are rebalanced");
    let began = Instant::now();
    cluster.citus.add(3).await;
    drill.figure("added_ms", began.elapsed().as_millis() as u64);
    let rebalance =
        "select rebalance_table_shards('buckets', shard_transfer_mode => 'force_logical')";
    sqlx::query(rebalance).execute(&mut coordinator).await.expect("it is rebalanced");
    drill.figure("rebalanced_ms", began.elapsed().as_millis() as u64);
    let shards: i64 = sqlx::query_scalar(
        "select count(*)
         from pg_dist_shard_placement
         join pg_dist_shard using (shardid)
         where logicalrelid = 'buckets'::regclass and nodename = $1",
    )
    .bind(&cluster.citus.nodes[3].host)
    .fetch_one(&mut coordinator)
    .await
    .expect("a number");
    drill.figure("shards_of_the_new_node", shards);
    assert!(shards > 0, "it has some");
    crowd.play_on(100).await;
    // Processes find the new node, and statements go straight to it.
    tokio::time::sleep(PLACES_READ).await;
    crowd.play_on(60).await;
    drill.figure("gap_ms", crowd.longest_gap(began).as_millis() as u64);
    done(&on(&cluster.urls[0], &["migrate", "--check"])).await;
    drop(coordinator);
    account(drill, crowd, cluster).await;
}

/// Compares what was told with the record, and ends the drill.
async fn account(mut drill: Drill, crowd: Crowd, cluster: Cluster) {
    let mut coordinator = cluster.citus.nodes[0].connect().await;
    let account = crowd.account(&mut coordinator, &cluster.urls[0], cluster.folder.path()).await;
    let misplaced = misplaced(&mut coordinator).await;
    drill.figure("matches", account.matches);
    drill.figure("entries", account.entries);
    drill.figure("acknowledged", account.acknowledged);
    drill.figure("lost", account.lost);
    drill.figure("misplaced", misplaced);
    drill.figure("refusals", serde_json::json!(account.refusals));
    let told = (account.lost, account.streams_went_back, account.watches_went_back, misplaced);
    assert_eq!(told, (0, 0, 0, 0), "{account:?}");
    let others = [BEHIND_OTHERS, "no answer"];
    let may_be = |it: &String| OF_NODE.iter().chain(&others).any(|reason| reason == it);
    assert!(account.refusals.keys().all(may_be), "{account:?}");
    drop((drill, coordinator));
    cluster.close().await;
}

/// How many entries are in another bucket, or in another shard, than they belong.
pub async fn misplaced(coordinator: &mut PgConnection) -> i64 {
    let mut count = async |query: String| -> i64 {
        let count = sqlx::query_scalar(AssertSqlSafe(query)).fetch_one(&mut *coordinator).await;
        count.expect("a number")
    };
    let wrong = "select count(*) from entries where bucket <> bucket_of(match_id)";
    let wrong = count(wrong.to_owned()).await;
    let all = count("select count(*) from entries".to_owned()).await;
    let mut found = 0;
    for bucket in 0..64 {
        // It asks the shard of the bucket only.
        found += count(format!("select count(*) from entries where bucket = {bucket}")).await;
    }
    wrong + (all - found).abs()
}

/// How long it takes until entries played at one process reach a watcher at another one, in
/// ascending order.
async fn delays(here: &Client, there: &Client) -> Vec<f64> {
    let mut delays = Vec::new();
    for seed in 0..3 {
        let mut playing = Playing::new(here, 2, seed).await;
        let watch = WatchEntriesRequest { parent: playing.name.clone(), ..<_>::default() };
        let mut watching = there.watch(&watch).await;
        let first = get(here, &playing.name).await.position;
        watching.up_to(first).await.expect("it is told");
        for _ in 0..15 {
            let Some(action) = playing.plan().await.expect("a plan") else { break };
            let watched = async {
                loop {
                    let batch = watching.next().await.expect("it is told").expect("it goes on");
                    if !batch.message.entries.is_empty() {
                        return Instant::now();
                    }
                }
            };
            let submitted = async {
                playing.submit(&action).await.expect("it is accepted");
                Instant::now()
            };
            let (told, acknowledged) = tokio::join!(watched, submitted);
            delays.push((told.saturating_duration_since(acknowledged)).as_secs_f64() * 1000.0);
        }
    }
    delays.sort_unstable_by(f64::total_cmp);
    delays
}

/// Matches of the last worker, each with an action that was not sent yet.
struct Waiting {
    of: Vec<(Playing, SubmitActionRequest)>,
}

impl Waiting {
    /// A match for each client.
    async fn on(clients: &[&Client], citus: &Citus) -> Waiting {
        let mut coordinator = citus.nodes[0].connect().await;
        let mut of = Vec::new();
        for client in clients {
            let it = until("a match is on the node", async || {
                let it = create(client, &new_match(2)).await;
                let host: String = sqlx::query_scalar(
                    "select nodename
                     from pg_dist_shard_placement
                     where shardid = get_shard_id_for_distribution_column(
                         'matches', bucket_of(cast($1 as uuid))
                     )",
                )
                .bind(it.name.strip_prefix("matches/"))
                .fetch_one(&mut coordinator)
                .await
                .expect("a node");
                (host == citus.nodes[2].host).then_some(it)
            })
            .await;
            let mut playing = Playing::of(client, &it, 11);
            let action = playing.plan().await.expect("a plan").expect("it began");
            of.push((playing, action));
        }
        Waiting { of }
    }

    /// Each action is refused, fast and with a reason.
    async fn check_refused(&self) -> Duration {
        let mut longest = Duration::ZERO;
        for (playing, action) in &self.of {
            let began = Instant::now();
            let refused = playing.seats[0].ask(action).await.expect_err("its node is away");
            assert!(OF_NODE.contains(&&*refused.reason), "{refused:?}");
            longest = longest.max(began.elapsed());
        }
        longest
    }

    /// The node is back: each action is recorded once, however often it was sent.
    async fn go_on(&mut self, drill: &mut Drill) {
        for (playing, action) in &mut self.of {
            let before = get(&playing.seats[0], &playing.name).await.position;
            let entry = until("it is accepted", async || playing.submit(action).await.ok()).await;
            assert!((before..=before + 1).contains(&entry.position), "{before}: {entry:?}");
            let again = playing.seats[0].ask(&*action).await.expect("it is repeated");
            assert_eq!(again.entry, Some(entry));
        }
        drill.figure("went_on", self.of.len());
    }
}

/// What monitors and load balancers read of each process.
struct Monitors {
    /// The public address, and that of the metrics.
    of: Vec<(Client, Client)>,
    /// The addresses of the nodes.
    nodes: Vec<String>,
}

impl Monitors {
    async fn of(cluster: &mut Cluster) -> Monitors {
        let mut of = Vec::new();
        for process in &mut cluster.processes {
            let public = process.client(Protocol::Rest).anonymous();
            of.push((public, process.metrics().await));
        }
        Monitors { of, nodes: cluster.citus.nodes.iter().map(|it| it.address()).collect() }
    }

    async fn check_whole(&self, drill: &mut Drill) {
        self.check(drill, "told_whole_ms", None).await;
    }

    async fn check_away(&self, drill: &mut Drill, node: usize) {
        self.check(drill, "told_away_ms", Some(node)).await;
    }

    /// Within a moment, all pages are of this state, and no process leaves the rotation.
    async fn check(&self, drill: &mut Drill, figure: &str, away: Option<usize>) {
        let began = Instant::now();
        let but = "ready, but for what needs nodes that do not answer: ";
        let (to_all, to_operators) = match away {
            None => ("ready\n".to_owned(), "ready\n".to_owned()),
            Some(node) => (format!("{but}1\n"), format!("{but}{}\n", self.nodes[node])),
        };
        for (public, metrics) in &self.of {
            until("monitors are told", async || {
                let mut texts = Vec::new();
                for (client, page) in [
                    (public, "/readyz"),
                    (public, "/readyz/reads"),
                    (metrics, "/readyz"),
                    (metrics, "/readyz/reads"),
                ] {
                    let (status, text) = read_page(client, page).await;
                    assert_eq!(status, 200, "{page}: {text}");
                    texts.push(text);
                }
                let expected = [&to_all, &to_all, &to_operators, &to_operators];
                if !texts.iter().eq(expected) {
                    return None;
                }
                let page = scrape(metrics).await;
                let is_told = |(number, name): (usize, &String)| {
                    let up = figure_of(&page, "croupier_database_node_up", &[("node", name)]);
                    up == Some(f64::from(u8::from(away != Some(number))))
                };
                let are_told = self.nodes.iter().enumerate().all(is_told);
                let is_up = figure_of(&page, "croupier_record_up", &[]) == Some(1.0);
                (are_told && is_up).then_some(())
            })
            .await;
        }
        assert!(began.elapsed() < NOTICED, "{:?}", began.elapsed());
        drill.figure(figure, began.elapsed().as_millis() as u64);
    }
}

/// A player for each client who is to be erased, with a match that has ended.
struct Erasing {
    of: Vec<(Client, Playing)>,
}

impl Erasing {
    async fn on(clients: &[&Client]) -> Erasing {
        let mut of = Vec::new();
        for (number, client) in clients.iter().enumerate() {
            let players = vec![format!("erased{number}"), player(1)];
            let it = create(client, &CreateMatchRequest { players, ..new_match(2) }).await;
            let mut playing = Playing::of(client, &it, number as u64);
            playing.finish().await;
            of.push(((*client).clone(), playing));
        }
        Erasing { of }
    }

    fn requests(&self) -> impl Iterator<Item = (&Client, ErasePlayerRequest)> {
        let request = |number| ErasePlayerRequest { name: format!("players/erased{number}") };
        self.of.iter().enumerate().map(move |(number, (client, _))| (client, request(number)))
    }

    /// The node was lost a moment ago: the erasure of the first player fails, and nobody waits long
    /// for it.
    async fn check_unknown(&mut self, drill: &mut Drill) {
        let began = Instant::now();
        let (client, request) = self.requests().next().expect("there is one");
        let refused = client.ask(&request).await.expect_err("a node is away");
        assert!(OF_NODE.contains(&&*refused.reason), "{refused:?}");
        drill.figure("erasure_lost_ms", began.elapsed().as_millis() as u64);
        drill.figure("erasure_lost_reason", refused.reason);
        assert!(began.elapsed() < 2 * NOTICED, "{:?}", began.elapsed());
    }

    /// The node is known to be away: an erasure is refused at once, by call and by command.
    async fn check_refused(&self, drill: &mut Drill, cluster: &Cluster) {
        let began = Instant::now();
        for (client, request) in self.requests() {
            let refused = client.ask(&request).await.expect_err("a node is away");
            refused.check(Code::Unavailable, "DATABASE_UNAVAILABLE");
        }
        drill.figure("erasures_refused_ms", began.elapsed().as_millis() as u64);
        let began = Instant::now();
        let address = format!("http://127.0.0.1:{}", cluster.processes[0].port());
        let key = cluster.processes[0].key();
        let erase = ["player", "erased0", "--erase", "--address", &address, "--key", &key];
        let refused = failure(&erase).await;
        assert!(refused.contains("a part of the database cannot be reached"), "{refused}");
        drill.figure("erase_command_ms", began.elapsed().as_millis() as u64);
        assert!(began.elapsed() < NOTICED, "{:?}", began.elapsed());
    }

    /// All nodes are back: each erasure is complete when it is asked for again.
    async fn go_on(&self, drill: &mut Drill) {
        let began = Instant::now();
        for (client, request) in self.requests() {
            until("the player is erased", async || client.ask(&request).await.ok()).await;
        }
        drill.figure("erased_ms", began.elapsed().as_millis() as u64);
        for (number, (client, playing)) in self.of.iter().enumerate() {
            until("its name is gone", async || {
                let sits = get(client, &playing.name).await.seats[0].player.clone();
                (sits != format!("erased{number}")).then_some(())
            })
            .await;
        }
    }
}

/// Waits until no bucket is missing.
async fn until_whole(drill: &mut Drill, clients: &[&Client]) {
    let began = Instant::now();
    for client in clients {
        until("all nodes answer", async || {
            let page = client.ask(&ListMatchesRequest::default()).await.ok()?;
            (page.unreachable == 0).then_some(())
        })
        .await;
    }
    drill.figure("whole_again_ms", began.elapsed().as_millis() as u64);
}

/// While a node is away, the matches of the others are created, joined, played, revoked and listed.
/// What needs the node fails, and says that the database is unavailable.
async fn check_others(drill: &mut Drill, clients: &[&Client], waiting: Option<&Waiting>) {
    let began = Instant::now();
    let mut slowest = BTreeMap::<&str, Duration>::new();
    let (mut rounds, mut missing) = (0, 0);
    let (mut early, mut late) = (Vec::new(), Vec::new());
    let mut slowest_early = Duration::ZERO;
    while began.elapsed() < LOOK {
        for client in clients {
            let start = Instant::now();
            let is_noticed = start - began > NOTICED;
            let mut told = |call: &'static str, since: Instant| {
                let took = slowest.entry(call).or_default();
                let took = if is_noticed { took } else { &mut slowest_early };
                *took = since.elapsed().max(*took);
            };
            match others(client, &mut told).await {
                Ok(unreachable) => {
                    rounds += 1;
                    missing = unreachable;
                }
                Err((call, failure)) => {
                    let may_be = OF_NODE.contains(&&*failure.reason);
                    let is_behind = failure.reason == BEHIND_OTHERS && !is_noticed;
                    assert!(may_be || is_behind, "{call}: {failure:?}");
                    let (after, took) = (start - began, start.elapsed());
                    slowest_early =
                        if is_noticed { slowest_early } else { slowest_early.max(took) };
                    let refused = format!("{call}: {} at {after:?}, took {took:?}", failure.reason);
                    if is_noticed { &mut late } else { &mut early }.push(refused);
                }
            }
        }
    }
    if let Some(waiting) = waiting {
        let refused = waiting.check_refused().await;
        assert!(refused < USUAL, "{refused:?}");
        drill.figure("refused_ms", refused.as_millis() as u64);
    }
    drill.figure("rounds", rounds);
    drill.figure("refused_before_it_was_noticed", early.len());
    drill.figure("slowest_before_it_was_noticed_ms", slowest_early.as_millis() as u64);
    drill.figure("buckets_missing_in_lists", missing);
    for (&call, took) in &slowest {
        drill.figure(call, took.as_millis() as u64);
    }
    assert!(late.is_empty(), "refused although the node is not needed: {late:#?}");
    assert!(rounds > 3, "{rounds} rounds");
    assert!(slowest.values().all(|took| *took < USUAL), "{slowest:?}");
}

/// Calls about a new match of whatever node is there. Returns how many buckets lists lack.
async fn others(
    client: &Client,
    told: &mut impl FnMut(&'static str, Instant),
) -> Result<i32, (&'static str, Failure)> {
    let mut since = Instant::now();
    let mut next = |call: &'static str| {
        told(call, std::mem::replace(&mut since, Instant::now()));
    };
    let request = CreateMatchRequest { players: vec![player(0), String::new()], ..new_match(2) };
    let created = client.ask(&request).await.map_err(|it| ("create_ms", it))?;
    let name = created.r#match.expect("a match").name;
    next("create_ms");
    let join = JoinMatchRequest { name: name.clone(), player: player(1), ..<_>::default() };
    let joined = client.ask(&join).await.map_err(|it| ("join_ms", it))?;
    next("join_ms");
    let mut playing = Playing::of(client, &joined.r#match.expect("a match"), 7);
    let action = playing.plan().await.map_err(|it| ("legal_ms", it))?.expect("it began");
    next("legal_ms");
    playing.submit(&action).await.map_err(|it| ("play_ms", it))?;
    next("play_ms");
    let revoke = RevokeTokensRequest { parent: name, seat: Some(0) };
    client.ask(&revoke).await.map_err(|it| ("revoke_ms", it))?;
    next("revoke_ms");
    let list = ListMatchesRequest { page_size: 2, ..<_>::default() };
    let listed = client.ask(&list).await.map_err(|it| ("list_ms", it))?;
    next("list_ms");
    Ok(listed.unreachable)
}
