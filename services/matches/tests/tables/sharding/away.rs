//! An unreachable node stops only its own matches. Its tables are on a second Postgres; the first
//! one has them as foreign tables.

use super::change_tables;
use crate::installation::Installation;
use crate::play::{draft, new_match};
use accounts::Credentials;
use database::{Error, Node, OfNodes, Options, Pool};
use event_log::{Append, AppendError, append, follow};
use futures::future::join_all;
use keeping::archiving::Archive;
use positions::{BUCKETS, Bucket, Position};
use postgres_server::Postgres;
use projector::{Cursor, Filter, Handle, Reader};
use rows::MatchId;
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, Connection, Executor};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use store::{Created, LobbyFilter, MadeFor, Store};
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

const PATIENCE: Duration = Duration::from_secs(60);

#[tokio::test(flavor = "multi_thread")]
async fn a_process_serves_the_matches_of_the_nodes_that_are_there() {
    let mut database = Nodes::start().await;
    let before = database.process().await;
    let (here, there) = (of_node(0, 1), of_node(1, 1));
    for match_id in [here, there] {
        before.play(match_id).await;
        before.store.accounts.revoke_tokens(match_id, Some(0)).await.unwrap().expect("it is there");
    }
    database.lose().await;

    // The other node's matches continue, also in a process that has just started.
    let started = database.process().await;
    for process in [&before, &started] {
        assert!(matches!(process.store.load("acme", there).await, Err(Error::Unavailable(_))));
        let append = process.writer.append(draft(there, 2)).await;
        assert_eq!(append, Err(AppendError::Unknown), "it is not there, or not answered");
    }
    for (process, n) in [(&before, 2), (&started, 3)] {
        let match_id = of_node(0, n);
        process.play(match_id).await;
        // Together in one batch.
        let (found, lost) =
            tokio::join!(process.store.load("acme", match_id), process.store.load("acme", there));
        assert_eq!(found.unwrap().expect("it is there").row.match_id, match_id);
        assert!(matches!(lost, Err(Error::Unavailable(_))));
        let (read, lost) = tokio::join!(
            process.store.log().entries(match_id, Position::START, 10),
            process.store.log().entries(there, Position::START, 10)
        );
        assert_eq!(read.unwrap().len(), 1);
        let lost = lost.expect_err("its node is away");
        assert!(matches!(lost, event_log::Error::Database(Error::Unavailable(_))));
    }
    before.until_followed(of_node(0, 3)).await;
    let read = Credentials::new(&started.store.accounts).read().await.unwrap();
    let revoked: Vec<MatchId> = read.revocations.iter().map(|it| it.match_id).collect();
    assert_eq!(revoked, [here]);
    assert_eq!(read.away, odd().collect::<Vec<_>>());
    assert!(started.store.removals().await.unwrap().read().await.is_ok());
    assert!(!Archive::new(started.store.database(), None).has_archived().await.unwrap());

    let epochs = [before.store.log().epoch(), started.store.log().epoch()];
    database.find().await;
    let head = before.store.log().high_water_marks()[Bucket::of(there).index()];
    let mark = || started.store.log().high_water_marks()[Bucket::of(there).index()];
    until("the marks that it lacked are read", async || mark() == head).await;
    assert_eq!(before.store.log().epoch(), epochs[0], "nothing was lost");
    assert_ne!(started.store.log().epoch(), epochs[1], "what was read meanwhile is read again");
    for process in [&before, &started] {
        let loaded = async || matches!(process.store.load("acme", there).await, Ok(Some(_)));
        until("the node is found again", loaded).await;
        let mut credentials = Credentials::new(&process.store.accounts);
        until("both revocations are read", async || {
            let read = credentials.read().await.unwrap();
            read.revocations.len() == 2 && read.away.is_empty()
        })
        .await;
        assert_eq!(
            process.store.log().bucket_heads().await.unwrap()[Bucket::of(there).index()],
            head
        );
    }
    started.play(of_node(1, 4)).await;
    before.until_followed(of_node(1, 4)).await;
    before.stop().await;
    started.stop().await;
    database.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_has_the_matches_of_the_nodes_that_are_there() {
    let mut database = Nodes::start().await;
    let Process { store, .. } = &database.process().await;
    let store = &store.store;
    let newest_first = |nodes: &[u128]| -> Vec<MatchId> {
        (1..=4).rev().flat_map(|n| nodes.iter().rev().map(move |&node| of_node(node, n))).collect()
    };
    for (n, &match_id) in newest_first(&[0, 1]).iter().rev().enumerate() {
        let created = store.create_for(&new_match(match_id, n), &MadeFor::Lobby).await.unwrap();
        assert_eq!(created, Created::Created);
    }
    let (whole, rest) = (newest_first(&[0, 1]), newest_first(&[0]));
    let odd: Vec<Bucket> = odd().collect();
    assert_lists(store, &whole, &[]).await;
    // Between the first page, which has one of each node, and the others.
    let first = Lister::All.page(store, None).await;
    let first_of_lobby = Lister::Lobby.page(store, None).await;
    database.lose().await;
    assert_lists(store, &rest, &odd).await;
    for (lister, first) in [(Lister::All, first), (Lister::Lobby, first_of_lobby)] {
        assert_eq!(ids(&first.found), whole[..2]);
        let others = lister.list(store, first.found.last().copied()).await;
        assert_eq!((ids(&others.found), &others.away), (rest[1..].to_vec(), &odd));
    }
    database.find().await;
    until("all is there", async || Lister::All.page(store, None).await.away.is_empty()).await;
    assert_lists(store, &whole, &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_hangs_takes_no_connection_that_another_needs() {
    let database = Nodes::start().await;
    let process = database.process().await;
    let (here, there) = (of_node(0, 1), of_node(1, 1));
    process.play(here).await;
    process.play(there).await;
    let hanging = database.hang();
    // More than a process has connections.
    let of_hanging = join_all((0..40).map(|_| process.store.find("acme", there)));
    let of_other = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        join_all((0..40).map(|_| process.store.find("acme", here))).await
    };
    let (lost, found) = tokio::join!(of_hanging, of_other);
    assert!(found.iter().all(|it| matches!(it, Ok(Some(_)))), "{found:?}");
    assert!(lost.iter().all(|it| matches!(it, Err(Error::Unavailable(_)))), "{lost:?}");
    assert!(matches!(process.store.load("acme", there).await, Err(Error::Unavailable(_))));
    assert!(process.store.load("acme", here).await.is_ok());
    drop(hanging);
    let found = async || matches!(process.store.find("acme", there).await, Ok(Some(_)));
    until("the node is found again", found).await;
    process.stop().await;
    database.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_that_takes_too_long_makes_no_node_seem_away() {
    let folder = tempfile::tempdir().expect("a folder");
    let postgres = start(folder.path(), 0).await;
    let store = Installation::migrated(postgres.options()).await;
    store.close().await;
    let mut options = Options::new(postgres.options());
    options.statement_wait = Duration::from_millis(500);
    let store = Installation::open(options).await;
    store.database().assume_sharded(Node::several(2));
    let sleep = async |seconds: i32| {
        let read = async |pool: Pool, _| {
            let asleep = sqlx::query("select pg_sleep($1)").bind(f64::from(seconds));
            asleep.execute(&pool).await?;
            Ok(())
        };
        store.database().each_node(read).await
    };
    assert!(matches!(sleep(9).await, Err(Error::Busy)));
    let read = sleep(0).await.unwrap();
    assert_eq!((read.found.len(), read.away.len()), (2, 0));
    store.close().await;
    postgres.stop().await;
}

async fn assert_lists(store: &Store, whole: &[MatchId], away: &[Bucket]) {
    for lister in [Lister::All, Lister::OfPlayer, Lister::Tagged, Lister::Lobby] {
        let OfNodes { found, away: missing } = lister.list(store, None).await;
        let expected = match lister {
            Lister::Tagged => whole.iter().copied().filter(|it| *it == of_node(0, 1)).collect(),
            Lister::All | Lister::OfPlayer | Lister::Lobby => whole.to_vec(),
        };
        assert_eq!((ids(&found), &missing[..]), (expected, away), "{lister:?}");
    }
}

fn ids(found: &[Cursor]) -> Vec<MatchId> {
    found.iter().map(|it| it.1).collect()
}

#[derive(Clone, Copy, Debug)]
enum Lister {
    All,
    OfPlayer,
    Tagged,
    Lobby,
}

impl Lister {
    /// Page by page.
    async fn list(self, store: &Store, after: Option<Cursor>) -> OfNodes<Cursor> {
        let mut all = OfNodes { found: Vec::new(), away: Vec::new() };
        let mut after = after;
        loop {
            let page = self.page(store, after).await;
            after = page.found.last().copied().filter(|_| page.found.len() == PAGE);
            all.found.extend(page.found);
            all.away = page.away;
            if after.is_none() {
                return all;
            }
        }
    }

    async fn page(self, store: &Store, after: Option<Cursor>) -> OfNodes<Cursor> {
        let mut filter = Filter::default();
        match self {
            Lister::All => {}
            Lister::OfPlayer => filter.player = Some("ann".to_owned()),
            Lister::Tagged => filter.tags = [("table".to_owned(), "0".to_owned())].into(),
            Lister::Lobby => {
                let every = LobbyFilter::default();
                let page = store.lobby("acme", &every, after, PAGE as i64);
                let OfNodes { found, away } = page.await.unwrap();
                let found = found.into_iter().map(|it| (it.create_time, it.match_id)).collect();
                return OfNodes { found, away };
            }
        }
        let reader = Reader::new(store, Handle::default());
        let OfNodes { found, away } = reader.find("acme", &filter, after, PAGE).await.unwrap();
        let found = found.into_iter().map(|it| (it.listed_time, it.match_id)).collect();
        OfNodes { found, away }
    }
}

const PAGE: usize = 2;

async fn until(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let waiting = async {
        while !is_so().await {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(PATIENCE, waiting).await.expect(what);
}

/// A match on a node.
fn of_node(node: u128, n: u128) -> MatchId {
    MatchId(Uuid::from_u128(n << 64 | 2 | node))
}

/// The buckets of the node that goes away.
fn odd() -> impl Iterator<Item = Bucket> {
    Bucket::all().filter(|bucket| bucket.index() % 2 == 1)
}

/// A database of two nodes, of which the second has the odd buckets.
struct Nodes {
    folder: TempDir,
    first: Postgres,
    second: Option<Postgres>,
}

impl Nodes {
    async fn start() -> Nodes {
        let folder = tempfile::tempdir().expect("a folder");
        let (first, second) = (start(folder.path(), 0).await, start(folder.path(), 1).await);
        for (node, postgres) in [(0, &first), (1, &second)] {
            let store = Installation::migrated(postgres.options()).await;
            store.accounts.create_platform("acme", test_database::now()).await.expect("a platform");
            let mut connection = store.database().connection().await.expect("it connects");
            let all = spread(node, &second.options());
            connection.execute(AssertSqlSafe(all)).await.expect("it is spread");
            connection.close().await.expect("it closes");
            store.close().await;
        }
        Nodes { folder, first, second: Some(second) }
    }

    /// Makes the second node unreachable.
    async fn lose(&mut self) {
        self.second.take().expect("it is there").stop().await;
    }

    /// Stops the second node's server with its sessions, while the answer lives.
    fn hang(&self) -> Hanging {
        let server = self.second.as_ref().and_then(Postgres::pid).expect("it runs");
        let is_child = |process: &String| {
            let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
            status.lines().any(|line| line == format!("PPid:\t{server}"))
        };
        let processes = fs::read_dir("/proc").expect("there are processes").flatten();
        let processes = processes.filter_map(|it| it.file_name().into_string().ok());
        let hanging =
            Hanging([server.to_string()].into_iter().chain(processes.filter(is_child)).collect());
        // Should this process be killed meanwhile, nothing else would wake them.
        let mut waker = Command::new("setsid");
        waker.args(["--fork", "sh", "-c", "sleep 120; kill -CONT \"$@\"", "sh"]).args(&hanging.0);
        let waking = waker.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        assert!(waking.status().expect("it runs").success());
        hanging.signal("-STOP");
        hanging
    }

    async fn find(&mut self) {
        self.second = Some(start(self.folder.path(), 1).await);
    }

    async fn process(&self) -> Process {
        let store = Installation::open(Options::new(self.first.options())).await;
        store.database().assume_sharded(Node::several(2));
        Process::start(store).await
    }

    async fn stop(self) {
        self.first.stop().await;
        self.second.expect("it is there").stop().await;
    }
}

async fn start(folder: &Path, node: usize) -> Postgres {
    let options = postgres_server::Options::new("away");
    Postgres::start(folder.join(node.to_string()), options).await.expect("it starts")
}

/// The statements with which a node keeps only the rows of its buckets, and the first node reaches
/// those of the second.
fn spread(node: usize, second: &PgConnectOptions) -> String {
    let [own, others] = [node, 1 - node].map(|node| {
        let its = (0..BUCKETS).filter(|bucket| bucket % 2 == node).map(|it| it.to_string());
        its.collect::<Vec<_>>().join(", ")
    });
    let reaching = match node {
        0 => format!(
            "execute format('alter table %I rename to %I', its.name, its.name || '__own');
             execute format('create table %I (like %I including defaults) partition by list (bucket)',
                 its.name, its.name || '__own');
             execute format('alter table %I attach partition %I for values in ({own})',
                 its.name, its.name || '__own');
             execute format('create foreign table %I partition of %I for values in ({others})
                 server second options (table_name %L)', its.name || '__second', its.name, its.name);"
        ),
        _ => String::new(),
    };
    let keeping = format!("execute format('delete from %I where bucket in ({others})', its.name);");
    let tables = change_tables(&(keeping + &reaching));
    let socket = second.get_socket().expect("it has one").display();
    let (port, user) = (second.get_port(), second.get_username());
    let database = second.get_database().expect("it is named");
    format!(
        "create extension postgres_fdw;
         create server second foreign data wrapper postgres_fdw
             options (host '{socket}', port '{port}', dbname '{database}');
         create user mapping for current_user server second options (user '{user}');
         -- Plans that know no values reach both nodes, so none is forced where this is known.
         insert into pg_extension
             select 1, 'citus', extowner, extnamespace, false, '13', null, null
             from pg_extension
             where extname = 'postgres_fdw';
         alter database {database} set plan_cache_mode = force_custom_plan;
         {tables}"
    )
}

/// Processes that are stopped.
struct Hanging(Vec<String>);

impl Hanging {
    fn signal(&self, signal: &str) {
        let _ = Command::new("kill").arg(signal).args(&self.0).stderr(Stdio::null()).status();
    }
}

impl Drop for Hanging {
    fn drop(&mut self) {
        self.signal("-CONT");
    }
}

/// A process that writes and follows.
struct Process {
    store: Installation,
    writer: append::Handle,
    followed: Arc<Mutex<Vec<MatchId>>>,
    _interests: Vec<follow::Interest>,
    drain: CancellationToken,
    tasks: [JoinHandle<()>; 2],
}

impl Process {
    async fn start(store: Installation) -> Process {
        let nodes = store.database().nodes().await.expect("they are known");
        let options = append::Options { append_wait: Duration::from_secs(3), ..Default::default() };
        let writer = append::Service::on_nodes(store.log(), &nodes, options);
        let followed = Arc::<Mutex<Vec<MatchId>>>::default();
        let sink = followed.clone();
        let options = follow::Options { poll_wait: Duration::from_millis(100) };
        let follower = follow::Service::new(store.log(), options, move |_, entries| {
            sink.lock().unwrap().extend(entries.iter().map(|(match_id, _)| *match_id));
        });
        let follower = follower.await.expect("the heads are read");
        let interests = Bucket::all().map(|bucket| follower.handle().interest(bucket)).collect();
        let drain = CancellationToken::new();
        Process {
            writer: writer.handle(),
            tasks: [
                tokio::spawn(writer.run(drain.clone())),
                tokio::spawn(follower.run(drain.clone())),
            ],
            store,
            followed,
            _interests: interests,
            drain,
        }
    }

    /// Creates a match and records its first entry.
    async fn play(&self, match_id: MatchId) {
        assert_eq!(self.store.create(&new_match(match_id, 0)).await.unwrap(), Created::Created);
        // A busy machine may need longer than an append waits here.
        loop {
            match self.writer.append(draft(match_id, 1)).await {
                Err(AppendError::Unknown) => {}
                outcome => return assert_eq!(outcome, Ok(Append::Recorded)),
            }
        }
    }

    async fn until_followed(&self, match_id: MatchId) {
        let followed = async || self.followed.lock().unwrap().contains(&match_id);
        until("it is followed", followed).await;
    }

    async fn stop(self) {
        self.drain.cancel();
        for task in self.tasks {
            task.await.expect("it ends");
        }
        self.store.close().await;
    }
}
