//! The command line as people use it: finding a game, creating a match, joining and playing it.

use std::io::Write;
use std::process::Stdio;
use std::sync::{Arc, Mutex};

use contract::v1::game_service_server::{GameService, GameServiceServer};
use contract::v1::*;
use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{Request, Response, Status};

use crate::harness::*;

/// The program as a client of this installation's service, without a terminal.
fn croupier(installation: &Installation) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
    let address = format!("http://127.0.0.1:{}", installation.service.port());
    command.env("CROUPIER_ADDRESS", address).env("CROUPIER_KEY", installation.service.key());
    for language in ["CROUPIER_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG", "RUST_LOG"] {
        command.env_remove(language);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    command
}

/// The exit status, the output and the error output of a run.
type Run = (Option<i32>, String, String);

/// Runs it to its end.
async fn run(installation: &Installation, arguments: &[&str]) -> Run {
    ended(croupier(installation).args(arguments)).await
}

async fn ended(command: &mut Command) -> Run {
    let output = timeout(PATIENCE, command.output()).await.expect("it ends in time");
    let output = output.expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// The output of a run that succeeds.
async fn done(installation: &Installation, arguments: &[&str]) -> String {
    let (status, output, said) = run(installation, arguments).await;
    assert_eq!(status, Some(0), "croupier {arguments:?} said: {said}");
    output
}

/// The output of a run that succeeds, as JSON.
async fn json(installation: &Installation, arguments: &[&str]) -> serde_json::Value {
    let output = done(installation, &[arguments, &["--json"]].concat()).await;
    assert_eq!(output.lines().count(), 1, "{arguments:?}");
    serde_json::from_str(&output).expect("JSON")
}

/// The error output of a run that fails with this exit status.
async fn failure(installation: &Installation, arguments: &[&str], status: i32) -> String {
    let (ended, _, said) = run(installation, arguments).await;
    assert_eq!(ended, Some(status), "croupier {arguments:?} said: {said}");
    said
}

const GAMES: &str = "the games are: among-thieves, grifters, mountebank, rigs, you-dirty-rat";

/// A match of Mountebank, by the command line; seat 0 begins.
async fn created(installation: &Installation, more: &[&str]) -> String {
    let create = ["create", "mountebank", "--options", "first-seat=0"];
    let it = json(installation, &[&create, more].concat()).await;
    it["match"]["name"].as_str().expect("a name").to_owned()
}

/// A person's seat at a match, played line by line.
struct Seated {
    child: Child,
    stdin: ChildStdin,
    stdout: ChildStdout,
    /// Bytes: what was read can end within a character.
    output: Vec<u8>,
}

impl Seated {
    fn at(installation: &Installation, name: &str, seat: &str) -> Seated {
        let mut command = croupier(installation);
        Seated::by(command.args(["act", name, "--seat", seat]))
    }

    fn by(command: &mut Command) -> Seated {
        let mut child = command.stdin(Stdio::piped()).spawn().expect("the program runs");
        let stdin = child.stdin.take().expect("it is piped");
        let stdout = child.stdout.take().expect("it is piped");
        Seated { child, stdin, stdout, output: Vec::new() }
    }

    /// Reads until this has been printed after what was read before.
    async fn sees(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let found = loop {
            let at = self.output.windows(bytes.len()).position(|it| it == bytes);
            if let Some(at) = at {
                break at + bytes.len();
            }
            let more = timeout(PATIENCE, self.stdout.read_buf(&mut self.output)).await;
            let output = String::from_utf8_lossy(&self.output);
            let more = more.unwrap_or_else(|_| panic!("no {text:?} in {output}"));
            let more = more.expect("its output can be read");
            assert!(more > 0, "it ended without {text:?}: {output}");
        };
        self.output.drain(..found);
    }

    async fn types(&mut self, text: &str) {
        self.stdin.write_all(text.as_bytes()).await.expect("it reads its input");
    }

    /// Its exit status and the rest of its output, once it has ended.
    async fn ends(mut self) -> (Option<i32>, String) {
        let reads = self.stdout.read_to_end(&mut self.output);
        timeout(PATIENCE, reads).await.expect("it ends in time").expect("its output");
        let status = timeout(PATIENCE, self.child.wait()).await.expect("in time").expect("a child");
        (status.code(), String::from_utf8(self.output).expect("text"))
    }
}

#[tokio::test]
async fn a_match_is_paused_resumed_and_ended_by_hand() {
    let installation = Installation::open().await;
    let name = created(&installation, &["--players", "ann,bob"]).await;
    let paused = done(&installation, &["pause", &name]).await;
    assert!(paused.contains("   2  ") && paused.to_lowercase().contains("pause"), "{paused}");
    let said = failure(&installation, &["pause", &name], 1).await;
    assert!(said.contains("paused"), "{said}");
    let resumed = json(&installation, &["resume", &name]).await;
    assert_eq!(
        (&resumed["entry"]["verb"], &resumed["entry"]["position"]),
        (&"resume".into(), &3.into())
    );

    let voted = json(&installation, &["vote", &name, "end", "--seat", "0"]).await;
    assert_eq!(voted["entry"]["verb"], "vote");
    done(&installation, &["vote", &name, "end", "--seat", "0", "--withdraw"]).await;
    let said = failure(&installation, &["vote", &name, "end", "--seat", "7"], 2).await;
    assert!(said.contains("there is no seat 7"), "{said}");
    let ended = json(&installation, &["end", &name]).await;
    assert_eq!(ended["entry"]["position"], 6);
    let said = failure(&installation, &["undo", &name, "--seat", "0"], 1).await;
    assert!(said.contains("ended"), "{said}");
}

#[tokio::test]
async fn an_action_is_taken_back_by_hand() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let game = "games/among-thieves".to_owned();
    let it = create(&client, &CreateMatchRequest { game, ..new_match(3) }).await;
    let mut playing = Playing::of(&client, &it, 1);
    let said = failure(&installation, &["undo", &it.name, "--seat", "0"], 1).await;
    assert!(said.contains("last"), "{said}");
    for _ in 0..40 {
        assert!(playing.step().await, "it goes on");
        let last = playing.entries.last().expect("an entry");
        let seat = last.seat.expect("a seat acted").to_string();
        let (status, output, said) =
            run(&installation, &["undo", &it.name, "--seat", &seat, "--json"]).await;
        if status == Some(1) {
            assert!(said.starts_with("croupier: "), "{said}");
            continue;
        }
        let entry: serde_json::Value = serde_json::from_str(&output).expect("JSON");
        assert_eq!(entry["entry"]["verb"], "undo");
        assert_eq!(entry["entry"]["position"], last.position + 1);
        return;
    }
    panic!("nothing could be taken back");
}

#[tokio::test]
async fn players_come_and_go_by_hand() {
    let installation = Installation::open().await;
    let open = created(&installation, &["--seats", "3", "--players", "ann,bob", "--lobby"]).await;
    let lobby = done(&installation, &["lobby", "--game", "mountebank"]).await;
    assert!(lobby.contains(&open) && lobby.contains("ann, bob, -"), "{lobby}");
    assert_eq!(json(&installation, &["lobby", "--seats", "3"]).await["match"]["name"], open[..]);
    let named = ["update", &open, "--display-name", "Friday night", "--tag", "event=cup"];
    let named = json(&installation, &named).await;
    assert_eq!(named["match"]["displayName"], "Friday night");
    assert_eq!(named["match"]["tags"]["event"], "cup");
    let lobby = done(&installation, &["lobby"]).await;
    assert!(lobby.contains("CALLED") && lobby.contains("Friday night"), "{lobby}");
    done(&installation, &["update", &open, "--lobby", "false", "--no-tags"]).await;
    let (_, output, said) = run(&installation, &["lobby"]).await;
    assert!(output.is_empty() && said.contains("no match waits"), "{said}");
    failure(&installation, &["update", &open], 2).await;
    let left = done(&installation, &["leave", &open, "bob"]).await;
    assert!(left.contains("--seat 1  open"), "{left}");
    let said = failure(&installation, &["leave", &open, "bob"], 1).await;
    assert!(said.contains("no seat") || said.contains("not seated"), "{said}");
    done(&installation, &["delete", &open]).await;
    let (_, output, said) = run(&installation, &["lobby"]).await;
    assert!(output.is_empty() && said.contains("no match waits"), "{said}");

    let name = created(&installation, &["--players", "ann,bob"]).await;
    let said = failure(&installation, &["replace", &name, "0", "cid"], 1).await;
    assert!(said.contains("resigned"), "{said}");
    let replaced = json(&installation, &["replace", &name, "0", "cid", "--absent"]).await;
    assert_eq!(replaced["match"]["seats"][0]["player"], "cid");
    let replaced =
        done(&installation, &["replace", &name, "1", "dan", "--absent", "--name", "Dan"]).await;
    assert!(replaced.contains("Dan"), "{replaced}");

    // With the token of a player, the player's seat need not be named.
    let token = json(&installation, &["token", "player", "cid"]).await;
    let token = token["token"].as_str().expect("a token").to_owned();
    let mut voting = croupier(&installation);
    voting.env("CROUPIER_KEY", &token).args(["vote", &name, "pause"]);
    let (status, voted, said) = ended(&mut voting).await;
    assert_eq!(status, Some(0), "{said}");
    assert!(voted.contains("   4  "), "{voted}");
    let seat = done(&installation, &["token", "match", &name, "--seat", "1"]).await;
    let seat = installation.client(Protocol::Grpc).holding(seat.trim());
    view(&seat, &name, "seats/1", None).await;

    let mut watching = croupier(&installation);
    let mut watching = Seated::by(watching.args(["watch", "--player", "cid"]));
    watching.sees("   1  ").await;
    watching.sees("   4  ").await;
    let another = created(&installation, &["--players", "cid,eve"]).await;
    watching.sees(&another["matches/".len()..][..8]).await;
    let said = failure(&installation, &["watch"], 2).await;
    assert!(said.contains("MATCH"), "{said}");
}

#[tokio::test]
async fn players_look_for_a_match_by_hand() {
    let installation = Installation::open().await;
    let add = |player| ["seek", "add", player, "mountebank", "--seats", "2", "--time", "daily"];
    let ann = json(&installation, &add("ann")).await;
    let name = ann["seek"]["name"].as_str().expect("a name").to_owned();
    let listed = done(&installation, &["seek", "list"]).await;
    assert!(listed.contains(&name) && listed.contains("ann"), "{listed}");
    let shown = done(&installation, &["seek", "show", name.trim_start_matches("seeks/")]).await;
    assert!(shown.contains("ann looks for a match"), "{shown}");
    let bob = done(&installation, &add("bob")).await;
    let bob = bob.split_whitespace().next().expect("a name").to_owned();
    let seated = until("both are seated", async || {
        let shown = done(&installation, &["seek", "show", &bob]).await;
        shown.contains("is seated: matches/").then_some(shown)
    });
    let seated = seated.await;
    let of_ann = json(&installation, &["seek", "show", &name]).await;
    assert!(seated.contains(of_ann["seek"]["match"].as_str().expect("a match")), "{seated}");

    let cid = json(&installation, &add("cid")).await;
    let cid = cid["seek"]["name"].as_str().expect("a name").to_owned();
    done(&installation, &["seek", "delete", &cid]).await;
    let shown = done(&installation, &["seek", "show", &cid]).await;
    assert!(shown.contains("looks no longer"), "{shown}");
    let said = failure(&installation, &["seek", "add", "cid", "chess", "--seats", "2"], 2).await;
    assert!(said.contains(GAMES), "{said}");
}

#[tokio::test]
async fn games_are_listed_and_described() {
    let installation = Installation::open().await;
    let games = done(&installation, &["games"]).await;
    assert!(games.contains("\nmountebank     Mountebank "), "{games}");
    let listed = json(&installation, &["games"]).await;
    let listed = listed["games"].as_array().expect("games");
    assert_eq!(listed.len(), 5);
    assert!(listed.iter().all(|it| games.contains(it["title"].as_str().expect("a title"))));

    let game = done(&installation, &["game", "mountebank", "--seats", "3"]).await;
    let parts = [
        "2-4 seats",
        "first-seat",
        "random: Chance decides (default), 0: seat 1",
        "Set-up for 3 seats:",
    ];
    for part in [&parts[..], &["Hand, each seat", "  con       Discards cards"]].concat() {
        assert!(game.contains(part), "no {part:?} in {game}");
    }
    let described = json(&installation, &["game", "games/mountebank"]).await;
    let layout = &described["game"]["layout"];
    assert!(layout["places"].as_array().is_some_and(|it| !it.is_empty()), "{layout}");
    let wrong = failure(&installation, &["game", "mountebank", "--seats", "9"], 2).await;
    assert!(wrong.contains("played with 2 to 4 seats, not 9"), "{wrong}");
}

#[tokio::test]
async fn nobody_is_told_to_act_for_a_bot() {
    let installation = Installation::open().await;
    let create = ["create", "mountebank", "--options", "first-seat=1", "--bots", "random"];
    let told = done(&installation, &[&create[..], &["--players", "ada"]].concat()).await;
    assert!(
        told.contains("--seat 0    # plays for a seat") && !told.contains("--seat 1   "),
        "{told}"
    );
    let name = told.lines().next().and_then(|it| it.strip_prefix("Mountebank: "));
    let act = ["act", name.expect("the match"), "--seat", "1"];
    let said = failure(&installation, &act, 1).await;
    assert!(said.contains("a bot has seat 1, and nobody acts for it"), "{said}");
    let told = done(&installation, &["create", "mountebank", "--bots", "random,random"]).await;
    assert!(told.contains("Next:") && !told.contains("# plays for a seat"), "{told}");
}

#[tokio::test]
async fn a_match_is_created_and_joined() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let create = ["create", "mountebank", "--seats", "3", "--players", "ada,,bruno"];
    let more = ["--tag", "table=7", "--options", "talk=on", "--reveal", "12h", "--names", "Ada"];
    let told = done(&installation, &[&create[..], &more].concat()).await;
    let name = told.lines().next().and_then(|it| it.strip_prefix("Mountebank: "));
    let name = name.expect("the match").to_owned();
    let parts = ["--seat 0  ada", "--seat 1  open", "--seat 2  bruno", "takes the open seat"];
    for part in [&parts[..], &[&format!("join {name} PLAYER")]].concat() {
        assert!(told.contains(part), "no {part:?} in {told}");
    }
    let it = get(&client, &name).await;
    assert_eq!((it.state(), it.seats.len()), (MatchState::Open, 3));
    assert_eq!((&*it.options["talk"], &*it.tags["table"]), ("on", "7"));
    assert_eq!(
        (it.reveal(), it.reveal_delay),
        (Reveal::AfterDelay, Some(contract::seconds(12 * 60 * 60)))
    );

    let id = name.trim_start_matches("matches/");
    let taken = failure(&installation, &["join", &name, "cleo", "--seat", "0"], 1).await;
    assert!(taken.contains("SEAT_TAKEN"), "{taken}");
    let none = failure(&installation, &["join", &name, "cleo", "--seat", "3"], 2).await;
    assert!(none.contains("no seat 3: the match has 3"), "{none}");
    let joined = done(&installation, &["join", &id[..8], "cleo", "--name", "Cleo"]).await;
    assert!(
        joined.starts_with("Cleo has a seat: --seat 1\n") && !joined.contains("PLAYER"),
        "{joined}"
    );
    assert_eq!(get(&client, &name).await.state(), MatchState::Running);
    let again = json(&installation, &["join", &name, "cleo"]).await;
    assert_eq!((&again["seat"], &again["match"]["name"]), (&1.into(), &name.into()));
}

#[tokio::test]
async fn what_cannot_be_created_is_explained() {
    let installation = Installation::open().await;
    let refused: [(&[&str], i32, &str); 7] = [
        (&[], 2, "<GAME>"),
        (&["mountebank", "--seats", "1"], 2, "2 to 4 seats, not 1"),
        (&["mountebank", "--seats", "2", "--players", "a,b,c"], 2, "more players than 2: 3"),
        (&["mountebank", "--players", "a", "--names", "A,B"], 2, "more names than 1: 2"),
        (&["mountebank", "--options", "speed=3"], 1, "no option \"speed\""),
        (&["mountebank", "--options", "speed"], 2, "write NAME=VALUE"),
        (&["mountebank", "--reveal", "soon"], 2, "write end, never, or a time"),
    ];
    for (arguments, status, words) in refused {
        let said = failure(&installation, &[&["create"], arguments].concat(), status).await;
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
    let running = created(&installation, &["--players", "ada,bruno", "--names", "Ada,Bruno"]).await;
    let said = failure(&installation, &["create", "--previous", &running], 1).await;
    assert!(said.contains("MATCH_NOT_ENDED"), "{said}");
}

/// An address that leads to the service, also after a restart on another port.
pub async fn stable_address(client: Client) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move {
        while let Ok((mut there, _)) = listener.accept().await {
            let port = client.port();
            tokio::spawn(async move {
                let Ok(mut here) = TcpStream::connect(("127.0.0.1", port)).await else { return };
                drop(copy_bidirectional(&mut there, &mut here).await);
            });
        }
    });
    address
}

#[tokio::test]
async fn two_people_play_a_match_line_by_line_through_a_crash() {
    let mut installation = Installation::open().await;
    let name = created(&installation, &["--players", "ada,bruno", "--names", "Ada,Bruno"]).await;
    // The lines stay in the pipe until they are read.
    let choices = "1\n".repeat(100);
    let address = stable_address(installation.client(Protocol::Grpc)).await;
    let [mut ada, mut bruno] = ["0", "1"].map(|seat| {
        let mut command = croupier(&installation);
        Seated::by(command.env("CROUPIER_ADDRESS", &address).args(["act", &name, "--seat", seat]))
    });
    bruno.types(&choices).await;
    ada.sees("You are Ada.").await;
    ada.sees("   1  The table is set up").await;
    ada.sees("Hand ").await;
    ada.sees("   1  Draw a card from the deck\n").await;
    ada.types("2\n1\n").await;
    ada.sees("   2  You take").await;
    ada.sees("Bruno").await;
    installation.service.kill().await;
    installation.service.start_again().await;
    ada.types(&choices).await;
    // Both outputs are read at once: a full pipe would hold up the match.
    let (ada, bruno) = tokio::join!(ada.ends(), bruno.ends());
    for (status, output) in [ada, bruno] {
        assert_eq!(status, Some(0), "{output}");
        let told = [" wins.", " share the win."].iter().any(|end| output.contains(end));
        assert!(told, "{output}");
    }
    let client = installation.client(Protocol::Grpc);
    let it = get(&client, &name).await;
    assert_eq!(it.state(), MatchState::Ended);
    let mut database = installation.database().await;
    assert_eq!(check_keys(&mut database).await, [""; 0]);
    let listed = entries(&client, &name, "house").await;
    Truth::of(&it, table::Viewer::House, &listed).check_deals(&it);
}

#[tokio::test]
async fn refusals_are_told_in_words_and_asked_again() {
    let installation = Installation::open().await;
    let name = created(
        &installation,
        &["--players", "ada,bruno", "--names", "Ada,Bruno", "--options", "talk=on"],
    )
    .await;
    let mut ada = Seated::at(&installation, &name, "0");
    ada.sees("   1  Draw a card").await;
    let refused = [
        ("99", "!  write a number from 1 to"),
        ("whatever", "!  `whatever` is not among the choices"),
        ("{\"draw\"", "!  this is not an action"),
        ("{\"steal\": {}}", "!  this is not an action: unrecognized field name 'steal'"),
        ("{\"take\": {\"card\": \"plot-1\"}}", "!  there is no card \"plot-1\""),
        ("stand mood", "!  the game has no decision \"mood\""),
    ];
    for (line, words) in refused {
        ada.types(&format!("{line}\n")).await;
        ada.sees(words).await;
    }
    ada.types("say Good luck!\n").await;
    ada.sees("Good luck!").await;
    ada.types("resign\nno\n").await;
    ada.sees("(yes or no)").await;
    ada.sees("   1  Draw a card").await;
    ada.types("{\"mountebank\": {\"draw\": {}}}\n").await;
    ada.sees("You draw").await;
    ada.types("quit\n").await;
    let (status, output) = ada.ends().await;
    assert_eq!(status, Some(0));
    assert!(output.contains("The match goes on. To come back: "), "{output}");
    let client = installation.client(Protocol::Grpc);
    let verbs: Vec<_> = entries(&client, &name, "").await.into_iter().map(|it| it.verb).collect();
    assert_eq!(verbs, ["open", "say", "draw"]);

    // What happened since is told on return, and a resignation ends a match of two.
    let mut ada = Seated::at(&installation, &name, "0");
    ada.sees("   1  Draw a card").await;
    ada.types("1\n").await;
    ada.sees("   4  You draw").await;
    let acted = ["act", &name, "--seat", "1", "--action", r#"{"draw": {}}"#];
    assert!(done(&installation, &acted).await.contains("   5  You draw"));
    drop(ada);
    let mut ada = Seated::at(&installation, &name, "0");
    ada.sees("Since your last action:\n\n   5  Bruno draws a card").await;
    done(&installation, &acted).await;
    ada.sees("\n   1  ").await;
    ada.types("resign\nyes\n").await;
    let (status, output) = ada.ends().await;
    assert_eq!(status, Some(0));
    assert!(output.contains("Bruno wins."), "{output}");
}

#[tokio::test]
async fn a_program_acts_without_being_asked() {
    let installation = Installation::open().await;
    let name = created(&installation, &["--players", "ada,bruno", "--names", "Ada,Bruno"]).await;
    let legal = json(&installation, &["act", &name, "--seat", "0"]).await;
    let first = &legal["actions"][0];
    assert_eq!((&legal["position"], &first["verb"]), (&1.into(), &"draw".into()));
    let action = first["action"].to_string();
    let entry = json(&installation, &["act", &name, "--seat", "0", "--action", &action]).await;
    assert_eq!((&entry["entry"]["position"], &entry["entry"]["seat"]), (&2.into(), &0.into()));

    let draw = r#"{"draw": {}}"#;
    let refused: [(&[&str], i32, &str); 5] = [
        (&["--seat", "1", "--action", draw], 1, "NOT_ASKED"),
        (&["--seat", "0", "--action", "draw"], 2, "this is not an action"),
        (&["--seat", "0", "--action", r#"{"rigs": {"build": {}}}"#], 1, "MALFORMED_ACTION"),
        (&["--seat", "2"], 2, "no seat 2: the match has 2"),
        (&[], 2, "name a seat with --seat: 0 Ada, 1 Bruno"),
    ];
    for (arguments, status, words) in refused {
        let said = failure(&installation, &[&["act", &name], arguments].concat(), status).await;
        assert!(said.contains(words), "{arguments:?}: {said}");
    }

    // A seat's token acts for its own seat.
    let client = installation.client(Protocol::Grpc);
    let token = token(&client, &name, Some(0)).await;
    let mut own = croupier(&installation);
    own.env("CROUPIER_KEY", token).args(["act", &name, "--action", draw]);
    let (status, output, said) = ended(&mut own).await;
    assert_eq!(status, Some(0), "{said}");
    assert!(output.contains("   3  You draw"), "{output}");
}

/// The way to a menu entry on a terminal, and out again.
#[tokio::test]
async fn on_a_terminal_actions_are_chosen_with_arrow_keys() {
    let installation = Installation::open().await;
    let name = created(&installation, &["--players", "ada,bruno", "--names", "Ada,Bruno"]).await;
    let program = env!("CARGO_BIN_EXE_croupier");
    let mut command = Command::new("script");
    let inner = croupier(&installation);
    let set = inner.as_std().get_envs().filter_map(|(key, value)| Some((key, value?)));
    command.envs(set).env("TERM", "xterm").stdout(Stdio::piped()).kill_on_drop(true);
    command.args(["--quiet", "--return", "--command"]);
    command.arg(format!("{program} act {name} --seat 0")).arg("/dev/null");
    let mut ada = Seated::by(&mut command);
    ada.sees("arrows, a number, or a part of the text").await;
    // Down and up again, then the action.
    ada.types("\x1b[B\x1b[A\r").await;
    ada.sees("   2  You draw").await;
    ada.sees("arrows, a number, or a part of the text").await;
    ada.types("TAKE").await;
    ada.types("\r").await;
    ada.sees("   3  You take").await;
    ada.sees("Waiting for Bruno").await;
    // A key opens a menu while the others decide, and Escape closes it.
    ada.types("\r").await;
    ada.sees("While others decide").await;
    ada.sees("Leave; the match goes on").await;
    ada.types("\x03").await;
    let (status, output) = ada.ends().await;
    assert_eq!(status, Some(130), "{output}");
    assert!(output.contains("The match goes on. To come back: "), "{output}");
    let (hidden, shown) = (output.rfind("\x1b[?25l"), output.rfind("\x1b[?25h"));
    assert!(shown > hidden || hidden.is_none(), "the cursor is visible again: {output:?}");
}

#[tokio::test]
async fn an_interrupt_leaves_the_match_at_once() {
    let installation = Installation::open().await;
    let name = created(&installation, &["--players", "ada,bruno", "--names", "Ada,Bruno"]).await;
    for seat in ["0", "1"] {
        let mut seated = Seated::at(&installation, &name, seat);
        seated.sees("   1  The table is set up").await;
        let process = Pid::from_raw(seated.child.id().expect("it runs").cast_signed());
        kill_process(process.expect("a process"), Signal::INT).expect("it runs");
        assert_eq!(seated.ends().await.0, Some(130));
    }
}

#[tokio::test]
async fn unknown_names_are_answered_with_known_ones() {
    let installation = Installation::open().await;
    let name = created(&installation, &["--players", "ada,bruno", "--names", "Ada,Bruno"]).await;
    let of_games: [&[&str]; 7] = [
        &["game", "nope"],
        &["rules", "nope"],
        &["create", "nope"],
        &["play", "nope"],
        &["standings", "nope"],
        &["matches", "--game", "nope"],
        &["standings", ""],
    ];
    for arguments in of_games {
        let said = failure(&installation, arguments, 2).await;
        assert!(said.contains(GAMES), "{arguments:?}: {said}");
    }
    let nobody = failure(&installation, &["player", "zed"], 1).await;
    assert!(nobody.contains("no player named zed"), "{nobody}");
    let missing = "matches/00000000-0000-4000-8000-000000000000";
    for command in ["view", "watch", "entries", "act"] {
        let said = failure(&installation, &[command, missing], 1).await;
        assert!(said.contains(&format!("there is no match {missing}")), "{command}: {said}");
    }
    for arguments in [&["--limit", "0"], &["--limit", "x"]] {
        let said = failure(&installation, &[&["matches"], &arguments[..]].concat(), 2).await;
        assert!(said.contains("write a number from 1 on"), "{said}");
    }
    assert_eq!(done(&installation, &["matches", "--limit", "1"]).await.lines().count(), 2);

    let url = installation.postgres().url();
    let platform = ["platform", "--database-url", &url];
    let listed = done(&installation, &[&platform[..], &["list"]].concat()).await;
    assert!(listed.starts_with("local  active; keys: "), "{listed}");
    let known = "there is no platform \"nope\"; the platforms are: local";
    let of_platforms: [&[&str]; 5] = [
        &["key", "nope"],
        &["suspend", "nope"],
        &["limits", "nope"],
        &["revoke", "nope", "1"],
        &["resume", "nope"],
    ];
    for arguments in of_platforms {
        let said = failure(&installation, &[&platform[..], arguments].concat(), 1).await;
        assert!(said.contains(known), "{arguments:?}: {said}");
    }
    let revoke = [&platform[..], &["revoke-tokens", &name, "--seat"]].concat();
    let said = failure(&installation, &[&revoke[..], &["2"]].concat(), 2).await;
    assert!(said.contains("no seat 2: the match has 2"), "{said}");
    done(&installation, &[&revoke[..], &["1"]].concat()).await;
}

#[tokio::test]
async fn shells_complete_commands() {
    let complete = async |shell: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
        let (status, script, said) = ended(command.args(["completions", shell])).await;
        assert_eq!(status, Some(0), "{said}");
        script
    };
    for shell in ["zsh", "fish"] {
        let script = complete(shell).await;
        assert!(script.contains("standings") && script.contains("croupier"), "{shell}");
    }
    let mut script = tempfile::NamedTempFile::new().expect("a file");
    script.write_all(complete("bash").await.as_bytes()).expect("it is written");
    let typed = "COMP_WORDS=(croupier ma); COMP_CWORD=1; _croupier croupier ma croupier";
    let bash = format!("source {} && {typed}; echo ${{COMPREPLY[@]}}", script.path().display());
    let (status, found, said) = ended(Command::new("bash").args(["-c", &bash])).await;
    assert_eq!((status, found.trim()), (Some(0), "matches"), "{said}");
}

/// A service of games that notes the languages it is asked for.
#[derive(Clone, Default)]
struct Languages(Arc<Mutex<Vec<String>>>);

#[tonic::async_trait]
impl GameService for Languages {
    async fn list_games(
        &self,
        request: Request<ListGamesRequest>,
    ) -> Result<Response<ListGamesResponse>, Status> {
        self.0.lock().expect("nobody panicked").push(request.into_inner().language);
        Ok(Response::new(ListGamesResponse::default()))
    }

    async fn get_game(
        &self,
        _: Request<GetGameRequest>,
    ) -> Result<Response<GetGameResponse>, Status> {
        Err(Status::unimplemented("it has no games"))
    }

    async fn get_rules(
        &self,
        _: Request<GetRulesRequest>,
    ) -> Result<Response<GetRulesResponse>, Status> {
        Err(Status::unimplemented("it has no games"))
    }
}

#[tokio::test]
async fn texts_are_asked_for_in_the_language_of_the_person() {
    let languages = Languages::default();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let server = tonic::transport::Server::builder();
    let server = { server }.add_service(GameServiceServer::new(languages.clone()));
    tokio::spawn(server.serve_with_incoming(TcpListenerStream::new(listener)));
    type Case<'a> = (&'a [(&'a str, &'a str)], &'a [&'a str], &'a str);
    let named: [Case; 7] = [
        (&[], &[], "en"),
        (&[("LANG", "de_DE.UTF-8")], &[], "de"),
        (&[("LANG", "de_DE.UTF-8"), ("LC_MESSAGES", "it_IT")], &[], "en"),
        (&[("LANG", "fr_FR.UTF-8")], &[], "fr"),
        (&[("LC_ALL", "C.UTF-8"), ("LANG", "de_DE.UTF-8")], &[], "en"),
        (&[("LC_ALL", "it_IT"), ("CROUPIER_LANGUAGE", "de-AT")], &[], "de-AT"),
        (&[("CROUPIER_LANGUAGE", "de")], &["--language", "nl"], "nl"),
    ];
    for (environment, arguments, language) in named {
        let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
        for name in ["CROUPIER_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"] {
            command.env_remove(name);
        }
        command.envs(environment.iter().copied()).arg("games").args(arguments);
        command.args(["--address", &address, "--key", "none"]);
        let (status, _, said) = ended(&mut command).await;
        assert_eq!(status, Some(0), "{said}");
        let asked = languages.0.lock().expect("nobody panicked").pop();
        assert_eq!(asked.as_deref(), Some(language), "{environment:?} {arguments:?}");
    }
}
