//! Games that operators install by calls: by whom, what is refused, and for whom. `make modules`
//! runs those tests that need the compiler of modules.

use std::fs;
use std::path::{Path, PathBuf};

use contract::v1::install_game_response::Stage;
use contract::v1::*;
use croupier_client::{Croupier, Options, Refusal};
use serde_json::{Value, json};
use tonic::Code;

use crate::files;
use crate::grants::OF_OPERATORS;
use crate::harness::*;

const GAME: &str = "games/pebbles";

/// A module in C of the tests of modules.
fn module(name: &str) -> PathBuf {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../modules/tests/pebbles");
    sources.join(name).with_extension("wasm")
}

fn hash_of(path: &Path) -> String {
    blake3::hash(&fs::read(path).expect("it is in the tree")).to_hex().to_string()
}

/// A new key of an operator.
pub async fn operator_key(installation: &Installation) -> String {
    let url = installation.postgres().url();
    let made = files::done(&["operator", "key", "--json", "--database-url", &url]).await;
    let made: Value = serde_json::from_str(&made).expect("JSON");
    made["key"].as_str().expect("a key").to_owned()
}

/// Runs `croupier game …` by calls of a process.
pub async fn game(service: &Service, key: &str, arguments: &[&str]) -> Result<Vec<Value>, String> {
    let address = format!("http://127.0.0.1:{}", service.port());
    let at = ["--operator-key", key, "--address", &address, "--json"];
    let output = files::run(&[&["game"], arguments, &at[..]].concat()).await;
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    match output.status.success() {
        true => Ok(text(output.stdout)
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect()),
        false => Err(text(output.stderr)),
    }
}

async fn add(
    service: &Service,
    key: &str,
    path: &Path,
    more: &[&str],
) -> Result<Vec<Value>, String> {
    let file = path.to_str().expect("a plain path");
    game(service, key, &[&["add", file, "--matches", "3"], more].concat()).await
}

/// Sends a file as `InstallGame`, in parts of this size.
async fn install(
    service: &Service,
    key: &str,
    file: &[u8],
    first: InstallGameRequest,
) -> Result<Module, Refusal> {
    let credentials = key.to_owned().into();
    let options = Options { credentials, ..Options::default() };
    let address = format!("http://127.0.0.1:{}", service.port());
    let croupier = Croupier::connect(&address, options).expect("an address");
    let mut parts = file.chunks(20_000).map(<[u8]>::to_vec);
    let first = InstallGameRequest { module: parts.next().unwrap_or_default(), ..first };
    let rest = parts.map(|module| InstallGameRequest { module, ..<_>::default() });
    let requests: Vec<_> = std::iter::once(first).chain(rest).collect();
    let mut stages = croupier.open_both(tokio_stream::iter(requests)).await?;
    loop {
        if let Some(Stage::Module(module)) = stages.message().await?.expect("an outcome").stage {
            return Ok(module);
        }
    }
}

fn pebbles() -> CreateMatchRequest {
    CreateMatchRequest { game: GAME.to_owned(), ..new_match(2) }
}

async fn modules(client: &Client) -> Vec<Module> {
    let request = ListModulesRequest::default();
    let all = client.ask(&request).await.expect("an operator may").modules;
    // A service keeps those of its own games once it has run for a minute.
    all.into_iter().filter(|it| it.state() != ModuleState::Kept).collect()
}

/// Two processes serve, as a role that can write no module, while other matches are played.
#[tokio::test]
#[ignore = "needs what `.ci/modules` makes"]
async fn a_game_is_installed_in_one_process_and_played_in_the_other() {
    let mut installation = Installation::open().await;
    let second = installation.serve("b").await;
    installation.restrict().await;
    let key = operator_key(&installation).await;
    let (client, other) = (installation.client(Protocol::Grpc), second.client(Protocol::Rest));
    let mut native = Playing::new(&client, 2, 5).await;
    native.steps(2).await;
    let refused = other.ask(&pebbles()).await.expect_err("it is not there yet");
    assert_eq!(refused.reason, "UNKNOWN_GAME");

    let path = module("pebbles");
    let hash = hash_of(&path);
    let added = add(&installation.service, &key, &path, &[]).await.expect("it is admitted");
    assert_eq!(
        (&added[0]["game"], &added[0]["module"], &added[0]["rules_version"], &added[0]["offered"]),
        (&json!("pebbles"), &json!(hash), &json!(1), &json!(true))
    );
    let it = create(&other, &pebbles()).await;
    assert_eq!(it.module, hash);
    let mut playing = Playing::of(&client, &it, 3);
    playing.seats = vec![client.clone(), other.clone()];
    playing.finish().await;
    assert_eq!(get(&other, &it.name).await.state(), MatchState::Ended);
    native.finish().await;
    for client in [&client, &other] {
        let listed = until("the list", async || {
            let games = client.ask(&ListGamesRequest::default()).await.expect("games").games;
            games.into_iter().find(|it| it.name == GAME)
        })
        .await;
        assert_eq!((listed.module.as_str(), listed.rules_version), (&*hash, 1));
    }

    // The operator sees it in every protocol, and ends new matches of it in any process.
    let begun = create(&client, &pebbles()).await;
    for protocol in PROTOCOLS {
        let listed = modules(&client.holding(&key).speaking(protocol)).await;
        let states: Vec<_> = listed.iter().map(|it| (it.name.clone(), it.state())).collect();
        assert_eq!(states, [(format!("modules/{hash}"), ModuleState::Offered)], "{protocol:?}");
    }
    let retire = RetireGameRequest { name: GAME.to_owned() };
    let retired = other.holding(&key).ask(&retire).await.expect("it is offered").module;
    assert_eq!(retired.map(|it| it.state()), Some(ModuleState::Retired));
    let again = client.holding(&key).ask(&retire).await.expect_err("it is retired");
    again.check(Code::NotFound, "UNKNOWN_GAME");
    for client in [&client, &other] {
        let refused = client.ask(&pebbles()).await.expect_err("it is retired");
        assert_eq!(refused.reason, "UNKNOWN_GAME");
    }
    Playing::of(&other, &begun, 1).finish().await;
    let mut listed = game(&second, &key, &["list"]).await.expect("a list");
    listed.retain(|it| it["kept"] == false);
    assert_eq!((listed.len(), &listed[0]["offered"]), (1, &json!(false)));

    // What is installed again is offered again.
    let first = InstallGameRequest { matches: 1, ..<_>::default() };
    let file = fs::read(&path).expect("it is in the tree");
    let again = install(&second, &key, &file, first).await.expect("it is admitted");
    assert_eq!((again.state(), again.game.as_str()), (ModuleState::Offered, GAME));
    create(&client, &pebbles()).await;
}

/// A module that says that it is of version 2 of the contract, and nothing else: `croupier_call`
/// answers the bytes 08 02.
const LATER: [u8; 134] = *b"\0asm\x01\0\0\0\
    \x01\x11\x03\x60\x01\x7f\x01\x7f\x60\x01\x7f\0\x60\x03\x7f\x7f\x7f\x01\x7e\
    \x03\x04\x03\0\x01\x02\
    \x05\x03\x01\0\x01\
    \x07\x3e\x04\x06memory\x02\0\x11croupier_allocate\0\0\
    \x0dcroupier_free\0\x01\x0dcroupier_call\0\x02\
    \x0a\x14\x03\x05\0\x41\x80\x08\x0b\x02\0\x0b\x09\0\x42\x82\x80\x80\x80\x80\x02\x0b\
    \x0b\x08\x01\0\x41\x10\x0b\x02\x08\x02";

/// By the key itself, so neither by platforms nor by a key that was revoked.
#[tokio::test]
async fn only_operators_install_games() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let key = operator_key(&installation).await;
    let id = key.split('_').nth(1).expect("an id").to_owned();
    let operator = client.holding(&key);
    assert_eq!(modules(&operator).await, []);
    let session = player_token(&client, "ottoline").await;
    for (rpc, request) in OF_OPERATORS {
        let refused = client.call(rpc, request).await.expect_err("a platform");
        refused.check(Code::PermissionDenied, "OPERATOR_ONLY");
        let refused = client.holding(&session).call(rpc, request).await.expect_err("a player");
        refused.check(Code::PermissionDenied, "OPERATOR_ONLY");
        let refused = client.anonymous().call(rpc, request).await.expect_err("nobody");
        refused.check(Code::Unauthenticated, "CREDENTIALS_MISSING");
        let guess = client.holding(format!("{key}x"));
        let refused = guess.call(rpc, request).await.expect_err("a guess");
        refused.check(Code::Unauthenticated, "CREDENTIALS_INVALID");
    }
    // It is for nothing else.
    let refused = operator.ask(&ListMatchesRequest::default()).await.expect_err("no platform");
    refused.check(Code::Unauthenticated, "CREDENTIALS_INVALID");

    let url = installation.postgres().url();
    let listed = files::done(&["operator", "list", "--database-url", &url]).await;
    assert!(listed.starts_with(&id) && listed.ends_with("active\n"), "{listed}");
    let secret = key.splitn(3, '_').nth(2).expect("a secret");
    assert!(!listed.contains(secret), "{listed}");
    files::done(&["operator", "revoke", &id, "--database-url", &url]).await;
    for (rpc, request) in OF_OPERATORS {
        let refused = operator.call(rpc, request).await.expect_err("it was revoked");
        refused.check(Code::Unauthenticated, "CREDENTIALS_INVALID");
    }
    // The database asks for the key, too.
    let mut database = installation.database().await;
    let proof = blake3::hash(key.as_bytes()).as_bytes().to_vec();
    let added: bool = sqlx::query_scalar("select install_module($1, $1, 'x', 1, $1, null)")
        .bind(proof)
        .fetch_one(&mut database)
        .await
        .expect("an answer");
    assert!(!added);
    assert!(!installation.service.log().contains(secret));
}

#[tokio::test]
#[ignore = "needs what `.ci/modules` makes"]
async fn what_cannot_be_installed_is_refused_and_changes_nothing() {
    let installation = Installation::open().await;
    let key = operator_key(&installation).await;
    let operator = installation.client(Protocol::Grpc).holding(&key);
    let refused = async |file: &[u8], first: InstallGameRequest| {
        let outcome = install(&installation.service, &key, file, first).await;
        let refusal = outcome.expect_err("it is refused");
        assert_eq!(modules(&operator).await, [], "{refusal:?}");
        let said = refusal.message().to_owned();
        assert!(!said.is_empty() && !said.contains('\n'), "{said}");
        refusal
    };
    let none = InstallGameRequest::default;
    let file = fs::read(module("pebbles")).expect("it is in the tree");
    let programs = Path::new(env!("CARGO_BIN_EXE_croupier")).parent().expect("a folder");
    let native = programs.join("../modules/mountebank.wasm");
    let native = fs::read(native).expect("it is there");
    let faults = fs::read(module("faults")).expect("it is in the tree");
    let large = vec![0; 8 * 1024 * 1024 + 1];
    let refusals: [(&[u8], &str); 6] = [
        (b"no module", "NO_MODULE"),
        (b"\0asm\x01\0\0\0", "NO_MODULE"),
        (&file[..file.len() - 9], "NO_MODULE"),
        (&large, "TOO_LARGE"),
        (&LATER, "CONTRACT"),
        (&faults, "TABLE_DIFFERS"),
    ];
    for (file, fault) in refusals {
        let refusal = refused(file, none()).await;
        assert!(refusal.is("MODULE_REFUSED"), "{fault}: {refusal:?}");
        assert_eq!(refusal.facts()["fault"], fault, "{refusal:?}");
    }
    let refusal = refused(&native, none()).await;
    assert!(refusal.is("GAME_NAME_TAKEN"), "{refusal:?}");
    assert_eq!(refusal.code(), Code::AlreadyExists);
    for (first, field) in [
        (
            InstallGameRequest { platforms: vec!["platforms/nobody".to_owned()], ..none() },
            "platforms[0]",
        ),
        (InstallGameRequest { platforms: vec!["local".to_owned()], ..none() }, "platforms[0]"),
        (InstallGameRequest { matches: 1_000_000, ..none() }, "matches"),
        (
            InstallGameRequest { trial_duration: Some(contract::seconds(0)), ..none() },
            "trial_duration",
        ),
    ] {
        let refusal = refused(&file, first).await;
        assert!(refusal.is("INVALID_REQUEST"), "{field}: {refusal:?}");
        assert_eq!(refusal.facts()["field"], field);
    }
    let refusal = refused(&[], none()).await;
    assert_eq!(refusal.facts()["field"], "module");
    // What was refused can be corrected.
    install(&installation.service, &key, &file, none()).await.expect("it is admitted");
}

/// What was exported is proven, and played on, where nobody has the module.
#[tokio::test]
#[ignore = "needs what `.ci/modules` makes"]
async fn exports_carry_the_modules_of_their_matches() {
    let installation = Installation::open().await;
    let key = operator_key(&installation).await;
    let client = installation.client(Protocol::Grpc);
    let path = module("pebbles");
    let hash = hash_of(&path);
    add(&installation.service, &key, &path, &[]).await.expect("it is admitted");
    let ended = create(&client, &pebbles()).await;
    Playing::of(&client, &ended, 1).finish().await;
    let begun = create(&client, &pebbles()).await;
    let folder = installation.folder.path().join("modules-of-matches");
    let out = installation.folder.path().join("matches.jsonl");
    let (modules, file) = (folder.to_str().expect("a path"), out.to_str().expect("a path"));
    files::export(&installation, &out, &["--seeds", "--modules", modules]).await;
    let carried = folder.join(format!("{hash}.wasm"));
    assert_eq!(hash_of(&carried), hash);

    // The one that goes on is not proven yet.
    let verified = files::run(&["verify", file, "--module", modules, "--json"]).await;
    let said: Value = serde_json::from_slice(&verified.stdout).expect("JSON");
    assert_eq!((verified.status.code(), &said["proven"]), (Some(3), &json!(1)), "{said}");
    let rules = said["modules"].as_object().expect("by whose rules").keys();
    assert!(rules.map(String::as_str).any(|it| it.contains(&hash)), "{said}");

    let other = Installation::open().await;
    let url = other.postgres().url();
    let import = ["import", "--database-url", &url, file, "--module", modules];
    let without = files::failure(&import[..4]).await;
    assert!(without.contains(&hash), "{without}");
    files::done(&import).await;
    files::done(&import).await;
    let there = other.client(Protocol::Grpc);
    let refused = there.ask(&pebbles()).await.expect_err("no operator offered it");
    assert_eq!(refused.reason, "UNKNOWN_GAME");
    Playing::of(&there, &get(&there, &begun.name).await, 2).finish().await;
    assert_eq!(get(&there, &begun.name).await.module, hash);
    files::done(&["verify", "--all", "--database-url", &url]).await;

    // A module that is offered stays so, whatever is imported.
    files::done(&[&import[..4], &["--module", modules]].concat()).await;
    files::import(&installation, &out).await;
    files::done(&[
        "import",
        "--database-url",
        &installation.postgres().url(),
        file,
        "--module",
        modules,
    ])
    .await;
    create(&client, &pebbles()).await;

    // A module that is not the one that its name says proves nothing.
    let mut bytes = fs::read(&carried).expect("it is there");
    let last = bytes.last_mut().expect("a byte");
    *last ^= 1;
    fs::write(&carried, bytes).expect("it is written");
    for refused in [
        files::failure(&["verify", file, "--module", modules]).await,
        files::failure(&import).await,
    ] {
        assert!(refused.contains("was altered"), "{refused}");
    }
}

/// To a platform that is not named, the game is as one that does not exist.
#[tokio::test]
#[ignore = "needs what `.ci/modules` makes"]
async fn a_game_of_some_platforms_does_not_exist_for_others() {
    let installation = Installation::open().await;
    let second = installation.serve("b").await;
    let key = operator_key(&installation).await;
    let rival = installation.platform("rival").await;
    let client = installation.client(Protocol::Grpc);
    let path = module("pebbles");
    let hash = hash_of(&path);
    let only = ["--platform", "local"];
    let added = add(&installation.service, &key, &path, &only).await.expect("it is admitted");
    assert_eq!(added[0]["platforms"], json!(["local"]));

    // The platform that is named plays it, and both processes have loaded it.
    let it = create(&client, &pebbles()).await;
    Playing::of(&client, &it, 1).finish().await;
    for client in [&client, &second.client(Protocol::Grpc)] {
        until("the list", async || {
            let games = client.ask(&ListGamesRequest::default()).await.expect("games").games;
            games.into_iter().find(|it| it.name == GAME)
        })
        .await;
    }
    let games = async |client: &Client| {
        let games = client.ask(&ListGamesRequest::default()).await.expect("games").games;
        games.into_iter().map(|it| it.name).collect::<Vec<_>>()
    };
    assert!(games(&client).await.contains(&GAME.to_owned()));
    let request = GetGameRequest { name: GAME.to_owned(), module: hash.clone(), ..<_>::default() };
    client.ask(&request).await.expect("it is there");

    // Every call with its name, or its module, and the same with those of nothing.
    let (other, nothing) = ("pebbled", "0".repeat(64));
    let requests = |game: &str, module: &str| {
        let of = format!(r#""game":"games/{game}""#);
        [
            ("ListGames", format!(r#"{{"pageToken":"{game}"}}"#)),
            ("GetGame", format!(r#"{{"name":"games/{game}"}}"#)),
            ("GetGame", format!(r#"{{"name":"games/{game}","language":"de"}}"#)),
            ("GetGame", format!(r#"{{"name":"games/{game}","module":"{module}"}}"#)),
            ("GetRules", format!(r#"{{"name":"games/{game}/rules"}}"#)),
            ("GetRules", format!(r#"{{"name":"games/{game}/rules","module":"{module}"}}"#)),
            ("CreateMatch", format!(r#"{{{of},"seats":2}}"#)),
            ("BatchCreateMatches", format!(r#"{{"requests":[{{{of},"seats":2}}]}}"#)),
            ("CreateSeek", format!(r#"{{{of},"player":"ann","seats":[2]}}"#)),
            ("ListMatches", format!("{{{of}}}")),
            ("ListOpenMatches", format!("{{{of}}}")),
            ("ListSeeks", format!("{{{of}}}")),
            ("ListStandings", format!(r#"{{"parent":"games/{game}"}}"#)),
            ("ListRatingChanges", format!(r#"{{"parent":"players/ann",{of}}}"#)),
            ("SearchEntries", format!(r#"{{"parent":"games/{game}"}}"#)),
        ]
    };
    for service in [&installation.service, &second] {
        for protocol in PROTOCOLS {
            let rival = service.client(protocol).holding(&rival);
            let nobody = service.client(protocol).anonymous();
            for client in [&rival, &nobody] {
                assert!(!games(client).await.contains(&GAME.to_owned()));
                let real = requests("pebbles", &hash);
                let unreal = requests(other, &nothing);
                for ((rpc, real), (_, unreal)) in real.into_iter().zip(unreal) {
                    let told = async |request: &str| {
                        let answer = client.call(rpc, request).await;
                        answer.err().map(|it| {
                            let said = format!("{it:?}").replace("pebbles", other);
                            let said = said.replace(&hash, &nothing);
                            (it.code, it.reason, said.len())
                        })
                    };
                    let (real, unreal) = (told(&real).await, told(&unreal).await);
                    assert_eq!(real, unreal, "{protocol:?} {rpc}");
                    assert!(rpc == "ListSeeks" || real.is_some(), "{rpc}");
                }
            }
        }
    }
    // Neither can it be named as a platform would name it, nor does a cache tell others of it.
    let rest = client.speaking(Protocol::Rest);
    let answer = rest.receive(&ListGamesRequest::default()).await.expect("games");
    assert_eq!(answer.headers["cache-control"], "private, max-age=300");
    let vary = answer
        .headers
        .get_all("vary")
        .iter()
        .any(|it| it.to_str().expect("ASCII").contains("authorization"));
    assert!(vary);

    // Later it is for all.
    add(&second, &key, &path, &[]).await.expect("it is admitted");
    let theirs = installation.client(Protocol::Grpc).holding(&rival);
    let it = create(&theirs, &pebbles()).await;
    assert_eq!(it.module, hash);
    Playing::of(&theirs, &it, 1).finish().await;
    assert!(games(&second.client(Protocol::Rest).anonymous()).await.contains(&GAME.to_owned()));
}
