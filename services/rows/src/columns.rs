//! The columns of a match and of its seats.

use games::Game;
use table::{Contribution, Seat, Small, SpeechKeys};

use crate::entry::version_of;
use crate::error::{Error, NoModule};
use crate::matches::MatchRow;
use crate::seats::{Contributed, HeldKey, SeatRow};
use crate::secrets::SpeechKey;

/// The rules by which a stored match is read; an error if this release does not know the game, or
/// if the module that the match names is not loaded. What a layout has is only added to, so the
/// rules of any release read what earlier ones decided.
pub fn game_of(row: &MatchRow) -> Result<&'static dyn Game, Error> {
    rules_of(&row.game, row.terms.module())
}

/// The rules by which a stored match goes on: those of the version that decided its last entry. If
/// no module of that version was kept, those of this release.
pub fn deciding_game_of(row: &MatchRow) -> Result<&'static dyn Game, Error> {
    let kept = || games::kept(&row.game, row.last.as_ref().map_or(0, version_of));
    match row.terms.module() {
        Some(_) => game_of(row),
        None => rules_of(&row.game, kept().as_deref()),
    }
}

/// The rules of a game that is compiled in, or of a module.
pub fn rules_of(game: &str, module: Option<&str>) -> Result<&'static dyn Game, Error> {
    games::rules_of(game, module).ok_or_else(|| Error::Unreadable {
        position: None,
        source: match module {
            None => format!("no rules for {game:?}").into(),
            Some(module) => NoModule { module: module.to_owned() }.into(),
        },
    })
}

/// The number of its seats.
pub fn seats_of(row: &MatchRow) -> u8 {
    row.seats.try_into().unwrap_or(u8::MAX)
}

/// The stored contributions to the chance of a match.
pub fn contributions_of(stored: Vec<Contributed>) -> Vec<Contribution> {
    let contribution = |Contributed { seat, bytes, after_commitment }: Contributed| {
        let seat = Seat::nth(usize::try_from(seat).ok()?)?;
        Some(Contribution { seat, bytes: bytes.into(), after_commitment })
    };
    stored.into_iter().filter_map(contribution).collect()
}

/// The keys that decrypt the messages of the match.
pub fn speech_keys_of(row: &MatchRow) -> SpeechKeys {
    speech_keys(row.seated.iter().flat_map(SeatRow::held_keys))
}

/// The same from the keys alone.
pub fn speech_keys(found: impl Iterator<Item = HeldKey>) -> SpeechKeys {
    let mut keys = SpeechKeys::default();
    for HeldKey { seat, key, is_former } in found {
        let (seat, key) = (seat_of(seat), key.map(|SpeechKey(key)| key));
        match (is_former, key) {
            (true, key) => keys.insert_former(seat, key),
            (false, Some(key)) => keys.insert(seat, key),
            (false, None) => {}
        }
    }
    keys
}

/// The seat with a number of the store.
pub fn seat_of(number: i16) -> Seat {
    usize::try_from(number).ok().and_then(Seat::nth).expect("a match has few seats")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{former, key, match_of, seat};

    fn at(seat: usize) -> Seat {
        Seat::nth(seat).expect("a table has more seats")
    }

    #[test]
    fn a_match_has_the_seats_of_its_row() {
        assert_eq!(seats_of(&match_of(5, Vec::new())), 5);
        assert_eq!(seats_of(&match_of(-1, Vec::new())), u8::MAX, "it was altered");
        assert_eq!(seat_of(3), at(3));
    }

    #[test]
    fn contributions_keep_their_seat_and_when_they_came() {
        let stored =
            |seat, byte| Contributed { seat, bytes: vec![byte; 16], after_commitment: byte == 2 };
        let of = |seat, byte: u8| Contribution {
            seat: at(seat),
            bytes: vec![byte; 16].into(),
            after_commitment: byte == 2,
        };
        let contributions = contributions_of(vec![stored(2, 1), stored(-1, 9), stored(0, 2)]);
        assert_eq!(contributions, [of(2, 1), of(0, 2)], "no seat has a negative number");
    }

    #[test]
    fn the_keys_of_a_seat_are_its_players_and_those_before() {
        let before = vec![former(4, "cid", Some(key(7))), former(9, "dan", None)];
        let erased = SeatRow { speech_key: None, ..seat(2, "eve") };
        let row = match_of(3, vec![SeatRow { before, ..seat(1, "ann") }, erased]);
        let mut expected = SpeechKeys::default();
        expected.insert_former(at(1), Some([7; 32]));
        expected.insert_former(at(1), None::<[u8; 32]>);
        expected.insert(at(1), [1; 32]);
        assert_eq!(speech_keys_of(&row), expected);
    }
}
