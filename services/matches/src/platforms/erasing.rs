//! Erases a player: the identity and all messages, in the database and in this process. Other
//! processes follow by `follow_erasures`.

use accounts::{Erased, PlayerRevocation};
use uuid::Uuid;

use crate::access::{Caller, Lane};
use crate::detached::Detached;
use crate::error::Error;
use crate::matches::Matches;
use crate::random::random;
use crate::request::check_player;

impl Matches {
    /// Erases a player of the platform. Returns the end of the player's tokens, and false if there
    /// is no player with this id. Completes even if the caller drops this future; if the process
    /// ends, another one completes it. It is not begun while a node of the database is away.
    pub async fn erase_player(
        &self,
        caller: &Caller,
        player: &str,
    ) -> Result<(PlayerRevocation, bool), Error> {
        check_player("name", player)?;
        let (matches, caller, player) = (self.clone(), caller.clone(), player.to_owned());
        let erasing = async move { matches.erase_whole(&caller, &player).await };
        Detached::new(erasing).await?
    }

    async fn erase_whole(
        &self,
        caller: &Caller,
        player: &str,
    ) -> Result<(PlayerRevocation, bool), Error> {
        let platform = caller.platform()?;
        if self.0.accounts.database().check_whole().is_err() {
            return Err(Error::DatabaseIncomplete);
        }
        let pseudonym = format!("erased-{}", Uuid::from_bytes(random()).simple());
        let operator = self.operator(caller);
        let erasing = operator.erase_player(platform, player, &pseudonym);
        let erased = self.in_lane(Lane::Writes, platform, erasing).await;
        let Erased { tokens, seats } = erased.map_err(Error::after_write)?;
        seats.iter().for_each(|seats| self.0.live.cache.forget_players(seats));
        Ok((tokens, seats.is_some()))
    }

    /// How often players were erased, as far as this process knows. Code that keeps names of
    /// players must read them again when the count has changed.
    pub fn erasures(&self) -> u64 {
        self.0.live.cache.erasures()
    }
}
