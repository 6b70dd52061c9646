//! What is told about a built-in game besides its rules.

/// What is told about a game besides its rules, from its folder.
#[macro_export]
macro_rules! about {
    ($folder:literal) => {
        croupier_game::About {
            words: include!(concat!(env!("OUT_DIR"), "/", $folder, ".words.rs")),
            rules_page: $crate::text!("docs/", $folder, ".md"),
            actions: include_bytes!(concat!(env!("OUT_DIR"), "/", $folder, ".binpb")),
            action_message: concat!("croupier.games.", $folder, ".v1.Action"),
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! text {
    ($($path:literal),*) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../games/", $($path),*))
    };
}
