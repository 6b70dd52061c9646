//! New game: draw cards, and keep them in time.
//!
//! `§3.2` is a paragraph of `rules.md`.

// What is on the table.
pub mod table;

pub mod actions;

pub mod rules;

pub use rules::NewGame;

// Nothing, unless the target is WebAssembly.
croupier_game::module!(
    NewGame,
    croupier_game::About {
        words: &[("en", include_str!("words/en.ftl")), ("de", include_str!("words/de.ftl"))],
        rules_page: include_str!("../rules.md"),
        actions: include_bytes!(concat!(env!("OUT_DIR"), "/actions.binpb")),
        action_message: "croupier.games.new_game.v1.Action",
    }
);
