//! A platform's stream has every entry of every match once, however often it breaks; subscriptions
//! store the position in the service.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use contract::v1::stream_service_client::StreamServiceClient;
use contract::v1::*;
use table::{ChaCha, Chance};
use tokio::task::JoinSet;
use tonic::Code;
use tonic::transport::{Channel, Endpoint};
use tonic_types::StatusExt;

use crate::harness::*;

/// Received entries by match, in order.
type EntriesByMatch = BTreeMap<String, Vec<Entry>>;

fn collect(received: &mut EntriesByMatch, entries: Vec<StreamedEntry>) {
    for streamed in entries {
        let entry = streamed.entry.expect("an entry");
        let of = entry.name.split("/entries/").next().expect("a name").to_owned();
        received.entry(of).or_default().push(entry);
    }
}

/// The entries of these matches as `ListEntries` returns them.
async fn listed(client: &Client, names: &[String], viewer: &str) -> EntriesByMatch {
    let mut received = EntriesByMatch::new();
    for name in names {
        received.insert(name.clone(), entries(client, name, viewer).await);
    }
    received
}

fn count(received: &EntriesByMatch) -> usize {
    received.values().map(Vec::len).sum()
}

/// Plays this many matches concurrently to the end.
async fn play(client: &Client, matches: u64) -> Vec<String> {
    play_some(client, matches, usize::MAX).await
}

/// Plays this many actions in each of this many matches.
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

/// A client generated from the contract.
async fn connected(
    installation: &Installation,
    how: impl FnOnce(Endpoint) -> Endpoint,
) -> StreamServiceClient<Channel> {
    let address = format!("http://127.0.0.1:{}", installation.service.port());
    let endpoint = how(Endpoint::from_shared(address).expect("an address"));
    StreamServiceClient::new(endpoint.connect().await.expect("it answers"))
}

/// Reads from `cursor` until `until` entries are received.
async fn read(
    client: &Client,
    request: &StreamEntriesRequest,
    until: usize,
) -> (EntriesByMatch, String) {
    let mut stream = client.stream(request).await;
    let (mut received, mut cursor) = (EntriesByMatch::new(), String::new());
    while count(&received) < until {
        let batch = stream.next().await.expect("it goes on").expect("it does not end").message;
        collect(&mut received, batch.entries);
        cursor = batch.cursor;
    }
    (received, cursor)
}

/// Each takes a few milliseconds of an unoptimized program, as long as little is repeated.
const KILLS: usize = 1000;

/// A reader that is killed repeatedly and remembers its entries and its cursor. It uses a generated
/// client, which costs less than the harness' client.
struct Reader {
    client: StreamServiceClient<Channel>,
    bearer: String,
    chance: ChaCha,
    received: EntriesByMatch,
    cursor: String,
    kills: usize,
}

impl Reader {
    /// Opens the stream, receives up to two messages (or all, if the total is known), and is
    /// killed.
    async fn live(&mut self, all: usize) {
        let cursor = self.cursor.clone();
        let asked = StreamEntriesRequest {
            cursor,
            heartbeat: Some(contract::seconds(1)),
            ..<_>::default()
        };
        let mut request = tonic::Request::new(asked);
        request.metadata_mut().insert("authorization", self.bearer.parse().expect("a header"));
        let stream = self.client.stream_entries(request).await;
        let mut stream = stream.expect("it opens").into_inner();
        for _ in 0..self.chance.below(3) {
            if count(&self.received) == all {
                break;
            }
            let batch = stream.message().await.expect("it goes on").expect("it does not end");
            collect(&mut self.received, batch.entries);
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
    let (received, cursor) = (EntriesByMatch::new(), String::new());
    let bearer = format!("Bearer {}", installation.service.key());
    let service = connected(&installation, |endpoint| endpoint).await;
    let mut reader = Reader { client: service, bearer, chance, received, cursor, kills: 0 };
    while !playing.is_finished() {
        reader.live(usize::MAX).await;
    }
    let names = playing.await.expect("matches are played");
    let all = listed(&client, &names, "spectator").await;
    // Reads to the end, and again from the beginning, until it was killed often enough.
    loop {
        reader.live(count(&all)).await;
        if count(&reader.received) < count(&all) {
            continue;
        }
        assert_eq!(reader.received, all, "after {} kills", reader.kills);
        if reader.kills >= KILLS {
            return;
        }
        (reader.received, reader.cursor) = (EntriesByMatch::new(), String::new());
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
        let (received, _) = read(&client, &StreamEntriesRequest::default(), count(&all)).await;
        assert_eq!(received, all, "{protocol:?}");
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
    assert_eq!(id, batch.message.cursor);
    drop(stream);
    playing.steps(3).await;
    let again = client.with_header("last-event-id", id);
    let (received, _) = read(&again, &request, 3).await;
    assert_eq!(received[&playing.name], entries(&client, &playing.name, "").await[6..]);
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
        let mut received = EntriesByMatch::new();
        while count(&received) < all.len() {
            let batch = stream.next().await.expect("it goes on").expect("it does not end");
            collect(&mut received, batch.message.entries);
        }
        assert_eq!(received[&playing.name], all);
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
        let kept: EntriesByMatch = kept.filter(|(_, entries)| !entries.is_empty()).collect();
        let request = StreamEntriesRequest { filter: Some(filter), ..<_>::default() };
        let (received, _) = read(&client, &request, count(&kept)).await;
        assert_eq!(received, kept);
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

    // Entries that the filter excludes are passed over, and a heartbeat carries the cursor.
    let games = vec!["games/whist".to_owned()];
    let filter = Some(StreamFilter { games, ..<_>::default() });
    let request =
        StreamEntriesRequest { filter, heartbeat: Some(contract::seconds(1)), ..<_>::default() };
    let mut stream = client.stream(&request).await;
    let sign = stream.next().await.expect("it goes on").expect("it does not end").message;
    assert!(sign.entries.is_empty());
    let request = StreamEntriesRequest {
        cursor: sign.cursor,
        heartbeat: Some(contract::seconds(1)),
        ..<_>::default()
    };
    let next = client.stream(&request).await.next().await.expect("it goes on").expect("no end");
    assert!(next.message.entries.is_empty(), "everything was passed over");
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
        heartbeat: Some(contract::seconds(1)),
        ..<_>::default()
    };
    let left = asking(&["event=cup", "table=7 = left"]);
    let check = async |request: &StreamEntriesRequest, names: &[&String]| {
        let names: Vec<String> = names.iter().map(|&name| name.clone()).collect();
        let all = listed(&client, &names, "").await;
        let (received, cursor) = read(&client, request, count(&all)).await;
        assert_eq!(received, all);
        let rest = StreamEntriesRequest { cursor, ..request.clone() };
        let sign = client.stream(&rest).await.next().await.expect("it goes on").expect("no end");
        assert!(sign.message.entries.is_empty(), "and nothing else");
        sign.message.cursor
    };
    let cursor = check(&left, &[&cup.name]).await;
    check(&asking(&["event=cup"]), &[&cup.name, &other.name]).await;

    // A match tagged later appears from the current cursor on, and from the beginning in a stream
    // that starts there.
    let tag = TagMatchRequest {
        name: bare.name.clone(),
        set: [("event".to_owned(), "cup".to_owned())].into(),
        remove: Vec::new(),
    };
    client.ask(&tag).await.expect("it is ours");
    check(&asking(&["event=cup"]), &[&cup.name, &other.name, &bare.name]).await;
    // A match whose tag is removed no longer appears.
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
    let mut received = EntriesByMatch::new();
    collect(&mut received, batch.message.entries);
    assert_eq!(received, listed(&client, &[other.name], "").await);
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

    let request = StreamEntriesRequest { unredacted: true, ..<_>::default() };
    let mut stream = client.stream(&request).await;
    let mut received = EntriesByMatch::new();
    while count(&received) < count(&all) {
        let batch = stream.next().await.expect("it goes on").expect("it does not end").message;
        for it in &batch.entries {
            let name = &it.entry.as_ref().expect("an entry").name;
            let whole = name.starts_with(&ended[0]);
            assert_eq!(it.viewer, if whole { "house" } else { "spectator" }, "{name}");
            assert_eq!(it.game, MOUNTEBANK);
        }
        collect(&mut received, batch.entries);
    }
    assert_eq!(received, all);

    let theirs = client.holding(installation.platform("theirs").await);
    let request = StreamEntriesRequest { heartbeat: Some(contract::seconds(1)), ..<_>::default() };
    let sign = theirs.stream(&request).await.next().await.expect("it goes on").expect("no end");
    assert!(sign.message.entries.is_empty(), "another platform is told nothing");
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
    sqlx::query("update installation set installation_id = gen_random_uuid()")
        .execute(&mut other.database().await)
        .await
        .expect("another identity");
    assert_eq!(
        refusal(&other.client(Protocol::Grpc), &cursor).await,
        invalid,
        "another installation's"
    );
    sqlx::query("delete from entries")
        .execute(&mut installation.database().await)
        .await
        .expect("gone");
    let request = StreamEntriesRequest { cursor: cursor.clone(), ..<_>::default() };
    let told = client.stream(&request).await.next().await.expect("it goes on").expect("a notice");
    assert!(told.message.went_back.is_some(), "of a record that was lost");
    let request = StreamEntriesRequest { cursor, live: true, ..<_>::default() };
    let refused = client.stream(&request).await.next().await.expect_err("one or the other");
    assert_eq!(refused.reason, "INVALID_REQUEST");
}

#[tokio::test]
async fn a_slow_consumer_gets_the_cursor_to_resume_from() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    // A receive window so small that the service has to wait for this client.
    let mut narrow = connected(&installation, |it| it.initial_stream_window_size(1024)).await;
    let bearer = format!("Bearer {}", installation.service.key());
    let mut request = tonic::Request::new(StreamEntriesRequest {
        send_timeout: Some(contract::seconds(1)),
        ..<_>::default()
    });
    request.metadata_mut().insert("authorization", bearer.parse().expect("a header's value"));
    let mut stream = narrow.stream_entries(request).await.expect("it opens").into_inner();
    let names = play(&client, 4).await;
    tokio::time::sleep(Duration::from_millis(2500)).await;

    let mut received = EntriesByMatch::new();
    let end = loop {
        match stream.message().await {
            Ok(batch) => collect(&mut received, batch.expect("it does not end well").entries),
            Err(end) => break end,
        }
    };
    assert_eq!(end.code(), Code::Aborted);
    let info = end.get_details_error_info().expect("a typed end");
    assert_eq!(info.reason, "SLOW_CONSUMER");
    let all = listed(&client, &names, "").await;
    assert!(count(&received) < count(&all), "it was ended early");
    let cursor = info.metadata["cursor"].clone();
    let request = StreamEntriesRequest { cursor, ..<_>::default() };
    let (rest, _) = read(&client, &request, count(&all) - count(&received)).await;
    for (name, entries) in rest {
        received.entry(name).or_default().extend(entries);
    }
    assert_eq!(received, all, "nothing lost, nothing twice");
}

#[tokio::test]
async fn a_stopping_service_sends_the_cursor_to_resume_from() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 2, 1).await;
    playing.steps(4).await;
    let mut stream = client.stream(&StreamEntriesRequest::default()).await;
    let batch = stream.next().await.expect("it goes on").expect("it does not end").message;
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
    received: &tokio::sync::Mutex<BTreeSet<String>>,
    enough: impl Fn(usize) -> bool,
) -> usize {
    let (name, consumer) = (name.to_owned(), consumer.to_owned());
    let request = ConsumeSubscriptionRequest {
        name: name.clone(),
        consumer,
        heartbeat: Some(contract::seconds(1)),
        ..<_>::default()
    };
    let mut stream = client.stream(&request).await;
    let mut own = 0;
    loop {
        let batch = stream.next().await.expect("it goes on").expect("it does not end").message;
        own += batch.entries.len();
        let names = batch.entries.into_iter().map(|it| it.entry.expect("an entry").name);
        received.lock().await.extend(names);
        let request = AcknowledgeEntriesRequest { name: name.clone(), cursor: batch.cursor };
        client.ask(&request).await.expect("it is noted");
        if enough(received.lock().await.len()) {
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
    let received = tokio::sync::Mutex::new(BTreeSet::new());
    let mut database = installation.database().await;
    let done = std::sync::atomic::AtomicUsize::new(usize::MAX);
    let enough = |count: usize| count >= done.load(std::sync::atomic::Ordering::Relaxed);
    let playing = async {
        // Both consumers have their shares.
        until("two consumers", async || {
            let request = GetSubscriptionRequest { name: it.name.clone() };
            let it = client.ask(&request).await.ok()?.subscription?;
            (it.consumers == ["a", "b"]).then_some(())
        })
        .await;
        let shares = "select count(*) from subscription_cursors
             where consumer in ('a', 'b') group by consumer having count(*) >= 16";
        until("a share of the buckets each", async || {
            let shares = sqlx::query_scalar::<_, i64>(shares).fetch_all(&mut database).await;
            (shares.expect("counts").len() == 2).then_some(())
        })
        .await;
        // Chance divides the matches: of so many, all are never one consumer's.
        let names = play_some(&client, 80, 2).await;
        let all = names_of(&client, &names).await;
        done.store(all.len(), std::sync::atomic::Ordering::Relaxed);
        all
    };
    let (a, b) = (client.apart(), client.apart());
    let (all, a, b) = tokio::join!(
        playing,
        consume(&a, &it.name, "a", &received, enough),
        consume(&b, &it.name, "b", &received, enough)
    );
    assert_eq!(received.into_inner(), all);
    assert!(a > 0 && b > 0, "both had a share: {a} and {b}");

    // Everything is acknowledged, so nothing is delivered again.
    let request = ConsumeSubscriptionRequest {
        name: it.name,
        heartbeat: Some(contract::seconds(1)),
        ..<_>::default()
    };
    let sign = client.stream(&request).await.next().await.expect("it goes on").expect("no end");
    assert!(sign.message.entries.is_empty(), "{:?}", sign.message.entries.len());
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
    let first = stream.next().await.expect("it goes on").expect("it does not end").message;
    installation.service.kill().await;
    installation.service.start_again().await;

    let again = client.stream(&request).await.next().await.expect("it goes on").expect("no end");
    assert_eq!(again.message.entries, first.entries, "what was not acknowledged is told again");
    let request = AcknowledgeEntriesRequest { name: it.name.clone(), cursor: again.message.cursor };
    client.ask(&request).await.expect("it is noted");

    let received = again.message.entries.into_iter().map(|it| it.entry.expect("an entry").name);
    let received = tokio::sync::Mutex::new(received.collect::<BTreeSet<_>>());
    if received.lock().await.len() < all.len() {
        // Another consumer takes over a lease after the first was gone.
        consume(&client, &it.name, "b", &received, |count| count == all.len()).await;
    }
    assert_eq!(received.into_inner(), all);
}

#[tokio::test]
async fn subscriptions_are_stored_by_name() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest);
    let it = subscribe(&client, "mail").await;
    assert_eq!(subscribe(&client, "mail").await, it, "the same again");
    let request =
        CreateSubscriptionRequest { name: it.name.clone(), unredacted: true, ..<_>::default() };
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
    client
        .ask(&DeleteSubscriptionRequest { name: name.clone(), ..<_>::default() })
        .await
        .expect("it is deleted");
    let end = stream.next().await.expect_err("it is gone");
    assert_eq!((end.code, end.reason.as_str()), (Code::NotFound, "SUBSCRIPTION_NOT_FOUND"));
    let again = DeleteSubscriptionRequest { name, ..<_>::default() };
    let gone = client.ask(&again).await.expect_err("it is gone");
    assert_eq!(gone.reason, "SUBSCRIPTION_NOT_FOUND");
    let again = DeleteSubscriptionRequest { allow_missing: true, ..again };
    client.ask(&again).await.expect("it may be gone");
}
