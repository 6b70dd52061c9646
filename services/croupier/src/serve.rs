//! `croupier serve`: the service, on its own Postgres or on a database that is named.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::net::SocketAddr;
use std::num::NonZero;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use api::{ApiKey, Auth, auth};
use client::{Service, local};
use matches::{Matches, Sink};
use store::{Store, append, follow};
use time::OffsetDateTime;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::database::{OwnPostgresError, start_postgres};
use crate::listen::{self, listen};
use crate::metering::{self, Metering, Sources};
use crate::process::{LogFormat, stop_on_signal, write_log};
use crate::threads;

/// Serve gRPC, gRPC-Web, Connect and REST on one port
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The address to listen on, for every protocol
    #[arg(long, value_name = "ADDRESS", env = "CROUPIER_LISTEN", default_value = "127.0.0.1:7710")]
    listen: SocketAddr,

    /// The database, as postgres://user:password@host/name [default: an own Postgres in the data
    /// folder]
    #[arg(long, value_name = "URL", env = "CROUPIER_DATABASE_URL", hide_env_values = true)]
    database_url: Option<String>,

    /// Do not project; `croupier project` does it in another process
    #[arg(long, env = "CROUPIER_WITHOUT_PROJECTOR")]
    without_projector: bool,

    /// The number of threads that serve connections [default: the number of processors minus one]
    #[arg(long, env = "CROUPIER_THREADS", value_name = "N")]
    threads: Option<NonZero<usize>>,

    /// Neither send nor receive notifications of new entries; processes then poll for them every
    /// second
    #[arg(long, env = "CROUPIER_WITHOUT_HINTS")]
    without_hints: bool,

    #[command(flatten)]
    metering: metering::Listen,

    /// The format of the log on standard error
    #[arg(long, env = "CROUPIER_LOG_FORMAT", value_name = "FORMAT", default_value = "text")]
    log_format: LogFormat,
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Listen(#[from] listen::Error),
    #[error("cannot use the data folder {path}")]
    Folder { path: PathBuf, source: io::Error },
    #[error("{path} does not contain an API key: remove the file to get a new one")]
    Key { path: PathBuf },
    #[error(transparent)]
    Postgres(#[from] OwnPostgresError),
    #[error("the database cannot be opened")]
    Store(#[from] store::Error),
    #[error(transparent)]
    Threads(#[from] threads::Error),
    #[error("the system provides no random numbers")]
    Random(#[from] getrandom::Error),
}

/// Serves until it is stopped by a signal, then ends the streams and records what was accepted.
pub async fn run(args: Args, folder: &Path) -> Result<(), Error> {
    write_log(args.log_format);
    let listener = listen(args.listen).await?;
    let metering = Metering::begin(&args.metering).await?;
    make_folder(folder)?;

    if let Some(url) = &args.database_url {
        return serve(&args, listener, metering, store::Options::parse(url)?, folder).await;
    }
    let postgres = start_postgres(folder).await?;
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
    // The writer stops last, so that actions accepted during the drain are still recorded.
    let stop_writer = CancellationToken::new();
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
    let writing = tokio::spawn(writer.run(stop_writer.clone()));
    let following = tokio::spawn(follower.run(stop_writer.clone()));

    let metrics = metering.as_ref().map(Metering::address);
    if let Some(metering) = metering {
        let (writer, matches) = (Some(write.clone()), Some(sink.clone()));
        metering.serve(Sources { projector: reader.clone(), writer, matches });
    }
    let matches = Matches::new(store.clone(), write, follow, reader, sink, drain.clone());
    let auth = Auth::new(&store, auth::Options::default()).await?;
    let refreshing = tokio::spawn(auth.clone().refresh(stop_writer.clone()));
    tokio::spawn(stop_on_signal(drain.clone()));
    welcome(address, metrics, folder, &key);
    let count = args.threads.unwrap_or_else(threads::default_count);
    let served = threads::serve(count, listener, matches, auth, drain).await;

    stop_writer.cancel();
    let _ = tokio::join!(writing, following, refreshing);
    if let Some(projecting) = projecting {
        projecting.ended().await;
    }
    store.close().await;
    tracing::info!("stopped");
    Ok(served?)
}

/// Creates the data folder. Other users can enter it, since Postgres may run as another user; the
/// files in it have modes of their own.
fn make_folder(path: &Path) -> Result<(), Error> {
    let created = fs::DirBuilder::new().recursive(true).mode(0o755).create(path);
    created.map_err(|source| Error::Folder { path: path.to_owned(), source })
}

/// Reads the API key of the platform `local` from the data folder, or creates it there. Its hash is
/// written to the database in either case, since the database may have changed.
async fn local_key(store: &Store, folder: &Path) -> Result<PathBuf, Error> {
    let path = local::key_file(folder);
    let key = match fs::read_to_string(&path) {
        Ok(text) => text.trim().parse().map_err(|_| Error::Key { path: path.clone() })?,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let key = ApiKey::new(local::PLATFORM)?;
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

fn write_secret(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Shows a person at the terminal what to do next.
fn welcome(address: SocketAddr, metrics: Option<SocketAddr>, folder: &Path, key: &Path) {
    let service =
        Service { address: format!("http://{address}"), key: None, data: folder.to_owned() };
    let command = service.command();
    let (bold, plain) =
        if std::io::stdout().is_terminal() { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
    println!(
        "{bold}Croupier is serving on http://{address}{plain}, for gRPC, gRPC-Web, Connect and REST.
The API key of the platform `{PLATFORM}` is in {}.

Try next, in another terminal:
  {command} play mountebank --seats 3
  {command} matches
  curl http://{address}/v1/games/mountebank
",
        key.display(),
        PLATFORM = local::PLATFORM,
    );
    if let Some(address) = metrics {
        println!("Metrics for Prometheus are at http://{address}/metrics.\n");
    }
}
