//! The servers of a NATS cluster, as URLs name them.

use std::fmt;

use async_nats::{ConnectOptions, ServerAddr};
use percent_encoding::percent_decode_str;

/// The servers of a NATS cluster, and the credentials for it.
#[derive(Clone)]
pub struct Servers {
    /// Without credentials, since the client logs addresses.
    pub(super) addresses: Vec<ServerAddr>,
    credentials: Option<Credentials>,
}

#[derive(Clone, PartialEq, Eq)]
enum Credentials {
    Token(String),
    User { name: String, password: String },
}

/// Invalid ways. The error repeats no part of a URL, which may contain a password.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WaysError {
    #[error(
        "hints go by `notify`, by NATS servers such as nats://user:password@host:4222 or \
         tls://host, or both, separated by commas"
    )]
    Form,
    #[error("the URL of a NATS server is invalid: {0}")]
    Invalid(String),
    #[error("the NATS servers have different credentials: they are of one cluster")]
    Credentials,
}

impl Servers {
    pub(super) fn parse(urls: &[&str]) -> Result<Self, WaysError> {
        let (mut addresses, mut all_credentials) = (Vec::new(), Vec::new());
        for url in urls {
            if !["nats://", "tls://"].iter().any(|scheme| url.starts_with(scheme)) {
                return Err(WaysError::Form);
            }
            let invalid = |error: std::io::Error| WaysError::Invalid(error.to_string());
            let address: ServerAddr = url.parse().map_err(invalid)?;
            all_credentials.extend(Credentials::of(&address));
            let mut bare = address.into_inner();
            let cleared = bare.set_username("").and_then(|()| bare.set_password(None));
            cleared.map_err(|()| WaysError::Form)?;
            addresses.push(ServerAddr::from_url(bare).map_err(invalid)?);
        }
        all_credentials.dedup();
        match all_credentials.len() {
            0 | 1 => Ok(Self { addresses, credentials: all_credentials.pop() }),
            _ => Err(WaysError::Credentials),
        }
    }

    pub(super) fn options(&self) -> ConnectOptions {
        let options = ConnectOptions::new().name("croupier");
        match self.credentials.clone() {
            None => options,
            Some(Credentials::Token(token)) => options.token(token),
            Some(Credentials::User { name, password }) => options.user_and_password(name, password),
        }
    }
}

/// The addresses, without credentials.
impl fmt::Debug for Servers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let addresses = self.addresses.iter();
        let addresses =
            addresses.map(|it| format!("{}://{}:{}", it.scheme(), it.host(), it.port()));
        f.write_str(&addresses.collect::<Vec<_>>().join(", "))
    }
}

impl Credentials {
    /// The credentials of a URL: `user:password@` or `token@`.
    fn of(address: &ServerAddr) -> Option<Self> {
        let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let name = decoded(address.username()?);
        Some(match address.password() {
            Some(password) => Self::User { name, password: decoded(password) },
            None => Self::Token(name),
        })
    }
}
