//! Random files of records. `make fuzz` runs these for longer.

use bolero::check;

use crate::{EndLine, EntryLine, Header, Line, MatchLine, Reader, VERSION, Writer, read_match};

/// Replaces, inserts, removes or doubles a character.
type Edit = (u16, u8, char);

fn edited(example: &str, edits: &[Edit]) -> String {
    let mut text: Vec<char> = example.chars().collect();
    for &(at, how, character) in edits.iter().take(6) {
        let at = usize::from(at) % (text.len() + 1);
        match how % 4 {
            0 if at < text.len() => text[at] = character,
            1 if at < text.len() => drop(text.remove(at)),
            2 if at < text.len() => text.insert(at, text[at]),
            _ => text.insert(at, character),
        }
    }
    text.into_iter().collect()
}

fn head() -> MatchLine {
    let head = r#"{
        "name": "matches/00000000-0000-4000-8000-000000000007", "platform": "local",
        "game": "mountebank", "seats": 2, "options": {}, "reveal_wait_s": 0,
        "players": [
            {"seat": 0, "player": "ann", "create_time": "2026-01-31T12:00:00Z"},
            {"seat": 1, "player": "bob", "create_time": "2026-01-31T12:00:00Z"}
        ],
        "request_digest": "00", "create_time": "2026-01-31T12:00:00Z",
        "seed": "0000000000000000000000000000000000000000000000000000000000000000",
        "seed_commitment": "2ada83c1819a5372dae1238fc1ded123c8104fdaa15862aaee69428a1820fcda"
    }"#;
    serde_json::from_str(head).expect("a line of a match")
}

/// Reads every match; it must not panic.
fn read_all(text: &[u8]) -> usize {
    let Ok(mut reader) = Reader::new(text) else { return 0 };
    std::iter::from_fn(|| read_match(&mut reader).ok().flatten()).count()
}

/// Forged lines: correct checks and random content.
#[test]
fn fuzz_a_forged_file_is_refused_or_read() {
    let head = serde_json::to_string(&head()).expect("JSON");
    check!().with_type::<(Vec<Edit>, Vec<u8>, i8, Option<u8>, Vec<Edit>)>().for_each(|input| {
        let (of_head, body, position, seat, of_entry) = input;
        let Ok(head) = serde_json::from_str::<MatchLine>(&edited(&head, of_head)) else { return };
        let entry = EntryLine {
            position: if of_entry.is_empty() { 1 } else { (*position).into() },
            seat: *seat,
            verb: edited("open", of_entry),
            request_id: None,
            create_time: edited("2026-01-31T12:00:00Z", of_entry),
            body: base64::Engine::encode(&base64::prelude::BASE64_STANDARD, body),
            digest: None,
        };
        let end = EndLine { name: head.name.clone(), entries: 1 };
        let mut writer = Writer::new(Vec::new());
        for line in [
            Line::Croupier(Header { version: VERSION }),
            Line::Match(Box::new(head)),
            Line::Entry(entry),
            Line::End(end),
        ] {
            writer.write(&line).expect("a line in memory");
        }
        assert!(read_all(&writer.into_output()) <= 1);
    });
}

#[test]
fn fuzz_an_altered_file_is_refused() {
    let mut writer = Writer::new(Vec::new());
    writer.write(&Line::Croupier(Header { version: VERSION })).expect("a line in memory");
    writer.write(&Line::Match(Box::new(head()))).expect("a line in memory");
    let whole = String::from_utf8(writer.into_output()).expect("JSON is UTF-8");
    check!().with_type::<Vec<Edit>>().for_each(|edits| {
        let altered = edited(&whole, edits);
        let Ok(mut reader) = Reader::new(altered.as_bytes()) else { return };
        if let Ok(Some(Line::Match(line))) = reader.read() {
            assert_eq!(*line, head(), "it was read as it was written");
        }
    });
}
