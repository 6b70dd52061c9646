//! What an entry brings about, for filters of streams.

use positions::Position;
use table::{Entry, Event, Seats};

/// What happened in a match with one of its entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    /// The match was dealt.
    Started,
    /// A seat was asked to decide: see [`Entry::turns`].
    Turn,
    /// A seat made a decision of the game.
    Action,
    /// The match ended with a result.
    Ended,
    /// The match ended without a result.
    Abandoned,
    /// The match ended with a result that counts for ratings. Which matches do, the entry does not
    /// say.
    Rated,
}

/// The position of the entry that deals a match.
const OPENING: Position = Position(1);

impl Happening {
    pub const ALL: [Happening; 6] = [
        Happening::Started,
        Happening::Turn,
        Happening::Action,
        Happening::Ended,
        Happening::Abandoned,
        Happening::Rated,
    ];

    /// The name by which subscriptions are stored.
    pub fn name(self) -> &'static str {
        match self {
            Happening::Started => "started",
            Happening::Turn => "turn",
            Happening::Action => "action",
            Happening::Ended => "ended",
            Happening::Abandoned => "abandoned",
            Happening::Rated => "rated",
        }
    }

    pub fn named(name: &str) -> Option<Happening> {
        Happening::ALL.into_iter().find(|it| it.name() == name)
    }

    /// Whether it is about the end of a match, so that streams also send the result.
    pub fn is_end(self) -> bool {
        matches!(self, Happening::Ended | Happening::Abandoned | Happening::Rated)
    }

    /// Whether it happens with an entry. With `seats`, turns and actions of other seats are none.
    /// Every end with a result may be rated.
    pub fn is_in(self, entry: &Entry, position: Position, seats: Option<Seats>) -> bool {
        let is_of = |seat| seats.is_none_or(|seats| seats.has(seat));
        match self {
            Happening::Started => position == OPENING,
            Happening::Turn => entry.turns().iter().any(is_of),
            Happening::Action => {
                entry.seat.is_some_and(is_of) && !table::COMMON_VERBS.contains(&entry.verb)
            }
            Happening::Ended | Happening::Rated => {
                entry.events.iter().any(|it| matches!(it, Event::Ended { .. }))
            }
            Happening::Abandoned => entry.events.contains(&Event::Abandoned),
        }
    }

    /// What happens with an entry, as far as the entry says.
    pub fn all_in(entry: &Entry, position: Position) -> impl Iterator<Item = Happening> {
        let told = Happening::ALL.into_iter().filter(|it| *it != Happening::Rated);
        told.filter(move |it| it.is_in(entry, position, None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_names_are_read_back() {
        for it in Happening::ALL {
            assert_eq!(Happening::named(it.name()), Some(it));
        }
        assert_eq!(Happening::named("created"), None);
    }
}
