//! Three machines as an operator may run them: each with a member of etcd, a Postgres under
//! Patroni, and a process of the service. All of it is on the loopback address.

use std::fs::{self, File};
use std::net::TcpListener;
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use http::Request;
use http_body_util::Full;
use rustix::process::{Pid, Signal, geteuid, kill_process};
use serde_json::{Value, json};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use tokio::process::{Child, Command};
use tokio::time::{Duration, sleep, timeout};

use crate::harness::*;

pub struct Machines {
    pub all: Vec<Machine>,
    /// The database, as a service on any of the machines is told of it.
    pub url: String,
}

pub struct Machine {
    pub name: &'static str,
    folder: PathBuf,
    ports: Ports,
    /// The command line of its member of etcd.
    etcd_arguments: Vec<String>,
    etcd: Option<Child>,
    patroni: Option<Child>,
    pub service: Option<Service>,
}

#[derive(Clone, Copy)]
struct Ports {
    etcd: u16,
    etcd_peers: u16,
    postgres: u16,
    patroni: u16,
}

const NAMES: [&str; 3] = ["one", "two", "three"];

/// How long the machines may take until each has its role: Patroni leaves a machine that returns
/// some time for its recovery.
const ROLES_WAIT: Duration = Duration::from_secs(120);

impl Machines {
    /// Starts them, without services; returns when one leads, one is its synchronous standby, and
    /// one follows.
    pub async fn start(folder: &Path) -> Machines {
        let free = free_ports(4 * NAMES.len());
        let ports: Vec<Ports> = (free.chunks(4))
            .map(|its| Ports {
                etcd: its[0],
                etcd_peers: its[1],
                postgres: its[2],
                patroni: its[3],
            })
            .collect();
        let list = |port: fn(&Ports) -> u16| {
            ports.iter().map(|its| format!("127.0.0.1:{}", port(its))).collect::<Vec<_>>()
        };
        let (etcd, postgres) = (list(|its| its.etcd).join(","), list(|its| its.postgres).join(","));
        let peers = NAMES.iter().zip(list(|its| its.etcd_peers));
        let peers = peers.map(|(name, it)| format!("{name}=http://{it}")).collect::<Vec<_>>();
        let url =
            format!("postgres://postgres@{postgres}/postgres?target_session_attrs=read-write");
        let mut all = Vec::new();
        for (name, ports) in NAMES.into_iter().zip(ports) {
            let folder = folder.join(name);
            fs::create_dir_all(&folder).expect("a folder");
            let configuration = configuration(name, &folder, ports, &etcd);
            fs::write(folder.join("patroni.yml"), configuration.to_string()).expect("a file");
            if let Some((user, group)) = server_user() {
                chown(&folder, Some(user), Some(group)).expect("root may");
            }
            let etcd_arguments = etcd_arguments(name, &folder, ports, &peers.join(","));
            let (etcd, patroni, service) = (None, None, None);
            let mut machine =
                Machine { name, folder, ports, etcd_arguments, etcd, patroni, service };
            machine.start();
            all.push(machine);
        }
        let machines = Machines { all, url };
        machines.until_roles().await;
        machines
    }

    /// Starts a process of the service on each machine.
    pub async fn serve(&mut self) {
        for machine in &mut self.all {
            let folder = machine.folder.with_file_name(format!("{}-service", machine.name));
            machine.service = Some(Service::start(&folder, Some(&self.url)).await);
        }
    }

    /// Returns when one leads, one is its synchronous standby, and one follows, all on the same
    /// timeline; with the number of the leader.
    pub async fn until_roles(&self) -> usize {
        let waiting = async {
            loop {
                if let Some(leader) = self.roles().await {
                    return leader;
                }
                sleep(Duration::from_millis(100)).await;
            }
        };
        let waited = timeout(ROLES_WAIT, waiting).await;
        waited.unwrap_or_else(|_| panic!("the machines have no roles: {}", self.logs()))
    }

    /// The number of the leader, if each machine has its role.
    async fn roles(&self) -> Option<usize> {
        let mut leader = None;
        let mut found = Vec::new();
        let members = self.members().await?;
        for (number, machine) in self.all.iter().enumerate() {
            let its = members.iter().find(|it| it["name"] == machine.name)?;
            let role = its["role"].as_str()?.to_owned();
            let is_up = its["state"] == "running" || its["state"] == "streaming";
            if !is_up || its["timeline"] != members[0]["timeline"] {
                return None;
            }
            if role == "leader" {
                leader = Some(number);
            }
            found.push(role);
        }
        found.sort();
        (found == ["leader", "replica", "sync_standby"]).then_some(leader?)
    }

    /// What Patroni says of the machines, on any that answers.
    async fn members(&self) -> Option<Vec<Value>> {
        for machine in self.all.iter().filter(|it| it.patroni.is_some()) {
            let port = Port::new(machine.ports.patroni.into());
            let client = Client::new(&port, Protocol::Rest, "").anonymous();
            let request = Request::get("/cluster").body(Full::default()).expect("a request");
            if let Ok(answer) = client.send(request).await {
                let cluster: Value = serde_json::from_slice(&answer.body).ok()?;
                return cluster["members"].as_array().cloned();
            }
        }
        None
    }

    /// Lets the synchronous standby lead from now on.
    pub async fn switch_over(&self, leader: usize) {
        let machine = &self.all[leader];
        let mut command = machine.command("patronictl");
        command.arg("-c").arg(machine.folder.join("patroni.yml"));
        command.args(["switchover", "--leader", machine.name, "--force"]);
        let output = command.output().await.expect("it runs");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("Successfully"), "{said}");
    }

    /// Everything on a machine ends at once. Its clients find another process, as a load balancer
    /// would let them.
    pub async fn lose(&mut self, number: usize) {
        let machine = &mut self.all[number];
        machine.kill();
        let mut service = machine.service.take().expect("it serves");
        service.kill().await;
        let other = (number + 1) % NAMES.len();
        service.redirect_to(self.all[other].service.as_ref().expect("it serves"));
        self.all[number].service = Some(service);
    }

    /// A machine that was lost starts again.
    pub async fn bring_back(&mut self, number: usize) {
        self.all[number].start();
        self.all[number].service.as_mut().expect("it served").start_again().await;
    }

    pub async fn database(&self, number: usize) -> PgConnection {
        let options = PgConnectOptions::new_without_pgpass().host("127.0.0.1");
        let options = options.port(self.all[number].ports.postgres).username("postgres");
        connect(&options.database("postgres")).await
    }

    fn logs(&self) -> String {
        let log = |it: &Machine| {
            let log = fs::read_to_string(it.folder.join("patroni.txt")).unwrap_or_default();
            let lines: Vec<&str> = log.lines().collect();
            format!("{}:\n{}\n", it.name, lines[lines.len().saturating_sub(20)..].join("\n"))
        };
        self.all.iter().map(log).collect()
    }
}

impl Machine {
    fn start(&mut self) {
        let mut etcd = self.logged("etcd");
        self.etcd = Some(etcd.args(&self.etcd_arguments).spawn().expect("it runs"));
        let mut patroni = self.logged("patroni");
        patroni.arg(self.folder.join("patroni.yml"));
        self.patroni = Some(patroni.spawn().expect("it runs"));
    }

    fn logged(&self, program: &str) -> Command {
        let log = self.folder.join(format!("{program}.txt"));
        let log = File::options().create(true).append(true).open(log).expect("a file");
        let mut command = self.command(program);
        command.stdout(log.try_clone().expect("a file")).stderr(log).kill_on_drop(true);
        command
    }

    /// A program that ends together with the drill, as a user that Postgres accepts.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "KILL"]);
        if let Some((user, group)) = server_user() {
            command.args(["--clear-groups", "--reuid", &user.to_string()]);
            command.args(["--regid", &group.to_string()]);
        }
        command.arg("--").arg(program).current_dir("/").stdin(Stdio::null());
        // It keeps its passwords and history there.
        command.env("HOME", &self.folder);
        command
    }

    /// Kills Postgres with everything it started, Patroni and etcd.
    fn kill(&mut self) {
        let postmaster = fs::read_to_string(self.folder.join("data/postmaster.pid")).ok();
        let postmaster = postmaster.and_then(|its| its.lines().next()?.trim().parse().ok());
        // Patroni first, so that it starts nothing again.
        let programs = [self.patroni.take(), self.etcd.take()];
        for program in programs.iter().flatten() {
            kill(program.id().map(u32::cast_signed));
        }
        if let Some(postmaster) = postmaster.filter(|its| is_postgres(*its)) {
            let children = children_of(postmaster);
            kill(Some(postmaster));
            children.into_iter().for_each(|child| kill(Some(child)));
        }
    }
}

/// A Postgres is no child of the drill, and would live on.
impl Drop for Machine {
    fn drop(&mut self) {
        self.kill();
    }
}

fn kill(process: Option<i32>) {
    if let Some(process) = process.and_then(Pid::from_raw) {
        // It may have ended by itself.
        let _ = kill_process(process, Signal::KILL);
    }
}

/// The number in a file that was left behind may be another process's by now.
fn is_postgres(process: i32) -> bool {
    let name = fs::read_to_string(format!("/proc/{process}/comm"));
    name.is_ok_and(|name| name.trim() == "postgres")
}

fn children_of(process: i32) -> Vec<i32> {
    let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children"));
    let children = children.unwrap_or_default();
    children.split_whitespace().filter_map(|child| child.parse().ok()).collect()
}

/// The user and the group of the servers, if this is root: Postgres refuses to run as root.
fn server_user() -> Option<(u32, u32)> {
    let users = fs::read_to_string("/etc/passwd").expect("users");
    let find = |name: &str| {
        let mut fields = users.lines().find(|line| line.starts_with(name))?.split(':').skip(2);
        Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
    };
    let user = find("postgres:").or_else(|| find("nobody:"));
    geteuid().is_root().then_some(user.expect("a user"))
}

/// Ports that were free a moment ago.
fn free_ports(count: usize) -> Vec<u16> {
    let bind = |_| TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let listeners: Vec<TcpListener> = (0..count).map(bind).collect();
    listeners.iter().map(|it| it.local_addr().expect("it is bound").port()).collect()
}

fn etcd_arguments(name: &str, folder: &Path, ports: Ports, cluster: &str) -> Vec<String> {
    let url = |port: u16| format!("http://127.0.0.1:{port}");
    let data = folder.join("etcd").display().to_string();
    let arguments = [
        ("--name", name.to_owned()),
        ("--data-dir", data),
        ("--listen-client-urls", url(ports.etcd)),
        ("--advertise-client-urls", url(ports.etcd)),
        ("--listen-peer-urls", url(ports.etcd_peers)),
        ("--initial-advertise-peer-urls", url(ports.etcd_peers)),
        ("--initial-cluster", cluster.to_owned()),
        ("--initial-cluster-state", "new".to_owned()),
    ];
    arguments.into_iter().flat_map(|(name, value)| [name.to_owned(), value]).collect()
}

/// The settings of `deploy/patroni.yml`, for a machine on the loopback address.
fn configuration(name: &str, folder: &Path, ports: Ports, etcd: &str) -> Value {
    let address = |port: u16| format!("127.0.0.1:{port}");
    json!({
        "scope": "croupier",
        "name": name,
        "restapi": {
            "listen": address(ports.patroni),
            "connect_address": address(ports.patroni),
        },
        "etcd3": { "hosts": etcd },
        "bootstrap": {
            "dcs": {
                "ttl": 20,
                "loop_wait": 3,
                "retry_timeout": 5,
                "maximum_lag_on_failover": 0,
                "primary_start_timeout": 0,
                "synchronous_mode": true,
                "synchronous_mode_strict": true,
                "postgresql": {
                    "use_pg_rewind": true,
                    "use_slots": true,
                    "parameters": {
                        "wal_log_hints": "on",
                        "wal_retrieve_retry_interval": "500ms",
                        "max_connections": 200,
                    },
                },
            },
            "initdb": [{ "encoding": "UTF8" }, "data-checksums"],
        },
        "postgresql": {
            "listen": address(ports.postgres),
            "connect_address": address(ports.postgres),
            "data_dir": folder.join("data"),
            "bin_dir": bin_folder(),
            "pgpass": folder.join("pgpass"),
            "authentication": {
                "superuser": { "username": "postgres" },
                "replication": { "username": "replicator" },
                "rewind": { "username": "rewinder" },
            },
            "pg_hba": [
                "local all all trust",
                "host all all 127.0.0.1/32 trust",
                "host replication all 127.0.0.1/32 trust",
            ],
            "parameters": { "unix_socket_directories": folder },
        },
    })
}

/// Where Debian's packages have the programs of Postgres.
fn bin_folder() -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql").expect("Debian's Postgres").flatten();
    let folders = versions.map(|it| it.path().join("bin")).filter(|it| it.join("initdb").exists());
    folders.max().expect("Debian's Postgres")
}
