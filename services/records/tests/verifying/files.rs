use crate::common::{Played, text_of};
use records::{
    Blocks, Code, EndLine, Header, Line, LineError, Misread, Reader, WholeMatch, Writer, end_line,
    header_line, match_line, read_block, read_match, verify_rows,
};
use rows::{SeatRow, SpeechKey};
use table::{ChaCha, Entry, Event, Seat, Small, SpeechKeys, Table, Viewer};
use time::OffsetDateTime;

fn played(number: u64) -> Played {
    Played::new(games::find("among-thieves").expect("a game"), 4, number, 12)
}

fn read(text: &str) -> Result<Vec<WholeMatch>, LineError> {
    let mut reader = Reader::new(text.as_bytes())?;
    std::iter::from_fn(|| read_match(&mut reader).transpose()).collect()
}

/// What is wrong with a file, and in which line.
fn problem(text: &str) -> (usize, String) {
    let error = read(text).map(drop).expect_err("something is wrong");
    (error.line, error.problem.reason)
}

#[test]
fn matches_are_read_from_files_that_were_joined() {
    let [one, two] = [played(1), played(2)];
    let text = [text_of(&one.lines()), text_of(&two.lines())].concat();
    let read = read(&text).expect("they are valid");
    for (read, played) in read.iter().zip([&one, &two]) {
        assert_eq!((read.row.match_id, read.seed), (played.row.match_id, Some(played.seed)));
        assert_eq!((&read.entries, &read.decoded), (&played.recorded, &played.entries));
    }
    assert_eq!(read.len(), 2);
}

#[test]
fn a_match_ends_under_its_name_after_all_its_entries() {
    let played = played(1);
    let mut lines = played.lines();
    let end = lines.pop();
    // The header is the first line and the match the second.
    let (name, last) = (rows::match_name(played.row.match_id), played.entries.len() + 3);
    assert_eq!(problem(&text_of(&lines)), (last, format!("the file was cut off within {name}")));
    let with = |line: Line| problem(&text_of(lines.iter().chain([&line])));
    let other = "matches/00000000-0000-4000-8000-000000000007".to_owned();
    let ends = Line::End(EndLine { name: other.clone(), entries: played.entries.len() });
    assert_eq!(with(ends), (last, format!("it ends another match than {name}")));
    let ends = end_line(played.row.match_id, 7);
    assert_eq!(with(ends), (last, "the match has 12 entries, not 7".to_owned()));
    assert_eq!(with(lines[0].clone()).0, last, "another match starts");
    assert_eq!(end, Some(end_line(played.row.match_id, 12)));
}

#[test]
fn a_file_of_another_version_is_not_read() {
    let version = |version| {
        let mut writer = Writer::new(Vec::new());
        writer.write(&Line::Croupier(Header { version })).expect("memory");
        String::from_utf8(writer.into_output()).expect("JSON is text")
    };
    assert_eq!(read(&version(1)).expect("it is empty").len(), 0);
    let unknown = "the file has version 2; this program knows version 1";
    assert_eq!(problem(&version(2)), (1, unknown.to_owned()));
}

#[test]
fn a_reader_knows_how_far_it_has_read() {
    let text = text_of(&played(1).lines());
    let mut reader = Reader::new(text.as_bytes()).expect("a file of records");
    let mut bytes = 0;
    for (number, line) in (1..).zip(text.lines()) {
        bytes += line.len() as u64 + 1;
        assert_eq!((reader.line, reader.bytes), (number, bytes));
        reader.read().expect("it is valid");
    }
    assert_eq!(reader.read().expect("it is valid"), None);
    assert_eq!((reader.line, reader.bytes), (text.lines().count(), text.len() as u64));
}

#[test]
fn lines_are_taken_once() {
    let mut writer = Writer::new(Vec::new());
    let lines = played(1).lines();
    writer.write(&header_line()).expect("memory");
    writer.write(&lines[0]).expect("memory");
    let mut taken = writer.take_lines();
    assert_eq!((taken.len(), writer.take_lines().len()), (2, 0));
    lines[1..].iter().for_each(|it| writer.write(it).expect("memory"));
    taken.extend(writer.take_lines());
    assert_eq!(taken.join("\n") + "\n", text_of(&lines));
}

/// Buffered lines reach what they are written to.
#[test]
fn flushing_a_writer_flushes_its_output() {
    let mut output = Vec::new();
    let mut writer = Writer::new(std::io::BufWriter::new(&mut output));
    writer.write(&header_line()).expect("memory");
    writer.flush().expect("memory");
    std::mem::forget(writer);
    assert!(output.ends_with(b"\n"));
}

/// Digests cover the platform.
#[test]
fn a_match_that_moves_to_another_platform_has_other_digests() {
    let played = played(1);
    let mut moved = read(&text_of(&played.lines())).expect("it is valid").remove(0);
    moved.move_to("zeta");
    assert_eq!(moved.row.platform, "zeta");
    let verified = verify_rows(&moved.row, moved.seed, &moved.entries, &Default::default());
    assert_eq!((verified.wrong, verified.verified.entries), (vec![], 12));
    let differ =
        |(one, two): (&positions::Recorded, &positions::Recorded)| one.digest != two.digest;
    assert!(moved.entries.iter().zip(&played.recorded).all(differ));
}

fn seat(nth: usize) -> Seat {
    Seat::nth(nth).expect("a low seat")
}

/// A match in which seats say something once it is dealt, and its table after that. It is not
/// recorded again yet.
fn talk(seats: impl IntoIterator<Item = Seat>, text: &str) -> (Played, Table) {
    let mut played = played(1);
    let game = games::find("among-thieves").expect("a game");
    let mut table = Table::new(game.layout(), 4, Viewer::House);
    played.entries.truncate(1);
    table.apply(&played.entries[0]);
    for seat in seats {
        let mut chance = ChaCha::of([0; 32], 0);
        let said = game.play(&table, seat, &games::say(text), &mut chance);
        let (after, entry) = said.expect("it may be said");
        table = after;
        played.entries.push(entry);
    }
    (played, table)
}

/// A file of a match with the players of this row.
fn text_with(row: &rows::MatchRow, played: &Played) -> String {
    let mut lines = vec![match_line(row, Some(played.seed), false)];
    lines.extend(played.lines().split_off(1));
    text_of(&lines)
}

/// As far as the file has the keys of its players, of those who left too.
#[test]
fn what_was_said_is_opened_when_a_match_is_read() {
    let (mut played, table) = talk((0..3).map(seat), "I draw nothing.");
    for (entry, (position, key)) in played.entries[1..].iter_mut().zip([(2, 1), (3, 2), (4, 3)]) {
        let mut keys = SpeechKeys::default();
        keys.insert(entry.seat.expect("a seat spoke"), [key; 32]);
        entry.seal(position, &keys);
    }
    let game = games::find("among-thieves").expect("a game");
    let replaced = game.replace(&table, seat(1), true).expect("its player is gone");
    played.entries.push(replaced.1);
    played.record();
    let seated = |seat: i16, key: Option<u8>| SeatRow {
        seat,
        player: format!("player {seat}"),
        display_name: None,
        request_id: None,
        create_time: OffsetDateTime::UNIX_EPOCH,
        speech_key: key.map(|key| SpeechKey([key; 32])),
        is_erased: key.is_none(),
        before: Vec::new(),
    };
    let mut row = played.row.clone();
    let former = rows::FormerPlayer {
        until: positions::Position(5),
        player: "ann".to_owned(),
        display_name: None,
        speech_key: Some(SpeechKey([2; 32])),
        is_erased: false,
    };
    let replaced = SeatRow { before: vec![former], ..seated(1, Some(9)) };
    row.seated = vec![seated(0, Some(1)), replaced, seated(2, None)];
    let whole = read(&text_with(&row, &played)).expect("it is valid").remove(0);
    assert_eq!(whole.row.seated, row.seated);
    let said = |entry: &Entry| match &entry.events[..] {
        [Event::Said { speech: Some(speech), .. }] => {
            speech.text.as_ref().map(|it| it.as_str().to_owned())
        }
        other => panic!("{other:?}"),
    };
    let words = Some("I draw nothing.".to_owned());
    let read: Vec<_> = whole.decoded[1..4].iter().map(said).collect();
    assert_eq!(read, [words.clone(), words, None]);
    assert_eq!(whole.entries, played.recorded);
}

/// Each message may be sealed with the key of any player that its seat had.
#[test]
fn a_match_has_a_bounded_number_of_messages_for_its_former_players() {
    let (mut played, _) = talk((0..250).map(|nth| seat(nth % 4)), "Well.");
    played.record();
    let read_with = |count: i64| {
        let former = |nth| rows::FormerPlayer {
            until: positions::Position(300 + nth),
            player: "a".to_owned(),
            display_name: None,
            speech_key: None,
            is_erased: false,
        };
        let mut row = played.row.clone();
        row.seated = (0..4).map(|seat| crate::common::seated(seat, "ann")).collect();
        row.seated.iter_mut().for_each(|it| it.speech_key = None);
        row.seated[1].before = (0..count).map(former).collect();
        read(&text_with(&row, &played)).map(drop).map_err(|error| error.problem.code)
    };
    // These messages are opened; that the players never left is found at the end.
    assert_eq!(read_with(19_999), Err(Code::PlayerDiffers));
    assert_eq!(read_with(20_000), Err(Code::TooLarge));
}

#[test]
fn a_match_that_cannot_be_read_is_named_with_its_line() {
    let played = played(1);
    let misread = |lines: &[Line]| -> Misread {
        let text = text_of(lines);
        let block = Blocks::new(text.as_bytes()).and_then(|mut it| it.read()).expect("a file");
        read_block(&block.expect("a match")).map(drop).expect_err("something is wrong")
    };
    let lines = played.lines();
    let name = rows::match_name(played.row.match_id);
    let cut = misread(&lines[..lines.len() - 1]);
    assert_eq!((&*cut.name, cut.line, cut.position), (&*name, 15, Some(13)));
    let shown = format!("{name}, position 13, line 15: the file was cut off within {name}");
    assert_eq!(cut.to_string(), shown);
    let headless = misread(&lines[1..]);
    assert_eq!((&*headless.name, headless.line, headless.position), ("", 2, None));
    let shown = "line 2: it belongs to no match: the line of its match is missing or was altered";
    assert_eq!(headless.to_string(), shown);
}

#[test]
fn a_match_that_is_read_says_why_it_is_not_proven() {
    let game = games::find("mountebank").expect("a game");
    let gaps = |played: &Played| {
        let whole = read(&text_of(&played.lines())).expect("it is valid").remove(0);
        whole.gaps().into_iter().map(|(position, it)| (position, it.code)).collect::<Vec<_>>()
    };
    let mut played = Played::new(game, 2, 1, 2000);
    assert_eq!(gaps(&played), []);
    played.entries.pop();
    played.record();
    assert_eq!(gaps(&played), [(None, Code::Unfinished)]);
}
