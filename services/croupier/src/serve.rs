//! `croupier serve`: the service, on its own Postgres or on a given database.
//!
//! In reading order: `origins`, `proxies`, `tls` and `user`, from the command line; `data_folder`;
//! `connections` and `projecting`, which serve; `welcome`, the message for the person at the
//! terminal.

mod connections;
mod data_folder;
mod origins;
mod projecting;
mod proxies;
mod tls;
mod user;
mod welcome;

use std::io::{self, IsTerminal};
use std::net::SocketAddr;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;

use api::{ApiKey, Auth, auth};
use database::SimulatedTime;
use pages::Pages;
use time::OffsetDateTime;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use self::connections::Serving;
use self::data_folder::{local_key, make_folder};
use self::origins::{cors_origin, origin};
use self::proxies::ProxyArgs;
use self::tls::Tls;
use self::user::User;
use self::welcome::{sign_in_code, warn_if_exposed, welcome};
use crate::deciding::agents::{end_agents, start_agents};
use crate::deciding::bots::Bots;
use crate::deciding::engine::{Engine, Prepared};
use crate::deciding::hints::Hints;
use crate::deciding::peers::{Peering, Peers};
use crate::deciding::webhooks::Webhooks;
use crate::process::built_in;
use crate::process::installation::{self, Installation};
use crate::process::keys;
use crate::process::listen::{self, listen};
use crate::process::logging::{LogFormat, write_log};
use crate::process::metering::{self, Metering, Source, Sources};
use crate::process::opening::{
    self, Durability, Migration, OwnPostgresError, start_postgres_patiently,
};
use crate::process::patience::{Passing, Patience};
use crate::process::readiness::Telling;
use crate::process::signals::stop_on_signal;
use crate::process::threads::{self, StoreThread};
use crate::process::totals::Totals;
use crate::process::vital::{self, Vital};

/// Serve gRPC, gRPC-Web, Connect and REST on one port
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The address to listen on, for every protocol
    #[arg(long, value_name = "ADDRESS", env = "CROUPIER_LISTEN", default_value = "127.0.0.1:7710")]
    listen: SocketAddr,

    #[command(flatten)]
    database: opening::Url,

    #[command(flatten)]
    patience: Patience,

    #[command(flatten)]
    migration: Migration,

    #[command(flatten)]
    durability: Durability,

    /// Do not project; `croupier project` does it in another process
    #[arg(long, env = "CROUPIER_WITHOUT_PROJECTOR")]
    without_projector: bool,

    /// Do not run agents, which record timeouts and play for bots; `croupier agents` runs them in
    /// another process
    #[arg(long, env = "CROUPIER_WITHOUT_AGENTS")]
    without_agents: bool,

    /// Do not serve the Model Context Protocol at `/mcp`
    #[arg(long, env = "CROUPIER_WITHOUT_MCP")]
    without_mcp: bool,

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
    /// service is no longer ready; a second signal ends the wait
    #[arg(long, env = "CROUPIER_DRAIN_S", value_name = "SECONDS", default_value_t = 0)]
    drain_s: u32,

    #[command(flatten)]
    hints: Hints,

    /// The maximum number of database connections for callers' queries, at least 3; in addition, a
    /// process has four, and up to four for its projector
    #[arg(long, value_name = "N", env = "CROUPIER_QUERY_CONNECTIONS",
        default_value_t = database::QUERY_CONNECTIONS, value_parser = clap::value_parser!(u32).range(3..))]
    query_connections: u32,

    #[command(flatten)]
    peering: Peering,

    /// The memory for matches that are not in use, in MB; about a hundred matches each
    #[arg(long, env = "CROUPIER_CACHE_MB", value_name = "N", default_value_t = 256)]
    cache_mb: usize,

    #[command(flatten)]
    tls: tls::FileArgs,

    #[command(flatten)]
    proxies: ProxyArgs,

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

    /// A platform whose matches are shown to whoever has a link, as spectators see them: names,
    /// state and a picture; repeatable [default: none]
    #[arg(long, value_name = "PLATFORM", env = "CROUPIER_SHOW_MATCHES_OF", value_delimiter = ',')]
    show_matches_of: Vec<String>,

    /// Serve the pages in this folder, read at startup, instead of those built into the program
    #[arg(long, value_name = "DIR", env = "CROUPIER_PAGES")]
    pages: Option<PathBuf>,

    /// Run as this user once the ports are open, if started as root
    ///
    /// The user needs a writable data folder; a new folder is created as its own. Postgres runs as
    /// the same user. Without this option a service that is started as root stays root, and only
    /// its own Postgres runs as another user.
    #[arg(long, value_name = "NAME", env = "CROUPIER_USER")]
    user: Option<String>,

    #[command(flatten)]
    webhooks: Webhooks,

    #[command(flatten)]
    metering: metering::Listen,

    /// The format of the log on standard error
    #[arg(long, env = "CROUPIER_LOG_FORMAT", value_name = "FORMAT", default_value = "text")]
    log_format: LogFormat,

    /// Run on an accelerated clock, to simulate a month in minutes: as ORIGIN*RATE, the Unix time
    /// at which it agreed with the real clock, and how many of its seconds pass in a real second
    #[arg(long, value_name = "TIME", hide = true, value_parser = simulated_time)]
    simulate_time: Option<SimulatedTime>,

    /// Let this task panic, to test the consequences. Only in builds for development.
    #[cfg(any(debug_assertions, feature = "drills"))]
    #[arg(long, value_name = "TASK", hide = true)]
    fail: Option<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Listen(#[from] listen::Error),
    #[error(transparent)]
    DataFolder(#[from] data_folder::Error),
    #[error("cannot read the pages in {path}")]
    Pages { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Postgres(#[from] OwnPostgresError),
    #[error(transparent)]
    Opening(#[from] opening::Error),
    #[error("the keys of the installation cannot be made")]
    Keys(#[from] keys::Error),
    #[error("the database cannot be read")]
    Database(#[from] database::Error),
    #[error(transparent)]
    Tls(#[from] tls::Error),
    #[error(transparent)]
    User(#[from] user::Error),
    #[error(transparent)]
    Ended(#[from] vital::Ended),
    #[error(transparent)]
    Threads(#[from] threads::Error),
    #[error(transparent)]
    Connections(#[from] connections::Error),
}

impl Passing for Error {
    fn waits_for(&self) -> Option<String> {
        match self {
            Error::DataFolder(error) => error.waits_for(),
            Error::Postgres(error) => error.waits_for(),
            Error::Opening(error) => error.waits_for(),
            Error::Database(error) | Error::Keys(keys::Error::Database(error)) => error.waits_for(),
            _ => None,
        }
    }
}

/// Serves until it is stopped by a signal, then ends the streams and records the accepted actions.
pub async fn run(args: Args, folder: &Path) -> Result<(), Error> {
    write_log(args.log_format);
    let listener = listen(args.listen).await?;
    let totals = Totals::default();
    let metering = Metering::begin(&args.metering, &totals).await?;
    let tls = args.tls.load()?;
    let pages = args.pages()?;
    let user = args.user.as_deref().map(User::named).transpose()?;
    make_folder(folder, user.as_ref())?;
    user.map_or(Ok(()), |user| user.become_now())?;
    warn_if_exposed(listener.local_addr().expect("the listener is bound"), tls.is_some());
    let peers = args.peering.listen().await?;
    let drain = CancellationToken::new();
    let vital = Vital::new(drain.clone()).failing(args.fail());
    let telling = Telling::start();
    let metrics = metering.map(|metering| {
        let (address, source) = (metering.address(), metering.source());
        vital.spawn("metrics", &drain, metering.serve(telling.receiver()));
        (address, source)
    });
    let opened = Opened { listener, tls, pages, peers, metrics, totals, telling, vital, drain };

    if let Some(options) = args.database.options(folder)? {
        return serve(&args, opened, options, false, folder).await;
    }
    let postgres = start_postgres_patiently(folder, args.patience).await?;
    let served = match args.database.own_options(postgres.options(), folder) {
        Ok(options) => serve(&args, opened, options, true, folder).await,
        Err(error) => Err(error.into()),
    };
    postgres.stop().await;
    served
}

/// Everything that was opened before the database.
struct Opened {
    listener: TcpListener,
    tls: Option<Tls>,
    pages: Pages,
    peers: Peers,
    /// The address of the metrics, which are served already.
    metrics: Option<(SocketAddr, Source)>,
    totals: Totals,
    telling: Telling,
    vital: Vital,
    drain: CancellationToken,
}

async fn serve(
    args: &Args,
    opened: Opened,
    mut options: installation::Options,
    is_own: bool,
    folder: &Path,
) -> Result<(), Error> {
    options.database.query_connections = args.query_connections;
    options.database.simulated_time = args.simulate_time;
    options.hints = args.hints.options()?;
    let Opened { listener, tls, pages, peers, metrics, totals, telling, vital, drain } = opened;
    let address = listener.local_addr().expect("the listener is bound");
    let has_store_thread = args.store_thread.unwrap_or_else(connections::default_store_thread);
    let store_thread = StoreThread::start(has_store_thread)?;
    // Connects on that thread, so that the tasks of batched reads run there.
    let connect = async || {
        let connecting = opening::connect(options.clone());
        store_thread.spawn(connecting).await.expect("connecting does not panic")
    };
    let installation = args.patience.retry(connect).await?;
    let prepare = async || prepare(args, &installation, folder).await;
    let (key, prepared) = args.patience.retry(prepare).await?;
    let accounts = &installation.accounts;

    let leaving = CancellationToken::new();
    keep_modules(args, &installation, &vital, &drain);
    let (projector, projecting) = if args.without_projector {
        (projector::Handle::default(), None)
    } else {
        let news = installation.store.log().high_water_changes();
        let (handle, projecting) =
            projecting::project(options, news, drain.clone(), vital.clone())?;
        (handle, Some(projecting))
    };
    let reader = projector::Reader::new(&installation.store, projector);
    let engine = Engine::start(
        &installation,
        prepared,
        reader.clone(),
        peers,
        &store_thread,
        &vital,
        drain.clone(),
    );
    let stop_last = engine.stop.clone();
    let ready = telling.receiver();
    let nodes = installation.store.database().watch_nodes();
    telling.follow(engine.condition.clone(), nodes, leaving.clone(), drain.clone(), &vital);

    let sources = || {
        let (writer, matches) = (Some(engine.writer.clone()), Some(engine.sink.clone()));
        let disk = is_own.then(|| folder.to_owned());
        Sources { disk, projector: reader.clone(), writer, matches }
    };
    let metrics = metrics.map(|(address, source)| {
        source.set(sources());
        address
    });
    let matches = engine.matches.clone();
    let auth = async || Auth::new(&matches, auth::Options::default()).await;
    let auth = args.patience.retry(auth).await?;
    database::pace::allow_rest();
    let refreshing = auth.clone().refresh(stop_last.clone());
    let refreshing = vital.spawn("credentials", &stop_last, refreshing);
    let agents = match args.without_agents {
        true => Vec::new(),
        false => start_agents(&matches, &args.webhooks, args.bots.of_server(), &vital, &drain),
    };
    let wait = Duration::from_secs(args.drain_s.into());
    vital.spawn("signals", &drain, stop_on_signal(leaving, wait, drain.clone()));
    let code = match io::stdout().is_terminal() {
        true => sign_in_code(accounts, &auth, &key).await,
        false => None,
    };
    welcome(address, tls.is_some(), metrics, folder, code);
    if let Some(tls) = &tls {
        vital.spawn("TLS reload", &stop_last, tls.reload());
    }
    let tls = tls.map(|tls| tls.acceptor);
    let protocols: Vec<api::Protocol> =
        if args.without_mcp { Vec::new() } else { vec![mcp::routes] };
    let options = api::Options {
        origins: args.cors_origin.clone(),
        pages,
        frame_origins: args.frame_origin.clone(),
        shown_platforms: args.show_matches_of.clone(),
        webhooks: args.webhooks.options(),
        proxies: args.proxies.proxies(),
        protocols,
        metrics: sources().live(totals),
        ..api::Options::default()
    };
    let count = args.threads.unwrap_or_else(|| connections::default_count(has_store_thread));
    let has_proxy_protocol = args.proxies.has_proxy_protocol();
    let serving = Serving { matches, auth, options, tls, has_proxy_protocol, ready, drain };
    let served = connections::serve(count, listener, serving, vital.clone()).await;

    end_agents(agents).await;
    engine.stop().await;
    let _ = refreshing.await;
    if let Some(projecting) = projecting {
        projecting.ended().await;
    }
    installation.close().await;
    store_thread.end().await;
    tracing::info!("stopped");
    vital.check()?;
    Ok(served?)
}

/// Keeps the modules of the built-in games, if this process is one that migrates.
fn keep_modules(
    args: &Args,
    installation: &Installation,
    vital: &Vital,
    drain: &CancellationToken,
) {
    if !args.migration.migrates() {
        return;
    }
    let (store, stop) = (installation.store.clone(), drain.clone());
    let compiler = args.database.module_compiler().map(Path::to_owned);
    vital.spawn("keeping of modules", drain, async move {
        stop.run_until_cancelled(built_in::keep_later(&store, compiler.as_deref())).await;
        stop.cancelled().await;
    });
}

/// Checks the database, brings it up to date, and reads what the service begins with. Each step may
/// be repeated.
async fn prepare(
    args: &Args,
    installation: &Installation,
    folder: &Path,
) -> Result<(ApiKey, Prepared), Error> {
    args.durability.check(installation.database()).await?;
    args.migration.apply(installation.database()).await?;
    keys::make(installation).await?;
    installation.warn_if_archived().await?;
    let key = local_key(&installation.accounts, folder).await?;
    let matches = matches::Options { cache_bytes: args.cache_mb << 20 };
    let prepared = Prepared::read(installation, args.hints.following(), &matches).await?;
    Ok((key, prepared))
}

impl Args {
    fn pages(&self) -> Result<Pages, Error> {
        let Some(folder) = &self.pages else { return Ok(Pages::embedded()) };
        let failed = |source| Error::Pages { path: folder.clone(), source };
        Pages::of_folder(folder).map_err(failed)
    }

    /// The task that fails on request.
    fn fail(&self) -> Option<&str> {
        #[cfg(any(debug_assertions, feature = "drills"))]
        return self.fail.as_deref();
        #[cfg(not(any(debug_assertions, feature = "drills")))]
        None
    }
}

fn simulated_time(text: &str) -> Result<SimulatedTime, String> {
    let parsed = text.split_once('*').and_then(|(origin, rate)| {
        let origin = OffsetDateTime::from_unix_timestamp(origin.parse().ok()?).ok()?;
        Some(SimulatedTime { origin, rate: rate.parse().ok()? })
    });
    parsed.ok_or_else(|| "write ORIGIN*RATE, such as 1767225600*1000".to_owned())
}
