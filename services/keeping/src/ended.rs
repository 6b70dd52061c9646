//! Whether a match has ended.

use positions::Recorded;
use table::Entry;

/// Whether a match ended with its last entry. Fails with the reason if the entry cannot be read.
pub(crate) fn has_ended(game: &str, module: Option<&str>, last: &Recorded) -> Result<bool, String> {
    let game = games::rules_of(game, module).ok_or_else(|| format!("no rules for {game:?}"))?;
    let entry = Entry::decode(&last.body, game.layout()).map_err(|error| error.to_string())?;
    Ok(entry.winners().is_some())
}
