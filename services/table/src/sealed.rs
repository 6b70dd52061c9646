//! Sealed speech: what a seat says is stored encrypted, with a key that stands apart.
//!
//! The record never changes, so what was said can be erased only by deleting the key. Digests cover
//! the sealed bytes, and hold with and without it. An entry is sealed before it is stored, and
//! opened after it was decoded; an entry that cannot be opened tells that something was said, by
//! whom and to whom, and nothing else.

use std::borrow::Cow;
use std::fmt;

use aws_lc_rs::aead::{AES_256_GCM_SIV, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use bytes::Bytes;
use prost::Message;

use crate::stored::Undecodable;
use crate::{Entry, Event, SAY, Seat, Small, Speech, Text};

mod pb {
    #![allow(clippy::all, clippy::pedantic, reason = "generated")]
    include!(concat!(env!("OUT_DIR"), "/croupier.table.v1.rs"));
}

/// What encrypts the speech of one seat in one match.
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

/// The keys of a match. Seats have none if the match has no talk, if they were taken under a
/// release without keys, and once their players are erased.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpeechKeys(Vec<SeatKeys>);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct SeatKeys {
    own: Option<SpeechKey>,
    /// Of each player who sat there before; none of one who was erased.
    former: Vec<Option<SpeechKey>>,
}

impl SpeechKeys {
    pub fn insert(&mut self, seat: Seat, key: impl Into<SpeechKey>) {
        self.of_seat(seat).own = Some(key.into());
    }

    /// The key of a player who sat there before another one took over.
    pub fn insert_former(&mut self, seat: Seat, key: Option<impl Into<SpeechKey>>) {
        self.of_seat(seat).former.push(key.map(Into::into));
    }

    /// Removes what opens what a seat says, but not what was said there by others before.
    pub fn remove(&mut self, seat: Seat) {
        if let Some(keys) = self.0.get_mut(seat.index()) {
            keys.own = None;
        }
    }

    /// Another player took over the seat; `had_key` unless the one before was erased.
    pub fn hand_over(&mut self, seat: Seat, had_key: bool, key: Option<impl Into<SpeechKey>>) {
        let keys = self.of_seat(seat);
        let own = keys.own.take().filter(|_| had_key);
        keys.former.push(own);
        keys.own = key.map(Into::into);
    }

    fn of_seat(&mut self, seat: Seat) -> &mut SeatKeys {
        self.0.resize(self.0.len().max(seat.index() + 1), SeatKeys::default());
        &mut self.0[seat.index()]
    }

    fn own(&self, seat: Seat) -> Option<&SpeechKey> {
        self.0.get(seat.index())?.own.as_ref()
    }

    /// What was sealed by a seat. None if that cannot be known any more: the player was erased.
    fn open(&self, seat: Seat, nonce: Nonce, sealed: &[u8]) -> Result<Option<String>, Undecodable> {
        let Some(SeatKeys { own, former }) = self.0.get(seat.index()) else { return Ok(None) };
        let keys = former.iter().flatten().chain(own);
        let opened = keys
            .clone()
            .find_map(|key| key.open(Nonce::assume_unique_for_key(*nonce.as_ref()), sealed));
        // If all who sat there have their keys, one of them fits.
        let has_all = own.is_some() && former.iter().all(Option::is_some);
        if opened.is_none() && has_all {
            return Err(Undecodable::Unsealable);
        }
        Ok(opened)
    }
}

impl SpeechKey {
    fn cipher(&self) -> LessSafeKey {
        let key = UnboundKey::new(&AES_256_GCM_SIV, &self.0).expect("a key has 32 bytes");
        LessSafeKey::new(key)
    }

    fn seal(&self, nonce: Nonce, text: &str) -> Bytes {
        let mut sealed = text.as_bytes().to_vec();
        let done = self.cipher().seal_in_place_append_tag(nonce, Aad::empty(), &mut sealed);
        done.expect("a text is short");
        sealed.into()
    }

    fn open(&self, nonce: Nonce, sealed: &[u8]) -> Option<String> {
        let mut text = sealed.to_vec();
        let length = self.cipher().open_in_place(nonce, Aad::empty(), &mut text).ok()?.len();
        text.truncate(length);
        String::from_utf8(text).ok()
    }
}

/// A position is recorded once, so no two recorded texts share a nonce. Texts of which only one was
/// recorded may: this cipher then shows no more than whether they are equal.
fn nonce(position: i64, event: usize) -> Nonce {
    let mut nonce = [0; NONCE_LEN];
    nonce[..8].copy_from_slice(&position.to_le_bytes());
    nonce[8..].copy_from_slice(&(event as u32).to_le_bytes());
    Nonce::assume_unique_for_key(nonce)
}

impl Entry {
    /// Seals what seats with keys say in this entry, which is about to be recorded at `position`.
    pub fn seal(&mut self, position: i64, keys: &SpeechKeys) {
        let typed = self.typed();
        for (at, event) in self.events.iter_mut().enumerate() {
            let Event::Said { seat, speech: Some(speech) } = event else { continue };
            let (Some(key), Some(text)) = (keys.own(*seat), &speech.text) else { continue };
            let typed = typed.as_deref().unwrap_or(text.as_str());
            speech.sealed = Some(key.seal(nonce(position, at), typed));
        }
    }

    /// Opens what was said in this entry, as far as there are keys. Fails if something was sealed
    /// with another key, or for another place.
    pub fn open(&mut self, position: i64, keys: &SpeechKeys) -> Result<(), Undecodable> {
        let mut typed = None;
        for (at, event) in self.events.iter_mut().enumerate() {
            let Event::Said { seat, speech: Some(speech) } = event else { continue };
            let Some(sealed) = &speech.sealed else { continue };
            let Some(opened) = keys.open(*seat, nonce(position, at), sealed)? else { continue };
            speech.text = Some(Text::recorded(Text::lines(&opened))?);
            typed = Some(opened);
        }
        if let Some(typed) = typed.filter(|_| self.verb == SAY) {
            self.action = self.action.as_deref().map(|action| with_text(action, &typed));
        }
        Ok(())
    }

    /// Whether something was said here that is not known: it was erased, or not opened yet.
    pub fn is_sealed(&self) -> bool {
        self.speeches().any(|speech| speech.text.is_none())
    }

    /// Forgets what a seat said here.
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

    /// Whether `action` is what this entry recorded, as far as that is known: erased texts equal
    /// every text.
    pub fn records(&self, action: &Bytes) -> bool {
        match &self.action {
            Some(own) if self.is_sealed() => with_text(own, "") == with_text(action, ""),
            own => own.as_ref() == Some(action),
        }
    }

    /// The entry as the rules decide it: nothing is sealed, and other words stand for those that
    /// are not known.
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

    /// The action as it is stored: without a text that is sealed in the events.
    pub(crate) fn stored_action(&self) -> Option<Bytes> {
        let is_sealed = self.verb == SAY && self.speeches().any(|speech| speech.sealed.is_some());
        match &self.action {
            Some(action) if is_sealed => Some(with_text(action, "")),
            action => action.clone(),
        }
    }

    /// What a seat that says something typed: line endings are still its own.
    fn typed(&self) -> Option<String> {
        let action = self.action.as_deref().filter(|_| self.verb == SAY)?;
        match pb::Action::decode(action).ok()?.kind? {
            pb::action::Kind::Say(say) => Some(say.text),
            pb::action::Kind::Stand(_) => None,
        }
    }

    fn speeches(&self) -> impl Iterator<Item = &Speech> {
        self.events.iter().filter_map(|event| {
            if let Event::Said { speech: Some(speech), .. } = event {
                Some(&**speech)
            } else {
                None
            }
        })
    }
}

/// Stands for a text that is not known.
const UNKNOWN: &str = "…";

/// The message of an action with another text, if it says something.
fn with_text(action: &[u8], text: &str) -> Bytes {
    let kind = pb::Action::decode(action).ok().and_then(|action| action.kind);
    let Some(pb::action::Kind::Say(say)) = kind else { return Bytes::copy_from_slice(action) };
    let say = pb::Say { text: text.to_owned(), ..say };
    pb::Action { kind: Some(pb::action::Kind::Say(say)) }.encode_to_vec().into()
}
