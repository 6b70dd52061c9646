//! An endpoint of webhooks that takes messages, or misbehaves as asked.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::HeaderMap;
use serde_json::Value;
use standardwebhooks::Webhook;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use super::until;

/// A message as it arrived.
#[derive(Clone, Debug)]
pub struct Received {
    pub headers: HeaderMap,
    pub body: Bytes,
    /// Whether the answer says that it was taken.
    pub is_taken: bool,
}

/// What a receiver does with a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conduct {
    Take,
    Fail(u16),
    /// Asks to be left alone for so many seconds.
    Later(u16, u32),
    /// Never answers.
    Stall,
    Redirect,
    /// Takes the message, and answers with bytes that are no text.
    Garbage,
    /// Takes the message, and answers without end.
    Endless,
    /// Takes the message, and closes in the middle of the answer.
    Break,
    /// Closes in the middle of the status.
    HangUp,
}

type Choose = Arc<dyn Fn(&Received) -> Conduct + Send + Sync>;

/// Listens while it is kept.
pub struct Receiver {
    pub url: String,
    received: Arc<Mutex<Vec<Received>>>,
    choose: Arc<Mutex<Choose>>,
    keeps: Arc<AtomicBool>,
    listening: JoinHandle<()>,
}

impl Received {
    pub fn id(&self) -> &str {
        self.headers["webhook-id"].to_str().expect("text")
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }

    pub fn verify(&self, secret: &str) -> bool {
        Webhook::new(secret).expect("a secret").verify(&self.body, &self.headers).is_ok()
    }

    /// The entries of the message as match and position.
    pub fn entries(&self) -> Vec<(String, i64)> {
        let json = self.json();
        let entries = json["data"]["entries"].as_array().cloned().unwrap_or_default();
        let name = |it: &Value| it["entry"]["name"].as_str().expect("a name").to_owned();
        let split = |name: String| {
            let (of, position) = name.split_once("/entries/").expect("a name of an entry");
            (of.to_owned(), position.parse().expect("a position"))
        };
        entries.iter().map(name).map(split).collect()
    }
}

impl Receiver {
    /// Takes every message.
    pub async fn open() -> Receiver {
        Receiver::choosing(|_| Conduct::Take).await
    }

    pub async fn choosing(
        choose: impl Fn(&Received) -> Conduct + Send + Sync + 'static,
    ) -> Receiver {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/hook", listener.local_addr().expect("an address"));
        let received: Arc<Mutex<Vec<Received>>> = Arc::default();
        let choose: Arc<Mutex<Choose>> = Arc::new(Mutex::new(Arc::new(choose)));
        let keeps = Arc::new(AtomicBool::new(true));
        let (noted, chosen, keeping) = (received.clone(), choose.clone(), keeps.clone());
        let listening = tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                tokio::spawn(converse(connection, noted.clone(), chosen.clone(), keeping.clone()));
            }
        });
        Receiver { url, received, choose, keeps, listening }
    }

    /// As [`Receiver::choosing`], but keeps no message: there are too many.
    pub async fn forgetting(
        choose: impl Fn(&Received) -> Conduct + Send + Sync + 'static,
    ) -> Receiver {
        let receiver = Receiver::choosing(choose).await;
        receiver.keeps.store(false, SeqCst);
        receiver
    }

    /// From now on behaves like this.
    pub fn behave(&self, choose: impl Fn(&Received) -> Conduct + Send + Sync + 'static) {
        *self.choose.lock().expect("no panic") = Arc::new(choose);
    }

    pub fn received(&self) -> Vec<Received> {
        self.received.lock().expect("no panic").clone()
    }

    /// The positions that were taken, by match, each the first time.
    pub fn taken(&self) -> HashMap<String, Vec<i64>> {
        let mut taken: HashMap<String, Vec<i64>> = HashMap::new();
        let received = self.received.lock().expect("no panic");
        for (name, position) in received.iter().filter(|it| it.is_taken).flat_map(Received::entries)
        {
            let of = taken.entry(name).or_default();
            if !of.contains(&position) {
                of.push(position);
            }
        }
        taken
    }

    /// Waits until so many entries were taken.
    pub async fn takes(&self, entries: usize) {
        let what = format!("{entries} entries that are taken");
        until(&what, async || {
            let taken = self.taken().values().map(Vec::len).sum::<usize>();
            (taken >= entries).then_some(())
        })
        .await;
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

async fn converse(
    mut connection: TcpStream,
    received: Arc<Mutex<Vec<Received>>>,
    choose: Arc<Mutex<Choose>>,
    keeps: Arc<AtomicBool>,
) -> Option<()> {
    let mut buffer = Vec::new();
    loop {
        let mut message = read(&mut connection, &mut buffer).await?;
        let choose = choose.lock().expect("no panic").clone();
        let conduct = choose(&message);
        message.is_taken = match conduct {
            Conduct::Take | Conduct::Garbage | Conduct::Endless | Conduct::Break => true,
            Conduct::Fail(_)
            | Conduct::Later(..)
            | Conduct::Stall
            | Conduct::Redirect
            | Conduct::HangUp => false,
        };
        if keeps.load(SeqCst) {
            received.lock().expect("no panic").push(message);
        }
        answer(&mut connection, conduct).await.ok()?;
    }
}

async fn answer(connection: &mut TcpStream, conduct: Conduct) -> std::io::Result<()> {
    let closed = || Err(std::io::ErrorKind::ConnectionAborted.into());
    match conduct {
        Conduct::Take => connection.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await,
        Conduct::Fail(status) => {
            let text = format!("HTTP/1.1 {status} No\r\ncontent-length: 9\r\n\r\nnot today");
            connection.write_all(text.as_bytes()).await
        }
        Conduct::Later(status, seconds) => {
            let head = format!("HTTP/1.1 {status} Later\r\nretry-after: {seconds}\r\n");
            connection.write_all((head + "content-length: 0\r\n\r\n").as_bytes()).await
        }
        Conduct::Stall => std::future::pending().await,
        Conduct::Redirect => {
            let text = "HTTP/1.1 307 There\r\nlocation: /there\r\ncontent-length: 0\r\n\r\n";
            connection.write_all(text.as_bytes()).await
        }
        Conduct::Garbage => {
            let head = b"HTTP/1.1 200 Fine\r\ncontent-length: 4\r\n\r\n";
            connection.write_all(&[&head[..], &[0, 0xff, 0xfe, 7]].concat()).await
        }
        Conduct::Endless => {
            let head = b"HTTP/1.1 200 Fine\r\ncontent-length: 10000000000\r\n\r\n";
            connection.write_all(head).await?;
            loop {
                connection.write_all(&[b'a'; 8192]).await?;
            }
        }
        Conduct::Break => {
            let text = "HTTP/1.1 200 Fine\r\ncontent-length: 1000\r\n\r\nand then";
            connection.write_all(text.as_bytes()).await?;
            closed()
        }
        Conduct::HangUp => {
            connection.write_all(b"HTTP/1.1 20").await?;
            closed()
        }
    }
}

/// The next request of a connection.
async fn read(connection: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<Received> {
    let end = loop {
        if let Some(end) = buffer.windows(4).position(|it| it == b"\r\n\r\n") {
            break end;
        }
        if connection.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(buffer[..end].to_vec()).expect("text");
    let mut headers = HeaderMap::new();
    for line in head.lines().skip(1) {
        let (name, value) = line.split_once(": ").expect("a header");
        let name = http::HeaderName::try_from(name).expect("a name");
        headers.insert(name, value.parse().expect("a value"));
    }
    let length: usize =
        headers["content-length"].to_str().expect("text").parse().expect("a number");
    let (begin, whole) = (end + 4, end + 4 + length);
    while buffer.len() < whole {
        if connection.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    }
    let body = Bytes::copy_from_slice(&buffer[begin..whole]);
    buffer.drain(..whole);
    Some(Received { headers, body, is_taken: false })
}
