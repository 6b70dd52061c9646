//! Clients: they look, act, ask again, go away in the middle, and watch; each call goes to any process.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use api::v1::entry_service_client::EntryServiceClient;
use api::v1::*;
use tokio::time::{sleep, timeout};
use tonic::transport::Channel;
use tonic::{Request, Status, Streaming};
use tonic_types::StatusExt;

use super::history::Outcome;
use super::plan::{Dice, Fault};
use super::table::{Account, Call, InFlight, PATIENCES, Said, Table, Wish};
use crate::harness::PATIENCE;

/// Plays a match to its end, for whichever seat is asked.
pub async fn join(table: Arc<Table>, client: u32, dice: Dice) {
    let mut player = Player { table, client, dice };
    while player.table.goes_on() {
        match player.look().await {
            Some((position, asked)) if !asked.is_empty() => player.act(position, &asked).await,
            Some(_) => {}
            None => player.rest(Duration::from_millis(50)).await,
        }
    }
}

struct Player {
    table: Arc<Table>,
    client: u32,
    dice: Dice,
}

impl Player {
    /// Where the match is, and who is asked.
    async fn look(&mut self) -> Option<(i64, Vec<u32>)> {
        let (node, name) = (self.table.round.site.any(&mut self.dice), self.table.name());
        let mut matches = node.matches();
        let asking = matches.get_match(node.ask(GetMatchRequest { name }));
        let (call, told) = self.table.look(&mut self.dice, asking).await?;
        let told = told.r#match.expect("a match");
        self.table.was_at(self.client, told.position, call);
        if told.state() == MatchState::Ended {
            self.table.is_over.store(true, Relaxed);
        }
        match self.dice.below(24) {
            0..4 => self.look_at_the_table().await,
            4 => self.look_back(told.position).await,
            5 => self.read().await,
            _ => {}
        }
        Some((told.position, told.waiting_for))
    }

    async fn look_at_the_table(&mut self) {
        if let Some((call, seen)) = self.view(None).await {
            self.table.was_at(self.client, seen.position, call);
            self.table.hear(|heard| heard.views.push(seen));
        }
    }

    async fn look_back(&mut self, position: i64) {
        let position = 1 + self.dice.below(position as usize) as i64;
        if let Some((_, seen)) = self.view(Some(position)).await {
            self.table.hear(|heard| heard.views.push(seen));
        }
    }

    async fn view(&mut self, position: Option<i64>) -> Option<(Call<()>, api::v1::Table)> {
        let (node, name) = (self.table.round.site.any(&mut self.dice), self.table.name());
        let viewer = self.table.viewer(&mut self.dice);
        let mut matches = node.matches();
        let asking =
            matches.get_view(node.ask(GetViewRequest { name, viewer, position, time: None }));
        let (call, seen) = self.table.look(&mut self.dice, asking).await?;
        Some((call, seen.table.expect("a table")))
    }

    /// Reads all that happened.
    async fn read(&mut self) {
        let (node, parent) = (self.table.round.site.any(&mut self.dice), self.table.name());
        let viewer = self.table.viewer(&mut self.dice);
        let request = ListEntriesRequest {
            parent,
            viewer: viewer.clone(),
            page_size: 1000,
            ..Default::default()
        };
        let mut entries = node.entries();
        let asking = entries.list_entries(node.ask(request));
        let Some((call, told)) = self.table.look(&mut self.dice, asking).await else { return };
        let entries = told.entries;
        self.table.was_at(self.client, entries.len() as i64, call);
        self.table.hear(|heard| heard.accounts.push(Account { viewer, entries, is_whole: false }));
    }

    /// Does something that the service says is legal, or gives up.
    async fn act(&mut self, position: i64, asked: &[u32]) {
        let round = &self.table.round;
        let gives_up = round.quiet.is_cancelled() && !round.plan.plays_out;
        let gives_up = gives_up || self.dice.one_in(400);
        let seat = *self.dice.pick(asked);
        let action = if gives_up { None } else { self.legal(seat).await };
        if action.is_none() && !gives_up {
            return;
        }
        let expected = (action.is_some() && self.dice.one_in(2)).then_some(position);
        self.insist(Wish { number: self.table.number(), seat, action, expected }).await;
    }

    /// A random kind of action, then a random one of that kind.
    async fn legal(&mut self, seat: u32) -> Option<api::Action> {
        let (node, name) = (self.table.round.site.any(&mut self.dice), self.table.name());
        let mut matches = node.matches();
        let request = ListLegalActionsRequest { name, seat: Some(seat) };
        let asking = matches.list_legal_actions(node.ask(request));
        let (call, legal) = self.table.look(&mut self.dice, asking).await?;
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

    /// Asks until it is answered; now and then at two processes at once, again after the answer, or never again.
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

    /// Asks a process once. Some clients do not wait for the answer.
    fn asking(&mut self, wish: &Wish) -> impl Future<Output = Outcome> + use<> {
        let (table, client, wish) = (self.table.clone(), self.client, wish.clone());
        let node = table.round.site.any(&mut self.dice);
        let vanishes = table.round.plan.has(Fault::Vanish) && self.dice.one_in(12);
        let patience = match vanishes {
            true => self.dice.within(Duration::from_millis(20)),
            false => *self.dice.pick(&PATIENCES),
        };
        async move {
            let in_flight = InFlight::of(&node, &table, wish.number);
            let call = table.call(patience, wish.send(&node, table.name())).await;
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

/// Watches a match to its end, through whatever breaks in between.
pub async fn watch(table: Arc<Table>, mut dice: Dice) {
    let viewer = table.viewer(&mut dice);
    let (mut entries, mut is_whole) = (Vec::new(), false);
    while !is_whole && !table.round.end.is_cancelled() {
        is_whole = watch_on(&table, &mut dice, &viewer, &mut entries).await;
        sleep(dice.within(Duration::from_millis(50))).await;
    }
    if !is_whole {
        table.wrong(format!("who watched as {viewer} waits for ever after {}", entries.len()));
    }
    table.hear(|heard| heard.accounts.push(Account { viewer, entries, is_whole }));
}

/// Opens streams of a match that are never read, at one process.
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

/// Opens so many streams on one connection, as far as they can be opened at once.
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

fn watching(parent: String, after_position: i64, viewer: &str) -> WatchEntriesRequest {
    WatchEntriesRequest { parent, after_position, viewer: viewer.to_owned() }
}

/// Watches for as long as the stream lasts, or a while. Says whether it ended well.
async fn watch_on(table: &Table, dice: &mut Dice, viewer: &str, entries: &mut Vec<Entry>) -> bool {
    let node = table.round.site.any(dice);
    let after_position = entries.len() as i64;
    let request = watching(table.name(), after_position, viewer);
    let mut client = node.entries();
    let opening = client.watch_entries(node.ask(request));
    let mut stream = match timeout(PATIENCE, opening).await {
        Ok(Ok(stream)) => stream.into_inner(),
        Ok(Err(status)) => {
            note_end(table, &status);
            return false;
        }
        Err(_) => return false,
    };
    let batches = if dice.one_in(2) { usize::MAX } else { dice.below(12) };
    for _ in 0..batches {
        // A process that is stopped says nothing, and does not say that it says nothing: whoever hears nothing asks another.
        let is_quiet = table.round.quiet.is_cancelled();
        let patience = if is_quiet { PATIENCE } else { PATIENCE / 3 };
        match timeout(patience, stream.message()).await {
            Ok(Ok(Some(batch))) => take(table, viewer, batch, entries),
            Ok(Ok(None)) => return true,
            Ok(Err(status)) => {
                note_end(table, &status);
                break;
            }
            Err(_) => {
                if is_quiet {
                    table.wrong(format!("a stream said nothing after {}", entries.len()));
                }
                break;
            }
        }
    }
    false
}

/// Notes why a stream broke, if it is something that must not be.
fn note_end(table: &Table, status: &Status) {
    // A process that has to serve from memory knows less than the watcher has seen elsewhere.
    let is_behind =
        status.get_details_error_info().is_some_and(|info| info.reason == "POSITION_AHEAD");
    let now = table.round.site.now();
    if is_behind && table.round.site.was_troubled(now, now) {
        table.round.tally.count("streams not taken up because a process was behind");
        return;
    }
    if let Some(wrong) = Said::of(status).wrong() {
        table.wrong(format!("a stream broke: {wrong}"));
    }
    table.round.tally.count("streams broken");
}

/// Takes what came, which follows what was there.
fn take(table: &Table, viewer: &str, batch: WatchEntriesResponse, entries: &mut Vec<Entry>) {
    table.round.tally.operation("batches watched");
    for entry in batch.entries {
        let next = entries.len() as i64 + 1;
        if entry.position != next {
            table.wrong(format!("{viewer} was told {} and not {next}", entry.position));
        }
        entries.push(entry);
    }
}
