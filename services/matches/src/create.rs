//! How a match comes about: created, its seats taken, dealt as soon as the last one is.

use std::collections::BTreeMap;

use store::{Created, MatchId, Seating, Tags};
use table::{BadOption, Seat, Small};
use uuid::Uuid;

use crate::play::check_request_id;
use crate::reveal::DELAY_MAX_S;
use crate::tags::check_tags;
use crate::{Caller, Error, Matches, Reveal, Summary, now};

/// A player's id is a platform's own: long enough for any, short enough to store with every seat.
const PLAYER_BYTES_MAX: usize = 128;

#[derive(Clone, Debug)]
pub struct NewMatch {
    pub game: String,
    pub seats: u32,
    /// From seat 0 on; a seat without a name stays open.
    pub players: Vec<String>,
    pub options: BTreeMap<String, String>,
    pub tags: Tags,
    pub request_id: Option<String>,
    pub reveal: Reveal,
}

#[derive(Clone, Debug)]
pub struct Joined {
    pub seat: Seat,
    pub summary: Summary,
}

impl Matches {
    /// Creates a match, and deals it if all its seats are named.
    pub async fn create(&self, caller: &Caller, new: NewMatch) -> Result<Summary, Error> {
        let row = plan(caller.platform()?, &new)?;
        if let Created::Repeated(stored) = self.0.store.create(&row).await?
            && stored.request_digest != row.request_digest
        {
            return Err(Error::RequestIdReused);
        }
        let live = self.live(caller, row.match_id).await?;
        self.tagged(caller, &live).await
    }

    /// Seats a player, and deals the match if it was the last open seat.
    pub async fn join(
        &self,
        caller: &Caller,
        match_id: MatchId,
        player: &str,
        wanted: Option<Seat>,
        request_id: Option<&str>,
    ) -> Result<Joined, Error> {
        caller.platform()?;
        check_player(player)?;
        check_request_id(request_id)?;
        let live = self.live(caller, match_id).await?;
        let wanted = wanted.map(|seat| live.check_seat(seat)).transpose()?;
        let wish = wanted.map(|seat| u8::from(seat).into());
        let seat = match self.0.store.take_seat(match_id, wish, player, request_id, now()).await? {
            Seating::Taken(row) | Seating::AlreadySeated(row) => row.seat,
            Seating::Occupied => return Err(Error::SeatTaken),
            Seating::Full => return Err(Error::MatchFull),
            Seating::NoSuchSeat => return Err(Error::NoSuchMatch),
        };
        let seat = usize::try_from(seat).ok().and_then(Seat::nth).expect("a match has few seats");
        let live = self.live(caller, match_id).await?;
        Ok(Joined { seat, summary: self.tagged(caller, &live).await? })
    }

    /// Whether the caller may let somebody else in on this match, to play that seat or to look on.
    pub async fn may_grant(
        &self,
        caller: &Caller,
        match_id: MatchId,
        seat: Option<Seat>,
    ) -> Result<(), Error> {
        caller.platform()?;
        let live = self.live(caller, match_id).await?;
        seat.map_or(Ok(()), |seat| live.check_seat(seat).map(|_| ()))
    }
}

fn plan(platform: &str, new: &NewMatch) -> Result<store::NewMatch, Error> {
    check_request_id(new.request_id.as_deref())?;
    let game = games::find(&new.game).ok_or_else(|| Error::UnknownGame(new.game.clone()))?;
    let seats = u8::try_from(new.seats).unwrap_or(u8::MAX);
    let options = game.check_options(&new.options, seats).map_err(|error| match error {
        BadOption::Seats { .. } => Error::Invalid(error.to_string()),
        _ => Error::UnknownOption(error.to_string()),
    })?;
    if !new.reveal.is_in_bounds() {
        return Err(Error::Invalid(format!("a reveal is delayed by 1 to {DELAY_MAX_S} seconds")));
    }
    let options: BTreeMap<_, _> = options.iter().collect();
    check_tags(&new.tags)?;
    let match_id = match &new.request_id {
        Some(request_id) => MatchId(derived_id(platform, request_id)),
        None => MatchId(Uuid::new_v4()),
    };
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).expect("the system has randomness");
    Ok(store::NewMatch {
        match_id,
        platform: platform.to_owned(),
        game: game.name().to_owned(),
        seats: seats.into(),
        players: players(&new.players, seats)?,
        options: serde_json::to_string(&options).expect("text is JSON"),
        tags: new.tags.clone(),
        request_digest: digest(new).to_vec(),
        seed,
        seed_commitment: *blake3::hash(&seed).as_bytes(),
        reveal_wait_s: new.reveal.wait_s(),
        create_time: now(),
    })
}

fn players(named: &[String], seats: u8) -> Result<Vec<Option<String>>, Error> {
    if named.len() > seats.into() {
        return Err(Error::Invalid(format!("{} players are named for {seats} seats", named.len())));
    }
    let mut players: Vec<Option<String>> = Vec::new();
    for name in named {
        if name.is_empty() {
            players.push(None);
            continue;
        }
        check_player(name)?;
        if players.iter().flatten().any(|other| other == name) {
            return Err(Error::Invalid(format!("player {name:?} is named twice")));
        }
        players.push(Some(name.clone()));
    }
    players.resize(seats.into(), None);
    Ok(players)
}

fn check_player(player: &str) -> Result<(), Error> {
    let fits = (1..=PLAYER_BYTES_MAX).contains(&player.len());
    let printable = !player.chars().any(char::is_control);
    if fits && printable {
        Ok(())
    } else {
        let rule =
            format!("a player's id has 1 to {PLAYER_BYTES_MAX} bytes and no control characters");
        Err(Error::Invalid(rule))
    }
}

/// What a create request asks for, so that a retry can be told from another request.
fn digest(new: &NewMatch) -> [u8; 32] {
    let mut hash = blake3::Hasher::new();
    let mut part = |text: &str| {
        hash.update(&(text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    };
    part(&new.game);
    part(&new.seats.to_string());
    part(&new.players.len().to_string());
    new.players.iter().for_each(|player| part(player));
    new.options.iter().chain(&new.tags).for_each(|(name, value)| {
        part(name);
        part(value);
    });
    // Where nothing was chosen the digest is what it was before there was a choice.
    if new.reveal != Reveal::AtEnd {
        part(&format!("{:?}", new.reveal));
    }
    *hash.finalize().as_bytes()
}

/// The same request of the same platform names the same match, so its keys tell a retry.
fn derived_id(platform: &str, request_id: &str) -> Uuid {
    let mut hash = blake3::Hasher::new_derive_key("croupier: match of a create request");
    hash.update(&(platform.len() as u64).to_le_bytes());
    hash.update(platform.as_bytes());
    hash.update(request_id.as_bytes());
    let bytes = hash.finalize();
    let half: [u8; 16] = bytes.as_bytes()[..16].try_into().expect("a hash has 32 bytes");
    uuid::Builder::from_custom_bytes(half).into_uuid()
}
