//! One platform, or one seat, can never take what all need: each has limits, and what they share is
//! shared fairly.

use std::process::Command;
use std::time::{Duration, Instant};

use contract::v1::match_service_client::MatchServiceClient;
use contract::v1::*;
use http::StatusCode;
use sqlx::postgres::PgConnection;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Request};

use crate::harness::*;

/// How soon an innocent platform is answered, on a busy machine and in an unoptimized program.
const SOON: Duration = Duration::from_secs(20);

/// Runs `croupier platform limits` for a platform.
pub async fn set_limits(installation: &Installation, platform: &str, limits: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
    command.args(["platform", "limits", platform]).args(limits);
    command.args(["--database-url", &installation.postgres().url()]);
    let output = tokio::task::spawn_blocking(move || command.output()).await.expect("it ends");
    let output = output.expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[track_caller]
fn check_quota(failure: &Failure, limit: &str, value: u32) {
    failure.check(Code::ResourceExhausted, "QUOTA_EXCEEDED");
    check_limit(failure, limit, value);
}

#[track_caller]
fn check_rate(failure: &Failure, limit: &str, value: u32) {
    failure.check(Code::ResourceExhausted, "RATE_LIMIT_EXCEEDED");
    check_limit(failure, limit, value);
}

#[track_caller]
fn check_limit(failure: &Failure, limit: &str, value: u32) {
    let fact = |name: &str| failure.facts.get(name).cloned().unwrap_or_default();
    assert_eq!((fact("limit"), fact("value")), (limit.to_owned(), value.to_string()));
    assert!(failure.retry_ms.is_some(), "it says when to come again");
}

#[tokio::test]
async fn the_consumers_of_one_platform_leave_another_its_calls() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let rival = client.apart().holding(installation.platform("rival").await);
    let name = "subscriptions/feed".to_owned();
    let subscription = CreateSubscriptionRequest { name: name.clone(), ..<_>::default() };
    rival.ask(&subscription).await.expect("it is made");
    let mut consumers = JoinSet::new();
    for number in 0..600 {
        let (rival, name) = (rival.clone(), name.clone());
        consumers.spawn(async move {
            let consumer = format!("consumer-{number}");
            let request = ConsumeSubscriptionRequest {
                name,
                consumer,
                heartbeat: Some(contract::seconds(1)),
                ..<_>::default()
            };
            let mut stream = rival.stream(&request).await;
            let first = stream.next().await.map(|batch| batch.is_some());
            (first, stream)
        });
    }
    for round in 0..16 {
        let began = Instant::now();
        create(&client, &new_match(2)).await;
        let list = client.ask(&ListMatchesRequest::default()).await.expect("a list");
        assert_eq!(list.matches.len(), round + 1);
        assert!(began.elapsed() < SOON, "it took {:?}", began.elapsed());
    }
    let mut open = Vec::new();
    while let Some(consumer) = consumers.join_next().await {
        match consumer.expect("no panic") {
            (Ok(goes_on), stream) => {
                assert!(goes_on, "a subscription does not end");
                open.push(stream);
            }
            (Err(failure), _)
                if failure.facts.get("limit").is_some_and(|it| it == "streams_max") =>
            {
                check_quota(&failure, "streams_max", 512);
            }
            (Err(failure), _) => check_quota(&failure, "consumers_max", 64),
        }
    }
    assert_eq!(open.len(), 64, "one for each bucket");
}

/// An action that a seat may always take: it says something.
pub fn speech() -> contract::Action {
    contract::Action::of_every_game(games::say("I am honorable."))
}

/// A match in which nothing limits talk.
pub fn with_talk(seats: u32) -> CreateMatchRequest {
    let options = [("talk".to_owned(), "unlimited".to_owned())].into();
    CreateMatchRequest { game: "games/among-thieves".to_owned(), options, ..new_match(seats) }
}

/// More matches than there are slots for actions in flight.
const CROWD: usize = 2100;
const BATCH: usize = 300;

#[tokio::test]
async fn the_play_streams_of_one_platform_leave_another_its_actions() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let key = installation.platform("rival").await;
    let rival = client.apart().holding(key.clone());
    let mut actions = Vec::new();
    for _ in 0..CROWD / BATCH {
        let requests = vec![with_talk(3); BATCH];
        let batch = BatchCreateMatchesRequest { requests, ..<_>::default() };
        let made = rival.ask(&batch).await.expect("they are made").matches;
        actions.extend(made.into_iter().map(|it| SubmitActionRequest {
            name: it.name,
            action: Some(speech()),
            seat: Some(0),
            ..<_>::default()
        }));
    }
    let mut ours = Playing::new(&client, 2, 1).await;
    let own = ours.plan().await.expect("an answer").expect("it goes on");

    // While this lock is held, whatever is in flight stays so.
    let mut database: PgConnection = installation.database().await;
    let held = sqlx::raw_sql("begin; lock table entries in exclusive mode");
    held.execute(&mut database).await.expect("the lock");
    let mut streams = Vec::new();
    for part in actions.chunks(CROWD / 4) {
        let address = format!("http://127.0.0.1:{}", installation.service.port());
        let mut client = MatchServiceClient::connect(address).await.expect("it serves");
        let (sender, sent) = mpsc::channel(8);
        let mut request = Request::new(ReceiverStream::new(sent));
        let bearer = format!("Bearer {key}").parse().expect("a key is ASCII");
        request.metadata_mut().insert("authorization", bearer);
        let outcomes = client.play(request).await.expect("it opens").into_inner();
        for actions in part.chunks(256) {
            let actions = actions.to_vec();
            sender.send(PlayRequest { actions }).await.expect("it takes them");
        }
        streams.push((sender, outcomes, part.len()));
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    let submitting = tokio::spawn({
        let client = client.clone();
        async move { client.ask(&own).await }
    });
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(!submitting.is_finished(), "it waits for its turn");
    sqlx::raw_sql("commit").execute(&mut database).await.expect("it is let go");
    let entry = submitting.await.expect("no panic").expect("it is accepted").entry;
    assert_eq!(entry.expect("an entry").position, 2);
    // The rival lost nothing either.
    for (sender, mut outcomes, count) in streams {
        let mut accepted = 0;
        while accepted < count {
            let next = outcomes.message().await.expect("it goes on").expect("it does not end");
            for outcome in next.outcomes {
                let outcome = outcome.outcome.expect("an outcome");
                assert!(matches!(outcome, play_outcome::Outcome::Entry(_)), "{outcome:?}");
                accepted += 1;
            }
        }
        drop(sender);
    }
}

#[tokio::test]
async fn a_limit_that_an_operator_sets_holds_within_seconds_in_every_protocol() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let rival = client.holding(installation.platform("rival").await);
    let (watched, ours) =
        (create(&rival, &new_match(2)).await, create(&client, &new_match(2)).await);
    let printed = set_limits(&installation, "rival", &["--watches-max", "1"]).await;
    assert!(printed.contains("watches_max                 1  set"), "{printed}");
    assert!(printed.contains("streams_max               512  default"), "{printed}");
    let watch = WatchEntriesRequest { parent: watched.name, ..<_>::default() };
    let mut first = rival.watch(&watch).await;
    first.next().await.expect("it goes on").expect("it does not end");
    for protocol in STREAMING {
        let rival = rival.speaking(protocol);
        let refused =
            until("the limit holds", async || rival.watch(&watch).await.next().await.err());
        let refused = refused.await;
        check_quota(&refused, "watches_max", 1);
        if matches!(protocol, Protocol::Rest | Protocol::Events) {
            assert_eq!(refused.response.status, StatusCode::TOO_MANY_REQUESTS);
            assert!(refused.response.headers.contains_key("retry-after"));
        }
    }
    let ours = WatchEntriesRequest { parent: ours.name, ..<_>::default() };
    let streams = [client.watch(&ours).await, client.watch(&ours).await];
    for mut stream in streams {
        stream.next().await.expect("another platform's is as it was").expect("it does not end");
    }
    drop(first);
    until("the stream that ended counts no more", async || {
        rival.watch(&watch).await.next().await.ok()
    })
    .await;

    // Rates are refused as such.
    set_limits(&installation, "rival", &["--matches-per-s", "1", "--watches-max", "0"]).await;
    let refused = until("the limit holds", async || rival.ask(&new_match(2)).await.err()).await;
    check_rate(&refused, "matches_per_s", 1);
    create(&client, &new_match(2)).await;
}

#[tokio::test]
async fn a_seat_that_floods_its_match_is_stopped_and_the_others_play_on() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let rival = client.holding(installation.platform("rival").await);
    set_limits(&installation, "rival", &["--seat-actions-per-s", "1"]).await;
    let it = create(&rival, &with_talk(3)).await;
    let seats = [token(&rival, &it.name, Some(0)).await, token(&rival, &it.name, Some(1)).await];
    let seats = seats.map(|token| rival.holding(token));
    let say = async |seat: usize| {
        let action = Some(speech());
        let request = SubmitActionRequest { name: it.name.clone(), action, ..<_>::default() };
        seats[seat].ask(&request).await
    };
    let refused = until("the limit holds", async || say(0).await.err()).await;
    check_rate(&refused, "seat_actions_per_s", 1);
    say(1).await.expect("another seat may speak");

    set_limits(&installation, "rival", &["--seat-actions-per-s", "0", "--seat-entries-max", "1"])
        .await;
    let refused = until("the limit holds", async || {
        say(0).await.err().filter(|it| it.reason == "QUOTA_EXCEEDED")
    });
    check_quota(&refused.await, "seat_entries_max", 1);
    // An action that is recorded is still found, and a seat may always resign.
    let resign = ResignMatchRequest { name: it.name.clone(), ..<_>::default() };
    seats[0].ask(&resign).await.expect("it may leave");
}

#[tokio::test]
async fn a_spectator_that_floods_is_refused_and_other_spectators_are_not() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let rival = client.holding(installation.platform("rival").await);
    set_limits(&installation, "rival", &["--spectator-calls-per-s", "1"]).await;
    let it = create(&rival, &new_match(2)).await;
    let spectator = async |lifetime_s: u32| {
        let lifetime = Some(contract::seconds(lifetime_s));
        let request = CreateTokenRequest { parent: it.name.clone(), lifetime, seat: None };
        rival.holding(rival.ask(&request).await.expect("a token").token)
    };
    let (loud, quiet) = (spectator(3600).await, spectator(7200).await);
    let look = GetViewRequest { name: it.name.clone(), ..<_>::default() };
    let refused = until("the limit holds", async || loud.ask(&look).await.err()).await;
    check_rate(&refused, "spectator_calls_per_s", 1);
    quiet.ask(&look).await.expect("another token has a budget of its own");
    rival.ask(&look).await.expect("the platform is not limited");
}

#[tokio::test]
async fn subscriptions_are_counted_and_listed_with_their_states() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let rival = client.holding(installation.platform("rival").await);
    let request = |number: usize| CreateSubscriptionRequest {
        name: format!("subscriptions/feed-{number:03}"),
        filter: Some(StreamFilter {
            players: (0..100).map(|player| format!("player-{number}-{player}")).collect(),
            ..<_>::default()
        }),
        ..<_>::default()
    };
    for number in 0..100 {
        rival.ask(&request(number)).await.expect("it is made");
    }
    let refused = rival.ask(&request(100)).await.expect_err("one too many");
    check_quota(&refused, "subscriptions_max", 100);
    rival.ask(&request(7)).await.expect("it exists");
    client.ask(&request(100)).await.expect("another platform has its own");

    let consume = ConsumeSubscriptionRequest {
        name: "subscriptions/feed-007".to_owned(),
        consumer: "reader".to_owned(),
        heartbeat: Some(contract::seconds(1)),
        ..<_>::default()
    };
    let mut stream = rival.stream(&consume).await;
    stream.next().await.expect("it goes on").expect("it does not end");
    let list = ListSubscriptionsRequest::default();
    let listed = rival.ask(&list).await.expect("a list").subscriptions;
    assert_eq!(listed.len(), 100);
    for (number, listed) in listed.iter().enumerate() {
        assert_eq!(listed.name, request(number).name);
        let named = GetSubscriptionRequest { name: listed.name.clone() };
        let alone = rival.ask(&named).await.expect("it is there").subscription;
        assert_eq!(alone.as_ref(), Some(listed));
        assert_eq!(listed.consumers, if number == 7 { vec!["reader"] } else { vec![] });
    }
}

#[tokio::test]
async fn an_address_that_tries_keys_is_told_to_wait_and_valid_keys_are_not_refused() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    create(&client, &new_match(2)).await;
    let key = installation.service.key();
    let (mut invalid, mut told) = (0, 0);
    // On a slow machine, more become allowed meanwhile.
    for round in 0..10 {
        let mut trying = JoinSet::new();
        for worker in 0..160 {
            let (client, key) = (client.clone(), key.clone());
            trying.spawn(async move {
                let mut refused = Vec::new();
                for number in 0..10 {
                    let guess = client.holding(format!("{key}{round}x{worker}x{number}"));
                    let failure = guess.ask(&ListMatchesRequest::default()).await;
                    refused.push(failure.expect_err("that is no key"));
                }
                refused
            });
        }
        for failure in trying.join_all().await.into_iter().flatten() {
            match failure.reason.as_str() {
                "CREDENTIALS_INVALID" => {
                    failure.check(Code::Unauthenticated, "CREDENTIALS_INVALID");
                    invalid += 1;
                }
                _ => {
                    failure.check(Code::ResourceExhausted, "TOO_MANY_INVALID_CREDENTIALS");
                    assert!(failure.retry_ms.is_some());
                    told += 1;
                }
            }
        }
        if told > 0 {
            break;
        }
    }
    assert!(invalid >= 1000 && told > 0, "{told} were told to wait, and {invalid} were not");
    let new = installation.platform("new").await;
    client.holding(new).ask(&ListMatchesRequest::default()).await.expect("a key just made");
    assert_eq!(
        client.ask(&ListMatchesRequest::default()).await.expect("it is ours").matches.len(),
        1
    );
}

#[tokio::test]
async fn a_list_of_matches_that_the_read_model_lacks_is_complete() {
    let mut installation = Installation::open().await;
    installation.service.restart_with(&["--without-projector"]).await;
    let client = installation.client(Protocol::Grpc);
    let mut names = Vec::new();
    for seed in 0..100 {
        let mut playing = Playing::new(&client, 2, seed).await;
        playing.steps(2).await;
        names.push(playing.name);
    }
    // A process that has none of them in memory.
    installation.service.kill().await;
    installation.service.start_again().await;
    let request = ListMatchesRequest { page_size: 100, ..<_>::default() };
    let listed = client.ask(&request).await.expect("a list").matches;
    assert_eq!(listed.len(), 100);
    for (listed, name) in listed.iter().zip(names.iter().rev()) {
        assert_eq!(&listed.name, name, "the newest first");
        assert_eq!(*listed, get(&client, name).await);
        assert_eq!(listed.position, 3);
    }
}

#[tokio::test]
async fn many_readers_wait_for_the_read_model_together() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 2, 1).await;
    let mut waiting = JoinSet::new();
    for _ in 0..20 {
        playing.step().await;
        let entry = playing.entries.last().expect("it was accepted").clone();
        for _ in 0..20 {
            let (client, token) = (client.clone(), entry.name.clone());
            let least = entry.position;
            waiting.spawn(async move {
                let consistency_token = token;
                let request = ListMatchesRequest { consistency_token, ..<_>::default() };
                let list = client.ask_in_step(&request).await.expect("it is included in time");
                assert!(list.matches[0].position >= least);
            });
        }
    }
    let standings = ListStandingsRequest { parent: MOUNTEBANK.to_owned(), ..<_>::default() };
    playing.finish().await;
    let consistency_token = playing.entries.last().expect("it ended").name.clone();
    let standings = ListStandingsRequest { consistency_token, ..standings };
    let standings = client.ask_in_step(&standings).await.expect("it is included in time").standings;
    assert_eq!(standings.len(), 2, "the result is settled");
    waiting.join_all().await;
}

/// Entries of a very long match.
const LONG: i64 = 12_000;

/// The positions at which a long match has snapshots.
const INTERVAL: i64 = 500;

/// The digests of the entries after the second, each like it.
async fn digests_of_repeats(installation: &Installation, name: &str) -> Vec<[u8; 32]> {
    let store = open_store(database::Options::new(installation.postgres().options())).await;
    let match_id = rows::MatchId(contract::names::match_id(name).expect("a name"));
    let loaded = store.load("local", match_id).await.expect("a read").expect("it is there");
    let (row, seed) = (loaded.row, loaded.seed);
    let mut chain = records::Chain::new((&row).into(), &seed.expect("its seed"));
    let entries =
        store.log().entries(match_id, positions::Position::START, 2).await.expect("a read");
    let digested = |number: i64, repeated: &positions::Recorded, chain: &mut records::Chain| {
        let is_said = repeated.position.0 == 2;
        let said = format!("said-{}", 2 + number);
        let position = positions::Position(repeated.position.0 + number);
        let create_time = repeated.create_time + time::Duration::microseconds(number);
        let request_id = if is_said { Some(&*said) } else { repeated.request_id.as_deref() };
        let (seat, body) = (is_said.then_some(0), &repeated.body[..]);
        *chain.next(records::Digested { position, create_time, seat, request_id, body }).as_bytes()
    };
    digested(0, &entries[0], &mut chain);
    (0..=LONG - 2).map(|number| digested(number, &entries[1], &mut chain)).skip(1).collect()
}

#[tokio::test]
async fn a_long_match_is_read_from_its_snapshots_wherever_it_is_cold() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let it = create(&client, &with_talk(3)).await;
    let action = Some(speech());
    let say = SubmitActionRequest {
        name: it.name.clone(),
        action,
        seat: Some(0),
        request_id: "said-2".to_owned(),
        ..<_>::default()
    };
    client.ask(&say).await.expect("it is said");
    // The seat repeats itself, in the record alone: the process must not know.
    installation.service.kill().await;
    let mut database = installation.database().await;
    let id = it.name.trim_start_matches("matches/").to_owned();
    // What is said is sealed for its position: without keys, it stays sealed wherever it is.
    let keys = sqlx::query("delete from speech_keys where match_id = $1::uuid").bind(&id);
    keys.execute(&mut database).await.expect("the owner may");
    let repeat = "insert into entries
             (bucket, match_id, position, bucket_position, request_id, body, create_time, digest)
         select bucket, match_id, position + n, bucket_position + n, 'said-' || position + n, body,
             create_time + n * interval '1 microsecond', repeated.digest
         from entries, unnest($2::bytea[]) with ordinality as repeated (digest, n)
         where match_id = $1::uuid and position = 2";
    let digests = digests_of_repeats(&installation, &it.name).await;
    let repeat = sqlx::query(repeat).bind(&id).bind(digests).execute(&mut database).await;
    assert_eq!(repeat.expect("it is the only match").rows_affected(), LONG as u64 - 2);
    installation.service.start_again().await;

    let positions = [None, Some(LONG as i32 - 1), Some(7777), Some(500), Some(1)];
    let views = async || {
        let mut views = Vec::new();
        for position in positions {
            views.push(view(&client, &it.name, "seats/0", position).await);
        }
        let (name, viewer) = (it.name.clone(), String::new());
        let entry = GetEntryRequest {
            name: format!("{name}/entries/8000"),
            viewer,
            ..GetEntryRequest::default()
        };
        let entry = client.ask(&entry).await.expect("it is there").entry.expect("it");
        let at = GetViewRequest { name, read_time: entry.create_time, ..<_>::default() };
        views.push(client.ask(&at).await.expect("it is there").table.expect("a table"));
        views
    };
    let began = Instant::now();
    let folded = views().await;
    println!("{} views without snapshots took {:?}", folded.len(), began.elapsed());
    assert_eq!(folded[0].position, LONG as i32);
    assert_eq!(folded.last().expect("one by time").position, 8000);
    let complete = async |database: &mut PgConnection| {
        until("every snapshot is written", async || {
            let count = "select count(*) from match_snapshots
                         where match_id = $1::uuid and body <> 'x'";
            let count = sqlx::query_scalar(count).bind(&id).fetch_one(&mut *database).await;
            (count.unwrap_or(0_i64) == LONG / INTERVAL).then_some(())
        })
        .await;
    };
    complete(&mut database).await;

    // Snapshots are derived: what is missing, or of a history that was undone, is written again.
    let spoil = format!(
        "delete from match_snapshots where match_id = '{id}' and position = 7000;
         update match_snapshots set create_time = create_time - interval '1 s', body = 'x'
         where match_id = '{id}' and position = 9000"
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(spoil)).execute(&mut database).await.expect("spoilt");
    installation.service.kill().await;
    installation.service.start_again().await;
    assert_eq!(views().await, folded);
    complete(&mut database).await;

    // Whatever is read now is read without the entries before, but for one with its digest.
    let thin = format!(
        "delete from entries where match_id = '{id}' and position between 3 and 11400
         and position % 500 not in (499, 0) and position not between 7500 and 8001"
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(thin)).execute(&mut database).await.expect("thinned");
    installation.service.kill().await;
    installation.service.start_again().await;
    // Connections open with the first calls.
    let other = create(&client, &with_talk(3)).await;
    view(&client, &other.name, "seats/0", None).await;
    client.ask(&ListMatchesRequest::default()).await.expect("a list");
    let began = Instant::now();
    assert_eq!(view(&client, &it.name, "seats/0", None).await, folded[0]);
    println!("a cold view of {LONG} entries took {:?}", began.elapsed());
    assert_eq!(views().await, folded);

    // A retry of an old request is answered with its entry, and a new request is one too many.
    let again = SubmitActionRequest { request_id: "said-500".to_owned(), ..say.clone() };
    let entry = client.ask(&again).await.expect("it was accepted before").entry;
    assert_eq!(entry.expect("an entry").position, 500);
    let new = SubmitActionRequest { request_id: "new".to_owned(), ..say.clone() };
    let refused = client.ask(&new).await.expect_err("the seat has said enough");
    check_quota(&refused, "seat_entries_max", 10_000);
    let action = Some(speech());
    let other = SubmitActionRequest { seat: Some(1), action, ..new };
    let entry = client.ask(&other).await.expect("another seat may speak").entry;
    assert_eq!(entry.expect("an entry").position, LONG as i32 + 1);
}
