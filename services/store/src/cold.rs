//! The object store that archived matches are in: a folder, or a bucket of S3.
//!
//! An object holds what the rows of a match lack, the request ids and bodies of all its entries,
//! and its hash stands in the database. What was fetched is kept in memory for others that want the
//! same match, and those who want it at the same time share one fetch.

use std::fmt;
use std::io::{Read, Write};
use std::path::{Path as FilePath, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use futures::StreamExt;
use futures::stream::BoxStream;
use hashlink::LinkedHashMap;
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ClientConfigKey, ObjectStore, ObjectStoreExt, RetryConfig};
use tokio::sync::{OnceCell, Semaphore};
use tokio::time::timeout;
use uuid::Uuid;

use crate::{Archived, Bucket, Error, MatchId, Recorded};

/// A place for archived matches, cheap to clone.
#[derive(Clone)]
pub struct ColdStore(Arc<Inner>);

struct Inner {
    url: String,
    objects: Box<dyn ObjectStore>,
    /// The folder that it is, if it is one.
    folder: Option<PathBuf>,
    /// Before the name of every object; empty if nothing is.
    prefix: String,
    fetches: Semaphore,
    cache: Mutex<Cache>,
}

/// What the entries of an archived match say.
pub struct Content {
    /// By position: the request id and the body.
    entries: Vec<(Option<String>, Bytes)>,
}

/// An archive that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ColdStoreError {
    #[error("an archive is file:///FOLDER or s3://BUCKET/PREFIX")]
    Malformed,
    #[error("the archive {url} cannot be opened")]
    Unusable { url: String, source: object_store::Error },
}

/// The fetches that run at once: enough to make up for the distance of S3.
const FETCHES_MAX: usize = 16;
/// For how long one object is waited for.
const FETCH_WAIT: Duration = Duration::from_secs(10);
/// The memory for what was fetched, in bytes: some thousand matches.
const CACHE_BYTES_MAX: usize = 32 << 20;
/// What is fetched at once, or was given up, also has a place in the cache.
const CACHE_MATCHES_MAX: usize = 8_192;
/// The most that an object may hold. A larger match stays in the database.
const UNPACKED_MAX: u64 = 64 << 20;
/// How an object begins: its format and the version of it.
const MAGIC: &[u8; 4] = b"CRO1";
/// The object by which the archive of an installation is known: if even this one is missing, then
/// it is the archive that is not there.
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

    /// The folder that the archive is in, if it is in one.
    pub fn folder(url: &str) -> Option<&FilePath> {
        folder(url)
    }

    /// As it was named.
    pub fn url(&self) -> &str {
        &self.0.url
    }

    /// Notes in the archive that it is this installation's.
    pub async fn sign(&self, installation: Uuid) -> Result<(), Error> {
        self.put(&format!("{installation}/{SIGN}"), installation.to_string().into()).await
    }

    /// A name for an object of a match that no other object has.
    pub fn new_name(installation: Uuid, match_id: MatchId) -> String {
        let bucket = i16::from(Bucket::of(match_id));
        format!("{installation}/{bucket:02}/{}.{}", match_id.0, Uuid::new_v4())
    }

    /// Stores an object. It is durable when this returns.
    pub async fn put(&self, name: &str, bytes: Bytes) -> Result<(), Error> {
        let path = self.0.path(name);
        let put = timeout(FETCH_WAIT, self.0.objects.put(&path, bytes.into()));
        put.await.map_err(|_| silent())?.map(drop).map_err(unavailable)
    }

    /// Removes an object; it need not be there.
    pub async fn remove(&self, name: &str) -> Result<(), Error> {
        if let Some(folder) = &self.0.folder {
            // A program that is killed while it writes a file leaves it under this name.
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
    ) -> BoxStream<'static, Result<(MatchId, String), Error>> {
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

    /// What the entries of a match say, from memory if it was fetched a while ago.
    pub(crate) async fn content(&self, it: &Archived) -> Result<Arc<Content>, Error> {
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

    /// What the entries of a match say, read from the archive. Fails if that is not what was
    /// archived.
    pub async fn fetch(&self, it: &Archived) -> Result<Content, Error> {
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
        if content.entries.len() as i64 != it.position.0 {
            return Err(damaged("the object has another number of entries"));
        }
        Ok(content)
    }

    /// Why there is no such object: it is gone, or the whole archive is not there.
    async fn missing(&self, it: &Archived) -> Error {
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
    let client = |key: ClientConfigKey| AmazonS3ConfigKey::Client(key);
    // A reader waits for it: what is down should be told soon.
    let retry = RetryConfig { max_retries: 2, retry_timeout: FETCH_WAIT / 2, ..Default::default() };
    let builder = AmazonS3Builder::from_env()
        .with_bucket_name(bucket)
        .with_retry(retry)
        .with_config(client(ClientConfigKey::ConnectTimeout), "3 seconds")
        .with_config(client(ClientConfigKey::Timeout), "10 seconds");
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

    /// An object of this size; none if it has another one.
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

fn unavailable(source: object_store::Error) -> Error {
    Error::ArchiveUnavailable(Some(Arc::new(source)))
}

/// The archive did not answer in time.
fn silent() -> Error {
    Error::ArchiveUnavailable(None)
}

/// The match of an object, and its name.
fn named(prefix: &str, path: &str) -> Option<(MatchId, String)> {
    let name = path.strip_prefix(prefix)?;
    let (match_id, _) = name.split('/').nth(2)?.split_once('.')?;
    let match_id = Uuid::try_parse(match_id).ok()?;
    Some((MatchId(match_id), name.to_owned()))
}

// === The cache ===

type Slot = Arc<OnceCell<Arc<Content>>>;

/// What was fetched, or is being fetched, by object; what was used last is at the end.
#[derive(Default)]
struct Cache {
    slots: LinkedHashMap<String, (Slot, usize)>,
    bytes: usize,
}

impl Cache {
    fn slot(&mut self, object: &str) -> Slot {
        if let Some((slot, _)) = self.slots.to_back(object) {
            return slot.clone();
        }
        let slot = Slot::default();
        self.slots.insert(object.to_owned(), (slot.clone(), 0));
        self.make_room();
        slot
    }

    /// Notes how large it is.
    fn keep(&mut self, object: &str, bytes: usize) {
        let Some((_, known)) = self.slots.get_mut(object).filter(|it| it.1 == 0) else { return };
        *known = bytes;
        self.bytes += bytes;
        self.make_room();
    }

    /// It could not be fetched. Others may still be trying, and keep their slot.
    fn give_up(&mut self, object: &str) {
        if self.slots.get(object).is_some_and(|(slot, _)| slot.get().is_none()) {
            self.slots.remove(object);
        }
    }

    fn make_room(&mut self) {
        while self.bytes > CACHE_BYTES_MAX || self.slots.len() > CACHE_MATCHES_MAX {
            let Some((_, (_, bytes))) = self.slots.pop_front() else { return };
            self.bytes -= bytes;
        }
    }
}

// === The object ===

impl Content {
    fn bytes(&self) -> usize {
        let of =
            |(id, body): &(Option<String>, Bytes)| id.as_ref().map_or(0, String::len) + body.len();
        size_of_val(&self.entries[..]) + self.entries.iter().map(of).sum::<usize>()
    }

    /// These rows with this content instead of their own.
    pub fn in_place_of(&self, rows: &[Recorded]) -> Vec<Recorded> {
        let restored = |row: &Recorded| {
            let mut row = Recorded { request_id: None, body: Bytes::new(), ..row.clone() };
            self.restore(&mut row);
            row
        };
        rows.iter().map(restored).collect()
    }

    /// Gives a row its content back.
    pub fn restore(&self, row: &mut Recorded) {
        let at = usize::try_from(row.position.0 - 1).ok();
        if let Some((request_id, body)) = at.and_then(|at| self.entries.get(at)) {
            (row.request_id, row.body) = (request_id.clone(), body.clone());
        }
    }
}

/// An object with the content of a match's entries; none if there is too much of it.
///
/// The request ids stand together, and so do the bodies: alike bytes close to each other compress
/// best.
pub fn pack(match_id: MatchId, entries: &[Recorded]) -> Option<Bytes> {
    let mut plain = Vec::new();
    plain.extend_from_slice(match_id.0.as_bytes());
    put_number(&mut plain, entries.len());
    for entry in entries {
        let id = entry.request_id.as_deref();
        put_number(&mut plain, id.map_or(0, |id| id.len() + 1));
        plain.extend_from_slice(id.unwrap_or_default().as_bytes());
    }
    entries.iter().for_each(|entry| put_number(&mut plain, entry.body.len()));
    entries.iter().for_each(|entry| plain.extend_from_slice(&entry.body));
    if plain.len() as u64 > UNPACKED_MAX {
        return None;
    }
    let mut packing = DeflateEncoder::new(MAGIC.to_vec(), Compression::best());
    packing.write_all(&plain).expect("memory accepts what is written");
    Some(packing.finish().expect("memory accepts what is written").into())
}

/// What [`pack`] packed for this match.
fn unpack(match_id: MatchId, object: &[u8]) -> Option<Content> {
    let mut plain = Vec::new();
    let unpacking = DeflateDecoder::new(object.strip_prefix(MAGIC)?);
    unpacking.take(UNPACKED_MAX + 1).read_to_end(&mut plain).ok()?;
    let mut rest = Bytes::from(plain);
    if take(&mut rest, 16)? != match_id.0.as_bytes()[..] {
        return None;
    }
    let count = take_number(&mut rest)?;
    // Each entry has at least two numbers.
    let counted = (count <= rest.len() / 2).then_some(count)?;
    let mut ids = Vec::with_capacity(counted);
    for _ in 0..count {
        ids.push(match take_number(&mut rest)? {
            0 => None,
            length => Some(String::from_utf8(take(&mut rest, length - 1)?.to_vec()).ok()?),
        });
    }
    let mut lengths = Vec::with_capacity(counted);
    for _ in 0..count {
        lengths.push(take_number(&mut rest)?);
    }
    let bodies = lengths.into_iter().map(|length| take(&mut rest, length));
    let bodies: Vec<Bytes> = bodies.collect::<Option<_>>()?;
    rest.is_empty().then(|| Content { entries: ids.into_iter().zip(bodies).collect() })
}

/// Seven bits in each byte, the lowest first.
fn put_number(bytes: &mut Vec<u8>, mut number: usize) {
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take_number(rest: &mut Bytes) -> Option<usize> {
    let mut number = 0;
    for shift in (0..35).step_by(7) {
        let byte = take(rest, 1)?[0];
        number |= usize::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

fn take(rest: &mut Bytes, count: usize) -> Option<Bytes> {
    (count <= rest.len()).then(|| rest.split_to(count))
}

impl fmt::Debug for ColdStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ColdStore").field(&self.0.url).finish()
    }
}

#[cfg(test)]
mod tests {
    use time::OffsetDateTime;

    use super::*;
    use crate::Position;

    fn recorded(position: i64, request_id: Option<&str>, body: &[u8]) -> Recorded {
        Recorded {
            position: Position(position),
            bucket_position: position,
            request_id: request_id.map(str::to_owned),
            create_time: OffsetDateTime::UNIX_EPOCH,
            body: Bytes::copy_from_slice(body),
            digest: None,
        }
    }

    fn sample() -> Vec<Recorded> {
        vec![
            recorded(1, Some("set-up"), b"dealt"),
            recorded(2, None, &[7; 300]),
            recorded(3, Some(""), b"over"),
        ]
    }

    const MATCH: MatchId = MatchId(Uuid::from_u128(7));

    #[test]
    fn an_object_gives_back_what_was_packed() {
        let entries = sample();
        let object = pack(MATCH, &entries).expect("it is small");
        let content = unpack(MATCH, &object).expect("it is whole");
        assert_eq!(content.in_place_of(&entries), entries);
        let mut beyond = recorded(4, None, b"");
        content.restore(&mut beyond);
        assert!(beyond.is_stub());
    }

    #[test]
    fn an_object_of_another_match_or_cut_off_is_refused() {
        let object = pack(MATCH, &sample()).expect("it is small");
        assert!(unpack(MatchId(Uuid::from_u128(8)), &object).is_none());
        for length in 0..object.len() {
            assert!(unpack(MATCH, &object[..length]).is_none(), "{length}");
        }
    }

    /// What an object claims of itself takes no memory that it does not fill.
    #[test]
    fn an_object_that_claims_too_much_is_refused() {
        let mut plain = MATCH.0.as_bytes().to_vec();
        put_number(&mut plain, u32::MAX as usize);
        let mut packing = DeflateEncoder::new(MAGIC.to_vec(), Compression::best());
        packing.write_all(&plain).unwrap();
        assert!(unpack(MATCH, &packing.finish().unwrap()).is_none());
    }

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
