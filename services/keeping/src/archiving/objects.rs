//! The object store of archived matches: a folder, or a bucket of S3.
//!
//! An object holds the emptied columns of a match's rows, the request ids and bodies of all its
//! entries; its hash is in the database. Fetched content is cached, and concurrent readers of a
//! match share one fetch.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::path::{Path as FilePath, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use event_log::ColdError;
use futures::StreamExt;
use futures::stream::BoxStream;
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt, RetryConfig};
use positions::Bucket;
use rows::MatchId;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use uuid::Uuid;

use super::archived::Archived;
use super::cache::Cache;
use super::content::{Content, unpack};
use super::http;
use super::private;

/// A place for archived matches, cheap to clone.
#[derive(Clone)]
pub struct ColdStore(Arc<Inner>);

struct Inner {
    url: String,
    objects: Box<dyn ObjectStore>,
    /// Its folder, if it is one.
    folder: Option<PathBuf>,
    /// The prefix of every object's name; may be empty.
    prefix: String,
    fetches: Semaphore,
    cache: Mutex<Cache>,
}

/// An invalid archive.
#[derive(Debug, thiserror::Error)]
pub enum ColdStoreError {
    #[error("an archive is file:///FOLDER or s3://BUCKET/PREFIX")]
    Malformed,
    #[error("the archive {url} cannot be opened")]
    Unusable { url: String, source: object_store::Error },
}

/// The number of concurrent fetches: enough to hide the latency of S3.
const FETCHES_MAX: usize = 16;
/// The timeout for one object.
const FETCH_WAIT: Duration = Duration::from_secs(10);
/// The object that marks the archive of an installation: if it is missing too, the archive itself
/// is missing.
const SIGN: &str = "archive";

impl ColdStore {
    /// Opens an archive. Nothing is read from it yet; but a folder must exist.
    pub fn open(url: &str) -> Result<ColdStore, ColdStoreError> {
        let unusable = |source| ColdStoreError::Unusable { url: url.to_owned(), source };
        let (objects, prefix): (Box<dyn ObjectStore>, &str) = if let Some(folder) = folder(url) {
            let files = LocalFileSystem::new_with_prefix(folder).map_err(unusable)?;
            (Box::new(files.with_fsync(true)), "")
        } else if let Some(place) = url.strip_prefix("s3://") {
            let (bucket, prefix) = place.split_once('/').unwrap_or((place, ""));
            if bucket.is_empty() {
                return Err(ColdStoreError::Malformed);
            }
            (Box::new(s3(bucket).build().map_err(unusable)?), prefix.trim_end_matches('/'))
        } else {
            return Err(ColdStoreError::Malformed);
        };
        let prefix = if prefix.is_empty() { String::new() } else { format!("{prefix}/") };
        let (fetches, cache) = (Semaphore::new(FETCHES_MAX), Mutex::default());
        let (url, folder) = (url.to_owned(), folder(url).map(FilePath::to_owned));
        Ok(ColdStore(Arc::new(Inner { url, objects, folder, prefix, fetches, cache })))
    }

    /// The folder of the archive, if it is in one.
    pub fn folder(url: &str) -> Option<&FilePath> {
        folder(url)
    }

    /// The URL as configured.
    pub fn url(&self) -> &str {
        &self.0.url
    }

    /// Marks the archive as this installation's, and closes it to others if it is a folder. Returns
    /// how many files and folders others could read.
    pub(crate) async fn sign(&self, installation: Uuid) -> Result<u64, ColdError> {
        let mended = match self.0.folder.clone() {
            None => 0,
            Some(folder) => {
                let of_installation = folder.join(installation.to_string());
                let mending = move || private::mend(&folder, &of_installation);
                blocking(mending).await?
            }
        };
        if !self.is_signed(installation).await? {
            self.put(&format!("{installation}/{SIGN}"), installation.to_string().into()).await?;
        }
        Ok(mended)
    }

    /// Whether this is the archive of this installation.
    pub(crate) async fn is_signed(&self, installation: Uuid) -> Result<bool, ColdError> {
        let sign = self.0.path(&format!("{installation}/{SIGN}"));
        match timeout(FETCH_WAIT, self.0.objects.head(&sign)).await.map_err(|_| silent())? {
            Ok(_) => Ok(true),
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(unavailable(error)),
        }
    }

    /// A unique name for an object of a match.
    pub fn new_name(installation: Uuid, match_id: MatchId) -> String {
        let bucket = i16::from(Bucket::of(match_id));
        format!("{installation}/{bucket:02}/{}.{}", match_id.0, Uuid::new_v4())
    }

    /// Stores an object. It is durable when this returns, and in a folder nobody else can read it.
    pub async fn put(&self, name: &str, bytes: Bytes) -> Result<(), ColdError> {
        let path = self.0.path(name);
        let file = self.0.folder.clone().map(|folder| (folder.join(name), folder));
        if let Some((file, folder)) = file.clone() {
            // Nobody else enters these folders while the file still has the mode of the umask.
            blocking(move || private::make_parent(&folder, &file)).await?;
        }
        let put = timeout(FETCH_WAIT, self.0.objects.put(&path, bytes.into()));
        put.await.map_err(|_| silent())?.map_err(unavailable)?;
        match file {
            Some((file, folder)) => blocking(move || private::make_private(&folder, &file)).await,
            None => Ok(()),
        }
    }

    /// Removes an object, if it exists.
    pub async fn remove(&self, name: &str) -> Result<(), ColdError> {
        if let Some(folder) = &self.0.folder {
            // A program that is killed during a write leaves a file with this name.
            let _ = tokio::fs::remove_file(folder.join(format!("{name}#1"))).await;
        }
        let path = self.0.path(name);
        let removed = timeout(FETCH_WAIT, self.0.objects.delete(&path)).await;
        match removed.map_err(|_| silent())? {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(unavailable(error)),
        }
    }

    /// The names of all objects of an installation, with the match of each.
    pub fn names(
        &self,
        installation: Uuid,
    ) -> BoxStream<'static, Result<(MatchId, String), ColdError>> {
        let prefix = self.0.prefix.clone();
        let listed = self.0.objects.list(Some(&self.0.path(&installation.to_string())));
        let named = listed.filter_map(move |found| {
            let named = match found {
                Ok(meta) => named(&prefix, meta.location.as_ref()).map(Ok),
                Err(error) => Some(Err(unavailable(error))),
            };
            async { named }
        });
        named.boxed()
    }

    /// The content of a match's entries, from memory if it was fetched recently.
    pub(crate) async fn content(&self, it: &Archived) -> Result<Arc<Content>, ColdError> {
        let slot = self.0.cache().slot(&it.object);
        let fetching = async || self.fetch(it).await.map(Arc::new);
        match slot.get_or_try_init(fetching).await {
            Ok(content) => {
                self.0.cache().keep(&it.object, content.bytes());
                Ok(content.clone())
            }
            Err(error) => {
                self.0.cache().give_up(&it.object);
                Err(error)
            }
        }
    }

    /// The content of a match's entries, read from the archive. Fails if it is not the archived
    /// content.
    pub async fn fetch(&self, it: &Archived) -> Result<Content, ColdError> {
        let _permit = self.0.fetches.acquire().await.expect("it is never closed");
        let fetched = timeout(FETCH_WAIT, self.0.read(&it.object, it.bytes)).await;
        let bytes = match fetched.map_err(|_| silent())? {
            Ok(bytes) => bytes,
            Err(object_store::Error::NotFound { .. }) => return Err(self.missing(it).await),
            Err(error) => return Err(unavailable(error)),
        };
        let damaged = |problem: &str| it.damaged(problem);
        let bytes = bytes.ok_or_else(|| damaged("the object has another size"))?;
        if blake3::hash(&bytes).as_bytes() != &it.hash {
            return Err(damaged("the object has another hash"));
        }
        let content =
            unpack(it.match_id, &bytes).ok_or_else(|| damaged("the object is no match"))?;
        if content.len() as i64 != it.position.0 {
            return Err(damaged("the object has another number of entries"));
        }
        Ok(content)
    }

    /// Why an object does not exist: it was removed, or the whole archive is missing.
    async fn missing(&self, it: &Archived) -> ColdError {
        let (installation, _) = it.object.split_once('/').unwrap_or_default();
        let sign = self.0.path(&format!("{installation}/{SIGN}"));
        match timeout(FETCH_WAIT, self.0.objects.head(&sign)).await {
            Ok(Ok(_)) => it.damaged("the object is gone"),
            Ok(Err(error)) => unavailable(error),
            Err(_) => silent(),
        }
    }
}

fn folder(url: &str) -> Option<&FilePath> {
    url.strip_prefix("file://").filter(|path| path.starts_with('/')).map(FilePath::new)
}

/// A bucket, with credentials and endpoint from the usual variables of the environment.
fn s3(bucket: &str) -> AmazonS3Builder {
    // A reader waits for it, so an outage should be reported soon.
    let retry = RetryConfig { max_retries: 2, retry_timeout: FETCH_WAIT / 2, ..Default::default() };
    let builder = AmazonS3Builder::from_env()
        .with_bucket_name(bucket)
        .with_http_connector(http::Connector)
        .with_retry(retry);
    let endpoints = ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"];
    let endpoint = endpoints.iter().find_map(|name| std::env::var(name).ok());
    match endpoint {
        Some(endpoint) if endpoint.starts_with("http://") => {
            builder.with_endpoint(endpoint).with_allow_http(true)
        }
        Some(endpoint) => builder.with_endpoint(endpoint),
        None => builder,
    }
}

impl Inner {
    fn path(&self, name: &str) -> Path {
        Path::from(format!("{}{name}", self.prefix))
    }

    /// An object of this size; `None` if its size differs.
    async fn read(&self, name: &str, bytes: i64) -> object_store::Result<Option<Bytes>> {
        let found = self.objects.get(&self.path(name)).await?;
        if i64::try_from(found.meta.size) != Ok(bytes) {
            return Ok(None);
        }
        found.bytes().await.map(Some)
    }

    fn cache(&self) -> std::sync::MutexGuard<'_, Cache> {
        self.cache.lock().expect("no holder of this lock panics")
    }
}

fn unavailable(source: impl StdError + Send + Sync + 'static) -> ColdError {
    ColdError::Unavailable(Some(Arc::new(source) as Arc<dyn StdError + Send + Sync>))
}

/// Works on files of the archive where that may take its time.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, ColdError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.expect("files are worked on without a panic").map_err(unavailable)
}

/// The archive did not answer in time.
fn silent() -> ColdError {
    ColdError::Unavailable(None)
}

/// The match of an object, and its name.
fn named(prefix: &str, path: &str) -> Option<(MatchId, String)> {
    let name = path.strip_prefix(prefix)?;
    let (match_id, _) = name.split('/').nth(2)?.split_once('.')?;
    let match_id = Uuid::try_parse(match_id).ok()?;
    Some((MatchId(match_id), name.to_owned()))
}

impl fmt::Debug for ColdStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ColdStore").field(&self.0.url).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_is_a_folder_or_a_bucket() {
        for wrong in ["", "/srv/cold", "file://cold", "s3://", "https://cold.example", "s3:cold"] {
            let opened = ColdStore::open(wrong);
            assert!(matches!(opened, Err(ColdStoreError::Malformed)), "{wrong}");
        }
        let missing = ColdStore::open("file:///nowhere/cold");
        assert!(matches!(missing, Err(ColdStoreError::Unusable { .. })));
        assert_eq!(ColdStore::open("s3://cold/old").unwrap().0.prefix, "old/");
    }
}
