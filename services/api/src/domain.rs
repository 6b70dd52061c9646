//! The domain in whose name calls are refused, and the codec that refuses in it.

use transcoder::{Domain, InDomain};

use crate::meter;

/// The domain of the service's own refusals. A game's refusals have a domain of their own.
pub(crate) const DOMAIN: Domain =
    Domain { name: "croupier", on_refusal: |reason| meter::refused("croupier", reason) };

/// Names [`DOMAIN`] as a type.
pub struct Croupier;

impl InDomain for Croupier {
    const DOMAIN: Domain = DOMAIN;
}

/// The codec of the generated servers and clients.
pub type Codec<T, U> = transcoder::Codec<T, U, Croupier>;
