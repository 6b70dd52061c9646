//! Names, of which the id alone will do, and new request ids.

use uuid::Uuid;

/// The resource name of a member of a collection. Nothing stays nothing.
pub(crate) fn named(collection: &str, name: &str) -> String {
    let is_whole = name.strip_prefix(collection).is_some_and(|rest| rest.starts_with('/'));
    if is_whole || name.is_empty() { name.to_owned() } else { format!("{collection}/{name}") }
}

/// An idempotency key: a request that is sent again with the key of an earlier one is not carried
/// out twice.
pub(crate) fn new_request_id() -> String {
    Uuid::new_v4().simple().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_be_short() {
        let whole = ["mountebank", "games/mountebank", ""].map(|name| named("games", name));
        assert_eq!(whole, ["games/mountebank", "games/mountebank", ""]);
    }
}
