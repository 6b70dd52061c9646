//! The tables of a log, and every statement about them.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use database::OwnShards;
use positions::Bucket;
use sqlx::{AssertSqlSafe, SqlSafeStr, SqlStr};

/// The names of a log's tables. Several logs may share a database.
#[derive(Clone, Copy, Debug)]
pub struct Tables {
    /// The table of the entries.
    pub entries: &'static str,
    /// The column that names an entry's stream.
    pub stream: &'static str,
    /// The table of the buckets. Logs may share it.
    pub buckets: &'static str,
    /// The table through which writing processes find each other. Logs may share it.
    pub writers: &'static str,
    /// The table of the terms. Logs may share it.
    pub terms: &'static str,
    /// The table of the states in which the servers of the database were seen. Logs may share it.
    pub servers: &'static str,
    /// A query that returns the [`Header`](crate::Header) of the stream `asked.stream` of the
    /// bucket `asked.bucket`, as bytes. `{bucket}` stands for the bucket in statements about many.
    pub header: Option<&'static str>,
    /// A function that is called in the statement that records an entry, for entries that have a
    /// [`companion`](crate::Draft::companion): `(stream uuid, position int8, create_time
    /// timestamptz, companion text)`.
    pub companion: Option<&'static str>,
    /// For entries that are recorded by a [`right`](crate::Premise::right).
    pub rights: Option<Rights>,
}

/// How the database tells whether a right still holds.
#[derive(Clone, Copy, Debug)]
pub struct Rights {
    /// A condition: no right has ended in a transaction since the one whose number stands for
    /// `{since}`. It is cheap, and may be false although all rights hold.
    pub unchanged: &'static str,
    /// A function that says whether rights hold: `(rights text[]) returns boolean`.
    pub hold: &'static str,
}

impl Tables {
    /// The statements that create the tables in a database without them.
    pub fn creation(&self) -> String {
        let Self { entries, stream, buckets, writers, .. } = self;
        SCHEMA
            .replace("{entries}", entries)
            .replace("{stream}", stream)
            .replace("{buckets}", buckets)
            .replace("{writers}", writers)
    }

    /// The statements that create the tables of terms.
    pub fn creation_of_terms(&self) -> String {
        TERMS.replace("{terms}", self.terms).replace("{servers}", self.servers)
    }

    /// The key of the positions within a stream.
    pub(crate) fn position_key(&self) -> String {
        format!("{}_pkey", self.entries)
    }

    /// The key of the positions within a bucket.
    pub(crate) fn bucket_position_key(&self) -> String {
        format!("{}_bucket_bucket_position_key", self.entries)
    }
}

/// The tables, with placeholders for their names.
const SCHEMA: &str = include_str!("tables.sql");
const TERMS: &str = include_str!("terms.sql");

/// A statement in two forms. On one Postgres the generic plan finds each row by its key; if the
/// table is distributed over several servers, the statement names its one bucket.
#[derive(Clone)]
pub(crate) struct Forms {
    pub any: SqlStr,
    pub one: SqlStr,
}

impl Forms {
    pub(crate) fn of(&self, is_of_one: bool) -> SqlStr {
        if is_of_one { self.one.clone() } else { self.any.clone() }
    }
}

/// Every statement about the tables of a log.
pub(crate) struct Statements {
    /// Writes a batch, if the log still has the heads and entries that it assumes, the time of its
    /// decisions agrees with the database's, and its rights hold. On several servers, each of which
    /// has a clock and transactions of its own, times are not compared; heads, entries and rights
    /// are asked for before, on the same connection, which leads to a server that has not gone back
    /// in between.
    pub insert: Forms,
    /// The same for one entry and one mark on one Postgres, which executes a tenth fewer
    /// instructions for it.
    pub insert_one: SqlStr,
    /// The same with a call of the companion of each entry that has one.
    pub insert_with_companions: Forms,
    /// How many of some marks the log has. On several servers it is asked before an insert.
    pub known: SqlStr,
    /// Whether each of some rights holds.
    pub hold: SqlStr,
    /// Finds entries by their keys.
    pub find: Forms,
    /// Reads some entries of each of these streams, and the streams' headers.
    pub after: Forms,
    /// Reads windows of buckets.
    pub windows: Forms,
    /// The last position of a stream.
    pub tail: SqlStr,
    /// The last position of a stream up to a position of its bucket.
    pub last_within: SqlStr,
    /// The first entry of a stream after a time.
    pub first_after: SqlStr,
    /// Reads the heads of buckets, and the entries at some earlier marks, in one snapshot.
    pub heads: Forms,
    /// The same from the own shards of nodes.
    pub heads_of: HeadsOf,
    /// The digests of entries by their streams and positions.
    pub digests: SqlStr,
    /// The digests and times of entries by their buckets and positions there.
    pub at_marks: SqlStr,
    /// Announces that a process writes.
    pub announce: SqlStr,
    /// Reads the other writing processes.
    pub writers: SqlStr,
    /// Withdraws the announcement of a process.
    pub withdraw: SqlStr,
    /// Those about terms.
    pub terms: OfTerms,
}

/// Every statement about terms.
pub(crate) struct OfTerms {
    /// The server that answers, and the timeline that it writes.
    pub server: SqlStr,
    /// The states in which servers were seen.
    pub known_servers: SqlStr,
    /// Adds such a state, in the last term.
    pub note_server: SqlStr,
    /// The last term.
    pub last: SqlStr,
    /// All terms, newest first.
    pub all: SqlStr,
    /// Adds a term, unless another process has added one after the same term.
    pub begin: SqlStr,
}

/// The statements that read the heads of a node's own shards, by its buckets.
#[derive(Default)]
pub(crate) struct HeadsOf(Mutex<HashMap<Vec<Bucket>, SqlStr>>);

impl HeadsOf {
    pub(crate) fn get(&self, buckets: &[Bucket]) -> Option<SqlStr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(buckets).cloned()
    }

    pub(crate) fn set(&self, buckets: &[Bucket], statement: SqlStr) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(buckets.to_vec(), statement);
    }

    pub(crate) fn remove(&self, buckets: &[Bucket]) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(buckets);
    }
}

/// The columns of an entry.
const COLUMNS: &str = "position, bucket_position, request_id, create_time, body, digest";

/// The rows of an insert, from arrays of their columns.
const ROWS: &str = "* from unnest($1::smallint[], $2::uuid[], $3::int8[], $4::text[], $5::timestamptz[], $6::bytea[], $7::int8[], $8::bytea[])";
/// The one row of an insert, from the same arrays.
const ROW: &str = "($1::smallint[])[1], ($2::uuid[])[1], ($3::int8[])[1], ($4::text[])[1], ($5::timestamptz[])[1], ($6::bytea[])[1], ($7::int8[])[1], ($8::bytea[])[1]";

impl Tables {
    /// Writes if the condition holds. A subquery of it is evaluated once, before the first row, and
    /// so all rows are written or none.
    fn insert(&self, rows: &str, condition: &str) -> String {
        let Self { entries, stream, .. } = self;
        format!(
            "insert into {entries}
                 (bucket, {stream}, position, request_id, create_time, body, bucket_position, digest)
             select {rows}
             {condition}"
        )
    }

    /// The condition on one Postgres: the log has the marks, and the other premises hold, of which
    /// the first parameter is the given one.
    fn condition(&self, first: u8) -> String {
        let known = known(self.entries, ["$9::smallint[]", "$10::int8[]", "$11::bytea[]"]);
        self.all_known(&known, first)
    }

    /// The same for one mark.
    fn condition_of_one(&self, first: u8) -> String {
        let entries = self.entries;
        let known = format!(
            "select count(*)
             from {entries} as its
             where its.bucket = ($9::smallint[])[1]
                 and its.bucket_position = ($10::int8[])[1]
                 and coalesce(its.digest, '') = coalesce(($11::bytea[])[1], '')"
        );
        self.all_known(&known, first)
    }

    fn all_known(&self, known: &str, first: u8) -> String {
        let premises = self.premises(first);
        format!("where cardinality($9::smallint[]) = ({known}) {premises}")
    }

    /// Whether the database's clock is between the parameters `first` and the next one, if there
    /// are any, and the rights after them hold, if there are any: those of the third parameter, if
    /// any has ended since the transaction of the fourth.
    fn premises(&self, first: u8) -> String {
        let [next, rights, since] = [first + 1, first + 2, first + 3];
        let timely = format!(
            "and coalesce(
                 (select clock_timestamp()) between ${first}::timestamptz and ${next}::timestamptz, true
             )"
        );
        let Some(Rights { unchanged, hold }) = self.rights else {
            // The parameters need types.
            return format!("{timely} and (${rights}::text[] is null or ${since}::int8 is null)");
        };
        let unchanged = unchanged.replace("{since}", &format!("${since}::int8"));
        format!(
            "{timely} and case
                 when ${rights}::text[] is null then true
                 when {unchanged} then true
                 else (select {hold}(${rights}::text[]))
             end"
        )
    }

    /// The statement that also calls the companions, given by this parameter and the two after it.
    fn insert_with_companions(&self, condition: &str, first: u8) -> String {
        let Self { stream, companion, .. } = self;
        let (insert, companion) =
            (self.insert(ROWS, condition), companion.unwrap_or("there_is_no_companion"));
        let [next, last] = [first + 1, first + 2];
        format!(
            "with inserted as (
                 {insert}
                 returning {stream}, position, create_time
             ), done as materialized (
                 select {companion}({stream}, position, create_time, its.companion)
                 from unnest(${first}::uuid[], ${next}::int8[], ${last}::text[]) as its ({stream}, position, companion)
                 join inserted using ({stream}, position)
             )
             select 1
             from inserted
             cross join (select count(*) from done) as all_done"
        )
    }

    fn after(&self, bucket: &str) -> String {
        let Self { entries, stream, .. } = self;
        let header = self.header.unwrap_or("select null::bytea").replace("{bucket}", bucket);
        format!(
            "select asked.number, header.header, each.*
             from unnest($1::smallint[], $2::uuid[], $3::int8[], $4::int8[], $5::boolean[], $6::int8[])
                 as asked (bucket, stream, after, most, with_header, number)
             cross join lateral (
                 select case when asked.with_header then ({header}) end as header
                 offset 0
             ) as header
             cross join lateral (
                 select {COLUMNS}
                 from {entries} as its
                 where its.bucket = {bucket}
                     and its.{stream} = asked.stream
                     and its.position > asked.after
                 order by its.position
                 limit asked.most
             ) as each"
        )
    }

    /// `offset 0` makes the planner read each window by its index.
    fn windows(&self, bucket: &str) -> String {
        let Self { entries, stream, .. } = self;
        format!(
            "select each.*
             from unnest($1::smallint[], $2::int8[], $3::int8[]) as w (bucket, after, until)
             cross join lateral (
                 select its.{stream} as stream, {COLUMNS}
                 from {entries} as its
                 where its.bucket = {bucket}
                     and its.bucket_position > w.after
                     and its.bucket_position <= w.until
                 order by its.bucket_position
                 offset 0
             ) as each"
        )
    }

    fn heads(&self, bucket: &str) -> String {
        heads(self.entries, &format!("{} as its", self.buckets), bucket)
    }

    /// [`Statements::known`] of a server that has these shards, and whether it still has them.
    pub(crate) fn known_of(&self, shards: &OwnShards) -> SqlStr {
        let rows = format!("({})", shards.rows("bucket, bucket_position, digest"));
        // As a subquery an array has no length that would be reason to plan for it.
        let arrays = ["(select $1::smallint[])", "(select $2::int8[])", "(select $3::bytea[])"];
        let known = known(&rows, arrays);
        sql(format!("select ({known}), {}", shards.are_here()))
    }

    /// [`Statements::heads`] of a server that has these shards, and whether it still has them:
    /// without a head, in a row without a bucket.
    pub(crate) fn heads_of(&self, shards: &OwnShards) -> SqlStr {
        let heads = shards.each().map(|(entries, buckets)| {
            let buckets: Vec<String> =
                buckets.iter().map(|&it| i16::from(it).to_string()).collect();
            let buckets =
                format!("unnest('{{{}}}'::smallint[]) as its (bucket)", buckets.join(","));
            heads(&entries, &buckets, "its.bucket")
        });
        let heads = heads.collect::<Vec<_>>().join(" union all ");
        sql(format!(
            "select each.*, here.is_here
             from (select {} as is_here) as here
             left join ({heads}) as each on true",
            shards.are_here()
        ))
    }
}

/// A query that counts those of these marks that the entries have.
fn known(entries: &str, [buckets, positions, digests]: [&str; 3]) -> String {
    format!(
        "select count(*)
         from unnest({buckets}, {positions}, {digests})
             as known (bucket, position, digest)
         join {entries} as its
             on its.bucket = known.bucket
             and its.bucket_position = known.position
             and coalesce(its.digest, '') = coalesce(known.digest, '')"
    )
}

fn heads(entries: &str, buckets: &str, bucket: &str) -> String {
    format!(
        "select its.bucket, head.bucket_position, head.digest,
             there.is_there is not null as is_there, there.digest as digest_there
         from {buckets}
         cross join lateral (
             select entry.bucket_position, entry.digest
             from {entries} as entry
             where entry.bucket = {bucket}
             order by entry.bucket_position desc
             limit 1
         ) as head
         left join lateral (
             select true as is_there, entry.digest
             from {entries} as entry
             where entry.bucket = {bucket}
                 and entry.bucket_position = ($2::int8[])[array_position($1::smallint[], its.bucket)]
             limit 1
         ) as there on true
         where its.bucket = any ($1)"
    )
}

impl Statements {
    pub(crate) fn of(tables: &Tables) -> Self {
        let Tables { entries, stream, writers, .. } = tables;
        let hold = tables.rights.map_or("there_are_no_rights", |it| it.hold);
        let forms = |text: &dyn Fn(&str) -> String, any: &str, one: &str| Forms {
            any: sql(text(any)),
            one: sql(text(one)),
        };
        Self {
            insert: Forms {
                any: sql(tables.insert(ROWS, &tables.condition(12))),
                one: sql(tables.insert(ROWS, "")),
            },
            insert_one: sql(tables.insert(ROW, &tables.condition_of_one(12))),
            insert_with_companions: Forms {
                any: sql(tables.insert_with_companions(&tables.condition(15), 12)),
                one: sql(tables.insert_with_companions("", 9)),
            },
            known: sql(format!(
                "{} where its.bucket = any($4::smallint[])",
                known(entries, ["$1::smallint[]", "$2::int8[]", "$3::bytea[]"])
            )),
            hold: sql(format!(
                "select {hold}(array[given])
                 from unnest($1::text[]) with ordinality as its (given, number)
                 order by number"
            )),
            find: forms(
                &|routed| {
                    format!(
                        "select its.{stream} as stream, its.position, its.request_id,
                             its.create_time, its.body, its.digest
                         from unnest($1::smallint[], $2::uuid[], $3::int8[]) as asked (bucket, {stream}, position)
                         join {entries} as its using (bucket, {stream}, position)
                         {routed}"
                    )
                },
                "",
                "where its.bucket = any($1)",
            ),
            after: forms(&|bucket| tables.after(bucket), "asked.bucket", "$7"),
            windows: forms(&|bucket| tables.windows(bucket), "w.bucket", "$4"),
            tail: sql(format!(
                "select max(position) from {entries} where bucket = $1 and {stream} = $2"
            )),
            last_within: sql(format!(
                "select max(position)
                 from {entries}
                 where bucket = $1 and {stream} = $2 and bucket_position <= $3"
            )),
            first_after: sql(format!(
                "select position, create_time
                 from {entries}
                 where bucket = $1 and {stream} = $2 and create_time > $3 and position > $4
                 order by position
                 limit 1"
            )),
            // One Postgres looks up buckets by number; with several, the statement must name the
            // buckets of each.
            heads: forms(
                &|bucket| tables.heads(bucket),
                "its.bucket",
                "its.bucket and entry.bucket = any ($1)",
            ),
            heads_of: HeadsOf::default(),
            digests: sql(format!(
                "select its.{stream}, its.digest
                 from unnest($1::smallint[], $2::uuid[], $3::int8[]) as asked (bucket, {stream}, position)
                 join {entries} as its using (bucket, {stream}, position)
                 where its.bucket = any($1)"
            )),
            at_marks: sql(format!(
                "select its.bucket, its.bucket_position, its.digest, its.create_time
                 from unnest($1::smallint[], $2::int8[]) as asked (bucket, position)
                 join {entries} as its
                     on its.bucket = asked.bucket and its.bucket_position = asked.position
                 where its.bucket = any($1)"
            )),
            announce: sql(format!(
                "insert into {writers} (process, protocol, address, key, seen_time)
                 values ($1, $2, $3, $4, now())
                 on conflict (process) do update set seen_time = excluded.seen_time"
            )),
            writers: sql(format!(
                "select process, address, key
                 from {writers}
                 where protocol = $1
                     and process <> $2
                     and seen_time > now() - make_interval(secs => $3)"
            )),
            withdraw: sql(format!(
                "delete from {writers}
                 where process = $1 or seen_time < now() - make_interval(secs => $2)"
            )),
            terms: OfTerms::of(tables),
        }
    }

    /// All of them, for a test of the nodes on which they run.
    pub(crate) fn all(&self) -> Vec<&str> {
        let Self { insert, insert_with_companions, find, after, windows, heads, .. } = self;
        let forms = [insert, insert_with_companions, find, after, windows, heads];
        let single = [
            &self.insert_one,
            &self.tail,
            &self.last_within,
            &self.first_after,
            &self.digests,
            &self.at_marks,
            &self.announce,
            &self.writers,
            &self.withdraw,
            &self.terms.server,
            &self.terms.known_servers,
            &self.terms.note_server,
            &self.terms.last,
            &self.terms.all,
            &self.terms.begin,
            &self.hold,
            &self.known,
        ];
        let forms = forms.into_iter().flat_map(|it| [&it.any, &it.one]);
        forms.chain(single).map(SqlStr::as_str).collect()
    }
}

impl OfTerms {
    fn of(tables: &Tables) -> Self {
        let Tables { terms, servers, .. } = tables;
        Self {
            // The name of a file of the write-ahead log begins with the timeline; the timeline of
            // the last checkpoint is an earlier one for a while after a promotion.
            server: sql("select system_identifier,
                     case when not pg_is_in_recovery() then (
                         'x' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
                     )::bit(32)::int8 end as timeline
                 from pg_control_system()"
                .to_owned()),
            known_servers: sql(format!(
                "select system_identifier, timeline from {servers} where bucket = 0"
            )),
            note_server: sql(format!(
                "insert into {servers} (system_identifier, timeline, term)
                 values ($1, $2, $3)"
            )),
            last: sql(format!("select max(term) from {terms} where bucket = 0")),
            all: sql(format!(
                "select term, previous, reason, begin_time, shared, void_since
                 from {terms}
                 where bucket = 0
                 order by term desc"
            )),
            begin: sql(format!(
                "insert into {terms} (term, previous, reason, shared, void_since)
                 values (
                     greatest($1::int8 + 1, $2::int8 + 1, extract(epoch from now())::int8),
                     $1, $3, $4, $5
                 )"
            )),
        }
    }
}

/// Safe, because the names are the program's own.
fn sql(text: String) -> SqlStr {
    AssertSqlSafe(text).into_sql_str()
}
