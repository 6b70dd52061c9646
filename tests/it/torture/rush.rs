//! A rush: for some seconds a process receives far more requests than it can take. It must refuse
//! the excess at once and keep working at its usual rate.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use contract::v1::match_service_client::MatchServiceClient;
use contract::v1::*;
use futures::future::join_all;
use futures::{StreamExt, stream};
use hdrhistogram::Histogram;
use sqlx::postgres::PgConnection;
use tokio::time::{sleep, timeout};
use tonic::transport::Channel;
use tonic::{Response, Status};

use super::history::Outcome;
use super::plan::Fault;
use super::round::Round;
use super::site::{Node, endpoint};
use super::table::Said;
use super::tally::Rush;
use crate::fairness::{speech, with_talk};
use crate::harness::{Failure, PATIENCE};

/// The clients of a rush: their matches, and the answers they received.
#[derive(Default)]
pub struct Crowd {
    matches: Vec<String>,
    /// Their action, repeated. The first seat of Among Thieves may talk at any time before it does
    /// anything else, so no reads are needed.
    action: Option<contract::Action>,
    /// The round of the last rush.
    came_in: Option<usize>,
    /// How often there was a rush.
    times: usize,
    /// Where each acknowledged request was recorded, by its id: match and position.
    stands: HashMap<String, (usize, i64)>,
    /// Requests with unknown outcome.
    open: HashSet<String>,
}

/// How many times as many clients call in a rush as before, when there were no more than a process
/// can take.
const TIMES: usize = 10;

/// Requests in flight on a connection.
const STREAMS: usize = 200;

/// The retry delay of clients that were given none.
const PAUSE: Duration = Duration::from_millis(100);

/// The longest time that is recorded exactly.
const HOUR_US: u64 = 3_600_000_000;

/// How much a process may have grown some time after a rush: by the matches it caches, and by what
/// its allocator has not returned yet.
const GROWTH_MAX: u64 = 128 << 20;
const A_WHILE: Duration = Duration::from_secs(20);

/// Overloads a process, once a round: it slows everybody else.
pub async fn come(round: &Round, node: &Node) {
    let Ok(mut crowd) = round.site.crowd.try_lock() else { return };
    if crowd.came_in == Some(round.number) {
        return;
    }
    let began = round.site.now();
    let calm = crowd.ask(round, node, round.plan.crowd / TIMES, round.plan.rush / 3).await;
    if round.calm.is_cancelled() {
        return;
    }
    crowd.came_in = Some(round.number);
    round.tally.struck(Fault::Overload);
    let before = node.memory();
    let rush = crowd.ask(round, node, round.plan.crowd, round.plan.rush).await;
    let was_troubled = round.site.was_troubled(began, round.site.now());
    let after = shrunk(node, before + GROWTH_MAX).await;
    if after > before + GROWTH_MAX {
        let [before, after] = [before, after].map(|it| it >> 20);
        round.wrong(format!("a rush left process {} with {after} MiB, not {before}", node.name));
    }
    let took_ms = |quantile| rush.refused_us.value_at_quantile(quantile) as f64 / 1e3;
    round.tally.rushed(Rush {
        process: node.name.clone(),
        was_troubled,
        answered_calm_per_s: calm.answered_per_s(),
        answered_per_s: rush.answered_per_s(),
        refused: rush.refused_us.len(),
        refused_p50_ms: took_ms(0.5),
        refused_p99_ms: took_ms(0.99),
        memory_before_mib: before >> 20,
        memory_after_mib: after >> 20,
    });
}

/// The memory of a process once it is at most `most`, or after a while.
async fn shrunk(node: &Node, most: u64) -> u64 {
    let began = Instant::now();
    while node.memory() > most && began.elapsed() < A_WHILE {
        sleep(Duration::from_millis(100)).await;
    }
    node.memory()
}

/// A request and its outcome.
struct Asked {
    id: String,
    at: usize,
    outcome: Outcome,
    /// How long a refusal for overload took.
    refused_in: Option<Duration>,
}

/// The outcomes of many requests.
struct Answers {
    took: Duration,
    answered: usize,
    refused_us: Histogram<u64>,
}

impl Answers {
    fn answered_per_s(&self) -> f64 {
        self.answered as f64 / self.took.as_secs_f64()
    }
}

impl Crowd {
    /// Creates their matches before any fault.
    pub async fn gather(nodes: &[Arc<Node>], matches: usize) -> Crowd {
        let request = with_talk(4);
        let create = |(nth, node): (usize, &Arc<Node>)| {
            let (client, request_id) = (node.client.clone(), format!("crowd-{nth}"));
            let request = CreateMatchRequest { request_id, ..request.clone() };
            async move {
                // A machine with much else to do may answer none of the first attempts in time.
                for _ in 0..10 {
                    match client.ask(&request).await {
                        Ok(created) => return created.r#match.expect("a match").name,
                        Err(Failure { retry_ms, .. }) => {
                            sleep(Duration::from_millis(retry_ms.unwrap_or(0).into())).await;
                        }
                    }
                }
                panic!("a match of the crowd is never created");
            }
        };
        let creating = nodes.iter().cycle().take(matches).enumerate().map(create);
        let matches: Vec<String> = stream::iter(creating).buffer_unordered(STREAMS).collect().await;
        Crowd { matches, action: Some(speech()), ..Crowd::default() }
    }

    /// This many clients call, each again after its answer or its retry delay.
    async fn ask(&mut self, round: &Round, node: &Node, count: usize, time: Duration) -> Answers {
        let connect = |_| MatchServiceClient::new(endpoint(node.client.port()).connect_lazy());
        let connections: Vec<_> = (0..=count / STREAMS).map(connect).collect();
        let (crowd, began) = (&*self, Instant::now());
        let asking = (0..count).map(|nth| {
            let client = connections[nth % connections.len()].clone();
            crowd.go_on(round, node, client, nth, began + time)
        });
        let asked: Vec<Asked> = join_all(asking).await.into_iter().flatten().collect();
        let (took, mut answered) = (began.elapsed(), 0);
        let mut refused_us =
            Histogram::new_with_bounds(1, HOUR_US, 3).expect("bounds as they should be");
        self.times += 1;
        for Asked { id, at, outcome, refused_in } in asked {
            round.tally.submitted(outcome);
            refused_in.iter().for_each(|it| refused_us.saturating_record(it.as_micros() as u64));
            match outcome {
                Outcome::At(position) => {
                    answered += 1;
                    self.stands.insert(id, (at, position.into()));
                }
                Outcome::Unknown => _ = self.open.insert(id),
                Outcome::Nothing => {}
                Outcome::Moved(_) | Outcome::Refused => {
                    round.wrong(format!("{id} got {outcome:?}, although it is always legal"));
                }
            }
        }
        Answers { took, answered, refused_us }
    }

    /// One client's calls until the rush ends.
    async fn go_on(
        &self,
        round: &Round,
        node: &Node,
        mut client: MatchServiceClient<Channel>,
        nth: usize,
        until: Instant,
    ) -> Vec<Asked> {
        // A tenth of them call one match, the others all matches.
        let at = if nth.is_multiple_of(10) { 0 } else { nth % self.matches.len() };
        let mut asked = Vec::new();
        while Instant::now() < until && !round.calm.is_cancelled() {
            let id = format!("rush-{}-{nth}-{}", self.times, asked.len());
            let request = SubmitActionRequest {
                name: self.matches[at].clone(),
                action: self.action.clone(),
                seat: Some(0),
                request_id: id.clone(),
                ..<_>::default()
            };
            let called = Instant::now();
            let said = timeout(PATIENCE, client.submit_action(node.ask(request))).await;
            let took = called.elapsed();
            let (outcome, wait) = match said {
                Ok(said) => observed(round, &id, said.map(Response::into_inner)),
                Err(_) => (Outcome::Unknown, None),
            };
            asked.push(Asked { id, at, outcome, refused_in: wait.map(|_| took) });
            if !matches!(outcome, Outcome::At(_)) {
                let left = until.saturating_duration_since(Instant::now());
                round.pause(wait.unwrap_or(PAUSE).min(left)).await;
            }
        }
        asked
    }

    /// What is wrong with the record of all their requests.
    pub async fn look_over(&self, database: &mut PgConnection) -> Vec<String> {
        let query = "select 'matches/' || match_id, request_id, position from entries
                     where request_id like 'rush-%'";
        let rows: Vec<(String, String, i64)> =
            sqlx::query_as(query).fetch_all(database).await.expect("rows");
        let mut missing: HashSet<&String> = self.stands.keys().collect();
        let mut findings = Vec::new();
        for (name, id, position) in rows {
            match self.stands.get(&id) {
                Some((at, told)) if (&self.matches[*at], *told) == (&name, position) => {
                    if !missing.remove(&id) {
                        findings.push(format!("{id} is recorded twice"));
                    }
                }
                Some((_, told)) => {
                    findings
                        .push(format!("{id} is recorded at {position} of {name}, not at {told}"));
                }
                None if self.open.contains(&id) => {}
                None => findings
                    .push(format!("{id} is recorded at {position}, although it was refused")),
            }
        }
        findings.extend(missing.into_iter().map(|id| format!("{id} was acknowledged and is lost")));
        findings
    }
}

/// The outcome of a request, and the retry delay if it was refused for overload.
fn observed(
    round: &Round,
    id: &str,
    said: Result<SubmitActionResponse, Status>,
) -> (Outcome, Option<Duration>) {
    let failure = match said {
        Ok(answer) => return (Outcome::At(answer.entry.expect("an entry").position), None),
        Err(status) => Failure::of_status(&status),
    };
    let wait = failure.retry_ms.filter(|_| failure.reason == "OVERLOADED");
    let outcome = match Said::of(&failure) {
        Said::Outcome(outcome) => outcome,
        Said::Wrong(wrong) => {
            round.wrong(format!("{id} was refused: {wrong}"));
            Outcome::Unknown
        }
    };
    (outcome, wait.map(|ms| Duration::from_millis(ms.into())))
}
