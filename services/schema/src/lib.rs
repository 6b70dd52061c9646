//! The schema of the database: migrating it, distributing it over the nodes of a sharded database,
//! and granting rights to the role that serves.
//!
//! `migrations/` has the tables, and the comment on each table declares where its rows are and the
//! rights on them; everything here derives from that. In reading order: [`migrate`] and
//! [`pending`]; [`Declaration`]; [`grant`]; and [`distribution_of`].
//!
//! # Invariants
//!
//! - A role may do what the tables declare and nothing else:
//!   `schema::a_role_may_do_what_the_tables_declare_and_nothing_else`.

mod declarations;
mod distribution;
mod error;
mod files;
mod grants;
mod migrations;
mod placement;
mod statements;

pub use declarations::{Declaration, Place, declarations, functions};
pub use distribution::distribution_of;
pub use error::Error;
pub use grants::grant;
pub use migrations::{Migration, check_places, migrate, migrate_until, pending};
pub use statements::statements;
