//! Tags: a platform's own notes on its matches. The service does not interpret them.

use rows::{TAGS_MAX, Tags};

use crate::error::Error;

/// The maximum length of a key: enough for `tournament-round`, bounded because keys are indexed.
const KEY_BYTES_MAX: usize = 64;

/// The maximum length of a value: enough for a note; a match may have sixteen.
const VALUE_BYTES_MAX: usize = 256;

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

pub(crate) fn check_key(field: &'static str, key: &str) -> Result<(), Error> {
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
