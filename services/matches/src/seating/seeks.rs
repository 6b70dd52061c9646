//! Seeks: players who want to be seated in a match are seated together, first come, first served.
//!
//! Any process may find players who fit each other and try to seat them. The statement that creates
//! the match ends the seeks of all its players, and their ends have keys: a seek ends once, in one
//! match or by its deletion (`seeks_race_with_their_deletions` in `tests/it/seeks.rs`).

use std::collections::BTreeMap;

use clocks::{ClockClass, TimeControl};
use positions::Position;
use projector::Pool;
use rows::MatchId;
use store::{Created, FoundSeek, MadeFor, SeekCreated, SeekRow};
use table::{CASUAL, MODULE};
use time::OffsetDateTime;
use uuid::Uuid;

use super::create::row_of;
use super::new_match::NewMatch;
use super::pairing::seat_together;
use crate::access::{Caller, Lane};
use crate::detached::Detached;
use crate::error::{Error, SeekError};
use crate::matches::Matches;
use crate::request::{check_player, check_request_id};

/// Ratings are stored in millionths.
const MILLION: f64 = 1e6;

/// The maximum distance: more than any two ratings differ by.
const DISTANCE_MAX: f64 = 1e6;

/// How many seeks of a pool are considered together. Later ones wait until some of these are
/// seated.
const POOL_MAX: i64 = 256;

#[derive(Clone, Debug)]
pub struct NewSeek {
    /// Empty for the player of the caller's token.
    pub player: String,
    pub display_name: String,
    pub game: String,
    /// The numbers of seats that the player accepts, in order of preference.
    pub seats: Vec<u32>,
    pub options: BTreeMap<String, String>,
    pub time_control: Option<TimeControl>,
    /// Whether the match is to be a casual one.
    pub casual: bool,
    /// The largest accepted distance of ratings; `None` for any.
    pub distance: Option<f64>,
    /// By how much the distance grows each second.
    pub widening: f64,
    pub request_id: Option<String>,
}

/// A seek and its state.
#[derive(Clone, Debug)]
pub struct Seek {
    pub seek_id: Uuid,
    pub player: String,
    pub display_name: Option<String>,
    pub game: String,
    pub seats: Vec<u32>,
    pub options: BTreeMap<String, String>,
    pub distance: Option<f64>,
    pub widening: f64,
    pub rating: f64,
    pub create_time: OffsetDateTime,
    /// Whether the player is still waiting.
    pub is_open: bool,
    /// The match in which the player was seated, if any.
    pub match_id: Option<MatchId>,
}

pub type SeekCursor = (OffsetDateTime, Uuid);

/// Work that any process can do for seekers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Seating {
    /// Create a match for these seeks, which fit each other.
    Together { platform: String, seek_ids: Vec<Uuid>, seats: u8 },
    /// Deal this match of seekers, whose process ended before it did.
    Undealt { platform: String, match_id: MatchId },
}

impl Matches {
    /// Creates a seek. Completes even if the caller drops this future.
    pub async fn create_seek(&self, caller: &Caller, new: NewSeek) -> Result<Seek, Error> {
        let (matches, caller) = (self.clone(), caller.clone());
        Detached::new(async move { matches.create_seek_whole(&caller, new).await }).await?
    }

    async fn create_seek_whole(&self, caller: &Caller, new: NewSeek) -> Result<Seek, Error> {
        let platform = caller.platform.as_str();
        let player = match caller.player() {
            Some(own) if new.player.is_empty() => own.to_owned(),
            Some(_) | None => new.player.clone(),
        };
        caller.check_player(&player)?;
        check_player("player", &player)?;
        check_request_id(new.request_id.as_deref())?;
        let now = self.now();
        let rules = self.rules_for(&new.game, Some(platform)).await?;
        let (its, the_player, wish) = (platform.to_owned(), player.clone(), new.clone());
        let checking = self.budgets().by_rules(platform, rules.0, move || {
            check_match(&its, &the_player, &wish, &rules, now)
        });
        let options = checking.await??;
        let seats = new.seats.iter().map(|&seats| seats as i16).collect();
        let row = SeekRow {
            seek_id: Uuid::new_v4(),
            platform: platform.to_owned(),
            rating: self.rating_of(platform, &player, &new).await?,
            request: digest(&player, &new).to_vec(),
            request_id: new.request_id,
            player,
            display_name: Some(new.display_name).filter(|name| !name.is_empty()),
            game: new.game,
            seats,
            options,
            distance: new.distance.map(|it| millionths("rating_distance", it)).transpose()?,
            widening: millionths("rating_widening_per_s", new.widening)?,
            create_time: now,
        };
        let pool = pool_of(&row);
        let right = caller.right_of_player();
        let creating = self.0.store.create_seek(&row, &pool, right.as_deref());
        match self.in_lane(Lane::Writes, platform, creating).await? {
            SeekCreated::Created => {
                Ok(seek_of(FoundSeek { row, has_ended: false, match_id: None }))
            }
            SeekCreated::Repeated(found) if found.row.request == row.request => Ok(seek_of(*found)),
            SeekCreated::Repeated(_) => Err(Error::RequestIdReused),
            SeekCreated::Exists => Err(SeekError::Exists.into()),
            SeekCreated::RightEnded => Err(Error::RightEnded),
        }
    }

    pub async fn seek(&self, caller: &Caller, seek_id: Uuid) -> Result<Seek, Error> {
        if caller.player().is_none() {
            caller.platform()?;
        }
        let finding = self.0.store.find_seek(&caller.platform, seek_id);
        let found = self.in_lane(Lane::Lists, &caller.platform, finding).await?;
        // Another player's seek does not exist for this caller.
        let is_own = |it: &FoundSeek| caller.player().is_none_or(|own| it.row.player == own);
        found.filter(is_own).map(seek_of).ok_or_else(|| SeekError::NotFound.into())
    }

    /// Open seeks, oldest first: a platform's, or a player's own.
    pub async fn seeks(
        &self,
        caller: &Caller,
        player: Option<&str>,
        game: Option<&str>,
        after: Option<SeekCursor>,
        limit: usize,
    ) -> Result<Vec<Seek>, Error> {
        let player = player.or(caller.player());
        match player {
            Some(player) => caller.check_player(player)?,
            None => drop(caller.platform()?),
        }
        let platform = caller.platform.as_str();
        let listing = self.0.store.open_seeks(platform, player, game, after, limit as i64);
        let rows = self.in_lane(Lane::Lists, platform, listing).await?;
        let open = |row| seek_of(FoundSeek { row, has_ended: false, match_id: None });
        Ok(rows.into_iter().map(open).collect())
    }

    /// Deletes a seek: once this returns, the player is never seated for it. May be repeated.
    /// Completes even if the caller drops this future.
    pub async fn delete_seek(&self, caller: &Caller, seek_id: Uuid) -> Result<(), Error> {
        let (matches, caller) = (self.clone(), caller.clone());
        let deleting = async move {
            matches.seek(&caller, seek_id).await?;
            let platform = caller.platform.as_str();
            let deleting = matches.0.store.delete_seek(platform, seek_id, matches.now());
            matches.in_lane(Lane::Writes, platform, deleting).await?;
            let ended = matches.seek(&caller, seek_id).await.map_err(Error::after_write)?;
            match ended.match_id {
                None => Ok(()),
                Some(match_id) => Err(SeekError::Seated { match_id }.into()),
            }
        };
        Detached::new(deleting).await?
    }

    /// The work for seekers that is due now, and since when.
    pub async fn seatings(&self, most: usize) -> Result<Vec<(Seating, OffsetDateTime)>, Error> {
        let mut found = Vec::new();
        for (platform, match_id, since) in self.0.store.undealt_of_seeks(self.now()).await? {
            found.push((Seating::Undealt { platform, match_id }, since));
        }
        let waiting = self.0.store.waiting_seeks(POOL_MAX).await?;
        for pool in waiting.chunk_by(|one, other| one.pool == other.pool) {
            found.extend(seat_together(pool, self.now()).into_iter().map(|(seekers, seats)| {
                let seek_ids = seekers.iter().map(|it| it.row.seek_id).collect();
                let since = seekers.iter().map(|it| it.row.create_time).max();
                let platform = pool[0].row.platform.clone();
                let since = since.expect("a match has players");
                (Seating::Together { platform, seek_ids, seats }, since)
            }));
        }
        found.truncate(most);
        Ok(found)
    }

    /// Seats seekers. Returns false if that was done before or is no longer possible.
    pub async fn do_seating(&self, seating: &Seating) -> Result<bool, Error> {
        let (platform, match_id) = match seating {
            Seating::Undealt { platform, match_id } => (platform, *match_id),
            Seating::Together { platform, seek_ids, seats } => {
                match self.create_for_seeks(platform, seek_ids, *seats).await? {
                    Some(match_id) => (platform, match_id),
                    None => return Ok(false),
                }
            }
        };
        let live = self.live(&Caller::service(platform), match_id).await?;
        Ok(live.position() > Position::START)
    }

    /// Creates a match for these seeks, if all of them are open.
    async fn create_for_seeks(
        &self,
        platform: &str,
        seek_ids: &[Uuid],
        seats: u8,
    ) -> Result<Option<MatchId>, Error> {
        let mut seekers = self.0.store.seeks(platform, seek_ids).await?;
        if seekers.len() != seek_ids.len() {
            return Ok(None);
        }
        let mut hash = blake3::Hasher::new();
        seek_ids.iter().for_each(|it| _ = hash.update(it.as_bytes()));
        let request_id = format!("seeks-{}", &hash.finalize().to_hex()[..32]);
        // Seats are assigned by hash, so that waiting longest earns no particular seat.
        seekers.sort_by_key(|it| *blake3::hash(it.seek_id.as_bytes()).as_bytes());
        let mut options = options_of(&seekers[0]);
        let time_control = TimeControl::take_from(&mut options);
        let casual = Some(options.remove(CASUAL).is_some());
        let names = seekers.iter().map(|it| it.display_name.clone().unwrap_or_default());
        let new = NewMatch {
            seats: seats.into(),
            players: seekers.iter().map(|it| it.player.clone()).collect(),
            display_names: names.collect(),
            options,
            time_control,
            casual,
            request_id: Some(request_id),
            game: seekers[0].game.clone(),
            ..NewMatch::default()
        };
        let rules = self.rules_for(&new.game, Some(platform)).await?;
        let row = self.row_of(platform, &new, rules).await?;
        match self.0.store.create_for(&row, &MadeFor::Seeks(seek_ids.to_vec())).await? {
            Created::Created => Ok(Some(row.match_id)),
            Created::Repeated(_)
            | Created::SeekEnded
            | Created::Deleted
            | Created::PreviousFollowed(_) => Ok(None),
        }
    }

    /// The player's rating in the pool of the preferred match, in millionths; 0 for a new player.
    async fn rating_of(&self, platform: &str, player: &str, new: &NewSeek) -> Result<i64, Error> {
        let seats = new.seats.first().and_then(|&seats| seats.try_into().ok()).unwrap_or_default();
        let clock = ClockClass::of(new.time_control);
        let pool = Pool { game: new.game.clone(), seats, clock };
        let reading = self.0.projector.player(platform, player, 0);
        let found = self.in_lane(Lane::Lists, platform, reading).await?;
        let leagues = found.map(|it| it.leagues).unwrap_or_default();
        Ok(leagues.into_iter().find(|it| it.pool == pool).map_or(0, |it| it.standing.rating))
    }
}

/// Fails unless a match could be created for every number of seats. Returns the options of these
/// matches in their stored form.
fn check_match(
    platform: &str,
    player: &str,
    new: &NewSeek,
    rules: &games::Named,
    now: OffsetDateTime,
) -> Result<String, Error> {
    let seats = &new.seats;
    if seats.is_empty() || (1..seats.len()).any(|n| seats[..n].contains(&seats[n])) {
        return Err(Error::invalid("seats", "name at least one number of seats, and each once"));
    }
    let mut options = None;
    for &seats in seats {
        let its = NewMatch {
            seats,
            players: vec![player.to_owned()],
            display_names: vec![new.display_name.clone()],
            options: new.options.clone(),
            time_control: new.time_control,
            casual: Some(new.casual),
            game: new.game.clone(),
            ..NewMatch::default()
        };
        let mut row = row_of(platform, &its, rules.clone(), now)?;
        if row.seats < 2 {
            return Err(Error::invalid("seats", "nobody is to be found for a match of one seat"));
        }
        // The match gets the module of its time.
        row.terms.options.remove(MODULE);
        options = Some(row.terms.options);
    }
    let options = options.expect("there is a number of seats");
    Ok(serde_json::to_string(&options).expect("strings serialize to JSON"))
}

fn millionths(field: &'static str, number: f64) -> Result<i64, Error> {
    if (0.0..=DISTANCE_MAX).contains(&number) {
        Ok((number * MILLION) as i64)
    } else {
        Err(Error::invalid(field, format!("{field} must be from 0 to {DISTANCE_MAX}")))
    }
}

/// Only seeks of the same pool are seated together.
fn pool_of(row: &SeekRow) -> [u8; 32] {
    let mut hash = blake3::Hasher::new_derive_key("croupier 2026-11 pool of seeks");
    for part in [&row.platform, &row.game, &row.options] {
        hash.update(&(part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    *hash.finalize().as_bytes()
}

/// A digest of a request, which distinguishes a retry from another request with the same id.
fn digest(player: &str, new: &NewSeek) -> [u8; 32] {
    let mut hash = blake3::Hasher::new_derive_key("croupier 2026-11 digest of a seek's request");
    let NewSeek { display_name, game, seats, options, time_control, distance, widening, .. } = new;
    let parts = format!(
        "{:?}",
        (player, display_name, game, seats, options, time_control, distance, widening)
    );
    hash.update(parts.as_bytes());
    if new.casual {
        hash.update(b"casual");
    }
    *hash.finalize().as_bytes()
}

fn options_of(row: &SeekRow) -> BTreeMap<String, String> {
    serde_json::from_str(&row.options).unwrap_or_default()
}

fn seek_of(found: FoundSeek) -> Seek {
    let FoundSeek { row, has_ended, match_id } = found;
    Seek {
        seek_id: row.seek_id,
        options: options_of(&row),
        player: row.player,
        display_name: row.display_name,
        game: row.game,
        seats: row.seats.iter().map(|&seats| seats as u32).collect(),
        distance: row.distance.map(|it| it as f64 / MILLION),
        widening: row.widening as f64 / MILLION,
        rating: row.rating as f64 / MILLION,
        create_time: row.create_time,
        is_open: !has_ended,
        match_id,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seeks are stored with these digests, and retries of their requests must be recognised.
    #[test]
    fn digests_never_change() {
        let full = NewSeek {
            player: String::new(),
            display_name: "Ann".to_owned(),
            game: "mountebank".to_owned(),
            seats: vec![3, 2],
            options: [("first-seat".to_owned(), "0".to_owned())].into(),
            time_control: Some(TimeControl::named("daily").expect("a preset")),
            casual: false,
            distance: Some(1.5),
            widening: 0.25,
            request_id: None,
        };
        let bare = NewSeek {
            display_name: String::new(),
            options: BTreeMap::new(),
            time_control: None,
            distance: None,
            widening: 0.0,
            ..full.clone()
        };
        let hex = |new: &NewSeek| blake3::Hash::from(digest("ann", new)).to_hex().to_string();
        let vector = "5d9e94c144cd22f35c61041284fdeaf2986947eed90d69f2b95ec9e04d3d164a";
        assert_eq!(hex(&full), vector);
        let vector = "2cca4d7b79bea8c1fad7e2bd538f922b36174be06f8e2b0e0699843578000c73";
        assert_eq!(hex(&bare), vector);
        assert_ne!(hex(&NewSeek { casual: true, ..bare.clone() }), vector);
    }
}
