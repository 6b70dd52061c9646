//! What a host keeps with a table, such as the handle under which a module has the same table.

use std::{
    any::Any,
    panic::{RefUnwindSafe, UnwindSafe},
    sync::{Arc, OnceLock},
};

/// Something that belongs to one state of a table. Nothing in this crate reads it.
pub type Attached = Arc<dyn Any + Send + Sync + UnwindSafe + RefUnwindSafe>;

/// The attachment of a table. Copies of the table share it, and a table that changes loses it. It
/// is no part of the table's value.
#[derive(Clone, Default)]
pub(crate) struct Attachment(OnceLock<Attached>);

impl Attachment {
    pub(crate) fn get(&self) -> Option<&Attached> {
        self.0.get()
    }

    /// Returns what is attached: `attached`, unless another one is.
    pub(crate) fn set(&self, attached: Attached) -> &Attached {
        self.0.get_or_init(|| attached)
    }
}

impl PartialEq for Attachment {
    fn eq(&self, _: &Attachment) -> bool {
        true
    }
}
