//! Replacing the player of a seat by another player or a bot.

use rows::{MatchId, RedactedEntry};
use store::Substitute;
use table::{Seat, Viewer};

use super::bots::{bot_id, bot_level, bot_name};
use super::speech::speech_key;
use crate::accepting::{Command, Expected, Replacement};
use crate::access::Caller;
use crate::error::Error;
use crate::matches::Matches;
use crate::request::{check_player, check_request_id, display_names};
use crate::summary::Summary;

/// A player who takes over a seat.
#[derive(Clone, Debug)]
pub struct NewSubstitute {
    /// Empty for a bot.
    pub player: String,
    /// Empty for none; a bot then gets one.
    pub display_name: String,
    /// The level of the bot that takes over instead; empty for a player.
    pub bot: String,
    pub seat: Seat,
    /// Whether the seat's player is gone, so that the seat need not have resigned.
    pub is_gone: bool,
    pub expected: Expected,
    pub request_id: Option<String>,
}

impl Matches {
    /// Seats another player, or a bot, on a seat whose player has resigned or is gone. Returns the
    /// entry as a spectator sees it.
    pub async fn replace(
        &self,
        caller: &Caller,
        match_id: MatchId,
        new: NewSubstitute,
    ) -> Result<(RedactedEntry, Summary), Error> {
        caller.platform()?;
        self.budgets().of(&caller.platform).check_action(&caller.grant)?;
        let NewSubstitute { player, display_name, bot, seat, is_gone, expected, request_id } = new;
        check_request_id(request_id.as_deref())?;
        let bot = Some(bot).filter(|bot| !bot.is_empty());
        match &bot {
            Some(_) if !player.is_empty() => {
                return Err(Error::invalid("bot", "a seat has a bot or a player, not both"));
            }
            Some(_) => {}
            None => check_player("player", &player)?,
        }
        let display_name = display_names::parse("display_name", &display_name)?;
        let live = self.live(caller, match_id).await?;
        let level = bot.map(|bot| bot_level("bot", &bot, live.game_of_bots())).transpose()?;
        let seat = live.check_seat(seat)?;
        let (player, display_name) = match level {
            None => (player, display_name),
            Some(level) => {
                // Listed before the bot is seated: otherwise, if this process ends in between,
                // nobody would play for the bot.
                self.0.store.note_bots(live.platform(), match_id).await?;
                let seated = live.players();
                let former = seated.iter().flatten().flat_map(|it| &it.before);
                let former = former.map(|it| (&*it.player, it.display_name.as_deref()));
                let people = seated.iter().flatten();
                let people = people.map(|it| (&*it.player, it.display_name.as_deref()));
                let name = display_name.unwrap_or_else(|| bot_name(seat, people.chain(former)));
                (bot_id(level), Some(name))
            }
        };
        let is_gone = is_gone || live.has_bot(seat);
        let speech_key = Some(speech_key());
        let number = u8::from(seat).into();
        let substitute = Substitute { seat: number, player, display_name, speech_key };
        let command = Command::Replace(Replacement { seat, is_gone, substitute });
        let entry = self.accept(&live, Some(caller), command, expected, request_id).await?;
        let entry = live.redact(&entry, Viewer::Spectator);
        let summary = self.get(caller, match_id).await.map_err(Error::after_write)?;
        Ok((entry, summary))
    }
}
