//! Tests of the host with real modules, in reading order. `.ci/modules` makes them.

/// What `.ci/modules` made.
mod built;

/// A description says of a game what its native form says.
mod described;

/// A module decides as native rules do.
mod same;

/// Bad modules cost a refusal, and nothing else.
mod contained;

/// A module in another language, after `docs/modules.md`.
mod pebbles;

/// What a module costs; run by hand.
mod costs;
