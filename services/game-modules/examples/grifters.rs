//! Grifters as a module.

croupier_game::module!(
    games::hideout::Hideout<games::grifters::Grifters>,
    game_modules::about!("grifters")
);
