//! Forms of statements that a database of several nodes refuses, unless they name one bucket.

/// Whether a statement has a form.
type Finds = fn(&str) -> bool;

/// The refused forms of a statement with single spaces, each with its remedy, given the tables that
/// every node has as a whole.
pub fn refused(sql: &str, everywhere: &[String]) -> Vec<&'static str> {
    let forms: [(Finds, &str); 9] = [
        (locks_rows, "row locks over several shards: lock the rows of one bucket"),
        (limits_beside_function, "a lateral limit or offset beside a function: walk `buckets`"),
        (
            correlates_beside_function,
            "a correlated subquery beside a function: compare in the service",
        ),
        (has_set_operation, "a set operation in a subquery: count instead"),
        (joins_union, "a join of a table with a union of others: `exists (… offset 0)`"),
        (selects_nothing, "an empty select list: select 1"),
        (makes_buckets, "generated numbers of buckets: walk `buckets`"),
        (has_several, "several statements at once: one a round trip"),
        (forces_generic_plans, "a generic plan by force"),
    ];
    let found = forms.into_iter().filter(|(is, _)| is(sql)).map(|(_, why)| why);
    let joins = joins_elsewhere(sql, everywhere).then_some("a join that is not on the bucket");
    found.chain(joins).collect()
}

/// Whether an update calls a volatile function, which is refused even for one bucket. Inserts and
/// reads may call them.
pub fn changes_by_chance(sql: &str) -> bool {
    let changes = ["update ", "delete from "].into_iter().flat_map(|it| sql.match_indices(it));
    let is_volatile = |change: &str| {
        ["set_config(", "clock_timestamp(", "random("].iter().any(|it| change.contains(it))
    };
    changes.map(|(at, _)| inside(&sql[at..])).any(is_volatile)
}

/// The forms that are refused even for one bucket, each with its remedy, given the tables that
/// every node has as a whole.
pub fn refused_alone(sql: &str, everywhere: &[String]) -> Vec<&'static str> {
    let mut found = Vec::new();
    if chooses_by_time(sql) {
        found.push(
            "a volatile function in `case` or `coalesce` of a change: least(…), two statements",
        );
    }
    if returns_what_it_copied(sql, everywhere) {
        found.push("`returning` of an insert from the same table on every node: read first");
    }
    if adds_to_time_on_conflict(sql) {
        found.push("a sum of a time and an interval in a condition `on conflict`: pass the sum");
    }
    if takes_time_on_conflict(sql) {
        found.push("the time in a change `on conflict`: take `excluded`");
    }
    if inserts_beside_change(sql) {
        found.push("an insert from tables beside another change of rows: two statements");
    }
    if names_perhaps_no_bucket(sql) {
        found.push("a list of buckets that may be empty, which names every node: another list");
    }
    found
}

/// Whether an insert into a table of every node, to which the role that serves may only add, locks
/// the table: for `on conflict`, or for rows that are read.
pub fn locks_what_is_only_added_to(sql: &str, only_added: &[String]) -> bool {
    inserts_into(only_added, sql)
        .any(|(_, insert)| insert.contains(" on conflict ") || insert.contains("select "))
}

/// The inserts into these tables, each with its table.
fn inserts_into<'a>(
    tables: &'a [String],
    sql: &'a str,
) -> impl Iterator<Item = (&'a str, &'a str)> {
    let inserts = sql.match_indices("insert into ");
    let inserts = inserts.map(|(at, start)| inside(&sql[at + start.len()..]));
    inserts.filter_map(|insert| {
        let table = insert.split([' ', '(']).next().unwrap_or_default();
        tables.iter().any(|known| known == table).then_some((table, insert))
    })
}

/// Whether an update takes the time in a `case` or a `coalesce`.
fn chooses_by_time(sql: &str) -> bool {
    let changes = sql.match_indices("update ").map(|(at, _)| inside(&sql[at..]));
    let is_volatile =
        |part: &str| ["now()", "clock_timestamp()"].iter().any(|it| part.contains(it));
    let chooses = |change: &str| {
        let cases = change.split("case when ").skip(1);
        let cases = cases.map(|it| it.split(" end").next().unwrap_or(it));
        let others = change.split("coalesce(").skip(1).map(inside);
        cases.chain(others).any(is_volatile)
    };
    changes.filter(|it| it.contains(" set ")).any(chooses)
}

/// Whether a change `on conflict` takes the time.
fn takes_time_on_conflict(sql: &str) -> bool {
    let changes = sql.match_indices("do update ").map(|(at, _)| inside(&sql[at..]));
    changes.map(|it| it.split(" returning ").next().unwrap_or(it)).any(|it| it.contains("now()"))
}

/// Whether an insert into a table of every node reads that table and returns something.
fn returns_what_it_copied(sql: &str, everywhere: &[String]) -> bool {
    inserts_into(everywhere, sql).any(|(table, insert)| {
        insert.contains(&format!("from {table}")) && insert.contains(" returning ")
    })
}

/// Whether the condition of an `on conflict` adds an interval to a time.
fn adds_to_time_on_conflict(sql: &str) -> bool {
    let conditions = sql.split(" on conflict ").skip(1).map(inside);
    conditions.filter_map(|it| it.split_once(" where ")).any(|(_, it)| it.contains(" interval '"))
}

/// Whether rows are inserted from a table after a common table expression has deleted some.
fn inserts_beside_change(sql: &str) -> bool {
    let Some((name, rest)) = sql.split_once(" as ( delete from ") else { return false };
    let is_first = name.split(' ').count() == 2;
    let changed = inside(rest);
    let then = rest[changed.len()..].strip_prefix(") insert into ");
    is_first && changed.contains(" returning ") && then.is_some_and(|it| it.contains(" from "))
}

/// Whether the buckets are named by a list of which the statement asks how long it is. None of them
/// means a statement on every node, not on none.
fn names_perhaps_no_bucket(sql: &str) -> bool {
    let mut lists = sql.split("cardinality($").skip(1).filter_map(|it| it.split("::").next());
    lists.any(|number| sql.contains(&format!("bucket = any(${number})")))
}

fn locks_rows(sql: &str) -> bool {
    ["for update", "for key share", "for share", "for no key update"]
        .iter()
        .any(|lock| sql.contains(lock))
}

/// The parts of the `from` clauses that begin with a function.
fn beside_functions(sql: &str) -> impl Iterator<Item = &str> {
    ["from unnest(", "from generate_series("]
        .into_iter()
        .flat_map(move |it| sql.match_indices(it).map(move |(at, _)| &sql[at..]))
}

fn limits_beside_function(sql: &str) -> bool {
    beside_functions(sql).any(|from| {
        from.split("lateral (").skip(1).any(|lateral| {
            let inner = inside(lateral);
            inner.contains(" limit ") || inner.contains(" offset ")
        })
    })
}

fn correlates_beside_function(sql: &str) -> bool {
    // Of the list before the function, and of the condition after it.
    let before = sql
        .split_once(" from unnest(")
        .is_some_and(|(list, _)| list.starts_with("select ") && list.contains("exists (select"));
    let after = |from: &str| {
        let condition = from.split_once(" where ").map_or("", |(_, condition)| condition);
        condition.contains("exists (select") || condition.contains("= (select")
    };
    before || beside_functions(sql).any(|from| !from.contains(" join ") && after(inside_of(from)))
}

fn has_set_operation(sql: &str) -> bool {
    [" except ", " intersect "].iter().any(|it| sql.contains(it))
        || sql.split("exists (").skip(1).any(|it| inside(it).contains(" union "))
}

/// Whether a condition, of which Postgres makes a join, stands beside a union in `from`.
fn joins_union(sql: &str) -> bool {
    let unions = ["from ( select", "from (select", "join ( select", "join (select"];
    let has_union = |from: &str| sql.split(from).skip(1).any(|it| inside(it).contains(" union "));
    let joins = |condition: &str, how: &str| {
        sql.split(condition)
            .skip(1)
            .map(inside)
            .any(|it| it.contains(" from ") && !it.ends_with(how))
    };
    unions.into_iter().any(has_union)
        && (joins("exists (", " offset 0") || joins(" in (", " offset 0"))
}

fn selects_nothing(sql: &str) -> bool {
    sql.contains("select from ")
}

fn joins_elsewhere(sql: &str, everywhere: &[String]) -> bool {
    // A subquery's rows are of the outer row's bucket, which it names.
    let subqueries = sql.split("exists (select 1 from ").skip(1).map(inside);
    let joins = sql.split(" join ").skip(1).filter(|it| !it.starts_with("unnest("));
    let is_everywhere = |it: &str| everywhere.iter().any(|table| it.starts_with(&**table));
    let of_tables = joins.filter(|it| !it.starts_with("lateral") && !is_everywhere(it));
    let ends = |it: &&str| it.split(" join ").next().is_some_and(|it| !it.contains("bucket"));
    subqueries.filter(|it| it.contains(" where ")).any(|it| !it.contains("bucket"))
        || of_tables.collect::<Vec<_>>().iter().any(ends)
}

fn makes_buckets(sql: &str) -> bool {
    sql.contains("generate_series(0, 63)")
}

fn has_several(sql: &str) -> bool {
    sql.trim_end_matches(';').contains(';')
}

fn forces_generic_plans(sql: &str) -> bool {
    sql.contains("force_generic_plan")
}

/// The text up to the closing parenthesis of an open one.
fn inside(text: &str) -> &str {
    let mut depth = 0;
    let end = text.find(|it| {
        depth += match it {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth < 0
    });
    &text[..end.unwrap_or(text.len())]
}

/// The same for a part that begins within parentheses.
fn inside_of(text: &str) -> &str {
    inside(text)
}

#[test]
fn each_refused_form_is_found() {
    for (sql, why) in [
        (
            "select 1 from subscription_cursors where platform = $1 order by bucket for update",
            "row locks",
        ),
        (
            "select b, head.* from generate_series(1, 9) as b cross join lateral (select 1 from entries where entries.bucket = b limit 1) as head",
            "a lateral limit",
        ),
        (
            "select each.* from unnest($1) as w (bucket) cross join lateral (select 1 from entries where entries.bucket = w.bucket offset 0) as each",
            "a lateral limit",
        ),
        (
            "select exists (select 1 from entries where entries.bucket = draft.bucket) as has_predecessor from unnest($1) as draft (bucket)",
            "a correlated subquery",
        ),
        (
            "select number from unnest($1) as sought (bucket, number) where exists (select 1 from results where results.bucket = sought.bucket)",
            "a correlated subquery",
        ),
        (
            "select 1 from matches where not exists (select 1 from unnest($1) as asked except all select key from match_tags where match_tags.bucket = matches.bucket)",
            "a set operation",
        ),
        (
            "select 1 from (select bucket, match_id from seats union all select bucket, match_id from former_players) as of where exists (select 1 from seats where seats.bucket = of.bucket)",
            "a join of a table with a union",
        ),
        (
            "select 1 from matches where exists (select from seats where seats.bucket = matches.bucket)",
            "an empty select list",
        ),
        (
            "select 1 from leagues where exists (select 1 from results where results.platform = leagues.platform)",
            "a join that is not",
        ),
        (
            "select 1 from seats join matches on matches.match_id = seats.match_id",
            "a join that is not",
        ),
        (
            "insert into checkpoints (bucket) select bucket from generate_series(0, 63) as each (bucket)",
            "generated numbers",
        ),
        ("drop table a; create table a (b int)", "several statements"),
        ("set plan_cache_mode = force_generic_plan", "a generic plan"),
    ] {
        let found = refused(sql, &[]);
        assert!(found.iter().any(|it| it.starts_with(why)), "{why}: {sql}: {found:?}");
    }
    for sql in [
        "select its.bucket, head.* from buckets as its cross join lateral (select 1 from entries where entries.bucket = its.bucket limit 1) as head",
        "select 1 from seats join matches using (bucket, match_id) where platform = $1",
        "select 1 from bot_matches as its where exists (select 1 from seats where seats.bucket = its.bucket)",
        "select match_id from matches where platform = $1 order by create_time limit $2",
        "select 1 from (select bucket from seats union all select bucket from former_players) as of where exists (select 1 from seats where seats.bucket = of.bucket offset 0)",
    ] {
        assert_eq!(refused(sql, &[]), Vec::<&str>::new(), "{sql}");
    }
}

#[test]
fn each_form_that_is_refused_even_for_one_bucket_is_found() {
    let everywhere = ["token_keys".to_owned()];
    for (sql, why) in [
        (
            "update platforms set suspend_time = case when $3 then coalesce(suspend_time, now()) end where bucket = $1",
            "a volatile function",
        ),
        (
            "insert into token_keys (key_id) select max(key_id) + 1 from token_keys where bucket = 0 returning key_id",
            "`returning`",
        ),
        (
            "insert into presence (beat_time) values ($1) on conflict (bucket) do update set beat_time = excluded.beat_time where presence.beat_time > excluded.beat_time + $2 * interval '1 second'",
            "a sum of a time",
        ),
        (
            "insert into modules (hash) values ($1) on conflict (bucket, hash) do update set install_time = now()",
            "the time in a change",
        ),
        (
            "with removed as ( delete from match_tags where bucket = $1 returning key ) insert into match_tags (bucket) select bucket from matches cross join (select count(*) from removed) as before where bucket = $1",
            "an insert from tables",
        ),
        (
            "insert into entries (bucket) select * from unnest($1::smallint[]) where cardinality($9::smallint[]) = ( select count(*) from entries as its where its.bucket = any($9) )",
            "a list of buckets that may be empty",
        ),
    ] {
        let found = refused_alone(sql, &everywhere);
        assert!(found.iter().any(|it| it.starts_with(why)), "{why}: {sql}: {found:?}");
    }
    for sql in [
        "update platforms set suspend_time = least(suspend_time, now()) where bucket = $1",
        "insert into modules (hash, install_time) values ($1, now()) on conflict (bucket, hash) do update set install_time = excluded.install_time returning now()",
        "insert into token_keys (key_id) select coalesce(max(key_id), 0) + 1 from token_keys where bucket = 0 on conflict do nothing",
        "update seats set player = coalesce($2, player), create_time = now() where bucket = $1",
        "insert into entries (bucket) select * from unnest($1::smallint[]) where cardinality($9::smallint[]) = ( select count(*) from entries as its where its.bucket = any($1) )",
    ] {
        assert_eq!(refused_alone(sql, &everywhere), Vec::<&str>::new(), "{sql}");
    }
    for (sql, locks) in [
        ("insert into token_keys (key_id) values ($1)", false),
        ("insert into token_keys (key_id) values ($1) on conflict do nothing", true),
        ("insert into token_keys (key_id) select max(key_id) + 1 from token_keys", true),
        ("insert into seats (bucket) select bucket from unnest($1) as its (bucket)", false),
    ] {
        assert_eq!(locks_what_is_only_added_to(sql, &everywhere), locks, "{sql}");
    }
    let lazy = "(select set_config('synchronous_commit', 'off', true)) = 'off'";
    let change = "update webhooks set url = $2 where bucket = $1";
    assert!(changes_by_chance(&format!("{change} and {lazy}")));
    let changed = format!("with changed as ({change} returning 1) select 1 from changed");
    assert!(!changes_by_chance(&format!("{changed} where {lazy}")));
}
