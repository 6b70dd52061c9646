//! Values in another spelling, of another type, or missing. Checks and digests are right, as far as
//! there can be a digest.

use serde_json::Value;

use super::matches::{edited, lines, name, short};
use super::{Cases, at, outside};
use crate::Code;

/// The line of the end, in the match of these cases.
const END: usize = 6;

/// JSON that not all parsers read alike: a name, the line, and what is replaced by what.
const JSON: &[(&str, usize, &str, &str)] = &[
    ("white space after a colon", 1, "\"game\":", "\"game\": "),
    ("white space after a comma", 3, ",\"verb\"", ", \"verb\""),
    ("a tab within an entry", 3, ",\"verb\"", ",\t\"verb\""),
    ("white space within the end", END, "{\"end\":{", "{\"end\":{ "),
    ("a field twice", 1, "\"game\":", "\"game\":\"rigs\",\"game\":"),
    ("a field of an entry twice", 3, "\"verb\":", "\"verb\":\"say\",\"verb\":"),
    ("an unknown field twice", 3, "\"verb\":", "\"more\":1,\"more\":1,\"verb\":"),
    ("a field twice, once with escapes", 1, "\"game\":", "\"g\\u0061me\":\"rigs\",\"game\":"),
    ("a field of an unknown object twice", 3, "\"verb\":", "\"more\":{\"a\":1,\"a\":2},\"verb\":"),
    ("half a surrogate pair", 3, "\"verb\":", "\"more\":\"\\ud800\",\"verb\":"),
    ("a fraction", 3, "\"position\":2", "\"position\":2.0"),
    ("an exponent", 3, "\"position\":2", "\"position\":2e0"),
    ("a fraction in an unknown field", 3, "\"verb\":", "\"more\":1.5,\"verb\":"),
    ("a negative zero", 1, "\"reveal_wait_s\":0", "\"reveal_wait_s\":-0"),
    ("a number above 2^53", 3, "\"verb\":", "\"more\":9007199254740992,\"verb\":"),
];

/// Fields that are missing, or of another type.
const FIELDS: &[(&str, usize, &str, &str)] = &[
    ("a number as a text", 3, "\"position\":2", "\"position\":\"2\""),
    ("a truth value as a number", 3, "\"position\":2", "\"position\":true"),
    ("null as a number", 3, "\"position\":2", "\"position\":null"),
    ("a number as a verb", 3, "\"verb\":\"", "\"verb\":7,\"other\":\""),
    ("an entry without its position", 3, "\"position\":2,", ""),
    ("an entry without its verb", 3, "\"verb\":", "\"other\":"),
    ("an entry without its time", 3, "\"create_time\":", "\"other\":"),
    ("an entry without its body", 3, "\"body\":", "\"other\":"),
    ("an entry that is a list", 3, "{\"entry\":{", "{\"entry\":[],\"more\":{"),
    ("two fields in a line", 3, "{\"entry\":{", "{\"entry\":{\"position\":2},\"end\":{"),
    ("a line of another kind", 3, "{\"entry\":", "{\"entri\":"),
    ("a kind with escapes", 3, "{\"entry\":", "{\"entr\\u0079\":"),
    ("an end without its number", END, "\"entries\":", "\"other\":"),
    ("an end with a negative number", END, "\"entries\":", "\"entries\":-1,\"other\":"),
    ("an end without its name", END, "\"name\":", "\"other\":"),
    ("a match without its name", 1, "\"name\":", "\"other\":"),
    ("a match without its platform", 1, "\"platform\":", "\"other\":"),
    ("a match without its game", 1, "\"game\":", "\"other\":"),
    ("a match without its seats", 1, "\"seats\":", "\"other\":"),
    ("a match without its players", 1, "\"players\":", "\"other\":"),
    ("a match without its options", 1, "\"options\":", "\"other\":"),
    ("a match without its commitment", 1, "\"seed_commitment\":", "\"other\":"),
    ("a match without its time", 1, "],\"options\":{},", "],\"options\":{\"create_time\":7},"),
    ("options that are a list", 1, "\"options\":{}", "\"options\":[]"),
    ("an option that is a number", 1, "\"options\":{}", "\"options\":{\"talk\":1}"),
    ("no seats", 1, "\"seats\":2", "\"seats\":0"),
    ("nine seats", 1, "\"seats\":2", "\"seats\":9"),
    ("a reveal before the end", 1, "\"reveal_wait_s\":0", "\"reveal_wait_s\":-1"),
    ("players out of order", 1, "{\"seat\":0,", "{\"seat\":1,"),
    ("a player of no seat", 1, "{\"seat\":1,", "{\"seat\":2,"),
    ("a player without a seat", 1, "{\"seat\":1,", "{"),
    ("a player who is a number", 1, "\"player\":\"player 0\"", "\"player\":0"),
    ("a player without a time", 1, "\"request_id\":\"join-0\",\"create_time\":", "\"other\":"),
    ("former players that are null", 1, "{\"seat\":1,", "{\"seat\":1,\"before\":null,"),
    (
        "a former player without an end",
        1,
        "{\"seat\":1,",
        "{\"seat\":1,\"before\":[{\"player\":\"a\"}],",
    ),
    ("a key to speech that is too short", 1, "{\"seat\":1,", "{\"seat\":1,\"speech_key\":\"00\","),
    ("a seat of an entry that no match has", 3, "\"verb\":", "\"seat\":300,\"other\":"),
    ("a negative seat of an entry", 3, "\"verb\":", "\"seat\":-1,\"other\":"),
];

pub(super) fn add(cases: &mut Cases) {
    for &(name, line, from, to) in JSON.iter().chain(FIELDS) {
        // The seat of an entry is there already.
        let from = if to.starts_with("\"seat\":") { "\"seat\":" } else { from };
        misspelled(cases, name, line, from, to);
    }
    values(cases);
}

fn misspelled(cases: &mut Cases, name: &str, line: usize, from: &str, to: &str) {
    let expected = match line {
        1 => outside(Code::LineInvalid),
        _ => at(line as i64 - 1, Code::LineInvalid),
    };
    cases.add(name, edited(lines(&short(2)), line, from, to), expected);
}

/// Bytes, names and times.
fn values(cases: &mut Cases) {
    let base = short(2);
    let mut add = |name: &str, line: usize, from: &str, to: &str| {
        misspelled(cases, name, line, from, to);
    };
    let commitment = hex::encode(base.row.terms.seed_commitment);
    let seed = hex::encode(base.seed);
    let id = name(&base);
    let entry: Value = serde_json::from_str(&lines(&base)[3]).expect("JSON");
    let of_entry = |field: &str| entry["entry"][field].as_str().expect("a text").to_owned();
    let (digest, body, create_time) =
        (of_entry("digest"), of_entry("body"), of_entry("create_time"));
    let (time, z) = (create_time.trim_end_matches('Z'), "Z");
    let upper = |text: &str| {
        let upper = text.to_uppercase();
        assert_ne!(upper, text, "it has a letter");
        upper
    };
    add("a commitment in upper case", 1, &commitment, &upper(&commitment));
    add("a seed in upper case", 1, &seed, &upper(&seed));
    add("a seed that is too short", 1, &seed, &seed[2..]);
    add("a digest in upper case", 3, &digest, &upper(&digest));
    add("a digest that is too long", 3, &digest, &format!("{digest}00"));
    add("a digest with other characters", 3, &digest[..2], "0x");
    add("a name in upper case", 1, &id, &format!("matches/{}", id[8..].replace('0', "A")));
    add("a name without hyphens", 1, &id, &format!("matches/{}", id[8..].replace('-', "")));
    add("a name that is an id", 1, &id, &id[8..]);
    for (name, other) in [
        ("a time with an offset", format!("{time}+00:00")),
        ("a time in another zone", format!("{time}+02:00")),
        ("a time with a small z", format!("{time}z")),
        ("a time with a small t", create_time.replace('T', "t")),
        ("a time with a space", create_time.replace('T', " ")),
        ("a time without its zone", time.to_owned()),
        ("a time with zeros at its end", format!("{time}.0{z}")),
        ("a time with seven digits", format!("{time}.0000001{z}")),
        ("a time with a point alone", format!("{time}.{z}")),
        ("a time before 1970", create_time.replace("1970", "1969")),
        ("a time of the year 0", create_time.replace("1970", "0000")),
        ("a 30th of February", create_time.replace("01-01", "02-30")),
        ("a leap second", create_time.replace(&time[17..], "60")),
        ("an hour of 24", create_time.replace("T00", "T24")),
    ] {
        add(name, 3, &create_time, &other);
    }
    let all = lines(&base);
    let padded = (2..END).find(|&n| all[n].contains("=\",")).expect("a body with padding");
    add("a body without padding", padded, "=\",", "\",");
    add("a body with white space", 3, &body, &format!("{} {}", &body[..8], &body[8..]));
    add("a body of another alphabet", 3, &body[..4], "-_-_");
    add("a body with an equals sign within", 3, &body[..4], "AA==");
    // The last digit of a body has bits that must be 0.
    let line = &all[padded];
    let end_of_body = line.find('=').expect("its body is padded");
    let last = &line[end_of_body - 1..=end_of_body];
    let next = format!("{}=", char::from(last.as_bytes()[0] + 1));
    add("a body with bits beyond its end", padded, last, &next);
}
