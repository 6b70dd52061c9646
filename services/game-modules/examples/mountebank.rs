//! Mountebank as a module.

croupier_game::module!(games::mountebank::Mountebank, game_modules::about!("mountebank"));
