//! Searching matches by players, state, time, length and tags.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use database::{OfNodes, Pool};
use positions::{Bucket, Position};
use rows::{MatchId, Tags};
use sqlx::{Postgres, QueryBuilder};
use time::OffsetDateTime;

use super::summaries::{PUBLIC_STATE_COLUMNS, StoredState};
use crate::error::Error;
use crate::model::players::Outcome;
use crate::reader::Reader;

/// A search. Filters are combined with AND; empty filters are ignored.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub game: Option<String>,
    pub state: Option<State>,
    /// A player with a seat in the match.
    pub player: Option<String>,
    /// Another player with a seat in the match.
    pub opponent: Option<String>,
    /// A player who won, alone or with others.
    pub winner: Option<String>,
    /// The outcome for `player`; ignored without one.
    pub outcome: Option<Outcome>,
    /// Created at this time or later.
    pub from: Option<OffsetDateTime>,
    /// Created before this time.
    pub until: Option<OffsetDateTime>,
    /// The minimum number of entries.
    pub length_min: Option<i64>,
    /// The maximum number of entries.
    pub length_max: Option<i64>,
    /// Tags that the match must have, all of them.
    pub tags: Tags,
    /// A player whom the match waits for.
    pub waiting_for: Option<String>,
    pub oldest_first: bool,
    /// Only matches with a running clock, the soonest deadline first.
    pub by_deadline: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Not dealt yet.
    Open,
    Running,
    Ended,
}

/// The listed time and the id of the last match of a page. The listed time is the creation time,
/// which never changes, so pages stay correct while matches are created and played. In a list by
/// deadline it is the deadline, which changes with each entry.
pub type Cursor = (OffsetDateTime, MatchId);

/// A match that was found.
#[derive(Clone, Debug, sqlx_macros::FromRow)]
pub struct FoundMatch {
    pub match_id: MatchId,
    /// The time by which the list is ordered.
    pub listed_time: OffsetDateTime,
    /// The entry that `state` includes; `None` before the deal.
    pub position: Option<Position>,
    #[sqlx(flatten)]
    pub state: StoredState,
}

impl Reader {
    /// A platform's matches that pass a filter, after a cursor, by creation time, newest first
    /// unless the filter says otherwise, or by deadline; at most `limit`. Matches on unreachable
    /// nodes of the database are missing.
    pub async fn find(
        &self,
        platform: &str,
        filter: &Filter,
        after: Option<Cursor>,
        limit: usize,
    ) -> Result<OfNodes<FoundMatch>, Error> {
        if filter.from.zip(filter.until).is_some_and(|(from, until)| from >= until) {
            // Citus refuses a condition that can never hold.
            return Ok(OfNodes { found: Vec::new(), away: Vec::new() });
        }
        let is_sharded = self.store.database().is_sharded().await?;
        let read = async |pool: Pool, buckets: Vec<Bucket>| {
            let buckets = is_sharded.then_some(&buckets[..]);
            let mut query = filter.query(platform, after, limit, buckets);
            Ok(query.build_query_as().fetch_all(&pool).await?)
        };
        let found = self.store.database().each_node(read).await?;
        let place = |it: &FoundMatch| (it.listed_time, it.match_id);
        Ok(match filter.is_ascending() {
            true => found.in_order(limit, place),
            false => found.in_order(limit, |it| Reverse(place(it))),
        })
    }
}

impl Filter {
    /// The query, with only the clauses that the filter needs, so that each combination gets its
    /// own plan. In a database of several nodes it names, for every table, the buckets of one.
    fn query(
        &self,
        platform: &str,
        after: Option<Cursor>,
        limit: usize,
        buckets: Option<&[Bucket]>,
    ) -> QueryBuilder<Postgres> {
        let index = self.index();
        let time = index.time_column();
        let (order, side) = if self.is_ascending() { ("asc", ">") } else { ("desc", "<") };
        let listed = match (self.by_deadline, &index) {
            (false, _) => format!("of.{time}"),
            (true, Index::Deadlines) => "of.deadline".to_owned(),
            (true, Index::Seats(_) | Index::Tags(..) | Index::Running | Index::Matches) => {
                "now.deadline".to_owned()
            }
        };
        let mut query = QueryBuilder::new(format!(
            "select of.match_id, {listed} as listed_time, now.position, {PUBLIC_STATE_COLUMNS} from "
        ));
        query.push(index.table()).push(" as of");
        if !matches!(index, Index::Matches) {
            // The limit tells the planner that each row has one match, which it cannot know.
            query.push(
                " cross join lateral (
                     select game
                     from matches as its
                     where its.bucket = of.bucket and its.match_id = of.match_id",
            );
            push_buckets(&mut query, "its", buckets);
            query.push(" limit 1) as matches");
        }
        query.push(
            " left join match_summaries as now on now.bucket = of.bucket and now.match_id = of.match_id",
        );
        push_buckets(&mut query, "now", buckets);
        query.push(" where of.platform = ").push_bind(platform.to_owned());
        push_buckets(&mut query, "of", buckets);
        index.narrow(&mut query);
        self.narrow_by_match(&mut query, time);
        self.narrow_by_players(&mut query, buckets);
        self.narrow_by_tags(&mut query, buckets);
        if let Some((create_time, match_id)) = after {
            query.push(format!(" and ({listed}, of.match_id) {side} ("));
            query.push_bind(create_time).push(", ").push_bind(match_id).push(")");
        }
        if self.by_deadline {
            query.push(format!(" and {listed} is not null"));
        }
        query.push(format!(" order by {listed} {order}, of.match_id {order} limit "));
        query.push_bind(limit as i64);
        query
    }

    /// For tests: the statements of filters of every form, for one of several nodes, on the first
    /// page and after this cursor.
    #[doc(hidden)]
    pub fn statements_on_nodes(cursor: Cursor) -> BTreeSet<String> {
        let name = |is_there: bool| is_there.then(|| "ann".to_owned());
        let tags = |count: usize| (0..count).map(|n| (format!("key{n}"), "1".to_owned())).collect();
        let (now, buckets) = (OffsetDateTime::UNIX_EPOCH, [Bucket::of(cursor.1)]);
        let states = [None, Some(State::Open), Some(State::Running), Some(State::Ended)];
        let outcomes = [None, Some(Outcome::Won), Some(Outcome::Shared), Some(Outcome::Lost)];
        let mut statements = BTreeSet::new();
        for (form, state) in (0..512_usize).flat_map(|form| states.map(|state| (form, state))) {
            let has = |nth: usize| form >> nth & 1 == 1;
            // These only add comparisons or turn the order.
            let is_narrow = has(5);
            let player = name(has(0));
            let filter = Filter {
                game: name(is_narrow),
                state,
                outcome: player.as_ref().and(outcomes[form >> 6 & 3]),
                player,
                opponent: name(has(1)),
                winner: name(has(2)),
                from: is_narrow.then_some(now),
                // Tests give each time the same value, and no match is between them.
                until: None,
                length_min: is_narrow.then_some(1),
                length_max: is_narrow.then_some(1),
                tags: tags([0, 2][form >> 3 & 1]),
                waiting_for: name(has(4)),
                oldest_first: is_narrow,
                by_deadline: has(8),
            };
            let query = filter.query("ours", is_narrow.then_some(cursor), 10, Some(&buckets));
            statements.insert(query.sql().as_str().to_owned());
        }
        statements
    }

    fn is_ascending(&self) -> bool {
        self.oldest_first || self.by_deadline
    }

    /// The index to scan: the one that probably selects the fewest matches.
    fn index(&self) -> Index<'_> {
        let player = self.waiting_for.as_ref().or(self.player.as_ref());
        let player = player.or(self.winner.as_ref()).or(self.opponent.as_ref());
        if let Some(player) = player {
            Index::Seats(player)
        } else if let Some((key, value)) = self.tags.first_key_value() {
            Index::Tags(key, value)
        } else if self.by_deadline {
            Index::Deadlines
        } else if self.state == Some(State::Running) {
            Index::Running
        } else {
            Index::Matches
        }
    }

    fn narrow_by_match(&self, query: &mut QueryBuilder<Postgres>, time: &str) {
        if let Some(game) = &self.game {
            // Uses the scanned table if it has the column, because then an index covers it.
            let table = if time == "create_time" { "of" } else { "matches" };
            query.push(format!(" and {table}.game = ")).push_bind(game.clone());
        }
        match self.state {
            None => {}
            Some(State::Open) => _ = query.push(" and now.match_id is null"),
            Some(State::Running) => {
                query.push(" and now.match_id is not null and now.winners is null");
            }
            Some(State::Ended) => _ = query.push(" and now.winners is not null"),
        }
        if let Some(from) = self.from {
            query.push(format!(" and of.{time} >= ")).push_bind(from);
        }
        if let Some(until) = self.until {
            query.push(format!(" and of.{time} < ")).push_bind(until);
        }
        if let Some(length) = self.length_min {
            query.push(" and coalesce(now.position, 0) >= ").push_bind(length);
        }
        if let Some(length) = self.length_max {
            query.push(" and coalesce(now.position, 0) <= ").push_bind(length);
        }
    }

    fn narrow_by_players(&self, query: &mut QueryBuilder<Postgres>, buckets: Option<&[Bucket]>) {
        // The index also has matches that `player` has left, so the seat is checked.
        for player in self.opponent.iter().chain(&self.winner) {
            push_has_seat(query, player, "", buckets);
        }
        if let Some(player) = &self.waiting_for {
            push_has_seat(query, player, " and seats.seat = any(now.waiting)", buckets);
            query.push(" and now.winners is null");
        }
        if let Some(winner) = &self.winner {
            push_has_seat(query, winner, " and seats.seat = any(now.winners)", buckets);
        }
        if let (Some(player), Some(outcome)) = (&self.player, self.outcome) {
            // What is not about the seat stands outside: Citus refuses it within the condition.
            let (had, more) = match outcome {
                Outcome::Won => (" and now.winners = array[seats.seat]", ""),
                Outcome::Shared => {
                    (" and seats.seat = any(now.winners)", " and cardinality(now.winners) > 1")
                }
                Outcome::Lost => {
                    (" and seats.seat <> all(now.winners)", " and cardinality(now.winners) > 0")
                }
            };
            push_has_seat(query, player, had, buckets);
            query.push(more);
        }
    }

    fn narrow_by_tags(&self, query: &mut QueryBuilder<Postgres>, buckets: Option<&[Bucket]>) {
        for (key, value) in &self.tags {
            query.push(
                " and exists (
                     select 1
                     from match_tags as tag
                     where tag.bucket = of.bucket and tag.match_id = of.match_id and tag.key = ",
            );
            query.push_bind(key.clone()).push(" and tag.value = ").push_bind(value.clone());
            push_buckets(query, "tag", buckets);
            end_condition(query, buckets);
        }
    }
}

/// Names the buckets that are read of a table, if the database has several nodes.
fn push_buckets(query: &mut QueryBuilder<Postgres>, table: &str, buckets: Option<&[Bucket]>) {
    if let Some(buckets) = buckets {
        query.push(format!(" and {table}.bucket = any(")).push_bind(buckets.to_vec()).push(")");
    }
}

/// Ends a condition that begins with `exists (`.
fn end_condition(query: &mut QueryBuilder<Postgres>, buckets: Option<&[Bucket]>) {
    // Postgres makes a join of a condition without an offset, and Citus refuses the join of a table
    // with a union of others.
    query.push(if buckets.is_some() { " offset 0)" } else { ")" });
}

/// The condition that a player has a seat in the match, and that seat fulfils another condition.
fn push_has_seat(
    query: &mut QueryBuilder<Postgres>,
    player: &str,
    condition: &str,
    buckets: Option<&[Bucket]>,
) {
    query.push(
        " and exists (
             select 1
             from seats
             where seats.bucket = of.bucket and seats.match_id = of.match_id and seats.player = ",
    );
    query.push_bind(player.to_owned());
    push_buckets(query, "seats", buckets);
    query.push(condition);
    end_condition(query, buckets);
}

/// The index that a search scans. Each has a platform's matches by creation time.
enum Index<'a> {
    Seats(&'a str),
    Tags(&'a str, &'a str),
    Deadlines,
    Running,
    Matches,
}

impl Index<'_> {
    fn table(&self) -> &'static str {
        match self {
            Index::Seats(_) => {
                "(
                     select bucket, match_id, platform, player, match_create_time
                     from seats
                     union all
                     select bucket, match_id, platform, player, match_create_time
                     from former_players
                 )"
            }
            Index::Tags(..) => "match_tags",
            Index::Running | Index::Deadlines => "match_summaries",
            Index::Matches => "matches",
        }
    }

    /// The column of the match's creation time.
    fn time_column(&self) -> &'static str {
        match self {
            Index::Seats(_) | Index::Tags(..) => "match_create_time",
            Index::Running | Index::Deadlines | Index::Matches => "create_time",
        }
    }

    fn narrow(&self, query: &mut QueryBuilder<Postgres>) {
        match *self {
            Index::Seats(player) => {
                query.push(" and of.player = ").push_bind(player.to_owned());
            }
            Index::Tags(key, value) => {
                query.push(" and of.key = ").push_bind(key.to_owned());
                query.push(" and of.value = ").push_bind(value.to_owned());
            }
            Index::Running => _ = query.push(" and of.winners is null"),
            Index::Deadlines => _ = query.push(" and of.deadline is not null"),
            Index::Matches => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_has_only_the_clauses_it_needs() {
        let half: Vec<Bucket> = Bucket::all().take(32).collect();
        let text = |filter: &Filter, buckets| {
            filter.query("ours", None, 10, buckets).sql().as_str().to_owned()
        };
        let all = text(&Filter::default(), None);
        assert!(all.contains("from matches as of"));
        assert!(!all.contains("exists") && !all.contains("any("));
        let hers = Filter { player: Some("ottoline".to_owned()), ..Filter::default() };
        assert!(text(&hers, None).contains("from former_players"));
        let soonest = Filter { by_deadline: true, ..Filter::default() };
        assert!(text(&soonest, None).contains("order by of.deadline asc"));
        let some = text(&Filter::default(), Some(&half));
        let of_her = text(&hers, Some(&half));
        for (query, table) in [(&some, "of"), (&some, "now"), (&of_her, "of"), (&of_her, "its")] {
            assert!(query.contains(&format!(" and {table}.bucket = any(")));
        }
    }
}
