//! Consistency tokens and cursors: what a caller has seen and an answer must include.

use positions::{Bookmark, Claims, Marks, Position};
use projector::{ConsistencyToken, Model};
use rows::MatchId;

use crate::access::{Caller, Lane};
use crate::error::Error;
use crate::matches::Matches;

impl Matches {
    /// Waits until a read model includes a consistency token, for a bounded time.
    pub(crate) async fn wait_for_model(
        &self,
        caller: &Caller,
        model: Model,
        consistency_token: Option<ConsistencyToken>,
    ) -> Result<(), Error> {
        let Some(consistency_token) = consistency_token else { return Ok(()) };
        match &consistency_token {
            ConsistencyToken::Entry(match_id, position) => {
                self.check_entry(caller, *match_id, *position).await?
            }
            ConsistencyToken::Stream(claims) => {
                caller.platform()?;
                self.marks_of(&caller.platform, claims).await?;
            }
        }
        match self.0.projector.has_reached(&caller.platform, model, &consistency_token).await? {
            true => Ok(()),
            false => Err(Error::ProjectionBehind),
        }
    }

    /// Fails unless the entry exists and the caller may know of it.
    async fn check_entry(
        &self,
        caller: &Caller,
        match_id: MatchId,
        position: Position,
    ) -> Result<(), Error> {
        caller.check_match(match_id)?;
        let finding = self.0.store.find(&caller.platform, match_id);
        let row = self.in_lane(Lane::Lists, &caller.platform, finding).await?;
        let row = row.ok_or(Error::NoSuchMatch)?;
        if let Some(player) = caller.player()
            && !row.seated.iter().any(|it| it.was_of(player))
        {
            return Err(Error::NoSuchMatch);
        }
        if row.last.is_none_or(|last| last.position < position) || position.0 < 1 {
            return Err(Error::NoSuchEntry);
        }
        Ok(())
    }

    /// The position of a cursor, if the record still has it.
    pub(crate) async fn marks_of(&self, platform: &str, claims: &Claims) -> Result<Marks, Error> {
        // Boxed, because it holds the marks of all buckets several times.
        let checking = Box::pin(self.0.store.log().check_claims(claims));
        let marks = self.in_lane(Lane::Streams, platform, checking).await?;
        marks.map_err(|lost| {
            let resume = Bookmark::of_all(self.term(), *lost.holds);
            Error::RecordWentBack { position: None, resume: Some(Box::new(resume)) }
        })
    }
}
