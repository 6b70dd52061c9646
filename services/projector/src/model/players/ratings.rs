//! Ratings and head-to-head records, computed from results in order. No database here.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

use positions::Bucket;
use rows::MatchId;
use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};
use time::OffsetDateTime;

use super::outcome::Outcome;

/// A row of `results`, without the columns that settling computes.
#[derive(Clone, sqlx_macros::FromRow)]
pub(super) struct SeatResult {
    pub bucket: Bucket,
    pub match_id: MatchId,
    pub seat: i16,
    pub player: String,
    pub rank: i16,
    pub outcome: Outcome,
    pub end_time: OffsetDateTime,
    /// Whether `opponents` includes this result.
    pub is_counted: bool,
}

/// A player's standing in a league after a match. Mean and deviation are in millionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx_macros::FromRow)]
pub(super) struct Standing {
    pub mean: i64,
    pub deviation: i64,
    pub played: i32,
    pub won: i32,
    pub shared: i32,
}

/// A player's record against another player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct HeadToHead {
    /// Matches in which the player ranked before the other.
    pub ahead: i32,
    pub behind: i32,
    pub level: i32,
}

/// Ratings are stored in millionths.
const MILLION: f64 = 1e6;

/// The results of whole matches. The last match of a page is left out, because more of its seats
/// may follow, unless the page is the last one.
pub(super) fn whole_matches(results: &[SeatResult], is_last_page: bool) -> &[SeatResult] {
    let cut = results.last().filter(|_| !is_last_page).map(|last| last.match_id);
    let whole = results.iter().take_while(|result| Some(result.match_id) != cut).count();
    &results[..whole]
}

/// Updates the players' standings match by match, and returns the standing after each result.
pub(super) fn rate(
    results: &[SeatResult],
    standings: &mut HashMap<String, Standing>,
) -> Vec<Standing> {
    let mut after = Vec::with_capacity(results.len());
    for seats in matches(results) {
        let before: Vec<Standing> = seats
            .iter()
            .map(|seat| standings.get(&seat.player).copied().unwrap_or_default())
            .collect();
        for (seat, standing) in seats.iter().zip(rate_match(seats, &before)) {
            standings.insert(seat.player.clone(), standing);
            after.push(standing);
        }
    }
    after
}

/// By player and opponent: their record in the matches that are not counted yet.
pub(super) fn head_to_heads(results: &[SeatResult]) -> BTreeMap<(&str, &str), HeadToHead> {
    let mut records: BTreeMap<(&str, &str), HeadToHead> = BTreeMap::new();
    for seats in matches(results).filter(|seats| !seats[0].is_counted) {
        for (own, other) in pairs(seats) {
            let record = records.entry((&own.player, &other.player)).or_default();
            match own.rank.cmp(&other.rank) {
                Ordering::Less => record.ahead += 1,
                Ordering::Greater => record.behind += 1,
                Ordering::Equal => record.level += 1,
            }
        }
    }
    records
}

/// The results of each match.
fn matches(results: &[SeatResult]) -> impl Iterator<Item = &[SeatResult]> {
    results.chunk_by(|one, other| one.match_id == other.match_id)
}

/// Each seat with each other seat.
fn pairs(seats: &[SeatResult]) -> impl Iterator<Item = (&SeatResult, &SeatResult)> {
    let others = |own: &SeatResult| {
        let seat = own.seat;
        seats.iter().filter(move |other| other.seat != seat)
    };
    seats.iter().flat_map(move |own| others(own).map(move |other| (own, other)))
}

/// The standings after one match, by the method of Weng and Lin, each seat a team of one.
fn rate_match(seats: &[SeatResult], before: &[Standing]) -> Vec<Standing> {
    let teams: Vec<[WengLinRating; 1]> =
        before.iter().map(|standing| [standing.rating()]).collect();
    let ranked: Vec<(&[WengLinRating], MultiTeamOutcome)> = teams
        .iter()
        .zip(seats)
        .map(|(team, seat)| (&team[..], MultiTeamOutcome::new(seat.rank as usize)))
        .collect();
    let after = weng_lin_multi_team(&ranked, &WengLinConfig::new());
    let seats = seats.iter().zip(before).zip(after);
    seats.map(|((seat, before), after)| before.after(seat.outcome, after[0])).collect()
}

impl Standing {
    fn rating(&self) -> WengLinRating {
        let (mean, deviation) = (self.mean as f64 / MILLION, self.deviation as f64 / MILLION);
        WengLinRating { rating: mean, uncertainty: deviation }
    }

    fn after(&self, outcome: Outcome, rating: WengLinRating) -> Standing {
        let (won, shared) = match outcome {
            Outcome::Lost => (0, 0),
            Outcome::Won => (1, 0),
            Outcome::Shared => (0, 1),
        };
        Standing {
            mean: millionths(rating.rating),
            deviation: millionths(rating.uncertainty),
            played: self.played + 1,
            won: self.won + won,
            shared: self.shared + shared,
        }
    }
}

/// The standing of a player without results.
impl Default for Standing {
    fn default() -> Standing {
        let WengLinRating { rating, uncertainty } = WengLinRating::new();
        let (mean, deviation) = (millionths(rating), millionths(uncertainty));
        Standing { mean, deviation, played: 0, won: 0, shared: 0 }
    }
}

fn millionths(number: f64) -> i64 {
    (number * MILLION).round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use sqlx::types::Uuid;
    use time::Duration;

    /// A match between these players, with their ranks.
    fn played(nth: i64, players: &[(&str, i16)]) -> Vec<SeatResult> {
        let match_id = MatchId(Uuid::from_u128(nth as u128));
        let winners = players.iter().filter(|(_, rank)| *rank == 1).count();
        let seat = |(seat, &(player, rank)): (usize, &(&str, i16))| SeatResult {
            bucket: Bucket::of(match_id),
            match_id,
            seat: seat as i16,
            player: player.to_owned(),
            rank,
            outcome: match (rank, winners) {
                (1, 1) => Outcome::Won,
                (1, _) => Outcome::Shared,
                _ => Outcome::Lost,
            },
            end_time: OffsetDateTime::UNIX_EPOCH + Duration::seconds(nth),
            is_counted: false,
        };
        players.iter().enumerate().map(seat).collect()
    }

    fn rated(results: &[SeatResult]) -> HashMap<String, Standing> {
        let mut standings = HashMap::new();
        rate(results, &mut standings);
        standings
    }

    #[test]
    fn a_player_without_results_has_the_default_rating_and_no_matches() {
        let new = Standing { mean: 25_000_000, deviation: 8_333_333, played: 0, won: 0, shared: 0 };
        assert_eq!(Standing::default(), new);
    }

    #[test]
    fn winners_rise_and_losers_fall() {
        let results = [
            played(1, &[("ada", 1), ("ben", 2)]), //
            played(2, &[("ben", 2), ("ada", 1)]),
        ]
        .concat();
        let mut standings = HashMap::new();
        let after = rate(&results, &mut standings);
        let new = Standing::default();
        assert!(after[0].mean > new.mean && after[1].mean < new.mean);
        assert!(after[0].deviation < new.deviation, "a result makes the rating more certain");
        assert!(standings["ada"].mean > after[0].mean);
        assert!(standings["ben"].mean < after[1].mean);
    }

    #[test]
    fn the_better_ranked_of_two_losers_falls_less() {
        let standings = rated(&played(1, &[("ada", 3), ("ben", 1), ("eve", 2)]));
        assert!(standings["ben"].mean > standings["eve"].mean);
        assert!(standings["eve"].mean > standings["ada"].mean);
    }

    #[test]
    fn wins_and_shared_wins_are_counted_apart() {
        let results = [
            played(1, &[("ada", 1), ("ben", 2), ("eve", 3)]),
            played(2, &[("ada", 1), ("ben", 2), ("eve", 3)]),
            played(3, &[("ada", 1), ("ben", 1), ("eve", 3)]),
        ]
        .concat();
        let standings = rated(&results);
        let counts = |player: &str| {
            let it = standings[player];
            (it.played, it.won, it.shared)
        };
        assert_eq!(counts("ada"), (3, 2, 1));
        assert_eq!(counts("ben"), (3, 0, 1));
        assert_eq!(counts("eve"), (3, 0, 0));
    }

    #[test]
    fn ratings_depend_on_the_order_of_the_results() {
        let ada_wins = || played(1, &[("ada", 1), ("ben", 2)]);
        let ben_wins = || played(2, &[("ada", 2), ("ben", 1)]);
        let ada_first = rated(&[ada_wins(), ben_wins()].concat());
        let ben_first = rated(&[ben_wins(), ada_wins()].concat());
        assert_ne!(ada_first["ada"].mean, ben_first["ada"].mean);
        assert_eq!(ada_first["ada"], Standing { won: 1, ..ben_first["ben"] });
    }

    #[test]
    fn the_standing_after_a_match_is_the_standing_before_the_next() {
        let (first, second) =
            (played(1, &[("ada", 1), ("ben", 2)]), played(2, &[("ada", 2), ("ben", 1)]));
        let mut standings = rated(&first);
        let after = rate(&second, &mut standings);
        assert_eq!(rated(&[first, second].concat()), standings);
        assert_eq!(after, [standings["ada"], standings["ben"]]);
    }

    #[test]
    fn a_player_is_ahead_of_those_that_rank_after() {
        let results = [
            played(1, &[("ada", 1), ("ben", 2), ("eve", 2)]), //
            played(2, &[("ada", 1), ("ben", 2)]),
        ]
        .concat();
        let records = head_to_heads(&results);
        let record = |own, other| {
            let HeadToHead { ahead, behind, level } = records[&(own, other)];
            (ahead, behind, level)
        };
        assert_eq!(record("ada", "ben"), (2, 0, 0));
        assert_eq!(record("ben", "ada"), (0, 2, 0));
        assert_eq!(record("ada", "eve"), (1, 0, 0));
        assert_eq!(record("eve", "ada"), (0, 1, 0));
        assert_eq!(record("ben", "eve"), (0, 0, 1));
        assert_eq!(records.len(), 6);
    }

    #[test]
    fn a_match_is_counted_among_opponents_once() {
        let mut results = played(1, &[("ada", 1), ("ben", 2)]);
        results.iter_mut().for_each(|result| result.is_counted = true);
        assert!(head_to_heads(&results).is_empty());
    }

    #[test]
    fn a_page_ends_with_a_whole_match() {
        let results = [
            played(1, &[("ada", 1), ("ben", 2)]), //
            played(2, &[("ada", 1), ("eve", 2)]),
        ]
        .concat();
        assert_eq!(whole_matches(&results, true).len(), 4);
        assert_eq!(whole_matches(&results, false).len(), 2);
    }
}
