//! Creating and joining matches. A match is dealt as soon as its last seat is taken.

use std::collections::BTreeMap;

use clocks::TimeControl;
use store::{Created, MadeFor, MatchId, Place, Seating, SpeechKey, Tags};
use table::{BadOption, Seat, Small, TALK, TIME_CONTROL};
use uuid::Uuid;

use crate::budgets::Lane;
use crate::contributions;
use crate::detached::Detached;
use crate::display_names;
use crate::play::check_request_id;
use crate::reveal::DELAY_MAX_S;
use crate::tags::check_tags;
use crate::{Caller, Error, Matches, Reveal, SeriesError, Summary, now};

/// Player ids are chosen by platforms: long enough for any, short enough to store with every seat.
const PLAYER_BYTES_MAX: usize = 128;

#[derive(Clone, Debug)]
pub struct NewMatch {
    pub game: String,
    pub seats: u32,
    /// By seat, from seat 0; an empty or missing name leaves the seat open.
    pub players: Vec<String>,
    /// The names to show for `players`, in the same order; empty or missing where there is none.
    pub display_names: Vec<String>,
    /// The bots by seat, by their levels; empty or missing where there is none.
    pub bots: Vec<String>,
    /// What the seats of `players` contribute to the chance of the match, in the same order; empty
    /// or missing where there is nothing.
    pub contributions: Vec<Vec<u8>>,
    /// The commitment that was told for the request id.
    pub seed_commitment: Option<[u8; 32]>,
    pub options: BTreeMap<String, String>,
    /// How long the seats may take; none for a match without clocks.
    pub time_control: Option<TimeControl>,
    pub tags: Tags,
    pub request_id: Option<String>,
    pub reveal: Reveal,
    /// The match that it follows. Then an empty game, no seats and no players stand for those of
    /// that match, and so do options and display names that are not given.
    pub previous: Option<MatchId>,
    /// Whether it is listed while it has open seats, and players may join by themselves.
    pub lobby: bool,
}

/// A player to be seated.
#[derive(Clone, Debug)]
pub struct NewPlayer {
    /// Empty for the player of a player's token.
    pub player: String,
    /// The name to show for the player; empty if there is none.
    pub display_name: String,
    /// What the seat contributes to the chance of the match; empty if nothing.
    pub contribution: Vec<u8>,
    /// The seat; any open seat if none.
    pub seat: Option<Seat>,
    pub request_id: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Joined {
    pub seat: Seat,
    pub summary: Summary,
}

impl Matches {
    /// Creates a match, and deals it if every seat has a player. It completes even if the caller
    /// drops this future.
    pub async fn create(&self, caller: &Caller, new: NewMatch) -> Result<Summary, Error> {
        let (matches, caller) = (self.clone(), caller.clone());
        Detached::new(async move { matches.create_whole(&caller, &new).await }).await?
    }

    async fn create_whole(&self, caller: &Caller, new: &NewMatch) -> Result<Summary, Error> {
        let platform = caller.platform()?;
        let mut row = match new.previous {
            None => {
                let row = row_of(platform, new)?;
                self.budgets().of(platform).check_match()?;
                row
            }
            Some(previous) => {
                self.budgets().of(platform).check_match()?;
                let (filled, follows) = self.follow(caller, new, previous).await?;
                let request_digest = digest(new).to_vec();
                let row = row_of(platform, &filled)?;
                store::NewMatch { follows: Some(follows), request_digest, ..row }
            }
        };
        if let Some(commitment) = new.seed_commitment {
            row.seed = self.committed_seed(platform, row.match_id).await?;
            row.seed_commitment = *blake3::hash(&row.seed).as_bytes();
            if row.seed_commitment != commitment {
                return Err(Error::CommitmentMismatch);
            }
        }
        let made_for = if new.lobby { &MadeFor::Lobby } else { &MadeFor::Players };
        let creating =
            self.in_lane(Lane::Writes, platform, self.0.store.create_for(&row, made_for));
        match creating.await? {
            Created::Created => {}
            Created::Repeated(stored) if is_retry(&stored.request_digest, new) => {}
            Created::Repeated(_) => return Err(Error::RequestIdReused),
            Created::Deleted => return Err(Error::Deleted),
            Created::SeekEnded => return Err(Error::Internal("the match has no seeks".into())),
            Created::PreviousFollowed(next) => return Err(SeriesError::Followed { next }.into()),
        }
        self.dealt(caller, row.match_id).await.map_err(Error::after_write)
    }

    /// Seats a player, and deals the match if this was its last open seat. It completes even if the
    /// caller drops this future.
    pub async fn join(
        &self,
        caller: &Caller,
        match_id: MatchId,
        new: NewPlayer,
    ) -> Result<Joined, Error> {
        let (matches, caller) = (self.clone(), caller.clone());
        Detached::new(async move { matches.join_whole(&caller, match_id, &new).await }).await?
    }

    async fn join_whole(
        &self,
        caller: &Caller,
        match_id: MatchId,
        new: &NewPlayer,
    ) -> Result<Joined, Error> {
        let player = match caller.player() {
            Some(own) if new.player.is_empty() => own,
            Some(_) | None => &new.player,
        };
        caller.check_player(player)?;
        let platform = caller.platform.as_str();
        check_player("player", player)?;
        let display_name = display_names::parse("display_name", &new.display_name)?;
        let request_id = new.request_id.as_deref();
        check_request_id(request_id)?;
        let live = self.live_or_open(caller, match_id).await?;
        let requested = new.seat.map(|seat| live.check_seat(seat)).transpose()?;
        let requested = requested.map(|seat| u8::from(seat).into());
        let named = (player, display_name.as_deref());
        let contribution = contributions::check("contribution", &new.contribution)?;
        let speech_key = (live.talk() != "off").then(speech_key);
        let place = Place { requested, contribution, request_id, speech_key };
        let taking = self.0.store.take_seat(match_id, named, place, now());
        let mut contributes_later = None;
        let seat = match self.in_lane(Lane::Writes, platform, taking).await? {
            Seating::Taken(row) => row.seat,
            Seating::AlreadySeated(row) => {
                contributes_later = contribution;
                row.seat
            }
            Seating::Occupied => return Err(Error::SeatTaken),
            Seating::Full => return Err(Error::MatchFull),
            Seating::NameTaken => return Err(Error::DisplayNameTaken),
            Seating::NoSuchSeat => return Err(Error::NoSuchMatch),
        };
        let seat = usize::try_from(seat).ok().and_then(Seat::nth).expect("a match has few seats");
        if let Some(contribution) = contributes_later {
            self.add_contribution(caller, match_id, (seat, player), contribution).await?;
        }
        let summary = self.dealt(caller, match_id).await.map_err(Error::after_write)?;
        Ok(Joined { seat, summary })
    }

    /// The match, dealt if all its seats are taken.
    async fn dealt(&self, caller: &Caller, match_id: MatchId) -> Result<Summary, Error> {
        let live = self.live(caller, match_id).await?;
        self.summary_with_tags(caller, &live).await
    }

    /// Fails unless the caller may issue tokens for this match: for `seat`, or for a spectator.
    /// Returns the seat's player, who is its player for good; none if the seat is open.
    pub async fn may_grant(
        &self,
        caller: &Caller,
        match_id: MatchId,
        seat: Option<Seat>,
    ) -> Result<Option<String>, Error> {
        caller.platform()?;
        let live = self.live(caller, match_id).await?;
        let seat = seat.map(|seat| live.check_seat(seat)).transpose()?;
        if let Some(seat) = seat.filter(|seat| live.has_bot(*seat)) {
            return Err(Error::BotSeat { seat });
        }
        let seated = seat.and_then(|seat| live.players().swap_remove(usize::from(u8::from(seat))));
        Ok(seated.map(|it| it.player))
    }
}

pub(crate) fn row_of(platform: &str, new: &NewMatch) -> Result<store::NewMatch, Error> {
    check_request_id(new.request_id.as_deref())?;
    let game = games::find(&new.game).ok_or_else(|| Error::UnknownGame(new.game.clone()))?;
    let seats = u8::try_from(new.seats).unwrap_or(u8::MAX);
    if new.options.contains_key(TIME_CONTROL) {
        return Err(Error::UnknownOption(format!("the game has no option {TIME_CONTROL}")));
    }
    let time_control = new.time_control.map(TimeControl::check).transpose();
    let time_control =
        time_control.map_err(|error| Error::InvalidTimeControl(error.to_string()))?;
    let options = game.check_options(&new.options, seats).map_err(|error| match error {
        BadOption::Seats { .. } => Error::invalid("seats", error.to_string()),
        BadOption::Unknown { .. }
        | BadOption::NotAllowed { .. }
        | BadOption::NotWithSeats { .. } => Error::UnknownOption(error.to_string()),
    })?;
    if !new.reveal.is_in_bounds() {
        return Err(Error::invalid(
            "reveal_delay_s",
            format!("the delay of a reveal must be 1 to {DELAY_MAX_S} seconds"),
        ));
    }
    let options = options.iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
    let mut options: BTreeMap<String, String> = options.collect();
    if let Some(time_control) = time_control {
        time_control.add_to(&mut options);
    }
    check_tags("tags", &new.tags)?;
    let match_id = match &new.request_id {
        Some(request_id) => MatchId(derived_id(platform, request_id)),
        None => MatchId(Uuid::new_v4()),
    };
    let players = players(&new.players, seats)?;
    let contributions = contributed(&new.contributions, &players)?;
    let mut display_names = display_names::parse_all(&new.display_names, &players)?;
    let bots = bots_by_seat(new, &players)?;
    if new.seed_commitment.is_some() && new.request_id.is_none() {
        return Err(Error::invalid("seed_commitment", "a seed_commitment requires its request_id"));
    }
    let has_talk = options.get(TALK).is_some_and(|talk| talk != "off");
    let key_of =
        |player: &Option<String>| player.as_ref().filter(|_| has_talk).map(|_| speech_key());
    let seed = random();
    let speech_keys = players.iter().map(key_of).collect();
    let mut players = players;
    for (seat, level) in bots {
        let (id, name) = bot(level, seat);
        display_names::check_bot(&name, &players, &display_names)?;
        (players[seat.index()], display_names[seat.index()]) = (Some(id), Some(name));
    }
    Ok(store::NewMatch {
        speech_keys,
        match_id,
        platform: platform.to_owned(),
        game: game.name().to_owned(),
        seats: seats.into(),
        players,
        display_names,
        contributions,
        options: serde_json::to_string(&options).expect("strings serialize to JSON"),
        tags: new.tags.clone(),
        request_digest: digest(new).to_vec(),
        seed,
        seed_commitment: *blake3::hash(&seed).as_bytes(),
        reveal_wait_s: new.reveal.wait_s(),
        follows: None,
        create_time: now(),
    })
}

/// The bots of a new match with these players.
fn bots_by_seat(
    new: &NewMatch,
    players: &[Option<String>],
) -> Result<Vec<(Seat, &'static str)>, Error> {
    let mut bots = Vec::new();
    for (nth, name) in new.bots.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
        let level = bot_level("bots", name)?;
        match (players.get(nth), Seat::nth(nth)) {
            (Some(None), Some(seat)) => bots.push((seat, level)),
            (Some(Some(_)), _) => {
                let rule = format!("seat {nth} has a player, so no bot can have it");
                return Err(Error::invalid("bots", rule));
            }
            _ => {
                let rule = format!("{} bots are given for {} seats", new.bots.len(), players.len());
                return Err(Error::invalid("bots", rule));
            }
        }
    }
    Ok(bots)
}

/// The name of a level, if there is one.
pub(crate) fn bot_level(field: &'static str, name: &str) -> Result<&'static str, Error> {
    let level = bots::find(name).map(|level| level.name);
    level.ok_or_else(|| Error::UnknownBot { field, bot: name.to_owned() })
}

/// The id of a new bot on a seat, and the name to show for it.
pub(crate) fn bot(level: &str, seat: Seat) -> (String, String) {
    (store::bot_id(level, u64::from_le_bytes(random())), format!("Bot {seat} ({level})"))
}

pub(crate) fn speech_key() -> SpeechKey {
    SpeechKey(random())
}

pub(crate) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system provides randomness");
    bytes
}

fn players(named: &[String], seats: u8) -> Result<Vec<Option<String>>, Error> {
    if named.len() > seats.into() {
        return Err(Error::invalid(
            "players",
            format!("{} players are given for {seats} seats", named.len()),
        ));
    }
    let mut players: Vec<Option<String>> = Vec::new();
    for name in named {
        if name.is_empty() {
            players.push(None);
            continue;
        }
        check_player("players", name)?;
        if players.iter().flatten().any(|other| other == name) {
            return Err(Error::invalid("players", format!("the player {name:?} is given twice")));
        }
        players.push(Some(name.clone()));
    }
    players.resize(seats.into(), None);
    Ok(players)
}

fn contributed(
    given: &[Vec<u8>],
    players: &[Option<String>],
) -> Result<Vec<Option<Vec<u8>>>, Error> {
    let field = "contributions";
    let mut contributions = Vec::new();
    for (seat, contribution) in given.iter().enumerate() {
        let contribution = contributions::check(field, contribution)?;
        if contribution.is_some() && players.get(seat).is_none_or(Option::is_none) {
            return Err(Error::invalid(field, format!("no player is given for seat {seat}")));
        }
        contributions.push(contribution.map(<[u8]>::to_vec));
    }
    Ok(contributions)
}

pub(crate) fn check_player(field: &'static str, player: &str) -> Result<(), Error> {
    let fits = (1..=PLAYER_BYTES_MAX).contains(&player.len());
    let printable = !player.chars().any(char::is_control);
    if fits && printable {
        Ok(())
    } else {
        let rule = format!(
            "a player id must have 1 to {PLAYER_BYTES_MAX} bytes and no control characters"
        );
        Err(Error::Invalid { field, rule })
    }
}

/// Whether a match with this digest of its request was created by this one.
fn is_retry(stored: &[u8], new: &NewMatch) -> bool {
    // Releases that stored ambiguous digests knew none of these.
    let is_old = new.previous.is_none()
        && new.display_names.is_empty()
        && new.contributions.is_empty()
        && new.time_control.is_none()
        && new.bots.is_empty()
        && !new.lobby
        && new.seed_commitment.is_none();
    stored == digest(new) || is_old && stored == ambiguous_digest(new)
}

/// A digest of a create request, which distinguishes a retry from another request with the same id.
fn digest(new: &NewMatch) -> [u8; 32] {
    let NewMatch {
        game,
        seats,
        players,
        display_names,
        bots,
        contributions,
        seed_commitment,
        options,
        time_control,
        tags,
        request_id: _,
        reveal,
        previous,
        lobby,
    } = new;
    let mut hash = blake3::Hasher::new_derive_key("croupier: digest of a create request");
    let mut number = |number: u64| {
        hash.update(&number.to_le_bytes());
    };
    number((*seats).into());
    // Never is no number of seconds.
    number(reveal.wait_s().map_or(u64::MAX, i64::unsigned_abs));
    [players.len(), options.len(), tags.len()].iter().for_each(|&count| number(count as u64));
    let mut part = |text: &str| {
        hash.update(&(text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    };
    part(game);
    players.iter().for_each(|player| part(player));
    options.iter().chain(tags).for_each(|(name, value)| {
        part(name);
        part(value);
    });
    // A request without these keeps the digest that earlier releases stored.
    if let Some(previous) = previous {
        hash.update(previous.0.as_bytes());
    }
    if !display_names.is_empty() {
        hash.update(b"display_names");
        hash.update(&(display_names.len() as u64).to_le_bytes());
    }
    for name in display_names {
        hash.update(&(name.len() as u64).to_le_bytes());
        hash.update(name.as_bytes());
    }
    if !contributions.is_empty() {
        hash.update(b"contributions");
        hash.update(&(contributions.len() as u64).to_le_bytes());
    }
    for contribution in contributions {
        hash.update(&(contribution.len() as u64).to_le_bytes());
        hash.update(contribution);
    }
    if let Some(seed_commitment) = seed_commitment {
        hash.update(b"seed_commitment");
        hash.update(seed_commitment);
    }
    if let Some(time_control) = time_control {
        hash.update(b"time_control");
        hash.update(time_control.to_string().as_bytes());
    }
    if *lobby {
        hash.update(b"lobby");
    }
    if !bots.is_empty() {
        hash.update(b"bots");
        hash.update(&(bots.len() as u64).to_le_bytes());
    }
    for bot in bots {
        hash.update(&(bot.len() as u64).to_le_bytes());
        hash.update(bot.as_bytes());
    }
    *hash.finalize().as_bytes()
}

/// The digest that older releases stored, so that retries of their requests are recognised. It does
/// not tell an option from a tag, so it must not be stored any more.
fn ambiguous_digest(new: &NewMatch) -> [u8; 32] {
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
    match new.reveal {
        Reveal::AtEnd => {}
        Reveal::After(seconds) => part(&format!("After({seconds})")),
        Reveal::Never => part("Never"),
    }
    *hash.finalize().as_bytes()
}

/// A platform's request id determines the match id, so the primary key detects a retry.
pub(crate) fn derived_id(platform: &str, request_id: &str) -> Uuid {
    let mut hash = blake3::Hasher::new_derive_key("croupier: match of a create request");
    hash.update(&(platform.len() as u64).to_le_bytes());
    hash.update(platform.as_bytes());
    hash.update(request_id.as_bytes());
    let bytes = hash.finalize();
    let half: [u8; 16] = bytes.as_bytes()[..16].try_into().expect("a hash has 32 bytes");
    uuid::Builder::from_custom_bytes(half).into_uuid()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> NewMatch {
        let pair = |key: &str, value: &str| [(key.to_owned(), value.to_owned())].into();
        NewMatch {
            game: "mountebank".to_owned(),
            seats: 2,
            players: vec!["ann".to_owned(), "bob".to_owned()],
            display_names: Vec::new(),
            bots: Vec::new(),
            contributions: Vec::new(),
            seed_commitment: None,
            options: pair("first-seat", "0"),
            time_control: None,
            tags: pair("league", "spring"),
            request_id: Some("r1".to_owned()),
            reveal: Reveal::AtEnd,
            previous: None,
            lobby: false,
        }
    }

    fn named(names: &[&str]) -> NewMatch {
        let display_names = names.iter().map(|&name| name.to_owned()).collect();
        NewMatch { display_names, ..request() }
    }

    #[test]
    fn the_digest_covers_every_field_but_the_request_id() {
        let following = |id| NewMatch { previous: Some(MatchId(Uuid::from_u128(id))), ..request() };
        assert_ne!(digest(&following(1)), digest(&following(2)));
        let same = digest(&NewMatch { request_id: None, ..request() });
        assert_eq!(same, digest(&request()));
        let others = [
            NewMatch { game: "rigs".to_owned(), ..request() },
            NewMatch { seats: 3, ..request() },
            NewMatch { players: vec!["ann".to_owned(), "eve".to_owned()], ..request() },
            NewMatch { options: BTreeMap::new(), ..request() },
            NewMatch { tags: Tags::new(), ..request() },
            NewMatch { tags: [("league".to_owned(), "autumn".to_owned())].into(), ..request() },
            NewMatch { reveal: Reveal::After(1), ..request() },
            NewMatch { reveal: Reveal::Never, ..request() },
            following(1),
            following(2),
            named(&["Ann"]),
            named(&["", "Ann"]),
            named(&["Ann", "Bob"]),
            named(&["AnnBob"]),
            NewMatch { previous: Some(MatchId(Uuid::from_u128(1))), ..named(&["Ann"]) },
            NewMatch { contributions: vec![vec![1]], ..request() },
            NewMatch { contributions: vec![vec![1], vec![]], ..request() },
            NewMatch { contributions: vec![vec![1, 0]], ..request() },
            NewMatch { seed_commitment: Some([0; 32]), ..request() },
            NewMatch { seed_commitment: Some([1; 32]), ..request() },
            NewMatch { bots: vec!["search".to_owned()], ..request() },
            NewMatch { bots: vec![String::new(), "search".to_owned()], ..request() },
        ];
        for (nth, other) in others.iter().enumerate() {
            assert_ne!(digest(other), digest(&request()), "{other:?}");
            let is_same = |it: &&NewMatch| digest(it) == digest(other);
            assert_eq!(others[..nth].iter().find(is_same).map(|_| ()), None, "{other:?}");
        }
    }

    #[test]
    fn the_digest_tells_options_from_tags_and_players_from_options() {
        let pairs = |pairs: &[(&str, &str)]| -> BTreeMap<String, String> {
            pairs.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect()
        };
        let (none, one) = (pairs(&[]), pairs(&[("a", "b")]));
        let as_option = NewMatch { options: one.clone(), tags: none.clone(), ..request() };
        let as_tag = NewMatch { options: none.clone(), tags: one, ..request() };
        assert_eq!(ambiguous_digest(&as_option), ambiguous_digest(&as_tag));
        assert_ne!(digest(&as_option), digest(&as_tag));
        let bare = NewMatch { options: none.clone(), tags: none, ..request() };
        let never = NewMatch { reveal: Reveal::Never, ..bare.clone() };
        let longest = NewMatch { reveal: Reveal::After(u32::MAX), ..bare };
        assert_ne!(digest(&never), digest(&longest));
    }

    /// Digests that older releases have stored.
    #[test]
    fn a_retry_of_a_request_to_an_older_release_is_recognised() {
        let stored = |new: &NewMatch| blake3::Hash::from(ambiguous_digest(new)).to_hex();
        let never = NewMatch { reveal: Reveal::Never, ..request() };
        let after = NewMatch { reveal: Reveal::After(60), ..request() };
        assert!(is_retry(&ambiguous_digest(&request()), &request()));
        let following = NewMatch { previous: Some(MatchId(Uuid::nil())), ..request() };
        assert!(!is_retry(&ambiguous_digest(&following), &following));
        assert!(!is_retry(&ambiguous_digest(&named(&["Ann"])), &named(&["Ann"])));
        assert_eq!(blake3::Hash::from(digest(&request())).to_hex()[..16], *"e3e0777407da1784");
        let stored = [&request(), &never, &after].map(|new| stored(new)[..16].to_owned());
        assert_eq!(stored, ["da0feadb2d284c81", "aa18db3ac6fc9415", "404fd4b14fa62f6b"]);
    }

    #[test]
    fn the_match_id_depends_on_the_platform_and_the_request_id() {
        assert_eq!(derived_id("acme", "r1"), derived_id("acme", "r1"));
        assert_ne!(derived_id("acme", "r1"), derived_id("acme", "r2"));
        assert_ne!(derived_id("acme", "r1"), derived_id("zeta", "r1"));
        assert_ne!(derived_id("acme", "r1"), derived_id("acmer", "1"));
    }

    #[test]
    fn a_row_stores_the_commitment_of_its_seed() {
        let row = row_of("acme", &request()).expect("the request is valid");
        assert_eq!(row.seed_commitment, *blake3::hash(&row.seed).as_bytes());
        let again = row_of("acme", &request()).expect("the request is valid");
        assert_ne!(row.seed, again.seed);
        assert_eq!(row.match_id, again.match_id, "derived from the request id");
    }

    #[test]
    fn invalid_players_are_refused() {
        let players = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            super::players(&names, 2).ok()
        };
        let (ann, bob) = (Some("ann".to_owned()), Some("bob".to_owned()));
        assert_eq!(players(&["", "bob"]), Some(vec![None, bob]));
        assert_eq!(players(&["ann"]), Some(vec![ann, None]));
        assert_eq!(players(&["ann", "ann"]), None, "the same player twice");
        assert_eq!(players(&["ann", "bob", ""]), None, "more players than seats");
        assert_eq!(players(&["a\nn"]), None, "a control character");
        assert!(players(&[&"a".repeat(PLAYER_BYTES_MAX)]).is_some());
        assert_eq!(players(&[&"a".repeat(PLAYER_BYTES_MAX + 1)]), None);
    }
}
