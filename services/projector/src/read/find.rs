//! Finding matches: by who sat there, how they stand, when they were, and what their platform noted
//! about them.

use sqlx::{FromRow, Postgres, QueryBuilder};
use store::{MatchId, Position, Tags};
use time::OffsetDateTime;

use super::Reader;
use crate::Error;

/// Which matches to find. Whatever is none or empty is not asked about.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub game: Option<String>,
    pub state: Option<State>,
    /// Somebody who sits there.
    pub player: Option<String>,
    /// Somebody else who sits there.
    pub opponent: Option<String>,
    /// Somebody who won, alone or with others.
    pub winner: Option<String>,
    /// What became of `player`; of no effect without one.
    pub outcome: Option<Outcome>,
    /// Created at this time or later, and before that one.
    pub from: Option<OffsetDateTime>,
    pub until: Option<OffsetDateTime>,
    /// How many entries it has, at least and at most.
    pub length_min: Option<i64>,
    pub length_max: Option<i64>,
    /// All of them.
    pub tags: Tags,
    pub oldest_first: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Open,
    Running,
    Ended,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Won,
    /// Won together with others.
    Shared,
    Lost,
}

/// The last match of a page: when it was created, and its id. Neither ever changes, so pages stay
/// right while matches come about and go on.
pub type Cursor = (OffsetDateTime, MatchId);

/// A match that was found, and what of its standing its last entry alone does not tell.
#[derive(Clone, Debug, FromRow)]
pub struct Found {
    pub match_id: MatchId,
    pub create_time: OffsetDateTime,
    /// The entry after which it stood so; none before the deal.
    pub position: Option<Position>,
    pub round: Option<i16>,
    pub turn: Option<i16>,
    pub scores: Option<Vec<i32>>,
}

impl Reader {
    /// A platform's matches that pass a filter, in the order of their creation, after a cursor, at
    /// most `limit`.
    pub async fn find(
        &self,
        platform: &str,
        filter: &Filter,
        after: Option<Cursor>,
        limit: usize,
    ) -> Result<Vec<Found>, Error> {
        let mut query = filter.query(platform, after, limit);
        Ok(query.build_query_as().fetch_all(self.store.pool()).await?)
    }
}

impl Filter {
    /// The question in SQL, with those clauses alone that it needs: each combination gets a plan of
    /// its own.
    fn query(&self, platform: &str, after: Option<Cursor>, limit: usize) -> QueryBuilder<Postgres> {
        let index = self.index();
        let (time, order) = (index.time(), if self.oldest_first { "asc" } else { "desc" });
        let mut query = QueryBuilder::new(
            "select of.match_id, matches.create_time, now.position, now.round, now.turn, now.scores
             from ",
        );
        query.push(index.table()).push(
            " as of
             join matches on matches.bucket = of.bucket and matches.match_id = of.match_id
             left join match_summaries as now on now.bucket = of.bucket and now.match_id = of.match_id
             where of.platform = ",
        );
        query.push_bind(platform.to_owned());
        index.narrow(&mut query);
        self.narrow_by_match(&mut query, time);
        self.narrow_by_people(&mut query);
        self.narrow_by_tags(&mut query);
        if let Some((create_time, match_id)) = after {
            let side = if self.oldest_first { ">" } else { "<" };
            query.push(format!(" and (of.{time}, of.match_id) {side} ("));
            query.push_bind(create_time).push(", ").push_bind(match_id).push(")");
        }
        query.push(format!(" order by of.{time} {order}, of.match_id {order} limit "));
        query.push_bind(limit as i64);
        query
    }

    /// The index to walk: the one that is likely to hold the fewest matches.
    fn index(&self) -> Index<'_> {
        let person = self.player.as_ref().or(self.winner.as_ref()).or(self.opponent.as_ref());
        if let Some(person) = person {
            Index::Seats(person)
        } else if let Some((key, value)) = self.tags.first_key_value() {
            Index::Tags(key, value)
        } else if self.state == Some(State::Running) {
            Index::Running
        } else {
            Index::Matches
        }
    }

    fn narrow_by_match(&self, query: &mut QueryBuilder<Postgres>, time: &str) {
        if let Some(game) = &self.game {
            // Of the table that is walked, if it has the game: then there is an index of both.
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

    fn narrow_by_people(&self, query: &mut QueryBuilder<Postgres>) {
        for person in self.player.iter().chain(&self.opponent).chain(&self.winner) {
            at_the_table(query, person).push(")");
        }
        if let Some(winner) = &self.winner {
            at_the_table(query, winner).push(" and seats.seat = any(now.winners))");
        }
        if let (Some(player), Some(outcome)) = (&self.player, self.outcome) {
            at_the_table(query, player).push(match outcome {
                Outcome::Won => " and now.winners = array[seats.seat])",
                Outcome::Shared => {
                    " and seats.seat = any(now.winners) and cardinality(now.winners) > 1)"
                }
                Outcome::Lost => " and seats.seat <> all(now.winners))",
            });
        }
    }

    fn narrow_by_tags(&self, query: &mut QueryBuilder<Postgres>) {
        for (key, value) in &self.tags {
            query.push(
                " and exists (
                     select
                     from match_tags as tag
                     where tag.bucket = of.bucket and tag.match_id = of.match_id and tag.key = ",
            );
            query.push_bind(key.clone()).push(" and tag.value = ").push_bind(value.clone());
            query.push(")");
        }
    }
}

/// Begins a clause: this person sits there. The caller closes it.
fn at_the_table<'q>(
    query: &'q mut QueryBuilder<Postgres>,
    person: &str,
) -> &'q mut QueryBuilder<Postgres> {
    query.push(
        " and exists (
             select
             from seats
             where seats.bucket = of.bucket and seats.match_id = of.match_id and seats.player = ",
    );
    query.push_bind(person.to_owned())
}

/// What a list is read from: each is an index of a platform's matches in the order of their
/// creation.
enum Index<'a> {
    Seats(&'a str),
    Tags(&'a str, &'a str),
    Running,
    Matches,
}

impl Index<'_> {
    fn table(&self) -> &'static str {
        match self {
            Index::Seats(_) => "seats",
            Index::Tags(..) => "match_tags",
            Index::Running => "match_summaries",
            Index::Matches => "matches",
        }
    }

    /// The column of the match's creation.
    fn time(&self) -> &'static str {
        match self {
            Index::Seats(_) | Index::Tags(..) => "match_create_time",
            Index::Running | Index::Matches => "create_time",
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
            Index::Matches => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_has_only_the_clauses_it_needs() {
        let all = Filter::default().query("ours", None, 10);
        assert!(all.sql().as_str().contains("from matches as of"));
        assert!(!all.sql().as_str().contains("exists"));
        let hers = Filter { player: Some("ottoline".to_owned()), ..Filter::default() };
        assert!(hers.query("ours", None, 10).sql().as_str().contains("from seats as of"));
    }
}
