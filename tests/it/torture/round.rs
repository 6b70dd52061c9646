//! A round: matches are played while faults strike, finished without faults, and then audited.

use std::sync::Arc;
use std::time::{Duration, Instant};

use contract::v1::*;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::clients::{fall_asleep, join, watch};
use super::plan::{Dice, OF_SERVICES, Plan};
use super::site::{Node, Site};
use super::table::{PATIENCES, Table};
use super::tally::Tally;
use super::{audit, faults, platform, surroundings};
use crate::harness::{Service, new_match};

/// The shared state of a round.
pub struct Round {
    pub plan: Plan,
    pub number: usize,
    pub site: Arc<Site>,
    pub tally: Arc<Tally>,
    /// No more faults and no more new matches.
    pub calm: CancellationToken,
    /// Everything runs again and answers.
    pub quiet: CancellationToken,
    /// Matches are to end now: their players resign.
    pub hurry: CancellationToken,
    /// Clients that are not done by now never will be.
    pub end: CancellationToken,
}

/// How long after the faults matches are played on before they are resigned.
const PLAYED_ON: Duration = Duration::from_secs(30);

/// After the faults, running matches end within this time.
const CALM_MAX: Duration = Duration::from_secs(60);

/// Tasks that write for the platform, and as many that give up calls. Most wait for a process that
/// is stopped or down.
const PLATFORM_TASKS: usize = 12;

/// Enough for a few dozen matches and some thousand streams.
const MEMORY_MAX: u64 = 512 << 20;

impl Round {
    pub fn dice(&self, actor: &str) -> Dice {
        Dice::of(self.plan.seed, self.number, actor)
    }

    /// Sleeps until the faults end at the latest.
    pub async fn pause(&self, time: Duration) {
        let _ = timeout(time, self.calm.cancelled()).await;
    }

    pub fn wrong(&self, finding: String) {
        self.tally.wrong(format!("round {}: {finding}", self.number));
    }

    /// Plays the round and returns the processes, running.
    pub async fn play(self: Arc<Round>, services: Vec<Service>, time: Duration) -> Vec<Service> {
        let mut seating = JoinSet::new();
        for number in 0..self.plan.tables {
            seating.spawn(self.clone().seat(number));
        }
        let (mut working, mut giving_up) = (JoinSet::new(), JoinSet::new());
        for number in 0..PLATFORM_TASKS {
            working.spawn(platform::work(self.clone(), number));
            giving_up.spawn(platform::give_up_calls(self.clone(), number));
        }
        let weighing = tokio::spawn(self.clone().weigh());
        let (services, (), ()) = tokio::join!(
            self.strike(services, time),
            faults::strike_nats(self.clone()),
            surroundings::strike(self.clone()),
        );
        let played = self.settle(seating).await;
        weighing.abort();
        let acknowledged = working.join_all().await;
        giving_up.join_all().await;
        audit::look_over(&self, played, acknowledged).await;
        services
    }

    /// Injects faults for this long.
    async fn strike(self: &Arc<Round>, services: Vec<Service>, time: Duration) -> Vec<Service> {
        let mut striking = JoinSet::new();
        for (index, service) in services.into_iter().enumerate() {
            striking.spawn(faults::strike_service(self.clone(), index, service));
        }
        let spares_postgres =
            self.number.is_multiple_of(2) && !self.plan.only(&OF_SERVICES).is_empty();
        let postgres = match spares_postgres {
            true => tokio::spawn(async {}),
            false => tokio::spawn(faults::strike_postgres(self.clone())),
        };
        sleep(time).await;
        self.calm.cancel();
        postgres.await.expect("the database is back");
        let mut services = striking.join_all().await;
        services.sort_by(|one, two| one.folder.cmp(&two.folder));
        self.quiet.cancel();
        services
    }

    /// Waits until all matches and their watchers have ended.
    async fn settle(&self, mut seating: JoinSet<Vec<Arc<Table>>>) -> Vec<Arc<Table>> {
        let began = Instant::now();
        let ending = async {
            if self.plan.plays_out {
                sleep(PLAYED_ON).await;
            }
            self.hurry.cancel();
            sleep(CALM_MAX.saturating_sub(began.elapsed())).await;
            self.end.cancel();
            std::future::pending().await
        };
        let mut played = Vec::new();
        let settling = async {
            while let Some(seated) = seating.join_next().await {
                played.extend(seated.expect("clients are well"));
            }
        };
        tokio::select! {
            () = settling => {}
            () = ending => {}
        }
        self.tally.at_most("longest recovery, in ms", began.elapsed().as_millis() as usize);
        self.tally.add("matches played", played.len());
        played
    }

    /// Plays one match after the other while faults strike.
    async fn seat(self: Arc<Round>, number: usize) -> Vec<Arc<Table>> {
        let (mut played, mut sleeping) = (Vec::new(), Vec::new());
        for turn in 0.. {
            if self.calm.is_cancelled() {
                break;
            }
            let mut dice = self.dice(&format!("table {number}, match {turn}"));
            let Some(table) = self.open_match(&mut dice).await else { continue };
            let table = Arc::new(table);
            let mut clients = JoinSet::new();
            let name =
                |who: &str, client: u32| format!("table {number}, match {turn}, {who} {client}");
            for client in 0..3 {
                clients.spawn(join(table.clone(), client, self.dice(&name("client", client))));
            }
            for client in 0..2 {
                clients.spawn(watch(table.clone(), self.dice(&name("watcher", client))));
            }
            let asleep = fall_asleep(&table, &mut dice).await;
            clients.join_all().await;
            sleeping.extend(asleep);
            played.push(table);
        }
        played
    }

    /// Checks the memory of the processes.
    async fn weigh(self: Arc<Round>) {
        loop {
            sleep(Duration::from_millis(500)).await;
            let most = self.site.nodes.iter().map(|node| node.memory()).max().unwrap_or(0);
            self.tally.at_most("most memory of a process, in MiB", (most >> 20) as usize);
            if most > MEMORY_MAX {
                return self.wrong(format!("a process takes {} MiB", most >> 20));
            }
        }
    }

    /// Creates a match, retrying as long as necessary.
    async fn open_match(self: &Arc<Round>, dice: &mut Dice) -> Option<Table> {
        let game = *dice.pick(games::GAMES);
        let (least, most) = game.seats().into_inner();
        let seats = u32::from(least) + dice.below(usize::from(most - least).min(2) + 1) as u32;
        let request_id = format!("{:08x}-{:08x}", dice.below(1 << 31), dice.below(1 << 31));
        let name = format!("games/{}", game.name());
        // Whoever does not decide while processes are down may run out of time.
        let per_decision = Some(contract::seconds(2));
        let control = TimeControl { per_decision, ..TimeControl::default() };
        let time_control = dice.one_in(3).then_some(control);
        let request =
            CreateMatchRequest { request_id, game: name, time_control, ..new_match(seats) };
        while !self.calm.is_cancelled() {
            let node: Arc<Node> = self.site.any(dice);
            match timeout(*dice.pick(&PATIENCES), node.client.ask(&request)).await {
                Ok(Ok(created)) => {
                    self.tally.count(format!("matches of {}", game.name()));
                    let created = created.r#match.expect("a match");
                    return Some(Table::new(self.clone(), created));
                }
                Ok(Err(failure)) => {
                    if let Some(wrong) = super::table::Said::of(&failure).wrong() {
                        self.wrong(format!("a match was not created: {wrong}"));
                    }
                }
                Err(_) => {}
            }
            sleep(dice.within(Duration::from_millis(100))).await;
        }
        None
    }
}
