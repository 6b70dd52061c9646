//! Lines that were damaged, or that are in the wrong place.

use super::matches::{lines, short};
use super::{Cases, Expected, Piece, at, content, outside, pieces};
use crate::{Code, LINE_BYTES_MAX};

pub(super) fn add(cases: &mut Cases) {
    beginnings(cases);
    damaged(cases);
    misplaced(cases);
}

/// Files that begin with something else than a header.
fn beginnings(cases: &mut Cases) {
    let base = short(2);
    let raw = |lines: Vec<String>| {
        let sealed = content(&pieces(lines));
        String::from_utf8(sealed).expect("text")
    };
    let text = raw(lines(&base));
    let mut add = |name: &str, text: Vec<u8>, expected: Expected| {
        // Lines that are as they were stay lines, so that the table is short.
        cases.add_pieces(name, vec![Piece::Raw(text)], expected);
    };
    add("an empty file", Vec::new(), outside(Code::Empty));
    add("a line feed", b"\n".to_vec(), outside(Code::NotARecord));
    add("another file of JSON", b"{\"name\":\"matches\"}\n".to_vec(), outside(Code::NotARecord));
    add("half of the header", text.as_bytes()[..20].to_vec(), outside(Code::NotARecord));
    let header = text.split_inclusive('\n').next().expect("a header");
    let cut = header.as_bytes()[..header.len() - 1].to_vec();
    add("a header without its line feed", cut, outside(Code::LineCut));
    let bom = ["\u{feff}", header].concat().into_bytes();
    add("a byte order mark", bom, outside(Code::NotARecord));
    let version = header.replacen("\"version\":1", "\"version\": 1", 1).into_bytes();
    add("a header with white space", version, outside(Code::NotARecord));
    let unchecked = b"{\"croupier\":{\"version\":1}}\n".to_vec();
    add("a header without its check", unchecked, outside(Code::CheckMissing));
    let wrong = header.replacen("\"check\":\"", "\"check\":\"0", 1).into_bytes();
    add("a header with a longer check", wrong, outside(Code::CheckMissing));
}

/// Lines that were altered, lost or cut off, with checks as they were.
fn damaged(cases: &mut Cases) {
    let base = short(2);
    let last = base.entries.len() + 2;
    let raw = |lines: Vec<String>| {
        let sealed = content(&pieces(lines));
        String::from_utf8(sealed).expect("text")
    };
    let text = raw(lines(&base));
    // The pieces of a file of which one line is not sealed as it should be.
    let with = |line: usize, change: &dyn Fn(&str) -> Vec<u8>| {
        let mut all = pieces(lines(&base));
        let sealed = text.split_inclusive('\n').nth(line).expect("a line");
        all[line] = Piece::Raw(change(sealed));
        all
    };
    let position = |line: usize| line as i64 - 1;
    let in_line = |line: usize, code| match line {
        1 => outside(code),
        _ => at(position(line), code),
    };
    let mut add = |name: &str, content: Vec<Piece>, expected: Expected| {
        cases.add_pieces(name, content, expected);
    };
    for (name, line) in [("the match", 1), ("an entry", 3), ("the end", last)] {
        let unchecked = with(line, &|it| [&it[..it.len() - 29], "}\n"].concat().into_bytes());
        add(&format!("{name} without its check"), unchecked, in_line(line, Code::CheckMissing));
        let altered = with(line, &|it| {
            let digit = if it.as_bytes()[it.len() - 19] == b'0' { "1" } else { "0" };
            [&it[..it.len() - 19], digit, &it[it.len() - 18..]].concat().into_bytes()
        });
        add(&format!("{name} with another check"), altered, in_line(line, Code::CheckWrong));
        let crlf = with(line, &|it| it.replace('\n', "\r\n").into_bytes());
        add(&format!("{name} with a carriage return"), crlf, in_line(line, Code::CheckMissing));
    }
    let upper = with(3, &|it| {
        let (rest, check) = it.split_at(it.len() - 19);
        [rest, &check.to_uppercase()].concat().into_bytes()
    });
    add("a check in upper case", upper, at(2, Code::CheckWrong));
    let altered = with(3, &|it| it.replacen("\"position\":2", "\"position\":3", 1).into_bytes());
    add("an altered character", altered, at(2, Code::CheckWrong));
    let mut empty = pieces(lines(&base));
    empty.insert(3, Piece::Raw(b"\n".to_vec()));
    add("an empty line", empty, at(2, Code::CheckMissing));
    let utf8 = with(3, &|it| {
        let mut bytes = it.as_bytes().to_vec();
        let at = it.find("\"verb\":\"").expect("a verb") + 8;
        bytes.insert(at, 0xff);
        bytes
    });
    add("an altered byte that is not UTF-8", utf8, at(2, Code::CheckWrong));

    let all = pieces(lines(&base));
    let without = |line: usize| {
        let lost =
            raw(lines(&base)).split_inclusive('\n').map(|it| Piece::Raw(it.into())).collect();
        let mut lost: Vec<Piece> = lost;
        lost.remove(line);
        lost
    };
    add("a lost entry", without(3), at(2, Code::CheckWrong));
    add("a lost last entry", without(last - 1), at(position(last - 1), Code::CheckWrong));
    let cut = |line: usize| all[..line].to_vec();
    add("a match without its end", cut(last), at(position(last), Code::MatchCut));
    add("a match without entries and end", cut(2), at(1, Code::MatchCut));
    let half = |line: usize| {
        let mut cut = cut(line);
        let sealed = text.split_inclusive('\n').nth(line).expect("a line");
        cut.push(Piece::Raw(sealed.as_bytes()[..sealed.len() / 2].to_vec()));
        cut
    };
    add("a file that is cut off in a match line", half(1), outside(Code::LineCut));
    add("a file that is cut off in an entry", half(4), at(3, Code::LineCut));
    add("a file that is cut off in the end", half(last), at(position(last), Code::LineCut));
    let mut unfed = cut(last);
    unfed.push(Piece::Raw(text.trim_end().lines().last().expect("an end").into()));
    add("a file without its last line feed", unfed, at(position(last), Code::LineCut));
    let mut long = all.clone();
    let line = &lines(&base)[4];
    let (before, after) = line.split_at("{\"entry\":{".len());
    long[4] = Piece::Filled {
        before: format!("{before}\"more\":\""),
        fill: "y",
        times: LINE_BYTES_MAX,
        after: format!("\",{after}"),
    };
    add("an entry that is too long", long, at(3, Code::LineTooLong));
}

/// Lines that are right by themselves.
fn misplaced(cases: &mut Cases) {
    let base = short(2);
    let all = lines(&base);
    let end = base.entries.len() + 2;
    let mut with = |name: &str, expected: Expected, change: &dyn Fn(&mut Vec<String>)| {
        let mut lines = all.clone();
        change(&mut lines);
        cases.add(name, lines, expected);
    };
    let mut before = outside(Code::LineMisplaced);
    before.found.extend(at(1, Code::PositionWrong).found);
    with("an entry before the match", before, &|it| it.swap(1, 2));
    with("a match within a match", at(2, Code::LineMisplaced), &|it| {
        it.insert(3, r#"{"croupier":{"version":1}}"#.to_owned());
    });
    with("a match that begins without the end of the one before", at(5, Code::MatchCut), &|it| {
        it.remove(end);
        it.extend(lines(&short(1))[1..].iter().cloned());
    });
    with("the end alone", outside(Code::LineMisplaced), &|it| drop(it.drain(1..end)));
    with("an entry after the end", outside(Code::LineMisplaced), &|it| it.push(it[2].clone()));
    with("two ends", outside(Code::LineMisplaced), &|it| it.push(it[end].clone()));
    with("an end with another number", at(5, Code::EndWrong), &|it| {
        it[end] = it[end].replacen("\"entries\":4", "\"entries\":5", 1);
    });
    with("an end with another name", at(5, Code::EndWrong), &|it| {
        it[end] = lines(&short(1))[end].clone();
    });
    with("an entry that is missing", at(2, Code::PositionWrong), &|it| drop(it.remove(3)));
    with("an entry twice", at(3, Code::PositionWrong), &|it| it.insert(3, it[3].clone()));
    with("two entries in the wrong order", at(2, Code::PositionWrong), &|it| it.swap(3, 4));
    with("positions from 0", at(1, Code::PositionWrong), &|it| {
        it[2] = it[2].replacen("\"position\":1", "\"position\":0", 1);
    });
    with("another verb", at(2, Code::BodyDiffers), &|it| {
        it[3] = it[3].replacen("\"verb\":\"", "\"verb\":\"x", 1);
    });
    with("another seat", at(2, Code::BodyDiffers), &|it| {
        let seat = if it[3].contains("\"seat\":0") { ("0", "1") } else { ("1", "0") };
        it[3] = it[3].replacen(&format!("\"seat\":{}", seat.0), &format!("\"seat\":{}", seat.1), 1);
    });
    with("no seat", at(5 - 1, Code::BodyDiffers), &|it| {
        it[end - 1] = it[end - 1].replacen("\"seat\":0,", "", 1);
    });
}
