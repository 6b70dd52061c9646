//! The lines of a file of records and their checks.

use std::io::{self, BufRead, Write};

use serde::{Deserialize, Serialize};

use crate::creation::MatchLine;

/// The version of the format that is written, and the only one so far.
pub const VERSION: u32 = 1;

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
    /// In hexadecimal; absent if it was recorded before digests existed.
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
    pub problem: String,
}

const CHECK_DIGITS: usize = 16;
const CHECK_BEFORE: &str = ",\"check\":\"";
const CHECK_AFTER: &str = "\"}";

/// The running check: each line's check depends on that of the line before.
#[derive(Default)]
struct Chain(String);

impl Chain {
    /// The check of a line, given the line without it.
    fn next(&mut self, bare: &str, starts_chain: bool) -> &str {
        let mut hash = blake3::Hasher::new();
        if !starts_chain {
            hash.update(self.0.as_bytes());
        }
        hash.update(bare.as_bytes());
        let hex = hash.finalize().to_hex();
        self.0.clear();
        self.0.push_str(&hex[..CHECK_DIGITS]);
        &self.0
    }
}

/// Parses lines and verifies their checks.
#[derive(Default)]
pub struct Checks {
    chain: Chain,
    /// The line without its check.
    bare: String,
}

impl Checks {
    /// The next line, given without its line feed.
    pub fn parse(&mut self, text: &str) -> Result<Line, String> {
        let parts = text.strip_suffix(CHECK_AFTER).and_then(|text| {
            let (text, check) = text.split_at_checked(text.len().checked_sub(CHECK_DIGITS)?)?;
            Some((text.strip_suffix(CHECK_BEFORE)?, check))
        });
        let Some((open, check)) = parts else {
            return Err("it has no check, so it is not a line of a file of records".to_owned());
        };
        self.bare.clear();
        self.bare.push_str(open);
        self.bare.push('}');
        let line = serde_json::from_str::<Line>(&self.bare);
        let starts_chain = line.as_ref().is_ok_and(Line::starts_chain);
        if self.chain.next(&self.bare, starts_chain) != check {
            return Err("its check is wrong: the line was altered, or lines before it are missing"
                .to_owned());
        }
        line.map_err(|error| format!("it cannot be parsed: {error}"))
    }
}

impl Header {
    /// Why a file with this header cannot be read.
    pub(crate) fn unknown(&self) -> String {
        format!("the file has version {}; this program knows version {VERSION}", self.version)
    }
}

/// Errors of a file as a whole.
pub(crate) const CUT_OFF: &str = "the file was cut off in the middle of this line";
pub(crate) const NO_HEADER: &str = "it is not a file of records: its first line is not a header";
pub(crate) const EMPTY: &str = "the file is empty";

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
        let check = self.chain.next(&bare, line.starts_chain());
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
    buffer: String,
}

impl<R: BufRead> Reader<R> {
    /// Reads the first line, which identifies the file as one of records.
    pub fn new(input: R) -> Result<Reader<R>, LineError> {
        let (checks, buffer) = (Checks::default(), String::new());
        let mut reader = Reader { input, checks, line: 0, bytes: 0, is_cut_off: false, buffer };
        match reader.read()? {
            Some(Line::Croupier(Header { version: VERSION })) => Ok(reader),
            Some(Line::Croupier(header)) => Err(reader.error(header.unknown())),
            Some(_) => Err(reader.error(NO_HEADER)),
            None => Err(LineError { line: 1, problem: EMPTY.to_owned() }),
        }
    }

    /// The next line; `None` at the end.
    pub fn read(&mut self) -> Result<Option<Line>, LineError> {
        self.line += 1;
        self.buffer.clear();
        let read = self.input.read_line(&mut self.buffer);
        let count = read.map_err(|error| self.error(format!("it cannot be read: {error}")))?;
        if count == 0 {
            self.line -= 1;
            return Ok(None);
        }
        let Some(text) = self.buffer.strip_suffix('\n') else {
            self.is_cut_off = true;
            return Err(self.error(CUT_OFF));
        };
        let line = self.checks.parse(text).map_err(|problem| self.error(problem))?;
        self.bytes += count as u64;
        Ok(Some(line))
    }

    pub fn error(&self, problem: impl Into<String>) -> LineError {
        LineError { line: self.line, problem: problem.into() }
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
}
