//! A busy service, and faults of load: of the database, of memory, and of callers.

use std::collections::BTreeSet;
use std::env;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use contract::v1::*;
use postgres_server::Postgres;
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::prometheus::{EVERY, Prometheus};
use super::{Alarms, Expected};
use crate::connecting::execute;
use crate::drills::crowd::Crowd;
use crate::drills::failover::PLAYERS;
use crate::fairness::set_limits;
use crate::harness::*;
use crate::modules::{add_faults, pebbles, take};
use crate::webhooks::{SECRET, allow, subscription};

/// For how long a busy service is watched: longer than all but a few alerts wait.
const BUSY: Duration = Duration::from_secs(35);

/// No alert fires while a service is busy; and then it is killed.
pub async fn busy(alarms: &mut Alarms) {
    let mut installation = Installation::open().await;
    let mut prometheus = Prometheus::start(installation.folder.path(), EVERY).await;
    prometheus.scrape("a", &mut installation.service).await;
    let crowd = Crowd::gather(&installation.client(Protocol::Grpc), PLAYERS).await;
    sleep(BUSY).await;
    crowd.play_on(1).await;
    assert_eq!(prometheus.fired(), BTreeSet::new(), "before any fault");
    alarms.drill.figure("busy_s", BUSY.as_secs());
    alarms.drill.figure("busy_actions", crowd.acknowledged());
    drop(crowd);
    let expected = Expected::now(&prometheus, &["CroupierDown"]);
    installation.service.kill().await;
    alarms.fire(&prometheus, expected).await;
}

/// The database stalls while many play, and loses its connections; then the memory is too small.
pub async fn stalls(alarms: &mut Alarms) {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut prometheus = Prometheus::start(installation.folder.path(), EVERY).await;
    prometheus.scrape("a", &mut installation.service).await;
    let players = play(&client).await;

    let expected = Expected::now(&prometheus, &["CroupierActionsShed", "CroupierAppendsSlow"]);
    let stalling = stall_again_and_again(&installation).await;
    let crowding = crowd_one_match(&client).await;
    alarms.fire(&prometheus, expected).await;
    drop((stalling, crowding));

    let expected = Expected::now(&prometheus, &["CroupierAppendsFail"]);
    while !prometheus.is_firing("CroupierAppendsFail") && expected.since.elapsed() < PATIENCE {
        break_connections(installation.postgres()).await;
        sleep(Duration::from_millis(250)).await;
    }
    alarms.fire(&prometheus, expected).await;
    drop(players);

    installation.service.restart_with(&["--cache-mb", "1"]).await;
    prometheus.scrape("a", &mut installation.service).await;
    let names = many_matches(&client).await;
    let expected = Expected::now(&prometheus, &["CroupierCacheTooSmall"]);
    let _reading = read_in_turn(&client, names);
    alarms.fire(&prometheus, expected).await;
}

/// Players who go on through whatever happens.
async fn play(client: &Client) -> JoinSet<()> {
    let mut players = JoinSet::new();
    for number in 0..4 {
        let client = client.clone();
        players.spawn(async move {
            for turn in 0.. {
                let created = client.ask(&new_match(2)).await.ok().and_then(|it| it.r#match);
                let Some(it) = created else {
                    sleep(Duration::from_millis(20)).await;
                    continue;
                };
                let mut playing = Playing::of(&client, &it, number << 32 | turn);
                while let Ok(Some(action)) = playing.plan().await
                    && playing.submit(&action).await.is_ok()
                {}
            }
        });
    }
    players
}

/// The database records nothing for most of each second.
async fn stall_again_and_again(installation: &Installation) -> JoinSet<()> {
    let mut database = installation.database().await;
    let mut stalling = JoinSet::new();
    stalling.spawn(async move {
        let stall = "begin; lock table entries in exclusive mode; select pg_sleep(0.8); commit";
        loop {
            sqlx::raw_sql(stall).execute(&mut database).await.expect("it stalls");
            sleep(Duration::from_millis(100)).await;
        }
    });
    stalling
}

/// More act in one match than may wait for it.
async fn crowd_one_match(client: &Client) -> JoinSet<()> {
    let mut playing = Playing::new(client, 2, 1).await;
    let action = playing.plan().await.expect("an answer").expect("the match goes on");
    let mut crowd = JoinSet::new();
    for number in 0..200 {
        let (client, action) = (client.clone(), action.clone());
        crowd.spawn(async move {
            for turn in 0.. {
                let request_id = format!("{number}-{turn}");
                let _ = client.ask(&SubmitActionRequest { request_id, ..action.clone() }).await;
                sleep(Duration::from_millis(100)).await;
            }
        });
    }
    crowd
}

/// As when a firewall or a pooler between the service and its database is restarted.
async fn break_connections(postgres: &Postgres) {
    let others = "select pg_terminate_backend(pid) from pg_stat_activity
                  where backend_type = 'client backend' and pid <> pg_backend_pid()";
    execute(postgres, others).await;
}

/// More matches than a megabyte holds.
async fn many_matches(client: &Client) -> Vec<String> {
    let mut creating = JoinSet::new();
    for _ in 0..8 {
        let client = client.clone();
        creating.spawn(async move {
            let mut names = Vec::new();
            for _ in 0..100 {
                names.push(create(&client, &new_match(4)).await.name);
            }
            names
        });
    }
    creating.join_all().await.concat()
}

fn read_in_turn(client: &Client, names: Vec<String>) -> JoinSet<()> {
    let mut readers = JoinSet::new();
    for number in 0..8 {
        let (client, names) = (client.clone(), names.clone());
        readers.spawn(async move {
            for name in names.iter().cycle().skip(number * names.len() / 8) {
                let get = GetMatchRequest { name: name.clone(), ..GetMatchRequest::default() };
                let _ = client.ask(&get).await;
            }
        });
    }
    readers
}

/// Callers who are wrong, endpoints that refuse, and two releases side by side.
pub async fn callers(alarms: &mut Alarms) {
    let mut installation = Installation::open().await;
    // As much faster as the rules.
    allow(&mut installation.service, "0.0167").await;
    let client = installation.client(Protocol::Grpc);
    let rival = client.apart().holding(installation.platform("rival").await);
    let mut prometheus = Prometheus::start(installation.folder.path(), EVERY).await;
    prometheus.scrape("a", &mut installation.service).await;

    let receiver = Receiver::choosing(|_| Conduct::Fail(500)).await;
    let refused = Expected::now(&prometheus, &["CroupierWebhooksFail"]);
    let subscription = subscription("feed", &receiver.url, SECRET);
    client.ask(&subscription).await.unwrap_or_else(|error| panic!("{error:?}"));
    Playing::new(&client, 2, 1).await.steps(4).await;

    let mixed = Expected::now(&prometheus, &["CroupierMixedReleases"]);
    let mut previous = serve_previous(&installation).await;
    if let Ok(previous) = &mut previous {
        prometheus.scrape("b", previous).await;
    }

    let guessed = Expected::now(&prometheus, &["CroupierInvalidCredentials"]);
    let stranger = client.apart().holding("croupier_key_of_nobody");
    let _guessing = ask_again_and_again(&stranger);
    let limited = Expected::now(&prometheus, &["CroupierLimitsReached"]);
    set_limits(&installation, "rival", &["--calls-per-s", "5"]).await;
    let _calling = ask_again_and_again(&rival);

    add_faults(&installation).await;
    let fails = Expected::now(&prometheus, &["CroupierModuleFails"]);
    let faulty = create(&client, &pebbles()).await;
    let trapped = take(&client, &faulty, faulty.waiting_for[0], 12).await;
    assert_eq!(trapped.expect_err("it traps").reason, "MODULE_FAILED");

    for expected in [guessed, limited, refused, fails] {
        alarms.fire(&prometheus, expected).await;
    }
    match previous {
        Ok(_) => alarms.fire(&prometheus, mixed).await,
        Err(reason) => alarms.skip(mixed.alerts, reason),
    }
}

/// The previous release on the same database; `.ci/previous` builds it.
async fn serve_previous(installation: &Installation) -> Result<Service, &'static str> {
    let program = env::var_os("PREVIOUS").filter(|path| !path.is_empty());
    let program = program.ok_or("there is no previous release: PREVIOUS names its program")?;
    if version(Path::new(&program)) == version(Path::new(PROGRAM)) {
        return Err("the previous release says that it is of the same version");
    }
    let (folder, url) = (installation.folder.path().join("b"), installation.postgres().url());
    Ok(Service::start_program(Path::new(&program), &folder, Some(&url), &[]).await)
}

fn version(program: &Path) -> Vec<u8> {
    Command::new(program).arg("--version").output().expect("the program runs").stdout
}

/// Some fifty calls a second.
fn ask_again_and_again(client: &Client) -> JoinSet<()> {
    let mut asking = JoinSet::new();
    let client = client.clone();
    asking.spawn(async move {
        loop {
            let _ = client.ask(&ListMatchesRequest::default()).await;
            sleep(Duration::from_millis(20)).await;
        }
    });
    asking
}
