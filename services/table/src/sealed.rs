//! Sealed speech: a seat's messages are stored encrypted, with a key that is stored apart.
//!
//! The record never changes, so speech is erased by deleting its key. Digests cover the sealed
//! bytes and hold with or without the key. An entry is sealed before it is stored and opened after
//! it was decoded. Without the key it discloses only that something was said, by whom and to whom.
//! `tests/toy/main.rs` checks that, and freezes the sealed bytes.
//!
//! See `docs/decisions/0023-speech-is-sealed.md`.

use std::borrow::Cow;
use std::fmt;

use aes_gcm_siv::aead::AeadInPlace;
use aes_gcm_siv::{Aes256GcmSiv, KeyInit, Nonce};
use bytes::Bytes;

use crate::said::{self, with_text};
use crate::stored::Undecodable;
use crate::{Entry, Event, PlayerCommitment, SAY, Seat, Small, Text};

/// The key to the speech of one seat in one match. It also keeps the commitment to the seat's
/// player from being guessed.
#[derive(Clone, PartialEq, Eq)]
pub struct SpeechKey([u8; 32]);

impl From<[u8; 32]> for SpeechKey {
    fn from(bytes: [u8; 32]) -> SpeechKey {
        SpeechKey(bytes)
    }
}

impl fmt::Debug for SpeechKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SpeechKey")
    }
}

/// The keys of a match. A seat has none if its player was erased, or took the seat under an earlier
/// release: these had no keys, or none in matches without talk and for bots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpeechKeys(Vec<SeatKeys>);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct SeatKeys {
    own: Option<SpeechKey>,
    /// The keys of the earlier players of the seat; `None` for an erased player.
    former: Vec<Option<SpeechKey>>,
}

impl SpeechKeys {
    pub fn insert(&mut self, seat: Seat, key: impl Into<SpeechKey>) {
        self.of_seat(seat).own = Some(key.into());
    }

    /// Adds the key of an earlier player of the seat.
    pub fn insert_former(&mut self, seat: Seat, key: Option<impl Into<SpeechKey>>) {
        self.of_seat(seat).former.push(key.map(Into::into));
    }

    /// Removes the key of the seat's current player, and keeps those of earlier ones.
    pub fn remove(&mut self, seat: Seat) {
        if let Some(keys) = self.0.get_mut(seat.index()) {
            keys.own = None;
        }
    }

    /// Replaces the player of a seat; `had_key` is false if the earlier player was erased.
    pub fn hand_over(&mut self, seat: Seat, had_key: bool, key: Option<impl Into<SpeechKey>>) {
        let keys = self.of_seat(seat);
        let own = keys.own.take().filter(|_| had_key);
        keys.former.push(own);
        keys.own = key.map(Into::into);
    }

    /// Commits to the current player of a seat; `None` if the seat has no key.
    pub fn commit(
        &self,
        match_id: &[u8; 16],
        seat: Seat,
        player: &str,
    ) -> Option<PlayerCommitment> {
        let key = self.own(seat)?;
        Some(PlayerCommitment::new(match_id, seat, &key.0, player))
    }

    fn of_seat(&mut self, seat: Seat) -> &mut SeatKeys {
        self.0.resize(self.0.len().max(seat.index() + 1), SeatKeys::default());
        &mut self.0[seat.index()]
    }

    fn own(&self, seat: Seat) -> Option<&SpeechKey> {
        self.0.get(seat.index())?.own.as_ref()
    }

    /// The text that a seat sealed; `None` if it was erased.
    fn open(
        &self,
        seat: Seat,
        nonce: &Nonce,
        sealed: &[u8],
    ) -> Result<Option<String>, Undecodable> {
        let Some(SeatKeys { own, former }) = self.0.get(seat.index()) else { return Ok(None) };
        let mut keys = former.iter().flatten().chain(own);
        let opened = keys.find_map(|key| key.open(nonce, sealed));
        // If all players of the seat have their keys, one of them fits.
        let has_all = own.is_some() && former.iter().all(Option::is_some);
        if opened.is_none() && has_all {
            return Err(Undecodable::Unsealable);
        }
        Ok(opened)
    }
}

impl SpeechKey {
    fn cipher(&self) -> Aes256GcmSiv {
        Aes256GcmSiv::new(&self.0.into())
    }

    fn seal(&self, nonce: &Nonce, text: &str) -> Bytes {
        let mut sealed = text.as_bytes().to_vec();
        self.cipher().encrypt_in_place(nonce, b"", &mut sealed).expect("a text is short");
        sealed.into()
    }

    fn open(&self, nonce: &Nonce, sealed: &[u8]) -> Option<String> {
        let mut text = sealed.to_vec();
        self.cipher().decrypt_in_place(nonce, b"", &mut text).ok()?;
        String::from_utf8(text).ok()
    }
}

/// Positions are recorded once, so no two recorded texts share a nonce. Two attempts at one
/// position may share it; with this cipher that discloses only whether their texts are equal.
fn nonce(position: i64, event: usize) -> Nonce {
    let mut nonce = Nonce::default();
    nonce[..8].copy_from_slice(&position.to_le_bytes());
    nonce[8..].copy_from_slice(&(event as u32).to_le_bytes());
    nonce
}

impl Entry {
    /// Seals the messages of seats with keys in this entry, which is about to be recorded at
    /// `position`.
    pub fn seal(&mut self, position: i64, keys: &SpeechKeys) {
        let typed = self.typed();
        for (at, event) in self.events.iter_mut().enumerate() {
            let Event::Said { seat, speech: Some(speech) } = event else { continue };
            let (Some(key), Some(text)) = (keys.own(*seat), &speech.text) else { continue };
            let typed = typed.as_deref().unwrap_or(text.as_str());
            speech.sealed = Some(key.seal(&nonce(position, at), typed));
        }
    }

    /// Opens the messages of this entry for which there are keys. Fails if one was sealed with
    /// another key or for another place.
    pub fn open(&mut self, position: i64, keys: &SpeechKeys) -> Result<(), Undecodable> {
        let mut typed = None;
        for (at, event) in self.events.iter_mut().enumerate() {
            let Event::Said { seat, speech: Some(speech) } = event else { continue };
            let Some(sealed) = &speech.sealed else { continue };
            let Some(opened) = keys.open(*seat, &nonce(position, at), sealed)? else { continue };
            speech.text = Some(Text::recorded(Text::lines(&opened))?);
            typed = Some(opened);
        }
        if let Some(typed) = typed.filter(|_| self.verb == SAY) {
            self.action = self.action.as_deref().map(|action| with_text(action, &typed));
        }
        Ok(())
    }

    /// Whether a text is unknown here: it was erased, or not opened yet.
    pub fn is_sealed(&self) -> bool {
        self.speeches().any(|speech| speech.text.is_none())
    }

    /// Erases the messages of a seat in this entry.
    pub fn erase(&mut self, by: Seat) {
        let action = self.stored_action();
        for event in &mut self.events {
            if let Event::Said { seat, speech: Some(speech) } = event
                && *seat == by
                && speech.sealed.is_some()
            {
                speech.text = None;
                self.action.clone_from(&action);
            }
        }
    }

    /// Whether this entry recorded `action`, as far as is known: an erased text equals every text.
    pub fn records(&self, action: &Bytes) -> bool {
        match &self.action {
            Some(own) if self.is_sealed() => with_text(own, "") == with_text(action, ""),
            own => own.as_ref() == Some(action),
        }
    }

    /// The entry as the rules decide it: nothing is sealed, and unknown texts have a placeholder.
    pub fn unsealed(&self) -> Cow<'_, Entry> {
        if self.speeches().all(|speech| speech.text.is_some() && speech.sealed.is_none()) {
            return Cow::Borrowed(self);
        }
        let mut entry = self.clone();
        if self.is_sealed() && self.verb == SAY {
            entry.action = entry.action.as_deref().map(|action| with_text(action, UNKNOWN));
        }
        for event in &mut entry.events {
            if let Event::Said { speech: Some(speech), .. } = event {
                speech.sealed = None;
                let unknown = || Text::of(UNKNOWN).expect("it is a valid text");
                speech.text.get_or_insert_with(unknown);
            }
        }
        Cow::Owned(entry)
    }

    /// The text as the seat typed it, with its own line endings.
    fn typed(&self) -> Option<String> {
        self.action.as_deref().filter(|_| self.verb == SAY).and_then(said::text_of)
    }
}

/// The placeholder for an unknown text.
const UNKNOWN: &str = "…";
