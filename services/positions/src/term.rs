//! Terms: the times between which the record of an installation may have gone back.

use std::fmt;

/// A term of an installation. A new one begins when its database was promoted, restored or
/// replaced, or was seen to have lost entries.
///
/// A term is named by the Unix time, in seconds, at which it began, or is one more than the term
/// before it. So of two copies of a database that live on, each begins terms of its own, and of two
/// terms the greater one began later, whichever copy it is of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "postgres", derive(sqlx_macros::Type), sqlx(transparent))]
pub struct Term(pub i64);

impl Term {
    /// Of what was made before terms were known.
    pub const UNKNOWN: Self = Self(0);

    pub fn is_known(self) -> bool {
        self != Self::UNKNOWN
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_term_but_that_of_older_releases_is_known() {
        assert_eq!([Term::UNKNOWN, Term(1)].map(Term::is_known), [false, true]);
        assert_eq!(Term::default(), Term::UNKNOWN);
    }

    #[test]
    fn a_term_is_printed_as_its_number() {
        assert_eq!(format!("{:>4}", Term(17)), "  17");
    }
}
