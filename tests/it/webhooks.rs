//! Webhooks: every entry reaches its endpoint at least once, in order within a match, signed, and
//! no endpoint delays another.

use std::collections::HashSet;

use api::v1::*;
use serde_json::Value;
use tokio::task::JoinSet;
use tonic::Code;

use crate::harness::*;

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// An installation whose webhooks may reach this machine, and whose waits are this much shorter.
async fn installation(wait_scale: &'static str) -> Installation {
    let mut installation = Installation::open().await;
    allow(&mut installation.service, wait_scale).await;
    installation
}

/// Restarts a service so that webhooks may reach this machine.
async fn allow(service: &mut Service, wait_scale: &'static str) {
    service.arguments.extend(["--allow-private-webhooks", "--webhook-wait-scale", wait_scale]);
    service.kill().await;
    service.start_again().await;
}

fn subscription(id: &str, url: &str, secret: &str) -> CreateSubscriptionRequest {
    let (url, secret) = (url.to_owned(), secret.to_owned());
    CreateSubscriptionRequest {
        name: format!("subscriptions/{id}"),
        push: Some(PushTarget { url, secret }),
        ..CreateSubscriptionRequest::default()
    }
}

async fn subscribe(client: &Client, id: &str, receiver: &Receiver) -> CreateSubscriptionResponse {
    let request = subscription(id, &receiver.url, SECRET);
    client.ask(&request).await.unwrap_or_else(|error| panic!("{error:?}"))
}

async fn push_of(client: &Client, id: &str) -> Push {
    let request = GetSubscriptionRequest { name: format!("subscriptions/{id}") };
    let it = client.ask(&request).await.expect("it is there").subscription;
    it.expect("a subscription").push.expect("it is sent")
}

/// Plays this many actions in each of this many matches; returns their names and their entries.
async fn play(client: &Client, matches: u64, actions: usize) -> (Vec<String>, usize) {
    let mut players = JoinSet::new();
    for seed in 0..matches {
        let client = client.clone();
        players.spawn(async move {
            let mut playing = Playing::new(&client, 2, seed).await;
            playing.steps(actions).await;
            playing.name
        });
    }
    let names = players.join_all().await;
    let mut count = 0;
    for name in &names {
        count += get(client, name).await.position as usize;
    }
    (names, count)
}

/// Every entry was taken, and each match in order.
fn check_whole(receiver: &Receiver, names: &[String], count: usize) {
    let taken = receiver.taken();
    assert_eq!(taken.keys().collect::<HashSet<_>>(), names.iter().collect::<HashSet<_>>());
    for (name, positions) in &taken {
        assert_eq!(*positions, (1..=positions.len() as i64).collect::<Vec<_>>(), "{name}");
    }
    assert_eq!(taken.values().map(Vec::len).sum::<usize>(), count);
}

#[tokio::test]
async fn entries_reach_an_endpoint_signed_and_as_rest_tells_them() {
    let installation = installation("1").await;
    let client = installation.client(Protocol::Rest);
    let receiver = Receiver::open().await;
    let created = subscribe(&client, "feed", &receiver).await;
    assert_eq!(created.secret, "", "it is told nobody who knows it");
    assert_eq!(push_of(&client, "feed").await.state(), PushState::Healthy);
    let (names, count) = play(&client, 3, 6).await;
    receiver.takes(count).await;
    check_whole(&receiver, &names, count);

    let mut ids = HashSet::new();
    for message in receiver.received() {
        assert!(message.verify(SECRET) && ids.insert(message.id().to_owned()));
        assert!(!message.verify("whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDLZk="));
        assert_eq!(message.headers["content-type"], "application/json");
        let of: HashSet<String> = message.entries().into_iter().map(|it| it.0).collect();
        assert_eq!(of.len(), 1, "a message is about one match");
        let json = message.json();
        assert_eq!(
            (&json["type"], &json["data"]["subscription"]),
            (&"entries".into(), &"subscriptions/feed".into())
        );
        let entries = json["data"]["entries"].as_array().expect("entries");
        assert_eq!(json["timestamp"], entries.last().expect("one")["entry"]["createTime"]);
    }
    // The same as over REST.
    let name = &names[0];
    let path = format!("/v1/{name}/entries?viewer=spectator&pageSize=1000");
    let request = http::Request::get(path).body(Default::default()).expect("a request");
    let listed: Value =
        serde_json::from_slice(&client.send(request).await.expect("a list").body).expect("JSON");
    let sent: Vec<Value> = receiver
        .received()
        .iter()
        .flat_map(|message| message.json()["data"]["entries"].as_array().expect("entries").clone())
        .collect();
    let sent: Vec<&Value> = sent
        .iter()
        .map(|it| &it["entry"])
        .filter(|it| it["name"].as_str().expect("a name").starts_with(name.as_str()))
        .collect();
    assert_eq!(sent, listed["entries"].as_array().expect("entries").iter().collect::<Vec<_>>());
}

#[tokio::test]
async fn a_secret_is_told_once_and_a_subscription_is_created_once() {
    let installation = installation("1").await;
    let client = installation.client(Protocol::Grpc);
    let receiver = Receiver::open().await;
    let request = subscription("feed", &receiver.url, "");
    let created = client.ask(&request).await.expect("it is new");
    assert!(created.secret.starts_with("whsec_"));
    let again = client.ask(&request).await.expect("the same");
    assert_eq!(again.secret, "", "it is told once");
    let other = subscription("feed", "http://127.0.0.1:9/other", "");
    assert_eq!(client.ask(&other).await.expect_err("another URL").reason, "SUBSCRIPTION_EXISTS");
    let other = subscription("feed", &receiver.url, SECRET);
    assert_eq!(client.ask(&other).await.expect_err("another secret").reason, "SUBSCRIPTION_EXISTS");
    let (_, count) = play(&client, 1, 2).await;
    receiver.takes(count).await;
    assert!(receiver.received().iter().all(|message| message.verify(&created.secret)));

    let name = request.name.clone();
    let consume = ConsumeSubscriptionRequest { name: name.clone(), ..Default::default() };
    let refused = client.stream(&consume).await.next().await.expect_err("it is sent");
    assert_eq!(
        (refused.code, refused.reason.as_str()),
        (Code::FailedPrecondition, "SUBSCRIPTION_PUSHED")
    );
    let delete = DeleteSubscriptionRequest { name };
    client.ask(&delete).await.expect("deleted");
    let cursor_rows = client.ask(&request).await.expect("it is new again");
    assert!(cursor_rows.secret.starts_with("whsec_"));
}
