//! Players, standings, holdings and projections as messages of the contract.

use clocks::ClockClass;
use contract::names::{game_name, player_name, projection_name};
use contract::v1;
use matches::{Outcome, Pool, RatingChange};

use super::values::{match_name, timestamp, wire_position};

pub(crate) fn player_of(player: &str, page: matches::Player) -> v1::Player {
    let standing = |league: matches::League| standing_of(&league.pool, league.standing);
    let opponents = page.opponents.into_iter().map(|it| v1::Opponent {
        player: it.opponent,
        played: it.played.unsigned_abs(),
        ahead: it.ahead.unsigned_abs(),
        behind: it.behind.unsigned_abs(),
        level: it.level.unsigned_abs(),
    });
    v1::Player {
        name: player_name(player),
        standings: page.leagues.into_iter().map(standing).collect(),
        opponents: opponents.collect(),
    }
}

/// A rating is provisional while its deviation, in millionths, is larger.
const PROVISIONAL_DEVIATION: i64 = 6_000_000;

fn whole(millionths: i64) -> f64 {
    millionths as f64 / 1e6
}

pub(crate) fn standing_of(pool: &Pool, standing: matches::Standing) -> v1::Standing {
    v1::Standing {
        player: standing.player,
        game: game_name(&pool.game),
        seats: pool.seats.into(),
        clock_class: clock_class_of(pool.clock).into(),
        provisional: standing.deviation > PROVISIONAL_DEVIATION,
        rating: whole(standing.rating),
        mean: whole(standing.mean),
        deviation: whole(standing.deviation),
        played: standing.played.unsigned_abs(),
        won: standing.won.unsigned_abs(),
        shared: standing.shared.unsigned_abs(),
        last_end_time: Some(timestamp(standing.last_end_time)),
    }
}

pub(crate) fn rating_change_of(pool: &Pool, it: RatingChange) -> v1::RatingChange {
    let RatingChange { result, before } = it;
    let outcome = match result.outcome {
        Outcome::Lost => v1::Outcome::Lost,
        Outcome::Won => v1::Outcome::Won,
        Outcome::Shared => v1::Outcome::Shared,
    };
    let rating = |(mean, deviation): (i64, i64)| v1::Rating {
        rating: whole(mean - 3 * deviation),
        mean: whole(mean),
        deviation: whole(deviation),
        provisional: deviation > PROVISIONAL_DEVIATION,
    };
    v1::RatingChange {
        r#match: match_name(result.match_id),
        game: game_name(&pool.game),
        seats: pool.seats.into(),
        clock_class: clock_class_of(pool.clock).into(),
        end_time: Some(timestamp(result.end_time)),
        seat: result.seat.unsigned_abs().into(),
        points: result.points,
        rank: result.rank.unsigned_abs().into(),
        outcome: outcome.into(),
        before: before.map(rating),
        after: Some(rating((result.mean, result.deviation))),
    }
}

pub(crate) fn clock_class_of(it: ClockClass) -> v1::ClockClass {
    match it {
        ClockClass::Untimed => v1::ClockClass::Untimed,
        ClockClass::Blitz => v1::ClockClass::Blitz,
        ClockClass::Live => v1::ClockClass::Live,
        ClockClass::Daily => v1::ClockClass::Daily,
    }
}

pub(crate) fn projection_of(it: matches::Projection) -> v1::Projection {
    v1::Projection {
        name: projection_name(it.model.name()),
        generation: it.generation.unsigned_abs(),
        lag: count(it.lag),
        behind_since_time: it.behind_since.map(timestamp),
        rebuilding_generation: it.rebuilding.map(|(generation, _)| generation.unsigned_abs()),
        rebuilding_lag: it.rebuilding.map_or(0, |(_, lag)| count(lag)),
    }
}

fn count(entries: i64) -> u32 {
    u32::try_from(entries.max(0)).unwrap_or(u32::MAX)
}

/// A purse has fewer coins than 2^31, as `Purse.amount`.
fn coins(count: i64) -> i32 {
    i32::try_from(count).unwrap_or(if count < 0 { i32::MIN } else { i32::MAX })
}

pub(crate) fn holding_of(it: matches::Holding) -> v1::Holding {
    v1::Holding {
        seat: it.seat.unsigned_abs().into(),
        pieces: it.pieces.unsigned_abs(),
        coins: it.coins.into_iter().map(|(coin, count)| (coin, coins(count))).collect(),
        position: wire_position(it.position),
    }
}
