//! The model `holdings`: what lies before each seat, as everybody may know it.

use std::collections::BTreeMap;

use sqlx::PgConnection;
use store::{Bucket, MatchId, Position};
use table::{Small, Viewer};

use super::array;
use crate::fold::Folded;

/// Rows, a column each.
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
    matches: &[&Folded],
) -> Result<(), sqlx::Error> {
    let mut rows = Rows::default();
    matches.iter().for_each(|folded| rows.add(folded));
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
    fn add(&mut self, folded: &Folded) {
        // What everybody may know only later, or never, is not for these rows: they do not depend
        // on when they are written.
        let is_whole = folded.table.ended() && folded.row.reveal_wait_s == Some(0);
        let viewer = if is_whole { Viewer::House } else { Viewer::Spectator };
        let (table, layout) = (folded.table.seen_by(viewer), folded.table.layout());
        let mut pieces = vec![0; table.seat_count()];
        let mut coins: Vec<BTreeMap<&str, i64>> = vec![BTreeMap::new(); table.seat_count()];
        for seen in table.places() {
            let Some(seat) = seen.place.seat else { continue };
            let unseen: usize = seen.unseen.iter().map(|(_, count)| count).sum();
            pieces[seat.index()] += seen.pieces.iter().count() + unseen;
            for (coin, amount) in seen.purses {
                let held = coins[seat.index()].entry(layout.coin_name(coin)).or_default();
                *held += i64::from(amount);
            }
        }
        self.buckets.push(folded.bucket());
        self.match_ids.push(folded.row.match_id);
        self.positions.push(folded.position);
        self.pieces.push(array(&pieces));
        self.coins.push(serde_json::to_string(&coins).expect("names and numbers are JSON"));
    }
}
