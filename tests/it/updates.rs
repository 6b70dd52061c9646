//! Matches and subscriptions are changed after their creation, and every process shows it; a match
//! is returned as another viewer gets it.

use std::collections::BTreeMap;

use contract::field_mask;
use contract::v1::*;
use tonic::Code;

use crate::harness::*;
use crate::webhooks::{allow, subscribe};

fn fields(named: &[&str]) -> Option<prost_types::FieldMask> {
    Some(field_mask(named.iter().map(|it| (*it, true))))
}

/// A request to change these fields of a match.
fn changing(named: &[&str], to: Match) -> UpdateMatchRequest {
    UpdateMatchRequest { r#match: Some(to), update_mask: fields(named), ..<_>::default() }
}

async fn updated(client: &Client, request: &UpdateMatchRequest) -> Match {
    let answer = client.ask(request).await.unwrap_or_else(|error| panic!("{error:?}"));
    answer.r#match.expect("a match")
}

/// The names of the matches of the lobby.
async fn lobby(client: &Client) -> Vec<String> {
    let page = client.ask(&ListOpenMatchesRequest::default()).await.expect("a page");
    page.matches.into_iter().map(|it| it.name).collect()
}

fn tags(tags: &[(&str, &str)]) -> std::collections::HashMap<String, String> {
    tags.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

#[tokio::test]
async fn an_update_changes_the_fields_that_it_names_and_no_others() {
    let installation = Installation::open().await;
    let second = installation.serve("b").await;
    let key = installation.client(Protocol::Grpc);
    let ann = second.client(Protocol::Rest).holding(player_token(&key, "ann").await);
    for protocol in PROTOCOLS {
        let client = key.speaking(protocol);
        let other = second.client(protocol);
        let new = CreateMatchRequest {
            display_name: "Friday night".to_owned(),
            tags: tags(&[("event", "cup"), ("round", "1")]),
            players: vec!["bob".to_owned()],
            lobby: false,
            ..new_match(2)
        };
        let it = create(&client, &new).await;
        assert_eq!(it.display_name, "Friday night");
        let name = it.name.clone();
        // Both processes have the match in memory.
        assert_eq!(get(&other, &name).await, it);
        let refused = ann.ask(&GetMatchRequest { name: name.clone(), ..<_>::default() }).await;
        refused.expect_err("it is not in the lobby").check(Code::NotFound, "MATCH_NOT_FOUND");

        let listed = Match {
            name: name.clone(),
            lobby: true,
            // Not named, so they change nothing.
            display_name: "Saturday".to_owned(),
            game: "games/rigs".to_owned(),
            ..Match::default()
        };
        let it = updated(&client, &changing(&["lobby"], listed)).await;
        assert_eq!((it.lobby, &*it.display_name, it.tags.len()), (true, "Friday night", 2));
        assert_eq!(get(&other, &name).await, it);
        assert!(lobby(&client).await.contains(&name) && lobby(&other).await.contains(&name));
        for viewer in ["", "spectator"].map(str::to_owned) {
            let asked = GetMatchRequest { name: name.clone(), viewer, ..<_>::default() };
            ann.ask(&asked).await.expect("it is in the lobby");
        }
        let seen = ann.ask(&GetMatchRequest { name: name.clone(), ..<_>::default() }).await;
        let seen = seen.expect("it is in the lobby").r#match.expect("a match");
        assert_eq!((&*seen.display_name, seen.tags.len()), ("Friday night", 0), "no tags for her");

        let renamed = Match {
            name: name.clone(),
            display_name: "Saturday night".to_owned(),
            tags: tags(&[("round", "2"), ("board", "7")]),
            ..Match::default()
        };
        let it = updated(&client, &changing(&["tags", "display_name"], renamed)).await;
        assert_eq!(it.tags, tags(&[("round", "2"), ("board", "7")]), "all tags are replaced");
        assert!(it.lobby);
        assert_eq!(get(&other, &name).await, it);

        let hidden = Match { name: name.clone(), ..Match::default() };
        let it = updated(&client, &changing(&["lobby"], hidden.clone())).await;
        assert!(!it.lobby && !lobby(&other).await.contains(&name));
        let join = JoinMatchRequest { name: name.clone(), ..<_>::default() };
        let refused = ann.ask(&join).await.expect_err("it is not in the lobby any more");
        refused.check(Code::NotFound, "MATCH_NOT_FOUND");

        // It starts, and ends; its name may change at any time.
        let join = JoinMatchRequest { name: name.clone(), player: "ann".to_owned(), ..join };
        client.ask(&join).await.expect("a seat");
        let seat = other.holding(token(&client, &name, Some(1)).await);
        assert_eq!(get(&seat, &name).await.display_name, "Saturday night");
        let again = Match { name: name.clone(), lobby: true, ..Match::default() };
        let refused = client.ask(&changing(&["lobby"], again)).await.expect_err("it has started");
        refused.check(Code::FailedPrecondition, "MATCH_STARTED");
        let it = updated(&client, &changing(&["display_name", "tags", "lobby"], hidden)).await;
        assert_eq!((&*it.display_name, it.tags.len(), it.position), ("", 0, 1));
        assert_eq!(get(&seat, &name).await.display_name, "", "at another process, too");
        assert_eq!(get(&other, &name).await, it);
    }
}

#[tokio::test]
async fn an_update_that_is_refused_changes_nothing() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest);
    let new = CreateMatchRequest { lobby: true, players: Vec::new(), ..new_match(2) };
    let it = create(&client, &new).await;
    let to = |to: Match| Match { name: it.name.clone(), ..to };
    let long = "x".repeat(65);
    let many: Vec<String> = (0..17).map(|n| format!("key-{n}")).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|key| (&**key, "")).collect();
    for (named, change, reason, field) in [
        (vec![], Match::default(), "INVALID_REQUEST", "update_mask"),
        (vec!["seats"], Match::default(), "INVALID_REQUEST", "update_mask"),
        (vec!["lobby", "options"], Match::default(), "INVALID_REQUEST", "update_mask"),
        (
            vec!["lobby", "display_name"],
            Match { display_name: long, ..<_>::default() },
            "INVALID_REQUEST",
            "match.display_name",
        ),
        (
            vec!["lobby", "tags"],
            Match { tags: tags(&[("Event", "cup")]), ..<_>::default() },
            "INVALID_TAG",
            "match.tags",
        ),
    ] {
        let refused = client.ask(&changing(&named, to(change))).await.expect_err("it is refused");
        refused.check(Code::InvalidArgument, reason);
        assert_eq!(refused.facts["field"], field, "{named:?}");
        assert_eq!(get(&client, &it.name).await, it);
    }
    let unknown = client.ask(&changing(&["seats"], to(Match::default()))).await;
    let message = unknown.expect_err("it is refused").message;
    assert!(message.contains("known: display_name, lobby, tags"), "{message}");
    let much = Match { tags: tags(&many), ..<_>::default() };
    let refused = client.ask(&changing(&["tags"], to(much))).await.expect_err("it is refused");
    refused.check(Code::FailedPrecondition, "TOO_MANY_TAGS");
    assert_eq!(get(&client, &it.name).await, it);
    let seat = client.holding(player_token(&client, "ann").await);
    let refused = seat.ask(&changing(&["lobby"], to(Match::default()))).await;
    refused.expect_err("a platform's").check(Code::PermissionDenied, "PLATFORM_ONLY");
}

#[tokio::test]
async fn a_match_with_a_name_is_deleted_and_created_once() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let new = CreateMatchRequest {
        display_name: "Friday".to_owned(),
        request_id: "r-1".to_owned(),
        players: Vec::new(),
        ..new_match(2)
    };
    let it = create(&client, &new).await;
    assert_eq!(create(&client, &new).await, it);
    let other = CreateMatchRequest { display_name: "Saturday".to_owned(), ..new.clone() };
    let refused = client.ask(&other).await.expect_err("another request");
    refused.check(Code::AlreadyExists, "REQUEST_ID_REUSED");
    let renamed = Match { display_name: "Sunday".to_owned(), name: it.name.clone(), ..it.clone() };
    updated(&client, &changing(&["display_name"], renamed)).await;
    assert_eq!(create(&client, &new).await.display_name, "Sunday", "a retry finds it as it is");
    let delete = DeleteMatchRequest { name: it.name.clone(), ..<_>::default() };
    client.ask(&delete).await.expect("it waits for players");
    let mut database = installation.database().await;
    let count: i64 = sqlx::query_scalar("select count(*) from match_names")
        .fetch_one(&mut database)
        .await
        .expect("a count");
    assert_eq!(count, 0);
}

#[tokio::test]
async fn a_platform_gets_a_match_as_its_viewers_do() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let new = CreateMatchRequest { tags: tags(&[("event", "cup")]), ..new_match(2) };
    let it = create(&key, &new).await;
    let asking = |viewer: &str| GetMatchRequest {
        name: it.name.clone(),
        viewer: viewer.to_owned(),
        language: "en".to_owned(),
    };
    let seen = async |client: &Client, viewer: &str| {
        let answer = client.ask(&asking(viewer)).await;
        answer.map(|answer| answer.r#match.expect("a match"))
    };
    for protocol in PROTOCOLS {
        let client = key.speaking(protocol);
        for (seat, viewer) in [(Some(0), "seats/0"), (Some(1), "seats/1"), (None, "spectator")] {
            let own = client.holding(token(&key, &it.name, seat).await);
            let theirs = seen(&own, "").await.expect("its own match");
            assert_eq!(seen(&client, viewer).await.expect("any viewer"), theirs);
            assert_eq!(seen(&own, viewer).await.expect("itself"), theirs);
            let addressed = theirs.summary.contains("you") || theirs.summary.contains("You");
            assert_eq!(addressed, seat.is_some(), "{}", theirs.summary);
        }
        let own = seen(&client, "").await.expect("its own match");
        assert_eq!(own.tags, new.tags);
        let refused = seen(&client, "house").await.expect_err("it has not ended");
        refused.check(Code::FailedPrecondition, "MATCH_NOT_ENDED");
        for wrong in ["seats/2", "nobody"] {
            let refused = seen(&client, wrong).await.expect_err("no such viewer");
            refused.check(Code::InvalidArgument, "INVALID_REQUEST");
        }
        let seat = client.holding(token(&key, &it.name, Some(0)).await);
        let refused = seen(&seat, "seats/1").await.expect_err("another's seat");
        refused.check(Code::PermissionDenied, "NOT_YOUR_SEAT");
    }
}

fn subscription(id: &str, filter: StreamFilter) -> Subscription {
    let name = format!("subscriptions/{id}");
    Subscription { name, filter: Some(filter), ..Subscription::default() }
}

/// A request to change these fields of a subscription.
fn to(named: &[&str], subscription: Subscription) -> UpdateSubscriptionRequest {
    let update_mask = fields(named);
    UpdateSubscriptionRequest { subscription: Some(subscription), update_mask }
}

fn happening(happenings: &[Happening]) -> StreamFilter {
    let happenings = happenings.iter().map(|&it| it.into()).collect();
    StreamFilter { happenings, ..StreamFilter::default() }
}

/// A match that starts and is resigned at once: two entries and more.
async fn played(client: &Client) -> String {
    let name = create(client, &new_match(2)).await.name;
    let resign = ResignMatchRequest { name: name.clone(), seat: Some(0), ..<_>::default() };
    client.ask(&resign).await.expect("any time");
    name
}

#[tokio::test]
async fn consumers_at_every_process_follow_a_changed_filter_and_keep_their_place() {
    let installation = Installation::open().await;
    let second = installation.serve("b").await;
    let (client, other) =
        (installation.client(Protocol::Grpc), second.client(Protocol::ConnectProto));
    let name = "subscriptions/results".to_owned();
    let ends = happening(&[Happening::Ended]);
    let new = CreateSubscriptionRequest {
        name: name.clone(),
        filter: Some(ends.clone()),
        ..<_>::default()
    };
    client.ask(&new).await.expect("it is made");
    let consume = ConsumeSubscriptionRequest {
        name: name.clone(),
        consumer: "b".to_owned(),
        heartbeat: Some(contract::seconds(1)),
        ..<_>::default()
    };
    let mut stream = other.stream(&consume).await;
    // How often each entry was told, by what happened with it.
    let mut told: BTreeMap<String, (usize, Vec<i32>)> = BTreeMap::new();
    let mut next = async |told: &mut BTreeMap<String, (usize, Vec<i32>)>| {
        let batch = stream.next().await.expect("it goes on").expect("it does not end").message;
        for it in batch.entries {
            let name = it.entry.expect("an entry").name;
            told.entry(name).or_insert((0, it.happenings)).0 += 1;
        }
        let cursor = batch.cursor;
        let request = AcknowledgeEntriesRequest { name: name.clone(), cursor };
        other.ask(&request).await.expect("it is noted");
    };
    let first = played(&client).await;
    while told.is_empty() {
        next(&mut told).await;
    }
    let starts = happening(&[Happening::Started, Happening::Ended]);
    let request = to(&["filter"], subscription("results", starts.clone()));
    let it = client.ask(&request).await.expect("it is changed").subscription;
    assert_eq!(it.expect("a subscription").filter, Some(starts.clone()));
    let asked = GetSubscriptionRequest { name: name.clone() };
    let it = other.ask(&asked).await.expect("it is there").subscription.expect("a subscription");
    assert_eq!((it.filter, &it.consumers[..]), (Some(starts.clone()), &["b".to_owned()][..]));
    // The same subscription is the one that it is now.
    let same = CreateSubscriptionRequest { filter: Some(starts), ..new.clone() };
    client.ask(&same).await.expect("there is one");
    let refused = client.ask(&new).await.expect_err("as it was");
    refused.check(Code::AlreadyExists, "SUBSCRIPTION_EXISTS");

    let is_start = |told: &BTreeMap<String, (usize, Vec<i32>)>| {
        let start = i32::from(Happening::Started);
        told.values().any(|(_, happenings)| happenings.contains(&start))
    };
    let mut matches = vec![first];
    while !is_start(&told) {
        matches.push(played(&client).await);
        next(&mut told).await;
    }
    // Every end was told, and nothing twice, whichever filter it passed.
    let end = i32::from(Happening::Ended);
    let ended = |told: &BTreeMap<String, (usize, Vec<i32>)>| {
        told.values().filter(|(_, happenings)| happenings.contains(&end)).count()
    };
    while ended(&told) < matches.len() {
        next(&mut told).await;
    }
    assert!(told.values().all(|(times, _)| *times == 1), "{told:?}");
    assert_eq!(ended(&told), matches.len());
}

#[tokio::test]
async fn an_endpoint_receives_what_the_changed_filter_asks_for() {
    let mut installation = Installation::open().await;
    allow(&mut installation.service, "1").await;
    let client = installation.client(Protocol::Rest);
    let (old, new) = (Receiver::open().await, Receiver::open().await);
    subscribe(&client, "feed", &old).await;
    let first = played(&client).await;
    let count = get(&client, &first).await.position as usize;
    old.takes(count).await;

    let push = Some(Push { url: new.url.clone(), ..Push::default() });
    let ends = Subscription { push, ..subscription("feed", happening(&[Happening::Ended])) };
    let it = client.ask(&to(&["push.url", "filter"], ends.clone())).await.expect("changed");
    let it = it.subscription.expect("a subscription");
    assert_eq!((it.filter, it.push.expect("it is sent").url), (ends.filter, new.url.clone()));
    // Until then, the earlier endpoint is told everything.
    let mut matches = Vec::new();
    until("the first message at the new endpoint", async || {
        matches.push(played(&client).await);
        (!new.received().is_empty()).then_some(())
    })
    .await;
    let last = played(&client).await;
    until("the end of the last match", async || new.taken().contains_key(&last).then_some(()))
        .await;
    let ended = get(&client, &last).await.position;
    assert_eq!(new.taken()[&last], [i64::from(ended)], "the end alone");
    assert!(!new.taken().contains_key(&first), "what was delivered is not sent again");
    // Matches are sent side by side, so the last one may arrive before others.
    for name in &matches {
        let end = (name.clone(), i64::from(get(&client, name).await.position));
        let times = || {
            let received = [&old, &new].iter().flat_map(|it| it.received()).collect::<Vec<_>>();
            received.iter().flat_map(Received::entries).filter(|it| *it == end).count()
        };
        until(&format!("the end of {name}"), async || (times() > 0).then_some(())).await;
        assert_eq!(times(), 1, "each end is told, once: {name}");
    }

    let inside = Some(Push { url: "ftp://example.com/".to_owned(), ..Push::default() });
    let inside = Subscription { push: inside, ..subscription("feed", StreamFilter::default()) };
    let refused = client.ask(&to(&["filter", "push.url"], inside.clone())).await;
    let refused = refused.expect_err("no URL to send to");
    refused.check(Code::InvalidArgument, "WEBHOOK_URL_REFUSED");
    assert_eq!(refused.facts["field"], "subscription.push.url");
    let asked = GetSubscriptionRequest { name: "subscriptions/feed".to_owned() };
    let it = client.ask(&asked).await.expect("it is there").subscription.expect("a subscription");
    assert_eq!(it.filter, Some(happening(&[Happening::Ended])), "all of it or nothing");
    let refused = client.ask(&to(&["cursor"], inside)).await.expect_err("it is not to be changed");
    refused.check(Code::InvalidArgument, "INVALID_REQUEST");
    assert!(refused.message.contains("known: filter, unredacted, push.url"), "{refused:?}");
}

#[tokio::test]
async fn a_subscription_that_is_not_sent_has_no_url_to_change() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let name = "subscriptions/mail".to_owned();
    let mail = CreateSubscriptionRequest { name: name.clone(), ..<_>::default() };
    client.ask(&mail).await.expect("one that is not sent");
    let push = Some(Push { url: "https://1.1.1.1/".to_owned(), ..Push::default() });
    let sent = Subscription { push, unredacted: true, ..subscription("mail", <_>::default()) };
    let refused = client.ask(&to(&["push.url", "unredacted"], sent.clone())).await;
    let refused = refused.expect_err("there is nothing to change");
    refused.check(Code::FailedPrecondition, "SUBSCRIPTION_NOT_PUSHED");
    let it = client.ask(&to(&["unredacted"], sent.clone())).await.expect("it is changed");
    assert!(it.subscription.expect("a subscription").unredacted);
    let none = Subscription { name: "subscriptions/none".to_owned(), ..sent.clone() };
    let refused = client.ask(&to(&["filter"], none)).await.expect_err("there is none");
    refused.check(Code::NotFound, "SUBSCRIPTION_NOT_FOUND");
    let tags = StreamFilter { tags: vec!["Event=cup".to_owned()], ..<_>::default() };
    let refused = client.ask(&to(&["filter"], subscription("mail", tags))).await;
    let refused = refused.expect_err("no tag has such a key");
    refused.check(Code::InvalidArgument, "INVALID_TAG");
    assert_eq!(refused.facts["field"], "subscription.filter.tags");
    let rival = client.holding(installation.platform("rival").await);
    let refused = rival.ask(&to(&["unredacted"], sent)).await.expect_err("another's");
    refused.check(Code::NotFound, "SUBSCRIPTION_NOT_FOUND");
}
