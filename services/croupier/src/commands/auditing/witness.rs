//! `croupier witness`: cosigns the checkpoints of logs, as C2SP's tlog-witness has it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::{Path as UrlPath, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tlog::{
    AddCheckpoint, Checkpoint, Note, Refused, Signed, SigningKey, VerifierKey, origin_hash,
};
use tokio_util::sync::CancellationToken;

use super::clock::now;
use crate::failure::Failure;
use crate::print;
use crate::process::listen::listen;
use crate::process::signals::stop_on_signal;

/// Serve a witness, which cosigns checkpoints of transparency logs that continue what it cosigned
/// before
///
/// A log that asks witnesses who are independent of it cannot show different histories to
/// different people. The witness has a key and the last checkpoint of each log in its folder: back
/// it up, and never run two of one key. It prints its verifier key.
#[derive(clap::Args)]
pub struct Args {
    /// The name of the witness, best its address without `https://`, such as witness.example
    #[arg(value_name = "NAME")]
    name: String,
    /// The verifier key of a log that it cosigns; repeatable
    #[arg(long = "log-key", value_name = "KEY", required = true)]
    logs: Vec<VerifierKey>,
    /// The address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7720")]
    listen: SocketAddr,
    /// The folder of its key and of what it cosigned; it is made if it is not there
    #[arg(long, value_name = "DIR", default_value = "croupier-witness")]
    folder: PathBuf,
}

struct Witness {
    key: SigningKey,
    /// By name.
    logs: BTreeMap<String, VerifierKey>,
    folder: PathBuf,
    /// One request at a time compares with the last checkpoint and replaces it.
    deciding: Mutex<()>,
}

pub async fn run(args: Args) -> Result<(), Failure> {
    let failed = |source| Failure::Path { path: args.folder.clone(), source };
    fs::create_dir_all(&args.folder).map_err(failed)?;
    let secret = secret(&args.folder.join("key")).map_err(failed)?;
    let key = SigningKey::new(&args.name, &secret)
        .ok_or_else(|| Failure::Usage(format!("no witness can have the name {:?}", args.name)))?;
    let logs = args.logs.iter().map(|it| (it.name().to_owned(), it.clone())).collect();
    let listener = listen(args.listen).await?;
    let address = listener.local_addr().map_err(Failure::Output)?;
    print::line(&key.cosigner().to_string())?;
    print::line(&format!("It cosigns at http://{address}"))?;
    let folder = args.folder.clone();
    let witness = Arc::new(Witness { key, logs, folder, deciding: Mutex::new(()) });
    let pages = Router::new()
        .route("/add-checkpoint", post(add_checkpoint))
        .route("/{origin_hash}/checkpoint", get(checkpoint))
        .with_state(witness);
    let stop = CancellationToken::new();
    let stopping = stop_on_signal(CancellationToken::new(), Duration::ZERO, stop);
    tokio::select! {
        served = axum::serve(listener, pages).into_future() => served.map_err(Failure::Output),
        () = stopping => Ok(()),
    }
}

async fn add_checkpoint(State(witness): State<Arc<Witness>>, body: String) -> Response {
    let cosigned = tokio::task::spawn_blocking(move || witness.cosign(&body)).await;
    match cosigned.expect("cosigning does not panic") {
        Ok(Ok(lines)) => lines.into_response(),
        Ok(Err(refused)) => match refused {
            Refused::Invalid => StatusCode::BAD_REQUEST.into_response(),
            Refused::UnknownLog => StatusCode::NOT_FOUND.into_response(),
            Refused::Unsigned => StatusCode::FORBIDDEN.into_response(),
            Refused::Inconsistent => StatusCode::UNPROCESSABLE_ENTITY.into_response(),
            Refused::OtherSize(size) => {
                let media = [(header::CONTENT_TYPE, "text/x.tlog.size")];
                (StatusCode::CONFLICT, media, format!("{size}\n")).into_response()
            }
        },
        Err(error) => {
            eprintln!("croupier: what was cosigned cannot be kept: {error}");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

async fn checkpoint(
    State(witness): State<Arc<Witness>>,
    UrlPath(hash): UrlPath<String>,
) -> Response {
    let known = witness.logs.keys().find(|origin| origin_hash(origin) == hash);
    let note = known.and_then(|origin| fs::read_to_string(witness.path(origin)).ok());
    note.map_or_else(|| StatusCode::NOT_FOUND.into_response(), IntoResponse::into_response)
}

impl Witness {
    /// The lines of the cosignature, once it is kept what was cosigned.
    fn cosign(&self, body: &str) -> io::Result<Result<String, Refused>> {
        let Some(asked) = AddCheckpoint::parse(body) else { return Ok(Err(Refused::Invalid)) };
        let Some(origin) = asked.origin() else { return Ok(Err(Refused::Invalid)) };
        let Some(key) = self.logs.get(&origin) else { return Ok(Err(Refused::UnknownLog)) };
        let _deciding = self.deciding.lock().unwrap_or_else(PoisonError::into_inner);
        let last = self.last(&origin)?;
        let Signed { note, .. } = match asked.judge(key, last.as_ref()) {
            Ok(signed) => signed,
            Err(refused) => return Ok(Err(refused)),
        };
        let mut cosigned = Note::unsigned(note.text.clone());
        cosigned.add_lines(&note.lines_of(key)).expect("they are lines of a note");
        let cosigned = cosigned.cosigned(&self.key, now().cast_unsigned());
        keep(&self.path(&origin), cosigned.to_string().as_bytes())?;
        Ok(Ok(cosigned.lines_of(&self.key.cosigner())))
    }

    /// The last checkpoint of a log that it cosigned.
    fn last(&self, origin: &str) -> io::Result<Option<Checkpoint>> {
        match fs::read_to_string(self.path(origin)) {
            Ok(note) => {
                let parsed = Note::parse(&note).ok().and_then(|it| Checkpoint::parse(&it.text));
                parsed.map(Some).ok_or_else(|| io::Error::other("it is not a checkpoint"))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn path(&self, origin: &str) -> PathBuf {
        self.folder.join(origin_hash(origin))
    }
}

/// The secret in a file, which is made if it is not there.
fn secret(path: &Path) -> io::Result<[u8; 32]> {
    match fs::read_to_string(path) {
        Ok(text) => {
            let bytes = hex::decode(text.trim()).ok().and_then(|it| it.try_into().ok());
            bytes.ok_or_else(|| io::Error::other("its key is not 64 hexadecimal digits"))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let mut secret = [0; 32];
            getrandom::fill(&mut secret).map_err(io::Error::other)?;
            keep(path, hex::encode(secret).as_bytes())?;
            Ok(secret)
        }
        Err(error) => Err(error),
    }
}

/// Replaces a file as a whole, durably and for nobody else to read.
fn keep(path: &Path, bytes: &[u8]) -> io::Result<()> {
    use std::os::unix::fs::OpenOptionsExt;
    let new = path.with_extension("new");
    let mut file =
        File::options().write(true).create(true).truncate(true).mode(0o600).open(&new)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&new, path)?;
    File::open(path.parent().unwrap_or(Path::new(".")))?.sync_all()
}
