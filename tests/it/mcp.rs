//! Agents that play by the Model Context Protocol, over HTTP and over standard input and output.

use std::collections::HashMap;
use std::process::Stdio;

use contract::v1::*;
use rmcp::model::{CallToolRequestParams, ReadResourceRequestParams, ResourceContents, object};
use rmcp::service::{RoleClient, RunningService, ServiceError, ServiceExt};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rustix::process::Signal;
use serde_json::{Value, json};
use table::{ChaCha, Chance};
use tokio::process::{Child, Command};

use crate::harness::*;
use crate::metering::{figure, scrape};

/// The most bytes of an answer.
const ANSWER_BYTES_MAX: usize = 6_000;

const GAMES: [&str; 5] = ["among-thieves", "grifters", "mountebank", "rigs", "you-dirty-rat"];

/// The official client of the protocol.
pub struct Agent {
    client: RunningService<RoleClient, ()>,
    /// What it calls over standard input and output; killed with it.
    _child: Option<Child>,
}

impl Agent {
    pub async fn over_http(
        service: &Service,
        token: &str,
        headers: &[(&'static str, &str)],
    ) -> Agent {
        let uri = format!("http://127.0.0.1:{}/mcp", service.port());
        let header = |(name, value): &(&'static str, &str)| {
            (http::HeaderName::from_static(name), value.parse().expect("a value"))
        };
        let headers: HashMap<_, _> = headers.iter().map(header).collect();
        let mut config = StreamableHttpClientTransportConfig::with_uri(uri).custom_headers(headers);
        config.auth_header = (!token.is_empty()).then(|| token.to_owned());
        let client = ().serve(StreamableHttpClientTransport::from_config(config)).await;
        Agent { client: client.expect("it answers"), _child: None }
    }

    async fn over_stdio(service: &Service, token: &str) -> Agent {
        let mut child = Command::new(PROGRAM)
            .args(["mcp", "--address", &format!("http://127.0.0.1:{}", service.port())])
            .env("CROUPIER_KEY", token)
            .env("CROUPIER_LANGUAGE", "en")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("it starts");
        let pipes = (child.stdout.take().expect("a pipe"), child.stdin.take().expect("a pipe"));
        Agent { client: ().serve(pipes).await.expect("it answers"), _child: Some(child) }
    }

    /// The text that a tool answers with, or that of its error.
    pub async fn call(&self, tool: &'static str, arguments: Value) -> Result<String, String> {
        let request = CallToolRequestParams::new(tool).with_arguments(object(arguments));
        let result = self.client.call_tool(request).await.expect("the tool answers");
        let text = result.content[0].as_text().expect("a text").text.clone();
        assert!(text.len() <= ANSWER_BYTES_MAX, "{tool}: {} bytes", text.len());
        if result.is_error == Some(true) { Err(text) } else { Ok(text) }
    }

    async fn read(&self, uri: &str) -> Result<String, ServiceError> {
        let read = self.client.read_resource(ReadResourceRequestParams::new(uri)).await?;
        match &read.contents[0] {
            ResourceContents::TextResourceContents { text, .. } => Ok(text.clone()),
            other => panic!("{other:?}"),
        }
    }

    /// Plays a whole match of any game: waits, and chooses any number of the list. Returns the
    /// name of the match, and how often it acted.
    async fn play(&self, game: &str, chance: &mut ChaCha) -> (String, usize) {
        let start = json!({"game": game, "bots": "random"});
        let mut shown = self.call("start", start).await.expect("it starts");
        let mut acted = 0;
        loop {
            let name = field(&shown, "match").expect("a match").to_owned();
            let (list, actions) = (field(&shown, "list"), field(&shown, "actions"));
            let next = match (field(&shown, "state"), list, actions) {
                (Some("ended"), _, _) => return (name, acted),
                (Some("your turn"), Some(list), Some(actions)) => {
                    let actions: usize = actions.parse().expect("a number");
                    let number = 1 + chance.below(actions);
                    acted += 1;
                    let act = json!({"match": name, "list": list, "number": number});
                    self.call("act", act).await
                }
                _ => self.call("wait", json!({"match": name})).await,
            };
            shown = match next {
                Ok(next) => next,
                // Another seat acted in between. The error shows the list that there is now.
                Err(error) if error.starts_with("error: LIST_CHANGED") => error,
                Err(error) => panic!("{game}: {error}\n{shown}"),
            };
        }
    }

    /// Plays these games at once, and checks the records.
    async fn play_whole(&self, games: &[&str], seed: u64) {
        let played = games.iter().zip(0..).map(|(game, n)| async move {
            self.play(game, &mut ChaCha::of([7; 32], seed + n)).await
        });
        for (name, acted) in futures::future::join_all(played).await {
            assert!(acted > 0);
            let review = self.call("review", json!({"match": name})).await.expect("it has ended");
            for part in ["# Result", " points", "# Verification", "seed commitment"] {
                assert!(review.contains(part), "{review}");
            }
            let record = self.read(&format!("croupier://{name}/record")).await.expect("a record");
            let mut reader = records::Reader::new(record.as_bytes()).expect("a record");
            records::read_match(&mut reader).expect("it is right").expect("a match");
        }
    }
}

/// The value of a line of the head.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let head = text.lines().take_while(|line| !line.starts_with('#'));
    head.into_iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

/// A service whose bots act at once.
async fn installation() -> Installation {
    let mut installation = Installation::open().await;
    installation.service.restart_with(&["--bot-think-ms", "1"]).await;
    installation
}

#[tokio::test]
async fn an_agent_that_knows_no_game_plays_every_game_over_http() {
    let installation = installation().await;
    let agent = Agent::over_http(&installation.service, &installation.service.key(), &[]).await;
    agent.play_whole(&GAMES, 10).await;
}

#[tokio::test]
async fn an_agent_that_knows_no_game_plays_over_stdio() {
    let installation = installation().await;
    let agent = Agent::over_stdio(&installation.service, &installation.service.key()).await;
    agent.play_whole(&["mountebank", "grifters"], 20).await;
}

#[tokio::test]
async fn tools_and_rules_are_described_to_callers_without_credentials() {
    let installation = Installation::open().await;
    let agent = Agent::over_http(&installation.service, "", &[]).await;
    let tools = agent.client.list_all_tools().await.expect("they are listed");
    assert!(tools.len() <= 7, "{}", tools.len());
    let listed = agent.call("games", json!({})).await.expect("it needs no credentials");
    for game in GAMES {
        assert!(listed.contains(&format!("{game}: ")), "{listed}");
        let contents = agent.call("games", json!({"game": game})).await.expect("it is there");
        let sections = contents
            .lines()
            .filter(|line| line.split_once(". ").is_some_and(|it| it.0.parse::<u8>().is_ok()));
        assert!(sections.count() > 2, "{contents}");
        let mut from = "1".to_owned();
        loop {
            let arguments = json!({"game": game, "section": from});
            let section = agent.call("games", arguments).await.expect("it is there");
            match section.split_once("[cut: go on with section \"") {
                Some((_, rest)) => from = rest.split('"').next().expect("a number").to_owned(),
                None => break,
            }
        }
        let page = agent.read(&format!("croupier://games/{game}/rules")).await.expect("a page");
        assert!(page.starts_with("# "), "{page}");
    }
    let resources = agent.client.list_all_resources().await.expect("they are listed");
    assert_eq!(resources.len(), GAMES.len());
    let refused = agent.call("start", json!({"game": "mountebank"})).await.expect_err("no key");
    assert!(refused.starts_with("error: CREDENTIALS"), "{refused}");
}

#[tokio::test]
async fn what_does_not_fit_is_refused_with_a_reason_and_nothing_is_done() {
    let installation = installation().await;
    let agent = Agent::over_http(&installation.service, &installation.service.key(), &[]).await;
    let refused = async |tool, arguments, reason: &str| {
        let text = agent.call(tool, arguments).await.expect_err("it is refused");
        assert!(text.starts_with(&format!("error: {reason}\n")), "{reason}: {text}");
        text
    };
    refused("wait", json!({}), "NO_MATCH").await;
    refused("act", json!({"match": "x", "list": 7}), "INVALID_ARGUMENTS").await;
    refused("look", json!({"match": "x", "seat": 1}), "INVALID_ARGUMENTS").await;
    refused("games", json!({"game": "chess"}), "UNKNOWN_GAME").await;
    refused("games", json!({"game": "rigs", "section": "99"}), "SECTION_NOT_FOUND").await;
    refused("start", json!({"game": "rigs", "match": "x"}), "INVALID_ARGUMENTS").await;
    refused("start", json!({"game": "mountebank", "bots": "clever"}), "UNKNOWN_BOT").await;
    refused("shuffle", json!({}), "UNKNOWN_TOOL").await;
    let nowhere = "matches/43e5f97f-b5a3-494a-b11b-af7cbe08b040";
    refused("look", json!({"match": nowhere}), "MATCH_NOT_FOUND").await;

    let options = json!({"first-seat": "0"});
    let start = json!({"game": "mountebank", "bots": "random", "options": options});
    let shown = agent.call("start", start).await.expect("it starts");
    let (name, list) = (field(&shown, "match").expect("a match"), field(&shown, "list"));
    let list = list.expect("the first seat is the agent's");
    let client = installation.client(Protocol::Grpc);
    let before = get(&client, name).await.position;
    let act = |list: &str, number| json!({"match": name, "list": list, "number": number});
    let told = refused("act", act("00000000", 1), "LIST_CHANGED").await;
    assert!(told.contains(&format!("list: {list}\n")), "{told}");
    refused("act", act(list, 0), "NO_SUCH_ACTION").await;
    refused("act", act(list, 1_000), "NO_SUCH_ACTION").await;
    refused("review", json!({"match": name}), "MATCH_NOT_ENDED").await;
    refused("say", json!({"match": name, "text": "Hello"}), "TALK_OFF").await;
    assert_eq!(get(&client, name).await.position, before);
    let shown = agent.call("act", act(list, 1)).await.expect("it is legal");
    assert!(shown.contains("# What happened\n"), "{shown}");
    // An answer that was lost is not acted upon twice.
    refused("act", act(list, 1), "LIST_CHANGED").await;
    let stale = agent.read(&format!("croupier://{name}/record")).await.expect_err("not ended");
    assert!(stale.to_string().contains("has not ended"), "{stale}");
    agent.read("croupier://house/keys").await.expect_err("there is nothing");
    let log = installation.service.log();
    assert!(!log.contains("shuffle") && !log.contains("house/keys"), "{log}");
}

#[tokio::test]
async fn an_agent_sees_what_its_seat_sees_and_no_more() {
    let installation = Installation::open().await;
    let (service, client) = (&installation.service, installation.client(Protocol::Grpc));
    let it = create(&client, &new_match(2)).await;
    let mut playing = Playing::of(&client, &it, 12);
    playing.steps(9).await;
    let look = json!({"match": it.name, "since": 0});
    let mut looks = Vec::new();
    for seat in 0..2 {
        let holder = player(seat);
        let tokens =
            [token(&client, &it.name, Some(seat)).await, player_token(&client, &holder).await];
        let mut agents = vec![
            Agent::over_http(service, &service.key(), &[("croupier-player", holder.as_str())])
                .await,
        ];
        for token in &tokens {
            agents.push(Agent::over_http(service, token, &[]).await);
            agents.push(Agent::over_stdio(service, token).await);
        }
        let mut seen = Vec::new();
        for agent in &agents {
            seen.push(agent.call("look", look.clone()).await.expect("it is its match"));
        }
        assert!(seen.iter().all(|it| *it == seen[0]), "{seen:#?}");
        let request = GetViewRequest {
            name: it.name.clone(),
            viewer: format!("seats/{seat}"),
            language: "en".to_owned(),
            ..GetViewRequest::default()
        };
        let own = client.ask(&request).await.expect("it is there").table.expect("a table");
        assert!(seen[0].contains(own.text.trim_end()), "{}\n{}", seen[0], own.text);
        looks.push(seen.swap_remove(0));
    }
    assert_ne!(looks[0], looks[1]);
    let lists = looks.iter().filter(|it| field(it, "list").is_some());
    assert_eq!(lists.count(), 1, "only one seat is asked");

    let stranger =
        Agent::over_http(service, &service.key(), &[("croupier-player", "nobody")]).await;
    let seen = stranger.call("look", look.clone()).await.expect("the platform's match");
    assert_eq!(field(&seen, "seat"), Some("none, a spectator"));
    assert_eq!(field(&seen, "list"), None);
    let elsewhere = player_token(&client, "nobody").await;
    let elsewhere = Agent::over_http(service, &elsewhere, &[]).await;
    let refused = elsewhere.call("look", look).await.expect_err("it is not its match");
    assert!(refused.starts_with("error: MATCH_NOT_FOUND\n"), "{refused}");
}

#[tokio::test]
async fn an_agent_goes_on_after_the_service_was_killed() {
    let mut installation = installation().await;
    let key = installation.service.key();
    let agent = Agent::over_http(&installation.service, &key, &[]).await;
    let start = json!({"game": "mountebank", "options": {"first-seat": "0"}});
    let shown = agent.call("start", start).await.expect("it starts");
    let (name, list) = (field(&shown, "match"), field(&shown, "list").expect("its turn"));
    installation.service.kill().await;
    installation.service.start_again().await;
    // The agent has forgotten everything but the list, and asks another process.
    let again = Agent::over_stdio(&installation.service, &key).await;
    let found = again.call("wait", json!({})).await.expect("it finds its match");
    assert_eq!((field(&found, "match"), field(&found, "list")), (name, Some(list)));
    let act = json!({"match": name, "list": list, "number": 1});
    let shown = again.call("act", act).await.expect("the list is the same");
    assert_eq!(field(&shown, "match"), name);
}

#[tokio::test]
async fn a_wait_ends_when_another_player_has_acted() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let options = [("first-seat".to_owned(), "0".to_owned())].into();
    let it = create(&client, &CreateMatchRequest { options, ..new_match(2) }).await;
    let waiting = player_token(&client, &player(1)).await;
    let agent = Agent::over_http(&installation.service, &waiting, &[]).await;
    let shown = agent.call("wait", json!({"match": it.name, "seconds": 0})).await;
    assert_eq!(field(&shown.expect("it is its match"), "state"), Some("waiting"));
    let mut playing = Playing::of(&client, &it, 4);
    let wait = agent.call("wait", json!({"match": it.name, "seconds": 50}));
    let play = async { while playing.asked != Some(1) && playing.step().await {} };
    let (shown, ()) = tokio::join!(wait, play);
    assert_eq!(field(&shown.expect("it is its match"), "state"), Some("your turn"));
}

/// Returns once so many streams of entries are open.
async fn watched(metrics: &Client, count: f64) {
    until("the streams", async || {
        let page = scrape(metrics).await;
        let method = [("method", "EntryService.WatchEntries")];
        let open = figure(&page, "croupier_streams_open", &method).unwrap_or_default();
        (open == count).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_wait_ends_with_its_agent_and_with_the_service() {
    let mut installation = Installation::open().await;
    let metrics = installation.service.metrics().await;
    let client = installation.client(Protocol::Grpc);
    let options = [("first-seat".to_owned(), "0".to_owned())].into();
    let it = create(&client, &CreateMatchRequest { options, ..new_match(2) }).await;
    let waiting = player_token(&client, &player(1)).await;
    let wait = json!({"match": it.name, "seconds": 50});

    let agent = Agent::over_http(&installation.service, &waiting, &[]).await;
    tokio::select! {
        _ = agent.call("wait", wait.clone()) => panic!("nobody acted"),
        () = watched(&metrics, 1.0) => {}
    }
    drop(agent);
    watched(&metrics, 0.0).await;

    let agent = Agent::over_http(&installation.service, &waiting, &[]).await;
    let stop = async {
        watched(&metrics, 1.0).await;
        installation.service.signal(Signal::TERM);
        installation.service.ended().await
    };
    let (shown, ended) = tokio::join!(agent.call("wait", wait), stop);
    assert_eq!(field(&shown.expect("it is its match"), "state"), Some("waiting"));
    assert!(ended.success());
    let log = installation.service.log();
    assert!(!log.contains("did not disconnect in time"), "{log}");
}

#[tokio::test]
async fn the_protocol_can_be_switched_off() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Rest);
    assert_eq!(client.head("/mcp").await.expect("it answers"), 405);
    installation.service.restart_with(&["--without-mcp"]).await;
    assert_eq!(client.head("/mcp").await.expect("it answers"), 404);
    assert_eq!(client.head("/llms.txt").await.expect("it answers"), 200);
}
