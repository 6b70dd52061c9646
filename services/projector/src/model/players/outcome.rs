//! How a match ended for one of its players.

use sqlx::postgres::{PgHasArrayType, PgTypeInfo};

/// The outcome of a match for one of its players. Its number is stored in the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx_macros::Type)]
#[repr(i16)]
pub enum Outcome {
    Lost = 0,
    Won = 1,
    /// Won together with others.
    Shared = 2,
}

impl PgHasArrayType for Outcome {
    fn array_type_info() -> PgTypeInfo {
        <i16 as PgHasArrayType>::array_type_info()
    }
}
