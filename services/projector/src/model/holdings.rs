//! The model `holdings`: what lies before each seat, as everybody may know it.

use log::{Bucket, MatchId};
use sqlx::PgConnection;
use std::collections::BTreeMap;
use table::{Small, Viewer};

use crate::fold::Folded;

#[derive(Default)]
struct Rows {
    buckets: Vec<Bucket>,
    match_ids: Vec<MatchId>,
    seats: Vec<i16>,
    positions: Vec<i64>,
    pieces: Vec<i32>,
    coins: Vec<String>,
}

pub(super) async fn write(
    connection: &mut PgConnection,
    matches: &[&Folded],
) -> Result<(), sqlx::Error> {
    let mut rows = Rows::default();
    matches.iter().for_each(|folded| rows.add(folded));
    sqlx::query(
        "insert into holdings (bucket, match_id, seat, position, pieces, coins)
         select bucket, match_id, seat, position, pieces, coins::jsonb
         from unnest($1::smallint[], $2::uuid[], $3::smallint[], $4::int8[], $5::int[], $6::text[])
             as it (bucket, match_id, seat, position, pieces, coins)
         on conflict (bucket, match_id, seat) do update
         set position = excluded.position,
             pieces = excluded.pieces,
             coins = excluded.coins",
    )
    .bind(rows.buckets)
    .bind(rows.match_ids)
    .bind(rows.seats)
    .bind(rows.positions)
    .bind(rows.pieces)
    .bind(rows.coins)
    .execute(connection)
    .await?;
    Ok(())
}

impl Rows {
    fn add(&mut self, folded: &Folded) {
        // What everybody may know only later, or never, is not for these rows: they do not depend on when they are written.
        let is_whole = folded.table.ended() && folded.row.reveal_wait_s == Some(0);
        let eyes = if is_whole { Viewer::House } else { Viewer::Spectator };
        let (table, layout) = (folded.table.seen_by(eyes), folded.table.layout());
        let mut held: Vec<(i32, BTreeMap<&str, i64>)> =
            vec![Default::default(); table.seat_count()];
        for seen in table.places() {
            let Some(seat) = seen.place.seat else { continue };
            let (pieces, coins) = &mut held[seat.index()];
            let unseen: usize = seen.unseen.iter().map(|(_, count)| count).sum();
            *pieces += (seen.pieces.iter().count() + unseen) as i32;
            for (coin, amount) in seen.purses {
                *coins.entry(layout.coin_name(coin)).or_default() += i64::from(amount);
            }
        }
        for ((pieces, coins), seat) in held.into_iter().zip(0..) {
            self.buckets.push(Bucket::of(folded.row.match_id));
            self.match_ids.push(folded.row.match_id);
            self.seats.push(seat);
            self.positions.push(folded.position.0);
            self.pieces.push(pieces);
            self.coins.push(serde_json::to_string(&coins).expect("names and numbers are JSON"));
        }
    }
}
