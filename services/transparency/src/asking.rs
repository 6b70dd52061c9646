//! Requests to witnesses.

use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::Request;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tokio::time::timeout;

/// How long a witness may take to answer.
const WAIT: Duration = Duration::from_secs(5);

/// The longest answer that is read.
const ANSWER_BYTES_MAX: usize = 64 * 1024;

/// Sends requests.
pub(crate) struct Asking(Client<HttpsConnector<HttpConnector>, Full<Bytes>>);

impl Asking {
    pub fn new() -> Asking {
        let mut tcp = HttpConnector::new();
        tcp.enforce_http(false);
        tcp.set_connect_timeout(Some(WAIT));
        // A machine without certificates trusts those that browsers trust.
        let tls = (HttpsConnectorBuilder::new().with_native_roots())
            .unwrap_or_else(|_| HttpsConnectorBuilder::new().with_webpki_roots());
        let https = tls.https_or_http().enable_http1().wrap_connector(tcp);
        Asking(Client::builder(TokioExecutor::new()).pool_timer(TokioTimer::new()).build(https))
    }

    /// The status and the text of the answer.
    pub async fn post(&self, url: &str, body: String) -> Result<(u16, String), String> {
        let request = Request::post(url).body(Full::from(body));
        let request = request.map_err(|error| error.to_string())?;
        let exchange = async {
            let answer = self.0.request(request).await.map_err(|error| error.to_string())?;
            let status = answer.status().as_u16();
            let body = Limited::new(answer.into_body(), ANSWER_BYTES_MAX).collect().await;
            let bytes = body.map_err(|error| error.to_string())?.to_bytes();
            let text = String::from_utf8(bytes.into());
            Ok((status, text.map_err(|_| "it answered with something else".to_owned())?))
        };
        let answered = timeout(WAIT, exchange).await;
        answered.unwrap_or_else(|_| Err("it did not answer in time".to_owned()))
    }
}
