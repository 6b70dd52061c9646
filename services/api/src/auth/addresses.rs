//! What is known of a call besides its request: the client's address, and who pays for the call.
//!
//! There is a limit for each address on calls with invalid credentials. It is counted once a check
//! has failed, so it never refuses what is valid: whoever else has the address is not affected.

use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZero;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, LazyLock, OnceLock};
use std::task::{Context, Poll};
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultDirectRateLimiter, DefaultKeyedRateLimiter, Quota, RateLimiter};
use http::Request;
use matches::{Payment, cpu_time};
use tonic::Status;
use tonic::body::Body;
use tonic::transport::server::TcpConnectInfo;
use tower::{Layer, Service};
use transcoder::Proxies;

use crate::error::too_many_invalid_credentials;

/// Failures a second of one address. More of them are told to wait.
const FAILURES_PER_S: NonZero<u32> = NonZero::new(20).expect("it is not zero");

/// The burst: all clients behind an address may have the same wrong key.
const FAILURES_BURST: NonZero<u32> = NonZero::new(1000).expect("it is not zero");

/// How many addresses are remembered before those without recent failures are forgotten.
const ADDRESSES_MAX: usize = 10_000;

/// How often the log names an address that has too many failures.
const WARNINGS: Quota = Quota::per_minute(NonZero::new(5).expect("it is not zero"));

tokio::task_local! {
    static CALL: Arc<Call>;
}

struct Call {
    address: IpAddr,
    paid_by: OnceLock<Payment>,
    /// The CPU time of the thread since when the call is charged, in nanoseconds.
    since_ns: AtomicU64,
}

/// Charges the rest of the current call.
pub(crate) fn paid_by(payment: Payment) {
    let _ = CALL.try_with(|call| {
        call.begin();
        call.paid_by.set(payment)
    });
}

impl Call {
    fn begin(&self) {
        self.since_ns.store(cpu_time().as_nanos() as u64, Relaxed);
    }

    fn took(&self) -> Duration {
        cpu_time().saturating_sub(Duration::from_nanos(self.since_ns.load(Relaxed)))
    }
}

static FAILURES: LazyLock<DefaultKeyedRateLimiter<IpAddr>> = LazyLock::new(|| {
    RateLimiter::keyed(Quota::per_second(FAILURES_PER_S).allow_burst(FAILURES_BURST))
});

static WARNED: LazyLock<DefaultDirectRateLimiter> = LazyLock::new(|| RateLimiter::direct(WARNINGS));

/// Counts a failed check of credentials by the address of the current call. Returns the status of
/// the failure: the given one, or another one if there were too many.
pub(crate) fn count_failure(failure: Status) -> Status {
    let Ok(address) = CALL.try_with(|call| network_of(call.address)) else { return failure };
    match count_failure_of(&FAILURES, address) {
        Ok(()) => failure,
        Err(too_many) => {
            if WARNED.check().is_ok() {
                tracing::warn!(
                    client.address = %address,
                    "too many calls of one address have invalid credentials"
                );
            }
            too_many
        }
    }
}

fn count_failure_of(
    failures: &DefaultKeyedRateLimiter<IpAddr>,
    network: IpAddr,
) -> Result<(), Status> {
    if failures.len() > ADDRESSES_MAX {
        failures.retain_recent();
    }
    failures.check_key(&network).map_err(|until| {
        let delay = until.wait_time_from(DefaultClock::default().now());
        too_many_invalid_credentials(delay)
    })
}

/// One caller may have a whole /64 of IPv6 addresses.
fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)))
        }
    }
}

/// Makes the client's address known to [`count_failure`], and charges for the call whoever
/// [pays for it](paid_by).
#[derive(Clone)]
pub(crate) struct AddressLayer(pub Arc<Proxies>);

impl<S> Layer<S> for AddressLayer {
    type Service = WithAddress<S>;

    fn layer(&self, inner: S) -> WithAddress<S> {
        WithAddress { inner, proxies: self.0.clone() }
    }
}

#[derive(Clone)]
pub(crate) struct WithAddress<S> {
    inner: S,
    proxies: Arc<Proxies>,
}

impl<S> Service<Request<Body>> for WithAddress<S>
where
    S: Service<Request<Body>>,
    S::Future: Unpin,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Paid<S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let caller = request.extensions().get::<TcpConnectInfo>().and_then(|it| it.remote_addr());
        let caller = caller.map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |caller| caller.ip());
        let client = self.proxies.client(caller, request.headers());
        let call = Call { address: client, paid_by: OnceLock::new(), since_ns: AtomicU64::new(0) };
        Paid { answer: self.inner.call(request), call: Arc::new(call), took: Duration::ZERO }
    }
}

/// The future of a call, which measures the time of its thread if somebody pays for it.
pub(crate) struct Paid<F> {
    answer: F,
    call: Arc<Call>,
    took: Duration,
}

impl<F: Future + Unpin> Future for Paid<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let this = &mut *self;
        if this.call.paid_by.get().is_some() {
            this.call.begin();
        }
        let answer = CALL.sync_scope(this.call.clone(), || Pin::new(&mut this.answer).poll(cx));
        if let Some(payment) = this.call.paid_by.get() {
            this.took += this.call.took();
            if answer.is_ready() {
                payment.charge(this.took);
            }
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_tries_too_many_is_refused_and_no_other() {
        let failures = RateLimiter::keyed(Quota::per_hour(NonZero::new(2).expect("two")));
        let count = |address: &str| {
            count_failure_of(&failures, network_of(address.parse().expect("an address")))
        };
        assert!(count("10.0.0.1").is_ok() && count("::ffff:10.0.0.1").is_ok());
        let refused = count("10.0.0.1").expect_err("the third");
        assert_eq!(refused.code(), tonic::Code::ResourceExhausted);
        assert!(count("10.0.0.2").is_ok());
        assert!(count("2001:db8::1").is_ok() && count("2001:db8::2").is_ok());
        assert!(count("2001:db8::3").is_err(), "they share a /64");
        assert!(count("2001:db8:0:1::1").is_ok());
    }
}
