//! What is kept of a call until it is answered: its client's address, and its slot.
//!
//! There is a limit for each address on calls with invalid credentials. It is counted once a check
//! has failed, so it never refuses what is valid: whoever else has the address is not affected.

use std::cell::OnceCell;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZero;
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll};
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultDirectRateLimiter, DefaultKeyedRateLimiter, Quota, RateLimiter};
use http::Request;
use matches::Slot;
use tokio::task::futures::TaskLocalFuture;
use tonic::Status;
use tonic::body::Body;
use tower::{Layer, Service};
use transcoder::{ConnectionInfo, Proxies};

use crate::error::too_many_invalid_credentials;

/// Failures a second of one address. More of them are told to wait.
const FAILURES_PER_S: NonZero<u32> = NonZero::new(20).expect("it is not zero");

/// The burst: all clients behind an address may have the same wrong key.
const FAILURES_BURST: NonZero<u32> = NonZero::new(1000).expect("it is not zero");

/// How many addresses are remembered before those of which nothing was counted recently are
/// forgotten.
const ADDRESSES_MAX: usize = 10_000;

/// How often the log names an address that has too many failures.
const WARNINGS: Quota = Quota::per_minute(NonZero::new(5).expect("it is not zero"));

tokio::task_local! {
    static CALL: Call;
}

/// What is kept for a call until it is answered.
pub(crate) struct Call {
    address: IpAddr,
    slot: OnceCell<Slot>,
}

/// Gives the slot back once the current call is answered.
pub(crate) fn hold_until_answered(slot: Slot) {
    let _ = CALL.try_with(|call| call.slot.set(slot));
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
    count(failures, network).map_err(too_many_invalid_credentials)
}

/// Counts something that a network did. Fails with the time to wait if it was too often.
pub(crate) fn count(of: &DefaultKeyedRateLimiter<IpAddr>, network: IpAddr) -> Result<(), Duration> {
    if of.len() > ADDRESSES_MAX {
        of.retain_recent();
    }
    of.check_key(&network).map_err(|until| until.wait_time_from(DefaultClock::default().now()))
}

/// One caller may have a whole /64 of IPv6 addresses.
pub(crate) fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)))
        }
    }
}

/// Makes the client's address known to [`count_failure`], and holds the call's slot.
#[derive(Clone)]
pub(crate) struct CallLayer(pub Arc<Proxies>);

impl<S> Layer<S> for CallLayer {
    type Service = InCall<S>;

    fn layer(&self, inner: S) -> InCall<S> {
        InCall { inner, proxies: self.0.clone() }
    }
}

#[derive(Clone)]
pub(crate) struct InCall<S> {
    inner: S,
    proxies: Arc<Proxies>,
}

impl<S: Service<Request<Body>>> Service<Request<Body>> for InCall<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = TaskLocalFuture<Call, S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let caller = request.extensions().get::<ConnectionInfo>().and_then(|it| it.address);
        let caller = caller.map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |caller| caller.ip());
        let client = self.proxies.client(caller, request.headers());
        let call = Call { address: client, slot: OnceCell::new() };
        CALL.scope(call, self.inner.call(request))
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
