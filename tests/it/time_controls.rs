//! Clocks: deadlines that every process agrees on, and what becomes of those who miss them.

use std::time::Duration;

use ::clocks as rules;
use contract::v1::event::Kind;
use contract::v1::*;
use table::{ChaCha, Viewer};
use time::OffsetDateTime;
use tokio::time::sleep;
use tonic::Code;

use crate::harness::*;
use crate::projections::croupier;
use crate::staying::{plan, take_back};

fn timed(seats: u32, control: TimeControl) -> CreateMatchRequest {
    CreateMatchRequest { time_control: Some(control), ..new_match(seats) }
}

fn seconds(seconds: u32) -> Option<prost_types::Duration> {
    Some(contract::seconds(seconds))
}

/// A second for each decision.
fn a_second() -> TimeControl {
    TimeControl { per_decision: seconds(1), resign_after: 3, ..TimeControl::default() }
}

fn time_of(stamp: Option<&prost_types::Timestamp>) -> OffsetDateTime {
    let stamp = stamp.expect("it is set");
    let nanos = i128::from(stamp.seconds) * 1_000_000_000 + i128::from(stamp.nanos);
    OffsetDateTime::from_unix_timestamp_nanos(nanos).expect("a time of this era")
}

fn timeouts(entries: &[Entry]) -> Vec<&Entry> {
    entries.iter().filter(|it| it.verb == "timeout").collect()
}

/// Folds the clocks of a match from what a spectator is told, and checks that no timeout is early.
/// Returns how late each was.
fn check_timeouts(it: &Match, entries: &[Entry]) -> Vec<time::Duration> {
    let truth = Truth::of(it, Viewer::Spectator, entries);
    let control = it.time_control.as_ref().expect("it has one");
    let whole = |it| std_of(it).as_secs() as u32;
    let control = rules::TimeControl {
        bank_s: whole(control.bank),
        increment_s: whole(control.increment),
        per_decision_s: whole(control.per_decision),
        on_timeout: rules::OnTimeout::Answer,
        resign_after: control.resign_after,
    };
    let mut table = table::Table::new(truth.game.layout(), it.seats.len() as u8, Viewer::Spectator);
    let mut clocks = rules::Clocks::new(control, it.seats.len() as u8);
    let mut late = Vec::new();
    for (entry, told) in truth.entries.iter().zip(entries) {
        let at = time_of(told.create_time.as_ref());
        if entry.verb == table::TIMEOUT {
            let seat = entry.seat.expect("it is a seat's");
            let deadline = clocks.deadline(seat).expect("its clock runs");
            assert!(at >= deadline, "{} is early: {at} before {deadline}", told.name);
            late.push(at - deadline);
        }
        table.apply(entry);
        clocks.apply(entry, at, &table);
    }
    late
}

#[tokio::test]
async fn the_house_answers_for_those_who_do_not_until_they_resign() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let created = create(&client, &timed(2, a_second())).await;
    let told = created.time_control.as_ref().expect("it is told");
    assert_eq!((told.per_decision, told.on_timeout()), (seconds(1), OnTimeout::Answer));
    assert!(!created.options.contains_key("time-control"), "it is no option of the game");
    let clocks = created.clocks.as_ref().expect("it has started");
    let waiting = created.waiting_for[0] as usize;
    let clock = &clocks.clocks[waiting];
    let deadline = time_of(clock.deadline.as_ref());
    assert_eq!(time_of(clock.running_since_time.as_ref()) + Duration::from_secs(1), deadline);
    assert!(clocks.clocks[1 - waiting].deadline.is_none());
    let table = view(&client, &created.name, "spectator", None).await;
    let prompt = table.prompts.iter().find(|it| !it.optional).expect("somebody must decide");
    assert_eq!(time_of(prompt.deadline.as_ref()), deadline);

    let ended = until("the end", async || {
        let it = get(&client, &created.name).await;
        (it.state() == MatchState::Ended).then_some(it)
    });
    let ended = ended.await;
    let entries = entries(&client, &created.name, "spectator").await;
    let timeouts = timeouts(&entries);
    let of = |seat: u32| timeouts.iter().filter(|it| it.seat == Some(seat)).count();
    let loser = 1 - ended.winners[0];
    assert_eq!(of(loser), 3, "three in a row resign");
    assert!((2..=3).contains(&of(1 - loser)));
    let last = &entries[entries.len() - 1];
    let kinds: Vec<&Kind> = last.events.iter().filter_map(|it| it.kind.as_ref()).collect();
    assert!(matches!(kinds[..2], [Kind::TimedOut(one), Kind::Resigned(other)] if one == other));
    assert_eq!(check_timeouts(&ended, &entries).len(), timeouts.len());

    // What the house did can be verified like everything else.
    let verified = croupier(&installation, &["verify", "--all"]).await;
    assert!(verified.contains("all proven"), "{verified}");
}

#[tokio::test]
async fn several_processes_let_each_time_run_out_once() {
    const MATCHES: usize = 24;
    let installation = Installation::open().await;
    let (client, mut other) =
        (installation.client(Protocol::Grpc), installation.serve("other").await);
    let control = TimeControl { bank: seconds(1), ..a_second() };
    let mut names = Vec::new();
    for _ in 0..MATCHES {
        names.push(create(&client, &timed(3, control.clone())).await.name);
    }
    // A process that is killed leaves nothing undone.
    sleep(Duration::from_millis(2_500)).await;
    other.kill().await;
    other.start_again().await;
    for name in &names {
        until("the end", async || {
            (get(&client, name).await.state() == MatchState::Ended).then_some(())
        })
        .await;
        let (one, two) = (get(&client, name).await, get(&other.client(Protocol::Grpc), name).await);
        assert_eq!(one.clocks, two.clocks);
        let entries = entries(&client, name, "spectator").await;
        assert_eq!(timeouts(&entries).len(), entries.len() - 1, "nobody else acted");
        check_timeouts(&one, &entries);
    }
}

#[tokio::test]
async fn a_bank_is_used_after_the_time_for_a_decision_and_grows_with_it() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let (bank, increment) = (seconds(100), seconds(7));
    let control = TimeControl { bank, increment, ..a_second() };
    let mut playing = Playing::of(&client, &create(&client, &timed(2, control)).await, 5);
    let seat = get(&client, &playing.name).await.waiting_for[0] as usize;
    sleep(Duration::from_millis(1_300)).await;
    assert!(playing.step().await);
    let clocks = get(&client, &playing.name).await.clocks.expect("it has clocks");
    // 300 ms and more were used, and 7 s were won.
    let bank_ms = std_of(clocks.clocks[seat].bank).as_millis();
    assert!((100_000..=106_700).contains(&bank_ms), "{bank_ms}");
    // A cold process finds the same from the log, and from a list.
    let cold = installation.serve("cold").await;
    let now = get(&client, &playing.name).await;
    let there = get(&cold.client(Protocol::Rest), &playing.name).await;
    assert_eq!(now.clocks, there.clocks);
    let listed = until("the read model", async || {
        let request = ListMatchesRequest::default();
        let listed = client.ask(&request).await.expect("a list").matches.remove(0);
        (listed.position == now.position && listed.clocks.is_some()).then_some(listed)
    });
    assert_eq!(listed.await.clocks, now.clocks);
}

#[tokio::test]
async fn a_pause_and_a_take_back_give_nobody_more_time() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let (bank, increment, per_decision) = (seconds(100), seconds(7), seconds(60));
    let control = TimeControl { bank, increment, per_decision, ..TimeControl::default() };
    let game = "games/among-thieves".to_owned();
    let it = create(&client, &CreateMatchRequest { game, ..timed(3, control) }).await;
    let name = &it.name;
    let clocks = async |client: &Client| get(client, name).await.clocks.expect("it has clocks");
    let deadlines = async || {
        let deadline = |clock: Clock| clock.deadline.as_ref().map(|it| time_of(Some(it)));
        clocks(&client).await.clocks.into_iter().map(deadline).collect::<Vec<_>>()
    };
    let time_of_entry =
        |entry: Option<Entry>| time_of(entry.expect("an entry").create_time.as_ref());
    let before = deadlines().await;
    assert!(before.iter().any(Option::is_some));
    for _ in 0..2 {
        sleep(Duration::from_millis(20)).await;
        let pause = PauseMatchRequest { name: name.clone(), ..<_>::default() };
        client.ask(&pause).await.expect("the platform may");
        assert!(deadlines().await.iter().all(Option::is_none), "clocks stand still");
        sleep(Duration::from_millis(50)).await;
        let resume = ResumeMatchRequest { name: name.clone(), ..<_>::default() };
        client.ask(&resume).await.expect("the platform may");
    }
    let entries = entries_of(&client, name).await;
    let at = |position: usize| time_of_entry(Some(entries[position - 1].clone()));
    let paused = (at(3) - at(2)) + (at(5) - at(4));
    let resumed = deadlines().await;
    let later = before.iter().map(|deadline| deadline.map(|it| it + paused));
    assert_eq!(resumed, later.collect::<Vec<_>>());
    // A list tells the same, from the read model.
    let listed = until("the read model", async || {
        let listed = client.ask(&ListMatchesRequest::default()).await.expect("a list");
        listed.matches.into_iter().find(|listed| listed.position == 5)
    });
    assert_eq!(listed.await.clocks, Some(clocks(&client).await));

    let (mut random, mut taken) = (ChaCha::of([7; 32], 1), 0);
    for _ in 0..40 {
        let before = deadlines().await;
        let action = plan(&client, name, &mut random).await;
        client.ask(&action).await.expect("it is legal");
        if client.ask(&take_back(name, action.seat.expect("one acts"))).await.is_ok() {
            assert_eq!(deadlines().await[..], before, "as if nothing had happened");
            client.ask(&action).await.expect("it is as legal as before");
            taken += 1;
        }
        if taken == 3 {
            break;
        }
    }
    assert_eq!(taken, 3, "some actions can be taken back");
    let cold = installation.serve("cold").await;
    assert_eq!(clocks(&cold.client(Protocol::Rest)).await, clocks(&client).await);
}

#[tokio::test]
async fn nobody_pays_for_a_time_in_which_the_service_was_away() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let control = TimeControl { per_decision: seconds(4), ..a_second() };
    let created = create(&client, &timed(2, control)).await;
    leave(&mut installation).await;
    sleep(Duration::from_millis(1_500)).await;
    installation.service.start_again().await;
    let excused = until("the excuse", async || {
        let it = get(&client, &created.name).await;
        (it.position > 1).then_some(it)
    })
    .await;
    let entries = entries(&client, &created.name, "spectator").await;
    assert_eq!((entries[1].verb.as_str(), entries[1].seat), ("add-time", None));
    let paused = std_of(excused.clocks.as_ref().expect("it has clocks").paused_for_outage);
    assert!(paused >= Duration::from_millis(1_500), "{paused:?}");
    let waiting = created.waiting_for[0] as usize;
    let deadline = |it: &Match| {
        time_of(it.clocks.as_ref().expect("it has clocks").clocks[waiting].deadline.as_ref())
    };
    assert_eq!(deadline(&excused) - deadline(&created), paused);
    // Once only, and then time runs out as usual.
    until("a timeout", async || (get(&client, &created.name).await.position > 2).then_some(()))
        .await;
    let entries = entries_of(&client, &created.name).await;
    assert_eq!(entries[2].verb, "timeout");
    check_timeouts(&excused, &entries);
}

/// A seat that acts before the service's agents have given the time back has it back all the same.
#[tokio::test]
async fn an_outage_is_not_charged_to_a_seat_that_acts_first() {
    let mut installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let control = TimeControl { bank: seconds(100), ..a_second() };
    let created = create(&client, &timed(2, control)).await;
    let mut playing = Playing::of(&client, &created, 9);
    leave(&mut installation).await;
    let away = Duration::from_secs(4);
    sleep(away).await;
    // Nobody gives the time back by himself.
    installation.service.arguments.push("--without-agents");
    installation.service.start_again().await;
    let seat = created.waiting_for[0] as usize;
    assert!(playing.step().await);
    let it = get(&client, &created.name).await;
    let entries = entries_of(&client, &created.name).await;
    assert_eq!((entries[1].verb.as_str(), entries[1].seat), ("add-time", None));
    assert_eq!(entries[2].seat, Some(seat as u32));
    let clocks = it.clocks.expect("it has clocks");
    let paused = std_of(clocks.paused_for_outage);
    assert!(paused >= away, "{paused:?}");
    // What the outage took would have cost three seconds.
    let at = |nth: usize| time_of(entries[nth].create_time.as_ref());
    let took = at(2) - at(0) - paused;
    let charged = (took - Duration::from_secs(1)).max(time::Duration::ZERO);
    let bank = std_of(clocks.clocks[seat].bank);
    assert_eq!(bank, time::Duration::seconds(100) - charged, "{clocks:?}");
}

/// Kills the service, once it watches, as if it had been away for an hour already.
async fn leave(installation: &mut Installation) {
    until("the service to watch", async || {
        let mut database = installation.database().await;
        let watched = sqlx::query("select from presence").fetch_optional(&mut database).await;
        watched.expect("a row").map(drop)
    })
    .await;
    installation.service.kill().await;
    let mut database = installation.database().await;
    let earlier = "update presence set beat_time = beat_time - interval '1 hour'";
    sqlx::query(earlier).execute(&mut database).await.expect("there is a row");
}

async fn entries_of(client: &Client, name: &str) -> Vec<Entry> {
    entries(client, name, "spectator").await
}

#[tokio::test]
async fn time_controls_that_nobody_can_play_by_are_refused() {
    let installation = Installation::open().await;
    let half_a_second = Some(contract::duration(Duration::from_millis(500)));
    let impossible = [
        TimeControl::default(),
        TimeControl { bank: seconds(60), ..TimeControl::default() },
        TimeControl { bank: seconds(u32::MAX), ..a_second() },
        TimeControl { preset: "eternal".to_owned(), ..TimeControl::default() },
        TimeControl { preset: "daily".to_owned(), bank: seconds(1), ..TimeControl::default() },
        TimeControl { per_decision: half_a_second, ..TimeControl::default() },
        TimeControl { on_timeout: 17, ..a_second() },
    ];
    for protocol in [Protocol::Grpc, Protocol::Rest, Protocol::ConnectJson] {
        let client = installation.client(protocol);
        for control in &impossible {
            // JSON knows no unknown number of an enum.
            if control.on_timeout == 17 && protocol != Protocol::Grpc {
                continue;
            }
            let refused = client.ask(&timed(2, control.clone())).await;
            refused
                .expect_err("nobody can play by it")
                .check(Code::InvalidArgument, "INVALID_TIME_CONTROL");
        }
        let given = [("time-control".to_owned(), "0 0 9 0 answer".to_owned())].into();
        let smuggled = CreateMatchRequest { options: given, ..new_match(2) };
        let refused = client.ask(&smuggled).await.expect_err("it is no option");
        refused.check(Code::InvalidArgument, "UNKNOWN_OPTION");
        for (preset, _) in clocks::PRESETS {
            let control = TimeControl { preset: (*preset).to_owned(), ..TimeControl::default() };
            let created = create(&client, &timed(2, control)).await;
            assert_eq!(created.time_control.expect("it is told").preset, *preset);
        }
    }
}
