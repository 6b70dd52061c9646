//! The model `holdings`: what each seat holds, as far as it is public.

use std::collections::BTreeMap;

use sqlx::PgConnection;
use store::{Bucket, MatchId, Position};
use table::{Small, Viewer};

use super::array_text;
use crate::match_cache::MatchState;

/// Rows, one vector per column.
#[derive(Default)]
struct Rows {
    buckets: Vec<Bucket>,
    match_ids: Vec<MatchId>,
    positions: Vec<Position>,
    pieces: Vec<String>,
    coins: Vec<String>,
}

pub(super) async fn write(
    connection: &mut PgConnection,
    matches: &[&MatchState],
) -> Result<(), sqlx::Error> {
    let mut rows = Rows::default();
    matches.iter().for_each(|state| rows.add(state));
    sqlx::query(
        "insert into holdings (bucket, match_id, position, pieces, coins)
         select bucket, match_id, position, pieces::int[], coins::jsonb
         from unnest($1::smallint[], $2::uuid[], $3::int8[], $4::text[], $5::text[])
             as it (bucket, match_id, position, pieces, coins)
         on conflict (bucket, match_id) do update
         set position = excluded.position,
             pieces = excluded.pieces,
             coins = excluded.coins",
    )
    .bind(rows.buckets)
    .bind(rows.match_ids)
    .bind(rows.positions)
    .bind(rows.pieces)
    .bind(rows.coins)
    .execute(connection)
    .await?;
    Ok(())
}

impl Rows {
    fn add(&mut self, state: &MatchState) {
        let (pieces, coins) = public_holdings(state);
        self.buckets.push(state.bucket());
        self.match_ids.push(state.row.match_id);
        self.positions.push(state.position);
        self.pieces.push(array_text(&pieces));
        self.coins.push(serde_json::to_string(&coins).expect("names and numbers are JSON"));
    }
}

/// By seat: the number of pieces, and the amount of each coin.
fn public_holdings(state: &MatchState) -> (Vec<usize>, Vec<BTreeMap<&'static str, i64>>) {
    // A match that is revealed later, or never, is not included in full even once it is revealed: a
    // row must not depend on when it is written.
    let is_revealed = state.table.ended() && state.row.reveal_wait_s == Some(0);
    let viewer = if is_revealed { Viewer::House } else { Viewer::Spectator };
    let (table, layout) = (state.table.seen_by(viewer), state.table.layout());
    let mut pieces = vec![0; table.seat_count()];
    let mut coins = vec![BTreeMap::new(); table.seat_count()];
    for seen in table.places() {
        let Some(seat) = seen.place.seat else { continue };
        let unseen: usize = seen.unseen.iter().map(|(_, count)| count).sum();
        pieces[seat.index()] += seen.pieces.iter().count() + unseen;
        for (coin, amount) in seen.purses {
            let held = coins[seat.index()].entry(layout.coin_name(coin)).or_default();
            *held += i64::from(amount);
        }
    }
    (pieces, coins)
}

#[cfg(test)]
mod tests {
    use super::*;
    use table::{Event, Seat, Seats, Sight};

    /// Pays 5 into the private stash of the first seat, and perhaps ends the match. Returns what
    /// the public sees of the stash.
    fn public_stash(reveal_wait_s: Option<i64>, ends: bool) -> Option<i64> {
        let layout = games::find("among-thieves").unwrap().layout();
        let is_private = |place| {
            let mut rows = layout.places().iter();
            rows.any(|row| row.id == place && row.sight == Sight::Only(Seat::default()))
        };
        let stash = layout.purses().iter().find(|purse| is_private(purse.place)).unwrap();
        let is_bank = |purse: &&table::PurseRow| purse.is_bank && purse.coin == stash.coin;
        let bank = layout.purses().iter().find(is_bank).unwrap();
        let (from, to, amount) = (bank.place, stash.place, Some(5));
        let mut events = vec![Event::Paid { coin: stash.coin, from, to, amount, aloud: false }];
        events.extend(ends.then(|| Event::Ended { winners: Seats::default() }));
        let state = MatchState::sample("among-thieves", reveal_wait_s, events);
        let (_, coins) = public_holdings(&state);
        coins[0].get(layout.coin_name(stash.coin)).copied()
    }

    #[test]
    fn a_private_purse_is_included_only_once_the_match_is_revealed() {
        assert_eq!(public_stash(Some(0), false), None, "the match is running");
        assert_eq!(public_stash(Some(0), true), Some(5), "the match is revealed at its end");
        assert_eq!(public_stash(Some(60), true), None, "the match is revealed later");
        assert_eq!(public_stash(None, true), None, "the match is never revealed");
    }
}
