//! Who is at which match, as far as this process knows: in memory, bounded, and soon forgotten.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use rows::MatchId;
use table::Seat;
use tokio::time::Instant;

/// How long a seat is here after its last call. Pages call every few seconds.
const HERE: Duration = Duration::from_secs(10);

/// The maximum number of matches of which a process knows who is there. Beyond it, nobody is noted.
const MATCHES_MAX: usize = 100_000;

/// A seat's wish for another match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rematch {
    #[default]
    Unsaid,
    Wanted,
    Declined,
}

/// Who is at a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Present {
    pub seats: BTreeMap<Seat, Rematch>,
    /// Open streams that show what spectators see.
    pub spectators: u32,
}

#[derive(Default)]
pub(crate) struct Attendance(Mutex<Known>);

#[derive(Default)]
struct Known {
    rooms: HashMap<MatchId, Room>,
    /// When seats that are gone were last forgotten.
    swept: Option<Instant>,
}

#[derive(Default)]
struct Room {
    /// When each seat last called, and its wish.
    called: BTreeMap<Seat, (Instant, Rematch)>,
    /// Open streams by the seat whose view they show; `None` for spectators.
    watching: BTreeMap<Option<Seat>, u32>,
}

/// An open stream. It counts until it is dropped.
pub(crate) struct Watching {
    attendance: Arc<Attendance>,
    match_id: MatchId,
    seat: Option<Seat>,
    is_counted: bool,
}

impl Attendance {
    /// Notes that a seat is here, if the caller has one, and returns who is.
    pub fn attend(&self, match_id: MatchId, seat: Option<(Seat, Rematch)>) -> Present {
        self.attend_at(Instant::now(), match_id, seat)
    }

    fn attend_at(&self, now: Instant, match_id: MatchId, seat: Option<(Seat, Rematch)>) -> Present {
        let mut known = self.locked();
        known.sweep(now);
        if let Some((seat, rematch)) = seat
            && let Some(room) = known.room(match_id)
        {
            room.called.insert(seat, (now, rematch));
        }
        known.rooms.get(&match_id).map(|room| room.present(now)).unwrap_or_default()
    }

    /// Counts a stream that shows the view of a seat, or of spectators.
    pub fn watch(self: &Arc<Attendance>, match_id: MatchId, seat: Option<Seat>) -> Watching {
        let mut known = self.locked();
        let room = known.room(match_id);
        let is_counted = room.is_some();
        room.into_iter().for_each(|room| *room.watching.entry(seat).or_default() += 1);
        Watching { attendance: self.clone(), match_id, seat, is_counted }
    }

    fn locked(&self) -> MutexGuard<'_, Known> {
        self.0.lock().expect("no holder of this lock panics")
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let mut known = self.attendance.locked();
        if self.is_counted
            && let Some(room) = known.rooms.get_mut(&self.match_id)
            && let Some(count) = room.watching.get_mut(&self.seat)
        {
            *count -= 1;
            if *count == 0 {
                room.watching.remove(&self.seat);
            }
        }
        known.sweep(Instant::now());
    }
}

impl Known {
    fn room(&mut self, match_id: MatchId) -> Option<&mut Room> {
        let is_full = self.rooms.len() >= MATCHES_MAX;
        match is_full {
            true => self.rooms.get_mut(&match_id),
            false => Some(self.rooms.entry(match_id).or_default()),
        }
    }

    fn sweep(&mut self, now: Instant) {
        if self.swept.is_some_and(|swept| now - swept < HERE) {
            return;
        }
        self.swept = Some(now);
        self.rooms.retain(|_, room| {
            room.called.retain(|_, (called, _)| now - *called < HERE);
            !room.called.is_empty() || !room.watching.is_empty()
        });
    }
}

impl Room {
    fn present(&self, now: Instant) -> Present {
        let watching = self.watching.keys().flatten().map(|seat| (*seat, Rematch::Unsaid));
        let mut seats: BTreeMap<Seat, Rematch> = watching.collect();
        let here = self.called.iter().filter(|(_, (called, _))| now - *called < HERE);
        seats.extend(here.map(|(seat, (_, rematch))| (*seat, *rematch)));
        let spectators = self.watching.get(&None).copied().unwrap_or_default();
        Present { seats, spectators }
    }
}

#[cfg(test)]
mod tests {
    use table::Small;
    use uuid::Uuid;

    use super::*;

    const MATCH: MatchId = MatchId(Uuid::from_u128(1));

    fn seat(number: usize) -> Seat {
        Seat::nth(number).expect("a table has more seats")
    }

    #[test]
    fn a_seat_is_here_while_it_calls_or_watches_and_is_then_forgotten() {
        let attendance = Arc::new(Attendance::default());
        let here = |seats: &[(usize, Rematch)]| {
            seats.iter().map(|(number, wish)| (seat(*number), *wish)).collect::<BTreeMap<_, _>>()
        };
        let begin = Instant::now();
        assert_eq!(attendance.attend_at(begin, MATCH, None), Present::default());
        attendance.attend_at(begin, MATCH, Some((seat(0), Rematch::Wanted)));
        let watching = attendance.watch(MATCH, Some(seat(1)));
        let spectator = attendance.watch(MATCH, None);
        let present = attendance.attend_at(begin, MATCH, None);
        assert_eq!(present.seats, here(&[(0, Rematch::Wanted), (1, Rematch::Unsaid)]));
        assert_eq!(present.spectators, 1);
        drop(spectator);
        let present = attendance.attend_at(begin + HERE, MATCH, None);
        assert_eq!((present.seats, present.spectators), (here(&[(1, Rematch::Unsaid)]), 0));
        drop(watching);
        assert_eq!(attendance.attend_at(begin + 2 * HERE, MATCH, None), Present::default());
        assert!(attendance.locked().rooms.is_empty(), "nothing is left");
    }

    #[test]
    fn a_process_knows_of_so_many_matches_and_no_more() {
        let attendance = Attendance::default();
        for number in 0..MATCHES_MAX as u128 + 10 {
            attendance.attend(MatchId(Uuid::from_u128(number)), Some((seat(0), Rematch::Unsaid)));
        }
        assert_eq!(attendance.locked().rooms.len(), MATCHES_MAX);
    }
}
