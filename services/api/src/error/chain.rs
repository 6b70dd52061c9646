//! An error in one line.

use std::error::Error;

/// An error and its sources, separated by colons.
pub fn chain(error: &dyn Error) -> String {
    let errors = std::iter::successors(Some(error), |&error| error.source());
    errors.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
