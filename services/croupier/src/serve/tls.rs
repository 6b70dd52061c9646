//! TLS on the public port: a certificate from files, loaded again when they change.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};
use std::time::Duration;

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::{CryptoProvider, ring};
use tokio_rustls::rustls::pki_types::pem::{self, PemObject};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{self, ServerConfig};

/// The files of a certificate.
#[derive(Clone, Debug, clap::Args)]
pub struct FileArgs {
    /// Serve TLS with this certificate chain, in PEM. The file is read again when it changes
    #[arg(long, value_name = "FILE", env = "CROUPIER_TLS_CERT", requires = "tls_key")]
    tls_cert: Option<PathBuf>,

    /// The private key of the certificate, in PEM
    #[arg(long, value_name = "FILE", env = "CROUPIER_TLS_KEY", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
}

/// Why a certificate cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot read {}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{} contains no {what} in PEM", path.display())]
    Missing { path: PathBuf, what: &'static str },
    #[error("{} cannot be read as PEM", path.display())]
    Pem { path: PathBuf, source: pem::Error },
    #[error("the certificate {} cannot be used with the key {}", cert.display(), key.display())]
    Unusable { cert: PathBuf, key: PathBuf, source: rustls::Error },
    #[error("TLS cannot be configured")]
    Config(#[from] rustls::Error),
}

/// TLS, with the current certificate.
pub struct Tls {
    pub acceptor: TlsAcceptor,
    certificate: Arc<Certificate>,
}

#[derive(Debug)]
struct Certificate {
    files: Files,
    provider: Arc<CryptoProvider>,
    current: RwLock<Arc<CertifiedKey>>,
}

#[derive(Debug)]
struct Files {
    cert: PathBuf,
    key: PathBuf,
}

/// The content of the files.
#[derive(PartialEq)]
struct Contents {
    cert: Vec<u8>,
    key: Vec<u8>,
}

/// How often the files are read. Certificates are replaced days before they expire.
const RELOAD_PAUSE: Duration = Duration::from_secs(2);

impl FileArgs {
    /// TLS, if it is configured.
    pub fn load(&self) -> Result<Option<Tls>, Error> {
        let (Some(cert), Some(key)) = (&self.tls_cert, &self.tls_key) else { return Ok(None) };
        let files = Files { cert: cert.clone(), key: key.clone() };
        let provider = Arc::new(ring::default_provider());
        let current = files.certified(&files.read()?, &provider)?;
        let current = RwLock::new(Arc::new(current));
        let certificate = Arc::new(Certificate { files, provider: provider.clone(), current });
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_cert_resolver(certificate.clone());
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        let acceptor = TlsAcceptor::from(Arc::new(config));
        Ok(Some(Tls { acceptor, certificate }))
    }
}

impl Tls {
    /// Reloads the files whenever they change, forever. While they are invalid, the last valid
    /// certificate is kept.
    pub fn reload(&self) -> impl Future<Output = ()> + Send + use<> {
        let certificate = self.certificate.clone();
        async move {
            let mut seen = certificate.files.read().ok();
            loop {
                tokio::time::sleep(RELOAD_PAUSE).await;
                let replaced = match certificate.files.read() {
                    Ok(found) if seen.as_ref() == Some(&found) => continue,
                    Ok(found) => {
                        let replaced = certificate.replace(&found);
                        seen = Some(found);
                        replaced
                    }
                    Err(_) if seen.is_none() => continue,
                    Err(error) => {
                        seen = None;
                        Err(error)
                    }
                };
                match replaced {
                    Ok(()) => tracing::info!("the TLS certificate was loaded again"),
                    Err(error) => tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        "the changed TLS certificate cannot be used, keeping the old one"
                    ),
                }
            }
        }
    }
}

impl Certificate {
    fn replace(&self, contents: &Contents) -> Result<(), Error> {
        let certified = self.files.certified(contents, &self.provider)?;
        *self.current.write().expect("no holder of this lock panics") = Arc::new(certified);
        Ok(())
    }
}

impl ResolvesServerCert for Certificate {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.current.read().expect("no holder of this lock panics").clone())
    }
}

impl Files {
    fn read(&self) -> Result<Contents, Error> {
        let read = |path: &Path| {
            fs::read(path).map_err(|source| Error::Read { path: path.to_owned(), source })
        };
        Ok(Contents { cert: read(&self.cert)?, key: read(&self.key)? })
    }

    fn certified(
        &self,
        contents: &Contents,
        provider: &CryptoProvider,
    ) -> Result<CertifiedKey, Error> {
        let chain = CertificateDer::pem_slice_iter(&contents.cert).collect::<Result<Vec<_>, _>>();
        let chain = chain.map_err(|source| of_pem(&self.cert, "certificate", source))?;
        if chain.is_empty() {
            return Err(Error::Missing { path: self.cert.clone(), what: "certificate" });
        }
        let key = PrivateKeyDer::from_pem_slice(&contents.key)
            .map_err(|source| of_pem(&self.key, "private key", source))?;
        CertifiedKey::from_der(chain, key, provider).map_err(|source| {
            let (cert, key) = (self.cert.clone(), self.key.clone());
            Error::Unusable { cert, key, source }
        })
    }
}

fn of_pem(path: &Path, what: &'static str, source: pem::Error) -> Error {
    let path = path.to_owned();
    match source {
        pem::Error::NoItemsFound => Error::Missing { path, what },
        source => Error::Pem { path, source },
    }
}
