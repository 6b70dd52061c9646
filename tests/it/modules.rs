//! Games that are modules: added while services run, played in every process, and pinned by each
//! match. `make modules` runs these tests, since they need the compiler of modules.

use std::fs;
use std::path::{Path, PathBuf};

use contract::v1::*;
use http::Request;
use http_body_util::Full;
use rustix::process::Pid;
use serde_json::{Value, json};
use tonic::Code;

use crate::files;
use crate::harness::*;

const GAME: &str = "games/pebbles";

/// A module in C of the tests of modules. `faults` is the game of `pebbles`, in which who takes ten
/// pebbles or more asks for the fault of that number.
pub fn module(name: &str) -> PathBuf {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../modules/tests/pebbles");
    sources.join(name).with_extension("wasm")
}

/// Runs `croupier game …` on the database. Returns its output, or what it says of its failure.
async fn game(installation: &Installation, arguments: &[&str]) -> Result<String, String> {
    let url = installation.postgres().url();
    let at = ["--database-url", &url];
    let output = files::run(&[&["game"], arguments, &at[..]].concat()).await;
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    match output.status.success() {
        true => Ok(text(output.stdout)),
        false => Err(text(output.stderr)),
    }
}

/// Adds Pebbles after a short trial, and returns the hash of the module.
async fn add_pebbles(installation: &Installation) -> String {
    let file = module("pebbles");
    let file = file.to_str().expect("a plain path");
    let added = game(installation, &["add", file, "--matches", "3", "--json"]).await;
    let added: Value = serde_json::from_str(&added.expect("it is admitted")).expect("JSON");
    assert_eq!(
        (&added["game"], &added["rules_version"], &added["offered"], &added["retire_time"]),
        (&json!("pebbles"), &json!(1), &json!(true), &Value::Null)
    );
    let hash = blake3::hash(&fs::read(file).expect("it is in the tree")).to_hex().to_string();
    assert_eq!(added["module"], hash);
    hash
}

/// Adds the module whose actions misbehave, which no trial admits.
pub async fn add_faults(installation: &Installation) -> String {
    let file = fs::read(module("faults")).expect("it is in the tree");
    let hash = blake3::hash(&file);
    let adding =
        sqlx::query("insert into modules (hash, game, rules, file) values ($1, $2, 1, $3)")
            .bind(hash.as_bytes().to_vec())
            .bind("pebbles")
            .bind(file);
    adding.execute(&mut installation.database().await).await.expect("a row");
    hash.to_hex().to_string()
}

pub fn pebbles() -> CreateMatchRequest {
    CreateMatchRequest { game: GAME.to_owned(), ..new_match(2) }
}

/// Takes pebbles, with an action in JSON. Rules that are suspect are behind all else: what they
/// refuse on a busy machine is asked again.
pub async fn take(client: &Client, it: &Match, seat: u32, pebbles: u32) -> Result<(), Failure> {
    let action = json!({"module": {"take": {"pebbles": pebbles}}});
    let request = json!({"name": it.name, "seat": seat, "action": action});
    let client = client.speaking(Protocol::ConnectJson);
    loop {
        match client.call("SubmitAction", &request.to_string()).await {
            Err(failure) if failure.reason == "OVERLOADED" => {
                tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            }
            answer => return answer.map(|_| ()),
        }
    }
}

/// What a stranger sees at the link to Pebbles: the page, and the picture's status and bytes.
async fn link_to_pebbles(installation: &Installation) -> (String, u16, Vec<u8>) {
    let stranger = installation.client(Protocol::Rest).anonymous();
    let get = async |path: &str| {
        let request = Request::get(path).body(Full::default()).expect("a request");
        stranger.send(request).await.expect("an answer")
    };
    let page = get("/g/pebbles").await;
    let picture = get("/g/pebbles/table.png").await;
    let text = String::from_utf8(page.body.to_vec()).expect("UTF-8");
    (text, picture.status.as_u16(), picture.body.to_vec())
}

#[tokio::test]
#[ignore = "needs what `.ci/modules` makes"]
async fn a_link_to_an_added_game_has_a_picture_of_its_own() {
    let installation = Installation::open().await;
    let before = link_to_pebbles(&installation).await;
    assert!(before.1 == 404 && !before.0.contains("Pebbles"), "{}", before.0);
    add_pebbles(&installation).await;
    create(&installation.client(Protocol::Grpc), &pebbles()).await;
    let (page, status, picture) = link_to_pebbles(&installation).await;
    assert!(status == 200 && page.contains("og:image"), "{status}: {page}");
    assert!(page.contains("Pebbles"), "{page}");
    assert_eq!(&picture[1..4], b"PNG");
}

#[tokio::test]
#[ignore = "needs what `.ci/modules` makes"]
async fn strangers_learn_of_a_game_for_one_platform_only_where_its_matches_are_shown() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let file = module("pebbles");
    let file = file.to_str().expect("a plain path");
    let add = ["add", file, "--matches", "3", "--platform", "local"];
    game(&installation, &add).await.expect("it is admitted");
    create(&client, &pebbles()).await;
    let hidden = link_to_pebbles(&installation).await;
    assert!(hidden.1 == 404 && !hidden.0.contains("Pebbles"), "{}", hidden.0);
    installation.service.restart_with(&["--show-matches-of", "local"]).await;
    create(&client, &pebbles()).await;
    let (page, status, _) = link_to_pebbles(&installation).await;
    assert_eq!(status, 200);
    assert!(page.contains("Pebbles"), "{page}");
}

/// Its author has written English only.
#[tokio::test]
#[ignore = "needs what `.ci/modules` makes"]
async fn a_game_without_words_in_a_language_speaks_english() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    add_pebbles(&installation).await;
    let created = create(&client, &pebbles()).await;
    let (name, not_asked) = (&created.name, u32::from(created.waiting_for == [0]));
    let opening = format!("{name}/entries/1");
    let game = async |language: &str| {
        let (name, language) = (GAME.to_owned(), language.to_owned());
        let request = GetGameRequest { name, language, ..<_>::default() };
        client.ask(&request).await.expect("it is there").game.expect("a game")
    };
    let text = async |client: &Client, language: &str| {
        let (name, viewer) = (opening.clone(), "seats/0".to_owned());
        let request = GetEntryRequest { name, viewer, language: language.to_owned() };
        client.ask(&request).await.expect("it is there").entry.expect("an entry").text
    };
    let english = (game("en").await, text(&client, "en").await);
    assert_eq!(english.0.languages, ["en"]);
    assert!(english.1.starts_with("The table is set up"), "{}", english.1);
    for language in ["de", "fr"] {
        assert_eq!((game(language).await, text(&client, language).await), english);
        let accepting = client.with_header("accept-language", language);
        assert_eq!(text(&accepting, "").await, english.1);
        let action = json!({"module": {"take": {"pebbles": 1}}});
        let request =
            json!({"name": name, "seat": not_asked, "action": action, "language": language});
        let json = client.speaking(Protocol::ConnectJson);
        let refused = json.call("SubmitAction", &request.to_string()).await;
        let (locale, message) = *refused.expect_err("not asked").localized.expect("words");
        assert_eq!(locale, "en");
        assert_eq!(message, "There is nothing to decide for this seat now");
    }
}

#[tokio::test]
#[ignore = "needs what `.ci/modules` makes"]
async fn an_added_game_is_played_in_every_process() {
    let mut installation = Installation::open().await;
    let second = installation.serve("b").await;
    let (first, other) = (installation.client(Protocol::Grpc), second.client(Protocol::Rest));
    let unknown = first.ask(&pebbles()).await.expect_err("it is not there yet");
    assert_eq!((unknown.code, &*unknown.reason), (Code::InvalidArgument, "UNKNOWN_GAME"));

    // Whoever names it finds it at once, in any process, and so does whoever meets the match.
    let hash = add_pebbles(&installation).await;
    for client in [&first, &other] {
        let request = GetGameRequest { name: GAME.to_owned(), ..<_>::default() };
        let added = client.ask(&request).await.expect("it is there").game.expect("a game");
        assert_eq!(added.module, hash);
    }
    let bots = vec![String::new(), "search".to_owned()];
    let players = vec![player(0)];
    let with_bot = create(&other, &CreateMatchRequest { bots, players, ..pebbles() }).await;
    assert_eq!((&*with_bot.game, &with_bot.module), (GAME, &hash));
    assert!(!with_bot.options.contains_key("module"), "{:?}", with_bot.options);
    let it = create(&other, &pebbles()).await;
    let mut playing = Playing::of(&first, &it, 3);
    playing.steps(2).await;
    assert_eq!(get(&first, &it.name).await, get(&other, &it.name).await);

    // A start reads the code from the data folder, and a guest gets the table of the record.
    installation.service.kill().await;
    installation.service.start_again().await;
    let first = installation.client(Protocol::Grpc);
    playing.seats = vec![first.clone(), other.clone()];
    playing.finish().await;
    let ended = get(&first, &it.name).await;
    assert_eq!((ended.state(), ended.winners.len()), (MatchState::Ended, 1));

    // Its entries, views and texts are the same everywhere.
    let told = entries(&first, &it.name, "house").await;
    check_dense(&told, playing.requests.len() as i32 + 1);
    assert_eq!(entries(&other, &it.name, "house").await, told);
    let view = view(&first, &it.name, "spectator", Some(2)).await;
    assert!(!view.places.is_empty());
    let request =
        ListEntriesRequest { parent: it.name.clone(), language: "en".to_owned(), ..<_>::default() };
    let texts = other.ask(&request).await.expect("entries").entries;
    assert!(texts.iter().all(|it| !it.text.is_empty()), "{texts:?}");

    // The bot acts as it does in any game.
    let with_bot = until("the bot", async || {
        let it = get(&first, &with_bot.name).await;
        if it.waiting_for == [0] {
            take(&first, &it, 0, 1).await.expect("it is legal");
        }
        Some(it).filter(|it| it.state() == MatchState::Ended)
    })
    .await;
    assert_eq!(with_bot.module, hash);

    // Whoever has the record and the module verifies it by its own rules.
    let out = installation.folder.path().join("matches.jsonl");
    files::export(&installation, &out, &[]).await;
    let file = installation.folder.path().join("saved.wasm");
    let (out, file) = (out.to_str().expect("a plain path"), file.to_str().expect("a plain path"));
    game(&installation, &["save", &hash, file]).await.expect("it is there");
    let verified = files::run(&["verify", out, "--module", file]).await;
    let said = String::from_utf8(verified.stdout).expect("text");
    assert!(verified.status.success() && said.contains(&hash), "{said}");
    let without = files::run(&["verify", out]).await;
    let said = String::from_utf8(without.stdout).expect("text");
    assert_eq!(without.status.code(), Some(3), "{said}");
    assert!(said.contains(&format!("the module {hash}")) && said.contains("available"), "{said}");
    files::done(&["verify", "--all", "--database-url", &installation.postgres().url()]).await;

    // Both processes list it, and describe what a match of it looks like.
    for client in [&first, &other] {
        let listed = until("the list", async || {
            let games = client.ask(&ListGamesRequest::default()).await.expect("games").games;
            games.into_iter().find(|it| it.name == GAME)
        })
        .await;
        assert_eq!((listed.module.as_str(), listed.rules_version), (&*hash, 1));
        let request =
            GetGameRequest { name: GAME.to_owned(), module: hash.clone(), ..<_>::default() };
        let described = client.ask(&request).await.expect("it is there").game.expect("a game");
        assert_eq!(described.module, hash);
        assert!(described.layout.is_some_and(|it| !it.places.is_empty()));
    }
}

#[tokio::test]
#[ignore = "needs what `.ci/modules` makes"]
async fn a_fault_of_a_module_is_a_refusal_of_its_own_match() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let sound = add_pebbles(&installation).await;
    let before = create(&client, &pebbles()).await;
    let faulty = add_faults(&installation).await;
    let it = create(&client, &pebbles()).await;
    assert_eq!((&before.module, &it.module), (&sound, &faulty));
    let mut native = Playing::new(&client, 2, 5).await;

    let turn = it.waiting_for[0];
    let faults = [
        (10, "TOO_LONG"),
        (11, "TOO_MUCH_MEMORY"),
        (12, "TRAPPED"),
        (13, "STACK_OVERFLOW"),
        (14, "BAD_CHOICE"),
        (20, "ANSWER_TOO_LARGE"),
        (22, "BAD_ANSWER"),
        (40, "IMPOSSIBLE_ENTRY"),
        (60, "TOO_LONG"),
    ];
    for (number, fault) in faults {
        let failure = take(&client, &it, turn, number).await.expect_err(fault);
        assert_eq!((failure.code, &*failure.reason), (Code::FailedPrecondition, "MODULE_FAILED"));
        assert_eq!((&*failure.facts["fault"], &*failure.facts["game"]), (fault, GAME), "{number}");
        assert!(native.step().await, "the neighbour goes on");
    }
    // The earlier match has the rules that it began with: they know no faults.
    let refused = take(&client, &before, before.waiting_for[0], 10).await.expect_err("too many");
    assert_ne!(refused.reason, "MODULE_FAILED");

    // Nothing was recorded, and both matches go on, also after a start.
    for restarts in [false, true] {
        if restarts {
            installation.service.kill().await;
            installation.service.start_again().await;
        }
        for it in [&before, &it] {
            let now = get(&client, &it.name).await;
            assert_eq!(now.position, it.position + i32::from(restarts));
            take(&client, it, now.waiting_for[0], 1).await.expect("it is legal");
        }
    }
    assert!(installation.service.log().contains("TRAPPED"));
}

/// The CPU time that threads of a process have used, in ticks: those of suspect rules, which have a
/// low priority, and all others.
fn ticks(pid: Pid) -> [u64; 2] {
    let mut ticks = [0; 2];
    for task in fs::read_dir(format!("/proc/{}/task", pid.as_raw_nonzero())).expect("it runs") {
        let folder = task.expect("an entry").path();
        // It may have ended meanwhile.
        let Ok(stat) = fs::read_to_string(folder.join("stat")) else { continue };
        let (name, fields) = stat.rsplit_once(") ").expect("a name in brackets");
        let fields: Vec<i64> = fields.split(' ').skip(1).flat_map(str::parse).collect();
        let is_suspects = name.ends_with("(suspects");
        assert!(!is_suspects || fields[15] == 10, "its niceness: {stat}");
        // proc(5): utime and stime are the fields 14 and 15, of which state is 3.
        ticks[usize::from(!is_suspects)] += (fields[10] + fields[11]) as u64;
    }
    ticks
}

#[tokio::test]
#[ignore = "needs what `.ci/modules` makes"]
async fn a_module_that_failed_computes_on_no_thread_that_serves() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    add_faults(&installation).await;
    let mut matches = Vec::new();
    for _ in 0..9 {
        matches.push(create(&client, &pebbles()).await);
    }
    let fail = async |it: &Match| {
        let failure = take(&client, it, it.waiting_for[0], 10).await.expect_err("it loops");
        assert_eq!((&*failure.reason, &*failure.facts["fault"]), ("MODULE_FAILED", "TOO_LONG"));
    };
    // The first failure is on the thread of the call: nobody knows of it before.
    fail(&matches[0]).await;
    let began = ticks(installation.service.pid());
    for it in &matches[1..] {
        fail(it).await;
    }
    let looped = ticks(installation.service.pid());
    let [suspects, others] = [0, 1].map(|n| looped[n] - began[n]);
    assert!(suspects > others, "{suspects} ticks on threads of their own, {others} on all others");

    // What took too long is not computed again.
    for _ in 0..3 {
        for it in &matches[1..] {
            fail(it).await;
        }
    }
    let again = ticks(installation.service.pid())[0] - looped[0];
    assert!(again < suspects, "{again} ticks for what had taken {suspects}");
    for it in &matches {
        take(&client, it, it.waiting_for[0], 1).await.expect("it goes on");
    }
}

#[tokio::test]
#[ignore = "needs what `.ci/modules` makes"]
async fn a_retired_game_gets_no_new_matches() {
    let installation = Installation::open().await;
    let second = installation.serve("b").await;
    let (client, other) = (installation.client(Protocol::Rest), second.client(Protocol::Grpc));
    let hash = add_pebbles(&installation).await;
    let it = create(&client, &pebbles()).await;
    let retired = game(&installation, &["retire", "pebbles"]).await.expect("it is retired");
    assert!(retired.contains(&hash) && retired.contains("retired"), "{retired}");
    for client in [&client, &other] {
        let refused = client.ask(&pebbles()).await.expect_err("it is retired");
        assert_eq!(refused.reason, "UNKNOWN_GAME");
    }
    until("the list", async || {
        let games = client.ask(&ListGamesRequest::default()).await.expect("games").games;
        games.iter().all(|it| it.name != GAME).then_some(())
    })
    .await;
    Playing::of(&other, &it, 1).finish().await;
    assert_eq!(get(&client, &it.name).await.state(), MatchState::Ended);
    let again = game(&installation, &["retire", "pebbles"]).await.expect_err("it is retired");
    assert!(again.contains("no module of a game \"pebbles\" is offered"), "{again}");

    add_pebbles(&installation).await;
    assert_eq!(create(&client, &pebbles()).await.module, hash);
    let listed = game(&installation, &["list"]).await.expect("a list");
    assert_eq!(listed.lines().count(), 1, "{listed}");
}

#[tokio::test]
#[ignore = "needs what `.ci/modules` makes"]
async fn what_fails_the_trial_is_not_added() {
    let installation = Installation::open().await;
    let faults = module("faults");
    let refused = game(&installation, &["add", faults.to_str().expect("a plain path")]).await;
    let refused = refused.expect_err("its table differs");
    assert!(refused.contains("pebbles is not admitted"), "{refused}");
    let pebbles = module("pebbles");
    let pebbles = pebbles.to_str().expect("a plain path");
    let without =
        game(&installation, &["add", pebbles, "--module-compiler", "/nowhere/compiler"]).await;
    let without = without.expect_err("there is no compiler");
    assert!(without.contains("the compiler of modules cannot be run"), "{without}");
    assert_eq!(game(&installation, &["list"]).await.expect("a list"), "");
}

#[tokio::test]
#[ignore = "needs what `.ci/modules` makes"]
async fn a_process_without_the_compiler_serves_all_other_games() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let hash = add_pebbles(&installation).await;
    let it = create(&client, &pebbles()).await;

    let (folder, url) = (installation.folder.path().join("b"), installation.postgres().url());
    let arguments = ["--module-compiler", "/nowhere/compiler"];
    let without = Service::start_with(&folder, Some(&url), &arguments).await;
    let other = without.client(Protocol::Grpc);
    let refused = other.ask(&pebbles()).await.expect_err("it cannot be compiled");
    assert_eq!((refused.code, &*refused.reason), (Code::Unavailable, "MODULE_UNAVAILABLE"));
    assert_eq!(refused.facts["module"], hash);
    let unreadable = take(&other, &it, 0, 1).await.expect_err("there are no rules");
    assert_eq!((&*unreadable.reason, &unreadable.facts["module"]), ("MATCH_UNREADABLE", &hash));
    Playing::new(&other, 2, 1).await.finish().await;
    Playing::of(&client, &it, 1).finish().await;
}
