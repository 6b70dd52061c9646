//! The model `matches`: the state of each match.

use sqlx::PgConnection;
use store::{Bucket, MatchId, Position};
use table::{Contribution, Small};
use time::OffsetDateTime;

use super::array_text;
use crate::match_cache::MatchState;

pub(super) async fn write(
    connection: &mut PgConnection,
    matches: &[&MatchState],
) -> Result<(), sqlx::Error> {
    let column =
        |text: fn(&MatchState) -> &str| matches.iter().map(|it| text(it)).collect::<Vec<_>>();
    let ids: Vec<MatchId> = matches.iter().map(|it| it.row.match_id).collect();
    let buckets: Vec<Bucket> = matches.iter().map(|it| it.bucket()).collect();
    let times = |time: fn(&MatchState) -> OffsetDateTime| -> Vec<OffsetDateTime> {
        matches.iter().map(|it| time(it)).collect()
    };
    sqlx::query(
        "insert into match_summaries
             (bucket, match_id, platform, game, create_time, start_time, update_time, position,
              round, turn, scores, winners, contributions, waiting, deadline, clocks,
              is_paused, votes)
         select bucket, match_id, platform, game, create_time, start_time, update_time, position,
             round, turn, scores::int[], winners::smallint[], contributions::bytea[],
             waiting::smallint[], deadline, clocks, is_paused, votes::smallint[]
         from unnest(
             $1::smallint[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[],
             $7::timestamptz[], $8::int8[], $9::smallint[], $10::smallint[], $11::text[], $12::text[],
             $13::text[], $14::text[], $15::timestamptz[], $16::bytea[], $17::bool[], $18::text[]
         ) as it (bucket, match_id, platform, game, create_time, start_time, update_time, position,
              round, turn, scores, winners, contributions, waiting, deadline, clocks,
              is_paused, votes)
         on conflict (bucket, match_id) do update
         set update_time = excluded.update_time,
             position = excluded.position,
             round = excluded.round,
             turn = excluded.turn,
             scores = excluded.scores,
             winners = excluded.winners,
             contributions = excluded.contributions,
             waiting = excluded.waiting,
             deadline = excluded.deadline,
             clocks = excluded.clocks,
             is_paused = excluded.is_paused,
             votes = excluded.votes",
    )
    .bind(buckets)
    .bind(&ids)
    .bind(column(|it| &it.row.platform))
    .bind(column(|it| &it.row.game))
    .bind(times(|it| it.row.create_time))
    .bind(times(|it| it.start_time))
    .bind(times(|it| it.update_time))
    .bind(matches.iter().map(|it| it.position).collect::<Vec<Position>>())
    .bind(matches.iter().map(|it| it.table.round().into()).collect::<Vec<i16>>())
    .bind(matches.iter().map(|it| it.table.turn().index() as i16).collect::<Vec<i16>>())
    .bind(matches.iter().map(|it| array_text(it.table.scores())).collect::<Vec<_>>())
    .bind(matches.iter().map(|it| winners(it)).collect::<Vec<_>>())
    .bind(matches.iter().map(|it| contributions(it)).collect::<Vec<_>>())
    .bind(matches.iter().map(|it| waiting(it)).collect::<Vec<_>>())
    .bind(matches.iter().map(|it| it.deadline()).collect::<Vec<_>>())
    .bind(matches.iter().map(|it| Some(it.clocks.as_ref()?.encode_told())).collect::<Vec<_>>())
    .bind(matches.iter().map(|it| it.table.is_paused()).collect::<Vec<_>>())
    .bind(matches.iter().map(|it| votes(it)).collect::<Vec<_>>())
    .execute(connection)
    .await?;
    Ok(())
}

/// By seat, what it contributed to the chance of the match, as the text of a Postgres array; none
/// if no seat did.
fn contributions(it: &MatchState) -> Option<String> {
    let mut by_seat = vec![String::from("\"\\\\x\""); it.row.seats.unsigned_abs().into()];
    for Contribution { seat, bytes } in it.table.contributions() {
        by_seat[seat.index()] = format!("\"\\\\x{}\"", store::hex(bytes));
    }
    let any = !it.table.contributions().is_empty();
    any.then(|| format!("{{{}}}", by_seat.join(",")))
}

/// The seats for which the match waits, as the text of a Postgres array.
fn waiting(it: &MatchState) -> String {
    let must = it.table.live().filter(|prompt| prompt.must && !it.table.is_paused());
    array_text(&must.map(|prompt| prompt.seat.index()).collect::<Vec<_>>())
}

/// The votes, as the text of a Postgres array; none if there are none.
fn votes(it: &MatchState) -> Option<String> {
    let votes = it.table.votes().iter();
    let votes: Vec<u32> =
        votes.flat_map(|(seat, motion)| [seat.index() as u32, motion.number()]).collect();
    (!votes.is_empty()).then(|| array_text(&votes))
}

/// The seats that won, as the text of a Postgres array; none while the match is running.
fn winners(it: &MatchState) -> Option<String> {
    Some(array_text(&it.table.winners()?.iter().map(Small::index).collect::<Vec<_>>()))
}
