//! History: a past view shows what its viewer saw then, and nothing later.

use std::time::{Duration, Instant};

use contract::v1::*;
use prost_types::Timestamp;
use tonic::Code;

use crate::harness::*;

fn at_time(name: &str, viewer: &str, time: Timestamp) -> GetViewRequest {
    GetViewRequest {
        name: name.to_owned(),
        viewer: viewer.to_owned(),
        position: None,
        read_time: Some(time),
        ..GetViewRequest::default()
    }
}

fn microseconds(time: &Timestamp) -> i64 {
    time.seconds * 1_000_000 + i64::from(time.nanos) / 1000
}

fn of_microseconds(micros: i64) -> Timestamp {
    let nanos = i32::try_from(micros.rem_euclid(1_000_000) * 1000).expect("less than a second");
    Timestamp { seconds: micros.div_euclid(1_000_000), nanos }
}

#[tokio::test]
async fn a_view_at_a_time_is_the_table_at_that_time() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 3, 1).await;
    playing.steps(12).await;
    let name = playing.name.clone();
    let entries = entries(&client, &name, "").await;
    for entry in &entries {
        let accepted = microseconds(entry.create_time.as_ref().expect("a time"));
        let then = view(&client, &name, "seats/1", Some(entry.position)).await;
        for client in [&client, &client.speaking(Protocol::Rest)] {
            let request = at_time(&name, "seats/1", of_microseconds(accepted));
            let seen = client.ask(&request).await.expect("it was begun").table.expect("a table");
            assert_eq!(seen, then, "when {} was accepted", entry.name);
        }
        if entry.position > 1 {
            let before = view(&client, &name, "seats/1", Some(entry.position - 1)).await;
            let request = at_time(&name, "seats/1", of_microseconds(accepted - 1));
            let seen = client.ask(&request).await.expect("it was begun").table.expect("a table");
            assert_eq!(seen, before, "just before {} was accepted", entry.name);
        }
    }
}

#[tokio::test]
async fn positions_and_times_outside_a_match_are_refused() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 2, 1).await;
    playing.steps(3).await;
    let name = playing.name.clone();
    let first = entries(&client, &name, "").await.remove(0).create_time.expect("a time");
    let refusal = async |position: Option<i32>, read_time: Option<Timestamp>| {
        let (name, viewer) = (name.clone(), String::new());
        let refused = client
            .ask(&GetViewRequest { name, viewer, position, read_time, ..GetViewRequest::default() })
            .await;
        let refused = refused.expect_err("there is no such moment");
        (refused.code, refused.reason, refused.facts)
    };
    let (code, reason, facts) =
        refusal(None, Some(of_microseconds(microseconds(&first) - 1))).await;
    assert_eq!((code, reason.as_str()), (Code::OutOfRange, "TIME_BEFORE_START"));
    assert!(facts["start_time"].starts_with("20"), "{facts:?}");
    let (code, reason, _) =
        refusal(None, Some(Timestamp { seconds: first.seconds + 1000, nanos: 0 })).await;
    assert_eq!((code, reason.as_str()), (Code::OutOfRange, "TIME_AHEAD"));
    let (code, reason, facts) = refusal(Some(5), None).await;
    assert_eq!((code, reason.as_str()), (Code::OutOfRange, "POSITION_AHEAD"));
    assert_eq!(facts["position"], "4");
    for (position, time) in [(Some(0), None), (Some(-1), None), (Some(1), Some(first))] {
        let (code, reason, _) = refusal(position, time).await;
        assert_eq!((code, reason.as_str()), (Code::InvalidArgument, "INVALID_REQUEST"));
    }
}

/// A past view equals the view taken at that position.
#[tokio::test]
async fn a_past_view_shows_no_later_reveal() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 3, 4).await;
    let name = playing.name.clone();
    let viewers = ["spectator", "seats/0", "seats/1", "seats/2"];
    let mut seen: Vec<(&str, Table)> = Vec::new();
    loop {
        for viewer in viewers {
            seen.push((viewer, view(&client, &name, viewer, None).await));
        }
        if !playing.step().await {
            break;
        }
    }
    for (viewer, then) in seen {
        let now = view(&client, &name, viewer, Some(then.position)).await;
        assert_eq!(now, then, "{viewer} at {}", then.position);
    }
    let replay = ReplayEntriesRequest { parent: name.clone(), ..<_>::default() };
    for (seat, entry) in playing.entries.iter().map(|it| (it.seat.expect("a seat"), it)) {
        let request = ReplayEntriesRequest {
            viewer: format!("seats/{seat}"),
            after_position: entry.position - 1,
            until_position: Some(entry.position),
            ..replay.clone()
        };
        let again = client.stream(&request).await.next().await.expect("a replay").expect("it");
        assert_eq!(
            again.message.entries,
            std::slice::from_ref(entry),
            "as its author received it at once"
        );
    }
}

#[tokio::test]
async fn a_replay_shows_each_viewer_its_own_entries() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 2, 1).await;
    playing.finish().await;
    let name = playing.name.clone();
    for protocol in STREAMING {
        let client = client.speaking(protocol);
        for viewer in ["spectator", "seats/0", "seats/1", "house"] {
            let (parent, viewer) = (name.clone(), viewer.to_owned());
            let told = entries(&client, &parent, &viewer).await;
            let request = ReplayEntriesRequest { parent, viewer, ..<_>::default() };
            let mut replay = client.stream(&request).await;
            let mut again = Vec::new();
            while let Some(batch) = replay.next().await.expect("a replay") {
                assert_eq!(
                    batch.message.entries.last().expect("an entry").position,
                    batch.message.position
                );
                again.extend(batch.message.entries);
            }
            assert_eq!(again, told, "{} in {protocol:?}", request.viewer);
        }
    }
}

#[tokio::test]
async fn a_replay_keeps_the_original_pace() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let mut playing = Playing::new(&client, 2, 1).await;
    for _ in 0..2 {
        tokio::time::sleep(Duration::from_millis(400)).await;
        playing.step().await;
    }
    let replayed = async |speed: f64, pause_max: Option<Duration>| {
        let parent = playing.name.clone();
        let pause_max = pause_max.map(contract::duration);
        let request = ReplayEntriesRequest { parent, speed, pause_max, ..<_>::default() };
        let began = Instant::now();
        let mut replay = client.stream(&request).await;
        let mut entries = 0;
        while let Some(batch) = replay.next().await.expect("a replay") {
            entries += batch.message.entries.len();
        }
        assert_eq!(entries, 3);
        began.elapsed()
    };
    // A busy machine makes a replay longer, never shorter.
    let replayed_within = async |longest: Duration, speed: f64, pause_max: Option<Duration>| {
        for _ in 0..20 {
            let it = replayed(speed, pause_max).await;
            if it < longest {
                return it;
            }
        }
        panic!("no replay with speed {speed} took less than {longest:?}")
    };
    let as_played = replayed(1.0, None).await;
    assert!(as_played >= Duration::from_millis(790), "{as_played:?}");
    let faster = replayed_within(as_played, 4.0, None).await;
    assert!(faster >= Duration::from_millis(190), "{faster:?}");
    replayed_within(faster, 0.0, None).await;
    let short_pauses = Some(Duration::from_millis(100));
    let bounded = replayed_within(as_played, 0.001, short_pauses).await;
    assert!(bounded >= Duration::from_millis(200), "{bounded:?}");
    for (speed, pause_max_s, until) in
        [(-1.0, 1, None), (f64::NAN, 1, None), (1.0, 601, None), (1.0, 0, None), (1.0, 1, Some(-1))]
    {
        let parent = playing.name.clone();
        let request = ReplayEntriesRequest {
            parent,
            speed,
            pause_max: Some(contract::seconds(pause_max_s)),
            until_position: until,
            ..<_>::default()
        };
        let refused = client.stream(&request).await.next().await.expect_err("it makes no sense");
        assert_eq!(refused.reason, "INVALID_REQUEST");
    }
}

// === Diffs ===

/// The table after applying a diff.
fn applied(mut table: Table, diff: &ViewDiff) -> Table {
    table.position = diff.to_position;
    for it in &diff.pieces {
        if !it.from.is_empty() {
            spot(&mut table, &it.from).pieces.retain(|piece| *piece != it.piece);
        }
        if !it.to.is_empty() {
            spot(&mut table, &it.to).pieces.push(it.piece.clone());
        }
    }
    for it in &diff.unseen {
        let unseen = &mut spot(&mut table, &it.place).unseen;
        let count = match unseen.iter_mut().find(|other| other.back == it.back) {
            Some(found) => &mut found.count,
            None => {
                unseen.push(Unseen { back: it.back.clone(), count: 0 });
                &mut unseen.last_mut().expect("just added").count
            }
        };
        *count = count.checked_add_signed(it.change).expect("a count");
    }
    for it in &diff.purses {
        let purses = &mut spot(&mut table, &it.place).purses;
        match purses.iter_mut().find(|other| other.coin == it.coin) {
            Some(found) => found.amount += it.change,
            None => {
                purses.push(Purse { coin: it.coin.clone(), amount: it.change, ..Purse::default() })
            }
        }
    }
    for it in &diff.marks {
        let before = table.marks.iter().find(|other| other.mark == it.mark);
        assert_eq!(before.map_or(0, |before| before.value), it.before);
        table.marks.retain(|other| other.mark != it.mark);
        table.marks.push(Marked { mark: it.mark.clone(), value: it.after });
    }
    for it in &diff.scores {
        assert_eq!(table.scores[it.seat as usize], it.before);
        table.scores[it.seat as usize] = it.after;
    }
    replace(&mut table.prompts, &diff.prompts_closed, &diff.prompts_opened);
    replace(&mut table.score_parts, &diff.score_parts_lost, &diff.score_parts_gained);
    replace(&mut table.offers, &diff.offers_closed, &diff.offers_opened);
    replace(&mut table.resigned, &diff.returned, &diff.resigned);
    table.round = diff.round.unwrap_or(table.round);
    table.phase = diff.phase.unwrap_or(table.phase);
    table.turn = diff.turn.unwrap_or(table.turn);
    table.ended = diff.ended.clone().or(table.ended).filter(|_| !diff.reopened);
    table
}

fn replace<T: Clone + PartialEq>(list: &mut Vec<T>, closed: &[T], opened: &[T]) {
    for it in closed {
        let at = list.iter().position(|other| other == it).expect("what closes was open");
        list.remove(at);
    }
    list.extend_from_slice(opened);
}

fn spot<'t>(table: &'t mut Table, place: &str) -> &'t mut PlaceContents {
    if table.places.iter().all(|spot| spot.place != place) {
        table.places.push(PlaceContents { place: place.to_owned(), ..<_>::default() });
    }
    table.places.iter_mut().find(|spot| spot.place == place).expect("just made")
}

/// A table normalized: order and zeros do not matter.
fn plain(mut table: Table) -> Table {
    // A difference does not tell it.
    table.digest.clear();
    for spot in &mut table.places {
        spot.pieces.sort();
        // It follows from the pieces.
        spot.top.clear();
        spot.unseen.retain(|it| it.count != 0);
        spot.unseen.sort_by(|a, b| a.back.cmp(&b.back));
        spot.purses.retain(|it| it.amount != 0);
        spot.purses.sort_by(|a, b| a.coin.cmp(&b.coin));
    }
    table
        .places
        .retain(|it| !(it.pieces.is_empty() && it.unseen.is_empty() && it.purses.is_empty()));
    table.places.sort_by(|a, b| a.place.cmp(&b.place));
    table.marks.retain(|it| it.value != 0);
    table.marks.sort_by(|a, b| a.mark.cmp(&b.mark));
    table.prompts.sort_by_key(|it| format!("{it:?}"));
    table.score_parts.sort_by_key(|it| format!("{it:?}"));
    table.offers.sort_by_key(|it| format!("{it:?}"));
    table.resigned.sort_unstable();
    table
}

#[tokio::test]
async fn a_diff_equals_the_difference_of_the_two_views() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest);
    let mut playing = Playing::new(&client, 3, 2).await;
    playing.finish().await;
    let name = playing.name.clone();
    let last = playing.entries.last().expect("it was played").position;
    for viewer in ["spectator", "seats/2", "house"] {
        for (from, to) in
            [(1, last), (last, 1), (2, 3), (last / 2, last - 1), (4, 4), (last / 3, last / 2)]
        {
            let (before, after) = (
                view(&client, &name, viewer, Some(from)).await,
                view(&client, &name, viewer, Some(to)).await,
            );
            let request = DiffViewsRequest {
                name: name.clone(),
                viewer: viewer.to_owned(),
                from_position: from,
                to_position: Some(to).filter(|to| *to != last),
            };
            let diff = client.ask(&request).await.expect("both are there").diff.expect("one");
            assert_eq!((diff.from_position, diff.to_position), (from, to));
            assert_eq!(plain(applied(before, &diff)), plain(after), "{viewer} from {from} to {to}");
            if from == to {
                let none = ViewDiff {
                    r#match: name.clone(),
                    viewer: viewer.to_owned(),
                    from_position: from,
                    to_position: to,
                    ..<_>::default()
                };
                assert_eq!(diff, none);
            }
        }
    }
    let request = DiffViewsRequest { name, from_position: last + 1, ..<_>::default() };
    assert_eq!(client.ask(&request).await.expect_err("too far").reason, "POSITION_AHEAD");
}

// === Reveals ===

#[tokio::test]
async fn a_platform_decides_when_a_match_is_revealed() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let played = async |reveal: Reveal, reveal_delay_s: Option<u32>| {
        let reveal_delay = reveal_delay_s.map(contract::seconds);
        let request = CreateMatchRequest { reveal: reveal.into(), reveal_delay, ..new_match(2) };
        let it = create(&client, &request).await;
        assert_eq!((it.reveal(), it.reveal_delay), (reveal, reveal_delay));
        let mut playing = Playing::of(&client, &it, 1);
        playing.finish().await;
        playing.name
    };
    let whole = async |name: &str| {
        let request = ListEntriesRequest {
            parent: name.to_owned(),
            viewer: "house".to_owned(),
            ..<_>::default()
        };
        client.ask(&request).await?;
        Ok::<_, Failure>(get(&client, name).await.seed)
    };
    let never = played(Reveal::Never, None).await;
    let refused = whole(&never).await.expect_err("it stays closed");
    assert_eq!((refused.code, refused.reason.as_str()), (Code::FailedPrecondition, "NOT_REVEALED"));
    assert!(refused.facts.is_empty());
    assert_eq!(get(&client, &never).await.seed, "");
    assert_eq!(get(&client, &never).await.state(), MatchState::Ended);
    is_closed_in_lists(&client, &never).await;

    let later = played(Reveal::AfterDelay, Some(3)).await;
    let refused = whole(&later).await.expect_err("it is too early");
    assert_eq!(refused.reason, "NOT_REVEALED");
    assert!(refused.facts["reveal_time"].starts_with("20"));
    assert_eq!(get(&client, &later).await.seed, "");
    tokio::time::sleep(Duration::from_secs(4)).await;
    assert_eq!(whole(&later).await.expect("it is time").len(), 64);

    let at_end = played(Reveal::AtEnd, None).await;
    assert_eq!(whole(&at_end).await.expect("it is over").len(), 64);
    for (reveal, reveal_delay_s) in
        [(Reveal::AtEnd, 5), (Reveal::AfterDelay, 0), (Reveal::AfterDelay, 40_000_000)]
    {
        let reveal_delay = Some(contract::seconds(reveal_delay_s));
        let request = CreateMatchRequest { reveal: reveal.into(), reveal_delay, ..new_match(2) };
        assert_eq!(client.ask(&request).await.expect_err("senseless").reason, "INVALID_REQUEST");
    }
    // The reveal is part of the request.
    let request_id = "one".to_owned();
    let request = CreateMatchRequest { request_id, ..new_match(2) };
    create(&client, &request).await;
    let request = CreateMatchRequest { reveal: Reveal::Never.into(), ..request };
    assert_eq!(client.ask(&request).await.expect_err("another").reason, "REQUEST_ID_REUSED");
}

/// A list shows an ended match as the match itself does, and a search shows what a spectator sees.
async fn is_closed_in_lists(client: &Client, name: &str) {
    let it = get(client, name).await;
    let seen = format!("{name}/entries/{}", it.position);
    let list = ListMatchesRequest { consistency_token: seen.clone(), ..<_>::default() };
    let listed = client.ask_in_step(&list).await.expect("a page").matches;
    assert_eq!(listed.iter().find(|listed| listed.name == name), Some(&it));
    let (parent, page_size) = (it.game.clone(), 1000);
    let search =
        SearchEntriesRequest { parent, page_size, consistency_token: seen, ..<_>::default() };
    let found = client.ask_in_step(&search).await.expect("a page").entries;
    let (parent, viewer) = (name.to_owned(), "spectator".to_owned());
    let list = ListEntriesRequest { parent, page_size, viewer, ..<_>::default() };
    assert_eq!(found, client.ask(&list).await.expect("a page").entries);
}
