//! Events as text, one line each, with the names of the layout: for golden records and for
//! differences between entries.

use table::{
    Entry, Event, Face, Layout, MarkId, Offer, OfferItem, PlaceId, Seat, Seats, Speech, Values,
    Viewers,
};

/// The first line of an entry, with its actor and verb: `seat 1: con`.
pub fn headline(entry: &Entry) -> String {
    match entry.seat {
        Some(seat) => format!("seat {seat}: {}", entry.verb),
        None => format!("the house: {}", entry.verb),
    }
}

/// One event, as far as it is not redacted.
pub fn line(event: &Event, layout: &Layout) -> String {
    let place = |id: PlaceId| layout.place_name(id);
    match *event {
        Event::Moved { what, from, to } => {
            format!("{}: {} -> {}", face(what, layout), place(from), place(to))
        }
        Event::Gathered { from, to } => format!("everything: {} -> {}", place(from), place(to)),
        Event::Shown { what, at, to } => {
            let to = if to == Viewers::ALL { "everyone".into() } else { seats(to.seats()) };
            let is = if what == Face::Uncounted { "are" } else { "is" };
            format!("{} in {} {is} shown to {to}", face(what, layout), place(at))
        }
        Event::Paid { coin, from, to, amount, .. } => {
            let amount = amount.map_or("some".into(), |amount| amount.to_string());
            format!("{amount} {}: {} -> {}", layout.coin_name(coin), place(from), place(to))
        }
        Event::Marked { mark, value } => {
            format!("{} is {}", layout.mark_name(mark), mark_value(layout, mark, value))
        }
        Event::Rolled { seat, value } => format!("seat {seat} rolls {value}"),
        Event::Announced { announcement, seat, value } => {
            format!("{}: seat {seat}, {value}", layout.announcement_name(announcement))
        }
        Event::RoundBegan(round) => format!("round {round} begins"),
        Event::PhaseBegan(phase) => format!("phase {phase} begins"),
        Event::TurnBegan(seat) => format!("the turn of seat {seat} begins"),
        Event::Offered(ref offer) => deal(offer, layout),
        Event::OfferClosed { by } => format!("the offer of seat {by} is off the table"),
        Event::Scored { seat, points } => format!("seat {seat} has {points} points"),
        Event::Resigned { seat } => format!("seat {seat} resigns"),
        Event::TimedOut { seat } => format!("seat {seat} runs out of time"),
        Event::TimeAdded { seat, ms } => format!("seat {seat} has {ms} ms more"),
        Event::Ended { winners } => format!("the match has ended: {} won", seats(winners)),
        Event::TookBack { age } => format!("takes back the entry {age} before"),
        Event::Voted { seat, motion, on } => {
            format!("seat {seat} {} {motion:?}", if on { "votes for" } else { "votes no more for" })
        }
        Event::Paused { by } => format!("the match is paused{}", by_vote(by)),
        Event::Resumed { by } => format!("the match is resumed{}", by_vote(by)),
        Event::Abandoned => "the match has ended without a result".into(),
        Event::Replaced { seat } => format!("another player takes over seat {seat}"),
        Event::Said { seat, ref speech } => said(seat, speech.as_deref()),
        Event::Contributed(ref it) => {
            format!("seat {} contributes {} bytes to the chance", it.seat, it.bytes.len())
        }
        Event::Stood { seat, decision, on } => {
            let (decision, answers) = (
                layout.decision_name(decision),
                if on { "lets the house answer" } else { "answers" },
            );
            format!("seat {seat} {answers} {decision}")
        }
    }
}

/// A mark's value by name, `nothing` for none, or its number.
pub fn mark_value(layout: &Layout, mark: MarkId, value: i16) -> String {
    match (layout.mark_values(mark), layout.mark_value(mark, value)) {
        (Values::Number, _) => value.to_string(),
        (Values::OneOf(_), None) => "nothing".into(),
        (Values::OneOf(_), Some(named)) => named.name.clone(),
    }
}

fn face(what: Face, layout: &Layout) -> String {
    match what {
        Face::Up(piece) => layout.piece_name(piece).into(),
        Face::Down(back) => format!("a {}", layout.back_name(back)),
        Face::Uncounted => "some pieces".into(),
    }
}

fn seats(seats: Seats) -> String {
    let names: Vec<String> = seats.iter().map(|seat| format!("seat {seat}")).collect();
    if names.is_empty() { "nobody".into() } else { names.join(" and ") }
}

fn by_vote(by: Option<Seat>) -> String {
    by.map_or_else(String::new, |seat| format!(" by the vote of seat {seat}"))
}

fn said(seat: Seat, speech: Option<&Speech>) -> String {
    let Some(Speech { to, text: Some(text), sealed: _ }) = speech else {
        return format!("seat {seat} says something in private");
    };
    let text = text.as_str();
    if *to == Viewers::ALL {
        return format!("seat {seat} says {text:?}");
    }
    let others: Seats = to.seats().iter().filter(|&it| it != seat).collect();
    format!("seat {seat} says {text:?} to {} in private", seats(others))
}

fn deal(offer: &Offer, layout: &Layout) -> String {
    let term = |term: &OfferItem| match *term {
        OfferItem::Piece { piece, .. } => layout.piece_name(piece).to_string(),
        OfferItem::Coins { coin, amount, .. } => format!("{amount} {}", layout.coin_name(coin)),
    };
    let terms = |terms: &[OfferItem]| match terms {
        [] => "nothing".into(),
        terms => terms.iter().map(term).collect::<Vec<_>>().join(" and "),
    };
    let (give, take) = (terms(&offer.give), terms(&offer.take));
    format!("seat {} offers seat {} {give} for {take}", offer.by, offer.to)
}
