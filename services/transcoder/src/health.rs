//! `/livez` and `/readyz`: pages for supervisors and load balancers.

use axum::Router;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::{HeaderValue, StatusCode, header};
use tokio::sync::watch;

/// `/livez` answers 200 as long as the process answers at all. `/readyz` answers 200 while the
/// process should get calls, and 503 otherwise.
pub fn pages(ready: watch::Receiver<bool>) -> Router {
    let readiness = async move || match *ready.borrow() {
        true => page(StatusCode::OK, "ready\n"),
        false => page(StatusCode::SERVICE_UNAVAILABLE, "not ready\n"),
    };
    Router::new()
        .route("/livez", get(async || page(StatusCode::OK, "alive\n")))
        .route("/readyz", get(readiness))
}

fn page(status: StatusCode, text: &'static str) -> Response {
    let uncached = [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    (status, uncached, text).into_response()
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use http::Request;
    use tower::ServiceExt;

    use super::*;

    #[tokio::test]
    async fn readiness_is_told_as_it_is_now() {
        let (set, ready) = watch::channel(true);
        let pages = pages(ready);
        let status = async |path: &str| {
            let request = Request::get(path).body(Body::empty()).expect("a request");
            pages.clone().oneshot(request).await.expect("an answer").status().as_u16()
        };
        assert_eq!((status("/livez").await, status("/readyz").await), (200, 200));
        set.send_replace(false);
        assert_eq!((status("/livez").await, status("/readyz").await), (200, 503));
    }
}
