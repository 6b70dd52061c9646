//! Tags: a platform's own notes on its matches. The service does not interpret them.

use store::{MatchId, TAGS_MAX, Tagging, Tags};

use crate::budgets::Lane;
use crate::live::LiveMatch;
use crate::{Caller, Error, Matches, Summary};

/// Room for keys such as `tournament-round`. Keys are indexed.
const KEY_BYTES_MAX: usize = 64;

/// A note, not a document: a match may have sixteen.
const VALUE_BYTES_MAX: usize = 256;

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

    /// The summary of a match. Tags are included for its platform only. While the database is
    /// unavailable, they are the ones that this process read last.
    pub(crate) async fn summary_with_tags(
        &self,
        caller: &Caller,
        live: &LiveMatch,
    ) -> Result<Summary, Error> {
        let next = self.next_of(live).await?;
        let summary = Summary { next, ..self.summary(live) };
        if caller.platform().is_err() {
            return Ok(summary);
        }
        let match_ids = [live.id()];
        let tags = self.0.store.tags(&match_ids);
        match self.in_lane(Lane::Lists, &caller.platform, tags).await {
            Ok(mut tags) => live.set_tags(tags.remove(&live.id()).unwrap_or_default()),
            Err(Error::DatabaseUnavailable { .. }) => {}
            Err(error) => return Err(error),
        }
        Ok(Summary { tags: live.tags(), ..summary })
    }
}

pub(crate) fn check_tags(field: &'static str, tags: &Tags) -> Result<(), Error> {
    if tags.len() > TAGS_MAX {
        return Err(Error::TooManyTags);
    }
    for (key, value) in tags {
        check_key(field, key)?;
        if value.len() > VALUE_BYTES_MAX || value.chars().any(char::is_control) {
            let rule = format!(
                "the value of the tag {key:?} must have at most {VALUE_BYTES_MAX} bytes and no control characters"
            );
            return Err(Error::InvalidTag { field, rule });
        }
    }
    Ok(())
}

fn check_key(field: &'static str, key: &str) -> Result<(), Error> {
    let is_plain =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_.".contains(&byte);
    if (1..=KEY_BYTES_MAX).contains(&key.len()) && key.bytes().all(is_plain) {
        Ok(())
    } else {
        let rule = format!(
            "the key of a tag must have 1 to {KEY_BYTES_MAX} of the characters a-z, 0-9, `-`, `_` and `.`, unlike {key:?}"
        );
        Err(Error::InvalidTag { field, rule })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(key: &str, value: &str) -> bool {
        check_tags("tags", &[(key.to_owned(), value.to_owned())].into()).is_ok()
    }

    #[test]
    fn tags_are_bounded() {
        assert!(check("tournament-round_1.a", "any text, bütün"));
        assert!(check(&"k".repeat(KEY_BYTES_MAX), &"v".repeat(VALUE_BYTES_MAX)));
        assert!(!check(&"k".repeat(KEY_BYTES_MAX + 1), ""));
        assert!(!check("k", &"v".repeat(VALUE_BYTES_MAX + 1)));
        for key in ["", "Key", "a b", "é"] {
            assert!(!check(key, ""), "{key:?}");
        }
        assert!(!check("k", "two\nlines"));
        let tags = |count: usize| (0..count).map(|n| (format!("k{n}"), String::new())).collect();
        assert!(check_tags("tags", &tags(TAGS_MAX)).is_ok());
        assert!(matches!(check_tags("tags", &tags(TAGS_MAX + 1)), Err(Error::TooManyTags)));
    }
}
