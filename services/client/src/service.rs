//! The options for the service's address and the API key.

use std::path::PathBuf;
use std::time::Duration;

use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Certificate, ClientTlsConfig, Endpoint};

use crate::error::Error;
use crate::{language, local};

/// Where `croupier serve` listens by default.
const ADDRESS: &str = "http://127.0.0.1:7710";

#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Service options")]
pub struct Service {
    /// The address of the service
    #[arg(
        long,
        global = true,
        env = "CROUPIER_ADDRESS",
        value_name = "URL",
        default_value = ADDRESS
    )]
    pub address: String,
    /// A platform's API key [default: the key in the data folder]
    #[arg(long, global = true, env = "CROUPIER_KEY", hide_env_values = true)]
    pub key: Option<String>,
    /// A file that contains the API key
    #[arg(
        long,
        global = true,
        env = "CROUPIER_KEY_FILE",
        value_name = "FILE",
        conflicts_with = "key"
    )]
    pub key_file: Option<PathBuf>,
    /// For an https address: the certificates to trust, in PEM, instead of the system's
    #[arg(long, global = true, env = "CROUPIER_CA", value_name = "FILE")]
    pub ca: Option<PathBuf>,
    /// The data folder of this machine's service, which stores its API key there in `local.key`
    #[arg(long, global = true, env = "CROUPIER_DATA", value_name = "DIR", default_value_os_t = local::default_folder())]
    pub data: PathBuf,
    /// The language of texts, such as `de` [default: the system's, by LC_ALL, LC_MESSAGES or LANG]
    #[arg(long, global = true, env = "CROUPIER_LANGUAGE", value_name = "LANG")]
    pub language: Option<String>,
}

impl Service {
    /// The command line that reaches the same service: this program as it was called, with the
    /// address and data folder, but never a key.
    pub fn command(&self) -> String {
        let mut command = std::env::args().next().unwrap_or_else(|| "croupier".to_owned());
        if self.address != ADDRESS {
            command.push_str(&format!(" --address {}", self.address));
        }
        if let Some(ca) = &self.ca {
            command.push_str(&format!(" --ca {}", ca.display()));
        }
        if let Some(key_file) = &self.key_file {
            command.push_str(&format!(" --key-file {}", key_file.display()));
        }
        if self.key.is_none() && self.key_file.is_none() && self.data != local::default_folder() {
            command.push_str(&format!(" --data {}", self.data.display()));
        }
        command
    }

    /// The language of texts, as a BCP 47 tag.
    pub fn language(&self) -> String {
        let named = self.language.clone().filter(|language| !language.is_empty());
        named.unwrap_or_else(language::language)
    }

    pub fn endpoint(&self) -> Result<Endpoint, Error> {
        let wrong = || Error::Address(self.address.clone());
        let endpoint = Endpoint::from_shared(self.address.clone()).map_err(|_| wrong())?;
        if endpoint.uri().host().is_none() {
            return Err(wrong());
        }
        let endpoint = match endpoint.uri().scheme_str() {
            Some("http") => endpoint,
            Some("https") => endpoint.tls_config(self.tls()?).map_err(Error::Tls)?,
            _ => return Err(wrong()),
        };
        Ok(endpoint
            .connect_timeout(Duration::from_secs(5))
            .tcp_nodelay(true)
            .http2_keep_alive_interval(Duration::from_secs(15)))
    }

    fn tls(&self) -> Result<ClientTlsConfig, Error> {
        let tls = ClientTlsConfig::new();
        let Some(path) = &self.ca else { return Ok(tls.with_native_roots()) };
        let certificates = std::fs::read(path);
        let certificates =
            certificates.map_err(|source| Error::Ca { path: path.clone(), source })?;
        Ok(tls.ca_certificate(Certificate::from_pem(certificates)))
    }

    /// The value of a call's `authorization` header.
    pub fn bearer(&self) -> Result<MetadataValue<Ascii>, Error> {
        format!("Bearer {}", self.key()?).parse().map_err(|_| Error::Key)
    }

    fn key(&self) -> Result<String, Error> {
        if let Some(key) = &self.key {
            return Ok(key.clone());
        }
        let path = self.key_file.clone().unwrap_or_else(|| local::key_file(&self.data));
        match std::fs::read_to_string(&path) {
            Ok(key) => Ok(key.trim().to_owned()),
            Err(source) => Err(Error::NoKey { path, source }),
        }
    }
}
