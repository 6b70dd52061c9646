//! What must still hold when an entry is recorded: the time of its decision, and the right by which
//! it is recorded.

use std::time::{Duration, Instant};

use database::clock::Answer;
use database::{Clock, Reading};
use event_log::append::TIME_ERROR_MAX;
use event_log::{Append, Draft, Options, Premise, Right, Rights, Tables, append};
use futures::future::join_all;
use sqlx::{AssertSqlSafe, ConnectOptions, Executor};
use test_database::TestDatabase;

use crate::installation::{Installation, TABLES};
use crate::peers::Pair;
use crate::playing::{draft, new_stream};

/// What a process reads whose time is off by some seconds.
fn off_by(seconds: i64) -> Reading {
    let clock = Clock::new(None);
    let (at, time) = (Instant::now(), test_database::now() + time::Duration::seconds(seconds));
    clock.observe(Answer { asked: at, answered: at, time, machine: time });
    clock.reading().expect("it has just been told")
}

fn decided(seconds: i64) -> Premise {
    Premise { decided: Some(off_by(seconds)), ..Premise::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_recorded_under_a_time_that_the_database_contradicts() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    for (off, outcome) in [
        (0, Append::Recorded),
        (1, Append::Recorded),
        (-1, Append::Recorded),
        (30, Append::Untimely),
        (-30, Append::Untimely),
        (86_400, Append::Untimely),
        (-86_400, Append::Untimely),
    ] {
        let draft = Draft { premise: decided(off), ..draft(new_stream(), 1, "x") };
        assert_eq!(writer.handle.append(draft).await, Ok(outcome), "{off}");
    }
    assert_eq!(installation.all_entries().await.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draft_of_a_wrong_time_keeps_no_other_from_being_recorded() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let off = |n| if n % 10 == 3 { 3_600 } else { 0 };
    let drafts =
        (0..200).map(|n| Draft { premise: decided(off(n)), ..draft(new_stream(), 1, "x") });
    let outcomes = join_all(drafts.map(|it| writer.handle.append(it))).await;
    let count = |outcome| outcomes.iter().filter(|it| **it == Ok(outcome)).count();
    assert_eq!((count(Append::Recorded), count(Append::Untimely)), (180, 20));
    assert_eq!(installation.all_entries().await.len(), 180);
}

#[tokio::test(flavor = "multi_thread")]
async fn waiting_makes_no_time_wrong() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let late = Draft { premise: decided(0), ..draft(new_stream(), 1, "x") };
    tokio::time::sleep(TIME_ERROR_MAX + Duration::from_secs(1)).await;
    assert_eq!(writer.handle.append(late).await, Ok(Append::Recorded));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_peer_compares_the_time_too() {
    let installation = Installation::open().await;
    let Pair { passes_on, .. } = Pair::of(&installation).await;
    let forwarded = passes_on.handle.statistics().forwarded;
    for (off, outcome) in [(0, Append::Recorded), (60, Append::Untimely), (-60, Append::Untimely)] {
        let draft = Draft { premise: decided(off), ..draft(new_stream(), 1, "x") };
        assert_eq!(passes_on.handle.append(draft).await, Ok(outcome), "{off}");
    }
    assert_eq!(passes_on.handle.statistics().forwarded, forwarded + 3);
}

/// Rights are the names of those that have not ended.
const WITH_RIGHTS: Tables = Tables {
    rights: Some(Rights {
        unchanged: "coalesce((select max(number) from ended) < {since}, true)",
        hold: "rights_hold",
    }),
    ..TABLES
};

const OWN: &str = "
    create table ended (number int8, its_right text);
    create function rights_hold(rights text[])
        returns boolean language sql strict
        begin atomic
            select not exists (select 1 from ended where its_right = any (rights));
        end";

async fn with_rights() -> Installation {
    let database = TestDatabase::shared().await;
    database.connect().await.execute(AssertSqlSafe(OWN)).await.expect("its own tables");
    Installation::with(database, Options::new(WITH_RIGHTS)).await
}

/// A right that was checked up to a number.
fn by(text: &str, since: i64) -> Premise {
    Premise { right: Some(Right { text: text.into(), since }), ..Premise::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_recorded_by_a_right_that_has_ended() {
    let installation = with_rights().await;
    let writer = installation.writer(append::Options::default());
    let mut database = installation.database.connect().await.expect("it connects");
    let append = async |premise| {
        let draft = Draft { premise, ..draft(new_stream(), 1, "x") };
        writer.handle.append(draft).await.expect("an answer")
    };
    assert_eq!(append(by("one", 5)).await, Append::Recorded);
    let end = "insert into ended values (5, 'one')";
    database.execute(end).await.expect("it ends");
    assert_eq!(append(by("one", 5)).await, Append::RightEnded);
    assert_eq!(append(by("one", 0)).await, Append::RightEnded);
    assert_eq!(append(by("two", 5)).await, Append::Recorded, "another right");
    assert_eq!(append(Premise::default()).await, Append::Recorded);
    assert_eq!(installation.all_entries().await.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draft_by_an_ended_right_keeps_no_other_from_being_recorded() {
    let installation = with_rights().await;
    let writer = installation.writer(append::Options::default());
    let mut database = installation.database.connect().await.expect("it connects");
    database.execute("insert into ended values (1, 'gone')").await.expect("it ends");
    let premise =
        |n| if n % 10 == 3 { by("gone", 0) } else { by(&format!("r{n}"), i64::from(n % 2)) };
    let drafts = (0..200).map(|n| Draft { premise: premise(n), ..draft(new_stream(), 1, "x") });
    let outcomes = join_all(drafts.map(|it| writer.handle.append(it))).await;
    let count = |outcome| outcomes.iter().filter(|it| **it == Ok(outcome)).count();
    assert_eq!((count(Append::Recorded), count(Append::RightEnded)), (180, 20));
    assert_eq!(installation.all_entries().await.len(), 180);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_peer_checks_rights_too() {
    let installation = with_rights().await;
    let Pair { passes_on, .. } = Pair::of(&installation).await;
    let mut database = installation.database.connect().await.expect("it connects");
    database.execute("insert into ended values (1, 'gone')").await.expect("it ends");
    let forwarded = passes_on.handle.statistics().forwarded;
    for (right, outcome) in [("gone", Append::RightEnded), ("there", Append::Recorded)] {
        let draft = Draft { premise: by(right, 0), ..draft(new_stream(), 1, "x") };
        assert_eq!(passes_on.handle.append(draft).await, Ok(outcome), "{right}");
    }
    assert_eq!(passes_on.handle.statistics().forwarded, forwarded + 2);
}
