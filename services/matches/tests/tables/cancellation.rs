//! Calls that are given up at any moment.

use crate::installation::Installation;
use crate::play::{draft, new_match};
use accounts::Credentials;
use bytes::Bytes;
use database::Options;
use deliveries::{Deliveries, SubscriptionRow};
use event_log::{Append, Draft, append};
use futures::future::join_all;
use positions::{BUCKETS, Bookmark, Mark, Term};
use rows::{MatchId, NewMatch, Tags};
use std::task::Poll;
use std::time::{Duration, Instant};
use store::{Created, Place, Seating};
use test_database::TestDatabase;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// A call may be given up at any moment. Its connection must not remain in a transaction, and a
/// write that is later acknowledged on it must not be lost.
#[tokio::test(flavor = "multi_thread")]
async fn calls_given_up_at_any_moment_lose_no_acknowledged_write() {
    let test = TestDatabase::shared().await;
    let installation = Installation::migrated(test.options.clone()).await;
    let Installation { store, accounts, deliveries } = &installation;
    let (writer, drain) =
        (append::Service::new(store.log(), append::Options::default()), CancellationToken::new());
    let (handle, writing) = (writer.handle(), tokio::spawn(writer.run(drain.clone())));
    let now = test_database::now();
    accounts.create_platform("acme", now).await.unwrap();
    deliveries.create_subscription(&subscription("shared"), &[0; BUCKETS], None).await.unwrap();
    let tagged = new_match_id();
    store.create(&open_match(tagged)).await.unwrap();
    let mut written = Vec::new();
    for round in 0..20 {
        // Each call is polled at most this often: enough for the longest to end.
        let giving_up = (0..24).map(async |polls| {
            let name = format!("{round}-{polls}");
            let tags = Tags::from([(format!("t{polls}"), name.clone())]);
            let removed = [format!("t{}", (polls + 12) % 24)];
            give_up(polls, deliveries.lease("acme", "shared", &name)).await;
            give_up(polls, store.tag(tagged, &removed, &tags)).await;
            give_up(polls, deliveries.leave("acme", "shared", &name)).await;
            give_up(polls, store.create(&open_match(new_match_id()))).await;
            give_up(polls, store.take_seat(tagged, (&name, None), Place::default(), now)).await;
            give_up(polls, deliveries.acknowledge("acme", "shared", &all_at(round))).await;
        });
        join_all(giving_up).await;
        let writing = (0..8).map(|nth| Written::write(&installation, &handle, round * 8 + nth));
        written.extend(join_all(writing).await);
        check_no_transaction(&test, &format!("in round {round}")).await;
    }
    drain.cancel();
    writing.await.unwrap();
    installation.close().await;
    let fresh = Installation::open(Options::new(test.options.clone())).await;
    for it in &written {
        it.check(&fresh).await;
    }
    // Nothing was half done either.
    let shared = acknowledged(&fresh.deliveries, "shared").await;
    assert!(shared.iter().all(|at| *at == shared[0]), "{shared:?}");
    assert!(fresh.tags(&[tagged]).await.unwrap()[&tagged].len() <= rows::TAGS_MAX);
}

/// No session stays in a transaction. One whose connection was closed may take a moment to end, and
/// one that is left waits much longer.
async fn check_no_transaction(test: &TestDatabase, when: &str) {
    let began = Instant::now();
    while test.idle_in_transaction().await > 0 {
        assert!(began.elapsed() < Duration::from_secs(20), "{when}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Polls a call `polls` times, and drops it if it has not ended by then.
async fn give_up<T>(polls: i64, call: impl Future<Output = T>) -> Option<T> {
    let mut call = std::pin::pin!(call);
    let mut left = polls;
    std::future::poll_fn(move |cx| {
        if left == 0 {
            return Poll::Ready(None);
        }
        left -= 1;
        match call.as_mut().poll(cx) {
            Poll::Pending if left == 0 => Poll::Ready(None),
            polled => polled.map(Some),
        }
    })
    .await
}

/// A write of each kind, all of them acknowledged.
struct Written {
    name: String,
    match_id: MatchId,
    key: [u8; 32],
}

impl Written {
    async fn write(installation: &Installation, writer: &append::Handle, nth: i64) -> Self {
        let Installation { store, accounts, deliveries } = installation;
        let (name, match_id) = (format!("w{nth}"), new_match_id());
        let now = test_database::now();
        let key = *blake3::hash(name.as_bytes()).as_bytes();
        let created = store.create(&open_match(match_id)).await.unwrap();
        assert_eq!(created, Created::Created);
        let seating = store
            .take_seat(
                match_id,
                (&name, None),
                Place { requested: Some(2), ..Place::default() },
                now,
            )
            .await
            .unwrap();
        assert!(matches!(seating, Seating::Taken(_)));
        store.tag(match_id, &[], &[("by".to_owned(), name.clone())].into()).await.unwrap();
        assert!(
            deliveries
                .create_subscription(&subscription(&name), &[0; BUCKETS], None)
                .await
                .unwrap()
        );
        let leased = deliveries.lease("acme", &name, "one").await.unwrap().unwrap();
        assert_eq!(leased.len(), BUCKETS);
        deliveries.acknowledge("acme", &name, &all_at(nth)).await.unwrap();
        for id in ["kept", "revoked"] {
            let id = format!("{name}-{id}");
            assert!(accounts.create_platform_key("acme", &id, &key, now).await.unwrap());
        }
        let revoked = format!("{name}-revoked");
        assert!(accounts.revoke_platform_key("acme", &revoked, now).await.unwrap());
        assert!(accounts.create_platform(&name, now).await.unwrap());
        let recorded =
            writer.append(Draft { body: name.clone().into(), ..draft(match_id, 1) }).await;
        assert_eq!(recorded, Ok(Append::Recorded));
        Self { name, match_id, key }
    }

    async fn check(&self, installation: &Installation) {
        let Installation { store, accounts, deliveries } = installation;
        let Self { name, match_id, key } = self;
        let row = store.find("acme", *match_id).await.unwrap();
        let row = row.unwrap_or_else(|| panic!("the match of {name} is lost"));
        let seated: Vec<_> = row.seated.iter().map(|it| (it.seat, it.player.as_str())).collect();
        assert_eq!(seated, [(2, name.as_str())]);
        assert_eq!(row.last.expect("an entry").body, Bytes::copy_from_slice(name.as_bytes()));
        let tags = store.tags(&[*match_id]).await.unwrap();
        assert_eq!(tags.get(match_id), Some(&[("by".to_owned(), name.clone())].into()));
        let found = deliveries.find_subscription("acme", name).await.unwrap();
        assert!(found.is_some(), "the subscription {name} is lost");
        let at: i64 = name[1..].parse().unwrap();
        assert_eq!(acknowledged(deliveries, name).await, [at; BUCKETS]);
        let keys = Credentials::new(accounts).read().await.unwrap().keys;
        let is_valid = |id: &str| {
            let found = keys.iter().find(|it| it.key_id == format!("{name}-{id}"));
            found.is_some_and(|it| it.hash == *key && !it.is_revoked)
        };
        assert!(is_valid("kept") && !is_valid("revoked"));
        assert!(!accounts.create_platform(name, test_database::now()).await.unwrap());
    }
}

fn all_at(position: i64) -> Bookmark {
    Bookmark::of_all(Term::UNKNOWN, [Mark::new(position, None); BUCKETS])
}

/// The acknowledged position of each bucket of a subscription.
async fn acknowledged(deliveries: &Deliveries, subscription: &str) -> positions::Heads {
    let mut states =
        deliveries.subscription_states("acme", &[subscription.to_owned()]).await.unwrap();
    states.remove(subscription).expect("it has a state").0
}

fn new_match_id() -> MatchId {
    MatchId(Uuid::new_v4())
}

/// A match without players and tags.
fn open_match(match_id: MatchId) -> NewMatch {
    NewMatch { seats: 4, players: Vec::new(), tags: Tags::new(), ..new_match(match_id, 0) }
}

/// A subscription of the platform `acme` to everything.
pub fn subscription(name: &str) -> SubscriptionRow {
    SubscriptionRow {
        platform: "acme".to_owned(),
        subscription: name.to_owned(),
        games: Vec::new(),
        verbs: Vec::new(),
        players: Vec::new(),
        tags: Tags::new(),
        happenings: Vec::new(),
        is_whole: false,
        create_time: test_database::now(),
    }
}
