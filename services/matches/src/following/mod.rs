//! Following what others change besides adding entries: erasures, removals, limits, and a record
//! that went back. [`upkeep`], and [`erasures`] apart from it, are tasks without which a process
//! must not serve.

mod erasures;
mod lost;
mod removals;
mod upkeep;
