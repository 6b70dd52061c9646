//! The proxies in front of the service, from the command line.

use api::{ClientHeader, Network, Proxies};

/// The proxies that name the addresses of their clients.
#[derive(Clone, Debug, clap::Args)]
pub struct ProxyArgs {
    /// A network of proxies that are trusted to name the addresses of their clients, such as
    /// 10.0.0.0/8; repeatable [default: none]
    ///
    /// Limits for addresses then count clients, not the proxy. Name no network from which clients
    /// connect: they could claim any address.
    #[arg(long, value_name = "NETWORK", env = "CROUPIER_TRUSTED_PROXIES", value_delimiter = ',')]
    trusted_proxies: Vec<Network>,

    /// The header to which trusted proxies add the address of the client
    #[arg(
        long,
        value_name = "HEADER",
        env = "CROUPIER_CLIENT_HEADER",
        default_value = "x-forwarded-for"
    )]
    client_header: Header,

    /// Connections of trusted proxies begin with a header of the PROXY protocol, version 2, which
    /// names the client
    #[arg(long, env = "CROUPIER_PROXY_PROTOCOL", requires = "trusted_proxies")]
    proxy_protocol: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Header {
    XForwardedFor,
    Forwarded,
}

impl ProxyArgs {
    pub fn proxies(&self) -> Proxies {
        let header = match self.client_header {
            Header::XForwardedFor => ClientHeader::XForwardedFor,
            Header::Forwarded => ClientHeader::Forwarded,
        };
        Proxies { networks: self.trusted_proxies.clone(), header }
    }

    pub fn has_proxy_protocol(&self) -> bool {
        self.proxy_protocol
    }
}
