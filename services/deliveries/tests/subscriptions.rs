//! Subscriptions and their consumers.

#![expect(clippy::disallowed_methods, reason = "what acts do is tested here")]

use accounts::Accounts;
use database::{Database, Options};
use deliveries::{Deliveries, SubscriptionRow};
use futures::future::join_all;
use positions::BUCKETS;
use rows::Tags;
use test_database::TestDatabase;

fn subscription(name: &str) -> SubscriptionRow {
    SubscriptionRow {
        platform: "acme".to_owned(),
        subscription: name.to_owned(),
        games: Vec::new(),
        verbs: Vec::new(),
        players: Vec::new(),
        happenings: Vec::new(),
        tags: Tags::new(),
        is_whole: false,
        create_time: test_database::now(),
    }
}

/// They lock the same rows, so they must use the same order.
#[tokio::test(flavor = "multi_thread")]
async fn a_subscription_can_be_deleted_while_its_consumers_come_and_go() {
    let test = TestDatabase::shared().await;
    let database = Database::connect(Options::new(test.options.clone())).await.unwrap();
    schema::migrate(&database).await.unwrap();
    let accounts = Accounts::new(&database);
    accounts.create_platform("acme", test_database::now()).await.unwrap();
    let deliveries = Deliveries::new(&database);
    for round in 0..40 {
        deliveries.create_subscription(&subscription("feed"), &[0; BUCKETS], None).await.unwrap();
        let consumers: Vec<String> = (0..6).map(|nth| format!("{round}-{nth}")).collect();
        for consumer in &consumers {
            deliveries.lease("acme", "feed", consumer).await.unwrap().expect("it is there");
        }
        let coming_and_going = join_all(consumers.iter().map(async |consumer| {
            deliveries.lease("acme", "feed", consumer).await.unwrap();
            deliveries.leave("acme", "feed", consumer).await.unwrap();
        }));
        let deleting = deliveries.delete_subscription("acme", "feed");
        let (_, deleted) = tokio::join!(coming_and_going, deleting);
        assert!(deleted.unwrap());
    }
}
