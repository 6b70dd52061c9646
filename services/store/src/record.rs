//! The tables of the record's log.

use event_log::{Rights, Tables};

/// A hash of a match's parameters, followed by one of the seed while it is kept. A process that
/// remembers them notices alterations.
macro_rules! header {
    ($bucket:literal, $match:literal) => {
        concat!(
            "select sha256(convert_to(jsonb_build_array(its.platform, its.game, its.seats,
                     extract(epoch from its.create_time), its.terms)::text, 'UTF8'))
                 || coalesce(sha256(seeds.seed), '')
             from matches as its
             left join seeds
                 on seeds.bucket = its.bucket
                 and seeds.match_id = its.match_id
                 and seeds.bucket = ",
            $bucket,
            " where its.bucket = ",
            $bucket,
            " and its.match_id = ",
            $match
        )
    };
}
pub(crate) use header;

/// The log of all matches: each match is a stream.
pub const RECORD: Tables = Tables {
    entries: "entries",
    stream: "match_id",
    buckets: "buckets",
    writers: "writers",
    terms: "installation_terms",
    servers: "database_servers",
    header: Some(header!("{bucket}", "asked.stream")),
    companion: Some("seat_substitute"),
    rights: Some(Rights { unchanged: UNCHANGED_RIGHTS, hold: "rights_hold" }),
};

/// Each part reads the last row of an index. After a failover to an older state, transactions are
/// counted again from there.
const UNCHANGED_RIGHTS: &str = "pg_snapshot_xmax(pg_current_snapshot()) >= {since}::text::xid8
                 and coalesce((
                     select changed_in from platform_keys order by changed_in desc limit 1
                 ) < {since}::text::xid8, true)
                 and coalesce((
                     select changed_in from token_revocations order by changed_in desc limit 1
                 ) < {since}::text::xid8, true)
                 and coalesce((
                     select changed_in from player_revocations order by changed_in desc limit 1
                 ) < {since}::text::xid8, true)";
