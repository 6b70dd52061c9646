//! Random matches of every game, recorded as the service records them.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use games::Game;
use positions::{Position, Recorded};
use records::{
    Chain, Creation, Digested, EndLine, EntryLine, Header, Line, MatchLine, SeatLine, VERSION,
    Writer, match_line,
};
use rows::{FormerPlayer, MatchId, MatchRow, SeatRow, SpeechKey, Terms, match_name};
use table::{
    ChaCha, Chance, Contribution, Entry, Event, MatchChance, PlayerCommitment, Seat, Small, Table,
};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use uuid::Uuid;

/// A match and its whole record.
#[derive(Clone)]
pub struct Played {
    pub row: MatchRow,
    pub seed: [u8; 32],
    pub entries: Vec<Entry>,
    pub recorded: Vec<Recorded>,
    /// The seconds from each entry to the next.
    pub step_s: u32,
}

/// The times of matches and entries.
const TIME: OffsetDateTime = OffsetDateTime::UNIX_EPOCH;

impl Played {
    /// A match of up to `entries_max` entries. In every second match, seats contribute to its
    /// chance.
    pub fn new(game: &'static dyn Game, seats: u8, number: u64, entries_max: usize) -> Played {
        let mut random = ChaCha::of([7; 32], number);
        let mut seed = [0; 32];
        seed.fill_with(|| random.below(256) as u8);
        let match_id = MatchId(Uuid::from_u128(u128::from(number) << 64 | 0x4000_8000 << 32));
        let contributions = if number.is_multiple_of(2) {
            let given = |seat| Contribution {
                seat: Seat::nth(seat).expect("a few seats"),
                bytes: Bytes::from(vec![seat as u8 + 1; 16 + random.below(17)]),
                after_commitment: true,
            };
            (0..usize::from(seats)).map(given).collect()
        } else {
            Vec::new()
        };
        let row = MatchRow {
            match_id,
            platform: "acme".to_owned(),
            game: game.name().to_owned(),
            seats: seats.into(),
            create_time: TIME,
            terms: Terms {
                seed_commitment: *blake3::hash(&seed).as_bytes(),
                reveal_wait_s: Some(0),
                ..Terms::default()
            },
            request_digest: vec![1; 32],
            next: None,
            is_in_lobby: false,
            display_name: None,
            seated: Vec::new(),
            last: None,
        };
        let chance = MatchChance::new(match_id.0.as_bytes(), &seed, &contributions);
        let entries = play(game, seats, &contributions, &chance, &mut random, entries_max);
        let mut played = Played { row, seed, entries, recorded: Vec::new(), step_s: 0 };
        played.record();
        played
    }

    /// Seats a player with a key on each seat, and another one wherever a player is replaced, and
    /// commits to them.
    pub fn seat_players(&mut self) {
        let seats = 0..self.row.seats;
        self.row.seated = seats.map(|seat| seated(seat, &format!("player {seat}"))).collect();
        let players = self.row.seated.iter().map(|it| self.commit(it.seat, &it.player));
        self.entries[0].players = players.collect();
        for nth in 1..self.entries.len() {
            let Some(&Event::Replaced { seat }) = self.entries[nth].events.first() else {
                continue;
            };
            let (number, until) = (i16::from(u8::from(seat)), Position(nth as i64 + 1));
            let next = seated(number, &format!("player {number} at {}", until.0));
            self.entries[nth].players = vec![self.commit(number, &next.player)];
            let last = std::mem::replace(&mut self.row.seated[seat.index()], next);
            self.row.seated[seat.index()].before = [
                last.before,
                vec![FormerPlayer {
                    until,
                    player: last.player,
                    display_name: None,
                    speech_key: last.speech_key,
                    is_erased: false,
                }],
            ]
            .concat();
        }
        self.record();
    }

    /// The commitment to a player of a seat, with the key that [`seated`] gives.
    pub fn commit(&self, seat: i16, player: &str) -> PlayerCommitment {
        let nth = Seat::nth(seat.unsigned_abs().into()).expect("a low seat");
        PlayerCommitment::new(self.row.match_id.0.as_bytes(), nth, &key_of(player), player)
    }

    /// Records the entries, with correct digests.
    pub fn record(&mut self) {
        let mut digests = Chain::new(Creation::from(&self.row), &self.seed);
        let recorded = (1..).zip(&self.entries).map(|(position, entry)| {
            let body = entry.encode();
            let request_id = entry.seat.map(|_| format!("request-{position}"));
            let create_time = self.time(position);
            let digest = digests.next(Digested {
                position: Position(position),
                create_time,
                seat: entry.seat.map(u8::from),
                request_id: request_id.as_deref(),
                body: &body,
            });
            let (position, bucket_position) = (Position(position), 0);
            let digest = Some(digest);
            Recorded { position, bucket_position, request_id, create_time, body, digest }
        });
        self.recorded = recorded.collect();
    }

    pub fn is_over(&self) -> bool {
        self.entries.last().is_some_and(|it| it.winners().is_some())
    }

    /// When the entry at a position is recorded.
    pub fn time(&self, position: i64) -> OffsetDateTime {
        TIME + time::Duration::seconds(i64::from(self.step_s) * (position - 1))
    }

    /// Its lines in a file of records, without the header.
    pub fn lines(&self) -> Vec<Line> {
        let row = &self.row;
        let player = |seat: u8| SeatLine {
            seat,
            player: format!("player {seat}"),
            display_name: None,
            request_id: Some(format!("join-{seat}")),
            create_time: rfc3339(TIME),
            speech_key: None,
            erased: false,
            before: Vec::new(),
        };
        let seats = u8::try_from(row.seats).expect("a few seats");
        let head: MatchLine = serde_json::from_value(serde_json::json!({
            "name": match_name(row.match_id),
            "platform": row.platform,
            "game": row.game,
            "seats": seats,
            "players": (0..seats).map(player).collect::<Vec<_>>(),
            "options": row.terms.options,
            "request_digest": hex::encode(&row.request_digest),
            "seed_commitment": hex::encode(row.terms.seed_commitment),
            (if self.is_over() { "seed" } else { "secret_seed" }): hex::encode(self.seed),
            "reveal_wait_s": row.terms.reveal_wait_s,
            "create_time": rfc3339(row.create_time),
        }))
        .expect("a line of a match");
        let head = match match_line(row, Some(self.seed), self.is_over()) {
            Line::Match(seated) if !row.seated.is_empty() => *seated,
            _ => head,
        };
        let entries = self.recorded.iter().zip(&self.entries).map(|(recorded, entry)| {
            Line::Entry(EntryLine {
                position: recorded.position.0,
                seat: entry.seat.map(u8::from),
                verb: entry.verb.to_owned(),
                request_id: recorded.request_id.clone(),
                create_time: rfc3339(recorded.create_time),
                body: BASE64_STANDARD.encode(&recorded.body),
                digest: recorded.digest.map(|it| it.to_string()),
            })
        });
        let end = EndLine { name: match_name(row.match_id), entries: self.entries.len() };
        let mut lines = vec![Line::Match(Box::new(head))];
        lines.extend(entries);
        lines.push(Line::End(end));
        lines
    }
}

/// A player of a seat, with a key of the player's own.
pub fn seated(seat: i16, player: &str) -> SeatRow {
    SeatRow {
        seat,
        player: player.to_owned(),
        display_name: None,
        request_id: None,
        create_time: TIME,
        speech_key: Some(SpeechKey(key_of(player))),
        is_erased: false,
        before: Vec::new(),
    }
}

fn key_of(player: &str) -> [u8; 32] {
    let mut key = [0xb0; 32];
    key.iter_mut().zip(player.bytes()).for_each(|(to, from)| *to = from);
    key
}

/// A file of these lines.
pub fn text_of<'a>(lines: impl IntoIterator<Item = &'a Line>) -> String {
    let mut writer = Writer::new(Vec::new());
    writer.write(&Line::Croupier(Header { version: VERSION })).expect("memory");
    lines.into_iter().for_each(|line| writer.write(line).expect("memory"));
    String::from_utf8(writer.into_output()).expect("JSON is text")
}

fn rfc3339(time: OffsetDateTime) -> String {
    time.format(&Rfc3339).expect("a time of this era")
}

fn play(
    game: &'static dyn Game,
    seats: u8,
    contributions: &[Contribution],
    chance: &MatchChance,
    random: &mut ChaCha,
    entries_max: usize,
) -> Vec<Entry> {
    let options = game.check_options(&Default::default(), seats).expect("the defaults fit");
    let opened = game.open(seats, &options, contributions, &mut chance.after(0));
    let (mut table, opening) = opened.expect("native rules open every match");
    let mut choices = opening.choices.len() as u64;
    let mut entries = vec![opening];
    while !table.ended() && entries.len() < entries_max {
        let (seat, action) = choose(game, &table, random);
        let mut chance = chance.after(choices);
        let played = game.play(&table, seat, &action, &mut chance);
        let (after, entry) = played.expect("what a game calls legal it accepts");
        choices += entry.choices.len() as u64;
        table = after;
        entries.push(entry);
    }
    entries
}

/// A random action of a seat that must act: first a kind, then an action of it.
pub fn choose(game: &dyn Game, table: &Table, random: &mut ChaCha) -> (Seat, Bytes) {
    let asked: Vec<Seat> = table.live().filter(|it| it.must).map(|it| it.seat).collect();
    let seat = asked[random.below(asked.len())];
    let legal = game.legal(table, seat).expect("native rules list");
    let mut verbs: Vec<&str> = legal.iter().map(|it| it.verb).collect();
    verbs.sort_unstable();
    verbs.dedup();
    let verb = verbs[random.below(verbs.len())];
    let alike: Vec<_> = legal.iter().filter(|it| it.verb == verb).collect();
    (seat, alike[random.below(alike.len())].action.clone())
}
