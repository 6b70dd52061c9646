//! Matches are changed after their creation, and every process shows it.

use contract::field_mask;
use contract::v1::*;
use tonic::Code;

use crate::harness::*;

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
