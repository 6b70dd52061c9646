//! `croupier transparency publish`: the log as files, which anyone can serve.

use std::time::Duration;

use futures::{StreamExt, TryStreamExt, stream};
use keeping::objects::{self, Objects};
use serde_json::json;
use tlog::{Checkpoint, Note, Signed, TILE_WIDTH, TileId, TilePath, verify_consistency};
use transparency::Reader;

use crate::failure::Failure;
use crate::print;

/// Objects that are written side by side.
const AT_ONCE: usize = 16;
/// For how long what never changes may be cached: a year.
const FOR_EVER_S: u64 = 31_536_000;
/// For how long a checkpoint may be cached.
const BRIEFLY_S: u64 = 5;

#[derive(clap::Args)]
pub struct Args {
    /// The destination, as file:///FOLDER or s3://BUCKET/PREFIX; the folder is created if it does
    /// not exist
    #[arg(long, value_name = "URL")]
    to: String,
    /// Publish again and again, with this wait in between
    #[arg(long, value_name = "DURATION", value_parser = humantime::parse_duration)]
    every: Option<Duration>,
}

/// Publishes the log once, or until it fails.
pub async fn run(args: &Args, reader: &Reader, is_json: bool) -> Result<(), Failure> {
    if let Some(folder) = objects::folder(&args.to) {
        let failed = |source| Failure::Path { path: folder.to_owned(), source };
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let place = Objects::open(&args.to)?;
    loop {
        let (before, now) = publish(reader, &place).await?;
        let (origin, size, new) = (&now.origin, now.size, now.size - before);
        print::line(&match is_json {
            true => json!({ "origin": origin, "size": size, "new": new }).to_string(),
            false => format!("{origin}: {size} leaves at {}, {new} of them new", args.to),
        })?;
        match args.every {
            Some(wait) => tokio::time::sleep(wait).await,
            None => return Ok(()),
        }
    }
}

/// Writes what the place does not have yet, and the checkpoint last: whoever reads one finds all
/// its tiles. Returns how many leaves the place had, and the checkpoint that it has now.
async fn publish(reader: &Reader, place: &Objects) -> Result<(u64, Checkpoint), Failure> {
    let none = || Failure::Negative("there is no transparency log".to_owned());
    let key = reader.key().await?.ok_or_else(none)?;
    let unsigned =
        || Failure::Negative("no checkpoint is signed by enough witnesses yet".to_owned());
    let note = reader.checkpoint().await?.ok_or_else(unsigned)?;
    let wrong = |error: &dyn std::fmt::Display| {
        Failure::Negative(format!("the checkpoint of the database does not hold: {error}"))
    };
    let now = Signed::verify(&note, &key).map_err(|error| wrong(&error))?.checkpoint;
    let before = match place.read("checkpoint").await? {
        Some(bytes) => continued(reader, place, &bytes, &now).await?,
        None => 0,
    };
    let paths = new_tiles(before, now.size);
    let writing = stream::iter(&paths).map(Ok).try_for_each_concurrent(AT_ONCE, async |path| {
        let bytes = reader.tile(*path).await?.ok_or_else(none)?;
        place.publish(&format!("tile/{path}"), bytes, FOR_EVER_S).await?;
        Ok::<_, Failure>(())
    });
    writing.await?;
    let successions = reader.successions().await?;
    place.publish("successions", successions.into_bytes(), BRIEFLY_S).await?;
    place.publish("key", format!("{key}\n").into_bytes(), BRIEFLY_S).await?;
    place.publish("checkpoint", note.into_bytes(), BRIEFLY_S).await?;
    // Readers of an older checkpoint take the full tile for one that was partial.
    for path in paths.iter().filter(|it| it.id().is_full() && before > 0) {
        place.remove_all(&format!("tile/{path}.p")).await?;
    }
    Ok((before, now))
}

/// How many leaves the place has, if the log continues them.
async fn continued(
    reader: &Reader,
    place: &Objects,
    published: &[u8],
    now: &Checkpoint,
) -> Result<u64, Failure> {
    let url = place.url();
    let note = String::from_utf8(published.to_vec()).ok();
    let note = note.and_then(|it| Note::parse(&it).ok());
    let before = note.and_then(|it| Checkpoint::parse(&it.text));
    let before = before.ok_or_else(|| {
        Failure::Negative(format!("`checkpoint` at {url} is not that of a transparency log"))
    })?;
    if before.origin != now.origin {
        let theirs = &before.origin;
        return Err(Failure::Negative(format!("{url} has another log, {theirs}")));
    }
    let proof = match before.size <= now.size {
        true => reader.consistency(before.size, now.size).await?,
        false => None,
    };
    let (old, new) = ((before.size, &before.root), (now.size, &now.root));
    match proof.is_some_and(|proof| verify_consistency(old, new, &proof)) {
        true => Ok(before.size),
        false => Err(Failure::Negative(format!(
            "the log does not continue the {} leaves that are published at {url}: nothing was \
             written",
            before.size
        ))),
    }
}

/// The tiles and bundles of a tree that one with `before` leaves did not have.
fn new_tiles(before: u64, size: u64) -> Vec<TilePath> {
    let mut paths = Vec::new();
    let (mut old, mut level) = (before, 0);
    while TileId::in_tree(level, 0, size).is_some() {
        let had = TileId::in_tree(level, old / TILE_WIDTH, before);
        let ids = (old / TILE_WIDTH..).map_while(|index| TileId::in_tree(level, index, size));
        for id in ids.filter(|it| Some(*it) != had) {
            paths.push(TilePath::Hashes(id));
            if level == 0 {
                paths.push(TilePath::Entries(id));
            }
        }
        (old, level) = (old / TILE_WIDTH, level + 1);
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_that_grew_has_new_tiles_where_it_grew() {
        let told = |before, size| -> Vec<String> {
            new_tiles(before, size).iter().map(ToString::to_string).collect()
        };
        assert_eq!(told(0, 0), [""; 0]);
        assert_eq!(told(0, 1), ["0/000.p/1", "entries/000.p/1"]);
        assert_eq!(told(1, 1), [""; 0]);
        assert_eq!(told(255, 256), ["0/000", "entries/000", "1/000.p/1"]);
        assert_eq!(
            told(256, 513),
            ["0/001", "entries/001", "0/002.p/1", "entries/002.p/1", "1/000.p/2"]
        );
        assert_eq!(told(513, 513), [""; 0]);
    }
}
