//! Taking seats.

use database::Error;
use positions::Bucket;
use rows::{MatchId, Named, SeatRow, SpeechKey, look_alike, name_key};
use time::OffsetDateTime;

use crate::Store;
use crate::finding::FIND_ONE;
use crate::found::Found;

/// A player to be seated, with the requested seat and contribution.
#[derive(Clone, Copy, Default)]
pub struct Place<'a> {
    /// `None`: the first open seat.
    pub requested: Option<i16>,
    /// The seat's contribution to the chance of the match.
    pub contribution: Option<&'a [u8]>,
    pub request_id: Option<&'a str>,
    pub speech_key: Option<SpeechKey>,
    /// The right by which the player takes the seat, if the player does so.
    pub right: Option<&'a str>,
}

/// The outcome of [`Store::take_seat`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seating {
    Taken(SeatRow),
    /// The player already has a seat in this match; a retry finds its own `request_id` here.
    AlreadySeated(SeatRow),
    /// Another player has the requested seat.
    Occupied,
    /// No seat is open.
    Full,
    /// A seated player looks like this one: see [`look_alike`].
    NameTaken,
    /// The match has no such seat, or does not exist.
    NoSuchSeat,
    /// The right by which the player would have taken the seat has ended.
    RightEnded,
}

/// Seats a player, if the right by which the player takes the seat still holds.
const SEAT: &str = "with seated as (
         insert into seats
             (bucket, match_id, seat, player, display_name, display_name_key,
              request_id, create_time, platform, match_create_time)
         select bucket, match_id, $3, $4, $7, $8, $5, $6, platform, create_time
         from matches
         where bucket = $1 and match_id = $2 and ($11::text is null or right_holds_for(platform, $4, $11))
         on conflict do nothing
         returning bucket, match_id, seat
     ), contributed as (
         insert into contributions (bucket, match_id, seat, contribution, after_commitment)
         select bucket, match_id, seat, $9, true
         from seated
         where $9 is not null
     ), keyed as (
         insert into speech_keys (bucket, match_id, seat, key)
         select bucket, match_id, seat, $10
         from seated
         where $10 is not null
     )
     select 1 from seated";

/// The same on a database of several nodes, whose caller has asked for the right.
const SEAT_ON_NODES: &str = "select 1
     from take_seat($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as is_seated
     where is_seated";

impl Store {
    /// Seats a player. Of two concurrent players with the same display name, the key of
    /// `seats_display_names` lets one succeed.
    pub async fn take_seat(
        &self,
        match_id: MatchId,
        (player, display_name): Named<'_>,
        place: Place<'_>,
        create_time: OffsetDateTime,
    ) -> Result<Seating, Error> {
        let Place { requested, contribution, request_id, speech_key, right } = place;
        loop {
            let (seats, seated) = self.seats(match_id).await?;
            if let Some(row) = seated.iter().find(|row| row.player == player) {
                return Ok(Seating::AlreadySeated(row.clone()));
            }
            let is_open = |seat: &i16| seated.iter().all(|row| row.seat != *seat);
            let seat = match requested {
                Some(seat) if !(0..seats).contains(&seat) => return Ok(Seating::NoSuchSeat),
                Some(seat) if !is_open(&seat) => return Ok(Seating::Occupied),
                Some(seat) => seat,
                None => match (0..seats).find(is_open) {
                    Some(seat) => seat,
                    None if seats == 0 => return Ok(Seating::NoSuchSeat),
                    None => return Ok(Seating::Full),
                },
            };
            let is_alike = |row: &SeatRow| look_alike((player, display_name), row.named());
            if seated.iter().any(is_alike) {
                return Ok(Seating::NameTaken);
            }
            let row = SeatRow {
                seat,
                player: player.to_owned(),
                display_name: display_name.map(str::to_owned),
                request_id: request_id.map(str::to_owned),
                create_time,
                speech_key,
                is_erased: false,
                before: Vec::new(),
            };
            if self.insert_seat(match_id, &row, contribution, right).await? {
                return Ok(Seating::Taken(row));
            }
            if let Some(right) = right
                && !self.right_holds(right).await?
            {
                return Ok(Seating::RightEnded);
            }
            // Another player took the seat or the name, so the rounds are bounded by the seats.
        }
    }

    /// The number of seats of a match (0 if it is unknown), and those that are taken.
    async fn seats(&self, match_id: MatchId) -> Result<(i16, Vec<SeatRow>), Error> {
        let row: Option<Found> = sqlx::query_as(FIND_ONE)
            .bind(Bucket::of(match_id))
            .bind(match_id)
            .fetch_optional(self.at(Bucket::of(match_id)))
            .await?;
        Ok(row.map_or((0, Vec::new()), |Found(row)| (row.seats, row.seated)))
    }

    /// Returns false if the seat was taken first, the same player or name took another one, or the
    /// match was deleted.
    async fn insert_seat(
        &self,
        match_id: MatchId,
        row: &SeatRow,
        contribution: Option<&[u8]>,
        right: Option<&str>,
    ) -> Result<bool, Error> {
        // A database of several nodes does not call the function while it writes.
        let is_sharded = self.database().is_sharded().await?;
        if let (true, Some(right)) = (is_sharded, right)
            && !self.right_holds(right).await?
        {
            return Ok(false);
        }
        let query = match is_sharded {
            true => sqlx::query(SEAT_ON_NODES),
            false => sqlx::query(SEAT),
        };
        let query = query
            .bind(Bucket::of(match_id))
            .bind(match_id)
            .bind(row.seat)
            .bind(&row.player)
            .bind(&row.request_id)
            .bind(row.create_time)
            .bind(&row.display_name)
            .bind(row.display_name.as_deref().map(name_key))
            .bind(contribution)
            .bind(row.speech_key.map(|it| it.0.to_vec()));
        let query = if is_sharded { query } else { query.bind(right) };
        match self.database().write_at(Bucket::of(match_id), query).await {
            Ok(inserted) => Ok(inserted.rows_affected() == 1),
            // The next read of its seats finds none.
            Err(Error::Gone(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }
}
