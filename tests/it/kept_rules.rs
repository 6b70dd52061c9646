//! Matches that began under another version of a built-in game's rules: they go on by the module
//! that was kept of it, in every process, and are verified by it. `make modules` runs these tests,
//! since they need what `.ci/modules` makes.

use std::fs;
use std::path::{Path, PathBuf};

use contract::v1::*;
use games::Game;
use modules::compiling::Compiler;
use modules::{Limits, Module};
use positions::{Position, Recorded};
use records::{Chain, Creation, Digested};
use rows::{SeatRow, SpeechKey, seat_of};
use serde_json::{Value, json};
use table::{MatchChance, PlayerCommitment};
use tonic::Code;

use self::played::{Played, text_of};
use crate::files;
use crate::harness::*;
use crate::metering::{figure, scrape};

#[path = "../../services/records/tests/verifying/common.rs"]
#[expect(dead_code, reason = "it has more than is needed here")]
mod played;

/// The version of the rules of Mountebank that is compiled in.
fn present() -> u32 {
    games::find("mountebank").expect("a game").rules_version()
}

/// The file of a module that `.ci/modules` made.
fn file_of(name: &str) -> PathBuf {
    let programs = Path::new(env!("CARGO_BIN_EXE_croupier")).parent().expect("a folder");
    programs.join("../modules").join(name).with_extension("wasm")
}

/// A game by the rules before the present ones, and the hash of the module.
fn earlier_of(game: &str) -> (&'static dyn Game, String) {
    let path = file_of(&format!("earlier_{}", game.replace('-', "_")));
    let program = path.with_file_name("croupier-module-compiler");
    let compiler = Compiler::find(Some(&program)).expect("it is beside the modules");
    let file = fs::read(&path).expect("it is there");
    let compiled = compiler.compile(&file).expect("it compiles");
    let module = Module::load(&compiled, Limits::default()).expect("it loads");
    let present = games::find(game).expect("a game").rules_version();
    assert_eq!((module.name(), module.rules_version() + 1), (game, present));
    (Box::leak(Box::new(module)), blake3::hash(&file).to_hex().to_string())
}

fn earlier() -> (&'static dyn Game, String) {
    earlier_of("mountebank")
}

/// Keeps the earlier rules of a game as `croupier migrate` of the earlier release does.
async fn keep_earlier_of(installation: &Installation, game: &str) {
    let file = fs::read(file_of(&format!("earlier_{}", game.replace('-', "_"))));
    let file = file.expect("it is there");
    let present = games::find(game).expect("a game").rules_version();
    let keeping = sqlx::query(
        "insert into modules (hash, game, rules, file, retire_time)
         values ($1, $2, $3, $4, now())",
    )
    .bind(blake3::hash(&file).as_bytes().to_vec())
    .bind(game)
    .bind(present as i32 - 1)
    .bind(file);
    keeping.execute(&mut installation.database().await).await.expect("a row");
}

async fn keep_earlier(installation: &Installation) {
    keep_earlier_of(installation, "mountebank").await;
}

/// Imports a match of these rules that is under way, as the earlier release left it.
async fn begin(installation: &Installation, game: &'static dyn Game, number: u64) -> String {
    let mut played = Played::new(game, 2, number, 12);
    played.row.platform = "local".to_owned();
    played.record();
    assert!(!played.is_over());
    let path = installation.folder.path().join(format!("begun-{number}.jsonl"));
    fs::write(&path, text_of(&played.lines())).expect("a file");
    files::import(installation, &path).await;
    rows::match_name(played.row.match_id)
}

fn versions(entries: &[Entry]) -> Vec<u32> {
    let mut versions: Vec<u32> = entries.iter().map(|it| it.rules_version).collect();
    versions.dedup();
    versions
}

async fn verify_all(installation: &Installation) -> (Value, Option<i32>) {
    let url = installation.postgres().url();
    let output = files::run(&["verify", "--all", "--json", "--database-url", &url]).await;
    (serde_json::from_slice(&output.stdout).expect("JSON"), output.status.code())
}

#[tokio::test]
#[ignore = "needs what `.ci/modules` makes"]
async fn a_match_ends_by_the_rules_that_it_began_with() {
    let mut installation = Installation::open().await;
    let second = installation.serve("b").await;
    let (game, hash) = earlier();
    keep_earlier(&installation).await;
    let begun = begin(&installation, game, 1).await;
    let (first, other) = (installation.client(Protocol::Grpc), second.client(Protocol::Rest));

    // The match goes on in both processes, and through a kill of one.
    let it = get(&first, &begun).await;
    assert_eq!((it.position, &*it.module), (12, ""));
    let mut playing = Playing::of(&first, &it, 3);
    playing.seats = vec![first.clone(), other.clone()];
    playing.steps(6).await;
    installation.service.kill().await;
    installation.service.start_again().await;
    let first = installation.client(Protocol::Grpc);
    playing.seats = vec![first.clone(), other.clone()];
    playing.finish().await;
    let told = entries(&first, &begun, "house").await;
    check_dense(&told, playing.entries.len() as i32 + 12);
    assert_eq!(entries(&other, &begun, "house").await, told);
    assert_eq!(versions(&told), [present() - 1]);
    assert_eq!(get(&other, &begun).await.state(), MatchState::Ended);

    // A new match has the present rules.
    let mut new = Playing::new(&other, 2, 5).await;
    new.finish().await;
    let told = entries(&first, &new.name, "house").await;
    assert_eq!(versions(&told), [present()]);

    // Each is proven by its own rules, from the database and from a file.
    let (said, status) = verify_all(&installation).await;
    assert_eq!((status, &said["answer"], &said["proven"]), (Some(0), &json!("PROVEN"), &json!(2)));
    assert_eq!(said["modules"], json!({format!("mountebank {hash}"): 1}));
    let out = installation.folder.path().join("matches.jsonl");
    files::export(&installation, &out, &[]).await;
    let (out, module) = (out.to_str().expect("a path"), file_of("earlier_mountebank"));
    let module = module.to_str().expect("a path");
    let said = files::done(&["verify", out, "--module", module]).await;
    assert!(said.contains(&hash) && said.contains("all proven"), "{said}");
    let without = files::run(&["verify", out]).await;
    let said = String::from_utf8(without.stdout).expect("text");
    assert_eq!(without.status.code(), Some(3), "{said}");
    assert!(said.contains("RULES_CHANGED"), "{said}");

    // An import verifies and records it by its own rules, where they are kept.
    let third = Installation::open().await;
    keep_earlier(&third).await;
    files::import(&third, Path::new(out)).await;
    assert_eq!(verify_all(&third).await.0["proven"], 2);
}

/// Its module names levels of bots, so nothing is chosen by the present rules.
#[tokio::test]
#[ignore = "needs what `.ci/modules` makes"]
async fn bots_think_by_the_rules_of_their_match() {
    let mut installation = Installation::open().await;
    installation.service.restart_with(&["--bot-think-ms", "40"]).await;
    let (game, _) = earlier();
    assert_eq!(game.own_levels(), ["random", "heuristic", "search"]);
    keep_earlier(&installation).await;
    let begun = begin(&installation, game, 3).await;
    let client = installation.client(Protocol::Grpc);
    for (seat, bot) in [(0, "search"), (1, "heuristic")] {
        let (bot, name) = (bot.to_owned(), begun.clone());
        let request =
            ReplaceSeatRequest { name, seat: Some(seat), bot, absent: true, ..<_>::default() };
        client.ask(&request).await.expect("the platform may");
    }
    until("the end", async || {
        Some(get(&client, &begun).await).filter(|it| it.state() == MatchState::Ended)
    })
    .await;
    assert_eq!(versions(&entries(&client, &begun, "house").await), [present() - 1]);
    let page = scrape(&installation.service.metrics().await).await;
    for level in ["search", "heuristic"] {
        let count = |outcome: &str| {
            let labels = [("level", level), ("outcome", outcome)];
            figure(&page, "croupier_bots_decisions_total", &labels).unwrap_or_default()
        };
        assert!(count("acted") > 0.0 && count("failed") == 0.0, "{level}");
    }
}

#[tokio::test]
#[ignore = "needs what `.ci/modules` makes"]
async fn rules_that_were_kept_and_cannot_be_run_decide_nothing() {
    let installation = Installation::open().await;
    let (game, hash) = earlier();
    let unkept = begin(&installation, game, 2).await;
    let client = installation.client(Protocol::Grpc);

    // Where they were not kept, the present rules decide, and the match goes on by those.
    let mut playing = Playing::of(&client, &get(&client, &unkept).await, 1);
    playing.steps(2).await;
    assert_eq!(versions(&playing.entries), [present()]);
    keep_earlier(&installation).await;
    playing.finish().await;
    assert_eq!(versions(&playing.entries), [present()]);
    let (said, status) = verify_all(&installation).await;
    assert_eq!((status, &said["answer"]), (Some(0), &json!("PROVEN")), "{said}");

    // Without the compiler, a match of rules that were kept is refused, and no other.
    let begun = begin(&installation, game, 4).await;
    let (folder, url) = (installation.folder.path().join("b"), installation.postgres().url());
    let arguments = ["--module-compiler", "/nowhere/compiler"];
    let without = Service::start_with(&folder, Some(&url), &arguments).await;
    let other = without.client(Protocol::Grpc);
    let it = get(&client, &begun).await;
    let plan = Playing::of(&client, &it, 1).plan().await.expect("it is readable").expect("a turn");
    let refused = other.ask(&plan).await.expect_err("it cannot be compiled");
    assert_eq!((refused.code, &*refused.reason), (Code::FailedPrecondition, "MATCH_UNREADABLE"));
    assert_eq!(refused.facts["module"], hash);
    Playing::new(&other, 2, 1).await.finish().await;
    Playing::of(&client, &it, 1).finish().await;
}

#[tokio::test]
#[ignore = "needs what `.ci/modules` makes"]
async fn a_release_keeps_its_own_rules() {
    let installation = Installation::open().await;
    let url = installation.postgres().url();
    let said = files::done(&["migrate", "--database-url", &url]).await;
    for game in games::GAMES {
        let kept =
            format!("kept: version {} of the rules of {}", game.rules_version(), game.name());
        assert!(said.contains(&kept), "{said}");
    }
    let again = files::done(&["migrate", "--database-url", &url]).await;
    assert_eq!(again, "the tables are up to date\n");
    let listed = files::done(&["game", "list", "--database-url", &url]).await;
    assert_eq!(listed.lines().filter(|it| it.ends_with("kept")).count(), games::GAMES.len());

    // New matches are of the program, not of these modules.
    let client = installation.client(Protocol::Grpc);
    let it = create(&client, &new_match(2)).await;
    assert_eq!(it.module, "");
    let games = client.ask(&ListGamesRequest::default()).await.expect("games").games;
    assert_eq!(games.len(), games::GAMES.len());
}

/// The deal of a match that waits for a player, as the earlier release records it once the player
/// has come.
async fn deal_elsewhere(installation: &Installation, game: &'static dyn Game, it: &Match) {
    let id = rows::parse_match_name(&it.name).expect("a name");
    sqlx::query(
        "insert into seats (bucket, match_id, seat, player, create_time, platform, match_create_time)
         select bucket, match_id, 1, 'late', create_time, platform, create_time
         from matches
         where match_id = $1",
    )
    .bind(id.0)
    .execute(&mut installation.database().await)
    .await
    .expect("a seat");
    let store = open_store(database::Options::new(installation.postgres().options())).await;
    let loaded = store.load("local", id).await.expect("an answer").expect("a match");
    let (row, seed) = (loaded.row, loaded.seed.expect("it is there"));
    let options = game.check_options(&row.terms.options, 2).expect("they fit");
    let mut chance = MatchChance::new(id.0.as_bytes(), &seed, &[]).after(0);
    let (_, mut entry) = game.open(2, &options, &[], &mut chance).expect("it opens");
    let keys = row.seated.iter().filter_map(|it| Some((it, it.speech_key?)));
    let commit = |(it, SpeechKey(key)): (&SeatRow, SpeechKey)| {
        PlayerCommitment::new(id.0.as_bytes(), seat_of(it.seat), &key, &it.player)
    };
    entry.players = keys.map(commit).collect();
    let (body, position, create_time) = (entry.encode(), Position(1), row.create_time);
    let digest = Chain::new(Creation::from(&row), &seed).next(Digested {
        position,
        create_time,
        seat: None,
        request_id: Some("set up"),
        body: &body,
    });
    let (request_id, digest) = (Some("set up".to_owned()), Some(digest));
    let first = Recorded { position, bucket_position: 0, request_id, create_time, body, digest };
    let played = Played { row, seed, entries: vec![entry], recorded: vec![first], step_s: 0 };
    let path = installation.folder.path().join("dealt.jsonl");
    fs::write(&path, text_of(&played.lines())).expect("a file");
    files::import(installation, &path).await;
}

/// As in an upgrade, in which both releases serve.
#[tokio::test]
#[ignore = "needs what `.ci/modules` makes"]
async fn a_match_that_another_release_deals_goes_on_by_its_rules() {
    let installation = Installation::open().await;
    let second = installation.serve("b").await;
    let (first, other) = (installation.client(Protocol::Grpc), second.client(Protocol::Grpc));
    let (game, _) = earlier();
    keep_earlier(&installation).await;
    let it = create(&first, &CreateMatchRequest { players: vec![player(0)], ..new_match(2) }).await;
    assert_eq!(it.position, 0);

    // Both processes have it in memory, without any rules decided.
    let request = WatchEntriesRequest { parent: it.name.clone(), ..<_>::default() };
    let mut watches = [first.watch(&request).await, other.watch(&request).await];
    deal_elsewhere(&installation, game, &it).await;
    for watch in &mut watches {
        assert_eq!(versions(&watch.up_to(1).await.expect("the deal")), [present() - 1]);
    }
    let mut playing = Playing::of(&other, &get(&other, &it.name).await, 1);
    playing.seats = vec![first.clone(), other.clone()];
    playing.finish().await;
    assert_eq!(versions(&playing.entries), [present() - 1]);
    for watch in &mut watches {
        let last = playing.entries.len() as i32 + 1;
        assert_eq!(versions(&watch.up_to(last).await.expect("all")), [present() - 1]);
    }
    assert_eq!(verify_all(&installation).await.0["answer"], "PROVEN");
}

/// How many matches of each game are half played when other rules come: `MATCHES`, or few.
fn requested() -> u64 {
    std::env::var("MATCHES").map_or(4, |it| it.parse().expect("a number"))
}

/// The first half of a match by these rules.
fn half(game: &'static dyn Game, seats: u8, number: u64) -> Played {
    let whole = Played::new(game, seats, number, usize::MAX);
    assert!(whole.is_over());
    let mut half = Played::new(game, seats, number, whole.entries.len().div_ceil(2));
    half.row.platform = "local".to_owned();
    half.record();
    half
}

/// Half-played matches of every game go on in two processes after an upgrade to other rules, half
/// of them through a kill, and each entry is proven by the rules that decided it.
#[tokio::test]
#[ignore = "needs what `.ci/modules` makes"]
async fn matches_of_every_game_end_by_the_rules_that_they_began_with() {
    let mut installation = Installation::open().await;
    let second = installation.serve("b").await;
    let mut expected = serde_json::Map::new();
    for (nth, game) in (0..).zip(games::GAMES) {
        let (rules, hash) = earlier_of(game.name());
        keep_earlier_of(&installation, game.name()).await;
        let (seats, matches) = (game.seats(), requested());
        let halves: Vec<Played> = (0..matches)
            .map(|it| {
                let more = it % u64::from(seats.end() - seats.start() + 1);
                half(rules, seats.start() + more as u8, nth * 1_000_000 + it)
            })
            .collect();
        let path = installation.folder.path().join(format!("{}.jsonl", game.name()));
        let lines: Vec<_> = halves.iter().flat_map(Played::lines).collect();
        fs::write(&path, text_of(&lines)).expect("a file");
        files::import(&installation, &path).await;

        let clients = [installation.client(Protocol::Grpc), second.client(Protocol::Grpc)];
        let mut under_way = Vec::new();
        for (nth, played) in (0..).zip(&halves) {
            let it = get(&clients[0], &rows::match_name(played.row.match_id)).await;
            let mut playing = Playing::of(&clients[0], &it, nth);
            let of = |seat: usize| clients[(seat + nth as usize) % 2].clone();
            playing.seats = (0..playing.seats.len()).map(of).collect();
            if nth % 2 == 0 {
                playing.finish().await;
            } else {
                playing.steps(4).await;
            }
            under_way.push(playing);
        }
        installation.service.kill().await;
        installation.service.start_again().await;
        let first = installation.client(Protocol::Grpc);
        let mut entries_told = 0;
        for (nth, mut playing) in (0..).zip(under_way) {
            let of = |seat: usize| [&first, &clients[1]][(seat + nth) % 2].clone();
            playing.seats = (0..playing.seats.len()).map(of).collect();
            playing.finish().await;
            let told = entries(&first, &playing.name, "house").await;
            assert_eq!(versions(&told), [rules.rules_version()], "{}", playing.name);
            entries_told += told.len();
        }
        println!("{}: {matches} matches, {entries_told} entries", game.name());
        expected.insert(format!("{} {hash}", game.name()), json!(matches));
    }
    let (said, status) = verify_all(&installation).await;
    let all = requested() * games::GAMES.len() as u64;
    assert_eq!(
        (status, &said["answer"], &said["proven"]),
        (Some(0), &json!("PROVEN"), &json!(all))
    );
    assert_eq!(said["modules"], Value::Object(expected));
}
