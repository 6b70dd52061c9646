//! The texts of one call: in its language, for its reader, with the names of the players.
//!
//! They are built from the redacted answer and the players' names in the match. A call without a
//! language computes no texts.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ::answers::{Legals, legal_of, told_entry, told_legal, told_table};
use bytes::Bytes;
use contract::v1;
use matches::{
    Caller, Cast, Error, Grant, LegalActions, MatchId, Matches, Position, RedactedEntry,
    StreamedEntry, Suggestions, Summary, View,
};
use narration::{Language, Narrator, Standing};
use pictures::Picture;
use table::{Event, Seat, Viewer};
use tonic::Status;
use tonic::metadata::MetadataMap;
use tonic_types::StatusExt;

use super::entries::{entry_of, streamed_of};
use super::images::{Format, Images, Key};
use super::matches::match_of;
use super::tables::{seen, view_of};
use crate::error::of;
use crate::requests::language::language_of;

/// How many narrators a stream keeps between batches, one for each match and reader. Each takes two
/// kilobytes.
const NARRATORS_MAX: usize = 1024;

/// Entries told in one piece of work.
const PIECE_MAX: usize = 32;

/// The cost of entries that are told at once: about a tenth of a millisecond. The entry of an
/// action rarely costs more.
const COST_SMALL: usize = 24;

/// An event costs this many times as much in words as without.
const SILENT_SHARE: usize = 16;

/// The texts of one call.
pub(crate) struct Texts {
    language: Option<Language>,
    matches: Matches,
    caller: Caller,
    /// Whether the call is a stream, whose queries wait for their turn.
    is_stream: bool,
    /// The players of each match, as last read.
    casts: HashMap<MatchId, Cast>,
    /// By match, reader, language, and the position since which the seats have the same players.
    narrators: HashMap<(MatchId, Option<Seat>, Language, Position), Arc<Narrator>>,
    /// The number of erasures that were known when the names were read.
    erasures: u64,
}

impl Texts {
    pub fn new(
        matches: &Matches,
        caller: &Caller,
        metadata: &MetadataMap,
        field: &str,
    ) -> Result<Texts, Status> {
        let (matches, caller) = (matches.clone(), caller.clone());
        let (language, erasures) = (language_of(metadata, field)?, matches.erasures());
        let (casts, narrators) = (HashMap::new(), HashMap::new());
        Ok(Texts { language, matches, caller, is_stream: false, casts, narrators, erasures })
    }

    /// The texts of a stream.
    pub fn of_stream(self) -> Texts {
        Texts { is_stream: true, ..self }
    }

    pub fn language(&self) -> Option<Language> {
        self.language
    }

    /// Continues in this language.
    pub fn set_language(&mut self, language: Option<Language>) {
        self.language = language;
    }

    // === Matches ===

    pub fn summary(&self, summary: Summary) -> v1::Match {
        let own_seat = match &self.caller.grant {
            Grant::Seat(_, seat) => Some(*seat),
            Grant::Player(player) => summary.seat_of(player),
            Grant::Platform | Grant::Spectator(..) | Grant::Guest(_) => None,
        };
        self.summary_to(own_seat, summary)
    }

    /// Like [`Texts::summary`], for another reader than the caller.
    pub fn summary_for(&self, viewer: Viewer, summary: Summary) -> v1::Match {
        self.summary_to(reader(viewer), summary)
    }

    fn summary_to(&self, own_seat: Option<Seat>, summary: Summary) -> v1::Match {
        let text = self.language.and_then(|it| summary_text(it, own_seat, &summary));
        v1::Match { summary: text.unwrap_or_default(), ..match_of(summary) }
    }

    pub async fn view(&mut self, view: View) -> Result<v1::Table, Status> {
        let Some(language) = self.language else { return Ok(view_of(&view)) };
        let cast = self.cast(view.match_id).await?.clone();
        self.work(move || {
            let names = cast.names_at(view.position);
            let narrator = Narrator::new(view.game, language, &names, reader(view.viewer));
            told_table(&narrator, &seen(&view))
        })
        .await
    }

    /// The table as a picture.
    pub async fn image(
        &mut self,
        images: &Images,
        view: View,
        format: Format,
    ) -> Result<Bytes, Status> {
        let language = self.language.unwrap_or(Language::ENGLISH);
        let cast = self.cast(view.match_id).await?;
        let names: Vec<_> =
            cast.names_at(view.position).iter().map(|it| it.map(str::to_owned)).collect();
        let key = Key::of(&view, language, format, names);
        images.drawn(&key, || self.draw(&key, &view, format)).await
    }

    async fn draw(&self, key: &Key, view: &View, format: Format) -> Result<Bytes, Status> {
        let (language, names) = (key.language, key.names.clone());
        let (game, viewer, table) = (view.game, view.viewer, view.table.clone());
        let drawn = self.matches.draw(&self.caller, move || {
            let names: Vec<_> = names.iter().map(Option::as_deref).collect();
            let narrator = Narrator::new(game, language, &names, reader(viewer));
            let picture = Picture::of(&narrator, &table);
            match format {
                Format::Png { width } => picture.png(width).into(),
                Format::Svg => picture.svg().into(),
            }
        });
        drawn.await.map_err(of)
    }

    pub async fn legal(
        &mut self,
        match_id: MatchId,
        legal: LegalActions,
    ) -> Result<v1::ListLegalActionsResponse, Status> {
        let (game, seat) = (legal.game, legal.seat);
        let Some(language) = self.language else {
            return self.work(move || legal_of(&legals(&legal)).0).await;
        };
        let cast = self.cast(match_id).await?.clone();
        self.work(move || {
            let names = cast.names_at(legal.position);
            told_legal(&Narrator::new(game, language, &names, Some(seat)), &legals(&legal))
        })
        .await
    }

    pub async fn suggestions(
        &mut self,
        match_id: MatchId,
        Suggestions { legal, of }: Suggestions,
    ) -> Result<v1::SuggestActionsResponse, Status> {
        let legal = self.legal(match_id, legal).await?;
        let suggestions = of.iter().map(|it| v1::Suggestion {
            action: it.action.map(|nth| legal.actions[nth].clone()),
            estimate: it.estimate.map(f64::from),
            taken: it.is_taken,
        });
        let suggestions = suggestions.collect();
        Ok(v1::SuggestActionsResponse { position: legal.position, suggestions })
    }

    // === Entries ===

    pub async fn entry(&mut self, entry: RedactedEntry) -> Result<v1::Entry, Status> {
        if self.language.is_none() {
            return Ok(entry_of(&entry));
        }
        let told = self.entries(vec![entry]).await?.pop();
        Ok(told.expect("each entry is told"))
    }

    pub async fn entries(&mut self, entries: Vec<RedactedEntry>) -> Result<Vec<v1::Entry>, Status> {
        Ok(self.told(entries).await?.into_iter().map(|(_, told)| told).collect())
    }

    /// Entries as they are streamed, and what they were made of, without results.
    pub async fn streamed(
        &mut self,
        entries: Vec<StreamedEntry>,
    ) -> Result<(Vec<StreamedEntry>, Vec<v1::StreamedEntry>), Status> {
        let split = entries.into_iter().map(|it| (it.entry, (it.is_seated, it.result)));
        let (entries, others): (Vec<_>, Vec<_>) = split.unzip();
        let told = self.told(entries).await?;
        let streamed = told.into_iter().zip(others).map(|((entry, told), (is_seated, result))| {
            let streamed = streamed_of(&entry, told, result.map(|it| self.summary(*it)));
            (StreamedEntry { entry, is_seated, result: None }, streamed)
        });
        Ok(streamed.unzip())
    }

    async fn told(
        &mut self,
        mut entries: Vec<RedactedEntry>,
    ) -> Result<Vec<(RedactedEntry, v1::Entry)>, Status> {
        let mut told = Vec::with_capacity(entries.len());
        while !entries.is_empty() {
            // A piece of work is short, so that others need not wait for a whole page.
            let rest = entries.split_off(entries.len().min(PIECE_MAX));
            let piece = self.narrated(std::mem::replace(&mut entries, rest)).await?;
            let is_small = piece.iter().map(Narrated::cost).sum::<usize>() <= COST_SMALL;
            let tell = move || piece.into_iter().map(Narrated::told).collect::<Vec<_>>();
            told.extend(if is_small { tell() } else { self.work(tell).await? });
        }
        Ok(told)
    }

    /// Entries with their narrators.
    async fn narrated(&mut self, entries: Vec<RedactedEntry>) -> Result<Vec<Narrated>, Status> {
        let Some(language) = self.language else {
            let silent = |entry| Narrated { entry, narrator: None };
            return Ok(entries.into_iter().map(silent).collect());
        };
        self.meet(&entries).await?;
        let mut narrated = Vec::with_capacity(entries.len());
        for entry in entries {
            let (at, reader) = ((entry.match_id, entry.position), reader(entry.viewer));
            let narrator = self.narrator(at, entry.game, reader, language).await?.clone();
            narrated.push(Narrated { entry, narrator: Some(narrator) });
        }
        Ok(narrated)
    }

    /// Does work of this call: see [`Matches::work`].
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Status> {
        self.matches.work(&self.caller, self.is_stream, work).await.map_err(of)
    }

    // === Refusals ===

    /// The status of a use case that failed. If there are words for its reason, the details hold
    /// them. `seat` is the one that the request names.
    pub fn refusal(&self, error: Error, about: Option<MatchId>, seat: Option<Seat>) -> Status {
        let status = of(error);
        let text = self.language.and_then(|it| self.refusal_text(it, &status, about, seat));
        let Some((language, text)) = text else { return status };
        let mut details = status.get_error_details();
        details.set_localized_message(language.tag(), text);
        Status::with_error_details(status.code(), status.message(), details)
    }

    /// A refusal in words, and their language. The names are those in memory: a refusal causes no
    /// query.
    fn refusal_text(
        &self,
        language: Language,
        status: &Status,
        about: Option<MatchId>,
        seat: Option<Seat>,
    ) -> Option<(Language, String)> {
        let info = status.get_details_error_info()?;
        let cast = about.and_then(|it| self.matches.cast_in_memory(&self.caller, it));
        let (game, cast) = cast.unwrap_or_else(|| (games::GAMES[0], Cast::default()));
        let own_seat = about.and_then(|it| self.matches.own_seat_in_memory(&self.caller, it));
        let narrator = Narrator::new(game, language, &cast.names(), own_seat.or(seat));
        let facts = info.metadata.iter().map(|(name, fact)| (name.as_str(), fact.as_str()));
        Some((narrator.language(), narrator.refusal(&info.reason, facts)?))
    }

    // === Narrators ===

    async fn cast(&mut self, match_id: MatchId) -> Result<&Cast, Status> {
        self.forget_erased();
        if !self.casts.contains_key(&match_id) {
            self.read_casts(&[match_id]).await?;
        }
        Ok(&self.casts[&match_id])
    }

    async fn narrator(
        &mut self,
        (match_id, position): (MatchId, Position),
        game: &'static dyn games::Game,
        reader: Option<Seat>,
        language: Language,
    ) -> Result<&Arc<Narrator>, Status> {
        self.cast(match_id).await?;
        let cast = &self.casts[&match_id];
        let key = (match_id, reader, language, cast.since(position));
        let new = || Arc::new(Narrator::new(game, language, &cast.names_at(position), reader));
        Ok(self.narrators.entry(key).or_insert_with(new))
    }

    /// Drops all names after an erasure. The count is read before the names, so no name outlives
    /// the erasure of its player.
    fn forget_erased(&mut self) {
        let erasures = self.matches.erasures();
        if erasures != self.erasures {
            self.forget();
            self.erasures = erasures;
        }
    }

    fn forget(&mut self) {
        self.casts.clear();
        self.narrators.clear();
    }

    /// Reads the players of all matches of these entries with one query.
    async fn meet(&mut self, entries: &[RedactedEntry]) -> Result<(), Status> {
        self.forget_erased();
        if self.narrators.len() > NARRATORS_MAX {
            self.forget();
        }
        let matches: HashSet<MatchId> = entries.iter().map(|it| it.match_id).collect();
        let unknown = matches.into_iter().filter(|it| !self.casts.contains_key(it));
        let unknown: Vec<MatchId> = unknown.collect();
        if !unknown.is_empty() {
            self.read_casts(&unknown).await?;
        }
        self.meet_substitutes(entries).await
    }

    /// Reads the players again where an entry seats a substitute.
    async fn meet_substitutes(&mut self, entries: &[RedactedEntry]) -> Result<(), Status> {
        let replaces = |event: &Event| matches!(event, Event::Replaced { .. });
        let is_news = |it: &&RedactedEntry| {
            let is_old = |cast: &Cast| cast.since(it.position) < it.position;
            it.entry.events.iter().any(replaces) && self.casts.get(&it.match_id).is_some_and(is_old)
        };
        let news: Vec<MatchId> = entries.iter().filter(is_news).map(|it| it.match_id).collect();
        if !news.is_empty() {
            let found = self.matches.recorded_casts(&self.caller, &news, self.is_stream).await;
            self.casts.extend(found.map_err(of)?);
        }
        Ok(())
    }

    /// Reads the players of these matches. A match that the caller may not read has none.
    async fn read_casts(&mut self, match_ids: &[MatchId]) -> Result<(), Status> {
        let found = self.matches.casts(&self.caller, match_ids, self.is_stream).await;
        let mut found = found.map_err(of)?;
        let cast = |it: &MatchId| (*it, found.remove(it).unwrap_or_default());
        self.casts.extend(match_ids.iter().map(cast));
        Ok(())
    }
}

/// `None` if this release does not know the game.
pub(crate) fn summary_text(
    language: Language,
    own_seat: Option<Seat>,
    it: &Summary,
) -> Option<String> {
    let cast = it.cast();
    let game = it.game()?;
    let narrator = Narrator::new(game, language, &cast.names(), own_seat);
    Some(narrator.summary(&Standing {
        open: it.players.iter().filter(|player| player.is_none()).count(),
        waiting_for: it.now.waiting_for,
        scores: it.now.scores.clone(),
        round: it.now.round,
        turn: it.now.turn,
        winners: it.now.winners,
    }))
}

fn legals(it: &LegalActions) -> Legals<'_> {
    let &LegalActions { game, position, ref actions, ref kinds, ref table, ref beside, seat: _ } =
        it;
    Legals { game, position, actions, kinds, table, beside }
}

/// The seat that is addressed as "you".
fn reader(viewer: Viewer) -> Option<Seat> {
    match viewer {
        Viewer::Seat(seat) => Some(seat),
        Viewer::Spectator | Viewer::House => None,
    }
}

/// An entry, and its narrator if the call asks for texts.
struct Narrated {
    entry: RedactedEntry,
    narrator: Option<Arc<Narrator>>,
}

impl Narrated {
    fn told(self) -> (RedactedEntry, v1::Entry) {
        let Narrated { entry, narrator } = self;
        let told = match narrator {
            Some(narrator) => told_entry(&narrator, &entry),
            None => entry_of(&entry),
        };
        (entry, told)
    }

    /// In events and prompts in words.
    fn cost(&self) -> usize {
        let entry = &self.entry.entry;
        let parts = entry.events.len() + entry.prompts.len();
        if self.narrator.is_some() { parts } else { parts / SILENT_SHARE }
    }
}
