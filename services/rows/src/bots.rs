//! Bots: the seats that the service plays have ids of a special form.

/// The prefix of a bot's id, which a seat has instead of a player's. No player's id has a control
/// character.
pub const BOT_MARK: &str = "\u{1}bot ";

/// The id of a bot of this level. `number` distinguishes the bots of a match, including earlier
/// ones.
pub fn bot_id(level: &str, number: u64) -> String {
    format!("{BOT_MARK}{level} {number:016x}")
}

/// The level of the bot, if this is a bot's id.
pub fn level_of(id: &str) -> Option<&str> {
    Some(id.strip_prefix(BOT_MARK)?.rsplit_once(' ')?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_a_bot_names_its_level() {
        assert_eq!(level_of(&bot_id("search", 7)), Some("search"));
        assert_ne!(bot_id("search", 7), bot_id("search", 8));
        for player in ["", "ann", "bot search 7", "\u{1}", "\u{1}bot", "\u{1}bot search"] {
            assert_eq!(level_of(player), None, "{player:?}");
        }
    }
}
