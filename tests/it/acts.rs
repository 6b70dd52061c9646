//! The log of operators' acts: what it tells and to whom, when it is written, and how changes of it
//! are found.

use std::process::Stdio;
use std::time::Duration;

use contract::v1::*;
use serde_json::Value;
use sqlx::Connection;
use tokio::process::Command;
use tonic::Code;

use crate::files;
use crate::harness::*;
use crate::installing::operator_key;

const PLAYER: &str = "ottoline-morrell";

/// Runs `croupier` on the database of an installation.
async fn croupier(installation: &Installation, arguments: &[&str]) -> String {
    let url = installation.postgres().url();
    files::done(&[arguments, &["--database-url", &url]].concat()).await
}

/// The acts that the command line lists, newest first.
async fn listed(installation: &Installation, more: &[&str]) -> Vec<Value> {
    let listed = croupier(installation, &[&["operator", "acts", "--json"], more].concat()).await;
    listed.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

async fn acts(client: &Client, request: &ListActsRequest) -> Vec<Act> {
    client.ask(request).await.expect("they are listed").acts
}

fn kinds(acts: &[Act]) -> Vec<&str> {
    acts.iter().map(|it| &*it.kind).collect()
}

#[tokio::test]
async fn operators_read_all_acts_and_platforms_their_own() {
    let installation = Installation::open().await;
    let key = operator_key(&installation).await;
    croupier(&installation, &["platform", "add", "acme"]).await;
    let acme = croupier(&installation, &["platform", "key", "acme"]).await;
    croupier(&installation, &["platform", "limits", "acme", "--streams-max", "7"]).await;
    let id = acme.trim().split('_').nth(2).expect("an id").to_owned();
    let local = installation.client(Protocol::Grpc);
    let (acme, all) = (local.holding(acme.trim()), local.holding(&key));
    let it = create(&acme, &new_match(2)).await;
    let name = format!("players/{PLAYER}");
    acme.ask(&CreatePlayerTokenRequest { parent: name.clone(), ..<_>::default() })
        .await
        .expect("it");
    acme.ask(&RevokePlayerTokensRequest { parent: name.clone() }).await.expect("they end");
    acme.ask(&ErasePlayerRequest { name }).await.expect("nothing is left");
    let revoking = RevokeTokensRequest { parent: it.name.clone(), seat: Some(1) };
    acme.ask(&revoking).await.expect("they end");
    let subscription = |name: &str| CreateSubscriptionRequest {
        name: format!("subscriptions/{name}"),
        ..<_>::default()
    };
    acme.ask(&subscription("mail")).await.expect("it is new");
    let none =
        DeleteSubscriptionRequest { name: "subscriptions/none".to_owned(), ..<_>::default() };
    acme.ask(&none).await.expect_err("there is none");
    croupier(&installation, &["platform", "rotate-receipt-keys"]).await;

    for protocol in PROTOCOLS {
        let (acme, all) = (acme.speaking(protocol), all.speaking(protocol));
        let own = acts(&acme, &ListActsRequest::default()).await;
        let expected = [
            "delete_subscription",
            "create_subscription",
            "revoke_tokens",
            "erase_player",
            "revoke_player_tokens",
            "set_limits",
            "create_key",
            "create_key",
            "create_platform",
        ];
        assert_eq!(kinds(&own), expected);
        assert!(own.iter().all(|it| it.platform == "platforms/acme"));
        let [deletion, _, tokens, erasure, .., limits, _, _, _] = &own[..] else { panic!("nine") };
        assert_eq!(deletion.outcome(), ActOutcome::Unchanged);
        assert_eq!((deletion.actor_kind(), &deletion.actor), (ActorKind::Platform, &id));
        assert_eq!((&tokens.details["match"], &*tokens.details["seat"]), (&it.name, "1"));
        // Nobody of this name has played.
        assert_eq!(erasure.outcome(), ActOutcome::Unchanged);
        assert_eq!((limits.outcome(), &*limits.details["streams_max"]), (ActOutcome::Done, "7"));
        assert!(limits.end_time.is_some());
        // Who of the operators it was is none of a platform's business.
        assert_eq!((limits.actor_kind(), &*limits.actor), (ActorKind::CommandLine, ""));

        let known = acts(&all, &ListActsRequest::default()).await;
        assert!(kinds(&known).starts_with(&["rotate_receipt_keys", "delete_subscription"]));
        assert!(kinds(&known).contains(&"create_operator_key"));
        let of_acme = ListActsRequest { platform: "platforms/acme".to_owned(), ..<_>::default() };
        assert_eq!(kinds(&acts(&all, &of_acme).await), expected);
        assert_eq!(kinds(&acts(&acme, &of_acme).await), expected);
        let of_a_kind = ListActsRequest { kind: "create_key".to_owned(), ..of_acme.clone() };
        assert_eq!(kinds(&acts(&all, &of_a_kind).await), ["create_key", "create_key"]);

        let (mut paged, mut page_token) = (Vec::new(), String::new());
        loop {
            let request = ListActsRequest { page_size: 2, page_token, ..of_acme.clone() };
            let page = all.ask(&request).await.expect("a page");
            paged.extend(page.acts);
            page_token = page.next_page_token;
            if page_token.is_empty() {
                break;
            }
        }
        assert_eq!(kinds(&paged), expected);

        let local = local.speaking(protocol);
        let refused = local.ask(&of_acme).await.expect_err("another platform's");
        assert_eq!((refused.code, &*refused.reason), (Code::PermissionDenied, "OPERATOR_ONLY"));
        // It was made when the service first started.
        assert_eq!(
            kinds(&acts(&local, &ListActsRequest::default()).await),
            ["create_key", "create_platform"]
        );
        let forged = all.holding(format!("{key}x"));
        let refused = forged.ask(&ListActsRequest::default()).await.expect_err("no key");
        assert_eq!(refused.reason, "CREDENTIALS_INVALID");
    }
    let told = croupier(&installation, &["operator", "acts"]).await;
    assert!(!told.contains(PLAYER), "{told}");
    assert!(told.contains("revoke_tokens") && told.contains("by platform"), "{told}");
    let checked = croupier(&installation, &["operator", "check-acts"]).await;
    assert!(checked.contains("each as it was written"), "{checked}");
}

/// The role that serves may add rows and change none, and neither does the owner by mistake. What
/// one changes who disables that is found.
#[tokio::test]
async fn a_row_that_is_changed_or_removed_is_found() {
    let mut installation = Installation::open().await;
    installation.restrict().await;
    for name in ["acme", "bestco", "corp"] {
        croupier(&installation, &["platform", "add", name]).await;
    }
    for name in ["suspend", "resume", "suspend"] {
        croupier(&installation, &["platform", name, "acme"]).await;
    }
    let last = listed(&installation, &["--platform", "acme", "--limit", "1"]).await;
    let last = last[0]["digest"].as_str().expect("a digest").to_owned();
    croupier(&installation, &["operator", "check-acts", "--digest", &last]).await;

    let mut owner = installation.database().await;
    let serving = installation.postgres().url().replacen("user=croupier", "user=serving", 1);
    let mut serving = sqlx::PgConnection::connect(&serving).await.expect("it connects");
    for statement in ["update acts set body = ''", "delete from acts", "truncate acts"] {
        for connection in [&mut owner, &mut serving] {
            let refused = sqlx::raw_sql(statement).execute(connection).await;
            let refused = refused.expect_err("rows are written once").to_string();
            let is_meant =
                refused.contains("written once") || refused.contains("permission denied");
            assert!(is_meant, "{refused}");
        }
    }

    let url = installation.postgres().url();
    let check = ["operator", "check-acts", "--digest", &last, "--database-url", &url];
    let sound = files::run(&check).await;
    assert!(sound.status.success());
    sqlx::raw_sql("alter table acts disable trigger keep_acts")
        .execute(&mut owner)
        .await
        .expect("it");
    let of_acme = "bucket = (select bucket from acts where platform = 'acme' limit 1)";
    let at = |number: &str| format!("{of_acme} and number = ({number})");
    let last_number = format!("select max(number) from acts where {of_acme}");
    for (change, said) in [
        (
            format!("update acts set body = replace(body, 'done', 'failed') where {}", at("2")),
            "row 2 of bucket",
        ),
        (format!("update acts set platform = 'bestco' where {}", at("3")), "row 3 of bucket"),
        (
            format!("update acts set create_time = create_time - interval '1 s' where {}", at("1")),
            "is not the one that was written",
        ),
        (format!("delete from acts where {}", at("3")), "row 3 of bucket"),
        (format!("delete from acts where {}", at("1")), "is missing"),
        // The outcome and the act itself, from the end.
        (
            format!("delete from acts where {of_acme} and number >= ({last_number}) - 1"),
            "no row has",
        ),
        (
            format!(
                "insert into acts
                 select bucket, number + 1, gen_random_uuid(), is_outcome, platform, kind, body,
                     create_time, digest
                 from acts where {}",
                at(&last_number)
            ),
            "is not the one that was written",
        ),
    ] {
        let kept = "create table kept as select * from acts";
        sqlx::raw_sql(kept).execute(&mut owner).await.expect("they are kept");
        let changed = sqlx::raw_sql(sqlx::AssertSqlSafe(change.clone())).execute(&mut owner).await;
        assert!(changed.expect("it is changed").rows_affected() > 0, "{change}");
        let found = files::failure(&check).await;
        assert!(found.contains("the log of acts was altered"), "{change}: {found}");
        assert!(found.contains(said), "{change}: {found}");
        let restore = "delete from acts; insert into acts select * from kept; drop table kept";
        sqlx::raw_sql(restore).execute(&mut owner).await.expect("they are back");
        assert!(files::run(&check).await.status.success(), "{change}");
    }
}

#[tokio::test]
async fn an_act_whose_process_dies_has_an_unknown_end() {
    let installation = Installation::open().await;
    let url = installation.postgres().url();
    let mut load = Command::new(env!("CARGO_BIN_EXE_croupier"));
    load.args(["load", "--matches", "1000000", "--database-url", &url]);
    load.stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let mut load = load.spawn().expect("it starts");
    let begun = async || {
        let listed = listed(&installation, &["--kind", "load"]).await;
        listed.first().cloned()
    };
    let begun = until("the act has begun", begun).await;
    assert_eq!(begun["outcome"], "unknown");
    load.kill().await.expect("it is killed");
    let client = installation.client(Protocol::Rest).holding(operator_key(&installation).await);
    let request = ListActsRequest { kind: "load".to_owned(), ..<_>::default() };
    let told = acts(&client, &request).await;
    assert_eq!((told[0].outcome(), told[0].end_time), (ActOutcome::Unknown, None));
    // The chain does not need the outcome.
    croupier(&installation, &["operator", "check-acts"]).await;
}

#[tokio::test]
async fn an_act_that_cannot_be_logged_is_not_carried_out() {
    let mut installation = Installation::open().await;
    installation.restrict().await;
    let client = installation.client(Protocol::Grpc);
    let request =
        CreateSubscriptionRequest { name: "subscriptions/mail".to_owned(), ..<_>::default() };
    let mut owner = installation.database().await;
    let run = async |owner: &mut _, statement: &'static str| {
        sqlx::raw_sql(statement).execute(owner).await.expect("it is done");
    };
    run(&mut owner, "revoke insert on acts from serving").await;
    client.ask(&request).await.expect_err("nobody would know");
    let all = client.ask(&ListSubscriptionsRequest::default()).await.expect("a list");
    assert_eq!(all.subscriptions, []);
    run(&mut owner, "grant insert on acts to serving").await;
    client.ask(&request).await.expect("it is logged");
}

#[tokio::test]
async fn a_caller_who_goes_away_ends_no_act_half_way() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut owner = installation.database().await;
    let mut holding = owner.begin().await.expect("it begins");
    sqlx::raw_sql("lock table subscriptions in share row exclusive mode")
        .execute(&mut *holding)
        .await
        .expect("nobody writes it");
    let request =
        CreateSubscriptionRequest { name: "subscriptions/mail".to_owned(), ..<_>::default() };
    let asking = tokio::time::timeout(Duration::from_secs(1), client.ask(&request));
    assert!(asking.await.is_err(), "it waits for the lock");
    let create = ["--kind", "create_subscription"];
    assert_eq!(listed(&installation, &create).await[0]["outcome"], "unknown");
    holding.rollback().await.expect("it ends");
    let ended = async || {
        let listed = listed(&installation, &create).await;
        (listed[0]["outcome"] == "done").then_some(())
    };
    until("the act ends", ended).await;
    let all = client.ask(&ListSubscriptionsRequest::default()).await.expect("a list");
    assert_eq!(all.subscriptions.len(), 1);
}

/// Tasks of two processes write to one bucket at once.
#[tokio::test]
async fn acts_of_several_processes_are_one_chain() {
    let installation = Installation::open().await;
    let second = installation.serve("b").await;
    let clients = [installation.client(Protocol::Grpc), second.client(Protocol::Grpc)];
    let mut creating = tokio::task::JoinSet::new();
    for n in 0..40 {
        let client = clients[n % 2].clone();
        creating.spawn(async move {
            let name = format!("subscriptions/of-{n}");
            client.ask(&CreateSubscriptionRequest { name, ..<_>::default() }).await.expect("new");
        });
    }
    creating.join_all().await;
    let request = ListActsRequest { kind: "create_subscription".to_owned(), ..<_>::default() };
    let all = acts(&clients[0], &request).await;
    assert_eq!(all.len(), 40);
    assert!(all.iter().all(|it| it.outcome() == ActOutcome::Done));
    let checked = croupier(&installation, &["operator", "check-acts", "--json"]).await;
    let checked: Value = serde_json::from_str(&checked).expect("JSON");
    let rows = 2 * listed(&installation, &["--limit", "1000"]).await.len();
    assert!(rows > 80, "{rows}");
    assert_eq!(checked["rows"], rows);
}
