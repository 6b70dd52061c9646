//! Changes that are not entries: seated players, contributions, notes, the next match of a series.

use std::sync::atomic::Ordering::Relaxed;

use positions::Position;
use rows::{
    Contributed, MatchId, MatchRow, PastPlayer, SeatedPlayer, contributions_of, players_of,
    seat_of, speech_keys_of,
};
use store::{Notes, Substitute};
use table::{Seat, Small};

use super::live_match::LiveMatch;
use super::state::has_bots;

impl LiveMatch {
    /// Sets the players and the lobby from a newly read row. A row that was read before a player
    /// was erased does not bring the player back.
    pub fn set_seated(&self, row: &MatchRow) {
        let mut state = self.write();
        let before = std::mem::replace(&mut state.players, players_of(row));
        for (player, before) in state.players.iter_mut().zip(before) {
            let stays = |it: &SeatedPlayer| {
                it.is_erased
                    && player.as_ref().is_none_or(|new| new.before.len() <= it.before.len())
            };
            if before.as_ref().is_some_and(stays) {
                *player = before;
            }
        }
        state.is_in_lobby = row.is_in_lobby;
        state.has_bots = has_bots(&state.players);
        state.speech_keys = speech_keys_of(row);
        state.forget_erased();
    }

    /// Removes the erased player of a seat, with the player's messages.
    pub fn forget(&self, seat: Seat, pseudonym: &str) {
        let mut state = self.write();
        let player = state.players.get_mut(usize::from(u8::from(seat)));
        if let Some(player) = player {
            let before = player.take().map(|it| it.before).unwrap_or_default();
            let player_id = pseudonym.to_owned();
            *player = Some(SeatedPlayer {
                player: player_id,
                display_name: None,
                is_erased: true,
                before,
            });
        }
        state.forget_erased();
        self.bytes.store(state.bytes(), Relaxed);
    }

    /// Seats another player, who takes over with the recorded entry at `position`.
    pub fn substitute(&self, position: Position, new: &Substitute) {
        let mut state = self.write();
        let seat = seat_of(new.seat);
        let Some(player) = state.players.get_mut(seat.index()) else { return };
        let mut before = Vec::new();
        let mut has_key = true;
        if let Some(last) = player.take() {
            before = last.before;
            has_key = !last.is_erased;
            let (player, display_name) = (last.player, last.display_name);
            before.push(PastPlayer { until: position, player, display_name });
        }
        *player = Some(SeatedPlayer {
            player: new.player.clone(),
            display_name: new.display_name.clone(),
            is_erased: false,
            before,
        });
        state.has_bots = has_bots(&state.players);
        state.speech_keys.hand_over(seat, has_key, new.speech_key.map(|it| it.0));
    }

    /// Sets the seats' contributions, as read after all seats were taken.
    pub fn set_contributions(&self, contributions: Vec<Contributed>) {
        self.write().contributions = contributions_of(contributions);
    }

    /// Sets the next match. It never changes again.
    pub fn set_next(&self, next: MatchId) {
        self.write().next = Some(next);
    }

    pub fn set_notes(&self, notes: Notes) {
        let mut state = self.write();
        (state.display_name, state.tags) = (notes.display_name, notes.tags);
    }
}
