//! What a platform notes about its matches, in its own words. The house reads nothing into them.

use store::{MatchId, TAGS_MAX, Tagging, Tags};

use crate::live::LiveMatch;
use crate::{Caller, Error, Matches, Summary};

/// Room for `tournament-round` and the like; a key is searched for.
const KEY_BYTES_MAX: usize = 64;

/// A note, not a document: sixteen of these are kept with every match.
const VALUE_BYTES_MAX: usize = 256;

impl Matches {
    /// Takes tags away from a match and gives others their values, all or nothing. The last one to
    /// do so wins, key by key.
    pub async fn tag(
        &self,
        caller: &Caller,
        match_id: MatchId,
        removed: &[String],
        set: &Tags,
    ) -> Result<Summary, Error> {
        caller.platform()?;
        check_tags(set)?;
        removed.iter().try_for_each(|key| check_key(key))?;
        if let Some(key) = removed.iter().find(|key| set.contains_key(*key)) {
            return Err(Error::InvalidTag(format!("the tag {key:?} is set and removed at once")));
        }
        let live = self.live(caller, match_id).await?;
        match self.0.store.tag(match_id, removed, set).await? {
            Tagging::Tagged => self.tagged(caller, &live).await,
            Tagging::TooMany => Err(Error::TooManyTags),
        }
    }

    /// How a match stands, with its tags for its platform; players and spectators are told none.
    /// While the log does not answer, the tags are those that this process saw last.
    pub(crate) async fn tagged(&self, caller: &Caller, live: &LiveMatch) -> Result<Summary, Error> {
        let summary = self.summary(live);
        if caller.platform().is_err() {
            return Ok(summary);
        }
        match self.0.store.tags(&[live.id()]).await.map_err(Error::from) {
            Ok(mut tags) => live.set_tags(tags.remove(&live.id()).unwrap_or_default()),
            Err(Error::DatabaseUnavailable { .. }) => {}
            Err(error) => return Err(error),
        }
        Ok(Summary { tags: live.tags(), ..summary })
    }
}

pub(crate) fn check_tags(tags: &Tags) -> Result<(), Error> {
    if tags.len() > TAGS_MAX {
        return Err(Error::TooManyTags);
    }
    for (key, value) in tags {
        check_key(key)?;
        if value.len() > VALUE_BYTES_MAX || value.chars().any(char::is_control) {
            let rule = format!(
                "the value of the tag {key:?} has at most {VALUE_BYTES_MAX} bytes and no control characters"
            );
            return Err(Error::InvalidTag(rule));
        }
    }
    Ok(())
}

fn check_key(key: &str) -> Result<(), Error> {
    let is_plain =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_.".contains(&byte);
    if (1..=KEY_BYTES_MAX).contains(&key.len()) && key.bytes().all(is_plain) {
        Ok(())
    } else {
        let rule = format!(
            "the key of a tag has 1 to {KEY_BYTES_MAX} characters out of a-z, 0-9, `-`, `_` and `.`: {key:?} is none"
        );
        Err(Error::InvalidTag(rule))
    }
}
