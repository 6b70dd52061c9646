//! Sets of pieces.

use crate::{Component, Layout, PIECES_MAX, Piece, Small};

/// A set of pieces of one kind: `Set<Card>`.
pub struct Set<C = Piece> {
    bits: [u64; WORDS],
    of: std::marker::PhantomData<fn() -> C>,
}

const WORDS: usize = PIECES_MAX / 64;

impl<C: Component> Set<C> {
    pub const EMPTY: Set<C> = Set::of([0; WORDS]);

    const fn of(bits: [u64; WORDS]) -> Self {
        Set { bits, of: std::marker::PhantomData }
    }
    pub fn one(component: C) -> Self {
        [component].into_iter().collect()
    }
    #[inline]
    pub fn add(&mut self, component: C) {
        let piece = component.piece().index();
        self.bits[piece / 64] |= 1 << (piece % 64);
    }
    #[inline]
    pub fn has(&self, component: C) -> bool {
        let piece = component.piece().index();
        (self.bits[piece / 64] >> (piece % 64)) & 1 != 0
    }
    #[inline]
    pub fn len(&self) -> usize {
        self.bits.iter().map(|word| word.count_ones() as usize).sum()
    }
    pub fn is_empty(&self) -> bool {
        self.bits == [0; WORDS]
    }
    #[inline]
    pub fn within(&self, other: &Set<C>) -> bool {
        self.without(other).is_empty()
    }
    #[inline]
    pub fn and(&self, other: &Set<C>) -> Set<C> {
        Set::of(std::array::from_fn(|n| self.bits[n] & other.bits[n]))
    }
    #[inline]
    pub fn or(&self, other: &Set<C>) -> Set<C> {
        Set::of(std::array::from_fn(|n| self.bits[n] | other.bits[n]))
    }
    #[inline]
    pub fn without(&self, other: &Set<C>) -> Set<C> {
        Set::of(std::array::from_fn(|n| self.bits[n] & !other.bits[n]))
    }
    /// In the order of the catalogue.
    pub fn iter(&self) -> impl Iterator<Item = C> + Clone + use<C> {
        let mut words = self.bits;
        let mut n = 0;
        std::iter::from_fn(move || {
            while n < WORDS && words[n] == 0 {
                n += 1;
            }
            let word = words.get_mut(n)?;
            let bit = word.trailing_zeros() as usize;
            *word &= *word - 1;
            Some(C::of(Piece((n * 64 + bit) as u8)).expect("a set holds pieces of its own kind"))
        })
    }
    /// Every subset, each after its own subsets, so the empty one comes first. There are `2^len`,
    /// so use it only for small sets, such as hands.
    pub fn subsets(&self) -> impl Iterator<Item = Set<C>> + use<C> {
        let whole = *self;
        let mut next = Some(Set::EMPTY);
        std::iter::from_fn(move || {
            let found = next?;
            // Counting in binary, with only the bits of `whole`: fill the others, add one, clear
            // them.
            let mut carry = true;
            let counted = std::array::from_fn(|n| {
                let (sum, over) = (found.bits[n] | !whole.bits[n]).overflowing_add(carry.into());
                carry = over;
                sum & whole.bits[n]
            });
            next = (counted != [0; WORDS]).then_some(Set::of(counted));
            Some(found)
        })
    }
    /// Their names, separated by spaces, for messages.
    pub fn names(&self, layout: &Layout) -> String {
        let names: Vec<&str> = self.iter().map(|it| layout.piece_name(it)).collect();
        names.join(" ")
    }
    #[inline]
    pub(crate) fn insert_row(&mut self, row: usize) {
        self.bits[row / 64] |= 1 << (row % 64);
    }
}

impl<C> Clone for Set<C> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<C> Copy for Set<C> {}
impl<C> PartialEq for Set<C> {
    fn eq(&self, other: &Self) -> bool {
        self.bits == other.bits
    }
}
impl<C> Eq for Set<C> {}
impl<C: Component> Default for Set<C> {
    fn default() -> Self {
        Set::EMPTY
    }
}
impl<C: Component> FromIterator<C> for Set<C> {
    fn from_iter<I: IntoIterator<Item = C>>(components: I) -> Self {
        let mut set = Set::EMPTY;
        components.into_iter().for_each(|it| set.add(it));
        set
    }
}
impl<C: Component> std::fmt::Debug for Set<C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter().map(C::piece)).finish()
    }
}
