//! A match in play: its entries, and the table after them.

use std::collections::BTreeMap;

use games::{Game, ParsedAction};
use positions::{Position, Recorded};
use records::{Chain, Creation, Digested};
use rows::{Cast, MatchId, MatchRow, RecordedEntry, SeatRow, SpeechKey, Terms, bot_id, players_of};
use serde::Deserialize;
use table::{
    CASUAL, DEVICE, Entry, KEPT_OPTIONS, LastAction, MatchChance, Motion, Observation,
    PlayerCommitment, SAY, Seat, Small, TALK, Table, Viewer,
};
use time::OffsetDateTime;

use crate::refusal::Refusal;

/// A match to deal.
#[derive(Clone, Debug, Deserialize)]
pub struct New {
    /// The secret that decides all chance, and the name of the match, in hexadecimal.
    #[serde(with = "hex::serde")]
    pub seed: [u8; 32],
    /// The game, such as `mountebank`.
    pub game: String,
    pub seats: Vec<NewSeat>,
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// In milliseconds since 1970.
    pub now_ms: i64,
}

/// Who sits on a seat.
#[derive(Clone, Debug, Deserialize)]
pub struct NewSeat {
    /// The level of a bot; empty for a person.
    #[serde(default)]
    pub bot: String,
    pub display_name: String,
}

/// What is recorded in a match besides the deal.
pub enum Command {
    Act(Seat, Box<dyn ParsedAction>),
    Resign(Seat),
    TakeBack(Seat),
    Vote(Seat, Motion, bool),
}

/// A match that is played.
pub struct Played {
    pub row: MatchRow,
    pub game: &'static dyn Game,
    pub seed: [u8; 32],
    digests: Chain,
    pub recorded: Vec<Recorded>,
    pub entries: Vec<RecordedEntry>,
    /// The house's table.
    pub table: Table,
    /// What each bot knows, up to a position.
    pub observations: BTreeMap<Seat, (usize, Observation)>,
    /// The index of the last entry that is no aside, and the table before it.
    last: Option<(usize, Table)>,
    /// The position at which the bots that need not act were asked last.
    pub asked: Option<Position>,
}

/// Whose platform the records of a device name.
pub const PLATFORM: &str = "device";

/// The id of the match of a seed. Nobody can choose one that a service will use.
pub fn id_of(seed: &[u8; 32]) -> MatchId {
    let hash = blake3::derive_key("croupier 2026-11 match of a device", seed);
    let half = hash[..16].try_into().expect("a hash has 32 bytes");
    MatchId(uuid::Builder::from_custom_bytes(half).into_uuid())
}

/// The id of the person who plays. A device knows no other.
const PLAYER: &str = "player";

const SPEECH_KEY: &str = "croupier device 2026-11 key of a seat";

impl Played {
    /// Deals a match.
    pub fn deal(new: New) -> Result<Played, Refusal> {
        let game = games::find(&new.game)
            .ok_or_else(|| Refusal::invalid("game", format!("there is no game {:?}", new.game)))?;
        let seats = u8::try_from(new.seats.len()).ok().filter(|it| game.seats().contains(it));
        let seats = seats.ok_or_else(|| {
            Refusal::invalid("seats", format!("{} is not played with so many", game.name()))
        })?;
        let mut options = new.options.clone();
        // Nobody would answer.
        options.insert(TALK.to_owned(), "off".to_owned());
        let checked = game.check_options(&options, seats);
        let checked = checked.map_err(|error| Refusal::invalid("options", error.to_string()))?;
        if let Some(own) = KEPT_OPTIONS.into_iter().find(|it| options.contains_key(*it)) {
            return Err(Refusal::invalid("options", format!("{own:?} is no option on a device")));
        }
        options.insert(CASUAL.to_owned(), String::new());
        options.insert(DEVICE.to_owned(), String::new());
        let match_id = id_of(&new.seed);
        let create_time = time_of(new.now_ms)?;
        let seated = Seat::all()
            .zip(&new.seats)
            .map(|(seat, it)| seat_row(&new, game, seat, it, create_time));
        let seated = seated.collect::<Result<Vec<_>, _>>()?;
        let row = MatchRow {
            match_id,
            platform: PLATFORM.to_owned(),
            game: game.name().to_owned(),
            seats: seats.into(),
            create_time,
            terms: Terms {
                options,
                seed_commitment: *blake3::hash(&new.seed).as_bytes(),
                reveal_wait_s: Some(0),
                follows: None,
            },
            request_digest: Vec::new(),
            next: None,
            is_in_lobby: false,
            display_name: None,
            seated,
            last: None,
        };
        let mut played = Played::empty(row, game, new.seed);
        let opened = game.open(seats, &checked, &[], &mut played.chance().after(0));
        let (table, mut entry) = opened.map_err(|it| Refusal::of_rules(game.name(), it))?;
        for (seat, seated) in Seat::all().zip(&played.row.seated) {
            let key = seated.speech_key.expect("each seat has a key").0;
            entry.players.push(PlayerCommitment::new(
                match_id.0.as_bytes(),
                seat,
                &key,
                &seated.player,
            ));
        }
        played.record(entry, create_time, table);
        Ok(played)
    }

    /// A match before its first entry.
    pub fn empty(row: MatchRow, game: &'static dyn Game, seed: [u8; 32]) -> Played {
        let digests = Chain::new(Creation::from(&row), &seed);
        let table = Table::new(game.layout(), row.seats as u8, Viewer::House);
        let (recorded, entries, observations) = (Vec::new(), Vec::new(), BTreeMap::new());
        let (last, asked) = (None, None);
        Played { row, game, seed, digests, recorded, entries, table, observations, last, asked }
    }

    pub fn position(&self) -> Position {
        Position(self.entries.len() as i64)
    }

    /// The level of the bot on a seat.
    pub fn bot(&self, seat: Seat) -> Option<&str> {
        rows::level_of(&self.row.seated.get(seat.index())?.player)
    }

    pub fn cast(&self) -> Cast {
        Cast::of(players_of(&self.row))
    }

    fn chance(&self) -> MatchChance {
        MatchChance::new(self.row.match_id.0.as_bytes(), &self.seed, &[])
    }

    /// The house's table after the entry at a position.
    pub fn table_at(&self, position: Position) -> Table {
        if position == self.position() {
            return self.table.clone();
        }
        let mut table = Table::new(self.game.layout(), self.row.seats as u8, Viewer::House);
        self.entries[..position.0 as usize].iter().for_each(|it| table.apply(&it.entry));
        table
    }

    /// Decides a command, and records what follows.
    pub fn carry_out(&mut self, command: &Command, now_ms: i64) -> Result<Position, Refusal> {
        let (game, table) = (self.game, &self.table);
        let mut chance = self.chance().after(table.choices().into());
        let decided = match command {
            Command::Act(_, action) if action.verb() == SAY => {
                let message = "the match was created without talk";
                return Err(Refusal::new("failed_precondition", "TALK_OFF", message));
            }
            Command::Act(seat, action) => action.play(table, *seat, &mut chance),
            Command::Resign(seat) => game.resign(table, *seat, &mut chance),
            Command::TakeBack(seat) => {
                game.take_back(table, self.last_action(*seat).as_ref(), *seat)
            }
            Command::Vote(seat, motion, on) => game.vote(table, *seat, *motion, *on),
        };
        let (table, entry) = decided.map_err(|it| Refusal::of_rules(game.name(), it))?;
        self.record(entry, time_of(now_ms)?, table);
        Ok(self.position())
    }

    pub fn can_take_back(&self, seat: Seat) -> bool {
        let last = self.last_action(seat);
        last.is_some() && self.game.take_back(&self.table, last.as_ref(), seat).is_ok()
    }

    fn last_action(&self, seat: Seat) -> Option<LastAction> {
        let (nth, before) = self.last.as_ref()?;
        let entry = &self.entries[*nth].entry;
        let age = (self.entries.len() - nth) as u32;
        let is_own = entry.seat == Some(seat);
        is_own.then(|| LastAction { before: before.clone(), entry: entry.clone(), age })
    }

    /// Adds an entry. Times never go back, even if the clock of the device does.
    fn record(&mut self, entry: Entry, now: OffsetDateTime, after: Table) {
        let last = self.recorded.last().map_or(self.row.create_time, |it| it.create_time);
        let recorded = Recorded {
            position: self.position().next(),
            bucket_position: 0,
            request_id: None,
            create_time: now.max(last),
            body: entry.encode(),
            digest: None,
        };
        self.keep(recorded, entry, after);
    }

    /// Adds an entry as it was recorded, with the table after it.
    pub fn keep(&mut self, mut recorded: Recorded, entry: Entry, after: Table) {
        let before = std::mem::replace(&mut self.table, after);
        if !entry.is_aside() {
            self.last = Some((self.entries.len(), before));
        }
        let digested = Digested::of(&recorded, entry.seat.map(u8::from));
        recorded.digest = Some(self.digests.next(digested));
        let Recorded { position, create_time, digest, .. } = recorded;
        self.recorded.push(recorded);
        self.entries.push(RecordedEntry { position, create_time, request_id: None, entry, digest });
    }
}

fn seat_row(
    new: &New,
    game: &dyn Game,
    seat: Seat,
    it: &NewSeat,
    create_time: OffsetDateTime,
) -> Result<SeatRow, Refusal> {
    let key = blake3::derive_key(SPEECH_KEY, &[&new.seed[..], &[u8::from(seat)]].concat());
    let player = match &*it.bot {
        "" => PLAYER.to_owned(),
        level if bots::find(game, level).is_some() => bot_id(level, u64::from(u8::from(seat))),
        level => return Err(Refusal::invalid("bot", format!("there is no level {level:?}"))),
    };
    Ok(SeatRow {
        seat: u8::from(seat).into(),
        player,
        display_name: Some(it.display_name.clone()),
        request_id: None,
        create_time,
        speech_key: Some(SpeechKey(key)),
        is_erased: false,
        before: Vec::new(),
    })
}

fn time_of(ms: i64) -> Result<OffsetDateTime, Refusal> {
    let time = OffsetDateTime::from_unix_timestamp_nanos(i128::from(ms) * 1_000_000);
    time.map_err(|_| Refusal::invalid("now_ms", "it is no time"))
}
