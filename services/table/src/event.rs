//! What can happen on a table. These are all the events there are, for every game.

// A wildcard arm would decide for variants that do not exist yet, and could so publish a secret.
#![deny(clippy::wildcard_enum_match_arm)]

use bytes::Bytes;

use crate::{
    AnnouncementId, BackId, CoinId, DecisionId, Layout, MarkId, Piece, PlaceId, Seat, Seats, Text,
    Viewer, Viewers,
};

/// One accepted action and all that it led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Who acted; none when the house did.
    pub seat: Option<Seat>,
    /// The kind of action, such as `con`; public.
    pub verb: &'static str,
    /// The whole action as the game's own message. Only its author sees it.
    pub action: Option<Bytes>,
    /// What happened, in order.
    pub events: Vec<Event>,
    /// Every prompt open after this entry; the next entry answers one of them.
    pub prompts: Vec<Prompt>,
}

/// A seat may decide something; if it `must`, the match waits for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prompt {
    pub seat: Seat,
    pub decision: DecisionId,
    pub must: bool,
    /// Prompts lie in layers, and only the top layer is answered. An interrupt opens a new one.
    pub layer: u8,
}

/// A piece as the reader sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    Up(Piece),
    Down(BackId),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A piece moved.
    Moved {
        what: Face,
        from: PlaceId,
        to: PlaceId,
    },
    /// Every piece in one place moved to another, where nobody sees more of them than before.
    Gathered {
        from: PlaceId,
        to: PlaceId,
    },
    /// Some viewers looked at a piece where it lies.
    Shown {
        what: Face,
        at: PlaceId,
        to: Viewers,
    },
    /// Coins moved. `amount` is none where the reader sees neither purse, unless it was said
    /// `aloud`.
    Paid {
        coin: CoinId,
        from: PlaceId,
        to: PlaceId,
        amount: Option<u32>,
        aloud: bool,
    },
    /// A mark took a value.
    Marked {
        mark: MarkId,
        value: i16,
    },
    /// A die was rolled.
    Rolled {
        seat: Seat,
        value: u8,
    },
    /// Something worth saying that moves nothing, in the game's own words: a con was worth 9.
    Announced {
        announcement: AnnouncementId,
        seat: Seat,
        value: i16,
    },
    RoundBegan(u8),
    PhaseBegan(u8),
    TurnBegan(Seat),
    /// A deal was proposed, aloud.
    Offered(Box<Offer>),
    /// Every offer of this seat is off the table.
    OfferClosed {
        by: Seat,
    },
    /// A seat said something. `speech` is none where the reader was not meant to hear it: neither
    /// what was said, nor at what length, nor to whom.
    Said {
        seat: Seat,
        speech: Option<Box<Speech>>,
    },
    /// A seat's points are known.
    Scored {
        seat: Seat,
        points: i32,
    },
    /// A seat gave up: the house answers for it from now on, and it does not win.
    Resigned {
        seat: Seat,
    },
    /// The match is over.
    Ended {
        winners: Seats,
    },
}

/// Matches of millions of events are held and sent; a larger event is felt everywhere.
const _: () = assert!(size_of::<Event>() == 16);

/// A deal proposed: events in waiting. Accepting it lets them happen.
///
/// What `by` gives is checked when it offers, what `to` gives when it accepts, so that neither
/// needs to see the other's purse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    pub by: Seat,
    pub to: Seat,
    pub give: Vec<OfferItem>,
    pub take: Vec<OfferItem>,
}

/// One thing that changes hands in a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfferItem {
    Piece { piece: Piece, to: PlaceId },
    Coins { coin: CoinId, from: PlaceId, to: PlaceId, amount: u32 },
}

/// What a player said to others at the table. It binds nobody: no rule reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Speech {
    /// Who was meant to hear it, the speaker among them.
    pub to: Viewers,
    pub text: Text,
}

// === The only door for secrets, in every game ===

impl Entry {
    /// This entry as `viewer` may know it, now and for good.
    pub fn seen_by(&self, viewer: Viewer, layout: &Layout) -> Entry {
        let is_author = viewer == Viewer::House || self.seat.map(Viewer::Seat) == Some(viewer);
        Entry {
            seat: self.seat,
            verb: self.verb,
            action: self.action.clone().filter(|_| is_author),
            events: self.events.iter().map(|event| event.seen_by(viewer, layout)).collect(),
            prompts: self.prompts.clone(),
        }
    }
}

impl Event {
    /// This event as `viewer` may know it: a piece is named to whoever sees its place before or
    /// after, an amount to whoever sees one of its purses, words to whom they were said. Everything
    /// else is public.
    pub fn seen_by(&self, viewer: Viewer, layout: &Layout) -> Event {
        let sees = |place| layout.viewers(place).has(viewer);
        let turned = |what, seen: bool| match what {
            Face::Up(piece) if !seen => Face::Down(layout.back(piece)),
            Face::Up(_) | Face::Down(_) => what,
        };
        match *self {
            Event::Moved { what, from, to } => {
                Event::Moved { what: turned(what, sees(from) || sees(to)), from, to }
            }
            Event::Shown { what, at, to } => {
                Event::Shown { what: turned(what, sees(at) || to.has(viewer)), at, to }
            }
            Event::Paid { coin, from, to, amount, aloud } => {
                let amount = amount.filter(|_| aloud || sees(from) || sees(to));
                Event::Paid { coin, from, to, amount, aloud }
            }
            Event::Said { seat, ref speech } => {
                Event::Said { seat, speech: speech.clone().filter(|it| it.to.has(viewer)) }
            }
            // Public. Each field is named, so that a new one does not compile until it is sorted.
            Event::Gathered { from: _, to: _ }
            | Event::Marked { mark: _, value: _ }
            | Event::Rolled { seat: _, value: _ }
            | Event::Announced { announcement: _, seat: _, value: _ }
            | Event::RoundBegan(_)
            | Event::PhaseBegan(_)
            | Event::TurnBegan(_)
            | Event::Offered(_)
            | Event::OfferClosed { by: _ }
            | Event::Scored { seat: _, points: _ }
            | Event::Resigned { seat: _ }
            | Event::Ended { winners: _ } => self.clone(),
        }
    }
}
