//! The stored entry as every verifier reads it, without the layout of a game.
//!
//! `docs/verify.md` defines the fields and the one encoding of each entry. Reading refuses any
//! other, and bounds what the rules can be made to do: they make at most as many choices as an
//! entry has, and record at most as many events.

use table::{Choice, Contribution, EVENTS_MAX, PROMPTS_MAX, PlayerCommitment, Seat, Small};

use crate::code::{Code, Problem, ensure};

/// The parts of a stored entry that a verifier needs.
#[derive(Debug, Default)]
pub(crate) struct Body<'a> {
    pub seat: Option<u64>,
    pub verb: &'a str,
    /// The version of the game's rules; 0 if the entry has none.
    pub rules: u32,
    pub choices: Vec<Choice>,
    /// The contributions at the start.
    pub contributions: Vec<Contribution>,
    /// Whether a contribution follows another event.
    pub has_late_contribution: bool,
    /// The seat whose player is replaced, if its first event says so.
    pub replaced: Option<u64>,
    /// The commitments to players, in the order of the seats.
    pub players: Vec<PlayerCommitment>,
    /// Whether it ends the match, with or without a result.
    pub ends: bool,
}

/// The numbers of the fields of a stored entry, and of the events that matter here.
mod field {
    pub const SEAT: u64 = 1;
    pub const VERB: u64 = 2;
    pub const EVENTS: u64 = 4;
    pub const PROMPTS: u64 = 5;
    pub const RULES: u64 = 6;
    pub const CHOICES: u64 = 7;
    pub const PLAYERS: u64 = 8;

    pub const ENDED: u64 = 15;
    pub const CONTRIBUTED: u64 = 18;
    pub const ABANDONED: u64 = 25;
    pub const REPLACED: u64 = 26;
}

/// The shortest and the longest contribution, in bytes.
const CONTRIBUTION_BYTES: std::ops::RangeInclusive<usize> =
    table::CONTRIBUTION_BYTES_MIN..=table::CONTRIBUTION_BYTES_MAX;

impl<'a> Body<'a> {
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Body<'a>, Problem> {
        let mut body = Body::default();
        let (mut events, mut prompts) = (0, 0);
        let mut last = 0;
        for field in Fields(bytes) {
            let (number, value) = field?;
            let repeats = matches!(number, field::EVENTS | field::PROMPTS | field::PLAYERS);
            if number < last || number == last && !repeats {
                return Err(not_canonical());
            }
            last = number;
            match (number, value) {
                (field::SEAT, Value::Number(seat)) => body.seat = Some(seat),
                (field::VERB, Value::Bytes(verb)) if !verb.is_empty() => {
                    body.verb = std::str::from_utf8(verb).map_err(|_| no_entry())?;
                }
                (3, Value::Bytes(_)) => {}
                (field::EVENTS, Value::Bytes(event)) => {
                    events += 1;
                    body.event(event, events)?;
                }
                (field::PROMPTS, Value::Bytes(_)) => prompts += 1,
                (field::RULES, Value::Number(rules)) if rules != 0 => {
                    body.rules = rules.try_into().map_err(|_| no_entry())?;
                }
                (field::CHOICES, Value::Bytes(choices)) if !choices.is_empty() => {
                    body.choices = read_choices(choices)?;
                }
                (field::PLAYERS, Value::Bytes(player)) => {
                    let player = read_player(player)?;
                    let last = body.players.last();
                    if last.is_some_and(|it| it.seat.index() >= player.seat.index()) {
                        return Err(no_commitment());
                    }
                    body.players.push(player);
                }
                (1..=8, _) => return Err(not_canonical()),
                _ => {
                    let reason = format!("its body has a field {number}: a later release wrote it");
                    return Err(Code::BodyInvalid.because(reason));
                }
            }
        }
        at_most(events, EVENTS_MAX, "events")?;
        at_most(prompts, PROMPTS_MAX, "prompts")?;
        Ok(body)
    }

    /// An event, and how many there are with it.
    fn event(&mut self, bytes: &[u8], count: usize) -> Result<(), Problem> {
        let mut fields = Fields(bytes);
        let (Some(event), None) = (fields.next(), fields.next()) else {
            let reason = "its body has an event of no kind, or of two";
            return Err(Code::BodyInvalid.because(reason));
        };
        let (number, value) = event?;
        self.ends |= matches!(number, field::ENDED | field::ABANDONED);
        if number == field::REPLACED && count == 1 {
            let Value::Number(seat) = value else { return Err(no_entry()) };
            self.replaced = Some(seat);
        }
        if number == field::CONTRIBUTED {
            if self.contributions.len() + 1 == count {
                self.contributions.push(read_contribution(value)?);
            } else {
                self.has_late_contribution = true;
            }
        }
        Ok(())
    }
}

fn read_contribution(value: Value<'_>) -> Result<Contribution, Problem> {
    let invalid =
        || Code::ContributionInvalid.because("a contribution is not one of 16 to 32 bytes");
    let Value::Bytes(bytes) = value else { return Err(invalid()) };
    let (mut seat, mut contribution, mut after_commitment) = (0, None, false);
    let mut last = 0;
    for field in Fields(bytes) {
        let (number, value) = field?;
        if number <= last {
            return Err(invalid());
        }
        last = number;
        match (number, value) {
            (1, Value::Number(number)) if number != 0 => seat = number,
            (2, Value::Bytes(bytes)) => contribution = Some(bytes),
            (3, Value::Number(1)) => after_commitment = true,
            _ => return Err(invalid()),
        }
    }
    let contribution = contribution.filter(|it| CONTRIBUTION_BYTES.contains(&it.len()));
    let bytes = contribution.ok_or_else(invalid)?.to_vec().into();
    let seat = usize::try_from(seat).ok().and_then(Seat::nth).ok_or_else(invalid)?;
    Ok(Contribution { seat, bytes, after_commitment })
}

fn read_player(bytes: &[u8]) -> Result<PlayerCommitment, Problem> {
    let (mut seat, mut commitment) = (0, None);
    let mut last = 0;
    for field in Fields(bytes) {
        let (number, value) = field?;
        if number <= last {
            return Err(no_commitment());
        }
        last = number;
        match (number, value) {
            (1, Value::Number(number)) if number != 0 => seat = number,
            (2, Value::Bytes(bytes)) => commitment = Some(bytes),
            _ => return Err(no_commitment()),
        }
    }
    let commitment = commitment.and_then(|it| it.try_into().ok()).ok_or_else(no_commitment)?;
    let seat = usize::try_from(seat).ok().and_then(Seat::nth).ok_or_else(no_commitment)?;
    Ok(PlayerCommitment { seat, commitment })
}

fn read_choices(mut packed: &[u8]) -> Result<Vec<Choice>, Problem> {
    let mut choices = Vec::new();
    while !packed.is_empty() {
        let (bound, value) = (varint(&mut packed)?, varint(&mut packed)?);
        let nth = choices.len() + 1;
        let (Ok(bound), true) = (u32::try_from(bound), value < bound) else {
            let reason = format!("its choice {nth} is {value}, which is not below {bound}");
            return Err(Code::ChoiceInvalid.because(reason));
        };
        choices.push(Choice { bound, value: value as u32 });
    }
    at_most(choices.len(), table::CHOICES_MAX, "choices")?;
    Ok(choices)
}

fn at_most(count: usize, most: usize, what: &str) -> Result<(), Problem> {
    ensure(count <= most, Code::BodyInvalid, || {
        format!("its body has {count} {what}, and an entry has at most {most}")
    })
}

// === Protobuf ===

enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

/// The fields of a message: numbers and values.
struct Fields<'a>(&'a [u8]);

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(u64, Value<'a>), Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        (!self.0.is_empty()).then(|| self.field())
    }
}

impl<'a> Fields<'a> {
    fn field(&mut self) -> Result<(u64, Value<'a>), Problem> {
        let tag = varint(&mut self.0)?;
        let number = varint(&mut self.0)?;
        let value = match tag & 7 {
            0 => Value::Number(number),
            2 => {
                let length = usize::try_from(number).map_err(|_| no_entry())?;
                let (bytes, rest) = self.0.split_at_checked(length).ok_or_else(no_entry)?;
                self.0 = rest;
                Value::Bytes(bytes)
            }
            _ => return Err(no_entry()),
        };
        Ok((tag >> 3, value))
    }
}

/// The next number, which must have its shortest form.
fn varint(bytes: &mut &[u8]) -> Result<u64, Problem> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first().ok_or_else(no_entry)?;
        *bytes = rest;
        value |= u64::from(byte & 127) << shift;
        if byte < 128 {
            let is_shortest = (byte > 0 || shift == 0) && (shift < 63 || byte < 2);
            return if is_shortest { Ok(value) } else { Err(not_canonical()) };
        }
    }
    Err(no_entry())
}

fn no_commitment() -> Problem {
    let reason =
        "its commitments to players are not of 32 bytes, one a seat, in the order of seats";
    Code::BodyInvalid.because(reason)
}

fn no_entry() -> Problem {
    Code::BodyInvalid.because("its body is not an entry")
}

pub(crate) fn not_canonical() -> Problem {
    Code::BodyInvalid.because("its body is not in the canonical encoding")
}
