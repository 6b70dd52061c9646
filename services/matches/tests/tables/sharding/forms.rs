//! Both forms of the statements about several buckets give the same answers.

use crate::cancellation::subscription;
use crate::installation::Installation;
use crate::play::{draft, new_match};
use bytes::Bytes;
use database::{Node, Options};
use event_log::{Append, Window, append};
use keeping::retention::{Reduced, Retention};
use positions::{Bookmark, Bucket, Digest, Heads, Mark, Position, Term};
use rows::{KeptResult, MatchId, Tags};
use std::time::Duration;
use store::{Scope, SeekCreated, SeekRow, Store};
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
    let one = Installation::migrated(postgres.options()).await;
    let many = Installation::open(Options::new(postgres.options())).await;
    many.database().assume_sharded(Node::several(3));
    one.accounts.create_platform("acme", test_database::now()).await.expect("a platform");
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
    let entries = one.log().entries_in(&windows).await.unwrap();
    assert_eq!(entries.len(), ids.len() * ENTRIES as usize);
    assert_eq!(entries, many.log().entries_in(&windows).await.unwrap());
    let scope = Scope {
        platform: "acme".to_owned(),
        tags: Tags::from([("table".to_owned(), "1".to_owned())]),
        tells_seats: true,
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
            one.log().entries_from(id, Position(2), 1).await.unwrap(),
            many.log().entries_from(id, Position(2), 1).await.unwrap(),
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
    assert_eq!(one.log().digests(&heads).await.unwrap(), many.log().digests(&heads).await.unwrap());
    assert_eq!(one.log().digests(&heads).await.unwrap().len(), ids.len());
    assert_eq!(one.entries_of(&ids).await.unwrap(), many.entries_of(&ids).await.unwrap());
    assert_eq!(one.entries_of(&ids).await.unwrap().len(), ids.len());
    subscribe(&one, &many).await;
    seek(&one, &many).await;
    fall_due(&one, &many).await;
    reduce([&one, &many], &ids).await;
    one.close().await;
    many.close().await;
    postgres.stop().await;
}

/// Each store works on a subscription of its own, the same way.
async fn subscribe(one: &Installation, many: &Installation) {
    let heads = one.log().bucket_heads().await.unwrap();
    for (deliveries, name) in [(&one.deliveries, "one"), (&many.deliveries, "many")] {
        let row = subscription(name);
        assert!(deliveries.create_subscription(&row, &[0; 64], None).await.unwrap());
        let leased = async |consumer| {
            let leased = deliveries.lease("acme", name, consumer).await.unwrap();
            leased.expect("it is known").len()
        };
        assert_eq!((leased("a").await, leased("b").await), (64, 0));
        assert_eq!((leased("a").await, leased("b").await), (32, 32));
        deliveries.leave("acme", name, "b").await.unwrap();
        assert_eq!(leased("a").await, 64);
        let acknowledged = async || -> Heads {
            let names = [name.to_owned()];
            deliveries.subscription_states("acme", &names).await.unwrap()[name].0
        };
        let at = |term, marks| Bookmark::of_all(Term(term), marks);
        deliveries.acknowledge("acme", name, &at(1, heads)).await.unwrap();
        assert_eq!(acknowledged().await, positions::positions(&heads));
        // A cursor of a later term moves back what was acknowledged before it.
        let start = [Mark::default(); 64];
        deliveries.acknowledge("acme", name, &at(1, start)).await.unwrap();
        assert_eq!(acknowledged().await, positions::positions(&heads));
        deliveries.acknowledge("acme", name, &at(2, start)).await.unwrap();
        assert_eq!(acknowledged().await, [0; 64]);
        deliveries.acknowledge("acme", name, &at(2, heads)).await.unwrap();
        let mut leased = deliveries.lease("acme", name, "a").await.unwrap().expect("it is known");
        leased.sort_unstable_by_key(|it| it.bucket);
        let expected: Vec<_> = Bucket::all().map(|it| (heads[it.index()], Term(2))).collect();
        let found: Vec<_> = leased.iter().map(|it| (it.acknowledged, it.term)).collect();
        assert_eq!(found, expected, "with their digests");
        deliveries.rewind("acme", name, &[1; 64]).await.unwrap();
        assert_eq!(acknowledged().await, positions::positions(&heads).map(|it| it.min(1)));
        // An entry that the record does not have is not acknowledged.
        let lost = heads.map(|it| Mark::new(it.position, Some(Digest::from([9; 32]))));
        deliveries.acknowledge("acme", name, &at(2, lost)).await.unwrap();
        assert_eq!(acknowledged().await, positions::positions(&heads).map(|it| it.min(1)));
        assert!(deliveries.delete_subscription("acme", name).await.unwrap());
        assert!(!deliveries.delete_subscription("acme", name).await.unwrap());
        assert!(deliveries.lease("acme", name, "a").await.unwrap().is_none());
    }
}

/// Part of a large pool is read, and nothing of a pool with a single seek.
async fn seek(one: &Installation, many: &Installation) {
    let begin = test_database::now();
    for platform in ["brew", "core", "dune"] {
        one.accounts.create_platform(platform, begin).await.expect("a platform");
    }
    let pools = [("brew", 1, 4), ("core", 2, 2), ("core", 3, 3), ("dune", 4, 1), ("brew", 5, 2)];
    let mut seek_ids = (1..).map(Uuid::from_u128);
    for (platform, pool, count) in pools {
        for seek_id in seek_ids.by_ref().take(count) {
            let new = SeekRow {
                seek_id,
                platform: platform.to_owned(),
                player: seek_id.to_string(),
                display_name: None,
                game: "mountebank".to_owned(),
                seats: vec![2],
                options: "{}".to_owned(),
                rating: 0,
                distance: None,
                widening: 0,
                request: vec![1],
                request_id: None,
                create_time: begin + Duration::from_secs(seek_id.as_u128() as u64),
            };
            let created = one.create_seek(&new, &[pool; 32], None).await.expect("an answer");
            assert_eq!(created, SeekCreated::Created);
        }
    }
    let [of_one, of_many] =
        [one.waiting_seeks(3).await.unwrap(), many.waiting_seeks(3).await.unwrap()];
    let found: Vec<_> = of_one.iter().map(|it| (it.pool[0], it.row.seek_id.as_u128())).collect();
    // Each platform's first pool, then each one's second.
    let expected =
        [(1, 1), (1, 2), (1, 3), (2, 5), (2, 6), (3, 7), (3, 8), (3, 9), (5, 11), (5, 12)];
    assert_eq!(found, expected);
    assert_eq!(of_one, of_many);
}

/// A platform with few matches gets its turns beside one with many matches in many buckets.
async fn fall_due(one: &Store, many: &Store) {
    let begin = OffsetDateTime::UNIX_EPOCH;
    let at = |minute: u64| begin + Duration::from_secs(60 * minute);
    sqlx::query(
        "insert into match_summaries
             (bucket, match_id, platform, game, create_time, start_time, update_time, position,
              round, turn, scores, deadline)
         select bucket_of(its.id), its.id, case when n <= 12 then 'brew' else 'core' end, 'game',
             $1, $1, $1 + n * interval '1 minute', 1, 1, 1, '{}', $1 + n * interval '1 minute'
         from generate_series(1, 20) as n,
             cast(lpad(to_hex(n), 16, '0') || lpad(to_hex(n % 7), 16, '0') as uuid) as its (id)",
    )
    .bind(begin)
    .execute(one.database().pool())
    .await
    .expect("summaries");
    let minutes = async |store: &Store, now, since, most, except: &[MatchId]| -> Vec<i64> {
        let due = store.due_matches(at(now), since, most, except).await.unwrap();
        due.iter().map(|it| (it.deadline - begin).whole_minutes()).collect()
    };
    let first = one.due_matches(at(1), None, 1, &[]).await.unwrap()[0].match_id;
    for (now, since, most, except, expected) in [
        (15, None, 5, vec![], vec![1, 13, 2, 14, 3]),
        (15, None, 5, vec![first], vec![2, 13, 3, 14, 4]),
        (2, None, 9, vec![], vec![1, 2]),
        (2, Some(at(5)), 9, vec![], vec![1, 2, 3, 4]),
        (0, None, 9, vec![], vec![]),
    ] {
        assert_eq!(minutes(one, now, since, most, &except).await, expected);
        assert_eq!(minutes(many, now, since, most, &except).await, expected);
    }
}

/// Each store reduces half of the matches, and both read all results.
async fn reduce(stores: [&Store; 2], ids: &[MatchId]) {
    let time = OffsetDateTime::UNIX_EPOCH;
    let results: Vec<KeptResult> = (ids.iter())
        .map(|&match_id| KeptResult {
            match_id,
            position: Position(ENTRIES),
            digest: Some(digest(match_id, ENTRIES)),
            start_time: time,
            end_time: time,
            table: Bytes::from_static(b"table"),
        })
        .collect();
    for (store, results) in stores.into_iter().zip(results.chunks(ids.len() / 2)) {
        let mut retention = Retention::on(store.database()).await.unwrap();
        let other = KeptResult { digest: None, ..results[0].clone() };
        assert_eq!(retention.reduce(&[other]).await.unwrap(), Reduced::default());
        let matches = results.len() as i64;
        let reduced = Reduced { matches, entries: matches * ENTRIES };
        assert_eq!(retention.reduce(results).await.unwrap(), reduced);
        assert_eq!(retention.reduce(results).await.unwrap(), Reduced::default());
        retention.close().await;
    }
    for store in stores {
        let kept = store.kept_results(ids).await.unwrap();
        assert!(results.iter().all(|it| kept[&it.match_id] == *it));
        assert!(store.seeds(ids).await.unwrap().is_empty());
        let entries = store.entries_of(ids).await.unwrap();
        assert!(entries.values().flatten().all(|it| it.is_stub()));
    }
}

async fn play(store: &Store, ids: &[MatchId]) {
    for (n, &match_id) in ids.iter().enumerate() {
        store.create(&new_match(match_id, n)).await.expect("it is created");
    }
    let (service, drain) =
        (append::Service::new(store.log(), append::Options::default()), CancellationToken::new());
    let (handle, running) = (service.handle(), tokio::spawn(service.run(drain.clone())));
    for &match_id in ids {
        for position in 1..=ENTRIES {
            assert_eq!(handle.append(draft(match_id, position)).await, Ok(Append::Recorded));
        }
    }
    drain.cancel();
    running.await.expect("it ends");
}

fn digest(match_id: MatchId, position: i64) -> Digest {
    Digest::from(*blake3::keyed_hash(&[position as u8; 32], match_id.0.as_bytes()).as_bytes())
}
