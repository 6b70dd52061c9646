//! Matches: creating them, and taking their seats.

use std::collections::{BTreeMap, HashSet};

use database::{Database, Options};
use event_log::Log;
use futures::future::join_all;
use rows::{MatchId, NewMatch, Tags, Terms};
use store::{Created, Place, RECORD, Seating, Store};
use test_database::TestDatabase;
use uuid::Uuid;

/// An installation with an empty record.
struct Installation {
    store: Store,
    test: TestDatabase,
}

impl Installation {
    async fn open() -> Self {
        let test = TestDatabase::shared().await;
        let store = open(&test).await;
        schema::migrate(store.database()).await.unwrap();
        Self { store, test }
    }

    /// The store of another process of the same installation.
    async fn another(&self) -> Store {
        open(&self.test).await
    }
}

async fn open(test: &TestDatabase) -> Store {
    let database = Database::connect(Options::new(test.options.clone())).await.unwrap();
    Store::new(&Log::new(&database, event_log::Options::new(RECORD)))
}

fn new_match(platform: &str, match_id: MatchId) -> NewMatch {
    NewMatch {
        match_id,
        platform: platform.to_owned(),
        game: "mountebank".to_owned(),
        seats: 4,
        create_time: test_database::now(),
        terms: Terms {
            options: BTreeMap::from([("speed".to_owned(), "2".to_owned())]),
            seed_commitment: [8; 32],
            reveal_wait_s: Some(0),
            ..Terms::default()
        },
        players: Vec::new(),
        display_names: Vec::new(),
        contributions: Vec::new(),
        after_commitment: false,
        speech_keys: Vec::new(),
        tags: Tags::new(),
        display_name: None,
        request_digest: vec![1, 2, 3],
        seed: [7; 32],
    }
}

fn new_match_id() -> MatchId {
    MatchId(Uuid::new_v4())
}

/// The log's crate defines the log's tables.
#[test]
fn migrations_create_the_tables_of_the_log() {
    let first = include_str!("../../../migrations/0001_log.sql");
    assert!(first.starts_with(&RECORD.creation()));
    let terms = include_str!("../../../migrations/0009_terms.sql");
    assert!(terms.starts_with(&RECORD.creation_of_terms()));
}

#[tokio::test]
async fn a_match_is_created_once_and_found_by_its_own_platform_only() {
    let installation = Installation::open().await;
    let new = new_match("ours", new_match_id());
    assert_eq!(installation.store.create(&new).await.unwrap(), Created::Created);
    let Created::Repeated(row) =
        installation.store.create(&NewMatch { seed: [9; 32], ..new.clone() }).await.unwrap()
    else {
        panic!("the match exists already")
    };
    assert_eq!(
        (&row.request_digest, &row.game, &row.terms),
        (&new.request_digest, &new.game, &new.terms)
    );
    assert_eq!(installation.store.find("ours", new.match_id).await.unwrap(), Some(*row.clone()));
    assert_eq!(installation.store.find("theirs", new.match_id).await.unwrap(), None);
    assert_eq!(installation.store.find("ours", new_match_id()).await.unwrap(), None);
    // Concurrent loads share a query.
    let keys = [("ours", new.match_id), ("theirs", new.match_id), ("ours", new_match_id())];
    let loaded = join_all(keys.map(|(platform, it)| installation.store.load(platform, it))).await;
    let loaded: Vec<_> = loaded.into_iter().map(Result::unwrap).collect();
    let loaded = loaded.into_iter().map(|it| it.map(|it| (it.row, it.seed)));
    assert_eq!(loaded.collect::<Vec<_>>(), [Some((*row, Some(new.seed))), None, None]);
}

#[tokio::test]
async fn a_match_can_be_created_with_players() {
    let installation = Installation::open().await;
    let players = vec![Some("ann".to_owned()), None, Some("bob".to_owned())];
    let new = NewMatch { players, ..new_match("ours", new_match_id()) };
    installation.store.create(&new).await.unwrap();
    // A retry seats no player a second time.
    assert!(matches!(installation.store.create(&new).await.unwrap(), Created::Repeated(_)));
    let row = installation.store.find("ours", new.match_id).await.unwrap().unwrap();
    let seated: Vec<_> = row.seated.iter().map(|row| (row.seat, row.player.as_str())).collect();
    assert_eq!(seated, [(0, "ann"), (2, "bob")]);
    let cid = installation
        .store
        .take_seat(new.match_id, ("cid", None), Place::default(), new.create_time)
        .await
        .unwrap();
    assert!(matches!(cid, Seating::Taken(row) if row.seat == 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn players_competing_for_seats_each_get_one_or_learn_that_the_match_is_full() {
    let installation = Installation::open().await;
    let other = installation.another().await;
    let new = new_match("ours", new_match_id());
    installation.store.create(&new).await.unwrap();
    let players: Vec<_> = (0..12).map(|player| format!("player {player}")).collect();
    let take_seat = |store: &Store, player: &String| {
        let (store, player) = (store.clone(), player.clone());
        async move {
            store
                .take_seat(new.match_id, (&player, None), Place::default(), new.create_time)
                .await
                .unwrap()
        }
    };
    // Each player requests a seat twice, through different processes.
    let seatings =
        join_all(players.iter().flat_map(|player| {
            [take_seat(&installation.store, player), take_seat(&other, player)]
        }))
        .await;
    let taken = seatings.iter().filter(|seating| matches!(seating, Seating::Taken(_))).count();
    assert_eq!(taken, 4);
    let row = installation.store.find("ours", new.match_id).await.unwrap().unwrap();
    assert_eq!(row.seated.iter().map(|row| row.seat).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!(row.seated.iter().map(|row| &row.player).collect::<HashSet<_>>().len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn players_competing_for_a_display_name_sit_under_it_once() {
    let installation = Installation::open().await;
    let other = installation.another().await;
    for _ in 0..8 {
        let new = new_match("ours", new_match_id());
        installation.store.create(&new).await.unwrap();
        let seatings = join_all((0..6).map(|nth| {
            let store = if nth % 2 == 0 { &installation.store } else { &other };
            let (store, player) = (store.clone(), format!("u{nth}"));
            let name = if nth < 3 { "Ann" } else { "ANN" };
            async move {
                let named = (&player[..], Some(name));
                store
                    .take_seat(new.match_id, named, Place::default(), new.create_time)
                    .await
                    .unwrap()
            }
        }))
        .await;
        let taken = seatings.iter().filter(|it| matches!(it, Seating::Taken(_))).count();
        let refused = seatings.iter().filter(|it| **it == Seating::NameTaken).count();
        assert_eq!((taken, refused), (1, 5));
        let by_id = ("ann", None);
        let by_id =
            installation.store.take_seat(new.match_id, by_id, Place::default(), new.create_time);
        assert_eq!(by_id.await.unwrap(), Seating::NameTaken);
    }
}

#[tokio::test]
async fn a_refused_seat_has_a_reason() {
    let installation = Installation::open().await;
    let new = new_match("ours", new_match_id());
    installation.store.create(&new).await.unwrap();
    let take_seat = async |requested, player| {
        installation
            .store
            .take_seat(
                new.match_id,
                (player, None),
                Place { requested, request_id: Some("r"), ..Place::default() },
                new.create_time,
            )
            .await
            .unwrap()
    };
    let Seating::Taken(ann) = take_seat(Some(1), "ann").await else { panic!("the seat is open") };
    assert_eq!(ann.seat, 1);
    let Seating::AlreadySeated(again) = take_seat(None, "ann").await else {
        panic!("ann is seated")
    };
    assert_eq!((again.seat, again.request_id.as_deref()), (1, Some("r")));
    assert_eq!(take_seat(Some(1), "bob").await, Seating::Occupied);
    assert_eq!(take_seat(Some(4), "bob").await, Seating::NoSuchSeat);
    assert_eq!(take_seat(Some(-1), "bob").await, Seating::NoSuchSeat);
    for (seat, player) in [(0, "bob"), (2, "cid"), (3, "dot")] {
        assert!(matches!(take_seat(None, player).await, Seating::Taken(row) if row.seat == seat));
    }
    assert_eq!(take_seat(None, "eve").await, Seating::Full);
    let nowhere = installation
        .store
        .take_seat(new_match_id(), ("ann", None), Place::default(), new.create_time)
        .await
        .unwrap();
    assert_eq!(nowhere, Seating::NoSuchSeat);
}
