//! Reads whole, verified matches from the lines of a file of records.

use std::io::BufRead;
use std::ops::ControlFlow;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use games::Game;
use positions::{Digest, Position, Recorded};
use rows::{MatchId, MatchRow, SpeechKey};
use table::{Entry, Seat, Small, SpeechKeys};

use crate::creation::{Creation, MatchLine, row_of};
use crate::digest::{Chain, Digested};
use crate::line::{EntryLine, Line, LineError, Reader};
use crate::text::{bytes, time};
use crate::verify::{Verified, Verifier};

/// A match from a file of records, as the store records it.
pub struct WholeMatch {
    pub row: MatchRow,
    pub game: &'static dyn Game,
    pub seed: Option<[u8; 32]>,
    pub entries: Vec<Recorded>,
    /// The same entries, decoded, with speech opened as far as there are keys.
    pub decoded: Vec<Entry>,
    pub verified: Verified,
}

impl WholeMatch {
    /// Moves it to another platform. Digests cover the platform, so they change; without a seed
    /// they cannot be computed, and the match cannot be imported.
    pub fn move_to(&mut self, platform: &str) {
        platform.clone_into(&mut self.row.platform);
        let Some(seed) = self.seed else { return };
        let mut digests = Chain::new(Creation::from(&self.row), &seed);
        for (recorded, entry) in self.entries.iter_mut().zip(&self.decoded) {
            recorded.digest = Some(digests.next(Digested::of(recorded, entry.seat.map(u8::from))));
        }
    }
}

/// The next match of a file; `None` at its end. Fails at the first error.
pub fn read_match(reader: &mut Reader<impl BufRead>) -> Result<Option<WholeMatch>, LineError> {
    let head = loop {
        match reader.read()? {
            None => return Ok(None),
            Some(Line::Croupier(_)) => {}
            Some(Line::Match(head)) => break *head,
            Some(Line::Entry(_) | Line::End(_)) => return Err(reader.error(NO_MATCH)),
        }
    };
    let mut reading = Reading::begin(head).map_err(|problem| reader.error(problem))?;
    let (mut entries, mut decoded) = (Vec::new(), Vec::new());
    loop {
        let Some(line) = reader.read()? else {
            return Err(LineError { line: reader.line + 1, problem: reading.cut_off() });
        };
        match reading.take(line).map_err(|problem| reader.error(problem))? {
            ControlFlow::Continue((recorded, entry)) => {
                entries.push(recorded);
                decoded.push(entry);
            }
            ControlFlow::Break(()) => {
                let Reading { row, game, seed, verifier, .. } = reading;
                let verified = verifier.finish();
                return Ok(Some(WholeMatch { row, game, seed, entries, decoded, verified }));
            }
        }
    }
}

pub(crate) const NO_MATCH: &str = "an `entry` or `end` line without a `match` line";

/// One match that is read line by line.
pub(crate) struct Reading {
    name: String,
    row: MatchRow,
    game: &'static dyn Game,
    seed: Option<[u8; 32]>,
    speech_keys: SpeechKeys,
    verifier: Verifier,
}

impl Reading {
    pub(crate) fn begin(head: MatchLine) -> Result<Reading, String> {
        let game = games::find(&head.game)
            .ok_or_else(|| format!("this program does not know the game {:?}", head.game))?;
        let row = row_of(&head)?;
        let seed = head.seed.as_deref().map(bytes::<32>).transpose()?;
        let verifier = Verifier::new(game, Creation::from(&row), seed)?;
        Ok(Reading { name: head.name, speech_keys: speech_keys(&row), row, game, seed, verifier })
    }

    pub(crate) fn match_id(&self) -> MatchId {
        self.row.match_id
    }

    pub(crate) fn verified(&self) -> &Verified {
        self.verifier.verified()
    }

    /// Verifies the next line. Breaks at the end of the match.
    pub(crate) fn take(
        &mut self,
        line: Line,
    ) -> Result<ControlFlow<(), (Recorded, Entry)>, String> {
        let count = self.verified().entries;
        match line {
            Line::Entry(line) => {
                let mut recorded = recorded(&line)?;
                let mut checked = self.verifier.next(&recorded)?;
                if (line.seat, line.verb.as_str())
                    != (checked.entry.seat.map(u8::from), checked.entry.verb)
                {
                    return Err("its seat or verb differs from its body".to_owned());
                }
                let opened = checked.entry.open(line.position, &self.speech_keys);
                opened.map_err(|error| error.to_string())?;
                recorded.digest = checked.digest;
                Ok(ControlFlow::Continue((recorded, checked.entry)))
            }
            Line::End(end) if end.name != self.name => {
                Err(format!("it ends {}, not {}", end.name, self.name))
            }
            Line::End(end) if i64::try_from(end.entries) != Ok(count) => {
                Err(format!("the match has {count} entries, not {}", end.entries))
            }
            Line::End(_) => Ok(ControlFlow::Break(())),
            Line::Croupier(_) | Line::Match(_) => {
                Err(format!("another match starts before {} has ended", self.name))
            }
        }
    }

    /// The error of a file that ends within a match.
    pub(crate) fn cut_off(&self) -> String {
        format!("the file was cut off within {}", self.name)
    }
}

fn recorded(line: &EntryLine) -> Result<Recorded, String> {
    let body = BASE64_STANDARD.decode(&line.body);
    Ok(Recorded {
        position: Position(line.position),
        bucket_position: 0,
        request_id: line.request_id.clone(),
        create_time: time(&line.create_time)?,
        body: body.map_err(|error| format!("its body is not base64: {error}"))?.into(),
        digest: line.digest.as_deref().map(bytes::<32>).transpose()?.map(Digest::from),
    })
}

fn speech_keys(row: &MatchRow) -> SpeechKeys {
    let mut keys = SpeechKeys::default();
    for it in &row.seated {
        let seat = Seat::nth(it.seat.unsigned_abs().into()).expect("the match has this seat");
        for held in it.held_keys() {
            let key = held.key.map(|SpeechKey(key)| key);
            match (held.is_former, key) {
                (true, key) => keys.insert_former(seat, key),
                (false, Some(key)) => keys.insert(seat, key),
                (false, None) => {}
            }
        }
    }
    keys
}
