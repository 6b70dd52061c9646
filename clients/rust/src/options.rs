//! Where the service is, and how it is called.

use std::sync::Arc;
use std::time::Duration;

use tonic::transport::{self, Certificate, ClientTlsConfig, Endpoint};

use crate::credentials::Credentials;
use crate::refusal::Refusal;

/// Told with a refusal when the service is lost, and without one when it is back.
pub type Listener = Arc<dyn Fn(Option<&Refusal>) + Send + Sync>;

/// How a client calls the service.
#[derive(Clone)]
pub struct Options {
    /// An API key or a token, or what fetches one.
    pub credentials: Credentials,
    /// The language of texts, as a BCP 47 tag such as `de`; empty for none.
    pub language: String,
    /// How long one attempt of a call may take.
    pub request_timeout: Duration,
    /// For how long a call is tried again while the service is away.
    pub retry_for: Duration,
    /// For an https address: the certificates to trust, in PEM, instead of the system's.
    pub certificates: Option<Vec<u8>>,
    /// Told when calls or streams lose the service, and when they have it back.
    pub on_connection: Option<Listener>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            credentials: Credentials::default(),
            language: String::new(),
            request_timeout: Duration::from_secs(15),
            retry_for: Duration::from_secs(60),
            certificates: None,
            on_connection: None,
        }
    }
}

/// Why there is no client.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The address has no scheme and host, or has more than a port.
    #[error("{0} is not an address such as http://127.0.0.1:7710")]
    Address(String),
    /// The language cannot be sent.
    #[error("the language {0:?} is not a tag such as `de`")]
    Language(String),
    /// The certificates are no PEM, or the system has none.
    #[error("TLS cannot be configured")]
    Tls(#[source] transport::Error),
    /// The connection failed. Only [`Croupier::reach`](crate::Croupier::reach) tells.
    #[error("no service answers at {address}")]
    Unreached {
        /// The address.
        address: String,
        /// Why, such as a certificate that is not trusted.
        source: transport::Error,
    },
}

impl Options {
    /// How to connect to an address.
    pub(crate) fn endpoint(&self, url: &str) -> Result<Endpoint, ConnectError> {
        let wrong = || ConnectError::Address(url.to_owned());
        let endpoint = Endpoint::from_shared(url.to_owned()).map_err(|_| wrong())?;
        let uri = endpoint.uri();
        if uri.host().is_none() || uri.path() != "/" || uri.query().is_some() {
            return Err(wrong());
        }
        let endpoint = match uri.scheme_str() {
            Some("http") => endpoint,
            Some("https") => endpoint.tls_config(self.tls()).map_err(ConnectError::Tls)?,
            _ => return Err(wrong()),
        };
        // A network that is gone gives no other sign.
        Ok(endpoint
            .connect_timeout(Duration::from_secs(5))
            .tcp_nodelay(true)
            .http2_keep_alive_interval(Duration::from_secs(15))
            .keep_alive_timeout(Duration::from_secs(10))
            .keep_alive_while_idle(true))
    }

    fn tls(&self) -> ClientTlsConfig {
        let tls = ClientTlsConfig::new();
        match &self.certificates {
            Some(pem) => tls.ca_certificate(Certificate::from_pem(pem)),
            None => tls.with_native_roots(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_scheme_a_host_and_a_port() {
        let options = Options::default();
        for right in ["http://127.0.0.1:7710", "http://[::1]:7710/", "https://play.example"] {
            assert!(options.endpoint(right).is_ok(), "{right}");
        }
        for wrong in ["", "play.example", "ftp://play.example", "http://a/b", "http://a?b"] {
            assert!(options.endpoint(wrong).is_err(), "{wrong}");
        }
    }
}
