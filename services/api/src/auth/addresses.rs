//! A limit for each address on lookups of unknown credentials.

use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZero;
use std::sync::LazyLock;
use std::task::{Context, Poll};

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use http::Request;
use tokio::task::futures::TaskLocalFuture;
use tonic::Status;
use tonic::body::Body;
use tonic::transport::server::TcpConnectInfo;
use tower::{Layer, Service};

use crate::error::too_many_invalid_credentials;

/// Lookups a second of one address. A platform's key is looked up once per process and half minute.
const LOOKUPS_PER_S: NonZero<u32> = NonZero::new(20).expect("it is not zero");

/// The burst: after a restart, many calls with one key may arrive before the key is known.
const LOOKUPS_BURST: NonZero<u32> = NonZero::new(1000).expect("it is not zero");

/// How many addresses are remembered before those without recent lookups are forgotten.
const ADDRESSES_MAX: usize = 10_000;

tokio::task_local! {
    static CALLER: IpAddr;
}

static LOOKUPS: LazyLock<DefaultKeyedRateLimiter<IpAddr>> = LazyLock::new(|| {
    RateLimiter::keyed(Quota::per_second(LOOKUPS_PER_S).allow_burst(LOOKUPS_BURST))
});

/// Counts a lookup of unknown credentials by the address of the current call. Fails if there were
/// too many.
pub(crate) fn count_lookup() -> Result<(), Status> {
    CALLER.try_with(|address| count_lookup_of(&LOOKUPS, *address)).unwrap_or(Ok(()))
}

fn count_lookup_of(
    lookups: &DefaultKeyedRateLimiter<IpAddr>,
    address: IpAddr,
) -> Result<(), Status> {
    if lookups.len() > ADDRESSES_MAX {
        lookups.retain_recent();
    }
    lookups.check_key(&network_of(address)).map_err(|until| {
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

/// Makes the caller's address known to [`count_lookup`].
#[derive(Clone, Copy)]
pub(crate) struct AddressLayer;

impl<S> Layer<S> for AddressLayer {
    type Service = WithAddress<S>;

    fn layer(&self, inner: S) -> WithAddress<S> {
        WithAddress { inner }
    }
}

#[derive(Clone)]
pub(crate) struct WithAddress<S> {
    inner: S,
}

impl<S: Service<Request<Body>>> Service<Request<Body>> for WithAddress<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = TaskLocalFuture<IpAddr, S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let caller = request.extensions().get::<TcpConnectInfo>().and_then(|it| it.remote_addr());
        let caller = caller.map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |caller| caller.ip());
        CALLER.scope(caller, self.inner.call(request))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_tries_too_many_is_refused_and_no_other() {
        let lookups = RateLimiter::keyed(Quota::per_hour(NonZero::new(2).expect("two")));
        let count = |address: &str| count_lookup_of(&lookups, address.parse().expect("an address"));
        assert!(count("10.0.0.1").is_ok() && count("::ffff:10.0.0.1").is_ok());
        let refused = count("10.0.0.1").expect_err("the third");
        assert_eq!(refused.code(), tonic::Code::ResourceExhausted);
        assert!(count("10.0.0.2").is_ok());
        assert!(count("2001:db8::1").is_ok() && count("2001:db8::2").is_ok());
        assert!(count("2001:db8::3").is_err(), "they share a /64");
        assert!(count("2001:db8:0:1::1").is_ok());
    }
}
