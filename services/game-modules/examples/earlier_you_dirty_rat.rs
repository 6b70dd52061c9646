//! An earlier version of the rules of a game, for tests of matches that began under it.

croupier_game::module!(
    game_modules::Earlier<games::hideout::Hideout<games::you_dirty_rat::YouDirtyRat>>,
    game_modules::about!("you_dirty_rat")
);
