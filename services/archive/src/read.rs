//! Reading whole matches from the lines of an archive, verified.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::ops::ControlFlow;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use games::Game;
use store::{
    Chain, Digest, Follows, FormerPlayer, MatchId, MatchRow, Position, Recorded, SeatRow, SpeechKey,
};
use table::{Entry, Seat, Small, SpeechKeys};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use uuid::Uuid;

use crate::line::{
    EntryLine, FollowsLine, Line, LineError, MatchLine, PastPlayerLine, Reader, SeatLine,
};
use crate::verify::{Verified, Verifier};

/// A match from an archive, as the store records it.
pub struct WholeMatch {
    pub row: MatchRow,
    pub game: &'static dyn Game,
    pub seed: Option<[u8; 32]>,
    pub entries: Vec<Recorded>,
    /// The same entries, decoded, and opened as far as there are keys.
    pub decoded: Vec<Entry>,
    pub verified: Verified,
}

impl WholeMatch {
    /// Makes it a match of another platform. Digests cover the platform, so they change; without a
    /// seed they cannot be computed, nor can the match be imported.
    pub fn move_to(&mut self, platform: &str) {
        platform.clone_into(&mut self.row.platform);
        let options: BTreeMap<String, String> =
            serde_json::from_str(&self.row.options).expect("they were written from a map");
        let Some(seed) = self.seed else { return };
        let mut digests = Chain::new(self.row.creation(), &options, &seed);
        for (recorded, entry) in self.entries.iter_mut().zip(&self.decoded) {
            recorded.digest = Some(digests.next(recorded.digested(entry.seat.map(u8::from))));
        }
    }
}

/// The next match of an archive; none at its end. Fails at the first error.
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
        let verifier = Verifier::new(game, row.creation(), head.options, seed)?;
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

    /// What is wrong with a file that has no more lines.
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

fn row_of(head: &MatchLine) -> Result<MatchRow, String> {
    if !head.players.is_sorted_by(|one, next| one.seat < next.seat) {
        return Err("its seats are not in order".to_owned());
    }
    let seated = head.players.iter().map(|line| seat_of(line, head.seats));
    // Without it, a retry of the request that created the match is refused as another request.
    let request_digest = head.request_digest.as_deref().map(unhex).transpose()?.unwrap_or_default();
    Ok(MatchRow {
        match_id: match_id(&head.name)?,
        platform: head.platform.clone(),
        game: head.game.clone(),
        seats: head.seats.into(),
        options: serde_json::to_string(&head.options).expect("text is JSON"),
        request_digest,
        seed_commitment: bytes::<32>(&head.seed_commitment)?.to_vec(),
        reveal_wait_s: head.reveal_wait_s,
        follows: head.follows.as_ref().map(|line| follows_of(line, head.seats)).transpose()?,
        next: None,
        is_in_lobby: false,
        create_time: time(&head.create_time)?,
        seated: seated.collect::<Result<_, _>>()?,
        last: None,
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

/// The match of a name, in the one way in which it is written.
pub(crate) fn match_id(name: &str) -> Result<MatchId, String> {
    let id = name.strip_prefix("matches/").and_then(|id| Uuid::try_parse(id).ok()).map(MatchId);
    id.filter(|id| id.name() == name).ok_or_else(|| format!("{name:?} is not the name of a match"))
}

fn follows_of(line: &FollowsLine, seats: u8) -> Result<Follows, String> {
    if line.wins.len() != usize::from(seats) {
        return Err(format!("the wins of {} seats are given for {seats}", line.wins.len()));
    }
    let played = line.wins.iter().try_fold(0, |sum: i32, wins| sum.checked_add(*wins));
    let is_possible = line.wins.iter().all(|wins| *wins >= 0)
        && played.is_some_and(|played| played < line.number)
        && line.best_of.is_none_or(|best_of| best_of > 0);
    if !is_possible {
        return Err("the numbers of its series contradict each other".to_owned());
    }
    Ok(Follows {
        previous: match_id(&line.previous)?,
        number: line.number,
        wins: line.wins.clone(),
        best_of: line.best_of,
    })
}

fn former_of(line: &PastPlayerLine) -> Result<FormerPlayer, String> {
    Ok(FormerPlayer {
        until: Position(line.until),
        player: line.player.clone(),
        display_name: line.display_name.clone(),
        speech_key: line.speech_key.as_deref().map(bytes::<32>).transpose()?.map(SpeechKey),
        is_erased: line.erased,
    })
}

fn seat_of(line: &SeatLine, seats: u8) -> Result<SeatRow, String> {
    if line.seat >= seats {
        return Err(format!("the match has no seat {}", line.seat));
    }
    Ok(SeatRow {
        seat: line.seat.into(),
        player: line.player.clone(),
        display_name: line.display_name.clone(),
        request_id: line.request_id.clone(),
        create_time: time(&line.create_time)?,
        speech_key: line.speech_key.as_deref().map(bytes::<32>).transpose()?.map(SpeechKey),
        is_erased: line.erased,
        before: line.before.iter().map(former_of).collect::<Result<_, _>>()?,
    })
}

/// A time to the microsecond, which is as fine as digests cover it.
pub(crate) fn time(text: &str) -> Result<OffsetDateTime, String> {
    let time = OffsetDateTime::parse(text, &Rfc3339).ok();
    let time = time.filter(|time| time.nanosecond() % 1000 == 0);
    time.ok_or_else(|| format!("{text:?} is not a time to the microsecond"))
}

pub(crate) fn bytes<const N: usize>(text: &str) -> Result<[u8; N], String> {
    unhex(text)?.try_into().map_err(|_| format!("{text:?} does not have {N} bytes"))
}

/// The bytes behind hexadecimal digits.
pub fn unhex(text: &str) -> Result<Vec<u8>, String> {
    let digit = |it: u8| char::from(it).to_digit(16);
    let bytes = text.as_bytes().chunks(2).map(|pair| match *pair {
        [high, low] => Some((digit(high)? * 16 + digit(low)?) as u8),
        _ => None,
    });
    bytes.collect::<Option<_>>().ok_or_else(|| format!("{text:?} is not hexadecimal"))
}
