//! Drafts that the database rejects: each costs nobody but its caller.

use std::time::Duration;

use event_log::{Append, AppendError, Draft, Options, Premise, Right, Rights, Tables, append};
use futures::future::join_all;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor};
use test_database::TestDatabase;

use crate::installation::{Installation, TABLES};
use crate::peers::Pair;
use crate::playing::{Writer, draft, new_stream};

const WITH_BOTH: Tables = Tables {
    companion: Some("note"),
    rights: Some(Rights { unchanged: "{since} < 0", hold: "rights_hold" }),
    ..TABLES
};

/// A companion that does with a text what its name says. Its calls are counted, also those that are
/// rolled back.
const OWN: &str = "
    create sequence calls;
    create table parents (id text primary key);
    create table notes (
        note   text not null unique check (note <> 'constraint'),
        parent text references parents,
        short  varchar(9)
    );
    insert into notes values ('duplicate');
    create function note(stream uuid, its_position int8, create_time timestamptz, its text)
        returns void language plpgsql volatile as $$
        begin
            perform nextval('calls');
            case split_part(its, ' ', 1)
                when 'constraint', 'duplicate' then insert into notes values (its);
                when 'parent' then insert into notes values (its, 'nobody');
                when 'null' then insert into notes values (null);
                when 'long' then insert into notes values (its, null, 'much too long');
                when 'index' then
                    insert into notes select string_agg(md5(n::text), '') from generate_series(1, 999) as n;
                when 'encoding' then perform convert_from('\\xff', 'UTF8');
                when 'number' then perform its::int;
                when 'document' then perform its::jsonb;
                when 'division' then perform 1 / (its_position - its_position);
                when 'function' then perform nothing_of_this_name();
                when 'table' then perform from nothing_of_this_name;
                when 'recursion' then perform note(stream, its_position, create_time, its);
                when 'raise' then raise using message = 'planted', errcode = split_part(its, ' ', 2);
                else null;
            end case;
        end $$;
    create function rights_hold(rights text[]) returns boolean
        language plpgsql stable strict as $$
        begin
            return (select bool_and(its::int > 0) from unnest(rights) as its);
        end $$";

/// What fails for what it says.
const REJECTED: [&str; 19] = [
    "constraint",
    "duplicate",
    "parent",
    "null",
    "long",
    "index",
    "encoding",
    "number",
    "document",
    "division",
    "function",
    "table",
    "recursion",
    "raise P0001",
    "raise XX000",
    "raise XX001",
    "raise 0A000",
    "raise 42501",
    "raise 54000",
];

/// What the database gives up, and might do when it is repeated.
const GIVEN_UP: [&str; 5] =
    ["raise 40001", "raise 40P01", "raise 55P03", "raise 53200", "raise 57014"];

/// The drafts of a batch beside the rejected one.
const OTHERS: usize = 60;

async fn installation() -> Installation {
    let database = TestDatabase::shared().await;
    database.connect().await.execute(AssertSqlSafe(OWN)).await.expect("its own tables");
    Installation::with(database, Options::new(WITH_BOTH)).await
}

fn with(companion: &str) -> Draft {
    Draft { companion: Some(companion.into()), ..draft(new_stream(), 1, companion) }
}

/// Appends all drafts, all but the first few in one batch.
async fn append_together(
    installation: &Installation,
    writer: &Writer,
    drafts: Vec<Draft>,
) -> Vec<Result<Append, AppendError>> {
    let stalled = installation.stall().await;
    let appending: Vec<_> = (drafts.into_iter())
        .map(|draft| {
            let handle = writer.handle.clone();
            tokio::spawn(async move { handle.append(draft).await })
        })
        .collect();
    // On this thread all are queued before it continues.
    tokio::task::yield_now().await;
    stalled.close().await.expect("it closes");
    join_all(appending).await.into_iter().map(|it| it.expect("no panic")).collect()
}

/// A batch of good drafts, half of them with companions, with this one in the middle.
fn among_others(bad: Draft) -> Vec<Draft> {
    let mut drafts: Vec<Draft> = (0..OTHERS)
        .map(|n| if n % 2 == 0 { with("fine") } else { draft(new_stream(), 1, "plain") })
        .collect();
    drafts.insert(OTHERS / 2, bad);
    drafts
}

/// A writer that waits long: many drafts are tried one by one.
fn patient(installation: &Installation) -> Writer {
    let append_wait = Duration::from_secs(60);
    installation.writer(append::Options { append_wait, ..Default::default() })
}

/// Every one of these drafts has this outcome, and the others of its batch are recorded.
async fn check(drafts: impl IntoIterator<Item = (String, Draft)>, outcome: AppendError) {
    let installation = installation().await;
    let writer = patient(&installation);
    let mut recorded = 0;
    for (name, bad) in drafts {
        let answers = append_together(&installation, &writer, among_others(bad)).await;
        for (n, answer) in answers.into_iter().enumerate() {
            let expected = if n == OTHERS / 2 { Err(outcome) } else { Ok(Append::Recorded) };
            assert_eq!(answer, expected, "{name}: draft {n}");
        }
        recorded += OTHERS;
        assert_eq!(installation.all_entries().await.len(), recorded, "{name}");
    }
}

#[tokio::test]
async fn a_draft_that_the_database_rejects_is_refused_and_the_others_are_written() {
    let time = time::Date::MIN.midnight().assume_utc();
    let right = Right { text: "no number".into(), since: 0 };
    let others = [
        ("time".to_owned(), Draft { create_time: time, ..draft(new_stream(), 1, "x") }),
        (
            "right".to_owned(),
            Draft { premise: Premise { decided: None, right: Some(right) }, ..with("fine") },
        ),
    ];
    let companions = REJECTED.map(|it| (it.to_owned(), with(it)));
    check(companions.into_iter().chain(others), AppendError::Refused).await;
}

#[tokio::test]
async fn a_draft_that_the_database_gives_up_again_and_again_is_refused_for_now() {
    check(GIVEN_UP.map(|it| (it.to_owned(), with(it))), AppendError::Busy).await;
}

#[tokio::test]
async fn a_rejected_draft_is_found_with_few_statements() {
    let installation = installation().await;
    let writer = installation.writer(append::Options::default());
    let mut drafts: Vec<Draft> = (0..OTHERS).map(|_| draft(new_stream(), 1, "plain")).collect();
    drafts.insert(OTHERS / 2, with("constraint"));
    append_together(&installation, &writer, drafts).await;
    let mut connection = installation.database.connect().await.expect("it connects");
    let calls: i64 = sqlx::query_scalar("select last_value from calls")
        .fetch_one(&mut connection)
        .await
        .expect("a number");
    // The batch, its halves, and the draft alone once more.
    let most = i64::from(OTHERS.ilog2()) + 3;
    assert!(calls <= most, "{calls} attempts");
    assert_eq!(writer.handle.statistics().refused, 1);
}

#[tokio::test]
async fn any_number_of_rejected_drafts_is_found() {
    let installation = installation().await;
    let writer = patient(&installation);
    for every in [1, 2, 7] {
        let drafts = (0..60)
            .map(|n| with(if n % every == 0 { "constraint" } else { "fine" }))
            .collect::<Vec<_>>();
        let answers = append_together(&installation, &writer, drafts).await;
        for (n, answer) in answers.into_iter().enumerate() {
            let is_bad = n % every == 0;
            let expected = if is_bad { Err(AppendError::Refused) } else { Ok(Append::Recorded) };
            assert_eq!(answer, expected, "every {every}: draft {n}");
        }
    }
}

#[tokio::test]
async fn a_draft_decided_on_a_refused_one_is_a_conflict() {
    let installation = installation().await;
    let writer = installation.writer(append::Options::default());
    let stream = new_stream();
    let drafts = vec![
        draft(new_stream(), 1, "plug"),
        draft(stream, 1, "a"),
        Draft { companion: Some("constraint".into()), ..draft(stream, 2, "b") },
        draft(stream, 3, "c"),
        draft(new_stream(), 1, "other"),
    ];
    let answers = append_together(&installation, &writer, drafts).await;
    let recorded = Ok(Append::Recorded);
    let refused = Err(AppendError::Refused);
    assert_eq!(answers, [recorded, recorded, refused, Ok(Append::Conflict), recorded]);
    // Another one may have the position.
    assert_eq!(writer.handle.append(draft(stream, 2, "d")).await, recorded);
}

#[tokio::test]
async fn a_change_by_another_that_makes_a_draft_fail_once_refuses_nothing() {
    let installation = installation().await;
    let writer = installation.writer(append::Options::default());
    let mut other = installation.database.connect().await.expect("it connects");
    let own = "
        create or replace function note(stream uuid, its_position int8, create_time timestamptz, its text)
            returns void language plpgsql volatile as $$
            begin
                if nextval('calls') = 1 then
                    insert into notes values ('duplicate');
                end if;
            end $$";
    other.execute(AssertSqlSafe(own)).await.expect("another companion");
    assert_eq!(writer.handle.append(with("number")).await, Ok(Append::Recorded));
}

#[tokio::test]
async fn a_rejected_draft_of_an_attempt_without_an_answer_may_be_recorded() {
    let installation = installation().await;
    let writer = installation.writer(append::Options::default());
    // Its connection is open from now on.
    let first = writer.handle.append(draft(new_stream(), 1, "first")).await;
    assert_eq!(first, Ok(Append::Recorded));
    let stalled = installation.stall().await;
    let (handle, bad) = (writer.handle.clone(), with("constraint"));
    let appending = tokio::spawn(async move { handle.append(bad).await });
    let mut watching = installation.database.connect().await.expect("it connects");
    let is_waiting = "select exists (
        select 1
        from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
            and query ilike '%insert into entries%' and pid <> pg_backend_pid()
    )";
    let mut waits = async || -> bool {
        let asked = sqlx::query_scalar(is_waiting).fetch_one(&mut watching);
        asked.await.expect("an answer")
    };
    while !waits().await {
        tokio::task::yield_now().await;
    }
    installation.cut_writers().await;
    stalled.close().await.expect("it closes");
    assert_eq!(appending.await.expect("no panic"), Err(AppendError::Unknown));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_peer_tells_that_a_draft_was_refused() {
    let installation = installation().await;
    let Pair { passes_on, .. } = Pair::of(&installation).await;
    let forwarded = passes_on.handle.statistics().forwarded;
    let append = async |companion| passes_on.handle.append(with(companion)).await;
    assert_eq!(append("constraint").await, Err(AppendError::Refused));
    assert_eq!(append("raise 40001").await, Err(AppendError::Busy));
    assert_eq!(append("fine").await, Ok(Append::Recorded));
    assert_eq!(passes_on.handle.statistics().forwarded, forwarded + 3);
}
