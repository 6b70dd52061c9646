//! Games that are modules of WebAssembly: the host of `docs/modules.md`.
//!
//! A [`Module`] is a [`games::Game`], so whoever calls rules does not know whether they are native.
//! The host keeps what must be trusted: the table, its fold, the redaction and the chance. A guest
//! returns entries, which are checked and folded here; lists, answers of the house and choices are
//! asked of it with what the seat sees, and nothing else.
//!
//! Code is compiled by a program of its own (`compiler/`, `compiling`): this crate has the runtime
//! of WebAssembly and no compiler.
//!
//! # Invariants
//!
//! - A module decides as the same native rules do, byte for byte
//!   (`same::every_game_as_a_module_decides_as_natively`).
//! - A module that loops, takes memory, traps or answers nonsense costs the call a typed refusal,
//!   and no other match anything
//!   (`contained::a_fault_is_a_refusal_of_its_own_kind_and_every_match_goes_on`).

// The settings of the engine, which the compiler includes too: code fits only the same ones.
mod engine;

// What a module may use.
mod limits;

// Why a module cannot be used, or a call to it failed.
mod faults;

// Runs the compiler.
pub mod compiling;

// All that is unsafe: loading compiled code, and lending chance to a call.
mod trusted;

// A running module: its memory, its calls.
mod instance;

// Names that live as long as the program.
mod names;

mod description;

// Actions that never reach a guest.
mod house;

// How long a module is not trusted after a fault.
mod suspicion;

// The instances of a module, and the tables in them.
mod instances;

mod module;

// What a module must do before it is trusted with matches.
pub mod trial;

pub mod admission;

pub use description::{BadDescription, Description};
pub use engine::ENGINE;
pub use faults::{Fault, LoadError};
pub use limits::Limits;
pub use module::Module;
pub use trusted::Compiled;
