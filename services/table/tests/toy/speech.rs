//! Keys of speech as players come and go, and the stored form of speech.

use table::{Choice, Entry, SpeechKeys};

use super::{LAYOUT, games_say, keys, opening, saying, seat};

/// Speech of seat 0 at position 7, sealed with this key.
fn sealed(key: u8) -> Entry {
    let mut entry = saying("Hush.");
    entry.seal(7, &keys(&[(0, key)]));
    Entry::decode(&entry.encode(), &LAYOUT).expect("it is an entry")
}

/// Whether keys open it. None: they should, and fail.
fn opens(entry: &Entry, keys: &SpeechKeys) -> Option<bool> {
    let mut entry = entry.clone();
    entry.open(7, keys).ok()?;
    Some(!entry.is_sealed())
}

const NONE: Option<[u8; 32]> = None;

#[test]
fn the_words_of_former_players_are_opened_with_their_keys() {
    let mut all = keys(&[(0, 1)]);
    all.insert_former(seat(0), Some([2; 32]));
    assert_eq!([1, 2, 3].map(|key| opens(&sealed(key), &all)), [Some(true), Some(true), None]);
    // A third former player was erased, so an unknown key may have been theirs.
    all.insert_former(seat(0), NONE);
    assert_eq!(
        [1, 2, 3].map(|key| opens(&sealed(key), &all)),
        [Some(true), Some(true), Some(false)]
    );

    let mut erased = keys(&[(0, 1)]);
    erased.insert_former(seat(0), Some([2; 32]));
    erased.remove(seat(0));
    erased.remove(seat(5));
    assert_eq!([1, 2].map(|key| opens(&sealed(key), &erased)), [Some(false), Some(true)]);
}

#[test]
fn a_seat_is_handed_over_with_the_key_of_its_former_player() {
    let mut handed_over = keys(&[(0, 1)]);
    handed_over.hand_over(seat(0), true, Some([2; 32]));
    let mut expected = keys(&[(0, 2)]);
    expected.insert_former(seat(0), Some([1; 32]));
    assert_eq!(handed_over, expected);
    // The player was erased meanwhile.
    let mut handed_over = keys(&[(0, 1)]);
    handed_over.hand_over(seat(0), false, NONE);
    let mut expected = SpeechKeys::default();
    expected.insert_former(seat(0), NONE);
    assert_eq!(handed_over, expected);
    assert_eq!(opens(&sealed(1), &handed_over), Some(false));
}

#[test]
fn the_words_of_an_action_are_stored_unless_they_are_sealed() {
    let stored = |entry: &Entry| Entry::decode(&entry.encode(), &LAYOUT).expect("it is an entry");
    let plain = saying("Hush.");
    assert_eq!(stored(&plain), plain);
    let mut sealed = plain.clone();
    sealed.seal(7, &keys(&[(0, 1)]));
    assert_eq!(stored(&sealed).action, Some(games_say("")));
    // Another action may have an effect that speaks. Its message has no words of its own.
    sealed.verb = "handle";
    assert_eq!(stored(&sealed).action, plain.action);
}

#[test]
fn a_choice_is_below_its_bound() {
    let decode = |value| {
        let choices = vec![Choice { bound: 3, value }];
        Entry::decode(&Entry { choices, ..opening() }.encode(), &LAYOUT)
    };
    assert!(decode(2).is_ok());
    assert!(decode(3).is_err() && decode(4).is_err());
}
