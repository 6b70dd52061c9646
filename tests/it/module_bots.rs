//! Bots that play modules: at the levels that a module names, by its own choices, and by the house
//! where it fails. `make modules` runs these tests, since they need what `.ci/modules` makes.

use std::fs;
use std::path::Path;
use std::time::Duration;

use contract::v1::*;
use tokio::time::sleep;
use tonic::Code;

use crate::harness::*;
use crate::metering::{figure, scrape};
use crate::modules::{add_faults, module};

/// Mountebank under a name that no game has which is compiled in.
const CHARLATAN: &str = "games/charlatan";
const PEBBLES: &str = "games/pebbles";

const DECISIONS: &str = "croupier_bots_decisions_total";

/// A service whose bots think that long, in milliseconds, and a client of its metrics.
async fn thinking(time: &'static str) -> (Installation, Client) {
    let mut installation = Installation::open().await;
    installation.service.restart_with(&["--bot-think-ms", time]).await;
    let metrics = installation.service.metrics().await;
    (installation, metrics)
}

/// Adds a module without its trial.
async fn add(installation: &Installation, game: &str, rules: i32, file: &Path) {
    let file = fs::read(file).expect("it is there");
    let adding =
        sqlx::query("insert into modules (hash, game, rules, file) values ($1, $2, $3, $4)")
            .bind(blake3::hash(&file).as_bytes().to_vec())
            .bind(game.trim_start_matches("games/"))
            .bind(rules)
            .bind(file);
    adding.execute(&mut installation.database().await).await.expect("a row");
}

async fn add_charlatan(installation: &Installation) {
    let programs = Path::new(env!("CARGO_BIN_EXE_croupier")).parent().expect("a folder");
    let file = programs.join("../modules/charlatan.wasm");
    let rules = games::find("mountebank").expect("a game").rules_version() - 1;
    add(installation, CHARLATAN, rules as i32, &file).await;
}

async fn add_pebbles(installation: &Installation) {
    add(installation, PEBBLES, 1, &module("pebbles")).await;
}

/// A match of a game with bots on these seats, and a player where there is none.
fn with_bots(game: &str, bots: &[&str]) -> CreateMatchRequest {
    let player_of = |(seat, bot): (u32, &&str)| match *bot {
        "" => player(seat),
        _ => String::new(),
    };
    CreateMatchRequest {
        game: game.to_owned(),
        players: (0..).zip(bots).map(player_of).collect(),
        bots: bots.iter().map(|&bot| bot.to_owned()).collect(),
        ..new_match(bots.len() as u32)
    }
}

/// On a busy machine a call may end before the module is compiled.
async fn levels(client: &Client, game: &str) -> Vec<String> {
    let request = GetGameRequest { name: game.to_owned(), ..<_>::default() };
    let answer = until("the game", async || client.ask(&request).await.ok()).await;
    answer.game.expect("a game").levels
}

/// Waits for each entry, however many there are.
async fn ended(client: &Client, name: &str) -> Match {
    let mut it = get(client, name).await;
    while it.state() != MatchState::Ended {
        let position = it.position;
        it = until("an entry", async || {
            Some(get(client, name).await).filter(|it| it.position > position)
        })
        .await;
    }
    it
}

/// How many decisions of bots of a level had an outcome.
async fn decisions(metrics: &Client, level: &str, outcome: &str) -> f64 {
    let page = scrape(metrics).await;
    figure(&page, DECISIONS, &[("level", level), ("outcome", outcome)]).unwrap_or_default()
}

#[tokio::test]
#[ignore = "needs what `.ci/modules` makes"]
async fn bots_of_every_level_of_a_module_play_to_the_end() {
    let (installation, metrics) = thinking("20").await;
    let client = installation.client(Protocol::Grpc);
    add_charlatan(&installation).await;
    let own = ["random", "heuristic", "search"];
    assert_eq!(levels(&client, CHARLATAN).await, own);
    assert_eq!(levels(&client, "games/mountebank").await, own);
    let it = create(&client, &with_bots(CHARLATAN, &own)).await;
    assert_eq!(it.seats.iter().map(|seat| &*seat.bot).collect::<Vec<_>>(), own);
    let it = ended(&client, &it.name).await;
    assert!(!it.winners.is_empty() && !it.module.is_empty());
    check_dense(&entries(&client, &it.name, "house").await, it.position);
    for level in own {
        assert!(decisions(&metrics, level, "acted").await > 0.0, "{level}");
        assert_eq!(decisions(&metrics, level, "failed").await, 0.0, "{level}");
    }
}

#[tokio::test]
#[ignore = "needs what `.ci/modules` makes"]
async fn what_a_module_suggests_is_legal() {
    let (installation, _) = thinking("20").await;
    let client = installation.client(Protocol::Grpc);
    add_charlatan(&installation).await;
    levels(&client, CHARLATAN).await;
    let name = create(&client, &with_bots(CHARLATAN, &["", "heuristic"])).await.name;
    let mut acted = 0;
    while acted < 8 {
        let asked = async || Some(get(&client, &name).await).filter(|it| it.waiting_for == [0]);
        until("the person's turn", asked).await;
        let language = "en".to_owned();
        let seat = Some(0);
        let request = SuggestActionsRequest { name: name.clone(), seat, position: None, language };
        let answer = match client.ask(&request).await {
            Ok(answer) => answer,
            // Hints of modules are behind all else on a busy machine.
            Err(failure) => {
                failure.check(Code::ResourceExhausted, "OVERLOADED");
                sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        assert!((1..=3).contains(&answer.suggestions.len()), "{answer:?}");
        let known = answer.suggestions.iter().filter_map(|it| it.estimate);
        known.for_each(|it| assert!((0.0..=1.0).contains(&it), "{it}"));
        let best = answer.suggestions.into_iter().find_map(|it| it.action).expect("an action");
        assert!(!best.label.is_empty(), "{best:?}");
        let action = SubmitActionRequest {
            name: name.clone(),
            seat,
            action: best.action,
            expected_position: Some(answer.position),
            ..<_>::default()
        };
        match client.ask(&action).await {
            Ok(_) => acted += 1,
            // Who is waited for may be told late, so that a bot is the next to act.
            Err(failure) => failure.check(Code::Aborted, "POSITION_MOVED"),
        }
    }
}

/// `pebbles` names `random` and `perfect`.
#[tokio::test]
#[ignore = "needs what `.ci/modules` makes"]
async fn a_level_that_a_module_lacks_is_refused_or_played_by_a_weaker_one() {
    let (installation, metrics) = thinking("20").await;
    let client = installation.client(Protocol::Grpc);
    add_pebbles(&installation).await;
    assert_eq!(levels(&client, PEBBLES).await, ["random", "perfect"]);
    for bots in [["perfect", "random"], ["search", "perfect"]] {
        let it = create(&client, &with_bots(PEBBLES, &bots)).await;
        assert_eq!(ended(&client, &it.name).await.winners.len(), 1);
    }
    for level in ["perfect", "random", "search"] {
        assert!(decisions(&metrics, level, "acted").await > 0.0, "{level}");
        assert_eq!(decisions(&metrics, level, "failed").await, 0.0, "{level}");
    }

    let request = with_bots(PEBBLES, &["", "genius"]);
    let refused = client.ask(&request).await.expect_err("there is no such level");
    refused.check(Code::InvalidArgument, "UNKNOWN_BOT");
    assert!(refused.message.ends_with("the bots are: random, perfect"), "{refused:?}");
    let request = with_bots("games/mountebank", &["", "perfect"]);
    let refused = client.ask(&request).await.expect_err("another game has it");
    refused.check(Code::InvalidArgument, "UNKNOWN_BOT");
}

/// The bots of `faults` loop, trap, answer nonsense, or choose what is not legal.
#[tokio::test]
#[ignore = "needs what `.ci/modules` makes"]
async fn a_module_that_fails_while_choosing_costs_that_choice_only() {
    let (installation, metrics) = thinking("20").await;
    let client = installation.client(Protocol::Grpc);
    add_faults(&installation).await;
    let bad = ["loops", "traps", "garbage", "illegal"];
    for level in bad {
        let it = create(&client, &with_bots(PEBBLES, &[level, "random"])).await;
        let it = ended(&client, &it.name).await;
        assert_eq!(it.winners.len(), 1, "{level}");
        assert!(decisions(&metrics, level, "failed").await > 0.0, "{level}");
        assert_eq!(decisions(&metrics, level, "acted").await, 0.0, "{level}");
        assert_eq!(decisions(&metrics, "random", "failed").await, 0.0, "{level}");
    }
    Playing::new(&client, 2, 1).await.finish().await;
}
