//! `/livez`, `/readyz` and `/readyz/reads`: pages for supervisors, monitors and load balancers.

use axum::Router;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::{HeaderValue, StatusCode, header};
use tokio::sync::watch;

/// Which calls a process answers, with the reason if it does not answer all. Anybody may read the
/// reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readiness {
    Ready,
    /// Reads are answered, and nothing can be written.
    ReadsOnly(&'static str),
    NotReady(&'static str),
}

impl Readiness {
    /// Whether load balancers should send calls. Those that cannot be answered are refused with a
    /// reason and a time to retry after, which is more than a load balancer without a destination
    /// can say.
    pub fn takes_calls(self) -> bool {
        !matches!(self, Readiness::NotReady(_))
    }
}

/// `/livez` answers 200 as long as the process answers at all. `/readyz` answers 200 while every
/// call works, `/readyz/reads` while reads do, and 503 otherwise; both say why.
pub fn pages(readiness: watch::Receiver<Readiness>) -> Router {
    let answer = |is_ready: fn(Readiness) -> bool| {
        let readiness = readiness.clone();
        get(async move || {
            let told = *readiness.borrow();
            let text = match told {
                Readiness::Ready => "ready\n".to_owned(),
                Readiness::ReadsOnly(why) => format!("ready for reads only: {why}\n"),
                Readiness::NotReady(why) => format!("not ready: {why}\n"),
            };
            page(
                if is_ready(told) { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE },
                text,
            )
        })
    };
    Router::new()
        .route("/livez", get(async || page(StatusCode::OK, "alive\n".to_owned())))
        .route("/readyz", answer(|it| it == Readiness::Ready))
        .route("/readyz/reads", answer(Readiness::takes_calls))
}

fn page(status: StatusCode, text: String) -> Response {
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
        let (set, readiness) = watch::channel(Readiness::Ready);
        let pages = pages(readiness);
        let get = async |path: &str| {
            let request = Request::get(path).body(Body::empty()).expect("a request");
            let answer = pages.clone().oneshot(request).await.expect("an answer");
            let status = answer.status().as_u16();
            let body = axum::body::to_bytes(answer.into_body(), 1000).await.expect("a body");
            (status, String::from_utf8(body.to_vec()).expect("text"))
        };
        for (readiness, of_all, of_reads, text) in [
            (Readiness::Ready, 200, 200, "ready\n"),
            (Readiness::ReadsOnly("it is full"), 503, 200, "ready for reads only: it is full\n"),
            (Readiness::NotReady("it is away"), 503, 503, "not ready: it is away\n"),
        ] {
            set.send_replace(readiness);
            assert_eq!(get("/livez").await, (200, "alive\n".to_owned()));
            assert_eq!(get("/readyz").await, (of_all, text.to_owned()));
            assert_eq!(get("/readyz/reads").await, (of_reads, text.to_owned()));
        }
    }
}
