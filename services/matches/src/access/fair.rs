//! Slots that platforms share fairly: no platform's queue delays another's turn
//! (`tests/it/fairness.rs`).
//!
//! See `docs/decisions/0032-shared-slots-in-rotation.md`.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::oneshot;

/// A number of slots. A platform that finds none free waits in a queue of its own, and the queues
/// are served in rotation. So a platform that is alone may use almost all slots, and another one
/// that joins waits for one turn, regardless of the length of the first one's queue.
#[derive(Clone)]
pub(crate) struct FairSlots(Arc<Inner>);

struct Inner {
    sizes: Sizes,
    state: Mutex<State>,
}

/// How slots are shared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    pub slots: usize,
    /// The maximum that one platform may hold: less than all, so that another platform finds a slot
    /// at once.
    pub each_max: usize,
}

struct State {
    free: usize,
    /// By the platform's number.
    shares: Vec<Share>,
    /// The platforms that wait, next first; each once.
    turns: VecDeque<usize>,
}

#[derive(Default)]
struct Share {
    held: usize,
    waiting: VecDeque<oneshot::Sender<Slot>>,
}

/// A slot, free again when this is dropped.
pub(crate) struct Slot {
    of: FairSlots,
    platform: usize,
}

/// The platform has the maximum number of calls that hold or await a slot.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Full;

impl FairSlots {
    pub fn new(sizes: Sizes) -> FairSlots {
        let state = State { free: sizes.slots, shares: Vec::new(), turns: VecDeque::new() };
        FairSlots(Arc::new(Inner { sizes, state: Mutex::new(state) }))
    }

    /// Takes a slot, or waits for one. Fails if `calls_max` calls of this platform hold or await
    /// one. Platforms are numbered from 0. Cancel-safe.
    pub async fn acquire(&self, platform: usize, calls_max: usize) -> Result<Slot, Full> {
        let granted = {
            let mut state = self.lock();
            let share = state.share(platform);
            if share.count() >= calls_max {
                // Callers that gave up no longer count.
                share.waiting.retain(|it| !it.is_closed());
                if share.count() >= calls_max {
                    return Err(Full);
                }
            }
            if share.held < self.0.sizes.each_max && state.free > 0 {
                state.take(platform);
                return Ok(Slot { of: self.clone(), platform });
            }
            state.wait(platform)
        };
        granted.await.map_err(|_| Full)
    }

    /// The slots that this platform holds or awaits.
    pub fn count(&self, platform: usize) -> usize {
        self.lock().share(platform).count()
    }

    fn release(&self, platform: usize) {
        let next = {
            let mut state = self.lock();
            state.free += 1;
            state.share(platform).held -= 1;
            state.next(self.0.sizes.each_max)
        };
        // Outside the lock, because the slot is released at once if its caller has just given up.
        if let Some((platform, waiting)) = next {
            drop(waiting.send(Slot { of: self.clone(), platform }));
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().expect("no holder of this lock panics")
    }
}

impl State {
    fn share(&mut self, platform: usize) -> &mut Share {
        if self.shares.len() <= platform {
            self.shares.resize_with(platform + 1, Share::default);
        }
        &mut self.shares[platform]
    }

    fn take(&mut self, platform: usize) {
        self.free -= 1;
        self.share(platform).held += 1;
    }

    fn wait(&mut self, platform: usize) -> oneshot::Receiver<Slot> {
        let (waiting, granted) = oneshot::channel();
        let share = self.share(platform);
        let is_first = share.waiting.is_empty();
        share.waiting.push_back(waiting);
        if is_first && !self.turns.contains(&platform) {
            self.turns.push_back(platform);
        }
        granted
    }

    /// Takes a slot for the first caller of the next platform that may have one.
    fn next(&mut self, each_max: usize) -> Option<(usize, oneshot::Sender<Slot>)> {
        for _ in 0..self.turns.len() {
            let platform = self.turns.pop_front()?;
            let share = self.share(platform);
            if share.held >= each_max {
                self.turns.push_back(platform);
                continue;
            }
            let first = std::iter::from_fn(|| share.waiting.pop_front()).find(|it| !it.is_closed());
            if !share.waiting.is_empty() {
                self.turns.push_back(platform);
            }
            if let Some(first) = first {
                self.take(platform);
                return Some((platform, first));
            }
        }
        None
    }
}

impl Share {
    fn count(&self) -> usize {
        self.held + self.waiting.len()
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.of.release(self.platform);
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;
    use futures::future::BoxFuture;

    use super::*;

    const MANY: usize = 1000;

    fn slots(slots: usize, each_max: usize) -> FairSlots {
        FairSlots::new(Sizes { slots, each_max })
    }

    type Acquiring = BoxFuture<'static, Result<Slot, Full>>;

    /// An attempt to take a slot that is polled once.
    fn acquire(slots: &FairSlots, platform: usize) -> (Acquiring, Option<Slot>) {
        let slots = slots.clone();
        let mut acquiring = async move { slots.acquire(platform, MANY).await }.boxed();
        let slot = (&mut acquiring).now_or_never().map(|slot| slot.expect("there is room"));
        (acquiring, slot)
    }

    fn granted(waiting: &mut (Acquiring, Option<Slot>)) -> Option<Slot> {
        (&mut waiting.0).now_or_never().map(|slot| slot.expect("there is room"))
    }

    #[test]
    fn a_platform_leaves_a_slot_to_another() {
        let slots = slots(3, 2);
        let held = [acquire(&slots, 0), acquire(&slots, 0)];
        assert!(held.iter().all(|(_, slot)| slot.is_some()));
        assert!(acquire(&slots, 0).1.is_none());
        assert!(acquire(&slots, 1).1.is_some());
    }

    #[test]
    fn waiting_platforms_are_served_in_rotation() {
        let slots = slots(1, 1);
        let mut held = vec![acquire(&slots, 0).1];
        let mut first: Vec<_> = (0..5).map(|_| acquire(&slots, 0)).collect();
        let mut second: Vec<_> = (0..2).map(|_| acquire(&slots, 1)).collect();
        let mut order = Vec::new();
        for _ in 0..7 {
            held.clear();
            for (platform, waiting) in [(0, &mut first), (1, &mut second)] {
                if let Some(slot) = waiting.first_mut().and_then(granted) {
                    held.push(Some(slot));
                    drop(waiting.remove(0));
                    order.push(platform);
                }
            }
        }
        assert_eq!(order, [0, 1, 0, 1, 0, 0, 0]);
    }

    #[test]
    fn a_caller_that_gives_up_leaves_its_place_and_its_slot() {
        let slots = slots(1, 1);
        let held = acquire(&slots, 0).1;
        let gone = acquire(&slots, 0);
        let mut waiting = acquire(&slots, 0);
        drop(gone);
        drop(held);
        let slot = granted(&mut waiting);
        assert!(slot.is_some());
        let gone = acquire(&slots, 1);
        drop(slot);
        // It was granted a slot, but was not polled again.
        drop(gone);
        assert!(acquire(&slots, 0).1.is_some());
    }

    #[test]
    fn a_platform_has_so_many_calls_and_no_more() {
        let slots = slots(1, 1);
        let _held = acquire(&slots, 0);
        let waiting = acquire(&slots, 0);
        assert_eq!(slots.acquire(0, 2).now_or_never().expect("at once").err(), Some(Full));
        assert!(slots.acquire(1, 2).now_or_never().is_none(), "another platform may wait");
        drop(waiting);
    }
}
