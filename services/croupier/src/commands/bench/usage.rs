//! What processes of this machine use, as Linux counts it.

use std::time::Duration;

use procfs::process::{FDTarget, Process, Stat, all_processes};
use serde::Serialize;
use store::Store;

use super::each;
use crate::client::{Failure, Service};

/// Processes that are one program.
pub struct Program {
    first: i32,
    /// Whether those that it started count, too.
    with_children: bool,
}

impl Program {
    /// The one that listens on the service's port, if it runs on this machine.
    pub fn of(service: &Service) -> Option<Program> {
        let port = service.endpoint().ok()?.uri().port_u16()?;
        let sockets =
            procfs::net::tcp().ok()?.into_iter().chain(procfs::net::tcp6().unwrap_or_default());
        let listens = |it: &procfs::net::TcpNetEntry| {
            it.state == procfs::net::TcpState::Listen && it.local_address.port() == port
        };
        let socket = sockets.filter(listens).map(|it| it.inode).next()?;
        let holds = |process: &Process| {
            let mut files = process.fd().into_iter().flatten().flatten();
            files.any(|file| file.target == FDTarget::Socket(socket))
        };
        let process = all_processes().ok()?.flatten().find(holds)?;
        Some(Program { first: process.pid, with_children: false })
    }

    /// The Postgres of which this is a backend, if it runs on this machine.
    pub fn postgres(backend: i32) -> Option<Program> {
        let backend = Process::new(backend).ok()?.stat().ok()?;
        let is_postgres = backend.comm == "postgres";
        is_postgres.then_some(Program { first: backend.ppid, with_children: true })
    }

    /// This process.
    pub fn this() -> Program {
        Program { first: std::process::id().cast_signed(), with_children: false }
    }

    /// How long it kept a processor busy until now.
    pub fn cpu(&self) -> Duration {
        let ticks: u64 = (self.processes().iter())
            .filter_map(|process| process.stat().ok())
            .map(|stat| stat.utime + stat.stime + self.of_the_ended(&stat))
            .sum();
        Duration::from_secs_f64(ticks as f64 / procfs::ticks_per_second() as f64)
    }

    /// What children that have ended had used.
    fn of_the_ended(&self, stat: &Stat) -> u64 {
        let counts = self.with_children && stat.pid == self.first;
        if counts { (stat.cutime + stat.cstime).unsigned_abs() } else { 0 }
    }

    /// How much memory is its own, in bytes.
    pub fn memory(&self) -> u64 {
        let resident = |process: &Process| {
            let status = process.status().ok()?;
            Some(status.rssanon? * 1024)
        };
        self.processes().iter().filter_map(resident).sum()
    }

    fn processes(&self) -> Vec<Process> {
        let first = Process::new(self.first).into_iter();
        let is_child = |process: &Process| process.stat().is_ok_and(|stat| stat.ppid == self.first);
        let children = all_processes().into_iter().flatten().flatten();
        first.chain(children.filter(|it| self.with_children && is_child(it))).collect()
    }
}

/// The programs that the work is done by.
pub struct Programs {
    service: Option<Program>,
    pub postgres: Option<Program>,
    clients: Program,
}

/// What they had used at a time.
pub struct Count {
    service: Option<Duration>,
    postgres: Option<Duration>,
    clients: Duration,
    pub memory: Option<u64>,
}

impl Programs {
    pub async fn find(service: &Service, store: &Store) -> Result<Programs, Failure> {
        let backend = sqlx::query_scalar("select pg_backend_pid()").fetch_one(store.pool()).await;
        let backend: i32 = backend.map_err(store::Error::from)?;
        Ok(Programs {
            service: Program::of(service),
            postgres: Program::postgres(backend),
            clients: Program::this(),
        })
    }

    pub fn count(&self) -> Count {
        Count {
            service: self.service.as_ref().map(Program::cpu),
            postgres: self.postgres.as_ref().map(Program::cpu),
            clients: self.clients.cpu(),
            memory: self.service.as_ref().map(Program::memory),
        }
    }
}

impl Count {
    /// What one of so many has cost since then.
    pub fn cpu_since(&self, before: &Count, many: u64) -> Cpu {
        let since = |after: Duration, before: Duration| each(after.saturating_sub(before), many);
        let both = |after: Option<Duration>, before| {
            after.zip(before).map(|(after, before)| since(after, before))
        };
        Cpu {
            service: both(self.service, before.service),
            postgres: both(self.postgres, before.postgres),
            clients: since(self.clients, before.clients),
        }
    }
}

/// Microseconds of each program's for one of many, null where it does not run on this machine.
#[derive(Serialize)]
pub struct Cpu {
    pub service: Option<f64>,
    pub postgres: Option<f64>,
    pub clients: f64,
}
