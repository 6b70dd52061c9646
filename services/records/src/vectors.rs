//! The test vectors of `docs/verify.md` in `tests/vectors`, made by the code that serves matches:
//! `CROUPIER_BLESS=1 cargo nextest run --workspace -E 'test(vectors)'` writes them. Other verifiers
//! are tested with them, so a difference breaks every record so far.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use positions::Position;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use rows::{Follows, MatchId, Terms, match_name};
use serde::Serialize;
use table::{ChaCha, Chance, Contribution, Entry, MatchChance, PlayerCommitment, Seat, Small};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use uuid::Uuid;

use crate::creation::PastPlayerLine;
use crate::{
    Chain, Creation, DigestKey, Digested, EndLine, EntryLine, FollowsLine, Header, Line, MatchLine,
    Reader, SeatLine, VERSION, Writer,
};

mod looks;

const ID: Uuid = Uuid::from_u128(0x0192_8f3c_5a7e_7d10_8b2f_0c4d_6e8f_1a3b);
const OTHER: Uuid = Uuid::from_u128(0x0192_8f3c_0000_7000_8000_0000_0000_0001);
/// Bounds for which few of the 32-bit values are rejected, or almost half of them.
const BOUNDS: [u32; 8] =
    [52, 6, 1, 3_000_000_000, 2_147_483_649, 3_000_000_000, u32::MAX, 1_000_000];

#[derive(Serialize)]
struct ChanceVectors {
    commitments: Vec<Commitment>,
    streams: Vec<Stream>,
}

#[derive(Serialize)]
struct Commitment {
    seed: String,
    seed_commitment: String,
}

#[derive(Serialize)]
struct Stream {
    #[serde(rename = "match")]
    match_name: String,
    seed: String,
    contributions: Vec<Given>,
    key: String,
    stream: u64,
    words: Vec<u32>,
    /// Bound and value of each.
    choices: Vec<(u32, u32)>,
    /// More than the number of choices if some values were rejected.
    words_used: usize,
}

#[derive(Serialize)]
struct Given {
    seat: u8,
    contribution: String,
}

#[derive(Serialize)]
struct DigestVectors {
    creations: Vec<CreationVector>,
    entries: Vec<EntryVector>,
}

#[derive(Serialize)]
struct CreationVector {
    /// The match line, as in a record.
    #[serde(rename = "match")]
    line: MatchLine,
    digest: String,
}

#[derive(Serialize)]
struct EntryVector {
    #[serde(rename = "match")]
    match_name: String,
    seed: String,
    /// The digest before it.
    before: String,
    entry: EntryLine,
}

#[test]
fn the_vectors_of_chance_are_what_is_dealt() {
    let id = *ID.as_bytes();
    let given = |seat: u8, length: u8| Contribution {
        seat: Seat::nth(seat.into()).expect("a low seat"),
        bytes: (0..length).map(|n| n ^ (0xa0 + seat)).collect::<Vec<_>>().into(),
        after_commitment: false,
    };
    let of_all: Vec<_> = (0..6).map(|seat| given(seat, 32 - seat)).collect();
    let cases: [(Vec<Contribution>, u64); 6] = [
        (vec![], 0),
        (vec![], 85),
        (vec![given(0, 32), given(1, 32)], 0),
        (vec![given(0, 32), given(1, 32)], (1 << 40) + 5),
        (vec![given(1, 1)], 7),
        (of_all, 1),
    ];
    let streams = cases.into_iter().map(|(contributions, number)| {
        let seed = seed(number as u8);
        // An independent implementation of the derivation, so that both must be as documented.
        let mut material = [&id[..], &seed].concat();
        for Contribution { seat, bytes, after_commitment: _ } in &contributions {
            material.extend([u8::from(*seat), bytes.len() as u8]);
            material.extend_from_slice(bytes);
        }
        let key = blake3::derive_key("croupier 2026-11 chance of a match", &material);
        let mut stream = ChaCha8Rng::from_seed(key);
        stream.set_stream(number);
        let words: Vec<u32> = (0..80).map(|_| stream.next_u32()).collect();
        let chance = || MatchChance::new(&id, &seed, &contributions).after(number);
        let mut halves = chance();
        for word in &words {
            assert_eq!(halves.below(1 << 31), (word >> 1) as usize, "it is the same stream");
        }
        let mut chance = chance();
        let choices: Vec<_> = (0..32)
            .map(|n| BOUNDS[n % BOUNDS.len()])
            .map(|bound| (bound, chance.below(bound as usize) as u32))
            .collect();
        let next = (chance.below(1 << 31) as u32, chance.below(1 << 31) as u32);
        let used = words.windows(2).position(|it| (it[0] >> 1, it[1] >> 1) == next);
        let words_used = used.expect("80 words are enough");
        assert!(words_used > choices.len(), "some words were rejected");
        let contributions = contributions
            .iter()
            .map(|it| Given { seat: it.seat.into(), contribution: hex::encode(&it.bytes) });
        Stream {
            match_name: match_name(MatchId(ID)),
            seed: hex::encode(seed),
            contributions: contributions.collect(),
            key: hex::encode(key),
            stream: number,
            words,
            choices,
            words_used,
        }
    });
    let commitments = [0, 1, 255].map(|n| Commitment {
        seed: hex::encode(seed(n)),
        seed_commitment: hex::encode(blake3::hash(&seed(n)).as_bytes()),
    });
    golden(
        "chance.json",
        &ChanceVectors { commitments: commitments.into(), streams: streams.collect() },
    );
}

#[test]
fn the_vectors_of_digests_are_what_is_recorded() {
    let follows =
        Follows { previous: MatchId(OTHER), number: 3, wins: vec![1, 0], best_of: Some(5) };
    let endless = Follows { best_of: None, ..follows.clone() };
    let none = BTreeMap::new();
    let some =
        BTreeMap::from(["talk", "first", "Ä", "z", ""].map(|it| (it.to_owned(), "on".to_owned())));
    let seed = seed(1);
    let cases = [
        (&none, None, Some(0), 0),
        (&some, None, None, 120_000),
        (&none, Some(&follows), Some(86_400), 1),
        (&some, Some(&endless), Some(0), 999_999),
    ];
    let creations = cases.map(|(options, follows, reveal_wait_s, micros)| {
        let of = Of { options, follows, reveal_wait_s, create_time: at(micros), platform: "acme" };
        let digest = of.creation("rigs", &of.terms(&seed)).digest();
        CreationVector { line: of.line("rigs", &seed), digest: digest.to_string() }
    });
    let of = Of {
        options: &none,
        follows: None,
        reveal_wait_s: None,
        create_time: at(0),
        platform: "acme",
    };
    let before = of.creation("rigs", &of.terms(&seed)).digest();
    let key = DigestKey::new(MatchId(ID), &seed);
    let cases = [
        (1, None, None, &b"\x12\x04open"[..]),
        (2, Some(0), Some("r1"), b"\x08\x00\x12\x04play"),
        (300, Some(9), Some(""), b""),
        (70_000, Some(1), Some("a request id with an \u{e4}"), b"\x08\x01"),
    ];
    let entries = cases.map(|(position, seat, request_id, body)| {
        let (position, create_time) = (Position(position), at(position * 7));
        let digest = key.digest(before, Digested { position, create_time, seat, request_id, body });
        EntryVector {
            match_name: match_name(MatchId(ID)),
            seed: hex::encode(seed),
            before: before.to_string(),
            entry: EntryLine {
                position: position.0,
                seat,
                verb: String::new(),
                request_id: request_id.map(str::to_owned),
                create_time: rfc3339(create_time),
                body: BASE64_STANDARD.encode(body),
                digest: Some(digest.to_string()),
            },
        }
    });
    golden("digests.json", &DigestVectors { creations: creations.into(), entries: entries.into() });
}

#[test]
fn the_vectors_of_records_are_what_is_exported() {
    let given = [0, 1].map(|seat| Contribution {
        seat: Seat::nth(seat).expect("a low seat"),
        bytes: vec![0xc0 + seat as u8; 32 - seat].into(),
        after_commitment: false,
    });
    record("record.jsonl", &given, Proofs::Digests);
    record("record-service-only.jsonl", &[], Proofs::Digests);
    record("record-earlier.jsonl", &[], Proofs::None);
    record("record-players.jsonl", &given, Proofs::Players);
}

/// What proves the entries of a match.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Proofs {
    /// They are of the first builds.
    None,
    /// Digests and choices, without commitments to players.
    Digests,
    /// All that this release records: at position 7, another player takes over seat 1.
    Players,
}

/// The entry with which another player takes over, in a match with players.
const REPLACED_AT: usize = 7;

/// A match of few entries, with these proofs.
fn record(file: &str, contributions: &[Contribution], proofs: Proofs) {
    let game = games::find("mountebank").expect("it is one of the games");
    let none = BTreeMap::new();
    let of = Of {
        options: &none,
        follows: None,
        reveal_wait_s: Some(0),
        create_time: at(120_000),
        platform: "acme",
    };
    let seed = seed(2);
    let mut choices = 0;
    let mut chance = |made: usize| {
        choices += made as u64;
        MatchChance::new(ID.as_bytes(), &seed, contributions).after(choices)
    };
    let mut whim = ChaCha::of(seed, u64::MAX);
    let options = game.check_options(&none, 2).expect("the defaults fit");
    let opened = game.open(2, &options, contributions, &mut chance(0));
    let (mut table, entry) = opened.expect("native rules open every match");
    let mut entries = vec![entry];
    while !table.ended() {
        let prompt = table.live().find(|prompt| prompt.must).expect("somebody is asked");
        let made = entries.last().map_or(0, |it: &Entry| it.choices.len());
        let mut chance = chance(made);
        let second = Seat::nth(1).expect("a low seat");
        let played = if proofs == Proofs::Players && entries.len() + 1 == REPLACED_AT {
            game.replace(&table, second, true)
        } else if entries.len() < 12 {
            let legal = game.legal(&table, prompt.seat).expect("native rules list");
            let chosen = &legal[whim.below(legal.len())].action;
            game.play(&table, prompt.seat, chosen, &mut chance)
        } else {
            game.resign(&table, prompt.seat, &mut chance)
        };
        let (after, entry) = played.expect("it is legal");
        table = after;
        entries.push(entry);
    }

    let mut head = of.line("mountebank", &seed);
    if proofs == Proofs::Players {
        head.players = players(&mut entries);
    }
    let terms = of.terms(&seed);
    let mut chain = Chain::new(of.creation("mountebank", &terms), &seed);
    let mut writer = Writer::new(Vec::new());
    let mut write = |line: &Line| writer.write(line).expect("a line in memory");
    write(&Line::Croupier(Header { version: VERSION }));
    write(&Line::Match(Box::new(head)));
    let count = entries.len();
    for (position, entry) in (1..).zip(entries) {
        let entry = match proofs {
            Proofs::None => Entry { rules: 0, choices: vec![], ..entry },
            Proofs::Digests | Proofs::Players => entry,
        };
        let (body, create_time) = (entry.encode(), at(120_000 + position * 1_000_003));
        let (seat, request_id) = (entry.seat.map(u8::from), format!("request-{position}"));
        let request_id = seat.map(|_| request_id);
        let digest = chain.next(Digested {
            position: Position(position),
            create_time,
            seat,
            request_id: request_id.as_deref(),
            body: &body,
        });
        write(&Line::Entry(EntryLine {
            position,
            seat,
            verb: entry.verb.to_owned(),
            request_id,
            create_time: rfc3339(create_time),
            body: BASE64_STANDARD.encode(&body),
            digest: (proofs != Proofs::None).then(|| digest.to_string()),
        }));
    }
    write(&Line::End(EndLine { name: match_name(MatchId(ID)), entries: count }));
    let text = String::from_utf8(writer.into_output()).expect("JSON is text");
    compare(file, &text);

    let mut reader = Reader::new(text.as_bytes()).expect("it has a header");
    let whole = crate::read_match(&mut reader).expect("it is right").expect("it is there");
    assert_eq!(whole.entries.len(), count);
}

/// Commits to three players in their entries. The first of seat 1 was erased since.
fn players(entries: &mut [Entry]) -> Vec<SeatLine> {
    let commit = |seat: usize, key: u8, player: &str| {
        let seat = Seat::nth(seat).expect("a low seat");
        // An independent implementation, so that it must be as documented.
        let material = [ID.as_bytes(), &[seat.into()][..], &self::seed(key), player.as_bytes()];
        let context = "croupier 2026-11 player of a seat";
        let commitment = blake3::derive_key(context, &material.concat());
        let made = PlayerCommitment::new(ID.as_bytes(), seat, &self::seed(key), player);
        assert_eq!(made.commitment, commitment);
        made
    };
    entries[0].players = vec![commit(0, 0x40, "ann"), commit(1, 0x60, "bob")];
    entries[REPLACED_AT - 1].players = vec![commit(1, 0x80, "zo\u{eb}")];
    let seated = |seat, player: &str, key| SeatLine {
        seat,
        player: player.to_owned(),
        display_name: None,
        request_id: None,
        create_time: rfc3339(at(0)),
        speech_key: Some(hex::encode(self::seed(key))),
        erased: false,
        before: Vec::new(),
    };
    let erased = PastPlayerLine {
        until: REPLACED_AT as i64,
        player: "erased-b".to_owned(),
        display_name: None,
        speech_key: None,
        erased: true,
    };
    let second = SeatLine { before: vec![erased], ..seated(1, "zo\u{eb}", 0x80) };
    vec![seated(0, "ann", 0x40), second]
}

/// The parameters of a match.
struct Of<'a> {
    platform: &'a str,
    options: &'a BTreeMap<String, String>,
    follows: Option<&'a Follows>,
    reveal_wait_s: Option<i64>,
    create_time: OffsetDateTime,
}

impl<'a> Of<'a> {
    fn terms(&self, seed: &[u8; 32]) -> Terms {
        Terms {
            options: self.options.clone(),
            seed_commitment: *blake3::hash(seed).as_bytes(),
            reveal_wait_s: self.reveal_wait_s,
            follows: self.follows.cloned(),
        }
    }

    fn creation(&self, game: &'a str, terms: &'a Terms) -> Creation<'a> {
        Creation {
            match_id: MatchId(ID),
            platform: self.platform,
            game,
            seats: 2,
            create_time: self.create_time,
            terms,
        }
    }

    fn line(&self, game: &str, seed: &[u8; 32]) -> MatchLine {
        let follows = self.follows.map(|it| FollowsLine {
            previous: match_name(it.previous),
            number: it.number,
            wins: it.wins.clone(),
            best_of: it.best_of,
        });
        MatchLine {
            name: match_name(MatchId(ID)),
            platform: self.platform.to_owned(),
            game: game.to_owned(),
            seats: 2,
            players: vec![],
            options: self.options.clone(),
            request_digest: Some(String::new()),
            seed_commitment: hex::encode(blake3::hash(seed).as_bytes()),
            seed: Some(hex::encode(seed)),
            secret_seed: None,
            reveal_wait_s: self.reveal_wait_s,
            follows,
            create_time: rfc3339(self.create_time),
        }
    }
}

fn golden(file: &str, vectors: &impl Serialize) {
    let text = serde_json::to_string_pretty(vectors).expect("vectors are JSON");
    compare(file, &(text + "\n"));
}

/// Compares with a file, or writes it.
#[expect(clippy::disallowed_methods, reason = "vectors are read, and written on request")]
pub(crate) fn compare(file: &str, text: &str) {
    let path = folder().join(file);
    if std::env::var("CROUPIER_BLESS").is_ok_and(|it| it == "1") {
        std::fs::write(&path, text).expect("the file can be written");
        return;
    }
    let kept = std::fs::read_to_string(&path).expect("the vectors are in the tree");
    assert!(kept == text, "{} has other vectors than this code makes", path.display());
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors")
}

fn seed(of: u8) -> [u8; 32] {
    std::array::from_fn(|n| of.wrapping_add(n as u8))
}

fn at(micros: i64) -> OffsetDateTime {
    let begin = OffsetDateTime::from_unix_timestamp(1_793_872_800).expect("a time of this era");
    begin + Duration::from_micros(micros.unsigned_abs())
}

fn rfc3339(time: OffsetDateTime) -> String {
    time.format(&Rfc3339).expect("a time of this era")
}
