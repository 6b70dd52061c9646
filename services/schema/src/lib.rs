//! The schema of the database: bringing it up to date, spreading it over the nodes of a sharded
//! database, and granting what the role that serves may do.
//!
//! `migrations/` has the tables, and each table says in a comment of its own where its rows are and
//! what may be done with them: everything here derives from that. In reading order: [`migrate`] and
//! [`pending`]; [`Declaration`], what a table says of itself; [`grant`]; and how tables are spread
//! ([`distribution_of`]).
//!
//! # Invariants
//!
//! - A role may do what the tables declare and nothing else:
//!   `schema::a_role_may_do_what_the_tables_declare_and_nothing_else`.

mod declarations;
mod distribution;
mod error;
mod grants;
mod migrations;
mod statements;

pub use declarations::{Declaration, Place, declarations, functions};
pub use distribution::distribution_of;
pub use error::Error;
pub use grants::grant;
pub use migrations::{Migration, migrate, pending};
pub use statements::statements;
