//! Reads whole, verified matches from the lines of a file of records.

use std::any::Any;
use std::io::BufRead;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use games::Game;
use positions::{Digest, Position, Recorded};
use rows::{MatchId, MatchRow, speech_keys_of};
use table::{Entry, Event, SpeechKeys};

use crate::blocks::Block;
use crate::code::{Code, Problem, ensure};
use crate::creation::{Creation, MatchLine, row_of};
use crate::digest::{Chain, Digested};
use crate::line::{Checks, EntryLine, Line, LineError, MATCH_BYTES_MAX, Reader, begins};
use crate::text::{bytes, time};
use crate::verified::Verified;
use crate::verify::{VerifiedEntry, Verifier};

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

    /// Why it is not proven, each with the position from which on; empty if it is.
    pub fn gaps(&self) -> Vec<(Option<i64>, Problem)> {
        self.verified.gaps()
    }
}

/// The next match of a file; `None` at its end. Fails at the first error.
pub fn read_match(reader: &mut Reader<impl BufRead>) -> Result<Option<WholeMatch>, LineError> {
    let mut gathered = loop {
        match reader.read()? {
            None => return Ok(None),
            Some(Line::Croupier(_)) => {}
            Some(line) => {
                let begun = Reading::begin(line).and_then(Gathered::new);
                break begun.map_err(|problem| reader.error(problem))?;
            }
        }
    };
    let begin = reader.bytes;
    loop {
        let Some(line) = reader.read()? else {
            let problem = gathered.reading.cut_off();
            return Err(LineError { line: reader.line + 1, problem });
        };
        ensure(reader.bytes - begin <= MATCH_BYTES_MAX as u64, Code::TooLarge, || {
            format!("{} has more than {} MB", gathered.reading.name, MATCH_BYTES_MAX >> 20)
        })
        .map_err(|problem| reader.error(problem))?;
        match gathered.take(line).map_err(|problem| reader.error(problem))? {
            ControlFlow::Continue(()) => {}
            ControlFlow::Break(()) => return Ok(Some(gathered.finish())),
        }
    }
}

/// The match of a block, or the first error in it: the name of the match, as far as it is known,
/// the line, the position and the problem.
pub fn read_block(block: &Block) -> Result<WholeMatch, Misread> {
    let (mut checks, mut gathered, mut last) = (Checks::default(), None::<Gathered>, block.line);
    for (line, text) in block.lines() {
        last = line;
        let taken = match &mut gathered {
            Some(gathered) => {
                text.and_then(|text| checks.parse(text)).and_then(|line| gathered.take(line))
            }
            None => {
                let begun = text.and_then(|text| begin(&mut checks, text));
                begun.and_then(Gathered::new).map(|begun| {
                    gathered = Some(begun);
                    ControlFlow::Continue(())
                })
            }
        };
        match (taken, gathered) {
            (Ok(ControlFlow::Break(())), Some(gathered)) => return Ok(gathered.finish()),
            (Ok(_), again) => gathered = again,
            (Err(problem), gathered) => return Err(Misread::at(line, gathered, problem)),
        }
    }
    let cut_off = || gathered.as_ref().map_or_else(no_match, |it| it.reading.cut_off());
    let problem = block.too_large().unwrap_or_else(cut_off);
    Err(Misread::at(last + 1, gathered, problem))
}

/// Why a match of a file was not read.
#[derive(Debug, thiserror::Error)]
pub struct Misread {
    /// `matches/{match}`; empty if the lines do not name it.
    pub name: String,
    pub line: usize,
    pub position: Option<i64>,
    pub problem: Problem,
}

impl std::fmt::Display for Misread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.name.is_empty() {
            write!(f, "{}, ", self.name)?;
        }
        if let Some(position) = self.position {
            write!(f, "position {position}, ")?;
        }
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl Misread {
    fn at(line: usize, gathered: Option<Gathered>, problem: Problem) -> Misread {
        let (name, position) = match gathered {
            Some(it) => {
                let position = it.reading.verified().entries + 1;
                (it.reading.name, Some(position))
            }
            None => (String::new(), None),
        };
        Misread { name, line, position, problem }
    }
}

/// The entries of a match that is read.
struct Gathered {
    reading: Reading,
    game: &'static dyn Game,
    entries: Vec<Recorded>,
    decoded: Vec<Entry>,
}

impl Gathered {
    fn new(reading: Reading) -> Result<Gathered, Problem> {
        let MatchRow { game: name, terms, .. } = &reading.row;
        let game = games::rules_of(name, terms.module()).ok_or_else(|| {
            let reason = match terms.module() {
                None => format!("this program does not know the game {name:?}"),
                Some(module) => format!("the module {module} of the game {name:?} is not here"),
            };
            Code::GameUnknown.because(reason)
        })?;
        Ok(Gathered { reading, game, entries: Vec::new(), decoded: Vec::new() })
    }

    fn take(&mut self, line: Line) -> Result<ControlFlow<()>, Problem> {
        let ControlFlow::Continue((recorded, entry)) = self.reading.take(line)? else {
            return Ok(ControlFlow::Break(()));
        };
        let Some(entry) = entry else {
            let reason = "this release cannot read it: later rules decided it";
            return Err(Code::RulesUnknown.because(reason));
        };
        self.entries.push(recorded);
        self.decoded.push(entry);
        Ok(ControlFlow::Continue(()))
    }

    fn finish(self) -> WholeMatch {
        let Gathered { reading, game, entries, decoded } = self;
        let Reading { row, seed, verifier, .. } = reading;
        WholeMatch { row, game, seed, entries, decoded, verified: verifier.finish() }
    }
}

// === Line by line ===

pub(crate) fn no_match() -> Problem {
    let reason = "it belongs to no match: the line of its match is missing or was altered";
    Code::LineMisplaced.because(reason)
}

/// Begins a match. A line that begins none depends on lines that are not here, so nothing about it
/// is checked.
pub(crate) fn begin(checks: &mut Checks, line: &[u8]) -> Result<Reading, Problem> {
    if !line.starts_with(begins::MATCH) {
        return Err(no_match());
    }
    Reading::begin(checks.parse(line)?)
}

/// One match that is read line by line.
pub(crate) struct Reading {
    pub(crate) name: String,
    row: MatchRow,
    seed: Option<[u8; 32]>,
    /// Whether the record has the seed as that of a match that has ended.
    is_revealed: bool,
    speech_keys: SpeechKeys,
    /// How many keys were tried on messages, at most.
    tried: usize,
    verifier: Verifier,
}

/// The most keys that are tried on the messages of a match: some seconds' work. A match has a few
/// players, and each message is opened with the keys of its seat's.
const TRIED_MAX: usize = 5_000_000;

impl Reading {
    /// Begins with the line of a match.
    pub(crate) fn begin(line: Line) -> Result<Reading, Problem> {
        let Line::Match(head) = line else { return Err(no_match()) };
        let MatchLine { name, game, seed, secret_seed, .. } = &*head;
        ensure(seed.is_none() || secret_seed.is_none(), Code::LineInvalid, || {
            "it has its seed twice".to_owned()
        })?;
        let is_revealed = seed.is_some();
        let seed = seed.as_ref().or(secret_seed.as_ref());
        let seed = seed.map(|it| bytes::<32>(it)).transpose()?;
        let row = row_of(&head)?;
        let rules = games::rules_of(game, row.terms.module());
        let verifier = Verifier::new(rules, Creation::from(&row), &row.seated, seed)?;
        let (name, speech_keys) = (name.clone(), speech_keys_of(&row));
        Ok(Reading { name, row, seed, is_revealed, speech_keys, tried: 0, verifier })
    }

    pub(crate) fn match_id(&self) -> MatchId {
        self.row.match_id
    }

    pub(crate) fn verified(&self) -> &Verified {
        self.verifier.verified()
    }

    /// Verifies the next line. Breaks at the end of the match. The entry is `None` if this release
    /// cannot read it.
    pub(crate) fn take(
        &mut self,
        line: Line,
    ) -> Result<ControlFlow<(), (Recorded, Option<Entry>)>, Problem> {
        match line {
            Line::Entry(line) => self.entry(&line).map(ControlFlow::Continue),
            Line::End(end) => {
                ensure(end.name == self.name, Code::EndWrong, || {
                    format!("it ends another match than {}", self.name)
                })?;
                let count = self.verified().entries;
                ensure(i64::try_from(end.entries) == Ok(count), Code::EndWrong, || {
                    format!("the match has {count} entries, not {}", end.entries)
                })?;
                self.check_end().map(ControlFlow::Break)
            }
            Line::Croupier(_) | Line::Match(_) => {
                let reason = format!("it is within {}, which has no end", self.name);
                Err(Code::LineMisplaced.because(reason))
            }
        }
    }

    fn entry(&mut self, line: &EntryLine) -> Result<(Recorded, Option<Entry>), Problem> {
        let mut recorded = recorded(line)?;
        let stated = (line.seat.map(u64::from), line.verb.as_str());
        let next = AssertUnwindSafe(|| self.verifier.next(&recorded, Some(stated)));
        let VerifiedEntry { mut entry, digest } =
            catch_unwind(next).unwrap_or_else(|panic| Err(failed(&*panic)))?;
        if let Some(entry) = &mut entry {
            self.open(line.position, entry)?;
        }
        recorded.digest = digest;
        Ok((recorded, entry))
    }

    /// Opens the messages of an entry, as far as there are keys.
    fn open(&mut self, position: i64, entry: &mut Entry) -> Result<(), Problem> {
        let keys = self.row.seated.iter().map(|it| 1 + it.before.len()).max().unwrap_or_default();
        let said = entry.events.iter().filter(|it| matches!(it, Event::Said { .. })).count();
        self.tried += said * keys;
        ensure(self.tried <= TRIED_MAX, Code::TooLarge, || {
            "it has too many messages for its number of former players".to_owned()
        })?;
        let opened = entry.open(position, &self.speech_keys);
        opened.map_err(|error| Code::BodyInvalid.because(error.to_string()))
    }

    /// A match has its revealed seed if and only if it has ended, and every player took a seat with
    /// an entry.
    fn check_end(&self) -> Result<(), Problem> {
        let is_over = self.verified().is_over;
        ensure(is_over || !self.is_revealed, Code::EndMissing, || {
            "the match has its seed, which is told at the end, but no end".to_owned()
        })?;
        ensure(self.is_revealed || !is_over, Code::SeedMissing, || {
            "the match has ended, and its seed is not in the record".to_owned()
        })?;
        self.verifier.check_end()
    }

    /// The error of a file that ends within a match.
    pub(crate) fn cut_off(&self) -> Problem {
        Code::MatchCut.because(format!("the file was cut off within {}", self.name))
    }
}

/// The error of a panic of this program.
pub(crate) fn failed(panic: &(dyn Any + Send)) -> Problem {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
    Code::ProgramFailed.because(format!("this program failed on it: {text}"))
}

fn recorded(line: &EntryLine) -> Result<Recorded, Problem> {
    let body = BASE64_STANDARD.decode(&line.body);
    let body = body
        .map_err(|error| Code::LineInvalid.because(format!("its body is not base64: {error}")))?;
    Ok(Recorded {
        position: Position(line.position),
        bucket_position: 0,
        request_id: line.request_id.clone(),
        create_time: time(&line.create_time)?,
        body: body.into(),
        digest: line.digest.as_deref().map(bytes::<32>).transpose()?.map(Digest::from),
    })
}
