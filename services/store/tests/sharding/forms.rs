//! Both forms of the statements about several buckets give the same answers.

use crate::play::{draft, new_match};
use store::{
    Append, Bucket, Digest, Heads, MatchId, Node, Options, Position, Scope, Store, SubscriptionRow,
    Tags, Window, append,
};
use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

const MATCHES: u128 = 6;
const ENTRIES: i64 = 3;

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_at_a_time_gives_what_all_at_once_give() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = postgres_server::Options::new("forms");
    let postgres = postgres_server::Postgres::start(folder.path().join("postgres"), options);
    let postgres = postgres.await.expect("it starts");
    let one = Store::connect(Options::new(postgres.options())).await.expect("it connects");
    one.migrate().await.expect("it migrates");
    let many = Store::connect(Options::new(postgres.options())).await.expect("it connects");
    many.assume_sharded(Node::several(3));
    one.create_platform("acme", OffsetDateTime::now_utc()).await.expect("a platform");
    let ids: Vec<MatchId> = (1..=MATCHES).map(|n| MatchId(Uuid::from_u128(n / 2))).collect();
    let ids: Vec<MatchId> = (0..)
        .zip(ids)
        .map(|(n, id)| {
            // Two matches in each bucket.
            MatchId(Uuid::from_u128(id.0.as_u128() | (n + 1) << 64))
        })
        .collect();
    play(&one, &ids).await;

    assert_eq!(one.find_all(&ids).await.unwrap(), many.find_all(&ids).await.unwrap());
    assert_eq!(one.find_all(&ids).await.unwrap().len(), ids.len());
    assert_eq!(one.tags(&ids).await.unwrap(), many.tags(&ids).await.unwrap());
    assert_eq!(one.tags(&ids).await.unwrap().len(), ids.len());
    assert_eq!(one.seeds(&ids).await.unwrap(), many.seeds(&ids).await.unwrap());
    assert_eq!(one.oldest("acme", None, 4).await.unwrap().len(), 4);
    assert_eq!(
        one.oldest("acme", None, 4).await.unwrap(),
        many.oldest("acme", None, 4).await.unwrap()
    );
    let windows: Vec<Window> =
        Bucket::all().map(|bucket| Window { bucket, after: 0, until: 9 }).collect();
    let entries = one.entries_in(&windows).await.unwrap();
    assert_eq!(entries.len(), ids.len() * ENTRIES as usize);
    assert_eq!(entries, many.entries_in(&windows).await.unwrap());
    let scope = Scope {
        platform: "acme".to_owned(),
        tags: Tags::from([("table".to_owned(), "1".to_owned())]),
        ..Scope::default()
    };
    let [of_one, of_many] = [
        one.entries_in_scope(&windows, &scope).await.unwrap(),
        many.entries_in_scope(&windows, &scope).await.unwrap(),
    ];
    assert_eq!(of_one.entries.len(), ENTRIES as usize);
    assert_eq!(format!("{of_one:?}"), format!("{of_many:?}"));
    for &id in &ids {
        let [of_one, of_many] = [
            one.entries_from(id, Position(2), 1).await.unwrap(),
            many.entries_from(id, Position(2), 1).await.unwrap(),
        ];
        assert_eq!((of_one.1.len(), of_one.0.is_some()), (1, true));
        assert_eq!((of_one.1, of_one.0.is_some()), (of_many.1, of_many.0.is_some()));
        for store in [&one, &many] {
            let loaded = store.load("acme", id).await.unwrap().expect("it is there");
            assert_eq!(loaded.row.last.map(|last| last.position), Some(Position(ENTRIES)));
            assert!(store.load("other", id).await.unwrap().is_none());
        }
    }
    let heads: Vec<(MatchId, Position)> = ids.iter().map(|&id| (id, Position(ENTRIES))).collect();
    assert_eq!(one.digests(&heads).await.unwrap(), many.digests(&heads).await.unwrap());
    assert_eq!(one.digests(&heads).await.unwrap().len(), ids.len());
    subscribe(&one, &many).await;
    one.close().await;
    many.close().await;
    postgres.stop().await;
}

/// Each store works on a subscription of its own, the same way.
async fn subscribe(one: &Store, many: &Store) {
    let heads = one.bucket_heads().await.unwrap();
    for (store, name) in [(one, "one"), (many, "many")] {
        let row = SubscriptionRow {
            platform: "acme".to_owned(),
            subscription: name.to_owned(),
            games: Vec::new(),
            verbs: Vec::new(),
            players: Vec::new(),
            tags: Tags::new(),
            is_whole: false,
            create_time: OffsetDateTime::now_utc(),
        };
        assert!(store.create_subscription(&row, &[0; 64], None).await.unwrap());
        let leased = async |consumer| {
            let leased = store.lease("acme", name, consumer).await.unwrap();
            leased.expect("it is known").len()
        };
        assert_eq!((leased("a").await, leased("b").await), (64, 0));
        assert_eq!((leased("a").await, leased("b").await), (32, 32));
        store.leave("acme", name, "b").await.unwrap();
        assert_eq!(leased("a").await, 64);
        let acknowledged = async || -> Heads {
            let names = [name.to_owned()];
            store.subscription_states("acme", &names).await.unwrap()[name].0
        };
        store.acknowledge("acme", name, &heads).await.unwrap();
        assert_eq!(acknowledged().await, store::positions(&heads));
        store.rewind("acme", name, &[1; 64]).await.unwrap();
        assert_eq!(acknowledged().await, store::positions(&heads).map(|it| it.min(1)));
        // An entry that the record does not have is not acknowledged.
        let lost = heads.map(|it| store::Mark::new(it.position, Some(Digest::from([9; 32]))));
        store.acknowledge("acme", name, &lost).await.unwrap();
        assert_eq!(acknowledged().await, store::positions(&heads).map(|it| it.min(1)));
        assert!(store.delete_subscription("acme", name).await.unwrap());
        assert!(!store.delete_subscription("acme", name).await.unwrap());
        assert!(store.lease("acme", name, "a").await.unwrap().is_none());
    }
}

async fn play(store: &Store, ids: &[MatchId]) {
    for (n, &match_id) in ids.iter().enumerate() {
        store.create(&new_match(match_id, n)).await.expect("it is created");
    }
    let (service, drain) =
        (append::Service::new(store, append::Options::default()), CancellationToken::new());
    let (handle, running) = (service.handle(), tokio::spawn(service.run(drain.clone())));
    for &match_id in ids {
        for position in 1..=ENTRIES {
            assert_eq!(handle.append(draft(match_id, position)).await, Ok(Append::Recorded));
        }
    }
    drain.cancel();
    running.await.expect("it ends");
}
