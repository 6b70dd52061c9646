//! Terms: a database that was promoted, restored or replaced.

use std::time::Duration;

use event_log::{
    Append, BUCKETS, Bucket, Claims, Digest, Draft, Epoch, Log, Mark, Term, append, follow,
};
use sqlx::{ConnectOptions, Executor};
use tokio::time::timeout;

use crate::installation::Installation;
use crate::playing::{Followed, Writer, digest, draft, new_stream, play};

/// From now on the server is in a state in which nobody has seen it, as after a promotion.
async fn change_server(installation: &Installation) {
    let mut connection = installation.database.connect().await.unwrap();
    connection.execute("update servers set timeline = timeline + 1000").await.unwrap();
}

async fn begun(installation: &Installation) -> i64 {
    let mut connection = installation.database.connect().await.unwrap();
    sqlx::query_scalar("select count(*) from terms").fetch_one(&mut connection).await.unwrap()
}

#[tokio::test]
async fn a_process_that_starts_on_a_changed_server_begins_a_term() {
    let installation = Installation::open().await;
    assert_eq!(installation.log.term(), Term::UNKNOWN);
    let first = installation.log.settle_term().await.unwrap();
    assert!(first.is_known());
    assert!(installation.log.raised_term().is_none(), "nothing can be void");
    assert_eq!(installation.another().await.settle_term().await.unwrap(), first);
    change_server(&installation).await;
    let restarted = installation.another().await;
    let second = restarted.settle_term().await.unwrap();
    assert!(second > first);
    assert_eq!(restarted.raised_term().map(|it| it.term), Some(second));
    assert_eq!(restarted.epoch(), Epoch::default(), "it has read nothing in an earlier one");
    assert_eq!(installation.log.settle_term().await.unwrap(), second);
    assert!(installation.log.epoch() > Epoch::default());
    for log in [&installation.log, &restarted] {
        assert_eq!(log.settle_term().await.unwrap(), second, "it begins once");
    }
    assert_eq!(begun(&installation).await, 2);
}

#[tokio::test]
async fn a_server_that_restarts_begins_no_term() {
    let installation = Installation::open_alone().await;
    let first = installation.log.settle_term().await.unwrap();
    let server = installation.server.postgres.pid().expect("it runs");
    let pid = rustix::process::Pid::from_raw(server).expect("a process id is not zero");
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).expect("it is a child");
    while installation.server.postgres.pid().is_none_or(|pid| pid == server) {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    installation.until_up().await;
    assert_eq!(installation.log.settle_term().await.unwrap(), first);
    assert_eq!(installation.another().await.settle_term().await.unwrap(), first);
}

#[tokio::test]
async fn a_server_in_a_state_that_was_seen_before_begins_no_term() {
    let installation = Installation::open().await;
    installation.log.settle_term().await.unwrap();
    change_server(&installation).await;
    let second = installation.log.settle_term().await.unwrap();
    // The state before, and the one after, are both known.
    let mut connection = installation.database.connect().await.unwrap();
    let seen: i64 = sqlx::query_scalar("select count(*) from servers")
        .fetch_one(&mut connection)
        .await
        .unwrap();
    assert_eq!(seen, 2);
    assert_eq!(installation.another().await.settle_term().await.unwrap(), second);
}

#[tokio::test]
async fn nothing_is_written_on_a_changed_server_before_a_term_begins() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let stream = new_stream();
    play(&installation.log, &writer.handle, stream, "a", 5).await;
    let first = installation.log.term();
    change_server(&installation).await;
    installation.cut_writers().await;
    let draft = Draft { epoch: installation.log.epoch(), ..draft(stream, 6, "x") };
    assert_eq!(writer.handle.append(draft).await, Ok(Append::Recorded));
    assert!(installation.log.term() > first);
    let last = installation.log.terms()[0].clone();
    assert_eq!(last.shared[Bucket::of(stream).index()], 5);
    let entries = installation.log.entries(stream, event_log::Position::START, 10).await.unwrap();
    let newest = entries[4].create_time;
    assert_eq!(last.void_since, Some(newest - Duration::from_secs(60)));
    let changed = installation.log.changed_since(first);
    assert_eq!((changed.shared, changed.void_since), (last.shared, last.void_since));
    let changed = installation.log.changed_since(last.term);
    assert_eq!(*changed.shared, [i64::MAX; BUCKETS]);
}

#[tokio::test]
async fn entries_that_are_gone_begin_one_term_in_all_processes() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let stream = new_stream();
    play(&installation.log, &writer.handle, stream, "a", 10).await;
    let other = installation.another().await;
    let poll_wait = Duration::from_millis(50);
    let _followed = Followed::by(&other, follow::Options { poll_wait }).await;
    let first = other.term();
    assert_eq!(first, installation.log.term());
    installation.lose_after(stream, 7).await;
    let mut epochs = other.epochs();
    timeout(Duration::from_secs(60), epochs.changed()).await.expect("it polls").unwrap();
    let second = other.term();
    assert!(second > first, "the term is there before the epoch");
    // Another process notices later.
    assert_eq!(writer.handle.append(draft(stream, 11, "x")).await, Ok(Append::Conflict));
    assert_eq!(installation.log.settle_term().await.unwrap(), second);
    assert_eq!(other.settle_term().await.unwrap(), second);
    assert_eq!(begun(&installation).await, 2);
    let shared = installation.log.terms()[0].shared[Bucket::of(stream).index()];
    assert!(shared <= 7, "{shared}");
}

#[tokio::test]
async fn a_term_that_a_client_proves_is_passed() {
    let installation = Installation::open().await;
    let first = installation.log.settle_term().await.unwrap();
    let told = Term(first.0 + 1000);
    installation.log.met_term(first);
    assert_eq!(installation.log.settle_term().await.unwrap(), first, "it is its own");
    installation.log.met_term(told);
    let second = installation.log.settle_term().await.unwrap();
    assert!(second > told);
    installation.log.met_term(told);
    assert_eq!(installation.log.settle_term().await.unwrap(), second);
}

/// The claims of a client that has read everything in a term.
async fn claims(log: &Log, term: Term) -> Claims {
    Claims { term, ..Claims::of_marks(&log.bucket_heads().await.unwrap()) }
}

#[tokio::test]
async fn after_a_restore_a_client_resumes_where_the_restored_record_ended() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let stream = new_stream();
    let bucket = Bucket::of(stream).index();
    play(&installation.log, &writer.handle, stream, "a", 10).await;
    let told = claims(&installation.log, installation.log.term()).await;
    let mut without_digests = told.clone();
    without_digests.marks.iter_mut().for_each(|(_, start)| *start = [0; 3]);
    installation.lose_after(stream, 7).await;
    change_server(&installation).await;
    // No process is left that has read anything.
    let restarted = installation.another().await;
    restarted.settle_term().await.unwrap();
    let writer = Writer::run(&restarted, append::Options::default());
    for position in 8..=11 {
        let other = |position: i64| Digest::from([position as u8; 32]);
        let before = if position == 8 { digest(stream, 7) } else { other(position - 1) };
        let draft = Draft {
            before: Some(before),
            digest: other(position),
            epoch: restarted.epoch(),
            ..draft(stream, position, "other")
        };
        assert_eq!(writer.handle.append(draft).await, Ok(Append::Recorded));
    }
    for claims in [told, without_digests] {
        let lost = restarted.check_claims(&claims).await.unwrap().unwrap_err();
        assert_eq!(lost.holds[bucket], Mark::new(7, Some(digest(stream, 7))));
    }
    assert_eq!(begun(&installation).await, 2, "a cursor of an earlier term proves nothing new");
}

#[tokio::test]
async fn a_cursor_that_does_not_fit_begins_a_term_if_none_has_begun_since() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    let stream = new_stream();
    play(&installation.log, &writer.handle, stream, "a", 10).await;
    let first = installation.log.term();
    let told = claims(&installation.log, first).await;
    let of_another_copy = Claims { term: Term(first.0 + 1_000_000), ..told.clone() };
    assert!(installation.log.check_claims(&of_another_copy).await.unwrap().is_ok());
    assert_eq!(begun(&installation).await, 1, "all that it was told is here");
    // The data folder was replaced by a copy, and every process was restarted.
    installation.lose_after(stream, 7).await;
    let restarted = installation.another().await;
    assert_eq!(restarted.settle_term().await.unwrap(), first);
    let lost = restarted.check_claims(&told).await.unwrap().unwrap_err();
    assert_eq!(lost.holds[Bucket::of(stream).index()].position, 0, "it is not known where");
    let second = restarted.term();
    assert!(second > first);
    assert!(restarted.check_claims(&told).await.unwrap().is_err());
    assert_eq!(restarted.term(), second, "it begins once");
    assert!(restarted.check_claims(&of_another_copy).await.unwrap().is_err());
    assert!(restarted.term() > of_another_copy.term);
}

#[tokio::test]
async fn the_follower_looks_as_soon_as_a_later_term_is_met() {
    let installation = Installation::open().await;
    let poll_wait = Duration::from_secs(3600);
    let _followed = Followed::by(&installation.log, follow::Options { poll_wait }).await;
    let told = Term(installation.log.term().0 + 1000);
    let mut epochs = installation.log.epochs();
    installation.log.met_term(told);
    timeout(Duration::from_secs(60), epochs.changed()).await.expect("it looks").unwrap();
    assert!(installation.log.term() > told);
}

#[tokio::test]
async fn an_operator_begins_a_term_of_which_nothing_is_known() {
    let installation = Installation::open().await;
    let writer = installation.writer(append::Options::default());
    play(&installation.log, &writer.handle, new_stream(), "a", 3).await;
    let first = installation.log.term();
    installation.another().await.raise_term(None).await.unwrap();
    let second = installation.log.settle_term().await.unwrap();
    assert!(second > first);
    let changed = installation.log.changed_since(first);
    assert_eq!((*changed.shared, changed.void_since), ([0; BUCKETS], None));
    assert!(installation.log.epoch() > Epoch::default());
    // Where the change shows by itself, more is known.
    change_server(&installation).await;
    installation.another().await.raise_term(None).await.unwrap();
    assert_eq!(begun(&installation).await, 3);
    let third = installation.log.settle_term().await.unwrap();
    assert_eq!(installation.log.terms()[0].term, third);
    assert!(installation.log.changed_since(second).void_since.is_some());
}
