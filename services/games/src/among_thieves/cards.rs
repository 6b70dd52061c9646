//! The honor discs, 66 corporation cards and 29 events.
//!
//! The rulebook states the number of cards, their kinds, the three tiers, and that some cards are
//! for seven or more players. No source gives the text of a single card: values, icons, events and
//! the effects of the Game End cards are our own design. They are data in this file only, so that
//! the printed cards can replace them without a change to any rule.

use table::{Catalogue, Look, Origin, Seat, Small};

use super::vocabulary::{Back, Card, Corporation, Disc, EventCard, Place};
use {Effect::*, Icon::*, Players::*};

/// §2.1: with this many players or more, all cards are used.
pub(super) const SEVEN: usize = 7;

/// At which player counts a card is used.
#[derive(Clone, Copy, PartialEq)]
enum Players {
    Any,
    SevenUp,
}

impl Players {
    fn least(self) -> u8 {
        match self {
            Players::Any => 2,
            Players::SevenUp => 7,
        }
    }
}

#[derive(Clone, Copy, PartialEq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
enum Icon {
    Plain,
    /// §9.4: worth 1 honor in a stash at the end.
    Honor,
    /// §7.1: draws an event in a payout.
    Event,
}

// === Honor discs ===

/// §1.1
const SIDES: [&str; 2] = ["honorable", "dishonorable"];

pub(super) fn disc(seat: Seat, honorable: bool) -> Disc {
    let row = seat.index() * SIDES.len() + usize::from(!honorable);
    Disc::nth(row).expect("every seat has two sides")
}

// === Corporation cards ===

/// §1.2, §1.3: tier, value in millions, icon and player count of the cards of a corporation, the
/// same for all three. The last one is its Game End card. §2.2: tiers are layers of the deck.
const CARDS: [(u8, u32, Icon, Players); 22] = [
    (1, 1, Honor, Any),
    (1, 1, Honor, Any),
    (1, 2, Plain, Any),
    (1, 2, Event, Any),
    (1, 3, Plain, Any),
    (1, 1, Honor, SevenUp),
    (1, 2, Event, SevenUp),
    (2, 2, Honor, Any),
    (2, 3, Plain, Any),
    (2, 3, Event, Any),
    (2, 4, Plain, Any),
    (2, 5, Event, Any),
    (2, 3, Honor, SevenUp),
    (2, 4, Event, SevenUp),
    (3, 4, Honor, Any),
    (3, 5, Plain, Any),
    (3, 6, Event, Any),
    (3, 7, Plain, Any),
    (3, 8, Event, Any),
    (3, 5, Honor, SevenUp),
    (3, 6, Event, SevenUp),
    (3, 0, Plain, Any),
];

const GAME_END: usize = CARDS.len() - 1;

/// The players who are eliminated at the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fate {
    LowestHonor,
    HighestHonor,
    /// §9.7
    TwoLowestHonors,
}

impl Corporation {
    /// §9.5, §9.6, §9.7: the effect of its Game End card.
    pub(super) fn fate(self) -> Fate {
        match self {
            Corporation::Corvid => Fate::LowestHonor,
            Corporation::Lefleur => Fate::HighestHonor,
            Corporation::Paragon => Fate::TwoLowestHonors,
        }
    }
}

impl Card {
    fn row(self) -> usize {
        self.index() % CARDS.len()
    }
    pub(super) fn corporation(self) -> Corporation {
        Corporation::nth(self.index() / CARDS.len()).expect("each has as many cards")
    }
    pub(super) fn value(self) -> u32 {
        CARDS[self.row()].1
    }
    pub(super) fn has_honor(self) -> bool {
        CARDS[self.row()].2 == Honor
    }
    pub(super) fn has_event(self) -> bool {
        CARDS[self.row()].2 == Event
    }
    pub(super) fn is_game_end(self) -> bool {
        self.row() == GAME_END
    }
    /// Whether it is used only with seven or more players.
    pub(super) fn is_for_seven(self) -> bool {
        CARDS[self.row()].3 == SevenUp
    }
}

// === Events ===

/// The effect of an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Effect {
    /// §7.4: changes the payout, which is never less than 0.
    Payout(i32),
    DoublePayout,
    /// §7.6
    OneMoreCard,
    HonorableGainHonor,
    DishonorableLoseHonor,
    LowestGainHonor,
    HighestLoseHonor,
    HeistmasterGains,
    BystandersGain,
    MembersPay,
    PotsGrow,
    EachPaysLeft,
    Favor,
    LowGainHonor,
    CountStashes,
}

/// §1.4, §7.3, §7.5 to §7.18: name, effect, copies and player count of the events.
const EVENTS: [(&str, Effect, usize, Players); 17] = [
    ("fresh-dirt", Payout(3), 3, Any),
    ("damage-control", Payout(-2), 2, Any),
    ("mother-lode", DoublePayout, 1, Any),
    ("loose-lips", OneMoreCard, 2, Any),
    ("word-on-the-street", HonorableGainHonor, 2, Any),
    ("rat-in-the-ranks", DishonorableLoseHonor, 2, Any),
    ("second-chance", LowestGainHonor, 2, Any),
    ("feet-of-clay", HighestLoseHonor, 2, Any),
    ("finders-fee", HeistmasterGains, 2, Any),
    ("hush-money", BystandersGain, 2, Any),
    ("unforeseen-costs", MembersPay, 2, Any),
    ("loose-change", PotsGrow, 1, Any),
    ("pass-it-on", EachPaysLeft, 2, SevenUp),
    ("friend-in-need", Favor, 1, SevenUp),
    ("fresh-start", LowGainHonor, 1, SevenUp),
    ("open-books", CountStashes, 1, SevenUp),
    ("skeletons-in-the-closet", Payout(5), 1, SevenUp),
];

impl EventCard {
    /// Its row, and which copy it is.
    fn row(self) -> (usize, usize) {
        let mut copy = self.index();
        for (row, event) in EVENTS.iter().enumerate() {
            match copy.checked_sub(event.2) {
                Some(rest) => copy = rest,
                None => return (row, copy),
            }
        }
        unreachable!("the copies are as many as the cards")
    }
    pub(super) fn effect(self) -> Effect {
        EVENTS[self.row().0].1
    }
    /// Whether it is used only with seven or more players.
    pub(super) fn is_for_seven(self) -> bool {
        EVENTS[self.row().0].3 == SevenUp
    }
}

// === The catalogue ===

/// §2.1: cards for seven or more players start in the box.
pub(super) const PALETTE: &[(&str, Look)] = &[
    ("corvid", Look::of("#2e7d4f", "C")),
    ("lefleur", Look::of("#b0417a", "L")),
    ("paragon", Look::of("#c27c1a", "P")),
    ("honor", Look::of("#c9a227", "★")),
    ("event", Look::of("#8b1e3f", "!")),
];

pub(super) fn catalogue() -> Catalogue {
    let mut catalogue = Catalogue::default();
    for seat in Seat::all() {
        for side in SIDES {
            let name = format!("{side}/{seat}");
            catalogue.add(name, Place::Pocket(seat), Back::Disc, Origin::Printed);
        }
    }
    Card::all().for_each(|card| add_card(&mut catalogue, card));
    EventCard::all().for_each(|event| add_event(&mut catalogue, event));
    catalogue
}

fn add_card(catalogue: &mut Catalogue, card: Card) {
    let (tier, value, icon, players) = CARDS[card.row()];
    let corporation = card.corporation();
    let name: &str = corporation.into();
    let back = match tier {
        1 => Back::TierOneCard(corporation),
        2 => Back::TierTwoCard(corporation),
        _ => Back::TierThreeCard(corporation),
    };
    let full_name = match (card.is_game_end(), icon, card.row() + 1) {
        (true, _, _) => format!("{name}-game-end"),
        (_, Plain, number) => format!("{name}-{value}/{number}"),
        (_, icon, number) => format!("{name}-{value}-{}/{number}", <&str>::from(icon)),
    };
    let start = if players == Any { Place::Deck(corporation) } else { Place::Box };
    let row = catalogue.add(full_name, start, back, Origin::Design);
    row.layer(tier).facet("corporation", name).facet("tier", tier);
    row.facet("players", players.least());
    if !card.is_game_end() {
        row.copy_of(name).facet("value", value);
        if icon != Plain {
            row.facet("icon", <&str>::from(icon));
        }
    }
}

fn add_event(catalogue: &mut Catalogue, event: EventCard) {
    let (row, copy) = event.row();
    let (name, _, _, players) = EVENTS[row];
    let start = if players == Any { Place::EventDeck } else { Place::Box };
    let name = format!("{name}/{}", copy + 1);
    let row = catalogue.add(name, start, Back::Event, Origin::Design);
    row.facet("players", players.least());
}
