//! The contribution of a seat to the chance of a match.

use table::{CONTRIBUTION_BYTES_MAX, CONTRIBUTION_BYTES_MIN};

use crate::error::Error;

/// Checks the contribution in a field of a request; `None` if the field is empty.
pub(crate) fn check_contribution<'a>(
    field: &'static str,
    contribution: &'a [u8],
) -> Result<Option<&'a [u8]>, Error> {
    match contribution.len() {
        0 => Ok(None),
        CONTRIBUTION_BYTES_MIN..=CONTRIBUTION_BYTES_MAX => Ok(Some(contribution)),
        count => Err(Error::invalid(field, format!("{}, not {count}", rule()))),
    }
}

/// Checks a contribution in a field that must not be empty.
pub(crate) fn require_contribution<'a>(
    field: &'static str,
    contribution: &'a [u8],
) -> Result<&'a [u8], Error> {
    let contribution = check_contribution(field, contribution)?;
    contribution.ok_or_else(|| Error::invalid(field, rule()))
}

fn rule() -> String {
    format!("a contribution has {CONTRIBUTION_BYTES_MIN} to {CONTRIBUTION_BYTES_MAX} bytes")
}
