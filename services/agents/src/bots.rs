//! The turns of bots.

use matches::{BotPlayers, MatchId};
use time::OffsetDateTime;

use crate::agent::{Agent, Due, Error, Outcome};

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
    /// The platform, the match, and when it began to wait: every new entry makes a new key.
    type Key = (String, MatchId, OffsetDateTime);
    const NAME: &'static str = "bots";

    async fn due(&self, most: usize, except: &[Self::Key]) -> Result<Vec<Due<Self::Key>>, Error> {
        let except: Vec<_> =
            except.iter().map(|(_, match_id, since)| (*match_id, *since)).collect();
        let due = self.players.due(most, &except).await?;
        let due = due
            .into_iter()
            .map(|it| Due { key: (it.platform, it.match_id, it.since), since: it.since });
        Ok(due.collect())
    }

    async fn attempt(&self, (platform, match_id, _): Self::Key) -> Result<Outcome, Error> {
        match self.players.play(&platform, match_id).await {
            Ok(true) => Ok(Outcome::Won),
            // The match was deleted, or another process was faster.
            Ok(false) | Err(matches::Error::NoSuchMatch) => Ok(Outcome::Lost),
            Err(error) => Err(error.into()),
        }
    }

    async fn woken(&self) {
        self.players.woken().await;
    }
}
