//! The matches of the cases, and changes of them.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use ed25519_dalek::SigningKey;
use ed25519_dalek::ed25519::signature::Signer as _;
use rows::match_name;
use serde_json::{Value, json};
use table::{Contribution, Entry, Event, MatchChance, Seat, Table, Viewer};
use time::format_description::well_known::Rfc3339;

use crate::common::Played;
use crate::{Chain, Creation, Digested, Line, header_line};

/// A short match of Mountebank that has ended. If `number` is even, both seats contributed.
pub(super) fn short(number: u64) -> Played {
    let game = games::find("mountebank").expect("a game");
    let mut played = Played::new(game, 2, number, 3);
    played.step_s = 7;
    ended(&mut played);
    played
}

/// Ends a match: seat 0 resigns.
pub(super) fn ended(played: &mut Played) {
    let game = games::find(&played.row.game).expect("a game");
    let mut table = Table::new(game.layout(), played.row.seats as u8, Viewer::House);
    played.entries.iter().for_each(|entry| table.apply(entry));
    let mut chance = chance_of(played).after(table.choices().into());
    let resigned = game.resign(&table, Seat::default(), &mut chance).expect("anyone may");
    played.entries.push(resigned.1);
    played.record();
}

pub(super) fn chance_of(played: &Played) -> MatchChance {
    let contributions = contributions(&played.entries[0]);
    MatchChance::new(played.row.match_id.0.as_bytes(), &played.seed, &contributions)
}

pub(super) fn contributions(opening: &Entry) -> Vec<Contribution> {
    let contributed = opening.events.iter().filter_map(|event| match event {
        Event::Contributed(it) => Some((**it).clone()),
        _ => None,
    });
    contributed.collect()
}

/// Changes the entries, and records them with right digests.
pub(super) fn changed(mut played: Played, change: impl FnOnce(&mut Vec<Entry>)) -> Played {
    change(&mut played.entries);
    played.record();
    played
}

/// Changes the contributions of the first entry. With `again`, its choices follow from the changed
/// ones; the later ones of the match do so too.
pub(super) fn contributed(played: Played, change: impl Fn(&mut Vec<Contribution>)) -> Played {
    changed(played, |entries| {
        let mut given = contributions(&entries[0]);
        change(&mut given);
        entries[0].events.retain(|it| !matches!(it, Event::Contributed(_)));
        let given = given.into_iter().map(|it| Event::Contributed(Box::new(it)));
        entries[0].events.splice(0..0, given);
    })
}

/// Replaces the stored form of an entry, with right digests.
pub(super) fn stored(
    mut played: Played,
    position: usize,
    change: impl FnOnce(Vec<u8>) -> Vec<u8>,
) -> Played {
    let body = change(played.recorded[position - 1].body.to_vec());
    played.recorded[position - 1].body = body.into();
    digested(&mut played);
    played
}

/// Computes the digests anew for what is recorded.
pub(crate) fn digested(played: &mut Played) {
    let mut digests = Chain::new(Creation::from(&played.row), &played.seed);
    for (recorded, entry) in played.recorded.iter_mut().zip(&played.entries) {
        recorded.digest = Some(digests.next(Digested::of(recorded, entry.seat.map(u8::from))));
    }
}

pub(super) fn timed(mut played: Played, position: usize, offset_s: i64) -> Played {
    played.recorded[position - 1].create_time += time::Duration::seconds(offset_s);
    digested(&mut played);
    played
}

pub(super) fn name(played: &Played) -> String {
    match_name(played.row.match_id)
}

/// Its bare lines, with the header: the match is the second line, the first entry the third.
pub(super) fn lines(played: &Played) -> Vec<String> {
    let of_match = played.lines();
    let lines = std::iter::once(header_line()).chain(of_match);
    lines.map(|line| serde_json::to_string(&line).expect("a line is JSON")).collect()
}

/// Its bare lines after a change of the line of the match, which no digest notices.
pub(super) fn headed(played: &Played, change: impl FnOnce(&mut crate::MatchLine)) -> Vec<String> {
    let mut all = played.lines();
    let Line::Match(head) = &mut all[0] else { panic!("a match") };
    change(head);
    let lines = std::iter::once(header_line()).chain(all);
    lines.map(|line| serde_json::to_string(&line).expect("a line is JSON")).collect()
}

/// The lines with a text replaced in one of them.
pub(super) fn edited(mut lines: Vec<String>, line: usize, from: &str, to: &str) -> Vec<String> {
    assert!(lines[line].contains(from), "{from:?} is not in {}", lines[line]);
    lines[line] = lines[line].replacen(from, to, 1);
    lines
}

/// The lines of several matches in one file.
pub(super) fn joined(all: &[Vec<String>]) -> Vec<String> {
    let rest = all.iter().flat_map(|lines| &lines[1..]);
    std::iter::once(&all[0][0]).chain(rest).cloned().collect()
}

// === Receipts ===

pub(super) fn signer(secret: u8) -> SigningKey {
    SigningKey::from_bytes(&[secret; 32])
}

pub(super) fn key_set() -> Value {
    let x = BASE64_URL_SAFE_NO_PAD.encode(signer(1).verifying_key());
    json!({ "keys": [{ "kty": "OKP", "crv": "Ed25519", "kid": "1", "x": x }] })
}

pub(super) fn receipt(secret: u8, played: &Played, position: usize) -> String {
    receipt_of(secret, played, position, None)
}

/// A receipt that was signed in a term.
pub(super) fn receipt_of(
    secret: u8,
    played: &Played,
    position: usize,
    term: Option<i64>,
) -> String {
    let recorded = &played.recorded[position - 1];
    let mut statement = json!({
        "iat": 1, "match": name(played), "position": position,
        "digest": recorded.digest.expect("it has one").to_string(),
        "create_time": recorded.create_time.format(&Rfc3339).expect("a time"),
    });
    if let Some(term) = term {
        statement["term"] = json!(term);
    }
    let header = json!({ "typ": "croupier-receipt+jwt", "alg": "EdDSA", "kid": "1" });
    let base64 = |bytes: &[u8]| BASE64_URL_SAFE_NO_PAD.encode(bytes);
    let signed = [header, statement].map(|it| base64(it.to_string().as_bytes())).join(".");
    let signature = signer(secret).sign(signed.as_bytes());
    format!("{signed}.{}", base64(&signature.to_bytes()))
}
