//! The results of matches: a row for each seat.

use std::cmp::Reverse;
use std::collections::HashSet;

use futures::future::BoxFuture;
use positions::Bucket;
use rows::MatchId;
use sqlx::PgConnection;
use store::Store;
use table::{Seat, Small};
use time::OffsetDateTime;

use super::outcome::Outcome;
use super::pool::Pool;
use super::{settle, unsettled};
use crate::fold::MatchState;
use crate::model::read_model::{Compared, ReadModel};
use crate::waiting::Awaited;

/// New rows of `results`, one vector per column.
#[derive(Default)]
struct Rows<'a> {
    buckets: Vec<Bucket>,
    match_ids: Vec<MatchId>,
    seats: Vec<i16>,
    platforms: Vec<&'a str>,
    pools: Vec<String>,
    points: Vec<i32>,
    ranks: Vec<i16>,
    outcomes: Vec<Outcome>,
    end_times: Vec<OffsetDateTime>,
}

pub(in crate::model) struct Players;

impl ReadModel for Players {
    const NAME: &'static str = "players";
    const TABLES: &'static [&'static str] = &["leagues", "results", "standings", "opponents"];
    const COMPARED: &'static [Compared] = &[Compared {
        columns: "bucket, match_id, seat, platform, game, player, points, rank, outcome, end_time",
        ..Compared::whole("results", "match_id, seat")
    }];
    const COMPARED_SETTLED: &'static [Compared] = &[
        Compared { rows: "mean is not null", ..Compared::whole("results", "match_id, seat") },
        Compared::whole("standings", "platform, game, player"),
        Compared::whole("opponents", "platform, player, opponent"),
    ];

    async fn write(
        connection: &mut PgConnection,
        matches: &[&MatchState],
    ) -> Result<(), sqlx::Error> {
        let mut rows = Rows::default();
        // An abandoned match has no results, and a casual one none that count.
        let has_result = |state: &&&MatchState| {
            state.table.ended() && !state.table.is_abandoned() && !state.row.terms.is_casual()
        };
        matches.iter().filter(has_result).for_each(|state| rows.add(state));
        if rows.seats.is_empty() {
            return Ok(());
        }
        rows.create_leagues(connection).await?;
        let buckets = Bucket::distinct(rows.buckets.iter().copied());
        // The players' ids are read here, while the checkpoint is locked: an erasure that takes one
        // out of `results` waits for that lock, and one that was faster took it out of `seats`.
        sqlx::query(
            "insert into results
                 (bucket, match_id, seat, platform, game, player, points, rank, outcome, end_time)
             select its.bucket, its.match_id, its.seat, its.platform, its.game, seats.player,
                 its.points, its.rank, its.outcome, its.end_time
             from unnest(
                 $1::smallint[], $2::uuid[], $3::smallint[], $4::text[], $5::text[], $6::int[],
                 $7::smallint[], $8::smallint[], $9::timestamptz[]
             ) as its (bucket, match_id, seat, platform, game, points, rank, outcome, end_time)
             join seats using (bucket, match_id, seat)
             where seats.bucket = any($11) and not starts_with(seats.player, $10)
             on conflict (bucket, match_id, seat) do nothing",
        )
        .bind(rows.buckets)
        .bind(rows.match_ids)
        .bind(rows.seats)
        .bind(rows.platforms)
        .bind(rows.pools)
        .bind(rows.points)
        .bind(rows.ranks)
        .bind(rows.outcomes)
        .bind(rows.end_times)
        .bind(rows::BOT_MARK)
        .bind(buckets)
        .execute(connection)
        .await?;
        Ok(())
    }

    async fn settle(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        settle::settle(connection).await
    }

    fn unsettled<'a>(
        store: &'a Store,
        awaited: &'a [Awaited<'a>],
    ) -> BoxFuture<'a, Result<HashSet<usize>, database::Error>> {
        Box::pin(unsettled::unsettled(store, awaited))
    }
}

impl<'a> Rows<'a> {
    fn add(&mut self, state: &'a MatchState) {
        let table = &state.table;
        let (winners, resigned) = (table.winners().unwrap_or_default(), table.resigned());
        let scores = table.scores();
        // Winners come first, however the match was decided, then the others by points, and seats
        // that resigned come last.
        let merit = |seat: Seat| match (winners.has(seat), resigned.has(seat)) {
            (true, _) => (0, Reverse(0)),
            (false, false) => (1, Reverse(scores[seat.index()])),
            (false, true) => (2, Reverse(0)),
        };
        let pool = Pool::of(state).key();
        for seat in table.seats() {
            let ahead = table.seats().filter(|&other| merit(other) < merit(seat)).count();
            self.buckets.push(state.bucket());
            self.match_ids.push(state.row.match_id);
            self.seats.push(u8::from(seat).into());
            self.platforms.push(&state.row.platform);
            self.pools.push(pool.clone());
            self.points.push(scores[seat.index()]);
            self.ranks.push(ahead as i16 + 1);
            self.outcomes.push(match (winners.has(seat), winners.len()) {
                (false, _) => Outcome::Lost,
                (true, 1) => Outcome::Won,
                (true, _) => Outcome::Shared,
            });
            self.end_times.push(state.update_time);
        }
    }

    /// Creates the rows of these results' leagues, if they do not exist.
    async fn create_leagues(&self, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        let mut leagues: Vec<(&str, &str)> =
            self.platforms.iter().copied().zip(self.pools.iter().map(String::as_str)).collect();
        leagues.sort_unstable();
        leagues.dedup();
        let buckets: Vec<Bucket> =
            leagues.iter().map(|(platform, _)| Bucket::of_name(platform)).collect();
        let (platforms, pools): (Vec<&str>, Vec<&str>) = leagues.into_iter().unzip();
        sqlx::query(
            "insert into leagues (bucket, platform, game)
             select *
             from unnest($1::smallint[], $2::text[], $3::text[])
             on conflict do nothing",
        )
        .bind(buckets)
        .bind(platforms)
        .bind(pools)
        .execute(connection)
        .await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Outcome::{Lost, Shared, Won};
    use super::*;
    use table::{Event, Seats};

    /// Checks ranks and outcomes by seat, in a match of three seats with these points.
    #[track_caller]
    fn check(
        points: [i32; 3],
        resigned: Option<usize>,
        winners: &[usize],
        expected: [(i16, Outcome); 3],
    ) {
        let seats: Vec<Seat> =
            MatchState::sample("mountebank", None, vec![]).table.seats().collect();
        let mut events: Vec<Event> = Vec::new();
        events
            .extend(seats.iter().zip(points).map(|(&seat, points)| Event::Scored { seat, points }));
        events.extend(resigned.map(|seat| Event::Resigned { seat: seats[seat] }));
        let mut won = Seats::default();
        winners.iter().for_each(|&seat| won.add(seats[seat]));
        events.push(Event::Ended { winners: won });
        let state = MatchState::sample("mountebank", None, events);
        let mut rows = Rows::default();
        rows.add(&state);
        let found: Vec<_> = rows.ranks.into_iter().zip(rows.outcomes).collect();
        assert_eq!((found, rows.points), (expected.to_vec(), points.to_vec()));
        assert_eq!(rows.seats, [0, 1, 2]);
    }

    #[test]
    fn a_sole_winner_has_won() {
        check([3, 9, 5], None, &[1], [(3, Lost), (1, Won), (2, Lost)]);
    }

    #[test]
    fn winners_share_a_win_and_their_rank() {
        check([9, 5, 9], None, &[0, 2], [(1, Shared), (3, Lost), (1, Shared)]);
    }

    #[test]
    fn a_winner_ranks_first_despite_fewer_points() {
        check([3, 9, 5], None, &[0], [(1, Won), (2, Lost), (3, Lost)]);
    }

    #[test]
    fn a_seat_that_resigned_ranks_last_despite_more_points() {
        check([9, 5, 3], Some(0), &[1], [(3, Lost), (1, Won), (2, Lost)]);
    }

    #[test]
    fn equal_points_share_a_rank() {
        check([5, 9, 5], None, &[1], [(2, Lost), (1, Won), (2, Lost)]);
    }

    #[test]
    fn outcomes_have_the_numbers_that_the_tables_document() {
        assert_eq!([Lost, Won, Shared].map(|outcome| outcome as i16), [0, 1, 2]);
    }
}
