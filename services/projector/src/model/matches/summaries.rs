//! The public state of each match.
//!
//! Only this file names the fields of that state: their meaning, and how their columns are written
//! and read. Everything between here and the contract passes on a [`PublicState`].

use clocks::{Clocks, TimeControl};
use sqlx::PgConnection;
use table::{Contribution, Entropy, Entry, Motion, Seat, Seats, Small, Table, waiting_for};

use crate::fold::MatchState;
use crate::model::read_model::{Compared, ReadModel, array_text};

/// The public state of a match after one of its entries; the default is the state before the deal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PublicState {
    pub round: Option<u8>,
    pub turn: Option<Seat>,
    pub scores: Vec<i32>,
    /// `None` until the match has ended; empty if it ended without a result.
    pub winners: Option<Seats>,
    /// The seats' contributions to the chance of the match.
    pub contributions: Vec<Contribution>,
    /// The seats that must act before the match continues.
    pub waiting_for: Seats,
    /// `None` in a match without clocks.
    pub clocks: Option<Clocks>,
    pub is_paused: bool,
    /// Votes for motions that are not carried yet, in the order in which they were given.
    pub votes: Vec<(Seat, Motion)>,
}

/// The columns of a match's row that readers need; the default is a match without a row.
#[derive(Clone, Debug, Default, sqlx_macros::FromRow)]
pub struct StoredState {
    round: Option<i16>,
    turn: Option<i16>,
    scores: Option<Vec<i32>>,
    winners: Option<Vec<i16>>,
    /// By seat; `None` if no seat contributed.
    contributions: Option<Vec<Vec<u8>>>,
    /// Whether every contribution came after the commitment to the seed.
    after_commitment: Option<bool>,
    /// In the form of [`Clocks::encode_told`].
    clocks: Option<Vec<u8>>,
    is_paused: Option<bool>,
    /// For each vote, the seat and the number of the motion.
    votes: Option<Vec<i16>>,
}

/// The columns of [`StoredState`], of a table named `now`.
pub(crate) const PUBLIC_STATE_COLUMNS: &str = "now.round, now.turn, now.scores, now.winners, \
     now.contributions, now.after_commitment, now.clocks, now.is_paused, now.votes";

impl PublicState {
    pub fn of(table: &Table, clocks: Option<&Clocks>) -> PublicState {
        PublicState {
            round: Some(table.round()),
            turn: Some(table.turn()),
            scores: table.scores().to_vec(),
            winners: table.winners(),
            contributions: table.contributions().to_vec(),
            waiting_for: waiting_for(table.prompts(), table.is_paused()),
            clocks: clocks.cloned(),
            is_paused: table.is_paused(),
            votes: table.votes().to_vec(),
        }
    }

    /// Takes from the last entry what it shows itself, so that the read model is not trusted for
    /// it.
    pub fn told_by(self, last: &Entry) -> PublicState {
        let waiting_for = waiting_for(&last.prompts, self.is_paused);
        PublicState { winners: last.winners(), waiting_for, ..self }
    }
}

impl StoredState {
    pub fn has_ended(&self) -> bool {
        self.winners.is_some()
    }

    /// The public state, without `waiting_for`. Decoding clocks needs the match's time control.
    pub fn read(self, control: Option<TimeControl>, seats: u8) -> PublicState {
        let seat = |number: i16| Seat::nth(usize::try_from(number).ok()?);
        let winners = self.winners.map(|them| them.into_iter().filter_map(seat).collect());
        let contributions = (0..).zip(self.contributions.unwrap_or_default());
        let contributions = contributions.filter(|(_, bytes)| !bytes.is_empty());
        let contribution = |(number, bytes): (i16, Vec<u8>)| {
            let after_commitment = self.after_commitment.unwrap_or_default();
            Some(Contribution { seat: seat(number)?, bytes: bytes.into(), after_commitment })
        };
        let (votes, _) = self.votes.as_deref().unwrap_or_default().as_chunks::<2>();
        let vote = |&[number, motion]: &[i16; 2]| {
            Some((seat(number)?, Motion::numbered(motion.try_into().ok()?)?))
        };
        let clocks = self.clocks.as_deref().zip(control);
        PublicState {
            round: self.round.and_then(|round| round.try_into().ok()),
            turn: self.turn.and_then(seat),
            scores: self.scores.unwrap_or_default(),
            winners,
            contributions: contributions.filter_map(contribution).collect(),
            waiting_for: Seats::default(),
            clocks: clocks.and_then(|(bytes, control)| Clocks::decode_told(bytes, control, seats)),
            is_paused: self.is_paused.unwrap_or_default(),
            votes: votes.iter().filter_map(vote).collect(),
        }
    }
}

pub(crate) struct Summaries;

impl ReadModel for Summaries {
    const NAME: &'static str = "matches";
    const TABLES: &'static [&'static str] = &["match_summaries"];
    const COMPARED: &'static [Compared] = &[Compared::whole("match_summaries", "match_id")];

    async fn write(
        connection: &mut PgConnection,
        matches: &[&MatchState],
    ) -> Result<(), sqlx::Error> {
        let now = matches.iter().map(|it| PublicState::of(&it.table, it.clocks.as_ref()));
        let now: Vec<PublicState> = now.collect();
        sqlx::query(
            "insert into match_summaries
                 (bucket, match_id, platform, game, create_time, start_time, update_time, position,
                  round, turn, scores, winners, contributions, after_commitment, waiting, deadline,
                  clocks, is_paused, votes)
             select bucket, match_id, platform, game, create_time, start_time, update_time, position,
                 round, turn, scores::int[], winners::smallint[], contributions::bytea[],
                 after_commitment, waiting::smallint[], deadline, clocks, is_paused,
                 votes::smallint[]
             from unnest(
                 $1::smallint[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[],
                 $7::timestamptz[], $8::int8[], $9::smallint[], $10::smallint[], $11::text[], $12::text[],
                 $13::text[], $14::bool[], $15::text[], $16::timestamptz[], $17::bytea[], $18::bool[],
                 $19::text[]
             ) as it (bucket, match_id, platform, game, create_time, start_time, update_time, position,
                  round, turn, scores, winners, contributions, after_commitment, waiting, deadline,
                  clocks, is_paused, votes)
             on conflict (bucket, match_id) do update
             set update_time = excluded.update_time,
                 position = excluded.position,
                 round = excluded.round,
                 turn = excluded.turn,
                 scores = excluded.scores,
                 winners = excluded.winners,
                 contributions = excluded.contributions,
                 after_commitment = excluded.after_commitment,
                 waiting = excluded.waiting,
                 deadline = excluded.deadline,
                 clocks = excluded.clocks,
                 is_paused = excluded.is_paused,
                 votes = excluded.votes",
        )
        .bind(each(matches, |it| it.bucket()))
        .bind(each(matches, |it| it.row.match_id))
        .bind(each(matches, |it| &*it.row.platform))
        .bind(each(matches, |it| &*it.row.game))
        .bind(each(matches, |it| it.row.create_time))
        .bind(each(matches, |it| it.start_time))
        .bind(each(matches, |it| it.update_time))
        .bind(each(matches, |it| it.position))
        .bind(each(&now, |it| it.round.map(i16::from)))
        .bind(each(&now, |it| it.turn.map(|seat| i16::from(u8::from(seat)))))
        .bind(each(&now, |it| array_text(&it.scores)))
        .bind(each(&now, |it| it.winners.map(seats_text)))
        .bind(each(&now, contributions_text))
        .bind(each(&now, after_commitment))
        .bind(each(&now, |it| seats_text(it.waiting_for)))
        .bind(each(matches, |it| it.deadline()))
        .bind(each(&now, |it| it.clocks.as_ref().map(Clocks::encode_told)))
        .bind(each(&now, |it| it.is_paused))
        .bind(each(&now, votes_text))
        .execute(connection)
        .await?;
        Ok(())
    }
}

/// The values of a column.
fn each<'a, Row, Value>(rows: &'a [Row], value: impl Fn(&'a Row) -> Value) -> Vec<Value> {
    rows.iter().map(value).collect()
}

fn seats_text(seats: Seats) -> String {
    array_text(&seats.iter().map(u8::from).collect::<Vec<u8>>())
}

/// The contributions by seat as the text of a Postgres array; `None` if there are none.
fn contributions_text(it: &PublicState) -> Option<String> {
    if it.contributions.is_empty() {
        return None;
    }
    let mut by_seat = vec![String::from("\"\\\\x\""); it.scores.len()];
    for Contribution { seat, bytes, after_commitment: _ } in &it.contributions {
        by_seat[seat.index()] = format!("\"\\\\x{}\"", hex::encode(bytes));
    }
    Some(format!("{{{}}}", by_seat.join(",")))
}

/// Whether every contribution came after the commitment; `None` if there are none.
fn after_commitment(it: &PublicState) -> Option<bool> {
    let is_shared = Entropy::of(&it.contributions) == Entropy::Shared;
    (!it.contributions.is_empty()).then_some(is_shared)
}

/// The votes as the text of a Postgres array; `None` if there are none.
fn votes_text(it: &PublicState) -> Option<String> {
    let votes = it.votes.iter();
    let votes: Vec<u32> =
        votes.flat_map(|(seat, motion)| [seat.index() as u32, motion.number()]).collect();
    (!votes.is_empty()).then(|| array_text(&votes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use table::Event;

    fn seat(number: usize) -> Seat {
        Seat::nth(number).expect("a table has more seats")
    }

    fn contribution(bytes: &[u8], after_commitment: bool) -> Contribution {
        Contribution { seat: seat(1), bytes: bytes.to_vec().into(), after_commitment }
    }

    /// What the database returns for this state.
    fn stored(it: &PublicState) -> StoredState {
        let number = |seat: Seat| i16::from(u8::from(seat));
        let by_seat = |it: &PublicState| {
            let mut by_seat = vec![Vec::new(); it.scores.len()];
            it.contributions.iter().for_each(|of| by_seat[of.seat.index()] = of.bytes.to_vec());
            by_seat
        };
        let votes = it.votes.iter();
        StoredState {
            round: it.round.map(i16::from),
            turn: it.turn.map(number),
            scores: Some(it.scores.clone()),
            winners: it.winners.map(|them| them.iter().map(number).collect()),
            contributions: (!it.contributions.is_empty()).then(|| by_seat(it)),
            after_commitment: after_commitment(it),
            clocks: None,
            is_paused: Some(it.is_paused),
            votes: Some(
                votes.flat_map(|(seat, motion)| [number(*seat), motion.number() as i16]).collect(),
            ),
        }
    }

    #[test]
    fn a_stored_state_is_read_back() {
        let events = vec![
            Event::Scored { seat: seat(1), points: 7 },
            Event::Ended { winners: [seat(0), seat(2)].into_iter().collect() },
        ];
        let state = MatchState::sample("mountebank", None, events);
        let mut now = PublicState::of(&state.table, None);
        now.contributions = vec![contribution(&[1, 2], true)];
        now.votes = vec![(seat(2), Motion::Pause), (seat(0), Motion::EndWithoutResult)];
        assert_eq!(now.scores, [0, 7, 0]);
        assert_eq!(stored(&now).read(None, 3), now);
        now.contributions = vec![contribution(&[1, 2], false)];
        assert_eq!(stored(&now).read(None, 3), now);
        assert_eq!(StoredState::default().read(None, 3), PublicState::default());
    }

    #[test]
    fn lists_are_written_as_arrays() {
        let contributions = vec![contribution(&[0xab], true)];
        let votes = vec![(seat(1), Motion::Pause), (seat(0), Motion::EndWithoutResult)];
        let now =
            PublicState { scores: vec![0; 2], contributions, votes, ..PublicState::default() };
        assert_eq!(contributions_text(&now).as_deref(), Some(r#"{"\\x","\\xab"}"#));
        assert_eq!(votes_text(&now).as_deref(), Some("{1,2,0,1}"));
        assert_eq!(seats_text([seat(2), seat(0)].into_iter().collect()), "{0,2}");
        let none = PublicState::default();
        assert_eq!((contributions_text(&none), votes_text(&none)), (None, None));
    }
}
