//! Draws one legal action, for cases in which listing all of them would take longer.

use std::mem::discriminant;

use crate::Chance;

/// An action of one of `kinds` kinds. Kinds are tried in random order until one has an action, so
/// all kinds with actions are equally likely.
pub fn any_kind<A>(
    kinds: usize,
    chance: &mut dyn Chance,
    mut any: impl FnMut(usize, &mut dyn Chance) -> Option<A>,
) -> Option<A> {
    let mut left = (1_u64 << kinds) - 1;
    while left != 0 {
        let nth = chance.below(left.count_ones() as usize);
        let kind = ones(left).nth(nth)?;
        left &= !(1 << kind);
        if let Some(action) = any(kind, chance) {
            return Some(action);
        }
    }
    None
}

/// The positions of the bits that are set, from the lowest.
fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = bits.trailing_zeros() as usize;
        (bits != 0).then(|| {
            bits &= bits - 1;
            lowest
        })
    })
}

/// One of the listed actions: first a kind, then an action of it, each equally likely.
pub fn any_of<A: Clone>(listed: Vec<A>, chance: &mut dyn Chance) -> Option<A> {
    if listed.is_empty() {
        return None;
    }
    Some(choose(&listed, discriminant, |_| 1, |limit| chance.below(limit)).clone())
}

/// One of `options`, with a probability proportional to its weight; `None` if all weights are 0.
pub fn any_weighted<'a, T>(
    options: &'a [T],
    weight: impl Fn(&T) -> usize,
    chance: &mut dyn Chance,
) -> Option<&'a T> {
    let all: usize = options.iter().map(&weight).sum();
    if all == 0 {
        return None;
    }
    let mut left = chance.below(all);
    options.iter().find(|option| {
        let is_it = left < weight(option);
        left = left.saturating_sub(weight(option));
        is_it
    })
}

/// Chooses one of `options` at random: first a kind, with a probability proportional to its
/// `weight`, then an option of this kind, all equally likely. If all options were equally likely, a
/// kind with many options would crowd out one such as passing.
pub(crate) fn choose<T, K: PartialEq>(
    options: &[T],
    kind: impl Fn(&T) -> K,
    weight: impl Fn(&T) -> usize,
    mut below: impl FnMut(usize) -> usize,
) -> &T {
    assert!(!options.is_empty(), "`legal` lists no action for a seat that must act");
    let mut kinds: Vec<(K, usize, usize)> = Vec::new();
    for option in options {
        let its = kind(option);
        match kinds.iter_mut().find(|known| known.0 == its) {
            Some(known) => known.2 += 1,
            None => kinds.push((its, weight(option), 1)),
        }
    }
    let mut left = below(kinds.iter().map(|kind| kind.1).sum());
    let chosen = kinds.iter().find(|kind| {
        let is_it = left < kind.1;
        left = left.saturating_sub(kind.1);
        is_it
    });
    let (chosen, _, count) = chosen.expect("the number is below the sum of the weights");
    let mut alike = options.iter().filter(|option| kind(option) == *chosen);
    alike.nth(below(*count)).expect("counted before")
}
