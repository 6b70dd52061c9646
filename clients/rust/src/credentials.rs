//! An API key or a token, or what fetches one.

use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use tokio::sync::Mutex;
use tonic::Code;
use tonic::metadata::{Ascii, MetadataValue};

use crate::refusal::Refusal;

type Fetched = Pin<Box<dyn Future<Output = Result<String, Box<dyn Error + Send + Sync>>> + Send>>;

/// An API key, a token, or a function that fetches one. `"…".into()` makes fixed ones.
#[derive(Clone, Default)]
pub struct Credentials(Kind);

#[derive(Clone, Default)]
enum Kind {
    #[default]
    None,
    Fixed(Arc<str>),
    Fetched(Arc<dyn Fn() -> Fetched + Send + Sync>),
}

impl Credentials {
    /// Calls the function before the first call, and again once the service no longer accepts what
    /// it returned, as when a token has expired.
    pub fn fetched<F>(fetch: impl Fn() -> F + Send + Sync + 'static) -> Credentials
    where
        F: Future<Output = Result<String, Box<dyn Error + Send + Sync>>> + Send + 'static,
    {
        Credentials(Kind::Fetched(Arc::new(move || Box::pin(fetch()))))
    }
}

impl From<&str> for Credentials {
    fn from(key: &str) -> Credentials {
        Credentials(Kind::Fixed(key.trim().into()))
    }
}

impl From<String> for Credentials {
    fn from(key: String) -> Credentials {
        key.as_str().into()
    }
}

pub(crate) type Header = MetadataValue<Ascii>;

/// The credentials, fetched when they are first needed.
pub(crate) struct Bearer {
    credentials: Credentials,
    held: Mutex<Option<Header>>,
}

impl Bearer {
    pub(crate) fn new(credentials: Credentials) -> Bearer {
        Bearer { credentials, held: Mutex::new(None) }
    }

    /// The value of the header `authorization`; none without credentials.
    pub(crate) async fn header(&self) -> Result<Option<Header>, Refusal> {
        let mut held = self.held.lock().await;
        if held.is_none() {
            let token = match &self.credentials.0 {
                Kind::None => return Ok(None),
                Kind::Fixed(key) => key.to_string(),
                Kind::Fetched(fetch) => fetch().await.map_err(|error| {
                    let message = format!("the credentials cannot be fetched: {error}");
                    Refusal::new(Code::Unauthenticated, message)
                })?,
            };
            let header = format!("Bearer {}", token.trim()).parse().map_err(|_| {
                Refusal::new(Code::Unauthenticated, "the credentials are not ASCII")
            })?;
            *held = Some(header);
        }
        Ok(held.clone())
    }

    /// Forgets the credentials that were refused; false if there are no others.
    pub(crate) async fn renew(&self, refused: Option<&Header>) -> bool {
        let mut held = self.held.lock().await;
        // Another call may have renewed them since.
        if held.as_ref() == refused {
            *held = None;
        }
        matches!(self.credentials.0, Kind::Fetched(_))
    }
}
