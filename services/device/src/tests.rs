//! Whole matches on a device.

use answers::{Legals, Seen, table_of, told_legal};
use contract::v1;
use games::{Beside, Wanted, kinds_of};
use narration::{Language, Narrator};
use prost::Message;
use records::{Kept, Verification};
use table::{ActionFilter, Viewer};

use crate::listing::listed;
use crate::{Call, Device, Given, Listing, New, NewSeat, NotProven, Played, Refusal, Thought};

/// A device with a match of each game, against bots of each level.
fn dealt(game: &str, bots: &[&str], number: u8) -> (Device, String) {
    let person = NewSeat { bot: String::new(), display_name: "Ann".to_owned() };
    let bots = bots.iter().enumerate().map(|(nth, level)| NewSeat {
        bot: (*level).to_owned(),
        display_name: format!("Bot {}", nth + 2),
    });
    let mut device = Device::default();
    let new = New {
        seed: [number; 32],
        game: game.to_owned(),
        seats: [person].into_iter().chain(bots).collect(),
        options: [].into(),
        now_ms: 1_796_000_000_000,
    };
    let name = device.deal(new).expect("it is dealt");
    (device, name)
}

fn call<A: Message + Default>(
    device: &mut Device,
    path: &str,
    request: &impl Message,
) -> Result<A, Refusal> {
    let call = Call {
        path: format!("croupier.v1.Service/{path}"),
        language: "de".to_owned(),
        now_ms: 1_796_000_000_000,
        chance: [7; 32],
        iterations: 20,
    };
    device.call(&call, &request.encode_to_vec()).map(|it| A::decode(&*it).expect("an answer"))
}

fn think(device: &mut Device, name: &str, nth: u8) -> bool {
    let name = name.to_owned();
    let thought = Thought { name, now_ms: 1_796_000_000_000, chance: [nth; 32], iterations: 5 };
    device.think(&thought).expect("bots play")
}

fn legal(device: &mut Device, name: &str) -> v1::ListLegalActionsResponse {
    let request = v1::ListLegalActionsRequest { name: name.to_owned(), ..Default::default() };
    call(device, "ListLegalActions", &request).expect("a list")
}

fn submit(device: &mut Device, name: &str, action: v1::LegalAction) -> Result<v1::Entry, Refusal> {
    let action = action.action;
    let request = v1::SubmitActionRequest { name: name.to_owned(), action, ..Default::default() };
    let answer: v1::SubmitActionResponse = call(device, "SubmitAction", &request)?;
    Ok(answer.entry.expect("its entry"))
}

fn state(device: &mut Device, name: &str) -> v1::Match {
    let request = v1::GetMatchRequest { name: name.to_owned(), ..Default::default() };
    let answer: v1::GetMatchResponse = call(device, "GetMatch", &request).expect("the match");
    answer.r#match.expect("the match")
}

/// How long the person plays, who trades without an aim.
const PATIENCE: u32 = 400;

/// Plays on, the person by the list, until the match has ended or so many entries are there. The
/// person resigns at some time.
fn play(device: &mut Device, name: &str, until: i32) {
    for nth in 0..10 * PATIENCE {
        let now = state(device, name);
        if now.position >= until || now.state() == v1::MatchState::Ended {
            return;
        }
        if think(device, name, nth as u8) {
            continue;
        }
        if nth > PATIENCE {
            let name = name.to_owned();
            let request = v1::ResignMatchRequest { name, ..Default::default() };
            call::<v1::ResignMatchResponse>(device, "ResignMatch", &request).expect("it resigns");
            continue;
        }
        let mut actions = legal(device, name).actions;
        assert!(!actions.is_empty(), "nobody can act at position {}", now.position);
        let chosen = actions.swap_remove(nth as usize * 7 % actions.len());
        assert!(!chosen.label.is_empty());
        let entry = submit(device, name, chosen).expect("what is listed is legal");
        assert!(!entry.text.is_empty());
    }
    panic!("the match does not end");
}

fn verified(record: &str) -> serde_json::Value {
    let mut verification = Verification::new(&Kept::default()).expect("nothing was kept");
    verification.take(record.as_bytes());
    serde_json::to_value(records::Report::from(&verification.finish())).expect("JSON")
}

#[test]
fn a_match_against_bots_is_proven() {
    for (game, number) in games::GAMES.iter().map(|it| it.name()).zip(1..) {
        let rivals = *games::find(game).expect("it is one").seats().start() - 1;
        let bots = vec!["heuristic"; rivals.into()];
        let (mut device, name) = dealt(game, &bots, number);
        play(&mut device, &name, i32::MAX);
        let record = device.record(&name).expect("it is there");
        let report = verified(&record);
        assert_eq!(report["answer"], "PROVEN", "{game}: {report}");
        assert!(report["players_proven"].as_u64() >= Some(1), "{report}");
        let ended = state(&mut device, &name);
        assert!(ended.casual && !ended.seed.is_empty());
    }
}

#[test]
fn a_match_goes_on_from_its_record() {
    let (mut device, name) = dealt("mountebank", &["search", "random"], 9);
    play(&mut device, &name, 12);
    let record = device.record(&name).expect("it is there");
    let before = legal(&mut device, &name);
    let mut other = Device::default();
    assert_eq!(other.take_up(&record), Ok(name.clone()));
    assert_eq!(other.record(&name), Ok(record.clone()));
    assert_eq!(legal(&mut other, &name), before);
    play(&mut other, &name, i32::MAX);
    let ended = other.record(&name).expect("it is there");
    assert!(!ended.contains("secret_seed"));
    assert_eq!(verified(&ended)["answer"], "PROVEN");
    let altered = record.replacen("Ann", "Eve", 1);
    let refused = Device::default().take_up(&altered).expect_err("its check is wrong");
    assert_eq!(refused.code, "invalid_argument");
}

#[test]
fn a_refusal_has_a_reason_and_words() {
    let (mut device, name) = dealt("mountebank", &["random"], 3);
    let rigs = contract::Action::of("rigs", Vec::new().into());
    let action = v1::LegalAction { action: Some(rigs), ..Default::default() };
    let refused = submit(&mut device, &name, action).expect_err("it is of another game");
    assert_eq!(refused.reason, "MALFORMED_ACTION");
    // Somebody else's turn, or an action that the rules refuse now.
    let first = loop {
        match legal(&mut device, &name).actions.pop() {
            Some(action) => break action,
            None => assert!(think(&mut device, &name, 1)),
        }
    };
    submit(&mut device, &name, first.clone()).expect("it is legal");
    let refused = submit(&mut device, &name, first).expect_err("it is done");
    assert_eq!(refused.code, "failed_precondition");
    let (language, text) = *refused.told.clone().expect("it has words");
    assert_eq!(language, "de");
    let json = String::from_utf8(refused.to_json()).expect("JSON");
    assert!(json.contains("google.rpc.ErrorInfo") && !text.is_empty());
}

#[test]
fn a_person_sees_what_the_seat_sees() {
    let (mut device, name) = dealt("mountebank", &["random"], 4);
    for viewer in ["house", "seats/1"] {
        let (name, viewer) = (name.clone(), viewer.to_owned());
        let request = v1::GetViewRequest { name, viewer, ..Default::default() };
        let refused = call::<v1::GetViewResponse>(&mut device, "GetView", &request);
        assert!(refused.is_err());
    }
}

/// Compares the lists of every seat at every position of a match, and returns how many there were.
fn compare_lists(played: &Played) -> usize {
    let game = played.game;
    let listing = Listing {
        game: game.name().to_owned(),
        rules_version: game.rules_version(),
        language: "fr".to_owned(),
        names: played.cast().names().into_iter().map(|it| it.unwrap_or("").to_owned()).collect(),
        is_paused: false,
        verb: String::new(),
        pieces: Vec::new(),
        copies: true,
        reasons: true,
        effects: true,
    };
    let seats = played.row.seats as u8;
    let mut house = table::Table::new(game.layout(), seats, Viewer::House);
    let mut lists = 0;
    for it in &played.entries {
        house.apply(&it.entry);
        for seat in house.seats().filter(|&seat| house.prompt(seat).is_some()) {
            let viewer = Viewer::Seat(seat);
            let table = house.seen_by(viewer);
            let position = it.position;
            let match_id = played.row.match_id;
            let seen = Seen {
                match_id,
                game,
                viewer,
                position,
                digest: None,
                table: &table,
                clocks: None,
            };
            let told = table_of(&seen);
            let listed = listed(game, &table, seat, &ActionFilter::default(), true);
            let actions = listed.expect("sound rules");
            let names = played.cast();
            let language = Language::accepted(&listing.language);
            let narrator = Narrator::new(game, language, &names.names(), Some(seat));
            let kinds = kinds_of(&actions);
            let (filter, wanted) =
                (ActionFilter::default(), Wanted { reasons: true, effects: true });
            let beside = Beside::of(game, &table, seat, &filter, &actions, wanted);
            let beside = &beside;
            let (actions, kinds) = (&actions[..], &kinds[..]);
            let legals = Legals { game, position, actions, kinds, table: &table, beside };
            let services = told_legal(&narrator, &legals);
            let devices = listing.answer(&told.encode_to_vec()).expect("it knows the table");
            let devices = v1::ListLegalActionsResponse::decode(&*devices).expect("a list");
            let at = || format!("{} at {} for {seat:?}", game.name(), position.0);
            assert_eq!(devices, services, "{}", at());
            lists += usize::from(!actions.is_empty());
        }
    }
    lists
}

#[test]
fn a_list_from_a_told_table_is_the_services() {
    for (game, number) in games::GAMES.iter().map(|it| it.name()).zip(40..) {
        let rivals = *games::find(game).expect("it is one").seats().end() - 1;
        let (mut device, name) = dealt(game, &vec!["random"; rivals.into()], number);
        play(&mut device, &name, 120);
        let lists = compare_lists(device.found(&name).expect("it is there"));
        assert!(lists > 20, "{game}: {lists} lists");
    }
}

#[test]
fn a_table_of_other_rules_is_not_listed() {
    let (mut device, name) = dealt("mountebank", &["random"], 5);
    let request = v1::GetViewRequest { name, ..Default::default() };
    let told: v1::GetViewResponse = call(&mut device, "GetView", &request).expect("a view");
    let told = told.table.expect("a table");
    let rules_version = games::find("mountebank").expect("it is one").rules_version();
    let listing = Listing {
        game: "mountebank".to_owned(),
        rules_version,
        language: String::new(),
        names: vec!["Ann".to_owned(), "Bot 2".to_owned()],
        is_paused: true,
        verb: String::new(),
        pieces: Vec::new(),
        copies: false,
        reasons: false,
        effects: false,
    };
    let answer = |listing: &Listing, told: &v1::Table| listing.answer(&told.encode_to_vec());
    let paused = answer(&listing, &told).expect("it knows the table");
    let paused = v1::ListLegalActionsResponse::decode(&*paused).expect("a list");
    assert!(paused.actions.is_empty(), "nobody acts in a pause");
    let code = |listing: Listing| answer(&listing, &told).expect_err("it is refused").code;
    assert_eq!(
        code(Listing { rules_version: rules_version + 1, ..listing.clone() }),
        "unimplemented"
    );
    assert_eq!(code(Listing { game: "tarock".to_owned(), ..listing.clone() }), "unimplemented");
    let altered = |alter: &dyn Fn(&mut v1::Table)| {
        let mut altered = told.clone();
        alter(&mut altered);
        answer(&listing, &altered).expect_err("it is no table").facts
    };
    let field = vec![("field".to_owned(), "table".to_owned())];
    assert_eq!(altered(&|it| it.viewer = "spectator".to_owned()), field);
    assert_eq!(altered(&|it| it.viewer = "seats/7".to_owned()), field);
    assert_eq!(altered(&|it| it.scores.truncate(1)), field);
    assert_eq!(altered(&|it| it.places[0].place = "cellar".to_owned()), field);
    assert_eq!(altered(&|it| it.prompts[0].opened_position = it.position + 1), field);
    assert_eq!(altered(&|it| it.turn = 99), field);
}

/// The match as a service plays it again.
fn again(request: v1::ImportMatchRequest) -> Result<Played, NotProven> {
    let mut given = Given::read(request)?;
    while given.play(7)? {}
    given.finish()
}

#[test]
fn a_match_that_is_given_is_played_again() {
    for (game, number) in games::GAMES.iter().map(|it| it.name()).zip(20..) {
        let rivals = *games::find(game).expect("it is one").seats().start() - 1;
        let (mut device, name) = dealt(game, &vec!["heuristic"; rivals.into()], number);
        let refused = device.give(&name).expect_err("it has not ended");
        assert_eq!(refused.reason, "MATCH_NOT_ENDED");
        play(&mut device, &name, i32::MAX);
        let request = device.give(&name).expect("it has ended");
        let played = again(request.clone()).unwrap_or_else(|it| panic!("{game}: {it:?}"));
        assert_eq!(rows::match_name(played.row.match_id), name);
        let mut other = Device::default();
        other.take_up(&device.record(&name).expect("it is there")).expect("it is proven");
        assert_eq!(other.give(&name), Ok(request), "{game}: from its record");
    }
}

#[test]
fn a_match_that_did_not_happen_is_not_proven() {
    let (mut device, name) = dealt("mountebank", &["heuristic"], 31);
    play(&mut device, &name, i32::MAX);
    let request = device.give(&name).expect("it has ended");
    let refused = |altered: v1::ImportMatchRequest| again(altered).err().expect("it is not").field;
    let altered = |alter: &dyn Fn(&mut v1::ImportMatchRequest)| {
        let mut altered = request.clone();
        alter(&mut altered);
        refused(altered)
    };
    let (first, last) = (1, request.actions.len() - 1);
    assert_eq!(altered(&|it| it.seed[0] ^= 1).split('[').next(), Some("actions"), "another deal");
    assert_eq!(altered(&|it| drop(it.actions.pop())), "actions", "the end is missing");
    assert_eq!(altered(&|it| it.actions.swap(first, last)).split('[').next(), Some("actions"));
    let twice = format!("actions[{}]", last + 1);
    assert_eq!(altered(&|it| it.actions.push(it.actions[last].clone())), twice, "after the end");
    assert_eq!(altered(&|it| it.actions[first].seat = 9), "actions[1]");
    assert_eq!(altered(&|it| it.actions[first].kind = None), "actions[1]");
    let wait = |seconds, nanos| Some(prost_types::Duration { seconds, nanos });
    for wait in [wait(-1, 0), wait(0, 1), wait(i64::MAX, 0)] {
        assert_eq!(altered(&|it| it.actions[first].wait = wait), "actions[1]");
    }
    assert_eq!(altered(&|it| it.actions[first].wait = wait(1, 0)), "digest", "another time");
    assert_eq!(altered(&|it| it.digest[0] ^= 1), "digest");
    assert_eq!(altered(&|it| it.create_time = None), "digest");
    assert_eq!(altered(&|it| it.rules_version += 1), "rules_version");
    assert_eq!(altered(&|it| it.seats[1].bot = String::new()), "seats", "two people");
    assert_eq!(altered(&|it| it.seats[1].bot = "gambler".to_owned()), "bot");
    assert_eq!(altered(&|it| it.game = "games/tarock".to_owned()), "game");
    for option in ["module", "time-control", "casual", "device", "talk"] {
        let added = |it: &mut v1::ImportMatchRequest| {
            it.options.insert(option.to_owned(), "on".to_owned());
        };
        assert_eq!(altered(&added), "options");
    }
}
