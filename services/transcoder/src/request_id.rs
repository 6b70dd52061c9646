//! Request ids, which a caller quotes and the log attaches to the call.
//!
//! A caller may choose the id in the header `x-request-id`; otherwise, or if it is not well formed
//! (`ids_that_would_disturb_a_log_are_replaced`), the call gets a random one. Every response has
//! it, in every protocol. Random ids are independent, so they disclose nothing about other callers.
//!
//! An id in a response stays out of the header table of its connection
//! (`an_id_stays_out_of_the_header_table_of_its_connection`): no later response has the same id, so
//! it would only displace other headers, and each id would be compared with all before it.

use std::cell::RefCell;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use http::{HeaderName, HeaderValue, Request, Response};
use rand_chacha::ChaCha12Rng;
use rand_core::{Rng, SeedableRng};
use tonic::body::Body;
use tower::Service;
use tower_layer::Layer;
use uuid::{Builder, Uuid};

/// The header of requests and responses.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The longest id that a caller may choose.
const LENGTH_MAX: usize = 128;

/// Gives every request an id. Lay it around everything else.
#[derive(Clone, Copy, Debug)]
pub struct RequestIdLayer;

impl<S> Layer<S> for RequestIdLayer {
    type Service = RequestId<S>;

    fn layer(&self, inner: S) -> RequestId<S> {
        RequestId(inner)
    }
}

/// See [`RequestIdLayer`].
#[derive(Clone, Debug)]
pub struct RequestId<S>(S);

impl<S> Service<Request<Body>> for RequestId<S>
where
    S: Service<Request<Body>, Response = Response<Body>>,
    S::Future: Unpin,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Identified<S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let chosen = request.headers().get(REQUEST_ID).filter(|id| is_well_formed(id)).cloned();
        let mut id = chosen.unwrap_or_else(|| {
            let id = random();
            request.headers_mut().insert(REQUEST_ID, id.clone());
            id
        });
        id.set_sensitive(true);
        Identified { answer: self.0.call(request), id: Some(id) }
    }
}

/// The future of a call whose response carries the id.
pub struct Identified<F> {
    answer: F,
    id: Option<HeaderValue>,
}

impl<F, E> Future for Identified<F>
where
    F: Future<Output = Result<Response<Body>, E>> + Unpin,
{
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let answer = ready!(Pin::new(&mut self.answer).poll(cx));
        let id = self.id.take().expect("a future is not polled after it is ready");
        Poll::Ready(answer.map(|mut response| {
            response.headers_mut().insert(REQUEST_ID, id);
            response
        }))
    }
}

thread_local! {
    /// The source of ids. Using the system's would take a system call per request.
    static RANDOM: RefCell<ChaCha12Rng> = RefCell::new(ChaCha12Rng::from_seed(seed()));
}

fn seed() -> [u8; 32] {
    let mut seed = [0; 32];
    seed.chunks_mut(16).for_each(|half| half.copy_from_slice(Uuid::new_v4().as_bytes()));
    seed
}

fn random() -> HeaderValue {
    let mut bytes = [0; 16];
    RANDOM.with_borrow_mut(|random| random.fill_bytes(&mut bytes));
    let mut text = Uuid::encode_buffer();
    let text = Builder::from_random_bytes(bytes).as_uuid().simple().encode_lower(&mut text);
    HeaderValue::from_str(text).expect("hexadecimal digits are a header value")
}

/// Whether an id can stand in a log as it is.
fn is_well_formed(id: &HeaderValue) -> bool {
    let id = id.as_bytes();
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:/=+".contains(byte);
    (1..=LENGTH_MAX).contains(&id.len()) && id.iter().all(is_plain)
}

#[cfg(test)]
mod tests {
    use tower::ServiceExt;

    use super::*;

    #[tokio::test]
    async fn an_id_stays_out_of_the_header_table_of_its_connection() {
        let answer = async |_| Ok::<_, std::convert::Infallible>(Response::new(Body::empty()));
        let service = RequestIdLayer.layer(tower::service_fn(|it| Box::pin(answer(it))));
        for chosen in [None, Some("7")] {
            let mut request = Request::new(Body::empty());
            chosen.map(|id| request.headers_mut().insert(REQUEST_ID, HeaderValue::from_static(id)));
            let response = service.clone().oneshot(request).await.expect("it answers");
            let id = &response.headers()[REQUEST_ID];
            assert!(id.is_sensitive() && chosen.is_none_or(|chosen| id == chosen), "{chosen:?}");
        }
    }

    #[test]
    fn ids_that_would_disturb_a_log_are_replaced() {
        let longest = "x".repeat(LENGTH_MAX);
        for good in ["7", "Root=1-67891233-abcdef012345678912345678", "a/b:c_d.e+f", &longest] {
            assert!(is_well_formed(&HeaderValue::from_str(good).expect("a value")), "{good}");
        }
        let longer = "x".repeat(LENGTH_MAX + 1);
        for bad in ["", "two words", "\"quoted\"", "a\tb", "{}", "\u{fc}", &longer] {
            let value = HeaderValue::from_bytes(bad.as_bytes()).expect("a value");
            assert!(!is_well_formed(&value), "{bad}");
        }
        assert!(is_well_formed(&random()));
        assert_ne!(random(), random());
    }
}
