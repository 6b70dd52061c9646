//! A database that goes back under a running service, and one whose rows somebody altered: both are
//! noticed, told, and never built upon.

use std::collections::BTreeMap;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use contract::v1::*;
use http::StatusCode;
use ring::signature::{ED25519, UnparsedPublicKey};
use rustix::process::Signal;
use serde_json::Value;
use sqlx::AssertSqlSafe;
use tonic::Code;

use crate::files::run;
use crate::harness::*;
use crate::metering::{figure, scrape};

/// Removes the entries after a position, as a standby that takes over may lack them.
pub async fn lose_after(installation: &Installation, position: i64) {
    let lost = sqlx::query("delete from entries where position > $1")
        .bind(position)
        .execute(&mut installation.database().await)
        .await
        .expect("the database answers");
    assert!(lost.rows_affected() > 0);
}

/// Reads a match until the service has noticed that its record went back to the sixth entry.
async fn settled(client: &Client, name: &str) {
    let request = GetMatchRequest { name: name.to_owned(), ..GetMatchRequest::default() };
    let read = async || {
        let answer = client.ask(&request).await.expect("it says nothing that could be gone");
        answer.r#match.filter(|it| it.position == 6)
    };
    until("the match as it is now", read).await;
}

fn watching(name: &str, after_position: i32) -> WatchEntriesRequest {
    WatchEntriesRequest {
        parent: name.to_owned(),
        after_position,
        viewer: String::new(),
        ..WatchEntriesRequest::default()
    }
}

/// The premise with which a watcher resumes after an entry.
fn watching_after(entry: &Entry) -> WatchEntriesRequest {
    let (name, _) = entry.name.split_once("/entries/").expect("the name of an entry");
    WatchEntriesRequest { after_digest: entry.digest.clone(), ..watching(name, entry.position) }
}

/// Reads a stream until it tells that the record went back: the message that says so.
async fn notice(watch: &mut Watch) -> WatchEntriesResponse {
    loop {
        let told = watch.next().await.expect("it goes on").expect("it does not end").message;
        if told.went_back.is_some() {
            return told;
        }
        assert!(!told.entries.is_empty(), "only a notice has no entries");
    }
}

/// Checks a notice that what was told after `last` is void; at the start there is no such entry.
fn check_notice(told: &WatchEntriesResponse, name: &str, last: Option<&Entry>) {
    let (position, digest) = last.map(|it| (it.position, it.digest.clone())).unwrap_or_default();
    assert!(told.entries.is_empty());
    assert_eq!((told.position, &told.digest), (position, &digest));
    let went_back = told.went_back.as_ref().expect("a notice");
    let its = MatchWentBack { r#match: name.to_owned(), position, digest };
    assert_eq!(went_back.matches, [its]);
    assert!(went_back.term > 0);
}

/// Reads a stream until it fails.
async fn failure<T: prost::Message + Default>(stream: &mut Watch<T>) -> Failure {
    loop {
        match stream.next().await {
            Ok(batch) => assert!(batch.is_some(), "the stream must not end in peace"),
            Err(failure) => return failure,
        }
    }
}

/// A message of a stream of many matches.
trait OfManyMatches: prost::Message + Default {
    fn parts(self) -> (Vec<StreamedEntry>, String, Option<RecordWentBack>);
}

macro_rules! of_many_matches {
    ($($Message:ty),*) => {$(
        impl OfManyMatches for $Message {
            fn parts(self) -> (Vec<StreamedEntry>, String, Option<RecordWentBack>) {
                (self.entries, self.cursor, self.went_back)
            }
        }
    )*};
}

of_many_matches!(StreamEntriesResponse, ConsumeSubscriptionResponse, WatchPlayerResponse);

/// A receiver as `docs/integrate.md` tells to build one: an entry is known by its digest, takes the
/// place of another one at its position, and a notice drops what is void.
#[derive(Default)]
struct Ledger {
    entries: BTreeMap<String, Vec<Entry>>,
    notices: Vec<RecordWentBack>,
    cursor: String,
}

const SCORES: &str = "subscriptions/scores";

/// Creates a subscription. Returns the request of its consumers.
async fn subscribe(client: &Client) -> ConsumeSubscriptionRequest {
    let create = CreateSubscriptionRequest { name: SCORES.to_owned(), ..<_>::default() };
    client.ask(&create).await.expect("a subscription");
    ConsumeSubscriptionRequest { name: SCORES.to_owned(), ..<_>::default() }
}

impl Ledger {
    /// Of what a consumer of the subscription has taken.
    fn acknowledgement(&self) -> AcknowledgeEntriesRequest {
        let (name, cursor) = (SCORES.to_owned(), self.cursor.clone());
        AcknowledgeEntriesRequest { name, cursor }
    }

    fn take(&mut self, message: impl OfManyMatches) {
        let (entries, cursor, went_back) = message.parts();
        self.cursor = cursor;
        if let Some(notice) = went_back {
            assert!(entries.is_empty(), "a notice has no entries");
            for its in &notice.matches {
                let kept = self.entries.entry(its.r#match.clone()).or_default();
                kept.truncate(its.position as usize);
                assert_eq!(kept.last().map(|it| &it.digest[..]).unwrap_or_default(), its.digest);
            }
            self.notices.push(notice);
        }
        for entry in entries.into_iter().filter_map(|it| it.entry) {
            let (name, _) = entry.name.split_once("/entries/").expect("the name of an entry");
            let kept = self.entries.entry(name.to_owned()).or_default();
            let before = entry.position as usize - 1;
            if kept.get(before).is_none_or(|it| it.digest != entry.digest) {
                kept.truncate(before);
                assert_eq!(kept.len(), before, "nothing is skipped");
                kept.push(entry);
            }
        }
    }

    /// Reads a stream until these matches have what is recorded.
    async fn read<T: OfManyMatches>(&mut self, stream: &mut Watch<T>, until: &Record) {
        while self.digests() != *until {
            let batch = stream.next().await.expect("it goes on").expect("it does not end");
            self.take(batch.message);
        }
    }

    fn digests(&self) -> Record {
        let digests = |all: &Vec<Entry>| all.iter().map(|it| it.digest.clone()).collect();
        let kept = self.entries.iter().filter(|(_, all)| !all.is_empty());
        kept.map(|(name, all)| (name.clone(), digests(all))).collect()
    }
}

/// The digests of the entries of matches.
type Record = BTreeMap<String, Vec<Vec<u8>>>;

async fn recorded(client: &Client, names: &[String]) -> Record {
    let mut record = Record::new();
    for name in names {
        let all = entries(client, name, "spectator").await;
        record.insert(name.clone(), all.into_iter().map(|it| it.digest).collect());
    }
    record
}

/// A receiver that goes by the names of entries, and either drops the names of a notice or does not
/// read it. Returns the true entries that it took for repeats of others.
fn lost_by_names(messages: &[StreamEntriesResponse], heeds: bool) -> usize {
    let mut kept: BTreeMap<String, Entry> = BTreeMap::new();
    for message in messages {
        for its in message.went_back.iter().flat_map(|it| &it.matches).filter(|_| heeds) {
            let of_match = format!("{}/entries/", its.r#match);
            kept.retain(|name, it| !name.starts_with(&of_match) || it.position <= its.position);
        }
        for entry in message.entries.iter().filter_map(|it| it.entry.clone()) {
            kept.entry(entry.name.clone()).or_insert(entry);
        }
    }
    let last = |name: &String| {
        let mut all = messages.iter().flat_map(|it| &it.entries).filter_map(|it| it.entry.as_ref());
        all.rfind(|it| it.name == *name).expect("it was told").digest.clone()
    };
    kept.iter().filter(|(name, it)| it.digest != last(name)).count()
}

/// Reads a stream until it has told this many entries; returns the last cursor.
async fn cursor_after(stream: &mut Watch<StreamEntriesResponse>, count: usize) -> String {
    let mut entries = 0;
    loop {
        let batch = stream.next().await.expect("it goes on").expect("it does not end").message;
        entries += batch.entries.len();
        if entries == count {
            return batch.cursor;
        }
    }
}

#[tokio::test]
async fn a_record_that_went_back_is_noticed_before_the_first_write() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 3, 5).await;
    playing.steps(11).await;
    let name = playing.name.clone();
    let mut watch = client.watch(&watching(&name, 0)).await;
    let before = watch.up_to(12).await.expect("it goes on");
    assert_eq!(before.len(), 12);
    let mut stream = client.stream(&StreamEntriesRequest::default()).await;
    let cursor = cursor_after(&mut stream, 12).await;

    let action = playing.plan().await.expect("an answer").expect("the match goes on");
    lose_after(&installation, 8).await;
    let action = SubmitActionRequest { expected_position: Some(12), ..action };
    let moved = client.ask(&action).await.expect_err("it was decided on what is lost");
    moved.check(Code::Aborted, "POSITION_MOVED");
    assert_eq!(moved.facts["position"], "8");

    check_notice(&notice(&mut watch).await, &name, Some(&before[7]));
    let told = loop {
        let told = stream.next().await.expect("it goes on").expect("it does not end").message;
        if told.went_back.is_some() {
            break told;
        }
    };
    assert!(told.entries.is_empty());
    let resume = told.cursor;

    // The match goes on from what the record has, and nothing is missing from it.
    let mut playing = Playing::of(&client, &get(&client, &name).await, 6);
    playing.finish().await;
    let all = entries(&client, &name, "spectator").await;
    check_dense(&all, get(&client, &name).await.position);
    assert_eq!(watch.up_to(i32::MAX).await.expect("it goes on"), all[8..]);
    let told = client.watch(&watching_after(&all[7])).await.up_to(i32::MAX).await;
    assert_eq!(told.expect("it goes on"), all[8..]);
    let request = StreamEntriesRequest { cursor: resume, ..<_>::default() };
    let mut resumed = client.stream(&request).await;
    cursor_after(&mut resumed, all.len() - 8).await;

    // The log has grown past the old cursor, and it is told nevertheless.
    assert!(all.len() > 12);
    let request = StreamEntriesRequest { cursor, ..<_>::default() };
    let told = client.stream(&request).await.next().await.expect("it goes on").expect("a notice");
    assert!(told.message.went_back.is_some_and(|it| it.term > 0));
}

#[tokio::test]
async fn a_process_that_only_reads_notices_too() {
    let installation = Installation::open().await;
    let other = installation.serve("b").await;
    let (client, reader) = (installation.client(Protocol::Grpc), other.client(Protocol::Grpc));
    let mut playing = Playing::new(&client, 3, 7).await;
    playing.steps(9).await;
    let mut watch = reader.watch(&watching(&playing.name, 0)).await;
    assert_eq!(watch.up_to(10).await.expect("it goes on").len(), 10);
    lose_after(&installation, 6).await;
    let told = notice(&mut watch).await;
    let all = entries(&reader, &playing.name, "spectator").await;
    check_notice(&told, &playing.name, all.last());
    assert_eq!(get(&reader, &playing.name).await.position, 6);
}

#[tokio::test]
async fn whoever_notices_late_continues_where_the_histories_part() {
    let installation = Installation::open().await;
    let other = installation.serve("b").await;
    let (client, reader) = (installation.client(Protocol::Grpc), other.client(Protocol::Grpc));
    let mut playing = Playing::new(&client, 3, 23).await;
    playing.steps(11).await;
    let name = playing.name.clone();
    let mut ours = client.watch(&watching(&name, 0)).await;
    ours.up_to(12).await.expect("it goes on");
    let mut watch = reader.watch(&watching(&name, 0)).await;
    watch.up_to(12).await.expect("it goes on");
    let mut stream = reader.stream(&StreamEntriesRequest::default()).await;
    cursor_after(&mut stream, 12).await;

    // While it stands still, entries are lost, and others take their place.
    other.stop().await;
    lose_after(&installation, 8).await;
    assert_eq!(notice(&mut ours).await.position, 8);
    Playing::of(&client, &get(&client, &name).await, 24).steps(2).await;
    let all = entries(&client, &name, "spectator").await;
    assert_eq!(all.len(), 10);
    other.signal(Signal::CONT);
    check_notice(&notice(&mut watch).await, &name, Some(&all[7]));
    assert_eq!(watch.up_to(10).await.expect("it goes on"), all[8..]);
    let mut told = Vec::new();
    let mut is_told = false;
    while told.last() != all.last() {
        let batch = stream.next().await.expect("it goes on").expect("it does not end").message;
        if batch.went_back.is_some() {
            (is_told, told) = (true, Vec::new());
        }
        told.extend(batch.entries.into_iter().filter_map(|it| it.entry));
    }
    assert!(is_told && told.len() >= 2, "{told:?}");
    assert_eq!(told, all[all.len() - told.len()..]);
}

#[tokio::test]
async fn the_watcher_of_a_match_that_is_lost_is_told_so() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    Playing::new(&client, 3, 25).await.steps(3).await;
    let mut lost = Playing::new(&client, 3, 26).await;
    lost.steps(3).await;
    let mut watch = client.watch(&watching(&lost.name, 0)).await;
    watch.up_to(4).await.expect("it goes on");
    let id = lost.name.trim_start_matches("matches/").to_owned();
    // At once: a match without its entries would be an altered one.
    let tables = ["entries", "seeds", "speech_keys", "seats", "matches"];
    let delete = tables.map(|it| format!("delete from {it} where match_id = '{id}'")).join(";");
    let mut database = installation.database().await;
    sqlx::raw_sql(AssertSqlSafe(delete)).execute(&mut database).await.expect("it is lost");
    let ended = failure(&mut watch).await;
    ended.check(Code::DataLoss, "RECORD_WENT_BACK");
    assert_eq!(ended.facts["position"], "0");
}

#[tokio::test]
async fn another_history_of_the_same_length_is_not_taken_for_the_old_one() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 3, 9).await;
    playing.steps(9).await;
    let name = playing.name.clone();
    let mut stream = client.stream(&StreamEntriesRequest::default()).await;
    let cursor = cursor_after(&mut stream, 10).await;
    installation.service.kill().await;
    lose_after(&installation, 6).await;
    installation.service.start_again().await;
    let mut again = Playing::of(&client, &get(&client, &name).await, 10);
    again.steps(4).await;
    assert_eq!(get(&client, &name).await.position, 10);
    let request = StreamEntriesRequest { cursor, ..<_>::default() };
    let told = client.stream(&request).await.next().await.expect("it goes on").expect("a notice");
    assert!(told.message.went_back.is_some());
}

/// No process remembers what was lost: only the digest that a reader presents shows it.
#[tokio::test]
async fn a_reader_that_resumes_is_told_what_went_back_and_never_spliced() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 3, 27).await;
    playing.steps(9).await;
    let name = playing.name.clone();
    let before = entries(&client, &name, "spectator").await;
    let last = before.last().expect("entries");
    let page = ListEntriesRequest { parent: name.clone(), page_size: 9, ..<_>::default() };
    let page_token = client.ask(&page).await.expect("a page").next_page_token;
    installation.service.kill().await;
    lose_after(&installation, 6).await;
    installation.service.start_again().await;
    // While the new history is shorter, as long as the old one, and longer.
    for length in [8_i32, 10, 12] {
        let seed = 28 + u64::from(length.unsigned_abs());
        let mut again = Playing::of(&client, &get(&client, &name).await, seed);
        again.steps((length - get(&client, &name).await.position) as usize).await;
        let all = entries(&client, &name, "spectator").await;
        check_dense(&all, length);
        assert_eq!(all[..6], before[..6]);
        for protocol in STREAMING {
            let client = client.speaking(protocol);
            let mut watch = client.watch(&watching_after(last)).await;
            let told = watch.next().await.expect("it is told").expect("it does not end");
            let valid = told.message.position as usize;
            assert!(valid <= 6, "{protocol:?}: {:?} is valid", &all[..valid]);
            check_notice(&told.message, &name, all[..valid].last());
            assert_eq!(watch.up_to(length).await.expect("it goes on"), all[valid..]);
            // As a browser resumes, after an entry that is still there.
            if let Some(id) = told.id {
                let request = client.with_header("last-event-id", &id);
                let mut resumed = request.watch(&watching_after(last)).await;
                assert_eq!(resumed.up_to(length).await.expect("it goes on"), all[valid..]);
            }
        }
        let premise = |position: i32, after_digest: &[u8]| ListEntriesRequest {
            after_position: position,
            after_digest: after_digest.to_vec(),
            parent: name.clone(),
            ..<_>::default()
        };
        let refused = client.ask(&premise(10, &last.digest)).await.expect_err("it is gone");
        refused.check(Code::DataLoss, "RECORD_WENT_BACK");
        let valid: i32 = refused.facts["position"].parse().expect("a position");
        assert!(valid <= 6);
        let listed = client.ask(&premise(6, &before[5].digest)).await.expect("it is there");
        assert_eq!(listed.entries, all[6..]);
        let page = ListEntriesRequest { page_token: page_token.clone(), ..page.clone() };
        let refused = client.ask(&page).await.expect_err("a page of another history");
        refused.check(Code::DataLoss, "RECORD_WENT_BACK");
        let replay = ReplayEntriesRequest {
            parent: name.clone(),
            after_position: 10,
            after_digest: last.digest.clone(),
            ..<_>::default()
        };
        let refused = client.stream(&replay).await.next().await.expect_err("it is gone");
        refused.check(Code::DataLoss, "RECORD_WENT_BACK");
        let (after_position, after_digest) = (6, before[5].digest.clone());
        let replay = ReplayEntriesRequest { after_position, after_digest, ..replay };
        let told = client.stream(&replay).await.next().await.expect("it goes on");
        let told = told.expect("an entry").message;
        assert_eq!(told.entries[0], all[6]);
        assert_eq!(told.digest, told.entries.last().expect("entries").digest);
    }
}

/// What a receiver has, and what it receives of a stream that stays open while entries are lost.
#[tokio::test]
async fn a_stream_tells_which_entries_are_void_and_goes_on() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let (mut played, mut left) =
        (Playing::new(&client, 3, 51).await, Playing::new(&client, 3, 52).await);
    // What is lost comes last, also if both share an order.
    for count in [5, 4] {
        played.steps(count).await;
        left.steps(count).await;
    }
    let names = [played.name.clone(), left.name.clone()];
    let consume = subscribe(&client).await;
    let of_player = format!("players/{}", player(0));
    let of_player = WatchPlayerRequest { name: of_player, ..<_>::default() };
    let mut stream = client.stream(&StreamEntriesRequest::default()).await;
    let mut consumer = client.stream(&consume).await;
    let mut watch = client.stream(&of_player).await;
    let (mut of_stream, mut of_consumer, mut of_watch) =
        (Ledger::default(), Ledger::default(), Ledger::default());
    let before = recorded(&client, &names).await;
    assert!(before.values().all(|all| all.len() == 10), "{before:?}");
    let mut messages = Vec::new();
    while of_stream.digests() != before {
        let batch = stream.next().await.expect("it goes on").expect("it does not end");
        messages.push(batch.message.clone());
        of_stream.take(batch.message);
    }
    of_consumer.read(&mut consumer, &before).await;
    of_watch.read(&mut watch, &before).await;

    lose_after(&installation, 6).await;
    settled(&client, &played.name).await;
    Playing::of(&client, &get(&client, &played.name).await, 53).steps(6).await;
    let after = recorded(&client, &names).await;
    assert_eq!((after[&names[0]].len(), after[&names[1]].len()), (12, 6));
    while of_stream.digests() != after {
        let batch = stream.next().await.expect("it goes on").expect("it does not end");
        messages.push(batch.message.clone());
        of_stream.take(batch.message);
    }
    of_consumer.read(&mut consumer, &after).await;
    of_watch.read(&mut watch, &after).await;
    for ledger in [&of_stream, &of_consumer, &of_watch] {
        let [notice] = &ledger.notices[..] else { panic!("{:?}", ledger.notices) };
        assert!(notice.term > 0 && notice.complete, "{notice:?}");
        let mut told: Vec<&str> = notice.matches.iter().map(|it| &*it.r#match).collect();
        told.sort_unstable();
        let mut all: Vec<&str> = names.iter().map(|it| &**it).collect();
        all.sort_unstable();
        assert_eq!(told, all, "{notice:?}");
    }
    assert_eq!(lost_by_names(&messages, true), 0);
    assert!(lost_by_names(&messages, false) > 0, "the notice is what it takes");
}

/// No stream is open while entries are lost, no process remembers them, and the new history has
/// outgrown the old one.
#[tokio::test]
async fn a_cursor_of_before_a_loss_continues_with_what_is_void() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 3, 54).await;
    playing.steps(9).await;
    let names = [playing.name.clone()];
    let consume = subscribe(&client).await;
    let before = recorded(&client, &names).await;
    let (mut of_stream, mut of_consumer) = (Ledger::default(), Ledger::default());
    of_stream.read(&mut client.stream(&StreamEntriesRequest::default()).await, &before).await;
    of_consumer.read(&mut client.stream(&consume).await, &before).await;
    let lost = of_consumer.acknowledgement();
    client.ask(&lost).await.expect("acknowledged");
    installation.service.kill().await;
    lose_after(&installation, 6).await;
    installation.service.start_again().await;
    Playing::of(&client, &get(&client, &names[0]).await, 55).steps(6).await;
    let after = recorded(&client, &names).await;
    assert_eq!(after[&names[0]].len(), 12);

    for protocol in STREAMING {
        let (client, mut again) = (client.speaking(protocol), Ledger::default());
        again.entries.clone_from(&of_stream.entries);
        let cursor = of_stream.cursor.clone();
        let request = StreamEntriesRequest { cursor, ..<_>::default() };
        again.read(&mut client.stream(&request).await, &after).await;
        let [notice] = &again.notices[..] else { panic!("{:?}", again.notices) };
        assert!(notice.term > 0 && !notice.complete, "{notice:?}");
        // What was told in the new term continues without a notice.
        let cursor = again.cursor.clone();
        let request = StreamEntriesRequest {
            cursor,
            heartbeat: Some(contract::seconds(1)),
            ..<_>::default()
        };
        let next = client.stream(&request).await.next().await.expect("it goes on");
        assert_eq!(next.expect("a heartbeat").message.went_back, None);
    }

    let late = client.ask(&lost).await.expect_err("it would skip what comes");
    late.check(Code::DataLoss, "RECORD_WENT_BACK");
    // It is told again until it is acknowledged, by whichever process.
    let mut other = installation.serve("b").await;
    for client in [client.clone(), other.client(Protocol::Grpc)] {
        let mut again = Ledger::default();
        again.entries.clone_from(&of_consumer.entries);
        again.read(&mut client.stream(&consume).await, &after).await;
        assert_eq!(again.notices.len(), 1);
        of_consumer.cursor = again.cursor;
    }
    client.ask(&of_consumer.acknowledgement()).await.expect("acknowledged");
    other.kill().await;
    let mut playing = Playing::of(&client, &get(&client, &names[0]).await, 56);
    playing.steps(2).await;
    let mut consumer = client.stream(&consume).await;
    let mut told = Vec::new();
    while told.len() < 2 {
        let batch = consumer.next().await.expect("it goes on").expect("it does not end").message;
        assert_eq!(batch.went_back, None);
        told.extend(batch.entries.into_iter().filter_map(|it| it.entry).map(|it| it.position));
    }
    assert_eq!(told, [13, 14]);
}

#[tokio::test]
async fn a_subscription_skips_nothing_after_the_record_went_back() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 3, 11).await;
    playing.steps(9).await;
    let names = [playing.name.clone()];
    let consume = subscribe(&client).await;
    let mut consumer = client.stream(&consume).await;
    let mut ledger = Ledger::default();
    ledger.read(&mut consumer, &recorded(&client, &names).await).await;
    let lost = ledger.acknowledgement();
    client.ask(&lost).await.expect("acknowledged");

    lose_after(&installation, 6).await;
    settled(&client, &playing.name).await;
    ledger.read(&mut consumer, &recorded(&client, &names).await).await;
    assert_eq!(ledger.notices.len(), 1);
    let late = client.ask(&lost).await.expect_err("it would skip what comes");
    late.check(Code::DataLoss, "RECORD_WENT_BACK");
    client.ask(&ledger.acknowledgement()).await.expect("the notice is acknowledged");
    drop(consumer);
    Playing::of(&client, &get(&client, &playing.name).await, 12).steps(6).await;
    let after = recorded(&client, &names).await;
    ledger.read(&mut client.stream(&consume).await, &after).await;
    assert_eq!(ledger.notices.len(), 1, "it was told");
    assert_eq!(after[&playing.name].len(), 12);
}

#[tokio::test]
async fn an_altered_entry_closes_its_match_and_no_other() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut altered = Playing::new(&client, 3, 13).await;
    let mut sound = Playing::new(&client, 3, 14).await;
    altered.steps(5).await;
    sound.steps(5).await;
    let id = altered.name.strip_prefix("matches/").expect("a match's name").to_owned();
    let changed = sqlx::query(
        "update entries set create_time = create_time + interval '1 microsecond'
         where match_id = $1::text::uuid and position = 3",
    );
    let mut database = installation.database().await;
    changed.bind(id).execute(&mut database).await.expect("the database answers");
    installation.service.kill().await;
    installation.service.start_again().await;
    let request = GetMatchRequest { name: altered.name.clone(), ..GetMatchRequest::default() };
    let refused = client.ask(&request).await.expect_err("its record cannot be relied on");
    refused.check(Code::DataLoss, "RECORD_ALTERED");
    assert_eq!(refused.facts["position"], "3");
    sound.finish().await;
}

/// A match that was played to its end and then lost the entries after its sixth, which nobody has
/// noticed yet.
async fn ended_and_lost(seed: u64) -> (Installation, Client, String) {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 3, seed).await;
    playing.finish().await;
    lose_after(&installation, 6).await;
    (installation, client, playing.name)
}

/// Whoever names nothing that is gone is answered from the record as it is, even if nobody asked
/// before.
#[tokio::test]
async fn the_first_question_after_a_loss_is_answered() {
    let (_installation, client, name) = ended_and_lost(71).await;
    let request = GetReceiptRequest { name: format!("{name}/entries/5/receipt") };
    let receipt = client.ask(&request).await.expect("it is still there").receipt;
    let fifth = &entries(&client, &name, "spectator").await[4];
    assert_eq!(receipt.expect("a receipt").digest, fifth.digest);

    let (_installation, client, name) = ended_and_lost(72).await;
    let record = ReadRecordRequest { name: format!("{name}/record") };
    let refused = client.stream(&record).await.next().await.expect_err("it goes on");
    refused.check(Code::FailedPrecondition, "MATCH_NOT_ENDED");

    let (_installation, client, name) = ended_and_lost(73).await;
    let following = CreateMatchRequest { previous: name, ..<_>::default() };
    let refused = client.ask(&following).await.expect_err("it goes on");
    refused.check(Code::FailedPrecondition, "MATCH_NOT_ENDED");
}

#[tokio::test]
async fn every_viewer_is_told_the_same_digests() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 3, 15).await;
    playing.finish().await;
    let digests = async |viewer: &str| {
        let entries = entries(&client, &playing.name, viewer).await;
        entries.into_iter().map(|entry| entry.digest).collect::<Vec<_>>()
    };
    let spectator = digests("spectator").await;
    assert!(spectator.iter().all(|digest| digest.len() == 32));
    for viewer in ["seats/0", "seats/2", "house"] {
        assert_eq!(digests(viewer).await, spectator);
    }
    let submitted: Vec<_> = playing.entries.iter().map(|entry| entry.digest.clone()).collect();
    assert_eq!(submitted, spectator[1..]);
}

#[tokio::test]
async fn a_receipt_is_signed_with_a_published_key() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest);
    let mut playing = Playing::new(&client, 3, 17).await;
    playing.steps(3).await;
    let entry = entries(&client, &playing.name, "spectator").await[2].clone();
    let name = format!("{}/receipt", entry.name);
    let seat = client.holding(token(&client, &playing.name, Some(1)).await);
    let receipt = seat.ask(&GetReceiptRequest { name: name.clone() }).await.expect("a receipt");
    let receipt = receipt.receipt.expect("a receipt");
    assert_eq!((&receipt.name, &receipt.digest), (&name, &entry.digest));
    assert_eq!(receipt.create_time, entry.create_time);

    let uri = "/.well-known/jwks.json";
    let request = http::Request::get(uri).body(Default::default()).expect("a request");
    let keys = client.anonymous().send(request).await.expect("an answer");
    assert_eq!(keys.status, StatusCode::OK);
    let keys: Value = serde_json::from_slice(&keys.body).expect("JSON");
    let key = &keys["keys"][0];
    assert_eq!((&key["kty"], &key["crv"]), (&"OKP".into(), &"Ed25519".into()));
    assert!(key.get("d").is_none(), "the secret half stays");
    let x = key["x"].as_str().expect("a public key");
    let bytes = |text: &str| BASE64_URL_SAFE_NO_PAD.decode(text).expect("base64url");
    let json = |text: &str| serde_json::from_slice::<Value>(&bytes(text)).expect("JSON");
    let verify = |jws: &str| {
        let (signed, signature) = jws.rsplit_once('.').expect("three parts");
        let key = UnparsedPublicKey::new(&ED25519, bytes(x));
        key.verify(signed.as_bytes(), &bytes(signature)).ok()?;
        let (header, claims) = signed.split_once('.').expect("three parts");
        Some((json(header), json(claims)))
    };
    let (header, claims) = verify(&receipt.jws).expect("its signature");
    assert_eq!((&header["alg"], &header["kid"]), (&"EdDSA".into(), &key["kid"]));
    let hex: String = entry.digest.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(claims["match"], playing.name);
    assert_eq!(claims["position"], 3);
    assert_eq!(claims["digest"], hex);
    let mut parts: Vec<&str> = receipt.jws.split('.').collect();
    let payload = BASE64_URL_SAFE_NO_PAD.decode(parts[1]).expect("base64");
    let forged =
        String::from_utf8(payload).expect("JSON").replace("\"position\":3", "\"position\":4");
    let forged = BASE64_URL_SAFE_NO_PAD.encode(forged);
    parts[1] = &forged;
    assert!(verify(&parts.join(".")).is_none());

    let ahead = GetReceiptRequest { name: name.replace("/3/", "/99/") };
    client.ask(&ahead).await.expect_err("no entry").check(Code::NotFound, "ENTRY_NOT_FOUND");
    let request = GetReceiptRequest { name };
    let stranger = client.holding(installation.platform("theirs").await);
    stranger.ask(&request).await.expect_err("theirs").check(Code::NotFound, "MATCH_NOT_FOUND");
}

/// Another history takes the place of the one for which a receipt was signed: unnoticed, in another
/// term, and with what was signed deleted.
#[tokio::test]
async fn one_digest_is_signed_for_an_entry_in_a_term() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 3, 61).await;
    playing.steps(5).await;
    let name = playing.name.clone();
    let cursor = {
        let mut stream = client.stream(&StreamEntriesRequest::default()).await;
        cursor_after(&mut stream, 6).await
    };
    let request = GetReceiptRequest { name: format!("{name}/entries/5/receipt") };
    let signed = async || client.ask(&request).await.map(|it| it.receipt.expect("a receipt"));
    let first = signed().await.expect("a receipt");
    assert_eq!(signed().await.expect("the same statement").digest, first.digest);

    play_otherwise(&mut installation, &client, &name, 62).await;
    let refused = signed().await.expect_err("it would be the second one");
    refused.check(Code::DataLoss, "RECEIPT_CONTRADICTS");
    assert_eq!(refused.facts["position"], "5");
    let log = log_tail(&installation.service.folder);
    assert!(log.contains("no second receipt is signed") && log.contains(&name[8..]), "{log}");
    let page = scrape(&installation.service.metrics().await).await;
    let reason = [("reason", "RECEIPT_CONTRADICTS")];
    assert_eq!(figure(&page, "croupier_refusals_total", &reason), Some(1.0));
    let other = GetReceiptRequest { name: format!("{name}/entries/4/receipt") };
    client.ask(&other).await.expect("what did not change is signed");

    // In another term the service says what the record has now.
    let resume = StreamEntriesRequest { cursor, ..<_>::default() };
    let told = client.stream(&resume).await.next().await.expect("it goes on").expect("a notice");
    assert!(told.message.went_back.is_some());
    let second = signed().await.expect("a receipt of another term");
    assert_ne!(second.digest, first.digest);
    let compared = compare(&installation, &[&first, &second]).await;
    assert_eq!(compared, (Some(3), "RECEIPT_TERMS_DIFFER".to_owned(), name.clone()));

    // Who has the database can make the service forget, but not take back what it has told.
    let mut database = installation.database().await;
    sqlx::query("delete from signed_receipts").execute(&mut database).await.expect("forgotten");
    play_otherwise(&mut installation, &client, &name, 63).await;
    let third = signed().await.expect("it does not know of another one");
    assert_ne!(third.digest, second.digest);
    let compared = compare(&installation, &[&first, &second, &third]).await;
    assert_eq!(compared, (Some(1), "RECEIPTS_CONTRADICT".to_owned(), name));
}

/// Loses the entries after the fourth while no process runs, and plays on in another way.
async fn play_otherwise(installation: &mut Installation, client: &Client, name: &str, seed: u64) {
    installation.service.kill().await;
    lose_after(installation, 4).await;
    installation.service.start_again().await;
    Playing::of(client, &get(client, name).await, seed).steps(2).await;
}

/// Compares receipts without a record: the exit status, and the code and the match of the finding.
async fn compare(
    installation: &Installation,
    receipts: &[&Receipt],
) -> (Option<i32>, String, String) {
    let address = format!("http://127.0.0.1:{}", installation.service.port());
    let mut arguments = vec!["verify".to_owned(), "--json".to_owned()];
    arguments.extend(["--address".to_owned(), address]);
    for (n, receipt) in receipts.iter().enumerate() {
        let file = installation.folder.path().join(format!("receipt-{n}"));
        std::fs::write(&file, &receipt.jws).expect("a file");
        arguments.extend(["--receipt".to_owned(), file.to_str().expect("plain").to_owned()]);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let output = run(&arguments).await;
    let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let list = if told["answer"] == "WRONG" { "wrong" } else { "unproven" };
    let [finding] = &told[list].as_array().expect("a list")[..] else { panic!("{told}") };
    let text = |name: &str| finding[name].as_str().expect("text").to_owned();
    assert_eq!(finding["position"], 5);
    (output.status.code(), text("code"), text("match"))
}

#[tokio::test]
async fn each_seat_has_request_ids_of_its_own() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 3, 19).await.with_tokens().await;
    let mut used: Vec<u32> = Vec::new();
    while used.len() < 2 {
        let action = playing.plan().await.expect("an answer").expect("the match goes on");
        let action = SubmitActionRequest { request_id: "mine".to_owned(), ..action };
        let seat = action.seat.expect("a plan says who acts");
        if used.contains(&seat) {
            playing.step().await;
            continue;
        }
        let entry = playing.submit(&action).await.expect("another seat's id is not this one's");
        let again = playing.seats[seat as usize].ask(&action).await.expect("the same request");
        assert_eq!(again.entry.expect("an entry"), entry);
        used.push(seat);
    }
}

#[tokio::test]
async fn times_of_a_match_never_go_back() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 3, 21).await;
    playing.steps(2).await;
    // As if the clock of the process that recorded the last entry had been ahead. While it runs, it
    // would take the missing digests for a loss.
    installation.service.kill().await;
    let ahead = Duration::from_secs(3600);
    sqlx::query("update entries set digest = null")
        .execute(&mut installation.database().await)
        .await
        .expect("the database answers");
    sqlx::query("update entries set create_time = create_time + interval '1 hour'")
        .execute(&mut installation.database().await)
        .await
        .expect("the database answers");
    let other = installation.serve("b").await;
    let other = other.client(Protocol::Grpc);
    let mut playing = Playing::of(&other, &get(&other, &playing.name).await, 22);
    playing.steps(2).await;
    let times = entries(&other, &playing.name, "spectator").await;
    let seconds: Vec<i64> =
        times.iter().filter_map(|it| it.create_time).map(|it| it.seconds).collect();
    assert!(seconds.is_sorted(), "{seconds:?}");
    assert!(seconds[4] + 60 > (now() + ahead).unix_timestamp());
}
