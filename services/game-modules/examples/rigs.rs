//! R.I.G.S. as a module.

croupier_game::module!(games::rigs::Rigs, game_modules::about!("rigs"));
