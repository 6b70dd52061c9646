//! Ratings: by pool, without casual matches, with their history.

use contract::v1::*;
use tonic::Code;

use crate::harness::*;

/// Ends a match of these settings by resignation of the seat; returns its name and last entry.
async fn ended(client: &Client, request: CreateMatchRequest, loser: u32) -> (String, String) {
    let name = create(client, &request).await.name;
    for seat in (0..request.seats).filter(|seat| *seat != (loser + 1) % request.seats) {
        let resign = ResignMatchRequest { name: name.clone(), seat: Some(seat), ..<_>::default() };
        client.ask(&resign).await.expect("any time");
    }
    let last = get(client, &name).await.position;
    (name.clone(), format!("{name}/entries/{last}"))
}

async fn standings_of(client: &Client, player: &str, consistency_token: String) -> Vec<Standing> {
    let request = GetPlayerRequest { name: format!("players/{player}"), consistency_token };
    client.ask_in_step(&request).await.expect("a player").player.expect("a player").standings
}

#[tokio::test]
async fn ratings_are_kept_by_pool_and_without_casual_matches() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let preset = |preset: &str| {
        let preset = preset.to_owned();
        Some(TimeControl { preset, ..TimeControl::default() })
    };
    let mut names = Vec::new();
    for (request, loser) in [
        (new_match(2), 0),
        (new_match(2), 0),
        (CreateMatchRequest { casual: Some(true), ..new_match(2) }, 1),
        (CreateMatchRequest { time_control: preset("blitz"), ..new_match(2) }, 1),
        (new_match(3), 1),
        (new_match(2), 1),
    ] {
        names.push(ended(&client, request, loser).await);
    }
    let mut standings = Vec::new();
    for (_, last) in &names {
        standings = standings_of(&client, &player(0), last.clone()).await;
    }
    let pools: Vec<_> =
        standings.iter().map(|it| (it.seats, it.clock_class(), it.played, it.won)).collect();
    let pool = (ClockClass::Untimed, ClockClass::Blitz);
    assert_eq!(pools, [(2, pool.1, 1, 1), (2, pool.0, 3, 1), (3, pool.0, 1, 0)]);
    assert!(standings.iter().all(|it| it.provisional), "a few matches say little");

    let listing = ListStandingsRequest { parent: MOUNTEBANK.to_owned(), ..<_>::default() };
    let listed = client.ask(&listing).await.expect("standings").standings;
    let won: Vec<_> = listed.iter().map(|it| (&*it.player, it.played, it.won)).collect();
    let [one, other] = [player(1), player(0)];
    assert_eq!(won, [(&*one, 3, 2), (&*other, 3, 1)], "the fewest seats, and no clocks");
    let blitz =
        ListStandingsRequest { clock_class: ClockClass::Blitz.into(), seats: 2, ..listing.clone() };
    let listed = client.ask(&blitz).await.expect("standings").standings;
    assert_eq!(listed[0].player, other, "another pool, another leader");
    for wrong in [
        ListStandingsRequest { seats: 9, ..listing.clone() },
        ListStandingsRequest { clock_class: 9, ..listing },
    ] {
        let failure = client.ask(&wrong).await.expect_err("no such pool");
        failure.check(Code::InvalidArgument, "INVALID_REQUEST");
    }

    let parent = format!("players/{}", player(0));
    let mut request = ListRatingChangesRequest {
        parent,
        game: MOUNTEBANK.to_owned(),
        page_size: 1,
        ..<_>::default()
    };
    let mut changes = Vec::new();
    loop {
        let page = client.ask(&request).await.expect("a page");
        changes.extend(page.rating_changes);
        request.page_token = page.next_page_token;
        if request.page_token.is_empty() {
            break;
        }
    }
    let of: Vec<&str> = changes.iter().map(|it| &*it.r#match).collect();
    assert_eq!(of, [&*names[5].0, &names[1].0, &names[0].0], "the newest first");
    let outcomes: Vec<_> = changes.iter().map(|it| (it.outcome(), it.rank)).collect();
    let lost = (Outcome::Lost, 2);
    assert_eq!(outcomes, [(Outcome::Won, 1), lost, lost]);
    for pair in changes.windows(2) {
        assert_eq!(pair[0].before, pair[1].after, "each adds to the one before it");
    }
    assert_eq!(changes[2].before, None);
    let now = changes[0].after.expect("a rating");
    let of_pool = standings.iter().find(|it| (it.seats, it.clock_class()) == (2, pool.0));
    let of_pool = of_pool.expect("a standing");
    assert_eq!((now.rating, now.mean), (of_pool.rating, of_pool.mean));
    let grown = of_pool.deviation - now.deviation;
    assert!((0.0..0.001).contains(&grown), "{grown}: within a minute");
    // A player of whom nothing is known has no history.
    let nobody = ListRatingChangesRequest {
        parent: "players/nobody".to_owned(),
        page_token: String::new(),
        ..request
    };
    assert_eq!(client.ask(&nobody).await.expect("a page").rating_changes, []);
}

#[tokio::test]
async fn a_casual_match_stays_one_in_its_series_and_for_its_seekers() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Rest);
    let casual = CreateMatchRequest { casual: Some(true), ..new_match(2) };
    let (name, _) = ended(&client, casual, 0).await;
    let it = get(&client, &name).await;
    assert!(it.casual && !it.options.contains_key("casual"));
    let next = CreateMatchRequest { previous: name.clone(), ..<_>::default() };
    let next = create(&client, &next).await;
    assert!(next.casual, "as the match before");
    let option = CreateMatchRequest {
        options: [("casual".to_owned(), String::new())].into(),
        ..new_match(2)
    };
    let failure = client.ask(&option).await.expect_err("it is a field of its own");
    failure.check(Code::InvalidArgument, "UNKNOWN_OPTION");

    // Only players who both want a casual match are seated together.
    let seek = async |player: &str, casual: bool| {
        let request = CreateSeekRequest {
            player: player.to_owned(),
            game: MOUNTEBANK.to_owned(),
            seats: vec![2],
            casual,
            ..<_>::default()
        };
        client.ask(&request).await.expect("a seek").seek.expect("a seek")
    };
    let (ann, bob, cid) =
        (seek("ann", true).await, seek("bob", false).await, seek("cid", true).await);
    assert!(ann.casual && !bob.casual && !ann.options.contains_key("casual"));
    let seated = until("a match", async || {
        let found = client.ask(&GetSeekRequest { name: cid.name.clone() }).await;
        let found = found.expect("it is there").seek.expect("a seek").r#match;
        Some(found).filter(|it| !it.is_empty())
    })
    .await;
    let it = get(&client, &seated).await;
    let mut players: Vec<&str> = it.seats.iter().map(|it| &*it.player).collect();
    players.sort_unstable();
    assert_eq!((it.casual, players), (true, vec!["ann", "cid"]));
}

#[tokio::test]
async fn a_rating_is_less_certain_the_longer_the_player_is_away() {
    let installation = Installation::open().await;
    let client = installation.client(Protocol::Grpc);
    let (_, last) = ended(&client, new_match(2), 0).await;
    let before = standings_of(&client, &player(0), last.clone()).await[0].clone();
    let mut database = installation.database().await;
    let back = "update standings
         set deviation = 2000000, last_end_time = last_end_time - interval '365 days'";
    sqlx::query(back).execute(&mut database).await.expect("a year ago");
    let after = standings_of(&client, &player(0), last).await[0].clone();
    assert!((after.deviation - 4.3128).abs() < 0.0001, "{after:?}");
    assert!(!after.provisional);
    assert_eq!(after.mean, before.mean);
    let longer = "update standings set last_end_time = last_end_time - interval '3650 days'";
    sqlx::query(longer).execute(&mut database).await.expect("ten years more");
    let listing = ListStandingsRequest { parent: MOUNTEBANK.to_owned(), ..<_>::default() };
    let listed = client.ask(&listing).await.expect("standings").standings;
    assert!(listed.iter().all(|it| it.provisional && it.deviation == 8.333333));
}
