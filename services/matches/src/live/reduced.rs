//! Matches of which only the result is kept. In memory they begin and stay at their end.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use database::Clock;
use event_log::{Epoch, Header};
use rows::{KeptResult, MatchRow};
use table::Table;

use super::head::Head;
use super::live_match::LiveMatch;
use crate::error::Error;

impl LiveMatch {
    /// The match after its last entry, as far as it is kept. No entries are read.
    pub fn reduced(
        row: MatchRow,
        kept: KeptResult,
        header: Option<Header>,
        epoch: Epoch,
        clock: Clock,
    ) -> Result<LiveMatch, Error> {
        let position = kept.position;
        let live = LiveMatch::of_row(row, None, header, epoch, clock)?;
        let table = Table::decode_kept(&kept.table, live.game.layout(), live.seats);
        let table = table.map_err(|error| Error::MatchUnreadable {
            position: Some(position),
            source: error.into(),
        })?;
        let is_last = live.row.last.as_ref().is_some_and(|last| last.position == position);
        // The service never records a result of another length, or one without an end.
        if !is_last || !table.ended() {
            return Err(Error::RecordAltered { position });
        }
        let mut state = live.write();
        state.base = position;
        state.has_digests = kept.digest.is_some();
        state.head = Head {
            position,
            clocks: None,
            table: Some(Arc::new(table)),
            update_time: Some(kept.end_time),
            digest: kept.digest.unwrap_or(state.head.digest),
        };
        let bytes = state.bytes();
        drop(state);
        live.bytes.store(bytes, Relaxed);
        live.has_ended.store(true, Relaxed);
        Ok(live)
    }
}
