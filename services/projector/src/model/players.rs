//! The model `players`: results, and what they make of a player.

mod settle;

use std::cmp::Reverse;

use sqlx::PgConnection;
use store::{Bucket, MatchId};
use table::Small;
use time::OffsetDateTime;

use crate::fold::Folded;

pub(super) use settle::settle;

/// Rows of `results` that came about, a column each.
#[derive(Default)]
struct Rows<'a> {
    buckets: Vec<Bucket>,
    match_ids: Vec<MatchId>,
    seats: Vec<i16>,
    platforms: Vec<&'a str>,
    games: Vec<&'a str>,
    players: Vec<&'a str>,
    points: Vec<i32>,
    ranks: Vec<i16>,
    outcomes: Vec<i16>,
    end_times: Vec<OffsetDateTime>,
}

pub(super) async fn write(
    connection: &mut PgConnection,
    matches: &[&Folded],
) -> Result<(), sqlx::Error> {
    let mut rows = Rows::default();
    matches.iter().filter(|folded| folded.table.ended()).for_each(|folded| rows.add(folded));
    if rows.seats.is_empty() {
        return Ok(());
    }
    rows.open_leagues(connection).await?;
    sqlx::query(
        "insert into results
             (bucket, match_id, seat, platform, game, player, points, rank, outcome, end_time)
         select *
         from unnest(
             $1::smallint[], $2::uuid[], $3::smallint[], $4::text[], $5::text[], $6::text[], $7::int[],
             $8::smallint[], $9::smallint[], $10::timestamptz[]
         )
         on conflict (bucket, match_id, seat) do nothing",
    )
    .bind(rows.buckets)
    .bind(rows.match_ids)
    .bind(rows.seats)
    .bind(rows.platforms)
    .bind(rows.games)
    .bind(rows.players)
    .bind(rows.points)
    .bind(rows.ranks)
    .bind(rows.outcomes)
    .bind(rows.end_times)
    .execute(connection)
    .await?;
    Ok(())
}

impl<'a> Rows<'a> {
    fn add(&mut self, folded: &'a Folded) {
        let table = &folded.table;
        let (winners, resigned) = (table.winners().unwrap_or_default(), table.resigned());
        let scores = table.scores();
        // Whoever won comes first, however it was decided; then points count, and resigning comes
        // last.
        let merit = |seat: table::Seat| match (winners.has(seat), resigned.has(seat)) {
            (true, _) => (0, Reverse(0)),
            (_, false) => (1, Reverse(scores[seat.index()])),
            (_, true) => (2, Reverse(0)),
        };
        for (seat, seated) in table.seats().zip(&folded.row.seated) {
            let before = table.seats().filter(|&other| merit(other) < merit(seat)).count();
            self.buckets.push(folded.bucket());
            self.match_ids.push(folded.row.match_id);
            self.seats.push(seated.seat);
            self.platforms.push(&folded.row.platform);
            self.games.push(&folded.row.game);
            self.players.push(&seated.player);
            self.points.push(scores[seat.index()]);
            self.ranks.push(before as i16 + 1);
            self.outcomes.push(match (winners.has(seat), winners.len()) {
                (false, _) => 0,
                (true, 1) => 1,
                (true, _) => 2,
            });
            self.end_times.push(folded.update_time);
        }
    }

    /// Makes sure that the leagues of these results have their rows.
    async fn open_leagues(&self, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        let mut leagues: Vec<(&str, &str)> =
            self.platforms.iter().copied().zip(self.games.iter().copied()).collect();
        leagues.sort_unstable();
        leagues.dedup();
        let buckets: Vec<Bucket> =
            leagues.iter().map(|(platform, _)| Bucket::of_platform(platform)).collect();
        let (platforms, games): (Vec<&str>, Vec<&str>) = leagues.into_iter().unzip();
        sqlx::query(
            "insert into leagues (bucket, platform, game)
             select *
             from unnest($1::smallint[], $2::text[], $3::text[])
             on conflict do nothing",
        )
        .bind(buckets)
        .bind(platforms)
        .bind(games)
        .execute(connection)
        .await?;
        Ok(())
    }
}
