//! The platform at work beside its players: it creates matches, seats players, tags, subscribes,
//! acknowledges what it reads and manages its keys, and it gives up calls of every rpc at random
//! moments. Every write that was acknowledged is looked up in the end.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use accounts::Accounts;
use api::ApiKey;
use contract::v1::*;
use database::Database;
use sqlx::postgres::PgConnection;
use tokio::time::{sleep, timeout};
use tonic::Code;

use super::history::Outcome;
use super::plan::{Dice, Fault};
use super::round::Round;
use super::site::Node;
use super::table::{PATIENCES, Said};
use crate::grants::{NO_CODE, OF_OPERATORS, requests};
use crate::harness::{Failure, PROTOCOLS, Protocol, Rpc, STREAMING, methods, new_match, now};

/// The writes that were acknowledged to a platform.
#[derive(Default)]
pub struct Acknowledged {
    matches: Vec<Opened>,
    /// By subscription: the names of the entries that were acknowledged.
    subscriptions: BTreeMap<String, BTreeSet<String>>,
    deleted: Vec<String>,
    keys: Vec<ApiKey>,
    revoked: Vec<ApiKey>,
}

/// A match that waits for players.
struct Opened {
    name: String,
    tags: BTreeMap<String, String>,
    players: BTreeMap<u32, String>,
}

/// The seats of such a match: one stays open, so that it is never dealt.
const SEATS: u32 = 4;
/// The tags that are set in a match, fewer than it may have, each once: a call that was given up
/// may take effect later, and must not change the tag of another.
const TAGS: usize = 8;
/// The longest that a call is waited for that is going to be given up.
const GIVEN_UP_AFTER: Duration = Duration::from_millis(20);
/// How long a consumer waits for its next entries.
const READING: Duration = Duration::from_secs(3);
/// The consumer of every subscription: it gets its buckets back when it returns.
const CONSUMER: &str = "torture";

/// Works until the faults end, and returns what was acknowledged.
pub async fn work(round: Arc<Round>, number: usize) -> Acknowledged {
    let dice = round.dice(&format!("platform {number}"));
    let name = format!("{}-{}-{number}", round.plan.seed, round.number);
    let mut worker = Worker { round, name, dice, next: 0, done: Acknowledged::default() };
    while !worker.round.calm.is_cancelled() {
        worker.write().await;
        sleep(worker.dice.within(Duration::from_millis(20))).await;
    }
    worker.done
}

struct Worker {
    round: Arc<Round>,
    /// Distinguishes what it creates.
    name: String,
    dice: Dice,
    next: u32,
    done: Acknowledged,
}

impl Worker {
    /// A write of a random kind, repeated until it is answered.
    async fn write(&mut self) {
        let written = match self.dice.below(12) {
            0 | 1 => self.create_match().await,
            2..5 => self.seat_player().await,
            5..8 => self.tag_match().await,
            8 => self.subscribe().await,
            9 => self.read_and_acknowledge().await,
            10 => self.unsubscribe().await,
            _ => self.create_or_revoke_key().await,
        };
        if let Some(kind) = written {
            self.round.tally.operation(kind);
        }
    }

    async fn create_match(&mut self) -> Option<&'static str> {
        let name = self.fresh_name();
        let tags = BTreeMap::from([("name".to_owned(), name.clone())]);
        let request = CreateMatchRequest {
            players: vec![name.clone()],
            tags: tags.clone().into_iter().collect(),
            request_id: name.clone(),
            ..new_match(SEATS)
        };
        let created = self.insist(&request).await?;
        let created = created.inspect_err(|failure| self.refused("created a match", failure));
        let created = created.ok()?.r#match.expect("a match");
        let players = BTreeMap::from([(0, name)]);
        self.done.matches.push(Opened { name: created.name, tags, players });
        Some("matches created by the platform")
    }

    async fn seat_player(&mut self) -> Option<&'static str> {
        let nth = self.any_match(|it| it.players.len() + 1 < SEATS as usize)?;
        let (name, player) = (self.done.matches[nth].name.clone(), self.fresh_name());
        let request = JoinMatchRequest { name, player: player.clone(), ..Default::default() };
        let joined = self.insist(&request).await?;
        let joined = joined.inspect_err(|failure| self.refused("seated", failure)).ok()?;
        self.done.matches[nth].players.insert(joined.seat, player);
        Some("seats taken")
    }

    async fn tag_match(&mut self) -> Option<&'static str> {
        let nth = self.any_match(|it| it.tags.len() < TAGS)?;
        let name = self.done.matches[nth].name.clone();
        let (key, value) = (format!("t{}", self.done.matches[nth].tags.len()), self.fresh_name());
        let set = [(key.clone(), value.clone())].into();
        let tagged = self.insist(&TagMatchRequest { name, set, remove: Vec::new() }).await?;
        tagged.inspect_err(|failure| self.refused("tagged", failure)).ok()?;
        self.done.matches[nth].tags.insert(key, value);
        Some("tags set")
    }

    async fn subscribe(&mut self) -> Option<&'static str> {
        let name = format!("subscriptions/{}", self.fresh_name());
        let request = CreateSubscriptionRequest { name: name.clone(), ..Default::default() };
        let created = self.insist(&request).await?;
        created.inspect_err(|failure| self.refused("subscribed", failure)).ok()?;
        self.done.subscriptions.insert(name, BTreeSet::new());
        Some("subscriptions created")
    }

    /// Reads some messages of a subscription and acknowledges them.
    async fn read_and_acknowledge(&mut self) -> Option<&'static str> {
        let name = self.any_subscription()?;
        let client = self.round.site.any(&mut self.dice).client.speaking(Protocol::Grpc);
        let consumer = CONSUMER.to_owned();
        let request = ConsumeSubscriptionRequest {
            name: name.clone(),
            consumer,
            heartbeat: Some(contract::seconds(1)),
            ..Default::default()
        };
        let messages = 1 + self.dice.below(3);
        let mut read = BTreeSet::new();
        let mut cursor = None;
        let reading = async {
            let mut stream = client.stream(&request).await;
            for _ in 0..messages {
                let Ok(Some(batch)) = stream.next().await else { return };
                for it in batch.message.entries {
                    read.insert(it.entry.expect("an entry").name);
                }
                cursor = Some(batch.message.cursor);
            }
        };
        let _ = timeout(READING, reading).await;
        let request = AcknowledgeEntriesRequest { name: name.clone(), cursor: cursor? };
        let acknowledged = self.insist(&request).await?;
        acknowledged.inspect_err(|failure| self.refused("acknowledged", failure)).ok()?;
        self.done.subscriptions.entry(name).or_default().append(&mut read);
        Some("acknowledgements")
    }

    async fn unsubscribe(&mut self) -> Option<&'static str> {
        if self.done.subscriptions.len() < 4 {
            return None;
        }
        let name = self.any_subscription()?;
        // Were it never answered, it would be unknown whether it is there.
        self.done.subscriptions.remove(&name);
        match self
            .insist(&DeleteSubscriptionRequest { name: name.clone(), ..<_>::default() })
            .await?
        {
            Ok(_) => {}
            // An attempt before deleted it.
            Err(failure) if failure.code == Code::NotFound => {}
            Err(failure) => {
                self.refused("unsubscribed", &failure);
                return None;
            }
        }
        self.done.deleted.push(name);
        Some("subscriptions deleted")
    }

    /// Keys are managed in the database, by a program that an operator may interrupt.
    async fn create_or_revoke_key(&mut self) -> Option<&'static str> {
        let mut options = database::Options::new(self.round.site.postgres.options());
        options.query_connections = 3;
        let database = Database::connect(options).await.ok()?;
        let done = self.create_or_revoke_key_in(&Accounts::new(&database)).await;
        database.close().await;
        done
    }

    async fn create_or_revoke_key_in(&mut self, accounts: &Accounts) -> Option<&'static str> {
        let (key, now) = (ApiKey::new("local").expect("randomness"), now());
        let create = async || {
            accounts.create_platform_key("local", &key.key_id, key.hash().as_bytes(), now).await
        };
        if self.round.plan.has(Fault::Vanish) {
            let _ = timeout(self.dice.within(GIVEN_UP_AFTER), create()).await;
        }
        create().await.ok()?;
        let revokes = self.dice.one_in(2);
        if revokes && accounts.revoke_platform_key("local", &key.key_id, now).await.is_ok() {
            self.done.revoked.push(key);
            return Some("keys revoked");
        }
        if !revokes {
            self.done.keys.push(key);
        }
        Some("keys created")
    }

    fn fresh_name(&mut self) -> String {
        self.next += 1;
        format!("{}-{}", self.name, self.next)
    }

    fn any_match(&mut self, fits: impl Fn(&Opened) -> bool) -> Option<usize> {
        let fitting = self.done.matches.iter().enumerate().filter(|(_, it)| fits(it));
        let fitting: Vec<usize> = fitting.map(|(nth, _)| nth).collect();
        (!fitting.is_empty()).then(|| *self.dice.pick(&fitting))
    }

    fn any_subscription(&mut self) -> Option<String> {
        let names: Vec<&String> = self.done.subscriptions.keys().collect();
        (!names.is_empty()).then(|| (*self.dice.pick(&names)).clone())
    }

    fn refused(&self, what: &str, failure: &Failure) {
        self.round.wrong(format!("the platform could not have {what}: {failure:?}"));
    }

    /// Sends a request until it is answered, to any process, over any protocol; some attempts are
    /// given up in the middle. None if it never was.
    async fn insist<R: Rpc>(&mut self, request: &R) -> Option<Result<R::Answer, Failure>> {
        while !self.round.end.is_cancelled() {
            let node = self.round.site.any(&mut self.dice);
            let client = node.client.speaking(*self.dice.pick(&PROTOCOLS));
            let gives_up = self.round.plan.has(Fault::Vanish) && self.dice.one_in(3);
            let patience = match gives_up {
                true => self.dice.within(GIVEN_UP_AFTER),
                false => PATIENCES[0],
            };
            match timeout(patience, client.ask(request)).await {
                Ok(Ok(answer)) => return Some(Ok(answer)),
                Ok(Err(failure)) if failure.code == Code::NotFound => return Some(Err(failure)),
                // Nobody makes room.
                Ok(Err(failure)) if failure.reason == "QUOTA_EXCEEDED" => {
                    return Some(Err(failure));
                }
                Ok(Err(failure)) => match Said::of(&failure) {
                    Said::Outcome(Outcome::Nothing | Outcome::Unknown) => {}
                    Said::Outcome(_) | Said::Wrong(_) => return Some(Err(failure)),
                },
                Err(_) if gives_up => self.round.tally.struck(Fault::Vanish),
                Err(_) => {}
            }
            sleep(self.dice.within(Duration::from_millis(100))).await;
        }
        self.round.wrong(format!("a {} was never answered", R::METHOD));
        None
    }
}

/// Begins calls of every rpc and gives them up, until the faults end.
pub async fn give_up_calls(round: Arc<Round>, number: usize) {
    let mut dice = round.dice(&format!("calls given up, {number}"));
    if !round.plan.has(Fault::Vanish) {
        return;
    }
    let scratch = loop {
        if round.calm.is_cancelled() {
            return;
        }
        let client = round.site.any(&mut dice).client.clone();
        // A seat stays open for those who join.
        let request = CreateMatchRequest { players: Vec::new(), ..new_match(2) };
        if let Ok(Ok(created)) = timeout(PATIENCES[0], client.ask(&request)).await {
            break created.r#match.expect("a match").name;
        }
        sleep(Duration::from_millis(50)).await;
    };
    // The scratch match stays: deletions are of one that nobody has.
    let nobodys = "matches/00000000-0000-4000-8000-000000000000";
    let is_deletion = |it: &(&str, String)| it.0 == "DeleteMatch";
    let mut calls = requests(&scratch);
    calls.retain(|it| !is_deletion(it));
    calls.extend(requests(nobodys).into_iter().filter(is_deletion));
    calls.push(("ListGames", "{}".to_owned()));
    calls.push(("GetGame", r#"{"name":"games/mountebank"}"#.to_owned()));
    calls.push(("GetRules", r#"{"name":"games/mountebank/rules"}"#.to_owned()));
    calls.push(("SignIn", NO_CODE.to_owned()));
    calls.push(("Play", format!(r#"{{"actions":[{{"name":"{scratch}"}}]}}"#)));
    calls.extend(OF_OPERATORS.map(|(rpc, request)| (rpc, request.to_owned())));
    assert_eq!(calls.len(), methods().len(), "each rpc of the contract");
    while !round.calm.is_cancelled() {
        let (rpc, request) = dice.pick(&calls);
        let client = round.site.any(&mut dice).client.clone();
        // Only gRPC has streams of requests, and REST has no modules.
        let client = match *rpc {
            "Play" | "InstallGame" => client.speaking(Protocol::Grpc),
            _ => client.speaking(*dice.pick(&STREAMING)),
        };
        let patience = dice.within(GIVEN_UP_AFTER);
        if timeout(patience, client.call(rpc, request)).await.is_err() {
            round.tally.struck(Fault::Vanish);
            round.tally.operation("calls given up");
        }
    }
}

impl Acknowledged {
    /// Looks up every acknowledged write, by a fresh process and in the database.
    pub async fn look_over(self, node: &Node, database: &mut PgConnection) -> Vec<String> {
        let mut findings = Vec::new();
        for opened in &self.matches {
            findings.extend(opened.look_up(node).await.err());
        }
        for (name, read) in &self.subscriptions {
            let found = node.client.ask(&GetSubscriptionRequest { name: name.clone() }).await;
            if let Err(failure) = found {
                findings.push(format!("{name} was created and is lost: {failure:?}"));
            }
            // Entries have bucket positions of their own.
            let acknowledged = acknowledged(database, name).await;
            if acknowledged < read.len() as i64 {
                let read = read.len();
                findings.push(format!("{name}: {read} acknowledged, {acknowledged} are left"));
            }
        }
        for name in &self.deleted {
            match node.client.ask(&GetSubscriptionRequest { name: name.clone() }).await {
                Err(failure) if failure.code == Code::NotFound => {}
                other => findings.push(format!("{name} was deleted: {other:?}")),
            }
        }
        let request = ListMatchesRequest { page_size: 1, ..Default::default() };
        for key in &self.keys {
            if let Err(failure) = node.client.holding(key.to_string()).ask(&request).await {
                findings.push(format!("the key {} was created: {failure:?}", key.key_id));
            }
        }
        for key in &self.revoked {
            match node.client.holding(key.to_string()).ask(&request).await {
                Err(failure) if failure.code == Code::Unauthenticated => {}
                other => findings.push(format!("the key {} was revoked: {other:?}", key.key_id)),
            }
        }
        findings
    }
}

impl Opened {
    async fn look_up(&self, node: &Node) -> Result<(), String> {
        let found = node
            .client
            .ask(&GetMatchRequest { name: self.name.clone(), ..GetMatchRequest::default() })
            .await;
        let found = found.map_err(|failure| format!("{} is lost: {failure:?}", self.name))?;
        let found = found.r#match.expect("a match");
        for (key, value) in &self.tags {
            if found.tags.get(key) != Some(value) {
                return Err(format!("{}: the tag {key}, {value} is lost", self.name));
            }
        }
        for (seat, player) in &self.players {
            if found.seats.iter().all(|it| (it.seat, &it.player) != (*seat, player)) {
                return Err(format!("{}: {player} has lost seat {seat}", self.name));
            }
        }
        Ok(())
    }
}

/// The number of entries that are acknowledged in the database.
async fn acknowledged(database: &mut PgConnection, subscription: &str) -> i64 {
    let sum = "select coalesce(sum(acknowledged), 0)::int8 from subscription_cursors
               where platform = 'local' and subscription = $1";
    let name = subscription.trim_start_matches("subscriptions/").to_owned();
    sqlx::query_scalar(sum).bind(name).fetch_one(database).await.expect("a number")
}
