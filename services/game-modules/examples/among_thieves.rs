//! Among Thieves as a module.

croupier_game::module!(games::among_thieves::AmongThieves, game_modules::about!("among_thieves"));
