//! Croupier's games in process, for research in Python: the rules, redaction and records of the
//! service, without a service. `docs/research.md` is the guide, and
//! `docs/decisions/0087-research-plays-in-process.md` says why it is built so.
//!
//! The modules are in reading order, each after those that it imports.
//!
//! Whatever a seat is given is read from the table that is redacted for it ([`played`]):
//! `clients/gym/tests/test_secrecy.py` compares twin worlds, and notices a planted leak.

// What can be wrong with a call.
mod error;

// How a table is written as numbers, by its layout.
mod planes;

mod encoder;

mod features;

// A match in play, and many.
mod played;

mod reward;

mod single;

mod many;

// Records of matches, written and read.
mod recording;

mod decisions;

// The module of Python.
mod python;
