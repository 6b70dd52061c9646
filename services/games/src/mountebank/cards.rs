//! The extended Decktet without the Excuse: 38 cards to draw and the six Crowns.

use std::sync::LazyLock;

use table::{Catalogue, Look, Origin, Set, Small};

use super::vocabulary::{Back, Card, Place, Suit};
use Suit::{Knots, Leaves, Moons, Suns, Waves, Wyrms};

/// §1.1, §1.2: name, rank and suits of every card, in the order of their numbers. All of it is a
/// public fact about the Decktet. The example of the rulebook prints name and suits of four cards
/// (`PRINTED`), and no ranks.
const CARDS: [(&str, &str, &[Suit]); Card::COUNT] = [
    ("ace-of-moons", "ace", &[Moons]),
    ("ace-of-suns", "ace", &[Suns]),
    ("ace-of-waves", "ace", &[Waves]),
    ("ace-of-leaves", "ace", &[Leaves]),
    ("ace-of-wyrms", "ace", &[Wyrms]),
    ("ace-of-knots", "ace", &[Knots]),
    ("author", "2", &[Moons, Knots]),
    ("desert", "2", &[Suns, Wyrms]),
    ("origin", "2", &[Waves, Leaves]),
    ("journey", "3", &[Moons, Waves]),
    ("painter", "3", &[Suns, Knots]),
    ("savage", "3", &[Leaves, Wyrms]),
    ("mountain", "4", &[Moons, Suns]),
    ("sailor", "4", &[Waves, Leaves]),
    ("battle", "4", &[Wyrms, Knots]),
    ("forest", "5", &[Moons, Leaves]),
    ("discovery", "5", &[Suns, Waves]),
    ("soldier", "5", &[Wyrms, Knots]),
    ("lunatic", "6", &[Moons, Waves]),
    ("penitent", "6", &[Suns, Wyrms]),
    ("market", "6", &[Leaves, Knots]),
    ("chance-meeting", "7", &[Moons, Leaves]),
    ("castle", "7", &[Suns, Knots]),
    ("cave", "7", &[Waves, Wyrms]),
    ("diplomat", "8", &[Moons, Suns]),
    ("mill", "8", &[Waves, Leaves]),
    ("betrayal", "8", &[Wyrms, Knots]),
    ("pact", "9", &[Moons, Suns]),
    ("darkness", "9", &[Waves, Wyrms]),
    ("merchant", "9", &[Leaves, Knots]),
    ("harvest", "pawn", &[Moons, Suns, Leaves]),
    ("watchman", "pawn", &[Moons, Wyrms, Knots]),
    ("light-keeper", "pawn", &[Suns, Waves, Knots]),
    ("borderland", "pawn", &[Waves, Leaves, Wyrms]),
    ("consul", "court", &[Moons, Waves, Knots]),
    ("rite", "court", &[Moons, Leaves, Wyrms]),
    ("island", "court", &[Suns, Waves, Wyrms]),
    ("window", "court", &[Suns, Leaves, Knots]),
];

/// §1.3: the Crown of each suit. The rulebook prints two of the names.
const CROWNS: [(&str, Suit, Origin); Suit::COUNT] = [
    ("huntress", Moons, Origin::PublicFact),
    ("bard", Suns, Origin::Printed),
    ("sea", Waves, Origin::PublicFact),
    ("end", Leaves, Origin::PublicFact),
    ("calamity", Wyrms, Origin::Printed),
    ("windfall", Knots, Origin::PublicFact),
];

/// Cards whose name and suits the rulebook prints.
const PRINTED: [&str; 4] = ["battle", "betrayal", "desert", "ace-of-knots"];

pub(super) const PALETTE: &[(&str, Look)] = &[
    ("moons", Look::of("#5b6b8c", "☾")),
    ("suns", Look::of("#d9a400", "☀")),
    ("waves", Look::of("#1f7fb8", "≈")),
    ("leaves", Look::of("#3f8f3f", "❦")),
    ("wyrms", Look::of("#b03a2e", "§")),
    ("knots", Look::of("#8a5a2b", "⌘")),
];

pub(super) fn catalogue() -> Catalogue {
    let mut catalogue = Catalogue::default();
    for (name, rank, suits) in CARDS {
        let origin = if PRINTED.contains(&name) { Origin::Printed } else { Origin::PublicFact };
        let suits: Vec<&str> = suits.iter().map(|&suit| suit.into()).collect();
        let row = catalogue.add(name, Place::Deck, Back::Card, origin);
        match rank.parse::<u8>() {
            Ok(number) => row.facet("rank", number),
            Err(_) => row.facet("rank", rank),
        };
        row.facet("suits", suits);
    }
    for (name, suit, origin) in CROWNS {
        let row = catalogue.add(name, Place::Crown(suit), Back::Card, origin);
        row.facet("rank", "crown").facet("suits", <&str>::from(suit));
    }
    catalogue
}

pub(super) static FACES: LazyLock<Faces> = LazyLock::new(Faces::of_all_cards);

/// Which cards show each suit, and which are aces.
pub(super) struct Faces {
    showing: [Set<Card>; Suit::COUNT],
    pub aces: Set<Card>,
}

impl Faces {
    fn of_all_cards() -> Faces {
        let cards = || Card::all().zip(CARDS);
        let showing = |suit: Suit| {
            cards().filter(|(_, row)| row.2.contains(&suit)).map(|(card, _)| card).collect()
        };
        Faces {
            showing: std::array::from_fn(|n| {
                showing(Suit::nth(n).expect("as many as there are suits"))
            }),
            aces: cards().filter(|(_, row)| row.1 == "ace").map(|(card, _)| card).collect(),
        }
    }

    pub(super) fn showing(&self, suit: Suit) -> &Set<Card> {
        &self.showing[suit.index()]
    }
}
