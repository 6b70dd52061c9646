//! What was fetched, in memory: by object, and what was used last longest.

use std::sync::Arc;

use hashlink::LinkedHashMap;
use tokio::sync::OnceCell;

use super::content::Content;

/// The memory for what was fetched, in bytes: some thousand matches.
const CACHE_BYTES_MAX: usize = 32 << 20;
/// What is fetched at once, or was given up, also has a place in the cache.
const CACHE_MATCHES_MAX: usize = 8_192;
pub(crate) type Slot = Arc<OnceCell<Arc<Content>>>;

/// What was fetched, or is being fetched, by object; what was used last is at the end.
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

    /// Notes how large it is.
    pub(crate) fn keep(&mut self, object: &str, bytes: usize) {
        let Some((_, known)) = self.slots.get_mut(object).filter(|it| it.1 == 0) else { return };
        *known = bytes;
        self.bytes += bytes;
        self.make_room();
    }

    /// It could not be fetched. Others may still be trying, and keep their slot.
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
