//! The layout: who sees each place, which coins it holds, and how it is drawn.

use std::{marker::PhantomData, sync::LazyLock};

use table::{
    Arrangement, Discloses, Display, Layout, Look, Meaning, Plan, Purse, Role, Seat, Sight,
};

use super::{
    cards::catalogue,
    vocabulary::{Announcement, Back, Coin, Decision, Mark, Place, Plot, Resource},
};
use {Coin::*, Mark::*, Place::*};

pub(super) static LAYOUT: LazyLock<Layout> = LazyLock::new(|| Layout::of(plan()));

pub(super) fn plan() -> Plan<Place, Coin, Mark, Decision, Announcement, Back> {
    Plan {
        catalogue: catalogue(),
        sight,
        purse,
        display,
        mark,
        // §15.2, §17.5
        discloses: &[Discloses::Coin(Credit), Discloses::Coin(Counted)],
        score,
        verbs: VERBS,
        // §4.1
        phases: &["player", "disaster", "production", "market"],
        palette: PALETTE,
        terms: PhantomData,
    }
}

/// §18.1
fn score(announcement: Announcement) -> i32 {
    match announcement {
        Announcement::PlotsWorth | Announcement::StockWorth | Announcement::CreditsHeld => 1,
        Announcement::Owes => -1,
        Announcement::Begins(_)
        | Announcement::Leads
        | Announcement::IsReady
        | Announcement::IsNotReady
        | Announcement::LastCall
        | Announcement::Unaffected
        | Announcement::Averted
        | Announcement::TakenOver
        | Announcement::Returned
        | Announcement::Wasted
        | Announcement::Price
        | Announcement::LandValue(_)
        | Announcement::UnitValue(_)
        | Announcement::OnSeat
        | Announcement::OnPlot(_)
        | Announcement::OnResource(_)
        | Announcement::Powers
        | Announcement::PriceForSeat
        | Announcement::ShowsCredits => 0,
    }
}

/// §3.4
fn sight(place: Place) -> Sight {
    match place {
        PlotDeck | SurveyDeck | DisasterDeck | KarmaDeck | MarketDeck | EndMarketDeck | Notepad => {
            Sight::Nobody
        }
        Hand(seat) | Purse(seat) | Grant(seat) | Notes(seat, _) => Sight::Only(seat),
        Bank
        | Works
        | Vinnie
        | Warehouse(_)
        | Debts(_)
        | Wreck(_)
        | Owned(_)
        | Spots(..)
        | On(_)
        | Front(_)
        | DisasterDiscard
        | InPlay(_)
        | Awaited(_)
        | Stage(_)
        | KarmaDiscard
        | Recycled
        | Parts
        | Place::Price
        | MarketDiscard
        | Value(_) => Sight::All,
    }
}

/// §1.7, §1.8: RIGS and scripts are limited by what set-up takes from the bank; the rest is not.
fn purse(place: Place, coin: Coin) -> Purse {
    match (place, coin) {
        (_, Script(Resource::Luxury)) => Purse::None,
        (Bank, Unit(_) | Credit | Rig | Script(_)) | (Notepad, Counted) => Purse::Bank,
        (Works | Spots(..) | Wreck(_) | Recycled | Parts, Rig)
        | (Warehouse(_), Unit(_) | Rig)
        | (Stage(_), Unit(_))
        | (Purse(_), Credit)
        | (Vinnie | Debts(_), Script(_))
        | (Notes(..), Counted) => Purse::Held,
        _ => Purse::None,
    }
}

fn display(place: Place) -> Display {
    use Arrangement::{Fan, Grid, Pile, Row};
    match place {
        Bank => Display::of(Role::Bank, Pile, 0),
        Works => Display::of(Role::Bank, Pile, 0),
        Vinnie => Display::of(Role::Purse, Pile, 0),
        Warehouse(_) => Display::of(Role::Purse, Pile, 1),
        Place::Purse(_) => Display::of(Role::Purse, Pile, 1),
        Debts(_) => Display::of(Role::Purse, Pile, 1),
        Wreck(_) => Display::of(Role::Area, Pile, 2),
        PlotDeck => Display::of(Role::Deck, Pile, 1),
        Grant(_) => Display::of(Role::Hand, Fan, 3),
        Owned(_) => Display::of(Role::Area, Grid, 4),
        Spots(..) => Display::of(Role::Board, Row, 0),
        On(_) => Display::of(Role::Board, Row, 1),
        SurveyDeck => Display::of(Role::Deck, Pile, 1),
        DisasterDeck => Display::of(Role::Deck, Pile, 2),
        Front(_) => Display::of(Role::Area, Row, 5),
        DisasterDiscard => Display::of(Role::Discard, Pile, 2),
        KarmaDeck => Display::of(Role::Deck, Pile, 3),
        Hand(_) => Display::of(Role::Hand, Fan, 3),
        InPlay(_) => Display::of(Role::Area, Row, 6),
        Awaited(_) => Display::of(Role::Area, Row, 7),
        Stage(_) => Display::of(Role::Area, Row, 5),
        KarmaDiscard => Display::of(Role::Discard, Pile, 3),
        Recycled | Parts => Display::of(Role::Area, Pile, 6),
        MarketDeck => Display::of(Role::Deck, Pile, 4),
        Place::Price => Display::of(Role::Row, Row, 4),
        MarketDiscard => Display::of(Role::Discard, Pile, 4),
        EndMarketDeck => Display::of(Role::Deck, Pile, 5),
        Value(_) => Display::of(Role::Row, Row, 5),
        Notes(..) => Display::of(Role::Purse, Pile, 8),
        Notepad => Display::of(Role::Box, Pile, 9),
    }
}

const PALETTE: &[(&str, Look)] = &[
    ("energy", Look::of("#d9a400", "⚡")),
    ("supply", Look::of("#3f8f3f", "⛟")),
    ("metal", Look::of("#6b7480", "⚙")),
    ("luxury", Look::of("#8e44ad", "♦")),
    ("plains", Look::of("#b8a44c", "")),
    ("valley", Look::of("#5f9e6e", "")),
    ("forest", Look::of("#2e6b3c", "")),
    ("desert", Look::of("#d28b45", "")),
    ("ridge", Look::of("#8a7f78", "")),
    ("destruction", Look::of("#b03a2e", "✸")),
    ("sabotage", Look::of("#7d5a2b", "✂")),
    ("wealth", Look::of("#2e7d5b", "¤")),
    ("protection", Look::of("#2e5fa3", "⛨")),
];

fn mark(mark: Mark) -> Meaning {
    match mark {
        Leader => Meaning::one_of::<Seat>(),
        Ready(_) | Powered(_) | LastCalled => Meaning::FLAG,
        SentTo => Meaning::one_of::<Seat>(),
        Due(_) | Unrolled(_) | Worth(_) => Meaning::COUNTER,
        By(_) | Victim(_) => Meaning::one_of::<Seat>(),
        Aimed(_) | AimedToo(_) => Meaning::one_of::<Plot>(),
        Sort(_) => Meaning::one_of::<Resource>(),
        LandMoved | Dealt(_) | Borrowed(_) | Tinkered | Lost(..) | LostKarma(_) | LostBoth(_)
        | Guarded(_) | Offers(_) | Unreadied(_) | Shows(_) | Touched(_) => Meaning::HIDDEN,
    }
}

const VERBS: &[&str] = &[
    "grant",
    "name",
    "build",
    "move",
    "survey",
    "borrow",
    "repay",
    "offer",
    "withdraw",
    "accept",
    "refuse",
    "play",
    "cash",
    "tinker",
    "discard",
    "take",
    "salvage",
    "lose",
    "throw",
    "gain",
    "send",
    "draw-three",
    "receive",
    "power",
    "last-call",
    "sell",
    "ready",
    "unready",
    "pass",
    "raise",
    "show",
    "claim",
    "series",
];
