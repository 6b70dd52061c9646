//! Requests to witnesses, and for what a log serves.

use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::Request;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tokio::time::timeout;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// How long an answer may take.
const WAIT: Duration = Duration::from_secs(5);

/// The longest answer of a witness that is read.
const ANSWER_BYTES_MAX: usize = 64 * 1024;

/// The longest page of a log that is read: a bundle of the longest leaves.
const PAGE_BYTES_MAX: usize = 256 * (2 + u16::MAX as usize);

/// Sends requests by HTTP/1.1, which every server of files speaks.
pub struct HttpClient(Client<HttpsConnector<HttpConnector>, Full<Bytes>>);

impl HttpClient {
    /// A client that trusts the certificates that the system trusts.
    pub fn with_system_roots() -> HttpClient {
        // A machine without certificates trusts those that browsers trust.
        let tls = (HttpsConnectorBuilder::new().with_native_roots())
            .unwrap_or_else(|_| HttpsConnectorBuilder::new().with_webpki_roots());
        HttpClient::over(tls.https_or_http().enable_http1().wrap_connector(tcp()))
    }

    /// A client that trusts these certificates alone, in PEM.
    pub fn with_roots(pem: &[u8]) -> Result<HttpClient, String> {
        let mut roots = RootCertStore::empty();
        for certificate in CertificateDer::pem_slice_iter(pem) {
            let certificate = certificate.map_err(|error| error.to_string())?;
            roots.add(certificate).map_err(|error| error.to_string())?;
        }
        let config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
        let tls = HttpsConnectorBuilder::new().with_tls_config(config);
        Ok(HttpClient::over(tls.https_or_http().enable_http1().wrap_connector(tcp())))
    }

    fn over(connector: HttpsConnector<HttpConnector>) -> HttpClient {
        HttpClient(
            Client::builder(TokioExecutor::new()).pool_timer(TokioTimer::new()).build(connector),
        )
    }

    /// The status and the bytes of a page.
    pub async fn get(&self, url: &str) -> Result<(u16, Vec<u8>), String> {
        self.exchange(Request::get(url).body(Full::default()), PAGE_BYTES_MAX).await
    }

    /// The status and the text of the answer.
    pub(crate) async fn post(&self, url: &str, body: String) -> Result<(u16, String), String> {
        let request = Request::post(url).body(Full::from(body));
        let (status, bytes) = self.exchange(request, ANSWER_BYTES_MAX).await?;
        let text = String::from_utf8(bytes);
        Ok((status, text.map_err(|_| "it answered with something else".to_owned())?))
    }

    async fn exchange(
        &self,
        request: Result<Request<Full<Bytes>>, hyper::http::Error>,
        bytes_max: usize,
    ) -> Result<(u16, Vec<u8>), String> {
        let request = request.map_err(|error| error.to_string())?;
        let exchange = async {
            let answer = self.0.request(request).await.map_err(|error| error.to_string())?;
            let status = answer.status().as_u16();
            let body = Limited::new(answer.into_body(), bytes_max).collect().await;
            Ok((status, body.map_err(|error| error.to_string())?.to_bytes().into()))
        };
        let answered = timeout(WAIT, exchange).await;
        answered.unwrap_or_else(|_| Err("it did not answer in time".to_owned()))
    }
}

fn tcp() -> HttpConnector {
    let mut tcp = HttpConnector::new();
    tcp.enforce_http(false);
    tcp.set_connect_timeout(Some(WAIT));
    tcp
}
