//! Taking back: an entry with the inverse events of a seat's last action, so that folds need no
//! case for it.
//!
//! See `docs/decisions/0005-take-back-by-inverse-events.md`.

// A wildcard arm would assume that future variants reveal nothing.
#![deny(clippy::wildcard_enum_match_arm)]

use crate::{
    CommonRefusal, Dealer, Entry, Event, Face, Layout, OfferItem, Piece, Prompt, Refused, Rules,
    SAY, STAND, Seat, Small, TAKE_BACK, Table, Viewer, Viewers, chance::NoChance, play::may_act,
};

/// The last entry of a match that was not an aside.
#[derive(Clone, Debug)]
pub struct LastAction {
    /// The house's table before it.
    pub before: Table,
    pub entry: Entry,
    /// How many entries ago it was recorded, counted from 1.
    pub age: u32,
}

/// The table after a seat took back its last action, and the entry that leads to it. `last` is
/// `None` if it is too far back.
///
/// A seat can take back its action if nobody has acted since, it used no chance, and it revealed
/// nothing to any viewer. A piece that a viewer was shown earlier counts as revealed too, or the
/// refusal would disclose that to the seat.
pub fn take_back<G: Rules>(
    table: &Table,
    last: Option<&LastAction>,
    seat: Seat,
) -> Result<(Table, Entry), Refused<G::Refusal>> {
    may_act(table, seat)?;
    let is_own = |last: &&LastAction| {
        let Entry { seat: by, action, verb, .. } = &last.entry;
        *by == Some(seat) && action.is_some() && ![SAY, STAND].contains(verb)
    };
    let last = last.filter(is_own).ok_or(CommonRefusal::TakeBackNothing)?;
    if last.entry.rules == 0 || !last.entry.choices.is_empty() {
        return Err(CommonRefusal::TakeBackChance.into());
    }
    let undoing = undoing(last, seat)?;
    let mut nothing = NoChance;
    let mut after = table.clone();
    let mut d = Dealer::new(&mut after, &mut nothing);
    d.take_back(last.age, undoing, prompts(table, last));
    // No current game reaches this. An action whose effect has no inverse is refused.
    if !d.is_as(&last.before) {
        return Err(CommonRefusal::TakeBackFinal.into());
    }
    let entry = d.finish(G::VERSION, Some(seat), TAKE_BACK, None);
    Ok((after, entry))
}

/// The inverse events of an entry, in the order in which to apply them. Fails if one of its events
/// revealed anything.
fn undoing(last: &LastAction, seat: Seat) -> Result<Vec<Event>, CommonRefusal> {
    let (mut table, mut undoing) = (last.before.clone(), Vec::new());
    for event in &last.entry.events {
        let revealed = Revealed::by(event, &table);
        let guests = Viewer::guests(table.seat_count() as u8).filter(|&it| revealed.to.has(it));
        let to: Vec<String> = guests.map(name).collect();
        if !to.is_empty() {
            let revealed = revealed.named(event, seat, table.layout());
            return Err(CommonRefusal::TakeBackRevealed { revealed, to: to.join(" ") });
        }
        let before = table.clone();
        table.apply_event(event);
        undoing.push(undo(event, &before, &table));
    }
    Ok(undoing.into_iter().rev().flatten().collect())
}

fn name(viewer: Viewer) -> String {
    match viewer {
        Viewer::Seat(seat) => seat.to_string(),
        Viewer::Spectator => "spectator".into(),
        Viewer::House => "house".into(),
    }
}

/// The prompts before the action that is taken back. Those that stayed open keep their age; the
/// others are opened anew.
fn prompts(now: &Table, last: &LastAction) -> Vec<Prompt> {
    let prompts = last.before.prompts().iter().map(|&prompt| {
        let age = prompt.age + last.age;
        let is_it = |open: &&Prompt| open.age == age && open.ageless() == prompt.ageless();
        now.prompts().iter().find(is_it).map_or(prompt.ageless(), |open| open.later())
    });
    prompts.collect()
}

/// What an event reveals, and to whom.
struct Revealed {
    to: Viewers,
    what: Option<OfferItem>,
}

impl Revealed {
    const NOTHING: Revealed = Revealed { to: Viewers::NOBODY, what: None };

    fn by(event: &Event, table: &Table) -> Revealed {
        let layout = table.layout();
        let viewers = |place| layout.viewers(place);
        let to = match *event {
            Event::Moved { what: _, from, to } => viewers(to)
                .without(viewers(from))
                .or(layout.counters(to).without(layout.counters(from))),
            Event::Shown { what: _, at, to } => to.without(viewers(at)),
            Event::Paid { coin, from, to, amount, aloud } => {
                let told = if aloud { Viewers::ALL } else { viewers(to) };
                let is_bank = layout.is_bank(from, coin);
                let is_some = amount.is_some_and(|it| it > 0) && !is_bank;
                if is_some { told.without(viewers(from)) } else { Viewers::NOBODY }
            }
            Event::Announced { announcement, seat: _, value: _ } => {
                match layout.discloses_with(announcement) {
                    true => Viewers::ALL,
                    false => Viewers::NOBODY,
                }
            }
            // An offer names only public pieces and coins, but may reveal how many coins there are.
            Event::Offered(ref offer) => {
                let hidden = offer.give.iter().chain(&offer.take).map(|item| {
                    let place = match *item {
                        OfferItem::Piece { piece, to: _ } => table.at(piece),
                        OfferItem::Coins { from, .. } => Some(from),
                    };
                    (item, place.map_or(Viewers::ALL, |it| Viewers::ALL.without(viewers(it))))
                });
                let mut hidden = hidden.filter(|(_, from)| *from != Viewers::NOBODY);
                return hidden
                    .next()
                    .map_or(Revealed::NOTHING, |(item, to)| Revealed { to, what: Some(*item) });
            }
            Event::Said { seat: _, speech: _ } | Event::Rolled { seat: _, value: _ } => {
                Viewers::ALL
            }
            Event::Gathered { from: _, to: _ }
            | Event::Marked { mark: _, value: _ }
            | Event::RoundBegan(_)
            | Event::PhaseBegan(_)
            | Event::TurnBegan(_)
            | Event::OfferClosed { by: _ }
            | Event::Stood { seat: _, decision: _, on: _ }
            | Event::Contributed(_)
            | Event::Scored { seat: _, points: _ }
            | Event::Resigned { seat: _ }
            | Event::TimedOut { seat: _ }
            | Event::TimeAdded { seat: _, ms: _ }
            | Event::Ended { winners: _ }
            | Event::TookBack { age: _ }
            | Event::Voted { seat: _, motion: _, on: _ }
            | Event::Paused { by: _ }
            | Event::Resumed { by: _ }
            | Event::Abandoned
            | Event::Replaced { seat: _ } => Viewers::NOBODY,
        };
        Revealed { to, what: None }
    }

    /// The revealed item, as far as the acting seat knows it.
    fn named(&self, event: &Event, seat: Seat, layout: &Layout) -> String {
        let face = |face| match face {
            Face::Up(piece) => layout.piece_name(piece).to_owned(),
            Face::Down(back) => layout.back_name(back).to_owned(),
            Face::Uncounted => String::new(),
        };
        let item = |item| match item {
            OfferItem::Piece { piece, to: _ } => layout.piece_name(piece).to_owned(),
            OfferItem::Coins { coin, .. } => layout.coin_name(coin).to_owned(),
        };
        if let Some(what) = self.what {
            return item(what);
        }
        match event.seen_by(Viewer::Seat(seat), layout) {
            Event::Moved { what, from: _, to: _ } | Event::Shown { what, at: _, to: _ } => {
                face(what)
            }
            Event::Paid { coin, .. } => layout.coin_name(coin).to_owned(),
            Event::Announced { announcement, .. } => {
                layout.announcement_name(announcement).to_owned()
            }
            Event::Offered(_)
            | Event::Said { .. }
            | Event::Rolled { .. }
            | Event::Gathered { .. }
            | Event::Marked { .. }
            | Event::RoundBegan(_)
            | Event::PhaseBegan(_)
            | Event::TurnBegan(_)
            | Event::OfferClosed { .. }
            | Event::Stood { .. }
            | Event::Contributed(_)
            | Event::Scored { .. }
            | Event::Resigned { .. }
            | Event::TimedOut { .. }
            | Event::TimeAdded { .. }
            | Event::Ended { .. }
            | Event::TookBack { .. }
            | Event::Voted { .. }
            | Event::Paused { .. }
            | Event::Resumed { .. }
            | Event::Abandoned
            | Event::Replaced { .. } => String::new(),
        }
    }
}

/// The events that lead from the table after an event back to the one before it.
fn undo(event: &Event, before: &Table, after: &Table) -> Vec<Event> {
    let shown_again = || {
        let lost = before.shown().iter().filter_map(|&(piece, viewers)| {
            let still = after.shown().iter().find(|it| it.0 == piece);
            let to = viewers.without(still.map_or(Viewers::NOBODY, |it| it.1));
            let at = before.at(piece)?;
            (to != Viewers::NOBODY).then_some(Event::Shown { what: Face::Up(piece), at, to })
        });
        lost.collect::<Vec<_>>()
    };
    let offers = || match before.offers() == after.offers() {
        true => Vec::new(),
        false => {
            let mut seats: Vec<Seat> = after.offers().iter().map(|offer| offer.by).collect();
            seats.dedup();
            let closed = seats.into_iter().map(|by| Event::OfferClosed { by });
            let offered = before.offers().iter().map(|it| Event::Offered(Box::new(it.clone())));
            closed.chain(offered).collect()
        }
    };
    match *event {
        Event::Moved { what, from, to } => {
            let moved = Event::Moved { what, from: to, to: from };
            [moved].into_iter().chain(shown_again()).collect()
        }
        Event::Gathered { from, to } => {
            let back = |piece| Event::Moved { what: Face::Up(piece), from: to, to: from };
            let moved = before.pieces::<Piece>(from).iter().map(back);
            moved.chain(shown_again()).collect()
        }
        Event::Paid { coin, from, to, amount, aloud } => {
            vec![Event::Paid { coin, from: to, to: from, amount, aloud }]
        }
        Event::Marked { mark, value: _ } => {
            vec![Event::Marked { mark, value: before.marked(mark) }]
        }
        Event::RoundBegan(_) => vec![Event::RoundBegan(before.round())],
        Event::PhaseBegan(_) => vec![Event::PhaseBegan(before.phase())],
        Event::TurnBegan(_) => vec![Event::TurnBegan(before.turn())],
        Event::Offered(_) | Event::OfferClosed { by: _ } => offers(),
        Event::Scored { seat, points: _ } => {
            vec![Event::Scored { seat, points: before.scores()[seat.index()] }]
        }
        // These change nothing on the table, or no seat can take them back.
        Event::Shown { what: _, at: _, to: _ }
        | Event::Rolled { seat: _, value: _ }
        | Event::Announced { announcement: _, seat: _, value: _ }
        | Event::Said { seat: _, speech: _ }
        | Event::Stood { seat: _, decision: _, on: _ }
        | Event::Contributed(_)
        | Event::Resigned { seat: _ }
        | Event::TimedOut { seat: _ }
        | Event::TimeAdded { seat: _, ms: _ }
        | Event::Ended { winners: _ }
        | Event::TookBack { age: _ }
        | Event::Voted { seat: _, motion: _, on: _ }
        | Event::Paused { by: _ }
        | Event::Resumed { by: _ }
        | Event::Abandoned
        | Event::Replaced { seat: _ } => Vec::new(),
    }
}
