//! A record is a whole match as text: each action and all its consequences. The test deals it again
//! from its seed and its actions, and compares. `CROUPIER_BLESS=1` writes records; read the diff
//! with the rulebook before you commit it. A record names the version of the rules that dealt it,
//! and is written again only under a later one.
//!
//! Each game has a record for each number of seats, played at random, and one in which seats
//! resign. Others are played by hand and may have any name.

use std::{fmt::Write, path::Path};

use bytes::Bytes;
use prost_reflect::{DynamicMessage, MessageDescriptor, prost::Message};
use table::{ChaCha, Chance, Entry, RESIGN, Seat, Small, Table, invariants::key};

use super::{bless, folder, games, list, none, notation, read, shown, write};
use crate::{Game, messages};

#[test]
fn recorded_matches_are_dealt_again_as_they_were() {
    let mut problems = Vec::new();
    for game in games() {
        let folder = folder(game).join("records");
        let random = random_records(game);
        let present = list(&folder);
        let by_hand = present.iter().filter(|path| !random.iter().any(|it| path.ends_with(&it.0)));
        for path in by_hand {
            let record = read(path).expect("a record is text");
            match deal_again(game, &record) {
                Ok(again) if again == record => {}
                Ok(again) if may_bless(game, &record) => write(path, &again),
                Ok(again) => problems.push(differs(game, path, &record, &again)),
                Err(reason) => problems.push(format!(
                    "{}: {} cannot deal this record: {reason}. Delete it or repair it by hand",
                    shown(path),
                    game.name()
                )),
            }
        }
        for (name, seats, seats_resign) in random {
            let path = folder.join(name);
            let record = read(&path).unwrap_or_default();
            let again = deal_again(game, &record);
            if again.as_ref() == Ok(&record) {
                continue;
            }
            match again {
                Ok(again) if may_bless(game, &record) => write(&path, &again),
                Err(_) if may_bless(game, &record) => {
                    write(&path, &play_at_random(game, seats, seats_resign))
                }
                Ok(again) => problems.push(differs(game, &path, &record, &again)),
                Err(reason) => problems.push(format!(
                    "{}: {} cannot deal this record: {reason}. Let CROUPIER_BLESS=1 play it anew, \
                     and read it with the rulebook",
                    shown(&path),
                    game.name()
                )),
            }
        }
    }
    none(problems);
}

fn differs(game: &dyn Game, path: &Path, record: &str, again: &str) -> String {
    let first = record.lines().zip(again.lines()).find(|(was, is)| was != is);
    let (was, is) = first.unwrap_or(("the end", "more, or the other way around"));
    format!(
        "{}: {} now deals it differently: {was:?} is {is:?}. If that is right, raise the version of \
         the rules, now {}, let CROUPIER_BLESS=1 write the record, and read the diff",
        shown(path),
        game.name(),
        game.rules_version()
    )
}

/// Whether a record may be written: it is of an earlier version of the rules, or there is none.
fn may_bless(game: &dyn Game, record: &str) -> bool {
    let (name, rules) = (format!("{},", game.name()), format!(", rules {}", game.rules_version()));
    let header = record.lines().next().unwrap_or_default();
    bless() && !(header.starts_with(&name) && header.ends_with(&rules))
}

/// The records that every game has: name of the file, seats, and whether seats resign.
fn random_records(game: &dyn Game) -> Vec<(String, u8, bool)> {
    let most = *game.seats().end();
    let resigning = (most > 2).then(|| (format!("{most}-seats-and-seats-resign.txt"), most, true));
    let whole = game.seats().map(|seats| (format!("{seats}-seats.txt"), seats, false));
    whole.chain(resigning).collect()
}

/// A match in progress and its text so far.
struct Record<'a> {
    game: &'a dyn Game,
    seed: u64,
    table: Table,
    position: u64,
    text: String,
}

impl<'a> Record<'a> {
    fn open(game: &'a dyn Game, seats: u8, seed: u64) -> Self {
        let options = game.check_options(&Default::default(), seats).expect("the defaults fit");
        let opened = game.open(seats, &options, &[], &mut ChaCha::of(key(seed), 1));
        let (table, entry) = opened.expect("native rules open every match");
        let rules = game.rules_version();
        let text = format!("{}, {seats} seats, seed {seed}, rules {rules}\n", game.name());
        let mut record = Record { game, seed, table: table.clone(), position: 0, text };
        record.apply(table, &entry, "");
        record
    }

    /// Plays an action, or resigns where there is none.
    fn act(&mut self, seat: Seat, action: Option<&Bytes>) -> Result<(), String> {
        let mut chance = ChaCha::of(key(self.seed), self.position + 1);
        let played = match action {
            Some(action) => self.game.play(&self.table, seat, action, &mut chance),
            None => self.game.resign(&self.table, seat, &mut chance),
        };
        let action =
            action.map_or(String::new(), |action| format!(" {}", to_json(self.game, action)));
        let (table, entry) = played.map_err(|refused| {
            format!("seat {seat}, at position {}:{action} is refused: {refused}", self.position + 1)
        })?;
        self.apply(table, &entry, &action);
        Ok(())
    }

    fn apply(&mut self, table: Table, entry: &Entry, action: &str) {
        self.table = table;
        self.position += 1;
        let layout = self.game.layout();
        writeln!(self.text, "\n{} {}{action}", self.position, notation::headline(entry))
            .expect("a text grows");
        for event in &entry.events {
            writeln!(self.text, "    {}", notation::line(event, layout)).expect("a text grows");
        }
        for prompt in &entry.prompts {
            let must = if prompt.must { "must" } else { "may" };
            writeln!(
                self.text,
                "    seat {} {must} answer {}",
                prompt.seat,
                layout.decision_name(prompt.decision)
            )
            .expect("a text grows");
        }
    }
}

fn play_at_random(game: &dyn Game, seats: u8, seats_resign: bool) -> String {
    let mut record = Record::open(game, seats, u64::from(seats));
    let mut whim = ChaCha::of(key(record.seed), u64::MAX);
    while !record.table.ended() {
        if seats_resign && record.position % 12 == 11 {
            let seat = record.table.contenders().last().expect("a match has contenders");
            record.act(seat, None).expect("any seat may resign");
            continue;
        }
        let prompt = record.table.live().find(|prompt| prompt.must);
        let asked = prompt.expect("a match that goes on waits for a seat").seat;
        let mut legal = game.legal(&record.table, asked).expect("native rules list");
        let verbs: Vec<&str> = legal.iter().map(|it| it.verb).collect();
        let verb = verbs[whim.below(verbs.len())];
        legal.retain(|it| it.verb == verb);
        let chosen = legal[whim.below(legal.len())].action.clone();
        record.act(asked, Some(&chosen)).expect("a legal action is accepted");
    }
    record.text
}

/// The same match, played from the actions that its record lists.
fn deal_again(game: &dyn Game, text: &str) -> Result<String, String> {
    let numbers = |line: &str| -> Vec<u64> {
        line.split([' ', ',', ':']).filter_map(|word| word.parse().ok()).collect()
    };
    let header = text.lines().next().ok_or("there is none")?;
    let name = header.split(',').next().unwrap_or_default();
    if name != game.name() {
        return Err(format!("it is a record of {name:?}"));
    }
    let [seats, seed, _] = numbers(header)[..] else {
        return Err("it does not begin with its seats, its seed and its rules".into());
    };
    if !game.seats().any(|it| u64::from(it) == seats) {
        return Err(format!("the game is not played by {seats} seats"));
    }
    let mut record = Record::open(game, seats as u8, seed);
    for line in text.lines().filter(|line| line.contains(" seat ") && !line.starts_with(' ')) {
        let seat = numbers(line).get(1).and_then(|&it| Seat::nth(it as usize));
        let seat = seat.ok_or_else(|| format!("{line:?} names no seat"))?;
        let action = match line.split_once('{') {
            Some((_, json)) => Some(from_json(game, &format!("{{{json}"))?),
            None if line.ends_with(RESIGN) => None,
            None => return Err(format!("{line:?} names no action")),
        };
        record.act(seat, action.as_ref())?;
    }
    Ok(record.text)
}

/// The messages that an action of a match may be: the game's own, and the one of every game.
fn kinds(game: &dyn Game) -> [MessageDescriptor; 2] {
    [&*game.action_message(), "croupier.table.v1.Action"]
        .map(|name| messages().pool().get_message_by_name(name).expect("every game has one"))
}

fn to_json(game: &dyn Game, action: &Bytes) -> String {
    let [own, common] = kinds(game);
    let message = if crate::is_common(action) { common } else { own };
    let action = DynamicMessage::decode(message, action.clone()).expect("an action is its message");
    serde_json::to_string(&action).expect("a message is JSON")
}

fn from_json(game: &dyn Game, json: &str) -> Result<Bytes, String> {
    let read = |message| {
        let mut text = serde_json::Deserializer::from_str(json);
        DynamicMessage::deserialize(message, &mut text)
    };
    let [own, common] = kinds(game);
    let action = read(common).or_else(|_| read(own));
    Ok(action.map_err(|error| format!("{json} is no action: {error}"))?.encode_to_vec().into())
}

#[test]
fn a_record_of_another_game_is_refused() {
    for (game, other) in crate::GAMES.iter().zip(crate::GAMES.iter().cycle().skip(1)) {
        let record = Record::open(*other, *other.seats().start(), 1).text;
        let reason = deal_again(*game, &record).expect_err("it is another game's");
        assert!(reason.contains(other.name()), "{reason}");
    }
}
