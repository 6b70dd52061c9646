//! Ids that clients choose: of players and of requests.

use rows::is_plain;
use uuid::Uuid;

use crate::error::Error;

/// The maximum length of a player's id: enough for any scheme, short enough to store with every
/// seat.
const PLAYER_BYTES_MAX: usize = 128;

/// The maximum length of a request id: a UUID fits, and so does the number of a chat message.
const REQUEST_ID_BYTES_MAX: usize = 64;

pub(crate) fn check_player(field: &'static str, player: &str) -> Result<(), Error> {
    let fits = (1..=PLAYER_BYTES_MAX).contains(&player.len());
    if fits && is_plain(player) {
        Ok(())
    } else {
        let rule = format!(
            "a player id must have 1 to {PLAYER_BYTES_MAX} bytes of visible characters in NFC, with \
             single spaces at most between them"
        );
        Err(Error::Invalid { field, rule })
    }
}

pub(crate) fn check_request_id(request_id: Option<&str>) -> Result<(), Error> {
    let fits = |id: &str| {
        (1..=REQUEST_ID_BYTES_MAX).contains(&id.len())
            && id.bytes().all(|byte| byte.is_ascii_graphic())
    };
    if request_id.is_none_or(fits) {
        Ok(())
    } else {
        let rule =
            format!("a request_id must have 1 to {REQUEST_ID_BYTES_MAX} visible ASCII characters");
        Err(Error::invalid("request_id", rule))
    }
}

/// The id of the match that a request creates. It follows from the platform and the request id, so
/// the primary key detects a retry.
pub(crate) fn derived_id(platform: &str, request_id: &str) -> Uuid {
    let mut hash = blake3::Hasher::new_derive_key("croupier: match of a create request");
    hash.update(&(platform.len() as u64).to_le_bytes());
    hash.update(platform.as_bytes());
    hash.update(request_id.as_bytes());
    let bytes = hash.finalize();
    let half: [u8; 16] = bytes.as_bytes()[..16].try_into().expect("a hash has 32 bytes");
    uuid::Builder::from_custom_bytes(half).into_uuid()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn player_ids_are_bounded_and_printable() {
        let is_valid = |player: &str| check_player("player", player).is_ok();
        assert!(is_valid(&"a".repeat(PLAYER_BYTES_MAX)));
        for player in ["", "a\nn", "\u{202e}nna", &"a".repeat(PLAYER_BYTES_MAX + 1)] {
            assert!(!is_valid(player), "{player:?}");
        }
    }

    #[test]
    fn request_ids_are_visible_ascii_of_bounded_length() {
        assert!(check_request_id(None).is_ok());
        assert!(check_request_id(Some(&"r".repeat(REQUEST_ID_BYTES_MAX))).is_ok());
        for id in ["", "set up", "é", &"r".repeat(REQUEST_ID_BYTES_MAX + 1)] {
            assert!(check_request_id(Some(id)).is_err(), "{id:?}");
        }
    }

    #[test]
    fn the_match_id_depends_on_the_platform_and_the_request_id() {
        assert_eq!(derived_id("acme", "r1"), derived_id("acme", "r1"));
        assert_ne!(derived_id("acme", "r1"), derived_id("acme", "r2"));
        assert_ne!(derived_id("acme", "r1"), derived_id("zeta", "r1"));
        assert_ne!(derived_id("acme", "r1"), derived_id("acmer", "1"));
    }

    /// Matches that are stored have this id: a retry must find it.
    #[test]
    fn derived_ids_never_change() {
        let id = derived_id("acme", "r1").to_string();
        assert_eq!(id, "e4705c8d-66b4-8187-9198-d01942f293e5");
    }
}
