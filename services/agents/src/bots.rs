//! The turns of bots.

use matches::{BotPlayers, MatchId};

use crate::{Agent, Due, Error, Outcome};

/// Plays for the bots of matches.
pub struct Bots {
    players: BotPlayers,
}

impl Bots {
    pub fn new(players: BotPlayers) -> Bots {
        Bots { players }
    }
}

impl Agent for Bots {
    type Key = (String, MatchId);
    const NAME: &'static str = "bots";

    async fn due(&self, most: usize, except: &[Self::Key]) -> Result<Vec<Due<Self::Key>>, Error> {
        let except: Vec<MatchId> = except.iter().map(|(_, match_id)| *match_id).collect();
        let due = self.players.due(most, &except).await?;
        let due =
            due.into_iter().map(|it| Due { key: (it.platform, it.match_id), since: it.since });
        Ok(due.collect())
    }

    async fn attempt(&self, (platform, match_id): Self::Key) -> Result<Outcome, Error> {
        match self.players.play(&platform, match_id).await {
            Ok(true) => Ok(Outcome::Won),
            // It was deleted, or another process was faster.
            Ok(false) | Err(matches::Error::NoSuchMatch) => Ok(Outcome::Lost),
            Err(error) => Err(error.into()),
        }
    }

    async fn woken(&self) {
        self.players.woken().await;
    }
}
