//! A NATS server for one test, and a stranger who speaks with it in plain text.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::time::timeout;

use super::{ClosedPort, PATIENCE, until};

/// A server, killed when this is dropped.
pub struct NatsServer {
    child: Child,
    folder: PathBuf,
    arguments: Vec<String>,
    pub port: u16,
    /// Kept while it is away.
    closed: Option<ClosedPort>,
}

impl NatsServer {
    /// Starts it on a free port; returns when it accepts connections.
    pub async fn start(folder: &Path, arguments: &[&str]) -> NatsServer {
        fs::create_dir_all(folder).expect("a folder");
        let folder = folder.to_owned();
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        let child = serve(&folder, -1, &arguments);
        let ports = folder.join(format!("nats-server_{}.ports", child.id().expect("it runs")));
        let port = until("the NATS server is reachable", async || {
            let ports: serde_json::Value =
                serde_json::from_str(&fs::read_to_string(&ports).ok()?).ok()?;
            let url = ports["nats"][0].as_str()?.to_owned();
            url.rsplit(':').next()?.parse().ok()
        })
        .await;
        NatsServer { child, folder, arguments, port, closed: None }
    }

    pub async fn kill(&mut self) {
        self.child.kill().await.expect("it runs");
        self.closed = Some(ClosedPort::at(self.port));
    }

    /// Starts it on the same port.
    pub async fn start_again(&mut self) {
        self.closed = None;
        self.child = serve(&self.folder, self.port.into(), &self.arguments);
        until("the NATS server is back", async || {
            TcpStream::connect(("127.0.0.1", self.port)).await.ok()
        })
        .await;
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }
}

fn serve(folder: &Path, port: i32, arguments: &[String]) -> Child {
    let log = File::options().create(true).append(true).open(folder.join("nats.txt"));
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL", "--", "nats-server", "--addr", "127.0.0.1"]);
    command.args(["--port", &port.to_string(), "--ports_file_dir"]).arg(folder).args(arguments);
    // Debian's package has it where only root looks.
    command.env("PATH", format!("{}:/usr/sbin", std::env::var("PATH").expect("a path")));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log.expect("a file"));
    command.kill_on_drop(true).spawn().expect("setpriv runs")
}

/// A client of a NATS server that is no process of the service.
pub struct Stranger {
    connection: BufReader<TcpStream>,
}

impl Stranger {
    pub async fn on(server: &NatsServer) -> Stranger {
        let connection = TcpStream::connect(("127.0.0.1", server.port)).await.expect("it accepts");
        let mut stranger = Stranger { connection: BufReader::new(connection) };
        assert!(stranger.line().await.starts_with("INFO "));
        stranger.send(b"CONNECT {\"verbose\":false}\r\n").await;
        stranger
    }

    /// Receives what is published on these subjects from now on.
    pub async fn subscribe(&mut self, subjects: &str) {
        self.send(format!("SUB {subjects} 1\r\n").as_bytes()).await;
        self.settle().await;
    }

    /// The next message: its subject and its payload.
    pub async fn next(&mut self) -> (String, Vec<u8>) {
        // "MSG subject sid size"
        let line = self.line().await;
        let mut words = line.trim_end().strip_prefix("MSG ").expect("a message").split(' ');
        let (subject, size) =
            (words.next().expect("a subject"), words.next_back().expect("a size"));
        let mut payload = vec![0; size.parse::<usize>().expect("a number") + 2];
        self.connection.read_exact(&mut payload).await.expect("a payload");
        payload.truncate(payload.len() - 2);
        (subject.to_owned(), payload)
    }

    pub async fn publish(&mut self, subject: &str, payload: &[u8]) {
        self.publish_often(subject, payload, 1).await;
    }

    pub async fn publish_often(&mut self, subject: &str, payload: &[u8], count: usize) {
        let mut message = format!("PUB {subject} {}\r\n", payload.len()).into_bytes();
        message.extend(payload);
        message.extend(b"\r\n");
        self.send(&message.repeat(count)).await;
    }

    /// Returns when the server has done everything it was sent. Not while messages may come.
    pub async fn settle(&mut self) {
        self.send(b"PING\r\n").await;
        assert_eq!(self.line().await, "PONG\r\n");
    }

    async fn send(&mut self, bytes: &[u8]) {
        self.connection.get_mut().write_all(bytes).await.expect("it is sent");
    }

    async fn line(&mut self) -> String {
        let mut line = String::new();
        let reading = self.connection.read_line(&mut line);
        timeout(PATIENCE, reading).await.expect("the server answers in time").expect("a line");
        line
    }
}
