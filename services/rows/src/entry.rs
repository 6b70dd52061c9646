//! Decoded entries of the log.

use games::Game;
use positions::{Digest, Position, Recorded};
use prost::Message;
use table::{Entry, REPLACE, SpeechKeys};
use time::OffsetDateTime;

use crate::error::Error;

/// A decoded entry of the log, with its position. It is not redacted: only a
/// [`RedactedEntry`](super::RedactedEntry) leaves the service.
#[derive(Clone, Debug)]
pub struct RecordedEntry {
    pub position: Position,
    pub create_time: OffsetDateTime,
    pub request_id: Option<String>,
    pub entry: Entry,
    /// `None` for entries recorded before digests existed.
    pub digest: Option<Digest>,
}

impl RecordedEntry {
    pub fn decode(row: &Recorded, game: &'static dyn Game) -> Result<RecordedEntry, Error> {
        if row.is_stub() {
            return Err(Error::HistoryNotKept);
        }
        let entry = Entry::decode(&row.body, game.layout());
        let entry = entry.map_err(|error| unreadable(row.position, error.into()))?;
        Ok(RecordedEntry {
            position: row.position,
            create_time: row.create_time,
            request_id: row.request_id.clone(),
            entry,
            digest: row.digest,
        })
    }

    /// Decrypts speech in the entry, as far as there are keys. Decoding leaves it sealed.
    pub fn opened(mut self, keys: &SpeechKeys) -> Result<RecordedEntry, Error> {
        let opened = self.entry.open(self.position.0, keys);
        opened.map_err(|error| unreadable(self.position, error.into()))?;
        Ok(self)
    }

    /// An estimate of the memory that the entry takes.
    pub fn bytes(&self) -> usize {
        let request_id = self.request_id.as_ref().map_or(0, String::len);
        size_of::<RecordedEntry>() + request_id + self.entry.bytes()
    }

    /// The end of the match, if this entry ended it.
    pub fn end_time(&self) -> Option<OffsetDateTime> {
        self.entry.winners().map(|_| self.create_time)
    }
}

fn unreadable(position: Position, source: Box<dyn std::error::Error + Send + Sync>) -> Error {
    Error::Unreadable { position: Some(position), source }
}

/// Whether an entry may replace a player. It searches the bytes of the row for the verb, so it is
/// cheap and has few false positives.
pub fn may_replace(row: &Recorded) -> bool {
    row.body.windows(REPLACE.len()).any(|bytes| bytes == REPLACE.as_bytes())
}

/// The part of a stored entry that says which version of the rules decided it.
#[derive(Clone, PartialEq, Message)]
struct Decided {
    #[prost(uint32, tag = "6")]
    rules: u32,
}

/// The version of the rules that decided an entry; 0 if the entry does not say, or has no content.
/// It reads no other field.
pub fn version_of(row: &Recorded) -> u32 {
    Decided::decode(&row.body[..]).map_or(0, |it| it.rules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_names_the_version_of_its_rules() {
        let version = |body: &'static [u8]| {
            let (position, create_time) = (Position(1), OffsetDateTime::UNIX_EPOCH);
            let (request_id, digest) = (None, None);
            let body = body.into();
            version_of(&Recorded {
                position,
                bucket_position: 1,
                request_id,
                create_time,
                body,
                digest,
            })
        };
        assert_eq!(version(b"\x12\x04open\x30\x02\x3a\x02\x05\x01"), 2);
        assert_eq!(version(b"\x12\x04open"), 0, "it was recorded before there were versions");
        assert_eq!(version(b""), 0, "only its result is kept");
    }
}
