//! What a seat can foresee of an action before it acts.

use crate::{Entry, Event, PlaceId, Table, Viewers};

/// The events of an entry that its actor could foresee, as the actor sees them: those before chance
/// showed or the rules disclosed something. `entry` is whole, and `seen` is what the actor saw
/// before it.
///
/// Events up to the first disclosure do not depend on what is hidden: that is an invariant of all
/// games ([`invariants`](crate::invariants)). So they are the same on every table that looks like
/// this one, also on one that is imagined.
pub fn foreseeable(entry: &Entry, seen: &Table) -> Vec<Event> {
    let layout = seen.layout();
    // A draw is a choice, and shows itself as a move or a disclosure. What any other choice led to,
    // no event says.
    let is_choice = |event: &&Event| match event {
        Event::Moved { from, .. } => layout.viewers(*from) == Viewers::NOBODY,
        Event::Rolled { .. } => true,
        _ => false,
    };
    if entry.choices.len() != entry.events.iter().filter(is_choice).count() {
        return Vec::new();
    }
    let mut told = entry.seen_by(seen.viewer(), layout);
    // What was shuffled within the entry is not where it was seen before.
    let mut shuffled: Vec<PlaceId> = Vec::new();
    let shows = |event: &Event| {
        let is_dealt = matches!(event, Event::Moved { from, .. } if shuffled.contains(from));
        if let Event::Moved { to, .. } | Event::Gathered { to, .. } = event
            && layout.viewers(*to) == Viewers::NOBODY
        {
            shuffled.push(*to);
        }
        is_dealt
            || matches!(event, Event::Rolled { .. })
            || crate::hidden::discloses(event, &told, seen)
    };
    let foreseen = told.events.iter().position(shows).unwrap_or(told.events.len());
    told.events.truncate(foreseen);
    told.events
}
