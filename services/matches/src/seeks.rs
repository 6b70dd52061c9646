//! Seeks: players who want to be seated in a match, and who are seated together first come, first
//! served.
//!
//! Any process may find who can be seated together and try it. The statement that creates the match
//! ends the seeks of all its players, and the key of those ends decides: a seek ends once, in one
//! match or by its deletion.

use std::collections::BTreeMap;

use clocks::TimeControl;
use projector::State;
use store::{
    Created, FoundSeek, MadeFor, MatchId, OpenSeek, SeekCreated, SeekRow, Tags, look_alike,
};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::budgets::Lane;
use crate::create::{check_player, derived_id, row_of};
use crate::detached::Detached;
use crate::play::check_request_id;
use crate::{Caller, Error, Grant, Matches, NewMatch, Reveal, now};

/// A rating is a number of millionths.
const MILLION: f64 = 1e6;

/// Nobody's rating is as far from another's.
const DISTANCE_MAX: f64 = 1e6;

/// Seeks of a pool that are looked at together. Those that came later wait until some of them are
/// seated.
const POOL_MAX: i64 = 256;

/// How many combinations are tried for one player before the next is looked at.
const TRIES_MAX: u32 = 2_000;

/// Why a seek cannot be created or deleted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SeekError {
    #[error("there is no such seek")]
    NotFound,
    #[error("the player has a seek for this game already")]
    Exists,
    #[error("the player was seated in a match")]
    Seated { match_id: MatchId },
}

#[derive(Clone, Debug)]
pub struct NewSeek {
    /// Empty for the player of a player's token.
    pub player: String,
    pub display_name: String,
    pub game: String,
    /// The numbers of seats that the player accepts, the best first.
    pub seats: Vec<u32>,
    pub options: BTreeMap<String, String>,
    pub time_control: Option<TimeControl>,
    /// How far another's rating may be; none if it does not matter.
    pub distance: Option<f64>,
    /// How much further with each second.
    pub widening: f64,
    pub request_id: Option<String>,
}

/// A seek, and what has become of it.
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
    /// Whether the player waits for others.
    pub is_open: bool,
    /// The match in which the player was seated.
    pub match_id: Option<MatchId>,
}

pub type SeekCursor = (OffsetDateTime, Uuid);

/// Something to do for seekers, by any process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Seating {
    /// These can be seated together.
    Together { platform: String, seek_ids: Vec<Uuid>, seats: u8 },
    /// This match of theirs was not dealt: its process ended before.
    Undealt { platform: String, match_id: MatchId },
}

impl Matches {
    /// Creates a seek. It completes even if the caller drops this future.
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
        let options = check_match(platform, &player, &new)?;
        let seats = new.seats.iter().map(|&seats| seats as i16).collect();
        let seek_id = match &new.request_id {
            Some(request_id) => derived_id(platform, &format!("seek {request_id}")),
            None => Uuid::new_v4(),
        };
        let row = SeekRow {
            seek_id,
            platform: platform.to_owned(),
            rating: self.rating_of(platform, &player, &new.game).await?,
            request: digest(&player, &new).to_vec(),
            player,
            display_name: Some(new.display_name).filter(|name| !name.is_empty()),
            game: new.game,
            seats,
            options,
            distance: new.distance.map(|it| millionths("rating_distance", it)).transpose()?,
            widening: millionths("rating_widening_per_s", new.widening)?,
            create_time: now(),
        };
        let pool = pool_of(&row);
        let creating = self.0.store.create_seek(&row, &pool);
        match self.in_lane(Lane::Writes, platform, creating).await? {
            SeekCreated::Created => {
                Ok(seek_of(FoundSeek { row, has_ended: false, match_id: None }))
            }
            SeekCreated::Repeated(found) if found.row.request == row.request => Ok(seek_of(*found)),
            SeekCreated::Repeated(_) => Err(Error::RequestIdReused),
            SeekCreated::Exists => Err(SeekError::Exists.into()),
        }
    }

    pub async fn seek(&self, caller: &Caller, seek_id: Uuid) -> Result<Seek, Error> {
        if caller.player().is_none() {
            caller.platform()?;
        }
        let finding = self.0.store.find_seek(&caller.platform, seek_id);
        let found = self.in_lane(Lane::Lists, &caller.platform, finding).await?;
        // That of another player is not there.
        let is_own = |it: &FoundSeek| caller.player().is_none_or(|own| it.row.player == own);
        found.filter(is_own).map(seek_of).ok_or_else(|| SeekError::NotFound.into())
    }

    /// The seeks that wait, oldest first: a platform's, or a player's own.
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

    /// Deletes a seek: once this returns, nobody is seated for it. It may be repeated. It completes
    /// even if the caller drops this future.
    pub async fn delete_seek(&self, caller: &Caller, seek_id: Uuid) -> Result<(), Error> {
        let (matches, caller) = (self.clone(), caller.clone());
        let deleting = async move {
            matches.seek(&caller, seek_id).await?;
            let platform = caller.platform.as_str();
            let deleting = matches.0.store.delete_seek(platform, seek_id, now());
            matches.in_lane(Lane::Writes, platform, deleting).await?;
            let ended = matches.seek(&caller, seek_id).await.map_err(Error::after_write)?;
            match ended.match_id {
                None => Ok(()),
                Some(match_id) => Err(SeekError::Seated { match_id }.into()),
            }
        };
        Detached::new(deleting).await?
    }

    /// What can be done for seekers now, with the time since when.
    pub async fn seatings(&self, most: usize) -> Result<Vec<(Seating, OffsetDateTime)>, Error> {
        let mut found = Vec::new();
        for (platform, match_id, since) in self.0.store.undealt_of_seeks(now()).await? {
            found.push((Seating::Undealt { platform, match_id }, since));
        }
        let waiting = self.0.store.waiting_seeks(POOL_MAX).await?;
        for pool in waiting.chunk_by(|one, other| one.pool == other.pool) {
            found.extend(seat_together(pool, now()).into_iter().map(|(seekers, seats)| {
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

    /// Does it; returns false if it was done already, or cannot be done any more.
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
        let caller = Caller { platform: platform.clone(), grant: Grant::Platform };
        let live = self.live(&caller, match_id).await?;
        Ok(self.summary(&live).state != State::Open)
    }

    /// Creates the match of these seeks, if they all wait.
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
        // Who waited longest has no seat for it.
        seekers.sort_by_key(|it| *blake3::hash(it.seek_id.as_bytes()).as_bytes());
        let mut options = options_of(&seekers[0]);
        let time_control = TimeControl::take_from(&mut options);
        let names = seekers.iter().map(|it| it.display_name.clone().unwrap_or_default());
        let new = NewMatch {
            seats: seats.into(),
            players: seekers.iter().map(|it| it.player.clone()).collect(),
            display_names: names.collect(),
            options,
            time_control,
            request_id: Some(request_id),
            ..nobodys(&seekers[0].game)
        };
        let row = row_of(platform, &new)?;
        match self.0.store.create_for(&row, &MadeFor::Seeks(seek_ids.to_vec())).await? {
            Created::Created => Ok(Some(row.match_id)),
            Created::Repeated(_)
            | Created::SeekEnded
            | Created::Deleted
            | Created::PreviousFollowed(_) => Ok(None),
        }
    }

    /// The player's rating in a game, in millionths; that of a new player is 0.
    async fn rating_of(&self, platform: &str, player: &str, game: &str) -> Result<i64, Error> {
        let reading = self.0.projector.player(platform, player, 0);
        let found = self.in_lane(Lane::Lists, platform, reading).await?;
        let leagues = found.map(|it| it.leagues).unwrap_or_default();
        Ok(leagues.into_iter().find(|it| it.game == game).map_or(0, |it| it.standing.rating))
    }
}

/// A match of a game without anybody.
fn nobodys(game: &str) -> NewMatch {
    NewMatch {
        game: game.to_owned(),
        seats: 0,
        players: Vec::new(),
        display_names: Vec::new(),
        bots: Vec::new(),
        contributions: Vec::new(),
        seed_commitment: None,
        options: BTreeMap::new(),
        time_control: None,
        tags: Tags::new(),
        request_id: None,
        reveal: Reveal::AtEnd,
        previous: None,
        lobby: false,
    }
}

/// Fails unless the player can be seated in a match of each of the numbers of seats. Returns the
/// options of these matches, as they are stored.
fn check_match(platform: &str, player: &str, new: &NewSeek) -> Result<String, Error> {
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
            ..nobodys(&new.game)
        };
        let row = row_of(platform, &its)?;
        if row.seats < 2 {
            return Err(Error::invalid("seats", "nobody is to be found for a match of one seat"));
        }
        options = Some(row.options);
    }
    Ok(options.expect("there is a number of seats"))
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

// === Who is seated together ===

/// Who of a pool can be seated together, and on how many seats. Whoever came first is looked at
/// first, and has as company those who came next. What is left cannot be seated.
fn seat_together(pool: &[OpenSeek], now: OffsetDateTime) -> Vec<(Vec<&OpenSeek>, u8)> {
    let mut left: Vec<&OpenSeek> = pool.iter().collect();
    let (mut groups, mut first) = (Vec::new(), 0);
    while first < left.len() {
        let found = left[first].row.seats.iter().find_map(|&seats| {
            let mut group = vec![left[first]];
            let mut tries = TRIES_MAX;
            fill(&mut group, &left, first, 0, usize::try_from(seats).ok()?, now, &mut tries)
                .then_some((group, u8::try_from(seats).ok()?))
        });
        match found {
            Some((group, seats)) => {
                left.retain(|it| !group.iter().any(|one| one.row.seek_id == it.row.seek_id));
                groups.push((group, seats));
                // Those before have found nobody among more.
                first = first.min(left.len());
            }
            None => first += 1,
        }
    }
    groups
}

/// Adds others to the group, in their order, until there are so many.
fn fill<'a>(
    group: &mut Vec<&'a OpenSeek>,
    left: &[&'a OpenSeek],
    first: usize,
    from: usize,
    seats: usize,
    now: OffsetDateTime,
    tries: &mut u32,
) -> bool {
    if group.len() == seats {
        return true;
    }
    for (at, other) in left.iter().enumerate().skip(from) {
        if at == first || !other.row.seats.contains(&(seats as i16)) {
            continue;
        }
        if *tries == 0 {
            return false;
        }
        *tries -= 1;
        if group.iter().all(|one| may_meet(&one.row, &other.row, now)) {
            group.push(other);
            if fill(group, left, first, at + 1, seats, now, tries) {
                return true;
            }
            group.pop();
        }
    }
    false
}

fn may_meet(one: &SeekRow, other: &SeekRow, now: OffsetDateTime) -> bool {
    let apart = (one.rating - other.rating).abs();
    let accepts = |it: &SeekRow| {
        it.distance.is_none_or(|distance| {
            let waited = (now - it.create_time).as_seconds_f64().max(0.0);
            apart as f64 <= distance as f64 + it.widening as f64 * waited
        })
    };
    let named = |it: &'_ SeekRow| (it.player.clone(), it.display_name.clone());
    let (one_named, other_named) = (named(one), named(other));
    accepts(one)
        && accepts(other)
        && !look_alike(
            (&one_named.0, one_named.1.as_deref()),
            (&other_named.0, other_named.1.as_deref()),
        )
}

#[cfg(test)]
mod tests {
    use time::Duration;

    use super::*;

    const START: OffsetDateTime = OffsetDateTime::UNIX_EPOCH;

    /// A player who came after so many seconds.
    fn seek(player: &str, after_s: i64, seats: &[i16], rating: i64) -> OpenSeek {
        let row = SeekRow {
            seek_id: derived_id("acme", player),
            platform: "acme".to_owned(),
            player: player.to_owned(),
            display_name: None,
            game: "mountebank".to_owned(),
            seats: seats.to_vec(),
            options: "{}".to_owned(),
            rating: rating * 1_000_000,
            distance: None,
            widening: 0,
            request: Vec::new(),
            create_time: START + Duration::seconds(after_s),
        };
        OpenSeek { row, pool: vec![0; 32] }
    }

    fn within(distance: i64, widening: i64, it: OpenSeek) -> OpenSeek {
        let row = SeekRow {
            distance: Some(distance * 1_000_000),
            widening: widening * 1_000_000,
            ..it.row
        };
        OpenSeek { row, ..it }
    }

    fn seated(pool: &[OpenSeek], after_s: i64) -> Vec<Vec<&str>> {
        let groups = seat_together(pool, START + Duration::seconds(after_s));
        for (group, seats) in &groups {
            assert_eq!(group.len(), usize::from(*seats));
        }
        let players = |group: &Vec<&OpenSeek>| -> Vec<String> {
            group.iter().map(|it| it.row.player.clone()).collect()
        };
        let names: Vec<Vec<String>> = groups.iter().map(|(group, _)| players(group)).collect();
        let find = |name: &String| pool.iter().find(|it| it.row.player == *name).expect("of it");
        names
            .iter()
            .map(|group| group.iter().map(|it| &find(it).row.player[..]).collect())
            .collect()
    }

    #[test]
    fn who_came_first_is_seated_first() {
        let pool: Vec<OpenSeek> = (0..5)
            .zip(["ann", "bob", "cid", "dan", "eve"])
            .map(|(n, it)| seek(it, n, &[2], 0))
            .collect();
        assert_eq!(seated(&pool, 9), [["ann", "bob"], ["cid", "dan"]]);
    }

    #[test]
    fn the_numbers_of_seats_must_agree() {
        let pool = [
            seek("ann", 0, &[3], 0),
            seek("bob", 1, &[2], 0),
            seek("cid", 2, &[3, 2], 0),
            seek("dan", 3, &[3], 0),
        ];
        assert_eq!(seated(&pool, 9), [["ann", "cid", "dan"]]);
        assert_eq!(seated(&pool[..3], 9), [["bob", "cid"]]);
    }

    #[test]
    fn ratings_come_closer_with_time() {
        let pool = [within(5, 1, seek("ann", 0, &[2], 0)), within(0, 2, seek("bob", 10, &[2], 30))];
        assert_eq!(seated(&pool, 24), Vec::<Vec<&str>>::new());
        assert_eq!(seated(&pool, 25), [["ann", "bob"]]);
        let far = [within(5, 0, seek("ann", 0, &[2], 0)), seek("bob", 1, &[2], 6)];
        assert_eq!(seated(&far, 1_000_000), Vec::<Vec<&str>>::new(), "one of them does not accept");
    }

    #[test]
    fn a_group_is_found_though_the_first_company_does_not_suit() {
        let pool = [
            within(10, 0, seek("ann", 0, &[3], 0)),
            within(10, 0, seek("bob", 1, &[3], 10)),
            within(10, 0, seek("cid", 2, &[3], -5)),
            within(10, 0, seek("dan", 3, &[3], -1)),
        ];
        assert_eq!(seated(&pool, 4), [["ann", "cid", "dan"]]);
    }

    #[test]
    fn nobody_is_seated_with_somebody_of_the_same_name() {
        let named = |player: &str| {
            let it = seek(player, 0, &[2], 0);
            OpenSeek { row: SeekRow { display_name: Some("Ann".to_owned()), ..it.row }, ..it }
        };
        assert_eq!(seated(&[named("u1"), named("u2")], 4), Vec::<Vec<&str>>::new());
    }
}
