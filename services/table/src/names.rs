//! Names in `{:?}`: inside [`with_names`], ids and pieces print the names of a layout, such as
//! `hand/2`; outside, their numbers, such as `PlaceId(135)`.
//!
//! A game's action prints itself by a derive, which takes no layout. So the layout is passed in a
//! thread local. Nothing but debug output depends on it.

use std::cell::Cell;

use crate::Layout;

thread_local! {
    static LAYOUT: Cell<Option<&'static Layout>> = const { Cell::new(None) };
}

/// The layout to take names from, if any.
pub(crate) fn layout() -> Option<&'static Layout> {
    LAYOUT.get()
}

/// Runs `write`, whose debug output has the names of `layout`.
pub fn with_names<T>(layout: &'static Layout, write: impl FnOnce() -> T) -> T {
    struct Restore(Option<&'static Layout>);
    impl Drop for Restore {
        fn drop(&mut self) {
            LAYOUT.set(self.0);
        }
    }
    let _restore = Restore(LAYOUT.replace(Some(layout)));
    write()
}
