//! Verifying that the service could have recorded a match: every entry decodes and applies, no
//! entry reveals what is hidden, every deal follows from the seed, and every digest from what it
//! covers.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::ops::ControlFlow;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use games::Game;
use store::{
    Chain, Digest, Digested, Follows, MatchId, MatchRow, Position, Recorded, SeatRow, SpeechKey,
};
use table::{
    Audit, ChaCha, Contribution, Entry, Event, MatchChance, RESIGN, Seat, Small, SpeechKeys, Table,
};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use uuid::Uuid;

use crate::line::{EntryLine, FollowsLine, Line, LineError, MatchLine, Reader, SeatLine};

/// A match from an archive, as the store records it.
pub struct WholeMatch {
    pub row: MatchRow,
    pub game: &'static dyn Game,
    pub seed: Option<[u8; 32]>,
    pub entries: Vec<Recorded>,
    /// The same entries, decoded, and opened as far as there are keys.
    pub decoded: Vec<Entry>,
    pub verified: Verified,
}

impl WholeMatch {
    /// Makes it a match of another platform. Digests cover the platform, so they change; without a
    /// seed they cannot be computed, nor can the match be imported.
    pub fn move_to(&mut self, platform: &str) {
        platform.clone_into(&mut self.row.platform);
        let options: BTreeMap<String, String> =
            serde_json::from_str(&self.row.options).expect("they were written from a map");
        let Some(seed) = self.seed else { return };
        let mut digests = Chain::new(self.row.creation(), &options, &seed);
        for (recorded, entry) in self.entries.iter_mut().zip(&self.decoded) {
            recorded.digest = Some(digests.next(Digested {
                position: recorded.position,
                create_time: recorded.create_time,
                seat: entry.seat.map(u8::from),
                request_id: recorded.request_id.as_deref(),
                body: &recorded.body,
            }));
        }
    }
}

/// The result of verifying a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    pub is_over: bool,
    pub deals: Deals,
}

/// What the rules of this program produce from a match's actions and its seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deals {
    /// Exactly the entries that were recorded.
    Verified,
    /// Different entries from this position on: the match was played under earlier rules.
    Earlier { position: i64 },
    /// The seed is not in the file.
    Unchecked,
}

/// The next match of an archive; none at its end. Fails at the first error.
pub fn read_match(reader: &mut Reader<impl BufRead>) -> Result<Option<WholeMatch>, LineError> {
    let head = loop {
        match reader.read()? {
            None => return Ok(None),
            Some(Line::Croupier(_)) => {}
            Some(Line::Match(head)) => break *head,
            Some(Line::Entry(_) | Line::End(_)) => {
                return Err(reader.error("an `entry` or `end` line without a `match` line"));
            }
        }
    };
    let mut reading = Reading::begin(&head).map_err(|problem| reader.error(problem))?;
    loop {
        let Some(line) = reader.read()? else {
            let problem = format!("the file was cut off within {}", head.name);
            return Err(LineError { line: reader.line + 1, problem });
        };
        match reading.take(&head, line).map_err(|problem| reader.error(problem))? {
            ControlFlow::Continue(()) => {}
            ControlFlow::Break(()) => return Ok(Some(reading.finish())),
        }
    }
}

struct Reading {
    row: MatchRow,
    game: &'static dyn Game,
    seed: Option<[u8; 32]>,
    speech_keys: SpeechKeys,
    entries: Vec<Recorded>,
    decoded: Vec<Entry>,
    audit: Audit,
    deals: Deals,
    /// Computes the digests, if the seed is known.
    digests: Option<Chain>,
    /// How many choices the entries so far record.
    choices: u32,
    /// The table that the rules produce, as long as they agree with the entries.
    dealt: Option<Table>,
}

impl Reading {
    fn begin(head: &MatchLine) -> Result<Reading, String> {
        let game = games::find(&head.game)
            .ok_or_else(|| format!("this program does not know the game {:?}", head.game))?;
        if !game.seats().contains(&head.seats) {
            return Err(format!("{} is not played with {} seats", head.game, head.seats));
        }
        let row = row_of(head)?;
        let seed = head.seed.as_deref().map(bytes::<32>).transpose()?;
        if seed.is_some_and(|seed| blake3::hash(&seed).as_bytes()[..] != row.seed_commitment) {
            return Err("the seed does not match its commitment".to_owned());
        }
        Ok(Reading {
            digests: seed.map(|seed| Chain::new(row.creation(), &head.options, &seed)),
            speech_keys: speech_keys(&row),
            row,
            game,
            seed,
            entries: Vec::new(),
            decoded: Vec::new(),
            audit: Audit::new(game.layout(), head.seats),
            deals: if seed.is_some() { Deals::Verified } else { Deals::Unchecked },
            choices: 0,
            dealt: None,
        })
    }

    fn take(&mut self, head: &MatchLine, line: Line) -> Result<ControlFlow<()>, String> {
        match line {
            Line::Entry(line) => {
                self.apply(head, &line)?;
                Ok(ControlFlow::Continue(()))
            }
            Line::End(end) if end.name != head.name => {
                Err(format!("it ends {}, not {}", end.name, head.name))
            }
            Line::End(end) if end.entries != self.entries.len() => {
                Err(format!("the match has {} entries, not {}", self.entries.len(), end.entries))
            }
            Line::End(_) => Ok(ControlFlow::Break(())),
            Line::Croupier(_) | Line::Match(_) => {
                Err(format!("another match starts before {} has ended", head.name))
            }
        }
    }

    fn apply(&mut self, head: &MatchLine, line: &EntryLine) -> Result<(), String> {
        let position = self.entries.len() as i64 + 1;
        if line.position != position {
            return Err(format!("position {position} is next, not {}", line.position));
        }
        let body = BASE64_STANDARD.decode(&line.body);
        let body = body.map_err(|error| format!("its body is not base64: {error}"))?;
        let mut entry = Entry::decode(&body, self.game.layout())
            .map_err(|error| format!("its body is not an entry of {}: {error}", head.game))?;
        if entry.encode()[..] != body {
            return Err("its body is not in the canonical encoding".to_owned());
        }
        if (line.seat, line.verb.as_str()) != (entry.seat.map(u8::from), entry.verb) {
            return Err("its seat or verb differs from its body".to_owned());
        }
        entry.open(position, &self.speech_keys).map_err(|error| error.to_string())?;
        self.audit.apply(&entry, position == 1).map_err(|violation| violation.to_string())?;
        if self.deals == Deals::Verified && !self.deal(head, position, &entry) {
            self.deals = Deals::Earlier { position };
        }
        let create_time = time(&line.create_time)?;
        let digest = self.digest_of(line, create_time, &body)?;
        self.entries.push(Recorded {
            position: Position(position),
            bucket_position: 0,
            request_id: line.request_id.clone(),
            create_time,
            body: body.into(),
            digest,
        });
        self.decoded.push(entry);
        Ok(())
    }

    /// The digest of an entry: computed if the seed is known, and then compared with the one in the
    /// file.
    fn digest_of(
        &mut self,
        line: &EntryLine,
        create_time: OffsetDateTime,
        body: &[u8],
    ) -> Result<Option<Digest>, String> {
        let stored = line.digest.as_deref().map(bytes::<32>).transpose()?.map(Digest::from);
        let Some(digests) = &mut self.digests else { return Ok(stored) };
        let digested = Digested {
            position: Position(line.position),
            create_time,
            seat: line.seat,
            request_id: line.request_id.as_deref(),
            body,
        };
        let digest = digests.next(digested);
        if stored.is_some_and(|stored| stored != digest) {
            return Err("its digest is wrong: this entry, one before it, or what the match was \
                        created with has been altered"
                .to_owned());
        }
        Ok(Some(digest))
    }

    /// Whether the rules produce the same entry from the same action and the same randomness.
    fn deal(&mut self, head: &MatchLine, position: i64, decoded: &Entry) -> bool {
        let seed = self.seed.expect("deals are verified only with a seed");
        let unsealed = decoded.unsealed();
        let decoded = &*unsealed;
        let contributions = contributions(decoded);
        let id = self.row.match_id.0;
        let of_match = |contributions: &[Contribution], choices: u32| {
            MatchChance::new(id.as_bytes(), &seed, contributions).after(choices.into())
        };
        let mut chance = match &self.dealt {
            _ if decoded.rules == 0 => ChaCha::of(seed, position.unsigned_abs()),
            None => of_match(&contributions, 0),
            Some(table) => of_match(table.contributions(), self.choices),
        };
        self.choices += decoded.choices.len() as u32;
        let dealt = match (&self.dealt, decoded.seat, &decoded.action) {
            (None, ..) => {
                let options = self.game.check_options(&head.options, head.seats).ok();
                options.map(|it| self.game.open(head.seats, &it, &contributions, &mut chance))
            }
            (Some(table), Some(seat), Some(action)) => {
                self.game.play(table, seat, action, &mut chance).ok()
            }
            (Some(table), Some(seat), None) if decoded.verb == RESIGN => {
                self.game.resign(table, seat, &mut chance).ok()
            }
            (Some(_), ..) => None,
        };
        let Some((table, entry)) = dealt else { return false };
        self.dealt = Some(table);
        // Earlier releases recorded neither.
        let (rules, choices) = match decoded.rules {
            0 => (0, Vec::new()),
            _ => (entry.rules, entry.choices),
        };
        Entry { rules, choices, ..entry } == *decoded
    }

    fn finish(self) -> WholeMatch {
        let Reading { row, game, seed, entries, decoded, audit, deals, .. } = self;
        let verified = Verified { is_over: audit.table().ended(), deals };
        WholeMatch { row, game, seed, entries, decoded, verified }
    }
}

/// What the seats contributed to the chance of the match, which its first entry tells.
fn contributions(opening: &Entry) -> Vec<Contribution> {
    let contributed = opening.events.iter().map_while(|event| match event {
        Event::Contributed(it) => Some((**it).clone()),
        _ => None,
    });
    contributed.collect()
}

fn row_of(head: &MatchLine) -> Result<MatchRow, String> {
    let seated = head.players.iter().map(|line| seat_of(line, head.seats));
    // Without it, a retry of the request that created the match is refused as another request.
    let request_digest = head.request_digest.as_deref().map(unhex).transpose()?.unwrap_or_default();
    Ok(MatchRow {
        match_id: match_id(&head.name)?,
        platform: head.platform.clone(),
        game: head.game.clone(),
        seats: head.seats.into(),
        options: serde_json::to_string(&head.options).expect("text is JSON"),
        request_digest,
        seed_commitment: bytes::<32>(&head.seed_commitment)?.to_vec(),
        reveal_wait_s: head.reveal_wait_s,
        follows: head.follows.as_ref().map(|line| follows_of(line, head.seats)).transpose()?,
        next: None,
        create_time: time(&head.create_time)?,
        seated: seated.collect::<Result<_, _>>()?,
        last: None,
    })
}

fn speech_keys(row: &MatchRow) -> SpeechKeys {
    let mut keys = SpeechKeys::default();
    for it in &row.seated {
        let seat = Seat::nth(it.seat.unsigned_abs().into()).expect("the match has this seat");
        it.speech_key.into_iter().for_each(|SpeechKey(key)| keys.insert(seat, key));
    }
    keys
}

fn match_id(name: &str) -> Result<MatchId, String> {
    let id = name.strip_prefix("matches/").and_then(|id| Uuid::try_parse(id).ok());
    id.map(MatchId).ok_or_else(|| format!("{name:?} is not the name of a match"))
}

fn follows_of(line: &FollowsLine, seats: u8) -> Result<Follows, String> {
    if line.wins.len() != usize::from(seats) {
        return Err(format!("the wins of {} seats are given for {seats}", line.wins.len()));
    }
    let played = line.wins.iter().try_fold(0, |sum: i32, wins| sum.checked_add(*wins));
    let is_possible = line.wins.iter().all(|wins| *wins >= 0)
        && played.is_some_and(|played| played < line.number)
        && line.best_of.is_none_or(|best_of| best_of > 0);
    if !is_possible {
        return Err("the numbers of its series contradict each other".to_owned());
    }
    Ok(Follows {
        previous: match_id(&line.previous)?,
        number: line.number,
        wins: line.wins.clone(),
        best_of: line.best_of,
    })
}

fn seat_of(line: &SeatLine, seats: u8) -> Result<SeatRow, String> {
    if line.seat >= seats {
        return Err(format!("the match has no seat {}", line.seat));
    }
    Ok(SeatRow {
        seat: line.seat.into(),
        player: line.player.clone(),
        display_name: line.display_name.clone(),
        request_id: line.request_id.clone(),
        create_time: time(&line.create_time)?,
        speech_key: line.speech_key.as_deref().map(bytes::<32>).transpose()?.map(SpeechKey),
        is_erased: line.erased,
    })
}

fn time(text: &str) -> Result<OffsetDateTime, String> {
    OffsetDateTime::parse(text, &Rfc3339).map_err(|_| format!("{text:?} is not a time"))
}

fn bytes<const N: usize>(text: &str) -> Result<[u8; N], String> {
    unhex(text)?.try_into().map_err(|_| format!("{text:?} does not have {N} bytes"))
}

fn unhex(text: &str) -> Result<Vec<u8>, String> {
    let digits = text.as_bytes().chunks(2).map(|pair| {
        let pair = std::str::from_utf8(pair).ok().filter(|pair| pair.len() == 2)?;
        u8::from_str_radix(pair, 16).ok()
    });
    digits.collect::<Option<_>>().ok_or_else(|| format!("{text:?} is not hexadecimal"))
}
