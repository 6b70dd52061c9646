//! Tables as messages of the contract.

use ::answers::{Seen, table_of};
use contract::v1;
use matches::View;

pub fn view_of(view: &View) -> v1::Table {
    table_of(&seen(view))
}

pub(super) fn seen(view: &View) -> Seen<'_> {
    let &View { match_id, game, viewer, position, digest, ref table, ref clocks } = view;
    Seen { match_id, game, viewer, position, digest, table, clocks: clocks.as_deref() }
}
