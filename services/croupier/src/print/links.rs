//! Links that people open.

/// The link to the page that exchanges a code. Browsers do not send the part after `#` to any
/// server.
pub fn sign_in_link(address: &str, code: &str) -> String {
    format!("{}/#sign-in={code}", address.trim_end_matches('/'))
}

/// The link on which a guest accepts an invitation: its preview shows the game, as `games/{game}`.
pub fn invitation_link(address: &str, game: &str, token: &str) -> String {
    let game = game.trim_start_matches("games/");
    format!("{}/g/{game}#invitation={token}", address.trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invitation_has_the_address_of_its_game_and_its_secret_in_the_fragment() {
        assert_eq!(
            invitation_link("https://play.example/", "games/rigs", "a.b"),
            "https://play.example/g/rigs#invitation=a.b"
        );
    }
}
