//! The layout: who sees each place, which coins it holds, and how it is drawn.

use std::{marker::PhantomData, sync::LazyLock};

use table::{Arrangement, Display, Layout, Meaning, Plan, Purse, Role, Sight};

use super::{
    cards,
    vocabulary::{Announcement, Back, Card, Coin, Decision, Mark, Place},
};
use {Coin::*, Mark::*, Place::*};

pub(super) static LAYOUT: LazyLock<Layout> = LazyLock::new(|| Layout::of(plan()));

fn plan() -> Plan<Place, Coin, Mark, Decision, Announcement, Back> {
    Plan {
        catalogue: cards::catalogue(),
        // §1.5
        sight: |place| match place {
            Deck => Sight::Nobody,
            Hand(seat) => Sight::Only(seat),
            Supply | Draft | Discard | Crown(_) | Winnings(_) => Sight::All,
        },
        // §1.4: a bank never runs out.
        purse: |place, coin| match (place, coin) {
            (Supply, Token) => Purse::Bank,
            (Crown(_) | Winnings(_), Token) => Purse::Held,
            (Deck | Draft | Discard | Hand(_), Token) => Purse::None,
        },
        display: |place| match place {
            Supply => Display::of(Role::Bank, Arrangement::Pile, 0),
            Deck => Display::of(Role::Deck, Arrangement::Pile, 1),
            Draft => Display::of(Role::Row, Arrangement::Row, 1),
            Discard => Display::of(Role::Discard, Arrangement::Pile, 1),
            Crown(_) => Display::of(Role::Board, Arrangement::Pile, 2),
            Hand(_) => Display::of(Role::Hand, Arrangement::Fan, 1),
            Winnings(_) => Display::of(Role::Purse, Arrangement::Pile, 0),
        },
        mark: |mark| match mark {
            Reshuffled => Meaning::FLAG,
            // 0 until the deck has run out.
            TurnsLeft => Meaning::COUNTER,
        },
        discloses: &[],
        // §6.5
        score: |it| match it {
            Announcement::TokensWon => 1,
            Announcement::Con(_) | Announcement::NewDeck | Announcement::LastTurns => 0,
        },
        verbs: &["draw", "take", "con", "pass"],
        phases: &[],
        palette: cards::PALETTE,
        terms: PhantomData,
    }
}

pub(super) fn name(card: Card) -> &'static str {
    LAYOUT.piece_name(card)
}
