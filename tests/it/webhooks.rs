//! Webhooks: every entry reaches its endpoint at least once, in order within a match, signed, and
//! no endpoint delays another.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use contract::v1::*;
use rustix::process::Signal;
use serde_json::Value;
use tokio::task::JoinSet;
use tokio::time::sleep;
use tonic::Code;

use crate::harness::*;
use crate::installing::operator_key;
use crate::record_loss::lose_after;

pub const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// How long an endpoint may take to answer.
const ANSWER_WAIT: Duration = Duration::from_secs(15);

/// An installation whose webhooks may reach this machine, and whose waits are this much shorter.
async fn installation(wait_scale: &'static str) -> Installation {
    let mut installation = Installation::open().await;
    allow(&mut installation.service, wait_scale).await;
    installation
}

/// Restarts a service so that webhooks may reach this machine.
pub async fn allow(service: &mut Service, wait_scale: &'static str) {
    service.arguments.extend(["--allow-private-webhooks", "--webhook-wait-scale", wait_scale]);
    service.kill().await;
    service.start_again().await;
}

pub fn subscription(id: &str, url: &str, secret: &str) -> CreateSubscriptionRequest {
    let (url, secret) = (url.to_owned(), secret.to_owned());
    CreateSubscriptionRequest {
        name: format!("subscriptions/{id}"),
        push: Some(PushTarget { url, secret }),
        ..CreateSubscriptionRequest::default()
    }
}

pub async fn subscribe(
    client: &Client,
    id: &str,
    receiver: &Receiver,
) -> CreateSubscriptionResponse {
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
    let operator = client.holding(operator_key(&installation).await);
    let metrics = operator.ask(&GetMetricsRequest {}).await.expect("an operator may").metrics;
    let counted = metrics.map(|it| (it.webhooks_taken as usize, it.webhooks_failed));
    assert_eq!(counted, Some((receiver.received().len(), 0)));
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

/// A receiver that drops messages whose id it knows loses no entry of the record.
#[tokio::test]
async fn entries_that_replace_lost_ones_come_in_messages_with_other_ids() {
    let installation = installation("0.01").await;
    let client = installation.client(Protocol::Grpc);
    let receiver = Receiver::open().await;
    subscribe(&client, "feed", &receiver).await;
    let digests = |messages: &[Received]| -> HashSet<String> {
        let entries = messages.iter().map(Received::json).flat_map(|json| {
            let entries = json["data"]["entries"].as_array().cloned().unwrap_or_default();
            entries.into_iter().map(|it| it["entry"]["digest"].as_str().expect("text").to_owned())
        });
        entries.collect()
    };
    // Each entry is in a message of its own, before and after the loss.
    let take_one = async |playing: &mut Playing| {
        playing.steps(1).await;
        let digest = BASE64_STANDARD.encode(&playing.entries.last().expect("an entry").digest);
        until("an entry that is taken", async || {
            digests(&receiver.received()).contains(&digest).then_some(())
        })
        .await;
    };
    let mut playing = Playing::new(&client, 2, 31).await;
    receiver.takes(1).await;
    for _ in 2..=10 {
        take_one(&mut playing).await;
    }
    lose_after(&installation, 6).await;
    let request = GetMatchRequest { name: playing.name.clone(), ..GetMatchRequest::default() };
    // The first call may be the one that notices the loss.
    let it = until("a match", async || client.ask(&request).await.ok()).await.r#match;
    let mut again = Playing::of(&client, &it.expect("a match"), 32);
    for _ in 7..=10 {
        take_one(&mut again).await;
    }
    let mut ids = HashSet::new();
    let mut received = receiver.received();
    received.retain(|message| ids.insert(message.id().to_owned()));
    let received = digests(&received);
    let all = entries(&client, &playing.name, "spectator").await;
    assert_eq!(all.len(), 10);
    for entry in all {
        let digest = BASE64_STANDARD.encode(&entry.digest);
        assert!(received.contains(&digest), "{} is taken for another entry", entry.name);
    }
}

#[tokio::test]
async fn an_endpoint_is_told_that_the_record_went_back_before_it_is_sent_more() {
    let mut installation = installation("0.01").await;
    let client = installation.client(Protocol::Grpc);
    let receiver = Receiver::open().await;
    subscribe(&client, "feed", &receiver).await;
    let mut playing = Playing::new(&client, 2, 33).await;
    playing.steps(9).await;
    receiver.takes(10).await;
    lose_after(&installation, 6).await;
    let kind = |message: &Received| message.json()["type"].as_str().expect("text").to_owned();
    let notice = async || {
        let mut received = receiver.received().into_iter();
        received.find(|message| kind(message) == "record.went_back")
    };
    let told = until("a notice", notice).await;
    assert!(told.verify(SECRET));
    let before = entries(&client, &playing.name, "spectator").await;
    let its = told.json()["data"]["wentBack"].clone();
    assert!(its["term"].as_u64().expect("a term") > 0);
    assert_eq!(its["matches"].as_array().map(Vec::len), Some(1), "{its}");
    let its = &its["matches"][0];
    assert_eq!(its["match"], playing.name);
    let valid = its["position"].as_u64().expect("a position") as usize;
    assert!(valid <= 6);
    if let Some(last) = before[..valid].last() {
        assert_eq!(its["digest"], BASE64_STANDARD.encode(&last.digest));
    }

    // It is told once, also after a restart, and new endpoints need not know.
    let new = Receiver::open().await;
    subscribe(&client, "new", &new).await;
    installation.service.kill().await;
    installation.service.start_again().await;
    Playing::of(&client, &get(&client, &playing.name).await, 34).steps(6).await;
    receiver.takes(12).await;
    new.takes(12).await;
    let received = receiver.received();
    let notices: Vec<usize> =
        (0..received.len()).filter(|&at| kind(&received[at]) == "record.went_back").collect();
    assert_eq!(notices.len(), 1);
    let later = received[notices[0]..].iter().flat_map(Received::entries);
    let later: Vec<i64> = later.map(|(_, position)| position).collect();
    assert!(later.ends_with(&[7, 8, 9, 10, 11, 12]), "what replaces lost entries: {later:?}");
    let all = entries(&client, &playing.name, "spectator").await;
    let digests: Vec<String> = all.iter().map(|it| BASE64_STANDARD.encode(&it.digest)).collect();
    for message in &received[..notices[0]] {
        for entry in message.json()["data"]["entries"].as_array().expect("entries") {
            let digest = entry["entry"]["digest"].as_str().expect("text").to_owned();
            assert!(!digests[6..].contains(&digest), "it was sent before the notice");
        }
    }
    assert!(new.received().iter().all(|message| kind(message) == "entries"));
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
    let delete = DeleteSubscriptionRequest { name, ..<_>::default() };
    client.ask(&delete).await.expect("deleted");
    let anew = client.ask(&request).await.expect("it is new again");
    assert!(anew.secret.starts_with("whsec_") && anew.secret != created.secret);
}

/// Misbehaves in every way that ends by itself, before it takes a message.
fn trying() -> impl Fn(&Received) -> Conduct + Send + Sync + 'static {
    let attempts: Mutex<HashMap<String, usize>> = Mutex::default();
    move |message| {
        let ways = [
            Conduct::Fail(500),
            Conduct::HangUp,
            Conduct::Redirect,
            Conduct::Fail(429),
            Conduct::Fail(404),
        ];
        let taking = [Conduct::Take, Conduct::Garbage, Conduct::Break, Conduct::Endless];
        let mut attempts = attempts.lock().expect("no panic");
        let tried = attempts.entry(message.id().to_owned()).or_default();
        *tried += 1;
        let number = usize::from_str_radix(&message.id()[4..8], 16).expect("a number");
        let fails = number % 4;
        if *tried <= fails {
            ways[(number + *tried) % ways.len()]
        } else {
            taking[number % taking.len()]
        }
    }
}

#[tokio::test]
async fn an_endpoint_that_misbehaves_gets_everything_in_order_and_delays_no_other() {
    let installation = installation("0.01").await;
    let client = installation.client(Protocol::Grpc);
    let bad = Receiver::choosing(trying()).await;
    let stalled: Arc<Mutex<Vec<Instant>>> = Arc::default();
    let noted = stalled.clone();
    let stalling = Receiver::choosing(move |_| {
        noted.lock().expect("no panic").push(Instant::now());
        Conduct::Stall
    });
    let stalling = stalling.await;
    let closed = ClosedPort::any();
    let good = Receiver::open().await;
    subscribe(&client, "bad", &bad).await;
    subscribe(&client, "stalling", &stalling).await;
    let url = format!("http://127.0.0.1:{}/hook", closed.port());
    client.ask(&subscription("closed", &url, SECRET)).await.expect("nobody asks who listens");
    subscribe(&client, "good", &good).await;
    let (names, count) = play(&client, 8, 8).await;
    let began = Instant::now();
    good.takes(count).await;
    assert!(began.elapsed() < ANSWER_WAIT, "{:?}", began.elapsed());
    check_whole(&good, &names, count);
    let ids: Vec<String> = good.received().iter().map(|it| it.id().to_owned()).collect();
    assert_eq!(
        ids.iter().collect::<HashSet<_>>().len(),
        ids.len(),
        "a good endpoint gets each once"
    );
    bad.takes(count).await;
    check_whole(&bad, &names, count);
    // Before a message was taken, no later one of its match was sent.
    let mut last: HashMap<String, i64> = HashMap::new();
    for message in bad.received() {
        let entries = message.entries();
        let (name, first) = entries[0].clone();
        let last = last.entry(name).or_default();
        assert!(first <= *last + 1, "{first} after {last}");
        if message.is_taken {
            *last = (*last).max(entries[entries.len() - 1].1);
        }
    }
    // It has earned no more than one at a time. Nearly so: when it arrives is up to the machine.
    let stalled = stalled.lock().expect("no panic").clone();
    assert!(!stalled.is_empty());
    let gaps = stalled.windows(2).map(|it| it[1] - it[0]);
    assert!(gaps.min().is_none_or(|gap| gap > ANSWER_WAIT / 2), "{stalled:?}");
    let state = push_of(&client, "closed").await;
    assert_eq!(state.state(), PushState::Failing);
    assert!(state.last_error == "the endpoint could not be reached", "{}", state.last_error);
    assert!(state.failing_since_time.is_some() && state.next_attempt_time.is_some());
    // What was repeated had the same id, and the same contents.
    let mut bodies: HashMap<String, bytes::Bytes> = HashMap::new();
    for message in bad.received() {
        let body = message.body.clone();
        assert_eq!(*bodies.entry(message.id().to_owned()).or_insert(body), message.body);
    }
}

#[tokio::test]
async fn nothing_is_lost_when_a_process_is_killed() {
    let mut installation = installation("0.01").await;
    let client = installation.client(Protocol::Grpc);
    let receiver = Receiver::choosing(trying()).await;
    subscribe(&client, "feed", &receiver).await;
    let (mut names, mut count) = (Vec::new(), 0);
    for round in 0..3 {
        let (more, entries) = play(&client, 4, 6).await;
        names.extend(more);
        count += entries;
        if round < 2 {
            receiver.takes(count / 2).await;
            installation.service.kill().await;
            installation.service.start_again().await;
        }
    }
    // The leases of a process that was killed last for ten seconds.
    let began = Instant::now();
    while receiver.taken().values().map(Vec::len).sum::<usize>() < count {
        assert!(began.elapsed() < Duration::from_secs(60), "some are lost");
        sleep(Duration::from_millis(50)).await;
    }
    check_whole(&receiver, &names, count);
}

#[tokio::test]
async fn two_processes_share_the_work() {
    let installation = installation("1").await;
    let mut other = installation.serve("b").await;
    allow(&mut other, "1").await;
    let client = installation.client(Protocol::Grpc);
    let receiver = Receiver::open().await;
    subscribe(&client, "feed", &receiver).await;
    let mut database = installation.database().await;
    let count = "select count(distinct consumer) from subscription_cursors";
    until("two that send", async || {
        let count: i64 =
            sqlx::query_scalar(count).fetch_one(&mut database).await.expect("a number");
        (count == 2).then_some(())
    })
    .await;
    let (names, count) = play(&client, 12, 6).await;
    receiver.takes(count).await;
    check_whole(&receiver, &names, count);
    let sent: usize = receiver.received().iter().map(|it| it.entries().len()).sum();
    // A delivery whose lease ran out, because the machine was busy, is sent again.
    assert!(sent < count + count / 4, "{sent} were sent for {count}");
}

#[tokio::test]
async fn an_endpoint_that_fails_for_too_long_is_disabled_until_it_is_asked_for() {
    // Three days are some seconds.
    let installation = installation("0.00001").await;
    let client = installation.client(Protocol::Grpc);
    let receiver = Receiver::choosing(|_| Conduct::Fail(503)).await;
    subscribe(&client, "feed", &receiver).await;
    let (names, count) = play(&client, 2, 4).await;
    let disabled = until("it is disabled", async || {
        let push = push_of(&client, "feed").await;
        (push.state() == PushState::Disabled).then_some(push)
    })
    .await;
    assert_eq!(disabled.last_error, "the answer was 503");
    assert!(disabled.disabled_time.is_some() && disabled.next_attempt_time.is_none());
    let parent = "subscriptions/feed".to_owned();
    let list = ListDeliveriesRequest { parent: parent.clone(), page_size: 3, ..Default::default() };
    let page = client.ask(&list).await.expect("attempts");
    assert_eq!(page.deliveries.len(), 3);
    let next = ListDeliveriesRequest { page_token: page.next_page_token, ..list };
    let next = client.ask(&next).await.expect("more attempts");
    let last = &next.deliveries[0];
    assert_eq!(
        (last.status, last.error.as_str(), last.answer.as_str()),
        (503, "the answer was 503", "not today")
    );
    assert!(last.attempt > 1 && last.entries >= 1 && names.contains(&last.r#match));
    let times = |page: &[Delivery]| -> Vec<_> {
        page.iter()
            .map(|it| it.attempt_time.expect("a time"))
            .map(|it| (it.seconds, it.nanos))
            .collect()
    };
    assert!(times(&page.deliveries).last() >= times(&next.deliveries).first());

    receiver.behave(|_| Conduct::Take);
    let redeliver = RedeliverEntriesRequest { name: parent.clone(), cursor: String::new() };
    let it = client.ask(&redeliver).await.expect("enabled").subscription.expect("a subscription");
    assert_eq!(it.push.expect("it is sent").state(), PushState::Healthy);
    receiver.takes(count).await;
    check_whole(&receiver, &names, count);

    // From the beginning again, with other ids.
    let before: HashSet<String> = receiver.received().iter().map(|it| it.id().to_owned()).collect();
    let number = receiver.received().len();
    let (name, cursor) = (parent.clone(), it.cursor);
    client.ask(&RedeliverEntriesRequest { name, cursor }).await.expect("from its beginning");
    until("all again", async || {
        let again = receiver.received().split_off(number);
        (again.iter().map(|it| it.entries().len()).sum::<usize>() >= count).then_some(())
    })
    .await;
    let again = receiver.received().split_off(number);
    assert!(again.iter().all(|it| !before.contains(it.id())));

    // An endpoint that is gone is asked once.
    receiver.behave(|_| Conduct::Fail(410));
    play(&client, 1, 1).await;
    until("it is disabled", async || {
        (push_of(&client, "feed").await.state() == PushState::Disabled).then_some(())
    })
    .await;
    let delete = DeleteSubscriptionRequest { name: parent, ..<_>::default() };
    client.ask(&delete).await.expect("deleted");
}

/// Answers each attempt with the next of these, and then takes messages.
fn after(
    answers: &'static [Conduct],
    times: &Arc<Mutex<Vec<Instant>>>,
) -> impl Fn(&Received) -> Conduct + Send + Sync + 'static {
    let times = times.clone();
    move |_| {
        let mut times = times.lock().expect("no panic");
        times.push(Instant::now());
        answers.get(times.len() - 1).copied().unwrap_or(Conduct::Take)
    }
}

#[tokio::test]
async fn an_endpoint_that_asks_for_time_gets_it_within_bounds() {
    const ANSWERS: &[Conduct] = &[
        Conduct::Later(429, 1),
        Conduct::Later(503, 1_000_000),
        Conduct::Fail(503),
        Conduct::Fail(503),
        Conduct::Fail(503),
    ];
    // The longest wait is a second and some milliseconds; the first one is half a millisecond.
    let installation = installation("0.0001").await;
    let client = installation.client(Protocol::Grpc);
    let times = Arc::default();
    let receiver = Receiver::choosing(after(ANSWERS, &times)).await;
    subscribe(&client, "feed", &receiver).await;
    let (names, count) = play(&client, 3, 3).await;
    receiver.takes(count).await;
    check_whole(&receiver, &names, count);
    let times = times.lock().expect("no panic").clone();
    let second = Duration::from_secs(1);
    // No message of any match in between.
    assert!(times[1] - times[0] >= second && times[2] - times[1] >= second, "{times:?}");
    // A busy machine may be late after one failure, but not after each.
    assert!(times[2..6].windows(2).any(|it| it[1] - it[0] < second), "{times:?}");
}

#[tokio::test]
async fn an_endpoint_moves_and_gets_what_the_earlier_one_did_not_take() {
    let installation = installation("0.00001").await;
    let client = installation.client(Protocol::Rest);
    let (old, new) = (Receiver::choosing(|_| Conduct::Fail(410)).await, Receiver::open().await);
    subscribe(&client, "feed", &old).await;
    let (mut names, mut count) = play(&client, 2, 3).await;
    until("it is disabled", async || {
        (push_of(&client, "feed").await.state() == PushState::Disabled).then_some(())
    })
    .await;
    let name = "subscriptions/feed".to_owned();
    let go = MoveWebhookRequest { name: name.clone(), url: new.url.clone() };
    let it = client.ask(&go).await.expect("moved").subscription.expect("a subscription");
    let push = it.push.expect("it is sent");
    assert_eq!((push.state(), push.url.as_str()), (PushState::Healthy, new.url.as_str()));
    new.takes(count).await;
    check_whole(&new, &names, count);
    let ids = |receiver: &Receiver| -> HashSet<String> {
        receiver.received().iter().map(|it| it.id().to_owned()).collect()
    };
    assert!(ids(&old).is_subset(&ids(&new)), "what is repeated has the same id");
    assert!(new.received().iter().all(|message| message.verify(SECRET)));

    // From one that works, too: in order, and nothing is skipped.
    let seen = old.received().len();
    old.behave(|_| Conduct::Take);
    let back = MoveWebhookRequest { name: name.clone(), url: old.url.clone() };
    client.ask(&back).await.expect("moved back");
    until("the first message at the earlier endpoint", async || {
        let (more, entries) = play(&client, 1, 1).await;
        names.extend(more);
        count += entries;
        (old.received().len() > seen).then_some(())
    })
    .await;
    until("all of it at one of them", async || {
        let mut taken = new.taken();
        for (name, positions) in old.taken() {
            let of = taken.entry(name).or_default();
            of.extend(positions.into_iter().filter(|it| !of.contains(it)).collect::<Vec<_>>());
        }
        let in_order = taken.values().all(|it| it.iter().copied().eq(1..=it.len() as i64));
        assert!(in_order, "{taken:?}");
        (taken.values().map(Vec::len).sum::<usize>() == count).then_some(())
    })
    .await;
    assert_eq!(names.len(), names.iter().collect::<HashSet<_>>().len());

    let inside = MoveWebhookRequest { name, url: "ftp://example.com/".to_owned() };
    let refused = client.ask(&inside).await.expect_err("no URL to send to");
    refused.check(Code::InvalidArgument, "WEBHOOK_URL_REFUSED");
    assert_eq!(refused.facts["field"], "url");
    let name = "subscriptions/mail".to_owned();
    let mail = CreateSubscriptionRequest { name: name.clone(), ..Default::default() };
    client.ask(&mail).await.expect("one that is not sent");
    let refused = client.ask(&MoveWebhookRequest { name, url: new.url.clone() }).await;
    let refused = refused.expect_err("there is nothing to move");
    refused.check(Code::FailedPrecondition, "SUBSCRIPTION_NOT_PUSHED");
}

#[tokio::test]
async fn a_secret_is_rotated_while_messages_are_sent() {
    let installation = installation("1").await;
    let client = installation.client(Protocol::Rest);
    let receiver = Receiver::open().await;
    subscribe(&client, "feed", &receiver).await;
    let name = "subscriptions/feed".to_owned();
    let rotate = RotateSecretRequest {
        name: name.clone(),
        overlap: Some(contract::seconds(3600)),
        ..Default::default()
    };
    let rotated = client.ask(&rotate).await.expect("a secret");
    assert!(rotated.secret.starts_with("whsec_") && rotated.expire_time.is_some());
    assert!(push_of(&client, "feed").await.secret_expire_time.is_some());
    let test = TestWebhookRequest { name: name.clone() };
    let tested = client.ask(&test).await.expect("it is sent").delivery.expect("what came of it");
    assert_eq!((tested.status, tested.error.as_str()), (204, ""));
    let message = receiver.received().pop().expect("a test");
    assert!(message.verify(SECRET) && message.verify(&rotated.secret), "both sign");
    assert_eq!(
        (message.json()["type"].as_str(), message.id()),
        (Some("test"), tested.message.as_str())
    );
    let none = RotateSecretRequest { overlap: Some(contract::seconds(0)), ..rotate.clone() };
    let newest = client.ask(&none).await.expect("a secret").secret;
    client.ask(&test).await.expect("it is sent");
    let message = receiver.received().pop().expect("a test");
    assert!(message.verify(&newest) && !message.verify(SECRET) && !message.verify(&rotated.secret));
    // So do messages of entries, within seconds.
    let (_, count) = play(&client, 1, 1).await;
    receiver.takes(count).await;
    until("the newest signs alone", async || {
        play(&client, 1, 1).await;
        let last = receiver.received().pop().expect("entries");
        (last.verify(&newest) && !last.verify(SECRET)).then_some(())
    })
    .await;

    for _ in 0..3 {
        client.ask(&rotate).await.expect("up to four");
    }
    let refused = client.ask(&rotate).await.expect_err("a fifth");
    refused.check(Code::FailedPrecondition, "TOO_MANY_SECRETS");
    // No answer but that of its making tells a secret.
    let list = ListDeliveriesRequest { parent: name, ..Default::default() };
    let listed = client.receive(&list).await.expect("attempts").body;
    let listed = String::from_utf8(listed.to_vec()).expect("text");
    assert!(listed.contains("\"test_") && !listed.contains("whsec_"), "{listed}");
}

#[tokio::test]
async fn the_role_that_serves_may_send() {
    let mut installation = Installation::open().await;
    installation.restrict().await;
    allow(&mut installation.service, "0.00001").await;
    let client = installation.client(Protocol::Grpc);
    let receiver = Receiver::open().await;
    subscribe(&client, "feed", &receiver).await;
    let (_, count) = play(&client, 1, 1).await;
    receiver.takes(count).await;
    let name = "subscriptions/feed".to_owned();
    let rotate = RotateSecretRequest { name: name.clone(), ..Default::default() };
    client.ask(&rotate).await.expect("a secret");
    client.ask(&TestWebhookRequest { name: name.clone() }).await.expect("tried");
    receiver.behave(|_| Conduct::Fail(500));
    let (_, more) = play(&client, 1, 1).await;
    until("it is disabled", async || {
        (push_of(&client, "feed").await.state() == PushState::Disabled).then_some(())
    })
    .await;
    receiver.behave(|_| Conduct::Take);
    let redeliver = RedeliverEntriesRequest { name: name.clone(), ..Default::default() };
    client.ask(&redeliver).await.expect("enabled");
    receiver.takes(count + more).await;
    let go = MoveWebhookRequest { name: name.clone(), url: receiver.url.clone() };
    client.ask(&go).await.expect("moved");
    let list = ListDeliveriesRequest { parent: name.clone(), ..Default::default() };
    assert!(!client.ask(&list).await.expect("attempts").deliveries.is_empty());
    client.ask(&DeleteSubscriptionRequest { name, ..<_>::default() }).await.expect("deleted");
}

/// A message as it was sent, for the reference libraries of other languages to verify.
#[derive(serde::Serialize)]
struct Captured {
    secrets: [String; 2],
    headers: BTreeMap<&'static str, String>,
    body: String,
}

/// With `CROUPIER_BLESS=1` it captures the messages again.
#[tokio::test]
async fn a_message_is_captured_for_reference_libraries() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/webhooks.json");
    if std::env::var_os("CROUPIER_BLESS").is_some() {
        let installation = installation("1").await;
        let client = installation.client(Protocol::Rest);
        let receiver = Receiver::open().await;
        subscribe(&client, "feed", &receiver).await;
        let name = "subscriptions/feed".to_owned();
        let rotate = RotateSecretRequest { name: name.clone(), ..Default::default() };
        let secrets = [client.ask(&rotate).await.expect("a secret").secret, SECRET.to_owned()];
        client.ask(&TestWebhookRequest { name }).await.expect("it is sent");
        let both = until("both sign", async || {
            play(&client, 1, 1).await;
            let mut messages = receiver.received().into_iter().rev();
            messages.find(|it| it.verify(&secrets[0]) && !it.entries().is_empty())
        })
        .await;
        let messages = [receiver.received().swap_remove(0), both];
        let captured = messages.map(|message| {
            let headers = ["webhook-id", "webhook-timestamp", "webhook-signature"];
            let header = |name| message.headers[name].to_str().expect("text").to_owned();
            let body = String::from_utf8(message.body.to_vec()).expect("text");
            let headers = headers.into_iter().map(|name| (name, header(name))).collect();
            Captured { secrets: secrets.clone(), headers, body }
        });
        let text = serde_json::to_string_pretty(&captured).expect("JSON");
        fs::write(&path, text + "\n").expect("it is written");
    }
    let captured: Value = serde_json::from_slice(&fs::read(&path).expect("a file")).expect("JSON");
    let captured = captured.as_array().expect("messages");
    assert_eq!(captured.len(), 2);
    for message in captured {
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let header = |name: &str| text(&message["headers"][name]);
        let time = header("webhook-timestamp").parse().expect("a number");
        // What the crate signs now is what was captured, signature by signature.
        let secrets = message["secrets"].as_array().expect("secrets").iter();
        let signatures = secrets.map(|secret| {
            let webhook = standardwebhooks::Webhook::new(&text(secret)).expect("a secret");
            let body = text(&message["body"]);
            webhook.sign(&header("webhook-id"), time, body.as_bytes()).expect("a signature")
        });
        let signatures = signatures.collect::<Vec<_>>().join(" ");
        assert_eq!(signatures, header("webhook-signature"));
    }
}

#[tokio::test]
async fn private_addresses_are_refused_at_creation_and_at_each_delivery() {
    let mut installation = installation("0.01").await;
    let client = installation.client(Protocol::Rest);
    let receiver = Receiver::open().await;
    subscribe(&client, "feed", &receiver).await;
    let (_, count) = play(&client, 1, 1).await;
    receiver.takes(count).await;
    let number = receiver.received().len();
    installation.service.arguments = vec!["--webhook-wait-scale", "0.01"];
    installation.service.signal(Signal::TERM);
    installation.service.ended().await;
    installation.service.start_again().await;
    play(&client, 1, 1).await;
    let test = TestWebhookRequest { name: "subscriptions/feed".to_owned() };
    let tested = client.ask(&test).await.expect("tried").delivery.expect("what came of it");
    assert_eq!(tested.error, "the URL must begin with https://");
    for (url, why) in [
        ("https://127.0.0.1/", "not public"),
        ("https://2130706433/", "not public"),
        ("https://0x7f.1/", "not public"),
        ("https://[::ffff:10.0.0.1]/", "not public"),
        ("https://169.254.169.254/latest/meta-data/", "not public"),
        ("http://example.com/", "https"),
        ("https://ann:bob@example.com/", "user name"),
        ("nonsense", "malformed"),
    ] {
        let refused = client.ask(&subscription("inside", url, "")).await.expect_err(url);
        refused.check(Code::InvalidArgument, "WEBHOOK_URL_REFUSED");
        assert!(refused.message.contains(why), "{url}: {}", refused.message);
        assert_eq!(refused.facts["field"], "push.url");
    }
    // What a name leads to, and whether anything is there, is not told.
    for (nth, url) in ["https://localhost/", "https://nowhere.invalid/", "https://localhost:1/"]
        .into_iter()
        .enumerate()
    {
        let id = format!("blind-{nth}");
        client.ask(&subscription(&id, url, "")).await.expect("a name is not looked up");
        let test = TestWebhookRequest { name: format!("subscriptions/{id}") };
        let tested = client.ask(&test).await.expect("tried").delivery.expect("what came of it");
        assert_eq!(tested.error, "the endpoint could not be reached", "{url}");
        assert_eq!(tested.duration, None, "{url}");
    }
    let refused = client.ask(&subscription("inside", "https://example.com/", "whsec_short")).await;
    let refused = refused.expect_err("too short");
    refused.check(Code::InvalidArgument, "WEBHOOK_SECRET_INVALID");
    until("it fails", async || {
        let push = push_of(&client, "feed").await;
        (push.last_error == "the URL must begin with https://").then_some(())
    })
    .await;
    assert_eq!(receiver.received().len(), number, "nothing was sent");
}

/// What an endpoint has seen, of too many messages to keep.
#[derive(Debug, Default)]
pub struct Account {
    attempts: usize,
    taken: usize,
    /// Entries that were taken for the first time, and again.
    entries: i64,
    repeated: i64,
    pub out_of_order: usize,
    /// The last entry of each match.
    pub last: HashMap<String, i64>,
    tried: HashMap<String, u8>,
}

impl Account {
    /// Fails a message up to three times, in every way, and notes what it takes.
    pub fn conduct(&mut self, message: &Received, is_bad: bool) -> Conduct {
        self.attempts += 1;
        let number = usize::from_str_radix(&message.id()[4..12], 16).expect("a number");
        let tried = self.tried.entry(message.id().to_owned()).or_default();
        *tried += 1;
        let fails = if is_bad && number.is_multiple_of(3) { number / 3 % 4 } else { 0 };
        if usize::from(*tried) <= fails {
            let ways = [
                Conduct::Fail(500),
                Conduct::HangUp,
                Conduct::Redirect,
                Conduct::Fail(429),
                Conduct::Fail(404),
            ];
            let stalls = (number / 12).is_multiple_of(5000) && *tried == 1;
            return if stalls { Conduct::Stall } else { ways[(number / 12) % ways.len()] };
        }
        self.taken += 1;
        let entries = message.entries();
        let (name, first) = entries[0].clone();
        let last = self.last.entry(name).or_default();
        self.out_of_order += usize::from(first > *last + 1);
        let new = (entries[entries.len() - 1].1 - *last).max(0);
        self.repeated += entries.len() as i64 - new;
        self.entries += new;
        *last += new;
        let taking = [Conduct::Take, Conduct::Garbage, Conduct::Break, Conduct::Endless];
        match (is_bad, (number / 12) % 40) {
            (true, way @ 0..4) => taking[way],
            _ => Conduct::Take,
        }
    }
}

/// `MATCHES=2000 cargo nextest run --run-ignored only -E 'test(thousands)' --no-capture`
#[tokio::test(flavor = "multi_thread")]
#[ignore = "it takes minutes"]
async fn thousands_of_deliveries_survive_a_bad_endpoint_and_kills() {
    let matches = std::env::var("MATCHES").unwrap_or_else(|_| "300".to_owned());
    let mut installation = installation("0.002").await;
    let client = installation.client(Protocol::Grpc);
    let arguments = ["load", "--matches", &matches, "--database-url"];
    let mut load = tokio::process::Command::new(env!("CARGO_BIN_EXE_croupier"));
    load.args(arguments).arg(installation.postgres().url()).stdout(std::process::Stdio::null());
    assert!(load.status().await.expect("it runs").success());
    let mut database = installation.database().await;
    let all: i64 = sqlx::query_scalar("select count(*) from entries")
        .fetch_one(&mut database)
        .await
        .expect("a number");
    let stalling = Receiver::forgetting(|_| Conduct::Stall).await;
    subscribe(&client, "stalling", &stalling).await;
    let mut endpoints = Vec::new();
    for (id, is_bad) in [("bad", true), ("worse", true), ("good", false), ("better", false)] {
        let account = Arc::new(Mutex::new(Account::default()));
        let noted = account.clone();
        let conduct =
            move |message: &Received| noted.lock().expect("no panic").conduct(message, is_bad);
        let receiver = Receiver::forgetting(conduct).await;
        subscribe(&client, id, &receiver).await;
        endpoints.push((id, receiver, account, None));
    }
    let began = Instant::now();
    let mut kills = 0;
    loop {
        sleep(Duration::from_millis(100)).await;
        for (_, _, account, done) in &mut endpoints {
            if account.lock().expect("no panic").entries == all && done.is_none() {
                *done = Some(began.elapsed());
            }
        }
        if endpoints.iter().all(|it| it.3.is_some()) {
            break;
        }
        let half = endpoints[2].2.lock().expect("no panic").entries * 3 / all;
        if half > kills {
            kills += 1;
            installation.service.kill().await;
            installation.service.start_again().await;
        }
        assert!(began.elapsed() < Duration::from_secs(1800), "not in time");
    }
    let memory = std::fs::read_to_string(format!("/proc/{}/status", installation.service.id()));
    let memory =
        memory.expect("a process").lines().find(|it| it.starts_with("VmHWM")).map(str::to_owned);
    println!("{all} entries, {kills} kills, {memory:?}");
    for (id, _, account, done) in &endpoints {
        let it = account.lock().expect("no panic");
        let (messages, most) = (it.tried.len(), it.tried.values().max());
        println!(
            "{id}: {} attempts of {messages} messages (at most {most:?}), {} taken, \
             {} entries + {} again, {} out of order, in {done:?}",
            it.attempts, it.taken, it.entries, it.repeated, it.out_of_order
        );
        assert_eq!((it.entries, it.out_of_order), (all, 0));
    }
}
