//! The model `holdings`: the public holdings of each seat.

use std::collections::BTreeMap;

use positions::{Bucket, Position};
use rows::MatchId;
use sqlx::types::Json;
use sqlx::{PgConnection, Row};
use table::{PlaceId, Small, Viewer};

use super::read_model::{Compared, ReadModel, array_text};
use crate::error::Error;
use crate::fold::MatchState;
use crate::reader::Reader;

/// Rows, one vector per column.
#[derive(Default)]
struct Rows {
    buckets: Vec<Bucket>,
    match_ids: Vec<MatchId>,
    positions: Vec<Position>,
    pieces: Vec<String>,
    coins: Vec<String>,
}

pub(super) struct Holdings;

impl ReadModel for Holdings {
    const NAME: &'static str = "holdings";
    const TABLES: &'static [&'static str] = &["holdings"];
    const COMPARED: &'static [Compared] = &[Compared::whole("holdings", "match_id")];

    async fn write(
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
    // A match with a later reveal stays redacted here even after the reveal: a row must not depend
    // on the time at which it is written.
    let is_revealed = state.table.ended() && state.row.terms.reveal_wait_s == Some(0);
    let viewer = if is_revealed { Viewer::House } else { Viewer::Spectator };
    let (table, layout) = (state.table.seen_by(viewer), state.table.layout());
    let mut pieces = vec![0; table.seat_count()];
    let mut coins = vec![BTreeMap::new(); table.seat_count()];
    let seat_of = |place: PlaceId| {
        let seat = layout.place(place).seat?.index();
        (seat < table.seat_count()).then_some(seat)
    };
    let seen = layout.pieces().iter().filter_map(|row| Some((table.at(row.piece)?, 1)));
    let unseen = table.unseen().iter().map(|&(place, _, count)| (place, usize::from(count)));
    for (place, count) in seen.chain(unseen) {
        if let Some(seat) = seat_of(place) {
            pieces[seat] += count;
        }
    }
    for (purse, amount) in layout.purses().iter().zip(table.purses()) {
        if let Some(seat) = seat_of(purse.place).filter(|_| table.sees(purse.place)) {
            *coins[seat].entry(layout.coin_name(purse.coin)).or_default() += i64::from(*amount);
        }
    }
    (pieces, coins)
}

/// The public holdings of a seat.
#[derive(Clone, Debug)]
pub struct Holding {
    pub seat: i16,
    pub position: Position,
    pub pieces: i32,
    /// Amounts by coin.
    pub coins: BTreeMap<String, i64>,
}

impl Reader {
    /// The public holdings of each seat of a match; empty before the deal.
    pub async fn holdings(&self, match_id: MatchId) -> Result<Vec<Holding>, Error> {
        let row = sqlx::query(
            "select position, pieces, coins
             from holdings
             where bucket = $1 and match_id = $2",
        )
        .bind(Bucket::of(match_id))
        .bind(match_id)
        .fetch_optional(self.store.database().at(Bucket::of(match_id)))
        .await?;
        let Some(row) = row else { return Ok(Vec::new()) };
        let (position, pieces): (Position, Vec<i32>) = (row.try_get(0)?, row.try_get(1)?);
        let Json(coins): Json<Vec<BTreeMap<String, i64>>> = row.try_get(2)?;
        let seats = pieces.into_iter().zip(coins).zip(0..);
        Ok(seats.map(|((pieces, coins), seat)| Holding { seat, position, pieces, coins }).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use table::{Event, Face, Layout, PlaceRow, PurseRow, Seats, Sight};

    /// Reveals of a match, whether it has ended, and whether its secrets are public then.
    const REVEALS: [(Option<i64>, bool, bool); 4] = [
        (Some(0), false, false),
        (Some(0), true, true),
        (Some(60), true, false),
        (None, true, false),
    ];

    fn holdings(
        game: &str,
        reveal_wait_s: Option<i64>,
        ends: bool,
        event: &Event,
    ) -> (Vec<usize>, Vec<BTreeMap<&'static str, i64>>) {
        let end = ends.then(|| Event::Ended { winners: Seats::default() });
        let events = [event.clone()].into_iter().chain(end).collect();
        public_holdings(&MatchState::sample(game, reveal_wait_s, events))
    }

    /// The places that not everyone sees, of the seats of a sample.
    fn private_places(layout: &Layout) -> impl Iterator<Item = &PlaceRow> {
        layout.places_of(3).filter(|place| place.seat.is_some() && place.sight != Sight::All)
    }

    fn bank<'a>(layout: &'a Layout, purse: &PurseRow) -> &'a PurseRow {
        let mut purses = layout.purses().iter();
        purses.find(|it| it.is_bank && it.coin == purse.coin).expect("every coin has a bank")
    }

    #[test]
    fn a_private_purse_of_any_game_is_included_only_once_the_match_is_revealed() {
        let mut purses = 0;
        for game in games::GAMES {
            let layout = game.layout();
            for place in private_places(layout) {
                for purse in layout.purses().iter().filter(|purse| purse.place == place.id) {
                    let (from, to, coin) = (bank(layout, purse).place, place.id, purse.coin);
                    let event = Event::Paid { coin, from, to, amount: Some(5), aloud: true };
                    let name = layout.coin_name(coin);
                    for (reveal_wait_s, ends, is_public) in REVEALS {
                        let (_, coins) = holdings(game.name(), reveal_wait_s, ends, &event);
                        let held = coins[place.seat.expect("of a seat").index()].get(name);
                        let held = held.copied().unwrap_or_default();
                        let expected = if is_public { 5 } else { 0 };
                        let what = (game.name(), &place.name, name, reveal_wait_s, ends);
                        assert_eq!(held, expected, "{what:?}");
                    }
                    purses += 1;
                }
            }
        }
        assert!(purses > 10, "{purses} private purses");
    }

    #[test]
    fn pieces_behind_a_screen_are_counted_only_once_the_match_is_revealed() {
        let mut screens = 0;
        for game in games::GAMES {
            let layout = game.layout();
            for place in private_places(layout) {
                let piece = layout.pieces().last().expect("every game has pieces");
                let (from, to) = (piece.start, place.id);
                let event = Event::Moved { what: Face::Up(piece.piece), from, to };
                let is_screen = matches!(place.sight, Sight::Screened(_));
                let count = |(reveal_wait_s, ends, _)| {
                    let (pieces, _) = holdings(game.name(), reveal_wait_s, ends, &event);
                    pieces[place.seat.expect("of a seat").index()]
                };
                let counts = REVEALS.map(count);
                let [running, revealed, later, never] = counts;
                let what = (game.name(), &place.name, counts);
                assert_eq!((running, running), (later, never), "{what:?}");
                assert_eq!(revealed - running, usize::from(is_screen), "{what:?}");
                screens += usize::from(is_screen);
            }
        }
        assert_eq!(screens, 3, "the stashes of Among Thieves");
    }
}
