//! Matches that players' own devices dealt: what a service takes over, from whom, and that nothing
//! else is taken with it.

use contract::v1::*;
use device::{Call, Device, New, NewSeat, Thought};
use prost::Message;
use sqlx::postgres::PgConnection;
use tonic::Code;

use crate::harness::*;
use crate::public_records::read;

/// A match on a device, played to its end: the person's actions are those that are listed first,
/// and after some hundred the person resigns. Returns the request that gives it.
fn given(game: &str, seats: usize, seed: u8) -> ImportMatchRequest {
    given_later(game, seats, seed, -7200)
}

/// The same, played so many seconds from now.
fn given_later(game: &str, seats: usize, seed: u8, from_now_s: i64) -> ImportMatchRequest {
    let mut device = Device::default();
    let now_ms = 1000 * (time::OffsetDateTime::now_utc().unix_timestamp() + from_now_s);
    let level = |nth: usize| if nth == 0 { "" } else { "heuristic" };
    let seat = |nth| NewSeat { bot: level(nth).to_owned(), display_name: format!("Ann {nth}") };
    let seats = (0..seats).map(seat).collect();
    let (game, options) = (game.to_owned(), [].into());
    let dealt = device.deal(New { seed: [seed; 32], game, seats, options, now_ms });
    let name = dealt.expect("it is dealt");
    let call = |nth: i64, path: &str| Call {
        path: format!("croupier.v1.MatchService/{path}"),
        language: String::new(),
        now_ms: now_ms + 1500 * nth,
        chance: [seed; 32],
        iterations: 5,
    };
    for nth in 0.. {
        let (name, at) = (name.clone(), call(nth, "").now_ms);
        let thought = Thought { name, now_ms: at, chance: [nth as u8; 32], iterations: 5 };
        if device.think(&thought).expect("bots play") {
            continue;
        }
        let name = thought.name;
        let request = ListLegalActionsRequest { name: name.clone(), ..Default::default() };
        let listed = device.call(&call(nth, "ListLegalActions"), &request.encode_to_vec());
        let listed = ListLegalActionsResponse::decode(&*listed.expect("a list")).expect("a list");
        let first = listed.actions.into_iter().next().and_then(|it| it.action);
        match first.filter(|_| nth < 300) {
            Some(action) => {
                let action = Some(action);
                let request = SubmitActionRequest { name, action, ..Default::default() };
                let acted = device.call(&call(nth, "SubmitAction"), &request.encode_to_vec());
                acted.expect("what is listed is legal");
            }
            None => {
                let request = ResignMatchRequest { name, ..Default::default() };
                let resigned = device.call(&call(nth, "ResignMatch"), &request.encode_to_vec());
                if resigned.is_err() {
                    break;
                }
            }
        }
    }
    device.give(&name).expect("it has ended")
}

async fn import(client: &Client, request: &ImportMatchRequest) -> Match {
    let answer = client.ask(request).await.expect("it is taken over");
    answer.r#match.expect("the match")
}

#[tokio::test]
async fn a_match_of_a_device_is_taken_over_by_every_protocol() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let games = games::GAMES.iter().cycle();
    for (protocol, (game, seed)) in PROTOCOLS.into_iter().zip(games.zip(1..)) {
        let player = format!("ann-{seed}");
        let seats = (*game.seats().start()).into();
        let given = given(game.name(), seats, seed);
        let request = ImportMatchRequest { player: player.clone(), ..given };
        let it = import(&key.speaking(protocol), &request).await;
        assert_eq!((it.state(), it.casual, it.from_device), (MatchState::Ended, true, true));
        assert!(!it.options.contains_key("device"), "{:?}", it.options);
        assert_eq!((&*it.seats[0].player, &*it.seats[0].display_name), (&*player, "Ann 0"));
        // No seat has a name but the player's that the device chose.
        for bot in &it.seats[1..] {
            assert!(bot.bot == "heuristic" && bot.player.is_empty(), "{bot:?}");
            assert!(!bot.display_name.starts_with("Ann "), "{bot:?}");
        }
        assert_eq!(it.position as usize, request.actions.len() + 1);
        let again = import(&key, &request).await;
        assert_eq!((&again.name, &again.seats), (&it.name, &it.seats), "it is taken over once");
        assert_eq!(again.create_time, it.create_time);
        // Every verifier proves it, with its players.
        let report = verified(&key, &it.name).await;
        assert_eq!(report["answer"], "PROVEN", "{report}");
        assert_eq!(report["players_proven"], it.seats.len(), "{report}");
    }
    // It is in the history of its player, and of nobody's rating.
    let listed = ListMatchesRequest { player: "ann-1".to_owned(), ..Default::default() };
    until("it is listed", async || {
        let listed = key.ask(&listed).await.ok()?;
        (listed.matches.len() == 1 && listed.matches[0].from_device).then_some(())
    })
    .await;
}

/// The report of a verifier about the record of a match.
async fn verified(client: &Client, name: &str) -> serde_json::Value {
    let record = read(client, name).await;
    let mut verification = records::Verification::new(&records::Kept::default()).expect("nothing");
    verification.take(record.as_bytes());
    serde_json::to_value(records::Report::from(&verification.finish())).expect("JSON")
}

#[tokio::test]
async fn what_did_not_happen_is_refused_and_leaves_nothing() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let request = ImportMatchRequest { player: "ann".to_owned(), ..given("mountebank", 2, 7) };
    let refused = async |alter: &dyn Fn(&mut ImportMatchRequest), field: &str| {
        let mut altered = request.clone();
        alter(&mut altered);
        let failure = key.ask(&altered).await.expect_err("it did not happen");
        failure.check(Code::InvalidArgument, "RECORD_NOT_PROVEN");
        assert!(failure.facts["field"].starts_with(field), "{failure:?}");
    };
    refused(&|it| it.seed[0] ^= 1, "actions[").await;
    refused(&|it| drop(it.actions.remove(3)), "").await;
    refused(&|it| drop(it.actions.pop()), "actions").await;
    refused(&|it| it.actions[2].wait = contract::seconds(7200).into(), "digest").await;
    refused(&|it| it.digest[31] ^= 1, "digest").await;
    refused(&|it| it.seats[1].bot.clear(), "seats").await;
    refused(&|it| drop(it.options.insert("module".to_owned(), "0".to_owned())), "options").await;
    // By the word of the device it was played years ago.
    let mut old = request.clone();
    old.create_time.as_mut().expect("a time").seconds -= 2 * 366 * 86_400;
    let failure = key.ask(&old).await.expect_err("another time has another digest");
    failure.check(Code::InvalidArgument, "RECORD_NOT_PROVEN");
    let listed = key.ask(&ListMatchesRequest::default()).await.expect("a list");
    assert!(listed.matches.is_empty(), "{listed:?}");
    import(&key, &request).await;
}

#[tokio::test]
async fn a_match_is_its_givers_and_nobody_elses() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let rival = key.holding(installation.platform("rival").await);
    let of_device = given("mountebank", 2, 9);
    let named = |player: &str| {
        let player = player.to_owned();
        ImportMatchRequest { player, ..of_device.clone() }
    };
    // A token is one player's, who cannot name another.
    let ann = key.holding(player_token(&key, "ann").await);
    let failure = ann.ask(&named("bob")).await.expect_err("another player");
    failure.check(Code::PermissionDenied, "OTHER_PLAYER");
    let it = import(&ann, &named("")).await;
    assert_eq!(it.seats[0].player, "ann");
    let get = GetMatchRequest { name: it.name.clone(), ..<_>::default() };
    assert_eq!(ann.ask(&get).await.expect("its match").r#match.expect("it").name, it.name);
    // Who has the record has its seed, and the match stays ann's.
    let bob = key.holding(player_token(&key, "bob").await);
    for (client, request) in [(&bob, named("")), (&key, named("bob")), (&rival, named("ann"))] {
        let failure = client.ask(&request).await.expect_err("ann's");
        failure.check(Code::AlreadyExists, "MATCH_EXISTS");
    }
    // Another end of the same deal is another match of the same name.
    let mut shorter = named("ann");
    shorter.actions.truncate(1);
    shorter.actions[0].kind = Some(device_action::Kind::Resigned(true));
    shorter.actions[0].seat = 0;
    let failure = key.ask(&shorter).await.expect_err("it is another match");
    assert!(["RECORD_NOT_PROVEN", "MATCH_EXISTS"].contains(&&*failure.reason), "{failure:?}");
    let kept = key.ask(&get).await.expect("an answer").r#match.expect("it is there");
    assert_eq!((kept.position, &kept.seats), (it.position, &it.seats), "nothing was overwritten");
    // Nothing is played in it.
    let end = EndMatchRequest { name: it.name.clone(), ..Default::default() };
    key.ask(&end).await.expect_err("it has ended");
    // Spectators and guests give nothing.
    let open = create(&key, &new_match(2)).await;
    let spectator = key.holding(token(&key, &open.name, None).await);
    let failure = spectator.ask(&named("")).await.expect_err("nobody's");
    failure.check(Code::PermissionDenied, "PLATFORM_ONLY");
}

#[tokio::test]
async fn a_guest_gives_a_match_as_the_player_of_its_seat() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let online = create(&key, &new_match(2)).await;
    let guest = key.holding(token(&key, &online.name, Some(1)).await);
    let it = import(&guest, &given("mountebank", 2, 11)).await;
    assert_eq!(it.seats[0].player, online.seats[1].player);
    assert!(it.tags.is_empty());
}

#[tokio::test]
async fn a_clock_that_is_ahead_is_set_back() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let request = given_later("mountebank", 2, 13, 86_400);
    let it =
        import(&key, &ImportMatchRequest { player: "ann".to_owned(), ..request.clone() }).await;
    let (created, told) = (it.create_time.expect("a time"), request.create_time.expect("a time"));
    assert!(told.seconds - created.seconds > 80_000, "{told:?} {created:?}");
    let again = import(&key, &ImportMatchRequest { player: "ann".to_owned(), ..request }).await;
    assert_eq!(again.create_time, Some(created));
    let old = given_later("mountebank", 2, 14, -2 * 366 * 86_400);
    let old = ImportMatchRequest { player: "ann".to_owned(), ..old };
    let failure = key.ask(&old).await.expect_err("it is too old");
    failure.check(Code::InvalidArgument, "INVALID_REQUEST");
}

#[tokio::test]
async fn a_player_gives_a_few_matches_an_hour() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let ann = key.holding(player_token(&key, "ann").await);
    let nothing = ImportMatchRequest::default();
    for _ in 0..30 {
        let failure = ann.ask(&nothing).await.expect_err("it is no match");
        failure.check(Code::InvalidArgument, "RECORD_NOT_PROVEN");
    }
    let failure = ann.ask(&nothing).await.expect_err("it is too often");
    failure.check(Code::ResourceExhausted, "RATE_LIMIT_EXCEEDED");
    assert_eq!(failure.facts["limit"], "imports_per_h");
    let bob = key.holding(player_token(&key, "bob").await);
    bob.ask(&nothing)
        .await
        .expect_err("it is no match")
        .check(Code::InvalidArgument, "RECORD_NOT_PROVEN");
}

/// Keeps everybody from recording a position of a match until the transaction ends: its key is
/// taken, and may become free again.
async fn hold(database: &mut PgConnection, name: &str, position: i64) {
    sqlx::raw_sql("begin").execute(&mut *database).await.expect("a transaction");
    let id = contract::names::match_id(name).expect("it is a name");
    sqlx::query(
        "insert into entries (bucket, match_id, position, bucket_position, body, create_time)
         values (bucket_of($1), $1, $2, 1000000000000, '', now())",
    )
    .bind(id)
    .bind(position)
    .execute(database)
    .await
    .expect("nobody has it yet");
}

async fn let_go(database: &mut PgConnection) {
    sqlx::raw_sql("rollback").execute(database).await.expect("it is let go");
}

/// Ends the sessions of a killed service: one that waits for a key would still record its entry.
async fn end_its_sessions(database: &mut PgConnection) {
    sqlx::query(
        "select pg_terminate_backend(pid, 10000)
         from pg_stat_activity
         where backend_type = 'client backend' and pid <> pg_backend_pid()",
    )
    .execute(database)
    .await
    .expect("they end");
}

/// Waits until so many entries of a match are recorded, and no more.
async fn recorded(installation: &Installation, name: &str, entries: usize) {
    let mut database = installation.database().await;
    let id = contract::names::match_id(name).expect("it is a name");
    let query = "select count(*) from entries where match_id = $1";
    until("it is recorded so far", async || {
        let counted = sqlx::query_scalar::<_, i64>(query).bind(id).fetch_one(&mut database).await;
        (counted.expect("a count") == entries as i64).then_some(())
    })
    .await;
}

/// What a device would give, as `ann`, and the name that the match will have.
fn anns(seed: u8) -> (ImportMatchRequest, String) {
    let given = given("mountebank", 2, seed);
    let seat = |_| NewSeat { bot: String::new(), display_name: String::new() };
    let seats = given.seats.iter().map(seat).collect();
    let (seed, game, options) = ([seed; 32], "mountebank".to_owned(), [].into());
    // The name follows from the seed.
    let name = Device::default().deal(New { seed, game, seats, options, now_ms: 0 });
    (ImportMatchRequest { player: "ann".to_owned(), ..given }, name.expect("it is dealt"))
}

#[tokio::test]
async fn a_match_is_taken_over_whole_though_its_giver_goes() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let (mut database, (request, name)) = (installation.database().await, anns(16));
    hold(&mut database, &name, 6).await;
    let giving = tokio::spawn({
        let (key, request) = (key.clone(), request.clone());
        async move { key.ask(&request).await }
    });
    recorded(&installation, &name, 5).await;
    giving.abort();
    giving.await.expect_err("it was given up");
    let_go(&mut database).await;
    // Nobody calls again.
    recorded(&installation, &name, request.actions.len() + 1).await;
    assert_eq!(verified(&key, &name).await["answer"], "PROVEN");
}

#[tokio::test]
async fn what_a_killed_service_left_is_completed_by_the_same_call() {
    let mut installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let (mut database, (request, name)) = (installation.database().await, anns(17));
    hold(&mut database, &name, 9).await;
    let giving = tokio::spawn({
        let (key, request) = (key.clone(), request.clone());
        async move { key.ask(&request).await }
    });
    recorded(&installation, &name, 8).await;
    installation.service.kill().await;
    giving.await.expect("no panic").expect_err("the service is gone");
    end_its_sessions(&mut database).await;
    let_go(&mut database).await;
    installation.service.start_again().await;
    recorded(&installation, &name, 8).await;
    let begun = get(&key, &name).await;
    assert_eq!(begun.state(), MatchState::Running);
    // Nobody plays in it, and nobody else completes it.
    let end = EndMatchRequest { name: name.clone(), ..Default::default() };
    key.ask(&end).await.expect_err("it is being taken over");
    let bobs = ImportMatchRequest { player: "bob".to_owned(), ..request.clone() };
    key.ask(&bobs).await.expect_err("it is ann's").check(Code::AlreadyExists, "MATCH_EXISTS");
    recorded(&installation, &name, 8).await;
    let it = import(&key, &request).await;
    assert_eq!((&it.name, &it.seats, it.state()), (&name, &begun.seats, MatchState::Ended));
    assert_eq!(it.position as usize, request.actions.len() + 1);
    let again = import(&key, &request).await;
    assert_eq!((again.position, again.create_time), (it.position, it.create_time));
    assert_eq!(verified(&key, &name).await["answer"], "PROVEN");
}

#[tokio::test]
async fn concurrent_calls_record_a_match_once() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let request = ImportMatchRequest { player: "ann".to_owned(), ..given("mountebank", 2, 15) };
    let calls =
        (0..4).map(|_| until("it is taken over", async || key.ask(&request).await.ok()?.r#match));
    let all = futures::future::join_all(calls).await;
    assert!(all.iter().all(|it| it.name == all[0].name && it.seats == all[0].seats));
    assert_eq!(all[0].position as usize, request.actions.len() + 1);
    assert_eq!(verified(&key, &all[0].name).await["answer"], "PROVEN");
}
