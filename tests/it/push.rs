//! Browsers that tell players of their turns: what only they can read, each turn once and none that
//! is over, whatever happens to processes, endpoints and rights.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::time::SystemTime;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use contract::v1::*;
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::hkdf::{HKDF_SHA256, KeyType, Salt};
use ring::signature::ECDSA_P256_SHA256_FIXED;
use rustix::process::Signal;
use serde_json::Value;
use sqlx::PgConnection;
use tonic::Code;

use crate::harness::*;
use crate::webhooks::allow;

/// An installation that may reach this machine, and whose waits are this much shorter.
async fn installation(wait_scale: &'static str) -> Installation {
    let mut installation = Installation::open().await;
    allow(&mut installation.service, wait_scale).await;
    installation
}

/// A browser, with its push service.
struct Browser {
    receiver: Receiver,
    private: [u8; 32],
    public: Vec<u8>,
    auth: [u8; 16],
}

struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

fn derive(salt: &[u8], secret: &[u8], info: &[&[u8]], length: usize) -> Vec<u8> {
    let from = Salt::new(HKDF_SHA256, salt).extract(secret);
    let mut derived = vec![0; length];
    let expanded = from.expand(info, Length(length)).expect("it is short");
    expanded.fill(&mut derived).expect("its length");
    derived
}

fn registration(endpoint: &str, p256dh: Vec<u8>, auth: [u8; 16]) -> CreatePushSubscriptionRequest {
    let keys = Some(PushKeys { p256dh, auth: auth.to_vec() });
    CreatePushSubscriptionRequest { endpoint: endpoint.to_owned(), keys, ..<_>::default() }
}

/// The registration of a browser that is never reached.
pub fn registration_of_nobody() -> CreatePushSubscriptionRequest {
    let public = own_key(&[1; 32]).compute_public_key().expect("a key").as_ref().to_vec();
    registration("https://push.example.org/1", public, [1; 16])
}

impl Browser {
    async fn open(nth: u8) -> Browser {
        let private = [nth + 1; 32];
        let public = own_key(&private).compute_public_key().expect("a key").as_ref().to_vec();
        Browser { receiver: Receiver::open().await, private, public, auth: [nth; 16] }
    }

    fn request(&self) -> CreatePushSubscriptionRequest {
        registration(&self.receiver.url, self.public.clone(), self.auth)
    }

    /// Registers with these credentials.
    async fn register(&self, client: &Client) -> PushSubscription {
        let answer = client.ask(&self.request()).await.unwrap_or_else(|error| panic!("{error:?}"));
        answer.push_subscription.expect("a browser")
    }

    /// RFC 8188 and RFC 8291.
    fn read(&self, message: &Received) -> Value {
        assert_eq!(message.headers["content-encoding"], "aes128gcm");
        let body = &message.body[..];
        let (salt, rest) = body.split_at(16);
        assert!(
            u32::from_be_bytes(rest[..4].try_into().expect("four")) as usize >= rest.len() - 70
        );
        let (sender, sealed) = rest[5..].split_at(rest[4].into());
        let theirs = UnparsedPublicKey::new(&ECDH_P256, sender);
        let input = agree_ephemeral(own_key(&self.private), &theirs, |shared| {
            let info = [b"WebPush: info\0", &self.public[..], sender];
            derive(&self.auth, shared, &info, 32)
        });
        let input = input.expect("a key");
        let key = derive(salt, &input, &[b"Content-Encoding: aes128gcm\0"], 16);
        let nonce = derive(salt, &input, &[b"Content-Encoding: nonce\0"], 12);
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key).expect("its length"));
        let nonce = Nonce::assume_unique_for_key(nonce.try_into().expect("its length"));
        let mut sealed = sealed.to_vec();
        let record = key.open_in_place(nonce, Aad::empty(), &mut sealed).expect("it is for us");
        let end = record.iter().rposition(|it| *it != 0).expect("a delimiter");
        assert_eq!(record[end], 2);
        serde_json::from_slice(&record[..end]).expect("JSON")
    }

    /// The messages that were taken.
    fn told(&self) -> Vec<Value> {
        let received = self.receiver.received();
        received.iter().filter(|it| it.is_taken).map(|it| self.read(it)).collect()
    }

    /// The turns that were taken, by match and position, as often as they were.
    fn turns(&self) -> Vec<(String, i64)> {
        let turns = |told: &Value| told["turns"].as_array().expect("turns").clone();
        let turn = |it: Value| {
            let name = it["match"].as_str().expect("a name").to_owned();
            (name, it["position"].as_i64().expect("a number"))
        };
        self.told().iter().flat_map(turns).map(turn).collect()
    }
}

fn own_key(private: &[u8; 32]) -> EphemeralPrivateKey {
    #[expect(deprecated, reason = "a browser uses its key more than once")]
    let chosen = ring::test::rand::FixedSliceRandom { bytes: private };
    EphemeralPrivateKey::generate(&ECDH_P256, &chosen).expect("a key")
}

fn of_players(players: [&str; 2]) -> CreateMatchRequest {
    CreateMatchRequest { players: players.map(str::to_owned).to_vec(), ..new_match(2) }
}

/// A match of these players in which it is the turn of the first.
async fn asking(key: &Client, players: [&str; 2]) -> Match {
    // Who begins is chance. Where the other one does, nobody ever acts.
    loop {
        let it = create(key, &of_players(players)).await;
        if it.seats[it.waiting_for[0] as usize].player == players[0] {
            return it;
        }
    }
}

/// The browsers of a player, as the platform lists them.
async fn listed(key: &Client, player: &str) -> Vec<PushSubscription> {
    let request = ListPushSubscriptionsRequest { player: player.to_owned(), ..<_>::default() };
    key.ask(&request).await.expect("a list").push_subscriptions
}

async fn holding(key: &Client, player: &str) -> Client {
    key.holding(player_token(key, player).await)
}

#[tokio::test]
async fn a_player_is_told_of_a_turn_and_only_the_players_browser_can_read_it() {
    let installation = installation("0.01").await;
    let key = installation.client(Protocol::Rest);
    let (ann, bob) = (Browser::open(1).await, Browser::open(2).await);
    let made = ann.register(&holding(&key, "annabel").await).await;
    assert_eq!((made.player.as_str(), made.r#match.as_str()), ("annabel", ""));
    let german = CreatePushSubscriptionRequest {
        player: "bob".to_owned(),
        language: "de-AT".to_owned(),
        ..bob.request()
    };
    let made = key.ask(&german).await.expect("a platform may").push_subscription.expect("made");
    assert_eq!((made.player.as_str(), made.language.as_str()), ("bob", "de"));

    let it = asking(&key, ["annabel", "bob"]).await;
    until("Ann is told", async || (!ann.told().is_empty()).then_some(())).await;
    let told = ann.told().remove(0);
    assert_eq!(told["type"], "turn");
    assert_eq!(told["title"], "It is your turn");
    let body = told["body"].as_str().expect("a text");
    assert!(body.contains("Mountebank") && body.contains("bob"), "{body}");
    let seat = it.waiting_for[0];
    let turn = serde_json::json!({"match": it.name, "seat": seat, "position": it.position});
    let seen = &told["turns"][0];
    assert_eq!((&seen["match"], &seen["position"]), (&turn["match"], &turn["position"]));

    // The push service knows who sends, and nothing else.
    let message = ann.receiver.received().remove(0);
    let authorization = message.headers["authorization"].to_str().expect("text");
    let parts = authorization.strip_prefix("vapid t=").and_then(|it| it.split_once(", k="));
    let (token, public) = parts.expect("a token and a key");
    let decode = |text: &str| BASE64_URL_SAFE_NO_PAD.decode(text).expect("base64");
    let installed = key.ask(&GetPushKeyRequest {}).await.expect("a key").public_key;
    assert_eq!(decode(public), installed);
    let (signed, signature) = token.rsplit_once('.').expect("a signature");
    ring::signature::UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, installed)
        .verify(signed.as_bytes(), &decode(signature))
        .expect("the installation signed");
    let claims: Value =
        serde_json::from_slice(&decode(signed.split_once('.').expect("two").1)).expect("JSON");
    assert!(ann.receiver.url.starts_with(claims["aud"].as_str().expect("an origin")));
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("after 1970");
    let expiry = claims["exp"].as_u64().expect("a time");
    assert!((now.as_secs()..=now.as_secs() + 86_400).contains(&expiry));
    // What is random in it spells no name of this length.
    let seen = format!("{:?} {claims}", message.headers);
    let id = it.name.strip_prefix("matches/").expect("a name");
    assert!(!seen.contains(id) && !seen.contains("annabel") && !seen.contains("ountebank"));

    // The other one is told in the language of the browser, once it is the other one's turn.
    let mut playing = Playing::of(&key, &it, 5);
    until("Bob is told", async || {
        if get(&key, &it.name).await.waiting_for == [seat] {
            playing.steps(1).await;
        }
        (!bob.told().is_empty()).then_some(())
    })
    .await;
    let told = bob.told().remove(0);
    assert_eq!(told["language"], "de");
    // Where he began, he never acts.
    let title = told["title"].as_str().expect("a text");
    assert!(title == "Du bist am Zug" || title.ends_with(" Partien am Zug"), "{title}");
    let lengths = [&ann, &bob].map(|it| it.receiver.received()[0].body.len());
    assert_eq!(lengths[0], lengths[1], "what is said does not follow from the length");
}

/// All turns of a player, by match and position.
async fn turns_of(key: &Client, player: &str, names: &[String]) -> BTreeSet<(String, i64)> {
    let mut turns = BTreeSet::new();
    for name in names {
        let it = get(key, name).await;
        let seat = it.seats.iter().position(|it| it.player == player).expect("a seat") as u32;
        let filter = StreamFilter { players: vec![player.to_owned()], ..<_>::default() };
        let filter = StreamFilter { happenings: vec![Happening::Turn.into()], ..filter };
        let request = StreamEntriesRequest { filter: Some(filter), ..<_>::default() };
        let mut stream = key.stream(&request).await;
        let entries = entries(key, name, "spectator").await;
        let count = entries.iter().filter(|it| {
            let is_own = |prompt: &&Prompt| {
                prompt.seat == seat && !prompt.optional && prompt.asked_position == it.position
            };
            it.prompts.iter().any(|prompt| is_own(&prompt))
        });
        let count = count.count();
        let mut found = 0;
        while found < count {
            let message = stream.next().await.expect("it goes on").expect("no end").message;
            for entry in message.entries.iter().filter_map(|it| it.entry.as_ref()) {
                let (of, position) = entry.name.split_once("/entries/").expect("an entry");
                if of == name {
                    found += 1;
                    turns.insert((of.to_owned(), position.parse().expect("a position")));
                }
            }
        }
    }
    turns
}

#[tokio::test]
async fn each_turn_is_told_once_and_many_together() {
    let installation = installation("0.01").await;
    let key = installation.client(Protocol::Grpc);
    let (ann, bob) = (Browser::open(1).await, Browser::open(2).await);
    ann.register(&holding(&key, "ann").await).await;
    bob.register(&holding(&key, "bob").await).await;
    let mut names = Vec::new();
    for seed in 0..4 {
        let it = create(&key, &of_players(["ann", "bob"])).await;
        let mut playing = Playing::of(&key, &it, seed);
        playing.steps(12).await;
        names.push(it.name);
    }
    // What waits in the end is told.
    for (browser, player) in [(&ann, "ann"), (&bob, "bob")] {
        let mut waiting = BTreeSet::new();
        for name in &names {
            let it = get(&key, name).await;
            let seat = it.seats.iter().position(|it| it.player == player).expect("a seat") as u32;
            if it.waiting_for.contains(&seat) {
                waiting.insert(name.clone());
            }
        }
        until("each match is told of", async || {
            let told: BTreeSet<String> = browser.turns().into_iter().map(|it| it.0).collect();
            waiting.is_subset(&told).then_some(())
        })
        .await;
        let told = browser.turns();
        let once: BTreeSet<_> = told.iter().cloned().collect();
        assert_eq!(once.len(), told.len(), "{told:?}");
        let turns = turns_of(&key, player, &names).await;
        assert!(once.is_subset(&turns), "{once:?} of {turns:?}");
    }
}

#[tokio::test]
async fn several_matches_become_one_message_and_what_is_over_none() {
    let installation = installation("0.01").await;
    let key = installation.client(Protocol::Grpc);
    let ann = Browser::open(1).await;
    ann.receiver.behave(|_| Conduct::Fail(503));
    ann.register(&holding(&key, "ann").await).await;
    let over = asking(&key, ["ann", "bob"]).await;
    until("it was tried", async || (!ann.receiver.received().is_empty()).then_some(())).await;
    // It is not her turn any more, and it is in others.
    let resign = ResignMatchRequest { name: over.name.clone(), seat: Some(1), ..<_>::default() };
    key.ask(&resign).await.expect("any time");
    let mut others = BTreeSet::new();
    for other in ["cora", "dora", "elsa"] {
        others.insert(asking(&key, ["ann", other]).await.name);
    }
    // Waits until all of them are tried, and so told together.
    until("all are tried", async || {
        let last = ann.receiver.received().last().map(|it| ann.read(it))?;
        (last["turns"].as_array()?.len() == 3).then_some(())
    })
    .await;
    ann.receiver.behave(|_| Conduct::Take);
    until("they are told", async || (!ann.told().is_empty()).then_some(())).await;
    let told = ann.told();
    assert_eq!(told[0]["title"], "It is your turn in 3 matches");
    let names: BTreeSet<String> = ann.turns().into_iter().map(|it| it.0).collect();
    assert_eq!(names, others, "and not of the one that is over");
}

#[tokio::test]
async fn nothing_is_lost_when_a_process_is_killed() {
    let mut installation = installation("0.01").await;
    let key = installation.client(Protocol::Grpc);
    let ann = Browser::open(1).await;
    ann.receiver.behave(|_| Conduct::Fail(503));
    ann.register(&holding(&key, "ann").await).await;
    let mut names = BTreeSet::new();
    for round in 0..2 {
        for other in ["bob", "cora", "dora"] {
            names.insert(asking(&key, ["ann", &format!("{other}{round}")]).await.name);
        }
        if round == 1 {
            // In the middle of sending.
            ann.receiver.behave(|_| Conduct::Stall);
            let before = ann.receiver.received().len();
            until("it is sending", async || (ann.receiver.received().len() > before).then_some(()))
                .await;
        }
        installation.service.kill().await;
        installation.service.start_again().await;
    }
    ann.receiver.behave(|_| Conduct::Take);
    let wanted = names.len();
    until("all are told", async || {
        let told: BTreeSet<String> = ann.turns().into_iter().map(|it| it.0).collect();
        (told.len() >= wanted).then_some(())
    })
    .await;
    let told: BTreeSet<String> = ann.turns().into_iter().map(|it| it.0).collect();
    assert_eq!(told, names);
}

#[tokio::test]
async fn a_browser_that_unsubscribed_is_forgotten() {
    let installation = installation("0.01").await;
    let key = installation.client(Protocol::Grpc);
    for (nth, status) in [(1, 410), (2, 404)] {
        let browser = Browser::open(nth).await;
        let player = format!("ann{status}");
        browser.receiver.behave(move |_| Conduct::Fail(status));
        browser.register(&holding(&key, &player).await).await;
        assert_eq!(listed(&key, &player).await.len(), 1);
        asking(&key, [&player, "bob"]).await;
        until("it is forgotten", async || listed(&key, &player).await.is_empty().then_some(()))
            .await;
        assert_eq!(browser.receiver.received().len(), 1, "it is not tried again");
    }
    // Nobody is left to be told, so nothing is followed.
    let mut database = installation.database().await;
    until("no feed is left", async || {
        let feeds = sqlx::query_scalar("select count(*) from push_feeds");
        let feeds: i64 = feeds.fetch_one(&mut database).await.expect("a number");
        (feeds == 0).then_some(())
    })
    .await;
}

#[tokio::test]
async fn an_endpoint_at_a_private_address_is_refused_and_never_called() {
    let mut installation = installation("0.01").await;
    let key = installation.client(Protocol::Rest);
    let browser = Browser::open(1).await;
    let ann = holding(&key, "ann").await;
    browser.register(&ann).await;
    installation.service.arguments = vec!["--webhook-wait-scale", "0.01"];
    installation.service.signal(Signal::TERM);
    installation.service.ended().await;
    installation.service.start_again().await;
    for (url, why) in [
        (&*browser.receiver.url, "https"),
        ("https://127.0.0.1/", "not public"),
        ("https://0x7f.1/", "not public"),
        ("https://[::ffff:10.0.0.1]/", "not public"),
        ("https://ann:bob@example.com/", "user name"),
        ("", "malformed"),
    ] {
        let request =
            CreatePushSubscriptionRequest { endpoint: url.to_owned(), ..browser.request() };
        let refused = ann.ask(&request).await.expect_err(url);
        refused.check(Code::InvalidArgument, "WEBHOOK_URL_REFUSED");
        assert!(refused.message.contains(why), "{url}: {}", refused.message);
        assert_eq!(refused.facts["field"], "endpoint");
    }
    asking(&key, ["ann", "bob"]).await;
    let mut database = installation.database().await;
    until("it was tried", async || {
        let attempts = sqlx::query_scalar("select max(attempts) from push_subscriptions");
        let attempts: i32 = attempts.fetch_one(&mut database).await.expect("a number");
        (attempts > 0).then_some(())
    })
    .await;
    assert!(browser.receiver.received().is_empty(), "nothing was sent");
}

#[tokio::test]
async fn an_erased_player_and_a_revoked_one_are_told_nothing_more() {
    let installation = installation("0.01").await;
    let key = installation.client(Protocol::Grpc);
    let mut browsers = BTreeMap::new();
    for (nth, player) in (1..).zip(["ann", "bob", "cora", "dora"]) {
        let browser = Browser::open(nth).await;
        browser.register(&holding(&key, player).await).await;
        browsers.insert(player, browser);
    }
    let erase = ErasePlayerRequest { name: "players/ann".to_owned() };
    key.ask(&erase).await.expect("a platform may");
    assert!(listed(&key, "ann").await.is_empty());
    let mut database = installation.database().await;
    let kept = sqlx::query_scalar("select count(*) from push_subscriptions where player = 'ann'");
    let kept: i64 = kept.fetch_one(&mut database).await.expect("a number");
    assert_eq!(kept, 0);
    let revoke = RevokePlayerTokensRequest { parent: "players/bob".to_owned() };
    key.ask(&revoke).await.expect("a platform may");
    // One of the seats was taken over: its turns are another player's.
    let it = asking(&key, ["cora", "ed"]).await;
    until("Cora is told", async || (!browsers["cora"].told().is_empty()).then_some(())).await;
    let replace = ReplaceSeatRequest {
        name: it.name.clone(),
        seat: Some(it.waiting_for[0]),
        player: "dora".to_owned(),
        absent: true,
        ..<_>::default()
    };
    key.ask(&replace).await.expect("it may");
    until("Dora is told", async || (!browsers["dora"].told().is_empty()).then_some(())).await;
    for player in ["ann", "bob"] {
        asking(&key, [player, "ed"]).await;
    }
    until("Bob's right has ended", async || listed(&key, "bob").await.is_empty().then_some(()))
        .await;
    // What comes later is told, so what was not told never will be.
    asking(&key, ["dora", "ed"]).await;
    until("Dora is told again", async || (browsers["dora"].told().len() > 1).then_some(())).await;
    let told = ["ann", "bob", "cora"].map(|it| browsers[it].receiver.received().len());
    assert_eq!(told, [0, 0, 1]);
}

#[tokio::test]
async fn the_token_of_a_seat_is_told_of_its_match_until_that_ends() {
    let installation = installation("0.01").await;
    let key = installation.client(Protocol::Grpc);
    let browser = Browser::open(1).await;
    let own = create(&key, &of_players(["ann", "bob"])).await;
    let seat = own.seats.iter().position(|it| it.player == "ann").expect("a seat") as u32;
    let guest = key.holding(token(&key, &own.name, Some(seat)).await);
    let made = browser.register(&guest).await;
    assert_eq!((made.player.as_str(), &made.r#match), ("ann", &own.name));
    let foreign = CreatePushSubscriptionRequest { player: "bob".to_owned(), ..browser.request() };
    let refused = guest.ask(&foreign).await.expect_err("another player");
    refused.check(Code::PermissionDenied, "OTHER_PLAYER");
    asking(&key, ["ann", "cora"]).await;
    // It is Ann's turn, at the latest after the other one's.
    let mut playing = Playing::of(&key, &own, 3);
    playing.steps(1).await;
    until("she is told", async || {
        if get(&key, &own.name).await.waiting_for != [seat] {
            playing.steps(1).await;
        }
        (!browser.told().is_empty()).then_some(())
    })
    .await;
    let told: HashSet<String> = browser.turns().into_iter().map(|it| it.0).collect();
    assert_eq!(told, HashSet::from([own.name.clone()]), "of no other match");
    let resign = ResignMatchRequest { name: own.name, seat: Some(1 - seat), ..<_>::default() };
    key.ask(&resign).await.expect("any time");
    until("it is forgotten", async || listed(&key, "ann").await.is_empty().then_some(())).await;
}

#[tokio::test]
async fn a_players_browsers_are_few_and_the_players_own() {
    let installation = installation("0.01").await;
    let key = installation.client(Protocol::Rest);
    let (ann, bob) = (holding(&key, "ann").await, holding(&key, "bob").await);
    let browser = Browser::open(1).await;
    let mut made = Vec::new();
    for nth in 0..10 {
        let endpoint = format!("{}/{nth}", browser.receiver.url);
        let request = CreatePushSubscriptionRequest { endpoint, ..browser.request() };
        let it = ann.ask(&request).await.expect("she may").push_subscription.expect("made");
        let again = ann.ask(&request).await.expect("she may").push_subscription.expect("made");
        assert_eq!((&it.name, &it.create_time), (&again.name, &again.create_time));
        made.push(it.name);
    }
    let names = |it: Vec<PushSubscription>| it.into_iter().map(|it| it.name).collect::<Vec<_>>();
    assert_eq!(names(listed(&key, "ann").await), made[2..], "the last eight");
    let mut paged = Vec::new();
    let mut request = ListPushSubscriptionsRequest { page_size: 3, ..<_>::default() };
    loop {
        let page = ann.ask(&request).await.expect("a page");
        paged.extend(names(page.push_subscriptions));
        request.page_token = page.next_page_token;
        if request.page_token.is_empty() {
            break;
        }
    }
    assert_eq!(paged, made[2..]);
    let rival = key.holding(installation.platform("rival").await);
    let delete = DeletePushSubscriptionRequest { name: made[9].clone() };
    for stranger in [&bob, &rival] {
        let refused = stranger.ask(&delete).await.expect_err("it is not theirs");
        refused.check(Code::NotFound, "PUSH_SUBSCRIPTION_NOT_FOUND");
    }
    let request = ListPushSubscriptionsRequest { player: "ann".to_owned(), ..<_>::default() };
    let refused = bob.ask(&request).await.expect_err("they are not his");
    refused.check(Code::PermissionDenied, "OTHER_PLAYER");
    ann.ask(&delete).await.expect("it is hers");
    ann.ask(&delete).await.expect_err("once").check(Code::NotFound, "PUSH_SUBSCRIPTION_NOT_FOUND");
    key.ask(&DeletePushSubscriptionRequest { name: made[8].clone() }).await.expect("it may");
    assert_eq!(names(listed(&key, "ann").await), made[2..8]);
}

/// Quiet hours now, by the clock of the database: from an hour ago until the minute after `left`.
async fn now_quiet(database: &mut PgConnection, left: i32) -> QuietHours {
    let reading = "select extract(epoch from now() at time zone 'UTC')::int8 / 60 % 1440";
    let minute: i64 = sqlx::query_scalar(reading).fetch_one(database).await.expect("a number");
    let minute = minute as i32;
    let (start_minute, end_minute) = ((minute + 1380) % 1440, (minute + left) % 1440);
    QuietHours { time_zone: "UTC".to_owned(), start_minute, end_minute }
}

/// The turns that wait for a browser in quiet hours, and for how long.
async fn held(database: &mut PgConnection) -> (i64, Option<i32>) {
    let reading = "select count(*), min(extract(epoch from quiet_until - now()) / 60)::int4
         from push_turns join push_subscriptions using (bucket, platform, push_id)";
    sqlx::query_as(reading).fetch_one(database).await.expect("a row")
}

/// Lets all quiet hours begin and end this many hours earlier: so much time passes.
async fn pass(database: &mut PgConnection, hours: i32) {
    let passing = "update push_subscriptions
         set quiet_start = (quiet_start + 1440 - $1) % 1440,
             quiet_end = (quiet_end + 1440 - $1) % 1440,
             quiet_until = quiet_until - $1 * interval '1 minute'";
    sqlx::query(passing).bind(hours * 60).execute(database).await.expect("it is ours");
}

#[tokio::test]
async fn what_comes_in_quiet_hours_is_told_in_one_message_when_they_end() {
    let mut installation = installation("0.01").await;
    let key = installation.client(Protocol::Grpc);
    let mut database = installation.database().await;
    let (ann, bob) = (Browser::open(1).await, Browser::open(2).await);
    let player = holding(&key, "ann").await;
    let quiet_hours = Some(now_quiet(&mut database, 600).await);
    let request = CreatePushSubscriptionRequest { quiet_hours, ..ann.request() };
    let made = player.ask(&request).await.expect("she may").push_subscription.expect("made");
    assert_eq!(made.quiet_hours, request.quiet_hours);
    assert_eq!(listed(&key, "ann").await, [made]);
    bob.register(&holding(&key, "bob").await).await;
    let over = asking(&key, ["ann", "bob"]).await;
    let mut names = BTreeSet::new();
    for other in ["bob", "cora", "dora", "elsa", "fred"] {
        names.insert(asking(&key, ["ann", other]).await.name);
    }
    until("all wait", async || {
        let (turns, minutes) = held(&mut database).await;
        let is_held = turns == 6 && minutes.is_some_and(|it| (590..=601).contains(&it));
        is_held.then_some(())
    })
    .await;
    installation.service.kill().await;
    installation.service.start_again().await;
    // What begins later is told to who has no quiet hours.
    asking(&key, ["bob", "gina"]).await;
    until("Bob is told", async || (!bob.told().is_empty()).then_some(())).await;
    let resign = ResignMatchRequest { name: over.name, seat: Some(1), ..<_>::default() };
    key.ask(&resign).await.expect("any time");
    assert_eq!(held(&mut database).await.0, 6);
    assert!(ann.receiver.received().is_empty(), "her hours are quiet");

    pass(&mut database, 11).await;
    // The process has planned to look at the hour before: another turn makes it look.
    asking(&key, ["bob", "gina"]).await;
    until("she is told", async || (!ann.told().is_empty()).then_some(())).await;
    let told = ann.told();
    assert_eq!(told[0]["title"], "It is your turn in 5 matches");
    let found: Vec<String> = ann.turns().into_iter().map(|it| it.0).collect();
    assert_eq!(found.len(), names.len(), "{found:?}");
    assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), names);
    until("nothing waits", async || (held(&mut database).await.0 == 0).then_some(())).await;
    assert_eq!(ann.receiver.received().len(), 1);
}

#[tokio::test]
async fn quiet_hours_that_are_given_up_hold_nothing_back() {
    let installation = installation("0.01").await;
    let key = installation.client(Protocol::Rest);
    let mut database = installation.database().await;
    let ann = Browser::open(1).await;
    let player = holding(&key, "ann").await;
    let quiet = now_quiet(&mut database, 600).await;
    let quiet_hours = Some(QuietHours { time_zone: "etc/utc".to_owned(), ..quiet });
    let request = CreatePushSubscriptionRequest { quiet_hours, ..ann.request() };
    let made = player.ask(&request).await.expect("she may").push_subscription.expect("made");
    assert_eq!(made.quiet_hours.expect("quiet hours").time_zone, "Etc/UTC");
    asking(&key, ["ann", "bob"]).await;
    until("it waits", async || matches!(held(&mut database).await, (1, Some(_))).then_some(()))
        .await;
    let made = ann.register(&player).await;
    assert_eq!(made.quiet_hours, None);
    until("she is told", async || (!ann.told().is_empty()).then_some(())).await;
    let request = CreatePushSubscriptionRequest {
        quiet_hours: Some(QuietHours { time_zone: "Europe/Nowhere".to_owned(), ..<_>::default() }),
        ..ann.request()
    };
    let refused = player.ask(&request).await.expect_err("nowhere");
    refused.check(Code::InvalidArgument, "TIME_ZONE_UNKNOWN");
    assert_eq!(refused.facts["field"], "quiet_hours.time_zone");
    for (start_minute, end_minute, field) in [
        (-1, 60, "start"),
        (1440, 60, "start"),
        (60, 1440, "end"),
        (60, 60, "end"),
        (0, 1201, "end"),
    ] {
        let quiet = QuietHours { time_zone: "UTC".to_owned(), start_minute, end_minute };
        let request = CreatePushSubscriptionRequest { quiet_hours: Some(quiet), ..ann.request() };
        let refused = player.ask(&request).await.expect_err("no hours");
        refused.check(Code::InvalidArgument, "QUIET_HOURS_INVALID");
        assert_eq!(refused.facts["field"], format!("quiet_hours.{field}_minute"));
    }
    assert_eq!(listed(&key, "ann").await, [made], "a refusal changes nothing");
}
