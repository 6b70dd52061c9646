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

#[cfg(test)]
mod tests {
    use super::*;

    fn number(field: u64, value: u64) -> Vec<u8> {
        [varint(field << 3), varint(value)].concat()
    }

    fn bytes(field: u64, value: &[u8]) -> Vec<u8> {
        [varint(field << 3 | 2), varint(value.len() as u64), value.to_vec()].concat()
    }

    fn varint(mut number: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        while number > 127 {
            bytes.push(number as u8 | 128);
            number >>= 7;
        }
        bytes.push(number as u8);
        bytes
    }

    /// Whether an entry is read, and why not.
    fn read(entry: &[u8]) -> Result<(), String> {
        Body::read(entry).map(drop).map_err(|it| it.reason)
    }

    const NOT_AN_ENTRY: &str = "its body is not an entry";
    const NOT_CANONICAL: &str = "its body is not in the canonical encoding";

    #[test]
    fn an_entry_is_read() {
        let bytes_of_seat = |seat: u64, length| {
            let seat = if seat == 0 { Vec::new() } else { number(1, seat) };
            [seat, bytes(2, &vec![7; length])].concat()
        };
        let contributed = |seat| bytes_of_seat(seat, 16 + 16 * seat as usize);
        let after = [contributed(1), number(3, 1)].concat();
        let late = bytes(field::CONTRIBUTED, &contributed(0));
        let entry = [
            number(field::SEAT, 0),
            bytes(field::VERB, b"con"),
            bytes(3, b"arguments"),
            bytes(field::EVENTS, &bytes(field::CONTRIBUTED, &contributed(0))),
            bytes(field::EVENTS, &bytes(field::CONTRIBUTED, &after)),
            bytes(field::EVENTS, &number(field::ENDED, 1)),
            bytes(field::PROMPTS, b""),
            bytes(field::PROMPTS, b""),
            number(field::RULES, 4_294_967_295),
            bytes(
                field::CHOICES,
                &[varint(6), varint(5), varint(4_294_967_295), varint(0)].concat(),
            ),
            bytes(field::PLAYERS, &bytes_of_seat(0, 32)),
            bytes(field::PLAYERS, &bytes_of_seat(7, 32)),
        ];
        let whole = entry.concat();
        let body = Body::read(&whole).expect("it is an entry");
        assert_eq!((body.seat, body.verb, body.rules), (Some(0), "con", u32::MAX));
        let choices = [(6, 5), (u32::MAX, 0)].map(|(bound, value)| Choice { bound, value });
        assert_eq!(body.choices, choices);
        let seat = |seat| Seat::nth(seat).expect("a seat");
        let contributions =
            [(0, 16, false), (1, 32, true)].map(|(nth, length, after_commitment)| Contribution {
                seat: seat(nth),
                bytes: vec![7; length].into(),
                after_commitment,
            });
        assert_eq!(body.contributions, contributions);
        assert!(!body.has_late_contribution);
        let players: Vec<_> = body.players.iter().map(|it| (it.seat, it.commitment)).collect();
        assert_eq!(players, [(seat(0), [7; 32]), (seat(7), [7; 32])]);
        assert_eq!((body.ends, body.replaced), (true, None));

        let events = |events: &[Vec<u8>]| -> Vec<u8> {
            events.iter().flat_map(|it| bytes(field::EVENTS, it)).collect()
        };
        let (replaced, other) = (number(field::REPLACED, 3), number(16, 1));
        let told = |all: &[Vec<u8>]| {
            let bytes = events(all);
            let body = Body::read(&bytes).expect("it is an entry");
            (body.ends, body.replaced, body.has_late_contribution)
        };
        assert_eq!(told(&[replaced.clone(), other.clone()]), (false, Some(3), false));
        assert_eq!(told(&[other.clone(), replaced]), (false, None, false));
        assert_eq!(told(&[number(field::ABANDONED, 1)]), (true, None, false));
        assert_eq!(told(&[other, late]), (false, None, true));
        assert!(Body::read(b"").is_ok_and(|it| it.seat.is_none() && !it.ends));
    }

    #[test]
    fn an_entry_has_one_encoding() {
        let (seat, verb) = (number(field::SEAT, 1), bytes(field::VERB, b"con"));
        for parts in
            [&[verb.clone(), seat.clone()][..], &[seat.clone(), seat], &[verb.clone(), verb]]
        {
            assert_eq!(read(&parts.concat()), Err(NOT_CANONICAL.to_owned()));
        }
        for other in [
            bytes(field::SEAT, b"\x01"),
            number(field::VERB, 1),
            bytes(field::VERB, b""),
            number(3, 1),
            number(field::EVENTS, 1),
            number(field::PROMPTS, 1),
            number(field::RULES, 0),
            bytes(field::RULES, b"\x01"),
            number(field::CHOICES, 1),
            bytes(field::CHOICES, b""),
            number(field::PLAYERS, 1),
            // Longer than the shortest forms of 1 and 0, and a number of more than 64 bits.
            vec![0x88, 0x00, 1],
            vec![0x08, 0x80, 0x00],
            vec![0x08, 255, 255, 255, 255, 255, 255, 255, 255, 255, 2],
        ] {
            assert_eq!(read(&other), Err(NOT_CANONICAL.to_owned()), "{other:?}");
        }
        for other in [
            bytes(field::VERB, b"\xff"),
            number(field::RULES, 1 << 32),
            bytes(field::EVENTS, &bytes(field::REPLACED, b"")),
            // A field without a value, one that is cut off, and forms of numbers that none has.
            vec![0x08],
            vec![0x0a, 1],
            vec![0x09, 1],
            vec![0x0d, 1],
            vec![0x08, 255, 255, 255, 255, 255, 255, 255, 255, 255, 128, 0],
        ] {
            assert_eq!(read(&other), Err(NOT_AN_ENTRY.to_owned()), "{other:?}");
        }
        assert_eq!(read(&number(field::SEAT, u64::MAX)), Ok(()));
        let later = |field: u64| format!("its body has a field {field}: a later release wrote it");
        assert_eq!(read(&number(9, 1)), Err(later(9)));
        let events = "its body has an event of no kind, or of two";
        for event in [Vec::new(), [number(16, 1), number(17, 1)].concat()] {
            assert_eq!(read(&bytes(field::EVENTS, &event)), Err(events.to_owned()));
        }
    }

    #[test]
    fn contributions_and_commitments_have_one_encoding() {
        let contribution = |parts: &[Vec<u8>]| {
            let event = bytes(field::CONTRIBUTED, &parts.concat());
            Body::read(&bytes(field::EVENTS, &event)).map(drop).map_err(|it| it.code)
        };
        let (one, sixteen) = (number(1, 1), bytes(2, &[7; 16]));
        assert_eq!(contribution(&[one.clone(), sixteen.clone(), number(3, 1)]), Ok(()));
        for parts in [
            &[one.clone()][..],
            &[bytes(2, &[7; 15])],
            &[bytes(2, &[7; 33])],
            &[number(1, 0), sixteen.clone()],
            &[number(1, 8), sixteen.clone()],
            &[sixteen.clone(), one.clone()],
            &[one.clone(), one.clone(), sixteen.clone()],
            &[sixteen.clone(), number(3, 0)],
            &[sixteen.clone(), number(3, 2)],
            &[sixteen.clone(), number(4, 1)],
            &[number(2, 1)],
        ] {
            assert_eq!(contribution(parts), Err(Code::ContributionInvalid), "{parts:?}");
        }
        let event = number(field::CONTRIBUTED, 1);
        let refused = Body::read(&bytes(field::EVENTS, &event)).map(drop).map_err(|it| it.code);
        assert_eq!(refused, Err(Code::ContributionInvalid));

        let player = |parts: &[Vec<u8>]| bytes(field::PLAYERS, &parts.concat());
        let commitment = bytes(2, &[7; 32]);
        let (first, second) =
            (player(std::slice::from_ref(&commitment)), player(&[one.clone(), commitment.clone()]));
        assert_eq!(read(&[first.clone(), second.clone()].concat()), Ok(()));
        for players in [
            vec![first.clone(), first.clone()],
            vec![second, first],
            vec![player(std::slice::from_ref(&one))],
            vec![player(&[bytes(2, &[7; 31])])],
            vec![player(&[number(1, 0), commitment.clone()])],
            vec![player(&[number(1, 8), commitment.clone()])],
            vec![player(&[commitment.clone(), one])],
            vec![player(&[commitment.clone(), commitment.clone()])],
            vec![player(&[commitment, number(3, 1)])],
            vec![player(&[number(2, 1)])],
        ] {
            assert_eq!(read(&players.concat()), Err(no_commitment().reason), "{players:?}");
        }
    }

    #[test]
    fn what_an_entry_may_have_is_bounded() {
        let choices = |count: usize| bytes(field::CHOICES, &[2, 1].repeat(count));
        let events = |count: usize| bytes(field::EVENTS, &number(16, 1)).repeat(count);
        let prompts = |count: usize| bytes(field::PROMPTS, b"").repeat(count);
        let limits = [
            (&choices as &dyn Fn(usize) -> Vec<u8>, table::CHOICES_MAX, "choices"),
            (&events, EVENTS_MAX, "events"),
            (&prompts, PROMPTS_MAX, "prompts"),
        ];
        for (of, most, what) in limits {
            assert_eq!(read(&of(most)), Ok(()));
            let more = most + 1;
            let reason = format!("its body has {more} {what}, and an entry has at most {most}");
            assert_eq!(read(&of(more)), Err(reason));
        }
        for (bound, value) in [(1, 1), (5, 6), (1 << 32, 0), (0, 0)] {
            let packed = [varint(1), varint(0), varint(bound), varint(value)].concat();
            let reason = format!("its choice 2 is {value}, which is not below {bound}");
            assert_eq!(read(&bytes(field::CHOICES, &packed)), Err(reason));
        }
    }
}
