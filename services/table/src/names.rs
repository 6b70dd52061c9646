//! Names in `{:?}`: inside [`with_names`](crate::with_names), ids and pieces print their names,
//! such as `hand/2`; outside, their numbers, such as `PlaceId(135)`.
//!
//! Actions derive `Debug`, which takes no layout, so the layout is passed in a thread local. Only
//! debug output depends on it.

use std::cell::Cell;

/// The kind of thing that a number in the log identifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbered {
    Place,
    Coin,
    Mark,
    Decision,
    Announcement,
    Back,
    Piece,
}

/// A layout, which has a name for each number of its game.
pub(crate) trait Names {
    /// `None` if the number belongs to another game.
    fn name(&self, of: Numbered, number: u16) -> Option<&str>;
}

thread_local! {
    static NAMES: Cell<Option<&'static dyn Names>> = const { Cell::new(None) };
}

/// The name of a number, while [`with`] runs.
pub(crate) fn name(of: Numbered, number: u16) -> Option<&'static str> {
    NAMES.get()?.name(of, number)
}

/// Runs `write`, whose debug output has these names.
pub(crate) fn with<T>(names: &'static dyn Names, write: impl FnOnce() -> T) -> T {
    struct Restore(Option<&'static dyn Names>);
    impl Drop for Restore {
        fn drop(&mut self) {
            NAMES.set(self.0);
        }
    }
    let _restore = Restore(NAMES.replace(Some(names)));
    write()
}
