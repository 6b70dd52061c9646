//! Clients: they read, act, retry, disconnect in the middle, and watch; each call goes to any
//! process.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use contract::v1::entry_service_client::EntryServiceClient;
use contract::v1::*;
use tokio::time::{sleep, timeout};
use tonic::transport::Channel;
use tonic::{Request, Streaming};

use super::history::Outcome;
use super::plan::{Dice, Fault};
use super::site::Node;
use super::table::{Account, Call, Demand, InFlight, PATIENCES, Table, Wish};
use crate::harness::{Client, Failure, PATIENCE, Protocol, STREAMING};

/// A client's protocol and credentials.
struct Voice {
    protocol: Protocol,
    /// The seat whose token it has; without one it uses the platform's key, which allows
    /// everything.
    seat: Option<(u32, String)>,
}

impl Voice {
    /// A random client of this table. Half use gRPC; of those that need not play every seat, a
    /// third hold a token.
    async fn any(table: &Table, dice: &mut Dice, plays_for_all: bool) -> Voice {
        let protocol = match dice.one_in(2) {
            true => Protocol::Grpc,
            false => *dice.pick(&STREAMING),
        };
        let seat = match !plays_for_all && dice.one_in(3) {
            true => hold_token(table, dice).await,
            false => None,
        };
        let tally = &table.round.tally;
        tally.count(format!("clients over {protocol:?}"));
        tally.add("clients with a seat's token", usize::from(seat.is_some()));
        Voice { protocol, seat }
    }

    fn at(&self, node: &Node) -> Client {
        let client = node.client.speaking(self.protocol);
        match &self.seat {
            Some((_, token)) => client.holding(token),
            None => client,
        }
    }

    fn plays(&self, seat: u32) -> bool {
        self.seat.as_ref().is_none_or(|it| it.0 == seat)
    }

    /// Its seat's viewer; any viewer, if it may use all.
    fn viewer(&self, table: &Table, dice: &mut Dice) -> String {
        match &self.seat {
            Some((seat, _)) => format!("seats/{seat}"),
            None => table.viewer(dice),
        }
    }
}

/// Creates a token for a random seat. None if the match ends before that succeeds.
async fn hold_token(table: &Table, dice: &mut Dice) -> Option<(u32, String)> {
    let seat = dice.below(table.made.seats.len()) as u32;
    let request = CreateTokenRequest { parent: table.name(), seat: Some(seat), lifetime: None };
    while table.goes_on() {
        let node = table.round.site.any(dice);
        if let Some((_, minted)) = table.look(dice, &node.client, &request).await {
            return Some((seat, minted.token));
        }
        sleep(dice.within(Duration::from_millis(50))).await;
    }
    None
}

/// Plays a match to its end, acting for each asked seat that it may play. The first client may play
/// all seats, so that the match ends.
pub async fn join(table: Arc<Table>, client: u32, mut dice: Dice) {
    let voice = Voice::any(&table, &mut dice, client == 0).await;
    let mut player = Player { table, client, voice, dice };
    while player.table.goes_on() {
        match player.look().await {
            Some((position, asked)) if !asked.is_empty() => player.act(position, &asked).await,
            _ => player.rest(Duration::from_millis(50)).await,
        }
    }
}

/// When a match is resigned: most games are shorter than half of this, and one is eight times as
/// long.
const LONG: i32 = 200;

struct Player {
    table: Arc<Table>,
    client: u32,
    voice: Voice,
    dice: Dice,
}

impl Player {
    /// A random process.
    fn any(&mut self) -> Client {
        self.voice.at(&self.table.round.site.any(&mut self.dice))
    }

    /// The match's position, and the asked seats that it may play.
    async fn look(&mut self) -> Option<(i32, Vec<u32>)> {
        let (client, request) =
            (self.any(), GetMatchRequest { name: self.table.name(), ..GetMatchRequest::default() });
        let (call, told) = self.table.look(&mut self.dice, &client, &request).await?;
        let told = told.r#match.expect("a match");
        self.table.was_at(self.client, told.position, call);
        if told.state() == MatchState::Ended {
            self.table.is_over.store(true, Relaxed);
        }
        match self.dice.below(24) {
            0..4 => self.look_at_the_table().await,
            4 => self.read_past(told.position).await,
            5 => self.read().await,
            _ => {}
        }
        let asked = told.waiting_for.into_iter().filter(|&seat| self.voice.plays(seat));
        Some((told.position, asked.collect()))
    }

    async fn look_at_the_table(&mut self) {
        if let Some((call, seen)) = self.view(None).await {
            self.table.was_at(self.client, seen.position, call);
            self.table.observe(|observed| observed.views.push(seen));
        }
    }

    async fn read_past(&mut self, position: i32) {
        let position = 1 + self.dice.below(position as usize) as i32;
        if let Some((_, seen)) = self.view(Some(position)).await {
            self.table.observe(|observed| observed.views.push(seen));
        }
    }

    async fn view(&mut self, position: Option<i32>) -> Option<(Call<()>, contract::v1::Table)> {
        let (client, name) = (self.any(), self.table.name());
        let viewer = self.voice.viewer(&self.table, &mut self.dice);
        let request =
            GetViewRequest { name, viewer, position, read_time: None, ..GetViewRequest::default() };
        let (call, seen) = self.table.look(&mut self.dice, &client, &request).await?;
        Some((call, seen.table.expect("a table")))
    }

    /// Reads all entries.
    async fn read(&mut self) {
        let (client, parent) = (self.any(), self.table.name());
        let viewer = self.voice.viewer(&self.table, &mut self.dice);
        let request = ListEntriesRequest {
            parent,
            viewer: viewer.clone(),
            page_size: 1000,
            ..Default::default()
        };
        let Some((call, told)) = self.table.look(&mut self.dice, &client, &request).await else {
            return;
        };
        let entries = told.entries;
        self.table.was_at(self.client, entries.len() as i32, call);
        self.table.observe(|observed| {
            observed.accounts.push(Account { viewer, entries, is_whole: false })
        });
    }

    /// Submits a legal action and sometimes takes it back, or resigns.
    async fn act(&mut self, position: i32, asked: &[u32]) {
        let round = &self.table.round;
        let gives_up = round.hurry.is_cancelled() || position > LONG || self.dice.one_in(400);
        let seat = *self.dice.pick(asked);
        if gives_up {
            return self.insist(self.wish(seat, Demand::Resignation)).await;
        }
        let Some(action) = self.legal(seat).await else { return };
        let expected = self.dice.one_in(2).then_some(position);
        self.insist(Wish { expected, ..self.wish(seat, Demand::Action(action)) }).await;
        if self.dice.one_in(8) {
            self.insist(self.wish(seat, Demand::TakeBack)).await;
        }
    }

    fn wish(&self, seat: u32, what: Demand) -> Wish {
        Wish { number: self.table.number(), seat, what, expected: None }
    }

    /// A random kind of action, then a random action of it.
    async fn legal(&mut self, seat: u32) -> Option<contract::Action> {
        let (client, name) = (self.any(), self.table.name());
        let request = ListLegalActionsRequest { name, seat: Some(seat), ..Default::default() };
        let (call, legal) = self.table.look(&mut self.dice, &client, &request).await?;
        self.table.was_at(self.client, legal.position, call);
        let mut verbs: Vec<&str> = legal.actions.iter().map(|it| it.verb.as_str()).collect();
        verbs.dedup();
        if verbs.is_empty() {
            return None;
        }
        let verb = *self.dice.pick(&verbs);
        let alike: Vec<_> = legal.actions.iter().filter(|it| it.verb == verb).collect();
        self.dice.pick(&alike).action.clone()
    }

    /// Sends a request until it is answered; sometimes to two processes at once, again after the
    /// answer, or never again.
    async fn insist(&mut self, wish: Wish) {
        let asks_once = self.dice.one_in(8);
        loop {
            let outcome = match self.dice.one_in(12) {
                true => self.ask_twice(&wish).await,
                false => self.ask(&wish).await,
            };
            match outcome {
                Outcome::At(_) if self.dice.one_in(10) => {
                    self.ask(&wish).await;
                    return;
                }
                Outcome::At(_) | Outcome::Moved(_) | Outcome::Refused => return,
                Outcome::Nothing | Outcome::Unknown if asks_once => return,
                Outcome::Nothing | Outcome::Unknown => self.rest(Duration::from_millis(100)).await,
            }
            if self.table.round.end.is_cancelled() {
                return self.table.wrong(format!("request {} was never answered", wish.number));
            }
        }
    }

    async fn ask(&mut self, wish: &Wish) -> Outcome {
        self.asking(wish).await
    }

    async fn ask_twice(&mut self, wish: &Wish) -> Outcome {
        let (one, two) = (self.asking(wish), self.asking(wish));
        let (one, two) = tokio::join!(one, two);
        match one {
            Outcome::Nothing | Outcome::Unknown => two,
            _ => one,
        }
    }

    /// Sends a request once. Some clients do not wait for the answer.
    fn asking(&mut self, wish: &Wish) -> impl Future<Output = Outcome> + use<> {
        let (table, client, wish) = (self.table.clone(), self.client, wish.clone());
        let node = table.round.site.any(&mut self.dice);
        let voice = self.voice.at(&node);
        let vanishes = table.round.plan.has(Fault::Vanish) && self.dice.one_in(12);
        let patience = match vanishes {
            true => self.dice.within(Duration::from_millis(20)),
            false => *self.dice.pick(&PATIENCES),
        };
        async move {
            let in_flight = InFlight::of(&node, &table, wish.number);
            let call = table.call(patience, wish.send(&voice, table.name())).await;
            drop(in_flight);
            if vanishes && call.said.is_none() {
                table.round.tally.struck(Fault::Vanish);
            }
            table.was_told(client, &wish, call)
        }
    }

    async fn rest(&mut self, longest: Duration) {
        sleep(self.dice.within(longest)).await;
    }
}

/// How long a stream may be silent without faults.
const SILENCE: Duration = Duration::from_secs(10);

/// Watches a match to its end, resuming after every failure.
pub async fn watch(table: Arc<Table>, mut dice: Dice) {
    let voice = Voice::any(&table, &mut dice, false).await;
    let viewer = voice.viewer(&table, &mut dice);
    let (mut entries, mut is_whole) = (Vec::new(), false);
    while !is_whole && !table.round.end.is_cancelled() {
        let watching = watch_on(&table, &mut dice, &voice, &viewer, &mut entries);
        // A stream of a match that goes nowhere has heartbeats for ever.
        is_whole = table.round.end.run_until_cancelled(watching).await.unwrap_or(false);
        sleep(dice.within(Duration::from_millis(50))).await;
    }
    if !is_whole {
        table.wrong(format!("the watcher {viewer} got nothing more after entry {}", entries.len()));
    }
    table.observe(|observed| observed.accounts.push(Account { viewer, entries, is_whole }));
}

/// Opens streams of a match at one process and never reads them.
pub async fn fall_asleep(table: &Table, dice: &mut Dice) -> Vec<Streaming<WatchEntriesResponse>> {
    let round = &table.round;
    if !round.plan.has(Fault::SleepingStreams) {
        return Vec::new();
    }
    let count = round.plan.sleepers / round.plan.tables;
    let node = round.site.any(dice);
    let asleep = sleepers(&node.asleep(), count, || node.ask(watching(table.name(), 0, ""))).await;
    if !asleep.is_empty() {
        round.tally.struck(Fault::SleepingStreams);
        round.tally.add("streams that are never read", asleep.len());
    }
    asleep
}

/// Opens this many streams on one connection, or as many as it allows.
pub async fn sleepers(
    client: &EntryServiceClient<Channel>,
    count: usize,
    request: impl Fn() -> Request<WatchEntriesRequest>,
) -> Vec<Streaming<WatchEntriesResponse>> {
    let opening = (0..count).map(|_| {
        let (mut client, request) = (client.clone(), request());
        async move { timeout(PATIENCE, client.watch_entries(request)).await.ok()?.ok() }
    });
    let opened = futures::future::join_all(opening).await;
    opened.into_iter().flatten().map(tonic::Response::into_inner).collect()
}

fn watching(parent: String, after_position: i32, viewer: &str) -> WatchEntriesRequest {
    WatchEntriesRequest {
        parent,
        after_position,
        viewer: viewer.to_owned(),
        ..WatchEntriesRequest::default()
    }
}

/// Watches until the stream ends or for a while. Returns whether it ended well.
async fn watch_on(
    table: &Table,
    dice: &mut Dice,
    voice: &Voice,
    viewer: &str,
    entries: &mut Vec<Entry>,
) -> bool {
    let client = voice.at(&table.round.site.any(dice));
    let request = watching(table.name(), entries.len() as i32, viewer);
    let Ok(mut stream) = timeout(SILENCE, client.watch(&request)).await else { return false };
    let batches = if dice.one_in(2) { usize::MAX } else { dice.below(12) };
    for _ in 0..batches {
        // A stopped process is silent without closing its streams: a client that receives nothing
        // calls another process.
        let is_quiet = table.round.quiet.is_cancelled();
        let patience = if is_quiet { SILENCE } else { SILENCE / 2 };
        match timeout(patience, stream.next()).await {
            Ok(Ok(Some(batch))) => take(table, viewer, batch.message, entries),
            Ok(Ok(None)) => return true,
            Ok(Err(failure)) => {
                note_end(table, &failure);
                break;
            }
            Err(_) => {
                if is_quiet {
                    table.wrong(format!("a stream was silent after entry {}", entries.len()));
                }
                break;
            }
        }
    }
    false
}

fn note_end(table: &Table, failure: &Failure) {
    table.was_refused(table.round.site.now(), failure);
    table.round.tally.count("streams broken");
}

/// Checks that received entries follow those before.
fn take(table: &Table, viewer: &str, batch: WatchEntriesResponse, entries: &mut Vec<Entry>) {
    table.round.tally.operation("batches watched");
    for entry in batch.entries {
        let next = entries.len() as i32 + 1;
        if entry.position != next {
            table.wrong(format!("{viewer} received entry {} instead of {next}", entry.position));
        }
        entries.push(entry);
    }
}
