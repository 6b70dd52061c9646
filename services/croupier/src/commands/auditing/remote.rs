//! A log that is served somewhere, as C2SP's tlog-tiles says.

use std::time::Duration;

use records::LeafKind;
use tlog::{
    Hash, NoteError, Proof, Signed, Succession, TileId, TilePath, Tiles, VerifierKey, parse_entries,
};

use transparency::HttpClient;

use crate::client::Service;
use crate::failure::Failure;

/// The leaves of a bundle.
const BUNDLE: u64 = 256;

/// The waits before a page is asked for again of a server that is away.
const WAITS: [Duration; 3] =
    [Duration::from_millis(250), Duration::from_secs(1), Duration::from_secs(3)];

/// A log, by its address and the key that verifies it.
pub struct Remote {
    client: HttpClient,
    /// Where it is, such as `https://play.example/log`.
    url: String,
    pub key: VerifierKey,
    /// The logs that followed the one whose key was given, each with the statement of both keys, up
    /// to the one that is served; empty if that is the one.
    pub followed: Vec<(Succession, String)>,
}

/// The address of a service and the path of its log; `/log` if there is none.
pub fn parse_log_url(url: &str) -> Option<(String, String)> {
    let (scheme, rest) = url.split_once("://").filter(|(it, _)| ["http", "https"].contains(it))?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let path = path.trim_end_matches('/');
    let path = if path.is_empty() { "log" } else { path };
    (!host.is_empty()).then(|| (format!("{scheme}://{host}"), format!("/{path}")))
}

impl Remote {
    /// Reaches a log. Without a key, that which it names is believed. Fails with
    /// [`Failure::NotProven`] if it is away.
    pub async fn reach(
        service: &Service,
        url: &str,
        key: Option<VerifierKey>,
    ) -> Result<Remote, Failure> {
        let (address, prefix) = parse_log_url(url).ok_or_else(|| {
            Failure::Usage(format!("{url} is not an address such as https://play.example/log"))
        })?;
        let client = match service.certificates()? {
            Some(pem) => HttpClient::with_roots(&pem).map_err(Failure::Usage)?,
            None => HttpClient::with_system_roots(),
        };
        let at = format!("{address}{prefix}");
        let text = async |path: &str| {
            let page = page(&client, &format!("{at}/{path}")).await.map_err(Failure::NotProven)?;
            let page = page.and_then(|it| String::from_utf8(it).ok());
            Ok::<_, Failure>(page.filter(|it| !it.is_empty()))
        };
        let served = text("key").await?;
        let served = served.map(|it| it.parse::<VerifierKey>()).transpose();
        let none = || Failure::Negative(format!("there is no transparency log at {url}"));
        let (key, followed) = match (key, served) {
            (None, served) => (served.map_err(Failure::Negative)?.ok_or_else(none)?, Vec::new()),
            // What an honest service serves follows the log whose key was given.
            (Some(key), Ok(Some(served))) if key != served => {
                let statements = text("successions").await?.unwrap_or_default();
                let mut followed = Succession::follow(&key, &statements);
                match followed.iter().position(|(it, _)| it.next == served) {
                    Some(last) => {
                        followed.truncate(last + 1);
                        (served, followed)
                    }
                    None => (key, Vec::new()),
                }
            }
            (Some(key), _) => (key, Vec::new()),
        };
        Ok(Remote { client, url: at, key, followed })
    }

    /// Whether the log that was reached follows the one with this key, or is it.
    pub fn leads_to(&self, key: &VerifierKey) -> bool {
        self.key == *key || self.followed.iter().any(|(it, _)| it.next == *key)
    }

    /// The newest checkpoint, with the note as it was served if it does not hold.
    pub async fn checkpoint(&self) -> Result<Result<Signed, (String, NoteError)>, String> {
        let bytes = self.page("checkpoint").await?;
        let note = String::from_utf8(bytes).map_err(|_| "the checkpoint is not text".to_owned())?;
        Ok(Signed::verify(&note, &self.key).map_err(|error| (note, error)))
    }

    /// The leaves from an index up to a size that a checkpoint has.
    pub async fn leaves(&self, from: u64, size: u64) -> Result<Vec<Vec<u8>>, String> {
        let mut leaves = Vec::new();
        let mut at = from;
        while at < size {
            let id = TileId::in_tree(0, at / BUNDLE, size).expect("it is below the size");
            let path = format!("tile/{}", TilePath::Entries(id));
            let bundle = parse_entries(&self.page(&path).await?);
            let bundle = bundle.filter(|it| it.len() == usize::from(id.width));
            let bundle = bundle.ok_or_else(|| format!("{path} has not {} leaves", id.width))?;
            let skipped = (at % BUNDLE) as usize;
            at = id.index * BUNDLE + u64::from(id.width);
            leaves.extend(bundle.into_iter().skip(skipped));
        }
        Ok(leaves)
    }

    /// The hashes of the leaves below a size that a checkpoint has.
    pub async fn leaf_hashes(&self, size: u64) -> Result<Vec<Hash>, String> {
        let mut hashes = Vec::new();
        for index in 0..size.div_ceil(BUNDLE) {
            let id = TileId::in_tree(0, index, size).expect("it is below the size");
            hashes.append(&mut self.tile(id).await?);
        }
        Ok(hashes)
    }

    async fn tile(&self, id: TileId) -> Result<Vec<Hash>, String> {
        let path = format!("tile/{}", TilePath::Hashes(id));
        let bytes = self.page(&path).await?;
        let wrong = || format!("{path} has not {} hashes", id.width);
        if bytes.len() != usize::from(id.width) * 32 {
            return Err(wrong());
        }
        let hashes = bytes.chunks_exact(32).map(|it| it.try_into().expect("it has 32 bytes"));
        Ok(hashes.collect())
    }

    /// Hashes that prove something of a tree of this size, from its tiles.
    pub async fn hashes(&self, size: u64, parts: &[tlog::Range]) -> Result<Vec<Hash>, String> {
        let mut tiles = Tiles::default();
        for id in Tiles::needed(size, parts) {
            tiles.add(id, self.tile(id).await?);
        }
        tiles.hashes(parts).ok_or_else(|| "a tile is missing".to_owned())
    }

    /// The proof that the log has a leaf of a match, as the service gives it; `None` if it does not
    /// have it.
    pub async fn proof(&self, kind: LeafKind, id: &str) -> Result<Option<Proof>, String> {
        let url = format!("{}/proof/{}/{id}", self.url, kind.name());
        let Some(page) = page(&self.client, &url).await? else { return Ok(None) };
        let text = String::from_utf8(page).ok();
        let proof = text.and_then(|it| Proof::parse(&it));
        proof.map(Some).ok_or_else(|| format!("{url} is not a proof"))
    }

    async fn page(&self, path: &str) -> Result<Vec<u8>, String> {
        let url = format!("{}/{path}", self.url);
        page(&self.client, &url).await?.ok_or_else(|| format!("{url} is not there"))
    }
}

/// A page; `None` if there is none.
async fn page(client: &HttpClient, url: &str) -> Result<Option<Vec<u8>>, String> {
    let mut waits = WAITS.iter();
    loop {
        let problem = match client.get(url).await {
            Ok((200..300, bytes)) => return Ok(Some(bytes)),
            Ok((status @ 500.., _)) => format!("it answered with the status {status}"),
            Ok(_) => return Ok(None),
            Err(error) => error,
        };
        match waits.next() {
            Some(wait) => tokio::time::sleep(*wait).await,
            None => return Err(format!("{url}: {problem}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_below_log_unless_its_address_says_another_path() {
        let parsed = |url| parse_log_url(url).map(|(address, path)| format!("{address} {path}"));
        for (url, expected) in [
            ("https://play.example", "https://play.example /log"),
            ("https://play.example/", "https://play.example /log"),
            ("http://127.0.0.1:7710/log/", "http://127.0.0.1:7710 /log"),
            ("https://mirror.example/logs/play", "https://mirror.example /logs/play"),
        ] {
            assert_eq!(parsed(url).as_deref(), Some(expected), "{url}");
        }
        for wrong in ["play.example/log", "file:///log", "https://", "https:///log"] {
            assert_eq!(parsed(wrong), None, "{wrong}");
        }
    }
}
