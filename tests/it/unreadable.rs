//! A match that this release cannot read, because a newer release recorded an entry of it, is told
//! as such and affects no other match.

use std::collections::BTreeMap;

use contract::v1::*;
use positions::{Digest, Position};
use records::{DigestKey, Digested};
use rows::MatchId;
use serde_json::Value;
use sqlx::postgres::PgConnection;
use time::OffsetDateTime;
use tokio::process::Command;
use tonic::Code;

use crate::harness::*;

/// An event of a kind that does not exist: field 127 of the event.
const OF_A_NEWER_RELEASE: &[u8] = b"\x22\x03\xfa\x07\x00";

/// The body and the digest of an entry.
pub type Content = (Vec<u8>, Vec<u8>);

/// Makes a match's last entry one of a newer release, with its digest, and returns what it was.
pub async fn poison(database: &mut PgConnection, name: &str) -> Content {
    let match_id = MatchId(contract::names::match_id(name).expect("a match's name"));
    let seed: Vec<u8> = sqlx::query_scalar("select seed from seeds where match_id = $1")
        .bind(match_id)
        .fetch_one(&mut *database)
        .await
        .expect("its seed");
    let last: (Position, Option<String>, OffsetDateTime, Vec<u8>, Vec<u8>, Digest) =
        sqlx::query_as(
            "select last.position, last.request_id, last.create_time, last.body, last.digest,
                 before.digest
             from entries as last
             join entries as before using (match_id)
             where match_id = $1 and before.position = last.position - 1
             order by last.position desc
             limit 1",
        )
        .bind(match_id)
        .fetch_one(&mut *database)
        .await
        .expect("an entry");
    let (position, request_id, create_time, old_body, old_digest, before) = last;
    let layout = games::find("mountebank").expect("it is listed").layout();
    let seat = table::Entry::decode(&old_body, layout).expect("it is readable").seat;
    let body = [&old_body, OF_A_NEWER_RELEASE].concat();
    let key = DigestKey::new(match_id, &seed.try_into().expect("32 bytes"));
    let (seat, request_id) = (seat.map(u8::from), request_id.as_deref());
    let digested = Digested { position, create_time, seat, request_id, body: &body };
    let digest = key.digest(before, digested).as_bytes().to_vec();
    replace_last(database, name, &(body, digest)).await;
    (old_body, old_digest)
}

/// Gives a match's last entry another content.
async fn replace_last(database: &mut PgConnection, name: &str, (body, digest): &Content) {
    let replaced = sqlx::query(
        "update entries
         set body = $2, digest = $3
         where match_id = $1
             and position = (select max(position) from entries where match_id = $1)",
    );
    let match_id = MatchId(contract::names::match_id(name).expect("a match's name"));
    let replaced = replaced.bind(match_id).bind(body).bind(digest).execute(database).await;
    assert_eq!(replaced.expect("the database answers").rows_affected(), 1);
}

/// Lets the projections begin at the first entry, as after a restore.
pub async fn empty_projections(database: &mut PgConnection) {
    let empty = "truncate match_summaries, leagues, results, standings, opponents, holdings;
                 update checkpoints set bucket_position = 0";
    sqlx::raw_sql(empty).execute(database).await.expect("they are empty");
}

/// The platform's matches by name, once the projections include everything they can.
pub async fn listed(client: &Client) -> BTreeMap<String, Match> {
    until("the projections catch up", async || {
        let name = "projections/matches".to_owned();
        let projection = client.ask(&GetProjectionRequest { name }).await.expect("it is known");
        (projection.projection.expect("it is there").lag == 0).then_some(())
    })
    .await;
    let page = client.ask(&ListMatchesRequest::default()).await.expect("a list");
    page.matches.into_iter().map(|it| (it.name.clone(), it)).collect()
}

/// The first messages of a stream, until they hold this many entries, readable or not.
async fn received(client: &Client, count: usize) -> (Vec<String>, Vec<UnreadableEntry>) {
    let mut stream = client.stream(&StreamEntriesRequest::default()).await;
    let (mut entries, mut unreadable) = (Vec::new(), Vec::new());
    while entries.len() + unreadable.len() < count {
        let message = stream.next().await.expect("it goes on").expect("it goes on").message;
        entries.extend(message.entries.into_iter().map(|it| it.entry.expect("an entry").name));
        unreadable.extend(message.unreadable);
    }
    (entries, unreadable)
}

/// The matches that `croupier project unreadable` lists.
async fn unreadable(installation: &Installation) -> Vec<Value> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
    command.args(["project", "unreadable", "--json"]);
    command.args(["--database-url", &installation.postgres().url()]);
    let output = command.output().await.expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).expect("text");
    lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[tokio::test]
async fn an_unreadable_match_affects_no_other_and_is_read_as_soon_as_it_can_be() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut poisoned = Playing::new(&client, 2, 1).await;
    poisoned.steps(4).await;
    let mut healthy = Playing::new(&client, 2, 2).await;
    healthy.steps(4).await;
    installation.service.kill().await;
    let mut database = installation.database().await;
    let readable = poison(&mut database, &poisoned.name).await;
    empty_projections(&mut database).await;
    installation.service.start_again().await;

    // Calls on the match are refused alike in every protocol, and a stranger learns nothing.
    for protocol in PROTOCOLS {
        let get = GetMatchRequest { name: poisoned.name.clone(), ..GetMatchRequest::default() };
        let refused = client.speaking(protocol).ask(&get).await.expect_err("it cannot be read");
        refused.check(Code::FailedPrecondition, "MATCH_UNREADABLE");
        assert_eq!(refused.facts.get("position").map(String::as_str), Some("5"), "{refused:?}");
    }
    let stranger = client.holding(installation.platform("stranger").await);
    let get = GetMatchRequest { name: poisoned.name.clone(), ..GetMatchRequest::default() };
    let refused = stranger.ask(&get).await.expect_err("it is another's");
    refused.check(Code::NotFound, "MATCH_NOT_FOUND");
    let refused = poisoned.plan().await.expect_err("it cannot be read");
    refused.check(Code::FailedPrecondition, "MATCH_UNREADABLE");

    // The others are played, listed, searched, projected and streamed.
    healthy.finish().await;
    let matches = listed(&client).await;
    assert!(matches[&poisoned.name].unreadable, "{matches:?}");
    assert_eq!(matches[&poisoned.name].position, 5);
    assert_eq!(matches[&healthy.name], crate::harness::get(&client, &healthy.name).await);
    let search = SearchEntriesRequest {
        parent: "games/mountebank".to_owned(),
        page_size: 1000,
        ..Default::default()
    };
    let found = client.ask(&search).await.expect("a page");
    assert_eq!(found.unreadable_matches, [poisoned.name.clone()]);
    let of =
        |name: &str, entries: &[String]| entries.iter().filter(|it| it.starts_with(name)).count();
    let names: Vec<String> = found.entries.into_iter().map(|it| it.name).collect();
    let count = matches[&healthy.name].position as usize;
    assert_eq!(of(&healthy.name, &names), count);
    let passed = UnreadableEntry { r#match: poisoned.name.clone(), position: 5 };
    for protocol in [Protocol::Grpc, Protocol::Events] {
        let (names, passed_over) = received(&client.speaking(protocol), count + 5).await;
        assert_eq!((of(&healthy.name, &names), of(&poisoned.name, &names)), (count, 4));
        assert_eq!(passed_over, std::slice::from_ref(&passed));
    }
    let skipped = unreadable(&installation).await;
    assert_eq!(skipped.len(), 1, "{skipped:?}");
    assert_eq!(
        (&skipped[0]["match"], &skipped[0]["position"]),
        (&poisoned.name.clone().into(), &5.into())
    );
    assert_eq!(skipped[0]["projections"], serde_json::json!(["holdings", "matches", "players"]));

    // With a release that can read it, nothing is missing.
    replace_last(&mut database, &poisoned.name, &readable).await;
    installation.service.kill().await;
    installation.service.start_again().await;
    until("the projections include it", async || {
        unreadable(&installation).await.is_empty().then_some(())
    })
    .await;
    assert_eq!(
        listed(&client).await[&poisoned.name],
        crate::harness::get(&client, &poisoned.name).await
    );
    poisoned.finish().await;
    check_record(&poisoned, &[&client], &mut database).await;
}
