//! The lines of a file of records and their checks.

use std::io::{self, BufRead, Read, Write};

use serde::{Deserialize, Serialize};

use crate::code::{Code, Problem, ensure};
use crate::creation::MatchLine;
use crate::plain::check_plain;

/// The version of the format that is written, and the only one so far.
pub const VERSION: u32 = 1;

/// The largest line, with its line feed. The longest lines are those of matches with many former
/// players; an entry has some hundred bytes.
pub const LINE_BYTES_MAX: usize = 1 << 20;

/// The largest match that is verified: its lines together, with their line feeds. It bounds the
/// memory that a file can make this program use.
pub const MATCH_BYTES_MAX: usize = 64 << 20;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Line {
    Croupier(Header),
    Match(Box<MatchLine>),
    Entry(EntryLine),
    End(EndLine),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    pub version: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EntryLine {
    pub position: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    pub verb: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    pub create_time: String,
    pub body: String,
    /// In hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EndLine {
    pub name: String,
    pub entries: usize,
}

/// An error in a file of records, with its line.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct LineError {
    /// Counted from 1.
    pub line: usize,
    pub problem: Problem,
}

const CHECK_DIGITS: usize = 16;
const CHECK_BEFORE: &str = ",\"check\":\"";
const CHECK_AFTER: &str = "\"}";

/// The running check: each line's check depends on that of the line before.
#[derive(Default)]
struct Chain(String);

impl Chain {
    /// The check of a line, given the line without it.
    fn next(&mut self, bare: &[u8], starts_chain: bool) -> &str {
        let mut hash = blake3::Hasher::new();
        if !starts_chain {
            hash.update(self.0.as_bytes());
        }
        hash.update(bare);
        let hex = hash.finalize().to_hex();
        self.0.clear();
        self.0.push_str(&hex[..CHECK_DIGITS]);
        &self.0
    }
}

/// The beginnings of lines. They tell the kind of a line before it is parsed.
pub(crate) mod begins {
    pub const CROUPIER: &[u8] = b"{\"croupier\":";
    pub const VERSION: &[u8] = b"{\"croupier\":{\"version\":";
    pub const MATCH: &[u8] = b"{\"match\":";
    pub const ENTRY: &[u8] = b"{\"entry\":";
    pub const END: &[u8] = b"{\"end\":";
}

/// Parses lines and verifies their checks.
#[derive(Default)]
pub(crate) struct Checks {
    chain: Chain,
    /// The line without its check.
    bare: Vec<u8>,
}

impl Checks {
    /// The next line, given without its line feed.
    pub(crate) fn parse(&mut self, line: &[u8]) -> Result<Line, Problem> {
        let parts = line.strip_suffix(CHECK_AFTER.as_bytes()).and_then(|line| {
            let (line, check) = line.split_at_checked(line.len().checked_sub(CHECK_DIGITS)?)?;
            Some((line.strip_suffix(CHECK_BEFORE.as_bytes())?, check))
        });
        let (open, check) = parts.ok_or_else(|| {
            Code::CheckMissing.because("it has no check, so it is not a line of a file of records")
        })?;
        self.bare.clear();
        self.bare.extend_from_slice(open);
        self.bare.push(b'}');
        let begins = |kinds: &[&[u8]]| kinds.iter().any(|kind| open.starts_with(kind));
        let starts_chain = begins(&[begins::CROUPIER, begins::MATCH]);
        ensure(
            self.chain.next(&self.bare, starts_chain).as_bytes() == check,
            Code::CheckWrong,
            || {
                "its check is wrong: the line was altered, or lines before it are missing"
                    .to_owned()
            },
        )?;
        let invalid = |reason: String| Code::LineInvalid.because(reason);
        let text = std::str::from_utf8(&self.bare).map_err(|_| invalid(NOT_UTF_8.to_owned()))?;
        ensure(starts_chain || begins(&[begins::ENTRY, begins::END]), Code::LineInvalid, || {
            "it is of no kind that a file of records has".to_owned()
        })?;
        check_plain(text)?;
        serde_json::from_str(text).map_err(|error| invalid(format!("it cannot be parsed: {error}")))
    }
}

/// Checks the first line of a file, or a header between two matches, with its line feed. The
/// version comes first, so that a later version may change everything else.
pub(crate) fn check_header(line: &[u8]) -> Result<(), Problem> {
    let rest = line.strip_prefix(begins::VERSION);
    let rest = rest.ok_or_else(|| Code::NotARecord.because(NO_HEADER))?;
    let line = line.strip_suffix(b"\n").ok_or_else(cut_off)?;
    let digits = rest.iter().take_while(|it| it.is_ascii_digit()).count();
    let version = std::str::from_utf8(&rest[..digits]).expect("digits are ASCII");
    ensure(!version.is_empty(), Code::NotARecord, || NO_HEADER.to_owned())?;
    ensure(version == VERSION.to_string(), Code::VersionUnknown, || {
        format!("the file has version {version}; this program knows version {VERSION}")
    })?;
    Checks::default().parse(line).map(drop)
}

/// Reads the next line, with its line feed; nothing at the end of the input. Of a line that is too
/// long it adds only the beginning, and returns false.
pub(crate) fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    input.take(LINE_BYTES_MAX as u64).read_until(b'\n', line)?;
    if line.ends_with(b"\n") {
        return Ok(true);
    }
    // The input may end here, also in the middle of a line.
    let is_cut = input.fill_buf()?.is_empty();
    if !is_cut {
        input.skip_until(b'\n')?;
    }
    Ok(is_cut)
}

// Errors of a file as a whole.
const NOT_UTF_8: &str = "it is not UTF-8";
const NO_HEADER: &str = "it is not a file of records: its first line is not a header";

pub(crate) fn cut_off() -> Problem {
    Code::LineCut.because("the file was cut off in the middle of this line")
}

pub(crate) fn too_long() -> Problem {
    Code::LineTooLong.because(format!("it has more than {LINE_BYTES_MAX} bytes"))
}

pub(crate) fn empty() -> Problem {
    Code::Empty.because("the file is empty")
}

pub(crate) fn unreadable(error: &io::Error) -> Problem {
    Code::Unreadable.because(format!("it cannot be read: {error}"))
}

impl Line {
    fn starts_chain(&self) -> bool {
        matches!(self, Line::Croupier(_) | Line::Match(_))
    }
}

/// Writes lines with their checks.
pub struct Writer<W> {
    output: W,
    chain: Chain,
}

impl<W: Write> Writer<W> {
    pub fn new(output: W) -> Writer<W> {
        Writer { output, chain: Chain::default() }
    }

    pub fn write(&mut self, line: &Line) -> io::Result<()> {
        let bare = serde_json::to_string(line)?;
        let check = self.chain.next(bare.as_bytes(), line.starts_chain());
        let open = &bare[..bare.len() - 1];
        writeln!(self.output, "{open}{CHECK_BEFORE}{check}{CHECK_AFTER}")
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }

    pub fn into_output(self) -> W {
        self.output
    }
}

impl Writer<Vec<u8>> {
    /// The lines written since the last call, without line feeds.
    pub fn take_lines(&mut self) -> Vec<String> {
        let text = String::from_utf8(std::mem::take(&mut self.output)).expect("JSON is UTF-8");
        text.lines().map(str::to_owned).collect()
    }
}

/// Reads lines and verifies their checks.
pub struct Reader<R> {
    input: R,
    checks: Checks,
    /// The number of the last line read, counted from 1.
    pub line: usize,
    /// The length of the lines read so far, in bytes.
    pub bytes: u64,
    /// Whether the last line is incomplete, as after an interrupted write.
    pub is_cut_off: bool,
    buffer: Vec<u8>,
}

impl<R: BufRead> Reader<R> {
    /// Reads the first line, which identifies the file as one of records.
    pub fn new(input: R) -> Result<Reader<R>, LineError> {
        let (checks, buffer) = (Checks::default(), Vec::new());
        let mut reader = Reader { input, checks, line: 0, bytes: 0, is_cut_off: false, buffer };
        match reader.read()? {
            Some(_) => Ok(reader),
            None => Err(LineError { line: 1, problem: empty() }),
        }
    }

    /// The next line; `None` at the end.
    pub fn read(&mut self) -> Result<Option<Line>, LineError> {
        self.line += 1;
        self.buffer.clear();
        let read = read_line(&mut self.input, &mut self.buffer);
        let is_whole = read.map_err(|error| self.error(unreadable(&error)))?;
        if self.buffer.is_empty() {
            self.line -= 1;
            return Ok(None);
        }
        if !is_whole {
            return Err(self.error(too_long()));
        }
        self.is_cut_off = !self.buffer.ends_with(b"\n");
        if self.line == 1 || self.buffer.starts_with(begins::CROUPIER) {
            check_header(&self.buffer).map_err(|problem| self.error(problem))?;
        }
        let line = self.buffer.strip_suffix(b"\n").ok_or_else(|| self.error(cut_off()))?;
        let line = self.checks.parse(line).map_err(|problem| self.error(problem))?;
        self.bytes += self.buffer.len() as u64;
        Ok(Some(line))
    }

    pub(crate) fn error(&self, problem: Problem) -> LineError {
        LineError { line: self.line, problem }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines() -> Vec<Line> {
        let name = "matches/7";
        let entry = |position| {
            Line::Entry(EntryLine {
                position,
                seat: None,
                verb: "open".to_owned(),
                request_id: None,
                create_time: "2026-01-01T00:00:00Z".to_owned(),
                body: "AA==".to_owned(),
                digest: Some("00".repeat(32)),
            })
        };
        let end = |entries| Line::End(EndLine { name: name.to_owned(), entries });
        vec![Line::Croupier(Header { version: VERSION }), entry(1), entry(2), entry(3), end(3)]
    }

    fn written() -> String {
        let mut writer = Writer::new(Vec::new());
        lines().iter().for_each(|line| writer.write(line).expect("a vector can be written"));
        String::from_utf8(writer.output).expect("JSON is text")
    }

    fn read(text: &str) -> Result<Vec<Line>, LineError> {
        let mut reader = Reader::new(text.as_bytes())?;
        let mut lines = vec![Line::Croupier(Header { version: VERSION })];
        while let Some(line) = reader.read()? {
            lines.push(line);
        }
        Ok(lines)
    }

    #[test]
    fn lines_are_read_back_as_they_were_written() {
        assert_eq!(read(&written()).expect("they are valid"), lines());
    }

    #[test]
    fn every_altered_byte_is_detected_at_its_line() {
        let text = written();
        for at in 0..text.len() {
            let mut altered = text.clone().into_bytes();
            altered[at] = if altered[at] == b'x' { b'y' } else { b'x' };
            let altered = String::from_utf8(altered).expect("ASCII");
            let line = text[..at].lines().count().max(1) + usize::from(text[..at].ends_with('\n'));
            let error = read(&altered).expect_err("it was altered");
            assert_eq!(error.line, line, "altered at {at}: {error}");
        }
    }

    #[test]
    fn a_lost_line_is_detected_at_the_next() {
        let text: Vec<String> = written().lines().map(|line| format!("{line}\n")).collect();
        for lost in 1..text.len() - 1 {
            let rest: String = text[..lost].iter().chain(&text[lost + 1..]).cloned().collect();
            assert_eq!(read(&rest).expect_err("one is lost").line, lost + 1);
        }
    }

    #[test]
    fn the_first_line_is_a_header_of_this_version() {
        let problem = |text: &str| read(text).expect_err("it is refused").problem.code;
        let text = written();
        let (header, rest) = text.split_once('\n').expect("lines");
        let mut writer = Writer::new(Vec::new());
        let end = Line::End(EndLine { name: "matches/7".to_owned(), entries: 0 });
        writer.write(&end).expect("memory");
        let headless = String::from_utf8(writer.output).expect("JSON is text");
        assert_eq!(problem(&headless), Code::NotARecord);
        let later = header.replace("\"version\":1", "\"version\":2");
        assert_eq!(problem(&format!("{later}\n{rest}")), Code::VersionUnknown);
        assert_eq!(problem(&format!("{header}\n{later}\n{rest}")), Code::VersionUnknown);
    }

    #[test]
    fn a_line_that_was_cut_off_is_told_from_a_wrong_one() {
        let is_cut_off = |text: &str| {
            let mut reader = Reader::new(text.as_bytes()).expect("a header");
            while let Ok(Some(_)) = reader.read() {}
            reader.is_cut_off
        };
        let text = written();
        assert!(!is_cut_off(&text));
        assert!(is_cut_off(&text[..text.len() - 1]));
        assert!(is_cut_off(&text[..text.len() - 9]));
        assert!(!is_cut_off(&text.replace("open", "shut")));
    }
}
