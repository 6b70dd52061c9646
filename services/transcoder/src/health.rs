//! `/livez`, `/readyz` and `/readyz/reads`: pages for supervisors, monitors and load balancers.

use std::sync::Arc;

use axum::Router;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::{HeaderValue, StatusCode, header};
use tokio::sync::watch;

/// Which calls a process answers, with the reason if it does not answer all. Anybody may read the
/// reason, but for the addresses of nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Readiness {
    Ready,
    /// Calls are answered, but for those that need one of these nodes of the database, by address.
    Partly(Arc<[String]>),
    /// Reads are answered, and nothing can be written.
    ReadsOnly(&'static str),
    NotReady(&'static str),
}

impl Readiness {
    /// Whether load balancers should send calls. Those that cannot be answered are refused with a
    /// reason and a time to retry after, which is more than a load balancer without a destination
    /// can say.
    pub fn takes_calls(&self) -> bool {
        !matches!(self, Readiness::NotReady(_))
    }

    /// Whether every call works that needs no node that is away. The other processes miss the same
    /// node, so a load balancer would have none left.
    fn is_ready(&self) -> bool {
        matches!(self, Readiness::Ready | Readiness::Partly(_))
    }
}

/// Who may read the pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readers {
    Everybody,
    /// They are told the addresses of nodes.
    Operators,
}

/// `/livez` answers 200 as long as the process answers at all. `/readyz` answers 200 while every
/// call works, `/readyz/reads` while reads do, and 503 otherwise; both say why.
pub fn pages(readiness: watch::Receiver<Readiness>, readers: Readers) -> Router {
    let answer = |is_ready: fn(&Readiness) -> bool| {
        let readiness = readiness.clone();
        get(async move || {
            let told = readiness.borrow().clone();
            let text = match &told {
                Readiness::Ready => "ready\n".to_owned(),
                Readiness::Partly(away) if readers == Readers::Operators => {
                    let away = away.join(", ");
                    format!("ready, but for what needs nodes that do not answer: {away}\n")
                }
                Readiness::Partly(away) => {
                    let count = away.len();
                    format!("ready, but for what needs nodes that do not answer: {count}\n")
                }
                Readiness::ReadsOnly(why) => format!("ready for reads only: {why}\n"),
                Readiness::NotReady(why) => format!("not ready: {why}\n"),
            };
            page(
                if is_ready(&told) { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE },
                text,
            )
        })
    };
    Router::new()
        .route("/livez", get(async || page(StatusCode::OK, "alive\n".to_owned())))
        .route("/readyz", answer(Readiness::is_ready))
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
        let for_all = pages(readiness.clone(), Readers::Everybody);
        let for_operators = pages(readiness, Readers::Operators);
        let get = async |pages: &Router, path: &str| {
            let request = Request::get(path).body(Body::empty()).expect("a request");
            let answer = pages.clone().oneshot(request).await.expect("an answer");
            let status = answer.status().as_u16();
            let body = axum::body::to_bytes(answer.into_body(), 1000).await.expect("a body");
            (status, String::from_utf8(body.to_vec()).expect("text"))
        };
        let away = Readiness::Partly(["one:5432", "two:5432"].map(str::to_owned).into());
        let but = "ready, but for what needs nodes that do not answer: ";
        for (readiness, of_all, of_reads, text, to_operators) in [
            (Readiness::Ready, 200, 200, "ready\n", "ready\n"),
            (away, 200, 200, &*format!("{but}2\n"), &*format!("{but}one:5432, two:5432\n")),
            (
                Readiness::ReadsOnly("it is full"),
                503,
                200,
                "ready for reads only: it is full\n",
                "ready for reads only: it is full\n",
            ),
            (
                Readiness::NotReady("it is away"),
                503,
                503,
                "not ready: it is away\n",
                "not ready: it is away\n",
            ),
        ] {
            set.send_replace(readiness);
            for (pages, text) in [(&for_all, text), (&for_operators, to_operators)] {
                assert_eq!(get(pages, "/livez").await, (200, "alive\n".to_owned()));
                assert_eq!(get(pages, "/readyz").await, (of_all, text.to_owned()));
                assert_eq!(get(pages, "/readyz/reads").await, (of_reads, text.to_owned()));
            }
        }
    }
}
