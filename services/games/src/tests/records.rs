//! A record is a whole match as text: who did what, and all that it led to. It is dealt again from
//! its seed and its actions, and must read the same. `CROUPIER_BLESS=1` writes it anew; the diff is
//! then read with the rulebook.

use std::fmt::Write;

use bytes::Bytes;
use prost_reflect::{DynamicMessage, prost::Message};
use table::{ChaCha, Chance, Entry, RESIGN, Seat, Small, Table, invariants::key, narration};

use super::{bless, folder, list, read, registry::messages, write};
use crate::{GAMES, Game};

#[test]
fn recorded_matches_are_dealt_again_as_they_were() {
    for game in GAMES {
        if bless() {
            write_missing(*game);
        }
        for path in list(&folder(*game).join("records")) {
            let record = read(&path).expect("a record is a text");
            let again = deal_again(*game, &record);
            if record != again && bless() {
                write(&path, &again);
                continue;
            }
            let first = record.lines().zip(again.lines()).find(|(was, is)| was != is);
            assert!(record == again, "{} reads otherwise now, from {first:?} on", path.display());
        }
    }
}

/// One match for each number of seats, and one that most seats leave before its end.
fn write_missing(game: &dyn Game) {
    let most = *game.seats().end();
    let leaving = (most > 2).then(|| (format!("{most}-seats-and-seats-resign"), most, true));
    let whole = game.seats().map(|seats| (format!("{seats}-seats"), seats, false));
    for (name, seats, seats_resign) in whole.chain(leaving) {
        let path = folder(game).join("records").join(name + ".txt");
        if read(&path).is_none() {
            write(&path, &play_at_random(game, seats, seats_resign));
        }
    }
}

/// A match under way, written down as it goes.
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
        let (table, entry) = game.open(seats, &options, &mut ChaCha::of(key(seed), 1));
        let text = format!("{}, {seats} seats, seed {seed}\n", game.name());
        let mut record = Record { game, seed, table: table.clone(), position: 0, text };
        record.apply(table, &entry, "");
        record
    }

    fn act(&mut self, seat: Seat, action: Option<&Bytes>) {
        let mut chance = ChaCha::of(key(self.seed), self.position + 1);
        let played = match action {
            Some(action) => self.game.play(&self.table, seat, action, &mut chance),
            None => self.game.resign(&self.table, seat, &mut chance),
        };
        let (table, entry) = played.unwrap_or_else(|refused| {
            panic!(
                "{} refuses what it once recorded, after\n{}\n{refused}",
                self.game.name(),
                self.text
            )
        });
        let action =
            action.map_or(String::new(), |action| format!(" {}", to_json(self.game, action)));
        self.apply(table, &entry, &action);
    }

    fn apply(&mut self, table: Table, entry: &Entry, action: &str) {
        self.table = table;
        self.position += 1;
        let layout = self.game.layout();
        writeln!(self.text, "\n{} {}{action}", self.position, narration::headline(entry))
            .expect("a text grows");
        for event in &entry.events {
            writeln!(self.text, "    {}", narration::sentence(event, layout))
                .expect("a text grows");
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
            let seat = record.table.contenders().last().expect("somebody is left");
            record.act(seat, None);
            continue;
        }
        let asked = record
            .table
            .live()
            .find(|prompt| prompt.must)
            .expect("a match waits for somebody")
            .seat;
        let mut legal = game.legal(&record.table, asked);
        let verbs: Vec<&str> = legal.iter().map(|it| it.verb).collect();
        let verb = verbs[whim.below(verbs.len())];
        legal.retain(|it| it.verb == verb);
        let chosen = legal[whim.below(legal.len())].action.clone();
        record.act(asked, Some(&chosen));
    }
    record.text
}

/// The same match from what its record says was done.
fn deal_again(game: &dyn Game, text: &str) -> String {
    let numbers = |line: &str| -> Vec<u64> {
        line.split([' ', ',', ':']).filter_map(|word| word.parse().ok()).collect()
    };
    let header = text.lines().next().map(numbers).unwrap_or_default();
    let [seats, seed] = header[..] else { panic!("a record begins with its seats and its seed") };
    let mut record = Record::open(game, seats as u8, seed);
    for line in text.lines().filter(|line| line.contains(" seat ") && !line.starts_with(' ')) {
        let seat = Seat::nth(numbers(line)[1] as usize).expect("a seat");
        let action = line.split_once('{').map(|(_, json)| from_json(game, &format!("{{{json}")));
        assert!(action.is_some() || line.ends_with(RESIGN), "{line:?} says no action");
        record.act(seat, action.as_ref());
    }
    record.text
}

fn to_json(game: &dyn Game, action: &Bytes) -> String {
    let message =
        messages().get_message_by_name(&game.action_message()).expect("every game has one");
    let action = DynamicMessage::decode(message, action.clone()).expect("an action is its message");
    serde_json::to_string(&action).expect("a message is JSON")
}

fn from_json(game: &dyn Game, json: &str) -> Bytes {
    let message =
        messages().get_message_by_name(&game.action_message()).expect("every game has one");
    let mut json = serde_json::Deserializer::from_str(json);
    let action = DynamicMessage::deserialize(message, &mut json).expect("a record holds actions");
    action.encode_to_vec().into()
}
