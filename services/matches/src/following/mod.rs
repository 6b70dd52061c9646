//! Follows changes by other processes, apart from new entries: erasures, removals, limits, and a
//! record that went back. A process must not serve without the tasks [`upkeep`] and [`erasures`].

mod erasures;
mod lost;
mod removals;
mod upkeep;
