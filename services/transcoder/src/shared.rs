//! The options of a transcoder, and the state that its requests share.

use std::time::Duration;

use http::Method;
use prost_reflect::DescriptorPool;

use crate::cache::Cached;
use crate::contract::{Contract, ContractError, Resume, Route};
use crate::refusal::Domain;
use crate::render::Renderer;

/// The options of a transcoder.
#[derive(Clone, Debug)]
pub struct Options {
    /// The domain of refusals.
    pub domain: Domain,
    /// The longest request message, in bytes as sent: JSON text or protobuf. tonic's own limit must
    /// not be smaller.
    pub message_bytes_max: usize,
    /// The interval of comments on a silent event stream, which keep proxies from closing it and
    /// reveal lost clients.
    pub heartbeat: Duration,
    /// The streams that `Last-Event-ID` resumes.
    pub resumes: Vec<Resume>,
    /// The methods whose answers caches may keep.
    pub cached: Vec<Cached>,
    /// The web pages that may call from a browser, by origin (`https://play.example`); `*` for any.
    /// Used by [`TranscoderLayer::gateway`](crate::TranscoderLayer::gateway).
    pub origins: Vec<String>,
}

impl Options {
    /// Messages of up to 1 MiB, a heartbeat every 15 seconds, no resumption, no caches, no web
    /// pages.
    pub fn new(domain: Domain) -> Self {
        Self {
            domain,
            message_bytes_max: 1 << 20,
            heartbeat: Duration::from_secs(15),
            resumes: Vec::new(),
            cached: Vec::new(),
            origins: Vec::new(),
        }
    }
}

/// The state that all requests share.
pub struct Shared {
    pub pool: DescriptorPool,
    pub contract: Contract,
    pub renderer: Renderer,
    pub options: Options,
}

impl Shared {
    pub fn new(pool: &DescriptorPool, options: Options) -> Result<Self, ContractError> {
        let contract = Contract::new(pool, &options.resumes)?;
        let renderer = Renderer::new(pool.clone(), options.domain);
        Ok(Self { pool: pool.clone(), contract, renderer, options })
    }

    /// How long a cache may keep an answer of this route, if it may at all.
    pub fn max_age(&self, route: &Route) -> Option<Duration> {
        let method = route.procedure.method.full_name();
        let mut cached = self.options.cached.iter().filter(|_| route.verb == Method::GET);
        cached.find(|it| it.method == method).map(|it| it.max_age)
    }
}
