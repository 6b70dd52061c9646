//! The verification of records, and the rules that it needs.

verifier::export!();
