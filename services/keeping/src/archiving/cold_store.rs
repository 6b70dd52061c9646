//! The object store of archived matches: a folder, or a bucket of S3.
//!
//! An object holds the emptied columns of a match's rows, the request ids and bodies of all its
//! entries; its hash is in the database. Fetched content is cached, and concurrent readers of a
//! match share one fetch.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use event_log::ColdError;
use futures::StreamExt;
use futures::stream::BoxStream;
use object_store::{ObjectStore, ObjectStoreExt};
use positions::Bucket;
use rows::MatchId;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use uuid::Uuid;

use super::archived::Archived;
use super::cache::Cache;
use super::content::{Content, unpack};
use super::private;
use crate::objects::{OBJECT_WAIT, Objects, ObjectsError};

/// A place for archived matches, cheap to clone.
#[derive(Clone)]
pub struct ColdStore(Arc<Inner>);

struct Inner {
    objects: Objects,
    fetches: Semaphore,
    cache: Mutex<Cache>,
}

/// The number of concurrent fetches: enough to hide the latency of S3.
const FETCHES_MAX: usize = 16;
/// The object that marks the archive of an installation: if it is missing too, the archive itself
/// is missing.
const SIGN: &str = "archive";

impl ColdStore {
    /// Opens an archive. Nothing is read from it yet; but a folder must exist.
    pub fn open(url: &str) -> Result<ColdStore, ObjectsError> {
        let objects = Objects::open(url)?;
        let (fetches, cache) = (Semaphore::new(FETCHES_MAX), Mutex::default());
        Ok(ColdStore(Arc::new(Inner { objects, fetches, cache })))
    }

    /// The URL as configured.
    pub fn url(&self) -> &str {
        self.0.objects.url()
    }

    /// Marks the archive as this installation's, and closes it to others if it is a folder. Returns
    /// how many files and folders others could read.
    pub(crate) async fn sign(&self, installation: Uuid) -> Result<u64, ColdError> {
        let mended = match self.0.objects.folder.clone() {
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
        let sign = self.0.objects.path(&format!("{installation}/{SIGN}"));
        match timeout(OBJECT_WAIT, self.0.objects.store.head(&sign)).await.map_err(|_| silent())? {
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
        let path = self.0.objects.path(name);
        let file = self.0.objects.folder.clone().map(|folder| (folder.join(name), folder));
        if let Some((file, folder)) = file.clone() {
            // Nobody else enters these folders while the file still has the mode of the umask.
            blocking(move || private::make_parent(&folder, &file)).await?;
        }
        let put = timeout(OBJECT_WAIT, self.0.objects.store.put(&path, bytes.into()));
        put.await.map_err(|_| silent())?.map_err(unavailable)?;
        match file {
            Some((file, folder)) => blocking(move || private::make_private(&folder, &file)).await,
            None => Ok(()),
        }
    }

    /// Removes an object, if it exists.
    pub async fn remove(&self, name: &str) -> Result<(), ColdError> {
        if let Some(folder) = &self.0.objects.folder {
            // A program that is killed during a write leaves a file with this name.
            let _ = tokio::fs::remove_file(folder.join(format!("{name}#1"))).await;
        }
        let path = self.0.objects.path(name);
        let removed = timeout(OBJECT_WAIT, self.0.objects.store.delete(&path)).await;
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
        let prefix = self.0.objects.prefix.clone();
        let listed =
            self.0.objects.store.list(Some(&self.0.objects.path(&installation.to_string())));
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
        let fetched = timeout(OBJECT_WAIT, self.0.read(&it.object, it.bytes)).await;
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
        let sign = self.0.objects.path(&format!("{installation}/{SIGN}"));
        match timeout(OBJECT_WAIT, self.0.objects.store.head(&sign)).await {
            Ok(Ok(_)) => it.damaged("the object is gone"),
            Ok(Err(error)) => unavailable(error),
            Err(_) => silent(),
        }
    }
}

impl Inner {
    /// An object of this size; `None` if its size differs.
    async fn read(&self, name: &str, bytes: i64) -> object_store::Result<Option<Bytes>> {
        let found = self.objects.store.get(&self.objects.path(name)).await?;
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
        f.debug_tuple("ColdStore").field(&self.0.objects.url()).finish()
    }
}
