//! `croupier verify`, on files, receipts, and the record of a running installation.

use std::fs;
use std::path::PathBuf;
use std::process::Output;

use contract::v1::*;
use records::{Chain, Digested};
use rows::MatchId;
use serde_json::{Value, json};
use store::Store;
use uuid::Uuid;

use crate::files::{export, played, run};
use crate::harness::*;

fn file(installation: &Installation, name: &str) -> PathBuf {
    installation.folder.path().join(name)
}

fn path(path: &std::path::Path) -> &str {
    path.to_str().expect("a plain path")
}

async fn verify(arguments: &[&str]) -> Output {
    run(&[&["verify"], arguments].concat()).await
}

/// The outcome as JSON, and the exit status.
async fn outcome(arguments: &[&str]) -> (Value, Option<i32>) {
    let output = verify(&[arguments, &["--json"]].concat()).await;
    let said = String::from_utf8_lossy(&output.stderr);
    let json = serde_json::from_slice(&output.stdout);
    (json.unwrap_or_else(|_| panic!("verify {arguments:?} said: {said}")), output.status.code())
}

const PROVEN: Option<i32> = Some(0);
const WRONG: Option<i32> = Some(1);
const NOT_PROVEN: Option<i32> = Some(3);

/// What the command says to a person, and its exit status.
async fn said(arguments: &[&str]) -> (String, Option<i32>) {
    let Output { status, stdout, stderr } = verify(arguments).await;
    let said = [stdout, stderr].map(|it| String::from_utf8(it).expect("text")).concat();
    (said, status.code())
}

#[tokio::test]
async fn an_export_is_verified_and_told_what_that_means() {
    let (installation, matches) = played().await;
    let all = file(&installation, "all");
    export(&installation, &all, &["--seeds"]).await;
    let (told, status) = outcome(&[path(&all)]).await;
    assert_eq!((status, &told["answer"]), (NOT_PROVEN, &json!("NOT_PROVEN")), "{told}");
    let entries: usize = matches.iter().map(|it| it.entries.len() + 1).sum();
    assert_eq!((&told["matches"], &told["proven"]), (&json!(3), &json!(2)));
    assert_eq!((&told["entries"], &told["not_proven"]), (&json!(entries), &json!(1)));
    assert!(told["choices"].as_u64().is_some_and(|choices| choices > 30));
    assert_eq!((&told["service_only"], &told["wrong"]), (&json!(3), &json!([])));
    let unproven = &told["unproven"][0];
    assert_eq!(
        (&unproven["match"], &unproven["code"]),
        (&json!(matches[2].name), &json!("UNFINISHED"))
    );
    let (text, status) = said(&[path(&all)]).await;
    assert_eq!(status, NOT_PROVEN, "{text}");
    let named = format!("not proven: {}, {}: it has not ended", path(&all), matches[2].name);
    assert!(text.starts_with(&named), "{text}");
    assert!(text.contains(&format!("\n3 matches, {entries} entries, ")), "{text}");
    assert!(text.contains("2 proven, 1 not proven, 0 wrong."), "{text}");
    assert!(text.contains("Chance came from the service alone in 3 matches"), "{text}");
    assert!(text.contains("there is none for 2 matches"), "{text}");

    let ended = matches[0].name.as_str();
    export(&installation, &file(&installation, "one"), &[ended]).await;
    let (told, status) = outcome(&[path(&file(&installation, "one"))]).await;
    assert_eq!((status, &told["answer"]), (PROVEN, &json!("PROVEN")), "{told}");
    let (text, status) = said(&[path(&file(&installation, "one"))]).await;
    assert_eq!(status, PROVEN, "{text}");
    assert!(text.contains("all proven."), "{text}");

    // Without its seed, of a running match only the rules can be verified.
    export(&installation, &file(&installation, "secret"), &[]).await;
    let (told, status) = outcome(&[path(&file(&installation, "secret"))]).await;
    assert_eq!((status, &told["not_proven"]), (NOT_PROVEN, &json!(1)), "{told}");
}

#[tokio::test]
async fn one_wrong_match_does_not_stop_the_others() {
    let (installation, matches) = played().await;
    let all = file(&installation, "all");
    let text = export(&installation, &all, &["--seeds"]).await;
    let altered = text.replacen("\"position\":4,", "\"position\":5,", 1);
    fs::write(&all, altered).expect("a file");
    let (told, status) = outcome(&[path(&all)]).await;
    assert_eq!((status, &told["answer"]), (WRONG, &json!("WRONG")));
    assert_eq!((&told["matches"], &told["proven"]), (&json!(3), &json!(1)));
    assert_eq!((&told["wrong_matches"], &told["not_proven"]), (&json!(1), &json!(1)));
    let wrong = &told["wrong"][0];
    assert_eq!((&wrong["match"], &wrong["code"]), (&json!(matches[0].name), &json!("CHECK_WRONG")));
    assert_eq!((&wrong["line"], &wrong["position"]), (&json!(6), &json!(4)));
    let (text, status) = said(&[path(&all)]).await;
    assert_eq!(status, WRONG);
    let (file_name, name) = (path(&all), &matches[0].name);
    let told = format!("WRONG: {file_name}, line 6, {name}, position 4: its check is wrong");
    assert!(text.contains(&told), "{text}");

    let text = export(&installation, &file(&installation, "later"), &[]).await;
    let rest = text.split_once('\n').expect("lines").1;
    fs::write(&all, later_header() + rest).expect("a file");
    let (text, status) = said(&[path(&all)]).await;
    assert_eq!(status, NOT_PROVEN);
    assert!(text.contains(", line 1: "), "{text}");
    assert!(text.contains("the file has version 2; this program knows version 1"), "{text}");
    let (text, status) = said(&["no such thing"]).await;
    assert_eq!(status, Some(2), "{text}");
}

/// The first line of a format that does not exist yet, with its check.
fn later_header() -> String {
    let mut writer = records::Writer::new(Vec::new());
    writer.write(&records::Line::Croupier(records::Header { version: 2 })).expect("memory");
    String::from_utf8(writer.into_output()).expect("text")
}

/// A stranger with a spectator's token verifies a match over the API.
#[tokio::test]
async fn a_spectator_verifies_a_match_of_the_service() {
    let (installation, matches) = played().await;
    let client = installation.client(Protocol::Grpc);
    let spectator = token(&client, &matches[0].name, None).await;
    let address = format!("http://127.0.0.1:{}", installation.service.port());
    let service = ["--address", &address, "--key", &spectator];
    let (verified, status) = outcome(&[&[&*matches[0].name], &service[..]].concat()).await;
    assert_eq!(status, PROVEN, "{verified}");
    let entries = matches[0].entries.len() + 1;
    assert_eq!((&verified["proven"], &verified["entries"]), (&json!(1), &json!(entries)));
    let given = ["--contribution", "0=00ff"];
    let (text, status) = said(&[&[&*matches[0].name], &service[..], &given[..]].concat()).await;
    assert_eq!(status, Some(1));
    assert!(text.contains("position 1: the record has no contribution of seat 0"), "{text}");

    let key = installation.service.key();
    let running = [&*matches[2].name, "--address", &address, "--key", &key];
    let (text, status) = said(&running).await;
    assert_eq!(status, Some(1));
    assert!(text.starts_with("croupier: ") && text.lines().count() == 1, "{text}");
}

/// Each entry that seats players commits to them, so an owner of the database cannot name others.
#[tokio::test]
async fn an_altered_player_of_a_seat_is_noticed() {
    let (installation, matches) = played().await;
    let client = installation.client(Protocol::Grpc);
    let replace = ReplaceSeatRequest {
        name: matches[2].name.clone(),
        seat: Some(1),
        player: "zoe".to_owned(),
        absent: true,
        ..<_>::default()
    };
    client.ask(&replace).await.expect("the player is gone");
    let bots = vec![String::new(), "random".to_owned()];
    let with_bot = CreateMatchRequest { players: vec!["ann".to_owned()], bots, ..new_match(2) };
    create(&client, &with_bot).await;
    let url = installation.postgres().url();
    let all = ["--all", "--database-url", &url];
    let players = |told: &Value| {
        ["proven", "erased", "not_covered"]
            .map(|it| told[format!("players_{it}")].as_u64().expect("a number"))
    };
    let (told, status) = outcome(&all).await;
    assert_eq!((status, players(&told)), (PROVEN, [9, 0, 0]), "{told}");
    let erasing = ErasePlayerRequest { name: "players/zoe".to_owned() };
    client.ask(&erasing).await.expect("an answer");
    let (told, status) = outcome(&all).await;
    assert_eq!((status, players(&told)), (PROVEN, [8, 1, 0]), "{told}");
    let (text, status) = said(&all).await;
    assert_eq!(status, PROVEN, "{text}");
    assert!(text.contains("The entries commit to 8 players of seats"), "{text}");
    assert!(text.contains("1 player erased since"), "{text}");

    let mut database = installation.database().await;
    for (it, statement) in matches.iter().zip([
        "update seats set player = 'mallory' where match_id = $1 and seat = 1",
        "update speech_keys set key = sha256(key) where match_id = $1 and seat = 0",
        "update former_players set player = 'mallory' where match_id = $1",
    ]) {
        let id = it.name.trim_start_matches("matches/").parse::<Uuid>().expect("an id");
        let altered = sqlx::query(statement).bind(id).execute(&mut database).await;
        assert_eq!(altered.expect("the owner may").rows_affected(), 1, "{statement}");
    }
    let (told, status) = outcome(&all).await;
    assert_eq!((status, &told["wrong_matches"]), (WRONG, &json!(3)), "{told}");
    for it in told["wrong"].as_array().expect("a list") {
        assert_eq!((&it["code"], &it["position"]), (&json!("PLAYER_DIFFERS"), &json!(1)), "{it}");
    }
    // So does everyone who reads the record of such a match, and no file of it is imported.
    let address = format!("http://127.0.0.1:{}", installation.service.port());
    let spectator = token(&client, &matches[0].name, None).await;
    let (told, status) =
        outcome(&[&*matches[0].name, "--address", &address, "--key", &spectator]).await;
    assert_eq!((status, &told["wrong"][0]["code"]), (WRONG, &json!("PLAYER_DIFFERS")), "{told}");
    let exported = file(&installation, "altered");
    export(&installation, &exported, &["--seeds"]).await;
    let text = fs::read(&exported).expect("a file");
    let mut reader = records::Reader::new(&text[..]).expect("a file of records");
    let read: Result<Vec<_>, _> =
        std::iter::from_fn(|| records::read_match(&mut reader).transpose()).collect();
    let error = read.err().expect("its player is another one");
    assert_eq!(error.problem.code, records::Code::PlayerDiffers);
}

/// A receipt that a player kept shows what happened to the record later.
#[tokio::test]
async fn receipts_show_that_a_record_was_changed_or_cut_short() {
    let (installation, matches) = played().await;
    let client = installation.client(Protocol::Rest);
    let it = &matches[0];
    let last = it.entries.len() + 1;
    let kept = file(&installation, "receipt");
    let name = format!("{}/entries/{last}/receipt", it.name);
    let receipt = client.ask(&GetReceiptRequest { name }).await.expect("a receipt");
    let jws = receipt.receipt.expect("a receipt").jws;
    fs::write(&kept, json!({ "receipt": { "jws": jws } }).to_string()).expect("a file");
    let all = file(&installation, "all");
    export(&installation, &all, &["--seeds"]).await;
    let address = format!("http://127.0.0.1:{}", installation.service.port());
    let arguments = [path(&all), "--receipt", path(&kept), "--address", &address];
    let (text, status) = said(&arguments).await;
    // Another match is under way.
    assert_eq!(status, NOT_PROVEN, "{text}");
    assert!(text.contains("1 receipt agrees with the record."), "{text}");
    assert!(text.contains("there is none for 1 match."), "{text}");

    // Somebody alters the time of an entry, and computes all digests again.
    let mut database = installation.database().await;
    let store = open_store(database::Options::new(installation.postgres().options())).await;
    let id = MatchId(Uuid::parse_str(it.name.trim_start_matches("matches/")).expect("an id"));
    sqlx::query("update entries set create_time = create_time + interval '1 microsecond' where match_id = $1 and position = 3")
        .bind(id.0)
        .execute(&mut database)
        .await
        .expect("the database answers");
    let wrong = file(&installation, "altered");
    export(&installation, &wrong, &["--seeds"]).await;
    let (text, status) = said(&[path(&wrong)]).await;
    assert_eq!(status, Some(1));
    assert!(text.contains(&it.name) && text.contains("position 3: its digest is wrong"), "{text}");
    digest_again(&store, &installation, id).await;
    let rewritten = file(&installation, "rewritten");
    export(&installation, &rewritten, &["--seeds"]).await;
    assert_eq!(said(&[path(&rewritten)]).await.1, NOT_PROVEN, "the record contradicts nothing");
    let arguments = [path(&rewritten), "--receipt", path(&kept), "--address", &address];
    let (text, status) = said(&arguments).await;
    assert_eq!(status, Some(1));
    assert!(text.contains("the record was changed after the receipt was issued"), "{text}");

    sqlx::query("delete from entries where match_id = $1 and position = $2")
        .bind(id.0)
        .bind(last as i64)
        .execute(&mut database)
        .await
        .expect("the database answers");
    let short = file(&installation, "short");
    export(&installation, &short, &["--seeds"]).await;
    assert_eq!(said(&[path(&short)]).await.1, NOT_PROVEN, "it could be under way");
    let arguments = [path(&short), "--receipt", path(&kept), "--address", &address];
    let (text, status) = said(&arguments).await;
    assert_eq!(status, Some(1));
    assert!(text.contains("the record was cut short after the receipt was issued"), "{text}");

    let other = file(&installation, "other");
    let one = matches[1].name.trim_start_matches("matches/");
    export(&installation, &other, &[one, "--seeds"]).await;
    let arguments = [path(&other), "--receipt", path(&kept), "--address", &address];
    let (text, status) = said(&arguments).await;
    assert_eq!(status, Some(1));
    assert!(text.contains("the receipt is for another match"), "{text}");
    store.database().close().await;
}

/// Computes the digests of a match again, as somebody could who has the database.
async fn digest_again(store: &Store, installation: &Installation, id: MatchId) {
    let row = store.find_any(id).await.expect("an answer").expect("a match");
    let seed = store.seeds(&[id]).await.expect("an answer")[&id];
    let layout = games::find(&row.game).expect("a game").layout();
    let mut digests = Chain::new((&row).into(), &seed);
    let mut database = installation.database().await;
    for it in store.entries_of(&[id]).await.expect("an answer").remove(&id).expect("entries") {
        let entry = table::Entry::decode(&it.body, layout).expect("an entry");
        let digest = digests.next(Digested {
            position: it.position,
            create_time: it.create_time,
            seat: entry.seat.map(u8::from),
            request_id: it.request_id.as_deref(),
            body: &it.body,
        });
        sqlx::query("update entries set digest = $3 where match_id = $1 and position = $2")
            .bind(id.0)
            .bind(it.position.0)
            .bind(&digest.as_bytes()[..])
            .execute(&mut database)
            .await
            .expect("the database answers");
    }
}

/// The gate before a new release, while the service goes on.
#[tokio::test]
async fn the_whole_record_is_verified_and_what_rules_would_change_is_named() {
    let (installation, mut matches) = played().await;
    let url = installation.postgres().url();
    let all = ["--all", "--database-url", &url];
    let (before, status) = outcome(&all).await;
    assert_eq!((status, &before["answer"]), (PROVEN, &json!("NOT_PROVEN")), "{before}");
    assert_eq!((&before["matches"], &before["proven"]), (&json!(3), &json!(2)));
    matches[2].steps(1).await;

    // It goes on where it was: the first match in the order of buckets was verified before.
    let mut ids: Vec<Uuid> = matches
        .iter()
        .map(|it| it.name.trim_start_matches("matches/").parse().expect("an id"))
        .collect();
    ids.sort_by_key(|id| (positions::Bucket::of(MatchId(*id)), *id));
    let state = file(&installation, "state");
    let rules: serde_json::Map<_, _> =
        games::GAMES.iter().map(|it| (it.name().to_owned(), it.rules_version().into())).collect();
    let store = open_store(database::Options::new(installation.postgres().options())).await;
    let of = json!({
        "installation": store.database().installation().await.expect("an answer"),
        "platform": null, "release": api::VERSION, "rules": rules,
    });
    let mut tally = before.clone();
    (tally["matches"], tally["entries"]) = (json!(1), json!(1000));
    (tally["unproven"], tally["unproven_counts"]) = (json!([]), json!({}));
    let kept = json!({ "of": of, "last": ids[0], "tally": tally }).to_string();
    fs::write(&state, &kept).expect("a file");
    let resumed = [&all[..], &["--state", path(&state)]].concat();
    let (after, status) = outcome(&resumed).await;
    assert_eq!(status, PROVEN, "{after}");
    assert_eq!(after["matches"], 3);
    assert!(after["entries"].as_u64().is_some_and(|entries| entries > 1000));
    assert!(!state.exists(), "it is done");
    fs::write(&state, kept.replace("\"rules\":{", "\"rules\":{\"chess\":1,")).expect("a file");
    let (text, status) = said(&resumed).await;
    assert_eq!(status, Some(2));
    assert!(text.contains("is of another release, installation or platform"), "{text}");

    // Nothing is known about matches that were recorded without proofs.
    for it in [&matches[0], &matches[2]] {
        let id = MatchId(it.name.trim_start_matches("matches/").parse().expect("an id"));
        let mut database = installation.database().await;
        let entries = store.entries_of(&[id]).await.expect("an answer").remove(&id);
        let layout = games::find("mountebank").expect("a game").layout();
        for recorded in entries.expect("entries") {
            let mut entry = table::Entry::decode(&recorded.body, layout).expect("an entry");
            (entry.rules, entry.choices, entry.players) = (0, Vec::new(), Vec::new());
            sqlx::query(
                "update entries set body = $3, digest = null where match_id = $1 and position = $2",
            )
            .bind(id.0)
            .bind(recorded.position.0)
            .bind(&entry.encode()[..])
            .execute(&mut database)
            .await
            .expect("the database answers");
        }
    }
    let (text, status) = said(&all).await;
    assert_eq!(status, NOT_PROVEN, "{text}");
    let named = format!("not proven: {}, position 1: it was recorded without", matches[0].name);
    assert!(text.contains(&named) && !text.contains("WRONG: matches/"), "{text}");

    // The same under the same version is wrong, wherever it is.
    sqlx::query("update entries set body = substring(body for octet_length(body) - 1) where match_id = $1 and position = 3")
        .bind(matches[1].name.trim_start_matches("matches/").parse::<Uuid>().expect("an id"))
        .execute(&mut installation.database().await)
        .await
        .expect("the database answers");
    let (outcome, status) = outcome(&all).await;
    assert_eq!((status, &outcome["wrong"][0]["match"]), (WRONG, &json!(matches[1].name)));
    assert_eq!(outcome["wrong"][0]["position"], 3);
    assert_eq!(outcome["unproven_counts"], json!({ "NO_PROOFS": 2, "UNFINISHED": 1 }));
    store.database().close().await;
}

/// A new release has rules that it would have decided a running match by otherwise.
#[tokio::test]
async fn a_running_match_that_new_rules_would_change_fails_the_gate() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let new = CreateMatchRequest { game: "games/among-thieves".to_owned(), ..new_match(3) };
    let it = create(&client, &new).await;
    let id = MatchId(it.name.trim_start_matches("matches/").parse().expect("an id"));
    let store = open_store(database::Options::new(installation.postgres().options())).await;
    let url = installation.postgres().url();
    let all = ["--all", "--database-url", &url];
    assert_eq!(said(&all).await.1, PROVEN);

    // Version 1 of the rules is that of an earlier release, and asked nobody.
    let layout = games::find("among-thieves").expect("a game").layout();
    let mut entries = store.entries_of(&[id]).await.expect("an answer");
    let opening = entries.remove(&id).expect("entries").remove(0);
    let mut entry = table::Entry::decode(&opening.body, layout).expect("an entry");
    entry.rules = 1;
    assert!(entry.prompts.pop().is_some());
    sqlx::query("update entries set body = $2 where match_id = $1")
        .bind(id.0)
        .bind(&entry.encode()[..])
        .execute(&mut installation.database().await)
        .await
        .expect("the database answers");
    digest_again(&store, &installation, id).await;
    let (text, status) = said(&all).await;
    assert_eq!(status, WRONG, "{text}");
    let named = format!("not proven: {}, position 1: version 1 of the rules decided", it.name);
    assert!(text.contains(&named) && !text.contains("WRONG: matches/"), "{text}");
    assert!(text.contains("would decide differently what was decided in 1 match"), "{text}");
    store.database().close().await;
}
