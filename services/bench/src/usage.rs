//! CPU time and memory of the processes on this machine, from `/proc`.

use std::time::Duration;

use procfs::process::{FDTarget, Process, Stat, all_processes};
use serde::Serialize;
use sqlx::PgConnection;
use store::Store;

use crate::report::{Error, per_item_us};
use crate::service::Service;

/// A program of one or more processes.
pub(crate) struct Program {
    pid: i32,
    /// Whether its child processes belong to it.
    with_children: bool,
}

impl Program {
    /// The program that listens on the service's port, if it runs on this machine.
    pub(crate) fn of(service: &Service) -> Option<Program> {
        let port = service.port()?;
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
        Some(Program { pid: process.pid, with_children: false })
    }

    /// The Postgres of this backend process, if it runs on this machine.
    pub(crate) fn postgres(backend: i32) -> Option<Program> {
        let backend = Process::new(backend).ok()?.stat().ok()?;
        let is_postgres = backend.comm == "postgres";
        is_postgres.then_some(Program { pid: backend.ppid, with_children: true })
    }

    /// This process.
    pub(crate) fn this() -> Program {
        Program { pid: std::process::id().cast_signed(), with_children: false }
    }

    /// The CPU time used so far.
    pub(crate) fn cpu(&self) -> Duration {
        let ticks: u64 = (self.processes().iter())
            .filter_map(|process| process.stat().ok())
            .map(|stat| stat.utime + stat.stime + self.ended_children(&stat))
            .sum();
        Duration::from_secs_f64(ticks as f64 / procfs::ticks_per_second() as f64)
    }

    /// The CPU time of child processes that have ended, in ticks.
    fn ended_children(&self, stat: &Stat) -> u64 {
        let counts = self.with_children && stat.pid == self.pid;
        if counts { (stat.cutime + stat.cstime).unsigned_abs() } else { 0 }
    }

    /// The resident anonymous memory, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        let resident = |process: &Process| {
            let status = process.status().ok()?;
            Some(status.rssanon? * 1024)
        };
        self.processes().iter().filter_map(resident).sum()
    }

    fn processes(&self) -> Vec<Process> {
        let first = Process::new(self.pid).into_iter();
        let is_child = |process: &Process| process.stat().is_ok_and(|stat| stat.ppid == self.pid);
        let children = all_processes().into_iter().flatten().flatten();
        first.chain(children.filter(|it| self.with_children && is_child(it))).collect()
    }
}

/// The programs that take part in a measurement.
pub(crate) struct Programs {
    /// The programs of the service; `None` if one of them does not run on this machine.
    services: Option<Vec<Program>>,
    /// The Postgres of each node of the database; `None` if one of them does not run on this
    /// machine.
    pub(crate) postgres: Option<Vec<Program>>,
    clients: Program,
}

/// Their usage so far.
pub(crate) struct Count {
    service: Option<Duration>,
    postgres: Option<Duration>,
    clients: Duration,
    pub(crate) memory: Option<u64>,
}

impl Programs {
    pub(crate) async fn find(services: &[Service], store: &Store) -> Result<Programs, Error> {
        Ok(Programs {
            services: services.iter().map(Program::of).collect(),
            postgres: nodes(store).await?,
            clients: Program::this(),
        })
    }

    pub(crate) fn count(&self) -> Count {
        let services = self.services.as_ref();
        Count {
            service: services.map(|all| all.iter().map(Program::cpu).sum()),
            postgres: self.postgres.as_ref().map(|all| all.iter().map(Program::cpu).sum()),
            clients: self.clients.cpu(),
            memory: services.map(|all| all.iter().map(Program::memory).sum()),
        }
    }
}

/// The Postgres of each server of the database: of one, or of the coordinator and each node.
async fn nodes(store: &Store) -> Result<Option<Vec<Program>>, Error> {
    let database = store.database();
    let mut found: Vec<Program> = Vec::new();
    for mut connection in database.connections_to_all().await? {
        let Some(program) = Program::postgres(backend(&mut connection).await?) else {
            return Ok(None);
        };
        if found.iter().all(|it| it.pid != program.pid) {
            found.push(program);
        }
    }
    Ok(Some(found))
}

async fn backend(connection: &mut PgConnection) -> Result<i32, Error> {
    let backend = sqlx::query_scalar("select pg_backend_pid()").fetch_one(connection).await;
    Ok(backend.map_err(database::Error::from)?)
}

impl Count {
    /// The CPU time since `before`, per item.
    pub(crate) fn cpu_since(&self, before: &Count, items: u64) -> Cpu {
        let since =
            |after: Duration, before: Duration| per_item_us(after.saturating_sub(before), items);
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

/// Microseconds of CPU time per item; null for a program that does not run on this machine.
#[derive(Serialize)]
pub(crate) struct Cpu {
    pub(crate) service: Option<f64>,
    pub(crate) postgres: Option<f64>,
    pub(crate) clients: f64,
}
