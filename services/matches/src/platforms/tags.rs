//! What platforms note about their matches.

use rows::{MatchId, Tags};
use store::{NewNotes, Tagging};

use crate::access::{Caller, Lane};
use crate::error::Error;
use crate::matches::Matches;
use crate::request::{check_key, check_tags, display_names};
use crate::summary::Summary;

/// The notes to change, as requested; `None` leaves what is there.
#[derive(Clone, Debug, Default)]
pub struct MatchChanges {
    /// Empty to remove the name.
    pub display_name: Option<String>,
    pub lobby: Option<bool>,
    /// All tags.
    pub tags: Option<Tags>,
}

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
                self.summary_with_notes(caller, &live).await.map_err(Error::after_write)
            }
            Tagging::TooMany => Err(Error::TooManyTags),
        }
    }

    /// Changes the notes about a match, all or nothing. Of concurrent calls, the last one wins, for
    /// each of them.
    pub async fn update(
        &self,
        caller: &Caller,
        match_id: MatchId,
        changes: MatchChanges,
    ) -> Result<Summary, Error> {
        let platform = caller.platform()?;
        let MatchChanges { display_name, lobby, tags } = changes;
        let field = "match.display_name";
        let parsed = display_name.map(|name| display_names::parse(field, &name)).transpose()?;
        tags.iter().try_for_each(|tags| check_tags("match.tags", tags))?;
        let live = self.live(caller, match_id).await?;
        if lobby == Some(true) && live.is_full() {
            return Err(Error::Started);
        }
        let new = NewNotes { display_name: parsed, lobby, tags };
        self.in_lane(Lane::Writes, platform, self.0.store.note(match_id, &new)).await?;
        self.changed(caller, match_id).await
    }
}
