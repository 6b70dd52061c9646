use crate::common::Played;
use positions::{Digest, Position, Recorded};
use records::{Checked, Digests};
use rows::Error;

fn played() -> Played {
    Played::new(games::find("mountebank").expect("a game"), 2, 2, 8)
}

/// Reads rows from the first one on. Returns how many were read, and why no more.
fn read(played: &Played, recorded: &[Recorded]) -> (Checked, Option<Error>) {
    let digests = Digests::new(&played.row, &played.seed).expect("it is the seed");
    let game = games::find(&played.row.game).expect("a game");
    let mut at = digests.start();
    for row in recorded {
        match digests.next(&mut at, row, game) {
            Ok(entry) => {
                assert_eq!((entry.position, entry.digest), (at.position, Some(at.digest)))
            }
            Err(error) => return (at, Some(error)),
        }
    }
    (at, None)
}

fn altered(played: &Played, recorded: &[Recorded]) -> i64 {
    match read(played, recorded) {
        (at, Some(Error::Altered { position })) => {
            assert_eq!(at.position.next(), position, "nothing after it is read");
            position.0
        }
        (at, other) => panic!("{at:?}: {other:?}"),
    }
}

#[test]
fn rows_as_they_were_recorded_are_read() {
    let played = played();
    let (at, error) = read(&played, &played.recorded);
    assert!(error.is_none() && at.has_digests);
    assert_eq!((at.position, Some(at.digest)), (Position(8), played.recorded[7].digest));
}

#[test]
fn an_altered_row_is_named_by_its_position() {
    let played = played();
    let alter = |at: usize, alter: &dyn Fn(&mut Recorded)| {
        let mut recorded = played.recorded.clone();
        alter(&mut recorded[at]);
        altered(&played, &recorded)
    };
    let second = std::time::Duration::from_secs(1);
    assert_eq!(alter(2, &|row| row.create_time += second), 3);
    assert_eq!(alter(3, &|row| row.request_id = Some("other".to_owned())), 4);
    assert_eq!(alter(4, &|row| row.digest = Some(Digest::from([7; 32]))), 5);
    assert_eq!(alter(5, &|row| row.body = played.recorded[6].body.clone()), 6);
    assert_eq!(alter(6, &|row| row.position = Position(9)), 7);
    assert_eq!(alter(7, &|row| row.digest = None), 8, "the rows before it have one");
    let swapped = [&played.recorded[..2], &[played.recorded[3].clone()]].concat();
    assert_eq!(altered(&played, &swapped), 3, "one is missing");
}

/// Releases that knew no digests recorded the first entries.
#[test]
fn only_the_first_rows_may_lack_digests() {
    let played = played();
    let mut recorded = played.recorded.clone();
    recorded[..3].iter_mut().for_each(|row| row.digest = None);
    let (at, error) = read(&played, &recorded);
    assert!(error.is_none() && at.has_digests && at.position == Position(8));
    let (at, error) = read(&played, &recorded[..3]);
    assert!(error.is_none() && !at.has_digests);
    recorded[5].digest = None;
    assert_eq!(altered(&played, &recorded), 6);
}

/// A later release recorded it. Its digest shows that nobody altered it since.
#[test]
fn a_row_that_cannot_be_read_was_altered_or_not() {
    let mut played = played();
    let unreadable = played.recorded.clone();
    let digests = Digests::new(&played.row, &played.seed).expect("it is the seed");
    let last = |count: usize| read(&played, &unreadable[..count]).0;
    for (at, seat) in [(4, None), (4, Some(1)), (5, Some(0))] {
        let mut row = Recorded { body: b"\xff".to_vec().into(), ..unreadable[at].clone() };
        let seat = seat.and_then(|seat| table::Seat::try_from(seat).ok());
        row.digest = Some(digests.digest_of_row(last(at).digest, seat, &row));
        assert!(digests.is_genuine(last(at), &row), "{at} of {seat:?}");
        assert!(!digests.is_genuine(last(at - 1), &row), "it is at another position");
        let mut recorded = unreadable.clone();
        recorded[at] = row.clone();
        let (stopped, error) = read(&played, &recorded);
        assert_eq!(stopped.position, Position(at as i64));
        let position = Some(Position(at as i64 + 1));
        match error {
            Some(Error::Unreadable { position: of, .. }) => assert_eq!(of, position),
            other => panic!("{other:?}"),
        }
        recorded[at].request_id = Some("other".to_owned());
        assert_eq!(altered(&played, &recorded), at as i64 + 1);
    }
    // Its content is gone, which retention may have done.
    let mut recorded = unreadable.clone();
    recorded[2].body = Default::default();
    assert!(matches!(read(&played, &recorded), (_, Some(Error::HistoryNotKept))));

    played.seed[0] ^= 1;
    let error = Digests::new(&played.row, &played.seed).map(drop).expect_err("another seed");
    assert!(matches!(error, Error::Altered { position: Position::START }));
}
