//! Names that live as long as the program. A layout, and all that names parts of it, refers to them
//! without a lifetime; they are kept once, however many modules and versions use them.

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// The one copy of a text.
pub(crate) fn intern(name: &str) -> &'static str {
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name) {
        return known;
    }
    let name = String::leak(name.to_owned());
    names.insert(name);
    name
}
