//! TLS on the public port, and who may call from a browser.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::sync::Arc;

use bytes::Bytes;
use http::Request;
use http_body_util::Full;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::process::Command;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::harness::*;

/// An authority of our own, and the files of a certificate.
struct Files {
    issuer: Issuer<'static, KeyPair>,
    ca: PathBuf,
    cert: PathBuf,
    key: PathBuf,
}

impl Files {
    /// In this folder, with a certificate for this machine.
    fn new(folder: &Path) -> Files {
        fs::create_dir_all(folder).expect("a folder");
        let key = KeyPair::generate().expect("a key");
        let mut authority = CertificateParams::new(Vec::new()).expect("no names");
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let ca = folder.join("ca.pem");
        fs::write(&ca, authority.self_signed(&key).expect("a certificate").pem()).expect("a file");
        let issuer = Issuer::new(authority, key);
        let files =
            Files { issuer, ca, cert: folder.join("cert.pem"), key: folder.join("key.pem") };
        files.renew();
        files
    }

    /// Writes another certificate.
    fn renew(&self) {
        let key = KeyPair::generate().expect("a key");
        let names = vec!["localhost".to_owned(), "127.0.0.1".to_owned()];
        let params = CertificateParams::new(names).expect("names");
        let cert = params.signed_by(&key, &self.issuer).expect("a certificate");
        fs::write(&self.cert, cert.pem()).expect("a file");
        fs::write(&self.key, key.serialize_pem()).expect("a file");
    }

    fn certificate(&self) -> CertificateDer<'static> {
        CertificateDer::from_pem_file(&self.cert).expect("a certificate")
    }

    fn arguments(&self) -> Vec<&'static str> {
        // The harness keeps arguments for the life of a test process, which is one test.
        let leak = |path: &Path| path.to_str().expect("a plain path").to_owned().leak() as &str;
        vec!["--tls-cert", leak(&self.cert), "--tls-key", leak(&self.key)]
    }

    /// A connection that offers one protocol.
    async fn connect(&self, port: u16, protocol: &str) -> TlsStream<TcpStream> {
        let mut roots = RootCertStore::empty();
        let ca = CertificateDer::from_pem_file(&self.ca).expect("a certificate");
        roots.add(ca).expect("an authority");
        let provider = Arc::new(ring::default_provider());
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("they are supported")
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
        let tcp = TcpStream::connect(("127.0.0.1", port)).await.expect("it accepts");
        let name = ServerName::try_from("localhost").expect("a name");
        TlsConnector::from(Arc::new(config)).connect(name, tcp).await.expect("a TLS connection")
    }

    /// The certificate that a new connection is shown.
    async fn shown(&self, port: u16) -> CertificateDer<'static> {
        let connection = self.connect(port, "h2").await;
        let shown = connection.get_ref().1.peer_certificates().expect("it shows one");
        shown[0].clone().into_owned()
    }
}

/// The command line, as a client of the service.
async fn matches(installation: &Installation, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
    let address = format!("https://127.0.0.1:{}", installation.service.port());
    command.args(["matches", "--address", &address, "--key-file"]);
    command.arg(installation.service.folder.join("local.key")).args(arguments);
    command.output().await.expect("it runs")
}

#[tokio::test]
async fn every_protocol_is_served_over_tls() {
    let mut installation = Installation::open().await;
    let files = Files::new(&installation.folder.path().join("tls"));
    installation.service.restart_with(&files.arguments()).await;
    let port = installation.service.port();
    // Clients that never finish their handshake delay nobody.
    let mut silent = Vec::new();
    for _ in 0..200 {
        silent.push(TcpStream::connect(("127.0.0.1", port)).await.expect("it accepts"));
    }
    for protocol in ["h2", "http/1.1"] {
        let connection = files.connect(port, protocol).await;
        assert_eq!(connection.get_ref().1.alpn_protocol(), Some(protocol.as_bytes()));
    }
    let mut connection = files.connect(port, "http/1.1").await;
    let request = b"GET /readyz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    connection.write_all(request).await.expect("it is sent");
    let mut answer = String::new();
    let _ = connection.read_to_string(&mut answer).await;
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer:?}");

    let ca = files.ca.to_str().expect("a plain path");
    let trusting = matches(&installation, &["--ca", ca]).await;
    assert!(trusting.status.success(), "{}", String::from_utf8_lossy(&trusting.stderr));
    let distrustful = matches(&installation, &[]).await;
    let reason = String::from_utf8_lossy(&distrustful.stderr);
    assert!(!distrustful.status.success() && reason.contains("UnknownIssuer"), "{reason}");

    // Without TLS, nothing is answered.
    let mut plain = TcpStream::connect(("127.0.0.1", port)).await.expect("it accepts");
    plain.write_all(request).await.expect("it is sent");
    let mut answer = Vec::new();
    let _ = plain.read_to_end(&mut answer).await;
    assert!(!answer.starts_with(b"HTTP"), "{answer:?}");
}

#[tokio::test]
async fn a_certificate_is_replaced_without_a_restart() {
    let mut installation = Installation::open().await;
    let files = Files::new(&installation.folder.path().join("tls"));
    installation.service.restart_with(&files.arguments()).await;
    let port = installation.service.port();
    let first = files.certificate();
    assert_eq!(files.shown(port).await, first);

    // What cannot be used is told, and the old certificate stays.
    fs::write(&files.cert, "damaged").expect("a file");
    let log = || log_tail(&installation.service.folder);
    let told = "the changed TLS certificate cannot be used, keeping the old one";
    until("it is told", async || log().contains(told).then_some(())).await;
    assert_eq!(files.shown(port).await, first);

    files.renew();
    let second = files.certificate();
    until("it is loaded", async || (files.shown(port).await == second).then_some(())).await;
}

#[tokio::test]
async fn files_that_cannot_be_used_are_explained_at_the_start() {
    let folder = new_folder();
    let good = Files::new(&folder.path().join("good"));
    let other = Files::new(&folder.path().join("other"));
    let missing = folder.path().join("missing");
    for (cert, key, reason) in [
        (&missing, &good.key, "cannot read "),
        (&good.key, &good.key, "contains no certificate in PEM"),
        (&good.cert, &good.cert, "contains no private key in PEM"),
        (&good.cert, &other.key, "cannot be used with the key"),
    ] {
        let arguments = ["--tls-cert", cert.to_str().unwrap(), "--tls-key", key.to_str().unwrap()];
        let (mut child, _stdout) = serve_with(folder.path(), Some("postgres://no/db"), &arguments);
        let status = tokio::time::timeout(PATIENCE, child.wait()).await.expect("it ends in time");
        assert_eq!(status.expect("a child").code(), Some(1));
        let log = log_tail(folder.path());
        assert!(log.lines().last().is_some_and(|line| line.contains(reason)), "{reason:?}: {log}");
    }
}

#[tokio::test]
async fn a_port_that_others_can_reach_without_tls_is_warned_about() {
    let folder = new_folder();
    let files = Files::new(&folder.path().join("tls"));
    for (address, has_tls, is_warned) in
        [("0.0.0.0:0", false, true), ("0.0.0.0:0", true, false), ("127.0.0.1:0", false, false)]
    {
        let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
        command.args(["serve", "--listen", address, "--connect-wait-s", "0", "--data"]);
        command.arg(folder.path()).args(["--database-url", "postgres://127.0.0.1:1/none"]);
        if has_tls {
            command.args(files.arguments());
        }
        let output = command.env_remove("RUST_LOG").stdin(Stdio::null()).output();
        let output = tokio::time::timeout(PATIENCE, output).await;
        let output = output.expect("it ends in time").expect("it runs");
        let log = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(log.contains("SERVING WITHOUT TLS ON"), is_warned, "{address}: {log}");
    }
}

#[tokio::test]
async fn only_pages_of_the_named_origins_may_call() {
    let mut installation = Installation::open().await;
    let origins =
        vec!["--cors-origin", "https://play.example", "--cors-origin", "http://localhost:3000"];
    installation.service.restart_with(&origins).await;
    let client = installation.client(Protocol::Rest).anonymous();
    for (origin, is_allowed) in [
        ("https://play.example", true),
        ("http://localhost:3000", true),
        ("https://other.example", false),
        ("https://play.example.other", false),
    ] {
        let request: Request<Full<Bytes>> = Request::get("/v1/games")
            .header("origin", origin)
            .body(Full::default())
            .expect("a request");
        let response = client.send(request).await.expect("an answer");
        let allowed = response.headers.get("access-control-allow-origin");
        assert_eq!(allowed.is_some_and(|allowed| allowed == origin), is_allowed, "{allowed:?}");
        assert_eq!(allowed.is_some(), is_allowed);
    }
}
