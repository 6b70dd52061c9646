//! `croupier serve`: the service, on its own Postgres or on a database that is named.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZero;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, chown, fchown};
use std::path::{Path, PathBuf};
use std::time::Duration;

use api::{ApiKey, Auth, SIGN_IN_LIFETIME, SignInCode, auth};
use client::{Service, local};
use matches::SimulatedTime;
use pages::Pages;
use rustix::process::geteuid;
use store::{SignIn, Store};
use time::OffsetDateTime;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::bots::Bots;
use crate::commands::sign_in;
use crate::core::{self, Core, end_agents, start_agents};
use crate::database::{self, Durability, Migration, OwnPostgresError, Patience, start_postgres};
use crate::hinting::Hints;
use crate::listen::{self, listen};
use crate::metering::{self, Metering, Sources};
use crate::peering::{Peering, Peers};
use crate::process::{LogFormat, stop_on_signal, write_log};
use crate::pushing;
use crate::threads::{self, Serving, StoreThread};
use crate::tls::{self, Tls};
use crate::user::{self, User};
use crate::vital::{self, Vital};

/// Serve gRPC, gRPC-Web, Connect and REST on one port
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The address to listen on, for every protocol
    #[arg(long, value_name = "ADDRESS", env = "CROUPIER_LISTEN", default_value = "127.0.0.1:7710")]
    listen: SocketAddr,

    #[command(flatten)]
    database: database::Url,

    #[command(flatten)]
    patience: Patience,

    #[command(flatten)]
    migration: Migration,

    #[command(flatten)]
    durability: Durability,

    /// Do not project; `croupier project` does it in another process
    #[arg(long, env = "CROUPIER_WITHOUT_PROJECTOR")]
    without_projector: bool,

    /// Do nothing that the service does by itself, such as timeouts; `croupier agents` does it in
    /// another process
    #[arg(long, env = "CROUPIER_WITHOUT_AGENTS")]
    without_agents: bool,

    #[command(flatten)]
    bots: Bots,

    /// The number of threads that serve connections [default: the number of processors, minus one
    /// for the database and one for --store-thread]
    #[arg(long, env = "CROUPIER_THREADS", value_name = "N")]
    threads: Option<NonZero<usize>>,

    /// Write and follow the record on a thread of its own [default: with four processors or more]
    #[arg(long, env = "CROUPIER_STORE_THREAD", value_name = "BOOL", num_args = 0..=1,
        require_equals = true, default_missing_value = "true")]
    store_thread: Option<bool>,

    /// How long to accept calls after SIGTERM, in seconds, while load balancers notice that the
    /// service is not ready any more; a second signal ends the wait
    #[arg(long, env = "CROUPIER_DRAIN_S", value_name = "SECONDS", default_value_t = 0)]
    drain_s: u32,

    #[command(flatten)]
    hints: Hints,

    /// The most connections to the database for what callers ask, at least 3; besides, a process
    /// has four, and up to four for its projector
    #[arg(long, value_name = "N", env = "CROUPIER_QUERY_CONNECTIONS",
        default_value_t = store::QUERY_CONNECTIONS, value_parser = clap::value_parser!(u32).range(3..))]
    query_connections: u32,

    #[command(flatten)]
    peering: Peering,

    /// The memory for matches that are not in use, in MB; about a hundred matches each
    #[arg(long, env = "CROUPIER_CACHE_MB", value_name = "N", default_value_t = 256)]
    cache_mb: usize,

    #[command(flatten)]
    tls: tls::FileArgs,

    /// A web page's origin that may call from a browser, such as https://play.example; repeatable
    ///
    /// By default pages of any origin may. They need an API key or a token like all callers; a
    /// browser adds none by itself.
    #[arg(long, value_name = "ORIGIN", env = "CROUPIER_CORS_ORIGIN", value_delimiter = ',',
        default_value = "*", value_parser = cors_origin)]
    cors_origin: Vec<String>,

    /// A web page's origin that may show the service's pages in a frame, such as
    /// https://play.example; repeatable [default: none may]
    #[arg(long, value_name = "ORIGIN", env = "CROUPIER_FRAME_ORIGIN", value_delimiter = ',',
        value_parser = origin)]
    frame_origin: Vec<String>,

    /// Serve the pages in this folder, as they are when the service starts, instead of those that
    /// the program contains
    #[arg(long, value_name = "DIR", env = "CROUPIER_PAGES")]
    pages: Option<PathBuf>,

    /// Run as this user once the ports are open, if started as root
    ///
    /// The user needs a data folder that it may write to; a new one is made its own. Postgres runs
    /// as the same user. Without this option a service that is started as root stays root, and only
    /// its own Postgres runs as another user.
    #[arg(long, value_name = "NAME", env = "CROUPIER_USER")]
    user: Option<String>,

    #[command(flatten)]
    pushing: pushing::Webhooks,

    #[command(flatten)]
    metering: metering::Listen,

    /// The format of the log on standard error
    #[arg(long, env = "CROUPIER_LOG_FORMAT", value_name = "FORMAT", default_value = "text")]
    log_format: LogFormat,

    /// Live in a time that passes faster, to try in minutes what takes a month: as ORIGIN*RATE, the
    /// second of the epoch at which both were the same, and how many seconds pass in each
    #[arg(long, value_name = "TIME", hide = true, value_parser = simulated_time)]
    simulate_time: Option<SimulatedTime>,

    /// Let this task panic, to try what follows. Only in builds for development.
    #[cfg(debug_assertions)]
    #[arg(long, value_name = "TASK", hide = true)]
    fail: Option<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Listen(#[from] listen::Error),
    #[error("cannot use the data folder {path}")]
    Folder { path: PathBuf, source: io::Error },
    #[error("cannot read the pages in {path}")]
    Pages { path: PathBuf, source: io::Error },
    #[error("{path} does not contain an API key: remove the file to get a new one")]
    Key { path: PathBuf },
    #[error(transparent)]
    Postgres(#[from] OwnPostgresError),
    #[error(transparent)]
    Database(#[from] database::Error),
    #[error("the database cannot be opened")]
    Store(#[from] store::Error),
    #[error(transparent)]
    Tls(#[from] tls::Error),
    #[error(transparent)]
    User(#[from] user::Error),
    #[error(transparent)]
    Ended(#[from] vital::Ended),
    #[error(transparent)]
    Threads(#[from] threads::Error),
    #[error("the system provides no random numbers")]
    Random(#[from] getrandom::Error),
}

/// Serves until it is stopped by a signal, then ends the streams and records what was accepted.
pub async fn run(args: Args, folder: &Path) -> Result<(), Error> {
    write_log(args.log_format);
    args.simulate_time.into_iter().for_each(matches::simulate_time);
    let listener = listen(args.listen).await?;
    let metering = Metering::begin(&args.metering).await?;
    let tls = args.tls.load()?;
    let pages = args.pages()?;
    let user = args.user.as_deref().map(User::named).transpose()?;
    make_folder(folder, user.as_ref())?;
    user.map_or(Ok(()), |user| user.become_now())?;
    warn_if_exposed(listener.local_addr().expect("the listener is bound"), tls.is_some());
    let peers = args.peering.listen().await?;
    let opened = Opened { listener, tls, metering, pages, peers };

    if let Some(database) = args.database.options()? {
        return serve(&args, opened, database, folder).await;
    }
    let postgres = start_postgres(folder).await?;
    let served = match args.database.own_options(postgres.options()) {
        Ok(database) => serve(&args, opened, database, folder).await,
        Err(error) => Err(error.into()),
    };
    postgres.stop().await;
    served
}

/// What was opened before the service became another user.
struct Opened {
    listener: TcpListener,
    tls: Option<Tls>,
    metering: Option<Metering>,
    pages: Pages,
    peers: Peers,
}

async fn serve(
    args: &Args,
    opened: Opened,
    mut database: store::Options,
    folder: &Path,
) -> Result<(), Error> {
    database.query_connections = args.query_connections;
    database.hints = args.hints.options()?;
    let Opened { listener, tls, metering, pages, peers } = opened;
    let address = listener.local_addr().expect("the listener is bound");
    let has_store_thread = args.store_thread.unwrap_or_else(threads::default_store_thread);
    let store_thread = StoreThread::start(has_store_thread)?;
    // Connected there, so that the tasks of its batched reads run there.
    let connecting = database::connect(database.clone(), args.patience.wait());
    let store = store_thread.spawn(connecting).await.expect("connecting does not panic")?;
    args.durability.check(&store).await?;
    args.migration.apply(&store).await?;
    database::warn_if_archived(&store).await?;
    let key = local_key(&store, folder).await?;

    let (leaving, drain) = (CancellationToken::new(), CancellationToken::new());
    let vital = Vital::new(drain.clone()).failing(args.fail());
    let (projector, projecting) = if args.without_projector {
        (projector::Handle::default(), None)
    } else {
        let (handle, projecting) = threads::project(database, drain.clone(), vital.clone())?;
        (handle, Some(projecting))
    };
    let reader = projector::Reader::new(&store, projector);
    let core = core::Options {
        follow: args.hints.following(),
        peers,
        matches: matches::Options { cache_bytes: args.cache_mb << 20 },
    };
    let core = Core::start(&store, reader.clone(), core, &store_thread, &vital, drain.clone());
    let core = core.await?;
    let stop_last = core.stop.clone();
    let ready = readiness(core.up.clone(), leaving.clone(), drain.clone());

    let metrics = metering.as_ref().map(Metering::address);
    if let Some(metering) = metering {
        let (writer, matches) = (Some(core.writer.clone()), Some(core.sink.clone()));
        let sources = Sources { projector: reader.clone(), writer, matches };
        let serving = metering.serve(sources, ready.clone());
        tokio::spawn(vital.clone().run("metrics", stop_last.clone(), serving));
    }
    let matches = core.matches.clone();
    let budgets = matches.budgets().clone();
    let auth = Auth::new(&store, budgets.clone(), auth::Options::default()).await?;
    let refreshing = auth.clone().refresh(stop_last.clone());
    let refreshing = tokio::spawn(vital.clone().run("credentials", stop_last.clone(), refreshing));
    tokio::spawn(budgets.run(store.clone(), drain.clone()));
    let agents = match args.without_agents {
        true => Vec::new(),
        false => start_agents(&matches, &args.pushing, args.bots.of_server(), &vital, &drain),
    };
    let wait = Duration::from_secs(args.drain_s.into());
    tokio::spawn(stop_on_signal(leaving, wait, drain.clone()));
    let code = if io::stdout().is_terminal() { sign_in_code(&store, &key).await } else { None };
    welcome(address, tls.is_some(), metrics, folder, code);
    if let Some(tls) = &tls {
        tokio::spawn(vital.clone().run("TLS reload", stop_last.clone(), tls.reload()));
    }
    let tls = tls.map(|tls| tls.acceptor);
    let (origins, webhooks) = (args.cors_origin.clone(), args.pushing.options());
    let frame_origins = args.frame_origin.clone();
    let options =
        api::Options { origins, pages, frame_origins, webhooks, ..api::Options::default() };
    let count = args.threads.unwrap_or_else(|| threads::default_count(has_store_thread));
    let serving = Serving { matches, auth, options, tls, ready, drain };
    let served = threads::serve(count, listener, serving, vital.clone()).await;

    end_agents(agents).await;
    core.stop().await;
    let _ = refreshing.await;
    if let Some(projecting) = projecting {
        projecting.ended().await;
    }
    store.close().await;
    store_thread.end().await;
    tracing::info!("stopped");
    vital.check()?;
    Ok(served?)
}

impl Args {
    fn pages(&self) -> Result<Pages, Error> {
        let Some(folder) = &self.pages else { return Ok(Pages::embedded()) };
        let failed = |source| Error::Pages { path: folder.clone(), source };
        Pages::of_folder(folder).map_err(failed)
    }

    /// The task that fails on request.
    fn fail(&self) -> Option<&str> {
        #[cfg(debug_assertions)]
        return self.fail.as_deref();
        #[cfg(not(debug_assertions))]
        None
    }
}

/// Whether load balancers should send calls: while the database answers and accepts writes, until
/// the process leaves or drains.
fn readiness(
    mut up: watch::Receiver<bool>,
    leaving: CancellationToken,
    drain: CancellationToken,
) -> watch::Receiver<bool> {
    let (set, ready) = watch::channel(*up.borrow());
    tokio::spawn(async move {
        loop {
            tokio::select! {
                () = leaving.cancelled() => break,
                () = drain.cancelled() => break,
                changed = up.changed() => if changed.is_err() { break },
            }
            set.send_replace(*up.borrow_and_update());
        }
        set.send_replace(false);
        // Readers keep the last value only while this side lives.
        set.closed().await;
    });
    ready
}

/// Creates the data folder. Other users can enter it, since Postgres may run as another user; the
/// files in it have modes of their own.
///
/// A new one belongs to the user that the service becomes.
fn make_folder(path: &Path, user: Option<&User>) -> Result<(), Error> {
    let is_new = !path.exists();
    let created = fs::DirBuilder::new().recursive(true).mode(0o755).create(path);
    let owned = created.and_then(|()| match user {
        Some(user) if is_new => chown(path, Some(user.uid), Some(user.gid)),
        _ => Ok(()),
    });
    owned.map_err(|source| Error::Folder { path: path.to_owned(), source })
}

/// Keys, tokens and hidden cards would cross the network for anyone on the way to read.
fn warn_if_exposed(address: SocketAddr, has_tls: bool) {
    if !has_tls && !address.ip().is_loopback() {
        tracing::warn!(
            "SERVING WITHOUT TLS ON {address}, WHICH OTHER MACHINES CAN REACH: API keys, tokens and \
             hidden information cross the network in the clear. Use --tls-cert and --tls-key, or a \
             proxy that terminates TLS and reaches the service over a network of its own"
        );
    }
}

fn simulated_time(text: &str) -> Result<SimulatedTime, String> {
    let parsed = text.split_once('*').and_then(|(origin, rate)| {
        let origin = OffsetDateTime::from_unix_timestamp(origin.parse().ok()?).ok()?;
        Some(SimulatedTime { origin, rate: rate.parse().ok()? })
    });
    parsed.ok_or_else(|| "write ORIGIN*RATE, such as 1767225600*1000".to_owned())
}

fn cors_origin(text: &str) -> Result<String, String> {
    let is_any = text == "*";
    let named = if is_any { Ok(text.to_owned()) } else { origin(text) };
    named.map_err(|_| "an origin is * or like https://play.example, without a path".to_owned())
}

/// What a browser calls an origin. It becomes part of a header.
fn origin(text: &str) -> Result<String, String> {
    let is_host = |it: char| it.is_ascii_alphanumeric() || "-.:[]_".contains(it);
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    match host {
        Some(host) if !host.is_empty() && host.chars().all(is_host) => Ok(text.to_owned()),
        _ => Err("an origin is like https://play.example, without a path".to_owned()),
    }
}

/// Reads the API key of the platform `local` from the data folder, or creates it there. Its hash is
/// written to the database if it is not there: the database may have changed.
async fn local_key(store: &Store, folder: &Path) -> Result<ApiKey, Error> {
    let path = local::key_file(folder);
    let key: ApiKey = match fs::read_to_string(&path) {
        Ok(text) => text.trim().parse().map_err(|_| Error::Key { path: path.clone() })?,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let key = ApiKey::new(local::PLATFORM)?;
            write_secret(&path, &format!("{key}\n"))
                .map_err(|source| Error::Folder { path: path.clone(), source })?;
            key
        }
        Err(source) => return Err(Error::Folder { path, source }),
    };
    let known = store.list_platform_keys(&key.platform, i64::MAX).await?;
    // All nodes of a database have these keys, so that none can be written while one is away.
    if known.iter().all(|it| it.key_id != key.key_id) {
        let now = OffsetDateTime::now_utc();
        store.create_platform(&key.platform, now).await?;
        store.create_platform_key(&key.platform, &key.key_id, key.hash().as_bytes(), now).await?;
    }
    Ok(key)
}

/// A code to sign in with for the platform `local`. The service can do without one.
async fn sign_in_code(store: &Store, key: &ApiKey) -> Option<SignInCode> {
    let sign_in = SignIn { platform: key.platform.clone(), key_id: key.key_id.clone() };
    let code = SignInCode::new().ok()?;
    let created = store.create_sign_in(code.hash().as_bytes(), &sign_in, SIGN_IN_LIFETIME).await;
    match created {
        Ok(_) => Some(code),
        Err(error) => {
            tracing::warn!(error = api::error_chain(&error), "there is no code to sign in with");
            None
        }
    }
}

fn write_secret(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())?;
    // In a service user's folder, root leaves no file that this user cannot read.
    if geteuid().is_root()
        && let Some(folder) = path.parent()
    {
        let owner = fs::metadata(folder)?;
        fchown(&file, Some(owner.uid()), Some(owner.gid()))?;
    }
    file.sync_all()
}

/// Shows a person at the terminal what to do next. A code is shown to a terminal only: elsewhere
/// this becomes part of a log, which others may read while the code works.
fn welcome(
    address: SocketAddr,
    has_tls: bool,
    metrics: Option<SocketAddr>,
    folder: &Path,
    code: Option<SignInCode>,
) {
    let scheme = if has_tls { "https" } else { "http" };
    let service = Service {
        address: format!("{scheme}://{address}"),
        key: None,
        key_file: None,
        ca: None,
        data: folder.to_owned(),
        language: None,
    };
    let command = service.command();
    let (bold, plain) =
        if std::io::stdout().is_terminal() { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
    let play = match code {
        Some(code) => {
            let link =
                sign_in::link(&format!("{scheme}://{}", reachable(address)), &code.to_string());
            format!("Play at {bold}{link}{plain}")
        }
        None => format!("To play in a browser, open the link that this prints: {command} sign-in"),
    };
    println!(
        "{bold}Croupier is serving on {scheme}://{address}{plain}, for gRPC, gRPC-Web, Connect and REST.
The API key of the platform `{PLATFORM}` is in {}.
{play}

Try next, in another terminal:
  {command} play mountebank --bots search
  {command} play mountebank --seats 3
  {command} games
  {command} matches
  curl {scheme}://{address}/v1/games/mountebank
",
        local::key_file(folder).display(),
        PLATFORM = local::PLATFORM,
    );
    if let Some(address) = metrics {
        println!("Metrics for Prometheus are at http://{address}/metrics.\n");
    }
}

/// The address for a browser on this machine.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}
