//! Random mutations of a file of records: each must be found, at its place.
//!
//! The mutator recomputes the checks of the lines, so that digests, choices, rules and receipts
//! must find the mutation. `cargo nextest run -p croupier-records --release --run-ignored all` runs
//! 100,000.

use crate::common::{Played, text_of};
use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use bytes::Bytes;
use ed25519_dalek::SigningKey;
use ed25519_dalek::ed25519::signature::Signer as _;
use records::{
    Block, Blocks, EntryLine, Keys, Known, Line, LineError, Outcome, verify_block, verify_rows,
};
use serde_json::json;
use table::{ChaCha, Chance, Choice, Entry, Event};
use time::format_description::well_known::Rfc3339;

/// The record of one match, with a receipt for its last entry.
struct Original {
    played: Played,
    lines: Vec<Line>,
    known: Known,
}

/// The installation's key for receipts.
struct Signer(SigningKey);

impl Signer {
    fn new(secret: u8) -> Signer {
        Signer(SigningKey::from_bytes(&[secret; 32]))
    }

    fn keys(&self) -> Keys {
        let x = BASE64_URL_SAFE_NO_PAD.encode(self.0.verifying_key());
        let key = json!({ "kty": "OKP", "crv": "Ed25519", "kid": "1", "x": x });
        Keys::parse(&json!({ "keys": [key] }).to_string()).expect("keys")
    }

    fn sign(&self, played: &Played, position: usize) -> String {
        let recorded = &played.recorded[position - 1];
        let statement = json!({
            "iat": 1, "match": rows::match_name(played.row.match_id), "position": position,
            "digest": recorded.digest.expect("it has one").to_string(),
            "create_time": recorded.create_time.format(&Rfc3339).expect("a time"),
        });
        let header = json!({ "typ": "croupier-receipt+jwt", "alg": "EdDSA", "kid": "1" });
        let base64 = |bytes: &[u8]| BASE64_URL_SAFE_NO_PAD.encode(bytes);
        let signed = [header, statement].map(|it| base64(it.to_string().as_bytes())).join(".");
        let signature = self.0.sign(signed.as_bytes());
        format!("{signed}.{}", base64(&signature.to_bytes()))
    }
}

/// Matches of every game; a game's second has no contributions, and commits to no players.
fn originals(entries_max: usize) -> Vec<Original> {
    let signer = Signer::new(1);
    let originals = games::GAMES.iter().flat_map(|&game| (0..2).map(move |it| (game, it)));
    let originals = originals.map(|(game, number)| {
        let seats = if number == 0 { *game.seats().start() } else { *game.seats().end() };
        let mut played = Played::new(game, seats, number, entries_max);
        if number == 0 {
            played.seat_players();
        }
        let receipt = signer.sign(&played, played.entries.len());
        let receipt = signer.keys().verify(&receipt, "receipt").expect("a receipt");
        let known = Known::new(vec![receipt], Default::default());
        Original { lines: played.lines(), known, played }
    });
    originals.collect()
}

fn verify(text: &[u8], known: &Known) -> Result<Vec<Outcome>, LineError> {
    let mut blocks = Blocks::new(text)?;
    let blocks: Vec<Block> =
        std::iter::from_fn(|| blocks.read().transpose()).collect::<Result<_, _>>()?;
    Ok(blocks.iter().map(|block| verify_block(block, known)).collect())
}

#[test]
fn nothing_is_wrong_with_a_file_as_it_was_written() {
    for Original { lines, known, played } in originals(2000) {
        let outcomes = verify(text_of(&lines).as_bytes(), &known).expect("a file of records");
        let [outcome] = &outcomes[..] else { panic!("one match") };
        assert_eq!(outcome.wrong, [], "{}", played.row.game);
        assert_eq!(outcome.receipts, ["receipt"]);
        assert_eq!(outcome.verified.entries as usize, played.entries.len());
        let choices = played.entries.iter().map(|it| it.choices.len() as u64).sum::<u64>();
        assert_eq!(outcome.verified.choices, choices);
        assert!(choices > 0 && outcome.verified.earlier.is_none());
    }
}

/// Rules that roll again on a tie would do so for ever if missing choices were all alike.
#[test]
fn rules_stop_where_the_recorded_choices_end() {
    for Original { played, .. } in originals(400) {
        let with_choices =
            (0..played.entries.len()).filter(|&n| !played.entries[n].choices.is_empty());
        for n in with_choices.take(20) {
            let all = played.entries[n].choices.len();
            for kept in [0, all / 2, all - 1] {
                let mut cut = played.clone();
                cut.entries[n].choices.truncate(kept);
                cut.record();
                let outcomes = verify(text_of(&cut.lines()).as_bytes(), &Known::default());
                let outcomes = outcomes.expect("a file of records");
                let [outcome] = &outcomes[..] else { panic!("one match") };
                let wrong = outcome.wrong.first().map_or("", |it| &it.reason);
                assert!(wrong.contains("no more choices"), "{} {n}: {wrong}", played.row.game);
            }
        }
    }
}

/// The description of a mutation, and the first affected position; `None` for the match as a whole.
struct Mutation {
    what: &'static str,
    lines: Vec<Line>,
    position: Option<i64>,
}

struct Mutator<'a> {
    original: &'a Original,
    random: &'a mut ChaCha,
}

impl Mutator<'_> {
    fn below(&mut self, limit: usize) -> usize {
        self.random.below(limit)
    }

    /// A random entry, by its index among the lines, which is its position.
    fn index(&mut self) -> usize {
        1 + self.below(self.original.played.entries.len())
    }

    /// A mutation; `None` if this kind does not apply or changes nothing.
    fn mutate(&mut self) -> Option<Mutation> {
        let kind = self.below(16);
        let mutation = match kind {
            0..=2 => self.body_byte(),
            3 => self.dropped(),
            4 => self.swapped(),
            5 => self.doubled(),
            6 => self.truncated(),
            7 => self.another_seed(),
            8 => self.decoded("another contribution", Self::another_contribution),
            9 | 10 => self.decoded("another choice", Self::another_choice),
            11 => self.decoded("other rules, events or prompts", Self::another_entry),
            12 | 13 => self.field_of_entry(),
            _ => self.field_of_match(),
        }?;
        (mutation.lines != self.original.lines).then_some(mutation)
    }

    fn entry_changed(
        &mut self,
        what: &'static str,
        index: usize,
        change: impl FnOnce(&mut EntryLine),
    ) -> Mutation {
        let mut lines = self.original.lines.clone();
        let Line::Entry(line) = &mut lines[index] else { panic!("an entry") };
        change(line);
        Mutation { what, lines, position: Some(index as i64) }
    }

    fn body_byte(&mut self) -> Option<Mutation> {
        let index = self.index();
        let mut body = self.original.played.recorded[index - 1].body.to_vec();
        let (at, with) = (self.below(body.len()), 1 + self.below(255) as u8);
        body[at] ^= with;
        Some(self.entry_changed("a byte of a body", index, |line| {
            line.body = BASE64_STANDARD.encode(body);
        }))
    }

    /// Renumbers the entries and the end line, so that only the content can be wrong.
    fn renumbered(mut lines: Vec<Line>) -> Vec<Line> {
        let count = lines.len() - 2;
        for (position, line) in (0..).zip(&mut lines) {
            match line {
                Line::Entry(it) => it.position = position,
                Line::End(it) => it.entries = count,
                _ => {}
            }
        }
        lines
    }

    fn moved(
        &mut self,
        what: &'static str,
        position: usize,
        change: impl FnOnce(&mut Vec<Line>),
    ) -> Option<Mutation> {
        let mut lines = self.original.lines.clone();
        change(&mut lines);
        if self.below(2) == 0 {
            lines = Self::renumbered(lines);
        }
        Some(Mutation { what, lines, position: Some(position as i64) })
    }

    fn dropped(&mut self) -> Option<Mutation> {
        let index = self.index();
        self.moved("an entry dropped", index, |lines| drop(lines.remove(index)))
    }

    fn swapped(&mut self) -> Option<Mutation> {
        let (one, other) = (self.index(), self.index());
        self.moved("two entries swapped", one.min(other), |lines| lines.swap(one, other))
    }

    fn doubled(&mut self) -> Option<Mutation> {
        let index = self.index();
        self.moved("an entry doubled", index + 1, |lines| {
            lines.insert(index, lines[index].clone());
        })
    }

    fn truncated(&mut self) -> Option<Mutation> {
        let index = self.index();
        let mut lines = self.original.lines.clone();
        lines.drain(index..self.original.played.entries.len() + 1);
        // Without the receipt, this would be a match that has not ended.
        let position = self.original.played.entries.len() as i64;
        Some(Mutation {
            what: "cut short",
            lines: Self::renumbered(lines),
            position: Some(position),
        })
    }

    fn another_seed(&mut self) -> Option<Mutation> {
        let mut lines = self.original.lines.clone();
        let Line::Match(head) = &mut lines[0] else { panic!("a match") };
        let mut seed = self.original.played.seed;
        seed[self.random.below(32)] ^= 1 + self.random.below(255) as u8;
        head.seed = Some(hex::encode(seed));
        if self.random.below(2) == 0 {
            head.seed_commitment = hex::encode(blake3::hash(&seed).as_bytes());
        }
        Some(Mutation { what: "another seed", lines, position: None })
    }

    /// Changes an entry in a plausible way.
    fn decoded(
        &mut self,
        what: &'static str,
        change: fn(&mut Self, &mut Entry) -> Option<()>,
    ) -> Option<Mutation> {
        let index = if what == "another contribution" { 1 } else { self.index() };
        let mut entry = self.original.played.entries[index - 1].clone();
        change(self, &mut entry)?;
        Some(self.entry_changed(what, index, |line| {
            line.body = BASE64_STANDARD.encode(entry.encode());
        }))
    }

    fn another_contribution(&mut self, opening: &mut Entry) -> Option<()> {
        let contributed = opening.events.iter_mut().filter_map(|event| match event {
            Event::Contributed(it) => Some(it),
            _ => None,
        });
        let mut contributed: Vec<_> = contributed.collect();
        let count = contributed.len();
        if count == 0 {
            return None;
        }
        let it = &mut contributed[self.random.below(count)];
        let mut bytes = it.bytes.to_vec();
        let at = self.random.below(bytes.len());
        bytes[at] ^= 1 + self.random.below(255) as u8;
        it.bytes = Bytes::from(bytes);
        Some(())
    }

    fn another_choice(&mut self, entry: &mut Entry) -> Option<()> {
        if entry.choices.is_empty() {
            return None;
        }
        let at = self.below(entry.choices.len());
        let Choice { bound, .. } = entry.choices[at];
        entry.choices[at] = match self.below(4) {
            0 => Choice { bound: bound + 1, value: entry.choices[at].value },
            _ => Choice { bound, value: self.below(bound as usize) as u32 },
        };
        Some(())
    }

    fn another_entry(&mut self, entry: &mut Entry) -> Option<()> {
        match self.below(4) {
            0 => entry.rules = self.below(4) as u32,
            1 if !entry.events.is_empty() => {
                entry.events.remove(self.random.below(entry.events.len()));
            }
            2 if entry.events.len() > 1 => entry.events.swap(0, 1),
            3 if !entry.prompts.is_empty() => drop(entry.prompts.pop()),
            _ => return None,
        }
        Some(())
    }

    fn field_of_entry(&mut self) -> Option<Mutation> {
        let index = self.index();
        let (kind, number) = (self.below(7), self.below(1000));
        Some(self.entry_changed("a field of an entry", index, |line| match kind {
            0 => line.seat = if number < 500 { None } else { Some(number as u8 % 8) },
            1 => line.verb = if number < 500 { "open".to_owned() } else { "resign".to_owned() },
            2 => line.request_id = Some(format!("another-{number}")),
            3 => line.request_id = None,
            4 => line.create_time = format!("2026-01-01T00:00:00.{number:03}Z"),
            5 => line.digest = None,
            _ => line.digest = line.digest.as_ref().map(|it| flipped(it, number)),
        }))
    }

    fn field_of_match(&mut self) -> Option<Mutation> {
        let mut lines = self.original.lines.clone();
        let kind = self.below(10);
        let commits = !self.original.played.entries[0].players.is_empty();
        let (number, game) = (self.below(1000), games::GAMES[self.below(games::GAMES.len())]);
        let Line::Match(head) = &mut lines[0] else { panic!("a match") };
        match kind {
            0 => head.name = flipped(&head.name, 8 + number % 8),
            1 => head.platform.push('x'),
            2 => game.name().clone_into(&mut head.game),
            3 => head.seats = number as u8 % 8,
            4 => drop(head.options.insert("talk".to_owned(), "on".to_owned())),
            5 => head.seed_commitment = flipped(&head.seed_commitment, number),
            6 => head.reveal_wait_s = (number > 500).then_some(number as i64),
            7 if commits => head.players[0].player.push('x'),
            8 => head.create_time = format!("2026-01-01T00:00:00.{number:03}Z"),
            _ => {
                let follows = json!({
                    "previous": "matches/00000000-0000-4000-8000-000000000007", "number": 2,
                    "wins": vec![0; head.seats.into()],
                });
                head.follows = Some(serde_json::from_value(follows).expect("a line"));
            }
        }
        Some(Mutation { what: "a field of the match", lines, position: None })
    }
}

/// The text with another digit somewhere.
fn flipped(text: &str, at: usize) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let at = at % bytes.len();
    bytes[at] = if bytes[at] == b'0' { b'1' } else { b'0' };
    String::from_utf8(bytes).expect("ASCII")
}

/// Applies `count` mutations, each of which must be found at its place. Returns the number of each
/// kind.
fn run(count: usize, entries_max: usize, seed: u64) -> Vec<(&'static str, usize)> {
    let originals = originals(entries_max);
    let mut random = ChaCha::of([9; 32], seed);
    let mut kinds: std::collections::BTreeMap<&'static str, usize> = Default::default();
    let mut done = 0;
    while done < count {
        let original = &originals[random.below(originals.len())];
        let mutated = if random.below(4) == 0 {
            stale(original, &mut random)
        } else {
            recomputed(original, &mut random)
        };
        if let Some(what) = mutated {
            *kinds.entry(what).or_default() += 1;
            done += 1;
        }
    }
    kinds.into_iter().collect()
}

/// A mutation of the lines, whose checks are computed again.
fn recomputed(original: &Original, random: &mut ChaCha) -> Option<&'static str> {
    let Mutation { what, lines, position } = Mutator { original, random }.mutate()?;
    let outcomes = verify(text_of(&lines).as_bytes(), &original.known).expect("a file of records");
    let [outcome] = &outcomes[..] else { panic!("{what}: one match") };
    let game = &original.played.row.game;
    let first = outcome.wrong.first();
    let first = first.unwrap_or_else(|| panic!("{what} of {game} is not found: {position:?}"));
    match position {
        Some(position) => assert_eq!(first.position, Some(position), "{what} of {game}: {first:?}"),
        // The first digest covers the parameters of a match.
        None => assert!(
            first.line == Some(2) || first.position == Some(1),
            "{what} of {game}: {first:?}"
        ),
    }
    Some(what)
}

const CUT: &str = "the file truncated";

/// A mutation of the bytes, whose checks stay as they were.
fn stale(original: &Original, random: &mut ChaCha) -> Option<&'static str> {
    let text = text_of(&original.lines).into_bytes();
    let mut altered = text.clone();
    let at = random.below(text.len());
    let what = match random.below(4) {
        0 => {
            altered.remove(at);
            "a byte of the file removed"
        }
        1 => {
            altered.insert(at, random.below(256) as u8);
            "a byte of the file inserted"
        }
        2 => {
            altered.truncate(at);
            CUT
        }
        _ => {
            altered[at] ^= 1 + random.below(255) as u8;
            "a byte of the file"
        }
    };
    if altered == text {
        return None;
    }
    let line = 1 + text[..at].iter().filter(|&&it| it == b'\n').count();
    let found = match verify(&altered, &original.known) {
        Err(error) => error.line,
        // Only the header is left, and a file without matches is valid.
        Ok(outcomes) if outcomes.is_empty() => {
            assert_eq!((what, altered.iter().filter(|&&it| it == b'\n').count()), (CUT, 1));
            return None;
        }
        Ok(outcomes) => {
            let first = outcomes.iter().flat_map(|it| &it.wrong).next();
            first.unwrap_or_else(|| panic!("{what} at {at} is not found")).line.expect("a line")
        }
    };
    // A line that lost its end is found there or where the next would begin.
    assert!((line..=line + 1).contains(&found), "{what} in line {line} is found in {found}");
    Some(what)
}

#[test]
fn every_mutation_is_found_at_its_place() {
    let kinds = run(4_000, 40, 1);
    assert!(kinds.len() >= 15, "every kind of mutation happened: {kinds:?}");
}

#[test]
#[ignore = "runs for minutes"]
fn a_hundred_thousand_mutations_are_found_at_their_places() {
    let kinds = run(100_000, 120, 2);
    for (what, count) in kinds {
        println!("{count:>7} {what}");
    }
}

/// An attacker with the seed and the database can recompute digests too. The choices and the rules
/// still bind them.
#[test]
fn digests_that_are_computed_again_do_not_help() {
    let mut random = ChaCha::of([9; 32], 3);
    let known = Known::default();
    let mut found = std::collections::BTreeSet::new();
    for original in originals(120) {
        for _ in 0..60 {
            let mut mutator = Mutator { original: &original, random: &mut random };
            let mut played = original.played.clone();
            let (what, index) = match mutator.below(4) {
                0 => ("another contribution", 0),
                1 => ("an event", mutator.index() - 1),
                2 => ("a prompt", mutator.index() - 1),
                _ => ("another choice", mutator.index() - 1),
            };
            let entry = &mut played.entries[index];
            let changed = match what {
                "another contribution" => mutator.another_contribution(entry),
                "an event" => entry.events.pop().map(drop),
                "a prompt" => entry.prompts.pop().map(drop),
                _ => mutator.another_choice(entry),
            };
            if changed.is_none() || played.entries == original.played.entries {
                continue;
            }
            played.record();
            let outcomes =
                verify(text_of(&played.lines()).as_bytes(), &known).expect("a file of records");
            let first = outcomes[0].wrong.first().unwrap_or_else(|| panic!("{what} is not found"));
            // A contribution shows in the first entry with a random choice.
            if what != "another contribution" {
                assert_eq!(first.position, Some(index as i64 + 1), "{what}: {first:?}");
            }
            found.insert(what);
        }
    }
    assert_eq!(found.len(), 4, "{found:?}");
}

#[test]
fn a_receipt_of_another_match_or_of_nobody_is_refused() {
    let (signer, other) = (Signer::new(1), Signer::new(2));
    let game = games::GAMES[0];
    let (one, two) = (Played::new(game, 2, 1, 40), Played::new(game, 2, 2, 40));
    let keys = signer.keys();
    let refused = |text: &str| keys.verify(text, "r").map(drop).expect_err("it is forged");
    assert!(refused(&other.sign(&one, 1)).contains("signature"));
    let receipt = signer.sign(&one, 3);
    let mut random = ChaCha::of([9; 32], 4);
    for at in 0..receipt.len() {
        let mut bytes = receipt.clone().into_bytes();
        bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
        // The last digit has unused bits.
        let text = String::from_utf8(bytes).expect("ASCII");
        if text != receipt {
            assert!(!refused(&text).is_empty(), "altered at {at}");
        }
    }
    let answer = json!({ "receipt": {
        "name": format!("{}/entries/3/receipt", rows::match_name(one.row.match_id)),
        "digest": BASE64_STANDARD.encode(one.recorded[2].digest.expect("one").as_bytes()),
        "jws": receipt,
    }});
    keys.verify(&answer.to_string(), "r").expect("an answer of the service");
    let digest = BASE64_STANDARD.encode([random.below(256) as u8; 32]);
    let forged = json!({ "receipt": { "digest": digest, "jws": receipt } });
    assert!(refused(&forged.to_string()).contains("digest"));

    let known = Known::new(vec![keys.verify(&receipt, "r").expect("valid")], Default::default());
    let outcomes = verify(text_of(&two.lines()).as_bytes(), &known).expect("a file of records");
    let mut tally = records::Tally::default();
    outcomes.iter().for_each(|it| tally.add(it));
    assert_eq!((tally.matches, tally.wrong_matches), (1, 0));
    tally.close(&known);
    let [wrong] = &tally.wrong[..] else { panic!("{:?}", tally.wrong) };
    assert!(wrong.reason.contains("another match") && wrong.receipt.as_deref() == Some("r"));
}

/// A receipt either agrees with the record or says how they differ.
#[test]
fn a_receipt_says_how_the_record_differs_from_it() {
    let (signer, game) = (Signer::new(1), games::GAMES[0]);
    let played = Played::new(game, 2, 1, 8);
    let known = |receipts: &[(&Played, usize)]| {
        let receipt = |&(played, position): &(&Played, usize)| {
            let jws = signer.sign(played, position);
            signer.keys().verify(&jws, &format!("r{position}")).expect("valid")
        };
        Known::new(receipts.iter().map(receipt).collect(), Default::default())
    };
    let rows = |recorded: &[positions::Recorded], known: &Known| {
        verify_rows(&played.row, Some(played.seed), recorded, known)
    };
    let reasons = |outcome: &Outcome| {
        let wrong = outcome.wrong.iter();
        wrong.map(|it| (it.receipt.clone(), it.reason.clone())).collect::<Vec<_>>()
    };
    let only = |outcome: Outcome, part: &str| {
        let [(receipt, reason)] = &reasons(&outcome)[..] else { panic!("{:?}", outcome.wrong) };
        assert!(receipt.is_some() && reason.contains(part), "{reason}");
        assert_eq!(outcome.receipts, [""; 0]);
        // It is for this match, whatever it says.
        let mut tally = records::Tally::default();
        tally.add(&outcome);
        (outcome, tally)
    };

    let agrees = known(&[(&played, 3), (&played, 8)]);
    let outcome = rows(&played.recorded, &agrees);
    assert_eq!((outcome.wrong.len(), outcome.receipts), (0, vec!["r3".into(), "r8".into()]));

    let mut other = played.clone();
    other.row.platform = "zeta".to_owned();
    other.record();
    let contradicts = known(&[(&other, 3)]);
    let changed = "the record was changed after the receipt was issued";
    let (_, mut tally) = only(rows(&played.recorded, &contradicts), changed);
    tally.close(&contradicts);
    assert_eq!(tally.wrong.len(), 1, "it is listed once");

    let mut later = played.clone();
    later.recorded[2].create_time += std::time::Duration::from_secs(1);
    only(rows(&played.recorded, &known(&[(&later, 3)])), "tells another time for this entry");

    let cut = "it has 5 entries, and the receipt is for entry 8";
    only(rows(&played.recorded[..5], &known(&[(&played, 8)])), cut);
    let outcome = rows(&played.recorded[..5], &known(&[(&played, 5)]));
    assert_eq!((outcome.wrong.len(), outcome.receipts), (0, vec!["r5".into()]));

    let mut emptied = played.recorded.clone();
    emptied.iter_mut().for_each(|it| (it.body, it.digest) = (Bytes::new(), None));
    only(rows(&emptied, &known(&[(&played, 3)])), "the record has no digest for this entry");
}

#[test]
fn receipts_for_what_follows_the_first_error_are_not_confirmed() {
    let (signer, game) = (Signer::new(1), games::GAMES[0]);
    let mut played = Played::new(game, 2, 1, 8);
    let keys = signer.keys();
    let receipts = [2, 4, 5, 8].map(|position| {
        let jws = signer.sign(&played, position);
        keys.verify(&jws, &format!("r{position}")).expect("valid")
    });
    let known = Known::new(receipts.to_vec(), Default::default());
    played.entries[4].prompts.pop();
    let lines = played.lines();
    let mut text = text_of(&lines);
    let outcome = |text: &str| verify(text.as_bytes(), &known).expect("a file").remove(0);
    assert_eq!(outcome(&text).wrong.len(), 0, "the body is what counts");

    // The file ends after the fourth entry.
    let kept: usize = text.lines().take(6).map(|it| it.len() + 1).sum();
    text.truncate(kept);
    let outcome = outcome(&text);
    let name = rows::match_name(played.row.match_id);
    let wrong: Vec<_> = outcome.wrong.iter().map(|it| (it.position, it.reason.clone())).collect();
    let before = "the record is not verified up to the entry of the receipt".to_owned();
    let cut_off = format!("the file was cut off within {name}");
    assert_eq!(wrong, [(Some(5), cut_off), (Some(5), before.clone()), (Some(8), before)]);
    assert_eq!(
        (outcome.wrong[0].line, outcome.receipts),
        (Some(7), vec!["r2".into(), "r4".into()])
    );
}
