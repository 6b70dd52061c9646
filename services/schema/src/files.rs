//! The files of `migrations/`, and what they declare.

use std::collections::BTreeMap;

use crate::statements::statements;

/// The names of the files of `migrations/` and their texts, by version.
pub(crate) const FILES: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/migrations.rs"));

/// The tables of this release, each with the statement of a migration that declares it.
pub(crate) fn comments() -> BTreeMap<String, String> {
    let mut comments = BTreeMap::new();
    for statement in FILES.iter().flat_map(|(_, sql)| statements(sql)) {
        if let Some((table, _)) =
            statement.strip_prefix("comment on table ").and_then(|it| it.split_once(' '))
        {
            comments.insert(table.to_owned(), statement);
        }
    }
    comments
}
