//! A platform's stream: every entry of every match, once, however often it breaks; and
//! subscriptions, where the service keeps the place.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use api::v1::stream_service_client::StreamServiceClient;
use api::v1::*;
use table::{ChaCha, Chance};
use tokio::task::JoinSet;
use tonic::Code;
use tonic::transport::{Channel, Endpoint};
use tonic_types::StatusExt;

use crate::harness::*;

/// By match: what was told of it, in order.
type Told = BTreeMap<String, Vec<Entry>>;

fn enter(told: &mut Told, entries: Vec<StreamedEntry>) {
    for streamed in entries {
        let entry = streamed.entry.expect("an entry");
        let of = entry.name.split("/entries/").next().expect("a name").to_owned();
        told.entry(of).or_default().push(entry);
    }
}

/// What lists tell of these matches.
async fn listed(client: &Client, names: &[String], viewer: &str) -> Told {
    let mut told = Told::new();
    for name in names {
        told.insert(name.clone(), entries(client, name, viewer).await);
    }
    told
}

fn count(told: &Told) -> usize {
    told.values().map(Vec::len).sum()
}

/// Plays so many matches at once, to the end.
async fn play(client: &Client, matches: u64) -> Vec<String> {
    play_some(client, matches, usize::MAX).await
}

/// Plays so many matches at once, so many actions of each.
async fn play_some(client: &Client, matches: u64, actions: usize) -> Vec<String> {
    let mut players = JoinSet::new();
    for seed in 0..matches {
        let client = client.clone();
        players.spawn(async move {
            let mut playing = Playing::new(&client, 2, seed).await;
            playing.steps(actions).await;
            playing.name
        });
    }
    players.join_all().await
}

/// A client as it is generated from the contract.
async fn connected(
    installation: &Installation,
    how: impl FnOnce(Endpoint) -> Endpoint,
) -> StreamServiceClient<Channel> {
    let address = format!("http://127.0.0.1:{}", installation.service.port());
    let endpoint = how(Endpoint::from_shared(address).expect("an address"));
    StreamServiceClient::new(endpoint.connect().await.expect("it answers"))
}

/// Reads on from `cursor` until `until` are told.
async fn read(client: &Client, request: &StreamEntriesRequest, until: usize) -> (Told, String) {
    let mut stream = client.stream(request).await;
    let (mut told, mut cursor) = (Told::new(), String::new());
    while count(&told) < until {
        let batch = stream.next().await.expect("it goes on").expect("it does not end").told;
        enter(&mut told, batch.entries);
        cursor = batch.cursor;
    }
    (told, cursor)
}

/// Each takes some milliseconds of an unoptimized program, as long as there is little to be told
/// again.
const KILLS: usize = 1000;

/// A reader that is killed again and again, and remembers what it was told and where it was. It
/// reads with a client as its users generate it, which costs less than one that speaks every
/// protocol.
struct Reader {
    client: StreamServiceClient<Channel>,
    bearer: String,
    chance: ChaCha,
    told: Told,
    cursor: String,
    kills: usize,
}

impl Reader {
    /// Opens the stream, hears up to two messages, or all there are if that is known to be enough,
    /// and is killed.
    async fn live(&mut self, all: usize) {
        let cursor = self.cursor.clone();
        let asked = StreamEntriesRequest { cursor, heartbeat_s: 1, ..<_>::default() };
        let mut request = tonic::Request::new(asked);
        request.metadata_mut().insert("authorization", self.bearer.parse().expect("a header"));
        let stream = self.client.stream_entries(request).await;
        let mut stream = stream.expect("it opens").into_inner();
        for _ in 0..self.chance.below(3) {
            if count(&self.told) == all {
                break;
            }
            let batch = stream.message().await.expect("it goes on").expect("it does not end");
            enter(&mut self.told, batch.entries);
            self.cursor = batch.cursor;
        }
        self.kills += 1;
    }
}

#[tokio::test]
async fn a_reader_killed_a_thousand_times_gets_the_full_stream() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let playing = tokio::spawn({
        let client = client.clone();
        async move { play_some(&client, 3, 12).await }
    });
    let chance = ChaCha::of([5; 32], 1);
    let (told, cursor) = (Told::new(), String::new());
    let bearer = format!("Bearer {}", installation.service.key());
    let service = connected(&installation, |endpoint| endpoint).await;
    let mut reader = Reader { client: service, bearer, chance, told, cursor, kills: 0 };
    while !playing.is_finished() {
        reader.live(usize::MAX).await;
    }
    let names = playing.await.expect("matches are played");
    let all = listed(&client, &names, "spectator").await;
    // On to the end, and again from the beginning, until it was killed often enough.
    loop {
        reader.live(count(&all)).await;
        if count(&reader.told) < count(&all) {
            continue;
        }
        assert_eq!(reader.told, all, "after {} kills", reader.kills);
        if reader.kills >= KILLS {
            return;
        }
        (reader.told, reader.cursor) = (Told::new(), String::new());
    }
}

#[tokio::test]
async fn every_protocol_streams_the_same() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let names = play(&client, 2).await;
    let all = listed(&client, &names, "spectator").await;
    for protocol in STREAMING {
        let client = client.speaking(protocol);
        let (told, _) = read(&client, &StreamEntriesRequest::default(), count(&all)).await;
        assert_eq!(told, all, "{protocol:?}");
    }
}

#[tokio::test]
async fn an_event_stream_resumes_after_its_last_event() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Events);
    let mut playing = Playing::new(&client, 2, 1).await;
    playing.steps(5).await;
    let request = StreamEntriesRequest::default();
    let mut stream = client.stream(&request).await;
    let batch = stream.next().await.expect("it goes on").expect("it does not end");
    let id = batch.id.expect("an event has an id");
    assert_eq!(id, batch.told.cursor);
    drop(stream);
    playing.steps(3).await;
    let again = client.with_header("last-event-id", id);
    let (told, _) = read(&again, &request, 3).await;
    assert_eq!(told[&playing.name], entries(&client, &playing.name, "").await[6..]);
}

#[tokio::test]
async fn every_process_streams_entries_live() {
    let installation = Installation::open().await;
    let other = installation.serve("b").await;
    let client = installation.client(Protocol::Grpc);
    let request = StreamEntriesRequest { live: true, ..<_>::default() };
    let mut streams =
        [client.stream(&request).await, other.client(Protocol::Grpc).stream(&request).await];
    let mut playing = Playing::new(&client, 2, 1).await;
    playing.steps(10).await;
    let all = entries(&client, &playing.name, "").await;
    for stream in &mut streams {
        let mut told = Told::new();
        while count(&told) < all.len() {
            let batch = stream.next().await.expect("it goes on").expect("it does not end");
            enter(&mut told, batch.told.entries);
        }
        assert_eq!(told[&playing.name], all);
    }
}

#[tokio::test]
async fn filters_narrow_a_stream() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut ours = Playing::new(&client, 2, 1).await;
    ours.finish().await;
    let players = vec!["zenobia".to_owned(), "yorick".to_owned()];
    let request = CreateMatchRequest { players, ..new_match(2) };
    let mut theirs = Playing::of(&client, &create(&client, &request).await, 2);
    theirs.finish().await;
    let all = listed(&client, &[ours.name.clone(), theirs.name.clone()], "").await;

    let check = async |filter: StreamFilter, keep: &dyn Fn(&str, &Entry) -> bool| {
        let kept = all.iter().map(|(name, entries)| {
            let kept = entries.iter().filter(|entry| keep(name, entry)).cloned();
            (name.clone(), kept.collect::<Vec<_>>())
        });
        let kept: Told = kept.filter(|(_, entries)| !entries.is_empty()).collect();
        let request = StreamEntriesRequest { filter: Some(filter), ..<_>::default() };
        let (told, _) = read(&client, &request, count(&kept)).await;
        assert_eq!(told, kept);
    };
    let games = vec![MOUNTEBANK.to_owned()];
    check(StreamFilter { games, ..<_>::default() }, &|_, _| true).await;
    let players = vec!["yorick".to_owned()];
    let filter = StreamFilter { players, ..<_>::default() };
    check(filter.clone(), &|name, _| name == theirs.name).await;
    let verb = ours.entries[0].verb.clone();
    let verbs = vec![verb.clone()];
    check(StreamFilter { verbs, ..filter }, &|name, it| name == theirs.name && it.verb == verb)
        .await;

    // What is not asked for is passed over, and a sign of life says how far.
    let games = vec!["games/whist".to_owned()];
    let filter = Some(StreamFilter { games, ..<_>::default() });
    let request = StreamEntriesRequest { filter, heartbeat_s: 1, ..<_>::default() };
    let mut stream = client.stream(&request).await;
    let sign = stream.next().await.expect("it goes on").expect("it does not end").told;
    assert!(sign.entries.is_empty());
    let request = StreamEntriesRequest { cursor: sign.cursor, heartbeat_s: 1, ..<_>::default() };
    let next = client.stream(&request).await.next().await.expect("it goes on").expect("no end");
    assert!(next.told.entries.is_empty(), "everything was passed over");
}

#[tokio::test]
async fn streams_filter_by_the_tags_at_read_time() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let tagged = async |pairs: &[(&str, &str)], seed| {
        let tags = pairs.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
        let it = create(&client, &CreateMatchRequest { tags, ..new_match(2) }).await;
        let mut playing = Playing::of(&client, &it, seed);
        playing.steps(3).await;
        playing
    };
    let mut cup = tagged(&[("event", "cup"), ("table", "7 = left")], 1).await;
    let other = tagged(&[("event", "cup"), ("table", "8")], 2).await;
    let bare = tagged(&[], 3).await;
    let asking = |tags: &[&str]| StreamEntriesRequest {
        filter: Some(StreamFilter {
            tags: tags.iter().map(|&tag| tag.to_owned()).collect(),
            ..<_>::default()
        }),
        heartbeat_s: 1,
        ..<_>::default()
    };
    let left = asking(&["event=cup", "table=7 = left"]);
    let check = async |request: &StreamEntriesRequest, names: &[&String]| {
        let names: Vec<String> = names.iter().map(|&name| name.clone()).collect();
        let all = listed(&client, &names, "").await;
        let (told, cursor) = read(&client, request, count(&all)).await;
        assert_eq!(told, all);
        let rest = StreamEntriesRequest { cursor, ..request.clone() };
        let sign = client.stream(&rest).await.next().await.expect("it goes on").expect("no end");
        assert!(sign.told.entries.is_empty(), "and nothing else");
        sign.told.cursor
    };
    let cursor = check(&left, &[&cup.name]).await;
    check(&asking(&["event=cup"]), &[&cup.name, &other.name]).await;

    // A match tagged later is told of from where the stream is, and from the beginning by one that
    // begins there.
    let tag = TagMatchRequest {
        name: bare.name.clone(),
        set: [("event".to_owned(), "cup".to_owned())].into(),
        remove: Vec::new(),
    };
    client.ask(&tag).await.expect("it is ours");
    check(&asking(&["event=cup"]), &[&cup.name, &other.name, &bare.name]).await;
    // One whose tag is taken away is told of no more.
    let tag = TagMatchRequest {
        name: cup.name.clone(),
        remove: vec!["event".to_owned()],
        ..<_>::default()
    };
    client.ask(&tag).await.expect("it is ours");
    cup.steps(2).await;
    check(&StreamEntriesRequest { cursor, ..left.clone() }, &[]).await;

    let mut request = CreateSubscriptionRequest {
        name: "subscriptions/cup".to_owned(),
        filter: asking(&["table=8", "event=cup"]).filter,
        ..<_>::default()
    };
    let it = client.ask(&request).await.expect("it is made").subscription.expect("a subscription");
    assert_eq!(it.filter.expect("a filter").tags, ["event=cup", "table=8"]);
    let consume = ConsumeSubscriptionRequest { name: it.name, ..<_>::default() };
    let batch = client.stream(&consume).await.next().await.expect("it goes on").expect("no end");
    let mut told = Told::new();
    enter(&mut told, batch.told.entries);
    assert_eq!(told, listed(&client, &[other.name], "").await);
    request.filter = left.filter;
    let refused = client.ask(&request).await.expect_err("another of that name");
    assert_eq!(refused.reason, "SUBSCRIPTION_EXISTS");

    let many: Vec<String> = (0..17).map(|n| format!("key-{n}=x")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    for (tags, reason) in [
        (&["Event=cup"][..], "INVALID_TAG"),
        (&["event=\0"], "INVALID_TAG"),
        (&["event"], "INVALID_REQUEST"),
        (&["event=cup", "event=league"], "INVALID_REQUEST"),
        (&many, "INVALID_REQUEST"),
    ] {
        let request = asking(tags);
        let refused = client.stream(&request).await.next().await.expect_err("it is refused");
        assert_eq!((refused.code, &*refused.reason), (Code::InvalidArgument, reason), "{tags:?}");
        let tags = request.filter.expect("a filter").tags;
        let refused = client.ask(&ListMatchesRequest { tags, ..<_>::default() }).await;
        assert_eq!(refused.expect_err("it is refused").reason, reason);
    }
}

#[tokio::test]
async fn a_stream_keeps_secrets_until_the_reveal() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let ended = play(&client, 1).await;
    let request = CreateMatchRequest { reveal: Reveal::Never.into(), ..new_match(2) };
    let mut closed = Playing::of(&client, &create(&client, &request).await, 3);
    closed.finish().await;
    let mut running = Playing::new(&client, 2, 2).await;
    running.steps(8).await;
    let kept = [closed.name.clone(), running.name.clone()];
    let mut all = listed(&client, &ended, "house").await;
    all.extend(listed(&client, &kept, "spectator").await);

    let request = StreamEntriesRequest { whole: true, ..<_>::default() };
    let mut stream = client.stream(&request).await;
    let mut told = Told::new();
    while count(&told) < count(&all) {
        let batch = stream.next().await.expect("it goes on").expect("it does not end").told;
        for it in &batch.entries {
            let name = &it.entry.as_ref().expect("an entry").name;
            let whole = name.starts_with(&ended[0]);
            assert_eq!(it.viewer, if whole { "house" } else { "spectator" }, "{name}");
            assert_eq!(it.game, MOUNTEBANK);
        }
        enter(&mut told, batch.entries);
    }
    assert_eq!(told, all);

    let theirs = client.holding(installation.platform("theirs").await);
    let request = StreamEntriesRequest { heartbeat_s: 1, ..<_>::default() };
    let sign = theirs.stream(&request).await.next().await.expect("it goes on").expect("no end");
    assert!(sign.told.entries.is_empty(), "another platform is told nothing");
    let seat = client.holding(token(&client, &running.name, Some(0)).await);
    let refused = seat.stream(&request).await.next().await.expect_err("it is for platforms");
    assert_eq!((refused.code, refused.reason.as_str()), (Code::PermissionDenied, "PLATFORM_ONLY"));
}

#[tokio::test]
async fn a_cursor_of_another_installation_is_refused() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 2, 1).await;
    playing.steps(3).await;
    let (_, cursor) = read(&client, &StreamEntriesRequest::default(), 4).await;
    let refusal = async |client: &Client, cursor: &str| {
        let request = StreamEntriesRequest { cursor: cursor.to_owned(), ..<_>::default() };
        let refused = client.stream(&request).await.next().await.expect_err("it is refused");
        (refused.code, refused.reason)
    };
    let invalid = (Code::InvalidArgument, "INVALID_CURSOR".to_owned());
    let theirs = client.holding(installation.platform("theirs").await);
    assert_eq!(refusal(&theirs, &cursor).await, invalid, "another platform's");
    for malformed in ["x", "not a cursor!", &cursor[1..], &cursor[..cursor.len() - 1]] {
        assert_eq!(refusal(&client, malformed).await, invalid, "{malformed}");
    }
    let other = Installation::open().await;
    sqlx::query("update houses set house = gen_random_uuid()")
        .execute(&mut other.database().await)
        .await
        .expect("another house");
    assert_eq!(refusal(&other.client(Protocol::Grpc), &cursor).await, invalid, "another house's");
    sqlx::query("delete from entries")
        .execute(&mut installation.database().await)
        .await
        .expect("gone");
    assert_eq!(
        refusal(&client, &cursor).await,
        (Code::OutOfRange, "CURSOR_AHEAD".to_owned()),
        "of a record that was lost"
    );
    let request = StreamEntriesRequest { cursor, live: true, ..<_>::default() };
    let refused = client.stream(&request).await.next().await.expect_err("one or the other");
    assert_eq!(refused.reason, "INVALID_REQUEST");
}

#[tokio::test]
async fn a_slow_consumer_gets_the_cursor_to_resume_from() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    // So little room that the service has to wait for this client to read.
    let mut narrow = connected(&installation, |it| it.initial_stream_window_size(1024)).await;
    let bearer = format!("Bearer {}", installation.service.key());
    let mut request =
        tonic::Request::new(StreamEntriesRequest { take_wait_s: 1, ..<_>::default() });
    request.metadata_mut().insert("authorization", bearer.parse().expect("a header's value"));
    let mut stream = narrow.stream_entries(request).await.expect("it opens").into_inner();
    let names = play(&client, 4).await;
    tokio::time::sleep(Duration::from_millis(2500)).await;

    let mut told = Told::new();
    let end = loop {
        match stream.message().await {
            Ok(batch) => enter(&mut told, batch.expect("it does not end well").entries),
            Err(end) => break end,
        }
    };
    assert_eq!(end.code(), Code::Aborted);
    let info = end.get_details_error_info().expect("a typed end");
    assert_eq!(info.reason, "SLOW_CONSUMER");
    let all = listed(&client, &names, "").await;
    assert!(count(&told) < count(&all), "it was ended early");
    let cursor = info.metadata["cursor"].clone();
    let request = StreamEntriesRequest { cursor, ..<_>::default() };
    let (rest, _) = read(&client, &request, count(&all) - count(&told)).await;
    for (name, entries) in rest {
        told.entry(name).or_default().extend(entries);
    }
    assert_eq!(told, all, "nothing lost, nothing twice");
}

#[tokio::test]
async fn a_stopping_service_sends_the_cursor_to_resume_from() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 2, 1).await;
    playing.steps(4).await;
    let mut stream = client.stream(&StreamEntriesRequest::default()).await;
    let batch = stream.next().await.expect("it goes on").expect("it does not end").told;
    installation.service.signal(rustix::process::Signal::TERM);
    let end = stream.next().await.expect_err("it stops");
    assert_eq!((end.code, end.reason.as_str()), (Code::Unavailable, "SHUTTING_DOWN"));
    assert_eq!(end.facts["cursor"], batch.cursor);
}

// === Subscriptions ===

async fn subscribe(client: &Client, name: &str) -> Subscription {
    let name = format!("subscriptions/{name}");
    let request = CreateSubscriptionRequest { name, ..<_>::default() };
    client.ask(&request).await.expect("it is made").subscription.expect("a subscription")
}

/// Consumes until `enough`, acknowledging each message.
async fn consume(
    client: &Client,
    name: &str,
    consumer: &str,
    told: &tokio::sync::Mutex<BTreeSet<String>>,
    enough: impl Fn(usize) -> bool,
) -> usize {
    let (name, consumer) = (name.to_owned(), consumer.to_owned());
    let request = ConsumeSubscriptionRequest {
        name: name.clone(),
        consumer,
        heartbeat_s: 1,
        ..<_>::default()
    };
    let mut stream = client.stream(&request).await;
    let mut own = 0;
    loop {
        let batch = stream.next().await.expect("it goes on").expect("it does not end").told;
        own += batch.entries.len();
        let names = batch.entries.into_iter().map(|it| it.entry.expect("an entry").name);
        told.lock().await.extend(names);
        let request = AcknowledgeEntriesRequest { name: name.clone(), cursor: batch.cursor };
        client.ask(&request).await.expect("it is noted");
        if enough(told.lock().await.len()) {
            return own;
        }
    }
}

async fn names_of(client: &Client, matches: &[String]) -> BTreeSet<String> {
    let all = listed(client, matches, "").await;
    all.into_values().flatten().map(|entry| entry.name).collect()
}

#[tokio::test]
async fn consumers_share_a_subscription_and_everything_is_delivered() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let it = subscribe(&client, "mail").await;
    let told = tokio::sync::Mutex::new(BTreeSet::new());
    let done = std::sync::atomic::AtomicUsize::new(usize::MAX);
    let enough = |count: usize| count >= done.load(std::sync::atomic::Ordering::Relaxed);
    let playing = async {
        // Both are there, and have settled who takes what.
        until("two consumers", async || {
            let request = GetSubscriptionRequest { name: it.name.clone() };
            let it = client.ask(&request).await.ok()?.subscription?;
            (it.consumers == ["a", "b"]).then_some(())
        })
        .await;
        tokio::time::sleep(Duration::from_secs(3)).await;
        let names = play(&client, 8).await;
        let all = names_of(&client, &names).await;
        done.store(all.len(), std::sync::atomic::Ordering::Relaxed);
        all
    };
    let (a, b) = (client.apart(), client.apart());
    let (all, a, b) = tokio::join!(
        playing,
        consume(&a, &it.name, "a", &told, enough),
        consume(&b, &it.name, "b", &told, enough)
    );
    assert_eq!(told.into_inner(), all);
    assert!(a > 0 && b > 0, "both had a share: {a} and {b}");

    // All is acknowledged: nobody is told anything again.
    let request = ConsumeSubscriptionRequest { name: it.name, heartbeat_s: 1, ..<_>::default() };
    let sign = client.stream(&request).await.next().await.expect("it goes on").expect("no end");
    assert!(sign.told.entries.is_empty(), "{:?}", sign.told.entries.len());
}

#[tokio::test]
async fn a_subscription_survives_restarts_of_service_and_consumers() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let it = subscribe(&client, "mail").await;
    let names = play(&client, 2).await;
    let all = names_of(&client, &names).await;
    let request = ConsumeSubscriptionRequest {
        name: it.name.clone(),
        consumer: "a".to_owned(),
        ..<_>::default()
    };
    let mut stream = client.stream(&request).await;
    let first = stream.next().await.expect("it goes on").expect("it does not end").told;
    installation.service.kill().await;
    installation.service.start_again().await;

    let again = client.stream(&request).await.next().await.expect("it goes on").expect("no end");
    assert_eq!(again.told.entries, first.entries, "what was not acknowledged is told again");
    let request = AcknowledgeEntriesRequest { name: it.name.clone(), cursor: again.told.cursor };
    client.ask(&request).await.expect("it is noted");

    let told = again.told.entries.into_iter().map(|it| it.entry.expect("an entry").name);
    let told = tokio::sync::Mutex::new(told.collect::<BTreeSet<_>>());
    if told.lock().await.len() < all.len() {
        // Another one takes over when the first has been gone for as long as a lease.
        consume(&client, &it.name, "b", &told, |count| count == all.len()).await;
    }
    assert_eq!(told.into_inner(), all);
}

#[tokio::test]
async fn subscriptions_are_stored_by_name() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest);
    let it = subscribe(&client, "mail").await;
    assert_eq!(subscribe(&client, "mail").await, it, "the same again");
    let request =
        CreateSubscriptionRequest { name: it.name.clone(), whole: true, ..<_>::default() };
    let refused = client.ask(&request).await.expect_err("another of that name");
    assert_eq!(refused.reason, "SUBSCRIPTION_EXISTS");
    subscribe(&client, "audit").await;
    let mut request = ListSubscriptionsRequest { page_size: 1, ..<_>::default() };
    let mut names = Vec::new();
    loop {
        let page = client.ask(&request).await.expect("a page");
        names.extend(page.subscriptions.into_iter().map(|it| it.name));
        request.page_token = page.next_page_token;
        if request.page_token.is_empty() {
            break;
        }
    }
    assert_eq!(names, ["subscriptions/audit", "subscriptions/mail"]);

    let theirs = client.holding(installation.platform("theirs").await);
    let name = it.name.clone();
    let unknown = theirs.ask(&GetSubscriptionRequest { name: name.clone() }).await;
    assert_eq!(unknown.expect_err("it is not theirs").reason, "SUBSCRIPTION_NOT_FOUND");
    let consume = ConsumeSubscriptionRequest { name: name.clone(), ..<_>::default() };
    let mut stream = client.stream(&consume).await;
    client.ask(&DeleteSubscriptionRequest { name: name.clone() }).await.expect("it is deleted");
    let end = stream.next().await.expect_err("it is gone");
    assert_eq!((end.code, end.reason.as_str()), (Code::NotFound, "SUBSCRIPTION_NOT_FOUND"));
    let gone = client.ask(&DeleteSubscriptionRequest { name }).await.expect_err("it is gone");
    assert_eq!(gone.reason, "SUBSCRIPTION_NOT_FOUND");
}
