//! Settling results into ratings: in the order of ends, regardless of the order of arrival.

use crate::installation::Installation;
use positions::Bucket;
use projector::{Handle, Reader};
use rows::MatchId;
use std::time::Duration;
use time::OffsetDateTime;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

#[tokio::test]
async fn standings_follow_from_the_results() {
    let installation = Installation::open().await;
    let results = Results { installation: &installation, platform: "ours" };
    results.create_league().await;
    results.insert(1, &[("ann", 1, WON), ("bob", 2, LOST), ("cid", 3, LOST)]).await;
    results.insert(2, &[("bob", 2, LOST), ("ann", 1, WON), ("cid", 2, LOST)]).await;
    results.insert(3, &[("ann", 1, SHARED), ("bob", 1, SHARED), ("cid", 3, LOST)]).await;
    results.settle().await;
    let (standings, players) = results.standings().await;
    let counts: Vec<_> = standings
        .iter()
        .map(|it| (it.player.as_str(), it.played, it.won, it.shared, it.rating > 0))
        .collect();
    assert_eq!(
        counts,
        [("ann", 3, 2, 1, true), ("bob", 3, 0, 1, true), ("cid", 3, 0, 0, false)],
        "by rating, highest first"
    );
    assert_eq!(players[0], [("bob", 3, 2, 0, 1), ("cid", 3, 3, 0, 0)]);
    assert_eq!(players[1], [("ann", 3, 0, 2, 1), ("cid", 3, 2, 0, 1)]);
    assert_eq!(players[2], [("ann", 3, 0, 3, 0), ("bob", 3, 0, 2, 1)]);
}

#[tokio::test]
async fn a_late_result_leads_to_the_same_standings_as_one_in_time() {
    let installation = Installation::open().await;
    let in_time = Results { installation: &installation, platform: "in-time" };
    let late = Results { installation: &installation, platform: "late" };
    let (first, second) =
        ([("ann", 1, WON), ("bob", 2, LOST)], [("bob", 1, WON), ("cid", 2, LOST)]);
    let third = [("cid", 1, WON), ("ann", 2, LOST)];
    for results in [&in_time, &late] {
        results.create_league().await;
        results.insert(1, &first).await;
    }
    in_time.insert(2, &second).await;
    for results in [&in_time, &late] {
        results.insert(3, &third).await;
        results.settle().await;
    }
    let before = late.rows().await;
    late.insert(2, &second).await;
    late.settle().await;
    assert_eq!(late.rows().await, in_time.rows().await);
    assert_ne!(late.rows().await[4..], before[2..], "the third match was settled again");
    let (standings, players) = late.standings().await;
    let (expected_standings, expected_players) = in_time.standings().await;
    let rating = |it: &projector::Standing| (it.player.clone(), it.mean, it.deviation, it.played);
    assert_eq!(
        standings.iter().map(rating).collect::<Vec<_>>(),
        expected_standings.iter().map(rating).collect::<Vec<_>>()
    );
    assert_eq!(players, expected_players, "a match that is settled twice is counted once");
}

const LOST: i16 = 0;

const WON: i16 = 1;

const SHARED: i16 = 2;

/// The results of a league, inserted as the projector inserts them.
struct Results<'a> {
    installation: &'a Installation,
    platform: &'a str,
}

impl Results<'_> {
    async fn create_league(&self) {
        let insert =
            "insert into leagues (bucket, platform, game) values ($1, $2, 'mountebank 3 untimed')";
        sqlx::query(insert)
            .bind(Bucket::of_name(self.platform))
            .bind(self.platform)
            .execute(self.installation.store.database().pool())
            .await
            .unwrap();
    }

    /// A match that ended at second `nth`, with the rank and the outcome of each seat's player.
    async fn insert(&self, nth: i64, seats: &[(&str, i16, i16)]) {
        let match_id = MatchId(Uuid::new_v4());
        for (seat, (player, rank, outcome)) in (0_i16..).zip(seats) {
            sqlx::query(
                "insert into results
                     (bucket, match_id, seat, platform, game, player, points, rank, outcome, end_time)
                 values ($1, $2, $3, $4, 'mountebank 3 untimed', $5, 0, $6, $7, $8)",
            )
            .bind(Bucket::of(match_id))
            .bind(match_id)
            .bind(seat)
            .bind(self.platform)
            .bind(player)
            .bind(rank)
            .bind(outcome)
            .bind(OffsetDateTime::UNIX_EPOCH + Duration::from_secs(nth.unsigned_abs()))
            .execute(self.installation.store.database().pool())
            .await
            .unwrap();
        }
    }

    /// Runs a projector until every result is settled.
    async fn settle(&self) {
        let (store, drain) = (&self.installation.store, CancellationToken::new());
        let options = projector::Options::default();
        let projector = projector::Service::new(store, options, Handle::default());
        let running = tokio::spawn(projector.run(drain.clone()));
        let unsettled = "select count(*) from results where mean is null";
        let settled = async {
            while sqlx::query_scalar::<_, i64>(unsettled)
                .fetch_one(store.database().pool())
                .await
                .unwrap()
                > 0
            {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(Duration::from_secs(60), settled).await.expect("all results are settled");
        drain.cancel();
        running.await.unwrap();
    }

    /// The standings after each result, in order.
    async fn rows(&self) -> Vec<(i16, String, i64, i64, i32, i32, i32)> {
        sqlx::query_as(
            "select seat, player, mean, deviation, played, won, shared
             from results
             where platform = $1
             order by end_time, seat",
        )
        .bind(self.platform)
        .fetch_all(self.installation.store.database().pool())
        .await
        .unwrap()
    }

    /// The standings, and by player the records against each opponent: played, ahead, behind,
    /// level.
    async fn standings(&self) -> (Vec<projector::Standing>, Vec<Vec<Record>>) {
        let reader = Reader::new(&self.installation.store, Handle::default());
        let standings =
            reader.standings(self.platform, "mountebank 3 untimed", None, 10).await.unwrap();
        let mut players = Vec::new();
        for player in ["ann", "bob", "cid"] {
            let found = reader.player(self.platform, player, 10).await.unwrap().unwrap();
            let records = found.opponents.into_iter().map(|it| {
                let opponent = ["ann", "bob", "cid"].into_iter().find(|name| *name == it.opponent);
                (opponent.unwrap(), it.played, it.ahead, it.behind, it.level)
            });
            players.push(records.collect());
        }
        (standings, players)
    }
}

type Record = (&'static str, i32, i32, i32, i32);
