//! Players, standings, holdings and projections as messages of the contract.

use contract::names::{game_name, player_name, projection_name};
use contract::v1;

use super::values::{timestamp, wire_position};

pub(crate) fn player_of(player: &str, page: matches::Player) -> v1::Player {
    let standing = |league: matches::League| standing_of(&league.game, league.standing);
    let opponents = page.opponents.into_iter().map(|it| v1::Opponent {
        player: player_name(&it.opponent),
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

pub(crate) fn standing_of(game: &str, standing: matches::Standing) -> v1::Standing {
    let whole = |millionths: i64| millionths as f64 / 1e6;
    v1::Standing {
        player: player_name(&standing.player),
        game: game_name(game),
        rating: whole(standing.rating),
        mean: whole(standing.mean),
        deviation: whole(standing.deviation),
        played: standing.played.unsigned_abs(),
        won: standing.won.unsigned_abs(),
        shared: standing.shared.unsigned_abs(),
        last_end_time: Some(timestamp(standing.last_end_time)),
    }
}

pub(crate) fn projection_of(it: matches::Projection) -> v1::Projection {
    v1::Projection {
        name: projection_name(it.model.name()),
        generation: it.generation.unsigned_abs(),
        lag: it.lag,
        behind_since: it.behind_since.map(timestamp),
        rebuilding_generation: it.rebuilding.map(|(generation, _)| generation.unsigned_abs()),
        rebuilding_lag: it.rebuilding.map_or(0, |(_, lag)| lag),
    }
}

pub(crate) fn holding_of(it: matches::Holding) -> v1::Holding {
    v1::Holding {
        seat: it.seat.unsigned_abs().into(),
        pieces: it.pieces.unsigned_abs(),
        coins: it.coins.into_iter().collect(),
        position: wire_position(it.position),
    }
}
