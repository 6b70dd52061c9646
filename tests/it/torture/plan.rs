//! What a campaign does: how long, how much at once, and which faults. All of it follows from one
//! seed.

use std::env::{self, VarError};
use std::str::FromStr;
use std::time::Duration;

use table::{ChaCha, Chance};

#[derive(Clone, Debug)]
pub struct Plan {
    /// Decides who acts when, which fault strikes when, and whom. What the machine makes of it
    /// differs from run to run.
    pub seed: u64,
    pub time: Duration,
    pub rounds: usize,
    /// Ends sooner once so many operations were checked.
    pub operations: usize,
    /// Processes that serve, on one database.
    pub processes: usize,
    /// Matches played at once, each by a few clients.
    pub tables: usize,
    pub faults: Vec<Fault>,
    /// How long processes that are stopped stay so.
    pub freeze: Duration,
    /// The longest pause between two faults of the same victim.
    pub pause: Duration,
    /// How long faults strike before all is looked over and they begin again. The database is
    /// spared in every other round: only while it is there does every look have to show the newest
    /// position.
    pub round: Duration,
    /// Whether matches are played to their ends when it is quiet, and not given up to save time.
    pub plays_out: bool,
    /// Streams that are never read, while [`Fault::SleepingStreams`] is among the faults.
    pub sleepers: usize,
    /// How many come in a rush, and to how many matches.
    pub crowd: usize,
    pub crowded: usize,
    /// How long they stay.
    pub rush: Duration,
}

/// What can be done to the service, its database and its clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    KillPostgres,
    /// The whole server, or some of its processes.
    StopPostgres,
    /// Nothing more can be written to the database's tables.
    FillDisk,
    /// Nor to anything else of the database, the log that it writes ahead least of all.
    FillWal,
    KillService,
    /// After an action of a client was committed, and before that client is answered.
    KillBetween,
    /// As an operator would, who lets it finish.
    EndService,
    StopService,
    /// Processes neither wake others nor are woken.
    DropHints,
    /// Clients go away in the middle of a request.
    Vanish,
    /// Far more is asked of a process than it takes on.
    Overload,
    /// Watchers open a stream and never read it.
    SleepingStreams,
}

use Fault::*;

/// What strikes the database.
pub const OF_POSTGRES: [Fault; 4] = [KillPostgres, StopPostgres, FillDisk, FillWal];

/// What strikes a process.
pub const OF_SERVICES: [Fault; 5] = [KillService, KillBetween, EndService, StopService, Overload];

impl Fault {
    pub const ALL: [Fault; 12] = [
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
    /// A taste of everything that takes little time.
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
            sleepers: 0,
            // More than may wait for one another in a match.
            crowd: 400,
            crowded: 2,
            rush: Duration::from_millis(600),
        }
    }

    /// The campaign that `make torture` asks for.
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
            sleepers: 1000,
            // More than may be under way in a process.
            crowd: 6400,
            crowded: 3000,
            rush: Duration::from_secs(3),
        }
    }

    pub fn has(&self, fault: Fault) -> bool {
        self.faults.contains(&fault)
    }

    /// The faults of these that are asked for.
    pub fn only(&self, faults: &[Fault]) -> Vec<Fault> {
        faults.iter().copied().filter(|fault| self.has(*fault)).collect()
    }

    /// What repeats it.
    pub fn command(&self) -> String {
        let faults: Vec<&str> = self.faults.iter().map(|fault| fault.name()).collect();
        let (seed, seconds) = (self.seed, self.time.as_secs());
        format!("make torture SEED={seed} SECONDS={seconds} FAULTS={}", faults.join(","))
    }
}

/// What the environment says, if it says anything.
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

/// What one actor decides by: its own stream of the campaign's seed, so that nobody's pace changes
/// another's part.
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

    /// Up to so long.
    pub fn within(&mut self, longest: Duration) -> Duration {
        Duration::from_micros(self.below(longest.as_micros() as usize + 1) as u64)
    }
}
