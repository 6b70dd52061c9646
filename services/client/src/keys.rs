//! The public keys of the service, for its receipts.

use http_body_util::BodyExt;
use tonic::body::Body;
use tower::{Service as _, ServiceExt};

use crate::error::Error;
use crate::service::Service;

/// The path at which the service publishes them.
const PATH: &str = "/.well-known/jwks.json";

/// The service's public keys, as a JSON Web Key Set. Needs no credentials.
pub async fn public_keys(service: &Service) -> Result<String, Error> {
    let connected = service.endpoint()?.connect().await;
    let mut channel = connected.map_err(|source| Error::of_connecting(&service.address, source))?;
    let request = http::Request::get(PATH).body(Body::empty()).expect("a valid request");
    let failed = |_| Error::Silent(service.address.clone());
    let response = channel.ready().await.map_err(failed)?.call(request).await.map_err(failed)?;
    if !response.status().is_success() {
        return Err(Error::NoKeys(service.address.clone()));
    }
    let bytes = response.into_body().collect().await;
    let bytes = bytes.map_err(|_| Error::NoKeys(service.address.clone()))?.to_bytes();
    String::from_utf8(bytes.into()).map_err(|_| Error::NoKeys(service.address.clone()))
}
