//! Playing: submissions of seats and platforms, timeouts, and the turns of bots.

mod action_stream;
mod bot_players;
mod submit;
mod timeouts;

pub use action_stream::{ActionStream, Submitted};
pub use bot_players::{BOT_DECISIONS, BotDue, BotOptions, BotPlayers};
pub use submit::Submission;
