//! Matches as files of records, which `croupier verify` and every other verifier takes.

use positions::{Position, Recorded};
use records::{Chain, Creation, Digested, Writer, end_line, entry_line, header_line, match_line};
use rows::{MatchId, MatchRow, SeatRow, SpeechKey};
use table::{Entry, PlayerCommitment, Seat, Small};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::error::Fault;
use crate::played::Secret;
use crate::single::AnyMatch;

/// What a record says that the match does not know.
pub struct Said {
    /// Empty, or one for each seat.
    pub players: Vec<String>,
    pub platform: String,
    /// When the match was created. Each entry is a millisecond after the one before.
    pub create_time: OffsetDateTime,
    /// Whether to begin with the line that a file of records begins with.
    pub header: bool,
}

const SPEECH_KEY: &str = "croupier gym 2026-11 key of a seat";

/// The lines of a match.
pub fn record(of: &dyn AnyMatch, said: &Said) -> Result<String, Fault> {
    let (mut entries, secret) = of.entries()?;
    let terms = &of.setting().terms;
    if !said.players.is_empty() && said.players.len() != usize::from(terms.seats) {
        let (given, seats) = (said.players.len(), terms.seats);
        return Err(Fault::NoRecord(format!("{given} players are given for {seats} seats")));
    }
    let Secret { match_id, seed } = secret;
    let keys: Vec<SpeechKey> = (0..terms.seats).map(|it| SpeechKey(key_of(&seed, it))).collect();
    let seats = Seat::all().take(terms.seats.into());
    for (seat, player) in seats.zip(&said.players) {
        let commitment = PlayerCommitment::new(&match_id, seat, &keys[seat.index()].0, player);
        entries[0].players.push(commitment);
    }
    let seated = said.players.iter().zip(&keys).enumerate();
    let seated = seated.map(|(nth, (player, key))| SeatRow {
        seat: nth as i16,
        player: player.clone(),
        display_name: None,
        request_id: None,
        create_time: said.create_time,
        speech_key: Some(*key),
        is_erased: false,
        before: Vec::new(),
    });
    let row = MatchRow {
        match_id: MatchId(Uuid::from_bytes(match_id)),
        platform: said.platform.clone(),
        game: of.setting().encoder.game.name().to_owned(),
        seats: terms.seats.into(),
        create_time: said.create_time,
        terms: rows::Terms {
            options: terms.given.clone(),
            seed_commitment: *blake3::hash(&seed).as_bytes(),
            reveal_wait_s: Some(0),
            follows: None,
        },
        request_digest: Vec::new(),
        next: None,
        is_in_lobby: false,
        display_name: None,
        seated: seated.collect(),
        last: None,
    };
    let is_over = entries.last().is_some_and(|it: &Entry| it.winners().is_some());
    let mut writer = Writer::new(Vec::new());
    if said.header {
        write(&mut writer, &header_line());
    }
    write(&mut writer, &match_line(&row, Some(seed), is_over));
    let mut chain = Chain::new(Creation::from(&row), &seed);
    for (nth, entry) in (1..).zip(&entries) {
        let mut recorded = Recorded {
            position: Position(nth),
            bucket_position: 0,
            request_id: None,
            create_time: said.create_time + Duration::milliseconds(nth),
            body: entry.encode(),
            digest: None,
        };
        let digested = Digested::of(&recorded, entry.seat.map(u8::from));
        recorded.digest = Some(chain.next(digested));
        write(&mut writer, &entry_line(&recorded, entry));
    }
    write(&mut writer, &end_line(row.match_id, entries.len()));
    Ok(String::from_utf8(writer.into_output()).expect("lines of JSON are text"))
}

fn write(writer: &mut Writer<Vec<u8>>, line: &records::Line) {
    writer.write(line).expect("it is written to memory");
}

fn key_of(seed: &[u8; 32], seat: u8) -> [u8; 32] {
    blake3::derive_key(SPEECH_KEY, &[&seed[..], &[seat]].concat())
}
