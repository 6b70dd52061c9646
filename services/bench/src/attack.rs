//! A platform that does its worst: it never waits before it calls again, and never reads a stream.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use contract::names::{game_name, match_name};
use contract::v1::{
    CreateSeekRequest, CreateSubscriptionRequest, DeleteSeekRequest, GetViewRequest, PushTarget,
    SearchEntriesRequest, StreamEntriesRequest,
};
use croupier_client::{Croupier, Refusal};
use http::uri::PathAndQuery;
use prost::Message;
use rows::MatchId;
use serde::Serialize;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tonic::{Status, Streaming};

use crate::connection::{Connection, GET_VIEW, reason};

const STREAM_ENTRIES: PathAndQuery =
    PathAndQuery::from_static("/croupier.v1.StreamService/StreamEntries");

const SEARCH_ENTRIES: PathAndQuery =
    PathAndQuery::from_static("/croupier.v1.SearchService/SearchEntries");

/// What the platform does, all at once.
#[derive(Clone, Copy, Debug, clap::Args, Serialize)]
pub(crate) struct Worst {
    /// Outstanding calls for a view of R.I.G.S. in words
    #[arg(long, value_name = "N", default_value_t = 1024)]
    views: usize,
    /// Streams of all entries that are never read
    #[arg(long, value_name = "N", default_value_t = 400)]
    streams: usize,
    /// Outstanding searches that find nothing
    #[arg(long, value_name = "N", default_value_t = 16)]
    searches: usize,
    /// Players who seek and give up
    #[arg(long, value_name = "N", default_value_t = 16)]
    seeks: usize,
    /// Webhooks to an endpoint that never answers; the service needs --allow-private-webhooks
    #[arg(long, value_name = "N", default_value_t = 16)]
    webhooks: usize,
    /// The number by which the attack's thread yields to others, 0 to 19
    #[arg(long, value_name = "N", default_value_t = 10)]
    nice: i32,
}

/// The matches of the platform, and how it calls.
#[derive(Clone)]
pub(crate) struct Attacker {
    pub client: Croupier,
    /// For calls.
    pub calling: Vec<Connection>,
    /// For streams that are never read, so that they do not stop the calls.
    pub unread: Vec<Connection>,
    /// Matches of R.I.G.S.
    pub matches: Vec<MatchId>,
}

/// What came of it.
#[derive(Default)]
pub(crate) struct Effect {
    views: AtomicU64,
    searches: AtomicU64,
    seeks: AtomicU64,
    streams: AtomicU64,
    webhooks: AtomicU64,
    /// Connections that the service made to the endpoint that never answers.
    stalled: AtomicU64,
    refused: Mutex<BTreeMap<String, u64>>,
}

/// What came of it, for the report.
#[derive(Serialize)]
pub(crate) struct Effects {
    views: u64,
    searches: u64,
    seeks: u64,
    open_streams: u64,
    webhooks: u64,
    stalled_connections: u64,
    refused: BTreeMap<String, u64>,
}

impl Effect {
    pub(crate) fn told(&self) -> Effects {
        Effects {
            views: self.views.load(Relaxed),
            searches: self.searches.load(Relaxed),
            seeks: self.seeks.load(Relaxed),
            open_streams: self.streams.load(Relaxed),
            webhooks: self.webhooks.load(Relaxed),
            stalled_connections: self.stalled.load(Relaxed),
            refused: self.refused.lock().expect(LOCKED).clone(),
        }
    }

    /// Counts an answer, or the reason of a refusal.
    fn note<T>(&self, counter: &AtomicU64, answer: Result<T, String>) -> Option<T> {
        match answer {
            Ok(answer) => {
                counter.fetch_add(1, Relaxed);
                Some(answer)
            }
            Err(reason) => {
                *self.refused.lock().expect(LOCKED).entry(reason).or_default() += 1;
                None
            }
        }
    }
}

const LOCKED: &str = "no thread panics while it holds the lock";

fn of_status(status: Status) -> String {
    reason(&status).0
}

fn of_refusal(refusal: Refusal) -> String {
    refusal.reason().to_owned()
}

/// Attacks on a thread of its own until `stop` is cancelled. Returns the thread.
pub(crate) fn begin(
    attacker: Attacker,
    worst: Worst,
    effect: Arc<Effect>,
    stop: CancellationToken,
) -> std::thread::JoinHandle<()> {
    let attack = move || {
        // Attackers have processors of their own. Here they share those of the service, so they
        // take what is left. On Linux this affects only this thread.
        let _ = rustix::process::nice(worst.nice);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let attacking = stop.run_until_cancelled(attack(attacker, worst, effect));
        runtime.expect("the system has resources for a runtime").block_on(attacking);
    };
    std::thread::spawn(attack)
}

async fn attack(attacker: Attacker, worst: Worst, effect: Arc<Effect>) {
    let mut tasks = JoinSet::new();
    // First, because the service may be too busy for it later.
    if let Err(error) = stall(&attacker.client, worst.webhooks, &effect, &mut tasks).await {
        effect.note::<()>(&effect.webhooks, Err(error.to_string()));
    }
    let mut calling = attacker.calling.iter().cloned().cycle();
    let mut next = || calling.next().expect("there is a connection");
    for nth in 0..worst.views {
        tasks.spawn(view(next(), attacker.matches.clone(), nth, effect.clone()));
    }
    for _ in 0..worst.searches {
        tasks.spawn(search(next(), effect.clone()));
    }
    for nth in 0..worst.seeks {
        tasks.spawn(seek(attacker.client.clone(), nth, effect.clone()));
    }
    for (_, connection) in (0..worst.streams).zip(attacker.unread.iter().cycle()) {
        tasks.spawn(stream(connection.clone(), effect.clone()));
    }
    tasks.join_all().await;
}

/// Reads views in words, one after the other.
async fn view(connection: Connection, matches: Vec<MatchId>, nth: usize, effect: Arc<Effect>) {
    for (match_id, seat) in matches.iter().cycle().skip(nth).zip([0, 1].into_iter().cycle()) {
        let request = GetViewRequest {
            name: match_name(match_id.0),
            viewer: format!("seats/{seat}"),
            language: "en".to_owned(),
            ..GetViewRequest::default()
        };
        let answer = connection.call(request.encode_to_vec().into(), GET_VIEW).await;
        effect.note(&effect.views, answer.map_err(of_status));
    }
}

/// Searches for an announcement of a value that none has, which reads as much as a page may.
async fn search(connection: Connection, effect: Arc<Effect>) {
    let request = SearchEntriesRequest {
        parent: game_name("rigs"),
        value_min: Some(i32::MAX),
        language: "en".to_owned(),
        ..SearchEntriesRequest::default()
    };
    let request: Bytes = request.encode_to_vec().into();
    loop {
        let answer = connection.call(request.clone(), SEARCH_ENTRIES).await;
        effect.note(&effect.searches, answer.map_err(of_status));
    }
}

/// Seeks another player whom nobody can be, and gives up.
async fn seek(client: Croupier, nth: usize, effect: Arc<Effect>) {
    loop {
        let request = CreateSeekRequest {
            player: format!("seeker-{nth}"),
            game: game_name("rigs"),
            seats: vec![2],
            // So nobody accepts anybody.
            rating_distance: Some(0.0),
            ..CreateSeekRequest::default()
        };
        let created = client.call(request).await.map(|it| it.seek).map_err(of_refusal);
        let Some(seek) = effect.note(&effect.seeks, created).flatten() else { continue };
        let _ = client.call(DeleteSeekRequest { name: seek.name, ..<_>::default() }).await;
    }
}

/// Opens a stream of all entries and never reads it. If it is refused, tries again.
async fn stream(connection: Connection, effect: Arc<Effect>) {
    let request: Bytes = StreamEntriesRequest::default().encode_to_vec().into();
    let _unread: Streaming<Bytes> = loop {
        let opened = connection.open(request.clone(), STREAM_ENTRIES).await;
        match effect.note(&effect.streams, opened.map_err(of_status)) {
            Some(stream) => break stream,
            None => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    };
    std::future::pending().await
}

/// Lets the service send all entries to an endpoint that accepts connections and never answers.
async fn stall(
    client: &Croupier,
    count: usize,
    effect: &Arc<Effect>,
    tasks: &mut JoinSet<()>,
) -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let accepting = effect.clone();
    tasks.spawn(async move {
        let mut held = Vec::new();
        while let Ok((connection, _)) = listener.accept().await {
            accepting.stalled.fetch_add(1, Relaxed);
            held.push(connection);
        }
    });
    for nth in 0..count {
        let request = CreateSubscriptionRequest {
            name: format!("subscriptions/stalled-{nth}-{}", address.port()),
            push: Some(PushTarget { url: format!("http://{address}/"), ..PushTarget::default() }),
            ..CreateSubscriptionRequest::default()
        };
        let created = client.call(request).await.map_err(of_refusal);
        effect.note(&effect.webhooks, created);
    }
    Ok(())
}
