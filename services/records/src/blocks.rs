//! Splitting a file of records into its matches without parsing them, so that they can be verified
//! on several processors.

use std::io::BufRead;

use crate::code::{Code, Problem};
use crate::line::{
    LINE_BYTES_MAX, LineError, MATCH_BYTES_MAX, begins, check_header, cut_off, empty, read_line,
    too_long, unreadable,
};

/// The lines of one match, or lines that belong to none.
pub struct Block {
    /// The number of the first line, counted from 1.
    pub line: usize,
    pub bytes: Vec<u8>,
    /// Why the rest of it was left out, if it was.
    pub cut: Option<Cut>,
}

/// Why the rest of a block was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The match is larger than [`MATCH_BYTES_MAX`].
    TooLarge,
    /// The last line is longer than any of a record. The block has its beginning.
    LineTooLong,
}

/// Reads blocks.
pub struct Blocks<R> {
    input: R,
    splitter: Splitter,
    /// The last line that was read.
    line: Vec<u8>,
}

impl<R: BufRead> Blocks<R> {
    /// Reads the first line, which identifies the file as one of records.
    pub fn new(input: R) -> Result<Blocks<R>, LineError> {
        Blocks::of_at_most(MATCH_BYTES_MAX, input)
    }

    fn of_at_most(most: usize, input: R) -> Result<Blocks<R>, LineError> {
        let splitter = Splitter { most, ..Splitter::default() };
        let mut blocks = Blocks { input, splitter, line: Vec::new() };
        let is_whole = blocks.read_line()?;
        if blocks.line.is_empty() {
            return Err(blocks.splitter.error_in_next(empty()));
        }
        blocks.splitter.take(&blocks.line, is_whole)?;
        Ok(blocks)
    }

    /// The next block; `None` at the end of the file. Fails if the file cannot be read, or if a
    /// file of another version begins in the middle of it.
    pub fn read(&mut self) -> Result<Option<Block>, LineError> {
        loop {
            let is_whole = self.read_line()?;
            if self.line.is_empty() {
                return Ok(self.splitter.end());
            }
            if let Some(block) = self.splitter.take(&self.line, is_whole)? {
                return Ok(Some(block));
            }
        }
    }

    /// See [`read_line`].
    fn read_line(&mut self) -> Result<bool, LineError> {
        self.line.clear();
        let read = read_line(&mut self.input, &mut self.line);
        read.map_err(|error| self.splitter.error_in_next(unreadable(&error)))
    }
}

/// Splits a file that arrives in pieces.
#[derive(Default)]
pub struct Pieces {
    splitter: Splitter,
    /// The beginning of a line whose end has not arrived.
    line: Vec<u8>,
    /// Whether more of it has arrived than is kept.
    is_longer: bool,
}

impl Pieces {
    /// Takes the next piece, and passes on each block that is complete with it.
    pub fn take(&mut self, piece: &[u8], mut each: impl FnMut(Block)) -> Result<(), LineError> {
        for part in piece.split_inclusive(|&byte| byte == b'\n') {
            let is_ended = part.ends_with(b"\n");
            let is_at_once = self.line.is_empty() && is_ended && part.len() <= LINE_BYTES_MAX;
            if is_at_once {
                self.splitter.take(part, true)?.map(&mut each);
                continue;
            }
            let room = LINE_BYTES_MAX - self.line.len();
            self.line.extend_from_slice(&part[..part.len().min(room)]);
            self.is_longer |= part.len() > room;
            if is_ended {
                self.next_line()?.map(&mut each);
            }
        }
        Ok(())
    }

    /// Ends the file.
    pub fn end(mut self, mut each: impl FnMut(Block)) -> Result<(), LineError> {
        if !self.line.is_empty() {
            self.next_line()?.map(&mut each);
        }
        if self.splitter.line == 0 {
            return Err(self.splitter.error_in_next(empty()));
        }
        self.splitter.end().map(each);
        Ok(())
    }

    fn next_line(&mut self) -> Result<Option<Block>, LineError> {
        let block = self.splitter.take(&self.line, !self.is_longer);
        self.line.clear();
        self.is_longer = false;
        block
    }
}

/// Puts lines together to blocks.
struct Splitter {
    /// The number of the last line.
    line: usize,
    /// The block to which the last line belongs, unless it completed it.
    open: Option<Block>,
    /// [`MATCH_BYTES_MAX`], and less in tests.
    most: usize,
}

impl Default for Splitter {
    fn default() -> Splitter {
        Splitter { line: 0, open: None, most: MATCH_BYTES_MAX }
    }
}

impl Splitter {
    /// Takes the next line, with its line feed, and returns the block that is complete: the line is
    /// its last one, or begins the next. Of a line that is not whole there is the beginning.
    fn take(&mut self, line: &[u8], is_whole: bool) -> Result<Option<Block>, LineError> {
        self.line += 1;
        let is_between = self.open.is_none() && line.starts_with(begins::CROUPIER);
        if self.line == 1 || is_between {
            let checked = check_header(line);
            return checked.map(|()| None).map_err(|problem| self.error(problem));
        }
        let before = if line.starts_with(begins::MATCH) { self.open.take() } else { None };
        let number = self.line;
        let new = || Block { line: number, bytes: Vec::new(), cut: None };
        let block = self.open.get_or_insert_with(new);
        match block.cut {
            Some(_) => {}
            None if block.bytes.len() + line.len() > self.most => block.cut = Some(Cut::TooLarge),
            None => {
                block.bytes.extend_from_slice(line);
                block.cut = (!is_whole).then_some(Cut::LineTooLong);
            }
        }
        if line.starts_with(begins::END) { Ok(self.open.take()) } else { Ok(before) }
    }

    /// The last block, if nothing completed it.
    fn end(&mut self) -> Option<Block> {
        self.open.take()
    }

    fn error(&self, problem: Problem) -> LineError {
        LineError { line: self.line, problem }
    }

    /// The error of a line that was not read.
    fn error_in_next(&self, problem: Problem) -> LineError {
        LineError { line: self.line + 1, problem }
    }
}

impl Block {
    /// The lines, without their line feeds, each with its number. A last line without a line feed
    /// is an error.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, Result<&[u8], Problem>)> {
        let lines = self.bytes.split_inclusive(|&byte| byte == b'\n');
        (self.line..)
            .zip(lines.map(|line| line.strip_suffix(b"\n").ok_or_else(|| self.incomplete())))
    }

    /// Why the last line has no line feed.
    fn incomplete(&self) -> Problem {
        match self.cut {
            Some(Cut::LineTooLong) => too_long(),
            Some(Cut::TooLarge) | None => cut_off(),
        }
    }

    /// Why the match ends before its last line; `None` if the file ends there.
    pub(crate) fn too_large(&self) -> Option<Problem> {
        (self.cut == Some(Cut::TooLarge)).then(|| {
            let mb = MATCH_BYTES_MAX >> 20;
            let reason = format!("the match has more than {mb} MB, and nothing after is verified");
            Code::TooLarge.because(reason)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{self, Read};

    use crate::{EndLine, Header, Line, VERSION, Writer};

    fn lines(version: u32) -> String {
        let mut writer = Writer::new(Vec::new());
        writer.write(&Line::Croupier(Header { version })).expect("memory");
        String::from_utf8(writer.into_output()).expect("JSON is text")
    }

    /// The header, and then lines that are split without being parsed.
    fn file(rest: &str) -> String {
        lines(VERSION) + rest
    }

    type Found = (usize, String, Option<Cut>);

    /// Read at once and in pieces, which makes no difference.
    fn read(most: usize, text: &str) -> Result<Vec<Found>, LineError> {
        let found_of =
            |Block { line, bytes, cut }| (line, String::from_utf8(bytes).expect("text"), cut);
        let at_once = Blocks::of_at_most(most, text.as_bytes()).and_then(|mut blocks| {
            let mut found = Vec::new();
            while let Some(block) = blocks.read()? {
                found.push(found_of(block));
            }
            Ok(found)
        });
        for length in [7, 1 << 16, LINE_BYTES_MAX, text.len().max(1)] {
            let (splitter, mut found) = (Splitter { most, ..Splitter::default() }, Vec::new());
            let mut pieces = Pieces { splitter, ..Pieces::default() };
            let mut each = |block| found.push(found_of(block));
            let mut read = text.as_bytes().chunks(length).map(|it| pieces.take(it, &mut each));
            let read = read.find(Result::is_err).unwrap_or(Ok(()));
            let ended = read.and_then(|()| pieces.end(each)).map(|()| found);
            let error = |it: &LineError| (it.line, it.problem.clone());
            let in_pieces = ended.as_ref().map_err(error);
            assert_eq!(in_pieces, at_once.as_ref().map_err(error), "pieces of {length} bytes");
        }
        at_once
    }

    const MATCH: &str = "{\"match\":1}\n";
    const ENTRY: &str = "{\"entry\":123456789}\n";
    const END: &str = "{\"end\":1}\n";

    #[test]
    fn each_match_is_a_block() {
        let whole = [MATCH, ENTRY, END].concat();
        // The second has no end, and the header of a file that was appended follows the third.
        let text = file(&[&whole, MATCH, ENTRY, &whole, &lines(VERSION), ENTRY].concat());
        let blocks = [
            (2, whole.clone(), None),
            (5, [MATCH, ENTRY].concat(), None),
            (7, whole, None),
            (11, ENTRY.to_owned(), None),
        ];
        assert_eq!(read(MATCH_BYTES_MAX, &text).expect("a file"), blocks);
        let text = file(&[END, &lines(2)].concat());
        let error = read(MATCH_BYTES_MAX, &text).expect_err("it is unknown");
        assert_eq!((error.line, error.problem.code), (3, Code::VersionUnknown));
    }

    #[test]
    fn a_match_that_is_too_large_is_cut_and_those_after_it_are_whole() {
        let most = MATCH.len() + 60;
        let fits = "x".repeat(most - MATCH.len() - END.len() - 1) + "\n";
        let whole = [MATCH, &fits, END].concat();
        assert_eq!(whole.len(), most);
        let larger = [MATCH, "x", &fits, END].concat();
        let of_lines = [MATCH, &ENTRY.repeat(9), "{}\n", END].concat();
        let line = "y".repeat(most + 1) + "\n";
        let of_one_line = [MATCH, &line, ENTRY, END].concat();
        let after = [MATCH, END].concat();
        for (text, kept) in [
            (&larger, [MATCH, "x", &fits].concat()),
            (&of_lines, {
                let entries = (most - MATCH.len()) / ENTRY.len();
                [MATCH, &ENTRY.repeat(entries)].concat()
            }),
            (&of_one_line, MATCH.to_owned()),
        ] {
            let found = read(most, &file(&[&*whole, text, &after].concat())).expect("a file");
            let first = 5 + text.lines().count();
            let cut = Some(Cut::TooLarge);
            let blocks = [(2, whole.clone(), None), (5, kept, cut), (first, after.clone(), None)];
            assert_eq!(found, blocks);
        }
        // The last line has no line feed, and fills the limit exactly.
        let cut_off = MATCH.to_owned() + &"x".repeat(most - MATCH.len());
        let found = read(most, &file(&cut_off)).expect("a file");
        assert_eq!(found, [(2, cut_off, None)]);
    }

    #[test]
    fn of_a_line_that_is_too_long_only_the_beginning_is_kept() {
        let most = LINE_BYTES_MAX;
        let line = |length: usize| "x".repeat(length - 1) + "\n";
        let after = [MATCH, END].concat();
        let read = |second: &str| {
            let text = file(&[MATCH, second, ENTRY, END, &after].concat());
            read(MATCH_BYTES_MAX, &text).expect("a file")
        };
        let longest = [MATCH, &line(most), ENTRY, END].concat();
        assert_eq!(read(&line(most)), [(2, longest, None), (6, after.clone(), None)]);
        let kept = MATCH.to_owned() + &"x".repeat(most);
        for longer in [most + 1, 3 * most] {
            let cut = Some(Cut::LineTooLong);
            assert_eq!(read(&line(longer)), [(2, kept.clone(), cut), (6, after.clone(), None)]);
        }
        // The file ends in the middle of a line that may be as long as any.
        let text = file(&kept);
        let found = super::tests::read(MATCH_BYTES_MAX, &text).expect("a file");
        assert_eq!(found, [(2, kept, None)]);
    }

    #[test]
    fn a_line_that_cannot_be_read_is_named() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("a bad disk"))
            }
        }
        let text = file(MATCH);
        let input = io::BufReader::new(text.as_bytes().chain(Broken));
        let mut blocks = Blocks::new(input).expect("its header is read");
        let error = blocks.read().map(drop).expect_err("it is broken");
        let problem = Code::Unreadable.because("it cannot be read: a bad disk");
        assert_eq!((error.line, error.problem), (3, problem));
    }

    #[test]
    fn the_last_line_without_its_end_is_cut_off_or_too_long() {
        let end = serde_json::to_string(&EndLine { name: "é".to_owned(), entries: 0 });
        let bytes = [end.expect("JSON").as_bytes(), b"\n\xff\n{"].concat();
        for (cut, code) in [(None, Code::LineCut), (Some(Cut::LineTooLong), Code::LineTooLong)] {
            let block = Block { line: 4, bytes: bytes.clone(), cut };
            let lines: Vec<_> = block
                .lines()
                .map(|(line, text)| (line, text.map_err(|it| it.code).err()))
                .collect();
            assert_eq!(lines, [(4, None), (5, None), (6, Some(code))]);
        }
    }
    #[test]
    fn a_match_that_was_cut_says_how_large_matches_may_be() {
        let reason = |cut| {
            let block = Block { line: 2, bytes: MATCH.into(), cut };
            block.too_large().map(|it| it.reason)
        };
        assert_eq!(reason(None), None);
        assert_eq!(reason(Some(Cut::LineTooLong)), None);
        let expected = "the match has more than 64 MB, and nothing after is verified";
        assert_eq!(reason(Some(Cut::TooLarge)).as_deref(), Some(expected));
    }
}
