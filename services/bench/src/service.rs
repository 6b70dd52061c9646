//! The service that is measured.

use croupier_client::{ConnectError, Croupier, Options};

/// The address of a service, and how it is called.
#[derive(Clone)]
pub struct Service {
    pub address: String,
    /// With the API key of the platform to which the matches will belong.
    pub options: Options,
}

impl Service {
    pub(crate) async fn connect(&self) -> Result<Croupier, ConnectError> {
        Croupier::reach(&self.address, self.options.clone()).await
    }

    /// The port of the address, if it has one.
    pub(crate) fn port(&self) -> Option<u16> {
        self.address.parse::<http::Uri>().ok()?.port_u16()
    }
}
