//! Mountebank under another name, for tests of games that are added.

croupier_game::module!(
    game_modules::Earlier<games::mountebank::Mountebank, true>,
    game_modules::about!("mountebank")
);
