//! Creating a match: the request is checked, its row is made, and a full match is dealt.

use std::collections::{BTreeMap, HashSet};

use clocks::TimeControl;
use futures::{StreamExt, TryStreamExt, stream};
use games::Game;
use positions::Bucket;
use rows::{DELAY_MAX_S, MatchId, MatchRow, Terms};
use store::{Created, MadeFor};
use table::{BadOption, CASUAL, KEPT_OPTIONS, MODULE, Seat, Small};
use time::OffsetDateTime;
use uuid::Uuid;

use super::bots::{bot_id, bot_level, bot_name};
use super::new_match::NewMatch;
use super::request_digest::{digest, is_retry};
use super::speech::speech_key;
use crate::access::{Caller, Lane};
use crate::detached::Detached;
use crate::error::{Error, SeriesError};
use crate::matches::Matches;
use crate::random::random;
use crate::request::{
    check_contribution, check_player, check_request_id, check_tags, derived_id, display_names,
};
use crate::summary::Summary;

impl Matches {
    /// Creates a match, and deals it if every seat has a player. Completes even if the caller drops
    /// this future.
    pub async fn create(&self, caller: &Caller, new: NewMatch) -> Result<Summary, Error> {
        let (matches, caller) = (self.clone(), caller.clone());
        Detached::new(async move { matches.create_whole(&caller, &new).await }).await?
    }

    async fn create_whole(&self, caller: &Caller, new: &NewMatch) -> Result<Summary, Error> {
        let platform = caller.platform()?;
        let mut row = match new.previous {
            None => {
                let rules = self.rules_for(&new.game, Some(platform)).await?;
                let row = self.row_of(platform, new, rules).await?;
                self.budgets().of(platform).check_match()?;
                row
            }
            Some(previous) => {
                self.budgets().of(platform).check_match()?;
                let (filled, follows) = self.follow(caller, new, previous).await?;
                let request_digest = digest(new).to_vec();
                let rules = self.rules_for(&filled.game, Some(platform)).await?;
                let row = self.row_of(platform, &filled, rules).await?;
                let terms = Terms { follows: Some(follows), ..row.terms };
                rows::NewMatch { terms, request_digest, ..row }
            }
        };
        self.prefer_reachable(&mut row, new);
        self.take_committed_seed(&mut row, new).await?;
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
        self.changed(caller, row.match_id).await
    }

    /// Gives a match another id while the node of its bucket cannot be reached, unless its request
    /// decides the id.
    fn prefer_reachable(&self, row: &mut rows::NewMatch, new: &NewMatch) {
        let database = self.0.store.database();
        let is_reachable =
            |row: &rows::NewMatch| database.check_reachable(Bucket::of(row.match_id)).is_ok();
        for _ in 0..IDS_MAX {
            if new.request_id.is_some() || is_reachable(row) {
                return;
            }
            row.match_id = MatchId(Uuid::new_v4());
        }
    }

    /// The rules that a new match of a game gets on a platform. A module is looked for in the
    /// database each time, so every process knows at once what operators added and retired.
    pub async fn rules_for(
        &self,
        game: &str,
        platform: Option<&str>,
    ) -> Result<games::Named, Error> {
        if let Some(game) = games::find(game) {
            return Ok((game, None));
        }
        let module = self.0.store.offered_module(game, platform).await?;
        let module = module.ok_or_else(|| Error::UnknownGame(game.to_owned()))?;
        Ok((self.learn(&module).await?, Some(module)))
    }

    /// Like [`Matches::learn`], for a platform, to which the module of a game that is for others is
    /// as one that is not there.
    pub async fn learn_for(
        &self,
        module: &str,
        platform: Option<&str>,
    ) -> Result<&'static dyn Game, Error> {
        if !self.0.store.is_module_for(module, platform).await? {
            return Err(Error::ModuleUnavailable { module: module.to_owned() });
        }
        self.learn(module).await
    }

    /// The game of a module, compiled and loaded.
    pub async fn learn(&self, module: &str) -> Result<&'static dyn Game, Error> {
        let learned = self.0.store.learn(module).await;
        learned.map_err(|error| Error::ModuleUnavailable { module: error.module })
    }

    /// The row of a new match, if the request is valid, and its rules accept its options.
    pub(super) async fn row_of(
        &self,
        platform: &str,
        new: &NewMatch,
        rules: games::Named,
    ) -> Result<rows::NewMatch, Error> {
        let now = self.now();
        let (its, new) = (platform.to_owned(), new.clone());
        let asking =
            self.budgets().by_rules(platform, rules.0, move || row_of(&its, &new, rules, now));
        asking.await?
    }

    /// Gives a new match the seed that its request names the commitment of, if it does.
    async fn take_committed_seed(
        &self,
        row: &mut rows::NewMatch,
        new: &NewMatch,
    ) -> Result<(), Error> {
        let Some(commitment) = new.seed_commitment else { return Ok(()) };
        row.seed = self.committed_seed(&row.platform, row.match_id).await?;
        row.terms.seed_commitment = *blake3::hash(&row.seed).as_bytes();
        match row.terms.seed_commitment == commitment {
            true => Ok(()),
            false => Err(Error::CommitmentMismatch),
        }
    }

    /// Creates matches, all of them or none, and deals those whose seats have players. Completes
    /// even if the caller drops this future.
    pub async fn create_batch(
        &self,
        caller: &Caller,
        new: Vec<NewMatch>,
    ) -> Result<Vec<Summary>, BatchError> {
        let (matches, caller) = (self.clone(), caller.clone());
        let creating = async move { matches.create_whole_batch(&caller, &new).await };
        Detached::new(creating).await.map_err(BatchError::whole)?
    }

    async fn create_whole_batch(
        &self,
        caller: &Caller,
        new: &[NewMatch],
    ) -> Result<Vec<Summary>, BatchError> {
        let platform = caller.platform().map_err(BatchError::whole)?;
        if !(1..=BATCH_MAX).contains(&new.len()) {
            let rule = format!("a batch creates 1 to {BATCH_MAX} matches, not {}", new.len());
            return Err(BatchError::whole(Error::invalid("requests", rule)));
        }
        let mut rows = Vec::with_capacity(new.len());
        let mut request_ids = HashSet::new();
        for (index, it) in new.iter().enumerate() {
            let row = self.row_of_batch(platform, it, &mut request_ids).await;
            rows.push(row.map_err(|error| BatchError { index: Some(index), error })?);
        }
        let is_same = |nth: usize, stored: &MatchRow| is_retry(&stored.request_digest, &new[nth]);
        let creating =
            self.in_lane(Lane::Writes, platform, self.0.store.create_all(&rows, is_same));
        if let Err((index, outcome)) = creating.await.map_err(BatchError::whole)? {
            let error = match outcome {
                Created::Deleted => Error::Deleted,
                _ => Error::RequestIdReused,
            };
            return Err(BatchError { index: Some(index), error });
        }
        let dealing = rows.iter().map(|(row, _)| self.changed(caller, row.match_id));
        let dealing: Vec<_> = dealing.collect();
        let summaries = stream::iter(dealing).buffered(DEALT_AT_ONCE).try_collect();
        summaries.await.map_err(BatchError::whole)
    }

    async fn row_of_batch<'n>(
        &self,
        platform: &str,
        new: &'n NewMatch,
        request_ids: &mut HashSet<&'n str>,
    ) -> Result<(rows::NewMatch, MadeFor), Error> {
        if new.previous.is_some() {
            return Err(Error::invalid("previous", "a match of a batch follows no other"));
        }
        if new.request_id.as_deref().is_some_and(|id| !request_ids.insert(id)) {
            let rule = "another match of the batch has the same request_id";
            return Err(Error::invalid("request_id", rule));
        }
        let rules = self.rules_for(&new.game, Some(platform)).await?;
        let mut row = self.row_of(platform, new, rules).await?;
        self.budgets().of(platform).check_match()?;
        self.prefer_reachable(&mut row, new);
        self.take_committed_seed(&mut row, new).await?;
        Ok((row, if new.lobby { MadeFor::Lobby } else { MadeFor::Players }))
    }
}

/// How many ids are tried for a match whose node can be reached.
const IDS_MAX: usize = 64;

/// The maximum number of matches that a call creates: a round of a large tournament.
const BATCH_MAX: usize = 500;

/// How many matches of a batch are dealt at the same time. Others than the caller wait, too.
const DEALT_AT_ONCE: usize = 16;

/// Why a batch was not created.
#[derive(Debug)]
pub struct BatchError {
    /// The match that could not be created, by its place in the batch.
    pub index: Option<usize>,
    pub error: Error,
}

impl BatchError {
    fn whole(error: Error) -> BatchError {
        BatchError { index: None, error }
    }
}

pub(crate) fn row_of(
    platform: &str,
    new: &NewMatch,
    (game, module): games::Named,
    create_time: OffsetDateTime,
) -> Result<rows::NewMatch, Error> {
    check_request_id(new.request_id.as_deref())?;
    let seats = u8::try_from(new.seats).unwrap_or(u8::MAX);
    // A match keeps these among its options, but none is one in requests.
    if let Some(own) = KEPT_OPTIONS.into_iter().find(|it| new.options.contains_key(*it)) {
        let known = game.options().into_iter().map(|it| it.name).collect();
        let error = BadOption::Unknown { name: own.to_owned(), known };
        return Err(Error::UnknownOption(error.to_string()));
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
            "reveal_delay",
            format!("the delay of a reveal must be 1 to {DELAY_MAX_S} seconds"),
        ));
    }
    let options = options.iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
    let mut options: BTreeMap<String, String> = options.collect();
    if let Some(time_control) = time_control {
        time_control.add_to(&mut options);
    }
    if new.casual == Some(true) {
        options.insert(CASUAL.to_owned(), String::new());
    }
    options.extend(module.map(|module| (MODULE.to_owned(), module)));
    check_tags("tags", &new.tags)?;
    let display_name = display_names::parse("display_name", &new.display_name)?;
    let match_id = match &new.request_id {
        Some(request_id) => MatchId(derived_id(platform, request_id)),
        None => MatchId(Uuid::new_v4()),
    };
    let players = players(&new.players, seats)?;
    let contributions = contributed(&new.contributions, &players)?;
    let bots = bots_by_seat(new, game, &players)?;
    if new.seed_commitment.is_some() && new.request_id.is_none() {
        return Err(Error::invalid("seed_commitment", "a seed_commitment requires its request_id"));
    }
    let seed = random();
    let mut players = players;
    for (seat, level) in &bots {
        players[seat.index()] = Some(bot_id(level));
    }
    let mut display_names = display_names::parse_all(&new.display_names, &players)?;
    for (seat, _) in bots {
        if display_names[seat.index()].is_some() {
            continue;
        }
        let people = players.iter().zip(&display_names);
        let people = people.filter_map(|(id, name)| Some((id.as_deref()?, name.as_deref())));
        display_names[seat.index()] = Some(bot_name(seat, people));
    }
    let speech_keys = players.iter().map(|it| it.as_ref().map(|_| speech_key())).collect();
    Ok(rows::NewMatch {
        speech_keys,
        match_id,
        platform: platform.to_owned(),
        game: game.name().to_owned(),
        seats: seats.into(),
        players,
        display_names,
        contributions,
        after_commitment: new.seed_commitment.is_some(),
        terms: Terms {
            options,
            seed_commitment: *blake3::hash(&seed).as_bytes(),
            reveal_wait_s: new.reveal.wait_s(),
            follows: None,
        },
        tags: new.tags.clone(),
        display_name,
        request_digest: digest(new).to_vec(),
        seed,
        create_time,
    })
}

/// The seats and levels of the bots of a new match with these players.
fn bots_by_seat(
    new: &NewMatch,
    game: &dyn Game,
    players: &[Option<String>],
) -> Result<Vec<(Seat, &'static str)>, Error> {
    let mut bots = Vec::new();
    for (nth, name) in new.bots.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
        let level = bot_level("bots", name, game).map_err(|error| error.at(nth))?;
        match (players.get(nth), Seat::nth(nth)) {
            (Some(None), Some(seat)) => bots.push((seat, level)),
            (Some(Some(_)), _) => {
                let rule = format!("seat {nth} has a player, so no bot can have it");
                return Err(Error::invalid("bots", rule).at(nth));
            }
            _ => {
                let rule = format!("{} bots are given for {} seats", new.bots.len(), players.len());
                return Err(Error::invalid("bots", rule));
            }
        }
    }
    Ok(bots)
}

fn players(named: &[String], seats: u8) -> Result<Vec<Option<String>>, Error> {
    if named.len() > seats.into() {
        return Err(Error::invalid(
            "players",
            format!("{} players are given for {seats} seats", named.len()),
        ));
    }
    let mut players: Vec<Option<String>> = Vec::new();
    for (nth, name) in named.iter().enumerate() {
        if name.is_empty() {
            players.push(None);
            continue;
        }
        check_player("players", name).map_err(|error| error.at(nth))?;
        if players.iter().flatten().any(|other| other == name) {
            let rule = format!("the player {name:?} is given twice");
            return Err(Error::invalid("players", rule).at(nth));
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
        let contribution =
            check_contribution(field, contribution).map_err(|error| error.at(seat))?;
        if contribution.is_some() && players.get(seat).is_none_or(Option::is_none) {
            let rule = format!("no player is given for seat {seat}");
            return Err(Error::invalid(field, rule).at(seat));
        }
        contributions.push(contribution.map(<[u8]>::to_vec));
    }
    Ok(contributions)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> NewMatch {
        NewMatch {
            game: "mountebank".to_owned(),
            seats: 2,
            request_id: Some("r1".to_owned()),
            ..NewMatch::default()
        }
    }

    fn rules() -> games::Named {
        games::named("mountebank", None).expect("the registry has it")
    }

    #[test]
    fn a_row_stores_the_commitment_of_its_seed() {
        let row =
            row_of("acme", &request(), rules(), OffsetDateTime::UNIX_EPOCH).expect("it is valid");
        assert_eq!(row.terms.seed_commitment, *blake3::hash(&row.seed).as_bytes());
        let again =
            row_of("acme", &request(), rules(), OffsetDateTime::UNIX_EPOCH).expect("it is valid");
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
    }
}
