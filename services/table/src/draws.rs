//! Draws of one legal action where listing all of them would take longer.

use std::mem::discriminant;

use crate::{Chance, rules::choose};

/// An action of one of `kinds` kinds. They are tried in random order until one has an action, so
/// all that have any are equally likely, and the others are not looked at.
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

/// One of the listed actions: a kind, all equally likely, and one of that kind.
pub fn any_of<A: Clone>(listed: Vec<A>, chance: &mut dyn Chance) -> Option<A> {
    if listed.is_empty() {
        return None;
    }
    Some(choose(&listed, discriminant, |_| 1, |limit| chance.below(limit)).clone())
}

/// One of `options`, as often as its weight says; none if no weight is more than 0.
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
