//! Platforms that operators add and change by calls: what a platform notices, what is refused, and
//! what the database asks for.

use std::collections::HashMap;

use contract::v1::*;
use sqlx::Connection;
use tonic::Code;

use crate::harness::*;
use crate::installing::operator_key;

fn limits(of: &[(&str, u32)]) -> HashMap<String, u32> {
    of.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
}

fn limit<'p>(platform: &'p Option<Platform>, name: &str) -> &'p Limit {
    let mut limits = platform.iter().flat_map(|it| &it.limits).filter(|it| it.name == name);
    limits.next().expect("a limit")
}

/// By a process whose role of the database may change no platform.
#[tokio::test]
async fn an_operator_adds_a_platform_and_changes_it_by_calls() {
    let mut installation = Installation::open().await;
    let key = operator_key(&installation).await;
    installation.restrict().await;
    for (protocol, id) in PROTOCOLS.into_iter().zip(["acme", "bestco", "corp", "dice-4", "e"]) {
        let operator = installation.client(protocol).holding(&key);
        // What every process notices within seconds is waited for once.
        let is_followed = protocol == Protocol::Grpc;
        let name = format!("platforms/{id}");
        let create = CreatePlatformRequest { name: name.clone() };
        let created = operator.ask(&create).await.expect("it is new").platform.expect("it");
        assert_eq!((&created.name, created.suspend_time), (&name, None));
        let again = operator.ask(&create).await.expect_err("there is one");
        again.check(Code::AlreadyExists, "PLATFORM_EXISTS");

        let listed = operator.ask(&ListPlatformsRequest::default()).await.expect("a list");
        let its = listed.platforms.iter().find(|it| it.name == name).expect("it is listed");
        assert_eq!((its.create_time, &its.limits[..]), (created.create_time, &[][..]));

        let parent = name.clone();
        let made = operator.ask(&CreateApiKeyRequest { parent }).await.expect("a key");
        let its_key = made.api_key.expect("it");
        let platform = installation.client(protocol).holding(&made.key);
        platform.ask(&new_match(2)).await.expect("the key is valid");
        let keys = ListApiKeysRequest { platform: name.clone(), ..<_>::default() };
        let known = operator.ask(&keys).await.expect("a list").api_keys;
        assert_eq!(known, std::slice::from_ref(&its_key));
        let secret = made.key.splitn(4, '_').nth(3).expect("a secret");
        assert!(!format!("{known:?}").contains(secret), "{known:?}");
        assert_eq!(platform.ask(&keys).await.expect("its own").api_keys, known);

        let get = GetPlatformRequest { platform: name.clone() };
        let change = SetPlatformLimitsRequest {
            name: name.clone(),
            limits: limits(&[("streams_max", 7), ("calls_per_s", 500)]),
        };
        let set = operator.ask(&change).await.expect("they are set").platform;
        assert_eq!((limit(&set, "streams_max").value, limit(&set, "calls_per_s").value), (7, 500));
        let change =
            SetPlatformLimitsRequest { name: name.clone(), limits: limits(&[("calls_per_s", 0)]) };
        operator.ask(&change).await.expect("the default");
        for client in [&operator, &platform] {
            let its = client.ask(&get).await.expect("it").platform;
            assert!(limit(&its, "streams_max").custom && limit(&its, "streams_max").value == 7);
            assert!(!limit(&its, "calls_per_s").custom);
        }

        let suspend = SuspendPlatformRequest { name: name.clone() };
        let suspended = operator.ask(&suspend).await.expect("it is suspended").platform;
        let since = suspended.and_then(|it| it.suspend_time).expect("since when");
        if is_followed {
            let refused = until("it is refused", async || platform.ask(&get).await.err()).await;
            refused.check(Code::Unauthenticated, "PLATFORM_SUSPENDED");
        }
        let again = operator.ask(&suspend).await.expect("it is").platform.expect("it");
        assert_eq!(again.suspend_time, Some(since), "it was suspended before");
        let resume = ResumePlatformRequest { name: name.clone() };
        let resumed = operator.ask(&resume).await.expect("it is resumed").platform;
        assert_eq!(resumed.expect("it").suspend_time, None);
        if is_followed {
            until("it is accepted", async || platform.ask(&get).await.ok()).await;
        }

        let revoke = RevokeApiKeyRequest { parent: name.clone(), name: its_key.name.clone() };
        let revoked = operator.ask(&revoke).await.expect("it is revoked").api_key.expect("it");
        assert!(revoked.revoke_time.is_some());
        if is_followed {
            let refused = until("it is refused", async || platform.ask(&get).await.err()).await;
            refused.check(Code::Unauthenticated, "CREDENTIALS_REVOKED");
        }
        let again = operator.ask(&revoke).await.expect("nothing is left to do");
        assert_eq!(again.api_key, Some(revoked), "it was revoked before");

        let of_it = ListActsRequest { platform: name, ..<_>::default() };
        let acts = operator.ask(&of_it).await.expect("a list").acts;
        assert!(acts.iter().all(|it| it.actor_kind() == ActorKind::OperatorKey), "{acts:?}");
        let told: Vec<_> = acts.iter().map(|it| (&*it.kind, it.outcome())).collect();
        assert_eq!(
            told,
            [
                ("revoke_key", ActOutcome::Unchanged),
                ("revoke_key", ActOutcome::Done),
                ("resume_platform", ActOutcome::Done),
                ("suspend_platform", ActOutcome::Done),
                ("suspend_platform", ActOutcome::Done),
                ("set_limits", ActOutcome::Done),
                ("set_limits", ActOutcome::Done),
                ("create_key", ActOutcome::Done),
                ("create_platform", ActOutcome::Unchanged),
                ("create_platform", ActOutcome::Done),
            ]
        );
    }
    let secrets = installation.service.log().matches(&key).count();
    assert_eq!(secrets, 0);
}

#[tokio::test]
async fn platforms_are_listed_in_pages() {
    let installation = Installation::open().await;
    let operator = installation.client(Protocol::Grpc).holding(operator_key(&installation).await);
    for id in ["acme", "bestco", "corp"] {
        let create = CreatePlatformRequest { name: format!("platforms/{id}") };
        operator.ask(&create).await.expect("it is new");
    }
    let (mut names, mut page_token) = (Vec::new(), String::new());
    loop {
        let request = ListPlatformsRequest { page_size: 2, page_token };
        let page = operator.ask(&request).await.expect("a page");
        names.extend(page.platforms.into_iter().map(|it| it.name));
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    let expected = ["acme", "bestco", "corp", "local"].map(|it| format!("platforms/{it}"));
    assert_eq!(names, expected);
}

const SENSELESS: &str = r#"
    ListPlatforms {"pageSize":1001} => INVALID_ARGUMENT INVALID_REQUEST
    ListPlatforms {"pageToken":"nonsense"} => INVALID_ARGUMENT INVALID_PAGE_TOKEN
    CreatePlatform {"name":"acme"} => INVALID_ARGUMENT INVALID_REQUEST
    CreatePlatform {"name":"platforms/Acme"} => INVALID_ARGUMENT INVALID_REQUEST
    CreatePlatform {"name":"platforms/acme_4"} => INVALID_ARGUMENT INVALID_REQUEST
    CreatePlatform {"name":"platforms/abcdefghijklmnopqrstuvwxyzabcdefg"} => INVALID_ARGUMENT INVALID_REQUEST
    SetPlatformLimits {"name":"platforms/acme","limits":{"streams_max":1}} => NOT_FOUND PLATFORM_NOT_FOUND
    SetPlatformLimits {"name":"platforms/local","limits":{"streams_min":1}} => INVALID_ARGUMENT INVALID_REQUEST
    SetPlatformLimits {"name":"platforms/local","limits":{"streams_max":2147483648}} => INVALID_ARGUMENT INVALID_REQUEST
    SuspendPlatform {"name":"platforms/acme"} => NOT_FOUND PLATFORM_NOT_FOUND
    ResumePlatform {"name":"platforms/acme"} => NOT_FOUND PLATFORM_NOT_FOUND
    CreateApiKey {"parent":"platforms/acme"} => NOT_FOUND PLATFORM_NOT_FOUND
    RevokeApiKey {"parent":"platforms/acme","name":"apiKeys/4c1f0a9be2d7"} => NOT_FOUND PLATFORM_NOT_FOUND
    RevokeApiKey {"parent":"platforms/local","name":"apiKeys/4c1f0a9be2d7"} => NOT_FOUND API_KEY_NOT_FOUND
    RevokeApiKey {"parent":"platforms/local","name":"4c1f0a9be2d7"} => INVALID_ARGUMENT INVALID_REQUEST
    GetPlatform {} => INVALID_ARGUMENT INVALID_REQUEST
    GetPlatform {"platform":"platforms/acme"} => NOT_FOUND PLATFORM_NOT_FOUND
    ListApiKeys {} => INVALID_ARGUMENT INVALID_REQUEST
"#;

#[tokio::test]
async fn what_an_operator_asks_in_vain_changes_nothing() {
    let installation = Installation::open().await;
    let key = operator_key(&installation).await;
    let operator = installation.client(Protocol::Grpc).holding(&key);
    for line in SENSELESS.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (rpc, rest) = line.split_once(' ').expect("an rpc");
        let (request, refusal) = rest.split_once(" => ").expect("a refusal");
        let (code, reason) = refusal.split_once(' ').expect("code and reason");
        for protocol in PROTOCOLS {
            let client = operator.speaking(protocol);
            let failure = client.call(rpc, request).await.expect_err(line);
            let told = (format!("{:?}", failure.code), &*failure.reason);
            let code = code.replace("INVALID_ARGUMENT", "InvalidArgument");
            assert_eq!(told, (code.replace("NOT_FOUND", "NotFound"), reason), "{line}");
        }
    }
    let listed = operator.ask(&ListPlatformsRequest::default()).await.expect("a list");
    assert_eq!(listed.platforms.len(), 1);
    let local = operator
        .ask(&GetPlatformRequest { platform: "platforms/local".to_owned() })
        .await
        .expect("it")
        .platform
        .expect("it");
    assert!(local.limits.iter().all(|it| !it.custom) && local.suspend_time.is_none());
}

/// A process that was taken over has the rights of its role, and no key.
#[tokio::test]
async fn the_database_asks_for_the_key() {
    let mut installation = Installation::open().await;
    operator_key(&installation).await;
    installation.restrict().await;
    let serving = installation.postgres().url().replacen("user=croupier", "user=serving", 1);
    let mut serving = sqlx::PgConnection::connect(&serving).await.expect("it connects");
    for change in [
        "select set_platform_limits('x', bucket, platform, '{1}') from platform_keys",
        "select suspend_platform('x', bucket, platform, true) from platform_keys",
        "select revoke_platform_key('x', bucket, platform, key_id) from platform_keys",
    ] {
        let changed = sqlx::query_scalar::<_, Option<bool>>(change).fetch_all(&mut serving).await;
        let changed = changed.expect("an answer");
        assert!(!changed.is_empty() && changed.iter().all(Option::is_none), "{change}");
    }
    for change in [
        "insert into platform_limits (bucket, platform) select bucket, platform from platforms",
        "update platforms set suspend_time = now()",
        "update platform_keys set revoke_time = now()",
    ] {
        let refused = sqlx::raw_sql(change).execute(&mut serving).await.expect_err(change);
        assert!(refused.to_string().contains("permission denied"), "{refused}");
    }
    let local = installation.client(Protocol::Grpc);
    let its = local.ask(&GetPlatformRequest::default()).await.expect("it is not suspended");
    assert!(its.platform.iter().flat_map(|it| &it.limits).all(|it| !it.custom));
}
