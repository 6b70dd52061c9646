//! Splitting a file of records into its matches without parsing them, so that they can be verified
//! on several processors.

use std::io::{self, BufRead, Read};

use crate::line::{CUT_OFF, Checks, EMPTY, Header, Line, LineError, NO_HEADER, VERSION};

/// The lines of one match, or lines that belong to none.
pub struct Block {
    /// The number of the first line, counted from 1.
    pub line: usize,
    pub bytes: Vec<u8>,
    /// Whether the match is larger than [`BLOCK_MAX`], and the rest of it was left out.
    pub is_cut: bool,
}

/// The largest match that is verified: some hundred thousand entries. It bounds the memory that a
/// file can make this program use.
pub const BLOCK_MAX: usize = 256 << 20;

const CROUPIER: &[u8] = b"{\"croupier\":";
const MATCH: &[u8] = b"{\"match\":";
const END: &[u8] = b"{\"end\":";

/// Reads blocks.
pub struct Blocks<R> {
    input: R,
    /// The number of the last line read.
    line: usize,
    /// A line that was read and begins the next block.
    next: Vec<u8>,
}

impl<R: BufRead> Blocks<R> {
    /// Reads the first line, which identifies the file as one of records.
    pub fn new(input: R) -> Result<Blocks<R>, LineError> {
        let mut blocks = Blocks { input, line: 0, next: Vec::new() };
        let mut header = Vec::new();
        blocks.read_line(&mut header)?;
        blocks.check_header(&header)?;
        Ok(blocks)
    }

    /// The next block; `None` at the end of the file. Fails if the file cannot be read, or if a
    /// file of another version begins in the middle of it.
    pub fn read(&mut self) -> Result<Option<Block>, LineError> {
        let mut bytes = std::mem::take(&mut self.next);
        let mut first = self.line;
        let (mut is_cut, mut begun) = (false, !bytes.is_empty());
        loop {
            let from = bytes.len();
            let is_all = self.read_line(&mut bytes)?;
            let line = &bytes[from..];
            if line.is_empty() {
                return Ok(begun.then_some(Block { line: first, bytes, is_cut }));
            }
            if line.starts_with(CROUPIER) && !begun {
                self.check_header(line)?;
                bytes.clear();
                continue;
            }
            if line.starts_with(MATCH) && begun {
                self.next = bytes.split_off(from);
                return Ok(Some(Block { line: first, bytes, is_cut }));
            }
            if !begun {
                (first, begun) = (self.line, true);
            }
            let is_end = line.starts_with(END);
            if is_cut || !is_all || bytes.len() > BLOCK_MAX {
                is_cut = true;
                bytes.truncate(from);
            }
            if is_end {
                return Ok(Some(Block { line: first, bytes, is_cut }));
            }
        }
    }

    /// Adds the next line, with its line feed; nothing at the end of the file. If the line is
    /// longer than any of a record, it adds only the start and returns false.
    fn read_line(&mut self, bytes: &mut Vec<u8>) -> Result<bool, LineError> {
        let from = bytes.len();
        let failed = |line, error: io::Error| LineError {
            line,
            problem: format!("it cannot be read: {error}"),
        };
        let most = BLOCK_MAX as u64;
        let read = (&mut self.input).take(most).read_until(b'\n', bytes);
        read.map_err(|error| failed(self.line + 1, error))?;
        if bytes.len() > from {
            self.line += 1;
        }
        if bytes.len() - from < BLOCK_MAX || bytes.ends_with(b"\n") {
            return Ok(true);
        }
        self.input.skip_until(b'\n').map_err(|error| failed(self.line, error))?;
        Ok(false)
    }

    fn check_header(&self, line: &[u8]) -> Result<(), LineError> {
        let error = |problem: &str| LineError { line: self.line.max(1), problem: problem.into() };
        if line.is_empty() {
            return Err(error(EMPTY));
        }
        let line = line.strip_suffix(b"\n").ok_or_else(|| error(CUT_OFF))?;
        match Checks::default().parse(text(line).map_err(|problem| error(&problem))?) {
            Ok(Line::Croupier(Header { version: VERSION })) => Ok(()),
            Ok(Line::Croupier(header)) => Err(error(&header.unknown())),
            Ok(Line::Match(_) | Line::Entry(_) | Line::End(_)) => Err(error(NO_HEADER)),
            Err(problem) => Err(error(&problem)),
        }
    }
}

impl Block {
    /// The lines, without their line feeds, each with its number. A last line without a line feed
    /// is an error.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, Result<&str, String>)> {
        let lines = self.bytes.split_inclusive(|&byte| byte == b'\n');
        (self.line..).zip(
            lines.map(|line| {
                line.strip_suffix(b"\n").ok_or_else(|| CUT_OFF.to_owned()).and_then(text)
            }),
        )
    }
}

fn text(line: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(line).map_err(|_| "it is not UTF-8".to_owned())
}
