//! The plan of a campaign: its length, its load and its faults, all from one seed.

use std::env::{self, VarError};
use std::str::FromStr;
use std::time::Duration;

use table::{ChaCha, Chance};

#[derive(Clone, Debug)]
pub struct Plan {
    /// Decides who acts when and which fault strikes whom when. Runs of one seed still differ in
    /// timing.
    pub seed: u64,
    pub time: Duration,
    pub rounds: usize,
    /// Ends early once this many operations were checked.
    pub operations: usize,
    /// Serving processes on one database.
    pub processes: usize,
    /// Matches played concurrently, each by a few clients.
    pub tables: usize,
    pub faults: Vec<Fault>,
    /// How long stopped processes stay stopped.
    pub freeze: Duration,
    /// The longest pause between two faults of one victim.
    pub pause: Duration,
    /// How long faults strike before an audit. The database is spared in every other round: only
    /// while it is up must every read show the newest position.
    pub round: Duration,
    /// Whether matches are played on for a while after the faults, before they are resigned.
    pub plays_out: bool,
    /// Whether every entry is also sent to endpoints, and matches that have ended are archived.
    pub has_surroundings: bool,
    /// Unread streams, if [`Fault::SleepingStreams`] is among the faults.
    pub sleepers: usize,
    /// Clients of a rush, and their matches.
    pub crowd: usize,
    pub crowded: usize,
    /// How long a rush lasts.
    pub rush: Duration,
}

/// Faults of the service, its database and its clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    KillPostgres,
    /// The whole of Postgres, or some of its backends.
    StopPostgres,
    /// The disk of the database's tables is full.
    FillDisk,
    /// The disk of the whole database, including its write-ahead log, is full.
    FillWal,
    KillService,
    /// After an action was committed, and before it is answered.
    KillBetween,
    /// As an operator stops it: gracefully.
    EndService,
    StopService,
    /// Processes exchange no hints.
    DropHints,
    /// Clients disconnect in the middle of a request.
    Vanish,
    /// A process receives far more requests than it can take.
    Overload,
    /// Watchers open a stream and never read it.
    SleepingStreams,
    /// A process starts with a clock that is wrong, or runs too fast.
    WrongClock,
    /// The NATS server through which processes exchange hints.
    KillNats,
    /// Another platform does its worst.
    Neighbour,
}

use Fault::*;

/// Faults of the database.
pub const OF_POSTGRES: [Fault; 4] = [KillPostgres, StopPostgres, FillDisk, FillWal];

/// Faults of a process.
pub const OF_SERVICES: [Fault; 5] = [KillService, KillBetween, EndService, StopService, Overload];

impl Fault {
    pub const ALL: [Fault; 15] = [
        KillPostgres,
        StopPostgres,
        FillDisk,
        FillWal,
        KillService,
        KillBetween,
        EndService,
        StopService,
        Overload,
        DropHints,
        Vanish,
        SleepingStreams,
        WrongClock,
        KillNats,
        Neighbour,
    ];

    pub fn name(self) -> &'static str {
        match self {
            KillPostgres => "kill-postgres",
            StopPostgres => "stop-postgres",
            FillDisk => "fill-disk",
            FillWal => "fill-wal",
            KillService => "kill-service",
            KillBetween => "kill-between",
            EndService => "end-service",
            StopService => "stop-service",
            Overload => "overload",
            DropHints => "drop-hints",
            Vanish => "vanish",
            SleepingStreams => "sleeping-streams",
            WrongClock => "wrong-clock",
            KillNats => "kill-nats",
            Neighbour => "neighbour",
        }
    }
}

impl FromStr for Fault {
    type Err = String;

    fn from_str(name: &str) -> Result<Fault, String> {
        let found = Fault::ALL.into_iter().find(|fault| fault.name() == name);
        let names = Fault::ALL.map(Fault::name).join(", ");
        found.ok_or_else(|| format!("there is no fault {name:?}; there are {names}"))
    }
}

impl Plan {
    /// A short run of every quick fault.
    pub fn short(seed: u64) -> Plan {
        Plan {
            seed,
            time: Duration::from_secs(30),
            rounds: 2,
            operations: usize::MAX,
            processes: 2,
            tables: 3,
            faults: vec![
                KillPostgres,
                StopPostgres,
                KillService,
                KillBetween,
                StopService,
                Overload,
                DropHints,
                Vanish,
            ],
            freeze: Duration::from_millis(700),
            pause: Duration::from_millis(800),
            round: Duration::from_millis(2500),
            plays_out: false,
            has_surroundings: false,
            sleepers: 0,
            // More than may queue on one match.
            crowd: 400,
            crowded: 2,
            rush: Duration::from_millis(600),
        }
    }

    /// The campaign requested by `make torture`.
    pub fn asked_for() -> Plan {
        let faults = given("FAULTS").map(|names: String| {
            let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
            names.map(|name| name.parse().unwrap_or_else(|wrong| panic!("{wrong}"))).collect()
        });
        Plan {
            seed: given("SEED").unwrap_or(1),
            time: Duration::from_secs(given("SECONDS").unwrap_or(300)),
            rounds: usize::MAX,
            operations: given("OPERATIONS").unwrap_or(usize::MAX),
            processes: 3,
            tables: 12,
            faults: faults.unwrap_or(Fault::ALL.to_vec()),
            freeze: Duration::from_secs(10),
            pause: Duration::from_secs(4),
            round: Duration::from_secs(30),
            plays_out: true,
            has_surroundings: true,
            sleepers: 1000,
            // More than may be in flight in a process.
            crowd: 6400,
            crowded: 3000,
            rush: Duration::from_secs(3),
        }
    }

    pub fn has(&self, fault: Fault) -> bool {
        self.faults.contains(&fault)
    }

    /// The requested faults among these.
    pub fn only(&self, faults: &[Fault]) -> Vec<Fault> {
        faults.iter().copied().filter(|fault| self.has(*fault)).collect()
    }

    /// The command that repeats it.
    pub fn command(&self) -> String {
        let faults: Vec<&str> = self.faults.iter().map(|fault| fault.name()).collect();
        let (seed, seconds) = (self.seed, self.time.as_secs());
        format!("make torture SEED={seed} SECONDS={seconds} FAULTS={}", faults.join(","))
    }
}

/// A value from the environment, if it is set.
fn given<T: FromStr>(name: &str) -> Option<T> {
    match env::var(name) {
        Ok(text) if text.is_empty() => None,
        Ok(text) => {
            Some(text.parse().unwrap_or_else(|_| panic!("{name}={text} cannot be understood")))
        }
        Err(VarError::NotPresent) => None,
        Err(wrong) => panic!("{name}: {wrong}"),
    }
}

/// The randomness of one actor: its own stream of the campaign's seed, so that one actor's pace
/// does not change another's decisions.
pub struct Dice(ChaCha);

impl Dice {
    pub fn of(seed: u64, round: usize, actor: &str) -> Dice {
        let seed = blake3::hash(format!("{seed}/{round}/{actor}").as_bytes());
        Dice(ChaCha::of(*seed.as_bytes(), 0))
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0.below(limit)
    }

    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    /// A random duration up to this.
    pub fn within(&mut self, longest: Duration) -> Duration {
        Duration::from_micros(self.below(longest.as_micros() as usize + 1) as u64)
    }
}
