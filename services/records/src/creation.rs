//! A match as it was created: its row, its line in a file of records, and its digest.

use std::collections::BTreeMap;

use positions::{Digest, Position};
use rows::{
    Follows, FormerPlayer, MatchId, MatchRow, NewMatch, SeatRow, SpeechKey, Terms, match_name,
};
use serde::{Deserialize, Serialize};
use table::SEATS_MAX;
use time::OffsetDateTime;

use crate::code::{Code, Problem, ensure};
use crate::text::{bytes, lower_hex, match_id, rfc3339, time};

/// A match as it was created, and its players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchLine {
    /// `matches/{match}`
    pub name: String,
    pub platform: String,
    pub game: String,
    pub seats: u8,
    pub players: Vec<SeatLine>,
    pub options: BTreeMap<String, String>,
    /// The digest of the request that created the match. Absent from records that the API returns:
    /// only the platform can use it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_digest: Option<String>,
    pub seed_commitment: String,
    /// The seed of a match that has ended; absent before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
    /// The seed of a match that has not ended, if seeds were requested. It is still a secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_seed: Option<String>,
    /// How many seconds after its end the match is revealed; null for never.
    pub reveal_wait_s: Option<i64>,
    /// Absent for a match that follows no other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follows: Option<FollowsLine>,
    pub create_time: String,
}

/// The data that a match takes over from the one that it follows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FollowsLine {
    /// `matches/{match}`
    pub previous: String,
    pub number: i32,
    /// The matches of the series won before this one, by seat of this match.
    pub wins: Vec<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best_of: Option<i32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeatLine {
    pub seat: u8,
    /// The player's id. That of a bot begins with U+0001 and names its level.
    pub player: String,
    /// Absent if none was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// Absent if there was none, and from records that the API returns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    pub create_time: String,
    /// The key that opens the seat's sealed speech and the commitment to its player; absent if
    /// there is none, for example after the player's erasure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speech_key: Option<String>,
    /// Whether the player was erased, and `player` is a pseudonym.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub erased: bool,
    /// The earlier players of the seat, oldest first; absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<PastPlayerLine>,
}

/// An earlier player of a seat, who had it until the entry at a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PastPlayerLine {
    pub until: i64,
    pub player: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speech_key: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub erased: bool,
}

/// The data that the digest of a match's creation covers. It does not include the players, who may
/// take their seats later: the first entry commits to them.
#[derive(Clone, Copy, Debug)]
pub struct Creation<'a> {
    pub match_id: MatchId,
    pub platform: &'a str,
    pub game: &'a str,
    pub seats: i16,
    pub create_time: OffsetDateTime,
    pub terms: &'a Terms,
}

const CREATION: &str = "croupier 2026-11 digest of a match";

impl Creation<'_> {
    /// The digest of a match's creation.
    pub fn digest(&self) -> Digest {
        let Terms { options, seed_commitment, reveal_wait_s, follows } = self.terms;
        let mut hash = blake3::Hasher::new_derive_key(CREATION);
        let mut part = |bytes: &[u8]| {
            hash.update(&(bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        part(self.match_id.0.as_bytes());
        part(self.platform.as_bytes());
        part(self.game.as_bytes());
        part(&self.seats.to_le_bytes());
        part(&(options.len() as u64).to_le_bytes());
        for (name, value) in options {
            part(name.as_bytes());
            part(value.as_bytes());
        }
        part(seed_commitment);
        part(&micros(self.create_time).to_le_bytes());
        part(&reveal_wait_s.map(i64::to_le_bytes).map_or(vec![], Vec::from));
        // A match that follows no other has no bytes for it.
        if let Some(Follows { previous, number, wins, best_of }) = follows {
            part(previous.0.as_bytes());
            part(&number.to_le_bytes());
            part(&best_of.map(i32::to_le_bytes).map_or(vec![], Vec::from));
            wins.iter().for_each(|wins| part(&wins.to_le_bytes()));
        }
        Digest::from(*hash.finalize().as_bytes())
    }
}

impl<'a> From<&'a MatchRow> for Creation<'a> {
    fn from(row: &'a MatchRow) -> Self {
        let MatchRow { match_id, platform, game, seats, create_time, terms, .. } = row;
        let (match_id, seats, create_time) = (*match_id, *seats, *create_time);
        Self { match_id, platform, game, seats, create_time, terms }
    }
}

impl<'a> From<&'a NewMatch> for Creation<'a> {
    fn from(new: &'a NewMatch) -> Self {
        let NewMatch { match_id, platform, game, seats, create_time, terms, .. } = new;
        let (match_id, seats, create_time) = (*match_id, *seats, *create_time);
        Self { match_id, platform, game, seats, create_time, terms }
    }
}

/// The row of a match, whose digest has not been checked yet.
pub(crate) fn row_of(head: &MatchLine) -> Result<MatchRow, Problem> {
    ensure((1..=SEATS_MAX).contains(&usize::from(head.seats)), Code::LineInvalid, || {
        format!("a match has 1 to {SEATS_MAX} seats, not {}", head.seats)
    })?;
    let is_in_order = head.players.is_sorted_by(|one, next| one.seat < next.seat);
    ensure(is_in_order, Code::LineInvalid, || "its seats are not in order".to_owned())?;
    let may_wait = head.reveal_wait_s.is_none_or(|wait_s| wait_s >= 0);
    ensure(may_wait, Code::LineInvalid, || "it is revealed before its end".to_owned())?;
    let seated = head.players.iter().map(|line| seat_of(line, head.seats));
    // Without it, a retry of the request that created the match is refused as another request.
    let request_digest =
        head.request_digest.as_deref().map(lower_hex).transpose()?.unwrap_or_default();
    Ok(MatchRow {
        match_id: match_id(&head.name)?,
        platform: head.platform.clone(),
        game: head.game.clone(),
        seats: head.seats.into(),
        create_time: time(&head.create_time)?,
        terms: Terms {
            options: head.options.clone(),
            seed_commitment: bytes::<32>(&head.seed_commitment)?,
            reveal_wait_s: head.reveal_wait_s,
            follows: head.follows.as_ref().map(|line| follows_of(line, head.seats)).transpose()?,
        },
        request_digest,
        next: None,
        is_in_lobby: false,
        display_name: None,
        seated: seated.collect::<Result<_, _>>()?,
        last: None,
    })
}

fn follows_of(line: &FollowsLine, seats: u8) -> Result<Follows, Problem> {
    ensure(line.wins.len() == usize::from(seats), Code::LineInvalid, || {
        format!("the wins of {} seats are given for {seats}", line.wins.len())
    })?;
    let played = line.wins.iter().try_fold(0, |sum: i32, wins| sum.checked_add(*wins));
    let is_possible = line.wins.iter().all(|wins| *wins >= 0)
        && played.is_some_and(|played| played < line.number)
        && line.best_of.is_none_or(|best_of| best_of > 0);
    ensure(is_possible, Code::LineInvalid, || {
        "the numbers of its series contradict each other".to_owned()
    })?;
    Ok(Follows {
        previous: match_id(&line.previous)?,
        number: line.number,
        wins: line.wins.clone(),
        best_of: line.best_of,
    })
}

fn seat_of(line: &SeatLine, seats: u8) -> Result<SeatRow, Problem> {
    ensure(line.seat < seats, Code::LineInvalid, || {
        format!("the match has no seat {}", line.seat)
    })?;
    Ok(SeatRow {
        seat: line.seat.into(),
        player: line.player.clone(),
        display_name: line.display_name.clone(),
        request_id: line.request_id.clone(),
        create_time: time(&line.create_time)?,
        speech_key: line.speech_key.as_deref().map(bytes::<32>).transpose()?.map(SpeechKey),
        is_erased: line.erased,
        before: line.before.iter().map(former_of).collect::<Result<_, _>>()?,
    })
}

fn former_of(line: &PastPlayerLine) -> Result<FormerPlayer, Problem> {
    Ok(FormerPlayer {
        until: Position(line.until),
        player: line.player.clone(),
        display_name: line.display_name.clone(),
        speech_key: line.speech_key.as_deref().map(bytes::<32>).transpose()?.map(SpeechKey),
        is_erased: line.erased,
    })
}

/// The line of a match with all its known fields.
pub(crate) fn line_of(row: &MatchRow, seed: Option<[u8; 32]>, is_over: bool) -> MatchLine {
    let seat = |it: &SeatRow| SeatLine {
        seat: it.seat.try_into().expect("a match has few seats"),
        player: it.player.clone(),
        display_name: it.display_name.clone(),
        request_id: it.request_id.clone(),
        create_time: rfc3339(it.create_time),
        speech_key: it.speech_key.map(|key| hex::encode(key.0)),
        erased: it.is_erased,
        before: it.before.iter().map(past_player_line).collect(),
    };
    let Terms { options, seed_commitment, reveal_wait_s, follows } = &row.terms;
    MatchLine {
        name: match_name(row.match_id),
        platform: row.platform.clone(),
        game: row.game.clone(),
        seats: row.seats.try_into().expect("a match has few seats"),
        players: row.seated.iter().map(seat).collect(),
        options: options.clone(),
        request_digest: Some(hex::encode(&row.request_digest)),
        seed_commitment: hex::encode(seed_commitment),
        seed: seed.filter(|_| is_over).map(hex::encode),
        secret_seed: seed.filter(|_| !is_over).map(hex::encode),
        reveal_wait_s: *reveal_wait_s,
        follows: follows.as_ref().map(follows_line),
        create_time: rfc3339(row.create_time),
    }
}

fn past_player_line(it: &FormerPlayer) -> PastPlayerLine {
    PastPlayerLine {
        until: it.until.0,
        player: it.player.clone(),
        display_name: it.display_name.clone(),
        speech_key: it.speech_key.map(|key| hex::encode(key.0)),
        erased: it.is_erased,
    }
}

fn follows_line(it: &Follows) -> FollowsLine {
    let (number, wins, best_of) = (it.number, it.wins.clone(), it.best_of);
    FollowsLine { previous: match_name(it.previous), number, wins, best_of }
}

/// Whole microseconds since 1970, the resolution of Postgres.
pub(crate) fn micros(time: OffsetDateTime) -> i64 {
    (time.unix_timestamp_nanos() / 1000) as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn terms() -> Terms {
        Terms { seed_commitment: [2; 32], ..Terms::default() }
    }

    fn of(terms: &Terms) -> Creation<'_> {
        Creation {
            match_id: MatchId(Uuid::from_u128(7)),
            platform: "acme",
            game: "rigs",
            seats: 2,
            create_time: OffsetDateTime::UNIX_EPOCH,
            terms,
        }
    }

    fn with_option(name: &str, value: &str) -> Terms {
        Terms { options: BTreeMap::from([(name.to_owned(), value.to_owned())]), ..terms() }
    }

    #[test]
    fn a_match_has_another_digest_for_each_part_of_it() {
        let later = OffsetDateTime::UNIX_EPOCH + std::time::Duration::from_micros(1);
        let (previous, wins) = (MatchId(Uuid::from_u128(6)), vec![1, 0]);
        let follows = Follows { previous, number: 2, wins, best_of: Some(3) };
        let following =
            |follows: &Follows| of(&Terms { follows: Some(follows.clone()), ..terms() }).digest();
        let same = terms();
        let digests = [
            of(&same).digest(),
            of(&with_option("a", "b")).digest(),
            of(&with_option("ab", "")).digest(),
            Creation { match_id: MatchId(Uuid::nil()), ..of(&same) }.digest(),
            Creation { platform: "zeta", ..of(&same) }.digest(),
            Creation { game: "grifters", ..of(&same) }.digest(),
            Creation { seats: 3, ..of(&same) }.digest(),
            of(&Terms { seed_commitment: [3; 32], ..terms() }).digest(),
            Creation { create_time: later, ..of(&same) }.digest(),
            of(&Terms { reveal_wait_s: Some(0), ..terms() }).digest(),
            following(&follows),
            following(&Follows { previous: MatchId(Uuid::nil()), ..follows.clone() }),
            following(&Follows { number: 3, ..follows.clone() }),
            following(&Follows { wins: vec![0, 1], ..follows.clone() }),
            following(&Follows { best_of: None, ..follows.clone() }),
        ];
        for (n, digest) in digests.iter().enumerate() {
            assert!(!digests[..n].contains(digest), "{n}");
        }
    }

    /// A row that contradicts itself is refused, whatever its digest.
    #[test]
    fn the_numbers_of_a_series_agree() {
        let previous = match_name(MatchId(Uuid::from_u128(6)));
        let line = |number, wins: &[i32], best_of| FollowsLine {
            previous: previous.clone(),
            number,
            wins: wins.to_vec(),
            best_of,
        };
        for line in [
            line(2, &[0, 0], None),
            line(2, &[1, 0], Some(1)),
            line(9, &[3, 5], Some(i32::MAX)),
            line(i32::MAX, &[i32::MAX - 1, 0], None),
        ] {
            let follows = follows_of(&line, 2).expect("it is possible");
            assert_eq!(follows_line(&follows), line);
        }
        for line in [
            line(2, &[1], None),
            line(2, &[1, 0, 0], None),
            // A match has one winner at most.
            line(2, &[1, 1], None),
            line(2, &[2, 0], None),
            line(2, &[-1, 0], None),
            line(2, &[-1, 1], None),
            line(i32::MAX, &[i32::MAX, i32::MAX], None),
            line(2, &[1, 0], Some(0)),
            line(2, &[1, 0], Some(-3)),
        ] {
            assert!(follows_of(&line, 2).is_err(), "{line:?}");
        }
    }

    #[test]
    fn each_seat_of_a_match_has_one_line_in_order() {
        let line = |players: &[u8]| {
            let player = |seat| {
                serde_json::json!({
                    "seat": seat, "player": "ann", "create_time": "2026-01-31T12:00:00Z",
                })
            };
            let players: Vec<_> = players.iter().map(player).collect();
            serde_json::from_value(serde_json::json!({
                "name": match_name(MatchId(Uuid::from_u128(7))), "platform": "acme",
                "game": "rigs", "seats": 3, "players": players, "options": {},
                "seed_commitment": "00".repeat(32), "create_time": "2026-01-31T12:00:00Z",
            }))
            .expect("a line")
        };
        for players in [&[][..], &[2], &[0, 2], &[0, 1, 2]] {
            let row = row_of(&line(players)).expect("they are in order");
            let seats: Vec<_> = row.seated.iter().map(|it| it.seat as u8).collect();
            assert_eq!(seats, players);
        }
        for players in [&[1, 0][..], &[1, 1], &[3]] {
            assert!(row_of(&line(players)).is_err(), "{players:?}");
        }
    }

    /// Receipts and records that were handed out stay valid.
    #[test]
    fn a_match_that_follows_none_keeps_its_digest() {
        assert_eq!(
            of(&with_option("a", "b")).digest().to_string(),
            "c3380049e84dddfc8e2a05bb9a94f5d14332062aad25a53754b45e0bc7a0b0e2"
        );
    }
}
