//! All events of all games, and their redaction.

// A wildcard arm would cover future variants and could publish a secret.
#![deny(clippy::wildcard_enum_match_arm)]

use bytes::Bytes;

use crate::{
    AnnouncementId, BackId, Choice, CoinId, Contribution, DecisionId, Layout, MarkId, Motion,
    Piece, PlaceId, PlayerCommitment, Seat, Seats, Text, Viewer, Viewers,
};

/// The events that an entry has at most: the invariants check that matches stay far below it, and a
/// reader of records from strangers refuses more.
pub const EVENTS_MAX: usize = 10_000;

/// The same for the prompts of an entry.
pub const PROMPTS_MAX: usize = 1_000;

/// The same for the offers that are open after an entry, and what they offer.
pub const OFFERED_MAX: usize = 1_000;

/// One accepted action and everything that followed from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The version of the game's rules under which it was decided, counted from 1; 0 for an entry
    /// of an early release, which recorded neither versions nor choices.
    pub rules: u32,
    /// The seat that acted; `None` for the house.
    pub seat: Option<Seat>,
    /// The kind of action, such as `con`; public.
    pub verb: &'static str,
    /// The action as the game's own message. Only the seat that acted, and the house, see it.
    pub action: Option<Bytes>,
    /// The events, in order.
    pub events: Vec<Event>,
    /// Every prompt open after this entry; the next entry answers one of them.
    pub prompts: Vec<Prompt>,
    /// Every random choice, in order. Only the house sees them.
    pub choices: Vec<Choice>,
    /// Commitments to the players who take seats with it, in the order of the seats. Only the house
    /// sees them; the rules know no players.
    pub players: Vec<PlayerCommitment>,
}

/// A decision that a seat may make; if it `must`, the match waits for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prompt {
    pub seat: Seat,
    pub decision: DecisionId,
    pub must: bool,
    /// Only prompts in the top layer can be answered. An interrupt opens a new layer.
    pub layer: u8,
    /// How many entries ago it was opened; 0 in the entry that opened it.
    pub age: u32,
    /// How many entries ago its seat was last asked; 0 in the entry that asks. `None` while the
    /// seat cannot answer: an interrupt comes first, or the match is paused.
    pub asked: Option<u32>,
}

impl Prompt {
    /// Whether its entry asks the seat, and the match waits for the answer: see [`Entry::turns`].
    pub fn is_turn(&self) -> bool {
        self.must && self.asked == Some(0)
    }

    /// The same prompt one entry later.
    pub(crate) fn later(self) -> Prompt {
        Prompt { age: self.age + 1, asked: self.asked.map(|it| it + 1), ..self }
    }

    /// What is asked, whenever it was.
    pub(crate) fn ageless(self) -> Prompt {
        Prompt { age: 0, asked: None, ..self }
    }
}

/// A piece as the viewer sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    Up(Piece),
    Down(BackId),
    /// An unknown number of pieces, in or between places that the viewer cannot count. Only in
    /// redacted entries.
    Uncounted,
}

/// Something that happened. Events are narrated in their order; see [`Plan`](crate::Plan).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A piece moved.
    Moved {
        what: Face,
        from: PlaceId,
        to: PlaceId,
    },
    /// Every piece in one place moved to another, and no viewer sees more of them than before.
    Gathered {
        from: PlaceId,
        to: PlaceId,
    },
    /// A piece was shown to some viewers, in its place.
    Shown {
        what: Face,
        at: PlaceId,
        to: Viewers,
    },
    /// Coins moved. `amount` is `None` if the viewer sees neither purse, unless the coins were paid
    /// `aloud`.
    Paid {
        coin: CoinId,
        from: PlaceId,
        to: PlaceId,
        amount: Option<u32>,
        aloud: bool,
    },
    /// A mark was set. Narration omits this unless the game has words for it.
    Marked {
        mark: MarkId,
        value: i16,
    },
    /// A die was rolled.
    Rolled {
        seat: Seat,
        value: u8,
    },
    /// A fact for players that no other event shows, such as that a con was worth 9.
    Announced {
        announcement: AnnouncementId,
        seat: Seat,
        value: i16,
    },
    RoundBegan(u8),
    PhaseBegan(u8),
    TurnBegan(Seat),
    /// A deal was proposed, to everyone's knowledge.
    Offered(Box<Offer>),
    /// Every offer of this seat was withdrawn.
    OfferClosed {
        by: Seat,
    },
    /// A seat said something. `speech` is `None` for viewers who are not recipients; they learn
    /// neither the text, nor its length, nor its recipients.
    Said {
        seat: Seat,
        speech: Option<Box<Speech>>,
    },
    /// A seat declared a standing answer (the house answers such decisions for it), or took it
    /// back.
    Stood {
        seat: Seat,
        decision: DecisionId,
        on: bool,
    },
    /// A seat contributed to the chance of the match, in its first entry.
    Contributed(Box<Contribution>),
    /// A seat's points were set.
    Scored {
        seat: Seat,
        points: i32,
    },
    /// A seat resigned: the house answers for it from now on, and it cannot win.
    Resigned {
        seat: Seat,
    },
    /// The time of a seat ran out: the house made one decision for it, or it resigned.
    TimedOut {
        seat: Seat,
    },
    /// A seat was given more time to decide because of an outage of the service.
    TimeAdded {
        seat: Seat,
        ms: u32,
    },
    /// The match ended.
    Ended {
        winners: Seats,
    },
    /// A seat took back its action of `age` entries ago. The events that undo it follow.
    TookBack {
        age: u32,
    },
    /// A seat voted for a motion, or withdrew its vote.
    Voted {
        seat: Seat,
        motion: Motion,
        on: bool,
    },
    /// The match was paused, by the last vote needed or by the platform.
    Paused {
        by: Option<Seat>,
    },
    /// The match was resumed, by the last vote needed or by the platform.
    Resumed {
        by: Option<Seat>,
    },
    /// The match ended without a result, and nobody won.
    Abandoned,
    /// Another player took over a seat. If it had resigned, it is active again.
    Replaced {
        seat: Seat,
    },
}

/// The service keeps millions of events in memory, so their size matters.
const _: () = assert!(size_of::<Event>() == 16);

/// A proposed deal. Accepting it moves the pieces and the coins.
///
/// Rules check what `by` gives when the deal is offered, and what `to` gives when it is accepted,
/// so neither seat learns what the other's purse holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    pub by: Seat,
    pub to: Seat,
    pub give: Vec<OfferItem>,
    pub take: Vec<OfferItem>,
}

impl Offer {
    /// The memory that the offer takes, as an estimate.
    pub(crate) fn bytes(&self) -> usize {
        let items = self.give.capacity() + self.take.capacity();
        size_of::<Offer>() + items * size_of::<OfferItem>()
    }
}

/// One thing that changes hands in a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfferItem {
    Piece { piece: Piece, to: PlaceId },
    Coins { coin: CoinId, from: PlaceId, to: PlaceId, amount: u32 },
}

/// A player's message at the table. No rule reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Speech {
    /// Its recipients, including the speaker.
    pub to: Viewers,
    /// `None` if it was erased, or has not been opened with [`Entry::open`].
    pub text: Option<Text>,
    /// The encrypted text, if it is sealed. Never in a redacted entry.
    pub sealed: Option<Bytes>,
}

impl Speech {
    /// This speech as its recipients receive it.
    fn heard(&self) -> Speech {
        Speech { to: self.to, text: self.text.clone(), sealed: None }
    }
}

impl Entry {
    /// The memory that the entry takes on the heap, as an estimate.
    pub fn bytes(&self) -> usize {
        let boxed = |event: &Event| {
            if let Event::Said { speech: Some(speech), .. } = event {
                let text = speech.text.as_ref().map_or(0, |it| it.as_str().len());
                size_of::<Speech>() + text + speech.sealed.as_ref().map_or(0, Bytes::len)
            } else if let Event::Offered(offer) = event {
                offer.bytes()
            } else if let Event::Contributed(contribution) = event {
                size_of::<Contribution>() + contribution.bytes.len()
            } else {
                0
            }
        };
        self.action.as_ref().map_or(0, Bytes::len)
            + self.events.capacity() * size_of::<Event>()
            + self.events.iter().map(boxed).sum::<usize>()
            + self.prompts.capacity() * size_of::<Prompt>()
            + self.choices.capacity() * size_of::<Choice>()
    }

    /// The seats that won, if this entry ended the match; empty if the match was abandoned.
    pub fn winners(&self) -> Option<Seats> {
        let won = |event: &Event| {
            if let Event::Ended { winners } = event {
                Some(*winners)
            } else {
                matches!(event, Event::Abandoned).then(Seats::default)
            }
        };
        self.events.iter().find_map(won)
    }

    /// Whether it changed nothing on the table: talk, a vote without effect, or added time.
    pub fn is_aside(&self) -> bool {
        let is_aside = |it: &Event| {
            matches!(it, Event::Said { .. } | Event::Voted { .. } | Event::TimeAdded { .. })
        };
        self.events.iter().all(is_aside)
    }

    /// The seats whose turn it is by this entry: those that it asks something for which the match
    /// waits, and that they were not asked when they were last told, whoever caused it. Notices,
    /// webhooks and filters all follow from it.
    pub fn turns(&self) -> Seats {
        self.prompts.iter().filter(|it| it.is_turn()).map(|it| it.seat).collect()
    }

    /// Whether it tells when seats were asked, beyond when their prompts were opened.
    pub fn counts_asked(&self) -> bool {
        self.prompts.iter().any(|prompt| prompt.asked != Some(prompt.age))
    }

    /// This entry as a release would have recorded it that did not count when seats were asked.
    pub fn without_asked(self) -> Entry {
        let prompts = self.prompts.iter().map(|it| Prompt { asked: Some(it.age), ..*it });
        Entry { prompts: prompts.collect(), ..self }
    }

    /// The round that this entry began, if any; the last one, if it began several.
    pub fn round_begun(&self) -> Option<u8> {
        let begun =
            |event: &Event| if let Event::RoundBegan(round) = event { Some(*round) } else { None };
        self.events.iter().rev().find_map(begun)
    }

    /// The messages of this entry.
    pub(crate) fn speeches(&self) -> impl Iterator<Item = &Speech> {
        self.events.iter().filter_map(|event| {
            if let Event::Said { speech: Some(speech), .. } = event {
                Some(&**speech)
            } else {
                None
            }
        })
    }
}

// === The only redaction, for every game ===

impl Entry {
    /// This entry as `viewer` may see it. It does not depend on later entries, so hidden
    /// information stays hidden.
    pub fn seen_by(&self, viewer: Viewer, layout: &Layout) -> Entry {
        let is_house = viewer == Viewer::House;
        let is_author = is_house || self.seat.map(Viewer::Seat) == Some(viewer);
        Entry {
            rules: self.rules,
            seat: self.seat,
            verb: self.verb,
            action: self.action.clone().filter(|_| is_author),
            events: self.events_seen_by(viewer, layout),
            prompts: self.prompts.clone(),
            choices: if is_house { self.choices.clone() } else { Vec::new() },
            players: if is_house { self.players.clone() } else { Vec::new() },
        }
    }

    /// Merges consecutive equal moves that the viewer cannot count, to hide their number.
    fn events_seen_by(&self, viewer: Viewer, layout: &Layout) -> Vec<Event> {
        let mut events: Vec<Event> = Vec::with_capacity(self.events.len());
        for event in &self.events {
            let seen = event.seen_by(viewer, layout);
            if !(seen.is_uncounted() && events.last() == Some(&seen)) {
                events.push(seen);
            }
        }
        events
    }
}

impl Event {
    /// This event as `viewer` may see it. Viewers who see a piece's place before or after learn the
    /// piece, those who can count one of the two places learn its back, those who see one of the
    /// purses learn the amount, and recipients learn the text of a message. Everything else is
    /// public.
    pub fn seen_by(&self, viewer: Viewer, layout: &Layout) -> Event {
        let sees = |place| layout.viewers(place).has(viewer);
        let counts = |place| layout.counters(place).has(viewer);
        let turned = |what, seen: bool, counted: bool| match what {
            Face::Up(_) if seen => what,
            Face::Up(piece) if counted => Face::Down(layout.back(piece)),
            Face::Down(_) if counted => what,
            Face::Up(_) | Face::Down(_) | Face::Uncounted => Face::Uncounted,
        };
        match *self {
            Event::Moved { what, from, to } => {
                let (seen, counted) = (sees(from) || sees(to), counts(from) || counts(to));
                Event::Moved { what: turned(what, seen, counted), from, to }
            }
            Event::Shown { what, at, to } => {
                let seen = sees(at) || to.has(viewer);
                Event::Shown { what: turned(what, seen, counts(at)), at, to }
            }
            Event::Paid { coin, from, to, amount, aloud } => {
                let amount = amount.filter(|_| aloud || sees(from) || sees(to));
                Event::Paid { coin, from, to, amount, aloud }
            }
            Event::Said { seat, ref speech } => {
                let heard = speech.as_ref().filter(|it| it.to.has(viewer));
                Event::Said { seat, speech: heard.map(|it| Box::new(it.heard())) }
            }
            // Public. Each field is named, so that a new one does not compile before its visibility
            // is decided.
            Event::Gathered { from, to } => Event::Gathered { from, to },
            Event::Marked { mark, value } => Event::Marked { mark, value },
            Event::Rolled { seat, value } => Event::Rolled { seat, value },
            Event::Announced { announcement, seat, value } => {
                Event::Announced { announcement, seat, value }
            }
            Event::RoundBegan(round) => Event::RoundBegan(round),
            Event::PhaseBegan(phase) => Event::PhaseBegan(phase),
            Event::TurnBegan(seat) => Event::TurnBegan(seat),
            Event::Offered(ref offer) => Event::Offered(offer.clone()),
            Event::OfferClosed { by } => Event::OfferClosed { by },
            Event::Stood { seat, decision, on } => Event::Stood { seat, decision, on },
            Event::Contributed(ref contribution) => Event::Contributed(contribution.clone()),
            Event::Scored { seat, points } => Event::Scored { seat, points },
            Event::Resigned { seat } => Event::Resigned { seat },
            Event::TimedOut { seat } => Event::TimedOut { seat },
            Event::TimeAdded { seat, ms } => Event::TimeAdded { seat, ms },
            Event::Ended { winners } => Event::Ended { winners },
            Event::TookBack { age } => Event::TookBack { age },
            Event::Voted { seat, motion, on } => Event::Voted { seat, motion, on },
            Event::Paused { by } => Event::Paused { by },
            Event::Resumed { by } => Event::Resumed { by },
            Event::Abandoned => Event::Abandoned,
            Event::Replaced { seat } => Event::Replaced { seat },
        }
    }

    /// Whether it hides the number of pieces.
    fn is_uncounted(&self) -> bool {
        match *self {
            Event::Moved { what, .. } | Event::Shown { what, .. } => what == Face::Uncounted,
            Event::Gathered { .. }
            | Event::Paid { .. }
            | Event::Marked { .. }
            | Event::Rolled { .. }
            | Event::Announced { .. }
            | Event::RoundBegan(_)
            | Event::PhaseBegan(_)
            | Event::TurnBegan(_)
            | Event::Offered(_)
            | Event::OfferClosed { .. }
            | Event::Said { .. }
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
            | Event::Replaced { .. } => false,
        }
    }
}
