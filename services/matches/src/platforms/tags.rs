//! Tagging matches.

use rows::{MatchId, Tags};
use store::Tagging;

use crate::access::{Caller, Lane};
use crate::error::Error;
use crate::matches::Matches;
use crate::request::{check_key, check_tags};
use crate::summary::Summary;

impl Matches {
    /// Removes and sets tags of a match, all or nothing. Concurrent calls are resolved by key: the
    /// last write wins.
    pub async fn tag(
        &self,
        caller: &Caller,
        match_id: MatchId,
        removed: &[String],
        set: &Tags,
    ) -> Result<Summary, Error> {
        let platform = caller.platform()?;
        check_tags("set", set)?;
        removed.iter().try_for_each(|key| check_key("remove", key))?;
        if let Some(key) = removed.iter().find(|key| set.contains_key(*key)) {
            return Err(Error::InvalidTag {
                field: "remove",
                rule: format!("the tag {key:?} is both set and removed"),
            });
        }
        let live = self.live(caller, match_id).await?;
        let tagging = self.0.store.tag(match_id, removed, set);
        match self.in_lane(Lane::Writes, platform, tagging).await? {
            Tagging::Tagged => {
                self.summary_with_tags(caller, &live).await.map_err(Error::after_write)
            }
            Tagging::TooMany => Err(Error::TooManyTags),
        }
    }
}
