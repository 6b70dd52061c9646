//! The layout: who sees each place, which coins it holds, and how it is drawn.

use std::{marker::PhantomData, sync::LazyLock};

use table::{Arrangement, Discloses, Display, Layout, Meaning, Plan, Purse, Role, Sight, Small};

use super::{
    cards,
    vocabulary::{Announcement, Back, Coin, Corporation, Decision, Mark, Place},
};
use {Coin::*, Mark::*, Place::*};

pub(super) static LAYOUT: LazyLock<Layout> = LazyLock::new(|| Layout::of(plan()));

fn plan() -> Plan<Place, Coin, Mark, Decision, Announcement, Back> {
    Plan {
        catalogue: cards::catalogue(),
        // §1.6, §1.7
        sight: |place| match place {
            Deck(_) | EventDeck => Sight::Nobody,
            Stash(seat) => Sight::Screened(seat),
            Pocket(seat) | Palm(seat) => Sight::Only(seat),
            Reserve | Box | Pot(_) | Events | EventDiscard | Payout | Discard | Track(_)
            | Revealed(_) => Sight::All,
        },
        // §1.5: a bank never runs out.
        purse: |place, coin| match (place, coin) {
            (Reserve, Million | Honor) => Purse::Bank,
            (Pot(_) | Stash(_), Million) | (Track(_), Honor) => Purse::Held,
            (Pot(_) | Stash(_), Honor) | (Track(_), Million) => Purse::None,
            (
                Box | Deck(_) | EventDeck | Events | EventDiscard | Payout | Discard | Pocket(_)
                | Palm(_) | Revealed(_),
                Million | Honor,
            ) => Purse::None,
        },
        display: |place| match place {
            Reserve => Display::of(Role::Bank, Arrangement::Pile, 0),
            // A pot lies on its deck.
            Deck(it) => Display::of(Role::Deck, Arrangement::Pile, 1 + it.index() as u8),
            Pot(it) => Display::of(Role::Purse, Arrangement::Pile, 1 + it.index() as u8),
            Payout => Display::of(Role::Row, Arrangement::Row, 4),
            Discard => Display::of(Role::Discard, Arrangement::Pile, 5),
            EventDeck => Display::of(Role::Deck, Arrangement::Pile, 6),
            Events => Display::of(Role::Row, Arrangement::Row, 6),
            EventDiscard => Display::of(Role::Discard, Arrangement::Pile, 6),
            Track(_) => Display::of(Role::Purse, Arrangement::Row, 0),
            Stash(_) => Display::of(Role::Hand, Arrangement::Fan, 1),
            Palm(_) => Display::of(Role::Area, Arrangement::Row, 2),
            Revealed(_) => Display::of(Role::Area, Arrangement::Row, 2),
            // The sides that are not chosen need not be seen.
            Pocket(_) => Display::of(Role::Box, Arrangement::Pile, 9),
            Box => Display::of(Role::Box, Arrangement::Pile, 9),
        },
        mark: |mark| match mark {
            Member(_) => Meaning::FLAG,
            Target => Meaning::one_of::<Corporation>(),
            EventsDue => Meaning::COUNTER,
            Eliminated(_) => Meaning::FLAG,
            TurnsBegun => Meaning::HIDDEN,
            OffersMade(_) => Meaning::HIDDEN,
        },
        // §7.18
        discloses: &[Discloses::Announcement(Announcement::StashHolds)],
        // §9.9: who is eliminated scores nothing.
        score: |it| match it {
            Announcement::IskHeld => 1,
            Announcement::IsEliminated => -1,
            Announcement::Assembles
            | Announcement::Joins
            | Announcement::Blackmails(_)
            | Announcement::PayoutIs
            | Announcement::StashHolds
            | Announcement::GameEnd(_)
            | Announcement::DeckEmpty(_) => 0,
        },
        verbs: &[
            "pay",
            "assemble",
            "blackmail",
            "choose",
            "favor",
            "offer",
            "withdraw",
            "accept",
            "refuse",
        ],
        phases: &[],
        palette: cards::PALETTE,
        terms: PhantomData,
    }
}
