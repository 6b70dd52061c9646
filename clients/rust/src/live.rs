//! A table that is kept up to date by the entries of its match.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use contract::names::SPECTATOR;
use contract::v1::{Entry, Game, Match, Prompt, Table, WatchEntriesRequest};
use tonic::Code;

use crate::fold::{Fold, plain};
use crate::games::Games;
use crate::match_handle::MatchHandle;
use crate::refusal::Refusal;
use crate::resumed::Entries;

/// The pause before the table is read again after the record went back.
const WENT_BACK_PAUSE: Duration = Duration::from_secs(1);

/// An entry, and the tables before and after it.
#[derive(Clone, Debug)]
pub struct Change {
    /// The entry, as the viewer knows it.
    pub entry: Entry,
    /// The table before it.
    pub before: Arc<Table>,
    /// The table after it.
    pub table: Arc<Table>,
}

/// A match as a viewer sees it: the table, and each entry with what it changed. The table moves on
/// as `next` is called, and equals what `view` returns at its position, without texts and without
/// the times of prompts.
pub struct Live {
    handle: MatchHandle,
    games: Games,
    game: Arc<Game>,
    fold: Fold,
    table: Arc<Table>,
    entries: Entries<WatchEntriesRequest>,
    /// An entry that was received and is not on the table yet.
    received: Option<Entry>,
    /// Whether the table has to be read again, because the record went back.
    is_void: bool,
    went_back: u32,
}

impl MatchHandle {
    /// Loads the table, which entries then keep up to date.
    pub async fn live(&self) -> Result<Live, Refusal> {
        Live::open(self.clone(), self.games.clone()).await
    }
}

impl Live {
    async fn open(handle: MatchHandle, games: Games) -> Result<Live, Refusal> {
        let it = handle.get().await?;
        let game = games.of_match(&it).await?;
        let fold = fold_of(&game)?;
        let table = match handle.view().await {
            Ok(table) => table,
            Err(refusal) if refusal.is("MATCH_NOT_STARTED") => empty(&fold, &it, &handle)?,
            Err(refusal) => return Err(refusal),
        };
        let (table, received) = (Arc::new(plain(table)), None);
        let entries = watch(&handle, &table);
        Ok(Live {
            handle,
            games,
            game,
            fold,
            table,
            entries,
            received,
            is_void: false,
            went_back: 0,
        })
    }

    /// The match that is followed.
    pub fn handle(&self) -> &MatchHandle {
        &self.handle
    }

    /// The game, with its layout.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The table as the viewer sees it, after the last entry that `next` returned.
    pub fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// The position of the table.
    pub fn position(&self) -> i32 {
        self.table.position
    }

    /// The prompts that can be answered now.
    pub fn prompts(&self) -> impl Iterator<Item = &Prompt> {
        let top = self.table.prompts.iter().map(|prompt| prompt.layer).max();
        self.table.prompts.iter().filter(move |prompt| Some(prompt.layer) == top)
    }

    /// The prompt that the seat of the match's handle can answer now.
    pub fn prompt(&self) -> Option<&Prompt> {
        self.prompts().filter(|prompt| Some(prompt.seat) == self.handle.seat()).last()
    }

    /// Whether the match is over.
    pub fn is_ended(&self) -> bool {
        self.table.ended.is_some()
    }

    /// Whether the stream is open.
    pub fn is_connected(&self) -> bool {
        self.entries.is_connected()
    }

    /// How often the database lost entries that were on the table. The table was then read again,
    /// so the next change does not follow from the one before.
    pub fn went_back(&self) -> u32 {
        self.went_back
    }

    /// The next entry, and what it changed; none once the match has ended. Cancelled, it loses
    /// nothing.
    pub async fn next(&mut self) -> Result<Option<Change>, Refusal> {
        loop {
            if let ControlFlow::Break(change) = self.step().await? {
                return Ok(change);
            }
        }
    }

    /// Moves on to a position, such as that of one's own entry.
    pub async fn reach(&mut self, position: i32) -> Result<&Arc<Table>, Refusal> {
        while self.position() < position && !matches!(self.step().await?, ControlFlow::Break(None))
        {
        }
        Ok(&self.table)
    }

    /// Breaks with the next entry, or with none once the match has ended. The table may also move
    /// without an entry.
    async fn step(&mut self) -> Result<ControlFlow<Option<Change>>, Refusal> {
        if self.is_void {
            // Entries after the one that the database went back to are void.
            tokio::time::sleep(WENT_BACK_PAUSE).await;
            self.table = Arc::new(plain(self.handle.view().await?));
            self.entries = watch(&self.handle, &self.table);
            self.is_void = false;
        }
        let entry = match self.received.clone() {
            Some(entry) => entry,
            None => match self.entries.next().await {
                Ok(None) => return Ok(ControlFlow::Break(None)),
                Ok(Some(entry)) => entry,
                // Entries of earlier releases have no digest, which would tell that one is gone.
                Err(it) if it.is("RECORD_WENT_BACK") || it.is("POSITION_AHEAD") => {
                    self.is_void = true;
                    self.went_back += 1;
                    return Ok(ControlFlow::Continue(()));
                }
                // Of a match that ended long ago only the result is kept, which is here.
                Err(refusal) if refusal.is("HISTORY_NOT_KEPT") && self.is_ended() => {
                    return Ok(ControlFlow::Break(None));
                }
                Err(refusal) => return Err(refusal),
            },
        };
        self.received = Some(entry.clone());
        let table = Arc::new(self.after(&entry).await?);
        let before = std::mem::replace(&mut self.table, table.clone());
        self.received = None;
        Ok(ControlFlow::Break(Some(Change { entry, before, table })))
    }

    /// The table after an entry: by the fold, or from the service where this release cannot fold.
    async fn after(&mut self, entry: &Entry) -> Result<Table, Refusal> {
        // As whom a token watches shows only once the match is dealt.
        let is_known = self.position() > 0 || !self.handle.viewer().is_empty();
        if is_known && let Ok(table) = self.fold.apply(&self.table, entry) {
            return Ok(table);
        }
        if is_known {
            let key = (self.game.name.clone(), self.game.module.clone());
            self.game = self.games.read(key).await?;
            self.fold = fold_of(&self.game)?;
        }
        let view = self.handle.view().with(|it| it.position = Some(entry.position));
        Ok(plain(view.await?))
    }
}

fn watch(handle: &MatchHandle, table: &Table) -> Entries<WatchEntriesRequest> {
    handle.watch().with(|it| {
        it.after_position = table.position;
        it.after_digest.clone_from(&table.digest);
    })
}

/// The table of a match that waits for players.
fn empty(fold: &Fold, it: &Match, handle: &MatchHandle) -> Result<Table, Refusal> {
    let viewer = if handle.viewer().is_empty() { SPECTATOR } else { handle.viewer() };
    fold.empty_table(&it.name, it.seats.len(), viewer).map_err(unreadable)
}

fn fold_of(game: &Game) -> Result<Fold, Refusal> {
    Fold::of(game).map_err(unreadable)
}

fn unreadable(error: impl std::fmt::Display) -> Refusal {
    Refusal::new(Code::Internal, error.to_string())
}
