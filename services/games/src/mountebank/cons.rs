//! Cons: which cards form one, and its worth.

use table::{Chance, Set, Small};

use super::{
    actions::Action,
    cards::FACES,
    vocabulary::{Card, Suit},
};

/// §5.2, §5.3, §5.4: whether `cards` are a con of `primary`.
pub(super) fn share(cards: Set<Card>, primary: Suit) -> bool {
    let showing = FACES.showing(primary);
    !cards.and(showing).is_empty() && cards.without(showing).within(&FACES.aces)
}

/// Adds every con that can be run with the cards of `hand`.
pub(super) fn list(hand: Set<Card>, actions: &mut Vec<Action>) {
    let aces = hand.and(&FACES.aces);
    for primary in Suit::all() {
        let showing = hand.and(FACES.showing(primary));
        if !showing.is_empty() {
            let sets = showing.or(&aces).subsets().filter(|cards| !cards.and(&showing).is_empty());
            sets.for_each(|cards| actions.push(Action::Con { cards, primary }));
        }
    }
}

/// A random con, each equally likely.
pub(super) fn any(hand: Set<Card>, chance: &mut dyn Chance) -> Option<Action> {
    let aces = hand.and(&FACES.aces);
    // A con of a suit has one card or more that shows it, and any of the other aces.
    let parts = |primary: Suit| {
        let showing = hand.and(FACES.showing(primary));
        (showing, aces.without(&showing))
    };
    let ways = |primary: Suit| {
        let (showing, others) = parts(primary);
        ((1 << showing.len()) - 1) << others.len()
    };
    let all: usize = Suit::all().map(ways).sum();
    if all == 0 {
        return None;
    }
    let mut nth = chance.below(all);
    let primary = Suit::all().find(|&suit| {
        let is_it = nth < ways(suit);
        nth -= if is_it { 0 } else { ways(suit) };
        is_it
    })?;
    let (showing, others) = parts(primary);
    let cards = showing.subset((nth >> others.len()) + 1).or(&others.subset(nth));
    Some(Action::Con { cards, primary })
}

/// The worth of a con of these cards, and how much each orphaned suit pays to its Crown.
pub(super) fn worth(cards: Set<Card>, primary: Suit) -> (u32, u32) {
    let count = |suit: Suit| cards.and(FACES.showing(suit)).len() as u32;
    // §5.5; without a secondary suit, §5.6.
    let secondary = Suit::all().filter(|&suit| suit != primary).map(count).max().unwrap_or(0);
    (count(primary) * secondary, secondary)
}
