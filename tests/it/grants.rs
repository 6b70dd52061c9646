//! Authorization: keys, seat tokens, spectator tokens, and invalid ones. The grant decides, never
//! the request.

use contract::v1::*;
use tonic::Code;

use crate::harness::*;

/// A request of each rpc about a match, as JSON. A test fails until a new rpc is added here.
pub fn requests(name: &str) -> Vec<(&'static str, String)> {
    let (named, child) = (format!(r#"{{"name":"{name}""#), format!(r#"{{"parent":"{name}""#));
    let action = r#""action":{"mountebank":{"draw":{}}}"#;
    vec![
        ("CreateMatch", r#"{"game":"games/mountebank","seats":2}"#.to_owned()),
        ("BatchCreateMatches", TWO_MATCHES.to_owned()),
        ("GetMatch", format!("{named}}}")),
        ("ListMatches", "{}".to_owned()),
        ("ImportMatch", r#"{"game":"games/mountebank","player":"ottoline"}"#.to_owned()),
        ("CommitSeed", r#"{"requestId":"r-1"}"#.to_owned()),
        (
            "ContributeEntropy",
            format!(r#"{named},"seat":0,"contribution":"AAAAAAAAAAAAAAAAAAAAAA=="}}"#),
        ),
        ("JoinMatch", format!(r#"{named},"player":"ottoline"}}"#)),
        ("SubmitAction", format!(r#"{named},"seat":0,{action}}}"#)),
        ("ListLegalActions", format!(r#"{named},"seat":0}}"#)),
        ("SuggestActions", format!(r#"{named},"seat":0}}"#)),
        ("GetView", format!("{named}}}")),
        ("GetTableImage", format!("{named}}}")),
        ("ResignMatch", format!(r#"{named},"seat":0}}"#)),
        ("TakeBack", format!(r#"{named},"seat":0}}"#)),
        ("VoteMatch", format!(r#"{named},"seat":0,"motion":"MOTION_PAUSE"}}"#)),
        ("PauseMatch", format!("{named}}}")),
        ("ResumeMatch", format!("{named}}}")),
        ("EndMatch", format!("{named}}}")),
        ("LeaveMatch", format!(r#"{named},"player":"ottoline"}}"#)),
        ("ReplaceSeat", format!(r#"{named},"seat":0,"player":"ottoline"}}"#)),
        ("GetEntry", format!(r#"{{"name":"{name}/entries/1"}}"#)),
        ("GetReceipt", format!(r#"{{"name":"{name}/entries/1/receipt"}}"#)),
        ("ListEntries", format!("{child}}}")),
        ("WatchEntries", format!("{child}}}")),
        ("ReadRecord", format!(r#"{{"name":"{name}/record"}}"#)),
        ("AttendMatch", format!("{named}}}")),
        ("CreateInvitation", format!("{child}}}")),
        ("RevokeInvitations", format!("{child}}}")),
        ("GetInvitation", "{}".to_owned()),
        ("AcceptInvitation", GUEST.to_owned()),
        ("CreateToken", format!("{child}}}")),
        ("RevokeTokens", format!(r#"{child},"seat":7}}"#)),
        ("CreatePlayerToken", r#"{"parent":"players/ottoline"}"#.to_owned()),
        ("RevokePlayerTokens", r#"{"parent":"players/nobody"}"#.to_owned()),
        ("CreateSignIn", "{}".to_owned()),
        ("GetPlatform", "{}".to_owned()),
        ("ListApiKeys", "{}".to_owned()),
        ("ListActs", "{}".to_owned()),
        ("WatchPlayer", r#"{"name":"players/ottoline"}"#.to_owned()),
        ("ListOpenMatches", "{}".to_owned()),
        ("CreateSeek", r#"{"player":"ottoline","game":"games/mountebank","seats":[5]}"#.to_owned()),
        ("GetSeek", NO_SEEK.to_owned()),
        ("ListSeeks", "{}".to_owned()),
        ("DeleteSeek", NO_SEEK.to_owned()),
        ("GetPushKey", "{}".to_owned()),
        ("CreatePushSubscription", BROWSER.to_owned()),
        ("ListPushSubscriptions", r#"{"player":"ottoline"}"#.to_owned()),
        ("DeletePushSubscription", NO_BROWSER.to_owned()),
        ("TagMatch", format!(r#"{named},"remove":[]}}"#)),
        (
            "UpdateMatch",
            format!(r#"{{"match":{named},"displayName":"x"}},"updateMask":"displayName"}}"#),
        ),
        ("DeleteMatch", format!("{named}}}")),
        ("ListHoldings", format!("{child}}}")),
        ("GetPlayer", r#"{"name":"players/ottoline"}"#.to_owned()),
        ("ListStandings", r#"{"parent":"games/mountebank"}"#.to_owned()),
        ("ListRatingChanges", RATED.to_owned()),
        ("ErasePlayer", r#"{"name":"players/nobody"}"#.to_owned()),
        ("SearchEntries", r#"{"parent":"games/mountebank"}"#.to_owned()),
        ("GetProjection", r#"{"name":"projections/players"}"#.to_owned()),
        ("DiffViews", format!(r#"{named},"fromPosition":1}}"#)),
        ("ReplayEntries", format!("{child}}}")),
        ("StreamEntries", "{}".to_owned()),
        ("CreateSubscription", MAIL.to_owned()),
        ("GetSubscription", MAIL.to_owned()),
        ("ListSubscriptions", "{}".to_owned()),
        ("ConsumeSubscription", MAIL.to_owned()),
        ("AcknowledgeEntries", MAIL.to_owned()),
        ("RotateSecret", MAIL.to_owned()),
        ("ListDeliveries", MAIL.replace("name", "parent")),
        ("RedeliverEntries", MAIL.to_owned()),
        ("MoveWebhook", MAIL.to_owned()),
        ("TestWebhook", MAIL.to_owned()),
        ("UpdateSubscription", format!(r#"{{"subscription":{MAIL},"updateMask":"unredacted"}}"#)),
        ("DeleteSubscription", MAIL.to_owned()),
    ]
}

/// The keys of the browser of RFC 8291, appendix A.
const BROWSER: &str = r#"{"player":"ottoline","endpoint":"https://push.example.com/a","keys":{"auth":"BTBZMqHH6r4Tts7J_aSIgg","p256dh":"BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"}}"#;

const NO_BROWSER: &str = r#"{"name":"pushSubscriptions/00000000-0000-4000-8000-000000000000"}"#;

const NO_SEEK: &str = r#"{"name":"seeks/00000000-0000-4000-8000-000000000000"}"#;

/// The rpcs about what an invitation invites to.
pub const OF_GUESTS: [&str; 2] = ["GetInvitation", "AcceptInvitation"];

/// The rpc about a match of a device.
pub const OF_DEVICES: &str = "ImportMatch";

/// The rpcs of operators.
pub const OF_OPERATORS: [(&str, &str); 11] = [
    ("InstallGame", r#"{"module":"AAAA"}"#),
    ("RetireGame", r#"{"name":"games/pebbles"}"#),
    ("ListModules", "{}"),
    ("GetMetrics", "{}"),
    ("ListPlatforms", "{}"),
    ("CreatePlatform", r#"{"name":"platforms/bestco"}"#),
    ("SetPlatformLimits", r#"{"name":"platforms/bestco","limits":{"streams_max":7}}"#),
    ("SuspendPlatform", r#"{"name":"platforms/bestco"}"#),
    ("ResumePlatform", r#"{"name":"platforms/bestco"}"#),
    ("CreateApiKey", r#"{"parent":"platforms/bestco"}"#),
    ("RevokeApiKey", r#"{"parent":"platforms/bestco","name":"apiKeys/4c1f0a9be2d7"}"#),
];

/// The rpcs about the browsers of a player.
const OF_BROWSERS: [&str; 4] =
    ["GetPushKey", "CreatePushSubscription", "ListPushSubscriptions", "DeletePushSubscription"];

const GUEST: &str = r#"{"guestKey":"kkkkkkkkkkkkkkkkkkkkkk","displayName":"Ottoline"}"#;

/// A code that nobody made.
pub const NO_CODE: &str = r#"{"code":"AAAAAAAAAAAAAAAAAAAAAA"}"#;

const RATED: &str = r#"{"parent":"players/ottoline","game":"games/mountebank"}"#;

const TWO_MATCHES: &str =
    r#"{"requests":[{"game":"games/mountebank","seats":2},{"game":"games/rigs","seats":3}]}"#;

const MAIL: &str = r#"{"name":"subscriptions/mail"}"#;

/// The rpcs about all matches of a platform.
const OF_A_PLATFORM: &[&str] = &[
    "CreateMatch",
    "BatchCreateMatches",
    "CommitSeed",
    "ListMatches",
    "GetPlayer",
    "ListStandings",
    "ListRatingChanges",
    "ErasePlayer",
    "CreatePlayerToken",
    "RevokePlayerTokens",
    "CreateSignIn",
    "GetPlatform",
    "ListApiKeys",
    "ListActs",
    "WatchPlayer",
    "ListOpenMatches",
    "CreateSeek",
    "GetSeek",
    "ListSeeks",
    "DeleteSeek",
    "SearchEntries",
    "GetProjection",
    "StreamEntries",
    "CreateSubscription",
    "GetSubscription",
    "ListSubscriptions",
    "ConsumeSubscription",
    "AcknowledgeEntries",
    "RotateSecret",
    "ListDeliveries",
    "RedeliverEntries",
    "MoveWebhook",
    "TestWebhook",
    "UpdateSubscription",
    "DeleteSubscription",
];

/// The rpcs that are about one match.
fn of_a_match(name: &str) -> impl Iterator<Item = (&'static str, String)> {
    let is_other = |rpc: &'static str| {
        OF_A_PLATFORM.contains(&rpc)
            || OF_GUESTS.contains(&rpc)
            || OF_BROWSERS.contains(&rpc)
            || rpc == OF_DEVICES
    };
    requests(name).into_iter().filter(move |(rpc, _)| !is_other(rpc))
}

#[tokio::test]
async fn only_the_games_are_readable_without_credentials() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let it = create(&key, &new_match(2)).await;
    let good = token(&key, &it.name, Some(0)).await;
    let forged = [
        "nonsense".to_owned(),
        installation.service.key() + "x",
        installation.service.key().replace("croupier_local_", "croupier_rival_"),
        format!("{}x", good),
        // A token whose header claims that it is unsigned.
        format!("eyJhbGciOiJub25lIiwia2lkIjoiMSJ9.{}.", good.split('.').nth(1).expect("claims")),
    ];
    let mut checked: Vec<String> = Vec::new();
    for (rpc, request) in requests(&it.name) {
        for protocol in STREAMING {
            let client = key.speaking(protocol);
            let failure = client.anonymous().call(rpc, &request).await.expect_err("nobody");
            failure.check(Code::Unauthenticated, "CREDENTIALS_MISSING");
        }
        for forged in &forged {
            let failure = key.holding(forged).call(rpc, &request).await.expect_err("forged");
            failure.check(Code::Unauthenticated, "CREDENTIALS_INVALID");
        }
        let basic = key.anonymous().with_header("authorization", "Basic b3R0b2xpbmU6eA==");
        let failure = basic.call(rpc, &request).await.expect_err("not a bearer");
        failure.check(Code::Unauthenticated, "CREDENTIALS_INVALID");
        checked.push(rpc.to_owned());
    }
    for (rpc, request) in [
        ("ListGames", "{}"),
        ("GetGame", r#"{"name":"games/mountebank"}"#),
        ("GetRules", r#"{"name":"games/mountebank/rules"}"#),
    ] {
        key.anonymous().call(rpc, request).await.expect("it is the same for everybody");
        checked.push(rpc.to_owned());
    }
    // It takes a code instead.
    let failure = key.anonymous().call("SignIn", NO_CODE).await.expect_err("nobody made it");
    failure.check(Code::Unauthenticated, "SIGN_IN_CODE_INVALID");
    checked.push("SignIn".to_owned());
    // Only gRPC has streams of requests.
    let play = format!(r#"{{"actions":[{{"name":"{}"}}]}}"#, it.name);
    let failure = key.anonymous().call("Play", &play).await.expect_err("nobody");
    failure.check(Code::Unauthenticated, "CREDENTIALS_MISSING");
    let failure = key.holding(&forged[0]).call("Play", &play).await.expect_err("forged");
    failure.check(Code::Unauthenticated, "CREDENTIALS_INVALID");
    checked.push("Play".to_owned());
    // `installing::only_operators_install_games` has the others.
    for (rpc, request) in OF_OPERATORS {
        let failure = key.anonymous().call(rpc, request).await.expect_err("nobody");
        failure.check(Code::Unauthenticated, "CREDENTIALS_MISSING");
        for forged in &forged {
            let failure = key.holding(forged).call(rpc, request).await.expect_err("forged");
            failure.check(Code::Unauthenticated, "CREDENTIALS_INVALID");
        }
        checked.push(rpc.to_owned());
    }
    checked.sort();
    let mut all: Vec<String> = methods().iter().map(|method| method.name().to_owned()).collect();
    all.sort();
    assert_eq!(checked, all, "each rpc of the contract");
}

#[tokio::test]
async fn a_seat_token_plays_one_seat_of_one_match() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let it = create(&key, &new_match(2)).await;
    let own = it.waiting_for[0];
    let holder = key.holding(token(&key, &it.name, Some(own)).await);
    let name = &it.name;
    let other = 1 - own;
    for protocol in PROTOCOLS {
        let holder = holder.speaking(protocol);
        let more = [
            "JoinMatch",
            "CreateInvitation",
            "RevokeInvitations",
            "CreateToken",
            "RevokeTokens",
            "UpdateMatch",
            "DeleteMatch",
            "PauseMatch",
            "ResumeMatch",
            "EndMatch",
            "ReplaceSeat",
        ];
        for rpc in OF_A_PLATFORM.iter().copied().chain(more) {
            let request = requests(name).into_iter().find(|it| it.0 == rpc).expect("it is there").1;
            let failure = holder.call(rpc, &request).await.expect_err("a platform's");
            failure.check(Code::PermissionDenied, "PLATFORM_ONLY");
        }
        for (rpc, rest) in [
            (
                "SubmitAction",
                format!(r#","seat":{other},"action":{{"mountebank":{{"draw":{{}}}}}}"#),
            ),
            ("ListLegalActions", format!(r#","seat":{other}"#)),
            ("SuggestActions", format!(r#","seat":{other}"#)),
            ("ResignMatch", format!(r#","seat":{other}"#)),
            ("TakeBack", format!(r#","seat":{other}"#)),
            ("LeaveMatch", r#","player":"nobody""#.to_owned()),
            ("VoteMatch", format!(r#","seat":{other},"motion":"MOTION_PAUSE""#)),
            (
                "ContributeEntropy",
                format!(r#","seat":{other},"contribution":"AAAAAAAAAAAAAAAAAAAAAA==""#),
            ),
            ("GetView", format!(r#","viewer":"seats/{other}""#)),
            ("GetTableImage", format!(r#","viewer":"seats/{other}""#)),
        ] {
            let request = format!(r#"{{"name":"{name}"{rest}}}"#);
            let failure = holder.call(rpc, &request).await.expect_err("another's seat");
            failure.check(Code::PermissionDenied, "NOT_YOUR_SEAT");
        }
        for viewer in ["", "spectator", &format!("seats/{own}")] {
            let seen = view(&holder, name, viewer, None).await.viewer;
            let expected =
                if viewer.is_empty() { format!("seats/{own}") } else { viewer.to_owned() };
            assert_eq!(seen, expected);
        }
    }
    let mut playing = Playing::of(&holder, &it, 71);
    let mut action = playing.plan().await.expect("an answer").expect("it is asked");
    action.seat = None;
    let entry = holder.ask(&action).await.expect("its own seat").entry.expect("an entry");
    assert_eq!((entry.seat, entry.position), (Some(own), 2));
    assert!(entry.action.is_some(), "its own action is told to it");
}

#[tokio::test]
async fn a_spectator_token_reads_and_cannot_act() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let it = create(&key, &new_match(2)).await;
    let holder = key.holding(token(&key, &it.name, None).await);
    for protocol in STREAMING {
        let holder = holder.speaking(protocol);
        for (rpc, request) in requests(&it.name) {
            let answer = holder.call(rpc, &request).await;
            match rpc {
                "GetMatch" | "GetView" | "GetTableImage" | "GetEntry" | "GetReceipt"
                | "ListEntries" | "WatchEntries" | "ListHoldings" | "DiffViews"
                | "ReplayEntries" | "AttendMatch" => {
                    answer.expect("it may look");
                }
                _ if OF_GUESTS.contains(&rpc) => {
                    let failure = answer.expect_err("a guest's");
                    failure.check(Code::PermissionDenied, "INVITATION_ONLY");
                }
                "ReadRecord" => {
                    let failure = answer.expect_err("the match has not ended");
                    failure.check(Code::FailedPrecondition, "MATCH_NOT_ENDED");
                }
                "SubmitAction" | "ListLegalActions" | "SuggestActions" | "ResignMatch"
                | "ContributeEntropy" | "TakeBack" | "VoteMatch" | "LeaveMatch" => {
                    let failure = answer.expect_err("it has no seat");
                    failure.check(Code::PermissionDenied, "NOT_YOUR_SEAT");
                }
                _ => {
                    let failure = answer.expect_err("a platform's");
                    failure.check(Code::PermissionDenied, "PLATFORM_ONLY");
                }
            }
        }
        assert_eq!(view(&holder, &it.name, "", None).await.viewer, "spectator");
    }
}

#[tokio::test]
async fn an_expired_token_is_refused_as_expired() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let it = create(&key, &new_match(2)).await;
    let request = CreateTokenRequest {
        parent: it.name.clone(),
        seat: Some(0),
        lifetime: Some(contract::seconds(1)),
    };
    let minted = key.ask(&request).await.expect("a platform may");
    assert!(minted.expire_time.is_some());
    let holder = key.holding(minted.token);
    let request = GetMatchRequest { name: it.name.clone(), ..GetMatchRequest::default() };
    until("it expires", async || holder.ask(&request).await.is_err().then_some(())).await;
    for protocol in STREAMING {
        for (rpc, request) in requests(&it.name) {
            let failure = holder.speaking(protocol).call(rpc, &request).await.expect_err("expired");
            failure.check(Code::Unauthenticated, "TOKEN_EXPIRED");
        }
    }
}

#[tokio::test]
async fn a_foreign_match_and_no_match_get_the_same_bytes() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let rival = key.holding(installation.platform("rival").await);
    let mine = create(&key, &new_match(2)).await.name;
    let also_mine = create(&key, &new_match(2)).await.name;
    let theirs = create(&rival, &new_match(2)).await.name;
    let none = "matches/00000000-0000-4000-8000-000000000000";
    let seat = key.holding(token(&key, &also_mine, Some(0)).await);
    let spectator = key.holding(token(&key, &also_mine, None).await);
    for protocol in STREAMING {
        for (number, (rpc, _)) in of_a_match(none).enumerate() {
            let mut answers = Vec::new();
            for (client, name) in [(&key, none), (&key, &theirs), (&rival, &mine)] {
                answers.push(not_found(client, protocol, number, name).await);
            }
            // A match token may first be told that the rpc needs a platform key, for any match
            // alike.
            let of_platforms = [
                "JoinMatch",
                "CreateInvitation",
                "RevokeInvitations",
                "CreateToken",
                "RevokeTokens",
                "TagMatch",
                "UpdateMatch",
                "DeleteMatch",
                "PauseMatch",
                "ResumeMatch",
                "EndMatch",
                "ReplaceSeat",
            ];
            if !of_platforms.contains(&rpc) {
                for client in [&seat, &spectator] {
                    answers.push(not_found(client, protocol, number, &mine).await);
                    answers.push(not_found(client, protocol, number, none).await);
                }
            }
            assert!(
                answers.iter().all(|it| *it == answers[0]),
                "{rpc} in {protocol:?}: {answers:?}"
            );
        }
    }
}

/// The answer of the rpc at this index about a match that cannot be found.
async fn not_found(client: &Client, protocol: Protocol, number: usize, name: &str) -> String {
    let (rpc, request) = of_a_match(name).nth(number).expect("an rpc");
    let failure = client.speaking(protocol).call(rpc, &request).await.expect_err("not to be found");
    failure.check(Code::NotFound, "MATCH_NOT_FOUND");
    let response = String::from_utf8_lossy(&failure.response.bytes()).into_owned();
    format!("{:?} {} {response}", failure.code, failure.message)
}

#[tokio::test]
async fn a_platform_lists_its_own_matches_once_newest_first() {
    let installation = Installation::open().await;
    let key = installation.client(Protocol::Grpc);
    let rival = key.holding(installation.platform("rival").await);
    let mut created = Vec::new();
    for number in 0..7 {
        created.push(create(&key, &new_match(2 + number % 3)).await.name);
        create(&rival, &new_match(2)).await;
    }
    created.reverse();
    for protocol in PROTOCOLS {
        let client = key.speaking(protocol);
        let (mut request, mut listed) =
            (ListMatchesRequest { page_size: 3, ..Default::default() }, Vec::new());
        loop {
            let page = client.ask(&request).await.expect("a page");
            listed.extend(page.matches.into_iter().map(|it| it.name));
            request.page_token = page.next_page_token;
            if request.page_token.is_empty() {
                break;
            }
            // Pages stay consistent while matches are created.
            let elsewhere = create(&rival, &new_match(2)).await.name;
            assert!(!listed.contains(&elsewhere));
            let foreign = rival.speaking(protocol).ask(&request).await.expect_err("not its token");
            foreign.check(Code::InvalidArgument, "INVALID_PAGE_TOKEN");
        }
        assert_eq!(listed, created);
    }
}
