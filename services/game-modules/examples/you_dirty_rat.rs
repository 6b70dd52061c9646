//! You Dirty Rat as a module.

croupier_game::module!(
    games::hideout::Hideout<games::you_dirty_rat::YouDirtyRat>,
    game_modules::about!("you_dirty_rat")
);
