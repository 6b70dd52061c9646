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
    use table::{Event, Seats};

    use super::*;

    fn row(body: &'static [u8]) -> Recorded {
        Recorded {
            position: Position(1),
            bucket_position: 1,
            request_id: None,
            create_time: OffsetDateTime::UNIX_EPOCH,
            body: body.into(),
            digest: None,
        }
    }

    #[test]
    fn an_entry_that_may_replace_a_player_is_found_by_its_bytes() {
        for replaces in [&b"replace"[..], b"\x12\x07replace\x30\x02", b"\x12\x04talkreplace"] {
            assert!(may_replace(&row(replaces)));
        }
        for other in [&b""[..], b"replac", b"\x12\x04talk"] {
            assert!(!may_replace(&row(other)));
        }
    }

    #[test]
    fn an_entry_that_ends_a_match_says_when() {
        let recorded = |events| RecordedEntry {
            position: Position(1),
            create_time: OffsetDateTime::UNIX_EPOCH,
            request_id: Some("a request".to_owned()),
            entry: Entry {
                rules: 1,
                seat: None,
                verb: "abandon",
                action: None,
                events,
                prompts: Vec::new(),
                choices: Vec::new(),
                players: Vec::new(),
            },
            digest: None,
        };
        let (going, ended) = (recorded(vec![]), recorded(vec![Event::Abandoned]));
        let won = recorded(vec![Event::Ended { winners: Seats::default() }]);
        assert_eq!(going.end_time(), None);
        assert_eq!([ended, won].map(|it| it.end_time()), [Some(OffsetDateTime::UNIX_EPOCH); 2]);

        let own = size_of::<RecordedEntry>() + "a request".len();
        assert_eq!(going.bytes(), own + going.entry.bytes());
        let mut full = going;
        full.entry.events.reserve_exact(100);
        assert!(full.entry.bytes() > 0);
        assert_eq!(full.bytes(), own + full.entry.bytes());
    }

    #[test]
    fn an_entry_names_the_version_of_its_rules() {
        let version = |body| version_of(&row(body));
        assert_eq!(version(b"\x12\x04open\x30\x02\x3a\x02\x05\x01"), 2);
        assert_eq!(version(b"\x12\x04open"), 0, "it was recorded before there were versions");
        assert_eq!(version(b""), 0, "only its result is kept");
    }
}
