//! The system under test: some processes on one database, and how clients reach them.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use contract::v1::entry_service_client::EntryServiceClient;
use postgres_server::Postgres;
use rustix::process::{Pid, Signal, kill_process};
use sqlx::ConnectOptions;
use sqlx::postgres::PgConnection;
use tempfile::TempDir;
use tokio::time::{sleep, timeout};
use tonic::Request;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Channel, Endpoint};

use super::history::{Number, Time};
use super::plan::{Dice, Fault, Plan};
use super::rush::Crowd;
use super::surroundings::{self, Surroundings};
use crate::harness::{
    Client, NatsServer, PATIENCE, PROGRAM, Protocol, Service, copy_cluster, new_folder,
    start_postgres_with,
};

/// The environment of the processes; dropped in this order.
pub struct Site {
    pub nodes: Vec<Arc<Node>>,
    pub postgres: Postgres,
    /// The disks of the database's tables and of the rest of it, where they can be small and are to
    /// be filled.
    pub tables: Option<Disk>,
    pub cluster: Option<Disk>,
    /// The clients of a rush.
    pub crowd: tokio::sync::Mutex<Crowd>,
    pub surroundings: Option<Surroundings>,
    /// Through which processes exchange hints, if it is to be killed. Who kills it holds it.
    pub nats: tokio::sync::Mutex<Option<NatsServer>>,
    /// The arguments of each process, before faults add their own.
    pub arguments: Vec<&'static str>,
    folder: TempDir,
    began: Instant,
    /// When the database was down or slow.
    troubles: Mutex<Vec<(Time, Option<Time>)>>,
}

/// How long after an outage a process may still consider the database down: its connections fail
/// one by one.
const AFTERMATH: Duration = Duration::from_secs(3);

impl Site {
    /// Starts everything. Processes are returned separately: the task that kills one restarts it.
    pub async fn open(plan: &Plan) -> (Arc<Site>, Vec<Service>) {
        let folder = new_folder();
        let database = folder.path().join("database");
        copy_cluster(&database).await;
        let mount = |fault, path| plan.has(fault).then(|| Disk::mount(&database.join(path)));
        let cluster = mount(Fault::FillWal, "cluster").flatten();
        let tables = mount(Fault::FillDisk, "cluster/base").flatten();
        // Each process opens up to thirty connections, and one that was killed may leave as many.
        let postgres = start_postgres_with(&database, &[("max_connections", "200")]).await;
        let mut arguments = Vec::new();
        let nats = match plan.has(Fault::KillNats) {
            true => Some(NatsServer::start(&folder.path().join("nats"), &[]).await),
            false => None,
        };
        if let Some(nats) = &nats {
            arguments.extend(["--hints", nats.url().leak()]);
        }
        if plan.has_surroundings {
            arguments.extend(surroundings::ARGUMENTS);
        }
        let (mut services, mut nodes) = (Vec::new(), Vec::new());
        for name in ["a", "b", "c", "d"].into_iter().take(plan.processes) {
            let (folder, url) = (folder.path().join(name), postgres.url());
            let service = Service::start_with(&folder, Some(&url), &arguments).await;
            nodes.push(Arc::new(Node::of(name, &service)));
            services.push(service);
        }
        // Long campaigns have more subscriptions than a platform usually needs.
        let limits = ["platform", "limits", "local", "--subscriptions-max", "10000"];
        let at = ["--database-url", &postgres.url()];
        assert!(run(Command::new(PROGRAM).args(limits).args(at)), "the limit is set");
        let (began, troubles) = (Instant::now(), Mutex::default());
        let matches = if plan.has(Fault::Overload) { plan.crowded } else { 0 };
        let crowd = Crowd::gather(&nodes, matches).await.into();
        let surroundings = match plan.has_surroundings {
            true => Some(Surroundings::open(folder.path(), &nodes[0].client).await),
            false => None,
        };
        let nats = nats.into();
        let site = Site {
            nodes,
            postgres,
            tables,
            cluster,
            crowd,
            surroundings,
            nats,
            arguments,
            folder,
            began,
            troubles,
        };
        (Arc::new(site), services)
    }

    /// A fresh process with empty caches.
    pub async fn fresh(&self, name: &str) -> (Service, Node) {
        let folder = self.folder.path().join(name);
        let url = self.postgres.url();
        let service = Service::start_with(&folder, Some(&url), &self.arguments).await;
        let node = Node::of(name, &service);
        (service, node)
    }

    /// A file of the campaign.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn now(&self) -> Time {
        self.time_of(Instant::now())
    }

    fn time_of(&self, at: Instant) -> Time {
        at.duration_since(self.began).as_nanos() as Time
    }

    pub fn any(&self, dice: &mut Dice) -> Arc<Node> {
        dice.pick(&self.nodes).clone()
    }

    /// A connection to the database, if it accepts one at once.
    pub async fn database(&self) -> Option<PgConnection> {
        let options = self.postgres.options();
        timeout(Duration::from_secs(1), options.connect()).await.ok()?.ok()
    }

    /// The same, as soon as it accepts one.
    pub async fn database_again(&self) -> PgConnection {
        let began = Instant::now();
        loop {
            match self.database().await {
                Some(connection) => return connection,
                None => assert!(began.elapsed() < 4 * PATIENCE, "the database does not come back"),
            }
            sleep(Duration::from_millis(5)).await;
        }
    }

    /// From here until it is dropped, the database is failing.
    pub fn trouble(&self) -> Trouble<'_> {
        let mut troubles = self.troubles.lock().expect("nobody panics holding it");
        troubles.push((self.now(), None));
        Trouble { site: self, index: troubles.len() - 1 }
    }

    /// Whether the database was failing at some time in between.
    pub fn was_troubled(&self, from: Time, until: Time) -> bool {
        let troubles = self.troubles.lock().expect("nobody panics holding it");
        let overlaps = |&(began, ended): &(Time, Option<Time>)| {
            let over = ended.map(|ended| ended + AFTERMATH.as_nanos() as Time);
            began <= until && over.is_none_or(|over| over >= from)
        };
        troubles.iter().any(overlaps)
    }
}

/// A period of failure, until it is dropped.
pub struct Trouble<'a> {
    site: &'a Site,
    index: usize,
}

impl Drop for Trouble<'_> {
    fn drop(&mut self) {
        let now = self.site.now();
        self.site.troubles.lock().expect("nobody panics holding it")[self.index].1 = Some(now);
    }
}

/// A process as clients see it.
pub struct Node {
    pub name: String,
    /// Its process id.
    process: AtomicU32,
    /// The platform's key.
    pub client: Client,
    bearer: MetadataValue<Ascii>,
    /// Requests that it has received and not answered, by match.
    pub in_flight: Mutex<BTreeSet<(String, Number)>>,
}

impl Node {
    fn of(name: &str, service: &Service) -> Node {
        let bearer = format!("Bearer {}", service.key()).parse().expect("a header's value");
        let (name, process) = (name.to_owned(), AtomicU32::new(service.id()));
        let client = service.client(Protocol::Grpc);
        Node { name, process, client, bearer, in_flight: Mutex::default() }
    }

    /// Updates the process after a restart. Existing clients reach it.
    pub fn moved(&self, service: &Service) {
        self.process.store(service.id(), Relaxed);
    }

    /// The memory it uses, in bytes; 0 if it does not run.
    pub fn memory(&self) -> u64 {
        memory(self.process.load(Relaxed))
    }

    /// A separate connection for unread streams.
    pub fn asleep(&self) -> EntryServiceClient<Channel> {
        EntryServiceClient::new(drowsy_channel(self.client.port()))
    }

    pub fn ask<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        request.metadata_mut().insert("authorization", self.bearer.clone());
        request
    }
}

/// A connection with tiny receive windows, as over a saturated network.
pub fn drowsy_channel(port: u16) -> Channel {
    endpoint(port).initial_stream_window_size(256).connect_lazy()
}

pub fn endpoint(port: u16) -> Endpoint {
    let endpoint = Endpoint::from_shared(format!("http://127.0.0.1:{port}")).expect("an address");
    endpoint.connect_timeout(Duration::from_secs(2))
}

/// A small file system of its own for a folder.
pub struct Disk {
    path: PathBuf,
}

/// The prefix of its name, followed by the id of the process that mounted it.
const NAME: &str = "croupier-torture-";

/// Far more than a campaign writes.
const MEGABYTES: u32 = 512;

impl Disk {
    /// Moves the contents of `path` to such a file system. This needs root and a kernel that allows
    /// it.
    pub fn mount(path: &Path) -> Option<Disk> {
        Disk::mount_sized(path, MEGABYTES)
    }

    /// The same with a size of its own.
    pub fn mount_sized(path: &Path, megabytes: u32) -> Option<Disk> {
        unmount_left_behind();
        let whole = path.with_extension("whole");
        fs::rename(path, &whole).expect("it is moved");
        fs::create_dir(path).expect("a folder");
        let name = format!("{NAME}{}", std::process::id());
        let options = format!("size={megabytes}m,mode=0700");
        let mut mount = Command::new("mount");
        let mounted = run(mount.args(["-t", "tmpfs", "-o", &options, &name]).arg(path));
        let disk = mounted.then(|| Disk { path: path.to_owned() });
        assert!(run(Command::new("cp").arg("--archive").arg(whole.join(".")).arg(path)));
        fs::remove_dir_all(&whole).expect("it is removed");
        disk
    }

    /// Fills it to the last byte.
    pub fn fill(&self) -> io::Result<()> {
        let mut file = File::create(self.path.join("filling"))?;
        for size in [1 << 20, 1 << 12] {
            let chunk = vec![0; size];
            while file.write_all(&chunk).is_ok() {}
        }
        Ok(())
    }

    pub fn clear(&self) {
        let _ = fs::remove_file(self.path.join("filling"));
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        run(Command::new("umount").arg("--lazy").arg(&self.path));
    }
}

/// Unmounts what killed processes left mounted.
fn unmount_left_behind() {
    for line in fs::read_to_string("/proc/mounts").unwrap_or_default().lines() {
        let mut words = line.split(' ');
        let owner = words.next().and_then(|name| name.strip_prefix(NAME));
        if let (Some(owner), Some(path)) = (owner, words.next())
            && !Path::new("/proc").join(owner).exists()
        {
            run(Command::new("umount").args(["--lazy", path]));
        }
    }
}

fn run(command: &mut Command) -> bool {
    command.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Stops processes while it lives.
pub struct Stopped(Vec<Pid>);

impl Stopped {
    /// At most this long: a stopped process cannot even be killed by its parent's death, should the
    /// test end first.
    pub fn new(processes: Vec<Pid>, longest: Duration) -> Stopped {
        let ids = processes.iter().map(|it| it.as_raw_pid().to_string());
        let wake = format!("sleep {}; kill -CONT \"$@\"", 2 + longest.as_secs());
        let mut waker = Command::new("setsid");
        waker.args(["--fork", "sh", "-c", &wake, "sh"]).args(ids);
        assert!(run(waker.stdin(Stdio::null()).stdout(Stdio::null())));
        processes.iter().for_each(|&process| _ = kill_process(process, Signal::STOP));
        Stopped(processes)
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        // Children first: a woken parent finds its children running.
        self.0.iter().rev().for_each(|&process| _ = kill_process(process, Signal::CONT));
    }
}

/// A process and its children, itself first.
pub fn family(parent: Pid) -> Vec<Pid> {
    let processes = fs::read_dir("/proc").expect("there are processes").flatten();
    let processes = processes.filter_map(|it| it.file_name().to_str()?.parse().ok());
    let children = processes.filter_map(|process: i32| {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // The process name between the brackets may contain any character.
        let (_, rest) = stat.rsplit_once(") ")?;
        let of: i32 = rest.split(' ').nth(1)?.parse().ok()?;
        (of == parent.as_raw_pid()).then(|| Pid::from_raw(process)).flatten()
    });
    [parent].into_iter().chain(children).collect()
}

/// The memory that a process uses, in bytes; 0 if there is none.
pub fn memory(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) << 10
}
