//! Slots that platforms share fairly: no platform's queue delays another's turn
//! (`tests/it/fairness.rs`).
//!
//! See `docs/decisions/0032-shared-slots-in-rotation.md`.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::turns::Turns;

/// A number of slots. A platform that finds none free waits in a queue of its own, and of the
/// platforms that wait, the one that has used least is next. So a platform that is alone may use
/// almost all slots, and another one that joins waits for one turn, regardless of the length of the
/// first one's queue.
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
    pub cost: Cost,
}

/// What the use of a slot costs a platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cost {
    /// Each use costs the same.
    Each,
    /// As long as the slot is held.
    Held,
    /// As [`Cost::Held`]; and the slot rests for as long again before it is granted anew, so that
    /// half of it stays free for others than those who wait for slots.
    HeldAndRested,
}

struct State {
    free: usize,
    turns: Turns<(), oneshot::Sender<Slot>>,
}

/// A slot, free again when this is dropped.
pub struct Slot {
    of: FairSlots,
    platform: usize,
    since: Instant,
}

/// The platform has the maximum number of calls that hold or await a slot.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Full;

impl FairSlots {
    pub fn new(sizes: Sizes) -> FairSlots {
        let state = State { free: sizes.slots, turns: Turns::new() };
        FairSlots(Arc::new(Inner { sizes, state: Mutex::new(state) }))
    }

    /// Takes a slot, or waits for one. Fails if `calls_max` calls of this platform hold or await
    /// one. Platforms are numbered from 0. Cancel-safe.
    pub async fn acquire(&self, platform: usize, calls_max: usize) -> Result<Slot, Full> {
        let granted = {
            let mut state = self.lock();
            if state.turns.count(platform) >= calls_max {
                // Callers that gave up no longer count.
                state.turns.retain(platform, |it| !it.is_closed());
                if state.turns.count(platform) >= calls_max {
                    return Err(Full);
                }
            }
            if state.turns.running(platform) < self.0.sizes.each_max && state.free > 0 {
                state.free -= 1;
                state.turns.take(platform);
                return Ok(self.slot(platform));
            }
            let (waiting, granted) = oneshot::channel();
            state.turns.push(platform, (), waiting);
            granted
        };
        granted.await.map_err(|_| Full)
    }

    /// The slots that this platform holds or awaits.
    pub fn count(&self, platform: usize) -> usize {
        self.lock().turns.count(platform)
    }

    fn slot(&self, platform: usize) -> Slot {
        Slot { of: self.clone(), platform, since: Instant::now() }
    }

    fn release(&self, platform: usize, held: Duration) {
        let cost = self.0.sizes.cost;
        let used = if cost == Cost::Each { EACH } else { held };
        self.lock().turns.finish(platform, used);
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) if cost == Cost::HeldAndRested => {
                let of = self.clone();
                #[expect(clippy::disallowed_methods, reason = "it ends with the rest")]
                runtime.spawn(async move {
                    tokio::time::sleep(held.min(REST_MAX)).await;
                    of.grant();
                });
            }
            _ => self.grant(),
        }
    }

    /// Gives a slot that is free to the next caller.
    fn grant(&self) {
        let mut state = self.lock();
        state.free += 1;
        let next = loop {
            let each_max = self.0.sizes.each_max;
            match state.turns.next(|running| running < each_max) {
                Some((platform, waiting)) if waiting.is_closed() => {
                    state.turns.finish(platform, Duration::ZERO);
                }
                next => break next,
            }
        };
        state.free -= usize::from(next.is_some());
        drop(state);
        // Outside the lock, because the slot is released at once if its caller has just given up.
        if let Some((platform, waiting)) = next {
            drop(waiting.send(self.slot(platform)));
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().expect("no holder of this lock panics")
    }
}

/// The cost of a use if each costs the same.
const EACH: Duration = Duration::from_nanos(1);

/// The longest rest. The longest statement takes longer, but it is not the work of the database
/// alone: it waits for locks and connections too.
const REST_MAX: Duration = Duration::from_millis(100);

impl Drop for Slot {
    fn drop(&mut self) {
        self.of.release(self.platform, self.since.elapsed());
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;
    use futures::future::BoxFuture;

    use super::*;

    const MANY: usize = 1000;

    fn slots(slots: usize, each_max: usize) -> FairSlots {
        FairSlots::new(Sizes { slots, each_max, cost: Cost::Each })
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
        assert_eq!(order, [1, 0, 1, 0, 0, 0, 0], "the first platform has had a slot already");
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
