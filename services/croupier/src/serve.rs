//! `croupier serve`: the service, on a database of its own or on one that is named.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, IsTerminal, Write};
use std::net::SocketAddr;
use std::num::NonZero;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use api::{ApiKey, Auth};
use matches::{Matches, Sink};
use store::{Store, append, follow};
use time::OffsetDateTime;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;
use tracing_subscriber::EnvFilter;

use crate::client::Service;
use crate::data;
use crate::metering::{self, Metering, Sources};
use crate::postgres::{self, Postgres};
use crate::threads;

/// The platform that exists from the first start on, for trying things out on the machine itself.
pub const LOCAL: &str = "local";

/// Serve every protocol on one port
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Where to listen, for every protocol
    #[arg(long, value_name = "ADDRESS", env = "CROUPIER_LISTEN", default_value = "127.0.0.1:7710")]
    listen: SocketAddr,

    /// The database to use, as postgres://user:password@host/name; if none is named, one is kept in
    /// the data folder
    #[arg(long, value_name = "URL", env = "CROUPIER_DATABASE_URL", hide_env_values = true)]
    database_url: Option<String>,

    /// Leave projecting to `croupier project`
    #[arg(long, env = "CROUPIER_WITHOUT_PROJECTOR")]
    without_projector: bool,

    /// How many threads take connections; one less than there are processors if not said
    #[arg(long, env = "CROUPIER_THREADS", value_name = "N")]
    threads: Option<NonZero<usize>>,

    /// Neither tell other processes of new entries nor be told: they find out by asking, within a
    /// second
    #[arg(long, env = "CROUPIER_WITHOUT_HINTS")]
    without_hints: bool,

    #[command(flatten)]
    metering: metering::Listen,

    /// How the log is written, to the standard error
    #[arg(long, env = "CROUPIER_LOG_FORMAT", value_name = "FORMAT", default_value = "text")]
    log_format: LogFormat,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum LogFormat {
    Text,
    Json,
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{address} cannot be listened on: {source}", source = source_of(.source))]
    Listen { address: SocketAddr, source: std::io::Error },
    #[error("the data folder {path} cannot be used")]
    Folder { path: PathBuf, source: std::io::Error },
    #[error("{path} holds no API key: remove the file to get a new one")]
    Key { path: PathBuf },
    #[error(transparent)]
    Postgres(#[from] postgres::Error),
    #[error("the record cannot be opened")]
    Store(#[from] store::Error),
    #[error("the service stopped")]
    Api(#[from] api::ServeError),
    #[error("a thread cannot be started")]
    Thread(#[source] std::io::Error),
    #[error("no randomness is to be had")]
    Random(#[from] getrandom::Error),
}

/// Serves until it is told to stop, then lets streams end and entries settle.
pub async fn run(args: Args, folder: &Path) -> Result<(), Error> {
    write_log(args.log_format);
    let listener = TcpListener::bind(args.listen).await;
    let listener = listener.map_err(|source| Error::Listen { address: args.listen, source })?;
    let metering = Metering::begin(&args.metering).await?;
    make_folder(folder)?;

    if let Some(url) = &args.database_url {
        return serve(&args, listener, metering, store::Options::parse(url)?, folder).await;
    }
    let postgres = Postgres::start(folder.join("postgres"), postgres::Options::default()).await?;
    let database = store::Options::new(postgres.options());
    let served = serve(&args, listener, metering, database, folder).await;
    postgres.stop().await;
    served
}

async fn serve(
    args: &Args,
    listener: TcpListener,
    metering: Option<Metering>,
    database: store::Options,
    folder: &Path,
) -> Result<(), Error> {
    let address = listener.local_addr().expect("the listener is bound");
    let store = Store::connect(database.clone()).await?;
    store.migrate().await?;
    let key = local_key(&store, folder).await?;

    let drain = CancellationToken::new();
    // The writer stops last: what was accepted while the others drained is still recorded.
    let settled = CancellationToken::new();
    let sink = Sink::new(&matches::Options::default());
    let deliver = sink.clone();
    let deliver = move |_, entries: Vec<_>| deliver.deliver(&entries);
    let hints = !args.without_hints;
    let writer = append::Options { notify: hints, ..append::Options::default() };
    let writer = append::Service::new(&store, writer);
    let follower = follow::Options { listen: hints, ..follow::Options::default() };
    let follower = follow::Service::new(&store, follower, deliver).await?;
    let (write, follow) = (writer.handle(), follower.handle());
    let (projector, projecting) = if args.without_projector {
        (projector::Handle::default(), None)
    } else {
        let (handle, projecting) = threads::project(database.clone(), drain.clone())?;
        (handle, Some(projecting))
    };
    let reader = projector::Reader::new(&store, projector);
    let writing = tokio::spawn(writer.run(settled.clone()));
    let following = tokio::spawn(follower.run(settled.clone()));

    let metrics = metering.as_ref().map(Metering::address);
    if let Some(metering) = metering {
        let (writer, matches) = (Some(write.clone()), Some(sink.clone()));
        metering.serve(Sources { projector: reader.clone(), writer, matches });
    }
    let matches = Matches::new(store.clone(), write, follow, reader, sink, drain.clone());
    let auth = Auth::new(store.clone()).await?;
    tokio::spawn(stop_on_signal(drain.clone()));
    welcome(address, metrics, folder, &key);
    let count = args.threads.unwrap_or_else(threads::usual);
    let served = threads::serve(count, listener, matches, auth, drain).await;

    settled.cancel();
    let _ = tokio::join!(writing, following);
    if let Some(projecting) = projecting {
        projecting.ended().await;
    }
    store.close().await;
    tracing::info!("stopped");
    served
}

pub async fn stop_on_signal(drain: CancellationToken) {
    let mut terminate = signal(SignalKind::terminate()).expect("signals can be waited for");
    let mut interrupt = signal(SignalKind::interrupt()).expect("signals can be waited for");
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    tracing::info!("stopping: streams end, what is under way is finished");
    drain.cancel();
}

/// `RUST_LOG` says how much; what is worth an operator's eye if it is not set.
pub fn write_log(format: LogFormat) {
    let filter =
        EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info,sqlx=warn"));
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    match format {
        LogFormat::Text => subscriber.with_target(false).init(),
        LogFormat::Json => subscriber.json().init(),
    }
}

/// The folder's own mode keeps other users out of it, except on the way to a file that they are
/// given.
fn make_folder(path: &Path) -> Result<(), Error> {
    let made = fs::DirBuilder::new().recursive(true).mode(0o755).create(path);
    made.map_err(|source| Error::Folder { path: path.to_owned(), source })
}

/// The API key of the platform `local`: read from the data folder, or made and kept there. Its hash
/// is made known to the database in either case, which may be another one than last time.
async fn local_key(store: &Store, folder: &Path) -> Result<PathBuf, Error> {
    let path = data::local_key(folder);
    let key = match fs::read_to_string(&path) {
        Ok(text) => text.trim().parse().map_err(|_| Error::Key { path: path.clone() })?,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let key = ApiKey::new(LOCAL)?;
            write_secret(&path, &format!("{key}\n"))
                .map_err(|source| Error::Folder { path: path.clone(), source })?;
            key
        }
        Err(source) => return Err(Error::Folder { path, source }),
    };
    let now = OffsetDateTime::now_utc();
    store.create_platform(&key.platform, now).await?;
    store.create_platform_key(&key.platform, &key.key_id, key.hash().as_bytes(), now).await?;
    Ok(path)
}

fn write_secret(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// What to do next, for whoever started this in a terminal.
fn welcome(address: SocketAddr, metrics: Option<SocketAddr>, folder: &Path, key: &Path) {
    let service =
        Service { address: format!("http://{address}"), key: None, data: folder.to_owned() };
    let command = service.command();
    let (bold, plain) =
        if std::io::stdout().is_terminal() { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
    println!(
        "{bold}Croupier is serving on http://{address}{plain}, for gRPC, gRPC-Web, Connect and REST.
The platform `{LOCAL}` has its API key in {}.

Try next, in another terminal:
  {command} play mountebank --seats 3
  {command} matches
  curl http://{address}/v1/games/mountebank
",
        key.display()
    );
    if let Some(address) = metrics {
        println!("Metrics are told at http://{address}/metrics.\n");
    }
}

fn source_of(error: &std::io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::AddrInUse => "another process listens there; is Croupier running already?",
        ErrorKind::PermissionDenied => "this user may not",
        ErrorKind::AddrNotAvailable => "it is no address of this machine",
        _ => "the system refuses",
    }
}
