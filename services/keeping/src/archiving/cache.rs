//! Fetched content in memory, by object; the least recently used is dropped first.

use std::sync::Arc;

use hashlink::LinkedHashMap;
use tokio::sync::OnceCell;

use super::content::Content;

/// The memory for fetched content, in bytes: some thousand matches.
const CACHE_BYTES_MAX: usize = 32 << 20;
/// The maximum number of objects in the cache, including those being fetched or given up.
const CACHE_MATCHES_MAX: usize = 8_192;
pub(crate) type Slot = Arc<OnceCell<Arc<Content>>>;

/// Fetched content and fetches in progress, by object; the most recently used is at the end.
#[derive(Default)]
pub(crate) struct Cache {
    slots: LinkedHashMap<String, (Slot, usize)>,
    bytes: usize,
}

impl Cache {
    pub(crate) fn slot(&mut self, object: &str) -> Slot {
        if let Some((slot, _)) = self.slots.to_back(object) {
            return slot.clone();
        }
        let slot = Slot::default();
        self.slots.insert(object.to_owned(), (slot.clone(), 0));
        self.make_room();
        slot
    }

    /// Records its size.
    pub(crate) fn keep(&mut self, object: &str, bytes: usize) {
        let Some((_, known)) = self.slots.get_mut(object).filter(|it| it.1 == 0) else { return };
        *known = bytes;
        self.bytes += bytes;
        self.make_room();
    }

    /// Drops a fetch that failed. Others may still be trying, and keep their slot.
    pub(crate) fn give_up(&mut self, object: &str) {
        if self.slots.get(object).is_some_and(|(slot, _)| slot.get().is_none()) {
            self.slots.remove(object);
        }
    }

    fn make_room(&mut self) {
        while self.bytes > CACHE_BYTES_MAX || self.slots.len() > CACHE_MATCHES_MAX {
            let Some((_, (_, bytes))) = self.slots.pop_front() else { return };
            self.bytes -= bytes;
        }
    }
}
