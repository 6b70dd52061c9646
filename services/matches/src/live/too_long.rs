//! The last action of a match that took a module longer than a call may.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use positions::Position;
use table::Seat;

/// How long its refusal is given again without computing.
const KEPT: Duration = Duration::from_secs(60);

/// The same action at the same position takes as long again, so a client that repeats it gets the
/// same refusal at once.
#[derive(Default)]
pub(crate) struct TooLong(Mutex<Option<Noted>>);

struct Noted {
    action: (Position, Seat, Bytes),
    message: String,
    at: Instant,
}

impl TooLong {
    pub fn note(&self, position: Position, seat: Seat, action: Bytes, message: &str) {
        let action = (position, seat, action);
        let noted = Noted { action, message: message.to_owned(), at: Instant::now() };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(noted);
    }

    /// What the module's failure said, if this action was noted.
    pub fn find(&self, position: Position, seat: Seat, action: &Bytes) -> Option<String> {
        let noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |it: &&Noted| {
            let (at, by, of) = &it.action;
            (*at, *by, of) == (position, seat, action) && it.at.elapsed() < KEPT
        };
        noted.as_ref().filter(is_it).map(|it| it.message.clone())
    }
}

#[cfg(test)]
mod tests {
    use table::Small;

    use super::*;

    #[test]
    fn only_the_same_action_of_the_seat_at_the_position_is_known() {
        let seat = |n| Seat::nth(n).expect("a table has more seats");
        let (too_long, action) = (TooLong::default(), Bytes::from_static(b"loop"));
        let find = |position, n, action: &Bytes| too_long.find(Position(position), seat(n), action);
        assert_eq!(find(3, 0, &action), None);
        too_long.note(Position(3), seat(0), action.clone(), "it computed too long");
        assert_eq!(find(3, 0, &action).as_deref(), Some("it computed too long"));
        assert_eq!(find(4, 0, &action), None);
        assert_eq!(find(3, 1, &action), None);
        assert_eq!(find(3, 0, &Bytes::from_static(b"take")), None);
    }
}
