//! The options for the service's address and the API key.

use std::path::PathBuf;
use std::time::Duration;

use croupier_client::{Credentials, Croupier, Options};

use super::error::Error;
use super::loss::{Loss, WAIT_MAX};
use super::{language, local};

/// Where `croupier serve` listens by default.
const ADDRESS: &str = "http://127.0.0.1:7710";

/// The timeout of one attempt. The service's own limits are well below it.
const ATTEMPT_WAIT_MAX: Duration = Duration::from_secs(20);

/// How long an agent's call is tried again while the service is away: agents give up a call after
/// a minute.
const AGENT_WAIT_MAX: Duration = Duration::from_secs(30);

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

    /// A client of the service, and whether it is lost. Fails at once if no service answers.
    pub(super) async fn connect(&self) -> Result<(Croupier, Loss), Error> {
        let (loss, listener) = Loss::new();
        let options = Options { on_connection: Some(listener), ..self.options()? };
        let credentials = match self.credentials() {
            Ok(credentials) => credentials,
            Err(error) => {
                // A service that has never run has no key yet, and is what to tell about first.
                self.reach(options).await?;
                return Err(error);
            }
        };
        Ok((self.reach(Options { credentials, ..options }).await?, loss))
    }

    /// What `bench` needs to connect.
    pub fn for_bench(&self) -> Result<bench::Service, Error> {
        let options = Options { credentials: self.credentials()?, ..self.options()? };
        Ok(bench::Service { address: self.address.clone(), options })
    }

    /// A client with a key of an operator.
    pub(super) async fn connect_as(&self, operator_key: String) -> Result<(Croupier, Loss), Error> {
        if !operator_key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Error::Key);
        }
        let (loss, listener) = Loss::new();
        let credentials = operator_key.into();
        let options = Options { on_connection: Some(listener), credentials, ..self.options()? };
        Ok((self.reach(options).await?, loss))
    }

    /// A client for an agent. It connects with its first call, so an agent may be started first.
    pub fn for_agent(&self) -> Result<Croupier, Error> {
        let (credentials, retry_for) = (self.credentials()?, AGENT_WAIT_MAX);
        let options = Options { credentials, retry_for, ..self.options()? };
        Croupier::connect(&self.address, options).map_err(Error::of_connecting)
    }

    /// The service's public keys, as a JSON Web Key Set. Needs no credentials.
    pub async fn public_keys(&self) -> Result<String, Error> {
        let keys = self.reach(self.options()?).await?.keys().await;
        keys.map_err(|refusal| match refusal.is_unreached() {
            true => Error::Silent(self.address.clone()),
            false => Error::NoKeys(self.address.clone()),
        })
    }

    async fn reach(&self, options: Options) -> Result<Croupier, Error> {
        Croupier::reach(&self.address, options).await.map_err(Error::of_connecting)
    }

    /// The certificates that are trusted instead of the system's, in PEM.
    pub fn certificates(&self) -> Result<Option<Vec<u8>>, Error> {
        let read = self.ca.as_ref().map(|path| {
            let read = std::fs::read(path);
            read.map_err(|source| Error::Ca { path: path.clone(), source })
        });
        read.transpose()
    }

    /// Without credentials. Requests name their language themselves.
    fn options(&self) -> Result<Options, Error> {
        Ok(Options {
            request_timeout: ATTEMPT_WAIT_MAX,
            retry_for: WAIT_MAX,
            certificates: self.certificates()?,
            ..Options::default()
        })
    }

    fn credentials(&self) -> Result<Credentials, Error> {
        let key = self.key()?;
        let is_sent = key.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ');
        if is_sent { Ok(key.into()) } else { Err(Error::Key) }
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
