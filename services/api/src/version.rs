//! The version of the program.

/// The version that `.ci/version` gives to builds for release, or that of the workspace.
pub const VERSION: &str = match option_env!("CROUPIER_VERSION") {
    Some(version) => version,
    None => env!("CARGO_PKG_VERSION"),
};
