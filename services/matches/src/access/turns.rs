//! Who is next: of the platforms that wait, the one that has used least.
//!
//! See `docs/decisions/0032-shared-slots-in-rotation.md`.

use std::collections::VecDeque;
use std::time::Duration;

/// A queue of items that wait, by platform and, within a platform, by holder.
///
/// The next item is of the platform that has used least, so a platform's queue delays no other
/// platform's turn. The holders of a platform take turns. A platform that returns after a pause
/// counts as having used what the one that was served last had used before: a pause earns nothing.
pub(super) struct Turns<Holder, Item> {
    /// By the platform's number.
    shares: Vec<Share<Holder, Item>>,
    /// The platforms that wait, each once. Of equals, the first is next.
    waiting: VecDeque<usize>,
    /// What the platform that was served last had used before.
    served: Duration,
}

struct Share<Holder, Item> {
    used: Duration,
    /// The items that were taken and are not [finished](Turns::finish) yet.
    running: usize,
    count: usize,
    /// The holders that wait, next first.
    holders: VecDeque<(Holder, VecDeque<Item>)>,
}

impl<Holder, Item> Default for Share<Holder, Item> {
    fn default() -> Self {
        Share { used: Duration::ZERO, running: 0, count: 0, holders: VecDeque::new() }
    }
}

impl<Holder: PartialEq, Item> Turns<Holder, Item> {
    pub fn new() -> Self {
        Turns { shares: Vec::new(), waiting: VecDeque::new(), served: Duration::ZERO }
    }

    /// The items of a platform that wait or are running.
    pub fn count(&self, platform: usize) -> usize {
        self.shares.get(platform).map_or(0, |share| share.count + share.running)
    }

    /// The items of a platform that are running.
    pub fn running(&self, platform: usize) -> usize {
        self.shares.get(platform).map_or(0, |share| share.running)
    }

    /// The items of a holder that wait.
    pub fn count_of(&self, platform: usize, holder: &Holder) -> usize {
        let share = self.shares.get(platform);
        let holders = share.into_iter().flat_map(|share| &share.holders);
        holders.filter(|(it, _)| it == holder).map(|(_, items)| items.len()).sum()
    }

    pub fn push(&mut self, platform: usize, holder: Holder, item: Item) {
        let share = self.begin(platform);
        share.count += 1;
        match share.holders.iter_mut().find(|(it, _)| *it == holder) {
            Some((_, items)) => items.push_back(item),
            None => share.holders.push_back((holder, [item].into())),
        }
        if share.count == 1 {
            self.waiting.push_back(platform);
        }
    }

    /// Takes the next item, of a platform that may have one more. It is running until it is
    /// [finished](Turns::finish).
    pub fn next(&mut self, may: impl Fn(usize) -> bool) -> Option<(usize, Item)> {
        let candidates = self.waiting.iter().enumerate();
        let candidates = candidates.filter(|(_, platform)| may(self.running(**platform)));
        // Of equals, `min_by_key` returns the first.
        let (at, &platform) = candidates.min_by_key(|(_, it)| self.shares[**it].used)?;
        self.waiting.remove(at);
        let share = &mut self.shares[platform];
        self.served = share.used;
        let (holder, mut items) = share.holders.pop_front().expect("a platform that waits has one");
        let item = items.pop_front().expect("a holder that waits has an item");
        if !items.is_empty() {
            share.holders.push_back((holder, items));
        }
        share.count -= 1;
        share.running += 1;
        if share.count > 0 {
            self.waiting.push_back(platform);
        }
        Some((platform, item))
    }

    /// Like [`Turns::push`] and then [`Turns::next`] when nobody waits.
    pub fn take(&mut self, platform: usize) {
        let share = self.begin(platform);
        share.running += 1;
        self.served = self.shares[platform].used;
    }

    /// An item that was taken is finished, and used this much.
    pub fn finish(&mut self, platform: usize, used: Duration) {
        let share = &mut self.shares[platform];
        share.running -= 1;
        share.used += used;
    }

    /// Removes waiting items of a platform, such as those that nobody wants any more.
    pub fn retain(&mut self, platform: usize, mut keeps: impl FnMut(&Item) -> bool) {
        let Some(share) = self.shares.get_mut(platform) else { return };
        share.holders.iter_mut().for_each(|(_, items)| items.retain(&mut keeps));
        share.holders.retain(|(_, items)| !items.is_empty());
        share.count = share.holders.iter().map(|(_, items)| items.len()).sum();
        if share.count == 0 {
            self.waiting.retain(|it| *it != platform);
        }
    }

    /// The share of a platform that may have been idle.
    fn begin(&mut self, platform: usize) -> &mut Share<Holder, Item> {
        if self.shares.len() <= platform {
            self.shares.resize_with(platform + 1, Share::default);
        }
        let share = &mut self.shares[platform];
        if share.count + share.running == 0 {
            share.used = share.used.max(self.served);
        }
        share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    /// Serves everything that waits, each item for the time that it says, and returns the order.
    fn served(turns: &mut Turns<u8, (char, u32)>) -> String {
        let mut order = String::new();
        while let Some((platform, (name, took_ms))) = turns.next(|_| true) {
            order.push(name);
            turns.finish(platform, took_ms * MS);
        }
        order
    }

    #[test]
    fn platforms_are_served_by_what_they_have_used() {
        let mut turns = Turns::new();
        for _ in 0..4 {
            turns.push(0, 0, ('a', 4));
        }
        for _ in 0..6 {
            turns.push(1, 0, ('b', 1));
        }
        assert_eq!(served(&mut turns), "abbbbabbaa", "one `a` costs as much as four `b`");
    }

    #[test]
    fn a_platform_that_did_its_worst_waits_for_its_neighbour() {
        let mut turns = Turns::new();
        for _ in 0..100 {
            turns.push(0, 0, ('a', 10));
        }
        for _ in 0..50 {
            let (platform, (_, took_ms)) = turns.next(|_| true).expect("it waits");
            turns.finish(platform, took_ms * MS);
        }
        turns.push(1, 0, ('b', 1));
        turns.push(1, 0, ('b', 1));
        assert!(served(&mut turns).starts_with("bb"), "what came first does not go first");
    }

    #[test]
    fn a_pause_earns_no_more_than_the_next_turn() {
        let mut turns = Turns::new();
        turns.push(0, 0, ('a', 1));
        served(&mut turns);
        for _ in 0..10 {
            turns.push(1, 0, ('b', 100));
        }
        served(&mut turns);
        for _ in 0..3 {
            turns.push(0, 0, ('a', 100));
            turns.push(1, 0, ('b', 100));
        }
        assert_eq!(served(&mut turns), "ababab");
    }

    #[test]
    fn the_holders_of_a_platform_take_turns() {
        let mut turns = Turns::new();
        for _ in 0..3 {
            turns.push(0, 1, ('x', 1));
        }
        turns.push(0, 2, ('y', 1));
        turns.push(0, 3, ('z', 1));
        assert_eq!((turns.count(0), turns.count_of(0, &1)), (5, 3));
        assert_eq!(served(&mut turns), "xyzxx");
    }

    #[test]
    fn a_platform_that_may_have_no_more_is_passed_over() {
        let mut turns = Turns::new();
        turns.push(0, 0, 'a');
        turns.push(0, 0, 'a');
        turns.push(1, 0, 'b');
        assert_eq!(turns.next(|running| running < 1), Some((0, 'a')));
        assert_eq!(turns.next(|running| running < 1), Some((1, 'b')));
        assert_eq!(turns.next(|running| running < 1), None);
        turns.finish(0, MS);
        assert_eq!(turns.next(|running| running < 1), Some((0, 'a')));
    }

    #[test]
    fn what_is_removed_is_not_served() {
        let mut turns = Turns::new();
        for name in ['a', 'x', 'b'] {
            turns.push(0, 0, (name, 1));
        }
        turns.retain(0, |(name, _)| *name != 'x');
        assert_eq!((turns.count(0), &*served(&mut turns)), (2, "ab"));
        turns.push(0, 0, ('x', 1));
        turns.retain(0, |_| false);
        assert_eq!(served(&mut turns), "");
    }
}
