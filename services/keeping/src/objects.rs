//! Objects in a folder, or in a bucket of S3.

mod http;

use std::fmt;
use std::path::{Path as FilePath, PathBuf};
use std::time::Duration;

use bytes::Bytes;
use futures::TryStreamExt;
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{
    Attribute, ObjectStore, ObjectStoreExt, PutOptions, Result as Stored, RetryConfig,
};
use tokio::time::timeout;

/// How long one object may take.
pub(crate) const OBJECT_WAIT: Duration = Duration::from_secs(10);

/// A folder or a bucket, by its URL.
pub struct Objects {
    url: String,
    pub(crate) store: Box<dyn ObjectStore>,
    /// Its folder, if it is one.
    pub(crate) folder: Option<PathBuf>,
    /// The prefix of every object's name; may be empty.
    pub(crate) prefix: String,
}

/// A place for objects that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ObjectsError {
    #[error("a place for objects is file:///FOLDER or s3://BUCKET/PREFIX")]
    Malformed,
    #[error("{url} cannot be opened")]
    Unusable { url: String, source: object_store::Error },
    #[error("{url} cannot be used: {name}")]
    Failed { url: String, name: String, source: object_store::Error },
    #[error("{url} did not answer in time: {name}")]
    Silent { url: String, name: String },
}

impl Objects {
    /// Opens a place. Nothing is read from it yet; but a folder must exist.
    pub fn open(url: &str) -> Result<Objects, ObjectsError> {
        let unusable = |source| ObjectsError::Unusable { url: url.to_owned(), source };
        let (store, prefix): (Box<dyn ObjectStore>, &str) = if let Some(folder) = folder(url) {
            let files = LocalFileSystem::new_with_prefix(folder).map_err(unusable)?;
            (Box::new(files.with_fsync(true)), "")
        } else if let Some(place) = url.strip_prefix("s3://") {
            let (bucket, prefix) = place.split_once('/').unwrap_or((place, ""));
            if bucket.is_empty() {
                return Err(ObjectsError::Malformed);
            }
            (Box::new(s3(bucket).build().map_err(unusable)?), prefix.trim_end_matches('/'))
        } else {
            return Err(ObjectsError::Malformed);
        };
        let prefix = if prefix.is_empty() { String::new() } else { format!("{prefix}/") };
        let (url, folder) = (url.to_owned(), folder(url).map(FilePath::to_owned));
        Ok(Objects { url, store, folder, prefix })
    }

    /// The URL as configured.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// An object; `None` if there is none of this name.
    pub async fn read(&self, name: &str) -> Result<Option<Bytes>, ObjectsError> {
        let reading = async { self.store.get(&self.path(name)).await?.bytes().await };
        match self.in_time(name, reading).await {
            Ok(bytes) => Ok(Some(bytes)),
            Err(ObjectsError::Failed { source: object_store::Error::NotFound { .. }, .. }) => {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Writes an object that anyone may read. A bucket is told for how many seconds it may be
    /// cached.
    pub async fn publish(
        &self,
        name: &str,
        bytes: Vec<u8>,
        max_age_s: u64,
    ) -> Result<(), ObjectsError> {
        let mut options = PutOptions::default();
        // A file has no such attribute.
        if self.folder.is_none() {
            let value = format!("public, max-age={max_age_s}");
            options.attributes.insert(Attribute::CacheControl, value.into());
        }
        let path = self.path(name);
        self.in_time(name, self.store.put_opts(&path, bytes.into(), options)).await?;
        Ok(())
    }

    /// Removes all objects whose names begin with this folder's.
    pub async fn remove_all(&self, folder: &str) -> Result<(), ObjectsError> {
        let path = self.path(folder);
        let listed = self.store.list(Some(&path)).map_ok(|it| it.location);
        let removing = self.store.delete_stream(Box::pin(listed)).try_collect::<Vec<_>>();
        self.in_time(folder, removing).await?;
        Ok(())
    }

    pub(crate) fn path(&self, name: &str) -> Path {
        Path::from(format!("{}{name}", self.prefix))
    }

    async fn in_time<T>(
        &self,
        name: &str,
        work: impl Future<Output = Stored<T>>,
    ) -> Result<T, ObjectsError> {
        let (url, name) = (self.url.clone(), name.to_owned());
        match timeout(OBJECT_WAIT, work).await {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(source)) => Err(ObjectsError::Failed { url, name, source }),
            Err(_) => Err(ObjectsError::Silent { url, name }),
        }
    }
}

/// The folder of a URL, if it is one of a folder.
pub fn folder(url: &str) -> Option<&FilePath> {
    url.strip_prefix("file://").filter(|path| path.starts_with('/')).map(FilePath::new)
}

/// A bucket, with credentials and endpoint from the usual variables of the environment.
fn s3(bucket: &str) -> AmazonS3Builder {
    // A reader waits for it, so an outage should be reported soon.
    let retry =
        RetryConfig { max_retries: 2, retry_timeout: OBJECT_WAIT / 2, ..Default::default() };
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

impl fmt::Debug for Objects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Objects").field(&self.url).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_folder_or_a_bucket() {
        for wrong in ["", "/srv/cold", "file://cold", "s3://", "https://cold.example", "s3:cold"] {
            let opened = Objects::open(wrong);
            assert!(matches!(opened, Err(ObjectsError::Malformed)), "{wrong}");
        }
        let missing = Objects::open("file:///nowhere/cold");
        assert!(matches!(missing, Err(ObjectsError::Unusable { .. })));
        assert_eq!(Objects::open("s3://cold/old").unwrap().prefix, "old/");
    }
}
