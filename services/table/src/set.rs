//! Sets of pieces.

use crate::{Chance, Component, PIECES_MAX, Piece, PlaceId, Small};

/// A set of pieces of one kind: `Set<Card>`.
pub struct Set<C = Piece> {
    bits: [u64; WORDS],
    of: std::marker::PhantomData<fn() -> C>,
}

const WORDS: usize = PIECES_MAX / 64;

const fn rows(first: usize, count: usize) -> [u64; WORDS] {
    let mut bits = [0; WORDS];
    let mut row = first;
    while row < first + count {
        bits[row / 64] |= 1 << (row % 64);
        row += 1;
    }
    bits
}

/// A bit for each of up to 64 places: whether it equals `place`. All are compared before any bit is
/// moved, so that the compiler can vectorize the comparison.
#[inline]
fn bits_of(places: &[PlaceId], place: PlaceId) -> u64 {
    let mut same = [0; 64];
    same.iter_mut().zip(places).for_each(|(same, it)| *same = u8::from(*it == place));
    let (eights, _) = same.as_chunks::<8>();
    // The factor moves the lowest bit of each byte into the highest byte, the first one lowest.
    let gathered = |it: &[u8; 8]| u64::from_le_bytes(*it).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    eights.iter().map(gathered).rev().fold(0, |word, byte| word << 8 | byte)
}

impl<C: Component> Set<C> {
    pub const EMPTY: Set<C> = Set::of([0; WORDS]);

    const fn of(bits: [u64; WORDS]) -> Self {
        Set { bits, of: std::marker::PhantomData }
    }
    /// A bit for each piece, the lowest first.
    pub(crate) fn to_bytes(self) -> [u8; PIECES_MAX / 8] {
        let mut bytes = [0; PIECES_MAX / 8];
        let words = self.bits.iter().flat_map(|word| word.to_le_bytes());
        bytes.iter_mut().zip(words).for_each(|(byte, it)| *byte = it);
        bytes
    }
    pub(crate) fn of_bytes(bytes: [u8; PIECES_MAX / 8]) -> Self {
        let mut bits = [0; WORDS];
        let (words, _) = bytes.as_chunks::<8>();
        bits.iter_mut().zip(words).for_each(|(word, it)| *word = u64::from_le_bytes(*it));
        Set::of(bits)
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
    /// The member at an index, in the order of the catalogue.
    pub fn nth(&self, mut nth: usize) -> Option<C> {
        for (n, &word) in self.bits.iter().enumerate() {
            let count = word.count_ones() as usize;
            if nth < count {
                let rest = (0..nth).fold(word, |rest, _| rest & (rest - 1));
                return C::of(Piece((n * 64 + rest.trailing_zeros() as usize) as u8));
            }
            nth -= count;
        }
        None
    }
    /// A random member; `None` for an empty set.
    pub fn any(&self, chance: &mut dyn Chance) -> Option<C> {
        let len = self.len();
        if len == 0 { None } else { self.nth(chance.below(len)) }
    }
    /// A random subset of this size, all equally likely; the whole set if it is smaller.
    pub fn any_subset(&self, size: usize, chance: &mut dyn Chance) -> Set<C> {
        let (mut left, mut wanted) = (self.len(), size);
        let chosen = self.iter().filter(|_| {
            let is_chosen = chance.below(left) < wanted;
            left -= 1;
            wanted -= usize::from(is_chosen);
            is_chosen
        });
        chosen.collect()
    }
    /// The subset of members whose bits are set in `number`, beginning with the lowest bit. The
    /// numbers below `2^len` give every subset.
    pub fn subset(&self, number: usize) -> Set<C> {
        self.iter().enumerate().filter(|(nth, _)| number >> nth & 1 != 0).map(|it| it.1).collect()
    }
    /// Every subset, each after its own subsets, so the empty one comes first. There are `2^len`
    /// subsets: use this only for small sets, such as hands.
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
    /// The pieces at a place, given the places of all pieces by row.
    #[inline]
    pub(crate) fn lying(places: &[PlaceId], place: PlaceId) -> Set<C> {
        let places = &places[..places.len().min(C::FIRST + C::COUNT)];
        let mut bits = [0; WORDS];
        let words = bits.iter_mut().zip(places.chunks(64)).skip(C::FIRST / 64);
        words.for_each(|(bits, places)| *bits = bits_of(places, place));
        Set::of(bits).among(&Self::KIND)
    }
    /// All pieces of the kind.
    const KIND: Set = Set::of(rows(C::FIRST, C::COUNT));

    /// The members that are also in a set of pieces of any kind.
    #[inline]
    pub(crate) fn among(&self, pieces: &Set) -> Set<C> {
        Set::of(std::array::from_fn(|n| self.bits[n] & pieces.bits[n]))
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
