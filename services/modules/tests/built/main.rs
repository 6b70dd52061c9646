//! Tests of the host with the built-in games as modules, in reading order. `make modules` makes the
//! modules and runs them: compiling takes minutes, so `make test` does without.

/// What `.ci/modules` made.
mod built;

/// The modules in C that are kept are those of their sources.
mod sources;

/// A description says of a game what its native form says.
mod described;

/// A module decides as native rules do.
mod same;

/// A module's bots choose as native ones do.
mod choosing;

/// Bad modules cost a refusal, and nothing else.
mod contained;

/// A module in another language, after `docs/modules.md`.
mod pebbles;

/// The same module with actions that loop, trap or lie, one fault at a time.
mod faults;

/// The trial admits what is honest, and refuses each cheat for its own reason.
mod trial;

/// What a module costs.
mod costs;
