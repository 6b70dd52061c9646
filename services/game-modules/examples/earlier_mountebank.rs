//! An earlier version of the rules of a game, for tests of matches that began under it.

croupier_game::module!(
    game_modules::Earlier<games::mountebank::Mountebank>,
    game_modules::about!("mountebank")
);
