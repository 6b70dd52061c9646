//! The cases that every verifier decides alike, in `tests/vectors/cases.json`: files of records,
//! each with the expected answer, and the code and the position of each finding. `docs/verify.md`
//! describes the file; `CROUPIER_BLESS=1` writes it, as the other vectors.

mod content;
mod kept;
mod lines;
pub(crate) mod matches;
mod players;
mod right;
mod spelling;

use std::collections::BTreeMap;
use std::io::Cursor;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
use serde_json::{Value, json};
use table::Entropy;

use self::matches::{key_set, name, short};
use crate::vectors::compare;
use crate::{
    Answer, Blocks, Code, Finding, Keys, Known, PlayerCounts, Source, Tally, Verification, unhex,
    verify_block,
};

/// A file of records, what somebody kept, and what a verifier finds.
struct Case {
    name: String,
    /// None if there are receipts alone.
    content: Option<Vec<Piece>>,
    kept: Kept,
    expected: Expected,
    /// The outcome of a verifier that does not know the rules, if it differs.
    without_rules: Option<Expected>,
}

/// A part of a file.
#[derive(Clone)]
enum Piece {
    /// A bare line, which gets its check and a line feed.
    Line(String),
    /// The same, with `fill` repeated between `before` and `after`.
    Filled { before: String, fill: &'static str, times: usize, after: String },
    /// Bytes as they are.
    Raw(Vec<u8>),
}

#[derive(Clone, Default, PartialEq, Serialize)]
struct Kept {
    /// The match that a service was asked for.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    asked: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    may_be_unfinished: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    commitment: Option<String>,
    /// By seat.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    contributions: BTreeMap<u8, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    receipts: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Expected {
    answer: Answer,
    /// What is wrong, or else what is not proven.
    found: Vec<Found>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Found {
    /// Empty outside of a match, and if the line of the match is wrong.
    #[serde(rename = "match")]
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<i64>,
    code: Code,
}

// === The outcomes ===

fn proven() -> Expected {
    Expected { answer: Answer::Proven, found: Vec::new() }
}

fn found(of: &str, found: &[(Option<i64>, Code)]) -> Expected {
    let found: Vec<Found> = found
        .iter()
        .map(|&(position, code)| Found { name: of.to_owned(), position, code })
        .collect();
    let answer = found.iter().map(|it| it.code.answer()).max().expect("something is found");
    Expected { answer, found }
}

/// In the match of most cases.
fn at(position: i64, code: Code) -> Expected {
    found(&name(&short(2)), &[(Some(position), code)])
}

/// The same, of the match as a whole.
fn whole(code: Code) -> Expected {
    found(&name(&short(2)), &[(None, code)])
}

/// Outside of a match, or in the line of one.
fn outside(code: Code) -> Expected {
    found("", &[(None, code)])
}

// === The cases ===

#[derive(Default)]
struct Cases(Vec<Case>);

impl Cases {
    fn add(&mut self, name: &str, lines: Vec<String>, expected: Expected) -> &mut Case {
        self.add_pieces(name, pieces(lines), expected)
    }

    fn add_pieces(&mut self, name: &str, content: Vec<Piece>, expected: Expected) -> &mut Case {
        let (name, content, kept) = (name.to_owned(), Some(content), Kept::default());
        self.0.push(Case { name, content, kept, expected, without_rules: None });
        self.0.last_mut().expect("it was added")
    }

    /// Receipts without a record.
    fn add_receipts(&mut self, name: &str, receipts: Vec<String>, expected: Expected) {
        let (name, kept) = (name.to_owned(), Kept { receipts, ..Kept::default() });
        self.0.push(Case { name, content: None, kept, expected, without_rules: None });
    }
}

fn cases() -> Vec<Case> {
    let mut cases = Cases::default();
    right::add(&mut cases);
    lines::add(&mut cases);
    spelling::add(&mut cases);
    content::add(&mut cases);
    players::add(&mut cases);
    kept::add(&mut cases);
    cases.0
}

fn pieces(lines: Vec<String>) -> Vec<Piece> {
    lines.into_iter().map(Piece::Line).collect()
}

// === Checking and writing them ===

/// The bytes of a file.
fn content(pieces: &[Piece]) -> Vec<u8> {
    let (mut bytes, mut check) = (Vec::new(), String::new());
    for piece in pieces {
        let bare = match piece {
            Piece::Line(bare) => bare.clone(),
            Piece::Filled { before, fill, times, after } => {
                format!("{before}{}{after}", fill.repeat(*times))
            }
            Piece::Raw(raw) => {
                bytes.extend_from_slice(raw);
                // Its check, if it has one, is that before the next line.
                let text = String::from_utf8_lossy(raw);
                let stated = text.trim_end().rsplit_once("\"check\":\"").map(|it| it.1);
                if let Some(stated) = stated.and_then(|it| it.strip_suffix("\"}")) {
                    stated.clone_into(&mut check);
                }
                continue;
            }
        };
        let starts = bare.starts_with("{\"croupier\":") || bare.starts_with("{\"match\":");
        let before = if starts { "" } else { &check };
        let hash = blake3::hash([before, &bare].concat().as_bytes()).to_hex();
        check = hash[..16].to_owned();
        let open = &bare[..bare.len() - 1];
        bytes.extend_from_slice(format!("{open},\"check\":\"{check}\"}}\n").as_bytes());
    }
    bytes
}

/// What the verifier of this crate finds, and the sources of chance and the players of each proven
/// match.
fn outcome(case: &Case) -> (Expected, Vec<(Option<Entropy>, PlayerCounts)>) {
    let keys = Keys::parse(&key_set().to_string()).expect("keys");
    let (mut receipts, mut refused) = (Vec::new(), Vec::new());
    for (n, jws) in case.kept.receipts.iter().enumerate() {
        match keys.verify(jws, &n.to_string()) {
            Ok(receipt) => receipts.push(receipt),
            Err(reason) => refused.push(Finding::of(Code::ReceiptInvalid.because(reason))),
        }
    }
    let bytes = |text: &String| unhex(text).expect("hexadecimal");
    let contributions = &case.kept.contributions;
    let contributions = contributions.iter().map(|(seat, text)| (*seat, bytes(text))).collect();
    let commitment = case.kept.commitment.as_ref().map(bytes);
    let known = Known::new(receipts, contributions).with_commitment(commitment);
    let (mut tally, mut proven) = (Tally::default(), Vec::new());
    let Some(pieces) = &case.content else {
        tally.compare_receipts(&known);
        tally.list(&refused);
        let in_one = kept_of(case).compare_receipts().expect("what was kept can be used");
        assert_eq!(expected_of(&in_one), expected_of(&tally), "{}", case.name);
        return (expected_of(&tally), proven);
    };
    let bytes = content(pieces);
    let mut source = match &case.kept.asked {
        Some(name) => Source::answer(&mut tally, name, case.kept.may_be_unfinished),
        None => Source::file(&mut tally, &case.name),
    };
    let read = Blocks::new(Cursor::new(&bytes)).and_then(|mut blocks| {
        while let Some(block) = blocks.read()? {
            let outcome = verify_block(&block, &known);
            if outcome.answer() == Answer::Proven {
                proven.push((outcome.verified.entropy(), outcome.verified.players));
            }
            source.add(outcome);
        }
        Ok(())
    });
    source.end(read);
    tally.close(&known);
    tally.list(&refused);
    let mut verification = Verification::new(&kept_of(case)).expect("what was kept can be used");
    bytes.chunks(1000).for_each(|piece| verification.take(piece));
    if case.expected.answer == Answer::Proven {
        assert_eq!(verification.tally().proven, proven.len() as u64, "{}", case.name);
    }
    let in_pieces = verification.finish();
    assert_eq!(expected_of(&in_pieces), expected_of(&tally), "{}", case.name);
    assert_eq!(in_pieces.receipts.len(), tally.receipts.len(), "{}", case.name);
    (expected_of(&tally), proven)
}

/// What somebody kept, as hosts of the verification have it.
fn kept_of(case: &Case) -> crate::Kept {
    let mut kept = json!(case.kept);
    kept["keys"] = key_set();
    serde_json::from_value(kept).expect("the fields are the same")
}

fn expected_of(tally: &Tally) -> Expected {
    let list = if tally.answer() == Answer::Wrong { &tally.wrong } else { &tally.unproven };
    let found =
        list.iter().map(|it| Found { name: it.name.clone(), position: it.position, code: it.code });
    Expected { answer: tally.answer(), found: found.collect() }
}

#[test]
fn the_vectors_of_cases_are_decided_as_expected() {
    let cases = cases();
    let mut names = std::collections::BTreeSet::new();
    let mut failed = Vec::new();
    let mut table = Pool::default();
    let listed: Vec<Value> = cases
        .iter()
        .map(|case| {
            assert!(names.insert(case.name.clone()), "{:?} is there twice", case.name);
            let (outcome, proven) = outcome(case);
            if outcome != case.expected {
                failed.push(format!("{}: {outcome:?}\n    not {:?}", case.name, case.expected));
            }
            table.case(case, &proven)
        })
        .collect();
    assert!(failed.is_empty(), "{} cases:\n{}", failed.len(), failed.join("\n"));
    let rules: BTreeMap<_, _> =
        games::GAMES.iter().map(|it| (it.name(), it.rules_version())).collect();
    // A line for each line and each case.
    let list = |all: &[Value]| {
        let lines: Vec<String> = all.iter().map(|it| format!("    {it}")).collect();
        format!("[\n{}\n  ]", lines.join(",\n"))
    };
    let text = format!(
        "{{\n  \"rules\": {},\n  \"keys\": {},\n  \"lines\": {},\n  \"cases\": {}\n}}\n",
        json!(rules),
        key_set(),
        list(&table.lines),
        list(&listed)
    );
    serde_json::from_str::<Value>(&text).expect("it is JSON");
    compare("cases.json", &text);
}

/// The different lines of all cases.
#[derive(Default)]
struct Pool {
    lines: Vec<Value>,
}

impl Pool {
    fn case(&mut self, case: &Case, proven: &[(Option<Entropy>, PlayerCounts)]) -> Value {
        let mut listed = json!({ "name": case.name });
        let fields = listed.as_object_mut().expect("an object");
        let mut add = |name: &str, value: Value| drop(fields.insert(name.to_owned(), value));
        if let Some(content) = &case.content {
            let lines: Vec<usize> = content.iter().map(|it| self.line(it)).collect();
            add("lines", json!(lines));
        }
        if case.kept != Kept::default() {
            add("kept", json!(case.kept));
        }
        add("expected", json!(case.expected));
        if let Some(expected) = &case.without_rules {
            add("without_rules", json!(expected));
        }
        if case.expected.answer == Answer::Proven {
            let entropy = proven.iter().map(|it| match it.0 {
                Some(Entropy::ServiceOnly) => "SERVICE_ONLY",
                Some(Entropy::Shared) => "SHARED",
                Some(Entropy::SharedOrderNotProven) => "SHARED_ORDER_NOT_PROVEN",
                None => panic!("a match that is proven was dealt"),
            });
            add("entropy", json!(entropy.collect::<Vec<_>>()));
            add("players", json!(proven.iter().map(|it| it.1).collect::<Vec<_>>()));
        }
        listed
    }

    fn line(&mut self, piece: &Piece) -> usize {
        let line = match piece {
            Piece::Line(bare) => json!(bare),
            Piece::Filled { before, fill, times, after } => {
                json!({ "before": before, "fill": fill, "times": times, "after": after })
            }
            Piece::Raw(raw) => match std::str::from_utf8(raw) {
                Ok(text) => json!({ "raw": text }),
                Err(_) => json!({ "raw_base64": BASE64_STANDARD.encode(raw) }),
            },
        };
        let known = self.lines.iter().position(|it| *it == line);
        known.unwrap_or_else(|| {
            self.lines.push(line);
            self.lines.len() - 1
        })
    }
}
